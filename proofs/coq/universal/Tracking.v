(** The literal rational networks, and the same networks with softmax. Whatever ids the rational sweep over a list of
    levels and a global shift lead to, the softmax network comes within [map_error] / lambda of them. *)
From Coq Require Import Reals QArith Qreals List Arith ZArith Lia Lra Psatz.
From Contextual Require Statement Statement3 Lemma6Use.
From Contextual Require Import Approximation Sums Softmax Sweep Construction Blocks.
Import ListNotations.
Open Scope R_scope.

(** delta, over Q and over R. *)
Lemma delta_real N : (2 <= N)%nat -> Q2R (Statement.delta N) = / INR N.
Proof.
  intros N2. unfold Statement.delta, Statement.of_nat. rewrite Q2R_div; [unfold Q2R, inject_Z; simpl;
    rewrite INR_IZR_INZ; field; apply not_0_IZR; lia|unfold Qeq; simpl; lia].
Qed.

(** There are at least two columns of cells. *)
Lemma B_2 d N : (1 <= d)%nat -> (2 <= N)%nat -> (2 <= Statement.B d N)%nat.
Proof.
  intros d1 N2. unfold Statement.B. apply Nat.le_trans with (N ^ 1)%nat; [rewrite Nat.pow_1_r; exact N2|].
  apply Nat.pow_le_mono_r; lia.
Qed.

