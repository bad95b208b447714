(* Peeling: a lower bound on the rank of families that are indexed by words.

   Claim.  Let maps B j a, one for each letter a, lead from the row space of
   dimension n (j+1) to that of dimension n j.  Let good j w be a property of
   families of M rows of F^(n j), w a word of length j, such that
     - B j a makes a good family of a :: w a good family of w,
     - B j b kills it if b != a,
     - a good family of a word of length j has rank s j at least.
   Then a space that contains a good family for every word of length j, each of
   rank K at least, has dimension K + gain j at least, where gain 0 = 0 and
   gain (j+1) = h gain j + (h-1) s j, h the number of letters.

   Main definitions
     common_kernel B r   the rows on which B x vanishes for all x in r
     gain                the recursion above
   Main results
     rank_images         images that live on different maps add up
     peeling             the claim, by induction on j

   Reference: Fixed Universal Transformers (arXiv:2605.31423), Theorem 4.1; the argument is new. *)

From mathcomp Require Import all_ssreflect all_algebra zify.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section CommonKernel.
Variables (F : fieldType) (m n : nat) (I : eqType) (B : I -> 'M[F]_(m, n)).

Fixpoint common_kernel (r : seq I) : 'M[F]_m :=
  if r is x :: r' then (kermx (B x) :&: common_kernel r')%MS else 1%:M.

