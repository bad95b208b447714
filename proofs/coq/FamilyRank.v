(* The rank of a family of targets.

   Parts
     A program seen through the slots of the layers that remain.
     Invertible matrices that span all matrices.
     The rank of a family of programs whose targets have powers of t as scores.   *)

From mathcomp Require Import all_ssreflect ssralg ssrnum zmodp matrix mxalgebra.
From Symut Require Import Network Dimension.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A program seen through the slots of the layers that remain.

   Claim.  With j layers left, only the values E M matter, where the columns of
   M are the columns of RQ, RK and U after the paths through these layers.
   Peeling a layer is a linear map on these values that does not depend on the
   backbone, and all programs together span a space of dimension d m at most.

   Main definitions
     slots_left H w c j     the slots of j layers: at the end one of the c columns
                            of the read-out; before, a column (head, query or
                            key, one of w) of the first layer, or a head and a
                            slot of the layers after it
     slot_column V C O i y  the column of the slot y for the value matrices V, the
                            matrices C of queries and keys, and the read-out O,
                            starting in layer i
     pack f                 the values f y (columns of height d) as one row
     transfer X             f |-> (y |-> sum_h X h f (h, y)), on packed rows
     program_space g        a matrix whose rows span all packed rows E g y
   Main results
     mul_slot_column        path conditions are conditions on slots
     pack_transfer          what transfer does
     read_factor, read_output   the factors C and O can be read off the values
     rank_program_space     dimension d m

   Reference: Fixed Universal Transformers (arXiv:2605.31423), Theorem 4.1; slots as in Network.v. *)

