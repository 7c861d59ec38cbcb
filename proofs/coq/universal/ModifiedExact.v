(** Proposition 4 with distance 0 at every point of R^(d x n): the statements of [Modified.v], proved. The rational network
    does over R what it does over Q; the quantiser makes a rational matrix of any real one; then [Exact.v] says what the
    contextual mapping and the rejection make of it, and only the value map has to be followed over R. *)
From Coq Require Import Reals QArith Qreals List Arith Bool ZArith Lia Lra Psatz FunctionalExtensionality Permutation.
From Contextual Require Statement Layers StatementExact Heads Tokens Grid Exact Approximation Sums Tracking.
From Contextual Require Import Modified.
Import ListNotations.
Open Scope R_scope.

(** ** Rational numbers as real ones *)
Lemma Q2R_1 : Q2R 1 = 1.
Proof. unfold Q2R. simpl. lra. Qed.

(** Brought into lowest terms. *)
Lemma Q2R_red x : Q2R (Qred x) = Q2R x.
Proof. apply Qeq_eqR, Qred_correct. Qed.

(** Sums. *)
Lemma Q2R_sum m f : Q2R (Statement.sum m f) = sum m (fun k => Q2R (f k)).
Proof. induction m as [|m IH]; [exact RMicromega.Q2R_0|].
  cbn [Statement.sum Approximation.sum]. rewrite Q2R_red, Q2R_plus, IH. reflexivity. Qed.

(** Whole numbers. *)
Lemma Q2R_nat k : Q2R (Statement.of_nat k) = INR k.
Proof. unfold Statement.of_nat, Q2R, inject_Z. simpl. rewrite INR_IZR_INZ. field. Qed.

(** Tests that agree on a list. *)
Lemma forallb_agree {T} (f g : T -> bool) l : (forall a, In a l -> f a = g a) -> forallb f l = forallb g l.
Proof.
  induction l as [|a l IH]; intros H; [reflexivity|]. simpl. rewrite (H a), IH; auto using in_eq, in_cons.
Qed.

(** The order. *)
Lemma Q2R_le x y : Qle_bool x y = le (Q2R x) (Q2R y).
Proof.
  unfold le. destruct (Rle_dec (Q2R x) (Q2R y)) as [L|L].
  - apply Qle_bool_iff, Rle_Qle, L.
  - destruct (Qle_bool x y) eqn:E; [|reflexivity]. apply Qle_bool_iff, Qle_Rle in E. contradiction.
Qed.

Lemma Q2R_less x y : Layers.less x y = lt (Q2R x) (Q2R y).
Proof.
  unfold Layers.less. rewrite Q2R_le. unfold le, lt. destruct (Rle_dec (Q2R y) (Q2R x)), (Rlt_dec (Q2R x) (Q2R y));
    simpl; try reflexivity; exfalso; lra.
Qed.

(** ** The morphism *)
Section Run.
Variables d n : nat.

Lemma real_on l t : Q2R (Layers.on l t) = on (real_line l) (Q2R t).
Proof using. unfold Layers.on, on. rewrite Q2R_plus, Q2R_mult. reflexivity. Qed.

Lemma real_activate f t : Q2R (Layers.activate f t) = activate (real_activation f) (Q2R t).
Proof using.
  unfold Layers.activate, activate. rewrite !Q2R_less, Q2R_le. simpl.
  destruct (lt _ _); [apply real_on|]. destruct (Layers.closed f); [destruct (le _ _)|destruct (lt _ _)]; apply real_on.
Qed.

Lemma real_row w X j : Q2R (Statement.row d w X j) = row d (real_vector w) (real_matrix X) j.
Proof using.
  unfold Statement.row, row. rewrite Q2R_sum. apply Sums.sum_ext. intros i _. apply Q2R_mult.
Qed.

Lemma real_argmax s i : Statement.is_argmax n s i = is_argmax n (real_vector s) i.
Proof using.
  unfold Statement.is_argmax, is_argmax. induction (seq 0 n) as [|k l IH]; [reflexivity|]. simpl. rewrite IH, Q2R_le.
  reflexivity.
Qed.

