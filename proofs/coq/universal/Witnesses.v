(** Functions and numbers that the theorems' hypotheses are true of, for [Uses.v]. *)
From Coq Require Import Reals QArith Qreals List Arith Bool Lia Lra Psatz Classical FunctionalExtensionality.
From Contextual Require Statement.
From Contextual Require Import Approximation Sums Construction Explicit Boxes Uniform Budget Interface Keys Equivariance
  Limits Published.
Import ListNotations.
Open Scope R_scope.

(** ** A function for Theorem 2: the same number in each entry, 2 at the origin, 0 where some entry is 2 or more *)
Definition hill (d n : nat) (X : matrix) : matrix := fun _ _ => Rmax 0 (2 - size d n X).

(** It changes by d n c at most where no entry changes by c. *)
Lemma hill_change d n c X Y i j : 0 < c -> close d n c X Y ->
  Rabs (hill d n X i j - hill d n Y i j) <= INR d * INR n * c.
Proof.
  intros Hc H. apply size_close in H; [|exact Hc]. apply between in H. unfold hill, Rmax. apply Rabs_le.
  destruct (Rle_dec 0 (2 - size d n X)), (Rle_dec 0 (2 - size d n Y)); lra.
Qed.

(** d n + 1 is positive. *)
Lemma entries_pos d n : 0 < INR d * INR n + 1.
Proof. pose proof (Rmult_le_pos _ _ (pos_INR d) (pos_INR n)). lra. Qed.

(** So it changes by less than e where no entry changes by e / (d n + 1). *)
Lemma hill_modulus d n e X Y : 0 < e -> close d n (e / (INR d * INR n + 1)) X Y ->
  close d n e (hill d n X) (hill d n Y).
Proof.
  intros He H i j _ _. pose proof (entries_pos d n) as P.
  assert (0 < e / (INR d * INR n + 1)) as C by (apply Rdiv_lt_0_compat; assumption).
  pose proof (hill_change d n _ X Y i j C H) as L. eapply Rle_lt_trans; [exact L|].
  set (c := e / (INR d * INR n + 1)) in *. assert (c * (INR d * INR n + 1) = e) as E by (unfold c; field; lra). nra.
Qed.

(** It is continuous. *)
Lemma hill_continuous d n D : continuous_on d n D (hill d n).
Proof.
  intros X _ e He. exists (e / (INR d * INR n + 1)). split; [apply Rdiv_lt_0_compat; [exact He|apply entries_pos]|].
  intros Y _ H. apply hill_modulus; assumption.
Qed.

(** It is equivariant. *)
Lemma hill_equivariant d n : equivariant d n (hill d n).
Proof.
  intros p H1 H2 X i j _ _. unfold hill. do 2 f_equal. unfold size. apply sum_ext. intros k _.
  apply (sum_perm n p (fun j => Rabs (X k j))). split; assumption.
Qed.

(** It is 0 off a box. *)
Lemma hill_support d n X : ~ close d n 2 X (fun _ _ => 0) -> forall i j, (i < d)%nat -> (j < n)%nat ->
  hill d n X i j = 0.
Proof.
  intros H i j _ _. unfold hill. apply Rmax_left. apply Rnot_lt_le. intros L. apply H. intros a b Ha Hb.
  pose proof (size_entry d n X a b Ha Hb). rewrite Rminus_0_r. lra.
Qed.

(** It is between 0 and 2. *)
Lemma hill_bound d n X i j : Rabs (hill d n X i j) <= 2.
Proof.
  unfold hill, Rmax. pose proof (size_nonneg d n X).
  destruct (Rle_dec 0 (2 - size d n X)); apply Rabs_le; lra.
Qed.

(** ** A function for Theorem 3, which isn't equivariant: entry (1, 1), within [-1, 1] *)
Definition clipped (X : matrix) : matrix := fun _ _ => Rmin 1 (Rmax (-1) (X 0%nat 0%nat)).

(** It changes no more than that entry. *)
Lemma clipped_modulus d n e X Y : (1 <= d)%nat -> (1 <= n)%nat -> close d n e X Y ->
  close d n e (clipped X) (clipped Y).
Proof.
  intros d1 n1 H i j _ _. specialize (H 0%nat 0%nat ltac:(lia) ltac:(lia)). apply Rabs_def2 in H.
  unfold clipped, Rmin, Rmax.
  destruct (Rle_dec (-1) (X 0%nat 0%nat)), (Rle_dec (-1) (Y 0%nat 0%nat)); repeat destruct (Rle_dec _ _);
    apply Rabs_def1; lra.
Qed.

(** It is continuous. *)
Lemma clipped_continuous d n D : (1 <= d)%nat -> (1 <= n)%nat -> continuous_on d n D clipped.
Proof. intros d1 n1 X _ e He. exists e. split; [exact He|]. intros Y _ H. apply clipped_modulus; assumption. Qed.

(** Its bound. *)
Lemma clipped_bound X i j : Rabs (clipped X i j) <= 1.
Proof.
  unfold clipped, Rmin, Rmax. destruct (Rle_dec (-1) (X 0%nat 0%nat)); destruct (Rle_dec 1 _); apply Rabs_le; lra.
Qed.

(** A point in the middle of each cell, and the values of a function there. *)
Definition middle (N : nat) (K : cells) : matrix := fun i j => (INR (K i j) + 1 / 2) * / INR N.
Definition at_middles (N : nat) (f : matrix -> matrix) : cells -> matrix :=
  fun K => f (stretch (-1) (2 * 1) (middle N K)).

(** They are a table of values for the inside of [-1, 1]. *)
Lemma middles_sampled d n N f : (2 <= N)%nat ->
  sampled d n N 1 (fun X => close d n 1 X (fun _ _ => 0)) f (at_middles N f).
Proof.
  intros N2 K HK _. pose proof (cells_range d n N K ltac:(lia) HK) as R. exists (middle N K).
  assert (0 < / INR N) as W by (apply Rinv_0_lt_compat, lt_0_INR; lia).
  assert (INR N * / INR N = 1) as NW by (apply Rinv_r, not_0_INR; lia). split; [|split].
  - intros i j Hi Hj. specialize (R i j Hi Hj). assert (INR (K i j) + 1 <= INR N) as L
      by (rewrite <- S_INR; apply le_INR; lia). pose proof (pos_INR (K i j)). unfold stretch, middle.
    apply Rabs_def1; nra.
  - intros i j _ _. unfold middle. lra.
  - intros i j _ _. reflexivity.
Qed.

(** ** Numbers for the networks at a point *)
Definition fast (error : R) (N : nat) : R := (error + 1) * (4 * INR N).

(** Such a rate keeps the ids within a quarter of a cell. *)
Lemma fast_spec error N : 0 <= error -> (2 <= N)%nat -> 0 < fast error N /\ error / fast error N <= / INR N / 4.
Proof.
  intros He N2. assert (0 < INR N) as P by (apply lt_0_INR; lia). assert (0 < fast error N) as F by (unfold fast; nra).
  split; [exact F|]. apply Rmult_le_reg_r with (fast error N); [exact F|].
  replace (error / fast error N * fast error N) with error by (field; lra). unfold fast.
  replace (/ INR N / 4 * ((error + 1) * (4 * INR N))) with (error + 1) by (field; lra). lra.
Qed.

(** The corners of the cells, for values: columns in another order have their values in this order. *)
Definition halves (N : nat) (K : cells) : matrix := fun i j => corner N K i j / 2.

(** They are an equivariant table, within [-1, 1]. *)
Lemma halves_table d n N : (2 <= N)%nat -> equivariant_table d n N (halves N) /\
  forall K i j, In K (contexts d n N) -> (i < d)%nat -> (j < n)%nat -> Rabs (halves N K i j) <= 1.
Proof.
  intros N2. split.
  - intros p _ _ K K' _ _ E i k Hi Hk. unfold halves, corner. rewrite E by assumption. reflexivity.
  - intros K i j HK Hi Hj. destruct (in_contexts d n N K ltac:(lia) HK) as [R _]. specialize (R i j Hi Hj).
    assert (INR (K i j) <= INR N) as L by (apply le_INR; lia). pose proof (pos_INR (K i j)).
    assert (0 < / INR N) as W by (apply Rinv_0_lt_compat, lt_0_INR; lia).
    assert (INR N * / INR N = 1) as NW by (apply Rinv_r, not_0_INR; lia). unfold halves, corner. apply Rabs_le. nra.
Qed.

(** The context (0, 1/N) at d = 1, n = 2, and its two keys in a table. *)
Lemma first_context N : (2 <= N)%nat ->
  exists K, In K (contexts 1 2 N) /\ forall i j, (i < 1)%nat -> (j < 2)%nat -> K i j = j.
Proof.
  intros N2. destruct (contexts_complete 1 2 N (fun _ j => j)) as [K [HK E]]; [lia|intros i j _ Hj; lia| |].
  - intros j j' _ _ H. apply (H 0%nat). lia.
  - exists K. split; [exact HK|exact E].
Qed.

(** A table with a key. *)
Lemma keyed_table N (a : nat -> R) : (2 <= N)%nat ->
  keyed 1 2 N [(Q2R (Statement.q 1 2 N (corner_Q N (fun _ j => j)) 0), a)].
Proof.
  intros N2 t [<-|[]]. exists (corner_Q N (fun _ j => j)), 0%nat. split; [|split; [lia|reflexivity]].
  apply in_Gtilde; [exact N2|intros i j _ Hj; lia|]. intros j j' _ _ H. apply (H 0%nat). lia.
Qed.
