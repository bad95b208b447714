(* Free backbones of words, and targets with biases.

   Parts
     Almost every choice of the letters: one nonzero minor.
     Free words: independent letters and readers in every layer.
     Affine targets: biases on queries, keys, values and outputs.   *)

From mathcomp Require Import all_ssreflect ssralg zmodp matrix mxalgebra.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Sparse Degree Words.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

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
have evalC v : map_mx [rmorphism of meval v] (map_mx (@mpolyC n F) J) = J.
  by apply/matrixP => i j; rewrite !mxE; apply: mevalC.
have pE v : p.@[v] = \det (J *m wordmx L (at_point v)).
  by rewrite map_wordmx -[in RHS](evalC v) -map_mxM; apply/esym/det_map_mx.
exists p; split.
- by rewrite pE witness det1.
- rewrite (reindex _ (onW_bij _ (@enum_val_bij _))) /=; apply: (dg_det dgP) => i j.
  rewrite mxE; apply: (dg_sum dgP) => a; rewrite -[X in (_ <= X.+1)%N]add0n.
  by apply: (degM dgP); rewrite mxE ?msizeC; [case: (J i a != 0) | apply: degree_word].
move=> v; rewrite pE -unitfE => u.
by exists (invmx (J *m wordmx L (at_point v)) *m J); rewrite -mulmxA mulVmx.
Qed.
End Generic.

(* The same for words P v given by a vector v of scalars, over every ring: P commutes with ring morphisms, and its
   degrees are at most delta and 1 if the scalars have the degree 1. *)
