(* Residual universality: both networks add each layer to what it read.

   Claim.  A residual backbone with 0/1 entries of width
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

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import Network Sparse Words Readings.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

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
rewrite -wordmx_fold_routing -[RHS]wordmx_readers; apply: eq_wordmx => [l [h|] _ //|p [[[h q] i]|i] _ //=].
  apply/matrixP => i j; rewrite !mxE (inj_eq Some_inj) (inj_eq (@code_inj _ _ _ _)).
  by rewrite (inj_eq enum_val_inj).
by case: q.
Qed.

Lemma zero_one_fold : (forall l h, [/\ zero_one (WQ fold l h), zero_one (WK fold l h) & zero_one (WV fold l h)]) /\
  zero_one fold_out.
Proof.
have [ZV /zero_one_readers ZR] := routing01 L R fold_step fold_read.
have [ZQ ZU] := ZR L; split=> // l h; split; [exact: ZQ | exact: ZQ | exact: ZV].
Qed.
End Fold.

Theorem residual_universality (R : ringType) (H : finType) (k L d : nat) :
  exists (P : weights R H k (N_res #|H| k L d)) (U : 'M[R]_(N_res #|H| k L d, d)),
  [/\ forall l h, [/\ zero_one (WQ P l h), zero_one (WK P l h) & zero_one (WV P l h)],
      zero_one U &
      residual_universal L P U].
Proof.
rewrite -card_residual_slot; exists (fold R H k L d), (fold_out R H k L d).
have [ZW ZU] := zero_one_fold R H k L d; split=> //.
by apply: (@residual_words_universal _ _ _ _ _ _ _ _ 1%:M); rewrite mul1mx wordmx_fold.
Qed.
