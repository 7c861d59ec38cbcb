(** Over the cube, for F continuous and >= 0: [integral_below] compares the Riemann integral, the limit of the Riemann
    sums over the grid. *)
From Coq Require Import Reals List Arith Bool Lia Lra Psatz Classical.
From Contextual Require Import Approximation Sums Construction Interface Boxes Uniform Budget Sanity.
Import ListNotations.
Open Scope R_scope.

(** ** Sums over all functions from {0..m-1} to {0..N-1} *)
Lemma functions_total N a m : total (fun g => prod m (fun k => a (g k) k)) (functions N m) = prod m (fun k =>
  sum N (fun l => a l k)).
Proof.
  induction m as [|m IH]; [simpl; ring|]. simpl functions. rewrite total_flat. simpl prod at 2.
  rewrite <- IH, Rmult_comm, <- total_scale.
  apply total_ext. intros g _. rewrite total_map, total_seq, Rmult_comm, <- sum_scale. apply sum_ext. intros l _. simpl.
  rewrite Nat.eqb_refl. f_equal. apply prod_ext. intros k Hk. destruct (Nat.eqb_spec k m); [lia|reflexivity].
Qed.

(** Their number. *)
Lemma functions_count N m : total (fun _ => 1) (functions N m) = INR N ^ m.
Proof.
  rewrite (total_ext _ (fun g => prod m (fun k => (fun _ _ => 1) (g k) k))) by (intros; symmetry; apply prod_one;
    reflexivity).
  rewrite (functions_total N (fun _ _ => 1)), <- prod_const. apply prod_ext. intros. rewrite sum_const. ring.
Qed.

(** Disjoint intervals: x is in one at most. *)
Lemma disjoint N w t x : 0 < w -> 0 < t -> 0 <= sum N (fun l => chi (INR l * w) (INR l * w + (1 - t) * w) x) <= 1 /\
  (INR N * w <= x -> sum N (fun l => chi (INR l * w) (INR l * w + (1 - t) * w) x) = 0).
Proof.
  intros Hw Ht. induction N as [|N [I1 I2]]; [simpl; split; [lra|reflexivity]|]. simpl sum. rewrite S_INR.
  set (k := sum N _) in *. clearbody k.
  assert (0 < t * w) by nra. unfold chi. destruct (Rle_dec (INR N * w) x) as [L|L]; [specialize (I2 L);
    destruct (Rle_dec x _) as [U|U]|]; split; intros; lra.
Qed.

