(** Proposition 4 with distance 0: the statements of [StatementExact.v], proved for all d, n >= 1 and N >= 2. *)

From Coq Require Import QArith Qround Qminmax List Arith ZArith Bool Lia Lqa Setoid Morphisms Permutation
  Sorted Mergesort.
From Contextual Require Finite.
From Contextual Require Import Statement Layers StatementExact Heads Network Grid Tokens.
Import ListNotations.
Open Scope Q_scope.

(** ** Whole numbers as rationals *)
Lemma of_nat_add a b : of_nat (a + b) == of_nat a + of_nat b.
Proof. unfold of_nat. rewrite Nat2Z.inj_add, inject_Z_plus. reflexivity. Qed.

(** Products. *)
Lemma of_nat_mul a b : of_nat (a * b) == of_nat a * of_nat b.
Proof. unfold of_nat. rewrite Nat2Z.inj_mul, inject_Z_mult. reflexivity. Qed.

(** The order. *)
Lemma of_nat_le a b : (a <= b)%nat -> of_nat a <= of_nat b.
Proof. intros H. unfold of_nat. rewrite <- Zle_Qle. lia. Qed.

(** The strict order. *)
Lemma of_nat_lt a b : (a < b)%nat -> of_nat a < of_nat b.
Proof. intros H. unfold of_nat. rewrite <- Zlt_Qlt. lia. Qed.

(** Equal rationals, equal numbers. *)
Lemma of_nat_inj a b : of_nat a == of_nat b -> a = b.
Proof.
  intros H. destruct (Nat.lt_total a b) as [L|[L|L]]; [|exact L|]; apply of_nat_lt in L; lra.
Qed.

(** None is negative. *)
Lemma of_nat_nonneg a : 0 <= of_nat a.
Proof. apply (of_nat_le 0 a). lia. Qed.

(** The sum of a constant. *)
Lemma sum_constant m c : sum m (fun _ => c) == of_nat m * c.
Proof. induction m as [|m IH]; [simpl; unfold of_nat; simpl; ring|]. rewrite sum_S, IH, of_nat_S. ring. Qed.

(** A sum of whole numbers. *)
Lemma sum_of_nat m f : sum m (fun k => of_nat (f k)) == of_nat (list_sum (map f (seq 0 m))).
Proof.
  symmetry. apply (Finite.image Finite.N_sums Q_sums of_nat); [intros x y ->; reflexivity|reflexivity|exact of_nat_add].
Qed.

(** ** The sum of the codes tells how often each occurs: its digits in base n+1 *)
Section Codes.
Variable n B : nat.
Hypothesis n1 : (1 <= n)%nat.
Notation power k := ((n + 1) ^ k)%nat.
Notation total ks := (list_sum (map (fun k => (n + 1) ^ k)%nat ks)).

(** A power of n+1 is at least 1. *)
Lemma power_pos k : (1 <= power k)%nat.
Proof using n1. pose proof (Nat.pow_nonzero (n + 1) k ltac:(lia)). lia. Qed.

(** Expansions add digit by digit. *)
Lemma expand_add b m f g : expand b m (fun k => f k + g k)%Z = (expand b m f + expand b m g)%Z.
Proof using. unfold expand. rewrite <- (Finite.plus Z_sums). apply (Finite.ext Z_sums). intros. ring. Qed.

(** The expansion of a single digit 1. *)
Lemma expand_one b m k : (k < m)%nat -> expand b m (fun i => if Nat.eq_dec k i then 1 else 0)%Z = (b ^ Z.of_nat k)%Z.
Proof using.
  intros Hk. unfold expand. rewrite (Finite.single Z_sums m _ k Hk); [destruct (Nat.eq_dec k k); [ring|contradiction]|].
  intros i _ NE. destruct (Nat.eq_dec k i); [congruence|ring].
Qed.

(** The digits of the total are the multiplicities. *)
Lemma total_expand ks : (forall k, In k ks -> (k < B)%nat) ->
  Z.of_nat (total ks) = expand (Z.of_nat (n + 1)) B (fun k => Z.of_nat (count_occ Nat.eq_dec ks k)).
Proof using n1.
  induction ks as [|k ks IH]; intros H.
  - symmetry. apply (Finite.zero Z_sums). intros. simpl. ring.
  - change (total (k :: ks)) with ((n + 1) ^ k + total ks)%nat.
    rewrite Nat2Z.inj_add, IH by (intros; apply H; right; assumption).
    rewrite Nat2Z.inj_pow, <- (expand_one _ B k) by (apply H; left; reflexivity).
    rewrite <- expand_add. apply (Finite.ext Z_sums). intros i _. f_equal. cbn [count_occ].
    destruct (Nat.eq_dec k i); lia.
Qed.

(** Nothing occurs more often than the list is long. *)
Lemma count_le l (k : nat) : (count_occ Nat.eq_dec l k <= length l)%nat.
Proof using n1. induction l as [|a l IH]; [simpl; lia|]. simpl. destruct (Nat.eq_dec a k); lia. Qed.

(** Equal totals mean equal lists, up to order. *)
Lemma total_permutation ks ks' : (forall k, In k ks -> (k < B)%nat) -> (forall k, In k ks' -> (k < B)%nat) ->
  length ks = n -> length ks' = n -> total ks = total ks' -> Permutation ks ks'.
