(* Invertible matrices that span all matrices.

   Claim.  The d^2 matrices gamma (a, b) = I + E_ab are invertible (in
   characteristic 0), and if C has independent columns the products gamma g C
   span all d x c matrices.

   Main definitions
     gamma g         the matrices
     pack_output O   the columns of O, packed as the state with no layer left
   Main results
     gamma_unit, gamma_span   the two claims

   Reference: linear algebra; used in FamilyRank.v to count the outputs. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import SlotStates.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Gamma.
Variables (F : numFieldType) (d c : nat) (C : 'M[F]_(d, c)).

Definition gamma (g : 'I_d * 'I_d) : 'M[F]_d := 1%:M + delta_mx g.1 g.2.

Lemma gamma_unit g : gamma g \in unitmx.
Proof.
case: g => a b; pose D : 'M[F]_d := delta_mx a b; pose r : F := 1 + (a == b)%:R.
have DD : D *m D = (a == b)%:R *: D by rewrite mul_delta_mx_cond eq_sym scaler_nat.
have r0 : r != 0 by rewrite /r -[1]/(1%:R) -natrD pnatr_eq0.
suff /mulmx1_unit[] : gamma (a, b) *m (1%:M - r^-1 *: D) = 1%:M by [].
rewrite mulmxDl mul1mx mulmxBr mulmx1 -scalemxAr DD scalerA -/D.
have -> : D - (r^-1 * (a == b)%:R) *: D = r^-1 *: D; last by rewrite subrK.
apply/eqP; rewrite -[X in X - _]scale1r -scalerBl -subr_eq0 -scalerBl.
by rewrite -addrA -opprD -{2}[r^-1]mulr1 -mulrDr [_ + 1]addrC mulVf // subrr scale0r.
Qed.

Definition pack_output H w (O : 'M[F]_(d, c)) := pack (fun z : slots_left H w c 0 => col z O).

(* The matrices gamma g span all matrices. *)
Lemma gamma_span H w q (A : 'M[F]_(q, dim H w c d 0)) : row_full C ->
  (forall g, (pack_output H w (gamma g *m C) <= A)%MS) -> row_full A.
Proof.
move=> C_full gA.
pose P X := pack_output H w (X *m C).
have PD X Y : P (X + Y) = P X + P Y by rewrite /P mulmxDl; apply/rowP => y; rewrite !mxE.
have PZ a X : P (a *: X) = a *: P X by rewrite /P -scalemxAl; apply/rowP => y; rewrite !mxE.
have Psum (I : finType) (f : I -> 'M_d) : P (\sum_i f i) = \sum_i P (f i).
  apply: (big_morph P PD); rewrite -[0](scale0r (0 : 'M_d)) PZ scale0r //.
have P1 : (P 1%:M <= A)%MS.
  have d1 : (d.+1)%:R != 0 :> F by rewrite pnatr_eq0.
  rewrite -[P _](scalerK d1) scalemx_sub // scaler_nat mulrS.
  have -> : P 1%:M + P 1%:M *+ d = \sum_a P (gamma (a, a)).
    rewrite (eq_bigr (fun a => P 1%:M + P (delta_mx a a))) => [|a _]; last by rewrite -PD.
    by rewrite big_split /= sumr_const card_ord -Psum -mx1_sum_delta addrC.
  by apply: summx_sub => a _; apply: gA.
have PX X : (P X <= A)%MS.
  rewrite [X]matrix_sum_delta Psum; apply: summx_sub => a _; rewrite Psum; apply: summx_sub => b _.
  rewrite PZ scalemx_sub // -[delta_mx _ _](addKr 1%:M) PD addmx_sub //; last exact: gA (a, b).
  by rewrite -scaleN1r PZ scalemx_sub.
rewrite -sub1mx; apply/row_subP => y.
have := PX (delta_mx (enum_val y).2 (enum_val y).1 *m pinvmx C).
rewrite /P -mulmxA mulVpmx // mulmx1; congr (_ <= _)%MS.
apply/rowP => y'; rewrite !mxE andbC; congr (_%:R).
by rewrite -xpair_eqE -!surjective_pairing (inj_eq enum_val_inj) eq_sym.
Qed.
End Gamma.