(** A cell's width is positive. *)
Lemma w_pos N : (2 <= N)%nat -> 0 < / INR N.
Proof. intros N2. apply Rinv_0_lt_compat, lt_0_INR. lia. Qed.

(** Multiples of 1/N. *)
Lemma units_w N v : (2 <= N)%nat -> Q2R (inject_Z v * Statement.delta N) = IZR v * / INR N.
Proof. intros N2. rewrite Q2R_mult, (delta_real N N2). f_equal. unfold Q2R, inject_Z; simpl. field. Qed.

(** Different multiples of it are a cell apart. *)
Lemma units_apart N v v' : (2 <= N)%nat -> v <> v' -> / INR N <= Rabs (IZR v' * / INR N - IZR v * / INR N).
Proof.
  intros N2 NE. pose proof (w_pos N N2) as W. rewrite <- Rmult_minus_distr_r, <- minus_IZR, Rabs_mult,
    (Rabs_right (/ INR N)) by lra.
  rewrite <- abs_IZR. assert (1 <= IZR (Z.abs (v' - v))) by (apply IZR_le; lia). nra.
Qed.

Section Tracking.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Notation BB := (Statement.B d N).
Notation w := (/ INR N).
Definition real (y : nat -> Z) (j : nat) : R := IZR (y j) * w.

(** The ids of a rational matrix, in units of delta; the largest and the smallest. *)
Definition ids (X : Statement.matrix) (y : nat -> Z) : Prop :=
  forall j, (j < n)%nat -> (Statement.id d N X j == inject_Z (y j) * Statement.delta N)%Q.
Definition largest (y : nat -> Z) (j : nat) : Prop := (j < n)%nat /\ forall k, (k < n)%nat -> (y k <= y j)%Z.
Definition smallest (y : nat -> Z) (j : nat) : Prop := (j < n)%nat /\ forall k, (k < n)%nat -> (y j <= y k)%Z.

(** One of n whole numbers is the largest. *)
Lemma largest_exists y : exists j, largest y j.
Proof using N2 d1 n1.
  assert (forall m, (m < n)%nat -> exists j, (j <= m)%nat /\ forall k, (k <= m)%nat -> (y k <= y j)%Z) as G.
  { induction m as [|m IH]; intros Hm; [exists O; split; [lia|]; intros k Hk; replace k with O by lia; lia|].
    destruct IH as [j [Hj L]]; [lia|].
    destruct (Z.le_ge_cases (y (S m)) (y j)) as [H|H]; [exists j|exists (S m)]; (split; [lia|]); intros k Hk;
      (destruct (Nat.eq_dec k (S m)) as [->|]; [lia|]); specialize (L k ltac:(lia)); lia. }
  destruct (G (n - 1)%nat ltac:(lia)) as [j [Hj L]]. exists j. split; [lia|]. intros k Hk. apply L. lia.
Qed.

(** One is the smallest. *)
Lemma smallest_exists y : exists j, smallest y j.
Proof using N2 d1 n1.
  destruct (largest_exists (fun j => - y j)%Z) as [j [Hj L]]. exists j. split; [exact Hj|]. intros k Hk.
  specialize (L k Hk). simpl in L. lia.
Qed.

(** Multiples of delta, over Q. *)
Lemma units_Q a b : ((inject_Z a * Statement.delta N <= inject_Z b * Statement.delta N)%Q <-> (a <= b)%Z) /\
  ((inject_Z a * Statement.delta N == inject_Z b * Statement.delta N)%Q <-> a = b).
Proof using N2.
  pose proof (w_pos N N2) as W. split; (split; [intros H|intros H]).
  - apply Qle_Rle in H. rewrite !(units_w N _ N2) in H. apply le_IZR. nra.
  - apply Rle_Qle. rewrite !(units_w N _ N2). apply IZR_le in H. nra.
  - apply Qeq_eqR in H. rewrite !(units_w N _ N2) in H. apply eq_IZR. nra.
  - rewrite H. reflexivity.
Qed.

(** Ids that lie on the lattice are whole numbers of units. *)
Lemma lattice_ids X : (forall j, (j < n)%nat -> Statement.on_lattice N (Statement.id d N X j)) -> exists y, ids X y.
Proof using N2 d1 n1.
  intros H. assert (forall m, (m <= n)%nat -> exists y : nat -> Z, forall j, (j < m)%nat ->
    (Statement.id d N X j == inject_Z (y j) * Statement.delta N)%Q) as G; [|destruct (G n (le_n n)) as [y Hy]; exists y;
    exact Hy].
  induction m as [|m IH]; intros Hm; [exists (fun _ => 0%Z); intros; lia|].
  destruct IH as [y Hy]; [lia|]. destruct (H m ltac:(lia)) as [z Hz].
  exists (fun j => if Nat.eq_dec j m then z else y j). intros j Hj.
  destruct (Nat.eq_dec j m) as [->|]; [exact Hz|apply Hy; lia].
Qed.

(** The largest and the smallest id, over R. *)
Lemma max_real y last : largest y last -> is_max n (real y) (real y last).
Proof using N2.
  pose proof (w_pos N N2). intros [Hl L]. split; [exists last; auto|].
  intros k Hk. apply Rmult_le_compat_r; [lra|]. apply IZR_le, L, Hk.
Qed.

(** The smallest is so as a real number. *)
Lemma min_real y least : smallest y least -> is_min n (real y) (real y least).
Proof using N2.
  pose proof (w_pos N N2). intros [Hl L]. split; [exists least; auto|].
  intros k Hk. apply Rmult_le_compat_r; [lra|]. apply IZR_le, L, Hk.
Qed.

(** One selective shift, by [Statement.shift_lifts]: ids at the level k are lifted, the others stay. *)
Lemma one_shift X y last least k : ids X y -> largest y last -> smallest y least ->
  ids (Statement.attention d n (Statement.selective_shift d N k) X)
    (fun j => if Z.eqb (y j) (Z.of_nat k) then y j + Z.of_nat BB * (y last - y least) else y j)%Z.
Proof using N2 d1 n1.
  intros H [Hl L] [Hs S] j Hj. destruct (Lemma6Use.lemma6_layers d n N d1 n1 N2) as [lifts _].
  destruct (lifts X k last least j) as [at_level off]; try exact Hj.
  - intros i Hi. exists (y i). apply H, Hi.
  - split; [exact Hl|]. intros i Hi. rewrite (H i Hi), (H last Hl). apply units_Q, L, Hi.
  - split; [exact Hs|]. intros i Hi. rewrite (H i Hi), (H least Hs). apply units_Q, S, Hi.
  - destruct (Z.eqb_spec (y j) (Z.of_nat k)) as [E|NE].
    + rewrite at_level by (rewrite (H j Hj), E; reflexivity). rewrite (H j Hj), (H last Hl), (H least Hs).
      unfold Statement.of_nat, Z.sub. rewrite !inject_Z_plus, inject_Z_mult, inject_Z_plus, inject_Z_opp. ring.
    + rewrite off; [apply H, Hj|]. intros E. apply NE, units_Q. rewrite <- (H j Hj). exact E.
Qed.

(** The literal rational sweep over any levels is a [hard_sweep]. *)
Theorem rational_is_hard ks : forall X y, ids X y ->
  exists y', ids (Statement.run d n (map (Statement.selective_shift d N) ks) X) y' /\
    hard_sweep n (INR BB) w (map (fun k => INR k * w) ks) (real y) (real y').
Proof using N2 d1 n1.
  induction ks as [|k ks IH]; intros X y H; simpl.
  - exists y. split; [exact H|]. reflexivity.
  - destruct (largest_exists y) as [last HM]. destruct (smallest_exists y) as [least Hm].
    destruct (IH _ _ (one_shift X y last least k H HM Hm)) as [y' [I' H']]. exists y'. split; [exact I'|].
    eexists. split; [|exact H']. exists (real y last), (real y least).
    split; [apply max_real, HM|split; [apply min_real, Hm|]]. intros j Hj. unfold real. pose proof (w_pos N N2) as W.
    rewrite (INR_IZR_INZ k), (INR_IZR_INZ BB). split; [|split].
    + destruct (Z.lt_trichotomy (y j) (Z.of_nat k)) as [L|[L|L]].
      * left. assert (y j + 1 <= Z.of_nat k)%Z as L' by lia. apply IZR_le in L'. rewrite plus_IZR in L'. nra.
      * right; left. rewrite L. reflexivity.
      * right; right. assert (Z.of_nat k + 1 <= y j)%Z as L' by lia. apply IZR_le in L'. rewrite plus_IZR in L'. nra.
    + intros E. apply Rmult_eq_reg_r in E; [|lra]. apply eq_IZR in E. rewrite E, Z.eqb_refl.
      rewrite plus_IZR, mult_IZR, minus_IZR. ring.
    + intros NE. destruct (Z.eqb_spec (y j) (Z.of_nat k)) as [E|_]; [exfalso; apply NE; rewrite E;
        reflexivity|reflexivity].
Qed.

(** An id over R. *)
Lemma val X y j : ids X y -> (j < n)%nat -> Q2R (Statement.id d N X j) = real y j.
Proof using N2.
  intros HI Hj. rewrite (Qeq_eqR _ _ (HI j Hj)), Q2R_mult, (delta_real N N2). unfold real. f_equal.
  unfold Q2R, inject_Z; simpl. field.
Qed.

(** The softmax network is within [map_error] / lambda of the rational one. *)
Notation constant := (map_error d n N).
Notation net := (run d n 2 1 4).
Notation rid := (along d (u N)).
Notation contextual_map := (contextual_map d N).

(** The error isn't negative. *)
Lemma error_nonneg k : 0 <= sweep_error n (INR BB) w k.
Proof using N2.
  pose proof (w_pos N N2). pose proof (pos_INR BB). pose proof (pos_INR n). induction k as [|k IH]; simpl; [lra|].
  assert (0 <= 8 * INR BB * INR n / w) by (apply Rmult_le_pos; [nra|apply Rlt_le, Rinv_0_lt_compat; lra]). nra.
Qed.

(** The errors are not negative. *)
Lemma constant_nonneg k g : 0 <= constant k g.
Proof using N2.
  pose proof (error_nonneg k) as R0. pose proof (w_pos N N2) as W. assert (0 < 2 / w) by (apply Rdiv_lt_0_compat; lra).
  pose proof (pos_INR n). pose proof (pos_INR g). unfold map_error. apply Rplus_le_le_0_compat; [exact R0|].
  apply Rmult_le_pos; [assumption|]. nra.
Qed.

(** Rows 1, 2, ... keep their entries. *)
Theorem map_rest ks g lambda X i j : (0 < i)%nat -> net (contextual_map ks g lambda) X i j = X i j.
Proof using.
  intros Hi. unfold contextual_map. rewrite run_app. change (net [?t] ?V) with (layer d n t V).
  rewrite (global_rows d n) by exact Hi. apply (sweep_rows d n), Hi.
Qed.

(** What the hardmax sweep leads the ids of L, on the lattice, to: those of the rational network. *)
Lemma hard_ids ks L y : (forall j, (j < n)%nat -> Statement.on_lattice N (Statement.id d N L j)) ->
  ids (Statement.run d n (map (Statement.selective_shift d N) ks) L) y ->
  exists y0 y', (forall j, (j < n)%nat -> Q2R (Statement.id d N L j) = real y0 j) /\
    hard_sweep n (INR BB) w (map (fun k => INR k * w) ks) (real y0) (real y') /\
    forall j, (j < n)%nat -> real y' j = real y j.
Proof using N2 d1 n1.
  intros HL I. destruct (lattice_ids L HL) as [y0 I0]. destruct (rational_is_hard ks L y0 I0) as [y' [I' HS]].
  exists y0, y'. split; [intros j Hj; apply val; assumption|split; [exact HS|]].
  intros j Hj. rewrite <- (val _ _ j I' Hj), <- (val _ _ j I Hj). reflexivity.
Qed.

(** The global shift, of any rate from [rate] on, after a sweep that is as near as its rates of at least [rate] make
    it. *)
Theorem global_tracks k g rate lambda Y y last : 0 < rate -> rate <= lambda ->
  largest y last -> (forall j, (j < n)%nat -> (0 < y j)%Z) -> constant k g / rate <= w / 4 ->
  near n (sweep_error n (INR BB) w k / rate) (rid Y) (real y) ->
  forall j, (j < n)%nat -> Rabs (rid (layer d n (global N lambda (INR g)) Y) j - (real y j + INR g * real y last)) <=
    constant k g / rate.
Proof using N2 d1 n1.
  intros Hr Hl HM Hy HC near j Hj. pose proof (w_pos N N2) as W. assert (0 < INR N) as NR by (apply lt_0_INR; lia).
  set (C := sweep_error n (INR BB) w k) in *. pose proof (error_nonneg k) as C0. fold C in C0.
  set (gain := INR g). assert (0 <= gain) as G0 by apply pos_INR.
  assert (0 < 2 / w) as W2 by (apply Rdiv_lt_0_compat; lra).
  pose proof (pos_INR n) as Pn. assert (0 < / rate) as IL by (apply Rinv_0_lt_compat; lra).
  assert (C / rate <= constant k g / rate) as HCC.
  { unfold map_error, Rdiv. fold C gain. apply Rmult_le_compat_r; [lra|].
    assert (0 <= gain * (C + INR n * (2 * / w))); [|lra]. unfold Rdiv in W2. apply Rmult_le_pos; [lra|nra]. }
  pose proof (max_real y last HM) as RM.
  rewrite (global_id d n N lambda ltac:(lia)). fold gain. pose proof (near j Hj) as Nj. apply between in Nj.
  assert (w / 2 <= rid Y j) as pos.
  { assert (IZR 1 <= IZR (y j)) by (apply IZR_le; specialize (Hy j Hj); lia). unfold real in Nj. nra. }
  pose proof (track_above n ltac:(lia) (rid Y) (real y) _ (C / rate) lambda 0 (w / 2) j near RM ltac:(lra) ltac:(lra)
    ltac:(lra)) as H.
  apply between in H. unfold reading.
  assert (INR n / (lambda * (w / 2)) <= INR n * (2 / w) / rate) as E.
  { replace (INR n * (2 / w) / rate) with (INR n / (rate * (w / 2))) by (field; lra).
    apply Rmult_le_compat_l; [exact Pn|]. apply Rinv_le_contravar; nra. }
  set (h := mean n (fun i => lambda * (rid Y j - 0) * rid Y i) (rid Y)) in *. set (M' := real y last) in *.
  assert (constant k g / rate = C / rate + gain * (C / rate + INR n * (2 / w) / rate)) as EC
    by (unfold map_error; fold C gain; field; lra).
  rewrite EC. apply Rabs_le. nra.
Qed.

(** If the rational sweep leads the ids of L, on the lattice, to positive ids y, the softmax network stays within
    constant / lambda of the rational one. *)
Theorem tracks ks g lambda L X y last : 0 < lambda ->
  (forall j, (j < n)%nat -> Statement.on_lattice N (Statement.id d N L j)) ->
  ids (Statement.run d n (map (Statement.selective_shift d N) ks) L) y ->
  largest y last -> (forall j, (j < n)%nat -> (0 < y j)%Z) -> constant (length ks) g / lambda <= w / 4 ->
  (forall j, (j < n)%nat -> rid X j = Q2R (Statement.id d N L j)) ->
  forall j, (j < n)%nat -> Rabs (rid (net (contextual_map ks g lambda) X) j - (real y j + INR g * real y last)) <=
    constant (length ks) g / lambda.
Proof using N2 d1 n1.
  intros Hl HL I HM Hy HC HX. destruct (hard_ids ks L y HL I) as [y0 [y' [E0 [HS Ey]]]]. pose proof (w_pos N N2) as W.
  pose proof (error_nonneg (length ks)) as C0. assert (0 < / lambda) as IL by (apply Rinv_0_lt_compat; lra).
  assert (sweep_error n (INR BB) w (length ks) / lambda <= w / 4) as small.
  { eapply Rle_trans; [|exact HC]. unfold map_error, Rdiv. apply Rmult_le_compat_r; [lra|].
    assert (0 < / w) by (apply Rinv_0_lt_compat, W). pose proof (pos_INR g). pose proof (pos_INR n).
    assert (0 <= INR g * (sweep_error n (INR BB) w (length ks) + INR n * (2 * / w))); [|lra].
    apply Rmult_le_pos; [assumption|nra]. }
  intros j Hj. unfold contextual_map. rewrite run_app. change (net [?t] ?V) with (layer d n t V).
  apply (global_tracks (length ks) g lambda lambda); try assumption; [lra|].
  pose proof (sweep_tracks n ltac:(lia) (INR BB) w lambda (pos_INR _) W Hl (map (fun k => INR k * w) ks) (rid X)
    (real y0) (real y') 0 (Rle_refl 0)) as T.
  rewrite map_length in T. fold (error n (INR BB) w lambda (length ks)) in T. rewrite error_is in T by assumption.
  intros k Hk. rewrite (sweep_id d n N lambda ltac:(lia)) with (x := rid X) by (try exact Hk; reflexivity).
  rewrite <- Ey by exact Hk.
  apply T; [exact small| |exact HS|exact Hk]. intros i Hi. rewrite HX, (E0 i Hi), Rminus_eq_0, Rabs_R0 by exact Hi.
  lra.
Qed.
End Tracking.
