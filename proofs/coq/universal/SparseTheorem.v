(** Theorem 1 of BigBird: the statements of [SparseAttention.v], proved. Not the paper's construction: a token-wise layer
    gives each token a code, whole numbers whose sum tells the context; a head whose scores are all 0 brings the global
    token the mean of the codes; a head whose keys are the flag brings it to every token. What the first head does to the
    other tokens is small. *)
From Coq Require Import Reals List Arith ZArith Bool Lia Lra Psatz FunctionalExtensionality.
From Contextual Require Statement StatementSparse Sparse Network Grid.
From Contextual Require Import Approximation Sums Construction Relu Blocks Interface Boxes Uniform Budget Cube
  SparseAttention.
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

(** With a score lambda for neighbour 0 and 0 for the others the mean is near x_0. *)
Lemma neighbour_mean_near s x lambda b : (0 < n)%nat -> N O = true -> s O = lambda ->
  (forall k, (0 < k < n)%nat -> s k = 0) -> (forall k, (k < n)%nat -> Rabs (x k - x O) <= b) ->
  Rabs (neighbour_mean s x - x O) <= INR n * (b * exp (- lambda)).
Proof using some.
  intros n0 N0 S0 SK HX. assert (0 <= b) as b0 by (apply Rle_trans with (2 := HX O n0), Rabs_pos).
  assert (neighbour_mean s x - x O = sum n (fun k => (x k - x O) * neighbour_weight s k)) as ->.
  { unfold neighbour_mean. rewrite (sum_ext n (fun k => (x k - x O) * neighbour_weight s k)
      (fun k => x k * neighbour_weight s k + - x O * neighbour_weight s k)) by (intros; ring).
    rewrite sum_plus, sum_scale, neighbour_weight_sum. ring. }
  assert (forall k, (k < n)%nat -> Rabs ((x k - x O) * neighbour_weight s k) <= b * exp (- lambda)) as T.
  { intros k Hk. pose proof (exp_pos (- lambda)) as EP. destruct (Nat.eq_dec k 0) as [->|NE].
    - rewrite Rminus_eq_0, Rmult_0_l, Rabs_R0. apply Rmult_le_pos; lra.
    - rewrite Rabs_mult. apply Rmult_le_compat; [apply Rabs_pos|apply Rabs_pos|apply HX, Hk|].
      rewrite Rabs_right by (apply Rle_ge, neighbour_weight_nonneg). unfold neighbour_weight.
      destruct (N k); [|lra]. rewrite SK by lia. rewrite exp_0, exp_Ropp. unfold Rdiv. rewrite Rmult_1_l.
      apply Rinv_le_contravar; [apply exp_pos|].
      pose proof (sum_term n (fun a => if N a then exp (s a) else 0) O) as ST. cbv beta in ST. rewrite N0, S0 in ST.
      apply ST; [|exact n0]. intros i _. destruct (N i); [apply Rlt_le, exp_pos|lra]. }
  assert (forall m, (m <= n)%nat -> Rabs (sum m (fun k => (x k - x O) * neighbour_weight s k)) <=
    INR m * (b * exp (- lambda))) as G; [|apply G; lia].
  induction m as [|m IH]; intros Hm; [simpl; rewrite Rabs_R0; lra|]. rewrite S_INR. simpl sum.
  eapply Rle_trans; [apply Rabs_triang|]. specialize (IH ltac:(lia)). specialize (T m ltac:(lia)). lra.
Qed.
End Mean.

(** Equal scores: of n + 1 tokens the global one reads the sum of the others' numbers, over n or n + 1, if its own number
    is 0. *)
Lemma global_mean n (N : nat -> bool) x : (1 <= n)%nat -> (forall k, (1 <= k <= n)%nat -> N k = true) -> x O = 0 ->
  neighbour_mean (S n) N (fun _ => 0) x = sum n (fun k => x (S k)) / (if N O then INR n + 1 else INR n).
Proof.
  intros n1 HN X0. pose proof (lt_0_INR n n1) as P.
  assert (sum (S n) (fun a => if N a then exp 0 else 0) = if N O then INR n + 1 else INR n) as E.
  { rewrite sum_head, exp_0. rewrite (sum_ext n _ (fun _ => 1)).
    - rewrite sum_const. destruct (N O); ring.
    - intros k Hk. rewrite HN by lia. reflexivity. }
  unfold neighbour_mean, neighbour_weight. rewrite E, sum_head, X0, Rmult_0_l, Rplus_0_l, exp_0.
  unfold Rdiv. rewrite (Rmult_comm (sum n _)), <- sum_scale. apply sum_ext. intros k Hk. rewrite HN by lia. ring.
