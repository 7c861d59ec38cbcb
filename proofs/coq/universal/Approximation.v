(** Theorem 2 and Theorem 3 of Yun et al. (ICLR 2020). Definitions and statements only; standard library only. A matrix
    is a function of two indices counted from 0; only the entries within its size, named at each use, are read. *)

From Coq Require Import Reals List Bool.
Import ListNotations.
Open Scope R_scope.

Definition matrix := nat -> nat -> R.
Fixpoint sum (m : nat) (f : nat -> R) : R := match m with O => 0 | S m' => sum m' f + f m' end.
Fixpoint prod (m : nat) (f : nat -> R) : R := match m with O => 1 | S m' => prod m' f * f m' end.
(** A B, for A with k columns and B with k rows. *)
Definition times (k : nat) (A B : matrix) : matrix := fun i j => sum k (fun l => A i l * B l j).
Definition plus (A B : matrix) : matrix := fun i j => A i j + B i j.
Definition transpose (A : matrix) : matrix := fun i j => A j i.
(** b 1^T *)
Definition columns (b : nat -> R) : matrix := fun i _ => b i.

(** ** Section 2: Transformer blocks of h heads of size m and r hidden nodes, on d x n matrices *)
Section Transformer.
Variables d n h m r : nat.

Definition softmax (A : matrix) : matrix := fun i j => exp (A i j) / sum n (fun k => exp (A k j)).
Definition relu (A : matrix) : matrix := fun i j => Rmax 0 (A i j).

(** Heads 0, ..., h - 1. W_O is d x m, W_V, W_K and W_Q are m x d; W_1 is r x d, and W_2 is d x r. *)
Record head := Head { W_O : matrix; W_V : matrix; W_K : matrix; W_Q : matrix; b_Q : nat -> R }.
Record block := Block { heads : nat -> head; W_1 : matrix; W_2 : matrix; b_1 : nat -> R; b_2 : nat -> R }.

(** W_O W_V X softmax[(W_K X)^T (W_Q X + b_Q 1^T)] *)
Definition attend (w : head) (X : matrix) : matrix :=
  times m (W_O w) (times n (times d (W_V w) X)
    (softmax (times m (transpose (times d (W_K w) X)) (plus (times d (W_Q w) X) (columns (b_Q w)))))).
Definition Attn (t : block) (X : matrix) : matrix := fun i j => X i j + sum h (fun k => attend (heads t k) X i j).
Definition FF (t : block) (Y : matrix) : matrix :=
  plus Y (plus (times r (W_2 t) (relu (plus (times d (W_1 t) Y) (columns (b_1 t))))) (columns (b_2 t))).
Definition run (ts : list block) (X : matrix) : matrix := fold_left (fun Y t => FF t (Attn t Y)) ts X.
End Transformer.

(** ** Section 3: the functions, the distance, the theorems *)
Section Functions.
Variables d n : nat.

Definition close (e : R) (X Y : matrix) : Prop := forall i j, (i < d)%nat -> (j < n)%nat -> Rabs (X i j - Y i j) < e.
Definition continuous_on (D : matrix -> Prop) (f : matrix -> matrix) : Prop :=
  forall X, D X -> forall e, 0 < e -> exists c, 0 < c /\ forall Y, D Y -> close c X Y -> close e (f X) (f Y).
Definition everywhere : matrix -> Prop := fun _ => True.
Definition cube : matrix -> Prop := fun X => forall i j, (i < d)%nat -> (j < n)%nat -> 0 <= X i j <= 1.
Definition ball (K : R) : matrix -> Prop := fun X => close K X (fun _ _ => 0).
Definition compact (D : matrix -> Prop) : Prop :=                                        (* bounded and closed *)
  (exists K, forall X, D X -> close K X (fun _ _ => 0)) /\
  (forall X, (forall e, 0 < e -> exists Y, D Y /\ close e X Y) -> D X).
Definition compact_support (f : matrix -> matrix) : Prop :=
  exists K, forall X, ~ close K X (fun _ _ => 0) -> forall i j, (i < d)%nat -> (j < n)%nat -> f X i j = 0.
