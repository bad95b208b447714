(* Backbones for attention functions of the scores Q K^T, in full.

   Continues Summary.v, which restates run and pathmx, and FormsSummary.v, which
   restates letters_of, readers_of and output_of.  The attention of head h in layer l
   is any function a l h of the score matrix; target and backbone may have different
   head widths.                                                                    *)

From mathcomp Require Import all_ssreflect ssralg zmodp matrix mxalgebra.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network FreeWords SharedKeys.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* Shared keys: one 0/1 key matrix for all heads, head width d; the target may have
   any head width k, and its attention is any function a of the scores Q K^T.      *)
Theorem shared_key_universality (R : comRingType) (H : finType) (L d m : nat) :
  (d * (\sum_(1 <= l < L.+1) (#|H| ^ l + #|H| ^ l.-1) + #|H| ^ L) <= m)%N ->
  exists (Q : nat -> H -> 'M[R]_(m, d)) (K : nat -> 'M[R]_(m, d)) (V : nat -> H -> 'M[R]_m) (U : 'M[R]_(m, d)),
  [/\ forall l h i j, Q l h i j = 0 \/ Q l h i j = 1,
      forall l (h : H) i j, K l i j = 0 \/ K l i j = 1,
      forall l h i j, V l h i j = 0 \/ V l h i j = 1,
      forall i j, U i j = 0 \/ U i j = 1 &
      forall k (W : weights R H k d), exists E : 'M[R]_(d, m),
      forall n (a : nat -> H -> 'M[R]_n -> 'M[R]_n) (X : 'M[R]_(n, d)),
        run (fun l h Q K => a l h (Q *m K^T)) (Weights Q (fun l _ => K l) V) L (X *m E) *m U =
        run (fun l h Q K => a l h (Q *m K^T)) W L X].
Proof.
rewrite -N_keysE => /(SharedKeys.shared_key_universality R)[Q [K [V [U [Z ZU univ]]]]].
by exists Q, K, V, U; split=> // l h; have [] := Z l h.
Qed.

(* Keys read off the outputs: the key of layer l is the path of the head h1 from
   layer l to the read-out, so only queries and outputs need coordinates.  It serves
   the targets whose scores factor through the same path of their own value matrices. *)
Theorem readoff_universality (R : comRingType) (H : finType) (L d m : nat) (h1 : H) :
  (d * (\sum_(1 <= l < L.+1) #|H| ^ l + #|H| ^ L) <= m)%N ->
  exists (Q : nat -> H -> 'M[R]_(m, d)) (V : nat -> H -> 'M[R]_m) (U : 'M[R]_(m, d)),
  [/\ forall l h i j, Q l h i j = 0 \/ Q l h i j = 1,
      forall l h i j, V l h i j = 0 \/ V l h i j = 1,
      forall i j, U i j = 0 \/ U i j = 1 &
      forall k (W : weights R H k d),
      (exists F : nat -> H -> 'M[R]_d, forall l h, (l < L)%N ->
         WQ W l h *m (WK W l h)^T = F l h *m (pathmx (WV W) l (nseq (L - l) h1))^T) ->
      exists E : 'M[R]_(d, m),
      forall n (a : nat -> H -> 'M[R]_n -> 'M[R]_n) (X : 'M[R]_(n, d)),
        run (fun l h Q K => a l h (Q *m K^T))
            (Weights Q (fun l _ => pathmx V l (nseq (L - l) h1) *m U) V) L (X *m E) *m U =
        run (fun l h Q K => a l h (Q *m K^T)) W L X].
Proof.
rewrite -N_readoffE => /(SharedKeys.readoff_universality R h1)[Q [V [U [Z ZU univ]]]].
by exists Q, V, U; split=> // l h; have [] := Z l h.
Qed.

(* In particular it serves the targets whose value matrices of head h1 are invertible. *)
Theorem invertible_targets_read_off (R : comUnitRingType) (H : finType) (L : nat) (h1 : H) (k d : nat) (W : weights R H k d) :
  (forall l, (l < L)%N -> WV W l h1 \in unitmx) ->
  exists F : nat -> H -> 'M[R]_d, forall l h, (l < L)%N ->
    WQ W l h *m (WK W l h)^T = F l h *m (pathmx (WV W) l (nseq (L - l) h1))^T.
Proof. exact: invertible_reads_off. Qed.

(* Almost every backbone with shared keys; its queries are the readers Some h, its
   keys the reader None (any field).                                                *)
Theorem shared_key_generic (F : fieldType) (H : finType) (L d m : nat) :
  (d * (\sum_(1 <= l < L.+1) (#|H| ^ l + #|H| ^ l.-1) + #|H| ^ L) <= m)%N ->
  exists p : {mpoly F[nfree H [finType of option H] d d L m]},
  [/\ p != 0,
      (msize p <= (d * (\sum_(1 <= l < L.+1) l * (#|H| ^ l + #|H| ^ l.-1) + L.+1 * #|H| ^ L)).+1)%N &
    forall v, p.@[v] != 0 ->
    let P := Weights (fun l h => readers_of v l (Some h)) (fun l _ => readers_of v l None) (letters_of v) in
    forall k (W : weights F H k d), exists E : 'M[F]_(d, m),
    forall n (a : nat -> H -> 'M[F]_n -> 'M[F]_n) (X : 'M[F]_(n, d)),
      run (fun l h Q K => a l h (Q *m K^T)) P L (X *m E) *m output_of v =
      run (fun l h Q K => a l h (Q *m K^T)) W L X].
Proof. by rewrite -N_keysE -D_keysE; apply: SharedKeys.shared_key_generic. Qed.

(* Almost every backbone with keys read off the outputs (any field).                *)
Theorem readoff_generic (F : fieldType) (H : finType) (L d m : nat) (h1 : H) :
  (d * (\sum_(1 <= l < L.+1) #|H| ^ l + #|H| ^ L) <= m)%N ->
  exists p : {mpoly F[nfree H H d d L m]},
  [/\ p != 0, (msize p <= (d * (\sum_(1 <= l < L.+1) l * #|H| ^ l + L.+1 * #|H| ^ L)).+1)%N &
    forall v, p.@[v] != 0 ->
    let V := letters_of v in let U := output_of v in
    let P := Weights (readers_of v) (fun l _ => pathmx V l (nseq (L - l) h1) *m U) V in
    forall k (W : weights F H k d),
    (exists G : nat -> H -> 'M[F]_d, forall l h, (l < L)%N ->
       WQ W l h *m (WK W l h)^T = G l h *m (pathmx (WV W) l (nseq (L - l) h1))^T) ->
    exists E : 'M[F]_(d, m),
    forall n (a : nat -> H -> 'M[F]_n -> 'M[F]_n) (X : 'M[F]_(n, d)),
      run (fun l h Q K => a l h (Q *m K^T)) P L (X *m E) *m U =
      run (fun l h Q K => a l h (Q *m K^T)) W L X].
Proof. by rewrite -N_readoffE -D_readoffE; apply: SharedKeys.readoff_generic. Qed.

(* ---- What all theorems of this page assume ---------------------------------- *)

Definition page :=
  (@shared_key_universality, @readoff_universality, @invertible_targets_read_off,
   @shared_key_generic, @readoff_generic).
Print Assumptions page.
