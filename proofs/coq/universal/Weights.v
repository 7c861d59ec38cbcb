(** One bound for all weights of the networks of Theorems 2 and 3: block by block. *)
From Coq Require Import Reals QArith Qreals List Arith ZArith Bool Lia Lra Psatz.
From Contextual Require Statement Statement3.
From Contextual Require Import Approximation Sums Construction Relu Blocks Tracking Interface Keys Uniform
  Budget Sentinel Cube Rescale Positions Explicit.
Import ListNotations.
Open Scope R_scope.

(** ** One block *)
Lemma zero_within W : 0 <= W -> Rabs 0 <= W.
Proof. intros H. rewrite Rabs_R0. exact H. Qed.

(** A token-wise layer: what its two vectors and its phi are. *)
Lemma token_within d W w v f : 0 <= W -> (forall a i, (a < 4)%nat -> (i < d)%nat -> Rabs (s f a * w i) <= W /\
  Rabs (v i * c f a) <= W /\ Rabs (o f a) <= W /\ Rabs (v i * c0 f) <= W) -> weights_within d W (token w v f).
Proof.
  intros W0 H. split; [intros k i _ _; simpl; repeat split; apply zero_within, W0|].
  intros a i Ha Hi. destruct (H a i Ha Hi) as [A [B [C D]]]. simpl. auto.
Qed.

(** The four ReLUs of a phi, one after the other. *)
Lemma four (P : nat -> Prop) : P 0%nat -> P 1%nat -> P 2%nat -> P 3%nat -> forall a, (a < 4)%nat -> P a.
Proof. intros H0 H1 H2 H3 [|[|[|[|a]]]] Ha; try assumption. lia. Qed.

(** Slopes 1 and -1; the largest coefficient and offset. *)
Definition phi_within (C O : R) (f : phi) : Prop :=
  Rabs (c0 f) <= O /\ forall a, (a < 4)%nat -> Rabs (s f a) <= 1 /\ Rabs (c f a) <= C /\ Rabs (o f a) <= O.

(** A layer of one row. *)
Lemma unit_within d W i0 f : 1 <= W -> phi_within W W f -> weights_within d W (token (unit i0) (unit i0) f).
Proof.
  intros W1 [H0 H]. apply token_within; [lra|]. intros a i Ha _. destruct (H a Ha) as [A [B C]]. unfold unit.
  destruct (Nat.eqb i i0); rewrite ?Rmult_1_r, ?Rmult_1_l, ?Rmult_0_r, ?Rmult_0_l, ?Rabs_R0; repeat split; lra.
Qed.

(** A layer whose vectors are bounded. *)
Lemma vector_within d W U V C O w v f : 0 <= U -> 0 <= V -> (forall i, (i < d)%nat -> Rabs (w i) <= U) ->
  (forall i, (i < d)%nat -> Rabs (v i) <= V) -> phi_within C O f -> c0 f = 0 -> U <= W -> V * C <= W -> O <= W ->
  weights_within d W (token w v f).
Proof.
  intros U0 V0 HU HV [_ H] Z H1 H2 H3. apply token_within; [lra|]. intros a i Ha Hi. destruct (H a Ha) as [A [B D]].
  specialize (HU i Hi). specialize (HV i Hi). rewrite Z, Rmult_0_r, Rabs_R0, !Rabs_mult.
  pose proof (Rabs_pos (s f a)). pose proof (Rabs_pos (w i)). pose proof (Rabs_pos (v i)).
  pose proof (Rabs_pos (c f a)).
  repeat split; try lra.
  - apply Rle_trans with (1 * U); [apply Rmult_le_compat; lra|lra].
  - apply Rle_trans with (V * C); [apply Rmult_le_compat; lra|lra].
Qed.

Ltac by_cases := split; [simpl; apply Rabs_le; try lra|apply four; simpl; repeat split; apply Rabs_le; try lra].

(** ** The phis *)
Lemma tent_within C O e k w : 0 < e -> e < w -> 0 <= k -> 1 <= C -> w / e <= C -> k + w <= O ->
  phi_within C O (tent e k w).
