(** The published network fails over all of R^(d x n). Take x_11 in [-e, 0], the rest of row 1 anywhere left of -e, all
    other entries in the first cell. Then the quantiser gives a matrix that depends on x_11 alone; the id of column 1
    goes continuously from far below t_l to far above it, and on its way it lies between t_l and all keys, where no
    layer of the value map changes it. *)
From Coq Require Import Reals QArith Qreals List Arith ZArith Bool Lia Lra Psatz.
From Contextual Require Statement.
From Contextual Require Import Recursion Network Grid Theorems.
From Contextual Require Import Approximation Sums Softmax Sweep Construction Relu Blocks Tracking Boxes Sentinel Sanity
  Continuous Published.
Import ListNotations.
Open Scope R_scope.

(** ** The activations *)
(** The transition left of 0 leads from the sentinel to 0. *)
Lemma outside_spec e S x : 0 < e -> e <= 1 / 4 ->
  (x <= - e -> x + apply_phi (outside e S) x = S) /\
  (- e <= x <= 0 -> x + apply_phi (outside e S) x = - (S / e) * x) /\
  (0 <= x <= 1 - e -> x + apply_phi (outside e S) x = x).
Proof.
  intros He H4. assert (forall y, y / e * e = y) as Ee by (intros; field; lra).
  pose proof (Ee S) as E1. pose proof (Ee (S - 1)) as E2.
  assert ((S + e) / e = S / e + 1) as E3 by (field; lra).
  rewrite phi_spec. simpl. rewrite E3. set (a := S / e) in *. set (b := (S - 1) / e) in *. clearbody a b.
  split; [|split]; intros Hx; pieces; try (exfalso; lra);
    first [nra | assert (x = - e) as -> by lra; nra | assert (x = 0) as -> by lra; nra
      | assert (x = 1 - e) as -> by lra; nra].
Qed.

(** Between t_l and t_r, off the transition, nothing is rejected. *)
Lemma reject_spec e l r t : 0 < e -> l <= t -> t <= r - e -> apply_phi (reject_outside e l r) t = 0.
Proof.
  intros He Hl Hr. assert (/ e * e = 1) as Ee by (apply Rinv_l; lra). rewrite phi_spec. simpl. set (a := / e) in *.
  clearbody a. pieces; try (exfalso; lra); nra.
Qed.

