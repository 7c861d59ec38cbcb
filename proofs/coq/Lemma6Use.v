(** What a user of Lemma 6 needs besides its properties: the layers seen through the ids, equivariance, keys,
    padding. *)

From Coq Require Import QArith List Arith ZArith Bool Lia Lqa Setoid Morphisms Permutation FinFun.
From Contextual Require Import Statement Permutations Heads Recursion Network Grid Theorems.
Import ListNotations.
Open Scope Q_scope.

(** ** Columns in another order *)
Section Reorder.
Variable n : nat.
Variable p : nat -> nat.
Hypothesis perm : permutes n p.

(** Largest scores go where their columns go. *)
Lemma is_argmax_reorder s s' i : (forall k, (k < n)%nat -> s' k == s (p k)) -> (i < n)%nat ->
  is_argmax n s' i = is_argmax n s (p i).
Proof using perm.
  intros H Hi. apply Bool.eq_true_iff_eq. rewrite !is_argmax_spec. split; intros A k Hk.
  - destruct (permutes_onto n p k perm Hk) as [j [Hj <-]]. rewrite <- (H j Hj), <- (H i Hi). apply A, Hj.
  - rewrite (H k Hk), (H i Hi). apply A, (proj1 perm), Hk.
Qed.

(** And their weights. *)
Lemma hardmax_reorder s s' i : (forall k, (k < n)%nat -> s' k == s (p k)) -> (i < n)%nat ->
  hardmax n s' i == hardmax n s (p i).
