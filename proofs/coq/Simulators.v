(* Simulators: what hard attention and gates compute.

   Parts
     Average-hard attention, and what one head can read.
     Linear algebra and softmax attention as computed by hard attention and gates.
     Softmax attention as three layers of hard attention and gates.   *)

From mathcomp Require Import all_ssreflect ssralg ssrnum zmodp matrix mxalgebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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

(* Linear algebra and softmax attention as computed by hard attention and gates.

   Claim.  A matrix lies in the sequence, one entry per token, by rows.  For all sizes
   one layer of heads that pick positions, followed by products of two numbers, an
   exponential and a reciprocal, computes the transpose, the product of two matrices
   and the softmax of the rows of a matrix; three such layers compute softmax attention
   on any matrices WQ, WK, WV, scale b and X that the sequence holds.  The exponential
   is any positive function with e (a + b) = e a e b, and the largest entry of the row
   is subtracted from its argument, which changes nothing.

   Main definitions
     holds x s A         the tokens s, s + 1, ... of the sequence x are A, by rows
     softmax e A         the softmax of the rows of A
     transpose_program, matmul_program, softmax_program
                         one layer each: heads, then gates, at every token
     projected, logits, attended
                         the three layers of softmax attention
   Main results
     softmax_shift       subtracting any number from a row leaves its softmax
     transpose_correct, matmul_correct, softmax_correct, attention_correct
                         the programs compute what they say, for all sizes

   Reference: On the Existence of Universal Simulators of Attention.              *)

