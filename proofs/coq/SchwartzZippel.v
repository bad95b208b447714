(* The Schwartz-Zippel lemma, for independent uniform samples from a finite set.

   Claim.  A nonzero polynomial of degree at most e over a field vanishes on at
   most e s^(n-1) of the s^n points whose n coordinates are taken from s values.
   Induction on n: where the leading coefficient in the last variable is not
   zero, few values of that variable are roots.

   Main definitions
     zeros sample p    the points of {ffun 'I_n -> T} at which p vanishes, where
                       sample : T -> F lists the values
   Main results
     schwartz_zippel   #|zeros sample p| * #|T| <= e * #|T| ^ n
     nonzero_point     in characteristic 0 a nonzero polynomial has a value != 0

   Reference: textbook (Schwartz 1980, Zippel 1979).                            *)

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The last variable of p becomes the variable of muni p. *)
Section LastVariable.
Variables (F : fieldType) (n : nat) (p : {mpoly F[n.+1]}).
Notation rest m := [multinom (m : 'X_{1..n.+1}) (widen_ord (leqnSn n) i) | i < n].

Lemma coef_muni j : (muni p)`_j = \sum_(m <- msupp p) (p@_m *: 'X_[rest m]) *+ (j == m ord_max).
Proof.
by rewrite muniE coef_sum; apply: eq_bigr => m _; rewrite coefZ coefXn mulr_natr.
Qed.

Lemma mdeg_rest (m : 'X_{1..n.+1}) : mdeg m = (mdeg (rest m) + m ord_max)%N.
Proof. by rewrite !mdegE big_ord_recr /=; congr addn; apply: eq_bigr => i _; rewrite mnmE. Qed.

Lemma rest_inj (m m' : 'X_{1..n.+1}) : rest m = rest m' -> m ord_max = m' ord_max -> m = m'.
Proof.
move=> /mnmP er em; apply/mnmP => i; have [j ->|->] := unliftP ord_max i; last exact: em.
have -> : lift ord_max j = widen_ord (leqnSn n) j by apply: val_inj; rewrite /= /bump leqNgt ltn_ord.
by have := er j; rewrite !mnmE.
Qed.

Lemma muni_neq0 : p != 0 -> muni p != 0.
Proof.
rewrite -msupp_eq0; case ep: (msupp p) => [|m s] // _; have mp : m \in msupp p by rewrite ep mem_head.
apply: contraTneq mp => q0; rewrite mcoeff_msupp negbK.
have : (muni p)`_(m ord_max) @_(rest m) = 0 by rewrite q0 coef0 mcoeff0.
rewrite coef_muni raddf_sum /= => <-.
have [mp|] := boolP (m \in msupp p); last first.
  by rewrite ep mem_head.
rewrite (bigD1_seq m) ?msupp_uniq //= eqxx mulr1n mcoeffZ mcoeffX eqxx mulr1.
rewrite big1 ?addr0 // => m' m'm; case: eqP => [em|_]; last by rewrite mulr0n mcoeff0.
rewrite mulr1n mcoeffZ mcoeffX; case: eqP => [er|_]; last by rewrite mulr0.
by rewrite (rest_inj er (esym em)) eqxx in m'm.
Qed.

Lemma msize_coef_muni e j : (msize p <= e.+1)%N -> (muni p)`_j != 0 ->
  (j <= e)%N /\ (msize (muni p)`_j <= (e - j).+1)%N.
Proof.
move=> pe; rewrite coef_muni => c0.
have small m : m \in msupp p -> j == m ord_max -> (mdeg (rest m) + j <= e)%N.
  by move=> mp /eqP ->; rewrite -mdeg_rest -ltnS (leq_trans (msize_mdeg_lt mp)).
split.
  rewrite leqNgt; apply: contraNN c0 => ej; rewrite big_seq big1 // => m mp.
  case: eqP => // /eqP jm; have := leq_ltn_trans (small m mp jm) ej.
  by rewrite ltnNge leq_addl.
rewrite big_seq; elim/big_rec: _ => [|m q mp qe]; first by rewrite msize0.
apply: leq_trans (mmeasureD_le _ _ _) _; rewrite geq_max qe andbT.
case: eqP => [/eqP jm|_]; last by rewrite mulr0n msize0.
rewrite mulr1n; apply: leq_trans (msizeZ_le _ _) _; rewrite msizeX ltnS.
have sm := small m mp jm; have je : (j <= e)%N := leq_trans (leq_addl _ _) sm.
by rewrite leq_subRL // addnC.
Qed.

Lemma meval_muni (v : 'I_n.+1 -> F) :
  p.@[v] = (map_poly (meval (fun i => v (widen_ord (leqnSn n) i))) (muni p)).[v ord_max].
Proof.
rewrite muniE rmorph_sum horner_sum mevalE; apply: eq_bigr => m _.
rewrite /= map_polyZ map_polyXn hornerZ hornerXn /= mevalZ mevalX -mulrA; congr (_ * _).
by rewrite big_ord_recr /=; congr (_ * _); apply: eq_bigr => i _; rewrite mnmE.
Qed.
End LastVariable.

Section SchwartzZippel.
Variables (F : fieldType) (T : finType) (sample : T -> F).
Hypothesis sample_inj : injective sample.

Definition zeros n (p : {mpoly F[n]}) : {set {ffun 'I_n -> T}} :=
  [set t : {ffun 'I_n -> T} | p.@[fun i => sample (t i)] == 0].

Lemma card_roots (q : {poly F}) : q != 0 -> (#|[set x : T | root q (sample x)]| <= (size q).-1)%N.
Proof.
move=> q0; rewrite cardE -(size_map sample) -ltnS prednK ?size_poly_gt0 //.
apply: max_poly_roots => //; last by rewrite map_inj_uniq ?enum_uniq.
by apply/allP => _ /mapP[x + ->]; rewrite mem_enum inE.
Qed.

Definition extend n (tx : {ffun 'I_n -> T} * T) : {ffun 'I_n.+1 -> T} :=
  [ffun i => if unlift ord_max i is Some j then tx.1 j else tx.2].

Lemma extend_bij n : bijective (@extend n).
Proof.
exists (fun t : {ffun 'I_n.+1 -> T} => ([ffun j => t (lift ord_max j)], t ord_max)) => [[t x]|t].
  by rewrite /extend; congr pair; [apply/ffunP=> j|]; rewrite !ffunE ?liftK ?unlift_none.
by apply/ffunP=> i; rewrite ffunE; have [j ->|->] := unliftP ord_max i; rewrite ?ffunE.
Qed.

Theorem schwartz_zippel n (p : {mpoly F[n]}) e : p != 0 -> (msize p <= e.+1)%N ->
  (#|zeros p| * #|T| <= e * #|T| ^ n)%N.
Proof.
elim: n p e => [|n IHn] p e p0 pe.
  suff -> : zeros p = set0 by rewrite cards0.
  apply/setP=> t; rewrite !inE; apply: contraNF p0 => /eqP pt.
  have [c pc] : exists c, p = c%:MP.
    exists p@_0; apply: msize1_polyC; rewrite msizeE; apply/bigmax_leqP_seq => m _ _.
    by rewrite mdegE big_ord0.
  by move: pt; rewrite pc mevalC => ->.
pose q := muni p; pose j := (size q).-1; pose a := lead_coef q.
have q0 : q != 0 by apply: muni_neq0.
have a0 : a != 0 by rewrite lead_coef_eq0.
have [je ae] : (j <= e)%N /\ (msize a <= (e - j).+1)%N by apply: msize_coef_muni.
pose qt (t : {ffun 'I_n -> T}) := map_poly (meval (fun i => sample (t i))) q.
have zE t x : (extend (t, x) \in zeros p) = root (qt t) (sample x).
  rewrite inE meval_muni rootE /qt /extend ffunE unlift_none; congr (_ == 0).
  congr (horner _ _); apply: eq_map_poly => r; apply: meval_eq => i.
  have -> : widen_ord (leqnSn n) i = lift ord_max i by apply: val_inj; rewrite /= /bump leqNgt ltn_ord.
  by rewrite ffunE liftK.
have zb t : (#|[set x : T | root (qt t) (sample x)]| <= (t \in zeros a) * #|T| + j)%N.
  have [_|nz] := boolP (t \in zeros a); first by rewrite mul1n (leq_trans (max_card _)) ?leq_addr.
  rewrite inE in nz; have qt0 : qt t != 0.
    by apply: contraNneq nz => qt0; have := coef_map [rmorphism of meval (fun i => sample (t i))] q j;
       rewrite /= -/(qt t) qt0 coef0 => <-.
  apply: leq_trans (card_roots qt0) _; rewrite mul0n add0n /j /qt.
  by rewrite -!subn1 leq_sub2r // size_poly.
have -> : #|zeros p| = (\sum_t #|[set x : T | root (qt t) (sample x)]|)%N.
  rewrite -sum1_card (reindex (@extend n)) /=; last exact/onW_bij/extend_bij.
  rewrite big_mkcond /= -(pair_bigA _ (fun t x => if extend (t, x) \in zeros p then 1 else 0)%N) /=.
  apply: eq_bigr => t _; rewrite -big_mkcond /= -sum1_card; apply: eq_bigl => x.
  by rewrite zE inE.
have sb : (\sum_t #|[set x : T | root (qt t) (sample x)]| <= #|zeros a| * #|T| + j * #|T| ^ n)%N.
  apply: leq_trans (leq_sum _ (fun t _ => zb t)) _; rewrite big_split /= leq_add //.
    rewrite -big_distrl leq_mul2r; apply/orP; right; rewrite -[#|zeros a|]sum1_card [X in (_ <= X)%N]big_mkcond.
    by apply: leq_sum => t _; case: (t \in _).
  by rewrite sum_nat_const card_ffun card_ord mulnC.
apply: (@leq_trans ((e - j) * #|T| ^ n * #|T| + j * #|T| ^ n * #|T|)).
  rewrite -mulnDl leq_mul2r; apply/orP; right; apply: leq_trans sb _.
  by rewrite leq_add2r IHn.
by rewrite -!mulnA -expnSr -mulnDl subnK.
Qed.
End SchwartzZippel.

Corollary nonzero_point (F : numFieldType) n (p : {mpoly F[n]}) : p != 0 -> exists v : 'I_n -> F, p.@[v] != 0.
Proof.
move=> p0; pose sample (i : 'I_(msize p).+1) : F := i%:R.
have inj : injective sample by move=> i j /eqP; rewrite eqr_nat => /eqP/val_inj.
have := schwartz_zippel inj p0 (leqnSn _); rewrite card_ord => zeros_few.
have [t] : exists t, t \notin zeros sample p.
  apply/existsP; rewrite -negb_forall; apply: contraL zeros_few => /forallP all0.
  rewrite -ltnNge (_ : zeros sample p = setT); last by apply/setP=> t; rewrite [RHS]inE all0.
  by rewrite cardsT card_ffun !card_ord mulnC ltn_mul2l ltnSn expn_gt0.
by rewrite inE => pt; exists (fun i => sample (t i)).
Qed.