Lemma sum_enum_val (V : zmodType) (T : finType) (f : T -> V) : \sum_(y < #|T|) f (enum_val y) = \sum_x f x.
Proof. by symmetry; apply: reindex (onW_bij _ (@enum_val_bij T)). Qed.

(* a sum over the coordinates of all slots, for the columns A and the slots B of the layers after *)
Lemma sum_slots (V : zmodType) (A H B J : finType) (f : A + H * B -> J -> V) :
  \sum_(y < #|[finType of (A + H * B) * J]|) f (enum_val y).1 (enum_val y).2 =
  \sum_x \sum_a f (inl x) a + \sum_h \sum_x \sum_a f (inr (h, x)) a.
Proof.
rewrite (sum_enum_val (fun y => f y.1 y.2)) -(pair_bigA _ f) big_sumType; congr (_ + _).
by rewrite [RHS]pair_bigA; apply: eq_bigr => -[].
Qed.

Section States.
Variables (F : fieldType) (H : finType) (w c : nat).

Fixpoint slots_left (j : nat) : finType :=
  if j is i.+1 then [finType of (H * bool * 'I_w) + H * slots_left i] else [finType of 'I_c].

Fixpoint slot_column q (V : nat -> H -> 'M[F]_q) (C : nat -> H -> bool -> 'M[F]_(q, w)) (O : 'M[F]_(q, c))
    j i {struct j} : slots_left j -> 'cV[F]_q :=
  match j return slots_left j -> 'cV[F]_q with
  | 0 => fun z => col z O
  | j'.+1 => fun x => match x with
      | inl (h, r, z) => col z (C i h r)
      | inr (h, y) => V i h *m slot_column V C O i.+1 y
      end
  end.

Lemma eq_slot_column q (V V' : nat -> H -> 'M[F]_q) C O j i :
  (forall l h, (i <= l)%N -> V l h = V' l h) -> @slot_column q V C O j i =1 slot_column V' C O i.
Proof.
elim: j i => [|j IH] i eV //= [//|[h y]].
by rewrite eV // (IH i.+1) // => l g /ltnW il; apply: eV.
Qed.

(* Path conditions are conditions on slots. *)
Lemma mul_slot_column d m (VW : nat -> H -> 'M[F]_d) CW OW (VP : nat -> H -> 'M[F]_m) CP OP j i (A : 'M[F]_(d, m)) B :
  (forall p h r, (size p < j)%N ->
    A *m pathmx VP i p *m CP (i + size p)%N h r = B *m pathmx VW i p *m CW (i + size p)%N h r) ->
  (forall p, size p = j -> A *m pathmx VP i p *m OP = B *m pathmx VW i p *m OW) ->
  forall x : slots_left j, A *m slot_column VP CP OP i x = B *m slot_column VW CW OW i x.
Proof.
elim: j i A B => [|j IH] i A B eC eO /=.
  by move=> z; have := eO [::] erefl; rewrite /= !mulmx1 => eAB; rewrite !colE !mulmxA eAB.
move=> [[[h r] z]|[h y]].
  by have := eC [::] h r isT; rewrite /= !mulmx1 addn0 => eAB; rewrite !colE !mulmxA eAB.
rewrite !mulmxA; apply: IH => [p g r sp|p sp].
  by have := eC (h :: p) g r sp; rewrite /= !mulmxA addSnnS.
by have := eO (h :: p) (congr1 S sp); rewrite /= !mulmxA.
Qed.

Variable d : nat.

Definition dim j : nat := #|[finType of slots_left j * 'I_d]|.

Definition pack j (f : slots_left j -> 'cV[F]_d) : 'rV[F]_(dim j) :=
  \row_y f (enum_val y).1 (enum_val y).2 0.

Lemma eq_pack j (f g : slots_left j -> 'cV[F]_d) : f =1 g -> pack f = pack g.
Proof. by move=> fg; apply: eq_mx => _ y; rewrite fg. Qed.

Lemma pack_delta j (f : slots_left j -> 'cV[F]_d) x a :
  pack f *m delta_mx (enum_rank (x, a)) 0 = (f x a 0)%:M.
Proof. by rewrite -colE; apply/matrixP => i i'; rewrite !ord1 !mxE enum_rankK eqxx. Qed.

Lemma pack_sum j (I : finType) (co : I -> F) (f : I -> slots_left j -> 'cV[F]_d) :
  pack (fun x => \sum_i co i *: f i x) = \sum_i co i *: pack (f i).
Proof.
by apply/rowP => y; rewrite mxE !summxE; apply: eq_bigr => i _; rewrite !mxE.
Qed.

Definition transfer j (X : H -> 'M[F]_d) : 'M[F]_(dim j.+1, dim j) :=
  \matrix_(y, z) match (enum_val y).1 : slots_left j.+1 with
    | inl _ => 0
    | inr (h, x) => if x == (enum_val z).1 then X h (enum_val z).2 (enum_val y).2 else 0
    end.

Lemma sum_transfer (A B : finType) (g : A + H * B -> 'cV[F]_d) (X : H -> 'M[F]_d) x0 b :
  \sum_(y < #|[finType of (A + H * B) * 'I_d]|) g (enum_val y).1 (enum_val y).2 0 *
    (match (enum_val y).1 with
     | inl _ => 0 | inr (h, x) => if x == x0 then X h b (enum_val y).2 else 0 end) =
  \sum_h (X h *m g (inr (h, x0))) b 0.
Proof.
pose term y a : F := g y a 0 * match y with inl _ => 0 | inr (h, x) => if x == x0 then X h b a else 0 end.
rewrite (sum_slots term) big1 ?add0r => [|x _]; last by rewrite big1 // => a _; rewrite /term mulr0.
apply: eq_bigr => h _; rewrite (bigD1 x0) //= [X in _ + X]big1 ?addr0 => [|x /negbTE xx0]; last first.
  by rewrite big1 // => a _; rewrite /term xx0 mulr0.
by rewrite mxE; apply: eq_bigr => a _; rewrite /term eqxx mulrC.
Qed.

Lemma mul_enum (I J : finType) (u : I -> F) (T : I -> J -> F) :
  (\row_(y < #|I|) u (enum_val y)) *m (\matrix_(y < #|I|, z < #|J|) T (enum_val y) (enum_val z)) =
  \row_z \sum_(y < #|I|) u (enum_val y) * T (enum_val y) (enum_val z).
Proof. by apply/rowP => z; rewrite !mxE; apply: eq_bigr => y _; rewrite !mxE. Qed.

Lemma mul_transfer (A B : finType) (g : A + H * B -> 'cV[F]_d) (X : H -> 'M[F]_d) :
  (\row_(y < #|[finType of (A + H * B) * 'I_d]|) g (enum_val y).1 (enum_val y).2 0) *m
  (\matrix_(y < #|[finType of (A + H * B) * 'I_d]|, z < #|[finType of B * 'I_d]|) match (enum_val y).1 with
    | inl _ => 0
    | inr (h, x) => if x == (enum_val z).1 then X h (enum_val z).2 (enum_val y).2 else 0
    end) = \row_z (\sum_h X h *m g (inr (h, (enum_val z).1))) (enum_val z).2 0.
Proof.
apply: etrans (mul_enum (fun s => g s.1 s.2 0) (fun s z => match s.1 with
  | inl _ => 0 | inr (h, x) => if x == z.1 then X h z.2 s.2 else 0 end)) _.
apply: eq_mx => _ z; exact (etrans (sum_transfer g X (enum_val z).1 (enum_val z).2) (esym (summxE _ _ _ _ _))).
Qed.

Lemma pack_transfer j (f : slots_left j.+1 -> 'cV[F]_d) X :
  pack f *m transfer j X = pack (fun x => \sum_h X h *m f (inr (h, x))).
Proof. exact (mul_transfer f X). Qed.

(* All packed states E *m g lie in a space of dimension d * m. *)
Definition program_space m j (g : slots_left j -> 'cV[F]_m) : 'M[F]_(#|[finType of 'I_d * 'I_m]|, dim j) :=
  \matrix_y pack (fun x => delta_mx (enum_val y).1 (enum_val y).2 *m g x).

Lemma rank_program_space m j (g : slots_left j -> 'cV[F]_m) : (\rank (program_space g) <= d * m)%N.
Proof. by apply: leq_trans (rank_leq_row _) _; rewrite card_prod !card_ord. Qed.

Lemma pack_program m j (g : slots_left j -> 'cV[F]_m) (E : 'M[F]_(d, m)) :
  (pack (fun x => E *m g x) <= program_space g)%MS.
Proof.
have -> : pack (fun x => E *m g x) =
    \sum_(y : [finType of 'I_d * 'I_m]) E y.1 y.2 *: pack (fun x => delta_mx y.1 y.2 *m g x).
  rewrite -pack_sum; apply: eq_pack => x.
  rewrite [in LHS](matrix_sum_delta E) pair_bigA /= mulmx_suml.
  by apply: eq_bigr => y _; rewrite scalemxAl.
apply: summx_sub => y _; apply: scalemx_sub.
rewrite -[y]enum_rankK; set y' := enum_rank y.
by rewrite -[pack _](rowK (fun y => pack (fun x => delta_mx (enum_val y).1 (enum_val y).2 *m g x))) row_sub.
Qed.

Section Reading.
Variables (h0 : H) (V : nat -> H -> 'M[F]_d).

(* From the slots of a network with invertible first heads one reads off the factors C and O. *)
Lemma read_factor j i l h r (v : 'rV[F]_d) (z : 'I_w) : (forall l, (i <= l < i + j)%N -> V l h0 \in unitmx) ->
  (i <= l < i + j)%N -> exists f : 'cV[F]_(dim j), forall C O,
  pack (slot_column V C O i : slots_left j -> _) *m f = v *m col z (C l h r).
Proof.
elim: j i => [|j IH] i uV.
  by rewrite addn0 => /andP[il /(leq_ltn_trans il)]; rewrite ltnn.
case/andP; rewrite leq_eqVlt => /predU1P[<- _ | il lj].
  exists (\sum_a v 0 a *: delta_mx (enum_rank (inl (h, r, z) : slots_left j.+1, a)) 0) => C O.
  rewrite mulmx_sumr; apply/matrixP => x y; rewrite !ord1 summxE mxE; apply: eq_bigr => a _.
  by rewrite -scalemxAr pack_delta !mxE eqxx mulr1n.
have [||f fE] := IH i.+1; [|by rewrite il addSn -addnS|].
  by move=> a /andP[ia aj]; apply: uV; rewrite addnS -addSn aj ltnW.
exists (transfer j (fun g => (g == h0)%:R *: invmx (V i h0)) *m f) => C O.
rewrite mulmxA pack_transfer -(fE C O); congr (_ *m _); apply: eq_pack => x.
rewrite (bigD1 h0) //= eqxx scale1r mulKmx; last by rewrite uV // leqnn addnS ltnS leq_addr.
by rewrite big1 ?addr0 // => g /negbTE ->; rewrite scale0r mul0mx.
Qed.

Lemma read_output j i : (forall l, (i <= l < i + j)%N -> V l h0 \in unitmx) ->
  exists f : 'M[F]_(dim j, dim 0), forall C O,
  pack (slot_column V C O i : slots_left j -> _) *m f = pack (fun z : slots_left 0 => col z O).
Proof.
elim: j i => [|j IH] i uV; first by exists 1%:M => C O; rewrite mulmx1.
have [|f fE] := IH i.+1; first by move=> a /andP[ia aj]; apply: uV; rewrite addnS -addSn aj ltnW.
exists (transfer j (fun g => (g == h0)%:R *: invmx (V i h0)) *m f) => C O.
rewrite mulmxA pack_transfer -(fE C O); congr (_ *m _); apply: eq_pack => x.
rewrite (bigD1 h0) //= eqxx scale1r mulKmx; last by rewrite uV // leqnn addnS ltnS leq_addr.
by rewrite big1 ?addr0 // => g /negbTE ->; rewrite scale0r mul0mx.
Qed.
End Reading.
End States.

(* Invertible matrices that span all matrices.

   Claim.  The d^2 matrices gamma (a, b) = I + E_ab are invertible (in
   characteristic 0), and if C has independent columns the products gamma g C
   span all d x c matrices.

   Main definitions
     gamma g         the matrices
     pack_output O   the columns of O, packed as the state with no layer left
   Main results
     gamma_unit, gamma_span   the two claims

   Reference: linear algebra; used in FamilyRank.v to count the outputs. *)

Section Gamma.
Variables (F : numFieldType) (d c : nat) (C : 'M[F]_(d, c)).

Definition gamma (g : 'I_d * 'I_d) : 'M[F]_d := 1%:M + delta_mx g.1 g.2.

Lemma gamma_unit g : gamma g \in unitmx.
Proof.
case: g => a b; pose D : 'M[F]_d := delta_mx a b; pose r : F := 1 + (a == b)%:R.
have DD : D *m D = (a == b)%:R *: D by rewrite mul_delta_mx_cond eq_sym scaler_nat.
have r0 : r != 0 by rewrite /r -[1]/(1%:R) -natrD pnatr_eq0.
suff /mulmx1_unit[] : gamma (a, b) *m (1%:M - r^-1 *: D) = 1%:M by [].
rewrite mulmxDl mul1mx mulmxBr mulmx1 -scalemxAr DD scalerA -/D.
have -> : D - (r^-1 * (a == b)%:R) *: D = r^-1 *: D; last by rewrite subrK.
apply/eqP; rewrite -[X in X - _]scale1r -scalerBl -subr_eq0 -scalerBl.
by rewrite -addrA -opprD -{2}[r^-1]mulr1 -mulrDr [_ + 1]addrC mulVf // subrr scale0r.
Qed.

Definition pack_output H w (O : 'M[F]_(d, c)) := pack (fun z : slots_left H w c 0 => col z O).

(* The matrices gamma g span all matrices. *)
Lemma gamma_span H w q (A : 'M[F]_(q, dim H w c d 0)) : row_full C ->
  (forall g, (pack_output H w (gamma g *m C) <= A)%MS) -> row_full A.
Proof.
move=> C_full gA.
pose P X := pack_output H w (X *m C).
have PD X Y : P (X + Y) = P X + P Y by rewrite /P mulmxDl; apply/rowP => y; rewrite !mxE.
have PZ a X : P (a *: X) = a *: P X by rewrite /P -scalemxAl; apply/rowP => y; rewrite !mxE.
have Psum (I : finType) (f : I -> 'M_d) : P (\sum_i f i) = \sum_i P (f i).
  by apply: (big_morph P PD); rewrite -[0](scale0r (0 : 'M_d)) PZ scale0r.
have P1 : (P 1%:M <= A)%MS.
  have d1 : (d.+1)%:R != 0 :> F by rewrite pnatr_eq0.
  rewrite -[P _](scalerK d1) scalemx_sub // scaler_nat mulrS.
  have -> : P 1%:M + P 1%:M *+ d = \sum_a P (gamma (a, a)).
    rewrite (eq_bigr (fun a => P 1%:M + P (delta_mx a a))) => [|a _]; last by rewrite -PD.
    by rewrite big_split /= sumr_const card_ord -Psum -mx1_sum_delta addrC.
  by apply: summx_sub => a _; apply: gA.
have PX X : (P X <= A)%MS.
  rewrite [X]matrix_sum_delta Psum; apply: summx_sub => a _; rewrite Psum; apply: summx_sub => b _.
  rewrite PZ scalemx_sub // -[delta_mx _ _](addKr 1%:M) PD addmx_sub //; last exact: gA (a, b).
  by rewrite -scaleN1r PZ scalemx_sub.
rewrite -sub1mx; apply/row_subP => y.
have := PX (delta_mx (enum_val y).2 (enum_val y).1 *m pinvmx C).
rewrite /P -mulmxA mulVpmx // mulmx1; congr (_ <= _)%MS.
apply/rowP => y'; rewrite !mxE andbC; congr (_%:R).
by rewrite -xpair_eqE -!surjective_pairing (inj_eq enum_val_inj) eq_sym.
Qed.
End Gamma.

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
                     FamilyRank.v span all matrices
     closed_form     what the recursion of Dimension.v adds up to
     family_bound    the claim

   Reference: Fixed Universal Transformers (arXiv:2605.31423), Theorem 4.1; the bound is new. *)

Lemma powersS H L : powers H L.+1 = (H + H * powers H L)%N.
Proof.
elim: L => [|L IH]; first by rewrite /= expn1 muln0 addn0.
by rewrite -[powers H L.+2]/(powers H L.+1 + H ^ L.+2)%N {1}IH -addnA [(H ^ L.+2)%N]expnS -mulnDr.
Qed.

Lemma mulmx_col (R : ringType) n w (v : 'rV[R]_n) (C : 'M[R]_(n, w)) b : (v *m col b C) 0 0 = (v *m C) 0 b.
Proof. by rewrite colE mulmxA -colE mxE. Qed.

(* Differences of rows: affine forms on them, and what a map that kills them adds to the rank. *)
Section Differences.
Variables (F : fieldType) (m n p : nat) (E : 'M[F]_(m, n)) (y : 'I_p -> 'I_m) (x0 : 'I_p).
Notation D0 := (\matrix_x (row (y x) E - row (y x0) E)).

Lemma affine_difference f x :
  affine_form (col_base D0) (row_base D0 *m f) ((row (y x0) E *m f) 0 0) 0 x = (row (y x) E *m f) 0 0.
Proof.
rewrite mxE mulmxA mulmx_base -[row (y x) E](subrK (row (y x0) E)) mulmxDl [RHS]mxE; congr (_ + _).
by rewrite -[in RHS](rowK (fun x => row (y x) E - row (y x0) E)) -row_mul [RHS]mxE.
Qed.

Lemma rank_difference q (A : 'M[F]_(n, q)) : row_full (E *m A) ->
  (forall x, row (y x) (E *m A) = row (y x0) (E *m A)) -> (q + \rank D0 <= \rank E)%N.
Proof.
move=> /eqP full same; rewrite -(mxrank_mul_ker E A) full leq_add2l mxrankS // sub_capmx; apply/andP; split.
  by apply/row_subP => x; rewrite rowK addmx_sub ?row_sub // eqmx_opp row_sub.
by apply/sub_kermxP/row_matrixP => x; rewrite row0 row_mul rowK mulmxBl -!row_mul same subrr.
Qed.
End Differences.

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
move=> jL; elim=> D; elim=> SD rowE; exists D; split=> // y.
by rewrite row_mul rowE peel_row // eqxx scale1r.
Qed.

Lemma good_other j a b s (E : 'M_(M, dim H w c d j.+1)) : (j < L)%N -> good (a :: s) E -> b != a ->
  E *m transfer w c j (delta (L - j.+1)%N b) = 0.
Proof.
move=> jL; elim=> D; elim=> SD rowE ba; apply/row_matrixP => y.
by rewrite row_mul rowE peel_row // eq_sym (negbTE ba) scale0r row0.
Qed.

Definition rank_bound j := (d * c + j * #|HZ|)%N.

Hypothesis d0 : (0 < d)%N.
Let Mt0 : (0 < Mt)%N.
Proof. by apply: leq_trans Mt_large; rewrite expn_gt0 (leq_trans _ N_large) // expn_gt0. Qed.
Let x0 : 'I_Mt := Ordinal Mt0.
Let g0 : 'I_d * 'I_d := (Ordinal d0, Ordinal d0).

Let first x : 'I_M := enum_rank (x, g0).

Let layer_of j (o : 'I_j) : (j <= L)%N -> [/\ (L - o.+1 < L)%N, (L - (L - o.+1).+1 = o)%N &
  (L - j <= L - o.+1 < (L - j) + j)%N].
Proof.
move=> jL; have oL := leq_trans (ltn_ord o) jL.
have lL : (L - o.+1 < L)%N by rewrite ltn_subrL (leq_ltn_trans (leq0n o) oL).
by split=> //; [rewrite subnSK // subKn // ltnW | rewrite subnK // leq_sub2l].
Qed.

Lemma score_rank j s (E : 'M_(M, dim H w c d j)) D (jL : (j <= L)%N) :
  (forall l, (L - j <= l < (L - j) + j)%N -> word_values (L - j) s l h0 \in unitmx) ->
  (forall y l h, (l < L)%N -> D y l h true *m (D y l h false)^T = S (enum_val y).1 l h) ->
  (forall y, row y E = pack (slot_column (word_values (L - j) s) (D y) (gamma F (enum_val y).2 *m C) (L - j))) ->
  (j * #|HZ| <= \rank (\matrix_x (row (first x) E - row (first x0) E)%R))%N.
Proof.
move=> uW SD rowE; set D0 := \matrix_x _; set i := (L - j)%N.
pose v' l h z (r : bool) : 'rV_d := if r then v l h z else (u l h z)^T.
pose lay (o : 'I_j) := (L - o.+1)%N.
have ex (a : 'I_j * HZ * bool * 'I_w) : exists f : 'cV_(dim H w c d j), forall C O,
    pack (slot_column (word_values i s) C O i : slots_left H w c j -> _) *m f =
    v' (lay a.1.1.1) a.1.1.2.1 a.1.1.2.2 a.1.2 *m col a.2 (C (lay a.1.1.1) a.1.1.2.1 a.1.2).
  by have [_ _ layL] := layer_of a.1.1.1 jL; exact: (read_factor _ _ _ _ _ uW layL).
have [f fE] := fin_all_exists ex.
pose form r o (hz : HZ) b := row_base D0 *m f (o, hz, r, b).
pose form0 r o (hz : HZ) b := (row (first x0) E *m f (o, hz, r, b)) 0 0.
have formE r o hz b x : affine_form (col_base D0) (form r o hz b) (form0 r o hz b) 0 x =
    (v' (lay o) hz.1 hz.2 r *m D (first x) (lay o) hz.1 r) 0 b.
  by apply: etrans (affine_difference _ _ _ _ _) _; rewrite rowE fE mulmx_col.
apply: (@dimension_lemma_by_layers F Mt _ w j n N HZ t (col_base D0) (form true) (form false)
   (form0 true) (form0 false) (fun o hz => cst (lay o) hz.1 hz.2)) => //; last by rewrite leq_mul2r jL orbT.
move=> o [h z] x; have [lL layE _] := layer_of o jL.
have := scoresE x h z lL; rewrite layE /= => <-.
rewrite (eq_bigr (fun b => (v (lay o) h z *m D (first x) (lay o) h true) 0 b *
                        ((u (lay o) h z)^T *m D (first x) (lay o) h false) 0 b)) => [|b _]; last by rewrite !formE.
have := SD (first x) _ h lL; rewrite enum_rankK /= => <-.
have -> : v (lay o) h z *m (D (first x) (lay o) h true *m (D (first x) (lay o) h false)^T) *m u (lay o) h z =
    (v (lay o) h z *m D (first x) (lay o) h true) *m ((u (lay o) h z)^T *m D (first x) (lay o) h false)^T.
  by rewrite trmx_mul trmxK !mulmxA.
by rewrite mxE; apply: eq_bigr => b _; rewrite [X in _ = _ * X]mxE.
Qed.

Lemma good_rank j s (E : 'M_(M, dim H w c d j)) : (j <= L)%N -> good s E -> (rank_bound j <= \rank E)%N.
Proof.
move=> jL; elim=> D; elim=> SD rowE.
have uW l : (L - j <= l < (L - j) + j)%N -> word_values (L - j) s l h0 \in unitmx.
  by rewrite subnK // => /andP[_ lL]; apply: beta_unit.
have [fo foE] := @read_output F H w c d h0 (word_values (L - j) s) j (L - j) uW.
have outE x g : row (enum_rank (x, g)) (E *m fo) = pack_output H w (gamma F g *m C).
  by rewrite row_mul rowE foE enum_rankK.
have full : row_full (E *m fo) by apply: (gamma_span C_full) => g; rewrite -(outE x0) row_sub.
have same x : row (first x) (E *m fo) = row (first x0) (E *m fo) by rewrite !outE.
apply: leq_trans (rank_difference full same); apply: leq_add (score_rank jL uW SD rowE).
by rewrite /dim card_prod !card_ord mulnC.
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

Let column := slot_column VP QP UP 0 : slots_left H w c L -> _.

Lemma good_program s : size s = L -> exists E : 'M_(M, dim H w c d L), good s E /\ (E <= program_space d column)%MS.
Proof.
move=> sL; have ex (y : 'I_M) := programs (enum_val y).1 (enum_val y).2 sL.
elim: (fin_all_exists ex) => g exD; elim: (fin_all_exists exD) => D DP.
exists (\matrix_y pack (fun x => g y *m column x)); split.
  exists D; split=> y; case: (DP y) => DS DE; first exact: DS.
  by rewrite rowK subnn; apply: eq_pack.
by apply/row_subP => y; rewrite rowK pack_program.
Qed.

Theorem family_bound : (#|Z| * powers #|H| L + d * c * #|H| ^ L <= d * m)%N.
Proof.
pose a0 : L.-tuple H := [tuple of nseq L h0].
have [E' E'P] := fin_all_exists (fun a : L.-tuple H => good_program (size_tuple a)).
pose E s := E' (insubd a0 s).
have EP s : size s = L -> good s (E s) /\ (E s <= program_space d column)%MS.
  by move=> sL; have := E'P (insubd a0 s); rewrite val_insubd sL eqxx.
rewrite -closed_form addnC; apply: leq_trans (rank_program_space d column).
pose B j a := transfer w c j (delta (L - j.+1)%N a).
apply: (@peeling F H h0 L M (dim H w c d) B good rank_bound _ _ _ L E _ _ _ (leqnn L)).
- by move=> j a s A jL _; apply: good_peel.
- by move=> j a b s A jL _; apply: good_other.
- by move=> j s A jL _; apply: good_rank.
- by move=> s /EP[].
- by move=> s /EP[].
- by move=> s /EP[gE _]; apply: good_rank gE.
Qed.
End Family.
