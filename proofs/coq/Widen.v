(* A wider backbone can do no less.

   Claim.  A backbone of width w, put into the first w of m >= w coordinates,
   keeps its block matrix in its first w rows and is universal if it was.

   Main definitions
     widen m P, widenU m U   the backbone and the read-out in width m
   Main results
     blockmx_widen           pid_mx w *m blockmx (widen m P) = blockmx P
     widen_universal         universal at width w -> universal at width m >= w
     universal_at_every_width  a universal backbone exists at every m >= N      *)

From mathcomp Require Import all_ssreflect all_algebra.
From Symut Require Import Network Slots BlockMatrix Sparse.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Widen.
Variables (R : ringType) (H : finType) (k L d w m : nat).
Hypothesis wm : (w <= m)%N.
Variables (P : weights R H k w) (U : 'M[R]_(w, d)).

Let J : 'M[R]_(w, m) := pid_mx w.
Let I : 'M[R]_(m, w) := pid_mx w.

Definition widen : weights R H k m :=
  Weights (fun l h => I *m WQ P l h) (fun l h => I *m WK P l h) (fun l h => I *m WV P l h *m J).
Definition widenU : 'M[R]_(m, d) := I *m U.

Lemma mul_JI : J *m I = 1%:M.
Proof. by rewrite pid_mx_id // pid_mx_1. Qed.

Lemma blockmx_widen : J *m blockmx L widen widenU = blockmx L P U.
Proof.
apply: intertwined_blockmx => [l h|]; last by rewrite /widenU mulmxA mul_JI mul1mx.
by split; rewrite /= !mulmxA mul_JI mul1mx.
Qed.

Lemma run_widen n (attn : attention R H k n) (X : 'M[R]_(n, w)) l :
  run attn widen l (X *m J) = run attn P l X *m J.
Proof.
elim: l => [|l IHl] //=; rewrite IHl mulmx_suml; apply: eq_bigr => h _.
by rewrite -!mulmxA ![J *m (I *m _)]mulmxA mul_JI !mul1mx.
Qed.

Theorem widen_universal : universal L P U -> universal L widen widenU.
Proof.
move=> univ W; have [E EP] := univ W; exists (E *m J) => n attn X.
by rewrite mulmxA run_widen /widenU -mulmxA [J *m _]mulmxA mul_JI mul1mx.
Qed.
End Widen.

Corollary universal_at_every_width (R : ringType) (H : finType) (k L d m : nat) :
  (N #|H| k L d <= m)%N -> exists (P : weights R H k m) (U : 'M[R]_(m, d)), universal L P U.
Proof.
move=> Nm; have [P [U [_ _ univ]]] := sparse_universality R H k L d.
by exists (widen m P), (widenU m U); apply: widen_universal.
Qed.
