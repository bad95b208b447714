(* Keys read off the outputs: the narrowest score-matching backbone known.

   Claim.  Let the keys of layer l be what the outputs along the path h1, ..., h1 from
   layer l on will read: RK_l = RV_(l,h1) ... RV_(L-1,h1) U.  Then keys need no slots,
   and a 0/1 backbone of head width d and width
     N_readoff = d (H + H^2 + ... + H^L + H^L)
   simulates, for all attention functions of the scores, every target whose scores
   factor through these products, in particular every target whose value matrices of
   the head h1 are invertible.  So does almost every such backbone of any width
   m >= N_readoff.

   Main definitions
     last_values L h1 V l     V_(l,h1) ... V_(L-1,h1)
     reads_off L h1 W         every WQ WK^T is F (last_values)^T for some F
     readoff_keys L h1 Q V U  the backbone whose keys are read off U
     readoff_universal        it simulates all targets that read off
     N_readoff h L d          the width above, for h heads; it computes
   Main results
     invertible_reads_off     invertible values of the head h1 suffice
     readoff_universality     the claim for 0/1 matrices
     readoff_generic          a nonzero polynomial, outside whose zero set the backbone
                              is universal

   Reference: Fixed Universal Transformers (arXiv:2605.31423), extended to attention
   functions of the scores.                                                        *)

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Sparse Words Readings Minor FreeWords SharedKeys.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section ReadOff.
Variables (R : comRingType) (H : finType) (L : nat) (h1 : H).

