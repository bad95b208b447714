(* Networks, their path conditions, and the block matrix.

   Parts
     Networks, attention functions, paths, and why matching paths suffices.
     Slots, and their number N(H, L, d, k).
     The block matrix M(R): the path conditions as one linear system.   *)

From mathcomp Require Import all_ssreflect ssralg zmodp matrix mxalgebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

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

(* Slots, and their number N(H, L, d, k).

   Claim.  The path conditions on a program are N scalar columns, where
     N = 2k (H + H^2 + ... + H^L) + d H^L.

   Main definitions
     slot H k L d    one scalar column: (layer, path, head, query or key, column)
                     or (full path, column); H is the set of heads
     N H k L d       the number of slots, for H heads; it computes
     spath s         the path of the slot s
   Main results
     card_slot       #|slot H k L d| = N #|H| k L d
     NE              N as the sum above

   Reference: Fixed Universal Transformers (arXiv:2605.31423).                  *)

Local Open Scope nat_scope.

(* H + H^2 + ... + H^L *)
Fixpoint powers (H L : nat) : nat := if L is l.+1 then powers H l + H ^ l.+1 else 0.

Definition N (H k L d : nat) : nat := 2 * k * powers H L + d * H ^ L.

Lemma powersE H L : powers H L = \sum_(1 <= l < L.+1) H ^ l.
Proof. by elim: L => [|L IHL] /=; [rewrite big_geq | rewrite big_nat_recr //= IHL]. Qed.

Lemma NE H k L d : N H k L d = 2 * k * (\sum_(1 <= l < L.+1) H ^ l) + d * H ^ L.
Proof. by rewrite /N powersE. Qed.

Lemma N_gt0 H k L d : 0 < H -> 0 < d -> 0 < N H k L d.
Proof. by move=> H0 d0; rewrite /N ltn_addl // muln_gt0 d0 expn_gt0 H0. Qed.

Notation slotT H k L := (fun l : 'I_L => (l.-tuple H * H * bool * 'I_k)%type).

(* The layer l is 0, ..., L-1; its paths have length l.  The boolean tells the
   queries (true) from the keys (false). *)
