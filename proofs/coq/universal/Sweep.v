(** One selective shift by weight, and a sweep over any list of levels, stay near what hardmax does. *)
From Coq Require Import Reals List Arith Lia Lra Psatz.
From Contextual Require Finite.
From Contextual Require Import Approximation Sums Softmax Construction.
Import ListNotations.
Open Scope R_scope.

Section Sweep.
Variable n : nat.
Hypothesis n1 : (0 < n)%nat.

(** ** Tracking: ids x within eta of exact ids y *)
Definition near (eta : R) (x y : nat -> R) : Prop := forall j, (j < n)%nat -> Rabs (x j - y j) <= eta.
Definition is_max (y : nat -> R) M := (exists k, (k < n)%nat /\ y k = M) /\ forall k, (k < n)%nat -> y k <= M.
Definition is_min (y : nat -> R) m := (exists k, (k < n)%nat /\ y k = m) /\ forall k, (k < n)%nat -> m <= y k.

(** A largest value, which moves by eta at most when the values do. *)
Lemma max_exists (y : nat -> R) : exists M, is_max y M.
Proof using n1.
  destruct (Finite.greatest Rle) with (n := n) (y := y) as [i [Hi G]]; [|exact Rle_trans|exact n1|].
  - intros a b. destruct (Rle_lt_dec a b); [left; assumption|right; lra].
  - exists (y i). split; [exists i; auto|exact G].
Qed.

(** Numbers that are close have largest ones that are close. *)
Lemma max_near x y M eta : near eta x y -> is_max y M -> exists M', is_max x M' /\ Rabs (M' - M) <= eta.
Proof using n1.
  intros H [[k [Hk E]] HM]. destruct (max_exists x) as [M' [[k' [Hk' E']] HM']].
  exists M'. split; [split; [exists k'; auto|exact HM']|].
  pose proof (H k Hk) as A. pose proof (H k' Hk') as A'. specialize (HM k' Hk'). specialize (HM' k Hk).
  apply between in A. apply between in A'. apply Rabs_le. lra.
Qed.

(** What column j, above or below the threshold b by gamma at least, reads with scores lambda x_i (x_j - b). *)
Theorem track_above x y M eta lambda b gamma j : near eta x y -> is_max y M -> 0 < lambda -> 0 < gamma ->
  gamma <= x j - b ->
  Rabs (mean n (fun i => (lambda * (x j - b)) * x i) x - M) <= eta + INR n / (lambda * gamma).