Proof using n1.
  intros H H' L L' E. apply (Permutation_count_occ Nat.eq_dec). intros k. apply Nat2Z.inj.
  destruct (Nat.lt_ge_cases k B) as [Hk|Hk].
  - apply (expand_inj (Z.of_nat (n + 1)) ltac:(lia) B (fun k => Z.of_nat (count_occ Nat.eq_dec ks k))
      (fun k => Z.of_nat (count_occ Nat.eq_dec ks' k))); [| | |exact Hk].
    + intros i _. pose proof (count_le ks i). lia.
    + intros i _. pose proof (count_le ks' i). lia.
    + rewrite <- !total_expand by assumption. rewrite E. reflexivity.
  - assert (forall l, (forall k, In k l -> (k < B)%nat) -> count_occ Nat.eq_dec l k = 0%nat) as O.
    { intros l Hl. apply count_occ_not_In. intros I. specialize (Hl k I). lia. }
    rewrite !O by assumption. reflexivity.
Qed.

(** The order doesn't matter. *)
Lemma total_perm_eq ks ks' : Permutation ks ks' -> total ks = total ks'.
Proof using n1. induction 1; simpl; lia. Qed.

(** The total is at most n times the largest power. *)
Lemma total_upper ks : (1 <= B)%nat -> (forall k, In k ks -> (k < B)%nat) ->
  (total ks <= length ks * power (B - 1))%nat.
Proof using n1.
  intros HB. induction ks as [|k ks IH]; intros H; [simpl; lia|].
  change (total (k :: ks)) with ((n + 1) ^ k + total ks)%nat. cbn [length].
  specialize (IH ltac:(intros; apply H; right; assumption)). specialize (H k ltac:(left; reflexivity)).
  pose proof (Nat.pow_le_mono_r (n + 1) k (B - 1) ltac:(lia) ltac:(lia)). lia.
Qed.

(** A key's two halves, in base (n+1)^B *)
Lemma halves k k' s s' : (k < B)%nat -> (k' < B)%nat ->
  (power k + power B * s = power k' + power B * s')%nat -> k = k' /\ s = s'.
Proof using n1.
  intros Hk Hk' E. pose proof (Nat.pow_lt_mono_r (n + 1) k B ltac:(lia) Hk) as P.
  pose proof (Nat.pow_lt_mono_r (n + 1) k' B ltac:(lia) Hk') as P'.
  assert (s = s') as <-.
  { destruct (Nat.lt_total s s') as [L|[L|L]]; [exfalso; nia|exact L|exfalso; nia]. }
  split; [|reflexivity]. apply (Nat.pow_inj_r (n + 1)); lia.
Qed.
End Codes.

Section Exact.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Notation delta := (delta N).
Notation BB := (B d N).
Notation id_of := (along d (u N)).
Notation CC := (C d N).
Notation FF := (F d n N).
Notation code := (code d n N).
Notation above := (sentinel_above d n N).
Notation border := (border d n N).
Notation key := (key d n N).
Notation same := (same d).

Let HB : (2 <= BB)%nat := B_ge_2 d N d1 N2.

(** C is at least 1. *)
Lemma C_pos : (1 <= CC)%nat.
Proof using HB n1. unfold C. pose proof (Nat.pow_nonzero N (d - 1) ltac:(lia)). lia. Qed.

(** C N = N^d. *)
Lemma C_N : (CC * N = BB)%nat.
Proof using HB n1. unfold C, B. rewrite Nat.mul_comm. rewrite <- Nat.pow_succ_r'. f_equal. lia. Qed.

(** C in units of delta. *)
Lemma C_delta : of_nat CC == of_nat BB * delta.
Proof using HB n1. rewrite <- C_N, of_nat_mul, <- Qmult_assoc, (delta_N N N2). ring. Qed.

(** delta is at most 1/2. *)
Lemma delta_half : delta <= 1 # 2.
Proof using N2.
  pose proof (delta_N N N2) as D. pose proof (of_nat_le 2 N N2) as H. pose proof (delta_pos N N2) as P.
  change (of_nat 2) with 2 in H. nra.
Qed.

(** Half of delta. *)
Lemma half_delta : delta / 2 == delta * (1 # 2).
Proof using. field. Qed.

(** A code is a whole number. *)
Lemma code_of_nat k : code k = of_nat (CC * (n + 1) ^ k).
Proof using. reflexivity. Qed.

(** It is at least delta^-d delta, above all ids of the grid. *)
Lemma code_ge k : of_nat BB * delta <= code k.
Proof using HB n1. rewrite <- C_delta. apply of_nat_le. pose proof (power_pos n n1 k). nia. Qed.

(** Codes grow with k. *)
Lemma code_mono k k' : (k <= k')%nat -> code k <= code k'.
Proof using HB n1.
  intros H. apply of_nat_le. pose proof (Nat.pow_le_mono_r (n + 1) k k' ltac:(lia) H). nia.
Qed.

(** The sentinel is above the ids of the grid. *)
Lemma above_ge : of_nat BB * delta <= above.
Proof using HB n1. apply code_ge. Qed.

(** It is at least 1. *)
Lemma above_one : 1 <= above.
Proof using HB n1. change 1 with (of_nat 1). apply of_nat_le. pose proof (power_pos n n1 BB).
  pose proof C_pos. nia. Qed.

(** A level below B lies half a delta or more below B delta. *)
Lemma level_below k x : (k < BB)%nat -> of_nat BB * delta <= x -> misses N x (of_nat k * delta).
Proof using HB n1.
  intros Hk Hx. right. assert (Z.of_nat k + 1 <= Z.of_nat BB)%Z as H by lia. apply (units_le N N2) in H.
  rewrite inject_Z_plus in H. change (inject_Z 1) with 1 in H. unfold of_nat in *. pose proof (delta_pos N N2).
  rewrite half_delta. lra.
Qed.

(** ** Columns *)
Definition on_grid_column (v : vector) : Prop := forall i, (i < d)%nat -> on_grid N (v i).
Definition number_of (v : vector) : nat := xid d N (fun i _ => v i) 0.

(** The entries of u are at least 1. *)
Lemma u_ge_1 i : 1 <= u N i.
Proof using HB n1. unfold u. change 1 with (of_nat 1). apply of_nat_le.
  pose proof (Nat.pow_nonzero N i ltac:(lia)). lia. Qed.

(** Grid points lie in [0, 1). *)
Lemma grid_nonneg x : on_grid N x -> 0 <= x /\ x < 1.
Proof using N2.
  intros [k [Hk E]]. pose proof (delta_pos N N2). pose proof (delta_N N N2). pose proof (of_nat_nonneg k).
  pose proof (of_nat_lt k N Hk). split; [rewrite E; nra|]. rewrite E. nra.
Qed.

(** A column of the grid is a matrix of G with one column. *)
Lemma column_in_G v : on_grid_column v -> in_G d 1 N (fun i _ => v i).
Proof using. intros H i j Hi _. apply H, Hi. Qed.

(** Its id is its number times delta. *)
Lemma number_id v : on_grid_column v -> id_of v == of_nat (number_of v) * delta.
Proof using N2 d1. intros H. exact (xid_ids d 1 N d1 (le_n 1) N2 _ (column_in_G v H) O (le_n 1)). Qed.

(** Numbers are below N^d. *)
Lemma number_range v : on_grid_column v -> (number_of v < BB)%nat.
Proof using N2 d1. intros H. exact (xid_range d 1 N d1 (le_n 1) N2 _ (column_in_G v H) O (le_n 1)). Qed.

(** They tell columns apart. *)
Lemma number_same v w : on_grid_column v -> on_grid_column w -> (number_of v = number_of w <-> same v w).
Proof using N2 d1.
  intros H H'. exact (xid_same d 1 N d1 (le_n 1) N2 _ O _ O (column_in_G v H) (column_in_G w H') (le_n 1) (le_n 1)).
Qed.

(** The column with a number is on the grid. *)
Lemma column_grid k : on_grid_column (column N k).
Proof using HB n1. intros i _. exists (k / N ^ i mod N)%nat. split; [apply Nat.mod_upper_bound; lia|reflexivity]. Qed.

(** It has this number. *)
Lemma column_number k : (k < BB)%nat -> number_of (column N k) = k.
Proof using HB n1.
  intros Hk. apply of_nat_inj. pose proof (number_id _ (column_grid k)) as E.
  assert (id_of (column N k) == of_nat k * delta) as E'.
  { unfold along. assert (forall m, sum m (fun i => u N i * column N k i) == of_nat (k mod N ^ m) * delta) as G.
    { induction m as [|m IH]; [rewrite Nat.pow_0_r, Nat.mod_1_r; reflexivity|].
      rewrite sum_S, IH. unfold u, column.
      replace (N ^ S m)%nat with (N ^ m * N)%nat by (rewrite Nat.pow_succ_r'; apply Nat.mul_comm).
      rewrite Nat.mod_mul_r by (try apply Nat.pow_nonzero; lia). rewrite of_nat_add, of_nat_mul. ring. }
    rewrite G, Nat.mod_small by exact Hk. reflexivity. }
  rewrite E' in E. pose proof (delta_pos N N2). nra.
Qed.

(** Each entry is at most the id. *)
Lemma entry_le_id v i : (forall i, (i < d)%nat -> 0 <= v i) -> (i < d)%nat -> v i <= id_of v.
Proof using HB n1.
  intros H Hi. assert (u N i * v i <= id_of v) as G.
  { apply (sum_term d (fun i => u N i * v i)); [|exact Hi]. intros k Hk. specialize (H k Hk).
    pose proof (u_ge_1 k). nra. }
  specialize (H i Hi). pose proof (u_ge_1 i). nra.
Qed.

(** The id of a column with a first entry only. *)
Lemma along_first x : id_of (first x) == x.
Proof using HB n1.
  unfold along. rewrite (sum_single _ _ 0); [|lia|].
  - unfold first. simpl. unfold u, of_nat. simpl. ring.
  - intros k _ NE. unfold first. destruct (Nat.eqb_spec k 0); [lia|ring].
Qed.

(** What is added to the first entry is added to the id. *)
Lemma id_plus_first v x : id_of (plus v (first x)) == id_of v + x.
Proof using HB n1. rewrite along_plus, along_first. reflexivity. Qed.

(** ** Step 2: the codes *)
Notation codes := (codes d n N).

(** Step 2 moves the id of a grid column to its code. *)
Lemma codes_grid v : on_grid_column v ->
  same (tokens d codes v) (plus v (first (code (number_of v) - of_nat (number_of v) * delta))).
Proof using HB n1.
  intros H. pose proof (number_id v H) as I. pose proof (number_range v H) as R.
  destruct (writes_hit d N N2 nat (fun k => of_nat k * delta) (fun k => first (code k - of_nat k * delta))
    (seq 0 BB) v v (same_refl d v)) as [k [Hk [E S]]].
  - intros k Hk. destruct (Nat.eq_dec (number_of v) k) as [<-|NE]; [right; exact I|left].
    apply (units_miss d N d1 N2 (Z.of_nat (number_of v)) (Z.of_nat k)); [exact I|reflexivity|lia].
  - exists (number_of v). split; [apply in_seq; lia|exact I].
  - intros k k' Hk Hk' E. apply in_seq in Hk, Hk'. apply level_below; [lia|].
    rewrite id_plus_first, E. pose proof (code_ge k). lra.
  - apply (same_trans d _ _ _ S). assert (k = number_of v) as ->.
    { rewrite I in E. apply (units_eq N N2 (Z.of_nat (number_of v)) (Z.of_nat k)) in E. lia. }
    apply same_refl.
Qed.

Definition quantised_column (v : vector) : Prop := forall i, (i < d)%nat -> v i == above \/ on_grid N (v i).

(** Quantised entries are between 0 and the sentinel. *)
Lemma quantised_nonneg v : quantised_column v -> forall i, (i < d)%nat -> 0 <= v i /\ v i <= above.
Proof using HB n1.
  intros H i Hi. pose proof above_one. destruct (H i Hi) as [E|G]; [rewrite E; lra|].
  pose proof (grid_nonneg _ G). lra.
Qed.

(** A quantised column is on the grid or has a sentinel. *)
Lemma grid_or_sentinel v : quantised_column v -> on_grid_column v \/ exists i, (i < d)%nat /\ v i == above.
Proof using. intros H. apply all_or_some. intros i Hi. destruct (H i Hi); auto. Qed.

(** With a sentinel the id is as large. *)
Lemma sentinel_id v i : quantised_column v -> (i < d)%nat -> v i == above -> above <= id_of v.
Proof using HB n1.
  intros H Hi E. pose proof (entry_le_id v i (fun k Hk => proj1 (quantised_nonneg v H k Hk)) Hi). lra.
Qed.

(** Then step 2 does nothing. *)
Lemma codes_sentinel v : above <= id_of v -> same (tokens d codes v) v.
Proof using HB n1.
  intros H. apply (writes_miss d N N2 nat (fun k => of_nat k * delta) (fun k => first (code k - of_nat k * delta)));
    [apply same_refl|].
  intros k Hk. apply in_seq in Hk. apply level_below; [lia|]. pose proof above_ge. lra.
Qed.

(** What every column is after step 2: its entries are between 0 and the sentinel; its id is a code, or as large as
    one. *)
Lemma coded v : quantised_column v -> let w := tokens d codes v in
  (forall i, (i < d)%nat -> 0 <= w i /\ w i <= above) /\ 0 <= id_of w /\
  (on_grid_column v -> id_of w == code (number_of v)) /\ ((exists i, (i < d)%nat /\ v i == above) -> above <= id_of w).
Proof using HB n1.
  intros Q. cbn zeta. destruct (grid_or_sentinel v Q) as [G|[i [Hi E]]].
  - pose proof (codes_grid v G) as S. pose proof (number_id v G) as I. pose proof (number_range v G) as R.
    pose proof (code_ge (number_of v)) as CG. pose proof (code_mono _ _ (Nat.lt_le_incl _ _ R)) as CM.
    assert (id_of (tokens d codes v) == code (number_of v)) as IC.
    { rewrite (along_same d _ _ _ S), id_plus_first, I. ring. }
    assert (of_nat (number_of v) * delta <= of_nat BB * delta) as L.
    { pose proof (delta_pos N N2). pose proof (of_nat_le _ _ (Nat.lt_le_incl _ _ R)). nra. }
    assert (forall i, (i < d)%nat -> 0 <= v i) as NN by (intros i Hi; apply (grid_nonneg _ (G i Hi))).
    pose proof above_ge as AG. pose proof above_one as A1. change (code BB) with above in CM.
    pose proof (of_nat_nonneg BB).
    assert (0 <= of_nat BB * delta) as BN by (pose proof (delta_pos N N2); nra).
    split; [|split; [|split]].
    + intros i Hi. rewrite (S i Hi). unfold plus, first. pose proof (grid_nonneg _ (G i Hi)) as [G0 G1].
      pose proof (entry_le_id v i NN Hi) as LE. rewrite I in LE. destruct (Nat.eqb i 0); lra.
    + rewrite IC. lra.
    + intros _. exact IC.
    + intros [i [Hi E]]. pose proof (grid_nonneg _ (G i Hi)). exfalso. lra.
  - pose proof (sentinel_id v i Q Hi E) as I. pose proof (codes_sentinel v I) as S. pose proof above_one.
    pose proof (along_same d (u N) _ _ S) as IS. split; [|split; [|split]].
    + intros k Hk. rewrite (S k Hk). apply quantised_nonneg; assumption.
    + rewrite IS. lra.
    + intros G. pose proof (grid_nonneg _ (G i Hi)). exfalso. lra.
    + intros _. rewrite IS. exact I.
Qed.

(** ** Step 3: one head whose scores are all 0 *)
Lemma mean_value X j : head_value d n (mean_head d n N) X j == sum n (fun k => id d N X k) / of_nat n.
Proof using n1.
  unfold head_value. set (s := fun i => row d (W_K (mean_head d n N)) X i * _).
  assert (forall i, s i == 0) as S0.
  { intros i. unfold s. assert (row d (W_K (mean_head d n N)) X i == 0) as ->; [|ring].
    apply sum_zero. intros k _. simpl. ring. }
  assert (forall i, is_argmax n s i = true) as A.
  { intros i. apply is_argmax_spec. intros k _. rewrite !S0. apply Qle_refl. }
  assert (argmaxima n s = n) as E.
  { unfold argmaxima. assert (forall l, length (filter (is_argmax n s) l) = length l) as G.
    { induction l as [|a l IH]; [reflexivity|]. simpl. rewrite A. simpl. rewrite IH. reflexivity. }
    rewrite G, seq_length. reflexivity. }
  pose proof (of_nat_pos n n1) as P.
  rewrite (sum_ext _ _ (fun k => (1 / of_nat n) * id d N X k)).
  - rewrite sum_scale. change (sum n (fun k => id d N X k)) with (sum n (id d N X)). field. lra.
  - intros k _. unfold hardmax. rewrite A, E. change (row d (W_V (mean_head d n N)) X k) with (id d N X k). ring.
Qed.

(** The head adds the sum of all ids to each first entry. *)
Lemma mean_attention X i j :
  attention d n [mean_head d n N] X i j == X i j + first (of_nat FF * sum n (fun k => id d N X k)) i.
Proof using n1.
  unfold attention. rewrite Qred_correct. cbn [fold_right]. rewrite mean_value.
  change (W_O (mean_head d n N) i) with (first (of_nat n * of_nat FF) i). unfold first.
  pose proof (of_nat_pos n n1). destruct (Nat.eqb i 0); [field; lra|ring].
Qed.

Notation coded_matrix L := (run_all d n (map Each codes) L).
Notation mapped L := (run_all d n (contextual_map d n N) L).

(** Step 2, column by column. *)
Lemma coded_column L j : column_of (coded_matrix L) j = tokens d codes (column_of L j).
Proof using. apply run_tokens. Qed.

(** Step 3, entry by entry. *)
Lemma mapped_is L i j : mapped L i j == coded_matrix L i j +
  first (of_nat FF * sum n (fun k => id d N (coded_matrix L) k)) i.
Proof using n1. unfold contextual_map. rewrite run_all_app. apply mean_attention. Qed.

(** The key: the column's code and the sum of all. *)
Lemma mapped_id L j :
  exact_key d n N L j == id d N (coded_matrix L) j + of_nat FF * sum n (fun k => id d N (coded_matrix L) k).
Proof using HB n1.
  unfold exact_key. rewrite <- (id_plus_first (column_of (coded_matrix L) j)).
  apply (along_same d (u N) (column_of (mapped L) j)). intros i _. apply mapped_is.
Qed.

Notation xid := (xid d N).
Definition numbers (L : matrix) : list nat := map (xid L) (seq 0 n).

(** Columns of a quantised matrix are quantised. *)
Lemma quantised_cols L j : quantised d n N L -> (j < n)%nat -> quantised_column (column_of L j).
Proof using. intros H Hj i Hi. apply H; assumption. Qed.

(** Matrices of G are quantised. *)
Lemma in_G_quantised L : in_G d n N L -> quantised d n N L.
Proof using. intros H i j Hi Hj. right. apply H; assumption. Qed.

(** Their columns are on the grid. *)
Lemma in_G_column L j : in_G d n N L -> (j < n)%nat -> on_grid_column (column_of L j).
Proof using. intros H Hj i Hi. apply H; assumption. Qed.

(** Their ids become codes. *)
Lemma coded_id L j : in_G d n N L -> (j < n)%nat -> id d N (coded_matrix L) j == code (xid L j).
Proof using HB n1.
  intros H Hj. change (id_of (column_of (coded_matrix L) j) == code (number_of (column_of L j))). rewrite coded_column.
  apply (coded (column_of L j)); [apply quantised_cols; [apply in_G_quantised, H|exact Hj]|apply in_G_column;
    assumption].
Qed.

(** The sum of the codes. *)
Lemma code_total L : in_G d n N L -> sum n (fun k => id d N (coded_matrix L) k) ==
  of_nat (CC * list_sum (map (fun k => (n + 1) ^ k)%nat (numbers L))).
Proof using HB n1.
  intros H. rewrite (sum_ext _ _ (fun k => of_nat CC * of_nat ((n + 1) ^ xid L k))).
  - rewrite sum_scale, sum_of_nat, of_nat_mul. unfold numbers. rewrite map_map. reflexivity.
  - intros k Hk. rewrite coded_id by assumption. rewrite code_of_nat, of_nat_mul. reflexivity.
Qed.

(** A key in its two parts. *)
Lemma key_split ks k : key ks k == code k + of_nat FF * of_nat (CC * list_sum (map (fun k => (n + 1) ^ k)%nat ks)).
Proof using HB n1. unfold StatementExact.key. rewrite code_of_nat, <- of_nat_mul, <- of_nat_add.
  apply inject_Z_injective. lia. Qed.

(** The key of a column of G. *)
Lemma exact_key_is L j : in_G d n N L -> (j < n)%nat -> exact_key d n N L j == key (numbers L) (xid L j).
Proof using HB n1. intros H Hj. rewrite mapped_id, coded_id, code_total, key_split by assumption. reflexivity. Qed.

(** Steps 2 and 3 change the first entry only. *)
Lemma mapped_column L j : in_G d n N L -> (j < n)%nat ->
  same (column_of (mapped L) j) (plus (column_of L j) (first (key (numbers L) (xid L j) - of_nat (xid L j) * delta))).
Proof using HB n1.
  intros H Hj i Hi. unfold column_of at 1. rewrite mapped_is.
  change (coded_matrix L i j) with (column_of (coded_matrix L) j i). rewrite coded_column.
  rewrite (codes_grid _ (in_G_column L j H Hj) i Hi). unfold plus, first.
  change (number_of (column_of L j)) with (xid L j). destruct (Nat.eqb i 0); [|ring].
  rewrite (code_total L H), key_split. ring.
Qed.

(** ** Keys *)
Lemma numbers_range L : in_G d n N L -> forall k, In k (numbers L) -> (k < BB)%nat.
Proof using HB n1.
  intros H k Hk. apply in_map_iff in Hk. destruct Hk as [j [<- Hj]]. apply in_seq in Hj.
  apply (xid_range d n N d1 n1 N2 L H). lia.
Qed.

(** One number for each column. *)
Lemma numbers_length L : length (numbers L) = n.
Proof using. unfold numbers. rewrite map_length, seq_length. reflexivity. Qed.

(** In the order of the columns. *)
Lemma numbers_nth L j : (j < n)%nat -> nth j (numbers L) O = xid L j.
Proof using.
  intros Hj. unfold numbers. rewrite (nth_indep _ O (xid L O)) by (rewrite map_length, seq_length; exact Hj).
  rewrite map_nth, seq_nth by exact Hj. reflexivity.
Qed.

(** Equal keys mean equal columns of one context. *)
Lemma key_eq ks k ks' k' : (forall k, In k ks -> (k < BB)%nat) -> (forall k, In k ks' -> (k < BB)%nat) ->
  length ks = n -> length ks' = n -> (k < BB)%nat -> (k' < BB)%nat -> key ks k == key ks' k' -> k = k' /\
    Permutation ks ks'.
Proof using HB n1.
  intros H H' L L' Hk Hk' E. apply of_nat_inj in E. pose proof C_pos. unfold F in E.
  destruct (halves n BB n1 k k' _ _ Hk Hk' (proj1 (Nat.mul_cancel_l _ _ CC ltac:(lia)) E)) as [Ek Es].
  split; [exact Ek|]. apply (total_permutation n BB); assumption.
Qed.

(** The order of the columns doesn't matter to a key. *)
Lemma key_perm ks ks' k : Permutation ks ks' -> key ks k = key ks' k.
Proof using n1. intros P. unfold StatementExact.key. rewrite (total_perm_eq n n1 _ _ P). reflexivity. Qed.

(** A permutation of the lists of numbers is one of the columns. *)
Lemma permutation_permuted L L' : in_G d n N L -> in_G d n N L' -> Permutation (numbers L) (numbers L') ->
  exists p, (forall j, (j < n)%nat -> (p j < n)%nat) /\
    (forall j j', (j < n)%nat -> (j' < n)%nat -> p j = p j' -> j = j') /\
    (forall j, (j < n)%nat -> same_column d L' j L (p j)).
Proof using N2 d1 n1.
  intros H H' P. apply (Permutation_nth _ _ O) in P. cbn zeta in P. rewrite !numbers_length in P.
  destruct P as [_ [p [Hb [Hi E]]]]. exists p. split; [exact Hb|]. split; [exact Hi|].
  intros j Hj. apply (xid_same d n N d1 n1 N2); [assumption|assumption|exact Hj|apply Hb, Hj|].
  rewrite <- (numbers_nth L' j Hj), <- (numbers_nth L (p j) (Hb j Hj)). apply E, Hj.
Qed.

(** Columns in another order have the same numbers in another order. *)
Lemma permuted_permutation L L' : in_G d n N L -> in_G d n N L' -> permuted d n L L' ->
  Permutation (numbers L) (numbers L').
Proof using N2 d1 n1.
  intros H H' [p [Hb [Hi E]]]. apply (Permutation_nth _ _ O). cbn zeta. rewrite !numbers_length. split; [reflexivity|].
  exists p. split; [exact Hb|]. split; [exact Hi|]. intros j Hj. rewrite !numbers_nth by (try apply Hb; assumption).
  apply (xid_same d n N d1 n1 N2); [assumption|assumption|exact Hj|apply Hb, Hj|apply E, Hj].
Qed.

(** Keys tell columns and contexts apart. *)
Theorem keys : exact_keys d n N.
Proof using HB n1.
  intros L L' H H' j j' Hj Hj'. rewrite (exact_key_is L j H Hj), (exact_key_is L' j' H' Hj'). split.
  - intros E. destruct (key_eq _ _ _ _ (numbers_range L H) (numbers_range L' H') (numbers_length L) (numbers_length L')
      (xid_range d n N d1 n1 N2 L H j Hj) (xid_range d n N d1 n1 N2 L' H' j' Hj') E) as [Ek P].
    split; [apply (xid_same d n N d1 n1 N2); assumption|]. apply permutation_permuted; assumption.
  - intros [S P]. apply (xid_same d n N d1 n1 N2) in S; [|assumption|assumption|exact Hj|exact Hj'].
    rewrite S. rewrite (key_perm _ _ _ (permuted_permutation L L' H H' P)). reflexivity.
Qed.

(** Different keys are C apart. *)
Lemma key_apart ks k ks' k' : key ks k == key ks' k' \/ key ks k + of_nat CC <= key ks' k' \/
  key ks' k' + of_nat CC <= key ks k.
Proof using HB n1.
  unfold StatementExact.key. set (a := (_ + _)%nat). set (b := (_ + _)%nat).
  destruct (Nat.lt_total a b) as [L|[->|L]]; [right; left|left; reflexivity|right; right];
    rewrite <- of_nat_add; apply of_nat_le; nia.
Qed.

(** This, as it is stated. *)
Theorem apart : exact_apart d n N.
Proof using HB n1.
  intros L L' H H' j j' Hj Hj'. rewrite (exact_key_is L j H Hj), (exact_key_is L' j' H' Hj'). apply key_apart.
Qed.

(** Keys of G are below the border. *)
Lemma key_below ks k : (forall k, In k ks -> (k < BB)%nat) -> length ks = n -> (k < BB)%nat -> key ks k < border.
Proof using HB n1.
  intros H L Hk. unfold StatementExact.key, StatementExact.border. change above with (of_nat (CC * (n + 1) ^ BB)).
  rewrite <- of_nat_mul. apply of_nat_lt. unfold F.
  pose proof (total_upper n BB n1 ks ltac:(lia) H) as T. rewrite L in T.
  pose proof (Nat.pow_le_mono_r (n + 1) k (BB - 1) ltac:(lia) ltac:(lia)) as P.
  pose proof (power_pos n n1 (BB - 1)) as P1. pose proof C_pos.
  replace ((n + 1) ^ BB)%nat with ((n + 1) * (n + 1) ^ (BB - 1))%nat
    by (rewrite <- Nat.pow_succ_r'; f_equal; lia).
  set (p := ((n + 1) ^ (BB - 1))%nat) in *. set (s := list_sum _) in *. set (a := ((n + 1) ^ k)%nat) in *.
  assert (a + (n + 1) * p * s < (n + 1) * p * ((n + 1) * p))%nat; [|nia].
  assert ((n + 1) * p * s <= (n + 1) * p * (n * p))%nat by (apply Nat.mul_le_mono_l; exact T). nia.
Qed.

(** Off G there is a sentinel. *)
Lemma sentinel_somewhere L : quantised d n N L -> ~ in_G d n N L ->
  exists j, (j < n)%nat /\ exists i, (i < d)%nat /\ L i j == above.
Proof using.
  intros Q NG. destruct (all_or_some2 d n (fun i j => on_grid N (L i j)) (fun i j => L i j == above))
    as [A|[i [j [Hi [Hj E]]]]].
  - intros i j Hi Hj. destruct (Q i j Hi Hj); auto.
  - contradiction.
  - exists j. split; [exact Hj|]. exists i. auto.
Qed.

(** With it the sum is at least the sentinel. *)
Lemma total_above L : quantised d n N L -> ~ in_G d n N L -> above <= sum n (fun k => id d N (coded_matrix L) k).
Proof using HB n1.
  intros Q NG. destruct (sentinel_somewhere L Q NG) as [j [Hj X]].
  assert (above <= id d N (coded_matrix L) j) as A.
  { change (above <= id_of (column_of (coded_matrix L) j)). rewrite coded_column.
    apply coded; [apply quantised_cols; assumption|exact X]. }
  apply Qle_trans with (1 := A). apply (sum_term n (fun k => id d N (coded_matrix L) k)); [|exact Hj]. intros k Hk.
  change (0 <= id_of (column_of (coded_matrix L) k)). rewrite coded_column. apply coded, quantised_cols; assumption.
Qed.

(** The factor of the sum is at least 1. *)
Lemma F_pos : 1 <= of_nat FF.
Proof using n1. change 1 with (of_nat 1). apply of_nat_le, (power_pos n n1). Qed.

(** Then every key is at the border or above. *)
Theorem at_border : exact_border d n N.
Proof using HB n1.
  intros L Q j Hj. split.
  - intros H. rewrite (exact_key_is L j H Hj). apply key_below; [apply numbers_range, H|apply numbers_length|].
    apply (xid_range d n N d1 n1 N2 L H j Hj).
  - intros NG. rewrite mapped_id. unfold StatementExact.border. pose proof (total_above L Q NG) as T. pose proof F_pos.
    assert (0 <= id d N (coded_matrix L) j) as P.
    { change (0 <= id_of (column_of (coded_matrix L) j)). rewrite coded_column.
      apply coded, quantised_cols; assumption. }
    nra.
Qed.

(** ** Step 4: the rejection *)
Notation M := (largest_entry d n N).

(** The sum of u isn't negative. *)
Lemma sum_u_nonneg : 0 <= sum d (u N).
Proof using HB n1.
  assert (sum d (fun _ => 0) <= sum d (u N)) as G.
  { apply sum_le. intros k _. pose proof (u_ge_1 k). lra. }
  rewrite sum_constant in G. lra.
Qed.

(** M bounds every entry before the rejection. *)
Lemma mapped_upper L i j : quantised d n N L -> (i < d)%nat -> (j < n)%nat -> mapped L i j <= M.
Proof using HB n1.
  intros Q Hi Hj. rewrite mapped_is. pose proof above_one. pose proof F_pos. pose proof sum_u_nonneg as U0.
  assert (forall k, (k < n)%nat -> forall i, (i < d)%nat -> 0 <= coded_matrix L i k /\
    coded_matrix L i k <= above) as E.
  { intros k Hk i' Hi'. change (coded_matrix L i' k) with (column_of (coded_matrix L) k i'). rewrite coded_column.
    apply coded; [apply quantised_cols; assumption|exact Hi']. }
  assert (forall k, (k < n)%nat -> id d N (coded_matrix L) k <= sum d (u N) * above) as I.
  { intros k Hk. apply Qle_trans with (sum d (fun i => above * u N i)).
    - apply sum_le. intros i' Hi'. pose proof (E k Hk i' Hi'). pose proof (u_ge_1 i'). nra.
    - rewrite sum_scale. change (sum d (fun i => u N i)) with (sum d (u N)). lra. }
  assert (sum n (fun k => id d N (coded_matrix L) k) <= of_nat n * (sum d (u N) * above)) as T.
  { rewrite <- sum_constant. apply sum_le. exact I. }
  pose proof (E j Hj i Hi) as [_ Eij]. unfold largest_entry. set (U := sum d (u N)) in *. set (s := sum n _) in *.
  pose proof (of_nat_nonneg n) as Pn. set (nn := of_nat n) in *. set (f := of_nat FF) in *.
  assert (f * s <= f * (nn * (U * above))) as T' by nra.
  assert (0 <= f * (nn * (U * above))) as P1.
  { apply Qmult_le_0_compat; [lra|]. apply Qmult_le_0_compat; [lra|]. apply Qmult_le_0_compat; lra. }
  assert (0 <= f * (nn * above)) as P2.
  { apply Qmult_le_0_compat; [lra|]. apply Qmult_le_0_compat; lra. }
  assert (0 <= U * above) as P3 by (apply Qmult_le_0_compat; lra).
  assert (above * (U + 1) * (1 + nn * f) == above + U * above + f * (nn * (U * above)) + f * (nn * above))
    as EM by ring.
  rewrite EM. unfold first. destruct (Nat.eqb i 0); lra.
Qed.

(** Below the border nothing is rejected. *)
Lemma reject_unchanged v : (forall i, (i < d)%nat -> 0 <= v i) -> id_of v < border ->
  same (tokens d (rejection d n N) v) v.
Proof using N2 d1.
  intros P H. unfold rejection. cbn [tokens fold_left].
  change (fold_left (fun v t => token d t v) ?l ?x) with (tokens d l x).
  set (w := token d _ v). assert (same w v) as S.
  { intros i Hi. unfold w. rewrite (token_is d _ _ _ 0); [ring|]. simpl.
    rewrite activate_first; [unfold at_least; pieces; ring|]. unfold at_least. pieces. lra. }
  intros i Hi. rewrite (clear_nonneg d N d1 N2) by (try exact Hi; rewrite (S i Hi); apply P, Hi). apply S, Hi.
Qed.

(** From the border on the column becomes 0. *)
Lemma reject_cleared v : (forall i, (i < d)%nat -> v i <= M) -> border <= id_of v ->
  same (tokens d (rejection d n N) v) (fun _ => 0).
Proof using N2 d1.
  intros P H. unfold rejection. cbn [tokens fold_left].
  change (fold_left (fun v t => token d t v) ?l ?x) with (tokens d l x).
  intros i Hi. apply (clear_negative d N d1 N2); [exact Hi|].
  rewrite (token_is d _ _ _ 1); [simpl; specialize (P i Hi); lra|]. simpl.
  rewrite activate_third; [unfold at_least; pieces; ring|reflexivity| |]; unfold at_least; pieces; lra.
Qed.

(** So what is left of a column of G has its key for its id, *)
Lemma kept_column L j : in_G d n N L -> (j < n)%nat -> same (tokens d (rejection d n N) (column_of (mapped L) j))
  (plus (column_of L j) (first (key (numbers L) (xid L j) - of_nat (xid L j) * delta))).
Proof using HB n1.
  intros H Hj. apply (same_trans d _ (column_of (mapped L) j)); [|apply mapped_column; assumption]. apply
    reject_unchanged.
  - intros k Hk. unfold column_of. rewrite mapped_is.
    change (coded_matrix L k j) with (column_of (coded_matrix L) j k). rewrite coded_column.
    pose proof (coded (column_of L j) (quantised_cols L j (in_G_quantised L H) Hj)) as [CO _].
    destruct (CO k Hk) as [C0 _].
    unfold first. destruct (Nat.eqb k 0); [|lra]. rewrite (code_total L H). pose proof F_pos.
    pose proof (of_nat_nonneg (CC * list_sum (map (fun k => (n + 1) ^ k)%nat (numbers L)))) as T0. nra.
  - change (id_of (column_of (mapped L) j)) with (exact_key d n N L j).
    apply at_border; [apply in_G_quantised, H|exact Hj|exact H].
Qed.

(** and nothing is left off G. *)
Lemma cleared_column L j : quantised d n N L -> ~ in_G d n N L -> (j < n)%nat ->
  same (tokens d (rejection d n N) (column_of (mapped L) j)) (fun _ => 0).
Proof using HB n1.
  intros Q NG Hj. apply reject_cleared; [intros k Hk; apply mapped_upper; assumption|apply at_border; assumption].
Qed.

(** ** The contexts *)
Lemma multisets_sound ks : forall lo m, In ks (multisets d N lo m) -> length ks = m /\ forall k, In k ks ->
  (k < BB)%nat.
Proof using HB n1.
  induction ks as [|k ks IH]; intros lo m H.
  - destruct m as [|m]; [split; [reflexivity|intros k []]|]. simpl in H. apply in_flat_map in H.
    destruct H as [k [_ H]]. apply in_map_iff in H. destruct H as [l [E _]]. discriminate.
  - destruct m as [|m]; [destruct H as [H|[]]; discriminate|]. simpl in H. apply in_flat_map in H.
    destruct H as [k' [Hk H]]. apply in_seq in Hk. apply in_map_iff in H. destruct H as [l [E H]]. injection E as -> ->.
    destruct (IH _ _ H) as [E R]. split; [simpl; lia|]. intros i [<-|Hi]; [lia|apply R, Hi].
Qed.

(** All sorted lists of n numbers are there. *)
Lemma multisets_complete ks : forall lo m, length ks = m -> StronglySorted (fun a b => (a <= b)%nat) ks ->
  (forall k, In k ks -> (lo <= k < BB)%nat) -> In ks (multisets d N lo m).
Proof using HB n1.
  induction ks as [|k ks IH]; intros lo m Hm S R; simpl in Hm; subst m; [left; reflexivity|].
  simpl. apply in_flat_map. pose proof (R k (or_introl eq_refl)). exists k. split; [apply in_seq; lia|].
  apply in_map. inversion S as [|a b S' F']; subst. rewrite Forall_forall in F'.
  apply IH; [reflexivity|exact S'|]. intros i Hi. specialize (F' i Hi). specialize (R i (or_intror Hi)). lia.
Qed.

(** Every list can be sorted. *)
Lemma sorted_copy ks : exists ks', Permutation ks ks' /\ StronglySorted (fun a b => (a <= b)%nat) ks'.
Proof using HB n1.
  induction ks as [|k ks [ks' [P S]]]; [exists []; split; [constructor|constructor]|].
  assert (forall l, StronglySorted (fun a b => (a <= b)%nat) l ->
    exists l', Permutation (k :: l) l' /\ StronglySorted (fun a b => (a <= b)%nat) l') as G.
  { induction l as [|a l IH]; intros Hl; [exists [k]; split; [reflexivity|repeat constructor]|].
    inversion Hl as [|a' b Hl' Fl]; subst. destruct (Nat.le_gt_cases k a) as [Hle|Hgt].
    - exists (k :: a :: l). split; [reflexivity|]. constructor; [exact Hl|]. constructor; [exact Hle|].
      rewrite Forall_forall in *. intros x Hx. specialize (Fl x Hx). lia.
    - destruct (IH Hl') as [l' [P' S']]. exists (a :: l'). split.
      + rewrite perm_swap. constructor. exact P'.
      + constructor; [exact S'|]. rewrite Forall_forall in *. intros x Hx.
        apply (Permutation_in _ (Permutation_sym P')) in Hx.
        destruct Hx as [<-|Hx]; [lia|apply Fl, Hx]. }
  destruct (G ks' S) as [l' [P' S']]. exists l'. split; [|exact S']. rewrite <- P'. constructor. exact P.
Qed.

(** A place is a list and one of its numbers. *)
Lemma in_places ks k : In (ks, k) (places d n N) <-> In ks (multisets d N 0 n) /\ In k ks.
Proof using HB n1.
  unfold places. rewrite in_flat_map. split.
  - intros [ks' [H E]]. apply in_map_iff in E. destruct E as [k' [E Hk]]. injection E as -> ->.
    apply filter_In in Hk. destruct Hk as [_ Hk]. apply existsb_exists in Hk. destruct Hk as [k'' [I E]].
    apply Nat.eqb_eq in E. subst. split; assumption.
  - intros [H I]. exists ks. split; [exact H|]. apply in_map, filter_In. split.
    + apply in_seq. pose proof (proj2 (multisets_sound ks 0 n H) k I). lia.
    + apply existsb_exists. exists k. split; [exact I|apply Nat.eqb_refl].
Qed.

(** Where a number stands in a list. *)
Lemma position_spec k ks : In k ks -> (position k ks < length ks)%nat /\ nth (position k ks) ks O = k.
Proof using HB n1.
  induction ks as [|a ks IH]; intros H; [contradiction|]. simpl. destruct (Nat.eqb_spec a k) as [E|NE].
  - split; [lia|exact E].
  - destruct H as [H|H]; [contradiction|]. destruct (IH H). split; [lia|assumption].
Qed.

(** A context as a matrix of G *)
Lemma context_in_G ks : in_G d n N (context N ks).
Proof using HB n1. intros i j Hi _. apply column_grid, Hi. Qed.

(** The columns of a list's matrix have its numbers. *)
Lemma context_number ks j : (forall k, In k ks -> (k < BB)%nat) -> (j < length ks)%nat ->
  xid (context N ks) j = nth j ks O.
Proof using HB n1. intros R Hj. apply (column_number (nth j ks O)), R, nth_In, Hj. Qed.

(** All of them, in its order. *)
Lemma context_numbers ks : (forall k, In k ks -> (k < BB)%nat) -> length ks = n -> numbers (context N ks) = ks.
Proof using HB n1.
  intros R E. apply nth_ext with (d := O) (d' := O); [rewrite numbers_length; lia|].
  intros j Hj. rewrite numbers_length in Hj. rewrite numbers_nth by exact Hj. apply context_number; [exact R|lia].
Qed.

(** ** Steps 5 and 6 *)
Section Target.
Variable A : matrix -> matrix.
Hypothesis equivariant : equivariant_on_G d n N A.
Notation target := (target N A).
Notation down := (down d n N A).
Notation change := (change d n N A).
Notation places := (places d n N).

(** The greatest is at least each. *)
Lemma greatest_spec l x : In x l -> x <= greatest l.
Proof using.
  induction l as [|y l IH]; intros H; [contradiction|]. simpl. destruct (Qle_bool y (greatest l)) eqn:E.
  - apply Qle_bool_iff in E. destruct H as [<-|H]; [exact E|apply IH, H].
  - destruct H as [<-|H]; [apply Qle_refl|]. specialize (IH H). destruct (Qlt_le_dec (greatest l) y) as [L|L]; [lra|].
    apply Qle_bool_iff in L. congruence.
Qed.

(** Targets, moved down, have negative ids. *)
Lemma target_down p : In p places -> id_of (target p) - down <= -1.
Proof using.
  intros H. unfold StatementExact.down.
  pose proof (greatest_spec (map (target_id d N A) places) (target_id d N A p) (in_map _ _ _ H)) as G.
  change (id_of (target p)) with (target_id d N A p). lra.
Qed.

(** What is written: the target less D e_1, whose id no window holds. *)
Definition moved (p : list nat * nat) : vector := fun i => target p i - first down i.

(** What a column is moved to has a negative id. *)
Lemma moved_id p : In p places -> id_of (moved p) <= -1.
Proof using HB n1.
  intros H. assert (id_of (moved p) == id_of (target p) - down) as ->; [|apply target_down, H].
  assert (id_of (plus (moved p) (first down)) == id_of (target p)) as E.
  { apply (along_same d). intros i _. unfold plus, moved. ring. }
  rewrite id_plus_first in E. lra.
Qed.

(** Keys are at least 1. *)
Lemma key_ge_1 ks k : 1 <= key ks k.
Proof using HB n1.
  change 1 with (of_nat 1). unfold StatementExact.key. apply of_nat_le. pose proof (power_pos n n1 k).
  pose proof C_pos. nia.
Qed.

(** What isn't positive misses every key. *)
Lemma low_misses x ks k : x <= 0 -> misses N x (key ks k).
Proof using HB n1. intros H. left. pose proof (key_ge_1 ks k). pose proof delta_half. rewrite half_delta. lra. Qed.

(** The column 0 stays 0. *)
Lemma values_zero v : same v (fun _ => 0) -> same (tokens d (values d n N A) v) (fun _ => 0).
Proof using HB n1.
  intros H. apply (writes_miss d N N2 (list nat * nat) (fun p => key (fst p) (snd p)) change); [exact H|].
  intros p _. apply low_misses. assert (id_of (fun _ => 0) == 0) as ->; [|lra].
  apply sum_zero. intros k _. ring.
Qed.

(** A place's column, with its key. *)
Lemma image_is ks k : In (ks, k) places ->
  same (image d n N ks k) (plus (column N k) (first (key ks k - of_nat k * delta))).
Proof using HB n1.
  intros H. apply in_places in H. destruct H as [H I]. destruct (multisets_sound ks 0 n H) as [E R].
  destruct (position_spec k ks I) as [Hp Ep]. pose proof (context_in_G ks) as G.
  pose proof (mapped_column (context N ks) (position k ks) G ltac:(lia)) as S.
  rewrite (context_numbers ks R E), (context_number ks _ R Hp), Ep in S.
  intros i Hi. specialize (S i Hi). unfold column_of at 1 in S. unfold image. rewrite S.
  unfold plus, column_of, context. rewrite Ep. reflexivity.
Qed.

(** A place with the key of column j of L has its number, its context and its image. *)
Lemma place_hit L j ks k : in_G d n N L -> (j < n)%nat -> In (ks, k) places -> key (numbers L) (xid L j) == key ks k ->
  k = xid L j /\ Permutation (numbers L) ks /\
  same (image d n N ks k) (plus (column_of L j) (first (key (numbers L) (xid L j) - of_nat (xid L j) * delta))).
Proof using HB n1.
  intros H Hj Hp E. pose proof (image_is ks k Hp) as IM. apply in_places in Hp. destruct Hp as [Hm Hk].
  destruct (multisets_sound ks 0 n Hm) as [EL R]. pose proof (xid_range d n N d1 n1 N2 L H j Hj) as Rx.
  pose proof (in_G_column L j H Hj) as G.
  destruct (key_eq _ _ _ _ (numbers_range L H) R (numbers_length L) EL Rx (R k Hk) E) as [<- P].
  split; [reflexivity|]. split; [exact P|]. intros i Hi. rewrite (IM i Hi). unfold plus.
  assert (column_of L j i == column N (xid L j) i) as ->.
  { apply (number_same (column_of L j) (column N (xid L j)) G (column_grid _)); [|exact Hi].
    rewrite (column_number _ Rx). reflexivity. }
  unfold first. destruct (Nat.eqb i 0); [rewrite E|]; ring.
Qed.

(** The target of the place that a column of L has is that of the column. *)
Lemma target_is L j ks k : in_G d n N L -> (j < n)%nat -> In (ks, k) places -> k = xid L j ->
  Permutation (numbers L) ks ->
  same (target (ks, k)) (column_of (A L) j).
Proof using HB equivariant n1.
  intros H Hj I Ek P. apply in_places in I. destruct I as [I Ik]. destruct (multisets_sound ks 0 n I) as [E R].
  destruct (position_spec k ks Ik) as [Hp Ep]. pose proof (context_in_G ks) as G.
  rewrite <- (context_numbers ks R E) in P. destruct (permutation_permuted L (context N ks) H G P) as [p [Hb [Hi S]]].
  set (l := position k ks) in *. assert (l < n)%nat as Hl by lia.
  assert (same_column d L (p l) L j) as SL.
  { apply (xid_same d n N d1 n1 N2); [assumption|assumption|apply Hb, Hl|exact Hj|]. rewrite <- Ek.
    rewrite <- Ep. rewrite <- (context_number ks l R Hp). symmetry. apply (xid_same d n N d1 n1 N2); try assumption.
    - apply Hb, Hl.
    - apply S, Hl. }
  intros i Hi'. change (A (context N ks) i l == A L i j).
  rewrite (equivariant L (context N ks) p H G Hb Hi S l Hl i Hi').
  set (t := fun x => if Nat.eq_dec x j then p l else if Nat.eq_dec x (p l) then j else x).
  assert (forall x, t (t x) = x) as TT.
  { intros x. unfold t. destruct (Nat.eq_dec x j) as [->|].
    - destruct (Nat.eq_dec (p l) j) as [E'|]; [exact E'|].
      destruct (Nat.eq_dec (p l) (p l)); [reflexivity|contradiction].
    - destruct (Nat.eq_dec x (p l)) as [->|].
      + destruct (Nat.eq_dec j j); [reflexivity|contradiction].
      + destruct (Nat.eq_dec x j); [contradiction|]. destruct (Nat.eq_dec x (p l)); [contradiction|reflexivity]. }
  assert (same_column d (A L) j (A L) (t j)) as F1.
  { apply (equivariant L L t H H).
    - intros x Hx. unfold t. destruct (Nat.eq_dec x j); [apply Hb, Hl|]. destruct (Nat.eq_dec x (p l)); assumption.
    - intros x y _ _ Exy. rewrite <- (TT x), Exy. apply TT.
    - intros x Hx i0 Hi0. unfold t. destruct (Nat.eq_dec x j) as [->|]; [symmetry; apply SL, Hi0|].
      destruct (Nat.eq_dec x (p l)) as [->|]; [apply SL, Hi0|reflexivity].
    - exact Hj. }
  rewrite (F1 i Hi'). unfold t. destruct (Nat.eq_dec j j); [reflexivity|contradiction].
Qed.

(** Each column of G has its place. *)
Lemma place_of L j : in_G d n N L -> (j < n)%nat -> exists ks, Permutation (numbers L) ks /\ In (ks, xid L j) places.
Proof using HB n1.
  intros H Hj. destruct (sorted_copy (numbers L)) as [ks [P S]]. exists ks. split; [exact P|]. apply in_places. split.
  - apply multisets_complete; [rewrite <- P; apply numbers_length|exact S|].
    intros k Hk. apply (Permutation_in _ (Permutation_sym P)) in Hk. pose proof (numbers_range L H k Hk). lia.
  - apply (Permutation_in _ P). apply in_map, in_seq. lia.
Qed.

(** Step 5, for column j of L in G *)
Lemma values_written L j v : in_G d n N L -> (j < n)%nat ->
  same v (plus (column_of L j) (first (key (numbers L) (xid L j) - of_nat (xid L j) * delta))) ->
  exists p, In p places /\ same (tokens d (values d n N A) v) (moved p) /\ same (target p) (column_of (A L) j).
Proof using HB equivariant n1.
  intros H Hj E. set (v0 := plus _ _) in E. set (x := xid L j) in *.
  pose proof (in_G_column L j H Hj) as G. pose proof (number_id _ G) as I.
  change (number_of (column_of L j)) with x in I.
  assert (id_of v0 == key (numbers L) x) as K by (unfold v0; rewrite id_plus_first, I; ring).
  pose proof (xid_range d n N d1 n1 N2 L H j Hj) as Rx. fold x in Rx.
  assert (forall p, In p places -> id_of v0 == key (fst p) (snd p) ->
    snd p = x /\ Permutation (numbers L) (fst p) /\ same (plus v0 (change p)) (moved p)) as hit.
  { intros [ks k] Hp E'. cbn [fst snd] in *. rewrite K in E'. destruct (place_hit L j ks k H Hj Hp E') as [Ek [P IM]].
    fold x in IM.
    split; [exact Ek|]. split; [exact P|]. intros i Hi. unfold plus, StatementExact.change, moved. cbn [fst snd].
    rewrite (IM i Hi). unfold v0, plus. ring. }
  destruct (writes_hit d N N2 (list nat * nat) (fun p => key (fst p) (snd p)) change places v v0 E) as [p [Hp [E' S]]].
  - intros [ks k] _. cbn [fst snd]. destruct (key_apart (numbers L) x ks k) as [Eq|[L1|L1]].
    + right. rewrite K. exact Eq.
    + left. left. rewrite K. pose proof delta_half. rewrite half_delta. pose proof (of_nat_le 1 CC C_pos) as C1.
      change (of_nat 1) with 1 in C1. lra.
    + left. right. rewrite K. pose proof delta_half. rewrite half_delta. pose proof (of_nat_le 1 CC C_pos) as C1.
      change (of_nat 1) with 1 in C1. lra.
  - destruct (place_of L j H Hj) as [ks [P Hp]]. exists (ks, x). split; [exact Hp|]. cbn [fst snd].
    rewrite K, (key_perm _ _ _ P). reflexivity.
  - intros p p' Hp Hp' E'. destruct (hit p Hp E') as [_ [_ S]]. apply low_misses.
    rewrite (along_same d _ _ _ S). pose proof (moved_id p Hp). lra.
  - destruct (hit p Hp E') as [Ek [P S']]. exists p. split; [exact Hp|]. split; [apply (same_trans d _ _ _ S S')|].
    destruct p as [ks k]. apply target_is; assumption.
Qed.

Notation last := (last d n N A).

(** The last layer takes the target back up. *)
Lemma last_up v v0 : same v v0 -> id_of v0 <= -1 -> same (token d last v) (plus v0 (first down)).
Proof using.
  intros E H i Hi. pose proof (along_same d (u N) _ _ E) as EI. rewrite (token_is d _ _ _ 1).
  - unfold plus. rewrite (E i Hi). simpl. ring.
  - simpl. rewrite activate_first; [unfold less_than; pieces; ring|]. unfold less_than. pieces. lra.
Qed.

(** It leaves 0. *)
Lemma last_zero v : same v (fun _ => 0) -> same (token d last v) (fun _ => 0).
Proof using.
  intros E i Hi. pose proof (along_same d (u N) _ _ E) as EI.
  assert (id_of (fun _ => 0) == 0) as E0 by (apply sum_zero; intros k _; ring). rewrite (token_is d _ _ _ 0).
  - rewrite (E i Hi). ring.
  - simpl. rewrite activate_third; [unfold less_than; pieces; ring|reflexivity| |]; unfold less_than; pieces; lra.
Qed.

(** Steps 2 to 6, column by column. *)
Lemma lookup_column L j :
  column_of (run_all d n (lookup d n N A) L) j =
  token d last (tokens d (values d n N A) (tokens d (rejection d n N) (column_of (mapped L) j))).
Proof using. unfold lookup. rewrite run_all_app, run_tokens, !tokens_app. reflexivity. Qed.

(** On G they give the target, *)
Theorem lookup_in_G L : in_G d n N L -> forall i j, (i < d)%nat -> (j < n)%nat ->
  run_all d n (lookup d n N A) L i j == A L i j.
Proof using HB equivariant n1.
  intros H i j Hi Hj. change (column_of (run_all d n (lookup d n N A) L) j i == column_of (A L) j i).
  rewrite lookup_column. destruct (values_written L j _ H Hj (kept_column L j H Hj)) as [p [Hp [S2 ST]]].
  rewrite (last_up _ _ S2 (moved_id p Hp) i Hi). rewrite <- (ST i Hi). unfold plus, moved. ring.
Qed.

(** and off G they give 0. *)
Theorem lookup_off_G L : quantised d n N L -> ~ in_G d n N L ->
  forall i j, (i < d)%nat -> (j < n)%nat -> run_all d n (lookup d n N A) L i j == 0.
Proof using HB n1.
  intros Q NG i j Hi Hj. change (column_of (run_all d n (lookup d n N A) L) j i == 0). rewrite lookup_column.
  apply (last_zero _ (values_zero _ (cleared_column L j Q NG Hj)) i Hi).
Qed.

(** ** Step 1, and all in all *)
Notation quantised_matrix X := (run_all d n (map Each (quantiser d N above)) X).

(** The sentinel lies off [0, 1). *)
Lemma above_off : ~ (0 <= above /\ above < 1).
Proof using HB n1. pose proof above_one. lra. Qed.

(** Step 1, entry by entry. *)
Lemma quantised_is X i j : (i < d)%nat -> quantised_matrix X i j == quantised_entry N above (X i j).
Proof using HB n1.
  intros Hi. change (quantised_matrix X i j) with (column_of (quantised_matrix X) j i). rewrite run_tokens.
  apply (quantiser_is d N d1 N2 above above_off (column_of X j) i Hi).
Qed.

(** An entry inside goes to its cell's corner. *)
Lemma entry_inside x : 0 <= x -> x < 1 -> quantised_entry N above x = of_nat (number N x) * delta.
Proof using. intros H0 H1. unfold quantised_entry. rewrite (proj2 (Qle_bool_iff 0 x) H0), less_true by exact H1.
  reflexivity. Qed.

(** An entry outside goes to the sentinel. *)
Lemma entry_outside x : ~ (0 <= x /\ x < 1) -> quantised_entry N above x = above.
Proof using.
  intros H. unfold quantised_entry. destruct (Qle_bool 0 x) eqn:E; [|reflexivity]. apply Qle_bool_iff in E.
  destruct (Qlt_le_dec x 1) as [L|L]; [exfalso; apply H; split; assumption|]. rewrite less_false by exact L.
  reflexivity.
Qed.

(** An entry is inside or not. *)
Lemma inside_dec x : (0 <= x /\ x < 1) \/ ~ (0 <= x /\ x < 1).
Proof using. destruct (Qlt_le_dec x 0); [right; lra|]. destruct (Qlt_le_dec x 1); [left|right]; lra. Qed.

(** The result is quantised. *)
Lemma quantised_quantised X : quantised d n N (quantised_matrix X).
Proof using HB n1.
  intros i j Hi Hj. destruct (inside_dec (X i j)) as [[H0 H1]|H].
  - right. exists (number N (X i j)). split; [apply (number_spec d N d1 N2); assumption|].
    rewrite quantised_is, entry_inside by assumption. reflexivity.
  - left. rewrite quantised_is, entry_outside by assumption. reflexivity.
Qed.

(** In the cube it is in G. *)
Lemma corner_in_G X : in_cubes d n X -> in_G d n N (corner N X).
Proof using N2 d1.
  intros H i j Hi Hj. exists (number N (X i j)). destruct (H i j Hi Hj).
  split; [apply (number_spec d N d1 N2); assumption|reflexivity].
Qed.

(** The six steps at every rational point. *)
Theorem everywhere X :
  (in_cubes d n X -> forall i j, (i < d)%nat -> (j < n)%nat ->
    run_all d n (exact_network d n N A) X i j == A (corner N X) i j) /\
  (~ in_cubes d n X -> forall i j, (i < d)%nat -> (j < n)%nat -> run_all d n (exact_network d n N A) X i j == 0).
Proof using HB equivariant n1.
  unfold exact_network. rewrite run_all_app. pose proof (quantised_quantised X) as Q.
  set (L := quantised_matrix X) in *. split.
  - intros H i j Hi Hj. pose proof (corner_in_G X H) as GC.
    assert (forall i j, (i < d)%nat -> (j < n)%nat -> L i j == corner N X i j) as E.
    { intros i' j' Hi' Hj'. destruct (H i' j' Hi' Hj') as [H0 H1]. unfold L.
      rewrite quantised_is, entry_inside by assumption. reflexivity. }
    assert (in_G d n N L) as G.
    { intros i' j' Hi' Hj'. destruct (GC i' j' Hi' Hj') as [k [Hk Ek]]. exists k. split; [exact Hk|].
      rewrite (E i' j' Hi' Hj'). exact Ek. }
    rewrite (lookup_in_G L G i j Hi Hj).
    apply (equivariant (corner N X) L (fun j => j) GC G); try assumption; auto.
    intros j' Hj' i' Hi'. apply E; assumption.
  - intros H i j Hi Hj. apply lookup_off_G; [exact Q| |exact Hi|exact Hj]. intros G. apply H. intros i' j' Hi' Hj'.
    destruct (inside_dec (X i' j')) as [I|O]; [exact I|]. exfalso.
    pose proof (grid_nonneg _ (G i' j' Hi' Hj')) as [_ G1].
    unfold L in G1. rewrite quantised_is, entry_outside in G1 by assumption. pose proof above_one. lra.
Qed.
End Target.

(** The layers are of the paper's class. *)
Theorem class : exact_class d n N.
Proof using N2.
  pose proof (delta_pos N N2). assert (delta / 2 == delta * (1 # 2)) as D2 by field.
  intros A l Hl. unfold exact_network, lookup, contextual_map in Hl. repeat rewrite in_app_iff in Hl.
  destruct Hl as [Hl|[[Hl|[<-|[]]]|Hl]]; [| |reflexivity|].
  - apply in_map_iff in Hl. destruct Hl as [t [<- Ht]]. apply in_flat_map in Ht. destruct Ht as [i [_ [<-|Ht]]].
    + split; [cbv; discriminate|]. right. left. reflexivity.
    + apply in_map_iff in Ht. destruct Ht as [k [<- _]]. split; [unfold row_layer, step; simpl; lra|]. left.
      reflexivity.
  - apply in_map_iff in Hl. destruct Hl as [t [<- Ht]]. apply in_map_iff in Ht. destruct Ht as [k [<- _]].
    split; [unfold write, window; simpl; lra|]. left. reflexivity.
  - apply in_map_iff in Hl. destruct Hl as [t [<- Ht]]. unfold rejection, clear, values in Ht.
    repeat rewrite in_app_iff in Ht.
    destruct Ht as [[<-|Ht]|[Ht|[<-|[]]]].
    + split; [apply Qle_refl|]. left. reflexivity.
    + apply in_map_iff in Ht. destruct Ht as [i [<- _]]. split; [apply Qle_refl|]. right. left. reflexivity.
    + apply in_map_iff in Ht. destruct Ht as [p [<- _]]. split; [unfold write, window; simpl; lra|]. left. reflexivity.
    + split; [apply Qle_refl|]. left. reflexivity.
Qed.
End Exact.

(** The first theorem. *)
Theorem proposition4_contextual : Proposition4_contextual.
Proof.
  intros d n N d1 n1 N2. exact (conj (keys d n N d1 n1 N2) (conj (apart d n N d1 n1 N2) (at_border d n N d1 n1 N2))).
Qed.

(** The second. *)
Theorem proposition4_exact : Proposition4_exact.
Proof.
  intros d n N d1 n1 N2. split; [|split].
  - intros A HA L Q. split; [apply (lookup_in_G d n N d1 n1 N2 A HA L)|apply (lookup_off_G d n N d1 n1 N2 A L Q)].
  - intros A HA X. apply (everywhere d n N d1 n1 N2 A HA X).
  - apply (class d n N N2).
Qed.