(** Where there is an arg max, hardmax divides by their number. *)
Lemma real_hardmax s k : (k < n)%nat -> Q2R (Statement.hardmax n s k) = hardmax n (real_vector s) k.
Proof using.
  intros Hk. unfold Statement.hardmax, hardmax. rewrite <- real_argmax. destruct (Statement.is_argmax n s k) eqn:E;
    [|exact RMicromega.Q2R_0].
  assert (argmaxima n (real_vector s) = Statement.argmaxima n s) as ->.
  { unfold argmaxima, Statement.argmaxima. f_equal. apply filter_ext. intros i. symmetry. apply real_argmax. }
  assert (In k (filter (Statement.is_argmax n s) (seq 0 n))) as I by (apply filter_In; split; [apply in_seq; lia|exact E]).
  assert (Statement.argmaxima n s <> O) as NZ.
  { unfold Statement.argmaxima. destruct (filter _ _); [destruct I|discriminate]. }
  rewrite Q2R_div; [rewrite Q2R_1, Q2R_nat; reflexivity|]. unfold Statement.of_nat, Qeq. simpl. lia.
Qed.

Lemma real_value h X j : Q2R (Statement.head_value d n h X j) = head_value d n (real_head h) (real_matrix X) j.
Proof using.
  unfold Statement.head_value, head_value. rewrite Q2R_sum. apply Sums.sum_ext. intros k Hk.
  rewrite Q2R_mult, real_row, real_hardmax by exact Hk. f_equal. f_equal. extensionality i. unfold real_vector at 1.
  rewrite Q2R_mult, Q2R_plus, !real_row. reflexivity.
Qed.

(** One layer. *)
Lemma real_apply l X : apply d n (real_matrix X) (real_layer l) = real_matrix (Layers.apply d n X l).
Proof using.
  extensionality i. extensionality j. destruct l as [l|t].
  - cbn [real_layer apply Layers.apply]. unfold attention, Statement.attention, real_matrix at 3. rewrite Q2R_red, Q2R_plus.
    f_equal. induction l as [|h l IH]; [symmetry; exact RMicromega.Q2R_0|].
    cbn [map fold_right]. rewrite Q2R_plus, Q2R_mult, real_value, IH. reflexivity.
  - cbn [real_layer apply Layers.apply]. unfold each_token, Layers.each_token, real_matrix at 3.
    rewrite Q2R_red, Q2R_plus, Q2R_mult, real_activate, Q2R_plus, real_row. reflexivity.
Qed.

(** All layers. *)
Theorem real_run network : forall X, run d n (map real_layer network) (real_matrix X) =
  real_matrix (Layers.run_all d n network X).
Proof using.
  induction network as [|l ls IH]; intros X; [reflexivity|].
  change (run d n (map real_layer ls) (apply d n (real_matrix X) (real_layer l)) =
    real_matrix (Layers.run_all d n ls (Layers.apply d n X l))). rewrite real_apply. apply IH.
Qed.

(** ** Networks one after the other; none reads what is outside d x n. *)
Lemma run_app ls ls' X : run d n (ls ++ ls') X = run d n ls' (run d n ls X).
Proof using. apply fold_left_app. Qed.

Definition agree (X Y : matrix) : Prop := forall i j, (i < d)%nat -> (j < n)%nat -> X i j = Y i j.

Lemma row_ext w X Y j : (forall i, (i < d)%nat -> X i j = Y i j) -> row d w X j = row d w Y j.
Proof using. intros H. apply Sums.sum_ext. intros i Hi. rewrite H by exact Hi. reflexivity. Qed.

