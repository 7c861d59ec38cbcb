(** What the theorems of the pages Statement*.v are good for: of each, at literal sizes, a consequence in numbers. An
    [Example] shows two things. The theorem's hypotheses can be met, for it meets them. And its conclusion is as strong
    as it looks: from a weaker one the example doesn't follow. Nothing but the pages is imported. *)

From Coq Require Import QArith Qround List Arith Bool Lia Lqa.
From Contextual Require StatementSparse.
From Contextual Require Import Statement Statement3 Layers StatementExact StatementRefuted.
Import ListNotations.
Open Scope Q_scope.

(** ** Matrices at (d, n, N) = (2, 3, 2): those with the ids 0, 1/2, 1, and 0, 1/2, 3/2; one with a repeated column, one
    with a sentinel; and one for Theorem 3 *)
Definition of_ids (ks : list nat) : matrix := context 2 ks.
Definition one_context : matrix := of_ids [0; 1; 2]%nat.
Definition other_context : matrix := of_ids [0; 1; 3]%nat.
Definition repeated : matrix := of_ids [0; 0; 1]%nat.
Definition marked (s : Q) : matrix := fun i j => if Nat.eqb (i + j) 0 then s else one_context i j.
Definition placed : matrix := fun _ j => of_nat j.
Definition placed_too : matrix := fun i j => of_nat j + (if Nat.eqb (i + j) 0 then 1 # 2 else 0).

(** Each entry, each column. *)
Ltac entries i j := destruct i as [|[|i]]; [| |exfalso; lia]; (destruct j as [|[|[|j]]]; [| | |exfalso; lia]).
Ltac number := vm_compute; first [reflexivity|let H := fresh in intros H; discriminate H].
Ltac on_the_grid := first [exists 0%nat; split; [lia|number]|exists 1%nat; split; [lia|number]].
Ltac columns_differ j j' H := destruct j as [|[|[|j]]]; [| | |exfalso; lia];
  (destruct j' as [|[|[|j']]]; [| | |exfalso; lia]); try reflexivity; exfalso;
  pose proof (H 0%nat ltac:(lia)) as H0; pose proof (H 1%nat ltac:(lia)) as H1; vm_compute in H0, H1; discriminate.

(** They are what they are meant to be. *)
Lemma one_G : in_Gtilde 2 3 2 one_context.
Proof. split; [intros i j Hi Hj; entries i j; on_the_grid|]. intros j j' Hj Hj' H. columns_differ j j' H. Qed.

(** The other one, too. *)
Lemma other_G : in_Gtilde 2 3 2 other_context.
Proof. split; [intros i j Hi Hj; entries i j; on_the_grid|]. intros j j' Hj Hj' H. columns_differ j j' H. Qed.

(** They have different columns. *)
Lemma not_permuted : ~ permuted 2 3 one_context other_context.
Proof.
  intros [p [p1 [_ p3]]]. specialize (p1 2%nat ltac:(lia)). pose proof (p3 2%nat ltac:(lia)) as H. clear p3.
  destruct (p 2%nat) as [|[|[|k]]]; [| | |lia];
    (pose proof (H 0%nat ltac:(lia)) as H0; pose proof (H 1%nat ltac:(lia)) as H1; vm_compute in H0, H1; discriminate).
Qed.

(** A repeated column. *)
Lemma repeated_G : in_G 2 3 2 repeated.
Proof. intros i j Hi Hj; entries i j; on_the_grid. Qed.

(** It is of Category 2. *)
Lemma repeated_not : ~ in_Gtilde 2 3 2 repeated.
Proof.
  intros [_ H]. specialize (H 0%nat 1%nat ltac:(lia) ltac:(lia)). assert (0 = 1)%nat; [|discriminate]. apply H.
  intros i Hi. destruct i as [|[|i]]; [reflexivity|reflexivity|lia].
Qed.

(** What is on the grid is in G+. *)
Lemma in_plus L : in_G 2 3 2 L -> in_Gplus 2 3 2 L.
Proof. intros H i j Hi Hj. right. apply H; assumption. Qed.

(** A sentinel: Category 3. *)
Lemma marked_plus : in_Gplus 2 3 2 (marked (-64)).
Proof. intros i j Hi Hj; entries i j; first [left; reflexivity|right; on_the_grid]. Qed.

