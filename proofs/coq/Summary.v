(* The page for a sceptical reader: what is proved, in full, and on what it rests.

   Every theorem below is stated in terms of the definitions of the first
   section, restated there as equations, and of MathComp's matrices.  At the end
   the kernel prints what all of them together assume; audit.py checks that this
   is nothing.  Nothing else has to be read to know what is claimed.
   BoundsSummary.v, FormsSummary.v, ScoresSummary.v, SimulatorsSummary.v and
   measure/Summary.v continue this page.  H is the set of heads, #|H| their
   number, L the depth, d the width of a target, k the width of a head, m the
   width of a backbone, n the number of tokens (rows).                          *)

From mathcomp Require Import all_ssreflect ssralg ssrnum zmodp matrix mxalgebra.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Sparse Degree Generic Threshold.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---- Definitions ----------------------------------------------------------- *)

(* attn l h maps the query and the key matrix (n x k) of head h in layer l to an
   n x n matrix; run attn W l X is the state after l layers.                    *)
Theorem definition_run (R : ringType) (H : finType) (k n w : nat) (attn : attention R H k n)
    (W : weights R H k w) (l : nat) (X : 'M[R]_(n, w)) :
  run attn W 0 X = X /\
  run attn W l.+1 X =
    let Z := run attn W l X in
    \sum_h attn l h (Z *m WQ W l h) (Z *m WK W l h) *m Z *m WV W l h.
Proof. by []. Qed.

(* the product of the value matrices along a path, from layer l on *)
Theorem definition_pathmx (R : ringType) (H : finType) (w : nat) (V : nat -> H -> 'M[R]_w) (l : nat) (h : H) (p : seq H) :
  pathmx V l [::] = 1%:M /\ pathmx V l (h :: p) = V l h *m pathmx V l.+1 p.
Proof. by []. Qed.

(* the number of slots, and the degree of the generic determinant *)
Theorem definition_N (H k L d : nat) :
  N H k L d = (2 * k * (\sum_(1 <= l < L.+1) H ^ l) + d * H ^ L)%N /\
  D H k L d = (\sum_(1 <= l < L.+1) 2 * k * l * H ^ l + d * L.+1 * H ^ L)%N.
Proof. by rewrite NE DE. Qed.

(* the block matrix: its columns are those of the path products times WQ, WK, U *)
Theorem definition_blockmx (R : ringType) (H : finType) (k L d w : nat) (P : weights R H k w) (U : 'M[R]_(w, d)) (a : 'I_w) :
  #|slot H k L d| = N #|H| k L d /\
  (forall (l : 'I_L) (p : l.-tuple H) (h : H) (i : 'I_k),
    blockmx L P U a (enum_rank (inl (Tagged (slotT H k L) (p, h, true, i)) : slot H k L d)) =
      (pathmx (WV P) 0 p *m WQ P l h) a i /\
    blockmx L P U a (enum_rank (inl (Tagged (slotT H k L) (p, h, false, i)) : slot H k L d)) =
      (pathmx (WV P) 0 p *m WK P l h) a i) /\
  (forall (p : L.-tuple H) (i : 'I_d),
    blockmx L P U a (enum_rank (inr (p, i) : slot H k L d)) = (pathmx (WV P) 0 p *m U) a i).
Proof. by split; first exact: card_slot; split=> *; rewrite !blockmxE. Qed.

(* ---- Universality ----------------------------------------------------------- *)

(* Matching all paths suffices (any ring). *)
Theorem sufficiency (R : ringType) (H : finType) (k L d m : nat)
    (W : weights R H k d) (P : weights R H k m) (U : 'M[R]_(m, d)) (E : 'M[R]_(d, m)) :
  (forall p h, (size p < L)%N ->
    E *m pathmx (WV P) 0 p *m WQ P (size p) h = pathmx (WV W) 0 p *m WQ W (size p) h) ->
  (forall p h, (size p < L)%N ->
    E *m pathmx (WV P) 0 p *m WK P (size p) h = pathmx (WV W) 0 p *m WK W (size p) h) ->
  (forall p, size p = L -> E *m pathmx (WV P) 0 p *m U = pathmx (WV W) 0 p) ->
  forall n (attn : attention R H k n) (X : 'M[R]_(n, d)),
    run attn P L (X *m E) *m U = run attn W L X.
Proof. by move=> mQ mK mU; apply: Network.sufficiency. Qed.

(* At every width m >= N, a backbone with entries 0 and 1 simulates every target
   (any ring).                                                                    *)
Theorem sparse_universality (R : ringType) (H : finType) (k L d m : nat) : (N #|H| k L d <= m)%N ->
  exists (P : weights R H k m) (U : 'M[R]_(m, d)),
  [/\ forall l h i j, WQ P l h i j = 0 \/ WQ P l h i j = 1,
      forall l h i j, WK P l h i j = 0 \/ WK P l h i j = 1,
      forall l h i j, WV P l h i j = 0 \/ WV P l h i j = 1,
      forall i j, U i j = 0 \/ U i j = 1 &
      forall W : weights R H k d, exists E : 'M[R]_(d, m),
      forall n (attn : attention R H k n) (X : 'M[R]_(n, d)),
        run attn P L (X *m E) *m U = run attn W L X].
Proof.
move=> /(wide_sparse_universality R)[P [U [P01 U01 univ]]].
by exists P, U; split=> // l h; have [] := P01 l h.
Qed.

(* Full column rank suffices, at every width (any field). *)
Theorem full_rank_universal (F : fieldType) (H : finType) (k L d m : nat) (P : weights F H k m) (U : 'M[F]_(m, d)) :
  \rank (blockmx L P U) = N #|H| k L d ->
  forall W : weights F H k d, exists E : 'M[F]_(d, m),
  forall n (attn : attention F H k n) (X : 'M[F]_(n, d)),
    run attn P L (X *m E) *m U = run attn W L X.
Proof. exact: Sparse.full_rank_universal. Qed.

(* A vector v of all entries of the layers below L gives a backbone and a read-out:
   each entry is a coordinate of v of its own, and there are no other coordinates. *)
Theorem definition_weights_of (H : finType) (k d L m : nat) :
  nparams H k d L m = (L * #|H| * (2 * (m * k) + m * m) + m * d)%N /\
  exists2 place : 'I_L * H * ('I_m * 'I_k + 'I_m * 'I_k + 'I_m * 'I_m) + 'I_m * 'I_d -> 'I_(nparams H k d L m),
    bijective place &
    forall (R : ringType) (v : 'I_(nparams H k d L m) -> R),
    [/\ forall (l : 'I_L) h i j, WQ (weights_of (unshared L) v) l h i j = v (place (inl (l, h, inl (inl (i, j))))),
        forall (l : 'I_L) h i j, WK (weights_of (unshared L) v) l h i j = v (place (inl (l, h, inl (inr (i, j))))),
        forall (l : 'I_L) h i j, WV (weights_of (unshared L) v) l h i j = v (place (inl (l, h, inr (i, j)))) &
        forall i j, readout_of v i j = v (place (inr (i, j)))].
Proof.
split; first exact: card_params.
exists (fun x => enum_rank (x : param H k d L m)) => [|R v]; first exact: enum_rank_bij.
by split=> [l h i j|l h i j|l h i j|i j]; rewrite mxE // /scalar_of /unshared valK.
Qed.

(* At every width m >= N, a backbone is universal unless a nonzero polynomial of
   degree at most D in its entries vanishes (any field; msize is degree + 1).   *)
Theorem generic_universality (F : fieldType) (H : finType) (k L d m : nat) :
  (N #|H| k L d <= m)%N ->
  exists p : {mpoly F[nparams H k d L m]},
  [/\ p != 0, (msize p <= (D #|H| k L d).+1)%N &
      forall v : 'I_(nparams H k d L m) -> F, p.@[v] != 0 ->
      forall W : weights F H k d, exists E : 'M[F]_(d, m),
      forall n (attn : attention F H k n) (X : 'M[F]_(n, d)),
        run attn (weights_of (unshared L) v) L (X *m E) *m readout_of v = run attn W L X].
Proof. by move=> Nm; apply: Generic.generic_universality. Qed.

(* The same in numbers: entries drawn independently and uniformly from #|T| values
   fail to be universal with probability at most D / #|T| (any field).          *)
Theorem uniform_universality (F : fieldType) (H : finType) (k L d m : nat) (T : finType) (sample : T -> F) :
  (N #|H| k L d <= m)%N -> injective sample ->
  exists bad : {set {ffun 'I_(nparams H k d L m) -> T}},
    (#|bad| * #|T| <= D #|H| k L d * #|T| ^ nparams H k d L m)%N /\
    forall t, t \notin bad -> let v i := sample (t i) in
      forall W : weights F H k d, exists E : 'M[F]_(d, m),
      forall n (attn : attention F H k n) (X : 'M[F]_(n, d)),
        run attn (weights_of (unshared L) v) L (X *m E) *m readout_of v = run attn W L X.
Proof. by move=> Nm; apply: Generic.uniform_universality. Qed.

(* On the line through a backbone S of full rank and any other P, at most D points
   are not universal (any field).                                               *)
Theorem line_universality (F : fieldType) (H : finType) (k L d m : nat)
    (S P : weights F H k m) (SU U : 'M[F]_(m, d)) (ts : seq F) :
  let point t := Weights (fun l h => (1 - t) *: WQ S l h + t *: WQ P l h)
                         (fun l h => (1 - t) *: WK S l h + t *: WK P l h)
                         (fun l h => (1 - t) *: WV S l h + t *: WV P l h) in
  \rank (blockmx L S SU) = N #|H| k L d -> uniq ts ->
  (forall t, t \in ts -> ~ (forall W : weights F H k d, exists E : 'M[F]_(d, m),
     forall n (attn : attention F H k n) (X : 'M[F]_(n, d)),
       run attn (point t) L (X *m E) *m ((1 - t) *: SU + t *: U) = run attn W L X)) ->
  (size ts <= D #|H| k L d)%N.
Proof. exact: Generic.line_universality. Qed.

(* ---- The sharp threshold ----------------------------------------------------- *)

(* Universality and full rank are the same (field with more than two elements). *)
Theorem universal_iff_full_rank (F : fieldType) (H : finType) (k L d m : nat) (P : weights F H k m) (U : 'M[F]_(m, d)) :
  (exists2 a : F, a != 0 & a != 1) -> (0 < d)%N ->
  (forall W : weights F H k d, exists E : 'M[F]_(d, m),
   forall n (attn : attention F H k n) (X : 'M[F]_(n, d)),
     run attn P L (X *m E) *m U = run attn W L X)
  <-> \rank (blockmx L P U) = N #|H| k L d.
Proof. by move=> F2 d0; exact (@Threshold.universal_iff_full_rank F H k L d m F2 d0 P U). Qed.

(* The same if only row-stochastic attention functions have to be simulated.     *)
Theorem row_stochastic_iff_full_rank (F : numFieldType) (H : finType) (k L d m : nat)
    (P : weights F H k m) (U : 'M[F]_(m, d)) : (0 < d)%N ->
  (forall W : weights F H k d, exists E : 'M[F]_(d, m),
   forall n (attn : attention F H k n) (X : 'M[F]_(n, d)),
     (forall l h Q K i, (forall j, 0 <= attn l h Q K i j) /\ \sum_j attn l h Q K i j = 1) ->
     run attn P L (X *m E) *m U = run attn W L X)
  <-> \rank (blockmx L P U) = N #|H| k L d.
Proof. by move=> d0; exact (@Threshold.row_stochastic_iff_full_rank F H k L d m P U d0). Qed.

(* The same for hard, causal attention only: each row i is one-hot, at some j <= i. *)
Theorem hard_causal_iff_full_rank (F : fieldType) (H : finType) (k L d m : nat) (P : weights F H k m) (U : 'M[F]_(m, d)) :
  (exists2 a : F, a != 0 & a != 1) -> (0 < d)%N ->
  (forall W : weights F H k d, exists E : 'M[F]_(d, m),
   forall n (attn : attention F H k n) (X : 'M[F]_(n, d)),
     (forall l h Q K (i : 'I_n), exists2 j : 'I_n, (j <= i)%N & forall s, attn l h Q K i s = (s == j)%:R) ->
     run attn P L (X *m E) *m U = run attn W L X)
  <-> \rank (blockmx L P U) = N #|H| k L d.
Proof.
move=> F2 d0.
exact (@Threshold.universal_for_iff_full_rank F H k L d m F2 d0 (@hard_causal F H k) P U (fun _ _ hc => hc)).
Qed.

(* So a universal backbone of width m exists if and only if m >= N.              *)
Theorem universal_width (F : fieldType) (H : finType) (k L d m : nat) :
  (exists2 a : F, a != 0 & a != 1) -> (0 < d)%N ->
  (exists (P : weights F H k m) (U : 'M[F]_(m, d)),
   forall W : weights F H k d, exists E : 'M[F]_(d, m),
   forall n (attn : attention F H k n) (X : 'M[F]_(n, d)),
     run attn P L (X *m E) *m U = run attn W L X)
  <-> (N #|H| k L d <= m)%N.
Proof. by move=> F2 d0; exact (@Threshold.universal_width F H k L d m F2 d0). Qed.

(* ---- Lower bounds ------------------------------------------------------------ *)

(* Outputs alone: carrying all full paths of all targets needs m >= d H^L (any field). *)
Theorem path_matching_lower_bound (F : fieldType) (H : finType) (L d m : nat) (V : nat -> H -> 'M[F]_m) (U : 'M[F]_(m, d)) :
  (forall W : nat -> H -> 'M[F]_d, exists E : 'M[F]_(d, m),
     forall p, size p = L -> E *m pathmx V 0 p *m U = pathmx W 0 p) ->
  (d * #|H| ^ L <= m)%N.
Proof. exact: Threshold.path_matching_lower_bound. Qed.

(* ---- What all theorems of this page assume ---------------------------------- *)

Definition page :=
  (@definition_run, @definition_pathmx, @definition_N, @definition_blockmx, @sufficiency,
   @sparse_universality, @full_rank_universal, @definition_weights_of, @generic_universality,
   @uniform_universality, @line_universality, @universal_iff_full_rank,
   @row_stochastic_iff_full_rank, @hard_causal_iff_full_rank, @universal_width,
   @path_matching_lower_bound).
Print Assumptions page.
