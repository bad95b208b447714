(* A target as the vector of its entries, and polynomials in these entries.

   Claim.  A nonzero polynomial in the entries of a target does not vanish at
   almost every target, in the sense of AlmostEvery.v.

   Main definitions
     nentries H k L d    the number of entries of a target
     target_of v         the target with the vector v of entries
     vector_of T         the vector of T
   Main results
     almost_every_nonzero         the claim
     almost_every_of_polynomial   what holds outside the zeros of a polynomial
                                  holds for almost every target
     eq_run                       only the layers below L of a network matter

   Reference: textbook. *)

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Slots BlockMatrix Entries SchwartzZippel AlmostEvery GenericFamily.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma eq_run (R : ringType) (H : finType) k n (a : attention R H k n) w (W W' : weights R H k w) L X :
  eq_below L W W' -> run a W L X = run a W' L X.
Proof.
elim: L => //= L IH eW; rewrite IH => [|l h lL]; last exact: eW (ltnW lL).
by apply: eq_bigr => h _; have [-> -> ->] := eW L h (ltnSn L).
Qed.

Section Vectors.
Variables (F : numFieldType) (H : finType) (k L d : nat).

(* the number of entries of a target: those of a network without read-out *)
Definition nentries : nat := nparams H k 0 L d.
Definition target_of (v : 'I_nentries -> F) : weights F H k d := weights_of (unshared L) v.
Definition vector_of (T : entries F H k L d) : 'I_nentries -> F :=
  params_of (@nat_of_ord L) (target T) (0 : 'M[F]_(d, 0)).

Lemma target_of_vector T : eq_below L (target_of (vector_of T)) (target T).
Proof. exact/weights_params/unshared_ties. Qed.

Lemma vector_line T T' t i : vector_of (T + t *: T') i = vector_of T i + t * vector_of T' i.
Proof.
rewrite /vector_of /params_of; case: (enum_val i) => [[[l h] s]|[a b]]; last by rewrite !mxE mulr0 addr0.
have lL := ltn_ord l.
by case: s => [[[a b]|[a b]]|[a b]]; rewrite /= !(by_layerE _ _ lL) !ffunE !mxE.
Qed.

Lemma vector_onto (v : 'I_nentries -> F) : exists T, vector_of T =1 v.
Proof.
pose W := target_of v.
exists [ffun a : 'I_L * H => (WQ W a.1 a.2, WK W a.1 a.2, WV W a.1 a.2)] => i.
rewrite /vector_of /params_of -[in RHS](enum_valK i); case: (enum_val i) => [[[l h] s]|[a []]] //.
have lL := ltn_ord l.
have scalarE s' : scalar_of (unshared L) v l s'.1 s'.2 = v (enum_rank (inl (l, s'.1, s'.2) : param H k 0 L d)).
  by rewrite /scalar_of /unshared valK.
have lE : Ordinal lL = l by apply: val_inj.
by case: s => [[[a b]|[a b]]|[a b]]; rewrite /= (by_layerE _ _ lL) lE ffunE mxE (scalarE (h, _)).
Qed.

Theorem almost_every_nonzero (p : {mpoly F[nentries]}) : p != 0 ->
  almost_every (fun T : entries F H k L d => p.@[vector_of T] != 0).
Proof.
move=> p0; exists (fun T => p.@[vector_of T]); split=> // [T T'|].
  exists (\sum_(m <- msupp p) (p@_m)%:P * \prod_i ((vector_of T i)%:P + (vector_of T' i) *: 'X) ^+ m i) => t.
  rewrite mevalE horner_sum; apply: eq_bigr => m _; rewrite hornerM hornerC horner_prod; congr (_ * _).
  by apply: eq_bigr => i _; rewrite horner_exp vector_line !hornerE mulrC.
have [v pv] := nonzero_point p0; have [T Tv] := vector_onto v; exists T.
by rewrite (meval_eq _ Tv).
Qed.

(* What holds for all targets outside the zero set of p holds for almost every target. *)
Lemma almost_every_of_polynomial (A : weights F H k d -> Prop) (p : {mpoly F[nentries]}) :
  (forall W W', eq_below L W W' -> A W -> A W') -> p != 0 -> (forall v, p.@[v] != 0 -> A (target_of v)) ->
  almost_every (fun T : entries F H k L d => A (target T)).
Proof.
move=> eA p0 pA; apply: almost_everyW (almost_every_nonzero p0) => T /pA.
exact: eA (target_of_vector T).
Qed.
End Vectors.
