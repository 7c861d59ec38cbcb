(** What one head and one selective shift do (App. B.5): [psi] is the maximum or the minimum of the ids. *)

From Coq Require Import QArith List Arith Bool Lia Lqa Setoid Morphisms.
From Contextual Require Finite.
From Contextual Require Import Statement.
Import ListNotations.
Open Scope Q_scope.

(** ** Sums: [Finite.v]'s, of rationals *)
Lemma Q_sums : Finite.summation Qeq Qplus 0 sum.
Proof. split; try exact _; intros; try ring; [reflexivity|exact (Qred_correct (sum m f + f m))]. Qed.

(** Their order. *)
Lemma Q_order : Finite.ordered Qeq Qplus Qle.
Proof. split; [intros x y ->; apply Qle_refl|exact Qle_trans|exact Qplus_le_compat]. Qed.

Definition sum_S := Finite.more (summation := Q_sums).
Definition sum_ext := Finite.ext Q_sums.
Definition sum_plus := Finite.plus Q_sums.
Definition sum_scale :=
  Finite.scale Q_sums Qmult (fun c _ _ E => Qmult_comp _ _ (Qeq_refl c) _ _ E) Qmult_0_r Qmult_plus_distr_r.
Definition sum_zero := Finite.zero Q_sums.
Definition sum_single := Finite.single Q_sums.
Definition sum_le := Finite.mono Q_sums Q_order.
Definition sum_term := Finite.term Q_sums Q_order.
Definition sum_reorder := Finite.reordered Q_sums.

(** The next number. *)
Lemma of_nat_S k : of_nat (S k) == of_nat k + 1.
Proof. unfold of_nat. rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. reflexivity. Qed.

(** Positive numbers. *)
Lemma of_nat_pos k : (0 < k)%nat -> 0 < of_nat k.
Proof. intros H. unfold of_nat, Qlt; simpl. lia. Qed.

(** Counting. *)
Lemma sum_indicator m (p : nat -> bool) c :
  sum m (fun k => if p k then c else 0) == c * of_nat (length (filter p (seq 0 m))).
Proof.
  induction m as [|m IH]; [simpl; unfold of_nat; simpl; ring|].
  rewrite sum_S, IH, seq_S, filter_app, app_length. simpl.
  destruct (p m); simpl.
  - rewrite Nat.add_1_r, of_nat_S. ring.
  - rewrite Nat.add_0_r. ring.
Qed.

(** ** Hardmax *)
Lemma is_argmax_spec n s i : is_argmax n s i = true <-> forall k, (k < n)%nat -> s k <= s i.
Proof.
  unfold is_argmax. rewrite forallb_forall. split; intros H k Hk.
  - apply Qle_bool_iff, H, in_seq. lia.
  - apply Qle_bool_iff, H. apply in_seq in Hk. lia.
Qed.

(** One of n scores is the largest. *)
Lemma argmax_exists n (s : nat -> Q) : (0 < n)%nat -> exists i, (i < n)%nat /\ forall k, (k < n)%nat -> s k <= s i.
Proof.
  apply (Finite.greatest Qle); [|exact Qle_trans]. intros x y. destruct (Qlt_le_dec x y); [left; lra|right; assumption].
Qed.

(** At least one is. *)
Lemma argmaxima_pos n s : (0 < n)%nat -> (0 < argmaxima n s)%nat.
Proof.
  intros H. destruct (argmax_exists n s H) as [i [Hi Hmax]].
  unfold argmaxima. destruct (filter (is_argmax n s) (seq 0 n)) as [|a l] eqn:E; [|simpl; lia].
  assert (In i (filter (is_argmax n s) (seq 0 n))) as Hin.
  { apply filter_In. split; [apply in_seq; lia|]. apply is_argmax_spec, Hmax. }
  rewrite E in Hin. contradiction.
Qed.

(** The weights of hardmax sum to 1. *)
Lemma hardmax_sum n s : (0 < n)%nat -> sum n (hardmax n s) == 1.
Proof.
  intros H. unfold hardmax. rewrite sum_indicator. fold (argmaxima n s).
  pose proof (of_nat_pos _ (argmaxima_pos n s H)). field. lra.
Qed.

(** If the values at all arg maxima are the same M, so is their mean under hardmax. *)
Lemma hardmax_mean n s v M : (0 < n)%nat ->
  (forall k, (k < n)%nat -> (forall i, (i < n)%nat -> s i <= s k) -> v k == M) ->
  sum n (fun k => v k * hardmax n s k) == M.
Proof.
  intros Hn H.
  rewrite (sum_ext _ _ (fun k => M * hardmax n s k)).
  - rewrite sum_scale, hardmax_sum by exact Hn. ring.
  - intros k Hk. unfold hardmax. destruct (is_argmax n s k) eqn:E; [|ring].
    rewrite (H k Hk); [reflexivity|]. intros i Hi. exact (proj1 (is_argmax_spec n s k) E i Hi).
Qed.

(** ** The heads *)
Definition is_max n (x : nat -> Q) (M : Q) : Prop :=
  (exists k, (k < n)%nat /\ x k == M) /\ forall k, (k < n)%nat -> x k <= M.
Definition is_min n (x : nat -> Q) (m : Q) : Prop :=
  (exists k, (k < n)%nat /\ x k == m) /\ forall k, (k < n)%nat -> m <= x k.

(** b5.head: above the threshold the maximum *)
Lemma head_above d n N c b X j M : (0 < n)%nat ->
  is_max n (id d N X) M -> b < id d N X j -> head_value d n (psi N c b) X j == M.
Proof.
  intros Hn [[k0 [Hk0 E0]] Hmax] Hb. unfold head_value, psi; simpl.
  apply hardmax_mean; [exact Hn|]. intros k Hk Hbest. change (id d N X k == M).
  specialize (Hbest k0 Hk0). change (id d N X k0 * (id d N X j + - b) <= id d N X k * (id d N X j + - b)) in Hbest.
  rewrite E0 in Hbest. apply Qle_antisym; [apply Hmax, Hk|].
  apply Qmult_le_r with (z := id d N X j + - b); [lra|exact Hbest].
Qed.

(** b5.head: below the threshold the minimum *)
Lemma head_below d n N c b X j m : (0 < n)%nat ->
  is_min n (id d N X) m -> id d N X j < b -> head_value d n (psi N c b) X j == m.
Proof.
  intros Hn [[k0 [Hk0 E0]] Hmin] Hb. unfold head_value, psi; simpl.
  apply hardmax_mean; [exact Hn|]. intros k Hk Hbest. change (id d N X k == m).
  specialize (Hbest k0 Hk0). change (id d N X k0 * (id d N X j + - b) <= id d N X k * (id d N X j + - b)) in Hbest.
  rewrite E0 in Hbest. apply Qle_antisym; [|apply Hmin, Hk].
  apply Qmult_le_r with (z := b - id d N X j); [lra|]. lra.
Qed.

(** All ids equal: the mean is that id, whatever the threshold. *)
Lemma head_constant d n N c b X j v : (0 < n)%nat ->
  (forall k, (k < n)%nat -> id d N X k == v) -> head_value d n (psi N c b) X j == v.
Proof. intros Hn H. unfold head_value, psi; simpl. apply hardmax_mean; [exact Hn|]. intros k Hk _. apply H, Hk. Qed.

(** ** The layers *)
(** An id after a layer of heads psi: only the first row has changed, and u_1 = 1. *)
Lemma id_attention d n N (l : list (Q * Q)) X j : (0 < d)%nat ->
  id d N (attention d n (map (fun p => psi N (fst p) (snd p)) l) X) j ==
  id d N X j + fold_right (fun p s => fst p * head_value d n (psi N (fst p) (snd p)) X j + s) 0 l.
Proof.
  intros Hd. unfold id, row.
  rewrite (sum_ext _ _ (fun i => u N i * X i j + u N i * (if Nat.eqb i 0 then
     fold_right (fun p s => fst p * head_value d n (psi N (fst p) (snd p)) X j + s) 0 l else 0))).
  - rewrite sum_plus. apply Qplus_comp; [reflexivity|].
    rewrite (sum_single _ _ 0); [|exact Hd|].
    + simpl. unfold u, of_nat. simpl. ring.
    + intros k _ NE. destruct k; [lia|]. simpl. ring.
  - intros i _. unfold attention. rewrite Qred_correct.
    assert (fold_right (fun h s => W_O h i * head_value d n h X j + s) 0 (map (fun p => psi N (fst p) (snd p)) l) ==
      if Nat.eqb i 0 then fold_right (fun p s => fst p * head_value d n (psi N (fst p) (snd p)) X j + s) 0 l
        else 0) as ->.
    { induction l as [|p l IH]; simpl; [destruct (Nat.eqb i 0); reflexivity|].
      rewrite IH. destruct (Nat.eqb i 0); ring. }
    ring.
Qed.