Proof using n1.
  intros H HM Hl Hg Hb. destruct (max_near x y M eta H HM) as [M' [HM' E]]. apply between in E.
  destruct (head_max n n1 x (lambda * (x j - b)) M') as [L U]; [nra|apply HM'|apply HM'|].
  assert (INR n / (lambda * (x j - b)) <= INR n / (lambda * gamma)).
  { apply Rmult_le_compat_l; [apply pos_INR|]. apply Rinv_le_contravar; nra. }
  pose proof (Rdiv_lt_0_compat (INR n) (lambda * gamma) (lt_0_INR n n1) ltac:(nra)). apply Rabs_le. lra.
Qed.

(** And smallest ones. *)
Lemma min_near x y m eta : near eta x y -> is_min y m -> exists m', is_min x m' /\ Rabs (m' - m) <= eta.
Proof using n1.
  intros H [[k [Hk E]] Hm]. destruct (max_near (fun j => - x j) (fun j => - y j) (- m) eta) as
    [M' [[[i [Hi Ei]] HM'] EM]].
  - intros i Hi. replace (- x i - - y i) with (- (x i - y i)) by ring. rewrite Rabs_Ropp. apply H, Hi.
  - split; [exists k; split; [exact Hk|lra]|]. intros i Hi. specialize (Hm i Hi). lra.
  - exists (- M'). split.
    + split; [exists i; split; [exact Hi|lra]|]. intros l Hl. specialize (HM' l Hl). simpl in HM'. lra.
    + replace (- M' - m) with (- (M' - - m)) by ring. rewrite Rabs_Ropp. exact EM.
Qed.

(** The same below the threshold. *)
Theorem track_below x y m eta lambda b gamma j : near eta x y -> is_min y m -> 0 < lambda -> 0 < gamma ->
  gamma <= b - x j ->
  Rabs (mean n (fun i => (lambda * (x j - b)) * x i) x - m) <= eta + INR n / (lambda * gamma).
Proof using n1.
  intros H Hm Hl Hg Hb. destruct (min_near x y m eta H Hm) as [m' [Hm' E]]. apply between in E.
  destruct (head_min n n1 x (lambda * (x j - b)) m') as [L U]; [nra|apply Hm'|apply Hm'|].
  assert (INR n / - (lambda * (x j - b)) <= INR n / (lambda * gamma)).
  { apply Rmult_le_compat_l; [apply pos_INR|]. apply Rinv_le_contravar; nra. }
  pose proof (Rdiv_lt_0_compat (INR n) (lambda * gamma) (lt_0_INR n n1) ltac:(nra)). apply Rabs_le. lra.
Qed.

(** ** One selective shift, and a sweep over any list of levels *)
Variables B delta lambda : R.
Hypothesis B0 : 0 <= B.
Hypothesis delta0 : 0 < delta.
Hypothesis lambda0 : 0 < lambda.

Definition reading (b : R) (x : nat -> R) (j : nat) : R := mean n (fun i => (lambda * (x j - b)) * x i) x.
Definition soft_shift (l : R) (x : nat -> R) (j : nat) : R :=
  x j + B * (reading (l - delta / 2) x j - reading (l + delta / 2) x j).

(** What the hardmax layer does to ids that keep half a delta off the thresholds. *)
Definition hard_shift (l : R) (y y' : nat -> R) : Prop := exists M m, is_max y M /\ is_min y m /\
  forall j, (j < n)%nat -> (y j <= l - delta \/ y j = l \/ l + delta <= y j) /\
    (y j = l -> y' j = y j + B * (M - m)) /\ (y j <> l -> y' j = y j).

Definition worse (eta : R) : R := (1 + 2 * B) * eta + 2 * B * (INR n / (lambda * (delta / 4))).

(** One selective shift: an error of eta becomes one of [worse] eta. *)
Theorem shift_tracks l x y y' eta : 0 <= eta -> eta <= delta / 4 -> near eta x y -> hard_shift l y y' ->
  near (worse eta) (soft_shift l x) y'.
Proof using B0 delta0 lambda0 n1.
  intros E0 E1 H [M [m [HM [Hm D]]]] j Hj. destruct (D j Hj) as [pos [at_l off]].
  pose proof (H j Hj) as Hx. apply between in Hx.
  set (e := INR n / (lambda * (delta / 4))).
  assert (Rabs (x j - y j) <= eta) as Hj' by exact (H j Hj). apply between in Hj'.
  unfold soft_shift, reading, worse. fold e.
  assert (forall b, delta / 4 <= x j - b -> Rabs (mean n (fun i => lambda * (x j - b) * x i) x - M) <= eta + e) as up.
  { intros b Hb. apply track_above with (y := y); try assumption; lra. }
  assert (forall b, delta / 4 <= b - x j -> Rabs (mean n (fun i => lambda * (x j - b) * x i) x - m) <= eta + e) as down.
  { intros b Hb. apply track_below with (y := y); try assumption; lra. }
  destruct pos as [L|[L|L]].
  - specialize (down (l - delta / 2) ltac:(lra)) as A1. specialize (down (l + delta / 2) ltac:(lra)) as A2.
    rewrite (off ltac:(lra)). apply between in A1. apply between in A2. apply Rabs_le. nra.
  - specialize (up (l - delta / 2) ltac:(lra)) as A1. specialize (down (l + delta / 2) ltac:(lra)) as A2.
    rewrite (at_l L). apply between in A1. apply between in A2. apply Rabs_le. nra.
  - specialize (up (l - delta / 2) ltac:(lra)) as A1. specialize (up (l + delta / 2) ltac:(lra)) as A2.
    rewrite (off ltac:(lra)). apply between in A1. apply between in A2. apply Rabs_le. nra.
Qed.

(** One selective shift at a level with no id: both heads read the largest id, or both the smallest one, so that the
    error
    grows by what softmax adds, and doesn't multiply. *)
Definition extra : R := INR n / (lambda * (delta / 4)).

(** The error grows by what softmax adds. *)
Theorem shift_still l x y y' eta : 0 <= eta -> eta <= delta / 4 -> near eta x y -> hard_shift l y y' ->
  (forall j, (j < n)%nat -> y j <> l) -> near (eta + B * extra) (soft_shift l x) y'.
Proof using B0 delta0 lambda0 n1.
  intros E0 E1 H [M [m [HM [Hm D]]]] none j Hj. destruct (D j Hj) as [pos [_ off]].
  pose proof (H j Hj) as Hx. apply between in Hx. rewrite (off (none j Hj)).
  destruct (max_near x y M eta H HM) as [M' [[HM1 HM2] _]]. destruct (min_near x y m eta H Hm) as [m' [[Hm1 Hm2] _]].
  unfold soft_shift, reading. set (e := extra).
  assert (forall b, delta / 4 <= x j - b -> M' - e <= mean n (fun i => lambda * (x j - b) * x i) x <= M') as up.
  { intros b Hb. destruct (head_max n n1 x (lambda * (x j - b)) M') as [L U]; [nra|exact HM1|exact HM2|].
    assert (INR n / (lambda * (x j - b)) <= e); [|lra]. apply Rmult_le_compat_l; [apply pos_INR|].
    apply Rinv_le_contravar; nra. }
  assert (forall b, delta / 4 <= b - x j -> m' <= mean n (fun i => lambda * (x j - b) * x i) x <= m' + e) as down.
  { intros b Hb. destruct (head_min n n1 x (lambda * (x j - b)) m') as [L U]; [nra|exact Hm1|exact Hm2|].
    assert (INR n / - (lambda * (x j - b)) <= e); [|lra]. apply Rmult_le_compat_l; [apply pos_INR|].
    apply Rinv_le_contravar; nra. }
  destruct pos as [L|[L|L]]; [|destruct (none j Hj L)|].
  - specialize (down (l - delta / 2) ltac:(lra)) as A1. specialize (down (l + delta / 2) ltac:(lra)) as A2.
    apply Rabs_le. nra.
  - specialize (up (l - delta / 2) ltac:(lra)) as A1. specialize (up (l + delta / 2) ltac:(lra)) as A2.
    apply Rabs_le. nra.
Qed.

(** A sweep in which h levels may have an id at them, and the others have none. *)
Fixpoint hard_sweep (ls : list R) (y y' : nat -> R) (h : nat) : Prop :=
  match ls with
  | [] => (forall j, (j < n)%nat -> y j = y' j) /\ h = O
  | l :: ls => exists z, hard_shift l y z /\ ((exists h', h = S h' /\ hard_sweep ls z y' h') \/
      (forall j, (j < n)%nat -> y j <> l) /\ hard_sweep ls z y' h)
  end.
Definition soft_sweep (ls : list R) (x : nat -> R) : nat -> R := fold_left (fun x l => soft_shift l x) ls x.
(** The error after r levels with no id and h others *)
Definition error (r h : nat) : R := extra * ((1 + 2 * B) ^ h * (1 + INR r * B) - 1).

(** What softmax adds is positive, and the factor is at least 1. *)
Lemma extra_pos : 0 < extra.
Proof using B0 delta0 lambda0 n1. apply Rdiv_lt_0_compat; [apply lt_0_INR, n1|nra]. Qed.

(** What multiplies is at least 1. *)
Lemma factor_ge h : 1 <= (1 + 2 * B) ^ h.
Proof using B0. apply pow_R1_Rle. lra. Qed.

(** Errors from level to level. *)
Lemma error_hit r h : worse (error r h) = error r (S h).
Proof using. unfold worse, error. fold extra. simpl pow. ring. Qed.

(** With no id at the level they grow by what softmax adds, at most. *)
Lemma error_still r h : error r h + B * extra <= error (S r) h.
Proof using B0 delta0 lambda0 n1.
  unfold error. rewrite S_INR. pose proof extra_pos. pose proof (factor_ge h). set (q := (1 + 2 * B) ^ h) in *.
  assert (0 <= extra * B * (q - 1)) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra). lra.
Qed.

(** They are not negative. *)
Lemma error_pos r h : 0 <= error r h.
Proof using B0 delta0 lambda0 n1.
  unfold error. pose proof extra_pos. pose proof (factor_ge h). pose proof (pos_INR r).
  apply Rmult_le_pos; [lra|]. assert (0 <= INR r * B) by (apply Rmult_le_pos; lra). nra.
Qed.

(** They only grow; and levels with an id cost more than others. *)
Lemma error_mono r h k i : error r h <= error (r + k) (h + i).
Proof using B0 delta0 lambda0 n1.
  assert (forall r h, error r h <= error (S r) h) as still.
  { intros a b. pose proof (error_still a b). pose proof extra_pos. assert (0 <= B * extra) by (apply Rmult_le_pos;
    lra). lra. }
  assert (forall r h, error r h <= error r (S h)) as hit.
  { intros a b. rewrite <- error_hit. pose proof (error_pos a b). pose proof extra_pos. unfold worse. fold extra.
    assert (0 <= B * error a b) by (apply Rmult_le_pos; lra). assert (0 <= B * extra) by (apply Rmult_le_pos; lra).
      lra. }
  apply Rle_trans with (error (r + k) h).
  - induction k as [|k IH]; [rewrite Nat.add_0_r; lra|]. rewrite Nat.add_succ_r. eapply Rle_trans; [exact IH|apply
    still].
  - induction i as [|i IH]; [rewrite Nat.add_0_r; lra|]. rewrite Nat.add_succ_r. eapply Rle_trans; [exact IH|apply hit].
Qed.

(** A level with an id costs more than one without. *)
Lemma error_trade r h i : error (r + i) h <= error r (h + i).
Proof using B0 delta0 lambda0 n1.
  revert h. induction i as [|i IH]; intros h; [rewrite !Nat.add_0_r; lra|].
  replace (h + S i)%nat with (S h + i)%nat by lia. eapply Rle_trans; [|apply IH]. rewrite Nat.add_succ_r.
  unfold error. rewrite S_INR. simpl pow. pose proof extra_pos. pose proof (factor_ge h). pose proof (pos_INR (r + i)).
  set (q := (1 + 2 * B) ^ h) in *. set (a := INR (r + i)) in *. apply Rmult_le_compat_l; [lra|].
  assert (0 <= q * (B * (1 + 2 * (a * B)))); [|lra].
  apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [lra|]. assert (0 <= a * B) by (apply Rmult_le_pos; lra). lra.
Qed.

End Sweep.

(** A softmax sweep whose layers have rates of their own, of at least [rate] *)
Fixpoint soft_run (n : nat) (B delta rate : R) (ls : list R) (x x' : nat -> R) : Prop :=
  match ls with
  | [] => forall j, (j < n)%nat -> x' j = x j
  | l :: ls => exists lambda x1, rate <= lambda /\ (forall j, (j < n)%nat -> x1 j = soft_shift n B delta lambda l x
    j) /\
      soft_run n B delta rate ls x1 x'
  end.

(** A sweep with one rate is one. *)
Lemma soft_sweep_run n B delta lambda ls : forall x, soft_run n B delta lambda ls x (soft_sweep n B delta lambda ls x).
Proof.
  induction ls as [|l ls IH]; intros x; [intros j _; reflexivity|]. exists lambda, (soft_shift n B delta lambda l x).
  split; [lra|split; [reflexivity|apply IH]].
Qed.

Section Run.
Variable n : nat.
Hypothesis n1 : (0 < n)%nat.
Variables B delta rate : R.
Hypothesis B0 : 0 <= B.
Hypothesis delta0 : 0 < delta.
Hypothesis rate0 : 0 < rate.
Notation error := (error n B delta rate).

(** No more levels are hit than there are. *)
Lemma hits_length ls : forall y y' i, hard_sweep n B delta ls y y' i -> (i <= length ls)%nat.
Proof using n1.
  induction ls as [|l ls IH]; intros y y' i HS; [destruct HS; simpl; lia|].
  destruct HS as [z [_ [[i' [-> HS]]|[_ HS]]]]; apply IH in HS; simpl; lia.
Qed.

(** A softmax sweep stays within [error] of the hardmax sweep. *)
Theorem sweep_tracks ls : forall x x' y y' r h i, soft_run n B delta rate ls x x' -> hard_sweep n B delta ls y y' i ->
  near n (error r h) x y -> error (r + (length ls - i)) (h + i) <= delta / 4 ->
  near n (error (r + (length ls - i)) (h + i)) x' y'.
Proof using B0 delta0 rate0 n1.
  induction ls as [|l ls IH]; intros x x' y y' r h i SR HS H E.
  - destruct HS as [HS ->]. simpl in *. rewrite !Nat.add_0_r in *. intros j Hj. rewrite <- (HS j Hj), SR by exact Hj.
    apply H, Hj.
  - destruct SR as [lambda [x1 [Lr [Ex SR]]]]. destruct HS as [z [Hz HS]]. simpl length in *.
    pose proof (error_pos n n1 B delta rate B0 delta0 rate0 r h) as P0.
    assert (0 < lambda) as l0 by lra.
    assert (INR n / (lambda * (delta / 4)) <= INR n / (rate * (delta / 4))) as less.
    { apply Rmult_le_compat_l; [apply pos_INR|]. apply Rinv_le_contravar; nra. }
    destruct HS as [[i' [-> HS]]|[none HS]].
    + replace (S (length ls) - S i')%nat with (length ls - i')%nat in * by lia.
      pose proof (error_mono n n1 B delta rate B0 delta0 rate0 r h (length ls - i') (S i')) as M.
      rewrite Nat.add_succ_r in *.
      apply (IH x1 x' z y' r (S h) i' SR HS); [|exact E]. intros j Hj. rewrite Ex by exact Hj.
      eapply Rle_trans; [apply (shift_tracks n n1 B delta lambda B0 delta0 l0 l x y z (error r h)); try assumption;
        lra|].
      rewrite <- error_hit. unfold worse. apply Rplus_le_compat_l, Rmult_le_compat_l; [lra|exact less].
    + pose proof (hits_length ls z y' i HS) as Li.
      replace (r + (S (length ls) - i))%nat with (S r + (length ls - i))%nat in * by lia.
      pose proof (error_mono n n1 B delta rate B0 delta0 rate0 r h (S (length ls - i)) i) as M.
      replace (r + S (length ls - i))%nat with (S r + (length ls - i))%nat in M by lia.
      apply (IH x1 x' z y' (S r) h i SR HS); [|exact E]. intros j Hj. rewrite Ex by exact Hj.
      eapply Rle_trans; [apply (shift_still n n1 B delta lambda B0 delta0 l0 l x y z (error r h)); try assumption;
        lra|].
      eapply Rle_trans; [|apply (error_still n n1 B delta rate B0 delta0 rate0)].
      apply Rplus_le_compat_l, Rmult_le_compat_l; [lra|exact less].
Qed.

(** The error is [sweep_error] / rate: any wanted precision, by the rate. *)
Theorem error_is k h : error (k - h) h = sweep_error n B delta k h / rate.
Proof using delta0 rate0. unfold Sweep.error, extra, sweep_error. field. lra. Qed.

(** From equal ids on, if at most h of all levels are hit. *)
Theorem sweep_near ls x x' y y' i h : soft_run n B delta rate ls x x' -> hard_sweep n B delta ls y y' i ->
  (i <= h <= length ls)%nat -> (forall j, (j < n)%nat -> x j = y j) ->
  sweep_error n B delta (length ls) h / rate <= delta / 4 ->
  near n (sweep_error n B delta (length ls) h / rate) x' y'.
Proof using B0 delta0 rate0 n1.
  intros SR HS Hi E0 small. rewrite <- error_is in *.
  pose proof (error_trade n n1 B delta rate B0 delta0 rate0 (length ls - h) i (h - i)) as T.
  replace (length ls - h + (h - i))%nat with (length ls - i)%nat in T by lia.
  replace (i + (h - i))%nat with h in T by lia. intros j Hj. apply Rle_trans with (2 := T).
  apply (sweep_tracks ls x x' y y' 0 0 i SR HS); [|simpl; lra|exact Hj].
  intros k Hk. rewrite E0, Rminus_eq_0, Rabs_R0 by exact Hk. apply (error_pos n n1 B delta rate B0 delta0 rate0).
Qed.
End Run.