Lemma common_kernelP p (A : 'M[F]_(p, m)) r :
  reflect {in r, forall x, A *m B x = 0} (A <= common_kernel r)%MS.
Proof.
elim: r => [|x r IH] /=; first by apply: (iffP idP) => // _; rewrite submx1.
rewrite sub_capmx; apply: (iffP andP) => [[/sub_kermxP Ax /IH Ar] y | AB].
  by rewrite in_cons => /predU1P[->|/Ar].
split; first by apply/sub_kermxP/AB/mem_head.
by apply/IH => y yr; apply: AB; rewrite in_cons yr orbT.
Qed.

(* If all B y with y != x vanish on X x, the images X x B x add up. *)
Lemma rank_images p (X : 'M[F]_(p, m)) (Xs : I -> 'M[F]_m) r : uniq r ->
  (forall x, (Xs x <= X)%MS) -> (forall x y, y != x -> Xs x *m B y = 0) ->
  (\sum_(x <- r) \rank (Xs x *m B x) + \rank (X :&: common_kernel r)%MS <= \rank X)%N.
Proof.
move=> + XsX XsB; elim: r => [|x r IH] /=; first by rewrite big_nil add0n mxrankS // capmxSl.
case/andP => xr ur; rewrite big_cons; apply: leq_trans (IH ur).
rewrite addnAC addnC leq_add2l -(mxrank_mul_ker (X :&: common_kernel r)%MS (B x)) leq_add //.
  apply: mxrankS; apply: submxMr; rewrite sub_capmx XsX /=.
  by apply/common_kernelP => y yr; apply: XsB; apply: contraNneq xr => <-.
apply: mxrankS; rewrite !sub_capmx capmxSl /=.
rewrite (submx_trans (capmxSr _ _) (capmxSr _ _)) /=.
exact: (submx_trans (capmxSr _ _) (capmxSl _ _)).
Qed.
End CommonKernel.

Section Peeling.
Variables (F : fieldType) (H : finType) (h0 : H) (L M : nat).
Variables (n : nat -> nat) (B : forall j, H -> 'M[F]_(n j.+1, n j)).
Variables (good : forall j, seq H -> 'M[F]_(M, n j) -> Prop) (s : nat -> nat).
Arguments good : clear implicits.

Hypothesis good_peel : forall j a w (E : 'M_(M, n j.+1)), (j < L)%N -> size w = j ->
  good j.+1 (a :: w) E -> good j w (E *m B j a).
Hypothesis good_other : forall j a b w (E : 'M_(M, n j.+1)), (j < L)%N -> size w = j ->
  good j.+1 (a :: w) E -> b != a -> E *m B j b = 0.
Hypothesis good_rank : forall j w (E : 'M_(M, n j)), (j <= L)%N -> size w = j ->
  good j w E -> (s j <= \rank E)%N.

Fixpoint gain j := if j is i.+1 then (#|H| * gain i + #|H|.-1 * s i)%N else 0%N.

Let rank_arith (h g f sj re K : nat) : (0 < h)%N -> (sj <= f)%N -> (K <= re)%N -> (f <= re)%N ->
  (K + (h * g + h.-1 * sj) <= h * (f + g) + (re - f))%N.
Proof. by case: h => // h _ /= sf; have := leq_mul (leqnn h) sf; rewrite !mulSn !mulnDr; lia. Qed.

Theorem peeling j (E : seq H -> 'M[F]_(M, n j)) q (X : 'M[F]_(q, n j)) K : (j <= L)%N ->
  (forall w, size w = j -> good j w (E w)) ->
  (forall w, size w = j -> (E w <= X)%MS) ->
  (forall w, size w = j -> (K <= \rank (E w))%N) ->
  (K + gain j <= \rank X)%N.
Proof.
elim: j E q X K => [|j IH] E q X K jL gE EX KE.
  by rewrite addn0; apply: leq_trans (KE [::] erefl) (mxrankS _); apply: EX.
have peel a w : size w = j -> good j w (E (a :: w) *m B j a).
  by move=> sw; apply: good_peel => //; apply: gE; rewrite /= sw.
have other a b w : size w = j -> b != a -> E (a :: w) *m B j b = 0.
  by move=> sw; apply: good_other (gE (a :: w) _) => //; rewrite /= sw.
(* the least rank f of a peeled family, and a word that attains it *)
pose rk (aw : (j.+1).-tuple H) := \rank (E aw *m B j (head h0 aw)).
pose least := [arg min_(aw < [tuple of nseq j.+1 h0]) rk aw]%N.
set f := rk least.
have f_min a w : size w = j -> (f <= \rank (E (a :: w) *m B j a))%N.
  move=> sw; have sz : size (a :: w) == j.+1 by rewrite /= sw.
  by rewrite /f /least; case: arg_minnP => // i _ /(_ (Tuple sz) isT).
have [a [w [sw fE]]] : exists a w, size w = j /\ f = \rank (E (a :: w) *m B j a).
  rewrite /f /rk; move: least {f f_min} => least.
  by case: least => -[|a w] //= sw; exists a, w; split=> //; case/eqP: sw.
have sf : (s j <= f)%N by rewrite fE; apply: good_rank (peel a w sw) => //; apply: ltnW.
(* the part of X on which only B b is not zero *)
pose Xs b := (X :&: common_kernel (B j) [seq x <- enum H | x != b])%MS.
have XsB b c : c != b -> Xs b *m B j c = 0.
  move=> cb; have /common_kernelP := capmxSr X (common_kernel (B j) [seq x <- enum H | x != b]).
  by apply; rewrite mem_filter cb mem_enum.
have := rank_images (enum_uniq H) (fun b => capmxSl X _ : (Xs b <= X)%MS) XsB.
rewrite big_enum /=; apply: leq_trans.
have low b : (f + gain j <= \rank (Xs b *m B j b))%N.
  apply: (IH (fun v => E (b :: v) *m B j b)) => [|v sv|v sv|v sv]; [exact: ltnW|exact: peel| |exact: f_min].
  apply: submxMr; rewrite sub_capmx EX /= ?sv //; apply/common_kernelP => c.
  by rewrite mem_filter => /andP[cb _]; apply: other.
have ker : (\rank (E (a :: w)) - f <= \rank (X :&: common_kernel (B j) (enum H))%MS)%N.
  rewrite fE -(mxrank_mul_ker (E (a :: w)) (B j a)) addKn.
  apply: mxrankS; rewrite sub_capmx (submx_trans (capmxSl _ _)) ?EX /= ?sw //.
  apply/common_kernelP => b _; have [->|ba] := eqVneq b a.
    by apply/sub_kermxP; apply: capmxSr.
  by apply/sub_kermxP; apply: submx_trans (capmxSl _ _) _; apply/sub_kermxP; apply: other.
apply: leq_trans (leq_add _ ker).
  apply: (@rank_arith #|H| (gain j) f) => //; first by apply/card_gt0P; exists h0.
    by apply: KE; rewrite /= sw.
  by rewrite fE mxrankM_maxl.
by rewrite -sum_nat_const; apply: leq_sum => b _; apply: low.
Qed.
End Peeling.
