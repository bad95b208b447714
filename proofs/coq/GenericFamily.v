(* The targets of FamilyRank.v can be chosen outside any zero set.

   Claim.  Let A be a property of almost every target of width d = w + e and head
   width w.  Then there are matrices Q, and parameters of keys and values, such
   that all targets (s, x, g) have property A: their queries are Q plus given
   matrices tauQ x; their keys are chosen such that the scores have the top right
   block tauK x plus a constant; their values are as in FamilyRank.v, and have a
   dual basis.  First almost every Q will do, then almost all parameters.

   Main definitions
     entries F H k L d    all entries of a target: queries, keys and values, per
                          layer and head
     target T             the target with the entries T
     by_layer             a function of the layers below L as one of all numbers
     keys_values          the keys and the values of the target (s, x, g)
     value_block th l     the values of layer l as a matrix of H x H blocks
     dual_value           the blocks of its inverse, a dual basis
   Main result
     generic_family       the claim

   Reference: Fixed Universal Transformers (arXiv:2605.31423), Theorem 4.1, for almost every target: new. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import Network Slots PathMatching SlotStates SpanningMatrices FamilyRank AlmostEvery.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Lift.
Variables (T : Type) (x0 : T) (L : nat) (f : 'I_L -> T).
Definition by_layer (l : nat) : T := if insub l is Some i then f i else x0.
Lemma by_layerE l (lL : (l < L)%N) : by_layer l = f (Ordinal lL).
Proof. by rewrite /by_layer insubT. Qed.
End Lift.

Lemma pair_line (F : ringType) (U V : lmodType F) (x x' : U) (y y' : V) (t : F) :
  (x, y) + t *: (x', y') = (x + t *: x', y + t *: y').
Proof. by []. Qed.

Section Entries.
Variables (F : fieldType) (H : finType) (k L d : nat).

(* all entries of a target: (queries, keys, values) for every layer and head *)
Definition entries := {ffun 'I_L * H -> 'M[F]_(d, k) * 'M[F]_(d, k) * 'M[F]_d}.

Definition target (T : entries) : weights F H k d :=
  Weights (fun l h => by_layer 0 (fun i => (T (i, h)).1.1) l)
          (fun l h => by_layer 0 (fun i => (T (i, h)).1.2) l)
          (fun l h => by_layer 0 (fun i => (T (i, h)).2) l).
End Entries.

Section GenericFamily.
Variables (F : numFieldType) (H : finType) (h0 : H) (w e L Mt : nat).
Notation d := (w + e)%N.
Notation heads := [finType of 'I_L * H].
Notation entries := (entries F H w L d).
Notation queries := {ffun heads -> 'M[F]_(d, w)}.
Notation keysvalues := {ffun heads -> 'M[F]_(d, w) * 'M[F]_d}.
Variable A : entries -> Prop.
Hypothesis aA : almost_every A.
Variables (tauQ : 'I_Mt -> heads -> 'M[F]_(d, w)) (tauK : 'I_Mt -> heads -> 'M[F]_(w, e)).

Definition assemble x (Q : queries) (KV : keysvalues) : entries :=
  [ffun a => (Q a + tauQ x a, (KV a).1, (KV a).2)].

Lemma generic_queries : exists Q : queries,
  (forall x a, usubmx (Q a + tauQ x a) \in unitmx) /\ (forall x, almost_every (fun KV => A (assemble x Q KV))).
Proof.
suff /almost_every_exists: almost_every (fun Q : queries =>
  (forall xa : 'I_Mt * heads, usubmx (Q xa.2 + tauQ xa.1 xa.2) \in unitmx) /\
  (forall x, almost_every (fun KV => A (assemble x Q KV)))).
  by case=> Q [uQ AQ]; exists Q; split=> // x a; apply: (uQ (x, a)).
apply: almost_everyI.
  apply: almost_every_forall => -[x a] /=; apply: almost_every_unit.
    by exists (fun Q : queries => usubmx (Q a)) => Q Q' t; rewrite !ffunE addrAC !linearD linearZ.
  exists ([ffun a => col_mx 1%:M 0 - tauQ x a] : queries); rewrite ffunE subrK col_mxKu; exact: unitmx1.
apply: almost_every_forall => x; apply: almost_every_slice aA.
- move=> KV; exists (fun Q : queries => [ffun a => (Q a, 0, 0)] : entries) => Q Q' t; apply/ffunP => a.
  by rewrite !ffunE /= addrAC !pair_line !scaler0 !addr0.
- move=> Q; exists (fun KV : keysvalues => [ffun a => (0, (KV a).1, (KV a).2)] : entries) => KV KV' t; apply/ffunP => a.
  by rewrite !ffunE /= !pair_line scaler0 addr0.
move=> T; exists ([ffun a => (T a).1.1 - tauQ x a] : queries), ([ffun a => ((T a).1.2, (T a).2)] : keysvalues).
by apply/ffunP => a; rewrite !ffunE subrK /=; case: (T a) => [[]].
Qed.

Definition parameters := ({ffun heads -> 'M[F]_w * 'M[F]_(w, e)} * {ffun heads -> {ffun H -> 'M[F]_d}})%type.

Definition keys_values (Q : queries) x (s : seq H) (g : 'I_d * 'I_d) (th : parameters) :
    keysvalues :=
  [ffun a => (col_mx (th.1 a).1 (invmx (usubmx (Q a + tauQ x a)) *m (tauK x a + (th.1 a).2))^T,
              th.2 (a.1, nth h0 s a.1) a.2 *m (if a.1.+1 == L then gamma F g else 1%:M))].

Definition value_block (th : parameters) (l : 'I_L) : 'M[F]_(#|[finType of H * 'I_d]|) :=
  \matrix_(y, z) th.2 (l, (enum_val z).1) (enum_val y).1 (enum_val y).2 (enum_val z).2.

(* With the inverse of a block, the values have a dual basis. *)
Definition dual_value (th : parameters) l b h : 'M[F]_d :=
  \matrix_(i, j) invmx (value_block th l) (enum_rank (b, i)) (enum_rank (h, j)).

Lemma dual_valueP th l a b : value_block th l \in unitmx ->
  \sum_h dual_value th l b h *m th.2 (l, a) h = (a == b)%:R%:M.
Proof.
move=> uB; apply/matrixP => i j; rewrite summxE.
have /matrixP /(_ (enum_rank (b, i)) (enum_rank (a, j))) := mulVmx uB.
rewrite [X in X = _]mxE [X in _ = X]mxE (inj_eq enum_rank_inj) xpair_eqE [b == a]eq_sym => inv.
have -> : ((a == b)%:R%:M : 'M[F]_d) i j = ((a == b) && (i == j))%:R by rewrite !mxE; do 2!case: eqP.
rewrite -inv (reindex _ (onW_bij _ (@enum_rank_bij [finType of H * 'I_d]))).
pose f h k := invmx (value_block th l) (enum_rank (b, i)) (enum_rank (h, k)) *
   value_block th l (enum_rank (h, k)) (enum_rank (a, j)).
rewrite (eq_bigr (fun y => f y.1 y.2)) => [|[]] //; rewrite -(pair_bigA _ f).
apply: eq_bigr => h _; rewrite mxE; apply: eq_bigr => k _.
by rewrite /f mxE [value_block _ _ _ _]mxE !enum_rankK.
Qed.

Lemma almost_every_value_block l : almost_every (fun th => value_block th l \in unitmx).
Proof.
apply: almost_every_unit.
  by exists (fun th => value_block th l) => th th' t; apply/matrixP => y z; rewrite !mxE !ffunE !mxE.
exists (0, [ffun a => [ffun h => (a.2 == h)%:R%:M]]).
have -> : value_block (0, [ffun a => [ffun h => (a.2 == h)%:R%:M]]) l = 1%:M; last exact: unitmx1.
apply/matrixP => y z; rewrite !mxE !ffunE !mxE /=.
rewrite -(inj_eq enum_val_inj) [in RHS](surjective_pairing (enum_val y)) [in RHS](surjective_pairing (enum_val z)).
by rewrite xpair_eqE eq_sym; case: eqP => _; case: eqP.
Qed.

Section KeysValues.
Variables (Q : queries) (x : 'I_Mt) (s : seq H) (g : 'I_d * 'I_d).
Let G l := if l.+1 == L then gamma F g else 1%:M.

Lemma affine_keys_values : affine_map (keys_values Q x s g).
Proof.
exists (fun th : parameters => [ffun a =>
  (col_mx (th.1 a).1 (invmx (usubmx (Q a + tauQ x a)) *m (th.1 a).2)^T, th.2 (a.1, nth h0 s a.1) a.2 *m G a.1)]).
move=> th th' t; apply/ffunP => a; rewrite !ffunE [RHS]pair_line scale_col_mx add_col_mx; congr (col_mx _ _, _).
  by rewrite addrA [invmx _ *m (_ + _ + _)]mulmxDr -scalemxAr linearD linearZ.
by rewrite mulmxDl scalemxAl.
Qed.

Lemma keys_values_onto (KV : keysvalues) : (forall a, usubmx (Q a + tauQ x a) \in unitmx) ->
  exists th, keys_values Q x s g th = KV.
Proof.
move=> uQ; have uG l : G l \in unitmx by rewrite /G; case: ifP => _; rewrite ?gamma_unit ?unitmx1.
exists ([ffun a => (usubmx (KV a).1, usubmx (Q a + tauQ x a) *m (dsubmx (KV a).1)^T - tauK x a)],
        [ffun a => [ffun h => (KV (a.1, h)).2 *m invmx (G a.1)]]).
apply/ffunP => [[l h]]; rewrite !ffunE /= [_ + (_ - _)]addrC subrK mulKmx ?uQ // trmxK vsubmxK.
by rewrite -/(G l) mulmxKV //; case: (KV _).
Qed.
End KeysValues.

Lemma generic_family : exists (Q : queries) (th : parameters),
  [/\ forall x a, usubmx (Q a + tauQ x a) \in unitmx, forall a, (th.1 a).1 \in unitmx,
      forall l a h, th.2 (l, a) h \in unitmx, forall l, value_block th l \in unitmx &
      forall x s g, size s = L -> A (assemble x Q (keys_values Q x s g th))].
Proof.
have [Q [uQ AQ]] := generic_queries; exists Q.
have aK : almost_every (fun th : parameters => forall a, (th.1 a).1 \in unitmx).
  apply: almost_every_forall => a; apply: almost_every_unit.
    by exists (fun th : parameters => (th.1 a).1) => th th' t; rewrite !ffunE.
  exists ([ffun => (1%:M, 0)], 0); rewrite ffunE; exact: unitmx1.
have aV : almost_every (fun th : parameters => forall b : heads * H, th.2 b.1 b.2 \in unitmx).
  apply: almost_every_forall => -[a h]; apply: almost_every_unit.
    by exists (fun th : parameters => th.2 a h) => th th' t; rewrite !ffunE.
  exists (0, [ffun => [ffun => 1%:M]]); rewrite !ffunE; exact: unitmx1.
have aB := almost_every_forall almost_every_value_block.
have aT : almost_every (fun th => forall b : 'I_Mt * L.-tuple H * ('I_d * 'I_d),
    A (assemble b.1.1 Q (keys_values Q b.1.1 b.1.2 b.2 th))).
  apply: almost_every_forall => -[[x s] g]; apply: (almost_every_affine _ (AQ x)); first exact: affine_keys_values.
  by move=> KV; apply: keys_values_onto.
have /almost_every_exists[th [uK [uV [uB Ath]]]] := almost_everyI aK (almost_everyI aV (almost_everyI aB aT)).
exists th; split=> // [l a h|x s g sL]; first exact: (uV ((l, a), h)).
have sz : size s == L by apply/eqP.
exact: (Ath (x, Tuple sz, g)).
Qed.
End GenericFamily.