Definition equivariant (f : matrix -> matrix) : Prop := forall p : nat -> nat,
  (forall j, (j < n)%nat -> (p j < n)%nat) -> (forall j k, (j < n)%nat -> (k < n)%nat -> p j = p k -> j = k) ->
  forall X i j, (i < d)%nat -> (j < n)%nat -> f (fun i j => X i (p j)) i j = f X i (p j).

(** [integral_below D F c]: F is at most a step function on D whose integral is below c. Then so is every integral of F
    over D (Riemann's or Lebesgue's, the upper one if F is not measurable). A step function: finitely many boxes with
    heights. *)
Record box := Box { low : matrix; high : matrix; height : R }.
Definition inside (b : box) (X : matrix) : bool :=
  forallb (fun i => forallb (fun j =>
    if Rle_dec (low b i j) (X i j) then if Rle_dec (X i j) (high b i j) then true else false else false)
    (seq 0 n)) (seq 0 d).
Definition proper (b : box) : Prop :=
  0 <= height b /\ forall i j, (i < d)%nat -> (j < n)%nat -> low b i j <= high b i j.
Definition volume (b : box) : R := prod d (fun i => prod n (fun j => high b i j - low b i j)).
Definition step (bs : list box) (X : matrix) : R :=
  fold_right (fun b s => (if inside b X then height b else 0) + s) 0 bs.
Definition step_integral (bs : list box) : R := fold_right (fun b s => height b * volume b + s) 0 bs.
Definition integral_below (D : matrix -> Prop) (F : matrix -> R) (c : R) : Prop :=
  exists bs, Forall proper bs /\ (forall X, D X -> F X <= step bs X) /\ step_integral bs < c.

(** |x|^p, and d_p(f, g) < e over D, that is: the integral of ||f(X) - g(X)||_p^p is below e^p *)
Definition power (x p : R) : R := if Req_EM_T x 0 then 0 else Rpower (Rabs x) p.
Definition distance_below (p : R) (D : matrix -> Prop) (f g : matrix -> matrix) (e : R) : Prop :=
  integral_below D (fun X => sum d (fun i => sum n (fun j => power (f X i j - g X i j) p))) (power e p).
End Functions.

(** Theorem 2 as the paper states it: over all of R^(d x n). *)
Definition Theorem2 : Prop := forall d n, (1 <= d)%nat -> (1 <= n)%nat ->
  forall f, continuous_on d n everywhere f -> compact_support d n f -> equivariant d n f ->
  forall p e, 1 <= p -> 0 < e -> exists g : list block, distance_below d n p everywhere f (run d n 2 1 4 g) e.

(** Over the cube, f continuous there. *)
Definition Theorem2_cube : Prop := forall d n, (1 <= d)%nat -> (1 <= n)%nat ->
  forall f, continuous_on d n (cube d n) f -> equivariant d n f ->
  forall p e, 1 <= p -> 0 < e -> exists g : list block, distance_below d n p (cube d n) f (run d n 2 1 4 g) e.

(** Theorem 3: positional encodings, f on any compact domain, the distance over that domain. *)
Definition Theorem3 : Prop := forall d n, (1 <= d)%nat -> (1 <= n)%nat ->
  forall D f, compact d n D -> continuous_on d n D f ->
  forall p e, 1 <= p -> 0 < e -> exists (g : list block) (E : matrix),
    distance_below d n p D f (fun X => run d n 2 1 4 g (plus X E)) e.

(** Theorem 3 with one encoding for each domain, chosen before f, p and e. *)
Definition Theorem3_encoding : Prop := forall d n, (1 <= d)%nat -> (1 <= n)%nat ->
  forall D, compact d n D -> exists E : matrix, forall f, continuous_on d n D f ->
  forall p e, 1 <= p -> 0 < e -> exists g : list block,
    distance_below d n p D f (fun X => run d n 2 1 4 g (plus X E)) e.

