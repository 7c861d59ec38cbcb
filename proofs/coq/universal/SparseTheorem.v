(** Theorem 1 of BigBird: the statements of [SparseAttention.v], proved. Not the paper's construction: token-wise layers
    give each token a code, whole numbers whose sum tells the context, and the global token one that is by far the
    lowest; a head whose scores are all 0 brings the global token the mean of the codes; a head to which the lowest id
    has the highest score brings what the global token has to every token. What the first head does to the other tokens
    is small. *)
From Coq Require Import Reals List Arith ZArith Bool Lia Lra Psatz FunctionalExtensionality.
From Contextual Require Finite Statement StatementSparse SparseLayers Sparse Grid.
From Contextual Require Import Approximation Sums Construction Relu Blocks Interface Boxes Uniform Budget Cube
  SparseAttention SparseBlocks SparseCodes.
Import ListNotations.
Open Scope R_scope.

(** ** The network at a good point: X in the cells K, off the strips *)
Section Network.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Variables e F tol lambda : R.
Variable v : cells -> matrix.
Notation w := (/ INR N).
Hypothesis e0 : 0 < e.
Hypothesis ew : e < w.
Hypothesis F0 : 0 < F.
Hypothesis tol0 : 0 < tol.
Hypothesis tolw : tol <= w / 4.
Hypothesis v_bound : forall K i j, In K (all_cells d n N) -> (i < d)%nat -> (j < n)%nat -> Rabs (v K i j) <= F.
Notation rows := (along d (u N)).
Notation nZ := (Z.of_nat n).
Notation num := (number d N).
Notation cod := (code d n N).
Notation tid := (token_id d N).
Notation tot := (total d n N).
Notation gth := (gathered_total d n N).
Notation far := (far d n N).

(** x_0 = (-1, 0, ..., 0); position j adds j to all coordinates. *)
Definition embedding : matrix := fun i j => match j with O => if Nat.eqb i 0 then -1 else 0 | S k => INR k end.
Definition first_entry (x : R) (i : nat) : R := if Nat.eqb i 0 then x else 0.
Definition corners (K : cells) : matrix := corner N (lift N K).

(** Each id becomes a code; that of the global token becomes - far. *)
Definition codes_table : list (R * (nat -> R)) :=
  (-1, first_entry (1 - IZR far)) :: flat_map (fun j => map (fun k => (IZR (tid j (Z.of_nat k)) * w,
    first_entry (IZR (cod j (Z.of_nat k)) - IZR (tid j (Z.of_nat k)) * w))) (seq 0 (N ^ d))) (seq 0 n).

(** The two attention layers read ids. The first has no scores; to the second the global token, whose id is by far the
    lowest, has the highest score: the query of a token is its id, which is negative. *)
Definition bound : R := IZR far.
Definition small : R := tol / (2 * bound).
Definition big : R := bound + 1 + F * INR d * INR (Statement.B d N) + 1.
Definition factor : R := - (big * (INR n * (INR n + 1))) / small.
Definition gather : block := reader small (u N) (fun _ => 0) (fun _ => 0).
Definition spread : block := reader factor (u N) (fun i => lambda * u N i) (u N).

(** The keys: the code, and what the global token has gathered. *)
Definition final_key (own : bool) (K : cells) (j : nat) : R :=
  IZR (cod j (num K j)) - factor * bound + big * IZR (gth own K).
Definition final_add (own : bool) (K : cells) (j i : nat) : R :=
  v K i j - corners K i j - first_entry (final_key own K j - rows (corners K) j) i.
Definition final_table : list (R * (nat -> R)) :=
  flat_map (fun own => flat_map (fun K => map (fun j => (final_key own K j, final_add own K j)) (seq 0 n))
    (all_cells d n N)) [true; false].
Definition sparse_network : list block :=
  quantise d N e (n * N) ++ value N codes_table ++ [gather; spread] ++ value N final_table ++ entrywise d (clamp F).

(** The sizes of these numbers. *)
Lemma bound_1 : IZR (code_bound d n N) + 2 <= bound /\ 5 <= bound.
Proof using All.
  pose proof (far_large d n N d1 n1 N2) as H. pose proof (part_bound_1 d n N d1 n1 N2) as P.
  assert (5 <= far)%Z as H5 by (unfold code_bound in H; lia). apply IZR_le in H, H5. rewrite plus_IZR in H.
  unfold bound. lra.
Qed.

(** The first head's factor is small, *)
Lemma small_pos : 0 < small /\ small * bound = tol / 2 /\ small <= 1.
Proof using All.
  pose proof bound_1 as [_ B1]. pose proof (Tracking.w_half N N2) as W.
  assert (small * bound = tol / 2) as E by (unfold small; field; lra).
  assert (0 < small) as S0 by (apply Rdiv_lt_0_compat; lra). split; [exact S0|split; [exact E|]]. nra.
Qed.

(** and totals count for more than codes and values. *)
Lemma big_bound : bound + 1 <= big /\ F * INR d * INR (Statement.B d N) + 1 + bound <= big.
Proof using All.
  assert (0 <= F * INR d * INR (Statement.B d N)).
  { apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply pos_INR]|apply pos_INR]. }
  unfold big. lra.
Qed.

