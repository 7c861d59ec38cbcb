(** Attention with literal weights, as pages write it, x[i] <- x[i] + head(...) + ..., is the [attention] of
  Statement.v:
    for every d, n, all heads and all tokens. *)

From Coq Require Import QArith Qreduction ZArith List Bool Lia.
From Contextual Require Statement Lemma6Use.
From Contextual.reader Require Import Core Check Sound.
Import ListNotations.
Open Scope Z_scope.

(** ** A matrix of Statement.v, and its weights, as pages have them *)
Definition vector (m : nat) (f : nat -> Q) : value := List 1 (map (fun i => Number (f i)) (seq 0 m)).
Definition a_matrix (d n : nat) (X : Statement.matrix) : value := List 1 (map (fun j => vector d (fun i => X i j))
  (seq 0 n)).
Definition a_row (d : nat) (w : nat -> Q) : found := Is (List 1 [vector d w]).
Definition a_column (d : nat) (w : nat -> Q) : found := Is (List 1 (map (fun i => List 1 [Number (w i)]) (seq 0 d))).
Definition page_head (d : nat) (h : Statement.head) (b : Q) (x i : found) : found :=
  head (a_column d (Statement.W_O h)) (a_row d (Statement.W_V h)) (a_row d (Statement.W_K h)) (a_row d (Statement.W_Q
    h))
    (Is (vector 1 (fun _ => b))) x i.
(** Heads with the number that stands for b_Q: the same number, perhaps in other terms. *)
Definition page_attention (d : nat) (l : list (Statement.head * Q)) : layer :=
  becomes (Z.of_nat (length l)) (fun x i =>
    fold_left (fun s h => plus s (page_head d (fst h) (snd h) x i)) l (index x i)).
Definition same_bias (h : Statement.head * Q) : Prop := (snd h == Statement.b_Q (fst h))%Q.

(** ** Columns *)
Lemma add_vectors a b : forall l k m, add (List k (map (fun i : nat => Number (a i)) l)) (List m (map (fun i =>
  Number (b i)) l)) =
  Is (List 1 (map (fun i => Number (lowest (a i + b i))) l)).
Proof.
  induction l as [|i l IH]; intros k m; [reflexivity|]. specialize (IH k m). simpl in *.
  match type of IH with match ?r with _ => _ end = _ => destruct r; [|discriminate] end. inversion IH. reflexivity.
Qed.
(** The product of two columns. *)
Lemma dot_vectors w x : forall l, exists s, dot_of (map (fun i : nat => Number (w i)) l) (map (fun i => Number (x i))
  l) = Some s /\
  (s == fold_right Qplus 0 (map (fun i => w i * x i) l))%Q.
Proof.
  induction l as [|i l (s & E & S)]; [exists 0%Q; split; reflexivity|]. simpl. rewrite E. simpl. eexists. split;
    [reflexivity|].
  rewrite lowest_is, S. reflexivity.
Qed.
(** A column is a list of numbers. *)
Lemma kind_vector f : forall l k, l <> [] -> kind_of (List k (map (fun i : nat => Number (f i)) l)) = Some (AList
  ANumber).
Proof.
  intros l k. simpl. assert (forall l : list nat, l <> [] -> (fix all l := match l with
      | [] => Some Anything
      | v :: l => match kind_of v, all l with Some a, Some b => one_kind a b | _, _ => None end
      end) (map (fun i => Number (f i)) l) = Some ANumber) as H; [|intros N; rewrite H by exact N; reflexivity].
  clear. induction l as [|i l IH]; intros N; [congruence|]. destruct l as [|j l]; [reflexivity|].
  cbn [map]. cbn [map] in IH. rewrite IH by discriminate. reflexivity.
