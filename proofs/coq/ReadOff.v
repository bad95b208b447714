(* Matching scores and outputs, and a narrow backbone that does.

   Parts
     Matching the scores and the outputs of a target, path by path.
     The read-off construction: keys are read off the output slots.   *)

From mathcomp Require Import all_ssreflect ssralg zmodp matrix mxalgebra.
From Symut Require Import Network.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* Matching the scores and the outputs of a target, path by path.

   Claim.  If all scores of a target of full rank are matched, the queries and
   the keys of the backbone are those of one factorisation of the target's
   scores, transported along the paths.

   Main definitions
     scores_match L W P E       for all paths p, p' to a layer below L and all
                                heads: E R_p RQ (E R_p' RK)^T = W_p WQ (W_p' WK)^T
     outputs_match L W P E U C  E R_p U = W_p C for all paths p of length L
     full_rank L W              queries and keys have rank k (the head width),
                                values are invertible; for d = k = 1: no zeros
     matches_attention          the backbone P has a program E that matches the
                                scores, for every target of full rank
     matches_attention_and_outputs   ... and the outputs
   Main results
     scores_force_factors       the claim
     eq_scores_match            only the layers below L of the target matter

   Reference: Fixed Universal Transformers (arXiv:2605.31423), Theorem 4.1 (score matching). *)

