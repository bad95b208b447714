(* Families of almost all targets.

   Parts
     Almost every point of a vector space, without measure and without degree.
     The targets of FamilyRank.v can be chosen outside any zero set.   *)

From mathcomp Require Import all_ssreflect ssralg ssrnum zmodp matrix mxalgebra poly.
From Symut Require Import Network ReadOff FamilyRank.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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

Lemma almost_every_exists4 (A B C D : V -> Prop) : almost_every A -> almost_every B -> almost_every C ->
  almost_every D -> exists x, [/\ A x, B x, C x & D x].
Proof.
move=> aA aB aC aD; have [x [[Ax Bx] [Cx Dx]]] := almost_every_exists (almost_everyI (almost_everyI aA aB)
  (almost_everyI aC aD)).
by exists x.
Qed.

Lemma almost_every_choose4 (A B C D : V -> Prop) (P : Prop) : almost_every A -> almost_every B -> almost_every C ->
  almost_every D -> (forall x, A x -> B x -> C x -> D x -> P) -> P.
Proof. by move=> aA aB aC aD AP; have [x []] := almost_every_exists4 aA aB aC aD; apply: AP. Qed.

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

Lemma affine_map_const (F : numFieldType) (V V' : lmodType F) (c : V') : affine_map (fun _ : V => c).
Proof. by exists (fun=> 0) => x y t; rewrite scaler0 addr0. Qed.

Lemma affine_map_addr (F : numFieldType) (V V' : lmodType F) (phi : V -> V') c :
  affine_map phi -> affine_map (fun x => phi x + c).
Proof. by case=> psi E; exists psi => x y t; rewrite E addrAC. Qed.

Lemma affine_map_pair (F : numFieldType) (V V1 V2 : lmodType F) (phi1 : V -> V1) (phi2 : V -> V2) :
  affine_map phi1 -> affine_map phi2 -> affine_map (fun x => (phi1 x, phi2 x)).
Proof. by case=> psi1 E1 [psi2 E2]; exists (fun x => (psi1 x, psi2 x)) => x y t; rewrite E1 E2. Qed.

Lemma affine_map_ffun (F : numFieldType) (V V' : lmodType F) (I : finType) (phi : V -> I -> V') :
  (forall a, affine_map (phi^~ a)) -> affine_map (fun x => [ffun a => phi x a]).
Proof.
move=> /fin_all_exists[psi phiE]; exists (fun x => [ffun a => psi a x]) => x y t.
by apply/ffunP => a; rewrite !ffunE phiE.
Qed.

