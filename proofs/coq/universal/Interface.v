(** What Theorems 2 and 3 share: keys, tracking and separation are all that the proof asks of a contextual map. *)
From Coq Require Import Reals List Arith Bool Lia Lra Psatz FunctionalExtensionality.
From Contextual Require Statement.
From Contextual Require Import Approximation Sums Construction Relu Blocks.
Import ListNotations.
Open Scope R_scope.

(** ** All matrices of cells, as a list *)
Lemma functions_complete N m g : (forall i, (i < m)%nat -> (g i < N)%nat) ->
  exists g', In g' (functions N m) /\ forall i, (i < m)%nat -> g' i = g i.
Proof.
  induction m as [|m IH]; intros H.
  - exists (fun _ => O). split; [left; reflexivity|]. intros; lia.
  - destruct IH as [g' [Hin E]]; [intros; apply H; lia|]. exists (fun i => if Nat.eqb i m then g m else g' i). split.
    + simpl. apply in_flat_map. exists g'. split; [exact Hin|]. apply in_map_iff. exists (g m). split; [reflexivity|].
      apply in_seq. specialize (H m ltac:(lia)). lia.
    + intros i Hi. destruct (Nat.eqb_spec i m) as [->|]; [reflexivity|apply E; lia].
Qed.

(** Their values are in range, and there are N^m of them. *)
Lemma functions_range N m g : (0 < N)%nat -> In g (functions N m) -> forall i, (g i < N)%nat.
Proof.
  intros HN. revert g. induction m as [|m IH]; intros g Hg i; simpl in Hg.
  - destruct Hg as [<-|[]]. exact HN.
  - apply in_flat_map in Hg. destruct Hg as [g' [Hg' Hg]]. apply in_map_iff in Hg. destruct Hg as [k [<- Hk]].
    apply in_seq in Hk.
    destruct (Nat.eqb i m); [lia|apply IH, Hg'].
Qed.

(** Two of the list that agree where they are read are the same function. *)
Lemma functions_equal N m g g' : In g (functions N m) -> In g' (functions N m) -> (forall i, (i < m)%nat ->
  g i = g' i) -> g = g'.
Proof.
  intros Hg Hg' E. assert (forall g, In g (functions N m) -> forall i, (m <= i)%nat -> g i = O) as Z.
  { clear. induction m as [|m IH]; intros g Hg i Hi; simpl in Hg.
    - destruct Hg as [<-|[]]. reflexivity.
    - apply in_flat_map in Hg. destruct Hg as [g' [Hg' Hg]]. apply in_map_iff in Hg. destruct Hg as [k [<- _]].
      destruct (Nat.eqb_spec i m); [lia|apply IH; [exact Hg'|lia]]. }
  extensionality i. destruct (Nat.lt_ge_cases i m) as [L|L]; [apply E, L|]. rewrite (Z g Hg i L), (Z g' Hg' i L).
  reflexivity.
Qed.

(** There are N^m functions. *)
Lemma functions_length N m : length (functions N m) = (N ^ m)%nat.
Proof.
  induction m as [|m IH]; [reflexivity|]. simpl functions. rewrite Nat.pow_succ_r', <- IH. clear IH.
  induction (functions N m) as [|g l IH]; simpl; [lia|]. rewrite app_length, map_length, seq_length, IH. lia.
Qed.

Section Cells.
Variables d n : nat.
Definition same (K K' : cells) : Prop := forall i j, (i < d)%nat -> (j < n)%nat -> K i j = K' i j.
Definition in_range (m : nat) (K : cells) : Prop := forall i j, (i < d)%nat -> (j < n)%nat -> (K i j < m)%nat.

(** Row and column of an index, and back. *)
Lemma index i j : (i < d)%nat -> (j < n)%nat -> (i * n + j < d * n)%nat.
Proof using. intros. nia. Qed.

(** An index of the list is a row and a column. *)
Lemma row_column i j : (j < n)%nat -> ((i * n + j) / n = i /\ (i * n + j) mod n = j)%nat.
Proof using.
  intros Hj. rewrite Nat.div_add_l, Nat.div_small, Nat.add_0_r by lia. split; [reflexivity|].
  rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small by lia. reflexivity.
Qed.

(** Every matrix of cells in range is on the list, but for entries that nobody reads; and only such ones are. *)
Lemma cells_complete m K : (1 <= n)%nat -> in_range m K -> exists K', In K' (all_cells d n m) /\ same K' K.
Proof using.
  intros n1 HR. destruct (functions_complete m (d * n) (fun k => K (k / n)%nat (k mod n)%nat)) as [g [Hg E]].
  { intros k Hk. apply HR; [apply Nat.div_lt_upper_bound; lia|apply Nat.mod_upper_bound; lia]. }
  exists (as_cells n g). split; [apply in_map, Hg|]. intros i j Hi Hj. unfold as_cells.
  rewrite E by (apply index; assumption).
  destruct (row_column i j Hj) as [-> ->]. reflexivity.
Qed.

(** Cells are below m. *)
Lemma cells_range m K : (0 < m)%nat -> In K (all_cells d n m) -> in_range m K.
Proof using.
  intros Hm H. apply in_map_iff in H. destruct H as [g [<- Hg]]. intros i j _ _. apply (functions_range m _ g Hm Hg).
Qed.

(** In the list, cells with the same entries are the same. *)
Lemma cells_equal m K K' : (1 <= n)%nat -> In K (all_cells d n m) -> In K' (all_cells d n m) -> same K K' -> K = K'.
Proof using.
  intros n1 H H' E. apply in_map_iff in H. destruct H as [g [<- Hg]]. apply in_map_iff in H'.
  destruct H' as [g' [<- Hg']].
  f_equal. apply (functions_equal m (d * n)); [exact Hg|exact Hg'|]. intros k Hk.
  specialize (E (k / n)%nat (k mod n)%nat ltac:(apply Nat.div_lt_upper_bound; lia) ltac:(apply Nat.mod_upper_bound;
    lia)).
  unfold as_cells in E. rewrite (Nat.mul_comm (k / n)), <- (Nat.div_mod k n) in E by lia. exact E.
Qed.

(** Cells that agree where they are read hold the same points. *)
Lemma in_cell_same N K K' X : same K K' -> in_cell d n N K X -> in_cell d n N K' X.
Proof using. intros E H i j Hi Hj. rewrite <- E by assumption. apply H; assumption. Qed.
End Cells.

(** ** The interface. N cells to a unit, m along each axis; the targets are within [-F, F]; the map is right up to
    eta. *)
Section Interface.
Variables d n N m : nat.
Variables F eta : R.
Variable Ks : list cells.
Variable key : cells -> nat -> R.
Variable cmap : list block.
Variable target : cells -> matrix.
Notation w := (/ INR N).
Notation rid := (along d (u N)).
Notation net := (run d n 2 1 4).
Notation LR := (corner N).
Notation add := (add d N key target).
Notation table := (table d n N Ks key target).

Record interface : Prop := {
  context_range : forall K, In K Ks -> in_range d n m K;
  tracking : forall K Y, In K Ks -> (forall i j, (i < d)%nat -> (j < n)%nat -> Y i j = LR K i j) ->
    forall j, (j < n)%nat -> Rabs (rid (net cmap Y) j - key K j) <= eta;
  map_rows : forall Y i j, (0 < i)%nat -> net cmap Y i j = Y i j;
  separation : forall K K' j j', In K Ks -> In K' Ks -> (j < n)%nat -> (j' < n)%nat ->
    (key K' j' = key K j /\ forall i, (i < d)%nat -> K' i j' = K i j /\ target K' i j' = target K i j) \/
    w <= Rabs (key K' j' - key K j);
  key_above : forall K j, In K Ks -> (j < n)%nat -> F * INR d * INR (Statement.B d N) + w <= key K j;
  target_bound : forall K, In K Ks -> forall i j, (i < d)%nat -> (j < n)%nat -> Rabs (target K i j) <= F }.

(** The table holds the columns of contexts, and no more. *)
Lemma table_in t : In t table -> exists K j, In K Ks /\ (j < n)%nat /\ t = (key K j, add K j).
Proof using.
  intros H. apply in_flat_map in H. destruct H as [K [HK H]]. apply in_map_iff in H. destruct H as [j [<- Hj]].
  apply in_seq in Hj.
  exists K, j. split; [exact HK|split; [lia|reflexivity]].
Qed.

(** Each column of each context has its entry in the table. *)
Lemma in_table K j : In K Ks -> (j < n)%nat -> In (key K j, add K j) table.
Proof using.
  intros HK Hj. apply in_flat_map. exists K. split; [exact HK|]. apply in_map_iff. exists j.
  split; [reflexivity|apply in_seq; lia].
Qed.

(** Where two keys are equal, so is what is added. *)
Lemma same_add K K' j j' : key K' j' = key K j -> (forall i, (i < d)%nat -> K' i j' = K i j /\
  target K' i j' = target K i j) ->
  forall i, (i < d)%nat -> add K' j' i = add K j i.
Proof using.
  intros Ek H i Hi. unfold Construction.add. rewrite Ek.
  assert (forall i, (i < d)%nat -> LR K' i j' = LR K i j) as EL by (intros k Hk; unfold corner;
    rewrite (proj1 (H k Hk)); reflexivity).
  rewrite EL, (proj2 (H i Hi)) by exact Hi.
  assert (rid (LR K') j' = rid (LR K) j) as ER by (apply sum_ext; intros k Hk; rewrite EL by exact Hk; reflexivity).
  rewrite ER. reflexivity.
Qed.

Hypothesis face : interface.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis N2 : (2 <= N)%nat.
Hypothesis etaw : eta <= w / 4.
Variable e : R.
Hypothesis e0 : 0 < e.
Hypothesis ew : e < w.

(** The id of a column of targets lies below all keys. *)
Lemma target_small K j : In K Ks -> (j < n)%nat -> rid (fun i _ => target K i j) j <= F * INR d * INR (Statement.B d N).
Proof using N2 d1 face.
  intros HK Hj. unfold along. apply Rle_trans with (sum d (fun _ => F * INR (Statement.B d N))); [|rewrite sum_const;
    lra].
  apply sum_le. intros i Hi. pose proof (target_bound face K HK i j Hi Hj) as H. apply between in H.
  assert (u N i <= INR (Statement.B d N)) by (unfold u, Statement.B; rewrite <- pow_INR;
    apply le_INR, Nat.pow_le_mono_r; lia).
  assert (0 <= u N i) by (unfold u; rewrite <- pow_INR; apply pos_INR). nra.
Qed.

(** What the quantiser and the contextual map make of a good point: ids near the keys, the other rows on the grid. *)
Lemma good_ids X K : In K Ks ->
  (forall i j, (i < d)%nat -> (j < n)%nat -> INR (K i j) * w <= X i j <= INR (K i j) * w + w - e) ->
  let Z := net cmap (net (quantise d N e m) X) in forall j, (j < n)%nat -> Rabs (rid Z j - key K j) <= eta /\
    forall i, (i < d)%nat -> Z i j = LR K i j + (if Nat.eqb i 0 then rid Z j - rid (LR K) j else 0).
Proof using N2 d1 e0 ew face.
  intros HK HX Z j Hj. set (Y := net (quantise d N e m) X) in *.
  assert (forall a b, (a < d)%nat -> (b < n)%nat -> Y a b = LR K a b) as EY.
  { intros a b Ha Hb. apply (quantise_spec d n N e m K X e0 ew); [|exact Ha|exact Hb].
    intros a' b' Ha' Hb'. split; [apply (context_range face); assumption|apply HX; assumption]. }
  split; [apply (tracking face); assumption|].
  assert (rid Y j = rid (LR K) j) as ER by (apply along_ext; intros; apply EY; assumption).
  assert (forall a, (a < d)%nat -> Z a j = Y a j + (if Nat.eqb a 0 then Z O j - Y O j else 0)) as E0.
  { intros a _. destruct (Nat.eqb_spec a 0) as [->|]; [ring|unfold Z; rewrite (map_rows face) by lia; ring]. }
  pose proof (id_first d N ltac:(lia) Y Z j (Z O j - Y O j) E0) as IF. intros a Ha.
  rewrite <- EY, <- ER, IF by assumption.
  rewrite E0 at 1 by exact Ha. destruct (Nat.eqb a 0); ring.
Qed.

(** What the value map makes of such a column: the target, but for row 0, which keeps the error of its id. *)
Lemma good_values K Z j : In K Ks -> (j < n)%nat -> Rabs (rid Z j - key K j) <= eta ->
  (forall i, (i < d)%nat -> Z i j = LR K i j + (if Nat.eqb i 0 then rid Z j - rid (LR K) j else 0)) ->
  forall i, (i < d)%nat -> net (value N table) Z i j = target K i j + (if Nat.eqb i 0 then rid Z j - key K j else 0).
Proof using N2 d1 e0 etaw ew face.
  intros HK Hj TR EZ i Hi.
  assert (rid Z j + rid (fun a _ => add K j a) j = rid (fun a _ => target K a j) j + (rid Z j - key K j)) as EA.
  { assert (rid (fun a _ => target K a j) j = rid (LR K) j + (key K j - rid (LR K) j) + rid (fun a _ => add K j a) j) as
      E1; [|lra].
    rewrite <- (id_first d N ltac:(lia) (LR K) (fun a b => LR K a b + (if Nat.eqb a 0 then key K j - rid (LR K) j else
      0)) j) by reflexivity.
    unfold along. rewrite <- sum_plus. apply sum_ext. intros a _. unfold Construction.add, along.
    destruct (Nat.eqb a 0); ring. }
  assert (net (value N table) Z i j = Z i j + add K j i) as EV.
  { apply (value_spec d n N ltac:(lra) table (key K j) (add K j));
      [apply in_table; assumption| |apply Rle_trans with eta; [exact TR|exact etaw]| |exact Hi].
    - intros t Ht. destruct (table_in t Ht) as [K2 [j2 [HK2 [Hj2 ->]]]]. simpl.
      destruct (separation face K K2 j j2 HK HK2 Hj Hj2) as [[Ek S]|far]; [left|right; exact far].
      split; [exact Ek|]. apply same_add; assumption.
    - intros t Ht. destruct (table_in t Ht) as [K2 [j2 [HK2 [Hj2 ->]]]]. simpl fst.
      change (w / 2 <= Rabs (rid Z j + rid (fun a _ => add K j a) j - key K2 j2)). rewrite EA.
      pose proof (target_small K j HK Hj). pose proof (key_above face K2 j2 HK2 Hj2). apply between in TR.
      rewrite Rabs_left1; lra. }
  rewrite EV, EZ by exact Hi. unfold Construction.add. destruct (Nat.eqb i 0); ring.
Qed.

(** The network at a good point: within eta of the target. *)
Theorem good_point X K : In K Ks ->
  (forall i j, (i < d)%nat -> (j < n)%nat -> INR (K i j) * w <= X i j <= INR (K i j) * w + w - e) ->
  forall i j, (i < d)%nat -> (j < n)%nat -> Rabs (net (network d N m e F cmap table) X i j - target K i j) <= eta.
Proof using N2 d1 e0 etaw ew face.
  intros HK HX i j Hi Hj. unfold network. rewrite !run_app.
  destruct (good_ids X K HK HX j Hj) as [TR EZ]. pose proof (target_bound face K HK i j Hi Hj) as FB.
  apply between in FB.
  rewrite entrywise_spec, clamp_spec, (good_values K _ j HK Hj TR EZ i Hi) by (try lra; exact Hi).
  set (Z := net cmap _) in *. apply between in TR.
  assert (- eta <= (if Nat.eqb i 0 then rid Z j - key K j else 0) <= eta) as ED by (destruct (Nat.eqb i 0); lra).
  set (x := if Nat.eqb i 0 then _ else _) in *. clearbody x. apply Rabs_le. unfold Rmin, Rmax.
  destruct (Rle_dec (- F) (target K i j + x)); destruct (Rle_dec F _); lra.
Qed.

(** The network at any point: within [-F, F]. *)
Theorem bounded_point X i j : 0 < F -> (i < d)%nat -> Rabs (net (network d N m e F cmap table) X i j) <= F.
Proof using.
  intros F0 Hi. unfold network. rewrite !run_app, entrywise_spec, clamp_spec by (try lra; exact Hi).
  apply Rabs_le. unfold Rmin, Rmax. destruct (Rle_dec (- F) _); destruct (Rle_dec F _); lra.
Qed.
End Interface.
