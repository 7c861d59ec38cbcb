(** The networks of Theorems 2 and 3, written out: lists of blocks of two heads of size 1 and four ReLUs, computed from
    d, n, the number N of cells along each axis, the strip e, the softmax's rate lambda and a table of values.
    Definitions only. The keys are those of the rational development: [Statement.q] (Lemma 6) and
    [Statement3.positional_q] (Theorem 3). *)

From Coq Require Import Reals QArith Qreals ZArith List Arith Bool.
From Contextual Require Statement Statement3.
From Contextual Require Import Approximation.
Import ListNotations.
Open Scope R_scope.

(** ** A token-wise layer, X -> X + v phi(w^T X), where phi is a constant and four ReLUs *)
Record phi := Phi { c0 : R; c : nat -> R; s : nat -> R; o : nat -> R }.
Definition apply_phi (f : phi) (t : R) : R := c0 f + sum 4 (fun a => c f a * Rmax 0 (s f a * t + o f a)).
Definition zero_head : head := Head (fun _ _ => 0) (fun _ _ => 0) (fun _ _ => 0) (fun _ _ => 0) (fun _ => 0).
Definition token (w v : nat -> R) (f : phi) : block :=
  Block (fun _ => zero_head) (fun a i => s f a * w i) (fun i a => v i * c f a) (o f) (fun i => v i * c0 f).

(** The same phi on every entry: one layer for each row. *)
Definition unit (i0 i : nat) : R := if Nat.eqb i i0 then 1 else 0.
Definition entrywise (d : nat) (f : phi) : list block := map (fun i => token (unit i) (unit i) f) (seq 0 d).

(** ** The phis. What each one does is proved in Relu.v. *)
(** x + tent is k on [k, k + w - e], and x outside [k, k + w]: one cell of the quantiser. *)
Definition tent (e k w : R) : phi := Phi 0
  (fun a => match a with O => -1 | 1%nat => 1 + (w - e) / e | 2%nat => - ((w - e) / e) | _ => 0 end)
  (fun _ => 1)
  (fun a => match a with O => - k | 1%nat => - k - w + e | 2%nat => - k - w | _ => 0 end).

(** 1 within a quarter of w of the key k, 0 from half of w on: one entry of the value map. *)
Definition window (k w : R) : phi := Phi 0
  (fun a => match a with O => 4 / w | 1%nat => - (4 / w) | 2%nat => - (4 / w) | _ => 4 / w end)
  (fun _ => 1)
  (fun a => match a with O => - k + w / 2 | 1%nat => - k + w / 4 | 2%nat => - k - w / 4 | _ => - k - w / 2 end).

(** x + clamp is the number of [-F, F] that is nearest to x. *)
Definition clamp (F : R) : phi := Phi (- F)
  (fun a => match a with O => 1 | 1%nat => -1 | 2%nat => -1 | _ => 1 end)
  (fun a => match a with 0%nat | 1%nat | 2%nat => 1 | _ => -1 end)
  (fun a => match a with O => F | 1%nat => - F | _ => 0 end).

(** x + affine is c x + b. *)
Definition affine (c b : R) : phi := Phi b
  (fun a => match a with O => c - 1 | 1%nat => - (c - 1) | _ => 0 end)
  (fun a => match a with O => 1 | _ => -1 end)
  (fun _ => 0).

(** x + border is the sentinel S for x <= 0 and for x >= 1, x itself on [e, 1 - e], and nonnegative in between. *)
Definition border (e S : R) : phi := Phi 0
  (fun a => match a with O => S / e | 1%nat => 1 - S / e | 2%nat => (S - 1) / e | _ => - (1 + (S - 1) / e) end)
  (fun a => match a with 0%nat | 1%nat => -1 | _ => 1 end)
  (fun a => match a with O => e | 1%nat => 0 | 2%nat => e - 1 | _ => -1 end).

(** 0 up to T, t - T from there on: the layer that rejects. *)
Definition ramp (T : R) : phi := Phi 0 (fun a => match a with O => 1 | _ => 0 end) (fun _ => 1) (fun _ => - T).

