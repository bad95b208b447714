(* Two counting arguments.

   Parts
     The dimension lemma: many quadrics with independent values need many variables.
     Peeling: a lower bound on the rank of families that are indexed by words.   *)

From mathcomp Require Import all_ssreflect ssralg zmodp matrix mxalgebra poly.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* The dimension lemma: many quadrics with independent values need many variables.

   Claim.  If n sums of products of two affine forms on F^r take, up to a
   constant each, the values t, t^N, t^(N^2), ..., t^(N^(n-1)) at points y_t,
   for N^n different t in F and N >= (2n+1)^n, then r >= n.
   The powers t^x with x < N^n are independent functions of t.  Written in base
   N, every such x is a product of powers of the quadrics, so t^x is a
   polynomial in the r coordinates with all exponents at most 2Nn, and these
   polynomials have dimension (2Nn+1)^r at most.

   Main definitions
     monomials Y D          the values, at the points that are the rows of Y, of
                            all monomials with exponents at most D
     affine_form Y k k0     the values of the affine form y |-> y k + k0
   Main results
     dimension_lemma            the claim
     dimension_lemma_by_layers  the form used here: conditions numbered (j, y)

   Reference: Fixed Universal Transformers (arXiv:2605.31423), Theorem 4.1; the lemma is new. *)

