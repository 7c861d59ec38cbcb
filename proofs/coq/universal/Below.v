(** The submitted network fails over large balls. Take x_11 in [-e, 0], the rest of row 1 anywhere left of -e, all
    other entries in the first cell. Then the quantiser gives a matrix that depends on x_11 alone; the id of column 1
    goes continuously from far below t_l to far above it, and on its way it lies between t_l and all keys, where no
    layer of the value map changes it. *)
From Coq Require Import Reals QArith Qreals List Arith ZArith Bool Lia Lra Psatz.
From Contextual Require Statement.
From Contextual Require Import Recursion Network Grid Theorems.
From Contextual Require Import Approximation Sums Softmax Sweep Construction Relu Blocks Tracking Boxes Budget Sentinel
  Sanity Continuous Limits Published Chosen.
Import ListNotations.
Open Scope R_scope.

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
  rewrite t_l_is. pose proof (w_half N N2). pose proof b_k. apply Rmult_le_compat_r; [lra|].
  assert (2 * 2 <= b * b) by nra. assert (2 * 2 <= k * k) by nra. assert (2 * 2 * (2 * 2) <= b * b * (k * k)) by nra.
  replace (b * b * k * k * (b - 1)) with (b * b * (k * k) * (b - 1)) by ring. nra.
Qed.

(** Between t_l and t_r there is room for what softmax may do. *)
Lemma t_r_big : Q2R (Statement.t_l d n N) + 8 * w <= Q2R (Statement.t_r d n N).
Proof using N2 d1 n2. rewrite t_r_is. pose proof t_l_big. pose proof (w_half N N2). pose proof b_k. nra. Qed.

(** No key is within 2 delta of t_l. *)
Lemma key_far L j : Statement.in_Gtilde d n N L -> (j < n)%nat ->
  Q2R (Statement.t_l d n N) + 2 * w <= Q2R (Statement.q d n N L j).
Proof using N2 d1 n2.
  intros HL Hj. rewrite (Qeq_eqR _ _ (q_T d n N d1 n2 N2 L j (proj1 HL) Hj)), (Qeq_eqR _ _ (t_l_units d n N d1 n2 N2)).
  rewrite !(units_w N _ N2), <- Rmult_plus_distr_r. apply Rmult_le_compat_r; [pose proof (w_half N N2); lra|].
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
Variables e lambda : nat -> R.
Variable M : R.
Variable table : list (R * (nat -> R)).
Hypothesis strips : forall k, 0 < e k <= w / 4.
Hypothesis rates : forall k, 4 * INR n * INR N <= lambda k.
Hypothesis keys : keyed d n N table.
Notation S := (sentinel_below d n N).
Notation e0 := (e 0%nat).
(** The layers of the contextual map are numbered from here. *)
Notation k0 := (length (quantise_below d n N)).
Notation sweep := (chosen e lambda k0 (map (shift_below d N) (seq 0 BB))).
Notation cmap := (chosen e lambda k0 (map_below d n N)).
Notation t_l := (Q2R (Statement.t_l d n N)).

(** ** The quantiser *)
(** Where the network fails; and what the quantiser makes of it. *)
Definition strip_below (X : matrix) : Prop := forall i j, (i < d)%nat -> (j < n)%nat ->
  if Nat.eqb i 0 then if Nat.eqb j 0 then - e0 <= X i j <= 0 else X i j <= - e0 else 0 <= X i j <= w / 2.
Definition quantised (x : R) : matrix := fun i j =>
  if Nat.eqb i 0 then if Nat.eqb j 0 then - (S / e0) * x else S else 0.

(** The sentinel is -4 or less. *)
Lemma S_negative : S <= - 4.
Proof using N2 d1 n2. rewrite (sentinel_is d n N d1 n2 N2). pose proof (b_k d n N d1 n2 N2). nra. Qed.

