(** From the cube to any box: X = a + s Y. *)
From Coq Require Import Reals List Arith Bool Lia Lra Psatz FunctionalExtensionality.
From Contextual Require Import Approximation Sums Construction Boxes Uniform Budget.
Import ListNotations.
Open Scope R_scope.

Section Rescale.
Variables d n : nat.
Variables (a s : R).
Hypothesis s0 : 0 < s.
Definition shrink (X : matrix) : matrix := fun i j => / s * (X i j - a).
Notation stretch := (stretch a s).
Definition stretch_box (b : box) : box := Box (stretch (low b)) (stretch (high b)) (height b).

(** There and back. *)
Lemma stretch_shrink X : stretch (shrink X) = X.
Proof using s0. extensionality i. extensionality j. unfold Construction.stretch, shrink. field. lra. Qed.

(** Boxes, volumes and integrals are stretched, too. *)
Lemma stretch_inside b X : inside d n (stretch_box b) X = inside d n b (shrink X).
Proof using s0.
  apply Bool.eq_true_iff_eq. rewrite !inside_spec. assert (forall i j, X i j = a + s * shrink X i j) as E by (intros;
    unfold shrink; field; lra).
  split; intros H i j Hi Hj; specialize (H i j Hi Hj); simpl in *; unfold Construction.stretch in *; rewrite E in *;
    [|nra].
  split; apply Rmult_le_reg_l with s; lra.
Qed.

(** A stretched box has its volume times s^(dn). *)
Lemma stretch_volume b : volume d n (stretch_box b) = (s ^ n) ^ d * volume d n b.
Proof using.
  unfold volume. rewrite <- prod_scale. apply prod_ext. intros i _. rewrite <- prod_scale. apply prod_ext. intros j _.
  simpl. unfold Construction.stretch. ring.
Qed.

(** The integral over a stretched domain is s^(dn) times the integral over the domain. *)
Lemma stretch_integral (D D' : matrix -> Prop) (G G' : matrix -> R) c c' : integral_below d n D' G' c' ->
  (forall X, D X -> D' (shrink X) /\ G X <= G' (shrink X)) ->
  (s ^ n) ^ d * c' <= c -> integral_below d n D G c.
