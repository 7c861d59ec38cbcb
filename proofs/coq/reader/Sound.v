(** What the checker reports holds: [reported], [refuted], [first_is], [across_sound]. *)

From Coq Require Import QArith Qabs Qreduction ZArith List Bool Sorted Permutation Lia Lqa Mergesort.
From Contextual.reader Require Import Core Check.
Import ListNotations.
Open Scope Z_scope.

(** ** Values *)
Section Induction.
Variable P : value -> Prop.
Hypotheses (N : forall q, P (Number q)) (T : forall b, P (Truth b)) (L : forall k l, Forall P l -> P (List k l)).
Fixpoint value_induction (v : value) : P v :=
  match v with
  | Number q => N q
  | Truth b => T b
  | List k l => L k l ((fix all l : Forall P l := match l with [] => Forall_nil P | v :: l => Forall_cons v
    (value_induction v) (all l) end) l)
  end.
End Induction.
(** A value is the same as itself. *)
Lemma same_refl v : same v v = true.
Proof.
  induction v as [q|b|k l IH] using value_induction; simpl; [apply Qeq_bool_iff; reflexivity|apply eqb_reflx|].
  induction IH as [|v l V _ IH]; [reflexivity|]. rewrite V. exact IH.
Qed.
(** No longer than the list, *)
Lemma different_length l : (length (different l) <= length l)%nat.
Proof. induction l as [|v l IH]; [auto|]. simpl. destruct (existsb (same v) l); simpl; lia. Qed.
(** and as long only if nothing stands in it twice. *)
Lemma different_nodup l : length (different l) = length l -> NoDup l.
Proof.
  induction l as [|v l IH]; [constructor|]. simpl. pose proof (different_length l).
    destruct (existsb (same v) l) eqn:E; simpl.
  - intros. lia.
  - intros H'. constructor; [|apply IH; lia]. intros I.
    assert (existsb (same v) l = true) as C; [|congruence]. apply existsb_exists. exists v. split;
      [exact I|apply same_refl].
Qed.
(** A set has no item twice. *)
Lemma set_nodup f s : set_of f = Some s -> NoDup s.
Proof.
  unfold set_of. destruct f as [[| |k l]|]; try discriminate.
    destruct (Nat.eqb_spec (length (different l)) (length l)); [|discriminate].
  intros E. inversion E; subst. apply different_nodup. assumption.
Qed.
(** Lists among them, too. *)
Lemma lists_nodup f s : lists_of f = Some s -> NoDup s.
Proof.
  unfold lists_of. destruct (set_of f) as [l|] eqn:E; [|discriminate]. destruct (forallb _ l); [|discriminate].
  intros H. inversion H; subst. apply (set_nodup _ _ E).
Qed.
(** What is true is [yes], *)
Lemma truth_yes f : truth_of f = Some true -> f = yes.
Proof. unfold yes. destruct f as [[q|[]|k l]|]; simpl; congruence. Qed.
(** and what is false [no]. *)
Lemma truth_no f : truth_of f = Some false -> f = no.
Proof. unfold no. destruct f as [[q|[]|k l]|]; simpl; congruence. Qed.
(** The whole number that a number is. *)
Lemma whole_of_is q k : whole_of q = Some k -> (q == inject_Z k)%Q.
Proof.
  unfold whole_of. destruct (Pos.eqb_spec (Qden (Qred q)) 1) as [E|_]; [|discriminate]. intros H. inversion H; subst.
  rewrite <- (Qred_correct q) at 1. destruct (Qred q) as [a d]. simpl in *. subst. reflexivity.
Qed.

(** ** The cases *)
Lemma in_from k m : forall a, In k (from a m) <-> a <= k < a + Z.of_nat m.
Proof.
  induction m as [|m IH]; intros a; simpl; [lia|]. rewrite IH. lia.
Qed.
(** None of them twice, *)
Lemma from_nodup m : forall a, NoDup (from a m).
Proof. induction m as [|m IH]; intros a; constructor; [rewrite in_from; lia|apply IH]. Qed.
(** m of them, *)
Lemma from_length m : forall a, length (from a m) = m.
Proof. induction m as [|m IH]; intros a; simpl; auto. Qed.
(** the j-th a + j. *)
Lemma from_nth m : forall a j, (j < m)%nat -> nth_error (from a m) j = Some (a + Z.of_nat j).
Proof.
  induction m as [|m IH]; intros a j J; [lia|]. destruct j as [|j]; simpl nth_error; [f_equal; lia|].
  rewrite IH by lia. f_equal. lia.
Qed.

(** Two lists without repetition that have nothing in common. *)
Lemma nodup_app {A} (k l : list A) : NoDup k -> NoDup l -> (forall x, In x k -> ~ In x l) -> NoDup (k ++ l).
Proof.
  intros K L D. induction K as [|x k J K IH]; [exact L|]. simpl. constructor.
  - rewrite in_app_iff. intros [C|C]; [contradiction|]. apply (D x); [left; reflexivity|exact C].
  - apply IH. intros y Y. apply D. right. exact Y.
Qed.
(** The same item put before different lists. *)
Lemma cons_nodup {A} (a : A) l : NoDup l -> NoDup (map (cons a) l).
Proof. intros N. apply FinFun.Injective_map_NoDup; [intros x y E; congruence|exact N]. Qed.

