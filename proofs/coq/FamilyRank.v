(* The rank of a family of programs whose targets have powers of t as scores.

   Claim.  Let the target (s, x, g), for a word s of heads, a number x and a pair
   g, have the values beta l (s_l) h, times gamma g in the last layer, and scores
   S x l h.  Let beta have a dual basis and let suitable entries of S x l h be
   powers of t_x plus constants, |Z| per layer and head.  If some backbone of
   width m has programs for all these targets, which also match the outputs
   through a read-out of c columns, then
     |Z| (H + H^2 + ... + H^L) + d c H^L <= d m.

   Main definitions
     word_values     the values of the target of a word, without gamma
     good j s E      row (x, g) of E is a program for (s, x, g), seen through the
                     slots of the last j layers
     rank_bound j    d c + j H |Z|, the rank of a good family
   Main results
     good_rank       by the dimension lemma, and because the gamma g of
                     SpanningMatrices.v span all matrices
     closed_form     what the recursion of Peeling.v adds up to
     family_bound    the claim

   Reference: Fixed Universal Transformers (arXiv:2605.31423), Theorem 4.1; the bound is new. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import Network Slots Dimension Peeling SlotStates SpanningMatrices.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma powersS H L : powers H L.+1 = (H + H * powers H L)%N.
Proof.
elim: L => [|L IH]; first by rewrite /= expn1 muln0 addn0.
by rewrite -[powers H L.+2]/(powers H L.+1 + H ^ L.+2)%N {1}IH -addnA [(H ^ L.+2)%N]expnS -mulnDr.
Qed.

Section Family.
Variables (F : numFieldType) (H Z : finType) (h0 : H) (w c d L Mt N : nat).
Variables (t : 'I_Mt -> F) (S : 'I_Mt -> nat -> H -> 'M[F]_d) (cst : nat -> H -> Z -> F).
Variables (v : nat -> H -> Z -> 'rV[F]_d) (u : nat -> H -> Z -> 'cV[F]_d).
Notation HZ := [finType of H * Z].
Notation n := (L * #|HZ|)%N.

Hypothesis scoresE : forall x l h z, (l < L)%N ->
  (v l h z *m S x l h *m u l h z) 0 0 = t x ^+ (N ^ ((L - l.+1) * #|HZ| + enum_rank (h, z))) + cst l h z.
Hypotheses (t_inj : injective t) (N_large : ((2 * n).+1 ^ n <= N)%N) (Mt_large : (N ^ n <= Mt)%N).

Variables (beta delta : nat -> H -> H -> 'M[F]_d).
Hypothesis dual : forall l a b, (l < L)%N -> \sum_h delta l b h *m beta l a h = (a == b)%:R%:M.
Hypothesis beta_unit : forall l a, (l < L)%N -> beta l a h0 \in unitmx.

Variable C : 'M[F]_(d, c).
Hypothesis C_full : row_full C.

Notation family := [finType of 'I_Mt * ('I_d * 'I_d)].
Notation M := #|family|.

Definition word_values i (s : seq H) l h : 'M[F]_d := beta l (nth h0 s (l - i)) h.

Lemma word_values_cons i a s l h : (i < l)%N -> word_values i (a :: s) l h = word_values i.+1 s l h.
Proof. by move=> il; rewrite /word_values -(subnSK il). Qed.

Definition good j (s : seq H) (E : 'M[F]_(M, dim H w c d j)) : Prop :=
  exists D : 'I_M -> nat -> H -> bool -> 'M[F]_(d, w),
    (forall y l h, (l < L)%N -> D y l h true *m (D y l h false)^T = S (enum_val y).1 l h) /\
    forall y, row y E = pack (slot_column (word_values (L - j) s) (D y) (gamma F (enum_val y).2 *m C) (L - j)).

Lemma peel_row j a b s D O : (j < L)%N ->
  pack (slot_column (word_values (L - j.+1) (a :: s)) D O (L - j.+1) : slots_left H w c j.+1 -> _)
    *m transfer w c j (delta (L - j.+1)%N b) =
  (a == b)%:R *: pack (slot_column (word_values (L - j) s) D O (L - j) : slots_left H w c j -> _).
Proof.
move=> jL; have lE : ((L - j.+1).+1 = L - j)%N by rewrite subnSK.
rewrite pack_transfer; apply/rowP => y; rewrite !mxE.
under eq_bigr => h _ do rewrite /= mulmxA {1}/word_values subnn /=.
rewrite -mulmx_suml dual; last by rewrite -subn_gt0 subKn.
rewrite mul_scalar_mx mxE lE; congr (_ * fun_of_matrix _ _ _); apply: eq_slot_column => l h il.
rewrite -lE in il *; exact: word_values_cons.
Qed.

Lemma good_peel j a s (E : 'M_(M, dim H w c d j.+1)) : (j < L)%N -> good (a :: s) E ->
  good s (E *m transfer w c j (delta (L - j.+1)%N a)).
Proof.
move=> jL [D [SD rowE]]; exists D; split=> // y.
by rewrite row_mul rowE peel_row // eqxx scale1r.
Qed.

Lemma good_other j a b s (E : 'M_(M, dim H w c d j.+1)) : (j < L)%N -> good (a :: s) E -> b != a ->
  E *m transfer w c j (delta (L - j.+1)%N b) = 0.
Proof.
move=> jL [D [SD rowE]] ba; apply/row_matrixP => y.
by rewrite row_mul rowE peel_row // eq_sym (negbTE ba) scale0r row0.
Qed.

Definition rank_bound j := (d * c + j * #|HZ|)%N.

Hypothesis d0 : (0 < d)%N.
Let Mt0 : (0 < Mt)%N.
Proof. by apply: leq_trans Mt_large; rewrite expn_gt0 (leq_trans _ N_large) // expn_gt0. Qed.
Let x0 : 'I_Mt := Ordinal Mt0.
Let g0 : 'I_d * 'I_d := (Ordinal d0, Ordinal d0).

Lemma good_rank j s (E : 'M_(M, dim H w c d j)) : (j <= L)%N -> good s E -> (rank_bound j <= \rank E)%N.
Proof.
move=> jL [D [SD rowE]]; set i := (L - j)%N; have ij : (i + j = L)%N by rewrite subnK.
have uW l : (i <= l < i + j)%N -> word_values i s l h0 \in unitmx.
  by rewrite ij => /andP[_ lL]; apply: beta_unit.
pose y x : 'I_M := enum_rank (x, g0).
pose D0 : 'M_(Mt, _) := \matrix_x (row (y x) E - row (y x0) E).
have D0E : (D0 <= E)%MS.
  by apply/row_subP => x; rewrite rowK addmx_sub ?row_sub // eqmx_opp row_sub.
pose v' l h z (r : bool) : 'rV_d := if r then v l h z else (u l h z)^T.
pose lay (o : 'I_j) := (L - o.+1)%N.
have layL o : (i <= lay o < i + j)%N.
  have oL := leq_trans (ltn_ord o) jL.
  by rewrite ij leq_sub2l // ltn_subrL (leq_ltn_trans (leq0n o) oL).
have ex (a : 'I_j * HZ * bool * 'I_w) : exists f : 'cV_(dim H w c d j), forall C O,
    pack (slot_column (word_values i s) C O i : slots_left H w c j -> _) *m f =
    v' (lay a.1.1.1) a.1.1.2.1 a.1.1.2.2 a.1.2 *m col a.2 (C (lay a.1.1.1) a.1.1.2.1 a.1.2).
  exact: (read_factor _ _ _ _ _ uW (layL _)).
have [f fE] := fin_all_exists ex.
have rD0 : (j * #|HZ| <= \rank D0)%N.
  pose form r o (hz : HZ) b := row_base D0 *m f (o, hz, r, b).
  pose form0 r o (hz : HZ) b := (row (y x0) E *m f (o, hz, r, b)) 0 0.
  have formE r o hz b x : affine_form (col_base D0) (form r o hz b) (form0 r o hz b) 0 x =
      (v' (lay o) hz.1 hz.2 r *m D (y x) (lay o) hz.1 r) 0 b.
    rewrite mxE /form mulmxA mulmx_base.
    have -> : (D0 *m f (o, hz, r, b)) x 0 = (row x D0 *m f (o, hz, r, b)) 0 0 by rewrite -row_mul [RHS]mxE.
    have subE (A B : 'M[F]_1) : (A - B) 0 0 = A 0 0 - B 0 0 by rewrite !mxE.
    by rewrite rowK mulmxBl subE subrK rowE fE colE mulmxA -colE mxE.
  apply: (@dimension_lemma_by_layers F Mt _ w j n N HZ t (col_base D0) (form true) (form false)
     (form0 true) (form0 false) (fun o hz => cst (lay o) hz.1 hz.2)) => //; last by rewrite leq_mul2r jL orbT.
  move=> o [h z] x; have lL : (lay o < L)%N by have := layL o; rewrite ij => /andP[].
  have layE : (L - (lay o).+1 = o)%N by have oL := leq_trans (ltn_ord o) jL; rewrite subnSK // subKn // ltnW.
  have := scoresE x h z lL; rewrite layE /= => <-.
  rewrite (eq_bigr (fun b => (v (lay o) h z *m D (y x) (lay o) h true) 0 b *
                          ((u (lay o) h z)^T *m D (y x) (lay o) h false) 0 b)) => [|b _]; last by rewrite !formE.
  have := SD (y x) _ h lL; rewrite enum_rankK /= => <-.
  have -> : v (lay o) h z *m (D (y x) (lay o) h true *m (D (y x) (lay o) h false)^T) *m u (lay o) h z =
      (v (lay o) h z *m D (y x) (lay o) h true) *m ((u (lay o) h z)^T *m D (y x) (lay o) h false)^T.
    by rewrite trmx_mul trmxK !mulmxA.
  by rewrite mxE; apply: eq_bigr => b _; rewrite [X in _ = _ * X]mxE.
have [fo foE] := @read_output F H w c d h0 (word_values i s) j i uW.
have rO : \rank (E *m fo) = (d * c)%N.
  suff /eqP -> : row_full (E *m fo) by rewrite /dim card_prod !card_ord mulnC.
  apply: (gamma_span C_full) => g.
  have -> : pack_output H w (gamma F g *m C) = row (enum_rank (x0, g)) (E *m fo).
    by rewrite row_mul rowE foE enum_rankK.
  exact: row_sub.
rewrite /rank_bound -(mxrank_mul_ker E fo) rO leq_add2l (leq_trans rD0) // mxrankS // sub_capmx D0E.
apply/sub_kermxP/row_matrixP => x.
by rewrite row0 row_mul rowK mulmxBl !rowE !foE !enum_rankK subrr.
Qed.

Lemma closed_form j : (gain H rank_bound j + rank_bound j = #|Z| * powers #|H| j + d * c * #|H| ^ j)%N.
Proof.
have h : (0 < #|H|)%N by apply/card_gt0P; exists h0.
elim: j => [|j IH]; first by rewrite /rank_bound /= expn0 !muln0 !muln1 mul0n addn0.
have -> : rank_bound j.+1 = (rank_bound j + #|H| * #|Z|)%N.
  by rewrite /rank_bound mulSn card_prod -addnA [(_ * _ + j * _)%N]addnC.
rewrite powersS expnS /= -/rank_bound.
have -> : (#|H| * gain H rank_bound j + #|H|.-1 * rank_bound j + (rank_bound j + #|H| * #|Z|) =
    #|H| * (gain H rank_bound j + rank_bound j) + #|H| * #|Z|)%N.
  by rewrite addnA -[in LHS](addnA (_ * _)%N) [(_.-1 * _ + _)%N]addnC -mulSn prednK // -mulnDr.
rewrite IH !mulnDr [(#|H| * (#|Z| * _))%N]mulnCA [(#|H| * (d * c * _))%N]mulnCA [(#|H| * #|Z|)%N]mulnC.
by rewrite addnC addnA.
Qed.

Variables (m : nat) (VP : nat -> H -> 'M[F]_m) (QP : nat -> H -> bool -> 'M[F]_(m, w)) (UP : 'M[F]_(m, c)).
Hypothesis programs : forall (s : seq H) x g, size s = L -> exists (E : 'M[F]_(d, m)) D,
  (forall l h, (l < L)%N -> D l h true *m (D l h false)^T = S x l h) /\
  forall y : slots_left H w c L,
    E *m slot_column VP QP UP 0 y = slot_column (word_values 0 s) D (gamma F g *m C) 0 y.

Theorem family_bound : (#|Z| * powers #|H| L + d * c * #|H| ^ L <= d * m)%N.
Proof.
pose a0 : L.-tuple H := [tuple of nseq L h0].
have ex (a : L.-tuple H * 'I_M) : exists ED : 'M[F]_(d, m) * (nat -> H -> bool -> 'M[F]_(d, w)),
    (forall l h, (l < L)%N -> ED.2 l h true *m (ED.2 l h false)^T = S (enum_val a.2).1 l h) /\
    forall y : slots_left H w c L, ED.1 *m slot_column VP QP UP 0 y =
      slot_column (word_values 0 a.1) ED.2 (gamma F (enum_val a.2).2 *m C) 0 y.
  have [E [D ED]] := programs (enum_val a.2).1 (enum_val a.2).2 (size_tuple a.1).
  by exists (E, D).
have [f fP] := fin_all_exists ex.
pose column := slot_column VP QP UP 0 : slots_left H w c L -> _.
pose E (s : seq H) : 'M_(M, dim H w c d L) := \matrix_y pack (fun x => (f (insubd a0 s, y)).1 *m column x).
have goodE s : size s = L -> good s (E s).
  move=> sL; have sv : val (insubd a0 s) = s by apply: insubdK; rewrite unfold_in sL eqxx.
  exists (fun y => (f (insubd a0 s, y)).2); split=> y; have [fS fE] := fP (insubd a0 s, y); first exact: fS.
  by rewrite rowK subnn; apply: eq_pack => x; rewrite fE sv.
rewrite -closed_form addnC; apply: leq_trans (rank_program_space d column).
pose B j a := transfer w c j (delta (L - j.+1)%N a).
apply: (@peeling F H h0 L M (dim H w c d) B good rank_bound _ _ _ L E) => //.
- by move=> j a s E' jL _; apply: good_peel.
- by move=> j a b s E' jL _; apply: good_other.
- by move=> j s E' jL _; apply: good_rank.
- by move=> s _; apply/row_subP => y; rewrite rowK pack_program.
- by move=> s sL; apply: good_rank (goodE s sL).
Qed.
End Family.
