(* Lower bounds on the width.

   Parts
     Lower bounds on the width of a backbone that matches attention.
     A target as the vector of its entries, and polynomials in these entries.   *)

From mathcomp Require Import all_ssreflect ssralg ssrnum zmodp matrix mxalgebra poly.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Degree Generic ReadOff FamilyRank GenericFamily.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Lower bounds on the width of a backbone that matches attention.

   Claim.  Let a backbone of head width k <= d match the scores of almost every
   target of width d and head width k, and its outputs through c independent
   read-out columns.  Then its width m satisfies
     (2kd - k^2) (H + H^2 + ... + H^L) + d c H^L <= d m.
   With c = 0 only attention is matched, with c = d all outputs; for k = d the
   bound is m >= d (H + ... + H^L + H^L).  The paper has m >= H^L / 2 for d = k = 1.

   Main definitions
     row_of, column_of      rows and columns between which a score shows one entry
     generic_scores, generic_values, generic_dual
                            of the targets of GenericFamily.v: scores, values, and the
                            dual basis of the values
   Main results
     almost_every_lower_bound            the claim
     almost_every_attention_lower_bound  c = 0
     outputs_lower_bound                 c = d, if every target of full rank is
                                         matched
     attention_lower_bound               c = 0, likewise
     full_head_width_lower_bound         k = d, for almost every target
     almost_every_full_rank              almost every target has full rank

   Reference: Fixed Universal Transformers (arXiv:2605.31423), Theorem 4.1, sharpened. *)

Section FullRank.
Variables (F : numFieldType) (H : finType) (w e L : nat).
Notation d := (w + e)%N.

