(* Networks, attention functions, paths, and why matching paths suffices.

   Claim.  If the program E carries every path product of the target through
   the backbone (the conditions [matches]), then the backbone computes the
   target, for every length, every input and every attention function.

   Main definitions
     weights R H k w   query, key and value matrices (WQ, WK: w x k, WV: w x w)
                       of a network of width w, for every layer and head;
                       the type H is the set of heads
     attention n       an attention function: any function of the query and of
                       the key matrix, which may differ per layer and head
     run attn W l X    the state after l layers, from the input X (n x w)
     pathmx V l p      the product of the value matrices along the path p,
                       which starts in layer l (layers are numbered from 0)
     matches           the path conditions on a program E
     universal         a backbone and a read-out simulate every target; the
                       program comes before the length, the input and attn
     universal_for C   the same for the attention functions of a class C only
   Main result
     sufficiency       matches -> equal outputs

   Reference: Fixed Universal Transformers (arXiv:2605.31423), path matching.   *)

From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Network.
Variables (R : ringType) (H : finType) (k : nat).

(* A network of depth L uses the layers 0, ..., L-1 only. *)
Record weights (w : nat) := Weights {
  WQ : nat -> H -> 'M[R]_(w, k);
  WK : nat -> H -> 'M[R]_(w, k);
  WV : nat -> H -> 'M[R]_w }.

Definition attention n := nat -> H -> 'M[R]_(n, k) -> 'M[R]_(n, k) -> 'M[R]_n.

Fixpoint run n (attn : attention n) w (W : weights w) (l : nat) (X : 'M[R]_(n, w)) : 'M[R]_(n, w) :=
  if l is l'.+1 then
    let Z := run attn W l' X in
    \sum_h attn l' h (Z *m WQ W l' h) (Z *m WK W l' h) *m Z *m WV W l' h
  else X.

Fixpoint pathmx w (V : nat -> H -> 'M[R]_w) (l : nat) (p : seq H) : 'M[R]_w :=
  if p is h :: p' then V l h *m pathmx V l.+1 p' else 1%:M.

Definition matches L d m (W : weights d) (P : weights m) (U : 'M[R]_(m, d)) (E : 'M[R]_(d, m)) : Prop :=
  [/\ forall p h, (size p < L)%N ->
        E *m pathmx (WV P) 0 p *m WQ P (size p) h = pathmx (WV W) 0 p *m WQ W (size p) h,
      forall p h, (size p < L)%N ->
        E *m pathmx (WV P) 0 p *m WK P (size p) h = pathmx (WV W) 0 p *m WK W (size p) h &
      forall p, size p = L -> E *m pathmx (WV P) 0 p *m U = pathmx (WV W) 0 p].

Definition universal L d m (P : weights m) (U : 'M[R]_(m, d)) : Prop :=
  forall W : weights d, exists E : 'M[R]_(d, m),
  forall n (attn : attention n) (X : 'M[R]_(n, d)),
    run attn P L (X *m E) *m U = run attn W L X.

Definition universal_for (C : forall n, attention n -> Prop) L d m (P : weights m) (U : 'M[R]_(m, d)) : Prop :=
  forall W : weights d, exists E : 'M[R]_(d, m),
  forall n (attn : attention n) (X : 'M[R]_(n, d)), C n attn ->
    run attn P L (X *m E) *m U = run attn W L X.

Lemma universal_forW C L d m (P : weights m) (U : 'M[R]_(m, d)) : universal L P U -> universal_for C L P U.
Proof. by move=> univ W; have [E EP] := univ W; exists E => n attn X _; apply: EP. Qed.

Lemma pathmx_rcons w (V : nat -> H -> 'M[R]_w) l p h :
  pathmx V l (rcons p h) = pathmx V l p *m V (l + size p)%N h.
Proof.
elim: p l => [|g p IHp] l /=; first by rewrite mulmx1 mul1mx addn0.
by rewrite IHp mulmxA addSnnS.
Qed.

Lemma eq_pathmx w (V V' : nat -> H -> 'M[R]_w) l p :
  (forall i h, (l <= i < l + size p)%N -> V i h = V' i h) -> pathmx V l p = pathmx V' l p.
Proof.
elim: p l => [|h p IHp] l //= eqV; rewrite eqV ?leqnn /= ?addnS ?ltnS ?leq_addr //.
by rewrite (IHp l.+1) // => i g /andP[li ip]; rewrite eqV // addnS -addSn ip ltnW.
Qed.

(* The state after l layers, read by B, is the sum over the paths of length l;
   by induction it agrees with the target read by C as soon as every path does. *)
Lemma run_matches L d m (W : weights d) (P : weights m) (U : 'M[R]_(m, d)) (E : 'M[R]_(d, m)) :
  matches L W P U E ->
  forall n (attn : attention n) (X : 'M[R]_(n, d)) l c (B : 'M_(m, c)) (C : 'M_(d, c)), (l <= L)%N ->
    (forall p, size p = l -> E *m pathmx (WV P) 0 p *m B = pathmx (WV W) 0 p *m C) ->
  run attn P l (X *m E) *m B = run attn W l X *m C.
Proof.
case=> mQ mK _ n attn X; elim=> [|l IHl] c B C lL HBC.
  by have := HBC [::] erefl; rewrite /= mulmx1 mul1mx -mulmxA => ->.
rewrite /= !mulmx_suml; apply: eq_bigr => h _.
rewrite -!mulmxA.
have -> : run attn P l (X *m E) *m WQ P l h = run attn W l X *m WQ W l h.
  by apply: IHl; [exact: ltnW | move=> p sp; rewrite -sp mQ // sp].
have -> : run attn P l (X *m E) *m WK P l h = run attn W l X *m WK W l h.
  by apply: IHl; [exact: ltnW | move=> p sp; rewrite -sp mK // sp].
congr (_ *m _); apply: IHl; first exact: ltnW.
move=> p sp; have := HBC (rcons p h).
by rewrite size_rcons sp !pathmx_rcons add0n sp -!mulmxA; apply.
Qed.

Theorem sufficiency L d m (W : weights d) (P : weights m) (U : 'M[R]_(m, d)) (E : 'M[R]_(d, m)) :
  matches L W P U E ->
  forall n (attn : attention n) (X : 'M[R]_(n, d)),
    run attn P L (X *m E) *m U = run attn W L X.
Proof.
move=> mE n attn X; have [_ _ mU] := mE.
rewrite (@run_matches _ _ _ _ _ _ _ mE _ _ _ _ _ U 1%:M) ?mulmx1 // => p sp.
by rewrite mulmx1 mU.
Qed.

End Network.
