(** No run where a theorem is: Lemma 6's four properties and Lemma 10 as the page yun2020 says them, in the words of
    Core.v, for all d, n, N, from the theorems about Statement.v's network. The statements stand at the end.
    [Page] has the page's
    definitions as `verify --paper FILE --coq` writes them, with letters for the sizes. *)

From Coq Require Import QArith Qpower Qreduction ZArith List Bool Lia Lqa Sorted Permutation.
From Contextual Require Statement Lemma6Use Theorems.
From Contextual Require Import Permutations.
From Contextual.reader Require Import Core Sound Literal Words.
From Contextual.reader Require Lemma6Page.
From Contextual.reader.pages Require Lemma6.
Import ListNotations.
Open Scope Z_scope.
(** Proofs look into these definitions, which Words.v closes. *)
Transparent plus minus times negative over power div mod_ index listed each range compare not_ truth truth_of
  given sum max min count all any len distinct sorted abs fact comb unit column dot dots by_items becomes layer_with
  read head run states layers heads act use in_turn family with_argument relate for_each when within block gather
  weight.

(** ** Numbers in lowest terms *)
Definition num (q : Q) : found := Is (Number (Qred q)).
Definition whole (k : Z) : found := num (inject_Z k).
(** Equal numbers are the same, *)
Lemma num_eq p q : (p == q)%Q -> num p = num q.
Proof. intros H. unfold num. rewrite (Qred_complete p q H). reflexivity. Qed.
(** What is in lowest terms already: *)
Lemma Qred_one a p : (a = 1 \/ p = 1%positive) -> Qred (a # p) = a # p.
Proof.
  intros H. unfold Qred. pose proof (Z.ggcd_correct_divisors a (Zpos p)) as D. pose proof (Z.ggcd_gcd a (Zpos p)) as G.
  destruct (Z.ggcd a (Zpos p)) as [g [b c]]. simpl in *. assert (g = 1) as ->.
  { rewrite G. destruct H as [->| ->]; [apply Z.gcd_1_l|apply Z.gcd_1_r]. }
  destruct D as [D E]. rewrite Z.mul_1_l in D, E. subst. reflexivity.
Qed.
(** whole numbers are, *)
Lemma Qred_whole k : Qred (inject_Z k) = inject_Z k.
Proof. apply Qred_one. right. reflexivity. Qed.
(** and what was brought there. *)
Lemma Qred_twice q : Qred (Qred q) = Qred q.
Proof. apply Qred_complete, Qred_correct. Qed.
(** [lowest] is [Qred]. *)
Lemma lowest_red q : lowest q = Qred q.
Proof.
  unfold lowest. destruct (Pos.eqb_spec (Qden q) 1) as [E|_]; [|reflexivity]. destruct q as [a p]. simpl in E. subst.
  symmetry. apply Qred_one. right. reflexivity.
Qed.
(** Whole numbers as values, *)
Lemma whole_is k : Is (of_whole k) = whole k.
Proof. unfold whole, num, of_whole. rewrite Qred_whole. reflexivity. Qed.
(** and as the page writes them. *)
Lemma numeral_is k : Is (Number (k # 1)) = whole k.
Proof. symmetry. unfold whole, num. rewrite Qred_whole. reflexivity. Qed.
(** Arithmetic: a sum, *)
Lemma plus_num p q : plus (num p) (num q) = num (p + q).
Proof. unfold plus, num, as_value, add, is_number. rewrite lowest_red. apply num_eq. rewrite !Qred_correct.
reflexivity. Qed.
(** a product, *)
Lemma times_num p q : times (num p) (num q) = num (p * q).
Proof. unfold times, num, as_value, multiply, scale, is_number. rewrite lowest_red. apply num_eq.
rewrite !Qred_correct. reflexivity. Qed.
(** a negative, *)
Lemma negative_num p : negative (num p) = num (- p).
Proof. unfold negative, num, as_value, scale, is_number. rewrite lowest_red. apply num_eq. rewrite !Qred_correct.
ring. Qed.
(** a difference, *)
Lemma minus_num p q : minus (num p) (num q) = num (p - q).
Proof. unfold minus. rewrite negative_num, plus_num. reflexivity. Qed.
(** a quotient. *)
Lemma over_num p q : ~ (q == 0)%Q -> over (num p) (num q) = num (p / q).
Proof.
  intros H. unfold over, num, as_value, as_number. destruct (Qeq_bool (Qred q) 0) eqn:E.
  - apply Qeq_bool_iff in E. rewrite Qred_correct in E. contradiction.
  - unfold multiply, scale, is_number. rewrite lowest_red. apply num_eq. rewrite lowest_is, !Qred_correct. reflexivity.
Qed.
(** Whole numbers are seen to be whole. *)
Lemma whole_of_eq q k : (q == inject_Z k)%Q -> whole_of q = Some k.
Proof. intros H. unfold whole_of. rewrite (Qred_complete _ _ H), Qred_whole. reflexivity. Qed.
(** So they are taken where one is meant. *)
Lemma as_whole_num q k g : (q == inject_Z k)%Q -> as_whole (num q) g = g k.
Proof. intros H. unfold as_whole, as_number, num. rewrite (whole_of_eq _ k); [reflexivity|]. rewrite Qred_correct.
exact H. Qed.
(** 1..m *)
Lemma range_num a b m : (a == 1)%Q -> (b == inject_Z (Z.of_nat m))%Q -> Z.of_nat m <= many ->
  range (num a) (num b) = Is (List 1 (map (fun j => of_whole (Z.of_nat j + 1)) (seq 0 m))).
Proof.
  intros A B M. unfold range. rewrite (as_whole_num a 1 _ A), (as_whole_num b _ _ B).
  destruct (Z.ltb_spec many (Z.of_nat m - 1)); [lia|]. replace (Z.to_nat (Z.of_nat m - 1 + 1)) with m by lia.
  rewrite from_seq, map_map. do 2 f_equal. apply map_ext. intros j. f_equal. lia.
Qed.
(** [E for j in 1..m], *)
Lemma each_map (f : nat -> value) e l : (forall j, In j l -> e (at_ j) = Is (f j)) ->
  each_of (map (fun j => of_whole (Z.of_nat j + 1)) l) (fun _ => yes) e = Some (map f l).
Proof.
  induction l as [|j l IH]; intros H; [reflexivity|]. cbn [map each_of]. simpl (truth_of yes). cbn iota.
  change (Is (of_whole (Z.of_nat j + 1))) with (at_ j). rewrite H by (left; reflexivity).
  rewrite IH by (intros; apply H; right; assumption). reflexivity.
Qed.
(** [E for k in 1..m] of numbers. *)
Lemma each_numbers a b m e (f : nat -> Q) : (a == 1)%Q -> (b == inject_Z (Z.of_nat m))%Q -> Z.of_nat m <= many ->
  (1 <= m)%nat -> (forall j, (j < m)%nat -> e (at_ j) = num (f j)) ->
  each (range (num a) (num b)) (fun _ => yes) e = Is (vector m (fun j => Qred (f j))).
Proof.
  intros A B M M1 H. rewrite (range_num a b m A B M). unfold each, as_list.
  rewrite (each_map (fun j => Number (Qred (f j)))) by (intros j J; apply in_seq in J; apply H; lia).
  unfold list_from. rewrite kind_vector by (apply seq_some, M1). reflexivity.
Qed.
(** The items of a list that is defined item by item. *)
Lemma put_all_map (f : nat -> value) e m : forall k l, (forall s j, (k <= j < k + m)%nat -> e s (at_ j) = Is (f j)) ->
  l = map f (seq 0 k) ->
  put_all e (map (fun j => of_whole (Z.of_nat j + 1)) (seq k m)) (match k with O => None | _ => Some (1, l) end) =
  Some (match (k + m)%nat with O => None | _ => Some (1, map f (seq 0 (k + m))) end).
Proof.
  induction m as [|m IH]; intros k l H L.
  - rewrite Nat.add_0_r. subst. destruct k; reflexivity.
  - cbn [seq map put_all of_whole]. change (Is (Number (inject_Z (Z.of_nat k + 1)))) with (at_ k).
    rewrite (whole_of_eq _ (Z.of_nat k + 1)) by reflexivity. rewrite H by lia.
    assert (put match k with O => None | _ => Some (1, l) end (Z.of_nat k + 1) (f k) =
      Some (1, map f (seq 0 (S k)))) as ->.
    { destruct k as [|k]; [reflexivity|]. unfold put. subst l. rewrite map_length, seq_length.
      rewrite (proj2 (Z.eqb_eq _ _)) by lia. rewrite (seq_S (S k)), map_app. reflexivity. }
    specialize (IH (S k) (map f (seq 0 (S k)))). cbn iota in IH. rewrite IH; [|intros; apply H; lia|reflexivity].
    rewrite Nat.add_succ_r. reflexivity.
Qed.
(** of numbers. *)
Lemma by_items_numbers a b m e (f : nat -> Q) : (a == 1)%Q -> (b == inject_Z (Z.of_nat m))%Q -> Z.of_nat m <= many ->
  (1 <= m)%nat -> (forall s j, (j < m)%nat -> e s (at_ j) = num (f j)) ->
  by_items [(range (num a) (num b), e)] = Is (vector m (fun j => Qred (f j))).
Proof.
  intros A B M M1 H. unfold by_items. cbn [put_lines]. rewrite (range_num a b m A B M).
  pose proof (put_all_map (fun j => Number (Qred (f j))) e m 0 []) as P. cbn iota in P. rewrite P.
  - cbn [Nat.add]. destruct m as [|m]; [lia|]. unfold as_found, as_list, list_from.
    rewrite kind_vector by (apply seq_some, M1). reflexivity.
  - intros s j J. apply H. lia.
  - reflexivity.
Qed.
(** (1/N)^-k = N^k, within the limit. *)
Lemma power_num a k N : (1 <= N)%nat -> a = (1 # Pos.of_nat N) -> 0 <= k -> k * digits (Z.of_nat N) <= 40000 ->
  power (num a) (num (inject_Z (- k))) = num (inject_Z (Z.of_nat N ^ k)).
Proof.
  intros N1 -> K L. unfold power, num at 1, as_number. rewrite (as_whole_num _ (- k)) by reflexivity.
  rewrite Qred_one by (left; reflexivity). cbn [Qeq_bool Qnum Qden].
  replace (Qeq_bool (1 # Pos.of_nat N) 0) with false by reflexivity. cbn [andb].
  assert (Zpos (Pos.of_nat N) = Z.of_nat N) as P by (rewrite <- Znat.positive_nat_Z, Nat2Pos.id by lia; reflexivity).
  rewrite P. replace (Z.max (digits 1) (digits (Z.of_nat N))) with (digits (Z.of_nat N)).
  2: { unfold digits. destruct (Z.eqb_spec (Z.of_nat N) 0); [lia|]. simpl (if 1 =? 0 then _ else _).
    change (Z.log2 (Z.abs 1)) with 0. pose proof (Z.log2_nonneg (Z.abs (Z.of_nat N))). lia. }
  replace (Z.abs (- k)) with k by lia. rewrite (proj2 (Z.ltb_ge _ _) L). cbn [andb].
  unfold is_number. rewrite lowest_red. apply num_eq. rewrite Qpower_opp, Zpower_Qpower by exact K.
  rewrite Qinv_power_n, Qinv_involutive, P. reflexivity.
Qed.
(** e_1 *)
Lemma unit_is d : (1 <= d)%nat -> Z.of_nat d <= 10000 -> unit (whole 1) (whole (Z.of_nat d)) =
  Is (vector d (fun i => if Nat.eqb i 0 then 1 else 0)%Q).
Proof.
  intros D L. unfold unit, natural, whole. rewrite (as_whole_num _ 1), (as_whole_num _ (Z.of_nat d)) by reflexivity.
  cbn [Z.leb andb Z.compare Pos.compare Pos.compare_cont]. rewrite (proj2 (Z.leb_le 0 _)), (proj2 (Z.leb_le _ 10000)),
    (proj2 (Z.leb_le 1 _)) by lia.
  cbn [andb]. unfold vector. rewrite from_seq, Nat2Z.id, map_map. do 2 f_equal. apply map_ext. intros i.
  destruct i; [reflexivity|]. unfold of_whole. rewrite (proj2 (Z.eqb_neq _ _)) by lia. reflexivity.
Qed.
(** Equal entries make the same column. *)
Lemma vector_ext m f g : (forall i, (i < m)%nat -> f i = g i) -> vector m f = vector m g.
Proof. intros H. unfold vector. f_equal. apply map_ext_in. intros i I. apply in_seq in I. rewrite H by lia.
reflexivity. Qed.
(** A number times a column. *)
Lemma scale_vector q m f : scale q (vector m f) = Is (vector m (fun i => Qred (q * f i))).
Proof.
  unfold vector. generalize (seq 0 m) as l. intros l. simpl.
  match goal with |- match ?x with _ => _ end = _ => assert (x = Some (map (fun i => Number (Qred (q * f i))) l)) as
    ->; [|reflexivity] end.
  induction l as [|i l IH]; [reflexivity|]. cbn [map]. rewrite IH.
  match goal with |- match ?x with _ => _ end = _ => replace x with (Is (Number (Qred (q * f i)))) end; [reflexivity|].
  rewrite <- lowest_red. reflexivity.
Qed.
(** A column as a matrix. *)
Lemma column_vector m f : (1 <= m)%nat -> column (Is (vector m f)) = a_column m f.
Proof.
  intros D. unfold column, as_list, vector, a_column, list_of.
  assert (forall l, all_found (map (fun v => as_number (Is v) (fun q => listed [Is (Number q)]))
    (map (fun i : nat => Number (f i)) l)) = Some (map (fun i => List 1 [Number (f i)]) l)) as ->.
  { induction l as [|i l IH]; [reflexivity|]. cbn [map all_found]. rewrite IH. reflexivity. }
  unfold list_from.
  assert (forall l : list nat, l <> [] -> kind_of (List 1 (map (fun i => List 1 [Number (f i)]) l))
    = Some (AList (AList ANumber))) as K.
  { intros l. cbn [kind_of]. intros N. match goal with |- option_map AList ?x = _ => assert (x = Some (AList ANumber))
      as ->; [|reflexivity] end.
    revert N. induction l as [|i l IH]; intros N; [congruence|]. destruct l as [|j l]; [reflexivity|].
    cbn [map]. cbn [map] in IH. rewrite IH by discriminate. reflexivity. }
  rewrite K by (apply seq_some, D). reflexivity.
Qed.
(** The column q e_1. *)
Lemma unit_times d q : (1 <= d)%nat -> Z.of_nat d <= 10000 ->
  times (num q) (unit (whole 1) (whole (Z.of_nat d))) = Is (vector d (fun i => if Nat.eqb i 0 then Qred q else 0)%Q).
Proof.
  intros D L. rewrite unit_is by assumption. unfold times, as_value, multiply, num. rewrite scale_vector. f_equal.
  apply vector_ext. intros i _. destruct (Nat.eqb i 0).
  - rewrite <- (Qred_twice q) at 2. apply Qred_complete. ring.
  - change 0%Q with (Qred 0) at 2. apply Qred_complete. ring.
Qed.
(** Its negative. *)
Lemma negative_unit d q : negative (Is (vector d (fun i => if Nat.eqb i 0 then q else 0)%Q)) =
  Is (vector d (fun i => if Nat.eqb i 0 then Qred (- q) else 0)%Q).
Proof.
  unfold negative, as_value. rewrite scale_vector. f_equal. apply vector_ext. intros i _. destruct (Nat.eqb i 0).
  - apply Qred_complete. ring.
  - reflexivity.
Qed.
(** A column as the row of a matrix. *)
Lemma listed_vector m f : (1 <= m)%nat -> listed [Is (vector m f)] = a_row m f.
Proof.
  intros M. unfold listed, list_of, all_found, option_map, list_from.
  change (kind_of (List 1 [?v])) with (option_map AList (match kind_of v with Some a => one_kind a Anything | _ =>
    None end)).
  unfold vector at 1. rewrite kind_vector by (apply seq_some, M). reflexivity.
Qed.
(** The product of two columns. *)
Lemma dot_vector m w x : exists s, dot (Is (vector m w)) (Is (vector m x)) = num s /\
  (s == fold_right Qplus 0 (map (fun i => w i * x i) (seq 0 m)))%Q.
Proof.
  destruct (dot_vectors w x (seq 0 m)) as (s & E & S). exists s. split; [|exact S].
  unfold dot, as_list, vector, dot_found. rewrite E. unfold is_number. rewrite lowest_red. reflexivity.
Qed.
(** Layers, one after the other. *)
Lemma in_turn_use (g : nat -> layer) l : in_turn (map (fun i => use (g i)) l) = Some (map g l).
Proof. unfold in_turn. induction l as [|i l IH]; [reflexivity|]. cbn [map fold_right]. rewrite IH. reflexivity. Qed.
(** Numbers are found. *)
Lemma all_found_num (l : list nat) f : all_found (map (fun i => num (f i)) l) = Some (map (fun i => Number (Qred (f
  i))) l).
Proof. induction l as [|i l IH]; [reflexivity|]. cbn [map all_found num]. rewrite IH. reflexivity. Qed.
(** [..., 0, step, ..., k step], *)
Lemma dots_from before step last k : ~ (step == 0)%Q -> 0 <= k -> (last == inject_Z k * step)%Q ->
  dots (map num before ++ [whole 0; num step]) (num last) = if many <? k then Refused else
  list_of 1 (map num before ++ map (fun i => num (inject_Z (Z.of_nat i) * step)) (seq 0 (Z.to_nat (k + 1)))).
Proof.
  intros S K L. unfold dots. rewrite rev_app_distr. cbn [rev app].
  unfold as_number at 2 3, whole, num at 1 2. unfold as_number, num at 1. change (inject_Z 0) with 0%Q.
  assert (Qred step - Qred 0 == step)%Q as St by (rewrite !Qred_correct; ring).
  destruct (Qeq_bool (Qred step - Qred 0) 0) eqn:E; [apply Qeq_bool_iff in E; rewrite St in E; contradiction|].
  rewrite (whole_of_eq _ k) by (rewrite St, !Qred_correct, L; field; exact S).
  destruct (many <? k); [reflexivity|]. rewrite rev_involutive, map_map, from_seq, map_map. do 2 f_equal.
  apply map_ext. intros i. unfold is_number. rewrite lowest_red. apply num_eq. rewrite St, Qred_correct, Z.add_0_l.
  ring.
Qed.
(** with nothing before 0. *)
Lemma dots_levels step last k : ~ (step == 0)%Q -> 0 <= k -> (last == inject_Z k * step)%Q ->
  dots [whole 0; num step] (num last) =
  if many <? k then Refused else Is (vector (Z.to_nat (k + 1)) (fun i => Qred (inject_Z (Z.of_nat i) * step))).
Proof.
  intros S K L. change [whole 0; num step] with (map num [] ++ [whole 0; num step]).
  rewrite (dots_from _ step last k S K L).
  destruct (many <? k); [reflexivity|]. cbn [map app].
  unfold list_of. rewrite all_found_num. unfold list_from. rewrite kind_vector by (apply seq_some; lia). reflexivity.
Qed.

(** ** The page *)
Open Scope page_scope.
Module Page.
Section Sizes.
Variables size_d size_n size_N : nat.
Definition N' : found :=
  Is (of_whole (Z.of_nat size_N)).
Definition delta' : found :=
  1 / N'.
Definition n' : found :=
  Is (of_whole (Z.of_nat size_n)).
Definition d' : found :=
  Is (of_whole (Z.of_nat size_d)).
Definition sentinel' : found :=
  - delta' ^ (- (n' * d')).
Definition u' : found :=
  [delta' ^ (- (i' - 1)) for i' in range 1 d'].
Definition Gplus' : inputs :=
  Multisets n' n' (by_key (fun c' => dot u' c') (tuples (dots (sentinel' ;; 0 ;; delta' ;; nil) (1 - delta')) d')).
Definition in_G' (X' : found) : found :=
  all [all [0 <= a' < 1 for a' in X'.[j']] for j' in range 1 n'].
Definition category1' (X' : found) : found :=
  in_G' X' and distinct X' = n'.
Definition id' (c' : found) : found :=
  c' <- c' then dot u' c'.