Qed.

(** ** Blocks *)
Section Blocks.
Variables d n : nat.
Variable G : graph.
Notation along := (along d).
Definition sparse_layer (t : block) (X : matrix) : matrix := FF d 4 t (sparse_Attn d n 2 1 G t X).
Notation sparse_net := (sparse_run d n 2 1 4 G).

(** One network after the other. *)
Lemma sparse_app ts ts' X : sparse_net (ts ++ ts') X = sparse_net ts' (sparse_net ts X).
Proof using. apply fold_left_app. Qed.

(** The head that reads nothing. *)
Lemma sparse_attend_zero X i j : sparse_attend d n 1 G zero_head X i j = 0.
Proof using. unfold sparse_attend, times; simpl. ring. Qed.

(** A token-wise layer doesn't see the graph. *)
Lemma sparse_token w v f X : sparse_layer (token w v f) X = layer d n (token w v f) X.
Proof using.
  assert (sparse_Attn d n 2 1 G (token w v f) X = Attn d n 2 1 (token w v f) X) as E.
  { extensionality i. extensionality j. unfold sparse_Attn, Attn. simpl. rewrite !sparse_attend_zero, !attend_zero.
    ring. }
  unfold sparse_layer, layer. rewrite E. reflexivity.
Qed.

(** Nor do networks of them. *)
Definition tokenwise (ts : list block) : Prop := forall t, In t ts -> exists w v f, t = token w v f.
Lemma sparse_tokens ts : tokenwise ts -> forall X, sparse_net ts X = run d n 2 1 4 ts X.
Proof using.
  induction ts as [|t ts IH]; intros H X; [reflexivity|]. destruct (H t (or_introl eq_refl)) as [w [v [f E]]].
  change (sparse_net ts (sparse_layer t X) = run d n 2 1 4 ts (layer d n t X)). rewrite IH; [|intros t' Ht'; apply H;
    right; exact Ht']. rewrite E, sparse_token. reflexivity.
Qed.

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

(** A block with one head: values v^T X, keys c^T X, all queries 1; it writes a times the mean to row 0. *)
Definition reader (a : R) (v c : nat -> R) : block :=
  attention (Head (fun i _ => if Nat.eqb i 0 then a else 0) (fun _ => v) (fun _ => c) (fun _ _ => 0) (fun _ => 1))
    zero_head.
Lemma reader_spec a v c X i j : sparse_layer (reader a v c) X i j =
  X i j + (if Nat.eqb i 0 then a * neighbour_mean n (G j) (along c X) (along v X) else 0).
Proof using.
  unfold sparse_layer, FF, sparse_Attn, plus, columns. simpl. rewrite sparse_attend_zero.
  unfold times at 1. simpl sum. set (h := Head _ _ _ _ _).
  assert (forall k, times 1 (transpose (times d (W_K h) X)) (plus (times d (W_Q h) X) (columns (b_Q h))) k j =
    along c X k) as E.
  { intros k. unfold times at 1, transpose, plus, columns. simpl. unfold times.
    rewrite (sum_zero d (fun l => 0 * X l j)) by (intros; ring). unfold Construction.along. ring. }
  assert (sparse_attend d n 1 G h X i j =
    (if Nat.eqb i 0 then a else 0) * neighbour_mean n (G j) (along c X) (along v X)) as ->.
  { unfold sparse_attend, times at 1. simpl sum at 1. rewrite Rplus_0_l. f_equal. unfold times at 1, neighbour_mean.
    apply sum_ext. intros k _. f_equal. unfold sparse_softmax, neighbour_weight. rewrite E.
    destruct (G j k); [|reflexivity]. f_equal. apply sum_ext. intros k' _. rewrite E. reflexivity. }
  destruct (Nat.eqb i 0); ring.
Qed.
End Blocks.

(** ** The codes: whole numbers *)
Section Codes.
Open Scope Z_scope.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Notation NZ := (Z.of_nat N).
Notation nZ := (Z.of_nat n).
Definition BZ : Z := NZ ^ Z.of_nat d.

(** The number of column j of the cells K: its id in units of 1/N. *)
Definition number (K : cells) (j : nat) : Z := Grid.expand NZ d (fun i => Z.of_nat (K i j)).
(** Token j + 1, a column k at position j, has this id; *)
Definition token_id (j : nat) (k : Z) : Z := k + Z.of_nat j * (NZ * Grid.expand NZ d (fun _ => 1)).
(** this part of its code, from 0 to [part_bound], *)
Definition part (j : nat) (k : Z) : Z := Z.of_nat j + nZ * (k * BZ ^ Z.of_nat j).
Definition part_bound : Z := nZ * nZ + nZ * BZ ^ nZ.
(** and this code: less than 0, so that it is below all ids, and far more so than parts differ. *)
Definition code (j : nat) (k : Z) : Z := - (part_bound + 1 + part j k).
Definition code_bound : Z := 2 * part_bound + 1.
(** The sum of a context's codes, but for the sign. *)
Definition total (K : cells) : Z := Grid.sumZ n (fun j => - code j (number K j)).

(** N^d is at least 2, and its powers at least 1. *)
Lemma BZ_2 : 2 <= BZ.
Proof using All.
  unfold BZ. rewrite <- Nat2Z.inj_pow. pose proof (Network.B_ge_2 d N d1 N2) as H. unfold Statement.B in H. lia.
Qed.
(** Powers of it. *)
Lemma BZ_pow j : 1 <= BZ ^ Z.of_nat j.
Proof using All. apply Grid.pow_ge_1. pose proof BZ_2. lia. Qed.

(** Numbers of columns are from 0 to N^d - 1. *)
Lemma number_range K j : in_range d n N K -> (j < n)%nat -> 0 <= number K j < BZ.
Proof using All.
  intros H Hj. unfold number. split.
  - apply Grid.expand_nonneg; [lia|]. intros i Hi. lia.
  - assert (Grid.expand NZ d (fun i => Z.of_nat (K i j)) <= NZ ^ Z.of_nat d - 1); [|unfold BZ; lia].
    apply Grid.expand_upper; [lia|]. intros i Hi. specialize (H i j Hi Hj). lia.
Qed.

(** They tell columns apart. *)
Lemma number_same K K' j : in_range d n N K -> in_range d n N K' -> (j < n)%nat -> number K j = number K' j ->
  forall i, (i < d)%nat -> K i j = K' i j.
Proof using All.
  intros H H' Hj E i Hi. apply Nat2Z.inj.
  apply (Grid.expand_inj NZ ltac:(lia) d (fun i => Z.of_nat (K i j)) (fun i => Z.of_nat (K' i j))); try assumption;
    intros k Hk; [specialize (H k j Hk Hj)|specialize (H' k j Hk Hj)]; lia.
Qed.

(** A position takes more room than columns do. *)
Lemma position_room : BZ <= NZ * Grid.expand NZ d (fun _ => 1).
Proof using All.
  assert (forall m, (1 <= m)%nat -> 1 <= Grid.expand NZ m (fun _ => 1) /\
    NZ ^ Z.of_nat m <= NZ * Grid.expand NZ m (fun _ => 1)) as G; [|apply G; exact d1].
  induction m as [|m IH]; intros Hm; [lia|]. rewrite Grid.expand_S, Grid.pow_S.
  pose proof (Grid.pow_ge_1 NZ ltac:(lia) m) as P. destruct m as [|m]; [cbn; nia|]. specialize (IH ltac:(lia)). nia.
Qed.

(** So ids tell position and column. *)
Lemma token_id_same j j' k k' : 0 <= k < BZ -> 0 <= k' < BZ -> token_id j k = token_id j' k' -> j = j' /\ k = k'.
Proof using All.
  unfold token_id. intros Hk Hk' E. pose proof position_room as R. pose proof BZ_2.
  set (q := NZ * Grid.expand NZ d (fun _ => 1)) in *. clearbody q.
  assert (Z.of_nat j = Z.of_nat j') as EZ.
  { destruct (Z.lt_trichotomy (Z.of_nat j) (Z.of_nat j')) as [L|[L|L]]; [exfalso|exact L|exfalso].
    - assert (1 * q <= (Z.of_nat j' - Z.of_nat j) * q) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
    - assert (1 * q <= (Z.of_nat j - Z.of_nat j') * q) by (apply Z.mul_le_mono_nonneg_r; lia). lia. }
  split; [apply Nat2Z.inj, EZ|]. rewrite EZ in E. lia.
Qed.

(** Parts are as large as was said. *)
Lemma part_range j k : (j < n)%nat -> 0 <= k < BZ -> 0 <= part j k <= part_bound.
Proof using All.
  intros Hj Hk. unfold part, part_bound. pose proof (BZ_pow j) as P. pose proof BZ_2 as B2.
  assert (BZ * BZ ^ Z.of_nat j <= BZ ^ nZ) as Q.
  { rewrite <- Z.pow_succ_r by lia. apply Z.pow_le_mono_r; lia. }
  assert (k * BZ ^ Z.of_nat j <= BZ ^ nZ) by nia. nia.
Qed.

(** Codes: their range; different positions have different ones. *)
Lemma code_range j k : (j < n)%nat -> 0 <= k < BZ -> - code_bound <= code j k <= -1.
Proof using All. intros Hj Hk. pose proof (part_range j k Hj Hk). unfold code, code_bound. lia. Qed.

(** Codes of the same context. *)
Lemma code_position j j' k k' : (j < n)%nat -> (j' < n)%nat -> code j k = code j' k' -> j = j'.
Proof using All.
  unfold code, part. intros Hj Hj' E. set (x := k * BZ ^ Z.of_nat j) in *. set (y := k' * BZ ^ Z.of_nat j') in *.
  assert (Z.of_nat j - Z.of_nat j' = nZ * (y - x)) as D by lia.
  destruct (Z.lt_trichotomy (y - x) 0) as [L|[L|L]]; [exfalso|rewrite L in D; lia|exfalso].
  - assert (nZ * (y - x) <= nZ * -1) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
  - assert (nZ * 1 <= nZ * (y - x)) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.

(** The total, in base N^d. *)
Lemma total_is K : total K =
  Grid.sumZ n (fun j => part_bound + 1 + Z.of_nat j) + nZ * Grid.expand BZ n (fun j => number K j).
Proof using All.
  unfold total, Grid.expand. assert (forall m, Grid.sumZ m (fun j => - code j (number K j)) =
    Grid.sumZ m (fun j => part_bound + 1 + Z.of_nat j) + nZ * Grid.sumZ m (fun j => BZ ^ Z.of_nat j * number K j)) as G;
    [|apply G].
  induction m as [|m IH]; [simpl; ring|]. simpl. rewrite IH. unfold code, part. ring.
Qed.

(** It tells the context. *)
Lemma total_same K K' : in_range d n N K -> in_range d n N K' -> total K = total K' -> same d n K K'.
Proof using All.
  intros H H' E i j Hi Hj. rewrite !total_is in E. apply number_same; try assumption.
  apply (Grid.expand_inj BZ BZ_2 n (fun j => number K j) (fun j => number K' j)); try assumption.
  - intros k Hk. apply number_range; assumption.
  - intros k Hk. apply number_range; assumption.
  - nia.
Qed.

(** Its range. *)
Lemma total_range K : in_range d n N K ->
  nZ * (part_bound + 1) <= total K <= nZ * (part_bound + 1) + part_bound.
Proof using All.
  intros H. rewrite total_is.
  assert (0 <= Grid.expand BZ n (fun j => number K j) <= BZ ^ nZ - 1) as E.
  { split; [apply Grid.expand_nonneg|apply Grid.expand_upper]; try apply BZ_2; intros j Hj;
      apply (number_range K j H Hj). }
  assert (forall m, (m <= n)%nat -> Z.of_nat m * (part_bound + 1) <=
    Grid.sumZ m (fun j => part_bound + 1 + Z.of_nat j) <= Z.of_nat m * (part_bound + 1) + Z.of_nat m * nZ) as G.
  { induction m as [|m IH]; intros Hm; [simpl; lia|]. specialize (IH ltac:(lia)). cbn [Grid.sumZ].
    rewrite Nat2Z.inj_succ. nia. }
  specialize (G n ltac:(lia)). unfold part_bound in *. nia.
Qed.

(** The global token has the total over n or over n + 1: times n (n + 1) it is n + 1 or n times the total, and this tells
    which. *)
Lemma total_which K K' a a' : in_range d n N K -> in_range d n N K' -> a = nZ \/ a = nZ + 1 ->
  a' = nZ \/ a' = nZ + 1 -> a * total K = a' * total K' -> a = a' /\ total K = total K'.
Proof using All.
  intros H H' Ha Ha' E. pose proof (total_range K H) as T. pose proof (total_range K' H') as T'.
  assert (0 <= part_bound) as P by (unfold part_bound; pose proof (BZ_pow n); nia).
  assert (nZ * (part_bound + 1) >= part_bound + 1) by nia.
  destruct Ha as [->| ->], Ha' as [->| ->]; try (split; [reflexivity|nia]); exfalso; nia.
Qed.
End Codes.
