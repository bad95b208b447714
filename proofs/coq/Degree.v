(* Degrees, and what few zeros a polynomial has.

   Parts
     The degree of the determinant that decides universality.
     The Schwartz-Zippel lemma, for independent uniform samples from a finite set.   *)

From mathcomp Require Import all_ssreflect ssralg ssrnum zmodp matrix mxalgebra poly.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The degree of the determinant that decides universality.

   Claim.  Let all entries of a backbone and of its read-out be elements of
   degree at most 1 of a filtered commutative ring, for example indeterminates.
   Then a determinant of N rows of the block matrix has degree at most
     D(H, L, d, k) = sum_l 2k l H^l + d (L+1) H^L,
   since R_p RQ has degree |p| + 1 and R_p U has degree L + 1.

   Main definitions
     D H k L d           the number above, for H heads; it computes
     degree_bound dg     dg e x reads "x has degree at most e"; the laws of dg
     slot_degree s       the degree of the column of the slot s
   Main results
     degree_minor        D bounds the degree of \det (J *m blockmx L P U)
     poly_degree         the instance {poly R}: size p <= e.+1
     mpoly_degree        the instance {mpoly R[n]}: msize p <= e.+1             *)

(* H + 2 H^2 + ... + L H^L *)
Fixpoint weighted_powers (H L : nat) : nat :=
  if L is l.+1 then (weighted_powers H l + l.+1 * H ^ l.+1)%N else 0%N.

Definition D (H k L d : nat) : nat := (2 * k * weighted_powers H L + d * L.+1 * H ^ L)%N.

Lemma DE H k L d : D H k L d = (\sum_(1 <= l < L.+1) 2 * k * l * H ^ l + d * L.+1 * H ^ L)%N.
Proof.
congr addn; elim: L => [|L IHL] /=; first by rewrite big_geq // muln0.
by rewrite big_nat_recr //= -IHL mulnDr mulnA.
Qed.

Section Filtered.
Variables (A : comRingType) (dg : nat -> A -> Prop).

Record degree_bound : Prop := DegreeBound {
  deg0 : forall e, dg e 0;
  deg1 : dg 0 1;
  degN : forall e x, dg e x -> dg e (- x);
  degD : forall e x y, dg e x -> dg e y -> dg e (x + y);
  degM : forall a b x y, dg a x -> dg b y -> dg (a + b) (x * y) }.

Hypothesis dgP : degree_bound.
Let dg0 := deg0 dgP.
Let dg1 := deg1 dgP.
Let dgN := degN dgP.
Let dgD := degD dgP.
Let dgM := degM dgP.

Lemma dg_sum (I : Type) (r : seq I) e (f : I -> A) :
  (forall i, dg e (f i)) -> dg e (\sum_(i <- r) f i).
Proof. by move=> fe; elim/big_rec: _ => [|i x _ xe]; [exact: dg0 | exact: dgD]. Qed.

Lemma dg_prod (I : Type) (r : seq I) (e : I -> nat) (f : I -> A) :
  (forall i, dg (e i) (f i)) -> dg (\sum_(i <- r) e i) (\prod_(i <- r) f i).
Proof.
move=> fe; elim: r => [|i r IHr]; rewrite ?big_nil ?big_cons; first exact: dg1.
exact: dgM.
Qed.

