(** Finite sums in any commutative monoid, up to an equality of its own: sums of rationals, of real and of whole
    numbers, products; and the greatest of finitely many. *)
From Coq Require Import List Arith Lia Setoid Morphisms Permutation.
From Contextual Require Import Permutations.
Import ListNotations.

(** [sum m f] is f 0 + ... + f (m-1), where + is [op], and e for m = 0. *)
Class summation {A} (eqv : A -> A -> Prop) (op : A -> A -> A) (e : A) (sum : nat -> (nat -> A) -> A) : Prop := {
  equal :> Equivalence eqv;
  proper :> Proper (eqv ==> eqv ==> eqv) op;
  assoc : forall x y z, eqv (op x (op y z)) (op (op x y) z);
  comm : forall x y, eqv (op x y) (op y x);
  unit : forall x, eqv (op e x) x;
  none : forall f, eqv (sum O f) e;
  more : forall m f, eqv (sum (S m) f) (op (sum m f) (f m)) }.

(** An order in which sums of larger terms are larger. *)
Record ordered {A} (eqv : A -> A -> Prop) (op : A -> A -> A) (le : A -> A -> Prop) : Prop := Ordered {
  le_equal : forall x y, eqv x y -> le x y;
  le_trans : forall x y z, le x y -> le y z -> le x z;
  le_op : forall x y z t, le x y -> le z t -> le (op x z) (op y t) }.

Section Sums.
Context {A : Type} {eqv : A -> A -> Prop} {op : A -> A -> A} {e : A} {sum : nat -> (nat -> A) -> A}.
Variable sums : summation eqv op e sum.
Infix "==" := eqv (at level 70).
Infix "+" := op.

(** Equal terms, equal sums. *)
Lemma ext m f g : (forall k, (k < m)%nat -> f k == g k) -> sum m f == sum m g.
Proof using sums.
  induction m as [|m IH]; intros E; [rewrite !none; reflexivity|]. rewrite !more, IH, E by auto. reflexivity.
Qed.

(** The sum of sums. *)
Lemma plus m f g : sum m (fun k => f k + g k) == sum m f + sum m g.
Proof using sums.
  induction m as [|m IH]; [rewrite !none, unit; reflexivity|]. rewrite !more, IH, <- !assoc.
  apply proper; [reflexivity|]. rewrite !assoc, (comm (sum m g)). reflexivity.
Qed.

(** The sum of multiples. *)
Lemma scale (mul : A -> A -> A) : (forall c x y, x == y -> mul c x == mul c y) -> (forall c, mul c e == e) ->
  (forall c x y, mul c (x + y) == mul c x + mul c y) -> forall m c f, sum m (fun k => mul c (f k)) == mul c (sum m f).
Proof using sums.
  intros P M0 M m c f. induction m as [|m IH]; [|rewrite !more, IH, <- M; apply P; symmetry; apply more].
  rewrite none, <- (M0 c). apply P. symmetry. apply none.
Qed.

(** A sum of zeros. *)
Lemma zero m f : (forall k, (k < m)%nat -> f k == e) -> sum m f == e.
Proof using sums.
  induction m as [|m IH]; intros E; [apply none|]. rewrite more, IH, E, unit by auto. reflexivity.
Qed.

(** A sum of zeros, but for one term. *)
Lemma single m f k : (k < m)%nat -> (forall i, (i < m)%nat -> i <> k -> f i == e) -> sum m f == f k.
Proof using sums.
  induction m as [|m IH]; intros Hk E; [lia|]. rewrite more. destruct (Nat.eq_dec k m) as [->|NE].
  - rewrite zero, unit; [reflexivity|]. intros i Hi. apply E; lia.
  - rewrite IH, (E m), comm, unit by (intros; try apply E; lia). reflexivity.
Qed.

(** A sum, over a list; so in any order. *)
Lemma listed m f : sum m f == fold_right op e (map f (seq 0 m)).
Proof using sums.
  assert (forall l a, fold_right op a l == fold_right op e l + a) as G.
  { induction l as [|x l IH]; intros a; simpl; [rewrite unit; reflexivity|]. rewrite IH, assoc. reflexivity. }
  induction m as [|m IH]; [apply none|]. rewrite more, seq_S, map_app, fold_right_app, G, <- IH. simpl.
  rewrite (comm _ e), unit. reflexivity.