Lemma apply_ext l X Y : agree X Y -> agree (apply d n X l) (apply d n Y l).
Proof using.
  intros H i j Hi Hj. assert (forall w k, (k < n)%nat -> row d w X k = row d w Y k) as R
    by (intros; apply row_ext; intros; apply H; assumption).
  destruct l as [l|t]; simpl.
  - unfold attention. rewrite H by assumption. f_equal. induction l as [|h l IH]; [reflexivity|]. simpl. rewrite IH. f_equal.
    f_equal. unfold head_value. apply Sums.sum_ext. intros k Hk. rewrite (R (W_V h) k Hk), (R (W_Q h) j Hj). f_equal.
    assert (forall s s', (forall i, (i < n)%nat -> s i = s' i) -> forall k, (k < n)%nat -> hardmax n s k = hardmax n s' k) as E.
    { intros s s' Es k' Hk'. assert (forall i, (i < n)%nat -> is_argmax n s i = is_argmax n s' i) as A.
      { intros i' Hi'. unfold is_argmax. apply forallb_agree. intros a Ha. apply in_seq in Ha. rewrite !Es by lia.
        reflexivity. }
      unfold hardmax. rewrite A by exact Hk'. destruct (is_argmax n s' k'); [|reflexivity]. f_equal. f_equal.
      unfold argmaxima. f_equal. apply filter_ext_in. intros a Ha. apply in_seq in Ha. apply A. lia. }
    apply E; [|exact Hk]. intros a Ha. rewrite (R (W_K h) a Ha). reflexivity.
  - unfold each_token. rewrite H, R by assumption. reflexivity.
Qed.

Lemma run_ext ls : forall X Y, agree X Y -> agree (run d n ls X) (run d n ls Y).
Proof using.
  induction ls as [|l ls IH]; intros X Y H; [exact H|]. apply (IH (apply d n X l)), apply_ext, H.
Qed.

(** ** Token-wise layers *)
Lemma real_unit i0 k : real_vector (Layers.unit_vector i0) k = if Nat.eqb k i0 then 1 else 0.
Proof using. unfold real_vector, Layers.unit_vector. destruct (Nat.eqb k i0); [exact Q2R_1|exact RMicromega.Q2R_0]. Qed.

Lemma row_unit i0 X j : (i0 < d)%nat -> row d (real_vector (Layers.unit_vector i0)) X j = X i0 j.
Proof using.
  intros H. unfold row. clear -H. induction d as [|m IH]; [lia|]. cbn [Approximation.sum]. rewrite real_unit.
  destruct (Nat.eqb_spec m i0) as [->|NE].
  - rewrite (Sums.sum_ext i0 _ (fun _ => 0)); [rewrite Sums.sum_const; ring|].
    intros k Hk. rewrite real_unit. destruct (Nat.eqb_spec k i0); [lia|ring].
  - rewrite IH by lia. ring.
Qed.

(** A layer of row i0 changes this row alone. *)
Lemma row_layer_spec i0 b f X i j : (i0 < d)%nat ->
  apply d n X (real_layer (Layers.Each (Layers.row_layer i0 b f))) i j =
  if Nat.eqb i i0 then X i j + activate (real_activation f) (X i j + Q2R b) else X i j.
Proof using.
  intros H. cbn [real_layer apply]. unfold each_token. cbn [W_2 W_1 phi b_1 Layers.row_layer Layers.W_2 Layers.W_1 Layers.phi
    Layers.b_1].
  rewrite row_unit by exact H. rewrite real_unit. destruct (Nat.eqb_spec i i0) as [->|]; ring.
Qed.
End Run.

(** ** The quantiser *)
Section Quantiser.
Variables d n N : nat.
Hypothesis N2 : (2 <= N)%nat.
Notation w := (/ INR N).
Variable S : Q.

