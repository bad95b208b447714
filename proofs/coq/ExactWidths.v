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

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import Network Slots PathMatching LowerBounds ReadOff AttentionOnly.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
