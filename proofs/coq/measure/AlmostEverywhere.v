(* A nonzero polynomial is nonzero almost everywhere.

   Claim.  Let p be a nonzero polynomial in n variables over the reals.  Its
   value is nonzero at almost every point of R^n.  So whatever the algebraic
   files prove outside the zero set of a nonzero polynomial holds almost
   everywhere, and almost surely under every absolutely continuous law.

   Main definitions
     point n, entries x    R^n (for n >= 1), and its point x as a vector
   Main results
     ae_nonzero            {ae mmu (point n), forall x, p.@[entries x] != 0}
     ae_generic            the form in which it is applied
     dominated             from Lebesgue measure to an absolutely continuous law

   Reference: textbook.                                                         *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets functions.
From mathcomp Require Import signed reals ereal topology sequences esum measure numfun lebesgue_measure lebesgue_integral.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Degree.
From Symut.measure Require Import Null.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Def Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section AlmostEverywhere.
Variables (R : realType) (n : nat).

Definition point := leb R n.-1.
Definition entries (x : point) (i : 'I_n) : R := coord x i.

Lemma entries_surj (v : 'I_n -> R) : exists x : point, entries x =1 v.
Proof.
have [x xP] := @coord_surj R n.-1 (fun i => if insub i is Some j then v j else 0).
by exists x => i; rewrite /entries xP ?valK // -ltnS (ltn_predK (ltn_ord i)).
Qed.

Lemma measurable_meval (p : {mpoly R[n]}) : measurable_fun setT (fun x : point => p.@[entries x]).
Proof.
have -> : (fun x : point => p.@[entries x]) =
  (fun x : point => \sum_(e <- msupp p) p@_e * \prod_(i < n) coord x i ^+ e i).
  by apply/funext => x; rewrite mevalE.
elim: (msupp p) => [|e s IHs].
  under eq_fun do rewrite big_nil; exact: measurable_fun_cst.
under eq_fun do rewrite big_cons.
apply: measurable_funD IHs; apply: measurable_funM; first exact: measurable_fun_cst.
elim: (index_enum _) => [|i r IHr].
  under eq_fun do rewrite big_nil; exact: measurable_fun_cst.
under eq_fun do rewrite big_cons.
by apply: measurable_funM IHr; apply: measurable_fun_exprn; exact: measurable_coord.
Qed.

Lemma separately_meval (p : {mpoly R[n]}) :
  separately_polynomial (fun w : nat -> R => p.@[fun i : 'I_n => w i]).
Proof.
move=> v i; pose X (j : 'I_n) : {poly R} := if j == i :> nat then 'X else (v j)%:P.
exists (\sum_(e <- msupp p) p@_e *: \prod_(j < n) X j ^+ e j) => t.
rewrite horner_sum mevalE; apply: eq_bigr => e _; rewrite hornerZ horner_prod; congr (_ * _).
by apply: eq_bigr => j _; rewrite horner_exp /X; case: eqP => _; rewrite ?hornerX ?hornerC.
Qed.

Theorem ae_nonzero (p : {mpoly R[n]}) : p != 0 -> {ae mmu point, forall x, p.@[entries x] != 0}.
Proof.
move=> /nonzero_point[v pv]; have [s sv] := entries_surj v.
have mp := measurable_meval p.
exists [set x | p.@[entries x] = 0]; split.
- by rewrite -[X in measurable X]setTI; exact: (mp measurableT [set 0] (measurable_set1 0)).
- apply: (null_set (separately_meval p) mp); exists s.
  by rewrite (meval_eq (v2 := v)).
- by move=> x /= px; apply: contrapT => /eqP /px.
Qed.

Corollary ae_generic (e : nat) (A : ('I_n -> R) -> Prop) :
  (exists p : {mpoly R[n]}, [/\ p != 0, (msize p <= e)%N & forall v, p.@[v] != 0 -> A v]) ->
  {ae mmu point, forall x, A (entries x)}.
Proof.
case=> p [p0 _ pA]; have [B [mB B0 sB]] := ae_nonzero p0.
by exists B; split=> // x /= nA; apply: sB => /= px; apply/nA/pA.
Qed.

Lemma dominated (nu : {measure set point -> \bar R}) (A : point -> Prop) :
  (forall B : set point, measurable B -> mmu point B = 0%E -> nu B = 0%E) ->
  {ae mmu point, forall x, A x} -> {ae nu, forall x, A x}.
Proof. by move=> ac [B [mB B0 sB]]; exists B; split=> //; apply: ac. Qed.
End AlmostEverywhere.
