(** The literal rational networks, and the same networks with softmax. Whatever ids the rational sweep over a list of
    levels and a global shift lead to, the softmax network comes within [map_error] / lambda of them. *)
From Coq Require Import Reals QArith Qreals List Arith ZArith Lia Lra Psatz Classical.
From Contextual Require Finite Statement Statement3 Lemma6Use.
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

(** N cells of width 1/N. *)
Lemma w_N N : (2 <= N)%nat -> INR N * / INR N = 1.
Proof. intros N2. apply Rinv_r, not_0_INR. lia. Qed.

(** Their width is positive, and at most 1/2. *)
Lemma w_half N : (2 <= N)%nat -> 0 < / INR N <= 1 / 2.
Proof.
  intros N2. assert (0 < / INR N) by (apply Rinv_0_lt_compat, lt_0_INR; lia). apply le_INR in N2.
  change (INR 2) with 2 in N2. pose proof (Rinv_le_contravar 2 (INR N) ltac:(lra) N2). lra.
Qed.

(** In short. *)
Lemma w_pos N : (2 <= N)%nat -> 0 < / INR N.
Proof. apply w_half. Qed.

(** Multiples of 1/N. *)
Lemma units_w N v : (2 <= N)%nat -> Q2R (inject_Z v * Statement.delta N) = IZR v * / INR N.
Proof. intros N2. rewrite Q2R_mult, (delta_real N N2). f_equal. unfold Q2R, inject_Z; simpl. field. Qed.

(** Whole numbers. *)
Lemma Q2R_nat k : Q2R (Statement.of_nat k) = INR k.
Proof. unfold Statement.of_nat, Q2R, inject_Z. simpl. rewrite INR_IZR_INZ. field. Qed.

(** Sums. *)
Lemma Q2R_sum m f : Q2R (Statement.sum m f) = sum m (fun k => Q2R (f k)).
Proof. exact (Finite.image Heads.Q_sums R_sums Q2R Qeq_eqR RMicromega.Q2R_0 Q2R_plus m f). Qed.

