(** Lemma 6 and Lemma 10, proved of the literal construction for every d >= 1, n >= 2, N >= 2. *)

From Coq Require Import QArith List Arith ZArith Bool Lia Lqa Setoid Morphisms.
From Contextual Require Import Statement Heads Recursion Network Grid.
Import ListNotations.
Open Scope Z_scope.

(** ** Inequalities between powers of b, with K = b^(n-1) *)
Lemma q_lower b K P T : 2 <= b -> 1 <= K -> 0 <= T -> K * (b - 1) <= P ->
  b * b * K * K * (b - 1) <= T + b * b * K * P.
Proof.
  intros Hb HK HT HP. assert (b * b * K * (K * (b - 1)) <= b * b * K * P) by (apply Z.mul_le_mono_nonneg_l; nia). nia.
Qed.

(** Property 3's upper bound. *)
Lemma q_upper b K P T : 2 <= b -> 1 <= K -> T <= P -> P <= b * K * (b - 1) - (b - 1) * (b - 1) ->
  T + b * b * K * P < b * b * K * (b * K) * (b - 1).
Proof.
  intros Hb HK HT HP.
  assert (b * b * K * P <= b * b * K * (b * K * (b - 1) - (b - 1) * (b - 1))) by (apply Z.mul_le_mono_nonneg_l; nia).
  assert (b * K <= b * b * K * (b - 1)) by nia.
  assert (b * K * (b - 1) < (1 + b * b * K * (b - 1)) * (b - 1)) by nia.
  nia.
Qed.

(** The same with fewer different ids, for Property 4. *)
Lemma q_upper2 b K P T : 2 <= b -> 1 <= K -> T <= P -> P <= K * (b - 1) - (b - 1) * (b - 1) ->
  T + b * b * K * P < b * b * K * K * (b - 1).
Proof.
  intros Hb HK HT HP.
  assert (b * b * K * P <= b * b * K * (K * (b - 1) - (b - 1) * (b - 1))) by (apply Z.mul_le_mono_nonneg_l; nia).
  assert (K <= b * b * K * (b - 1)) by nia.
  assert (K * (b - 1) < (1 + b * b * K * (b - 1)) * (b - 1)) by nia.
  nia.
Qed.

(** The leading part of T + c P determines P, and then T. *)
Lemma leading c P T P' T' : 0 <= T < c -> 0 <= T' < c -> T + c * P = T' + c * P' -> P = P'.
Proof. intros H H' E. destruct (Z.lt_trichotomy P P') as [H0|[H0|H0]]; [exfalso; nia|exact H0|exfalso; nia]. Qed.

