(* Readings: words whose endings are the columns of matrices.

   Claim.  Let the endings be the columns of reading matrices Rd l b, one for each
   layer l and reader b, and of a read-out U.  Words agree if and only if the
   products of their letters with these matrices do.  A network has two readers
   for each head, its query and its key; its block matrix is that of its words
   with the columns in another order.

   Main definitions
     reading B c           a column (b, i) of a reader b in B
     read_words V Rd U     the words with the letters V, the readers Rd, the output U
     readers P, outputs P  the matrices that the endings of the words P form
     network_words P U     the words of the backbone P without residual connections
   Main results
     read_words_match      words agree -> products with Rd and U agree
     wordmx_readers        any words are read_words
     words_universal       B *m wordmx = 1 -> universal
     blockmx_left_inverse  C *m wordmx = 1 -> some B has B *m blockmx = 1

   Reference: Fixed Universal Transformers (arXiv:2605.31423), path matching.   *)

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import Network Slots BlockMatrix Sparse Widen Words.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Readings.
Variables (A B : finType) (c L d : nat) (R : ringType).

Definition reading : finType := [finType of B * 'I_c].

Lemma card_read_slot : #|wslot A reading L d| = (#|B| * c * geometric #|A| L + d * #|A| ^ L)%N.
Proof. by rewrite card_wslot card_prod card_ord. Qed.

Section Matrices.
Variables (w : nat) (V : nat -> A -> 'M[R]_w) (Rd : nat -> B -> 'M[R]_(w, c)) (U : 'M[R]_(w, d)).

Definition read_ending (l : nat) (k : reading + 'I_d) : 'cV[R]_w :=
  match k with inl (b, i) => col i (Rd l b) | inr i => col i U end.

Definition read_words : words A reading d R w := Words V read_ending.
End Matrices.

Lemma read_words_match m w (V : nat -> A -> 'M[R]_m) (V' : nat -> A -> 'M[R]_w) Rd Rd' (U : 'M_(m, d)) (U' : 'M_(w, d))
    (E : 'M_(w, m)) :
  (forall k, valid L k -> E *m wordcol (read_words V Rd U) k = wordcol (read_words V' Rd' U') k) ->
  (forall p b, (size p < L)%N -> E *m pathmx V 0 p *m Rd (size p) b = pathmx V' 0 p *m Rd' (size p) b) /\
  (forall p, size p = L -> E *m pathmx V 0 p *m U = pathmx V' 0 p *m U').
Proof.
have eq_col x y (X Y : 'M_(x, y)) : (forall i, col i X = col i Y :> 'cV[R]_x) -> X = Y.
  by move=> eqXY; apply/matrixP => a i; have /colP/(_ a) := eqXY i; rewrite !mxE.
move=> eqk; split=> [p b sp|p sp]; apply: eq_col => i.
  by have := eqk (p, inl (b, i)) sp; rewrite /wordcol /= !colE !mulmxA.
by have := eqk (p, inr i); rewrite /valid /= sp => /(_ (eqxx L)); rewrite /wordcol /= !colE !mulmxA.
Qed.

Section Columns.
Variables (w : nat) (P : words A reading d R w).

Definition readers l b : 'M[R]_(w, c) := \matrix_(j, i) ending P l (inl (b, i)) j 0.
Definition outputs : 'M[R]_(w, d) := \matrix_(j, i) ending P L (inr i) j 0.

Lemma wordmx_readers : wordmx L (read_words (letter P) readers outputs) = wordmx L P.
Proof.
apply: eq_wordmx => // p [[b i]|i] vp; apply/colP => j; rewrite !mxE //.
by rewrite (eqP vp).
Qed.

Lemma zero_one_readers : (forall l k, zero_one (ending P l k)) ->
  (forall l b, zero_one (readers l b)) /\ zero_one outputs.
Proof. by move=> Z; split=> [l b|] i j; rewrite mxE; apply: Z. Qed.
End Columns.
End Readings.

(* Letters and columns put into the first w of m coordinates. *)
Section Widening.
Variables (R : ringType) (w m : nat).
Hypothesis wm : (w <= m)%N.

Lemma widen_letter (V : 'M[R]_w) : pid_mx w *m (pid_mx w *m V *m pid_mx w : 'M_m) = V *m pid_mx w.
Proof. by rewrite !mulmxA mul_JI // mul1mx. Qed.

Lemma widen_col c (Q : 'M[R]_(w, c)) i : pid_mx w *m col i (pid_mx w *m Q : 'M_(m, c)) = col i Q.
Proof. by rewrite !colE !mulmxA mul_JI // mul1mx. Qed.
End Widening.

(* Networks: the readers of a head are its query (true) and its key (false). *)
Notation qk H := [finType of H * bool].

Section Network.
Variables (R : ringType) (H : finType) (k L d : nat).

Definition scores w (P : weights R H k w) (l : nat) (b : qk H) : 'M[R]_(w, k) := if b.2 then WQ P l b.1 else WK P l b.1.

Definition network_words w (P : weights R H k w) (U : 'M[R]_(w, d)) := read_words (WV P) (scores P) U.

Lemma card_network_slot : #|wslot H (reading (qk H) k) L d| = N #|H| k L d.
Proof.
rewrite card_read_slot card_prod card_bool NE geometricE big_add1 /= big_mkord; congr addn.
rewrite !big_distrr; apply: eq_bigr => l _ /=.
by rewrite expnS -!mulnA mulnCA [(k * (_ * _))%N]mulnCA.
Qed.

Lemma words_universal m (P : weights R H k m) (U : 'M[R]_(m, d)) B :
  B *m wordmx L (network_words P U) = 1%:M -> universal L P U.
Proof.
move=> BM W; exists (wordmx L (network_words W 1%:M) *m B) => n attn X; apply: sufficiency.
have [mS mU] := read_words_match (wordmx_left_inverse (network_words W 1%:M) BM).
split=> [p h sp|p h sp|p sp]; last by rewrite mU // mulmx1.
- exact: (mS p (h, true)).
- exact: (mS p (h, false)).
Qed.
End Network.

(* The columns of wordmx and of blockmx are the same, in two orders. *)
Section Order.
Variables (R : ringType) (H : finType) (k L d m : nat) (P : weights R H k m) (U : 'M[R]_(m, d)).

Definition word_of (s : slot H k L d) : seq H * (reading (qk H) k + 'I_d) :=
  match s with
  | inl (existT _ (p, h, q, i)) => (val p, inl (h, q, i))
  | inr (p, i) => (val p, inr i)
  end.

Lemma word_of_inj : injective word_of.
Proof.
case=> [[l [[[p h] q] i]]|[p i]] [[l' [[[p' h'] q'] i']]|[p' i']] //= [ep] => [eh eq ei|ei].
  have el : l = l' by apply/val_inj; rewrite /= -(size_tuple p) ep size_tuple.
  by subst l'; rewrite (val_inj ep) eh eq ei.
by rewrite (val_inj ep) ei.
Qed.

Lemma valid_word_of s : valid L (word_of s).
Proof. by case: s => [[l [[[p h] q] i]]|[p i]]; rewrite /valid /= size_tuple. Qed.

Lemma entry_word_of a s : entry P U a s = wordcol (network_words P U) (word_of s) a 0.
Proof.
by case: s => [[l [[[p h] q] i]]|[p i]]; rewrite /wordcol /= colE mulmxA -colE [RHS]mxE ?size_tuple.
Qed.

Lemma blockmx_left_inverse (C : 'M_(#|wslot H (reading (qk H) k) L d|, m)) :
  C *m wordmx L (network_words P U) = 1%:M -> exists B, B *m blockmx L P U = 1%:M.
Proof.
move=> CM; pose sigma s := sval (code_surj (valid_word_of s)).
have sigmaP s : code (sigma s) = word_of s by rewrite /sigma; case: code_surj.
exists (\matrix_(i, j) C (enum_rank (sigma (enum_val i))) j); apply/matrixP => i j.
rewrite -[j]enum_valK mul_blockmxE [RHS]mxE.
transitivity ((C *m wordmx L (network_words P U)) (enum_rank (sigma (enum_val i))) (enum_rank (sigma (enum_val j)))).
  rewrite mxE; apply: eq_bigr => a _.
  by rewrite [in RHS]mxE enum_rankK [X in X * _]mxE entry_word_of sigmaP.
rewrite CM mxE (inj_eq enum_rank_inj) -(inj_eq (@code_inj _ _ _ _)) !sigmaP (inj_eq word_of_inj).
by rewrite (inj_eq enum_val_inj) enum_valK.
Qed.
End Order.
