(** Softmax against max, with explicit errors and no limit. Where all scores are a rate times the value read, the mean
    is within n / |rate| of the largest value (of the smallest one, if the rate is negative), ties or no ties. *)
From Coq Require Import Reals List Arith Lia Lra Psatz.
From Contextual Require Import Approximation Sums.
Import ListNotations.
Open Scope R_scope.

(** What softmax gives to each of n scores; and the mean of values v that it makes. *)
Definition weight (n : nat) (s : nat -> R) (i : nat) : R := exp (s i) / sum n (fun k => exp (s k)).
Definition mean (n : nat) (s v : nat -> R) : R := sum n (fun k => v k * weight n s k).

Section Softmax.
Variable n : nat.
Hypothesis n1 : (0 < n)%nat.

(** Exponentials are positive, and so is their sum. *)
Lemma denominator s : 0 < sum n (fun k => exp (s k)).
Proof using n1. apply sum_pos; [exact n1|]. intros. apply exp_pos. Qed.

(** Softmax's weights are positive. *)
Lemma weight_pos s i : 0 < weight n s i.
Proof using n1. apply Rdiv_lt_0_compat; [apply exp_pos|apply denominator]. Qed.

(** The weights add up to 1. *)
Lemma weight_sum s : sum n (weight n s) = 1.
Proof using n1.
  pose proof (denominator s). unfold weight, Rdiv.
  rewrite (sum_ext _ _ (fun k => / sum n (fun k => exp (s k)) * exp (s k))).
  - rewrite sum_scale. field. lra.
  - intros. lra.
Qed.

(** Means commute with shifts and signs, and lie between bounds of the values. *)
Lemma mean_shift s v c : mean n s (fun k => v k + c) = mean n s v + c.
Proof using n1.
  unfold mean. rewrite (sum_ext _ _ (fun k => v k * weight n s k + c * weight n s k)) by (intros; lra).
  rewrite sum_plus, sum_scale, weight_sum. lra.
Qed.

(** The mean of the negatives. *)
Lemma mean_opp s v : mean n s (fun k => - v k) = - mean n s v.
Proof using.
  unfold mean. rewrite (sum_ext _ _ (fun k => -1 * (v k * weight n s k))) by (intros; lra). rewrite sum_scale. lra.
Qed.

(** A mean is at most a bound of all. *)
Lemma mean_le s v M : (forall k, (k < n)%nat -> v k <= M) -> mean n s v <= M.
Proof using n1.
  intros H. rewrite <- (Rmult_1_r M), <- (weight_sum s), <- sum_scale. apply sum_le. intros k Hk.
  apply Rmult_le_compat_r; [apply Rlt_le, weight_pos|apply H, Hk].
Qed.

(** And at least a lower bound of all. *)
Lemma mean_ge s v m : (forall k, (k < n)%nat -> m <= v k) -> m <= mean n s v.
Proof using n1.
  intros H. rewrite <- (Rmult_1_r m), <- (weight_sum s), <- sum_scale. apply sum_le. intros k Hk.
  apply Rmult_le_compat_r; [apply Rlt_le, weight_pos|apply H, Hk].
Qed.

(** A weight is small where another score is much larger. *)
Lemma weight_le_exp s i k : (k < n)%nat -> weight n s i <= exp (s i - s k).
Proof using n1.
  intros Hk. pose proof (denominator s) as D. unfold weight, Rminus. rewrite exp_plus, exp_Ropp.
  apply Rmult_le_compat_l; [apply Rlt_le, exp_pos|]. apply Rinv_le_contravar; [apply exp_pos|].
  apply (sum_term n (fun k => exp (s k))); [|exact Hk]. intros. apply Rlt_le, exp_pos.
Qed.

(** ** Without a gap: the scores of the construction are c . id, and the head reads ids *)
Lemma t_exp t : t * exp (- t) <= 1.
Proof using.
  pose proof (exp_pos (- t)). destruct (Rle_lt_dec t 0); [nra|].
  pose proof (exp_ineq1 t ltac:(lra)). assert (exp t * exp (- t) = 1) by (rewrite <- exp_plus, Rplus_opp_r;
    apply exp_0). nra.
Qed.

(** A positive rate c: within n / c of the largest value. *)
Theorem head_max v c M : 0 < c -> (exists k, (k < n)%nat /\ v k = M) -> (forall k, (k < n)%nat -> v k <= M) ->
  M - INR n / c <= mean n (fun k => c * v k) v <= M.
Proof using n1.
  intros Hc [k0 [Hk0 E0]] HM. split; [|apply mean_le, HM].
  assert (M - mean n (fun k => c * v k) v = mean n (fun k => c * v k) (fun k => - v k + M)) as E
    by (rewrite mean_shift, mean_opp; lra).
  assert (mean n (fun k => c * v k) (fun k => - v k + M) <= sum n (fun _ => / c)) as B.
  { apply sum_le. intros k Hk. specialize (HM k Hk).
    apply Rle_trans with ((- v k + M) * exp (c * v k - c * v k0)).
    - apply Rmult_le_compat_l; [lra|]. apply (weight_le_exp (fun i => c * v i)), Hk0.
    - rewrite E0. replace (c * v k - c * M) with (- (c * (- v k + M))) by ring.
      apply Rmult_le_reg_l with c; [exact Hc|]. rewrite <- Rmult_assoc, Rinv_r by lra. apply t_exp. }
  rewrite sum_const in B. unfold Rdiv. lra.
Qed.

(** A negative one: within n / |c| of the smallest. *)
Theorem head_min v c m : c < 0 -> (exists k, (k < n)%nat /\ v k = m) -> (forall k, (k < n)%nat -> m <= v k) ->
  m <= mean n (fun k => c * v k) v <= m + INR n / - c.
Proof using n1.
  intros Hc [k0 [Hk0 E0]] Hm.
  destruct (head_max (fun k => - v k) (- c) (- m)) as [L U]; [lra|exists k0; split; [exact Hk0|lra]| |].
  { intros k Hk. specialize (Hm k Hk). lra. }
  assert (mean n (fun k => - c * - v k) (fun k => - v k) = - mean n (fun k => c * v k) v) as E.
  { rewrite mean_opp. f_equal. unfold mean, weight. apply sum_ext. intros k Hk. f_equal.
    rewrite (sum_ext n (fun k => exp (- c * - v k)) (fun k => exp (c * v k))).
    - replace (- c * - v k) with (c * v k) by ring. reflexivity.
    - intros. f_equal. ring. }
  rewrite E in L, U. lra.
Qed.

(** ** The mean grows with the rate (its derivative is a variance); what keeps a sentinel above *)
Theorem mean_monotone v a b : b <= a -> mean n (fun k => b * v k) v <= mean n (fun k => a * v k) v.
Proof using n1.
  intros Hab. set (f := fun c k => exp (c * v k)). pose proof (denominator (fun k => a * v k)) as Da.
  pose proof (denominator (fun k => b * v k)) as Db.
  assert (forall c, mean n (fun k => c * v k) v = sum n (fun k => v k * f c k) / sum n (f c)) as Em.
  { intros c. unfold mean, weight, Rdiv. rewrite Rmult_comm, <- sum_scale. apply sum_ext. intros. unfold f. ring. }
  rewrite !Em. change (0 < sum n (f a)) in Da. change (0 < sum n (f b)) in Db.
  assert (0 <= sum n (fun i => sum n (fun k => (v i - v k) * (f a i * f b k - f a k * f b i)))) as H.
  { apply sum_nonneg. intros i _. apply sum_nonneg. intros k _. unfold f. rewrite <- !exp_plus.
    destruct (Rle_lt_dec (v k) (v i)) as [L|L].
    - assert (exp (a * v k + b * v i) <= exp (a * v i + b * v k)); [|nra].
      assert (a * v k + b * v i <= a * v i + b * v k) as [Lt|Eq] by nra; [left; apply exp_increasing, Lt|rewrite Eq;
        lra].
    - assert (exp (a * v i + b * v k) <= exp (a * v k + b * v i)); [|nra].
      assert (a * v i + b * v k <= a * v k + b * v i) as [Lt|Eq] by nra; [left; apply exp_increasing, Lt|rewrite Eq;
        lra]. }
  assert (forall g h, sum n (fun i => sum n (fun k => g i * h k)) = sum n g * sum n h) as P.
  { intros g h. rewrite (sum_ext n (fun i => sum n (fun k => g i * h k)) (fun i => sum n h * g i)).
    - rewrite sum_scale. ring.
    - intros i _. rewrite sum_scale. ring. }
  assert (sum n (fun i => sum n (fun k => (v i - v k) * (f a i * f b k - f a k * f b i))) =
    2 * (sum n (fun k => v k * f a k) * sum n (f b) - sum n (fun k => v k * f b k) * sum n (f a))) as E.
  { rewrite (sum_ext n _ (fun i => sum n (fun k => (v i * f a i) * f b k) + -1 * sum n (fun k =>
      (v i * f b i) * f a k) +
      (-1 * sum n (fun k => f a i * (v k * f b k)) + sum n (fun k => f b i * (v k * f a k))))).
    - rewrite !sum_plus, !sum_scale, !P. ring.
    - intros i _. rewrite <- !sum_scale, <- !sum_plus. apply sum_ext. intros. ring. }
  rewrite E in H. apply Rmult_le_reg_r with (sum n (f a) * sum n (f b)); [nra|].
  replace (sum n (fun k => v k * f b k) / sum n (f b) * (sum n (f a) * sum n (f b))) with
    (sum n (fun k => v k * f b k) * sum n (f a)) by (field; lra).
  replace (sum n (fun k => v k * f a k) / sum n (f a) * (sum n (f a) * sum n (f b))) with
    (sum n (fun k => v k * f a k) * sum n (f b)) by (field; lra). lra.
Qed.

End Softmax.
