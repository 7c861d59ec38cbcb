(** A function that is continuous on a compact set is uniformly so there (Heine), by bisection along one entry after the
    other: what holds near each point, and of two neighbouring boxes together if of each, holds of every box. *)
From Coq Require Import Reals List Arith Lia Lra Psatz Classical.
From Contextual Require Import Approximation Sums.
Open Scope R_scope.

(** ** One coordinate *)
Lemma line (P : R -> R -> Prop) : (forall a b c, a <= b -> b <= c -> P a b -> P b c -> P a c) ->
  (forall t, exists r, 0 < r /\ forall a b, t - r <= a -> a <= t -> t <= b -> b <= t + r -> P a b) -> forall a b,
    a <= b -> P a b.
Proof.
  intros join local a b ab. set (E := fun x => a <= x <= b /\ P a x).
  assert (E a) as Ea by (destruct (local a) as [r [r0 H]]; split; [lra|apply H; lra]).
  destruct (completeness E) as [m [up least]]; [exists b; intros x [Hx _]; lra|exists a; exact Ea|].
  assert (a <= m) as am by (apply up, Ea). assert (m <= b) as mb by (apply least; intros x [Hx _]; lra).
  destruct (local m) as [r [r0 H]].
  assert (exists x, E x /\ m - r < x) as [x [[Hx Px] Lx]].
  { apply NNPP. intros N. assert (m <= m - r); [|lra]. apply least. intros x Ex. apply Rnot_lt_le. intros L. apply N.
    exists x. split; assumption. }
  assert (x <= m) as xm by (apply up; split; assumption).
  destruct (Rle_lt_dec b (m + r)) as [L|L].
  - apply (join a x b); [lra|lra|exact Px|apply H; lra].
  - assert (m + r <= m); [|lra]. apply up. split; [lra|]. apply (join a x (m + r)); [lra|lra|exact Px|apply H; lra].
Qed.

Section Uniform.
Variables d n : nat.
Variable D : matrix -> Prop.
Variable f : matrix -> matrix.
Variables e K : R.

(** f changes by less than e within c of any point of D in S. *)
Definition steady (S : matrix -> Prop) : Prop :=
  exists c, 0 < c /\ forall X Y, D X -> D Y -> S X -> close d n c X Y -> close d n e (f X) (f Y).

(** What holds of two sets holds of their union, and of what is less. *)
Lemma steady_union (S S1 S2 : matrix -> Prop) : (forall X, S X -> S1 X \/ S2 X) -> steady S1 -> steady S2 -> steady S.
Proof using.
  intros H [c1 [C1 H1]] [c2 [C2 H2]]. exists (Rmin c1 c2). split; [apply Rmin_pos; assumption|].
  pose proof (Rmin_l c1 c2). pose proof (Rmin_r c1 c2).
  intros X Y DX DY SX CXY. destruct (H X SX) as [In1|In2]; [apply H1|apply H2]; try assumption; intros i j Hi Hj;
    specialize (CXY i j Hi Hj); lra.
Qed.

(** Within a smaller set a function is as steady. *)
Lemma steady_less (S S1 : matrix -> Prop) : (forall X, S X -> S1 X) -> steady S1 -> steady S.
Proof using. intros H H1. apply (steady_union S S1 S1); [auto|exact H1|exact H1]. Qed.

(** Near each point: by continuity at a point of D, and since D is closed at any other. *)
Lemma steady_point : 0 < e -> continuous_on d n D f -> (forall X, (forall e, 0 < e -> exists Y, D Y /\
  close d n e X Y) -> D X) ->
  forall t, exists r, 0 < r /\ steady (fun X => forall i j, (i < d)%nat -> (j < n)%nat -> Rabs (X i j - t i j) <= r).
