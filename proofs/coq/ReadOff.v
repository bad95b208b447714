(* The read-off construction: keys are read off the output slots.

   Claim.  A backbone of width d (H + H^2 + ... + H^L + H^L) and head width d
   matches the scores and the outputs of every target whose values of one head h0
   are invertible, whatever the target's head width k.
   Its coordinates are d for each query slot (layer, path, head) and for each full
   path.  The program puts W_p F there, and W_p for a full path p.  The key of the
   path p to layer l is the output of p continued by h0, which is W_p P with P
   invertible, and F = WQ WK^T P^-T makes up for P.

   Main definitions
     projector      value matrices that keep the coordinates of one letter
     program, reader   the matrices E and RQ, RK, U for given values and slots
     query_slot     (layer, path to it, head); there are H + ... + H^L
     readoff_backbone, readoff_output, readoff_values   the construction
   Main results
     read_one       reading one slot along a path
     readoff_upper_bound   the claim

   Reference: Fixed Universal Transformers (arXiv:2605.31423), Theorem 4.1; upper bound: new. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import Network Slots PathMatching.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* Coordinates (s, i), s in S, with a path per s; the values of head h in
   layer l keep the coordinates whose path has the letter h in place l. *)
Section Projectors.
Variables (F : fieldType) (H : finType) (h0 : H) (S : finType) (path_of : S -> seq H) (d : nat).
Notation coordinates := [finType of S * 'I_d].
Notation m := #|coordinates|.

Definition projector i h : 'M[F]_m := diag_mx (\row_x (nth h0 (path_of (enum_val x).1) i == h)%:R).

Definition program (f : S -> 'M[F]_d) : 'M[F]_(d, m) := \matrix_(i, x) f (enum_val x).1 i (enum_val x).2.
Definition reader (r : S -> F) : 'M[F]_(m, d) := \matrix_(x, j) (r (enum_val x).1 *+ ((enum_val x).2 == j)).

(* p is read from place i of the path s on *)
Fixpoint along i (p s : seq H) : bool := if p is h :: p' then (nth h0 s i == h) && along i.+1 p' s else true.

Lemma alongE i p s : (i + size p <= size s)%N -> along i p s = (take (size p) (drop i s) == p).
Proof.
elim: p i => [|h p IH] i /=; first by rewrite take0.
rewrite addnS => ip; have lt_is : (i < size s)%N by apply: leq_trans ip; rewrite ltnS leq_addr.
by rewrite IH ?addSn // (drop_nth h0 lt_is) /= eqseq_cons.
Qed.

Lemma pathmx_projector i p : pathmx projector i p = diag_mx (\row_x (along i p (path_of (enum_val x).1))%:R).
Proof.
elim: p i => [|h p IH] i /=; first by apply/matrixP => x y; rewrite !mxE.
rewrite IH mulmx_diag; congr diag_mx; apply/rowP => x; rewrite !mxE.
by case: (_ == _); rewrite ?mul0r ?mul1r.
Qed.

Lemma read_sum (f : S -> 'M[F]_d) r p :
  program f *m pathmx projector 0 p *m reader r = \sum_s ((along 0 p (path_of s))%:R * r s) *: f s.
Proof.
apply/matrixP => i j; rewrite pathmx_projector mul_mx_diag mxE summxE.
pose g s a := f s i a * (along 0 p (path_of s))%:R * (r s *+ (a == j)).
transitivity (\sum_(y : coordinates) g y.1 y.2).
  by rewrite [RHS](reindex _ (onW_bij _ (@enum_val_bij _))); apply: eq_bigr => y _; rewrite !mxE.
rewrite -(pair_bigA _ g); apply: eq_bigr => s _; rewrite (bigD1 j) //= big1 => [|a /negbTE aj].
  by rewrite addr0 /g eqxx mxE mulr1n -mulrA mulrC.
by rewrite /g aj mulr0.
Qed.

Lemma read_one (f : S -> 'M[F]_d) r p s0 : along 0 p (path_of s0) -> r s0 = 1 ->
  (forall s, s != s0 -> along 0 p (path_of s) -> r s = 0) ->
  program f *m pathmx projector 0 p *m reader r = f s0.
Proof.
move=> ps0 rs0 other; rewrite read_sum (bigD1 s0) //= ps0 rs0 mulr1 scale1r big1 ?addr0 // => s ss0.
have [ps|_] := boolP (along 0 p (path_of s)); last by rewrite mul0r scale0r.
by rewrite (other s) // mulr0 scale0r.
Qed.
End Projectors.

Section Slots.
Variables (H : finType) (L : nat).

(* query slots: a layer, a path to it, a head *)
Definition query_slot := {l : 'I_L & (l.-tuple H * H)%type}.
Definition query_slot_of l (lL : (l < L)%N) (p : seq H) (sp : size p == l) (h : H) : query_slot :=
  existT (fun l0 : 'I_L => (l0.-tuple H * H)%type) (Ordinal lL) (Tuple sp, h).

Lemma card_query_slot : #|{: query_slot}| = powers #|H| L.
Proof.
rewrite powersE card_tagged sumnE big_map big_add1 /= big_enum /= big_mkord.
by apply: eq_bigr => l _; rewrite card_prod card_tuple expnSr.
Qed.

Lemma query_slot_eq l (lL : (l < L)%N) p sp h (s : query_slot) :
  tag s = l :> nat -> (tagged s).2 = h -> tval (tagged s).1 = p -> s = @query_slot_of l lL p sp h.
Proof.
case: s => l2 [q g] /= ll gh qp; have e : l2 = Ordinal lL by apply: val_inj.
by subst l2 g; have -> : q = Tuple sp by apply: val_inj.
Qed.
End Slots.

Section ReadOff.
Variables (F : fieldType) (H : finType) (h0 : H) (L d : nat).
Definition readoff_slot := [finType of query_slot H L + L.-tuple H].
Definition slot_path (s : readoff_slot) : seq H := match s with inl q => tval (tagged q).1 | inr p => tval p end.

Lemma card_readoff : #|[finType of readoff_slot * 'I_d]| = (d * (powers #|H| L + #|H| ^ L))%N.
Proof. by rewrite card_prod card_ord card_sum card_query_slot card_tuple mulnC. Qed.

Definition reads_query l h (s : readoff_slot) : F :=
  match s with inl q => ((tag q == l :> nat) && ((tagged q).2 == h))%:R | inr _ => 0 end.
(* keys read the output slots whose path ends with the first head from layer l on *)
Definition reads_key l (s : readoff_slot) : F :=
  match s with inl _ => 0 | inr p => (drop l p == nseq (L - l) h0)%:R end.
Definition reads_output (s : readoff_slot) : F := match s with inl _ => 0 | inr _ => 1 end.

Definition readoff_backbone : weights F H d #|[finType of readoff_slot * 'I_d]| :=
  Weights (fun l h => reader d (reads_query l h)) (fun l _ => reader d (reads_key l)) (projector F h0 slot_path d).
Definition readoff_output := reader d reads_output.

Variables (k : nat) (W : weights F H k d).
Hypothesis W_unit : forall l, (l < L)%N -> WV W l h0 \in unitmx.

Let tail l := pathmx (WV W) l (nseq (L - l) h0).
Lemma tail_unit l : tail l \in unitmx.
Proof.
rewrite /tail; have: (l + (L - l) <= L)%N \/ (L - l = 0)%N.
  by case: (leqP l L) => lL; [left; rewrite subnKC | right; apply/eqP; rewrite subn_eq0 ltnW].
case=> [|->]; last exact: unitmx1.
move: (L - l)%N => n; elim: n l => [|n IH] l lL; first exact: unitmx1.
by rewrite /= unitmx_mul W_unit ?IH // ?addSnnS // (leq_trans _ lL) // addnS ltnS leq_addr.
Qed.

Definition readoff_values (s : readoff_slot) : 'M[F]_d :=
  match s with
  | inl q => pathmx (WV W) 0 (tagged q).1 *m
      (WQ W (tag q) (tagged q).2 *m (WK W (tag q) (tagged q).2)^T *m invmx (tail (tag q))^T)
  | inr p => pathmx (WV W) 0 p
  end.

Lemma pathmx_cat w (V : nat -> H -> 'M[F]_w) i p q : pathmx V i (p ++ q) = pathmx V i p *m pathmx V (i + size p) q.
Proof. by elim: p i => [|h p IH] i /=; [rewrite mul1mx addn0 | rewrite IH addSnnS mulmxA]. Qed.

Lemma along_prefix p (s : seq H) : (size p <= size s)%N -> along h0 0 p s = (take (size p) s == p).
Proof. by move=> ps; rewrite alongE ?drop0. Qed.

Lemma readoff_outputs_match : outputs_match L W readoff_backbone (program readoff_values) readoff_output 1%:M.
Proof.
move=> p sp; have sz : size p == L by apply/eqP.
rewrite mulmx1 (@read_one F H h0 _ slot_path d readoff_values reads_output p (inr (Tuple sz))) //=.
  by rewrite along_prefix ?take_size.
move=> [q|p1] //= ne; rewrite along_prefix ?size_tuple ?sp // -{1}(size_tuple p1) take_size => /eqP pp.
by case/eqP: ne; congr inr; apply: val_inj.
Qed.

Lemma readoff_scores_match : scores_match L W readoff_backbone (program readoff_values).
Proof.
move=> p p' h lL sp'; set l := size p; have sz : size p == l by [].
rewrite (@read_one F H h0 _ slot_path d readoff_values (reads_query l h) p (inl (query_slot_of lL sz h))) /= ?eqxx //.
- have szo : size (p' ++ nseq (L - l) h0) == L by rewrite size_cat size_nseq sp' subnKC // ltnW.
  rewrite (@read_one F H h0 _ slot_path d readoff_values (reads_key l) p' (inr (Tuple szo))) /=.
  + rewrite pathmx_cat add0n sp' -/l -/(tail l) !trmx_mul !mulmxA; congr (_ *m _).
    by rewrite -!mulmxA mulVmx ?unitmx_tr ?tail_unit // mulmx1.
  + by rewrite along_prefix ?size_cat ?leq_addr // take_size_cat.
  + by rewrite drop_size_cat ?eqxx.
  move=> [q|p1] //= ne; rewrite along_prefix ?size_tuple ?sp' ?(ltnW lL) // => /eqP tk.
  case: eqP => // dr; case/eqP: ne; congr inr; apply: val_inj => /=.
  by rewrite -(cat_take_drop l p1) tk dr.
- by rewrite along_prefix ?take_size.
move=> [q|p1] //= ne al; case: eqP => //= tl; case: eqP => //= qh; case/eqP: ne; congr inl.
have sq : size (tagged q).1 = size p by rewrite size_tuple.
by apply: query_slot_eq => //; move: al; rewrite along_prefix ?sq // -{1}sq take_size => /eqP.
Qed.
End ReadOff.

Theorem readoff_upper_bound (F : fieldType) (H : finType) (h0 : H) (L d : nat) :
  exists (P : weights F H d (d * (powers #|H| L + #|H| ^ L))) (U : 'M[F]_(d * (powers #|H| L + #|H| ^ L), d)),
  forall k (W : weights F H k d), (forall l, (l < L)%N -> WV W l h0 \in unitmx) ->
  exists E, scores_match L W P E /\ outputs_match L W P E U 1%:M.
Proof.
rewrite -card_readoff; exists (readoff_backbone F h0 L d), (readoff_output F H L d) => k W uW.
exists (program (readoff_values h0 W)); split; [exact: readoff_scores_match | exact: readoff_outputs_match].
Qed.
