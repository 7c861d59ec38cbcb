(** The definitions of [Statement.v] and [Statement3.v] evaluated, to be compared with another program's numbers.

    [run] as it stands recomputes a layer at each look at an entry; here each layer's result is a table.
    [q_table_is_q], [swept_table_is_swept] and their positional twins say that the tables give the very numbers
    [q], [swept], [positional_q] and [positional_swept]. *)

From Coq Require Import QArith List Arith ZArith Bool Lia.
From Contextual Require Import Statement Statement3.
Import ListNotations.
Open Scope Q_scope.

Definition look (t : list (list Q)) : matrix := fun i j => nth j (nth i t []) 0.

Section Table.
Variables d n : nat.

Definition table (X : matrix) : list (list Q) := map (fun i => map (fun j => X i j) (seq 0 n)) (seq 0 d).
Definition run_table (network : list layer) (t : list (list Q)) : list (list Q) :=
  fold_left (fun t l => table (attention d n l (look t))) network t.

Definition agree (X Y : matrix) : Prop := forall i j, (i < d)%nat -> (j < n)%nat -> X i j = Y i j.

Lemma look_table X : agree (look (table X)) X.
Proof.
  intros i j Hi Hj. unfold look, table.
  rewrite (nth_indep _ [] (map (fun j => X O j) (seq 0 n))) by (rewrite map_length, seq_length; exact Hi).
  rewrite (map_nth (fun i => map (fun j => X i j) (seq 0 n)) (seq 0 d) O i), seq_nth by exact Hi. simpl.
  rewrite (nth_indep _ 0 (X i O)) by (rewrite map_length, seq_length; exact Hj).
  rewrite (map_nth (fun j => X i j) (seq 0 n) O j), seq_nth by exact Hj. reflexivity.
Qed.

Lemma sum_same m f g : (forall k, (k < m)%nat -> f k = g k) -> sum m f = sum m g.
Proof.
  induction m as [|m IH]; intros H; [reflexivity|]. simpl. rewrite IH by (intros; apply H; lia).
  rewrite (H m) by lia. reflexivity.
Qed.

Lemma row_same w X Y j : agree X Y -> (j < n)%nat -> row d w X j = row d w Y j.
Proof. intros H Hj. apply sum_same. intros k Hk. rewrite H by assumption. reflexivity. Qed.

Lemma is_argmax_same s t i : (forall k, (k < n)%nat -> s k = t k) -> (i < n)%nat -> is_argmax n s i = is_argmax n t i.
Proof.
  intros H Hi. unfold is_argmax. rewrite (H i Hi).
  assert (forall l, (forall k, In k l -> (k < n)%nat) ->
    forallb (fun k => Qle_bool (s k) (t i)) l = forallb (fun k => Qle_bool (t k) (t i)) l) as G.
  { induction l as [|a l IH]; intros Hl; [reflexivity|]. cbn [forallb].
    rewrite (H a) by (apply Hl; left; reflexivity). rewrite IH by (intros; apply Hl; right; assumption). reflexivity. }
  apply G. intros k Hk. apply in_seq in Hk. lia.
Qed.

Lemma hardmax_same s t i : (forall k, (k < n)%nat -> s k = t k) -> (i < n)%nat -> hardmax n s i = hardmax n t i.
Proof.
  intros H Hi. unfold hardmax, argmaxima. rewrite (is_argmax_same s t i H Hi).
  assert (filter (is_argmax n s) (seq 0 n) = filter (is_argmax n t) (seq 0 n)) as ->; [|reflexivity].
  apply filter_ext_in. intros k Hk. apply in_seq in Hk. apply is_argmax_same; [exact H|lia].
Qed.

Lemma head_same h X Y j : agree X Y -> (j < n)%nat -> head_value d n h X j = head_value d n h Y j.
Proof.
  intros H Hj. unfold head_value. apply sum_same. intros k Hk. rewrite (row_same (W_V h) X Y k H Hk). f_equal.
  apply hardmax_same; [|exact Hk]. intros i Hi.
  rewrite (row_same (W_K h) X Y i H Hi), (row_same (W_Q h) X Y j H Hj). reflexivity.
Qed.

Lemma attention_same l X Y : agree X Y -> agree (attention d n l X) (attention d n l Y).
Proof.
  intros H i j Hi Hj. unfold attention. rewrite (H i j Hi Hj). f_equal. f_equal.
  induction l as [|h l IH]; [reflexivity|]. simpl. rewrite IH, (head_same h X Y j H Hj). reflexivity.
Qed.

Lemma run_table_same network : forall t X, agree (look t) X -> agree (look (run_table network t)) (run d n network X).
Proof.
  induction network as [|l network IH]; intros t X H; [exact H|]. simpl. apply IH.
  intros i j Hi Hj. rewrite look_table by assumption. apply attention_same; assumption.
