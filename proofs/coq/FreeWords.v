(* Free words: independent letters and readers in every layer.

   Claim.  If all letters, readers and the read-out are free, some choice of 0/1
   matrices has the identity as block matrix, and for every width m >= N, the number
   of words, almost every choice has a block matrix with a left inverse.

   In the witness the letter a of layer l is the projector on the slots whose path has
   a at place l; a reader reads the slots of its layer that end in it.

   Main definitions
     project, project_readers, project_out
                           the 0/1 letters, readers and read-out
     nfree A B c d L m     the number of scalar entries of free words of width m
     letters_of, readers_of, output_of
                           the free words with a given vector of entries
   Main results
     wordmx_project        the block matrix of the projectors is the identity
     free_generic          the polynomial, of degree at most
                           sum_l |B| c (l+1) |A|^l + d (L+1) |A|^L

   Reference: Fixed Universal Transformers (arXiv:2605.31423), sparse and random
   universal transformers.                                                        *)

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Sparse Widen Degree Words Readings Minor.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Projectors.
Variables (R : ringType) (A B : finType) (c L d : nat).
Notation word := (seq A * (reading B c + 'I_d))%type.
Notation n := #|wslot A (reading B c) L d|.

Definition project_step (l : nat) (a : A) (x : word) : option word := if nth a x.1 l == a then Some x else None.
Definition project_read (l : nat) (k : reading B c + 'I_d) (x : word) : bool := (size x.1 == l) && (x.2 == k).
Definition project_routing : words A (reading B c) d R n := routing L R project_step project_read.

Lemma follow_project l p x : follow project_step l p x = if agree l p x.1 then Some x else None.
Proof. by elim: p l => [|a p IHp] l //=; rewrite /project_step; case: (_ == a) => //=. Qed.

Lemma project_step_valid l a x x' : valid L x -> project_step l a x = Some x' -> valid L x'.
Proof. by rewrite /project_step; case: (_ == a) => // vx [<-]. Qed.

Lemma wordmx_project_routing : wordmx L project_routing = 1%:M.
Proof.
apply: wordmx_routing => [|[q k'] p k _ _]; first exact: project_step_valid.
rewrite follow_project /=; have [sq|nsq] := eqVneq (size q) (size p); last first.
  transitivity false; last by apply/esym/eqP => -[eq_q]; rewrite eq_q eqxx in nsq.
  by case: (agree _ _ _) => //=; rewrite /project_read (negbTE nsq).
rewrite agreeP // drop0 -[RHS]/((q == p) && (k' == k)).
by case: (q == p) => //=; rewrite /project_read sq eqxx.
Qed.

Definition project : nat -> A -> 'M[R]_n := letter project_routing.
Definition project_readers : nat -> B -> 'M[R]_(n, c) := readers project_routing.
Definition project_out : 'M[R]_(n, d) := outputs L project_routing.

Theorem wordmx_project : wordmx L (read_words project project_readers project_out) = 1%:M.
Proof. by rewrite wordmx_readers wordmx_project_routing. Qed.

Lemma zero_one_project :
  [/\ forall l a, zero_one (project l a), forall l b, zero_one (project_readers l b) & zero_one project_out].
Proof. by have [ZV /zero_one_readers ZR] := routing01 L R project_step project_read; have [ZB ZU] := ZR L. Qed.
End Projectors.

Section Entries.
Variables (A B : finType) (c d L m : nat).

Definition free_entry : finType :=
  [finType of 'I_L * A * ('I_m * 'I_m) + 'I_L * B * ('I_m * 'I_c) + 'I_m * 'I_d]%type.
Definition nfree : nat := #|free_entry|.

Lemma card_free : nfree = (L * #|A| * (m * m) + L * #|B| * (m * c) + m * d)%N.
Proof. by rewrite /nfree !card_sum !card_prod !card_ord. Qed.

Section Vector.
Variables (R : ringType) (v : 'I_nfree -> R).
Notation "v .[ x ]" := (v (enum_rank (x : free_entry))).

Definition letters_of (l : nat) (a : A) : 'M[R]_m :=
  \matrix_(i, j) if insub l is Some l' then v.[inl (inl (l', a, (i, j)))] else 0.
Definition readers_of (l : nat) (b : B) : 'M[R]_(m, c) :=
  \matrix_(i, j) if insub l is Some l' then v.[inl (inr (l', b, (i, j)))] else 0.
Definition output_of : 'M[R]_(m, d) := \matrix_(i, j) v.[inr (i, j)].
Definition free_words := read_words letters_of readers_of output_of.
End Vector.

Lemma map_free_words (R S : comRingType) (f : {rmorphism R -> S}) (v : 'I_nfree -> R) (u : 'I_nfree -> S) :
  (forall i, f (v i) = u i) -> wordmx L (map_words f (free_words v)) = wordmx L (free_words u).
Proof.
move=> fv; apply: eq_wordmx => [l a _|p [[b i]|i] _] /=.
- by apply/matrixP => x y; rewrite !mxE; case: insubP; rewrite ?rmorph0.
- by apply/colP => x; rewrite !mxE; case: insubP; rewrite ?rmorph0.
by apply/colP => x; rewrite !mxE fv.
Qed.

Definition vector_of (R : ringType) (V : nat -> A -> 'M[R]_m) Rd (U : 'M[R]_(m, d)) (x : 'I_nfree) : R :=
  match enum_val x : free_entry with
  | inl (inl (l, a, (i, j))) => V l a i j
  | inl (inr (l, b, (i, j))) => (Rd : nat -> B -> 'M[R]_(m, c)) l b i j
  | inr (i, j) => U i j
  end.

Lemma wordmx_vector (R : ringType) (V : nat -> A -> 'M[R]_m) Rd (U : 'M[R]_(m, d)) :
  wordmx L (free_words (vector_of V Rd U)) = wordmx L (read_words V Rd U).
Proof.
apply: eq_wordmx => [l a lL|p [[b i]|i] vp] /=.
- by apply/matrixP => x y; rewrite mxE insubT /vector_of enum_rankK.
- by apply/colP => x; rewrite !mxE insubT /vector_of enum_rankK.
by apply/colP => x; rewrite !mxE /vector_of enum_rankK.
Qed.
End Entries.

Section Generic.
Variables (F : fieldType) (A B : finType) (c d L m : nat).
Notation w := #|wslot A (reading B c) L d|.
Notation n := (nfree A B c d L m).
Hypothesis wm : (#|B| * c * geometric #|A| L + d * #|A| ^ L <= m)%N.

Definition project_vector : 'I_n -> F :=
  vector_of (fun l a => pid_mx w *m project F B c L d l a *m pid_mx w)
            (fun l b => pid_mx w *m project_readers F A c L d l b) (pid_mx w *m project_out F A B c L d).

Lemma wordmx_project_vector : pid_mx w *m wordmx L (free_words project_vector) = 1%:M.
Proof.
have wm' : (w <= m)%N by rewrite card_read_slot.
rewrite wordmx_vector -(wordmx_project F A B c L d); apply: intertwined_wordmx => [l a|l [[b i]|i]] /=.
- exact: widen_letter.
- exact: widen_col.
exact: widen_col.
Qed.

Theorem free_generic : exists p : {mpoly F[n]},
  [/\ p.@[project_vector] = 1, (msize p <= (layered_degree #|A| (#|B| * c) L d).+1)%N &
      forall v, p.@[v] != 0 -> exists C, C *m wordmx L (free_words v) = 1%:M].
Proof.
pose X i : [comRingType of {mpoly F[n]}] := 'X_i.
have evalX v : wordmx L (map_words [rmorphism of meval v] (free_words X)) = wordmx L (free_words v).
  by apply: map_free_words => i; apply: mevalXU.
have X1 i : (msize (X i) <= 2)%N by rewrite msizeX mdeg1.
have [|||p [p0 degp univ]] :=
  @generic_words F A (reading B c) L d n m (pid_mx w) (free_words X) (fun=> 1%N) project_vector.
- by move=> l a x y; rewrite mxE; case: insubP; rewrite ?msize0.
- by move=> l [[b i]|i] x y; rewrite !mxE //; case: insubP; rewrite ?msize0.
- by rewrite evalX wordmx_project_vector.
exists p; split=> // [|v /univ]; last by rewrite evalX.
by move: degp; rewrite sum_word_degree card_prod card_ord.
Qed.
End Generic.
