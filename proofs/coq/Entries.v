(* A backbone as the vector of its entries, with or without shared layers.

   Claim.  A backbone of width m is a vector of its scalar entries.  A sharing
   says which of T weight sets each layer uses; all layers differ (unshared) or
   are the same (shared).  Everything about random backbones is proved for any
   sharing for which one good vector exists.

   Main definitions
     unshared L, shared    the two sharings
     nparams H k d T m     the number of scalar entries (H is the set of heads)
     weights_of tie v      the backbone with the parameter vector v
     readout_of v          its read-out
     params_of rep P U     the parameter vector of the backbone P, U, where the
                           weight set t is that of layer rep t
     ties tie rep P L      layers below L with one weight set are equal in P
   Main results
     card_params           nparams = T H (2 m k + m^2) + m d
     every_backbone        every backbone has a vector, layers unshared
     every_shared_backbone the same for a backbone with one weight set
     blockmx_params        the block matrix of params_of P U is that of P, U    *)

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import Network Slots BlockMatrix.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Definition sharing (T : nat) := nat -> option 'I_T.
Definition unshared L : sharing L := insub.
Definition shared : sharing 1 := fun _ => Some ord0.

Section Entries.
Variables (H : finType) (k d T m : nat).

(* the place of a scalar in the three matrices of a head: query, key, value *)
Definition place : finType := [finType of 'I_m * 'I_k + 'I_m * 'I_k + 'I_m * 'I_m]%type.
Definition param : finType := [finType of 'I_T * H * place + 'I_m * 'I_d]%type.
Definition nparams : nat := #|param|.

Lemma card_params : nparams = (T * #|H| * (2 * (m * k) + m * m) + m * d)%N.
Proof. by rewrite /nparams !card_sum !card_prod !card_sum !card_prod !card_ord mul2n addnn. Qed.

Variable tie : sharing T.

Section Vector.
Variables (R : ringType) (v : 'I_nparams -> R).

Definition scalar_of (l : nat) (h : H) (s : place) : R :=
  if tie l is Some t then v (enum_rank (inl (t, h, s) : param)) else 0.
Definition weights_of : weights R H k m :=
  Weights (fun l h => \matrix_(i, j) scalar_of l h (inl (inl (i, j))))
          (fun l h => \matrix_(i, j) scalar_of l h (inl (inr (i, j))))
          (fun l h => \matrix_(i, j) scalar_of l h (inr (i, j))).
Definition readout_of : 'M[R]_(m, d) := \matrix_(i, j) v (enum_rank (inr (i, j) : param)).
End Vector.

Variables (R : ringType) (rep : 'I_T -> nat) (P : weights R H k m) (U : 'M[R]_(m, d)).

Definition params_of (x : 'I_nparams) : R :=
  match enum_val x : param with
  | inl (t, h, inl (inl (i, j))) => WQ P (rep t) h i j
  | inl (t, h, inl (inr (i, j))) => WK P (rep t) h i j
  | inl (t, h, inr (i, j)) => WV P (rep t) h i j
  | inr (i, j) => U i j
  end.

Lemma readout_params : readout_of params_of = U.
Proof. by apply/matrixP=> i j; rewrite mxE /params_of enum_rankK. Qed.

Definition ties L : Prop := forall l, (l < L)%N -> exists2 t, tie l = Some t &
  forall h, [/\ WQ P (rep t) h = WQ P l h, WK P (rep t) h = WK P l h & WV P (rep t) h = WV P l h].

Lemma weights_params L : ties L -> eq_below L (weights_of params_of) P.
Proof.
move=> tieP l h lL; have [t tl /(_ h)[<- <- <-]] := tieP l lL.
by split; apply/matrixP=> i j; rewrite mxE /scalar_of tl /params_of enum_rankK.
Qed.

Lemma blockmx_params L : ties L ->
  blockmx L (weights_of params_of) (readout_of params_of) = blockmx L P U.
Proof. by move=> tieP; rewrite readout_params; apply: eq_blockmx; apply: weights_params. Qed.
End Entries.

Lemma unshared_ties (R : ringType) (H : finType) (k m L : nat) (P : weights R H k m) :
  ties (unshared L) (@nat_of_ord L) P L.
Proof. by move=> l lL; exists (Ordinal lL); rewrite // /unshared insubT. Qed.

Theorem every_backbone (R : ringType) (H : finType) (k d L m : nat) (P : weights R H k m) (U : 'M[R]_(m, d)) :
  exists v : 'I_(nparams H k d L m) -> R,
    readout_of v = U /\ eq_below L (weights_of (unshared L) v) P.
Proof.
exists (params_of (@nat_of_ord L) P U); split; first exact: readout_params.
exact/weights_params/unshared_ties.
Qed.

Theorem every_shared_backbone (R : ringType) (H : finType) (k d m : nat) (Q K : H -> 'M[R]_(m, k))
    (V : H -> 'M[R]_m) (U : 'M[R]_(m, d)) :
  exists v : 'I_(nparams H k d 1 m) -> R, readout_of v = U /\ forall l h,
    [/\ WQ (weights_of shared v) l h = Q h, WK (weights_of shared v) l h = K h & WV (weights_of shared v) l h = V h].
Proof.
pose P := Weights (fun _ => Q) (fun _ => K) (fun _ => V).
exists (params_of (fun _ => 0%N) P U); split=> [|l h]; first exact: readout_params.
by apply: (@weights_params H k d 1 m shared R (fun _ => 0%N) P U l.+1 _ l h) => // i _; exists ord0.
Qed.
