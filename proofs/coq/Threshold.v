(* Width N is necessary.

   Parts
     Targets whose value matrices are multiples of the identity.
     Probes: hard, causal attention functions that follow one path.
     The output lower bound: m >= d H^L.
     The sharp threshold: universal if and only if the block matrix has rank N.   *)

From mathcomp Require Import all_ssreflect ssralg ssrnum zmodp matrix mxalgebra.
From Symut Require Import Network Sparse.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Targets whose value matrices are multiples of the identity.

   Claim.  For values c l h times the identity, the product along a path is the
   product of its scalars.  One such target lets exactly the prefixes of a
   given path through, and the product is additive in the scalars of one layer.

   Main definitions
     cprod c l p      the product of the scalars along p, from layer l on
     set_layer c j u  the scalars c with those of layer j replaced by u
     follow q         the scalars of the target that lets only q through
   Main results
     pathmx_scalar        pathmx of the scalar target is (cprod c l p)%:M
     cprod_follow         cprod (follow q) 0 p = 1 if p is a prefix of q, else 0
     cprod_set_layerB     additivity in layer j                                 *)

Section ScalarTargets.
Variables (F : fieldType) (H : finType).
Implicit Types (c : nat -> H -> F) (p q : seq H).

Fixpoint cprod c (l : nat) p : F := if p is h :: p' then c l h * cprod c l.+1 p' else 1.

Lemma pathmx_scalar d c l p : pathmx (fun l h => (c l h)%:M : 'M[F]_d) l p = (cprod c l p)%:M.
Proof. by elim: p l => [|h p IHp] l //=; rewrite IHp -scalar_mxM. Qed.

Lemma eq_cprod c c' l p : (forall i h, (l <= i < l + size p)%N -> c i h = c' i h) ->
  cprod c l p = cprod c' l p.
Proof.
elim: p l => [|h p IHp] l //= ecc'; rewrite ecc' ?leqnn /= ?addnS ?ltnS ?leq_addr //.
by rewrite (IHp l.+1) // => i g /andP[li ip]; rewrite ecc' // addnS -addSn ip ltnW.
Qed.

Lemma cprod_neq0 c l p : (forall i h, (l <= i < l + size p)%N -> c i h != 0) -> cprod c l p != 0.
Proof.
elim: p l => [|h p IHp] l /= cn0; first exact: oner_neq0.
rewrite mulf_neq0 ?cn0 ?leqnn /= ?addnS ?ltnS ?leq_addr //.
by apply: IHp => i g /andP[li ip]; rewrite cn0 // addnS -addSn ip ltnW.
Qed.

Definition set_layer c (j : nat) (u : H -> F) (l : nat) (h : H) : F := if l == j then u h else c l h.

Lemma cprod_set_layer_out c j u l p : (l + size p <= j)%N -> cprod (set_layer c j u) l p = cprod c l p.
Proof.
by move=> lpj; apply: eq_cprod => i h /andP[_ ip]; rewrite /set_layer ltn_eqF // (leq_trans ip).
Qed.

