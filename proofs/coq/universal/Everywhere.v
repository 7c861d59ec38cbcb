(** Theorem 2 as the paper states it: f continuous with compact support, the distance over all of R^(d x n). *)
From Coq Require Import Reals List Arith Bool Lia Lra Psatz Classical.
From Contextual Require Import Approximation Sums Construction Relu Blocks Tracking Boxes Uniform Budget Cube Rescale.
Import ListNotations.
Open Scope R_scope.

(** A function that is continuous everywhere is so on the cube. *)
Lemma on_cube d n f : continuous_on d n everywhere f -> continuous_on d n (cube d n) f.
Proof. intros Hf X _ e He. destruct (Hf X I e He) as [c [Hc H]]. exists c. split; [exact Hc|]. intros Y _. apply H.
  exact I. Qed.

(** What is not in the cube has an entry outside. *)
Lemma off_cube d n X : ~ cube d n X -> off d n X.
Proof.
  intros C. apply NNPP. intros NE. apply C.
  intros i j Hi Hj. split; apply Rnot_lt_le; intros L; apply NE; exists i, j; (split; [exact Hi|split; [exact Hj|lra]]).
Qed.

(** Over the cube the distance is small, off it both f and the network are 0. *)
Lemma zero_off_cube d n p f g eps : (forall X, ~ cube d n X -> forall i j, (i < d)%nat -> (j < n)%nat -> f X i j = 0 /\
  g X i j = 0) ->
  distance_below d n p (cube d n) f g eps -> distance_below d n p everywhere f g eps.
Proof.
  intros H [bs [B1 [B2 B3]]]. exists bs. split; [exact B1|split; [|exact B3]].
  intros X _. destruct (classic (cube d n X)) as [C|C]; [apply B2, C|].
  rewrite sum_zero; [apply step_nonneg, B1|]. intros i Hi. apply sum_zero. intros j Hj.
  destruct (H X C i j Hi Hj) as [-> ->]. rewrite Rminus_eq_0. apply power_zero.
Qed.

(** From the cube to the box [-K, K], off which f is 0: all entries are shrunk first. *)
Theorem from_cube d n f K p eps g : 0 < K -> 1 <= p -> 0 < eps ->
  (forall X, ~ close d n K X (fun _ _ => 0) -> forall i j, (i < d)%nat -> (j < n)%nat -> f X i j = 0) ->
  (forall Y, off d n Y -> forall i j, (i < d)%nat -> (j < n)%nat -> run d n 2 1 4 g Y i j = 0) ->
  distance_below d n p (cube d n) (fun Y => f (stretch (- K) (2 * K) Y)) (run d n 2 1 4 g)
    (shrunk d n (2 * K) p eps) ->
  distance_below d n p everywhere f (run d n 2 1 4 (entrywise d (affine (/ (2 * K)) (1 / 2)) ++ g)) eps.
Proof.
  intros K0 p1 eps0 Hs Hg H.
  apply (distance_ext d n p everywhere f (fun X => run d n 2 1 4 g (shrink (- K) (2 * K) X))).
  - intros X _ i j Hi Hj. rewrite run_app. apply (run_ext d n); [|exact Hi|exact Hj].
    intros k l Hk Hl. rewrite entrywise_spec, affine_spec by exact Hk. unfold shrink. field. lra.
  - apply stretch_distance; try assumption; [lra|]. apply zero_off_cube; [|exact H]. intros Y NC i j Hi Hj.
    split; [|apply Hg; [apply off_cube, NC|exact Hi|exact Hj]]. apply Hs; [|exact Hi|exact Hj]. intros C.
    apply NC. intros k l Hk Hl.
    specialize (C k l Hk Hl). unfold stretch in C. rewrite Rminus_0_r in C. apply Rabs_def2 in C. split; nra.
Qed.

(** ** With all numbers given: f is 0 off (-K, K), within [-F, F], and changes by less than [step_error] within c. *)
Section Given.
Variables d n : nat.
Variable f : matrix -> matrix.
Variables K F c p eps : R.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Hypothesis f_continuous : continuous_on d n everywhere f.
Hypothesis f_equivariant : equivariant d n f.
Hypothesis f_support : forall X, ~ close d n K X (fun _ _ => 0) -> forall i j, (i < d)%nat -> (j < n)%nat ->
  f X i j = 0.
