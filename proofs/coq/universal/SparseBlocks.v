(** Sparse attention with softmax: the mean over the neighbours, and what token-wise blocks and blocks of one head do
    over a graph. *)
From Coq Require Import Reals List Arith Lia Lra FunctionalExtensionality.
From Contextual Require Import Approximation Sums Construction Relu Blocks SparseAttention.
Import ListNotations.
Open Scope R_scope.

(** Where all attend to all. *)
Theorem sparse_complete_run : Sparse_complete_run.
Proof.
  intros d n h m r ts X. revert X. induction ts as [|t ts IH]; intros X; [reflexivity|]. unfold sparse_run, run in *.
  simpl. rewrite IH. reflexivity.
Qed.

(** The first term of a sum apart. *)
Lemma sum_head m f : sum (S m) f = f O + sum m (fun k => f (S k)).
Proof. induction m as [|m IH]; [simpl; ring|]. change (sum (S (S m)) f) with (sum (S m) f + f (S m)). rewrite IH.
  simpl. ring. Qed.

(** ** The mean that sparse softmax makes of numbers x, with the scores s, over the neighbours N *)
Section Mean.
Variable n : nat.
Variable N : nat -> bool.
Definition neighbour_weight (s : nat -> R) (k : nat) : R :=
  if N k then exp (s k) / sum n (fun a => if N a then exp (s a) else 0) else 0.
Definition neighbour_mean (s x : nat -> R) : R := sum n (fun k => x k * neighbour_weight s k).
Hypothesis some : exists k, (k < n)%nat /\ N k = true.

(** The denominator is positive, and at least each of its terms. *)
Lemma neighbour_denominator s : 0 < sum n (fun a => if N a then exp (s a) else 0).
Proof using some.
  destruct some as [k [Hk Nk]]. apply Rlt_le_trans with (if N k then exp (s k) else 0).
  - rewrite Nk. apply exp_pos.
  - apply (sum_term n (fun a => if N a then exp (s a) else 0)); [|exact Hk]. intros i _.
    destruct (N i); [apply Rlt_le, exp_pos|lra].
Qed.

(** Weights are not negative, and add up to 1. *)
Lemma neighbour_weight_nonneg s k : 0 <= neighbour_weight s k.
Proof using some.
  unfold neighbour_weight. destruct (N k); [|lra]. apply Rlt_le, Rdiv_lt_0_compat; [apply exp_pos|].
  apply neighbour_denominator.
Qed.

(** Their sum. *)
Lemma neighbour_weight_sum s : sum n (neighbour_weight s) = 1.
Proof using some.
  pose proof (neighbour_denominator s) as D. set (q := sum n (fun a => if N a then exp (s a) else 0)) in *.
  rewrite (sum_ext n _ (fun k => / q * (if N k then exp (s k) else 0))).
  - rewrite sum_scale. fold q. field. lra.
  - intros k _. unfold neighbour_weight. fold q. destruct (N k); [unfold Rdiv; ring|ring].
Qed.

