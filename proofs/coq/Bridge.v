(** The definitions of [Statement.v] and [Statement3.v] evaluated, to be compared with another program's numbers.

    Each layer's result is a table ([Tables.v]). [q_table_is_q], [swept_table_is_swept] and their positional twins say
    that the tables give the very numbers [q], [swept], [positional_q] and [positional_swept]. *)

From Coq Require Import QArith List Arith ZArith Bool Lia.
From Contextual Require Import Statement Statement3 Tables.
Import ListNotations.
Open Scope Q_scope.

Definition swept_table (d n N : nat) (t : list (list Q)) : list Q := ids_table d n N (run_table d n (sweep d N) t).
Definition q_table (d n N : nat) (t : list (list Q)) : list Q := ids_table d n N (run_table d n (network d n N) t).

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
