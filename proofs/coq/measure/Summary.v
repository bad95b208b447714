(* The measure-theoretic theorems, in full, and what they rest on.

   Continues ../Summary.v, ../FormsSummary.v and ../ScoresSummary.v, which restate
   the definitions.  These theorems use
   the real numbers of mathcomp-analysis and its three axioms (propositional and
   functional extensionality, and constructive indefinite description); audit.py
   checks that the kernel prints no other.  The point x of R^nparams, with the
   measure mmu, is the vector of all entries of a backbone; "{ae mu, forall x, A}"
   says that A holds outside a set of mu-measure zero.                           *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets functions.
From mathcomp Require Import signed reals ereal topology normedtype sequences esum measure exp lebesgue_measure.
From mathcomp Require Import lebesgue_integral.
From SsrMultinomials Require Import mpoly.
From Symut Require Import Network Generic FreeWords Residual.
From Symut.measure Require Import Null AlmostEverywhere SharpThreshold Softmax Forms.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Def Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* leb R n is R^(n+1) with Lebesgue measure, as an iterated product.             *)
Theorem definition_lebesgue (R : realType) (n : nat) :
  [/\ mmu (leb R 0) = (@lebesgue_measure R : set _ -> \bar R),
      mmu (leb R n.+1) = product_measure1 (@lebesgue_measure R) (@msf R (leb R n)) :> (set _ -> \bar R) &
      forall (x : R) (y : leb R n) i, coord (x : leb R 0) 0 = x /\
        coord ((x, y) : leb R n.+1) 0 = x /\ coord ((x, y) : leb R n.+1) i.+1 = coord y i].
Proof. by []. Qed.

(* The zero set of a nonzero polynomial function is null.                        *)
Theorem null_set (R : realType) (n : nat) (f : (nat -> R) -> R) :
  (forall v i, exists p : {poly R}, forall t, f (fun j => if j == i then t else v j) = p.[t]) ->
  measurable_fun setT (fun x : leb R n => f (coord x)) ->
  (exists s : leb R n, f (coord s) != 0) ->
  mmu (leb R n) [set x | f (coord x) = 0] = 0%E.
Proof. exact: Null.null_set. Qed.

(* So what a summary proves outside the zero set of a nonzero polynomial holds almost
   everywhere.                                                                   *)
