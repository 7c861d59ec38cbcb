(** What the blocks of [Construction] do to a matrix, exactly. *)
From Coq Require Import Reals List Arith Bool Lia Lra Psatz.
From Contextual Require Statement.
From Contextual Require Import Approximation Sums Softmax Sweep Construction Relu.
Import ListNotations.
Open Scope R_scope.

Section Blocks.
Variables d n : nat.
Definition layer (t : block) (X : matrix) : matrix := FF d 4 t (Attn d n 2 1 t X).
Notation net := (run d n 2 1 4).
Notation along := (along d).

(** Networks one after the other; an id reads its column alone. *)
Lemma run_app ts ts' X : net (ts ++ ts') X = net ts' (net ts X).
Proof using. apply fold_left_app. Qed.

(** u^T X_j reads the entries of column j only. *)
Lemma along_ext w X Y j : (forall i, (i < d)%nat -> X i j = Y i j) -> along w X j = along w Y j.
Proof using. intros H. apply sum_ext. intros i Hi. rewrite H by exact Hi. reflexivity. Qed.

(** ** Token-wise layers *)
Lemma attend_zero X i j : attend d n 1 zero_head X i j = 0.
Proof using. unfold attend, times; simpl. ring. Qed.

(** A token-wise layer is X + v phi(w^T X). *)
Theorem token_spec w v f X i j : layer (token w v f) X i j = X i j + v i * apply_phi f (along w X j).
Proof using.
  assert (forall i j, Attn d n 2 1 (token w v f) X i j = X i j) as E.
  { intros i' j'. unfold Attn. simpl. rewrite !attend_zero. ring. }
  unfold layer, FF, plus, times, columns, relu, apply_phi. rewrite E. simpl b_2. simpl W_2. simpl b_1. simpl W_1.
  simpl sum at 1.
  assert (forall a, sum d (fun l => s f a * w l * Attn d n 2 1 (token w v f) X l j) = s f a * along w X j) as R1.
  { intros a. unfold along. rewrite <- sum_scale. apply sum_ext. intros l _. rewrite E. ring. }
  rewrite !R1. simpl sum. ring.
Qed.

(** ** Attention layers: a head psi reads ids, by softmax with scores lambda (id_j - b) id_k *)
Variables (N : nat) (lambda : R).
Notation id := (along (u N)).
Notation psi := (psi N lambda).

(** The head psi: row 0 gets factor times the reading. *)
Lemma attend_psi factor b X i j :
  attend d n 1 (psi factor b) X i j = (if Nat.eqb i 0 then factor else 0) * reading n lambda b (id X) j.
Proof using.
  unfold attend, times at 1. simpl sum at 1. rewrite Rplus_0_l. f_equal.
  unfold reading, mean, times at 1. apply sum_ext. intros k Hk. f_equal.
  unfold softmax, weight.
  assert (forall k, times 1 (transpose (times d (W_K (psi factor b)) X)) (plus (times d (W_Q (psi factor b)) X)
    (columns (b_Q (psi factor b)))) k j =
    lambda * (id X j - b) * id X k) as E.
  { intros k'. unfold times at 1, transpose, plus, columns, times. simpl.
    rewrite (sum_ext d (fun l => lambda * u N l * X l k') (fun l => lambda * (u N l * X l k'))) by (intros; ring).
    rewrite sum_scale. unfold along. ring. }
  rewrite E. f_equal. apply sum_ext. intros k' _. rewrite E. reflexivity.
Qed.

(** A layer of two heads and no feed-forward part. *)
Theorem attention_spec h1 h2 X i j : layer (attention h1 h2) X i j = X i j + (attend d n 1 h1 X i j + attend d n 1 h2 X
  i j).
Proof using. unfold layer, FF, Attn, plus, times, columns. simpl. ring. Qed.

(** Row 0 alone changes, and the id with it. *)
Lemma id_first (d1 : (0 < d)%nat) X Y j a : (forall i, (i < d)%nat -> Y i j = X i j + (if Nat.eqb i 0 then a else 0)) ->
  id Y j = id X j + a.
