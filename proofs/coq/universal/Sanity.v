(** What [integral_below] and [distance_below] mean: the integral of a step function is one number, whatever the boxes;
    it is monotone; and so [integral_below D F c] bounds every integral of F. No network here. *)
From Coq Require Import Reals List Arith Bool Lia Lra Psatz Classical.
From Contextual Require Import Approximation Sums Boxes Budget.
Import ListNotations.
Open Scope R_scope.

(** ** Counting grid points *)
Definition chi (lo hi t : R) : R := if Rle_dec lo t then if Rle_dec t hi then 1 else 0 else 0.
Definition count (lo hi a s : R) (m : nat) : R := sum m (fun i => chi lo hi (a + INR i * s)).

(** The number of grid points in an interval is not negative. *)
Lemma count_nonneg lo hi a s m : 0 <= count lo hi a s m.
Proof. apply sum_nonneg. intros. unfold chi. destruct (Rle_dec _ _); [destruct (Rle_dec _ _)|]; lra. Qed.

(** How many points of a grid with the step s an interval holds. *)
Lemma count_upper lo hi a s m : 0 < s -> lo <= hi -> s * count lo hi a s m <= Rmax 0 (a + INR m * s - lo) /\
  s * count lo hi a s m <= hi - lo + s.
Proof.
  intros Hs Hlh. induction m as [|m [I1 I2]]; [unfold count; simpl; split; [eapply Rle_trans; [|apply Rmax_l]|]; lra|].
  unfold count in *. simpl sum. rewrite S_INR. set (k := sum m _) in *. clearbody k. set (t := a + INR m * s) in *.
  replace (a + (INR m + 1) * s) with (t + s) by (unfold t; ring). clearbody t.
  unfold chi, Rmax in *. destruct (Rle_dec lo t), (Rle_dec t hi), (Rle_dec 0 (t - lo)), (Rle_dec 0 (t + s - lo)); split;
    lra.
Qed.

(** It is at least the length over the step, less one. *)
Lemma count_lower lo hi a s m : 0 < s -> a <= lo -> Rmin hi (a + INR m * s) - lo - s <= s * count lo hi a s m.
Proof.
  intros Hs Ha. induction m as [|m I].
  - unfold count. simpl. unfold Rmin. destruct (Rle_dec _ _); lra.
  - pose proof (count_nonneg lo hi a s m) as C0. unfold count in *. simpl sum. rewrite S_INR. set (k := sum m _) in *.
    clearbody k. set (t := a + INR m * s) in *.
    replace (a + (INR m + 1) * s) with (t + s) by (unfold t; ring). clearbody t. assert (0 <= s * k) by nra.
    unfold chi, Rmin in *. destruct (Rle_dec lo t), (Rle_dec t hi), (Rle_dec hi t), (Rle_dec hi (t + s)); lra.
Qed.

(** Enough steps go beyond any number. *)
Lemma enough s r : 0 < s -> exists m, r < INR m * s.
Proof.
  intros Hs. destruct (Rle_lt_dec r 0) as [H|H]; [exists 1%nat; simpl; lra|].
  destruct (archimed_cor1 (s / r)) as [m [Hm m0]]; [apply Rdiv_lt_0_compat; lra|].
  exists m. apply lt_0_INR in m0. apply Rmult_lt_compat_r with (r := INR m * r) in Hm; [|nra].
  replace (/ INR m * (INR m * r)) with r in Hm by (field; lra).
  replace (s / r * (INR m * r)) with (INR m * s) in Hm by (field; lra). exact Hm.
Qed.

(** ** One coordinate: if a combination of intervals is nowhere negative, then neither is that of their lengths. *)
Lemma line {A} (l : list A) (lo hi v : A -> R) : (forall b, In b l -> lo b <= hi b) ->
  (forall t, 0 <= total (fun b => v b * chi (lo b) (hi b) t) l) -> 0 <= total (fun b => v b * (hi b - lo b)) l.