Definition slot (H : finType) (k L d : nat) : finType :=
  [finType of {l : 'I_L & (l.-tuple H * H * bool * 'I_k)%type} + (L.-tuple H * 'I_d)]%type.

Lemma card_slot (H : finType) k L d : #|slot H k L d| = N #|H| k L d.
Proof.
rewrite NE /slot card_sum card_prod card_tuple card_ord [d * _]mulnC; congr (_ + _).
rewrite card_tagged sumnE big_map big_enum /= big_add1 /= big_mkord big_distrr /=.
apply: eq_bigr => l _.
by rewrite !card_prod card_tuple card_bool card_ord -expnSr -mulnA mulnC.
Qed.

Definition spath (H : finType) (k L d : nat) (s : slot H k L d) : seq H :=
  match s with inl (existT l (p, h, c, i)) => p | inr (p, i) => p end.

Lemma eq_slot (H : finType) k L d (l l' : 'I_L) (p : l.-tuple H) (p' : l'.-tuple H) h h' c c' (i i' : 'I_k) :
  (inl (Tagged (slotT H k L) (p', h', c', i')) == inl (Tagged (slotT H k L) (p, h, c, i)) :> slot H k L d) =
  [&& l' == l :> nat, p' == p :> seq H, h' == h, c' == c & i' == i].
Proof.
apply/eqP/and5P => [e | [/eqP/val_inj el /eqP ep /eqP-> /eqP-> /eqP->]]; last by subst l'; rewrite (val_inj ep).
pose f (s : slot H k L d) := if s is inl (existT l (p, h, c, i)) then Some (val l, val p, h, c, i) else None.
by have /= [el ep eh ec ei] := congr1 f e; split; apply/eqP.
Qed.

Local Close Scope nat_scope.

(* The block matrix M(R): the path conditions as one linear system.

   Claim.  E matches all paths of the target W if and only if E M(P) = M(W),
   so a backbone whose block matrix has a left inverse is universal.

   Main definitions
     blockmx L P U     the block matrix M, with one column per slot: the columns
                       of pathmx * WQ, pathmx * WK and pathmx * U.  The target's
                       own right-hand side is blockmx L W 1%:M
     entry P U a s     its entry in row a and in the column of the slot s
     map_weights f P   the weights with f applied to every entry
   Main results
     blockmxP                  E *m blockmx P U = blockmx W 1 <-> matches
     left_inverse_universal    B *m blockmx P U = 1 -> universal
     intertwined_blockmx       a map that commutes with the networks carries one
                               block matrix to the other (used to change widths)
     eq_blockmx, map_blockmx   M depends on the layers below L only, and
                               commutes with ring morphisms

   Reference: Fixed Universal Transformers (arXiv:2605.31423).                  *)

Section BlockMatrix.
Variables (H : finType) (k L d : nat).
Notation slot := (slot H k L d).

Section Ring.
Variable R : ringType.

Definition entry w (P : weights R H k w) (U : 'M[R]_(w, d)) (a : 'I_w) (s : slot) : R :=
  match s with
  | inl (existT l (p, h, c, i)) =>
      (pathmx (WV P) 0 p *m (if c then WQ P l h else WK P l h)) a i
  | inr (p, i) => (pathmx (WV P) 0 p *m U) a i
  end.

Definition blockmx w (P : weights R H k w) (U : 'M[R]_(w, d)) : 'M[R]_(w, #|slot|) :=
  \matrix_(a, j) entry P U a (enum_val j).

Lemma blockmxE w (P : weights R H k w) (U : 'M[R]_(w, d)) a (s : slot) :
  blockmx P U a (enum_rank s) = entry P U a s.
Proof. by rewrite mxE enum_rankK. Qed.

Lemma mul_blockmxE m w (A : 'M[R]_(m, w)) (P : weights R H k w) (U : 'M[R]_(w, d)) b (s : slot) :
  (A *m blockmx P U) b (enum_rank s) = \sum_a A b a * entry P U a s.
Proof. by rewrite mxE; apply: eq_bigr => a _; rewrite blockmxE. Qed.

Lemma blockmxP m (W : weights R H k d) (P : weights R H k m) (U : 'M[R]_(m, d)) (E : 'M[R]_(d, m)) :
  E *m blockmx P U = blockmx W 1%:M <-> matches L W P U E.
Proof.
split=> [eqEM | [mQ mK mU]].
  have ent b s : \sum_a E b a * entry P U a s = entry W 1%:M b s.
    by rewrite -mul_blockmxE -blockmxE eqEM.
  split=> [p h sp|p h sp|p sp]; apply/matrixP=> b i; rewrite -?mulmxA.
  - have := ent b (inl (Tagged (slotT H k L) (i := Ordinal sp) (in_tuple p, h, true, i))).
    by rewrite /= => <-; rewrite mxE.
  - have := ent b (inl (Tagged (slotT H k L) (i := Ordinal sp) (in_tuple p, h, false, i))).
    by rewrite /= => <-; rewrite mxE.
  - have := ent b (inr (tcast sp (in_tuple p), i)).
    by rewrite /= val_tcast mulmx1 => <-; rewrite mxE.
apply/matrixP=> b j; rewrite -[j]enum_valK mul_blockmxE blockmxE.
case: (enum_val j) => [[l [[[p h] c] i]] | [p i]] /=.
  have sp : (size p < L)%N by rewrite size_tuple.
  have /matrixP/(_ b i) := mQ p h sp; have /matrixP/(_ b i) := mK p h sp.
  by rewrite size_tuple; case: c => eK eQ; [rewrite -eQ | rewrite -eK]; rewrite -mulmxA mxE.
have /matrixP/(_ b i) := mU p (size_tuple p).
by rewrite mulmx1 => <-; rewrite -mulmxA mxE.
Qed.

Theorem left_inverse_universal m (P : weights R H k m) (U : 'M[R]_(m, d)) (B : 'M[R]_(#|slot|, m)) :
  B *m blockmx P U = 1%:M -> universal L P U.
Proof.
move=> BM W; exists (blockmx W 1%:M *m B) => n attn X; apply: sufficiency.
by apply/blockmxP; rewrite -mulmxA BM mulmx1.
Qed.

Definition eq_below w (P Q : weights R H k w) : Prop :=
  forall l h, (l < L)%N -> [/\ WQ P l h = WQ Q l h, WK P l h = WK Q l h & WV P l h = WV Q l h].

Lemma eq_blockmx w (P Q : weights R H k w) (U : 'M[R]_(w, d)) :
  eq_below P Q -> blockmx P U = blockmx Q U.
Proof.
move=> eqPQ.
have epath p : (size p <= L)%N -> pathmx (WV P) 0 p = pathmx (WV Q) 0 p.
  move=> sp; apply: eq_pathmx => i h /andP[_ ip].
  by have [] := eqPQ i h (leq_trans ip sp).
apply/matrixP=> a j; rewrite !mxE.
case: (enum_val j) => [[l [[[p h] c] i]] | [p i]] /=; rewrite epath ?size_tuple ?(ltnW (ltn_ord _)) //.
by have [-> -> _] := eqPQ l h (ltn_ord l).
Qed.

(* J maps the coordinates of P to those of Q and commutes with the layers. *)
Lemma intertwined_blockmx v w (J : 'M[R]_(v, w)) (P : weights R H k w) (U : 'M[R]_(w, d))
    (Q : weights R H k v) (T : 'M[R]_(v, d)) :
  (forall l h, [/\ J *m WQ P l h = WQ Q l h, J *m WK P l h = WK Q l h & J *m WV P l h = WV Q l h *m J]) ->
  J *m U = T -> J *m blockmx P U = blockmx Q T.
Proof.
move=> JW JU.
have Jpath l p : J *m pathmx (WV P) l p = pathmx (WV Q) l p *m J.
  elim: p l => [|h p IHp] l /=; first by rewrite mulmx1 mul1mx.
  by have [_ _ JV] := JW l h; rewrite mulmxA JV -mulmxA IHp mulmxA.
apply/matrixP=> b j; rewrite -[j]enum_valK mul_blockmxE blockmxE.
case: (enum_val j) => [[l [[[p h] c] i]] | [p i]] /=.
  have [JQ JK _] := JW l h; rewrite -JQ -JK.
  by case: c; rewrite mulmxA -Jpath -mulmxA mxE.
by rewrite -JU mulmxA -Jpath -mulmxA mxE.
Qed.
End Ring.

Section Morphism.
Variables (R S : ringType) (f : {rmorphism R -> S}).

Definition map_weights w (P : weights R H k w) : weights S H k w :=
  Weights (fun l h => map_mx f (WQ P l h)) (fun l h => map_mx f (WK P l h))
          (fun l h => map_mx f (WV P l h)).

Lemma map_pathmx w (P : weights R H k w) l p :
  pathmx (WV (map_weights P)) l p = map_mx f (pathmx (WV P) l p).
Proof. by elim: p l => [|h p IHp] l /=; rewrite ?map_mx1 // IHp map_mxM. Qed.

Lemma map_blockmx w (P : weights R H k w) (U : 'M[R]_(w, d)) :
  blockmx (map_weights P) (map_mx f U) = map_mx f (blockmx P U).
Proof.
apply/matrixP=> a j; rewrite !mxE.
case: (enum_val j) => [[l [[[p h] c] i]] | [p i]]; rewrite /= map_pathmx; last by rewrite -map_mxM mxE.
by case: c; rewrite -map_mxM mxE.
Qed.
End Morphism.
End BlockMatrix.

(* Only the layers below L of a network matter. *)
Lemma eq_run (R : ringType) (H : finType) k n (a : attention R H k n) w (W W' : weights R H k w) L X :
  eq_below L W W' -> run a W L X = run a W' L X.
Proof.
elim: L => //= L IH eW; rewrite IH => [|l h lL]; last exact: eW (ltnW lL).
by apply: eq_bigr => h _; have [-> -> ->] := eW L h (ltnSn L).
Qed.
