(* The threshold applied to softmax attention.

   Claim.  At every width m >= N, almost every backbone simulates all targets
   with softmax attention: one program serves every length, every input, every
   inverse temperature, with or without the causal mask.  (A narrower backbone
   may do so as well: the lower bound N needs more attention functions.)

   Main definitions
     softmax causal beta   softmax attention with scores beta Q K^T
   Main result
     softmax_threshold

   Reference: Fixed Universal Transformers (arXiv:2605.31423), random
   universal transformers.                                                      *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets functions.
From mathcomp Require Import signed reals ereal topology normedtype sequences esum measure exp lebesgue_measure.
From Symut Require Import Network Generic.
From Symut.measure Require Import Null AlmostEverywhere SharpThreshold.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Def Num.Theory.
Local Open Scope ring_scope.

Section Softmax.
Variables (R : realType) (H : finType) (k L d m : nat).

Definition softmax (causal : bool) (beta : R) n : attention R H k n := fun _ _ Q K =>
  \matrix_(i, j)
    let e := fun s : 'I_n => if causal && (i < s)%N then 0 else expR (beta * (Q *m K^T) i s) in
    e j / \sum_s e s.

Theorem softmax_threshold : (N #|H| k L d <= m)%N ->
  {ae mmu (point R (nparams H k d L m)), forall x,
     forall W : weights R H k d, exists E : 'M[R]_(d, m),
     forall n causal beta (X : 'M[R]_(n, d)),
       run (softmax causal beta (n := n)) (weights_of (unshared L) (entries x)) L (X *m E) *m readout_of (entries x)
       = run (softmax causal beta (n := n)) W L X}.
Proof.
move=> Nm; have [A [mA A0 sA]] := almost_all_universal R Nm.
exists A; split=> // x /= nx; apply: sA => /= univ; apply: nx => W.
by have [E EP] := univ W; exists E => *; apply: EP.
Qed.
End Softmax.