(** The mean lies where the neighbours' numbers lie. *)
Lemma neighbour_mean_range s x lo hi : (forall k, (k < n)%nat -> N k = true -> lo <= x k <= hi) ->
  lo <= neighbour_mean s x <= hi.
Proof using some.
  intros H. unfold neighbour_mean. rewrite <- (Rmult_1_r lo), <- (Rmult_1_r hi), <- (neighbour_weight_sum s).
  rewrite <- !sum_scale. split; apply sum_le; intros k Hk; pose proof (neighbour_weight_nonneg s k) as W;
    (destruct (N k) eqn:E; [specialize (H k Hk E); apply Rmult_le_compat_r; lra|]);
    unfold neighbour_weight in *; rewrite E in *; lra.
Qed.

(** With a score for neighbour 0 that is larger than the others by lambda the mean is near x_0. *)
Lemma neighbour_mean_near s x lambda b : (0 < n)%nat -> N O = true ->
  (forall k, (0 < k < n)%nat -> s k <= s O - lambda) -> (forall k, (k < n)%nat -> Rabs (x k - x O) <= b) ->
  Rabs (neighbour_mean s x - x O) <= INR n * (b * exp (- lambda)).
Proof using some.
  intros n0 N0 SK HX. assert (0 <= b) as b0 by (apply Rle_trans with (2 := HX O n0), Rabs_pos).
  assert (neighbour_mean s x - x O = sum n (fun k => (x k - x O) * neighbour_weight s k)) as ->.
  { unfold neighbour_mean. rewrite (sum_ext n (fun k => (x k - x O) * neighbour_weight s k)
      (fun k => x k * neighbour_weight s k + - x O * neighbour_weight s k)) by (intros; ring).
    rewrite sum_plus, sum_scale, neighbour_weight_sum. ring. }
  assert (forall k, (k < n)%nat -> Rabs ((x k - x O) * neighbour_weight s k) <= b * exp (- lambda)) as T.
  { intros k Hk. pose proof (exp_pos (- lambda)) as EP. destruct (Nat.eq_dec k 0) as [->|NE].
    - rewrite Rminus_eq_0, Rmult_0_l, Rabs_R0. apply Rmult_le_pos; lra.
    - rewrite Rabs_mult. apply Rmult_le_compat; [apply Rabs_pos|apply Rabs_pos|apply HX, Hk|].
      rewrite Rabs_right by (apply Rle_ge, neighbour_weight_nonneg). unfold neighbour_weight.
      destruct (N k); [|lra]. pose proof (sum_term n (fun a => if N a then exp (s a) else 0) O) as ST. cbv beta in ST.
      rewrite N0 in ST. specialize (ST ltac:(intros i _; destruct (N i); [apply Rlt_le, exp_pos|lra]) n0).
      set (q := sum n _) in *. pose proof (exp_pos (s O)) as P0. specialize (SK k ltac:(lia)).
      apply Rmult_le_reg_r with q; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      apply Rle_trans with (exp (- lambda) * exp (s O)); [|apply Rmult_le_compat_l; lra]. rewrite <- exp_plus.
      destruct (Rle_lt_or_eq_dec (s k) (- lambda + s O) ltac:(lra)) as [L|E];
        [left; apply exp_increasing, L|rewrite E; lra]. }
  assert (forall m, (m <= n)%nat -> Rabs (sum m (fun k => (x k - x O) * neighbour_weight s k)) <=
    INR m * (b * exp (- lambda))) as G; [|apply G; lia].
  induction m as [|m IH]; intros Hm; [simpl; rewrite Rabs_R0; lra|]. rewrite S_INR. simpl sum.
  eapply Rle_trans; [apply Rabs_triang|]. specialize (IH ltac:(lia)). specialize (T m ltac:(lia)). lra.
Qed.
End Mean.

(** Equal scores: of n + 1 tokens the global one reads the mean of the others' numbers, with or without its own. *)
Lemma global_mean n (N : nat -> bool) x : (1 <= n)%nat -> (forall k, (1 <= k <= n)%nat -> N k = true) ->
  neighbour_mean (S n) N (fun _ => 0) x =
  if N O then (x O + sum n (fun k => x (S k))) / (INR n + 1) else sum n (fun k => x (S k)) / INR n.
Proof.
  intros n1 HN. pose proof (lt_0_INR n n1) as P.
  assert (sum (S n) (fun a => if N a then exp 0 else 0) = if N O then INR n + 1 else INR n) as E.
  { rewrite sum_head, exp_0. rewrite (sum_ext n _ (fun _ => 1)).
    - rewrite sum_const. destruct (N O); ring.
    - intros k Hk. rewrite HN by lia. reflexivity. }
  unfold neighbour_mean, neighbour_weight. rewrite E, sum_head, exp_0.
  rewrite (sum_ext n _ (fun k => / (if N O then INR n + 1 else INR n) * x (S k))).
  - rewrite sum_scale. destruct (N O); unfold Rdiv; ring.
  - intros k Hk. rewrite HN by lia. unfold Rdiv. ring.
Qed.

(** ** Blocks *)
Section Blocks.
Variables d n : nat.
Variable G : graph.
Notation along := (along d).
Definition sparse_layer (t : block) (X : matrix) : matrix := FF d 4 t (sparse_Attn d n 1 1 G t X).
Notation sparse_net := (sparse_run d n 1 1 4 G).

(** One network after the other. *)
Lemma sparse_app ts ts' X : sparse_net (ts ++ ts') X = sparse_net ts' (sparse_net ts X).
Proof using. apply fold_left_app. Qed.

(** The head that reads nothing. *)
Lemma sparse_attend_zero X i j : sparse_attend d n 1 G zero_head X i j = 0.
Proof using. unfold sparse_attend, times; simpl. ring. Qed.

(** A token-wise layer doesn't see the graph. *)
Lemma sparse_token w v f X : sparse_layer (token w v f) X = layer d n (token w v f) X.
Proof using.
  assert (sparse_Attn d n 1 1 G (token w v f) X = Attn d n 2 1 (token w v f) X) as E.
  { extensionality i. extensionality j. unfold sparse_Attn, Attn. simpl. rewrite !sparse_attend_zero, !attend_zero.
    ring. }
  unfold sparse_layer, layer. rewrite E. reflexivity.
Qed.

(** Nor do networks of them. *)
Definition tokenwise (ts : list block) : Prop := forall t, In t ts -> exists w v f, t = token w v f.
(** The graph doesn't matter to them. *)
Lemma sparse_tokens ts : tokenwise ts -> forall X, sparse_net ts X = run d n 2 1 4 ts X.
Proof using.
  induction ts as [|t ts IH]; intros H X; [reflexivity|]. destruct (H t (or_introl eq_refl)) as [w [v [f E]]].
  change (sparse_net ts (sparse_layer t X) = run d n 2 1 4 ts (layer d n t X)). rewrite IH; [|intros t' Ht'; apply H;
    right; exact Ht']. rewrite E, sparse_token. reflexivity.
Qed.

(** Token-wise blocks write nothing with their head, whose query has no bias. *)
Lemma tokenwise_silent t : (exists w v f, t = token w v f) -> silent t /\ no_bias t.
Proof using. intros [w [v [f ->]]]. split; [intros i k|intros k]; reflexivity. Qed.

(** The networks of [Construction] that are so. *)
Lemma quantise_tokenwise N e m : tokenwise (quantise d N e m).
Proof using.
  intros t Ht. apply in_flat_map in Ht. destruct Ht as [i [_ Ht]]. apply in_map_iff in Ht. destruct Ht as [k [<- _]].
  eexists _, _, _. reflexivity.
Qed.

(** The value map, *)
Lemma value_tokenwise N ts : tokenwise (value N ts).
Proof using. intros t Ht. apply in_map_iff in Ht. destruct Ht as [k [<- _]]. eexists _, _, _. reflexivity. Qed.

(** and the same phi on every entry. *)
Lemma entrywise_tokenwise f : tokenwise (entrywise d f).
Proof using. intros t Ht. apply in_map_iff in Ht. destruct Ht as [k [<- _]]. eexists _, _, _. reflexivity. Qed.

(** A block with one head: values v^T X, keys c^T X, queries q^T X; it writes a times the mean to row 0. *)
Definition reader (a : R) (v c q : nat -> R) : block :=
  attention (Head (fun i _ => if Nat.eqb i 0 then a else 0) (fun _ => v) (fun _ => c) (fun _ => q) (fun _ => 0))
    zero_head.
(** What it does. *)
Lemma reader_spec a v c q X i j : sparse_layer (reader a v c q) X i j = X i j +
  (if Nat.eqb i 0 then a * neighbour_mean n (G j) (fun k => along c X k * along q X j) (along v X) else 0).
Proof using.
  unfold sparse_layer, FF, sparse_Attn, plus, columns. simpl.
  unfold times at 1. simpl sum. set (h := Head _ _ _ _ _).
  assert (forall k, times 1 (transpose (times d (W_K h) X)) (plus (times d (W_Q h) X) (columns (b_Q h))) k j =
    along c X k * along q X j) as E.
  { intros k. unfold times at 1, transpose, plus, columns. simpl. unfold times, Construction.along. ring. }
  assert (sparse_attend d n 1 G h X i j =
    (if Nat.eqb i 0 then a else 0) * neighbour_mean n (G j) (fun k => along c X k * along q X j) (along v X)) as ->.
  { unfold sparse_attend, times at 1. simpl sum at 1. rewrite Rplus_0_l. f_equal. unfold times at 1, neighbour_mean.
    apply sum_ext. intros k _. f_equal. unfold sparse_softmax, neighbour_weight. rewrite E.
    destruct (G j k); [|reflexivity]. f_equal. apply sum_ext. intros k' _. rewrite E. reflexivity. }
  destruct (Nat.eqb i 0); ring.
Qed.
End Blocks.
