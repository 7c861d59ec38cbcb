(** Networks are continuous, and so over the cube [distance_below] is what it says: the Riemann integral of ||f -
    g||_p^p is below e^p. *)
From Coq Require Import Reals List Arith Bool Lia Lra Psatz Classical FunctionalExtensionality.
From Contextual Require Import Approximation Sums Construction Boxes Uniform Budget Rescale Everywhere Positions Sanity
  Riemann.
Import ListNotations.
Open Scope R_scope.

Section Continuous.
Variables d n : nat.
Variable D : matrix -> Prop.
Definition cont (h : matrix -> R) : Prop := forall X, D X -> forall e, 0 < e -> exists c, 0 < c /\ forall Y, D Y ->
  close d n c X Y -> Rabs (h X - h Y) < e.

(** Sums, products and compositions of continuous functions. *)
Lemma close_le c c' X Y : c <= c' -> close d n c X Y -> close d n c' X Y.
Proof using. intros H HC i j Hi Hj. specialize (HC i j Hi Hj). lra. Qed.

(** Continuity is that of the values. *)
Lemma cont_ext h h' : (forall X, h X = h' X) -> cont h -> cont h'.
Proof using. intros E H X HX e He. destruct (H X HX e He) as [c [Hc HY]]. exists c. split; [exact Hc|]. intros Y DY CY.
  rewrite <- !E. apply HY; assumption. Qed.

(** Constants are continuous. *)
Lemma cont_const k : cont (fun _ => k).
Proof using. intros X _ e He. exists 1. split; [lra|]. intros. rewrite Rminus_eq_0, Rabs_R0. exact He. Qed.

(** So is each entry. *)
Lemma cont_entry i j : (i < d)%nat -> (j < n)%nat -> cont (fun X => X i j).
Proof using. intros Hi Hj X _ e He. exists e. split; [exact He|]. intros Y _ HC. apply HC; assumption. Qed.

(** Sums of continuous functions are. *)
Lemma cont_plus h h' : cont h -> cont h' -> cont (fun X => h X + h' X).
Proof using.
  intros H H' X HX e He. destruct (H X HX (e / 2) ltac:(lra)) as [c [Hc HY]].
  destruct (H' X HX (e / 2) ltac:(lra)) as [c' [Hc' HY']].
  exists (Rmin c c'). split; [apply Rmin_pos; assumption|]. intros Y DY CY.
  specialize (HY Y DY (close_le _ c X Y (Rmin_l _ _) CY)). specialize (HY' Y DY (close_le _ c' X Y (Rmin_r _ _) CY)).
  replace (h X + h' X - (h Y + h' Y)) with ((h X - h Y) + (h' X - h' Y)) by ring.
  eapply Rle_lt_trans; [apply Rabs_triang|]. lra.
Qed.

(** A function of one number after a continuous one. *)
Lemma cont_comp f h : cont h -> (forall X, D X -> continuity_pt f (h X)) -> cont (fun X => f (h X)).
Proof using.
  intros H Hf X HX e He. destruct (Hf X HX e He) as [a [Ha HA]]. destruct (H X HX a Ha) as [c [Hc HY]]. exists c.
  split; [exact Hc|]. intros Y DY CY.
  specialize (HY Y DY CY). destruct (Req_dec (h Y) (h X)) as [->|NE]; [rewrite Rminus_eq_0, Rabs_R0; exact He|].
  rewrite Rabs_minus_sym.
  apply HA. split; [split; [exact I|auto]|]. simpl. unfold R_dist. rewrite Rabs_minus_sym. exact HY.
Qed.

(** Multiples are continuous. *)
Lemma cont_scale k h : cont h -> cont (fun X => k * h X).
Proof using. intros H. apply (cont_comp (fun x => k * x) h H). intros X _.
  apply (continuity_pt_scal (fun x => x)), derivable_continuous_pt, derivable_pt_id. Qed.

(** Squares are. *)
Lemma cont_square h : cont h -> cont (fun X => Rsqr (h X)).
Proof using. intros H. apply (cont_comp Rsqr h H). intros X _. apply derivable_continuous_pt, derivable_pt_Rsqr. Qed.

