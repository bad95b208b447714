(* Lower bounds on the width of a backbone that matches attention.

   Claim.  Let a backbone of head width k <= d match the scores of almost every
   target of width d and head width k, and its outputs through c independent
   read-out columns.  Then its width m satisfies
     (2kd - k^2) (H + H^2 + ... + H^L) + d c H^L <= d m.
   With c = 0 only attention is matched, with c = d all outputs; for k = d the
   bound is m >= d (H + ... + H^L + H^L).  The paper has m >= H^L / 2 for d = k = 1.

   Main results
     almost_every_lower_bound            the claim
     almost_every_attention_lower_bound  c = 0
     outputs_lower_bound                 c = d, if every target of full rank is
                                         matched
     attention_lower_bound               c = 0, likewise
     full_head_width_lower_bound         k = d, for almost every target
     almost_every_full_rank              almost every target has full rank

   Reference: Fixed Universal Transformers (arXiv:2605.31423), Theorem 4.1, sharpened. *)

From mathcomp Require Import all_ssreflect all_algebra zify.
From Symut Require Import Network Slots PathMatching SlotStates SpanningMatrices FamilyRank AlmostEvery GenericFamily.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
      by exists (fun T : entries => usubmx (T a).1.1) => T T' t; rewrite !ffunE linearD linearZ.
    by exists [ffun=> (col_mx 1%:M 0, 0, 0)]; rewrite ffunE col_mxKu unitmx1.
  - apply: almost_every_unit.
      by exists (fun T : entries => usubmx (T a).1.2) => T T' t; rewrite !ffunE linearD linearZ.
    by exists [ffun=> (0, col_mx 1%:M 0, 0)]; rewrite ffunE col_mxKu unitmx1.
  - apply: almost_every_unit; first by exists (fun T : entries => (T a).2) => T T' t; rewrite !ffunE.
    by exists [ffun=> (0, 0, 1%:M)]; rewrite ffunE unitmx1.
apply: almost_everyW => T uT l h lL; have [uQ [uK uV]] := uT (Ordinal lL, h).
by rewrite /= !(by_layerE _ _ lL) !rank_top.
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
End Scores.

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

Lemma bound_of_heads (h0 : H) : (0 < L)%N -> (0 < d)%N -> (#|Z| * powers #|H| L + d * c * #|H| ^ L <= d * m)%N.
Proof.
move=> L0 d0.
pose tauQ x (a : 'I_L * H) : 'M[F]_(d, w) := \matrix_(i, j) power x a.1 a.2 (inl (i, j)).
pose tauK x (a : 'I_L * H) : 'M[F]_(w, e) := \matrix_(i, j) power x a.1 a.2 (inr (i, j)).
have [Q [th [uQ uK uV uB Ath]]] :=
  generic_family h0 (almost_everyI matched (almost_every_full_rank F H w e L)) tauQ tauK.
pose T x s g := assemble tauQ x Q (keys_values h0 tauQ tauK Q x s g th).
pose S x l h : 'M[F]_d := by_layer 0 (fun i =>
  (Q (i, h) + tauQ x (i, h)) *m (col_mx (th.1 (i, h)).1
    (invmx (usubmx (Q (i, h) + tauQ x (i, h))) *m (tauK x (i, h) + (th.1 (i, h)).2))^T)^T) l.
pose v (l : nat) (h : H) (z : Z) : 'rV[F]_d := match z with
  | inl (i, j) => delta_mx 0 i | inr (i, j) => delta_mx 0 (lshift e i) end.
pose u l h (z : Z) : 'cV[F]_d := match z with
  | inl (i, j) => by_layer 0 (fun o => col_mx (invmx (th.1 (o, h)).1^T *m delta_mx j 0) 0) l
  | inr (i, j) => delta_mx (rshift w j) 0 end.
pose cst l h (z : Z) := by_layer 0 (fun o => match z with
  | inl (i, j) => Q (o, h) i j | inr (i, j) => (th.1 (o, h)).2 i j end) l.
pose beta l a h := by_layer 0 (fun o => th.2 (o, a) h) l.
pose delta l b h := by_layer 0 (fun o => dual_value th o b h) l.
apply: (@family_bound F H Z h0 w c d L Mt N t S cst v u _ _ _ _ beta delta _ _ C C_full d0 m (WV P)
  (fun l h r => if r then WQ P l h else WK P l h) U) => //.
- move=> x l h z lL; rewrite /S /cst /u /v !(by_layerE _ _ lL).
  by case: z => [[i j]|[i j]]; rewrite ?(by_layerE _ _ lL) ?score_left // ?score_top // !mxE addrC.
- by move=> x y /eqP; rewrite eqr_nat eqSS => /eqP /val_inj.
- move=> l a b lL; rewrite -(dual_valueP a b (uB (Ordinal lL))).
  by apply: eq_bigr => h _; rewrite /delta /beta !(by_layerE _ _ lL).
- move=> l a lL; rewrite /beta (by_layerE _ _ lL); exact: uV.
move=> s x g sL; have [[E [sE oE]] fT] := Ath x s g sL.
have [D [DS ED]] := scores_force_factors h0 fT sE.
exists E, D; split=> [l h lL|y].
  by rewrite DS //= /S !(by_layerE _ _ lL) !ffunE.
rewrite -[RHS]mul1mx; apply: mul_slot_column => [p h r sp|p sp].
  rewrite add0n ED // mul1mx; congr (_ *m _); apply: eq_pathmx => l a /andP[_ lp].
  have lL : (l < L)%N := leq_trans lp (ltnW sp).
  rewrite /= /word_values /beta !(by_layerE _ _ lL) subn0 !ffunE /=.
  by rewrite ltn_eqF ?mulmx1 // (leq_trans _ sp).
rewrite oE // mul1mx mulmxA; congr (_ *m _).
case/lastP: p sp => [L00|p h]; first by move: (L0); rewrite lt0n -{1}L00.
rewrite size_rcons => sp; rewrite !pathmx_rcons add0n -mulmxA; congr (_ *m _).
  apply: eq_pathmx => l a /andP[_ lp]; have l1 : (l.+1 < L)%N by rewrite -sp ltnS.
  have lL := ltnW l1.
  rewrite /= /word_values /beta !(by_layerE _ _ lL) subn0 !ffunE /=.
  by rewrite ltn_eqF ?mulmx1.
have lL : (size p < L)%N by rewrite -sp.
by rewrite /= /word_values /beta !(by_layerE _ _ lL) subn0 !ffunE /= sp eqxx.
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
have -> : (2 * w * d - w ^ 2 = #|Z|)%N by rewrite card_sum !card_prod !card_ord -mulnn; nia.
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
have -> : (2 * d * d - d ^ 2 = d * d)%N by rewrite -mulnn; nia.
by rewrite -mulnDr -mulnA leq_pmul2l.
Qed.
