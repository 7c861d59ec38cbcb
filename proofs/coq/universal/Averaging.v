(** Theorem 2 over all of R^(d x n) with one head in each block and a single layer whose attention does anything: it
    takes the average of all columns. Definitions and statements only.

    Each of the N^d columns of the grid gets a code, and the average adds the sum of all codes to each of them. The sum
    tells how often each column occurs, repeated columns too. So softmax has no rate, nothing is lost to repeated
    columns, and N grows with the modulus of continuity alone: N = O(1/epsilon) for Lipschitz f. *)
From Coq Require Import Reals ZArith List Arith.
From Contextual Require Statement.
From Contextual Require Import Multisets Approximation Construction Explicit.
Import ListNotations.
Open Scope R_scope.

(** ** One head, one average *)
(** A block whose head adds nothing: W_O is 0. *)
Definition no_attention (d : nat) (t : block) : Prop := forall i, (i < d)%nat -> W_O (heads t 0%nat) i 0%nat = 0.
(** A block whose scores are all 0, whatever it reads: softmax gives 1/n to each column. *)
Definition averages (d : nat) (t : block) : Prop := b_Q (heads t 0%nat) 0%nat = 0 /\ forall i, (i < d)%nat ->
  W_K (heads t 0%nat) 0%nat i = 0 /\ W_Q (heads t 0%nat) 0%nat i = 0.
Definition one_average (d : nat) (g : list block) : Prop := exists a t b, g = a ++ t :: b /\
  Forall (no_attention d) a /\ averages d t /\ Forall (no_attention d) b.

(** Theorem 2 as the paper states it, with less: h = m = 1, r = 4, and a single average. *)
Definition Theorem2_one_average : Prop := forall d n, (1 <= d)%nat -> (1 <= n)%nat ->
  forall f, continuous_on d n everywhere f -> compact_support d n f -> equivariant d n f ->
  forall p e, 1 <= p -> 0 < e -> exists g : list block,
    one_average d g /\ distance_below d n p everywhere f (run d n 1 1 4 g) e.

(** ** The network *)
(** The number of column j of the cells K, its entries being digits in base N; and its code, in whole units. *)
Fixpoint number (d N : nat) (K : cells) (j : nat) : nat :=
  match d with O => O | S i => (number i N K j + N ^ i * K i j)%nat end.
Definition units (d n N k : nat) : nat := S (column_code n (Statement.B d N) k).
(** Codes are at most this many units. *)
Definition spread (d n N : nat) : nat := digit_base n (Statement.B d N) ^ n.
(** A unit: above all ids of the grid, and of columns of values. *)
Definition unit_of (d N : nat) (F : R) : R := (F * INR d + 1) * INR (Statement.B d N).

(** The column k, whose id is k/N, gets the id of its code: what is added to row 0. *)
Definition code_entry (d n N : nat) (F : R) (k : nat) : R * (nat -> R) :=
  (INR k * / INR N,
   fun i => if Nat.eqb i 0 then unit_of d N F * INR (units d n N k) - INR k * / INR N else 0).
(** X + a e_1 u^T X 1/n 11^T *)
Definition average (N : nat) (a : R) : block :=
  attention (Head (fun i _ => if Nat.eqb i 0 then a else 0) (fun _ => u N) (fun _ _ => 0) (fun _ _ => 0) (fun _ => 0))
    zero_head.
Definition averaging_map (d n N : nat) (F : R) : list block :=
  value N (map (code_entry d n N F) (seq 0 (Statement.B d N))) ++ [average N (INR n * INR (spread d n N))].

