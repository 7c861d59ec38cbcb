(** How many blocks the networks have. *)
From Coq Require Import Reals ZArith List Arith Bool Lia Lra.
From Contextual Require Statement Statement3.
From Contextual Require Import Approximation Construction Explicit Tracking Interface Budget Rescale Everywhere
  Positions.
Import ListNotations.
Open Scope R_scope.

(** One layer for each row. *)
Lemma entrywise_length d f : length (entrywise d f) = d.
Proof. unfold entrywise. rewrite map_length, seq_length. reflexivity. Qed.

(** k for each element of a list. *)
Lemma constant_flat_map {A B} (f : A -> list B) k l : (forall a, length (f a) = k) ->
  length (flat_map f l) = (length l * k)%nat.
Proof. intros H. induction l as [|a l IH]; simpl; [reflexivity|]. rewrite app_length, H, IH. reflexivity. Qed.

(** m layers for each row. *)
Lemma quantise_length d N e m : length (quantise d N e m) = (d * m)%nat.
Proof.
  unfold quantise. rewrite (constant_flat_map _ m), seq_length; [reflexivity|].
  intros i. unfold quantise_row. rewrite map_length, seq_length. reflexivity.
Qed.

(** An entry for each column of each context. *)
Lemma table_length d n N Ks key target : length (table d n N Ks key target) = (length Ks * n)%nat.
Proof. unfold table. apply constant_flat_map. intros K. rewrite map_length, seq_length. reflexivity. Qed.

(** All N^(dn) matrices of cells. *)
Lemma cells_length d n N : length (all_cells d n N) = (N ^ (d * n))%nat.
Proof. unfold all_cells. rewrite map_length. apply functions_length. Qed.

(** Contexts are some of them. *)
Lemma contexts_length d n N : (length (contexts d n N) <= N ^ (d * n))%nat.
Proof.
  rewrite <- cells_length. unfold contexts. induction (all_cells d n N) as [|K l IH]; simpl; [lia|].
  destruct (distinct d n K); simpl; lia.
Qed.

(** A layer for each level and the global shift. *)
Lemma map_length_of d N levels factor lambda : length (contextual_map d N levels factor lambda) =
  (length levels + 1)%nat.
Proof. unfold contextual_map. rewrite app_length, !map_length. reflexivity. Qed.

(** Theorem 3's levels: N^d for each column. *)
Lemma levels_length d n N : length (Statement3.levels d n N) = (n * N ^ d)%nat.
Proof.
  unfold Statement3.levels. rewrite (constant_flat_map _ (N ^ d)), seq_length; [reflexivity|].
  intros j. rewrite map_length, seq_length. reflexivity.
Qed.

(** Theorem 2's network, and Theorem 3's. *)
Lemma blocks2_length d n K N e lambda F v : (length (theorem2_network_at d n K N e lambda F v) <= blocks2 d n N)%nat.
Proof.
  unfold theorem2_network_at, supported_network_at, whole_network, blocks2.
  rewrite !app_length, !entrywise_length, quantise_length. unfold value. rewrite map_length. unfold cube_table.
  rewrite table_length. pose proof (contexts_length d n N) as L. apply (Nat.mul_le_mono_r _ _ n) in L. unfold cube_map.
  simpl (length [_]). destruct (Nat.eqb n 1); [simpl length|rewrite map_length_of, seq_length; unfold Statement.B]; lia.
Qed.

(** Theorem 3's network, exactly. *)
Lemma blocks3_length d n K N e lambda F v : length (theorem3_network_at d n K N e lambda F v) = blocks3 d n N.
Proof.
  unfold theorem3_network_at, positional_network_at, network, blocks3.
  rewrite !app_length, !entrywise_length, quantise_length. unfold value. rewrite map_length. unfold positional_table.
  rewrite table_length. unfold positional_contexts. rewrite map_length, cells_length. unfold positional_map.
  destruct (Nat.eqb n 1); [simpl length|rewrite map_length_of, levels_length]; lia.
Qed.

(** The theorems with their sizes. *)
Theorem theorem2_numbers : Theorem2_at.
Proof. intros d n f K F c p eps N e lambda **. split; [apply theorem2_at with c; assumption|apply blocks2_length]. Qed.

(** Theorem 3, for any numbers that are fine. *)
Theorem theorem3_numbers : Theorem3_at.
Proof.
  intros d n D f K F c p eps v N e lambda **. split; [apply theorem3_at with c; assumption|apply blocks3_length].
Qed.

(** Theorem 2 with the numbers written out. *)
Theorem theorem2_sizes : Theorem2_explicit.
Proof. intros d n f K F c p eps **. split; [apply theorem2_explicit; assumption|apply blocks2_length]. Qed.

(** Theorem 3 with the numbers written out. *)
Theorem theorem3_sizes : Theorem3_explicit.
Proof. intros d n D f K F c p eps v **. split; [apply theorem3_explicit; assumption|apply blocks3_length]. Qed.

(** The numbers of [Construction] *)
Theorem all_numbers_fine : Numbers_fine.
Proof.
  intros d n F c p eps d1 n1 F0 c0 E0 N. pose proof (numbers_fine d n d1 n1 F c p eps F0 c0 E0) as H.
  assert (2 <= N)%nat as N2 by apply H.
  pose proof (positions_fine d n d1 n1 F c p eps F0 c0 E0) as H3. assert (2 <= side_positions d F c)%nat as N3 by
    apply H3.
  split; [exact H|split; [|split; [exact H3|]]].
  - apply (rate_spec d n d1 n1 F p eps E0 N _ N2), constant_nonneg, N2.
  - apply (rate_spec d n d1 n1 F p eps E0 _ _ N3), constant_nonneg, N3.
Qed.

(** Theorem 3 for Lipschitz f: N = O(1/epsilon). *)
Theorem theorem3_rate : Theorem3_rate.
Proof.
  intros d n D f K F l p d1 n1 HD HF K0 F0 l0 p1 Hl eps eps0. assert (0 < 2 * K) as s0 by lra.
  destruct (lipschitz_cells d n (2 * K) s0 l p eps d1 n1 l0 eps0) as [c0 EC]. set (c := _ / l) in *.
  destruct (values_exist d n (fun Y => D (stretch (- K) (2 * K) Y)) (fun Y => f (stretch (- K) (2 * K) Y)) F
    (cells_per_side3 d K F c) F0) as [v [Hv HS]]; [intros; apply HF; assumption|].
  exists (theorem3_network d n K F c p eps v), (cells_per_side3 d K F c).
  destruct (theorem3_sizes d n D f K F c p eps v) as [A L]; try assumption.
  - intros X Y HX HY C. unfold allowed_change.
    replace (step_error d n (shrunk d n (2 * K) p eps)) with (l * c) by (unfold c; field; lra). apply Hl; assumption.
  - intros C _. apply HS.
  - split; [exact A|split; [exact L|]]. pose proof (lt_0_INR d d1) as D1.
    assert (0 < / (c / (2 * K))) as I0 by (apply Rinv_0_lt_compat, Rdiv_lt_0_compat; assumption).
    assert (0 < F * INR d) as FD by (apply Rmult_lt_0_compat; assumption).
    destruct (up_above (2 + / (c / (2 * K)) + (F * INR d + 1)) ltac:(lra)) as [_ B].
    change (Z.to_nat (up _)) with (cells_per_side3 d K F c) in B. rewrite EC in B.
    replace (16 * INR d * INR n * K * l) with (8 * INR d * INR n * (2 * K) * l) by ring. lra.
Qed.
