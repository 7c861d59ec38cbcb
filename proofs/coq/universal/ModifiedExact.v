(** Proposition 4 with distance 0 at every point of R^(d x n): the statements of [Modified.v], proved. The rational
    network
    does over R what it does over Q; the quantiser makes a rational matrix of any real one; then [Exact.v] says what the
    contextual mapping and the rejection make of it, and only the value map has to be followed over R. *)
From Coq Require Import Reals QArith Qreals List Arith Bool ZArith Lia Lra Psatz FunctionalExtensionality Permutation.
From Contextual Require Statement Layers StatementExact Network Tokens Grid Exact Approximation OneHead.
From Contextual Require Import Sums Tracking Modified.
Import ListNotations.
Open Scope R_scope.

(** ** Rational numbers as real ones *)
Lemma Q2R_1 : Q2R 1 = 1.
Proof. unfold Q2R. simpl. lra. Qed.

(** Brought into lowest terms. *)
Lemma Q2R_red x : Q2R (Qred x) = Q2R x.
Proof. apply Qeq_eqR, Qred_correct. Qed.

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

(** The strict order. *)
Lemma Q2R_less x y : Layers.less x y = lt (Q2R x) (Q2R y).
Proof.
  unfold Layers.less. rewrite Q2R_le. unfold le, lt. destruct (Rle_dec (Q2R y) (Q2R x)), (Rlt_dec (Q2R x) (Q2R y));
    simpl; try reflexivity; exfalso; lra.
Qed.

(** ** The morphism *)
Section Run.
Variables d n : nat.

(** A piece of an activation. *)
Lemma real_on l t : Q2R (Layers.on l t) = on (real_line l) (Q2R t).
Proof using. unfold Layers.on, on. rewrite Q2R_plus, Q2R_mult. reflexivity. Qed.

(** An activation. *)
Lemma real_activate f t : Q2R (Layers.activate f t) = activate (real_activation f) (Q2R t).
Proof using.
  unfold Layers.activate, activate. rewrite !Q2R_less, Q2R_le. simpl.
  destruct (lt _ _); [apply real_on|]. destruct (Layers.closed f); [destruct (le _ _)|destruct (lt _ _)]; apply real_on.
Qed.

(** A row vector times a matrix. *)
Lemma real_row w X j : Q2R (Statement.row d w X j) = row d (real_vector w) (real_matrix X) j.
Proof using.
  unfold Statement.row, row. rewrite Q2R_sum. apply sum_ext. intros i _. apply Q2R_mult.
Qed.

(** The same arg maxima. *)
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
  assert (In k (filter (Statement.is_argmax n s) (seq 0 n))) as I by (apply filter_In; split; [apply in_seq;
    lia|exact E]).
  assert (Statement.argmaxima n s <> O) as NZ.
  { unfold Statement.argmaxima. destruct (filter _ _); [destruct I|discriminate]. }
  rewrite Q2R_div; [rewrite Q2R_1, Q2R_nat; reflexivity|]. unfold Statement.of_nat, Qeq. simpl. lia.
Qed.