Proof using.
  intros He Hf closed t. destruct (classic (D t)) as [H|H].
  - destruct (Hf t H (e / 2) ltac:(lra)) as [c [Hc HY]]. exists (c / 2). split; [lra|]. exists (c / 2). split; [lra|].
    intros X Y DX DY SX CXY.
    assert (close d n c t X) as CX by (intros i j Hi Hj; specialize (SX i j Hi Hj); rewrite Rabs_minus_sym; lra).
    assert (close d n c t Y) as CY.
    { intros i j Hi Hj. specialize (SX i j Hi Hj). specialize (CXY i j Hi Hj). apply between in SX.
      apply Rabs_def2 in CXY. apply Rabs_def1; lra. }
    pose proof (HY X DX CX) as HX1. pose proof (HY Y DY CY) as HY1.
    intros i j Hi Hj. specialize (HX1 i j Hi Hj). specialize (HY1 i j Hi Hj). apply Rabs_def2 in HX1.
    apply Rabs_def2 in HY1. apply Rabs_def1; lra.
  - destruct (classic (exists c, 0 < c /\ forall Y, D Y -> ~ close d n c t Y)) as [[c [Hc NY]]|No].
    + exists (c / 2). split; [lra|]. exists 1. split; [lra|]. intros X Y DX _ SX _. destruct (NY X DX).
      intros i j Hi Hj. specialize (SX i j Hi Hj). rewrite Rabs_minus_sym. lra.
    + exfalso. apply H, closed. intros c Hc. apply NNPP. intros N. apply No. exists c. split; [exact Hc|].
      intros Y HY CY. apply N. exists Y. split; assumption.
Qed.

(** The first k entries, row after row, anywhere in [-K, K]; the others within r of t. *)
Definition region (k : nat) (t : matrix) (r : R) (X : matrix) : Prop := forall i j, (i < d)%nat -> (j < n)%nat ->
  if (i * n + j <? k)%nat then Rabs (X i j) <= K else Rabs (X i j - t i j) <= r.

(** By bisection along one entry after the other. *)
Lemma steady_region : 0 <= K -> (forall t, exists r, 0 < r /\ steady (region 0 t r)) ->
  forall k t, exists r, 0 < r /\ steady (region k t r).
Proof using.
  intros K0 H0. induction k as [|k IH]; [exact H0|]. intros t.
  set (rest := fun r (X : matrix) => forall i j, (i < d)%nat -> (j < n)%nat -> (i * n + j)%nat <> k ->
    if (i * n + j <? k)%nat then Rabs (X i j) <= K else Rabs (X i j - t i j) <= r).
  set (slab := fun x y r (X : matrix) => (forall i j, (i < d)%nat -> (j < n)%nat -> (i * n + j)%nat = k ->
    x <= X i j <= y) /\ rest r X).
  assert (exists r, 0 < r /\ steady (slab (- K) K r)) as [r [r0 Hr]].
  { apply (line (fun x y => exists r, 0 < r /\ steady (slab x y r))); [| |lra].
    - intros x y z xy yz [r1 [R1 H1]] [r2 [R2 H2]]. exists (Rmin r1 r2). split; [apply Rmin_pos; assumption|].
      pose proof (Rmin_l r1 r2) as L1. pose proof (Rmin_r r1 r2) as L2.
      assert (forall r X, Rmin r1 r2 <= r -> rest (Rmin r1 r2) X -> rest r X) as weaken.
      { intros r X Lr HX i j Hi Hj Hk. specialize (HX i j Hi Hj Hk). destruct (i * n + j <? k)%nat; lra. }
      apply (steady_union _ (slab x y r1) (slab y z r2)); [|exact H1|exact H2].
      intros X [HX RX].
      destruct (classic (forall i j, (i < d)%nat -> (j < n)%nat -> (i * n + j)%nat = k -> X i j <= y)) as [U|U];
        [left|right].
      + split; [|apply weaken; assumption]. intros i j Hi Hj Hk. specialize (HX i j Hi Hj Hk).
        specialize (U i j Hi Hj Hk). lra.
      + split; [|apply weaken; assumption]. intros i j Hi Hj Hk. specialize (HX i j Hi Hj Hk). split; [|lra].
        apply Rnot_lt_le. intros L. apply U. intros i' j' Hi' Hj' Hk'.
        assert (i' = i) as -> by (destruct (Nat.lt_trichotomy i' i) as [A|[A|A]]; [exfalso; nia|exact A|exfalso; nia]).
        assert (j' = j) as -> by lia. lra.
    - intros s. destruct (IH (fun i j => if Nat.eqb (i * n + j) k then s else t i j)) as [r [r0 Hr]]. exists r.
      split; [exact r0|].
      intros x y L1 L2 L3 L4. exists r. split; [exact r0|]. revert Hr. apply steady_less.
      intros X [HX RX] i j Hi Hj. cbv beta. destruct (Nat.eqb_spec (i * n + j) k) as [E|NE].
      + destruct (Nat.ltb_spec (i * n + j) k); [lia|]. specialize (HX i j Hi Hj E). apply Rabs_le. lra.
      + apply RX; assumption. }
  exists r. split; [exact r0|]. revert Hr. apply steady_less. intros X HX. split.
  - intros i j Hi Hj E. specialize (HX i j Hi Hj). destruct (Nat.ltb_spec (i * n + j) (S k)); [|lia].
    apply between in HX. lra.
  - intros i j Hi Hj NE. specialize (HX i j Hi Hj).
    destruct (Nat.ltb_spec (i * n + j) (S k)), (Nat.ltb_spec (i * n + j) k); try lia; exact HX.
