(** The phases of [StatementSparse.v] as a recursion in whole numbers: l_1, ..., l_n are the ids at the start, N r is
    the global one's; b = delta^-d, r = delta^-nd. *)

From Coq Require Import Arith ZArith Lia.
Open Scope Z_scope.

Section Recursion.
Variables b r NN : Z.
Variable n : nat.
Hypothesis b2 : 2 <= b.
Hypothesis r1 : 1 <= r.
Hypothesis NN1 : 1 <= NN.

(** r g_k is the global id after phase k, f_k the id of token k after its low shift. *)
Fixpoint g (l : nat -> Z) (k : nat) : Z :=
  match k with O => NN | S k => (b * r + 1) * g l k - ((b - 1) * l (S k) + l (S (S k))) end.
Definition f (l : nat -> Z) (k : nat) : Z := b * (r * g l (k - 1)) - (b - 1) * l k.

(** All ids at the start are at least 0 and below the global one. *)
Definition small (l : nat -> Z) : Prop := forall i, (1 <= i <= n)%nat -> 0 <= l i < r * NN.

(** The recursion of the high shift. *)
Lemma g_step l k : r * g l (S k) = r * g l k + r * (f l (S k) - l (S (S k))).
Proof using. unfold f. simpl (S k - 1)%nat. rewrite Nat.sub_0_r. simpl. ring. Qed.

(** f_(k+1) is above the global id before it; the global one goes above it, and grows. *)
Lemma f_above l k : small l -> (k < n)%nat -> r * NN <= r * g l k -> r * g l k < f l (S k).
Proof using All.
  intros Sm Hk H. unfold f. simpl (S k - 1)%nat. rewrite Nat.sub_0_r. specialize (Sm (S k) ltac:(lia)). nia.
Qed.

(** The global one goes above it. *)
Lemma g_above l k : small l -> (S k < n)%nat -> r * NN <= r * g l k -> f l (S k) < r * g l (S k).
Proof using All.
  intros Sm Hk H. pose proof (f_above l k Sm ltac:(lia) H) as FA. rewrite g_step.
  specialize (Sm (S (S k)) ltac:(lia)). set (x := f l (S k)) in *. set (y := r * g l k) in *.
  assert (x - y < r * (x - l (S (S k)))) by nia. lia.
Qed.

(** It never falls below its start. *)
Lemma g_large l k : small l -> (k < n)%nat -> r * NN <= r * g l k.
Proof using All.
  intros Sm. induction k as [|k IH]; intros Hk; [simpl; lia|]. specialize (IH ltac:(lia)).
  pose proof (f_above l k Sm ltac:(lia) IH). pose proof (g_above l k Sm ltac:(lia) IH). lia.
Qed.

(** It grows. *)
Lemma g_grows l j k : small l -> (j <= k < n)%nat -> r * g l j <= r * g l k.
Proof using All.
  intros Sm. induction k as [|k IH]; intros Hk; [replace j with O by lia; lia|].
  destruct (Nat.eq_dec j (S k)) as [->|]; [lia|]. specialize (IH ltac:(lia)).
  pose proof (g_large l k Sm ltac:(lia)) as GL. pose proof (f_above l k Sm ltac:(lia) GL).
  pose proof (g_above l k Sm ltac:(lia) GL). lia.
Qed.

(** So f_1 < ... < f_n: all are above the ids at the start, and f_j is below the later global ids. *)
Lemma f_large l j : small l -> (1 <= j <= n)%nat -> r * NN < f l j.
Proof using All.
  intros Sm Hj. destruct j as [|j]; [lia|]. pose proof (g_large l j Sm ltac:(lia)) as GL.
  pose proof (f_above l j Sm ltac:(lia) GL). lia.
Qed.

(** f_j is below all later global ids. *)
Lemma f_below l j k : small l -> (1 <= j <= k)%nat -> (k < n)%nat -> f l j < r * g l k.
Proof using All.
  intros Sm Hj Hk. destruct j as [|j]; [lia|]. pose proof (g_large l j Sm ltac:(lia)) as GL.
  pose proof (g_above l j Sm ltac:(lia) GL). pose proof (g_grows l (S j) k Sm ltac:(lia)). lia.
Qed.

(** f_1 < ... < f_n. *)
Lemma f_order l i j : small l -> (1 <= i < j)%nat -> (j <= n)%nat -> f l i < f l j.
Proof using All.
  intros Sm Hi Hj. destruct j as [|j]; [lia|]. pose proof (f_below l i j Sm ltac:(lia) ltac:(lia)).
  pose proof (f_above l j Sm ltac:(lia) (g_large l j Sm ltac:(lia))). lia.
Qed.

(** Bounds: g_k <= (b r + 1)^k N, f_k below b r (b r + 1)^n N. *)
Lemma g_upper l k : small l -> (k < n)%nat -> g l k <= (b * r + 1) ^ Z.of_nat k * NN.
Proof using All.
  intros Sm. induction k as [|k IH]; intros Hk; [cbn [g]; change (Z.of_nat 0) with 0; rewrite Z.pow_0_r; lia|].
  specialize (IH ltac:(lia)). rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
  pose proof (Sm (S k) ltac:(lia)). pose proof (Sm (S (S k)) ltac:(lia)). cbn [g].
  assert ((b * r + 1) * g l k <= (b * r + 1) * ((b * r + 1) ^ Z.of_nat k * NN)) by (apply Z.mul_le_mono_nonneg_l; nia).
  nia.
Qed.

(** The bound of f. *)
Lemma f_upper l j : small l -> (1 <= j <= n)%nat -> f l j <= b * r * ((b * r + 1) ^ (Z.of_nat n - 1) * NN).
Proof using All.
  intros Sm Hj. destruct j as [|j]; [lia|]. unfold f. simpl (S j - 1)%nat. rewrite Nat.sub_0_r.
  pose proof (g_upper l j Sm ltac:(lia)) as GU. pose proof (Sm (S j) ltac:(lia)).
  assert ((b * r + 1) ^ Z.of_nat j <= (b * r + 1) ^ (Z.of_nat n - 1)) as P by (apply Z.pow_le_mono_r; [nia|lia]).
  assert (g l j <= (b * r + 1) ^ (Z.of_nat n - 1) * NN) as GN by nia.
  assert (b * r * g l j <= b * r * ((b * r + 1) ^ (Z.of_nat n - 1) * NN)) by (apply Z.mul_le_mono_nonneg_l; nia).
  nia.
Qed.

(** ** Two contexts: their ids differ by b - 1 at most. The last global id and one f tell all. *)
Section Two.
Variables l l' : nat -> Z.
Hypothesis Sl : small l.
Hypothesis Sl' : small l'.
Hypothesis near : forall i, (1 <= i <= n)%nat -> - (b - 1) <= l i - l' i <= b - 1.
Hypothesis room : b <= r.

(** Equal after a phase, equal before; and then the differences of neighbours go together. *)
Lemma g_back k : (S k < n)%nat -> g l (S k) = g l' (S k) ->
  g l k = g l' k /\ l (S (S k)) - l' (S (S k)) = - ((b - 1) * (l (S k) - l' (S k))).
Proof using All.
  intros Hk E. simpl in E. pose proof (near (S k) ltac:(lia)). pose proof (near (S (S k)) ltac:(lia)).
  set (x := l (S k) - l' (S k)) in *. set (y := l (S (S k)) - l' (S (S k))) in *.
  assert ((b * r + 1) * (g l k - g l' k) = (b - 1) * x + y) as E' by (unfold x, y; lia).
  assert (- (b * (b - 1)) <= (b - 1) * x + y <= b * (b - 1)) as Bd by nia.
  assert (b * (b - 1) < b * r + 1) as Lt by nia.
  assert (g l k - g l' k = 0) as Z0 by nia. split; [lia|]. rewrite Z0 in E'. lia.
Qed.

(** Equal at the end, equal in every phase. *)
Lemma g_all k : (k < n)%nat -> g l k = g l' k -> forall j, (j <= k)%nat -> g l j = g l' j.
Proof using All.
  induction k as [|k IH]; intros Hk E j Hj; [replace j with O by lia; reflexivity|].
  destruct (Nat.eq_dec j (S k)) as [->|]; [exact E|]. apply IH; [lia|apply g_back; assumption|lia].
Qed.

(** One f and the last global id tell all ids. *)
Theorem f_tell i j : (1 <= i <= n)%nat -> (1 <= j <= n)%nat -> g l (n - 1) = g l' (n - 1) -> f l i = f l' j ->
  forall k, (1 <= k <= n)%nat -> l k = l' k.
Proof using All.
  intros Hi Hj E Ef. pose proof (g_all (n - 1) ltac:(lia) E) as A.
  assert (i = j) as <-.
  { destruct (Nat.lt_total i j) as [L|[L|L]]; [exfalso|exact L|exfalso].
    - pose proof (f_below l i (j - 1) Sl ltac:(lia) ltac:(lia)) as H. rewrite A in H by lia.
      pose proof (f_above l' (j - 1) Sl' ltac:(lia) (g_large l' (j - 1) Sl' ltac:(lia))) as H'.
      replace (S (j - 1)) with j in H' by lia. lia.
    - pose proof (f_below l' j (i - 1) Sl' ltac:(lia) ltac:(lia)) as H. rewrite <- A in H by lia.
      pose proof (f_above l (i - 1) Sl ltac:(lia) (g_large l (i - 1) Sl ltac:(lia))) as H'.
      replace (S (i - 1)) with i in H' by lia. lia. }
  assert (l i = l' i) as Ei.
  { unfold f in Ef. rewrite (A (i - 1)%nat) in Ef by lia. nia. }
  assert (forall k, (S k < n)%nat -> l (S (S k)) - l' (S (S k)) = - ((b - 1) * (l (S k) - l' (S k)))) as step.
  { intros k Hk. apply g_back; [exact Hk|apply A; lia]. }
  assert (forall k, (i + k <= n)%nat -> l (i + k)%nat = l' (i + k)%nat) as up.
  { induction k as [|k IH]; intros Hk; [rewrite Nat.add_0_r; exact Ei|]. specialize (IH ltac:(lia)).
    specialize (step (i + k - 1)%nat ltac:(lia)). replace (S (i + k - 1)) with (i + k)%nat in step by lia.
    replace (i + S k)%nat with (S (i + k)) by lia. nia. }
  assert (forall k, (k < i)%nat -> l (i - k)%nat = l' (i - k)%nat) as down.
  { induction k as [|k IH]; intros Hk; [rewrite Nat.sub_0_r; exact Ei|]. specialize (IH ltac:(lia)).
    specialize (step (i - S k - 1)%nat ltac:(lia)). replace (S (i - S k - 1)) with (i - S k)%nat in step by lia.
    replace (S (i - S k)) with (i - k)%nat in step by lia. nia. }
  intros k Hk. destruct (Nat.le_gt_cases i k) as [L|L].
  - specialize (up (k - i)%nat ltac:(lia)). replace (i + (k - i))%nat with k in up by lia. exact up.
  - specialize (down (i - k)%nat ltac:(lia)). replace (i - (i - k))%nat with k in down by lia. exact down.
Qed.
End Two.
End Recursion.
