(** Hardmax over the tokens that a token hears, and what the layers of [StatementSparse.v] do to ids, over every graph
    that contains the star. *)

From Coq Require Import QArith List Arith ZArith Bool Lia Lqa Setoid Morphisms.
From Contextual Require Import Statement StatementSparse Heads Network Exact.
Import ListNotations.
Open Scope Q_scope.

(** ** Hardmax over the tokens that are heard *)
Section Hardmax.
Variable n : nat.
Variable G : graph.

(** Heard are the neighbours, and these only. *)
Lemma heard_in i j : In j (heard n G i) <-> (j <= n)%nat /\ G i j = true.
Proof using. unfold heard. rewrite filter_In, in_seq. split; intros [H H']; (split; [lia|exact H']). Qed.

(** The best of them. *)
Lemma best_spec i s j : is_best n G i s j = true <-> forall k, (k <= n)%nat -> G i k = true -> s k <= s j.
Proof using.
  unfold is_best. rewrite forallb_forall. split; intros H k.
  - intros Hk Gk. apply Qle_bool_iff, H, heard_in. auto.
  - intros Hk. apply heard_in in Hk. apply Qle_bool_iff, H; apply Hk.
Qed.

(** One of a list has the largest score. *)
Lemma largest_of (s : nat -> Q) l : l <> [] -> exists a, In a l /\ forall k, In k l -> s k <= s a.
Proof using.
  induction l as [|b l IH]; intros H; [contradiction|]. destruct l as [|b' l].
  - exists b. split; [left; reflexivity|]. intros k [<-|[]]. apply Qle_refl.
  - destruct IH as [a [Ha M]]; [discriminate|]. destruct (Qlt_le_dec (s a) (s b)) as [L|L].
    + exists b. split; [left; reflexivity|]. intros k [<-|Hk]; [apply Qle_refl|]. specialize (M k Hk). lra.
    + exists a. split; [right; exact Ha|]. intros k [<-|Hk]; [exact L|apply M, Hk].
Qed.

(** Filters one after the other. *)
Lemma filter_both (p r : nat -> bool) l : filter p (filter r l) = filter (fun k => r k && p k) l.
Proof using.
  induction l as [|a l IH]; [reflexivity|]. simpl. destruct (r a); simpl; [|exact IH].
  destruct (p a); rewrite IH; reflexivity.
Qed.

(** Sparse hardmax depends on the values of the scores alone. *)
Lemma sparse_hardmax_ext i s s' j : (forall k, (k <= n)%nat -> s k == s' k) -> (j <= n)%nat ->
  sparse_hardmax n G i s j = sparse_hardmax n G i s' j.