(** The second head's factor is negative. *)
Lemma factor_negative : factor < 0.
Proof using All.
  pose proof small_pos as [S0 _]. pose proof big_bound as [BB _]. pose proof bound_1 as [_ B1].
  pose proof (lt_0_INR n ltac:(lia)) as P. assert (0 < big * (INR n * (INR n + 1)) / small).
  { apply Rdiv_lt_0_compat; [|exact S0]. apply Rmult_lt_0_compat; [lra|]. apply Rmult_lt_0_compat; lra. }
  unfold factor, Rdiv in *. lra.
Qed.

(** The id of a first entry alone. *)
Lemma first_entry_id x j : rows (fun i _ => first_entry x i) j = x.
Proof using All.
  rewrite (id_first d N ltac:(lia) (fun _ _ => 0) _ j x).
  - unfold along. rewrite sum_zero; [ring|]. intros; ring.
  - intros r _. unfold first_entry. ring.
Qed.

(** A corner's id is its whole number. *)
Lemma corners_id K j : rows (corners K) j = IZR (tid j (num K j)) * w.
Proof using All.
  unfold along, token_id, number, corners, corner, lift. clear - N2 d1. assert (forall m,
    sum m (fun i => u N i * (INR (j * N + K i j) * w)) =
    IZR (Grid.expand (Z.of_nat N) m (fun i => Z.of_nat (K i j)) +
      Z.of_nat j * (Z.of_nat N * Grid.expand (Z.of_nat N) m (fun _ => 1%Z))) * w) as G; [|apply G].
  induction m as [|m IH].
  - cbn. rewrite Z.mul_0_r, Z.mul_0_r. simpl. ring.
  - simpl sum. rewrite IH, !Grid.expand_S. unfold u. rewrite plus_INR, mult_INR, !INR_IZR_INZ.
    rewrite !plus_IZR, !mult_IZR, !plus_IZR, !mult_IZR, <- !pow_IZR. ring.
Qed.

Variable X : matrix.
Variable K : cells.
Hypothesis K_in : In K (all_cells d n N).
Hypothesis K_range : in_range d n N K.
Hypothesis K_good : forall i j, (i < d)%nat -> (j < n)%nat ->
  INR (K i j) * w <= X i j <= INR (K i j) * w + w - e.
Variable G : graph.
Hypothesis G_star : contains_star n G.

Notation Y0 := (run d (S n) 2 1 4 (quantise d N e (n * N)) (plus (extended X) embedding)).
(** After the quantiser: tokens 1, ..., n are at the corners of their cells, *)
Lemma quantised_token i j : (i < d)%nat -> (j < n)%nat -> Y0 i (S j) = corners K i j.
Proof using All.
  intros Hi Hj. rewrite quantise_scalar by exact Hi. unfold plus, extended, embedding, corners, corner.
  specialize (K_good i j Hi Hj). specialize (K_range i j Hi Hj).
  assert (INR (lift N K i j) * w <= X i j + INR j <= INR (lift N K i j) * w + w - e) as C.
  { unfold lift. rewrite plus_INR, mult_INR. assert (INR N * w = 1) as NW by (apply Rinv_r, not_0_INR; lia).
    replace ((INR j * INR N + INR (K i j)) * w) with (INR j * (INR N * w) + INR (K i j) * w) by ring. rewrite NW. lra. }
  rewrite (scalar_cell N (fun _ => e) e (fun _ => conj e0 (Rle_refl e)) ew (lift N K i j) _ (n * N) 0 C).
  destruct (Nat.leb_spec 0 (lift N K i j)), (Nat.ltb_spec (lift N K i j) (0 + n * N)); try lia; [reflexivity|].
  exfalso. unfold lift in *. nia.
Qed.

(** and the global token is as it was. *)
Lemma quantised_global i : (i < d)%nat -> Y0 i O = first_entry (-1) i.
Proof using All.
  intros Hi. rewrite quantise_scalar by exact Hi. unfold plus, extended, embedding, first_entry.
  rewrite (scalar_negative N (fun _ => e) e (fun _ => conj e0 (Rle_refl e)) ew); destruct (Nat.eqb i 0); lra.
Qed.

(** Their ids. *)
Lemma quantised_id j : (j < n)%nat -> rows Y0 (S j) = IZR (tid j (num K j)) * w.
Proof using All.
  intros Hj. rewrite <- corners_id. apply sum_ext. intros i Hi. rewrite quantised_token by assumption. reflexivity.
Qed.

(** The global one's. *)
Lemma global_id : rows Y0 O = -1.
Proof using All.
  rewrite <- (first_entry_id (-1) O). apply sum_ext. intros i Hi. rewrite quantised_global by exact Hi. reflexivity.
Qed.

(** The table of codes. *)
Lemma codes_in t : In t codes_table <-> t = (-1, first_entry (1 - IZR far)) \/
  exists j k, (j < n)%nat /\ (0 <= k < BZ d N)%Z /\
  t = (IZR (tid j k) * w, first_entry (IZR (cod j k) - IZR (tid j k) * w)).
Proof using All.
  assert (BZ d N = Z.of_nat (N ^ d)) as EB by (unfold BZ; rewrite Nat2Z.inj_pow; reflexivity).
  unfold codes_table. simpl In. rewrite in_flat_map. split; (intros [<-|H]; [left; reflexivity|right]) ||
    (intros [->|H]; [left; reflexivity|right]).
  - destruct H as [j [Hj H]]. apply in_map_iff in H. destruct H as [k [<- Hk]]. apply in_seq in Hj. apply in_seq in Hk.
    exists j, (Z.of_nat k). split; [lia|split; [lia|reflexivity]].
  - destruct H as [j [k [Hj [Hk ->]]]]. exists j. split; [apply in_seq; lia|]. apply in_map_iff. exists (Z.to_nat k).
    rewrite Z2Nat.id by lia. split; [reflexivity|apply in_seq; lia].
Qed.

(** Ids of tokens are 0 or more. *)
Lemma token_id_nonneg j k : (0 <= k)%Z -> 0 <= IZR (tid j k) * w.
Proof using All.
  intros Hk. pose proof (Tracking.w_half N N2). apply Rmult_le_pos; [|lra]. apply IZR_le. unfold token_id.
  pose proof (position_room d n N d1 n1 N2). pose proof (BZ_2 d n N d1 n1 N2). nia.
Qed.

(** So no key of the table is below -1. *)
Lemma codes_above t : In t codes_table -> -1 <= fst t.
Proof using All.
  intros H. apply codes_in in H. destruct H as [->|[j [k [Hj [Hk ->]]]]]; simpl; [lra|].
  pose proof (token_id_nonneg j k ltac:(lia)). lra.
Qed.

(** Whole numbers that differ are 1 apart. *)
Lemma whole_apart a b : a <> b -> 1 <= Rabs (IZR a - IZR b).
Proof using All.
  intros H. rewrite <- minus_IZR. destruct (Z.lt_trichotomy a b) as [L|[L|L]]; [|contradiction|].
  - rewrite Rabs_left1 by (apply IZR_le; lia). rewrite <- opp_IZR. apply IZR_le. lia.
  - rewrite Rabs_right by (apply Rle_ge, IZR_le; lia). apply IZR_le. lia.
Qed.

Notation Y1 := (run d (S n) 2 1 4 (value N codes_table) Y0).
(** After the codes: a token's id becomes its code, *)
Lemma coded_token i j : (i < d)%nat -> (j < n)%nat ->
  Y1 i (S j) = Y0 i (S j) + first_entry (IZR (cod j (num K j)) - IZR (tid j (num K j)) * w) i.
Proof using All.
  intros Hi Hj. pose proof (Tracking.w_half N N2) as W. pose proof (number_range d n N d1 n1 N2 K j K_range Hj) as NR.
  pose proof (token_id_nonneg j (num K j) ltac:(lia)) as T0.
  apply (value_spec d (S n) N ltac:(lra) codes_table (IZR (tid j (num K j)) * w)
    (first_entry (IZR (cod j (num K j)) - IZR (tid j (num K j)) * w))); [| | | |exact Hi].
  - apply codes_in. right. exists j, (num K j). auto.
  - intros t Ht. apply codes_in in Ht. destruct Ht as [->|[j' [k' [Hj' [Hk' ->]]]]]; simpl.
    { right. rewrite Rabs_left1; lra. }
    destruct (Z.eq_dec (tid j' k') (tid j (num K j))) as [E|NE].
    + left. destruct (token_id_same d n N d1 n1 N2 j' j k' (num K j) Hk' NR E) as [-> ->]. auto.
    + right. rewrite <- Rmult_minus_distr_r, Rabs_mult, (Rabs_right w) by lra.
      pose proof (whole_apart _ _ NE). nra.
  - rewrite quantised_id by exact Hj. rewrite Rminus_eq_0, Rabs_R0. lra.
  - intros t Ht. rewrite quantised_id, first_entry_id by exact Hj. pose proof (codes_above t Ht).
    pose proof (code_range d n N d1 n1 N2 j (num K j) Hj NR) as [_ C]. apply IZR_le in C. rewrite Rabs_left1; lra.
Qed.

(** and the global token's - far. *)
Lemma coded_global i : (i < d)%nat -> Y1 i O = Y0 i O + first_entry (1 - IZR far) i.
Proof using All.
  intros Hi. pose proof (Tracking.w_half N N2) as W. pose proof bound_1 as [_ B1]. unfold bound in B1.
  apply (value_spec d (S n) N ltac:(lra) codes_table (-1) (first_entry (1 - IZR far))); [| | | |exact Hi].
  - left. reflexivity.
  - intros t Ht. apply codes_in in Ht. destruct Ht as [->|[j' [k' [Hj' [Hk' ->]]]]]; simpl; [left; auto|right].
    pose proof (token_id_nonneg j' k' ltac:(lia)). rewrite Rabs_right; lra.
  - rewrite global_id, Rminus_eq_0, Rabs_R0. lra.
  - intros t Ht. rewrite global_id, first_entry_id. pose proof (codes_above t Ht). rewrite Rabs_left1; lra.
Qed.

(** What the first head reads of a token, *)
Lemma read_token j : (j < n)%nat -> rows Y1 (S j) = IZR (cod j (num K j)).
Proof using All.
  intros Hj. rewrite (id_first d N ltac:(lia) Y0 Y1 (S j) (IZR (cod j (num K j)) - IZR (tid j (num K j)) * w)).
  - rewrite quantised_id by exact Hj. ring.
  - intros i Hi. rewrite coded_token by assumption. reflexivity.
Qed.

(** of the global one, *)
Lemma read_global : rows Y1 O = - bound.
Proof using All.
  rewrite (id_first d N ltac:(lia) Y0 Y1 O (1 - IZR far)).
  - rewrite global_id. unfold bound. ring.
  - intros i Hi. rewrite coded_global by exact Hi. reflexivity.
Qed.

(** and of all tokens. *)
Lemma read_total : sum n (fun k => rows Y1 (S k)) = - IZR (tot K).
Proof using All.
  rewrite (sum_ext n _ (fun k => IZR (cod k (num K k)))) by (intros; apply read_token; assumption).
  unfold total. rewrite (Finite.image Grid.Z_sums R_sums IZR (f_equal IZR) eq_refl plus_IZR).
  replace (- sum n _) with (-1 * sum n (fun k => IZR (- cod k (num K k)))) by ring. rewrite <- sum_scale.
  apply sum_ext. intros k _. rewrite opp_IZR. ring.
Qed.

Notation Y2 := (sparse_layer d (S n) G gather Y1).
Notation mean1 j := (neighbour_mean (S n) (G j) (fun _ => 0) (rows Y1)).
(** After the first head, which writes to row 0, *)
Lemma gathered i j : Y2 i j = Y1 i j + (if Nat.eqb i 0 then small * mean1 j else 0).
Proof using All.
  unfold gather. rewrite reader_spec.
  assert ((fun k => along d (fun _ => 0) Y1 k * along d (fun _ => 0) Y1 j) = fun _ => 0) as ->; [|reflexivity].
  extensionality k. unfold along. rewrite !sum_zero; [ring|intros; ring..].
Qed.

(** and so to the id. *)
Lemma gathered_rows j : rows Y2 j = rows Y1 j + small * mean1 j.
Proof using All. apply (id_first d N ltac:(lia)). intros i _. apply gathered. Qed.

(** Every token hears one. *)
Lemma hears_one j : (j <= n)%nat -> exists k, (k < S n)%nat /\ G j k = true.
Proof using All.
  intros Hj. destruct j as [|j].
  - exists 1%nat. split; [lia|]. apply (G_star 1%nat). lia.
  - exists O. split; [lia|]. apply (G_star (S j)). lia.
Qed.

(** What is read is negative, and of the global token it is by far the lowest. *)
Lemma read_range k : (1 <= k <= n)%nat -> 2 - bound <= rows Y1 k <= 0.
Proof using All.
  intros Hk. pose proof bound_1 as [B1 _]. destruct k as [|k]; [lia|].
  rewrite read_token by lia. pose proof (code_range d n N d1 n1 N2 k (num K k) ltac:(lia)
    (number_range d n N d1 n1 N2 K k K_range ltac:(lia))) as [C1 C2].
  apply IZR_le in C1, C2. rewrite opp_IZR in C1. lra.
Qed.

(** Means are negative, too. *)
Lemma mean1_range j : (j <= n)%nat -> - bound <= mean1 j <= 0.
Proof using All.
  intros Hj. pose proof bound_1 as [_ B1]. apply neighbour_mean_range; [apply hears_one, Hj|]. intros k Hk _.
  destruct k as [|k]; [rewrite read_global; lra|]. pose proof (read_range (S k) ltac:(lia)). lra.
Qed.

(** The global token's mean. *)
Lemma mean1_global : INR n * (INR n + 1) * mean1 O = - IZR (gth (G O O) K).
Proof using All.
  rewrite (global_mean n (G O) (rows Y1) n1) by (intros k Hk; apply (G_star k Hk)).
  rewrite read_total, read_global. pose proof (lt_0_INR n ltac:(lia)) as P. unfold gathered_total, bound.
  destruct (G O O); rewrite mult_IZR, plus_IZR, <- INR_IZR_INZ; field; lra.
Qed.

(** The rate is large enough. *)
Hypothesis lambda0 : 0 <= lambda.
Hypothesis lambda_large : Rabs factor * ((INR n + 1) * (2 * bound * exp (- lambda))) <= tol / 2.
Notation Y3 := (sparse_layer d (S n) G spread Y2).
Notation mean2 t :=
  (neighbour_mean (S n) (G t%nat) (fun k => along d (fun i => lambda * u N i) Y2 k * rows Y2 t) (rows Y2)).

(** After the second head. *)
Lemma spread_is i j : Y3 i j = Y2 i j + (if Nat.eqb i 0 then factor * mean2 j else 0).
Proof using All. unfold spread. rewrite reader_spec. reflexivity. Qed.

(** It reads what the global token has, but for an error that falls with the rate. *)
Lemma mean2_near j : (j < n)%nat ->
  Rabs (mean2 (S j) - (- bound + small * mean1 O)) <= (INR n + 1) * (2 * bound * exp (- lambda)).
Proof using All.
  intros Hj. pose proof bound_1 as [_ B1]. pose proof small_pos as [S0 [SB S1]]. pose proof (Tracking.w_half N N2) as W.
  assert (forall k, (k <= n)%nat -> - (1 / 16) <= small * mean1 k <= 0) as M.
  { intros k Hk. pose proof (mean1_range k Hk). nra. }
  assert (rows Y2 O = - bound + small * mean1 O) as E0 by (rewrite gathered_rows, read_global; ring).
  assert (forall k, along d (fun i => lambda * u N i) Y2 k = lambda * rows Y2 k) as EK.
  { intros k. unfold along. rewrite <- sum_scale. apply sum_ext. intros; ring. }
  rewrite <- E0, <- S_INR. apply (neighbour_mean_near (S n) (G (S j)) (hears_one (S j) ltac:(lia))).
  - lia.
  - apply (G_star (S j)). lia.
  - intros k Hk. rewrite !EK, E0. assert (rows Y2 (S j) <= -1) as Q.
    { rewrite gathered_rows, read_token by exact Hj. pose proof (M (S j) ltac:(lia)).
      pose proof (code_range d n N d1 n1 N2 j _ Hj (number_range d n N d1 n1 N2 K j K_range Hj)) as [_ C].
      apply IZR_le in C. lra. }
    assert (1 <= rows Y2 k - (- bound + small * mean1 O)) as Gap.
    { rewrite gathered_rows. pose proof (read_range k ltac:(lia)). pose proof (M k ltac:(lia)).
      pose proof (M O ltac:(lia)). lra. }
    set (x := rows Y2 k) in *. set (y := - bound + small * mean1 O) in *. set (z := rows Y2 (S j)) in *.
    assert (lambda * 1 <= lambda * ((x - y) * - z)) by (apply Rmult_le_compat_l; [exact lambda0|]; nra). lra.
  - intros k Hk. rewrite !gathered_rows, read_global. pose proof (M k ltac:(lia)). pose proof (M O ltac:(lia)).
    apply Rabs_le. destruct k as [|k]; [rewrite read_global; lra|]. pose proof (read_range (S k) ltac:(lia)). lra.
Qed.

(** The ids are near the keys; *)
Lemma final_id j : (j < n)%nat -> Rabs (rows Y3 (S j) - final_key (G O O) K j) <= tol.
Proof using All.
  intros Hj. pose proof small_pos as [S0 [SB S1]]. pose proof (mean1_range (S j) ltac:(lia)) as M1.
  pose proof (mean2_near j Hj) as M2. pose proof mean1_global as MG.
  rewrite (id_first d N ltac:(lia) Y2 Y3 (S j) (factor * mean2 (S j)) (fun i _ => spread_is i (S j))).
  set (m2 := mean2 (S j)) in *. rewrite gathered_rows, read_token by exact Hj.
  unfold final_key. assert (factor * (small * mean1 O) = big * IZR (gth (G O O) K)) as E.
  { replace (IZR (gth (G O O) K)) with (- (INR n * (INR n + 1) * mean1 O)) by lra. unfold factor. field. lra. }
  rewrite <- E. set (m1 := mean1 (S j)) in *. set (m0 := small * mean1 O) in *.
  set (c := IZR (cod j (num K j))).
  replace (c + small * m1 + factor * m2 - (c - factor * bound + factor * m0)) with
    (small * m1 + factor * (m2 - (- bound + m0))) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite (Rabs_mult factor).
  assert (Rabs (small * m1) <= tol / 2) by (rewrite <- SB; apply Rabs_le; nra).
  assert (Rabs factor * Rabs (m2 - (- bound + m0)) <= tol / 2); [|lra].
  eapply Rle_trans; [|exact lambda_large]. apply Rmult_le_compat_l; [apply Rabs_pos|exact M2].
Qed.

(** the other rows are as they were. *)
Lemma final_rows i j : (i < d)%nat -> (j < n)%nat ->
  Y3 i (S j) = corners K i j + first_entry (rows Y3 (S j) - rows (corners K) j) i.
Proof using All.
  intros Hi Hj. assert (forall i, (i < d)%nat -> Y3 i (S j) = Y0 i (S j) +
    (if Nat.eqb i 0 then IZR (cod j (num K j)) - IZR (tid j (num K j)) * w + small * mean1 (S j) + factor * mean2 (S j)
     else 0)) as E.
  { intros r Hr. rewrite spread_is, gathered, coded_token by lia. unfold first_entry. destruct (Nat.eqb r 0); ring. }
  rewrite (id_first d N ltac:(lia) Y0 Y3 (S j) _ E).
  rewrite E, quantised_token, quantised_id, corners_id by assumption. unfold first_entry. destruct (Nat.eqb i 0); ring.
Qed.

(** ** The value map *)

(** The table holds the keys of all contexts, whether the global token hears itself or not, and no more. *)
Lemma final_in t : In t final_table <-> exists own K j, In K (all_cells d n N) /\ (j < n)%nat /\
  t = (final_key own K j, final_add own K j).
Proof using All.
  unfold final_table. rewrite in_flat_map. split.
  - intros [own [_ H]]. apply in_flat_map in H. destruct H as [K' [HK H]]. apply in_map_iff in H.
    destruct H as [j [<- Hj]]. apply in_seq in Hj. exists own, K', j. split; [exact HK|split; [lia|reflexivity]].
  - intros [own [K' [j [HK [Hj ->]]]]]. exists own. split; [destruct own; simpl; auto|].
    apply in_flat_map. exists K'. split; [exact HK|]. apply in_map_iff. exists j.
    split; [reflexivity|apply in_seq; lia].
Qed.

(** Keys of different columns or contexts are 1 apart. *)
Lemma final_apart own own' K' j j' : In K' (all_cells d n N) -> (j < n)%nat -> (j' < n)%nat ->
  (own' = own /\ K' = K /\ j' = j) \/ 1 <= Rabs (final_key own' K' j' - final_key own K j).
Proof using All.
  intros HK' Hj Hj'. assert (in_range d n N K') as R' by (apply cells_range; [lia|exact HK']).
  pose proof (number_range d n N d1 n1 N2 K j K_range Hj) as NR.
  pose proof (number_range d n N d1 n1 N2 K' j' R' Hj') as NR'.
  unfold final_key. destruct (Z.eq_dec (gth own' K') (gth own K)) as [E|NE].
  - destruct (gathered_same d n N d1 n1 N2 own' own K' K R' K_range E) as [-> ET].
    assert (K' = K) as ->.
    { apply (cells_equal d n N); try assumption. apply (total_same d n N d1 n1 N2); assumption. }
    destruct (Nat.eq_dec j' j) as [->|NJ]; [left; auto|right].
    set (x := IZR (cod j' (num K j'))). set (y := IZR (cod j (num K j))).
    replace (x - factor * bound + big * IZR (gth own K) - (y - factor * bound + big * IZR (gth own K))) with (x - y)
      by ring.
    apply whole_apart. intros E'. apply NJ. apply (code_position d n N d1 n1 N2 j' j _ _ Hj' Hj E').
  - right. pose proof (whole_apart _ _ NE) as W. pose proof big_bound as [BB _]. pose proof bound_1 as [B1 _].
    pose proof (code_range d n N d1 n1 N2 j _ Hj NR) as [C1 C2].
    pose proof (code_range d n N d1 n1 N2 j' _ Hj' NR') as [C1' C2'].
    apply IZR_le in C1, C2, C1', C2'. rewrite opp_IZR in C1, C1'.
    set (x := IZR (gth own' K')) in *. set (y := IZR (gth own K)) in *. set (z := factor * bound).
    set (k := IZR (cod j (num K j))) in *. set (k' := IZR (cod j' (num K' j'))) in *.
    assert (big <= Rabs (big * x - big * y)) as BA.
    { rewrite <- Rmult_minus_distr_l, Rabs_mult, (Rabs_right big) by lra. nra. }
    revert BA. unfold Rabs. destruct (Rcase_abs (big * x - big * y)),
      (Rcase_abs (k' - z + big * x - (k - z + big * y))); lra.
Qed.

(** All keys lie above the ids of values. *)
Lemma final_above own K' j : In K' (all_cells d n N) -> (j < n)%nat ->
  F * INR d * INR (Statement.B d N) + 1 <= final_key own K' j.
Proof using All.
  intros HK' Hj. assert (in_range d n N K') as R' by (apply cells_range; [lia|exact HK']).
  pose proof (number_range d n N d1 n1 N2 K' j R' Hj) as NR.
  pose proof (code_range d n N d1 n1 N2 j _ Hj NR) as [C1 _]. apply IZR_le in C1. rewrite opp_IZR in C1.
  pose proof big_bound as [B0 BB]. pose proof bound_1 as [B1 B5]. pose proof factor_negative as FN.
  pose proof (gathered_positive d n N d1 n1 N2 own K' R') as T. apply IZR_le in T.
  assert (big * 1 <= big * IZR (gth own K')) by (apply Rmult_le_compat_l; lra).
  assert (factor * bound <= 0) by nra. unfold final_key. lra.
Qed.

(** What the value map makes of token j + 1: the value, and in row 0 the error of its id. *)
Lemma final_value i j : (i < d)%nat -> (j < n)%nat -> run d (S n) 2 1 4 (value N final_table) Y3 i (S j) =
  v K i j + first_entry (rows Y3 (S j) - final_key (G O O) K j) i.
Proof using All.
  intros Hi Hj. pose proof (Tracking.w_half N N2) as W. pose proof (final_id j Hj) as FI. set (x := rows Y3 (S j)) in *.
  set (target := fun (r : nat) (_ : nat) => v K r j). set (key := final_key (G O O) K j) in *.
  assert (rows (fun r _ => final_add (G O O) K j r) (S j) = rows target (S j) - key) as EI.
  { assert (rows (fun r _ => final_add (G O O) K j r) (S j) + rows (corners K) j +
      rows (fun r _ => first_entry (key - rows (corners K) j) r) (S j) = rows target (S j)) as H.
    { unfold along. rewrite <- !sum_plus. apply sum_ext. intros r _. unfold final_add, target. fold key. unfold along.
      ring. }
    rewrite first_entry_id in H. lra. }
  assert (rows target (S j) <= F * INR d * INR (Statement.B d N)) as TS.
  { unfold along. apply Rle_trans with (sum d (fun _ => F * INR (Statement.B d N))); [|rewrite sum_const; lra].
    apply sum_le. intros r Hr. assert (u N r <= INR (Statement.B d N)).
    { unfold u, Statement.B. rewrite <- pow_INR. apply le_INR, Nat.pow_le_mono_r; lia. }
    assert (0 <= u N r) by (unfold u; rewrite <- pow_INR; apply pos_INR).
    pose proof (v_bound K r j K_in Hr Hj) as VB. apply between in VB. unfold target. nra. }
  rewrite (value_spec d (S n) N ltac:(lra) final_table key (final_add (G O O) K j)); [| | | | |exact Hi].
  - rewrite final_rows by assumption. fold x. unfold final_add. fold key. unfold first_entry.
    destruct (Nat.eqb i 0); ring.
  - apply final_in. exists (G O O), K, j. auto.
  - intros t Ht. apply final_in in Ht. destruct Ht as [own [K' [j' [HK' [Hj' ->]]]]]. simpl.
    destruct (final_apart (G O O) own K' j j' HK' Hj Hj') as [[-> [-> ->]]|far]; [left; auto|right; unfold key; lra].
  - fold x. lra.
  - intros t Ht. apply final_in in Ht. destruct Ht as [own [K' [j' [HK' [Hj' ->]]]]]. simpl fst. rewrite EI. fold x.
    pose proof (final_above own K' j' HK' Hj'). apply between in FI. rewrite Rabs_left1; lra.
Qed.

(** The network is these layers, and clamps. *)
Lemma network_is Z i j : (i < d)%nat -> sparse_run d (S n) 1 1 4 G sparse_network Z i j =
  let x := run d (S n) 2 1 4 (value N final_table) (sparse_layer d (S n) G spread (sparse_layer d (S n) G gather
    (run d (S n) 2 1 4 (value N codes_table) (run d (S n) 2 1 4 (quantise d N e (n * N)) Z)))) i j in
  Rmin F (Rmax (- F) x).
Proof using All.
  intros Hi. unfold sparse_network. rewrite !sparse_app.
  rewrite (sparse_tokens d (S n) G (entrywise d (clamp F))) by apply entrywise_tokenwise.
  rewrite entrywise_spec, clamp_spec by (try lra; exact Hi).
  rewrite (sparse_tokens d (S n) G (value N final_table)) by apply value_tokenwise.
  rewrite (sparse_tokens d (S n) G (value N codes_table)) by apply value_tokenwise.
  rewrite (sparse_tokens d (S n) G (quantise d N e (n * N))) by apply quantise_tokenwise. reflexivity.
Qed.

(** At a good point it is within tol of the value. *)
Theorem sparse_good i j : (i < d)%nat -> (j < n)%nat ->
  Rabs (sparse_transformer d n 1 1 4 G sparse_network embedding X i j - v K i j) <= tol.
Proof using All.
  intros Hi Hj. unfold sparse_transformer, dropped. rewrite network_is by exact Hi. cbv zeta.
  rewrite final_value by assumption. pose proof (final_id j Hj) as FI. apply between in FI.
  pose proof (v_bound K i j K_in Hi Hj) as VB. apply between in VB.
  set (y := rows Y3 (S j) - final_key (G O O) K j) in *. clearbody y.
  assert (- tol <= first_entry y i <= tol) as ED by (unfold first_entry; destruct (Nat.eqb i 0); lra).
  set (x := first_entry y i) in *. clearbody x. apply Rabs_le. unfold Rmin, Rmax.
  destruct (Rle_dec (- F) (v K i j + x)); destruct (Rle_dec F _); lra.
Qed.
End Network.

(** Anywhere the network is within [-F, F]. *)
Lemma sparse_bounded d n G ts F X i j : 0 < F -> (i < d)%nat ->
  Rabs (sparse_run d n 1 1 4 G (ts ++ entrywise d (clamp F)) X i j) <= F.
Proof.
  intros F0 Hi. rewrite sparse_app, (sparse_tokens d n G (entrywise d (clamp F))) by apply entrywise_tokenwise.
  rewrite entrywise_spec, clamp_spec by (try lra; exact Hi). apply Rabs_le. unfold Rmin, Rmax.
  destruct (Rle_dec (- F) _); destruct (Rle_dec F _); lra.
Qed.

(** A rate that is large enough. *)
Lemma rate_exists q t : 0 <= q -> 0 < t -> exists lambda, 0 <= lambda /\ q * exp (- lambda) <= t.
Proof.
  intros Hq Ht. exists (q / t). assert (0 <= q / t) as Q0 by (apply Rmult_le_pos; [exact Hq|]; apply Rlt_le,
    Rinv_0_lt_compat, Ht).
  assert (q / t < exp (q / t)) as E.
  { destruct (Rle_lt_or_eq_dec 0 (q / t) Q0) as [L|<-]; [|rewrite exp_0; lra].
    pose proof (exp_ineq1 (q / t) ltac:(lra)). lra. }
  split; [exact Q0|]. rewrite exp_Ropp. pose proof (exp_pos (q / t)) as P.
  apply Rmult_le_reg_r with (exp (q / t)); [exact P|]. rewrite Rmult_assoc, Rinv_l by lra.
  replace (q * 1) with (t * (q / t)) by (field; lra).
  apply Rmult_le_compat_l; lra.
Qed.

(** One embedding and one network for all graphs that contain the star. *)
Theorem bigbird_theorem1_any_graph : BigBird_theorem1_any_graph.
Proof.
  exists embedding. intros d n d1 n1 f Hf p eps Hp Heps.
  destruct (bounded d n (cube d n) f n1 (cube_compact d n) (fun X H => H) Hf) as [F [F0 HF]].
  destruct (uniform d n (cube d n) f (cube_compact d n) Hf (step_error d n eps)) as [c [c0 Hc]].
  { apply Rdiv_lt_0_compat; [exact Heps|]. pose proof (lt_0_INR d d1). pose proof (lt_0_INR n n1). nra. }
  pose proof (positions_fine d n d1 n1 F c p eps F0 c0 Heps) as numbers. cbv zeta in numbers.
  set (N := side_positions d F c) in *. set (e := gap d n N F p eps) in *.
  destruct numbers as [FN numbers]. pose proof numbers as [N2 [_ [[e0 ew] _]]].
  destruct (tolerance_spec d n d1 n1 F p eps Heps N N2) as [T0 [Tw _]]. set (tol := tolerance d n N eps) in *.
  set (v := fun K => f (corner N K)).
  assert (forall K, in_range d n N K -> cube d n (corner N K)) as CC.
  { intros K R i j Hi Hj. specialize (R i j Hi Hj). unfold corner. pose proof (lt_0_INR N ltac:(lia)) as NP.
    assert (0 < / INR N) by (apply Rinv_0_lt_compat, NP). pose proof (pos_INR (K i j)).
    assert (INR (K i j) <= INR N) by (apply le_INR; lia). assert (INR N * / INR N = 1) by (apply Rinv_r; lra). nra. }
  assert (forall K i j, In K (all_cells d n N) -> (i < d)%nat -> (j < n)%nat -> Rabs (v K i j) <= F) as VB.
  { intros K i j HK Hi Hj. apply HF; [|exact Hi|exact Hj]. apply CC, cells_range; [lia|exact HK]. }
  destruct (rate_exists (Rabs (factor d n N F tol) * ((INR n + 1) * (2 * bound d n N))) (tol / 2)) as [lambda [L0 HL]].
  { apply Rmult_le_pos; [apply Rabs_pos|]. pose proof (bound_1 d n N d1 n1 N2 e F tol 0 v e0 ew F0 T0 Tw VB) as [_ B5].
    pose proof (pos_INR n). nra. }
  { lra. }
  exists (quantise d N e (n * N) ++ value N (codes_table d n N)), (gather d n N tol), (spread d n N F tol lambda),
    (value N (final_table d n N F tol v) ++ entrywise d (clamp F)).
  set (before := quantise d N e (n * N) ++ _). set (after := value N _ ++ _).
  assert (forall s, In s (before ++ after) -> silent s /\ no_bias s) as others.
  { intros t Ht. apply (tokenwise_silent t). unfold before, after in Ht. rewrite !in_app_iff in Ht.
    destruct Ht as [[Ht|Ht]|[Ht|Ht]]; revert Ht;
      [apply quantise_tokenwise|apply value_tokenwise|apply value_tokenwise|apply entrywise_tokenwise]. }
  split; [intros s Hs; apply others, Hs|split].
  { intros s Hs. rewrite !in_app_iff in Hs. destruct Hs as [Hs|[[<-|[<-|[]]]|Hs]]; try (intros k; reflexivity);
      apply others, in_app_iff; auto. }
  unfold before, after.
  rewrite <- app_assoc. fold (sparse_network d n N e F tol lambda v). intros G HG.
  apply (approximates d n d1 n1 F c p eps F0 Hp Heps N e numbers (cube d n) f); try assumption.
  - intros X HX. exact HX.
  - intros X i j Hi Hj. unfold sparse_transformer, dropped, sparse_network. rewrite !app_assoc.
    apply sparse_bounded; [exact F0|lia].
  - intros X HX [HG1 _]. destruct (cell_spec d n N X ltac:(lia) HX) as [R C].
    destruct (cells_complete d n N (cell N X) n1 R) as [K [HK E]].
    assert (in_range d n N K) as RK by (apply cells_range; [lia|exact HK]).
    exists (corner N K). split; [apply CC, RK|split].
    + apply (in_cell_same d n N K); [exact E|]. intros i j Hi Hj. unfold corner. pose proof (lt_0_INR N ltac:(lia)).
      assert (0 < / INR N) by (apply Rinv_0_lt_compat; lra). lra.
    + intros i j Hi Hj. apply (sparse_good d n N d1 n1 N2 e F tol lambda v e0 ew F0 T0 Tw VB X K HK RK); try assumption.
      * intros a b Ha Hb. rewrite E by assumption. apply (HG1 a b Ha Hb).
      * eapply Rle_trans; [|exact HL]. right. ring.
Qed.

(** Theorem 1. *)
Theorem bigbird_theorem1 : BigBird_theorem1.
Proof.
  intros d n d1 n1 G HG f Hf p e Hp He. destruct bigbird_theorem1_any_graph as [E H].
  destruct (H d n d1 n1 f Hf p e Hp He) as [before [t [t' [after [_ [_ T]]]]]].
  exists (before ++ [t; t'] ++ after), E. apply T, HG.
Qed.

(** ** The hypotheses can be met: by the star and by the star with one edge more; and by the function that is to give
    each of two tokens the first one's entry, which isn't equivariant. *)
Example theorem1_star : exists (ts : list block) (E : matrix),
  distance_below 1 2 2 (cube 1 2) (fun X i j => X i O)
    (sparse_transformer 1 2 1 1 4 StatementSparse.star ts E) (1 / 100).
Proof.
  apply (bigbird_theorem1 1%nat 2%nat); try lia; try lra; [apply SparseLayers.star_contains|].
  intros X _ e He. exists e. split; [exact He|]. intros Y _ C i j Hi Hj. apply C; [exact Hi|lia].
Qed.
Example theorem1_edge : exists (ts : list block) (E : matrix),
  distance_below 1 2 2 (cube 1 2) (fun X i j => X i O)
    (sparse_transformer 1 2 1 1 4 (StatementSparse.with_edge 1 2 StatementSparse.star) ts E) (1 / 100).
Proof.
  apply (bigbird_theorem1 1%nat 2%nat); try lia; try lra; [apply Sparse.star_with_edge_contains|].
  intros X _ e He. exists e. split; [exact He|]. intros Y _ C i j Hi Hj. apply C; [exact Hi|lia].
Qed.
