(* Residual networks.

   Parts
     Residual universality: both networks add each layer to what it read.
     Almost every residual backbone is universal: the algebraic form.   *)

From mathcomp Require Import all_ssreflect ssralg zmodp matrix mxalgebra.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Sparse Degree Generic Words FreeWords.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* Residual universality: both networks add each layer to what it read.

   Claim.  A residual backbone with 0/1 entries of any width m at least
     N_res = 2k H (1 + (H+1) + ... + (H+1)^(L-1)) + d (H+1)^L
   simulates every residual target.

   The skip is one head more: its value matrix and its attention are the identity.
   So a residual network is a network with the heads [option H], where None is the
   skip, and the words are the paths with skips.  Queries and keys of the skip need
   no slots.  In the witness, head h of layer l carries a slot whose path begins
   with l skips and h to the slot with l + 1 skips and the same rest; the skip
   leaves every slot in its place, as it must.

   Main definitions
     residual_run attn W l X  the state of the residual network after l layers
     residual_universal       a residual backbone simulates all residual targets
     skip_weights W           the same network with the skip as a head
     N_res h k L d            the width above, for h heads; it computes
     fold, fold_out           the backbone of the claim and its read-out
   Main results
     residual_sufficiency     paths with skips agree -> equal outputs
     residual_universality    the claim for 0/1 matrices

   Reference: Fixed Universal Transformers (arXiv:2605.31423), extended to
   residual connections.                                                        *)

Lemma big_option (R : Type) (idx : R) (op : Monoid.com_law idx) (T : finType) (F : option T -> R) :
  \big[op/idx]_(o : option T) F o = op (F None) (\big[op/idx]_(h : T) F (Some h)).
Proof.
rewrite (bigD1 None) //= (reindex_omap Some id) => [|[h|]] //=; congr (op _ _).
by apply: eq_bigl => h; rewrite eqxx.
Qed.

Section Residual.
Variables (R : ringType) (H : finType) (k : nat).

