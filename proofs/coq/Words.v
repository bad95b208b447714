(* Words in the value matrices, and how networks read them.

   Parts
     Words: the block matrix of a network with any letters and any endings.
     Readings: words whose endings are the columns of matrices.   *)

From mathcomp Require Import all_ssreflect ssralg zmodp matrix mxalgebra.
From Symut Require Import Network Sparse.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* Words: the block matrix of a network with any letters and any endings.

   Claim.  Every form of universality asks for a program E that carries finitely
   many words of the backbone to those of the target.  A word is a product of
   square matrices, one letter for each layer, and a last column, its ending.
   These conditions are one linear system.  Networks without residual
   connections have the heads as letters; with residual connections there is
   one letter more, the skip.

   Main definitions
     wslot A T L d       the words with letters in A, as a finite type: fewer than
                         L letters and an ending in T, or L letters and one of d
                         outputs
     code s              the same word as a pair (letters, ending); valid L c says
                         which pairs occur
     words A T d R w     the matrices (w x w) of the letters of every layer, and
                         the columns of the endings
     wordcol P c         the product of the word c
     wordmx L P          the block matrix, one column per slot
     routing step read   the 0/1 words in which the letter a of layer l carries
                         the coordinate of c to that of step l a c, or nowhere
   Main results
     card_wslot          the number of slots, #|T| (1 + .. + #|A|^(L-1)) + d #|A|^L
     wordmxP             E *m wordmx P = wordmx W <-> all words agree
     wordmx_routing      a routing has the identity as block matrix as soon as a
                         statement about lists holds
     intertwined_wordmx  changes the width

   Reference: Fixed Universal Transformers (arXiv:2605.31423), sparse universal
   transformers, extended to other forms of networks.                           *)

(* 1 + a + ... + a^(L-1) *)
Fixpoint geometric (a L : nat) : nat := (if L is l.+1 then geometric a l + a ^ l else 0)%N.

Lemma geometricE a L : geometric a L = (\sum_(l < L) a ^ l)%N.
Proof. by elim: L => [|L IHL] /=; [rewrite big_ord0 | rewrite big_ord_recr /= IHL]. Qed.

Section Slots.
Variables (A T : finType) (L d : nat).

Definition wslot : finType :=
  [finType of {l : 'I_L & (l.-tuple A * T)%type} + (L.-tuple A * 'I_d)]%type.

Lemma card_wslot : #|wslot| = (#|T| * geometric #|A| L + d * #|A| ^ L)%N.
Proof.
rewrite geometricE.
rewrite /wslot card_sum card_prod card_tuple card_ord [(_ * d)%N]mulnC; congr (_ + _)%N.
rewrite card_tagged sumnE big_map big_enum big_distrr /=.
by apply: eq_bigr => l _; rewrite card_prod card_tuple mulnC.
Qed.

