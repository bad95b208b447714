(* Softmax attention as three layers of hard attention and gates.

   Claim.  For all n, d, k, v one encoder of three layers computes softmax attention on
   any WQ, WK (d x k), WV (d x v), scale b and X (n x d) that the sequence holds in this
   order:
     layer 1   the entries of b X WQ, X WK and X WV: heads that read X and the weights,
               products, and b for the queries
     layer 2   the logits b (X WQ) (X WK)^T
     layer 3   the answer: the largest logit of the row is subtracted, exponentials,
               products with the entries of X WV, and one reciprocal
   The weights enter as tokens, so the number of heads, gates and tokens is polynomial.

   Main definitions
     projected, logits, attended
                          the three layers, as heads and gates at every token
     scaled_attention e b WQ WK WV X
                          softmax (b (X WQ) (X WK)^T) X WV
   Main result
     attention_correct    the claim

   Reference: On the Existence of Universal Simulators of Attention.              *)

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import HardAttention Simulators.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section AttentionSimulator.
Variables (R : realFieldType) (e : R -> R).
Hypotheses (e_gt0 : forall a, 0 < e a) (eD : forall a b, e (a + b) = e a * e b).
Variables (T n d k v : nat).
Implicit Types x y z : nat -> R.

(* ---- Layer 1: the tokens 0, 1, ... of the answer are b X WQ, then X WK, then X WV. ---- *)

(* which of the three matrices the token belongs to, its columns, its place in it *)
Definition part (p : nat) : nat := (if n * k + n * k <= p then 2 else p %/ (n * k))%N.
Definition columns (p : nat) : nat := (if n * k + n * k <= p then v else k)%N.
Definition entry (p : nat) : nat := (p - part p * (n * k))%N.

(* where the scale and X stand *)
Definition scale_at : nat := (2 * (d * k) + d * v)%N.

Definition projected x (p : nat) : R :=
  (if part p == 0%N then pick T (fun _ => scale_at) x p else 1) *
  \sum_(j < d) pick T (fun p => (scale_at.+1 + (entry p %/ columns p * d + j))%N) x p *
               pick T (fun p => (part p * (d * k) + (j * columns p + entry p %% columns p))%N) x p.

(* part q has c columns *)
Definition part_has (q c : nat) : bool := ((q < 2) && (c == k) || (q == 2) && (c == v))%N.

Lemma part_columns q c (i : 'I_n) (j : 'I_c) : part_has q c ->
  let p := (q * (n * k) + (i * c + j))%N in [/\ part p = q, columns p = c & entry p = i * c + j]%N.
Proof.
have two a : (a + a = 2 * a)%N by rewrite mul2n addnn.
move=> qc p; suff [pq pc] : part p = q /\ columns p = c by rewrite /entry pq /p addKn.
rewrite /part /columns two; case/orP: qc => /andP[lt_q /eqP ec]; subst.
  have lt_ij := place_lt i j; rewrite leqNgt.
  have -> : (p < 2 * (n * k))%N.
    apply: (@leq_trans (q.+1 * (n * k))); last by rewrite leq_mul2r lt_q orbT.
    by rewrite /p mulSn [X in (_ < X)%N]addnC ltn_add2l.
  by rewrite /p divnMDl ?(leq_ltn_trans _ lt_ij) // divn_small ?addn0.
by rewrite /p (eqP lt_q) leq_addr.
Qed.

Lemma projected_part q c (W : 'M[R]_(d, c)) (X : 'M[R]_(n, d)) x b : part_has q c ->
    (scale_at.+1 + n * d <= T)%N -> x scale_at = b -> holds x scale_at.+1 X -> holds x (q * (d * k)) W ->
  holds (projected x) (q * (n * k)) ((if q == 0%N then b else 1) *: (X *m W)).
Proof.
move=> qc sT xb xX xW i j; rewrite /projected !mxE; have [-> _ _] := part_columns i j qc.
have lt_s : (scale_at < T)%N by apply: leq_trans sT; rewrite addSn ltnS leq_addr.
congr (_ * _); first by case: (q == 0%N); rewrite ?pickE.
apply: eq_bigr => l _; congr (_ * _).
  by apply: (pick_holds xX) => //; have [_ -> ->] := part_columns i j qc; rewrite place_row.
