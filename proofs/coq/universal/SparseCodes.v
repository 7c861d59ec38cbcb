(** The codes that tokens get: whole numbers, whose sum tells the context. *)
From Coq Require Import List Arith ZArith Lia.
From Contextual Require Statement Network Grid.
From Contextual Require Import Construction Interface.
Open Scope Z_scope.

Section Codes.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Notation NZ := (Z.of_nat N).
Notation nZ := (Z.of_nat n).
Definition BZ : Z := NZ ^ Z.of_nat d.

(** The number of column j of the cells K: its id in units of 1/N. *)
Definition number (K : cells) (j : nat) : Z := Grid.expand NZ d (fun i => Z.of_nat (K i j)).
(** Token j + 1, a column k at position j, has this id; *)
Definition token_id (j : nat) (k : Z) : Z := k + Z.of_nat j * (NZ * Grid.expand NZ d (fun _ => 1)).
(** this part of its code, from 0 to [part_bound], *)
Definition part (j : nat) (k : Z) : Z := Z.of_nat j + nZ * (k * BZ ^ Z.of_nat j).
Definition part_bound : Z := nZ * nZ + nZ * BZ ^ nZ.
(** and this code: less than 0, so that it is below all ids, and far more so than parts differ. *)
Definition code (j : nat) (k : Z) : Z := - (part_bound + 1 + part j k).
Definition code_bound : Z := 2 * part_bound + 1.
(** The sum of a context's codes, but for the sign. *)
Definition total (K : cells) : Z := Grid.sumZ n (fun j => - code j (number K j)).

(** N^d is at least 2, and its powers at least 1. *)
Lemma BZ_2 : 2 <= BZ.
Proof using All.
  unfold BZ. rewrite <- Nat2Z.inj_pow. pose proof (Network.B_ge_2 d N d1 N2) as H. unfold Statement.B in H. lia.
Qed.

(** Powers of it. *)
Lemma BZ_pow j : 1 <= BZ ^ Z.of_nat j.
Proof using All. apply Grid.pow_ge_1. pose proof BZ_2. lia. Qed.

(** Numbers of columns are from 0 to N^d - 1. *)
Lemma number_range K j : in_range d n N K -> (j < n)%nat -> 0 <= number K j < BZ.
Proof using All.
  intros H Hj. unfold number. split.
  - apply Grid.expand_nonneg; [lia|]. intros i Hi. lia.
  - assert (Grid.expand NZ d (fun i => Z.of_nat (K i j)) <= NZ ^ Z.of_nat d - 1); [|unfold BZ; lia].
    apply Grid.expand_upper; [lia|]. intros i Hi. specialize (H i j Hi Hj). lia.
Qed.

(** They tell columns apart. *)
Lemma number_same K K' j : in_range d n N K -> in_range d n N K' -> (j < n)%nat -> number K j = number K' j ->
  forall i, (i < d)%nat -> K i j = K' i j.
Proof using All.
  intros H H' Hj E i Hi. apply Nat2Z.inj.
  apply (Grid.expand_inj NZ ltac:(lia) d (fun i => Z.of_nat (K i j)) (fun i => Z.of_nat (K' i j))); try assumption;
    intros k Hk; [specialize (H k j Hk Hj)|specialize (H' k j Hk Hj)]; lia.
Qed.

(** A position takes more room than columns do. *)
Lemma position_room : BZ <= NZ * Grid.expand NZ d (fun _ => 1).
Proof using All.
  assert (forall m, (1 <= m)%nat -> 1 <= Grid.expand NZ m (fun _ => 1) /\
    NZ ^ Z.of_nat m <= NZ * Grid.expand NZ m (fun _ => 1)) as G; [|apply G; exact d1].
  induction m as [|m IH]; intros Hm; [lia|]. rewrite Grid.expand_S, Grid.pow_S.
  pose proof (Grid.pow_ge_1 NZ ltac:(lia) m) as P. destruct m as [|m]; [cbn; nia|]. specialize (IH ltac:(lia)). nia.
Qed.

(** So ids tell position and column. *)
Lemma token_id_same j j' k k' : 0 <= k < BZ -> 0 <= k' < BZ -> token_id j k = token_id j' k' -> j = j' /\ k = k'.
Proof using All.
  unfold token_id. intros Hk Hk' E. pose proof position_room as R. pose proof BZ_2.
  set (q := NZ * Grid.expand NZ d (fun _ => 1)) in *. clearbody q.
  assert (Z.of_nat j = Z.of_nat j') as EZ.
  { destruct (Z.lt_trichotomy (Z.of_nat j) (Z.of_nat j')) as [L|[L|L]]; [exfalso|exact L|exfalso].
    - assert (1 * q <= (Z.of_nat j' - Z.of_nat j) * q) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
    - assert (1 * q <= (Z.of_nat j - Z.of_nat j') * q) by (apply Z.mul_le_mono_nonneg_r; lia). lia. }
  split; [apply Nat2Z.inj, EZ|]. rewrite EZ in E. lia.
Qed.

(** Parts are as large as was said. *)
Lemma part_range j k : (j < n)%nat -> 0 <= k < BZ -> 0 <= part j k <= part_bound.
Proof using All.
  intros Hj Hk. unfold part, part_bound. pose proof (BZ_pow j) as P. pose proof BZ_2 as B2.
  assert (BZ * BZ ^ Z.of_nat j <= BZ ^ nZ) as Q.
  { rewrite <- Z.pow_succ_r by lia. apply Z.pow_le_mono_r; lia. }
  assert (k * BZ ^ Z.of_nat j <= BZ ^ nZ) by nia. nia.
Qed.

(** Bounds are positive. *)
Lemma part_bound_1 : 1 <= part_bound.
Proof using All. unfold part_bound. pose proof (BZ_pow n). nia. Qed.

(** Codes: their range; different positions have different ones. *)
Lemma code_range j k : (j < n)%nat -> 0 <= k < BZ -> - code_bound <= code j k <= -2.
Proof using All.
  intros Hj Hk. pose proof (part_range j k Hj Hk). pose proof part_bound_1. unfold code, code_bound. lia.
Qed.

(** Codes of the same context. *)
Lemma code_position j j' k k' : (j < n)%nat -> (j' < n)%nat -> code j k = code j' k' -> j = j'.
Proof using All.
  unfold code, part. intros Hj Hj' E. set (x := k * BZ ^ Z.of_nat j) in *. set (y := k' * BZ ^ Z.of_nat j') in *.
  assert (Z.of_nat j - Z.of_nat j' = nZ * (y - x)) as D by lia.
  destruct (Z.lt_trichotomy (y - x) 0) as [L|[L|L]]; [exfalso|rewrite L in D; lia|exfalso].
  - assert (nZ * (y - x) <= nZ * -1) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
  - assert (nZ * 1 <= nZ * (y - x)) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.

(** The total, in base N^d. *)
Lemma total_is K : total K =
  Grid.sumZ n (fun j => part_bound + 1 + Z.of_nat j) + nZ * Grid.expand BZ n (fun j => number K j).
Proof using All.
  unfold total, Grid.expand. assert (forall m, Grid.sumZ m (fun j => - code j (number K j)) =
    Grid.sumZ m (fun j => part_bound + 1 + Z.of_nat j) + nZ * Grid.sumZ m (fun j => BZ ^ Z.of_nat j * number K j)) as G;
    [|apply G].
  induction m as [|m IH]; [simpl; ring|]. simpl. rewrite IH. unfold code, part. ring.
Qed.

(** It tells the context. *)
Lemma total_same K K' : in_range d n N K -> in_range d n N K' -> total K = total K' -> same d n K K'.
Proof using All.
  intros H H' E i j Hi Hj. rewrite !total_is in E. apply number_same; try assumption.
  apply (Grid.expand_inj BZ BZ_2 n (fun j => number K j) (fun j => number K' j)); try assumption.
  - intros k Hk. apply number_range; assumption.
  - intros k Hk. apply number_range; assumption.
  - nia.
Qed.

(** Its range. *)
Lemma total_range K : in_range d n N K ->
  nZ * (part_bound + 1) <= total K <= nZ * (part_bound + 1) + part_bound.
Proof using All.
  intros H. rewrite total_is.
  assert (0 <= Grid.expand BZ n (fun j => number K j) <= BZ ^ nZ - 1) as E.
  { split; [apply Grid.expand_nonneg|apply Grid.expand_upper]; try apply BZ_2; intros j Hj;
      apply (number_range K j H Hj). }
  assert (forall m, (m <= n)%nat -> Z.of_nat m * (part_bound + 1) <=
    Grid.sumZ m (fun j => part_bound + 1 + Z.of_nat j) <= Z.of_nat m * (part_bound + 1) + Z.of_nat m * nZ) as G.
  { induction m as [|m IH]; intros Hm; [simpl; lia|]. specialize (IH ltac:(lia)). cbn [Grid.sumZ].
    rewrite Nat2Z.inj_succ. nia. }
  specialize (G n ltac:(lia)). unfold part_bound in *. nia.
Qed.

(** The global token's own code is - far; it reads the mean of all codes, or of all but its own. Times - n (n + 1) it is
    this, which tells the total and which of the two it was. *)
Definition far : Z := 4 * ((nZ + 1) * (part_bound + 1)).
Definition gathered_total (own : bool) (K : cells) : Z :=
  if own then nZ * (total K + far) else (nZ + 1) * total K.

(** far is far. *)
Lemma far_large : code_bound + 2 <= far.
Proof using All. pose proof part_bound_1. unfold far, code_bound. nia. Qed.

(** Totals are positive. *)
Lemma gathered_positive own K : in_range d n N K -> 1 <= gathered_total own K.
Proof using All.
  intros H. pose proof (total_range K H) as T. pose proof part_bound_1. pose proof far_large. unfold code_bound in *.
  assert (1 <= total K) by nia. unfold gathered_total. destruct own; nia.
Qed.

(** It tells both. *)
Lemma gathered_same own own' K K' : in_range d n N K -> in_range d n N K' ->
  gathered_total own K = gathered_total own' K' -> own = own' /\ total K = total K'.
Proof using All.
  intros H H' E. pose proof (total_range K H) as T. pose proof (total_range K' H') as T'. pose proof part_bound_1 as P.
  assert (nZ * far = 4 * (nZ * (part_bound + 1)) * (nZ + 1)) as F by (unfold far; ring).
  assert (part_bound + 1 <= nZ * (part_bound + 1)) as P1 by nia.
  set (q := nZ * (part_bound + 1)) in *. clearbody q. unfold gathered_total in E.
  destruct own, own'; try (split; [reflexivity|nia]); exfalso; nia.
Qed.
End Codes.