Section Theorems.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n2 : (2 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.

Let n1 : (1 <= n)%nat.
Proof. lia. Qed.

Notation BB := (B d N).
Notation BZ := (Z.of_nat (B d N)).
Notation delta := (delta N).
Notation KK := (BZ ^ Z.of_nat (n - 1)).

Let HB : (2 <= BB)%nat := B_ge_2 d N d1 N2.

(** b^(n-1) is positive. *)
Lemma K_pos : 1 <= KK.
Proof using HB n1. pose proof (Z.pow_pos_nonneg BZ (Z.of_nat (n - 1)) ltac:(lia) ltac:(lia)). lia. Qed.

(** Powers of b: n, *)
Lemma pow_n : BZ ^ Z.of_nat n = BZ * KK.
Proof using HB n1. replace (Z.of_nat n) with (Z.succ (Z.of_nat (n - 1))) by lia. rewrite Z.pow_succ_r by lia.
  reflexivity. Qed.

(** n + 1, *)
Lemma pow_n1 : BZ ^ Z.of_nat (n + 1) = BZ * BZ * KK.
Proof using HB n1. replace (Z.of_nat (n + 1)) with (Z.succ (Z.of_nat n)) by lia.
  rewrite Z.pow_succ_r, pow_n by lia. ring. Qed.

(** 2n, *)
Lemma pow_2n : BZ ^ Z.of_nat (2 * n) = BZ * BZ * KK * KK.
Proof using HB n1.
  replace (Z.of_nat (2 * n)) with (Z.of_nat (n + 1) + Z.of_nat (n - 1)) by lia.
  rewrite Z.pow_add_r, pow_n1 by lia. ring.
Qed.

(** 2n + 1. *)
Lemma pow_2n1 : BZ ^ Z.of_nat (2 * n + 1) = BZ * BZ * KK * (BZ * KK).
Proof using HB n1.
  replace (Z.of_nat (2 * n + 1)) with (Z.of_nat (n + 1) + Z.of_nat n) by lia.
  rewrite Z.pow_add_r, pow_n1, pow_n by lia. ring.
Qed.

(** t_l and t_r in units of delta *)
Lemma bound_units m : (of_nat (N ^ (m * d)) * delta * (of_nat BB - 1) ==
  inject_Z (BZ ^ Z.of_nat m * (BZ - 1)) * delta)%Q.
Proof using.
  unfold of_nat. rewrite power_B. unfold Z.sub. rewrite inject_Z_mult, inject_Z_plus, inject_Z_opp.
  change (inject_Z 1) with 1%Q. ring.
Qed.

(** t_l in units of delta. *)
Lemma t_l_units : (t_l d n N == inject_Z (BZ * BZ * KK * KK * (BZ - 1)) * delta)%Q.
Proof using HB n1. unfold t_l. rewrite bound_units, pow_2n. reflexivity. Qed.

(** t_r. *)
Lemma t_r_units : (t_r d n N == inject_Z (BZ * BZ * KK * (BZ * KK) * (BZ - 1)) * delta)%Q.
Proof using HB n1. unfold t_r. rewrite bound_units, pow_2n1. reflexivity. Qed.

(** Order in units of delta, *)
Lemma to_le a b x y : (x == inject_Z a * delta)%Q -> (y == inject_Z b * delta)%Q -> a <= b -> (x <= y)%Q.
Proof using N2. intros E1 E2 H. rewrite E1, E2. apply (proj1 (units_le N N2 _ _)), H. Qed.

(** strict, *)
Lemma to_lt a b x y : (x == inject_Z a * delta)%Q -> (y == inject_Z b * delta)%Q -> a < b -> (x < y)%Q.
Proof using N2. intros E1 E2 H. rewrite E1, E2. apply (proj1 (units_lt N N2 _ _)), H. Qed.

(** and equality. *)
Lemma of_eq a b x y : (x == inject_Z a * delta)%Q -> (y == inject_Z b * delta)%Q -> (x == y)%Q -> a = b.
Proof using N2. intros E1 E2 H. rewrite E1, E2 in H. apply (proj2 (units_eq N N2 _ _)), H. Qed.

(** ** The recursion on the ids of L *)
Notation xid := (xid d N).
Notation PP L := (P n BB (xid L) BB).
Notation TT L j := (T n BB (xid L) (xid L j)).

(** The swept ids are the recursion's. *)
Lemma swept_T L j : in_G d n N L -> (j < n)%nat -> (swept d n N L j == inject_Z (TT L j) * delta)%Q.
Proof using n1.
  intros H Hj.
  apply (sweep_swept d n N d1 n1 N2 (xid L) (xid_range d n N d1 n1 N2 L H) L j (xid_ids d n N d1 n1 N2 L H) Hj).
Qed.

(** And q, with the largest. *)
Lemma q_T L j : in_G d n N L -> (j < n)%nat ->
  (q d n N L j == inject_Z (TT L j + BZ * BZ * KK * PP L) * delta)%Q.
Proof using HB n1.
  intros H Hj.
  rewrite (network_q d n N d1 n1 N2 (xid L) (xid_range d n N d1 n1 N2 L H) L j (xid_ids d n N d1 n1 N2 L H) Hj).
  rewrite pow_n1. reflexivity.
Qed.

(** Each is at most the largest. *)
Lemma T_le_P L j : in_G d n N L -> (j < n)%nat -> 0 <= TT L j <= PP L.
Proof using HB n1.
  intros H Hj.
  destruct (sweep_ids d n N d1 n1 N2 (xid L) (xid_range d n N d1 n1 N2 L H) L (xid_ids d n N d1 n1 N2 L H))
    as [_ [_ HM]].
  split; [|apply (HM j Hj)].
  pose proof (occupied_x n BB (xid L) HB n1 j Hj) as O.
  pose proof (T_ge_P n BB (xid L) HB n1 _ O). pose proof (P_ge_top n BB (xid L) HB n1 (xid L j)). lia.
Qed.

(** The largest is the last column's. *)
Lemma P_top L : in_G d n N L -> PP L = T n BB (xid L) (top n (xid L)).
Proof using HB n1.
  intros H. apply (P_after n BB (xid L) HB n1).
  apply (top_range n BB (xid L) HB n1), (xid_range d n N d1 n1 N2 L H).
Qed.

(** The largest id is that of the column with the largest x. *)
Lemma is_last_top L j : in_G d n N L -> is_last d n N L j -> xid L j = top n (xid L).
Proof using HB n1.
  intros H [Hj HM]. pose proof (x_top n BB (xid L) HB n1 j Hj) as Hle.
  destruct (largest_attained n BB (xid L) HB n1 n ltac:(lia)) as [k [Hk E]]. fold (top n (xid L)) in E.
  pose proof (xid_ids d n N d1 n1 N2 L H) as I. specialize (HM k Hk).
  rewrite (I j Hj), (I k Hk) in HM. apply (proj2 (units_le N N2 _ _)) in HM. lia.
Qed.

(** That is, its swept id. *)
Lemma swept_last L j : in_G d n N L -> is_last d n N L j -> (swept d n N L j == inject_Z (PP L) * delta)%Q.
Proof using HB n1.
  intros H HL. rewrite (swept_T L j H (proj1 HL)), (is_last_top L j H HL), (P_top L H). reflexivity.
Qed.

(** ** Category 1 *)
Section Category1.
Variable L : matrix.
Hypothesis HL : in_Gtilde d n N L.

(** G~ is part of G. *)
Lemma L_in_G : in_G d n N L.
Proof using HL. exact (proj1 HL). Qed.

(** Ids are different. *)
Lemma inj1 : forall j j', (j < n)%nat -> (j' < n)%nat -> xid L j = xid L j' -> j = j'.
Proof using HL n1. exact (xid_injective d n N d1 n1 N2 L HL). Qed.

(** There are two. *)
Lemma two1 : exists j j', (j < n)%nat /\ (j' < n)%nat /\ xid L j <> xid L j'.
Proof using HB HL n1.
  exists 0%nat, 1%nat. split; [lia|split; [lia|]]. intros E. pose proof (inj1 0 1 ltac:(lia) ltac:(lia) E).
  discriminate.
Qed.

(** There are n. *)
Lemma count1 : count n (xid L) BB = n.
Proof using HB HL n1. exact (count_injective n BB (xid L) HB n1 (xid_range d n N d1 n1 N2 L L_in_G) inj1). Qed.

(** Lemma 10's lower bound. *)
Lemma P_lower1 : KK * (BZ - 1) <= PP L.
Proof using HB HL n1.
  pose proof (D_lower n BB (xid L) HB n1 two1 BB) as H. rewrite count1 in H. specialize (H ltac:(lia)).
  unfold D in H. replace (Z.of_nat n - 1) with (Z.of_nat (n - 1)) in H by lia. lia.
Qed.

(** The upper bound. *)
Lemma P_upper1 : PP L <= BZ * KK * (BZ - 1) - (BZ - 1) * (BZ - 1).
Proof using HB HL n1.
  pose proof (final_upper n BB (xid L) HB n1 (xid_range d n N d1 n1 N2 L L_in_G) n count1 n1) as H.
  rewrite pow_n in H. exact H.
Qed.

(** The swept ids are below the factor. *)
Lemma T_range1 j : (j < n)%nat -> 0 <= TT L j < BZ * BZ * KK.
Proof using HB HL n1. intros Hj. pose proof (T_le_P L j L_in_G Hj). pose proof P_upper1. pose proof K_pos. nia. Qed.

(** They are different. *)
Lemma T_inj1 j j' : (j < n)%nat -> (j' < n)%nat -> TT L j = TT L j' -> j = j'.
Proof using HB HL n1.
  intros Hj Hj' E. apply inj1; [assumption|assumption|].
  pose proof (occupied_x n BB (xid L) HB n1 j Hj) as O. pose proof (occupied_x n BB (xid L) HB n1 j' Hj') as O'.
  destruct (Nat.lt_trichotomy (xid L j) (xid L j')) as [H|[H|H]]; [|exact H|].
  - pose proof (T_mono n BB (xid L) HB n1 two1 _ _ O O' H). lia.
  - pose proof (T_mono n BB (xid L) HB n1 two1 _ _ O' O H). lia.
Qed.
End Category1.

(** ** Lemma 10: the column set is determined by the largest id *)
Lemma P_permuted L L' : in_Gtilde d n N L -> in_Gtilde d n N L' -> PP L = PP L' -> permuted d n L L'.
Proof using HB n1.
  intros HL HL' E. pose proof (L_in_G L HL) as G. pose proof (L_in_G L' HL') as G'.
  pose proof (decode n BB (xid L) n (xid L') HB n BB BB (le_n _) (le_n _) (count1 L HL) (count1 L' HL') E) as DC.
  set (p := fun j => match find (fun k => Nat.eqb (xid L k) (xid L' j)) (seq 0 n) with Some k => k | None => O end).
  assert (forall j, (j < n)%nat -> (p j < n)%nat /\ xid L (p j) = xid L' j) as Hp.
  { intros j Hj. unfold p. destruct (find _ (seq 0 n)) as [k|] eqn:F.
    - apply find_some in F. destruct F as [F1 F2]. apply in_seq in F1. apply Nat.eqb_eq in F2. split; [lia|exact F2].
    - exfalso. pose proof (occupied_x n BB (xid L') HB n1 j Hj) as O'.
      pose proof (xid_range d n N d1 n1 N2 L' G' j Hj) as R.
      destruct (proj2 (DC (xid L' j)) (conj O' R)) as [O _].
      apply (occupied_spec n BB (xid L) HB n1) in O. destruct O as [k [Hk Ek]].
      apply find_none with (x := k) in F; [|apply in_seq; lia]. apply Nat.eqb_neq in F. contradiction. }
  exists p. split; [|split].
  - intros j Hj. apply Hp, Hj.
  - intros j j' Hj Hj' Ep. apply (inj1 L' HL'); [assumption|assumption|].
    rewrite <- (proj2 (Hp j Hj)), <- (proj2 (Hp j' Hj')), Ep. reflexivity.
  - intros j Hj. destruct (Hp j Hj) as [Hpj Ej].
    apply (xid_same d n N d1 n1 N2); [assumption|assumption|exact Hj|exact Hpj|].
    symmetry. exact Ej.
Qed.

(** ** The four properties *)
Theorem property1 : lemma6_property1 d n N.
Proof using HB n1.
  intros L HL j j' Hj Hj' E. pose proof (L_in_G L HL) as G.
  pose proof (of_eq _ _ _ _ (q_T L j G Hj) (q_T L j' G Hj') E) as EZ.
  apply (T_inj1 L HL); [assumption|assumption|lia].
Qed.

(** Property 2. *)
Theorem property2 : lemma6_property2 d n N.
Proof using HB n1.
  intros L L' HL HL' NP j j' Hj Hj' E. apply NP, P_permuted; [assumption|assumption|].
  pose proof (of_eq _ _ _ _ (q_T L j (L_in_G L HL) Hj) (q_T L' j' (L_in_G L' HL') Hj') E) as EZ.
  exact (leading _ _ _ _ _ (T_range1 L HL j Hj) (T_range1 L' HL' j' Hj') EZ).
Qed.

(** Property 3. *)
Theorem property3 : lemma6_property3 d n N.
Proof using HB n1.
  intros L HL j Hj. pose proof (L_in_G L HL) as G. pose proof (T_le_P L j G Hj) as [T0 TP].
  pose proof K_pos. split.
  - apply (to_le _ _ _ _ t_l_units (q_T L j G Hj)). apply q_lower; [lia|lia|lia|apply P_lower1, HL].
  - apply (to_lt _ _ _ _ (q_T L j G Hj) t_r_units). apply q_upper; [lia|lia|lia|apply P_upper1, HL].
Qed.

(** Category 2: below t_l *)
Lemma category2_below L j : in_G d n N L -> ~ in_Gtilde d n N L -> (j < n)%nat -> (q d n N L j < t_l d n N)%Q.
Proof using HB n1.
  intros G NT Hj. destruct (category2 d n N d1 n1 N2 L G NT) as [j0 [j1 [H0 [H1 [Hne E]]]]].
  pose proof (count_not_injective n BB (xid L) HB n1 j0 j1 H0 H1 Hne E) as C.
  pose proof (T_le_P L j G Hj) as [T0 TP]. pose proof K_pos.
  apply (to_lt _ _ _ _ (q_T L j G Hj) t_l_units). apply q_upper2; [lia|lia|lia|].
  destruct (P_after n BB (xid L) HB n1 BB (top_range n BB (xid L) HB n1 (xid_range d n N d1 n1 N2 L G))) as [_ C1].
  pose proof (final_upper n BB (xid L) HB n1 (xid_range d n N d1 n1 N2 L G) _ eq_refl ltac:(lia)) as U.
  assert (BZ ^ Z.of_nat (count n (xid L) BB) <= KK) by (apply Z.pow_le_mono_r; lia). nia.
Qed.

(** Property 4. *)
Theorem property4 : lemma6_property4 d n N.
Proof using HB n1.
  intros L HP NT j Hj. destruct (in_G_or_sentinel d n N L HP) as [G|[i0 [j0 [Hi0 [Hj0 S]]]]].
  - left. apply category2_below; assumption.
  - destruct (sentinel_q d n N d1 n1 N2 (zid d N L)) with (X := L) (j := j) as [v [Ev [Hv|Hv]]].
    + intros k Hk. apply (zid_category3 d n N d1 n1 N2 L k HP Hk).
    + exists j0. split; [exact Hj0|]. apply (zid_negative d n N d1 n1 N2 L i0 j0 HP Hi0 Hj0 S).
    + apply (zid_ids d n N d1 n1 N2 L HP).
    + exact Hj.
    + left. apply (to_lt _ _ _ _ Ev t_l_units). pose proof K_pos. nia.
    + right. apply (to_le _ _ _ _ t_r_units Ev). rewrite pow_n1 in Hv. pose proof K_pos. nia.
Qed.

(** The size. *)
Theorem size : lemma6_size d n N.
Proof using HB n1.
  unfold lemma6_size, network, sweep. split.
  - rewrite app_length, map_length, seq_length. reflexivity.
  - intros l Hl. apply in_app_iff in Hl. destruct Hl as [Hl|[<-|[]]].
    + apply in_map_iff in Hl. destruct Hl as [k [<- _]]. simpl. lia.
    + simpl. lia.
Qed.

(** The interval. *)
Theorem interval : lemma6_interval d n N.
Proof using HB n1.
  pose proof K_pos. split.
  - eapply (to_lt 0); [change (inject_Z 0) with 0%Q; ring|apply t_l_units|nia].
  - apply (to_lt _ _ _ _ t_l_units t_r_units). nia.
Qed.

(** ** Lemma 10 *)
Theorem lower10 : lemma10_lower d n N.
Proof using HB n1.
  intros L j HL Hlast. pose proof (L_in_G L HL) as G.
  apply (to_le _ _ _ _ (bound_units (n - 1)) (swept_last L j G Hlast)). apply P_lower1, HL.
Qed.

(** Lemma 10's upper bound. *)
Theorem upper10 : lemma10_upper d n N.
Proof using HB n1.
  intros L j HL Hlast. pose proof (L_in_G L HL) as G.
  apply (to_le _ (BZ ^ Z.of_nat n * (BZ - 1) - (BZ - 1) * (BZ - 1)) _ _ (swept_last L j G Hlast)).
  - rewrite bound_units. unfold of_nat, Z.sub.
    rewrite !inject_Z_plus, !inject_Z_opp, !inject_Z_mult, !inject_Z_plus, !inject_Z_opp.
    change (inject_Z 1) with 1%Q. ring.
  - rewrite pow_n. apply P_upper1, HL.
Qed.

(** The largest id determines the columns. *)
Theorem injective10 : lemma10_injective d n N.
Proof using HB n1.
  intros L j L' j' HL HL' H H' E. apply P_permuted; [assumption|assumption|].
  exact (of_eq _ _ _ _ (swept_last L j (L_in_G L HL) H) (swept_last L' j' (L_in_G L' HL') H') E).
Qed.
End Theorems.

(** Lemma 6. *)
Theorem lemma6 : Lemma6.
Proof.
  intros d n N d1 n2 N2.
  exact (conj (property1 d n N d1 n2 N2) (conj (property2 d n N d1 n2 N2) (conj (property3 d n N d1 n2 N2)
    (conj (property4 d n N d1 n2 N2) (conj (size d n N d1 n2 N2) (interval d n N d1 n2 N2)))))).
Qed.

(** Lemma 10. *)
Theorem lemma10 : Lemma10.
Proof.
  intros d n N d1 n2 N2.
  exact (conj (lower10 d n N d1 n2 N2) (conj (upper10 d n N d1 n2 N2) (injective10 d n N d1 n2 N2))).
Qed.

