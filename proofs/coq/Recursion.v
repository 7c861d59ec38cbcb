(** The sweep as a recursion in whole numbers (units of delta), on ids x_0, ..., x_(n-1) in {0..B-1}.

    P k is the largest id before level k; an occupied level k lifts its columns to T k = k + B (P k - k).
    Nothing here knows of networks; [Network.v] shows that the literal sweep does this. *)

From Coq Require Import ZArith List Arith Bool Lia.
Import ListNotations.
Open Scope Z_scope.

Section Recursion.
Variables (n B : nat) (x : nat -> nat).
Hypothesis B2 : (2 <= B)%nat.
Hypothesis n1 : (1 <= n)%nat.
Hypothesis x_range : forall j, (j < n)%nat -> (x j < B)%nat.

Definition occupied (k : nat) : bool := existsb (fun j => Nat.eqb (x j) k) (seq 0 n).

(** A level is occupied if an id is there. *)
Lemma occupied_spec k : occupied k = true <-> exists j, (j < n)%nat /\ x j = k.
Proof using B2 n1.
  unfold occupied. rewrite existsb_exists. split.
  - intros [j [Hj E]]. apply in_seq in Hj. apply Nat.eqb_eq in E. exists j. split; [lia|exact E].
  - intros [j [Hj E]]. exists j. split; [apply in_seq; lia|apply Nat.eqb_eq, E].
Qed.

(** The level of an id is. *)
Lemma occupied_x j : (j < n)%nat -> occupied (x j) = true.
Proof using B2 n1. intros H. apply occupied_spec. exists j. auto. Qed.

(** The largest id. *)
Fixpoint largest (m : nat) : nat := match m with O => O | S m' => Nat.max (largest m') (x m') end.
Definition top : nat := largest n.

(** The largest is at least each. *)
Lemma largest_le m j : (j < m)%nat -> (x j <= largest m)%nat.
Proof using B2 n1.
  induction m as [|m IH]; intros H; [lia|]. simpl.
  destruct (Nat.eq_dec j m) as [->|]; [lia|]. specialize (IH ltac:(lia)). lia.
Qed.

(** It is one of them. *)
Lemma largest_attained m : (0 < m)%nat -> exists j, (j < m)%nat /\ x j = largest m.
Proof using B2 n1.
  induction m as [|m IH]; intros H; [lia|]. simpl.
  destruct (Nat.leb_spec (largest m) (x m)).
  - exists m. split; lia.
  - destruct m as [|m]; [simpl in *; lia|]. destruct IH as [j [Hj E]]; [lia|]. exists j. split; lia.
Qed.

(** All ids are at most the top. *)
Lemma x_top j : (j < n)%nat -> (x j <= top)%nat.
Proof using B2 n1. apply largest_le. Qed.

(** The top is occupied. *)
Lemma top_occupied : occupied top = true.
Proof using B2 n1. destruct (largest_attained n ltac:(lia)) as [j [Hj E]]. apply occupied_spec. exists j. auto. Qed.

(** It is below B. *)
Lemma top_range : (top < B)%nat.
Proof using B2 n1 x_range. destruct (largest_attained n ltac:(lia)) as [j [Hj E]]. unfold top. rewrite <- E.
  apply x_range, Hj. Qed.

Fixpoint P (k : nat) : Z :=
  match k with
  | O => Z.of_nat top
  | S k' => if occupied k' then Z.of_nat k' + Z.of_nat B * (P k' - Z.of_nat k') else P k'
  end.
Definition T (k : nat) : Z := Z.of_nat k + Z.of_nat B * (P k - Z.of_nat k).

(** One level more. *)
Lemma P_S k : P (S k) = if occupied k then T k else P k.
Proof using. reflexivity. Qed.

(** How many levels below k are occupied. *)
Fixpoint count (k : nat) : nat := match k with O => O | S k' => ((if occupied k' then 1 else 0) + count k')%nat end.

(** ** The bounds of Lemma 10, level by level: D k = P k - top *)
Definition D (k : nat) : Z := P k - Z.of_nat top.

(** One level more. *)
Lemma D_S k : D (S k) = if occupied k then Z.of_nat B * D k + (Z.of_nat B - 1) * (Z.of_nat top - Z.of_nat k) else D k.
Proof using. unfold D. rewrite P_S. destruct (occupied k); unfold T; ring. Qed.

(** Occupied levels are at most the top. *)
Lemma occupied_le_top k : occupied k = true -> (k <= top)%nat.
Proof using B2 n1. intros H. apply occupied_spec in H. destruct H as [j [Hj <-]]. apply x_top, Hj. Qed.