(** Different multiples of it are a cell apart. *)
Lemma units_apart N v v' : (2 <= N)%nat -> v <> v' -> / INR N <= Rabs (IZR v' * / INR N - IZR v * / INR N).
Proof.
  intros N2 NE. pose proof (w_pos N N2) as W. rewrite <- Rmult_minus_distr_r, <- minus_IZR, Rabs_mult,
    (Rabs_right (/ INR N)) by lra.
  rewrite <- abs_IZR. assert (1 <= IZR (Z.abs (v' - v))) by (apply IZR_le; lia). nra.
Qed.

(** Whole numbers for m columns, added up: larger ones make larger sums. *)
Notation add_up := Finite.add_up.
Definition add_up_le := Finite.mono Finite.N_sums (Finite.Ordered _ _ _ _ Nat.eq_le_incl Nat.le_trans Nat.add_le_mono).

(** One of them larger by 1. *)
Lemma add_up_lt m f g k : (forall j, (j < m)%nat -> (f j <= g j)%nat) -> (k < m)%nat -> (S (f k) <= g k)%nat ->
  (S (add_up m f) <= add_up m g)%nat.
Proof.
  intros H Hk L. set (one := fun j => if Nat.eqb j k then 1%nat else O).
  apply Nat.le_trans with (add_up m (fun j => f j + one j)%nat).
  - rewrite (Finite.plus Finite.N_sums), (Finite.single Finite.N_sums m one k Hk); unfold one.
    + rewrite Nat.eqb_refl. lia.
    + intros j _ NE. destruct (Nat.eqb_spec j k); [contradiction|reflexivity].
  - apply add_up_le. intros j Hj. specialize (H j Hj). unfold one. destruct (Nat.eqb_spec j k) as [->|]; lia.
Qed.

(** The same number for each. *)
Lemma add_up_const m c : add_up m (fun _ => c) = (m * c)%nat.
Proof. induction m as [|m IH]; [reflexivity|]. rewrite (Finite.more (summation := Finite.N_sums)), IH. lia. Qed.

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

(** ** How many levels have an id at them *)
(** Levels in increasing order, from lo on and below t N^d. *)
Fixpoint increasing (t lo : nat) (ks : list nat) : Prop :=
  match ks with [] => True | k :: ks => (lo <= k < t * BB)%nat /\ increasing t (S k) ks end.

(** How many times an id may still be met, if the next level is lo or more: each time it rises by N^d or more, or it
    stays
    below all levels to come. *)
Definition chances (t lo : nat) (a : Z) : nat :=
  if Z.ltb a (Z.of_nat lo) then O else Z.to_nat ((Z.of_nat (t * BB) - a + Z.of_nat BB - 1) / Z.of_nat BB).

(** An id that isn't met. *)
Lemma chances_still t lo k a : (lo <= k)%nat -> (chances t (S k) a <= chances t lo a)%nat.
Proof using n1 d1 N2. intros H. unfold chances. destruct (Z.ltb_spec a (Z.of_nat (S k))), (Z.ltb_spec a (Z.of_nat
  lo)); lia. Qed.

(** One that is. *)
Lemma chances_hit t lo k gap : (lo <= k < t * BB)%nat -> (0 <= gap)%Z ->
  (S (chances t (S k) (Z.of_nat k + Z.of_nat BB * gap)) <= chances t lo (Z.of_nat k))%nat.
Proof using N2 d1 n1.
  intros [H1 H2] G. pose proof (B_2 d N d1 N2) as B2. unfold chances.
  destruct (Z.ltb_spec (Z.of_nat k) (Z.of_nat lo)); [lia|]. set (b := Z.of_nat BB) in *. assert (2 <= b)%Z by lia.
  set (T := Z.of_nat (t * BB)). assert (Z.of_nat k < T)%Z by (unfold T; lia).
  assert (1 <= (T - Z.of_nat k + b - 1) / b)%Z as C1 by (apply Z.div_le_lower_bound; lia).
  destruct (Z.ltb_spec (Z.of_nat k + b * gap) (Z.of_nat (S k))) as [L|L]; [lia|].
  assert (1 <= gap)%Z as G1 by nia.
  assert ((T - (Z.of_nat k + b * gap) + b - 1) / b <= (T - Z.of_nat k + b - 1) / b - 1)%Z; [|lia].
  replace ((T - Z.of_nat k + b - 1) / b - 1)%Z with ((T - Z.of_nat k + b - 1 + (- 1) * b) / b)%Z
    by (rewrite Z.div_add by lia; ring).
  apply Z.div_le_mono; nia.
Qed.

(** At the start *)
Lemma chances_start t a : (0 <= a)%Z -> (chances t 0 a <= t)%nat.
Proof using N2 d1 n1.
  intros H. pose proof (B_2 d N d1 N2) as B2. unfold chances. destruct (Z.ltb_spec a (Z.of_nat 0)); [lia|].
  assert ((Z.of_nat (t * BB) - a + Z.of_nat BB - 1) / Z.of_nat BB < Z.of_nat (S t))%Z; [|lia].
  apply Z.div_lt_upper_bound; nia.
Qed.

(** The literal rational sweep over levels in increasing order is a [hard_sweep], and not more of its levels have an id
    at them than the columns have chances. *)
Theorem rational_is_hard t ks : forall lo X y, ids X y -> increasing t lo ks ->
  exists y' h, ids (Statement.run d n (map (Statement.selective_shift d N) ks) X) y' /\
    hard_sweep n (INR BB) w (map (fun k => INR k * w) ks) (real y) (real y') h /\
    (h <= add_up n (fun j => chances t lo (y j)))%nat.
Proof using N2 d1 n1.
  induction ks as [|k ks IH]; intros lo X y H I; simpl.
  - exists y, O. split; [exact H|]. split; [split; reflexivity|lia].
  - destruct I as [Ik I]. destruct (largest_exists y) as [last HM]. destruct (smallest_exists y) as [least Hm].
    set (z := fun j => if Z.eqb (y j) (Z.of_nat k) then (y j + Z.of_nat BB * (y last - y least))%Z else y j).
    destruct (IH (S k) _ z (one_shift X y last least k H HM Hm) I) as [y' [h [I' [HS Hh]]]].
    assert (0 <= y last - y least)%Z as gap by (pose proof (proj2 HM least (proj1 Hm)); lia).
    assert (hard_shift n (INR BB) w (INR k * w) (real y) (real z)) as shift.
    { exists (real y last), (real y least).
      split; [apply max_real, HM|split; [apply min_real, Hm|]]. intros j Hj. unfold real, z. pose proof (w_pos N N2)
        as W.
      rewrite (INR_IZR_INZ k), (INR_IZR_INZ BB). split; [|split].
      + destruct (Z.lt_trichotomy (y j) (Z.of_nat k)) as [L|[L|L]].
        * left. assert (y j + 1 <= Z.of_nat k)%Z as L' by lia. apply IZR_le in L'. rewrite plus_IZR in L'. nra.
        * right; left. rewrite L. reflexivity.
        * right; right. assert (Z.of_nat k + 1 <= y j)%Z as L' by lia. apply IZR_le in L'. rewrite plus_IZR in L'. nra.
      + intros E. apply Rmult_eq_reg_r in E; [|lra]. apply eq_IZR in E. rewrite E, Z.eqb_refl.
        rewrite plus_IZR, mult_IZR, minus_IZR. ring.
      + intros NE. destruct (Z.eqb_spec (y j) (Z.of_nat k)) as [E|_]; [exfalso; apply NE; rewrite E;
          reflexivity|reflexivity]. }
    assert (forall j, (j < n)%nat -> (chances t (S k) (z j) <= chances t lo (y j))%nat) as down.
    { intros j _. unfold z. destruct (Z.eqb_spec (y j) (Z.of_nat k)) as [->|_]; [|apply chances_still; lia].
      pose proof (chances_hit t lo k (y last - y least) Ik gap). lia. }
    destruct (classic (exists j, (j < n)%nat /\ y j = Z.of_nat k)) as [[j0 [Hj0 E0]]|none].
    + exists y', (S h). split; [exact I'|]. split.
      * exists (real z). split; [exact shift|]. left. exists h. split; [reflexivity|exact HS].
      * apply Nat.le_trans with (S (add_up n (fun j => chances t (S k) (z j)))); [lia|].
        apply (add_up_lt n _ _ j0 down Hj0). unfold z. rewrite E0, Z.eqb_refl. apply chances_hit; [exact Ik|exact gap].
    + exists y', h. split; [exact I'|]. split.
      * exists (real z). split; [exact shift|]. right. split; [|exact HS]. intros j Hj E. apply none. exists j.
        split; [exact Hj|]. unfold real in E. rewrite (INR_IZR_INZ k) in E. pose proof (w_pos N N2) as W.
        apply Rmult_eq_reg_r in E; [|lra]. apply eq_IZR, E.
      * apply Nat.le_trans with (1 := Hh), add_up_le, down.
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
Lemma error_nonneg k h : 0 <= sweep_error n (INR BB) w k h.
Proof using N2.
  pose proof (w_pos N N2). pose proof (pos_INR BB). pose proof (pos_INR n). pose proof (pos_INR (k - h)).
  unfold sweep_error. apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply Rlt_le, Rinv_0_lt_compat; lra]|].
  assert (1 <= (1 + 2 * INR BB) ^ h) by (apply pow_R1_Rle; lra). assert (0 <= INR (k - h) * INR BB) by (apply
    Rmult_le_pos; lra).
  nra.
