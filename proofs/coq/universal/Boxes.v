(** Step functions and their volumes. The cube but for boxes of total volume d n (N + 1) e + n^2 / N consists of good
    points. *)
From Coq Require Import Reals List Arith Bool Lia Lra Psatz Classical.
From Contextual Require Import Approximation Sums Construction.
Import ListNotations.
Open Scope R_scope.

(** Integrals of two lists of boxes, and of many boxes of the same size. *)
Lemma step_integral_app d n bs bs' : step_integral d n (bs ++ bs') = step_integral d n bs + step_integral d n bs'.
Proof. induction bs as [|b bs IH]; simpl; [lra|]. rewrite IH. lra. Qed.

(** Boxes of a volume of V at most, one for each element of a list. *)
Lemma step_integral_map {A} d n (f : A -> box) V l : (forall a, In a l -> height (f a) * volume d n (f a) <= V) ->
  step_integral d n (map f l) <= INR (length l) * V.
Proof.
  induction l as [|a l IH]; intros H; simpl step_integral; [simpl; lra|]. simpl length. rewrite S_INR.
  specialize (IH (fun b Hb => H b (or_intror Hb))). specialize (H a (or_introl eq_refl)). lra.
Qed.

(** The cell of x: the largest k < N with k/N <= x, 0 if there is none. *)
Fixpoint cell_below (N m : nat) (x : R) : nat :=
  match m with O => O | S m' => match m' with O => O | _ => if Rle_dec (INR m' * / INR N) x then m' else cell_below N m'
    x end end.
Definition cell (N : nat) (X : matrix) (i j : nat) : nat := cell_below N N (X i j).

(** It holds x. *)
Lemma cell_below_spec N m x : (1 <= m)%nat -> 0 <= x <= INR m * / INR N ->
  (cell_below N m x < m)%nat /\ INR (cell_below N m x) * / INR N <= x <= INR (cell_below N m x) * / INR N + / INR N.
Proof.
  induction m as [|m IH]; intros Hm Hx; [lia|]. rewrite S_INR in Hx. simpl cell_below. destruct m as [|m].
  - simpl in *. split; [lia|lra].
  - destruct (Rle_dec (INR (S m) * / INR N) x) as [L|L]; [split; [lia|lra]|].
    destruct (IH ltac:(lia) ltac:(lra)) as [H1 H2]. split; [lia|exact H2].
Qed.

Section Boxes.
Variables d n : nat.

(** A point in a box, entry by entry. *)
Lemma inside_spec b X : inside d n b X = true <-> forall i j, (i < d)%nat -> (j < n)%nat ->
  low b i j <= X i j <= high b i j.
Proof using.
  unfold inside. rewrite forallb_forall. split.
  - intros H i j Hi Hj. specialize (H i ltac:(apply in_seq; lia)). rewrite forallb_forall in H.
    specialize (H j ltac:(apply in_seq; lia)).
    destruct (Rle_dec (low b i j) (X i j)), (Rle_dec (X i j) (high b i j)); try discriminate. lra.
  - intros H i Hi. apply forallb_forall. intros j Hj. apply in_seq in Hi. apply in_seq in Hj.
    specialize (H i j ltac:(lia) ltac:(lia)).
    destruct (Rle_dec (low b i j) (X i j)), (Rle_dec (X i j) (high b i j)); try reflexivity; lra.
Qed.

(** A step function is nonnegative, and at least the height of each box in that box. *)
Lemma step_nonneg bs X : Forall (proper d n) bs -> 0 <= step d n bs X.
Proof using. induction 1 as [|b bs [Hb _] _ IH]; simpl; [lra|]. destruct (inside d n b X); lra. Qed.

(** A step function is at least the height of each of its boxes there. *)
Lemma step_ge bs X b : Forall (proper d n) bs -> In b bs -> inside d n b X = true -> height b <= step d n bs X.
Proof using.
  intros HF Hin Hb. induction HF as [|b' bs' [H0 _] HF IH]; [contradiction|]. simpl. destruct Hin as [->|Hin].
  - rewrite Hb. pose proof (step_nonneg bs' X HF). lra.
  - specialize (IH Hin). destruct (inside d n b' X); lra.
Qed.

(** F is at most A on the good points and A + M on the others, which lie in the boxes. *)
Theorem good_bad (D : matrix -> Prop) F A M c main bad : 0 <= A -> proper d n main -> height main = A ->
  Forall (proper d n) bad -> Forall (fun b => height b = M) bad ->
  (forall X, D X -> inside d n main X = true /\ (F X <= A \/ F X <= A + M /\ exists b, In b bad /\
    inside d n b X = true)) ->
  A * volume d n main + step_integral d n bad < c -> integral_below d n D F c.
Proof using.
  intros HA Hmain Em Hbad Eb H Hc. exists (main :: bad). split; [constructor; assumption|]. split.
  - intros X HX. destruct (H X HX) as [I [G|[G [b [Hin Hb]]]]]; simpl; rewrite I, Em.
    + pose proof (step_nonneg bad X Hbad). lra.
    + pose proof (step_ge bad X b Hbad Hin Hb) as S. rewrite Forall_forall in Eb. rewrite (Eb b Hin) in S. lra.
  - simpl. rewrite Em. exact Hc.
Qed.

(** ** The boxes of the cube *)
Definition whole (A : R) : box := Box (fun _ _ => 0) (fun _ _ => 1) A.
Definition strip (M a b : R) (i0 j0 : nat) : box :=
  Box (fun i j => if Nat.eqb i i0 && Nat.eqb j j0 then a else 0) (fun i j =>
    if Nat.eqb i i0 && Nat.eqb j j0 then b else 1) M.
Definition twins (M a b : R) (j0 j1 : nat) : box :=
  Box (fun i j => if Nat.eqb i 0 && (Nat.eqb j j0 || Nat.eqb j j1) then a else 0) (fun i j =>
    if Nat.eqb i 0 && (Nat.eqb j j0 || Nat.eqb j j1) then b else 1) M.

(** Volumes: the cube; one entry in [a, b]; two entries in [a, b]. *)
Lemma whole_volume A : volume d n (whole A) = 1.
Proof using. apply prod_one. intros. apply prod_one. intros. simpl. ring. Qed.

(** A strip is as wide as one side of its box. *)
Lemma strip_volume M a b i0 j0 : (i0 < d)%nat -> (j0 < n)%nat -> volume d n (strip M a b i0 j0) = b - a.
Proof using.
  intros Hi Hj. unfold volume. rewrite (prod_single d _ i0 Hi).
  - rewrite (prod_single n _ j0 Hj); simpl; rewrite ?Nat.eqb_refl; [reflexivity|].
    intros k _ NE. simpl. destruct (Nat.eqb_spec k j0); [lia|simpl; ring].
  - intros k _ NE. apply prod_one. intros. simpl. destruct (Nat.eqb_spec k i0); [lia|simpl; ring].
Qed.

(** Two entries in one interval: its width squared. *)
Lemma twins_volume M a b j0 j1 : (0 < d)%nat -> (j0 < n)%nat -> (j1 < n)%nat -> j0 <> j1 ->
  volume d n (twins M a b j0 j1) = (b - a) * (b - a).
Proof using.
  intros Hd H0 H1 H01. unfold volume. rewrite (prod_single d _ 0%nat Hd).
  - rewrite (prod_two n _ j0 j1 H0 H1 H01); simpl; rewrite ?Nat.eqb_refl, ?orb_true_r; [reflexivity|].
    intros k _ N0 N1. destruct (Nat.eqb_spec k j0), (Nat.eqb_spec k j1); try lia. simpl. ring.
  - intros k _ NE. apply prod_one. intros. simpl. destruct (Nat.eqb_spec k 0); [lia|simpl; ring].
Qed.

Variables (N : nat) (e : R).
Hypothesis N1 : (1 <= N)%nat.
Hypothesis d1 : (1 <= d)%nat.
Notation delta := (/ INR N).
Hypothesis e0 : 0 < e.
Hypothesis ed : e < delta.

(** N cells of width 1/N fill the unit interval. *)
Lemma delta_N : INR N * delta = 1.
Proof using N1 d1. apply Rinv_r, not_0_INR. lia. Qed.

Definition good (X : matrix) (K : nat -> nat -> nat) : Prop :=
  (forall i j, (i < d)%nat -> (j < n)%nat -> (K i j < N)%nat /\
    INR (K i j) * delta <= X i j <= INR (K i j) * delta + delta - e) /\
  (forall j j', (j < n)%nat -> (j' < n)%nat -> (forall i, (i < d)%nat -> K i j = K i j') -> j = j') /\
  (forall i j, (i < d)%nat -> (j < n)%nat -> e <= X i j).

Definition low_strips (M : R) : list box := flat_map (fun i => map (fun j => strip M 0 e i j) (seq 0 n)) (seq 0 d).
Definition strips (M : R) : list box := flat_map (fun i => flat_map (fun j =>
  map (fun k => strip M (INR k * delta + delta - e) (INR k * delta + delta) i j) (seq 0 N)) (seq 0 n)) (seq 0 d).
Definition all_twins (M : R) : list box := flat_map (fun j => flat_map (fun j' =>
  if Nat.eqb j j' then [] else map (fun k => twins M (INR k * delta) (INR k * delta + delta) j j') (seq 0 N)) (seq 0 n))
    (seq 0 n).
Definition edges (M : R) : list box := low_strips M ++ strips M.
Definition bad (M : R) : list box := edges M ++ all_twins M.
(** Off the edges: good, but for equal columns. *)
Definition off_edges (X : matrix) (K : nat -> nat -> nat) : Prop :=
  (forall i j, (i < d)%nat -> (j < n)%nat -> (K i j < N)%nat /\
    INR (K i j) * delta <= X i j <= INR (K i j) * delta + delta - e) /\
  (forall i j, (i < d)%nat -> (j < n)%nat -> e <= X i j).

(** The same for several boxes for each element. *)
Lemma flat_map_integral {A} (f : A -> list box) V l : (forall a, In a l -> step_integral d n (f a) <= V) ->
  step_integral d n (flat_map f l) <= INR (length l) * V.
Proof using.
  induction l as [|a l IH]; intros H; simpl flat_map; [simpl; lra|]. rewrite step_integral_app. simpl length.
  rewrite S_INR.
  specialize (IH (fun b Hb => H b (or_intror Hb))). specialize (H a (or_introl eq_refl)). lra.
Qed.

(** For each of the first m numbers. *)
Lemma flat_map_seq (f : nat -> list box) V m : (forall k, In k (seq 0 m) -> step_integral d n (f k) <= V) ->
  step_integral d n (flat_map f (seq 0 m)) <= INR m * V.
Proof using. intros H. rewrite <- (seq_length m 0) at 2. apply flat_map_integral, H. Qed.

(** For each of the first m numbers, one box. *)
Lemma map_seq (f : nat -> box) V m : (forall k, In k (seq 0 m) -> height (f k) * volume d n (f k) <= V) ->
  step_integral d n (map f (seq 0 m)) <= INR m * V.
Proof using. intros H. rewrite <- (seq_length m 0) at 2. apply step_integral_map, H. Qed.

(** The volume of the edges. *)
Theorem edges_volume M : 0 <= M -> step_integral d n (edges M) <= M * (INR d * INR n * (INR N + 1) * e).
Proof using N1 d1 e0 ed.
  intros HM. unfold edges. rewrite step_integral_app.
  assert (step_integral d n (low_strips M) <= INR d * (INR n * (M * e))) as S0.
  { apply flat_map_seq. intros i Hi. apply in_seq in Hi. apply map_seq. intros j Hj. apply in_seq in Hj.
    rewrite strip_volume by lia. simpl. lra. }
  assert (step_integral d n (strips M) <= INR d * (INR n * (INR N * (M * e)))) as S1.
  { apply flat_map_seq. intros i Hi. apply in_seq in Hi.
    apply flat_map_seq. intros j Hj. apply in_seq in Hj.
    apply map_seq. intros k _. rewrite strip_volume by lia. simpl. lra. }
  lra.
Qed.

(** The volume of the bad boxes. *)
Theorem bad_volume M : 0 <= M -> step_integral d n (bad M) <= M * (INR d * INR n * (INR N + 1) * e + INR n * INR n *
  delta).
Proof using N1 d1 e0 ed.
  intros HM. pose proof delta_N as DN. unfold bad. rewrite step_integral_app. pose proof (edges_volume M HM) as S1.
  assert (step_integral d n (all_twins M) <= INR n * (INR n * (INR N * (M * (delta * delta))))) as S2.
  { apply flat_map_seq. intros j Hj. apply in_seq in Hj.
    apply flat_map_seq. intros j' Hj'. apply in_seq in Hj'.
    destruct (Nat.eqb_spec j j') as [->|NE].
    - simpl. pose proof (pos_INR N). assert (0 <= delta) by lra. apply Rmult_le_pos; [lra|].
      apply Rmult_le_pos; [lra|nra].
    - apply map_seq. intros k _. rewrite twins_volume by lia. simpl.
      replace (INR k * / INR N + / INR N - INR k * / INR N) with (/ INR N) by ring. lra. }
  replace (INR n * (INR n * (INR N * (M * (delta * delta))))) with (M * (INR n * INR n * delta) * (INR N * delta)) in S2
    by ring.
  rewrite DN in S2. lra.
Qed.

(** The bad boxes are boxes, and all have the height M. *)
Lemma bad_proper M : 0 <= M -> Forall (proper d n) (bad M) /\ Forall (fun b => height b = M) (bad M).
Proof using N1 d1 e0 ed.
  intros HM. assert (forall b, In b (bad M) -> proper d n b /\ height b = M) as H.
  { intros b Hb. pose proof (pos_INR N) as PN. assert (forall k, (k < N)%nat -> 0 <= INR k * delta /\
      INR k * delta + delta <= 1) as B.
    { intros k Hk. pose proof (pos_INR k). assert (INR k + 1 <= INR N) by (rewrite <- S_INR; apply le_INR; lia).
      pose proof delta_N. split; nra. }
    unfold bad, edges, low_strips, strips, all_twins in Hb. rewrite !in_app_iff in Hb. destruct Hb as [[Hb|Hb]|Hb].
    - apply in_flat_map in Hb. destruct Hb as [i [_ Hb]]. apply in_map_iff in Hb. destruct Hb as [j [<- _]].
      specialize (B O ltac:(lia)). simpl INR in B.
      split; [split; [exact HM|]|reflexivity]. intros. simpl. destruct (_ && _); lra.
    - apply in_flat_map in Hb. destruct Hb as [i [_ Hb]]. apply in_flat_map in Hb. destruct Hb as [j [_ Hb]].
      apply in_map_iff in Hb. destruct Hb as [k [<- Hk]]. apply in_seq in Hk. specialize (B k ltac:(lia)).
      split; [split; [exact HM|]|reflexivity]. intros. simpl. destruct (_ && _); lra.
    - apply in_flat_map in Hb. destruct Hb as [j [_ Hb]]. apply in_flat_map in Hb. destruct Hb as [j' [_ Hb]].
      destruct (Nat.eqb j j'); [contradiction|]. apply in_map_iff in Hb. destruct Hb as [k [<- Hk]]. apply in_seq in Hk.
      specialize (B k ltac:(lia)).
      split; [split; [exact HM|]|reflexivity]. intros. simpl. destruct (_ && _); lra. }
  split; apply Forall_forall; intros b Hb; apply H, Hb.
Qed.

(** The edges are among the bad boxes. *)
Lemma edges_proper M : 0 <= M -> Forall (proper d n) (edges M) /\ Forall (fun b => height b = M) (edges M).
Proof using N1 d1 e0 ed.
  intros HM. destruct (bad_proper M HM) as [P H]. unfold bad in P, H. split.
  - apply (Forall_app (proper d n) (edges M) (all_twins M)), P.
  - apply (Forall_app (fun b => height b = M) (edges M) (all_twins M)), H.
Qed.

(** The entries of a point of the cube, in their cells. *)
Lemma in_cells X : cube d n X -> forall i j, (i < d)%nat -> (j < n)%nat -> (cell N X i j < N)%nat /\
  INR (cell N X i j) * delta <= X i j <= INR (cell N X i j) * delta + delta.
Proof using N1 d1.
  intros HX i j Hi Hj. apply cell_below_spec; [exact N1|]. rewrite delta_N. apply HX; assumption.
Qed.

(** A point of the cube is off the edges, or in one. *)
Theorem off_edges_or_edge M X : cube d n X -> off_edges X (cell N X) \/ exists b, In b (edges M) /\
  inside d n b X = true.
Proof using N1 d1.
  intros HX. pose proof (in_cells X HX) as C.
  destruct (classic (exists i j, (i < d)%nat /\ (j < n)%nat /\ X i j < e)) as [[i0 [j0 [Hi [Hj L]]]]|NL].
  { right. exists (strip M 0 e i0 j0). split.
    - apply in_app_iff. left. apply in_flat_map. exists i0. split; [apply in_seq; lia|]. apply in_map_iff. exists j0.
      split; [reflexivity|apply in_seq; lia].
    - apply inside_spec. intros i j Hi' Hj'. specialize (HX i j Hi' Hj'). simpl.
      destruct (Nat.eqb_spec i i0) as [->|]; [destruct (Nat.eqb_spec j j0) as [->|]|]; simpl; lra. }
  destruct (classic (exists i j, (i < d)%nat /\ (j < n)%nat /\ INR (cell N X i j) * delta + delta - e < X i j)) as
    [[i0 [j0 [Hi [Hj L]]]]|NS].
  - right. destruct (C i0 j0 Hi Hj) as [HK [_ HU]].
    exists (strip M (INR (cell N X i0 j0) * delta + delta - e) (INR (cell N X i0 j0) * delta + delta) i0 j0). split.
    + apply in_app_iff. right. apply in_flat_map. exists i0. split; [apply in_seq; lia|].
      apply in_flat_map. exists j0. split; [apply in_seq; lia|].
      apply in_map_iff. exists (cell N X i0 j0). split; [reflexivity|apply in_seq; lia].
    + apply inside_spec. intros i j Hi' Hj'. simpl. destruct (Nat.eqb_spec i i0) as [->|];
        [destruct (Nat.eqb_spec j j0) as [->|]|]; simpl; try (apply HX; assumption). lra.
  - left. split.
    + intros i j Hi Hj. destruct (C i j Hi Hj) as [HK [HL _]]. split; [exact HK|]. split; [exact HL|].
      apply Rnot_lt_le. intros L. apply NS. exists i, j. auto.
    + intros i j Hi Hj. apply Rnot_lt_le. intros L. apply NL. exists i, j. auto.
Qed.

(** A point of the cube is good, or in a bad box. *)
Theorem good_or_bad M X : cube d n X -> good X (cell N X) \/ exists b, In b (bad M) /\ inside d n b X = true.
Proof using N1 d1.
  intros HX. pose proof (in_cells X HX) as C.
  destruct (off_edges_or_edge M X HX) as [[HC HE]|[b [Hb I]]];
    [|right; exists b; split; [apply in_app_iff; left; exact Hb|exact I]].
  destruct (classic (exists j0 j1, (j0 < n)%nat /\ (j1 < n)%nat /\ j0 <> j1 /\
    cell N X 0%nat j0 = cell N X 0%nat j1)) as [[j0 [j1 [H0 [H1 [H01 E]]]]]|ND].
  - right. exists (twins M (INR (cell N X 0%nat j0) * delta) (INR (cell N X 0%nat j0) * delta + delta) j0 j1).
    destruct (C 0%nat j0 d1 H0) as [HK HU]. destruct (C 0%nat j1 d1 H1) as [_ HU']. rewrite <- E in HU'. split.
    + apply in_app_iff. right. apply in_flat_map. exists j0. split; [apply in_seq; lia|].
      apply in_flat_map. exists j1. split; [apply in_seq; lia|].
      destruct (Nat.eqb_spec j0 j1); [contradiction|]. apply in_map_iff. exists (cell N X 0%nat j0).
      split; [reflexivity|apply in_seq; lia].
    + apply inside_spec. intros i j Hi' Hj'. simpl. destruct (Nat.eqb_spec i 0) as [->|]; [|simpl; apply HX;
        assumption].
      destruct (Nat.eqb_spec j j0) as [->|]; [simpl; lra|].
      destruct (Nat.eqb_spec j j1) as [->|]; simpl; [lra|apply HX; assumption].
  - left. split; [exact HC|split; [|exact HE]]. intros j j' Hj Hj' E. destruct (Nat.eq_dec j j') as [Eq|NE]; [exact
    Eq|].
    exfalso. apply ND. exists j, j'. repeat split; auto.
Qed.
End Boxes.