Proof using perm.
  intros H Hi. unfold hardmax. rewrite (is_argmax_reorder s s' i H Hi). destruct (is_argmax n s (p i)); [|reflexivity].
  assert (of_nat (argmaxima n s') == of_nat (argmaxima n s)) as ->; [|reflexivity].
  transitivity (sum n (fun k => if is_argmax n s' k then 1 else 0)).
  - rewrite sum_indicator. unfold argmaxima. ring.
  - transitivity (sum n (fun k => if is_argmax n s k then 1 else 0)).
    + rewrite <- (sum_reorder n p (fun k => if is_argmax n s k then 1 else 0) perm). apply sum_ext. intros k Hk.
      rewrite (is_argmax_reorder s s' k H Hk). reflexivity.
    + rewrite sum_indicator. unfold argmaxima. ring.
Qed.
End Reorder.

(** ** Equivariance *)
Section Equivariant.
Variables d n : nat.

(** A row times a column depends on that column. *)
Lemma row_columns w X X' j j' : same_column d X' j X j' -> row d w X' j == row d w X j'.
Proof using. intros H. apply sum_ext. intros i Hi. rewrite (H i Hi). reflexivity. Qed.

(** An attention layer is equivariant. *)
Theorem attention_equivariant l : equivariant d n (attention d n l).
Proof using.
  intros p X X' Hb Hi H j Hj i Hr. unfold attention. rewrite !Qred_correct, (H j Hj i Hr).
  apply Qplus_comp; [reflexivity|]. induction l as [|h l IH]; [reflexivity|]. simpl. rewrite IH.
  apply Qplus_comp; [|reflexivity]. apply Qmult_comp; [reflexivity|]. unfold head_value.
  rewrite <- (sum_reorder n p (fun k => row d (W_V h) X k * _) (conj Hb Hi)). apply sum_ext. intros k Hk.
  rewrite (row_columns _ _ _ _ _ (H k Hk)). apply Qmult_comp; [reflexivity|].
  apply (hardmax_reorder n p (conj Hb Hi)); [|exact Hk]. intros a Ha.
  rewrite (row_columns _ _ _ _ _ (H a Ha)), (row_columns _ _ _ _ _ (H j Hj)). reflexivity.
Qed.

(** A network of them is. *)
Theorem layers_equivariant : run_equivariant d n.
Proof using.
  intros layers. induction layers as [|l layers IH]; intros p X X' Hb Hi H j Hj; [apply H, Hj|].
  apply (IH p (attention d n l X) (attention d n l X') Hb Hi); [|exact Hj].
  intros k Hk. apply (attention_equivariant l p X X' Hb Hi H k Hk).
Qed.

(** Equal inputs give equal outputs. *)
Lemma run_ext layers X X' : (forall j, (j < n)%nat -> same_column d X' j X j) ->
  forall j, (j < n)%nat -> same_column d (run d n layers X') j (run d n layers X) j.
Proof using. intros H. apply (layers_equivariant layers (fun j => j)); auto. Qed.
End Equivariant.

(** ** Padding *)
Theorem two_heads_run d n N : padded d n N.
Proof.
  split; [|split].
  - unfold padded_network, network, sweep. rewrite map_length, app_length, map_length, seq_length. reflexivity.
  - intros l Hl. apply in_map_iff in Hl. destruct Hl as [l' [<- Hl]]. unfold two_heads.
    rewrite app_length, repeat_length.
    apply in_app_iff in Hl. destruct Hl as [Hl|[<-|[]]]; [|reflexivity].
    apply in_map_iff in Hl. destruct Hl as [k [<- _]]. reflexivity.
  - intros X i j Hi Hj. unfold padded_network.
    assert (forall layers X, forall j, (j < n)%nat ->
      same_column d (run d n (map two_heads layers) X) j (run d n layers X) j) as G;
      [|apply G; assumption].
    clear. induction layers as [|l layers IH]; intros X j Hj i Hi; [reflexivity|].
    change (run d n (map two_heads layers) (attention d n (two_heads l) X) i j ==
      run d n layers (attention d n l X) i j).
    rewrite (IH _ j Hj i Hi). apply (run_ext d n layers); [|exact Hj|exact Hi]. clear. intros j Hj i Hi.
    unfold attention. rewrite !Qred_correct. apply Qplus_comp; [reflexivity|].
    unfold two_heads. generalize (2 - length l)%nat. intros m. induction l as [|h l IH].
    + simpl. induction m as [|m IHm]; [reflexivity|]. simpl. rewrite IHm. ring.
    + simpl. rewrite IH. reflexivity.
Qed.

(** ** The layers seen through the ids *)
Section Layers.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Notation delta := (delta N).
Notation lattice := (on_lattice N).

(** Ids on the lattice are whole numbers of delta. *)
Lemma lattice_ids X : (forall j, (j < n)%nat -> lattice (id d N X j)) -> exists y, ids d n N X y.
Proof using N2 d1 n1.
  intros H. assert (forall m, (m <= n)%nat -> exists y : nat -> Z, forall j, (j < m)%nat ->
    id d N X j == inject_Z (y j) * delta) as G.
  { induction m as [|m IH]; intros Hm; [exists (fun _ => 0%Z); intros; lia|].
    destruct IH as [y Hy]; [lia|]. destruct (H m ltac:(lia)) as [z Hz].
    exists (fun j => if Nat.eq_dec j m then z else y j). intros j Hj.
    destruct (Nat.eq_dec j m) as [->|]; [exact Hz|apply Hy; lia]. }
  destruct (G n (le_n n)) as [y Hy]. exists y. exact Hy.
Qed.

(** The last column has the largest of them. *)
Lemma last_max X y j : ids d n N X y -> is_last d n N X j -> is_maxZ n y (y j).
Proof using N2.
  intros H [Hj L]. split; [exists j; auto|]. intros k Hk. apply (units_le N N2). rewrite <- (H k Hk), <- (H j Hj).
  apply L, Hk.
Qed.

(** The least one the smallest. *)
Lemma least_min X y j : ids d n N X y -> is_least d n N X j -> is_minZ n y (y j).
Proof using N2.
  intros H [Hj L]. split; [exists j; auto|]. intros k Hk. apply (units_le N N2). rewrite <- (H k Hk), <- (H j Hj).
  apply L, Hk.
Qed.

(** What a selective shift does. *)
Theorem shift : shift_lifts d n N.
Proof using N2 d1 n1.
  intros X k last least j HX Hl Hs Hj. destruct (lattice_ids X HX) as [y H].
  pose proof (shift_ids d n N d1 n1 N2 X y _ _ k H (last_max X y last H Hl) (least_min X y least H Hs) j Hj) as S.
  cbn beta in S.
  rewrite (H j Hj), (H last (proj1 Hl)), (H least (proj1 Hs)). rewrite S. clear S. split; intros E.
  - apply (units_eq N N2 (y j) (Z.of_nat k)) in E. rewrite E, Z.eqb_refl. unfold of_nat, Z.sub.
    rewrite inject_Z_plus, inject_Z_mult, inject_Z_plus, inject_Z_opp. ring.
  - destruct (Z.eqb_spec (y j) (Z.of_nat k)) as [Ek|_]; [|reflexivity]. exfalso. apply E. rewrite Ek. reflexivity.
Qed.

(** What the global shift does. *)
Theorem global : global_lifts d n N.
Proof using N2 d1 n1.
  intros X last least j [Hl L] [Hs S] Hj. rewrite (global_head d n N d1 X j). split; intros H.
  - rewrite (head_above d n N _ 0 X j (id d N X last)); [ring|lia| |exact H].
    split; [exists last; split; [exact Hl|reflexivity]|exact L].
  - rewrite (head_below d n N _ 0 X j (id d N X least)); [ring|lia| |exact H].
    split; [exists least; split; [exact Hs|reflexivity]|exact S].
Qed.

(** Ids tell columns of G apart. *)
Theorem columns_tell : ids_tell d n N.
Proof using N2 d1 n1.
  intros L L' j j' HG HG' Hj Hj' E. apply (xid_same d n N d1 n1 N2); [assumption|assumption|exact Hj|exact Hj'|].
  rewrite (xid_ids d n N d1 n1 N2 L HG j Hj), (xid_ids d n N d1 n1 N2 L' HG' j' Hj') in E.
  apply (units_eq N N2) in E. lia.
Qed.

(** A head of the construction changes the first row only. *)
Lemma psi_stays l X i j : (0 < i)%nat -> attention d n (map (fun p => psi N (fst p) (snd p)) l) X i j == X i j.
Proof using N2 d1 n1.
  intros Hi. unfold attention. rewrite Qred_correct. induction l as [|p l IH]; [simpl; ring|]. simpl.
  destruct (Nat.eqb_spec i 0); [lia|]. rewrite Qmult_0_l, Qplus_0_l. exact IH.
Qed.

(** All other rows stay. *)
Theorem rows : rows_stay d n N.
Proof using N2 d1 n1.
  intros X i j Hi. unfold network, run. rewrite fold_left_app. cbn [fold_left].
  rewrite (psi_stays [(of_nat (N ^ ((n + 1) * d)), 0)] _ i j Hi). unfold sweep.
  change (fold_left _ _ X) with (before d n N (B d N) X). induction (B d N) as [|k IH]; [reflexivity|].
  rewrite before_S. transitivity (before d n N k X i j); [|exact IH].
  apply (psi_stays [(of_nat (B d N), of_nat k * delta - delta / 2); (- of_nat (B d N), of_nat k * delta + delta / 2)]),
    Hi.
Qed.

(** Ids stay on the lattice. *)
Theorem lattice_always : ids_on_lattice d n N.
Proof using N2 d1 n1.
  intros L m j HP Hj. pose proof (zid_ids d n N d1 n1 N2 L HP) as I0.
  assert (forall k, exists y, ids d n N (before d n N k L) y) as S.
  { induction k as [|k [y Hy]]; [exists (zid d N L); exact I0|].
    destruct (maxZ_exists n y ltac:(lia)) as [M HM]. destruct (minZ_exists n y ltac:(lia)) as [m' Hm].
    eexists. rewrite before_S. apply (shift_ids d n N d1 n1 N2 _ y M m' k Hy HM Hm). }
  destruct (Nat.le_gt_cases m (B d N)) as [Hm|Hm].
  - assert (firstn m (network d n N) = map (selective_shift d N) (seq 0 m)) as ->.
    { unfold network, sweep. rewrite firstn_app, map_length, seq_length. replace (m - B d N)%nat with O by lia.
      rewrite firstn_O, app_nil_r, firstn_map. f_equal. replace (B d N) with (m + (B d N - m))%nat by lia.
      rewrite seq_app, firstn_app, seq_length, Nat.sub_diag, firstn_O, app_nil_r.
      rewrite <- (seq_length m 0) at 1. apply firstn_all. }
    destruct (S m) as [y Hy]. exists (y j). apply Hy, Hj.
  - rewrite firstn_all2 by (unfold network, sweep; rewrite app_length, map_length, seq_length; simpl; lia).
    change (id d N (run d n (network d n N) L) j) with (q d n N L j).
    destruct (in_G_or_sentinel d n N L HP) as [G|[i0 [j0 [Hi0 [Hj0 E]]]]].
    + eexists.
      apply (network_q d n N d1 n1 N2 (xid d N L) (xid_range d n N d1 n1 N2 L G) L j (xid_ids d n N d1 n1 N2 L G) Hj).
    + destruct (sentinel_q d n N d1 n1 N2 (zid d N L)) with (X := L) (j := j) as [v [Ev _]];
        [| |exact I0|exact Hj|exists v; exact Ev].
      * intros k Hk. apply (zid_category3 d n N d1 n1 N2 L k HP Hk).
      * exists j0. split; [exact Hj0|]. apply (zid_negative d n N d1 n1 N2 L i0 j0 HP Hi0 Hj0 E).
Qed.
End Layers.

(** ** Keys *)
Section Keys.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n2 : (2 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Let n1 : (1 <= n)%nat.
Proof. lia. Qed.
Notation BB := (B d N).
Notation delta := (delta N).
Notation xid := (xid d N).
Let HB : (2 <= BB)%nat := B_ge_2 d N d1 N2.

(** The recursion knows of x only which levels are occupied. *)
Lemma P_ext x x' : (forall k, occupied n x k = occupied n x' k) -> forall k, P n BB x k = P n BB x' k.
Proof using HB n1.
  intros H. assert (top n x = top n x') as E.
  { apply Nat.le_antisymm.
    - apply (occupied_le_top n BB x' HB n1). rewrite <- H. apply (top_occupied n BB x HB n1).
    - apply (occupied_le_top n BB x HB n1). rewrite H. apply (top_occupied n BB x' HB n1). }
  induction k as [|k IH]; simpl; [rewrite E; reflexivity|]. rewrite H, IH. reflexivity.
Qed.

(** Equal keys mean equal columns of one context. *)
Theorem tell : keys_tell d n N.
Proof using HB n1.
  intros L L' j j' HL HL' Hj Hj' E. pose proof (proj1 HL) as G. pose proof (proj1 HL') as G'.
  pose proof (of_eq N N2 _ _ _ _ (q_T d n N d1 n2 N2 L j G Hj) (q_T d n N d1 n2 N2 L' j' G' Hj') E) as EZ.
  pose proof (leading _ _ _ _ _ (T_range1 d n N d1 n2 N2 L HL j Hj) (T_range1 d n N d1 n2 N2 L' HL' j' Hj') EZ) as EP.
  split; [|apply (P_permuted d n N d1 n2 N2); assumption].
  pose proof (xid_range d n N d1 n1 N2 L G) as R. pose proof (xid_range d n N d1 n1 N2 L' G') as R'.
  pose proof (decode n BB (xid L) n (xid L') HB n BB BB (le_n _) (le_n _) (count1 d n N d1 n2 N2 L HL)
    (count1 d n N d1 n2 N2 L' HL') EP) as DC.
  assert (forall k, occupied n (xid L) k = occupied n (xid L') k) as EO.
  { intros k. apply Bool.eq_true_iff_eq. split; intros O.
    - assert (k < BB)%nat as Hk by (apply (occupied_spec n BB _ HB n1) in O; destruct O as [i [Hi <-]]; apply R, Hi).
      apply (DC k). split; assumption.
    - assert (k < BB)%nat as Hk by (apply (occupied_spec n BB _ HB n1) in O; destruct O as [i [Hi <-]]; apply R', Hi).
      apply (DC k). split; assumption. }
  assert (T n BB (xid L) (xid L j) = T n BB (xid L) (xid L' j')) as ET.
  { rewrite EP in EZ. apply Z.add_cancel_r in EZ. rewrite EZ. unfold T. rewrite (P_ext _ _ EO (xid L' j')).
    reflexivity. }
  apply (xid_same d n N d1 n1 N2); [assumption|assumption|exact Hj|exact Hj'|].
  pose proof (occupied_x n BB (xid L) HB n1 j Hj) as O. pose proof (occupied_x n BB (xid L') HB n1 j' Hj') as O'.
  rewrite <- EO in O'. destruct (Nat.lt_trichotomy (xid L j) (xid L' j')) as [H|[H|H]]; [|exact H|].
  - pose proof (T_mono n BB (xid L) HB n1 (two1 d n N d1 n2 N2 L HL) _ _ O O' H). lia.
  - pose proof (T_mono n BB (xid L) HB n1 (two1 d n N d1 n2 N2 L HL) _ _ O' O H). lia.
Qed.

(** Different keys are delta apart. *)
Theorem apart : keys_apart d n N.
Proof using HB n1.
  intros L L' j j' HL HL' Hj Hj'.
  pose proof (q_T d n N d1 n2 N2 L j (proj1 HL) Hj) as E. pose proof (q_T d n N d1 n2 N2 L' j' (proj1 HL') Hj') as E'.
  rewrite E, E'. set (a := (_ + _)%Z). set (b := (_ + _)%Z).
  assert (forall a b, (a < b)%Z -> inject_Z a * delta + delta <= inject_Z b * delta) as G.
  { intros x y H. assert (x + 1 <= y)%Z as H' by lia. apply (units_le N N2) in H'. rewrite inject_Z_plus in H'.
    change (inject_Z 1) with 1 in H'. apply Qle_trans with (2 := H'). rewrite Qmult_plus_distr_l, Qmult_1_l.
    apply Qle_refl. }
  destruct (Z.lt_total a b) as [H|[->|H]]; [right; left; apply G, H|left; reflexivity|right; right; apply G, H].
Qed.

(** Swept ids are at least delta^-d delta. *)
Theorem positive : swept_positive d n N.
Proof using HB n1.
  intros L j HL Hj. rewrite (swept_T d n N d1 n2 N2 L j (proj1 HL) Hj).
  pose proof (T_beyond n BB (xid L) HB n1 (two1 d n N d1 n2 N2 L HL) (xid L j) (occupied_x n BB (xid L) HB n1 j Hj))
    as H.
  unfold of_nat. apply (proj1 (units_le N N2 _ _)). lia.
Qed.

(** The ids after the sweep and the keys, as whole numbers. *)
Theorem from_sweep : keys_from_sweep d n N.
Proof using HB n1.
  intros L HL. set (y := fun j => Z.to_nat (T n BB (xid L) (xid L j))).
  assert (forall j, (j < n)%nat -> (0 < T n BB (xid L) (xid L j))%Z) as pos.
  { intros j Hj.
    pose proof (T_beyond n BB (xid L) HB n1 (two1 d n N d1 n2 N2 L HL) (xid L j) (occupied_x n BB (xid L) HB n1 j Hj)).
    lia. }
  assert (forall j, (j < n)%nat -> Z.of_nat (y j) = T n BB (xid L) (xid L j)) as Ey.
  { intros j Hj. specialize (pos j Hj). unfold y. lia. }
  assert (forall j, (j < n)%nat -> (0 < y j)%nat /\ swept d n N L j == of_nat (y j) * delta) as S.
  { intros j Hj. specialize (pos j Hj). split; [unfold y; lia|]. unfold of_nat. rewrite (Ey j Hj).
    apply (swept_T d n N d1 n2 N2 L j (proj1 HL) Hj). }
  exists y. split; [exact S|]. intros j last Hj Hl HM.
  pose proof (global d n N d1 n1 N2 (run d n (sweep d N) L) last) as G.
  assert (forall a b, (a < n)%nat -> (b < n)%nat -> (y a <= y b)%nat -> swept d n N L a <= swept d n N L b) as mono.
  { intros a b Ha Hb Hab. rewrite (proj2 (S a Ha)), (proj2 (S b Hb)). apply (proj1 (units_le N N2 _ _)). lia. }
  destruct (argmax_exists n (fun k => - swept d n N L k) ltac:(lia)) as [least [Hs Ls]].
  assert (0 < swept d n N L j) as P.
  { rewrite (proj2 (S j Hj)). apply (units_pos N N2). destruct (S j Hj) as [Y0 _]. lia. }
  assert (q d n N L j == swept d n N L j + of_nat (N ^ ((n + 1) * d)) * swept d n N L last) as ->.
  { unfold q, network, run at 1. rewrite fold_left_app. cbn [fold_left].
    apply (G least j); [split; [exact Hl|]|split; [exact Hs|]|exact Hj|exact P].
    - intros k Hk. apply (mono k last Hk Hl), HM, Hk.
    - intros k Hk. specialize (Ls k Hk). apply Qopp_le_compat in Ls. rewrite !Qopp_involutive in Ls. exact Ls. }
  rewrite (proj2 (S j Hj)), (proj2 (S last Hl)). unfold of_nat.
  rewrite Nat2Z.inj_add, Nat2Z.inj_mul, inject_Z_plus, inject_Z_mult. ring.
Qed.
End Keys.

(** The layers, as they are stated. *)
Theorem lemma6_layers : Lemma6_layers.
Proof.
  intros d n N d1 n1 N2. exact (conj (shift d n N d1 n1 N2) (conj (global d n N d1 n1 N2)
    (conj (columns_tell d n N d1 n1 N2) (conj (rows d n N d1 n1 N2) (conj (lattice_always d n N d1 n1 N2)
      (layers_equivariant d n)))))).
Qed.

(** The keys. *)
Theorem lemma6_keys : Lemma6_keys.
Proof.
  intros d n N d1 n2 N2. exact (conj (tell d n N d1 n2 N2) (conj (apart d n N d1 n2 N2)
    (conj (positive d n N d1 n2 N2) (from_sweep d n N d1 n2 N2)))).
Qed.

(** The padding. *)
Theorem lemma6_two_heads : Lemma6_two_heads.
Proof. exact two_heads_run. Qed.