(** P is never below the top: *)
Lemma D_nonneg k : 0 <= D k.
Proof using B2 n1.
  induction k as [|k IH]; [unfold D; simpl; lia|]. rewrite D_S. destruct (occupied k) eqn:E; [|exact IH].
  apply occupied_le_top in E. nia.
Qed.

(** this. *)
Lemma P_ge_top k : Z.of_nat top <= P k.
Proof using B2 n1. pose proof (D_nonneg k). unfold D in *. lia. Qed.

(** What is lifted becomes the largest. *)
Lemma T_ge_P k : occupied k = true -> P k <= T k.
Proof using B2 n1. intros E. apply occupied_le_top in E. pose proof (P_ge_top k). unfold T. nia. Qed.

(** P grows. *)
Lemma P_mono k m : (k <= m)%nat -> P k <= P m.
Proof using B2 n1.
  induction 1 as [|m H IH]; [lia|]. rewrite P_S. destruct (occupied m) eqn:E; [|exact IH].
  pose proof (T_ge_P m E). lia.
Qed.

(** Upper: D k <= (B^count - 1) (B - 1). *)
Lemma D_upper k : D k <= (Z.of_nat B ^ Z.of_nat (count k) - 1) * (Z.of_nat B - 1).
Proof using B2 n1 x_range.
  induction k as [|k IH]; [unfold D; simpl; lia|]. rewrite D_S. simpl count.
  destruct (occupied k) eqn:E; [|exact IH].
  change ((1 + count k)%nat) with (S (count k)). rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
  pose proof top_range. nia.
Qed.

(** Lower, with two different ids: D k >= B^(count - 1) (B - 1). *)
Section TwoIds.
Hypothesis two : exists j j', (j < n)%nat /\ (j' < n)%nat /\ x j <> x j'.

(** With two ids one is below the top. *)
Lemma below_top : exists k, occupied k = true /\ (k < top)%nat.
Proof using B2 n1 two.
  destruct two as [j [j' [Hj [Hj' Hne]]]]. pose proof (x_top j Hj). pose proof (x_top j' Hj').
  destruct (Nat.eq_dec (x j) top).
  - exists (x j'). split; [apply occupied_x, Hj'|lia].
  - exists (x j). split; [apply occupied_x, Hj|lia].
Qed.

(** The lower bound. *)
Lemma D_lower k : (0 < count k)%nat ->
  Z.of_nat B ^ (Z.of_nat (count k) - 1) * (Z.of_nat B - 1) <= D k.
Proof using B2 n1 two.
  induction k as [|k IH]; [simpl; lia|]. simpl count. rewrite D_S.
  destruct (occupied k) eqn:E; [|exact IH]. intros _.
  destruct (Nat.eq_dec (count k) 0) as [Z0|NZ].
  - rewrite Z0. replace (Z.of_nat (1 + 0) - 1) with 0 by lia. rewrite Z.pow_0_r.
    assert (k < top)%nat.
    { destruct below_top as [k0 [O0 H0]]. pose proof (occupied_le_top k E).
      destruct (Nat.eq_dec k top) as [->|]; [|lia]. exfalso. clear -O0 H0 Z0.
      assert (forall m, (k0 < m)%nat -> (0 < count m)%nat) as C.
      { induction m as [|m IHm]; intros Hm; [lia|]. simpl. destruct (Nat.eq_dec k0 m) as [->|].
        - rewrite O0. lia.
        - specialize (IHm ltac:(lia)). lia. }
      specialize (C top H0). lia. }
    pose proof (D_nonneg k). nia.
  - specialize (IH ltac:(lia)). pose proof (occupied_le_top k E).
    replace (Z.of_nat (1 + count k) - 1) with (Z.succ (Z.of_nat (count k) - 1)) by lia.
    rewrite Z.pow_succ_r by lia.
    assert (0 <= (Z.of_nat B - 1) * (Z.of_nat top - Z.of_nat k)) by nia. nia.
Qed.

(** An occupied level is below P: there are two ids. *)
Lemma P_gt k : occupied k = true -> Z.of_nat k + 1 <= P k.
Proof using B2 n1 two.
  intros E. pose proof (occupied_le_top k E). destruct (Nat.eq_dec k top) as [->|]; [|pose proof (P_ge_top k); lia].
  destruct below_top as [k0 [O0 H0]].
  assert (Z.of_nat top + 1 <= P (S k0)) as Hk.
  { rewrite P_S, O0. unfold T. pose proof (P_ge_top k0). nia. }
  pose proof (P_mono (S k0) top ltac:(lia)). lia.
Qed.

