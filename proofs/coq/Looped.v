(* Looped universality: one weight set, used in every layer.

   Claim.  A backbone of width N that uses the same 0/1 matrices in every layer
   simulates every target, looped or not; and so does almost every looped
   backbone of any width m >= N.

   Head h carries a slot whose path begins with h one place to the left.  A query
   or key slot loses its first letter, so the slot of the path p stands, after the
   layers of p, where the first layer's slots are read.  The path of an output slot
   is a shift register: its first letter moves to the end, and after L layers it is
   back in its place if and only if the heads have spelled it.

   Main definitions
     shift_step h c       where head h carries the coordinate of the word c
     shift, shift_out     the looped backbone of width N and its read-out
   Main results
     wordmx_shift         its block matrix is the identity
     looped_universality  the claim for 0/1 matrices
     looped_generic       a nonzero polynomial in the entries of one weight set, of
                          degree at most D, outside whose zero set the looped
                          backbone is universal
     looped_good_vector   the hypothesis of Generic.tied_universality
   The width N cannot be improved: see Threshold.universal_width.

   Reference: Fixed Universal Transformers (arXiv:2605.31423), extended to shared
   weights.                                                                     *)

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Slots BlockMatrix Sparse Widen Degree Entries Generic Words Readings.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Shift.
Variables (R : ringType) (H : finType) (k L d : nat).
Notation word := (seq H * (reading (qk H) k + 'I_d))%type.
Notation n := #|wslot H (reading (qk H) k) L d|.

Definition shift_step (h : H) (c : word) : option word :=
  match c with
  | (g :: p, inl t) => if g == h then Some (p, inl t) else None
  | (g :: p, inr i) => if g == h then Some (rcons p g, inr i) else None
  | ([::], _) => None
  end.

Definition shift_read (k : reading (qk H) k + 'I_d) (c : word) : bool :=
  if k is inl _ then c == ([::], k) else c.2 == k.

Definition shift_routing : words H (reading (qk H) k) d R n :=
  routing L R (fun _ => shift_step) (fun _ => shift_read).

Definition shift : weights R H k n :=
  Weights (fun _ h => readers shift_routing 0 (h, true)) (fun _ h => readers shift_routing 0 (h, false))
          (fun _ => letter shift_routing 0).
Definition shift_out : 'M[R]_(n, d) := outputs L shift_routing.

Lemma shift_step_valid h c c' : valid L c -> shift_step h c = Some c' -> valid L c'.
Proof.
case: c => [[|g p] [t|i]] //=; case: (g == h) => // vc [<-] //=; first exact: ltnW.
by rewrite /valid /= size_rcons.
Qed.

Lemma follow_score l p q t :
  follow (fun _ => shift_step) l p (q, inl t) = if prefix p q then Some (drop (size p) q, inl t) else None.
Proof.
elim: p q l => [|h p IHp] [|g q] l //=.
by rewrite eq_sym; case: (h == g) => //=; rewrite IHp.
Qed.

Lemma follow_output l p q i : (size p <= size q)%N ->
  follow (fun _ => shift_step) l p (q, inr i) = if prefix p q then Some (rot (size p) q, inr i) else None.
Proof.
elim: p q l => [|h p IHp] [|g q] l //=; first by rewrite rot0.
rewrite ltnS eq_sym => pq; case: (h == g) => //=.
rewrite IHp; last by rewrite size_rcons (leq_trans pq).
rewrite -rot1_cons -rotD ?addn1 ?ltnS // rot1_cons.
by rewrite !prefixE -cats1 takel_cat.
Qed.

Theorem wordmx_shift_routing : wordmx L shift_routing = 1%:M.
Proof.
apply: wordmx_routing => [_ h c c'|]; first exact: shift_step_valid.
move=> [q k'] p [t|i] vq vp; rewrite /valid /= in vp.
  case: k' vq => [t'|i'] vq; rewrite /valid /= in vq.
    rewrite follow_score; case: ifP => /= [/prefixP[s ->]|/negP np].
      rewrite drop_size_cat // !xpair_eqE -{2}[p]cats0 eqseq_cat //.
      by rewrite eqxx.
    by apply/esym/negP => /eqP[eq_qp _]; apply: np; rewrite eq_qp prefix_refl.
  rewrite follow_output ?(eqP vq) ?(ltnW vp) //; transitivity false; last by apply/esym/eqP => -[].
  by case: ifP => //= _; apply/eqP => -[].
case: k' vq => [t'|i'] vq; rewrite /valid /= in vq.
  rewrite follow_score; transitivity false; last by apply/esym/eqP => -[].
  by case: ifP => //= _; apply/eqP => -[].
rewrite follow_output ?(eqP vq) ?(eqP vp) // prefixE take_oversize ?(eqP vq) ?(eqP vp) //.
have [->|npq] := eqVneq q p; last by apply/esym/eqP => -[/eqP]; rewrite (negbTE npq).
by apply/eqP/eqP => /= [[->]|[->]].
Qed.

Lemma wordmx_shift : wordmx L (network_words shift shift_out) = 1%:M.
Proof.
rewrite -wordmx_shift_routing -[RHS]wordmx_readers; apply: eq_wordmx => // p [[[h q] i]|i] _ //=.
by case: q.
Qed.

Lemma zero_one_shift : (forall h, [/\ zero_one (WQ shift 0 h), zero_one (WK shift 0 h) & zero_one (WV shift 0 h)]) /\
  zero_one shift_out.
Proof.
have [ZV /zero_one_readers ZR] := routing01 L R (fun _ => shift_step) (fun _ => shift_read).
have [ZQ ZU] := ZR L; split=> // h; split; [exact: ZQ | exact: ZQ | exact: ZV].
Qed.
End Shift.

Theorem looped_universality (R : ringType) (H : finType) (k L d : nat) :
  exists (Q K : H -> 'M[R]_(N #|H| k L d, k)) (V : H -> 'M[R]_(N #|H| k L d)) (U : 'M[R]_(N #|H| k L d, d)),
  [/\ forall h, [/\ zero_one (Q h), zero_one (K h) & zero_one (V h)],
      zero_one U &
      universal L (Weights (fun _ => Q) (fun _ => K) (fun _ => V)) U].
Proof.
rewrite -card_network_slot; pose P := shift R H k L d.
exists (WQ P 0), (WK P 0), (WV P 0), (shift_out R H k L d).
have [ZW ZU] := zero_one_shift R H k L d; split=> //.
by apply: (@words_universal _ _ _ _ _ _ _ _ 1%:M); rewrite mul1mx; apply: wordmx_shift.
Qed.

Section Generic.
Variables (F : fieldType) (H : finType) (k L d m : nat).
Hypothesis Nm : (N #|H| k L d <= m)%N.

(* a looped backbone of width exactly N whose block matrix is invertible *)
Lemma looped_invertible : exists (Q K : H -> 'M[F]_(#|slot H k L d|, k)) (V : H -> 'M[F]_#|slot H k L d|) U,
  \det (blockmx L (Weights (fun _ => Q) (fun _ => K) (fun _ => V)) U) != 0.
Proof.
pose good w := exists (Q K : H -> 'M[F]_(w, k)) (V : H -> 'M[F]_w) U (B : 'M[F]_(#|slot H k L d|, w)),
  B *m blockmx L (Weights (fun _ => Q) (fun _ => K) (fun _ => V)) U = 1%:M.
have: good #|wslot H (reading (qk H) k) L d|.
  pose P := shift F H k L d; exists (WQ P 0), (WK P 0), (WV P 0), (shift_out F H k L d).
  by apply: (@blockmx_left_inverse _ _ _ _ _ _ _ _ 1%:M); rewrite mul1mx; apply: wordmx_shift.
rewrite card_network_slot -(card_slot H k L d) => -[Q [K [V [U [B /mulmx1_unit[_ uM]]]]]].
by exists Q, K, V, U; rewrite -unitfE -unitmxE.
Qed.

Lemma looped_good_vector : exists v : 'I_(nparams H k d 1 m) -> F, minor_det L shared v != 0.
Proof.
have [Q [K [V [U M0]]]] := looped_invertible; pose P := Weights (fun _ => Q) (fun _ => K) (fun _ => V).
exists (params_of (fun _ => 0%N) (widen m P) (widenU m U)).
by rewrite /minor_det blockmx_params ?blockmx_widen ?card_slot // => l _; exists ord0.
Qed.

Theorem looped_generic :
  exists p : {mpoly F[nparams H k d 1 m]}, [/\ p != 0, (msize p <= (D #|H| k L d).+1)%N &
    forall v, p.@[v] != 0 -> universal L (weights_of shared v) (readout_of v)].
Proof. exact/tied_universality/looped_good_vector. Qed.
End Generic.
