(* Other forms of backbones, in full, and what the theorems rest on.

   Continues Summary.v, which restates run, pathmx, N and D: looped backbones
   (one weight set for all layers), residual backbones (each layer is added to
   what it read), both together, and targets with biases.                          *)

From mathcomp Require Import all_ssreflect ssralg zmodp matrix mxalgebra.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Degree Generic Words FreeWords Residual SharedLayers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* ---- Looped backbones ---------------------------------------------------------- *)

(* At every width m >= N, one set of 0/1 matrices, used in every layer, simulates
   every target, whose layers may differ (any ring).                               *)
Theorem looped_universality (R : ringType) (H : finType) (k L d m : nat) : (N #|H| k L d <= m)%N ->
  exists (Q K : H -> 'M[R]_(m, k)) (V : H -> 'M[R]_m) (U : 'M[R]_(m, d)),
  [/\ forall h i j, Q h i j = 0 \/ Q h i j = 1,
      forall h i j, K h i j = 0 \/ K h i j = 1,
      forall h i j, V h i j = 0 \/ V h i j = 1,
      forall i j, U i j = 0 \/ U i j = 1 &
      forall W : weights R H k d, exists E : 'M[R]_(d, m),
      forall n (attn : attention R H k n) (X : 'M[R]_(n, d)),
        run attn (Weights (fun _ => Q) (fun _ => K) (fun _ => V)) L (X *m E) *m U = run attn W L X].
Proof.
move=> /(SharedLayers.looped_universality R)[Q [K [V [U [Z ZU univ]]]]].
by exists Q, K, V, U; split=> // h; have [] := Z h.
Qed.

(* A vector of the entries of one weight set gives a looped backbone: each entry is a
   coordinate of its own, the same in all layers, and there are no others.         *)
Theorem definition_shared (H : finType) (k d m : nat) :
  nparams H k d 1 m = (1 * #|H| * (2 * (m * k) + m * m) + m * d)%N /\
  exists2 place : 'I_1 * H * ('I_m * 'I_k + 'I_m * 'I_k + 'I_m * 'I_m) + 'I_m * 'I_d -> 'I_(nparams H k d 1 m),
    bijective place &
    forall (R : ringType) (v : 'I_(nparams H k d 1 m) -> R),
    [/\ forall l h i j, WQ (weights_of shared v) l h i j = v (place (inl (ord0, h, inl (inl (i, j))))),
        forall l h i j, WK (weights_of shared v) l h i j = v (place (inl (ord0, h, inl (inr (i, j))))),
        forall l h i j, WV (weights_of shared v) l h i j = v (place (inl (ord0, h, inr (i, j)))) &
        forall i j, readout_of v i j = v (place (inr (i, j)))].
Proof.
split; first exact: card_params.
exists (fun x => enum_rank (x : param H k d 1 m)) => [|R v]; first exact: enum_rank_bij.
by split=> [l h i j|l h i j|l h i j|i j]; rewrite mxE.
Qed.

(* At every width m >= N, a looped backbone is universal unless a nonzero polynomial
   of degree at most D in the entries of its weight set vanishes (any field).      *)
Theorem looped_generic (F : fieldType) (H : finType) (k L d m : nat) : (N #|H| k L d <= m)%N ->
  exists p : {mpoly F[nparams H k d 1 m]},
  [/\ p != 0, (msize p <= (D #|H| k L d).+1)%N &
      forall v : 'I_(nparams H k d 1 m) -> F, p.@[v] != 0 ->
      forall W : weights F H k d, exists E : 'M[F]_(d, m),
      forall n (attn : attention F H k n) (X : 'M[F]_(n, d)),
        run attn (weights_of shared v) L (X *m E) *m readout_of v = run attn W L X].
Proof. by move=> Nm; apply: SharedLayers.looped_generic. Qed.

(* ---- Residual backbones -------------------------------------------------------- *)

Theorem definition_residual_run (R : ringType) (H : finType) (k n w : nat) (attn : attention R H k n)
    (W : weights R H k w) (l : nat) (X : 'M[R]_(n, w)) :
  residual_run attn W 0 X = X /\
  residual_run attn W l.+1 X =
    let Z := residual_run attn W l X in
    Z + \sum_h attn l h (Z *m WQ W l h) (Z *m WK W l h) *m Z *m WV W l h.
Proof. by []. Qed.

Theorem definition_N_res (h k L d : nat) :
  N_res h k L d = (2 * k * h * (\sum_(l < L) h.+1 ^ l) + d * h.+1 ^ L)%N /\
  D_res h k L d = (2 * k * h * (\sum_(l < L) (h.+1 ^ l + l * h * h.+1 ^ l.-1)) +
                   d * (h.+1 ^ L + L * h * h.+1 ^ L.-1))%N.
Proof.
have degreeE l : skip_degree h l = (h.+1 ^ l + l * h * h.+1 ^ l.-1)%N by case: l => // l; rewrite skip_degreeE.
split; first by rewrite /N_res geometricE.
rewrite /D_res degreeE; congr (_ * _ + _)%N.
by elim: L => [|l IHl]; rewrite ?big_ord0 // big_ord_recr -IHl /= degreeE.
Qed.

(* At every width m >= N_res, a residual backbone with entries 0 and 1 (any ring).  *)
Theorem residual_universality (R : ringType) (H : finType) (k L d m : nat) : (N_res #|H| k L d <= m)%N ->
  exists (P : weights R H k m) (U : 'M[R]_(m, d)),
  [/\ forall l h i j, WQ P l h i j = 0 \/ WQ P l h i j = 1,
      forall l h i j, WK P l h i j = 0 \/ WK P l h i j = 1,
      forall l h i j, WV P l h i j = 0 \/ WV P l h i j = 1,
      forall i j, U i j = 0 \/ U i j = 1 &
      forall W : weights R H k d, exists E : 'M[R]_(d, m),
      forall n (attn : attention R H k n) (X : 'M[R]_(n, d)),
        residual_run attn P L (X *m E) *m U = residual_run attn W L X].
Proof.
move=> /(Residual.residual_universality R)[P [U [Z ZU univ]]].
by exists P, U; split=> // l h; have [] := Z l h.
Qed.

(* At every width m >= N_res, almost every residual backbone (any field).           *)
Theorem residual_generic (F : fieldType) (H : finType) (k L d m : nat) : (N_res #|H| k L d <= m)%N ->
  exists p : {mpoly F[nparams H k d L m]},
  [/\ p != 0, (msize p <= (D_res #|H| k L d).+1)%N &
      forall v : 'I_(nparams H k d L m) -> F, p.@[v] != 0 ->
      forall W : weights F H k d, exists E : 'M[F]_(d, m),
      forall n (attn : attention F H k n) (X : 'M[F]_(n, d)),
        residual_run attn (weights_of (unshared L) v) L (X *m E) *m readout_of v = residual_run attn W L X].
Proof. exact: Residual.residual_generic. Qed.

(* ---- Residual backbones with one weight set for all layers ----------------------- *)

(* Width 2k (H + ... + H^L) + d (1 + H + ... + H^L) or more; the targets have one
   weight set for all layers as well (any ring).                                   *)
Theorem shared_residual_universality (R : ringType) (H : finType) (k L d m : nat) :
  (2 * k * (\sum_(1 <= l < L.+1) #|H| ^ l) + d * (\sum_(l < L.+1) #|H| ^ l) <= m)%N ->
  exists (Q K : H -> 'M[R]_(m, k)) (V : H -> 'M[R]_m) (U : 'M[R]_(m, d)),
  [/\ forall h i j, Q h i j = 0 \/ Q h i j = 1,
      forall h i j, K h i j = 0 \/ K h i j = 1,
      forall h i j, V h i j = 0 \/ V h i j = 1,
      forall i j, U i j = 0 \/ U i j = 1 &
      forall (TQ TK : H -> 'M[R]_(d, k)) (TV : H -> 'M[R]_d), exists E : 'M[R]_(d, m),
      forall n (attn : attention R H k n) (X : 'M[R]_(n, d)),
        residual_run attn (Weights (fun _ => Q) (fun _ => K) (fun _ => V)) L (X *m E) *m U =
        residual_run attn (Weights (fun _ => TQ) (fun _ => TK) (fun _ => TV)) L X].
Proof.
rewrite -powersE -geometricE => /(SharedLayers.shared_residual_universality R)[Q [K [V [U [Z ZU univ]]]]].
by exists Q, K, V, U; split=> // h; have [] := Z h.
Qed.

(* Almost every such backbone, at every width from there on (any field).           *)
Theorem shared_residual_generic (F : fieldType) (H : finType) (k L d m : nat) :
  (2 * k * (\sum_(1 <= l < L.+1) #|H| ^ l) + d * (\sum_(l < L.+1) #|H| ^ l) <= m)%N ->
  exists p : {mpoly F[nparams H k d 1 m]},
  [/\ p != 0,
      (msize p <= ((2 * k * #|H| + d) * (\sum_(l < L) l.+1 * #|H| ^ l) + d * (L.+1 * #|H| ^ L)).+1)%N &
      forall v : 'I_(nparams H k d 1 m) -> F, p.@[v] != 0 ->
      forall (TQ TK : H -> 'M[F]_(d, k)) (TV : H -> 'M[F]_d), exists E : 'M[F]_(d, m),
      forall n (attn : attention F H k n) (X : 'M[F]_(n, d)),
        residual_run attn (weights_of shared v) L (X *m E) *m readout_of v =
        residual_run attn (Weights (fun _ => TQ) (fun _ => TK) (fun _ => TV)) L X].
Proof. by rewrite -powersE -geometricE -weighted_geometricE; apply: SharedLayers.shared_residual_generic. Qed.

(* ---- Targets with biases --------------------------------------------------------- *)

Theorem definition_affine_run (R : ringType) (H : finType) (k n d : nat) (attn : attention R H k n) (W : weights R H k d)
    (bQ bK : nat -> H -> 'rV[R]_k) (bV : nat -> H -> 'rV[R]_d) (l : nat) (X : 'M[R]_(n, d)) :
  affine_run W bQ bK bV attn 0 X = X /\
  affine_run W bQ bK bV attn l.+1 X =
    let Z := affine_run W bQ bK bV attn l X in let ones := const_mx 1 : 'cV[R]_n in
    \sum_h attn l h (Z *m WQ W l h + ones *m bQ l h) (Z *m WK W l h + ones *m bK l h) *m
             (Z *m WV W l h + ones *m bV l h).
Proof. by []. Qed.

(* At every width m >= N, with the number e of outputs in place of d, a 0/1 backbone
   simulates all targets with biases, for all attention functions whose rows sum to 1;
   the input has one column of ones more, and the program one row.  And for all
   embeddings A of tokens and B of positions a program reads the sequence itself: a
   row of O has a 1 among the first v columns, for the token, and one for the position. *)
Theorem affine_universality (R : ringType) (H : finType) (k L e m : nat) (h0 : H) : (N #|H| k L e <= m)%N ->
  exists (P : weights R H k m) (U : 'M[R]_(m, e)),
  [/\ forall l h i j, WQ P l h i j = 0 \/ WQ P l h i j = 1,
      forall l h i j, WK P l h i j = 0 \/ WK P l h i j = 1,
      forall l h i j, WV P l h i j = 0 \/ WV P l h i j = 1,
      forall i j, U i j = 0 \/ U i j = 1 &
      forall d (W : weights R H k d) bQ bK bV (C : 'M[R]_(d, e)) (c : 'rV[R]_e),
      let ones n := const_mx 1 : 'cV[R]_n in
      let rows_sum_to_1 n (attn : attention R H k n) := forall l h Q K, attn l h Q K *m ones n = ones n in
      (exists E : 'M[R]_(d + 1, m),
       forall n (attn : attention R H k n) (X : 'M[R]_(n, d)), rows_sum_to_1 n attn ->
         run attn P L (row_mx X (ones n) *m E) *m U = affine_run W bQ bK bV attn L X *m C + ones n *m c) /\
      (forall v t (A : 'M[R]_(v, d)) (B : 'M[R]_(t, d)), exists E : 'M[R]_(v + t, m),
       forall n (attn : attention R H k n) (O : 'M[R]_(n, v + t)), rows_sum_to_1 n attn -> lsubmx O *m ones v = ones n ->
         run attn P L (O *m E) *m U = affine_run W bQ bK bV attn L (O *m col_mx A B) *m C + ones n *m c)].
Proof.
move=> /(FreeWords.affine_universality R h0)[P [U [Z ZU univ]]].
by exists P, U; split; try (by move=> l h; have [] := Z l h); [exact: ZU | exact: univ].
Qed.

(* Free matrices, which need not be those of a network: letters_of v l a (m x m) for
   each a in A, readers_of v l b (m x c) for each b in B, in the layers l below L, and
   output_of v (m x d).  Each entry is a coordinate of v of its own, and there are no
   others.                                                                         *)
Theorem definition_free_entries (A B : finType) (c d L m : nat) :
  nfree A B c d L m = (L * #|A| * (m * m) + L * #|B| * (m * c) + m * d)%N /\
  exists2 place : 'I_L * A * ('I_m * 'I_m) + 'I_L * B * ('I_m * 'I_c) + 'I_m * 'I_d -> 'I_(nfree A B c d L m),
    bijective place &
    forall (R : ringType) (v : 'I_(nfree A B c d L m) -> R),
    [/\ forall (l : 'I_L) a i j, letters_of v l a i j = v (place (inl (inl (l, a, (i, j))))),
        forall (l : 'I_L) b i j, readers_of v l b i j = v (place (inl (inr (l, b, (i, j))))) &
        forall i j, output_of v i j = v (place (inr (i, j)))].
Proof.
split; first exact: card_free.
exists (fun x => enum_rank (x : free_entry A B c d L m)) => [|R v]; first exact: enum_rank_bij.
by split=> [l a i j|l b i j|i j]; rewrite mxE ?valK.
Qed.

(* So does almost every backbone of width m >= N (any field).                      *)
Theorem affine_generic (F : fieldType) (H : finType) (k L e m : nat) (h0 : H) : (N #|H| k L e <= m)%N ->
  exists p : {mpoly F[nfree H [finType of H * bool] k e L m]}, [/\ p != 0, (msize p <= (D #|H| k L e).+1)%N &
    forall v, p.@[v] != 0 ->
      let P := Weights (fun l h => readers_of v l (h, true)) (fun l h => readers_of v l (h, false)) (letters_of v) in
      forall d (W : weights F H k d) bQ bK bV (C : 'M[F]_(d, e)) (c : 'rV[F]_e),
      let ones n := const_mx 1 : 'cV[F]_n in
      let rows_sum_to_1 n (attn : attention F H k n) := forall l h Q K, attn l h Q K *m ones n = ones n in
      (exists E : 'M[F]_(d + 1, m),
       forall n (attn : attention F H k n) (X : 'M[F]_(n, d)), rows_sum_to_1 n attn ->
         run attn P L (row_mx X (ones n) *m E) *m output_of v = affine_run W bQ bK bV attn L X *m C + ones n *m c) /\
      (forall v' t (A : 'M[F]_(v', d)) (B : 'M[F]_(t, d)), exists E : 'M[F]_(v' + t, m),
       forall n (attn : attention F H k n) (O : 'M[F]_(n, v' + t)), rows_sum_to_1 n attn -> lsubmx O *m ones v' = ones n ->
         run attn P L (O *m E) *m output_of v =
           affine_run W bQ bK bV attn L (O *m col_mx A B) *m C + ones n *m c)].
Proof. exact: FreeWords.affine_generic. Qed.

(* ---- What all theorems of this page assume ---------------------------------- *)

Definition page :=
  (@looped_universality, @definition_shared, @looped_generic, @definition_residual_run,
   @definition_N_res, @residual_universality, @residual_generic, @shared_residual_universality,
   @shared_residual_generic, @definition_affine_run, @affine_universality, @definition_free_entries,
   @affine_generic).
Print Assumptions page.
