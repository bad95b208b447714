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

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import Network Slots BlockMatrix.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

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
elim: q l => [|h q IHq] l /=.
  by rewrite -diag_const_mx; congr (diag_mx _); apply/rowP=> j; rewrite !mxE.
rewrite IHq mulmx_diag; congr (diag_mx _); apply/rowP=> j; rewrite !mxE.
by rewrite -natrM mulnb.
Qed.

Lemma entry_sparse (s0 s : slot) : entry sparse sparseU (enum_rank s0) s = (s0 == s)%:R.
Proof.
have diagE c (D : 'rV[R]_#|slot|) (B : 'M_(_, c)) a i : (diag_mx D *m B) a i = D 0 a * B a i.
  by rewrite mul_diag_mx !mxE.
case: s => [[l [[[p h] c] i]] | [p i]] /=; rewrite pathmx_sparse diagE.
  have -> : (if c then readQK true l h else readQK false l h) = readQK c l h by case: c.
  rewrite !mxE enum_rankK; case: s0 => [[l' [[[p' h'] c'] i']] | [p' i']] /=; last by rewrite mulr0.
  rewrite -natrM mulnb; congr (nat_of_bool _)%:R.
  rewrite -[RHS]/(Tagged slotT (i := l') (p', h', c', i') == Tagged slotT (i := l) (p, h, c, i)).
  have [el | nl] := altP (l' =P l :> nat); last first.
    by rewrite andbF; apply/esym/eqP => /(congr1 (fun u => val (tag u))) /= el; rewrite el eqxx in nl.
  move/val_inj: el => el; subst l'.
  by rewrite agreeP ?size_tuple // drop0 eq_Tagged /= !xpair_eqE val_eqE -!andbA.
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
