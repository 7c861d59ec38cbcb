(** What the theorems about Theorems 2 and 3 are good for: of each, for given sizes and functions, a consequence. An
    [Example] shows two things. The theorem's hypotheses can be met, for it meets them. And its conclusion is as strong
    as it looks: from a weaker one the example doesn't follow. *)
From Coq Require Import Reals QArith Qreals List Arith Bool Lia Lra Psatz Classical FunctionalExtensionality.
From Contextual Require Statement.
From Contextual Require Import Approximation Sums Construction Explicit Published Boxes Uniform Budget Rescale Tracking
  Interface Keys Sanity Equivariance Limits Averaging Witnesses.
From Contextual.universal Require Rational Modified SparseAttention.
Import ListNotations.
Open Scope R_scope.

(** Coq compares networks by what they are called, and doesn't run them to find a difference. *)
Opaque run published theorem2_network theorem3_network theorem2_network_at theorem3_network_at cube_network_at
  supported_network_at positional_network_at map_error.

(** ** Theorems 2 and 3 *)
Example Theorem2_used : Theorem2 -> exists g : list block,
  distance_below 2 3 5 everywhere (hill 2 3) (run 2 3 2 1 4 g) (1 / 100).
Proof.
  intros H. apply (H 2%nat 3%nat); try lia; try lra; [apply hill_continuous|exists 2; apply hill_support|].
  apply hill_equivariant.
Qed.

(** Over the cube: the identity, which has no compact support. *)
Example Theorem2_cube_used : Theorem2_cube -> exists g : list block,
  distance_below 2 3 5 (cube 2 3) (fun X => X) (run 2 3 2 1 4 g) (1 / 100).
Proof.
  intros H. apply (H 2%nat 3%nat); try lia; try lra.
  - intros X _ e He. exists e. split; [exact He|]. intros Y _ C. exact C.
  - intros p _ _ X i j _ _. reflexivity.
Qed.

(** A function that isn't equivariant. *)
Example Theorem3_used : Theorem3 -> exists (g : list block) (E : matrix),
  distance_below 2 3 5 (cube 2 3) clipped (fun X => run 2 3 2 1 4 g (plus X E)) (1 / 100).
Proof.
  intros H. apply (H 2%nat 3%nat); try lia; try lra; [apply cube_compact|apply clipped_continuous; lia].
Qed.

(** One encoding for two functions. *)
Example Theorem3_encoding_used : Theorem3_encoding -> exists (E : matrix) (g h : list block),
  distance_below 2 3 5 (cube 2 3) clipped (fun X => run 2 3 2 1 4 g (plus X E)) (1 / 100) /\
  distance_below 2 3 1 (cube 2 3) (hill 2 3) (fun X => run 2 3 2 1 4 h (plus X E)) (1 / 7).
Proof.
  intros H. destruct (H 2%nat 3%nat ltac:(lia) ltac:(lia) (cube 2 3) (cube_compact 2 3)) as [E A]. exists E.
  destruct (A clipped (clipped_continuous 2 3 _ ltac:(lia) ltac:(lia)) 5 (1 / 100) ltac:(lra) ltac:(lra)) as [g D].
  destruct (A (hill 2 3) (hill_continuous 2 3 _) 1 (1 / 7) ltac:(lra) ltac:(lra)) as [h D']. exists g, h. auto.
Qed.

(** ** What networks can't do *)
Example Network_equivariant_used : Network_equivariant -> forall h m r ts X,
  run 2 3 h m r ts (fun i j => X i (2 - j)%nat) 1%nat 0%nat = run 2 3 h m r ts X 1%nat 2%nat.
Proof. intros H h m r ts X. apply (H 2%nat 3%nat h m r ts (fun j => (2 - j)%nat)); lia. Qed.

(** Theorem 2 and its converse, for the hill, and for a bump in one entry. *)
Example Theorem2_iff_used : Theorem2_iff ->
  (exists g : list block, distance_below 2 3 5 everywhere (hill 2 3) (run 2 3 2 1 4 g) (1 / 100)) /\
  exists K e, 0 < e /\ forall h m r (g : list block),
    ~ distance_below 2 3 5 (ball 2 3 K) (bump 2 3) (run 2 3 h m r g) e.
Proof.
  intros H. split.
  - apply (H 2%nat 3%nat ltac:(lia) ltac:(lia) (hill 2 3)); try lra;
      [apply hill_continuous|exists 2; apply hill_support|apply hill_equivariant].
  - apply (H 2%nat 3%nat ltac:(lia) ltac:(lia) (bump 2 3)); try lra; [apply bump_continuous; lia|apply bump_support|].
    intros E. destruct (swap_permutes 3 ltac:(lia)) as [P1 P2].
    specialize (E swap P1 P2 (fun _ _ => 0) 0%nat 1%nat ltac:(lia) ltac:(lia)).
    assert (cube 2 3 (fun _ _ => 0)) as C by (intros i j _ _; lra). pose proof (bump_cube 2 3 _ C) as B.
    change (bump 2 3 (fun _ _ => 0) 0%nat 0%nat) with (bump 2 3 (fun _ _ => 0) 0%nat (swap 1)) in B.
    rewrite <- E in B. unfold bump in B. simpl in B. lra.
Qed.

(** No encoding serves all balls, not even with a network for each. *)
Example No_encoding_everywhere_used : No_encoding_everywhere -> exists f, compact_support 2 3 f /\
  continuous_on 2 3 everywhere f /\ ~ exists E, forall K, exists h m r g,
    distance_below 2 3 5 (ball 2 3 K) f (fun X => run 2 3 h m r g (plus X E)) (1 / 4).
Proof.
  intros H. destruct (H 2%nat 3%nat ltac:(lia) ltac:(lia)) as [f [Hf [Hs N]]]. exists f. split; [exact Hs|].
  split; [exact Hf|]. intros [E A]. destruct (N E) as [K B]. destruct (A K) as [h [m [r [g D]]]].
  apply (B h m r g 5 (1 / 4)); [lra|lra|exact D].
Qed.

(** Nor over all of R^(d x n), as Theorem 3 would be without its compact domain. *)
Example Theorem3_everywhere_false_used : Theorem3_everywhere_false -> ~ forall d n, (1 <= d)%nat -> (1 <= n)%nat ->
  forall f, continuous_on d n everywhere f -> compact_support d n f ->
  forall p e, 1 <= p -> 0 < e -> exists (g : list block) (E : matrix),
    distance_below d n p everywhere f (fun X => run d n 2 1 4 g (plus X E)) e.
Proof.
  intros H A. apply H. intros d n d1 n1 f Hf Hs p e Hp He. destruct (A d n d1 n1 f Hf Hs p e Hp He) as [g [E D]].
  exists E. intros K. exists 2%nat, 1%nat, 4%nat, g.
  apply (distance_mono d n p everywhere _ f _ e e Hp); [lra|intros; exact I|exact D].
Qed.

(** Nor one function over the cube, if there is no encoding. *)
Example No_network_without_encoding_used : No_network_without_encoding -> exists f, compact_support 2 3 f /\
  continuous_on 2 3 everywhere f /\ forall h m r g, ~ distance_below 2 3 5 (cube 2 3) f (run 2 3 h m r g) (1 / 4).
Proof.
  intros H. destruct (H 2%nat 3%nat ltac:(lia) ltac:(lia)) as [f [Hf [Hs N]]]. exists f. split; [exact Hs|].
  split; [exact Hf|]. intros h m r g. apply N; lra.
Qed.

(** With the encoding (0, 1, 2) the entry (1, 1) isn't reached; with none, by Theorem 2, the hill is. *)
Example One_encoding_only_used : One_encoding_only -> Theorem2 ->
  (~ forall K e, 0 < e -> exists h m r ts,
    distance_below 2 3 5 (ball 2 3 K) (fun X _ _ => X 0%nat 0%nat) (fun X => run 2 3 h m r ts (plus X positions)) e) /\
  forall X i j, (i < 2)%nat -> (j < 3)%nat -> hill 2 3 (fun i j => X i (2 - j)%nat) i j = hill 2 3 X i (2 - j)%nat.
Proof.
  intros H T. split.
  - intros A. destruct (swap_permutes 3 ltac:(lia)) as [P1 P2].
    assert (continuous_on 2 3 everywhere (fun X _ _ => X 0%nat 0%nat)) as C.
    { intros X _ e He. exists e. split; [exact He|]. intros Y _ B i j _ _. apply B; lia. }
    specialize (H 2%nat 3%nat ltac:(lia) ltac:(lia) _ positions 5 C ltac:(lra) A swap P1 P2 (fun _ _ => 0) 0%nat 0%nat
      ltac:(lia) ltac:(lia)). unfold positions in H. simpl in H. lra.
  - intros X i j Hi Hj.
    rewrite <- (H 2%nat 3%nat ltac:(lia) ltac:(lia) (hill 2 3) (fun _ _ => 0) 5 (hill_continuous 2 3 _) ltac:(lra))
      with (P := fun j => (2 - j)%nat); try lia.
    + f_equal. extensionality a. extensionality b. ring.
    + intros K e He. destruct (T 2%nat 3%nat ltac:(lia) ltac:(lia) (hill 2 3) (hill_continuous 2 3 _)
        (ex_intro _ 2 (hill_support 2 3)) (hill_equivariant 2 3) 5 e ltac:(lra) He) as [g D].
        exists 2%nat, 1%nat, 4%nat, g.
      apply (distance_mono 2 3 5 everywhere _ (hill 2 3) _ e e); [lra|lra|intros; exact I|].
      eapply distance_ext; [|exact D].
      intros Y _ a b _ _. cbv beta. f_equal. extensionality k. extensionality l. unfold plus. ring.
Qed.

(** ** The distance *)
(** A box of height 2 is two of height 1. *)
Example Integral_unique_used : Integral_unique ->
  step_integral 2 3 [Box (fun _ _ => 0) (fun _ _ => 3) 2] =
  step_integral 2 3 [Box (fun _ _ => 0) (fun _ _ => 3) 1; Box (fun _ _ => 0) (fun _ _ => 3) 1].
Proof.
  intros H. apply (H 2%nat 3%nat); [lia| | |].
  - repeat constructor; simpl; intros; lra.
  - repeat constructor; simpl; intros; lra.
  - intros X. unfold step. simpl. change (inside 2 3 (Box (fun _ _ => 0) (fun _ _ => 3) 2) X) with
      (inside 2 3 (Box (fun _ _ => 0) (fun _ _ => 3) 1) X). destruct (inside _ _ _ X); lra.
Qed.

(** What is 3 or more on the cube has an integral of 3 or more. *)
Example Integral_lower_used : Integral_lower -> forall bs, Forall (proper 2 3) bs ->
  (forall X, cube 2 3 X -> 3 <= step 2 3 bs X) -> 3 <= step_integral 2 3 bs.
Proof.
  intros H bs P A. rewrite <- (Rmult_1_r 3), <- (whole_volume 2 3 3) at 1.
  apply (H 2%nat 3%nat bs (whole 3)); [lia|exact P| |].
  - split; simpl; intros; lra.
  - intros X HX. apply A. intros i j Hi Hj. rewrite inside_spec in HX. exact (HX i j Hi Hj).
Qed.

(** At distance 0. *)
Example Distance_self_used : Distance_self -> distance_below 2 3 5 everywhere (hill 2 3) (hill 2 3) (1 / 100).
Proof. intros H. apply H. lra. Qed.

(** The power 1. *)
Lemma power_one x : power x 1 = Rabs x.
Proof.
  unfold power. destruct (Req_EM_T x 0) as [->|NE]; [rewrite Rabs_R0; reflexivity|].
  apply Rpower_1, Rabs_pos_lt, NE.
Qed.

(** 0 and 1 are 6 apart, on 2 x 3 matrices. *)
Example Distance_constants_used : Distance_constants -> forall e, 0 < e ->
  (distance_below 2 3 1 (cube 2 3) (fun _ _ _ => 0) (fun _ _ _ => 1) e <-> 6 < e).
Proof.
  intros H e He. rewrite (H 2%nat 3%nat 1 0 1 e) by lia. rewrite !power_one, (Rabs_right e) by lra.
  rewrite Rabs_left by lra. simpl INR. split; lra.
Qed.

(** From the other side. *)
Example Distance_symmetric_used : Distance_symmetric -> Distance_constants ->
  distance_below 2 3 1 (cube 2 3) (fun _ _ _ => 1) (fun _ _ _ => 0) 7.
Proof. intros H C. apply H, (Distance_constants_used C); lra. Qed.

(** 0 and 2, by 1. *)
Example Distance_triangle_used : Distance_triangle -> Distance_constants ->
  distance_below 2 3 1 (cube 2 3) (fun _ _ _ => 0) (fun _ _ _ => 2) 13.
Proof.
  intros H C. replace 13 with (13 / 2 + 13 / 2) by lra. apply (H 2%nat 3%nat 1 _ _ (fun _ _ _ => 1)); try lra;
    apply C; try lia; rewrite !power_one, (Rabs_right (13 / 2)), Rabs_left by lra; simpl INR; lra.
Qed.

(** What is within 5 of the hill, and by Theorem 2 some network is, is 0 off a ball. *)
Example Distance_everywhere_used : Distance_everywhere -> Theorem2 -> exists (g : list block) K,
  forall X, ~ close 2 3 K X (fun _ _ => 0) -> forall i j, (i < 2)%nat -> (j < 3)%nat -> run 2 3 2 1 4 g X i j = 0.
Proof.
  intros H T. destruct (T 2%nat 3%nat ltac:(lia) ltac:(lia) (hill 2 3) (hill_continuous 2 3 _)
    (ex_intro _ 2 (hill_support 2 3)) (hill_equivariant 2 3) 5 5 ltac:(lra) ltac:(lra)) as [g D].
  destruct (H 2%nat 3%nat 5 _ _ 5 D) as [K E]. exists g, (Rmax 2 K). pose proof (Rmax_l 2 K). pose proof (Rmax_r 2 K).
  intros X NC i j Hi Hj. rewrite <- E; [apply hill_support| |exact Hi|exact Hj]; try assumption;
    intros C; apply NC; intros a b Ha Hb; specialize (C a b Ha Hb); lra.
Qed.

(** The Riemann sums of the hill converge; and their limit is the distance from 0. *)
Example Distance_is_integral_used : Distance_is_integral -> exists I,
  Un_cv (fun N => riemann 2 3 (error 2 3 5 (hill 2 3) (fun _ _ _ => 0)) (S N)) I /\
  forall e, 0 < e -> (distance_below 2 3 5 (cube 2 3) (hill 2 3) (fun _ _ _ => 0) e <-> I < Rpower e 5).
Proof.
  intros H. apply (H 2%nat 3%nat); try lia; try lra; [apply hill_continuous|].
  intros X _ e He. exists 1. split; [lra|]. intros Y _ _ i j _ _. rewrite Rminus_eq_0, Rabs_R0. exact He.
Qed.

(** Theorem 2 by Riemann's integral. *)
Example Theorem2_riemann_used : Theorem2_riemann -> exists (g : list block) (K I : R), 0 < K /\
  (forall X, ~ close 2 3 K X (fun _ _ => 0) -> forall i j, (i < 2)%nat -> (j < 3)%nat ->
    run 2 3 2 1 4 g X i j = hill 2 3 X i j) /\
  Un_cv (fun N => riemann 2 3 (fun Y => error 2 3 5 (hill 2 3) (run 2 3 2 1 4 g) (in_box K Y)) (S N)) I /\
  ((2 * K) ^ 3) ^ 2 * I < Rpower (1 / 100) 5.
Proof.
  intros H. apply (H 2%nat 3%nat); try lia; try lra; [apply hill_continuous|exists 2; apply hill_support|].
  apply hill_equivariant.
Qed.

(** Over the cube. *)
Example Theorem2_cube_riemann_used : Theorem2_cube_riemann -> exists (g : list block) (I : R),
  Un_cv (fun N => riemann 2 3 (error 2 3 5 (hill 2 3) (run 2 3 2 1 4 g)) (S N)) I /\ I < Rpower (1 / 100) 5.
Proof. intros H. apply (H 2%nat 3%nat); try lia; try lra; [apply hill_continuous|apply hill_equivariant]. Qed.

(** And Theorem 3. *)
Example Theorem3_cube_riemann_used : Theorem3_cube_riemann -> exists (E : matrix) (g : list block) (I : R),
  Un_cv (fun N => riemann 2 3 (error 2 3 5 clipped (fun X => run 2 3 2 1 4 g (plus X E))) (S N)) I /\
  I < Rpower (1 / 100) 5.
Proof.
  intros H. destruct (H 2%nat 3%nat ltac:(lia) ltac:(lia)) as [E A]. exists E.
  apply A; [apply clipped_continuous; lia|lra|lra].
Qed.

(** ** The published network, at (d, n, N) = (1, 2, 2) *)
Example Published_activations_used : Published_activations ->
  apply_phi (outside (1 / 10) (-16)) (-3) = -13 /\ apply_phi (outside (1 / 10) (-16)) (1 / 2) = 0 /\
  apply_phi (outside (1 / 10) (-16)) 1 = -17 /\ apply_phi (tent (1 / 10) (1 / 2) (1 / 2)) (3 / 4) = - (1 / 4) /\
  apply_phi (reject_outside (1 / 10) 8 16) 7 = 1 /\ apply_phi (reject_outside (1 / 10) 8 16) 8 = 0 /\
  apply_phi (reject_outside (1 / 10) 8 16) 17 = 1 /\ apply_phi clear (-3) = 3 /\ apply_phi clear 3 = 0 /\
  apply_phi (around (1 / 10) 13 (1 / 2)) 13 = 1 /\ apply_phi (around (1 / 10) 13 (1 / 2)) (51 / 4) = 1 /\
  apply_phi (around (1 / 10) 13 (1 / 2)) (53 / 4) = 0 /\ apply_phi (around (1 / 10) 13 (1 / 2)) (27 / 2) = 0.
Proof.
  intros H. destruct (H (1 / 10) ltac:(lra)) as [H1 [H2 [H3 [H4 H5]]]].
  repeat split; rewrite ?H1, ?H2, ?H3, ?H4, ?H5 by (unfold left_of; lra);
    unfold paper_outside, paper_cell, paper_reject, paper_clear, paper_around;
    repeat destruct (Rlt_dec _ _); repeat destruct (Rle_dec _ _); lra.
Qed.

(** Strips, each layer its own. *)
Definition strips (k : nat) : R := 1 / 8 / (1 + INR k).
(** They are thin enough. *)
Lemma strips_spec k : 0 < strips k <= / INR 2 / 4.
Proof.
  pose proof (pos_INR k). unfold strips. simpl (INR 2). assert (0 < / (1 + INR k)) by (apply Rinv_0_lt_compat; lra).
  assert (/ (1 + INR k) <= / 1) by (apply Rinv_le_contravar; lra). rewrite Rinv_1 in *. unfold Rdiv at 1. nra.
Qed.

(** At the corner (0, 1/2) it is within 1/8 of its value (0, 1/4). *)
Example Published_values_used : Published_values -> Keys_above -> forall M,
  let rate := fast (cube_error 1 2 2) 2 in
  exists g : list block, g = published 1 2 2 strips (fun k => rate + INR k) M
    (table 1 2 2 (contexts 1 2 2) (key 1 2 2) (halves 2)) /\
  within 1 2 (1 / 8) (run 1 2 2 1 4 g (fun _ j => INR j / 2)) (fun _ j => INR j / 4).
Proof.
  intros H A M rate. eexists. split; [reflexivity|].
  pose proof (constant_nonneg 1 2 2 (le_n 2) _ _ _ : 0 <= cube_error 1 2 2) as E0.
  destruct (fast_spec (cube_error 1 2 2) 2 E0 (le_n 2)) as [F0 F1]. fold rate in F0, F1.
  destruct (halves_table 1 2 2 (le_n 2)) as [V1 V2]. destruct (first_context 2 (le_n 2)) as [K [HK EK]].
  assert (forall k, rate <= rate + INR k) as R by (intros k; pose proof (pos_INR k); lra).
  destruct (A 1%nat 2%nat 2%nat 1 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(simpl; lra)) as [Ab _].
  intros i j Hi Hj.
  pose proof (H 1%nat 2%nat 2%nat strips (fun k => rate + INR k) (/ INR 2 / 4) rate M 1 (halves 2) ltac:(lia) ltac:(lia)
    ltac:(lia) strips_spec (Rle_refl _) F0 R F1 V1 Ab V2 K (fun _ j => INR j / 2) HK) as G.
  assert (off_strips 1 2 2 (/ INR 2 / 4) K (fun _ j => INR j / 2)) as O.
  { intros a b Ha Hb. rewrite EK by assumption. simpl (INR 2). pose proof (pos_INR b). unfold Rdiv. lra. }
  specialize (G O i j Hi Hj). unfold halves, corner in G. rewrite EK in G by assumption. simpl (INR 2) in G, F1.
  eapply Rle_trans; [|eapply Rle_trans; [exact G|lra]]. right. do 2 f_equal. simpl. field.
Qed.

(** An id below t_l: its column becomes 0. *)
Example Published_rejects_used : Published_rejects ->
  run 1 2 2 1 4 (chosen strips (fun _ => 16) 5 (value_below 1 2 2 86
    [(Q2R (Statement.q 1 2 2 (corner_Q 2 (fun _ j => j)) 0), fun _ => 5)])) (fun _ _ => 3) 0%nat 1%nat = 0.
Proof.
  intros H. apply (H 1%nat 2%nat 2%nat); try lia; [apply strips_spec|apply keyed_table, le_n|intros; lra|].
  left. replace (Q2R (Statement.t_l 1 2 2)) with 8.
  - pose proof (strips_spec 5) as S. simpl (INR 2) in S. unfold along, u. simpl. lra.
  - rewrite (Qeq_eqR _ (8 # 1)) by reflexivity. unfold Q2R. simpl. lra.
Qed.

(** It isn't within 1000 of the hill over some ball, and on some box of volume 1000 it is 8 or more. *)
Example Published_fails_used : Published_fails ->
  let g := published 1 2 2 strips (fun k => 16 + INR k) 86
    [(Q2R (Statement.q 1 2 2 (corner_Q 2 (fun _ j => j)) 0), fun _ => 5)] in
  (exists K, ~ distance_below 1 2 5 (ball 1 2 K) (hill 1 2) (run 1 2 2 1 4 g) 1000) /\
  exists b, proper 1 2 b /\ 1000 <= volume 1 2 b /\ forall X, inside 1 2 b X = true ->
    ~ ball 1 2 1000 X /\ 8 <= run 1 2 2 1 4 g X 0%nat 0%nat.
Proof.
  intros H g. destruct (H 1%nat 2%nat 2%nat strips (fun k => 16 + INR k) 86
    [(Q2R (Statement.q 1 2 2 (corner_Q 2 (fun _ j => j)) 0), fun _ => 5)]) as [_ [boxes far]]; try lia.
  - apply strips_spec.
  - intros k. pose proof (pos_INR k). simpl (INR 2). lra.
  - apply keyed_table, le_n.
  - split; [apply far; [exists 2; apply hill_support|lra|lra]|].
    destruct (boxes 1000 1000) as [b [P [V B]]]. exists b. split; [exact P|]. split; [exact V|]. intros X HX.
    destruct (B X HX) as [O T]. split; [exact O|]. eapply Rle_trans; [|exact T].
    rewrite (Qeq_eqR _ (8 # 1)) by reflexivity. unfold Q2R. simpl. lra.
Qed.

(** ** The theorems with all numbers given *)
(** The hill's modulus, for Theorem 2. *)
Lemma allowed_positive d n K p e : (1 <= d)%nat -> (1 <= n)%nat -> 0 < e -> 0 < allowed_change d n K p e.
Proof.
  intros d1 n1 He. assert (0 < INR d) by (apply lt_0_INR; lia). assert (0 < INR n) by (apply lt_0_INR; lia).
  unfold allowed_change, step_error, shrunk. apply Rdiv_lt_0_compat; [|nra].
  apply Rmult_lt_0_compat; [exact He|apply Rpower_pos].
Qed.
Notation c2 := (allowed_change 2 3 2 5 (1 / 100) / (INR 2 * INR 3 + 1)).
Notation c3 := (allowed_change 2 3 1 5 (1 / 100)).

(** They are positive. *)
Lemma moduli_positive : 0 < c2 /\ 0 < c3.
Proof.
  split; [apply Rdiv_lt_0_compat; [|apply entries_pos]|]; apply allowed_positive; try lia; lra.
Qed.

(** The network for the hill, and how many blocks it has. *)
Example Theorem2_explicit_used : Theorem2_explicit ->
  let g := theorem2_network 2 3 2 2 c2 5 (1 / 100) (hill 2 3) in let N := cells_per_side 2 3 2 2 c2 5 (1 / 100) in
  distance_below 2 3 5 everywhere (hill 2 3) (run 2 3 2 1 4 g) (1 / 100) /\
  (length g <= 3 * 2 + 2 * N + (N ^ 2 + 1) + 1 + 3 * N ^ 6)%nat.
Proof.
  intros H. pose proof moduli_positive as [C _].
  apply (H 2%nat 3%nat (hill 2 3)); try lia; try lra; [apply hill_continuous|apply hill_equivariant|apply
    hill_support| |].
  - intros X i j _ _. apply hill_bound.
  - intros X Y. apply hill_modulus, allowed_positive; try lia; lra.
Qed.

(** The network for the clipped entry. *)
Example Theorem3_explicit_used : Theorem3_explicit -> Numbers_fine ->
  let N := cells_per_side3 2 1 1 c3 in
  let g := theorem3_network 2 3 1 1 c3 5 (1 / 100) (at_middles N clipped) in
  distance_below 2 3 5 (ball 2 3 1) clipped (fun X => run 2 3 2 1 4 g (plus X (encoding 1))) (1 / 100) /\
  length g = (2 * 2 + 2 * (3 * N) + (3 * N ^ 2 + 1) + 3 * N ^ 6)%nat.
Proof.
  intros H A N g. pose proof moduli_positive as [_ C].
  destruct (A 2%nat 3%nat 1 (c3 / (2 * 1)) 5 1 ltac:(lia) ltac:(lia) ltac:(lra) ltac:(lra) ltac:(lra)) as
    [_ [_ [[_ [N2 _]] _]]].
  apply (H 2%nat 3%nat (ball 2 3 1) clipped 1 1 c3 5 (1 / 100)); try lia; try lra; [auto| | | |].
  - intros X _ i j _ _. apply clipped_bound.
  - intros X Y _ _. apply clipped_modulus; lia.
  - intros K i j _ _. apply clipped_bound.
  - apply middles_sampled, N2.
Qed.

(** The numbers are fine; so the theorems with any numbers apply to them. *)
Example Theorem2_at_used : Theorem2_at -> Numbers_fine -> exists N e lambda,
  let g := theorem2_network_at 2 3 2 N e lambda 2 (at_corners N (fun Y => hill 2 3 (stretch (- 2) (2 * 2) Y))) in
  distance_below 2 3 5 everywhere (hill 2 3) (run 2 3 2 1 4 g) (1 / 100) /\
  (length g <= 3 * 2 + 2 * N + (N ^ 2 + 1) + 1 + 3 * N ^ 6)%nat.
Proof.
  intros H A. pose proof moduli_positive as [C _].
  assert (0 < shrunk 2 3 (2 * 2) 5 (1 / 100)) as E by (apply Rmult_lt_0_compat; [lra|apply Rpower_pos]).
  destruct (A 2%nat 3%nat 2 (c2 / (2 * 2)) 5 (shrunk 2 3 (2 * 2) 5 (1 / 100)) ltac:(lia) ltac:(lia) ltac:(lra)
    ltac:(lra) E) as [Fi [[L0 L1] _]]. do 3 eexists.
  apply (H 2%nat 3%nat (hill 2 3) 2 2 c2 5 (1 / 100)); try lia; try lra; try exact Fi; try exact L0; try exact L1;
    [apply hill_continuous|apply hill_equivariant|apply hill_support| |].
  - intros X i j _ _. apply hill_bound.
  - intros X Y. apply hill_modulus, allowed_positive; try lia; lra.
Qed.

(** Theorem 3 with them. *)
Example Theorem3_at_used : Theorem3_at -> Numbers_fine -> exists N e lambda,
  let g := theorem3_network_at 2 3 1 N e lambda 1 (at_middles N clipped) in
  distance_below 2 3 5 (ball 2 3 1) clipped (fun X => run 2 3 2 1 4 g (plus X (encoding 1))) (1 / 100) /\
  length g = (2 * 2 + 2 * (3 * N) + (3 * N ^ 2 + 1) + 3 * N ^ 6)%nat.
Proof.
  intros H A. pose proof moduli_positive as [_ C].
  assert (0 < shrunk 2 3 (2 * 1) 5 (1 / 100)) as E by (apply Rmult_lt_0_compat; [lra|apply Rpower_pos]).
  destruct (A 2%nat 3%nat 1 (c3 / (2 * 1)) 5 (shrunk 2 3 (2 * 1) 5 (1 / 100)) ltac:(lia) ltac:(lia) ltac:(lra)
    ltac:(lra) E) as [_ [_ [Fi [L0 L1]]]]. do 3 eexists.
  apply (H 2%nat 3%nat (ball 2 3 1) clipped 1 1 c3 5 (1 / 100)); try lia; try lra; try exact Fi; try exact L0;
    try exact L1; [auto| | | |].
  - intros X _ i j _ _. apply clipped_bound.
  - intros X Y _ _. apply clipped_modulus; lia.
  - intros K i j _ _. apply clipped_bound.
  - apply middles_sampled, Fi.
Qed.

(** The numbers themselves. *)
Example Numbers_fine_used : Numbers_fine -> let N := side 2 3 1 1 5 (1 / 100) in let M := side_positions 2 1 1 in
  (2 <= N)%nat /\ / INR N < 1 /\ 0 < gap 2 3 N 1 5 (1 / 100) < / INR N /\
  cube_error 2 3 N / cube_rate 2 3 N (1 / 100) <= step_error 2 3 (1 / 100) /\
  (2 <= M)%nat /\ positional_error 2 3 M / positional_rate 2 3 M (1 / 100) <= / INR M / 4.
Proof.
  intros H N M. destruct (H 2%nat 3%nat 1 1 5 (1 / 100) ltac:(lia) ltac:(lia) ltac:(lra) ltac:(lra) ltac:(lra)) as
    [[_ [_ [N2 [W [G _]]]]] [[_ L] [[_ [M2 _]] [_ L']]]]. fold N in N2, W, G, L. fold M in M2, L'.
  split; [exact N2|]. split; [exact W|]. split; [exact G|]. split; [eapply Rle_trans; [exact L|apply Rmin_r]|].
  split; [exact M2|eapply Rle_trans; [exact L'|apply Rmin_l]].
Qed.

(** How many cells Theorem 3 takes, for a function that changes no more than its argument. *)
Example Theorem3_rate_used : Theorem3_rate -> forall eps, 0 < eps -> exists (g : list block) N,
  distance_below 2 3 1 (ball 2 3 1) clipped (fun X => run 2 3 2 1 4 g (plus X (encoding 1))) eps /\
  length g = (2 * 2 + 2 * (3 * N) + (3 * N ^ 2 + 1) + 3 * N ^ 6)%nat /\
  INR N <= 4 + 1 * INR 2 + 16 * INR 2 * INR 3 * 1 * 1 * Rpower (((2 * 1) ^ 3) ^ 2) (/ 1) / eps.
Proof.
  intros H. apply (H 2%nat 3%nat (ball 2 3 1) clipped 1 1 1 1); try lia; try lra; [auto| |].
  - intros X _ i j _ _. apply clipped_bound.
  - intros X Y c _ _ _ C. rewrite Rmult_1_l. apply clipped_modulus; [lia|lia|exact C].
Qed.

(** ** One head and one average *)
Example Theorem2_one_average_used : Theorem2_one_average -> exists g : list block, one_average 2 g /\
  distance_below 2 3 5 everywhere (hill 2 3) (run 2 3 1 1 4 g) (1 / 100).
Proof.
  intros H. apply (H 2%nat 3%nat); try lia; try lra; [apply hill_continuous|exists 2; apply hill_support|].
  apply hill_equivariant.
Qed.

(** For given numbers. *)
Example Averaging_at_used : Averaging_at -> Numbers_fine -> exists N e,
  let g := averaging_network 2 3 2 N e 2 (at_corners N (fun Y => hill 2 3 (stretch (- 2) (2 * 2) Y))) in
  one_average 2 g /\ distance_below 2 3 5 everywhere (hill 2 3) (run 2 3 1 1 4 g) (1 / 100) /\
  length g = (3 * 2 + 2 * N + (N ^ 2 + 1) + 1 + 3 * N ^ 6)%nat.
Proof.
  intros H A. pose proof moduli_positive as [C _].
  assert (0 < shrunk 2 3 (2 * 2) 5 (1 / 100)) as E by (apply Rmult_lt_0_compat; [lra|apply Rpower_pos]).
  destruct (A 2%nat 3%nat 2 (c2 / (2 * 2)) 5 (shrunk 2 3 (2 * 2) 5 (1 / 100)) ltac:(lia) ltac:(lia) ltac:(lra)
    ltac:(lra) E) as [[_ [_ Fi]] _]. do 2 eexists.
  apply (H 2%nat 3%nat (hill 2 3) 2 2 c2 5 (1 / 100)); try lia; try lra; try exact Fi;
    [apply hill_continuous|apply hill_equivariant|apply hill_support| |].
  - intros X i j _ _. apply hill_bound.
  - intros X Y. apply hill_modulus, allowed_positive; try lia; lra.
Qed.

(** How many cells. *)
Example Averaging_rate_used : Averaging_rate -> forall eps, 0 < eps -> exists g N,
  one_average 2 g /\ distance_below 2 3 1 everywhere (hill 2 3) (run 2 3 1 1 4 g) eps /\
  length g = (3 * 2 + 2 * N + (N ^ 2 + 1) + 1 + 3 * N ^ 6)%nat /\
  INR N <= 3 + 16 * INR 2 * INR 3 * 2 * 7 * Rpower (((2 * 2) ^ 3) ^ 2) (/ 1) / eps.
Proof.
  intros H. apply (H 2%nat 3%nat (hill 2 3) 2 2 7 1); try lia; try lra;
    [apply hill_equivariant|apply hill_support|intros X i j _ _; apply hill_bound|].
  intros X Y c Hc XY i j _ _. pose proof (hill_change 2 3 c X Y i j Hc XY) as L. simpl INR in L. lra.
Qed.

(** At a point with equal columns, (3/4, 3/4), it is the very value; and 0 off the cube. *)
Example Averaging_values_used : Averaging_values ->
  let g := run 1 2 1 1 4 (averaging_network_at 1 2 2 (1 / 8) 1 (halves 2)) in
  (forall X, Rabs (g X 0%nat 1%nat) <= 1) /\ g (fun _ j => INR j) 0%nat 0%nat = 0 /\
  g (fun _ _ => 3 / 4) 0%nat 1%nat = 1 / 4.
Proof.
  intros H g. destruct (cells_complete 1 2 2 (fun _ _ => 1%nat)) as [K [HK EK]]; [lia|intros i j _ _; lia|].
  assert (equivariant_values 1 2 2 (halves 2)) as V.
  { intros p _ _ K1 K2 _ _ E i k Hi Hk. unfold halves, corner. rewrite E by assumption. reflexivity. }
  assert (forall K i j, In K (all_cells 1 2 2) -> (i < 1)%nat -> (j < 2)%nat -> Rabs (halves 2 K i j) <= 1) as B.
  { intros K1 i j H1 Hi Hj. pose proof (cells_range 1 2 2 K1 ltac:(lia) H1 i j Hi Hj) as R. apply le_INR in R.
    rewrite S_INR in R. pose proof (pos_INR (K1 i j)). unfold halves, corner. simpl (INR 2) in *. apply Rabs_le. lra. }
  destruct (H 1%nat 2%nat 2%nat (1 / 8) 1 (halves 2) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(simpl; lra) ltac:(lra) V B)
    as [G1 [G2 G3]]. fold g in G1, G2, G3. split; [|split].
  - intros X. specialize (G1 X 0%nat 1%nat ltac:(lia) ltac:(lia)). rewrite Rminus_0_r in G1. exact G1.
  - apply (G2 _ 0%nat 1%nat); [lia|lia|right; simpl; lra|lia|lia].
  - rewrite (G3 K) by (try exact HK; try lia; try (intros; lra);
      intros a b Ha Hb; rewrite EK by assumption; simpl; lra).
    unfold halves, corner. rewrite EK by lia. simpl. field.
Qed.

(** Its weights have a bound without a rate. *)
Example Averaging_weights_used : Averaging_weights ->
  Forall (weights_within 1 (largest_weight 1 2 2 1 (1 / 8) 1 0 (averaging_top 1 2 2 1) (2 * spread 1 2 2)))
    (averaging_network 1 2 1 2 (1 / 8) 1 (fun _ _ j => INR j)).
Proof.
  intros H. apply H; try lia; try lra; [simpl; lra|]. intros _ i j _ _ Hj.
  rewrite Rabs_right by (apply Rle_ge, pos_INR). apply (le_INR j 1). lia.
Qed.

(** ** Proposition 4 with distance 0, at real points *)
Example Real_run_used : Modified.Real_run -> forall X,
  Modified.run 2 3 (map Modified.real_layer (StatementExact.exact_network 2 3 2 (fun L => L)))
    (Modified.real_matrix X) =
  Modified.real_matrix (Layers.run_all 2 3 (StatementExact.exact_network 2 3 2 (fun L => L)) X).
Proof. intros H X. apply H. Qed.

(** At pi/8 + 1/4 the corner's target, and 0 at pi; all layers of the class. *)
Example Proposition4_everywhere_used : Modified.Proposition4_everywhere ->
  let network := Modified.exact_network 2 3 2 (fun L => L) in let g := Modified.run 2 3 network in
  g (fun _ _ => PI / 8 + 1 / 4) 1%nat 2%nat = Modified.corner 2 (fun _ _ => PI / 8 + 1 / 4) 1%nat 2%nat /\
  g (fun _ _ => PI) 1%nat 2%nat = 0 /\ Forall Modified.of_class network.
Proof.
  intros H network g. pose proof PI_RGT_0. pose proof PI_4. pose proof PI2_1.
  destruct (H 2%nat 3%nat 2%nat ltac:(lia) ltac:(lia) ltac:(lia) (fun L => L)) as [G1 [G2 C]].
  - intros L L' p _ _ _ _ E i j Hi Hj. apply E; assumption.
  - split; [|split; [|exact C]].
    + apply G1; try lia. intros i j _ _. lra.
    + apply G2; try lia. intros I. specialize (I 0%nat 0%nat ltac:(lia) ltac:(lia)). lra.
Qed.

(** The rational network itself. *)
Example Proposition4_same_network_used : Modified.Proposition4_same_network ->
  let g := Modified.run 2 3 (map Modified.real_layer (StatementExact.exact_network 2 3 2 (fun L => L))) in
  g (fun _ _ => PI / 8) 1%nat 2%nat = Q2R (Modified.rational_corner 2 (fun _ _ => PI / 8) 1%nat 2%nat) /\
  g (fun _ _ => PI) 1%nat 2%nat = 0.
Proof.
  intros H g. pose proof PI_RGT_0. pose proof PI_4. pose proof PI2_1.
  destruct (H 2%nat 3%nat 2%nat ltac:(lia) ltac:(lia) ltac:(lia) (fun L => L)) as [G1 G2].
  - intros L L' p _ _ _ _ E. exact E.
  - split; [apply G1; try lia; intros i j _ _; lra|]. apply G2; try lia. intros I.
    specialize (I 0%nat 0%nat ltac:(lia) ltac:(lia)). lra.
Qed.

(** ** Sparse attention over the star: a function that isn't equivariant *)
Lemma star_star n : StatementSparse.contains_star n StatementSparse.star.
Proof.
  intros i Hi. unfold StatementSparse.star. destruct i as [|i]; [lia|]. rewrite (Nat.eqb_refl (S i)). repeat split.
Qed.

(** Theorem 1. *)
Example BigBird_theorem1_used : SparseAttention.BigBird_theorem1 -> exists (ts : list block) (E : matrix),
  distance_below 2 3 5 (cube 2 3) clipped
    (SparseAttention.sparse_transformer 2 3 1 1 4 StatementSparse.star ts E) (1 / 100).
Proof.
  intros H. apply (H 2%nat 3%nat); try lia; try lra; [apply star_star|apply clipped_continuous; lia].
Qed.

(** The same blocks over the star and where all attend to all, and one embedding for two functions. *)
Example BigBird_theorem1_any_graph_used : SparseAttention.BigBird_theorem1_any_graph -> exists (E : matrix) ts ts',
  (forall s, In s ts -> SparseAttention.no_bias s) /\
  distance_below 2 3 5 (cube 2 3) clipped
    (SparseAttention.sparse_transformer 2 3 1 1 4 StatementSparse.star ts E) (1 / 100) /\
  distance_below 2 3 5 (cube 2 3) clipped
    (SparseAttention.sparse_transformer 2 3 1 1 4 (fun _ _ => true) ts E) (1 / 100) /\
  distance_below 2 3 1 (cube 2 3) (hill 2 3)
    (SparseAttention.sparse_transformer 2 3 1 1 4 StatementSparse.star ts' E) (1 / 7).
Proof.
  intros [E H].
  destruct (H 2%nat 3%nat ltac:(lia) ltac:(lia) clipped (clipped_continuous 2 3 _ ltac:(lia) ltac:(lia)) 5 (1 / 100)
    ltac:(lra) ltac:(lra)) as [a [t [t' [b [_ [NB D]]]]]].
  destruct (H 2%nat 3%nat ltac:(lia) ltac:(lia) (hill 2 3) (hill_continuous 2 3 _) 1 (1 / 7)
    ltac:(lra) ltac:(lra)) as [a' [u [u' [b' [_ [_ D']]]]]].
  exists E, (a ++ [t; t'] ++ b), (a' ++ [u; u'] ++ b'). split; [exact NB|]. split; [apply D, star_star|].
  split; [apply D; intros i _; auto|apply D', star_star].
Qed.

(** Where all attend to all. *)
Example Sparse_complete_run_used : SparseAttention.Sparse_complete_run -> forall ts X,
  SparseAttention.sparse_run 2 3 1 1 4 (fun _ _ => true) ts X = run 2 3 1 1 4 ts X.
Proof. intros H ts X. apply H. Qed.

(** ** What the networks are at a point: at (d, n, N) = (1, 2, 2) *)
Lemma corner_off_strips K : (forall i j, (i < 1)%nat -> (j < 2)%nat -> K i j = j) ->
  off_strips 1 2 2 (1 / 8) K (fun _ j => INR j / 2 + 1 / 4).
Proof. intros E i j Hi Hj. rewrite E by assumption. simpl (INR 2). pose proof (pos_INR j). unfold Rdiv. lra. Qed.

(** Within [-1, 1] everywhere, and at (1/4, 3/4) near (0, 1/4). *)
Example Cube_values_used : Cube_values -> Keys_above ->
  let g := run 1 2 2 1 4 (cube_network_at 1 2 2 (1 / 8) (fast (cube_error 1 2 2) 2) 1 (halves 2)) in
  (forall X, Rabs (g X 0%nat 1%nat) <= 1) /\
  within 1 2 (1 / 8) (g (fun _ j => INR j / 2 + 1 / 4)) (fun _ j => INR j / 4).
Proof.
  intros H A g. pose proof (constant_nonneg 1 2 2 (le_n 2) _ _ _ : 0 <= cube_error 1 2 2) as E0.
  destruct (fast_spec (cube_error 1 2 2) 2 E0 (le_n 2)) as [F0 F1].
  destruct (halves_table 1 2 2 (le_n 2)) as [V1 V2]. destruct (first_context 2 (le_n 2)) as [K [HK EK]].
  destruct (A 1%nat 2%nat 2%nat 1 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(simpl; lra)) as [Ab _].
  destruct (H 1%nat 2%nat 2%nat (1 / 8) _ 1 (halves 2) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(simpl; lra) ltac:(lra)
    F0 F1
    V1 Ab V2) as [B G]. fold g in B, G. split.
  - intros X. specialize (B X 0%nat 1%nat ltac:(lia) ltac:(lia)). rewrite Rminus_0_r in B. exact B.
  - intros i j Hi Hj. specialize (G K _ HK (corner_off_strips K EK) i j Hi Hj). unfold halves, corner in G.
    rewrite EK in G by assumption. simpl (INR 2) in G, F1. eapply Rle_trans; [|eapply Rle_trans; [exact G|lra]].
    right. do 2 f_equal. simpl. field.
Qed.

(** And exactly 0 off the cube. *)
Example Supported_values_used : Supported_values -> Keys_above ->
  let g := run 1 2 2 1 4 (supported_network_at 1 2 2 (1 / 8) (fast (cube_error 1 2 2) 2) 1 (halves 2)) in
  (forall X, Rabs (g X 0%nat 1%nat) <= 1) /\ g (fun _ j => INR j) 0%nat 0%nat = 0 /\
  within 1 2 (1 / 8) (g (fun _ j => INR j / 2 + 1 / 4)) (fun _ j => INR j / 4).
Proof.
  intros H A g. pose proof (constant_nonneg 1 2 2 (le_n 2) _ _ _ : 0 <= cube_error 1 2 2) as E0.
  destruct (fast_spec (cube_error 1 2 2) 2 E0 (le_n 2)) as [F0 F1].
  destruct (halves_table 1 2 2 (le_n 2)) as [V1 V2]. destruct (first_context 2 (le_n 2)) as [K [HK EK]].
  destruct (A 1%nat 2%nat 2%nat 1 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(simpl; lra)) as [Ab _].
  destruct (H 1%nat 2%nat 2%nat (1 / 8) _ 1 (halves 2) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(simpl; lra) ltac:(lra)
    F0 F1
    V1 Ab V2) as [B [Z G]]. fold g in B, Z, G. split; [|split].
  - intros X. specialize (B X 0%nat 1%nat ltac:(lia) ltac:(lia)). rewrite Rminus_0_r in B. exact B.
  - apply (Z _ 0%nat 1%nat); [lia|lia|right; simpl; lra|lia|lia].
  - intros i j Hi Hj. specialize (G K _ HK (corner_off_strips K EK)). unfold halves, corner in G.
    eapply Rle_trans; [|eapply Rle_trans; [apply G; [|exact Hi|exact Hj]|simpl (INR 2) in F1; lra]].
    + rewrite EK by assumption. right. do 2 f_equal. simpl. field.
    + intros a b _ _. pose proof (pos_INR b). lra.
Qed.

(** Theorem 3's, for any table: here the column's number. *)
Example Positional_values_used : Positional_values -> Keys_above ->
  let g := fun X => run 1 2 2 1 4 (positional_network_at 1 2 2 (1 / 8) (fast (positional_error 1 2 2) 2) 1
    (fun _ _ j => INR j)) (plus X positions) in
  (forall X, Rabs (g X 0%nat 1%nat) <= 1) /\
  within 1 2 (1 / 8) (g (fun _ j => INR j / 2 + 1 / 4)) (fun _ j => INR j).
Proof.
  intros H A g.
  pose proof (constant_nonneg 1 2 2 (le_n 2) _ _ _ : 0 <= positional_error 1 2 2) as E0.
  destruct (fast_spec (positional_error 1 2 2) 2 E0 (le_n 2)) as [F0 F1].
  destruct (first_context 2 (le_n 2)) as [K [HK EK]].
  destruct (A 1%nat 2%nat 2%nat 1 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(simpl; lra)) as [_ Ab].
  assert (forall (K : cells) i j, (i < 1)%nat -> (j < 2)%nat -> Rabs (INR j) <= 1) as V.
  { intros _ i j _ Hj. rewrite Rabs_right by (apply Rle_ge, pos_INR). apply (le_INR j 1). lia. }
  destruct (H 1%nat 2%nat 2%nat (1 / 8) _ 1 (fun _ _ j => INR j) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(simpl; lra)
    ltac:(lra) F0 F1 Ab V) as [B G]. split.
  - intros X. specialize (B X 0%nat 1%nat ltac:(lia) ltac:(lia)). rewrite Rminus_0_r in B. exact B.
  - intros i j Hi Hj. apply filter_In in HK. specialize (G K _ (proj1 HK) (corner_off_strips K EK) i j Hi Hj).
    eapply Rle_trans; [exact G|]. simpl (INR 2) in F1. lra.
Qed.

(** Three cells to a unit, and values up to 2. *)
Example Keys_above_used : Keys_above -> forall K, In K (contexts 1 2 3) -> 2 * 1 * 3 + / 3 <= key 1 2 3 K 1.
Proof.
  intros H K HK. destruct (H 1%nat 2%nat 3%nat 2 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(simpl; lra)) as [A _].
  specialize (A K 1%nat HK ltac:(lia)). unfold cube_key in A. simpl in A. replace (1 + 1 + 1) with 3 in A by ring.
  exact A.
Qed.

(** No weight of the network at (1, 2, 2), with K = 1, F = 1, strips of 1/8 and the rate 100, is above 2000. *)
Example Theorem2_weights_used : Theorem2_weights ->
  Forall (weights_within 1 2000) (theorem2_network_at 1 2 1 2 (1 / 8) 100 1 (halves 2)).
Proof.
  intros H. assert (Q2R (Statement.t_r 1 2 2) = 16) as T.
  { rewrite (Qeq_eqR _ (16 # 1)) by reflexivity. unfold Q2R. simpl. lra. }
  eapply Forall_impl; [|apply (H 1%nat 2%nat 1 2%nat (1 / 8) 100 1 (halves 2)); try lia; try lra; [simpl; lra|];
    apply halves_table; lia].
  assert (largest_weight 1 2 2 1 (1 / 8) 1 100 (top_key 1 2 2 (offset 1 2 1)) (global_factor 1 2 2) <= 2000) as W.
  { unfold largest_weight, top_key, global_factor. simpl Nat.eqb. cbv iota. rewrite T. simpl. lra. }
  intros t [A B]. split; [intros k i Hk Hi; specialize (A k i Hk Hi)|intros a i Ha Hi; specialize (B a i Ha Hi)];
    repeat split; eapply Rle_trans; try exact W; apply A || apply B.
Qed.

(** Nor one of Theorem 3's above 30000. *)
Example Theorem3_weights_used : Theorem3_weights ->
  Forall (weights_within 1 30000) (theorem3_network_at 1 2 1 2 (1 / 8) 100 1 (fun _ _ j => INR j)).
Proof.
  intros H.
  eapply Forall_impl; [|apply (H 1%nat 2%nat 1 2%nat (1 / 8) 100 1 (fun _ _ j => INR j)); try lia; try lra; [simpl;
    lra|]].
  - assert (largest_weight 1 2 2 1 (1 / 8) 1 100 (positional_top 1 2 2 (offset 1 2 1))
      (Statement3.positional_factor 1 2 2) <= 30000) as W.
    { unfold largest_weight, positional_top, Statement3.positional_factor. simpl. lra. }
    intros t [A B]. split; [intros k i Hk Hi; specialize (A k i Hk Hi)|intros a i Ha Hi; specialize (B a i Ha Hi)];
      repeat split; eapply Rle_trans; try exact W; apply A || apply B.
  - intros _ i j _ Hj. rewrite Rabs_right by (apply Rle_ge, pos_INR). apply (le_INR j 1). lia.
Qed.

(** ** The rational networks *)
Example Same_weights_used : Rational.Same_weights -> Rational.same 1
  (Rational.theorem2_network_at 1 2 1 2 (1 # 8) 100 1 (fun _ _ j => Statement.of_nat j))
  (theorem2_network_at 1 2 (Q2R 1) 2 (Q2R (1 # 8)) (Q2R 100) (Q2R 1) (fun _ _ j => INR j)).
Proof.
  intros H. apply (H 1%nat 2%nat 2%nat 1%Q (1 # 8)%Q 100%Q 1%Q); [lia|reflexivity|reflexivity|].
  intros _ i j _ _. apply Q2R_nat.
Qed.

(** The published one. *)
Example Same_published_used : Rational.Same_published -> Rational.same 1
  (Rational.published 1 2 2 (fun _ => 1 # 10) (fun _ => 100) 86 [(13, fun _ => 1)])%Q
  (published 1 2 2 (fun _ => Q2R (1 # 10)) (fun _ => Q2R 100) (Q2R 86) [(Q2R 13, fun _ => Q2R 1)]).
Proof. intros H. apply (H 1%nat 2%nat 2%nat (fun _ => 1 # 10)%Q (fun _ => 100)%Q 86%Q); [lia|reflexivity]. Qed.
