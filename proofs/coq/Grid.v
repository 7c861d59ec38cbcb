(** The grids: an entry as a whole number of deltas, the id of a column as a base-N expansion, the three categories. *)

From Coq Require Import QArith Qround List Arith ZArith Bool Lia Lqa Setoid Morphisms.
From Contextual Require Finite.
From Contextual Require Import Statement Heads Recursion Network.
Import ListNotations.
Open Scope Q_scope.

(** ** Bounded search *)
Lemma all_or_some m (A B : nat -> Prop) : (forall i, (i < m)%nat -> A i \/ B i) ->
  (forall i, (i < m)%nat -> A i) \/ exists i, (i < m)%nat /\ B i.
Proof.
  induction m as [|m IH]; intros H; [left; intros; lia|].
  destruct IH as [HA|[i [Hi HB]]]; [intros; apply H; lia| |right; exists i; split; [lia|exact HB]].
  destruct (H m ltac:(lia)) as [Am|Bm]; [|right; exists m; split; [lia|exact Bm]].
  left. intros i Hi. destruct (Nat.eq_dec i m) as [->|]; [exact Am|apply HA; lia].
Qed.

(** All pairs have one property, or some pair has the other. *)
Lemma all_or_some2 m k (A B : nat -> nat -> Prop) :
  (forall i j, (i < m)%nat -> (j < k)%nat -> A i j \/ B i j) ->
  (forall i j, (i < m)%nat -> (j < k)%nat -> A i j) \/ exists i j, (i < m)%nat /\ (j < k)%nat /\ B i j.
Proof.
  intros H.
  destruct (all_or_some m (fun i => forall j, (j < k)%nat -> A i j) (fun i => exists j, (j < k)%nat /\ B i j))
    as [HA|[i [Hi [j [Hj HB]]]]].
  - intros i Hi. apply all_or_some. intros j Hj. apply H; assumption.
  - left. intros i j Hi Hj. apply HA; assumption.
  - right. exists i, j. auto.
Qed.

(** ** Base-N expansions *)
Fixpoint sumZ (m : nat) (f : nat -> Z) : Z := match m with O => 0%Z | S m' => (sumZ m' f + f m')%Z end.

