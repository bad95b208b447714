(* The sparse backbone, full rank, and wider backbones.

   Parts
     The sparse backbone: entries 0 and 1, width exactly N.
     Full column rank suffices.
     A wider backbone can do no less.   *)

From mathcomp Require Import all_ssreflect ssralg zmodp matrix mxalgebra.
From Symut Require Import Network.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* The sparse backbone: entries 0 and 1, width exactly N.

   Claim.  Give every slot its own coordinate.  The value matrix of head h in
   layer l is the diagonal projector on the slots whose path has the letter h
   at place l; the query and key matrices read the slots of their layer and
   head; the read-out reads the slots of the full paths.  Then the block matrix
   is the identity, so the program is the list of the target's own blocks.

   Main definitions
     sparse H k L d R    the backbone, over any ring R
     sparseU H k L d R   its read-out
     zero_one A          all entries of A are 0 or 1
   Main results
     blockmx_sparse        blockmx sparse sparseU = 1
     sparse_universality   a 0/1 backbone of width N is universal

   Reference: Fixed Universal Transformers (arXiv:2605.31423), sparse
   universal transformers.                                                      *)

Definition zero_one (R : ringType) m n (A : 'M[R]_(m, n)) := forall i j, A i j = 0 \/ A i j = 1.

Section Sparse.
Variables (H : finType) (k L d : nat) (R : ringType).
Notation slot := (slot H k L d).
Notation slotT := (slotT H k L).

Definition sparseV (l : nat) (h : H) : 'M[R]_#|slot| :=
  diag_mx (\row_j (nth h (spath (enum_val j)) l == h)%:R).
Definition reads_score (c0 : bool) (l0 : nat) (h0 : H) (i0 : 'I_k) (s : slot) : bool :=
  if s is inl (existT l (_, h, c, i)) then [&& l == l0 :> nat, h == h0, c == c0 & i == i0] else false.
Definition reads_output (i0 : 'I_d) (s : slot) : bool :=
  if s is inr (_, i) then i == i0 else false.
Definition readQK (c0 : bool) (l0 : nat) (h0 : H) : 'M[R]_(#|slot|, k) :=
  \matrix_(j, i0) (reads_score c0 l0 h0 i0 (enum_val j))%:R.
Definition sparse : weights R H k #|slot| := Weights (readQK true) (readQK false) sparseV.
Definition sparseU : 'M[R]_(#|slot|, d) :=
  \matrix_(j, i0) (reads_output i0 (enum_val j))%:R.

(* the path p has the letters of q at the places l, l+1, ... *)
Fixpoint agree (l : nat) (q p : seq H) : bool :=
  if q is h :: q' then (nth h p l == h) && agree l.+1 q' p else true.

Lemma agreeP (l : nat) (q p : seq H) : size p = (l + size q)%N -> agree l q p = (drop l p == q).
Proof.
elim: q l => [|h q IHq] l sz /=.
  by rewrite drop_oversize ?eqxx // sz addn0.
have lt_l : (l < size p)%N by rewrite sz /= addnS ltnS leq_addr.
by rewrite IHq ?sz /= ?addSnnS // (drop_nth h lt_l) eqseq_cons.
Qed.

Lemma pathmx_sparse l q :
  pathmx sparseV l q = diag_mx (\row_j (agree l q (spath (enum_val j)))%:R).
Proof.
have diagM n (a b : 'I_n -> bool) : diag_mx (\row_j (a j)%:R : 'rV[R]_n) *m diag_mx (\row_j (b j)%:R) =
    diag_mx (\row_j (a j && b j)%:R).
  by rewrite mulmx_diag; congr (diag_mx _); apply/rowP => j; rewrite !mxE -natrM mulnb.
elim: q l => [|h q IHq] l /=; last by rewrite IHq; apply: diagM.
by rewrite -diag_const_mx; congr (diag_mx _); apply/rowP => j; rewrite mxE [RHS]mxE.
Qed.

Lemma entry_sparse (s0 s : slot) : entry sparse sparseU (enum_rank s0) s = (s0 == s)%:R.
Proof.
have diagE c (D : 'rV[R]_#|slot|) (B : 'M_(_, c)) a i : (diag_mx D *m B) a i = D 0 a * B a i.
  by rewrite mul_diag_mx !mxE.
case: s => [[l [[[p h] c] i]] | [p i]] /=; rewrite pathmx_sparse diagE.
  have -> : (if c then readQK true l h else readQK false l h) = readQK c l h by case: c.
  rewrite !mxE enum_rankK; case: s0 => [[l' [[[p' h'] c'] i']] | [p' i']] /=; last by rewrite mulr0.
  rewrite -natrM mulnb; congr (nat_of_bool _)%:R.
  rewrite [RHS]eq_slot andbCA; case: (eqVneq (l' : nat) l) => //= el.
  by rewrite agreeP ?size_tuple // drop0.
rewrite !mxE enum_rankK; case: s0 => [[l' [[[p' h'] c'] i']] | [p' i']] /=; first by rewrite mulr0.
rewrite -natrM mulnb; congr (nat_of_bool _)%:R.
by rewrite agreeP ?size_tuple // drop0 val_eqE.
Qed.

Theorem blockmx_sparse : blockmx L sparse sparseU = 1%:M.
Proof.
apply/matrixP=> a j; rewrite -[j]enum_valK -[a]enum_valK blockmxE entry_sparse.
by rewrite [RHS]mxE (inj_eq enum_rank_inj).
Qed.

Lemma zero_one_sparse l h :
  [/\ zero_one (WQ sparse l h), zero_one (WK sparse l h) & zero_one (WV sparse l h)].
Proof.
have b01 (b : bool) : (b%:R : R) = 0 \/ (b%:R : R) = 1 by case: b; [right | left].
by split=> i j; rewrite !mxE //; case: (i == j); [exact: b01 | left].
Qed.

Lemma zero_one_sparseU : zero_one sparseU.
Proof. by move=> i j; rewrite mxE; case: (reads_output _ _); [right | left]. Qed.
End Sparse.

Theorem sparse_universality (R : ringType) (H : finType) (k L d : nat) :
  exists (P : weights R H k (N #|H| k L d)) (U : 'M[R]_(N #|H| k L d, d)),
  [/\ forall l h, [/\ zero_one (WQ P l h), zero_one (WK P l h) & zero_one (WV P l h)],
      zero_one U &
      universal L P U].
Proof.
rewrite -card_slot; exists (sparse H k L d R), (sparseU H k L d R); split.
- exact: zero_one_sparse.
- exact: zero_one_sparseU.
- by apply: (@left_inverse_universal _ _ _ _ _ _ _ _ 1%:M); rewrite mul1mx blockmx_sparse.
Qed.

(* Full column rank suffices.

   Claim.  Over a field, a backbone of any width m whose block matrix has rank
   N is universal: the program is M(W) times a left inverse.  For the converse
   see Threshold.v.

   Main results
     full_rank_universal   \rank M = N -> universal
     minor_universal       J *m M invertible for some J -> universal
     det_universal         the case J = 1 of width N: det M != 0 -> universal

   Reference: Fixed Universal Transformers (arXiv:2605.31423), random
   universal transformers.                                                      *)

Lemma minor_universal (R : comUnitRingType) (H : finType) (k L d m : nat) (P : weights R H k m)
    (U : 'M[R]_(m, d)) (J : 'M[R]_(#|slot H k L d|, m)) :
  \det (J *m blockmx L P U) \is a GRing.unit -> universal L P U.
Proof.
move=> uM; apply: (@left_inverse_universal _ _ _ _ _ _ _ _ (invmx (J *m blockmx L P U) *m J)).
by rewrite -mulmxA mulVmx.
Qed.

Section Field.
Variables (F : fieldType) (H : finType) (k L d : nat).

Theorem full_rank_universal m (P : weights F H k m) (U : 'M[F]_(m, d)) :
  \rank (blockmx L P U) = N #|H| k L d -> universal L P U.
Proof.
rewrite -card_slot => rkM; have /row_fullP[B BM] : row_full (blockmx L P U) by apply/eqP.
exact: left_inverse_universal BM.
Qed.

Theorem det_universal (P : weights F H k #|slot H k L d|) (U : 'M[F]_(#|slot H k L d|, d)) :
  \det (blockmx L P U) != 0 -> universal L P U.
Proof. by rewrite -unitfE => uM; apply: (@minor_universal _ _ _ _ _ _ _ _ 1%:M); rewrite mul1mx. Qed.
End Field.

(* A wider backbone can do no less.

   Claim.  A backbone of width w, put into the first w of m >= w coordinates,
   keeps its block matrix in its first w rows and is universal if it was.

   Main definitions
     widen m P, widenU m U, widenE m E
                             the backbone, the read-out and a program in width m
   Main results
     blockmx_widen           pid_mx w *m blockmx (widen m P) = blockmx P
     widen_universal         universal at width w -> universal at width m >= w
     zero_one_widen          entries 0 and 1 stay entries 0 and 1
     wide_sparse_universality
                             a universal 0/1 backbone exists at every m >= N  *)

Section ZeroOneWide.
Variables (R : ringType) (w m c : nat).

Lemma zero_one_rows (A : 'M[R]_(w, c)) : zero_one A -> zero_one ((pid_mx w : 'M_(m, w)) *m A).
Proof.
move=> A01 i j; rewrite mxE; case: (ltnP i w) => [iw|wi]; last first.
  by left; rewrite big1 // => a _; rewrite mxE ltnNge wi andbF mul0r.
rewrite (bigD1 (Ordinal iw)) //= big1 ?addr0 => [|a na]; first by rewrite mxE eqxx iw mul1r; exact: A01.
by rewrite mxE; case: eqP => [ia|_]; [case/eqP: na; apply/val_inj | rewrite mul0r].
Qed.

Lemma zero_one_columns (A : 'M[R]_(c, w)) : zero_one A -> zero_one (A *m (pid_mx w : 'M_(w, m))).
Proof.
move=> A01 i j; rewrite mxE; case: (ltnP j w) => [jw|wj]; last first.
  by left; rewrite big1 // => a _; rewrite mxE; case: eqP => [aj|_]; [rewrite aj ltnNge wj mulr0 | rewrite mulr0].
rewrite (bigD1 (Ordinal jw)) //= big1 ?addr0 => [|a na]; first by rewrite mxE eqxx jw mulr1; exact: A01.
by rewrite mxE; case: eqP => [aj|_]; [case/eqP: na; apply/val_inj | rewrite mulr0].
Qed.
End ZeroOneWide.

Section Widen.
Variables (R : ringType) (H : finType) (k L d w m : nat).
Hypothesis wm : (w <= m)%N.
Variables (P : weights R H k w) (U : 'M[R]_(w, d)).

Let J : 'M[R]_(w, m) := pid_mx w.
Let I : 'M[R]_(m, w) := pid_mx w.

Definition widen : weights R H k m :=
  Weights (fun l h => I *m WQ P l h) (fun l h => I *m WK P l h) (fun l h => I *m WV P l h *m J).
Definition widenU : 'M[R]_(m, d) := I *m U.
Definition widenE c (E : 'M[R]_(c, w)) : 'M[R]_(c, m) := E *m J.

Lemma mul_JI : J *m I = 1%:M.
Proof. by rewrite pid_mx_id // pid_mx_1. Qed.

Lemma blockmx_widen : J *m blockmx L widen widenU = blockmx L P U.
Proof.
apply: intertwined_blockmx => [l h|]; last by rewrite /widenU mulmxA mul_JI mul1mx.
by split; rewrite /= !mulmxA mul_JI mul1mx.
Qed.

Lemma run_widen n (attn : attention R H k n) (X : 'M[R]_(n, w)) l :
  run attn widen l (X *m J) = run attn P l X *m J.
Proof.
elim: l => [|l IHl] //=; rewrite IHl mulmx_suml; apply: eq_bigr => h _.
by rewrite -!mulmxA ![J *m (I *m _)]mulmxA mul_JI !mul1mx.
Qed.

Lemma run_wide n (attn : attention R H k n) c (X : 'M[R]_(n, c)) (E : 'M[R]_(c, w)) l :
  run attn widen l (X *m widenE E) *m widenU = run attn P l (X *m E) *m U.
Proof. by rewrite /widenE mulmxA run_widen /widenU -mulmxA [J *m _]mulmxA mul_JI mul1mx. Qed.

Theorem widen_universal : universal L P U -> universal L widen widenU.
Proof. by move=> univ W; have [E EP] := univ W; exists (widenE E) => n attn X; rewrite run_wide. Qed.

Lemma zero_one_widen l h : [/\ zero_one (WQ P l h), zero_one (WK P l h) & zero_one (WV P l h)] ->
  [/\ zero_one (WQ widen l h), zero_one (WK widen l h) & zero_one (WV widen l h)].
Proof. by case=> ZQ ZK ZV; split; do ?apply: zero_one_columns; apply: zero_one_rows. Qed.

Lemma zero_one_widenU : zero_one U -> zero_one widenU.
Proof. exact: zero_one_rows. Qed.
End Widen.

Corollary wide_sparse_universality (R : ringType) (H : finType) (k L d m : nat) : (N #|H| k L d <= m)%N ->
  exists (P : weights R H k m) (U : 'M[R]_(m, d)),
  [/\ forall l h, [/\ zero_one (WQ P l h), zero_one (WK P l h) & zero_one (WV P l h)],
      zero_one U &
      universal L P U].
Proof.
move=> Nm; have [P [U [ZP ZU univ]]] := sparse_universality R H k L d.
exists (widen m P), (widenU m U).
by split; [move=> l h; exact: zero_one_widen | exact: zero_one_widenU | exact: widen_universal].
Qed.
