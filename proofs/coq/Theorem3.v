(** Step C.2 of App. C, the contextual mapping of Theorem 3, proved of the literal construction. *)

From Coq Require Import QArith List Arith ZArith Bool Lia Lqa Setoid Morphisms Sorted.
From Contextual Require Finite.
From Contextual Require Import Statement Statement3 Heads Recursion Network Grid Theorems.
Import ListNotations.
Open Scope Z_scope.

(** ** The recursion: R j is the largest id before column j is lifted, T j = R (j+1) what it is lifted to. *)
Section Recursion3.
Variables (n : nat) (b : Z) (x : nat -> Z).
Fixpoint R (j : nat) : Z := match j with O => x (n - 1)%nat | S j' => x j' + b * (R j' - x j') end.
Definition T3 (j : nat) : Z := R (S j).
Definition Y (c j : nat) : Z := if Nat.ltb j c then T3 j else x j.

Hypothesis n2 : (2 <= n)%nat.
Hypothesis b2 : 2 <= b.
Hypothesis x_mono : forall i j, (i < j)%nat -> (j < n)%nat -> x i < x j.

(** The last id is the largest. *)
Lemma x_last j : (j < n)%nat -> x j <= x (n - 1)%nat.
Proof using n2 x_mono. intros H. destruct (Nat.eq_dec j (n - 1)) as [->|]; [lia|].
  pose proof (x_mono j (n - 1) ltac:(lia) ltac:(lia)). lia. Qed.

(** One column more. *)
Lemma R_S j : R (S j) = x j + b * (R j - x j).
Proof using. reflexivity. Qed.

(** The largest is above the ids to come. *)
Lemma R_above j : (j < n)%nat -> x (n - 1)%nat <= R j /\ x j < R j.
Proof using b2 n2 x_mono.
  induction j as [|j IH]; intros H.
  - simpl. pose proof (x_mono 0 (n - 1) ltac:(lia) ltac:(lia)). lia.
  - destruct IH as [H1 H2]; [lia|]. rewrite R_S. pose proof (x_last (S j) H). nia.
Qed.

(** Each lift goes beyond it. *)
Lemma R_step j : (j < n)%nat -> R j < R (S j).
Proof using b2 n2 x_mono. intros H. destruct (R_above j H). rewrite R_S. nia. Qed.

(** So it grows, *)
Lemma R_mono i j : (i < j)%nat -> (j <= n)%nat -> R i < R j.
Proof using b2 n2 x_mono.
  induction 1 as [|j H IH]; intros Hj; [apply R_step; lia|]. pose proof (R_step j ltac:(lia)).
  specialize (IH ltac:(lia)). lia.
Qed.

(** or stays. *)
Lemma R_le i j : (i <= j)%nat -> (j <= n)%nat -> R i <= R j.
Proof using b2 n2 x_mono. intros H Hj. destruct (Nat.eq_dec i j) as [->|]; [lia|].
  pose proof (R_mono i j ltac:(lia) Hj). lia. Qed.

(** It is the largest of all. *)
Lemma Y_max c : (c <= n)%nat -> is_maxZ n (Y c) (R c).
Proof using b2 n2 x_mono.
  intros Hc. destruct c as [|c].
  - split; [exists (n - 1)%nat; split; [lia|reflexivity]|]. intros j Hj. simpl. apply x_last, Hj.
  - split.
    + exists c. split; [lia|]. unfold Y. destruct (Nat.ltb_spec c (S c)); [reflexivity|lia].
    + intros j Hj. unfold Y. destruct (Nat.ltb_spec j (S c)).
      * apply R_le; lia.
      * pose proof (x_last j Hj). pose proof (R_mono 0 (S c) ltac:(lia) Hc) as HR. simpl in HR. simpl. lia.
Qed.

(** Its bound. *)
Lemma R_upper j : 0 <= x (n - 1)%nat -> (forall i, (i < n)%nat -> 0 <= x i) -> (j <= n)%nat ->
  0 <= R j <= b ^ Z.of_nat j * x (n - 1)%nat.
Proof using b2 n2 x_mono.
  intros Hl Hx. induction j as [|j IH]; intros Hj; [simpl R; change (b ^ Z.of_nat 0) with 1; lia|].
  specialize (IH ltac:(lia)). pose proof (R_step j ltac:(lia)). specialize (Hx j ltac:(lia)).
  rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. split; [lia|]. rewrite R_S. nia.
Qed.
End Recursion3.

(** c.injective: one residue mod b after the other, the last column first *)
Lemma R_injective n b x x' c : 2 <= b -> (forall j, (j < c)%nat -> - b < x j - x' j < b) ->
  R n b x c = R n b x' c -> forall j, (j < c)%nat -> x j = x' j.