Definition B' : found :=
  delta' ^ (- d').
Definition rho' : found :=
  delta' ^ (- d').
Definition shift' (v' : found) : layer :=
  layer_with v' (fun v' => becomes 2 (fun x' i' =>
    x'.[i'] + head (column (rho' * unit 1 d')) [u'] [u'] [u'] [delta' / 2 - v'] x' i' + head (column (- (rho' *
      unit 1 d'))) [u'] [u'] [u'] [- (delta' / 2) - v'] x' i')).
Definition sweep' : network :=
  family (dots (0 ;; delta' ;; nil) ((B' - 1) * delta')) (fun v' => use (shift' v')).
Definition Z' (X' : found) : found :=
  run sweep' X'.
Definition t' (X' : found) : found :=
  by_items ((range 1 n', fun t' j' => id' (Z' X').[j']) ;; nil).
Definition lower' : found :=
  delta' ^ (- ((n' - 1) * d')) * delta' * (delta' ^ (- d') - 1).
Definition upper' : found :=
  delta' ^ (- (n' * d')) * delta' * (delta' ^ (- d') - 1) - delta' * (delta' ^ (- d') - 1) ^ 2.
Definition F' : found :=
  delta' ^ (- ((n' + 1) * d')).
Definition global_shift' : layer :=
  becomes 1 (fun x' i' =>
    x'.[i'] + head (column (F' * unit 1 d')) [u'] [u'] [u'] [0] x' i').
Definition last' : network :=
  use global_shift'.
Definition Q' (X' : found) : found :=
  run last' (Z' X').
Definition q' (X' : found) : found :=
  by_items ((range 1 n', fun q' j' => id' (Q' X').[j']) ;; nil).
Definition t_l' : found :=
  delta' ^ (- (2 * n' * d')) * delta' * (delta' ^ (- d') - 1).
Definition t_r' : found :=
  delta' ^ (- ((2 * n' + 1) * d')) * delta' * (delta' ^ (- d') - 1).
Definition lemma10_lower'if (X' : found) : found :=
  category1' X'.
Definition lemma10_lower'lines (X' : found) : lines :=
  line 1 : (t' X').[n'] >= lower'.
Definition lemma10_upper'if (X' : found) : found :=
  category1' X'.
Definition lemma10_upper'lines (X' : found) : lines :=
  line 1 : (t' X').[n'] <= upper'.
Definition lemma10_injective'if (X' : found) : found :=
  category1' X'.
Definition lemma10_injective'lines (X' : found) : lines :=
  nothing.
Definition lemma10_injective'a1'numbers (X' : found) : found :=
  (t' X').[n'].
Definition lemma10_injective'a1'pair (a' b' : found) : lines :=
  line 1 : b' - a' > 0.
Definition lemma6_1'if (X' : found) : found :=
  category1' X'.
Definition lemma6_1'lines (X' : found) : lines :=
  within (q' X') (fun a' b' => line 1 : b' - a' > 0).
Definition lemma6_2'if (X' : found) : found :=
  category1' X'.
Definition lemma6_2'lines (X' : found) : lines :=
  nothing.
Definition lemma6_2'a1'numbers (X' : found) : found :=
  q' X'.
Definition lemma6_2'a1'pair (a' b' : found) : lines :=
  line 1 : b' - a' > 0.
Definition lemma6_3'if (X' : found) : found :=
  category1' X'.
