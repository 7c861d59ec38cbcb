(** What each phi of [Construction] does, exactly: four ReLUs, with no strip left over or off an explicit strip. *)
From Coq Require Import Reals List Arith Lia Lra Psatz.
From Contextual Require Import Approximation Sums Construction.
Import ListNotations.
Open Scope R_scope.

(** ** Case by case *)
Definition pos (x : R) : R := Rmax 0 x.

(** ReLU by cases, and a phi as four of them. *)
Lemma pos_cases x : (x <= 0 /\ pos x = 0) \/ (0 <= x /\ pos x = x).
Proof. unfold pos, Rmax. destruct (Rle_dec 0 x); [right|left]; lra. Qed.
Ltac pieces := repeat match goal with |- context [pos ?x] => let E := fresh "E" in
  destruct (pos_cases x) as [[? E]|[? E]]; rewrite E; clear E end.

(** The four ReLUs, written out. *)
Lemma phi_spec f t : apply_phi f t = c0 f + (c f 0%nat * pos (s f 0%nat * t + o f 0%nat) + c f 1%nat * pos
  (s f 1%nat * t + o f 1%nat) +
  c f 2%nat * pos (s f 2%nat * t + o f 2%nat) + c f 3%nat * pos (s f 3%nat * t + o f 3%nat)).
Proof. unfold apply_phi, pos. simpl. ring. Qed.

(** ** The quantiser's cell *)
Theorem tent_spec e k w x : 0 < e -> e < w ->
  (x <= k -> apply_phi (tent e k w) x = 0) /\ (k <= x <= k + w - e -> x + apply_phi (tent e k w) x = k) /\
  (k + w <= x -> apply_phi (tent e k w) x = 0).
Proof.
  intros He Hw. rewrite phi_spec. simpl. assert (e * / e = 1) as Ee by (apply Rinv_r; lra).
  assert ((w - e) / e * e = w - e) as E by (field; lra). set (a := (w - e) / e) in *. clearbody a.
  split; [|split]; intros Hx; pieces; try (exfalso; lra); nra.
Qed.

(** The cell keeps nonnegative numbers so. *)
Lemma tent_nonneg e k w x : 0 < e -> e < w -> 0 <= k -> 0 <= x -> 0 <= x + apply_phi (tent e k w) x.
Proof.
  intros He Hw Hk Hx. assert ((w - e) / e * e = w - e) as E by (field; lra).
  assert (0 < (w - e) / e) by (apply Rdiv_lt_0_compat; lra).
  rewrite phi_spec. simpl. set (a := (w - e) / e) in *. clearbody a. pieces; try (exfalso; lra); nra.
Qed.

(** ** One entry of the value map *)
Theorem window_spec k w x : 0 < w ->
  (Rabs (x - k) <= w / 4 -> apply_phi (window k w) x = 1) /\ (w / 2 <= Rabs (x - k) -> apply_phi (window k w) x = 0).
Proof.
  intros Hw. rewrite phi_spec. simpl. assert (4 / w * w = 4) as E by (field; lra). set (a := 4 / w) in *. clearbody a.
  split; intros Hx; unfold Rabs in Hx; destruct (Rcase_abs (x - k)); pieces; try (exfalso; lra); nra.
Qed.

(** ** The two ends: clamp and finish *)
Theorem clamp_spec F x : 0 <= F -> x + apply_phi (clamp F) x = Rmin F (Rmax (- F) x).
Proof.
  intros HF. rewrite phi_spec. simpl. unfold Rmin, Rmax. pieces; destruct (Rle_dec (- F) x); destruct (Rle_dec F _);
    lra.
Qed.

(** And finish, which is 0 far below. *)
Theorem finish_spec F x : 0 < F ->
  - F <= x + apply_phi (finish F) x <= F /\ (x <= - (2 * F) -> x + apply_phi (finish F) x = 0) /\
  forall y eta, - F <= y <= F -> - eta <= x - y <= eta -> - eta <= x + apply_phi (finish F) x - y <= eta.
Proof.
  intros HF. rewrite phi_spec. simpl. split; [|split].
  - pieces; try (exfalso; lra); lra.
  - intros Hx. pieces; try (exfalso; lra); lra.
  - intros y eta Hy He. pieces; try (exfalso; lra); lra.
Qed.

(** ** Affine, on all of R *)
Theorem affine_spec c b x : x + apply_phi (affine c b) x = c * x + b.
Proof. rewrite phi_spec. simpl. pieces; try lra; replace x with 0 by lra; ring. Qed.

(** ** The border of the cube, and the layer that rejects *)
Theorem border_spec e S x : 0 < e -> e <= 1 / 2 -> 2 <= S ->
  (x <= 0 \/ 1 <= x -> x + apply_phi (border e S) x = S) /\ (e <= x <= 1 - e -> x + apply_phi (border e S) x = x) /\
  0 <= x + apply_phi (border e S) x.
Proof.
  intros He H2 HS. assert (forall y, y / e * e = y) as Ee by (intros; field; lra). rewrite phi_spec. simpl.
  pose proof (Ee S) as E1. pose proof (Ee (S - 1)) as E2. assert (0 < / e) as Ie by (apply Rinv_0_lt_compat; lra).
  assert (0 <= S / e) by (apply Rmult_le_pos; lra). assert (0 <= (S - 1) / e) by (apply Rmult_le_pos; lra).
  set (a := S / e) in *. set (b := (S - 1) / e) in *. clearbody a b.
  split; [|split]; [intros Hx|intros Hx|]; pieces; try (exfalso; lra); nra.
Qed.

(** The layer that rejects. *)
Theorem ramp_spec T t : (t <= T -> apply_phi (ramp T) t = 0) /\ (T <= t -> apply_phi (ramp T) t = t - T).
Proof. rewrite phi_spec. simpl. split; intros; pieces; lra. Qed.