Proof using.
  intros E Hj. assert (forall k, (k <= n)%nat -> is_best n G i s k = is_best n G i s' k) as B.
  { intros k Hk. apply Bool.eq_iff_eq_true. rewrite !best_spec. split; intros H a Ha Ga; specialize (H a Ha Ga);
      rewrite ?(E a Ha), ?(E k Hk) in *; rewrite <- ?(E a Ha), <- ?(E k Hk) in *; exact H. }
  unfold sparse_hardmax. rewrite (B j Hj). f_equal. f_equal. f_equal.
  rewrite (filter_ext_in (is_best n G i s) (is_best n G i s') (heard n G i)); [reflexivity|].
  intros k Hk. apply heard_in in Hk. apply B, Hk.
Qed.

(** If the values at all arg maxima are the same M, so is their mean. *)
Lemma sparse_mean i s v M : (exists k, (k <= n)%nat /\ G i k = true) ->
  (forall k, (k <= n)%nat -> G i k = true -> (forall j, (j <= n)%nat -> G i j = true -> s j <= s k) -> v k == M) ->
  sum (S n) (fun k => v k * sparse_hardmax n G i s k) == M.
Proof using.
  intros [a [Ha Ga]] H. set (m := length (filter (is_best n G i s) (heard n G i))).
  assert (0 < m)%nat as m0.
  { destruct (largest_of s (heard n G i)) as [b [Hb Mb]].
    { intros E. assert (In a (heard n G i)) as I by (apply heard_in; auto). rewrite E in I. exact I. }
    assert (In b (filter (is_best n G i s) (heard n G i))) as I.
    { apply filter_In. split; [exact Hb|]. apply best_spec. intros k Hk Gk. apply Mb, heard_in. auto. }
    unfold m. destruct (filter _ _); [contradiction|simpl; lia]. }
  apply of_nat_pos in m0.
  rewrite (sum_ext _ _ (fun k => if G i k && is_best n G i s k then M * (1 / of_nat m) else 0)).
  - rewrite sum_indicator, <- filter_both. fold (heard n G i). fold m. field. lra.
  - intros k Hk. unfold sparse_hardmax. fold m. destruct (G i k && is_best n G i s k) eqn:E; [|ring].
    apply andb_prop in E. destruct E as [E1 E2]. rewrite (H k); [reflexivity|lia|exact E1|].
    exact (proj1 (best_spec i s k) E2).
Qed.

(** Scores x t with t > 0: the largest x. *)
Lemma sparse_largest i x s t M : 0 < t -> (forall k, (k <= n)%nat -> s k == x k * t) ->
  (exists k, (k <= n)%nat /\ G i k = true /\ x k == M) -> (forall k, (k <= n)%nat -> G i k = true -> x k <= M) ->
  sum (S n) (fun k => x k * sparse_hardmax n G i s k) == M.
Proof using.
  intros Ht Es [a [Ha [Ga Ea]]] HM. apply sparse_mean; [exists a; auto|]. intros k Hk Gk H.
  specialize (H a Ha Ga). rewrite (Es a Ha), (Es k Hk), Ea in H. apply Qle_antisym; [apply HM; assumption|].
  apply Qmult_le_r with (z := t); assumption.
Qed.

(** t < 0: the smallest. *)
Lemma sparse_smallest i x s t m : t < 0 -> (forall k, (k <= n)%nat -> s k == x k * t) ->
  (exists k, (k <= n)%nat /\ G i k = true /\ x k == m) -> (forall k, (k <= n)%nat -> G i k = true -> m <= x k) ->
  sum (S n) (fun k => x k * sparse_hardmax n G i s k) == m.
Proof using.
  intros Ht Es [a [Ha [Ga Ea]]] Hm. apply sparse_mean; [exists a; auto|]. intros k Hk Gk H.
  specialize (H a Ha Ga). rewrite (Es a Ha), (Es k Hk), Ea in H. apply Qle_antisym; [|apply Hm; assumption].
  apply Qmult_le_r with (z := - t); lra.
Qed.
End Hardmax.

(** Where all attend to all it is the hardmax of [Statement.v]. *)
Theorem sparse_complete : Sparse_complete.
Proof.
  intros d n l X r i Hi. unfold sparse_attention, attention. rewrite !Qred_correct. apply Qplus_comp; [reflexivity|].
  assert (forall a, heard n (fun _ _ => true) a = seq 0 (S n)) as HS.
  { intros a. unfold heard. induction (seq 0 (S n)) as [|b bs IH]; [reflexivity|]. simpl. rewrite IH. reflexivity. }
  induction l as [|h l IH]; [reflexivity|]. cbn [fold_right]. rewrite IH. apply Qplus_comp; [|reflexivity].
  apply Qmult_comp; [reflexivity|]. unfold sparse_value, head_value. apply sum_ext. intros k Hk.
  apply Qmult_comp; [reflexivity|]. unfold sparse_hardmax, hardmax, argmaxima, is_best, is_argmax. rewrite HS.
  reflexivity.
Qed.

(** The star contains itself. *)
Example star_contains n : contains_star n star.
Proof.
  intros i Hi. unfold star. destruct (Nat.eqb_spec i 0); [lia|]. rewrite (Nat.eqb_refl i). repeat split.
Qed.

(** ** What the layers do to ids, in units of delta *)
Section Layers.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Variable G : graph.
Hypothesis G_star : contains_star n G.
Notation delta := (delta N).
Notation BZ := (Z.of_nat (B d N)).
Notation NZ := (Z.of_nat N).
Notation id_all X := (row (S d) (u_all d n N) X).

(** The ids are y, in units of delta, and the flags are where they were. *)
Definition state (X : matrix) (y : nat -> Z) : Prop :=
  (forall i, (i <= n)%nat -> id_all X i == inject_Z (y i) * delta) /\
  (forall i, (i <= n)%nat -> X d i == if Nat.eqb i 0 then 1 else 0).

(** Equal numbers. *)
Lemma state_ext X y y' : (forall i, (i <= n)%nat -> y i = y' i) -> state X y -> state X y'.
Proof using. intros E [H F]. split; [|exact F]. intros i Hi. rewrite <- E by exact Hi. apply H, Hi. Qed.

(** The row of the flags. *)
Lemma flag_row X i : row (S d) (flag d) X i == X d i.
Proof using All.
  unfold row. rewrite sum_S, sum_zero.
  - unfold flag. rewrite Nat.eqb_refl. ring.
  - intros r Hr. unfold flag. destruct (Nat.eqb_spec r d); [lia|ring].
Qed.

(** A layer that writes to the first row alone adds to the id what it writes, and leaves the flags. *)
Lemma first_row_layer l X i a : (forall r, fold_right (fun h s => W_O h r * sparse_value d n G h X i + s) 0 l ==
    first_row a r) ->
  id_all (sparse_attention d n G l X) i == id_all X i + a /\ sparse_attention d n G l X d i == X d i.
Proof using All.
  intros H. assert (forall r, sparse_attention d n G l X r i == X r i + first_row a r) as E.
  { intros r. unfold sparse_attention. rewrite Qred_correct, H. reflexivity. }
  split.
  - unfold row. rewrite (sum_ext _ _ (fun r => u_all d n N r * X r i + u_all d n N r * first_row a r)).
    + rewrite sum_plus. apply Qplus_comp; [reflexivity|]. rewrite (sum_single _ _ 0); [|lia|].
      * unfold u_all, first_row, u. destruct (Nat.eqb_spec 0 d); [lia|]. simpl. unfold of_nat. simpl. ring.
      * intros r _ NE. unfold first_row. destruct (Nat.eqb_spec r 0); [lia|ring].
    + intros r _. rewrite E. ring.
  - rewrite E. unfold first_row. destruct (Nat.eqb_spec d 0); [lia|ring].
Qed.

(** Two heads, one head. *)
Lemma two_heads_write a a' V V' K K' Q Q' b b' X i v v' :
  let h := Head (first_row a) V K Q b in let h' := Head (first_row a') V' K' Q' b' in
  sparse_value d n G h X i == v -> sparse_value d n G h' X i == v' ->
  id_all (sparse_attention d n G [h; h'] X) i == id_all X i + (a * v + a' * v') /\
  sparse_attention d n G [h; h'] X d i == X d i.
Proof using All.
  intros h h' Hv Hv'. apply first_row_layer. intros r. cbn [fold_right]. rewrite Hv, Hv'. simpl. unfold first_row.
  destruct (Nat.eqb r 0); ring.
Qed.

(** One head. *)
Lemma one_head_writes a V K Q b X i v : let h := Head (first_row a) V K Q b in
  sparse_value d n G h X i == v ->
  id_all (sparse_attention d n G [h] X) i == id_all X i + a * v /\ sparse_attention d n G [h] X d i == X d i.
Proof using All.
  intros h Hv. apply first_row_layer. intros r. cbn [fold_right]. rewrite Hv. simpl. unfold first_row.
  destruct (Nat.eqb r 0); ring.
Qed.

(** Who hears whom. *)
Lemma hears_someone i : (i <= n)%nat -> exists k, (k <= n)%nat /\ G i k = true.
Proof using All.
  intros Hi. destruct i as [|i].
  - exists 1%nat. split; [lia|]. apply (G_star 1%nat); lia.
  - exists O. split; [lia|]. apply (G_star (S i)); lia.
Qed.

(** Ids of the tokens that i hears: the largest, the smallest. *)
Lemma largest_heard y i : (i <= n)%nat -> exists a, (a <= n)%nat /\ G i a = true /\
  forall k, (k <= n)%nat -> G i k = true -> (y k <= y a)%Z.
Proof using All.
  intros Hi. destruct (hears_someone i Hi) as [k [Hk Gk]].
  destruct (largest_of (fun k => inject_Z (y k)) (heard n G i)) as [a [Ha M]].
  { intros E. assert (In k (heard n G i)) as I by (apply heard_in; auto). rewrite E in I. exact I. }
  apply heard_in in Ha. exists a. split; [apply Ha|split; [apply Ha|]]. intros k' Hk' Gk'.
  rewrite Zle_Qle. apply M, heard_in. auto.
Qed.

(** A head whose values and keys are ids, for the query t: the largest id, or the smallest. *)
Lemma reads_largest X y i a Q b t W : state X y -> t == row (S d) Q X i + b -> 0 < t ->
  (a <= n)%nat -> G i a = true -> (forall k, (k <= n)%nat -> G i k = true -> (y k <= y a)%Z) ->
  sparse_value d n G (Head W (u_all d n N) (u_all d n N) Q b) X i == inject_Z (y a) * delta.
Proof using All.
  intros [St _] Et Ht Ha Ga Hy. unfold sparse_value. simpl W_V. simpl W_K. simpl W_Q. simpl b_Q.
  apply (sparse_largest n G i (fun k => id_all X k) _ t); [exact Ht| | |].
  - intros k _. rewrite Et. reflexivity.
  - exists a. split; [exact Ha|split; [exact Ga|apply St, Ha]].
  - intros k Hk Gk. rewrite (St k Hk). apply (proj1 (units_le N N2 _ _)), Hy; assumption.
Qed.

(** The smallest. *)
Lemma reads_smallest X y i a Q b t W : state X y -> t == row (S d) Q X i + b -> t < 0 ->
  (a <= n)%nat -> G i a = true -> (forall k, (k <= n)%nat -> G i k = true -> (y a <= y k)%Z) ->
  sparse_value d n G (Head W (u_all d n N) (u_all d n N) Q b) X i == inject_Z (y a) * delta.
Proof using All.
  intros [St _] Et Ht Ha Ga Hy. unfold sparse_value. simpl W_V. simpl W_K. simpl W_Q. simpl b_Q.
  apply (sparse_smallest n G i (fun k => id_all X k) _ t); [exact Ht| | |].
  - intros k _. rewrite Et. reflexivity.
  - exists a. split; [exact Ha|split; [exact Ga|apply St, Ha]].
  - intros k Hk Gk. rewrite (St k Hk). apply (proj1 (units_le N N2 _ _)), Hy; assumption.
Qed.

(** delta^-kd in units of delta *)
Lemma power_units k : power d N k == inject_Z (BZ ^ Z.of_nat k * NZ) * delta.
Proof using All.
  unfold power. rewrite <- power_B, <- Nat2Z.inj_mul. change (inject_Z (Z.of_nat ?a)) with (of_nat a).
  rewrite of_nat_mul, <- Qmult_assoc, (delta_N N N2). ring.
Qed.

(** The same as a whole number. *)
Lemma power_whole k : power d N k == inject_Z (BZ ^ Z.of_nat k).
Proof using All. unfold power, of_nat. rewrite power_B. reflexivity. Qed.

(** Low shift k, where token k alone is below delta^-kd, and is the lowest, and the global one the highest. *)
Lemma low_state X y k : state X y -> (1 <= k <= n)%nat -> (forall i, (i <= n)%nat -> (0 <= y i)%Z) ->
  (y k < BZ ^ Z.of_nat k * NZ)%Z -> (forall i, (i <= n)%nat -> i <> k -> (BZ ^ Z.of_nat k * NZ <= y i)%Z) ->
  (forall i, (i <= n)%nat -> (y k <= y i <= y O)%Z) ->
  state (sparse_attention d n G (low d n N k) X) (fun i => if Nat.eqb i k then (y k + BZ * (y O - y k))%Z else y i).
Proof using All.
  intros St Hk y0 below others order. pose proof (delta_pos N N2) as D. pose proof (half N) as DH.
  assert (forall i, (i <= n)%nat -> exists a, (a <= n)%nat /\ G i a = true /\
    (forall k, (k <= n)%nat -> G i k = true -> (y k <= y a)%Z) /\
    sparse_value d n G (sparse_psi d n N (of_nat (B d N)) (- (delta / 2))) X i == inject_Z (y a) * delta) as first.
  { intros i Hi. destruct (largest_heard y i Hi) as [a [Ha [Ga M]]]. exists a.
    split; [exact Ha|split; [exact Ga|split; [exact M|]]].
    apply (reads_largest X y i a _ _ (inject_Z (y i) * delta + delta / 2)); try assumption.
    - rewrite (proj1 St i Hi). ring.
    - specialize (y0 i Hi). apply (units_le N N2) in y0. change (inject_Z 0) with 0 in y0. lra. }
  assert (forall i, (i <= n)%nat ->
    id_all (sparse_attention d n G (low d n N k) X) i ==
      inject_Z (if Nat.eqb i k then (y k + BZ * (y O - y k))%Z else y i) * delta /\
    sparse_attention d n G (low d n N k) X d i == X d i) as E.
  { intros i Hi. destruct (first i Hi) as [a [Ha [Ga [M V]]]]. unfold low, sparse_psi.
    destruct (Nat.eqb_spec i k) as [->|NE].
    - (* token k reads the global one and itself *)
      destruct (G_star k Hk) as [_ [G0 Gk]].
      destruct (two_heads_write (of_nat (B d N)) (- of_nat (B d N)) (u_all d n N) (u_all d n N) (u_all d n N)
        (u_all d n N) (u_all d n N) (u_all d n N) (- - (delta / 2)) (- (power d N k - delta / 2)) X k _
        (inject_Z (y k) * delta) V) as [E1 E2].
      { apply (reads_smallest X y k k _ _ (inject_Z (y k) * delta - (power d N k - delta / 2))); try assumption.
        - rewrite (proj1 St k Hi). ring.
        - rewrite power_units. assert (y k + 1 <= BZ ^ Z.of_nat k * NZ)%Z as L by lia. apply (units_le N N2) in L.
          rewrite inject_Z_plus in L. change (inject_Z 1) with 1 in L. lra.
        - intros j Hj _. apply order, Hj. }
      split; [|exact E2]. rewrite E1, (proj1 St k Hi).
      assert (y a = y O) as ->. { apply Z.le_antisymm; [apply order, Ha|apply M; [lia|exact G0]]. }
      unfold of_nat. unfold Z.sub. rewrite !inject_Z_plus, !inject_Z_mult, inject_Z_plus, inject_Z_opp. ring.
    - destruct (two_heads_write (of_nat (B d N)) (- of_nat (B d N)) (u_all d n N) (u_all d n N) (u_all d n N)
        (u_all d n N) (u_all d n N) (u_all d n N) (- - (delta / 2)) (- (power d N k - delta / 2)) X i _
        (inject_Z (y a) * delta) V) as [E1 E2].
      { apply (reads_largest X y i a _ _ (inject_Z (y i) * delta - (power d N k - delta / 2))); try assumption.
        - rewrite (proj1 St i Hi). ring.
        - rewrite power_units. specialize (others i Hi NE). apply (units_le N N2) in others. lra. }
      split; [|exact E2]. rewrite E1, (proj1 St i Hi). ring. }
  split; intros i Hi; destruct (E i Hi) as [E1 E2]; [exact E1|]. rewrite E2. apply (proj2 St i Hi).
Qed.

(** The high shift, where token a is the highest and token b the lowest of 1, ..., n, and the global one between. *)
Lemma high_state X y a b : state X y -> (1 <= a <= n)%nat -> (1 <= b <= n)%nat ->
  (forall i, (i <= n)%nat -> (y b <= y i <= y a)%Z) ->
  state (sparse_attention d n G (high d n N) X)
    (fun i => if Nat.eqb i 0 then (y O + BZ ^ Z.of_nat n * (y a - y b))%Z else y i).
Proof using All.
  intros St Ha Hb order.
  assert (forall i, (i <= n)%nat ->
    id_all (sparse_attention d n G (high d n N) X) i ==
      inject_Z (if Nat.eqb i 0 then (y O + BZ ^ Z.of_nat n * (y a - y b))%Z else y i) * delta /\
    sparse_attention d n G (high d n N) X d i == X d i) as E.
  { intros i Hi. pose proof (proj2 St i Hi) as Fi. unfold high.
    assert (row (S d) (fun r => - flag d r) X i == - X d i) as FN.
    { rewrite <- flag_row. unfold row. rewrite (sum_ext _ _ (fun r => -1 * (flag d r * X r i))) by (intros; ring).
      rewrite sum_scale. ring. }
    destruct (Nat.eqb_spec i 0) as [->|NE].
    - destruct (two_heads_write (power d N n) (- power d N n) (u_all d n N) (u_all d n N) (u_all d n N)
        (u_all d n N) (flag d) (fun r => - flag d r) 0 0 X 0%nat (inject_Z (y a) * delta) (inject_Z (y b) * delta))
        as [E1 E2].
      + apply (reads_largest X y 0 a _ _ 1); try assumption; [rewrite flag_row, Fi; ring|reflexivity|lia| |].
        * apply (G_star a Ha).
        * intros j Hj _. apply order, Hj.
      + apply (reads_smallest X y 0 b _ _ (-1)); try assumption; [rewrite FN, Fi; ring|reflexivity|lia| |].
        * apply (G_star b Hb).
        * intros j Hj _. apply order, Hj.
      + split; [|exact E2]. rewrite E1, (proj1 St 0%nat Hi), power_whole. unfold Z.sub.
        rewrite !inject_Z_plus, !inject_Z_mult, inject_Z_plus, inject_Z_opp. ring.
    - destruct (two_heads_write (power d N n) (- power d N n) (u_all d n N) (u_all d n N) (u_all d n N)
        (u_all d n N) (flag d) (fun r => - flag d r) 0 0 X i
        (sparse_value d n G (Head (first_row (power d N n)) (u_all d n N) (u_all d n N) (flag d) 0) X i)
        (sparse_value d n G (Head (first_row (power d N n)) (u_all d n N) (u_all d n N) (flag d) 0) X i))
        as [E1 E2]; [reflexivity| |].
      + (* both read the same: all scores are 0 *)
        unfold sparse_value. simpl W_V. simpl W_K. simpl W_Q. simpl b_Q. apply sum_ext. intros k Hk.
        rewrite (sparse_hardmax_ext n G i _ (fun k => id_all X k * (row (S d) (flag d) X i + 0)));
          [reflexivity| |lia].
        intros j _. rewrite FN, flag_row, Fi. ring.
      + split; [|exact E2]. rewrite E1, (proj1 St i Hi). ring. }
  split; intros i Hi; destruct (E i Hi) as [E1 E2]; [exact E1|]. rewrite E2. apply (proj2 St i Hi).
Qed.

(** The last layer: every token but the global one reads the global one. *)
Lemma last_ids X y i : state X y -> (1 <= i <= n)%nat ->
  id_all (sparse_attention d n G (last_layer d n N) X) i ==
  inject_Z (y i + BZ ^ Z.of_nat ((n + 1) * (n + 1)) * y O) * delta.
Proof using All.
  intros St Hi. destruct (G_star i Hi) as [_ [G0 _]]. unfold last_layer.
  destruct (one_head_writes (power d N ((n + 1) * (n + 1))) (u_all d n N) (flag d) (fun _ => 0) 1 X i
    (inject_Z (y O) * delta)) as [E _].
  - unfold sparse_value. simpl W_V. simpl W_K. simpl W_Q. simpl b_Q.
    assert (row (S d) (fun _ => 0) X i == 0) as Z0 by (apply sum_zero; intros; ring).
    apply sparse_mean; [exists O; split; [lia|exact G0]|]. intros k Hk Gk H. specialize (H O ltac:(lia) G0).
    rewrite !flag_row, Z0, (proj2 St O ltac:(lia)), (proj2 St k Hk) in H. simpl (Nat.eqb 0 0) in H.
    destruct (Nat.eqb_spec k 0) as [->|NE]; [apply (proj1 St); lia|lra].
  - rewrite E, (proj1 St i ltac:(lia)), power_whole, inject_Z_plus, inject_Z_mult. ring.
Qed.
End Layers.
