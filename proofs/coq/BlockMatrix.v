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

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import Network Slots.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

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