Section Vectors.
Variables (F : fieldType) (A T : finType) (L d n m : nat) (J : 'M[F]_(#|wslot A T L d|, m)) (delta : A -> nat).
Variables (P : forall R : comRingType, ('I_n -> R) -> words A T d R m) (v0 : 'I_n -> F).
Hypothesis map_P : forall (R S : comRingType) (f : {rmorphism R -> S}) (v : 'I_n -> R) (u : 'I_n -> S),
  (forall i, f (v i) = u i) -> wordmx L (map_words f (P v)) = wordmx L (P u).
Hypothesis degree_P : forall (R : comRingType) dg (v : 'I_n -> R), degree_bound dg -> (forall i, dg 1%N (v i)) ->
  (forall l a, dgmx dg (delta a) (letter (P v) l a)) /\ (forall l k, dgmx dg 1 (ending (P v) l k)).

Lemma generic_vectors : J *m wordmx L (P v0) = 1%:M -> exists p : {mpoly F[n]},
  [/\ p.@[v0] = 1, (msize p <= (\sum_(s : wslot A T L d) word_degree delta (code s)).+1)%N &
      forall v, p.@[v] != 0 -> exists B, B *m wordmx L (P v) = 1%:M].
Proof.
move=> JP; pose X i : [comRingType of {mpoly F[n]}] := 'X_i.
have evalX v : wordmx L (map_words [rmorphism of meval v] (P X)) = wordmx L (P v).
  by apply: map_P => i; apply: mevalXU.
have [|degA degT] := degree_P (v := X) (mpoly_degree F n); first by move=> i; rewrite msizeX mdeg1.
have [|p [p0 degp univ]] := @generic_words F A T L d n m J (P X) delta v0 degA degT; first by rewrite evalX.
by exists p; split=> // v /univ; rewrite evalX.
Qed.
End Vectors.

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
have [|p [p0 degp univ]] := generic_vectors (delta := fun=> 1%N) (@map_free_words A B c d L m) _ wordmx_project_vector.
  move=> R dg v dgP v1; split=> [l a|l [[b i]|i]] x y; rewrite !mxE //; case: insubP => [l' _ _|_];
    by [exact: v1 | exact: (deg0 dgP)].
exists p; split=> //.
by move: degp; rewrite sum_word_degree card_prod card_ord.
Qed.
End Generic.

(* Affine targets: biases on queries, keys, values and outputs.

   Claim.  If every row of the attention matrices sums to 1, a backbone without biases,
   of the same width N with the number e of the target's outputs in place of d, simulates
   every target with biases: the program has one row more, and the input a column of
   ones.  One 0/1 backbone does, and almost every backbone of any width m >= N.

   The target is lifted to width d + 1, where the last column of the state is 1; the
   value map of one head keeps it, those of the others do not.

   Main definitions
     affine_run            the state of a network with biases after l layers
     lift                  the same network without biases, of width d + 1
     sums_to_one attn      every attention matrix maps the column of ones to itself
     affine_universal      the backbone simulates all affine targets with e outputs, for
                           all attention functions whose rows sum to 1; and so on any
                           token and position embeddings, from sequences of tokens
   Main results
     run_lift              the lifted network computes [X_l, 1]
     affine_universality   the claim for 0/1 matrices
     affine_generic        a nonzero polynomial of degree at most D, outside whose zero
                           set the backbone is universal

   Reference: Fixed Universal Transformers (arXiv:2605.31423), extended to biases. *)

Section Affine.
Variables (R : ringType) (H : finType) (k : nat).

Notation ones n := (const_mx 1 : 'cV[R]_n).

Definition sums_to_one n (attn : attention R H k n) : Prop := forall l h Q K, attn l h Q K *m ones n = ones n.

(* Matching with read-outs on both sides. *)
Theorem readout_sufficiency L w m c (W : weights R H k w) (P : weights R H k m) (U : 'M_(m, c)) (C : 'M_(w, c))
    (E : 'M_(w, m)) :
    (forall p h, (size p < L)%N -> E *m pathmx (WV P) 0 p *m WQ P (size p) h = pathmx (WV W) 0 p *m WQ W (size p) h) ->
    (forall p h, (size p < L)%N -> E *m pathmx (WV P) 0 p *m WK P (size p) h = pathmx (WV W) 0 p *m WK W (size p) h) ->
    (forall p, size p = L -> E *m pathmx (WV P) 0 p *m U = pathmx (WV W) 0 p *m C) ->
  forall n (attn : attention R H k n) (X : 'M_(n, w)), run attn P L (X *m E) *m U = run attn W L X *m C.
Proof.
elim: L c U C => [|L IHL] c U C mQ mK mU n attn X.
  by have := mU [::] erefl; rewrite /= mulmx1 mul1mx -mulmxA => ->.
have mQ' p h : (size p < L)%N -> _ := fun lt => mQ p h (ltnW lt).
have mK' p h : (size p < L)%N -> _ := fun lt => mK p h (ltnW lt).
rewrite /= !mulmx_suml; apply: eq_bigr => h _; rewrite -!mulmxA.
rewrite (IHL _ _ (WQ W L h)) => // [|p sp]; last by rewrite -sp mQ ?sp.
rewrite (IHL _ _ (WK W L h)) => // [|p sp]; last by rewrite -sp mK ?sp.
congr (_ *m _); apply: IHL => // p sp; have := mU (rcons p h).
by rewrite size_rcons sp !pathmx_rcons add0n sp -!mulmxA; apply.
Qed.

Section Target.
Variables (d e : nat) (W : weights R H k d) (bQ bK : nat -> H -> 'rV[R]_k) (bV : nat -> H -> 'rV[R]_d).

Fixpoint affine_run n (attn : attention R H k n) (l : nat) (X : 'M[R]_(n, d)) : 'M[R]_(n, d) :=
  if l is l'.+1 then
    let Z := affine_run attn l' X in
    \sum_h attn l' h (Z *m WQ W l' h + ones n *m bQ l' h) (Z *m WK W l' h + ones n *m bK l' h) *m
             (Z *m WV W l' h + ones n *m bV l' h)
  else X.

Definition lift (h0 : H) : weights R H k (d + 1) :=
  Weights (fun l h => col_mx (WQ W l h) (bQ l h)) (fun l h => col_mx (WK W l h) (bK l h))
          (fun l h => block_mx (WV W l h) 0 (bV l h) (h == h0)%:R%:M).

Lemma run_lift (h0 : H) n (attn : attention R H k n) l X : sums_to_one attn ->
  run attn (lift h0) l (row_mx X (ones n)) = row_mx (affine_run attn l X) (ones n).
Proof.
move=> attn1; elim: l => [|l IHl] //=; rewrite IHl; set Z := affine_run attn l X.
pose A h := attn l h (Z *m WQ W l h + ones n *m bQ l h) (Z *m WK W l h + ones n *m bK l h).
transitivity (\sum_h row_mx (A h *m (Z *m WV W l h + ones n *m bV l h)) ((h == h0)%:R *: ones n)).
  apply: eq_bigr => h _; rewrite !mul_row_col -mulmxA mul_row_block mulmx0 add0r mul_mx_row -/(A h).
  by case: (h == h0); rewrite ?mulmx1 ?attn1 ?scale1r // raddf0 !mulmx0 scale0r.
transitivity (row_mx (\sum_h A h *m (Z *m WV W l h + ones n *m bV l h)) (\sum_h (h == h0)%:R *: ones n)).
  by elim/big_rec3: _ => [|h x y z _ ->]; rewrite ?row_mx0 // add_row_mx.
congr row_mx; rewrite (bigD1 h0) //= eqxx scale1r big1 ?addr0 // => h nh.
by rewrite (negbTE nh) scale0r.
Qed.
End Target.

Definition affine_universal L d e m (P : weights R H k m) (U : 'M[R]_(m, e)) : Prop :=
  forall (W : weights R H k d) bQ bK bV (C : 'M[R]_(d, e)) (c : 'rV[R]_e),
  (exists E : 'M[R]_(d + 1, m), forall n (attn : attention R H k n) (X : 'M[R]_(n, d)), sums_to_one attn ->
    run attn P L (row_mx X (ones n) *m E) *m U = affine_run W bQ bK bV attn L X *m C + ones n *m c) /\
  (forall v t (A : 'M[R]_(v, d)) (B : 'M[R]_(t, d)), exists E : 'M[R]_(v + t, m),
   forall n (attn : attention R H k n) (O : 'M[R]_(n, v + t)), sums_to_one attn -> lsubmx O *m ones v = ones n ->
    run attn P L (O *m E) *m U = affine_run W bQ bK bV attn L (O *m col_mx A B) *m C + ones n *m c).

Lemma affine_words_universal (h0 : H) L d e m (P : weights R H k m) (U : 'M[R]_(m, e)) B :
  B *m wordmx L (network_words P U) = 1%:M -> affine_universal L d P U.
Proof.
move=> BM W bQ bK bV C c; pose T := network_words (lift W bQ bK bV h0) (col_mx C c).
have [mS mU] := read_words_match (wordmx_left_inverse T BM).
suff univ n (attn : attention R H k n) (X : 'M[R]_(n, d)) : sums_to_one attn ->
  run attn P L (row_mx X (ones n) *m (wordmx L T *m B)) *m U = affine_run W bQ bK bV attn L X *m C + ones n *m c.
  split=> [|v t A A']; first by exists (wordmx L T *m B).
  exists (row_mx (col_mx A A') (col_mx (ones v) 0) *m (wordmx L T *m B)) => n attn O attn1 O1.
  rewrite mulmxA mul_mx_row -{2}[O]hsubmxK mul_row_col mulmx0 addr0 O1; exact: univ.
move=> attn1; rewrite (readout_sufficiency _ _ mU) => [|p h|p h]; last 2 first.
- exact: (mS p (h, true)).
- exact: (mS p (h, false)).
by rewrite run_lift // mul_row_col.
Qed.
End Affine.

(* the weights whose queries and keys are given by readers *)
Definition read_weights (R : ringType) (H : finType) k w (V : nat -> H -> 'M[R]_w) (Rd : nat -> qk H -> 'M[R]_(w, k)) :=
  Weights (fun l h => Rd l (h, true)) (fun l h => Rd l (h, false)) V.

Lemma network_read_words (R : ringType) (H : finType) k L w e V Rd (U : 'M[R]_(w, e)) :
  wordmx L (network_words (@read_weights R H k w V Rd) U) = wordmx L (read_words V Rd U).
Proof. by apply: eq_wordmx => // p [[[h q] i]|i] _ //=; rewrite /scores; case: q. Qed.

Theorem affine_universality (R : ringType) (H : finType) (k L e m : nat) (h0 : H) : (N #|H| k L e <= m)%N ->
  exists (P : weights R H k m) (U : 'M[R]_(m, e)),
  [/\ forall l h, [/\ zero_one (WQ P l h), zero_one (WK P l h) & zero_one (WV P l h)],
      zero_one U &
      forall d, affine_universal L d P U].
Proof.
rewrite -card_network_slot => wm; have [ZV ZR ZU] := zero_one_project R H (qk H) k L e.
pose P := read_weights (project R (qk H) k L e) (project_readers R H k L e).
exists (widen m P), (widenU m (project_out R H (qk H) k L e)); split=> [l h||d].
- by apply: zero_one_widen; split; [exact: ZR | exact: ZR | exact: ZV].
- exact/zero_one_widenU/ZU.
have univ : affine_universal L d P (project_out R H (qk H) k L e).
  by apply: (@affine_words_universal _ _ _ h0 _ _ _ _ _ _ 1%:M); rewrite mul1mx network_read_words; apply: wordmx_project.
move=> W bQ bK bV C c; elim: (univ W bQ bK bV C c) => -[E EP] embed; split=> [|v t A B].
  by exists (widenE m E) => n attn X; rewrite run_wide //; exact: EP.
by elim: (embed v t A B) => E' EP'; exists (widenE m E') => n attn O; rewrite run_wide //; exact: EP'.
Qed.

Theorem affine_generic (F : fieldType) (H : finType) (k L e m : nat) (h0 : H) : (N #|H| k L e <= m)%N ->
  exists p : {mpoly F[nfree H (qk H) k e L m]}, [/\ p != 0, (msize p <= (D #|H| k L e).+1)%N &
    forall v, p.@[v] != 0 -> forall d, affine_universal L d (read_weights (letters_of v) (readers_of v)) (output_of v)].
Proof.
move=> Nm; have wm : (#|qk H| * k * geometric #|H| L + e * #|H| ^ L <= m)%N.
  by rewrite -card_read_slot card_network_slot.
elim: (@free_generic F H (qk H) k e L m wm) => p; elim=> p0 degp univ.
exists p; split=> [||v /univ[C CM] d]; first exact: meval_neq0 p0.
  have <- // : layered_degree #|H| (#|qk H| * k) L e = D #|H| k L e.
  rewrite /layered_degree /D card_prod card_bool mulnA; congr addn.
  have -> : weighted_powers #|H| L = (#|H| * weighted_geometric #|H| L)%N.
    by elim: (L) => [|l IHl] /=; [rewrite muln0 | rewrite IHl mulnDr expnS mulnCA].
  by rewrite mulnA [(#|H| * 2)%N]mulnC [(2 * _ * k)%N]mulnAC.
by apply: (affine_words_universal h0 (B := C)); rewrite network_read_words.
Qed.
