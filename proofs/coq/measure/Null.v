(* The zero set of a nonzero polynomial function has Lebesgue measure zero.

   Claim.  Let f be a real function of n+1 coordinates that is a polynomial in
   each coordinate separately, is measurable, and is nonzero somewhere.  Then
   its zero set has measure zero.  Proof by induction on n: almost every section
   is the zero set of a function of n coordinates that is nonzero somewhere.

   Main definitions
     leb R n              R^(n+1) with Lebesgue measure, as an iterated product
     mmu (leb R n)        the measure
     coord x i            the coordinate i of a point x of leb R n
     separately_polynomial f
   Main results
     null_set             the claim
     measurable_coord     coordinates are measurable
     coord_surj           a point with given coordinates

   Reference: textbook; mathcomp-analysis has no product of n copies.           *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets functions.
From mathcomp Require Import signed reals ereal topology sequences esum measure numfun lebesgue_measure lebesgue_integral.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Def Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section ProdSigmaFinite.
Local Open Scope ereal_scope.
Variables (d1 d2 : measure_display).
Variables (T1 : measurableType d1) (T2 : measurableType d2) (R : realType).
Variables (m1 : {measure set T1 -> \bar R}) (m2 : {measure set T2 -> \bar R}).
Hypotheses (sm1 : sigma_finite setT m1) (sm2 : sigma_finite setT m2).

Lemma sigma_finite_prod : sigma_finite setT (product_measure1 m1 sm2).
Proof.
move/sigma_finiteP : sm1 => [F1 F1_T [F1_nd F1_oo]].
move/sigma_finiteP : (sm2) => [F2 F2_T [F2_nd F2_oo]].
exists (fun n => F1 n `*` F2 n).
  rewrite -setMTT F1_T F2_T predeqE => -[x y]; split; last first.
    by move=> [n _ []/= ? ?]; split; exists n.
  move=> [/= [n _ F1nx] [k _ F2ky]]; exists (maxn n k) => //; split.
  - by move: x F1nx; apply/subsetPset/F1_nd; rewrite leq_maxl.
  - by move: y F2ky; apply/subsetPset/F2_nd; rewrite leq_maxr.
move=> n; have [? ?] := F1_oo n; have [? ?] := F2_oo n.
split; first exact: measurableM.
by rewrite product_measure1E // lte_mul_pinfty// ge0_fin_numE.
Qed.
End ProdSigmaFinite.

Section Lebesgue.
Variable R : realType.

Record mspace := MSpace {
  mdisp : measure_display;
  mcar :> measurableType mdisp;
  mmu : {measure set mcar -> \bar R};
  msf : sigma_finite setT mmu }.

Lemma lebesgue_sigma_finite : sigma_finite setT (@lebesgue_measure R).
Proof. exact: (Hahn_ext_sigma_finite (@hlength_sigma_sub_additive R) (@hlength_sigma_finite R)). Qed.

Definition line_space : mspace := MSpace lebesgue_sigma_finite.
Definition prod_space (A B : mspace) : mspace :=
  @MSpace _ [the measurableType _ of (A * B)%type]
    [the measure _ _ of product_measure1 (@mmu A) (@msf B)]
    (sigma_finite_prod (@msf A) (@msf B)).

(* R^(n+1) = R x (R x (... x R)) *)
Fixpoint leb (n : nat) : mspace :=
  if n is n'.+1 then prod_space line_space (leb n') else line_space.

(* coordinates; coordinates out of range are 0 *)
Fixpoint coord (n : nat) : leb n -> nat -> R :=
  match n return leb n -> nat -> R with
  | 0%N => fun x i => if i is 0%N then (x : R) else 0
  | n'.+1 => fun xy i => if i is j.+1 then coord xy.2 j else (xy.1 : R)
  end.

Lemma coord_surj n (w : nat -> R) : exists x : leb n, forall i, (i <= n)%N -> coord x i = w i.
Proof.
elim: n w => [|n IHn] w; first by exists (w 0%N) => -[].
have [y yP] := IHn (fun i => w i.+1).
by exists (w 0%N, y) => -[|i] // /yP.
Qed.

Lemma measurable_coord n i : measurable_fun setT (fun x : leb n => coord x i).
Proof.
elim: n i => [|n IHn] [|i] /=.
- exact: measurable_fun_id.
- exact: measurable_fun_cst.
- by have [] := (prod_measurable_funP (@id (leb n.+1))).1 (@measurable_fun_id _ _ setT).
- have [_ m2] := (prod_measurable_funP (@id (leb n.+1))).1 (@measurable_fun_id _ _ setT).
  exact: (measurable_fun_comp (IHn i) m2).
Qed.

Lemma roots_seq (p : {poly R}) : p != 0 -> exists rs : seq R, forall x, root p x -> x \in rs.
Proof.
have [n] := ubnP (size p); elim: n p => // n IHn p sp p0.
have [[a ra] | nr] := pselect (exists a, root p a); last first.
  by exists [::] => x rx; case: nr; exists x.
