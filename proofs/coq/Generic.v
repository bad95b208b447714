(* Almost every backbone.

   Parts
     On a line through a universal backbone, almost all backbones are universal.
     A backbone as the vector of its entries, with or without shared layers.
     Almost every backbone of width m >= N is universal: the algebraic form.   *)

From mathcomp Require Import all_ssreflect ssralg zmodp matrix mxalgebra poly.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Sparse Degree.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* On a line through a universal backbone, almost all backbones are universal.

   Claim.  Let S be a backbone of any width whose block matrix has rank N, for
   example the widened sparse one, and P any other.  At most D(H, L, d, k)
   points t of the line (1-t) S + t P are not universal, since on this line a
   nonzero polynomial of degree at most D in t decides.

   Main definitions
     at_mx t A B, line t S P   the point t of the line through A, B (S, P)
     lin_mx A B, pline S P     the line with t an indeterminate
   Main results
     line_universality         the bound D through a backbone of full rank
     sparse_line_universality  the line through the sparse backbone at m >= N

   Reference: Fixed Universal Transformers (arXiv:2605.31423), random
   universal transformers; the degree bound is an extension.                    *)

Section Line.
Variables (F : fieldType) (H : finType) (k L d : nat).

Definition at_mx m n (t : F) (A B : 'M[F]_(m, n)) : 'M[F]_(m, n) := (1 - t) *: A + t *: B.
Definition line w (t : F) (P Q : weights F H k w) : weights F H k w :=
  Weights (fun l h => at_mx t (WQ P l h) (WQ Q l h)) (fun l h => at_mx t (WK P l h) (WK Q l h))
          (fun l h => at_mx t (WV P l h) (WV Q l h)).

Definition lin_mx m n (A B : 'M[F]_(m, n)) : 'M[{poly F}]_(m, n) :=
  map_mx polyC A + 'X *: map_mx polyC (B - A).
Definition pline w (P Q : weights F H k w) : weights [ringType of {poly F}] H k w :=
  Weights (fun l h => lin_mx (WQ P l h) (WQ Q l h)) (fun l h => lin_mx (WK P l h) (WK Q l h))
          (fun l h => lin_mx (WV P l h) (WV Q l h)).

Lemma lin_mxE m n (A B : 'M[F]_(m, n)) t : map_mx (horner_eval t) (lin_mx A B) = at_mx t A B.
Proof.
apply/matrixP=> i j; rewrite !mxE /horner_eval !hornerE.
by rewrite mulrBr mulrBl mul1r addrA addrAC.
Qed.

Lemma degree_lin_mx m n (A B : 'M[F]_(m, n)) : dgmx (fun e (p : {poly F}) => (size p <= e.+1)%N) 1 (lin_mx A B).
Proof.
move=> i j; rewrite !mxE; apply: leq_trans (size_add _ _) _.
rewrite geq_max (leq_trans (size_polyC_leq1 _)) //=.
by apply: leq_trans (size_mul_leq _ _) _; rewrite size_polyX /= ltnS size_polyC_leq1.
Qed.

Theorem line_universality m (S P : weights F H k m) (SU U : 'M[F]_(m, d)) (ts : seq F) :
  \rank (blockmx L S SU) = N #|H| k L d -> uniq ts ->
  (forall t, t \in ts -> ~ universal L (line t S P) (at_mx t SU U)) ->
  (size ts <= D #|H| k L d)%N.
Proof.
rewrite -card_slot => rkM uts bad; have /row_fullP[J JM] : row_full (blockmx L S SU) by apply/eqP.
pose p := \det (map_mx polyC J *m blockmx L (pline S P) (lin_mx SU U)).
have pE t : p.[t] = \det (J *m blockmx L (line t S P) (at_mx t SU U)).
  rewrite -[p.[t]]/(horner_eval t p) -det_map_mx map_mxM -map_blockmx lin_mxE; congr (\det (_ *m _)).
    by apply/matrixP=> i j; rewrite !mxE; apply: hornerC.
  by apply: eq_blockmx => l h _; split; apply: lin_mxE.
have at0 i j (A B : 'M[F]_(i, j)) : at_mx 0 A B = A.
  by rewrite /at_mx subr0 scale1r scale0r addr0.
have p0 : p != 0.
  apply/eqP => p0; have := pE 0; rewrite p0 horner0 at0 (@eq_blockmx _ _ _ _ _ _ _ S) => [|l h _].
    by rewrite JM det1 => /eqP; rewrite eq_sym oner_eq0.
  by split; apply: at0.
have sp : (size p <= (D #|H| k L d).+1)%N.
  apply: (degree_minor (poly_degree F)) => [l h||i j]; do ?split; do ?exact: degree_lin_mx.
  by rewrite mxE size_polyC_leq1.
rewrite -ltnS; apply: leq_trans sp; apply: max_poly_roots => //.
apply/allP => t tts; have [// | Nroot] := boolP (root p t).
by case: (bad t tts); apply: (@minor_universal _ _ _ _ _ _ _ _ J); rewrite unitfE -pE.
Qed.

Lemma rank_wide_sparse m : (N #|H| k L d <= m)%N ->
  \rank (blockmx L (widen m (sparse H k L d F)) (widenU m (sparseU H k L d F))) = N #|H| k L d.
Proof.
rewrite -card_slot => Nm; apply/eqP; rewrite -/(row_full _); apply/row_fullP.
by exists (pid_mx #|slot H k L d|); rewrite blockmx_widen ?blockmx_sparse.
Qed.

Corollary sparse_line_universality m (P : weights F H k m) (U : 'M[F]_(m, d)) (ts : seq F) :
  (N #|H| k L d <= m)%N -> uniq ts ->
  (forall t, t \in ts -> ~ universal L (line t (widen m (sparse H k L d F)) P)
                                       (at_mx t (widenU m (sparseU H k L d F)) U)) ->
  (size ts <= D #|H| k L d)%N.
Proof. by move=> Nm; apply: line_universality; apply: rank_wide_sparse. Qed.
End Line.

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

Section Morphism.
Variables (R S : ringType) (f : {rmorphism R -> S}) (v : 'I_nparams -> R) (u : 'I_nparams -> S).
Hypothesis fv : forall i, f (v i) = u i.

Lemma map_readout_of : map_mx f (readout_of v) = readout_of u.
Proof. by apply/matrixP => i j; rewrite !mxE fv. Qed.

Lemma map_weights_of L : eq_below L (map_weights f (weights_of v)) (weights_of u).
Proof.
move=> l h _; have fs s : f (scalar_of v l h s) = scalar_of u l h s.
  by rewrite /scalar_of; case: (tie l) => [t|]; rewrite ?fv ?rmorph0.
by split; apply/matrixP => i j; rewrite !mxE fs.
Qed.
End Morphism.

Lemma degree_weights_of (R : comRingType) dg (v : 'I_nparams -> R) : degree_bound dg -> (forall x, dg 1%N (v x)) ->
  (forall l h, [/\ dgmx dg 1 (WQ (weights_of v) l h), dgmx dg 1 (WK (weights_of v) l h) &
                   dgmx dg 1 (WV (weights_of v) l h)]) /\ dgmx dg 1 (readout_of v).
Proof.
move=> dgP v1; split=> [l h|i j]; last by rewrite mxE; apply: v1.
have s1 s : dg 1%N (scalar_of v l h s) by rewrite /scalar_of; case: (tie l) => [t|]; [exact: v1 | exact: (deg0 dgP)].
by split=> i j; rewrite mxE; apply: s1.
Qed.

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

Section Minor.
Variables (H : finType) (k L d T m : nat) (tie : sharing T).
Notation n := (nparams H k d T m).
Notation J := (pid_mx #|slot H k L d| : 'M_(#|slot H k L d|, m)).

Definition minor_det (R : comRingType) (v : 'I_n -> R) : R :=
  \det (J *m blockmx L (weights_of tie v) (readout_of v)).

Lemma minor_det_morph (R S : comRingType) (f : {rmorphism R -> S}) (v : 'I_n -> R) (u : 'I_n -> S) :
  (forall i, f (v i) = u i) -> f (minor_det v) = minor_det u.
Proof.
move=> fv; rewrite /minor_det -det_map_mx map_mxM map_pid_mx -map_blockmx (map_readout_of fv).
by rewrite (eq_blockmx _ (map_weights_of tie fv (L := L))).
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
pose dg e (p : {mpoly R[n]}) := is_true (msize p <= e.+1)%N; have dgP : degree_bound dg := mpoly_degree R n.
have X1 i : dg 1%N 'X_i by rewrite /dg msizeX mdeg1.
have [W1 U1] := degree_weights_of tie dgP X1; apply: (degree_minor dgP W1 U1) => i j.
by rewrite mxE; case: (_ && _); [exact: (deg1 dgP) | exact: (deg0 dgP)].
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