Proof.
  intros Hl H. apply Rnot_lt_le. intros T. set (t0 := total (fun b => v b * (hi b - lo b)) l) in *.
  set (S := total (fun b => Rabs (v b)) l).
  assert (0 <= S) as S0 by (apply total_nonneg; intros; apply Rabs_pos).
  set (s := - t0 / (2 * (S + 1))). assert (0 < s) as s0 by (apply Rdiv_lt_0_compat; lra).
  assert (s * S < - t0) as sS. { assert (s * (2 * (S + 1)) = - t0) by (unfold s; field; lra). nra. }
  set (a := - total (fun b => Rabs (lo b)) l). set (z := total (fun b => Rabs (hi b)) l).
  destruct (enough s (z - a) s0) as [m Hm].
  assert (0 <= total (fun b => v b * (s * count (lo b) (hi b) a s m)) l) as C.
  { rewrite (total_ext _ (fun b => s * sum m (fun i => v b * chi (lo b) (hi b) (a + INR i * s)))).
    - rewrite total_scale, <- (total_sum (fun i b => v b * chi (lo b) (hi b) (a + INR i * s))).
      apply Rmult_le_pos; [lra|]. apply sum_nonneg. intros. apply H.
    - intros b _. unfold count. rewrite sum_scale. ring. }
  assert (total (fun b => v b * (s * count (lo b) (hi b) a s m)) l <= t0 + s * S) as D; [|lra].
  unfold t0, S. rewrite <- total_scale, <- total_plus. apply total_le. intros b Hb. specialize (Hl b Hb).
  pose proof (total_term (fun b => Rabs (lo b)) l b (fun b => Rabs_pos _) Hb) as L1.
  assert (Rabs (lo b) <= - a) as L1' by (unfold a; rewrite Ropp_involutive; exact L1).
  pose proof (total_term (fun b => Rabs (hi b)) l b (fun b => Rabs_pos _) Hb) as L2. change (Rabs (hi b) <= z) in L2.
  pose proof (Rle_abs (hi b)). pose proof (Rle_abs (- lo b)) as L3. rewrite Rabs_Ropp in L3.
  destruct (count_upper (lo b) (hi b) a s m s0 Hl) as [_ U].
  pose proof (count_lower (lo b) (hi b) a s m s0 ltac:(lra)) as L.
  rewrite Rmin_left in L by lra. set (k := s * count (lo b) (hi b) a s m) in *. clearbody k.
  unfold Rabs. destruct (Rcase_abs (v b)); nra.
Qed.

(** ** Any number of coordinates *)
Lemma space {A} (l : list A) (lo hi : A -> nat -> R) m : (forall b k, In b l -> (k < m)%nat -> lo b k <= hi b k) ->
  forall v,
  (forall x, 0 <= total (fun b => v b * prod m (fun k => chi (lo b k) (hi b k) (x k))) l) ->
    0 <= total (fun b => v b * prod m (fun k => hi b k - lo b k)) l.
Proof.
  induction m as [|m IH]; intros Hl v H; [apply (H (fun _ => 0))|]. simpl prod in *.
  rewrite (total_ext _ (fun b => v b * prod m (fun k => hi b k - lo b k) * (hi b m - lo b m))) by (intros; ring).
  apply (line l (fun b => lo b m) (fun b => hi b m)); [intros b Hb; apply Hl; [exact Hb|lia]|]. intros t.
  rewrite (total_ext _ (fun b => v b * chi (lo b m) (hi b m) t * prod m (fun k => hi b k - lo b k))) by (intros; ring).
  apply IH; [intros b k Hb Hk; apply Hl; [exact Hb|lia]|]. intros x.
  specialize (H (fun k => if Nat.eqb k m then t else x k)). cbv beta in H. rewrite Nat.eqb_refl in H.
  eapply Rle_trans; [exact H|]. right.
  apply total_ext. intros b _. rewrite (prod_ext m _ (fun k => chi (lo b k) (hi b k) (x k))); [ring|].
  intros k Hk. destruct (Nat.eqb_spec k m); [lia|reflexivity].
Qed.

Section Sanity.
Variables d n : nat.
Hypothesis n1 : (1 <= n)%nat.

(** A box is a product of intervals. *)
Lemma inside_chi b X : (if inside d n b X then height b else 0) = height b * prod d (fun i =>
  prod n (fun j => chi (low b i j) (high b i j) (X i j))).