have /factor_theorem[q pq] := ra.
have q0 : q != 0 by apply: contraNneq p0 => q0; rewrite pq q0 mul0r.
have [|rs rsP] := IHn q _ q0.
  by move: sp; rewrite pq size_Mmonic ?monicXsubC // size_XsubC addn2 ltnS.
by exists (a :: rs) => x; rewrite pq rootM root_XsubC inE orbC => /orP[-> // | /rsP ->]; rewrite orbT.
Qed.

Lemma seq_null (rs : seq R) :
  measurable [set x : line_space | (x : R) \in rs] /\ lebesgue_measure [set x : R | x \in rs] = 0%E.
Proof.
elim: rs => [|a rs [mrs rs0]].
  by split; rewrite (_ : [set _ | _] = set0) ?measure0 //; apply/seteqP; split=> x.
have ma : measurable ([set a] : set line_space) by exact: measurable_set1.
have [ars | nars] := boolP (a \in rs).
  by rewrite (_ : [set x | _] = [set x : R | x \in rs]) //; apply/seteqP; split=> x /=;
     rewrite inE; [move=> /orP[/eqP -> | ] | move=> ->; rewrite orbT].
rewrite (_ : [set x | _] = [set a] `|` [set x : R | x \in rs]); last first.
  apply/seteqP; split=> x /=; rewrite inE; first by move=> /orP[/eqP -> | ]; [left|right].
  by move=> [-> | ->]; rewrite ?eqxx ?orbT.
split; first exact: measurableU.
rewrite measureU //; last by apply/seteqP; split=> x //= -[-> ] ; rewrite (negbTE nars).
by have := lebesgue_measure_set1 a; rewrite /= => ->; rewrite [X in (0 + X)%E]rs0 adde0.
Qed.

Lemma roots_negligible (p : {poly R}) : p != 0 ->
  (@lebesgue_measure R).-negligible [set x : R | root p x].
Proof.
move=> /roots_seq[rs rsP]; have [mrs rs0] := seq_null rs.
by exists [set x : R | x \in rs]; split=> // x /rsP.
Qed.

Definition separately_polynomial (f : (nat -> R) -> R) :=
  forall v i, exists p : {poly R}, forall t, f (fun j => if j == i then t else v j) = p.[t].

Theorem null_set n (f : (nat -> R) -> R) : separately_polynomial f ->
  measurable_fun setT (fun x : leb n => f (coord x)) ->
  (exists s : leb n, f (coord s) != 0) ->
  mmu (leb n) [set x | f (coord x) = 0] = 0%E.
Proof.
elim: n f => [|n IHn] f sf mf [s s0].
  have [p pE] := sf (fun _ => 0) 0%N.
  have fE x : f (coord (x : leb 0)) = p.[x].
    by rewrite -pE; congr f; apply/funext => -[].
  have p0 : p != 0 by apply: contraNneq s0 => p0; rewrite fE p0 horner0.
  apply: measure_negligible; first by rewrite -[X in measurable X]setTI; exact: (mf measurableT [set 0] (measurable_set1 0)).
  have [A [mA A0 sA]] := roots_negligible p0.
  by exists A; split=> // x /= fx0; apply: sA; rewrite /= rootE -fE fx0.
set A := [set _ | _].
have mA : measurable A.
  by rewrite -[X in measurable X]setTI; exact: (mf measurableT [set 0] (measurable_set1 0)).
pose g x w := f (fun i => if i is j.+1 then w j else x).
have gE x (y : leb n) : f (coord ((x, y) : leb n.+1)) = g x (coord y) by [].
have sg x : separately_polynomial (g x).
  move=> v i; have [p pE] := sf (fun j => if j is j'.+1 then v j' else x) i.+1.
  by exists p => t; rewrite -pE /g; congr f; apply/funext => -[].
have mg x : measurable_fun setT (fun y : leb n => g x (coord y)).
  exact: (measurable_fun_prod1 x mf).
case: s s0 => s1 s2 s0.
have [p pE] := sf (fun j => if j is j'.+1 then coord s2 j' else s1) 0%N.
have fE x : g x (coord s2) = p.[x].
  by rewrite -pE /g; congr f; apply/funext => -[].
have p0 : p != 0 by apply: contraNneq s0 => p0; rewrite gE fE p0 horner0.
have sec x : ~~ root p x -> mmu (leb n) (xsection A x) = 0%E.
  move=> nrx; rewrite (_ : xsection A x = [set y | g x (coord y) = 0]); last first.
    by apply/seteqP; split=> y; rewrite /xsection /= inE.
  by apply: IHn => //; exists s2; rewrite fE.
rewrite /= /product_measure1 (@ae_eq_integral _ _ _ _ setT (cst 0%E)) //.
- by rewrite integral0.
- by apply: measurable_fun_xsection; rewrite ?inE //; exact: msf.
- exact: measurable_fun_cst.
have [B [mB B0 sB]] := roots_negligible p0.
exists B; split=> // x /= nx; apply: sB => /=; apply: contra_notT nx => nrx _.
exact: sec.
Qed.

End Lebesgue.