(** x + finish is x on [-F, F], in [-F, F] everywhere, and 0 from -2F down. *)
Definition finish (F : R) : phi := Phi (2 * F)
  (fun a => match a with O => 1 | 1%nat => -2 | 2%nat => 2 | _ => -1 end)
  (fun a => match a with O => -1 | _ => 1 end)
  (fun a => match a with O => - (2 * F) | 1%nat => 2 * F | 2%nat => F | _ => - F end).

(** ** Attention layers (Lemma 6). A column's id is u^T X_j, u = (1, N, ..., N^(d-1)); softmax has the rate lambda. *)
Definition u (N i : nat) : R := INR N ^ i.
Definition along (d : nat) (w : nat -> R) (X : matrix) (j : nat) : R := sum d (fun i => w i * X i j).
Definition psi (N : nat) (lambda factor b : R) : head :=
  Head (fun i _ => if Nat.eqb i 0 then factor else 0) (fun _ => u N) (fun _ i => lambda * u N i) (fun _ => u N)
    (fun _ => - b).
Definition attention (h1 h2 : head) : block :=
  Block (fun k => if Nat.eqb k 0 then h1 else h2) (fun _ _ => 0) (fun _ _ => 0) (fun _ => 0) (fun _ => 0).
Definition selective (N : nat) (lambda B delta l : R) : block :=
  attention (psi N lambda B (l - delta / 2)) (psi N lambda (- B) (l + delta / 2)).
Definition global (N : nat) (lambda factor : R) : block := attention (psi N lambda factor 0) zero_head.

(** A selective shift for each level, in units of delta = 1/N, and the global shift. *)
Definition contextual_map (d N : nat) (levels : list nat) (factor : nat) (lambda : R) : list block :=
  map (selective N lambda (INR (Statement.B d N)) (/ INR N)) (map (fun k => INR k * / INR N) levels) ++
  [global N lambda (INR factor)].

(** Softmax in the place of hardmax moves each id by [map_error] / lambda at most, for a sweep over k levels of which at
    most h have an id at them, and the factor g. Errors multiply at these alone: where no id is at the level, both heads
    read the same largest id, or the same smallest one. *)
Definition sweep_error (n : nat) (B delta : R) (k h : nat) : R :=
  4 * INR n / delta * ((1 + 2 * B) ^ h * (1 + INR (k - h) * B) - 1).
Definition map_error (d n N k h g : nat) : R :=
  let sweep := sweep_error n (INR (Statement.B d N)) (/ INR N) k h in
  sweep + INR g * (sweep + INR n * (2 / (/ INR N))).
(** Levels with an id at them, if all of k levels are below t N^d: a column that is lifted rises by N^d levels or
    more, so
    that none is lifted more than t times. *)
Definition hits (k n t : nat) : nat := Nat.min k (n * t).

(** ** The quantiser (Lemma 5) and the value map (Lemma 7) *)
(** m cells of width 1/N from 0 on, in every row. *)
Definition quantise_row (N : nat) (e : R) (m i0 : nat) : list block :=
  map (fun k => token (unit i0) (unit i0) (tent e (INR k * / INR N) (/ INR N))) (seq 0 m).
Definition quantise (d N : nat) (e : R) (m : nat) : list block := flat_map (quantise_row N e m) (seq 0 d).

(** One layer for each pair of a key and of what a column with this key has added. *)
Definition value (N : nat) (table : list (R * (nat -> R))) : list block :=
  map (fun t => token (u N) (snd t) (window (fst t) (/ INR N))) table.

(** ** Matrices of cells: cell K of the cube has the entries from K i j / N to (K i j + 1) / N. *)
Definition cells := nat -> nat -> nat.
Definition corner (N : nat) (K : cells) : matrix := fun i j => INR (K i j) * / INR N.
Definition corner_Q (N : nat) (K : cells) : Statement.matrix :=
  fun i j => (Statement.of_nat (K i j) * Statement.delta N)%Q.
Definition in_cell (d n N : nat) (K : cells) (X : matrix) : Prop := forall i j, (i < d)%nat -> (j < n)%nat ->
  INR (K i j) * / INR N <= X i j <= INR (K i j) * / INR N + / INR N.

(** All N^(dn) matrices of cells. *)
Definition all_cells (d n N : nat) : list cells := map (as_cells n) (functions N (d * n)).

(** Those without two equal columns: the contexts of Lemma 6. Theorem 3's have j N added to column j: all N^(dn) are
    met. *)
Definition equal_columns (d : nat) (K : cells) (j j' : nat) : bool :=
  forallb (fun i => Nat.eqb (K i j) (K i j')) (seq 0 d).
Definition distinct (d n : nat) (K : cells) : bool :=
  forallb (fun j => forallb (fun j' => Nat.eqb j j' || negb (equal_columns d K j j')) (seq 0 n)) (seq 0 n).
Definition contexts (d n N : nat) : list cells := filter (distinct d n) (all_cells d n N).
Definition lift (N : nat) (K : cells) : cells := fun i j => (j * N + K i j)%nat.
Definition positional_contexts (d n N : nat) : list cells := map (lift N) (all_cells d n N).

(** ** Keys: the id of column j of context K after the contextual map *)
Definition key (d n N : nat) (K : cells) (j : nat) : R := Q2R (Statement.q d n N (corner_Q N K) j).
Definition positional_key (d n N : nat) (K : cells) (j : nat) : R :=
  Q2R (Statement3.positional_q d n N (corner_Q N K) j).
(** With one column there is no context to tell apart. Its id, with a constant added, is the key. *)
Definition single_key (d N : nat) (c : R) (K : cells) (j : nat) : R := along d (u N) (corner N K) j + c.

(** What is added to column j of context K, once its id is the key: the target, less what the column holds by then. *)
Definition add (d N : nat) (key : cells -> nat -> R) (target : cells -> matrix) (K : cells) (j i : nat) : R :=
  target K i j - corner N K i j - (if Nat.eqb i 0 then key K j - along d (u N) (corner N K) j else 0).
Definition table (d n N : nat) (Ks : list cells) (key : cells -> nat -> R) (target : cells -> matrix) :
  list (R * (nat -> R)) :=
  flat_map (fun K => map (fun j => (key K j, add d N key target K j)) (seq 0 n)) Ks.

(** ** The networks *)
(** Quantiser, contextual map, value map, clamp: m cells along each axis, values in [-F, F]. *)
Definition network (d N m : nat) (e F : R) (cmap : list block) (t : list (R * (nat -> R))) : list block :=
  quantise d N e m ++ cmap ++ value N t ++ entrywise d (clamp F).

(** The same, but 0 off the interior of the cube. An entry outside becomes a sentinel, above all keys. Attention carries
    it to every id; ids up to [limit] pass, those from 2 limit on are sent far below 0, where no key is and where
    [finish] is 0. *)
Definition limit (top F : R) : R := top + F + 1.
Definition sentinel (n : nat) (top F : R) : R := 2 * INR n * limit top F + 2.
Definition reject (N : nat) (T : R) : block := token (u N) (fun _ => -4) (ramp T).
Definition whole_network (d n N : nat) (e F top : R) (cmap : list block) (t : list (R * (nat -> R))) : list block :=
  entrywise d (border e (sentinel n top F)) ++ quantise d N e N ++ cmap ++ [reject N (limit top F)] ++ value N t ++
  entrywise d (finish F).

(** ** The contextual maps and their keys: Lemma 6's for Theorem 2, the positional one for Theorem 3. With one column
    there is nothing to tell apart: the map adds a constant a. *)
Definition global_factor (d n N : nat) : nat := N ^ ((n + 1) * d).
Definition single_map (a : R) : list block :=
  [token (fun _ => 0) (unit 0) (Phi a (fun _ => 0) (fun _ => 0) (fun _ => 0))].
Definition cube_map (d n N : nat) (a lambda : R) : list block :=
  if Nat.eqb n 1 then single_map a else contextual_map d N (seq 0 (Statement.B d N)) (global_factor d n N) lambda.
Definition cube_key (d n N : nat) (a : R) : cells -> nat -> R := if Nat.eqb n 1 then single_key d N a else key d n N.
Definition positional_map (d n N : nat) (a lambda : R) : list block :=
  if Nat.eqb n 1 then single_map a else
  contextual_map d N (Statement3.levels d n N) (Statement3.positional_factor d n N) lambda.
Definition positional_map_key (d n N : nat) (a : R) : cells -> nat -> R :=
  if Nat.eqb n 1 then single_key d N a else positional_key d n N.
(** What softmax may do to their ids is this, over lambda. *)
Definition cube_error (d n N : nat) : R :=
  map_error d n N (Statement.B d N) (hits (Statement.B d N) n 1) (global_factor d n N).
Definition positional_error (d n N : nat) : R := let k := length (Statement3.levels d n N) in
  map_error d n N k (hits k n (2 * n - 1)) (Statement3.positional_factor d n N).

(** What one column's id has added: so much that all keys are above the ids of targets. *)
Definition offset (d N : nat) (F : R) : R := F * INR d * INR (Statement.B d N) + / INR N.
(** All keys of [cube_map] are at most this. *)
Definition top_key (d n N : nat) (a : R) : R :=
  if Nat.eqb n 1 then INR d * INR (Statement.B d N) + a else Q2R (Statement.t_r d n N).

(** ** The networks for given numbers: N, the strips e, the rate lambda, the bound F, and the table of values v: for
    each cell of the cube what the network is to be there *)
(** Theorem 2's network over the cube; and the one that is 0 off the cube. *)
Definition cube_table (d n N : nat) (a : R) (v : cells -> matrix) : list (R * (nat -> R)) :=
  table d n N (contexts d n N) (cube_key d n N a) v.
Definition cube_network_at (d n N : nat) (e lambda F : R) (v : cells -> matrix) : list block :=
  let a := offset d N F in network d N N e F (cube_map d n N a lambda) (cube_table d n N a v).
Definition supported_network_at (d n N : nat) (e lambda F : R) (v : cells -> matrix) : list block :=
  let a := offset d N F in
  whole_network d n N e F (top_key d n N a) (cube_map d n N a lambda) (cube_table d n N a v).

(** Theorem 3's network over the cube, for the encoding E = (0, 1, ..., n - 1) in every row. *)
Definition positions : matrix := fun _ j => INR j.
Definition drop (N : nat) (K : cells) : cells := fun i j => (K i j - j * N)%nat.
Definition positional_table (d n N : nat) (a : R) (v : cells -> matrix) : list (R * (nat -> R)) :=
  table d n N (positional_contexts d n N) (positional_map_key d n N a) (fun K => v (drop N K)).
Definition positional_network_at (d n N : nat) (e lambda F : R) (v : cells -> matrix) : list block :=
  let a := offset d N F in
  network d N (n * N) e F (positional_map d n N a lambda) (positional_table d n N a v).

(** From the cube to the box [-K, K], X = -K + 2K Y, where v is for the box shrunk to the cube: Theorem 2's network for
    a function that is 0 off (-K, K), Theorem 3's encoding, and its network for a domain within (-K, K). *)
Definition stretch (a s : R) (Y : matrix) : matrix := fun i j => a + s * Y i j.
Definition theorem2_network_at (d n : nat) (K : R) (N : nat) (e lambda F : R) (v : cells -> matrix) : list block :=
  entrywise d (affine (/ (2 * K)) (1 / 2)) ++ supported_network_at d n N e lambda F v.
Definition encoding (K : R) : matrix := fun _ j => 2 * K * INR j + K.
Definition theorem3_network_at (d n : nat) (K : R) (N : nat) (e lambda F : R) (v : cells -> matrix) : list block :=
  entrywise d (affine (/ (2 * K)) 0) ++ positional_network_at d n N e lambda F v.

(** What is asked of such a table for Theorem 2: columns in another order have their values in this order; and keys lie
    above the ids of all columns of values. *)
Definition equivariant_table (d n N : nat) (v : cells -> matrix) : Prop := forall p : nat -> nat,
  (forall k, (k < n)%nat -> (p k < n)%nat) -> (forall k l, (k < n)%nat -> (l < n)%nat -> p k = p l -> k = l) ->
  forall K K', In K (contexts d n N) -> In K' (contexts d n N) ->
  (forall i k, (i < d)%nat -> (k < n)%nat -> K' i k = K i (p k)) ->
  forall i k, (i < d)%nat -> (k < n)%nat -> v K' i k = v K i (p k).
Definition cube_keys_above (d n N : nat) (F : R) : Prop := forall K j, In K (contexts d n N) -> (j < n)%nat ->
  F * INR d * INR (Statement.B d N) + / INR N <= cube_key d n N (offset d N F) K j.
Definition positional_keys_above (d n N : nat) (F : R) : Prop := forall K j, In K (positional_contexts d n N) ->
  (j < n)%nat ->
  F * INR d * INR (Statement.B d N) + / INR N <= positional_map_key d n N (offset d N F) K j.

(** ** The numbers. f is within [-F, F], and changes by less than [step_error] where no entry changes by c or more; the
    distance is to be below eps in the p-norm. *)
Definition step_error (d n : nat) (eps : R) : R := eps / (8 * (INR d * INR n)).
(** ||f - g||_p^p anywhere, at most; and of the budget eps^p the share for each kind of bad point. *)
Definition worst (d n : nat) (F p : R) : R := INR d * INR n * Rpower (2 * F) p.
Definition share (p eps : R) : R := Rpower eps p / 8.
(** The error of ids that is allowed, and the rate of softmax that keeps it. *)
Definition tolerance (d n N : nat) (eps : R) : R := Rmin (/ INR N / 4) (step_error d n eps).
Definition rate (error tol : R) : R := (error + 1) / tol.

(** N is large enough: cells narrower than c. e is small enough: strips between the cells that keep to their share. *)
Definition fine_cells (d n : nat) (F c p eps : R) (N : nat) (e : R) : Prop :=
  (2 <= N)%nat /\ / INR N < c /\ 0 < e < / INR N /\
  worst d n F p * (INR d * INR n * (INR N + 1)) * e < share p eps.
(** For Theorem 3: with F d + 1 cells or more to a unit, so that keys are above the ids of values. *)
Definition fine_positions (d n : nat) (F c p eps : R) (N : nat) (e : R) : Prop :=
  F * INR d + 1 <= INR N /\ fine_cells d n F c p eps N e.
(** For Theorem 2 with Lemma 6's keys: with so many cells that columns rarely share one. *)
Definition fine (d n : nat) (F c p eps : R) (N : nat) (e : R) : Prop :=
  worst d n F p * (INR n * INR n * / INR N) < share p eps /\ fine_positions d n F c p eps N e.

(** Such numbers, as functions of the rest. Only Theorem 2's N grows with epsilon^-p. *)
Definition side (d n : nat) (F c p eps : R) : nat :=
  Z.to_nat (up (2 + / c + (F * INR d + 1) + worst d n F p * (INR n * INR n) / share p eps)).
Definition side_positions (d : nat) (F c : R) : nat := Z.to_nat (up (2 + / c + (F * INR d + 1))).
Definition gap (d n N : nat) (F p eps : R) : R :=
  Rmin (/ INR N / 2) (share p eps / (2 * (worst d n F p * (INR d * INR n * (INR N + 1))))).
Definition cube_rate (d n N : nat) (eps : R) : R := rate (cube_error d n N) (tolerance d n N eps).
Definition positional_rate (d n N : nat) (eps : R) : R := rate (positional_error d n N) (tolerance d n N eps).

(** ** The networks with these numbers put in, and the values of f at the corners of cells *)
Definition at_corners (N : nat) (f : matrix -> matrix) : cells -> matrix := fun K => f (corner N K).
Definition cube_network (d n : nat) (F c p eps : R) (f : matrix -> matrix) : list block :=
  let N := side d n F c p eps in
  cube_network_at d n N (gap d n N F p eps) (cube_rate d n N eps) F (at_corners N f).

(** The box is shrunk to the cube, so that c becomes c / 2K and eps becomes [shrunk]. *)
Definition shrunk (d n : nat) (s p eps : R) : R := eps * Rpower (/ ((s ^ n) ^ d)) (/ p).
Definition theorem2_network (d n : nat) (K F c p eps : R) (f : matrix -> matrix) : list block :=
  let eps' := shrunk d n (2 * K) p eps in let N := side d n F (c / (2 * K)) p eps' in
  theorem2_network_at d n K N (gap d n N F p eps') (cube_rate d n N eps') F
    (at_corners N (fun Y => f (stretch (- K) (2 * K) Y))).
Definition theorem3_network (d n : nat) (K F c p eps : R) (v : cells -> matrix) : list block :=
  let eps' := shrunk d n (2 * K) p eps in let N := side_positions d F (c / (2 * K)) in
  theorem3_network_at d n K N (gap d n N F p eps') (positional_rate d n N eps') F v.
