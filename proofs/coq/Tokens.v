(** What token-wise layers do, one column at a time: layers that write at a key, row layers, the quantiser. *)

From Coq Require Import QArith Qround List Arith ZArith Bool Lia Lqa Setoid Morphisms.
From Contextual Require Import Statement Layers Heads Network.
Import ListNotations.
Open Scope Q_scope.

(** ** Activations *)
Lemma less_true s t : s < t -> less s t = true.
Proof.
  intros H. unfold less. destruct (Qle_bool t s) eqn:E; [|reflexivity].
  apply Qle_bool_iff in E. exfalso. lra.
Qed.

(** Not less. *)
Lemma less_false s t : t <= s -> less s t = false.
Proof. intros H. unfold less. apply Qle_bool_iff in H. rewrite H. reflexivity. Qed.

(** On the first piece. *)
Lemma activate_first phi t : t < c_1 phi -> activate phi t == on (first_piece phi) t.
Proof. intros H. unfold activate. rewrite less_true by exact H. reflexivity. Qed.

(** On the second, open at its right end. *)
Lemma activate_second phi t : closed phi = false -> c_1 phi <= t -> t < c_2 phi ->
  activate phi t == on (second_piece phi) t.
Proof.
  intros E H1 H2. unfold activate. rewrite less_false by exact H1. rewrite E, less_true by exact H2. reflexivity.
Qed.

(** On the second, closed there. *)
Lemma activate_closed phi t : closed phi = true -> c_1 phi <= t -> t <= c_2 phi ->
  activate phi t == on (second_piece phi) t.
Proof.
  intros E H1 H2. unfold activate. rewrite less_false by exact H1. apply Qle_bool_iff in H2. rewrite E, H2. reflexivity.
Qed.

(** On the third. *)
Lemma activate_third phi t : closed phi = false -> c_1 phi <= t -> c_2 phi <= t ->
  activate phi t == on (third_piece phi) t.
Proof.
  intros E H1 H2. unfold activate. rewrite less_false by exact H1. rewrite E, less_false by exact H2. reflexivity.
Qed.

(** The break and the pieces of an activation, written out *)
Ltac pieces := cbv [c_1 c_2 closed first_piece second_piece third_piece on slope intercept nothing one minus
  outside step negative not_between window].

(** ** One column *)
Section Column.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis N2 : (2 <= N)%nat.
Notation delta := (delta N).

Definition vector := nat -> Q.
Definition same (v w : vector) : Prop := forall i, (i < d)%nat -> v i == w i.
Definition plus (v w : vector) : vector := fun i => v i + w i.
Definition along (w v : vector) : Q := sum d (fun i => w i * v i).
Notation id_of := (along (u N)).
Definition column_of (X : matrix) (j : nat) : vector := fun i => X i j.

(** Equality of columns: reflexive, *)
Lemma same_refl v : same v v.
Proof using. intros i _. reflexivity. Qed.

(** and transitive. *)
Lemma same_trans v w x : same v w -> same w x -> same v x.
Proof using. intros H H' i Hi. rewrite (H i Hi). apply H', Hi. Qed.

(** Their ids. *)
Lemma along_same w v v' : same v v' -> along w v == along w v'.
Proof using. intros H. apply sum_ext. intros k Hk. rewrite (H k Hk). reflexivity. Qed.

(** The id of a sum. *)
Lemma along_plus w v v' : along w (plus v v') == along w v + along w v'.
Proof using. unfold along. rewrite <- sum_plus. apply sum_ext. intros k _. unfold plus. ring. Qed.

Definition token (t : tokenwise) (v : vector) : vector :=
  fun i => Qred (v i + W_2 t i * activate (phi t) (along (W_1 t) v + b_1 t)).
Definition tokens (l : list tokenwise) (v : vector) : vector := fold_left (fun v t => token t v) l v.

(** Some layers, then others. *)
Lemma tokens_app l l' v : tokens (l ++ l') v = tokens l' (tokens l v).
Proof using. apply fold_left_app. Qed.

