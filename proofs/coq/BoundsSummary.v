(* Lower bounds and exact least widths, in full, and what the theorems rest on.

   Continues Summary.v, which restates run and pathmx.  H is the set of heads, L the
   depth, d the width of a target, k the width of a head, m the width of a backbone.
   Throughout, powers h L = h + h^2 + ... + h^L.  The paper's Theorem 4.1 has
   m >= h^L / 2.                                                                 *)

From mathcomp Require Import all_ssreflect ssralg ssrnum zmodp matrix mxalgebra poly.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Generic SharedKeys ReadOff GenericFamily LowerBounds ExactWidths.
From Symut Require Import NetworkBounds.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---- Definitions ----------------------------------------------------------- *)

Theorem definition_powers (h L : nat) : powers h L = (\sum_(1 <= l < L.+1) h ^ l)%N.
Proof. exact: powersE. Qed.

(* Scores and outputs match path by path.  Head widths of target (k) and backbone (b)
   may differ.                                                                    *)
Theorem definition_matching (F : fieldType) (H : finType) (k b L d m : nat) (W : weights F H k d) (P : weights F H b m)
    (E : 'M[F]_(d, m)) (U : 'M[F]_(m, d)) :
  (scores_match L W P E <-> forall p p' h, (size p < L)%N -> size p' = size p ->
    E *m pathmx (WV P) 0 p *m WQ P (size p) h *m (E *m pathmx (WV P) 0 p' *m WK P (size p) h)^T =
    pathmx (WV W) 0 p *m WQ W (size p) h *m (pathmx (WV W) 0 p' *m WK W (size p) h)^T) /\
  (outputs_match L W P E U 1%:M <-> forall p, size p = L ->
    E *m pathmx (WV P) 0 p *m U = pathmx (WV W) 0 p *m 1%:M).
Proof. by []. Qed.

(* Targets of full rank; at d = k = 1 these are the targets without zeros.        *)
Theorem definition_full_rank (F : fieldType) (H : finType) (k L d : nat) (W : weights F H k d) :
  full_rank L W <-> forall l h, (l < L)%N -> [/\ \rank (WQ W l h) = k, \rank (WK W l h) = k & WV W l h \in unitmx].
Proof. by []. Qed.

(* Equal outputs for all attention functions of the scores.                       *)
Theorem definition_simulates_scores (R : comRingType) (H : finType) (L k b d m : nat) (W : weights R H k d)
    (P : weights R H b m) (U : 'M[R]_(m, d)) (E : 'M[R]_(d, m)) :
  simulates_scores L W P U E <-> forall n (a : nat -> H -> 'M[R]_n -> 'M[R]_n) (X : 'M[R]_(n, d)),
    run (fun l h Q K => a l h (Q *m K^T)) P L (X *m E) *m U = run (fun l h Q K => a l h (Q *m K^T)) W L X.
Proof. by []. Qed.

(* A target is a vector of its entries: each is a coordinate of its own, and there are
   no others.                                                                     *)
Theorem definition_target_of (H : finType) (k L d : nat) :
  nentries H k L d = (L * #|H| * (2 * (d * k) + d * d))%N /\
  exists2 place : 'I_L * H * ('I_d * 'I_k + 'I_d * 'I_k + 'I_d * 'I_d) -> 'I_(nentries H k L d),
    injective place &
    forall (F : numFieldType) (v : 'I_(nentries H k L d) -> F) (l : 'I_L) h,
    [/\ forall i j, WQ (target_of v) l h i j = v (place (l, h, inl (inl (i, j)))),
        forall i j, WK (target_of v) l h i j = v (place (l, h, inl (inr (i, j)))) &
        forall i j, WV (target_of v) l h i j = v (place (l, h, inr (i, j)))].
Proof.
split; first by rewrite /nentries card_params muln0 addn0.
exists (fun x => enum_rank (inl x : param H k 0 L d)) => [x y /enum_rank_inj[] //|F v l h].
by split=> i j; rewrite mxE /scalar_of /unshared valK.
Qed.

(* Almost every target, T : {ffun 'I_L * H -> 'M_(d, k) * 'M_(d, k) * 'M_d} being the
   entries of target T.                                                           *)
Theorem definition_almost_every (F : numFieldType) (H : finType) (k L d : nat) (A : weights F H k d -> Prop) :
  almost_every (fun T : entries F H k L d => A (target T)) <->
  exists f : entries F H k L d -> F,
  [/\ forall T T', exists q : {poly F}, forall t, f (T + t *: T') = q.[t],
      exists T, f T != 0 & forall T, f T != 0 -> A (target T)].
Proof. by []. Qed.

Theorem definition_target (F : fieldType) (H : finType) (k L d : nat) (T : entries F H k L d) (l : 'I_L) (h : H) :
  T (l, h) = (WQ (target T) l h, WK (target T) l h, WV (target T) l h).
Proof.
rewrite /= !(by_layerE _ _ (ltn_ord l)) (_ : Ordinal _ = l); last exact: val_inj.
by case: (T (l, h)) => [[]].
Qed.

(* ---- Matching path by path -------------------------------------------------- *)

(* Attention and outputs, every target of full rank.                              *)
Theorem outputs_lower_bound (F : numFieldType) (H : finType) (k d L m : nat) (P : weights F H k m) (U : 'M[F]_(m, d)) :
  (k <= d)%N ->
  (forall W : weights F H k d, full_rank L W -> exists E, scores_match L W P E /\ outputs_match L W P E U 1%:M) ->
  ((2 * k * d - k ^ 2) * powers #|H| L + d ^ 2 * #|H| ^ L <= d * m)%N.
Proof. by move=> kd; apply: LowerBounds.outputs_lower_bound. Qed.

(* Attention alone, every target of full rank.                                    *)
Theorem attention_lower_bound (F : numFieldType) (H : finType) (k d L m : nat) (P : weights F H k m) :
  (k <= d)%N ->
  (forall W : weights F H k d, full_rank L W -> exists E, scores_match L W P E) ->
  ((2 * k * d - k ^ 2) * powers #|H| L <= d * m)%N.
Proof. by move=> kd; apply: LowerBounds.attention_lower_bound. Qed.

(* Attention alone, every target outside the zeros of one nonzero polynomial.     *)
Theorem attention_lower_bound_outside (F : numFieldType) (H : finType) (k d L m : nat)
    (p : {mpoly F[nentries H k L d]}) (P : weights F H k m) :
  (k <= d)%N -> p != 0 ->
  (forall v, p.@[v] != 0 -> exists E, scores_match L (target_of v) P E) ->
  ((2 * k * d - k ^ 2) * powers #|H| L <= d * m)%N.
Proof. exact: NetworkBounds.attention_lower_bound_outside. Qed.

(* Upper bound: keys read off the outputs; values of one head invertible.         *)
Theorem readoff_upper_bound (F : fieldType) (H : finType) (h0 : H) (L d : nat) :
  exists (P : weights F H d (d * (powers #|H| L + #|H| ^ L))) (U : 'M[F]_(d * (powers #|H| L + #|H| ^ L), d)),
  forall k (W : weights F H k d), (forall l, (l < L)%N -> WV W l h0 \in unitmx) ->
  exists E, scores_match L W P E /\ outputs_match L W P E U 1%:M.
Proof. exact: ReadOff.readoff_upper_bound. Qed.

(* ---- Exact least widths ------------------------------------------------------ *)

(* Attention and outputs, head width d.                                           *)
Theorem exact_output_width_full (F : numFieldType) (H : finType) (h0 : H) (L d : nat) :
  let suffices m := exists (P : weights F H d m) (U : 'M[F]_(m, d)), forall W : weights F H d d, full_rank L W ->
    exists E, scores_match L W P E /\ outputs_match L W P E U 1%:M in
  suffices (d * (powers #|H| L + #|H| ^ L))%N /\ forall m, suffices m -> (d * (powers #|H| L + #|H| ^ L) <= m)%N.
Proof. exact: ExactWidths.exact_output_width_full. Qed.

(* The same for d = k = 1.                                                        *)
Theorem exact_output_width (F : numFieldType) (H : finType) (h0 : H) (L : nat) :
  let suffices m := exists (P : weights F H 1 m) (U : 'M[F]_(m, 1)), forall W : weights F H 1 1, full_rank L W ->
    exists E, scores_match L W P E /\ outputs_match L W P E U 1%:M in
  suffices (powers #|H| L + #|H| ^ L)%N /\ forall m, suffices m -> (powers #|H| L + #|H| ^ L <= m)%N.
Proof. exact: ExactWidths.exact_output_width. Qed.

(* Attention alone, d = k = 1, over a real closed field (the reals).              *)
Theorem exact_attention_width (F : rcfType) (H : finType) (h0 : H) (L : nat) :
  let suffices m := exists P : weights F H 1 m, forall W : weights F H 1 1, full_rank L W ->
    exists E, scores_match L W P E in
  let width := (if (#|H| == 1%N) && (L == 1%N) then 2 else powers #|H| L)%N in
  suffices width /\ forall m, suffices m -> (width <= m)%N.
Proof. exact: ExactWidths.exact_attention_width. Qed.

(* ---- Networks ---------------------------------------------------------------- *)

(* For attention functions of the scores, simulation is path matching.            *)
Theorem simulation_iff_matching (F : fieldType) (H : finType) (L k b d m : nat)
    (W : weights F H k d) (P : weights F H b m) (U : 'M[F]_(m, d)) (E : 'M[F]_(d, m)) :
  (forall l h, (l < L)%N -> WV W l h \in unitmx) ->
  simulates_scores L W P U E <-> scores_match L W P E /\ outputs_match L W P E U 1%:M.
Proof. exact: NetworkBounds.simulation_iff_matching. Qed.

(* The lower bound for networks, outside the zeros of one nonzero polynomial.      *)
Theorem score_attention_lower_bound (F : numFieldType) (H : finType) (k d L m : nat)
    (p : {mpoly F[nentries H k L d]}) (P : weights F H k m) (U : 'M[F]_(m, d)) :
  (k <= d)%N -> p != 0 ->
  (forall v, p.@[v] != 0 -> exists E, simulates_scores L (target_of v) P U E) ->
  ((2 * k * d - k ^ 2) * powers #|H| L + d ^ 2 * #|H| ^ L <= d * m)%N.
Proof. exact: NetworkBounds.score_attention_lower_bound_outside. Qed.

(* The least width at which almost every target of head width d is simulated.     *)
Theorem exact_score_attention_width (F : numFieldType) (H : finType) (h0 : H) (L d : nat) :
  let suffices m := exists (P : weights F H d m) (U : 'M[F]_(m, d)),
    almost_every (fun T : entries F H d L d => exists E, simulates_scores L (target T) P U E) in
  suffices (d * (powers #|H| L + #|H| ^ L))%N /\ forall m, suffices m -> (d * (powers #|H| L + #|H| ^ L) <= m)%N.
Proof. exact: NetworkBounds.exact_score_attention_width. Qed.

(* ---- What all theorems of this page assume ---------------------------------- *)

Definition page :=
  (@definition_powers, @definition_matching, @definition_full_rank, @definition_simulates_scores,
   @definition_target_of, @definition_almost_every, @definition_target, @outputs_lower_bound,
   @attention_lower_bound, @attention_lower_bound_outside, @readoff_upper_bound,
   @exact_output_width_full, @exact_output_width, @exact_attention_width,
   @simulation_iff_matching, @score_attention_lower_bound, @exact_score_attention_width).
Print Assumptions page.
