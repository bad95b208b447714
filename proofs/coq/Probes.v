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

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import Network.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

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
