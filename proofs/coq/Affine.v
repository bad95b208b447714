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
                           all attention functions whose rows sum to 1
   Main results
     run_lift              the lifted network computes [X_l, 1]
     affine_universality   the claim for 0/1 matrices
     affine_generic        a nonzero polynomial of degree at most D, outside whose zero
                           set the backbone is universal

   Reference: Fixed Universal Transformers (arXiv:2605.31423), extended to biases. *)

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Slots Sparse Degree Words Readings Minor FreeWords.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

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
  forall (W : weights R H k d) bQ bK bV (C : 'M[R]_(d, e)) (c : 'rV[R]_e), exists E : 'M[R]_(d + 1, m),
  forall n (attn : attention R H k n) (X : 'M[R]_(n, d)), sums_to_one attn ->
    run attn P L (row_mx X (ones n) *m E) *m U = affine_run W bQ bK bV attn L X *m C + ones n *m c.

Lemma affine_words_universal (h0 : H) L d e m (P : weights R H k m) (U : 'M[R]_(m, e)) B :
  B *m wordmx L (network_words P U) = 1%:M -> affine_universal L d P U.
Proof.
move=> BM W bQ bK bV C c; pose T := network_words (lift W bQ bK bV h0) (col_mx C c).
have [mS mU] := read_words_match (wordmx_left_inverse T BM).
exists (wordmx L T *m B) => n attn X attn1.
rewrite (readout_sufficiency _ _ mU) => [|p h|p h]; last 2 first.
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

Theorem affine_universality (R : ringType) (H : finType) (k L e : nat) (h0 : H) :
  exists (P : weights R H k (N #|H| k L e)) (U : 'M[R]_(N #|H| k L e, e)),
  [/\ forall l h, [/\ zero_one (WQ P l h), zero_one (WK P l h) & zero_one (WV P l h)],
      zero_one U &
      forall d, affine_universal L d P U].
Proof.
rewrite -card_network_slot; have [ZV ZR ZU] := zero_one_project R H (qk H) k L e.
exists (read_weights (project R (qk H) k L e) (project_readers R H k L e)), (project_out R H (qk H) k L e).
split=> [l h||d]; [by split; [exact: ZR | exact: ZR | exact: ZV] | exact: ZU |].
apply: (@affine_words_universal _ _ _ h0 _ _ _ _ _ _ 1%:M).
by rewrite mul1mx network_read_words; apply: wordmx_project.
Qed.

Theorem affine_generic (F : fieldType) (H : finType) (k L e m : nat) (h0 : H) : (N #|H| k L e <= m)%N ->
  exists p : {mpoly F[nfree H (qk H) k e L m]}, [/\ p != 0, (msize p <= (D #|H| k L e).+1)%N &
    forall v, p.@[v] != 0 -> forall d, affine_universal L d (read_weights (letters_of v) (readers_of v)) (output_of v)].
Proof.
rewrite -card_network_slot card_read_slot => /(free_generic F)[p [p0 degp univ]].
exists p; split=> [||v /univ[C CM] d]; first exact: meval_neq0 p0.
  have <- // : layered_degree #|H| (#|qk H| * k) L e = D #|H| k L e.
  rewrite /layered_degree /D card_prod card_bool mulnA; congr addn.
  have -> : weighted_powers #|H| L = (#|H| * weighted_geometric #|H| L)%N.
    by elim: (L) => [|l IHl] /=; [rewrite muln0 | rewrite IHl mulnDr expnS mulnCA].
  by rewrite mulnA [(#|H| * 2)%N]mulnC [(2 * _ * k)%N]mulnAC.
by apply: (affine_words_universal h0 (B := C)); rewrite network_read_words.
Qed.