apply: (pick_holds xW); last by have [-> -> ->] := part_columns i j qc; rewrite place_column.
apply: leq_trans (ltnW lt_s); rewrite /scale_at.
case/orP: qc => /andP[lt_q /eqP ->]; last by rewrite (eqP lt_q).
apply: leq_trans (leq_addr _ _); case: q lt_q {xW} => [|[|q]] // _.
  by rewrite mul0n add0n mul2n -addnn leq_addr.
by rewrite mul1n mul2n addnn.
Qed.

(* ---- Layer 2 ---- *)
Definition logits y (p : nat) : R :=
  \sum_(j < k) pick T (fun p => (p %/ n * k + j)%N) y p * pick T (fun p => (n * k + (p %% n * k + j))%N) y p.

Lemma logits_correct (Q K : 'M[R]_(n, k)) y : (n * k + n * k <= T)%N ->
  holds y 0 Q -> holds y (n * k) K -> holds (logits y) 0 (Q *m K^T).
Proof.
move=> sT yQ yK i j; rewrite mxE; apply: eq_bigr => l _; rewrite mxE; congr (_ * _).
  apply: (pick_holds yQ); last by rewrite !add0n place_row.
  exact: leq_trans (leq_addr _ _) sT.
by apply: (pick_holds yK) => //; rewrite add0n place_column.
Qed.

(* ---- Layer 3: z holds the logits, y the entries of X WV. ---- *)
Definition attended y z (p : nat) : R :=
  let t := top T n n (fun p => p %/ v)%N z p in
  let share (j : 'I_n) := e (pick T (fun p => (p %/ v * n + j)%N) z p - t) in
  (\sum_j share j * pick T (fun p => (2 * (n * k) + (j * v + p %% v))%N) y p) / (\sum_j share j).

Lemma attended_correct (S : 'M[R]_n) (V : 'M[R]_(n, v)) y z : (n * n <= T)%N -> (2 * (n * k) + n * v <= T)%N ->
  holds y (2 * (n * k)) V -> holds z 0 S -> holds (attended y z) 0 (softmax e S *m V).
Proof.
move=> nT vT yV zS i j; rewrite /attended; set t := top _ _ _ _ _ _; rewrite -(softmax_mean e_gt0 eD S V i j t).
have shareE (l : 'I_n) : pick T (fun p => (p %/ v * n + l)%N) z (0 + (i * v + j))%N = S i l.
  by apply: (pick_holds zS) => //; rewrite !add0n place_row.
congr (_ / _); apply: eq_bigr => l _; rewrite shareE //; congr (_ * _).
by apply: (pick_holds yV) => //; rewrite add0n place_column.
Qed.

Definition scaled_attention (b : R) (WQ WK : 'M[R]_(d, k)) (WV : 'M[R]_(d, v)) (X : 'M[R]_(n, d)) : 'M[R]_(n, v) :=
  softmax e (b *: ((X *m WQ) *m (X *m WK)^T)) *m (X *m WV).

Theorem attention_correct (b : R) (WQ WK : 'M[R]_(d, k)) (WV : 'M[R]_(d, v)) (X : 'M[R]_(n, d)) x :
    (2 * (d * k) + d * v + 1 + n * d <= T)%N -> (2 * (n * k) + n * v <= T)%N -> (n * n <= T)%N ->
    holds x 0 WQ -> holds x (d * k) WK -> holds x (2 * (d * k)) WV -> x (2 * (d * k) + d * v)%N = b ->
    holds x (2 * (d * k) + d * v + 1)%N X ->
  holds (attended (projected x) (logits (projected x))) 0 (scaled_attention b WQ WK WV X).
Proof.
rewrite addn1 => sT vT nT xQ xK xV xb xX.
have kT : (n * k + n * k <= T)%N by rewrite addnn -mul2n (leq_trans (leq_addr _ _) vT).
have kQ : part_has 0 k by rewrite /part_has eqxx.
have kK : part_has 1 k by rewrite /part_has eqxx.
have vV : part_has 2 v by rewrite /part_has !eqxx orbT.
have pQ : holds (projected x) 0 (b *: (X *m WQ)) by apply: (projected_part kQ sT xb xX xQ).
have pK : holds (projected x) (n * k) (X *m WK).
  by rewrite -[X *m WK]scale1r -[(n * k)%N]mul1n; apply: (projected_part kK sT xb xX); rewrite mul1n.
have pV : holds (projected x) (2 * (n * k)) (X *m WV).
  by rewrite -[X *m WV]scale1r; apply: (projected_part vV sT xb xX xV).
by apply: attended_correct => //; rewrite scalemxAl; apply: logits_correct.
Qed.
End AttentionSimulator.
