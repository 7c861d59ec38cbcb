(** The literal layers, in units of delta: what the ids are after a selective shift, the sweep, the global shift. *)

From Coq Require Import QArith List Arith ZArith Bool Lia Lqa Setoid Morphisms.
From Contextual Require Finite.
From Contextual Require Import Statement Heads Recursion.
Import ListNotations.
Open Scope Q_scope.

(** ** The maximum and the minimum of n whole numbers *)
Definition is_maxZ (n : nat) (y : nat -> Z) (M : Z) : Prop :=
  (exists j, (j < n)%nat /\ y j = M) /\ forall j, (j < n)%nat -> (y j <= M)%Z.
Definition is_minZ (n : nat) (y : nat -> Z) (m : Z) : Prop :=
  (exists j, (j < n)%nat /\ y j = m) /\ forall j, (j < n)%nat -> (m <= y j)%Z.

(** One of n numbers is the largest. *)
Lemma maxZ_exists n y : (0 < n)%nat -> exists M, is_maxZ n y M.
Proof.
  intros H. destruct (Finite.greatest Z.le Z.le_ge_cases Z.le_trans n y H) as [i [Hi G]].
  exists (y i). split; [exists i; auto|exact G].
Qed.

(** One is the smallest. *)
Lemma minZ_exists n y : (0 < n)%nat -> exists m, is_minZ n y m.
Proof.
  intros H. destruct (maxZ_exists n (fun j => - y j)%Z H) as [M [[j0 [H0 E0]] HM]].
  exists (- M)%Z. split; [exists j0; split; [exact H0|lia]|]. intros j Hj. specialize (HM j Hj). simpl in HM. lia.
Qed.

Section Units.
Variable N : nat.
Hypothesis N2 : (2 <= N)%nat.
Notation delta := (delta N).

(** delta is positive. *)
Lemma delta_pos : 0 < delta.
Proof using N2. unfold Statement.delta. pose proof (of_nat_pos N ltac:(lia)). apply Qlt_shift_div_l; lra. Qed.

(** N delta = 1. *)
Lemma delta_N : of_nat N * delta == 1.
Proof using N2. unfold Statement.delta. pose proof (of_nat_pos N ltac:(lia)). field. lra. Qed.

(** Rational comparisons are comparisons of the whole numbers. *)
Lemma units_le a b : (a <= b)%Z <-> inject_Z a * delta <= inject_Z b * delta.
Proof using N2. rewrite Zle_Qle. symmetry. apply Qmult_le_r, delta_pos. Qed.

(** Order in units of delta. *)
Lemma units_lt a b : (a < b)%Z <-> inject_Z a * delta < inject_Z b * delta.
Proof using N2. rewrite Zlt_Qlt. symmetry. apply Qmult_lt_r, delta_pos. Qed.

(** Equality in units of delta. *)
Lemma units_eq a b : a = b <-> inject_Z a * delta == inject_Z b * delta.
Proof using N2.
  split; [intros ->; reflexivity|]. intros H. apply Z.le_antisymm; apply units_le; rewrite H; apply Qle_refl.
Qed.

