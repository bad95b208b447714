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

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import HardAttention.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
