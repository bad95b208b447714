(* The output lower bound: m >= d H^L.

   Claim.  If a backbone carries the path products of every target, then its
   width is at least d H^L: the targets that let one path through make the
   m x (d H^L) matrix of the columns R_p U have full column rank.  Universality
   for all hard, causal attention functions is enough, over any field.  The
   sharp bound N, over fields with more than two elements, is in Threshold.v.

   Main results
     path_matching_lower_bound   from the full-path conditions alone
     output_lower_bound          from universality for a class of attention
                                 functions that contains the hard, causal ones

   Reference: Fixed Universal Transformers (arXiv:2605.31423), lower bounds.    *)

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import Network ScalarTargets Probes.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section OutputBound.
Variables (F : fieldType) (H : finType) (k L d m : nat).

Theorem path_matching_lower_bound (V : nat -> H -> 'M[F]_m) (U : 'M[F]_(m, d)) :
  (forall W : nat -> H -> 'M[F]_d, exists E : 'M[F]_(d, m),
     forall p, size p = L -> E *m pathmx V 0 p *m U = pathmx W 0 p) ->
  (d * #|H| ^ L <= m)%N.
Proof.
move=> hyp; pose T := [finType of (L.-tuple H * 'I_d)%type].
pose M : 'M[F]_(m, #|T|) :=
  \matrix_(a, j) (pathmx V 0 (enum_val j : T).1 *m U) a (enum_val j : T).2.
suff fM : row_full M.
  have <- : #|T| = (d * #|H| ^ L)%N by rewrite card_prod card_tuple card_ord mulnC.
  by rewrite -(eqP fM) rank_leq_row.
rewrite -sub1mx; apply/row_subP => j; rewrite row1.
case: (enum_val j) (enum_valK j) => q b <- {j}.
have [E EP] := hyp (fun l h => (follow F q l h)%:M); apply/submxP; exists (row b E).
apply/matrixP=> a j; rewrite !ord1 [LHS]mxE eqxx /=.
rewrite -[j in LHS]enum_valK (inj_eq enum_rank_inj).
case ej: (enum_val j : T) => [p i].
have /matrixP/(_ b i) := EP p (size_tuple p).
rewrite pathmx_scalar cprod_follow prefix_size ?size_tuple // val_eqE => EPbi.
transitivity ((E *m pathmx V 0 p *m U) b i).
  by rewrite EPbi !mxE xpair_eqE [i == b]eq_sym; case: (p == q); rewrite ?mul0rn.
by rewrite {EPbi} -mulmxA !mxE; apply: eq_bigr => c _; rewrite !mxE ej.
Qed.

Theorem output_lower_bound (C : forall n, attention F H k n -> Prop) (P : weights F H k m) (U : 'M[F]_(m, d)) :
  (forall n (attn : attention F H k n), hard_causal attn -> C n attn) ->
  universal_for C L P U -> (d * #|H| ^ L <= m)%N.
Proof.
move=> hardC univ; apply: (@path_matching_lower_bound (WV P) U) => V.
have [E EP] := universal_for_gated hardC univ (Weights (fun _ _ => 0) (fun _ _ => 0) V).
by exists E => p; apply: (probed_paths EP).
Qed.
End OutputBound.
