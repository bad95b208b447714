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

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import Network Sparse.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

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
move=> Bg l p; elim: p l => [|a p IHp] l i /=; first by rewrite mul1mx.
rewrite -mulmxA mxE.
case Ec: (step l a _) => [c'|] /=; last first.
  by rewrite big1 // => i' _; rewrite !mxE Ec mul0r.
have [s Es] := code_surj (step_valid (code_valid _) Ec).
rewrite (bigD1 (enum_rank s)) //= IHp mxE Ec enum_rankK Es eqxx mul1r big1 ?addr0 // => i' ni'.
rewrite mxE Ec -Es (inj_eq Some_inj) (inj_eq (@code_inj _ _ _ _)).
by rewrite -(inj_eq enum_rank_inj) enum_valK eq_sym (negbTE ni') mul0r.
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
