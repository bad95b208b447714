(* Almost every backbone of width m >= N is universal: the algebraic form.

   Claim.  For every width m >= N there is a nonzero polynomial of degree at
   most D(H, L, d, k) in the entries of a backbone, such that each backbone at
   which it does not vanish is universal.  The polynomial is the determinant of
   the first N rows of the block matrix; at the widened sparse backbone its
   value is 1.  The same holds for backbones with shared layers, as soon as one
   good vector is known.  Over the reals the zero set has measure zero: see
   measure/SharpThreshold.v.

   Main definitions
     minor_det tie v     the determinant of the first N rows of M
     minor_poly tie      the same as a polynomial in the entries
     sparse_vector       the vector of the sparse backbone, widened to width m
   Main results
     minor_det_universal     minor_det v != 0 -> universal
     tied_universality       the polynomial, for any sharing with a good vector
     generic_universality    the polynomial at every m >= N, layers unshared
     uniform_universality    independent uniform entries from s values: at most a
                             fraction D/s of the backbones is not universal

   Reference: Fixed Universal Transformers (arXiv:2605.31423), random
   universal transformers; every width m >= N and the degree are extensions.    *)

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Slots BlockMatrix Sparse FullRank Widen Degree Entries SchwartzZippel.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Minor.
Variables (H : finType) (k L d T m : nat) (tie : sharing T).
Notation n := (nparams H k d T m).
Notation J := (pid_mx #|slot H k L d| : 'M_(#|slot H k L d|, m)).

Definition minor_det (R : comRingType) (v : 'I_n -> R) : R :=
  \det (J *m blockmx L (weights_of tie v) (readout_of v)).

Lemma minor_det_morph (R S : comRingType) (f : {rmorphism R -> S}) (v : 'I_n -> R) (u : 'I_n -> S) :
  (forall i, f (v i) = u i) -> f (minor_det v) = minor_det u.
Proof.
move=> fv; rewrite /minor_det -det_map_mx map_mxM map_pid_mx -map_blockmx.
have -> : map_mx f (readout_of v) = readout_of u by apply/matrixP=> i j; rewrite !mxE.
congr (\det (_ *m _)); apply: eq_blockmx => l h _.
by split; apply/matrixP=> i j; rewrite !mxE /scalar_of; case: (tie l) => [t|]; rewrite ?rmorph0 ?fv.
Qed.

Lemma eq_minor_det (R : comRingType) (v u : 'I_n -> R) : v =1 u -> minor_det v = minor_det u.
Proof. exact: (@minor_det_morph _ _ [rmorphism of idfun]). Qed.

Lemma minor_det_universal (F : fieldType) (v : 'I_n -> F) :
  minor_det v != 0 -> universal L (weights_of tie v) (readout_of v).
Proof. by rewrite -unitfE; apply: minor_universal. Qed.

Definition minor_poly (R : comRingType) : {mpoly R[n]} := minor_det (fun i => 'X_i).

Lemma meval_minor_poly (R : comRingType) (v : 'I_n -> R) : (minor_poly R).@[v] = minor_det v.
Proof.
by apply: (@minor_det_morph _ _ [rmorphism of meval v]) => i; apply: mevalXU.
Qed.

Lemma msize_minor_poly (R : comRingType) : (msize (minor_poly R) <= (D #|H| k L d).+1)%N.
Proof.
have X1 i : (msize ('X_i : {mpoly R[n]}) <= 2)%N by rewrite msizeX mdeg1.
apply: (degree_minor (mpoly_degree R n)) => [l h||i j].
- by split=> i j; rewrite mxE /scalar_of; case: (tie l) => [t|]; rewrite ?msize0.
- by move=> i j; rewrite mxE.
by rewrite mxE; case: (_ && _); rewrite ?msize0 ?msize1.
Qed.

Theorem tied_universality (F : fieldType) :
  (exists v : 'I_n -> F, minor_det v != 0) ->
  exists p : {mpoly F[n]}, [/\ p != 0, (msize p <= (D #|H| k L d).+1)%N &
    forall v : 'I_n -> F, p.@[v] != 0 -> universal L (weights_of tie v) (readout_of v)].
Proof.
case=> v0 v00; exists (minor_poly F); split; first 1 last.
- exact: msize_minor_poly.
- by move=> v; rewrite meval_minor_poly; apply: minor_det_universal.
by apply: contraNneq v00 => p0; rewrite -meval_minor_poly p0 meval0.
Qed.
End Minor.

Section Unshared.
Variables (H : finType) (k L d m : nat).
Hypothesis Nm : (N #|H| k L d <= m)%N.

Definition sparse_vector (R : comRingType) : 'I_(nparams H k d L m) -> R :=
  params_of (@nat_of_ord L) (widen m (sparse H k L d R)) (widenU m (sparseU H k L d R)).

Lemma minor_det_sparse (R : comRingType) : minor_det L (unshared L) (sparse_vector R) = 1.
Proof.
by rewrite /minor_det blockmx_params ?blockmx_widen ?card_slot ?blockmx_sparse ?det1 //; apply: unshared_ties.
Qed.

Theorem generic_universality (F : fieldType) :
  exists p : {mpoly F[nparams H k d L m]}, [/\ p != 0, (msize p <= (D #|H| k L d).+1)%N &
    forall v, p.@[v] != 0 -> universal L (weights_of (unshared L) v) (readout_of v)].
Proof.
by apply: tied_universality; exists (sparse_vector F); rewrite minor_det_sparse oner_neq0.
Qed.

Theorem uniform_universality (F : fieldType) (T : finType) (sample : T -> F) : injective sample ->
  exists bad : {set {ffun 'I_(nparams H k d L m) -> T}},
    (#|bad| * #|T| <= D #|H| k L d * #|T| ^ nparams H k d L m)%N /\
    forall t, t \notin bad -> let v i := sample (t i) in universal L (weights_of (unshared L) v) (readout_of v).
Proof.
move=> inj; have [p [p0 pD univ]] := generic_universality F.
exists (zeros sample p); split; first exact: schwartz_zippel.
by move=> t; rewrite inE; apply: univ.
Qed.
End Unshared.
