(* Targets whose value matrices are multiples of the identity.

   Claim.  For values c l h times the identity, the product along a path is the
   product of its scalars.  One such target lets exactly the prefixes of a
   given path through, and the product is additive in the scalars of one layer.

   Main definitions
     cprod c l p      the product of the scalars along p, from layer l on
     set_layer c j u  the scalars c with those of layer j replaced by u
     follow q         the scalars of the target that lets only q through
   Main results
     pathmx_scalar        pathmx of the scalar target is (cprod c l p)%:M
     cprod_follow         cprod (follow q) 0 p = 1 if p is a prefix of q, else 0
     cprod_set_layerB     additivity in layer j                                 *)

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import Network.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section ScalarTargets.
Variables (F : fieldType) (H : finType).
Implicit Types (c : nat -> H -> F) (p q : seq H).

Fixpoint cprod c (l : nat) p : F := if p is h :: p' then c l h * cprod c l.+1 p' else 1.

Lemma pathmx_scalar d c l p : pathmx (fun l h => (c l h)%:M : 'M[F]_d) l p = (cprod c l p)%:M.
Proof. by elim: p l => [|h p IHp] l //=; rewrite IHp -scalar_mxM. Qed.

Lemma eq_cprod c c' l p : (forall i h, (l <= i < l + size p)%N -> c i h = c' i h) ->
  cprod c l p = cprod c' l p.
Proof.
elim: p l => [|h p IHp] l //= ecc'; rewrite ecc' ?leqnn /= ?addnS ?ltnS ?leq_addr //.
by rewrite (IHp l.+1) // => i g /andP[li ip]; rewrite ecc' // addnS -addSn ip ltnW.
Qed.

Lemma cprod_neq0 c l p : (forall i h, (l <= i < l + size p)%N -> c i h != 0) -> cprod c l p != 0.
Proof.
elim: p l => [|h p IHp] l /= cn0; first exact: oner_neq0.
rewrite mulf_neq0 ?cn0 ?leqnn /= ?addnS ?ltnS ?leq_addr //.
by apply: IHp => i g /andP[li ip]; rewrite cn0 // addnS -addSn ip ltnW.
Qed.

Definition set_layer c (j : nat) (u : H -> F) (l : nat) (h : H) : F := if l == j then u h else c l h.

Lemma cprod_set_layer_out c j u l p : (l + size p <= j)%N -> cprod (set_layer c j u) l p = cprod c l p.
Proof.
by move=> lpj; apply: eq_cprod => i h /andP[_ ip]; rewrite /set_layer ltn_eqF // (leq_trans ip).
Qed.

Lemma cprod_set_layerB c j u u' l p : (l <= j < l + size p)%N ->
  cprod (set_layer c j (fun h => u h - u' h)) l p =
  cprod (set_layer c j u) l p - cprod (set_layer c j u') l p.
Proof.
elim: p l => [|h p IHp] l /=; first by rewrite addn0 ltnNge; case: leqP.
case/andP; rewrite leq_eqVlt => /predU1P[-> _ {l} | lj jp]; last first.
  by rewrite IHp ?lj ?addSnnS // /set_layer ltn_eqF // mulrBr.
have out v : cprod (set_layer c j v) j.+1 p = cprod c j.+1 p.
  by apply: eq_cprod => i g /andP[ji _]; rewrite /set_layer gtn_eqF.
by rewrite !out /set_layer eqxx mulrBl.
Qed.

Definition follow q (l : nat) (h : H) : F := ((l < size q)%N && (nth h q l == h))%:R.

Lemma cprod_follow_drop q l p : cprod (follow q) l p = (prefix p (drop l q))%:R.
Proof.
elim: p l => [|h p IHp] l /=; first by rewrite prefix0s.
rewrite IHp /follow -natrM mulnb.
have [lt_l | ge_l] := ltnP l (size q); last by rewrite (drop_oversize ge_l).
by rewrite (drop_nth h lt_l) eq_sym.
Qed.

Lemma cprod_follow q p : cprod (follow q) 0 p = (prefix p q)%:R.
Proof. by rewrite cprod_follow_drop drop0. Qed.

Lemma prefix_size (T : eqType) (p q : seq T) : size p = size q -> prefix p q = (p == q).
Proof. by move=> spq; rewrite prefixE spq take_size eq_sym. Qed.
End ScalarTargets.
