(* On a line through a universal backbone, almost all backbones are universal.

   Claim.  Let S be a backbone of any width whose block matrix has rank N, for
   example the widened sparse one, and P any other.  At most D(H, L, d, k)
   points t of the line (1-t) S + t P are not universal, since on this line a
   nonzero polynomial of degree at most D in t decides.

   Main definitions
     at_mx t A B, line t S P   the point t of the line through A, B (S, P)
     lin_mx A B, pline S P     the line with t an indeterminate
   Main results
     line_universality         the bound D through a backbone of full rank
     sparse_line_universality  the line through the sparse backbone at m >= N

   Reference: Fixed Universal Transformers (arXiv:2605.31423), random
   universal transformers; the degree bound is an extension.                    *)

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import Network Slots BlockMatrix Sparse FullRank Widen Degree.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Line.
Variables (F : fieldType) (H : finType) (k L d : nat).

Definition at_mx m n (t : F) (A B : 'M[F]_(m, n)) : 'M[F]_(m, n) := (1 - t) *: A + t *: B.
Definition line w (t : F) (P Q : weights F H k w) : weights F H k w :=
  Weights (fun l h => at_mx t (WQ P l h) (WQ Q l h)) (fun l h => at_mx t (WK P l h) (WK Q l h))
          (fun l h => at_mx t (WV P l h) (WV Q l h)).

Definition lin_mx m n (A B : 'M[F]_(m, n)) : 'M[{poly F}]_(m, n) :=
  map_mx polyC A + 'X *: map_mx polyC (B - A).
Definition pline w (P Q : weights F H k w) : weights [ringType of {poly F}] H k w :=
  Weights (fun l h => lin_mx (WQ P l h) (WQ Q l h)) (fun l h => lin_mx (WK P l h) (WK Q l h))
          (fun l h => lin_mx (WV P l h) (WV Q l h)).

Lemma lin_mxE m n (A B : 'M[F]_(m, n)) t : map_mx (horner_eval t) (lin_mx A B) = at_mx t A B.
Proof.
apply/matrixP=> i j; rewrite !mxE /horner_eval !hornerE.
by rewrite mulrBr mulrBl mul1r addrA addrAC.
Qed.

Lemma degree_lin_mx m n (A B : 'M[F]_(m, n)) : dgmx (fun e (p : {poly F}) => (size p <= e.+1)%N) 1 (lin_mx A B).
Proof.
move=> i j; rewrite !mxE; apply: leq_trans (size_add _ _) _.
rewrite geq_max (leq_trans (size_polyC_leq1 _)) //=.
by apply: leq_trans (size_mul_leq _ _) _; rewrite size_polyX /= ltnS size_polyC_leq1.
Qed.

Theorem line_universality m (S P : weights F H k m) (SU U : 'M[F]_(m, d)) (ts : seq F) :
  \rank (blockmx L S SU) = N #|H| k L d -> uniq ts ->
  (forall t, t \in ts -> ~ universal L (line t S P) (at_mx t SU U)) ->
  (size ts <= D #|H| k L d)%N.
Proof.
rewrite -card_slot => rkM uts bad; have /row_fullP[J JM] : row_full (blockmx L S SU) by apply/eqP.
pose p := \det (map_mx polyC J *m blockmx L (pline S P) (lin_mx SU U)).
have pE t : p.[t] = \det (J *m blockmx L (line t S P) (at_mx t SU U)).
  rewrite -[p.[t]]/(horner_eval t p) -det_map_mx map_mxM -map_blockmx lin_mxE; congr (\det (_ *m _)).
    by apply/matrixP=> i j; rewrite !mxE; apply: hornerC.
  by apply: eq_blockmx => l h _; split; apply: lin_mxE.
have at0 i j (A B : 'M[F]_(i, j)) : at_mx 0 A B = A.
  by rewrite /at_mx subr0 scale1r scale0r addr0.
have p0 : p != 0.
  apply/eqP => p0; have := pE 0; rewrite p0 horner0 at0 (@eq_blockmx _ _ _ _ _ _ _ S) => [|l h _].
    by rewrite JM det1 => /eqP; rewrite eq_sym oner_eq0.
  by split; apply: at0.
have sp : (size p <= (D #|H| k L d).+1)%N.
  apply: (degree_minor (poly_degree F)) => [l h||i j]; do ?split; do ?exact: degree_lin_mx.
  by rewrite mxE size_polyC_leq1.
rewrite -ltnS; apply: leq_trans sp; apply: max_poly_roots => //.
apply/allP => t tts; have [// | Nroot] := boolP (root p t).
by case: (bad t tts); apply: (@minor_universal _ _ _ _ _ _ _ _ J); rewrite unitfE -pE.
Qed.

Lemma rank_wide_sparse m : (N #|H| k L d <= m)%N ->
  \rank (blockmx L (widen m (sparse H k L d F)) (widenU m (sparseU H k L d F))) = N #|H| k L d.
Proof.
rewrite -card_slot => Nm; apply/eqP; rewrite -/(row_full _); apply/row_fullP.
by exists (pid_mx #|slot H k L d|); rewrite blockmx_widen ?blockmx_sparse.
Qed.

Corollary sparse_line_universality m (P : weights F H k m) (U : 'M[F]_(m, d)) (ts : seq F) :
  (N #|H| k L d <= m)%N -> uniq ts ->
  (forall t, t \in ts -> ~ universal L (line t (widen m (sparse H k L d F)) P)
                                       (at_mx t (widenU m (sparseU H k L d F)) U)) ->
  (size ts <= D #|H| k L d)%N.
Proof. by move=> Nm; apply: line_universality; apply: rank_wide_sparse. Qed.
End Line.
