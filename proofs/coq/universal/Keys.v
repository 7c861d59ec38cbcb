(** The keys: ids that the rational networks of Lemma 6 and of Theorem 3 lead to, which softmax tracks. Keys that differ
    are 1/N apart; equal ones belong to equal columns, of contexts that are the same but for the order of their columns
    (Lemma 6), or the same (Theorem 3). *)
From Coq Require Import Reals QArith Qreals List Arith ZArith Bool Lia Lra Psatz Classical.
From Contextual Require Statement Statement3 Heads Theorems Lemma6Use Theorem3.
From Contextual Require Import Approximation Sums Softmax Sweep Construction Relu Blocks Tracking Interface.
Import ListNotations.
Open Scope R_scope.

Section Corners.
Variables d N : nat.
Hypothesis N2 : (2 <= N)%nat.
Notation w := (/ INR N).

(** The id of a corner, over R and over Q. *)
Lemma corner_id K j : along d (u N) (corner N K) j = Q2R (Statement.id d N (corner_Q N K) j).
Proof using N2.
  unfold Statement.id, Statement.row, along. rewrite Q2R_sum. apply sum_ext. intros i _.
  unfold corner_Q, corner, u, Statement.u. rewrite !Q2R_mult, !Q2R_nat, (delta_real N N2), pow_INR. reflexivity.
Qed.

(** Corners and their ids are multiples of delta. *)
Lemma corner_lattice K j : Statement.on_lattice N (Statement.id d N (corner_Q N K) j).
Proof using N2.
  unfold Statement.id, Statement.row. assert (forall m, Statement.on_lattice N (Statement.sum m (fun i =>
    (Statement.u N i * corner_Q N K i j)%Q))) as G; [|apply G].
  induction m as [|m [z IH]]; [exists 0%Z; simpl; ring|].
  exists (z + Z.of_nat (N ^ m) * Z.of_nat (K m j))%Z. rewrite (Heads.sum_S m _), IH. unfold corner_Q, Statement.u.
  unfold Statement.of_nat. rewrite inject_Z_plus, inject_Z_mult. ring.
Qed.

(** Corners are equal where their cells are. *)
Lemma corner_entry K K' i j i' j' : (corner_Q N K i j == corner_Q N K' i' j')%Q -> K i j = K' i' j'.
Proof using N2. intros H. unfold corner_Q, Statement.of_nat in H.
  apply (proj1 (proj2 (units_Q N N2 _ _))) in H. lia. Qed.