Proof using.
  intros H. unfold along. rewrite (sum_ext d _ (fun i => u N i * X i j + (if Nat.eqb i 0 then a else 0))).
  - rewrite sum_plus. f_equal. apply (sum_single d (fun i => if Nat.eqb i 0 then a else 0) 0 d1). intros i _ NE.
    destruct (Nat.eqb_spec i 0); congruence.
  - intros i Hi. rewrite H by exact Hi. destruct (Nat.eqb_spec i 0) as [->|]; [unfold u; simpl; ring|ring].
Qed.

(** A selective shift is [soft_shift] on ids. *)
Theorem selective_id (d1 : (0 < d)%nat) B delta l X j : id (layer (selective N lambda B delta l) X) j = soft_shift n B
  delta lambda l (id X) j.
Proof using.
  unfold soft_shift. apply (id_first d1). intros i Hi. unfold selective. rewrite attention_spec, !attend_psi.
  destruct (Nat.eqb i 0); ring.
Qed.

(** A selective shift reads n ids only. *)
Lemma soft_shift_ext B delta l x y j : (forall k, (k < n)%nat -> x k = y k) -> (j < n)%nat ->
  soft_shift n B delta lambda l x j = soft_shift n B delta lambda l y j.
Proof using.
  intros H Hj. assert (forall b, reading n lambda b x j = reading n lambda b y j) as E.
  { intros b. unfold reading, mean, weight. apply sum_ext. intros k Hk. rewrite (H k Hk), (H j Hj). f_equal. f_equal.
    apply sum_ext. intros i Hi. rewrite (H i Hi). reflexivity. }
  unfold soft_shift. rewrite !E, (H j Hj). reflexivity.
Qed.

(** The global shift adds its factor times the reading at the threshold 0. *)
Theorem global_id (d1 : (0 < d)%nat) F X j : id (layer (global N lambda F) X) j = id X j + F * reading n lambda 0 (id X)
  j.
Proof using.
  apply (id_first d1). intros i Hi. unfold global. rewrite attention_spec, attend_psi, attend_zero.
  destruct (Nat.eqb i 0); ring.
Qed.

(** The literal sweep has the ids of [soft_sweep], and leaves rows 1, 2, ... alone. *)
Theorem sweep_id (d1 : (0 < d)%nat) B delta ls : forall X x, (forall j, (j < n)%nat -> x j = id X j) -> forall j,
  (j < n)%nat ->
  id (net (map (selective N lambda B delta) ls) X) j = soft_sweep n B delta lambda ls x j.
Proof using.
  induction ls as [|l ls IH]; intros X x Hx j Hj; [symmetry; apply Hx, Hj|]. simpl.
  change (soft_sweep n B delta lambda (l :: ls) x) with (soft_sweep n B delta lambda ls (soft_shift n B delta lambda l
    x)).
  apply IH; [|exact Hj]. intros k Hk. rewrite (soft_shift_ext _ _ _ x (id X) k Hx Hk). symmetry.
  apply (selective_id d1).
Qed.

(** Rows 1, 2, ... keep their entries. *)
Theorem sweep_rows B delta ls : forall X i j, (0 < i)%nat -> net (map (selective N lambda B delta) ls) X i j = X i j.
Proof using.
  induction ls as [|l ls IH]; intros X i j Hi; [reflexivity|]. simpl. rewrite IH by exact Hi.
  change (layer (selective N lambda B delta l) X i j = X i j). unfold selective. rewrite attention_spec, !attend_psi.
  destruct (Nat.eqb_spec i 0); [lia|ring].
Qed.

(** The global shift changes the first row only. *)
Theorem global_rows F X i j : (0 < i)%nat -> layer (global N lambda F) X i j = X i j.
Proof using. intros Hi. unfold global. rewrite attention_spec, attend_psi, attend_zero.
  destruct (Nat.eqb_spec i 0); [lia|ring]. Qed.

(** ** The value map (Lemma 7) *)
Notation delta := (/ INR N).