Lemma ffun_line (R : ringType) (V : lmodType R) (I : finType) (f f' : {ffun I -> V}) t a :
  (f + t *: f') a = f a + t *: f' a.
Proof. by rewrite !ffunE. Qed.

Lemma affine_map_at (F : numFieldType) (V : lmodType F) (I : finType) (a : I) :
  affine_map (fun f : {ffun I -> V} => f a).
Proof. by exists (fun f : {ffun I -> V} => f a) => f f' t; apply: ffun_line. Qed.

Lemma affine_map_fst (F : numFieldType) (V V1 V2 : lmodType F) (phi : V -> V1 * V2) :
  affine_map phi -> affine_map (fun x => (phi x).1).
Proof. by case=> psi E; exists (fun x => (psi x).1) => x y t; rewrite E. Qed.

Lemma affine_map_snd (F : numFieldType) (V V1 V2 : lmodType F) (phi : V -> V1 * V2) :
  affine_map phi -> affine_map (fun x => (phi x).2).
Proof. by case=> psi E; exists (fun x => (psi x).2) => x y t; rewrite E. Qed.

Lemma affine_map_usubmx (F : numFieldType) (V : lmodType F) m n p (phi : V -> 'M[F]_(m + n, p)) :
  affine_map phi -> affine_map (fun x => usubmx (phi x)).
Proof. by case=> psi E; exists (fun x => usubmx (psi x)) => x y t; rewrite E linearD linearZ. Qed.

Lemma affine_map_mulmx (F : numFieldType) (V : lmodType F) m n p (phi : V -> 'M[F]_(m, n)) (A : 'M[F]_(n, p)) :
  affine_map phi -> affine_map (fun x => phi x *m A).
Proof. by case=> psi E; exists (fun x => psi x *m A) => x y t; rewrite E mulmxDl scalemxAl. Qed.

Lemma affine_map_keys (F : numFieldType) (V : lmodType F) m n p (A : 'M[F]_(n, m)) (B : 'M[F]_(m, p))
  (phi : V -> 'M[F]_n * 'M[F]_(m, p)) : affine_map phi ->
  affine_map (fun x => col_mx (phi x).1 (A *m (B + (phi x).2))^T).
Proof.
case=> psi E; exists (fun x => col_mx (psi x).1 (A *m (psi x).2)^T) => x y t.
by rewrite E scale_col_mx add_col_mx /= addrA [A *m (_ + _ + _)]mulmxDr -scalemxAr linearD linearZ.
Qed.

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

Section Lift.
Variables (T : Type) (x0 : T) (L : nat) (f : 'I_L -> T).
Definition by_layer (l : nat) : T := if insub l is Some i then f i else x0.
Lemma by_layerE l (lL : (l < L)%N) : by_layer l = f (Ordinal lL).
Proof. by rewrite /by_layer insubT. Qed.
End Lift.

(* matrices with the elements of a finite type as indices *)
Lemma sum_enum_rank (V : zmodType) (T : finType) (f : 'I_#|T| -> V) : \sum_y f y = \sum_x f (enum_rank x).
Proof. exact: reindex (onW_bij _ (@enum_rank_bij T)). Qed.

Lemma matrix_line (R : ringType) m n (f g g' : 'I_m -> 'I_n -> R) t : (forall y z, f y z = g y z + t * g' y z) ->
  \matrix_(y, z) f y z = \matrix_(y, z) g y z + t *: \matrix_(y, z) g' y z.
Proof. by move=> E; apply/matrixP => y z; rewrite !mxE. Qed.

Lemma mulmx1_enum (R : ringType) (T : finType) (A B : 'M[R]_#|T|) x y : A *m B = 1%:M ->
  \sum_z A (enum_rank x) (enum_rank z) * B (enum_rank z) (enum_rank y) = (x == y)%:R.
Proof.
move=> AB; have : (A *m B) (enum_rank x) (enum_rank y) = (x == y)%:R by rewrite AB mxE (inj_eq enum_rank_inj).
by rewrite mxE sum_enum_rank.
Qed.

Lemma matrix_enum1 (R : ringType) (T : finType) (f : T -> T -> R) : (forall x y, f x y = (x == y)%:R) ->
  \matrix_(y < #|T|, z < #|T|) f (enum_val y) (enum_val z) = 1%:M.
Proof. by move=> fE; apply/matrixP => y z; rewrite !mxE fE (inj_eq enum_val_inj). Qed.

Section Entries.
Variables (F : fieldType) (H : finType) (k L d : nat).

(* all entries of a target: (queries, keys, values) for every layer and head *)
Definition entries := {ffun 'I_L * H -> 'M[F]_(d, k) * 'M[F]_(d, k) * 'M[F]_d}.

Definition target (T : entries) : weights F H k d :=
  Weights (fun l h => by_layer 0 (fun i => (T (i, h)).1.1) l)
          (fun l h => by_layer 0 (fun i => (T (i, h)).1.2) l)
          (fun l h => by_layer 0 (fun i => (T (i, h)).2) l).

Lemma target_WQ T l h (lL : (l < L)%N) : WQ (target T) l h = (T (Ordinal lL, h)).1.1.
Proof. exact: by_layerE. Qed.

Lemma target_WK T l h (lL : (l < L)%N) : WK (target T) l h = (T (Ordinal lL, h)).1.2.
Proof. exact: by_layerE. Qed.

Lemma target_WV T l h (lL : (l < L)%N) : WV (target T) l h = (T (Ordinal lL, h)).2.
Proof. exact: by_layerE. Qed.
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
    exact (affine_map_usubmx (affine_map_addr _ (affine_map_at _ a))).
  exists ([ffun a => col_mx 1%:M 0 - tauQ x a] : queries); rewrite ffunE subrK col_mxKu; exact: unitmx1.
apply: almost_every_forall => x; apply: almost_every_slice aA.
- move=> KV; apply: affine_map_ffun => a; apply: affine_map_pair (affine_map_const _ _).
  apply: affine_map_pair (affine_map_const _ _).
  exact: affine_map_addr (affine_map_at _ _).
- move=> Q; apply: affine_map_ffun => a; apply: affine_map_pair; first apply: affine_map_pair (affine_map_const _ _) _.
    exact (affine_map_fst (affine_map_at _ a)).
  exact (affine_map_snd (affine_map_at _ a)).
move=> T; exists ([ffun a => (T a).1.1 - tauQ x a] : queries), ([ffun a => ((T a).1.2, (T a).2)] : keysvalues).
by apply/ffunP => a; rewrite ffunE ffunE subrK ffunE /=; case: (T a) => [[]].
Qed.

Definition parameters := ({ffun heads -> 'M[F]_w * 'M[F]_(w, e)} * {ffun heads -> {ffun H -> 'M[F]_d}})%type.

Lemma parameters_line1 (th th' : parameters) t a : (th + t *: th').1 a = th.1 a + t *: th'.1 a.
Proof. exact: ffun_line. Qed.

Lemma parameters_line2 (th th' : parameters) t a h : (th + t *: th').2 a h = th.2 a h + t *: th'.2 a h.
Proof. by rewrite -!ffun_line. Qed.

Lemma affine_parameters1 a : affine_map (fun th : parameters => th.1 a).
Proof. by exists (fun th : parameters => th.1 a) => th th' t; rewrite parameters_line1. Qed.

Lemma affine_parameters2 a h : affine_map (fun th : parameters => th.2 a h).
Proof. by exists (fun th : parameters => th.2 a h) => th th' t; rewrite parameters_line2. Qed.

Definition keys_values (Q : queries) x (s : seq H) (g : 'I_d * 'I_d) (th : parameters) :
    keysvalues :=
  [ffun a => (col_mx (th.1 a).1 (invmx (usubmx (Q a + tauQ x a)) *m (tauK x a + (th.1 a).2))^T,
              th.2 (a.1, nth h0 s a.1) a.2 *m (if a.1.+1 == L then gamma F g else 1%:M))].

Definition value_block (th : parameters) (l : 'I_L) : 'M[F]_(#|[finType of H * 'I_d]|) :=
  \matrix_(y, z) th.2 (l, (enum_val z).1) (enum_val y).1 (enum_val y).2 (enum_val z).2.

(* With the inverse of a block, the values have a dual basis. *)
Definition dual_value (th : parameters) l b h : 'M[F]_d :=
  \matrix_(i, j) invmx (value_block th l) (enum_rank (b, i)) (enum_rank (h, j)).

Lemma value_blockE th l y z : value_block th l (enum_rank y) (enum_rank z) = th.2 (l, z.1) y.1 y.2 z.2.
Proof. by rewrite mxE !enum_rankK. Qed.

Lemma dual_value_entries th l a b i j : value_block th l \in unitmx ->
  \sum_h \sum_k dual_value th l b h i k * th.2 (l, a) h k j = ((b, i) == (a, j))%:R.
Proof.
move=> uB; rewrite pair_bigA -(mulmx1_enum (b, i) (a, j) (mulVmx uB)); apply: eq_bigr => -[h k] _.
by rewrite value_blockE mxE.
Qed.

Lemma dual_valueP th l a b : value_block th l \in unitmx ->
  \sum_h dual_value th l b h *m th.2 (l, a) h = (a == b)%:R%:M.
Proof.
move=> uB; apply/matrixP => i j; rewrite summxE.
transitivity (((b, i) == (a, j))%:R : F).
  by rewrite -(dual_value_entries a b i j uB); apply: eq_bigr => h _; rewrite mxE.
by rewrite mxE xpair_eqE eq_sym; case: (a == b); rewrite ?mul0rn.
Qed.

Lemma almost_every_value_block l : almost_every (fun th => value_block th l \in unitmx).
Proof.
apply: almost_every_unit.
  exists (fun th => value_block th l) => th th' t; apply: matrix_line => y z.
  by rewrite parameters_line2 [LHS]mxE [X in _ + X]mxE.
exists (0, [ffun a => [ffun h => (a.2 == h)%:R%:M]]).
set th := (_, _); suff -> : value_block th l = 1%:M by exact: unitmx1.
have thE a b : th.2 (l, a) b = (a == b)%:R%:M by rewrite !ffunE.
apply: (matrix_enum1 (f := fun y z => th.2 (l, z.1) y.1 y.2 z.2)) => -[a i] [b j].
by rewrite thE mxE xpair_eqE eq_sym /=; case: (a == b); rewrite ?mul0rn.
Qed.

Lemma keys_of_scores (B : 'M[F]_w) (K : 'M[F]_(d, w)) (C : 'M[F]_(w, e)) : B \in unitmx ->
  col_mx (usubmx K) (invmx B *m (C + (B *m (dsubmx K)^T - C)))^T = K.
Proof. by move=> uB; rewrite [C + _]addrC subrK mulKmx // trmxK vsubmxK. Qed.

Section KeysValues.
Variables (Q : queries) (x : 'I_Mt) (s : seq H) (g : 'I_d * 'I_d).
Let G l := if l.+1 == L then gamma F g else 1%:M.

Lemma affine_keys_values : affine_map (keys_values Q x s g).
Proof.
apply: affine_map_ffun => a; apply: affine_map_pair; first exact (affine_map_keys _ _ (affine_parameters1 a)).
exact (affine_map_mulmx _ (affine_parameters2 _ _)).
Qed.

Lemma keys_values_onto (KV : keysvalues) : (forall a, usubmx (Q a + tauQ x a) \in unitmx) ->
  exists th, keys_values Q x s g th = KV.
Proof.
move=> uQ; have uG l : G l \in unitmx by rewrite /G; case: ifP => _; rewrite ?gamma_unit ?unitmx1.
pose th1 a := (usubmx (KV a).1, usubmx (Q a + tauQ x a) *m (dsubmx (KV a).1)^T - tauK x a).
pose th2 (a : heads) h := (KV (a.1, h)).2 *m invmx (G a.1).
exists ([ffun a => th1 a], [ffun a => [ffun h => th2 a h]]).
apply/ffunP => -[l h]; apply: etrans (ffunE _ _) (etrans _ (esym (surjective_pairing _))); congr (_, _).
  by rewrite [[ffun a => th1 a] _]ffunE keys_of_scores.
by rewrite /= ffunE ffunE mulmxKV.
Qed.
End KeysValues.

Lemma generic_family : exists (Q : queries) (th : parameters),
  [/\ forall x a, usubmx (Q a + tauQ x a) \in unitmx, forall a, (th.1 a).1 \in unitmx,
      forall l a h, th.2 (l, a) h \in unitmx, forall l, value_block th l \in unitmx &
      forall x s g, size s = L -> A (assemble x Q (keys_values Q x s g th))].
Proof.
elim: generic_queries => Q [uQ AQ]; exists Q.
have aK : almost_every (fun th : parameters => forall a, (th.1 a).1 \in unitmx).
  apply: almost_every_forall => a; apply: almost_every_unit.
    exact (affine_map_fst (affine_parameters1 a)).
  exists ([ffun => (1%:M, 0)], 0); rewrite ffunE; exact: unitmx1.
have aV : almost_every (fun th : parameters => forall b : heads * H, th.2 b.1 b.2 \in unitmx).
  apply: almost_every_forall => -[a h]; apply: almost_every_unit; first exact (affine_parameters2 a h).
  exists (0, [ffun => [ffun => 1%:M]]); rewrite !ffunE; exact: unitmx1.
have aB := almost_every_forall almost_every_value_block.
have aT : almost_every (fun th => forall b : 'I_Mt * L.-tuple H * ('I_d * 'I_d),
    A (assemble b.1.1 Q (keys_values Q b.1.1 b.1.2 b.2 th))).
  apply: almost_every_forall => -[[x s] g]; apply: (almost_every_affine _ (AQ x)); first exact: affine_keys_values.
  by move=> KV; apply: keys_values_onto.
apply: (almost_every_choose4 aK aV aB aT) => th uK uV uB Ath.
exists th; split=> // [l a h|x s g sL]; first exact: (uV ((l, a), h)).
have sz : size s == L by apply/eqP.
exact: (Ath (x, Tuple sz, g)).
Qed.
End GenericFamily.
