(** The sentinel above. In place of the paper's -delta^-(nd), an entry outside the cube becomes a number above all keys,
    with its transition inside the cube; softmax attention lifts every id by it; one ReLU rejects all columns. So the
    network is exactly 0 off the interior of the cube, and Theorem 2 holds over all of R^(d x n). *)
From Coq Require Import Reals List Arith Bool Lia Lra Psatz.
From Contextual Require Statement.
From Contextual Require Import Approximation Sums Softmax Sweep Construction Relu Blocks Interface.
Import ListNotations.
Open Scope R_scope.

(** ** The quantiser keeps nonnegative entries so, and entries above its cells as they are *)
Lemma scalar_nonneg N e ks x : 0 < e -> e < / INR N -> 0 <= x -> 0 <= scalar N (fun _ => e) ks x.
Proof.
  intros He Hw. revert x. induction ks as [|k ks IH]; intros x Hx; [exact Hx|].
  apply IH, tent_nonneg; try assumption. apply Rmult_le_pos; [apply pos_INR|lra].
Qed.

(** What is above all cells stays. *)
Lemma scalar_above N e ks x : 0 < e -> e < / INR N -> (forall k, In k ks -> INR k * / INR N + / INR N <= x) ->
  scalar N (fun _ => e) ks x = x.
Proof.
  intros He Hw. induction ks as [|k ks IH]; intros Hx; [reflexivity|].
  change (scalar N (fun _ => e) ks (x + apply_phi (tent e (INR k * / INR N) (/ INR N)) x) = x).
  rewrite (proj2 (proj2 (tent_spec e (INR k * / INR N) (/ INR N) x He Hw))) by (apply Hx; left; reflexivity).
  rewrite Rplus_0_r. apply IH. intros k' Hk'. apply Hx. right. exact Hk'.
Qed.

(** ** Ids never fall under softmax attention; one sentinel lifts every id *)
Lemma shift_rises n B delta lambda l x j : (0 < n)%nat -> 0 <= B -> 0 <= delta -> 0 <= lambda ->
  x j <= soft_shift n B delta lambda l x j.
Proof.
  intros Hn HB Hd Hl. unfold soft_shift, reading.
  assert (mean n (fun i => lambda * (x j - (l + delta / 2)) * x i) x <= mean n (fun i =>
    lambda * (x j - (l - delta / 2)) * x i) x) as H.
  { apply (mean_monotone n Hn x). apply Rmult_le_compat_l; lra. }
  nra.
Qed.

(** At the threshold 0 a nonnegative id reads at least the average. *)
Lemma reading_average n lambda x j : (0 < n)%nat -> 0 <= lambda -> 0 <= x j ->
  sum n x / INR n <= reading n lambda 0 x j.
Proof.
  intros Hn Hl Hx. unfold reading. apply Rle_trans with (mean n (fun k => 0 * x k) x).
  - right. unfold mean, weight.
    assert (sum n (fun k => exp (0 * x k)) = INR n) as E.
    { rewrite (sum_ext n _ (fun _ => 1)), sum_const; [ring|]. intros. rewrite Rmult_0_l. apply exp_0. }
    rewrite E. rewrite (sum_ext n (fun k => x k * _) (fun k => / INR n * x k)), sum_scale; [unfold Rdiv; ring|].
    intros. rewrite Rmult_0_l, exp_0. unfold Rdiv. ring.
  - apply (mean_monotone n Hn x). apply Rmult_le_pos; lra.
Qed.

Section Ids.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis N1 : (1 <= N)%nat.
Notation rid := (along d (u N)).
Notation net := (run d n 2 1 4).

(** The weights of an id are 1 or more, so that no entry of a nonnegative column exceeds its id. *)
Lemma u_one i : 1 <= u N i.
Proof using N1. unfold u. apply pow_R1_Rle. apply (le_INR 1), N1. Qed.

(** The id of a column without negative entries is not negative. *)
Lemma along_nonneg X j : (forall i, (i < d)%nat -> 0 <= X i j) -> 0 <= rid X j.
Proof using N1. intros H. apply sum_nonneg. intros i Hi. pose proof (u_one i). specialize (H i Hi). nra. Qed.

(** It is at least each of the entries. *)
Lemma along_term X i j : (forall i, (i < d)%nat -> 0 <= X i j) -> (i < d)%nat -> X i j <= rid X j.
Proof using N1.
  intros H Hi. apply Rle_trans with (u N i * X i j).
  - pose proof (u_one i). specialize (H i Hi). nra.
  - apply (sum_term d (fun i => u N i * X i j)); [|exact Hi]. intros k Hk. pose proof (u_one k). specialize (H k Hk).
    nra.