Qed.
End Uniform.

(** Heine: continuous on a compact set, so uniformly. *)
Theorem uniform d n D f : compact d n D -> continuous_on d n D f -> forall e, 0 < e ->
  exists c, 0 < c /\ forall X Y, D X -> D Y -> close d n c X Y -> close d n e (f X) (f Y).
Proof.
  intros [[K DK] closed] Hf e He.
  destruct (steady_region d n D f e (Rabs K) (Rabs_pos K)) with (k := (d * n)%nat) (t :=
    fun _ _ : nat => 0) as [r [_ [c [Hc H]]]].
  - intros t. destruct (steady_point d n D f e He Hf closed t) as [r [r0 Hr]]. exists r. split; [exact r0|].
    revert Hr. apply steady_less. intros X HX i j Hi Hj. exact (HX i j Hi Hj).
  - exists c. split; [exact Hc|]. intros X Y DX DY. apply H; [exact DX|exact DY|]. intros i j Hi Hj.
    destruct (Nat.ltb_spec (i * n + j) (d * n)); [|nia]. specialize (DK X DX i j Hi Hj). rewrite Rminus_0_r in DK.
    pose proof (Rle_abs K). lra.
Qed.

(** A continuous function reads nothing outside d x n. *)
Lemma continuous_ext d n D f X Y : continuous_on d n D f -> D X -> D Y -> (forall i j, (i < d)%nat -> (j < n)%nat ->
  X i j = Y i j) ->
  forall i j, (i < d)%nat -> (j < n)%nat -> f X i j = f Y i j.
Proof.
  intros Hf HX HY E i j Hi Hj. destruct (Req_dec (f X i j) (f Y i j)) as [Eq|NE]; [exact Eq|]. exfalso.
  assert (0 < Rabs (f X i j - f Y i j)) as P by (apply Rabs_pos_lt; lra).
  destruct (Hf X HX _ P) as [c [Hc H]]. specialize (H Y HY). assert (close d n c X Y) as C.
  { intros i' j' Hi' Hj'. rewrite E, Rminus_eq_0, Rabs_R0 by assumption. exact Hc. }
  specialize (H C i j Hi Hj). lra.
Qed.

(** The cube is closed and bounded. *)
Lemma cube_compact d n : compact d n (cube d n).
Proof.
  split.
  - exists 2. intros X HX i j Hi Hj. specialize (HX i j Hi Hj). rewrite Rminus_0_r, Rabs_right; lra.
  - intros X H i j Hi Hj. split; apply Rnot_lt_le; intros L.
    + destruct (H (- X i j) ltac:(lra)) as [Y [HY C]]. specialize (HY i j Hi Hj). specialize (C i j Hi Hj).
      apply Rabs_def2 in C. lra.
    + destruct (H (X i j - 1) ltac:(lra)) as [Y [HY C]]. specialize (HY i j Hi Hj). specialize (C i j Hi Hj).
      apply Rabs_def2 in C. lra.
Qed.
