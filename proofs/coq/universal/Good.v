(** The submitted network at good points of the cube, where it is what it should be; and what its value map does to a
    column that is to be rejected. *)
From Coq Require Import Reals QArith Qreals List Arith ZArith Bool Lia Lra Psatz.
From Contextual Require Statement.
From Contextual Require Import Network Grid Theorems.
From Contextual Require Import Approximation Sums Construction Relu Blocks Explicit Tracking Interface Keys Cube
  Published Chosen Below.
Import ListNotations.
Open Scope R_scope.

Section Keys.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n2 : (2 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Notation w := (/ INR N).
Notation t_l := (Q2R (Statement.t_l d n N)).
Notation t_r := (Q2R (Statement.t_r d n N)).

(** A key is a cell's width below t_r at least. *)
Lemma key_upper L j : Statement.in_Gtilde d n N L -> (j < n)%nat -> Q2R (Statement.q d n N L j) + w <= t_r.
Proof using N2 d1 n2.
  intros HL Hj. destruct (lemma6 d n N d1 n2 N2) as [_ [_ [P3 _]]]. destruct (P3 L HL j Hj) as [_ U].
  apply Qlt_Rlt in U. revert U.
  rewrite (Qeq_eqR _ _ (q_T d n N d1 n2 N2 L j (proj1 HL) Hj)), (Qeq_eqR _ _ (t_r_units d n N d1 n2 N2)).
  rewrite !(units_w N _ N2). pose proof (w_half N N2) as W. set (z := (_ + _)%Z). set (z' := (_ * _)%Z). intros U.
  assert (z + 1 <= z')%Z as Z.
  { assert (z < z')%Z; [|lia]. apply lt_IZR. apply Rmult_lt_reg_r with w; [lra|exact U]. }
  apply IZR_le in Z. rewrite plus_IZR in Z.
  replace (IZR z * w + w) with ((IZR z + 1) * w) by ring. apply Rmult_le_compat_r; lra.
Qed.

(** The id of a corner is below t_l. *)
Lemma corner_id_below K j : in_range d n N K -> (j < n)%nat -> along d (u N) (corner N K) j <= t_l.
Proof using N2 d1 n2.
  intros HR Hj. assert (Statement.in_G d n N (corner_Q N K)) as G.
  { intros a b Ha Hb. exists (K a b). split; [apply HR; assumption|reflexivity]. }
  rewrite (corner_id d N N2), (Qeq_eqR _ _ (xid_ids d n N d1 ltac:(lia) N2 _ G j Hj)), (units_w N _ N2).
  pose proof (xid_range d n N d1 ltac:(lia) N2 _ G j Hj) as X. apply lt_INR in X. rewrite <- INR_IZR_INZ.
  rewrite (t_l_is d n N d1 n2 N2). pose proof (w_half N N2) as W. pose proof (b_k d n N d1 n2 N2) as [B2 BK].
  set (b := INR (Statement.B d N)) in *. set (k := IZR (_ ^ _)) in *. clearbody b k.
  apply Rmult_le_compat_r; [lra|]. assert (1 <= k * k) by nra. assert (1 <= b * (k * k) * (b - 1)) by nra.
  replace (b * b * k * k * (b - 1)) with (b * (b * (k * k) * (b - 1))) by ring. nra.
Qed.
End Keys.

(** ** At a good point *)
Theorem published_values : Published_values.
Proof.
  intros d n N e lambda width rate M F v d1 n2 N2 strips width4 rate0 rates small Hv Ha HF g K X HK HX i j Hi Hj.
  assert (1 <= n)%nat as n1 by lia. pose proof (w_half N N2) as W.
  set (eta := cube_error d n N / rate) in *.
  assert (0 <= eta) as eta0.
  { apply Rmult_le_pos; [apply constant_nonneg, N2|apply Rlt_le, Rinv_0_lt_compat, rate0]. }
  destruct (in_contexts d n N K ltac:(lia) HK) as [HR HD].
  pose proof (in_Gtilde d n N N2 K HR HD) as HG.
  (* keys, separation and targets, as for the other network *)
  pose proof (cube_interface d n N d1 n1 N2 F v Hv HF Ha eta rate rate0 eta0 small (Rle_refl _)) as face.
  assert (cube_key d n N (offset d N F) = key d n N) as EK.
  { unfold cube_key. destruct (Nat.eqb_spec n 1); [lia|reflexivity]. }
  rewrite EK in face. clear EK. set (Ks := contexts d n N) in *. set (tb := table d n N Ks (key d n N) v) in *.
  (* the quantiser *)
  unfold g, published. rewrite !chosen_app, !run_app. simpl (0 + _)%nat. set (k0 := length (quantise_below d n N)).
  set (k1 := (k0 + length (map_below d n N))%nat).
  set (Y := run d n 2 1 4 (chosen e lambda 0 (quantise_below d n N)) X).
  assert (forall a b, (a < d)%nat -> (b < n)%nat -> Y a b = corner N K a b) as EY.
  { intros a b Ha' Hb. unfold Y. rewrite quantise_below_spec by assumption. unfold entry.
    set (k := (0 + a * (N + 1))%nat). pose proof (strips k) as [E0 E4]. destruct (HX a b Ha' Hb) as [X1 X2].
    pose proof (HR a b Ha' Hb) as R. assert (INR (K a b) + 1 <= INR N) as R1 by (rewrite <- S_INR; apply le_INR; lia).
    assert (INR N * / INR N = 1) as NW by (apply Rinv_r, not_0_INR; lia). pose proof (pos_INR (K a b)) as R0.
    destruct (outside_spec (e k) (sentinel_below d n N) (X a b) E0 ltac:(lra)) as [_ [_ O3]].
    rewrite O3 by nra. rewrite (scalar_cell N _ width (fun c => strips _) ltac:(lra) (K a b)) by lra.
    destruct (Nat.leb_spec 0 (K a b)), (Nat.ltb_spec (K a b) (0 + N)); try lia. reflexivity. }
  (* the contextual map *)
  set (Z := run d n 2 1 4 (chosen e lambda k0 (map_below d n N)) Y).
  assert (forall b, (b < n)%nat -> Rabs (along d (u N) Z b - key d n N K b) <= eta) as TR.
  { apply (map_below_tracks d n N d1 n1 N2 e lambda rate rate0 rates k0 (corner_Q N K) Y n2 HG small).
    intros b Hb. rewrite <- (corner_id d N N2). apply along_ext. intros a Ha'. apply EY; assumption. }
  specialize (TR j Hj).
  assert (along d (u N) Y j = along d (u N) (corner N K) j) as ER by (apply along_ext; intros; apply EY; assumption).
  assert (forall a, (a < d)%nat -> Z a j = Y a j + (if Nat.eqb a 0 then Z O j - Y O j else 0)) as E0.
  { intros a _. destruct (Nat.eqb_spec a 0) as [->|]; [ring|].
    unfold Z. rewrite (map_below_rows d n N d1 n1 N2) by lia. ring. }
  pose proof (id_first d N ltac:(lia) Y Z j (Z O j - Y O j) E0) as IF.
  assert (forall a, (a < d)%nat -> Z a j = corner N K a j +
    (if Nat.eqb a 0 then along d (u N) Z j - along d (u N) (corner N K) j else 0)) as EZ.
  { intros a Ha'. rewrite <- EY, <- ER, IF by assumption. rewrite E0 at 1 by exact Ha'. destruct (Nat.eqb a 0); ring. }
  (* nothing is rejected or cleared *)
  pose proof (key_far d n N d1 n2 N2 _ j HG Hj) as KL. pose proof (key_upper d n N d1 n2 N2 _ j HG Hj) as KU.
  pose proof (t_r_big d n N d1 n2 N2) as TB.
  pose proof (corner_id_below d n N d1 n2 N2 K j HR Hj) as KC. unfold key in TR. apply between in TR.
  rewrite value_below_run. set (Z1 := layer d n _ Z). pose proof (strips k1) as [S0 S4].
  assert (forall a, (a < d)%nat -> Z1 a j = Z a j) as E1.
  { intros a Ha'. unfold Z1. rewrite token_spec, reject_spec by lra. ring. }
  set (Z2 := run d n 2 1 4 (entrywise d clear) Z1).
  assert (forall a, (a < d)%nat -> Z2 a j = Z a j) as E2.
  { intros a Ha'. assert (0 <= corner N K a j) as C0 by (apply Rmult_le_pos; [apply pos_INR|lra]).
    assert (0 <= Z a j) as P by (rewrite EZ by exact Ha'; destruct (Nat.eqb a 0); lra).
    unfold Z2. rewrite entrywise_spec, E1, (proj1 (clear_spec _) P) by exact Ha'. ring. }
  assert (along d (u N) Z2 j = along d (u N) Z j) as I2 by (apply along_ext; exact E2).
  (* the windows *)
  set (add := add d N (key d n N) v K j).
  assert (along d (u N) Z j + along d (u N) (fun a _ => add a) j =
    along d (u N) (fun a _ => v K a j) j + (along d (u N) Z j - key d n N K j)) as EA.
  { assert (along d (u N) (fun a _ => v K a j) j = along d (u N) (corner N K) j +
      (key d n N K j - along d (u N) (corner N K) j) + along d (u N) (fun a _ => add a) j) as E; [|lra].
    rewrite <- (id_first d N ltac:(lia) (corner N K) (fun a b => corner N K a b +
      (if Nat.eqb a 0 then key d n N K j - along d (u N) (corner N K) j else 0)) j) by reflexivity.
    unfold along. rewrite <- sum_plus. apply sum_ext. intros a _. unfold add, Construction.add, along.
    destruct (Nat.eqb a 0); ring. }
  assert (run d n 2 1 4 (chosen e lambda (S k1 + d)
    (map (fun t e _ => token (u N) (snd t) (around e (fst t) (/ INR N))) tb)) Z2 i j = Z2 i j + add i) as EV.
  { apply (windows_at d n N N2 e lambda width strips width4 (key d n N K j) add tb).
    - apply in_table; assumption.
    - intros t Ht. destruct (table_in d n N Ks (key d n N) v t Ht) as [K2 [j2 [HK2 [Hj2 ->]]]]. simpl.
      destruct (separation _ _ _ _ _ _ _ _ _ _ face K K2 j j2 HK HK2 Hj Hj2) as [[Ek S]|far]; [left|right; exact far].
      split; [exact Ek|]. apply same_add; assumption.
    - rewrite I2. unfold key. apply Rabs_le. lra.
    - intros t Ht. destruct (table_in d n N Ks (key d n N) v t Ht) as [K2 [j2 [HK2 [Hj2 ->]]]]. simpl fst.
      rewrite I2, EA. pose proof (target_small _ _ _ _ _ _ _ _ _ _ face d1 N2 K j HK Hj).
      pose proof (key_above _ _ _ _ _ _ _ _ _ _ face K2 j2 HK2 Hj2). unfold key in *. lra.
    - exact Hi. }
  rewrite EV, E2, EZ by exact Hi. unfold add, Construction.add, key.
  destruct (Nat.eqb i 0); apply Rabs_le; lra.
Qed.

(** ** A column that is to be rejected *)
Theorem published_rejects : Published_rejects.
Proof.
  intros d n N e lambda M tb k Z j d1 n2 N2 strips keys HM HT i Hi. pose proof (w_half N N2) as W.
  pose proof (t_r_big d n N d1 n2 N2) as TB. pose proof (t_l_big d n N d1 n2 N2) as TL.
  pose proof (strips k) as [S0 S4]. rewrite value_below_run. set (Z1 := layer d n _ Z).
  assert (forall a, (a < d)%nat -> Z1 a j <= - 1) as E1.
  { intros a Ha. unfold Z1. rewrite token_spec, reject_outside_spec by (try assumption; lra).
    specialize (HM a Ha). lra. }
  set (Z2 := run d n 2 1 4 (entrywise d clear) Z1).
  assert (forall a, (a < d)%nat -> Z2 a j = 0) as E2.
  { intros a Ha. unfold Z2. rewrite entrywise_spec by exact Ha. apply clear_spec. specialize (E1 a Ha). lra. }
  rewrite (windows_left d n N N2 e lambda (/ INR N / 4) strips (Rle_refl _)); [apply E2, Hi| |exact Hi].
  intros t Ht. destruct (keys t Ht) as [L [l [HL [Hl ->]]]]. pose proof (key_far d n N d1 n2 N2 L l HL Hl).
  replace (along d (u N) Z2 j) with 0; [lra|]. symmetry. unfold along. apply sum_zero. intros a Ha.
  rewrite E2 by exact Ha. ring.
Qed.