Section Matching.
Variables (F : fieldType) (H : finType) (k b L d m : nat).
Variables (W : weights F H k d) (P : weights F H b m) (E : 'M[F]_(d, m)).

Definition scores_match : Prop := forall p p' h, (size p < L)%N -> size p' = size p ->
  E *m pathmx (WV P) 0 p *m WQ P (size p) h *m (E *m pathmx (WV P) 0 p' *m WK P (size p) h)^T =
  pathmx (WV W) 0 p *m WQ W (size p) h *m (pathmx (WV W) 0 p' *m WK W (size p) h)^T.

Definition outputs_match c (U : 'M[F]_(m, c)) (C : 'M[F]_(d, c)) : Prop := forall p, size p = L ->
  E *m pathmx (WV P) 0 p *m U = pathmx (WV W) 0 p *m C.
End Matching.

Section Full.
Variables (F : fieldType) (H : finType) (k L d : nat).

Definition full_rank (W : weights F H k d) : Prop := forall l h, (l < L)%N ->
  [/\ \rank (WQ W l h) = k, \rank (WK W l h) = k & WV W l h \in unitmx].

(* the attention matrices are matched *)
Definition matches_attention m b (P : weights F H b m) : Prop :=
  forall W : weights F H k d, full_rank W -> exists E, scores_match L W P E.

(* the attention matrices and the outputs are matched *)
Definition matches_attention_and_outputs m b (P : weights F H b m) (U : 'M[F]_(m, d)) : Prop :=
  forall W : weights F H k d, full_rank W ->
  exists E, scores_match L W P E /\ outputs_match L W P E U 1%:M.
End Full.

Lemma eq_scores_match (F : fieldType) (H : finType) k b L d m (W W' : weights F H k d) (P : weights F H b m) E :
  (forall l h, (l < L)%N -> [/\ WQ W l h = WQ W' l h, WK W l h = WK W' l h & WV W l h = WV W' l h]) ->
  scores_match L W P E -> scores_match L W' P E.
Proof.
move=> eW sE p p' h pL pp'; rewrite sE //; have [-> -> _] := eW _ h pL.
have eV q : (size q < L)%N -> pathmx (WV W) 0 q = pathmx (WV W') 0 q.
  by move=> qL; apply: eq_pathmx => l g /andP[_ lq]; have [] := eW l g (ltn_trans lq qL).
by rewrite !eV ?pp'.
Qed.

Lemma pathmx_unit (F : fieldType) (H : finType) d (V : nat -> H -> 'M[F]_d) i p :
  (forall l h, (i <= l < i + size p)%N -> V l h \in unitmx) -> pathmx V i p \in unitmx.
Proof.
elim: p i => [|h p IH] i uV /=; first exact: unitmx1.
rewrite unitmx_mul uV ?leqnn /= ?addnS ?ltnS ?leq_addr //.
by apply: IH => l g /andP[il lp]; apply: uV; rewrite addnS -addSn lp ltnW.
Qed.

(* Scores of full rank force the factors: after multiplication by the inverse
   path product, queries and keys do not depend on the path. *)
Section ScoresForceFactors.
Variables (F : fieldType) (H : finType) (h0 : H) (w L d m : nat).
Variables (W : weights F H w d) (P : weights F H w m) (E : 'M[F]_(d, m)).
Hypotheses (fW : full_rank L W) (sE : scores_match L W P E).

Lemma scores_force_factors : exists C : nat -> H -> bool -> 'M[F]_(d, w),
  (forall l h, (l < L)%N -> C l h true *m (C l h false)^T = WQ W l h *m (WK W l h)^T) /\
  (forall p h r, (size p < L)%N -> E *m pathmx (WV P) 0 p *m (if r then WQ P (size p) h else WK P (size p) h) =
     pathmx (WV W) 0 p *m C (size p) h r).
Proof.
pose pi l := nseq l h0.
pose D l h (r : bool) := E *m pathmx (WV P) 0 (pi l) *m (if r then WQ P l h else WK P l h).
exists (fun l h r => invmx (pathmx (WV W) 0 (pi l)) *m D l h r).
have uP p : (size p <= L)%N -> pathmx (WV W) 0 p \in unitmx.
  by move=> sp; apply: pathmx_unit => l h /andP[_ lp]; have [] := fW h (leq_trans lp sp).
have spi l : size (pi l) = l by rewrite size_nseq.
have uPi l : (l < L)%N -> pathmx (WV W) 0 (pi l) \in unitmx by move=> lL; rewrite uP ?spi // ltnW.
have SE l h : (l < L)%N -> D l h true *m (D l h false)^T =
    pathmx (WV W) 0 (pi l) *m WQ W l h *m (pathmx (WV W) 0 (pi l) *m WK W l h)^T.
  by move=> lL; have := sE h (p := pi l) (p' := pi l); rewrite spi => ->.
have rPi l (A : 'M_(d, w)) : (l < L)%N -> \rank (pathmx (WV W) 0 (pi l) *m A) = \rank A.
  by move=> lL; apply: eqmx_rank; apply/eqmxP/eqmxMfull; rewrite row_full_unit uPi.
have rD l h : (l < L)%N -> row_free (D l h true)^T /\ row_free (D l h false)^T.
  move=> lL; have [rQ rK _] := fW h lL.
  have rk : \rank (D l h true *m (D l h false)^T) = w.
    by rewrite SE // mxrankMfree ?rPi // /row_free mxrank_tr rPi // rK.
  split; rewrite /row_free eqn_leq rank_leq_row /= -[X in (X <= _)%N]rk; last exact: mxrankM_maxr.
  by rewrite mxrank_tr mxrankM_maxl.
split=> [l h lL | p h r sp].
  rewrite trmx_mul mulmxA -[_ *m _ *m (D l h false)^T]mulmxA SE // !mulmxA mulVmx ?uPi // mul1mx.
  by rewrite -mulmxA -trmx_mul mulmxA mulVmx ?uPi // mul1mx.
have [fQ fK] := rD _ h sp; case: r.
  apply: (row_free_inj fK); rewrite /= -[RHS]mulmxA -[X in _ = _ *m X]mulmxA (SE _ h sp).
  rewrite /D (sE h (p := p) (p' := pi (size p))) ?spi // !mulmxA.
  by rewrite -[_ *m invmx _ *m _]mulmxA mulVmx ?uPi // mulmx1.
have trD (X : 'M_(d, w)) l : X *m (D l h true)^T = (D l h true *m X^T)^T by rewrite [RHS]trmx_mul trmxK.
apply: (row_free_inj fQ); rewrite /= trD.
have := sE h (p := pi (size p)) (p' := p); rewrite spi -/(D _ h true) => -> //.
rewrite -[RHS]mulmxA -[in RHS]mulmxA trD SE //.
set A := _ *m WQ W _ _; rewrite ![(A *m _)^T]trmx_mul !trmxK !mulmxA.
by rewrite -[_ *m invmx _ *m _]mulmxA mulVmx ?uPi // mulmx1.
Qed.
End ScoresForceFactors.

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

Lemma mulmx_diag_bool n (a b : pred 'I_n) :
  diag_mx (\row_x (a x)%:R) *m diag_mx (\row_x (b x)%:R) = diag_mx (\row_x (a x && b x)%:R) :> 'M[F]_n.
Proof. by rewrite mulmx_diag; congr diag_mx; apply/rowP => x; rewrite !mxE -mulnb natrM. Qed.

Lemma pathmx_projector i p : pathmx projector i p = diag_mx (\row_x (along i p (path_of (enum_val x).1))%:R).
Proof.
elim: p i => [|h p IH] i /=; first by apply/matrixP => x y; rewrite !mxE.
by rewrite IH; apply: mulmx_diag_bool.
Qed.

Lemma mulmx_enum (J : finType) n q (g : 'I_n -> J -> F) (a : J -> F) (r : J -> 'I_q -> F) :
  (\matrix_(i < n, x < #|J|) g i (enum_val x)) *m diag_mx (\row_x a (enum_val x)) *m
  (\matrix_(x < #|J|, j < q) r (enum_val x) j) =
  \matrix_(i, j) \sum_y g i y * a y * r y j.
Proof.
apply/matrixP => i j; rewrite mul_mx_diag !mxE [RHS](reindex _ (onW_bij _ (@enum_val_bij _))).
by apply: eq_bigr => y _; rewrite !mxE.
Qed.

Lemma read_sum (f : S -> 'M[F]_d) r p :
  program f *m pathmx projector 0 p *m reader r = \sum_s ((along 0 p (path_of s))%:R * r s) *: f s.
Proof.
rewrite pathmx_projector; apply: etrans (mulmx_enum (fun i x => f x.1 i x.2)
  (fun x => (along 0 p (path_of x.1))%:R) (fun x j => r x.1 *+ (x.2 == j))) _.
apply/matrixP => i j; rewrite mxE summxE; pose g s a := f s i a * (along 0 p (path_of s))%:R * (r s *+ (a == j)).
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
