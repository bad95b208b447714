(* Average-hard attention, and what one head can read.

   Claim.  A head of (generalised) average-hard attention returns the mean of the
   values of the keys with the largest score, among those that a mask of positions
   admits.  With the 0/1 score of a selector of positions it returns the mean over the
   selected keys; so a selector of one position per query reads the value there, and
   the score "the value itself", masked to a block of positions, returns the largest
   value of the block.

   Main definitions
     hard_attention T mask score x i   the answer of the head at the query i, for T
                                       tokens and the values x
     pick T at x i                     the head that reads the position [at i]
     largest T block x i               the head that returns the largest value among
                                       the positions j with block i j
   Main results
     select_mean       a selector that is not empty at i returns a mean, sum / number
     pickE             pick T at x i = x (at i)
     largestP          largest is attained in the block, and no value there exceeds it

   Reference: On the Existence of Universal Simulators of Attention.              *)

From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section HardAttention.
Variables (R : realFieldType) (T : nat).
Implicit Types (x : nat -> R) (i : nat).

Section Head.
Variables (mask : nat -> nat -> bool) (score : nat -> nat -> R).

Definition chosen i (j : 'I_T) : bool :=
  mask i j && [forall j' : 'I_T, mask i j' ==> (score i j' <= score i j)].

Definition hard_attention x i : R := (\sum_(j in chosen i) x j) / #|chosen i|%:R.

(* Equal values have that value as their mean. *)
Lemma hard_attention_const x i (j0 : 'I_T) a : chosen i j0 ->
  (forall j, chosen i j -> x j = a) -> hard_attention x i = a.
Proof.
move=> c0 xa; have n0 : (#|chosen i|%:R : R) != 0 by rewrite pnatr_eq0 -lt0n; apply/card_gt0P; exists j0.
rewrite /hard_attention (eq_bigr (fun=> a)) ?sumr_const => [|j]; last exact: xa.
by rewrite -[a *+ _]mulr_natr mulfK.
Qed.
End Head.

Definition everywhere (i j : nat) : bool := true.

Lemma select_chosen (sel : nat -> nat -> bool) i (j0 j : 'I_T) : sel i j0 ->
  chosen everywhere (fun i j => (sel i j)%:R) i j = sel i j.
Proof.
move=> s0; rewrite /chosen /=; apply/forallP/idP => [/(_ j0) | sj j'] /=.
  by rewrite s0; case: (sel i j) => //=; rewrite ler10.
by rewrite sj ler_nat leq_b1.
Qed.

Theorem select_mean (sel : nat -> nat -> bool) x i (j0 : 'I_T) : sel i j0 ->
  hard_attention everywhere (fun i j => (sel i j)%:R) x i =
  (\sum_(j < T | sel i j) x j) / #|[pred j : 'I_T | sel i j]|%:R.
Proof.
move=> s0; rewrite /hard_attention (eq_bigl (fun j : 'I_T => sel i j)) => [|j]; last exact: (select_chosen j s0).
by congr (_ / _%:R); apply: eq_card => j; rewrite !inE -(select_chosen j s0).
Qed.

Definition pick (at_ : nat -> nat) : (nat -> R) -> nat -> R :=
  hard_attention everywhere (fun i j => (j == at_ i)%:R).

Theorem pickE at_ x i : (at_ i < T)%N -> pick at_ x i = x (at_ i).
Proof.
move=> lt_at; pose sel i j := j == at_ i; have s0 : sel i (Ordinal lt_at) by apply: eqxx.
apply: (@hard_attention_const _ _ _ _ (Ordinal lt_at)) => [|j]; rewrite (select_chosen _ s0) //.
by move/eqP->.
Qed.

Definition largest (block : nat -> nat -> bool) x i : R := hard_attention block (fun _ => x) x i.

Theorem largestP (block : nat -> nat -> bool) x i (j0 : 'I_T) : block i j0 ->
  (exists2 j : 'I_T, block i j & largest block x i = x j) /\ (forall j : 'I_T, block i j -> x j <= largest block x i).
Proof.
move=> b0; pose j := [arg max_(j > j0 | block i j) x j]%O.
have [bj xj] : block i j /\ forall j' : 'I_T, block i j' -> x j' <= x j.
  by rewrite /j; case: arg_maxP => // j' bj xj; split.
have lE : largest block x i = x j.
  apply: (@hard_attention_const _ _ _ _ j) => [|j' /andP[bj' /forallP/(_ j)]].
    by rewrite /chosen bj; apply/forallP => j'; apply/implyP/xj.
  by rewrite bj /= => le_j; apply/le_anti/andP; split; first exact: xj.
by rewrite lE; split; first by exists j.
Qed.
End HardAttention.