Proof.
  intros He Hw Hk C1 HC HO. assert ((w - e) / e = w / e - 1) as E by (field; lra).
  assert (1 <= w / e) by (apply Rmult_le_reg_r with e; [exact He|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
  by_cases; rewrite ?E; lra.
Qed.

(** A window of the value map. *)
Lemma window_within C O k w : 0 < w -> 4 / w <= C -> Rabs k + w <= O -> phi_within C O (window k w).
Proof.
  intros Hw HC HO. assert (0 < 4 / w) by (apply Rdiv_lt_0_compat; lra).
  assert (- Rabs k <= k <= Rabs k) by (apply between; lra). by_cases.
Qed.

(** The clamp. *)
Lemma clamp_within C O F : 0 <= F -> 1 <= C -> F <= O -> phi_within C O (clamp F).
Proof. intros. by_cases. Qed.

(** The last layer. *)
Lemma finish_within C O F : 0 <= F -> 2 <= C -> 2 * F <= O -> phi_within C O (finish F).
Proof. intros. by_cases. Qed.

(** The border with its sentinel. *)
Lemma border_within C O e S : 0 < e -> e <= 1 -> 2 <= S -> S / e + 1 <= C -> 1 <= O -> phi_within C O (border e S).
Proof.
  intros He H1 HS HC HO. assert ((S - 1) / e = S / e - / e) as E by (field; lra).
  assert (0 < / e) by (apply Rinv_0_lt_compat, He). assert (/ e <= S / e) by (unfold Rdiv; nra).
  assert (0 <= S / e) by lra. by_cases; rewrite ?E; lra.
Qed.

(** The ramp that rejects. *)
Lemma ramp_within C O T : 0 <= T -> 1 <= C -> T <= O -> phi_within C O (ramp T).
Proof. intros. by_cases. Qed.

(** The affine map. *)
Lemma affine_within C O x b : 0 <= x -> x + 1 <= C -> 0 <= b <= O -> phi_within C O (affine x b).
Proof. intros. by_cases. Qed.

(** ** A network of given keys, levels and values *)
Section Weights.
Variables d n N m : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Hypothesis mN : (m <= n * N)%nat.
Notation w := (/ INR N).
Notation B := (INR (N ^ d)).
Variables K e F lambda top : R.
Variable g : nat.
Hypothesis K0 : 0 < K.
Hypothesis F0 : 0 < F.
Hypothesis e0 : 0 < e.
Hypothesis ew : e < w.
Hypothesis lambda0 : 0 <= lambda.
Hypothesis top0 : 0 <= top.
Notation W := (largest_weight d n N K e F lambda top g).

(** What each part of the bound is there for. *)
Lemma bounds : 1 <= INR n /\ INR N * w = 1 /\ 0 < w <= 1 / 2 /\ 1 <= B /\ 0 < / (2 * K) /\ 0 < / e /\ w / e <= / e /\
  0 <= INR g /\ 0 <= lambda * B /\ 0 <= lambda * (INR n * B) /\ lambda * B <= lambda * (INR n * B) /\ B <= INR n * B /\
  0 <= INR d * INR n * B /\ 1 <= / e /\
  / (2 * K) + INR g + (lambda * (INR n * B) + INR n * B) + 4 * INR N * (F + INR n + top + INR d * INR n * B) +
  (2 * INR n * (top + F + 1) + 3) * / e = W /\ 8 * (F + INR n + top + INR d * INR n * B) <=
  4 * INR N * (F + INR n + top + INR d * INR n * B) /\ 3 * / e <= (2 * INR n * (top + F + 1) + 3) * / e.
Proof using K0 F0 N2 d1 e0 ew lambda0 n1 top0 mN.
  assert (2 <= INR N) as NR by (apply (le_INR 2), N2). assert (1 <= INR n) as NN by (apply (le_INR 1), n1).
  assert (INR N * w = 1) as WN by (apply Rinv_r; lra). assert (0 < w) as w0 by (apply Rinv_0_lt_compat; lra).
  assert (w <= 1 / 2) as w2 by nra.
  assert (1 <= B) as B1 by (rewrite pow_INR; apply pow_R1_Rle; lra).
  assert (0 < / e) as ie by (apply Rinv_0_lt_compat, e0). assert (0 < / (2 * K)) by (apply Rinv_0_lt_compat; lra).
  assert (e * / e = 1) by (apply Rinv_r; lra). assert (1 <= / e) as ie1 by nra.
  assert (0 <= lambda * B) by (apply Rmult_le_pos; lra). assert (B <= INR n * B) as nB by nra.
  assert (lambda * B <= lambda * (INR n * B)) by (apply Rmult_le_compat_l; lra).
  assert (0 <= INR d * INR n * B) as dnB by (apply Rmult_le_pos; [apply Rmult_le_pos; apply pos_INR|lra]).
  assert (w / e <= / e) as we by (unfold Rdiv; nra). pose proof (pos_INR g) as g0.
  assert (8 * (F + INR n + top + INR d * INR n * B) <= 4 * INR N * (F + INR n + top + INR d * INR n * B)) as P
    by (apply Rmult_le_compat_r; lra).
  assert (0 <= 2 * INR n * (top + F + 1)) by (apply Rmult_le_pos; lra).
  assert (3 * / e <= (2 * INR n * (top + F + 1) + 3) * / e) as Q by (apply Rmult_le_compat_r; lra).
  assert (0 <= lambda * (INR n * B)) by (apply Rmult_le_pos; lra).
  assert (/ (2 * K) + INR g + (lambda * (INR n * B) + INR n * B) + 4 * INR N * (F + INR n + top + INR d * INR n * B) +
    (2 * INR n * (top + F + 1) + 3) * / e = W) as EW by (unfold largest_weight, Rdiv; ring).
  repeat (split; [assumption|]). split; [split; assumption|]. repeat (split; [assumption|]). exact Q.
Qed.

(** The entries of u. *)
Lemma u_within i : (i < d)%nat -> Rabs (u N i) <= B.
Proof using N2 d1 n1 mN.
  intros Hi. unfold u. rewrite <- pow_INR, Rabs_right by (apply Rle_ge, pos_INR).
  apply le_INR, Nat.pow_le_mono_r; lia.
Qed.

(** One layer for each row. *)
Lemma entrywise_within f : phi_within W W f -> Forall (weights_within d W) (entrywise d f).
Proof using K0 F0 N2 d1 e0 ew lambda0 n1 top0 mN.
  intros H. destruct bounds as [NN [_ [_ [B1 [K1 [E1 [_ [G [_ [L [_ [L2 [DN [_ [EW [P Q]]]]]]]]]]]]]]]].
  apply Forall_forall. intros t Ht. apply in_map_iff in Ht. destruct Ht as [i [<- _]].
  apply unit_within; [|exact H]. lra.
Qed.

(** The quantiser. *)
Lemma quantise_within : Forall (weights_within d W) (quantise d N e m).
Proof using K0 F0 N2 d1 e0 ew lambda0 n1 top0 mN.
  destruct bounds as [NN [WN [Ww [B1 [K1 [E1 [E2 [G [_ [L [_ [L2 [DN [E3 [EW [P Q]]]]]]]]]]]]]]]].
  apply Forall_forall. intros t Ht. apply in_flat_map in Ht. destruct Ht as [i [_ Ht]]. apply in_map_iff in Ht.
  destruct Ht as [k [<- Hk]]. apply in_seq in Hk. apply unit_within; [lra|].
  assert (INR k + 1 <= INR n * INR N) as KN by (rewrite <- S_INR, <- mult_INR; apply le_INR; lia).
  assert (0 <= INR k * w) by (apply Rmult_le_pos; [apply pos_INR|lra]).
  assert (INR k * w + w <= INR n) by (replace (INR n) with (INR n * INR N * w) by (rewrite Rmult_assoc, WN; ring); nra).
  apply tent_within; lra.
Qed.

(** The contextual map. *)
Lemma map_within levels : (forall k, In k levels -> (k + 1 <= n * N * N ^ d)%nat) ->
  Forall (weights_within d W) (contextual_map d N levels g lambda).
Proof using K0 F0 N2 d1 e0 ew lambda0 n1 top0 mN.
  intros HL. destruct bounds as [NN [WN [Ww [B1 [K1 [E1 [E2 [G [L0 [L [LB [L2 [DN [E3 [EW [P Q]]]]]]]]]]]]]]]].
  assert (forall f b, Rabs f <= B \/ f = INR g -> Rabs b <= INR n * B -> forall i, (i < d)%nat ->
    Rabs (W_O (psi N lambda f b) i 0%nat) <= W /\ Rabs (W_V (psi N lambda f b) 0%nat i) <= W /\
    Rabs (W_K (psi N lambda f b) 0%nat i) <= W /\ Rabs (W_Q (psi N lambda f b) 0%nat i) <= W /\
    Rabs (b_Q (psi N lambda f b) 0%nat) <= W) as H.
  { intros f b Hf Hb i Hi. pose proof (u_within i Hi) as U. simpl. split; [|split; [|split; [|split]]]; try lra.
    - destruct (Nat.eqb i 0); [|rewrite Rabs_R0; lra]. destruct Hf as [Hf| ->]; [lra|].
      rewrite Rabs_right by lra. lra.
    - rewrite Rabs_mult, (Rabs_right lambda) by lra.
      assert (lambda * Rabs (u N i) <= lambda * B) by (apply Rmult_le_compat_l; lra). lra.
    - rewrite Rabs_Ropp. lra. }
  apply Forall_app. split.
  - apply Forall_forall. intros t Ht. apply in_map_iff in Ht. destruct Ht as [l [<- Hl]]. apply in_map_iff in Hl.
    destruct Hl as [k [<- Hk]]. specialize (HL k Hk). apply le_INR in HL. rewrite plus_INR, !mult_INR in HL.
    simpl (INR 1) in HL. assert (0 <= INR k * w) by (apply Rmult_le_pos; [apply pos_INR|lra]).
    assert (INR k * w + w <= INR n * B) as HK.
    { replace (INR n * B) with (INR n * INR N * B * w) by (rewrite <- (Rmult_1_r (INR n * B)), <- WN; ring).
      rewrite <- (Rmult_1_l w) at 2. rewrite <- Rmult_plus_distr_r. apply Rmult_le_compat_r; lra. }
    split.
    + intros a i Ha Hi. unfold selective, attention. simpl heads.
      assert (INR (Statement.B d N) = B) as EB by reflexivity. rewrite EB.
      destruct (Nat.eqb a 0); apply H; try exact Hi; try (apply Rabs_le; lra).
      * left. rewrite Rabs_right; lra.
      * left. rewrite Rabs_Ropp, Rabs_right; lra.
    + intros a i _ _. simpl. rewrite Rabs_R0. lra.
  - constructor; [|constructor]. split.
    + intros a i Ha Hi. unfold global, attention. simpl heads. destruct (Nat.eqb a 0).
      * apply H; [right; reflexivity|rewrite Rabs_R0; lra|exact Hi].
      * simpl. rewrite Rabs_R0. repeat split; lra.
    + intros a i _ _. simpl. rewrite Rabs_R0. lra.
Qed.

Variable Ks : list cells.
Variable key : cells -> nat -> R.
Variable target : cells -> matrix.
Hypothesis ranges : forall C, In C Ks -> in_range d n m C.
Hypothesis keys : forall C j, In C Ks -> (j < n)%nat -> 0 <= key C j <= top.
Hypothesis targets : forall C i j, In C Ks -> (i < d)%nat -> (j < n)%nat -> Rabs (target C i j) <= F.

(** Corners and their ids. *)
Lemma corner_within C i j : In C Ks -> (i < d)%nat -> (j < n)%nat -> 0 <= corner N C i j <= INR n.
Proof using K0 F0 N2 d1 e0 ew lambda0 n1 top0 mN ranges g.
  intros HC Hi Hj. destruct bounds as [NN [WN [Ww _]]]. specialize (ranges C HC i j Hi Hj). unfold corner.
  assert (INR (C i j) <= INR n * INR N) by (rewrite <- mult_INR; apply le_INR; lia).
  pose proof (pos_INR (C i j)). split; [apply Rmult_le_pos; lra|].
  replace (INR n) with (INR n * INR N * w) by (rewrite Rmult_assoc, WN; ring). apply Rmult_le_compat_r; lra.
Qed.

(** Ids of corners are bounded. *)
Lemma id_within C j : In C Ks -> (j < n)%nat -> 0 <= along d (u N) (corner N C) j <= INR d * INR n * B.
Proof using K0 F0 N2 d1 e0 ew lambda0 n1 top0 mN ranges g.
  intros HC Hj. assert (forall i, (i < d)%nat -> 0 <= u N i <= B) as U.
  { intros i Hi. pose proof (u_within i Hi) as H. apply between in H. split; [|lra]. unfold u. rewrite <- pow_INR.
    apply pos_INR. }
  split.
  - apply sum_nonneg. intros i Hi. apply Rmult_le_pos; [apply U, Hi|apply corner_within; assumption].
  - unfold along. rewrite Rmult_assoc, <- sum_const. apply sum_le. intros i Hi.
    rewrite (Rmult_comm (INR n)). destruct (U i Hi). destruct (corner_within C i j HC Hi Hj).
    apply Rmult_le_compat; assumption.
Qed.

(** The value map. *)
Lemma value_within : Forall (weights_within d W) (value N (table d n N Ks key target)).
Proof using All.
  destruct bounds as [NN [WN [Ww [B1 [K1 [E1 [E2 [G [L0 [L [LB [L2 [DN [E3 [EW [P Q]]]]]]]]]]]]]]]].
  apply Forall_forall. intros t Ht. apply in_map_iff in Ht. destruct Ht as [[k a] [<- Ht]].
  apply in_flat_map in Ht. destruct Ht as [C [HC Ht]]. apply in_map_iff in Ht. destruct Ht as [j [E Hj]].
  apply in_seq in Hj. injection E as <- <-. pose proof (keys C j HC ltac:(lia)) as HK.
  assert (4 / w = 4 * INR N) as E4 by (unfold Rdiv; rewrite Rinv_inv; reflexivity).
  apply (vector_within d W B (F + INR n + top + INR d * INR n * B) (4 * INR N) (top + w)); simpl; try lra.
  - exact u_within.
  - intros i Hi. unfold add. pose proof (targets C i j HC Hi ltac:(lia)) as T. apply between in T.
    pose proof (corner_within C i j HC Hi ltac:(lia)). pose proof (id_within C j HC ltac:(lia)).
    apply Rabs_le. destruct (Nat.eqb i 0); lra.
  - apply window_within; [lra|lra|]. rewrite Rabs_right by lra. lra.
Qed.

(** ** Theorem 3's network, and Theorem 2's *)
Theorem network_within cmap : Forall (weights_within d W) cmap -> forall x b, 0 <= x <= / (2 * K) -> 0 <= b <= 1 ->
  Forall (weights_within d W) (entrywise d (affine x b) ++ network d N m e F cmap (table d n N Ks key target)).
Proof using All.
  intros HM x b Hx Hb.
  destruct bounds as [NN [WN [Ww [B1 [K1 [E1 [E2 [G [L0 [L [LB [L2 [DN [E3 [EW [P Q]]]]]]]]]]]]]]]].
  unfold network. rewrite !Forall_app. repeat split; try assumption.
  - apply entrywise_within, affine_within; lra.
  - apply quantise_within.
  - apply value_within.
  - apply entrywise_within, clamp_within; lra.
Qed.

(** The network with the sentinel, after the affine map. *)
Theorem whole_within cmap : m = N -> Forall (weights_within d W) cmap -> forall x b, 0 <= x <= / (2 * K) ->
  0 <= b <= 1 ->
  Forall (weights_within d W) (entrywise d (affine x b) ++ whole_network d n N e F top cmap
    (table d n N Ks key target)).
Proof using All.
  intros Em HM x b Hx Hb.
  destruct bounds as [NN [WN [Ww [B1 [K1 [E1 [E2 [G [L0 [L [LB [L2 [DN [E3 [EW [P Q]]]]]]]]]]]]]]]].
  unfold whole_network. rewrite !Forall_app. repeat split; try assumption.
  - apply entrywise_within, affine_within; lra.
  - apply entrywise_within. unfold sentinel, limit.
    assert (0 <= 2 * INR n * (top + F + 1)) as A by (apply Rmult_le_pos; lra).
    assert ((2 * INR n * (top + F + 1) + 2) / e + / e = (2 * INR n * (top + F + 1) + 3) * / e) as E by (unfold Rdiv;
      ring).
    set (x' := (2 * INR n * (top + F + 1) + 2) / e) in *.
    apply border_within; fold x'; lra.
  - pose proof quantise_within as QW. rewrite Em in QW. exact QW.
  - constructor; [|constructor]. unfold reject.
    apply (vector_within d W B 4 1 (limit top F)); unfold limit; simpl; try lra.
    + exact u_within.
    + intros. apply Rabs_le. lra.
    + apply ramp_within; lra.
  - apply value_within.
  - apply entrywise_within, finish_within; lra.
Qed.
End Weights.

(** ** The numbers of Theorems 2 and 3: Theorem 3's levels *)
Lemma levels_within d n N k : (1 <= n)%nat -> (2 <= N)%nat -> In k (Statement3.levels d n N) ->
  (k + 1 <= n * N * N ^ d)%nat.
Proof.
  intros n1 N2 H. apply in_flat_map in H. destruct H as [j [Hj H]]. apply in_map_iff in H. destruct H as [i [<- Hi]].
  apply in_seq in Hj. apply in_seq in Hi. unfold Statement3.first_level, Statement.B in *.
  pose proof (Keys.level_sum N d) as L. cbv zeta in L.
  set (b := (N ^ d)%nat) in *. set (x := list_sum _) in *. clearbody b x. assert (x <= b)%nat by nia.
  assert (j * (N * x) <= (n - 1) * (N * b))%nat by (apply Nat.mul_le_mono; nia).
  assert (n * N * b = (n - 1) * (N * b) + N * b)%nat by nia. nia.
Qed.

(** The map for one column. *)
Lemma single_within d W a : 0 <= a -> a <= W -> Forall (weights_within d W) (single_map a).
Proof.
  intros A0 AW. constructor; [|constructor]. apply token_within; [lra|]. intros i j _ _. simpl. unfold unit.
  rewrite !Rmult_0_r, Rabs_R0. destruct (Nat.eqb j 0); rewrite ?Rmult_1_l, ?Rmult_0_l, ?Rabs_R0;
    repeat split; try lra; rewrite Rabs_right; lra.
Qed.

(** A key is at most the bound that [largest_weight] knows, so the constant of the map for one column is. *)
Lemma offset_top a x W : 0 <= x -> x + a <= W -> a <= W.
Proof. intros. lra. Qed.

(** Theorem 2's keys are between 0 and [top_key]. *)
Lemma cube_key_range d n N F K j : (1 <= d)%nat -> (1 <= n)%nat -> (2 <= N)%nat -> 0 < F -> In K (contexts d n N) ->
  (j < n)%nat -> 0 <= cube_key d n N (offset d N F) K j <= top_key d n N (offset d N F).
Proof.
  intros d1 n1 N2 F0 HK Hj. split; [|apply (top_spec d n N d1 n1 N2 F F0); assumption].
  destruct (in_contexts d n N K ltac:(lia) HK) as [HR HD]. unfold cube_key. destruct (Nat.eqb_spec n 1) as [E|NE].
  - apply Rplus_le_le_0_compat; [apply corner_id_nonneg, N2|apply offset_nonneg; assumption].
  - pose proof (lemma6_key_above d n N d1 ltac:(lia) N2 0 K j) as H. rewrite !Rmult_0_l, !Rplus_0_l in H.
    pose proof (w_pos N N2). assert (1 <= INR N) by (apply (le_INR 1); lia).
    apply Rle_trans with (/ INR N); [lra|apply H; assumption].
Qed.

(** Theorem 3's keys are between 0 and [positional_top]. *)
Lemma positional_key_range d n N F K j : (1 <= d)%nat -> (1 <= n)%nat -> (2 <= N)%nat -> 0 < F ->
  In K (positional_contexts d n N) -> (j < n)%nat ->
  0 <= positional_map_key d n N (offset d N F) K j <= positional_top d n N (offset d N F).
Proof.
  intros d1 n1 N2 F0 HK Hj. pose proof (positional_range d n N d1 n1 N2 K HK) as HR.
  unfold positional_map_key, positional_top. destruct (Nat.eqb_spec n 1) as [E|NE].
  - split; [apply Rplus_le_le_0_compat; [apply corner_id_nonneg, N2|apply offset_nonneg; assumption]|].
    apply Rplus_le_compat_r. unfold along. rewrite <- sum_const. apply sum_le. intros i Hi.
    specialize (HR i j Hi Hj). assert (j = O) as -> by lia.
    assert (0 <= corner N K i 0%nat <= 1) as [C1 C2].
    { unfold corner. pose proof (w_pos N N2). pose proof (w_N N N2). pose proof (pos_INR (K i 0%nat)).
      assert (INR (K i 0%nat) <= INR N) by (apply le_INR; lia). split; [apply Rmult_le_pos; lra|nra]. }
    assert (u N i <= INR (Statement.B d N)) by (unfold u, Statement.B; rewrite <- pow_INR;
      apply le_INR, Nat.pow_le_mono_r; lia).
    pose proof (u_one N ltac:(lia) i). nra.
  - split; [|apply (positional_key_below d n N d1 ltac:(lia) N2 K j HR Hj)].
    pose proof (positional_key_above d n N d1 ltac:(lia) N2 0 K j) as H. rewrite !Rmult_0_l, !Rplus_0_l in H.
    pose proof (w_pos N N2). assert (1 <= INR N) by (apply (le_INR 1); lia).
    apply Rle_trans with (/ INR N); [lra|apply H; assumption].
Qed.

(** Theorem 2's network. *)
Theorem theorem2_weights : Theorem2_weights.
Proof.
  intros d n K N e lambda F v d1 n1 N2 K0 [e0 ew] L0 F0 HF. set (a := offset d N F).
  assert (0 <= a) as A0 by (apply offset_nonneg; assumption).
  destruct (top_spec d n N d1 n1 N2 F F0) as [T0 _]. fold a in T0.
  assert (0 < / (2 * K)) by (apply Rinv_0_lt_compat; lra).
  unfold theorem2_network_at, supported_network_at. fold a.
  apply (whole_within d n N N d1 n1 N2 ltac:(nia) K e F lambda (top_key d n N a) (global_factor d n N) K0 F0 e0 ew L0
    T0); try lra; try reflexivity; try assumption.
  - intros C HC. apply (in_contexts d n N C ltac:(lia) HC).
  - intros C j HC Hj. apply cube_key_range; assumption.
  - unfold cube_map. destruct (Nat.eqb n 1) eqn:E1.
    + apply single_within; [exact A0|].
      destruct (bounds d n N N d1 n1 N2 ltac:(nia) K e F lambda (top_key d n N a) (global_factor d n N)) as
        [NN [WN [Ww [B1 [K1 [EE [E2 [G [L1 [L [LB [L2 [DN [E3 [EW [P Q]]]]]]]]]]]]]]]]; try assumption.
      apply (offset_top a (INR d * INR (Statement.B d N))); [apply Rmult_le_pos; apply pos_INR|].
      assert (INR d * INR (Statement.B d N) + a = top_key d n N a) as -> by (unfold top_key; rewrite E1; reflexivity).
      lra.
    + apply (map_within d n N N); try assumption; [nia|]. intros k Hk. apply in_seq in Hk. unfold Statement.B in Hk.
      assert (1 <= n * N)%nat by nia. nia.
Qed.

(** Theorem 3's network. *)
Theorem theorem3_weights : Theorem3_weights.
Proof.
  intros d n K N e lambda F v d1 n1 N2 K0 [e0 ew] L0 F0 HF. set (a := offset d N F).
  assert (0 <= a) as A0 by (apply offset_nonneg; assumption). assert (0 < / (2 * K)) by (apply Rinv_0_lt_compat; lra).
  assert (0 <= positional_top d n N a) as T0.
  { unfold positional_top. pose proof (pos_INR (Statement3.positional_factor d n N)). destruct (Nat.eqb n 1).
    - apply Rplus_le_le_0_compat; [apply Rmult_le_pos; apply pos_INR|exact A0].
    - apply Rmult_le_pos; [lra|apply Rmult_le_pos; apply pos_INR]. }
  unfold theorem3_network_at, positional_network_at. fold a.
  apply (network_within d n N (n * N) d1 n1 N2 ltac:(nia) K e F lambda (positional_top d n N a)
    (Statement3.positional_factor d n N) K0 F0 e0 ew L0 T0); try lra.
  - intros C HC i j Hi Hj. pose proof (positional_range d n N d1 n1 N2 C HC i j Hi Hj). nia.
  - intros C j HC Hj. apply positional_key_range; assumption.
  - intros C i j HC Hi Hj. apply HF; assumption.
  - unfold positional_map. destruct (Nat.eqb n 1) eqn:E1.
    + apply single_within; [exact A0|].
      destruct (bounds d n N (n * N) d1 n1 N2 ltac:(nia) K e F lambda (positional_top d n N a)
        (Statement3.positional_factor d n N)) as
        [NN [WN [Ww [B1 [K1 [EE [E2 [G [L1 [L [LB [L2 [DN [E3 [EW [P Q]]]]]]]]]]]]]]]]; try assumption; try apply le_n.
      apply (offset_top a (INR d * INR (Statement.B d N))); [apply Rmult_le_pos; apply pos_INR|].
      assert (INR d * INR (Statement.B d N) + a = positional_top d n N a) as ->
        by (unfold positional_top; rewrite E1; reflexivity).
      lra.
    + apply (map_within d n N (n * N)); try assumption; [nia|]. intros k Hk. apply levels_within; assumption.
Qed.