(** All tuples of items of the sets, *)
Lemma in_product sets : forall w, In w (product sets) <-> Forall2 (@In value) w sets.
Proof.
  induction sets as [|s sets IH]; intros w; simpl.
  - split; [intros [<-|[]]; constructor|]. intros H. inversion H. left. reflexivity.
  - rewrite in_flat_map. split.
    + intros (a & A & W). apply in_map_iff in W as (v & <- & V). constructor; [exact A|apply IH, V].
    + intros H. inversion H as [|a s' v ? A V]; subst. exists a. split; [exact A|]. apply in_map, IH, V.
Qed.
(** each once. *)
Lemma product_nodup sets : Forall (@NoDup value) sets -> NoDup (product sets).
Proof.
  induction 1 as [|s sets S F IH]; simpl; [constructor; [intros []|constructor]|].
  induction S as [|a s A S IHs]; simpl; [constructor|]. apply nodup_app; [apply cons_nodup, IH|exact IHs|].
  intros w W C. apply in_map_iff in W as (v & <- & _). apply in_flat_map in C as (b & B & C).
  apply in_map_iff in C as (u & E & _). congruence.
Qed.

Definition placed (strict : bool) (s : list value) (n : nat) (w : list value) : Prop := exists places, length w = n /\
  Forall2 (fun p a => nth_error s p = Some a) places w /\ StronglySorted (if strict then lt else le) places.
Definition one_on (strict : bool) : nat := if strict then 1 else 0.
Fixpoint starting strict n (l : list value) : list (list value) :=
  match l with [] => [] | a :: r => map (cons a) (rising strict n (if strict then r else l)) ++ starting strict n r
    end.
(** [rising] by name of its inner loop. *)
Lemma rising_is strict n s : rising strict (S n) s = starting strict n s.
Proof. simpl. induction s as [|a s IH]; [reflexivity|]. simpl. rewrite <- IH. reflexivity. Qed.
(** What begins with an item at place q goes on from there. *)
Lemma in_starting strict n w : forall l, In w (starting strict n l) <->
  exists q a v, nth_error l q = Some a /\ w = a :: v /\ In v (rising strict n (skipn (one_on strict + q) l)).
Proof.
  induction l as [|a l IH].
  - simpl. split; [tauto|]. intros (q & b & v & Q & _). destruct q; discriminate.
  - cbn [starting]. rewrite in_app_iff, IH, in_map_iff. split.
    + intros [(v & <- & V)|(q & b & v & Q & W & V)].
      * exists 0%nat, a, v. repeat split. destruct strict; exact V.
      * exists (S q), b, v. repeat split; auto. destruct strict; exact V.
    + intros ([|q] & b & v & Q & W & V).
      * left. inversion Q; subst. exists v. split; [reflexivity|]. destruct strict; exact V.
      * right. exists q, b, v. repeat split; auto. destruct strict; exact V.
Qed.
(** Places after the first k. *)
Lemma nth_skipn {A} (l : list A) : forall k p, nth_error (skipn k l) p = nth_error l (k + p).
Proof. induction l as [|a l IH]; intros [|k] p; simpl; auto. destruct p; reflexivity. Qed.
(** All tuples whose places never fall (or rise), *)
Lemma in_rising strict n : forall s w, In w (rising strict n s) <-> placed strict s n w.
Proof.
  induction n as [|n IH]; intros s w.
  - simpl. split.
    + intros [<-|[]]. exists []. repeat split; constructor.
    + intros (ps & L & _). destruct w; [left; reflexivity|discriminate].
  - rewrite rising_is, in_starting. split.
    + intros (q & a & v & Q & -> & V). apply IH in V as (ps & L & F & S).
      exists (q :: map (fun p => one_on strict + q + p)%nat ps). split; [simpl; congruence|]. split.
      * constructor; [exact Q|]. clear - F. induction F as [|p b ps v P F IH]; constructor; [|exact IH].
        rewrite <- nth_skipn. exact P.
      * constructor.
        -- clear - S. induction S as [|p ps S IH F]; simpl; constructor.
           ++ exact IH.
           ++ apply Forall_map. eapply Forall_impl; [|exact F]. destruct strict; simpl; intros; lia.
        -- apply Forall_map, Forall_forall. intros p _. destruct strict; simpl; lia.
    + intros (ps & L & F & S). destruct w as [|a v]; [discriminate|]. inversion F as [|q a' ps' v' Q F' E1 E2]; subst.
      inversion S as [|q' ps'' S' B]; subst. exists q, a, v. repeat split; [exact Q|]. apply IH.
      exists (map (fun p => p - (one_on strict + q))%nat ps'). split; [simpl in L; congruence|]. split.
      * clear - F' B. revert B. induction F' as [|p b ps v P F IH]; intros B; constructor.
        -- rewrite nth_skipn. inversion B as [|? ? X Y]; subst. replace (_ + _)%nat with p; [exact P|].
          destruct strict; simpl in *; lia.
        -- inversion B; subst. apply IH. assumption.
      * clear - S' B. revert B. induction S' as [|p ps S IH G]; intros B; simpl; constructor.
        -- inversion B; subst. apply IH. assumption.
        -- inversion B as [|? ? X Y]; subst. apply Forall_map. rewrite Forall_forall in *. intros r R.
          specialize (G r R). specialize (Y r R).
           destruct strict; simpl in *; lia.
Qed.
(** each once. *)
Lemma rising_nodup strict n : forall s, NoDup s -> NoDup (rising strict n s).
Proof.
  induction n as [|n IH]; intros s N; [constructor; [intros []|constructor]|]. rewrite rising_is.
  induction N as [|a s A N IHs]; [constructor|]. cbn [starting]. apply nodup_app; [|exact IHs|].
  - apply cons_nodup, IH. destruct strict; [exact N|constructor; assumption].
  - intros w W C. apply in_map_iff in W as (v & <- & _). apply in_starting in C as (q & b & u & Q & E & _).
    inversion E; subst. apply A. eapply nth_error_In, Q.
Qed.

(** The set of each position. *)
Lemma all_sets_is l : forall ss, all_sets l = Some ss -> Forall2 (fun f s => set_of f = Some s) l ss.
Proof.
  induction l as [|f l IH]; intros ss E; simpl in E; [inversion E; constructor|].
  destruct (set_of f) eqn:F, (all_sets l); inversion E; subst. constructor; auto.
Qed.
(** Related lists are related place by place, *)
Lemma forall2_nth {A B} (R : A -> B -> Prop) l m : Forall2 R l m -> forall j a, nth_error l j = Some a -> exists b,
  nth_error m j = Some b /\ R a b.
Proof. induction 1 as [|a b l m H F IH]; intros [|j] c C; simpl in *; try discriminate; [inversion C; subst;
  eauto|eauto]. Qed.
(** and the other way round, *)
Lemma forall2_of_nth {A B} (R : A -> B -> Prop) : forall l m, length l = length m ->
  (forall j a b, nth_error l j = Some a -> nth_error m j = Some b -> R a b) -> Forall2 R l m.
Proof.
  induction l as [|a l IH]; intros [|b m] L H; try discriminate; constructor; [apply (H 0%nat); reflexivity|].
  apply IH; [simpl in L; congruence|]. intros j. apply (H (S j)).
Qed.
(** and as long. *)
Lemma forall2_length {A B} (R : A -> B -> Prop) l m : Forall2 R l m -> length l = length m.
Proof. induction 1; simpl; congruence. Qed.

(** A case of n items. *)
Definition a_case_of (i : inputs) (n : nat) (w : value) : Prop :=
  match i with
  | Words _ _ f => exists items, w = List 1 items /\ length items = n /\
      forall j a, nth_error items j = Some a -> exists l, set_of (f (Is (of_whole (Z.of_nat j + 1)))) = Some l /\ In
        a l
  | Multisets _ _ s => exists items places, w = List 1 items /\ length items = n /\ at_places s places items /\
    StronglySorted le places
  | Sets _ _ s => exists items places, w = List 1 items /\ length items = n /\ at_places s places items /\
    StronglySorted lt places
  | Listed _ => False
  end.
(** Tuples by places are the cases of multisets and sets. *)
Lemma placed_case strict f s n : set_of f = Some s -> forall w, (exists items, List 1 items = w /\ placed strict s n
  items) <->
  exists items places, w = List 1 items /\ length items = n /\ at_places f places items /\ StronglySorted (if strict
    then lt else le) places.
Proof.
  intros E w. split.
  - intros (items & <- & ps & L & F & S). exists items, ps. repeat split; auto. exists s. split; auto.
  - intros (items & ps & -> & L & (l & E' & F) & S). exists items. split; [reflexivity|]. exists ps.
    rewrite E in E'. inversion E'; subst. repeat split; auto.
Qed.
(** Every case of n items, once. *)
Lemma of_length_is most i n ws : of_length most i n = Some ws -> NoDup ws /\ forall w, In w ws <-> a_case_of i n w.
Proof.
  assert (forall l : list (list value), NoDup l -> NoDup (map (List 1) l)) as N.
  { intros l. apply FinFun.Injective_map_NoDup. intros x y E. congruence. }
  destruct i as [low high f|low high f|low high f|f]; simpl; [| | |discriminate].
  - destruct (all_sets _) as [ss|] eqn:E; [|discriminate]. destruct (_ <=? most); [|discriminate]. intros H.
    inversion H; subst.
    apply all_sets_is in E. split.
    + apply N, product_nodup. clear - E. induction E; constructor; [eapply set_nodup; eassumption|assumption].
    + intros w. rewrite in_map_iff. split.
      * intros (items & <- & I). apply in_product in I. exists items. split; [reflexivity|].
        pose proof (forall2_length _ _ _ I) as L1. pose proof (forall2_length _ _ _ E) as L2.
        rewrite map_length, from_length in L2. split; [lia|]. intros j a J.
        destruct (forall2_nth _ _ _ I j a J) as (s & S & A). exists s. split; [|exact A].
        assert (j < n)%nat as B by (rewrite L2, <- L1; apply nth_error_Some; congruence).
        destruct (forall2_nth _ _ _ E j (f (Is (of_whole (1 + Z.of_nat j))))) as (s' & S' & F).
        { apply map_nth_error with (f := fun j => f (Is (of_whole j))). apply from_nth, B. }
        rewrite S in S'. inversion S'; subst. rewrite Z.add_comm. exact F.
      * intros (items & -> & L & H'). exists items. split; [reflexivity|]. apply in_product. apply forall2_of_nth.
        { apply forall2_length in E. rewrite map_length, from_length in E. congruence. }
        intros j a s J S. destruct (H' j a J) as (l & F & A).
        assert (j < n)%nat as B by (rewrite <- L; apply nth_error_Some; congruence).
        destruct (forall2_nth _ _ _ E j (f (Is (of_whole (1 + Z.of_nat j))))) as (s' & S' & G).
        { apply map_nth_error with (f := fun j => f (Is (of_whole j))). apply from_nth, B. }
        rewrite S in S'. inversion S'; subst. rewrite Z.add_comm, F in G. inversion G; subst. exact A.
  - destruct (set_of f) as [s|] eqn:E; [|discriminate]. destruct (_ <=? most); [|discriminate]. intros H.
    inversion H; subst.
    split; [apply N, rising_nodup, (set_nodup _ _ E)|]. intros w. rewrite in_map_iff, <- (placed_case false f s n E).
    split; intros (x & X & Y); exists x; (split; [exact X|apply in_rising, Y]).
  - destruct (set_of f) as [s|] eqn:E; [|discriminate]. destruct (_ <=? most); [|discriminate]. intros H.
    inversion H; subst.
    split; [apply N, rising_nodup, (set_nodup _ _ E)|]. intros w. rewrite in_map_iff, <- (placed_case true f s n E).
    split; intros (x & X & Y); exists x; (split; [exact X|apply in_rising, Y]).
Qed.
(** A case of n items has n. *)
Lemma of_length_items i n w : a_case_of i n w -> exists items, w = List 1 items /\ length items = n.
Proof. destruct i; simpl; try tauto; [intros (x & A & B & _); eauto|intros (x & y & A & B & _);
  eauto|intros (x & y & A & B & _); eauto]. Qed.
(** The same for several n. *)
Lemma of_lengths_is most i ns : Forall (fun n => 0 <= n) ns -> NoDup ns -> forall ws, of_lengths most i ns = Some ws
  ->
  NoDup ws /\ forall w, In w ws <-> exists n, In n ns /\ a_case_of i (Z.to_nat n) w.
Proof.
  induction ns as [|n ns IH]; intros P N ws E; simpl in E.
  - inversion E; subst. split; [constructor|]. intros w. split; [intros []|]. intros (n & [] & _).
  - destruct (of_length most i (Z.to_nat n)) as [a|] eqn:A; [|discriminate].
    destruct (of_lengths most i ns) as [b|] eqn:B; [|discriminate].
    inversion E; subst. inversion P as [|? ? Pn Pns]; subst. inversion N as [|? ? Nn Nns]; subst.
    apply of_length_is in A as (NA & HA). destruct (IH Pns Nns b eq_refl) as (NB & HB). split.
    + apply nodup_app; auto. intros w W C. apply HA in W. apply HB in C as (m & M & C).
      apply of_length_items in W as (x & -> & L), C as (y & E' & L'). inversion E'; subst. apply Nn.
      rewrite Forall_forall in Pns. pose proof (Pns m M). replace n with m by lia. exact M.
    + intros w. rewrite in_app_iff, HA, HB. split.
      * intros [W|(m & M & W)]; [exists n; split; [left; reflexivity|exact W]|exists m; split; [right;
        exact M|exact W]].
      * intros (m & [<-|M] & W); [left; exact W|right; exists m; auto].
Qed.

(** Every case once, and no others. *)
Theorem cases_are most i ws : cases most i = Some ws -> NoDup ws /\ forall w, In w ws <-> a_case i w.
Proof.
  assert (forall low high a b n, whole_found low = Some a -> whole_found high = Some b ->
    between low high n <-> a <= Z.of_nat n <= b) as Between.
  { intros low high a b n A B. unfold whole_found in *. destruct low as [[x| |]|]; try discriminate.
    destruct high as [[y| |]|]; try discriminate.
    apply whole_of_is in A, B. unfold between. split.
    - intros (x' & y' & X & Y & L & U). inversion X; inversion Y; subst. rewrite A in L. rewrite B in U.
      rewrite <- Zle_Qle in *. lia.
    - intros [L U]. exists x, y. repeat split; [rewrite A|rewrite B]; rewrite <- Zle_Qle; lia. }
  assert (forall low high a b, whole_found low = Some a -> whole_found high = Some b -> 0 <= a ->
    of_lengths most i (from a (Z.to_nat (b - a + 1))) = Some ws ->
    NoDup ws /\ forall w, In w ws <-> exists n, between low high n /\ a_case_of i n w) as Main.
  { intros low high a b A B P E. apply of_lengths_is in E as (N & H).
    - split; [exact N|]. intros w. rewrite H. split.
      + intros (n & I & W). apply in_from in I. exists (Z.to_nat n). split; [|exact W].
        apply (Between low high a b); auto. lia.
      + intros (n & I & W). apply (Between low high a b) in I; auto. exists (Z.of_nat n). rewrite in_from, Nat2Z.id.
        split; [lia|exact W].
    - apply Forall_forall. intros n I. apply in_from in I. lia.
    - apply from_nodup. }
  destruct i as [low high f|low high f|low high f|f]; simpl; try (
    destruct (whole_found low) as [a|] eqn:A; [|discriminate]; destruct (whole_found high) as [b|] eqn:B;
      [|discriminate];
    destruct (a <? 0) eqn:C; [discriminate|]; destruct (10000 <? b); [discriminate|]; intros E;
    apply Z.ltb_ge in C;
    destruct (Main low high a b A B C E) as (N & H); (split; [exact N|]); intros w; rewrite H; clear - A).
  - split; [intros (n & I & items & -> & <- & X); eauto|intros (items & -> & I & X); exists (length items); split;
    [exact I|exists items; auto]].
  - split; [intros (n & I & items & ps & -> & <- & X & Y)|intros (items & ps & -> & I & X & Y)].
    + exists items, ps. auto.
    + exists (length items). split; [exact I|]. exists items, ps. auto.
  - split; [intros (n & I & items & ps & -> & <- & X & Y)|intros (items & ps & -> & I & X & Y)].
    + exists items, ps. auto.
    + exists (length items). split; [exact I|]. exists items, ps. auto.
  - intros E. split; [apply (lists_nodup _ _ E)|]. intros w. split; [intros I; exists ws; auto|]. intros (l & E' & I).
    congruence.
Qed.

(** ** What is seen *)
(** In the order of cases this one, of this rank, is the first at which the claim fails. *)
Definition first_failure (most : Z) (i : inputs) (guard : found -> found) (l : found -> lines) (rank : Z) (w : value)
  : Prop :=
  exists ws, cases most i = Some ws /\ a_case i w /\ nth_error ws (Z.to_nat rank) = Some w /\ ~ hold (when (guard (Is
    w)) (l (Is w))) /\
  forall k v, (k < Z.to_nat rank)%nat -> nth_error ws k = Some v -> hold (when (guard (Is v)) (l (Is v))).
Section Claim.
Variables (guard : found -> found) (l : found -> lines).

(** Each case is looked at; those that are admitted are kept with what they make. *)
Lemma seen_is ws : forall s, seen guard l ws = Some s ->
  (forall w, In w ws -> guard (Is w) = no \/ guard (Is w) = yes /\ exists rs, l (Is w) = Some rs /\ In (w, rs) s) /\
  (forall w rs, In (w, rs) s -> In w ws /\ guard (Is w) = yes /\ l (Is w) = Some rs) /\
  (NoDup ws -> NoDup (map fst s)).
Proof.
  induction ws as [|v ws IH]; intros s E; simpl in E.
  - inversion E; subst. split; [intros w []|]. split; [intros w rs []|constructor].
  - destruct (truth_of (guard (Is v))) as [[]|] eqn:G; [| |discriminate].
    + destruct (l (Is v)) as [rs|] eqn:R; [|discriminate]. destruct (seen guard l ws) as [t|]; [|discriminate].
      inversion E; subst. destruct (IH t eq_refl) as (A & B & C). apply truth_yes in G. split; [|split].
      * intros w [<-|W]; [right; split; [exact G|]; exists rs; split; [exact R|left; reflexivity]|].
        destruct (A w W) as [X|(X & rs' & Y & Z)]; [left; exact X|right; split; [exact X|]; exists rs'; split;
          [exact Y|right; exact Z]].
      * intros w rs' [X|X]; [inversion X; subst; repeat split; auto; left; reflexivity|].
        destruct (B w rs' X) as (Y & Z). split; [right; exact Y|exact Z].
      * intros N. inversion N; subst. simpl. constructor; [|auto]. intros I.
        apply in_map_iff in I as ((u & rs') & U & I).
        simpl in U. subst. apply B in I as (I & _). contradiction.
    + destruct (IH s E) as (A & B & C). apply truth_no in G. split; [|split].
      * intros w [<-|W]; [left; exact G|apply A, W].
      * intros w rs X. destruct (B w rs X) as (Y & Z). split; [right; exact Y|exact Z].
      * intros N. inversion N; subst. auto.
Qed.
(** All relations hold. *)
Lemma good_is rs : good rs = true <-> Forall (fun r => holds_of r = true) rs.
Proof. unfold good. rewrite forallb_forall, Forall_forall. reflexivity. Qed.

(** The least slack is one of them, and none is less. *)
Lemma smallest rs : forall a q, fold_left smaller rs a = Some q ->
  (forall x, a = Some x -> q <= x)%Q /\ (forall r, In r rs -> counts r = true -> q <= slack_of r)%Q /\
  (a = Some q \/ exists r, In r rs /\ counts r = true /\ slack_of r = q).
Proof.
  induction rs as [|r rs IH]; intros a q E; simpl in E.
  - subst. repeat split; [intros x X; inversion X; apply Qle_refl|intros r []|left; reflexivity].
  - destruct (IH _ _ E) as (A & B & C). unfold smaller in A, C. destruct (counts r) eqn:H.
    + destruct a as [x|].
      * destruct (Qle_bool x (slack_of r)) eqn:L.
        -- apply Qle_bool_iff in L. pose proof (A x eq_refl) as Qx. repeat split.
           ++ intros y Y. inversion Y; subst. exact Qx.
           ++ intros s [<-|S] F; [eapply Qle_trans; eassumption|apply B; assumption].
           ++ destruct C as [C|(s & S & F & G)]; [left; exact C|right; exists s; repeat split; auto; right; exact S].
        -- assert (slack_of r <= x)%Q as L'.
           { destruct (Qlt_le_dec x (slack_of r)) as [X|X]; [|exact X]. apply Qlt_le_weak, Qle_bool_iff in X.
             congruence. }
           pose proof (A _ eq_refl) as Qx. repeat split.
           ++ intros y Y. inversion Y; subst. eapply Qle_trans; eassumption.
           ++ intros s [<-|S] F; [exact Qx|apply B; assumption].
           ++ right. destruct C as [C|(s & S & F & G)]; [|exists s; repeat split; auto; right; exact S].
              inversion C as [D]. exists r. repeat split; auto. left. reflexivity.
      * pose proof (A _ eq_refl) as Qx. repeat split; [discriminate| |].
        -- intros s [<-|S] F; [exact Qx|apply B; assumption].
        -- right. destruct C as [C|(s & S & F & G)]; [|exists s; repeat split; auto; right; exact S].
           inversion C as [D]. exists r. repeat split; auto. left. reflexivity.
    + repeat split; [exact A| |].
      * intros s [<-|S] F; [congruence|apply B; assumption].
      * destruct C as [C|(s & S & F & G)]; [left; exact C|right; exists s; repeat split; auto; right; exact S].
Qed.

Variables (most signs : Z) (i : inputs).

(** A report without failures: the claim holds, it has so many cases, and the rows have the least slacks. *)
Theorem reported r : check most signs i guard l = Some r -> failing r = 0 ->
  holds i guard l /\ exactly (its_cases r) (admitted i guard).
Proof.
  unfold check. destruct (cases most i) as [ws|] eqn:E; [|discriminate]. destruct (seen guard l ws) as [s|] eqn:S;
    [|discriminate].
  simpl. intros R F. inversion R; subst. simpl in *. clear R. apply cases_are in E as (N & Are).
    apply seen_is in S as (A & B & C). split.
  - intros w W. apply Are in W. destruct (A w W) as [G|(G & rs & L & I)]; unfold when; rewrite G; simpl.
    + exists []. split; [reflexivity|constructor].
    + exists rs. split; [exact L|]. apply good_is. destruct (good rs) eqn:D; [reflexivity|]. exfalso.
      assert (In (w, rs) (filter (fun p => negb (good (snd p))) s)) as J by (apply filter_In; simpl; rewrite D; auto).
      destruct (filter _ s); [destruct J|discriminate].
  - exists (map fst s). split; [auto|]. split; [|rewrite map_length; reflexivity]. intros w. split.
    + intros I. apply in_map_iff in I as ((v & rs) & V & I). simpl in V. subst. apply B in I as (I & G & _). split;
      [apply Are, I|exact G].
    + intros [W G]. apply Are in W. destruct (A w W) as [X|(_ & rs & _ & I)]; [rewrite G in X; discriminate|].
      apply in_map_iff. exists (w, rs). auto.
Qed.
(** The least slack of the relations of sign k, if [check] tells one. *)
Theorem least_is r k made q : check most signs i guard l = Some r -> 1 <= k <= signs ->
  nth_error (rows r) (Z.to_nat (k - 1)) = Some (made, Some q) -> least i guard l k q.
Proof.
  unfold check. destruct (cases most i) as [ws|] eqn:E; [|discriminate]. destruct (seen guard l ws) as [s|] eqn:S;
    [|discriminate].
  simpl. intros R K H. inversion R; subst. simpl in *. clear R. apply cases_are in E as (N & Are).
    apply seen_is in S as (A & B & C).
  erewrite map_nth_error in H by (apply from_nth; lia). replace (1 + Z.of_nat (Z.to_nat (k - 1))) with k in H by lia.
  unfold row in H. inversion H as [[M F']]. destruct (fold_left smaller _ None) as [q'|] eqn:F; [|discriminate].
    inversion F' as [Q']. clear F'.
  apply smallest in F as (_ & Bound & Has). clear M H.
  pose proof (Qred_correct q') as Same.
  assert (forall w rel, makes i guard l w rel -> number rel = k -> In rel (of_sign k (flat_map snd s))) as Made.
  { intros w rel ((W & G) & rs & L & I) X. apply filter_In. split; [|apply Z.eqb_eq, X]. apply in_flat_map.
    apply Are in W.
    destruct (A w W) as [Y|(_ & rs' & L' & J)]; [rewrite G in Y; discriminate|]. exists (w, rs'). split; [exact J|].
      simpl. congruence. }
  split.
  - intros w rel W X H. eapply Qle_trans; [apply Qle_lteq; right; exact Same|]. apply Bound; [apply (Made w);
    assumption|exact H].
  - destruct Has as [Has|(rel & I & H & Eq)]; [discriminate|]. apply filter_In in I as (I & X).
    apply in_flat_map in I as ((w & rs) & J & I).
    apply B in J as (J & G & L). exists w, rel. repeat split; auto; [apply Are, J|exists rs;
      auto|apply Z.eqb_eq, X|rewrite Eq; symmetry; exact Same].
Qed.
(** A report with failures refutes the claim. *)
Theorem refuted r : check most signs i guard l = Some r -> failing r <> 0 -> ~ holds i guard l.
Proof.
  unfold check. destruct (cases most i) as [ws|] eqn:E; [|discriminate]. destruct (seen guard l ws) as [s|] eqn:S;
    [|discriminate].
  simpl. intros R F H. inversion R; subst. simpl in *. clear R. apply cases_are in E as (N & Are).
    apply seen_is in S as (A & B & C).
  destruct (filter (fun p => negb (good (snd p))) s) as [|(w & rs) t] eqn:D; [apply F; reflexivity|].
  assert (In (w, rs) (filter (fun p => negb (good (snd p))) s)) as I by (rewrite D; left; reflexivity).
  apply filter_In in I as (I & G). apply B in I as (W & Y & L). destruct (H w) as (rs' & L' & All); [apply Are, W|].
  unfold when in L'. rewrite Y in L'. simpl in L'. apply good_is in All. simpl in G. rewrite L in L'. inversion L';
    subst. rewrite All in G. discriminate.
Qed.
(** The first case where it fails: the case of this rank fails, and at every case before it the lines hold. *)
Theorem first_is rank w : first most i guard l = Some (rank, w) ->
  first_failure most i guard l rank w.
Proof.
  unfold first, first_failure. destruct (cases most i) as [ws|] eqn:E; [|discriminate]. intros F. exists ws. split;
    [reflexivity|].
  apply cases_are in E as (_ & Are).
  assert (forall ws from, 0 <= from -> first_failing guard l ws from = Some (rank, w) -> from <= rank /\
    nth_error ws (Z.to_nat (rank - from)) = Some w /\ ~ hold (when (guard (Is w)) (l (Is w))) /\
    forall k v, (k < Z.to_nat (rank - from))%nat -> nth_error ws k = Some v -> hold (when (guard (Is v)) (l (Is v))))
      as Main.
  { clear. induction ws as [|v ws IH]; intros from P E; simpl in E; [discriminate|].
    destruct (when (guard (Is v)) (l (Is v))) as [rs|] eqn:R; [|discriminate]. destruct (good rs) eqn:G.
    - apply IH in E as (A & B & C & D); [|lia]. split; [lia|].
      replace (Z.to_nat (rank - from)) with (S (Z.to_nat (rank - (from + 1)))) by lia.
      split; [exact B|]. split; [exact C|]. intros [|k] u K U; simpl in U.
      + inversion U; subst. exists rs. split; [exact R|apply good_is, G].
      + apply (D k u); [lia|exact U].
    - inversion E; subst. split; [lia|]. rewrite Z.sub_diag. simpl. split; [reflexivity|]. split.
      + rewrite R. intros (rs' & X & Y). inversion X; subst. apply good_is in Y. congruence.
      + intros k u K. lia. }
  destruct (Main ws 0 ltac:(lia) F) as (A & B & C & D). rewrite Z.sub_0_r in *. repeat split; auto. apply Are.
    eapply nth_error_In, B.
Qed.
End Claim.

(** ** across: neighbours and all pairs *)
(** If a relation holds of a and b it holds of every pair that is further apart. *)
Definition widening (f : found -> found -> lines) : Prop := forall a b a' b', (a <= b)%Q ->
  (a' <= a)%Q -> (b <= b')%Q -> hold (f (Is (Number a)) (Is (Number b))) -> hold (f (Is (Number a')) (Is (Number
    b'))).
(** Both hold. *)
Lemma hold_then a b : hold (and_then a b) <-> hold a /\ hold b.
Proof.
  unfold hold. split.
  - intros (r & E & F). destruct a as [a|], b as [b|]; simpl in E; try discriminate. inversion E; subst.
    apply Forall_app in F as [A B].
    split; [exists a|exists b]; auto.
  - intros ((a' & -> & A) & (b' & -> & B)). exists (a' ++ b'). split; [reflexivity|]. apply Forall_app. auto.
Qed.
(** Between a and a later number of another case there are neighbours of different cases, *)
Lemma neighbours_wide f : forall l a y, StronglySorted (fun x y => is_true (ByValue.leb x y)) (a :: l) -> hold
  (side_by_side f a l) ->
  In y l -> snd a <> snd y -> exists u v, (fst a <= u)%Q /\ (u <= v)%Q /\ (v <= fst y)%Q /\ hold (f (Is (Number u))
    (Is (Number v))).
Proof.
  induction l as [|b l IH]; intros a y S H I D; [destruct I|]. inversion S as [|? ? S' F]; subst.
  assert (forall z, In z (b :: l) -> (fst a <= fst z)%Q) as A.
  { intros z Z. rewrite Forall_forall in F. apply ByValue.leb_le, (F z Z). }
  assert (forall z, In z (b :: l) -> (fst b <= fst z)%Q) as B.
  { intros z [<-|Z]; [apply Qle_refl|]. inversion S' as [|? ? _ F']; subst. rewrite Forall_forall in F'.
    apply ByValue.leb_le, (F' z Z). }
  cbn [side_by_side] in H. destruct (Z.eqb_spec (snd a) (snd b)) as [E|E].
  - destruct I as [<-|I]; [contradiction|]. rewrite E in D. destruct (IH b y S' H I D) as (u & v & P & Q & R & T).
    exists u, v. repeat split; auto. eapply Qle_trans; [apply (A b); left; reflexivity|exact P].
  - apply hold_then in H as [H _]. exists (fst a), (fst b). repeat split; [apply Qle_refl|apply A; left;
    reflexivity|apply B, I|exact H].
Qed.
(** (the neighbours of a part are neighbours of all) *)
Lemma tail_side_by_side f a b l : hold (side_by_side f a (b :: l)) -> hold (side_by_side f b l).
Proof. cbn [side_by_side]. destruct (snd a =? snd b); [auto|]. intros H. apply hold_then in H as [_ H]. exact H. Qed.
(** so between any two numbers of different cases. *)
Lemma pairs_wide f : forall l, StronglySorted (fun x y => is_true (ByValue.leb x y)) l ->
  hold (match l with [] => nothing | a :: l => side_by_side f a l end) -> forall x y, In x l -> In y l -> snd x <>
    snd y -> (fst x <= fst y)%Q ->
  exists u v, (fst x <= u)%Q /\ (u <= v)%Q /\ (v <= fst y)%Q /\ hold (f (Is (Number u)) (Is (Number v))).
Proof.
  induction l as [|a l IH]; intros S H x y X Y D L; [destruct X|]. destruct X as [<-|X], Y as [<-|Y].
  - contradiction.
  - apply (neighbours_wide f l); assumption.
  - destruct (neighbours_wide f l a x S H X) as (u & v & P & Q & R & T); [congruence|].
    inversion S as [|? ? _ F]; subst. rewrite Forall_forall in F. pose proof (F x X) as G. apply ByValue.leb_le in G.
    exists u, v. repeat split; auto; [eapply Qle_trans; eassumption|]. eapply Qle_trans; eassumption.
  - inversion S as [|? ? S' F]; subst. apply IH; auto. destruct l as [|b l]; [destruct X|].
    eapply tail_side_by_side, H.
Qed.

(** Each admitted case's numbers are collected, with its rank, *)
Lemma collected_is guard L ws : forall rank c, collected guard L ws rank = Some c ->
  (forall w, In w ws -> guard (Is w) = no \/ guard (Is w) = yes /\ exists l, numbers (L (Is w)) = Some l) /\
  forall k w l q, nth_error ws k = Some w -> guard (Is w) = yes -> numbers (L (Is w)) = Some l -> In (Number q) l ->
    In (q, rank + Z.of_nat k) c.
Proof.
  induction ws as [|v ws IH]; intros rank c E; simpl in E.
  - split; [intros w []|]. intros [|k] w l q K; discriminate.
  - destruct (truth_of (guard (Is v))) as [[]|] eqn:G; [| |discriminate].
    + destruct (numbers (L (Is v))) as [m|] eqn:M; [|discriminate].
      destruct (collected guard L ws (rank + 1)) as [r|] eqn:R; [|discriminate].
      inversion E; subst. destruct (IH _ _ R) as (A & B). apply truth_yes in G. split.
      * intros w [<-|W]; [right; split; [exact G|exists m; exact M]|apply A, W].
      * intros [|k] w l q K Y N I; simpl in K; apply in_or_app.
        -- inversion K; subst. rewrite M in N. inversion N; subst. left. rewrite Z.add_0_r. apply in_flat_map.
          exists (Number q). split; [exact I|left; reflexivity].
        -- right. replace (rank + Z.of_nat (S k)) with (rank + 1 + Z.of_nat k) by lia. apply (B k w l); assumption.
    + destruct (IH _ _ E) as (A & B). apply truth_no in G. split.
      * intros w [<-|W]; [left; exact G|apply A, W].
      * intros [|k] w l q K Y N I; simpl in K; [inversion K; subst; rewrite G in Y; discriminate|].
        replace (rank + Z.of_nat (S k)) with (rank + 1 + Z.of_nat k) by lia. apply (B k w l); assumption.
Qed.
(** All neighbours hold: then all pairs do. *)
Theorem across_sound most signs i guard L f rows : widening f -> check_across most signs i guard L f = Some (Pairs
  true rows) -> across i guard L f.
Proof.
  unfold check_across. intros W. destruct (cases most i) as [ws|] eqn:E; [|discriminate].
    destruct (collected guard L ws 0) as [c|] eqn:C; [|discriminate].
  destruct (all_sorted f c) as [rs|] eqn:A; [|discriminate]. intros R. inversion R as [[G R']]. clear R R'.
  apply cases_are in E as (_ & Are). apply collected_is in C as (D & Known). split.
  { intros w I. apply D, Are, I. }
  intros w w' l l' a b (I & Y) (I' & Y') N H H' X X' Le.
  apply Are in I, I'. apply In_nth_error in I as (k & K), I' as (k' & K').
  pose proof (Known k w l a K Y H X) as P. pose proof (Known k' w' l' b K' Y' H' X') as P'.
  apply (Permutation_in _ (Sorting.Permuted_sort c)) in P, P'.
  assert (StronglySorted (fun x y => is_true (ByValue.leb x y)) (Sorting.sort c)) as S.
  { apply Sorting.StronglySorted_sort. exact ByValue.leb_trans. }
  destruct (pairs_wide f (Sorting.sort c) S) with (x := (a, 0 + Z.of_nat k)) (y := (b, 0 + Z.of_nat k')) as (u & v &
    A1 & A2 & A3 & A4); auto.
  - exists rs. split; [exact A|apply good_is, G].
  - simpl. intros Z. apply N. assert (k = k') by lia. congruence.
  - apply (W u v a b); auto.
Qed.

(** Where the block fails, it fails for two numbers of different cases. *)
Lemma side_by_side_fails f : forall l a, StronglySorted (fun x y => is_true (ByValue.leb x y)) (a :: l) ->
  forall rs, side_by_side f a l = Some rs -> good rs = false ->
  exists x y, In x (a :: l) /\ In y (a :: l) /\ snd x <> snd y /\ (fst x <= fst y)%Q /\ ~ hold (f (Is (Number (fst
    x))) (Is (Number (fst y)))).
Proof.
  induction l as [|b l IH]; intros a S rs E G; cbn [side_by_side] in E; [inversion E; subst; discriminate|].
  inversion S as [|? ? S' F]; subst. destruct (Z.eqb_spec (snd a) (snd b)) as [_|D].
  - destruct (IH b S' rs E G) as (x & y & X & Y & R). exists x, y. split; [right; exact X|split; [right;
    exact Y|exact R]].
  - unfold and_then in E. destruct (f (Is (Number (fst a))) (Is (Number (fst b)))) as [r|] eqn:R; [|discriminate].
    destruct (side_by_side f b l) as [t|] eqn:T; [|discriminate]. inversion E; subst. unfold good in G.
      rewrite forallb_app in G.
    apply andb_false_iff in G as [G|G].
    + exists a, b. split; [left; reflexivity|]. split; [right; left; reflexivity|]. split; [exact D|]. split.
      * inversion F; subst. apply ByValue.leb_le. assumption.
      * rewrite R. intros (r' & Y & H). inversion Y; subst. apply good_is in H. unfold good in H. congruence.
    + destruct (IH b S' t T G) as (x & y & X & Y & Z). exists x, y. split; [right; exact X|split; [right;
      exact Y|exact Z]].
Qed.
(** and nothing else is. *)
Lemma collected_only guard L ws : forall rank c, collected guard L ws rank = Some c -> forall q r, In (q, r) c ->
  exists k w l, r = rank + Z.of_nat k /\ nth_error ws k = Some w /\ guard (Is w) = yes /\ numbers (L (Is w)) = Some l
    /\ In (Number q) l.
Proof.
  induction ws as [|v ws IH]; intros rank c E q r I; simpl in E; [inversion E; subst; destruct I|].
  assert (forall c, collected guard L ws (rank + 1) = Some c -> In (q, r) c ->
    exists k w l, r = rank + Z.of_nat k /\ nth_error (v :: ws) k = Some w /\ guard (Is w) = yes /\ numbers (L (Is w))
      = Some l /\ In (Number q) l) as Rest.
  { intros c' E' I'. destruct (IH _ _ E' q r I') as (k & w & l & A & B). exists (S k), w, l. split; [lia|exact B]. }
  destruct (truth_of (guard (Is v))) as [[]|] eqn:G; [| |discriminate].
  - destruct (numbers (L (Is v))) as [m|] eqn:M; [|discriminate].
    destruct (collected guard L ws (rank + 1)) as [t|] eqn:T; [|discriminate].
    inversion E; subst. apply in_app_or in I as [I|I]; [|apply (Rest t eq_refl I)].
      apply in_flat_map in I as (x & X & I).
    destruct x as [p|?|? ?]; [destruct I as [I|[]]|destruct I|destruct I]. inversion I; subst.
    exists 0%nat, v, m. split; [lia|]. split; [reflexivity|]. split; [apply truth_yes, G|]. split; [exact M|exact X].
  - apply (Rest c E I).
Qed.
(** A pair of neighbours fails: then [across] is false. *)
Theorem across_refuted most signs i guard L f rows : check_across most signs i guard L f = Some (Pairs false rows) ->
  ~ across i guard L f.
Proof.
  unfold check_across. destruct (cases most i) as [ws|] eqn:E; [|discriminate].
    destruct (collected guard L ws 0) as [c|] eqn:C; [|discriminate].
  destruct (all_sorted f c) as [rs|] eqn:A; [|discriminate]. intros R [_ H]. injection R as G _.
  apply cases_are in E as (N & Are). unfold all_sorted in A.
  assert (StronglySorted (fun x y => is_true (ByValue.leb x y)) (Sorting.sort c)) as S.
  { apply Sorting.StronglySorted_sort. exact ByValue.leb_trans. }
  assert (forall x, In x (Sorting.sort c) -> In x c) as Back.
  { intros x. apply Permutation_in, Permutation_sym, Sorting.Permuted_sort. }
  destruct (Sorting.sort c) as [|a l]; [inversion A; subst; discriminate|].
  destruct (side_by_side_fails f l a S rs A G) as (x & y & X & Y & D & Le & F).
  destruct x as [p r], y as [q r']. cbn [fst snd] in *. apply Back in X, Y.
  destruct (collected_only _ _ _ _ _ C _ _ X) as (k & w & m & K & W & Gw & M & I).
  destruct (collected_only _ _ _ _ _ C _ _ Y) as (k' & w' & m' & K' & W' & Gw' & M' & I').
  apply F. apply (H w w' m m' p q); auto; [split; [apply Are; eapply nth_error_In, W|exact Gw]|split; [apply Are;
    eapply nth_error_In, W'|exact Gw']|].
  intros Same. subst w'. rewrite NoDup_nth_error in N. assert (k = k'); [|lia]. apply N; [apply nth_error_Some;
    congruence|congruence].
Qed.

(** ** What generated files use *)
(** A found number. *)
Definition reads (f : found) (q : Q) : Prop := exists p, f = Is (Number p) /\ (p == q)%Q.
(** [lowest] changes no number. *)
Lemma lowest_is q : (lowest q == q)%Q.
Proof. unfold lowest. destruct (Pos.eqb (Qden q) 1); [reflexivity|apply Qred_correct]. Qed.
(** What an expression in a and b comes to: a number, *)
Lemma reads_number q : reads (Is (Number q)) q.
Proof. exists q. split; reflexivity. Qed.
(** a sum, *)
Lemma reads_plus f g p q : reads f p -> reads g q -> reads (plus f g) (p + q).
Proof. intros (x & -> & P) (y & -> & R). exists (lowest (x + y)). split; [reflexivity|]. rewrite lowest_is, P, R.
  reflexivity. Qed.
(** a product, *)
Lemma reads_times f g p q : reads f p -> reads g q -> reads (times f g) (p * q).
Proof. intros (x & -> & P) (y & -> & R). exists (lowest (x * y)). split; [reflexivity|]. rewrite lowest_is, P, R.
  reflexivity. Qed.
(** a negative, *)
Lemma reads_negative f p : reads f p -> reads (negative f) (- p).
Proof. intros (x & -> & P). exists (lowest (-1 * x)). split; [reflexivity|]. rewrite lowest_is, P. ring. Qed.
(** a difference. *)
Lemma reads_minus f g p q : reads f p -> reads g q -> reads (minus f g) (p - q).
Proof. intros P R. apply reads_plus; [exact P|apply reads_negative, R]. Qed.

(** What a line says. *)
Lemma line_says k s f g p q : reads f p -> reads g q ->
  (match s with Less | AtMost | More | AtLeast => True | _ => False end) ->
  hold (relate k f [(s, g)]) <-> match s with Less => p < q | AtMost => p <= q | More => q < p | _ => q <= p end%Q.
Proof.
  intros (x & -> & P) (y & -> & R) S.
  assert (hold (relate k (Is (Number x)) [(s, Is (Number y))]) <-> related s (Number x) (Number y) = true) as E.
  { unfold hold. simpl. split.
    - intros (r & E & F). destruct s; try contradiction; inversion E; subst; inversion F; assumption.
    - intros H. destruct s; try contradiction; (eexists; split; [reflexivity|constructor; [exact H|constructor]]). }
  rewrite E. destruct s; try contradiction; simpl; rewrite ?negb_true_iff, <- ?not_true_iff_false, ?Qle_bool_iff, P,
    R; try reflexivity;
    (split; [apply Qnot_le_lt|apply Qlt_not_le]).
Qed.
(** For each sign by itself. *)
Lemma line_less k f g p q : reads f p -> reads g q -> hold (relate k f [(Less, g)]) <-> (p < q)%Q.
Proof. intros P R. apply (line_says k Less f g p q P R I). Qed.
(** At most. *)
Lemma line_at_most k f g p q : reads f p -> reads g q -> hold (relate k f [(AtMost, g)]) <-> (p <= q)%Q.
Proof. intros P R. apply (line_says k AtMost f g p q P R I). Qed.
(** More. *)
Lemma line_more k f g p q : reads f p -> reads g q -> hold (relate k f [(More, g)]) <-> (q < p)%Q.
Proof. intros P R. apply (line_says k More f g p q P R I). Qed.
(** At least. *)
Lemma line_at_least k f g p q : reads f p -> reads g q -> hold (relate k f [(AtLeast, g)]) <-> (q <= p)%Q.
Proof. intros P R. apply (line_says k AtLeast f g p q P R I). Qed.
(** No lines hold. *)
Lemma hold_nothing : hold nothing.
Proof. exists []. split; [reflexivity|constructor]. Qed.
(** A block holds if each of its lines does. *)
Lemma hold_block l : hold (block l) <-> Forall hold l.
Proof.
  induction l as [|a l IH]; simpl.
  - split; [constructor|intros _; apply hold_nothing].
  - rewrite hold_then, IH. split; [intros [A B]; constructor; assumption|intros H; inversion H; auto].
Qed.
(** Lines about no case. *)
Lemma held l : match l with Some r => good r | None => false end = true -> hold l.
Proof. destruct l as [r|]; [|discriminate]. intros G. exists r. split; [reflexivity|apply good_is, G]. Qed.
(** And where one fails. *)
Lemma not_held l : match l with Some r => good r | None => true end = false -> ~ hold l.
Proof. intros G (r & -> & F). apply good_is in F. congruence. Qed.
(** for j in R: the block holds for each item of R. *)
Lemma hold_for_each k l f : hold (for_each (Is (List k l)) f) <-> forall v, In v l -> hold (f (Is v)).
Proof. simpl. rewrite hold_block, Forall_map, Forall_forall. reflexivity. Qed.
(** if C: the condition is defined, and if it is true the block holds. *)
Lemma hold_when c l : hold (when c l) <-> exists b, c = Is (Truth b) /\ (b = true -> hold l).
Proof.
  unfold when. destruct (truth_of c) as [[]|] eqn:E.
  - apply truth_yes in E. subst. split; [intros H; exists true; auto|]. intros (b & B & H). inversion B; subst. auto.
  - apply truth_no in E. subst. split; [intros _; exists false; split; [reflexivity|discriminate]|]. intros _.
    apply hold_nothing.
  - split; [intros (r & R & _); discriminate|]. intros (b & -> & _). discriminate.
Qed.

(** The relations of a line about two neighbours are kept when they move apart. *)
Ltac find_reads :=
  match goal with
  | |- reads (Is (Number _)) _ => apply reads_number
  | |- reads (plus _ _) _ => apply reads_plus; find_reads
  | |- reads (minus _ _) _ => apply reads_minus; find_reads
  | |- reads (times _ _) _ => apply reads_times; find_reads
  | |- reads (negative _) _ => apply reads_negative; find_reads
  | |- reads ?c _ => let v := eval vm_compute in c in change c with v; apply reads_number
  end.
Ltac widen_line H :=
  match type of H with
  | hold (relate _ _ [(Less, _)]) => eapply line_less in H; [|find_reads|find_reads]; eapply line_less;
    [find_reads|find_reads|]
  | hold (relate _ _ [(AtMost, _)]) => eapply line_at_most in H; [|find_reads|find_reads]; eapply line_at_most;
    [find_reads|find_reads|]
  | hold (relate _ _ [(More, _)]) => eapply line_more in H; [|find_reads|find_reads]; eapply line_more;
    [find_reads|find_reads|]
  | hold (relate _ _ [(AtLeast, _)]) => eapply line_at_least in H; [|find_reads|find_reads]; eapply line_at_least;
    [find_reads|find_reads|]
  end; Lqa.lra.
Ltac widen_lines H :=
  lazymatch type of H with
  | Forall _ [] => constructor
  | _ => constructor; [apply Forall_inv in H; widen_line H|apply Forall_inv_tail in H; widen_lines H]
  end.
Ltac widen :=
  intros a b a' b' L A B H; cbv beta in H |- *;
  lazymatch type of H with
  | hold (block _) => apply hold_block in H; apply hold_block; widen_lines H
  | _ => widen_line H
  end.