Qed.

(** The errors are not negative. *)
Lemma constant_nonneg k h g : 0 <= constant k h g.
Proof using N2.
  pose proof (error_nonneg k h) as R0. pose proof (w_pos N N2) as W. assert (0 < 2 / w) by (apply Rdiv_lt_0_compat;
    lra).
  pose proof (pos_INR n). pose proof (pos_INR g). unfold map_error. apply Rplus_le_le_0_compat; [exact R0|].
  apply Rmult_le_pos; [assumption|]. nra.
Qed.

(** Rows 1, 2, ... keep their entries. *)
Theorem map_rest ks g lambda X i j : (0 < i)%nat -> net (contextual_map ks g lambda) X i j = X i j.
Proof using.
  intros Hi. unfold contextual_map. rewrite run_app. change (net [?t] ?V) with (layer d n t V).
  rewrite (global_rows d n) by exact Hi. apply (sweep_rows d n), Hi.
Qed.

(** What the hardmax sweep leads the ids of L, on the lattice and not negative, to: those of the rational network. *)
Definition start (L : Statement.matrix) : Prop := forall j, (j < n)%nat ->
  Statement.on_lattice N (Statement.id d N L j) /\ (0 <= Statement.id d N L j)%Q.

(** Those of the rational network; and at most [hits] levels have an id at them. *)
Lemma hard_ids t ks L y : increasing t 0 ks -> start L ->
  ids (Statement.run d n (map (Statement.selective_shift d N) ks) L) y ->
  exists y0 y' h, (forall j, (j < n)%nat -> Q2R (Statement.id d N L j) = real y0 j) /\
    hard_sweep n (INR BB) w (map (fun k => INR k * w) ks) (real y0) (real y') h /\ (h <= hits (length ks) n t)%nat /\
    forall j, (j < n)%nat -> real y' j = real y j.