Proof using.
  destruct (inside d n b X) eqn:E.
  - rewrite inside_spec in E. rewrite prod_one; [ring|]. intros i Hi. apply prod_one. intros j Hj.
    specialize (E i j Hi Hj).
    unfold chi. destruct (Rle_dec (low b i j) (X i j)), (Rle_dec (X i j) (high b i j)); lra.
  - assert (exists i j, (i < d)%nat /\ (j < n)%nat /\ ~ (low b i j <= X i j <= high b i j)) as [i [j [Hi [Hj NE]]]].
    { apply NNPP. intros N. assert (inside d n b X = true); [|congruence]. apply inside_spec. intros i j Hi Hj.
      apply NNPP. intros NE. apply N. exists i, j. auto. }
    rewrite (prod_zero d _ i Hi); [ring|]. apply (prod_zero n _ j Hj). unfold chi.
    destruct (Rle_dec _ _); [destruct (Rle_dec _ _)|]; try reflexivity. exfalso. apply NE. lra.
Qed.

(** Heights of any sign: a step function that is nowhere negative has no negative integral. *)
Theorem step_sign bs : (forall b, In b bs -> forall i j, (i < d)%nat -> (j < n)%nat -> low b i j <= high b i j) ->
  (forall X, 0 <= step d n bs X) -> 0 <= step_integral d n bs.
Proof using n1.
  intros Hl H. change (0 <= total (fun b => height b * volume d n b) bs). unfold volume.
  rewrite (total_ext _ (fun b => height b * prod (d * n) (fun k => high b (k / n)%nat (k mod n)%nat - low b (k / n)%nat
    (k mod n)%nat)));
    [|intros b _; rewrite (prod_flat d n (fun i j => high b i j - low b i j)) by exact n1; reflexivity].
  apply (space bs (fun b k => low b (k / n)%nat (k mod n)%nat) (fun b k => high b (k / n)%nat (k mod n)%nat)).
  - intros b k Hb Hk. apply Hl; [exact Hb|apply Nat.div_lt_upper_bound; lia|apply Nat.mod_upper_bound; lia].
  - intros x. set (X := fun i j => x (i * n + j)%nat). specialize (H X).
    change (0 <= total (fun b => if inside d n b X then height b else 0) bs) in H.
    eapply Rle_trans; [exact H|]. right. apply total_ext. intros b _. rewrite inside_chi. f_equal.
    rewrite <- (prod_flat d n (fun i j => chi (low b i j) (high b i j) (X i j))) by exact n1. apply prod_ext.
    intros k _. unfold X.
    rewrite (Nat.mul_comm (k / n)), <- (Nat.div_mod k n) by lia. reflexivity.
Qed.

Definition minus (bs : list box) : list box := map (fun b => Box (low b) (high b) (- height b)) bs.

(** Boxes with their heights negated. *)
Lemma minus_step bs X : step d n (minus bs) X = - step d n bs X.
Proof using. induction bs as [|b bs IH]; simpl; [ring|]. rewrite IH.
  change (inside d n (Box (low b) (high b) (- height b)) X) with (inside d n b X). destruct (inside d n b X); ring. Qed.

(** The integral of the negative is the negative. *)
Lemma minus_integral bs : step_integral d n (minus bs) = - step_integral d n bs.
Proof using. induction bs as [|b bs IH]; simpl; [ring|]. rewrite IH.
  change (volume d n (Box (low b) (high b) (- height b))) with (volume d n b). ring. Qed.

(** Two lists of boxes: the sum of both. *)
Lemma step_app bs bs' X : step d n (bs ++ bs') X = step d n bs X + step d n bs' X.
Proof using. induction bs as [|b bs IH]; simpl; [ring|]. rewrite IH. ring. Qed.