Qed.

(** In another order. *)
Lemma reordered n p f : permutes n p -> sum n (fun j => f (p j)) == sum n f.
Proof using sums.
  intros H. apply permutes_list, (Permutation_map f) in H. rewrite map_map in H. rewrite !listed.
  induction H as [|x l l' _ IH|x y l|l l' l'' _ IH _ IH']; simpl; [reflexivity|rewrite IH; reflexivity| |].
  - rewrite !assoc, (comm x). reflexivity.
  - rewrite IH. exact IH'.
Qed.

(** What adds terms adds sums. *)
Lemma image {B eqv' op' e' sum'} (its : @summation B eqv' op' e' sum') (h : A -> B) :
  (forall x y, x == y -> eqv' (h x) (h y)) -> eqv' (h e) e' -> (forall x y, eqv' (h (x + y)) (op' (h x) (h y))) ->
  forall m f, eqv' (h (sum m f)) (sum' m (fun k => h (f k))).
Proof using sums.
  intros P H0 H1 m f. induction m as [|m IH]; [rewrite (P _ _ (none f)), none; exact H0|].
  rewrite (P _ _ (more m f)), more, H1, IH. reflexivity.
Qed.

(** ** In order *)
Context {le : A -> A -> Prop}.
Variable order : ordered eqv op le.

(** Larger terms, larger sum. *)
Lemma mono m f g : (forall k, (k < m)%nat -> le (f k) (g k)) -> le (sum m f) (sum m g).
Proof using sums order.
  destruct order as [E T P]. induction m as [|m IH]; intros G; [apply E; rewrite !none; reflexivity|].
  apply T with (sum m f + f m); [apply E, more|]. apply T with (sum m g + g m); [|apply E; symmetry; apply more].
  apply P; auto.
Qed.

(** A sum of terms that aren't negative. *)
Lemma nonneg m f : (forall k, (k < m)%nat -> le e (f k)) -> le e (sum m f).
Proof using sums order.
  intros G. destruct order as [E T P]. apply T with (sum m (fun _ => e)); [|apply mono, G].
  apply E. symmetry. apply zero. reflexivity.
Qed.

(** One of them is at most the sum. *)
Lemma term m f k : (forall i, (i < m)%nat -> le e (f i)) -> (k < m)%nat -> le (f k) (sum m f).
Proof using sums order.
  intros G Hk. destruct order as [E T P]. set (g := fun i => if Nat.eq_dec i k then f k else e).
  apply T with (sum m g).
  - apply E. rewrite (single m g k Hk); unfold g; [destruct (Nat.eq_dec k k); [reflexivity|contradiction]|].
    intros i _ NE. destruct (Nat.eq_dec i k); [contradiction|reflexivity].
  - apply mono. intros i Hi. unfold g. destruct (Nat.eq_dec i k) as [->|]; [apply E; reflexivity|apply G, Hi].
Qed.
End Sums.

(** Whole numbers, added up. *)
Definition add_up (m : nat) (f : nat -> nat) : nat := list_sum (map f (seq 0 m)).

(** These are such sums. *)
Lemma N_sums : summation eq Nat.add O add_up.
Proof.
  split; try exact _; intros; try lia; [reflexivity|]. unfold add_up. rewrite seq_S, map_app, list_sum_app. simpl. lia.
Qed.

(** One of finitely many is the greatest. *)
Lemma greatest {A} (le : A -> A -> Prop) : (forall x y, le x y \/ le y x) ->
  (forall x y z, le x y -> le y z -> le x z) -> forall n (y : nat -> A), (0 < n)%nat ->
  exists i, (i < n)%nat /\ forall k, (k < n)%nat -> le (y k) (y i).
Proof.
  intros total trans n y. assert (forall x, le x x) as refl by (intros x; destruct (total x x); assumption).
  induction n as [|[|n] IH]; intros H; [lia|exists O; split; [lia|]; intros k Hk; replace k with O by lia; apply refl|].
  destruct IH as [i [Hi G]]; [lia|]. destruct (total (y i) (y (S n))) as [L|L]; [exists (S n)|exists i];
    (split; [lia|]; intros k Hk; destruct (Nat.eq_dec k (S n)) as [->|]; [auto|]).
  - apply trans with (y i); [apply G; lia|exact L].
  - apply G. lia.
Qed.
