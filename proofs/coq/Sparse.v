(** BigBird's Lemma 3 over every graph that contains the star: the statements of [StatementSparse.v], proved. *)

From Coq Require Import QArith List Arith ZArith Bool Lia Lqa Setoid Morphisms.
From Contextual Require Import Statement StatementSparse Heads Network Grid SparseLayers SparseRecursion.
Import ListNotations.
Open Scope Q_scope.

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

(** It is the sum of u_1, ..., u_d. *)
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

(** All are below the global one. *)
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
(** q: f, and the last global id times the last factor. *)
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
  assert (1 <= Z.of_nat n)%Z as m1 by lia. set (m := Z.of_nat n) in *. clearbody m.
  assert (0 <= BZ * BZ ^ m)%Z as BR0 by (apply Z.mul_nonneg_nonneg; lia).
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

(** Lemma 3. *)
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
Example lemma3_star : contextual 1 2 2 (sparse_q 1 2 2 star).
Proof. apply bigbird_lemma3; try lia. apply star_contains. Qed.
Example lemma3_edge : contextual 1 2 2 (sparse_q 1 2 2 (with_edge 1 2 star)).
Proof. apply bigbird_lemma3; try lia. apply star_with_edge_contains. Qed.

(** What it says of two contexts, in numbers: no entry of q for (0, 0) is an entry of q for (1/2, 0). *)
Example lemma3_used : forall j j', (j < 2)%nat -> (j' < 2)%nat ->
  ~ sparse_q 1 2 2 (with_edge 1 2 star) (fun _ _ => 0) j ==
    sparse_q 1 2 2 (with_edge 1 2 star) (fun _ k => if Nat.eqb k 0 then 1 # 2 else 0) j'.
Proof.
  intros j j' Hj Hj'. apply (proj2 lemma3_edge); try assumption.
  - intros r k _ _. exists O. split; [lia|]. unfold of_nat. simpl. ring.
  - intros r k _ _. destruct (Nat.eqb k 0); [exists 1%nat|exists O]; (split; [lia|reflexivity]).
  - intros E. specialize (E 0%nat 0%nat ltac:(lia) ltac:(lia)). cbn in E. lra.
Qed.
(** And of one context. *)
Example lemma3_one : ~ sparse_q 1 2 2 (with_edge 1 2 star) (fun _ _ => 0) 0 ==
  sparse_q 1 2 2 (with_edge 1 2 star) (fun _ _ => 0) 1.
Proof.
  intros E. apply (proj1 lemma3_edge) in E; try lia. intros r k _ _. exists O. split; [lia|].
  unfold of_nat. simpl. ring.
Qed.
