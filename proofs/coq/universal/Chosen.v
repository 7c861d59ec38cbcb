(** The submitted network, layer by layer, where each layer has its own strips and its own rate: its activations, its
    quantiser, its contextual map and its value map. *)
From Coq Require Import Reals List Arith Bool Lia Lra Psatz.
From Contextual Require Statement.
From Contextual Require Import Approximation Sums Softmax Sweep Construction Relu Blocks Tracking Keys Sentinel
  Published.
Import ListNotations.
Open Scope R_scope.

(** ** The activations *)
(** Off a strip. *)
Lemma off_strip e b t : ~ left_of e b t -> t <= b - e \/ b <= t.
Proof. unfold left_of. intros H. destruct (Rle_lt_dec t (b - e)); [left; assumption|right]. apply Rnot_lt_le. lra. Qed.

(** Case by case, where [t] may also be a break or the left end of a strip. *)
Ltac compare t ends := pieces; repeat destruct (Rlt_dec _ _); repeat destruct (Rle_dec _ _); try (exfalso; lra);
  let rec at_ends l := lazymatch l with
    | (?l, ?b) => first [assert (t = b) as -> by lra; nra | at_ends l]
    | ?b => assert (t = b) as -> by lra; nra end in
  first [lra | nra | at_ends ends].

