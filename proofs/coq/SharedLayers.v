(* One weight set for all layers.

   Parts
     Looped universality: one weight set, used in every layer.
     Residual connections and one weight set for all layers.   *)

From mathcomp Require Import all_ssreflect ssralg zmodp matrix mxalgebra.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Sparse Degree Generic Words FreeWords Residual.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* Looped universality: one weight set, used in every layer.

   Claim.  At every width m >= N, a backbone that uses the same 0/1 matrices in every
   layer simulates every target, looped or not; and so does almost every looped
   backbone of that width.

   Head h carries a slot whose path begins with h one place to the left.  A query
   or key slot loses its first letter, so the slot of the path p stands, after the
   layers of p, where the first layer's slots are read.  The path of an output slot
   is a shift register: its first letter moves to the end, and after L layers it is
   back in its place if and only if the heads have spelled it.

   Main definitions
     shift_step h c       where head h carries the coordinate of the word c
     shift, shift_out     the looped backbone of width N and its read-out
   Main results
     wordmx_shift         its block matrix is the identity
     looped_universality  the claim for 0/1 matrices
     looped_generic       a nonzero polynomial in the entries of one weight set, of
                          degree at most D, outside whose zero set the looped
                          backbone is universal
     looped_good_vector   the hypothesis of Generic.tied_universality
   The width N cannot be improved: see Threshold.universal_width.

   Reference: Fixed Universal Transformers (arXiv:2605.31423), extended to shared
   weights.                                                                     *)

