(** Lemma 10's bounds made sharp: the smallest and the largest value of the largest id, and contexts that attain
    them. *)

From Coq Require Import QArith List Arith ZArith Bool Lia Lqa Setoid Morphisms.
From Contextual Require Import Statement Heads Recursion Network Grid Theorems.
Import ListNotations.
Open Scope Z_scope.

(** ** 1 + b + ... + b^(c-1), and the recursion F of the bounds *)
Fixpoint geometric (b : Z) (c : nat) : Z := match c with O => 0 | S c' => geometric b c' + b ^ Z.of_nat c' end.

(** From the other end. *)
Lemma geometric_shift b c : geometric b (S c) = 1 + b * geometric b c.
Proof.
  induction c as [|c IH]; [change (0 + 1 = 1 + b * 0); ring|].
  change (geometric b (S (S c))) with (geometric b (S c) + b ^ Z.of_nat (S c)).
  rewrite IH at 1. change (geometric b (S c)) with (geometric b c + b ^ Z.of_nat c).
  rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. ring.
Qed.

Fixpoint F (b a : Z) (c : nat) : Z := match c with O => 0 | S c' => b * F b a c' + (b - 1) * (a - Z.of_nat c') end.

(** One step more. *)
Lemma F_S b a c : F b a (S c) = b * F b a c + (b - 1) * (a - Z.of_nat c).
Proof. reflexivity. Qed.

(** Without recursion. *)
Lemma F_closed b a c : F b a c = a * (b ^ Z.of_nat c - 1) - geometric b c + Z.of_nat c.
Proof.
  induction c as [|c IH]; [change (0 = a * (1 - 1) - 0 + 0); ring|].
  rewrite F_S, IH, geometric_shift, Nat2Z.inj_succ, Z.pow_succ_r by lia. ring.
Qed.

Section Sharp.
Variables (n B : nat) (x : nat -> nat).
Hypothesis B2 : (2 <= B)%nat.
Hypothesis n1 : (1 <= n)%nat.
Notation BZ := (Z.of_nat B).
Notation count := (count n x).
Notation top := (top n x).
Notation D := (D n B x).
Notation P := (P n B x).

(** When the levels 0, ..., m-1 are all occupied. *)
Lemma D_full m : (forall k, (k < m)%nat -> occupied n x k = true) -> forall k, (k <= m)%nat ->
  D k = F BZ (Z.of_nat top) k.
Proof using B2 n1.
  intros H. induction k as [|k IH]; intros Hk; [unfold Recursion.D; simpl; lia|].
  rewrite D_S, H, F_S, IH by lia. reflexivity.
Qed.

(** When none is from m to k. *)
Lemma P_idle m k : (m <= k)%nat -> (forall i, (m <= i < k)%nat -> occupied n x i = false) -> P k = P m.
Proof using B2 n1.
  induction 1 as [|k Hk IH]; intros H; [reflexivity|]. rewrite P_S, H by lia. apply IH. intros i Hi. apply H. lia.
Qed.

Hypothesis x_range : forall j, (j < n)%nat -> (x j < B)%nat.

(** At most one id at each level. *)
Lemma count_le k : (count k <= k)%nat.
Proof using B2 n1. induction k as [|k IH]; simpl; [lia|]. destruct (occupied n x k); lia. Qed.

(** Counts grow by one at most. *)
Lemma count_gap k m : (k <= m)%nat -> (count m <= count k + (m - k))%nat.
Proof using B2 n1. induction 1 as [|m H IH]; [lia|]. cbn [Recursion.count]. destruct (occupied n x m); lia. Qed.

Section Distinct.
Hypothesis all : count B = n.

(** Below the top there are n-1 ids. *)
Lemma count_top : S (count top) = n.
Proof using B2 all n1 x_range.
  pose proof (proj2 (P_after n B x B2 n1 B (top_range n B x B2 n1 x_range))) as E. rewrite all in E. symmetry. exact E.
Qed.

(** The least value, level by level. *)
Lemma D_least k : F BZ (Z.of_nat n - 1) (count k) <= D k.
Proof using B2 all n1 x_range.
  induction k as [|k IH]; [unfold Recursion.D; simpl; lia|]. rewrite D_S. simpl Recursion.count.
  destruct (occupied n x k) eqn:E; [|exact IH]. change ((1 + count k)%nat) with (S (count k)). rewrite F_S.
  pose proof (occupied_le_top n B x B2 n1 k E) as H. pose proof (count_gap k top H). pose proof count_top. nia.
Qed.

(** The greatest. *)
Lemma D_greatest k : D k <= F BZ (BZ - 1) (count k).
Proof using B2 all n1 x_range.
  induction k as [|k IH]; [unfold Recursion.D; simpl; lia|]. rewrite D_S. simpl Recursion.count.
  destruct (occupied n x k) eqn:E; [|exact IH]. change ((1 + count k)%nat) with (S (count k)). rewrite F_S.
  pose proof (count_le k). pose proof (top_range n B x B2 n1 x_range). nia.
Qed.

(** The least of the largest id. *)
Lemma P_least : Z.of_nat n - 1 + F BZ (Z.of_nat n - 1) n <= P B.
Proof using B2 all n1 x_range.
  pose proof (D_least B) as H. rewrite all in H. unfold Recursion.D in H.
  pose proof (count_le top). pose proof count_top. lia.
Qed.

(** The greatest. *)
Lemma P_greatest : P B <= BZ - 1 + BZ * F BZ (BZ - 1) (n - 1).
Proof using B2 all n1 x_range.
  destruct (P_after n B x B2 n1 B (top_range n B x B2 n1 x_range)) as [E _]. rewrite E. unfold T.
  pose proof (D_greatest top) as H. pose proof count_top. replace (count top) with (n - 1)%nat in H by lia.
  unfold Recursion.D in H. pose proof (top_range n B x B2 n1 x_range). nia.
Qed.
End Distinct.

End Sharp.

(** The top is the largest id. *)
Lemma top_is n B x j : (2 <= B)%nat -> (1 <= n)%nat -> (j < n)%nat -> (forall k, (k < n)%nat -> (x k <= x j)%nat) ->
  top n x = x j.
Proof.
  intros B2 n1 Hj H. destruct (largest_attained n B x B2 n1 n ltac:(lia)) as [k [Hk E]]. fold (top n x) in E.
  pose proof (x_top n B x B2 n1 j Hj). specialize (H k Hk). lia.
Qed.

(** The ids 0, 1, ..., n-1 *)
Lemma P_first n B : (2 <= B)%nat -> (1 <= n <= B)%nat ->
  P n B (fun j => j) B = Z.of_nat n - 1 + F (Z.of_nat B) (Z.of_nat n - 1) n.
Proof.
  intros B2 [n1 Hn]. set (x := fun j : nat => j).
  assert (top n x = n - 1)%nat as Et.
  { apply (top_is n B x (n - 1)); unfold x; intros; lia. }
  assert (D n B x n = F (Z.of_nat B) (Z.of_nat (top n x)) n) as ED.
  { apply (D_full n B x B2 n1 n); [|lia]. intros k Hk. apply (occupied_x n B x B2 n1 k Hk). }
  destruct (P_after n B x B2 n1 B ltac:(lia)) as [E1 _]. destruct (P_after n B x B2 n1 n ltac:(lia)) as [E2 _].
  rewrite E1, <- E2. unfold D in ED. rewrite Et in ED. replace (Z.of_nat (n - 1)) with (Z.of_nat n - 1) in ED by lia.
  lia.
Qed.

(** The ids 0, 1, ..., n-2 and B-1 *)
Definition spread (n B j : nat) : nat := if Nat.eqb j (n - 1) then (B - 1)%nat else j.

(** The ids 0, ..., n-2, B-1 attain the greatest. *)
Lemma P_spread n B : (2 <= B)%nat -> (1 <= n <= B)%nat ->
  P n B (spread n B) B = Z.of_nat B - 1 + Z.of_nat B * F (Z.of_nat B) (Z.of_nat B - 1) (n - 1).
Proof.
  intros B2 [n1 Hn]. set (x := spread n B).
  assert (x (n - 1) = B - 1)%nat as Ex by (unfold x, spread; rewrite Nat.eqb_refl; reflexivity).
  assert (forall j, (j < n - 1)%nat -> x j = j) as Ej.
  { intros j Hj. unfold x, spread. destruct (Nat.eqb_spec j (n - 1)); [lia|reflexivity]. }
  assert (top n x = B - 1)%nat as Et.
  { rewrite <- Ex. apply (top_is n B x (n - 1)); try lia. intros k Hk. rewrite Ex.
    unfold x, spread. destruct (Nat.eqb_spec k (n - 1)); lia. }
  assert (D n B x (n - 1) = F (Z.of_nat B) (Z.of_nat (top n x)) (n - 1)) as ED.
  { apply (D_full n B x B2 n1 (n - 1)); [|lia]. intros k Hk. rewrite <- (Ej k Hk) at 1.
    apply (occupied_x n B x B2 n1 k). lia. }
  assert (P n B x (B - 1) = P n B x (n - 1)) as EP.
  { apply (P_idle n B x B2 n1); [lia|]. intros i Hi. destruct (occupied n x i) eqn:O; [|reflexivity]. exfalso.
    apply (occupied_spec n B x B2 n1) in O. destruct O as [j [Hj E]].
    destruct (Nat.eq_dec j (n - 1)) as [->|]; [lia|]. rewrite Ej in E by lia. lia. }
  destruct (P_after n B x B2 n1 B ltac:(lia)) as [E1 _]. rewrite E1. unfold T. rewrite Et.
  unfold D in ED. rewrite Et in ED. replace (Z.of_nat (B - 1)) with (Z.of_nat B - 1) in * by lia. rewrite EP.
  replace (P n B x (n - 1) - (Z.of_nat B - 1)) with (F (Z.of_nat B) (Z.of_nat B - 1) (n - 1)) by lia. reflexivity.
Qed.

(** ** The matrix whose columns have given ids *)
Section Matrix.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n2 : (2 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Notation BB := (B d N).
Notation BZ := (Z.of_nat (B d N)).
Notation delta := (delta N).

Let n1 : (1 <= n)%nat.
Proof. lia. Qed.
Let HB : (2 <= BB)%nat := B_ge_2 d N d1 N2.

Section Digits.
Variable x : nat -> nat.
Hypothesis x_range : forall j, (j < n)%nat -> (x j < BB)%nat.

Definition digits : matrix := fun i j => (of_nat ((x j / N ^ i) mod N) * delta)%Q.

(** The matrix of these ids is in G. *)
Lemma digits_in_G : in_G d n N digits.
Proof using HB n1. intros i j _ _. exists ((x j / N ^ i) mod N)%nat.
  split; [apply Nat.mod_upper_bound; lia|reflexivity]. Qed.

(** It has them. *)
Lemma digits_xid j : (j < n)%nat -> xid d N digits j = x j.
Proof using HB n1 x_range.
  intros Hj. apply Nat2Z.inj. rewrite (xid_zid d n N d1 n1 N2 digits j digits_in_G Hj). unfold zid.
  assert (forall m, expand (Z.of_nat N) m (fun i => entry N digits i j) = Z.of_nat (x j mod N ^ m)) as G.
  { induction m as [|m IH]; [reflexivity|]. rewrite expand_S, IH.
    rewrite (entry_units N N2 digits m j (Z.of_nat ((x j / N ^ m) mod N))) by reflexivity.
    rewrite Nat.pow_succ_r', (Nat.mul_comm N), Nat.mod_mul_r by (try apply Nat.pow_nonzero; lia).
    rewrite Nat2Z.inj_add, Nat2Z.inj_mul, Nat2Z.inj_pow. reflexivity. }
  rewrite G. f_equal. apply Nat.mod_small. apply x_range, Hj.
Qed.
End Digits.

(** P reads the ids only. *)
Lemma P_ext x x' m k : (forall j, (j < m)%nat -> x j = x' j) -> P m BB x k = P m BB x' k.
Proof using HB n1.
  intros H. assert (top m x = top m x') as Et.
  { unfold top. induction m as [|m IH]; [reflexivity|]. simpl. rewrite IH, (H m) by (try (intros; apply H); lia).
    reflexivity. }
  assert (forall i, occupied m x i = occupied m x' i) as Eo.
  { intros i. unfold occupied. assert (forall l, (forall j, In j l -> x j = x' j) ->
      existsb (fun j => Nat.eqb (x j) i) l = existsb (fun j => Nat.eqb (x' j) i) l) as G.
    { induction l as [|a l IH]; intros Hl; [reflexivity|]. simpl.
      rewrite (Hl a (or_introl eq_refl)), IH by (intros; apply Hl; right; assumption). reflexivity. }
    apply G. intros j Hj. apply H. apply in_seq in Hj. lia. }
  induction k as [|k IH]; [simpl; rewrite Et; reflexivity|]. rewrite !P_S, Eo. unfold T. rewrite IH. reflexivity.
Qed.

(** So their value is attained. *)
Lemma attain x : (forall j, (j < n)%nat -> (x j < BB)%nat) ->
  (forall j j', (j < n)%nat -> (j' < n)%nat -> x j = x j' -> j = j') ->
  exists L j, in_Gtilde d n N L /\ is_last d n N L j /\ (swept d n N L j == inject_Z (P n BB x BB) * delta)%Q.
Proof using HB n1.
  intros R inj. pose proof (digits_in_G x) as G. pose proof (digits_xid x R) as E.
  assert (in_Gtilde d n N (digits x)) as GT.
  { split; [exact G|]. intros j j' Hj Hj' S. apply inj; [assumption|assumption|].
    rewrite <- (E j Hj), <- (E j' Hj'). apply (xid_same d n N d1 n1 N2); assumption. }
  destruct (largest_attained n BB x HB n1 n ltac:(lia)) as [j [Hj Ej]]. fold (top n x) in Ej.
  assert (is_last d n N (digits x) j) as HL.
  { split; [exact Hj|]. intros k Hk. pose proof (xid_ids d n N d1 n1 N2 (digits x) G) as I.
    rewrite (I k Hk), (I j Hj). apply (proj1 (units_le N N2 _ _)). rewrite (E k Hk), (E j Hj), Ej.
    pose proof (x_top n BB x HB n1 k Hk). lia. }
  exists (digits x), j. split; [exact GT|]. split; [exact HL|].
  rewrite (swept_last d n N d1 n2 N2 (digits x) j G HL).
  rewrite (P_ext (xid d N (digits x)) x n BB E). reflexivity.
Qed.

(** ** The bounds as the statement writes them *)
Lemma powers_units : (powers d n N == inject_Z (geometric BZ n - 1))%Q.
Proof using HB n1.
  unfold powers.
  assert (forall m, sum m (fun k => of_nat (N ^ ((k + 1) * d))) == inject_Z (geometric BZ (S m) - 1))%Q as G.
  { induction m as [|m IH]; [reflexivity|]. rewrite sum_S, IH. unfold of_nat.
    rewrite power_B, Nat.add_1_r, <- inject_Z_plus.
    change (geometric BZ (S (S m))) with (geometric BZ (S m) + BZ ^ Z.of_nat (S m)).
    replace (geometric BZ (S m) - 1 + BZ ^ Z.of_nat (S m)) with (geometric BZ (S m) + BZ ^ Z.of_nat (S m) - 1) by ring.
    reflexivity. }
  rewrite G. replace (S (n - 1)) with n by lia. reflexivity.
Qed.

(** The least value in units of delta. *)
Lemma least_units : (least_last d n N == inject_Z (Z.of_nat n - 1 + F BZ (Z.of_nat n - 1) n) * delta)%Q.
Proof using HB n1.
  unfold least_last. rewrite powers_units. unfold of_nat. rewrite power_B.
  replace (Z.of_nat (n - 1)) with (Z.of_nat n - 1) by lia.
  transitivity (inject_Z ((Z.of_nat n - 1) * (BZ ^ Z.of_nat n + 1) - (geometric BZ n - 1)) * delta)%Q.
  - unfold Z.sub. rewrite !inject_Z_plus, !inject_Z_mult, !inject_Z_opp, !inject_Z_plus, !inject_Z_opp.
    change (inject_Z 1) with 1%Q. ring.
  - rewrite F_closed. apply (proj1 (units_eq N N2 _ _)). ring.
Qed.

(** The greatest. *)
Lemma greatest_units : (greatest_last d n N == inject_Z (BZ - 1 + BZ * F BZ (BZ - 1) (n - 1)) * delta)%Q.
Proof using HB n1.
  unfold greatest_last. rewrite powers_units. unfold of_nat. rewrite power_B.
  transitivity (inject_Z ((BZ - 1) * (BZ ^ Z.of_nat n + 1) - (geometric BZ n - 1) - BZ * (BZ - Z.of_nat n)) * delta)%Q.
  - unfold Z.sub. rewrite ?inject_Z_plus, ?inject_Z_opp, ?inject_Z_mult, ?inject_Z_plus, ?inject_Z_opp.
    change (inject_Z 1) with 1%Q. ring.
  - rewrite F_closed. apply (proj1 (units_eq N N2 _ _)).
    replace n with (S (n - 1)) at 1 2 3 by lia. rewrite geometric_shift, Nat2Z.inj_succ, Z.pow_succ_r by lia. ring.
Qed.

(** Both bounds. *)
Theorem sharp_bounds : lemma10_sharp_bounds d n N.
Proof using HB n1.
  intros L j HL Hlast. pose proof (L_in_G d n N L HL) as G.
  pose proof (count1 d n N d1 n2 N2 L HL) as C. pose proof (xid_range d n N d1 n1 N2 L G) as R.
  pose proof (swept_last d n N d1 n2 N2 L j G Hlast) as E. rewrite least_units, greatest_units, E.
  split; apply (proj1 (units_le N N2 _ _)).
  - apply P_least; [exact HB|exact n1|exact R|exact C].
  - apply P_greatest; [exact HB|exact n1|exact R|exact C].
Qed.

(** Both are attained. *)
Theorem attained : lemma10_attained d n N.
Proof using HB n1.
  intros Hn. split.
  - destruct (attain (fun j => j)) as [L [j [H1 [H2 H3]]]]; [intros; lia|auto|].
    exists L, j. split; [exact H1|]. split; [exact H2|]. rewrite H3, least_units, (P_first n BB HB ltac:(lia)).
    reflexivity.
  - destruct (attain (spread n BB)) as [L [j [H1 [H2 H3]]]].
    + intros j Hj. unfold spread. destruct (Nat.eqb_spec j (n - 1)); lia.
    + intros j j' Hj Hj'. unfold spread. destruct (Nat.eqb_spec j (n - 1)), (Nat.eqb_spec j' (n - 1)); lia.
    + exists L, j. split; [exact H1|]. split; [exact H2|]. rewrite H3, greatest_units, (P_spread n BB HB ltac:(lia)).
      reflexivity.
Qed.
End Matrix.

(** The statement. *)
Theorem lemma10_sharp : Lemma10_sharp.
Proof. intros d n N d1 n2 N2. exact (conj (sharp_bounds d n N d1 n2 N2) (attained d n N d1 n2 N2)). Qed.