Proof using N2 d1 n1.
  intros Hks HL I. destruct (lattice_ids L (fun j Hj => proj1 (HL j Hj))) as [y0 I0].
  destruct (rational_is_hard t ks 0 L y0 I0 Hks) as [y' [h [I' [HS Hh]]]].
  exists y0, y', h. split; [intros j Hj; apply val; assumption|split; [exact HS|split]].
  - apply Nat.min_glb.
    + pose proof (hits_length n ltac:(lia) (INR BB) w _ _ _ h HS) as H. rewrite map_length in H. exact H.
    + apply Nat.le_trans with (1 := Hh). rewrite <- add_up_const. apply add_up_le. intros j Hj. apply chances_start.
      destruct (HL j Hj) as [_ P]. rewrite (I0 j Hj) in P. apply (proj1 (units_Q 0 (y0 j))).
      eapply Qle_trans; [|exact P]. rewrite Qmult_0_l. apply Qle_refl.
  - intros j Hj. rewrite <- (val _ _ j I' Hj), <- (val _ _ j I Hj). reflexivity.
Qed.

(** The sweep's error is at most that of the map. *)
Lemma sweep_part k h g rate : 0 < rate -> sweep_error n (INR BB) w k h / rate <= constant k h g / rate.
Proof using N2.
  intros Hr. pose proof (w_pos N N2) as W. pose proof (error_nonneg k h). assert (0 < / w) by (apply
    Rinv_0_lt_compat, W).
  unfold map_error, Rdiv. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, Hr|]. pose proof (pos_INR g).
  pose proof (pos_INR n). assert (0 <= INR g * (sweep_error n (INR BB) w k h + INR n * (2 * / w))); [|lra].
  apply Rmult_le_pos; [assumption|nra].
Qed.

(** A softmax sweep with rates of at least [rate], from the ids of L on. *)
Lemma ids_track t ks rate L y x x' g : 0 < rate -> increasing t 0 ks -> start L ->
  ids (Statement.run d n (map (Statement.selective_shift d N) ks) L) y ->
  (forall j, (j < n)%nat -> x j = Q2R (Statement.id d N L j)) ->
  soft_run n (INR BB) w rate (map (fun k => INR k * w) ks) x x' ->
  constant (length ks) (hits (length ks) n t) g / rate <= w / 4 ->
  near n (sweep_error n (INR BB) w (length ks) (hits (length ks) n t) / rate) x' (real y).
Proof using N2 d1 n1.
  intros Hr Hks HL I Ex SR HC. destruct (hard_ids t ks L y Hks HL I) as [y0 [y' [h [E0 [HS [Hh Ey]]]]]].
  pose proof (sweep_near n ltac:(lia) (INR BB) w rate (pos_INR _) (w_pos N N2) Hr (map (fun k => INR k * w) ks) x x'
    (real y0) (real y') h (hits (length ks) n t) SR HS) as T. rewrite map_length in T.
  intros j Hj. rewrite <- Ey by exact Hj. apply T; [|intros k Hk; rewrite Ex, E0 by exact Hk; reflexivity| |exact Hj].
  - unfold hits in *. lia.
  - eapply Rle_trans; [apply sweep_part, Hr|exact HC].
Qed.

(** The global shift, of any rate from [rate] on, after a sweep that is as near as its rates of at least [rate] make
    it. *)
Theorem global_tracks k h g rate lambda Y y last : 0 < rate -> rate <= lambda ->
  largest y last -> (forall j, (j < n)%nat -> (0 < y j)%Z) -> constant k h g / rate <= w / 4 ->
  near n (sweep_error n (INR BB) w k h / rate) (rid Y) (real y) ->
  forall j, (j < n)%nat -> Rabs (rid (layer d n (global N lambda (INR g)) Y) j - (real y j + INR g * real y last)) <=
    constant k h g / rate.
Proof using N2 d1 n1.
  intros Hr Hl HM Hy HC near j Hj. pose proof (w_pos N N2) as W. assert (0 < INR N) as NR by (apply lt_0_INR; lia).
  pose proof (sweep_part k h g rate Hr) as HCC.
  set (C := sweep_error n (INR BB) w k h) in *. pose proof (error_nonneg k h) as C0. fold C in C0.
  set (gain := INR g). assert (0 <= gain) as G0 by apply pos_INR.
  pose proof (pos_INR n) as Pn. assert (0 < / rate) as IL by (apply Rinv_0_lt_compat; lra).
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
  set (r := mean n (fun i => lambda * (rid Y j - 0) * rid Y i) (rid Y)) in *. set (M' := real y last) in *.
  assert (constant k h g / rate = C / rate + gain * (C / rate + INR n * (2 / w) / rate)) as EC
    by (unfold map_error; fold C gain; field; lra).
  rewrite EC. apply Rabs_le. nra.
Qed.

(** If the rational sweep leads the ids of L to positive ids y, the softmax network stays within constant / lambda of
    the
    rational one. *)
Theorem tracks t ks g lambda L X y last : 0 < lambda -> increasing t 0 ks -> start L ->
  ids (Statement.run d n (map (Statement.selective_shift d N) ks) L) y ->
  largest y last -> (forall j, (j < n)%nat -> (0 < y j)%Z) ->
  let error := constant (length ks) (hits (length ks) n t) g in error / lambda <= w / 4 ->
  (forall j, (j < n)%nat -> rid X j = Q2R (Statement.id d N L j)) ->
  forall j, (j < n)%nat -> Rabs (rid (net (contextual_map ks g lambda) X) j - (real y j + INR g * real y last)) <=
    error / lambda.
Proof using N2 d1 n1.
  intros Hl Hks HL I HM Hy error HC HX j Hj. unfold contextual_map. rewrite run_app.
  change (net [?t] ?V) with (layer d n t V).
  apply (global_tracks (length ks) (hits (length ks) n t) g lambda lambda); try assumption; [lra|].
  intros k Hk. rewrite (sweep_id d n N lambda ltac:(lia)) with (x := rid X) by (try exact Hk; reflexivity).
  apply (ids_track t ks lambda L y (rid X) _ g); try assumption. apply soft_sweep_run.
Qed.
End Tracking.