Lemma rank_top (A : 'M[F]_(d, w)) : usubmx A \in unitmx -> \rank A = w.
Proof.
move=> uA; apply/eqP; rewrite eqn_leq rank_leq_col /= -[X in (X <= _)%N](mxrank_unit uA).
by apply: mxrankS; rewrite -[in X in (_ <= X)%MS](vsubmxK A) -addsmxE addsmxSl.
Qed.

Notation entries := (entries F H w L d).

Lemma almost_every_full_rank : almost_every (fun T : entries => full_rank L (target T)).
Proof.
have: almost_every (fun T : entries => forall a, (usubmx (T a).1.1 \in unitmx) /\
    ((usubmx (T a).1.2 \in unitmx) /\ ((T a).2 \in unitmx))).
  apply: almost_every_forall => a; apply: almost_everyI; last apply: almost_everyI.
  - apply: almost_every_unit.
      exact (affine_map_usubmx (affine_map_fst (affine_map_fst (affine_map_at _ a)))).
    by exists [ffun=> (col_mx 1%:M 0, 0, 0)]; rewrite ffunE col_mxKu unitmx1.
  - apply: almost_every_unit.
      exact (affine_map_usubmx (affine_map_snd (affine_map_fst (affine_map_at _ a)))).
    by exists [ffun=> (0, col_mx 1%:M 0, 0)]; rewrite ffunE col_mxKu unitmx1.
  - apply: almost_every_unit; first exact (affine_map_snd (affine_map_at _ a)).
    by exists [ffun=> (0, 0, 1%:M)]; rewrite ffunE unitmx1.
apply: almost_everyW => T uT l h lL; have [uQ [uK uV]] := uT (Ordinal lL, h).
by rewrite (target_WQ _ _ lL) (target_WK _ _ lL) (target_WV _ _ lL) !rank_top.
Qed.
End FullRank.

(* Entries of the scores A K^T for the keys K of GenericFamily.v. *)
Section Scores.
Variables (F : fieldType) (w e : nat) (A : 'M[F]_(w + e, w)) (K : 'M[F]_w) (B : 'M[F]_(w, e)).
Let S := A *m (col_mx K (invmx (usubmx A) *m B)^T)^T.

Lemma scoresE : S = row_mx (A *m K^T) (A *m (invmx (usubmx A) *m B)).
Proof. by rewrite /S tr_col_mx trmxK mul_mx_row. Qed.

Lemma score_left i j : K \in unitmx ->
  (delta_mx 0 i *m S *m col_mx (invmx K^T *m delta_mx j 0) 0 : 'M_1) 0 0 = A i j.
Proof.
move=> uK; rewrite scoresE -mulmxA mul_row_col mulmx0 addr0 -!mulmxA (mulmxA K^T) mulmxV ?unitmx_tr //.
by rewrite mul1mx mulmxA -rowE -colE !mxE.
Qed.

Lemma score_top i j : usubmx A \in unitmx ->
  (delta_mx 0 (lshift e i) *m S *m delta_mx (rshift w j) 0 : 'M_1) 0 0 = B i j.
Proof.
move=> uA; rewrite scoresE -colE -rowE [LHS]mxE [LHS]mxE row_mxEr -{1}(vsubmxK A).
by rewrite mul_col_mx col_mxEu mulKVmx.
Qed.

(* Both kinds of entries. *)
Definition row_of (z : 'I_(w + e) * 'I_w + 'I_w * 'I_e) : 'rV[F]_(w + e) := match z with
  | inl (i, j) => delta_mx 0 i | inr (i, j) => delta_mx 0 (lshift e i) end.
Definition column_of (z : 'I_(w + e) * 'I_w + 'I_w * 'I_e) : 'cV[F]_(w + e) := match z with
  | inl (i, j) => col_mx (invmx K^T *m delta_mx j 0) 0 | inr (i, j) => delta_mx (rshift w j) 0 end.

Lemma score_entry z : usubmx A \in unitmx -> K \in unitmx ->
  (row_of z *m S *m column_of z) 0 0 = match z with inl (i, j) => A i j | inr (i, j) => B i j end.
Proof. by move=> uA uK; case: z => -[i j]; [apply: score_left | apply: score_top]. Qed.
End Scores.

(* The scores and the values of the targets of GenericFamily.v, and what
   family_bound asks of them: entries of the scores, and a dual basis. *)
Section GenericTargets.
Variables (F : numFieldType) (H : finType) (h0 : H) (w e L Mt : nat).
Notation d := (w + e)%N.
Notation Z := [finType of 'I_d * 'I_w + 'I_w * 'I_e].
Notation heads := [finType of 'I_L * H].
Variables (tauQ : 'I_Mt -> heads -> 'M[F]_(d, w)) (tauK : 'I_Mt -> heads -> 'M[F]_(w, e)).
Variables (Q : {ffun heads -> 'M[F]_(d, w)}) (th : parameters F H w e L).

Definition generic_scores x l h : 'M[F]_d := by_layer 0 (fun i =>
  (Q (i, h) + tauQ x (i, h)) *m (col_mx (th.1 (i, h)).1
    (invmx (usubmx (Q (i, h) + tauQ x (i, h))) *m (tauK x (i, h) + (th.1 (i, h)).2))^T)^T) l.
Definition generic_column l h (z : Z) : 'cV[F]_d := by_layer 0 (fun o => column_of (th.1 (o, h)).1 z) l.
Definition generic_constant l h (z : Z) : F := by_layer 0 (fun o => match z with
  | inl (i, j) => Q (o, h) i j | inr (i, j) => (th.1 (o, h)).2 i j end) l.
Definition generic_values l a h := by_layer 0 (fun o => th.2 (o, a) h) l.
Definition generic_dual l b h := by_layer 0 (fun o => dual_value th o b h) l.

Lemma generic_scoresE x l h z (lL : (l < L)%N) : (forall a, usubmx (Q a + tauQ x a) \in unitmx) ->
  (forall a, (th.1 a).1 \in unitmx) ->
  (row_of F z *m generic_scores x l h *m generic_column l h z) 0 0 = match z with
    | inl (i, j) => tauQ x (Ordinal lL, h) i j | inr (i, j) => tauK x (Ordinal lL, h) i j end + generic_constant l h z.
Proof.
move=> uQ uK; rewrite [generic_scores _ _ _](by_layerE _ _ lL) [generic_column _ _ _](by_layerE _ _ lL).
rewrite [generic_constant _ _ _](by_layerE _ _ lL); apply: etrans (score_entry _ z (uQ _) (uK _)) _.
by case: z => -[i j]; rewrite mxE //; apply: addrC.
Qed.

Lemma generic_dualP l a b : (l < L)%N -> (forall o, value_block th o \in unitmx) ->
  \sum_h generic_dual l b h *m generic_values l a h = (a == b)%:R%:M.
Proof.
move=> lL uB; rewrite -(dual_valueP a b (uB (Ordinal lL))); apply: eq_bigr => h _.
by rewrite /generic_dual /generic_values !(by_layerE _ _ lL).
Qed.

Notation generic_target x s g := (target (assemble tauQ x Q (keys_values h0 tauQ tauK Q x s g th))).

Lemma generic_target_scores x s g l h : (l < L)%N ->
  WQ (generic_target x s g) l h *m (WK (generic_target x s g) l h)^T = generic_scores x l h.
Proof.
move=> lL; rewrite (target_WQ _ _ lL) (target_WK _ _ lL) ffunE /= ffunE.
by apply/esym; apply: by_layerE.
Qed.

Lemma generic_target_values x s g l h : (l < L)%N -> WV (generic_target x s g) l h =
  generic_values l (nth h0 s l) h *m (if l.+1 == L then gamma F g else 1%:M).
Proof.
move=> lL; rewrite (target_WV _ _ lL) ffunE /= ffunE; congr (_ *m _).
by apply/esym; apply: by_layerE.
Qed.
End GenericTargets.

Section LowerBound.
Variables (F : numFieldType) (H : finType) (w e c L m : nat).
Notation d := (w + e)%N.
Variables (P : weights F H w m) (U : 'M[F]_(m, c)) (C : 'M[F]_(d, c)).
Hypothesis C_full : row_full C.
Hypothesis matched : almost_every (fun T : entries F H w L d =>
  exists E, scores_match L (target T) P E /\ outputs_match L (target T) P E U C).

Notation Z := [finType of 'I_d * 'I_w + 'I_w * 'I_e].
Notation HZ := [finType of H * Z].
Let n := (L * #|HZ|)%N.
Let N := ((2 * n).+1 ^ n)%N.
Let Mt := (N ^ n)%N.
Let t (x : 'I_Mt) : F := x.+1%:R.
Let power x l (h : H) (z : Z) : F := t x ^+ (N ^ ((L - l.+1) * #|HZ| + enum_rank (h, z))).

(* The bound from scores S, values beta and targets W that have them. *)
Lemma bound_of_targets (h0 : H) (S : 'I_Mt -> nat -> H -> 'M[F]_d) (v : nat -> H -> Z -> 'rV_d)
    (u : nat -> H -> Z -> 'cV_d) cst (beta delta : nat -> H -> H -> 'M[F]_d) : (0 < L)%N -> (0 < d)%N ->
  (forall x l h z, (l < L)%N -> (v l h z *m S x l h *m u l h z) 0 0 = power x l h z + cst l h z) ->
  (forall l a b, (l < L)%N -> \sum_h delta l b h *m beta l a h = (a == b)%:R%:M) ->
  (forall l a, (l < L)%N -> beta l a h0 \in unitmx) ->
  (forall s x g, size s = L -> exists W : weights F H w d,
    [/\ (exists E, scores_match L W P E /\ outputs_match L W P E U C) /\ full_rank L W,
        forall l h, (l < L)%N -> WQ W l h *m (WK W l h)^T = S x l h &
        forall l h, (l < L)%N ->
          WV W l h = beta l (nth h0 s l) h *m (if l.+1 == L then gamma F g else 1%:M)]) ->
  (#|Z| * powers #|H| L + d * c * #|H| ^ L <= d * m)%N.
Proof.
move=> L0 d0 vSu dual uV targets.
apply: (@family_bound F H Z h0 w c d L Mt N t S cst v u vSu _ _ _ beta delta dual uV C C_full d0 m (WV P)
  (fun l h r => if r then WQ P l h else WK P l h) U) => //.
  by move=> x y /eqP; rewrite eqr_nat eqSS => /eqP /val_inj.
move=> s x g sL; have [W [[[E [sE oE]] fT] WS WVE]] := targets s x g sL.
have [D [DS ED]] := scores_force_factors h0 fT sE.
exists E, D; split=> [l h lL|y]; first by rewrite DS // WS.
rewrite -[RHS]mul1mx; apply: mul_slot_column => [p h r sp|p sp].
  rewrite add0n ED // mul1mx; congr (_ *m _); apply: eq_pathmx => l a /andP[_ lp].
  by rewrite WVE ?(ltn_trans lp) // ltn_eqF ?(leq_ltn_trans lp) // mulmx1 /word_values subn0.
rewrite oE // mul1mx mulmxA; congr (_ *m _).
case/lastP: p sp => [L00|p h]; first by move: (L0); rewrite lt0n -{1}L00.
rewrite size_rcons => sp; rewrite !pathmx_rcons add0n -mulmxA; congr (_ *m _).
  apply: eq_pathmx => l a /andP[_ lp]; have l1 : (l.+1 < L)%N by rewrite -sp ltnS.
  by rewrite WVE ?(ltnW l1) // ltn_eqF // mulmx1 /word_values subn0.
by rewrite WVE -sp // eqxx /word_values subn0.
Qed.

Lemma bound_of_family (h0 : H) (A : entries F H w L d -> Prop) (tauQ : 'I_Mt -> 'I_L * H -> 'M[F]_(d, w))
    (tauK : 'I_Mt -> 'I_L * H -> 'M[F]_(w, e)) : (0 < L)%N -> (0 < d)%N ->
  (forall x a i j, tauQ x a i j = power x a.1 a.2 (inl (i, j))) ->
  (forall x a i j, tauK x a i j = power x a.1 a.2 (inr (i, j))) ->
  (forall T, A T ->
    (exists E, scores_match L (target T) P E /\ outputs_match L (target T) P E U C) /\ full_rank L (target T)) ->
  almost_every A -> (#|Z| * powers #|H| L + d * c * #|H| ^ L <= d * m)%N.
Proof.
move=> L0 d0 tauQE tauKE Amatch aA; elim: (generic_family h0 aA tauQ tauK) => Q.
elim=> th; elim=> uQ uK uV uB Ath.
apply: (@bound_of_targets h0 (generic_scores tauQ tauK Q th) (fun _ _ => @row_of F w e) (generic_column th)
  (generic_constant Q th) (generic_values th) (generic_dual th) L0 d0) => [x l h z lL|l a b lL||].
- by rewrite (generic_scoresE _ _ _ lL (uQ x) uK); case: z => -[i j]; rewrite ?tauQE ?tauKE.
- exact (generic_dualP _ _ lL uB).
- by move=> l a lL; rewrite /generic_values (by_layerE _ _ lL); apply: uV.
move=> s x g sL; exists (target (assemble tauQ x Q (keys_values h0 tauQ tauK Q x s g th))).
split; [exact: Amatch (Ath x s g sL) | exact: generic_target_scores | exact: generic_target_values].
Qed.

Lemma bound_of_heads (h0 : H) : (0 < L)%N -> (0 < d)%N -> (#|Z| * powers #|H| L + d * c * #|H| ^ L <= d * m)%N.
Proof.
move=> L0 d0; pose tauQ x (a : 'I_L * H) : 'M[F]_(d, w) := \matrix_(i, j) power x a.1 a.2 (inl (i, j)).
pose tauK x (a : 'I_L * H) : 'M[F]_(w, e) := \matrix_(i, j) power x a.1 a.2 (inr (i, j)).
by apply: (@bound_of_family h0 _ tauQ tauK _ _ _ _ _ (almost_everyI matched (almost_every_full_rank F H w e L))) =>
  // x a i j; rewrite mxE.
Qed.

(* Without layers the read-out alone decides. *)
Lemma bound_without_layers : L = 0%N -> (c <= m)%N.
Proof.
have [T [E [_ oE]]] := almost_every_exists matched => L0.
have := oE [::] (esym L0); rewrite /= mulmx1 mul1mx => EU.
by rewrite -(eqP C_full) -EU (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
Qed.

Lemma split_lower_bound : ((2 * w * d - w ^ 2) * powers #|H| L + d * c * #|H| ^ L <= d * m)%N.
Proof.
case: (posnP d) => [d0 | d0].
  have w0 : w = 0%N by apply/eqP; move/eqP: d0; rewrite addn_eq0 => /andP[].
  by rewrite d0 w0.
case: (posnP L) => [L0 | L0].
  by rewrite L0 muln0 muln1 leq_pmul2l // bound_without_layers.
case: (posnP #|H|) => [H0|/card_gt0P [h0 _]].
  have -> : powers #|H| L = 0%N by rewrite H0; elim: (L) => //= l ->; rewrite exp0n.
  by rewrite H0 exp0n // !muln0.
have -> : (2 * w * d - w ^ 2 = #|Z|)%N.
  by rewrite card_sum !card_prod !card_ord -mulnn -mulnA mul2n -addnn -addnBA ?leq_mul2l ?leq_addr ?orbT //;
     rewrite -mulnBr addKn [(w * d)%N]mulnC.
exact: bound_of_heads.
Qed.
End LowerBound.

Section Statements.
Variables (F : numFieldType) (H : finType) (k d L m : nat).
Hypothesis kd : (k <= d)%N.
Variable P : weights F H k m.

Theorem almost_every_lower_bound c (U : 'M[F]_(m, c)) (C : 'M[F]_(d, c)) : row_full C ->
  almost_every (fun T : entries F H k L d =>
    exists E, scores_match L (target T) P E /\ outputs_match L (target T) P E U C) ->
  ((2 * k * d - k ^ 2) * powers #|H| L + d * c * #|H| ^ L <= d * m)%N.
Proof.
have [e dE] : exists e, d = (k + e)%N by exists (d - k)%N; rewrite subnKC.
subst d; exact: split_lower_bound.
Qed.

Lemma almost_every_of_full_rank (A : weights F H k d -> Prop) :
  (forall W, full_rank L W -> A W) -> almost_every (fun T : entries F H k L d => A (target T)).
Proof.
have [e dE] : exists e, d = (k + e)%N by exists (d - k)%N; rewrite subnKC.
by subst d; move=> AW; apply: almost_everyW (almost_every_full_rank F H k e L) => T; apply: AW.
Qed.

Theorem outputs_lower_bound (U : 'M[F]_(m, d)) : matches_attention_and_outputs k L P U ->
  ((2 * k * d - k ^ 2) * powers #|H| L + d ^ 2 * #|H| ^ L <= d * m)%N.
Proof.
move=> mP; rewrite -mulnn; apply: (almost_every_lower_bound (U := U) (C := 1%:M)).
  by rewrite row_full_unit unitmx1.
exact: almost_every_of_full_rank mP.
Qed.

Theorem almost_every_attention_lower_bound :
  almost_every (fun T : entries F H k L d => exists E, scores_match L (target T) P E) ->
  ((2 * k * d - k ^ 2) * powers #|H| L <= d * m)%N.
Proof.
move=> mP; have := @almost_every_lower_bound 0 0 0; rewrite muln0 addn0; apply; first by rewrite /row_full mxrank0.
apply: almost_everyW mP => T [E sE]; exists E; split=> // p _.
by apply/matrixP => i [].
Qed.

Theorem attention_lower_bound : matches_attention k L d P ->
  ((2 * k * d - k ^ 2) * powers #|H| L <= d * m)%N.
Proof.
move=> mP; apply: almost_every_attention_lower_bound.
exact: (@almost_every_of_full_rank (fun W => exists E, scores_match L W P E)).
Qed.
End Statements.

(* Head width d: the read-off width. *)
Theorem full_head_width_lower_bound (F : numFieldType) (H : finType) (d L m : nat)
    (P : weights F H d m) (U : 'M[F]_(m, d)) :
  almost_every (fun T : entries F H d L d =>
    exists E, scores_match L (target T) P E /\ outputs_match L (target T) P E U 1%:M) ->
  (d * (powers #|H| L + #|H| ^ L) <= m)%N.
Proof.
move=> aP; case: (posnP d) => [d0 | d0]; first by rewrite [X in (X * _)%N]d0.
have := almost_every_lower_bound (leqnn d) (C := 1%:M) _ aP; rewrite row_full_unit unitmx1 => /(_ isT).
have -> : (2 * d * d - d ^ 2 = d * d)%N by rewrite -mulnn -mulnA mul2n -addnn addnK.
by rewrite -mulnDr -mulnA leq_pmul2l.
Qed.

(* A target as the vector of its entries, and polynomials in these entries.

   Claim.  A nonzero polynomial in the entries of a target does not vanish at
   almost every target, in the sense of GenericFamily.v.

   Main definitions
     nentries H k L d    the number of entries of a target
     target_of v         the target with the vector v of entries
     vector_of T         the vector of T
   Main results
     almost_every_nonzero         the claim
     almost_every_of_polynomial   what holds outside the zeros of a polynomial
                                  holds for almost every target

   Reference: textbook. *)

Section Vectors.
Variables (F : numFieldType) (H : finType) (k L d : nat).

(* the number of entries of a target: those of a network without read-out *)
Definition nentries : nat := nparams H k 0 L d.
Definition target_of (v : 'I_nentries -> F) : weights F H k d := weights_of (unshared L) v.
Definition vector_of (T : entries F H k L d) : 'I_nentries -> F :=
  params_of (@nat_of_ord L) (target T) (0 : 'M[F]_(d, 0)).

Lemma target_of_vector T : eq_below L (target_of (vector_of T)) (target T).
Proof. exact/weights_params/unshared_ties. Qed.

Lemma vector_line T T' t i : vector_of (T + t *: T') i = vector_of T i + t * vector_of T' i.
Proof.
rewrite /vector_of /params_of; case: (enum_val i) => [[[l h] s]|[a b]]; last by rewrite !mxE mulr0 addr0.
have lL := ltn_ord l.
by case: s => [[[a b]|[a b]]|[a b]]; rewrite ?(target_WQ, target_WK, target_WV) ffun_line [LHS]mxE [X in _ + X]mxE.
Qed.

Lemma vector_onto (v : 'I_nentries -> F) : exists T, vector_of T =1 v.
Proof.
pose W := target_of v.
exists [ffun a : 'I_L * H => (WQ W a.1 a.2, WK W a.1 a.2, WV W a.1 a.2)] => i.
rewrite /vector_of /params_of -[in RHS](enum_valK i); case: (enum_val i) => [[[l h] s]|[a []]] //.
have lL := ltn_ord l.
have scalarE s' : scalar_of (unshared L) v l s'.1 s'.2 = v (enum_rank (inl (l, s'.1, s'.2) : param H k 0 L d)).
  by rewrite /scalar_of /unshared valK.
have lE : Ordinal lL = l by apply: val_inj.
by case: s => [[[a b]|[a b]]|[a b]]; rewrite /= (by_layerE _ _ lL) lE ffunE mxE (scalarE (h, _)).
Qed.

Theorem almost_every_nonzero (p : {mpoly F[nentries]}) : p != 0 ->
  almost_every (fun T : entries F H k L d => p.@[vector_of T] != 0).
Proof.
move=> p0; exists (fun T => p.@[vector_of T]); split=> // [T T'|].
  exists (\sum_(m <- msupp p) (p@_m)%:P * \prod_i ((vector_of T i)%:P + (vector_of T' i) *: 'X) ^+ m i) => t.
  rewrite mevalE horner_sum; apply: eq_bigr => m _; rewrite hornerM hornerC horner_prod; congr (_ * _).
  by apply: eq_bigr => i _; rewrite horner_exp vector_line !hornerE mulrC.
have [v pv] := nonzero_point p0; have [T Tv] := vector_onto v; exists T.
by rewrite (meval_eq _ Tv).
Qed.

(* What holds for all targets outside the zero set of p holds for almost every target. *)
Lemma almost_every_of_polynomial (A : weights F H k d -> Prop) (p : {mpoly F[nentries]}) :
  (forall W W', eq_below L W W' -> A W -> A W') -> p != 0 -> (forall v, p.@[v] != 0 -> A (target_of v)) ->
  almost_every (fun T : entries F H k L d => A (target T)).
Proof.
move=> eA p0 pA; apply: almost_everyW (almost_every_nonzero p0) => T /pA.
exact: eA (target_of_vector T).
Qed.
End Vectors.
