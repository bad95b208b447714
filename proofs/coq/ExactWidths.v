(* Exact widths.

   Parts
     Attention alone, d = k = 1: the width H + H^2 + ... + H^L suffices.
     Exact least widths.   *)

From mathcomp Require Import all_ssreflect ssralg ssrnum zmodp matrix mxalgebra.
From Symut Require Import Network ReadOff LowerBounds.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Attention alone, d = k = 1: the width H + H^2 + ... + H^L suffices.

   Claim.  Over a real closed field a backbone of this width matches the scores of
   every target without zeros, unless H = L = 1, where the least width is 2.
   The slot (layer, path, head) holds the path value times z.  Head h0 reads
   (x - y)(x + y) and head h1 reads (2x) y, where x + iy is a square root of the
   complex number with parts the two scores; so x != 0, and any other head g reads
   x z_g.  With one head, layers 0 and 1 take the part of h0 and h1.

   Main definitions
     score, path_value    the scores and the path products as numbers
     two_heads_backbone, one_head_backbone   the constructions
   Main results
     complex_sqrt                        the square root
     two_heads_match, one_head_match     they match all targets of full rank
     one_head_one_layer_width_one, one_head_one_layer_width_two   H = L = 1

   Reference: Fixed Universal Transformers (arXiv:2605.31423), Theorem 4.1; upper bound: new. *)

(* The square root of the complex number q0 + i q1, q1 != 0. *)
Lemma complex_sqrt (F : rcfType) (q0 q1 : F) : q1 != 0 ->
  exists x y, [/\ x != 0, (x - y) * (x + y) = q0 & (2%:R * x) * y = q1].