Qed.
(** Sums of Statement.v. *)
Lemma sum_is m f : (Statement.sum m f == fold_right Qplus 0 (map f (seq 0 m)))%Q.
Proof.
  assert (forall l a, fold_right Qplus 0 (l ++ [a]) == fold_right Qplus 0 l + a)%Q as Snoc.
  { induction l as [|b l IH]; intros a; simpl; [ring|]. rewrite IH. ring. }
  induction m as [|m IH]; [reflexivity|]. rewrite seq_S, map_app. cbn [Statement.sum map].
    rewrite Qred_correct, Snoc, IH. reflexivity.
Qed.
(** There is a row. *)
Lemma seq_some d : (1 <= d)%nat -> seq 0 d <> [].
Proof. destruct d; [lia|discriminate]. Qed.

(** A number read of a column; one number as a column. *)
Definition one (f : found) (q : Q) : Prop := exists p, f = Is (List 1 [Number p]) /\ (p == q)%Q.
(** A row times a column. *)
Lemma row_times_column d w x : (1 <= d)%nat ->
  one (times (a_row d w) (Is (vector d x))) (fold_right Qplus 0 (map (fun i => w i * x i) (seq 0 d)))%Q.
Proof.
  intros D. unfold times, a_row, vector, as_value, multiply.
    pose proof (kind_vector w (seq 0 d) 1 (seq_some d D)) as K.
  assert (kind_of (List 1 [List 1 (map (fun i => Number (w i)) (seq 0 d))]) = Some (AList (AList ANumber))) as K'.
  { change (kind_of (List 1 [?v])) with (option_map AList (match kind_of v with Some a => one_kind a Anything | _ =>
    None end)).
    cbn [kind_of]. cbn [kind_of] in K. rewrite K. reflexivity. }
  rewrite K'. destruct (dot_vectors w x (seq 0 d)) as (s & E & S). unfold map at 1. unfold row_times, dot_found.
    rewrite E.
  exists (lowest s). split; [reflexivity|]. rewrite lowest_is. exact S.
Qed.
(** Numbers as columns of one entry add, *)
Lemma plus_ones f g p q : one f p -> one g q -> one (plus f g) (p + q).
Proof. intros (x & -> & P) (y & -> & R). exists (lowest (x + y)). split; [reflexivity|]. rewrite lowest_is, P, R.
  reflexivity. Qed.
(** and multiply. *)
Lemma dot_ones f g p q : one f p -> one g q -> reads (dot f g) (p * q).
Proof.
  intros (x & -> & P) (y & -> & R). exists (lowest (lowest (x * y + 0))). split; [reflexivity|].
    rewrite !lowest_is, P, R. ring.