(** They are [Finite.v]'s sums. *)
Lemma Z_sums : Finite.summation eq Z.add 0%Z sumZ.
Proof. split; try exact _; intros; ring || reflexivity. Qed.

Section Digits.
Variable b : Z.
Hypothesis b2 : (2 <= b)%Z.
Open Scope Z_scope.

Definition expand (m : nat) (f : nat -> Z) : Z := sumZ m (fun i => b ^ Z.of_nat i * f i).

(** The expansion with one digit more. *)
Lemma expand_S m f : expand (S m) f = expand m f + b ^ Z.of_nat m * f m.
Proof using. reflexivity. Qed.

(** The next power. *)
Lemma pow_S m : b ^ Z.of_nat (S m) = b * b ^ Z.of_nat m.
Proof using. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. reflexivity. Qed.

(** Powers are at least 1. *)
Lemma pow_ge_1 m : 1 <= b ^ Z.of_nat m.
Proof using b2. pose proof (Z.pow_pos_nonneg b (Z.of_nat m) ltac:(lia) ltac:(lia)). lia. Qed.

(** m digits give less than b^m. *)
Lemma expand_upper m f : (forall i, (i < m)%nat -> f i < b) -> expand m f <= b ^ Z.of_nat m - 1.
Proof using b2.
  induction m as [|m IH]; intros H; [cbn; lia|]. rewrite expand_S, pow_S.
  specialize (IH ltac:(intros; apply H; lia)). specialize (H m ltac:(lia)). pose proof (pow_ge_1 m). nia.
Qed.

(** Digits that aren't negative. *)
Lemma expand_nonneg m f : (forall i, (i < m)%nat -> 0 <= f i) -> 0 <= expand m f.
Proof using b2.
  induction m as [|m IH]; intros H; [cbn; lia|]. rewrite expand_S.
  specialize (IH ltac:(intros; apply H; lia)). specialize (H m ltac:(lia)). pose proof (pow_ge_1 m). nia.
Qed.

(** b5.ids: the digits are determined by the id. *)
Lemma expand_inj m f g : (forall i, (i < m)%nat -> 0 <= f i < b) -> (forall i, (i < m)%nat -> 0 <= g i < b) ->
  expand m f = expand m g -> forall i, (i < m)%nat -> f i = g i.
Proof using b2.
  induction m as [|m IH]; intros Hf Hg E i Hi; [lia|]. rewrite !expand_S in E.
  pose proof (expand_upper m f ltac:(intros; apply Hf; lia)).
  pose proof (expand_upper m g ltac:(intros; apply Hg; lia)).
  pose proof (expand_nonneg m f ltac:(intros; apply Hf; lia)).
  pose proof (expand_nonneg m g ltac:(intros; apply Hg; lia)).
  assert (f m = g m) as Em.
  { destruct (Z.lt_trichotomy (f m) (g m)) as [H3|[H3|H3]]; [exfalso; nia|exact H3|exfalso; nia]. }
  destruct (Nat.eq_dec i m) as [->|]; [exact Em|]. apply IH; try (intros; (apply Hf || apply Hg); lia); try lia.
Qed.

(** b5.ids-sentinel: one digit -s, s >= 0, outweighs all the others. *)
Lemma expand_sentinel m f s : 0 <= s -> (forall i, (i < m)%nat -> f i = - s \/ f i < b) ->
  (exists i, (i < m)%nat /\ f i = - s) -> expand m f <= - s + b ^ Z.of_nat m - 1.
Proof using b2.
  intros Hs. induction m as [|m IH]; intros H [i [Hi Ei]]; [lia|]. rewrite expand_S, pow_S. pose proof (pow_ge_1 m).
  destruct (Nat.eq_dec i m) as [->|Hne].
  - rewrite Ei. pose proof (expand_upper m f) as U.
    assert (forall i, (i < m)%nat -> f i < b) as Hb by (intros k Hk; destruct (H k ltac:(lia)); lia).
    specialize (U Hb). nia.
  - specialize (IH ltac:(intros; apply H; lia) ltac:(exists i; split; [lia|exact Ei])).
    assert (f m < b) by (destruct (H m ltac:(lia)); lia). nia.
Qed.
End Digits.

Section Grid.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Notation delta := (delta N).
Notation NZ := (Z.of_nat N).
Notation BZ := (Z.of_nat (B d N)).

(** An entry in units of delta. *)
Definition entry (L : matrix) (i j : nat) : Z := Qfloor (L i j * of_nat N).

(** An entry in units of delta. *)
Lemma entry_units L i j k : L i j == inject_Z k * delta -> entry L i j = k.
Proof using N2.
  intros H. unfold entry. assert (L i j * of_nat N == inject_Z k) as E.
  { rewrite H, <- Qmult_assoc, (Qmult_comm delta), (delta_N N N2). ring. }
  rewrite (Qfloor_comp _ _ E). apply Qfloor_Z.
Qed.

(** Equal entries. *)
Lemma entry_ext L i j L' j' : L i j == L' i j' -> entry L i j = entry L' i j'.
Proof using. intros H. unfold entry. apply Qfloor_comp. rewrite H. reflexivity. Qed.

(** A grid entry is one of 0, ..., N-1. *)
Lemma entry_grid L i j : on_grid N (L i j) -> L i j == inject_Z (entry L i j) * delta /\ (0 <= entry L i j < NZ)%Z.
Proof using N2 d1 n1.
  intros [k [Hk E]]. rewrite (entry_units L i j (Z.of_nat k) E). split; [exact E|lia].
Qed.

Definition sentinelZ : Z := (BZ ^ Z.of_nat n * NZ)%Z.

(** The sentinel's. *)
Lemma entry_sentinel L i j : L i j == sentinel d n N ->
  L i j == inject_Z (entry L i j) * delta /\ entry L i j = (- sentinelZ)%Z.
Proof using N2.
  intros E. assert (L i j == inject_Z (- sentinelZ) * delta) as E'.
  { rewrite E. unfold sentinel, sentinelZ. unfold of_nat. rewrite (power_B d N n).
    rewrite inject_Z_opp, inject_Z_mult. pose proof (delta_N N N2) as D. unfold of_nat in D.
    transitivity (- (inject_Z (BZ ^ Z.of_nat n) * (inject_Z NZ * delta))); [rewrite D; ring|ring]. }
  rewrite (entry_units L i j _ E'). split; [exact E'|reflexivity].
Qed.

(** The id in units of delta. *)
Definition zid (L : matrix) (j : nat) : Z := expand NZ d (fun i => entry L i j).

(** N^d, as a whole number. *)
Lemma B_pow : BZ = (NZ ^ Z.of_nat d)%Z.
Proof using. unfold B. apply Nat2Z.inj_pow. Qed.

(** The id in units of delta. *)
Lemma id_zid L j : (forall i, (i < d)%nat -> L i j == inject_Z (entry L i j) * delta) ->
  id d N L j == inject_Z (zid L j) * delta.
Proof using N2 d1 n1.
  intros H. unfold id, row, zid. assert (forall m, (m <= d)%nat ->
    sum m (fun i => u N i * L i j) == inject_Z (expand NZ m (fun i => entry L i j)) * delta) as G; [|apply G; lia].
  induction m as [|m IH]; intros Hm; [cbn; ring|].
  rewrite sum_S, IH by lia. rewrite (H m) by lia. rewrite expand_S. unfold u, of_nat.
  rewrite Nat2Z.inj_pow, inject_Z_plus, inject_Z_mult. ring.
Qed.

(** Equal columns have equal ids. *)
Lemma zid_ext L j L' j' : same_column d L j L' j' -> zid L j = zid L' j'.
Proof using N2 d1 n1.
  intros H. unfold zid. assert (forall m, (m <= d)%nat ->
    expand NZ m (fun i => entry L i j) = expand NZ m (fun i => entry L' i j')) as G; [|apply G; lia].
  induction m as [|m IH]; intros Hm; [reflexivity|]. rewrite !expand_S, IH by lia.
  rewrite (entry_ext L m j L' j') by (apply H; lia). reflexivity.
Qed.

(** ** Categories 1 and 2 *)
Definition xid (L : matrix) (j : nat) : nat := Z.to_nat (zid L j).

(** In G ids are from 0 to N^d - 1. *)
Lemma zid_range L j : in_G d n N L -> (j < n)%nat -> (0 <= zid L j < BZ)%Z.
Proof using N2 d1 n1.
  intros H Hj. unfold zid. rewrite B_pow. split.
  - apply expand_nonneg; [lia|]. intros i Hi. apply (entry_grid L i j (H i j Hi Hj)).
  - assert (expand NZ d (fun i => entry L i j) <= NZ ^ Z.of_nat d - 1)%Z; [|lia].
    apply expand_upper; [lia|]. intros i Hi. apply (entry_grid L i j (H i j Hi Hj)).
Qed.

(** The same as a natural number. *)
Lemma xid_zid L j : in_G d n N L -> (j < n)%nat -> Z.of_nat (xid L j) = zid L j.
Proof using N2 d1 n1. intros H Hj. unfold xid. pose proof (zid_range L j H Hj). lia. Qed.

(** Its range. *)
Lemma xid_range L : in_G d n N L -> forall j, (j < n)%nat -> (xid L j < B d N)%nat.
Proof using N2 d1 n1. intros H j Hj. pose proof (xid_zid L j H Hj). pose proof (zid_range L j H Hj). lia. Qed.

(** The ids of a matrix of G. *)
Lemma xid_ids L : in_G d n N L -> ids d n N L (fun j => Z.of_nat (xid L j)).
Proof using N2 d1 n1.
  intros H j Hj. rewrite (xid_zid L j H Hj). apply id_zid. intros i Hi. apply (entry_grid L i j (H i j Hi Hj)).
Qed.

(** They tell columns apart. *)
Lemma xid_same L j L' j' : in_G d n N L -> in_G d n N L' -> (j < n)%nat -> (j' < n)%nat ->
  xid L j = xid L' j' <-> same_column d L j L' j'.
Proof using N2 d1 n1.
  intros H H' Hj Hj'. split.
  - intros E. assert (zid L j = zid L' j') as EZ.
    { rewrite <- (xid_zid L j H Hj), <- (xid_zid L' j' H' Hj'), E. reflexivity. }
    intros i Hi. destruct (entry_grid L i j (H i j Hi Hj)) as [E1 R1].
    destruct (entry_grid L' i j' (H' i j' Hi Hj')) as [E2 R2].
    rewrite E1, E2. apply (proj1 (units_eq N N2 _ _)).
    apply (expand_inj NZ ltac:(lia) d (fun i => entry L i j) (fun i => entry L' i j')); try assumption.
    + intros k Hk. apply (entry_grid L k j (H k j Hk Hj)).
    + intros k Hk. apply (entry_grid L' k j' (H' k j' Hk Hj')).
  - intros E. unfold xid. rewrite (zid_ext L j L' j' E). reflexivity.
Qed.

(** In G~ no two are equal. *)
Lemma xid_injective L : in_Gtilde d n N L ->
  forall j j', (j < n)%nat -> (j' < n)%nat -> xid L j = xid L j' -> j = j'.
Proof using N2 d1 n1. intros [H D] j j' Hj Hj' E. apply D; [assumption|assumption|]. apply xid_same; assumption. Qed.

(** In G outside G~ two are. *)
Lemma category2 L : in_G d n N L -> ~ in_Gtilde d n N L ->
  exists j j', (j < n)%nat /\ (j' < n)%nat /\ j <> j' /\ xid L j = xid L j'.
Proof using N2 d1 n1.
  intros H NT.
  destruct (all_or_some2 n n (fun j j' => xid L j = xid L j' -> j = j') (fun j j' => j <> j' /\ xid L j = xid L j'))
    as [A|[j [j' [Hj [Hj' [Hne E]]]]]].
  - intros j j' _ _. destruct (Nat.eq_dec j j'); [left; auto|].
    destruct (Nat.eq_dec (xid L j) (xid L j')); [right; auto|left; intros; contradiction].
  - exfalso. apply NT. split; [exact H|]. intros j j' Hj Hj' S. apply A; [assumption|assumption|].
    apply xid_same; assumption.
  - exists j, j'. auto.
Qed.

(** ** Category 3 *)
Lemma in_G_or_sentinel L : in_Gplus d n N L ->
  in_G d n N L \/ exists i j, (i < d)%nat /\ (j < n)%nat /\ L i j == sentinel d n N.
Proof using.
  intros H. apply all_or_some2. intros i j Hi Hj. destruct (H i j Hi Hj); auto.
Qed.

(** The sentinel's size. *)
Lemma sentinelZ_pos : (0 <= sentinelZ)%Z.
Proof using N2 d1 n1. unfold sentinelZ. apply Z.mul_nonneg_nonneg; [apply Z.pow_nonneg|]; lia. Qed.

(** The ids of a matrix of G+. *)
Lemma zid_ids L : in_Gplus d n N L -> ids d n N L (zid L).
Proof using N2 d1 n1.
  intros H j Hj. apply id_zid. intros i Hi. destruct (H i j Hi Hj) as [S|G].
  - apply (entry_sentinel L i j S).
  - apply (entry_grid L i j G).
Qed.

(** With a sentinel an id is far below 0, *)
Lemma zid_sentinel L i j : in_Gplus d n N L -> (i < d)%nat -> (j < n)%nat -> L i j == sentinel d n N ->
  (zid L j <= - BZ ^ Z.of_nat n * NZ + BZ - 1)%Z.
Proof using N2 d1 n1.
  intros H Hi Hj S. unfold zid. rewrite B_pow at 2.
  replace (- BZ ^ Z.of_nat n * NZ)%Z with (- sentinelZ)%Z by (unfold sentinelZ; ring).
  apply expand_sentinel; [lia|apply sentinelZ_pos| |].
  - intros k Hk. destruct (H k j Hk Hj) as [S'|G].
    + left. apply (entry_sentinel L k j S').
    + right. apply (entry_grid L k j G).
  - exists i. split; [exact Hi|]. apply (entry_sentinel L i j S).
Qed.

(** at -N^(nd) or below. *)
Lemma zid_negative L i j : in_Gplus d n N L -> (i < d)%nat -> (j < n)%nat -> L i j == sentinel d n N ->
  (zid L j <= - BZ ^ Z.of_nat n)%Z.
Proof using N2 d1 n1.
  intros H Hi Hj S. pose proof (zid_sentinel L i j H Hi Hj S) as Z0. pose proof (B_ge_2 d N d1 N2) as HB.
  assert (BZ <= BZ ^ Z.of_nat n)%Z as HP.
  { rewrite <- (Z.pow_1_r BZ) at 1. apply Z.pow_le_mono_r; lia. }
  nia.
Qed.

(** An id is that of the grid, or as far below. *)
Lemma zid_category3 L j : in_Gplus d n N L -> (j < n)%nat ->
  (0 <= zid L j < BZ \/ zid L j <= - BZ ^ Z.of_nat n)%Z.
Proof using N2 d1 n1.
  intros H Hj.
  destruct (all_or_some d (fun i => on_grid N (L i j)) (fun i => L i j == sentinel d n N)) as [A|[i [Hi S]]].
  - intros i Hi. destruct (H i j Hi Hj); auto.
  - left. unfold zid. rewrite B_pow. split.
    + apply expand_nonneg; [lia|]. intros i Hi. apply (entry_grid L i j (A i Hi)).
    + assert (expand NZ d (fun i => entry L i j) <= NZ ^ Z.of_nat d - 1)%Z; [|lia].
      apply expand_upper; [lia|]. intros i Hi. apply (entry_grid L i j (A i Hi)).
  - right. apply (zid_negative L i j); assumption.
Qed.
End Grid.