Section Shift.
Variables (R : ringType) (H : finType) (k L d : nat).
Notation word := (seq H * (reading (qk H) k + 'I_d))%type.
Notation n := #|wslot H (reading (qk H) k) L d|.

Definition shift_step (h : H) (c : word) : option word :=
  match c with
  | (g :: p, inl t) => if g == h then Some (p, inl t) else None
  | (g :: p, inr i) => if g == h then Some (rcons p g, inr i) else None
  | ([::], _) => None
  end.

Definition shift_read (k : reading (qk H) k + 'I_d) (c : word) : bool :=
  if k is inl _ then c == ([::], k) else c.2 == k.

Definition shift_routing : words H (reading (qk H) k) d R n :=
  routing L R (fun _ => shift_step) (fun _ => shift_read).

Definition shift : weights R H k n :=
  Weights (fun _ h => readers shift_routing 0 (h, true)) (fun _ h => readers shift_routing 0 (h, false))
          (fun _ => letter shift_routing 0).
Definition shift_out : 'M[R]_(n, d) := outputs L shift_routing.

Lemma shift_step_valid h c c' : valid L c -> shift_step h c = Some c' -> valid L c'.
Proof.
case: c => [[|g p] [t|i]] //=; case: (g == h) => // vc [<-]; first exact: ltnW vc.
by rewrite /valid /= size_rcons.
Qed.

Lemma follow_score l p q t :
  follow (fun _ => shift_step) l p (q, inl t) = if prefix p q then Some (drop (size p) q, inl t) else None.
Proof.
elim: p q l => [|h p IHp] [|g q] l //=.
by rewrite eq_sym; case: (h == g) => //=; rewrite IHp.
Qed.

Lemma follow_output l p q i : (size p <= size q)%N ->
  follow (fun _ => shift_step) l p (q, inr i) = if prefix p q then Some (rot (size p) q, inr i) else None.
Proof.
elim: p q l => [|h p IHp] [|g q] l //=; first by rewrite rot0.
rewrite ltnS eq_sym => pq; case: (h == g) => //=.
rewrite IHp; last by rewrite size_rcons (leq_trans pq).
rewrite -rot1_cons -rotD ?addn1 ?ltnS // rot1_cons.
by rewrite !prefixE -cats1 takel_cat.
Qed.

Theorem wordmx_shift_routing : wordmx L shift_routing = 1%:M.
Proof.
apply: wordmx_routing => [_ h c c'|]; first exact: shift_step_valid.
move=> [q k'] p [t|i] vq vp; rewrite /valid /= in vp.
  case: k' vq => [t'|i'] vq; rewrite /valid /= in vq.
    rewrite follow_score; case: prefixP => [[s ->]|np] /=; last first.
      by apply/esym/eqP => -[eq_qp _]; case: np; exists [::]; rewrite cats0.
    rewrite drop_size_cat //; apply/eqP/eqP => [[-> ->]|[/(congr1 size)/eqP]]; first by rewrite cats0.
    by rewrite size_cat -{2}[size p]addn0 eqn_add2l => /nilP-> ->.
  rewrite follow_output ?(eqP vq) ?(ltnW vp) //; transitivity false; last by apply/esym/eqP => -[].
  by case: ifP => //= _; apply/eqP => -[].
case: k' vq => [t'|i'] vq; rewrite /valid /= in vq.
  rewrite follow_score; transitivity false; last by apply/esym/eqP => -[].
  by case: ifP => //= _; apply/eqP => -[].
rewrite follow_output ?(eqP vq) ?(eqP vp) // prefixE take_oversize ?(eqP vq) ?(eqP vp) //.
have [->|npq] := eqVneq q p; last by apply/esym/eqP => -[/eqP]; rewrite (negbTE npq).
by apply/eqP/eqP => /= [[->]|[->]].
Qed.

Lemma wordmx_shift : wordmx L (network_words shift shift_out) = 1%:M.
Proof.
rewrite -wordmx_shift_routing -[RHS]wordmx_readers.
by apply: eq_read_words => // l [h []] _.
Qed.

Lemma zero_one_shift : (forall h, [/\ zero_one (WQ shift 0 h), zero_one (WK shift 0 h) & zero_one (WV shift 0 h)]) /\
  zero_one shift_out.
Proof.
have [ZV /zero_one_readers ZR] := routing01 L R (fun _ => shift_step) (fun _ => shift_read).
have [ZQ ZU] := ZR L; split=> [h|]; last exact ZU.
by split; [exact (ZQ 0%N (h, true)) | exact (ZQ 0%N (h, false)) | exact (ZV 0%N h)].
Qed.
End Shift.

Theorem looped_universality (R : ringType) (H : finType) (k L d m : nat) : (N #|H| k L d <= m)%N ->
  exists (Q K : H -> 'M[R]_(m, k)) (V : H -> 'M[R]_m) (U : 'M[R]_(m, d)),
  [/\ forall h, [/\ zero_one (Q h), zero_one (K h) & zero_one (V h)],
      zero_one U &
      universal L (Weights (fun _ => Q) (fun _ => K) (fun _ => V)) U].
Proof.
rewrite -card_network_slot => wm; pose P := widen m (shift R H k L d).
exists (WQ P 0), (WK P 0), (WV P 0), (widenU m (shift_out R H k L d)).
have [ZW ZU] := zero_one_shift R H k L d; split=> [h||]; [exact: zero_one_widen (ZW h) | exact: zero_one_widenU |].
suff univ : universal L (shift R H k L d) (shift_out R H k L d) by exact: (widen_universal wm univ).
by apply: (@words_universal _ _ _ _ _ _ _ _ 1%:M); rewrite mul1mx; apply: wordmx_shift.
Qed.

Section Generic.
Variables (F : fieldType) (H : finType) (k L d m : nat).
Hypothesis Nm : (N #|H| k L d <= m)%N.

Let cast_invertible w (ew : w = #|slot H k L d|) (Q K : H -> 'M[F]_(w, k)) (V : H -> 'M[F]_w) U
    (B : 'M[F]_(#|slot H k L d|, w)) :
  B *m blockmx L (Weights (fun _ => Q) (fun _ => K) (fun _ => V)) U = 1%:M ->
  exists (Q K : H -> 'M[F]_(#|slot H k L d|, k)) (V : H -> 'M[F]_#|slot H k L d|) U,
  \det (blockmx L (Weights (fun _ => Q) (fun _ => K) (fun _ => V)) U) != 0.
Proof. by subst w => /mulmx1_unit[_ uM]; exists Q, K, V, U; rewrite -unitfE -unitmxE. Qed.

(* a looped backbone of width exactly N whose block matrix is invertible *)
Lemma looped_invertible : exists (Q K : H -> 'M[F]_(#|slot H k L d|, k)) (V : H -> 'M[F]_#|slot H k L d|) U,
  \det (blockmx L (Weights (fun _ => Q) (fun _ => K) (fun _ => V)) U) != 0.
Proof.
have ew : #|wslot H (reading (qk H) k) L d| = #|slot H k L d| by rewrite card_network_slot card_slot.
have shift1 : 1%:M *m wordmx L (network_words (shift F H k L d) (shift_out F H k L d)) = 1%:M.
  by rewrite mul1mx; apply: wordmx_shift.
pose P := shift F H k L d; elim: (blockmx_left_inverse shift1) => B.
exact (@cast_invertible _ ew (WQ P 0%N) (WK P 0%N) (WV P 0%N) _ B).
Qed.

Lemma looped_good_vector : exists v : 'I_(nparams H k d 1 m) -> F, minor_det L shared v != 0.
Proof.
elim: looped_invertible => Q; elim=> K; elim=> V; elim=> U M0.
pose P := Weights (fun _ => Q) (fun _ => K) (fun _ => V).
exists (params_of (fun _ => 0%N) (widen m P) (widenU m U)).
by rewrite /minor_det blockmx_params ?blockmx_widen ?card_slot // => l _; exists ord0.
Qed.

Theorem looped_generic :
  exists p : {mpoly F[nparams H k d 1 m]}, [/\ p != 0, (msize p <= (D #|H| k L d).+1)%N &
    forall v, p.@[v] != 0 -> universal L (weights_of shared v) (readout_of v)].
Proof. exact/tied_universality/looped_good_vector. Qed.
End Generic.

(* Residual connections and one weight set for all layers.

   Claim.  A residual backbone that uses the same 0/1 matrices in every layer, of any
   width m at least
     2k (H + ... + H^L) + d (1 + H + ... + H^L),
   simulates every residual target that does the same; so does almost every such
   backbone of that width.

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
have colK c (e : 'I_c -> 'cV[R]_n) i : col i (\matrix_(j, i) e i j 0) = e i by apply/colP => j; rewrite !mxE.
rewrite -wordmx_unshift_routing; apply: eq_wordmx => [//|p [[[[h []] i]|i]|i] _].
- exact (colK k (fun i => ending unshift_routing 0 (inl (inl ((h, true), i)))) i).
- exact (colK k (fun i => ending unshift_routing 0 (inl (inl ((h, false), i)))) i).
- exact (colK d (fun i => ending unshift_routing 0 (inr i)) i).
exact (colK d (fun i => ending unshift_routing 0 (inr i)) i).
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

Theorem shared_residual_universality (R : ringType) (H : finType) (k L d m : nat) : (N_sres #|H| k L d <= m)%N ->
  exists (Q K : H -> 'M[R]_(m, k)) (V : H -> 'M[R]_m) (U : 'M[R]_(m, d)),
  [/\ forall h, [/\ zero_one (Q h), zero_one (K h) & zero_one (V h)],
      zero_one U &
      shared_residual_universal L (same Q K V) U].
Proof.
rewrite -card_shared_residual_slot => wm; pose P := widen m (unshift R H k L d).
exists (WQ P 0), (WK P 0), (WV P 0), (widenU m (unshift_out R H k L d)).
have [ZW ZU] := zero_one_unshift R H k L d; split=> [h||]; [exact: zero_one_widen (ZW h) | exact: zero_one_widenU |].
have univ : shared_residual_universal L (unshift R H k L d) (unshift_out R H k L d).
  by apply: (@shared_residual_words_universal _ _ _ _ _ _ _ _ _ _ 1%:M); rewrite mul1mx; apply: wordmx_unshift.
move=> Q K V; have [E EP] := univ Q K V; exists (widenE m E) => n attn X.
exact: etrans (residual_run_wide wm _ _ attn X E L) (EP n attn X).
Qed.

(* The block matrix depends on the weights only, and commutes with ring morphisms. *)
Lemma eq_shared_residual_words (R : ringType) (H : finType) k L d w (P Q : weights R H k w) (U : 'M[R]_(w, d)) :
  (forall l, eq_below l P Q) -> wordmx L (shared_residual_words P U) = wordmx L (shared_residual_words Q U).
Proof.
move=> eqPQ; apply: eq_wordmx => [l h lL|p t _] /=; first by have [_ _ ->] := eqPQ L l h lL.
rewrite /early_ending; case: (to_early t) => [[b i]|i] //=.
by rewrite /scores; have [-> -> _] := eqPQ 1%N 0%N b.1 isT.
Qed.

Lemma map_shared_residual (R S : ringType) (f : {rmorphism R -> S}) (H : finType) k L d w (P : weights R H k w)
    (U : 'M[R]_(w, d)) : wordmx L (map_words f (shared_residual_words P U)) =
  wordmx L (shared_residual_words (map_weights f P) (map_mx f U)).
Proof.
apply: eq_wordmx => // p t _ /=; rewrite /early_ending.
by case: (to_early t) => [[b i]|i] /=; rewrite map_col // /scores; case: b.2.
Qed.

Section Generic.
Variables (F : fieldType) (H : finType) (k L d m : nat).
Notation n := (nparams H k d 1 m).
Notation w := #|wslot H (early H k d) L d|.
Notation words_at v := (shared_residual_words (weights_of shared v) (readout_of v)).

Lemma map_shared_residual_words (R S : comRingType) (f : {rmorphism R -> S}) (v : 'I_n -> R) (u : 'I_n -> S) :
  (forall i, f (v i) = u i) -> wordmx L (map_words f (words_at v)) = wordmx L (words_at u).
Proof.
move=> fv; rewrite map_shared_residual (map_readout_of fv).
by apply: eq_shared_residual_words => l; apply: map_weights_of.
Qed.

Lemma widen_unshift (R : comRingType) : (w <= m)%N ->
  let P := widen m (unshift R H k L d) in let U := widenU m (unshift_out R H k L d) in
  pid_mx w *m wordmx L (words_at (params_of (fun _ : 'I_1 => 0%N) P U)) = 1%:M.
Proof.
move=> wm P U; have tieP l : ties shared (fun _ : 'I_1 => 0%N) P l by move=> j _; exists ord0.
rewrite readout_params (eq_shared_residual_words _ U (fun l => weights_params U (tieP l))).
apply: etrans (wordmx_unshift R H k L d); apply: intertwined_wordmx => [l h|l [[[[h []] i]|i]|i]].
- exact (widen_letter wm (WV (unshift R H k L d) l h)).
- exact (widen_col wm (WQ (unshift R H k L d) 0 h) i).
- exact (widen_col wm (WK (unshift R H k L d) 0 h) i).
- exact (widen_col wm (unshift_out R H k L d) i).
exact (widen_col wm (unshift_out R H k L d) i).
Qed.

Theorem shared_residual_generic : (N_sres #|H| k L d <= m)%N ->
  exists p : {mpoly F[n]}, [/\ p != 0, (msize p <= (D_sres #|H| k L d).+1)%N &
    forall v, p.@[v] != 0 -> shared_residual_universal L (weights_of shared v) (readout_of v)].
Proof.
move=> Nm; have wm : (w <= m)%N by rewrite card_shared_residual_slot.
have [|p [p0 degp univ]] := generic_vectors (delta := fun=> 1%N) map_shared_residual_words _ (widen_unshift F wm).
  move=> R dg v dgP v1; have [W1 U1] := degree_weights_of shared dgP v1; split=> [l h|l t] x y.
    by have [_ _ V1] := W1 l h; apply: V1.
  rewrite /= /early_ending; case: (to_early t) => [[b i]|i] /=; rewrite mxE; last exact: U1.
  by rewrite /scores; have [Q1 K1 _] := W1 0%N b.1; case: b.2; [exact: Q1 | exact: K1].
exists p; split=> [||v /univ[B BM]]; first exact: meval_neq0 p0.
  move: degp; rewrite sum_word_degree card_sum !card_prod card_bool !card_ord.
  by rewrite [(#|H| * 2)%N]mulnC [(2 * _ * k)%N]mulnAC.
exact: (@shared_residual_words_universal _ _ _ _ _ _ (WQ (weights_of shared v) 0) (WK (weights_of shared v) 0)
  (WV (weights_of shared v) 0) _ B BM).
Qed.
End Generic.
