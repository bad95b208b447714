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

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Slots SharedKeys PathMatching AlmostEvery GenericFamily LowerBounds ReadOff.
From Symut Require Import ExactWidths ScoreAttention TargetVectors.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