Proof.
  intros b2. induction c as [|c IH]; intros Hx E j Hj; [lia|]. rewrite !R_S in E.
  pose proof (Hx c ltac:(lia)) as Hc.
  assert (x c - x' c = b * ((R n b x' c - x' c) - (R n b x c - x c))) as E' by lia.
  assert (x c = x' c) as Ec.
  { set (k := (R n b x' c - x' c) - (R n b x c - x c)) in *. assert (k = 0) by nia. subst k. lia. }
  destruct (Nat.eq_dec j c) as [->|]; [exact Ec|]. apply IH; [intros; apply Hx; lia|nia|lia].
Qed.

(** ** Sorted levels *)
Lemma sorted_app l1 l2 : StronglySorted lt l1 -> StronglySorted lt l2 ->
  (forall a b, In a l1 -> In b l2 -> (a < b)%nat) -> StronglySorted lt (l1 ++ l2).
Proof.
  induction l1 as [|a l1 IH]; intros H1 H2 H; [exact H2|]. simpl. inversion H1; subst. constructor.
  - apply IH; [assumption|assumption|]. intros u v Hu Hv. apply H; [right; exact Hu|exact Hv].
  - apply Forall_app. split; [assumption|]. apply Forall_forall. intros v Hv. apply H; [left; reflexivity|exact Hv].
Qed.

(** Levels in a row. *)
Lemma map_add_seq a m : map (fun k => (a + k)%nat) (seq 0 m) = seq a m.
Proof.
  induction m as [|m IH]; [reflexivity|]. rewrite !seq_S, map_app, IH. reflexivity.
Qed.

(** They are sorted. *)
Lemma sorted_seq m : forall a, StronglySorted lt (seq a m).
Proof.
  induction m as [|m IH]; intros a; simpl; [constructor|]. constructor; [apply IH|].
  apply Forall_forall. intros k Hk. apply in_seq in Hk. lia.
Qed.

Section Theorem3.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n2 : (2 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.

Let n1 : (1 <= n)%nat.
Proof. lia. Qed.

Notation BB := (B d N).
Notation BZ := (Z.of_nat (B d N)).
Notation NZ := (Z.of_nat N).
Notation delta := (delta N).
Let HB : (2 <= BB)%nat := B_ge_2 d N d1 N2.

(** ** The spacing of the levels *)
Definition SS : nat := (N * list_sum (map (fun i => N ^ i) (seq 0 d)))%nat.
Notation SZ := (Z.of_nat SS).

(** 1 + N + ... + N^(m-1), as an expansion. *)
Lemma ones_S m : Z.of_nat (list_sum (map (fun i => N ^ i) (seq 0 m)))%nat = expand NZ m (fun _ => 1).
Proof using.
  transitivity (sumZ m (fun i => Z.of_nat (N ^ i))); [|apply (Finite.ext Z_sums); intros; rewrite Nat2Z.inj_pow; ring].
  exact (Finite.image Finite.N_sums Z_sums Z.of_nat (f_equal Z.of_nat) eq_refl Nat2Z.inj_add m _).
Qed.

(** The spacing. *)
Lemma SS_ones : SZ = NZ * expand NZ d (fun _ => 1).
Proof using. unfold SS. rewrite Nat2Z.inj_mul, ones_S. reflexivity. Qed.

(** A bound of it, *)
Lemma ones_upper : expand NZ d (fun _ => 1) <= BZ - 1.
Proof using HB n1. rewrite (B_pow d N). apply expand_upper; [lia|]. intros; lia. Qed.

(** and of the spacing, *)
Lemma SS_upper : SZ <= NZ * (BZ - 1).
Proof using HB n1. rewrite SS_ones. pose proof ones_upper. nia. Qed.

(** from below, *)
Lemma ones_lower m : (1 <= m)%nat -> NZ ^ Z.of_nat (m - 1) + (if Nat.eqb m 1 then 0 else 1) <= expand NZ m (fun _ => 1).
Proof using HB n1.
  induction m as [|m IH]; intros H; [lia|]. rewrite expand_S. destruct m as [|m]; [cbn; lia|].
  replace (S (S m) - 1)%nat with (S m) by lia. change (Nat.eqb (S (S m)) 1) with false. specialize (IH ltac:(lia)).
  assert (1 <= NZ ^ Z.of_nat (S m - 1)) by (pose proof (Z.pow_pos_nonneg NZ (Z.of_nat (S m - 1)) ltac:(lia) ltac:(lia));
    lia).
  destruct (Nat.eqb (S m) 1); lia.
Qed.

(** the spacing too: *)
Lemma SS_lower : BZ + (if Nat.eqb d 1 then 0 else NZ) <= SZ.
Proof using HB n1.
  rewrite SS_ones, (B_pow d N). pose proof (ones_lower d d1) as H.
  replace (NZ ^ Z.of_nat d) with (NZ * NZ ^ Z.of_nat (d - 1)).
  - destruct (Nat.eqb d 1); nia.
  - rewrite <- Z.pow_succ_r by lia. f_equal. lia.
Qed.

(** levels of different columns don't overlap. *)
Lemma SS_ge_B : (BB <= SS)%nat.
Proof using HB n1. pose proof SS_lower. destruct (Nat.eqb d 1); lia. Qed.

(** ** The levels *)
Lemma levels_seq : levels d n N = flat_map (fun j => seq (j * SS) BB) (seq 0 n).
Proof using.
  unfold levels. assert (forall l, flat_map (fun j => map (fun k => (first_level d N j + k)%nat) (seq 0 BB)) l =
    flat_map (fun j => seq (j * SS) BB) l) as G; [|apply G].
  induction l as [|j l IH]; [reflexivity|]. simpl. rewrite IH. f_equal. apply map_add_seq.
Qed.

(** What the levels are. *)
Lemma in_levels k : In k (levels d n N) <-> exists j t, (j < n)%nat /\ (t < BB)%nat /\ k = (j * SS + t)%nat.
Proof using HB n1.
  rewrite levels_seq, in_flat_map. split.
  - intros [j [Hj Hk]]. apply in_seq in Hj. apply in_seq in Hk. exists j, (k - j * SS)%nat. lia.
  - intros [j [t [Hj [Ht ->]]]]. exists j. rewrite !in_seq. lia.
Qed.

(** They are sorted. *)
Lemma levels_sorted : StronglySorted lt (levels d n N).
Proof using HB n1.
  rewrite levels_seq. pose proof SS_ge_B.
  assert (forall m, StronglySorted lt (flat_map (fun j => seq (j * SS) BB) (seq 0 m))) as G; [|apply G].
  induction m as [|m IH]; [constructor|]. rewrite seq_S, flat_map_app. apply sorted_app; [exact IH| |].
  - simpl. rewrite app_nil_r. apply sorted_seq.
  - simpl. rewrite app_nil_r. intros a b Ha Hb. apply in_flat_map in Ha. destruct Ha as [j [Hj Ha]].
    apply in_seq in Hj. apply in_seq in Ha. apply in_seq in Hb. nia.
Qed.

(** The last one. *)
Lemma levels_upper k : In k (levels d n N) -> Z.of_nat k <= (Z.of_nat n - 1) * SZ + BZ - 1.
Proof using HB n1. intros H. apply in_levels in H. destruct H as [j [t [Hj [Ht ->]]]]. nia. Qed.

(** ** The sweep over sorted levels *)
Definition swept_by (post : list nat) (X : matrix) : matrix := run d n (map (selective_shift d N) post) X.

(** One level first. *)
Lemma swept_by_cons k post X : swept_by (k :: post) X = swept_by post (attention d n (selective_shift d N k) X).
Proof using. reflexivity. Qed.

(** Some levels, then others. *)
Lemma swept_by_app l1 l2 X : swept_by (l1 ++ l2) X = swept_by l2 (swept_by l1 X).
Proof using. unfold swept_by, run. rewrite map_app, fold_left_app. reflexivity. Qed.

(** A level that no id is at changes nothing. *)
Lemma idle y k X : ids d n N X y -> (forall j, (j < n)%nat -> y j <> Z.of_nat k) ->
  ids d n N (attention d n (selective_shift d N k) X) y.
Proof using HB n1.
  intros H Hk. destruct (maxZ_exists n y ltac:(lia)) as [M HM]. destruct (minZ_exists n y ltac:(lia)) as [m Hm].
  eapply ids_ext; [|apply (shift_ids d n N d1 n1 N2 X y M m k H HM Hm)]. intros j Hj. simpl.
  destruct (Z.eqb_spec (y j) (Z.of_nat k)); [exfalso; apply (Hk j Hj); assumption|reflexivity].
Qed.

(** Levels where no id is do nothing. *)
Lemma idle_all y l : forall X, ids d n N X y -> (forall k j, In k l -> (j < n)%nat -> y j <> Z.of_nat k) ->
  ids d n N (swept_by l X) y.
Proof using HB n1.
  induction l as [|k l IH]; intros X H Hk; [exact H|]. rewrite swept_by_cons. apply IH.
  - apply idle; [exact H|]. intros j Hj. apply Hk; [left; reflexivity|exact Hj].
  - intros k' j Hk' Hj. apply Hk; [right; exact Hk'|exact Hj].
Qed.

Section Regular.
Variable x : nat -> Z.
Hypothesis x_mono : forall i j, (i < j)%nat -> (j < n)%nat -> x i < x j.
Hypothesis beyond : forall k, In k (levels d n N) -> Z.of_nat k < T3 n BZ x 0.

(** What is lifted goes beyond all levels. *)
Lemma T_beyond3 j k : (j < n)%nat -> In k (levels d n N) -> Z.of_nat k < T3 n BZ x j.
Proof using HB beyond n1 x_mono.
  intros Hj Hk. specialize (beyond k Hk). unfold T3 in *.
  pose proof (R_le n BZ x n2 ltac:(lia) x_mono 1 (S j) ltac:(lia) ltac:(lia)). lia.
Qed.

(** The sweep is the recursion. *)
Lemma sweep_sorted post : forall X c, (c <= n)%nat -> StronglySorted lt post ->
  (forall k, In k post -> In k (levels d n N) /\ forall j, (j < c)%nat -> x j < Z.of_nat k) ->
  (forall j, (c <= j < n)%nat -> exists k, In k post /\ x j = Z.of_nat k) ->
  ids d n N X (Y n BZ x c) -> ids d n N (swept_by post X) (Y n BZ x n).
Proof using HB beyond n1 x_mono.
  induction post as [|k post IH]; intros X c Hc Hs Hl Hx HI.
  - destruct (Nat.eq_dec c n) as [->|]; [exact HI|]. exfalso. destruct (Hx c ltac:(lia)) as [k [[] _]].
  - rewrite swept_by_cons. inversion Hs as [|k' post' Hs' Hf]; subst. rewrite Forall_forall in Hf.
    destruct (Hl k (or_introl eq_refl)) as [Hk Hbelow].
    assert (forall j, (j < c)%nat -> Y n BZ x c j = T3 n BZ x j) as Ylow.
    { intros j Hj. unfold Y. destruct (Nat.ltb_spec j c); [reflexivity|lia]. }
    assert (forall j, (c <= j)%nat -> Y n BZ x c j = x j) as Yhigh.
    { intros j Hj. unfold Y. destruct (Nat.ltb_spec j c); [lia|reflexivity]. }
    assert (forall j, (c <= j < n)%nat -> Z.of_nat k <= x j) as ge_k.
    { intros j Hj. destruct (Hx j Hj) as [k' [[<-|Hk'] ->]]; [lia|]. specialize (Hf k' Hk'). lia. }
    destruct (Nat.eq_dec c n) as [Ecn|Ncn]; [|destruct (Z.eq_dec (x c) (Z.of_nat k)) as [E|NE]].
    + apply (IH _ c); [exact Hc|exact Hs'|intros; apply Hl; right; assumption|intros; lia|].
      apply idle; [exact HI|]. intros j Hj. rewrite Ylow by lia. pose proof (T_beyond3 j k Hj Hk). lia.
    + assert (is_minZ n (Y n BZ x c) (x c)) as Hm.
      { split; [exists c; split; [lia|apply Yhigh; lia]|]. intros j Hj. destruct (Nat.lt_ge_cases j c) as [Hlt|Hge].
        - rewrite Ylow by exact Hlt. pose proof (T_beyond3 j k Hj Hk). lia.
        - rewrite Yhigh by exact Hge. rewrite E. apply ge_k. lia. }
      pose proof (Y_max n BZ x n2 ltac:(lia) x_mono c Hc) as HM.
      apply (IH _ (S c)); [lia|exact Hs'| | |].
      * intros k' Hk'. split; [apply Hl; right; exact Hk'|]. intros j Hj. specialize (Hf k' Hk').
        destruct (Nat.eq_dec j c) as [->|]; [lia|]. specialize (Hbelow j ltac:(lia)). lia.
      * intros j Hj. destruct (Hx j ltac:(lia)) as [k' [[<-|Hk'] Ek]]; [|exists k'; auto].
        pose proof (x_mono c j ltac:(lia) ltac:(lia)). lia.
      * eapply ids_ext; [|apply (shift_ids d n N d1 n1 N2 X _ _ _ k HI HM Hm)]. intros j Hj. cbn beta.
        destruct (Nat.lt_trichotomy j c) as [Hlt|[->|Hgt]].
        -- rewrite Ylow by exact Hlt. pose proof (T_beyond3 j k Hj Hk).
           destruct (Z.eqb_spec (T3 n BZ x j) (Z.of_nat k)); [lia|].
           unfold Y. destruct (Nat.ltb_spec j (S c)); [reflexivity|lia].
        -- rewrite Yhigh by lia. rewrite E, Z.eqb_refl. unfold Y. destruct (Nat.ltb_spec c (S c)); [|lia].
           unfold T3. rewrite R_S, E. reflexivity.
        -- rewrite Yhigh by lia. pose proof (x_mono c j Hgt Hj). destruct (Z.eqb_spec (x j) (Z.of_nat k)); [lia|].
           unfold Y. destruct (Nat.ltb_spec j (S c)); [lia|reflexivity].
    + assert (forall j, (c <= j < n)%nat -> x j <> Z.of_nat k) as ne_k.
      { intros j Hj Ej. pose proof (ge_k c ltac:(lia)). destruct (Nat.eq_dec j c) as [->|]; [contradiction|].
        pose proof (x_mono c j ltac:(lia) ltac:(lia)). lia. }
      apply (IH _ c); [exact Hc|exact Hs'|intros; apply Hl; right; assumption| |].
      * intros j Hj. destruct (Hx j Hj) as [k' [[<-|Hk'] Ek]]; [exfalso; apply (ne_k j Hj); exact Ek|exists k'; auto].
      * apply idle; [exact HI|]. intros j Hj. destruct (Nat.lt_ge_cases j c) as [Hlt|Hge].
        -- rewrite Ylow by exact Hlt. pose proof (T_beyond3 j k Hj Hk). lia.
        -- rewrite Yhigh by exact Hge. apply ne_k. lia.
Qed.
End Regular.

(** ** The ids of a context *)
Definition offset (L : matrix) (j : nat) : Z := expand NZ d (fun i => entry N L i j - Z.of_nat j * NZ).
Definition pid (L : matrix) (j : nat) : Z := Z.of_nat j * SZ + offset L j.

(** An entry of column j is in [j, j+1). *)
Lemma context_entry L i j : context d n N L -> (i < d)%nat -> (j < n)%nat ->
  (L i j == inject_Z (entry N L i j) * delta)%Q /\ 0 <= entry N L i j - Z.of_nat j * NZ < NZ.
Proof using HB n1.
  intros H Hi Hj. destruct (H i j Hi Hj) as [k [Hk E]]. unfold of_nat in E.
  rewrite (entry_units N N2 L i j _ E). split; [exact E|]. lia.
Qed.

(** So the id is within N^d of column j's first level. *)
Lemma offset_range L j : context d n N L -> (j < n)%nat -> 0 <= offset L j < BZ.
Proof using HB n1.
  intros H Hj. unfold offset. rewrite (B_pow d N). split.
  - apply expand_nonneg; [lia|]. intros i Hi. apply (context_entry L i j H Hi Hj).
  - match goal with |- ?a < ?c => assert (a <= c - 1); [|lia] end.
    apply expand_upper; [lia|]. intros i Hi. apply (context_entry L i j H Hi Hj).
Qed.

(** The id in units of delta. *)
Lemma pid_zid L j : pid L j = zid d N L j.
Proof using HB n1.
  unfold pid, offset, zid. rewrite SS_ones. generalize d. intros m. induction m as [|m IH]; [cbn; lia|].
  rewrite !expand_S. lia.
Qed.

(** All of them. *)
Lemma pid_ids L : context d n N L -> ids d n N L (pid L).
Proof using HB n1.
  intros H j Hj. rewrite pid_zid. apply (id_zid d n N d1 n1 N2). intros i Hi. apply (context_entry L i j H Hi Hj).
Qed.

(** They grow with j. *)
Lemma pid_mono L : context d n N L -> forall i j, (i < j)%nat -> (j < n)%nat -> pid L i < pid L j.
Proof using HB n1.
  intros H i j Hij Hj. unfold pid. pose proof (offset_range L i H ltac:(lia)). pose proof (offset_range L j H Hj).
  pose proof SS_ge_B. nia.
Qed.

(** None is negative. *)
Lemma pid_nonneg L j : context d n N L -> (j < n)%nat -> 0 <= pid L j.
Proof using HB n1. intros H Hj. unfold pid. pose proof (offset_range L j H Hj). nia. Qed.

(** Each is a level. *)
Lemma pid_level L j : context d n N L -> (j < n)%nat -> exists k, In k (levels d n N) /\ pid L j = Z.of_nat k.
Proof using HB n1.
  intros H Hj. pose proof (offset_range L j H Hj). exists (j * SS + Z.to_nat (offset L j))%nat. split.
  - apply in_levels. exists j, (Z.to_nat (offset L j)). lia.
  - unfold pid. lia.
Qed.

(** They tell contexts apart. *)
Lemma pid_same L L' : context d n N L -> context d n N L' -> (forall j, (j < n)%nat -> pid L j = pid L' j) ->
  ~ different d n L L'.
Proof using HB n1.
  intros H H' E [i [j [Hi [Hj NE]]]]. apply NE. specialize (E j Hj). unfold pid, offset in E.
  destruct (context_entry L i j H Hi Hj) as [E1 _]. destruct (context_entry L' i j H' Hi Hj) as [E2 _].
  rewrite E1, E2. apply (proj1 (units_eq N N2 _ _)).
  assert (entry N L i j - Z.of_nat j * NZ = entry N L' i j - Z.of_nat j * NZ); [|lia].
  apply (expand_inj NZ ltac:(lia) d (fun i => entry N L i j - Z.of_nat j * NZ) (fun i => entry N L' i j - Z.of_nat j *
    NZ)); [| |lia|exact Hi].
  - intros k Hk. apply (context_entry L k j H Hk Hj).
  - intros k Hk. apply (context_entry L' k j H' Hk Hj).
Qed.

(** In two contexts they are less than N^d apart. *)
Lemma pid_close L L' j : context d n N L -> context d n N L' -> (j < n)%nat -> - BZ < pid L j - pid L' j < BZ.
Proof using HB n1. intros H H' Hj. unfold pid. pose proof (offset_range L j H Hj).
  pose proof (offset_range L' j H' Hj). lia. Qed.

(** ** When the first shift goes beyond all levels *)
Definition gap (L : matrix) : Z := pid L (n - 1) - pid L 0.

(** With a gap of 2 the first lift goes beyond all levels. *)
Lemma gap_beyond L : context d n N L -> 2 <= gap L ->
  forall k, In k (levels d n N) -> Z.of_nat k < T3 n BZ (pid L) 0.
Proof using HB n1.
  intros H HG k Hk. pose proof (levels_upper k Hk). unfold T3. rewrite R_S. simpl R. unfold gap in HG.
  pose proof (offset_range L (n - 1) H ltac:(lia)).
  assert ((Z.of_nat n - 1) * SZ <= pid L (n - 1)) by (unfold pid; nia). nia.
Qed.

(** There is one, but for the exception. *)
Lemma gap_lower L : context d n N L -> 2 <= gap L \/ (d = 1%nat /\ n = 2%nat /\ pid L 0 = NZ - 1 /\ pid L 1 = NZ).
Proof using HB n1.
  intros H. unfold gap. pose proof SS_lower as HS. pose proof SS_ge_B.
  pose proof (offset_range L 0 H ltac:(lia)) as HO0. pose proof (offset_range L (n - 1) H ltac:(lia)) as HO1.
  unfold pid. replace (Z.of_nat (n - 1)) with (Z.of_nat n - 1) by lia.
  destruct (Nat.eq_dec n 2) as [En|Nn]; [|left; nia].
  destruct (Nat.eq_dec d 1) as [Ed|Nd].
  - assert (SS = N /\ BB = N) as [ES EB].
    { unfold SS, B. rewrite Ed. cbn [seq map list_sum fold_right]. rewrite Nat.pow_1_r, Nat.pow_0_r. lia. }
    rewrite En in *. change (2 - 1)%nat with 1%nat in *. rewrite ES, EB in *.
    destruct (Z_le_dec 2 (offset L 1 - offset L 0 + NZ)); [left; lia|right]. split; [exact Ed|].
    split; [reflexivity|]. lia.
  - left. destruct (Nat.eqb_spec d 1); [contradiction|]. rewrite En in *. lia.
Qed.

(** Then the sweep is the recursion. *)
Lemma swept_regular L : context d n N L -> 2 <= gap L -> ids d n N (swept_by (levels d n N) L) (T3 n BZ (pid L)).
Proof using HB n1.
  intros H HG. eapply ids_ext; [|apply (sweep_sorted (pid L) (pid_mono L H) (gap_beyond L H HG) (levels d n N) L 0)].
  - intros j Hj. unfold Y. destruct (Nat.ltb_spec j n); [reflexivity|lia].
  - lia.
  - apply levels_sorted.
  - intros k Hk. split; [exact Hk|intros; lia].
  - intros j Hj. apply pid_level; [exact H|lia].
  - apply (pid_ids L H).
Qed.

(** ** The exception: d = 1, n = 2, the ids N-1 and N *)
Definition E0 : Z := NZ * NZ * NZ - 2 * NZ * NZ + 3 * NZ - 1.
Definition exceptional (j : nat) : Z := if Nat.eqb j 0 then E0 else NZ * NZ.

(** In the exception it is this. *)
Lemma swept_exception L : d = 1%nat -> n = 2%nat -> context d n N L -> pid L 0 = NZ - 1 -> pid L 1 = NZ ->
  ids d n N (swept_by (levels d n N) L) exceptional.
Proof using HB n1.
  intros Ed En H P0 P1.
  assert (SS = N /\ BB = N) as [ES EB].
  { unfold SS, B. rewrite Ed. cbn [seq map list_sum fold_right]. rewrite Nat.pow_1_r, Nat.pow_0_r. lia. }
  assert (levels d n N = seq 0 (N - 1) ++ [N - 1; N]%nat ++ seq (N + 1) (N - 2) ++ [2 * N - 1]%nat) as ->.
  { rewrite levels_seq, En. cbn [seq flat_map]. rewrite app_nil_r, ES, EB, Nat.mul_0_l, Nat.mul_1_l.
    replace (seq 0 N) with (seq 0 (N - 1) ++ [N - 1]%nat).
    - replace (seq N N) with (N :: seq (N + 1) (N - 2) ++ [2 * N - 1]%nat); [rewrite <- app_assoc; reflexivity|].
      replace (seq N N) with (seq N (S (S (N - 2)))) by (f_equal; lia). rewrite seq_S.
      cbn [seq app]. rewrite Nat.add_1_r. f_equal. f_equal. f_equal. lia.
    - replace (seq 0 N) with (seq 0 (S (N - 1))) by (f_equal; lia). rewrite seq_S. reflexivity. }
  rewrite !swept_by_app.
  assert (forall j, (j < n)%nat -> j = 0%nat \/ j = 1%nat) as two by (intros; lia).
  set (y0 := fun j => if Nat.eqb j 0 then NZ - 1 else NZ).
  set (y1 := fun j => if Nat.eqb j 0 then 2 * NZ - 1 else NZ).
  set (y2 := fun j => if Nat.eqb j 0 then 2 * NZ - 1 else NZ * NZ).
  assert (forall a c M m k X, ids d n N X (fun j => if Nat.eqb j 0 then a else c) -> M = Z.max a c -> m = Z.min a c ->
    ids d n N (attention d n (selective_shift d N k) X) (fun j => if Nat.eqb j 0
      then (if a =? Z.of_nat k then a + NZ * (M - m) else a) else (if c =? Z.of_nat k then c + NZ * (M - m)
        else c))) as step.
  { intros a c M m k X HI -> ->. eapply ids_ext; [|apply (shift_ids d n N d1 n1 N2 X _ (Z.max a c) (Z.min a c) k HI)].
    - intros j Hj. cbn beta. rewrite EB. destruct (Nat.eqb j 0); reflexivity.
    - split.
      + destruct (Z.max_spec a c) as [[_ ->]|[_ ->]]; [exists 1%nat|exists 0%nat]; split; try lia; reflexivity.
      + intros j Hj. destruct (Nat.eqb j 0); lia.
    - split.
      + destruct (Z.min_spec a c) as [[_ ->]|[_ ->]]; [exists 0%nat|exists 1%nat]; split; try lia; reflexivity.
      + intros j Hj. destruct (Nat.eqb j 0); lia. }
  assert (ids d n N L y0) as I0.
  { eapply ids_ext; [|apply (pid_ids L H)]. intros j Hj. unfold y0. destruct (two j Hj) as [->| ->]; simpl; lia. }
  assert (ids d n N (swept_by (seq 0 (N - 1)) L) y0) as I1.
  { apply idle_all; [exact I0|]. intros k j Hk Hj. apply in_seq in Hk. unfold y0. destruct (Nat.eqb j 0); lia. }
  set (X1 := swept_by (seq 0 (N - 1)) L) in *.
  assert (ids d n N (swept_by [N - 1; N]%nat X1) y2) as I2.
  { rewrite swept_by_cons, swept_by_cons.
    assert (ids d n N (attention d n (selective_shift d N (N - 1)) X1) y1) as I.
    { eapply ids_ext; [|apply (step (NZ - 1) NZ NZ (NZ - 1) (N - 1)%nat X1 I1); lia]. intros j Hj. cbn beta. unfold y1.
      destruct (Nat.eqb j 0).
      - destruct (Z.eqb_spec (NZ - 1) (Z.of_nat (N - 1))); lia.
      - destruct (Z.eqb_spec NZ (Z.of_nat (N - 1))); lia. }
    change (swept_by [] ?Z0) with Z0.
    eapply ids_ext; [|apply (step (2 * NZ - 1) NZ (2 * NZ - 1) NZ N _ I); lia]. intros j Hj. cbn beta. unfold y2.
    destruct (Nat.eqb j 0).
    - destruct (Z.eqb_spec (2 * NZ - 1) NZ); lia.
    - rewrite Z.eqb_refl. ring. }
  set (X2 := swept_by [N - 1; N]%nat X1) in *.
  assert (ids d n N (swept_by (seq (N + 1) (N - 2)) X2) y2) as I3.
  { apply idle_all; [exact I2|]. intros k j Hk Hj. apply in_seq in Hk. unfold y2. destruct (Nat.eqb j 0); nia. }
  set (X3 := swept_by (seq (N + 1) (N - 2)) X2) in *.
  rewrite swept_by_cons. change (swept_by [] ?Z0) with Z0.
  eapply ids_ext; [|apply (step (2 * NZ - 1) (NZ * NZ) (NZ * NZ) (2 * NZ - 1) (2 * N - 1)%nat X3 I3); nia].
  intros j Hj. cbn beta. unfold exceptional, E0. destruct (Nat.eqb j 0).
  - destruct (Z.eqb_spec (2 * NZ - 1) (Z.of_nat (2 * N - 1))); [ring|lia].
  - destruct (Z.eqb_spec (NZ * NZ) (Z.of_nat (2 * N - 1))); nia.
Qed.

(** ** After the sweep, exception or not *)
Notation FZ := (Z.of_nat (positional_factor d n N)).

(** The factor of the global shift. *)
Lemma factor_units : FZ = Z.of_nat n * (BZ * BZ ^ Z.of_nat n) * NZ.
Proof using HB n1.
  unfold positional_factor. rewrite !Nat2Z.inj_mul, power_B. rewrite Nat.add_1_r, Nat2Z.inj_succ, Z.pow_succ_r by lia.
  reflexivity.
Qed.

(** c.bound *)
Lemma R_bound L : context d n N L -> R n BZ (pid L) n < FZ.
Proof using HB n1.
  intros H. pose proof (R_upper n BZ (pid L) n2 ltac:(lia) (pid_mono L H) n) as U.
  specialize (U (pid_nonneg L (n - 1) H ltac:(lia)) (fun i Hi => pid_nonneg L i H Hi) (le_n _)).
  rewrite factor_units. pose proof SS_upper. pose proof (offset_range L (n - 1) H ltac:(lia)).
  pose proof (Z.pow_pos_nonneg BZ (Z.of_nat n) ltac:(lia) ltac:(lia)) as Hp.
  assert (pid L (n - 1) < Z.of_nat n * (NZ * BZ)) as HX.
  { unfold pid. replace (Z.of_nat (n - 1)) with (Z.of_nat n - 1) by lia.
    assert ((Z.of_nat n - 1) * SZ <= (Z.of_nat n - 1) * (NZ * (BZ - 1))) by nia. nia. }
  apply Z.le_lt_trans with (BZ ^ Z.of_nat n * pid L (n - 1)); [apply U|].
  replace (Z.of_nat n * (BZ * BZ ^ Z.of_nat n) * NZ) with (BZ ^ Z.of_nat n * (Z.of_nat n * (NZ * BZ))) by ring.
  apply Z.mul_lt_mono_pos_l; assumption.
Qed.

Definition regular (L : matrix) : Prop := 2 <= gap L.
Definition irregular (L : matrix) : Prop := d = 1%nat /\ n = 2%nat /\ pid L 0 = NZ - 1 /\ pid L 1 = NZ.

(** For d = 1. *)
Lemma B_is_N : d = 1%nat -> BB = N /\ SS = N.
Proof using HB n1. intros Ed. unfold SS, B. rewrite Ed. cbn [seq map list_sum fold_right].
  rewrite Nat.pow_1_r, Nat.pow_0_r. lia. Qed.

(** The exception's largest id. *)
Lemma E0_large : NZ * NZ < E0.
Proof using HB n1. unfold E0. nia. Qed.

(** After the sweep, exception or not. *)
Lemma final L : context d n N L -> exists y M, ids d n N (swept_by (levels d n N) L) y /\ is_maxZ n y M /\
  (forall j, (j < n)%nat -> 0 < y j) /\ (forall i j, (i < j)%nat -> (j < n)%nat -> y i <> y j) /\ M < FZ /\
  y (n - 1)%nat = R n BZ (pid L) n /\ (regular L -> forall i j, (i < j)%nat -> (j < n)%nat -> y i < y j) /\
  ((regular L /\ M = R n BZ (pid L) n) \/ (irregular L /\ M = E0)).
Proof using HB n1.
  intros H. pose proof (R_bound L H) as RB. destruct (gap_lower L H) as [HG|[Ed [En [P0 P1]]]].
  - pose proof (R_mono n BZ (pid L) n2 ltac:(lia) (pid_mono L H)) as RM.
    exists (T3 n BZ (pid L)), (R n BZ (pid L) n). split; [apply swept_regular; assumption|].
    split; [|split; [|split; [|split; [|split; [|split]]]]].
    + split.
      * exists (n - 1)%nat. split; [lia|]. unfold T3. f_equal. lia.
      * intros j Hj. unfold T3. apply R_le; try assumption; try lia. apply (pid_mono L H).
    + intros j Hj. unfold T3. specialize (RM 0%nat (S j) ltac:(lia) ltac:(lia)). simpl R at 1 in RM.
      pose proof (pid_nonneg L (n - 1) H ltac:(lia)). lia.
    + intros i j Hij Hj. unfold T3. specialize (RM (S i) (S j) ltac:(lia) ltac:(lia)). lia.
    + exact RB.
    + unfold T3. f_equal. lia.
    + intros _ i j Hij Hj. unfold T3. apply RM; lia.
    + left. split; [exact HG|reflexivity].
  - pose proof E0_large as HE. destruct (B_is_N Ed) as [EB _].
    exists exceptional, E0. split; [apply swept_exception; assumption|].
    split; [|split; [|split; [|split; [|split; [|split]]]]].
    + split; [exists 0%nat; split; [lia|reflexivity]|]. intros j Hj. unfold exceptional. destruct (Nat.eqb j 0); lia.
    + intros j Hj. unfold exceptional. destruct (Nat.eqb j 0); nia.
    + intros i j Hij Hj. unfold exceptional. destruct (Nat.eqb_spec i 0), (Nat.eqb_spec j 0); lia.
    + rewrite factor_units, EB, En. change (Z.of_nat 2) with 2. rewrite Z.pow_2_r. unfold E0. nia.
    + rewrite En. change (2 - 1)%nat with 1%nat. unfold exceptional. simpl Nat.eqb. cbv iota.
      rewrite !R_S. simpl R. change (2 - 1)%nat with 1%nat. rewrite P0, P1, EB. ring.
    + intros HR. unfold regular, gap in HR. rewrite En in HR. change (2 - 1)%nat with 1%nat in HR. lia.
    + right. split; [|reflexivity]. exact (conj Ed (conj En (conj P0 P1))).
Qed.

(** The exception's maximum is not that of another context. *)
Lemma exception_apart L : context d n N L -> d = 1%nat -> n = 2%nat -> R n BZ (pid L) n <> E0.
Proof using HB n1.
  intros H Ed En E. destruct (B_is_N Ed) as [EB ES].
  pose proof (offset_range L 0 H ltac:(lia)) as H0. pose proof (offset_range L 1 H ltac:(lia)) as H1.
  assert (pid L 0 = offset L 0) as P0 by (unfold pid; lia).
  assert (pid L 1 = NZ + offset L 1) as P1 by (unfold pid; rewrite ES; lia).
  rewrite En in E. rewrite !R_S in E. simpl R in E. change (2 - 1)%nat with 1%nat in E.
  rewrite P0, P1 in E. rewrite EB in *. set (a := offset L 0) in *. set (c := offset L 1) in *. unfold E0 in E.
  assert (NZ + c + 1 = NZ * (NZ * NZ - 2 * NZ + 3 - (a + NZ * (NZ + c - a) - (NZ + c)))) as Ek by lia.
  set (k := NZ * NZ - 2 * NZ + 3 - (a + NZ * (NZ + c - a) - (NZ + c))) in *.
  assert (k = 2) as K2 by nia. rewrite K2 in Ek. assert (c = NZ - 1) as Ec by lia. subst k. rewrite Ec in K2.
  assert ((NZ - 1) * (NZ - a) = 0) as Z0 by lia. nia.
Qed.

(** ** The global shift *)
Lemma positional_q_units L y M j : ids d n N (swept_by (levels d n N) L) y -> is_maxZ n y M -> (j < n)%nat -> 0 < y j ->
  (positional_q d n N L j == inject_Z (y j + FZ * M) * delta)%Q.
Proof using HB n1.
  intros HI HM Hj Hp. unfold positional_q, positional_network, run. rewrite fold_left_app. cbn [fold_left].
  change (fold_left _ (positional_sweep d n N) L) with (swept_by (levels d n N) L).
  rewrite (id_attention d n N [(of_nat (positional_factor d n N), 0%Q)] _ j d1). cbn [fold_right fst snd].
  rewrite (head_above d n N _ _ _ j _ ltac:(lia) (ids_max d n N N2 _ y M HI HM)).
  - rewrite (HI j Hj). unfold of_nat. rewrite inject_Z_plus, inject_Z_mult. ring.
  - rewrite (HI j Hj). apply (units_pos N N2), Hp.
Qed.

(** A contextual mapping. *)
Theorem is_contextual : contextual d n N.
Proof using HB n1.
  split.
  - intros L H j j' Hj Hj' E. destruct (final L H) as [y [M [HI [HM [Hp [Hd _]]]]]].
    rewrite (positional_q_units L y M j HI HM Hj (Hp j Hj)), (positional_q_units L y M j' HI HM Hj' (Hp j' Hj')) in E.
    apply (proj2 (units_eq N N2 _ _)) in E. assert (y j = y j') as Ey by lia.
    destruct (Nat.lt_trichotomy j j') as [Hlt|[->|Hgt]]; [exfalso; apply (Hd j j' Hlt Hj' Ey)|reflexivity|].
    exfalso. apply (Hd j' j Hgt Hj). symmetry. exact Ey.
  - intros L L' H H' HD j j' Hj Hj' E.
    destruct (final L H) as [y [M [HI [HM [Hp [_ [HF [_ [_ HC]]]]]]]]].
    destruct (final L' H') as [y' [M' [HI' [HM' [Hp' [_ [HF' [_ [_ HC']]]]]]]]].
    rewrite (positional_q_units L y M j HI HM Hj (Hp j Hj)),
      (positional_q_units L' y' M' j' HI' HM' Hj' (Hp' j' Hj')) in E.
    apply (proj2 (units_eq N N2 _ _)) in E.
    assert (M = M') as EM.
    { apply (leading FZ M (y j) M' (y' j')); [| |exact E].
      - specialize (Hp j Hj). pose proof (proj2 HM j Hj). lia.
      - specialize (Hp' j' Hj'). pose proof (proj2 HM' j' Hj'). lia. }
    revert HD. apply pid_same; [exact H|exact H'|].
    destruct HC as [[_ E1]|[[Ed [En [P0 P1]]] E1]], HC' as [[_ E2]|[[Ed' [En' [P0' P1']]] E2]].
    + apply (R_injective n BZ (pid L) (pid L') n ltac:(lia)); [intros; apply pid_close; assumption|congruence].
    + exfalso. apply (exception_apart L H Ed' En'). congruence.
    + exfalso. apply (exception_apart L' H' Ed En). congruence.
    + intros i Hi. assert (i = 0 \/ i = 1)%nat as [->| ->] by lia; congruence.
Qed.

(** The bound of the largest id. *)
Theorem is_bounded : bounded d n N.
Proof using HB n1.
  intros L j H Hj. destruct (final L H) as [y [M [HI [HM [_ [_ [HF _]]]]]]].
  change (positional_swept d n N L j) with (id d N (swept_by (levels d n N) L) j). rewrite (HI j Hj).
  assert (of_nat n * of_nat (N ^ ((n + 1) * d)) == inject_Z FZ * delta)%Q as ->.
  { unfold positional_factor. rewrite !Nat2Z.inj_mul, !inject_Z_mult. pose proof (delta_N N N2) as D.
    unfold of_nat in *.
    rewrite <- Qmult_assoc, D. ring. }
  apply (proj1 (units_lt N N2 _ _)). pose proof (proj2 HM j Hj). lia.
Qed.

(** It determines the context. *)
Theorem is_determined : determined d n N.
Proof using HB n1.
  intros L L' H H' E. apply pid_same; [exact H|exact H'|].
  destruct (final L H) as [y [M [HI [_ [_ [_ [_ [Hl _]]]]]]]].
  destruct (final L' H') as [y' [M' [HI' [_ [_ [_ [_ [Hl' _]]]]]]]].
  unfold positional_swept in E. change (run d n (positional_sweep d n N)) with (swept_by (levels d n N)) in E.
  rewrite (HI (n - 1)%nat ltac:(lia)), (HI' (n - 1)%nat ltac:(lia)) in E.
  apply (proj2 (units_eq N N2 _ _)) in E.
  apply (R_injective n BZ (pid L) (pid L') n ltac:(lia)); [intros; apply pid_close; assumption|congruence].
Qed.

(** An id of the exception as a number of its matrix *)
Lemma single L j : d = 1%nat -> pid L j = entry N L 0 j.
Proof using HB n1. intros Ed. rewrite pid_zid. unfold zid. rewrite Ed, expand_S. change (NZ ^ Z.of_nat 0) with 1.
  cbn [expand sumZ].
  unfold expand. cbn [sumZ]. lia. Qed.

(** The exception is the one that is stated. *)
Lemma irregular_exception L : context d n N L -> irregular L -> exception d n N L.
Proof using HB n1.
  intros H [Ed [En [P0 P1]]]. rewrite (single L 0 Ed) in P0. rewrite (single L 1 Ed) in P1.
  destruct (context_entry L 0 0 H ltac:(lia) ltac:(lia)) as [E1 _].
  destruct (context_entry L 0 1 H ltac:(lia) ltac:(lia)) as [E2 _].
  pose proof (delta_N N N2) as D. unfold of_nat in D.
  split; [exact Ed|]. split; [exact En|]. split.
  - rewrite E1, P0. unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp. rewrite <- D. change (inject_Z 1) with 1%Q. ring.
  - rewrite E2, P1. exact D.
Qed.

(** In all others ids are in order. *)
Theorem is_ordered L : context d n N L -> ~ exception d n N L -> ordered d n N L.
Proof using HB n1.
  intros H NE j j' Hj Hj'. destruct (final L H) as [y [M [HI [_ [_ [_ [_ [_ [HO HC]]]]]]]]].
  destruct HC as [[HR _]|[HI' _]]; [|exfalso; apply NE, irregular_exception; assumption].
  unfold positional_swept. change (run d n (positional_sweep d n N)) with (swept_by (levels d n N)).
  rewrite (HI j ltac:(lia)), (HI j' Hj'). apply (proj1 (units_lt N N2 _ _)). apply HO; assumption.
Qed.

(** The ids after the sweep and the keys, as whole numbers. *)
Theorem from_sweep : positional_keys_from_sweep d n N.
Proof using HB n1.
  intros L H. destruct (final L H) as [y [M [HI [HM [Hp _]]]]]. exists (fun j => Z.to_nat (y j)).
  assert (forall j, (j < n)%nat -> Z.of_nat (Z.to_nat (y j)) = y j) as E by (intros j Hj; specialize (Hp j Hj); lia).
  split.
  - intros j Hj. split; [specialize (Hp j Hj); lia|]. unfold of_nat. rewrite (E j Hj). apply (HI j Hj).
  - intros j last Hj Hl HL. rewrite (positional_q_units L y M j HI HM Hj (Hp j Hj)).
    destruct HM as [[m [Hm Em]] HM]. pose proof (HL m Hm) as H1. pose proof (HM last Hl) as H2.
    assert (M = y last) as -> by (pose proof (Hp m Hm); pose proof (Hp last Hl); lia).
    unfold of_nat. rewrite Nat2Z.inj_add, Nat2Z.inj_mul, (E j Hj), (E last Hl). reflexivity.
Qed.
End Theorem3.

(** The statements, as they are stated. *)
Theorem appendixc2_contextual : AppendixC2_contextual.
Proof.
  intros d n N d1 n2 N2.
  exact (conj (is_contextual d n N d1 n2 N2) (conj (is_bounded d n N d1 n2 N2) (is_determined d n N d1 n2 N2))).
Qed.

(** The keys. *)
Theorem appendixc2_keys : AppendixC2_keys.
Proof. exact from_sweep. Qed.

(** The order. *)
Theorem appendixc2_order : AppendixC2_order.
Proof. intros d n N d1 n2 N2 L. exact (is_ordered d n N d1 n2 N2 L). Qed.

(** c.order fails at d = 1, n = 2. *)
Theorem appendixc2_no_order : AppendixC2_no_order.
Proof.
  intros N N2. pose proof (delta_N N N2) as D.
  set (L := fun i j : nat => if Nat.eqb j 0 then (1 - delta N)%Q else 1%Q).
  assert (L 0%nat 0%nat == inject_Z (Z.of_nat N - 1) * delta N)%Q as E0'.
  { unfold L. simpl Nat.eqb. cbv iota. unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp. rewrite <- D. unfold of_nat.
    change (inject_Z 1) with 1%Q. ring. }
  assert (L 0%nat 1%nat == inject_Z (Z.of_nat N) * delta N)%Q as E1' by (symmetry; exact D).
  assert (context 1 2 N L) as H.
  { intros i j Hi Hj. assert (i = 0)%nat as -> by lia. assert (j = 0 \/ j = 1)%nat as [->| ->] by lia.
    - exists (N - 1)%nat. split; [lia|]. rewrite E0'. unfold of_nat.
      replace (Z.of_nat (0 * N + (N - 1))) with (Z.of_nat N - 1) by lia. reflexivity.
    - exists 0%nat. split; [lia|]. rewrite E1'. unfold of_nat. replace (Z.of_nat (1 * N + 0)) with (Z.of_nat N) by lia.
      reflexivity. }
  exists L. split; [exact H|]. split; [split; [reflexivity|split; [reflexivity|split; reflexivity]]|].
  pose proof (swept_exception 1 2 N ltac:(lia) ltac:(lia) N2 L eq_refl eq_refl H) as S.
  rewrite !(single 1 2 N ltac:(lia) ltac:(lia) N2 L) in S by reflexivity.
  rewrite (entry_units N N2 L 0 0 _ E0'), (entry_units N N2 L 0 1 _ E1') in S. specialize (S eq_refl eq_refl).
  unfold positional_swept. change (run 1 2 (positional_sweep 1 2 N)) with (swept_by 1 2 N (levels 1 2 N)).
  rewrite (S 0%nat ltac:(lia)), (S 1%nat ltac:(lia)). apply (proj1 (units_lt N N2 _ _)).
  apply (E0_large 1 2 N); lia.
Qed.
