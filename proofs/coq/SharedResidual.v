(* Residual connections and one weight set for all layers.

   Claim.  A residual backbone that uses the same 0/1 matrices in every layer, of width
     2k (H + ... + H^L) + d (1 + H + ... + H^L),
   simulates every residual target that does the same; so does almost every such
   backbone of any width m at least that.

   A skip changes neither the product of the backbone nor that of the target, so the
   words are the paths without skips, and an output may stand after any of them.  Head
   h carries the slot of the path h, p to that of p; the readers read the empty path.
   Targets whose layers differ are out of reach: the backbone's products along
   (skip, h) and (h, skip) are equal.

   Main definitions
     same Q K V               the weights with the matrices Q, K, V in every layer
     shared_residual_universal
                              the backbone simulates all residual targets of this form
     N_sres h k L d           the width above, for h heads; it computes
     D_sres h k L d           the degree of the minor below; it computes
   Main results
     shared_residual_universality   the claim for 0/1 matrices
     shared_residual_generic        a nonzero polynomial of degree at most D_sres in
                                    the entries of one weight set, outside whose zero
                                    set the backbone is universal

   Reference: Fixed Universal Transformers (arXiv:2605.31423), extended to residual
   connections and shared weights.                                                *)

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Slots BlockMatrix Sparse Widen Degree Entries Words Readings Minor Residual.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Universal.
Variables (R : ringType) (H : finType) (k L d : nat).

Definition same w (Q K : H -> 'M[R]_(w, k)) (V : H -> 'M[R]_w) := Weights (fun _ => Q) (fun _ => K) (fun _ => V).