(** A head's value. *)
Lemma real_value h X j : Q2R (Statement.head_value d n h X j) = head_value d n (real_head h) (real_matrix X) j.
Proof using.
  unfold Statement.head_value, head_value. rewrite Q2R_sum. apply sum_ext. intros k Hk.
  rewrite Q2R_mult, real_row, real_hardmax by exact Hk. f_equal. f_equal. extensionality i. unfold real_vector at 1.
  rewrite Q2R_mult, Q2R_plus, !real_row. reflexivity.
Qed.

(** One layer. *)
Lemma real_apply l X : apply d n (real_matrix X) (real_layer l) = real_matrix (Layers.apply d n X l).
Proof using.
  extensionality i. extensionality j. destruct l as [l|t].
  - cbn [real_layer apply Layers.apply]. unfold attention, Statement.attention, real_matrix at 3. rewrite Q2R_red,
    Q2R_plus.
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

(** A product with a row vector reads one column. *)
Lemma row_ext w X Y j : (forall i, (i < d)%nat -> X i j = Y i j) -> row d w X j = row d w Y j.
Proof using. intros H. apply sum_ext. intros i Hi. rewrite H by exact Hi. reflexivity. Qed.

(** So does a layer, with all columns. *)
Lemma apply_ext l X Y : agree X Y -> agree (apply d n X l) (apply d n Y l).
Proof using.
  intros H i j Hi Hj. assert (forall w k, (k < n)%nat -> row d w X k = row d w Y k) as R
    by (intros; apply row_ext; intros; apply H; assumption).
  destruct l as [l|t]; simpl.
  - unfold attention. rewrite H by assumption. f_equal. induction l as [|h l IH]; [reflexivity|]. simpl. rewrite IH.
    f_equal.
    f_equal. unfold head_value. apply sum_ext. intros k Hk. rewrite (R (W_V h) k Hk), (R (W_Q h) j Hj). f_equal.
    assert (forall s s', (forall i, (i < n)%nat -> s i = s' i) -> forall k, (k < n)%nat -> hardmax n s k = hardmax n
      s' k) as E.
    { intros s s' Es k' Hk'. assert (forall i, (i < n)%nat -> is_argmax n s i = is_argmax n s' i) as A.
      { intros i' Hi'. unfold is_argmax. apply forallb_agree. intros a Ha. apply in_seq in Ha. rewrite !Es by lia.
        reflexivity. }
      unfold hardmax. rewrite A by exact Hk'. destruct (is_argmax n s' k'); [|reflexivity]. f_equal. f_equal.
      unfold argmaxima. f_equal. apply filter_ext_in. intros a Ha. apply in_seq in Ha. apply A. lia. }
    apply E; [|exact Hk]. intros a Ha. rewrite (R (W_K h) a Ha). reflexivity.
  - unfold each_token. rewrite H, R by assumption. reflexivity.
Qed.

(** So does a network. *)
Lemma run_ext ls : forall X Y, agree X Y -> agree (run d n ls X) (run d n ls Y).
Proof using.
  induction ls as [|l ls IH]; intros X Y H; [exact H|]. apply (IH (apply d n X l)), apply_ext, H.
Qed.

(** ** Token-wise layers *)
Lemma real_unit i0 k : real_vector (Layers.unit_vector i0) k = if Nat.eqb k i0 then 1 else 0.
Proof using. unfold real_vector, Layers.unit_vector. destruct (Nat.eqb k i0); [exact Q2R_1|exact RMicromega.Q2R_0]. Qed.

(** A unit vector reads its row. *)
Lemma row_unit i0 X j : (i0 < d)%nat -> row d (real_vector (Layers.unit_vector i0)) X j = X i0 j.
Proof using.
  intros H. unfold row. rewrite (sum_single d _ i0 H), real_unit, Nat.eqb_refl; [ring|].
  intros k _ NE. rewrite real_unit. destruct (Nat.eqb_spec k i0); [contradiction|ring].
Qed.

(** A layer of row i0 changes this row alone. *)
Lemma row_layer_spec i0 b f X i j : (i0 < d)%nat ->
  apply d n X (real_layer (Layers.Each (Layers.row_layer i0 b f))) i j =
  if Nat.eqb i i0 then X i j + activate (real_activation f) (X i j + Q2R b) else X i j.