(** The key: the column's own code, and the sum of all, above it. *)
Definition averaging_key (d n N : nat) (F : R) (K : cells) (j : nat) : R := unit_of d N F *
  INR (units d n N (number d N K j) + spread d n N * list_sum (map (fun k => units d n N (number d N K k)) (seq 0 n))).
Definition averaging_top (d n N : nat) (F : R) : R :=
  unit_of d N F * INR (spread d n N + spread d n N * (n * spread d n N)).

(** With a table v of values for all cells, repeated columns too. *)
Definition averaging_table (d n N : nat) (F : R) (v : cells -> matrix) : list (R * (nat -> R)) :=
  table d n N (all_cells d n N) (averaging_key d n N F) v.
Definition averaging_network_at (d n N : nat) (e F : R) (v : cells -> matrix) : list block :=
  whole_network d n N e F (averaging_top d n N F) (averaging_map d n N F) (averaging_table d n N F v).
(** From the cube to the box [-K, K] *)
Definition averaging_network (d n : nat) (K : R) (N : nat) (e F : R) (v : cells -> matrix) : list block :=
  entrywise d (affine (/ (2 * K)) (1 / 2)) ++ averaging_network_at d n N e F v.

(** ** What it is at a point: at a point of any cell, off the strips, the very value of this cell; and 0 off the cube.
    The values of columns in another order have to be in this order. *)
Definition equivariant_values (d n N : nat) (v : cells -> matrix) : Prop := forall p : nat -> nat,
  (forall k, (k < n)%nat -> (p k < n)%nat) -> (forall k l, (k < n)%nat -> (l < n)%nat -> p k = p l -> k = l) ->
  forall K K', In K (all_cells d n N) -> In K' (all_cells d n N) ->
  (forall i k, (i < d)%nat -> (k < n)%nat -> K' i k = K i (p k)) ->
  forall i k, (i < d)%nat -> (k < n)%nat -> v K' i k = v K i (p k).
Definition Averaging_values : Prop := forall d n N e F v, (1 <= d)%nat -> (1 <= n)%nat -> (2 <= N)%nat ->
  0 < e < / INR N -> 0 < F -> equivariant_values d n N v ->
  (forall K i j, In K (all_cells d n N) -> (i < d)%nat -> (j < n)%nat -> Rabs (v K i j) <= F) ->
  let g := run d n 1 1 4 (averaging_network_at d n N e F v) in
  (forall X, within d n F (g X) (fun _ _ => 0)) /\
  (forall X k l, (k < d)%nat -> (l < n)%nat -> X k l <= 0 \/ 1 <= X k l ->
    forall i j, (i < d)%nat -> (j < n)%nat -> g X i j = 0) /\
  forall K X, In K (all_cells d n N) -> off_strips d n N e K X -> (forall i j, (i < d)%nat -> (j < n)%nat -> e <= X i
    j) ->
    forall i j, (i < d)%nat -> (j < n)%nat -> g X i j = v K i j.

(** ** How many blocks: d n N of width 1/N, and n N^(dn) values *)
(** For any N and e whose cells and strips are fine. *)
Definition Averaging_at : Prop := forall d n f K F c p eps N e, (1 <= d)%nat -> (1 <= n)%nat ->
  continuous_on d n everywhere f -> equivariant d n f ->
  (forall X, ~ close d n K X (fun _ _ => 0) -> forall i j, (i < d)%nat -> (j < n)%nat -> f X i j = 0) ->
  (forall X i j, (i < d)%nat -> (j < n)%nat -> Rabs (f X i j) <= F) ->
  0 < K -> 0 < F -> 1 <= p -> 0 < eps ->
  (forall X Y, close d n c X Y -> close d n (allowed_change d n K p eps) (f X) (f Y)) ->
  fine_cells d n F (c / (2 * K)) p (shrunk d n (2 * K) p eps) N e ->
  let g := averaging_network d n K N e F (at_corners N (fun Y => f (stretch (- K) (2 * K) Y))) in
  one_average d g /\ distance_below d n p everywhere f (run d n 1 1 4 g) eps /\ length g = blocks2 d n N.

(** For f with |f(X)_ij - f(Y)_ij| < l c wherever no entry of X differs from Y's by c or more: N is at most 3 +
    16 d n K l (2K)^(dn/p) / epsilon, so that the number of blocks, 3 d + d N + N^d + 2 + n N^(dn), is
    O(n epsilon^(-dn)). *)
Definition Averaging_rate : Prop := forall d n f K F l p, (1 <= d)%nat -> (1 <= n)%nat ->
  equivariant d n f ->
  (forall X, ~ close d n K X (fun _ _ => 0) -> forall i j, (i < d)%nat -> (j < n)%nat -> f X i j = 0) ->
  (forall X i j, (i < d)%nat -> (j < n)%nat -> Rabs (f X i j) <= F) ->
  0 < K -> 0 < F -> 0 < l -> 1 <= p ->
  (forall X Y c, 0 < c -> close d n c X Y -> close d n (l * c) (f X) (f Y)) ->
  forall eps, 0 < eps -> exists g N,
    one_average d g /\ distance_below d n p everywhere f (run d n 1 1 4 g) eps /\ length g = blocks2 d n N /\
    INR N <= 3 + 16 * INR d * INR n * K * l * Rpower (((2 * K) ^ n) ^ d) (/ p) / eps.

(** ** The weights: the bound of [Explicit.v], with no rate, and with codes in the place of the factor. The largest
    code is
    [spread], (n N^(dn) + 1)^n, so that for fixed d and n the bound is a polynomial in N, F, 1/K and 1/e. *)
Definition Averaging_weights : Prop := forall d n K N e F v, (1 <= d)%nat -> (1 <= n)%nat -> (2 <= N)%nat ->
  0 < K -> 0 < e < / INR N -> 0 < F ->
  (forall C i j, In C (all_cells d n N) -> (i < d)%nat -> (j < n)%nat -> Rabs (v C i j) <= F) ->
  Forall (weights_within d (largest_weight d n N K e F 0 (averaging_top d n N F) (n * spread d n N)))
    (averaging_network d n K N e F v).
