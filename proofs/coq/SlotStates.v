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

   Reference: Fixed Universal Transformers (arXiv:2605.31423), Theorem 4.1; slots as in Slots.v. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import Network.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

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
Proof. by move=> fg; apply/rowP => y; rewrite !mxE fg. Qed.

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

Lemma pack_transfer j (f : slots_left j.+1 -> 'cV[F]_d) X :
  pack f *m transfer j X = pack (fun x => \sum_h X h *m f (inr (h, x))).
Proof.
apply/rowP => z; rewrite !mxE.
pose term (y : [finType of slots_left j.+1 * 'I_d]) : F := f y.1 y.2 0 * match y.1 : slots_left j.+1 with
    | inl _ => 0 | inr (h, x) => if x == (enum_val z).1 then X h (enum_val z).2 y.2 else 0 end.
transitivity (\sum_y term y).
  by rewrite [RHS](reindex _ (onW_bij _ (enum_val_bij _))); apply: eq_bigr => y _; rewrite !mxE.
rewrite -(pair_bigA _ (fun x a => term (x, a))) /= big_sumType /= big1 ?add0r => [|[[h r] b] _]; last first.
  by rewrite big1 // => a _; rewrite /term mulr0.
rewrite (eq_bigr (fun y : H * slots_left j => \sum_a term (inr (y.1, y.2), a))) => [|[]] //.
rewrite -(pair_bigA _ (fun h x => \sum_a term (inr (h, x), a))) /= summxE; apply: eq_bigr => h _.
rewrite (bigD1 (enum_val z).1) //= [X in _ + X]big1 ?addr0 => [|x xz]; last first.
  by rewrite big1 // => a _; rewrite /term /= (negbTE xz) mulr0.
by rewrite mxE; apply: eq_bigr => a _; rewrite /term /= eqxx mulrC.
Qed.

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
