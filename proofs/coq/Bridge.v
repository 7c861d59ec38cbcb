(** The definitions of the pages of statements evaluated, to be compared with another program's numbers.

    Each layer's result is a table ([Tables.v]). [q_table_is_q], [swept_table_is_swept] and their positional twins say
    that the tables give the very numbers [q], [swept], [positional_q] and [positional_swept]; [key_table_is_key] and
    [lookup_table_is_lookup] the same of [StatementExact.v], [sparse_table_is_sparse_q] of [StatementSparse.v]. *)

From Coq Require Import QArith List Arith ZArith Bool Lia String.
From Contextual Require Import Statement Layers StatementRefuted Statement3 Tables.
From Contextual Require StatementExact StatementSparse SparseTables.
Import ListNotations.
Open Scope Q_scope.

Definition swept_table (d n N : nat) (t : list (list Q)) : list Q := ids_table d n N (run_table d n (sweep d N) t).
Definition q_table (d n N : nat) (t : list (list Q)) : list Q := ids_table d n N (run_table d n (network d n N) t).

(** The table holds the swept ids. *)
Theorem swept_table_is_swept d n N t j : (j < n)%nat -> nth j (swept_table d n N t) 0 = swept d n N (look t) j.
Proof. intros Hj. apply ids_table_nth; [|exact Hj]. apply run_table_same. intros i k _ _. reflexivity. Qed.

(** The table holds q. *)
Theorem q_table_is_q d n N t j : (j < n)%nat -> nth j (q_table d n N t) 0 = q d n N (look t) j.
Proof. intros Hj. apply ids_table_nth; [|exact Hj]. apply run_table_same. intros i k _ _. reflexivity. Qed.

Definition positional_swept_table (d n N : nat) (t : list (list Q)) : list Q :=
  ids_table d n N (run_table d n (positional_sweep d n N) t).
Definition positional_q_table (d n N : nat) (t : list (list Q)) : list Q :=
  ids_table d n N (run_table d n (positional_network d n N) t).