(** The layer that clears does nothing to an entry that isn't negative. *)
Lemma clear_spec t : 0 <= t -> apply_phi clear t = 0.
Proof. intros H. rewrite phi_spec. simpl. pieces; lra. Qed.

(** Left of the window. *)
Lemma around_spec e k w t : 0 < e -> 0 < w -> t <= k - w / 2 - e -> apply_phi (around e k w) t = 0.
Proof.
  intros He Hw Ht. assert (0 < / e) as Ie by (apply Rinv_0_lt_compat, He). rewrite phi_spec. simpl. set (a := / e) in *.
  clearbody a. pieces; try (exfalso; lra); nra.
Qed.

(** ** Numbers: b = delta^-d, k = b^(n-1) *)
Section Numbers.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n2 : (2 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Notation w := (/ INR N).
Notation BZ := (Z.of_nat (Statement.B d N)).
Notation KK := (BZ ^ Z.of_nat (n - 1))%Z.
Notation b := (INR (Statement.B d N)).
Notation k := (IZR KK).

(** N^d, as a whole number. *)
Lemma b_Z : b = IZR BZ.
Proof using. apply INR_IZR_INZ. Qed.

(** The width delta of a cell. *)
Lemma w_half : 0 < w <= 1 / 2.
Proof using N2.
  assert (2 <= INR N) as H by (apply (le_INR 2), N2). assert (INR N * w = 1) by (apply Rinv_r; lra).
  assert (0 < w) by (apply Rinv_0_lt_compat; lra). nra.
Qed.

(** N^d is at least 2, and at most N^(nd). *)
Lemma b_k : 2 <= b <= k.
Proof using N2 d1 n2.
  pose proof (B_ge_2 d N d1 N2) as HB. split; [apply (le_INR 2), HB|]. rewrite b_Z. apply IZR_le.
  replace (Z.of_nat (n - 1)) with (Z.succ (Z.of_nat (n - 2))) by lia. rewrite Z.pow_succ_r by lia.
  pose proof (Z.pow_pos_nonneg BZ (Z.of_nat (n - 2)) ltac:(lia) ltac:(lia)). nia.
Qed.

(** The sentinel in units of b = N^d and k = N^((n-1)d). *)
Lemma sentinel_is : sentinel_below d n N = - (b * k).
Proof using N2 d1 n2.
  unfold sentinel_below, Statement.sentinel. rewrite Q2R_opp. f_equal. unfold Statement.of_nat.
  rewrite (power_B d N n), (pow_n d n N d1 n2 N2), b_Z, <- mult_IZR. unfold Q2R, inject_Z. simpl. field.
Qed.

(** The factor of the global shift in the same units. *)
Lemma factor_is : INR (global_factor d n N) = b * b * k.
Proof using N2 d1 n2.
  unfold global_factor. rewrite INR_IZR_INZ, (power_B d N (n + 1)), (pow_n1 d n N d1 n2 N2), b_Z, <- !mult_IZR.
  reflexivity.
Qed.

(** t_l in these units. *)
Lemma t_l_is : Q2R (Statement.t_l d n N) = b * b * k * k * (b - 1) * w.
Proof using N2 d1 n2.
  rewrite (Qeq_eqR _ _ (t_l_units d n N d1 n2 N2)), (units_w N _ N2), !mult_IZR, minus_IZR, b_Z. reflexivity.
Qed.

(** t_r is N^d times t_l. *)
Lemma t_r_is : Q2R (Statement.t_r d n N) = b * Q2R (Statement.t_l d n N).
Proof using N2 d1 n2.
  rewrite t_l_is, (Qeq_eqR _ _ (t_r_units d n N d1 n2 N2)), (units_w N _ N2), !mult_IZR, minus_IZR, b_Z. ring.
Qed.

(** t_l is at least 8 delta, and t_r is as much above it. *)
Lemma t_l_big : 8 * w <= Q2R (Statement.t_l d n N).
Proof using N2 d1 n2.
  rewrite t_l_is. pose proof w_half. pose proof b_k. apply Rmult_le_compat_r; [lra|].
  assert (2 * 2 <= b * b) by nra. assert (2 * 2 <= k * k) by nra. assert (2 * 2 * (2 * 2) <= b * b * (k * k)) by nra.
  replace (b * b * k * k * (b - 1)) with (b * b * (k * k) * (b - 1)) by ring. nra.
Qed.

(** Between t_l and t_r there is room for what softmax may do. *)
Lemma t_r_big : Q2R (Statement.t_l d n N) + 8 * w <= Q2R (Statement.t_r d n N).
Proof using N2 d1 n2. rewrite t_r_is. pose proof t_l_big. pose proof w_half. pose proof b_k. nra. Qed.

(** No key is within 2 delta of t_l. *)
Lemma key_far L j : Statement.in_Gtilde d n N L -> (j < n)%nat ->
  Q2R (Statement.t_l d n N) + 2 * w <= Q2R (Statement.q d n N L j).
Proof using N2 d1 n2.
  intros HL Hj. rewrite (Qeq_eqR _ _ (q_T d n N d1 n2 N2 L j (proj1 HL) Hj)), (Qeq_eqR _ _ (t_l_units d n N d1 n2 N2)).
  rewrite !(units_w N _ N2), <- Rmult_plus_distr_r. apply Rmult_le_compat_r; [pose proof w_half; lra|].
  rewrite <- plus_IZR. apply IZR_le. pose proof (P_lower1 d n N d1 n2 N2 L HL) as P1.
  pose proof (B_ge_2 d N d1 N2) as HB. assert (1 <= n)%nat as n1 by lia.
  pose proof (T_beyond n (Statement.B d N) (xid d N L) HB n1 (two1 d n N d1 n2 N2 L HL) (xid d N L j)
    (occupied_x n (Statement.B d N) (xid d N L) HB n1 j Hj)) as T1.
  pose proof (K_pos d n N d1 n2 N2) as K1.
  assert (BZ * BZ * KK * (KK * (BZ - 1)) <= BZ * BZ * KK * P n (Statement.B d N) (xid d N L) (Statement.B d N))%Z
    by (apply Z.mul_le_mono_nonneg_l; [apply Z.mul_nonneg_nonneg; lia|exact P1]). lia.
Qed.
End Numbers.

Section Below.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n2 : (2 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Notation w := (/ INR N).
Notation rid := (along d (u N)).
Notation net := (run d n 2 1 4).
Notation BB := (Statement.B d N).
Variables e lambda M : R.
Variable table : list (R * (nat -> R)).
Hypothesis e0 : 0 < e.
Hypothesis e4 : e <= w / 4.
Hypothesis rate : 4 * INR n * INR N <= lambda.
Hypothesis keys : keyed d n N table.
Notation S := (sentinel_below d n N).
Notation cmap := (contextual_map d N (seq 0 BB) (global_factor d n N) lambda).
Notation t_l := (Q2R (Statement.t_l d n N)).

(** ** The quantiser *)
Lemma below_scalar X i j : (i < d)%nat ->
  net (quantise_below d n N e) X i j = scalar N e (seq 0 N) (X i j + apply_phi (outside e S) (X i j)).
Proof using N2 d1 n2.
  assert (forall r i, (r <= d)%nat -> (i < d)%nat ->
    net (flat_map (fun i => token (unit i) (unit i) (outside e S) :: quantise_row N e N i) (seq 0 r)) X i j =
    if (i <? r)%nat then scalar N e (seq 0 N) (X i j + apply_phi (outside e S) (X i j)) else X i j) as G.
  { induction r as [|r IH]; intros i0 Hr Hi; [reflexivity|].
    rewrite seq_S, flat_map_app, run_app. simpl flat_map. rewrite app_nil_r.
    change (net (?t :: ?ts) ?Y) with (net ts (layer d n t Y)). unfold quantise_row at 1.
    rewrite quantise_row_spec by (simpl; lia). rewrite token_spec, along_unit by (simpl; lia). rewrite !IH by lia.
    simpl (0 + r)%nat. unfold unit. destruct (Nat.eqb_spec i0 r) as [->|NE].
    - destruct (Nat.ltb_spec r r), (Nat.ltb_spec r (Datatypes.S r)); try lia. f_equal. ring.
    - destruct (Nat.ltb_spec i0 r), (Nat.ltb_spec i0 (Datatypes.S r)); try lia; ring. }
  intros Hi. unfold quantise_below. rewrite G by lia. destruct (Nat.ltb_spec i d); [reflexivity|lia].
Qed.

(** The cells leave a negative entry as it is. *)
Lemma scalar_negative ks x : x <= 0 -> scalar N e ks x = x.
Proof using N2 d1 n2 e0 e4.
  intros Hx. pose proof (w_half N N2). induction ks as [|k ks IH]; [reflexivity|].
  change (scalar N e (k :: ks) x) with (scalar N e ks (x + apply_phi (tent e (INR k * w) w) x)).
  rewrite (proj1 (tent_spec e (INR k * w) w x e0 ltac:(lra))); [rewrite Rplus_0_r; exact IH|].
  assert (0 <= INR k * w) by (apply Rmult_le_pos; [apply pos_INR|lra]). lra.
Qed.

(** Where the network fails; and what the quantiser makes of it. *)
Definition strip_below (X : matrix) : Prop := forall i j, (i < d)%nat -> (j < n)%nat ->
  if Nat.eqb i 0 then if Nat.eqb j 0 then - e <= X i j <= 0 else X i j <= - e else 0 <= X i j <= w - e.
Definition quantised (x : R) : matrix := fun i j =>
  if Nat.eqb i 0 then if Nat.eqb j 0 then - (S / e) * x else S else 0.

(** The sentinel is -4 or less. *)
Lemma S_negative : S <= - 4.
Proof using N2 d1 n2. rewrite (sentinel_is d n N d1 n2 N2). pose proof (b_k d n N d1 n2 N2). nra. Qed.

(** On the strip, where only the first entry is in transition, the quantiser's result depends on this entry alone. *)
Lemma strip_quantised X : strip_below X -> forall i j, (i < d)%nat -> (j < n)%nat ->
  net (quantise_below d n N e) X i j = quantised (X 0%nat 0%nat) i j.
Proof using N2 d1 n2 e0 e4.
  intros H i j Hi Hj. rewrite below_scalar by exact Hi. specialize (H i j Hi Hj). pose proof (w_half N N2) as W.
  pose proof S_negative as S4. destruct (outside_spec e S (X i j) e0 ltac:(lra)) as [O1 [O2 O3]]. unfold quantised.
  destruct (Nat.eqb_spec i 0) as [->|NE].
  - destruct (Nat.eqb_spec j 0) as [E|NE'].
    + rewrite O2 by exact H. rewrite E in *. apply scalar_negative. assert (0 < / e) by (apply Rinv_0_lt_compat, e0).
      assert (S * / e <= 0) by (clear - S4 H0; nra). unfold Rdiv. clear - H1 H. nra.
    + rewrite O1 by exact H. apply scalar_negative. lra.
  - rewrite O3 by lra. rewrite (scalar_cell N e e0 ltac:(lra) 0 (X i j) N 0) by (simpl INR; lra).
    destruct (Nat.leb_spec 0 0), (Nat.ltb_spec 0 (0 + N)); try lia. simpl. ring.
Qed.

(** ** The id of column 1 *)
Lemma first_row Y j : (forall i, (i < d)%nat -> i <> 0%nat -> Y i j = 0) -> rid Y j = Y 0%nat j.
Proof using N2 d1 n2.
  intros H. rewrite (id_first d N ltac:(lia) (fun _ _ => 0) Y j (Y 0%nat j)).
  - unfold along. rewrite sum_zero; [ring|]. intros. ring.
  - intros i Hi. destruct (Nat.eqb_spec i 0) as [->|NE]; [ring|rewrite H by assumption; ring].
Qed.

(** The ids of this result: the first column's varies, all others are the sentinel. *)
Lemma quantised_id x j : rid (quantised x) j = if Nat.eqb j 0 then - (S / e) * x else S.
Proof using N2 d1 n2. rewrite first_row; [reflexivity|]. intros i _ NE. unfold quantised. destruct (Nat.eqb_spec i 0);
  [lia|reflexivity]. Qed.

(** The id after the contextual map. *)
Definition first_id (x : R) : R := rid (net cmap (quantised x)) 0%nat.

(** The first column's id after the contextual map is a continuous function of the first entry. *)
Lemma continuous_id : continuity first_id.
Proof using N2 d1 n2.
  intros x e1 H1. set (G := fun X : matrix => quantised (X 0%nat 0%nat)).
  assert (cont d n everywhere (fun X => rid (net cmap (G X)) 0%nat)) as C.
  { unfold along. apply (cont_sum d n everywhere d (fun i X => u N i * net cmap (G X) i 0%nat)). intros i Hi.
    apply cont_scale. apply (cont_run d n everywhere 2 1 4 cmap G); [|exact Hi|lia].
    intros a c _ _. unfold G, quantised. destruct (Nat.eqb a 0); [|apply cont_const].
    destruct (Nat.eqb c 0); [|apply cont_const]. apply cont_scale, cont_entry; lia. }
  destruct (C (fun _ _ => x) I e1 H1) as [c [Hc HY]]. exists c. split; [exact Hc|]. intros y [_ Hy].
  simpl in Hy |- *. unfold R_dist in *. rewrite Rabs_minus_sym. apply (HY (fun _ _ => y) I). intros i j _ _.
  rewrite Rabs_minus_sym. exact Hy.
Qed.

(** What the bound of lambda gives. *)
Lemma lambda_big : 16 <= lambda /\ INR n <= lambda /\ INR n * 2 * INR N <= lambda / 2 /\ 0 < INR n.
Proof using N2 d1 n2 e0 e4 rate.
  assert (2 <= INR N) by (apply (le_INR 2), N2). assert (2 <= INR n) by (apply (le_INR 2), n2). nra.
Qed.

(** The global shift, and the sweep, one after the other. *)
Notation sweep ks := (map (selective N lambda (INR BB) w) (map (fun k => INR k * w) ks)).

(** This id is the swept one and the global shift's share. *)
Lemma first_id_is x : first_id x =
  let z := rid (net (sweep (seq 0 BB)) (quantised x)) in z 0%nat + INR (global_factor d n N) * reading n lambda 0 z 0.
Proof using N2 d1 n2.
  unfold first_id, contextual_map. rewrite run_app. change (net [?t] ?V) with (layer d n t V).
  apply (global_id d n N lambda ltac:(lia)).
Qed.

(** Equal ids stay equal. *)
Lemma equal_ids ls : forall X c, (forall j, (j < n)%nat -> rid X j = c) -> forall j, (j < n)%nat ->
  rid (net (map (selective N lambda (INR BB) w) ls) X) j = c.
Proof using N2 d1 n2.
  induction ls as [|l ls IH]; intros X c H j Hj; [apply H, Hj|]. simpl map.
  change (net (?t :: ?ts) X) with (net ts (layer d n t X)). apply IH; [|exact Hj]. intros i Hi.
  rewrite (selective_id d n N lambda ltac:(lia)). unfold soft_shift.
  assert (forall b, reading n lambda b (rid X) i = c) as E.
  { intros b. unfold reading. apply Rle_antisym; [apply mean_le|apply mean_ge]; try lia;
      intros k Hk; rewrite H by exact Hk; lra. }
  rewrite !E, H by exact Hi. ring.
Qed.

(** At x_11 = -e all ids are the sentinel. *)
Lemma left_end : first_id (- e) < t_l.
Proof using N2 d1 n2 e0 e4.
  pose proof S_negative as S4. pose proof (t_l_big d n N d1 n2 N2). pose proof (w_half N N2).
  rewrite first_id_is. cbv zeta. set (Z := net (sweep (seq 0 BB)) (quantised (- e))).
  assert (forall j, (j < n)%nat -> rid Z j = S) as E.
  { apply equal_ids. intros j _. rewrite quantised_id. destruct (Nat.eqb j 0); [field; lra|reflexivity]. }
  rewrite E by lia. assert (reading n lambda 0 (rid Z) 0 <= S) as R.
  { unfold reading. apply mean_le; [lia|]. intros k Hk. rewrite E by exact Hk. lra. }
  pose proof (pos_INR (global_factor d n N)). nra.
Qed.

(** At x_11 = 0 the first shift lifts column 1 by nearly delta^-d times the sentinel. *)
Lemma first_shift : INR BB * (- S - 1) <= rid (net (sweep (seq 0 BB)) (quantised 0)) 0%nat.
Proof using N2 d1 n2 e0 e4 rate.
  pose proof (B_ge_2 d N d1 N2) as HB. destruct lambda_big as [L1 [L2 [L3 L4]]]. pose proof S_negative as S4.
  pose proof (w_half N N2) as W.
  replace (seq 0 BB) with (0%nat :: seq 1 (BB - 1)) by (replace BB with (Datatypes.S (BB - 1)) at 2 by lia;
    reflexivity).
  simpl map. change (net (?t :: ?ts) ?X) with (net ts (layer d n t X)).
  eapply Rle_trans; [|apply (sweep_rises d n N d1 ltac:(lia)); [lia|lra]].
  rewrite (selective_id d n N lambda ltac:(lia)). unfold soft_shift, reading. set (x := rid (quantised 0)).
  assert (x 0%nat = 0) as X0 by (unfold x; rewrite quantised_id; simpl; ring).
  assert (x 1%nat = S) as X1 by (unfold x; rewrite quantised_id; reflexivity).
  assert (forall j, S <= x j <= 0) as XB.
  { intros j. unfold x. rewrite quantised_id. destruct (Nat.eqb j 0); [rewrite Rmult_0_r|]; lra. }
  rewrite X0. simpl (INR 0). rewrite Rmult_0_l.
  assert (INR N * w = 1) as WN by (apply Rinv_r, not_0_INR; lia).
  assert (0 < lambda * (w / 2)) as c0 by nra.
  assert (INR n / (lambda * (w / 2)) <= 1 / 2) as small.
  { apply Rmult_le_reg_r with (lambda * (w / 2)); [exact c0|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra.
    assert (INR n * 2 * INR N * w <= lambda / 2 * w) by (apply Rmult_le_compat_r; lra). nra. }
  destruct (head_max n ltac:(lia) x (lambda * (w / 2)) 0 c0) as [A _];
    [exists 0%nat; split; [lia|exact X0]|intros; apply XB|].
  destruct (head_min n ltac:(lia) x (- (lambda * (w / 2))) S ltac:(lra)) as [_ A'];
    [exists 1%nat; split; [lia|exact X1]|intros; apply XB|]. rewrite Ropp_involutive in A'.
  replace (lambda * (0 - (0 - w / 2))) with (lambda * (w / 2)) by ring.
  replace (lambda * (0 - (0 + w / 2))) with (- (lambda * (w / 2))) by ring.
  rewrite Rplus_0_l. apply Rmult_le_compat_l; [apply pos_INR|]. lra.
Qed.

(** At the right end of the transition the id is far above t_l. *)
Lemma right_end : t_l + w < first_id 0.
Proof using N2 d1 n2 e0 e4 rate.
  rewrite first_id_is. cbv zeta. pose proof first_shift as H.
  set (z := rid (net (sweep (seq 0 BB)) (quantised 0))) in *.
  destruct lambda_big as [L1 [L2 [_ L4]]]. pose proof (w_half N N2) as W. pose proof (b_k d n N d1 n2 N2) as [B2 BK].
  rewrite (sentinel_is d n N d1 n2 N2) in H. rewrite (factor_is d n N d1 n2 N2), (t_l_is d n N d1 n2 N2).
  set (b := INR BB) in *. set (k := IZR (Z.of_nat BB ^ Z.of_nat (n - 1))%Z) in *.
  clearbody b k.
  assert (b * b * k - b <= z 0%nat) as Z1 by lra.
  assert (4 <= b * b) as B4 by nra. assert (4 * k <= b * b * k) as K1 by (apply Rmult_le_compat_r; lra).
  assert (2 <= z 0%nat) as Z2 by lra. assert (0 <= b * k) as BK0 by (apply Rmult_le_pos; lra).
  assert (z 0%nat - 1 <= reading n lambda 0 z 0) as R.
  { destruct (max_exists n ltac:(lia) z n ltac:(lia)) as [m [[i [Hi Ei]] Hm]]. unfold reading. rewrite Rminus_0_r.
    assert (0 < lambda * z 0%nat) as c0 by (apply Rmult_lt_0_compat; lra).
    destruct (head_max n ltac:(lia) z (lambda * z 0%nat) m c0 ltac:(exists i; auto) Hm) as [A _].
    assert (INR n / (lambda * z 0%nat) <= 1).
    { apply Rmult_le_reg_r with (lambda * z 0%nat); [exact c0|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
      assert (lambda * 2 <= lambda * z 0%nat) by (apply Rmult_le_compat_l; lra). lra. }
    specialize (Hm 0%nat ltac:(lia)). lra. }
  assert (b * b * k * k * (b - 1) * w <= b * b * k * (k * (b - 1) / 2)) as T.
  { replace (b * b * k * k * (b - 1) * w) with (b * b * k * (k * (b - 1) * w)) by ring.
    apply Rmult_le_compat_l; [lra|]. assert (0 <= k * (b - 1)) by (apply Rmult_le_pos; lra).
    unfold Rdiv. apply Rmult_le_compat_l; lra. }
  assert (k * (b - 1) / 2 + 1 <= reading n lambda 0 z 0) as R2.
  { assert (2 * (b * k) <= b * (b * k)) by (apply Rmult_le_compat_r; lra). lra. }
  assert (b * b * k * (k * (b - 1) / 2 + 1) <= b * b * k * reading n lambda 0 z 0) by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

(** ** The value map leaves such a column alone *)
Lemma windows_left ts : forall X j, (forall t, In t ts -> rid X j <= fst t - w / 2 - e) -> forall i, (i < d)%nat ->
  net (map (fun t => token (u N) (snd t) (around e (fst t) w)) ts) X i j = X i j.
Proof using N2 d1 n2 e0 e4.
  pose proof (w_half N N2). induction ts as [|t ts IH]; intros X j H0 i Hi; [reflexivity|]. simpl map.
  change (net (?t :: ?ts) ?Y) with (net ts (layer d n t Y)).
  assert (forall i, (i < d)%nat -> layer d n (token (u N) (snd t) (around e (fst t) w)) X i j = X i j) as E.
  { intros i' _. rewrite token_spec, around_spec; [ring|exact e0|lra|apply H0; left; reflexivity]. }
  rewrite IH; [apply E, Hi| |exact Hi]. intros t' Ht'. rewrite (along_ext d (u N) _ X j) by exact E.
  apply H0. right. exact Ht'.
Qed.

(** Where the id is between t_l and t_l + delta, the value map and all that follows leave it. *)
Theorem strip_value X : strip_below X -> t_l <= first_id (X 0%nat 0%nat) <= t_l + w ->
  net (published d n N e lambda M table) X 0%nat 0%nat = first_id (X 0%nat 0%nat).
Proof using N2 d1 n2 e0 e4 keys.
  intros H HV. pose proof (w_half N N2) as W. pose proof (t_l_big d n N d1 n2 N2) as T1.
  pose proof (t_r_big d n N d1 n2 N2) as T2. set (v := first_id (X 0%nat 0%nat)) in *.
  unfold published. rewrite !run_app. set (Z := net cmap (net (quantise_below d n N e) X)).
  assert (forall i j, (i < d)%nat -> (j < n)%nat -> Z i j = net cmap (quantised (X 0%nat 0%nat)) i j) as EZ.
  { apply run_ext. intros. apply strip_quantised; assumption. }
  assert (forall i, (i < d)%nat -> i <> 0%nat -> Z i 0%nat = 0) as Z0.
  { intros i Hi NE. rewrite EZ, (map_rest d n N) by lia. unfold quantised.
    destruct (Nat.eqb_spec i 0); [lia|reflexivity]. }
  assert (rid Z 0%nat = v) as EV by (unfold v, first_id; apply along_ext; intros; apply EZ; lia).
  assert (Z 0%nat 0%nat = v) as E0 by (rewrite <- (first_row Z 0) by exact Z0; exact EV).
  unfold value_below. change (net (?t :: ?ts) Z) with (net ts (layer d n t Z)).
  set (Z1 := layer d n _ Z). rewrite run_app. set (Z2 := net (entrywise d clear) Z1).
  assert (forall i, (i < d)%nat -> Z1 i 0%nat = Z i 0%nat) as E1.
  { intros i Hi. unfold Z1. rewrite token_spec, reject_spec; [ring|exact e0|rewrite EV; lra|rewrite EV; lra]. }
  assert (forall i, (i < d)%nat -> Z2 i 0%nat = Z i 0%nat) as E2.
  { intros i Hi. unfold Z2. rewrite entrywise_spec, E1, clear_spec; try exact Hi; [ring|].
    destruct (Nat.eq_dec i 0) as [->|NE]; [lra|rewrite Z0 by assumption; lra]. }
  rewrite windows_left; [rewrite E2 by lia; exact E0| |lia]. intros t Ht.
  rewrite (along_ext d (u N) Z2 Z 0) by exact E2. rewrite EV. destruct (keys t Ht) as [L [j [HL [Hj ->]]]].
  pose proof (key_far d n N d1 n2 N2 L j HL Hj). lra.
Qed.

(** An interval of x_11 on which the network is t_l or more. *)
Theorem interval : exists x r, 0 < r /\ - e <= x - r /\ x + r <= 0 /\
  forall y, Rabs (y - x) <= r -> t_l <= first_id y <= t_l + w.
Proof using N2 d1 n2 e0 e4 rate.
  pose proof (w_half N N2) as W. pose proof left_end as LE. pose proof right_end as RE.
  destruct (IVT (fun x => first_id x - (t_l + w / 2)) (- e) 0) as [x [[X1 X2] EX]]; [|lra|lra|lra|].
  { apply (continuity_minus first_id (fun _ => t_l + w / 2)); [apply continuous_id|apply continuity_const]. intros ? ?.
    reflexivity. }
  assert (x <> - e) as N1 by (intros ->; lra). assert (x <> 0) as N3 by (intros ->; lra).
  destruct (continuous_id x (w / 2) ltac:(lra)) as [c [Hc HY]]. simpl in HY. unfold R_dist in HY.
  set (r := Rmin (c / 2) (Rmin (x + e) (- x))). pose proof (Rmin_l (c / 2) (Rmin (x + e) (- x))) as R1.
  pose proof (Rmin_r (c / 2) (Rmin (x + e) (- x))) as R2. pose proof (Rmin_l (x + e) (- x)) as R3.
  pose proof (Rmin_r (x + e) (- x)) as R4. fold r in R1, R2.
  assert (0 < r) as r0 by (apply Rmin_pos; [lra|apply Rmin_pos; lra]).
  exists x, r. split; [exact r0|split; [lra|split; [lra|]]]. intros y Hy.
  destruct (Req_dec x y) as [<-|NE]; [lra|].
  assert (Rabs (first_id y - first_id x) < w / 2) as D.
  { apply HY. split; [split; [exact I|exact NE]|lra]. }
  apply Rabs_def2 in D. lra.
Qed.
End Below.

(** ** Boxes as large as one likes *)
Lemma prod_stretched m k0 T f : (k0 < m)%nat -> prod m (fun k => if Nat.eqb k k0 then T * f k else f k) = T * prod m f.
Proof.
  induction m as [|m IH]; intros H; [lia|]. simpl. destruct (Nat.eqb_spec m k0) as [->|NE].
  - rewrite (prod_ext k0 _ f); [ring|]. intros k Hk. destruct (Nat.eqb_spec k k0); [lia|reflexivity].
  - rewrite IH by lia. ring.
Qed.

(** The theorem: by the intermediate value theorem such a first entry exists, and with it boxes of any size. *)
Theorem published_fails : Published_fails.
Proof.
  intros d n N e lambda M table d1 n2 N2 [e0 e4] rate keys g. pose proof (w_half N N2) as W.
  pose proof (t_l_big d n N d1 n2 N2) as T8.
  destruct (interval d n N d1 n2 N2 e lambda e0 e4 rate) as [x [r [r0 [X1 [X2 HX]]]]].
  assert (forall X, strip_below d n N e X -> Rabs (X 0%nat 0%nat - x) <= r ->
    Q2R (Statement.t_l d n N) <= g X 0%nat 0%nat)
    as big.
  { intros X HS HR. unfold g. specialize (HX _ HR).
    rewrite (strip_value d n N d1 n2 N2 e lambda M table e0 e4 keys X HS HX). apply HX. }
  split; [lra|split].
  - intros V. set (base := fun i j : nat => if Nat.eqb i 0 then if Nat.eqb j 0 then 2 * r else 1 else / INR N - e).
    assert (forall i j, 0 < base i j) as P0 by (intros i j; unfold base; destruct (Nat.eqb i 0);
      [destruct (Nat.eqb j 0)|];
      lra).
    assert (0 < prod d (fun i => prod n (fun j => base i j))) as P1 by (apply prod_pos; intros; apply prod_pos; auto).
    set (P := prod d _) in P1. set (T := Rabs V / P).
    assert (0 <= T) as T0 by (apply Rmult_le_pos; [apply Rabs_pos|apply Rlt_le, Rinv_0_lt_compat, P1]).
    set (size := fun i j => if Nat.eqb i 0 then if Nat.eqb j 1 then T * base i j else base i j else base i j).
    set (top := fun i j : nat => if Nat.eqb i 0 then if Nat.eqb j 0 then x + r else - e else / INR N - e).
    assert (forall i j, 0 <= size i j) as S0.
    { intros i j. unfold size. specialize (P0 i j). destruct (Nat.eqb i 0); [destruct (Nat.eqb j 1)|]; nra. }
    exists (Box (fun i j => top i j - size i j) top 0). split; [|split].
    + split; [simpl; lra|]. intros i j _ _. simpl. specialize (S0 i j). lra.
    + unfold volume. simpl. rewrite (prod_ext d _ (fun i => if Nat.eqb i 0 then T * prod n (fun j => base i j) else
        prod n (fun j => base i j))).
      * rewrite (prod_stretched d 0 T (fun i => prod n (fun j => base i j))) by lia. fold P. unfold T, Rdiv.
        rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. apply Rle_abs.
      * intros i _. destruct (Nat.eqb i 0) eqn:Ei.
        -- rewrite <- (prod_stretched n 1 T (fun j => base i j)) by lia. apply prod_ext. intros j _. unfold size.
           rewrite Ei. destruct (Nat.eqb j 1); ring.
        -- apply prod_ext. intros j _. unfold size. rewrite Ei. ring.
    + intros X HI. rewrite inside_spec in HI. simpl in HI. apply big.
      * intros i j Hi Hj. specialize (HI i j Hi Hj). unfold top, size, base in HI.
        destruct i as [|i]; [destruct j as [|j]|]; simpl in HI |- *; lra.
      * specialize (HI 0%nat 0%nat ltac:(lia) ltac:(lia)). unfold top, size, base in HI. simpl in HI.
        apply Rabs_le. lra.
  - intros f p eps [K0 H0] _ _ H. destruct (equal_off_a_ball d n p f g eps H) as [K1 H1].
    set (far := Rabs K0 + Rabs K1 + e). pose proof (Rle_abs K0) as A0. pose proof (Rle_abs K1) as A1.
    pose proof (Rabs_pos K0). pose proof (Rabs_pos K1).
    set (X := fun i j : nat => if Nat.eqb i 0 then if Nat.eqb j 0 then x else - far else 0).
    assert (forall K, K <= far -> ~ close d n K X (fun _ _ => 0)) as off.
    { intros K HK C. specialize (C 0%nat 1%nat ltac:(lia) ltac:(lia)). unfold X in C. simpl in C.
      rewrite Rminus_0_r, Rabs_Ropp, Rabs_right in C by (unfold far; lra). lra. }
    specialize (big X). rewrite <- (H1 X), (H0 X) in big by (try lia; apply off; unfold far; lra).
    assert (strip_below d n N e X) as SX.
    { intros i j _ _. unfold X, far. destruct (Nat.eqb i 0); [destruct (Nat.eqb j 0)|]; lra. }
    specialize (big SX). unfold X in big. simpl in big. rewrite Rminus_eq_0, Rabs_R0 in big. lra.
Qed.
