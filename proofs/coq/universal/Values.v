(** What the networks are at a point, for any table of values: the interface, with the error over lambda as the
    tolerance of ids. *)
From Coq Require Import Reals List Arith Lia Lra FunctionalExtensionality.
From Contextual Require Import Approximation Sums Construction Explicit Tracking Interface Sentinel Cube Positions.
Import ListNotations.
Open Scope R_scope.

(** The error over lambda is not negative. *)
Lemma error_over d n N k h g lambda : (2 <= N)%nat -> 0 < lambda -> 0 <= map_error d n N k h g / lambda.
Proof.
  intros N2 L. apply Rmult_le_pos; [apply constant_nonneg, N2|apply Rlt_le, Rinv_0_lt_compat, L].
Qed.

(** Theorem 2's network over the cube. *)
Theorem cube_values : Cube_values.
Proof.
  intros d n N e lambda F v d1 n1 N2 [e0 ew] F0 L0 LT Hv Ha HF g.
  pose proof (error_over d n N (Statement.B d N) (hits (Statement.B d N) n 1) (global_factor d n N) lambda N2 L0) as T0.
  pose proof (cube_interface d n N d1 n1 N2 F v Hv HF Ha _ lambda L0 T0 LT (Rle_refl _)) as face. split.
  - intros X i j Hi Hj. rewrite Rminus_0_r. apply bounded_point; assumption.
  - intros K X HK HX i j Hi Hj. apply (good_point d n N N F _ (contexts d n N) _ _ _ face d1 N2 LT e e0 ew X K HK HX);
      assumption.
Qed.

(** The one that is 0 off the cube. *)
Theorem supported_values : Supported_values.
Proof.
  intros d n N e lambda F v d1 n1 N2 [e0 ew] F0 L0 LT Hv Ha HF g.
  pose proof (error_over d n N (Statement.B d N) (hits (Statement.B d N) n 1) (global_factor d n N) lambda N2 L0) as T0.
  pose proof (cube_interface d n N d1 n1 N2 F v Hv HF Ha _ lambda L0 T0 LT (Rle_refl _)) as face.
  destruct (top_spec d n N d1 n1 N2 F F0) as [top0 key_top].
  pose proof (cube_lifts d n N d1 n1 N2 F F0 lambda L0) as lifts. split; [|split].
  - intros X i j Hi Hj. rewrite Rminus_0_r. apply bounded_whole; assumption.
  - intros X k l Hk Hl HX i j Hi Hj.
    apply (outside_point d n N d1 n1 N2 F _ e _ F0 e0 ew _ _ _ _ face lifts top0 X k l); assumption.
  - intros K X HK HX HE i j Hi Hj.
    apply (inside_point d n N d1 n1 N2 F _ e _ F0 LT e0 ew _ _ _ _ face top0 key_top X K HK); try assumption.
    intros a b Ha' Hb. split; [apply HX|apply HE]; assumption.
Qed.

(** Theorem 3's network over the cube. *)
Theorem positional_values : Positional_values.
Proof.
  intros d n N e lambda F v d1 n1 N2 [e0 ew] F0 L0 LT Ha HF g.
  pose proof (error_over d n N (length (Statement3.levels d n N)) _ (Statement3.positional_factor d n N) lambda N2 L0 :
    0 <= positional_error d n N / lambda) as T0.
  pose proof (positional_interface d n d1 n1 F v HF N N2 Ha _ lambda L0 T0 LT (Rle_refl _)) as face. split.
  - intros X i j Hi Hj. rewrite Rminus_0_r. apply bounded_point; assumption.
  - intros K X HK HX i j Hi Hj. rewrite <- (drop_lift d n d1 n1 N K).
    apply (good_point d n N (n * N) F _ (positional_contexts d n N) _ _ (fun K => v (drop N K)) face d1 N2 LT e e0 ew);
      [apply in_map, HK| |exact Hi|exact Hj].
    intros k l Hk Hl. specialize (HX k l Hk Hl). unfold plus, positions, lift. rewrite plus_INR, mult_INR.
    assert (INR N * / INR N = 1) as NW by (apply Rinv_r, not_0_INR; lia).
    replace ((INR l * INR N + INR (K k l)) * / INR N) with (INR l * (INR N * / INR N) + INR (K k l) * / INR N) by ring.
    rewrite NW. lra.
Qed.

(** Enough cells, and keys are above all ids of values. *)
Theorem keys_above : Keys_above.
Proof.
  intros d n N F d1 n1 N2 FN. split; [apply above_spec|apply positional_above_spec]; assumption.
Qed.