Lemma cprod_set_layerB c j u u' l p : (l <= j < l + size p)%N ->
  cprod (set_layer c j (fun h => u h - u' h)) l p =
  cprod (set_layer c j u) l p - cprod (set_layer c j u') l p.
Proof.
elim: p l => [|h p IHp] l /=; first by rewrite addn0 ltnNge; case: leqP.
case/andP; rewrite leq_eqVlt => /predU1P[-> _ {l} | lj jp]; last first.
  by rewrite IHp ?lj ?addSnnS // /set_layer ltn_eqF // mulrBr.
have out v : cprod (set_layer c j v) j.+1 p = cprod c j.+1 p.
  by apply: eq_cprod => i g /andP[ji _]; rewrite /set_layer gtn_eqF.
by rewrite !out /set_layer eqxx mulrBl.
Qed.

Definition follow q (l : nat) (h : H) : F := ((l < size q)%N && (nth h q l == h))%:R.

Lemma cprod_follow_drop q l p : cprod (follow q) l p = (prefix p (drop l q))%:R.
Proof.
elim: p l => [|h p IHp] l /=; first by rewrite prefix0s.
rewrite IHp /follow -natrM mulnb.
have [lt_l | ge_l] := ltnP l (size q); last by rewrite (drop_oversize ge_l).
by rewrite (drop_nth h lt_l) eq_sym.
Qed.

Lemma cprod_follow q p : cprod (follow q) 0 p = (prefix p q)%:R.
Proof. by rewrite cprod_follow_drop drop0. Qed.

Lemma prefix_size (T : eqType) (p q : seq T) : size p = size q -> prefix p q = (p == q).
Proof. by move=> spq; rewrite prefixE spq take_size eq_sym. Qed.
End ScalarTargets.

(* Probes: hard, causal attention functions that follow one path.

   Claim.  A gate switches each head on or off, depending on the query and the
   key of one token.  Gates are realised by attention functions of the most
   restricted kind, on two tokens: the first token is zero, the second token
   attends to itself if the head is on and to the first if it is off.  So every
   row is one-hot, and no token attends to a later one.  If a program is correct
   for these attention functions, it satisfies all path conditions, provided
   that the target's full path products are injective.

   Main definitions
     hard_causal attn    every row i of attn is one-hot, at some place j <= i
     gated g             the one-token attention function of the gate g
     hard_gated g        the same on two tokens, hard and causal
     probe q j y z       the gate that follows the path q, and does so in layer j
                         only if query and key are y and z
   Main results
     run_hard_gated      the second token runs as under gated g
     run_probe           what a probe computes
     probed_matches      correct under all gates -> matches

   Reference: Fixed Universal Transformers (arXiv:2605.31423) has no converse;
   this is an extension.                                                        *)

Definition hard_causal (R : ringType) (H : finType) k n (attn : attention R H k n) : Prop :=
  forall l h Q K (i : 'I_n), exists2 j : 'I_n, (j <= i)%N & forall s, attn l h Q K i s = (s == j)%:R.

Section Gates.
Variables (R : ringType) (H : finType) (k : nat).

Definition gate := nat -> H -> 'rV[R]_k -> 'rV[R]_k -> bool.
Implicit Type g : gate.

Definition gated g : attention R H k 1 := fun l h y z => (g l h y z)%:R%:M.

Definition hard_gated g : attention R H k (1 + 1) := fun l h Q K =>
  let b := g l h (dsubmx Q) (dsubmx K) in block_mx 1%:M 0 (~~ b)%:R%:M b%:R%:M.

Lemma hard_gatedP g : hard_causal (hard_gated g).
Proof.
move=> l h Q K; rewrite /hard_gated; case: (g _ _ _ _) => i; rewrite -[i]splitK; case: (split i) => a /=.
- exists (lshift 1 a) => // s; rewrite -[s]splitK; case: (split s) => c /=.
    by rewrite block_mxEul !mxE !ord1.
  by rewrite block_mxEur mxE eq_rlshift.
- exists (rshift 1 a) => // s; rewrite -[s]splitK; case: (split s) => c /=.
    by rewrite block_mxEdl !mxE eq_lrshift mul0rn.
  by rewrite block_mxEdr !mxE !ord1.
- exists (lshift 1 a) => // s; rewrite -[s]splitK; case: (split s) => c /=.
    by rewrite block_mxEul !mxE !ord1.
  by rewrite block_mxEur mxE eq_rlshift.
exists (lshift 1 a) => [|s]; first by rewrite /= ord1.
rewrite -[s]splitK; case: (split s) => c /=.
  by rewrite block_mxEdl !mxE !ord1.
by rewrite block_mxEdr !mxE eq_rlshift mul0rn.
Qed.

Lemma hard_gatedE g l h A B y z w (x : 'rV[R]_w) :
  hard_gated g l h (col_mx A y) (col_mx B z) *m col_mx 0 x = col_mx 0 (gated g l h y z *m x).
Proof. by rewrite /hard_gated !col_mxKd mul_block_col !mulmx0 mul0mx addr0 add0r. Qed.

Lemma run_hard_gated g w (P : weights R H k w) l (x : 'rV[R]_w) :
  run (hard_gated g) P l (col_mx 0 x) = col_mx 0 (run (gated g) P l x).
Proof.
elim: l => [|l IHl] //=; rewrite IHl.
rewrite (eq_bigr (fun h => col_mx 0 (gated g l h (run (gated g) P l x *m WQ P l h)
           (run (gated g) P l x *m WK P l h) *m run (gated g) P l x *m WV P l h))) => [|h _].
  apply: (big_ind2 (fun (A : 'M_(1 + 1, w)) B => A = col_mx 0 B)) => [|A B A' B' -> ->|//].
    by rewrite col_mx0.
  by rewrite add_col_mx addr0.
rewrite [col_mx 0 _ *m WQ _ _ _]mul_col_mx [col_mx 0 _ *m WK _ _ _]mul_col_mx hard_gatedE.
by rewrite mul_col_mx mul0mx.
Qed.

Lemma universal_for_gated (C : forall n, attention R H k n -> Prop) L d m (P : weights R H k m)
    (U : 'M[R]_(m, d)) :
  (forall n (attn : attention R H k n), hard_causal attn -> C n attn) -> universal_for C L P U ->
  forall W : weights R H k d, exists E : 'M[R]_(d, m), forall g x,
    run (gated g) P L (x *m E) *m U = run (gated g) W L x.
Proof.
move=> hardC univ W; have [E EP] := univ W; exists E => g x.
have := EP _ (hard_gated g) (col_mx 0 x) (hardC _ _ (@hard_gatedP g)).
by rewrite mul_col_mx mul0mx !run_hard_gated mul_col_mx mul0mx => /(congr1 dsubmx); rewrite !col_mxKd.
Qed.

Definition probe (q : seq H) (j : nat) (y z : 'rV[R]_k) : gate :=
  fun l h y' z' => [&& l < size q, nth h q l == h & (l == j) ==> ((y' == y) && (z' == z))]%N.

Lemma run_probe (h0 : H) q j y z w (P : weights R H k w) (x : 'rV[R]_w) l : (l <= size q)%N ->
  let xj := x *m pathmx (WV P) 0 (take j q) in
  let b := (xj *m WQ P j (nth h0 q j) == y) && (xj *m WK P j (nth h0 q j) == z) in
  run (gated (probe q j y z)) P l x = ((j < l)%N ==> b)%:R *: (x *m pathmx (WV P) 0 (take l q)).
Proof.
move=> + xj b; elim: l => [|l IHl] lq; first by rewrite take0 mulmx1 scale1r.
rewrite (take_nth h0) // pathmx_rcons add0n size_takel ?(ltnW lq) //.
rewrite [LHS]/= (bigD1 (nth h0 q l)) //= big1 ?addr0 => [|h nh]; last first.
  rewrite {1}/gated /probe (set_nth_default h0) // eq_sym (negbTE nh) andbF.
  by rewrite -scalemx1 scale0r !mul0mx.
rewrite {1}/gated {1}/probe lq (set_nth_default h0) // eqxx /= IHl ?(ltnW lq) //.
have [ej | nj] := eqVneq l j.
  rewrite ej ltnn ltnSn /= !scale1r -/xj -/b.
  by rewrite mul_scalar_mx -scalemxAl mulmxA.
have -> : (j < l.+1)%N = (j < l)%N by rewrite ltnS leq_eqVlt [j == l]eq_sym (negbTE nj).
by rewrite /= mul1mx -scalemxAl mulmxA.
Qed.

Lemma run_probe_path q y z w (P : weights R H k w) (x : 'rV[R]_w) :
  run (gated (probe q (size q) y z)) P (size q) x = x *m pathmx (WV P) 0 q.
Proof.
case: q => [|h0 q]; first by rewrite /= mulmx1.
by rewrite (run_probe h0) // ltnn scale1r take_size.
Qed.

End Gates.

Section Probed.
Variables (R : ringType) (H : finType) (k L d m : nat).
Variables (P : weights R H k m) (U : 'M[R]_(m, d)) (W : weights R H k d) (E : 'M[R]_(d, m)).
Hypothesis correct : forall g x, run (gated g) P L (x *m E) *m U = run (gated g) W L x.

Lemma probed_paths q : size q = L -> E *m pathmx (WV P) 0 q *m U = pathmx (WV W) 0 q.
Proof.
move=> sq; apply/row_matrixP => i; rewrite !rowE -!mulmxA.
have := correct (probe q L 0 0) (delta_mx 0 i).
by rewrite -sq !run_probe_path -!mulmxA.
Qed.

Hypothesis injective_paths :
  forall q (x : 'rV[R]_d), size q = L -> x != 0 -> x *m pathmx (WV W) 0 q != 0.

Theorem probed_matches : matches L W P U E.
Proof.
suff both p h : (size p < L)%N ->
    E *m pathmx (WV P) 0 p *m WQ P (size p) h = pathmx (WV W) 0 p *m WQ W (size p) h /\
    E *m pathmx (WV P) 0 p *m WK P (size p) h = pathmx (WV W) 0 p *m WK W (size p) h.
  by split=> [p h sp|p h sp|]; [have [] := both p h sp | have [] := both p h sp | exact: probed_paths].
move=> sp; pose q := p ++ nseq (L - size p) h; pose j := size p.
have sq : size q = L by rewrite size_cat size_nseq subnKC // ltnW.
have tq : take j q = p by rewrite take_size_cat.
have nq : nth h q j = h by rewrite nth_cat ltnn subnn nth_nseq; case: ifP.
suff rows i : let x := delta_mx 0 i : 'rV[R]_d in
    x *m E *m pathmx (WV P) 0 p *m WQ P j h = x *m pathmx (WV W) 0 p *m WQ W j h /\
    x *m E *m pathmx (WV P) 0 p *m WK P j h = x *m pathmx (WV W) 0 p *m WK W j h.
  by split; apply/row_matrixP => i; have [eQ eK] := rows i; rewrite !rowE !mulmxA.
move=> x; set y := (X in _ = X /\ _); set z := (X in _ /\ _ = X).
have := correct (probe q j y z) x.
rewrite !(run_probe h) ?sq // sp /= nq tq !eqxx /= scale1r -sq take_size.
have x0 : x != 0.
  apply/eqP => /matrixP/(_ 0 i); rewrite !mxE !eqxx; apply/eqP; exact: oner_neq0.
have [/andP[/eqP -> /eqP ->] // | _] := boolP (_ && _).
by rewrite scale0r mul0mx => /esym/eqP; rewrite (negbTE (injective_paths sq x0)).
Qed.
End Probed.

(* The output lower bound: m >= d H^L.

   Claim.  If a backbone carries the path products of every target, then its
   width is at least d H^L: the targets that let one path through make the
   m x (d H^L) matrix of the columns R_p U have full column rank.  Universality
   for all hard, causal attention functions is enough, over any field.  The
   sharp bound N, over fields with more than two elements, is in Threshold.v.

   Main results
     path_matching_lower_bound   from the full-path conditions alone
     output_lower_bound          from universality for a class of attention
                                 functions that contains the hard, causal ones

   Reference: Fixed Universal Transformers (arXiv:2605.31423), lower bounds.    *)

Section OutputBound.
Variables (F : fieldType) (H : finType) (k L d m : nat).

Theorem path_matching_lower_bound (V : nat -> H -> 'M[F]_m) (U : 'M[F]_(m, d)) :
  (forall W : nat -> H -> 'M[F]_d, exists E : 'M[F]_(d, m),
     forall p, size p = L -> E *m pathmx V 0 p *m U = pathmx W 0 p) ->
  (d * #|H| ^ L <= m)%N.
Proof.
move=> hyp; pose T := [finType of (L.-tuple H * 'I_d)%type].
pose M : 'M[F]_(m, #|T|) :=
  \matrix_(a, j) (pathmx V 0 (enum_val j : T).1 *m U) a (enum_val j : T).2.
suff fM : row_full M.
  have <- : #|T| = (d * #|H| ^ L)%N by rewrite card_prod card_tuple card_ord mulnC.
  by rewrite -(eqP fM) rank_leq_row.
rewrite -sub1mx; apply/row_subP => j; rewrite row1.
case: (enum_val j) (enum_valK j) => q b <- {j}.
have [E EP] := hyp (fun l h => (follow F q l h)%:M); apply/submxP; exists (row b E).
apply/matrixP=> a j; rewrite !ord1 [LHS]mxE eqxx /=.
rewrite -[j in LHS]enum_valK (inj_eq enum_rank_inj).
case ej: (enum_val j : T) => [p i].
have /matrixP/(_ b i) := EP p (size_tuple p).
rewrite (pathmx_scalar d (follow F q)) cprod_follow prefix_size ?size_tuple // (val_eqE p q) => EPbi.
transitivity ((E *m pathmx V 0 p *m U) b i).
  by rewrite EPbi !mxE xpair_eqE [i == b]eq_sym; case: (p == q); rewrite ?mul0rn.
by rewrite {EPbi} -mulmxA !mxE; apply: eq_bigr => c _; rewrite !mxE ej.
Qed.

Theorem output_lower_bound (C : forall n, attention F H k n -> Prop) (P : weights F H k m) (U : 'M[F]_(m, d)) :
  (forall n (attn : attention F H k n), hard_causal attn -> C n attn) ->
  universal_for C L P U -> (d * #|H| ^ L <= m)%N.
Proof.
move=> hardC univ; apply: (@path_matching_lower_bound (WV P) U) => V.
have [E EP] := universal_for_gated hardC univ (Weights (fun _ _ => 0) (fun _ _ => 0) V).
by exists E => p; apply: (probed_paths EP).
Qed.
End OutputBound.

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
  rewrite eq_slot [r == r']eq_sym; case: (eqVneq (l' : nat) l) => [el|]; last by rewrite !andbF.
  by rewrite prefix_size ?size_tuple //=; case: (h' == h); case: (r' == r).
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
split=> [[P [U univ]]|/(wide_sparse_universality F)[P [U [_ _ univ]]]]; last by exists P, U.
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