Section Monomials.
Variables (F : fieldType) (M r : nat) (Y : 'M[F]_(M, r)).

Notation exponents D := {ffun 'I_r -> 'I_D.+1}.

Definition monomial (f : 'I_r -> nat) : 'rV[F]_M := \row_i \prod_j Y i j ^+ f j.

Definition monomials D : 'M[F]_(#|{: exponents D}|, M) :=
  \matrix_b monomial (fun j => (enum_val b : exponents D) j).

Definition affine_form (k : 'cV[F]_r) (k0 : F) : 'rV[F]_M := \row_i ((Y *m k) i 0 + k0).

Lemma rank_monomials D : (\rank (monomials D) <= D.+1 ^ r)%N.
Proof. by apply: leq_trans (rank_leq_row _) _; rewrite card_ffun !card_ord. Qed.

Lemma sub_monomials D f : (forall j, f j <= D)%N -> (monomial f <= monomials D)%MS.
Proof.
move=> fD; pose b : exponents D := [ffun j => inord (f j)].
have -> : monomial f = row (enum_rank b) (monomials D).
  rewrite rowK; apply/rowP=> i; rewrite !mxE; apply: eq_bigr => j _.
  by rewrite enum_rankK ffunE inordK // ltnS.
exact: row_sub.
Qed.

Lemma monomials_leq D D' : (D <= D')%N -> (monomials D <= monomials D')%MS.
Proof.
by move=> le; apply/row_subP => b; rewrite rowK; apply: sub_monomials => j; apply: leq_trans le; rewrite -ltnS.
Qed.

Lemma mul_affine_form D k k0 : (monomials D *m diag_mx (affine_form k k0) <= monomials D.+1)%MS.
Proof.
apply/row_subP => b; set e := fun j => nat_of_ord ((enum_val b : exponents D) j).
have eD l : (e l <= D)%N by rewrite /e -ltnS.
have -> : row b (monomials D *m diag_mx (affine_form k k0)) =
    \sum_j k j 0 *: monomial (fun l => e l + (l == j))%N + k0 *: monomial e.
  rewrite row_mul rowK mul_mx_diag; apply/rowP=> i; rewrite !mxE summxE mulrDr [_ * k0]mulrC; congr (_ + _).
  rewrite mulr_sumr; apply: eq_bigr => j _; rewrite !mxE mulrA mulrC; congr (_ * _).
  under [RHS]eq_bigr do rewrite exprD.
  rewrite big_split /=; congr (_ * _).
  rewrite (bigD1 j) //= eqxx expr1 big1 ?mulr1 // => l /negbTE ->.
  by rewrite expr0.
apply: addmx_sub.
  apply: summx_sub => j _; apply: scalemx_sub; apply: sub_monomials => l.
  by rewrite -[X in (_ <= X)%N]addn1; apply: leq_add (eD l) (leq_b1 _).
by apply: scalemx_sub; apply: sub_monomials => l; apply: leq_trans (eD l) _.
Qed.

Lemma mul_affine_sub D (f : 'rV[F]_M) k k0 :
  (f <= monomials D)%MS -> (f *m diag_mx (affine_form k k0) <= monomials D.+1)%MS.
Proof. by move=> fU; apply: submx_trans (mul_affine_form D k k0); apply: submxMr. Qed.
End Monomials.

Section Dimension.
Variables (F : fieldType) (M r n N w : nat) (t : 'I_M -> F) (Y : 'M[F]_(M, r)).
Variables (k k' : 'I_n -> 'I_w -> 'cV[F]_r) (k0 k0' : 'I_n -> 'I_w -> F) (cst : 'I_n -> F).
Hypothesis quadricsE : forall j i,
  \sum_z affine_form Y (k j z) (k0 j z) 0 i * affine_form Y (k' j z) (k0' j z) 0 i = t i ^+ (N ^ j) + cst j.

Let T (x : nat) : 'rV[F]_M := \row_i t i ^+ x.

Lemma power_step D x (j : 'I_n) a : (T x <= monomials Y D)%MS ->
  (T (x + a * N ^ j) <= monomials Y (D + 2 * a))%MS.
Proof.
move=> TU; elim: a => [|a IH]; first by rewrite mul0n muln0 !addn0.
pose f z := T (x + a * N ^ j) *m diag_mx (affine_form Y (k j z) (k0 j z))
              *m diag_mx (affine_form Y (k' j z) (k0' j z)).
have -> : T (x + a.+1 * N ^ j) = \sum_z f z - cst j *: T (x + a * N ^ j).
  apply/rowP=> i.
  have e1 : (\sum_z f z) 0 i = t i ^+ (x + a * N ^ j) * (t i ^+ (N ^ j) + cst j).
    rewrite summxE -quadricsE mulr_sumr; apply: eq_bigr => z _.
    by rewrite /f !mul_mx_diag !mxE -mulrA.
  have e2 (A B : 'rV[F]_M) c : (A - c *: B) 0 i = A 0 i - c * B 0 i by rewrite !mxE.
  rewrite e2 e1 !mxE.
  by rewrite mulrDr [cst j * _]mulrC addrK -exprD mulSn addnCA addnC.
rewrite mulnS addnCA -[2%N]/(1 + 1)%N -addnA !add1n.
apply: addmx_sub; first by apply: summx_sub => z _; do 2!apply: mul_affine_sub.
rewrite eqmx_opp; apply: scalemx_sub; apply: submx_trans IH _; apply: monomials_leq.
by do 2!apply: leqW.
Qed.

Hypothesis N0 : (0 < N)%N.

Lemma power_sub j x : (j <= n)%N -> (x < N ^ j)%N -> (T x <= monomials Y (2 * N * j))%MS.
Proof.
elim: j x => [|j IH] x jn.
  rewrite expn0 ltnS leqn0 => /eqP ->.
  have -> : T 0 = monomial Y (fun=> 0%N) by apply/rowP=> i; rewrite !mxE expr0 big1.
  exact: sub_monomials.
move=> xlt; have Nj : (0 < N ^ j)%N by rewrite expn_gt0 N0.
rewrite (divn_eq x (N ^ j)) addnC.
have := @power_step (2 * N * j) (x %% N ^ j) (Ordinal jn) (x %/ N ^ j) (IH _ (ltnW jn) (ltn_pmod _ Nj)).
move=> /submx_trans; apply; apply: monomials_leq.
rewrite mulnS addnC leq_add2r leq_mul2l /=.
by apply: ltnW; rewrite ltn_divLR // -expnS.
Qed.

Hypotheses (t_inj : injective t) (M_large : (N ^ n <= M)%N).

Lemma count_powers : (N ^ n <= (2 * N * n).+1 ^ r)%N.
Proof.
pose V : 'M[F]_(N ^ n, M) := \matrix_x T x.
have free : row_free V.
  rewrite -kermx_eq0; apply/eqP/row_matrixP => i0; rewrite row0.
  set v := row i0 _.
  have vV : v *m V = 0 by rewrite /v -row_mul mulmx_ker row0.
  pose p : {poly F} := \poly_(x < N ^ n) (if insub x is Some x' then v 0 (x' : 'I_(N ^ n)) else 0).
  have pE (x : 'I_(N ^ n)) : p`_x = v 0 x by rewrite coef_poly ltn_ord valK.
  suff p0 : p = 0 by apply/rowP => x; rewrite -pE p0 coef0 mxE.
  apply/eqP; apply: contraT => pn0.
  have rr : all (root p) [seq t i | i <- enum 'I_M].
    apply/allP => z /mapP [i _ ->]; apply/rootP.
    have /rowP /(_ i) := vV; rewrite !mxE => vE.
    rewrite -[RHS]vE horner_poly; apply: eq_bigr => x _.
    by rewrite valK !mxE.
  have := max_poly_roots pn0 rr; rewrite map_inj_uniq // enum_uniq size_map size_enum_ord => /(_ isT).
  by move=> /leq_trans /(_ (size_poly _ _)); rewrite ltnNge M_large.
have sub : (V <= monomials Y (2 * N * n))%MS.
  by apply/row_subP => x; rewrite rowK; apply: power_sub.
move/mxrankS: sub; move/eqP: free => ->.
by move/leq_trans; apply; apply: rank_monomials.
Qed.

Theorem dimension_lemma : ((2 * n).+1 ^ n <= N)%N -> (n <= r)%N.
Proof.
move=> Nbig; have := count_powers; case: (leqP n r) => // rn; rewrite leqNgt => /negP[].
case: n rn Nbig => // n' rn Nbig.
have le1 : ((2 * N * n'.+1).+1 <= N * (2 * n'.+1).+1)%N.
  by rewrite [X in (_ <= X)%N]mulnS [(2 * N)%N]mulnC -mulnA -add1n leq_add2r.
apply: (@leq_ltn_trans ((N * (2 * n'.+1).+1) ^ n')%N).
  apply: (@leq_trans ((2 * N * n'.+1).+1 ^ n')%N); first by rewrite leq_pexp2l.
  by case: n' {rn Nbig} le1 => // n' le1; rewrite leq_exp2r.
rewrite expnMn expnSr ltn_mul2l expn_gt0 N0 /=.
apply: leq_trans Nbig; rewrite expnSr -[X in (X < _)%N]muln1 ltn_mul2l expn_gt0 /=.
by rewrite mulnS.
Qed.
End Dimension.

(* The form in which it is used: conditions (j, y), ordered by j first. *)
Theorem dimension_lemma_by_layers (F : fieldType) (M r w k n N : nat) (J : finType) (t : 'I_M -> F) (Y : 'M[F]_(M, r))
    (f f' : 'I_k -> J -> 'I_w -> 'cV[F]_r) (f0 f0' : 'I_k -> J -> 'I_w -> F) (cst : 'I_k -> J -> F) :
  (forall j y i,
     \sum_z affine_form Y (f j y z) (f0 j y z) 0 i * affine_form Y (f' j y z) (f0' j y z) 0 i =
     t i ^+ (N ^ (j * #|J| + enum_rank y)) + cst j y) ->
  injective t -> (k * #|J| <= n)%N -> (N ^ n <= M)%N -> ((2 * n).+1 ^ n <= N)%N -> (k * #|J| <= r)%N.
Proof.
move=> quadE t_inj kn M_large N_large.
have N0 : (0 < N)%N by apply: leq_trans N_large; rewrite expn_gt0.
have J0 (i : 'I_(k * #|J|)) : (0 < #|J|)%N by case: (posnP #|J|) i => // -> [i]; rewrite muln0.
have jk (i : 'I_(k * #|J|)) : (i %/ #|J| < k)%N by rewrite ltn_divLR ?J0.
pose j i := Ordinal (jk i); pose y (i : 'I_(k * #|J|)) := enum_val (Ordinal (ltn_pmod i (J0 i))).
apply: (@dimension_lemma F M r _ N w t Y (fun i => f (j i) (y i)) (fun i => f' (j i) (y i))
          (fun i => f0 (j i) (y i)) (fun i => f0' (j i) (y i)) (fun i => cst (j i) (y i))) => //.
- by move=> i x; rewrite quadE /y enum_valK /= -divn_eq.
- by apply: leq_trans M_large; rewrite leq_pexp2l.
apply: leq_trans N_large; apply: (@leq_trans ((2 * (k * #|J|)).+1 ^ n)%N); first by rewrite leq_pexp2l.
by case: n {M_large} kn => // n kn; rewrite leq_exp2r // ltnS leq_mul2l.
Qed.

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
Proof.
case: h => // h _ /= sf Kr fr.
have -> : (h.+1 * (f + g) + (re - f) = re + (h.+1 * g + h * f))%N.
  by rewrite mulnDr (mulSn h f) addnC -addnA addnA subnK // [(h * f + _)%N]addnC.
by rewrite leq_add // leq_add2l leq_mul2l sf orbT.
Qed.

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
