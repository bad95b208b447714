(* The sharp threshold: universal if and only if the block matrix has rank N.

   Claim.  Over a field with more than two elements and for d >= 1, a backbone
   of any width m is universal if and only if \rank M = N.  So no width below N
   is possible, and N is attained.  The same holds for universality with
   respect to any class of attention functions that contains the hard, causal
   ones, such as the row-stochastic ones.  Universality for a class without
   them (only softmax, say) may need less.

   Main definitions
     row_stochastic attn     rows are nonnegative with sum 1
   Main results
     universal_for_iff_full_rank   the equivalence for a class of attention
     universal_iff_full_rank       for all attention functions
     row_stochastic_iff_full_rank  for the row-stochastic attention functions
     optimal_width                 a universal backbone has m >= N
     universal_width               one exists if and only if m >= N

   Reference: Fixed Universal Transformers (arXiv:2605.31423) has the width N
   as an upper bound; the threshold is an extension.                            *)

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import Network Slots BlockMatrix Sparse FullRank Widen ScalarTargets Probes.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Span.
Variables (F : fieldType) (H : finType) (k L d m : nat).
Variables (P : weights F H k m) (U : 'M[F]_(m, d)).
Notation M := (blockmx L P U).

Definition scalar_target (c : nat -> H -> F) (Q K : nat -> H -> 'M[F]_(d, k)) : weights F H k d :=
  Weights Q K (fun l h => (c l h)%:M).
Notation target c Q K := (blockmx L (scalar_target c Q K) 1%:M).

Hypothesis more_than_two : exists2 a : F, a != 0 & a != 1.
Hypothesis correct : forall W : weights F H k d, exists E : 'M[F]_(d, m), forall g x,
  run (gated g) P L (x *m E) *m U = run (gated g) W L x.

Lemma two_nonzero (x : F) : exists u, (u != 0) && (u - x != 0).
Proof.
have [a a0 a1] := more_than_two; have [-> | x1] := eqVneq x 1; first by exists a; rewrite a0 subr_eq0.
by exists 1; rewrite oner_neq0 subr_eq0 eq_sym.
Qed.

(* A scalar of layer j is a difference of two nonzero ones; queries and keys
   of later layers are linear in the product and go with the first. *)
Lemma target_split c Q K j (u : H -> F) :
  let cut (B : nat -> H -> 'M[F]_(d, k)) l h := if (l <= j)%N then 0 else B l h in
  (j < L)%N -> target c Q K =
    target (set_layer c j u) Q K - target (set_layer c j (fun h => u h - c j h)) (cut Q) (cut K).
Proof.
move=> cut jL; apply/matrixP=> b s; rewrite !mxE.
have cE : cprod c 0 =1 cprod (set_layer c j (fun h => u h - (u h - c j h))) 0.
  move=> p; apply: eq_cprod => i h _; rewrite /set_layer; case: eqP => // ->.
  by rewrite opprB addrCA subrr addr0.
case: (enum_val s) => [[l [[[p h] r] i]] | [p i]] /=; rewrite !pathmx_scalar cE.
  rewrite /cut; case: leqP => lj.
    rewrite !cprod_set_layer_out ?size_tuple //.
    by case: r; rewrite !mul_scalar_mx !mxE mulr0 subr0.
  rewrite cprod_set_layerB ?size_tuple //.
  by case: r; rewrite !mul_scalar_mx !mxE mulrBl.
by rewrite cprod_set_layerB ?size_tuple // !mulmx1 !mxE -mulrnBl.
Qed.

Lemma target_sub j c Q K : (j <= L)%N -> (forall l h, (j <= l < L)%N -> c l h != 0) ->
  (target c Q K <= M)%MS.
Proof.
elim: j c Q K => [|j IHj] c Q K jL cn0.
  have [E EP] := correct (scalar_target c Q K); apply/submxP; exists E; apply/esym/blockmxP.
  apply: probed_matches EP _ => q x sq xn0.
  rewrite pathmx_scalar mul_mx_scalar scaler_eq0 negb_or xn0 andbT.
  by apply: cprod_neq0 => i h; rewrite add0n sq; apply: cn0.
have [u uP] := fin_all_exists (fun h => two_nonzero (c j h)).
have cn0' v : (forall h, v h != 0) -> forall l h, (j <= l < L)%N -> set_layer c j v l h != 0.
  move=> v0 l h /andP[jl lL]; rewrite /set_layer; case: (eqVneq l j) => [_|nlj]; first exact: v0.
  by rewrite cn0 // lL ltn_neqAle eq_sym nlj jl.
rewrite (target_split c Q K u jL).
apply: addmx_sub; last rewrite eqmx_opp; apply: IHj; rewrite ?(ltnW jL) //; apply: cn0' => h.
  by have /andP[] := uP h.
by have /andP[] := uP h.
Qed.

Lemma follow_row q Q K b (s : slot H k L d) :
  target (follow F q) Q K b (enum_rank s) =
   match s with
   | inl (existT l (p, h, r, i)) => (prefix p q)%:R * (if r then Q l h else K l h) b i
   | inr (p, i) => (prefix p q)%:R *+ (b == i)
   end.
Proof.
rewrite blockmxE; case: s => [[l [[[p h] r] i]] | [p i]] /=; rewrite pathmx_scalar cprod_follow.
  by case: r; rewrite mul_scalar_mx mxE.
by rewrite mulmx1 mxE.
Qed.

Lemma probed_full_rank : (0 < d)%N -> row_full M.
Proof.
move=> d_gt0; rewrite -sub1mx; apply/row_subP => s; rewrite row1.
have sub c Q K : (target c Q K <= M)%MS.
  by apply: (@target_sub L) => // l h /andP[Ll lL]; rewrite leqNgt lL in Ll.
rewrite -[s]enum_valK; case: (enum_val s) => [[l [[[q h] r] i]] | [q b]].
  pose b0 := Ordinal d_gt0.
  pose Q r' l' h' : 'M[F]_(d, k) := [&& r == r', l' == l :> nat & h' == h]%:R *: delta_mx b0 i.
  apply: submx_trans (sub (follow F q) (Q true) (Q false)).
  suff -> : delta_mx 0 (enum_rank (inl (Tagged (slotT H k L) (i := l) (q, h, r, i)) : slot H k L d)) =
    row b0 (target (follow F q) (Q true) (Q false)) by exact: row_sub.
  apply/rowP => s'; rewrite mxE eqxx [RHS]mxE -[s']enum_valK (inj_eq enum_rank_inj) follow_row.
  case: (enum_val s') => [[l' [[[p h'] r'] i']] | [p i']] /=; last first.
    case: (boolP (prefix p q)) => [/size_prefix|_]; last by rewrite mul0rn.
    by rewrite !size_tuple leqNgt ltn_ord.
  have -> : (if r' then Q true l' h' else Q false l' h') = Q r' l' h' by case: r'.
  rewrite !mxE eqxx /= -natrM -natrM !mulnb; congr (nat_of_bool _)%:R.
  rewrite -[LHS]/(Tagged (slotT H k L) (i := l') (p, h', r', i') == Tagged (slotT H k L) (i := l) (q, h, r, i)).
  have [el | nl] := altP (l' =P l :> nat); last first.
    by rewrite andbF andbF; apply/eqP => /(congr1 (fun u => val (tag u))) /= el; rewrite el eqxx in nl.
  move/val_inj: el => el; subst l'.
  by rewrite prefix_size ?size_tuple // eq_Tagged /= !xpair_eqE val_eqE [r == r']eq_sym -!andbA;
     case: (h' == h); case: (r' == r).
apply: submx_trans (sub (follow F q) (fun _ _ => 0) (fun _ _ => 0)).
suff -> : delta_mx 0 (enum_rank (inr (q, b) : slot H k L d)) =
    row b (target (follow F q) (fun _ _ => 0) (fun _ _ => 0)) by exact: row_sub.
apply/rowP => s'; rewrite mxE eqxx [RHS]mxE -[s']enum_valK (inj_eq enum_rank_inj) follow_row.
case: (enum_val s') => [[l' [[[p h'] r'] i']] | [p i']] /=.
  by case: r'; rewrite mxE mulr0.
rewrite prefix_size ?size_tuple // -[_ == inr _]/((p, i') == (q, b)) xpair_eqE [b == i']eq_sym.
by case: (i' == b); rewrite ?andbF ?andbT.
Qed.
End Span.

Definition row_stochastic (F : numDomainType) (H : finType) k n (attn : attention F H k n) : Prop :=
  forall l h Q K i, (forall j, 0 <= attn l h Q K i j) /\ \sum_j attn l h Q K i j = 1.

Lemma hard_causal_row_stochastic (F : numDomainType) (H : finType) k n (attn : attention F H k n) :
  hard_causal attn -> row_stochastic attn.
Proof.
move=> hard l h Q K i; have [j _ aE] := hard l h Q K i; split=> [s|]; first by rewrite aE ler0n.
by rewrite (bigD1 j) //= aE eqxx big1 ?addr0 // => s /negbTE sj; rewrite aE sj.
Qed.

Lemma num_more_than_two (F : numDomainType) : exists2 a : F, a != 0 & a != 1.
Proof. by exists 2%:R; rewrite ?pnatr_eq0 // -subr_eq0 -(natrB _ (isT : 1 <= 2)%N) oner_neq0. Qed.

Section Threshold.
Variables (F : fieldType) (H : finType) (k L d m : nat).
Hypothesis more_than_two : exists2 a : F, a != 0 & a != 1.
Hypothesis d_gt0 : (0 < d)%N.

Theorem universal_for_iff_full_rank (C : forall n, attention F H k n -> Prop)
    (P : weights F H k m) (U : 'M[F]_(m, d)) :
  (forall n (attn : attention F H k n), hard_causal attn -> C n attn) ->
  (universal_for C L P U <-> \rank (blockmx L P U) = N #|H| k L d).
Proof.
move=> hardC; split=> [univ|rkM]; last exact/universal_forW/full_rank_universal.
rewrite -card_slot; apply/eqP; apply: (probed_full_rank more_than_two _ d_gt0).
exact: universal_for_gated hardC univ.
Qed.

Theorem universal_iff_full_rank (P : weights F H k m) (U : 'M[F]_(m, d)) :
  universal L P U <-> \rank (blockmx L P U) = N #|H| k L d.
Proof.
split=> [univ|]; last exact: full_rank_universal.
exact/(universal_for_iff_full_rank _ _ (fun _ _ _ => I))/universal_forW.
Qed.

Theorem optimal_width (C : forall n, attention F H k n -> Prop) (P : weights F H k m) (U : 'M[F]_(m, d)) :
  (forall n (attn : attention F H k n), hard_causal attn -> C n attn) ->
  universal_for C L P U -> (N #|H| k L d <= m)%N.
Proof. by move=> hardC /(universal_for_iff_full_rank _ _ hardC) <-; apply: rank_leq_row. Qed.

Theorem universal_width :
  (exists (P : weights F H k m) (U : 'M[F]_(m, d)), universal L P U) <-> (N #|H| k L d <= m)%N.
Proof.
split=> [[P [U univ]]|]; last exact: universal_at_every_width.
by apply: (@optimal_width (fun _ _ => True) P U) => //; apply: universal_forW.
Qed.
End Threshold.

Theorem row_stochastic_iff_full_rank (F : numFieldType) (H : finType) (k L d m : nat)
    (P : weights F H k m) (U : 'M[F]_(m, d)) : (0 < d)%N ->
  (universal_for (@row_stochastic F H k) L P U <-> \rank (blockmx L P U) = N #|H| k L d).
Proof.
move=> d0; apply: universal_for_iff_full_rank => //; first exact: num_more_than_two.
exact: hard_causal_row_stochastic.
Qed.
