(** Theorems 2 and 3 with all numbers given: the networks of [Construction.v], what they are at a point, how many blocks
    they have, and how large their weights are. Statements only. *)

From Coq Require Import Reals List Arith.
From Contextual Require Statement Statement3.
From Contextual Require Import Approximation Construction.
Open Scope R_scope.

(** ** The theorems for any numbers that are fine, and any rate lambda that keeps the ids within the tolerance *)
(** f is 0 off (-K, K) and within [-F, F], and changes by less than [allowed_change] where no entry changes by c or
    more. *)
Definition allowed_change (d n : nat) (K p eps : R) : R := step_error d n (shrunk d n (2 * K) p eps).
Definition blocks2 (d n N : nat) : nat := (3 * d + d * N + (N ^ d + 1) + 1 + n * N ^ (d * n))%nat.
Definition blocks3 (d n N : nat) : nat :=
  (2 * d + d * (n * N) + (if Nat.eqb n 1 then 1 else n * N ^ d + 1) + n * N ^ (d * n))%nat.

Definition Theorem2_at : Prop := forall d n f K F c p eps N e lambda, (1 <= d)%nat -> (1 <= n)%nat ->
  continuous_on d n everywhere f -> equivariant d n f ->
  (forall X, ~ close d n K X (fun _ _ => 0) -> forall i j, (i < d)%nat -> (j < n)%nat -> f X i j = 0) ->
  (forall X i j, (i < d)%nat -> (j < n)%nat -> Rabs (f X i j) <= F) ->
  0 < K -> 0 < F -> 0 < c -> 1 <= p -> 0 < eps ->
  (forall X Y, close d n c X Y -> close d n (allowed_change d n K p eps) (f X) (f Y)) ->
  let eps' := shrunk d n (2 * K) p eps in
  fine d n F (c / (2 * K)) p eps' N e -> 0 < lambda -> cube_error d n N / lambda <= tolerance d n N eps' ->
  let g := theorem2_network_at d n K N e lambda F (at_corners N (fun Y => f (stretch (- K) (2 * K) Y))) in
  distance_below d n p everywhere f (run d n 2 1 4 g) eps /\ (length g <= blocks2 d n N)%nat.

(** Theorem 3: D lies within (-K, K); v is a table of the values of f, at one point of D in each cell that D meets. The
    blocks are counted exactly. *)
Definition sampled (d n N : nat) (K : R) (D : matrix -> Prop) (f : matrix -> matrix) (v : cells -> matrix) : Prop :=
  forall C, In C (all_cells d n N) ->
  (exists Y, D (stretch (- K) (2 * K) Y) /\ in_cell d n N C Y) ->
  exists Y, D (stretch (- K) (2 * K) Y) /\ in_cell d n N C Y /\
  forall i j, (i < d)%nat -> (j < n)%nat -> v C i j = f (stretch (- K) (2 * K) Y) i j.
Definition Theorem3_at : Prop := forall d n (D : matrix -> Prop) f K F c p eps v N e lambda, (1 <= d)%nat ->
  (1 <= n)%nat -> (forall X, D X -> close d n K X (fun _ _ => 0)) ->
  (forall X, D X -> forall i j, (i < d)%nat -> (j < n)%nat -> Rabs (f X i j) <= F) ->
  0 < K -> 0 < F -> 0 < c -> 1 <= p -> 0 < eps ->
  (forall X Y, D X -> D Y -> close d n c X Y -> close d n (allowed_change d n K p eps) (f X) (f Y)) ->
  (forall C i j, (i < d)%nat -> (j < n)%nat -> Rabs (v C i j) <= F) ->
  let eps' := shrunk d n (2 * K) p eps in
  fine_positions d n F (c / (2 * K)) p eps' N e -> 0 < lambda -> positional_error d n N / lambda <= tolerance d n N
    eps' ->
  sampled d n N K D f v ->
  let g := theorem3_network_at d n K N e lambda F v in
  distance_below d n p D f (fun X => run d n 2 1 4 g (plus X (encoding K))) eps /\ length g = blocks3 d n N.

(** ** The same with the numbers of [Construction.v] *)
(** They are fine, and their rates are large enough. *)
Definition Numbers_fine : Prop := forall d n F c p eps, (1 <= d)%nat -> (1 <= n)%nat -> 0 < F -> 0 < c -> 0 < eps ->
  let N := side d n F c p eps in fine d n F c p eps N (gap d n N F p eps) /\
  (0 < cube_rate d n N eps /\ cube_error d n N / cube_rate d n N eps <= tolerance d n N eps) /\
  let N := side_positions d F c in fine_positions d n F c p eps N (gap d n N F p eps) /\
  (0 < positional_rate d n N eps /\ positional_error d n N / positional_rate d n N eps <= tolerance d n N eps).

(** Cells along each axis, after the box [-K, K] has been shrunk to the cube: N of Theorem 2, and of Theorem 3. *)
Definition cells_per_side (d n : nat) (K F c p eps : R) : nat := side d n F (c / (2 * K)) p (shrunk d n (2 * K) p eps).
Definition cells_per_side3 (d : nat) (K F c : R) : nat := side_positions d F (c / (2 * K)).