Definition code (s : wslot) : seq A * (T + 'I_d) :=
  match s with
  | inl (existT _ (p, t)) => (val p, inl t)
  | inr (p, i) => (val p, inr i)
  end.

Definition valid (c : seq A * (T + 'I_d)) : bool :=
  if c.2 is inl _ then (size c.1 < L)%N else size c.1 == L.

Lemma code_valid s : valid (code s).
Proof. by case: s => [[l [p t]] | [p i]]; rewrite /valid /= size_tuple. Qed.

Lemma code_surj c : valid c -> {s | code s = c}.
Proof.
case: c => p [t | i] vp; rewrite /valid /= in vp.
  by exists (inl (Tagged (fun l : 'I_L => (l.-tuple A * T)%type) (i := Ordinal vp) (in_tuple p, t))).
by exists (inr (Tuple vp, i)).
Qed.

Lemma code_inj : injective code.
Proof.
case=> [[l [p t]] | [p i]] [[l' [p' t']] | [p' i']] //= [ep].
  move=> et; have el : l = l' by apply/val_inj; rewrite /= -(size_tuple p) ep size_tuple.
  by subst l'; rewrite (val_inj ep) et.
by move=> ei; rewrite (val_inj ep) ei.
Qed.
End Slots.

Section Words.
Variables (A T : finType) (L d : nat).
Notation wslot := (wslot A T L d).
Notation word := (seq A * (T + 'I_d))%type.

Record words (R : ringType) (w : nat) := Words {
  letter : nat -> A -> 'M[R]_w;
  ending : nat -> T + 'I_d -> 'cV[R]_w }.

Section Ring.
Variable R : ringType.

(* the column of one word *)
Definition wordcol w (P : words R w) (c : word) : 'cV[R]_w :=
  pathmx (letter P) 0 c.1 *m ending P (size c.1) c.2.

(* the block matrix: the columns of all wslots *)
Definition wordmx w (P : words R w) : 'M[R]_(w, #|wslot|) :=
  \matrix_(a, j) wordcol P (code (enum_val j)) a 0.

Lemma col_wordmx w (P : words R w) s : col (enum_rank s) (wordmx P) = wordcol P (code s).
Proof. by apply/colP => a; rewrite !mxE enum_rankK. Qed.

Lemma wordmxP m w (P : words R m) (W : words R w) (E : 'M_(w, m)) :
  E *m wordmx P = wordmx W <-> forall c, valid L c -> E *m wordcol P c = wordcol W c.
Proof.
have colE s : E *m wordcol P (code s) = col (enum_rank s) (E *m wordmx P).
  by rewrite colE -mulmxA -colE col_wordmx.
split=> [eqEM c vc | eqc].
  by have [s <-] := code_surj vc; rewrite colE eqEM col_wordmx.
apply/matrixP => a j; rewrite -[j]enum_valK.
have /matrixP/(_ a 0) := eqc _ (code_valid (enum_val j)).
by rewrite colE -col_wordmx !mxE.
Qed.

Lemma wordmx_left_inverse m w (P : words R m) (W : words R w) (B : 'M_(#|wslot|, m)) :
  B *m wordmx P = 1%:M ->
  forall c, valid L c -> (wordmx W *m B) *m wordcol P c = wordcol W c.
Proof. by move=> BM; apply/wordmxP; rewrite -mulmxA BM mulmx1. Qed.

Lemma eq_wordmx w (P Q : words R w) :
    (forall l a, (l < L)%N -> letter P l a = letter Q l a) ->
    (forall (p : seq A) k, valid L (p, k) -> ending P (size p) k = ending Q (size p) k) ->
  wordmx P = wordmx Q.
Proof.
move=> eqV eqB; apply/matrixP => a j; rewrite !mxE /wordcol.
have := code_valid (enum_val j); case: (code _) => p k vc; rewrite /= eqB //.
have pL : (size p <= L)%N by move: vc; rewrite /valid; case: k => [t /ltnW | i /eqP ->].
rewrite (eq_pathmx (V' := letter Q)) // => i h /andP[_ ip].
by rewrite eqV // (leq_trans ip).
Qed.

(* J maps the coordinates of P to those of Q and commutes with the letters. *)
Lemma intertwined_wordmx v w (J : 'M[R]_(v, w)) (P : words R w) (Q : words R v) :
  (forall l a, J *m letter P l a = letter Q l a *m J) ->
  (forall l k, J *m ending P l k = ending Q l k) ->
  J *m wordmx P = wordmx Q.
Proof.
move=> JV JB; apply/wordmxP => -[p k] _; rewrite /wordcol /= -JB !mulmxA; congr (_ *m _).
elim: p 0%N => [|a p IHp] l /=; first by rewrite mulmx1 mul1mx.
by rewrite mulmxA JV -mulmxA IHp mulmxA.
Qed.

Lemma sum_delta n (j : 'I_n) (f g : 'I_n -> R) : (forall i, f i = (i == j)%:R) -> \sum_i f i * g i = g j.
Proof.
move=> fE; rewrite (bigD1 j) //= fE eqxx mul1r big1 ?addr0 // => i /negbTE ni.
by rewrite fE ni mul0r.
Qed.

(* Routings: 0/1 words given by moves of wslots. *)
Section Routing.
Variables (step : nat -> A -> word -> option word) (read : nat -> T + 'I_d -> pred word).
Hypothesis step_valid : forall l a c c', valid L c -> step l a c = Some c' -> valid L c'.

Definition routing : words R #|wslot| :=
  Words (fun l a => \matrix_(i, j) (step l a (code (enum_val i)) == Some (code (enum_val j)))%:R)
        (fun l k => \col_i (read l k (code (enum_val i)))%:R).

Fixpoint follow l (p : seq A) (c : word) : option word :=
  if p is a :: p' then obind (follow l.+1 p') (step l a c) else Some c.

Lemma pathmx_routing c (B : 'M[R]_(#|wslot|, c)) (g : word -> bool) j :
    (forall i, B i j = (g (code (enum_val i)))%:R) ->
  forall l p i, (pathmx (letter routing) l p *m B) i j = (oapp g false (follow l p (code (enum_val i))))%:R.
Proof.
move=> Bg; have VE l a i i' : letter routing l a i i' = (step l a (code (enum_val i)) == Some (code (enum_val i')))%:R.
  by rewrite mxE.
move: (letter routing) VE => V VE l p; elim: p l => [|a p IHp] l i /=; first by rewrite mul1mx.
rewrite -mulmxA mxE; move: (VE l a i) (code_valid (enum_val i)).
case: (step l a _) (@step_valid l a (code (enum_val i))) => [c'|] valid_c' VEi vi /=; last first.
  by rewrite big1 // => i' _; rewrite VEi mul0r.
have [s Es] := code_surj (valid_c' c' vi erefl).
rewrite (@sum_delta _ (enum_rank s)) => [|i']; first by rewrite IHp enum_rankK Es.
rewrite VEi -Es; congr (nat_of_bool _)%:R.
by apply/eqP/eqP => [[/code_inj->]|->]; rewrite ?enum_valK ?enum_rankK.
Qed.

Theorem wordmx_routing :
    (forall c p k, valid L c -> valid L (p, k) ->
       oapp (read (size p) k) false (follow 0 p c) = (c == (p, k))) ->
  wordmx routing = 1%:M.
Proof.
move=> followE; apply/matrixP => i j; rewrite mxE [RHS]mxE /wordcol.
case Ec: (code (enum_val j)) => [p k]; rewrite (pathmx_routing (g := read (size p) k)); last first.
  by move=> i'; rewrite mxE.
rewrite followE ?code_valid // -?Ec ?code_valid //.
by rewrite (inj_eq (@code_inj _ _ _ _)) (inj_eq enum_val_inj).
Qed.

Lemma routing01 : (forall l a, zero_one (letter routing l a)) /\ (forall l k, zero_one (ending routing l k)).
Proof.
by split=> l x i j; rewrite mxE; [case: (_ == _) | case: (read _ _ _)]; [right | left | right | left].
Qed.
End Routing.
End Ring.

Section Morphism.
Variables (R S : ringType) (f : {rmorphism R -> S}) (w : nat) (P : words R w).
Definition map_words : words S w :=
  Words (fun l a => map_mx f (letter P l a)) (fun l k => map_mx f (ending P l k)).

Lemma map_letters (V : nat -> A -> 'M[R]_w) l p :
  pathmx (fun l a => map_mx f (V l a)) l p = map_mx f (pathmx V l p).
Proof. by elim: p l => [|a p IHp] l /=; rewrite ?map_mx1 // IHp map_mxM. Qed.

Lemma map_wordmx : wordmx map_words = map_mx f (wordmx P).
Proof. by apply/matrixP => a j; rewrite mxE /wordcol /= map_letters -map_mxM !mxE. Qed.
End Morphism.
End Words.

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

Lemma eq_read_words w (V V' : nat -> A -> 'M[R]_w) Rd Rd' (U U' : 'M_(w, d)) :
    (forall l a, (l < L)%N -> V l a = V' l a) -> (forall l b, (l < L)%N -> Rd l b = Rd' l b) -> U = U' ->
  wordmx L (read_words V Rd U) = wordmx L (read_words V' Rd' U').
Proof. by move=> eqV eqR ->; apply: eq_wordmx => [|p [[b i]|i] vp] //=; rewrite eqR. Qed.

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