(** Off the strips each phi is the paper's. *)
Theorem published_activations : Published_activations.
Proof.
  intros e He. assert (/ e * e = 1) as Ee by (apply Rinv_l; lra).
  assert (0 < / e) as Ie by (apply Rinv_0_lt_compat, He).
  split; [|split; [|split; [|split]]].
  - intros S t H1 L0 L1. assert (forall y, y / e * e = y) as E by (intros; field; lra).
    pose proof (E S) as E1. pose proof (E (S - 1)) as E2.
    assert ((S + e) / e = S / e + 1) as E3 by (field; lra). rewrite phi_spec. simpl. rewrite E3.
    set (a := S / e) in *. set (b := (S - 1) / e) in *. clearbody a b. clear E E3 Ee Ie.
    unfold paper_outside. destruct (off_strip _ _ _ L0), (off_strip _ _ _ L1); clear L0 L1;
      compare t (- e, 0, 1 - e, 1).
  - intros k w t Hw L. destruct (tent_spec e k w t He Hw) as [T1 [T2 T3]]. unfold paper_cell.
    destruct (off_strip _ _ _ L); destruct (Rlt_dec _ _); try (apply T1; lra);
      (destruct (Rlt_dec _ _); [specialize (T2 ltac:(lra)); lra|apply T3; lra]).
  - intros l r t H L1 L2 NE. rewrite phi_spec. simpl. set (a := / e) in *. clearbody a.
    unfold paper_reject. destruct (off_strip _ _ _ L1), (off_strip _ _ _ L2); clear L1 L2;
      compare t (l - e, l, r - e, r).
  - intros t. rewrite phi_spec. unfold paper_clear. simpl. pieces; destruct (Rlt_dec _ _); lra.
  - intros k w t Hw L1 L2. rewrite phi_spec. simpl. set (a := / e) in *. clearbody a.
    unfold paper_around. destruct (off_strip _ _ _ L1), (off_strip _ _ _ L2); clear L1 L2;
      compare t (k - w / 2 - e, k - w / 2, k + w / 2 - e, k + w / 2).
Qed.

(** The transition left of 0 leads from the sentinel to 0. *)
Lemma outside_spec e S x : 0 < e -> e <= 1 / 4 ->
  (x <= - e -> x + apply_phi (outside e S) x = S) /\
  (- e <= x <= 0 -> x + apply_phi (outside e S) x = - (S / e) * x) /\
  (0 <= x <= 1 - e -> x + apply_phi (outside e S) x = x).
Proof.
  intros He H4. assert (forall y, y / e * e = y) as Ee by (intros; field; lra).
  pose proof (Ee S) as E1. pose proof (Ee (S - 1)) as E2.
  assert ((S + e) / e = S / e + 1) as E3 by (field; lra).
  rewrite phi_spec. simpl. rewrite E3. set (a := S / e) in *. set (b := (S - 1) / e) in *. clearbody a b.
  split; [|split]; intros Hx; pieces; try (exfalso; lra);
    first [nra | assert (x = - e) as -> by lra; nra | assert (x = 0) as -> by lra; nra
      | assert (x = 1 - e) as -> by lra; nra].
Qed.

(** Between t_l and t_r, off the transition, nothing is rejected. *)
Lemma reject_spec e l r t : 0 < e -> l + e < r -> l <= t -> t <= r - e -> apply_phi (reject_outside e l r) t = 0.
Proof.
  intros He Hlr Hl Hr. destruct (published_activations e He) as [_ [_ [H _]]].
  rewrite H by (unfold left_of; lra). unfold paper_reject. destruct (Rlt_dec _ _); [lra|]. destruct (Rle_dec _ _); lra.
Qed.

(** Outside it is. *)
Lemma reject_outside_spec e l r t : 0 < e -> l + e < r -> t <= l - e \/ r <= t ->
  apply_phi (reject_outside e l r) t = 1.
Proof.
  intros He Hlr Ht. destruct (Req_dec t r) as [->|NE].
  - assert (/ e * e = 1) as Ee by (apply Rinv_l; lra). rewrite phi_spec. simpl. set (a := / e) in *. clearbody a.
    pieces; try (exfalso; lra); nra.
  - destruct (published_activations e He) as [_ [_ [H _]]]. destruct Ht; rewrite H by (unfold left_of; lra);
    unfold paper_reject; destruct (Rlt_dec _ _); try reflexivity; try lra; destruct (Rle_dec _ _); lra.
Qed.

(** The layer that clears does nothing to an entry that isn't negative, and makes 0 of one that is. *)
Lemma clear_spec t : (0 <= t -> apply_phi clear t = 0) /\ (t <= 0 -> t + apply_phi clear t = 0).
Proof. rewrite phi_spec. simpl. split; intros H; pieces; lra. Qed.

(** The window: 1 within a quarter of w of the key, and 0 from three quarters on. *)
Lemma around_spec e k w t : 0 < e -> e <= w / 4 ->
  (Rabs (t - k) <= w / 4 -> apply_phi (around e k w) t = 1) /\
  (3 * (w / 4) <= Rabs (t - k) -> apply_phi (around e k w) t = 0).
Proof.
  intros He Hw. destruct (published_activations e He) as [_ [_ [_ [_ H]]]]. split; intros Ht; unfold Rabs in Ht;
    rewrite H by (unfold left_of; destruct (Rcase_abs _); lra); unfold paper_around;
    destruct (Rcase_abs _), (Rlt_dec _ _); try lra; destruct (Rlt_dec _ _); lra.
Qed.

(** ** Lists of layers with their parameters *)
(** Two parts of a network. *)
Lemma chosen_app e lambda ts us : forall k,
  chosen e lambda k (ts ++ us) = chosen e lambda k ts ++ chosen e lambda (k + length ts) us.
Proof.
  induction ts as [|t ts IH]; intros k; simpl; [rewrite Nat.add_0_r; reflexivity|].
  rewrite IH, <- plus_n_Sm. reflexivity.
Qed.

(** Layers without parameters are what they are. *)
Lemma chosen_plain e lambda ts : forall k, chosen e lambda k (map (fun t _ _ => t) ts) = ts.
Proof. induction ts as [|t ts IH]; intros k; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.

(** A layer for each of m numbers. *)
Lemma chosen_seq e lambda (f : nat -> R -> R -> block) k m :
  chosen e lambda k (map f (seq 0 m)) = map (fun c => f c (e (k + c)%nat) (lambda (k + c)%nat)) (seq 0 m).
Proof.
  induction m as [|m IH]; [reflexivity|]. rewrite seq_S, !map_app, chosen_app, IH, map_length, seq_length. reflexivity.
Qed.

(** Each row of the quantiser has N + 1 layers. *)
Lemma rows_length d n N r : length (flat_map (quantise_row_below d n N) (seq 0 r)) = (r * (N + 1))%nat.
Proof.
  induction r as [|r IH]; [reflexivity|]. rewrite seq_S, flat_map_app, app_length, IH. simpl.
  rewrite app_length, map_length, seq_length. simpl. lia.
Qed.

Section Chosen.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Notation w := (/ INR N).
Notation rid := (along d (u N)).
Notation net := (run d n 2 1 4).
Notation BB := (Statement.B d N).
Variables e lambda : nat -> R.
Notation chosen := (chosen e lambda).

(** A network is its first layer and the rest. *)
Lemma run_cons t ts X : net (t :: ts) X = net ts (layer d n t X).
Proof using. reflexivity. Qed.

(** ** The quantiser on one entry *)
Definition entry (k : nat) (x : R) : R :=
  scalar N (fun c => e (S k + c)%nat) (seq 0 N) (x + apply_phi (outside (e k) (sentinel_below d n N)) x).

(** The quantiser, on each entry. *)
Lemma quantise_below_spec k X i j : (i < d)%nat ->
  net (chosen k (quantise_below d n N)) X i j = entry (k + i * (N + 1)) (X i j).
Proof using.
  set (phis := fun k => outside (e k) (sentinel_below d n N) ::
    map (fun c => tent (e (S k + c)%nat) (INR c * w) w) (seq 0 N)).
  intros Hi. apply (rows_tokens d n _ (fun i => phis (k + i * (N + 1))%nat) X i j Hi). unfold quantise_below.
  generalize d at 2 3. induction d0 as [|r IH]; [reflexivity|].
  rewrite seq_S, !flat_map_app, chosen_app, IH, rows_length. f_equal. simpl flat_map. rewrite !app_nil_r.
  unfold quantise_row_below, phis. simpl Published.chosen. simpl map. f_equal. rewrite chosen_seq, map_map. reflexivity.
Qed.

Variable width : R.
Hypothesis strips : forall k, 0 < e k <= width.
Hypothesis width4 : width <= w / 4.

(** ** The contextual map *)
(** One selective shift is [soft_shift] on ids, with the layer's own rate. *)
Lemma shift_below_id c k X j :
  rid (layer d n (shift_below d N c (e k) (lambda k)) X) j =
  soft_shift n (INR BB) w (lambda k) (INR c * w) (rid X) j.
Proof using N2 d1 n1. apply (selective_id d n N (lambda k) ltac:(lia)). Qed.

(** The global shift is the last layer. *)
Lemma map_below_app k X : net (chosen k (map_below d n N)) X =
  layer d n (global N (lambda (k + BB)) (INR (global_factor d n N)))
    (net (chosen k (map (shift_below d N) (seq 0 BB))) X).
Proof using. unfold map_below. rewrite chosen_app, run_app, map_length, seq_length. reflexivity. Qed.

(** Rows 1, 2, ... keep their entries. *)
Lemma map_below_rows k X i j : (0 < i)%nat -> net (chosen k (map_below d n N)) X i j = X i j.
Proof using N2 d1 n1.
  intros Hi. rewrite map_below_app, (global_rows d n) by exact Hi. revert k X.
  induction (seq 0 BB) as [|c cs IH]; intros k X; [reflexivity|]. simpl map. simpl Published.chosen.
    rewrite run_cons, IH.
  change (shift_below d N c (e k) (lambda k)) with (selective N (lambda k) (INR BB) w (INR c * w)).
  unfold selective. rewrite attention_spec, !attend_psi. destruct (Nat.eqb_spec i 0); [lia|ring].
Qed.

Variable rate : R.
Hypothesis rate0 : 0 < rate.
Hypothesis rates : forall k, rate <= lambda k.

(** No id falls. *)
Lemma shifts_rise cs : forall k X j, rid X j <= rid (net (chosen k (map (shift_below d N) cs)) X) j.
Proof using N2 d1 n1 rate0 rates.
  induction cs as [|c cs IH]; intros k X j; [simpl; lra|]. simpl map. simpl Published.chosen.
  rewrite run_cons. eapply Rle_trans; [|apply IH].
  rewrite shift_below_id. apply shift_rises; [lia|apply pos_INR|apply Rlt_le, w_pos, N2|].
  specialize (rates k). lra.
Qed.

(** Equal ids stay equal. *)
Lemma shifts_equal cs : forall k X c, (forall j, (j < n)%nat -> rid X j = c) -> forall j, (j < n)%nat ->
  rid (net (chosen k (map (shift_below d N) cs)) X) j = c.
Proof using N2 d1 n1.
  induction cs as [|l cs IH]; intros k X c H j Hj; [apply H, Hj|]. simpl map. simpl Published.chosen.
  rewrite run_cons. apply IH; [|exact Hj].
  intros i Hi. rewrite shift_below_id. unfold soft_shift.
  assert (forall b, reading n (lambda k) b (rid X) i = c) as E.
  { intros b. unfold reading. apply Rle_antisym; [apply mean_le|apply mean_ge]; try lia;
      intros a Ha; rewrite H by exact Ha; lra. }
  rewrite !E, H by exact Hi. ring.
Qed.

(** Its sweep is one with rates of at least [rate]. *)
Lemma shifts_run cs : forall k X, soft_run n (INR BB) w rate (map (fun c => INR c * w) cs) (rid X)
  (rid (net (chosen k (map (shift_below d N) cs)) X)).
Proof using N2 d1 n1 rates.
  induction cs as [|c cs IH]; intros k X; [intros j _; reflexivity|]. exists (lambda k). eexists.
  split; [apply rates|split; [|apply IH]]. intros j _. apply shift_below_id.
Qed.

(** The submitted contextual map leads the ids of a context near its keys. *)
Theorem map_below_tracks k L X : (2 <= n)%nat -> Statement.in_Gtilde d n N L -> cube_error d n N / rate <= w / 4 ->
  (forall j, (j < n)%nat -> rid X j = Q2R (Statement.id d N L j)) ->
  forall j, (j < n)%nat ->
  Rabs (rid (net (chosen k (map_below d n N)) X) j - key_of d n N L j) <= cube_error d n N / rate.
Proof using N2 d1 n1 rate0 rates.
  intros n2 HL HC HX. destruct (context_ids d n N d1 n2 N2 L HL) as [y [last [lattice [I [HM [Hy Q]]]]]].
  intros j Hj. rewrite Q, map_below_app by exact Hj. unfold cube_error.
  apply (global_tracks d n N d1 n1 N2 BB (hits BB n 1) (global_factor d n N) rate); try assumption; [apply rates|].
  pose proof (ids_track d n N d1 n1 N2 1 (seq 0 BB) rate L y (rid X)
    (rid (net (chosen k (map (shift_below d N) (seq 0 BB))) X)) (global_factor d n N) rate0) as T.
  rewrite seq_length in T. apply T; try assumption; [apply increasing_seq; lia|apply shifts_run].
Qed.

(** ** The value map *)
Notation table_at k ts := (chosen k (map (fun t e _ => token (u N) (snd t) (around e (fst t) w)) ts)).

(** Its layers are windows, 0 from three quarters of w on. *)
Lemma chosen_windows ts : forall k,
  exists l, table_at k ts = windows N l /\ map snd l = ts /\ Forall (fits N (3 * (w / 4))) l.
Proof using strips width4.
  induction ts as [|t ts IH]; intros k; [exists []; repeat constructor|]. destruct (IH (S k)) as [l [E [M H]]].
  exists ((around (e k) (fst t) w, t) :: l). simpl. rewrite E, M. split; [reflexivity|split; [reflexivity|]].
  constructor; [|exact H]. pose proof (strips k). intros x. apply around_spec; simpl; lra.
Qed.

(** Where an id is below all windows, they do nothing. *)
Lemma windows_left ts k X j : (forall t, In t ts -> rid X j <= fst t - 3 * (w / 4)) -> forall i, (i < d)%nat ->
  net (table_at k ts) X i j = X i j.
Proof using N2 strips width4.
  pose proof (w_pos N N2) as W. destruct (chosen_windows ts k) as [l [-> [<- H]]]. intros L.
  apply (windows_miss d n N _ l H). intros t Ht. specialize (L t Ht). rewrite Rabs_left1; lra.
Qed.

(** An id near a key, all of whose entries in the table add the same, and which is below all keys after that: it is
    added once. *)
Lemma windows_at key a ts k X j : In (key, a) ts ->
  (forall t, In t ts -> (fst t = key /\ forall i, (i < d)%nat -> snd t i = a i) \/ w <= Rabs (fst t - key)) ->
  Rabs (rid X j - key) <= w / 4 -> (forall t, In t ts -> rid X j + rid (fun i _ => a i) j <= fst t - 3 * (w / 4)) ->
  forall i, (i < d)%nat -> net (table_at k ts) X i j = X i j + a i.
Proof using N2 strips width4.
  pose proof (w_pos N N2) as W. destruct (chosen_windows ts k) as [l [-> [<- H]]]. intros Hin Hk Hx L.
  apply (windows_hit d n N (3 * (w / 4)) l key); try assumption; [lra|].
  intros t Ht. specialize (L t Ht). rewrite Rabs_left1; lra.
Qed.

(** The value map: a layer that rejects, d that clear, and the windows. *)
Lemma value_below_run M table k X : net (chosen k (value_below d n N M table)) X =
  net (chosen (S k + d) (map (fun t e _ => token (u N) (snd t) (around e (fst t) w)) table))
    (net (entrywise d clear) (layer d n (token (u N) (fun _ => - (M + 1))
      (reject_outside (e k) (Q2R (Statement.t_l d n N)) (Q2R (Statement.t_r d n N)))) X)).
Proof using.
  unfold value_below. simpl Published.chosen. rewrite run_cons, chosen_app, run_app, chosen_plain, map_length.
  replace (length (entrywise d clear)) with d by (unfold entrywise; rewrite map_length, seq_length; reflexivity).
  reflexivity.
Qed.
End Chosen.
