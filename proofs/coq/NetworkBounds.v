(* From networks to path matching, and back.

   Parts
     Simulation by attention functions of the scores is path matching.
     The width of networks whose attention depends on the scores only.   *)

From mathcomp Require Import all_ssreflect ssralg ssrnum zmodp matrix mxalgebra.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network SharedKeys ReadOff GenericFamily LowerBounds ExactWidths.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Simulation by attention functions of the scores is path matching.

   Claim.  If scores and outputs match path by path, the backbone computes the
   target for all attention functions of the scores.  Conversely, if it does and
   the values of the target are invertible, they match.  The probe for the second
   claim has two tokens, which follow the paths p and p'; one head of layer l
   passes if the score of the two tokens is the backbone's, and no other does.

   Attention functions of the scores and of_scores are defined in SharedKeys.v.

   Main definitions
     simulates_scores L W P U E   equal outputs for all lengths, inputs and
                                  attention functions of the scores
     diagonal_attention c         attention matrices that are diagonal
   Main results
     score_matching_suffices      the first claim
     probes_force_outputs, probes_force_scores   the second claim

   Reference: Fixed Universal Transformers (arXiv:2605.31423), path matching. *)

Section Definitions.
Variables (R : comRingType) (H : finType).

Definition simulates_scores L k b d m (W : weights R H k d) (P : weights R H b m)
    (U : 'M[R]_(m, d)) (E : 'M[R]_(d, m)) : Prop :=
  forall n (a : score_attention R H n) (X : 'M[R]_(n, d)),
    run (@of_scores _ _ n a b) P L (X *m E) *m U = run (@of_scores _ _ n a k) W L X.
End Definitions.

Section Sufficiency.
Variables (F : fieldType) (H : finType) (L k b d m : nat).
Variables (W : weights F H k d) (P : weights F H b m) (U : 'M[F]_(m, d)) (E : 'M[F]_(d, m)).
Hypotheses (sE : scores_match L W P E) (oE : outputs_match L W P E U 1%:M).
Variables (n : nat) (a : score_attention F H n) (X : 'M[F]_(n, d)).
Notation Z l := (run (@of_scores _ _ n a b) P l (X *m E)).
Notation Y l := (run (@of_scores _ _ n a k) W l X).

(* What agrees on all pairs of paths agrees on the states. *)
Lemma products_match l : (l <= L)%N -> forall c c' (B1 B2 : 'M[F]_(m, c)) (C1 C2 : 'M[F]_(d, c')),
  (forall p p', size p = l -> size p' = l ->
    E *m pathmx (WV P) 0 p *m B1 *m (E *m pathmx (WV P) 0 p' *m B2)^T =
    pathmx (WV W) 0 p *m C1 *m (pathmx (WV W) 0 p' *m C2)^T) ->
  Z l *m B1 *m (Z l *m B2)^T = Y l *m C1 *m (Y l *m C2)^T.
Proof.
elim: l => [|l IH] lL c c' B1 B2 C1 C2 eBC.
  have := eBC [::] [::] erefl erefl; rewrite /= !mulmx1 !mul1mx => e0.
  have pull q (S T : 'M[F]_(d, q)) : X *m S *m (X *m T)^T = X *m (S *m T^T) *m X^T by rewrite trmx_mul !mulmxA.
  by rewrite -![X *m E *m _]mulmxA !pull e0.
have scores h : a l h (Z l *m WQ P l h *m (Z l *m WK P l h)^T) = a l h (Y l *m WQ W l h *m (Y l *m WK W l h)^T).
  congr (a _ _ _); apply: IH => [|p p' sp sp']; first exact: ltnW.
  by have := sE h (p := p) (p' := p'); rewrite sp sp'; apply.
have tr_sum q (f : H -> 'M[F]_(n, q)) : (\sum_g f g)^T = \sum_g (f g)^T by rewrite linear_sum.
rewrite /= /of_scores !mulmx_suml; apply: eq_bigr => h _.
rewrite !tr_sum !mulmx_sumr; apply: eq_bigr => g _; rewrite !scores.
set A := a l h _; set A' := a l g _.
have move_A q q' (S : 'M[F]_(n, q)) V V' (T T' : 'M[F]_(q, q')) :
    A *m S *m V *m T *m (A' *m S *m V' *m T')^T = A *m (S *m (V *m T) *m (S *m (V' *m T'))^T) *m A'^T.
  by rewrite !trmx_mul !mulmxA.
rewrite !move_A; congr (_ *m _ *m _); apply: IH => [|p p' sp sp']; first exact: ltnW.
have := eBC (rcons p h) (rcons p' g); rewrite !size_rcons sp sp' !pathmx_rcons !add0n sp sp' => /(_ erefl erefl).
by rewrite !mulmxA.
Qed.

Lemma outputs_of_scores : Z L *m U = Y L.
Proof.
suff gen l c (B : 'M[F]_(m, c)) (C : 'M[F]_(d, c)) : (l <= L)%N ->
    (forall p, size p = l -> E *m pathmx (WV P) 0 p *m B = pathmx (WV W) 0 p *m C) -> Z l *m B = Y l *m C.
  by rewrite (gen L _ U 1%:M) ?mulmx1 // => p; apply: oE.
elim: l c B C => [|l IH] c B C lL eBC.
  by have := eBC [::] erefl; rewrite /= mulmx1 mul1mx -mulmxA => ->.
rewrite /= /of_scores !mulmx_suml; apply: eq_bigr => h _.
have -> : Z l *m WQ P l h *m (Z l *m WK P l h)^T = Y l *m WQ W l h *m (Y l *m WK W l h)^T.
  apply: products_match => [|p p' sp sp']; first exact: ltnW.
  by have := sE h (p := p) (p' := p'); rewrite sp sp'; apply.
rewrite -!mulmxA; congr (_ *m _); apply: IH => [|p sp]; first exact: ltnW.
by have := eBC (rcons p h); rewrite size_rcons sp !pathmx_rcons add0n sp -!mulmxA; apply.
Qed.
End Sufficiency.

Theorem score_matching_suffices (F : fieldType) (H : finType) L k b d m
    (W : weights F H k d) (P : weights F H b m) (U : 'M[F]_(m, d)) (E : 'M[F]_(d, m)) :
  scores_match L W P E -> outputs_match L W P E U 1%:M -> simulates_scores L W P U E.
Proof. by move=> sE oE n a X; apply: outputs_of_scores. Qed.

Section Probes.
Variables (F : fieldType) (H : finType) (h0 : H).

(* Diagonal attention: row r of head g in layer i is scaled by c i g r (scores). *)
Definition diagonal_attention n (c : nat -> H -> 'M[F]_n -> 'rV[F]_n) : score_attention F H n :=
  fun i g S => diag_mx (c i g S).

Section Row.
Variables (n k w : nat) (c : nat -> H -> 'M[F]_n -> 'rV[F]_n) (W : weights F H k w) (X : 'M[F]_(n, w)) (r : 'I_n).
Notation Z l := (run (@of_scores _ _ n (diagonal_attention c) k) W l X).
Notation scores i g := (Z i *m WQ W i g *m (Z i *m WK W i g)^T).

Lemma row_diagonal l : row r (Z l.+1) = \sum_g c l g (scores l g) 0 r *: (row r (Z l) *m WV W l g).
Proof.
rewrite [Z _]/= linear_sum /=; apply: eq_bigr => g _; rewrite /of_scores /diagonal_attention.
by rewrite !row_mul row_diag_mx -!scalemxAl -rowE.
Qed.

Lemma row_follows p l : (l <= size p)%N ->
  (forall i g, (i < l)%N -> c i g (scores i g) 0 r = (nth h0 p i == g)%:R) ->
  row r (Z l) = row r X *m pathmx (WV W) 0 (take l p).
Proof.
elim: l => [|l IH] lp cE; first by rewrite take0 mulmx1.
rewrite row_diagonal (bigD1 (nth h0 p l)) //= big1 => [|g /negbTE ng]; last by rewrite cE // eq_sym ng scale0r.
rewrite addr0 cE // eqxx scale1r IH ?(ltnW lp) // => [|i g il]; last by apply: cE; apply: ltnW.
by rewrite (take_nth h0) // pathmx_rcons size_takel ?(ltnW lp) // add0n mulmxA.
Qed.

Lemma row_vanishes l j : (l < j)%N -> (forall g, c l g (scores l g) 0 r = 0) -> row r (Z j) = 0.
Proof.
move=> + c0; elim: j => // j IH; rewrite ltnS leq_eqVlt row_diagonal => /predU1P[<- | lj].
  by rewrite big1 // => g _; rewrite c0 scale0r.
by rewrite big1 // => g _; rewrite IH // mul0mx scaler0.
Qed.
End Row.

Variables (L k b d m : nat) (W : weights F H k d) (P : weights F H b m) (U : 'M[F]_(m, d)) (E : 'M[F]_(d, m)).
Hypotheses (W_unit : forall l h, (l < L)%N -> WV W l h \in unitmx) (sim : simulates_scores L W P U E).

Lemma probes_force_outputs : outputs_match L W P E U 1%:M.
Proof.
move=> p sp; rewrite mulmx1; apply/row_matrixP => i; rewrite !rowE.
pose c (l : nat) (g : H) (S : 'M[F]_1) : 'rV[F]_1 := (nth h0 p l == g)%:R%:M.
have cE l g S r : c l g S 0 r = (nth h0 p l == g)%:R by rewrite ord1 mxE.
have follows n w (Q : weights F H n w) (Y : 'rV[F]_w) :
    row 0 (run (@of_scores _ _ _ (diagonal_attention c) n) Q L Y) = row 0 Y *m pathmx (WV Q) 0 p.
  by rewrite (row_follows (p := p)) ?sp // -sp take_size.
have := sim (diagonal_attention c) (delta_mx 0 i : 'rV[F]_d) => /(congr1 (row 0)).
by rewrite row_mul !follows !row_id !mulmxA.
Qed.

Lemma probes_force_scores : scores_match L W P E.
Proof.
move=> p p' h pL pp'; set l := size p; apply/matrixP => i j.
pose X : 'M[F]_(2, d) := \matrix_(r < 2) (if r == 0 then delta_mx 0 i else delta_mx 0 j).
have X0 : row 0 X = delta_mx 0 i by rewrite rowK.
have X1 : row 1 X = delta_mx 0 j by rewrite rowK.
pose pr (r : 'I_2) := if r == 0 then p else p'.
have spr r : size (pr r) = l by rewrite /pr; case: ifP.
pose q := p ++ nseq (L - l) h; have sq : size q = L by rewrite size_cat size_nseq subnKC // ltnW.
(* the score of rows 0 and 1 at head h after the paths p and p' *)
pose score n w (Q : weights F H n w) (B : 'M[F]_(d, w)) : F :=
  (row 0 X *m B *m pathmx (WV Q) 0 p *m WQ Q l h *m (row 1 X *m B *m pathmx (WV Q) 0 p' *m WK Q l h)^T) 0 0.
pose v := score b m P E.
pose c (l' : nat) (g : H) (S : 'M[F]_2) : 'rV[F]_2 := \row_r
  (if (l' < l)%N then nth h0 (pr r) l' == g else (g == h) && ((l' == l) ==> (S 0 1 == v)))%:R.
pose run_c n w (Q : weights F H n w) (B : 'M[F]_(d, w)) j' :=
  run (@of_scores _ _ _ (diagonal_attention c) n) Q j' (X *m B).
have row_l n w (Q : weights F H n w) B r : row r (run_c n w Q B l) = row r X *m B *m pathmx (WV Q) 0 (pr r).
  rewrite /run_c (row_follows (p := pr r)) ?spr // => [|i' g i'l]; last by rewrite mxE i'l.
  by rewrite -(spr r) take_size row_mul.
have score_l n w (Q : weights F H n w) B :
    (run_c n w Q B l *m WQ Q l h *m (run_c n w Q B l *m WK Q l h)^T) 0 1 = score n w Q B.
  have entry (A : 'M[F]_(2, n)) A' : (A *m A'^T) 0 1 = (row 0 A *m (row 1 A')^T) 0 0.
    by rewrite !mxE; apply: eq_bigr => a _; rewrite !mxE.
  by rewrite entry !row_mul !row_l.
have out := sim (diagonal_attention c) X.
have back : row 0 (run_c b m P E L) = row 0 X *m E *m pathmx (WV P) 0 q.
  rewrite /run_c (row_follows (p := q)) ?sq // => [|i' g i'L]; first by rewrite -sq take_size row_mul.
  rewrite mxE nth_cat -/l; case: ltnP => [_|li']; first by rewrite /pr eqxx.
  rewrite nth_nseq ltn_sub2r ?(leq_ltn_trans li') // [h == g]eq_sym.
  case: (eqVneq g h) => //= ->; case: (eqVneq i' l) => //= ->.
  by rewrite (score_l b m P E) eqxx.
suff: v = score k d W 1%:M.
  have entry n (A B : 'M[F]_(d, n)) :
      (A *m B^T) i j = ((delta_mx 0 i : 'rV_d) *m A *m ((delta_mx 0 j : 'rV_d) *m B)^T) 0 0.
    by rewrite -!rowE mxE [RHS]mxE; apply: eq_bigr => a _; rewrite !mxE.
  by rewrite /v /score X0 X1 !mulmx1 !entry !mulmxA.
apply/eqP; apply: contraT => nv.
have : row 0 (run_c b m P E L *m U) = 0.
  rewrite [_ *m _]out -[X]mulmx1; apply: (row_vanishes (l := l)) => // g; rewrite mxE ltnn eqxx /=.
  have [->|] := eqVneq g h; last by [].
  by rewrite (score_l k d W 1%:M) eq_sym (negbTE nv).
rewrite row_mul back -!mulmxA (mulmxA E) (probes_force_outputs sq) mulmx1 => x0.
have uq : pathmx (WV W) 0 q \in unitmx.
  by apply: pathmx_unit => i' g /andP[_]; rewrite sq; apply: W_unit.
have := mulmxK uq (row 0 X); rewrite x0 mul0mx X0 => /matrixP/(_ 0 i); rewrite !mxE !eqxx => /eqP.
by rewrite eq_sym oner_eq0.
Qed.
End Probes.

(* The width of networks whose attention depends on the scores only.

   Claim.  If a backbone of head width k <= d and width m simulates almost every
   target of width d and head width k, for all attention functions of the scores,
   then (2kd - k^2) (H + ... + H^L) + d^2 H^L <= d m.  It is enough that it does so
   outside the zero set of one nonzero polynomial in the entries of the target.
   For k = d the least width is exactly d (H + ... + H^L + H^L).

   Main definition
     simulates_almost_every L P U   almost every target has a program
   Main results
     simulation_iff_matching             simulation and path matching are the same
     score_attention_lower_bound         the bound
     score_attention_lower_bound_outside, attention_lower_bound_outside
                                         the bounds outside a zero set
     exact_score_attention_width         k = d

   Reference: Fixed Universal Transformers (arXiv:2605.31423), Theorem 4.1, sharpened. *)

Theorem simulation_iff_matching (F : fieldType) (H : finType) L k b d m
    (W : weights F H k d) (P : weights F H b m) (U : 'M[F]_(m, d)) (E : 'M[F]_(d, m)) :
  (forall l h, (l < L)%N -> WV W l h \in unitmx) ->
  simulates_scores L W P U E <-> scores_match L W P E /\ outputs_match L W P E U 1%:M.
Proof.
move=> uW; split=> [sim|[sE oE]]; last exact: score_matching_suffices.
have heads (H0 : H + (H -> False)) : scores_match L W P E /\ outputs_match L W P E U 1%:M.
  case: H0 => [h0|no]; first by split; [exact: (probes_force_scores h0 uW sim) | exact: (probes_force_outputs h0 sim)].
  split=> [p p' h|[|h p] sp]; [by case: (no h) | | by case: (no h)].
  have L0 : L = 0%N by [].
  have /(_ d (fun _ _ _ => 0) 1%:M) := sim; rewrite L0 /= !mul1mx => EU.
  by rewrite /= !mulmx1 EU.
apply: heads; case: (pickP (@predT H)) => [h0 _|no]; [by left | by right=> h; have := no h].
Qed.

Section Networks.
Variables (F : numFieldType) (H : finType) (k L d : nat).

(* For almost every target, attention functions of the scores only. *)
Definition simulates_almost_every m b (P : weights F H b m) (U : 'M[F]_(m, d)) : Prop :=
  almost_every (fun T : entries F H k L d => exists E, simulates_scores L (target T) P U E).

Theorem score_attention_lower_bound m (P : weights F H k m) (U : 'M[F]_(m, d)) : (k <= d)%N ->
  simulates_almost_every P U ->
  ((2 * k * d - k ^ 2) * powers #|H| L + d ^ 2 * #|H| ^ L <= d * m)%N.
Proof.
move=> kd sim; rewrite -mulnn.
apply: (almost_every_lower_bound kd (P := P) (U := U) (C := 1%:M)); first by rewrite row_full_unit unitmx1.
have := almost_everyI sim (almost_every_of_full_rank kd (fun _ fW => fW)).
by apply: almost_everyW => T [[E sE] fT]; exists E; apply/simulation_iff_matching => // l h lL; have [] := fT l h lL.
Qed.

(* The same for all targets outside the zero set of a nonzero polynomial in their entries. *)
Theorem score_attention_lower_bound_outside (p : {mpoly F[nentries H k L d]}) m
    (P : weights F H k m) (U : 'M[F]_(m, d)) :
  (k <= d)%N -> p != 0 -> (forall v, p.@[v] != 0 -> exists E, simulates_scores L (target_of v) P U E) ->
  ((2 * k * d - k ^ 2) * powers #|H| L + d ^ 2 * #|H| ^ L <= d * m)%N.
Proof.
move=> kd p0 sim; apply: (score_attention_lower_bound (P := P) (U := U) kd).
apply: (almost_every_of_polynomial (A := fun W => exists E, simulates_scores L W P U E) _ p0 sim) => W W' eW [E sE].
by exists E => n a X; rewrite sE; apply: eq_run.
Qed.

Theorem attention_lower_bound_outside (p : {mpoly F[nentries H k L d]}) m (P : weights F H k m) :
  (k <= d)%N -> p != 0 -> (forall v, p.@[v] != 0 -> exists E, scores_match L (target_of v) P E) ->
  ((2 * k * d - k ^ 2) * powers #|H| L <= d * m)%N.
Proof.
move=> kd p0 sim; apply: (almost_every_attention_lower_bound kd (P := P)).
apply: (almost_every_of_polynomial (A := fun W => exists E, scores_match L W P E) _ p0 sim) => W W' eW [E sE].
by exists E; apply: eq_scores_match sE.
Qed.
End Networks.

(* Head width d: the exact width at which almost every target of head width d is simulated. *)
Theorem exact_score_attention_width (F : numFieldType) (H : finType) (h0 : H) (L d : nat) :
  least (fun m => exists (P : weights F H d m) (U : 'M[F]_(m, d)), simulates_almost_every d L P U)
        (d * (powers #|H| L + #|H| ^ L)).
Proof.
split=> [|m [P [U sim]]].
  have [P [U PU]] := readoff_upper_bound F h0 L d; exists P, U.
  apply: almost_everyW (almost_every_of_full_rank (leqnn d) (fun _ fW => fW)) => T fT.
  have [|E [sE oE]] := PU d (target T); first by move=> l lL; have [] := fT l h0 lL.
  by exists E; apply: score_matching_suffices.
case: (posnP d) => [d0|d0]; first by rewrite [X in (X * _)%N]d0.
have := score_attention_lower_bound (leqnn d) sim.
by rewrite -mulnA mul2n -addnn -!mulnn addnK -mulnDr -mulnA leq_pmul2l.
Qed.