Theorem ae_generic (R : realType) (n e : nat) (A : ('I_n -> R) -> Prop) :
  (exists p : {mpoly R[n]}, [/\ p != 0, (msize p <= e)%N & forall v, p.@[v] != 0 -> A v]) ->
  {ae mmu (leb R n.-1), forall x, A (fun i : 'I_n => coord x i)}.
Proof. exact: AlmostEverywhere.ae_generic. Qed.

(* Below N no backbone is universal; from N on, almost every backbone is.        *)
Theorem sharp_threshold (R : realType) (H : finType) (k L d m : nat) : (0 < d)%N ->
  ((m < N #|H| k L d)%N -> forall (P : weights R H k m) (U : 'M[R]_(m, d)),
     ~ (forall W : weights R H k d, exists E : 'M[R]_(d, m),
        forall n (attn : attention R H k n) (X : 'M[R]_(n, d)),
          run attn P L (X *m E) *m U = run attn W L X)) /\
  ((N #|H| k L d <= m)%N ->
     {ae mmu (leb R (nparams H k d L m).-1), forall x,
        let v (i : 'I_(nparams H k d L m)) := coord x i in
        forall W : weights R H k d, exists E : 'M[R]_(d, m),
        forall n (attn : attention R H k n) (X : 'M[R]_(n, d)),
          run attn (weights_of (unshared L) v) L (X *m E) *m readout_of v = run attn W L X}).
Proof. exact: SharpThreshold.sharp_threshold. Qed.

(* Almost surely under every law nu of the entries that is absolutely continuous. *)
Theorem random_universality (R : realType) (H : finType) (k L d m : nat)
    (nu : {measure set (leb R (nparams H k d L m).-1) -> \bar R}) :
  (N #|H| k L d <= m)%N ->
  (forall A, measurable A -> mmu (leb R (nparams H k d L m).-1) A = 0%E -> nu A = 0%E) ->
  {ae nu, forall x,
     let v (i : 'I_(nparams H k d L m)) := coord x i in
     forall W : weights R H k d, exists E : 'M[R]_(d, m),
     forall n (attn : attention R H k n) (X : 'M[R]_(n, d)),
       run attn (weights_of (unshared L) v) L (X *m E) *m readout_of v = run attn W L X}.
Proof. exact: SharpThreshold.random_universality. Qed.

(* Softmax attention, causal or not, at every inverse temperature beta.          *)
Theorem softmax_threshold (R : realType) (H : finType) (k L d m : nat) :
  (N #|H| k L d <= m)%N ->
  {ae mmu (leb R (nparams H k d L m).-1), forall x,
     let v (i : 'I_(nparams H k d L m)) := coord x i in
     forall W : weights R H k d, exists E : 'M[R]_(d, m),
     forall n (causal : bool) (beta : R) (X : 'M[R]_(n, d)),
       let softmax (l : nat) (h : H) (Q K : 'M[R]_(n, k)) : 'M[R]_n :=
         \matrix_(i, j) let e (s : 'I_n) := if causal && (i < s)%N then 0 else expR (beta * (Q *m K^T) i s) in
                        e j / \sum_s e s in
       run softmax (weights_of (unshared L) v) L (X *m E) *m readout_of v = run softmax W L X}.
Proof. exact: Softmax.softmax_threshold. Qed.

(* Looped backbones: one weight set for all layers.                               *)
Theorem looped_almost_all (R : realType) (H : finType) (k L d m : nat) : (N #|H| k L d <= m)%N ->
  {ae mmu (leb R (nparams H k d 1 m).-1), forall x,
     let v (i : 'I_(nparams H k d 1 m)) := coord x i in
     forall W : weights R H k d, exists E : 'M[R]_(d, m),
     forall n (attn : attention R H k n) (X : 'M[R]_(n, d)),
       run attn (weights_of shared v) L (X *m E) *m readout_of v = run attn W L X}.
Proof. exact: Forms.looped_almost_all. Qed.

(* Residual backbones; residual_run and N_res are restated in ../FormsSummary.v.  *)
Theorem residual_almost_all (R : realType) (H : finType) (k L d m : nat) : (N_res #|H| k L d <= m)%N ->
  {ae mmu (leb R (nparams H k d L m).-1), forall x,
     let v (i : 'I_(nparams H k d L m)) := coord x i in
     forall W : weights R H k d, exists E : 'M[R]_(d, m),
     forall n (attn : attention R H k n) (X : 'M[R]_(n, d)),
       residual_run attn (weights_of (unshared L) v) L (X *m E) *m readout_of v = residual_run attn W L X}.
Proof. exact: Forms.residual_almost_all. Qed.

(* Shared keys, for attention functions a of the scores Q K^T.                    *)
Theorem shared_key_almost_all (R : realType) (H : finType) (L d m : nat) :
  (d * (\sum_(1 <= l < L.+1) (#|H| ^ l + #|H| ^ l.-1) + #|H| ^ L) <= m)%N ->
  {ae mmu (leb R (nfree H [finType of option H] d d L m).-1), forall x,
     let v (i : 'I_(nfree H [finType of option H] d d L m)) := coord x i in
     let P := Weights (fun l h => readers_of v l (Some h)) (fun l _ => readers_of v l None) (letters_of v) in
     forall k (W : weights R H k d), exists E : 'M[R]_(d, m),
     forall n (a : nat -> H -> 'M[R]_n -> 'M[R]_n) (X : 'M[R]_(n, d)),
       run (fun l h Q K => a l h (Q *m K^T)) P L (X *m E) *m output_of v =
       run (fun l h Q K => a l h (Q *m K^T)) W L X}.
Proof. by rewrite -SharedKeys.N_keysE; apply: Forms.shared_key_almost_all. Qed.

(* ---- What all theorems of this page assume ---------------------------------- *)

Definition page :=
  (@definition_lebesgue, @null_set, @ae_generic, @sharp_threshold, @random_universality, @softmax_threshold,
   @looped_almost_all, @residual_almost_all, @shared_key_almost_all).
Print Assumptions page.
