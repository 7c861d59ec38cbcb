(** The statements of [StatementRefuted.v]: by hand for all sizes, by computation at the smallest instance. *)

From Coq Require Import QArith List Arith ZArith Bool Lia Lqa Setoid Morphisms Permutation.
From Contextual Require Import Statement Layers StatementExact Statement3 StatementRefuted.
From Contextual Require Import Heads Recursion Network Grid Theorems Lemma6Use Theorem3 Tables Tokens Exact.
Import ListNotations.
Open Scope Q_scope.

(** ** Lemma 7 *)
Section ValueMap.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n2 : (2 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Let n1 : (1 <= n)%nat.
Proof. lia. Qed.
Notation delta := (Statement.delta N).
Notation q := (Statement.q d n N).
Notation image L := (run d n (network d n N) L).
Notation id_of := (along d (u N)).
Notation same := (Tokens.same d).

(** Tokens with the same key have the same image, and permuted contexts the same keys. *)
Lemma permuted_image L L' p : (forall j, (j < n)%nat -> (p j < n)%nat) ->
  (forall j j', (j < n)%nat -> (j' < n)%nat -> p j = p j' -> j = j') ->
  (forall j, (j < n)%nat -> same_column d L' j L (p j)) ->
  forall j, (j < n)%nat -> same_column d (image L') j (image L) (p j).
Proof using. intros Hb Hi H. apply (layers_equivariant d n (network d n N) p L L' Hb Hi H). Qed.

(** A column of the image knows its key. *)
Lemma q_columns L L' j j' : same_column d (image L') j' (image L) j -> q L' j' == q L j.
Proof using. intros H. unfold Statement.q, id. apply (row_columns d (u N)), H. Qed.

(** Equal columns of one context have equal images. *)
Lemma same_key L L' j j' : in_Gtilde d n N L -> permuted d n L L' -> (j < n)%nat -> (j' < n)%nat ->
  same_column d L j L' j' -> same_column d (image L') j' (image L) j.
Proof using.
  intros HL [p [Hb [Hi H]]] Hj Hj' S. assert (p j' = j) as <-; [|apply (permuted_image L L' p Hb Hi H j' Hj')].
  apply (proj2 HL); [apply Hb, Hj'|exact Hj|]. intros i Hr. rewrite (S i Hr). symmetry. apply H; assumption.
Qed.

(** t_l is delta or more. *)
Lemma t_l_large : of_nat (B d N) * delta <= t_l d n N /\ delta <= t_l d n N.
Proof using n1.
  pose proof (B_ge_2 d N d1 N2) as HB. pose proof (K_pos d n N d1 n2 N2) as K1.
  rewrite (t_l_units d n N d1 n2 N2). set (b := B d N) in *. set (K := (Z.of_nat b ^ Z.of_nat (n - 1))%Z) in *.
  assert (Z.of_nat b <= Z.of_nat b * Z.of_nat b * K * K * (Z.of_nat b - 1))%Z as Hz by nia.
  split.
  - unfold of_nat. apply (proj1 (units_le N N2 _ _)), Hz.
  - rewrite <- (Qmult_1_l delta) at 1. change 1 with (inject_Z 1). apply (proj1 (units_le N N2 _ _)). lia.
Qed.

(** So are keys. *)
Lemma key_large L j : in_Gtilde d n N L -> (j < n)%nat -> delta <= q L j /\ of_nat (B d N) * delta <= q L j.
Proof using n1.
  intros HL Hj. pose proof (property3 d n N d1 n2 N2 L HL j Hj) as [H _]. pose proof t_l_large. lra.
Qed.

(** No entry of g_c(L) is negative. *)
Lemma image_nonneg L j i : in_Gtilde d n N L -> (j < n)%nat -> (i < d)%nat -> 0 <= image L i j.
Proof using n1.
  intros HL Hj Hi. assert (forall i, (i < d)%nat -> 0 <= L i j) as LP.
  { intros k Hk. apply (grid_nonneg N N2). apply (proj1 HL k j Hk Hj). }
  destruct (Nat.eq_dec i 0) as [->|NE].
  - assert (q L j == id d N L j - L 0%nat j + image L 0%nat j) as E.
    { unfold Statement.q.
      assert (id d N (image L) j == id_of (plus (column_of L j) (first (image L 0%nat j - L 0%nat j)))) as ->.
      { apply (along_same d (u N) (column_of (image L) j)). intros k Hk. unfold plus, column_of, first.
        destruct (Nat.eqb_spec k 0) as [->|NE]; [ring|]. rewrite (rows d n N d1 n1 N2 L k j ltac:(lia)). ring. }
      rewrite (id_plus_first d n N d1 n1 N2). change (id_of (column_of L j)) with (id d N L j). ring. }
    pose proof (proj2 (key_large L j HL Hj)) as KL.
    pose proof (xid_ids d n N d1 n1 N2 L (proj1 HL) j Hj) as I. cbn beta in I.
    pose proof (xid_range d n N d1 n1 N2 L (proj1 HL) j Hj) as R.
    assert (inject_Z (Z.of_nat (xid d N L j)) * delta <= of_nat (B d N) * delta) as U.
    { unfold of_nat. apply (proj1 (units_le N N2 _ _)). lia. }
    pose proof (LP 0%nat Hi). lra.
  - rewrite (rows d n N d1 n1 N2 L i j ltac:(lia)). apply LP, Hi.
Qed.

(** The layers before those of the tokens leave g_c(L) as it is, for every L of G~. *)
Lemma kept M L j : in_Gtilde d n N L -> (j < n)%nat ->
  same (tokens d (take_away N M (not_between (t_l d n N) (t_r d n N)) :: clear d) (column_of (image L) j))
    (column_of (image L) j).
Proof using n1.
  intros HL Hj. cbn [tokens fold_left]. change (fold_left (fun v t => token d t v) ?l ?x) with (tokens d l x).
  pose proof (property3 d n N d1 n2 N2 L HL j Hj) as [H1 H2].
  assert (same (token d (take_away N M (not_between (t_l d n N) (t_r d n N))) (column_of (image L) j))
    (column_of (image L) j)) as S.
  { intros i Hi. rewrite (token_is d _ _ _ 0); [ring|]. simpl.
    change (along d (u N) (column_of (image L) j)) with (q L j).
    rewrite activate_closed; [pieces; ring|reflexivity| |]; pieces; lra. }
  intros i Hi. rewrite (clear_nonneg d N d1 N2); [apply S, Hi|exact Hi|].
  rewrite (S i Hi). apply image_nonneg; assumption.
Qed.

(** The first token of a list whose key is one of two *)
Lemma first_of (k0 k1 : Q) tokens : (exists w, In w tokens /\ q (fst w) (snd w) == k0) ->
  exists l1 w l2, tokens = l1 ++ w :: l2 /\ (q (fst w) (snd w) == k0 \/ q (fst w) (snd w) == k1) /\
    forall w', In w' l1 -> ~ q (fst w') (snd w') == k0 /\ ~ q (fst w') (snd w') == k1.
Proof using.
  induction tokens as [|w tokens IH]; intros [w0 [I E]]; [contradiction|].
  destruct (Qeq_dec (q (fst w) (snd w)) k0) as [E0|N0].
  - exists [], w, tokens. split; [reflexivity|]. split; [left; exact E0|]. intros w' [].
  - destruct (Qeq_dec (q (fst w) (snd w)) k1) as [E1|N1].
    + exists [], w, tokens. split; [reflexivity|]. split; [right; exact E1|]. intros w' [].
    + destruct IH as [l1 [w1 [l2 [-> [K O]]]]].
      * destruct I as [<-|I]; [contradiction|]. exists w0. auto.
      * exists (w :: l1), w1, l2. split; [reflexivity|]. split; [exact K|].
        intros w' [<-|I']; [split; assumption|apply O, I'].
Qed.

(** A key misses every other key's window. *)
Lemma miss_other L L' j j' : in_Gtilde d n N L -> in_Gtilde d n N L' -> (j < n)%nat -> (j' < n)%nat ->
  ~ q L j == q L' j' -> misses N (q L j) (q L' j').
Proof using N2 d1 n2.
  intros HL HL' Hj Hj' NE. pose proof (delta_pos N N2). assert (delta / 2 == delta * (1 # 2)) as D2 by field.
  destruct (Lemma6Use.apart d n N d1 n2 N2 L L' j j' HL HL' Hj Hj') as [E|[A|A]]; [contradiction|left; lra|right; lra].
Qed.

Section Chain.
Variable tokens_list : list (matrix * nat).
Hypothesis all_tokens : enumerates d n N tokens_list.
Variable L : matrix.
Hypothesis HL : in_Gtilde d n N L.
Notation keyed w := (q (fst w) (snd w)).

(** Each column has its token. *)
Lemma token_of j : (j < n)%nat -> exists w, In w tokens_list /\ keyed w == q L j.
Proof using HL all_tokens.
  intros Hj. destruct (proj2 all_tokens L j HL Hj) as [L' [j' [I [P S]]]]. exists (L', j'). split; [exact I|].
  apply q_columns, same_key; try assumption. apply (proj1 all_tokens L' j' I).
Qed.

(** And its image. *)
Lemma image_of w j : In w tokens_list -> (j < n)%nat -> keyed w == q L j ->
  same (column_of (image (fst w)) (snd w)) (column_of (image L) j).
Proof using HL N2 all_tokens d1 n2.
  destruct w as [L' j']. intros I Hj E. cbn [fst snd] in *. destruct (proj1 all_tokens L' j' I) as [HL' Hj'].
  destruct (tell d n N d1 n2 N2 L L' j j' HL HL' Hj Hj' ltac:(symmetry; exact E)) as [S P].
  exact (same_key L L' j j' HL P Hj Hj' S).
Qed.

(** The targets: the column of key ka gets (kb, 0, ..., 0), every other 0. *)
Definition chained (ka kb : Q) : matrix -> matrix := fun K i j => if Qeq_bool (q K j) ka then first kb i else 0.

(** The target is equivariant. *)
Lemma chained_equivariant ka kb : equivariant_on_Gtilde d n N (chained ka kb).
Proof using.
  intros K K' p _ _ Hb Hi H j Hj i Hr. unfold chained.
  assert (q K' j == q K (p j)) as E by (apply q_columns, (permuted_image K K' p Hb Hi H j Hj)).
  rewrite E. reflexivity.
Qed.

(** The key that is written is another key, whose layer comes later. *)
Lemma chain_fails a b l1 w l2 M : (a < n)%nat -> (b < n)%nat -> a <> b -> tokens_list = l1 ++ w :: l2 ->
  keyed w == q L a ->
  (forall w', In w' l1 -> ~ keyed w' == q L a /\ ~ keyed w' == q L b) ->
  ~ (forall i, (i < d)%nat ->
    run_all d n (value_network d n N M tokens_list (chained (q L a) (q L b))) L i a == chained (q L a) (q L b) L i a).
Proof using HL all_tokens n1.
  intros Ha Hb Hab E Ew O All. set (A := chained (q L a) (q L b)) in *.
  assert (~ q L a == q L b) as NE by (intros X; apply Hab, (property1 d n N d1 n2 N2 L HL a b Ha Hb X)).
  set (key := fun w : matrix * nat => keyed w).
  set (change := fun (w : matrix * nat) i => A (fst w) i (snd w) - image (fst w) i (snd w)).
  assert (forall w', In w' tokens_list -> in_Gtilde d n N (fst w') /\ (snd w' < n)%nat) as T.
  { intros [K k] I. apply (proj1 all_tokens K k I). }
  assert (forall w', In w' l1 -> In w' tokens_list) as I1 by (intros w' I; rewrite E; apply in_app_iff; left; exact I).
  assert (In w tokens_list) as Iw by (rewrite E; apply in_app_iff; right; left; reflexivity).
  assert (forall w', In w' l2 -> In w' tokens_list) as I2 by (intros w' I; rewrite E; apply in_app_iff; right;
    right; exact I).
  assert (column_of (run_all d n (value_network d n N M tokens_list A) L) a =
    tokens d (map (fun w => write N (key w) (change w)) l2) (token d (write N (key w) (change w))
      (tokens d (map (fun w => write N (key w) (change w)) l1)
        (tokens d (take_away N M (not_between (t_l d n N) (t_r d n N)) :: clear d) (column_of (image L) a))))) as EN.
  { unfold value_network, value_map. rewrite run_all_app, run_tokens.
    assert (run_all d n (map Attend (network d n N)) L = image L) as ->.
    { unfold run_all, run. generalize L at 1 2. generalize (network d n N).
      induction l as [|y l IH]; intros X; [reflexivity|].
      simpl. apply IH. }
    rewrite E, map_app, app_comm_cons, tokens_app, tokens_app. reflexivity. }
  pose proof (kept M L a HL Ha) as S0. set (v0 := column_of (image L) a) in *.
  assert (id_of v0 == q L a) as K0 by reflexivity.
  (* the tokens before it *)
  match type of EN with _ = tokens d _ (token d _ (tokens d _ ?v)) => set (v1 := v) in * end.
  assert (same (tokens d (map (fun w => write N (key w) (change w)) l1) v1) v0) as S1.
  { apply (writes_miss d N N2 _ key change l1 v1 v0 S0). intros w' I. rewrite K0. destruct (T w' (I1 w' I)).
    apply miss_other; try assumption. intros X. apply (proj1 (O w' I)). symmetry. exact X. }
  (* its own *)
  assert (same (token d (write N (key w) (change w)) (tokens d (map (fun w => write N (key w) (change w)) l1) v1))
    (first (q L b))) as S2.
  { apply (same_trans d _ (plus v0 (change w))).
    - apply write_hit; [exact N2|exact S1|]. rewrite K0. symmetry. exact Ew.
    - intros i Hi. unfold plus, change. pose proof (image_of w a Iw Ha Ew i Hi) as IM.
      unfold column_of at 1 in IM. rewrite IM.
      unfold A, chained. rewrite (proj2 (Qeq_bool_iff _ _) Ew). fold v0. ring. }
  (* the layer of the other key, later *)
  assert (exists w', In w' l2 /\ keyed w' == q L b) as [wb [Ib Eb]].
  { destruct (token_of b Hb) as [w' [I Ew']]. exists w'. split; [|exact Ew']. rewrite E in I. apply in_app_iff in I.
    destruct I as [I|[<-|I]]; [exfalso; apply (proj2 (O w' I)), Ew'| |exact I]. exfalso. apply NE. rewrite <- Ew.
    exact Ew'. }
  assert (forall w', In w' l2 -> keyed w' == q L b -> id_of (plus (first (q L b)) (change w')) == 0) as zero.
  { intros w' I Ew'. rewrite along_plus, (along_first d n N d1 n1 N2).
    assert (id_of (change w') == - q L b) as ->; [|ring].
    assert (id_of (plus (change w') (column_of (image L) b)) == 0) as X.
    { apply sum_zero. intros i Hi. unfold plus, change. pose proof (image_of w' b (I2 w' I) Hb Ew' i Hi) as IM.
      unfold column_of at 1 in IM. rewrite IM. unfold A, chained.
      destruct (Qeq_bool (keyed w') (q L a)) eqn:B; [|ring]. apply Qeq_bool_iff in B. exfalso. apply NE. rewrite <- B.
      exact Ew'. }
    rewrite along_plus in X. change (id_of (column_of (image L) b)) with (q L b) in X. lra. }
  destruct (writes_hit d N N2 _ key change l2 _ _ S2) as [w' [I [Ew' S3]]].
  - intros w' I. rewrite (along_first d n N d1 n1 N2).
    destruct (Qeq_dec (q L b) (keyed w')) as [X|X]; [right; exact X|left].
    destruct (T w' (I2 w' I)). apply miss_other; assumption.
  - exists wb. split; [exact Ib|]. rewrite (along_first d n N d1 n1 N2). symmetry. exact Eb.
  - intros w1 w2 H1 H2 X. rewrite (along_first d n N d1 n1 N2) in X. rewrite (zero w1 H1) by (symmetry; exact X). left.
    destruct (T w2 (I2 w2 H2)) as [G2 J2]. pose proof (proj1 (key_large _ _ G2 J2)) as KL. unfold key.
    pose proof (delta_pos N N2).
    assert (delta / 2 == delta * (1 # 2)) as D2 by field. lra.
  - rewrite (along_first d n N d1 n1 N2) in Ew'.
    assert (id_of (column_of (run_all d n (value_network d n N M tokens_list A) L) a) == 0) as Z0.
    { rewrite EN, (along_same d _ _ _ S3). apply zero; [exact I|symmetry; exact Ew']. }
    assert (id_of (column_of (run_all d n (value_network d n N M tokens_list A) L) a) == q L b) as Z1.
    { rewrite <- (along_first d n N d1 n1 N2 (q L b)). apply (along_same d). intros i Hi. rewrite (All i Hi).
      unfold A, chained.
      rewrite (proj2 (Qeq_bool_iff _ _) (Qeq_refl (q L a))). reflexivity. }
    rewrite Z0 in Z1. pose proof (proj1 (key_large L b HL Hb)). pose proof (delta_pos N N2). lra.
Qed.
End Chain.

(** Some target is missed, whatever the order. *)
Theorem map_fails tokens_list : enumerates d n N tokens_list -> forall L, in_Gtilde d n N L ->
  exists A, equivariant_on_Gtilde d n N A /\
    forall M, exists i j, (i < d)%nat /\ (j < n)%nat /\
      ~ run_all d n (value_network d n N M tokens_list A) L i j == A L i j.
Proof using n1.
  intros HT L HL. destruct (first_of (q L 0) (q L 1) tokens_list) as [l1 [w [l2 [E [K O]]]]].
  { apply token_of; [exact HT|exact HL|lia]. }
  assert (forall a b, (a < n)%nat -> (b < n)%nat -> a <> b -> q (fst w) (snd w) == q L a ->
    (forall w', In w' l1 -> ~ q (fst w') (snd w') == q L a /\ ~ q (fst w') (snd w') == q L b) ->
    exists A, equivariant_on_Gtilde d n N A /\
    forall M, exists i j, (i < d)%nat /\ (j < n)%nat /\ ~ run_all d n (value_network d n N M tokens_list A) L i j ==
      A L i j) as G.
  { intros a b Ha Hb Hab Ew Ow. exists (chained (q L a) (q L b)). split; [apply chained_equivariant|]. intros M.
    destruct (all_or_some d
      (fun i => run_all d n (value_network d n N M tokens_list (chained (q L a) (q L b))) L i a ==
        chained (q L a) (q L b) L i a)
      (fun i => ~ run_all d n (value_network d n N M tokens_list (chained (q L a) (q L b))) L i a ==
        chained (q L a) (q L b) L i a))
      as [All|[i [Hi X]]].
    - intros i _. match goal with |- ?x == ?y \/ _ => destruct (Qeq_dec x y); [left|right]; assumption end.
    - exfalso. exact (chain_fails tokens_list HT L HL a b l1 w l2 M Ha Hb Hab E Ew Ow All).
    - exists i, a. auto. }
  destruct K as [K|K].
  - apply (G 0%nat 1%nat); try lia; assumption.
  - apply (G 1%nat 0%nat); try lia; [exact K|]. intros w' I. destruct (O w' I). split; assumption.
Qed.

(** ** The tokens can be enumerated *)
Lemma context_distinct ks : (forall k, In k ks -> (k < B d N)%nat) -> length ks = n -> NoDup ks ->
  in_Gtilde d n N (StatementExact.context N ks).
Proof using n1.
  intros R E ND. pose proof (context_in_G d n N d1 n1 N2 ks) as G. split; [exact G|].
  intros j j' Hj Hj' S. apply (xid_same d n N d1 n1 N2) in S; try assumption.
  rewrite (context_number d n N d1 n1 N2 ks j R ltac:(lia)), (context_number d n N d1 n1 N2 ks j' R ltac:(lia)) in S.
  apply (proj1 (NoDup_nth ks O) ND); [lia|lia|exact S].
Qed.

Definition contexts : list (list nat) :=
  filter (fun ks => if list_eq_dec Nat.eq_dec (nodup Nat.eq_dec ks) ks then true else false) (multisets d N 0 n).
Definition all_of : list (matrix * nat) :=
  flat_map (fun ks => map (pair (StatementExact.context N ks)) (seq 0 n)) contexts.

(** The list holds the contexts. *)
Lemma contexts_spec ks : In ks contexts -> (forall k, In k ks -> (k < B d N)%nat) /\ length ks = n /\ NoDup ks.
Proof using n1.
  unfold contexts. rewrite filter_In. intros [H E]. destruct (multisets_sound d n N d1 n1 N2 ks 0 n H) as [EL R].
  destruct (list_eq_dec Nat.eq_dec (nodup Nat.eq_dec ks) ks) as [F|]; [|discriminate].
  split; [exact R|]. split; [exact EL|]. rewrite <- F. apply NoDup_nodup.
Qed.

(** All of them. *)
Theorem enumerated : enumerates d n N all_of.
Proof using n1.
  split.
  - intros L j I. apply in_flat_map in I. destruct I as [ks [Hk I]]. apply in_map_iff in I. destruct I as [j' [E Hj]].
    injection E as <- <-. apply in_seq in Hj. destruct (contexts_spec ks Hk) as [R [EL ND]].
    split; [apply context_distinct; assumption|lia].
  - intros L j HL Hj. destruct (sorted_copy d n N d1 n1 N2 (numbers d n N L)) as [ks [P S]].
    assert (forall k, In k ks -> (k < B d N)%nat) as R.
    { intros k Hk. apply (numbers_range d n N d1 n1 N2 L (proj1 HL)), (Permutation_in _ (Permutation_sym P)), Hk. }
    assert (length ks = n) as EL by (rewrite <- P; apply numbers_length).
    assert (NoDup ks) as ND.
    { apply (Permutation_NoDup P). apply (NoDup_nth _ O). intros i k Hi Hk E.
      rewrite numbers_length in Hi, Hk.
      rewrite !numbers_nth in E by assumption. apply (xid_injective d n N d1 n1 N2 L HL); assumption. }
    assert (In (xid d N L j) ks) as I by (apply (Permutation_in _ P), in_map, in_seq; lia).
    destruct (position_spec d n N d1 n1 N2 _ _ I) as [Hp Ep].
    exists (StatementExact.context N ks), (position (xid d N L j) ks). split; [|split].
    + apply in_flat_map. exists ks. split; [|apply in_map, in_seq; lia]. apply filter_In. split.
      * apply (multisets_complete d n N d1 n1 N2); try assumption. intros k Hk. specialize (R k Hk). lia.
      * rewrite (nodup_fixed_point Nat.eq_dec ND). destruct (list_eq_dec Nat.eq_dec ks ks); [reflexivity|contradiction].
    + apply (permutation_permuted d n N d1 n1 N2); [apply HL|apply (context_in_G d n N d1 n1 N2)|].
      rewrite (context_numbers d n N d1 n1 N2 ks R EL). exact P.
    + apply (xid_same d n N d1 n1 N2); [apply HL|apply (context_in_G d n N d1 n1 N2)|exact Hj|lia|].
      rewrite (context_number d n N d1 n1 N2 ks _ R Hp), Ep. reflexivity.
Qed.

(** With N^d columns to choose from, there is one. *)
Theorem some_context : (n <= B d N)%nat -> exists L, in_Gtilde d n N L.
Proof using n1.
  intros H. exists (StatementExact.context N (seq 0 n)). apply context_distinct; [|apply seq_length|apply seq_NoDup].
  intros k Hk. apply in_seq in Hk. lia.
Qed.
End ValueMap.

(** The statement. *)
Theorem lemma7_map_fails : Lemma7_map_fails.
Proof. intros d n N d1 n2 N2. apply (map_fails d n N d1 n2 N2). Qed.

(** It isn't vacuous. *)
Theorem lemma7_has_cases : Lemma7_has_cases.
Proof.
  intros d n N d1 n2 N2. split; [eexists; apply (enumerated d n N d1 n2 N2)|apply (some_context d n N d1 n2 N2)].
Qed.

(** The literal networks at a table's matrix, computed layer by layer *)
Lemma run_all_at d n network t X i j : agree d n (look t) X -> (i < d)%nat -> (j < n)%nat ->
  run_all d n network X i j = look (run_all_table d n (map (with_lists d) network) t) i j.
Proof. intros H Hi Hj. symmetry. apply (run_lists_same d n network t X H i j Hi Hj). Qed.

(** Ids by tables. *)
Lemma id_at d n N network t X j : agree d n (look t) X -> (j < n)%nat ->
  id d N (run d n network X) j = nth j (ids_table d n N (run_table d n network t)) 0.
Proof. intros H Hj. symmetry. apply ids_table_nth; [|exact Hj]. apply run_table_same, H. Qed.

Ltac at_entries := intros [|i] [|[|j]] Hi Hj; try lia; reflexivity.

(** The smallest case, computed. *)
Theorem lemma7_smallest : Lemma7_smallest.
Proof.
  assert (agree 1 2 (look [[0; 1 # 2]]) smallest) as T by at_entries.
  split; [|split; [|split]].
  - unfold Statement.q. rewrite (id_at 1 2 2 _ _ _ _ T) by lia. vm_compute. reflexivity.
  - unfold Statement.q. rewrite (id_at 1 2 2 _ _ _ _ T) by lia. vm_compute. reflexivity.
  - rewrite (run_all_at 1 2 _ _ _ _ _ T) by lia. vm_compute. reflexivity.
  - rewrite (run_all_at 1 2 _ _ _ _ _ T) by lia. vm_compute. reflexivity.
Qed.

(** ** Hu et al.: the threshold *)
Section Threshold.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n2 : (2 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Hypothesis small : (n + N ^ (d - 1) <= N ^ d)%nat.
Notation BZ := (Z.of_nat (B d N)).
Notation NZ := (Z.of_nat N).
Notation nZ := (Z.of_nat n).
Notation SZ := (Z.of_nat (SS d N)).
Notation K := (BZ ^ Z.of_nat n)%Z.

(** The spacing of the levels: a geometric series. *)
Lemma S_closed : (SZ * (NZ - 1) = NZ * (BZ - 1))%Z.
Proof using N2 d1 n2 small.
  rewrite SS_ones, (B_pow d N). assert (forall m, expand NZ m (fun _ => 1) * (NZ - 1) = NZ ^ Z.of_nat m - 1)%Z as G.
  { induction m as [|m IH]; [cbn; lia|]. rewrite expand_S, pow_S by lia. lia. }
  rewrite <- (G d). ring.
Qed.

(** The hypothesis, in whole numbers. *)
Lemma small_units : (nZ * NZ <= BZ * (NZ - 1))%Z.
Proof using N2 d1 n2 small.
  assert (N * N ^ (d - 1) = B d N)%nat as E by (unfold B; rewrite <- Nat.pow_succ_r'; f_equal; lia).
  fold (B d N) in small. assert (Z.of_nat n + Z.of_nat (N ^ (d - 1)) <= BZ)%Z as H by lia.
  assert (NZ * Z.of_nat (N ^ (d - 1)) = BZ)%Z as E' by lia. nia.
Qed.

(** The largest id after the sweep, times N - 1 *)
Lemma last_upper L y M : context d n N L -> (M = R n BZ (pid d N L) n \/ (irregular d n N L /\ M = E0 N)) ->
  (y <= M)%Z -> (y * (NZ - 1) <= K * (BZ - 1) * (BZ * (NZ - 1) - 1))%Z.
Proof using N2 d1 n2 small.
  intros H HM Hy. pose proof (offset_range d n N d1 n2 N2 L (n - 1) H ltac:(lia)) as O. pose proof S_closed as SC.
  pose proof small_units as SU. pose proof (B_ge_2 d N d1 N2) as HB. set (x := pid d N L (n - 1)).
  assert (x * (NZ - 1) <= (BZ - 1) * (BZ * (NZ - 1) - 1))%Z as Hx.
  { unfold x, pid. replace (Z.of_nat (n - 1)) with (nZ - 1)%Z by lia. nia. }
  assert (0 < K)%Z as KP by (apply Z.pow_pos_nonneg; lia).
  assert (M <= K * x)%Z as HMx.
  { destruct HM as [->|[[Ed [En [P0 P1]]] ->]].
    - apply (R_upper n BZ (pid d N L) n2 ltac:(lia) (pid_mono d n N d1 n2 N2 L H) n); [|intros i Hi|lia];
        apply (pid_nonneg d n N d1 n2 N2 L); try assumption; lia.
    - destruct (B_is_N d n N d1 n2 N2 Ed) as [EB _].
      unfold x. rewrite En. change (2 - 1)%nat with 1%nat. rewrite P1, EB. change (Z.of_nat 2) with 2%Z.
      rewrite Z.pow_2_r.
      unfold E0. nia. }
  assert (y * (NZ - 1) <= K * x * (NZ - 1))%Z by (apply Z.mul_le_mono_nonneg_r; lia).
  assert (K * (x * (NZ - 1)) <= K * ((BZ - 1) * (BZ * (NZ - 1) - 1)))%Z by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.

Notation FZ := (Z.of_nat (positional_factor d n N)).

(** The threshold in units of delta. *)
Lemma threshold_units : (hu_t_l d n N == inject_Z (FZ * (BZ * K * (BZ - 1))) * delta N)%Q.
Proof using N2 d1 n2 small.
  unfold hu_t_l. rewrite (factor_units d n N d1 n2 N2).
  replace (2 * (n + 1) * d)%nat with ((n + 1 + (n + 1)) * d)%nat by lia.
  unfold of_nat at 2. rewrite (power_B d N (n + 1 + (n + 1))). pose proof (delta_N N N2) as D. unfold of_nat in *.
  assert (BZ ^ Z.of_nat (n + 1 + (n + 1)) = (BZ * K) * (BZ * K))%Z as ->.
  { replace (Z.of_nat (n + 1 + (n + 1))) with (Z.of_nat (n + 1) + Z.of_nat (n + 1))%Z by lia.
    rewrite Z.pow_add_r by lia.
    replace (Z.of_nat (n + 1)) with (Z.succ (Z.of_nat n)) by lia. rewrite Z.pow_succ_r by lia. reflexivity. }
  unfold Z.sub. repeat rewrite ?inject_Z_mult, ?inject_Z_plus, ?inject_Z_opp. change (inject_Z 1) with 1.
  transitivity (inject_Z nZ * (inject_Z BZ * inject_Z K * (inject_Z BZ * inject_Z K)) * (inject_Z BZ + - (1)) *
    (inject_Z NZ * delta N)); [rewrite D; ring|ring].
Qed.

(** It is above every value. *)
Theorem too_large L j : context d n N L -> (j < n)%nat -> positional_q d n N L j < hu_t_l d n N.
Proof using N2 d1 n2 small.
  intros H Hj. destruct (final d n N d1 n2 N2 L H) as [y [M [HI [HM [Hp [_ [_ [_ [_ HC]]]]]]]]].
  rewrite (positional_q_units d n N d1 n2 N2 L y M j HI HM Hj (Hp j Hj)), threshold_units.
  apply (proj1 (units_lt N N2 _ _)). pose proof (proj2 HM j Hj) as Hy.
  assert (M = R n BZ (pid d N L) n \/ (irregular d n N L /\ M = E0 N)) as HM'.
  { destruct HC as [[_ E]|[I E]]; [left; exact E|right; split; assumption]. }
  pose proof (last_upper L M M H HM' (Z.le_refl M)) as U. rewrite (factor_units d n N d1 n2 N2).
  pose proof (B_ge_2 d N d1 N2) as HB. assert (1 <= K)%Z as KP.
  { pose proof (Z.pow_pos_nonneg BZ (Z.of_nat n) ltac:(lia) ltac:(lia)). lia. }
  set (f := (nZ * (BZ * K) * NZ)%Z). set (k := K) in *. set (b := BZ) in *.
  assert (b * NZ <= f)%Z as Ff by (unfold f; nia).
  assert (M * (NZ - 1) * (1 + f) <= k * (b - 1) * (b * (NZ - 1) - 1) * (1 + f))%Z as U'
    by (apply Z.mul_le_mono_nonneg_r; lia).
  assert (k * (b - 1) * ((b * (NZ - 1) - 1) * (1 + f)) < k * (b - 1) * (b * (NZ - 1) * f))%Z as U2.
  { apply Z.mul_lt_mono_pos_l; nia. }
  assert ((y j + f * M) * (NZ - 1) < f * (b * k * (b - 1)) * (NZ - 1))%Z; [nia|nia].
Qed.
End Threshold.

(** The statement. *)
Theorem huthreshold_too_large : HuThreshold_too_large.
Proof. intros d n N d1 n2 N2 small L j H Hj. apply (too_large d n N d1 n2 N2 small L j H Hj). Qed.

(** The smallest case, computed. *)
Theorem huthreshold_smallest : HuThreshold_smallest.
Proof.
  assert (agree 1 2 (look [[0; 1]]) zero_one) as T by at_entries.
  split; [|split; [|split]].
  - intros i j _ Hj. exists 0%nat. split; [lia|]. assert (j = 0 \/ j = 1)%nat as [->| ->] by lia; vm_compute;
      reflexivity.
  - vm_compute. reflexivity.
  - unfold positional_q. rewrite (id_at 1 2 2 _ _ _ _ T) by lia. vm_compute. reflexivity.
  - unfold positional_q. rewrite (id_at 1 2 2 _ _ _ _ T) by lia. vm_compute. reflexivity.
Qed.

(** The layers, counted. *)
Theorem hulayers_more : HuLayers_more.
Proof.
  intros d n N d1 n2 N2. pose proof (B_ge_2 d N d1 N2) as HB. split; [|nia].
  unfold positional_network, positional_sweep, levels. rewrite app_length, map_length. simpl length. f_equal.
  assert (forall l : list nat,
    length (flat_map (fun j => map (fun k => (first_level d N j + k)%nat) (seq 0 (B d N))) l) =
    (length l * B d N)%nat) as G.
  { induction l as [|a l IH]; [reflexivity|]. simpl. rewrite app_length, map_length, seq_length, IH. reflexivity. }
  rewrite G, seq_length. reflexivity.
Qed.

(** The order fails in the exception. *)
Theorem corder_fails : COrder_fails.
Proof. exact appendixc2_no_order. Qed.

(** The slides' sentinel, computed. *)
Theorem slidessentinel_fails : SlidesSentinel_fails.
Proof.
  assert (agree 1 2 (look [[- (1 # 4); 0]]) slides_matrix) as T by at_entries.
  assert (agree 1 2 (look [[0; 1 # 2]]) smallest) as T' by at_entries. unfold SlidesSentinel_fails, Statement.q.
  rewrite (id_at 1 2 2 _ _ _ _ T), (id_at 1 2 2 _ _ _ _ T') by lia.
  split; [reflexivity|]. split; [vm_compute; reflexivity|]. split; [vm_compute; discriminate|vm_compute; reflexivity].
Qed.
