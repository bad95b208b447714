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

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import Network.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

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
  apply: (row_free_inj fK); rewrite /= -[RHS]mulmxA -[_ *m D _ _ _ *m _]mulmxA SE //.
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