Definition shared_residual_universal m (P : weights R H k m) (U : 'M[R]_(m, d)) : Prop :=
  forall Q K V, exists E : 'M[R]_(d, m),
  forall n (attn : attention R H k n) (X : 'M[R]_(n, d)),
    residual_run attn P L (X *m E) *m U = residual_run attn (same Q K V) L X.

(* an ending below full length: a query or key column, or an output *)
Definition early : finType := [finType of reading (qk H) k + 'I_d].

(* the column of an ending, whatever the length of its path *)
Definition early_ending w (P : weights R H k w) (U : 'M[R]_(w, d)) (t : early) : 'cV[R]_w :=
  read_ending (scores P) U 0 t.
Definition to_early (t : early + 'I_d) : early := match t with inl t => t | inr i => inr i end.

Definition shared_residual_words w (P : weights R H k w) (U : 'M[R]_(w, d)) : words H early d R w :=
  Words (WV P) (fun _ t => early_ending P U (to_early t)).

Lemma pathmx_same w (V : H -> 'M[R]_w) l l' p : pathmx (fun _ => V) l p = pathmx (fun _ => V) l' p.
Proof. by elim: p l l' => //= h p IHp l l'; rewrite (IHp _ l'.+1). Qed.

(* Skips drop out of the products. *)
Lemma pathmx_skips w Q K (V : H -> 'M[R]_w) l p :
  pathmx (WV (skip_weights (same Q K V))) l p = pathmx (fun _ => V) 0 (pmap id p).
Proof.
elim: p l => [|[h|] p IHp] l //=; last by rewrite mul1mx.
by rewrite IHp (pathmx_same V 0 1).
Qed.

Lemma size_pmap_le (p : seq (option H)) : (size (pmap id p) <= size p)%N.
Proof. by rewrite size_pmap count_size. Qed.

Lemma shared_residual_words_universal m Q K V (U : 'M[R]_(m, d)) B :
  B *m wordmx L (shared_residual_words (same Q K V) U) = 1%:M -> shared_residual_universal (same Q K V) U.
Proof.
move=> BM WQ' WK' WV'; pose W := same WQ' WK' WV'; pose T := shared_residual_words W 1%:M.
exists (wordmx L T *m B) => n attn X.
have eq_words p (t : early) : (size p < L)%N || (size p == L) && (if t is inr _ then true else false) ->
    wordmx L T *m B *m (pathmx (fun _ => V) 0 p *m early_ending (same Q K V) U t) =
    pathmx (fun _ => WV') 0 p *m early_ending W 1%:M t.
  case/orP => [sp | /andP[/eqP sp]].
    exact: (wordmx_left_inverse T BM (c := (p, inl t)) sp).
  case: t => // i _; apply: (wordmx_left_inverse T BM (c := (p, inr i))).
  by rewrite /valid /= sp.
have eq_col x y (Y Z : 'M[R]_(x, y)) : (forall i, col i Y = col i Z) -> Y = Z.
  by move=> eqYZ; apply/matrixP => a i; have /colP/(_ a) := eqYZ i; rewrite !mxE.
have lt_skips (p : seq (option H)) : (size p < L)%N -> (size (pmap id p) < L)%N.
  exact: leq_ltn_trans (size_pmap_le p).
apply: residual_sufficiency; split=> [p h sp|p h sp|p sp]; rewrite !pathmx_skips; apply: eq_col => i.
- have := eq_words (pmap id p) (inl ((h, true), i)); rewrite lt_skips // /early_ending /= !colE !mulmxA.
  exact.
- have := eq_words (pmap id p) (inl ((h, false), i)); rewrite lt_skips // /early_ending /= !colE !mulmxA.
  exact.
have := eq_words (pmap id p) (inr i); rewrite andbT orbC -leq_eqVlt -[X in (_ <= X)%N]sp size_pmap_le.
rewrite /early_ending /= !colE !mulmxA mulmx1 => -> //.
Qed.
End Universal.

Section Unshift.
Variables (R : ringType) (H : finType) (k L d : nat).
Notation word := (seq H * (early H k d + 'I_d))%type.
Notation n := #|wslot H (early H k d) L d|.

Definition unshift_step (_ : nat) (h : H) (c : word) : option word :=
  if c is (g :: p, t) then if g == h then Some (p, inl (to_early t)) else None else None.
Definition unshift_read (_ : nat) (t : early H k d + 'I_d) (c : word) : bool :=
  (c.1 == [::]) && (to_early c.2 == to_early t).
Definition unshift_routing : words H (early H k d) d R n := routing L R unshift_step unshift_read.

Lemma unshift_step_valid l h c c' : valid L c -> unshift_step l h c = Some c' -> valid L c'.
Proof.
case: c => [[|g p] t] //=; case: (g == h) => // vc [<-]; rewrite /valid /=.
by move: vc; rewrite /valid; case: t => [t /ltnW | i /eqP <-].
Qed.

Lemma follow_unshift i l p q t t' :
  oapp (unshift_read i t') false (follow unshift_step l p (q, t)) = (q == p) && (to_early t == to_early t').
Proof.
elim: p q l t => [|h p IHp] [|g q] l t //=; rewrite eqseq_cons.
by case: (g == h) => //=; rewrite IHp.
Qed.

Lemma wordmx_unshift_routing : wordmx L unshift_routing = 1%:M.
Proof.
apply: wordmx_routing => [|[q t'] p t vq vp]; first exact: unshift_step_valid.
rewrite follow_unshift -[RHS]/((q == p) && (t' == t)); have [eq_q|//] := eqVneq q p.
move: vq vp; rewrite /valid eq_q /=; case: t t' => [t|i] [t'|i'] //=.
- by move=> /eqP->; rewrite ltnn.
- by move=> lt /eqP eL; rewrite eL ltnn in lt.
Qed.

Definition unshift : weights R H k n :=
  same (fun h => \matrix_(j, i) ending unshift_routing 0 (inl (inl ((h, true), i))) j 0)
       (fun h => \matrix_(j, i) ending unshift_routing 0 (inl (inl ((h, false), i))) j 0)
       (letter unshift_routing 0).
Definition unshift_out : 'M[R]_(n, d) := \matrix_(j, i) ending unshift_routing 0 (inr i) j 0.

Lemma wordmx_unshift : wordmx L (shared_residual_words unshift unshift_out) = 1%:M.
Proof.
rewrite -wordmx_unshift_routing; apply: eq_wordmx => // p [[[[h q] i]|i]|i] _ /=; apply/colP => j.
- by rewrite /early_ending /= /scores; case: q; rewrite !mxE.
- by rewrite !mxE.
by rewrite !mxE.
Qed.

Lemma zero_one_unshift : (forall h, [/\ zero_one (WQ unshift 0 h), zero_one (WK unshift 0 h) &
  zero_one (WV unshift 0 h)]) /\ zero_one unshift_out.
Proof.
have [ZV ZE] := routing01 L R unshift_step unshift_read.
split=> [h|i j]; last by rewrite mxE; apply: ZE.
by split=> [i j|i j|]; [rewrite mxE; apply: ZE | rewrite mxE; apply: ZE | apply: ZV].
Qed.
End Unshift.

Definition N_sres (h k L d : nat) : nat := (2 * k * powers h L + d * geometric h L.+1)%N.
Definition D_sres (h k L d : nat) : nat := layered_degree h (2 * k * h + d) L d.

Lemma card_shared_residual_slot (H : finType) k L d : #|wslot H (early H k d) L d| = N_sres #|H| k L d.
Proof.
have powersE : powers #|H| L = (#|H| * geometric #|H| L)%N.
  by elim: (L) => [|l IHl] /=; [rewrite muln0 | rewrite IHl mulnDr expnS].
rewrite /N_sres /= powersE mulnDr addnA mulnA -mulnDl.
by rewrite card_wslot card_sum !card_prod card_bool !card_ord [(#|H| * 2)%N]mulnC [(2 * _ * k)%N]mulnAC.
Qed.

Theorem shared_residual_universality (R : ringType) (H : finType) (k L d : nat) :
  exists (Q K : H -> 'M[R]_(N_sres #|H| k L d, k)) (V : H -> 'M[R]_(N_sres #|H| k L d))
         (U : 'M[R]_(N_sres #|H| k L d, d)),
  [/\ forall h, [/\ zero_one (Q h), zero_one (K h) & zero_one (V h)],
      zero_one U &
      shared_residual_universal L (same Q K V) U].
Proof.
rewrite -card_shared_residual_slot; pose P := unshift R H k L d.
exists (WQ P 0), (WK P 0), (WV P 0), (unshift_out R H k L d).
have [ZW ZU] := zero_one_unshift R H k L d; split=> //.
by apply: (@shared_residual_words_universal _ _ _ _ _ _ _ _ _ _ 1%:M); rewrite mul1mx; apply: wordmx_unshift.
Qed.

Section Generic.
Variables (F : fieldType) (H : finType) (k L d m : nat).
Notation n := (nparams H k d 1 m).
Notation w := #|wslot H (early H k d) L d|.
Notation words_at v := (shared_residual_words (weights_of shared v) (readout_of v)).

Lemma map_shared_residual_words (R S : comRingType) (f : {rmorphism R -> S}) (v : 'I_n -> R) (u : 'I_n -> S) :
  (forall i, f (v i) = u i) -> wordmx L (map_words f (words_at v)) = wordmx L (words_at u).
Proof.
move=> fv; apply: eq_wordmx => [l h _|p t _] /=; first by apply/matrixP => a b; rewrite !mxE fv.
by apply/colP => a; rewrite mxE /early_ending; case: (to_early t) => [[[h q] i]|i] /=;
   rewrite /scores; [case: q; rewrite !mxE /scalar_of /= fv | rewrite !mxE fv].
Qed.

Lemma widen_unshift (R : comRingType) : (w <= m)%N ->
  let P := widen m (unshift R H k L d) in let U := widenU m (unshift_out R H k L d) in
  pid_mx w *m wordmx L (words_at (params_of (fun _ : 'I_1 => 0%N) P U)) = 1%:M.
Proof.
move=> wm P U; rewrite -(wordmx_unshift R H k L d).
have -> : wordmx L (words_at (params_of (fun _ : 'I_1 => 0%N) P U)) = wordmx L (shared_residual_words P U).
  apply: eq_wordmx => [l h _|p t _] /=.
    by apply/matrixP => a b; rewrite mxE /scalar_of /= /params_of enum_rankK.
  apply/colP => a; rewrite /early_ending; case: (to_early t) => [[[h q] i]|i] /=.
    by rewrite /scores; case: q; rewrite !mxE /scalar_of /= /params_of enum_rankK !mxE.
  by rewrite !mxE /params_of enum_rankK !mxE.
apply: intertwined_wordmx => [l h|l t] /=; first exact: widen_letter.
rewrite /early_ending; case: (to_early t) => [[[h q] i]|i] /=.
  by rewrite /scores; case: q; apply: widen_col.
exact: widen_col.
Qed.

Theorem shared_residual_generic : (N_sres #|H| k L d <= m)%N ->
  exists p : {mpoly F[n]}, [/\ p != 0, (msize p <= (D_sres #|H| k L d).+1)%N &
    forall v, p.@[v] != 0 -> shared_residual_universal L (weights_of shared v) (readout_of v)].
Proof.
rewrite -card_shared_residual_slot => wm; pose X i : [comRingType of {mpoly F[n]}] := 'X_i.
have evalX v : wordmx L (map_words [rmorphism of meval v] (words_at X)) = wordmx L (words_at v).
  by apply: map_shared_residual_words => i; apply: mevalXU.
pose v0 := params_of (fun _ : 'I_1 => 0%N) (widen m (unshift F H k L d)) (widenU m (unshift_out F H k L d)).
have X1 i : (msize (X i) <= 2)%N by rewrite msizeX mdeg1.
have [|||p [p0 degp univ]] :=
  @generic_words F H (early H k d) L d n m (pid_mx w) (words_at X) (fun=> 1%N) v0.
- by move=> l h a b; rewrite mxE; apply: X1.
- move=> l t a b; rewrite /= /early_ending; case: (to_early t) => [[[h q] i]|i] /=; rewrite mxE.
    by rewrite /scores; case: q; rewrite mxE; apply: X1.
  by rewrite mxE; apply: X1.
- by rewrite evalX widen_unshift.
exists p; split=> [||v /univ[B]]; first exact: meval_neq0 p0.
  move: degp; rewrite sum_word_degree card_sum !card_prod card_bool !card_ord.
  by rewrite [(#|H| * 2)%N]mulnC [(2 * _ * k)%N]mulnAC.
rewrite evalX => BM.
exact: (@shared_residual_words_universal _ _ _ _ _ _ (WQ (weights_of shared v) 0) (WK (weights_of shared v) 0)
  (WV (weights_of shared v) 0) _ B BM).
Qed.
End Generic.