Hypothesis f_bound : forall X i j, (i < d)%nat -> (j < n)%nat -> Rabs (f X i j) <= F.
Hypothesis K0 : 0 < K.
Hypothesis F0 : 0 < F.
Hypothesis c0 : 0 < c.
Hypothesis p1 : 1 <= p.
Hypothesis eps0 : 0 < eps.
Notation eps' := (shrunk d n (2 * K) p eps).
Hypothesis f_modulus : forall X Y, close d n c X Y -> close d n (step_error d n eps') (f X) (f Y).

(** Any numbers that are fine, and any rate that is large enough. *)
Theorem theorem2_at N e lambda : fine d n F (c / (2 * K)) p eps' N e -> 0 < lambda ->
  cube_error d n N / lambda <= tolerance d n N eps' ->
  distance_below d n p everywhere f (run d n 2 1 4 (theorem2_network_at d n K N e lambda F
    (at_corners N (fun Y => f (stretch (- K) (2 * K) Y))))) eps.
Proof using All.
  intros numbers L0 LT. assert (0 < 2 * K) as s0 by lra. set (h := fun Y => f (stretch (- K) (2 * K) Y)).
  assert (continuous_on d n everywhere h) as Hh by (exact (stretch_continuous d n _ _ s0 everywhere f f_continuous)).
  destruct (supported_approximate d n d1 n1 h (on_cube d n h Hh)) with (F := F) (c := c / (2 * K)) (p := p)
    (eps := eps') (N := N) (e := e) (lambda := lambda) as [G A]; try assumption.
  - intros q q1 q2 Y i j Hi Hj. apply (f_equivariant q q1 q2 (stretch (- K) (2 * K) Y) i j Hi Hj).
  - intros X _ i j Hi Hj. apply f_bound; assumption.
  - apply shrunk_pos, eps0.
  - intros X Y _ _. apply (stretch_modulus d n (- K) (2 * K) s0 everywhere f); [|exact I|exact I]. intros X' Y' _ _.
    apply f_modulus.
  - apply from_cube; assumption.
Qed.

(** The numbers of [Construction]. *)
Theorem theorem2_explicit : distance_below d n p everywhere f (run d n 2 1 4 (theorem2_network d n K F c p eps f)) eps.
Proof using All.
  assert (0 < eps') as E by (apply shrunk_pos, eps0).
  assert (0 < c / (2 * K)) as C by (apply Rdiv_lt_0_compat; lra).
  pose proof (numbers_fine d n d1 n1 F (c / (2 * K)) p eps' F0 C E) as numbers.
  assert (2 <= side d n F (c / (2 * K)) p eps')%nat as N2 by apply numbers.
  destruct (rate_spec d n d1 n1 F p eps' E _ (cube_error d n _) N2 (constant_nonneg d n _ N2 _ _ _)) as [L0 LT].
  exact (theorem2_at _ _ _ numbers L0 LT).
Qed.
End Given.

(** A continuous function of compact support is bounded and uniformly continuous: its box, shrunk to the cube, is
    compact. *)
Lemma support_bounds d n f p eps : (1 <= d)%nat -> (1 <= n)%nat -> continuous_on d n everywhere f ->
  compact_support d n f -> 0 < eps -> exists K F c, 0 < K /\ 0 < F /\ 0 < c /\
  (forall X, ~ close d n K X (fun _ _ => 0) -> forall i j, (i < d)%nat -> (j < n)%nat -> f X i j = 0) /\
  (forall X i j, (i < d)%nat -> (j < n)%nat -> Rabs (f X i j) <= F) /\
  forall X Y, close d n c X Y -> close d n (step_error d n (shrunk d n (2 * K) p eps)) (f X) (f Y).
Proof.
  intros d1 n1 Hf [K0 HK0] He. set (K := Rmax K0 1). assert (1 <= K) as K1 by apply Rmax_r.
  assert (K0 <= K) as K0K by apply Rmax_l.
  assert (forall X, ~ close d n K X (fun _ _ => 0) -> forall i j, (i < d)%nat -> (j < n)%nat -> f X i j = 0) as H0.
  { intros X NC. apply HK0. intros C. apply NC. intros i j Hi Hj. specialize (C i j Hi Hj). lra. }
  (* the box [-K - 1, K + 1], in which every point that is close to the support lies *)
  set (a := - (K + 1)). set (s := 2 * (K + 1)). assert (0 < s) as s0 by (unfold s; lra).
  set (h := fun Y => f (stretch a s Y)).
  pose proof (on_cube d n h (stretch_continuous d n a s s0 everywhere f Hf)) as Hh.
  assert (forall X, h (shrink a s X) = f X) as back by (intros X; unfold h; rewrite (stretch_shrink a s s0);
    reflexivity).
  assert (forall X, close d n (K + 1) X (fun _ _ => 0) -> cube d n (shrink a s X)) as inside_box.
  { intros X C i j Hi Hj. specialize (C i j Hi Hj). rewrite Rminus_0_r in C. apply Rabs_def2 in C.
    unfold shrink, a, s in *.
    split; apply Rmult_le_reg_l with (2 * (K + 1)); try lra; rewrite <- Rmult_assoc, Rinv_r by lra; lra. }
  assert (forall X, close d n K X (fun _ _ => 0) -> close d n (K + 1) X (fun _ _ => 0)) as wider.
  { intros X C i j Hi Hj. specialize (C i j Hi Hj). lra. }
  destruct (bounded d n (cube d n) h n1 (cube_compact d n) (fun X H => H) Hh) as [F [F0 HF]].
  assert (0 < step_error d n (shrunk d n (2 * K) p eps)) as He'.
  { apply Rdiv_lt_0_compat; [apply shrunk_pos, He|]. pose proof (lt_0_INR d d1). pose proof (lt_0_INR n n1). nra. }
  destruct (uniform d n (cube d n) h (cube_compact d n) Hh _ He') as [c [c0 Hc]].
  set (e' := step_error d n _) in *. exists K, F, (Rmin 1 (c * s)). split; [lra|split; [exact F0|]].
  split; [apply Rmin_pos; [lra|nra]|split; [exact H0|split]].
  - intros X i j Hi Hj. destruct (classic (close d n K X (fun _ _ => 0))) as [C|C].
    + rewrite <- back. apply HF; [apply inside_box, wider, C|exact Hi|exact Hj].
    + rewrite (H0 X C i j Hi Hj), Rabs_R0. lra.
  - pose proof (Rmin_l 1 (c * s)). pose proof (Rmin_r 1 (c * s)).
    assert (forall X Y, close d n K X (fun _ _ => 0) -> close d n (Rmin 1 (c * s)) X Y ->
      close d n e' (f X) (f Y)) as one.
    { intros X Y CX C. rewrite <- (back X), <- (back Y). apply Hc.
      - apply inside_box, wider, CX.
      - apply inside_box. intros i j Hi Hj. specialize (CX i j Hi Hj). specialize (C i j Hi Hj).
        rewrite Rminus_0_r in *.
        apply Rabs_def2 in CX. apply Rabs_def2 in C. apply Rabs_def1; lra.
      - intros i j Hi Hj. specialize (C i j Hi Hj). unfold shrink.
        replace (/ s * (X i j - a) - / s * (Y i j - a)) with (/ s * (X i j - Y i j)) by ring.
        rewrite Rabs_mult, (Rabs_right (/ s)) by (apply Rle_ge, Rlt_le, Rinv_0_lt_compat, s0).
        apply Rmult_lt_reg_l with s; [exact s0|]. rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
    intros X Y C. destruct (classic (close d n K X (fun _ _ => 0))) as [CX|CX]; [apply one; assumption|].
    destruct (classic (close d n K Y (fun _ _ => 0))) as [CY|CY].
    + intros i j Hi Hj. rewrite Rabs_minus_sym. apply (one Y X CY); [|exact Hi|exact Hj].
      intros k l Hk Hl. rewrite Rabs_minus_sym. apply C; assumption.
    + intros i j Hi Hj. rewrite (H0 X CX i j Hi Hj), (H0 Y CY i j Hi Hj), Rminus_eq_0, Rabs_R0. exact He'.
Qed.

(** Theorem 2, verbatim. *)
Theorem theorem2 : Theorem2.
Proof.
  intros d n d1 n1 f Hf Hs He p eps Hp Heps.
  destruct (support_bounds d n f p eps d1 n1 Hf Hs Heps) as [K [F [c [K0 [F0 [c0 [H0 [HF Hc]]]]]]]].
  exists (theorem2_network d n K F c p eps f). apply theorem2_explicit; assumption.
Qed.

(** ** Over the cube, for f continuous there *)
Theorem theorem2_cube : Theorem2_cube.
Proof.
  intros d n d1 n1 f Hf He p eps Hp Heps.
  destruct (bounded d n (cube d n) f n1 (cube_compact d n) (fun X H => H) Hf) as [F [F0 HF]].
  destruct (uniform d n (cube d n) f (cube_compact d n) Hf (step_error d n eps)) as [c [c0 Hc]].
  { apply Rdiv_lt_0_compat; [exact Heps|]. pose proof (lt_0_INR d d1). pose proof (lt_0_INR n n1). nra. }
  exists (cube_network d n F c p eps f). pose proof (numbers_fine d n d1 n1 F c p eps F0 c0 Heps) as numbers.
  assert (2 <= side d n F c p eps)%nat as N2 by apply numbers.
  destruct (rate_spec d n d1 n1 F p eps Heps _ (cube_error d n _) N2 (constant_nonneg d n _ N2 _ _ _)) as [L0 LT].
  apply (cube_approximate d n d1 n1 f Hf He F F0 HF c p eps Hp Heps Hc _ _ _ numbers L0 LT).
Qed.
