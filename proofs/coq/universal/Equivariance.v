(** Blocks commute with permutations of the columns: every network is equivariant, and with an encoding E it is so up to
    E. *)
From Coq Require Import Reals List Arith Bool Lia Lra Psatz Classical ClassicalEpsilon Permutation
  FunctionalExtensionality.
From Contextual Require Import Approximation Sums Boxes.
Import ListNotations.
Open Scope R_scope.

(** ** Every network is equivariant *)
Section Equivariant.
Variables d n h m r : nat.
Variable p : nat -> nat.
Hypothesis perm : permutes n p.
Definition permute (X : matrix) : matrix := fun i j => X i (p j).

(** One head, one block, one network. *)
Lemma attend_permute w X : attend d n m w (permute X) = permute (attend d n m w X).
Proof using perm.
  extensionality i. extensionality j. unfold permute at 2, attend, times at 1 5. apply sum_ext. intros l _. f_equal.
  set (A := times m (transpose (times d (W_K w) X)) (plus (times d (W_Q w) X) (columns (b_Q w)))).
  transitivity (sum n (fun k => times d (W_V w) X l (p k) * softmax n A (p k) (p j))).
  - apply sum_ext. intros k _. f_equal. unfold softmax. f_equal. exact (sum_perm n p (fun k => exp (A k (p j))) perm).
  - exact (sum_perm n p (fun k => times d (W_V w) X l k * softmax n A k (p j)) perm).
Qed.

(** A block commutes with a permutation of the columns. *)
Lemma layer_permute t X : FF d r t (Attn d n h m t (permute X)) = permute (FF d r t (Attn d n h m t X)).
Proof using perm.
  assert (Attn d n h m t (permute X) = permute (Attn d n h m t X)) as E.
  { extensionality i. extensionality j.
    change (X i (p j) + sum h (fun k => attend d n m (heads t k) (permute X) i j) = X i (p j) + sum h (fun k =>
      attend d n m (heads t k) X i (p j))).
    f_equal. apply sum_ext. intros k _. rewrite attend_permute. reflexivity. }
  rewrite E. reflexivity.
Qed.

(** So does a network. *)
Theorem run_permute ts : forall X, run d n h m r ts (permute X) = permute (run d n h m r ts X).
Proof using perm.
  induction ts as [|t ts IH]; intros X; [reflexivity|]. unfold run in *. simpl. rewrite layer_permute. apply IH.
Qed.
End Equivariant.

(** Claim 1: every network is equivariant. *)
Theorem run_equivariant d n h m r ts : equivariant d n (run d n h m r ts).
Proof. intros p H1 H2 X i j _ _. change (run d n h m r ts (permute p X) i j = permute p (run d n h m r ts X) i j).
  rewrite run_permute; [reflexivity|split; assumption]. Qed.

(** ** With an encoding E: X -> (X + E) P - E permutes the output, and keeps volumes. *)
Section Moved.
Variables d n : nat.
Variables p q : nat -> nat.
Hypothesis perm : permutes n p.
Hypothesis perm' : permutes n q.
Hypothesis inv : forall j, (j < n)%nat -> p (q j) = j /\ q (p j) = j.
Variable E : matrix.
Definition moved (X : matrix) : matrix := fun i j => X i (p j) + E i (p j) - E i j.

(** The network with the encoding E. *)
Lemma moved_run h m r ts X : run d n h m r ts (plus (moved X) E) = permute p (run d n h m r ts (plus X E)).
Proof using perm.
  rewrite <- run_permute by exact perm. f_equal. extensionality i. extensionality j. unfold plus, moved, permute. ring.
Qed.

Definition pull (b : box) : box := Box (fun i k => low b i (q k) - E i k + E i (q k)) (fun i k =>
  high b i (q k) - E i k + E i (q k)) (height b).

(** The boxes that [moved] comes from have the same volumes. *)
Lemma pull_inside b X : inside d n (pull b) X = inside d n b (moved X).
Proof using inv perm perm'.
  apply eq_true_iff_eq. rewrite !inside_spec. unfold moved, pull. simpl. split; intros H i j Hi Hj.
  - specialize (H i (p j) Hi (proj1 perm j Hj)). rewrite (proj2 (inv j Hj)) in H. lra.
  - specialize (H i (q j) Hi (proj1 perm' j Hj)). rewrite (proj1 (inv j Hj)) in H. lra.
Qed.

(** A box with its columns in another order has the same volume. *)
Lemma pull_volume b : volume d n (pull b) = volume d n b.
Proof using perm'.
  unfold volume. apply prod_ext. intros i _. rewrite <- (prod_perm n q (fun j => high b i j - low b i j) perm').
  apply prod_ext. intros k _. simpl. ring.
Qed.

(** A step function of such boxes is the step function after a permutation. *)
Lemma pull_step bs X : step d n (map pull bs) X = step d n bs (moved X).
Proof using inv perm perm'. induction bs as [|b bs IH]; simpl; [reflexivity|]. rewrite IH, pull_inside. reflexivity.
  Qed.

(** Its integral is the same. *)
Lemma pull_integral bs : step_integral d n (map pull bs) = step_integral d n bs.
Proof using perm'. induction bs as [|b bs IH]; simpl; [reflexivity|]. rewrite IH, pull_volume. reflexivity. Qed.

(** Its boxes are boxes. *)
Lemma pull_proper bs : Forall (proper d n) bs -> Forall (proper d n) (map pull bs).
Proof using perm'.
  intros H. apply Forall_map. eapply Forall_impl; [|exact H]. intros b [H1 H2]. split; [exact H1|]. intros i j Hi Hj.
  simpl.
  specialize (H2 i (q j) Hi (proj1 perm' j Hj)). lra.
Qed.
End Moved.

Definition swap (j : nat) : nat := match j with O => 1%nat | S O => O | _ => j end.

(** Columns 0 and 1 change places. *)
Lemma swap_permutes n : (2 <= n)%nat -> permutes n swap.
Proof. intros H. split; [intros [|[|j]]; simpl; lia|intros [|[|j]] [|[|k]]; simpl; lia]. Qed.