Definition Theorem2_explicit : Prop := forall d n f K F c p eps, (1 <= d)%nat -> (1 <= n)%nat ->
  continuous_on d n everywhere f -> equivariant d n f ->
  (forall X, ~ close d n K X (fun _ _ => 0) -> forall i j, (i < d)%nat -> (j < n)%nat -> f X i j = 0) ->
  (forall X i j, (i < d)%nat -> (j < n)%nat -> Rabs (f X i j) <= F) ->
  0 < K -> 0 < F -> 0 < c -> 1 <= p -> 0 < eps ->
  (forall X Y, close d n c X Y -> close d n (allowed_change d n K p eps) (f X) (f Y)) ->
  let g := theorem2_network d n K F c p eps f in
  distance_below d n p everywhere f (run d n 2 1 4 g) eps /\
  (length g <= blocks2 d n (cells_per_side d n K F c p eps))%nat.

Definition Theorem3_explicit : Prop := forall d n (D : matrix -> Prop) f K F c p eps v, (1 <= d)%nat -> (1 <= n)%nat ->
  (forall X, D X -> close d n K X (fun _ _ => 0)) ->
  (forall X, D X -> forall i j, (i < d)%nat -> (j < n)%nat -> Rabs (f X i j) <= F) ->
  0 < K -> 0 < F -> 0 < c -> 1 <= p -> 0 < eps ->
  (forall X Y, D X -> D Y -> close d n c X Y -> close d n (allowed_change d n K p eps) (f X) (f Y)) ->
  (forall C i j, (i < d)%nat -> (j < n)%nat -> Rabs (v C i j) <= F) ->
  sampled d n (cells_per_side3 d K F c) K D f v ->
  let g := theorem3_network d n K F c p eps v in
  distance_below d n p D f (fun X => run d n 2 1 4 g (plus X (encoding K))) eps /\
  length g = blocks3 d n (cells_per_side3 d K F c).

(** For f with |f(X)_ij - f(Y)_ij| < l c wherever no entry of X differs from Y's by c or more: N is at most 4 + F d +
    16 d n K l (2K)^(dn/p) / epsilon, so that the number of blocks, 2 d + d n N + n N^d + 1 + n N^(dn) for n >= 2, is
    O(n epsilon^(-dn)). *)
Definition Theorem3_rate : Prop := forall d n (D : matrix -> Prop) f K F l p, (1 <= d)%nat -> (1 <= n)%nat ->
  (forall X, D X -> close d n K X (fun _ _ => 0)) ->
  (forall X, D X -> forall i j, (i < d)%nat -> (j < n)%nat -> Rabs (f X i j) <= F) ->
  0 < K -> 0 < F -> 0 < l -> 1 <= p ->
  (forall X Y c, D X -> D Y -> 0 < c -> close d n c X Y -> close d n (l * c) (f X) (f Y)) ->
  forall eps, 0 < eps -> exists (g : list block) N,
    distance_below d n p D f (fun X => run d n 2 1 4 g (plus X (encoding K))) eps /\ length g = blocks3 d n N /\
    INR N <= 4 + F * INR d + 16 * INR d * INR n * K * l * Rpower (((2 * K) ^ n) ^ d) (/ p) / eps.

(** ** What the networks are at a point, for any table of values and any N >= 2 *)
(** X lies in the cell K, off the strips of width e on its upper sides. *)
Definition off_strips (d n N : nat) (e : R) (K : cells) (X : matrix) : Prop := forall i j, (i < d)%nat -> (j < n)%nat ->
  INR (K i j) * / INR N <= X i j <= INR (K i j) * / INR N + / INR N - e.
(** Y and Z differ by e at most. *)
Definition within (d n : nat) (e : R) (Y Z : matrix) : Prop :=
  forall i j, (i < d)%nat -> (j < n)%nat -> Rabs (Y i j - Z i j) <= e.

