(* Almost every looped, residual or score-matching backbone is universal.

   Claim.  The measure-theoretic form of the generic theorems of Residual.v,
   SharedLayers.v and SharedKeys.v.

   Main results
     looped_almost_all       one weight set for all layers, width m >= N
     residual_almost_all     residual connections, width m >= N_res
     shared_key_almost_all   attention of the scores, shared keys, m >= N_keys
     readoff_almost_all      keys read off the outputs, m >= N_readoff

   Reference: Fixed Universal Transformers (arXiv:2605.31423), random universal
   transformers, extended.                                                      *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets functions.
From mathcomp Require Import signed reals ereal topology sequences esum measure lebesgue_measure.
From Symut Require Import Network Generic Words FreeWords Residual SharedLayers SharedKeys.
From Symut.measure Require Import Null AlmostEverywhere.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Def Num.Theory.
Local Open Scope ring_scope.

Section Forms.
Variables (R : realType) (H : finType) (k L d m : nat).

Theorem looped_almost_all : (N #|H| k L d <= m)%N ->
  {ae mmu (point R (nparams H k d 1 m)), forall x, universal L (weights_of shared (entries x)) (readout_of (entries x))}.
Proof. by move=> Nm; apply: ae_generic (looped_generic R Nm). Qed.

Theorem residual_almost_all : (N_res #|H| k L d <= m)%N ->
  {ae mmu (point R (nparams H k d L m)), forall x,
     residual_universal L (weights_of (unshared L) (entries x)) (readout_of (entries x))}.
Proof. by move=> Nm; apply: ae_generic (residual_generic R Nm). Qed.

Theorem shared_key_almost_all : (N_keys #|H| L d <= m)%N ->
  {ae mmu (point R (nfree H [finType of option H] d d L m)), forall x, let v := entries x in
     score_universal L (shared_keys (query (readers_of v)) (key (readers_of v)) (letters_of v)) (output_of v)}.
Proof. by move=> Nm; apply: (ae_generic (shared_key_generic R Nm)). Qed.

Theorem readoff_almost_all (h1 : H) : (N_readoff #|H| L d <= m)%N ->
  {ae mmu (point R (nfree H H d d L m)), forall x, let v := entries x in
     readoff_universal L h1 (readoff_keys L h1 (readers_of v) (letters_of v) (output_of v)) (output_of v)}.
Proof. by move=> Nm; apply: (ae_generic (readoff_generic R h1 Nm)). Qed.
End Forms.
