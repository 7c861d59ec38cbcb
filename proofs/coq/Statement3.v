(** Step C.2 of App. C, the contextual mapping in the proof of Theorem 3: fixed positional encodings, ordered contexts.
    Theorem 3 itself isn't stated here. Definitions and statements only.

    The input has column j (counted from 0) in {j, j + delta, ..., j + 1 - delta}^d; the levels are those of all n
    columns, in increasing order; the global shift has the factor n delta^-((n+1)d) delta^-1. The layers are those of
    [Statement.v]. *)

From Coq Require Import QArith List Arith.
From Contextual Require Import Statement.
Import ListNotations.
Open Scope Q_scope.

Section Positions.
Variables d n N : nat.

(** s_j = j (1 + delta^-1 + ... + delta^-(d-1)), in units of delta *)
Definition first_level (j : nat) : nat := (j * (N * list_sum (map (fun i => N ^ i) (seq 0 d))))%nat.
(** s_j, s_j + delta, ..., s_j + delta^-d+1 - delta for j = 0, then for j = 1, and so on *)
Definition levels : list nat := flat_map (fun j => map (fun k => (first_level j + k)%nat) (seq 0 (B d N))) (seq 0 n).

Definition positional_sweep : list layer := map (selective_shift d N) levels.
Definition positional_factor : nat := (n * N ^ ((n + 1) * d) * N)%nat.
Definition positional_network : list layer := positional_sweep ++ [ [ psi N (of_nat positional_factor) 0 ] ].

Definition positional_swept (L : matrix) (j : nat) : Q := id d N (run d n positional_sweep L) j.
Definition positional_q (L : matrix) (j : nat) : Q := id d N (run d n positional_network L) j.

(** The contexts: N^(dn) matrices *)
Definition context (L : matrix) : Prop := forall i j, (i < d)%nat -> (j < n)%nat ->
  exists k : nat, (k < N)%nat /\ L i j == of_nat (j * N + k) * delta N.
Definition different (L L' : matrix) : Prop := exists i j, (i < d)%nat /\ (j < n)%nat /\ ~ L i j == L' i j.

(** c.contextual: Definition 5.1, on all of them *)
Definition contextual : Prop :=
  (forall L, context L -> forall j j', (j < n)%nat -> (j' < n)%nat ->
    positional_q L j == positional_q L j' -> j = j') /\
  (forall L L', context L -> context L' -> different L L' ->
     forall j j', (j < n)%nat -> (j' < n)%nat -> ~ positional_q L j == positional_q L' j').

(** c.bound, c.injective *)
Definition bounded : Prop := forall L j, context L -> (j < n)%nat ->
  positional_swept L j < of_nat n * of_nat (N ^ ((n + 1) * d)).
Definition determined : Prop := forall L L', context L -> context L' ->
  positional_swept L (n - 1) == positional_swept L' (n - 1) -> ~ different L L'.

(** What a user needs: the ids after the sweep are whole multiples y_j of delta, and the keys are delta (y_j + max y
    times the factor of the global shift). *)
Definition positional_keys_from_sweep : Prop := forall L, context L -> exists y : nat -> nat,
  (forall j, (j < n)%nat -> (0 < y j)%nat /\ positional_swept L j == of_nat (y j) * delta N) /\
  forall j last, (j < n)%nat -> (last < n)%nat -> (forall k, (k < n)%nat -> (y k <= y last)%nat) ->
    positional_q L j == of_nat (y j + positional_factor * y last) * delta N.

(** c.order, and the context that contradicts it: d = 1, n = 2, the entries 1 - delta and 1. *)
Definition ordered (L : matrix) : Prop := forall j j', (j < j')%nat -> (j' < n)%nat ->
  positional_swept L j < positional_swept L j'.
Definition exception (L : matrix) : Prop :=
  d = 1%nat /\ n = 2%nat /\ L 0%nat 0%nat == 1 - delta N /\ L 0%nat 1%nat == 1.
End Positions.

Definition AppendixC2_contextual : Prop := forall d n N, (1 <= d)%nat -> (2 <= n)%nat -> (2 <= N)%nat ->
  contextual d n N /\ bounded d n N /\ determined d n N.
Definition AppendixC2_keys : Prop := forall d n N, (1 <= d)%nat -> (2 <= n)%nat -> (2 <= N)%nat ->
  positional_keys_from_sweep d n N.
Definition AppendixC2_order : Prop := forall d n N, (1 <= d)%nat -> (2 <= n)%nat -> (2 <= N)%nat ->
  forall L, context d n N L -> ~ exception d n N L -> ordered d n N L.
(** The paper's claim of the order fails for every N at d = 1, n = 2. *)
Definition AppendixC2_no_order : Prop := forall N, (2 <= N)%nat ->
  exists L, context 1 2 N L /\ exception 1 2 N L /\ positional_swept 1 2 N L 1 < positional_swept 1 2 N L 0.
