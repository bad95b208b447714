(* Full column rank suffices.

   Claim.  Over a field, a backbone of any width m whose block matrix has rank
   N is universal: the program is M(W) times a left inverse.  For the converse
   see Threshold.v.

   Main results
     full_rank_universal   \rank M = N -> universal
     minor_universal       J *m M invertible for some J -> universal
     det_universal         the case J = 1 of width N: det M != 0 -> universal

   Reference: Fixed Universal Transformers (arXiv:2605.31423), random
   universal transformers.                                                      *)

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import Network Slots BlockMatrix.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Lemma minor_universal (R : comUnitRingType) (H : finType) (k L d m : nat) (P : weights R H k m)
    (U : 'M[R]_(m, d)) (J : 'M[R]_(#|slot H k L d|, m)) :
  \det (J *m blockmx L P U) \is a GRing.unit -> universal L P U.
Proof.
move=> uM; apply: (@left_inverse_universal _ _ _ _ _ _ _ _ (invmx (J *m blockmx L P U) *m J)).
by rewrite -mulmxA mulVmx.
Qed.

Section Field.
Variables (F : fieldType) (H : finType) (k L d : nat).

Theorem full_rank_universal m (P : weights F H k m) (U : 'M[F]_(m, d)) :
  \rank (blockmx L P U) = N #|H| k L d -> universal L P U.
Proof.
rewrite -card_slot => rkM; have /row_fullP[B BM] : row_full (blockmx L P U) by apply/eqP.
exact: left_inverse_universal BM.
Qed.

Theorem det_universal (P : weights F H k #|slot H k L d|) (U : 'M[F]_(#|slot H k L d|, d)) :
  \det (blockmx L P U) != 0 -> universal L P U.
Proof. by rewrite -unitfE => uM; apply: (@minor_universal _ _ _ _ _ _ _ _ 1%:M); rewrite mul1mx. Qed.
End Field.