(** What is lifted goes beyond all. *)
Lemma T_gt_P k : occupied k = true -> P k < T k.
Proof using B2 n1 two. intros E. pose proof (P_gt k E). unfold T. nia. Qed.

(** A shifted id lies beyond every level. *)
Lemma T_beyond k : occupied k = true -> Z.of_nat k + Z.of_nat B <= T k.
Proof using B2 n1 two. intros E. pose proof (P_gt k E). unfold T. nia. Qed.

(** b5.order *)
Lemma T_mono k k' : occupied k = true -> occupied k' = true -> (k < k')%nat -> T k < T k'.
Proof using B2 n1 two.
  intros E E' H. pose proof (T_gt_P k' E'). pose proof (P_mono (S k) k' ltac:(lia)) as HP.
  rewrite P_S, E in HP. lia.
Qed.
End TwoIds.

(** After the last level P is T of the largest id. *)
Lemma P_after k : (top < k)%nat -> P k = T top /\ count k = S (count top).
Proof using B2 n1.
  induction k as [|k IH]; intros H; [lia|]. rewrite P_S. simpl count.
  destruct (Nat.eq_dec k top) as [->|].
  - rewrite top_occupied. split; reflexivity.
  - destruct IH as [E1 E2]; [lia|]. destruct (occupied k) eqn:E; [apply occupied_le_top in E; lia|].
    split; [exact E1|simpl; exact E2].
Qed.

(** The upper bound, after all levels. *)
Lemma final_upper m : count B = m -> (1 <= m)%nat ->
  P B <= Z.of_nat B ^ Z.of_nat m * (Z.of_nat B - 1) - (Z.of_nat B - 1) * (Z.of_nat B - 1).
Proof using B2 n1 x_range.
  intros Em Hm. destruct (P_after B top_range) as [E1 E2]. rewrite E1. unfold T.
  pose proof (D_upper top) as U. unfold D in U. pose proof top_range.
  replace (Z.of_nat m) with (Z.succ (Z.of_nat (count top))) by lia. rewrite Z.pow_succ_r by lia. nia.
Qed.

(** ** How many distinct ids there are *)
Lemma count_length k : count k = length (filter occupied (seq 0 k)).
Proof using B2 n1.
  induction k as [|k IH]; [reflexivity|]. rewrite seq_S, filter_app, app_length. simpl.
  rewrite <- IH. destruct (occupied k); simpl; lia.
Qed.

(** Different ids: n of them. *)
Lemma count_injective : (forall j j', (j < n)%nat -> (j' < n)%nat -> x j = x j' -> j = j') -> count B = n.
Proof using B2 n1 x_range.
  intros inj. rewrite count_length. apply Nat.le_antisymm.
  - assert (length (map x (seq 0 n)) = n) as W by (rewrite map_length, seq_length; reflexivity).
    rewrite <- W. clear W.
    apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|].
    intros k Hk. apply filter_In in Hk. destruct Hk as [_ Hk]. apply occupied_spec in Hk.
    destruct Hk as [j [Hj <-]]. apply in_map, in_seq. lia.
  - assert (length (map x (seq 0 n)) = n) as W by (rewrite map_length, seq_length; reflexivity).
    rewrite <- W. clear W. apply NoDup_incl_length.
    + assert (forall l, NoDup l -> (forall j, In j l -> (j < n)%nat) -> NoDup (map x l)) as M.
      { induction l as [|a l IH]; intros Hnd Hin; [constructor|]. inversion Hnd; subst. simpl. constructor.
        - intros Hi. apply in_map_iff in Hi. destruct Hi as [b [Eb Hb]].
          assert (b = a) as -> by (apply inj; [apply Hin; right; exact Hb|apply Hin; left; reflexivity|exact Eb]).
          contradiction.
        - apply IH; [assumption|]. intros j Hj. apply Hin. right. exact Hj. }
      apply M; [apply seq_NoDup|]. intros j Hj. apply in_seq in Hj. lia.
    + intros k Hk. apply in_map_iff in Hk. destruct Hk as [j [<- Hj]]. apply in_seq in Hj.
      apply filter_In. split; [apply in_seq; pose proof (x_range j ltac:(lia)); lia|apply occupied_x; lia].
Qed.

