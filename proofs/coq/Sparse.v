(** BigBird's Lemma 3 over every graph that contains the star: the statements of [StatementSparse.v], proved. *)

From Coq Require Import QArith List Arith ZArith Bool Lia Lqa Setoid Morphisms.
From Contextual Require Import Statement StatementSparse Heads Network Grid Exact.
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
    + rewrite sum_plus. apply Qplus_comp; [reflexivity|]. rewrite sum_first; [|lia|].
      * unfold u_all, first_row, u. destruct (Nat.eqb_spec 0 d); [lia|]. simpl. unfold of_nat. simpl. ring.
      * intros r [Hr _]. unfold first_row. destruct (Nat.eqb_spec r 0); [lia|ring].
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
  apply heard_in in Ha. exists a. split; [apply Ha|split; [apply Ha|]]. intros k' Hk' Gk'. rewrite Zle_Qle. apply M, heard_in.
  auto.
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

(** ** The recursion, in whole numbers: l are the ids at the start, b = delta^-d, r = delta^-nd, N b^n the global one's *)
Section Recursion.
Open Scope Z_scope.
Variables b r NN : Z.
Variable n : nat.
Hypothesis b2 : 2 <= b.
Hypothesis r1 : 1 <= r.
Hypothesis NN1 : 1 <= NN.

(** r g_k is the global id after phase k, f_k the id of token k after its low shift. *)
Fixpoint g (l : nat -> Z) (k : nat) : Z :=
  match k with O => NN | S k => (b * r + 1) * g l k - ((b - 1) * l (S k) + l (S (S k))) end.
Definition f (l : nat -> Z) (k : nat) : Z := b * (r * g l (k - 1)) - (b - 1) * l k.

(** All ids at the start are at least 0 and below the global one. *)
Definition small (l : nat -> Z) : Prop := forall i, (1 <= i <= n)%nat -> 0 <= l i < r * NN.

(** The recursion of the high shift. *)
Lemma g_step l k : r * g l (S k) = r * g l k + r * (f l (S k) - l (S (S k))).
Proof using. unfold f. simpl (S k - 1)%nat. rewrite Nat.sub_0_r. simpl. ring. Qed.

(** f_(k+1) is above the global id before it; the global one goes above it, and grows. *)
Lemma f_above l k : small l -> (k < n)%nat -> r * NN <= r * g l k -> r * g l k < f l (S k).
Proof using All.
  intros Sm Hk H. unfold f. simpl (S k - 1)%nat. rewrite Nat.sub_0_r. specialize (Sm (S k) ltac:(lia)). nia.
Qed.
Lemma g_above l k : small l -> (S k < n)%nat -> r * NN <= r * g l k -> f l (S k) < r * g l (S k).
Proof using All.
  intros Sm Hk H. pose proof (f_above l k Sm ltac:(lia) H) as FA. rewrite g_step.
  specialize (Sm (S (S k)) ltac:(lia)). set (x := f l (S k)) in *. set (y := r * g l k) in *.
  assert (x - y < r * (x - l (S (S k)))) by nia. lia.
Qed.
Lemma g_large l k : small l -> (k < n)%nat -> r * NN <= r * g l k.
Proof using All.
  intros Sm. induction k as [|k IH]; intros Hk; [simpl; lia|]. specialize (IH ltac:(lia)).
  pose proof (f_above l k Sm ltac:(lia) IH). pose proof (g_above l k Sm ltac:(lia) IH). lia.
Qed.
Lemma g_grows l j k : small l -> (j <= k < n)%nat -> r * g l j <= r * g l k.
Proof using All.
  intros Sm. induction k as [|k IH]; intros Hk; [replace j with O by lia; lia|].
  destruct (Nat.eq_dec j (S k)) as [->|]; [lia|]. specialize (IH ltac:(lia)).
  pose proof (g_large l k Sm ltac:(lia)) as GL. pose proof (f_above l k Sm ltac:(lia) GL).
  pose proof (g_above l k Sm ltac:(lia) GL). lia.
Qed.

(** So f_1 < ... < f_n: all are above the ids at the start, and f_j is below the later global ids. *)
Lemma f_large l j : small l -> (1 <= j <= n)%nat -> r * NN < f l j.
Proof using All.
  intros Sm Hj. destruct j as [|j]; [lia|]. pose proof (g_large l j Sm ltac:(lia)) as GL.
  pose proof (f_above l j Sm ltac:(lia) GL). lia.
Qed.
Lemma f_below l j k : small l -> (1 <= j <= k)%nat -> (k < n)%nat -> f l j < r * g l k.
Proof using All.
  intros Sm Hj Hk. destruct j as [|j]; [lia|]. pose proof (g_large l j Sm ltac:(lia)) as GL.
  pose proof (g_above l j Sm ltac:(lia) GL). pose proof (g_grows l (S j) k Sm ltac:(lia)). lia.
Qed.
Lemma f_order l i j : small l -> (1 <= i < j)%nat -> (j <= n)%nat -> f l i < f l j.
Proof using All.
  intros Sm Hi Hj. destruct j as [|j]; [lia|]. pose proof (f_below l i j Sm ltac:(lia) ltac:(lia)).
  pose proof (f_above l j Sm ltac:(lia) (g_large l j Sm ltac:(lia))). lia.
Qed.

(** Bounds: g_k <= (b r + 1)^k N, f_k below b r (b r + 1)^n N. *)
Lemma g_upper l k : small l -> (k < n)%nat -> g l k <= (b * r + 1) ^ Z.of_nat k * NN.
Proof using All.
  intros Sm. induction k as [|k IH]; intros Hk; [cbn [g]; change (Z.of_nat 0) with 0; rewrite Z.pow_0_r; lia|].
  specialize (IH ltac:(lia)). rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
  pose proof (Sm (S k) ltac:(lia)). pose proof (Sm (S (S k)) ltac:(lia)). cbn [g].
  assert ((b * r + 1) * g l k <= (b * r + 1) * ((b * r + 1) ^ Z.of_nat k * NN)) by (apply Z.mul_le_mono_nonneg_l; nia).
  nia.
Qed.
Lemma f_upper l j : small l -> (1 <= j <= n)%nat -> f l j <= b * r * ((b * r + 1) ^ (Z.of_nat n - 1) * NN).
Proof using All.
  intros Sm Hj. destruct j as [|j]; [lia|]. unfold f. simpl (S j - 1)%nat. rewrite Nat.sub_0_r.
  pose proof (g_upper l j Sm ltac:(lia)) as GU. pose proof (Sm (S j) ltac:(lia)).
  assert ((b * r + 1) ^ Z.of_nat j <= (b * r + 1) ^ (Z.of_nat n - 1)) as P by (apply Z.pow_le_mono_r; [nia|lia]).
  assert (g l j <= (b * r + 1) ^ (Z.of_nat n - 1) * NN) as GN by nia.
  assert (b * r * g l j <= b * r * ((b * r + 1) ^ (Z.of_nat n - 1) * NN)) by (apply Z.mul_le_mono_nonneg_l; nia).
  nia.
Qed.

(** ** Two contexts: their ids differ by b - 1 at most. The last global id and one f tell all. *)
Section Two.
Variables l l' : nat -> Z.
Hypothesis Sl : small l.
Hypothesis Sl' : small l'.
Hypothesis near : forall i, (1 <= i <= n)%nat -> - (b - 1) <= l i - l' i <= b - 1.
Hypothesis room : b <= r.

(** Equal after a phase, equal before; and then the differences of neighbours go together. *)
Lemma g_back k : (S k < n)%nat -> g l (S k) = g l' (S k) ->
  g l k = g l' k /\ l (S (S k)) - l' (S (S k)) = - ((b - 1) * (l (S k) - l' (S k))).
Proof using All.
  intros Hk E. simpl in E. pose proof (near (S k) ltac:(lia)). pose proof (near (S (S k)) ltac:(lia)).
  set (x := l (S k) - l' (S k)) in *. set (y := l (S (S k)) - l' (S (S k))) in *.
  assert ((b * r + 1) * (g l k - g l' k) = (b - 1) * x + y) as E' by (unfold x, y; lia).
  assert (- (b * (b - 1)) <= (b - 1) * x + y <= b * (b - 1)) as Bd by nia.
  assert (b * (b - 1) < b * r + 1) as Lt by nia.
  assert (g l k - g l' k = 0) as Z0 by nia. split; [lia|]. rewrite Z0 in E'. lia.
Qed.
Lemma g_all k : (k < n)%nat -> g l k = g l' k -> forall j, (j <= k)%nat -> g l j = g l' j.
Proof using All.
  induction k as [|k IH]; intros Hk E j Hj; [replace j with O by lia; reflexivity|].
  destruct (Nat.eq_dec j (S k)) as [->|]; [exact E|]. apply IH; [lia|apply g_back; assumption|lia].
Qed.

Theorem f_tell i j : (1 <= i <= n)%nat -> (1 <= j <= n)%nat -> g l (n - 1) = g l' (n - 1) -> f l i = f l' j ->
  forall k, (1 <= k <= n)%nat -> l k = l' k.
Proof using All.
  intros Hi Hj E Ef. pose proof (g_all (n - 1) ltac:(lia) E) as A.
  assert (i = j) as <-.
  { destruct (Nat.lt_total i j) as [L|[L|L]]; [exfalso|exact L|exfalso].
    - pose proof (f_below l i (j - 1) Sl ltac:(lia) ltac:(lia)) as H. rewrite A in H by lia.
      pose proof (f_above l' (j - 1) Sl' ltac:(lia) (g_large l' (j - 1) Sl' ltac:(lia))) as H'.
      replace (S (j - 1)) with j in H' by lia. lia.
    - pose proof (f_below l' j (i - 1) Sl' ltac:(lia) ltac:(lia)) as H. rewrite <- A in H by lia.
      pose proof (f_above l (i - 1) Sl ltac:(lia) (g_large l (i - 1) Sl ltac:(lia))) as H'.
      replace (S (i - 1)) with i in H' by lia. lia. }
  assert (l i = l' i) as Ei.
  { unfold f in Ef. rewrite (A (i - 1)%nat) in Ef by lia. nia. }
  assert (forall k, (S k < n)%nat -> l (S (S k)) - l' (S (S k)) = - ((b - 1) * (l (S k) - l' (S k)))) as step.
  { intros k Hk. apply g_back; [exact Hk|apply A; lia]. }
  assert (forall k, (i + k <= n)%nat -> l (i + k)%nat = l' (i + k)%nat) as up.
  { induction k as [|k IH]; intros Hk; [rewrite Nat.add_0_r; exact Ei|]. specialize (IH ltac:(lia)).
    specialize (step (i + k - 1)%nat ltac:(lia)). replace (S (i + k - 1)) with (i + k)%nat in step by lia.
    replace (i + S k)%nat with (S (i + k)) by lia. nia. }
  assert (forall k, (k < i)%nat -> l (i - k)%nat = l' (i - k)%nat) as down.
  { induction k as [|k IH]; intros Hk; [rewrite Nat.sub_0_r; exact Ei|]. specialize (IH ltac:(lia)).
    specialize (step (i - S k - 1)%nat ltac:(lia)). replace (S (i - S k - 1)) with (i - S k)%nat in step by lia.
    replace (S (i - S k)) with (i - k)%nat in step by lia. nia. }
  intros k Hk. destruct (Nat.le_gt_cases i k) as [L|L].
  - specialize (up (k - i)%nat ltac:(lia)). replace (i + (k - i))%nat with k in up by lia. exact up.
  - specialize (down (i - k)%nat ltac:(lia)). replace (i - (i - k))%nat with k in down by lia. exact down.
Qed.
End Two.
End Recursion.

(** ** The network *)
Section Lemma3.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Notation delta := (delta N).
Notation BZ := (Z.of_nat (B d N)).
Notation NZ := (Z.of_nat N).
Notation R := (BZ ^ Z.of_nat n)%Z.

(** 1 + N + ... + N^(d-1) *)
Definition ones : Z := expand NZ d (fun _ => 1%Z).
(** The id of token i >= 1 at the start, in units of delta *)
Definition start (L : matrix) (i : nat) : Z :=
  (Z.of_nat (xid d N L (i - 1)) + match (i - 1)%nat with O => 0 | S _ => NZ * ones * BZ ^ Z.of_nat (i - 1) end)%Z.

(** It is at least 1, and at most N^d - 1. *)
Lemma ones_range : (1 <= ones <= BZ - 1)%Z.
Proof using All.
  unfold ones. rewrite (B_pow d N). split; [|apply expand_upper; intros; lia].
  destruct d as [|m]; [lia|]. rewrite expand_S. pose proof (expand_nonneg NZ ltac:(lia) m (fun _ => 1%Z)
    ltac:(intros; lia)). pose proof (pow_ge_1 NZ ltac:(lia) m). lia.
Qed.
Lemma sum_u : sum d (u N) == inject_Z ones.
Proof using All.
  unfold ones. clear. induction d as [|m IH]; [reflexivity|]. rewrite sum_S, IH, expand_S, inject_Z_plus, inject_Z_mult.
  unfold u, of_nat. rewrite Nat2Z.inj_pow. change (inject_Z 1) with 1. ring.
Qed.

(** The tokens at the start. *)
Lemma start_state L : in_G d n N L ->
  state d n N (embedded d N L) (fun i => if Nat.eqb i 0 then (R * NZ)%Z else start L i).
Proof using All.
  intros H. split; intros i Hi; destruct i as [|j].
  - change (row (S d) (u_all d n N) (fun r _ => flag d r) 0 == inject_Z (R * NZ) * delta).
    unfold row. rewrite sum_S, sum_zero.
    + unfold u_all, flag. rewrite !Nat.eqb_refl, (power_units d n N d1 n1 N2 star (star_contains n)). ring.
    + intros r Hr. unfold flag. destruct (Nat.eqb_spec r d); [lia|ring].
  - simpl (Nat.eqb (S j) 0). cbv iota. unfold row. rewrite sum_S.
    rewrite (sum_ext _ _ (fun r => u N r * L r j + position d N j * u N r)).
    + rewrite sum_plus, sum_scale, sum_u. change (sum d (fun r => u N r * L r j)) with (id d N L j).
      rewrite (xid_ids d n N d1 n1 N2 L H j ltac:(lia)).
      unfold embedded. rewrite Nat.eqb_refl. unfold start. simpl (S j - 1)%nat. rewrite Nat.sub_0_r.
      rewrite inject_Z_plus. destruct j as [|j]; [simpl position; change (inject_Z 0) with 0; ring|].
      simpl position. rewrite (power_whole d n N d1 n1 N2 star (star_contains n)). rewrite !inject_Z_mult.
      pose proof (delta_N N N2) as D. unfold of_nat in D.
      transitivity (inject_Z (Z.of_nat (xid d N L (S j))) * delta +
        inject_Z (BZ ^ Z.of_nat (S j)) * inject_Z ones * (inject_Z NZ * delta)); [rewrite D; ring|ring].
    + intros r Hr. unfold u_all, embedded. destruct (Nat.eqb_spec r d); [lia|]. ring.
  - simpl. unfold flag. rewrite Nat.eqb_refl. reflexivity.
  - simpl. rewrite Nat.eqb_refl. reflexivity.
Qed.

(** Token i's id lies between N b^(i-1) and N b^i, in units of delta; the first one's below N b. *)
Lemma start_range L i : in_G d n N L -> (1 <= i <= n)%nat ->
  (0 <= start L i)%Z /\ (start L i < BZ ^ Z.of_nat i * NZ)%Z /\
  ((2 <= i)%nat -> (BZ ^ Z.of_nat (i - 1) * NZ <= start L i)%Z).
Proof using All.
  intros H Hi. pose proof (xid_range d n N d1 n1 N2 L H (i - 1)%nat ltac:(lia)) as XR. pose proof ones_range as [O1 O2].
  pose proof (B_ge_2 d N d1 N2) as HB. destruct i as [|i]; [lia|]. unfold start. simpl (S i - 1)%nat in *.
  rewrite Nat.sub_0_r in *. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
  assert (NZ * ones <= NZ * (BZ - 1))%Z as NO by nia.
  destruct i as [|i]; [cbn [Z.of_nat]; rewrite Z.pow_0_r; split; [lia|split; [nia|lia]]|].
  assert (BZ <= BZ ^ Z.of_nat (S i))%Z as P by (rewrite <- (Z.pow_1_r BZ) at 1; apply Z.pow_le_mono_r; lia).
  set (p := (BZ ^ Z.of_nat (S i))%Z) in *. clearbody p.
  assert (1 * p <= ones * p <= (BZ - 1) * p)%Z as OP by nia.
  assert (NZ * (1 * p) <= NZ * (ones * p) <= NZ * ((BZ - 1) * p))%Z as NOP by nia.
  assert (0 <= NZ * p)%Z by nia. assert (BZ <= NZ * p)%Z by nia. rewrite <- !Z.mul_assoc.
  split; [lia|split; [|intros _; lia]]. nia.
Qed.
Lemma start_small L : in_G d n N L -> small R NZ n (start L).
Proof using All.
  intros H i Hi. destruct (start_range L i H Hi) as [S0 [S1 _]]. split; [exact S0|].
  pose proof (B_ge_2 d N d1 N2) as HB.
  assert (BZ ^ Z.of_nat i <= R)%Z by (apply Z.pow_le_mono_r; lia).
  assert (BZ ^ Z.of_nat i * NZ <= R * NZ)%Z by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.

Variable G : graph.
Hypothesis G_star : contains_star n G.
Notation runs := (sparse_run d n G).

(** After m phases. *)
Definition after (l : nat -> Z) (m i : nat) : Z :=
  if Nat.eqb i 0 then (R * g BZ R NZ l m)%Z else if Nat.leb i m then f BZ R NZ l i else l i.

(** Sizes. *)
Lemma sizes : (2 <= BZ)%Z /\ (BZ <= R)%Z /\ (1 <= R)%Z /\ (2 <= NZ)%Z /\ (NZ <= BZ)%Z.
Proof using All.
  pose proof (B_ge_2 d N d1 N2) as HB.
  assert (BZ <= R)%Z by (rewrite <- (Z.pow_1_r BZ) at 1; apply Z.pow_le_mono_r; lia).
  assert (NZ <= BZ)%Z. { rewrite (B_pow d N). rewrite <- (Z.pow_1_r NZ) at 1. apply Z.pow_le_mono_r; lia. }
  lia.
Qed.

(** The low shift of phase m + 1. *)
Lemma low_phase L X m : in_G d n N L -> (m < n)%nat -> state d n N X (after (start L) m) ->
  state d n N (sparse_attention d n G (low d n N (m + 1)) X)
    (fun i => if Nat.eqb i (m + 1) then f BZ R NZ (start L) (m + 1) else after (start L) m i).
Proof using All.
  intros H Hm St. set (l := start L) in *. pose proof (start_small L H) as Sm. fold l in Sm.
  destruct sizes as [b2 [bR [R1 [NN2 _]]]].
  pose proof (g_large BZ R NZ n b2 R1 ltac:(lia) l m Sm Hm) as GL.
  assert (after l m O = R * g BZ R NZ l m)%Z as A0 by reflexivity.
  assert (after l m (m + 1) = l (m + 1)%nat) as A1.
  { unfold after. destruct (Nat.eqb_spec (m + 1) 0); [lia|]. destruct (Nat.leb_spec (m + 1) m); [lia|reflexivity]. }
  assert (forall j, (j <= n)%nat -> (BZ ^ Z.of_nat j <= R)%Z) as PR by (intros; apply Z.pow_le_mono_r; lia).
  destruct (start_range L (m + 1) H ltac:(lia)) as [r0 [r1 _]]. fold l in r0, r1.
  assert (forall i, (i <= n)%nat -> i <> (m + 1)%nat -> (BZ ^ Z.of_nat (m + 1) * NZ <= after l m i)%Z) as others.
  { intros i Hi NE. specialize (PR (m + 1)%nat ltac:(lia)). unfold after. destruct (Nat.eqb_spec i 0); [nia|].
    destruct (Nat.leb_spec i m) as [L1|L1].
    - pose proof (f_large BZ R NZ n b2 R1 ltac:(lia) l i Sm ltac:(lia)). nia.
    - destruct (start_range L i H ltac:(lia)) as [_ [_ r2]]. fold l in r2. specialize (r2 ltac:(lia)).
      assert (BZ ^ Z.of_nat (m + 1) <= BZ ^ Z.of_nat (i - 1))%Z by (apply Z.pow_le_mono_r; lia). nia. }
  assert (forall i, (i <= n)%nat -> (after l m i <= after l m O)%Z) as below.
  { intros i Hi. rewrite A0. unfold after. destruct (Nat.eqb_spec i 0); [lia|]. destruct (Nat.leb_spec i m) as [L1|L1].
    - pose proof (f_below BZ R NZ n b2 R1 ltac:(lia) l i m Sm ltac:(lia) Hm). lia.
    - specialize (Sm i ltac:(lia)). lia. }
  eapply (state_ext d n N);
    [|apply (low_state d n N d1 n1 N2 G G_star X (after l m) (m + 1) St); [lia| | | |]].
  - intros i Hi. cbv beta. destruct (Nat.eqb_spec i (m + 1)) as [->|]; [|reflexivity]. rewrite A0, A1. unfold f.
    replace (m + 1 - 1)%nat with m by lia. ring.
  - intros i Hi. destruct (Nat.eq_dec i (m + 1)) as [->|NE]; [lia|]. specialize (others i Hi NE).
    pose proof (Z.pow_nonneg BZ (Z.of_nat (m + 1)) ltac:(lia)). nia.
  - rewrite A1. exact r1.
  - exact others.
  - intros i Hi. split; [|apply below, Hi]. destruct (Nat.eq_dec i (m + 1)) as [->|NE]; [lia|].
    specialize (others i Hi NE). lia.
Qed.

(** Phase after phase. *)
Lemma phases_state L m : in_G d n N L -> (m < n)%nat ->
  state d n N (runs (phases d n N m) (embedded d N L)) (after (start L) m).
Proof using All.
  intros H. induction m as [|m IH]; intros Hm.
  - eapply (state_ext d n N); [|apply (start_state L H)]. intros i Hi. unfold after. simpl g.
    destruct (Nat.eqb_spec i 0); [reflexivity|]. destruct (Nat.leb_spec i 0); [lia|reflexivity].
  - specialize (IH ltac:(lia)). unfold phases. rewrite seq_S, flat_map_app. unfold sparse_run. rewrite fold_left_app.
    fold (sparse_run d n G (phases d n N m) (embedded d N L)). simpl (0 + m)%nat. cbn [flat_map app fold_left].
    pose proof (low_phase L _ m H ltac:(lia) IH) as St. set (l := start L) in *.
    pose proof (start_small L H) as Sm. fold l in Sm. destruct sizes as [b2 [bR [R1 [NN2 _]]]].
    pose proof (g_large BZ R NZ n b2 R1 ltac:(lia) l m Sm ltac:(lia)) as GL.
    pose proof (f_above BZ R NZ n b2 R1 ltac:(lia) l m Sm ltac:(lia) GL) as FA.
    set (y := fun i => if Nat.eqb i (m + 1) then _ else _) in St.
    assert (y O = R * g BZ R NZ l m)%Z as Y0.
    { unfold y. destruct (Nat.eqb_spec 0 (m + 1)); [lia|]. reflexivity. }
    assert (y (m + 1)%nat = f BZ R NZ l (m + 1)) as Y1 by (unfold y; rewrite Nat.eqb_refl; reflexivity).
    assert (y (m + 2)%nat = l (m + 2)%nat) as Y2.
    { unfold y, after. destruct (Nat.eqb_spec (m + 2) (m + 1)); [lia|]. destruct (Nat.eqb_spec (m + 2) 0); [lia|].
      destruct (Nat.leb_spec (m + 2) m); [lia|reflexivity]. }
    replace (S m) with (m + 1)%nat in FA by lia.
    eapply (state_ext d n N);
      [|apply (high_state d n N d1 n1 N2 G G_star _ y (m + 1) (m + 2) St); [lia|lia|]].
    + intros i Hi. cbv beta. unfold after. destruct (Nat.eqb_spec i 0) as [->|NE0].
      * rewrite Y0, Y1, Y2. pose proof (g_step BZ R NZ l m) as GS. replace (S (S m)) with (m + 2)%nat in GS by lia.
        replace (S m) with (m + 1)%nat in * by lia. lia.
      * unfold y, after. destruct (Nat.eqb_spec i (m + 1)) as [->|NE].
        { destruct (Nat.leb_spec (m + 1) (S m)); [reflexivity|lia]. }
        destruct (Nat.eqb_spec i 0); [lia|]. destruct (Nat.leb_spec i m), (Nat.leb_spec i (S m)); try lia; reflexivity.
    + intros i Hi. rewrite Y1, Y2. pose proof (Sm (m + 2)%nat ltac:(lia)) as S2. unfold y.
      destruct (Nat.eqb_spec i (m + 1)) as [->|NE]; [lia|]. unfold after. destruct (Nat.eqb_spec i 0); [lia|].
      destruct (Nat.leb_spec i m) as [L1|L1].
      * pose proof (f_large BZ R NZ n b2 R1 ltac:(lia) l i Sm ltac:(lia)).
        pose proof (f_order BZ R NZ n b2 R1 ltac:(lia) l i (m + 1) Sm ltac:(lia) ltac:(lia)). lia.
      * pose proof (Sm i ltac:(lia)). split; [|lia]. destruct (Nat.eq_dec i (m + 2)) as [->|NE2]; [lia|].
        destruct (start_range L i H ltac:(lia)) as [_ [_ r2]]. specialize (r2 ltac:(lia)).
        destruct (start_range L (m + 2) H ltac:(lia)) as [_ [r1 _]]. fold l in r1, r2.
        assert (BZ ^ Z.of_nat (m + 2) <= BZ ^ Z.of_nat (i - 1))%Z by (apply Z.pow_le_mono_r; lia). nia.
Qed.

(** q is f_i and the last global id, side by side. *)
Definition last_factor : Z := (BZ ^ Z.of_nat ((n + 1) * (n + 1)))%Z.
Theorem q_is L j : in_G d n N L -> (j < n)%nat ->
  sparse_q d n N G L j ==
  inject_Z (f BZ R NZ (start L) (S j) + last_factor * (R * g BZ R NZ (start L) (n - 1))) * delta.
Proof using All.
  intros H Hj. unfold sparse_q, sparse_network, sparse_run. rewrite fold_left_app. cbn [fold_left].
  fold (sparse_run d n G (phases d n N (n - 1)) (embedded d N L)).
  pose proof (low_phase L _ (n - 1) H ltac:(lia) (phases_state L (n - 1) H ltac:(lia))) as St.
  replace (n - 1 + 1)%nat with n in St by lia.
  rewrite (last_ids d n N d1 n1 N2 G G_star _ _ (S j) St ltac:(lia)). cbv beta.
  assert (Nat.eqb 0 n = false) as -> by (destruct (Nat.eqb_spec 0 n); [lia|reflexivity]).
  unfold after at 2. simpl (Nat.eqb 0 0). cbv iota. unfold last_factor.
  destruct (Nat.eqb_spec (S j) n) as [E|NE].
  - rewrite E. reflexivity.
  - unfold after. destruct (Nat.eqb_spec (S j) 0); [lia|]. destruct (Nat.leb_spec (S j) (n - 1)); [reflexivity|lia].
Qed.

(** There is room for f. *)
Lemma f_room L i : in_G d n N L -> (1 <= i <= n)%nat -> (0 <= f BZ R NZ (start L) i < last_factor)%Z.
Proof using All.
  intros H Hi. pose proof (start_small L H) as Sm. destruct sizes as [b2 [bR [R1 [NN2 Nb]]]].
  pose proof (f_large BZ R NZ n b2 R1 ltac:(lia) _ i Sm Hi). split; [nia|].
  eapply Z.le_lt_trans; [apply (f_upper BZ R NZ n b2 R1 ltac:(lia) _ i Sm Hi)|].
  assert (BZ * R = BZ ^ (Z.of_nat n + 1))%Z as BR by (rewrite Z.pow_add_r, Z.pow_1_r by lia; ring).
  unfold last_factor. replace (Z.of_nat ((n + 1) * (n + 1))) with ((Z.of_nat n + 1) * (Z.of_nat n + 1))%Z
    by (rewrite Nat2Z.inj_mul, !Nat2Z.inj_add; reflexivity).
  assert (1 <= Z.of_nat n)%Z as m1 by lia. set (m := Z.of_nat n) in *. clearbody m. assert (0 <= BZ * BZ ^ m)%Z as BR0 by (apply Z.mul_nonneg_nonneg; lia).
  assert (BZ * BZ ^ m + 1 <= BZ ^ (m + 2))%Z as P2.
  { replace (m + 2)%Z with (m + 1 + 1)%Z by lia. rewrite Z.pow_add_r, Z.pow_1_r by lia. rewrite <- BR. nia. }
  assert ((BZ * BZ ^ m + 1) ^ (m - 1) <= BZ ^ ((m + 2) * (m - 1)))%Z as P3.
  { rewrite Z.pow_mul_r by lia. apply Z.pow_le_mono_l. lia. }
  assert (0 <= (BZ * BZ ^ m + 1) ^ (m - 1))%Z as P0 by (apply Z.pow_nonneg; lia).
  apply Z.le_lt_trans with (BZ * BZ ^ m * (BZ ^ ((m + 2) * (m - 1)) * BZ))%Z.
  - apply Z.mul_le_mono_nonneg_l; [exact BR0|]. apply Z.mul_le_mono_nonneg; lia.
  - rewrite BR. replace (BZ ^ ((m + 2) * (m - 1)) * BZ)%Z with (BZ ^ ((m + 2) * (m - 1) + 1))%Z
      by (rewrite Z.pow_add_r, Z.pow_1_r by nia; reflexivity).
    rewrite <- Z.pow_add_r by nia. apply Z.pow_lt_mono_r; nia.
Qed.

(** Lemma 3: a contextual mapping. *)
Lemma q_units L L' j j' : in_G d n N L -> in_G d n N L' -> (j < n)%nat -> (j' < n)%nat ->
  sparse_q d n N G L j == sparse_q d n N G L' j' ->
  f BZ R NZ (start L) (S j) = f BZ R NZ (start L') (S j') /\
  g BZ R NZ (start L) (n - 1) = g BZ R NZ (start L') (n - 1).
Proof using All.
  intros H H' Hj Hj' E. rewrite (q_is L j H Hj), (q_is L' j' H' Hj') in E. apply (units_eq N N2) in E.
  pose proof (f_room L (S j) H ltac:(lia)) as F1. pose proof (f_room L' (S j') H' ltac:(lia)) as F2.
  destruct sizes as [b2 [bR [R1 [NN2 Nb]]]].
  set (x := f BZ R NZ (start L) (S j)) in *. set (x' := f BZ R NZ (start L') (S j')) in *.
  set (y := g BZ R NZ (start L) (n - 1)) in *. set (y' := g BZ R NZ (start L') (n - 1)) in *.
  assert (R * y = R * y')%Z as EY.
  { destruct (Z.lt_trichotomy (R * y) (R * y')) as [T|[T|T]]; [exfalso; nia|exact T|exfalso; nia]. }
  split; [nia|]. apply Z.mul_reg_l in EY; [exact EY|lia].
Qed.
Theorem lemma3_contextual : contextual d n N (sparse_q d n N G).
Proof using All.
  destruct sizes as [b2 [bR [R1 [NN2 Nb]]]]. split.
  - intros L j j' H Hj Hj' E. destruct (q_units L L j j' H H Hj Hj' E) as [EF _]. pose proof (start_small L H) as Sm.
    destruct (Nat.lt_total j j') as [T|[T|T]]; [exfalso|exact T|exfalso].
    + pose proof (f_order BZ R NZ n b2 R1 ltac:(lia) _ (S j) (S j') Sm ltac:(lia) ltac:(lia)). lia.
    + pose proof (f_order BZ R NZ n b2 R1 ltac:(lia) _ (S j') (S j) Sm ltac:(lia) ltac:(lia)). lia.
  - intros L L' j j' H H' NS Hj Hj' E. apply NS. destruct (q_units L L' j j' H H' Hj Hj' E) as [EF EG].
    assert (forall k, (1 <= k <= n)%nat -> start L k = start L' k) as ES.
    { apply (f_tell BZ R NZ n b2 R1 ltac:(lia) _ _ (start_small L H) (start_small L' H')) with (i := S j) (j := S j');
        try lia; try assumption.
      intros i Hi. unfold start. pose proof (xid_range d n N d1 n1 N2 L H (i - 1)%nat ltac:(lia)).
      pose proof (xid_range d n N d1 n1 N2 L' H' (i - 1)%nat ltac:(lia)). lia. }
    intros r k Hr Hk. specialize (ES (S k) ltac:(lia)). unfold start in ES. simpl (S k - 1)%nat in ES.
    rewrite Nat.sub_0_r in ES.
    apply (xid_same d n N d1 n1 N2 L k L' k H H' Hk Hk); [lia|exact Hr].
Qed.
End Lemma3.

(** The size. *)
Lemma phases_length d n N m : length (phases d n N m) = (2 * m)%nat.
Proof.
  induction m as [|m IH]; [reflexivity|]. unfold phases. rewrite seq_S, flat_map_app, app_length.
  fold (phases d n N m). rewrite IH. simpl. lia.
Qed.

(** BigBird's Lemma 3. *)
Theorem bigbird_lemma3 : BigBird_lemma3.
Proof.
  intros d n N d1 n1 N2. split; [split|].
  - unfold sparse_network. rewrite app_length, phases_length. simpl. lia.
  - intros l Hl. unfold sparse_network in Hl. apply in_app_or in Hl. destruct Hl as [Hl|[<-|[<-|[]]]]; [|simpl; lia..].
    unfold phases in Hl. apply in_flat_map in Hl. destruct Hl as [k [_ [<-|[<-|[]]]]]; simpl; lia.
  - intros G HG. apply lemma3_contextual; assumption.
Qed.

(** The same q over every such graph. *)
Theorem bigbird_any_graph : BigBird_any_graph.
Proof.
  intros d n N d1 n1 N2 G G' HG HG' L H j Hj.
  rewrite (q_is d n N d1 n1 N2 G HG L j H Hj), (q_is d n N d1 n1 N2 G' HG' L j H Hj). reflexivity.
Qed.

(** ** The hypotheses can be met: by the star, by the star with one edge more, by the graph in which all attend to all;
    and there are contexts. *)
Example star_with_edge_contains n a b : contains_star n (with_edge a b star).
Proof. intros i Hi. destruct (star_contains n i Hi) as [H1 [H2 H3]]. unfold with_edge. rewrite H1, H2, H3. auto. Qed.
Example with_edge_is_more : star 1%nat 2%nat = false /\ with_edge 1 2 star 1%nat 2%nat = true.
Proof. split; reflexivity. Qed.
Example complete_contains n : contains_star n (fun _ _ => true).
Proof. intros i Hi. auto. Qed.
Example contexts_exist d n N : (2 <= N)%nat -> exists L L', in_G d n N L /\ in_G d n N L' /\
  ((1 <= d)%nat -> (1 <= n)%nat -> ~ same_context d n L L').
Proof.
  intros N2. exists (fun _ _ => 0), (fun _ _ => 1 * delta N). split; [|split].
  - intros i j _ _. exists O. split; [lia|]. unfold of_nat. simpl. ring.
  - intros i j _ _. exists 1%nat. split; [lia|]. reflexivity.
  - intros d1 n1 E. specialize (E 0%nat 0%nat ltac:(lia) ltac:(lia)). cbv beta in E. pose proof (delta_pos N N2). lra.
Qed.