(** ** What networks can't do, for any number h of heads, their size m and r hidden nodes. Each is a statement about a
    bounded domain: it doesn't rest on what a function does far out. *)
(** Every network is equivariant. *)
Definition Network_equivariant : Prop := forall d n h m r ts, equivariant d n (run d n h m r ts).

(** Theorem 2 and its converse: if f isn't equivariant, there are a ball and an e > 0 such that over this ball no
    network of any size comes within e of f. *)
Definition Theorem2_iff : Prop := forall d n, (1 <= d)%nat -> (1 <= n)%nat ->
  forall f, continuous_on d n everywhere f -> compact_support d n f -> forall p, 1 <= p ->
  (equivariant d n f -> forall e, 0 < e -> exists g : list block,
    distance_below d n p everywhere f (run d n 2 1 4 g) e) /\
  (~ equivariant d n f -> exists K e, 0 < e /\ forall h m r (g : list block),
    ~ distance_below d n p (ball d n K) f (run d n h m r g) e).

(** One f, of compact support, such that for every encoding there is a ball over which every network with this encoding
    keeps a distance of 1/4. *)
Definition No_encoding_everywhere : Prop := forall d n, (1 <= d)%nat -> (2 <= n)%nat ->
  exists f, continuous_on d n everywhere f /\ compact_support d n f /\
  forall E, exists K, forall h m r ts p e, 1 <= p -> 0 < e <= 1 / 4 ->
    ~ distance_below d n p (ball d n K) f (fun X => run d n h m r ts (plus X E)) e.

(** So Theorem 3 with one encoding for all balls, in place of one for a compact domain, is false even for f of compact
    support, and for networks of any size that may depend on the ball. *)
Definition Theorem3_everywhere_false : Prop := ~ forall d n, (1 <= d)%nat -> (1 <= n)%nat ->
  forall f, continuous_on d n everywhere f -> compact_support d n f ->
  forall p e, 1 <= p -> 0 < e -> exists E : matrix, forall K, exists h m r (g : list block),
    distance_below d n p (ball d n K) f (fun X => run d n h m r g (plus X E)) e.

(** Without an encoding, over the cube: the same distance from one f. *)
Definition No_network_without_encoding : Prop := forall d n, (1 <= d)%nat -> (2 <= n)%nat ->
  exists f, continuous_on d n everywhere f /\ compact_support d n f /\
  forall h m r ts p e, 1 <= p -> 0 < e <= 1 / 4 -> ~ distance_below d n p (cube d n) f (run d n h m r ts) e.

(** With one encoding E over every ball, by networks of any size: only those f that commute with X -> (X + E) P - E, for
    every permutation P of the columns. *)
Definition One_encoding_only : Prop := forall d n, (1 <= d)%nat -> (1 <= n)%nat ->
  forall f E p, continuous_on d n everywhere f -> 1 <= p ->
  (forall K e, 0 < e -> exists h m r ts,
    distance_below d n p (ball d n K) f (fun X => run d n h m r ts (plus X E)) e) ->
  forall P : nat -> nat, (forall j, (j < n)%nat -> (P j < n)%nat) ->
  (forall j k, (j < n)%nat -> (k < n)%nat -> P j = P k -> j = k) ->
  forall X i j, (i < d)%nat -> (j < n)%nat -> f (fun i j => X i (P j) + E i (P j) - E i j) i j = f X i (P j).

(** ** The distance is what it should be *)
(** The integral of a step function is a number of the function, whatever the boxes, and at least c times the volume of
    a box on which the function is at least c. *)
Definition Integral_unique : Prop := forall d n bs bs', (1 <= n)%nat ->
  Forall (proper d n) bs -> Forall (proper d n) bs' ->
  (forall X, step d n bs X = step d n bs' X) -> step_integral d n bs = step_integral d n bs'.
Definition Integral_lower : Prop := forall d n bs b, (1 <= n)%nat -> Forall (proper d n) bs -> proper d n b ->
  (forall X, inside d n b X = true -> height b <= step d n bs X) -> height b * volume d n b <= step_integral d n bs.

(** Equal functions are within every e; constants x, y are over the cube at the distance (d n |x - y|^p)^(1/p): f and f
    + 1 aren't. *)
Definition Distance_self : Prop := forall d n p D f e, 0 < e -> distance_below d n p D f f e.
Definition Distance_constants : Prop := forall d n p x y e, (1 <= n)%nat ->
  distance_below d n p (cube d n) (fun _ _ _ => x) (fun _ _ _ => y) e <-> INR d * (INR n * power (x - y) p) < power e p.
Definition Distance_symmetric : Prop := forall d n p D f g e,
  distance_below d n p D f g e -> distance_below d n p D g f e.
Definition Distance_triangle : Prop := forall d n p D f g h e e', 1 <= p -> 0 < e -> 0 < e' ->
  distance_below d n p D f g e -> distance_below d n p D g h e' -> distance_below d n p D f h (e + e').

(** Over all of R^(d x n) boxes are bounded: a distance below any e makes f and g equal off a bounded set. *)
Definition Distance_everywhere : Prop := forall d n p f g e, distance_below d n p everywhere f g e ->
  exists K, forall X, ~ close d n K X (fun _ _ => 0) -> forall i j, (i < d)%nat -> (j < n)%nat -> f X i j = g X i j.

(** ** The same in terms of the Riemann integral, with no step function *)
(** All functions from {0, ..., m-1} to {0, ..., N-1}, as a list of N^m; and N^(dn) matrices, row after row. *)
Fixpoint functions (N m : nat) : list (nat -> nat) :=
  match m with
  | O => [fun _ => O]
  | S m' => flat_map (fun g => map (fun k i => if Nat.eqb i m' then k else g i) (seq 0 N)) (functions N m')
  end.
Definition as_cells (n : nat) (g : nat -> nat) : nat -> nat -> nat := fun i j => g (i * n + j)%nat.

(** The Riemann sum of F over the grid with N points along each axis of the cube; ||f - g||_p^p; the box [-K, K] shrunk
    to the cube. *)
Definition point (n N : nat) (g : nat -> nat) : matrix := fun i j => INR (as_cells n g i j) * / INR N.
Definition riemann (d n : nat) (F : matrix -> R) (N : nat) : R :=
  fold_right (fun g s => F (point n N g) + s) 0 (functions N (d * n)) * (/ INR N) ^ (d * n).
Definition error (d n : nat) (p : R) (f g : matrix -> matrix) (X : matrix) : R :=
  sum d (fun i => sum n (fun j => power (f X i j - g X i j) p)).
Definition in_box (K : R) (Y : matrix) : matrix := fun i j => - K + 2 * K * Y i j.

(** Over the cube: the Riemann sums of ||f - g||_p^p converge, and the distance is below e just if their limit is below
    e^p. *)
Definition Distance_is_integral : Prop := forall d n f g p, (1 <= d)%nat -> (1 <= n)%nat ->
  continuous_on d n (cube d n) f -> continuous_on d n (cube d n) g -> 1 <= p ->
  exists I, Un_cv (fun N => riemann d n (error d n p f g) (S N)) I /\
  forall e, 0 < e -> (distance_below d n p (cube d n) f g e <-> I < Rpower e p).

(** Theorem 2: f = g off [-K, K], and the integral over [-K, K] is below e^p. *)
Definition Theorem2_riemann : Prop := forall d n, (1 <= d)%nat -> (1 <= n)%nat ->
  forall f, continuous_on d n everywhere f -> compact_support d n f -> equivariant d n f ->
  forall p e, 1 <= p -> 0 < e -> exists (g : list block) (K I : R), 0 < K /\
  (forall X, ~ close d n K X (fun _ _ => 0) -> forall i j, (i < d)%nat -> (j < n)%nat ->
    run d n 2 1 4 g X i j = f X i j) /\
  Un_cv (fun N => riemann d n (fun Y => error d n p f (run d n 2 1 4 g) (in_box K Y)) (S N)) I /\
    ((2 * K) ^ n) ^ d * I < Rpower e p.
Definition Theorem2_cube_riemann : Prop := forall d n, (1 <= d)%nat -> (1 <= n)%nat ->
  forall f, continuous_on d n (cube d n) f -> equivariant d n f ->
  forall p e, 1 <= p -> 0 < e -> exists (g : list block) (I : R),
  Un_cv (fun N => riemann d n (error d n p f (run d n 2 1 4 g)) (S N)) I /\ I < Rpower e p.

(** Theorem 3 for the cube, with one E. *)
Definition Theorem3_cube_riemann : Prop := forall d n, (1 <= d)%nat -> (1 <= n)%nat -> exists E : matrix,
  forall f, continuous_on d n (cube d n) f -> forall p e, 1 <= p -> 0 < e -> exists (g : list block) (I : R),
  Un_cv (fun N => riemann d n (error d n p f (fun X => run d n 2 1 4 g (plus X E))) (S N)) I /\ I < Rpower e p.
