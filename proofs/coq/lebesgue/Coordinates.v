(** Step functions coordinate by coordinate: a matrix as a list of its dn entries, row after row. What [Lebesgue.v]
    needs, with the standard library alone. *)
From Coq Require Import Reals List Arith Lia Lra.
From Contextual.universal Require Import Approximation Sums Sanity.
Import ListNotations.
Open Scope R_scope.

(** The matrix whose entries are x_0, x_1, ..., row after row. *)
Definition as_matrix (n : nat) (x : nat -> R) : matrix := fun i j => x (i * n + j)%nat.
(** The sides of a box in this order. *)
Definition from (n : nat) (b : box) (k : nat) : R := low b (k / n)%nat (k mod n)%nat.
Definition to (n : nat) (b : box) (k : nat) : R := high b (k / n)%nat (k mod n)%nat.

(** A height that isn't negative, on an interval. *)
Definition interval_step (a lo hi : R) : Prop := 0 <= a /\ lo <= hi.

(** The row and the column of an entry. *)
Lemma index_less d n k : (k < d * n)%nat -> (k / n < d)%nat /\ (k mod n < n)%nat.
Proof.
  intros H. assert (n <> 0%nat) by (intros ->; rewrite Nat.mul_0_r in H; lia).
  split; [apply Nat.div_lt_upper_bound; lia|apply Nat.mod_upper_bound; assumption].
Qed.

(** The sides of a box are proper. *)
Lemma from_to d n b k : proper d n b -> (k < d * n)%nat -> from n b k <= to n b k.
Proof. intros [_ H] Hk. apply index_less in Hk. apply H; apply Hk. Qed.

(** A step function: for each box its height, times 1 or 0 for each coordinate. *)
Lemma step_coordinates d n bs x : (0 < n)%nat -> step d n bs (as_matrix n x) =
  total (fun b => height b * prod (d * n) (fun k => chi (from n b k) (to n b k) (x k))) bs.
Proof.
  intros Hn. apply total_ext. intros b _. rewrite inside_chi. f_equal. unfold from, to.
  rewrite <- (prod_flat d n (fun i j => chi (low b i j) (high b i j) (as_matrix n x i j)) Hn).
  apply prod_ext. intros k Hk. unfold as_matrix.
  replace (k / n * n + k mod n)%nat with k by (rewrite (Nat.div_mod k n) at 1; lia). reflexivity.
Qed.

(** Its integral: for each box its height, times the lengths of the sides. *)
Lemma integral_coordinates d n bs : (0 < n)%nat ->
  step_integral d n bs = total (fun b => height b * prod (d * n) (fun k => to n b k - from n b k)) bs.
Proof.
  intros Hn. apply total_ext. intros b _. f_equal. unfold volume, from, to.
  rewrite <- (prod_flat d n (fun i j => high b i j - low b i j) Hn). reflexivity.
Qed.

(** ** One coordinate after the other *)
Definition put (x : nat -> R) (k : nat) (t : R) : nat -> R := fun i => if Nat.eqb i k then t else x i.

(** A box integrated over its first k coordinates: its height, the lengths of these sides, and 1 or 0 for each of the
    others; and the same without coordinate k. *)
Definition partial (n K : nat) (b : box) (k : nat) (x : nat -> R) : R :=
  height b * prod k (fun i => to n b i - from n b i) *
  prod (K - k) (fun i => chi (from n b (k + i)) (to n b (k + i)) (x (k + i)%nat)).
Definition without (n K : nat) (b : box) (k : nat) (x : nat -> R) : R :=
  height b * prod k (fun i => to n b i - from n b i) *
  prod (K - S k) (fun i => chi (from n b (S k + i)) (to n b (S k + i)) (x (S k + i)%nat)).

(** Nothing is integrated yet. *)
Lemma partial_first d n bs x : (0 < n)%nat ->
  step d n bs (as_matrix n x) = total (fun b => partial n (d * n) b 0 x) bs.
Proof.
  intros Hn. rewrite step_coordinates by exact Hn. apply total_ext. intros b _. unfold partial. rewrite Nat.sub_0_r.
  simpl. ring.
Qed.

(** All coordinates are. *)
Lemma partial_last d n bs x : (0 < n)%nat ->
  total (fun b => partial n (d * n) b (d * n) x) bs = step_integral d n bs.
Proof.
  intros Hn. rewrite integral_coordinates by exact Hn. apply total_ext. intros b _. unfold partial.
  rewrite Nat.sub_diag. simpl. ring.
Qed.

(** Coordinate k is t: 1 or 0 for it, times the rest. *)
Lemma partial_before n K b k x t : (k < K)%nat ->
  partial n K b k (put x k t) = without n K b k x * chi (from n b k) (to n b k) t.
Proof.
  intros Hk. unfold partial, without. replace (K - k)%nat with (1 + (K - S k))%nat by lia. rewrite prod_add.
  rewrite (prod_ext 1 _ (fun _ => chi (from n b k) (to n b k) t)),
    (prod_ext (K - S k) _ (fun i => chi (from n b (S k + i)) (to n b (S k + i)) (x (S k + i)%nat))).
  - simpl (prod 1 _). ring.
  - intros i _. replace (k + (1 + i))%nat with (S k + i)%nat by lia. unfold put.
    destruct (Nat.eqb_spec (S k + i) k); [lia|reflexivity].
  - intros i Hi. replace (k + i)%nat with k by lia. unfold put. rewrite Nat.eqb_refl. reflexivity.
Qed.

(** It is integrated: the length of its side, times the rest. *)
Lemma partial_after n K b k x : partial n K b (S k) x = without n K b k x * (to n b k - from n b k).
Proof. unfold partial, without. simpl prod at 1. ring. Qed.

(** A product of factors that aren't negative. *)
Lemma prod_nonneg m f : (forall k, (k < m)%nat -> 0 <= f k) -> 0 <= prod m f.
Proof.
  induction m as [|m IH]; intros H; simpl; [lra|]. apply Rmult_le_pos; [apply IH; intros; apply H; lia|apply H; lia].
Qed.

(** As a function of coordinate k a box is a height, not negative, on an interval. *)
Lemma without_proper d n b k x : proper d n b -> (k < d * n)%nat ->
  interval_step (without n (d * n) b k x) (from n b k) (to n b k).
Proof.
  intros P Hk. split; [|apply (from_to d), Hk; exact P]. apply Rmult_le_pos; [apply Rmult_le_pos|].
  - apply P.
  - apply prod_nonneg. intros i Hi. pose proof (from_to d n b i P ltac:(lia)). lra.
  - apply prod_nonneg. intros i _. unfold chi. destruct (Rle_dec _ _); [destruct (Rle_dec _ _)|]; lra.
Qed.

(** A step function isn't negative. *)
Lemma step_nonneg d n bs X : Forall (proper d n) bs -> 0 <= step d n bs X.
Proof.
  induction 1 as [|b bs [P _] _ IH]; simpl; [lra|]. destruct (inside d n b X); lra.
Qed.
