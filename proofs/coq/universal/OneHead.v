(** The averaging network: the statements of [Averaging.v], proved. Its map fills in the interface that Lemma 6's keys
    fill in, with no error at all, for every matrix of cells. *)
From Coq Require Import Reals ZArith List Arith Bool Lia Lra Psatz Permutation FunctionalExtensionality Classical.
From Contextual Require Exact Finite Statement.
From Contextual Require Import Multisets Approximation Sums Softmax Construction Relu Blocks Tracking Interface Boxes
  Uniform Budget Sentinel Cube Rescale Explicit Everywhere Sizes Weights Averaging.
Import ListNotations.
Open Scope R_scope.

(** ** Numbers of columns *)
Section Numbers.
Variables N : nat.

(** A number has d digits. *)
Lemma number_below d K j : (forall i, (i < d)%nat -> (K i j < N)%nat) -> (number d N K j < N ^ d)%nat.
Proof using.
  induction d as [|d IH]; intros H; [simpl; lia|]. specialize (IH ltac:(auto)). specialize (H d ltac:(lia)).
  cbn [number]. rewrite Nat.pow_succ_r'. nia.
Qed.

(** It tells the column. *)
Lemma number_tells d K j K' j' : (forall i, (i < d)%nat -> (K i j < N)%nat) ->
  (forall i, (i < d)%nat -> (K' i j' < N)%nat) -> number d N K j = number d N K' j' ->
  forall i, (i < d)%nat -> K i j = K' i j'.
Proof using.
  induction d as [|d IH]; intros H H' E i Hi; [lia|].
  pose proof (number_below d K j ltac:(auto)) as L. pose proof (number_below d K' j' ltac:(auto)) as L'. cbn [number]
    in E.
  assert (K d j = K' d j') as Ed.
  { destruct (Nat.lt_trichotomy (K d j) (K' d j')) as [A|[A|A]]; [exfalso; nia|exact A|exfalso; nia]. }
  destruct (Nat.eq_dec i d) as [->|]; [exact Ed|]. apply IH; auto; [|lia]. rewrite Ed in E. lia.
Qed.

(** It is the id of the corner, in units of 1/N. *)
Lemma number_id d K j : along d (u N) (corner N K) j = INR (number d N K j) * / INR N.
Proof using.
  unfold along. induction d as [|d IH]; [simpl; ring|]. cbn [number]. rewrite plus_INR, mult_INR, Rmult_plus_distr_r,
    <- IH.
  simpl sum. unfold u, corner. rewrite pow_INR. ring.
Qed.
End Numbers.

(** A sum of whole numbers. *)
Lemma sum_INR m f : INR (list_sum (map f (seq 0 m))) = sum m (fun k => INR (f k)).
Proof. exact (Finite.image Finite.N_sums R_sums INR (f_equal INR) eq_refl plus_INR m f). Qed.

(** A window is never negative. *)
Lemma window_nonneg k w x : 0 < w -> 0 <= apply_phi (window k w) x.
Proof.
  intros Hw. rewrite phi_spec. simpl. assert (4 / w * w = 4) as E by (field; lra).
  assert (0 < 4 / w) by (apply Rdiv_lt_0_compat; lra). set (a := 4 / w) in *. clearbody a.
  pieces; try (exfalso; lra); nra.
Qed.

Section Map.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Variable F : R.
Hypothesis F0 : 0 < F.
Notation w := (/ INR N).
Notation BB := (Statement.B d N).
Notation rid := (along d (u N)).
Notation net := (run d n 2 1 4).
Notation A := (unit_of d N F).
Notation g := (spread d n N).
Notation units := (units d n N).
Notation number := (number d N).
Notation cmap := (averaging_map d n N F).
Notation codes := (map (code_entry d n N F) (seq 0 BB)).
Notation key := (averaging_key d n N F).
Notation all := (list_sum (map units _)).

(** 0 < w <= 1/2, and N w = 1. *)
Lemma width : 0 < w /\ w <= 1 / 2 /\ INR N * w = 1.
Proof using N2. destruct (w_half N N2). repeat split; [assumption..|apply w_N, N2]. Qed.

(** A unit is at least N^d. *)
Lemma unit_large : INR BB <= A /\ F * INR d * INR BB + w <= A /\ 1 <= A.
Proof using F0 N2 d1 n1.
  assert (2 <= INR BB) as H by (apply (le_INR 2), (B_2 d N d1 N2)). assert (1 <= INR d) by (apply (le_INR 1), d1).
  destruct width as [_ [W _]].
  assert (0 <= F * INR d * INR BB) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
  assert (A = F * INR d * INR BB + INR BB) as -> by (unfold unit_of; ring). lra.
Qed.

(** Codes are between 1 and [spread] units. *)
Lemma units_range k : (k < BB)%nat -> (1 <= units k <= g)%nat.
Proof using n1 d1 N2.
  intros Hk. pose proof (code_below n BB k n1 Hk). unfold Averaging.units, spread. lia.
Qed.

(** Numbers of columns in range. *)
Lemma number_in K j : in_range d n N K -> (j < n)%nat -> (number K j < BB)%nat.
Proof using. intros H Hj. apply number_below. intros i Hi. apply H; assumption. Qed.