Proof using.
  intros H. cbn [real_layer apply]. unfold each_token. cbn [W_2 W_1 phi b_1 Layers.row_layer Layers.W_2 Layers.W_1
    Layers.phi
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

(** One row's layers. *)
Lemma quantise_row_spec i0 X i j : (i0 < d)%nat ->
  run d n (map real_layer (map Layers.Each (Layers.quantise_row N S i0))) X i j = if Nat.eqb i i0 then entry (X i j)
    else X i j.
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

(** All rows. *)
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

(** The first layer sends what is outside to the sentinel. *)
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
    + specialize (G m k ltac:(lia)). destruct (Rlt_dec x (INR m * w + w)); [exfalso; lra|]. rewrite andb_false_r.
      reflexivity.
Qed.

(** The number of the cell of x *)
Definition number (x : R) : nat := Z.to_nat (Int_part (x * INR N)).

(** It is below N, and the cell holds x. *)
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

(** ** The network *)
Section Exact.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Notation w := (/ INR N).
Notation above := (StatementExact.sentinel_above d n N).
Notation ru := (real_vector (Statement.u N)).
Notation rid := (row d ru).
Notation places := (StatementExact.places d n N).
Notation rkey := (fun p => Q2R (StatementExact.key d n N (fst p) (snd p))).
Notation numbers := (Exact.numbers d n N).
Notation xid := (Grid.xid d N).

(** The sentinel is 1 or more. *)
Lemma above_off : Q2R above < 0 \/ 1 <= Q2R above.
Proof using N2 d1 n1.
  right. rewrite <- Q2R_1. apply Qle_Rle, (Exact.above_one d n N); assumption.
Qed.

(** What the quantiser makes of any real matrix: a rational one. *)
Definition quantised (X : matrix) : Statement.matrix := fun i j =>
  if le 0 (X i j) && lt (X i j) 1 then (Statement.of_nat (number N (X i j)) * Statement.delta N)%Q else above.

(** As rational numbers. *)
Lemma quantiser_is X : agree d n (run d n (map real_layer (map Layers.Each (Layers.quantiser d N above))) X)
  (real_matrix (quantised X)).
Proof using N2 d1 n1.
  intros i j Hi Hj. rewrite quantiser_spec, (entry_spec N N2 above above_off) by assumption. unfold real_matrix,
    quantised.
  destruct (le 0 (X i j) && lt (X i j) 1); [|reflexivity]. rewrite Q2R_mult, Q2R_nat, (Tracking.delta_real N N2).
    reflexivity.
Qed.

(** An entry is inside or not. *)
Lemma inside_cases x : (0 <= x < 1 /\ le 0 x && lt x 1 = true) \/ (~ 0 <= x < 1 /\ le 0 x && lt x 1 = false).
Proof using.
  unfold le, lt. destruct (Rle_dec 0 x), (Rlt_dec x 1); simpl; [left|right|right|right]; (split; [lra|reflexivity]).
Qed.

(** Its entries are on the grid or the sentinel. *)
Lemma quantised_quantised X : StatementExact.quantised d n N (quantised X).
Proof using N2 d1 n1.
  intros i j _ _. unfold quantised. destruct (inside_cases (X i j)) as [[H E]|[H E]]; rewrite E; [right|left;
    reflexivity].
  exists (number N (X i j)). split; [apply (number_spec N N2), H|reflexivity].
Qed.

(** It is in G just if the matrix is in the cube. *)
Lemma quantised_in_G X : in_cubes d n X <-> Statement.in_G d n N (quantised X).
Proof using N2 d1 n1.
  split; intros H i j Hi Hj; specialize (H i j Hi Hj); unfold quantised in *;
    destruct (inside_cases (X i j)) as [[I E]|[I E]]; rewrite ?E in *.
  - exists (number N (X i j)). split; [apply (number_spec N N2), I|reflexivity].
  - contradiction.
  - exact I.
  - exfalso. pose proof (Exact.grid_nonneg N N2 _ H) as [_ L]. pose proof (Exact.above_one d n N d1 n1 N2) as G.
    apply (Qlt_not_le _ _ L G).
Qed.

(** After the quantiser, the codes, the average and the rejection, column by column *)
Definition left (X : matrix) (j : nat) : nat -> Q := Tokens.tokens d (StatementExact.rejection d n N)
  (Tokens.column_of (Layers.run_all d n (StatementExact.contextual_map d n N) (quantised X)) j).

(** The real network there. *)
Lemma rational_part_is X i j : (i < d)%nat -> (j < n)%nat ->
  run d n (map real_layer (rational_part d n N)) X i j = Q2R (left X j i).
Proof using N2 d1 n1.
  intros Hi Hj. unfold rational_part. rewrite map_app, run_app.
  rewrite (run_ext d n _ _ _ (quantiser_is X) i j Hi Hj), real_run. unfold real_matrix. rewrite Tokens.run_all_app.
  change (Layers.run_all d n (map Layers.Each (StatementExact.rejection d n N)) ?Y i j) with
    (Tokens.column_of (Layers.run_all d n (map Layers.Each (StatementExact.rejection d n N)) Y) j i).
  rewrite Tokens.run_tokens. reflexivity.
Qed.

(** The real id of a column that is rational. *)
Lemma real_id v Z j : (forall i, (i < d)%nat -> Z i j = Q2R (v i)) -> rid Z j = Q2R (Tokens.along d (Statement.u N) v).
Proof using.
  intros H. unfold row, Tokens.along. rewrite Q2R_sum. apply sum_ext. intros i Hi. rewrite Q2R_mult, H by exact Hi.
  reflexivity.
Qed.

(** The id of a sum of columns, and of a first entry. *)
Lemma id_plus Z Z' j a b : (forall i, (i < d)%nat -> Z i j = a i + b i) -> (forall i, (i < d)%nat -> Z' i j = a i) ->
  rid Z j = rid Z' j + sum d (fun i => ru i * b i).
Proof using.
  intros H H'. unfold row. rewrite <- sum_plus. apply sum_ext. intros i Hi. rewrite H, H' by exact Hi. ring.
Qed.

(** A first entry is its id. *)
Lemma id_first x : sum d (fun i => ru i * first x i) = x.
Proof using d1.
  rewrite (sum_single d _ 0 d1) by (intros [|k] _ NE; unfold first; [contradiction|simpl; ring]).
  unfold real_vector, Statement.u. simpl (N ^ 0)%nat. rewrite Q2R_nat. unfold first. simpl. ring.
Qed.

Section Target.
Variable A : matrix -> matrix.
Hypothesis equivariant : equivariant_on_G d n N A.
Notation target := (target N A).
Notation down := (down d n N A).
Notation change := (change d n N A).
Notation write := (write d n N A).
Notation last := (last d n N A).
Notation values ps := (map (fun p => Each (write p)) ps).

(** A layer of the value map writes within half a cell of its key, and only there. *)
Lemma write_is p Z i j : apply d n Z (Each (write p)) i j =
  Z i j + change p i * activate (real_activation (Layers.window N)) (rid Z j - rkey p).
Proof using. reflexivity. Qed.

(** A window is 0 from a distance of 1 on, *)
Lemma window_far t : 1 <= Rabs t -> activate (real_activation (Layers.window N)) t = 0.
Proof using N2.
  intros H. assert (0 < w <= 1 / 2) as W.
  { assert (2 <= INR N) by (apply (le_INR 2), N2). assert (INR N * w = 1) by (apply Rinv_r; lra).
    assert (0 < w) by (apply Rinv_0_lt_compat; lra). split; nra. }
  assert (Q2R (Statement.delta N / 2) = w / 2) as D.
  { unfold Qdiv. rewrite Q2R_mult, (Tracking.delta_real N N2). unfold Q2R at 1. simpl. lra. }
  unfold activate. simpl. rewrite Q2R_opp, D. unfold on, lt, real_line, Layers.nothing. simpl. rewrite RMicromega.Q2R_0.
  unfold Rabs in H. destruct (Rcase_abs t), (Rlt_dec t (- (w / 2))), (Rlt_dec t (w / 2)); simpl; lra.
Qed.

(** and 1 at its key. *)
Lemma window_at : activate (real_activation (Layers.window N)) 0 = 1.
Proof using N2.
  assert (0 < w) as W by (apply Tracking.w_pos, N2).
  assert (Q2R (Statement.delta N / 2) = w / 2) as D.
  { unfold Qdiv. rewrite Q2R_mult, (Tracking.delta_real N N2). unfold Q2R at 1. simpl. lra. }
  unfold activate. simpl. rewrite Q2R_opp, D. unfold on, lt, real_line, Layers.one. simpl. rewrite RMicromega.Q2R_0,
    Q2R_1.
  destruct (Rlt_dec 0 (- (w / 2))), (Rlt_dec 0 (w / 2)); simpl; lra.
Qed.

(** An id that is 1 or more away from all keys: nothing is written. *)
Lemma values_miss ps j : forall Z, (forall p, In p ps -> 1 <= Rabs (rid Z j - rkey p)) ->
  forall i, (i < d)%nat -> run d n (values ps) Z i j = Z i j.
Proof using N2.
  induction ps as [|p ps IH]; intros Z H i Hi; [reflexivity|].
  assert (forall i, (i < d)%nat -> apply d n Z (Each (write p)) i j = Z i j) as E.
  { intros k Hk. rewrite write_is, window_far by (apply H; left; reflexivity). ring. }
  change (run d n (values ps) (apply d n Z (Each (write p))) i j = Z i j). rewrite IH; [apply E, Hi| |exact Hi].
  intros p' Hp'. rewrite (row_ext d ru _ Z j E). apply H. right. exact Hp'.
Qed.

(** An id that is a key, where all its layers add the same, and which is away from all keys after that: it is added
    once. *)
Lemma values_hit ps j (a : nat -> R) key : forall Z, (exists p, In p ps /\ rkey p = key) -> rid Z j = key ->
  (forall p, In p ps -> (rkey p = key /\ forall i, (i < d)%nat -> change p i = a i) \/ 1 <= Rabs (key - rkey p)) ->
  (forall p, In p ps -> 1 <= Rabs (key + sum d (fun i => ru i * a i) - rkey p)) ->
  forall i, (i < d)%nat -> run d n (values ps) Z i j = Z i j + a i.
Proof using N2.
  induction ps as [|p ps IH]; intros Z X K H O i Hi; [destruct X as [p [[] _]]|].
  change (run d n (values ps) (apply d n Z (Each (write p))) i j = Z i j + a i).
  destruct (H p (or_introl eq_refl)) as [[Ek Ec]|far].
  - assert (forall i, (i < d)%nat -> apply d n Z (Each (write p)) i j = Z i j + a i) as E.
    { intros k Hk. rewrite write_is, K, Ek, Rminus_eq_0, window_at, Ec by exact Hk. ring. }
    rewrite values_miss; [apply E, Hi| |exact Hi].
    intros p' Hp'. rewrite (id_plus _ Z j (fun i => Z i j) a E ltac:(reflexivity)), K. apply O. right. exact Hp'.
  - assert (forall i, (i < d)%nat -> apply d n Z (Each (write p)) i j = Z i j) as E.
    { intros k Hk. rewrite write_is, K, window_far by exact far. ring. }
    rewrite IH; [rewrite E by exact Hi; reflexivity| | | | |exact Hi].
    + destruct X as [p' [[<-|I] Ek]]; [|exists p'; auto]. exfalso. rewrite Ek, Rminus_eq_0, Rabs_R0 in far. lra.
    + rewrite (row_ext d ru _ Z j E). exact K.
    + intros p' Hp'. apply H. right. exact Hp'.
    + intros p' Hp'. apply O. right. exact Hp'.
Qed.

(** Targets, moved down, have negative ids; keys are 1 or more. *)
Lemma target_down p : In p places -> target_id d N A p - down <= - 1.
Proof using.
  intros H. unfold Modified.down.
  assert (target_id d N A p <= fold_right Rmax 0 (map (target_id d N A) places)) as G; [|lra].
  induction places as [|q l IH]; [destruct H|]. simpl. destruct H as [->|H]; [apply Rmax_l|].
  eapply Rle_trans; [apply IH, H|apply Rmax_r].
Qed.

(** A key is at least 1. *)
Lemma key_one p : 1 <= rkey p.
Proof using N2 d1 n1. rewrite <- Q2R_1. apply Qle_Rle, (Exact.key_ge_1 d n N); assumption. Qed.

(** The last layer. *)
Lemma last_is Z i j : apply d n Z (Each last) i j =
  Z i j + first down i * activate (real_activation (StatementExact.less_than (-1 # 2))) (rid Z j + 0).
Proof using. reflexivity. Qed.

(** Its activation. *)
Lemma less_than_is t : activate (real_activation (StatementExact.less_than (-1 # 2))) t = if Rlt_dec t (- / 2) then 1
  else 0.
Proof using.
  unfold activate. simpl. assert (Q2R (-1 # 2) = - / 2) as -> by (unfold Q2R; simpl; lra).
  unfold on, lt, real_line, Layers.nothing, Layers.one. simpl. rewrite RMicromega.Q2R_0, Q2R_1.
  destruct (Rlt_dec t (- / 2)); lra.
Qed.

(** The target of a place that a column of L has is that of the column. *)
Lemma target_is L j ks k i : Statement.in_G d n N L -> (j < n)%nat -> In (ks, k) places -> k = xid L j ->
  Permutation (numbers L) ks -> (i < d)%nat -> target (ks, k) i = A (real_matrix L) i j.
Proof using N2 d1 equivariant n1.
  intros H Hj I Ek P Hi. apply (Exact.in_places d n N d1 n1 N2) in I. destruct I as [I Ik].
  destruct (Exact.multisets_sound d n N d1 n1 N2 ks 0 n I) as [E R].
  destruct (Exact.position_spec d n N d1 n1 N2 k ks Ik) as [Hp Ep].
  set (l := StatementExact.position k ks) in *. assert (l < n)%nat as Hl by lia.
  destruct (Permutations.permutation_at (numbers L) ks n j l P (Exact.numbers_length d n N L) Hj Hl) as [p [p1 [p2 [p3
    p4]]]].
  { rewrite Ep, Ek. apply Exact.numbers_nth, Hj. }
  unfold Modified.target. simpl fst. simpl snd. fold l. rewrite <- p3.
  assert (forall L, Statement.in_G d n N L -> in_G d n N (real_matrix L)) as real_G.
  { intros M HM a b Ha Hb. destruct (HM a b Ha Hb) as [x [Hx Ex]]. exists x. split; [exact Hx|].
    unfold real_matrix. rewrite (Qeq_eqR _ _ Ex), Q2R_mult, Q2R_nat, (Tracking.delta_real N N2). reflexivity. }
  pose proof (Exact.context_in_G d n N d1 n1 N2 ks) as G.
  apply equivariant; try assumption; [apply real_G, H|apply real_G, G|].
  intros a b Ha Hb. unfold real_matrix. apply Qeq_eqR.
  apply (Grid.xid_same d n N d1 n1 N2 (StatementExact.context N ks) b L (p b)); try assumption; [apply p1, Hb|].
  rewrite (Exact.context_number d n N d1 n1 N2 ks b R ltac:(lia)), (p4 b Hb). apply Exact.numbers_nth, p1, Hb.
Qed.

(** On the cube: the target of the corner. *)
Theorem network_inside X : in_cubes d n X -> forall i j, (i < d)%nat -> (j < n)%nat ->
  run d n (exact_network d n N A) X i j = A (corner N X) i j.
Proof using N2 d1 equivariant n1.
  intros HX i j Hi Hj. set (L := quantised X). pose proof (proj1 (quantised_in_G X) HX) as G. fold L in G.
  transitivity (A (real_matrix L) i j).
  2: { symmetry. apply (equivariant (real_matrix L) (corner N X) (fun j => j)); auto.
       - intros a b Ha Hb. destruct (G a b Ha Hb) as [x [Hx Ex]]. exists x. split; [exact Hx|].
         unfold real_matrix. rewrite (Qeq_eqR _ _ Ex), Q2R_mult, Q2R_nat, (Tracking.delta_real N N2). reflexivity.
       - intros a b Ha Hb. exists (number N (X a b)). split; [apply (number_spec N N2), HX; assumption|reflexivity].
       - intros a b Ha Hb. unfold real_matrix, L, quantised. destruct (inside_cases (X a b)) as [[_ E]|[O _]];
           [|destruct O; apply HX; assumption].
         rewrite E, Q2R_mult, Q2R_nat, (Tracking.delta_real N N2). reflexivity. }
  unfold exact_network. rewrite !run_app. set (Z := run d n (map real_layer (rational_part d n N)) X).
  set (key := StatementExact.key d n N (numbers L) (xid L j)).
  set (v0 := Tokens.plus (Tokens.column_of L j)
    (StatementExact.first (key - Statement.of_nat (xid L j) * Statement.delta N))).
  assert (forall a, (a < d)%nat -> Z a j = Q2R (v0 a)) as EZ.
  { intros a Ha. unfold Z. rewrite rational_part_is by assumption. apply Qeq_eqR.
    apply (Exact.kept_column d n N d1 n1 N2 L j G Hj a Ha). }
  assert (rid Z j = Q2R key) as EK.
  { rewrite (real_id v0 Z j EZ). apply Qeq_eqR. unfold v0. rewrite (Exact.id_plus_first d n N d1 n1 N2).
    rewrite (Exact.number_id d N d1 N2 _ (Exact.in_G_column d n N L j G Hj)).
    change (Exact.number_of d N (Tokens.column_of L j)) with (xid L j). ring. }
  set (a := fun b => A (real_matrix L) b j - first down b - Q2R (v0 b)).
  destruct (Exact.place_of d n N d1 n1 N2 L j G Hj) as [ks [P Hp]].
  assert (forall p, In p places -> rkey p = Q2R key -> forall b, (b < d)%nat -> change p b = a b) as hit.
  { intros [ks' k'] Hp' E b Hb. simpl in E. apply eqR_Qeq in E.
    destruct (Exact.place_hit d n N d1 n1 N2 L j ks' k' G Hj Hp' (Qeq_sym _ _ E)) as [Ek' [P' IM]].
    unfold Modified.change, a. rewrite (target_is L j ks' k' b G Hj Hp' Ek' P' Hb). f_equal. apply Qeq_eqR. exact (IM
      b Hb). }
  assert (rid Z j + sum d (fun b => ru b * a b) = target_id d N A (ks, xid L j) - down) as EI.
  { rewrite <- (id_plus (fun b k => Z b k + a b) Z j (fun b => Z b j) a) by reflexivity.
    rewrite <- (id_first down). unfold row, target_id. 
    rewrite <- (Rplus_0_r (sum d _)) at 1. unfold Rminus.
    assert (forall f g h : nat -> R, (forall k, (k < d)%nat -> f k = g k - h k) -> sum d f + 0 = sum d g + - sum d h)
      as S.
    { intros f g h Hf. rewrite (sum_ext d f (fun k => g k + -1 * h k)) by (intros; rewrite Hf by assumption; ring).
      rewrite sum_plus, sum_scale. ring. }
    apply S. intros b Hb. rewrite EZ by exact Hb. unfold a.
    rewrite (target_is L j ks (xid L j) b G Hj Hp eq_refl P Hb). unfold real_vector. ring. }
  pose proof (target_down _ Hp) as TD.
  assert (forall b, (b < d)%nat -> run d n (values places) Z b j = Z b j + a b) as EV.
  { apply (values_hit places j a (Q2R key)); [|exact EK| |].
    - exists (ks, xid L j). split; [exact Hp|]. simpl. apply Qeq_eqR. unfold key.
      rewrite (Exact.key_perm d n N n1 _ _ _ P). reflexivity.
    - intros p Hp'. destruct (Req_dec (rkey p) (Q2R key)) as [E|NE]; [left; split; [exact E|apply hit;
      assumption]|right].
      pose proof (Exact.C_pos d n N d1 n1 N2) as C1. apply (Exact.of_nat_le 1) in C1.
      destruct (Exact.key_apart d n N d1 n1 N2 (numbers L) (xid L j) (fst p) (snd p)) as [E|[L1|L1]].
      + fold key in E. destruct NE. symmetry. apply Qeq_eqR, E.
      + fold key in L1. apply Qle_Rle in L1, C1. rewrite Q2R_plus in L1. rewrite (Q2R_nat 1) in C1. simpl in C1.
        rewrite Rabs_left1; lra.
      + fold key in L1. apply Qle_Rle in L1, C1. rewrite Q2R_plus in L1. rewrite (Q2R_nat 1) in C1. simpl in C1.
        rewrite Rabs_right; lra.
    - intros p Hp'. rewrite <- EK, EI. pose proof (key_one p). rewrite Rabs_left1; lra. }
  change (run d n [?l] ?Y) with (apply d n Y l). rewrite last_is, less_than_is.
  assert (rid (run d n (values places) Z) j = target_id d N A (ks, xid L j) - down) as EL.
  { rewrite <- EI. apply (id_plus _ Z j (fun b => Z b j) a); [exact EV|reflexivity]. }
  rewrite EL. destruct (Rlt_dec _ _) as [_|NL]; [|exfalso; lra]. rewrite EV, EZ by exact Hi. unfold a. ring.
Qed.

(** Off the cube: 0. *)
Theorem network_outside X : ~ in_cubes d n X -> forall i j, (i < d)%nat -> (j < n)%nat ->
  run d n (exact_network d n N A) X i j = 0.
Proof using N2 d1 n1.
  intros HX i j Hi Hj. assert (~ Statement.in_G d n N (quantised X)) as NG by (intros G; apply HX, quantised_in_G, G).
  unfold exact_network. rewrite !run_app. set (Z := run d n (map real_layer (rational_part d n N)) X).
  assert (forall a, (a < d)%nat -> Z a j = 0) as EZ.
  { intros a Ha. unfold Z. rewrite rational_part_is by assumption. rewrite <- RMicromega.Q2R_0. apply Qeq_eqR.
    apply (Exact.cleared_column d n N d1 n1 N2 _ j (quantised_quantised X) NG Hj a Ha). }
  assert (rid Z j = 0) as EI by (apply sum_zero; intros k Hk; rewrite EZ by exact Hk; ring).
  assert (forall b, (b < d)%nat -> run d n (values places) Z b j = Z b j) as EV.
  { apply values_miss. intros p Hp. rewrite EI. pose proof (key_one p). rewrite Rabs_left1; lra. }
  change (run d n [?l] ?Y) with (apply d n Y l). rewrite last_is, less_than_is.
  rewrite (row_ext d ru _ Z j EV), EI. destruct (Rlt_dec _ _) as [L|_]; [exfalso; lra|].
  rewrite EV, EZ by exact Hi. ring.
Qed.

(** The layers are of the paper's class. *)
Theorem network_class : Forall of_class (exact_network d n N A).
Proof using N2.
  assert (forall f, Layers.admissible f -> admissible (real_activation f)) as real_admissible.
  { intros f [H1 H2]. split; [apply Qle_Rle, H1|]. simpl. rewrite <- RMicromega.Q2R_0.
    destruct H2 as [H|[H|H]]; [left|right; left|right; right]; apply Qeq_eqR, H. }
  apply Forall_app. split; [|apply Forall_app; split].
  - apply Forall_forall. intros l Hl. apply in_map_iff in Hl. destruct Hl as [l' [<- Hl]].
    assert (In l' (StatementExact.exact_network d n N (fun X => X))) as I.
    { unfold rational_part in Hl. unfold StatementExact.exact_network, StatementExact.lookup.
      rewrite !map_app. rewrite !in_app_iff in *. tauto. }
    pose proof (Exact.class d n N N2 (fun X => X) l' I) as C. destruct l' as [l'|t]; simpl in *.
    + rewrite map_length. exact C.
    + apply real_admissible, C.
  - apply Forall_forall. intros l Hl. apply in_map_iff in Hl. destruct Hl as [p [<- _]]. simpl. apply real_admissible.
    assert (0 < Statement.delta N)%Q as D by (apply Network.delta_pos, N2).
    assert (Statement.delta N / 2 == Statement.delta N * (1 # 2))%Q as D2 by field.
    split; [simpl; rewrite D2|left; reflexivity]. apply Rle_Qle. rewrite Q2R_opp, !Q2R_mult. apply Qlt_Rlt in D.
    rewrite RMicromega.Q2R_0 in D. unfold Q2R in *. simpl in *. lra.
  - constructor; [|constructor]. simpl. apply real_admissible. split; [apply Qle_refl|]. left. reflexivity.
Qed.
End Target.
End Exact.

(** Proposition 4 with distance 0, at every point. *)
Theorem proposition4_everywhere : Proposition4_everywhere.
Proof.
  intros d n N d1 n1 N2 A HA. split; [|split].
  - apply network_inside; assumption.
  - apply network_outside; assumption.
  - apply network_class; assumption.
Qed.

(** The morphism. *)
Theorem real_network : Real_run.
Proof. intros d n network X. apply real_run. Qed.

(** The rational network itself. *)
Theorem proposition4_same_network : Proposition4_same_network.
Proof.
  intros d n N d1 n1 N2 A HA network.
  assert (forall X i j, (i < d)%nat -> (j < n)%nat ->
    run d n network X i j = Q2R (Layers.run_all d n (StatementExact.lookup d n N A) (quantised d n N X) i j)) as E.
  { intros X i j Hi Hj. unfold network, StatementExact.exact_network. rewrite map_app, run_app.
    rewrite (run_ext d n _ _ _ (quantiser_is d n N d1 n1 N2 X) i j Hi Hj), real_run. reflexivity. }
  split; intros X HX i j Hi Hj; rewrite E by assumption.
  - pose proof (proj1 (quantised_in_G d n N d1 n1 N2 X) HX) as G. apply Qeq_eqR.
    rewrite (Exact.lookup_in_G d n N d1 n1 N2 A HA _ G i j Hi Hj).
    apply (HA (rational_corner N X) (quantised d n N X) (fun j => j)); auto.
    + intros a b Ha Hb. exists (number N (X a b)). split; [apply (number_spec N N2), HX; assumption|reflexivity].
    + intros b Hb a Ha. unfold quantised, rational_corner. destruct (inside_cases (X a b)) as [[_ ->]|[O _]];
        [reflexivity|destruct O; apply HX; assumption].
  - rewrite <- RMicromega.Q2R_0. apply Qeq_eqR.
    apply (Exact.lookup_off_G d n N d1 n1 N2 A); [apply quantised_quantised; assumption| |exact Hi|exact Hj].
    intros G. apply HX, (quantised_in_G d n N d1 n1 N2 X), G.
Qed.
