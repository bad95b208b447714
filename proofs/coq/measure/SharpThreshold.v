(* Almost every backbone of width m >= N is universal, and no narrower one is.

   Claim.  Below the width N no backbone is universal.  At every width m >= N
   the backbones that are not universal form a set of Lebesgue measure zero in
   the space of all entries.  So under every absolutely continuous joint law of
   the entries a backbone of width m >= N is universal almost surely.

   Main results
     almost_all_universal  almost every backbone of width m >= N is universal
     sharp_threshold       the threshold, for all attention functions
     random_universality   every absolutely continuous law

   Reference: Fixed Universal Transformers (arXiv:2605.31423), random
   universal transformers; the sharp threshold is an extension.                 *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets functions.
From mathcomp Require Import signed reals ereal topology sequences esum measure lebesgue_measure.
From Symut Require Import Network Generic Threshold.
From Symut.measure Require Import Null AlmostEverywhere.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Def Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section SharpThreshold.
Variables (R : realType) (H : finType) (k L d m : nat).
Notation space := (point R (nparams H k d L m)).

Theorem almost_all_universal : (N #|H| k L d <= m)%N ->
  {ae mmu space, forall x, universal L (weights_of (unshared L) (entries x)) (readout_of (entries x))}.
Proof. by move=> Nm; apply: ae_generic (generic_universality Nm R). Qed.

Theorem sharp_threshold : (0 < d)%N ->
  ((m < N #|H| k L d)%N -> forall (P : weights R H k m) (U : 'M[R]_(m, d)), ~ universal L P U) /\
  ((N #|H| k L d <= m)%N ->
     {ae mmu space, forall x, universal L (weights_of (unshared L) (entries x)) (readout_of (entries x))}).
Proof.
move=> d0; split=> [mN P U univ|]; last exact: almost_all_universal.
have := (universal_width H k L m (num_more_than_two R) d0).1 (ex_intro _ P (ex_intro _ U univ)).
by rewrite leqNgt mN.
Qed.

Theorem random_universality (nu : {measure set space -> \bar R}) : (N #|H| k L d <= m)%N ->
  (forall A : set space, measurable A -> mmu space A = 0%E -> nu A = 0%E) ->
  {ae nu, forall x, universal L (weights_of (unshared L) (entries x)) (readout_of (entries x))}.
Proof. by move=> Nm ac; apply: dominated ac (almost_all_universal Nm). Qed.
End SharpThreshold.
