(* Attention functions of the scores.

   Parts
     Shared keys: attention functions of the scores Q K^T.
     Keys read off the outputs: the narrowest score-matching backbone known.   *)

From mathcomp Require Import all_ssreflect ssralg zmodp matrix mxalgebra.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Sparse Words FreeWords.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* Shared keys: attention functions of the scores Q K^T.

   Claim.  If the attention depends on the scores only, target and backbone may have
   different head widths, and one key matrix for all heads of a layer is enough: a
   0/1 backbone of head width d and any width m at least
     N_keys = d (sum_(l=1..L) (H^l + H^(l-1)) + H^L)
   simulates every target of every head width k, and so does almost every such
   backbone of any width m >= N_keys.

   The scores of head h on the paths p, q are W_p (WQ WK^T) W_q^T.  So the queries
   carry W_p WQ WK^T, and the keys, which are the same for all heads, carry W_q.

   Main definitions
     score_attention n      an attention function of the score matrix
     of_scores a            the same as a function of queries and keys
     score_universal L P U  the backbone simulates all targets of all head widths, for
                            all attention functions of the scores
     shared_keys Q K V      the backbone with the same keys K l for all heads
     N_keys h L d           the width above, for h heads; it computes
     D_keys h L d           the degree of the minor below; it computes
   Main results
     score_sufficiency         score words agree -> equal outputs
     shared_key_universality   the claim for 0/1 matrices
     shared_key_generic        a nonzero polynomial of degree at most D_keys in the
                               entries of the backbone, outside whose zero set it is
                               universal

   Reference: Fixed Universal Transformers (arXiv:2605.31423), extended to attention
   functions of the scores.                                                        *)

Section Scores.
Variables (R : comRingType) (H : finType).

Definition score_attention n := nat -> H -> 'M[R]_n -> 'M[R]_n.

Definition of_scores n (a : score_attention n) k : attention R H k n := fun l h Q K => a l h (Q *m K^T).