(** Bernoulli's inequality. *)
Lemma pow_bernoulli t m : 0 <= t <= 1 -> 1 - INR m * t <= (1 - t) ^ m.
Proof.
  intros Ht. induction m as [|m IH]; [simpl; lra|]. rewrite S_INR. simpl. pose proof (pos_INR m).
  assert ((1 - t) * (1 - INR m * t) <= (1 - t) * (1 - t) ^ m) by (apply Rmult_le_compat_l; lra). nra.
Qed.

Section Riemann.
Variables d n : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Variable F : matrix -> R.
Hypothesis F_continuous : continuous_on d n (cube d n) (fun X _ _ => F X).
Hypothesis F_nonneg : forall X, cube d n X -> 0 <= F X.

Notation riemann := (riemann d n F).
Notation point := (point n).

(** A Riemann sum, as a sum over a list. *)
Lemma riemann_total N : riemann N = total (fun g => F (point N g)) (functions N (d * n)) * (/ INR N) ^ (d * n).
Proof using. reflexivity. Qed.

(** A point of the grid, with its cell, lies in the cube. *)
Lemma point_cube N g : (1 <= N)%nat -> In g (functions N (d * n)) -> forall i j, 0 <= point N g i j /\
  point N g i j + / INR N <= 1.
Proof using d1 n1.
  intros HN Hg i j. pose proof (functions_range N _ g HN Hg (i * n + j)) as R. unfold Approximation.point, as_cells.
  set (k := g (i * n + j)%nat) in *. assert (0 < INR N) as NR by (apply lt_0_INR; lia).
  assert (0 < / INR N) by (apply Rinv_0_lt_compat, NR). assert (INR N * / INR N = 1) by (apply Rinv_r; lra).
  pose proof (pos_INR k).
  assert (INR k + 1 <= INR N) by (rewrite <- S_INR; apply le_INR; lia). split; nra.
Qed.

Definition cell_box (N : nat) (a : R) (h : (nat -> nat) -> R) (g : nat -> nat) : box :=
  Box (point N g) (fun i j => point N g i j + a * / INR N) (h g).
Definition grid (N : nat) (a : R) (h : (nat -> nat) -> R) : list box := map (cell_box N a h) (functions N (d * n)).

(** The integral of a step function on the cells, shrunk by the factor a. *)
Lemma grid_integral N a h : step_integral d n (grid N a h) = total h (functions N (d * n)) * (a * / INR N) ^ (d * n).
Proof using d1 n1.
  change (total (fun b => height b * volume d n b) (grid N a h) = total h (functions N (d * n)) * (a * / INR N) ^
    (d * n)). unfold grid. rewrite total_map, Rmult_comm, <- total_scale. apply total_ext. intros g _. simpl height.
    rewrite Rmult_comm. f_equal.
  unfold volume. rewrite (prod_ext d _ (fun _ => (a * / INR N) ^ n)).
  - rewrite prod_const, <- pow_mult. f_equal. lia.
  - intros i _. rewrite <- prod_const. apply prod_ext. intros j _. simpl. ring.
Qed.

(** The boxes of a grid are boxes. *)
Lemma grid_proper N a h : (1 <= N)%nat -> 0 <= a -> (forall g, In g (functions N (d * n)) -> 0 <= h g) ->
  Forall (proper d n) (grid N a h).
Proof using d1 n1.
  intros HN Ha Hh. apply Forall_forall. intros b Hb. apply in_map_iff in Hb. destruct Hb as [g [<- Hg]].
  split; [apply Hh, Hg|]. intros i j _ _. simpl.
  assert (0 < / INR N) by (apply Rinv_0_lt_compat, lt_0_INR; lia). nra.
Qed.

(** F is uniformly continuous. *)
Lemma near e : 0 < e -> exists c, 0 < c /\ forall X Y, cube d n X -> cube d n Y -> close d n c X Y ->
  Rabs (F X - F Y) < e.
Proof using F_continuous d1 n1.
  intros He. destruct (uniform d n (cube d n) _ (cube_compact d n) F_continuous e He) as [c [Hc H]]. exists c.
  split; [exact Hc|].
  intros X Y HX HY HC. exact (H X Y HX HY HC 0%nat 0%nat d1 n1).
Qed.

(** Upper and lower sums over a fine grid *)
Lemma upper e c N : 0 < e -> (forall X Y, cube d n X -> cube d n Y -> close d n c X Y -> Rabs (F X - F Y) < e) ->
  (1 <= N)%nat -> / INR N < c ->
  exists bs, Forall (proper d n) bs /\ (forall X, cube d n X -> F X <= step d n bs X) /\
    step_integral d n bs = riemann N + e.
Proof using F_nonneg d1 n1.
  intros He H HN Hc. assert (0 < / INR N) as W by (apply Rinv_0_lt_compat, lt_0_INR; lia).
  assert (forall g, In g (functions N (d * n)) -> cube d n (point N g)) as C by (intros g Hg i j _ _;
    destruct (point_cube N g HN Hg i j); lra).
  assert (Forall (proper d n) (grid N 1 (fun g => F (point N g) + e))) as P.
  { apply grid_proper; [exact HN|lra|]. intros g Hg. pose proof (F_nonneg _ (C g Hg)). lra. }
  exists (grid N 1 (fun g => F (point N g) + e)). split; [exact P|split].
  - intros X HX. destruct (cell_spec d n N X HN HX) as [R CX].
    destruct (cells_complete d n N (cell N X) n1 R) as [K [HK E]]. apply in_map_iff in HK. destruct HK as [g [<- Hg]].
    assert (in_cell d n N (as_cells n g) X) as CX' by (apply (in_cell_same d n N (cell N X)); [intros a b Ha Hb;
      symmetry; apply E; assumption|exact CX]).
    assert (in_cell d n N (as_cells n g) (point N g)) as CC by (intros i j _ _; unfold Approximation.point; lra).
    pose proof (H X _ HX (C g Hg) (cell_close d n N c (as_cells n g) X _ Hc CX' CC)) as Fc. apply Rabs_def2 in Fc.
    apply Rle_trans with (F (point N g) + e); [lra|].
    apply (step_ge d n _ X (cell_box N 1 (fun g => F (point N g) + e) g) P); [apply in_map, Hg|].
    apply inside_spec. intros i j Hi Hj. specialize (CX' i j Hi Hj). simpl. unfold Approximation.point. lra.
  - rewrite grid_integral, total_plus. rewrite (total_ext (fun _ => e) (fun _ => e * 1)), total_scale, functions_count
      by (intros; ring). rewrite Rmult_1_l. rewrite riemann_total.
    rewrite Rmult_plus_distr_r. f_equal. rewrite Rmult_assoc, <- Rpow_mult_distr, Rinv_r, pow1 by (apply not_0_INR;
      lia). ring.
Qed.

(** And from below: the cells, shrunk so that they are disjoint. *)
Lemma lower e c N bs : 0 < e -> (forall X Y, cube d n X -> cube d n Y -> close d n c X Y -> Rabs (F X - F Y) < e) ->
  (1 <= N)%nat -> / INR N < c ->
  Forall (proper d n) bs -> (forall X, cube d n X -> F X <= step d n bs X) -> riemann N - e <= step_integral d n bs.
Proof using F_nonneg d1 n1.
  intros He H HN Hc P HF. assert (0 < / INR N) as W by (apply Rinv_0_lt_compat, lt_0_INR; lia). set (w := / INR N) in *.
  assert (forall g, In g (functions N (d * n)) -> cube d n (point N g)) as C by (intros g Hg i j _ _;
    destruct (point_cube N g HN Hg i j) as [L U]; fold w in U; lra).
  set (h := fun g => Rmax 0 (F (point N g) - e)). assert (forall g, 0 <= h g) as H0 by (intros; apply Rmax_l).
  set (S := total h (functions N (d * n)) * w ^ (d * n)).
  assert (0 <= S) as S0 by (apply Rmult_le_pos; [apply total_nonneg, H0|apply pow_le; lra]).
  assert (riemann N - e <= S) as RS.
  { unfold S. rewrite riemann_total. fold w.
    assert (total (fun g => F (point N g)) (functions N (d * n)) - e * INR N ^ (d * n) <= total h (functions N (d * n)))
      as T.
    { rewrite <- functions_count, <- total_scale.
      apply Rle_trans with (total (fun g => h g + e * 1) (functions N (d * n)) - total (fun _ =>
        e * 1) (functions N (d * n))); [|rewrite total_plus; lra].
      apply Rplus_le_compat_r, total_le. intros g _. unfold h. pose proof (Rmax_r 0 (F (point N g) - e)). lra. }
    assert (0 < w ^ (d * n)) as V by (apply pow_lt, W). assert (INR N ^ (d * n) * w ^ (d * n) = 1) as NV
      by (rewrite <- Rpow_mult_distr; unfold w; rewrite Rinv_r, pow1 by (apply not_0_INR; lia); reflexivity).
    apply Rmult_le_compat_r with (r := w ^ (d * n)) in T; [|lra]. rewrite Rmult_minus_distr_r, (Rmult_assoc e), NV in T.
    lra. }
  apply Rle_trans with S; [exact RS|]. clear RS.
  assert (forall t, 0 < t < 1 -> (1 - t) ^ (d * n) * S <= step_integral d n bs) as G.
  { intros t Ht. replace ((1 - t) ^ (d * n) * S) with (step_integral d n (grid N (1 - t) h)) by (rewrite grid_integral;
      fold w; rewrite Rpow_mult_distr; unfold S; ring).
    apply step_monotone; [exact n1|apply grid_proper; [exact HN|lra|intros; apply H0]|exact P|]. intros X.
    change (total (fun b => if inside d n b X then height b else 0) (grid N (1 - t) h) <= step d n bs X). unfold grid.
    rewrite total_map.
    destruct (classic (cube d n X)) as [CX|NC].
    - eapply Rle_trans; [|apply HF, CX]. set (ind := fun g : nat ->
        nat => prod (d * n) (fun k => chi (INR (g k) * w) (INR (g k) * w + (1 - t) * w) (X (k / n)%nat (k mod n)%nat))).
      assert (forall g, prod d (fun i => prod n (fun j => chi (point N g i j) (point N g i j + (1 - t) * w) (X i j))) =
        ind g) as EI.
      { intros g. rewrite <- (prod_flat d n (fun i j => chi (point N g i j) (point N g i j + (1 - t) * w) (X i j)))
          by exact n1. apply prod_ext. intros k _. unfold Approximation.point, as_cells.
        fold w. rewrite (Nat.mul_comm (k / n)), <- (Nat.div_mod k n) by lia. reflexivity. }
      apply Rle_trans with (total (fun g => F X * ind g) (functions N (d * n))).
      + apply total_le. intros g Hg. destruct (inside d n (cell_box N (1 - t) h g) X) eqn:I.
        * assert (ind g = 1) as I1.
          { rewrite <- EI. rewrite inside_spec in I. apply prod_one. intros i Hi. apply prod_one. intros j Hj.
            specialize (I i j Hi Hj). simpl in I. fold w in I.
            unfold chi. destruct (Rle_dec (point N g i j) (X i j)), (Rle_dec (X i j) (point N g i j + (1 - t) * w));
              lra. }
          rewrite I1, Rmult_1_r. simpl height. unfold h. apply Rmax_lub; [apply F_nonneg, CX|].
          rewrite inside_spec in I.
          assert (close d n c X (point N g)) as CC by (intros i j Hi Hj; specialize (I i j Hi Hj); simpl in I;
            fold w in I; apply Rabs_def1; nra).
          pose proof (H X _ CX (C g Hg) CC) as Fc. apply Rabs_def2 in Fc. lra.
        * apply Rmult_le_pos; [apply F_nonneg, CX|]. unfold ind. apply prod_le_one. intros k _. unfold chi.
          destruct (Rle_dec _ _); [destruct (Rle_dec _ _)|]; lra.
      + rewrite total_scale. unfold ind.
        rewrite (functions_total N (fun l k => chi (INR l * w) (INR l * w + (1 - t) * w)
          (X (k / n)%nat (k mod n)%nat))).
        assert (prod (d * n) (fun k => sum N (fun l => chi (INR l * w) (INR l * w + (1 - t) * w)
          (X (k / n)%nat (k mod n)%nat))) <= 1) as B.
        { apply prod_le_one. intros k _. apply disjoint; [exact W|apply Ht]. }
        pose proof (F_nonneg X CX). nra.
    - apply Rle_trans with 0; [|apply step_nonneg, P]. right.
      rewrite (total_ext _ (fun _ => 0 * 0)), total_scale; [ring|]. intros g Hg.
      destruct (inside d n (cell_box N (1 - t) h g) X) eqn:I; [|ring]. exfalso. apply NC. intros i j Hi Hj.
      rewrite inside_spec in I. specialize (I i j Hi Hj). simpl in I. fold w in I.
      destruct (point_cube N g HN Hg i j) as [L U]. fold w in U. nra. }
  apply Rnot_lt_le. intros L. set (T := step_integral d n bs) in *. set (m := INR (d * n)).
  assert (0 <= m) as M0 by apply pos_INR. assert (0 <= m * S) as MS by (apply Rmult_le_pos; assumption).
  set (t := (S - T) / (2 * (m * S + (S - T)))). assert (t * (2 * (m * S + (S - T))) = S - T) as Et by (unfold t; field;
    lra).
  assert (0 < t) as t0 by (apply Rdiv_lt_0_compat; lra). assert (t < 1) as t1 by nra.
  specialize (G t (conj t0 t1)). pose proof (pow_bernoulli t (d * n) ltac:(lra)) as B. fold m in B. nra.
Qed.

(** The Riemann sums converge, and [integral_below c] says that their limit is below c. *)
Theorem riemann_integral : exists I, Un_cv (fun N => riemann (S N)) I /\ forall c, integral_below d n (cube d n) F c <->
  I < c.
Proof using F_continuous F_nonneg d1 n1.
  assert (forall e, 0 < e -> exists N0, forall N, (N0 <= N)%nat -> integral_below d n (cube d n) F (riemann (S N) + e)
    /\
    forall bs, Forall (proper d n) bs -> (forall X, cube d n X -> F X <= step d n bs X) ->
      riemann (S N) - e <= step_integral d n bs) as G.
  { intros e He. destruct (near (e / 2) ltac:(lra)) as [c [Hc H]]. destruct (archimed_cor1 c Hc) as [N0 [HN N00]].
    exists N0. intros N HNN.
    assert (/ INR (S N) < c) as W.
    { eapply Rle_lt_trans; [|exact HN]. apply Rinv_le_contravar; [apply lt_0_INR, N00|apply le_INR; lia]. }
    split.
    - destruct (upper (e / 2) c (S N) ltac:(lra) H ltac:(lia) W) as [bs [B1 [B2 B3]]]. exists bs.
      split; [exact B1|split; [exact B2|lra]].
    - intros bs P HF. pose proof (lower (e / 2) c (S N) bs ltac:(lra) H ltac:(lia) W P HF). lra. }
  destruct (R_complete (fun N => riemann (S N))) as [I HI].
  { intros e He. destruct (G (e / 3) ltac:(lra)) as [N0 H]. exists N0. intros a b Ha Hb.
    destruct (H a Ha) as [[bs [A1 [A2 A3]]] LA]. destruct (H b Hb) as [[bs' [B1 [B2 B3]]] LB].
    specialize (LA bs' B1 B2). specialize (LB bs A1 A2). unfold R_dist. apply Rabs_def1; lra. }
  exists I. split; [exact HI|]. intros c. split.
  - intros [bs [P [HF Hc]]]. apply Rnot_le_lt. intros L. set (e := (c - step_integral d n bs) / 2).
    assert (0 < e) as He by (unfold e; lra).
    destruct (G e He) as [N0 H]. destruct (HI e He) as [N1 H1]. specialize (H (max N0 N1) ltac:(lia)).
    specialize (H1 (max N0 N1) ltac:(lia)).
    destruct H as [_ H]. specialize (H bs P HF). unfold R_dist in H1. apply Rabs_def2 in H1. unfold e in *. lra.
  - intros Hc. set (e := (c - I) / 2). assert (0 < e) as He by (unfold e; lra).
    destruct (G e He) as [N0 H]. destruct (HI e He) as [N1 H1]. specialize (H (max N0 N1) ltac:(lia)).
    specialize (H1 (max N0 N1) ltac:(lia)).
    destruct H as [H _]. revert H. apply integral_mono; [auto|intros; apply Rle_refl|]. unfold R_dist in H1.
    apply Rabs_def2 in H1. unfold e in *. lra.
Qed.
End Riemann.