(* Row i and column j of a matrix with c columns stand at i c + j. *)
Lemma place_row c i (j : 'I_c) : ((i * c + j) %/ c = i)%N.
Proof. by rewrite divnMDl ?(leq_ltn_trans _ (ltn_ord j)) // divn_small ?addn0. Qed.

Lemma place_column c i (j : 'I_c) : ((i * c + j) %% c = j)%N.
Proof. by rewrite modnMDl modn_small. Qed.

Lemma place_lt r c (i : 'I_r) (j : 'I_c) : (i * c + j < r * c)%N.
Proof.
apply: (@leq_trans (i.+1 * c)); first by rewrite mulSn addnC ltn_add2r.
by rewrite leq_mul2r ltn_ord orbT.
Qed.

Section Softmax.
Variables (R : realFieldType) (e : R -> R).
Hypotheses (e_gt0 : forall a, 0 < e a) (eD : forall a b, e (a + b) = e a * e b).

Definition softmax r c (A : 'M[R]_(r, c)) : 'M[R]_(r, c) := \matrix_(i, j) (e (A i j) / \sum_l e (A i l)).

(* The softmax of the shifted row, and its mean of the entries of V. *)
Lemma softmax_shift r c (A : 'M[R]_(r, c)) i j t : e (A i j - t) / (\sum_l e (A i l - t)) = softmax A i j.
Proof.
rewrite mxE; under eq_bigr do rewrite eD.
by rewrite eD -mulr_suml -mulf_div divff ?mulr1 // gt_eqF.
Qed.

Lemma softmax_mean r c w (A : 'M[R]_(r, c)) (V : 'M[R]_(c, w)) i j t :
  (\sum_l e (A i l - t) * V l j) / (\sum_l e (A i l - t)) = (softmax A *m V) i j.
Proof.
rewrite mulr_suml mxE; apply: eq_bigr => l _.
by rewrite -(softmax_shift A i l t) mulrAC.
Qed.

Lemma softmax_row_sum r c (A : 'M[R]_(r, c)) i : (0 < c)%N -> \sum_j softmax A i j = 1.
Proof.
case: c A => // c A _; rewrite (eq_bigr (fun j => e (A i j) / \sum_l e (A i l))) => [|j _]; last by rewrite mxE.
rewrite -mulr_suml divff // gt_eqF //; rewrite big_ord_recl ltr_paddr //.
by apply: sumr_ge0 => j _; apply: ltW.
Qed.

Section Programs.
Variable T : nat.
Implicit Types x y z : nat -> R.

Definition holds x (s : nat) r c (A : 'M[R]_(r, c)) : Prop :=
  forall (i : 'I_r) (j : 'I_c), x (s + (i * c + j))%N = A i j.

(* a head that reads a matrix held at s; it has to be within the T tokens *)
Lemma pick_holds x s r c (A : 'M[R]_(r, c)) (i : 'I_r) (j : 'I_c) (at_ : nat -> nat) p :
  holds x s A -> (s + r * c <= T)%N -> at_ p = (s + (i * c + j))%N -> pick T at_ x p = A i j.
Proof.
move=> xA sT at_p; rewrite pickE at_p ?xA //.
by apply: leq_trans sT; rewrite ltn_add2l place_lt.
Qed.

Definition transpose_program r c x : nat -> R := pick T (fun p => (p %% r * c + p %/ r)%N) x.

Theorem transpose_correct r c (A : 'M[R]_(r, c)) x : (r * c <= T)%N ->
  holds x 0 A -> holds (transpose_program r c x) 0 A^T.
Proof.
move=> rcT xA j i; rewrite mxE; apply: (pick_holds xA) => //.
by rewrite add0n place_column place_row.
Qed.

Definition matmul_program r k c x (p : nat) : R :=
  \sum_(j < k) pick T (fun p => (p %/ c * k + j)%N) x p * pick T (fun p => (r * k + (j * c + p %% c))%N) x p.

Theorem matmul_correct r k c (A : 'M[R]_(r, k)) (B : 'M[R]_(k, c)) x : (r * k + k * c <= T)%N ->
  holds x 0 A -> holds x (r * k) B -> holds (matmul_program r k c x) 0 (A *m B).
Proof.
move=> sT xA xB i l; rewrite mxE; apply: eq_bigr => j _; congr (_ * _).
  apply: (pick_holds xA); last by rewrite add0n place_row.
  by apply: leq_trans sT; apply: leq_addr.
by apply: (pick_holds xB) => //; rewrite add0n place_column.
Qed.

(* the largest entry of a row of the matrix (r x c) that the first tokens hold *)
Definition row_block (r c : nat) (line : nat -> nat) (p q : nat) : bool := (q < r * c)%N && (q %/ c == line p)%N.
Definition top r c line x : nat -> R := largest T (row_block r c line) x.

Theorem top_correct r c (A : 'M[R]_(r, c)) x line p (i : 'I_r) : (0 < c)%N -> (r * c <= T)%N ->
  holds x 0 A -> line p = i -> (exists j, top r c line x p = A i j) /\ (forall j, A i j <= top r c line x p).
Proof.
move=> c0 rcT xA line_p.
have inT (j : 'I_c) : (i * c + j < T)%N by apply: leq_trans (place_lt i j) rcT.
have inb (j : 'I_c) : row_block r c line p (i * c + j)%N by rewrite /row_block place_lt place_row line_p eqxx.
pose q0 := Ordinal (inT (Ordinal c0)).
have [[q /andP[_ /eqP qi] topE] topP] := largestP x (inb (Ordinal c0) : row_block r c line p q0).
split=> [|j]; last by have := topP (Ordinal (inT j)) (inb j); rewrite /= -[(_ + _)%N]add0n xA.
exists (Ordinal (ltn_pmod q c0)); rewrite -xA add0n /= -line_p -qi -divn_eq.
exact: topE.
Qed.

Definition softmax_program r c x (p : nat) : R :=
  let t := top r c (fun p => p %/ c)%N x p in
  e (x p - t) / \sum_(j < c) e (pick T (fun p => (p %/ c * c + j)%N) x p - t).

Theorem softmax_correct r c (A : 'M[R]_(r, c)) x : (r * c <= T)%N ->
  holds x 0 A -> holds (softmax_program r c x) 0 (softmax A).
Proof.
move=> rcT xA i j; rewrite /softmax_program xA; set t := top _ _ _ _ _.
rewrite -(softmax_shift A i j t); congr (_ / _); apply: eq_bigr => l _; congr (e (_ - _)).
by apply: (pick_holds xA) => //; rewrite !add0n place_row.
Qed.
End Programs.
End Softmax.

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