(** Columns of corners are the same just if the cells are. *)
Lemma corner_same K K' j j' : Statement.same_column d (corner_Q N K) j (corner_Q N K') j' <-> forall i, (i < d)%nat ->
  K i j = K' i j'.
Proof using N2.
  split; intros H i Hi; specialize (H i Hi).
  - apply (corner_entry _ _ _ _ _ _ H).
  - unfold corner_Q. rewrite H. reflexivity.
Qed.

(** The ids of values within F stay a cell's width below (N^d)^2. *)
Lemma small_B F : (1 <= d)%nat -> F * INR d + 1 <= INR N ->
  F * INR d * INR (Statement.B d N) + w <= INR (Statement.B d N) * INR (Statement.B d N).
Proof using N2.
  intros d1 FN. pose proof (w_N N N2) as WN. pose proof (B_2 d N d1 N2) as HB.
  assert (2 <= INR (Statement.B d N)) as B2 by (apply (le_INR 2), HB).
  assert (2 <= INR N) as N2' by (apply (le_INR 2), N2).
  assert (INR N <= INR (Statement.B d N)) as NB. { apply le_INR. unfold Statement.B. replace N with (N ^ 1)%nat at 1
    by apply Nat.pow_1_r. apply Nat.pow_le_mono_r; lia. }
  assert (0 < w) by (apply Rinv_0_lt_compat; lra). assert (w <= 1) by nra. nra.
Qed.
End Corners.

(** ** Contexts of Lemma 6: matrices of cells without equal columns *)
Section Contexts.
Variables d n N : nat.
Definition distinct_columns (K : cells) : Prop :=
  forall j j', (j < n)%nat -> (j' < n)%nat -> (forall i, (i < d)%nat -> K i j = K i j') -> j = j'.

(** The test for equal columns is right. *)
Lemma distinct_spec K : distinct d n K = true <-> distinct_columns K.
Proof using.
  unfold distinct. rewrite forallb_forall. split.
  - intros H j j' Hj Hj' E. specialize (H j ltac:(apply in_seq; lia)). rewrite forallb_forall in H.
    specialize (H j' ltac:(apply in_seq; lia)).
    apply orb_true_iff in H. destruct H as [H|H]; [apply Nat.eqb_eq, H|]. exfalso. apply negb_true_iff in H.
    assert (equal_columns d K j j' = true); [|congruence]. apply forallb_forall. intros i Hi. apply in_seq in Hi.
    apply Nat.eqb_eq, E. lia.
  - intros H j Hj. apply forallb_forall. intros j' Hj'. apply in_seq in Hj. apply in_seq in Hj'. apply orb_true_iff.
    destruct (equal_columns d K j j') eqn:E; [left|right; reflexivity]. apply Nat.eqb_eq. apply H; [lia|lia|].
    intros i Hi.
    unfold equal_columns in E. rewrite forallb_forall in E. apply Nat.eqb_eq, E, in_seq. lia.
Qed.

(** The list of contexts is complete, and holds nothing else. *)
Lemma in_contexts K : (1 <= N)%nat -> In K (contexts d n N) -> in_range d n N K /\ distinct_columns K.
Proof using. intros N1 H. apply filter_In in H. split; [apply (cells_range d n N K ltac:(lia)), H|apply distinct_spec,
  H]. Qed.

(** Every matrix of cells without equal columns is in the list of contexts. *)
Lemma contexts_complete K : (1 <= n)%nat -> in_range d n N K -> distinct_columns K -> exists K',
  In K' (contexts d n N) /\ same d n K' K.
Proof using.
  intros n1 HR HD. destruct (cells_complete d n N K n1 HR) as [K' [HK' E]]. exists K'. split; [|exact E].
  apply filter_In. split; [exact HK'|]. apply distinct_spec. intros j j' Hj Hj' H. apply HD; [exact Hj|exact Hj'|].
  intros i Hi. rewrite <- !E by assumption. apply H, Hi.
Qed.
End Contexts.

(** ** What the rational sweeps start from: ids that are not negative, and levels in increasing order *)
Lemma id_nonneg d N L j : (forall i, (i < d)%nat -> (0 <= L i j)%Q) -> (0 <= Statement.id d N L j)%Q.
Proof.
  unfold Statement.id, Statement.row. induction d as [|d IH]; intros H; [apply Qle_refl|]. rewrite Heads.sum_S.
  specialize (IH ltac:(auto)). specialize (H d ltac:(lia)). rewrite <- (Qplus_0_l 0). apply Qplus_le_compat; [exact
    IH|].
  apply Qmult_le_0_compat; [|exact H]. unfold Statement.u, Statement.of_nat. change 0%Q with (inject_Z 0).
  rewrite <- Zle_Qle. lia.
Qed.

(** Grid points aren't negative. *)
Lemma multiple_nonneg N k : (0 <= Statement.of_nat k * Statement.delta N)%Q.
Proof.
  apply Qmult_le_0_compat; [unfold Statement.of_nat; change 0%Q with (inject_Z 0); rewrite <- Zle_Qle; lia|].
  unfold Statement.delta, Statement.of_nat, Qdiv. rewrite Qmult_1_l. apply Qinv_le_0_compat. change 0%Q with
    (inject_Z 0).
  rewrite <- Zle_Qle. lia.
Qed.

(** Consecutive levels are in order. *)
Lemma increasing_seq d N t a m lo : (lo <= a)%nat -> (a + m <= t * Statement.B d N)%nat -> increasing d N t lo (seq a
  m).
Proof.
  revert a lo. induction m as [|m IH]; intros a lo H E; simpl; [exact I|]. split; [lia|]. apply IH; lia.
Qed.

(** Levels, and larger ones after them. *)
Lemma increasing_app d N t ks ks' : forall lo hi, increasing d N t lo ks -> (forall k, In k ks -> (k < hi)%nat) ->
  (lo <= hi)%nat -> increasing d N t hi ks' -> increasing d N t lo (ks ++ ks').
Proof.
  assert (forall ks lo hi, (lo <= hi)%nat -> increasing d N t hi ks -> increasing d N t lo ks) as weaken.
  { intros l lo hi H I. destruct l as [|k l]; [exact Logic.I|]. destruct I as [I1 I2]. split; [lia|exact I2]. }
  induction ks as [|k ks IH]; intros lo hi I B H I'; [apply (weaken ks' lo hi H I')|]. destruct I as [I1 I2].
  split; [exact I1|]. specialize (B k (or_introl eq_refl)) as Bk. apply (IH (S k) hi); [exact I2| |lia|exact I'].
  intros k' Hk'. apply B. right. exact Hk'.
Qed.

(** 1 + N + ... + N^(d-1), times N. *)
Lemma level_sum N d : let S := list_sum (map (fun i => N ^ i)%nat (seq 0 d)) in (N * S + 1 = N ^ d + S)%nat.
Proof.
  cbv zeta. induction d as [|d IH]; [simpl; lia|]. rewrite seq_S, map_app, list_sum_app, Nat.pow_succ_r'.
  simpl (0 + d)%nat. simpl (list_sum (map _ [d])). nia.
Qed.

(** Theorem 3's levels lie below (2n - 1) N^d. *)
Lemma levels_increasing d n N : (1 <= d)%nat -> (1 <= n)%nat -> (2 <= N)%nat -> increasing d N (2 * n - 1) 0
  (Statement3.levels d n N).
Proof.
  intros d1 n1 N2. set (S := list_sum (map (fun i => N ^ i)%nat (seq 0 d))).
  assert (1 <= S)%nat as S1 by (unfold S; destruct d; [lia|simpl; lia]).
  pose proof (level_sum N d : (N * S + 1 = N ^ d + S)%nat) as ES.
  assert (1 <= N ^ d)%nat as B1 by (pose proof (Nat.pow_nonzero N d ltac:(lia)); lia).
  assert (S + 1 <= N ^ d)%nat as SB by nia.
  assert (forall m, (m <= n)%nat -> let ks := flat_map (fun j => map (fun k => (Statement3.first_level d N j + k)%nat)
    (seq 0 (Statement.B d N))) (seq 0 m) in
    increasing d N (2 * n - 1) 0 ks /\ forall k, In k ks -> (k < m * (N * S))%nat) as G; [|apply (G n (le_n n))].
  induction m as [|m IH]; intros Hm ks; [split; [exact I|intros k []]|].
  destruct (IH ltac:(lia)) as [I1 I2]. unfold ks. rewrite seq_S, flat_map_app. simpl (0 + m)%nat. cbn [flat_map].
  rewrite app_nil_r.
  assert (map (fun k => (Statement3.first_level d N m + k)%nat) (seq 0 (Statement.B d N)) =
    seq (m * (N * S)) (Statement.B d N)) as ->.
  { unfold Statement3.first_level. fold S. generalize (m * (N * S))%nat, (Statement.B d N). clear. intros a b.
    assert (forall s, map (fun k => (a + k)%nat) (seq s b) = seq (a + s) b) as E; [|rewrite E, Nat.add_0_r;
      reflexivity].
    induction b as [|b IH]; intros s; [reflexivity|]. simpl. rewrite IH, Nat.add_succ_r. reflexivity. }
  split.
  - apply (increasing_app _ _ _ _ _ 0 (m * (N * S))); [exact I1|exact I2|lia|]. apply increasing_seq; [lia|].
    unfold Statement.B. assert (m * (N * S) <= (n - 1) * (2 * N ^ d))%nat by (apply Nat.mul_le_mono; lia).
    replace ((2 * n - 1) * N ^ d)%nat with ((n - 1) * (2 * N ^ d) + N ^ d)%nat; [lia|].
    destruct n as [|n']; [lia|]. simpl (Datatypes.S n' - 1)%nat. replace (2 * Datatypes.S n' - 1)%nat with (2 * n' +
      1)%nat by lia.
    rewrite Nat.sub_0_r. ring.
  - intros k Hk. apply in_app_iff in Hk. destruct Hk as [Hk|Hk]; [specialize (I2 k Hk); nia|].
    apply in_seq in Hk. unfold Statement.B in Hk. simpl (Datatypes.S m * (N * S))%nat. lia.
Qed.

(** ** Lemma 6 *)
Section Lemma6.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n2 : (2 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Let n1 : (1 <= n)%nat.
Proof. lia. Qed.
Notation BB := (Statement.B d N).
Notation w := (/ INR N).
Notation net := (run d n 2 1 4).
Notation rid := (along d (u N)).
Notation LQ := (corner_Q N).
Notation lemma6_map := (contextual_map d N (seq 0 BB) (global_factor d n N)).
Notation constant := (map_error d n N BB (hits BB n 1) (global_factor d n N)).
Let HB : (2 <= BB)%nat := B_2 d N d1 N2.
Let W : 0 < w := w_pos N N2.

(** Such a corner is in G~. *)
Lemma in_Gtilde K : in_range d n N K -> distinct_columns d n K -> Statement.in_Gtilde d n N (LQ K).
Proof using N2.
  intros HR HD. split.
  - intros i j Hi Hj. exists (K i j). split; [apply HR; assumption|reflexivity].
  - intros j j' Hj Hj' S. apply HD; [assumption|assumption|]. apply (corner_same d N N2), S.
Qed.

(** The key of any rational matrix; [key] is that of a corner. *)
Definition key_of (L : Statement.matrix) (j : nat) : R := Q2R (Statement.q d n N L j).

(** The ids that a context is led to by the sweep, and its keys. *)
Lemma context_ids L : Statement.in_Gtilde d n N L -> exists y last,
  start d n N L /\
  ids d n N (Statement.run d n (map (Statement.selective_shift d N) (seq 0 BB)) L) y /\ largest n y last /\
  (forall j, (j < n)%nat -> (0 < y j)%Z) /\
  forall j, (j < n)%nat -> key_of L j = real N y j + INR (global_factor d n N) * real N y last.
Proof using HB n1.
  intros HL. destruct (Lemma6Use.lemma6_keys d n N d1 n2 N2) as [_ [_ [_ from_sweep]]].
  destruct (from_sweep L HL) as [y [S Q]].
  destruct (largest_exists d n N d1 n1 N2 (fun j => Z.of_nat (y j))) as [last HM].
  exists (fun j => Z.of_nat (y j)), last. split; [|repeat split; try apply HM].
  - intros k Hk. split; [|apply id_nonneg; intros i Hi; destruct (proj1 HL i k Hi Hk) as [x [_ E]]; rewrite E;
      apply multiple_nonneg].
    destruct (Lemma6Use.lemma6_layers d n N d1 n1 N2) as [_ [_ [_ [_ [lattice _]]]]].
    apply (lattice L 0%nat k); [|exact Hk]. intros a b Ha Hb. right. apply (proj1 HL); assumption.
  - intros k Hk. apply (proj2 (S k Hk)).
  - intros k Hk. destruct (S k Hk) as [P _]. lia.
  - intros j Hj. destruct HM as [Hm HM]. unfold key_of, real.
    rewrite (Qeq_eqR _ _ (Q j last Hj Hm (fun k Hk => proj2 (Nat2Z.inj_le _ _) (HM k Hk)))), Q2R_mult, Q2R_nat,
      (delta_real N N2), <- !INR_IZR_INZ, plus_INR, mult_INR. unfold global_factor. ring.
Qed.

(** The softmax network leads the ids of a context near its keys. *)
Theorem context_tracks lambda L X : 0 < lambda -> Statement.in_Gtilde d n N L -> constant / lambda <= w / 4 ->
  (forall j, (j < n)%nat -> rid X j = Q2R (Statement.id d N L j)) ->
  forall j, (j < n)%nat -> Rabs (rid (net (lemma6_map lambda) X) j - key_of L j) <= constant / lambda.
Proof using HB n1.
  intros Hl HL HC HX j Hj. destruct (context_ids L HL) as [y [last [lattice [I [HM [Hy Q]]]]]]. rewrite Q by exact Hj.
  pose proof (tracks d n N d1 n1 N2 1 (seq 0 BB) (global_factor d n N) lambda L X y last Hl) as T.
  rewrite seq_length in T. apply T; try assumption. apply increasing_seq; lia.
Qed.

(** Equal keys: a permutation that leads the one column to the other. Different keys are delta apart. This is
    [Statement.Lemma6_keys] over the reals. *)
Theorem keys L L' j j' : Statement.in_Gtilde d n N L -> Statement.in_Gtilde d n N L' -> (j < n)%nat -> (j' < n)%nat ->
  (key_of L' j' = key_of L j /\ Statement.same_column d L' j' L j /\ Statement.permuted d n L L') \/
    w <= Rabs (key_of L' j' - key_of L j).
Proof using N2 d1 n2.
  intros HL HL' Hj Hj'. destruct (Lemma6Use.lemma6_keys d n N d1 n2 N2) as [tell [apart _]]. pose proof W.
  unfold key_of. destruct (apart L L' j j' HL HL' Hj Hj') as [E|[far|far]].
  - left. destruct (tell L L' j j' HL HL' Hj Hj' E) as [S P].
    split; [symmetry; apply Qeq_eqR, E|split; [intros i Hi; symmetry; apply S, Hi|exact P]].
  - right. apply Qle_Rle in far. rewrite Q2R_plus, (delta_real N N2) in far. rewrite Rabs_right; lra.
  - right. apply Qle_Rle in far. rewrite Q2R_plus, (delta_real N N2) in far. rewrite Rabs_left1; lra.
Qed.

(** Property 3: keys are at least t_l; so they are above all ids of targets, and at most t_r. *)
Theorem key_lower L j : Statement.in_Gtilde d n N L -> (j < n)%nat -> Q2R (Statement.t_l d n N) <= key_of L j.
Proof using N2 d1 n2. intros HL Hj. 
  destruct (Theorems.lemma6 d n N d1 n2 N2) as [_ [_ [P3 _]]]. apply Qle_Rle, (P3 L HL j Hj).
Qed.

(** The keys of contexts, as the interface asks for them *)
Lemma lemma6_tracking lambda K Y : 0 < lambda -> constant / lambda <= w / 4 -> in_range d n N K ->
  distinct_columns d n K ->
  (forall i j, (i < d)%nat -> (j < n)%nat -> Y i j = corner N K i j) ->
  forall j, (j < n)%nat -> Rabs (rid (net (lemma6_map lambda) Y) j - key d n N K j) <= constant / lambda.
Proof using HB n1.
  intros Hl HC HR HD EY. apply (context_tracks lambda (LQ K) Y Hl (in_Gtilde K HR HD) HC).
  intros k Hk. rewrite <- (corner_id d N N2). apply along_ext. intros i Hi. apply EY; assumption.
Qed.

(** Lemma 6's keys are above the ids of values. *)
Lemma lemma6_key_above F K j : F * INR d + 1 <= INR N -> in_range d n N K -> distinct_columns d n K -> (j < n)%nat ->
  F * INR d * INR BB + w <= key d n N K j.
Proof using HB W n1.
  intros FN HR HD Hj. eapply Rle_trans; [apply (small_B d N N2 F d1 FN)|].
  eapply Rle_trans; [|apply (key_lower (LQ K) j (in_Gtilde K HR HD) Hj)].
  unfold Statement.t_l. rewrite !Q2R_mult, Q2R_minus, (delta_real N N2), !Q2R_nat.
  change (Q2R 1) with (Q2R (Statement.of_nat 1)). rewrite Q2R_nat. simpl (INR 1).
  pose proof (w_N N N2) as WN.
  assert (2 <= INR BB) as B2 by (apply (le_INR 2), HB).
  assert (INR N <= INR BB) as NB. { apply le_INR. unfold Statement.B. replace N with (N ^ 1)%nat at 1
    by apply Nat.pow_1_r. apply Nat.pow_le_mono_r; lia. }
  assert (INR BB * INR BB * INR BB <= INR (N ^ (2 * n * d))) as P3.
  { rewrite <- !mult_INR. apply le_INR. unfold Statement.B. rewrite <- !Nat.pow_add_r. apply Nat.pow_le_mono_r; [lia|].
    nia. }
  assert (INR BB * INR BB <= INR (N ^ (2 * n * d)) * w) as P2.
  { apply Rle_trans with (INR BB * INR BB * INR BB * w); [|apply Rmult_le_compat_r; lra].
    assert (1 <= INR BB * w) by (rewrite <- WN; apply Rmult_le_compat_r; lra). nra. }
  set (b := INR BB) in *. set (t := INR (N ^ (2 * n * d)) * w) in *.
  assert (t * 1 <= t * (b - 1)) by (apply Rmult_le_compat_l; nra). lra.
Qed.

(** Property 3: they are at most t_r. *)
Lemma lemma6_key_below K j : in_range d n N K -> distinct_columns d n K -> (j < n)%nat ->
  key d n N K j <= Q2R (Statement.t_r d n N).
Proof using N2 d1 n2.
  intros HR HD Hj. destruct (Theorems.lemma6 d n N d1 n2 N2) as [_ [_ [P3 _]]].
  apply Rlt_le, Qlt_Rlt, (P3 (LQ K) (in_Gtilde K HR HD) j Hj).
Qed.

(** t_r is not negative. *)
Lemma t_r_nonneg : 0 <= Q2R (Statement.t_r d n N).
Proof using N2 d1 n2.
  destruct (Theorems.lemma6 d n N d1 n2 N2) as [_ [_ [_ [_ [_ [I1 I2]]]]]]. apply Rlt_le.
  replace 0 with (Q2R 0) by (unfold Q2R; simpl; lra).
  apply Qlt_Rlt. eapply QArith_base.Qlt_trans; eassumption.
Qed.

(** Equal keys: equal columns of contexts that differ by the order of their columns. *)
Lemma lemma6_separation K K' j j' : in_range d n N K -> distinct_columns d n K -> in_range d n N K' ->
  distinct_columns d n K' ->
  (j < n)%nat -> (j' < n)%nat ->
  (key d n N K' j' = key d n N K j /\ exists p : nat -> nat, (forall k, (k < n)%nat -> (p k < n)%nat) /\
    (forall k l, (k < n)%nat -> (l < n)%nat -> p k = p l -> k = l) /\ p j' = j /\
    forall i k, (i < d)%nat -> (k < n)%nat -> K' i k = K i (p k)) \/
  w <= Rabs (key d n N K' j' - key d n N K j).
Proof using HB W n1.
  intros HR HD HR' HD' Hj Hj'.
  destruct (keys (LQ K) (LQ K') j j' (in_Gtilde K HR HD) (in_Gtilde K' HR' HD') Hj Hj') as
    [[Ek [S [p [p1 [p2 p3]]]]]|far]; [left|right; exact far].
  split; [exact Ek|]. assert (forall i k, (i < d)%nat -> (k < n)%nat -> K' i k = K i (p k)) as EK.
  { intros i k Hi Hk. apply (corner_same d N N2 K' K k (p k)); [apply p3, Hk|exact Hi]. }
  exists p. split; [exact p1|split; [exact p2|split; [|exact EK]]]. apply HD; [apply p1, Hj'|exact Hj|].
  intros i Hi. rewrite <- EK by assumption. apply (corner_same d N N2 K' K j' j); assumption.
Qed.
End Lemma6.

(** ** Contexts of Theorem 3 *)
Section Lifted.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
(** Column j of X + E lies in [j, j + 1)^d. *)
Definition column_cells (K : cells) : Prop := forall i j, (i < d)%nat -> (j < n)%nat ->
  (j * N <= K i j < j * N + N)%nat.

(** Column j of a lifted context is in [j, j + 1); two of the list that agree are the same. *)
Lemma positional_range K : In K (positional_contexts d n N) -> column_cells K.
Proof using N2 d1 n1.
  intros H. apply in_map_iff in H. destruct H as [K0 [<- H0]]. pose proof (cells_range d n N K0 ltac:(lia) H0) as R.
  intros i j Hi Hj. specialize (R i j Hi Hj). unfold lift. lia.
Qed.

(** Positional contexts with the same entries are the same. *)
Lemma positional_equal K K' : In K (positional_contexts d n N) -> In K' (positional_contexts d n N) -> same d n K K' ->
  K = K'.
Proof using N2 d1 n1.
  intros H H' E. apply in_map_iff in H. destruct H as [K0 [<- H0]]. apply in_map_iff in H'.
  destruct H' as [K0' [<- H0']].
  f_equal. apply (cells_equal d n N); [lia|exact H0|exact H0'|]. intros i j Hi Hj. specialize (E i j Hi Hj).
  unfold lift in E. lia.
Qed.

End Lifted.

(** ** The keys of Theorem 3 *)
Section Positions.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n2 : (2 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Notation BB := (Statement.B d N).
Notation w := (/ INR N).
Notation net := (run d n 2 1 4).
Notation levels := (Statement3.levels d n N).
Notation factor := (Statement3.positional_factor d n N).
Notation L := (corner_Q N).
Notation pkey := (positional_key d n N).
Notation constant := (map_error d n N (length levels) (hits (length levels) n (2 * n - 1)) factor).

(** Its corner is a context of Theorem 3. *)
Lemma L_context K : column_cells d n N K -> Statement3.context d n N (L K).
Proof using N2 d1 n2.
  intros H i j Hi Hj. specialize (H i j Hi Hj). exists (K i j - j * N)%nat. split; [lia|]. unfold corner_Q.
  replace (j * N + (K i j - j * N))%nat with (K i j) by lia. reflexivity.
Qed.

(** Equal corners come from the same cells. *)
Lemma L_same K K' : (forall i j, (i < d)%nat -> (j < n)%nat -> (L K i j == L K' i j)%Q) -> same d n K K'.
Proof using N2. intros H i j Hi Hj. apply (corner_entry N N2), H; assumption. Qed.

(** The ids after the sweep, and the keys, as whole numbers. *)
Lemma pkey_units K : column_cells d n N K -> exists y last, ids d n N (Statement.run d n
  (map (Statement.selective_shift d N) levels) (L K)) y /\ largest n y last /\
  (forall j, (j < n)%nat -> (0 < y j)%Z) /\
  forall j, (j < n)%nat -> (Statement3.positional_q d n N (L K) j == inject_Z (y j + Z.of_nat factor * y last) *
    Statement.delta N)%Q /\
    pkey K j = IZR (y j + Z.of_nat factor * y last) * w.
Proof using N2 d1 n2.
  intros H. destruct (Theorem3.appendixc2_keys d n N d1 n2 N2 (L K) (L_context K H)) as [y [S Q]].
  destruct (largest_exists d n N d1 ltac:(lia) N2 (fun j => Z.of_nat (y j))) as [last HM].
  exists (fun j => Z.of_nat (y j)), last. split; [|split; [exact HM|split]].
  - intros j Hj. apply (proj2 (S j Hj)).
  - intros j Hj. destruct (S j Hj) as [P _]. lia.
  - intros j Hj. destruct HM as [Hm HM].
    pose proof (Q j last Hj Hm (fun k Hk => proj2 (Nat2Z.inj_le _ _) (HM k Hk))) as E. unfold Statement.of_nat in E.
    rewrite Nat2Z.inj_add, Nat2Z.inj_mul in E. split; [exact E|].
    unfold positional_key. rewrite (Qeq_eqR _ _ E). apply (units_w N _ N2).
Qed.

(** Equal keys: the same column of the same context. *)
Theorem positional_separation K K' j j' : In K (positional_contexts d n N) -> In K' (positional_contexts d n N) ->
  (j < n)%nat -> (j' < n)%nat ->
  (pkey K' j' = pkey K j /\ K' = K /\ j' = j) \/ w <= Rabs (pkey K' j' - pkey K j).
Proof using N2 d1 n2.
  intros HI HI' Hj Hj'. pose proof (positional_range d n N d1 ltac:(lia) N2 K HI) as HK.
  pose proof (positional_range d n N d1 ltac:(lia) N2 K' HI') as HK'.
  destruct (pkey_units K HK) as [y [m [_ [_ [_ Q]]]]]. destruct (pkey_units K' HK') as [y' [m' [_ [_ [_ Q']]]]].
  destruct (Q j Hj) as [Q1 E1]. destruct (Q' j' Hj') as [Q2 E2].
  set (v := (y j + Z.of_nat factor * y m)%Z) in *. set (v' := (y' j' + Z.of_nat factor * y' m')%Z) in *.
  destruct (Z.eq_dec v v') as [Ev|NE].
  - left. split; [rewrite E1, E2, Ev; reflexivity|].
    destruct (Theorem3.appendixc2_contextual d n N d1 n2 N2) as [[P1 P2] _].
    assert (K' = K) as S.
    { apply (positional_equal d n N d1 ltac:(lia) N2); [exact HI'|exact HI|]. apply L_same. intros a b Ha Hb.
      apply NNPP. intros NE.
      apply (P2 (L K') (L K) (L_context K' HK') (L_context K HK) ltac:(exists a, b; repeat split;
        assumption) j' j Hj' Hj).
      rewrite Q1, Q2, Ev. reflexivity. }
    split; [exact S|]. apply (P1 (L K) (L_context K HK) j' j Hj' Hj). rewrite <- S at 1. rewrite Q1, Q2, Ev.
    reflexivity.
  - right. rewrite E1, E2. apply (units_apart N _ _ N2), NE.
Qed.

(** Its keys are above all ids of targets. *)
Lemma positional_key_above F K j : F * INR d + 1 <= INR N -> column_cells d n N K -> (j < n)%nat ->
  F * INR d * INR (Statement.B d N) + w <= pkey K j.
Proof using N2 d1 n2.
  intros FN HK Hj. eapply Rle_trans; [apply (small_B d N N2 F d1 FN)|].
  destruct (pkey_units K HK) as [y [last [_ [HM [Hp Q]]]]]. rewrite (proj2 (Q j Hj)).
  specialize (Hp j Hj). pose proof (proj2 HM j Hj) as HyM. set (M := y last) in *.
  assert (Z.of_nat (Statement.B d N * Statement.B d N * N) <= y j + Z.of_nat factor * M)%Z as Z.
  { assert (Statement.B d N * Statement.B d N * N <= factor)%nat as Hf.
    { unfold Statement3.positional_factor. apply Nat.mul_le_mono_r. unfold Statement.B. rewrite <- Nat.pow_add_r.
      apply Nat.le_trans with (N ^ ((n + 1) * d))%nat; [apply Nat.pow_le_mono_r; nia|nia]. }
    apply Nat2Z.inj_le in Hf. nia. }
  apply IZR_le in Z. rewrite <- (INR_IZR_INZ (_ * _ * N)), !mult_INR in Z. pose proof (w_N N N2) as WN.
  pose proof (w_pos N N2) as W.
  apply Rle_trans with (INR (Statement.B d N) * INR (Statement.B d N) * INR N * w); [rewrite Rmult_assoc, WN;
    lra|apply Rmult_le_compat_r; lra].
Qed.

(** The softmax network leads its ids near its keys. *)
Theorem positional_tracking lambda K Y : 0 < lambda -> constant / lambda <= w / 4 -> column_cells d n N K ->
  (forall i j, (i < d)%nat -> (j < n)%nat -> Y i j = corner N K i j) -> forall j, (j < n)%nat ->
  Rabs (along d (u N) (net (contextual_map d N levels factor lambda) Y) j - pkey K j) <= constant / lambda.
Proof using N2 d1 n2.
  intros Hl HC HK EY j Hj. destruct (pkey_units K HK) as [y [last [HI [HM [Hp Q]]]]].
  replace (pkey K j) with (real N y j + INR factor * real N y last).
  - apply (tracks d n N d1 ltac:(lia) N2 (2 * n - 1) levels factor lambda (L K) Y y last); try assumption.
    + apply levels_increasing; lia.
    + intros k Hk. split; [apply (corner_lattice d N N2)|]. apply id_nonneg. intros i _. apply multiple_nonneg.
    + intros k Hk. rewrite <- (corner_id d N N2). apply along_ext. intros i Hi. rewrite EY by assumption. reflexivity.
  - rewrite (proj2 (Q j Hj)), plus_IZR, mult_IZR, <- (INR_IZR_INZ factor). unfold real. ring.
Qed.

(** Its keys are at most this: an id after the sweep is below n N^((n+1)d). *)
Lemma positional_key_below K j : column_cells d n N K -> (j < n)%nat ->
  pkey K j <= (1 + INR factor) * (INR n * INR (N ^ ((n + 1) * d))).
Proof using N2 d1 n2.
  intros HK Hj. destruct (pkey_units K HK) as [y [k [HI [[Hk HM] [Hp Q]]]]]. rewrite (proj2 (Q j Hj)).
  set (M := y k) in *. set (top := INR n * INR (N ^ ((n + 1) * d))).
  assert (forall i, (i < n)%nat -> IZR (y i) * w <= top) as below.
  { intros i Hi. 
    destruct (Theorem3.appendixc2_contextual d n N d1 n2 N2) as [_ [bounded _]].
    pose proof (bounded (L K) i (L_context K HK) Hi) as B.
    apply Qlt_Rlt in B. unfold Statement3.positional_swept in B. fold levels in B.
    change (Statement3.positional_sweep d n N) with (map (Statement.selective_shift d N) levels) in B.
    rewrite (Qeq_eqR _ _ (HI i Hi)), (units_w N _ N2), Q2R_mult, !Q2R_nat in B. unfold top. lra. }
  pose proof (below j Hj) as Bj. pose proof (below k Hk) as Bk. fold M in Bk. pose proof (pos_INR factor).
  rewrite plus_IZR, mult_IZR, <- (INR_IZR_INZ factor).
  replace ((IZR (y j) + INR factor * IZR M) * w) with (IZR (y j) * w + INR factor * (IZR M * w)) by ring.
  assert (INR factor * (IZR M * w) <= INR factor * top) by (apply Rmult_le_compat_l; assumption). lra.
Qed.

End Positions.

(** ** One column: its id, in units of 1/N, tells it from all others. *)
Section One.
Variables d N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis N2 : (2 <= N)%nat.
Notation w := (/ INR N).
Notation net := (run d 1 2 1 4).
Notation rid := (along d (u N)).

(** The map for one column adds a to row 0, and so to the id. *)
Lemma single_row a Y i j : net (single_map a) Y i j = Y i j + unit 0 i * a.
Proof using.
  change (layer d 1 (token (fun _ => 0) (unit 0) (Phi a (fun _ => 0) (fun _ => 0) (fun _ => 0))) Y i j = Y i j + unit 0
    i * a).
  rewrite token_spec, phi_spec. simpl. ring.
Qed.

(** With one column the map adds its constant to the id. *)
Lemma single_id a Y j : rid (net (single_map a) Y) j = rid Y j + a.
Proof using N2 d1.
  apply (id_first d N ltac:(lia)). intros i _. rewrite single_row. unfold unit. destruct (Nat.eqb i 0); ring.
Qed.

(** Different ids are 1/N apart; equal ones belong to the same column. *)
Lemma single_separation a K K' j j' : in_range d 1 N K -> in_range d 1 N K' -> (j < 1)%nat -> (j' < 1)%nat ->
  (single_key d N a K' j' = single_key d N a K j /\ same d 1 K' K) \/
    w <= Rabs (single_key d N a K' j' - single_key d N a K j).
Proof using N2 d1.
  intros HR HR' Hj Hj'. assert (j = O) as -> by lia. assert (j' = O) as -> by lia.
  assert (forall K, in_range d 1 N K -> Statement.in_G d 1 N (corner_Q N K)) as G.
  { intros K0 H0 a0 b Ha Hb. exists (K0 a0 b). split; [apply H0; assumption|reflexivity]. }
  assert (forall K, exists z, (Statement.id d N (corner_Q N K) 0 == inject_Z z * Statement.delta N)%Q /\
    rid (corner N K) 0%nat = IZR z * w) as E.
  { intros K0. destruct (corner_lattice d N N2 K0 0%nat) as [z Hz]. exists z. split; [exact Hz|].
    rewrite (corner_id d N N2), (Qeq_eqR _ _ Hz). apply (units_w N _ N2). }
  destruct (E K) as [z [Hz Ez]]. destruct (E K') as [z' [Hz' Ez']]. unfold single_key. rewrite Ez, Ez'.
  destruct (Z.eq_dec z' z) as [Eq|NE].
  - left. rewrite Eq. split; [reflexivity|]. intros i b Hi Hb. assert (b = O) as -> by lia.
    apply (corner_same d N N2 K' K 0 0); [|exact Hi].
    destruct (Lemma6Use.lemma6_layers d 1%nat N d1 (le_n 1) N2) as [_ [_ [tell _]]].
    apply tell; [apply G, HR'|apply G, HR|lia|lia|]. rewrite Hz, Hz', Eq. reflexivity.
  - right. replace (_ - _) with (IZR z' * w - IZR z * w) by ring. apply (units_apart N _ _ N2). congruence.
Qed.
End One.
