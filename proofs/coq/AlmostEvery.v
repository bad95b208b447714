(* Almost every point of a vector space, without measure and without degree.

   Claim.  Let a property hold almost everywhere if it holds wherever some
   function that is not the zero function does not vanish, and that function is
   a polynomial on every line.  Finitely many such properties hold together, and
   they can be pulled back along affine maps that are onto.

   Main definitions
     polynomial_on_lines f   t |-> f (x + t y) is a polynomial, for all x and y;
                             every polynomial in coordinates is such a function
     almost_every A          A holds outside the zeros of such an f, f not 0
     affine_map phi          phi (x + t y) = phi x + t psi y for some psi
   Main results
     almost_everyI, almost_every_forall   finitely many properties
     almost_every_affine                  the pull-back
     almost_every_slice                   almost every pair: for almost every x,
                                          for almost every y
     almost_every_unit                    almost every matrix is invertible

   Reference: textbook (a polynomial with finitely many roots on a line). *)

From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section PolynomialOnLines.
Variables (F : numFieldType) (V : lmodType F).

Definition polynomial_on_lines (f : V -> F) : Prop :=
  forall x y, exists q : {poly F}, forall t, f (x + t *: y) = q.[t].

Definition almost_every (A : V -> Prop) : Prop :=
  exists f, [/\ polynomial_on_lines f, exists x, f x != 0 & forall x, f x != 0 -> A x].

Lemma nonroot (p : {poly F}) : p != 0 -> exists x, p.[x] != 0.
Proof.
move=> pn0; have [/existsP [n nr]|none] := boolP [exists n : 'I_(size p), ~~ root p n%:R]; first by exists n%:R.
have rr : all (root p) [seq (val n)%:R | n <- enum 'I_(size p)].
  apply/allP => z /mapP [n _ ->]; move: none; rewrite negb_exists => /forallP /(_ n).
  by rewrite negbK.
have urs : uniq [seq (val n)%:R : F | n <- enum 'I_(size p)].
  by rewrite map_inj_uniq ?enum_uniq // => x y /eqP; rewrite eqr_nat => /eqP /val_inj.
by have := max_poly_roots pn0 rr urs; rewrite size_map size_enum_ord ltnn.
Qed.

Lemma almost_every_exists A : almost_every A -> exists x, A x.
Proof. by case=> f [_ [x fx] fA]; exists x; apply: fA. Qed.

Lemma almost_everyW (A B : V -> Prop) : (forall x, A x -> B x) -> almost_every A -> almost_every B.
Proof. by move=> AB [f [pf fx fA]]; exists f; split=> // x /fA /AB. Qed.

Lemma almost_everyT : almost_every (fun=> True).
Proof. by exists (fun=> 1); split=> // [x y|]; [exists 1 => t; rewrite hornerC | exists 0; apply: oner_neq0]. Qed.

(* On the line through points where f and g do not vanish, f g has finitely many zeros. *)
Lemma almost_everyI (A B : V -> Prop) : almost_every A -> almost_every B -> almost_every (fun x => A x /\ B x).
Proof.
case=> f [pf [x fx] fA] [g [pg [y gy] gB]]; exists (fun z => f z * g z); split.
- move=> z z'; have [p pE] := pf z z'; have [q qE] := pg z z'.
  by exists (p * q) => t; rewrite hornerM pE qE.
- have [p pE] := pf x (y - x); have [q qE] := pg x (y - x).
  have p0 : p != 0 by apply: contraNneq fx => p0; rewrite -[x]addr0 -(scale0r (y - x)) pE p0 horner0.
  have q0 : q != 0.
    apply: contraNneq gy => q0; have := qE 1; rewrite q0 horner0 scale1r addrC subrK => ->.
    by [].
  have [t] := nonroot (mulf_neq0 p0 q0); rewrite hornerM -pE -qE => ?.
  by exists (x + t *: (y - x)).
by move=> z; rewrite mulf_eq0 negb_or => /andP[/fA Az /gB Bz].
Qed.

Lemma almost_every_forall (I : finType) (A : I -> V -> Prop) :
  (forall i, almost_every (A i)) -> almost_every (fun x => forall i, A i x).
Proof.
move=> aA; have: almost_every (fun x => {in enum I, forall i, A i x}).
  elim: (enum I) => [|i r IH]; first by apply: almost_everyW almost_everyT.
  apply: almost_everyW (almost_everyI (aA i) IH) => x [Ai Ar] j.
  by rewrite in_cons => /predU1P[-> | /Ar].
by apply: almost_everyW => x Ax i; apply: Ax; rewrite mem_enum.
Qed.
End PolynomialOnLines.

Section AffineMaps.
Variables (F : numFieldType) (V V' : lmodType F).

(* phi maps lines to lines *)
Definition affine_map (phi : V -> V') : Prop :=
  exists psi : V -> V', forall x y t, phi (x + t *: y) = phi x + t *: psi y.

Lemma almost_every_affine (A : V' -> Prop) (phi : V -> V') : affine_map phi ->
  almost_every A -> (forall y, exists x, phi x = y) -> almost_every (fun x => A (phi x)).
Proof.
case=> psi phiE [f [pf [y fy] fA]] onto; exists (fun x => f (phi x)); split.
- by move=> x z; have [q qE] := pf (phi x) (psi z); exists q => t; rewrite phiE qE.
- by have [x xy] := onto y; exists x; rewrite xy.
by move=> x; apply: fA.
Qed.

End AffineMaps.

(* A property of almost every pair holds, for almost every x, for almost every y. *)
Lemma almost_every_slice (F : numFieldType) (V V1 V2 : lmodType F) (A : V -> Prop) (phi : V1 -> V2 -> V) :
  (forall y, affine_map (phi^~ y)) -> (forall x, affine_map (phi x)) -> (forall v, exists x y, phi x y = v) ->
  almost_every A -> almost_every (fun x => almost_every (fun y => A (phi x y))).
Proof.
move=> aff1 aff2 onto [f [pf [v fv] fA]]; have [x0 [y0 vE]] := onto v; subst v.
have pull (V' : lmodType F) (psi : V' -> V) : affine_map psi -> polynomial_on_lines (fun z => f (psi z)).
  by case=> rho psiE x y; have [q qE] := pf (psi x) (rho y); exists q => t; rewrite psiE qE.
exists (fun x => f (phi x y0)); split=> [| |x fx]; [exact: pull (aff1 y0) | by exists x0 |].
by exists (fun y => f (phi x y)); split=> [| |y]; [exact: pull (aff2 x) | by exists y0 | exact: fA].
Qed.

Section Invertible.
Variables (F : numFieldType) (V : lmodType F).

Lemma almost_every_unit n (phi : V -> 'M[F]_n) : affine_map phi ->
  (exists x, phi x \in unitmx) -> almost_every (fun x => phi x \in unitmx).
Proof.
case=> psi phiE [x0 ux0]; exists (fun x => \det (phi x)); split.
- move=> x y; exists (\det (map_mx polyC (phi x) + 'X *: map_mx polyC (psi y))) => t.
  rewrite phiE -horner_evalE -det_map_mx; congr (\det _); apply/matrixP => i j.
  by rewrite !mxE /= horner_evalE !hornerE.
- by exists x0; rewrite -unitfE.
by move=> x; rewrite unitmxE unitfE.
Qed.
End Invertible.
