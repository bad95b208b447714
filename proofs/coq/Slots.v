(* Slots, and their number N(H, L, d, k).

   Claim.  The path conditions on a program are N scalar columns, where
     N = 2k (H + H^2 + ... + H^L) + d H^L.

   Main definitions
     slot H k L d    one scalar column: (layer, path, head, query or key, column)
                     or (full path, column); H is the set of heads
     N H k L d       the number of slots, for H heads; it computes
     spath s         the path of the slot s
   Main results
     card_slot       #|slot H k L d| = N #|H| k L d
     NE              N as the sum above

   Reference: Fixed Universal Transformers (arXiv:2605.31423).                  *)

From mathcomp Require Import all_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* H + H^2 + ... + H^L *)
Fixpoint powers (H L : nat) : nat := if L is l.+1 then powers H l + H ^ l.+1 else 0.

Definition N (H k L d : nat) : nat := 2 * k * powers H L + d * H ^ L.

Lemma powersE H L : powers H L = \sum_(1 <= l < L.+1) H ^ l.
Proof. by elim: L => [|L IHL] /=; [rewrite big_geq | rewrite big_nat_recr //= IHL]. Qed.

Lemma NE H k L d : N H k L d = 2 * k * (\sum_(1 <= l < L.+1) H ^ l) + d * H ^ L.
Proof. by rewrite /N powersE. Qed.

Lemma N_gt0 H k L d : 0 < H -> 0 < d -> 0 < N H k L d.
Proof. by move=> H0 d0; rewrite /N ltn_addl // muln_gt0 d0 expn_gt0 H0. Qed.

Notation slotT H k L := (fun l : 'I_L => (l.-tuple H * H * bool * 'I_k)%type).

(* The layer l is 0, ..., L-1; its paths have length l.  The boolean tells the
   queries (true) from the keys (false). *)
Definition slot (H : finType) (k L d : nat) : finType :=
  [finType of {l : 'I_L & (l.-tuple H * H * bool * 'I_k)%type} + (L.-tuple H * 'I_d)]%type.

Lemma card_slot (H : finType) k L d : #|slot H k L d| = N #|H| k L d.
Proof.
rewrite NE /slot card_sum card_prod card_tuple card_ord [d * _]mulnC; congr (_ + _).
rewrite card_tagged sumnE big_map big_enum /= big_add1 /= big_mkord big_distrr /=.
apply: eq_bigr => l _.
by rewrite !card_prod card_tuple card_bool card_ord -expnSr -mulnA mulnC.
Qed.

Definition spath (H : finType) (k L d : nat) (s : slot H k L d) : seq H :=
  match s with inl (existT l (p, h, c, i)) => p | inr (p, i) => p end.