Proof.
move=> q1n; pose r := Num.sqrt (q0 ^+ 2 + q1 ^+ 2).
have ss0 : 0 <= q0 ^+ 2 + q1 ^+ 2 by rewrite addr_ge0 ?sqr_ge0.
have r2 : r ^+ 2 = q0 ^+ 2 + q1 ^+ 2 by rewrite sqr_sqrtr.
have r0 : 0 <= r by apply: sqrtr_ge0.
have q1p : 0 < q1 ^+ 2 by rewrite lt_def expf_neq0 // sqr_ge0.
have lt : `|q0| < r.
  by rewrite -(@ltr_pexpn2r _ 2) ?nnegrE ?normr_ge0 // real_normK ?num_real // r2 ltr_addl.
have s0 : 0 < r + q0.
  by rewrite -ltr_subl_addr sub0r (lt_le_trans _ (lexx r)) // (le_lt_trans _ lt) // -normrN ler_norm.
pose x := Num.sqrt ((r + q0) / 2%:R); pose y := q1 / (2%:R * x).
have h0 : 0 < (r + q0) / 2%:R by rewrite divr_gt0 ?ltr0n.
have x2 : x ^+ 2 = (r + q0) / 2%:R by rewrite sqr_sqrtr // ltW.
have xn : x != 0 by rewrite gt_eqF // sqrtr_gt0.
have two : (2%:R : F) != 0 by rewrite pnatr_eq0.
have xy : (2%:R * x) * y = q1 by rewrite /y mulrC divfK // mulf_neq0.
exists x, y; split=> //.
rewrite -subr_sqr.
have sn : r + q0 != 0 by rewrite gt_eqF.
have y2 : y ^+ 2 = (r - q0) / 2%:R.
  rewrite /y expr_div_n exprMn x2.
  have -> : 2%:R ^+ 2 * ((r + q0) / 2%:R) = 2%:R * (r + q0).
    by rewrite expr2 -mulrA; congr (_ * _); rewrite mulrC divfK.
  have -> : q1 ^+ 2 = (r - q0) * (r + q0) by rewrite -subr_sqr r2 addrC addKr.
  by rewrite -mulf_div (divff sn) mulr1.
rewrite x2 y2 -mulrBl.
have -> : r + q0 - (r - q0) = q0 *+ 2 by rewrite opprB addrC addrA subrK mulr2n.
by rewrite -[q0 *+ 2]mulr_natr mulfK.
Qed.

Section Scalars.
Variable F : fieldType.

Lemma mul11 (A B : 'M[F]_1) : (A *m B) 0 0 = A 0 0 * B 0 0.
Proof. by rewrite mxE big_ord_recl big_ord0 addr0. Qed.

Lemma mulT11 (A B : 'M[F]_1) : (A *m B^T) 0 0 = A 0 0 * B 0 0.
Proof. by rewrite mul11 [B^T 0 0]mxE. Qed.

Lemma eq11 (A B : 'M[F]_1) : A 0 0 = B 0 0 -> A = B.
Proof. by move=> eAB; apply/matrixP => i j; rewrite !ord1. Qed.

Lemma rank11 (A : 'M[F]_1) : (\rank A = 1)%N <-> A 0 0 != 0.
Proof.
have -> : (A 0 0 != 0) = (A != 0).
  by congr negb; apply/eqP/eqP => [A0 | ->]; [apply: eq11; rewrite A0 mxE | rewrite mxE].
by rewrite rank_rV; case: (A != 0).
Qed.
End Scalars.

Section Scores.
Variables (F : fieldType) (H : finType) (L : nat) (W : weights F H 1 1).

(* the score of head h in layer l, per unit of the path values *)
Definition score l h : F := WQ W l h 0 0 * WK W l h 0 0.
Definition path_value p : F := pathmx (WV W) 0 p 0 0.

Hypothesis fW : full_rank L W.

Lemma score_neq0 l h : (l < L)%N -> score l h != 0.
Proof. by move=> lL; have [/rank11 q0 /rank11 k0 _] := fW h lL; apply: mulf_neq0. Qed.

Lemma path_value_neq0 p : (size p <= L)%N -> path_value p != 0.
Proof.
move=> pL; have: pathmx (WV W) 0 p \in unitmx.
  by apply: pathmx_unit => l h /andP[_ lp]; have [] := fW h (leq_trans lp pL).
by rewrite [X in X \in _]mx11_scalar unitmxE det_scalar1 unitfE.
Qed.

Lemma scores_match_scalar b m (P : weights F H b m) (E : 'M[F]_(1, m)) :
  (forall p p' h, (size p < L)%N -> size p' = size p ->
    (E *m pathmx (WV P) 0 p *m WQ P (size p) h *m (E *m pathmx (WV P) 0 p' *m WK P (size p) h)^T) 0 0 =
    path_value p * score (size p) h * path_value p') ->
  scores_match L W P E.
Proof.
move=> sc p p' h pL pp'; apply: eq11; rewrite sc // trmx_mul !mul11 !mxE.
by rewrite /score !mulrA.
Qed.
End Scores.

(* Two heads or more: slots (layer, path, head) with values W_p z_(l,h). *)
Section TwoHeads.
Variables (F : rcfType) (H : finType) (h0 h1 : H) (L : nat).
Hypothesis h01 : h1 != h0.
Notation slot := [finType of query_slot H L].
Definition slot_word (s : slot) : seq H := tval (tagged s).1.

Definition query_form (h g : H) : F :=
  if h == h0 then (g == h0)%:R - (g == h1)%:R
  else if h == h1 then 2%:R * (g == h0)%:R else (g == h0)%:R.
Definition key_form (h g : H) : F :=
  if h == h0 then (g == h0)%:R + (g == h1)%:R else (g == h)%:R.

Definition reads_form l (f : H -> F) (s : slot) : F := (tag s == l :> nat)%:R * f (tagged s).2.

Definition two_heads_backbone : weights F H 1 #|[finType of slot * 'I_1]| :=
  Weights (fun l h => reader 1 (reads_form l (query_form h))) (fun l h => reader 1 (reads_form l (key_form h)))
          (projector F h0 slot_word 1).

Lemma read_form (f : slot -> 'M[F]_1) co l p (lL : (l < L)%N) (sp : size p == l) :
  program f *m pathmx (projector F h0 slot_word 1) 0 p *m reader 1 (reads_form l co) =
  \sum_h co h *: f (query_slot_of lL sp h).
Proof.
rewrite read_sum (partition_big (fun s : slot => (tagged s).2) predT) //=; apply: eq_bigr => h _.
rewrite (bigD1 (query_slot_of lL sp h)) //= big1 ?addr0.
  rewrite /reads_form /= eqxx mul1r (_ : along _ _ _ _) ?mul1r //.
  by rewrite along_prefix ?take_size.
move=> s /andP[/eqP sh ne]; rewrite /reads_form; case: eqP => [ts|]; last by rewrite mul0r mulr0 scale0r.
case al: along; last by rewrite mul0r scale0r.
case/eqP: ne; have sq : size (slot_word s) = size p by rewrite size_tuple ts (eqP sp).
by apply: query_slot_eq => //; move: al; rewrite along_prefix ?sq // -{1}sq take_size => /eqP.
Qed.

Lemma sum_delta (g : H) (f : H -> F) : \sum_h (h == g)%:R * f h = f g.
Proof.
rewrite (bigD1 g) //= eqxx mul1r big1 ?addr0 // => h /negbTE ->.
by rewrite mul0r.
Qed.

Lemma two_heads_match (W : weights F H 1 1) : full_rank L W -> exists E, scores_match L W two_heads_backbone E.
Proof.
move=> fW; have q0 l h := @score_neq0 _ _ _ _ fW l h.
have ex (l : 'I_L) : exists xy : F * F, [/\ xy.1 != 0, (xy.1 - xy.2) * (xy.1 + xy.2) = score W l h0 &
    (2%:R * xy.1) * xy.2 = score W l h1].
  by have [x [y xyP]] := complex_sqrt (score W l h0) (q0 l h1 (ltn_ord l)); exists (x, y).
have [xy xyP] := fin_all_exists ex.
pose z (l : 'I_L) h := if h == h0 then (xy l).1 else if h == h1 then (xy l).2 else score W l h / (xy l).1.
exists (program (fun s : slot => z (tag s) (tagged s).2 *: pathmx (WV W) 0 (slot_word s))).
apply: scores_match_scalar => p p' h lL sp'; have sz : size p == size p by [].
have sz' : size p' == size p by rewrite sp'.
rewrite (read_form _ _ lL sz) (read_form _ _ lL sz') /=; set l := Ordinal lL.
have [x0 e0 e1] := xyP l.
have sumE co (q : seq H) : (\sum_g co g *: (z l g *: pathmx (WV W) 0 q)) 0 0 = path_value W q * \sum_g co g * z l g.
  by rewrite summxE mulr_sumr; apply: eq_bigr => g _; rewrite !mxE mulrC -mulrA mulrC -mulrA.
rewrite mulT11 !sumE mulrACA -[RHS]mulrA [score _ _ _ * _]mulrC [RHS]mulrA; congr (_ * _).
have z0 : z l h0 = (xy l).1 by rewrite /z eqxx.
have z1 : z l h1 = (xy l).2 by rewrite /z (negbTE h01) eqxx.
rewrite /query_form /key_form; case: (eqVneq h h0) => [->|hn0].
  under eq_bigr do rewrite mulrBl; rewrite sumrB !sum_delta.
  under [X in _ * X]eq_bigr do rewrite mulrDl; rewrite big_split /= !sum_delta.
  by rewrite z0 z1.
rewrite sum_delta; case: (eqVneq h h1) => [->|hn1].
  by under eq_bigr do rewrite -mulrA; rewrite -mulr_sumr sum_delta z0 z1.
by rewrite sum_delta z0 /z (negbTE hn0) (negbTE hn1) mulrC divfK.
Qed.
End TwoHeads.

(* One head: there is one path to every layer.  The coordinates 0 and 1 are x, y. *)
Section OneHead.
Variables (F : rcfType) (H : finType) (h0 : H) (L' : nat).
Hypothesis one_head : forall h : H, h = h0.
Notation L := L'.+2.
Let i0 : 'I_L := ord0.
Let i1 : 'I_L := inord 1.
Let unit_form (i : 'I_L) : 'cV[F]_L := delta_mx i 0.

Definition one_head_backbone : weights F H 1 L :=
  Weights (fun l _ => if l == 0%N then unit_form i0 - unit_form i1
                      else if l == 1%N then 2%:R *: unit_form i0 else unit_form i0)
          (fun l _ => if l == 0%N then unit_form i0 + unit_form i1 else unit_form (inord l)) (fun _ _ => 1%:M).

Lemma one_head_match (W : weights F H 1 1) : full_rank L W -> exists E, scores_match L W one_head_backbone E.
Proof.
move=> fW; pose g l := path_value W (nseq l h0).
have g0 l : (l <= L)%N -> g l != 0 by move=> lL; apply: path_value_neq0 fW _ _; rewrite size_nseq.
have word p : p = nseq (size p) h0 by elim: p => //= h p {1}->; rewrite (one_head h).
have [|x [y [xn e0 e1]]] := @complex_sqrt F (g 0%N * score W 0 h0 * g 0%N) (g 1%N * score W 1 h0 * g 1%N).
  by apply: mulf_neq0 (g0 _ _) => //; apply: mulf_neq0 (g0 _ _) (score_neq0 fW h0 _).
pose z (s : 'I_L) : F := if s == i0 then x else if s == i1 then y else g s * score W s h0 * g s / x.
have path1 i p : pathmx (WV one_head_backbone) i p = 1%:M by elim: p i => //= h p IH i; rewrite IH mulmx1.
exists (\row_s z s); apply: scores_match_scalar => p p' h lL sp'.
have valueE q : path_value W q = g (size q) by rewrite /g -word.
rewrite !path1 !mulmx1 !valueE sp' (one_head h) mulT11.
have rd i : (\row_s z s *m unit_form i) 0 0 = z i by rewrite -colE !mxE.
have z0 : z i0 = x by rewrite /z eqxx.
have i10 : i1 == i0 = false by apply/eqP => /(congr1 val); rewrite /= inordK.
have z1 : z i1 = y by rewrite /z i10 eqxx.
have subE (A B : 'M[F]_1) : (A - B) 0 0 = A 0 0 - B 0 0 by rewrite !mxE.
have addE (A B : 'M[F]_1) : (A + B) 0 0 = A 0 0 + B 0 0 by rewrite mxE.
have sclE c (A : 'M[F]_1) : (c *: A) 0 0 = c * A 0 0 by rewrite mxE.
case: (size p) lL => [|[|l]] lL /=.
- by rewrite mulmxBr mulmxDr subE addE !rd z0 z1 e0.
- by rewrite -scalemxAr sclE !rd z0 -/i1 z1 e1.
have il0 : (inord l.+2 : 'I_L) == i0 = false by apply/eqP => /(congr1 val); rewrite /= inordK.
have il1 : (inord l.+2 : 'I_L) == i1 = false by apply/eqP => /(congr1 val); rewrite /= !inordK.
by rewrite !rd z0 /z il0 il1 inordK // mulrC divfK.
Qed.
End OneHead.

(* One head, one layer: width 1 is not enough over an ordered field, width 2 is. *)
Lemma one_head_one_layer_width_one (F : realFieldType) (H : finType) (h0 : H) (P : weights F H 1 1) :
  ~ matches_attention 1 1 1 P.
Proof.
move=> mP; pose g := WQ P 0 h0 0 0 * WK P 0 h0 0 0.
have key (q : F) : q != 0 -> exists x, x ^+ 2 * g = q.
  move=> q0; have [|E sE] := mP (Weights (fun _ _ => q%:M) (fun _ _ => 1%:M) (fun _ _ => 1%:M)).
    move=> l h _; rewrite unitmx1; split=> //; apply/rank11; rewrite mxE ?mulr1n //.
    exact: oner_neq0.
  exists (E 0 0); have := sE [::] [::] h0 isT erefl => /matrixP/(_ 0 0).
  rewrite /= !mulmx1 !mul1mx !mulT11 !mul11 ![_%:M _ _]mxE !mulr1n mulr1 => <-.
  by rewrite expr2 mulrACA.
have [x xE] := key 1 (oner_neq0 _).
have [y yE] : exists y, y ^+ 2 * g = -1 by apply: key; rewrite oppr_eq0 oner_neq0.
have gp : 0 <= g.
  rewrite leNgt; apply/negP => g0; have : x ^+ 2 * g <= 0 by rewrite mulr_ge0_le0 ?sqr_ge0 // ltW.
  by rewrite xE ler10.
have : 0 <= y ^+ 2 * g by rewrite mulr_ge0 ?sqr_ge0.
by rewrite yE oppr_ge0 ler10.
Qed.

Lemma one_head_one_layer_width_two (F : fieldType) (H : finType) (h0 : H) : (forall h : H, h = h0) ->
  exists P : weights F H 1 2, matches_attention 1 1 1 P.
Proof.
move=> one_head; exists (Weights (fun _ _ => delta_mx 0 0) (fun _ _ => delta_mx 1 0) (fun _ _ => 1%:M)) => W fW.
exists (\row_i (if i == 0 then score W 0 h0 else 1)); apply: scores_match_scalar => p p' h; case: p; last by [].
case: p' => // _ _; rewrite (one_head h) /= !mulmx1 mulT11 -!colE !mxE /path_value /= mxE /=.
by rewrite !mulr1 mul1r.
Qed.

(* Exact least widths.

   Claim.  The least width of a backbone that matches attention and outputs of all
   targets of full rank is d (H + ... + H^L + H^L) for head width k = d; for
   d = k = 1 this is H + ... + H^L + H^L, where the paper has m >= H^L / 2.
   For attention alone, d = k = 1 and a real closed field it is H + ... + H^L,
   except 2 at H = L = 1.

   Main definitions
     least Q m              m is the least number with the property Q
     output_width k m       width m suffices for attention and outputs
     attention_width m      width m suffices for attention, d = k = 1
   Main results
     exact_output_width_full   k = d
     exact_output_width        d = k = 1
     exact_attention_width     attention alone

   Reference: Fixed Universal Transformers (arXiv:2605.31423), Theorem 4.1, sharpened. *)

Definition least (Q : nat -> Prop) (m : nat) : Prop := Q m /\ forall n, Q n -> (m <= n)%N.

Section Outputs.
Variables (F : numFieldType) (H : finType) (h0 : H) (L d : nat).

(* width m suffices for attention and outputs *)
Definition output_width (k m : nat) : Prop :=
  exists (P : weights F H k m) (U : 'M[F]_(m, d)), matches_attention_and_outputs k L P U.

Theorem exact_output_width_full : least (output_width d) (d * (powers #|H| L + #|H| ^ L)).
Proof.
split=> [|m [P [U mP]]].
  have [P [U PU]] := readoff_upper_bound F h0 L d.
  by exists P, U => W fW; apply: PU => l lL; have [] := fW l h0 lL.
apply: (full_head_width_lower_bound (P := P) (U := U)).
exact: (@almost_every_of_full_rank F H d d L (leqnn d)
  (fun W => exists E, scores_match L W P E /\ outputs_match L W P E U 1%:M)).
Qed.
End Outputs.

Theorem exact_output_width (F : numFieldType) (H : finType) (h0 : H) (L : nat) :
  least (output_width F H L 1 1) (powers #|H| L + #|H| ^ L).
Proof. by have := exact_output_width_full F h0 L 1; rewrite mul1n. Qed.

Section Attention.
Variables (F : rcfType) (H : finType) (h0 : H) (L : nat).

(* width m suffices for attention alone, d = k = 1 *)
Definition attention_width (m : nat) : Prop := exists P : weights F H 1 m, matches_attention 1 L 1 P.

Theorem exact_attention_width : least attention_width (if (#|H| == 1%N) && (L == 1%N) then 2 else powers #|H| L)%N.
Proof.
have lower m : attention_width m -> (powers #|H| L <= m)%N.
  by case=> P /(attention_lower_bound (leqnn 1)); rewrite !mul1n.
have one_head : #|H| = 1%N -> forall h : H, h = h0.
  by move=> /eqP/fintype1P[h1 hE] h; rewrite (hE h) (hE h0).
case: ifP => [/andP[/eqP H1 /eqP L1] | not11].
  split; first by rewrite /attention_width L1; apply: one_head_one_layer_width_two (one_head H1).
  move=> m am; rewrite ltn_neqAle; have := lower m am; rewrite L1 H1 /= => m1; rewrite m1 andbT.
  apply/eqP => m1E; subst m; case: am => P; rewrite L1; exact: (one_head_one_layer_width_one h0).
split=> //.
case: (ltngtP #|H| 1) => [|H2|H1]; first by rewrite ltnS leqn0 => /eqP/card0_eq /(_ h0).
  have [h1 h10] : exists h1, h1 != h0.
    have /card_gt1P[a [b [_ _ ab]]] := H2; have [ah|] := eqVneq a h0; last by exists a.
    by exists b; rewrite -ah eq_sym.
  rewrite -card_query_slot.
  have -> : #|{: query_slot H L}| = #|[finType of query_slot H L * 'I_1]| by rewrite card_prod card_ord muln1.
  by exists (two_heads_backbone F h0 h1 L) => W; apply: two_heads_match.
have pE : powers #|H| L = L by rewrite H1; elim: (L) => //= l ->; rewrite exp1n addn1.
rewrite /attention_width pE; move: not11; rewrite H1 /=; case: (L) => [|[|L']] // _.
  by exists (Weights (fun _ _ => 0) (fun _ _ => 0) (fun _ _ => 0)) => W _; exists 0 => p p' h; rewrite ltn0.
by exists (one_head_backbone F H L') => W; apply: one_head_match; apply: one_head.
Qed.
End Attention.