Proof using s0.
  intros [bs [Hbs [Hle Hc]]] H Hcc. assert (0 < (s ^ n) ^ d) as V by (apply pow_lt, pow_lt, s0).
  exists (map stretch_box bs). split; [|split].
  - apply Forall_forall. intros b Hb. apply in_map_iff in Hb. destruct Hb as [b' [<- Hb]]. rewrite Forall_forall in Hbs.
    destruct (Hbs b' Hb) as [H0 H1].
    split; [exact H0|]. intros i j Hi Hj. specialize (H1 i j Hi Hj). simpl. unfold Construction.stretch. nra.
  - intros X HX. destruct (H X HX) as [HD HG]. eapply Rle_trans; [exact HG|]. eapply Rle_trans; [apply Hle, HD|]. right.
    clear -s0. induction bs as [|b bs IH]; simpl; [reflexivity|]. rewrite <- IH, stretch_inside. reflexivity.
  - assert (step_integral d n (map stretch_box bs) = (s ^ n) ^ d * step_integral d n bs) as ->; [|nra].
    clear -s0. induction bs as [|b bs IH]; simpl; [ring|]. rewrite IH, stretch_volume. simpl. ring.
Qed.

(** Compactness and continuity shrink with the box. *)
Lemma stretch_compact D : compact d n D -> (forall X, D X -> forall i j, (i < d)%nat -> (j < n)%nat ->
  a <= X i j <= a + s) ->
  compact d n (fun Y => D (stretch Y)) /\ forall Y, D (stretch Y) -> cube d n Y.
Proof using s0.
  intros [_ closed] HD. assert (forall Y, D (stretch Y) -> cube d n Y) as C.
  { intros Y HY i j Hi Hj. specialize (HD _ HY i j Hi Hj). unfold Construction.stretch in HD.
    split; apply Rmult_le_reg_l with s; lra. }
  split; [split|exact C].
  - destruct (cube_compact d n) as [[K HK] _]. exists K. intros Y HY. apply HK, C, HY.
  - intros Y H. apply closed. intros e He. destruct (H (e / s)) as [Z [HZ CZ]]; [apply Rdiv_lt_0_compat; assumption|].
    exists (stretch Z). split; [exact HZ|]. intros i j Hi Hj. specialize (CZ i j Hi Hj). unfold Construction.stretch.
    replace (a + s * Y i j - (a + s * Z i j)) with (s * (Y i j - Z i j)) by ring.
    rewrite Rabs_mult, (Rabs_right s) by lra.
    replace e with (s * (e / s)) by (field; lra). apply Rmult_lt_compat_l; assumption.
Qed.

(** A continuous function stays continuous. *)
Lemma stretch_continuous D f : continuous_on d n D f -> continuous_on d n (fun Y => D (stretch Y)) (fun Y =>
  f (stretch Y)).
Proof using s0.
  intros Hf Y HY e He. destruct (Hf _ HY e He) as [c [Hc H]]. exists (c / s).
  split; [apply Rdiv_lt_0_compat; assumption|]. intros Z HZ CZ. apply H; [exact HZ|].
  intros i j Hi Hj. specialize (CZ i j Hi Hj). unfold Construction.stretch.
  replace (a + s * Y i j - (a + s * Z i j)) with (s * (Y i j - Z i j)) by ring.
  rewrite Rabs_mult, (Rabs_right s) by lra.
  replace c with (s * (c / s)) by (field; lra). apply Rmult_lt_compat_l; assumption.
Qed.

(** The distance to be kept over the cube is positive. *)
Lemma shrunk_pos p eps : 0 < eps -> 0 < shrunk d n s p eps.
Proof using. intros He. apply Rmult_lt_0_compat; [exact He|apply Rpower_pos]. Qed.

(** A distance over the cube, made smaller beforehand, is one over the box. *)
Theorem stretch_distance D f g p eps : 1 <= p -> 0 < eps ->
  distance_below d n p (fun Y => D (stretch Y)) (fun Y => f (stretch Y)) g (shrunk d n s p eps) ->
  distance_below d n p D f (fun X => g (shrink X)) eps.
Proof using s0.
  intros Hp He. set (V := (s ^ n) ^ d). assert (0 < V) as V0 by (apply pow_lt, pow_lt, s0).
  pose proof (shrunk_pos p eps He) as He'.
  assert (V * power (shrunk d n s p eps) p <= power eps p) as EV.
  { rewrite !power_pos_eq by assumption. unfold shrunk. fold V.
    rewrite <- Rpower_mult_distr by (try apply Rpower_pos; assumption).
    rewrite Rpower_mult, Rinv_l, Rpower_1 by (try apply Rinv_0_lt_compat; lra). right. field. lra. }
  intros H. unfold distance_below in *. refine (stretch_integral D _ _ _ _ _ H _ EV).
  intros X HX. cbv beta. rewrite stretch_shrink. split; [exact HX|apply Rle_refl].
Qed.

(** For Lipschitz f: cells of the shrunk box, where f changes by less than [step_error] within c. *)
Lemma lipschitz_cells l p eps : (1 <= d)%nat -> (1 <= n)%nat -> 0 < l -> 0 < eps ->
  let c := step_error d n (shrunk d n s p eps) / l in
  0 < c /\ / (c / s) = 8 * INR d * INR n * s * l * Rpower ((s ^ n) ^ d) (/ p) / eps.
Proof using s0.
  intros d1 n1 l0 eps0 c. pose proof (lt_0_INR d d1) as D1. pose proof (lt_0_INR n n1) as N1.
  set (V := (s ^ n) ^ d). assert (0 < V) as V0 by (apply pow_lt, pow_lt, s0).
  assert (Rpower (/ V) (/ p) * Rpower V (/ p) = 1) as PV.
  { rewrite Rpower_mult_distr by (try apply Rinv_0_lt_compat; exact V0). rewrite Rinv_l by lra. unfold Rpower.
    rewrite ln_1, Rmult_0_r. apply exp_0. }
  pose proof (Rpower_pos V (/ p)) as PV0. pose proof (Rpower_pos (/ V) (/ p)) as PV1.
  pose proof (shrunk_pos p eps eps0) as E. split.
  - apply Rdiv_lt_0_compat; [|exact l0]. apply Rdiv_lt_0_compat; [exact E|]. nra.
  - unfold c, step_error, shrunk. fold V.
    apply Rmult_eq_reg_r with (eps * Rpower (/ V) (/ p)); [|apply Rgt_not_eq, Rmult_lt_0_compat; assumption].
    transitivity (8 * INR d * INR n * s * l); [field; repeat split; lra|].
    transitivity (8 * INR d * INR n * s * l * (Rpower (/ V) (/ p) * Rpower V (/ p))); [rewrite PV; ring|field; lra].
Qed.

(** A modulus of continuity shrinks with the box. *)
Lemma stretch_modulus (D : matrix -> Prop) f c e : (forall X Y, D X -> D Y -> close d n c X Y ->
  close d n e (f X) (f Y)) ->
  forall X Y, D (stretch X) -> D (stretch Y) -> close d n (c / s) X Y -> close d n e (f (stretch X)) (f (stretch Y)).
Proof using s0.
  intros H X Y DX DY C. apply H; [exact DX|exact DY|]. intros i j Hi Hj. specialize (C i j Hi Hj).
  unfold Construction.stretch.
  replace (a + s * X i j - (a + s * Y i j)) with (s * (X i j - Y i j)) by ring.
  rewrite Rabs_mult, (Rabs_right s) by lra.
  replace c with (s * (c / s)) by (field; lra). apply Rmult_lt_compat_l; assumption.
Qed.
End Rescale.