(** Two equal ones: fewer. *)
Lemma count_not_injective j0 j1 : (j0 < n)%nat -> (j1 < n)%nat -> j0 <> j1 -> x j0 = x j1 -> (count B <= n - 1)%nat.
Proof using B2 n1.
  intros H0 H1 Hne E. rewrite count_length.
  assert (length (remove Nat.eq_dec j1 (seq 0 n)) = n - 1)%nat as L.
  { assert (forall l, NoDup l -> In j1 l -> length (remove Nat.eq_dec j1 l) = length l - 1)%nat as R.
    { induction l as [|a l IH]; intros Hnd Hin; [contradiction|]. inversion Hnd; subst. simpl.
      destruct (Nat.eq_dec j1 a) as [->|Ha].
      - rewrite notin_remove by assumption. lia.
      - destruct Hin as [->|Hin]; [contradiction|]. simpl. rewrite IH by assumption.
        destruct l; [contradiction|simpl; lia]. }
    rewrite R; [rewrite seq_length; reflexivity|apply seq_NoDup|apply in_seq; lia]. }
  rewrite <- L, <- (map_length x (remove Nat.eq_dec j1 (seq 0 n))).
  apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|].
  intros k Hk. apply filter_In in Hk. destruct Hk as [_ Hk]. apply occupied_spec in Hk.
  destruct Hk as [j [Hj <-]]. destruct (Nat.eq_dec j j1) as [->|].
  - rewrite <- E. apply in_map, in_in_remove; [exact Hne|apply in_seq; lia].
  - apply in_map, in_in_remove; [assumption|apply in_seq; lia].
Qed.
End Recursion.

(** ** Injectivity (Lemma 10): the decoder, one residue mod B after the other *)
Lemma last_occupied n B x k : (0 < count n x k)%nat ->
  exists m, (m < k)%nat /\ occupied n x m = true /\ P n B x k = T n B x m /\ count n x k = S (count n x m) /\
    forall i, (m < i < k)%nat -> occupied n x i = false.
Proof.
  induction k as [|k IH]; simpl; [lia|]. destruct (occupied n x k) eqn:E; intros H.
  - exists k. repeat split; auto; intros; lia.
  - destruct IH as [m [H1 [H2 [H3 [H4 H5]]]]]; [lia|]. exists m. do 4 (split; [auto; lia|]).
    intros i Hi. destruct (Nat.eq_dec i k) as [->|]; [exact E|apply H5; lia].
Qed.

(** Equal results, equal ids, from the last level to the first. *)
Lemma decode n B x n' x' : (2 <= B)%nat -> forall c k k', (k <= B)%nat -> (k' <= B)%nat ->
  count n x k = c -> count n' x' k' = c -> P n B x k = P n' B x' k' ->
  forall i, (occupied n x i = true /\ (i < k)%nat) <-> (occupied n' x' i = true /\ (i < k')%nat).
Proof.
  intros B2. induction c as [|c IH]; intros k k' Hk Hk' E E' EP.
  - assert (forall m y l, count m y l = 0%nat -> forall i, (i < l)%nat -> occupied m y i = false) as none.
    { intros m y. induction l as [|l IHl]; intros C i Hi; [lia|]. simpl in C. destruct (occupied m y l) eqn:O; [lia|].
      destruct (Nat.eq_dec i l) as [->|]; [exact O|apply IHl; [lia|lia]]. }
    intros i. split; intros [O Hi]; [rewrite (none _ _ _ E i Hi) in O|rewrite (none _ _ _ E' i Hi) in O]; discriminate.
  - destruct (last_occupied n B x k) as [m [H1 [H2 [H3 [H4 H5]]]]]; [lia|].
    destruct (last_occupied n' B x' k') as [m' [H1' [H2' [H3' [H4' H5']]]]]; [lia|].
    rewrite H3, H3' in EP. unfold T in EP.
    assert (m = m') as <-.
    { apply Nat2Z.inj.
      rewrite <- (Z.mod_small (Z.of_nat m) (Z.of_nat B)) by lia.
      rewrite <- (Z.mod_small (Z.of_nat m') (Z.of_nat B)) by lia.
      rewrite <- (Z.mod_add (Z.of_nat m) (P n B x m - Z.of_nat m)) by lia.
      rewrite <- (Z.mod_add (Z.of_nat m') (P n' B x' m' - Z.of_nat m')) by lia.
      f_equal. lia. }
    assert (P n B x m = P n' B x' m) as EP' by nia.
    specialize (IH m m ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) EP').
    intros i. split; intros [O Hi].
    + destruct (lt_eq_lt_dec i m) as [[Hlt|Heq]|Hgt].
      * destruct (proj1 (IH i) (conj O Hlt)). split; [assumption|lia].
      * subst i. split; [assumption|lia].
      * rewrite H5 in O by lia. discriminate.
    + destruct (lt_eq_lt_dec i m) as [[Hlt|Heq]|Hgt].
      * destruct (proj2 (IH i) (conj O Hlt)). split; [assumption|lia].
      * subst i. split; [assumption|lia].
      * rewrite H5' in O by lia. discriminate.
Qed.