(** The value map's first layer comes first. *)
Lemma value_cons t ts X : net (value N (t :: ts)) X = net (value N ts)
  (layer (token (u N) (snd t) (window (fst t) delta)) X).
Proof using. reflexivity. Qed.

(** Layers that add a vector to the columns with an id near a key: phi, the key and the vector of each. *)
Definition windows (l : list (phi * (R * (nat -> R)))) : list block :=
  map (fun p => token (u N) (snd (snd p)) (fst p)) l.
(** A phi that is 1 near the key, and 0 from h on. *)
Definition fits (h : R) (p : phi * (R * (nat -> R))) : Prop := forall x,
  (Rabs (x - fst (snd p)) <= delta / 4 -> apply_phi (fst p) x = 1) /\
  (h <= Rabs (x - fst (snd p)) -> apply_phi (fst p) x = 0).

(** An id away from all keys: they do nothing. *)
Lemma windows_miss h l : Forall (fits h) l -> forall X j, (forall t, In t (map snd l) -> h <= Rabs (id X j - fst t)) ->
  forall i, (i < d)%nat -> net (windows l) X i j = X i j.
Proof using.
  induction 1 as [|p l Hp _ IH]; intros X j H i Hi; [reflexivity|].
  change (net (windows (p :: l)) X) with (net (windows l) (layer (token (u N) (snd (snd p)) (fst p)) X)).
  assert (forall i, (i < d)%nat -> layer (token (u N) (snd (snd p)) (fst p)) X i j = X i j) as E.
  { intros i' Hi'. rewrite token_spec, (proj2 (Hp (id X j))); [ring|]. apply H. left. reflexivity. }
  rewrite IH; [apply E, Hi| |exact Hi]. intros t Ht. rewrite (along_ext (u N) _ X j) by exact E.
  apply H. right. exact Ht.
Qed.

(** An id near a key, all of whose entries add the same, and which is away from all keys after that: it is added
    once. *)
Theorem windows_hit h l key a : 0 < delta -> h <= 3 * (delta / 4) -> Forall (fits h) l ->
  forall X j, In (key, a) (map snd l) ->
  (forall t, In t (map snd l) ->
    (fst t = key /\ forall i, (i < d)%nat -> snd t i = a i) \/ delta <= Rabs (fst t - key)) ->
  Rabs (id X j - key) <= delta / 4 ->
  (forall t, In t (map snd l) -> h <= Rabs (id X j + id (fun i _ => a i) j - fst t)) ->
  forall i, (i < d)%nat -> net (windows l) X i j = X i j + a i.
Proof using.
  intros delta0 h4. induction 1 as [|p l Hp Hl IH]; intros X j Hin Hk Hx Ha i Hi; [contradiction|].
  change (net (windows (p :: l)) X) with (net (windows l) (layer (token (u N) (snd (snd p)) (fst p)) X)).
  set (Y := layer _ X). destruct (Hk (snd p) (or_introl eq_refl)) as [[E1 E2]|far].
  - assert (forall i, (i < d)%nat -> Y i j = X i j + a i) as E.
    { intros i' Hi'. unfold Y. rewrite token_spec, E2, (proj1 (Hp (id X j))) by (rewrite ?E1; assumption). ring. }
    rewrite (windows_miss h l Hl); [apply E, Hi| |exact Hi]. intros t Ht. specialize (Ha t (or_intror Ht)).
    replace (id Y j) with (id X j + id (fun i _ => a i) j); [exact Ha|].
    unfold along. rewrite <- sum_plus. apply sum_ext. intros k Hk'. rewrite E by exact Hk'. ring.
  - assert (forall i, (i < d)%nat -> Y i j = X i j) as E.
    { intros i' Hi'. unfold Y. rewrite token_spec, (proj2 (Hp (id X j))); [ring|].
      revert far Hx. unfold Rabs. destruct (Rcase_abs (fst (snd p) - key)), (Rcase_abs (id X j - key)),
        (Rcase_abs (id X j - fst (snd p))); lra. }
    assert (id Y j = id X j) as Ei by (apply along_ext; exact E).
    rewrite IH; [rewrite E by exact Hi; reflexivity| | |rewrite Ei; exact Hx| |exact Hi].
    + destruct Hin as [Ep|Hin]; [|exact Hin]. exfalso. rewrite Ep in far. simpl in far.
      rewrite Rminus_eq_0, Rabs_R0 in far. lra.
    + intros t Ht. apply Hk. right. exact Ht.
    + intros t Ht. rewrite Ei. apply Ha. right. exact Ht.
Qed.

(** The value map's layers are such. *)
Lemma value_windows (delta0 : 0 < delta) ts :
  exists l, value N ts = windows l /\ map snd l = ts /\ Forall (fits (delta / 2)) l.
Proof using.
  exists (map (fun t => (window (fst t) delta, t)) ts). unfold value, windows. rewrite !map_map. split; [reflexivity|].
  split; [apply map_id|]. apply Forall_map, Forall_forall. intros t _ x. apply window_spec, delta0.
Qed.

(** So it does nothing to an id away from all keys, *)
Lemma value_untouched (delta0 : 0 < delta) ts X j : (forall t, In t ts -> delta / 2 <= Rabs (id X j - fst t)) ->
  forall i, (i < d)%nat -> net (value N ts) X i j = X i j.
Proof using. destruct (value_windows delta0 ts) as [l [-> [<- H]]]. apply windows_miss, H. Qed.

(** and adds once to an id near a key. *)
Theorem value_spec (delta0 : 0 < delta) ts key a X j : In (key, a) ts ->
  (forall t, In t ts -> (fst t = key /\ forall i, (i < d)%nat -> snd t i = a i) \/ delta <= Rabs (fst t - key)) ->
  Rabs (id X j - key) <= delta / 4 -> (forall t, In t ts -> delta / 2 <= Rabs (id X j + id (fun i _ => a i) j - fst
    t)) ->
  forall i, (i < d)%nat -> net (value N ts) X i j = X i j + a i.
Proof using.
  destruct (value_windows delta0 ts) as [l [-> [<- H]]]. apply (windows_hit (delta / 2)); lra || exact H.
Qed.

(** ** The quantiser (Lemma 5) *)
Lemma along_unit i0 X j : (i0 < d)%nat -> along (unit i0) X j = X i0 j.
Proof using.
  intros H. unfold along, unit. rewrite (sum_single d _ i0 H), Nat.eqb_refl; [ring|].
  intros k _ NE. destruct (Nat.eqb_spec k i0); [contradiction|ring].
Qed.

(** What phis do to one entry, one after the other. *)
Definition acted (fs : list phi) (x : R) : R := fold_left (fun x f => x + apply_phi f x) fs x.

(** Layers of one row; *)
Lemma row_tokens i0 fs : (i0 < d)%nat -> forall X i j, (i < d)%nat ->
  net (map (token (unit i0) (unit i0)) fs) X i j = if Nat.eqb i i0 then acted fs (X i j) else X i j.
Proof using.
  intros H0. induction fs as [|f fs IH]; intros X i j Hi; [simpl; destruct (Nat.eqb i i0); reflexivity|].
  change (net (map ?g (f :: fs)) X) with (net (map g fs) (layer (g f) X)). rewrite IH by exact Hi.
  rewrite token_spec, along_unit by exact H0. unfold unit.
  destruct (Nat.eqb_spec i i0) as [->|]; [unfold acted; simpl; f_equal; ring|ring].
Qed.

(** of all rows. *)
Lemma rows_tokens ts (fs : nat -> list phi) X i j : (i < d)%nat ->
  ts = flat_map (fun i => map (token (unit i) (unit i)) (fs i)) (seq 0 d) -> net ts X i j = acted (fs i) (X i j).
Proof using.
  assert (forall r i, (r <= d)%nat -> (i < d)%nat ->
    net (flat_map (fun i => map (token (unit i) (unit i)) (fs i)) (seq 0 r)) X i j =
    if (i <? r)%nat then acted (fs i) (X i j) else X i j) as G.
  { induction r as [|r IH]; intros k Hr Hk; [reflexivity|].
    rewrite seq_S, flat_map_app, run_app. simpl flat_map. rewrite app_nil_r, row_tokens, !IH by lia.
    destruct (Nat.eqb_spec k r), (Nat.ltb_spec k r), (Nat.ltb_spec k (S r)); subst; try lia; reflexivity. }
  intros Hi ->. rewrite G by lia. destruct (Nat.ltb_spec i d); [reflexivity|lia].
Qed.

(** The same phi on every entry. *)
Theorem entrywise_spec f X i j : (i < d)%nat -> net (entrywise d f) X i j = X i j + apply_phi f (X i j).
Proof using.
  intros Hi. apply (rows_tokens _ (fun _ => [f]) X i j Hi). unfold entrywise.
  induction (seq 0 d) as [|k l IH]; [reflexivity|]. simpl. rewrite IH. reflexivity.
Qed.

(** What the quantiser does to one entry, with a strip of each cell's own. *)
Definition scalar (e : nat -> R) (ks : list nat) : R -> R := acted (map (fun k => tent (e k) (INR k * delta) delta) ks).

Section Scalar.
Variable e : nat -> R.
Variable width : R.
Hypothesis strips : forall k, 0 < e k <= width.
Hypothesis narrow : width < delta.

(** It leaves a negative entry as it is. *)
Lemma scalar_negative ks x : x <= 0 -> scalar e ks x = x.
Proof using strips narrow.
  intros Hx. induction ks as [|k ks IH]; [reflexivity|]. pose proof (strips k).
  change (scalar e ks (x + apply_phi (tent (e k) (INR k * delta) delta) x) = x).
  rewrite (proj1 (tent_spec (e k) (INR k * delta) delta x ltac:(lra) ltac:(lra))); [rewrite Rplus_0_r; exact IH|].
  assert (0 <= INR k * delta) by (apply Rmult_le_pos; [apply pos_INR|lra]). lra.
Qed.

(** In a cell, off its strip, the entry becomes the left end of the cell. *)
Lemma scalar_cell K x m a : INR K * delta <= x <= INR K * delta + delta - width ->
  scalar e (seq a m) x = if (a <=? K)%nat && (K <? a + m)%nat then INR K * delta else x.
Proof using strips narrow.
  revert a x. induction m as [|m IH]; intros a x Hx.
  - simpl. destruct (Nat.leb_spec a K), (Nat.ltb_spec K (a + 0)); try lia; reflexivity.
  - simpl seq. change (scalar e (a :: ?ks) x) with (scalar e ks (x + apply_phi (tent (e a) (INR a * delta) delta) x)).
    pose proof (strips a). destruct (tent_spec (e a) (INR a * delta) delta x ltac:(lra) ltac:(lra)) as [T1 [T2 T3]].
    destruct (Nat.lt_trichotomy a K) as [L|[->|L]].
    + rewrite T3 by (assert (INR a + 1 <= INR K) by (rewrite <- S_INR; apply le_INR; lia); nra).
      rewrite Rplus_0_r, IH by exact Hx.
      destruct (Nat.leb_spec (S a) K), (Nat.ltb_spec K (S a + m)), (Nat.leb_spec a K), (Nat.ltb_spec K (a + S m));
        try lia; reflexivity.
    + rewrite T2 by lra. rewrite IH by lra.
      destruct (Nat.leb_spec (S K) K), (Nat.ltb_spec K (S K + m)), (Nat.leb_spec K K), (Nat.ltb_spec K (K + S m));
        try lia; reflexivity.
    + rewrite T1 by (assert (INR K + 1 <= INR a) by (rewrite <- S_INR; apply le_INR; lia); nra).
      rewrite Rplus_0_r, IH by exact Hx.
      destruct (Nat.leb_spec (S a) K), (Nat.ltb_spec K (S a + m)), (Nat.leb_spec a K), (Nat.ltb_spec K (a + S m));
        try lia; reflexivity.
Qed.
End Scalar.

(** The quantiser at any point. *)
Lemma quantise_scalar e m X i j : (i < d)%nat -> net (quantise d N e m) X i j = scalar (fun _ => e) (seq 0 m) (X i j).
Proof using.
  intros Hi. apply (rows_tokens _ (fun _ => map (fun k => tent e (INR k * delta) delta) (seq 0 m)) X i j Hi).
  apply flat_map_ext. intros r. unfold quantise_row. rewrite map_map. reflexivity.
Qed.

(** Lemma 5: a point off the strips becomes the corner of its cell. *)
Theorem quantise_spec e m (K : nat -> nat -> nat) X : 0 < e -> e < delta ->
  (forall i j, (i < d)%nat -> (j < n)%nat -> (K i j < m)%nat /\
    INR (K i j) * delta <= X i j <= INR (K i j) * delta + delta - e) ->
  forall i j, (i < d)%nat -> (j < n)%nat -> net (quantise d N e m) X i j = INR (K i j) * delta.
Proof using.
  intros e0 ed H i j Hi Hj. destruct (H i j Hi Hj) as [HK HX]. rewrite quantise_scalar by exact Hi.
  rewrite (scalar_cell _ e (fun _ => conj e0 (Rle_refl e)) ed (K i j)) by exact HX.
  destruct (Nat.leb_spec 0 (K i j)), (Nat.ltb_spec (K i j) (0 + m)); try lia. reflexivity.
Qed.

(** ** No block reads what is outside d x n *)
Lemma layer_ext t X Y : (forall i j, (i < d)%nat -> (j < n)%nat -> X i j = Y i j) ->
  forall i j, (i < d)%nat -> (j < n)%nat -> layer t X i j = layer t Y i j.
Proof using.
  intros H. assert (forall A l k, (k < n)%nat -> times d A X l k = times d A Y l k) as T.
  { intros A l k Hk. apply sum_ext. intros a Ha. rewrite H by assumption. reflexivity. }
  assert (forall w i j, (j < n)%nat -> attend d n 1 w X i j = attend d n 1 w Y i j) as A.
  { intros w i j Hj.
    assert (forall k, (k < n)%nat -> times 1 (transpose (times d (W_K w) X)) (plus (times d (W_Q w) X)
      (columns (b_Q w))) k j =
      times 1 (transpose (times d (W_K w) Y)) (plus (times d (W_Q w) Y) (columns (b_Q w))) k j) as E.
    { intros k Hk. unfold times at 1 4, transpose, plus. apply sum_ext. intros l _. rewrite !T by assumption.
      reflexivity. }
    unfold attend. unfold times at 1 6. apply sum_ext. intros l _. f_equal. unfold times at 1 5. apply sum_ext.
    intros k Hk. rewrite T by exact Hk. f_equal.
    unfold softmax. rewrite E by exact Hk. f_equal. apply sum_ext. intros k' Hk'. rewrite E by exact Hk'. reflexivity. }
  assert (forall i j, (i < d)%nat -> (j < n)%nat -> Attn d n 2 1 t X i j = Attn d n 2 1 t Y i j) as B.
  { intros i j Hi Hj. unfold Attn. rewrite H by assumption. f_equal. apply sum_ext. intros k _. apply A, Hj. }
  intros i j Hi Hj. unfold layer, FF, plus. rewrite B by assumption. f_equal. f_equal. apply sum_ext. intros a _.
  f_equal. unfold relu. f_equal. f_equal.
  apply sum_ext. intros l Hl. rewrite B by assumption. reflexivity.
Qed.

(** So no network does. *)
Theorem run_ext ts : forall X Y, (forall i j, (i < d)%nat -> (j < n)%nat -> X i j = Y i j) ->
  forall i j, (i < d)%nat -> (j < n)%nat -> net ts X i j = net ts Y i j.
Proof using.
  induction ts as [|t ts IH]; intros X Y H; [exact H|]. change (net (t :: ts) ?Z) with (net ts (layer t Z)).
  apply IH, layer_ext, H.
Qed.
End Blocks.