(** Theorem 3's swept ids. *)
Theorem positional_swept_table_is_swept d n N t j : (j < n)%nat ->
  nth j (positional_swept_table d n N t) 0 = positional_swept d n N (look t) j.
Proof. intros Hj. apply ids_table_nth; [|exact Hj]. apply run_table_same. intros i k _ _. reflexivity. Qed.

(** Theorem 3's ids after the global shift. *)
Theorem positional_q_table_is_q d n N t j : (j < n)%nat ->
  nth j (positional_q_table d n N t) 0 = positional_q d n N (look t) j.
Proof. intros Hj. apply ids_table_nth; [|exact Hj]. apply run_table_same. intros i k _ _. reflexivity. Qed.

(** ** The network of [StatementExact.v], for one target: 7 L_ij - 3 (L_i1 + ... + L_in) in row i, column j *)
Definition bridge_target (n : nat) (L : matrix) : matrix := fun i j => Qred (7 * L i j - 3 * sum n (fun k => L i k)).
Definition key_table (d n N : nat) (t : list (list Q)) : list Q :=
  ids_table d n N (run_all_table d n (StatementExact.contextual_map d n N) t).
Definition lookup_table (d n N : nat) : list (list Q) -> list (list Q) :=
  run_all_table d n (map (with_lists d) (StatementExact.lookup d n N (bridge_target n))).

(** The keys of distance zero. *)
Theorem key_table_is_key d n N t j : (j < n)%nat ->
  nth j (key_table d n N t) 0 = StatementExact.exact_key d n N (look t) j.
Proof. intros Hj. apply ids_table_nth; [|exact Hj]. apply run_all_table_same. intros i k _ _. reflexivity. Qed.

(** Its output. *)
Theorem lookup_table_is_lookup d n N t i j : (i < d)%nat -> (j < n)%nat ->
  look (lookup_table d n N t) i j = run_all d n (StatementExact.lookup d n N (bridge_target n)) (look t) i j.
Proof. intros Hi Hj. apply run_lists_same; [|exact Hi|exact Hj]. intros a b _ _. reflexivity. Qed.

(** Sparse attention. *)
Theorem sparse_table_is_sparse_q d n N G t j : (j < n)%nat ->
  nth j (SparseTables.sparse_q_table d n N G t) 0 = StatementSparse.sparse_q d n N G (look t) j.
Proof. apply SparseTables.sparse_q_table_nth. Qed.

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
   map (fun t => (map (map fraction) t, map fraction (swept_table d n N t), map fraction (q_table d n N t)))
     (Gplus d n N)).
Definition positional_report (d n N : nat) :=
  ((Z.of_nat d, Z.of_nat n, Z.of_nat N),
   map (fun t => (map (map fraction) t, map fraction (positional_swept_table d n N t),
                  map fraction (positional_q_table d n N t))) (contexts d n N)).


(** Layers as numbers: of a head W_O, W_V, W_K, W_Q and b_Q; of a token-wise layer W_2, W_1, then b_1, c_1, c_2 and 1 if
    the second piece is closed, else 0, then slope and intercept of each piece. *)
Definition entries (d : nat) (w : nat -> Q) : list (Z * Z) := map (fun i => fraction (w i)) (seq 0 d).
Definition pieces_of (f : activation) : list (Z * Z) :=
  flat_map (fun l => [fraction (slope l); fraction (intercept l)]) [first_piece f; second_piece f; third_piece f].
Definition layer_report (d : nat) (l : any_layer) : list (list (list (Z * Z))) :=
  match l with
  | Attend heads => map (fun h => [entries d (W_O h); entries d (W_V h); entries d (W_K h); entries d (W_Q h);
    [fraction (b_Q h)]]) heads
  | Each t => [[entries d (W_2 t); entries d (W_1 t);
      [fraction (b_1 t); fraction (c_1 (phi t)); fraction (c_2 (phi t)); if closed (phi t) then (1, 1)%Z else (0, 1)%Z];
      pieces_of (phi t)]]
  end.

(** Tagged blocks: ("exact", d, n, N, layers, and for each matrix of G+ with the sentinel above its keys and the
    output), ("value map", d, n, N, layers, output), ("threshold", d, n, N, t_l). *)
Definition exact_matrices (d n N : nat) : list (list (list Q)) :=
  lists d (lists n (StatementExact.sentinel_above d n N :: map (fun k => Qred (of_nat k * delta N)) (seq 0 N))).
Definition exact_report (d n N : nat) := let lookup := lookup_table d n N in
  ("exact"%string, Z.of_nat d, Z.of_nat n, Z.of_nat N,
   map (layer_report d) (StatementExact.exact_network d n N (bridge_target n)),
   map (fun t => (map (map fraction) t, map fraction (key_table d n N t), map (map fraction) (lookup t)))
     (exact_matrices d n N)).
Definition value_map_report :=
  ("value map"%string, 1%Z, 2%Z, 2%Z, map (layer_report 1) smallest_network,
   map (map fraction) (run_all_table 1 2 smallest_network (table 1 2 smallest))).
Definition threshold_report (d n N : nat) :=
  ("threshold"%string, Z.of_nat d, Z.of_nat n, Z.of_nat N, fraction (hu_t_l d n N)).

(** ("sparse", d, n, N, the edges, layers, and for each context its rows and q): d + 1 rows of weights, n + 1 tokens. *)
Definition sparse_report (d n N : nat) (G : StatementSparse.graph) :=
  ("sparse"%string, Z.of_nat d, Z.of_nat n, Z.of_nat N,
   flat_map (fun i => map (fun j => (Z.of_nat i, Z.of_nat j)) (StatementSparse.heard n G i)) (seq 0 (S n)),
   map (fun l => layer_report (S d) (Attend l)) (StatementSparse.sparse_network d n N),
   map (fun t => (map (map fraction) t, map fraction (SparseTables.sparse_q_table d n N G t)))
     (lists d (lists n (map (fun k => Qred (of_nat k * delta N)) (seq 0 N))))).

Set Printing Width 160.
Set Printing Depth 100000.
Open Scope string_scope.
Open Scope Z_scope.
Eval vm_compute in report 1 2 2.
Eval vm_compute in report 1 2 3.
Eval vm_compute in report 2 2 2.
Eval vm_compute in report 1 3 4.
Eval vm_compute in positional_report 1 2 2.
Eval vm_compute in positional_report 1 2 3.
Eval vm_compute in positional_report 1 3 2.
Eval vm_compute in positional_report 2 2 2.
Eval vm_compute in exact_report 1 2 2.
Eval vm_compute in exact_report 1 2 3.
Eval vm_compute in exact_report 1 3 2.
Eval vm_compute in exact_report 2 2 2.
Eval vm_compute in value_map_report.
Eval vm_compute in threshold_report 1 2 2.
Eval vm_compute in threshold_report 2 3 3.
Eval vm_compute in sparse_report 1 2 2 StatementSparse.star.
Eval vm_compute in sparse_report 1 2 3 (StatementSparse.with_edge 1 2 StatementSparse.star).
Eval vm_compute in
  sparse_report 1 3 2 (StatementSparse.with_edge 3 2 (StatementSparse.with_edge 0 0 StatementSparse.star)).
Eval vm_compute in sparse_report 2 2 2 (fun _ _ => true).