(** On the strip, where only the first entry is in transition, the quantiser's result depends on this entry alone. *)
Lemma strip_quantised X : strip_below X -> forall i j, (i < d)%nat -> (j < n)%nat ->
  net (chosen e lambda 0 (quantise_below d n N)) X i j = quantised (X 0%nat 0%nat) i j.
Proof using N2 d1 n2 strips.
  intros H i j Hi Hj. rewrite quantise_below_spec by (try exact Hi; lia). specialize (H i j Hi Hj).
  pose proof (w_half N N2) as W. pose proof S_negative as S4. unfold quantised, entry.
  destruct (Nat.eqb_spec i 0) as [->|NE].
  - simpl (0 + 0 * (N + 1))%nat. pose proof (strips 0) as [E0 E4].
    destruct (outside_spec e0 S (X 0%nat j) E0 ltac:(lra)) as [O1 [O2 O3]]. destruct (Nat.eqb_spec j 0) as [E|NE'].
    + rewrite O2 by exact H. rewrite E in *. rewrite (scalar_negative N _ (w / 4) (fun c => strips _) ltac:(lra));
        [reflexivity|].
      assert (0 < / e0) by (apply Rinv_0_lt_compat, E0).
      assert (S * / e0 <= 0) by (clear - S4 H0; nra). unfold Rdiv. clear - H1 H. nra.
    + rewrite O1 by exact H. apply (scalar_negative N _ (w / 4) (fun c => strips _)); lra.
  - set (k := (0 + i * (N + 1))%nat). pose proof (strips k) as [E0 E4].
    destruct (outside_spec (e k) S (X i j) E0 ltac:(lra)) as [_ [_ O3]]. rewrite O3 by lra.
    rewrite (scalar_cell N _ (w / 4) (fun c => strips _) ltac:(lra) 0) by (simpl INR; lra).
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
Lemma quantised_id x j : rid (quantised x) j = if Nat.eqb j 0 then - (S / e0) * x else S.
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
Lemma lambda_big k : 16 <= lambda k /\ INR n <= lambda k /\ INR n * 2 * INR N <= lambda k / 2 /\ 0 < INR n.
Proof using N2 d1 n2 rates.
  assert (2 <= INR N) by (apply (le_INR 2), N2). assert (2 <= INR n) by (apply (le_INR 2), n2).
  specialize (rates k). nra.
Qed.

(** The global shift, of this rate, comes after the sweep. *)
Notation last_rate := (lambda (k0 + BB)%nat).

(** This id is the swept one and the global shift's share. *)
Lemma first_id_is x : first_id x = let z := rid (net sweep (quantised x)) in
  z 0%nat + INR (global_factor d n N) * reading n last_rate 0 z 0.
Proof using N2 d1 n2.
  unfold first_id. rewrite map_below_app. apply (global_id d n N last_rate ltac:(lia)).
Qed.

(** At x_11 = -e all ids are the sentinel. *)
Lemma left_end : first_id (- e0) < t_l.
Proof using N2 d1 n2 strips.
  pose proof S_negative as S4. pose proof (t_l_big d n N d1 n2 N2). pose proof (w_half N N2).
  rewrite first_id_is. cbv zeta. set (Z := net sweep (quantised (- e0))).
  assert (forall j, (j < n)%nat -> rid Z j = S) as E.
  { apply (shifts_equal d n N d1 ltac:(lia) N2). intros j _. rewrite quantised_id. pose proof (strips 0).
    destruct (Nat.eqb j 0); [field; lra|reflexivity]. }
  rewrite E by lia. assert (reading n last_rate 0 (rid Z) 0 <= S) as R.
  { unfold reading. apply mean_le; [lia|]. intros k Hk. rewrite E by exact Hk. lra. }
  pose proof (pos_INR (global_factor d n N)). nra.
Qed.

(** At x_11 = 0 the first shift lifts column 1 by nearly delta^-d times the sentinel. *)
Lemma first_shift : INR BB * (- S - 1) <= rid (net sweep (quantised 0)) 0%nat.
Proof using N2 d1 n2 rates.
  pose proof (B_ge_2 d N d1 N2) as HB. destruct (lambda_big k0) as [L1 [L2 [L3 L4]]]. pose proof S_negative as S4.
  pose proof (w_half N N2) as W.
  replace (seq 0 BB) with (0%nat :: seq 1 (BB - 1)) by (replace BB with (Datatypes.S (BB - 1)) at 2 by lia;
    reflexivity).
  simpl map. simpl chosen. rewrite run_cons.
  eapply Rle_trans; [|apply (shifts_rise d n N d1 ltac:(lia) N2 e lambda 16); [lra|apply lambda_big]].
  rewrite (shift_below_id d n N d1 ltac:(lia) N2 e lambda). set (rate := lambda k0) in *.
  unfold soft_shift, reading. set (x := rid (quantised 0)).
  assert (x 0%nat = 0) as X0 by (unfold x; rewrite quantised_id; simpl; ring).
  assert (x 1%nat = S) as X1 by (unfold x; rewrite quantised_id; reflexivity).
  assert (forall j, S <= x j <= 0) as XB.
  { intros j. unfold x. rewrite quantised_id. destruct (Nat.eqb j 0); [rewrite Rmult_0_r|]; lra. }
  rewrite X0. simpl (INR 0). rewrite Rmult_0_l.
  assert (INR N * w = 1) as WN by (apply Rinv_r, not_0_INR; lia).
  assert (0 < rate * (w / 2)) as c0 by nra.
  assert (INR n / (rate * (w / 2)) <= 1 / 2) as small.
  { apply Rmult_le_reg_r with (rate * (w / 2)); [exact c0|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra.
    assert (INR n * 2 * INR N * w <= rate / 2 * w) by (apply Rmult_le_compat_r; lra). nra. }
  destruct (head_max n ltac:(lia) x (rate * (w / 2)) 0 c0) as [A _];
    [exists 0%nat; split; [lia|exact X0]|intros; apply XB|].
  destruct (head_min n ltac:(lia) x (- (rate * (w / 2))) S ltac:(lra)) as [_ A'];
    [exists 1%nat; split; [lia|exact X1]|intros; apply XB|]. rewrite Ropp_involutive in A'.
  replace (rate * (0 - (0 - w / 2))) with (rate * (w / 2)) by ring.
  replace (rate * (0 - (0 + w / 2))) with (- (rate * (w / 2))) by ring.
  rewrite Rplus_0_l. apply Rmult_le_compat_l; [apply pos_INR|]. lra.
Qed.

(** At the right end of the transition the id is far above t_l. *)
Lemma right_end : t_l + w < first_id 0.
Proof using N2 d1 n2 strips rates.
  rewrite first_id_is. cbv zeta. pose proof first_shift as H.
  set (z := rid (net sweep (quantised 0))) in *.
  destruct (lambda_big (k0 + BB)) as [L1 [L2 [_ L4]]]. set (rate := last_rate) in *.
  pose proof (w_half N N2) as W. pose proof (b_k d n N d1 n2 N2) as [B2 BK].
  rewrite (sentinel_is d n N d1 n2 N2) in H. rewrite (factor_is d n N d1 n2 N2), (t_l_is d n N d1 n2 N2).
  set (b := INR BB) in *. set (k := IZR (Z.of_nat BB ^ Z.of_nat (n - 1))%Z) in *.
  clearbody b k.
  assert (b * b * k - b <= z 0%nat) as Z1 by lra.
  assert (4 <= b * b) as B4 by nra. assert (4 * k <= b * b * k) as K1 by (apply Rmult_le_compat_r; lra).
  assert (2 <= z 0%nat) as Z2 by lra. assert (0 <= b * k) as BK0 by (apply Rmult_le_pos; lra).
  assert (z 0%nat - 1 <= reading n rate 0 z 0) as R.
  { destruct (max_exists n ltac:(lia) z) as [m [[i [Hi Ei]] Hm]]. unfold reading. rewrite Rminus_0_r.
    assert (0 < rate * z 0%nat) as c0 by (apply Rmult_lt_0_compat; lra).
    destruct (head_max n ltac:(lia) z (rate * z 0%nat) m c0 ltac:(exists i; auto) Hm) as [A _].
    assert (INR n / (rate * z 0%nat) <= 1).
    { apply Rmult_le_reg_r with (rate * z 0%nat); [exact c0|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
      assert (rate * 2 <= rate * z 0%nat) by (apply Rmult_le_compat_l; lra). lra. }
    specialize (Hm 0%nat ltac:(lia)). lra. }
  assert (b * b * k * k * (b - 1) * w <= b * b * k * (k * (b - 1) / 2)) as T.
  { replace (b * b * k * k * (b - 1) * w) with (b * b * k * (k * (b - 1) * w)) by ring.
    apply Rmult_le_compat_l; [lra|]. assert (0 <= k * (b - 1)) by (apply Rmult_le_pos; lra).
    unfold Rdiv. apply Rmult_le_compat_l; lra. }
  assert (k * (b - 1) / 2 + 1 <= reading n rate 0 z 0) as R2.
  { assert (2 * (b * k) <= b * (b * k)) by (apply Rmult_le_compat_r; lra). lra. }
  assert (b * b * k * (k * (b - 1) / 2 + 1) <= b * b * k * reading n rate 0 z 0) by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

(** ** The value map leaves such a column alone *)
(** Where the id is between t_l and t_l + delta, the value map and all that follows leave it. *)
Theorem strip_value X : strip_below X -> t_l <= first_id (X 0%nat 0%nat) <= t_l + w ->
  net (published d n N e lambda M table) X 0%nat 0%nat = first_id (X 0%nat 0%nat).
Proof using N2 d1 keys n2 strips.
  intros H HV. pose proof (w_half N N2) as W. pose proof (t_l_big d n N d1 n2 N2) as T1.
  pose proof (t_r_big d n N d1 n2 N2) as T2. set (v := first_id (X 0%nat 0%nat)) in *.
  unfold published. rewrite !chosen_app, !run_app. simpl (0 + _)%nat. set (k2 := (k0 + length (map_below d n N))%nat).
  set (Z := net cmap (net (chosen e lambda 0 (quantise_below d n N)) X)).
  assert (forall i j, (i < d)%nat -> (j < n)%nat -> Z i j = net cmap (quantised (X 0%nat 0%nat)) i j) as EZ.
  { apply run_ext. intros. apply strip_quantised; assumption. }
  assert (forall i, (i < d)%nat -> i <> 0%nat -> Z i 0%nat = 0) as Z0.
  { intros i Hi NE. rewrite EZ, (map_below_rows d n N d1 ltac:(lia) N2) by lia. unfold quantised.
    destruct (Nat.eqb_spec i 0); [lia|reflexivity]. }
  assert (rid Z 0%nat = v) as EV by (unfold v, first_id; apply along_ext; intros; apply EZ; lia).
  assert (Z 0%nat 0%nat = v) as E0 by (rewrite <- (first_row Z 0) by exact Z0; exact EV).
  rewrite value_below_run. set (Z1 := layer d n _ Z). set (Z2 := net (entrywise d clear) Z1). pose proof (strips k2).
  assert (forall i, (i < d)%nat -> Z1 i 0%nat = Z i 0%nat) as E1.
  { intros i Hi. unfold Z1. rewrite token_spec, reject_spec; [ring| | |rewrite EV; lra|rewrite EV; lra]; lra. }
  assert (forall i, (i < d)%nat -> Z2 i 0%nat = Z i 0%nat) as E2.
  { intros i Hi. unfold Z2. rewrite entrywise_spec, E1, (proj1 (clear_spec _)); try exact Hi; [ring|].
    destruct (Nat.eq_dec i 0) as [->|NE]; [lra|rewrite Z0 by assumption; lra]. }
  rewrite (windows_left d n N N2 e lambda (w / 4) strips (Rle_refl _));
    [rewrite E2 by lia; exact E0| |lia].
  intros t Ht. rewrite (along_ext d (u N) Z2 Z 0) by exact E2. rewrite EV. destruct (keys t Ht) as [L [j [HL [Hj ->]]]].
  pose proof (key_far d n N d1 n2 N2 L j HL Hj). lra.
Qed.

(** An interval of x_11 on which the network is t_l or more. *)
Theorem interval : exists x r, 0 < r /\ - e0 <= x - r /\ x + r <= 0 /\
  forall y, Rabs (y - x) <= r -> t_l <= first_id y <= t_l + w.
Proof using N2 d1 n2 strips rates.
  pose proof (w_half N N2) as W. pose proof (strips 0) as E0. pose proof left_end as LE. pose proof right_end as RE.
  destruct (IVT (fun x => first_id x - (t_l + w / 2)) (- e0) 0) as [x [[X1 X2] EX]]; [|lra|lra|lra|].
  { apply (continuity_minus first_id (fun _ => t_l + w / 2)); [apply continuous_id|apply continuity_const]. intros ? ?.
    reflexivity. }
  assert (x <> - e0) as N1 by (intros ->; lra). assert (x <> 0) as N3 by (intros ->; lra).
  destruct (continuous_id x (w / 2) ltac:(lra)) as [c [Hc HY]]. simpl in HY. unfold R_dist in HY.
  set (r := Rmin (c / 2) (Rmin (x + e0) (- x))). pose proof (Rmin_l (c / 2) (Rmin (x + e0) (- x))) as R1.
  pose proof (Rmin_r (c / 2) (Rmin (x + e0) (- x))) as R2. pose proof (Rmin_l (x + e0) (- x)) as R3.
  pose proof (Rmin_r (x + e0) (- x)) as R4. fold r in R1, R2.
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

(** A box lies in a ball. *)
Lemma box_in_ball d n b : exists K, forall X, inside d n b X = true -> ball d n K X.
Proof.
  exists (1 + size d n (low b) + size d n (high b)). intros X HX i j Hi Hj. rewrite inside_spec in HX.
  specialize (HX i j Hi Hj). pose proof (size_entry d n (low b) i j Hi Hj) as L.
  pose proof (size_entry d n (high b) i j Hi Hj) as H. apply between in L. apply between in H.
  pose proof (size_nonneg d n (low b)). pose proof (size_nonneg d n (high b)). rewrite Rminus_0_r. apply Rabs_def1; lra.
Qed.

(** The theorem: by the intermediate value theorem such a first entry exists, and with it boxes of any size. *)
Theorem published_fails : Published_fails.
Proof.
  intros d n N e lambda M table d1 n2 N2 strips rates keys g. pose proof (w_half N N2) as W.
  pose proof (t_l_big d n N d1 n2 N2) as T8. pose proof (strips 0%nat) as [e0 e4].
  destruct (interval d n N d1 n2 N2 e lambda strips rates) as [x [r [r0 [X1 [X2 HX]]]]].
  assert (forall X, strip_below d n N e X -> Rabs (X 0%nat 0%nat - x) <= r ->
    Q2R (Statement.t_l d n N) <= g X 0%nat 0%nat)
    as big.
  { intros X HS HR. unfold g. specialize (HX _ HR).
    rewrite (strip_value d n N d1 n2 N2 e lambda M table strips keys X HS HX). apply HX. }
  assert (forall V K, exists b, proper d n b /\ V <= volume d n b /\
    forall X, inside d n b X = true -> ~ ball d n K X /\ Q2R (Statement.t_l d n N) <= g X 0%nat 0%nat) as boxes.
  { intros V K. set (base := fun i j : nat => if Nat.eqb i 0 then if Nat.eqb j 0 then 2 * r else 1 else / INR N / 2).
    set (far := Rabs K + e 0%nat). pose proof (Rle_abs K) as A0. pose proof (Rabs_pos K).
    assert (forall i j, 0 < base i j) as P0 by (intros i j; unfold base; destruct (Nat.eqb i 0);
      [destruct (Nat.eqb j 0)|];
      lra).
    assert (0 < prod d (fun i => prod n (fun j => base i j))) as P1 by (apply prod_pos; intros; apply prod_pos; auto).
    set (P := prod d _) in P1. set (T := Rabs V / P).
    assert (0 <= T) as T0 by (apply Rmult_le_pos; [apply Rabs_pos|apply Rlt_le, Rinv_0_lt_compat, P1]).
    set (size := fun i j => if Nat.eqb i 0 then if Nat.eqb j 1 then T * base i j else base i j else base i j).
    set (top := fun i j : nat => if Nat.eqb i 0 then if Nat.eqb j 0 then x + r else - far else / INR N / 2).
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
    + intros X HI. rewrite inside_spec in HI. simpl in HI. split.
      * intros C. specialize (C 0%nat 1%nat ltac:(lia) ltac:(lia)). specialize (HI 0%nat 1%nat ltac:(lia) ltac:(lia)).
        unfold top in HI. simpl in HI. rewrite Rminus_0_r, Rabs_left1 in C; unfold far in HI; lra.
      * apply big.
        -- intros i j Hi Hj. specialize (HI i j Hi Hj). unfold top, size, base, far in HI.
           destruct i as [|i]; [destruct j as [|j]|]; simpl in HI |- *; lra.
        -- specialize (HI 0%nat 0%nat ltac:(lia) ltac:(lia)). unfold top, size, base in HI. simpl in HI.
           apply Rabs_le. lra. }
  split; [lra|split; [exact boxes|]].
  intros f p eps [K0 H0] Hp He. set (h := power (Q2R (Statement.t_l d n N)) p).
  assert (0 < h) as h0 by (unfold h; rewrite power_pos_eq by lra; apply Rpower_pos).
  destruct (boxes (power eps p / h) K0) as [b [Pb [Vb Hb]]]. destruct (box_in_ball d n b) as [K HK]. exists K.
  intros [bs [Pbs [H HI]]].
  assert (h * volume d n b <= step_integral d n bs) as L.
  { apply (step_lower d n ltac:(lia) bs (Box (low b) (high b) h) Pbs); [split; [simpl; lra|apply Pb]|].
    intros X HI'. destruct (Hb X HI') as [off T]. eapply Rle_trans; [|apply (H X (HK X HI'))]. simpl height.
    eapply Rle_trans; [|apply (entry_error d n p (fun i j => f X i j - g X i j) 0 0); lia].
    apply power_mono; [exact Hp|]. rewrite (H0 X off) by lia. rewrite !Rabs_right by lra.
    rewrite Rabs_left1; lra. }
  assert (power eps p / h * h = power eps p) as E by (field; lra). nra.
Qed.
