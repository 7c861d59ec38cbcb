(** The numbers of [Construction] are right: a network that is within the tolerance on good points, and within [-F, F]
    on all, is at a distance below eps. Repeated columns are bad points for Lemma 6's keys alone; entries below e for
    Theorem 2 over all of R^(d x n) alone, and the others leave them out as well, which costs nothing. *)
From Coq Require Import Reals ZArith List Arith Lia Lra Psatz ClassicalEpsilon.
From Contextual Require Import Approximation Sums Construction Interface Boxes Uniform.
Import ListNotations.
Open Scope R_scope.

(** ** Powers *)
Lemma power_pos_eq y p : 0 < y -> power y p = Rpower y p.
Proof. intros H. unfold power. destruct (Req_EM_T y 0); [lra|]. rewrite Rabs_right by lra. reflexivity. Qed.

(** Powers are positive. *)
Lemma Rpower_pos y p : 0 < Rpower y p.
Proof. apply exp_pos. Qed.

(** 0 to the power p is 0. *)
Lemma power_zero p : power 0 p = 0.
Proof. unfold power. destruct (Req_EM_T 0 0); [reflexivity|lra]. Qed.

(** Powers grow with |x|, and shrink at least as fast as t <= 1. *)
Lemma power_le x y p : 0 < y -> 1 <= p -> Rabs x <= y -> power x p <= Rpower y p.
Proof.
  intros Hy Hp H. unfold power. destruct (Req_EM_T x 0) as [E|NE]; [apply Rlt_le, Rpower_pos|].
  apply Rle_Rpower_l; [lra|]. split; [apply Rabs_pos_lt, NE|exact H].
Qed.

(** (y t)^p <= y^p t for t <= 1. *)
Lemma power_shrink y t p : 0 < y -> 0 < t <= 1 -> 1 <= p -> Rpower (y * t) p <= Rpower y p * t.
Proof.
  intros Hy Ht Hp. rewrite <- Rpower_mult_distr by lra. apply Rmult_le_compat_l; [apply Rlt_le, Rpower_pos|].
  rewrite <- (exp_ln t) at 2 by lra. unfold Rpower. assert (ln t <= 0) as L.
  { rewrite <- ln_1. destruct (proj2 Ht) as [H|H]; [left; apply ln_increasing; lra|rewrite H; lra]. }
  assert (p * ln t <= ln t) as [H|H] by nra; [left; apply exp_increasing, H|rewrite H; lra].
Qed.