(** Products are: by squares. *)
Lemma cont_mult h h' : cont h -> cont h' -> cont (fun X => h X * h' X).
Proof using.
  intros H H'. apply (cont_ext (fun X => / 4 * (Rsqr (h X + h' X) + -1 * Rsqr (h X + -1 * h' X))));
    [intros; unfold Rsqr; field|].
  apply cont_scale, cont_plus; [apply cont_square, cont_plus; assumption|].
  apply cont_scale, cont_square, cont_plus; [exact H|apply cont_scale, H'].
Qed.

(** Sums of any length are. *)
Lemma cont_sum m h : (forall k, (k < m)%nat -> cont (h k)) -> cont (fun X => sum m (fun k => h k X)).
Proof using. induction m as [|m IH]; intros H; simpl; [apply cont_const|]. apply cont_plus; auto. Qed.

(** ReLU is. *)
Lemma cont_relu h : cont h -> cont (fun X => Rmax 0 (h X)).
Proof using.
  intros H X HX e He. destruct (H X HX e He) as [c [Hc HY]]. exists c. split; [exact Hc|]. intros Y DY CY.
  specialize (HY Y DY CY). apply Rabs_def2 in HY.
  unfold Rmax. destruct (Rle_dec 0 (h X)), (Rle_dec 0 (h Y)); apply Rabs_def1; lra.
Qed.

(** ** Networks *)
Variables h m r : nat.
Definition entries (G : matrix -> matrix) : Prop := forall i j, (i < d)%nat -> (j < n)%nat -> cont (fun X => G X i j).

(** Matrices of continuous entries: products, heads, blocks, networks. *)
Lemma cont_times G A l k : entries G -> (k < n)%nat -> cont (fun X => times d A (G X) l k).
Proof using. intros H Hk. unfold times. apply (cont_sum d (fun a X => A l a * G X a k)). intros a Ha.
  apply cont_scale, H; assumption. Qed.

(** A head of attention is, if its inputs are. *)
Lemma cont_attend w G i j : entries G -> (j < n)%nat -> cont (fun X => attend d n m w (G X) i j).
Proof using.
  intros H Hj. unfold attend. unfold times at 1. apply (cont_sum m). intros l _. apply cont_scale. unfold times at 1.
  apply (cont_sum n). intros k Hk. apply cont_mult; [apply cont_times; assumption|].
  set (S := fun X => times m (transpose (times d (W_K w) (G X))) (plus (times d (W_Q w) (G X)) (columns (b_Q w)))).
  assert (forall k, (k < n)%nat -> cont (fun X => exp (S X k j))) as E.
  { intros a Ha. apply (cont_comp exp).
    - unfold S, times at 1, transpose, plus. apply (cont_sum m). intros b _.
      apply cont_mult; [apply cont_times; assumption|]. apply cont_plus; [apply cont_times;
        assumption|apply cont_const].
    - intros X _. apply derivable_continuous_pt, derivable_pt_exp. }
  unfold softmax, Rdiv. apply (cont_mult (fun X => exp (S X k j))); [apply E, Hk|]. apply (cont_comp Rinv).
  - apply (cont_sum n (fun k X => exp (S X k j))). exact E.
  - intros X _. apply (continuity_pt_inv (fun x => x)); [apply derivable_continuous_pt, derivable_pt_id|].
    apply Rgt_not_eq, sum_pos; [lia|intros; apply exp_pos].
Qed.

(** A block is. *)
Lemma cont_layer t G : entries G -> entries (fun X => FF d r t (Attn d n h m t (G X))).
Proof using.
  intros H. assert (entries (fun X => Attn d n h m t (G X))) as A.
  { intros i j Hi Hj. unfold Attn. apply cont_plus; [apply H; assumption|].
    apply (cont_sum h (fun k X => attend d n m (heads t k) (G X) i j)). intros k _. apply cont_attend; assumption. }
  intros i j Hi Hj. unfold FF, plus at 1 2. apply cont_plus; [apply A; assumption|].
  apply cont_plus; [|apply cont_const].
  unfold times at 1. apply (cont_sum r). intros a _. apply cont_scale. unfold relu. apply cont_relu. unfold plus.
  apply cont_plus; [|apply cont_const].
  apply cont_times; assumption.
Qed.

(** A network is, whatever continuous function comes before it. *)
Lemma cont_run ts : forall G, entries G -> entries (fun X => run d n h m r ts (G X)).
Proof using. induction ts as [|t ts IH]; intros G H; [exact H|].
  apply (IH (fun X => FF d r t (Attn d n h m t (G X)))), cont_layer, H. Qed.

(** ** From entries to [continuous_on] *)
Lemma least k (P : nat -> R -> Prop) : (forall i c c', c' <= c -> P i c -> P i c') -> (forall i, (i < k)%nat ->
  exists c, 0 < c /\ P i c) ->
  exists c, 0 < c /\ forall i, (i < k)%nat -> P i c.
Proof using.
  intros M. induction k as [|k IH]; intros H; [exists 1; split; [lra|intros; lia]|].
  destruct IH as [c [Hc HP]]; [auto|]. destruct (H k ltac:(lia)) as [c' [Hc' HP']].
  exists (Rmin c c'). split; [apply Rmin_pos; assumption|]. intros i Hi.
  destruct (Nat.eq_dec i k) as [->|NE]; [apply (M k c'); [apply Rmin_r|exact HP']|].
  apply (M i c); [apply Rmin_l|apply HP; lia].
Qed.

(** Continuous as matrices: entry by entry. *)
Lemma entries_continuous G : entries G <-> continuous_on d n D G.
Proof using.
  split.
  - intros H X HX e He.
    destruct (least d (fun i c => forall j, (j < n)%nat -> forall Y, D Y -> close d n c X Y ->
      Rabs (G X i j - G Y i j) < e)) as [c [Hc HP]].
    + intros i c c' L HP j Hj Y DY CY. apply HP; [exact Hj|exact DY|]. apply (close_le c'); assumption.
    + intros i Hi. apply (least n (fun j c => forall Y, D Y -> close d n c X Y -> Rabs (G X i j - G Y i j) < e)).
      * intros j c c' L HP Y DY CY. apply HP; [exact DY|]. apply (close_le c'); assumption.
      * intros j Hj. apply (H i j Hi Hj X HX e He).
    + exists c. split; [exact Hc|]. intros Y DY CY i j Hi Hj. apply HP; assumption.
  - intros H i j Hi Hj X HX e He. destruct (H X HX e He) as [c [Hc HY]]. exists c. split; [exact Hc|]. intros Y DY CY.
    apply HY; assumption.
Qed.

(** A network with an encoding is continuous. *)
Theorem run_continuous ts E : continuous_on d n D (fun X => run d n h m r ts (plus X E)).
Proof using.
  apply entries_continuous, (cont_run ts (fun X => plus X E)). intros i j Hi Hj. unfold plus.
  apply cont_plus; [apply cont_entry; assumption|apply cont_const].
Qed.

(** ** |x|^p *)
Lemma power_continuous p x : 1 <= p -> continuity_pt (fun y => power y p) x.
Proof using.
  intros Hp. destruct (Req_dec x 0) as [->|NE].
  - intros e He. exists (Rmin 1 e). split; [apply Rmin_pos; lra|]. intros y [_ Hy]. simpl in *. unfold R_dist in *.
    rewrite Rminus_0_r in Hy. rewrite power_zero, Rminus_0_r.
    pose proof (Rmin_l 1 e). pose proof (Rmin_r 1 e). rewrite Rabs_right by (apply Rle_ge, power_nonneg).
    apply Rle_lt_trans with (Rabs y); [|lra]. unfold power. destruct (Req_EM_T y 0) as [E|NE]; [apply Rabs_pos|].
    pose proof (power_shrink 1 (Rabs y) p ltac:(lra) ltac:(split; [apply Rabs_pos_lt, NE|lra]) Hp) as S.
    rewrite Rmult_1_l in S.
    replace (Rpower 1 p) with 1 in S; [lra|]. unfold Rpower. rewrite ln_1, Rmult_0_r, exp_0. reflexivity.
  - assert (0 < Rabs x) as Px by (apply Rabs_pos_lt, NE).
    assert (continuity_pt (fun y => exp (p * ln (Rabs y))) x) as C.
    { apply (continuity_pt_comp (fun y => p * ln (Rabs y)) exp); [|apply derivable_continuous_pt, derivable_pt_exp].
      apply (continuity_pt_scal (fun y => ln (Rabs y))). apply (continuity_pt_comp Rabs ln); [apply Rcontinuity_abs|].
      apply derivable_continuous_pt. exists (/ Rabs x). apply derivable_pt_lim_ln, Px. }
    intros e He. destruct (C e He) as [a [Ha HA]]. exists (Rmin a (Rabs x)). split; [apply Rmin_pos; assumption|].
    intros y [Hy1 Hy2]. simpl in *. unfold R_dist in *.
    pose proof (Rmin_l a (Rabs x)). pose proof (Rmin_r a (Rabs x)).
    assert (y <> 0) as Ny by (intros ->; unfold Rminus in Hy2; rewrite Rplus_0_l, Rabs_Ropp in Hy2; lra).
    unfold power. destruct (Req_EM_T y 0) as [E|_]; [contradiction|].
    destruct (Req_EM_T x 0) as [E|_]; [contradiction|]. apply HA. split; [exact Hy1|]. lra.
Qed.
End Continuous.

(** The error is not negative. *)
Lemma error_nonneg d n p f g X : 0 <= error d n p f g X.
Proof. apply sum_nonneg. intros. apply sum_nonneg. intros. apply power_nonneg. Qed.

(** The error is nonnegative and continuous. *)
Lemma error_continuous d n p D f g : 1 <= p -> continuous_on d n D f -> continuous_on d n D g ->
  continuous_on d n D (fun X _ _ => error d n p f g X).
Proof.
  intros Hp Hf Hg. apply entries_continuous in Hf. apply entries_continuous in Hg. apply entries_continuous.
  intros _ _ _ _.
  apply (cont_sum d n D d (fun i X => sum n (fun j => power (f X i j - g X i j) p))). intros i Hi.
  apply (cont_sum d n D n (fun j X => power (f X i j - g X i j) p)). intros j Hj.
  apply (cont_comp d n D (fun y => power y p) (fun X => f X i j - g X i j)); [|intros; apply power_continuous, Hp].
  apply (cont_ext d n D (fun X => f X i j + -1 * g X i j)); [intros; ring|].
  apply cont_plus; [apply Hf; assumption|apply cont_scale, Hg; assumption].
Qed.

(** For f and g continuous on the cube there is the Riemann integral I of ||f - g||_p^p, and the distance is below e
    just if I < e^p. *)
Theorem distance_is_integral d n f g p : (1 <= d)%nat -> (1 <= n)%nat -> continuous_on d n (cube d n) f ->
  continuous_on d n (cube d n) g -> 1 <= p ->
  exists I, Un_cv (fun N => riemann d n (error d n p f g) (S N)) I /\ forall e, 0 < e ->
    (distance_below d n p (cube d n) f g e <-> I < Rpower e p).
Proof.
  intros d1 n1 Hf Hg Hp. destruct (riemann_integral d n d1 n1 (error d n p f g)) as [I [HI H]].
  - apply error_continuous; assumption.
  - intros. apply error_nonneg.
  - exists I. split; [exact HI|]. intros e He. rewrite <- (power_pos_eq e p He). apply H.
Qed.

(** Over all of R^(d x n), f and g equal off [-K, K]: the same, with the Riemann sums over [-K, K]. By
    [equal_off_a_ball] they have to be equal off some such box. *)
Lemma integral_rescaled d n (F : matrix -> R) K c : 0 < K -> (forall X, ~ close d n K X (fun _ _ => 0) -> F X = 0) ->
  integral_below d n everywhere F c <-> integral_below d n (cube d n) (fun Y => F (stretch (- K) (2 * K) Y))
    (/ (((2 * K) ^ n) ^ d) * c).
Proof.
  intros HK HF. set (s := 2 * K). set (a := - K). assert (0 < s) as s0 by (unfold s; lra).
  assert (0 < / s) as s1 by (apply Rinv_0_lt_compat, s0).
  assert (0 < (s ^ n) ^ d) as V by (apply pow_lt, pow_lt, s0). split; intros H.
  - apply (stretch_integral d n (- a * / s) (/ s) s1 (cube d n) everywhere _ F _ c H).
    + intros Y _. split; [exact I|]. right. f_equal. extensionality i. extensionality j. unfold shrink, stretch. field.
      lra.
    + right. rewrite !pow_inv by (try apply pow_nonzero; lra). reflexivity.
  - assert (integral_below d n everywhere (fun Y => F (stretch a s Y)) (/ ((s ^ n) ^ d) * c)) as H'.
    { destruct H as [bs [B1 [B2 B3]]]. exists bs. split; [exact B1|split; [|exact B3]]. intros Y _.
      destruct (classic (cube d n Y)) as [C|C]; [apply B2, C|].
      rewrite HF; [apply step_nonneg, B1|]. intros CC. apply C. intros i j Hi Hj. specialize (CC i j Hi Hj).
      unfold stretch, a, s in CC. rewrite Rminus_0_r in CC.
      apply Rabs_def2 in CC. split; nra. }
    apply (stretch_integral d n a s s0 everywhere everywhere F _ c _ H').
    + intros X _. split; [exact I|]. right. rewrite (stretch_shrink a s s0). reflexivity.
    + right. field. apply Rgt_not_eq, V.
Qed.

(** Over all of R^(d x n). *)
Theorem distance_everywhere d n f g p K : (1 <= d)%nat -> (1 <= n)%nat -> continuous_on d n everywhere f ->
  continuous_on d n everywhere g -> 1 <= p -> 0 < K ->
  (forall X, ~ close d n K X (fun _ _ => 0) -> forall i j, (i < d)%nat -> (j < n)%nat -> f X i j = g X i j) ->
  exists I, Un_cv (fun N => riemann d n (fun Y => error d n p f g (stretch (- K) (2 * K) Y)) (S N)) I /\
    forall e, 0 < e -> (distance_below d n p everywhere f g e <-> ((2 * K) ^ n) ^ d * I < Rpower e p).
Proof.
  intros d1 n1 Hf Hg Hp HK H0.
  destruct (riemann_integral d n d1 n1 (fun Y => error d n p f g (stretch (- K) (2 * K) Y))) as [I [HI H]].
  - apply on_cube. apply (stretch_continuous d n (- K) (2 * K) ltac:(lra) everywhere (fun X _ _ => error d n p f g X)).
    apply error_continuous; assumption.
  - intros. apply error_nonneg.
  - exists I. split; [exact HI|]. intros e He. rewrite <- (power_pos_eq e p He).
    assert (0 < ((2 * K) ^ n) ^ d) as V by (apply pow_lt, pow_lt; lra).
    unfold distance_below. fold (error d n p f g). rewrite (integral_rescaled d n (error d n p f g) K _ HK), H.
    + split; intros L.
      * apply Rmult_lt_compat_l with (r := ((2 * K) ^ n) ^ d) in L; [|exact V].
        rewrite <- Rmult_assoc, Rinv_r in L by lra. lra.
      * apply Rmult_lt_reg_l with (((2 * K) ^ n) ^ d); [exact V|]. rewrite <- Rmult_assoc, Rinv_r by lra. lra.
    + intros X NC. unfold error. rewrite (sum_ext d _ (fun _ => 0)), sum_const; [ring|]. intros i Hi.
      rewrite (sum_ext n _ (fun _ => 0)), sum_const; [ring|].
      intros j Hj. rewrite (H0 X NC i j Hi Hj), Rminus_eq_0. apply power_zero.
Qed.

(** ** Theorems 2 and 3 *)
Lemma run_plain d n ts D : continuous_on d n D (run d n 2 1 4 ts).
Proof. apply entries_continuous, (cont_run d n D 2 1 4 ts (fun X => X)). intros i j Hi Hj. apply cont_entry; assumption.
  Qed.

(** Over all of R^(d x n): f = g off [-K, K], and the integral over [-K, K] is below e^p. *)
Theorem theorem2_riemann : Theorem2_riemann.
Proof.
  intros d n d1 n1 f Hf Hs He p e Hp Hepos. destruct (theorem2 d n d1 n1 f Hf Hs He p e Hp Hepos) as [g D].
  destruct (equal_off_a_ball d n p f _ e D) as [K0 H0]. set (K := Rmax 1 K0). pose proof (Rmax_l 1 K0) as L1.
  pose proof (Rmax_r 1 K0) as L2. fold K in L1, L2.
  assert (forall X, ~ close d n K X (fun _ _ => 0) -> forall i j, (i < d)%nat -> (j < n)%nat ->
    f X i j = run d n 2 1 4 g X i j) as HK.
  { intros X NC. apply H0. intros C. apply NC. intros i j Hi Hj. specialize (C i j Hi Hj). lra. }
  destruct (distance_everywhere d n f (run d n 2 1 4 g) p K d1 n1 Hf (run_plain d n g everywhere) Hp ltac:(lra) HK) as
    [I [HI HD]].
  exists g, K, I. split; [lra|split; [|split; [exact HI|apply HD; assumption]]]. intros X NC i j Hi Hj. symmetry.
  apply HK; assumption.
Qed.

(** Over the cube. *)
Theorem theorem2_cube_riemann : Theorem2_cube_riemann.
Proof.
  intros d n d1 n1 f Hf He p e Hp Hepos. destruct (theorem2_cube d n d1 n1 f Hf He p e Hp Hepos) as [g D].
  destruct (distance_is_integral d n f (run d n 2 1 4 g) p d1 n1 Hf (run_plain d n g _) Hp) as [I [HI HD]]. exists g, I.
  split; [exact HI|apply HD; assumption].
Qed.

(** Theorem 3 for the cube, one E. *)
Theorem theorem3_cube_riemann : Theorem3_cube_riemann.
Proof.
  intros d n d1 n1. destruct (theorem3_encoding d n d1 n1 (cube d n) (cube_compact d n)) as [E H]. exists E.
  intros f Hf p e Hp Hepos. destruct (H f Hf p e Hp Hepos) as [g D].
  destruct (distance_is_integral d n f _ p d1 n1 Hf (run_continuous d n (cube d n) 2 1 4 g E) Hp) as [I [HI HD]].
  exists g, I. split; [exact HI|apply HD; assumption].
Qed.

(** The distance is below e just if the Riemann integral is below e^p. *)
Theorem distance_integral : Distance_is_integral.
Proof. exact distance_is_integral. Qed.