Definition last_values w (V : nat -> H -> 'M[R]_w) (l : nat) : 'M[R]_w := pathmx V l (nseq (L - l) h1).

Lemma pathmx_cat w (V : nat -> H -> 'M[R]_w) l p q : pathmx V l (p ++ q) = pathmx V l p *m pathmx V (l + size p) q.
Proof.
elim: p l => [|h p IHp] l /=; first by rewrite mul1mx addn0.
by rewrite IHp mulmxA addSnnS.
Qed.

Definition reads_off k d (W : weights R H k d) : Prop :=
  exists F : nat -> H -> 'M[R]_d,
  forall l h, (l < L)%N -> WQ W l h *m (WK W l h)^T = F l h *m (last_values (WV W) l)^T.

Definition readoff_keys d m (Q : nat -> H -> 'M[R]_(m, d)) (V : nat -> H -> 'M[R]_m) (U : 'M[R]_(m, d)) :=
  shared_keys Q (fun l => last_values V l *m U) V.

Definition readoff_universal d c m (P : weights R H c m) (U : 'M[R]_(m, d)) : Prop :=
  forall k (W : weights R H k d), reads_off W -> exists E : 'M[R]_(d, m),
  forall n (a : score_attention R H n) (X : 'M[R]_(n, d)),
    run (@of_scores _ _ n a c) P L (X *m E) *m U = run (@of_scores _ _ n a k) W L X.

Lemma readoff_words_universal d m (V : nat -> H -> 'M[R]_m) (Q : nat -> H -> 'M[R]_(m, d)) (U : 'M[R]_(m, d)) C :
  C *m wordmx L (read_words V Q U) = 1%:M -> readoff_universal (readoff_keys Q V U) U.
Proof.
move=> CM k W [F FW]; pose T := read_words (WV W) F 1%:M.
have [mQ mU] := read_words_match (wordmx_left_inverse T CM).
exists (wordmx L T *m C).
apply: (@score_sufficiency _ _ _ _ _ _ _ _ (shared_keys F (last_values (WV W)) (WV W))) => [l h lL|] /=.
  by rewrite FW.
split=> [p h sp|p h sp|p sp] /=; last by rewrite mU // mulmx1.
- exact: mQ.
have sq : size (p ++ nseq (L - size p) h1) = L by rewrite size_cat size_nseq subnKC // ltnW.
by have := mU _ sq; rewrite !pathmx_cat mulmx1 !mulmxA add0n.
Qed.
End ReadOff.

Lemma invertible_reads_off (R : comUnitRingType) (H : finType) L (h1 : H) k d (W : weights R H k d) :
  (forall l, (l < L)%N -> WV W l h1 \in unitmx) -> reads_off L h1 W.
Proof.
move=> uV; exists (fun l h => WQ W l h *m (WK W l h)^T *m invmx (last_values L h1 (WV W) l)^T) => l h lL.
rewrite mulmxKV // unitmx_tr /last_values.
suff: forall i l, (l + i = L)%N -> pathmx (WV W) l (nseq i h1) \in unitmx by apply; rewrite subnKC // ltnW.
elim=> [|i IHi] j ji /=; first exact: unitmx1.
by rewrite unitmx_mul uV ?IHi -?ji ?addSnnS // addnS ltnS leq_addr.
Qed.

Definition N_readoff (h L d : nat) : nat := (h * d * geometric h L + d * h ^ L)%N.
Definition D_readoff (h L d : nat) : nat := layered_degree h (h * d) L d.

Lemma N_readoffE h L d : N_readoff h L d = (d * (\sum_(1 <= l < L.+1) h ^ l + h ^ L))%N.
Proof.
rewrite /N_readoff mulnDr; congr addn; rewrite -mulnA mulnCA; congr muln; rewrite geometricE big_add1 big_mkord.
by rewrite big_distrr; apply: eq_bigr => l _; rewrite /= expnS.
Qed.

Lemma D_readoffE h L d : D_readoff h L d = (d * (\sum_(1 <= l < L.+1) l * h ^ l + L.+1 * h ^ L))%N.
Proof.
rewrite /D_readoff /layered_degree mulnDr; congr addn; rewrite -mulnA mulnCA; congr muln.
rewrite weighted_geometricE big_add1 big_mkord big_distrr; apply: eq_bigr => l _ /=.
by rewrite expnS mulnCA.
Qed.

Theorem readoff_universality (R : comRingType) (H : finType) (L d : nat) (h1 : H) :
  exists (Q : nat -> H -> 'M[R]_(N_readoff #|H| L d, d)) (V : nat -> H -> 'M[R]_(N_readoff #|H| L d))
         (U : 'M[R]_(N_readoff #|H| L d, d)),
  [/\ forall l h, [/\ zero_one (Q l h), zero_one (V l h) & zero_one (last_values L h1 V l *m U)],
      zero_one U &
      readoff_universal L h1 (readoff_keys L h1 Q V U) U].
Proof.
have <- : #|wslot H (reading H d) L d| = N_readoff #|H| L d by rewrite card_read_slot.
have [ZV ZR ZU] := zero_one_project R H H d L d.
exists (project_readers R H d L d), (project R H d L d), (project_out R H H d L d).
split=> [l h||]; [split | exact: ZU |].
- exact: ZR.
- exact: ZV.
- move=> i j; rewrite (@pathmx_routing _ _ _ _ _ _ (@project_read _ H d d) _ _ _ (project_read L (inr j))).
  + by case: (oapp _ _ _); [right | left].
  + exact: project_step_valid.
  + by move=> i'; rewrite !mxE.
apply: (@readoff_words_universal _ _ _ _ _ _ _ _ _ 1%:M).
by rewrite mul1mx; apply: wordmx_project.
Qed.

Theorem readoff_generic (F : fieldType) (H : finType) (L d m : nat) (h1 : H) : (N_readoff #|H| L d <= m)%N ->
  exists p : {mpoly F[nfree H H d d L m]}, [/\ p != 0, (msize p <= (D_readoff #|H| L d).+1)%N &
    forall v, p.@[v] != 0 ->
      readoff_universal L h1 (readoff_keys L h1 (readers_of v) (letters_of v) (output_of v)) (output_of v)].
Proof.
move=> /(free_generic F)[p [p0 degp univ]].
exists p; split=> // [|v /univ[C CM]]; [exact: meval_neq0 p0 | exact: readoff_words_universal CM].
Qed.