Qed.

(** What is asked of a contextual map: ids don't fall, and each is at least the mean share of any one entry. *)
Definition lifting (cmap : list block) : Prop := forall Y, (forall i j, (i < d)%nat -> (j < n)%nat -> 0 <= Y i j) ->
  forall i0 j0 j, (i0 < d)%nat -> (j0 < n)%nat -> (j < n)%nat ->
  rid Y j <= rid (net cmap Y) j /\ Y i0 j0 / INR n <= rid (net cmap Y) j.

(** The sweep lowers no id. *)
Lemma sweep_rises lambda ls : (1 <= n)%nat -> 0 < lambda ->
  forall X j, rid X j <= rid (net (map (selective N lambda (INR (Statement.B d N)) (/ INR N)) ls) X) j.
Proof using N1 d1.
  intros n1 l0. induction ls as [|l ls IH]; intros X j; [simpl; lra|]. simpl map.
  change (net (?t :: ?ts) X) with (net ts (layer d n t X)).
  eapply Rle_trans; [|apply IH]. rewrite (selective_id d n N lambda ltac:(lia)).
  apply shift_rises; [lia|apply pos_INR| |lra].
  apply Rlt_le, Rinv_0_lt_compat, lt_0_INR. lia.
Qed.

(** The contextual maps of Lemma 6 and Theorem 3 lift. *)
Lemma attention_lifts levels factor lambda : (1 <= n)%nat -> 0 < lambda -> (1 <= factor)%nat ->
  lifting (contextual_map d N levels factor lambda).
Proof using N1 d1.
  intros n1 l0 g1 Y HY i0 j0 j Hi0 Hj0 Hj.
  set (Y' := net (map (selective N lambda (INR (Statement.B d N)) (/ INR N)) (map (fun k => INR k * / INR N) levels))
    Y).
  assert (net (contextual_map d N levels factor lambda) Y = layer d n (global N lambda (INR factor)) Y') as ->
    by (unfold contextual_map; rewrite run_app; reflexivity).
  assert (forall k, (k < n)%nat -> 0 <= rid Y k) as Y0 by (intros k Hk; apply along_nonneg; intros; apply HY;
    assumption).
  assert (forall k, rid Y k <= rid Y' k) as up by (intros; apply sweep_rises; assumption).
  assert (forall k, (k < n)%nat -> 0 <= rid Y' k) as Y1 by (intros k Hk; specialize (Y0 k Hk); specialize (up k); lra).
  assert (Y i0 j0 <= rid Y' j0) as H0 by (eapply Rle_trans; [|apply up]; apply along_term; [intros; apply HY;
    assumption|exact Hi0]).
  assert (1 <= INR n) as N1' by (apply (le_INR 1), n1).
  assert (0 <= Y i0 j0 / INR n) as Q by (apply Rmult_le_pos; [apply HY; assumption|apply Rlt_le, Rinv_0_lt_compat;
    lra]).
  assert (Y i0 j0 / INR n <= reading n lambda 0 (rid Y') j) as HH.
  { eapply Rle_trans; [|apply reading_average; [lia|lra|apply Y1, Hj]].
    apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra|].
    eapply Rle_trans; [apply H0|]. apply sum_term; [exact Y1|exact Hj0]. }
  rewrite (global_id d n N lambda ltac:(lia)). assert (1 <= INR factor) as G1 by (apply (le_INR 1), g1).
  specialize (Y1 j Hj). specialize (up j). split; nra.
Qed.
End Ids.

Section Sentinel.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Notation w := (/ INR N).
Notation rid := (along d (u N)).
Notation net := (run d n 2 1 4).
Variables F eta e top : R.
Hypothesis F0 : 0 < F.
Hypothesis etaw : eta <= w / 4.
Hypothesis e0 : 0 < e.
Hypothesis ew : e < w.
Variable Ks : list cells.
Variable key : cells -> nat -> R.
Variable cmap : list block.
Variable target : cells -> matrix.
Hypothesis face : interface d n N N F eta Ks key cmap target.
Hypothesis lifts : lifting d n N cmap.
Hypothesis top0 : 0 <= top.
Hypothesis key_top : forall K j, In K Ks -> (j < n)%nat -> key K j <= top.
Notation limit := (limit top F).
Notation S := (sentinel n top F).
Notation whole := (whole_network d n N e F top cmap (table d n N Ks key target)).

(** The mark is large, also in its share of one column. *)
Lemma sentinel_big : F + 1 <= limit /\ 2 <= S /\ 2 * limit <= S / INR n.
Proof using F0 n1 top0.
  assert (F + 1 <= limit) as L by (unfold Construction.limit; lra). assert (1 <= INR n) as N1 by (apply (le_INR 1), n1).
  split; [exact L|]. split; [unfold sentinel; nra|].
  apply Rmult_le_reg_r with (INR n); [lra|]. replace (S / INR n * INR n) with S by (field; lra). unfold sentinel. lra.
Qed.

(** The transition fits into the cube. *)
Lemma e_half : e <= 1 / 2.
Proof using N2 d1 e0 ew n1.
  assert (2 <= INR N) by (apply (le_INR 2), N2). assert (INR N * w = 1) by (apply Rinv_r, not_0_INR; lia). nra.
Qed.

(** Outside the interior of the cube: one sentinel, so all ids are twice the limit or more, all columns are sent below
    every key, and the end is 0. *)
Theorem outside_point X i0 j0 : (i0 < d)%nat -> (j0 < n)%nat -> X i0 j0 <= 0 \/ 1 <= X i0 j0 ->
  forall i j, (i < d)%nat -> (j < n)%nat -> net whole X i j = 0.
Proof using F0 N2 d1 e0 ew face lifts n1 top0.
  intros Hi0 Hj0 HX i j Hi Hj. destruct sentinel_big as [T1 [S1 S2]]. pose proof e_half as Eh.
  assert (INR N * w = 1) as WN by (apply Rinv_r, not_0_INR; lia). assert (0 < w) as W by lra.
  unfold whole_network. rewrite !run_app, entrywise_spec by exact Hi.
  set (X1 := net (entrywise d (border e S)) X). set (Y := net (quantise d N e N) X1).
  set (Z := net cmap Y). set (Z1 := net [reject N limit] Z).
  assert (forall a b, (a < d)%nat -> X1 a b = X a b + apply_phi (border e S) (X a b)) as EX by (intros;
    apply entrywise_spec; assumption).
  assert (forall a b, (a < d)%nat -> Y a b = scalar N (fun _ => e) (seq 0 N) (X1 a b)) as EY
    by (intros; apply quantise_scalar; assumption).
  assert (forall a b, (a < d)%nat -> (b < n)%nat -> 0 <= Y a b) as Y0.
  { intros a b Ha _. rewrite EY, EX by exact Ha. apply scalar_nonneg; [exact e0|exact ew|].
    apply border_spec; assumption. }
  assert (Y i0 j0 = S) as YS.
  { rewrite EY, EX, (proj1 (border_spec e S (X i0 j0) e0 Eh S1) HX) by exact Hi0.
    apply scalar_above; [exact e0|exact ew|].
    intros k Hk. apply in_seq in Hk. assert (INR k + 1 <= INR N) by (rewrite <- S_INR; apply le_INR; lia). nra. }
  assert (2 * limit <= rid Z j) as L1 by (destruct (lifts Y Y0 i0 j0 j Hi0 Hj0 Hj) as [_ L]; rewrite YS in L;
    fold Z in L; lra).
  assert (rid Y j <= rid Z j) as L2 by (apply (lifts Y Y0 i0 j0 j Hi0 Hj0 Hj)).
  (* every entry of column j is between 0 and its id *)
  assert (forall a, (a < d)%nat -> Z a j = Y a j + (if Nat.eqb a 0 then Z 0%nat j - Y 0%nat j else 0)) as E0.
  { intros a _. destruct (Nat.eqb_spec a 0) as [->|]; [ring|unfold Z; rewrite (map_rows _ _ _ _ _ _ _ _ _ _ face)
      by lia; ring]. }
  pose proof (id_first d N ltac:(lia) Y Z j (Z 0%nat j - Y 0%nat j) E0) as IF.
  assert (forall a, (a < d)%nat -> 0 <= Z a j) as Z0.
  { intros a Ha. rewrite E0 by exact Ha. specialize (Y0 a j Ha Hj). destruct (Nat.eqb a 0); lra. }
  assert (forall a, (a < d)%nat -> Z1 a j <= - (2 * limit)) as Z1b.
  { intros a Ha. pose proof (along_term d N ltac:(lia) Z a j Z0 Ha) as U. unfold Z1.
    change (net [?t] ?V) with (layer d n t V).
    unfold reject. rewrite token_spec, (proj2 (ramp_spec limit (rid Z j))) by lra. lra. }
  rewrite (value_untouched d n N W); [| |exact Hi].
  - apply (finish_spec F (Z1 i j) F0). specialize (Z1b i Hi). lra.
  - intros t Ht. destruct (table_in d n N Ks key target t Ht) as [K [k [HK [Hk ->]]]]. simpl fst.
    pose proof (key_above _ _ _ _ _ _ _ _ _ _ face K k HK Hk) as KA.
    assert (0 <= F * INR d * INR (Statement.B d N)) by (apply Rmult_le_pos; [apply Rmult_le_pos;
      [lra|apply pos_INR]|apply pos_INR]).
    assert (rid Z1 j <= 0); [|rewrite Rabs_left1; lra]. unfold along. rewrite <- (Rmult_0_r (INR d)), <- sum_const.
      apply sum_le.
    intros a Ha. specialize (Z1b a Ha). pose proof (u_one N ltac:(lia) a). nra.
Qed.

(** Good points of the cube: border and reject do nothing. *)
Theorem inside_point X K : In K Ks ->
  (forall i j, (i < d)%nat -> (j < n)%nat -> INR (K i j) * w <= X i j <= INR (K i j) * w + w - e /\ e <= X i j) ->
  forall i j, (i < d)%nat -> (j < n)%nat -> Rabs (net whole X i j - target K i j) <= eta.
Proof using F0 N2 d1 e0 etaw ew face key_top n1 top0.
  intros HK HX i j Hi Hj. destruct sentinel_big as [T1 [S1 S2]]. pose proof e_half as Eh.
  assert (INR N * w = 1) as WN by (apply Rinv_r, not_0_INR; lia). assert (0 < w) as W by lra.
  unfold whole_network. rewrite !run_app, entrywise_spec by exact Hi.
  set (X1 := net (entrywise d (border e S)) X).
  assert (forall a b, (a < d)%nat -> (b < n)%nat -> X1 a b = X a b) as EX.
  { intros a b Ha Hb. unfold X1. rewrite entrywise_spec by exact Ha. apply (border_spec e S (X a b) e0 Eh S1).
    destruct (HX a b Ha Hb) as [[_ HU] HL]. split; [exact HL|].
    pose proof (context_range _ _ _ _ _ _ _ _ _ _ face K HK a b Ha Hb).
    assert (INR (K a b) + 1 <= INR N) by (rewrite <- S_INR; apply le_INR; lia). nra. }
  destruct (good_ids d n N N F eta Ks key cmap target face d1 N2 e e0 ew X1 K HK) with (j := j) as [TR EZ];
    [intros a b Ha Hb; rewrite EX by assumption; apply HX; assumption|exact Hj|].
  set (Z := net cmap (net (quantise d N e N) X1)) in *. set (Z1 := net [reject N limit] Z).
  pose proof (key_top K j HK Hj) as KU. assert (2 <= INR N) as NR by (apply (le_INR 2), N2).
  assert (w <= 1) as w1 by nra.
  assert (rid Z j <= limit) as ZT by (apply between in TR; unfold Construction.limit; lra).
  assert (forall a, (a < d)%nat -> Z1 a j = Z a j) as E1.
  { intros a Ha. unfold Z1. change (net [?t] ?V) with (layer d n t V). unfold reject.
    rewrite token_spec, (proj1 (ramp_spec limit (rid Z j))) by exact ZT. ring. }
  assert (rid Z1 j = rid Z j) as EI by (apply along_ext; exact E1).
  rewrite (good_values d n N N F eta Ks key cmap target face d1 N2 etaw e e0 ew K Z1 j HK Hj); [| | |exact Hi].
  - rewrite EI. pose proof (target_bound _ _ _ _ _ _ _ _ _ _ face K HK i j Hi Hj) as FB. apply between in FB.
    apply between in TR. apply Rabs_le.
    apply (finish_spec F _ F0); [exact FB|]. destruct (Nat.eqb i 0); lra.
  - rewrite EI. exact TR.
  - intros a Ha. rewrite EI, E1 by exact Ha. apply EZ, Ha.
Qed.

(** At any point the network is within [-F, F]. *)
Theorem bounded_whole X i j : (i < d)%nat -> Rabs (net whole X i j) <= F.
Proof using F0. intros Hi. unfold whole_network. rewrite !run_app, entrywise_spec by exact Hi. apply Rabs_le.
  apply (finish_spec F _ F0). Qed.
End Sentinel.
