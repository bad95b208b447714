(* The simulators of attention by hard attention and gates, in full.

   A matrix lies in the sequence x by rows: its entry (i, j) is the token i c + j.
   A head of average-hard attention at the query i returns the mean of the values
   of the keys with the largest score among those that its mask admits; pick and
   largest are two such heads.  The gates are products, a positive function e with
   e (a + b) = e a e b, and a reciprocal.  T is the number of tokens.            *)

From mathcomp Require Import all_ssreflect ssralg ssrnum zmodp matrix mxalgebra.
From Symut Require Import Simulators.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem definition_hard_attention (R : realFieldType) (T : nat) (mask : nat -> nat -> bool) (score : nat -> nat -> R)
    (at_ : nat -> nat) (x : nat -> R) (i : nat) :
  let chosen := [pred j : 'I_T | mask i j && [forall j' : 'I_T, mask i j' ==> (score i j' <= score i j)]] in
  [/\ hard_attention T mask score x i = (\sum_(j in chosen) x j) / #|chosen|%:R,
      pick T at_ x i = hard_attention T (fun _ _ => true) (fun i j => (j == at_ i)%:R) x i &
      largest T mask x i = hard_attention T mask (fun _ => x) x i].
Proof. by []. Qed.

(* The transpose: one head.                                                        *)
Theorem transpose_correct (R : realFieldType) (T r c : nat) (A : 'M[R]_(r, c)) (x : nat -> R) : (r * c <= T)%N ->
  (forall (i : 'I_r) (j : 'I_c), x (i * c + j)%N = A i j) ->
  forall (i : 'I_c) (j : 'I_r), pick T (fun p => (p %% r * c + p %/ r)%N) x (i * r + j)%N = A^T i j.
Proof. by move=> sT xA; apply: (Simulators.transpose_correct sT). Qed.

(* The product of two matrices: 2 k heads and k products.                          *)
Theorem matmul_correct (R : realFieldType) (T r k c : nat) (A : 'M[R]_(r, k)) (B : 'M[R]_(k, c)) (x : nat -> R) :
  (r * k + k * c <= T)%N ->
  (forall (i : 'I_r) (j : 'I_k), x (i * k + j)%N = A i j) -> (forall (i : 'I_k) (j : 'I_c), x (r * k + (i * c + j))%N = B i j) ->
  forall (i : 'I_r) (l : 'I_c), (let p := (i * c + l)%N in
    \sum_(j < k) pick T (fun p => (p %/ c * k + j)%N) x p * pick T (fun p => (r * k + (j * c + p %% c))%N) x p)
    = (A *m B) i l.
Proof. by move=> sT xA xB; apply: (Simulators.matmul_correct sT). Qed.

(* The softmax of every row: the largest entry of the row is subtracted first.     *)
Theorem softmax_correct (R : realFieldType) (e : R -> R) (T r c : nat) (A : 'M[R]_(r, c)) (x : nat -> R) :
  (forall a, 0 < e a) -> (forall a b, e (a + b) = e a * e b) -> (r * c <= T)%N ->
  (forall (i : 'I_r) (j : 'I_c), x (i * c + j)%N = A i j) ->
  forall (i : 'I_r) (j : 'I_c), (let p := (i * c + j)%N in
    let t := largest T (fun p q => (q < r * c)%N && (q %/ c == p %/ c)%N) x p in
    e (x p - t) / \sum_(j < c) e (pick T (fun p => (p %/ c * c + j)%N) x p - t))
    = e (A i j) / \sum_l e (A i l).
Proof.
move=> e0 eD sT xA i j; have := Simulators.softmax_correct e0 eD sT xA i j.
by rewrite [RHS]mxE.
Qed.

(* The three layers of softmax attention, as heads and gates at the token p.       *)
Theorem definition_attention_layers (R : realFieldType) (e : R -> R) (T n d k v : nat) (x y z : nat -> R) (p : nat) :
  let part p := if (n * k + n * k <= p)%N then 2%N else (p %/ (n * k))%N in
  let columns p := if (n * k + n * k <= p)%N then v else k in
  let entry p := (p - part p * (n * k))%N in
  let scale_at := (2 * (d * k) + d * v)%N in
  let t := largest T (fun p q => (q < n * n)%N && (q %/ n == p %/ v)%N) z p in
  let share (j : 'I_n) := e (pick T (fun p => (p %/ v * n + j)%N) z p - t) in
  [/\ projected T n d k v x p = (if part p == 0%N then pick T (fun _ => scale_at) x p else 1) *
        \sum_(j < d) pick T (fun p => (scale_at.+1 + (entry p %/ columns p * d + j))%N) x p *
                     pick T (fun p => (part p * (d * k) + (j * columns p + entry p %% columns p))%N) x p,
      logits T n k y p =
        \sum_(j < k) pick T (fun p => (p %/ n * k + j)%N) y p * pick T (fun p => (n * k + (p %% n * k + j))%N) y p &
      attended e T n k v y z p =
        (\sum_j share j * pick T (fun p => (2 * (n * k) + (j * v + p %% v))%N) y p) / \sum_j share j].
Proof. by []. Qed.

(* Softmax attention on any WQ, WK, WV, scale b and X that the sequence holds in this
   order: three layers, whose heads and gates are projected, logits and attended.   *)
Theorem attention_correct (R : realFieldType) (e : R -> R) (T n d k v : nat) (b : R)
    (WQ WK : 'M[R]_(d, k)) (WV : 'M[R]_(d, v)) (X : 'M[R]_(n, d)) (x : nat -> R) :
  (forall a, 0 < e a) -> (forall a b, e (a + b) = e a * e b) ->
  (2 * (d * k) + d * v + 1 + n * d <= T)%N -> (2 * (n * k) + n * v <= T)%N -> (n * n <= T)%N ->
  (forall (i : 'I_d) (j : 'I_k), x (i * k + j)%N = WQ i j) -> (forall (i : 'I_d) (j : 'I_k), x (d * k + (i * k + j))%N = WK i j) ->
  (forall (i : 'I_d) (j : 'I_v), x (2 * (d * k) + (i * v + j))%N = WV i j) -> x (2 * (d * k) + d * v)%N = b ->
  (forall (i : 'I_n) (j : 'I_d), x (2 * (d * k) + d * v + 1 + (i * d + j))%N = X i j) ->
  let y := projected T n d k v x in let z := logits T n k y in
  let S := b *: ((X *m WQ) *m (X *m WK)^T) in
  forall (i : 'I_n) (j : 'I_v), attended e T n k v y z (i * v + j)%N =
    ((\matrix_(i, j) (e (S i j) / \sum_l e (S i l))) *m (X *m WV)) i j.
Proof. by move=> e0 eD sT vT nT xQ xK xV xb xX; apply: (Simulators.attention_correct e0 eD sT vT nT xQ xK xV xb xX). Qed.

(* ---- What all theorems of this page assume ---------------------------------- *)

Definition page :=
  (@definition_hard_attention, @transpose_correct, @matmul_correct, @softmax_correct,
   @definition_attention_layers, @attention_correct).
Print Assumptions page.