Definition score_universal L d c m (P : weights R H c m) (U : 'M[R]_(m, d)) : Prop :=
  forall k (W : weights R H k d), exists E : 'M[R]_(d, m),
  forall n (a : score_attention n) (X : 'M[R]_(n, d)),
    run (@of_scores n a c) P L (X *m E) *m U = run (@of_scores n a k) W L X.

(* Only the products WQ WK^T matter. *)
Lemma run_of_scores L n (a : score_attention n) k c w (W : weights R H k w) (W' : weights R H c w) X :
    (forall l h, (l < L)%N -> WQ W l h *m (WK W l h)^T = WQ W' l h *m (WK W' l h)^T /\ WV W l h = WV W' l h) ->
  run (@of_scores n a k) W L X = run (@of_scores n a c) W' L X.
Proof.
elim: L => [|L IHL] //= eqW; rewrite IHL => [|l h lL]; last exact/eqW/ltnW.
apply: eq_bigr => h _; case: (eqW L h (ltnSn L)) => eqS ->.
have eqZ (Z : 'M_(n, w)) : Z *m WQ W L h *m (Z *m WK W L h)^T = Z *m WQ W' L h *m (Z *m WK W' L h)^T.
  by rewrite !trmx_mul !mulmxA -[_ *m WQ W L h *m _]mulmxA eqS !mulmxA.
by rewrite /of_scores eqZ.
Qed.

Theorem score_sufficiency L d k c m (W : weights R H k d) (W' : weights R H c d) (P : weights R H c m)
    (U : 'M[R]_(m, d)) (E : 'M[R]_(d, m)) :
    (forall l h, (l < L)%N -> WQ W' l h *m (WK W' l h)^T = WQ W l h *m (WK W l h)^T /\ WV W' l h = WV W l h) ->
    matches L W' P U E ->
  forall n (a : score_attention n) X,
    run (@of_scores n a c) P L (X *m E) *m U = run (@of_scores n a k) W L X.
Proof. by move=> eqW mE n a X; rewrite (sufficiency mE) (run_of_scores _ _ eqW). Qed.
End Scores.

Section SharedKeys.
Variables (R : comRingType) (H : finType) (L d : nat).
Notation readers := [finType of option H].

Definition shared_keys w (Q : nat -> H -> 'M[R]_(w, d)) (K : nat -> 'M[R]_(w, d)) (V : nat -> H -> 'M[R]_w) :=
  Weights Q (fun l _ => K l) V.

(* the readers of a backbone with shared keys: one query for each head (Some h), one key (None) *)
Definition query w (Rd : nat -> option H -> 'M[R]_(w, d)) l h := Rd l (Some h).
Definition key w (Rd : nat -> option H -> 'M[R]_(w, d)) l := Rd l None.

(* the target with its scores in the queries, and its readers *)
Definition score_target k (W : weights R H k d) : weights R H d d :=
  shared_keys (fun l h => WQ W l h *m (WK W l h)^T) (fun _ => 1%:M) (WV W).
Definition target_readers k (W : weights R H k d) (l : nat) (o : option H) : 'M[R]_d :=
  if o is Some h then WQ W l h *m (WK W l h)^T else 1%:M.

Lemma shared_keys_universal m (V : nat -> H -> 'M[R]_m) (Rd : nat -> option H -> 'M[R]_(m, d)) (U : 'M[R]_(m, d)) C :
  C *m wordmx L (read_words (V : nat -> H -> 'M[R]_m) (Rd : nat -> readers -> 'M[R]_(m, d)) U) = 1%:M ->
  score_universal L (shared_keys (query Rd) (key Rd) V) U.
Proof.
move=> CM k W; pose T := read_words (WV W) (target_readers W : nat -> readers -> 'M[R]_d) 1%:M.
have [mR mU] := read_words_match (wordmx_left_inverse T CM).
exists (wordmx L T *m C); apply: (@score_sufficiency _ _ _ _ _ _ _ _ (score_target W)) => [l h _|] /=.
  by rewrite trmx1 mulmx1.
split=> [p h sp|p h sp|p sp]; last by rewrite mU // mulmx1.
- exact: (mR p (Some h)).
- exact: (mR p None).
Qed.
End SharedKeys.

Definition N_keys (h L d : nat) : nat := (h.+1 * d * geometric h L + d * h ^ L)%N.
Definition D_keys (h L d : nat) : nat := layered_degree h (h.+1 * d) L d.

Lemma N_keysE h L d : N_keys h L d = (d * (\sum_(1 <= l < L.+1) (h ^ l + h ^ l.-1) + h ^ L))%N.
Proof.
rewrite /N_keys mulnDr; congr addn; rewrite -mulnA mulnCA; congr muln; rewrite geometricE big_add1 big_mkord.
by rewrite big_distrr; apply: eq_bigr => l _; rewrite /= expnS mulSn addnC.
Qed.

Lemma D_keysE h L d :
  D_keys h L d = (d * (\sum_(1 <= l < L.+1) l * (h ^ l + h ^ l.-1) + L.+1 * h ^ L))%N.
Proof.
rewrite /D_keys /layered_degree mulnDr; congr addn; rewrite -mulnA mulnCA; congr muln.
rewrite weighted_geometricE big_add1 big_mkord big_distrr; apply: eq_bigr => l _ /=.
by rewrite expnS -mulSnr mulnCA.
Qed.

Theorem shared_key_universality (R : comRingType) (H : finType) (L d m : nat) : (N_keys #|H| L d <= m)%N ->
  exists (Q : nat -> H -> 'M[R]_(m, d)) (K : nat -> 'M[R]_(m, d)) (V : nat -> H -> 'M[R]_m) (U : 'M[R]_(m, d)),
  [/\ forall l h, [/\ zero_one (Q l h), zero_one (K l) & zero_one (V l h)],
      zero_one U &
      score_universal L (shared_keys Q K V) U].
Proof.
pose w := #|wslot H (reading [finType of option H] d) L d|.
have <- : w = N_keys #|H| L d by rewrite /w card_read_slot card_option.
have [ZV ZR ZU] := zero_one_project R H [finType of option H] d L d => wm.
pose Rd := @project_readers R H [finType of option H] d L d; pose U := project_out R H [finType of option H] d L d.
pose P := shared_keys (query Rd) (key Rd) (@project R H [finType of option H] d L d).
exists (WQ (widen m P)), (fun l => pid_mx w *m key Rd l), (WV (widen m P)), (widenU m U).
split=> [l h||]; [split | exact: zero_one_widenU |].
- exact/zero_one_rows/ZR.
- exact/zero_one_rows/ZR.
- exact/zero_one_columns/zero_one_rows/ZV.
have univ : score_universal L P U.
  by apply: (@shared_keys_universal R H L d _ _ Rd _ 1%:M); rewrite mul1mx; apply: wordmx_project.
move=> k W; have [E EP] := univ k W; exists (widenE m E) => n a X.
exact: etrans (run_wide wm P U (@of_scores _ _ n a d) X E L) (EP n a X).
Qed.

Theorem shared_key_generic (F : fieldType) (H : finType) (L d m : nat) : (N_keys #|H| L d <= m)%N ->
  exists p : {mpoly F[nfree H [finType of option H] d d L m]}, [/\ p != 0, (msize p <= (D_keys #|H| L d).+1)%N &
    forall v, p.@[v] != 0 ->
      score_universal L (shared_keys (query (readers_of v)) (key (readers_of v)) (letters_of v)) (output_of v)].
Proof.
rewrite /N_keys /D_keys -card_option => wm; elim: (free_generic F wm) => p; elim=> p0 degp univ.
exists p; split=> // [|v /univ[C CM]]; [exact: meval_neq0 p0 | exact: shared_keys_universal CM].
Qed.

(* Keys read off the outputs: the narrowest score-matching backbone known.

   Claim.  Let the keys of layer l be what the outputs along the path h1, ..., h1 from
   layer l on will read: RK_l = RV_(l,h1) ... RV_(L-1,h1) U.  Then keys need no slots,
   and a 0/1 backbone of head width d and any width m at least
     N_readoff = d (H + H^2 + ... + H^L + H^L)
   simulates, for all attention functions of the scores, every target whose scores
   factor through these products, in particular every target whose value matrices of
   the head h1 are invertible.  So does almost every such backbone of any width
   m >= N_readoff.

   Main definitions
     last_values L h1 V l     V_(l,h1) ... V_(L-1,h1)
     reads_off L h1 W         every WQ WK^T is F (last_values)^T for some F
     readoff_keys L h1 Q V U  the backbone whose keys are read off U
     readoff_universal        it simulates all targets that read off
     N_readoff h L d          the width above, for h heads; it computes
   Main results
     invertible_reads_off     invertible values of the head h1 suffice
     readoff_universality     the claim for 0/1 matrices
     readoff_generic          a nonzero polynomial, outside whose zero set the backbone
                              is universal

   Reference: Fixed Universal Transformers (arXiv:2605.31423), extended to attention
   functions of the scores.                                                        *)

Section ReadOff.
Variables (R : comRingType) (H : finType) (L : nat) (h1 : H).

Definition last_values w (V : nat -> H -> 'M[R]_w) (l : nat) : 'M[R]_w := pathmx V l (nseq (L - l) h1).

Lemma pathmx_cat w (V : nat -> H -> 'M[R]_w) l p q : pathmx V l (p ++ q) = pathmx V l p *m pathmx V (l + size p) q.
Proof.
elim: p l => [|h p IHp] l /=; first by rewrite mul1mx addn0.
by rewrite IHp mulmxA addSnnS.
Qed.

Definition reads_off k d (W : weights R H k d) : Prop :=
  exists F : nat -> H -> 'M[R]_d,
  forall l h, (l < L)%N -> WQ W l h *m (WK W l h)^T = F l h *m (last_values (WV W) l)^T.

Definition readoff_keys d m (Q : nat -> H -> 'M[R]_(m, d)) (V : nat -> H -> 'M[R]_m) (U : 'M[R]_(m, d)) :=
  shared_keys Q (fun l => last_values V l *m U) V.

Definition readoff_universal d c m (P : weights R H c m) (U : 'M[R]_(m, d)) : Prop :=
  forall k (W : weights R H k d), reads_off W -> exists E : 'M[R]_(d, m),
  forall n (a : score_attention R H n) (X : 'M[R]_(n, d)),
    run (@of_scores _ _ n a c) P L (X *m E) *m U = run (@of_scores _ _ n a k) W L X.

Lemma readoff_words_universal d m (V : nat -> H -> 'M[R]_m) (Q : nat -> H -> 'M[R]_(m, d)) (U : 'M[R]_(m, d)) C :
  C *m wordmx L (read_words V Q U) = 1%:M -> readoff_universal (readoff_keys Q V U) U.
Proof.
move=> CM k W [F FW]; pose T := read_words (WV W) F 1%:M.
have [mQ mU] := read_words_match (wordmx_left_inverse T CM).
exists (wordmx L T *m C).
apply: (@score_sufficiency _ _ _ _ _ _ _ _ (shared_keys F (last_values (WV W)) (WV W))) => [l h lL|] /=.
  by rewrite FW.
split=> [p h sp|p h sp|p sp] /=; last by rewrite mU // mulmx1.
- exact: mQ.
have sq : size (p ++ nseq (L - size p) h1) = L by rewrite size_cat size_nseq subnKC // ltnW.
by have := mU _ sq; rewrite !pathmx_cat mulmx1 !mulmxA add0n.
Qed.
End ReadOff.

Lemma invertible_reads_off (R : comUnitRingType) (H : finType) L (h1 : H) k d (W : weights R H k d) :
  (forall l, (l < L)%N -> WV W l h1 \in unitmx) -> reads_off L h1 W.
Proof.
move=> uV; exists (fun l h => WQ W l h *m (WK W l h)^T *m invmx (last_values L h1 (WV W) l)^T) => l h lL.
rewrite mulmxKV // unitmx_tr /last_values.
suff: forall i l, (l + i = L)%N -> pathmx (WV W) l (nseq i h1) \in unitmx by apply; rewrite subnKC // ltnW.
elim=> [|i IHi] j ji /=; first exact: unitmx1.
by rewrite unitmx_mul uV ?IHi -?ji ?addSnnS // addnS ltnS leq_addr.
Qed.

Definition N_readoff (h L d : nat) : nat := (h * d * geometric h L + d * h ^ L)%N.
Definition D_readoff (h L d : nat) : nat := layered_degree h (h * d) L d.

Lemma N_readoffE h L d : N_readoff h L d = (d * (\sum_(1 <= l < L.+1) h ^ l + h ^ L))%N.
Proof.
rewrite /N_readoff mulnDr; congr addn; rewrite -mulnA mulnCA; congr muln; rewrite geometricE big_add1 big_mkord.
by rewrite big_distrr; apply: eq_bigr => l _; rewrite /= expnS.
Qed.

Lemma D_readoffE h L d : D_readoff h L d = (d * (\sum_(1 <= l < L.+1) l * h ^ l + L.+1 * h ^ L))%N.
Proof.
rewrite /D_readoff /layered_degree mulnDr; congr addn; rewrite -mulnA mulnCA; congr muln.
rewrite weighted_geometricE big_add1 big_mkord big_distrr; apply: eq_bigr => l _ /=.
by rewrite expnS mulnCA.
Qed.

Lemma pathmx_widen (R : ringType) (H : finType) k c w m (P : weights R H k w) (U : 'M[R]_(w, c)) l p : (w <= m)%N ->
  pathmx (WV (widen m P)) l p *m widenU m U = pid_mx w *m (pathmx (WV P) l p *m U).
Proof.
move=> wm; elim: p l => [|h p IHp] l /=; first by rewrite !mul1mx.
by rewrite -mulmxA IHp -!mulmxA [pid_mx w *m (pid_mx w *m _)]mulmxA mul_JI // mul1mx.
Qed.

Theorem readoff_universality (R : comRingType) (H : finType) (L d m : nat) (h1 : H) : (N_readoff #|H| L d <= m)%N ->
  exists (Q : nat -> H -> 'M[R]_(m, d)) (V : nat -> H -> 'M[R]_m) (U : 'M[R]_(m, d)),
  [/\ forall l h, [/\ zero_one (Q l h), zero_one (V l h) & zero_one (last_values L h1 V l *m U)],
      zero_one U &
      readoff_universal L h1 (readoff_keys L h1 Q V U) U].
Proof.
have <- : #|wslot H (reading H d) L d| = N_readoff #|H| L d by rewrite card_read_slot.
have [ZV ZR ZU] := zero_one_project R H H d L d => wm; pose U := project_out R H H d L d.
pose P := readoff_keys L h1 (project_readers R H d L d) (project R H d L d) U; pose W := widen m P.
have keys l h : WK W l h = last_values L h1 (WV W) l *m widenU m U by rewrite /last_values pathmx_widen.
exists (WQ W), (WV W), (widenU m U); split=> [l h||]; [split | exact: zero_one_widenU |].
- exact/zero_one_rows/ZR.
- exact/zero_one_columns/zero_one_rows/ZV.
- rewrite -(keys l h); apply/zero_one_rows => i j.
  rewrite (@pathmx_routing _ _ _ _ _ _ (@project_read _ H d d) _ _ _ (project_read L (inr j))).
  + by case: (oapp _ _ _); [right | left].
  + exact: project_step_valid.
  + by move=> i'; rewrite !mxE.
have univ : readoff_universal L h1 P U.
  by apply: (@readoff_words_universal _ _ _ _ _ _ _ _ _ 1%:M); rewrite mul1mx; apply: wordmx_project.
move=> k T readT; have [E EP] := univ k T readT; exists (widenE m E) => n a X.
rewrite (@eq_run _ _ _ _ _ _ _ W) => [|l h _]; first by rewrite run_wide //; exact: EP.
by split=> //; rewrite [RHS]keys.
Qed.

Theorem readoff_generic (F : fieldType) (H : finType) (L d m : nat) (h1 : H) : (N_readoff #|H| L d <= m)%N ->
  exists p : {mpoly F[nfree H H d d L m]}, [/\ p != 0, (msize p <= (D_readoff #|H| L d).+1)%N &
    forall v, p.@[v] != 0 ->
      readoff_universal L h1 (readoff_keys L h1 (readers_of v) (letters_of v) (output_of v)) (output_of v)].
Proof.
move=> /(free_generic F)[p [p0 degp univ]].
exists p; split=> // [|v /univ[C CM]]; [exact: meval_neq0 p0 | exact: readoff_words_universal CM].
Qed.