Fixpoint residual_run n (attn : attention R H k n) w (W : weights R H k w) (l : nat) (X : 'M[R]_(n, w)) :=
  if l is l'.+1 then
    let Z := residual_run attn W l' X in
    Z + \sum_h attn l' h (Z *m WQ W l' h) (Z *m WK W l' h) *m Z *m WV W l' h
  else X.

Definition residual_universal L d m (P : weights R H k m) (U : 'M[R]_(m, d)) : Prop :=
  forall W : weights R H k d, exists E : 'M[R]_(d, m),
  forall n (attn : attention R H k n) (X : 'M[R]_(n, d)),
    residual_run attn P L (X *m E) *m U = residual_run attn W L X.

(* a wider backbone, as in Sparse.v *)
Lemma residual_run_widen w m (P : weights R H k w) n (attn : attention R H k n) (X : 'M[R]_(n, w)) l : (w <= m)%N ->
  residual_run attn (widen m P) l (X *m pid_mx w) = residual_run attn P l X *m pid_mx w.
Proof.
move=> wm; elim: l => [|l IHl] //=; rewrite IHl mulmxDl mulmx_suml; congr (_ + _); apply: eq_bigr => h _.
by rewrite -!mulmxA ![pid_mx w *m (pid_mx w *m _)]mulmxA mul_JI // !mul1mx.
Qed.

Lemma residual_run_wide w m d (wm : (w <= m)%N) (P : weights R H k w) (U : 'M[R]_(w, d)) n (attn : attention R H k n) c
    (X : 'M[R]_(n, c)) (E : 'M[R]_(c, w)) l :
  residual_run attn (widen m P) l (X *m widenE m E) *m widenU m U = residual_run attn P l (X *m E) *m U.
Proof. by rewrite /widenE mulmxA residual_run_widen // /widenU -mulmxA [pid_mx w *m _]mulmxA mul_JI // mul1mx. Qed.

Definition skip_weights w (W : weights R H k w) : weights R (option_finType H) k w :=
  Weights (fun l => oapp (WQ W l) 0) (fun l => oapp (WK W l) 0) (fun l => oapp (WV W l) 1%:M).

Definition skip_attention n (attn : attention R H k n) : attention R (option_finType H) k n :=
  fun l o Q K => if o is Some h then attn l h Q K else 1%:M.

Lemma run_skip n (attn : attention R H k n) w (W : weights R H k w) l X :
  run (skip_attention attn) (skip_weights W) l X = residual_run attn W l X.
Proof. by elim: l => [|l IHl] //=; rewrite IHl big_option /= mul1mx mulmx1. Qed.

Theorem residual_sufficiency L d m (W : weights R H k d) (P : weights R H k m) (U : 'M[R]_(m, d)) (E : 'M[R]_(d, m)) :
  let V := WV (skip_weights P) in let V' := WV (skip_weights W) in
  [/\ forall p h, (size p < L)%N -> E *m pathmx V 0 p *m WQ P (size p) h = pathmx V' 0 p *m WQ W (size p) h,
      forall p h, (size p < L)%N -> E *m pathmx V 0 p *m WK P (size p) h = pathmx V' 0 p *m WK W (size p) h &
      forall p, size p = L -> E *m pathmx V 0 p *m U = pathmx V' 0 p] ->
  forall n (attn : attention R H k n) (X : 'M[R]_(n, d)),
    residual_run attn P L (X *m E) *m U = residual_run attn W L X.
Proof.
move=> V V' [mQ mK mU] n attn X; rewrite -!run_skip; apply: sufficiency; split=> // p [h|] sp /=.
- exact: mQ.
- by rewrite !mulmx0.
- exact: mK.
- by rewrite !mulmx0.
Qed.

Definition residual_words d w (P : weights R H k w) (U : 'M[R]_(w, d)) :=
  read_words (WV (skip_weights P)) (scores P) U.

Lemma residual_words_universal L d m (P : weights R H k m) (U : 'M[R]_(m, d)) B :
  B *m wordmx L (residual_words P U) = 1%:M -> residual_universal L P U.
Proof.
move=> BM W; exists (wordmx L (residual_words W 1%:M) *m B) => n attn X; apply: residual_sufficiency.
have [mS mU] := read_words_match (wordmx_left_inverse (residual_words W 1%:M) BM).
split=> [p h sp|p h sp|p sp]; last by rewrite mU // mulmx1.
- exact: (mS p (h, true)).
- exact: (mS p (h, false)).
Qed.
End Residual.

Definition N_res (h k L d : nat) : nat := (2 * k * h * geometric h.+1 L + d * h.+1 ^ L)%N.

Lemma card_residual_slot (H : finType) k L d :
  #|wslot (option_finType H) (reading (qk H) k) L d| = N_res #|H| k L d.
Proof.
by rewrite card_read_slot card_option card_prod card_bool /N_res [(#|H| * 2)%N]mulnC [(2 * _ * k)%N]mulnAC.
Qed.

Section Fold.
Variables (R : ringType) (H : finType) (k L d : nat).
Notation word := (seq (option H) * (reading (qk H) k + 'I_d))%type.
Notation n := #|wslot (option_finType H) (reading (qk H) k) L d|.

Definition fold_step (l : nat) (o : option H) (c : word) : option word :=
  if o is None then Some c else
  if prefix (rcons (nseq l None) o) c.1 then Some (nseq l.+1 None ++ drop l.+1 c.1, c.2) else None.

Definition fold_read (l : nat) (k : reading (qk H) k + 'I_d) (c : word) : bool := c == (nseq l None, k).

Lemma fold_step_valid l o c c' : valid L c -> fold_step l o c = Some c' -> valid L c'.
Proof.
case: c => p k' vp; case: o => [h|]; last by case=> <-.
rewrite /fold_step; case: ifP => // /size_prefix; rewrite size_rcons size_nseq => lp [<-].
by move: vp; rewrite /valid /= size_cat size_nseq size_drop -addSn subnKC.
Qed.

Lemma follow_fold l p (c : word) k' :
  oapp (fold_read (l + size p) k') false (follow fold_step l p c) = (c == (nseq l None ++ p, k')).
Proof.
have nseqS i (s : seq (option H)) : nseq i None ++ None :: s = nseq i.+1 None ++ s.
  by elim: i => //= i ->.
elim: p l c => [|o p IHp] l c /=; first by rewrite /fold_read addn0 cats0.
rewrite addnS -addSn; case: o => [h|] /=; last by rewrite IHp nseqS.
case: c => q k2 /=; rewrite -cat_rcons; case: prefixP => [[s ->]|np] /=.
  rewrite IHp drop_size_cat ?size_rcons ?size_nseq //.
  by apply/eqP/eqP => -[/eqP]; rewrite eqseq_cat // eqxx /= => /eqP-> ->.
by apply/esym/eqP => -[eq_q]; case: np; exists p.
Qed.

Definition fold_routing : words (option_finType H) (reading (qk H) k) d R n := routing L R fold_step fold_read.

Lemma wordmx_fold_routing : wordmx L fold_routing = 1%:M.
Proof.
apply: wordmx_routing => [l o c c'|c p k' _ _]; first exact: fold_step_valid.
exact: (follow_fold 0).
Qed.

Definition fold : weights R H k n :=
  Weights (fun l h => readers fold_routing l (h, true)) (fun l h => readers fold_routing l (h, false))
          (fun l h => letter fold_routing l (Some h)).
Definition fold_out : 'M[R]_(n, d) := outputs L fold_routing.

Lemma wordmx_fold : wordmx L (residual_words fold fold_out) = 1%:M.
Proof.
have skip l : letter fold_routing l None = 1%:M.
  apply/matrixP => i j; rewrite mxE [RHS]mxE (inj_eq Some_inj) (inj_eq (@code_inj _ _ _ _)).
  by rewrite (inj_eq enum_val_inj).
rewrite -wordmx_fold_routing -[RHS]wordmx_readers.
by apply: eq_read_words => [l [h|] _|l [h []] _|]; [| exact/esym/skip | | |].
Qed.

Lemma zero_one_fold : (forall l h, [/\ zero_one (WQ fold l h), zero_one (WK fold l h) & zero_one (WV fold l h)]) /\
  zero_one fold_out.
Proof.
have [ZV /zero_one_readers ZR] := routing01 L R fold_step fold_read.
have [ZQ ZU] := ZR L; split=> [l h|]; last exact ZU.
by split; [exact (ZQ l (h, true)) | exact (ZQ l (h, false)) | exact (ZV l (Some h))].
Qed.
End Fold.

Theorem residual_universality (R : ringType) (H : finType) (k L d m : nat) : (N_res #|H| k L d <= m)%N ->
  exists (P : weights R H k m) (U : 'M[R]_(m, d)),
  [/\ forall l h, [/\ zero_one (WQ P l h), zero_one (WK P l h) & zero_one (WV P l h)],
      zero_one U &
      residual_universal L P U].
Proof.
rewrite -card_residual_slot => wm; exists (widen m (fold R H k L d)), (widenU m (fold_out R H k L d)).
have [ZW ZU] := zero_one_fold R H k L d; split=> [l h||]; [exact/zero_one_widen/ZW | exact: zero_one_widenU |].
have univ : residual_universal L (fold R H k L d) (fold_out R H k L d).
  by apply: (@residual_words_universal _ _ _ _ _ _ _ _ 1%:M); rewrite mul1mx wordmx_fold.
by move=> W; have [E EP] := univ W; exists (widenE m E) => n attn X; rewrite residual_run_wide.
Qed.

(* Almost every residual backbone is universal: the algebraic form.

   Claim.  For every width m >= N_res there is a nonzero polynomial of degree at
   most D_res in the entries of a residual backbone, such that each backbone at
   which it does not vanish is universal for residual targets.

   The polynomial is a minor of the block matrix.  The skip has degree 0, so a word
   has the degree 1 + the number of its letters that are not skips.

   Main definitions
     skip_degree h l      the sum of these degrees over the paths of length l
     D_res h k L d        the sum over all words, for h heads; it computes
   Main results
     sum_residual_degree  the sum of the degrees is D_res
     residual_generic     the claim

   Reference: Fixed Universal Transformers (arXiv:2605.31423), extended to
   residual connections.                                                        *)

(* The sum over the paths of length l with skips of 1 + the number of letters that
   are not skips: (h+1)^l + l h (h+1)^(l-1).                                      *)
Fixpoint skip_degree (h l : nat) : nat := (if l is l'.+1 then h.+1 * skip_degree h l' + h * h.+1 ^ l' else 1)%N.
Fixpoint skip_degrees (h L : nat) : nat := (if L is l.+1 then skip_degrees h l + skip_degree h l else 0)%N.
Definition D_res (h k L d : nat) : nat := (2 * k * h * skip_degrees h L + d * skip_degree h L)%N.

Lemma skip_degreeE h l : (skip_degree h l.+1 = h.+1 ^ l.+1 + l.+1 * h * h.+1 ^ l)%N.
Proof.
elim: l => [|l IHl]; first by rewrite /= expn1 expn0 !muln1 mul1n.
rewrite -[LHS]/(h.+1 * skip_degree h l.+1 + h * h.+1 ^ l.+1)%N IHl mulnDr -expnS -addnA; congr addn.
by rewrite mulnCA -expnS -mulnDl [(l.+2 * h)%N]mulSn addnC.
Qed.

Section Degree.
Variables (H : finType) (k L d : nat).
Notation letters := (option_finType H).
Definition counted (o : option H) : nat := o.

Lemma sum_skip_degree l : (\sum_(p : l.-tuple letters) (sumn (map counted p)).+1 = skip_degree #|H| l)%N.
Proof.
elim: l => [|l IHl].
  by rewrite (big_pred1 [tuple]) // => p; apply/esym/eqP; exact: tuple0.
pose f (c : letters * l.-tuple letters) : l.+1.-tuple letters := [tuple of c.1 :: c.2].
have bf : bijective f.
  exists (fun p : l.+1.-tuple letters => (thead p, [tuple of behead p])) => [[o p]|p].
    by congr pair; apply: val_inj.
  by rewrite [RHS]tuple_eta.
rewrite (reindex f) /=; last exact: onW_bij.
rewrite -(pair_bigA _ (fun o (p : l.-tuple letters) => (counted o + sumn (map counted p)).+1)) big_option /= IHl.
rewrite (eq_bigr (fun=> skip_degree #|H| l + #|H|.+1 ^ l)%N) => [|h _].
  by rewrite sum_nat_const mulnDr addnA -mulSn.
rewrite -IHl -card_option -(card_tuple l letters) -sum1_card -big_split /=.
by apply: eq_bigr => p _; rewrite addn1 add1n.
Qed.

Lemma sum_residual_degree :
  (\sum_(s : wslot letters (reading (qk H) k) L d) word_degree counted (code s) = D_res #|H| k L d)%N.
Proof.
rewrite big_sumType /=; congr addn.
  transitivity (\sum_(l < L) \sum_(s : l.-tuple letters * reading (qk H) k) (sumn (map counted s.1)).+1)%N.
    by rewrite sig_big_dep; apply: eq_bigr => -[l [p t]].
  transitivity (\sum_(l < L) 2 * k * #|H| * skip_degree #|H| l)%N.
    apply: eq_bigr => l _; rewrite -(pair_bigA _ (fun (p : l.-tuple letters) _ => (sumn (map counted p)).+1)) /=.
    rewrite -sum_skip_degree big_distrr; apply: eq_bigr => p _ /=.
    by rewrite sum_nat_const !card_prod card_bool card_ord [(#|H| * 2)%N]mulnC [(2 * _ * k)%N]mulnAC.
  rewrite -big_distrr; congr muln; elim: L => [|l IHl]; first by rewrite big_ord0.
  by rewrite big_ord_recr /= IHl.
transitivity (\sum_(p : L.-tuple letters) \sum_(i < d) (sumn (map counted p)).+1)%N.
  by rewrite pair_bigA; apply: eq_bigr => -[p i].
rewrite -sum_skip_degree big_distrr; apply: eq_bigr => p _.
by rewrite sum_nat_const card_ord.
Qed.
End Degree.

(* The block matrix depends on the layers below L only, and commutes with ring morphisms. *)
Lemma eq_residual_words (R : ringType) (H : finType) k L d w (P Q : weights R H k w) (U : 'M[R]_(w, d)) :
  eq_below L P Q -> wordmx L (residual_words P U) = wordmx L (residual_words Q U).
Proof.
move=> eqPQ; apply: eq_read_words => // [l [h|] lL|l b lL] //=; first by have [_ _ ->] := eqPQ l h lL.
by rewrite /scores; have [-> -> _] := eqPQ l b.1 lL.
Qed.

Lemma map_residual (R S : ringType) (f : {rmorphism R -> S}) (H : finType) k L d w (P : weights R H k w)
    (U : 'M[R]_(w, d)) :
  wordmx L (map_words f (residual_words P U)) = wordmx L (residual_words (map_weights f P) (map_mx f U)).
Proof.
apply: eq_wordmx => [l [h|] _|p [[b i]|i] _] //=; first exact: map_mx1.
- by rewrite map_col /scores; case: b.2.
exact: map_col.
Qed.

Section Generic.
Variables (F : fieldType) (H : finType) (k L d m : nat).
Notation n := (nparams H k d L m).
Notation w := #|wslot (option_finType H) (reading (qk H) k) L d|.
Notation words_at v := (residual_words (weights_of (unshared L) v) (readout_of v)).

Lemma map_residual_words (R S : comRingType) (f : {rmorphism R -> S}) (v : 'I_n -> R) (u : 'I_n -> S) :
  (forall i, f (v i) = u i) -> wordmx L (map_words f (words_at v)) = wordmx L (words_at u).
Proof.
move=> fv; rewrite map_residual (map_readout_of fv).
exact/eq_residual_words/map_weights_of.
Qed.

Lemma widen_fold (R : comRingType) : (w <= m)%N ->
  let P := widen m (fold R H k L d) in let U := widenU m (fold_out R H k L d) in
  pid_mx w *m wordmx L (words_at (params_of (@nat_of_ord L) P U)) = 1%:M.
Proof.
move=> wm P U; rewrite readout_params (eq_residual_words U (weights_params U (@unshared_ties R H k m L P))).
apply: etrans (wordmx_fold R H k L d); apply: intertwined_wordmx => [l [h|]|l [[[h []] i]|i]].
- exact (widen_letter wm (WV (fold R H k L d) l h)).
- exact (etrans (mulmx1 _) (esym (mul1mx _))).
- exact (widen_col wm (WQ (fold R H k L d) l h) i).
- exact (widen_col wm (WK (fold R H k L d) l h) i).
exact (widen_col wm (fold_out R H k L d) i).
Qed.

Theorem residual_generic : (N_res #|H| k L d <= m)%N ->
  exists p : {mpoly F[n]}, [/\ p != 0, (msize p <= (D_res #|H| k L d).+1)%N &
    forall v, p.@[v] != 0 -> residual_universal L (weights_of (unshared L) v) (readout_of v)].
Proof.
move=> Nm; have wm : (w <= m)%N by rewrite card_residual_slot.
have [|p [p0 degp univ]] := generic_vectors (delta := @counted H) map_residual_words _ (widen_fold F wm).
  move=> R dg v dgP v1; have [W1 U1] := degree_weights_of (unshared L) dgP v1; split=> [l [h|]|l [[b i]|i]] x y.
  - by have [_ _ V1] := W1 l h; apply: V1.
  - by rewrite mxE; case: (x == y); [exact: (deg1 dgP) | exact: (deg0 dgP)].
  - by rewrite mxE /scores; have [Q1 K1 _] := W1 l b.1; case: b.2; [exact: Q1 | exact: K1].
  by rewrite mxE; apply: U1.
exists p; rewrite -sum_residual_degree; split=> [|//|v /univ[B]]; first exact: meval_neq0 p0.
exact: residual_words_universal.
Qed.
End Generic.