(** Theorem 2's network over the cube: within [-F, F] everywhere, and at a point of a cell without equal columns,
    off the strips, within the error over lambda of this cell's values. *)
Definition Cube_values : Prop := forall d n N e lambda F v, (1 <= d)%nat -> (1 <= n)%nat -> (2 <= N)%nat ->
  0 < e < / INR N -> 0 < F -> 0 < lambda -> cube_error d n N / lambda <= / INR N / 4 ->
  equivariant_table d n N v -> cube_keys_above d n N F ->
  (forall K i j, In K (contexts d n N) -> (i < d)%nat -> (j < n)%nat -> Rabs (v K i j) <= F) ->
  let g := run d n 2 1 4 (cube_network_at d n N e lambda F v) in
  (forall X, within d n F (g X) (fun _ _ => 0)) /\
  forall K X, In K (contexts d n N) -> off_strips d n N e K X -> within d n (cube_error d n N / lambda) (g X) (v K).

(** The same with the sentinel: exactly 0 where some entry isn't inside (0, 1); and a strip more, at 0. *)
Definition Supported_values : Prop := forall d n N e lambda F v, (1 <= d)%nat -> (1 <= n)%nat -> (2 <= N)%nat ->
  0 < e < / INR N -> 0 < F -> 0 < lambda -> cube_error d n N / lambda <= / INR N / 4 ->
  equivariant_table d n N v -> cube_keys_above d n N F ->
  (forall K i j, In K (contexts d n N) -> (i < d)%nat -> (j < n)%nat -> Rabs (v K i j) <= F) ->
  let g := run d n 2 1 4 (supported_network_at d n N e lambda F v) in
  (forall X, within d n F (g X) (fun _ _ => 0)) /\
  (forall X k l, (k < d)%nat -> (l < n)%nat -> X k l <= 0 \/ 1 <= X k l ->
    forall i j, (i < d)%nat -> (j < n)%nat -> g X i j = 0) /\
  forall K X, In K (contexts d n N) -> off_strips d n N e K X ->
    (forall i j, (i < d)%nat -> (j < n)%nat -> e <= X i j) -> within d n (cube_error d n N / lambda) (g X) (v K).

(** Theorem 3's network over the cube: the same for every cell, and any table. *)
Definition Positional_values : Prop := forall d n N e lambda F v, (1 <= d)%nat -> (1 <= n)%nat -> (2 <= N)%nat ->
  0 < e < / INR N -> 0 < F -> 0 < lambda -> positional_error d n N / lambda <= / INR N / 4 ->
  positional_keys_above d n N F ->
  (forall K i j, (i < d)%nat -> (j < n)%nat -> Rabs (v K i j) <= F) ->
  let g := fun X => run d n 2 1 4 (positional_network_at d n N e lambda F v) (plus X positions) in
  (forall X, within d n F (g X) (fun _ _ => 0)) /\
  forall K X, In K (all_cells d n N) -> off_strips d n N e K X ->
    within d n (positional_error d n N / lambda) (g X) (v K).

(** Keys are above the ids of values as soon as there are F d + 1 cells to a unit. *)
Definition Keys_above : Prop := forall d n N F, (1 <= d)%nat -> (1 <= n)%nat -> (2 <= N)%nat ->
  F * INR d + 1 <= INR N ->
  cube_keys_above d n N F /\ positional_keys_above d n N F.

(** ** The weights *)
(** All weights of a block with two heads of size 1 and four hidden nodes are within [-W, W]. *)
Definition weights_within (d : nat) (W : R) (t : block) : Prop :=
  (forall k i, (k < 2)%nat -> (i < d)%nat ->
    Rabs (W_O (heads t k) i 0%nat) <= W /\ Rabs (W_V (heads t k) 0%nat i) <= W /\
    Rabs (W_K (heads t k) 0%nat i) <= W /\ Rabs (W_Q (heads t k) 0%nat i) <= W /\ Rabs (b_Q (heads t k) 0%nat) <= W) /\
  forall a i, (a < 4)%nat -> (i < d)%nat ->
    Rabs (W_1 t a i) <= W /\ Rabs (W_2 t i a) <= W /\ Rabs (b_1 t a) <= W /\ Rabs (b_2 t i) <= W.

(** One bound for all of them: of the rate lambda, the strip e, the largest value F, the largest key, the factor g
    of the global shift, and the box [-K, K]. *)
Definition largest_weight (d n N : nat) (K e F lambda top : R) (g : nat) : R :=
  / (2 * K) + INR g + (lambda + 1) * (INR n * INR (N ^ d)) +
  4 * INR N * (F + INR n + top + INR d * INR n * INR (N ^ d)) + (2 * INR n * (top + F + 1) + 3) / e.

(** For Theorem 3's network: all keys of [positional_map] are at most this. *)
Definition positional_top (d n N : nat) (a : R) : R :=
  if Nat.eqb n 1 then INR d * INR (Statement.B d N) + a else
  (1 + INR (Statement3.positional_factor d n N)) * (INR n * INR (N ^ ((n + 1) * d))).

(** The networks, for any numbers and any table of values within [-F, F]. *)
Definition Theorem2_weights : Prop := forall d n K N e lambda F v, (1 <= d)%nat -> (1 <= n)%nat -> (2 <= N)%nat ->
  0 < K -> 0 < e < / INR N -> 0 <= lambda -> 0 < F ->
  (forall C i j, In C (contexts d n N) -> (i < d)%nat -> (j < n)%nat -> Rabs (v C i j) <= F) ->
  Forall (weights_within d (largest_weight d n N K e F lambda (top_key d n N (offset d N F)) (global_factor d n N)))
    (theorem2_network_at d n K N e lambda F v).
Definition Theorem3_weights : Prop := forall d n K N e lambda F v, (1 <= d)%nat -> (1 <= n)%nat -> (2 <= N)%nat ->
  0 < K -> 0 < e < / INR N -> 0 <= lambda -> 0 < F ->
  (forall C i j, (i < d)%nat -> (j < n)%nat -> Rabs (v C i j) <= F) ->
  Forall (weights_within d (largest_weight d n N K e F lambda (positional_top d n N (offset d N F))
    (Statement3.positional_factor d n N))) (theorem3_network_at d n K N e lambda F v).