Qed.
End Table.

Definition ids_table (d n N : nat) (t : list (list Q)) : list Q := map (id d N (look t)) (seq 0 n).
Definition swept_table (d n N : nat) (t : list (list Q)) : list Q := ids_table d n N (run_table d n (sweep d N) t).
Definition q_table (d n N : nat) (t : list (list Q)) : list Q := ids_table d n N (run_table d n (network d n N) t).

Lemma ids_table_nth d n N t X j : agree d n (look t) X -> (j < n)%nat -> nth j (ids_table d n N t) 0 = id d N X j.
Proof.
  intros H Hj. unfold ids_table.
  rewrite (nth_indep _ 0 (id d N (look t) O)) by (rewrite map_length, seq_length; exact Hj).
  rewrite (map_nth (id d N (look t)) (seq 0 n) O j), seq_nth by exact Hj. apply (row_same d n); assumption.
Qed.

Theorem swept_table_is_swept d n N t j : (j < n)%nat -> nth j (swept_table d n N t) 0 = swept d n N (look t) j.
Proof. intros Hj. apply ids_table_nth; [|exact Hj]. apply run_table_same. intros i k _ _. reflexivity. Qed.

Theorem q_table_is_q d n N t j : (j < n)%nat -> nth j (q_table d n N t) 0 = q d n N (look t) j.
Proof. intros Hj. apply ids_table_nth; [|exact Hj]. apply run_table_same. intros i k _ _. reflexivity. Qed.

Definition positional_swept_table (d n N : nat) (t : list (list Q)) : list Q :=
  ids_table d n N (run_table d n (positional_sweep d n N) t).
Definition positional_q_table (d n N : nat) (t : list (list Q)) : list Q :=
  ids_table d n N (run_table d n (positional_network d n N) t).

Theorem positional_swept_table_is_swept d n N t j : (j < n)%nat ->
  nth j (positional_swept_table d n N t) 0 = positional_swept d n N (look t) j.
Proof. intros Hj. apply ids_table_nth; [|exact Hj]. apply run_table_same. intros i k _ _. reflexivity. Qed.

Theorem positional_q_table_is_q d n N t j : (j < n)%nat ->
  nth j (positional_q_table d n N t) 0 = positional_q d n N (look t) j.
Proof. intros Hj. apply ids_table_nth; [|exact Hj]. apply run_table_same. intros i k _ _. reflexivity. Qed.

(** ** Every matrix of G+ at four instances *)
Fixpoint lists {A} (m : nat) (values : list A) : list (list A) :=
  match m with O => [[]] | S m' => flat_map (fun l => map (fun v => v :: l) values) (lists m' values) end.
Definition values (d n N : nat) : list Q := sentinel d n N :: map (fun k => Qred (of_nat k * delta N)) (seq 0 N).
Definition Gplus (d n N : nat) : list (list (list Q)) := lists d (lists n (values d n N)).

(** Every context of Theorem 3 *)
Fixpoint choices {A} (values : list (list A)) : list (list A) :=
  match values with [] => [[]] | v :: more => flat_map (fun l => map (fun a => a :: l) v) (choices more) end.
Definition contexts (d n N : nat) : list (list (list Q)) :=
  lists d (choices (map (fun j => map (fun k => Qred (of_nat (j * N + k) * delta N)) (seq 0 N)) (seq 0 n))).

(** Printed, one "= ... : type" for each instance: first those of Lemma 6, (d, n, N, t_l, t_r), then those of Theorem 3,
    (d, n, N); and for each matrix of G+, or each context, its rows, the ids after the sweep, and q. A number is
    (numerator, denominator). It is JSON once ( ) ; are written [ ] , . *)
Definition fraction (x : Q) : Z * Z := let y := Qred x in (Qnum y, Zpos (Qden y)).
Definition report (d n N : nat) :=
  ((Z.of_nat d, Z.of_nat n, Z.of_nat N, fraction (t_l d n N), fraction (t_r d n N)),
   map (fun t => (map (map fraction) t, map fraction (swept_table d n N t), map fraction (q_table d n N t))) (Gplus d n N)).
Definition positional_report (d n N : nat) :=
  ((Z.of_nat d, Z.of_nat n, Z.of_nat N),
   map (fun t => (map (map fraction) t, map fraction (positional_swept_table d n N t),
                  map fraction (positional_q_table d n N t))) (contexts d n N)).

Set Printing Width 160.
Set Printing Depth 100000.
Open Scope Z_scope.
Eval vm_compute in report 1 2 2.
Eval vm_compute in report 1 2 3.
Eval vm_compute in report 2 2 2.
Eval vm_compute in report 1 3 4.
Eval vm_compute in positional_report 1 2 2.
Eval vm_compute in positional_report 1 2 3.
Eval vm_compute in positional_report 1 3 2.
Eval vm_compute in positional_report 2 2 2.