(** What one row's layers do to an entry. *)
Definition first_layer (x : R) : R := x + activate (real_activation (Layers.outside S)) (x + Q2R 0).
Definition cell_layer (x : R) (k : nat) : R :=
  x + activate (real_activation (Layers.step N)) (x + Q2R (- (Statement.of_nat k * Statement.delta N))).
Definition entry (x : R) : R := fold_left cell_layer (seq 0 N) (first_layer x).

Lemma quantise_row_spec i0 X i j : (i0 < d)%nat ->
  run d n (map real_layer (map Layers.Each (Layers.quantise_row N S i0))) X i j = if Nat.eqb i i0 then entry (X i j) else X i j.
Proof using.
  intros H. unfold Layers.quantise_row. cbn [map].
  change (run d n (?l :: ?ls) X) with (run d n ls (apply d n X l)).
  assert (forall ks X, run d n (map real_layer (map Layers.Each (map (fun k =>
    Layers.row_layer i0 (- (Statement.of_nat k * Statement.delta N)) (Layers.step N)) ks))) X i j =
    if Nat.eqb i i0 then fold_left cell_layer ks (X i j) else X i j) as G.
  { induction ks as [|k ks IH]; intros Y; [simpl; destruct (Nat.eqb i i0); reflexivity|]. cbn [map fold_left].
    change (run d n (?l :: ?ls) Y) with (run d n ls (apply d n Y l)). rewrite IH, row_layer_spec by exact H.
    destruct (Nat.eqb i i0); reflexivity. }
  rewrite G, row_layer_spec by exact H. unfold entry, first_layer. destruct (Nat.eqb i i0); reflexivity.
Qed.

Lemma quantiser_spec X i j : (i < d)%nat ->
  run d n (map real_layer (map Layers.Each (Layers.quantiser d N S))) X i j = entry (X i j).
Proof using N2.
  assert (forall r i, (r <= d)%nat -> (i < d)%nat ->
    run d n (map real_layer (map Layers.Each (flat_map (Layers.quantise_row N S) (seq 0 r)))) X i j =
    if (i <? r)%nat then entry (X i j) else X i j) as G.
  { induction r as [|r IH]; intros i0 Hr Hi; [reflexivity|].
    rewrite seq_S, flat_map_app, !map_app, run_app. cbn [flat_map]. rewrite app_nil_r.
    rewrite quantise_row_spec by (simpl; lia). rewrite !IH by lia. simpl (0 + r)%nat.
    destruct (Nat.eqb_spec i0 r) as [->|NE].
    - destruct (Nat.ltb_spec r r), (Nat.ltb_spec r (Datatypes.S r)); try lia; reflexivity.
    - destruct (Nat.ltb_spec i0 r), (Nat.ltb_spec i0 (Datatypes.S r)); try lia; reflexivity. }
  intros Hi. unfold Layers.quantiser. rewrite G by lia. destruct (Nat.ltb_spec i d); [reflexivity|lia].
Qed.

(** Inside its cell an entry goes to the corner; elsewhere the layer does nothing. *)
Lemma cell_spec x k : cell_layer x k = if le (INR k * w) x && lt x (INR k * w + w) then INR k * w else x.
Proof using N2.
  unfold cell_layer, activate. simpl. rewrite Q2R_opp, Q2R_mult, Q2R_nat, (Tracking.delta_real N N2), RMicromega.Q2R_0.
  pose proof (Tracking.w_pos N N2). unfold on, lt, le, real_line, Layers.nothing, Layers.minus. simpl.
  assert (Q2R (-1) = -1) as M by (unfold Q2R; simpl; lra). rewrite M, RMicromega.Q2R_0.
  destruct (Rle_dec (INR k * w) x), (Rlt_dec (x + - (INR k * w)) 0), (Rlt_dec x (INR k * w + w)),
    (Rlt_dec (x + - (INR k * w)) w); simpl; lra.
Qed.

Lemma first_spec x : first_layer x = if le 0 x && lt x 1 then x else Q2R S.
Proof using.
  unfold first_layer, activate. simpl. rewrite RMicromega.Q2R_0, Q2R_1. unfold on, lt, le, real_line, Layers.nothing.
  simpl. assert (Q2R (-1) = -1) as M by (unfold Q2R; simpl; lra). rewrite M, RMicromega.Q2R_0.
  destruct (Rlt_dec (x + 0) 0), (Rle_dec 0 x), (Rlt_dec (x + 0) 1), (Rlt_dec x 1); simpl; lra.
Qed.

(** An entry that no cell holds stays. *)
Lemma cells_miss ks x : (forall k, In k ks -> x < INR k * w \/ INR k * w + w <= x) -> fold_left cell_layer ks x = x.
Proof using N2.
  induction ks as [|k ks IH]; intros H; [reflexivity|]. simpl. rewrite cell_spec.
  assert (le (INR k * w) x && lt x (INR k * w + w) = false) as ->.
  { unfold le, lt. destruct (H k (or_introl eq_refl)), (Rle_dec (INR k * w) x), (Rlt_dec x (INR k * w + w)); simpl;
      try reflexivity; exfalso; lra. }
  apply IH. intros k' Hk'. apply H. right. exact Hk'.
Qed.

(** An entry of cell k goes to its corner. *)
Lemma cells_hit k x m : INR k * w <= x < INR k * w + w ->
  fold_left cell_layer (seq 0 m) x = if (k <? m)%nat then INR k * w else x.
Proof using N2.
  intros Hx. pose proof (Tracking.w_pos N N2) as W. induction m as [|m IH]; [reflexivity|].
  rewrite seq_S, fold_left_app, IH. cbn [fold_left Nat.add]. rewrite cell_spec. clear IH.
  assert (forall a b, (a < b)%nat -> INR a * w + w <= INR b * w) as G.
  { intros a b Hab. apply (le_INR (Datatypes.S a)) in Hab. rewrite S_INR in Hab. nra. }
  unfold le, lt. destruct (Nat.ltb_spec k m) as [L|L].
  - specialize (G k m L). destruct (Nat.ltb_spec k (Datatypes.S m)); [|lia].
    destruct (Rle_dec (INR m * w) (INR k * w)); simpl; [exfalso; lra|reflexivity].
  - destruct (Nat.ltb_spec k (Datatypes.S m)) as [L'|L'].
    + assert (m = k) as -> by lia. destruct (Rle_dec (INR k * w) x), (Rlt_dec x (INR k * w + w)); simpl; lra.
    + specialize (G m k ltac:(lia)). destruct (Rlt_dec x (INR m * w + w)); [exfalso; lra|]. rewrite andb_false_r. reflexivity.
Qed.

(** The number of the cell of x *)
Definition number (x : R) : nat := Z.to_nat (Int_part (x * INR N)).

Lemma number_spec x : 0 <= x < 1 -> (number x < N)%nat /\ INR (number x) * w <= x < INR (number x) * w + w.
Proof using N2.
  intros Hx. pose proof (Tracking.w_pos N N2) as W. assert (0 < INR N) as NP by (apply lt_0_INR; lia).
  assert (INR N * w = 1) as NW by (apply Rinv_r; lra). destruct (base_Int_part (x * INR N)) as [A B].
  assert (0 <= Int_part (x * INR N))%Z as P.
  { apply Z.lt_succ_r. apply lt_IZR. rewrite succ_IZR. nra. }
  assert (INR (number x) = IZR (Int_part (x * INR N))) as E by (unfold number; rewrite INR_IZR_INZ, Z2Nat.id by exact P;
    reflexivity).
  rewrite <- E in A, B. split; [|split].
  - apply INR_lt. nra.
  - apply Rmult_le_reg_r with (INR N); [exact NP|]. rewrite Rmult_assoc, (Rmult_comm w), NW. lra.
  - apply Rmult_lt_reg_r with (INR N); [exact NP|]. rewrite Rmult_plus_distr_r, Rmult_assoc, (Rmult_comm w), NW. lra.
Qed.

Hypothesis S_off : Q2R S < 0 \/ 1 <= Q2R S.

(** An entry of [0, 1) goes to its corner, all others to the sentinel. *)
Theorem entry_spec x : entry x = if le 0 x && lt x 1 then INR (number x) * w else Q2R S.
Proof using N2 S_off.
  unfold entry. rewrite first_spec. unfold le, lt. destruct (Rle_dec 0 x), (Rlt_dec x 1); simpl.
  1: { destruct (number_spec x ltac:(lra)) as [L C]. rewrite (cells_hit (number x) x N C).
       destruct (Nat.ltb_spec (number x) N); [reflexivity|lia]. }
  all: pose proof (Tracking.w_pos N N2) as W; assert (INR N * w = 1) as NW by (apply Rinv_r, not_0_INR; lia);
    apply cells_miss; intros k Hk; apply in_seq in Hk; pose proof (pos_INR k);
    assert (INR k + 1 <= INR N) by (rewrite <- S_INR; apply le_INR; lia);
    (destruct S_off; [left|right]; nra).
Qed.
End Quantiser.