Definition dgmx e m n (B : 'M[A]_(m, n)) : Prop := forall i j, dg e (B i j).

Lemma dgmxM a b m n r (B : 'M_(m, n)) (C : 'M_(n, r)) : dgmx a B -> dgmx b C -> dgmx (a + b) (B *m C).
Proof. by move=> aB bC i j; rewrite mxE; apply: dg_sum => s; apply: dgM. Qed.

Lemma dg_det n (c : 'I_n -> nat) (B : 'M[A]_n) :
  (forall i j, dg (c j) (B i j)) -> dg (\sum_j c j) (\det B).
Proof.
move=> cB; apply: dg_sum => s; rewrite -[(\sum_j _)%N]add0n; apply: dgM.
  by rewrite -signr_odd; case: odd; rewrite ?expr0 ?expr1; [exact/dgN/dg1 | exact: dg1].
by rewrite (reindex_inj (@perm.perm_inj _ s)) /=; apply: dg_prod.
Qed.

Section Backbone.
Variables (H : finType) (k L d m : nat).
Notation slot := (slot H k L d).

Definition slot_degree (s : slot) : nat :=
  match s with inl (existT l _) => l.+1 | inr _ => L.+1 end.

Lemma sum_slot_degree : (\sum_(j < #|slot|) slot_degree (enum_val j))%N = D #|H| k L d.
Proof.
rewrite -(big_enum_val (A := predT) slot_degree) /= DE big_sumType /=; congr addn; last first.
  by rewrite sum_nat_const card_prod card_tuple card_ord [RHS]mulnC mulnA.
transitivity (\sum_(l < L) \sum_(x : (l.-tuple H * H * bool * 'I_k)%type) l.+1)%N.
  rewrite (sig_big_dep (fun _ => true) (fun _ _ => true) (fun (l : 'I_L) _ => l.+1)) /=.
  by apply: eq_big => [|[l x]].
rewrite big_add1 /= big_mkord; apply: eq_bigr => l _.
rewrite sum_nat_const !card_prod card_tuple card_bool card_ord -expnSr.
by rewrite [RHS]mulnC !mulnA.
Qed.

Variables (P : weights A H k m) (U : 'M[A]_(m, d)).
Hypotheses (P1 : forall l h, [/\ dgmx 1 (WQ P l h), dgmx 1 (WK P l h) & dgmx 1 (WV P l h)]) (U1 : dgmx 1 U).

Lemma dg_pathmx l (p : seq H) : dgmx (size p) (pathmx (WV P) l p).
Proof.
elim: p l => [|h p IHp] l /=; last by rewrite -add1n; apply: dgmxM => //; have [] := P1 l h.
by move=> i j; rewrite mxE; case: (i == j); [exact: dg1 | exact: dg0].
Qed.

Lemma dg_entry a (s : slot) : dg (slot_degree s) (entry P U a s).
Proof.
case: s => [[l [[[p h] c] i]] | [p i]] /=; rewrite -addn1 -{1}(size_tuple p).
  by have [Q1 K1 _] := P1 l h; case: c; apply: dgmxM => //; apply: dg_pathmx.
by apply: dgmxM => //; apply: dg_pathmx.
Qed.

Theorem degree_minor (J : 'M[A]_(#|slot|, m)) : dgmx 0 J ->
  dg (D #|H| k L d) (\det (J *m blockmx L P U)).
Proof.
move=> J0; rewrite -sum_slot_degree; apply: dg_det => i j.
rewrite mxE; apply: dg_sum => a; rewrite -[slot_degree _]add0n; apply: dgM => //.
by rewrite mxE; apply: dg_entry.
Qed.
End Backbone.
End Filtered.

Lemma poly_degree (R : comRingType) : degree_bound (fun e (p : {poly R}) => (size p <= e.+1)%N).
Proof.
split=> [e||e p|e p q|a b p q]; rewrite ?size_poly0 ?size_poly1 ?size_opp // => pe qe.
  by apply: leq_trans (size_add _ _) _; rewrite geq_max pe.
apply: leq_trans (size_mul_leq p q) _.
by have := leq_add pe qe; rewrite addSn addnS -subn1 leq_subLR add1n.
Qed.

Lemma mpoly_degree (R : comRingType) n : degree_bound (fun e (p : {mpoly R[n]}) => (msize p <= e.+1)%N).
Proof.
split=> [e||e p|e p q|a b p q]; rewrite ?msize0 ?msize1 ?mmeasureN // => pe qe.
  by apply: leq_trans (mmeasureD_le _ _ _) _; rewrite geq_max pe.
have [->|p0] := eqVneq p 0; first by rewrite mul0r msize0.
have [->|q0] := eqVneq q 0; first by rewrite mulr0 msize0.
have [->|pq0] := eqVneq (p * q) 0; first by rewrite msize0.
rewrite -mlead_deg // ltnS; have /lemc_mdeg := mleadM_le p q; rewrite mdegD => /leq_trans; apply.
by rewrite leq_add // -ltnS mlead_deg.
Qed.

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
