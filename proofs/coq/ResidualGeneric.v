(* Almost every residual backbone is universal: the algebraic form.

   Claim.  For every width m >= N_res there is a nonzero polynomial of degree at
   most D_res in the entries of a residual backbone, such that each backbone at
   which it does not vanish is universal for residual targets.

   The polynomial is a minor of the block matrix.  The skip has degree 0, so a word
   has the degree 1 + the number of its letters that are not skips.

   Main definitions
     skip_degree h l      the sum of these degrees over the paths of length l
     D_res h k L d        the sum over all words, for h heads; it computes
   Main results
     sum_residual_degree  the sum of the degrees is D_res
     residual_generic     the claim

   Reference: Fixed Universal Transformers (arXiv:2605.31423), extended to
   residual connections.                                                        *)

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Widen Degree Entries Words Readings Minor Residual.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* The sum over the paths of length l with skips of 1 + the number of letters that
   are not skips: (h+1)^l + l h (h+1)^(l-1).                                      *)
Fixpoint skip_degree (h l : nat) : nat := (if l is l'.+1 then h.+1 * skip_degree h l' + h * h.+1 ^ l' else 1)%N.
Fixpoint skip_degrees (h L : nat) : nat := (if L is l.+1 then skip_degrees h l + skip_degree h l else 0)%N.
Definition D_res (h k L d : nat) : nat := (2 * k * h * skip_degrees h L + d * skip_degree h L)%N.

Lemma skip_degreeE h l : (skip_degree h l.+1 = h.+1 ^ l.+1 + l.+1 * h * h.+1 ^ l)%N.
Proof.
elim: l => [|l IHl]; first by rewrite /= expn1 expn0 !muln1 mul1n.
rewrite -[LHS]/(h.+1 * skip_degree h l.+1 + h * h.+1 ^ l.+1)%N IHl mulnDr -expnS -addnA; congr addn.
by rewrite mulnCA -expnS -mulnDl [(l.+2 * h)%N]mulSn addnC.
Qed.

Section Degree.
Variables (H : finType) (k L d : nat).
Notation letters := (option_finType H).
Definition counted (o : option H) : nat := o.

Lemma sum_skip_degree l : (\sum_(p : l.-tuple letters) (sumn (map counted p)).+1 = skip_degree #|H| l)%N.
Proof.
elim: l => [|l IHl].
  by rewrite (big_pred1 [tuple]) // => p; apply/esym/eqP; exact: tuple0.
pose f (c : letters * l.-tuple letters) : l.+1.-tuple letters := [tuple of c.1 :: c.2].
have bf : bijective f.
  exists (fun p : l.+1.-tuple letters => (thead p, [tuple of behead p])) => [[o p]|p].
    by congr pair; apply: val_inj.
  by rewrite [RHS]tuple_eta.
rewrite (reindex f) /=; last exact: onW_bij.
rewrite -(pair_bigA _ (fun o (p : l.-tuple letters) => (counted o + sumn (map counted p)).+1)) big_option /= IHl.
rewrite (eq_bigr (fun=> skip_degree #|H| l + #|H|.+1 ^ l)%N) => [|h _].
  by rewrite sum_nat_const mulnDr addnA -mulSn.
rewrite -IHl -card_option -(card_tuple l letters) -sum1_card -big_split /=.
by apply: eq_bigr => p _; rewrite addn1 add1n.
Qed.

Lemma sum_residual_degree :
  (\sum_(s : wslot letters (reading (qk H) k) L d) word_degree counted (code s) = D_res #|H| k L d)%N.
Proof.
rewrite big_sumType /=; congr addn.
  transitivity (\sum_(l < L) \sum_(s : l.-tuple letters * reading (qk H) k) (sumn (map counted s.1)).+1)%N.
    by rewrite sig_big_dep; apply: eq_bigr => -[l [p t]].
  transitivity (\sum_(l < L) 2 * k * #|H| * skip_degree #|H| l)%N.
    apply: eq_bigr => l _; rewrite -(pair_bigA _ (fun (p : l.-tuple letters) _ => (sumn (map counted p)).+1)) /=.
    rewrite -sum_skip_degree big_distrr; apply: eq_bigr => p _ /=.
    by rewrite sum_nat_const !card_prod card_bool card_ord [(#|H| * 2)%N]mulnC [(2 * _ * k)%N]mulnAC.
  rewrite -big_distrr; congr muln; elim: L => [|l IHl]; first by rewrite big_ord0.
  by rewrite big_ord_recr /= IHl.
transitivity (\sum_(p : L.-tuple letters) \sum_(i < d) (sumn (map counted p)).+1)%N.
  by rewrite pair_bigA; apply: eq_bigr => -[p i].
rewrite -sum_skip_degree big_distrr; apply: eq_bigr => p _.
by rewrite sum_nat_const card_ord.
Qed.
End Degree.

Section Generic.
Variables (F : fieldType) (H : finType) (k L d m : nat).
Notation n := (nparams H k d L m).
Notation w := #|wslot (option_finType H) (reading (qk H) k) L d|.
Notation words_at v := (residual_words (weights_of (unshared L) v) (readout_of v)).

Lemma map_residual_words (R S : comRingType) (f : {rmorphism R -> S}) (v : 'I_n -> R) (u : 'I_n -> S) :
  (forall i, f (v i) = u i) -> wordmx L (map_words f (words_at v)) = wordmx L (words_at u).
Proof.
move=> fv; have fs l h s : f (scalar_of (unshared L) v l h s) = scalar_of (unshared L) u l h s.
  by rewrite /scalar_of; case: (unshared L l) => [t|]; rewrite ?rmorph0.
apply: eq_wordmx => [l [h|] _|p [[[h q] i]|i] _] /=; last 2 first.
- by apply/colP => a; rewrite /scores; case: q; rewrite !mxE fs.
- by apply/colP => a; rewrite !mxE fv.
- by apply/matrixP => a b; rewrite !mxE fs.
by rewrite map_mx1.
Qed.

Lemma widen_fold (R : comRingType) : (w <= m)%N ->
  let P := widen m (fold R H k L d) in let U := widenU m (fold_out R H k L d) in
  pid_mx w *m wordmx L (words_at (params_of (@nat_of_ord L) P U)) = 1%:M.
Proof.
move=> wm P U; rewrite -(wordmx_fold R H k L d).
rewrite (eq_wordmx (Q := residual_words P U)) => [|l [h|] lL|p [[[h q] i]|i] vp] //=; last 3 first.
- by apply/matrixP => a b; rewrite mxE /scalar_of /unshared insubT /params_of enum_rankK.
- apply/colP => a; rewrite /scores; case: q vp => lL;
    by rewrite !mxE /scalar_of /unshared insubT /params_of enum_rankK !mxE.
- by apply/colP => a; rewrite !mxE /params_of enum_rankK !mxE.
apply: intertwined_wordmx => [l [h|]|l [[[h q] i]|i]] /=.
- exact: widen_letter.
- by rewrite mulmx1 mul1mx.
- by rewrite /scores; case: q; apply: widen_col.
exact: widen_col.
Qed.

Theorem residual_generic : (N_res #|H| k L d <= m)%N ->
  exists p : {mpoly F[n]}, [/\ p != 0, (msize p <= (D_res #|H| k L d).+1)%N &
    forall v, p.@[v] != 0 -> residual_universal L (weights_of (unshared L) v) (readout_of v)].
Proof.
rewrite -card_residual_slot => wm; pose X i : [comRingType of {mpoly F[n]}] := 'X_i.
have evalX v : wordmx L (map_words [rmorphism of meval v] (words_at X)) = wordmx L (words_at v).
  by apply: map_residual_words => i; apply: mevalXU.
pose v0 := params_of (@nat_of_ord L) (widen m (fold F H k L d)) (widenU m (fold_out F H k L d)).
have X1 i : (msize (X i) <= 2)%N by rewrite msizeX mdeg1.
have [|||p [p0 degp univ]] :=
  @generic_words F (option_finType H) (reading (qk H) k) L d n m (pid_mx w) (words_at X) (@counted H) v0.
- move=> l [h|] a b; rewrite mxE; last by case: (a == b); rewrite ?msize0 ?msize1.
  by rewrite /scalar_of; case: (unshared L l) => [t|]; rewrite ?msize0.
- move=> l [[[h q] i]|i] a b; rewrite mxE.
    by rewrite /scores; case: q; rewrite mxE /scalar_of; case: (unshared L l) => [t|]; rewrite ?msize0.
  by rewrite mxE.
- by rewrite evalX widen_fold.
exists p; rewrite -sum_residual_degree; split=> // [|v /univ[B]]; first exact: meval_neq0 p0.
by rewrite evalX; apply: residual_words_universal.
Qed.
End Generic.