(** It is outside G~. *)
Lemma marked_not s : s < 0 -> ~ in_Gtilde 2 3 2 (marked s).
Proof.
  intros Hs [H _]. destruct (H 0%nat 0%nat ltac:(lia) ltac:(lia)) as [k [_ E]].
  change (marked s 0%nat 0%nat) with s in E.
  rewrite E in Hs. assert (0 <= of_nat k * delta 2); [|lra]. apply Qmult_le_0_compat; [|number].
  unfold of_nat. change 0 with (inject_Z 0). rewrite <- Zle_Qle. lia.
Qed.

(** The last column has the largest id, the first the smallest. *)
Lemma one_last : is_last 2 3 2 one_context 2.
Proof. split; [lia|]. intros k Hk. destruct k as [|[|[|k]]]; [| | |lia]; number. Qed.

(** So it is for the other context. *)
Lemma other_last : is_last 2 3 2 other_context 2.
Proof. split; [lia|]. intros k Hk. destruct k as [|[|[|k]]]; [| | |lia]; number. Qed.

(** The largest of three numbers is at a place. *)
Lemma some_largest (y : nat -> nat) : exists last, (last < 3)%nat /\ forall k, (k < 3)%nat -> (y k <= y last)%nat.
Proof.
  destruct (le_lt_dec (y 0%nat) (y 1%nat)), (le_lt_dec (y 1%nat) (y 2%nat)), (le_lt_dec (y 0%nat) (y 2%nat));
    [exists 2%nat|exists 2%nat|exists 1%nat|exists 1%nat|exists 2%nat|exists 0%nat|exists 0%nat|exists 0%nat];
    (split; [lia|]; intros k Hk; destruct k as [|[|[|k]]]; lia).
Qed.