Qed.
Definition vector_is (d : nat) (f : found) (c : nat -> Q) : Prop :=
  exists c', f = Is (vector d c') /\ forall i, (i < d)%nat -> (c' i == c i)%Q.
(** W_O times what was read. *)
Lemma column_times_one d o f q : (1 <= d)%nat -> one f q -> vector_is d (times (a_column d o) f) (fun i => o i * q)%Q.
Proof.
  intros D (p & -> & P). unfold times, a_column, as_value, multiply.
  assert (forall l : list nat, l <> [] -> kind_of (List 1 (map (fun i => List 1 [Number (o i)]) l)) = Some (AList
    (AList ANumber))) as K.
  { intros l. cbn [kind_of]. assert (forall l : list nat, l <> [] -> (fix all l := match l with
      | [] => Some Anything
      | v :: l => match kind_of v, all l with Some a, Some b => one_kind a b | _, _ => None end
      end) (map (fun i => List 1 [Number (o i)]) l) = Some (AList ANumber)) as H; [|intros N; rewrite H by exact N;
        reflexivity].
    clear. induction l as [|i l IH]; intros N; [congruence|]. destruct l as [|j l]; [reflexivity|].
    cbn [map]. cbn [map] in IH. rewrite IH by discriminate. reflexivity. }
  rewrite K by (apply seq_some, D). exists (fun i => lowest (lowest (o i * p + 0))). split.
  - unfold list_of. assert (forall l, all_found (map (row_times [Number p]) (map (fun i : nat => List 1 [Number (o
    i)]) l)) =
      Some (map (fun i => Number (lowest (lowest (o i * p + 0)))) l)) as A.
    { induction l as [|i l IH]; [reflexivity|]. cbn [map all_found row_times dot_found dot_of option_map].
      rewrite IH. reflexivity. }
    rewrite A. unfold list_from. rewrite kind_vector by (apply seq_some, D). reflexivity.
  - intros i _. rewrite !lowest_is, P. ring.
Qed.
(** Columns add entry by entry. *)
Lemma plus_vectors d f g a b : vector_is d f a -> vector_is d g b -> vector_is d (plus f g) (fun i => a i + b i)%Q.
Proof.
  intros (a' & -> & A) (b' & -> & B). exists (fun i => lowest (a' i + b' i)). split; [apply add_vectors|].
  intros i I. rewrite lowest_is, A, B by exact I. reflexivity.
Qed.

(** ** Positions *)
Lemma item_seq (f : nat -> value) n j : (j < n)%nat -> item (map f (seq 0 n)) (Z.of_nat j) = Is (f j).
Proof.
  intros J. unfold item. destruct (Z.ltb_spec (Z.of_nat j) 0); [lia|]. rewrite Nat2Z.id.
  rewrite (map_nth_error f j (seq 0 n) (d := j)); [reflexivity|].
    rewrite (nth_error_nth' _ 0%nat) by (rewrite seq_length; exact J).
  rewrite seq_nth by exact J. reflexivity.
Qed.
Definition at_ (j : nat) : found := Is (of_whole (Z.of_nat j + 1)).
(** x[j] is column j. *)
Lemma index_matrix d n X j : (j < n)%nat -> index (Is (a_matrix d n X)) (at_ j) = Is (vector d (fun i => X i j)).
Proof.
  intros J. unfold index, a_matrix, as_list, as_whole, at_, of_whole, as_number, whole_of.
  replace (Qred (inject_Z (Z.of_nat j + 1))) with (inject_Z (Z.of_nat j + 1)).
  2: { unfold Qred, inject_Z. pose proof (Z.ggcd_correct_divisors (Z.of_nat j + 1) 1) as H.
    pose proof (Z.ggcd_gcd (Z.of_nat j + 1) 1) as G.
    destruct (Z.ggcd (Z.of_nat j + 1) 1) as [g [a b]]. simpl in *. rewrite Z.gcd_1_r in G. subst g.
      destruct H as [H1 H2]. rewrite Z.mul_1_l in H1, H2. subst. reflexivity. }
  cbn [inject_Z Qden Pos.eqb Qnum]. replace (Z.of_nat j + 1 - 1) with (Z.of_nat j) by lia.
  apply (item_seq (fun j => vector d (fun i => X i j))), J.
Qed.
(** Positions, *)
Lemma from_seq m : forall a, from a m = map (fun k => a + Z.of_nat k) (seq 0 m).
Proof.
  induction m as [|m IH]; intros a; [reflexivity|]. simpl. rewrite <- seq_shift, map_map, IH. f_equal; [lia|].
  apply map_ext. intros k. lia.
Qed.
(** of the tokens. *)
Lemma positions_matrix d n X : positions (Is (a_matrix d n X)) = map (fun j => Z.of_nat j + 1) (seq 0 n).
Proof. unfold positions, a_matrix. rewrite map_length, seq_length, from_seq. apply map_ext. intros k. lia. Qed.

(** ** One head *)
Definition number_in (f : found) : Q := match f with Is (Number q) => q | _ => 0 end.
(** Each score, *)
Lemma scored_all (f : found -> found) (s : nat -> Q) l : (forall j, In j l -> reads (f (at_ j)) (s j)) ->
  scored (map (fun j => Z.of_nat j + 1) l) f everywhere = Some (map (fun j => (Z.of_nat j + 1, number_in (f (at_
    j)))) l) /\
  forall j, In j l -> (number_in (f (at_ j)) == s j)%Q.
Proof.
  induction l as [|j l IH]; intros H; [split; [reflexivity|intros j []]|].
  destruct IH as (E & S); [intros k K; apply H; right; exact K|]. destruct (H j (or_introl eq_refl)) as (p & P & Q).
    split.
  - cbn [map scored everywhere truth_of yes]. fold (at_ j). rewrite E, P. reflexivity.
  - intros k [<-|K]; [rewrite P; exact Q|apply S, K].
Qed.
(** and the largest ones are the arg maxima, *)
Lemma largest_is n (s' s : nat -> Q) : (forall j, (j < n)%nat -> s' j == s j)%Q ->
  largest (map (fun j => (Z.of_nat j + 1, s' j)) (seq 0 n)) = map (fun j => Z.of_nat j + 1) (filter
    (Statement.is_argmax n s) (seq 0 n)).
Proof.
  intros H. unfold largest. assert (forall l, (forall j, In j l -> (j < n)%nat) ->
    map fst (filter (fun p : Z * Q => forallb (fun r => Qle_bool (snd r) (snd p)) (map (fun j => (Z.of_nat j + 1, s'
      j)) (seq 0 n)))
      (map (fun j => (Z.of_nat j + 1, s' j)) l)) = map (fun j => Z.of_nat j + 1) (filter (Statement.is_argmax n s)
        l)) as Main.
  { induction l as [|j l IH]; intros L; [reflexivity|]. cbn [map filter snd].
    assert (forallb (fun r : Z * Q => Qle_bool (snd r) (s' j)) (map (fun j => (Z.of_nat j + 1, s' j)) (seq 0 n)) =
      Statement.is_argmax n s j) as E.
    { unfold Statement.is_argmax. apply eq_iff_eq_true. rewrite !forallb_forall. split.
      - intros F k K. apply Qle_bool_iff. pose proof (F (Z.of_nat k + 1, s' k) (in_map (fun j => (Z.of_nat j + 1, s'
        j)) _ _ K)) as G.
        apply Qle_bool_iff in G. cbn [snd] in G. apply in_seq in K. rewrite <- (H k), <- (H j) by (lia || apply L;
          left; reflexivity). exact G.
      - intros F r R. apply in_map_iff in R as (k & <- & K). cbn [snd]. apply Qle_bool_iff. pose proof (F k K) as G.
        apply Qle_bool_iff in G.
        apply in_seq in K. rewrite (H k), (H j) by (lia || apply L; left; reflexivity). exact G. }
    rewrite E. destruct (Statement.is_argmax n s j); cbn [map fst]; [f_equal|]; apply IH; intros; apply L; right;
      assumption. }
  apply Main. intros j J. apply in_seq in J. lia.
Qed.
(** of which there is one. *)
Lemma argmax_exists n s : (1 <= n)%nat -> filter (Statement.is_argmax n s) (seq 0 n) <> [].
Proof.
  intros N. assert (forall m, (1 <= m)%nat -> exists j, (j < m)%nat /\ forall k, (k < m)%nat -> (s k <= s j)%Q) as
    Max.
  { induction m as [|m IH]; intros M; [lia|]. destruct (Nat.eq_dec m 0) as [->|Z].
    - exists 0%nat. split; [lia|]. intros k K. replace k with 0%nat by lia. apply Qle_refl.
    - destruct IH as (j & J & B); [lia|]. destruct (Qlt_le_dec (s j) (s m)) as [L|L].
      + exists m. split; [lia|]. intros k K. destruct (Nat.eq_dec k m) as [->|]; [apply Qle_refl|].
        eapply Qle_trans; [apply B; lia|apply Qlt_le_weak, L].
      + exists j. split; [lia|]. intros k K. destruct (Nat.eq_dec k m) as [->|]; [exact L|apply B; lia]. }
  destruct (Max n N) as (j & J & B). intros E. assert (In j (filter (Statement.is_argmax n s) (seq 0 n))) as I;
    [|rewrite E in I; destruct I].
  apply filter_In. split; [apply in_seq; lia|]. unfold Statement.is_argmax. apply forallb_forall. intros k K.
    apply Qle_bool_iff, B.
  apply in_seq in K. lia.
Qed.
(** A sum of numbers as columns, *)
Lemma fold_ones (v : nat -> Q) (f : nat -> found) l : (forall j, In j l -> one (f j) (v j)) -> forall g q, one g q ->
  one (fold_left plus (map f l) g) (q + fold_right Qplus 0 (map v l))%Q.
Proof.
  induction l as [|j l IH]; intros H g q G; simpl.
  - destruct G as (p & -> & P). exists p. split; [reflexivity|]. rewrite P. ring.
  - destruct (IH (fun k K => H k (or_intror K)) _ _ (plus_ones _ _ _ _ G (H j (or_introl eq_refl)))) as (p & E & P).
    exists p. split; [exact E|]. rewrite P. ring.
Qed.
(** and their mean. *)
Lemma mean_is (v : nat -> Q) (f : nat -> found) l : l <> [] -> (forall j, In j l -> one (f j) (v j)) ->
  one (mean (map f l)) (fold_right Qplus 0 (map v l) / inject_Z (Z.of_nat (length l)))%Q.
Proof.
  destruct l as [|j l]; [congruence|]. intros _ H. cbn [map mean].
  destruct (fold_ones v f l (fun k K => H k (or_intror K)) (f j) (v j) (H j (or_introl eq_refl))) as (p & -> & P).
  cbn [length]. rewrite map_length. set (m := S (length l)).
  exists (lowest ((1 # Pos.of_nat m) * p)). split; [reflexivity|]. rewrite lowest_is, P. cbn [map fold_right].
  assert ((1 # Pos.of_nat m) == / inject_Z (Z.of_nat m))%Q as ->; [|unfold Qdiv; ring].
  unfold m. rewrite <- Pos.of_nat_succ. unfold Qinv, inject_Z. cbn [Z.of_nat Qnum Qden]. rewrite Pos.of_nat_succ.
    reflexivity.
Qed.

(** Hardmax is the mean over the arg maxima. *)
Lemma mean_over_argmaxima n (w s : nat -> Q) : (Statement.sum n (fun k => w k * Statement.hardmax n s k) ==
  fold_right Qplus 0 (map w (filter (Statement.is_argmax n s) (seq 0 n))) /
    inject_Z (Z.of_nat (length (filter (Statement.is_argmax n s) (seq 0 n)))))%Q.
Proof.
  rewrite sum_is. unfold Statement.hardmax, Statement.argmaxima, Statement.of_nat.
  set (P := Statement.is_argmax n s). generalize (inject_Z (Z.of_nat (length (filter P (seq 0 n))))) as c. intros c.
  generalize (seq 0 n) as l. induction l as [|k l IH]; [simpl; unfold Qdiv; ring|]. cbn [map filter fold_right].
  rewrite IH. destruct (P k); cbn [map fold_right]; unfold Qdiv; ring.
Qed.
(** A row of Statement.v. *)
Lemma row_is d w X j : (Statement.row d w X j == fold_right Qplus 0 (map (fun i => w i * X i j) (seq 0 d)))%Q.
Proof. apply sum_is. Qed.
(** The same number, written otherwise. *)
Lemma one_eq f p q : one f p -> (p == q)%Q -> one f q.
Proof. intros (x & E & P) H. exists x. split; [exact E|]. rewrite P. exact H. Qed.

(** One head reads what Statement.v's head reads. *)
Lemma head_is d n h b X j : (b == Statement.b_Q h)%Q -> (1 <= d)%nat -> (1 <= n)%nat -> (j < n)%nat ->
  vector_is d (page_head d h b (Is (a_matrix d n X)) (at_ j)) (fun i => Statement.W_O h i * Statement.head_value d n h
    X j)%Q.
Proof.
  intros Bias D N J. unfold page_head, head.
  assert (forall w k, (k < n)%nat -> one (times (a_row d w) (index (Is (a_matrix d n X)) (at_ k))) (Statement.row d w
    X k)) as Row.
  { intros w k K. rewrite index_matrix by exact K. eapply one_eq; [apply row_times_column, D|]. symmetry.
    apply row_is. }
  assert (one (plus (times (a_row d (Statement.W_Q h)) (index (Is (a_matrix d n X)) (at_ j)))
      (Is (vector 1 (fun _ => b))))
    (Statement.row d (Statement.W_Q h) X j + Statement.b_Q h)%Q) as Query.
  { apply plus_ones; [apply Row, J|]. exists b. split; [reflexivity|exact Bias]. }
  destruct Query as (p & E & P). rewrite E. cbn [given].
  set (s := fun i => (Statement.row d (Statement.W_K h) X i * (Statement.row d (Statement.W_Q h) X j + Statement.b_Q
    h))%Q).
  set (f := fun k => dot (times (a_row d (Statement.W_K h)) (index (Is (a_matrix d n X)) k)) (Is (List 1 [Number
    p]))).
  destruct (scored_all f s (seq 0 n)) as (S & Same).
  { intros k K. apply in_seq in K. unfold f, s. apply dot_ones; [apply Row; lia|]. exists p. split;
    [reflexivity|exact P]. }
  apply column_times_one; [exact D|]. unfold read. rewrite positions_matrix, S.
  rewrite (largest_is n (fun k => number_in (f (at_ k))) s) by (intros k K; apply Same, in_seq; lia).
  pose proof (argmax_exists n s N) as Some_. unfold Statement.head_value. fold s.
  destruct (filter (Statement.is_argmax n s) (seq 0 n)) as [|k l] eqn:F; [congruence|].
  eapply one_eq; [|symmetry; rewrite mean_over_argmaxima, F; reflexivity].
  change (map (fun j => Z.of_nat j + 1) (k :: l)) with (Z.of_nat k + 1 :: map (fun j => Z.of_nat j + 1) l). cbn iota.
  change (Z.of_nat k + 1 :: map (fun j => Z.of_nat j + 1) l) with (map (fun j => Z.of_nat j + 1) (k :: l)).
    rewrite map_map.
  apply (mean_is (fun k => Statement.row d (Statement.W_V h) X k)
    (fun k => times (a_row d (Statement.W_V h)) (index (Is (a_matrix d n X)) (at_ k)))); [exact Some_|].
  intros m M. apply Row. assert (In m (filter (Statement.is_argmax n s) (seq 0 n))) as I by (rewrite F; exact M).
  apply filter_In in I as [I _]. apply in_seq in I. lia.
Qed.

(** ** The layer *)
Lemma heads_are d n X j : (1 <= d)%nat -> (1 <= n)%nat -> (j < n)%nat -> forall l, Forall same_bias l ->
  forall f c, vector_is d f c ->
  vector_is d (fold_left (fun s h => plus s (page_head d (fst h) (snd h) (Is (a_matrix d n X)) (at_ j))) l f)
    (fun i => c i + fold_right (fun h s => Statement.W_O h i * Statement.head_value d n h X j + s) 0 (map fst l))%Q.
Proof.
  intros D N J l F. induction F as [|h l B F IH]; intros f c V; cbn [fold_left fold_right map].
  - destruct V as (c' & -> & C). exists c'. split; [reflexivity|]. intros i I. rewrite C by exact I. ring.
  - destruct (IH _ _ (plus_vectors d _ _ _ _ V (head_is d n (fst h) (snd h) X j B D N J))) as (c' & E & C).
    exists c'. split; [exact E|]. intros i I. rewrite C by exact I. ring.
Qed.
Definition entry (f : found) (i : nat) : Q :=
  match f with Is (List _ l) => number_in (item l (Z.of_nat i)) | _ => 0 end.
(** Entries of a column. *)
Lemma entry_vector d c i : (i < d)%nat -> entry (Is (vector d c)) i = c i.
Proof. intros I. unfold entry, vector. rewrite (item_seq (fun i => Number (c i))) by exact I. reflexivity. Qed.
(** Columns of the same length are tokens. *)
Lemma tokens_matrix d n Y : (1 <= d)%nat -> tokens (map (fun j => vector d (fun i => Y i j)) (seq 0 n)) = true.
Proof.
  intros D. assert (forall c, token (vector d c) = Some d) as T.
  { intros c. unfold token, vector. rewrite kind_vector by (apply seq_some, D). rewrite map_length, seq_length.
    reflexivity. }
  unfold tokens. destruct (seq 0 n) as [|j l]; [reflexivity|]. cbn [map]. rewrite T. apply forallb_forall. intros v V.
  apply in_map_iff in V as (k & <- & _). rewrite T. apply Nat.eqb_refl.
Qed.

(** The layer of a page is the layer of Statement.v: for all weights and tokens. *)
Theorem attention_is_statement d n l X : (1 <= d)%nat -> (1 <= n)%nat -> Forall same_bias l -> exists Y,
  act (page_attention d l) (Is (a_matrix d n X)) = Is (a_matrix d n Y) /\
  forall i j, (i < d)%nat -> (j < n)%nat -> (Y i j == Statement.attention d n (map fst l) X i j)%Q.
Proof.
  intros D N B. set (x := Is (a_matrix d n X)).
  set (f := fun i => fold_left (fun s h => plus s (page_head d (fst h) (snd h) x i)) l (index x i)).
  exists (fun i j => entry (f (at_ j)) i).
  assert (forall j, (j < n)%nat ->
    vector_is d (f (at_ j)) (fun i => Statement.attention d n (map fst l) X i j)) as Each.
  { intros j J. unfold f, x.
    destruct (heads_are d n X j D N J l B (index (Is (a_matrix d n X)) (at_ j)) (fun i => X i j)) as (c & E & C).
    - rewrite index_matrix by exact J. exists (fun i => X i j). split; [reflexivity|]. intros i _. reflexivity.
    - exists c. split; [exact E|]. intros i I. rewrite C by exact I. unfold Statement.attention.
      rewrite Qred_correct. reflexivity. }
  split.
  - unfold page_attention, becomes. cbn [act].
    change (as_list x ?F) with (F 1 (map (fun j => vector d (fun i => X i j)) (seq 0 n))). cbn beta.
    assert (positions x = map (fun j => Z.of_nat j + 1) (seq 0 n)) as Pos by apply positions_matrix.
    rewrite Pos, map_map.
    assert (forall k, (forall j, In j k -> (j < n)%nat) ->
      all_found (map (fun j => f (at_ j)) k) = Some (map (fun j => vector d (fun i => entry (f (at_ j)) i)) k)) as A.
    { induction k as [|j k IH]; intros K; [reflexivity|]. cbn [map all_found].
      destruct (Each j (K j (or_introl eq_refl))) as (c & E & _).
      rewrite E, IH by (intros; apply K; right; assumption). cbn [option_map].
      f_equal. f_equal. unfold vector. f_equal. apply map_ext_in. intros i I. apply in_seq in I. f_equal. symmetry.
      apply entry_vector. lia. }
    change (fun j : nat => fold_left _ l (index x (Is (of_whole (Z.of_nat j + 1))))) with (fun j : nat => f (at_ j)).
    rewrite A by (intros j J; apply in_seq in J; lia). rewrite tokens_matrix by exact D. reflexivity.
  - intros i j I J. destruct (Each j J) as (c & E & C). rewrite E, entry_vector by exact I. apply C, I.
Qed.

(** ** Networks of such layers *)
(** Two matrices that a page takes for the same have equal entries. *)
Lemma same_matrix d n X Y : same (a_matrix d n X) (a_matrix d n Y) = true ->
  forall i j, (i < d)%nat -> (j < n)%nat -> (X i j == Y i j)%Q.
Proof.
  assert (forall (f g : nat -> value) l k m, same (List k (map f l)) (List m (map g l)) = true ->
    forall j, In j l -> same (f j) (g j) = true) as Items.
  { intros f g l k m. simpl. induction l as [|a l IH]; intros H j I; [destruct I|]. simpl in H.
    apply andb_true_iff in H as [A B]. destruct I as [<-|I]; [exact A|apply IH; assumption]. }
  intros H i j I J. pose proof (Items _ _ _ _ _ H j) as C. rewrite in_seq in C. specialize (C ltac:(lia)).
  pose proof (Items _ _ _ _ _ C i) as E. rewrite in_seq in E. specialize (E ltac:(lia)). apply Qeq_bool_iff, E.
Qed.
(** What a layer of a page does to a matrix is what a layer of Statement.v does. *)
Definition layer_is (d n : nat) (g : layer) (l : Statement.layer) : Prop := forall X, exists Y,
  act g (Is (a_matrix d n X)) = Is (a_matrix d n Y) /\
  forall i j, (i < d)%nat -> (j < n)%nat -> (Y i j == Statement.attention d n l X i j)%Q.
(** So networks of such layers do the same. *)
Theorem network_is_statement d n gs ls : (1 <= d)%nat -> Forall2 (layer_is d n) gs ls -> forall X, exists Y,
  run (Some gs) (Is (a_matrix d n X)) = Is (a_matrix d n Y) /\
  forall i j, (i < d)%nat -> (j < n)%nat -> (Y i j == Statement.run d n ls X i j)%Q.
Proof.
  intros D F X.
  assert (forall X b, exists Y c, fold_left step gs (Some (a_matrix d n X :: b)) = Some (a_matrix d n Y :: c) /\
    forall i j, (i < d)%nat -> (j < n)%nat -> (Y i j == Statement.run d n ls X i j)%Q) as Main.
  { clear X. induction F as [|g l gs ls G F IH]; intros X b.
    - exists X, b. split; [reflexivity|]. intros; reflexivity.
    - cbn [fold_left step]. destruct (G X) as (Y & E & A). rewrite E.
      assert (forall X', (forall i j, (i < d)%nat -> (j < n)%nat -> X' i j == Statement.attention d n l X i j)%Q ->
        forall i j, (i < d)%nat -> (j < n)%nat ->
        (Statement.run d n ls X' i j == Statement.run d n (l :: ls) X i j)%Q) as Next.
      { intros X' H i j I J.
        change (Statement.run d n (l :: ls) X) with (Statement.run d n ls (Statement.attention d n l X)).
        apply (Lemma6Use.run_ext d n ls); [|exact J|exact I]. intros k K m M. apply H; assumption. }
      destruct (same (a_matrix d n X) (a_matrix d n Y)) eqn:S.
      + destruct (IH X b) as (Z & c & R & H). exists Z, c. split; [exact R|]. intros i j I J. rewrite H by assumption.
        apply Next; try assumption. intros k m K M. rewrite <- A by assumption.
        apply (same_matrix d n X Y S); assumption.
      + destruct (IH Y (a_matrix d n X :: b)) as (Z & c & R & H). exists Z, c. split; [exact R|]. intros i j I J.
        rewrite H by assumption. apply Next; assumption. }
  destruct (Main X []) as (Y & c & E & H). exists Y. split; [|exact H]. unfold run, ran, a_matrix at 1.
  rewrite tokens_matrix by exact D. fold (a_matrix d n X). rewrite E. reflexivity.
Qed.
