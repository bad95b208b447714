(* Shared keys: attention functions of the scores Q K^T.

   Claim.  If the attention depends on the scores only, target and backbone may have
   different head widths, and one key matrix for all heads of a layer is enough: a
   0/1 backbone of head width d and width
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

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Sparse Words Readings Minor FreeWords.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

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
apply: eq_bigr => h _; have [eqS ->] := eqW L h (ltnSn L); congr (_ *m _ *m _).
by rewrite /of_scores !trmx_mul !mulmxA -[_ *m WQ W L h *m _]mulmxA eqS !mulmxA.
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

Theorem shared_key_universality (R : comRingType) (H : finType) (L d : nat) :
  exists (Q : nat -> H -> 'M[R]_(N_keys #|H| L d, d)) (K : nat -> 'M[R]_(N_keys #|H| L d, d))
         (V : nat -> H -> 'M[R]_(N_keys #|H| L d)) (U : 'M[R]_(N_keys #|H| L d, d)),
  [/\ forall l h, [/\ zero_one (Q l h), zero_one (K l) & zero_one (V l h)],
      zero_one U &
      score_universal L (shared_keys Q K V) U].
Proof.
have <- : #|wslot H (reading [finType of option H] d) L d| = N_keys #|H| L d by rewrite card_read_slot card_option.
have [ZV ZR ZU] := zero_one_project R H [finType of option H] d L d.
pose Rd := @project_readers R H [finType of option H] d L d.
exists (query Rd), (key Rd), (@project R H [finType of option H] d L d), (project_out R H [finType of option H] d L d).
split=> [l h||]; [by split; [exact: ZR | exact: ZR | exact: ZV] | exact: ZU |].
apply: (@shared_keys_universal R H L d _ _ Rd _ 1%:M).
by rewrite mul1mx; apply: wordmx_project.
Qed.

Theorem shared_key_generic (F : fieldType) (H : finType) (L d m : nat) : (N_keys #|H| L d <= m)%N ->
  exists p : {mpoly F[nfree H [finType of option H] d d L m]}, [/\ p != 0, (msize p <= (D_keys #|H| L d).+1)%N &
    forall v, p.@[v] != 0 ->
      score_universal L (shared_keys (query (readers_of v)) (key (readers_of v)) (letters_of v)) (output_of v)].
Proof.
rewrite /N_keys /D_keys -card_option => /(free_generic F)[p [p0 degp univ]].
exists p; split=> // [|v /univ[C CM]]; [exact: meval_neq0 p0 | exact: shared_keys_universal CM].
Qed.
