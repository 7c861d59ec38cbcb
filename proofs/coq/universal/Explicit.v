(** Theorems 2 and 3 with all numbers given: the networks of [Construction.v], and how many blocks they have. Statements
    only. c is a modulus of continuity: f changes by less than [step_error] where no entry changes by c or more. *)

From Coq Require Import Reals List Arith.
From Contextual Require Statement Statement3.
From Contextual Require Import Approximation Construction.
Open Scope R_scope.

(** Cells along each axis, after the box [-K, K] has been shrunk to the cube: N of Theorems 2 and 3. *)
Definition cells_per_side (d n : nat) (K F c p eps : R) : nat := side d n F (c / (2 * K)) p (shrunk d n (2 * K) p eps).
(** How little f may change within c. *)
Definition allowed_change (d n : nat) (K p eps : R) : R := step_error d n (shrunk d n (2 * K) p eps).

(** f is 0 off (-K, K), and within [-F, F]. *)
Definition Theorem2_explicit : Prop := forall d n f K F c p eps, (1 <= d)%nat -> (1 <= n)%nat ->
  continuous_on d n everywhere f -> equivariant d n f ->
  (forall X, ~ close d n K X (fun _ _ => 0) -> forall i j, (i < d)%nat -> (j < n)%nat -> f X i j = 0) ->
  (forall X i j, (i < d)%nat -> (j < n)%nat -> Rabs (f X i j) <= F) ->
  (forall X Y, close d n c X Y -> close d n (allowed_change d n K p eps) (f X) (f Y)) ->
  0 < K -> 0 < F -> 0 < c -> 1 <= p -> 0 < eps ->
  distance_below d n p everywhere f (run d n 2 1 4 (theorem2_network d n K F c p eps f)) eps /\
  let N := cells_per_side d n K F c p eps in
  (length (theorem2_network d n K F c p eps f) <= 3 * d + d * N + (N ^ d + 1) + 1 + n * N ^ (d * n))%nat.

(** Theorem 3: D lies within (-K, K); v is a table of the values of f, one point of D for each cell that D meets. The
    blocks are counted exactly. *)
Definition Theorem3_explicit : Prop := forall d n (D : matrix -> Prop) (f : matrix -> matrix) K F c p eps (v : cells ->
  matrix),
  (1 <= d)%nat -> (1 <= n)%nat ->
  (forall X, D X -> close d n K X (fun _ _ => 0)) ->
  (forall X, D X -> forall i j, (i < d)%nat -> (j < n)%nat -> Rabs (f X i j) <= F) ->
  (forall X Y, D X -> D Y -> close d n c X Y -> close d n (allowed_change d n K p eps) (f X) (f Y)) ->
  0 < K -> 0 < F -> 0 < c -> 1 <= p -> 0 < eps ->
  let N := cells_per_side d n K F c p eps in
  (forall C i j, (i < d)%nat -> (j < n)%nat -> Rabs (v C i j) <= F) ->
  (forall C, In C (all_cells d n N) -> (exists Y, D (stretch (- K) (2 * K) Y) /\ in_cell d n N C Y) ->
    exists Y, D (stretch (- K) (2 * K) Y) /\ in_cell d n N C Y /\
    forall i j, (i < d)%nat -> (j < n)%nat -> v C i j = f (stretch (- K) (2 * K) Y) i j) ->
  distance_below d n p D f (fun X => run d n 2 1 4 (theorem3_network d n K F c p eps v) (plus X (encoding K))) eps /\
  length (theorem3_network d n K F c p eps v) =
    (2 * d + d * (n * N) + (if Nat.eqb n 1 then 1 else n * N ^ d + 1) + n * N ^ (d * n))%nat.

(** The largest weights hold softmax's rate, ([map_error] + 1) / [tolerance]: without recursion, for a sweep over k
    levels (N^d for Theorem 2, n N^d for Theorem 3) and the global factor g. *)
Definition Rate_explicit : Prop := forall d n N k g, (1 <= d)%nat -> (2 <= N)%nat ->
  let sweep := 4 * INR n * INR N * ((1 + 2 * INR (N ^ d)) ^ k - 1) in
  map_error d n N k g = sweep + INR g * (sweep + 2 * INR n * INR N).

(** ** The weights *)
(** All weights of a block with two heads of size 1 and four hidden nodes are within [-W, W]. *)
Definition weights_within (d : nat) (W : R) (t : block) : Prop :=
  (forall k i, (k < 2)%nat -> (i < d)%nat ->
    Rabs (W_O (heads t k) i 0%nat) <= W /\ Rabs (W_V (heads t k) 0%nat i) <= W /\
    Rabs (W_K (heads t k) 0%nat i) <= W /\ Rabs (W_Q (heads t k) 0%nat i) <= W /\ Rabs (b_Q (heads t k) 0%nat) <= W) /\
  forall a i, (a < 4)%nat -> (i < d)%nat ->
    Rabs (W_1 t a i) <= W /\ Rabs (W_2 t i a) <= W /\ Rabs (b_1 t a) <= W /\ Rabs (b_2 t i) <= W.

(** One bound for all of them: of the rate lambda, the strip e, the largest value F, the largest key, the factor g of the
    global shift, and the box [-K, K]. *)
Definition largest_weight (d n N : nat) (K e F lambda top : R) (g : nat) : R :=
  / (2 * K) + INR g + (lambda + 1) * (INR n * INR (N ^ d)) +
  4 * INR N * (F + INR n + top + INR d * INR n * INR (N ^ d)) + (2 * INR n * (top + F + 1) + 3) / e.

(** Theorem 2's network. *)
Definition Theorem2_weights : Prop := forall d n f K F c p eps, (1 <= d)%nat -> (1 <= n)%nat ->
  (forall X i j, (i < d)%nat -> (j < n)%nat -> Rabs (f X i j) <= F) -> 0 < K -> 0 < F -> 0 < c -> 1 <= p -> 0 < eps ->
  let N := cells_per_side d n K F c p eps in let eps' := shrunk d n (2 * K) p eps in
  Forall (weights_within d (largest_weight d n N K (gap d n N F p eps') F (cube_rate d n N eps')
    (top_key d n N (offset d N F)) (global_factor d n N))) (theorem2_network d n K F c p eps f).
