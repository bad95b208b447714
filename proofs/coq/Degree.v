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

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Slots BlockMatrix.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

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