(** The distance reads nothing outside d x n. *)
Lemma distance_ext d n p (D : matrix -> Prop) (f g g' : matrix -> matrix) e :
  (forall X, D X -> forall i j, (i < d)%nat -> (j < n)%nat -> g X i j = g' X i j) -> distance_below d n p D f g e ->
    distance_below d n p D f g' e.
Proof.
  intros H [bs [B1 [B2 B3]]]. exists bs. split; [exact B1|split; [|exact B3]]. intros X HX.
  eapply Rle_trans; [|apply B2, HX]. right.
  apply sum_ext. intros i Hi. apply sum_ext. intros j Hj. rewrite (H X HX) by assumption. reflexivity.
Qed.

(** ** Cells *)
Lemma cell_spec d n N X : (1 <= N)%nat -> cube d n X -> in_range d n N (cell N X) /\ in_cell d n N (cell N X) X.
Proof.
  intros N1 HX. assert (forall i j, (i < d)%nat -> (j < n)%nat ->
    (cell N X i j < N)%nat /\ INR (cell N X i j) * / INR N <= X i j <= INR (cell N X i j) * / INR N + / INR N) as C.
  { intros i j Hi Hj. apply cell_below_spec; [exact N1|]. rewrite Rinv_r by (apply not_0_INR; lia).
    apply HX; assumption. }
  split; intros i j Hi Hj; apply C; assumption.
Qed.

(** Two points of a cell are close. *)
Lemma cell_close d n N c K X Y : / INR N < c -> in_cell d n N K X -> in_cell d n N K Y -> close d n c X Y.
Proof. intros H HX HY i j Hi Hj. specialize (HX i j Hi Hj). specialize (HY i j Hi Hj). apply Rabs_def1; lra. Qed.

(** Some point of D in cell K, if there is one. *)
Definition sample (d n : nat) (D : matrix -> Prop) (N : nat) (K : cells) : matrix :=
  epsilon (inhabits (fun _ _ : nat => 0)) (fun Y => D Y /\ in_cell d n N K Y).

(** A cell that meets D has its sample in both. *)
Lemma sample_spec d n D N K : (exists Y, D Y /\ in_cell d n N K Y) -> D (sample d n D N K) /\
  in_cell d n N K (sample d n D N K).
Proof. intros H. exact (epsilon_spec (inhabits (fun _ _ : nat => 0)) _ H). Qed.

(** A continuous function on a compact part of the cube is bounded: by its values at finitely many samples. *)
Lemma bounded d n D f : (1 <= n)%nat -> compact d n D -> (forall X, D X -> cube d n X) -> continuous_on d n D f ->
  exists F, 0 < F /\ forall X, D X -> forall i j, (i < d)%nat -> (j < n)%nat -> Rabs (f X i j) <= F.
Proof.
  intros n1 HD HC Hf. destruct (uniform d n D f HD Hf 1 ltac:(lra)) as [c [Hc H]].
  destruct (archimed_cor1 c Hc) as [N [HN N0]].
  set (h := fun K => sum d (fun i => sum n (fun j => Rabs (f (sample d n D N K) i j)))).
  assert (forall K i, 0 <= sum n (fun j => Rabs (f (sample d n D N K) i j))) as Hi0 by (intros; apply sum_nonneg;
    intros; apply Rabs_pos).
  assert (forall K, 0 <= h K) as H0 by (intros; apply sum_nonneg; intros; apply Hi0).
  exists (total h (all_cells d n N) + 1). pose proof (total_nonneg h (all_cells d n N) H0) as T0. split; [lra|].
  intros X HX i j Hi Hj. destruct (cell_spec d n N X ltac:(lia) (HC X HX)) as [R C].
  destruct (cells_complete d n N (cell N X) n1 R) as [K [HK E]].
  assert (in_cell d n N K X) as CX by (apply (in_cell_same d n N (cell N X)); [intros a b Ha Hb; symmetry; apply E;
    assumption|exact C]).
  destruct (sample_spec d n D N K) as [DS CS]; [exists X; split; assumption|].
  pose proof (H X _ HX DS (cell_close d n N c K X _ HN CX CS) i j Hi Hj) as B.
  assert (Rabs (f (sample d n D N K) i j) <= total h (all_cells d n N)) as B'.
  { apply Rle_trans with (h K); [|apply (total_term h); assumption].
    eapply Rle_trans; [apply (sum_term n (fun j => Rabs (f (sample d n D N K) i j)) j);
      [intros; apply Rabs_pos|exact Hj]|].
    apply (sum_term d (fun i => sum n (fun j => Rabs (f (sample d n D N K) i j))) i); [intros; apply Hi0|exact Hi]. }
  replace (f X i j) with (f X i j - f (sample d n D N K) i j + f (sample d n D N K) i j) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

(** ** The numbers *)
Section Budget.
Variables d n : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Variables F c p eps : R.
Hypothesis F0 : 0 < F.
Hypothesis c_pos : 0 < c.
Hypothesis p1 : 1 <= p.
Hypothesis eps0 : 0 < eps.
Notation DD := (INR d * INR n).
Notation M := (worst d n F p).
Notation q := (share p eps).

(** All numbers are positive. *)
Lemma sizes : 1 <= INR d /\ 1 <= INR n /\ 1 <= DD /\ 0 < M /\ 0 < q /\ 0 < step_error d n eps.
Proof using d1 eps0 n1.
  assert (1 <= INR d) as D1 by (apply (le_INR 1), d1). assert (1 <= INR n) as N1 by (apply (le_INR 1), n1).
  assert (1 <= DD) as D2 by nra. repeat split; try assumption.
  - apply Rmult_lt_0_compat; [lra|apply Rpower_pos].
  - pose proof (Rpower_pos eps p). unfold share. lra.
  - apply Rdiv_lt_0_compat; lra.
Qed.

(** The first whole number above x. *)
Lemma up_above x : 0 <= x -> x < INR (Z.to_nat (up x)) <= x + 1.
Proof using.
  intros H. destruct (archimed x) as [A B]. rewrite INR_IZR_INZ, Z2Nat.id by (apply le_IZR; lra). lra.
Qed.

(** Cells that are narrow enough, and the strips of [Construction]. *)
Lemma gap_fine N : 2 + / c < INR N -> fine_cells d n F c p eps N (gap d n N F p eps).
Proof using c_pos d1 eps0 n1.
  intros BN. destruct sizes as [D1 [N1 [DD1 [M0 [Q0 _]]]]]. assert (0 < / c) as Ic by (apply Rinv_0_lt_compat, c_pos).
  assert (2 <= N)%nat as N2 by (apply INR_le; simpl (INR 2); lra).
  assert (0 < INR N) as NR by lra. assert (INR N * / INR N = 1) as NW by (apply Rinv_r; lra).
  assert (0 < / INR N) as W by (apply Rinv_0_lt_compat, NR).
  set (T := M * (DD * (INR N + 1))). assert (0 < T) as T0 by (apply Rmult_lt_0_compat; nra).
  assert (0 < q / (2 * T)) as QT by (apply Rdiv_lt_0_compat; lra).
  set (e := gap d n N F p eps).
  pose proof (Rmin_l (/ INR N / 2) (q / (2 * T))) as L1. pose proof (Rmin_r (/ INR N / 2) (q / (2 * T))) as L2.
  change (e <= / INR N / 2) in L1. change (e <= q / (2 * T)) in L2.
  assert (0 < e) as e0 by (apply Rmin_pos; [lra|exact QT]).
  split; [exact N2|split; [|split; [lra|]]].
  - apply Rmult_lt_reg_l with (INR N); [exact NR|]. rewrite NW. apply Rmult_lt_reg_r with (/ c); [exact Ic|].
    rewrite Rmult_assoc, Rinv_r by lra. lra.
  - apply Rle_lt_trans with (T * (q / (2 * T))); [apply Rmult_le_compat_l; [lra|exact L2]|].
    assert (T * (q / (2 * T)) = q / 2) as -> by (clear - T0; clearbody T; field; lra). lra.
Qed.

(** The numbers of [Construction] are fine. *)
Theorem positions_fine : let N := side_positions d F c in fine_positions d n F c p eps N (gap d n N F p eps).
Proof using F0 c_pos d1 eps0 n1.
  destruct sizes as [D1 _]. assert (0 < / c) as Ic by (apply Rinv_0_lt_compat, c_pos).
  assert (0 < F * INR d) as Fd by nra. destruct (up_above (2 + / c + (F * INR d + 1)) ltac:(lra)) as [BN _].
  change (Z.to_nat (up _)) with (side_positions d F c) in BN. split; [lra|apply gap_fine; lra].
Qed.

(** And Theorem 2's. *)
Theorem numbers_fine : let N := side d n F c p eps in fine d n F c p eps N (gap d n N F p eps).
Proof using F0 c_pos d1 eps0 n1.
  destruct sizes as [D1 [N1 [DD1 [M0 [Q0 _]]]]]. assert (0 < / c) as Ic by (apply Rinv_0_lt_compat, c_pos).
  assert (0 < M * (INR n * INR n) / q) as Mq by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; nra|exact Q0]).
  assert (0 < F * INR d) as Fd by nra.
  destruct (up_above (2 + / c + (F * INR d + 1) + M * (INR n * INR n) / q) ltac:(lra)) as [BN _].
  change (Z.to_nat (up _)) with (side d n F c p eps) in BN. intros N. fold N in BN. clearbody N.
  assert (0 < INR N) as NR by lra. assert (INR N * / INR N = 1) as NW by (apply Rinv_r; lra).
  split; [|split; [lra|apply gap_fine; lra]]. apply Rmult_lt_reg_l with (INR N); [exact NR|].
  replace (INR N * (M * (INR n * INR n * / INR N))) with (M * (INR n * INR n) * (INR N * / INR N)) by ring.
  rewrite NW, Rmult_1_r. replace (M * (INR n * INR n)) with (M * (INR n * INR n) / q * q) by (field; lra).
  apply Rmult_lt_compat_r; [exact Q0|]. lra.
Qed.

(** The tolerance is as small as is asked. *)
Lemma tolerance_spec N : (2 <= N)%nat -> let tol := tolerance d n N eps in
  0 < tol /\ tol <= / INR N / 4 /\ tol <= step_error d n eps.
Proof using F d1 eps0 n1 p.
  intros N2. destruct sizes as [_ [_ [_ [_ [_ E1]]]]].
  assert (0 < / INR N) as W by (apply Rinv_0_lt_compat, lt_0_INR; lia).
  split; [apply Rmin_pos; lra|split; [apply Rmin_l|apply Rmin_r]].
Qed.

(** The rate keeps the error within the tolerance. *)
Lemma rate_spec N error : (2 <= N)%nat -> 0 <= error -> let tol := tolerance d n N eps in
  0 < rate error tol /\ error / rate error tol <= tol.
Proof using F d1 eps0 n1 p.
  intros N2 C0 tol. destruct (tolerance_spec N N2) as [T0 _]. fold tol in T0. unfold rate.
  assert (0 < (error + 1) / tol) as L by (apply Rdiv_lt_0_compat; lra).
  split; [exact L|]. replace (error / ((error + 1) / tol)) with (tol * (error / (error + 1))) by (field; lra).
  assert (error / (error + 1) <= 1); [|nra]. apply Rmult_le_reg_r with (error + 1); [lra|]. unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(** ** The distance *)
Variable N : nat.
Variable e : R.
Hypothesis numbers : fine_cells d n F c p eps N e.
Notation w := (/ INR N).
Notation tol := (tolerance d n N eps).
Variable D : matrix -> Prop.
Variables f g : matrix -> matrix.
Hypothesis D_cube : forall X, D X -> cube d n X.
Hypothesis f_bound : forall X, D X -> forall i j, (i < d)%nat -> (j < n)%nat -> Rabs (f X i j) <= F.
Hypothesis f_modulus : forall X Y, D X -> D Y -> close d n c X Y -> close d n (step_error d n eps) (f X) (f Y).
Hypothesis g_bound : forall X i j, (i < d)%nat -> (j < n)%nat -> Rabs (g X i j) <= F.
(** The network is right about the cell of X: within the tolerance of f at some point of D in it. *)
Definition right_at (X : matrix) : Prop := exists Y, D Y /\ in_cell d n N (cell N X) Y /\
  forall i j, (i < d)%nat -> (j < n)%nat -> Rabs (g X i j - f Y i j) <= tol.

(** Right but for boxes whose share of eps^p is small enough. *)
Theorem approximates_but (boxes : list box) : Forall (proper d n) boxes -> Forall (fun b => height b = M) boxes ->
  step_integral d n boxes <= 2 * q ->
  (forall X, D X -> right_at X \/ exists b, In b boxes /\ inside d n b X = true) -> distance_below d n p D f g eps.
Proof using D_cube F0 d1 eps0 f_bound f_modulus g_bound n1 numbers p1.
  intros BP BH BV g_right.
  destruct sizes as [D1 [N1 [DD1 [M0 [Q0 E1]]]]]. destruct numbers as [N2 [wc _]].
  destruct (tolerance_spec N N2) as [T1 [TL TR]]. unfold distance_below.
  set (e1 := step_error d n eps) in *. set (A := DD * Rpower (2 * e1) p).
  assert (0 <= A) as A0 by (apply Rmult_le_pos; [lra|apply Rlt_le, Rpower_pos]).
  assert (forall g y, 0 < y -> (forall i j, (i < d)%nat -> (j < n)%nat -> Rabs (g i j) <= y) ->
    sum d (fun i => sum n (fun j => power (g i j) p)) <= DD * Rpower y p) as SUM.
  { intros g' y Hy Hg'. rewrite Rmult_assoc, <- sum_const. apply sum_le. intros i Hi. rewrite <- sum_const.
    apply sum_le. intros j Hj.
    apply power_le; [exact Hy|exact p1|apply Hg'; assumption]. }
  apply (good_bad d n D _ A M _ (whole A) boxes).
  - exact A0.
  - split; [exact A0|]. intros. simpl. lra.
  - reflexivity.
  - exact BP.
  - exact BH.
  - intros X HX. split; [apply inside_spec; intros; simpl; apply (D_cube X HX); assumption|].
    destruct (g_right X HX) as [[Y [HY [CY P]]]|B]; [left|right; split; [|exact B]].
    + apply SUM; [lra|]. intros i j Hi Hj. specialize (P i j Hi Hj).
      destruct (cell_spec d n N X ltac:(lia) (D_cube X HX)) as [_ CX].
      pose proof (f_modulus X Y HX HY (cell_close d n N c (cell N X) X Y wc CX CY) i j Hi Hj) as H. fold e1 in H.
      replace (f X i j - g X i j) with ((f X i j - f Y i j) + - (g X i j - f Y i j)) by ring.
      eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra.
    + apply Rle_trans with M; [|lra]. apply SUM; [lra|]. intros i j Hi Hj.
      pose proof (g_bound X i j Hi Hj) as P. pose proof (f_bound X HX i j Hi Hj) as P'.
      unfold Rminus. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra.
  - rewrite whole_volume, Rmult_1_r, power_pos_eq by exact eps0.
    assert (A <= Rpower eps p / 4) as AS.
    { unfold A. replace (2 * e1) with (eps * / (4 * DD)) by (unfold e1, step_error; field; lra).
      assert (0 < / (4 * DD) <= 1) as T4. { split; [apply Rinv_0_lt_compat;
        lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
      pose proof (power_shrink eps (/ (4 * DD)) p eps0 T4 p1) as PS.
      apply Rle_trans with (DD * (Rpower eps p * / (4 * DD))); [apply Rmult_le_compat_l; lra|]. right. field. lra. }
    pose proof (Rpower_pos eps p). unfold share in *. lra.
Qed.

(** Right off the strips: they cost their share. *)
Theorem approximates : (forall X, D X -> off_edges d n N e X (cell N X) -> right_at X) -> distance_below d n p D f g
  eps.
Proof using D_cube F0 d1 eps0 f_bound f_modulus g_bound n1 numbers p1.
  intros g_right. destruct sizes as [_ [_ [_ [M0 [Q0 _]]]]]. destruct numbers as [N2 [_ [[e0 ew] small]]].
  destruct (edges_proper d n N e ltac:(lia) d1 e0 ew M (Rlt_le _ _ M0)) as [BP BH].
  apply (approximates_but (edges d n N e M)); [exact BP|exact BH| |].
  - pose proof (edges_volume d n N e ltac:(lia) d1 e0 ew M (Rlt_le _ _ M0)). lra.
  - intros X HX. destruct (off_edges_or_edge d n N e ltac:(lia) d1 M X (D_cube X HX)); auto.
Qed.

(** Right but for repeated columns, too. *)
Theorem approximates_distinct : M * (INR n * INR n * w) < q ->
  (forall X, D X -> good d n N e X (cell N X) -> right_at X) -> distance_below d n p D f g eps.
Proof using D_cube F0 d1 eps0 f_bound f_modulus g_bound n1 numbers p1.
  intros twins g_right. destruct sizes as [_ [_ [_ [M0 [Q0 _]]]]]. destruct numbers as [N2 [_ [[e0 ew] small]]].
  destruct (bad_proper d n N e ltac:(lia) d1 e0 ew M (Rlt_le _ _ M0)) as [BP BH].
  apply (approximates_but (bad d n N e M)); [exact BP|exact BH| |].
  - pose proof (bad_volume d n N e ltac:(lia) d1 e0 ew M (Rlt_le _ _ M0)). lra.
  - intros X HX. destruct (good_or_bad d n N e ltac:(lia) d1 M X (D_cube X HX)); auto.
Qed.
End Budget.