(** A network of token-wise layers, column by column *)
Lemma run_tokens l : forall X j, column_of (run_all d n (map Each l) X) j = tokens l (column_of X j).
Proof using.
  induction l as [|t l IH]; intros X j; [reflexivity|].
  change (column_of (run_all d n (map Each l) (each_token d t X)) j = tokens l (token t (column_of X j))).
  rewrite IH. reflexivity.
Qed.

(** The same for a network. *)
Lemma run_all_app l l' X : run_all d n (l ++ l') X = run_all d n l' (run_all d n l X).
Proof using. apply fold_left_app. Qed.

(** A layer adds its vector times its activation's value. *)
Lemma token_is t v i c : activate (phi t) (along (W_1 t) v + b_1 t) == c -> token t v i == v i + W_2 t i * c.
Proof using. intros H. unfold token. rewrite Qred_correct, H. reflexivity. Qed.

(** ** Row layers *)
Lemma along_unit i v : (i < d)%nat -> along (unit_vector i) v == v i.
Proof using N2 d1.
  intros Hi. unfold along. rewrite (sum_single _ _ i Hi); unfold unit_vector; [rewrite Nat.eqb_refl; ring|].
  intros k _ NE. destruct (Nat.eqb_spec k i); [contradiction|ring].
Qed.

(** A row layer leaves all other rows. *)
Lemma row_layer_other i b f v i' : i' <> i -> token (row_layer i b f) v i' == v i'.
Proof using.
  intros H. unfold token. rewrite Qred_correct. simpl. unfold unit_vector.
  destruct (Nat.eqb_spec i' i); [contradiction|ring].
Qed.

(** What it does to its own. *)
Lemma row_layer_is i b f v c : (i < d)%nat -> (forall t, t == v i + b -> activate f t == c) ->
  token (row_layer i b f) v i == v i + c.
Proof using N2 d1.
  intros Hi H. unfold token. rewrite Qred_correct. simpl. rewrite H by (rewrite along_unit by exact Hi; reflexivity).
  unfold unit_vector. rewrite Nat.eqb_refl. ring.
Qed.

(** Layers of other rows, one after the other, leave row i as it is. *)
Lemma rows_other l i : (forall t, In t l -> exists i' b f, t = row_layer i' b f /\ i <> i') ->
  forall v, tokens l v i == v i.
Proof using.
  induction l as [|t l IH]; intros H v; [reflexivity|]. simpl. rewrite IH by (intros; apply H; right; assumption).
  destruct (H t (or_introl eq_refl)) as [i' [b [f [-> Hi]]]]. apply row_layer_other, Hi.
Qed.

(** One group of layers for each row: row i is what its own group makes of it. *)
Lemma rows_own (g : nat -> list tokenwise) (r : Q -> Q) v i : (i < d)%nat ->
  (forall i' t, In t (g i') -> exists b f, t = row_layer i' b f) ->
  (forall w, w i == v i -> tokens (g i) w i == r (v i)) ->
  tokens (flat_map g (seq 0 d)) v i == r (v i).
Proof using N2 d1.
  intros Hi Hg Hr. replace d with (i + S (d - i - 1))%nat at 1 by lia.
  rewrite seq_app, flat_map_app, tokens_app. cbn [Nat.add seq flat_map]. rewrite tokens_app.
  assert (forall a m, (i < a \/ a + m <= i)%nat -> forall w, tokens (flat_map g (seq a m)) w i == w i) as O.
  { intros a m Ha. apply rows_other. intros t Ht. apply in_flat_map in Ht. destruct Ht as [i' [Hi' Ht]].
    apply in_seq in Hi'. destruct (Hg i' t Ht) as [b [f ->]]. exists i', b, f. split; [reflexivity|lia]. }
  rewrite O by lia. apply Hr, O. lia.
Qed.

(** ** Clearing *)
Lemma clear_is v i : (i < d)%nat -> tokens (clear d) v i == if less (v i) 0 then 0 else v i.
Proof using N2 d1.
  intros Hi. assert (clear d = flat_map (fun i => [row_layer i 0 negative]) (seq 0 d)) as ->.
  { unfold clear. induction (seq 0 d) as [|a l IH]; [reflexivity|]. simpl. rewrite IH. reflexivity. }
  rewrite (rows_own _ (fun x => if less x 0 then 0 else x)); [reflexivity|exact Hi| |].
  - intros i' t [<-|[]]. exists 0, negative. reflexivity.
  - intros w Hw. cbn [tokens fold_left]. unfold less. destruct (Qle_bool 0 (v i)) eqn:E; simpl.
    + apply Qle_bool_iff in E. rewrite (row_layer_is i 0 negative w 0 Hi); [rewrite Hw; ring|].
      intros t Ht. rewrite activate_third; [pieces; ring|reflexivity| |]; pieces; rewrite Ht, Hw; lra.
    + assert (v i < 0) as L.
      { destruct (Qlt_le_dec (v i) 0) as [L|L]; [exact L|]. apply Qle_bool_iff in L. congruence. }
      rewrite (row_layer_is i 0 negative w (- v i) Hi); [rewrite Hw; ring|].
      intros t Ht. rewrite activate_first; [pieces; rewrite Ht, Hw; ring|]. pieces. rewrite Ht, Hw. lra.
Qed.

(** Clearing leaves an entry that isn't negative. *)
Lemma clear_nonneg v i : (i < d)%nat -> 0 <= v i -> tokens (clear d) v i == v i.
Proof using N2 d1. intros Hi H. rewrite clear_is, less_false by assumption. reflexivity. Qed.

(** It makes 0 of a negative one. *)
Lemma clear_negative v i : (i < d)%nat -> v i < 0 -> tokens (clear d) v i == 0.
Proof using N2 d1. intros Hi H. rewrite clear_is, less_true by assumption. reflexivity. Qed.

(** ** Layers that write at a key *)
Definition misses (x key : Q) : Prop := x < key - delta / 2 \/ key + delta / 2 <= x.

Global Instance misses_proper : Proper (Qeq ==> Qeq ==> iff) misses.
Proof. intros x x' Ex k k' Ek. unfold misses. rewrite Ex, Ek. reflexivity. Qed.

(** Off the key nothing is written. *)
Lemma write_miss key change v v0 : same v v0 -> misses (id_of v0) key -> same (token (write N key change) v) v0.
Proof using N2.
  intros E H i Hi. rewrite (token_is _ _ _ 0); [rewrite (E i Hi); ring|]. simpl.
  pose proof (along_same (u N) v v0 E) as EI. pose proof (delta_pos N N2) as D.
  assert (delta / 2 == delta * (1 # 2)) as D2 by (field).
  destruct H as [H|H].
  - rewrite activate_first; [pieces; ring|]. pieces. rewrite EI. lra.
  - rewrite activate_third; [pieces; ring|reflexivity| |]; pieces; rewrite EI; lra.
Qed.

(** At the key the vector is added. *)
Lemma write_hit key change v v0 : same v v0 -> id_of v0 == key -> same (token (write N key change) v) (plus v0 change).
Proof using N2.
  intros E H i Hi. rewrite (token_is _ _ _ 1); [unfold plus; rewrite (E i Hi); simpl; ring|]. simpl.
  pose proof (along_same (u N) v v0 E) as EI. pose proof (delta_pos N N2) as D.
  assert (delta / 2 == delta * (1 # 2)) as D2 by (field).
  rewrite activate_second; [pieces; ring|reflexivity| |]; pieces; rewrite EI, H; lra.
Qed.

Section Writes.
Variable T : Type.
Variables (key : T -> Q) (change : T -> vector).
Notation layers l := (map (fun w => write N (key w) (change w)) l).

(** Several layers, all missed. *)
Lemma writes_miss l : forall v v0, same v v0 -> (forall w, In w l -> misses (id_of v0) (key w)) ->
  same (tokens (layers l) v) v0.
Proof using N2.
  induction l as [|w l IH]; intros v v0 E H; [exact E|]. apply IH.
  - apply write_miss; [exact E|]. apply H. left. reflexivity.
  - intros w' Hw'. apply H. right. exact Hw'.
Qed.

(** If the id of v0 is one key or several, and what is written there is moved off all keys, then one of them is
    written. *)
Lemma writes_hit l : forall v v0, same v v0 ->
  (forall w, In w l -> misses (id_of v0) (key w) \/ id_of v0 == key w) ->
  (exists w, In w l /\ id_of v0 == key w) ->
  (forall w w', In w l -> In w' l -> id_of v0 == key w -> misses (id_of (plus v0 (change w))) (key w')) ->
  exists w, In w l /\ id_of v0 == key w /\ same (tokens (layers l) v) (plus v0 (change w)).
Proof using N2.
  induction l as [|w l IH]; intros v v0 E H X O; [destruct X as [w [[] _]]|].
  destruct (H w (or_introl eq_refl)) as [M|K].
  - destruct (IH (token (write N (key w) (change w)) v) v0) as [w' [I [K S]]].
    + apply write_miss; assumption.
    + intros w' Hw'. apply H. right. exact Hw'.
    + destruct X as [w' [[<-|I] K]]; [|exists w'; auto]. exfalso. pose proof (delta_pos N N2).
      assert (delta / 2 == delta * (1 # 2)) as D2 by (field). destruct M; lra.
    + intros w1 w2 H1 H2. apply O; right; assumption.
    + exists w'. split; [right; exact I|]. split; [exact K|exact S].
  - exists w. split; [left; reflexivity|]. split; [exact K|]. simpl.
    apply writes_miss; [apply write_hit; assumption|].
    intros w' Hw'. apply (O w w'); [left; reflexivity|right; exact Hw'|exact K].
Qed.
End Writes.

(** Whole multiples of delta: the same, or apart *)
Lemma units_miss a b x k : x == inject_Z a * delta -> k == inject_Z b * delta -> a <> b -> misses x k.
Proof using N2 d1.
  intros E K H. unfold misses. pose proof (delta_pos N N2) as D. assert (delta / 2 == delta * (1 # 2)) as D2 by (field).
  destruct (Z.lt_total a b) as [L|[L|L]]; [left|contradiction|right].
  - assert (a + 1 <= b)%Z as L' by lia. apply (units_le N N2) in L'. rewrite inject_Z_plus in L'.
    change (inject_Z 1) with 1 in L'. lra.
  - assert (b + 1 <= a)%Z as L' by lia. apply (units_le N N2) in L'. rewrite inject_Z_plus in L'.
    change (inject_Z 1) with 1 in L'. lra.
Qed.

(** ** The quantiser *)
Section Quantiser.
Variable S : Q.
Hypothesis S_off : ~ (0 <= S /\ S < 1).

Definition number (x : Q) : nat := Z.to_nat (Qfloor (x * of_nat N)).
Definition quantised_entry (x : Q) : Q := if Qle_bool 0 x && less x 1 then of_nat (number x) * delta else S.

(** The cell of a number in [0, 1). *)
Lemma number_spec x : 0 <= x -> x < 1 ->
  (number x < N)%nat /\ of_nat (number x) * delta <= x /\ x < of_nat (number x) * delta + delta.
Proof using N2 d1.
  intros H0 H1. pose proof (delta_N N N2) as DN. pose proof (delta_pos N N2) as D.
  pose proof (of_nat_pos N ltac:(lia)) as PN.
  pose proof (Qfloor_le (x * of_nat N)) as FL. pose proof (Qlt_floor (x * of_nat N)) as FU.
  assert (0 <= Qfloor (x * of_nat N))%Z as F0.
  { change 0%Z with (Qfloor 0). apply Qfloor_resp_le. nra. }
  assert (inject_Z (Qfloor (x * of_nat N)) == of_nat (number x)) as E.
  { unfold number, of_nat. rewrite Z2Nat.id by exact F0. reflexivity. }
  rewrite inject_Z_plus, E in FU. rewrite E in FL. change (inject_Z 1) with 1 in FU. split; [|split].
  - assert (of_nat (number x) < of_nat N) as L by nra. unfold of_nat in L. rewrite <- Zlt_Qlt in L. lia.
  - assert (of_nat (number x) * delta <= x * of_nat N * delta) by nra. nra.
  - assert (x * of_nat N * delta < (of_nat (number x) + 1) * delta) by nra. nra.
Qed.

(** One cell of the quantiser. *)
Lemma step_at i k w x : (i < d)%nat -> w i == x ->
  token (row_layer i (- (of_nat k * delta)) (step N)) w i ==
  if Qle_bool (of_nat k * delta) x && less x (of_nat k * delta + delta) then of_nat k * delta else x.
Proof using N2 d1.
  intros Hi E. pose proof (delta_pos N N2) as D. destruct (Qle_bool (of_nat k * delta) x) eqn:L.
  - apply Qle_bool_iff in L. destruct (Qlt_le_dec x (of_nat k * delta + delta)) as [U|U]; simpl.
    + rewrite less_true by exact U. rewrite (row_layer_is i _ (step N) w (of_nat k * delta - x) Hi); [rewrite E; ring|].
      intros t Ht. rewrite E in Ht. rewrite activate_second; [pieces; rewrite Ht; ring|reflexivity| |]; pieces;
        rewrite Ht; lra.
    + rewrite less_false by exact U. rewrite (row_layer_is i _ (step N) w 0 Hi); [rewrite E; ring|].
      intros t Ht. rewrite E in Ht. rewrite activate_third; [pieces; ring|reflexivity| |]; pieces; rewrite Ht; lra.
  - simpl. assert (x < of_nat k * delta) as U.
    { destruct (Qlt_le_dec x (of_nat k * delta)) as [U|U]; [exact U|]. apply Qle_bool_iff in U. congruence. }
    rewrite (row_layer_is i _ (step N) w 0 Hi); [rewrite E; ring|].
    intros t Ht. rewrite E in Ht. rewrite activate_first; [pieces; ring|]. pieces. rewrite Ht. lra.
Qed.

Notation steps m i := (map (fun k => row_layer i (- (of_nat k * delta)) (step N)) (seq 0 m)).

(** The first m of them, inside, *)
Lemma steps_inside i w x m : (i < d)%nat -> w i == x -> 0 <= x -> x < 1 ->
  tokens (steps m i) w i == if Nat.ltb (number x) m then of_nat (number x) * delta else x.
Proof using N2 d1.
  intros Hi E H0 H1. destruct (number_spec x H0 H1) as [_ [L U]]. pose proof (delta_pos N N2) as D.
  induction m as [|m IH]; [exact E|]. rewrite seq_S, map_app, tokens_app. cbn [map tokens fold_left Nat.add].
  rewrite (step_at i m _ _ Hi IH). set (k := number x) in *.
  assert (forall a b, (a < b)%nat -> of_nat a * delta + delta <= of_nat b * delta) as G.
  { intros a b Hab. assert (Z.of_nat a + 1 <= Z.of_nat b)%Z as G by lia. apply (units_le N N2) in G.
    rewrite inject_Z_plus in G. change (inject_Z 1) with 1 in G. unfold of_nat. lra. }
  destruct (Nat.ltb_spec k m) as [Hk|Hk]; destruct (Nat.ltb_spec k (Datatypes.S m)) as [Hk'|Hk']; try lia.
  - assert (Qle_bool (of_nat m * delta) (of_nat k * delta) = false) as ->; [|reflexivity].
    destruct (Qle_bool _ _) eqn:B; [|reflexivity]. apply Qle_bool_iff in B. specialize (G k m Hk). lra.
  - replace m with k by lia. rewrite less_true by exact U. apply Qle_bool_iff in L. rewrite L. reflexivity.
  - assert (Qle_bool (of_nat m * delta) x = true) as -> by (apply Qle_bool_iff; specialize (G m k ltac:(lia)); lra).
    rewrite less_false by (specialize (G m k ltac:(lia)); lra). reflexivity.
Qed.

(** and outside. *)
Lemma steps_outside i w x m : (i < d)%nat -> (m <= N)%nat -> w i == x -> ~ (0 <= x /\ x < 1) ->
  tokens (steps m i) w i == x.
Proof using N2 d1.
  intros Hi Hm E H. induction m as [|m IH]; [exact E|]. rewrite seq_S, map_app, tokens_app.
  cbn [map tokens fold_left Nat.add].
  rewrite (step_at i m _ _ Hi (IH ltac:(lia))). destruct (Qle_bool (of_nat m * delta) x) eqn:L; [|reflexivity].
  apply Qle_bool_iff in L. destruct (Qlt_le_dec x (of_nat m * delta + delta)) as [U|U].
  - exfalso. apply H. pose proof (delta_pos N N2) as D. split.
    + assert (0 <= of_nat m) by (unfold of_nat, Qle; simpl; lia). nra.
    + assert (Z.of_nat m + 1 <= Z.of_nat N)%Z as G by lia. apply (units_le N N2) in G.
      rewrite inject_Z_plus in G. change (inject_Z 1) with 1 in G. pose proof (delta_N N N2) as DN.
      unfold of_nat in *. lra.
  - rewrite less_false by exact U. reflexivity.
Qed.

(** All, with the sentinel. *)
Theorem quantiser_is v i : (i < d)%nat -> tokens (quantiser d N S) v i == quantised_entry (v i).
Proof using N2 S_off d1.
  intros Hi. apply (rows_own (quantise_row N S) quantised_entry); [exact Hi| |].
  - intros i' t [<-|Ht]; [exists 0, (outside S); reflexivity|]. apply in_map_iff in Ht. destruct Ht as [k [<- _]].
    exists (- (of_nat k * delta)), (step N). reflexivity.
  - intros w Hw. unfold quantise_row. cbn [tokens fold_left]. unfold quantised_entry.
    change (fold_left (fun v t => token t v) ?l ?x) with (tokens l x).
    destruct (Qle_bool 0 (v i)) eqn:B0; [destruct (less (v i) 1) eqn:B1|]; simpl andb; cbv iota.
    + apply Qle_bool_iff in B0. assert (v i < 1) as L1.
      { destruct (Qlt_le_dec (v i) 1) as [L|L]; [exact L|]. rewrite less_false in B1 by exact L. discriminate. }
      assert (token (row_layer i 0 (outside S)) w i == v i) as E.
      { rewrite (row_layer_is i 0 (outside S) w 0 Hi); [rewrite Hw; ring|]. intros t Ht. rewrite Hw in Ht.
        rewrite activate_second; [pieces; ring|reflexivity| |]; pieces; rewrite Ht; lra. }
      rewrite (steps_inside i _ _ N Hi E B0 L1). destruct (number_spec (v i) B0 L1) as [HN _].
      destruct (Nat.ltb_spec (number (v i)) N); [reflexivity|lia].
    + apply steps_outside; [exact Hi|lia| |exact S_off]. assert (1 <= v i) as L1.
      { destruct (Qlt_le_dec (v i) 1) as [L|L]; [|exact L]. rewrite less_true in B1 by exact L. discriminate. }
      rewrite (row_layer_is i 0 (outside S) w (S - v i) Hi); [rewrite Hw; ring|]. intros t Ht. rewrite Hw in Ht.
      rewrite activate_third; [pieces; rewrite Ht; ring|reflexivity| |]; pieces; rewrite Ht; lra.
    + apply steps_outside; [exact Hi|lia| |exact S_off]. assert (v i < 0) as L0.
      { destruct (Qlt_le_dec (v i) 0) as [L|L]; [exact L|]. apply Qle_bool_iff in L. congruence. }
      rewrite (row_layer_is i 0 (outside S) w (S - v i) Hi); [rewrite Hw; ring|]. intros t Ht. rewrite Hw in Ht.
      rewrite activate_first; [pieces; rewrite Ht; ring|]. pieces. rewrite Ht. lra.
Qed.
End Quantiser.
End Column.