(** ** The codes *)
(** The code of the column, in the place of its id. *)
Lemma coded K Y : in_range d n N K -> (forall i j, (i < d)%nat -> (j < n)%nat -> Y i j = corner N K i j) ->
  forall j, (j < n)%nat -> rid (net (value N codes) Y) j = A * INR (units (number K j)).
Proof using F0 N2 d1 n1.
  intros HR EY j Hj. destruct width as [W [W2 NW]]. destruct unit_large as [UB [_ U1]].
  set (k := number K j). assert (k < BB)%nat as Hk by (apply number_in; assumption).
  assert (rid Y j = INR k * w) as EI.
  { unfold k. rewrite <- number_id. apply along_ext. intros i Hi. apply EY; assumption. }
  assert (1 <= INR (units k)) as U by (apply (le_INR 1), (units_range k Hk)).
  assert (A <= A * INR (units k)) as AU by (rewrite <- (Rmult_1_r A) at 1; apply Rmult_le_compat_l; lra).
  set (a := snd (code_entry d n N F k)).
  assert (rid (fun i _ => a i) j = A * INR (units k) - INR k * w) as Ea.
  { pose proof (id_first d N ltac:(lia) (fun _ _ => 0) (fun i _ => a i) j (A * INR (units k) - INR k * w)) as E.
    rewrite E by (intros i _; unfold a, code_entry; simpl; destruct (Nat.eqb i 0); ring).
    assert (rid (fun _ _ => 0) j = 0) as ->; [apply sum_zero; intros; ring|ring]. }
  assert (forall i, (i < d)%nat -> net (value N codes) Y i j = Y i j + a i) as EV.
  { apply (value_spec d n N W codes (INR k * w)).
    - change (INR k * w, a) with (code_entry d n N F k). apply in_map, in_seq. lia.
    - intros t Ht. apply in_map_iff in Ht. destruct Ht as [k' [<- _]]. simpl fst.
      destruct (Nat.eq_dec k' k) as [->|NE]; [left; split; [reflexivity|intros; reflexivity]|right].
      destruct (Nat.lt_gt_cases k' k) as [[L|L] _]; [exact NE| |].
      + apply le_INR in L. rewrite S_INR in L. rewrite Rabs_left1; nra.
      + apply le_INR in L. rewrite S_INR in L. rewrite Rabs_right; nra.
    - rewrite EI, Rminus_eq_0, Rabs_R0. lra.
    - intros t Ht. apply in_map_iff in Ht. destruct Ht as [k' [<- Hk']]. apply in_seq in Hk'. simpl fst.
      rewrite EI, Ea. assert (INR k' + 1 <= INR BB) as L by (rewrite <- S_INR; apply le_INR; lia).
      rewrite Rabs_right; pose proof (pos_INR k'); nra. }
  transitivity (rid Y j + rid (fun i _ => a i) j); [|rewrite EI, Ea; ring].
  unfold along. rewrite <- sum_plus. apply sum_ext. intros i Hi. rewrite EV by exact Hi. ring.
Qed.

(** ** The average *)
Lemma average_spec a X i j : layer d n (average N a) X i j =
  X i j + (if Nat.eqb i 0 then a else 0) * (sum n (rid X) / INR n).
Proof using n1.
  unfold average. rewrite attention_spec, attend_zero, Rplus_0_r. f_equal.
  unfold attend, times at 1. simpl sum at 1. rewrite Rplus_0_l. f_equal.
  unfold times at 1. rewrite (sum_ext n _ (fun k => / INR n * rid X k)); [rewrite sum_scale; unfold Rdiv; ring|].
  intros k Hk. change (times d (fun _ => u N) X 0%nat k) with (rid X k). rewrite (Rmult_comm (/ INR n)). f_equal.
  unfold softmax.
  assert (forall k, times 1 (transpose (times d (fun _ _ => 0) X)) (plus (times d (fun _ _ => 0) X)
    (columns (fun _ => 0))) k j = 0) as E.
  { intros k'. unfold times at 1, transpose, plus, columns. simpl sum at 1.
    assert (times d (fun _ _ => 0) X 0%nat k' = 0) as ->; [|ring]. apply sum_zero. intros. ring. }
  simpl W_K. simpl W_Q. simpl b_Q. rewrite E, exp_0.
  rewrite (sum_ext n _ (fun _ => 1)), sum_const by (intros; rewrite E; apply exp_0).
  unfold Rdiv. rewrite Rmult_1_r. ring.
Qed.

(** It adds the sum of all ids to each id. *)
Lemma average_id X j : rid (layer d n (average N (INR n * INR g)) X) j = rid X j + INR g * sum n (rid X).
Proof using d1 n1 N2.
  apply (id_first d N ltac:(lia)). intros i _. rewrite average_spec. assert (0 < INR n) by (apply lt_0_INR; lia).
  destruct (Nat.eqb i 0); [field; lra|ring].
Qed.

(** The map: codes, then the average. *)
Lemma map_is X : net cmap X = layer d n (average N (INR n * INR g)) (net (value N codes) X).
Proof using. unfold averaging_map. rewrite run_app. reflexivity. Qed.

(** Its ids are the keys, exactly. *)
Theorem averaging_tracks K Y : in_range d n N K -> (forall i j, (i < d)%nat -> (j < n)%nat -> Y i j = corner N K i j) ->
  forall j, (j < n)%nat -> rid (net cmap Y) j = key K j.
Proof using F0 N2 d1 n1.
  intros HR EY j Hj. rewrite map_is, average_id, (coded K Y HR EY j Hj).
  rewrite (sum_ext n _ (fun k => A * INR (units (number K k)))) by (intros; apply coded; assumption).
  rewrite sum_scale. unfold averaging_key. rewrite plus_INR, mult_INR.
  rewrite sum_INR.
  ring.
Qed.

(** Rows 1, 2, ... stay. *)
Lemma averaging_rows Y i j : (0 < i)%nat -> net cmap Y i j = Y i j.
Proof using n1 d1 N2.
  intros Hi. rewrite map_is, average_spec. destruct (Nat.eqb_spec i 0); [lia|]. rewrite Rmult_0_l, Rplus_0_r.
  clear -Hi. revert Y. induction (seq 0 BB) as [|k l IH]; intros Y; [reflexivity|].
  cbn [map]. rewrite value_cons, IH, token_spec. simpl snd. destruct (Nat.eqb_spec i 0); [lia|ring].
Qed.

(** ** Keys *)
Lemma key_units K j : in_range d n N K -> (j < n)%nat -> A <= key K j.
Proof using F0 N2 d1 n1.
  intros HR Hj. destruct unit_large as [_ [_ U]]. unfold averaging_key. rewrite <- (Rmult_1_r A) at 1.
  apply Rmult_le_compat_l; [lra|]. apply (le_INR 1). pose proof (units_range _ (number_in K j HR Hj)). lia.
Qed.

(** Keys are at most [averaging_top]. *)
Lemma key_top K j : in_range d n N K -> (j < n)%nat -> key K j <= averaging_top d n N F.
Proof using F0 N2 d1 n1.
  intros HR Hj. destruct unit_large as [_ [_ U]]. unfold averaging_key, averaging_top.
  apply Rmult_le_compat_l; [lra|]. apply le_INR, Nat.add_le_mono; [apply units_range, number_in; assumption|].
  apply Nat.mul_le_mono_l.
  assert (forall m, (m <= n)%nat -> (list_sum (map (fun k => units (number K k)) (seq 0 m)) <= m * g)%nat) as G;
    [|apply G, le_n].
  induction m as [|m IH]; intros Hm; [simpl; lia|]. rewrite seq_S, map_app, list_sum_app. specialize (IH ltac:(lia)).
  pose proof (units_range _ (number_in K m HR ltac:(lia))) as R. rewrite Nat.mul_succ_l. set (u := units (number K
    m)) in *.
  change (list_sum (map (fun k => units (number K k)) [(0 + m)%nat])) with (u + 0)%nat. lia.
Qed.

(** Equal keys: equal columns of matrices that differ by the order of their columns. Different ones are 1/N apart. *)
Theorem averaging_separation K K' j j' : in_range d n N K -> in_range d n N K' -> (j < n)%nat -> (j' < n)%nat ->
  (key K' j' = key K j /\ exists p : nat -> nat, (forall k, (k < n)%nat -> (p k < n)%nat) /\
    (forall k l, (k < n)%nat -> (l < n)%nat -> p k = p l -> k = l) /\ p j' = j /\
    forall i k, (i < d)%nat -> (k < n)%nat -> K' i k = K i (p k)) \/
  w <= Rabs (key K' j' - key K j).
Proof using F0 N2 d1 n1.
  intros HR HR' Hj Hj'. destruct width as [W [W2 _]]. destruct unit_large as [_ [_ U]]. unfold averaging_key.
  set (s := fun K => list_sum (map (fun k => units (number K k)) (seq 0 n))). fold (s K) (s K').
  pose proof (units_range _ (number_in K j HR Hj)) as R1. pose proof (units_range _ (number_in K' j' HR' Hj')) as R2.
  set (x := (units (number K j) + g * s K)%nat). set (x' := (units (number K' j') + g * s K')%nat).
  destruct (Nat.eq_dec x' x) as [E|NE].
  - left. split; [rewrite E; reflexivity|]. unfold x, x' in E.
    assert (s K' = s K) as Es.
    { destruct (Nat.lt_trichotomy (s K') (s K)) as [L|[L|L]]; [exfalso; nia|exact L|exfalso; nia]. }
    assert (units (number K' j') = units (number K j)) as Eu by (rewrite Es in E; lia).
    assert (forall K, in_range d n N K -> forall k, In k (map (number K) (seq 0 n)) -> (k < BB)%nat) as below.
    { intros K0 H0 k Hk. apply in_map_iff in Hk. destruct Hk as [i [<- Hi]]. apply in_seq in Hi.
      apply number_in; [exact H0|lia]. }
    assert (forall K, length (map (number K) (seq 0 n)) = n) as len by (intros; rewrite map_length, seq_length;
      reflexivity).
    assert (forall l, list_sum (map units l) = (length l + list_sum (map (column_code n BB) l))%nat) as sums.
    { clear. induction l as [|k l IH]; [reflexivity|]. cbn [map length].
      change (list_sum (?a :: ?b)) with (a + list_sum b)%nat. rewrite IH. unfold Averaging.units. lia. }
    assert (forall K, s K = (n + list_sum (map (column_code n BB) (map (number K) (seq 0 n))))%nat) as Esum.
    { intros K0. unfold s. rewrite <- (map_map (number K0) units), sums, len. reflexivity. }
    assert (Permutation (map (number K) (seq 0 n)) (map (number K') (seq 0 n))) as P.
    { pose proof (B_2 d N d1 N2). apply (codes_tell n BB); try apply len; try (apply below; assumption); try lia.
      rewrite !Esum in Es. lia. }
    assert (forall K k, (k < n)%nat -> nth k (map (number K) (seq 0 n)) O = number K k) as Nth.
    { intros K0 k Hk. rewrite (nth_indep _ O (number K0 O)) by (rewrite len; exact Hk).
      rewrite map_nth, seq_nth by exact Hk. reflexivity. }
    assert (number K j = number K' j') as En.
    { unfold Averaging.units in Eu. injection Eu as Eu.
      apply (code_tells n BB _ _ n1 (number_in K j HR Hj) (number_in K' j' HR' Hj')). symmetry. exact Eu. }
    destruct (permutation_at _ _ n j j' P (len K) Hj Hj') as [p [p1 [p2 [p3 p4]]]]; [rewrite !Nth by assumption;
      exact En|].
    exists p. split; [exact p1|split; [exact p2|split; [exact p3|]]]. intros i k Hi Hk. specialize (p4 k Hk).
    rewrite !Nth in p4 by (try apply p1; exact Hk).
    apply (number_tells N d K' k K (p k)); [intros; apply HR'; assumption|intros; apply HR; auto|exact p4|exact Hi].
  - right. rewrite <- Rmult_minus_distr_l, Rabs_mult, (Rabs_right A) by lra.
    assert (1 <= Rabs (INR x' - INR x)) as D; [|nra].
    destruct (Nat.lt_gt_cases x' x) as [[L|L] _]; [exact NE| |]; apply le_INR in L; rewrite S_INR in L.
    + rewrite Rabs_left1; lra.
    + rewrite Rabs_right; lra.
Qed.

(** ** The map lifts: ids of nonnegative columns don't fall, and each is at least the share of any one entry. *)
Lemma values_rise ts : (forall t i, In t ts -> (i < d)%nat -> 0 <= snd t i) ->
  forall X i j, (i < d)%nat -> X i j <= net (value N ts) X i j.
Proof using N2.
  intros H. destruct width as [W _]. induction ts as [|t ts IH]; intros X i j Hi; [simpl; lra|]. rewrite value_cons.
  eapply Rle_trans; [|apply IH; [intros; apply H; [right|]; assumption|exact Hi]]. rewrite token_spec.
  pose proof (window_nonneg (fst t) w (along d (u N) X j) W). specialize (H t i (or_introl eq_refl) Hi). nra.
Qed.

(** What codes add isn't negative. *)
Lemma codes_nonneg t i : In t codes -> 0 <= snd t i.
Proof using F0 N2 d1 n1.
  intros Ht. apply in_map_iff in Ht. destruct Ht as [k [<- Hk]]. apply in_seq in Hk. unfold code_entry, snd.
  destruct (Nat.eqb i 0); [|lra].
  destruct width as [W [W2 _]]. destruct unit_large as [UB [_ U]]. destruct (units_range k ltac:(lia)) as [U1 _].
  apply (le_INR 1) in U1. change (INR 1) with 1 in U1.
  assert (INR k + 1 <= INR BB) by (rewrite <- S_INR; apply le_INR; lia). pose proof (pos_INR k). assert (A <= A * INR
    (units k)) by nra. nra.
Qed.

(** The averaging map lifts. *)
Lemma averaging_lifts : lifting d n N cmap.
Proof using F0 N2 d1 n1.
  intros Y HY i0 j0 j Hi0 Hj0 Hj. rewrite map_is, average_id. set (X := net (value N codes) Y).
  assert (forall i j, (i < d)%nat -> Y i j <= X i j) as up.
  { intros i k Hi. apply values_rise; [|exact Hi]. intros t i' Ht _. apply codes_nonneg, Ht. }
  assert (forall i j, (i < d)%nat -> (j < n)%nat -> 0 <= X i j) as HX.
  { intros i k Hi Hk. specialize (up i k Hi). specialize (HY i k Hi Hk). lra. }
  assert (forall k, (k < n)%nat -> 0 <= rid X k) as XI by (intros k Hk; apply along_nonneg; [lia|intros; apply HX;
    assumption]).
  assert (rid Y j <= rid X j) as YX.
  { apply sum_le. intros i Hi. pose proof (u_one N ltac:(lia) i). specialize (up i j Hi). nra. }
  assert (Y i0 j0 <= sum n (rid X)) as T.
  { apply Rle_trans with (1 := up i0 j0 Hi0). apply Rle_trans with (rid X j0).
    - apply along_term; [lia|intros; apply HX; assumption|exact Hi0].
    - apply (sum_term n (rid X)); [exact XI|exact Hj0]. }
  assert (1 <= INR g) as G1.
  { apply (le_INR 1). pose proof (B_2 d N d1 N2). pose proof (units_range 0 ltac:(lia)). lia. }
  pose proof (HY i0 j0 Hi0 Hj0) as Y0. specialize (XI j Hj). assert (1 <= INR n) as N1 by (apply (le_INR 1), n1).
  assert (Y i0 j0 / INR n <= Y i0 j0) as S.
  { apply Rmult_le_reg_r with (INR n); [lra|]. replace (Y i0 j0 / INR n * INR n) with (Y i0 j0) by (field; lra). nra. }
  assert (sum n (rid X) <= INR g * sum n (rid X)) by nra. split; lra.
Qed.

(** ** The interface, with no error *)
Variable v : cells -> matrix.
Hypothesis v_equivariant : equivariant_values d n N v.
Hypothesis v_bound : forall K i j, In K (all_cells d n N) -> (i < d)%nat -> (j < n)%nat -> Rabs (v K i j) <= F.

(** As Lemma 6's keys, and for all matrices of cells. *)
Theorem averaging_interface : interface d n N N F 0 (all_cells d n N) key cmap v.
Proof using F0 N2 d1 n1 v_bound v_equivariant.
  assert (forall K, In K (all_cells d n N) -> in_range d n N K) as range by (intros K HK; apply cells_range;
    [lia|exact HK]).
  split.
  - exact range.
  - intros K Y HK EY j Hj. rewrite (averaging_tracks K Y (range K HK) EY j Hj), Rminus_eq_0, Rabs_R0. lra.
  - intros Y i j Hi. apply averaging_rows, Hi.
  - intros K K' j j' HK HK' Hj Hj'.
    destruct (averaging_separation K K' j j' (range K HK) (range K' HK') Hj Hj') as [[Ek [p [p1 [p2 [<- EK]]]]]|far];
      [left|right; exact far].
    split; [exact Ek|]. intros i Hi. split; [apply EK; assumption|apply (v_equivariant p p1 p2); assumption].
  - intros K j HK Hj. destruct unit_large as [_ [U _]]. pose proof (key_units K j (range K HK) Hj). lra.
  - intros K HK i j Hi Hj. apply v_bound; assumption.
Qed.

(** ** At a point *)
Variable e : R.
Hypothesis e0 : 0 < e.
Hypothesis ew : e < w.
Notation g_at := (net (averaging_network_at d n N e F v)).

(** Keys aren't negative. *)
Lemma top_nonneg : 0 <= averaging_top d n N F.
Proof using F0 N2 d1 n1. destruct unit_large as [_ [_ U]]. apply Rmult_le_pos; [lra|apply pos_INR]. Qed.

(** 0 off the interior of the cube. *)
Theorem averaging_outside X k l : (k < d)%nat -> (l < n)%nat -> X k l <= 0 \/ 1 <= X k l ->
  forall i j, (i < d)%nat -> (j < n)%nat -> g_at X i j = 0.
Proof using F0 N2 d1 e0 ew n1 v_bound v_equivariant.
  intros Hk Hl HX. apply (outside_point d n N d1 n1 N2 F 0 e _ F0 e0 ew _ _ _ _ averaging_interface averaging_lifts
    top_nonneg X k l Hk Hl HX).
Qed.

(** The value of the cell, off the strips. *)
Theorem averaging_inside X K : In K (all_cells d n N) ->
  (forall i j, (i < d)%nat -> (j < n)%nat -> INR (K i j) * w <= X i j <= INR (K i j) * w + w - e /\ e <= X i j) ->
  forall i j, (i < d)%nat -> (j < n)%nat -> g_at X i j = v K i j.
Proof using F0 N2 d1 e0 ew n1 v_bound v_equivariant.
  intros HK HX i j Hi Hj. destruct width as [W _].
  assert (forall K j, In K (all_cells d n N) -> (j < n)%nat -> key K j <= averaging_top d n N F) as KT.
  { intros K0 k H0 Hk. apply key_top; [apply cells_range; [lia|exact H0]|exact Hk]. }
  pose proof (inside_point d n N d1 n1 N2 F 0 e _ F0 ltac:(lra) e0 ew _ _ _ _ averaging_interface top_nonneg KT X K
    HK HX
    i j Hi Hj) as H.
  apply between in H. unfold averaging_network_at, averaging_table. lra.
Qed.
End Map.

(** ** One head, one average *)
(** A token-wise block: all its heads are 0. *)
Definition is_token (t : block) : Prop := heads t = fun _ => zero_head.

(** A token-wise layer is one. *)
Lemma token_token w v f : is_token (token w v f).
Proof. reflexivity. Qed.

(** So are those of all rows, *)
Lemma entrywise_token d f : Forall is_token (entrywise d f).
Proof. apply Forall_forall. intros t Ht. apply in_map_iff in Ht. destruct Ht as [i [<- _]]. apply token_token. Qed.

(** the quantiser, *)
Lemma quantise_token d N e m : Forall is_token (quantise d N e m).
Proof.
  apply Forall_forall. intros t Ht. apply in_flat_map in Ht. destruct Ht as [i [_ Ht]]. apply in_map_iff in Ht.
  destruct Ht as [k [<- _]]. apply token_token.
Qed.

(** and the value map. *)
Lemma value_token N ts : Forall is_token (value N ts).
Proof. apply Forall_forall. intros t Ht. apply in_map_iff in Ht. destruct Ht as [x [<- _]]. apply token_token. Qed.

(** Its parts before and after the average. *)
Lemma averaging_parts d n K N e F v : exists a b, averaging_network d n K N e F v =
  a ++ average N (INR n * INR (spread d n N)) :: b /\ Forall is_token a /\ Forall is_token b.
Proof.
  set (codes := value N (map (code_entry d n N F) (seq 0 (Statement.B d N)))).
  set (first := entrywise d (border e (sentinel n (averaging_top d n N F) F))).
  exists (entrywise d (affine (/ (2 * K)) (1 / 2)) ++ first ++ quantise d N e N ++ codes).
  exists ([reject N (limit (averaging_top d n N F) F)] ++ value N (averaging_table d n N F v) ++ entrywise d (finish
    F)).
  split; [|split].
  - unfold averaging_network, averaging_network_at, whole_network, averaging_map. fold first codes.
    rewrite <- !app_assoc. reflexivity.
  - rewrite !Forall_app. repeat split; try apply entrywise_token; [apply quantise_token|apply value_token].
  - rewrite !Forall_app. repeat split; [repeat constructor|apply value_token|apply entrywise_token].
Qed.

(** With one head read or two. *)
Lemma one_head d n g : Forall (fun t => heads t 1%nat = zero_head) g -> forall X, run d n 1 1 4 g X = run d n 2 1 4 g X.
Proof.
  induction g as [|t g IH]; intros H X; [reflexivity|]. inversion H as [|t' g' Ht Hg]; subst.
  change (run d n 1 1 4 g (FF d 4 t (Attn d n 1 1 t X)) = run d n 2 1 4 g (FF d 4 t (Attn d n 2 1 t X))).
  replace (Attn d n 2 1 t X) with (Attn d n 1 1 t X); [apply IH, Hg|].
  extensionality i. extensionality j. unfold Attn. simpl sum. rewrite Ht, attend_zero. ring.
Qed.

(** The network with one head. *)
Lemma averaging_run d n K N e F v X :
  run d n 1 1 4 (averaging_network d n K N e F v) X = run d n 2 1 4 (averaging_network d n K N e F v) X.
Proof.
  apply one_head. destruct (averaging_parts d n K N e F v) as [a [b [-> [Ha Hb]]]].
  apply Forall_app. split; [|constructor; [reflexivity|]]; (eapply Forall_impl; [|eassumption]); intros t ->;
    reflexivity.
Qed.

(** A single average. *)
Lemma averaging_one d n K N e F v : one_average d (averaging_network d n K N e F v).
Proof.
  destruct (averaging_parts d n K N e F v) as [a [b [-> [Ha Hb]]]]. eexists a, _, b. split; [reflexivity|].
  split; [|split; [split; [|intros]; simpl; auto|]]; (eapply Forall_impl; [|eassumption]); intros t E i _; rewrite E;
    reflexivity.
Qed.

(** Its blocks. *)
Lemma averaging_length d n K N e F v : length (averaging_network d n K N e F v) = blocks2 d n N.
Proof.
  unfold averaging_network, averaging_network_at, whole_network, averaging_map, averaging_table, value, blocks2.
  rewrite !app_length, !entrywise_length, quantise_length, !map_length, table_length, cells_length, seq_length.
  unfold Statement.B. simpl (length [_]). lia.
Qed.

(** ** What the network is at a point *)
Theorem averaging_values : Averaging_values.
Proof.
  intros d n N e F v d1 n1 N2 [e0 ew] F0 Hv HF g.
  assert (forall X, g X = run d n 2 1 4 (averaging_network_at d n N e F v) X) as E.
  { intros X. apply one_head. destruct (averaging_parts d n 1 N e F v) as [a [b [Ep [Ha Hb]]]].
    assert (Forall (fun t => heads t 1%nat = zero_head) (averaging_network d n 1 N e F v)) as H.
    { rewrite Ep. apply Forall_app. split; [|constructor; [reflexivity|]]; (eapply Forall_impl; [|eassumption]);
        intros t ->; reflexivity. }
    apply Forall_app in H. apply H. }
  split; [|split].
  - intros X i j Hi Hj. rewrite Rminus_0_r, E. apply bounded_whole; assumption.
  - intros X k l Hk Hl HX i j Hi Hj. rewrite E.
    apply (averaging_outside d n N d1 n1 N2 F F0 v Hv HF e e0 ew X k l); assumption.
  - intros K X HK HX HE i j Hi Hj. rewrite E.
    apply (averaging_inside d n N d1 n1 N2 F F0 v Hv HF e e0 ew X K HK); [|exact Hi|exact Hj].
    intros a b Ha Hb. split; [apply HX|apply HE]; assumption.
Qed.

(** ** Theorem 2, with all numbers given: within the cube, and exactly 0 off it *)
Theorem averaging_numbers : Averaging_at.
Proof.
  intros d n f K F c p eps N e d1 n1 Hf He Hs HF K0 F0 p1 eps0 Hc numbers g.
  split; [apply averaging_one|split; [|apply averaging_length]].
  apply (distance_ext d n p everywhere f (run d n 2 1 4 g)).
  { intros X _ i j _ _. unfold g. rewrite averaging_run. reflexivity. }
  set (h := fun Y => f (stretch (- K) (2 * K) Y)) in *. set (v := at_corners N h) in *.
  pose proof numbers as [N2 [_ [[e0 ew] _]]]. assert (0 < 2 * K) as s0 by lra.
  assert (equivariant_values d n N v) as Hv.
  { intros q q1 q2 C C' HC HC' E i k Hi Hk. unfold v, at_corners, h.
    rewrite <- (He q q1 q2 (stretch (- K) (2 * K) (corner N C)) i k Hi Hk).
    apply (continuous_ext d n everywhere f); [exact Hf|exact I|exact I| |exact Hi|exact Hk].
    intros x y Hx Hy. unfold stretch, corner. rewrite E by assumption. reflexivity. }
  assert (forall C i j, In C (all_cells d n N) -> (i < d)%nat -> (j < n)%nat -> Rabs (v C i j) <= F) as Hb
    by (intros; apply HF; assumption).
  apply from_cube; try assumption.
  { intros Y [k [l [Hk [Hl HY]]]]. apply (averaging_outside d n N d1 n1 N2 F F0 v Hv Hb e e0 ew Y k l); assumption. }
  set (eps' := shrunk d n (2 * K) p eps). assert (0 < eps') as E0 by (apply shrunk_pos, eps0).
  apply (approximates d n d1 n1 F (c / (2 * K)) p eps' F0 p1 E0 N e numbers).
  - intros X HX. exact HX.
  - intros X _ i j Hi Hj. apply HF; assumption.
  - intros X Y _ _. apply (stretch_modulus d n (- K) (2 * K) s0 everywhere f); [|exact I|exact I]. intros X' Y' _ _.
    apply Hc.
  - intros X i j Hi Hj. apply bounded_whole; assumption.
  - intros X HX [HG HE]. destruct (cell_spec d n N X ltac:(lia) HX) as [HR _].
    destruct (cells_complete d n N (cell N X) n1 HR) as [C [HC E]]. exists (corner N C).
    pose proof (cells_range d n N C ltac:(lia) HC) as HR'.
    split; [apply corner_cube; [exact N2|exact HR']|split].
    + apply (in_cell_same d n N C); [exact E|apply corner_in_cell, N2].
    + intros i j Hi Hj. rewrite (averaging_inside d n N d1 n1 N2 F F0 v Hv Hb e e0 ew X C HC); [|intros k l Hk Hl;
        rewrite E by assumption; split; [apply HG|apply HE]; assumption|exact Hi|exact Hj].
      unfold v, at_corners. rewrite Rminus_eq_0, Rabs_R0. apply Rlt_le, (tolerance_spec d n d1 n1 F p eps' E0 N N2).
Qed.

(** Theorem 2 with one head and one average. *)
Theorem theorem2_one_average : Theorem2_one_average.
Proof.
  intros d n d1 n1 f Hf Hs He p eps Hp Heps.
  destruct (support_bounds d n f p eps d1 n1 Hf Hs Heps) as [K [F [c [K0 [F0 [c0 [H0 [HF Hc]]]]]]]].
  assert (0 < shrunk d n (2 * K) p eps) as E by (apply shrunk_pos, Heps).
  assert (0 < c / (2 * K)) as C by (apply Rdiv_lt_0_compat; lra).
  pose proof (positions_fine d n d1 n1 F (c / (2 * K)) p _ F0 C E) as [_ numbers].
  set (N := side_positions d F (c / (2 * K))) in *. set (e := gap d n N F p (shrunk d n (2 * K) p eps)) in *.
  destruct (averaging_numbers d n f K F c p eps N e) as [H1 [H2 _]]; try assumption.
  exists (averaging_network d n K N e F (at_corners N (fun Y => f (stretch (- K) (2 * K) Y)))). split; assumption.
Qed.

(** ** Lipschitz f: N = O(1/epsilon) *)
Theorem averaging_rate : Averaging_rate.
Proof.
  intros d n f K F l p d1 n1 He Hs HF K0 F0 l0 p1 Hl eps eps0.
  assert (continuous_on d n everywhere f) as Hf.
  { intros X _ e e0. exists (e / l). split; [apply Rdiv_lt_0_compat; assumption|]. intros Y _ C.
    replace e with (l * (e / l)) by (field; lra). apply Hl; [apply Rdiv_lt_0_compat; assumption|exact C]. }
  set (eps' := shrunk d n (2 * K) p eps). assert (0 < eps') as E by (apply shrunk_pos, eps0).
  assert (0 < 2 * K) as s0 by lra. destruct (lipschitz_cells d n (2 * K) s0 l p eps d1 n1 l0 eps0) as [c0 EC].
  fold eps' in c0, EC. set (c := step_error d n eps' / l) in *.
  assert (0 < c / (2 * K)) as C0 by (apply Rdiv_lt_0_compat; assumption).
  pose proof (Rinv_0_lt_compat _ C0) as I0. set (N := Z.to_nat (up (2 + / (c / (2 * K))))).
  destruct (up_above (2 + / (c / (2 * K))) ltac:(lra)) as [B1 B2]. fold N in B1, B2.
  pose proof (gap_fine d n d1 n1 F (c / (2 * K)) p eps' C0 E N B1) as numbers.
  set (e := gap d n N F p eps') in *.
  destruct (averaging_numbers d n f K F c p eps N e) as [H1 [H2 H3]]; try assumption.
  { intros X Y C. change (allowed_change d n K p eps) with (step_error d n eps').
    replace (step_error d n eps') with (l * c) by (unfold c; field; lra). apply Hl; assumption. }
  exists (averaging_network d n K N e F (at_corners N (fun Y => f (stretch (- K) (2 * K) Y)))), N.
  split; [exact H1|split; [exact H2|split; [exact H3|]]]. rewrite EC in B2.
  replace (16 * INR d * INR n * K * l) with (8 * INR d * INR n * (2 * K) * l) by ring. lra.
Qed.

(** ** The weights *)
Theorem averaging_weights : Averaging_weights.
Proof.
  intros d n K N e F v d1 n1 N2 K0 [e0 ew] F0 HF. set (g := (n * spread d n N)%nat).
  assert (0 <= averaging_top d n N F) as T0 by (apply top_nonneg; assumption).
  assert (0 < / (2 * K)) by (apply Rinv_0_lt_compat; lra).
  assert (forall C, In C (all_cells d n N) -> in_range d n N C) as range by (intros C HC; apply cells_range;
    [lia|exact HC]).
  unfold averaging_network, averaging_network_at.
  apply (whole_within d n N N d1 n1 N2 ltac:(nia) K e F 0 (averaging_top d n N F) g K0 F0 e0 ew (Rle_refl 0)
    T0); try lra; try reflexivity; try assumption.
  - intros C j HC Hj. pose proof (key_units d n N d1 n1 N2 F F0 C j (range C HC) Hj).
    pose proof (unit_large d n N d1 n1 N2 F F0) as [_ [_ U]]. split; [lra|apply key_top; auto].
  - destruct (bounds d n N N d1 n1 N2 ltac:(nia) K e F 0 (averaging_top d n N F) g) as
        [NN [WN [Ww [B1 [K1 [EE [E2 [G [L1 [L [LB [L2 [DN [E3 [EW [P Q]]]]]]]]]]]]]]]]; try assumption; [lra|].
    unfold averaging_map. apply Forall_app. split.
    + apply Forall_forall. intros t Ht. unfold value in Ht. rewrite map_map in Ht. apply in_map_iff in Ht.
      destruct Ht as [k [<- Hk]]. pose proof (in_map (code_entry d n N F) _ _ Hk) as In_k. apply in_seq in Hk.
      assert (4 / / INR N = 4 * INR N) as E4 by (unfold Rdiv; rewrite Rinv_inv; reflexivity).
      assert (INR k + 1 <= INR (N ^ d)) as LK by (rewrite <- S_INR; apply le_INR; unfold Statement.B in Hk; lia).
      pose proof (pos_INR k). assert (4 * INR N * averaging_top d n N F <=
        4 * INR N * (F + INR n + averaging_top d n N F + INR d * INR n * INR (N ^ d))) as top4
        by (apply Rmult_le_compat_l; [pose proof (pos_INR N)|]; lra).
      apply (vector_within d _ (INR (N ^ d)) (averaging_top d n N F) (4 * INR N) (INR (N ^ d)));
        try lra; simpl fst; try (simpl; lra).
      * intros i Hi. apply (u_within d n N N d1 n1 N2 ltac:(nia) i Hi).
      * intros i Hi. pose proof (codes_nonneg d n N d1 n1 N2 F F0 _ i In_k) as C0. rewrite Rabs_right by lra.
        apply Rle_trans with (unit_of d N F * INR (units d n N k)).
        -- pose proof (unit_large d n N d1 n1 N2 F F0) as [_ [_ U]]. unfold code_entry, snd. destruct (Nat.eqb i 0).
           ++ assert (0 <= INR k * / INR N) by (apply Rmult_le_pos; lra). lra.
           ++ apply Rmult_le_pos; [lra|apply pos_INR].
        -- pose proof (unit_large d n N d1 n1 N2 F F0) as [_ [_ U]]. apply Rmult_le_compat_l; [lra|]. apply le_INR.
           pose proof (units_range d n N d1 n1 N2 k ltac:(lia)). lia.
      * apply window_within; [lra|lra|]. rewrite Rabs_right by (apply Rle_ge, Rmult_le_pos; lra). nra.
    + constructor; [|constructor]. assert (INR n * INR (spread d n N) = INR g) as Eg by (unfold g; rewrite mult_INR;
      reflexivity).
      split.
      * intros k i Hk Hi. pose proof (u_within d n N N d1 n1 N2 ltac:(nia) i Hi) as U.
        unfold average, attention. rewrite Eg. simpl heads. destruct (Nat.eqb k 0); simpl; rewrite ?Rabs_R0;
          [|repeat split; lra]. repeat split; try lra. destruct (Nat.eqb i 0); [rewrite Rabs_right|rewrite Rabs_R0];
            lra.
      * intros a i _ _. simpl. rewrite Rabs_R0. lra.
Qed.