(** Coq compares networks and numbers by what they are called, and doesn't compute to find a difference. *)
Opaque run run_all attention q swept positional_q positional_swept exact_key lookup exact_network
  StatementSparse.sparse_q of_nat delta t_l t_r border hu_t_l least_last greatest_last.

(** ** Lemma 6 and Lemma 10 *)
Example Lemma6_used : Lemma6 ->
  (~ q 2 3 2 one_context 0 == q 2 3 2 one_context 2) /\ (~ q 2 3 2 one_context 0 == q 2 3 2 other_context 0) /\
  (6144 <= q 2 3 2 one_context 1 /\ q 2 3 2 one_context 1 < 24576) /\
  (q 2 3 2 repeated 1 < 6144 \/ 24576 <= q 2 3 2 repeated 1) /\
  (q 2 3 2 (marked (-64)) 2 < 6144 \/ 24576 <= q 2 3 2 (marked (-64)) 2) /\
  length (network 2 3 2) = 5%nat /\ (forall l, In l (network 2 3 2) -> (length l <= 2)%nat).
Proof.
  intros H. destruct (H 2%nat 3%nat 2%nat ltac:(lia) ltac:(lia) ltac:(lia)) as [P1 [P2 [P3 [P4 [[S1 S2] [I1 I2]]]]]].
  destruct (P3 one_context one_G 1%nat ltac:(lia)) as [low high].
  split; [|split; [|split; [|split; [|split; [|split]]]]].
  - intros E. assert (0 = 2)%nat as X; [|discriminate X].
    apply (P1 one_context one_G 0%nat 2%nat ltac:(lia) ltac:(lia) E).
  - apply (P2 one_context other_context one_G other_G not_permuted); lia.
  - split; [eapply Qle_trans; [|exact low]|eapply Qlt_le_trans; [exact high|]]; number.
  - destruct (P4 repeated (in_plus _ repeated_G) repeated_not 1%nat ltac:(lia)) as [A|A];
      [left; eapply Qlt_le_trans; [exact A|]|right; eapply Qle_trans; [|exact A]]; number.
  - destruct (P4 (marked (-64)) marked_plus (marked_not (-64) ltac:(reflexivity)) 2%nat ltac:(lia)) as [A|A];
      [left; eapply Qlt_le_trans; [exact A|]|right; eapply Qle_trans; [|exact A]]; number.
  - exact S1.
  - exact S2.
Qed.

(** Its last clause: there is something between t_l and t_r at every size. *)
Example Lemma6_interval_used : Lemma6 -> forall d n N, (1 <= d)%nat -> (2 <= n)%nat -> (2 <= N)%nat ->
  0 < t_r d n N - t_l d n N < t_r d n N.
Proof. intros H d n N d1 n2 N2. destruct (H d n N d1 n2 N2) as [_ [_ [_ [_ [_ [I1 I2]]]]]]. split; lra. Qed.

(** Its layers, at ids that are known. *)
Example Lemma6_layers_used : Lemma6_layers ->
  id 2 2 (attention 2 3 (selective_shift 2 2 0) one_context) 0 == 4 /\
  id 2 2 (attention 2 3 (selective_shift 2 2 0) one_context) 1 == 1 # 2 /\
  id 2 2 (attention 2 3 (global_shift 2 3 2) (marked (-64))) 2 == 257 /\
  id 2 2 (attention 2 3 (global_shift 2 3 2) (marked (-64))) 0 == - 16448 /\
  (forall L, in_G 2 3 2 L -> id 2 2 L 0 == 1 # 2 -> L 0%nat 0%nat == 1 # 2 /\ L 1%nat 0%nat == 0) /\
  (forall X j, run 2 3 (network 2 3 2) X 1%nat j == X 1%nat j) /\
  on_lattice 2 (id 2 2 (run 2 3 (firstn 4 (network 2 3 2)) (marked (-64))) 1) /\
  forall layers X, run 2 3 layers (fun i j => X i (2 - j)%nat) 1%nat 0%nat == run 2 3 layers X 1%nat 2%nat.
Proof.
  intros H. destruct (H 2%nat 3%nat 2%nat ltac:(lia) ltac:(lia) ltac:(lia)) as [lifts [global [tell [stay [lattice
    eq]]]]].
  assert (forall i, (i < 3)%nat -> on_lattice 2 (id 2 2 one_context i)) as Lat.
  { intros i Hi. destruct i as [|[|[|i]]]; [exists 0%Z|exists 1%Z|exists 2%Z|lia]; number. }
  assert (is_least 2 3 2 one_context 0) as Least.
  { split; [lia|]. intros k Hk. destruct k as [|[|[|k]]]; [| | |lia]; number. }
  assert (is_last 2 3 2 (marked (-64)) 2) as Last'.
  { split; [lia|]. intros k Hk. destruct k as [|[|[|k]]]; [| | |lia]; number. }
  assert (is_least 2 3 2 (marked (-64)) 0) as Least'.
  { split; [lia|]. intros k Hk. destruct k as [|[|[|k]]]; [| | |lia]; number. }
  destruct (lifts one_context 0%nat 2%nat 0%nat 0%nat Lat one_last Least ltac:(lia)) as [at_0 _].
  destruct (lifts one_context 0%nat 2%nat 0%nat 1%nat Lat one_last Least ltac:(lia)) as [_ off_0].
  destruct (global (marked (-64)) 2%nat 0%nat 2%nat Last' Least' ltac:(lia)) as [up _].
  destruct (global (marked (-64)) 2%nat 0%nat 0%nat Last' Least' ltac:(lia)) as [_ down].
  split; [rewrite at_0 by number; number|]. split; [rewrite off_0 by number; number|].
  split; [rewrite up by number; number|]. split; [rewrite down by number; number|]. split; [|split; [|split]].
  - intros L HL E. assert (same_column 2 L 0 one_context 1) as S.
    { apply tell; [exact HL|apply one_G|lia|lia|]. rewrite E. number. }
    split; [rewrite (S 0%nat) by lia|rewrite (S 1%nat) by lia]; number.
  - intros X j. apply stay. lia.
  - apply (lattice (marked (-64)) 4%nat 1%nat marked_plus). lia.
  - intros layers X. apply (eq layers (fun j => 2 - j)%nat X (fun i j => X i (2 - j)%nat)); try lia.
    intros j Hj i Hi. reflexivity.
Qed.

(** Its keys. *)
Example Lemma6_keys_used : Lemma6_keys ->
  (forall L, in_Gtilde 2 3 2 L -> q 2 3 2 L 0 == q 2 3 2 one_context 1 ->
    L 0%nat 0%nat == 1 # 2 /\ permuted 2 3 L one_context) /\
  (forall L, in_Gtilde 2 3 2 L -> ~ q 2 3 2 L 0 == q 2 3 2 one_context 1 ->
    q 2 3 2 L 0 + (1 # 2) <= q 2 3 2 one_context 1 \/ q 2 3 2 one_context 1 + (1 # 2) <= q 2 3 2 L 0) /\
  2 <= swept 2 3 2 one_context 0 /\
  exists y m, (0 < y <= m)%nat /\ swept 2 3 2 one_context 0 == of_nat y * (1 # 2) /\
    q 2 3 2 one_context 0 == of_nat (y + 256 * m) * (1 # 2).
Proof.
  intros H. destruct (H 2%nat 3%nat 2%nat ltac:(lia) ltac:(lia) ltac:(lia)) as [tell [apart [positive from_sweep]]].
  split; [|split; [|split]].
  - intros L HL E. destruct (tell L one_context 0%nat 1%nat HL one_G ltac:(lia) ltac:(lia) E) as [S P].
    split; [rewrite (S 0%nat) by lia; number|exact P].
  - intros L HL E. destruct (apart L one_context 0%nat 1%nat HL one_G ltac:(lia) ltac:(lia)) as [A|A]; [contradiction|].
    exact A.
  - specialize (positive one_context 0%nat one_G ltac:(lia)). eapply Qle_trans; [|exact positive]. number.
  - destruct (from_sweep one_context one_G) as [y [Y Q]]. destruct (some_largest y) as [last [Hl M]].
    destruct (Y 0%nat ltac:(lia)) as [Y0 S]. exists (y 0%nat), (y last). specialize (M 0%nat ltac:(lia)) as M0.
    split; [lia|]. split; [exact S|]. exact (Q 0%nat last ltac:(lia) Hl M).
Qed.

(** With two heads in every layer. *)
Example Lemma6_two_heads_used : Lemma6_two_heads ->
  length (padded_network 2 3 2) = 5%nat /\ (forall l, In l (padded_network 2 3 2) -> length l = 2%nat) /\
  run 2 3 (padded_network 2 3 2) one_context 0%nat 1%nat == run 2 3 (network 2 3 2) one_context 0%nat 1%nat.
Proof.
  intros H. destruct (H 2%nat 3%nat 2%nat) as [L [T S]]. split; [exact L|]. split; [exact T|]. apply S; lia.
Qed.

(** The bounds of Lemma 10, and what it determines. *)
Example Lemma10_used : Lemma10 -> 24 <= swept 2 3 2 one_context 2 /\ swept 2 3 2 one_context 2 <= 183 # 2 /\
  ~ swept 2 3 2 one_context 2 == swept 2 3 2 other_context 2.
Proof.
  intros H. destruct (H 2%nat 3%nat 2%nat ltac:(lia) ltac:(lia) ltac:(lia)) as [low [up injective]]. split; [|split].
  - eapply Qle_trans; [|apply (low one_context 2%nat one_G one_last)]. number.
  - eapply Qle_trans; [apply (up one_context 2%nat one_G one_last)|]. number.
  - intros E. apply not_permuted, (injective _ 2%nat _ 2%nat one_G other_G one_last other_last E).
Qed.

(** And sharp. *)
Example Lemma10_sharp_used : Lemma10_sharp -> 55 <= swept 2 3 2 one_context 2 /\ swept 2 3 2 one_context 2 <= 171 # 2 /\
  (exists L j, in_Gtilde 2 3 2 L /\ is_last 2 3 2 L j /\ swept 2 3 2 L j == 55) /\
  exists L j, in_Gtilde 2 3 2 L /\ is_last 2 3 2 L j /\ swept 2 3 2 L j == 171 # 2.
Proof.
  intros H. destruct (H 2%nat 3%nat 2%nat ltac:(lia) ltac:(lia) ltac:(lia)) as [bounds attained].
  destruct (bounds one_context 2%nat one_G one_last) as [B1 B2].
  destruct attained as [[L [j [HL [HJ E]]]] [L' [j' [HL' [HJ' E']]]]]; [vm_compute; lia|].
  split; [eapply Qle_trans; [|exact B1]; number|]. split; [eapply Qle_trans; [exact B2|]; number|].
  split; [exists L, j|exists L', j']; (split; [assumption|split; [assumption|]]).
  - eapply Qeq_trans; [exact E|]. number.
  - eapply Qeq_trans; [exact E'|]. number.
Qed.

(** ** Appendix C.2 *)
Lemma placed_context : Statement3.context 2 3 2 placed.
Proof. intros i j Hi Hj. exists 0%nat. split; [lia|]. destruct j as [|[|[|j]]]; [| | |lia]; number. Qed.

(** Another context. *)
Lemma placed_too_context : Statement3.context 2 3 2 placed_too.
Proof.
  intros i j Hi Hj. entries i j; first [exists 0%nat; split; [lia|number]|exists 1%nat; split; [lia|number]].
Qed.

(** They differ. *)
Lemma placed_differ : different 2 3 placed placed_too.
Proof. exists 0%nat, 0%nat. split; [lia|]. split; [lia|]. intros E. vm_compute in E. discriminate E. Qed.

(** The contextual mapping. *)
Example AppendixC2_contextual_used : AppendixC2_contextual ->
  (~ positional_q 2 3 2 placed 0 == positional_q 2 3 2 placed 1) /\
  (~ positional_q 2 3 2 placed 0 == positional_q 2 3 2 placed_too 2) /\
  positional_swept 2 3 2 placed 1 < 768 /\
  ~ positional_swept 2 3 2 placed 2 == positional_swept 2 3 2 placed_too 2.
Proof.
  intros H. destruct (H 2%nat 3%nat 2%nat ltac:(lia) ltac:(lia) ltac:(lia)) as [[P1 P2] [bound determined]].
  split; [|split; [|split]].
  - intros E. assert (0 = 1)%nat as X; [|discriminate X].
    apply (P1 placed placed_context 0%nat 1%nat ltac:(lia) ltac:(lia) E).
  - apply (P2 placed placed_too placed_context placed_too_context placed_differ); lia.
  - eapply Qlt_le_trans; [apply (bound placed 1%nat placed_context); lia|]. number.
  - intros E. apply (determined placed placed_too placed_context placed_too_context E), placed_differ.
Qed.

(** Its keys. *)
Example AppendixC2_keys_used : AppendixC2_keys ->
  exists y m, (0 < y <= m)%nat /\ positional_swept 2 3 2 placed 0 == of_nat y * (1 # 2) /\
    positional_q 2 3 2 placed 0 == of_nat (y + 1536 * m) * (1 # 2).
Proof.
  intros H. destruct (H 2%nat 3%nat 2%nat ltac:(lia) ltac:(lia) ltac:(lia) placed placed_context) as [y [Y Q]].
  destruct (some_largest y) as [last [Hl M]]. destruct (Y 0%nat ltac:(lia)) as [Y0 S]. exists (y 0%nat), (y last).
  specialize (M 0%nat ltac:(lia)) as M0. split; [lia|]. split; [exact S|]. exact (Q 0%nat last ltac:(lia) Hl M).
Qed.

(** Its order. *)
Example AppendixC2_order_used : AppendixC2_order ->
  positional_swept 2 3 2 placed 0 < positional_swept 2 3 2 placed 1 < positional_swept 2 3 2 placed 2.
Proof.
  intros H. assert (~ exception 2 3 2 placed) as NE by (intros [E _]; discriminate E).
  pose proof (H 2%nat 3%nat 2%nat ltac:(lia) ltac:(lia) ltac:(lia) placed placed_context NE) as O.
  split; apply O; lia.
Qed.

(** Where there is none: the id of the entry 1 isn't above that of 2/3. *)
Example AppendixC2_no_order_used : AppendixC2_no_order ->
  exists L, Statement3.context 1 2 3 L /\ L 0%nat 0%nat == 2 # 3 /\ L 0%nat 1%nat == 1 /\ ~ ordered 1 2 3 L.
Proof.
  intros H. destruct (H 3%nat ltac:(lia)) as [L [C [[_ [_ [E1 E2]]] O]]]. exists L. split; [exact C|].
  split; [rewrite E1; number|]. split; [exact E2|]. intros A. specialize (A 0%nat 1%nat ltac:(lia) ltac:(lia)). lra.
Qed.

(** ** Proposition 4 with distance 0 *)
Lemma same_target : equivariant_on_G 2 3 2 (fun L => L).
Proof. intros L L' p _ _ _ _ S. exact S. Qed.

(** A matrix with the sentinel above isn't on the grid. *)
Lemma above_not : ~ in_G 2 3 2 (marked (sentinel_above 2 3 2)).
Proof.
  intros H. destruct (H 0%nat 0%nat ltac:(lia) ltac:(lia)) as [k [Hk E]].
  destruct k as [|[|k]]; [| |lia]; vm_compute in E; discriminate E.
Qed.

(** Its entries are the sentinel or on the grid. *)
Lemma above_quantised : quantised 2 3 2 (marked (sentinel_above 2 3 2)).
Proof. intros i j Hi Hj; entries i j; first [left; number|right; on_the_grid]. Qed.

(** At a point of a cube the network is the target, at its corner; outside it is 0. *)
Example Proposition4_exact_used : Proposition4_exact ->
  let g := run_all 2 3 (exact_network 2 3 2 (fun L => L)) in
  g (fun _ _ => 2 # 3) 1%nat 2%nat == 1 # 2 /\ g (fun _ j => of_nat j) 0%nat 0%nat == 0 /\
  run_all 2 3 (lookup 2 3 2 (fun L => L)) repeated 0%nat 2%nat == 1 # 2 /\
  run_all 2 3 (lookup 2 3 2 (fun L => L)) (marked (sentinel_above 2 3 2)) 0%nat 2%nat == 0 /\
  (forall heads, In (Attend heads) (exact_network 2 3 2 (fun L => L)) -> length heads = 1%nat) /\
  forall t, In (Each t) (exact_network 2 3 2 (fun L => L)) -> c_1 (phi t) <= c_2 (phi t) /\
    ((forall s s', s < c_1 (phi t) -> s' < c_1 (phi t) -> activate (phi t) s == activate (phi t) s') \/
     (forall s s', c_1 (phi t) < s < c_2 (phi t) -> c_1 (phi t) < s' < c_2 (phi t) ->
       activate (phi t) s == activate (phi t) s') \/
     (forall s s', c_2 (phi t) < s -> c_2 (phi t) < s' -> activate (phi t) s == activate (phi t) s')).
Proof.
  intros H g. destruct (H 2%nat 3%nat 2%nat ltac:(lia) ltac:(lia) ltac:(lia)) as [look [all class]].
  split; [|split; [|split; [|split; [|split]]]].
  - destruct (all (fun L => L) same_target (fun _ _ => 2 # 3)) as [inside _]. unfold g. rewrite inside by
      (try lia; intros i j _ _; split; number). number.
  - apply (all (fun L => L) same_target); [|lia|lia]. intros C.
  destruct (C 0%nat 1%nat ltac:(lia) ltac:(lia)) as [_ C'].
    vm_compute in C'. discriminate C'.
  - destruct (look (fun L => L) same_target repeated) as [inside _].
    + intros i j Hi Hj. right. apply repeated_G; assumption.
    + rewrite (inside repeated_G) by lia. number.
  - destruct (look (fun L => L) same_target _ above_quantised) as [_ outside]. apply (outside above_not); lia.
  - intros heads Hh. apply (class (fun L => L) _ Hh).
  - intros t Ht. destruct (class (fun L => L) _ Ht) as [O C]. split; [exact O|].
    assert (forall s x, less s x = true <-> s < x) as lt.
    { intros s x. unfold less. rewrite negb_true_iff, <- not_true_iff_false, Qle_bool_iff. split; [apply Qnot_le_lt|].
      intros L G. lra. }
    assert (forall s x, less s x = false <-> x <= s) as ge.
    { intros s x. rewrite <- not_true_iff_false, lt. split; [apply Qnot_lt_le|]. intros L G. lra. }
    unfold activate. destruct C as [C|[C|C]]; [left|right; left|right; right]; intros s s' Hs Hs'.
    + rewrite (proj2 (lt _ _) Hs), (proj2 (lt _ _) Hs'). unfold on. rewrite C. ring.
    + rewrite (proj2 (ge s (c_1 (phi t)))), (proj2 (ge s' (c_1 (phi t)))) by lra. destruct (closed (phi t)).
      * rewrite !(proj2 (Qle_bool_iff _ _)) by lra. unfold on. rewrite C. ring.
      * rewrite !(proj2 (lt _ _)) by lra. unfold on. rewrite C. ring.
    + rewrite (proj2 (ge s (c_1 (phi t)))), (proj2 (ge s' (c_1 (phi t)))) by lra.
      assert (forall x, c_2 (phi t) < x -> Qle_bool x (c_2 (phi t)) = false) as above.
      { intros x Hx. apply not_true_iff_false. rewrite Qle_bool_iff. lra. }
      destruct (closed (phi t)).
      * rewrite !above by assumption. unfold on. rewrite C. ring.
      * rewrite (proj2 (ge s (c_2 (phi t)))), (proj2 (ge s' (c_2 (phi t)))) by lra. unfold on. rewrite C. ring.
Qed.

(** Its keys: equal columns have one, other columns and other contexts another. *)
Example Proposition4_contextual_used : Proposition4_contextual ->
  exact_key 2 3 2 repeated 0 == exact_key 2 3 2 repeated 1 /\
  (~ exact_key 2 3 2 repeated 1 == exact_key 2 3 2 repeated 2) /\
  (~ exact_key 2 3 2 one_context 0 == exact_key 2 3 2 other_context 0) /\
  (forall L, in_G 2 3 2 L -> ~ exact_key 2 3 2 L 0 == exact_key 2 3 2 one_context 1 ->
   exact_key 2 3 2 L 0 + 2 <= exact_key 2 3 2 one_context 1 \/
   exact_key 2 3 2 one_context 1 + 2 <= exact_key 2 3 2 L 0) /\
  exact_key 2 3 2 repeated 0 < border 2 3 2 /\
  border 2 3 2 <= exact_key 2 3 2 (marked (sentinel_above 2 3 2)) 1.
Proof.
  intros H. destruct (H 2%nat 3%nat 2%nat ltac:(lia) ltac:(lia) ltac:(lia)) as [keys [apart border]].
  assert (permuted 2 3 repeated repeated) as P.
  { exists (fun j => j). split; [auto|]. split; [auto|]. intros j _ i _. reflexivity. }
  split; [|split; [|split; [|split; [|split]]]].
  - refine (proj2 (keys repeated repeated repeated_G repeated_G 0%nat 1%nat ltac:(lia) ltac:(lia)) (conj _ P)).
    intros i Hi. destruct i as [|[|i]]; [reflexivity|reflexivity|lia].
  - intros E. apply (proj1 (keys repeated repeated repeated_G repeated_G 1%nat 2%nat ltac:(lia) ltac:(lia))) in E.
    destruct E as [S _]. specialize (S 0%nat ltac:(lia)). vm_compute in S. discriminate S.
  - intros E. apply (proj1 (keys _ _ (proj1 one_G) (proj1 other_G) 0%nat 0%nat ltac:(lia) ltac:(lia))) in E.
    apply not_permuted, E.
  - intros L HL NE. assert (of_nat (C 2 2) == 2) as E by number.
    destruct (apart L one_context HL (proj1 one_G) 0%nat 1%nat ltac:(lia) ltac:(lia)) as [A|[A|A]]; [contradiction| |];
      [left; lra|right; lra].
  - apply (border repeated); [|lia|exact repeated_G]. intros i j Hi Hj. right. apply repeated_G; assumption.
  - apply (border _ above_quantised 1%nat ltac:(lia)). exact above_not.
Qed.

(** ** What fails *)
Example Lemma7_has_cases_used : Lemma7_has_cases ->
  (exists tokens, enumerates 2 3 2 tokens) /\ exists L, in_Gtilde 2 3 2 L.
Proof.
  intros H. destruct (H 2%nat 3%nat 2%nat ltac:(lia) ltac:(lia) ltac:(lia)) as [T L]. split; [exact T|].
  apply L. vm_compute. lia.
Qed.

(** No order of the layers helps, and no M. *)
Example Lemma7_map_fails_used : Lemma7_map_fails -> Lemma7_has_cases -> exists tokens A, enumerates 2 3 2 tokens /\
  equivariant_on_Gtilde 2 3 2 A /\ forall M, exists i j, (i < 2)%nat /\ (j < 3)%nat /\
    ~ run_all 2 3 (value_network 2 3 2 M tokens A) one_context i j == A one_context i j.
Proof.
  intros H C. destruct (C 2%nat 3%nat 2%nat ltac:(lia) ltac:(lia) ltac:(lia)) as [[tokens T] _].
  destruct (H 2%nat 3%nat 2%nat ltac:(lia) ltac:(lia) ltac:(lia) tokens T one_context one_G) as [A [HA HM]].
  exists tokens, A. auto.
Qed.

(** The target is missed in column 0; the keys differ by 1/2, the column's target is the other's key. *)
Example Lemma7_smallest_used : Lemma7_smallest ->
  (~ run_all 1 2 smallest_network smallest 0%nat 0%nat == smallest_target 0%nat 0%nat) /\
  run_all 1 2 smallest_network smallest 0%nat 1%nat == smallest_target 0%nat 1%nat /\
  q 1 2 2 smallest 0 + (1 # 2) == q 1 2 2 smallest 1 /\ smallest_target 0%nat 0%nat == q 1 2 2 smallest 1.
Proof.
  intros [Q0 [Q1 [R0 R1]]]. rewrite Q0, Q1, R0, R1. split; [intros E; vm_compute in E; discriminate E|]. repeat split.
Qed.

(** Hu et al.'s threshold. *)
Example HuThreshold_too_large_used : HuThreshold_too_large -> forall L, Statement3.context 2 2 2 L ->
  positional_q 2 2 2 L 1 < 24576.
Proof.
  intros H L HL. eapply Qlt_le_trans; [apply (H 2%nat 2%nat 2%nat); [lia|lia|lia|vm_compute; lia|exact HL|lia]|].
  number.
Qed.

(** Its smallest case. *)
Example HuThreshold_smallest_used : HuThreshold_smallest -> Statement3.context 1 2 2 zero_one /\
  positional_q 1 2 2 zero_one 0 + 1 == positional_q 1 2 2 zero_one 1 /\
  positional_q 1 2 2 zero_one 1 + 29 == hu_t_l 1 2 2.
Proof. intros [C [T [Q0 Q1]]]. split; [exact C|]. rewrite Q0, Q1, T. split; reflexivity. Qed.

(** The layers. *)
Example HuLayers_more_used : HuLayers_more -> length (positional_network 2 3 2) = 13%nat /\
  (length (network 2 3 2) < length (positional_network 2 3 2))%nat.
Proof.
  intros H. destruct (H 2%nat 3%nat 2%nat ltac:(lia) ltac:(lia) ltac:(lia)) as [L M]. rewrite L.
  split; [reflexivity|exact M].
Qed.

(** The order. *)
Example COrder_fails_used : COrder_fails -> forall N, (2 <= N)%nat -> exists L, Statement3.context 1 2 N L /\ ~
  ordered 1 2 N L.
Proof.
  intros H N N2. destruct (H N N2) as [L [C [_ O]]]. exists L. split; [exact C|]. intros A.
  specialize (A 0%nat 1%nat ltac:(lia) ltac:(lia)). lra.
Qed.

(** The slides' sentinel: a matrix with one has a key of a context, between t_l = 8 and t_r = 16. *)
Example SlidesSentinel_fails_used : SlidesSentinel_fails ->
  slides_matrix 0%nat 0%nat == - (1 # 4) /\ q 1 2 2 slides_matrix 1 == q 1 2 2 smallest 1 /\
  8 <= q 1 2 2 slides_matrix 1 /\ q 1 2 2 slides_matrix 1 < 16.
Proof.
  intros [S [E [L R]]]. split; [rewrite <- S; number|]. split; [exact E|].
  split; [eapply Qle_trans; [|exact L]|eapply Qlt_le_trans; [exact R|]]; number.
Qed.

(** ** Sparse attention: over the star, and over the star with more edges *)
Definition more : StatementSparse.graph :=
  StatementSparse.with_edge 1 2 (StatementSparse.with_edge 0 0 StatementSparse.star).
(** Both contain the star. *)
Lemma stars : StatementSparse.contains_star 3 StatementSparse.star /\ StatementSparse.contains_star 3 more.
Proof. split; intros i Hi; destruct i as [|[|[|[|i]]]]; try lia; repeat split. Qed.

(** Different columns, different contexts; and 2n layers. *)
Example BigBird_lemma3_used : StatementSparse.BigBird_lemma3 ->
  (~ StatementSparse.sparse_q 2 3 2 more repeated 0 == StatementSparse.sparse_q 2 3 2 more repeated 1) /\
  (~ StatementSparse.sparse_q 2 3 2 more repeated 0 == StatementSparse.sparse_q 2 3 2 more one_context 0) /\
  length (StatementSparse.sparse_network 2 3 2) = 6%nat /\
  (forall l, In l (StatementSparse.sparse_network 2 3 2) -> (length l <= 2)%nat).
Proof.
  intros H. destruct (H 2%nat 3%nat 2%nat ltac:(lia) ltac:(lia) ltac:(lia)) as [[S1 S2] C].
  destruct (C more (proj2 stars)) as [P1 P2]. split; [|split; [|split; [exact S1|exact S2]]].
  - intros E. assert (0 = 1)%nat as X; [|discriminate X].
    apply (P1 repeated 0%nat 1%nat repeated_G ltac:(lia) ltac:(lia) E).
  - apply P2; [exact repeated_G|apply one_G| |lia|lia]. intros S. specialize (S 0%nat 1%nat ltac:(lia) ltac:(lia)).
    vm_compute in S. discriminate S.
Qed.

(** One network for both graphs. *)
Example BigBird_any_graph_used : StatementSparse.BigBird_any_graph ->
  StatementSparse.sparse_q 2 3 2 StatementSparse.star one_context 1 ==
  StatementSparse.sparse_q 2 3 2 more one_context 1.
Proof. intros H. apply H; try lia; [apply stars|apply stars|apply one_G]. Qed.

(** With all edges: the attention of Lemma 6. *)
Example Sparse_complete_used : StatementSparse.Sparse_complete ->
  StatementSparse.sparse_attention 1 2 (fun _ _ => true) (selective_shift 2 2 0) one_context 0%nat 2%nat ==
  attention 2 3 (selective_shift 2 2 0) one_context 0%nat 2%nat.
Proof. intros H. apply H. lia. Qed.