(** A larger step function has a larger integral. *)
Theorem step_monotone bs bs' : Forall (proper d n) bs -> Forall (proper d n) bs' ->
  (forall X, step d n bs X <= step d n bs' X) ->
  step_integral d n bs <= step_integral d n bs'.
Proof using n1.
  intros P P' H. rewrite Forall_forall in P, P'. assert (0 <= step_integral d n (bs' ++ minus bs)) as S.
  { apply step_sign.
    - intros b Hb. apply in_app_iff in Hb. destruct Hb as [Hb|Hb]; [apply (P' b Hb)|]. apply in_map_iff in Hb.
      destruct Hb as [b' [<- Hb]]. apply (P b' Hb).
    - intros X. rewrite step_app, minus_step. specialize (H X). lra. }
  rewrite step_integral_app, minus_integral in S. lra.
Qed.

(** The integral is the function's, not the boxes'. *)
Corollary step_unique bs bs' : Forall (proper d n) bs -> Forall (proper d n) bs' ->
  (forall X, step d n bs X = step d n bs' X) ->
  step_integral d n bs = step_integral d n bs'.
Proof using n1. intros P P' H. apply Rle_antisym; apply step_monotone; try assumption; intros X; rewrite H;
  apply Rle_refl. Qed.

(** At least c on a box: an integral of at least c times its volume. *)
Theorem step_lower bs b : Forall (proper d n) bs -> proper d n b -> (forall X, inside d n b X = true ->
  height b <= step d n bs X) ->
  height b * volume d n b <= step_integral d n bs.
Proof using n1.
  intros P Pb H. replace (height b * volume d n b) with (step_integral d n [b]) by (simpl; ring).
  apply step_monotone; [constructor; [exact Pb|constructor]|exact P|].
  intros X. simpl. destruct (inside d n b X) eqn:E; [specialize (H X E); lra|]. pose proof (step_nonneg d n bs X P).
  lra.
Qed.

(** Lower sums: a step function below F on D, and 0 off D, has an integral below c. *)
Theorem lower_sum D F c bs : integral_below d n D F c -> Forall (proper d n) bs -> (forall X, D X ->
  step d n bs X <= F X) ->
  (forall X, ~ D X -> step d n bs X = 0) -> step_integral d n bs < c.
Proof using n1.
  intros [bs' [P' [H' Hc]]] P H H0. eapply Rle_lt_trans; [|exact Hc]. apply step_monotone; [exact P|exact P'|].
  intros X.
  destruct (classic (D X)) as [HX|HX]; [eapply Rle_trans; [apply H, HX|apply H', HX]|]. rewrite H0 by exact HX.
  apply step_nonneg, P'.
Qed.

(** For a step function [integral_below] says just that the integral is below c. *)
Theorem integral_of_step D bs c : Forall (proper d n) bs -> (forall X, ~ D X -> step d n bs X = 0) ->
  integral_below d n D (step d n bs) c <-> step_integral d n bs < c.
Proof using n1.
  intros P H0. split.
  - intros H. apply (lower_sum D _ c bs H P); [intros; apply Rle_refl|exact H0].
  - intros H. exists bs. split; [exact P|split; [intros; apply Rle_refl|exact H]].
Qed.

(** ** The distance *)
Lemma power_one p : power 1 p = 1.
Proof using. rewrite power_pos_eq by lra. unfold Rpower. rewrite ln_1, Rmult_0_r. apply exp_0. Qed.

(** A power is not negative. *)
Lemma power_nonneg x p : 0 <= power x p.
Proof using. unfold power. destruct (Req_EM_T x 0); [lra|apply Rlt_le, Rpower_pos]. Qed.

(** The sign doesn't matter. *)
Lemma power_opp x p : power (- x) p = power x p.
Proof using. unfold power. rewrite Rabs_Ropp. destruct (Req_EM_T (- x) 0), (Req_EM_T x 0); try reflexivity; lra. Qed.

(** The power grows with |x|. *)
Lemma power_mono x y p : 1 <= p -> Rabs x <= Rabs y -> power x p <= power y p.
Proof using.
  intros Hp H. unfold power at 2. destruct (Req_EM_T y 0) as [->|NE].
  - rewrite Rabs_R0 in H. assert (x = 0) as ->; [|rewrite power_zero; lra].
    destruct (Req_dec x 0) as [E|NE]; [exact E|]. pose proof (Rabs_pos_lt x NE). lra.
  - apply power_le; [apply Rabs_pos_lt, NE|exact Hp|exact H].
Qed.

(** Two constants over the cube: the distance is what it should be. *)
Theorem constants_distance p x y e : distance_below d n p (cube d n) (fun _ _ _ => x) (fun _ _ _ => y) e <->
  INR d * (INR n * power (x - y) p) < power e p.
Proof using n1.
  set (A := INR d * (INR n * power (x - y) p)). assert (0 <= A) as A0 by (repeat apply Rmult_le_pos; try apply pos_INR;
    apply power_nonneg).
  assert (proper d n (whole A)) as P by (split; [exact A0|]; intros; simpl; lra).
  assert (step_integral d n [whole A] = A) as E by (simpl step_integral; rewrite whole_volume; simpl; ring).
  assert (forall X, cube d n X <-> inside d n (whole A) X = true) as C by (intros; rewrite inside_spec; reflexivity).
  rewrite <- E. unfold distance_below. rewrite <- (integral_of_step (cube d n)).
  - assert (forall X, cube d n X -> step d n [whole A] X = sum d (fun i => sum n (fun j => power (x - y) p))) as S.
    { intros X HX. apply C in HX. simpl. rewrite HX. rewrite (sum_ext d _ (fun _ => INR n * power (x - y) p)),
        sum_const by (intros; apply sum_const). unfold A. simpl. ring. }
    split; intros [bs [B1 [B2 B3]]]; exists bs; (split; [exact B1|split; [|exact B3]]); intros X HX;
      specialize (B2 X HX); specialize (S X HX); lra.
  - constructor; [exact P|constructor].
  - intros X HX. simpl. destruct (inside d n (whole A) X) eqn:I; [destruct HX; apply C, I|ring].
Qed.

(** 0 and 1 are not close. *)
Corollary zero_one p e : power e p <= INR d * INR n -> ~ distance_below d n p (cube d n) (fun _ _ _ => 0) (fun _ _ _ =>
  1) e.
Proof using n1.
  intros H D. apply constants_distance in D. replace (0 - 1) with (Ropp 1) in D by ring.
  rewrite power_opp, power_one in D. lra.
Qed.

(** A smaller function on a smaller set. *)
Lemma integral_mono (D D' : matrix -> Prop) F F' c c' : (forall X, D' X -> D X) -> (forall X, D' X -> F' X <= F X) ->
  c <= c' ->
  integral_below d n D F c -> integral_below d n D' F' c'.
Proof using.
  intros HD HF Hc [bs [B1 [B2 B3]]]. exists bs. split; [exact B1|split; [|lra]]. intros X HX.
  eapply Rle_trans; [apply HF, HX|apply B2, HD, HX].
Qed.

(** The distance of f from itself, its symmetry, and larger bounds. *)
Theorem distance_self p D f e : 0 < e -> distance_below d n p D f f e.
Proof using.
  intros He. exists []. split; [constructor|split].
  - intros X _. simpl. right. rewrite (sum_ext d _ (fun _ => 0)), sum_const; [ring|]. intros i _.
    rewrite (sum_ext n _ (fun _ => 0)), sum_const; [ring|]. intros j _. rewrite Rminus_eq_0. apply power_zero.
  - simpl. rewrite power_pos_eq by exact He. apply Rpower_pos.
Qed.

(** The distance from f to g is that from g to f. *)
Theorem distance_sym p D f g e : distance_below d n p D f g e -> distance_below d n p D g f e.
Proof using.
  apply integral_mono; [auto| |lra]. intros X _. right. apply sum_ext. intros i _. apply sum_ext. intros j _.
  rewrite <- power_opp. f_equal. ring.
Qed.

(** A larger bound, or a smaller domain. *)
Theorem distance_mono p (D D' : matrix -> Prop) f g e e' : 1 <= p -> 0 < e <= e' -> (forall X, D' X -> D X) ->
  distance_below d n p D f g e -> distance_below d n p D' f g e'.
Proof using.
  intros Hp He HD. apply integral_mono; [exact HD|intros; apply Rle_refl|]. apply power_mono; [exact Hp|].
  rewrite !Rabs_right by lra. lra.
Qed.

(** ** The triangle inequality (Minkowski) *)
Lemma ln_tangent x : 0 < x -> ln x <= x - 1.
Proof using. intros Hx. pose proof (exp_ineq1_le (ln x)) as H. rewrite exp_ln in H by exact Hx. lra. Qed.

(** Bernoulli's inequality, for real exponents. *)
Lemma bernoulli t p : 1 <= p -> 0 < t -> 1 + p * (t - 1) <= Rpower t p.
Proof using.
  intros Hp Ht. set (s := 1 + p * (t - 1)). destruct (Rle_lt_dec s 0) as [Hs|Hs]; [pose proof (Rpower_pos t p); lra|].
  unfold Rpower. rewrite <- (exp_ln s) by exact Hs. assert (ln s <= p * ln t) as [H|H];
    [|left; apply exp_increasing, H|rewrite H; lra].
  assert (0 < / t) as It by (apply Rinv_0_lt_compat, Ht). pose proof (ln_tangent (s * / t) ltac:(nra)) as T1.
  pose proof (ln_tangent (/ t) It) as T2.
  rewrite ln_mult in T1 by assumption. rewrite ln_Rinv in T1, T2 by exact Ht.
  assert (s * / t + (p - 1) * / t = p) as E by (unfold s; field; lra).
  assert ((p - 1) * - ln t <= (p - 1) * (/ t - 1)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(** The power of a product. *)
Lemma power_mult c x p : 0 < c -> power (c * x) p = power c p * power x p.
Proof using.
  intros Hc. destruct (Req_dec x 0) as [->|NE]; [rewrite Rmult_0_r, power_zero; ring|].
  rewrite (power_pos_eq c) by exact Hc.
  unfold power. destruct (Req_EM_T (c * x) 0) as [E|_]; [exfalso; nra|].
  destruct (Req_EM_T x 0) as [E|_]; [contradiction|].
  rewrite Rabs_mult, (Rabs_right c) by lra. rewrite Rpower_mult_distr; [reflexivity|exact Hc|apply Rabs_pos_lt, NE].
Qed.

(** The p-th power is convex. *)
Lemma power_convex p a x y : 1 <= p -> 0 < a < 1 -> power (a * x + (1 - a) * y) p <= a * power x p + (1 - a) * power y
  p.
Proof using.
  intros Hp Ha. set (m := a * Rabs x + (1 - a) * Rabs y).
  pose proof (Rabs_pos x) as X0. pose proof (Rabs_pos y) as Y0. assert (0 <= m) as M0 by (unfold m; nra).
  assert (power (a * x + (1 - a) * y) p <= power m p) as H.
  { apply power_mono; [exact Hp|]. rewrite (Rabs_right m) by lra. eapply Rle_trans; [apply Rabs_triang|].
    rewrite !Rabs_mult, (Rabs_right a), (Rabs_right (1 - a)) by lra. apply Rle_refl. }
  eapply Rle_trans; [exact H|]. pose proof (power_nonneg x p) as P1. pose proof (power_nonneg y p) as P2.
  destruct (Req_dec m 0) as [->|NE]; [rewrite power_zero; nra|]. assert (0 < m) as Mp by lra.
  assert (forall z, power m p * (1 + p * (Rabs z / m - 1)) <= power z p) as G.
  { intros z. pose proof (power_nonneg m p) as Pm. destruct (Req_dec z 0) as [->|Z].
    - rewrite Rabs_R0, power_zero. replace (0 / m) with 0 by (field; lra). nra.
    - assert (0 < Rabs z) as Zp by (apply Rabs_pos_lt, Z). assert (power z p = power m p * Rpower (Rabs z / m) p) as ->.
      { rewrite <- (power_pos_eq (Rabs z / m)) by (apply Rdiv_lt_0_compat; lra). rewrite <- power_mult by exact Mp.
        replace (m * (Rabs z / m)) with (Rabs z) by (field; lra). unfold power. rewrite Rabs_Rabsolu.
        destruct (Req_EM_T z 0), (Req_EM_T (Rabs z) 0); try reflexivity; lra. }
      apply Rmult_le_compat_l; [exact Pm|]. apply bernoulli; [exact Hp|apply Rdiv_lt_0_compat; lra]. }
  pose proof (G x) as Gx. pose proof (G y) as Gy.
  apply Rle_trans with (a * (power m p * (1 + p * (Rabs x / m - 1))) + (1 - a) *
    (power m p * (1 + p * (Rabs y / m - 1)))); [|nra].
  right. replace (a * (power m p * (1 + p * (Rabs x / m - 1))) + (1 - a) * (power m p * (1 + p * (Rabs y / m - 1))))
    with
    (power m p * (1 + p * (m / m - 1))) by (unfold m; field; exact NE).
  replace (m / m) with 1 by (field; lra). ring.
Qed.

(** Integrals add up, and scale. *)
Lemma integral_plus D F F' c c' : integral_below d n D F c -> integral_below d n D F' c' ->
  integral_below d n D (fun X => F X + F' X) (c + c').
Proof using.
  intros [bs [B1 [B2 B3]]] [bs' [B1' [B2' B3']]]. exists (bs ++ bs').
  split; [apply Forall_app; split; assumption|split].
  - intros X HX. rewrite step_app. specialize (B2 X HX). specialize (B2' X HX). lra.
  - rewrite step_integral_app. lra.
Qed.

(** The integral of a multiple. *)
Lemma integral_scale D F c k : 0 < k -> integral_below d n D F c -> integral_below d n D (fun X => k * F X) (k * c).
Proof using.
  intros Hk [bs [B1 [B2 B3]]]. set (f := fun b => Box (low b) (high b) (k * height b)).
  assert (forall X, step d n (map f bs) X = k * step d n bs X) as S.
  { intros X. clear. induction bs as [|b bs IH]; simpl; [ring|]. rewrite IH.
    change (inside d n (f b) X) with (inside d n b X). destruct (inside d n b X); ring. }
  assert (step_integral d n (map f bs) = k * step_integral d n bs) as SI.
  { clear. induction bs as [|b bs IH]; simpl; [ring|]. rewrite IH. change (volume d n (f b)) with (volume d n b). ring.
    }
  exists (map f bs). split; [|split].
  - apply Forall_map. eapply Forall_impl; [|exact B1]. intros b [H1 H2]. split; [simpl; nra|exact H2].
  - intros X HX. rewrite S. specialize (B2 X HX). nra.
  - rewrite SI. nra.
Qed.

(** Minkowski's inequality. *)
Theorem distance_triangle p D f g h e e' : 1 <= p -> 0 < e -> 0 < e' -> distance_below d n p D f g e ->
  distance_below d n p D g h e' ->
  distance_below d n p D f h (e + e').
Proof using.
  intros Hp He He' H H'. set (a := e / (e + e')). assert (0 < a) as A0 by (apply Rdiv_lt_0_compat; lra).
  assert (1 - a = e' / (e + e')) as A1 by (unfold a; field; lra).
  assert (0 < 1 - a) as A2 by (rewrite A1; apply Rdiv_lt_0_compat; lra).
  assert (forall b z, 0 < b -> b * power (/ b * z) p = b * power (/ b) p * power z p) as PM by (intros;
    rewrite power_mult by (apply Rinv_0_lt_compat; assumption); ring).
  assert (forall b, 0 < b -> 0 < b * power (/ b) p) as PP.
  { intros b Hb. apply Rmult_lt_0_compat; [exact Hb|]. rewrite power_pos_eq by (apply Rinv_0_lt_compat, Hb).
    apply Rpower_pos. }
  apply (integral_scale _ _ _ _ (PP a A0)) in H. apply (integral_scale _ _ _ _ (PP (1 - a) A2)) in H'.
  pose proof (integral_plus _ _ _ _ _ H H') as S.
  revert S. apply integral_mono; [auto| |].
  - intros X _. rewrite <- !sum_scale, <- sum_plus. apply sum_le. intros i _. rewrite <- !sum_scale, <- sum_plus.
    apply sum_le. intros j _.
    rewrite <- !PM by assumption. eapply Rle_trans; [|apply power_convex; [exact Hp|lra]]. right. f_equal. field.
    split; lra.
  - rewrite <- !PM by assumption. replace (/ a * e) with (e + e') by (unfold a; field; lra).
    replace (/ (1 - a) * e') with (e + e') by (rewrite A1; field; lra). right. ring.
Qed.

(** ** Over all of R^(d x n): boxes are bounded, so that a distance below any e makes f and g equal off a bounded set,
    which L^p closeness does not. *)
Lemma power_zero_inv x p : power x p = 0 -> x = 0.
Proof using. unfold power. destruct (Req_EM_T x 0) as [E|NE]; [auto|]. intros H. pose proof (Rpower_pos (Rabs x) p).
  lra. Qed.

(** Finitely many boxes are bounded. *)
Theorem equal_off_a_ball p f g e : distance_below d n p everywhere f g e ->
  exists K, forall X, ~ close d n K X (fun _ _ => 0) -> forall i j, (i < d)%nat -> (j < n)%nat -> f X i j = g X i j.
Proof using.
  intros [bs [_ [H _]]]. set (size := fun X : matrix => sum d (fun i => sum n (fun j => Rabs (X i j)))).
  assert (forall X : matrix, forall i, 0 <= sum n (fun j => Rabs (X i j))) as S1 by (intros; apply sum_nonneg; intros;
    apply Rabs_pos).
  assert (forall X i j, (i < d)%nat -> (j < n)%nat -> Rabs (X i j) <= size X) as S2.
  { intros X i j Hi Hj. eapply Rle_trans; [apply (sum_term n (fun j => Rabs (X i j)) j);
      [intros; apply Rabs_pos|exact Hj]|].
    apply (sum_term d (fun i => sum n (fun j => Rabs (X i j))) i); [intros; apply S1|exact Hi]. }
  assert (forall X, 0 <= size X) as S0 by (intros; apply sum_nonneg; intros; apply S1).
  exists (1 + total (fun b => size (low b) + size (high b)) bs). intros X NC.
  assert (exists i j, (i < d)%nat /\ (j < n)%nat /\ 1 + total (fun b => size (low b) + size (high b)) bs <= Rabs
    (X i j)) as [a [b [Ha [Hb L]]]].
  { apply NNPP. intros N. apply NC. intros i j Hi Hj. rewrite Rminus_0_r. apply Rnot_le_lt. intros L. apply N.
    exists i, j. auto. }
  assert (step d n bs X = 0) as E.
  { change (total (fun b => if inside d n b X then height b else 0) bs = 0).
    rewrite (total_ext _ (fun _ => 0 * 0)), total_scale; [ring|]. intros c Hc.
    destruct (inside d n c X) eqn:I; [|ring]. exfalso. rewrite inside_spec in I. specialize (I a b Ha Hb).
    pose proof (total_term (fun b => size (low b) + size (high b)) bs c) as T. cbv beta in T.
    specialize (T (fun b => Rplus_le_le_0_compat _ _ (S0 _) (S0 _)) Hc).
    change (fold_right _ 0 bs) with (total (fun b => size (low b) + size (high b)) bs) in T.
    pose proof (S2 (low c) a b Ha Hb) as T1. pose proof (S2 (high c) a b Ha Hb) as T2. apply between in T1.
    apply between in T2.
    assert (Rabs (X a b) <= size (low c) + size (high c)); [|lra]. pose proof (S0 (low c)). pose proof (S0 (high c)).
    apply Rabs_le. lra. }
  specialize (H X I). rewrite E in H. intros i j Hi Hj.
  pose proof (sum_zero_inv d _ (fun i _ => sum_nonneg n _ (fun j _ => power_nonneg _ p)) H i Hi) as H1. cbv beta in H1.
  pose proof (sum_zero_inv n _ (fun j _ => power_nonneg _ p) (Req_le _ _ H1) j Hj) as H2. apply power_zero_inv in H2.
  lra.
Qed.
End Sanity.

(** ** The statements *)
Theorem integral_unique : Integral_unique.
Proof. intros d n bs bs' n1. apply step_unique, n1. Qed.

(** The statements of the distance, as they are stated. *)
Theorem integral_lower : Integral_lower.
Proof. intros d n bs b n1. apply step_lower, n1. Qed.

(** Equal functions are within every e. *)
Theorem equal_functions : Distance_self.
Proof. exact distance_self. Qed.

(** The distance of two constants over the cube. *)
Theorem constant_functions : Distance_constants.
Proof. intros d n p x y e n1. apply constants_distance, n1. Qed.

(** Symmetry. *)
Theorem symmetry : Distance_symmetric.
Proof. exact distance_sym. Qed.

(** The triangle inequality: Minkowski's. *)
Theorem triangle_inequality : Distance_triangle.
Proof. exact distance_triangle. Qed.

(** Functions within any e of each other are equal off a bounded set. *)
Theorem equal_far_out : Distance_everywhere.
Proof. exact equal_off_a_ball. Qed.