Definition lemma6_3'lines (X' : found) : lines :=
  for j' in range 1 n' :
    block (line 1 : (q' X').[j'] >= t_l' ;;
    line 2 : (q' X').[j'] < t_r' ;;
    nil).
Definition lemma6_4'if (X' : found) : found :=
  not category1' X'.
Definition lemma6_4'lines (X' : found) : lines :=
  for j' in range 1 n' :
    block (when ((q' X').[j'] - t_l' < t_r' - (q' X').[j']) (line 1 : (q' X').[j'] < t_l') ;;
    when ((q' X').[j'] - t_l' >= t_r' - (q' X').[j']) (line 2 : (q' X').[j'] >= t_r') ;;
    nil).
End Sizes.
End Page.
Close Scope page_scope.

Section AllSizes.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n2 : (2 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Hypothesis limit : Z.of_nat ((2 * n + 1) * d) * digits (Z.of_nat N) <= 40000.

(** N has two binary digits or more. *)
Lemma digits_2 : 2 <= digits (Z.of_nat N).
Proof.
  unfold digits. destruct (Z.eqb_spec (Z.of_nat N) 0); [lia|].
  pose proof (Z.log2_le_mono 2 (Z.abs (Z.of_nat N)) ltac:(lia)).
  change (Z.log2 2) with 1 in *. lia.
Qed.
(** d and n are small. *)
Lemma small : Z.of_nat d <= 10000 /\ Z.of_nat n <= 10000.
Proof. pose proof digits_2. nia. Qed.
Notation whole_nat k := (whole (Z.of_nat k)).
(** N, *)
Lemma N_is : Page.N' N = whole_nat N. Proof. apply whole_is. Qed.
(** n, *)
Lemma n_is : Page.n' n = whole_nat n. Proof. apply whole_is. Qed.
(** d, *)
Lemma d_is : Page.d' d = whole_nat d. Proof. apply whole_is. Qed.
(** N is not 0, *)
Lemma N_not_0 : ~ (inject_Z (Z.of_nat N) == 0)%Q.
Proof. unfold Qeq. simpl. lia. Qed.
(** nor is delta. *)
Lemma delta_not_0 : ~ (Statement.delta N == 0)%Q.
Proof.
  unfold Statement.delta, Statement.of_nat, Qdiv. rewrite Qmult_1_l. intros E. apply N_not_0.
  rewrite <- (Qinv_involutive (inject_Z (Z.of_nat N))), E. reflexivity.
Qed.
(** delta *)
Lemma delta_is : Page.delta' N = num (Statement.delta N).
Proof. unfold Page.delta'. rewrite N_is, numeral_is. apply over_num, N_not_0. Qed.
(** delta^-k *)
Lemma pow_is (k : nat) e : (e == inject_Z (- Z.of_nat k))%Q -> (k <= (2 * n + 1) * d)%nat ->
  power (Page.delta' N) (num e) = num (Statement.of_nat (N ^ k)).
Proof.
  intros E K. rewrite delta_is, (num_eq _ _ E), (num_eq _ (1 # Pos.of_nat N)).
  - rewrite (power_num _ _ N); [|lia|reflexivity|lia|].
    + apply num_eq. unfold Statement.of_nat. rewrite Nat2Z.inj_pow. reflexivity.
    + pose proof digits_2. nia.
  - unfold Statement.delta, Statement.of_nat, Qdiv. rewrite Qmult_1_l.
    assert (Z.of_nat N = Zpos (Pos.of_nat N)) as -> by (rewrite <- Znat.positive_nat_Z, Nat2Pos.id by lia; reflexivity).
    reflexivity.
Qed.
Ltac wholes := repeat rewrite numeral_is; rewrite ?n_is, ?d_is, ?N_is; unfold whole;
  repeat (rewrite minus_num || rewrite plus_num || rewrite times_num || rewrite negative_num).
Ltac push := repeat (rewrite Nat2Z.inj_add || rewrite Nat2Z.inj_mul || rewrite inject_Z_opp || rewrite inject_Z_mult ||
  rewrite inject_Z_plus).
(** B, *)
Lemma B_is : Page.B' d N = num (Statement.of_nat (Statement.B d N)).
Proof. unfold Page.B'. wholes. apply pow_is; [push; reflexivity|nia]. Qed.
(** rho, *)
Lemma rho_is : Page.rho' d N = num (Statement.of_nat (Statement.B d N)).
Proof. exact B_is. Qed.
(** the sentinel, *)
Lemma sentinel_is : Page.sentinel' d n N = num (Statement.sentinel d n N).
Proof. unfold Page.sentinel'. wholes. rewrite (pow_is (n * d)); [apply negative_num|push; reflexivity|nia]. Qed.
(** F, *)
Lemma F_is : Page.F' d n N = num (Statement.of_nat (N ^ ((n + 1) * d))).
Proof. unfold Page.F'. wholes. apply pow_is; [push; reflexivity|nia]. Qed.
(** t_l, *)
Lemma t_l_is : Page.t_l' d n N = num (Statement.t_l d n N).
Proof.
  unfold Page.t_l'. wholes. rewrite (pow_is (2 * n * d)), (pow_is d), delta_is; [|push; reflexivity|nia|push;
    reflexivity|nia].
  rewrite minus_num, !times_num. reflexivity.
Qed.
(** and t_r are those of Statement.v. *)
Lemma t_r_is : Page.t_r' d n N = num (Statement.t_r d n N).
Proof.
  unfold Page.t_r'. wholes. rewrite (pow_is ((2 * n + 1) * d)), (pow_is d), delta_is; [|push; reflexivity|nia|push;
    reflexivity|nia].
  rewrite minus_num, !times_num. reflexivity.
Qed.
(** Whole numbers of Statement.v. *)
Lemma Qred_of_nat k : Qred (Statement.of_nat k) = Statement.of_nat k.
Proof. apply Qred_whole. Qed.
(** u *)
Lemma u_is : Page.u' d N = Is (vector d (Statement.u N)).
Proof.
  unfold Page.u'. wholes. pose proof small.
  rewrite (each_numbers _ _ d _ (fun i => Statement.u N i)); [|reflexivity|reflexivity|unfold many; lia|exact d1|].
  - f_equal. apply vector_ext. intros i _. apply Qred_of_nat.
  - intros j J. unfold at_. rewrite whole_is. unfold whole. rewrite minus_num, negative_num. apply pow_is; [|nia].
    push. ring.
Qed.
(** Its row. *)
Lemma row_u : listed [Page.u' d N] = a_row d (Statement.u N).
Proof. rewrite u_is. apply listed_vector, d1. Qed.
(** A bias. *)
Lemma bias_is q : listed [num q] = Is (vector 1 (fun _ => Qred q)).
Proof. reflexivity. Qed.

(** ** The layers *)
Lemma half : over (num (Statement.delta N)) (whole 2) = num (Statement.delta N / 2).
Proof. apply over_num. discriminate. Qed.
(** The page's selective shift is Statement.v's, *)
Lemma shift_is k : Page.shift' d N (num (inject_Z (Z.of_nat k) * Statement.delta N)) =
  page_attention d (Lemma6Page.in_terms (Statement.selective_shift d N k)).
Proof.
  pose proof small. unfold Page.shift', layer_with, num at 1. fold (num (inject_Z (Z.of_nat k) * Statement.delta N)).
  repeat rewrite numeral_is. rewrite delta_is, rho_is, d_is, row_u.
  rewrite half, negative_num, !minus_num, !bias_is, unit_times by (exact d1 || lia).
  rewrite negative_unit, !column_vector by exact d1.
  rewrite Qred_of_nat. change (- Statement.of_nat (Statement.B d N))%Q with (inject_Z (- Z.of_nat (Statement.B d N))).
  rewrite Qred_whole.
  rewrite (Qred_complete (Statement.delta N / 2 - inject_Z (Z.of_nat k) * Statement.delta N)
    (- (Statement.of_nat k * Statement.delta N - Statement.delta N / 2))) by (unfold Statement.of_nat; ring).
  rewrite (Qred_complete (- (Statement.delta N / 2) - inject_Z (Z.of_nat k) * Statement.delta N)
    (- (Statement.of_nat k * Statement.delta N + Statement.delta N / 2))) by (unfold Statement.of_nat; ring).
  reflexivity.
Qed.
(** its global shift, *)
Lemma global_is : Page.global_shift' d n N = page_attention d (Lemma6Page.in_terms (Statement.global_shift d n N)).
Proof.
  pose proof small. unfold Page.global_shift'. repeat rewrite numeral_is. rewrite F_is, d_is, row_u.
  rewrite unit_times by (exact d1 || lia). rewrite column_vector by exact d1. rewrite Qred_of_nat. reflexivity.
Qed.
(** The levels of the sweep can be listed. *)
Notation few := (Z.of_nat (Statement.B d N) - 1 <= many).
(** and its sweep. *)
Lemma sweep_is : few -> exists g, Page.sweep' d N = Some g /\
  Forall2 (layer_is d n) g (Statement.sweep d N).
Proof.
  intros M. assert (1 <= Statement.B d N)%nat as B1 by (unfold Statement.B; pose proof (Nat.pow_nonzero N d); lia).
  exists (map (fun k => Page.shift' d N (num (inject_Z (Z.of_nat k) * Statement.delta N))) (seq 0 (Statement.B d N))).
  split.
  - unfold Page.sweep'. rewrite !numeral_is, B_is, delta_is. unfold whole at 2. rewrite minus_num, times_num.
    rewrite (dots_levels _ _ (Z.of_nat (Statement.B d N) - 1)); [| |lia|].
    + destruct (Z.ltb_spec many (Z.of_nat (Statement.B d N) - 1)); [lia|]. unfold family, vector. rewrite map_map.
      replace (Z.to_nat (Z.of_nat (Statement.B d N) - 1 + 1)) with (Statement.B d N) by lia.
      apply (in_turn_use (fun k => Page.shift' d N (num (inject_Z (Z.of_nat k) * Statement.delta N)))).
    + exact delta_not_0.
    + unfold Statement.of_nat, Z.sub. rewrite inject_Z_plus. reflexivity.
  - unfold Statement.sweep. generalize (seq 0 (Statement.B d N)) as l.
    induction l as [|k l IH]; [constructor|]. cbn [map]. constructor; [|exact IH].
    apply Lemma6Page.in_terms_is; [exact d1|lia|apply shift_is].
Qed.

(** ** The cases *)
(** The numbers of the grid. *)
Definition grid : list value := Number (Qred (Statement.sentinel d n N)) ::
  map (fun k => Number (Qred (inject_Z (Z.of_nat k) * Statement.delta N))) (seq 0 N).
(** They are what the page lists. *)
Lemma grid_is : dots [Page.sentinel' d n N; Is (Number 0); Page.delta' N] (minus (Is (Number 1)) (Page.delta' N)) =
  if many <? Z.of_nat N - 1 then Refused else Is (List 1 grid).
Proof.
  repeat rewrite numeral_is. rewrite sentinel_is, delta_is. unfold whole at 2. rewrite minus_num.
  change (num (Statement.sentinel d n N) :: ?l) with (map num [Statement.sentinel d n N] ++ l).
  rewrite (dots_from _ _ _ (Z.of_nat N - 1)); [|exact delta_not_0|lia|].
  - destruct (many <? Z.of_nat N - 1); [reflexivity|]. replace (Z.to_nat (Z.of_nat N - 1 + 1)) with N by lia.
    unfold list_of. cbn [map app all_found num]. rewrite all_found_num. cbn [option_map]. unfold list_from.
    assert (forall q (f : nat -> Q) l, kind_of (List 1 (Number q :: map (fun k => Number (f k)) l)) = Some (AList
      ANumber))
      as K; [|rewrite K; reflexivity].
    intros q f l. pose proof (kind_vector (fun k => match k with O => q | S k => f k end) (0%nat :: map S l) 1) as K.
    cbn [map] in K. rewrite map_map in K. apply K. discriminate.
  - unfold Z.sub. rewrite inject_Z_plus. change (inject_Z (Z.opp 1)) with (- (1))%Q. change (inject_Z 1) with 1%Q.
    unfold Statement.delta, Statement.of_nat. field. exact N_not_0.
Qed.
(** A column of the grid: numbers in lowest terms, each the sentinel or a step. *)
Definition grid_column (v : value) : Prop := exists c, v = vector d c /\ forall i, (i < d)%nat -> Qred (c i) = c i /\
  ((c i == Statement.sentinel d n N)%Q \/ Statement.on_grid N (c i)).
(** Sorting changes no items: *)
Lemma insert_permutation a l : Permutation (insert a l) (a :: l).
Proof.
  induction l as [|b l IH]; [reflexivity|]. cbn [insert]. destruct (order a b); [reflexivity|reflexivity|].
  rewrite IH. apply perm_swap.
Qed.
(** they are the same. *)
Lemma in_order_permutation l : Permutation (in_order l) l.
Proof.
  induction l as [|a l IH]; [reflexivity|]. cbn [in_order fold_right]. rewrite insert_permutation. constructor.
  exact IH.
Qed.
(** None more, none less. *)
Lemma in_in_order l v : In v (in_order l) <-> In v l.
Proof. split; apply Permutation_in; [|symmetry]; apply in_order_permutation. Qed.
(** Nor does sorting by a key. *)
Lemma in_by_key e k l r : by_key e (Is (List k l)) = Is r -> exists m, r = List 1 m /\ forall v, In v m -> In v l.
Proof.
  unfold by_key, as_list. set (key := fun v => as_number (e (Is v)) (fun q => Is (List 1 [Number q; v]))).
  destruct (all_found (map key l)) as [m|] eqn:E; [|discriminate]. intros R. inversion R; subst. eexists. split;
    [reflexivity|].
  assert (forall p, In p m -> exists q v, p = List 1 [Number q; v] /\ In v l) as K.
  { clear R. revert m E. induction l as [|v l IH]; intros m E; cbn [map all_found] in E; [inversion E; subst;
      intros p []|].
    destruct (key v) as [p|] eqn:P; [|discriminate]. destruct (all_found (map key l)) as [m'|]; [|discriminate].
    inversion E; subst. intros r [<-|I].
    - unfold key, as_number in P. destruct (e (Is v)) as [[q| |]|]; try discriminate. inversion P; subst.
      exists q, v. split; [reflexivity|left; reflexivity].
    - destruct (IH m' eq_refl r I) as (q & x & A & B). exists q, x. split; [exact A|right; exact B]. }
  intros v V. apply in_map_iff in V as (p & <- & P). rewrite in_in_order in P. destruct (K p P) as (q & x & -> & X).
  exact X.
Qed.
(** Their tuples are these columns. *)
Lemma in_tuples v : In v (map (List 1) (product (repeat grid d))) <-> grid_column v.
Proof.
  rewrite in_map_iff. setoid_rewrite in_product. split.
  - intros (w & <- & W). assert (length w = d) as L by (rewrite (forall2_length _ _ _ W); apply repeat_length).
    assert (forall a, In a w -> exists q, a = Number q /\ Qred q = q /\
      ((q == Statement.sentinel d n N)%Q \/ Statement.on_grid N q)) as Each.
    { intros a A. apply In_nth_error in A as (i & A). destruct (forall2_nth _ _ _ W i a A) as (s & S & I).
      apply nth_error_In, repeat_spec in S. subst s. destruct I as [<-|I].
      - eexists. split; [reflexivity|]. split; [apply Qred_twice|]. left. apply Qred_correct.
      - apply in_map_iff in I as (k & <- & I). apply in_seq in I. eexists. split; [reflexivity|].
        split; [apply Qred_twice|]. right. exists k. split; [lia|]. apply Qred_correct. }
    exists (fun i => number_in (Is (nth i w (Number 0)))). split.
    + unfold vector. f_equal. rewrite <- L. clear - Each. induction w as [|a w IH]; [reflexivity|].
      cbn [length seq map nth]. destruct (Each a (or_introl eq_refl)) as (q & -> & _). f_equal.
      rewrite <- seq_shift, map_map. apply IH. intros b I. apply Each. right. exact I.
    + intros i I. destruct (Each (nth i w (Number 0))) as (q & E & C); [apply nth_In; lia|]. rewrite E. exact C.
  - intros (c & -> & G). exists (map (fun i => Number (c i)) (seq 0 d)). split; [reflexivity|].
    rewrite <- (seq_length d 0) at 2.
    assert (forall i, In i (seq 0 d) -> In (Number (c i)) grid) as In_grid.
    { intros i I. apply in_seq in I. destruct (G i ltac:(lia)) as (R & [S|(k & K & S)]).
      - left. f_equal. rewrite <- R. apply Qred_complete. symmetry. exact S.
      - right. apply in_map_iff. exists k. split; [|apply in_seq; lia]. f_equal. rewrite <- R. apply Qred_complete.
        symmetry. exact S. }
    revert In_grid. generalize (seq 0 d) as l. clear. induction l as [|i l IH]; intros H; constructor.
    + apply H. left. reflexivity.
    + apply IH. intros j J. apply H. right. exact J.
Qed.
(** The columns of the page: there are no others, and the sweep has no more levels. *)
Lemma columns_are l : set_of (by_key (fun c => dot (Page.u' d N) c)
    (tuples (dots [Page.sentinel' d n N; Is (Number 0); Page.delta' N] (minus (Is (Number 1)) (Page.delta' N))) (Page.d'
      d))) = Some l ->
  few /\ forall v, In v l -> grid_column v.
Proof.
  rewrite grid_is, d_is. destruct (many <? Z.of_nat N - 1); [discriminate|].
  unfold tuples, as_list at 1, natural, whole. rewrite (as_whole_num _ (Z.of_nat d)) by reflexivity. pose proof small.
  destruct ((0 <=? Z.of_nat d) && (Z.of_nat d <=? 10000)); [|discriminate].
  destruct (Z.ltb_spec many (Z.of_nat (length grid) ^ Z.of_nat d)) as [|M]; [discriminate|].
  intros S. split.
  - unfold Statement.B. rewrite Nat2Z.inj_pow. enough (Z.of_nat N ^ Z.of_nat d <= Z.of_nat (length grid) ^ Z.of_nat d)
      by
      lia.
    apply Z.pow_le_mono_l. unfold grid. cbn [length]. rewrite map_length, seq_length. lia.
  - intros v V. destruct (by_key _ _) as [r|] eqn:K in S; [|discriminate].
    apply in_by_key in K as (m & -> & K). unfold set_of in S. destruct (Nat.eqb _ _); [|discriminate]. inversion S;
      subst m.
    apply in_tuples. rewrite Nat2Z.id in K. apply K, V.
Qed.
(** All entries are in lowest terms. *)
Definition in_lowest (X : Statement.matrix) : Prop := forall i j, (i < d)%nat -> (j < n)%nat -> Qred (X i j) = X i j.
(** A case is a matrix of G+. *)
Lemma case_is w : a_case (Page.Gplus' d n N) w -> exists X, w = a_matrix d n X /\ Statement.in_Gplus d n N X /\
  in_lowest X.
Proof.
  cbn [a_case Page.Gplus']. intros (items & places & -> & (a & b & A & B & Len) & (l & S & F) & _).
  assert (length items = n) as L.
  { rewrite n_is in A, B. unfold whole, num in A, B. rewrite Qred_whole in A, B. injection A as <-. injection B as <-.
    destruct Len as [P R].
    rewrite <- Zle_Qle in P, R. lia. }
  apply columns_are in S as [_ G].
  assert (forall j, (j < n)%nat -> grid_column (nth j items (Number 0))) as Each.
  { intros j J. apply G. assert (In (nth j items (Number 0)) items) as I by (apply nth_In; lia). revert I.
    generalize (nth j items (Number 0)).
    clear - F. induction F as [|p a places items P F IH]; intros v []; [subst; apply (nth_error_In _ _ P)|apply IH;
      assumption]. }
  exists (fun i j => entry (Is (nth j items (Number 0))) i). split; [|split].
  - unfold a_matrix. f_equal. rewrite <- L in Each. rewrite <- L. clear - Each. induction items as [|a items IH];
      [reflexivity|].
    cbn [length seq map]. f_equal.
    + destruct (Each 0%nat ltac:(cbn [length]; lia)) as (c & E & _). cbn [nth] in *. subst a. apply vector_ext.
      intros i I.
      symmetry. apply entry_vector, I.
    + rewrite <- seq_shift, map_map. apply IH. intros j J. apply (Each (S j)). cbn [length]. lia.
  - intros i j I J. destruct (Each j J) as (c & -> & C). rewrite entry_vector by exact I. apply C, I.
  - intros i j I J. destruct (Each j J) as (c & -> & C). rewrite entry_vector by exact I. apply C, I.
Qed.
(** If there is one, the levels can be listed. *)
Lemma case_levels w : a_case (Page.Gplus' d n N) w -> few.
Proof. cbn [a_case Page.Gplus']. intros (items & places & _ & _ & (l & S & _) & _). apply columns_are in S as [M _].
exact M. Qed.
(** ** The categories *)
Lemma all_truths (f : nat -> bool) l : all (Is (List 1 (map (fun i => Truth (f i)) l))) = Is (Truth (forallb f l)).
Proof.
  unfold all, truths, as_list.
  assert (fold_right (fun v r => match v, r with Truth b, Some r => Some (b :: r) | _, _ => None end) (Some [])
    (map (fun i => Truth (f i)) l) = Some (map f l)) as ->.
  { induction l as [|i l IH]; [reflexivity|]. cbn [map fold_right]. rewrite IH. reflexivity. }
  do 2 f_equal. induction l as [|i l IH]; [reflexivity|]. cbn [map forallb]. rewrite IH. reflexivity.
Qed.
(** and that it is a list. *)
Lemma list_truths (f : nat -> bool) l : list_from 1 (map (fun i => Truth (f i)) l) = Is (List 1 (map (fun i => Truth
  (f i)) l)).
Proof.
  unfold list_from. cbn [kind_of].
  match goal with |- match option_map AList ?x with _ => _ end = _ => assert (x = Some Anything \/ x = Some ATruth) as
    [-> | ->]; [|reflexivity|reflexivity] end.
  induction l as [|i l IH]; [left; reflexivity|]. right. cbn [map]. destruct IH as [-> | ->]; reflexivity.
Qed.
(** 0 <= a < 1 *)
Definition inside (q : Q) : bool := Qle_bool 0 q && (negb (Qle_bool 1 q) && true).
(** What in_G says, *)
Lemma in_G_is X : Page.in_G' n (Is (a_matrix d n X)) =
  Is (Truth (forallb (fun j => forallb (fun i => inside (X i j)) (seq 0 d)) (seq 0 n))).
Proof.
  unfold Page.in_G'. repeat rewrite numeral_is. rewrite n_is. unfold whole. pose proof small.
  rewrite (range_num _ _ n) by (reflexivity || (unfold many; lia)). unfold each at 1, as_list.
  rewrite (each_map (fun j => Truth (forallb (fun i => inside (X i j)) (seq 0 d)))).
  - rewrite list_truths. apply all_truths.
  - intros j J. apply in_seq in J. rewrite index_matrix by lia. unfold each, as_list, vector.
    assert (forall l : list nat, each_of (map (fun i => Number (X i j)) l) (fun _ => yes)
      (fun a => compare (num (inject_Z 0)) [(AtMost, a); (Less, num (inject_Z 1))]) = Some (map (fun i => Truth
        (inside (X i j))) l)) as E.
    { induction l as [|i l IH]; [reflexivity|]. cbn [map each_of]. simpl (truth_of yes). cbn iota. rewrite IH.
      reflexivity. }
    rewrite E, list_truths. apply all_truths.
Qed.
(** which is Statement.v's. *)
Lemma in_G_true X : Statement.in_Gplus d n N X ->
  (forallb (fun j => forallb (fun i => inside (X i j)) (seq 0 d)) (seq 0 n) = true <-> Statement.in_G d n N X).
Proof.
  intros P. assert (0 < Statement.delta N)%Q as D0.
  { unfold Statement.delta, Statement.of_nat, Qdiv. rewrite Qmult_1_l. apply Qinv_lt_0_compat. unfold Qlt. simpl. lia. }
  assert (Statement.delta N * inject_Z (Z.of_nat N) == 1)%Q as D1.
  { unfold Statement.delta, Statement.of_nat. field. exact N_not_0. }
  split.
  - rewrite forallb_forall. intros F i j I J. specialize (F j ltac:(apply in_seq; lia)). rewrite forallb_forall in F.
    specialize (F i ltac:(apply in_seq; lia)). destruct (P i j I J) as [S|G]; [exfalso|exact G].
    unfold inside in F. apply andb_true_iff in F as [F _]. apply Qle_bool_iff in F. rewrite S in F.
    unfold Statement.sentinel, Statement.of_nat in F. apply (Qle_not_lt _ _ F). rewrite <- inject_Z_opp.
    change 0%Q with (inject_Z 0).
    rewrite <- Zlt_Qlt. pose proof (Nat.pow_nonzero N (n * d)). lia.
  - intros G. apply forallb_forall. intros j J. apply forallb_forall. intros i I. apply in_seq in I, J.
    destruct (G i j) as (k & K & E); [lia|lia|]. unfold inside. rewrite andb_true_r. apply andb_true_iff. split.
    + apply Qle_bool_iff. rewrite E. unfold Statement.of_nat. apply Qmult_le_0_compat; [change 0%Q with (inject_Z 0);
        rewrite <- Zle_Qle; lia|apply Qlt_le_weak, D0].
    + apply negb_true_iff. destruct (Qle_bool 1 (X i j)) eqn:B; [|reflexivity]. apply Qle_bool_iff in B. exfalso.
      apply (Qle_not_lt _ _ B). rewrite E, <- D1, Qmult_comm. apply Qmult_lt_l; [exact D0|]. unfold Statement.of_nat.
      rewrite <- Zlt_Qlt. lia.
Qed.
(** Same columns have equal entries. *)
Lemma same_vector m f g : same (vector m f) (vector m g) = true <-> forall i, (i < m)%nat -> (f i == g i)%Q.
Proof.
  unfold vector. assert (forall l k k', same (List k (map (fun i => Number (f i)) l)) (List k' (map (fun i : nat =>
    Number (g i)) l)) = true <->
    forall i, In i l -> (f i == g i)%Q) as H.
  { intros l k k'. simpl. induction l as [|i l IH]; [split; [intros _ i []|reflexivity]|]. cbn [map].
    rewrite andb_true_iff, IH.
    split.
    - intros [A B] j [<-|J]; [apply Qeq_bool_iff, A|apply B, J].
    - intros A. split; [apply Qeq_bool_iff, A; left; reflexivity|intros j J; apply A; right; exact J]. }
  rewrite H. split; intros A i I; apply A; apply in_seq in I || apply in_seq; lia.
Qed.
(** All items are different. *)
Lemma different_all (f : nat -> value) l : NoDup l -> (forall i j, same (f i) (f j) = true -> same (f j) (f i) = true)
  ->
  (length (different (map f l)) = length l <-> forall i j, In i l -> In j l -> same (f i) (f j) = true -> i = j).
Proof.
  intros U Sym. induction U as [|k l K U IH]; [split; [intros _ i j []|reflexivity]|]. cbn [map different length].
  pose proof (different_length (map f l)) as Short. rewrite map_length in Short.
  destruct (existsb (same (f k)) (map f l)) eqn:E.
  - split; [lia|]. intros A. exfalso. apply existsb_exists in E as (v & V & S). apply in_map_iff in V as (j & <- & J).
    apply K. rewrite (A k j); [exact J|left; reflexivity|right; exact J|exact S].
  - assert (forall j, In j l -> same (f k) (f j) = true -> False) as No.
    { intros j J S. enough (existsb (same (f k)) (map f l) = true) by congruence. apply existsb_exists. exists (f j).
      split; [apply in_map, J|exact S]. }
    cbn [length]. split.
    + intros L. assert (length (different (map f l)) = length l) as L' by lia. rewrite IH in L'.
      intros i j [<-|I] [<-|J] S; [reflexivity|destruct (No j J S)|destruct (No i I (Sym _ _ S))|apply L'; assumption].
    + intros A. f_equal. apply IH. intros i j I J. apply A; right; assumption.
Qed.
(** category1 is G~. *)
Lemma category1_is X : Statement.in_Gplus d n N X -> exists b,
  Page.category1' n (Is (a_matrix d n X)) = Is (Truth b) /\ (b = true <-> Statement.in_Gtilde d n N X).
Proof.
  intros P. unfold Page.category1'. rewrite in_G_is. cbn [truth_of]. pose proof (in_G_true X P) as G.
  destruct (forallb _ (seq 0 n)).
  - rewrite n_is. unfold whole, num. rewrite Qred_whole. unfold distinct, a_matrix, as_list, compare, relate, chained.
    set (k := length _). exists (Qeq_bool (inject_Z (Z.of_nat k)) (inject_Z (Z.of_nat n)) && true). split;
      [reflexivity|].
    rewrite andb_true_r, Qeq_bool_iff, inject_Z_injective. unfold k.
    assert (Z.of_nat (length (different (map (fun j => vector d (fun i => X i j)) (seq 0 n)))) = Z.of_nat n <->
      length (different (map (fun j => vector d (fun i => X i j)) (seq 0 n))) = length (seq 0 n)) as -> by (rewrite
        seq_length; lia).
    rewrite different_all.
    + split.
      * intros A. split; [apply G; reflexivity|]. intros i j I J S. apply A; try (apply in_seq; lia).
        apply same_vector, S.
      * intros [_ A] i j I J S. apply in_seq in I, J. apply A; try lia. intros k' K.
        apply (proj1 (same_vector _ _ _) S k' K).
    + apply seq_NoDup.
    + intros i j S. apply same_vector. intros k' K. symmetry. apply (proj1 (same_vector _ _ _) S k' K).
  - exists false. split; [reflexivity|]. split; [discriminate|]. intros [H _]. apply G in H. discriminate.
Qed.
(** ** The ids after the sweep, and at the end *)
Lemma Z_is X : few -> exists Y, Page.Z' d N (Is (a_matrix d n X)) = Is (a_matrix d n Y) /\
  forall i j, (i < d)%nat -> (j < n)%nat -> (Y i j == Statement.run d n (Statement.sweep d N) X i j)%Q.
Proof.
  intros M. destruct (sweep_is M) as (g & E & G). unfold Page.Z'. rewrite E. apply network_is_statement;
    [exact d1|exact G].
Qed.
(** Q, *)
Lemma Q_is X : few -> exists Y, Page.Q' d n N (Is (a_matrix d n X)) = Is (a_matrix d n Y) /\
  forall i j, (i < d)%nat -> (j < n)%nat -> (Y i j == Statement.run d n (Statement.network d n N) X i j)%Q.
Proof.
  intros M. destruct (Z_is X M) as (Y & E & A). unfold Page.Q', Page.last', use. rewrite E.
  destruct (network_is_statement d n [Page.global_shift' d n N] [Statement.global_shift d n N] d1) with (X := Y) as (W
    & F & C).
  - constructor; [|constructor]. apply Lemma6Page.in_terms_is; [exact d1|lia|apply global_is].
  - exists W. split; [exact F|]. intros i j I J. rewrite C by assumption. unfold Statement.network, Statement.run at 2.
    rewrite fold_left_app. apply (Lemma6Use.run_ext d n [Statement.global_shift d n N]); [|exact J|exact I].
    intros k K m I2. apply A; assumption.
Qed.
(** ids, *)
Lemma id_is Y X j : (j < n)%nat -> (forall i j, (i < d)%nat -> (j < n)%nat -> (Y i j == X i j)%Q) ->
  Page.id' d N (index (Is (a_matrix d n Y)) (at_ j)) = num (Statement.id d N X j).
Proof.
  intros J E. rewrite index_matrix by exact J. unfold Page.id', given. rewrite u_is.
  destruct (dot_vector d (Statement.u N) (fun i => Y i j)) as (s & -> & S). apply num_eq. rewrite S, <- row_is.
  unfold Statement.id. apply Lemma6Use.row_columns. intros i I. apply E; assumption.
Qed.
(** and q. *)
Theorem q_is X : few -> Page.q' d n N (Is (a_matrix d n X)) = Is (vector n (fun j => Qred (Statement.q d n N X j))).
Proof.
  intros M. unfold Page.q'. destruct (Q_is X M) as (Y & -> & A). pose proof small. wholes.
  apply by_items_numbers; [reflexivity|reflexivity|unfold many; lia|lia|]. intros s j J. apply id_is; assumption.
Qed.
(** ** The claims *)
(** What holds of all matrices of G+, holds of all cases. *)
Lemma for_cases g l : (few -> forall X, Statement.in_Gplus d n N X ->
  hold (when (g (Is (a_matrix d n X))) (l (Is (a_matrix d n X))))) -> holds (Page.Gplus' d n N) g l.
Proof. intros H w W. pose proof (case_levels w W) as M. destruct (case_is w W) as (X & -> & P & _). apply H;
  assumption. Qed.
(** An item of a column. *)
Lemma index_vector f j : (j < n)%nat -> index (Is (vector n f)) (at_ j) = Is (Number (f j)).
Proof.
  intros J. unfold index, as_list, vector, at_. rewrite whole_is. unfold whole.
  rewrite (as_whole_num _ (Z.of_nat j + 1)) by reflexivity.
  replace (Z.of_nat j + 1 - 1) with (Z.of_nat j) by lia. apply (item_seq (fun i => Number (f i))), J.
Qed.
(** for j in 1..n *)
Lemma for_columns f : (forall j, (j < n)%nat -> hold (f (at_ j))) -> hold (for_each (range (Is (Number 1)) (Page.n' n))
  f).
Proof.
  intros H. repeat rewrite numeral_is. rewrite n_is. unfold whole. pose proof small.
  rewrite (range_num _ _ n) by (reflexivity || (unfold many; lia)). apply hold_for_each. intros v V.
  apply in_map_iff in V as (j & <- & J). apply in_seq in J. apply H. lia.
Qed.
(** A number. *)
Lemma reads_num q : reads (num q) q.
Proof. exists (Qred q). split; [reflexivity|apply Qred_correct]. Qed.
Notation q X := (Statement.q d n N X).
(** q[j] *)
Lemma q_at X j : few -> (j < n)%nat ->
  index (Page.q' d n N (Is (a_matrix d n X))) (at_ j) = num (q X j).
Proof. intros M J. rewrite (q_is _ M). apply index_vector, J. Qed.

(** Property 3. *)
Theorem lemma6_3_matrix X : few -> Statement.in_Gplus d n N X ->
  hold (when (Page.lemma6_3'if n (Is (a_matrix d n X))) (Page.lemma6_3'lines d n N (Is (a_matrix d n X)))).
Proof.
  intros M P. destruct (category1_is X P) as (b & E & T).
  apply hold_when. exists b. split; [exact E|]. intros B. apply T in B. apply for_columns. intros j J.
  destruct (Theorems.property3 d n N d1 n2 N2 X B j J) as [L R]. rewrite q_at, t_l_is, t_r_is by assumption.
  apply hold_block. repeat constructor.
  - apply (line_at_least _ _ _ _ _ (reads_num _) (reads_num _)), L.
  - apply (line_less _ _ _ _ _ (reads_num _) (reads_num _)), R.
Qed.

(** Property 4: at the end that is nearer. *)
Theorem lemma6_4_matrix X : few -> Statement.in_Gplus d n N X ->
  hold (when (Page.lemma6_4'if n (Is (a_matrix d n X))) (Page.lemma6_4'lines d n N (Is (a_matrix d n X)))).
Proof.
  intros M P. destruct (category1_is X P) as (b & E & T).
  apply hold_when. exists (negb b). split; [unfold Page.lemma6_4'if; rewrite E; reflexivity|]. intros B.
  assert (~ Statement.in_Gtilde d n N X) as No by (intros G; apply T in G; subst; discriminate).
  apply for_columns. intros j J. pose proof (Theorems.property4 d n N d1 n2 N2 X P No j J) as Out.
  destruct (Theorems.interval d n N d1 n2 N2) as [_ Between].
  rewrite q_at, t_l_is, t_r_is by assumption. rewrite !minus_num. apply hold_block. repeat constructor; apply hold_when.
  - exists (negb (Qle_bool (Qred (Statement.t_r d n N - q X j)) (Qred (q X j - Statement.t_l d n N))) && true).
    split; [reflexivity|]. rewrite andb_true_r. intros Near. apply negb_true_iff in Near.
    apply (line_less _ _ _ _ _ (reads_num _) (reads_num _)). destruct Out as [Out|Out]; [exact Out|exfalso].
    enough (Qle_bool (Qred (Statement.t_r d n N - q X j)) (Qred (q X j - Statement.t_l d n N)) = true) by congruence.
    apply Qle_bool_iff. rewrite !Qred_correct. lra.
  - exists (Qle_bool (Qred (Statement.t_r d n N - q X j)) (Qred (q X j - Statement.t_l d n N)) && true).
    split; [reflexivity|]. rewrite andb_true_r. intros Near. apply Qle_bool_iff in Near. rewrite !Qred_correct in Near.
    apply (line_at_least _ _ _ _ _ (reads_num _) (reads_num _)). destruct Out as [Out|Out]; [exfalso; lra|exact Out].
Qed.

(** Numbers in order, none twice. *)
Definition below (a b : value) : Prop := exists x y, a = Number x /\ b = Number y /\ (x < y)%Q.
(** Sorting keeps them so, *)
Lemma insert_below x l : Sorted below l -> (forall y, In (Number y) l -> ~ (x == y)%Q) -> (forall v, In v l -> exists
  y, v = Number y) ->
  Sorted below (insert (Number x) l).
Proof.
  induction 1 as [|v l S IH H]; intros No Num; [repeat constructor|].
  destruct (Num v (or_introl eq_refl)) as (y & ->). specialize (No y (or_introl eq_refl)) as Not.
  cbn [insert order]. destruct (x ?= y)%Q eqn:O.
  - apply Qeq_alt in O. contradiction.
  - constructor; [constructor; assumption|]. constructor. exists x, y. repeat split. apply Qlt_alt, O.
  - apply Qgt_alt in O. constructor.
    + apply IH; intros; [apply No|apply Num]; right; assumption.
    + destruct l as [|w l]; [constructor; exists y, x; auto|].
      destruct (Num w (or_intror (or_introl eq_refl))) as (z & ->).
      cbn [insert order]. destruct (x ?= z)%Q; constructor; try (exists y, x; auto; fail).
      inversion H; subst. assumption.
Qed.
(** and makes them so. *)
Lemma in_order_below (f : nat -> Q) l : NoDup l -> (forall i j, In i l -> In j l -> (f i == f j)%Q -> i = j) ->
  Sorted below (in_order (map (fun i => Number (f i)) l)).
Proof.
  induction 1 as [|i l I U IH]; intros Inj; [constructor|]. cbn [map in_order fold_right]. apply insert_below.
  - apply IH. intros a b A B. apply Inj; right; assumption.
  - intros y Y E. apply in_in_order, in_map_iff in Y as (j & F & J). inversion F; subst. apply I.
    rewrite (Inj i j); [exact J|left; reflexivity|right; exact J|exact E].
  - intros v V. apply in_in_order, in_map_iff in V as (j & <- & _). eauto.
Qed.
(** Then neighbours are apart. *)
Lemma neighbours_hold f l : Sorted below l -> (forall a b, below a b -> hold (f (Is a) (Is b))) -> hold (neighbours l
  f).
Proof.
  intros S H. induction S as [|a l S IH D]; [apply hold_nothing|]. destruct l as [|b l]; [apply hold_nothing|].
  inversion D; subst. apply hold_then. split; [apply H; assumption|exact IH].
Qed.
(** Property 1. *)
Theorem lemma6_1_matrix X : few -> Statement.in_Gplus d n N X ->
  hold (when (Page.lemma6_1'if n (Is (a_matrix d n X))) (Page.lemma6_1'lines d n N (Is (a_matrix d n X)))).
Proof.
  intros M P. destruct (category1_is X P) as (b & E & T).
  apply hold_when. exists b. split; [exact E|]. intros B. apply T in B. unfold Page.lemma6_1'lines. rewrite (q_is _ M).
  assert (forall l f, widens f = true -> hold (neighbours (in_order l) f) ->
    hold match l with _ :: _ :: _ => if widens f then neighbours (in_order l) f else None | _ => nothing end) as Two.
  { intros [|? [|? l]] f W H; [apply hold_nothing|apply hold_nothing|rewrite W; exact H]. }
  unfold within, vector. rewrite kind_vector by (apply seq_some; lia). apply Two; [reflexivity|]. apply neighbours_hold.
  - apply (in_order_below (fun j => Qred (q X j))); [apply seq_NoDup|]. intros i j I J S. apply in_seq in I, J.
    rewrite !Qred_correct in S. apply (Theorems.property1 d n N d1 n2 N2 X B); [lia|lia|exact S].
  - intros a c (x & y & -> & -> & L). eapply line_more; [apply reads_minus; apply reads_number|apply reads_number|].
    lra.
Qed.

(** Two sorted lists of the same numbers are one list. *)
Lemma one_sorted : forall l m, Permutation l m -> StronglySorted le l -> StronglySorted le m -> l = m.
Proof.
  induction l as [|a l IH]; intros m P S R; [symmetry; apply Permutation_nil, P|].
  destruct m as [|b m]; [apply Permutation_sym, Permutation_nil in P; discriminate|].
  inversion S as [|? ? S' A]; inversion R as [|? ? R' B]; subst. rewrite Forall_forall in A, B.
  assert (a = b) as ->.
  { assert (In a (b :: m)) as I by (eapply Permutation_in; [exact P|left; reflexivity]).
    assert (In b (a :: l)) as J by (eapply Permutation_in; [apply Permutation_sym, P|left; reflexivity]).
    destruct I as [|I], J as [|J]; auto. apply Nat.le_antisymm; auto. }
  f_equal. apply IH; [eapply Permutation_cons_inv, P|assumption|assumption].
Qed.
(** A list by its places. *)
Lemma by_places (l : list nat) m : length l = m -> l = map (fun j => nth j l 0%nat) (seq 0 m).
Proof.
  intros <-. induction l as [|a l IH]; [reflexivity|]. cbn [length seq map nth]. rewrite <- seq_shift, map_map.
  f_equal. exact IH.
Qed.
(** A case's columns, by their places in the set. *)
Lemma places_are l X ps : Forall2 (fun p a => nth_error l p = Some a) ps
    (map (fun j => vector d (fun i => X i j)) (seq 0 n)) ->
  length ps = n /\ forall j, (j < n)%nat -> nth_error l (nth j ps 0%nat) = Some (vector d (fun i => X i j)).
Proof.
  intros F. pose proof (forall2_length _ _ _ F) as Len. rewrite map_length, seq_length in Len. split;
      [exact Len|].
    intros j J. destruct (nth_error ps j) as [k|] eqn:K; [|apply nth_error_None in K; lia].
    destruct (forall2_nth _ _ _ F j k K) as (v & V & R). rewrite (nth_error_nth _ _ 0%nat K), R, <- V.
    rewrite (map_nth_error _ j (seq 0 n) (d := j)); [reflexivity|].
    rewrite (nth_error_nth' _ 0%nat) by (rewrite seq_length; exact J).
    rewrite seq_nth by exact J. reflexivity.
Qed.
(** So two cases with the same columns are one case. *)
Lemma permuted_same X Y : a_case (Page.Gplus' d n N) (a_matrix d n X) -> a_case (Page.Gplus' d n N) (a_matrix d n Y) ->
  in_lowest X -> in_lowest Y -> Statement.permuted d n X Y -> a_matrix d n X = a_matrix d n Y.
Proof.
  intros (items & px & EX & _ & (l & L & FX) & SX) (items' & py & EY & _ & (l' & L' & FY) & SY) CX CY (p & Pb & Pi &
    Pe).
  rewrite L in L'. injection L' as <-. injection EX as <-. injection EY as <-. pose proof (set_nodup _ _ L) as U.
  destruct (places_are l X px FX) as [LX AX], (places_are l Y py FY) as [LY AY].
  assert (py = map (fun j => nth j px 0%nat) (map p (seq 0 n))) as E.
  { rewrite (by_places py n LY) at 1. rewrite map_map. apply map_ext_in. intros j J. apply in_seq in J.
    apply (proj1 (NoDup_nth_error l) U).
    - apply nth_error_Some. rewrite AY by lia. discriminate.
    - rewrite AY, AX by (try apply Pb; lia). f_equal. apply vector_ext. intros i I.
      rewrite <- (CY i j), <- (CX i (p j)) by (try apply Pb; lia). apply Qred_complete, Pe; lia. }
  assert (px = py) as ->.
  { apply one_sorted; [|exact SX|exact SY]. rewrite E, (Permutation_map _ (permutes_list n p (conj Pb Pi))).
    rewrite <- (by_places px n LX). reflexivity. }
  unfold a_matrix. f_equal. apply map_ext_in. intros j J. apply in_seq in J.
  assert (Some (vector d (fun i => X i j)) = Some (vector d (fun i => Y i j))) as S by (rewrite <- (AX j), <- (AY j)
    by lia; reflexivity).
  congruence.
Qed.
(** Property 2. *)
Theorem lemma6_2_for_all : across (Page.Gplus' d n N) (Page.lemma6_2'if n) (Page.lemma6_2'a1'numbers d n N)
  Page.lemma6_2'a1'pair.
Proof.
  assert (forall X, numbers (Is (vector n (fun j => Qred (q X j)))) = Some (map (fun j => Number (Qred (q X j))) (seq
    0 n))) as Numbers.
  { intros X. unfold numbers, vector. rewrite kind_vector by (apply seq_some; lia). reflexivity. }
  split.
  - intros w W. pose proof (case_levels w W) as M. destruct (case_is w W) as (X & -> & P & _).
    destruct (category1_is X P) as (b & E & _).
    unfold Page.lemma6_2'if, Page.lemma6_2'a1'numbers. rewrite E, (q_is _ M), Numbers. destruct b; [right|left;
      reflexivity].
    split; [reflexivity|eauto].
  - intros w w' l l' a b [W Y] [W' Y'] Ne A B I J Le. pose proof (case_levels w W) as M.
    destruct (case_is w W) as (X & -> & P & C), (case_is w' W') as (X' & -> & P' & C').
    destruct (category1_is X P) as (g & E & T), (category1_is X' P') as (g' & E' & T').
    unfold Page.lemma6_2'if, yes in Y, Y'. rewrite E in Y. rewrite E' in Y'. injection Y as ->. injection Y' as ->.
    unfold Page.lemma6_2'a1'numbers in A, B. rewrite (q_is X M), Numbers in A. rewrite (q_is X' M), Numbers in B.
    injection A as <-. injection B as <-.
    apply in_map_iff in I as (j & Ej & I). apply in_map_iff in J as (k & Ek & J). injection Ej as <-.
    injection Ek as <-.
    apply in_seq in I, J. eapply line_more; [apply reads_minus; apply reads_number|apply reads_number|].
    assert (~ (q X j == q X' k)%Q) as Apart.
    { apply (Theorems.property2 d n N d1 n2 N2); [apply T; reflexivity|apply T'; reflexivity| |lia|lia].
      intros Perm. apply Ne, permuted_same; assumption. }
    rewrite !Qred_correct in *. destruct (Qle_lt_or_eq _ _ Le) as [Lt|Eq]; [lra|contradiction].
Qed.
(** ** Lemma 10 *)
(** A pair of a key and an item. *)
Definition keyed (e : found -> found) (p : value) : Prop := exists z v, p = List 1 [Number z;
  v] /\ e (Is v) = Is (Number z).
(** The first has no larger key. *)
Definition no_larger (p p' : value) : Prop := exists z v z' v', p = List 1 [Number z; v] /\ p' = List 1 [Number z';
  v'] /\
  (z <= z')%Q.
(** This is an order. *)
Lemma no_larger_trans p p' p'' : no_larger p p' -> no_larger p' p'' -> no_larger p p''.
Proof.
  intros (z & v & r & w & -> & -> & A) (r' & w' & x & y & E & -> & B). injection E as -> ->. exists z, v, x, y.
  repeat split. eapply Qle_trans; eassumption.
Qed.
(** The order of pairs. *)
Lemma order_keyed e p p' : keyed e p -> keyed e p' -> match order p p' with Gt => no_larger p' p | _ => no_larger p p'
  end.
Proof.
  intros (z & v & -> & _) (r & w & -> & _). simpl. destruct (z ?= r)%Q eqn:C.
  - apply Qeq_alt in C. destruct (order v w).
    1, 2: exists z, v, r, w; repeat split; rewrite C; apply Qle_refl.
    exists r, w, z, v. repeat split. rewrite C. apply Qle_refl.
  - apply Qlt_alt in C. exists z, v, r, w. repeat split. apply Qlt_le_weak, C.
  - apply Qgt_alt in C. exists r, w, z, v. repeat split. apply Qlt_le_weak, C.
Qed.
(** Sorting makes it so: *)
Lemma insert_keyed e a l : keyed e a -> Forall (keyed e) l -> StronglySorted no_larger l -> StronglySorted no_larger
  (insert a l).
Proof.
  intros A F S. induction S as [|b l S IH B]; [repeat constructor|]. inversion F as [|? ? K F']; subst.
  pose proof (order_keyed e a b A K) as O. cbn [insert]. destruct (order a b).
  1, 2: constructor; [constructor; assumption|]; constructor; [exact O|]; eapply Forall_impl; [|exact B]; intros c;
    apply no_larger_trans; exact O.
  constructor; [apply IH, F'|]. apply Forall_forall. intros c C.
  apply (Permutation_in _ (insert_permutation a l)) in C as [<-|C];
    [exact O|]. rewrite Forall_forall in B. apply B, C.
Qed.
(** all items. *)
Lemma in_order_keyed e l : Forall (keyed e) l -> StronglySorted no_larger (in_order l).
Proof.
  induction l as [|a l IH]; intros F; [constructor|]. inversion F as [|? ? K F']; subst.
  apply (insert_keyed e); [exact K| |apply IH, F']. apply Forall_forall. intros c C. rewrite Forall_forall in F'.
  apply F', in_in_order, C.
Qed.
(** Of two items of a sorted list the first comes first. *)
Lemma sorted_nth {A} (R : A -> A -> Prop) l : StronglySorted R l -> forall p r a b, (p < r)%nat -> nth_error l p =
  Some a ->
  nth_error l r = Some b -> R a b.
Proof.
  induction 1 as [|x l S IH F]; intros [|p] [|r] a b L P Q; try lia; try discriminate; cbn [nth_error] in *.
  - injection P as <-. rewrite Forall_forall in F. apply F, (nth_error_In _ _ Q).
  - apply (IH p r); [lia|assumption|assumption].
Qed.
(** What is sorted by a key stands by that key. *)
Lemma by_key_sorted e k l m : by_key e (Is (List k l)) = Is (List 1 m) -> forall p r a b, (p < r)%nat -> nth_error m p
  = Some a ->
  nth_error m r = Some b -> exists x y, e (Is a) = Is (Number x) /\ e (Is b) = Is (Number y) /\ (x <= y)%Q.
Proof.
  unfold by_key, as_list. set (key := fun v => as_number (e (Is v)) (fun z => Is (List 1 [Number z; v]))).
  destruct (all_found (map key l)) as [ps|] eqn:E; [|discriminate]. intros R.
  assert (Forall (keyed e) ps) as K.
  { clear R. revert ps E. induction l as [|v l IH]; intros ps E; cbn [map all_found] in E; [inversion E; constructor|].
    destruct (key v) as [p|] eqn:P; [|discriminate]. destruct (all_found (map key l)) as [ps'|]; [|discriminate].
    inversion E; subst. constructor; [|apply IH; reflexivity]. unfold key, as_number in P.
    destruct (e (Is v)) as [[z| |]|] eqn:V; try discriminate. inversion P; subst. exists z, v. auto. }
  intros p r a b L A B. injection R as <-. rewrite nth_error_map in A, B.
  destruct (nth_error (in_order ps) p) as [pa|] eqn:PA; [|discriminate].
  destruct (nth_error (in_order ps) r) as [pb|] eqn:PB; [|discriminate].
  pose proof (sorted_nth _ _ (in_order_keyed e ps K) p r pa pb L PA PB) as (x & v & y & w & -> & -> & Le).
  rewrite Forall_forall in K. injection A as <-. injection B as <-.
  destruct (K _ (proj1 (in_in_order _ _) (nth_error_In _ _ PA))) as (x' & v' & Ex & V).
  destruct (K _ (proj1 (in_in_order _ _) (nth_error_In _ _ PB))) as (y' & w' & Ey & W).
  injection Ex as <- <-. injection Ey as <- <-. exists x, y. auto.
Qed.
(** In a case the last column has the largest id. *)
Lemma last_is X : a_case (Page.Gplus' d n N) (a_matrix d n X) -> Statement.is_last d n N X (n - 1).
Proof.
  intros (items & ps & E & _ & (l & L & F) & S). injection E as <-. destruct (places_are l X ps F) as [Len At].
  split; [lia|]. intros j J. destruct (Nat.eq_dec j (n - 1)) as [->|Ne]; [apply Qle_refl|].
  assert (nth j ps 0%nat <= nth (n - 1) ps 0%nat)%nat as Le.
  { apply (sorted_nth le ps S j (n - 1)); [lia| |]; apply nth_error_nth'; lia. }
  assert (forall Y k, (k < n)%nat -> exists s, dot (Page.u' d N) (Is (vector d (fun i => Y i k))) = num s /\
    (s == Statement.id d N Y k)%Q) as Id.
  { intros Y k K. rewrite u_is. destruct (dot_vector d (Statement.u N) (fun i => Y i k)) as (s & -> & Es). exists s.
    split; [reflexivity|]. rewrite Es, <- row_is. reflexivity. }
  destruct (Id X j J) as (x & Ex & X'), (Id X (n - 1)%nat ltac:(lia)) as (y & Ey & Y').
  destruct (Nat.eq_dec (nth j ps 0%nat) (nth (n - 1) ps 0%nat)) as [Same|Less].
  - pose proof (At j J) as A. rewrite Same, (At (n - 1)%nat) in A by lia. injection A as A.
    assert (vector d (fun i => X i (n - 1)%nat) = vector d (fun i => X i j)) as V by (unfold vector; congruence).
    rewrite V, Ex in Ey. rewrite <- X', <- Y'. injection Ey as Ey. rewrite <- (Qred_correct x), <- (Qred_correct y).
    replace (Qred x) with (Qred y) by congruence. apply Qle_refl.
  - unfold set_of in L. destruct (by_key _ _) as [r|] eqn:K in L; [|discriminate].
    destruct (tuples _ _) as [[| |k tup]|] eqn:T in K; try discriminate.
    destruct (in_by_key _ _ _ _ K) as (m & -> & _). destruct (Nat.eqb _ _); [|discriminate]. injection L as ->.
    destruct (by_key_sorted _ _ _ _ K (nth j ps 0%nat) (nth (n - 1) ps 0%nat) _ _ ltac:(lia) (At j J)
      (At (n - 1)%nat ltac:(lia))) as (x' & y' & Ex' & Ey' & Le').
    cbv beta in Ex', Ey'. rewrite Ex in Ex'. rewrite Ey in Ey'. unfold num in Ex', Ey'.
    assert (x' = Qred x) as -> by congruence. assert (y' = Qred y) as -> by congruence. rewrite !Qred_correct in Le'.
    rewrite <- X', <- Y'. exact Le'.
Qed.
(** The largest id after the sweep. *)
Theorem t_is X : few -> Page.t' d n N (Is (a_matrix d n X)) = Is (vector n (fun j => Qred (Statement.swept d n N X j))).
Proof.
  intros M. unfold Page.t'. destruct (Z_is X M) as (Y & -> & A). pose proof small. wholes.
  apply by_items_numbers; [reflexivity|reflexivity|unfold many; lia|lia|]. intros s j J. apply id_is; assumption.
Qed.
(** t[n] *)
Lemma t_last X : few -> index (Page.t' d n N (Is (a_matrix d n X))) (Page.n' n) = num (Statement.swept d n N X (n - 1)).
Proof.
  intros M. rewrite t_is by exact M. replace (Page.n' n) with (at_ (n - 1)).
  - apply index_vector. lia.
  - unfold at_, Page.n'. do 3 f_equal. lia.
Qed.
(** Its bounds. *)
Lemma lower_is : Page.lower' d n N =
  num (Statement.of_nat (N ^ ((n - 1) * d)) * Statement.delta N * (Statement.of_nat (Statement.B d N) - 1)).
Proof.
  unfold Page.lower'. wholes. rewrite (pow_is ((n - 1) * d)), (pow_is d), delta_is; [|push; reflexivity|nia| |nia].
  - rewrite minus_num, !times_num. reflexivity.
  - rewrite Nat2Z.inj_mul, Nat2Z.inj_sub by lia. unfold Z.sub. push. reflexivity.
Qed.
(** (B - 1)^2, *)
Lemma square_is : few -> power (num (Statement.of_nat (Statement.B d N) - 1)) (num (inject_Z 2)) =
  num ((Statement.of_nat (Statement.B d N) - 1) * (Statement.of_nat (Statement.B d N) - 1)).
Proof.
  intros M. assert (1 <= Statement.B d N)%nat as B1 by (unfold Statement.B; pose proof (Nat.pow_nonzero N d); lia).
  assert (Statement.of_nat (Statement.B d N) - 1 == inject_Z (Z.of_nat (Statement.B d N) - 1))%Q as E.
  { unfold Statement.of_nat, Z.sub. rewrite inject_Z_plus. reflexivity. }
  rewrite (num_eq _ _ E). set (z := Z.of_nat (Statement.B d N) - 1) in *. unfold power, num at 1, as_number.
  rewrite (as_whole_num _ 2) by reflexivity. rewrite Qred_whole. cbn [Qnum Qden inject_Z]. rewrite andb_false_r.
  assert (digits z <= 20 /\ 0 <= digits z) as Dz.
  { unfold digits. destruct (Z.eqb_spec z 0); [lia|]. pose proof (Z.log2_le_mono (Z.abs z) 1000000 ltac:(unfold many
      in M; lia)).
    change (Z.log2 1000000) with 19 in *. pose proof (Z.log2_nonneg (Z.abs z)). lia. }
  change (digits 1) with 1. rewrite (proj2 (Z.ltb_ge 40000 _)) by lia. cbn [andb]. unfold is_number. rewrite lowest_red.
  apply num_eq. rewrite E. simpl. unfold inject_Z, Qmult, Qeq. simpl. ring.
Qed.
(** and the upper bound. *)
Lemma upper_is : few -> Page.upper' d n N =
  num (Statement.of_nat (N ^ (n * d)) * Statement.delta N * (Statement.of_nat (Statement.B d N) - 1) -
    Statement.delta N * ((Statement.of_nat (Statement.B d N) - 1) * (Statement.of_nat (Statement.B d N) - 1))).
Proof.
  intros M. unfold Page.upper'. wholes. rewrite (pow_is (n * d)), (pow_is d), delta_is; [|push; reflexivity|nia|push;
    reflexivity|nia].
  change (inject_Z 1) with 1%Q. rewrite !minus_num. fold (Statement.B d N). rewrite (square_is M).
  rewrite !times_num, minus_num. reflexivity.
Qed.
(** The lower bound. *)
Theorem lemma10_lower_for_all : holds (Page.Gplus' d n N) (Page.lemma10_lower'if n) (Page.lemma10_lower'lines d n N).
Proof.
  intros w W. pose proof (case_levels w W) as M. destruct (case_is w W) as (X & -> & P & _).
  destruct (category1_is X P) as (b & E & T). apply hold_when. exists b. split; [exact E|]. intros B. apply T in B.
  unfold Page.lemma10_lower'lines. rewrite (t_last X M), lower_is. apply (line_at_least _ _ _ _ _ (reads_num _)
    (reads_num
    _)).
  apply (Theorems.lower10 d n N d1 n2 N2 X (n - 1)%nat B (last_is X W)).
Qed.
(** The upper bound. *)
Theorem lemma10_upper_for_all : holds (Page.Gplus' d n N) (Page.lemma10_upper'if n) (Page.lemma10_upper'lines d n N).
Proof.
  intros w W. pose proof (case_levels w W) as M. destruct (case_is w W) as (X & -> & P & _).
  destruct (category1_is X P) as (b & E & T). apply hold_when. exists b. split; [exact E|]. intros B. apply T in B.
  unfold Page.lemma10_upper'lines. rewrite (t_last X M), (upper_is M).
  apply (line_at_most _ _ _ _ _ (reads_num _) (reads_num _)).
  apply (Theorems.upper10 d n N d1 n2 N2 X (n - 1)%nat B (last_is X W)).
Qed.
(** The columns are determined. *)
Theorem lemma10_injective_for_all : across (Page.Gplus' d n N) (Page.lemma10_injective'if n)
  (Page.lemma10_injective'a1'numbers d n N) Page.lemma10_injective'a1'pair.
Proof.
  split.
  - intros w W. pose proof (case_levels w W) as M. destruct (case_is w W) as (X & -> & P & _).
    destruct (category1_is X P) as (b & E & _). unfold Page.lemma10_injective'if, Page.lemma10_injective'a1'numbers.
    rewrite E, (t_last X M). destruct b; [right|left; reflexivity]. split; [reflexivity|]. eexists. reflexivity.
  - intros w w' l l' a b [W Y] [W' Y'] Ne A B I J Le. pose proof (case_levels w W) as M.
    destruct (case_is w W) as (X & -> & P & C), (case_is w' W') as (X' & -> & P' & C').
    destruct (category1_is X P) as (g & E & T), (category1_is X' P') as (g' & E' & T').
    unfold Page.lemma10_injective'if, yes in Y, Y'. rewrite E in Y. rewrite E' in Y'. injection Y as ->.
    injection Y' as ->.
    unfold Page.lemma10_injective'a1'numbers in A, B. rewrite (t_last X M) in A. rewrite (t_last X' M) in B.
    unfold num, numbers in A, B.
    assert (l = [Number (Qred (Statement.swept d n N X (n - 1)))]) as -> by congruence.
    assert (l' = [Number (Qred (Statement.swept d n N X' (n - 1)))]) as -> by congruence.
    destruct I as [I|[]], J as [J|[]].
    assert (a = Qred (Statement.swept d n N X (n - 1))) as -> by congruence.
    assert (b = Qred (Statement.swept d n N X' (n - 1))) as -> by congruence.
    eapply line_more; [apply reads_minus; apply reads_number|apply reads_number|].
    assert (~ (Statement.swept d n N X (n - 1) == Statement.swept d n N X' (n - 1))%Q) as Apart.
    { intros S. apply Ne, permuted_same; try assumption.
      apply (Theorems.injective10 d n N d1 n2 N2 X (n - 1)%nat X' (n - 1)%nat); [apply T; reflexivity|apply T';
        reflexivity| | |exact S];
        apply last_is; assumption. }
    rewrite !Qred_correct in *. destruct (Qle_lt_or_eq _ _ Le) as [Lt|Eq]; [lra|contradiction].
Qed.

(** ** There are cases *)
(** Numbers in lowest terms are equal only if they are. *)
Lemma number_red p q : Number (Qred p) = Number (Qred q) -> (p == q)%Q.
Proof. intros E. rewrite <- (Qred_correct p). replace (Qred p) with (Qred q) by congruence. apply Qred_correct. Qed.
(** No two items are the same. *)
Lemma different_none l : NoDup l -> (forall v w, In v l -> In w l -> same v w = true -> v = w) ->
  length (different l) = length l.
Proof.
  induction 1 as [|v l V U IH]; intros S; [reflexivity|]. cbn [different].
  destruct (existsb (same v) l) eqn:E.
  - exfalso. apply existsb_exists in E as (w & W & Q). apply V. rewrite (S v w); [exact W|left; reflexivity|right;
      exact W|exact Q].
  - cbn [length]. f_equal. apply IH. intros a b A B. apply S; right; assumption.
Qed.
(** Sorted by a key that is defined, a set stays a set. *)
Lemma by_key_set e l (key : value -> Q) : (forall v, In v l -> e (Is v) = num (key v)) -> NoDup l ->
  (forall v w, In v l -> In w l -> same v w = true -> v = w) ->
  exists m, set_of (by_key e (Is (List 1 l))) = Some m /\ Permutation m l.
Proof.
  intros K U S. unfold by_key, as_list.
  assert (forall k, (forall v, In v k -> e (Is v) = num (key v)) ->
    all_found (map (fun v => as_number (e (Is v)) (fun q => Is (List 1 [Number q; v]))) k) =
    Some (map (fun v => List 1 [Number (Qred (key v)); v]) k)) as A.
  { induction k as [|v k IH]; intros H; [reflexivity|]. cbn [map all_found]. rewrite H by (left; reflexivity).
    unfold num at 1, as_number at 1. rewrite IH by (intros; apply H; right; assumption). reflexivity. }
  rewrite A by exact K. set (m := map (fun p => _) _).
  assert (Permutation m l) as P.
  { unfold m. rewrite in_order_permutation, map_map. rewrite map_id. reflexivity. }
  exists m. split; [|exact P]. unfold set_of. rewrite (different_none m), Nat.eqb_refl; [reflexivity| |].
  - apply (Permutation_NoDup (Permutation_sym P) U).
  - intros v w V W. apply S; eapply Permutation_in; eauto.
Qed.
(** The page's columns. *)
Notation columns := (by_key (fun c => dot (Page.u' d N) c)
    (tuples (dots [Page.sentinel' d n N; Is (Number 0); Page.delta' N] (minus (Is (Number 1)) (Page.delta' N))) (Page.d'
      d))).
(** Every column of G+ stands in the page's set, if the set can be listed. *)
Lemma columns_all : Z.of_nat (N + 1) ^ Z.of_nat d <= many -> exists l, set_of columns = Some l /\
  forall v, grid_column v -> In v l.
Proof.
  intros M. rewrite grid_is, d_is.
  assert (Z.of_nat N - 1 <= many) as M'.
  { enough (Z.of_nat (N + 1) ^ 1 <= Z.of_nat (N + 1) ^ Z.of_nat d) by lia. apply Z.pow_le_mono_r; lia. }
  destruct (Z.ltb_spec many (Z.of_nat N - 1)); [lia|].
  assert (length grid = (N + 1)%nat) as Ls by (unfold grid; cbn [length]; rewrite map_length, seq_length; lia).
  unfold tuples, as_list at 1, natural, whole. rewrite (as_whole_num _ (Z.of_nat d)) by reflexivity. pose proof small.
  rewrite (proj2 (Z.leb_le 0 _)), (proj2 (Z.leb_le _ 10000)) by lia. cbn [andb].
  rewrite Ls, (proj2 (Z.ltb_ge _ _) M), Nat2Z.id.
  destruct (by_key_set (fun c => dot (Page.u' d N) c) (map (List 1) (product (repeat grid d)))
    (fun v => match dot (Page.u' d N) (Is v) with Is (Number q) => q | _ => 0%Q end)) as (m & E & P).
  - intros v V. apply in_tuples in V as (c & -> & _). rewrite u_is.
    destruct (dot_vector d (Statement.u N) c) as (x & -> & _). unfold num. rewrite Qred_twice. reflexivity.
  - apply FinFun.Injective_map_NoDup; [intros x y E; congruence|]. apply product_nodup, Forall_forall. intros t T.
    apply repeat_spec in T. subst t. unfold grid. constructor.
    + intros I. apply in_map_iff in I as (k & E & _). apply number_red in E as E'.
      assert (0 <= inject_Z (Z.of_nat k) * Statement.delta N)%Q as Pos.
      { apply Qmult_le_0_compat; [change 0%Q with (inject_Z 0); rewrite <- Zle_Qle; lia|].
        unfold Statement.delta, Statement.of_nat, Qdiv. rewrite Qmult_1_l. apply Qinv_le_0_compat. unfold Qle. simpl.
        lia. }
      rewrite E' in Pos. apply (Qle_not_lt _ _ Pos). unfold Statement.sentinel, Statement.of_nat.
      rewrite <- inject_Z_opp. change 0%Q with (inject_Z 0). rewrite <- Zlt_Qlt.
      assert (N ^ (n * d) <> 0)%nat as Ne by (apply Nat.pow_nonzero; lia). clear - Ne. lia.
    + apply (FinFun.Injective_map_NoDup); [|apply seq_NoDup]. intros a b E. apply number_red in E as E'.
      apply Qmult_inj_r in E'; [|exact delta_not_0]. apply Nat2Z.inj, inject_Z_injective, E'.
  - intros v w V W S. apply in_tuples in V as (c & -> & C). apply in_tuples in W as (e & -> & F). apply vector_ext.
    intros i I. rewrite <- (proj1 (C i I)), <- (proj1 (F i I)). apply Qred_complete.
    apply (proj1 (same_vector _ _ _) S i I).
  - exists m. split; [exact E|]. intros v V. apply (Permutation_in _ (Permutation_sym P)), in_tuples, V.
Qed.
(** A sorted list of the same numbers. *)
Lemma sorted_exists (l : list nat) : exists m, Permutation l m /\ StronglySorted le m.
Proof.
  induction l as [|a l (m & P & S)]; [exists []; split; constructor|].
  assert (exists k, Permutation (a :: m) k /\ StronglySorted le k) as (k & K & T).
  { clear P. induction S as [|b m S (k & K & T) F]; [exists [a]; split; [reflexivity|repeat constructor]|].
    destruct (Nat.le_ge_cases a b) as [L|L].
    - exists (a :: b :: m). split; [reflexivity|]. constructor; [constructor; assumption|]. constructor; [exact L|].
      eapply Forall_impl; [|exact F]. intros c. simpl. lia.
    - exists (b :: k). split; [rewrite perm_swap; constructor; exact K|]. constructor; [exact T|].
      apply Forall_forall. intros c C. apply (Permutation_in _ (Permutation_sym K)) in C as [<-|C]; [exact L|].
      rewrite Forall_forall in F. apply F, C. }
  exists k. split; [rewrite P; exact K|exact T].
Qed.
(** Each matrix of G+ is a case, its columns in some order. *)
Lemma cases_all X : Z.of_nat (N + 1) ^ Z.of_nat d <= many -> Statement.in_Gplus d n N X -> exists Y,
  Statement.permuted d n X Y /\ a_case (Page.Gplus' d n N) (a_matrix d n Y).
Proof.
  intros M G. destruct (columns_all M) as (l & E & All).
  assert (forall m, (m <= n)%nat -> exists ps, length ps = m /\ forall j, (j < m)%nat ->
    nth_error l (nth j ps 0%nat) = Some (vector d (fun i => Qred (X i j)))) as Places.
  { induction m as [|m IH]; intros L; [exists []; split; [reflexivity|lia]|]. destruct IH as (ps & Len & H); [lia|].
    assert (In (vector d (fun i => Qred (X i m))) l) as I.
    { apply All. exists (fun i => Qred (X i m)). split; [reflexivity|]. intros i I. split; [apply Qred_twice|].
      unfold Statement.on_grid. setoid_rewrite Qred_correct. apply G; lia. }
    apply In_nth_error in I as (p & P). exists (ps ++ [p]). split; [rewrite app_length; simpl; lia|]. intros j J.
    destruct (Nat.eq_dec j m) as [->|Ne].
    - rewrite app_nth2, Len, Nat.sub_diag by lia. exact P.
    - rewrite app_nth1 by lia. apply H. lia. }
  destruct (Places n (le_n n)) as (ps & Len & H). destruct (sorted_exists ps) as (qs & P & S).
  assert (length qs = n) as Lq by (rewrite <- (Permutation_length P); exact Len).
  apply (Permutation_nth _ _ 0%nat) in P. cbn zeta in P. rewrite Len in P. destruct P as (_ & p & Pb & Pi & Pe).
  exists (fun i j => Qred (X i (p j))). split.
  - exists p. split; [exact Pb|]. split; [exact Pi|]. intros j J i I. apply Qred_correct.
  - cbn [a_case Page.Gplus']. eexists _, qs. split; [reflexivity|]. rewrite map_length, seq_length. split; [|split;
      [|exact S]].
    + rewrite n_is. unfold whole, num. rewrite Qred_whole. exists (inject_Z (Z.of_nat n)), (inject_Z (Z.of_nat n)).
      repeat split; apply Qle_refl.
    + exists l. split; [exact E|]. rewrite (by_places qs n Lq).
      assert (forall k, (forall j, In j k -> (j < n)%nat) -> Forall2 (fun p a => nth_error l p = Some a)
        (map (fun j => nth j qs 0%nat) k) (map (fun j => vector d (fun i => Qred (X i (p j)))) k)) as F.
      { induction k as [|j k IH]; intros K; constructor; [|apply IH; intros; apply K; right; assumption].
        assert (j < n)%nat as J by (apply K; left; reflexivity). rewrite Pe by exact J. apply H, Pb, J. }
      apply F. intros j J. apply in_seq in J. lia.
Qed.
End AllSizes.

(** ** What is proved *)
(** The sizes whose numbers a page can have: t_r's power has no more than 40,000 binary digits (section 2). *)
Definition sizes (d n N : nat) : Prop := (1 <= d)%nat /\ (2 <= n)%nat /\ (2 <= N)%nat /\
  Z.of_nat ((2 * n + 1) * d) * digits (Z.of_nat N) <= 40000.
(** The four properties, as the page says them, hold for all of them: of all cases that the page has. It has none where
    the language refuses its set of columns, for (N+1)^d above a million: there this says nothing. *)
Theorem lemma6_all_sizes d n N : sizes d n N ->
  holds (Page.Gplus' d n N) (Page.lemma6_1'if n) (Page.lemma6_1'lines d n N) /\
  across (Page.Gplus' d n N) (Page.lemma6_2'if n) (Page.lemma6_2'a1'numbers d n N) Page.lemma6_2'a1'pair /\
  holds (Page.Gplus' d n N) (Page.lemma6_3'if n) (Page.lemma6_3'lines d n N) /\
  holds (Page.Gplus' d n N) (Page.lemma6_4'if n) (Page.lemma6_4'lines d n N).
Proof.
  intros (D & L & M & P). split; [|split; [|split]].
  - apply for_cases; try assumption. intros. apply lemma6_1_matrix; assumption.
  - apply lemma6_2_for_all; assumption.
  - apply for_cases; try assumption. intros. apply lemma6_3_matrix; assumption.
  - apply for_cases; try assumption. intros. apply lemma6_4_matrix; assumption.
Qed.
(** They hold of every matrix of G+, its columns in any order, where the levels of the sweep can be listed. *)
Theorem lemma6_all_matrices d n N X : sizes d n N -> Z.of_nat (N ^ d) - 1 <= many -> Statement.in_Gplus d n N X ->
  let w := Is (a_matrix d n X) in
  hold (when (Page.lemma6_1'if n w) (Page.lemma6_1'lines d n N w)) /\ hold (when (Page.lemma6_3'if n w)
    (Page.lemma6_3'lines d n N
    w)) /\
  hold (when (Page.lemma6_4'if n w) (Page.lemma6_4'lines d n N w)).
Proof.
  intros (D & L & M & P) Few G. split; [|split]; [apply lemma6_1_matrix|apply lemma6_3_matrix|apply lemma6_4_matrix];
    assumption.
Qed.
(** Lemma 10, likewise. *)
Theorem lemma10_all_sizes d n N : sizes d n N ->
  holds (Page.Gplus' d n N) (Page.lemma10_lower'if n) (Page.lemma10_lower'lines d n N) /\
  holds (Page.Gplus' d n N) (Page.lemma10_upper'if n) (Page.lemma10_upper'lines d n N) /\
  across (Page.Gplus' d n N) (Page.lemma10_injective'if n) (Page.lemma10_injective'a1'numbers d n N)
    Page.lemma10_injective'a1'pair.
Proof.
  intros (D & L & M & P). split; [|split];
    [apply lemma10_lower_for_all|apply lemma10_upper_for_all|apply lemma10_injective_for_all]; assumption.
Qed.
(** The cases are the matrices of G+, each with its columns in some order, where the set of columns can be listed. *)
Theorem cases_are_matrices d n N : sizes d n N -> Z.of_nat (N + 1) ^ Z.of_nat d <= many ->
  (forall w, a_case (Page.Gplus' d n N) w -> exists X, w = a_matrix d n X /\ Statement.in_Gplus d n N X) /\
  (forall X, Statement.in_Gplus d n N X -> exists Y, Statement.permuted d n X Y /\
    a_case (Page.Gplus' d n N) (a_matrix d n Y)).
Proof.
  intros (D & L & M & P) Few. split.
  - intros w W. destruct (case_is d n N D L M P w W) as (X & E & G & _). exists X. auto.
  - intros X. apply cases_all; assumption.
Qed.
(** The claims are those that were run at (1, 2, 3). *)
Theorem page_at_1_2_3 : Page.Gplus' 1 2 3 = Lemma6.Gplus' /\ Page.lemma6_1'if 2 = Lemma6.lemma6_1'if /\
  Page.lemma6_1'lines 1 2 3 = Lemma6.lemma6_1'lines /\ Page.lemma6_2'if 2 = Lemma6.lemma6_2'if /\
  Page.lemma6_2'a1'numbers 1 2 3 = Lemma6.lemma6_2'a1'numbers /\ Page.lemma6_2'a1'pair = Lemma6.lemma6_2'a1'pair /\
  Page.lemma6_3'if 2 = Lemma6.lemma6_3'if /\ Page.lemma6_3'lines 1 2 3 = Lemma6.lemma6_3'lines /\
  Page.lemma6_4'if 2 = Lemma6.lemma6_4'if /\ Page.lemma6_4'lines 1 2 3 = Lemma6.lemma6_4'lines /\
  Page.lemma10_lower'if 2 = Lemma6.lemma10_lower'if /\ Page.lemma10_lower'lines 1 2 3 = Lemma6.lemma10_lower'lines /\
  Page.lemma10_upper'if 2 = Lemma6.lemma10_upper'if /\ Page.lemma10_upper'lines 1 2 3 = Lemma6.lemma10_upper'lines /\
  Page.lemma10_injective'if 2 = Lemma6.lemma10_injective'if /\
  Page.lemma10_injective'a1'numbers 1 2 3 = Lemma6.lemma10_injective'a1'numbers /\
  Page.lemma10_injective'a1'pair = Lemma6.lemma10_injective'a1'pair.
Proof. repeat split; reflexivity. Qed.