(** Half of delta. *)
Lemma half : delta / 2 == delta * (1 # 2).
Proof using. field. Qed.

(** At the level or above it: above the first threshold. *)
Lemma above a k : (Z.of_nat k <= a)%Z -> of_nat k * delta - delta / 2 < inject_Z a * delta.
Proof using N2. intros H. apply units_le in H. unfold of_nat. pose proof delta_pos. rewrite half. lra. Qed.

(** At the level or below it: below the second. *)
Lemma below a k : (a <= Z.of_nat k)%Z -> inject_Z a * delta < of_nat k * delta + delta / 2.
Proof using N2. intros H. apply units_le in H. unfold of_nat. pose proof delta_pos. rewrite half. lra. Qed.

(** Above the level: above both. *)
Lemma strictly_above a k : (Z.of_nat k < a)%Z -> of_nat k * delta + delta / 2 < inject_Z a * delta.
Proof using N2.
  intros H. assert (Z.of_nat k + 1 <= a)%Z as H' by lia. apply units_le in H'. rewrite inject_Z_plus in H'.
  unfold of_nat. pose proof delta_pos. rewrite half. change (inject_Z 1) with 1 in H'. lra.
Qed.

(** Below the level: below both. *)
Lemma strictly_below a k : (a < Z.of_nat k)%Z -> inject_Z a * delta < of_nat k * delta - delta / 2.
Proof using N2.
  intros H. assert (a + 1 <= Z.of_nat k)%Z as H' by lia. apply units_le in H'. rewrite inject_Z_plus in H'.
  unfold of_nat. pose proof delta_pos. rewrite half. change (inject_Z 1) with 1 in H'. lra.
Qed.

(** Positive ids. *)
Lemma units_pos a : (0 < a)%Z -> 0 < inject_Z a * delta.
Proof using N2. intros H. apply (proj1 (units_lt _ _)) in H. change (inject_Z 0) with 0 in H. lra. Qed.

(** Negative ids. *)
Lemma units_neg a : (a < 0)%Z -> inject_Z a * delta < 0.
Proof using N2. intros H. apply (proj1 (units_lt _ _)) in H. change (inject_Z 0) with 0 in H. lra. Qed.
End Units.

(** Powers of N^d. *)
Lemma power_B d N m : Z.of_nat (N ^ (m * d)) = (Z.of_nat (B d N) ^ Z.of_nat m)%Z.
Proof. unfold B. rewrite <- Nat2Z.inj_pow, <- Nat.pow_mul_r. f_equal. f_equal. lia. Qed.


(** N^d is at least 2. *)
Lemma B_ge_2 d N : (1 <= d)%nat -> (2 <= N)%nat -> (2 <= B d N)%nat.
Proof.
  intros d1 N2. unfold B. destruct d as [|d']; [lia|]. rewrite Nat.pow_succ_r'.
  pose proof (Nat.pow_nonzero N d' ltac:(lia)). nia.
Qed.

Section Network.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.

Notation delta := (delta N).
Notation ident := (id d N).

(** ** The ids of X, in units of delta *)
Definition ids (X : matrix) (y : nat -> Z) : Prop := forall j, (j < n)%nat -> ident X j == inject_Z (y j) * delta.

(** Equal numbers. *)
Lemma ids_ext X y y' : (forall j, (j < n)%nat -> y j = y' j) -> ids X y -> ids X y'.
Proof using. intros E H j Hj. rewrite <- E by exact Hj. apply H, Hj. Qed.

(** The largest id. *)
Lemma ids_max X y M : ids X y -> is_maxZ n y M -> is_max n (ident X) (inject_Z M * delta).
Proof using N2.
  intros H [[j [Hj E]] HM]. split.
  - exists j. split; [exact Hj|]. rewrite (H j Hj), E. reflexivity.
  - intros k Hk. rewrite (H k Hk). apply (proj1 (units_le N N2 _ _)), HM, Hk.
Qed.

(** The smallest id. *)
Lemma ids_min X y m : ids X y -> is_minZ n y m -> is_min n (ident X) (inject_Z m * delta).
Proof using N2.
  intros H [[j [Hj E]] HM]. split.
  - exists j. split; [exact Hj|]. rewrite (H j Hj), E. reflexivity.
  - intros k Hk. rewrite (H k Hk). apply (proj1 (units_le N N2 _ _)), HM, Hk.
Qed.

(** b5.shift: one selective shift *)
Lemma shift_ids X y M m k : ids X y -> is_maxZ n y M -> is_minZ n y m ->
  ids (attention d n (selective_shift d N k) X)
      (fun j => if (y j =? Z.of_nat k)%Z then (y j + Z.of_nat (B d N) * (M - m))%Z else y j).
Proof using N2 d1 n1.
  intros H HM Hm j Hj. pose proof (H j Hj) as Ej.
  pose proof (ids_max X y M H HM) as QM. pose proof (ids_min X y m H Hm) as Qm.
  set (b1 := of_nat k * delta - delta / 2). set (b2 := of_nat k * delta + delta / 2).
  assert (ident (attention d n (selective_shift d N k) X) j ==
    ident X j + (of_nat (B d N) * head_value d n (psi N (of_nat (B d N)) b1) X j +
                (- of_nat (B d N) * head_value d n (psi N (- of_nat (B d N)) b2) X j + 0))) as ->.
  { exact (id_attention d n N [(of_nat (B d N), b1); (- of_nat (B d N), b2)] X j d1). }
  destruct (Z.eqb_spec (y j) (Z.of_nat k)) as [E|NE].
  - rewrite (head_above d n N _ b1 X j _ ltac:(lia) QM) by (rewrite Ej; apply (above N N2); lia).
    rewrite (head_below d n N _ b2 X j _ ltac:(lia) Qm) by (rewrite Ej; apply (below N N2); lia).
    rewrite Ej. unfold of_nat, Z.sub. rewrite inject_Z_plus, inject_Z_mult, inject_Z_plus, inject_Z_opp. ring.
  - destruct (Z.lt_ge_cases (y j) (Z.of_nat k)) as [Hlt|Hge].
    + rewrite (head_below d n N _ b1 X j _ ltac:(lia) Qm) by (rewrite Ej; apply (strictly_below N N2); lia).
      rewrite (head_below d n N _ b2 X j _ ltac:(lia) Qm) by (rewrite Ej; apply (below N N2); lia).
      rewrite Ej. ring.
    + rewrite (head_above d n N _ b1 X j _ ltac:(lia) QM) by (rewrite Ej; apply (above N N2); lia).
      rewrite (head_above d n N _ b2 X j _ ltac:(lia) QM) by (rewrite Ej; apply (strictly_above N N2); lia).
      rewrite Ej. ring.
Qed.

(** The global shift *)
Lemma global_head X j : ident (attention d n (global_shift d n N) X) j ==
  ident X j + (of_nat (N ^ ((n + 1) * d)) * head_value d n (psi N (of_nat (N ^ ((n + 1) * d))) 0) X j + 0).
Proof using d1. exact (id_attention d n N [(of_nat (N ^ ((n + 1) * d)), 0)] X j d1). Qed.

(** The global shift, from what its head gives. *)
Lemma global_value X y j v : (j < n)%nat -> ids X y ->
  head_value d n (psi N (of_nat (N ^ ((n + 1) * d))) 0) X j == inject_Z v * delta ->
  ident (attention d n (global_shift d n N) X) j ==
  inject_Z (y j + Z.of_nat (B d N) ^ Z.of_nat (n + 1) * v) * delta.
Proof using d1.
  intros Hj H Hv. rewrite global_head, Hv, (H j Hj), <- power_B. unfold of_nat.
  rewrite inject_Z_plus, inject_Z_mult. ring.
Qed.

(** An id above 0 gets the largest. *)
Lemma global_pos X y M j : (j < n)%nat -> ids X y -> is_maxZ n y M -> (0 < y j)%Z ->
  ident (attention d n (global_shift d n N) X) j ==
  inject_Z (y j + Z.of_nat (B d N) ^ Z.of_nat (n + 1) * M) * delta.
Proof using N2 d1 n1.
  intros Hj H HM Hp. apply global_value; [exact Hj|exact H|].
  apply head_above; [lia|apply (ids_max X y M H HM)|]. rewrite (H j Hj). apply (units_pos N N2), Hp.
Qed.

(** An id below 0 gets the smallest. *)
Lemma global_neg X y m j : (j < n)%nat -> ids X y -> is_minZ n y m -> (y j < 0)%Z ->
  ident (attention d n (global_shift d n N) X) j ==
  inject_Z (y j + Z.of_nat (B d N) ^ Z.of_nat (n + 1) * m) * delta.
Proof using N2 d1 n1.
  intros Hj H HM Hp. apply global_value; [exact Hj|exact H|].
  apply head_below; [lia|apply (ids_min X y m H HM)|]. rewrite (H j Hj). apply (units_neg N N2), Hp.
Qed.

(** If all are equal, all get the same. *)
Lemma global_equal X y v j : (j < n)%nat -> ids X y -> (forall k, (k < n)%nat -> y k = v) ->
  ident (attention d n (global_shift d n N) X) j ==
  inject_Z (y j + Z.of_nat (B d N) ^ Z.of_nat (n + 1) * v) * delta.
Proof using N2 d1 n1.
  intros Hj H E. apply global_value; [exact Hj|exact H|].
  apply head_constant; [lia|]. intros k Hk. rewrite (H k Hk), (E k Hk). reflexivity.
Qed.

(** ** The sweep, level by level *)
Definition before (k : nat) (X : matrix) : matrix := run d n (map (selective_shift d N) (seq 0 k)) X.

(** One level more. *)
Lemma before_S k X : before (S k) X = attention d n (selective_shift d N k) (before k X).
Proof using. unfold before, run. rewrite seq_S, map_app, fold_left_app. reflexivity. Qed.

(** The sweep is all N^d levels. *)
Lemma swept_before X j : swept d n N X j = ident (before (B d N) X) j.
Proof using. reflexivity. Qed.

(** Then comes the global shift. *)
Lemma q_before X j : q d n N X j = ident (attention d n (global_shift d n N) (before (B d N) X)) j.
Proof using. unfold q, network, run. rewrite fold_left_app. reflexivity. Qed.

(** ** Contexts without a sentinel: x_j in {0..B-1} *)
Section NoSentinel.
Variable x : nat -> nat.
Hypothesis x_range : forall j, (j < n)%nat -> (x j < B d N)%nat.

Notation BB := (B d N).
Notation PP := (P n BB x).
Notation TT := (T n BB x).
Notation occ := (occupied n x).

Definition level (k : nat) (j : nat) : Z := if Nat.ltb (x j) k then TT (x j) else Z.of_nat (x j).

(** Before the sweep. *)
Lemma level_0 j : level 0 j = Z.of_nat (x j).
Proof using. reflexivity. Qed.

Section TwoIds.
Hypothesis two : exists j j', (j < n)%nat /\ (j' < n)%nat /\ x j <> x j'.

(** With two different ids: the recursion is what the layers do. *)
Lemma before_two X k : ids X (fun j => Z.of_nat (x j)) -> (k <= BB)%nat ->
  ids (before k X) (level k) /\ is_maxZ n (level k) (PP k).
Proof using N2 d1 n1 two.
  intros H0. pose proof (B_ge_2 d N d1 N2) as HB. induction k as [|k IH]; intros Hk.
  - split; [exact H0|]. split.
    + destruct (largest_attained n BB x HB n1 n ltac:(lia)) as [j [Hj E]]. exists j. split; [exact Hj|].
      rewrite level_0, E. reflexivity.
    + intros j Hj. rewrite level_0. simpl. pose proof (x_top n BB x HB n1 j Hj). lia.
  - destruct IH as [HI HM]; [lia|].
    assert (forall j, (j < n)%nat -> (x j < k)%nat -> (Z.of_nat BB <= level k j)%Z) as far.
    { intros j Hj Hlt. unfold level. destruct (Nat.ltb_spec (x j) k); [|lia].
      pose proof (T_beyond n BB x HB n1 two (x j) (occupied_x n BB x HB n1 j Hj)). lia. }
    assert (forall j, (j < n)%nat -> level k j = Z.of_nat k <-> x j = k) as at_k.
    { intros j Hj. split; intros E.
      - destruct (Nat.lt_ge_cases (x j) k) as [Hlt|Hge].
        + specialize (far j Hj Hlt). lia.
        + unfold level in E. destruct (Nat.ltb_spec (x j) k); lia.
      - unfold level. destruct (Nat.ltb_spec (x j) k); lia. }
    assert (forall j, x j <> k -> level (S k) j = level k j) as same.
    { intros j Hne. unfold level. destruct (Nat.ltb_spec (x j) (S k)), (Nat.ltb_spec (x j) k); try lia; reflexivity. }
    assert (forall j, x j = k -> level (S k) j = TT k) as lifted.
    { intros j E. unfold level. destruct (Nat.ltb_spec (x j) (S k)); [rewrite E; reflexivity|lia]. }
    destruct (occ k) eqn:O.
    + assert (is_minZ n (level k) (Z.of_nat k)) as Hm.
      { split.
        - destruct (proj1 (occupied_spec n BB x HB n1 k) O) as [j [Hj E]]. exists j.
          split; [exact Hj|apply at_k; assumption].
        - intros j Hj. destruct (Nat.lt_ge_cases (x j) k) as [Hlt|Hge]; [specialize (far j Hj Hlt); lia|].
          unfold level. destruct (Nat.ltb_spec (x j) k); lia. }
      rewrite before_S, P_S, O. split.
      * eapply ids_ext; [|apply (shift_ids _ _ _ _ k HI HM Hm)]. intros j Hj. simpl.
        destruct (Z.eqb_spec (level k j) (Z.of_nat k)) as [E|NE].
        -- rewrite lifted by (apply at_k; assumption). rewrite E. reflexivity.
        -- symmetry. apply same. intros E. apply NE, at_k; assumption.
      * split.
        -- destruct (proj1 (occupied_spec n BB x HB n1 k) O) as [j [Hj E]]. exists j. split; [exact Hj|apply lifted, E].
        -- intros j Hj. destruct (Nat.eq_dec (x j) k) as [E|NE]; [rewrite lifted by exact E; lia|].
           rewrite same by exact NE. pose proof (T_gt_P n BB x HB n1 two k O).
           pose proof (proj2 HM j Hj). lia.
    + assert (forall j, (j < n)%nat -> x j <> k) as none.
      { intros j Hj E. rewrite <- E, (occupied_x n BB x HB n1 j Hj) in O. discriminate. }
      destruct (minZ_exists n (level k) ltac:(lia)) as [m Hm].
      rewrite before_S, P_S, O. split.
      * eapply ids_ext; [|apply (shift_ids _ _ _ _ k HI HM Hm)]. intros j Hj. simpl.
        destruct (Z.eqb_spec (level k j) (Z.of_nat k)) as [E|NE].
        -- apply at_k in E; [|exact Hj]. exfalso. apply (none j Hj E).
        -- symmetry. apply same, none, Hj.
      * destruct HM as [[j [Hj E]] HM]. split.
        -- exists j. split; [exact Hj|]. rewrite same by (apply none, Hj). exact E.
        -- intros i Hi. rewrite same by (apply none, Hi). apply HM, Hi.
Qed.
End TwoIds.

(** All ids equal: nothing changes. *)
Section OneId.
Variable v : nat.
Hypothesis equal : forall j, (j < n)%nat -> x j = v.

(** With equal ids the largest is this one, *)
Lemma P_equal k : PP k = Z.of_nat v.
Proof using N2 d1 equal n1.
  pose proof (B_ge_2 d N d1 N2) as HB.
  assert (top n x = v) as E0.
  { destruct (largest_attained n BB x HB n1 n ltac:(lia)) as [j [Hj E]]. unfold top. rewrite <- E. apply equal, Hj. }
  induction k as [|k IH]; [simpl; rewrite E0; reflexivity|]. rewrite P_S. unfold T. rewrite IH.
  destruct (occ k) eqn:O; [|reflexivity]. apply (occupied_spec n BB x HB n1) in O. destruct O as [j [Hj E]].
  rewrite (equal j Hj) in E. subst k. ring.
Qed.

(** and it is not lifted. *)
Lemma T_equal j : (j < n)%nat -> TT (x j) = Z.of_nat v.
Proof using N2 d1 equal n1. intros Hj. unfold T. rewrite P_equal, (equal j Hj). ring. Qed.

(** The layers do nothing. *)
Lemma before_equal X k : ids X (fun j => Z.of_nat (x j)) -> ids (before k X) (fun j => Z.of_nat (x j)).
Proof using N2 d1 equal n1.
  intros H0. induction k as [|k IH]; [exact H0|]. rewrite before_S.
  assert (is_maxZ n (fun j => Z.of_nat (x j)) (Z.of_nat v)) as HM.
  { split; [exists O; split; [lia|rewrite equal by lia; reflexivity]|]. intros j Hj. rewrite equal by exact Hj. lia. }
  assert (is_minZ n (fun j => Z.of_nat (x j)) (Z.of_nat v)) as Hm.
  { split; [exists O; split; [lia|rewrite equal by lia; reflexivity]|]. intros j Hj. rewrite equal by exact Hj. lia. }
  eapply ids_ext; [|apply (shift_ids _ _ _ _ k IH HM Hm)]. intros j Hj. simpl.
  destruct (Z.of_nat (x j) =? Z.of_nat k)%Z; [ring|reflexivity].
Qed.
End OneId.

(** All ids are equal, or two aren't. *)
Lemma one_or_two : (forall j, (j < n)%nat -> x j = x O) \/ exists j j', (j < n)%nat /\ (j' < n)%nat /\ x j <> x j'.
Proof using N2 d1 n1.
  destruct (forallb (fun j => Nat.eqb (x j) (x O)) (seq 0 n)) eqn:E.
  - left. intros j Hj. rewrite forallb_forall in E. apply Nat.eqb_eq, E, in_seq. lia.
  - right. assert (exists j, In j (seq 0 n) /\ Nat.eqb (x j) (x O) = false) as [j [Hj F]].
    { clear -E. induction (seq 0 n) as [|a l IH]; simpl in E; [discriminate|].
      destruct (Nat.eqb (x a) (x O)) eqn:Ea.
      - destruct IH as [j [Hj F]]; [exact E|]. exists j. split; [right; exact Hj|exact F].
      - exists a. split; [left; reflexivity|exact Ea]. }
    apply in_seq in Hj. apply Nat.eqb_neq in F. exists j, O. split; [lia|split; [lia|exact F]].
Qed.

(** After the sweep, equal ids or not, the id of column j is T (x j) and the largest one is P B. *)
Theorem sweep_ids X : ids X (fun j => Z.of_nat (x j)) ->
  ids (before BB X) (fun j => TT (x j)) /\ is_maxZ n (fun j => TT (x j)) (PP BB).
Proof using N2 d1 n1 x_range.
  intros H0. destruct one_or_two as [E|two].
  - split.
    + eapply ids_ext; [|apply (before_equal (x O) E X BB H0)]. intros j Hj. simpl.
      rewrite (T_equal (x O) E j Hj), (E j Hj). reflexivity.
    + rewrite (P_equal (x O) E). split.
      * exists O. split; [lia|]. apply (T_equal (x O) E O). lia.
      * intros j Hj. rewrite (T_equal (x O) E j Hj). lia.
  - destruct (before_two two X BB H0 (le_n _)) as [HI [[j [Hj E]] HM]].
    assert (forall i, (i < n)%nat -> level BB i = TT (x i)) as full.
    { intros i Hi. unfold level. pose proof (x_range i Hi). destruct (Nat.ltb_spec (x i) BB); [reflexivity|lia]. }
    split; [|split].
    + eapply ids_ext; [|exact HI]. exact full.
    + exists j. split; [exact Hj|]. rewrite <- full by exact Hj. exact E.
    + intros i Hi. rewrite <- full by exact Hi. apply HM, Hi.
Qed.

(** The sweep is the recursion. *)
Theorem sweep_swept X j : ids X (fun j => Z.of_nat (x j)) -> (j < n)%nat ->
  swept d n N X j == inject_Z (TT (x j)) * delta.
Proof using N2 d1 n1 x_range. intros H0 Hj. rewrite swept_before. apply (proj1 (sweep_ids X H0)), Hj. Qed.

(** b5.global *)
Theorem network_q X j : ids X (fun j => Z.of_nat (x j)) -> (j < n)%nat ->
  q d n N X j == inject_Z (TT (x j) + Z.of_nat BB ^ Z.of_nat (n + 1) * PP BB) * delta.
Proof using N2 d1 n1 x_range.
  intros H0 Hj. rewrite q_before. destruct (sweep_ids X H0) as [HI HM]. destruct one_or_two as [E|two].
  - rewrite (P_equal (x O) E). apply (global_equal _ _ _ j Hj HI). intros k Hk. apply (T_equal (x O) E k Hk).
  - apply (global_pos _ _ _ j Hj HI HM).
    pose proof (B_ge_2 d N d1 N2) as HB. pose proof (T_beyond n BB x HB n1 two (x j) (occupied_x n BB x HB n1 j Hj)).
    lia.
Qed.
End NoSentinel.

(** ** Contexts with a sentinel: z_j in {0..B-1}, or z_j <= -B^n, one of these at least *)
Section Sentinel.
Variable z : nat -> Z.
Notation BZ := (Z.of_nat (B d N)).
Hypothesis z_range : forall j, (j < n)%nat -> (0 <= z j < BZ \/ z j <= - BZ ^ Z.of_nat n)%Z.
Hypothesis z_negative : exists j, (j < n)%nat /\ (z j <= - BZ ^ Z.of_nat n)%Z.

(** Powers are positive. *)
Lemma power_pos m : (0 < BZ ^ Z.of_nat m)%Z.
Proof using N2 d1 n1. apply Z.pow_pos_nonneg; [pose proof (B_ge_2 d N d1 N2)|]; lia. Qed.

(** The next power. *)
Lemma power_S m : (BZ ^ Z.of_nat (m + 1) = BZ * BZ ^ Z.of_nat m)%Z.
Proof using N2 d1 n1. rewrite Nat.add_1_r, Nat2Z.inj_succ, Z.pow_succ_r by lia. reflexivity. Qed.

(** b5.cat3-minimum, b5.cat3-shift *)
Lemma before_sentinel X k : ids X z -> (k <= B d N)%nat ->
  exists y, ids (before k X) y /\ forall j, (j < n)%nat ->
    ((0 <= z j < Z.of_nat k)%Z -> (BZ ^ Z.of_nat (n + 1) <= y j)%Z) /\
    (~ (0 <= z j < Z.of_nat k)%Z -> y j = z j).
Proof using N2 d1 n1 z_negative.
  intros H0. pose proof (B_ge_2 d N d1 N2) as HB. induction k as [|k IH]; intros Hk.
  - exists z. split; [exact H0|]. intros j Hj. split; [lia|reflexivity].
  - destruct IH as [y [HI Hy]]; [lia|].
    destruct (maxZ_exists n y ltac:(lia)) as [M HM]. destruct (minZ_exists n y ltac:(lia)) as [m Hm].
    assert (m <= - BZ ^ Z.of_nat n)%Z as Hneg.
    { destruct z_negative as [j [Hj Hz]]. pose proof (proj2 Hm j Hj) as Hmj.
      rewrite (proj2 (Hy j Hj)) in Hmj by (pose proof (power_pos n); lia). lia. }
    pose proof (power_pos n) as Pn. pose proof (power_S n) as PS.
    exists (fun j => if (y j =? Z.of_nat k)%Z then (y j + BZ * (M - m))%Z else y j). split.
    + rewrite before_S. apply (shift_ids _ _ _ _ k HI HM Hm).
    + intros j Hj. destruct (Hy j Hj) as [Hfar Hsame]. pose proof (proj2 HM j Hj) as HMj.
      destruct (Z.eqb_spec (y j) (Z.of_nat k)) as [E|NE].
      * assert (z j = Z.of_nat k) as Ez.
        { destruct (Z_lt_dec (z j) (Z.of_nat k)) as [Hlt|Hge]; [|rewrite Hsame in E by lia; exact E].
          destruct (Z_le_dec 0 (z j)) as [Hp|Hn]; [|rewrite Hsame in E by lia; exact E].
          specialize (Hfar ltac:(lia)). nia. }
        split; [intros _|lia]. rewrite PS. nia.
      * split; intros Hz.
        -- destruct (Z.eq_dec (z j) (Z.of_nat k)) as [Ez|]; [|apply Hfar; lia].
           exfalso. apply NE. rewrite Hsame by lia. exact Ez.
        -- apply Hsame. lia.
Qed.

(** b5.cat3-final *)
Theorem sentinel_q X j : ids X z -> (j < n)%nat ->
  exists v, q d n N X j == inject_Z v * delta /\
    (v < 0 \/ BZ ^ Z.of_nat (n + 1) * BZ ^ Z.of_nat (n + 1) <= v)%Z.
Proof using N2 d1 n1 z_negative z_range.
  intros H0 Hj. destruct (before_sentinel X (B d N) H0 (le_n _)) as [y [HI Hy]].
  destruct (maxZ_exists n y ltac:(lia)) as [M HM]. destruct (minZ_exists n y ltac:(lia)) as [m Hm].
  pose proof (power_pos n). pose proof (power_pos (n + 1)).
  destruct (Hy j Hj) as [Hfar Hsame]. destruct (z_range j Hj) as [Hr|Hr].
  - specialize (Hfar Hr). pose proof (proj2 HM j Hj).
    exists (y j + BZ ^ Z.of_nat (n + 1) * M)%Z. split.
    + rewrite q_before. apply (global_pos _ _ _ j Hj HI HM). lia.
    + right. nia.
  - specialize (Hsame ltac:(lia)). pose proof (proj2 Hm j Hj).
    exists (y j + BZ ^ Z.of_nat (n + 1) * m)%Z. split.
    + rewrite q_before. apply (global_neg _ _ _ j Hj HI Hm). lia.
    + left. nia.
Qed.
End Sentinel.
End Network.
