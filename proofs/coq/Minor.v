(* Almost every choice of the letters: one nonzero minor.

   Claim.  Let the letters and endings of some words be matrices of polynomials.
   If at one point some N combinations J M of the rows of their block matrix M
   form the identity, then outside the zero set of one nonzero polynomial, the
   determinant of J M, the block matrix has a left inverse.  The polynomial is 1 at
   that point, and its total degree is at most the sum of the degrees of the words.

   Main definitions
     word_degree delta c   the degree of the word c, if the letter a has the degree
                           delta a and every ending has the degree 1
     layered_degree a t L d
                           the sum of all degrees, for a letters of degree 1 and t
                           endings per layer; it computes
   Main results
     generic_words         the claim
     sum_word_degree       the sum of the degrees is layered_degree

   Reference: Fixed Universal Transformers (arXiv:2605.31423), random universal
   transformers.                                                                *)

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Degree Words.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Lemma meval_neq0 (F : fieldType) n (p : {mpoly F[n]}) v : p.@[v] = 1 -> p != 0.
Proof. by apply: contra_eqN => /eqP->; rewrite meval0 eq_sym oner_neq0. Qed.

Section Generic.
Variables (F : fieldType) (A T : finType) (L d n m : nat).
Notation word := (seq A * (T + 'I_d))%type.
Notation dg := (fun e (p : {mpoly F[n]}) => is_true (msize p <= e.+1)%N).

Definition word_degree (delta : A -> nat) (c : word) : nat := (sumn (map delta c.1)).+1.

Variables (J : 'M[F]_(#|wslot A T L d|, m)) (P : words A T d [comRingType of {mpoly F[n]}] m).
Variables (delta : A -> nat) (v0 : 'I_n -> F).
Hypothesis letter_degree : forall l a, dgmx dg (delta a) (letter P l a).
Hypothesis ending_degree : forall l k, dgmx dg 1 (ending P l k).
Notation at_point v := (map_words [rmorphism of meval v] P).
Hypothesis witness : J *m wordmx L (at_point v0) = 1%:M.

Let dgP := @mpoly_degree F n.

Lemma degree_word c : dgmx dg (word_degree delta c) (wordcol P c).
Proof.
rewrite /word_degree -addn1; apply: (dgmxM dgP) => //.
elim: (c.1) 0%N => [|a p IHp] l /=; last exact: (dgmxM dgP).
by move=> i j; rewrite mxE; case: (i == j); [exact: (deg1 dgP) | exact: (deg0 dgP)].
Qed.

Theorem generic_words : exists p : {mpoly F[n]},
  [/\ p.@[v0] = 1, (msize p <= (\sum_(s : wslot A T L d) word_degree delta (code s)).+1)%N &
      forall v, p.@[v] != 0 -> exists B, B *m wordmx L (at_point v) = 1%:M].
Proof.
pose p := \det (map_mx (@mpolyC n F) J *m wordmx L P).
have pE v : p.@[v] = \det (J *m wordmx L (at_point v)).
  rewrite -[LHS]/([rmorphism of meval v] p) -det_map_mx map_mxM map_wordmx -map_mx_comp.
  by congr (\det (_ *m _)); apply/matrixP => i j; rewrite mxE /= mevalC.
exists p; split.
- by rewrite pE witness det1.
- rewrite (reindex _ (onW_bij _ (@enum_val_bij _))) /=; apply: (dg_det dgP) => i j.
  rewrite mxE; apply: (dg_sum dgP) => a; rewrite -[X in (_ <= X.+1)%N]add0n.
  by apply: (degM dgP); rewrite mxE ?msizeC; [case: (J i a != 0) | apply: degree_word].
move=> v; rewrite pE -unitfE => u.
by exists (invmx (J *m wordmx L (at_point v)) *m J); rewrite -mulmxA mulVmx.
Qed.
End Generic.

(* 1 + 2 a + ... + L a^(L-1) *)
Fixpoint weighted_geometric (a L : nat) : nat := (if L is l.+1 then weighted_geometric a l + l.+1 * a ^ l else 0)%N.

Lemma weighted_geometricE a L : weighted_geometric a L = (\sum_(l < L) l.+1 * a ^ l)%N.
Proof. by elim: L => [|L IHL] /=; [rewrite big_ord0 | rewrite big_ord_recr /= IHL]. Qed.

Definition layered_degree (a t L d : nat) : nat := (t * weighted_geometric a L + d * (L.+1 * a ^ L))%N.

Lemma sum_word_degree (A T : finType) (L d : nat) :
  (\sum_(s : wslot A T L d) word_degree (fun=> 1) (code s) = layered_degree #|A| #|T| L d)%N.
Proof.
have degE (p : seq A) (k : T + 'I_d) : word_degree (fun=> 1%N) (p, k) = (size p).+1.
  by rewrite /word_degree sumnE big_map sum1_size.
rewrite big_sumType /=; congr addn; last first.
  rewrite (eq_bigr (fun=> L.+1)) => [|[p i] _]; last by rewrite /= degE size_tuple.
  by rewrite sum_nat_const card_prod card_tuple card_ord mulnAC mulnC [(_ * L.+1)%N]mulnC.
transitivity (\sum_(l < L) \sum_(s : l.-tuple A * T) l.+1)%N.
  by rewrite sig_big_dep; apply: eq_bigr => -[l [p t]] _; rewrite /= degE size_tuple.
rewrite weighted_geometricE big_distrr; apply: eq_bigr => l _ /=.
by rewrite sum_nat_const card_prod card_tuple mulnAC [(_ * #|T|)%N]mulnC [(_ * l.+1)%N]mulnC.
Qed.
