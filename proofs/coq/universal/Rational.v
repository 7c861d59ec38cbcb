(** The networks of [Construction.v] and [Published.v] in rational numbers, to be computed and compared with another
    program's: the same definitions, under the same names, with Q for R, the keys in a table. [Same_weights] and
    [Same_published] say that every weight is the very same number. Definitions and statements only; [Twin.v] proves
    them. *)

From Coq Require Import Reals QArith Qreals ZArith List Arith Bool.
From Contextual Require Statement Statement3 Tables.
From Contextual.universal Require Approximation Construction Published.
Import ListNotations.
Open Scope Q_scope.

Notation matrix := Statement.matrix.
Notation cells := Construction.cells.
Notation of_nat := Statement.of_nat.
Notation delta := Statement.delta.

(** ** Blocks of heads of size 1 *)
Record head := Head { W_O : nat -> Q; W_V : nat -> Q; W_K : nat -> Q; W_Q : nat -> Q; b_Q : Q }.
Record block :=
  Block { heads : nat -> head; W_1 : nat -> nat -> Q; W_2 : nat -> nat -> Q; b_1 : nat -> Q; b_2 : nat -> Q }.

(** ** Token-wise layers *)
Record phi := Phi { c0 : Q; c : nat -> Q; s : nat -> Q; o : nat -> Q }.
Definition zero_head : head := Head (fun _ => 0) (fun _ => 0) (fun _ => 0) (fun _ => 0) 0.
Definition token (w v : nat -> Q) (f : phi) : block :=
  Block (fun _ => zero_head) (fun a i => s f a * w i) (fun i a => v i * c f a) (o f) (fun i => v i * c0 f).
Definition unit (i0 i : nat) : Q := if Nat.eqb i i0 then 1 else 0.
Definition entrywise (d : nat) (f : phi) : list block := map (fun i => token (unit i) (unit i) f) (seq 0 d).

Definition tent (e k w : Q) : phi := Phi 0
  (fun a => match a with O => -1 | 1%nat => 1 + (w - e) / e | 2%nat => - ((w - e) / e) | _ => 0 end)
  (fun _ => 1)
  (fun a => match a with O => - k | 1%nat => - k - w + e | 2%nat => - k - w | _ => 0 end).
Definition window (k w : Q) : phi := Phi 0
  (fun a => match a with O => 4 / w | 1%nat => - (4 / w) | 2%nat => - (4 / w) | _ => 4 / w end)
  (fun _ => 1)
  (fun a => match a with O => - k + w / 2 | 1%nat => - k + w / 4 | 2%nat => - k - w / 4 | _ => - k - w / 2 end).
Definition clamp (F : Q) : phi := Phi (- F)
  (fun a => match a with O => 1 | 1%nat => -1 | 2%nat => -1 | _ => 1 end)
  (fun a => match a with 0%nat | 1%nat | 2%nat => 1 | _ => -1 end)
  (fun a => match a with O => F | 1%nat => - F | _ => 0 end).
Definition affine (c b : Q) : phi := Phi b
  (fun a => match a with O => c - 1 | 1%nat => - (c - 1) | _ => 0 end)
  (fun a => match a with O => 1 | _ => -1 end)
  (fun _ => 0).
Definition border (e S : Q) : phi := Phi 0
  (fun a => match a with O => S / e | 1%nat => 1 - S / e | 2%nat => (S - 1) / e | _ => - (1 + (S - 1) / e) end)
  (fun a => match a with 0%nat | 1%nat => -1 | _ => 1 end)
  (fun a => match a with O => e | 1%nat => 0 | 2%nat => e - 1 | _ => -1 end).
Definition ramp (T : Q) : phi := Phi 0 (fun a => match a with O => 1 | _ => 0 end) (fun _ => 1) (fun _ => - T).
Definition finish (F : Q) : phi := Phi (2 * F)
  (fun a => match a with O => 1 | 1%nat => -2 | 2%nat => 2 | _ => -1 end)
  (fun a => match a with O => -1 | _ => 1 end)
  (fun a => match a with O => - (2 * F) | 1%nat => 2 * F | 2%nat => F | _ => - F end).

(** ** Attention layers *)
Definition psi (N : nat) (lambda factor b : Q) : head :=
  Head (fun i => if Nat.eqb i 0 then factor else 0) (Statement.u N) (fun i => lambda * Statement.u N i) (Statement.u N)
    (- b).
Definition attention (h1 h2 : head) : block :=
  Block (fun k => if Nat.eqb k 0 then h1 else h2) (fun _ _ => 0) (fun _ _ => 0) (fun _ => 0) (fun _ => 0).
Definition selective (N : nat) (lambda B l : Q) : block :=
  attention (psi N lambda B (l - delta N / 2)) (psi N lambda (- B) (l + delta N / 2)).
Definition global (N : nat) (lambda factor : Q) : block := attention (psi N lambda factor 0) zero_head.
Definition contextual_map (d N : nat) (levels : list nat) (factor : nat) (lambda : Q) : list block :=
  map (selective N lambda (of_nat (Statement.B d N))) (map (fun k => of_nat k * delta N) levels) ++
  [global N lambda (of_nat factor)].
Fixpoint power (x : Q) (h : nat) : Q := match h with O => 1 | S h => x * power x h end.
Definition sweep_error (n : nat) (B delta : Q) (k h : nat) : Q :=
  4 * of_nat n / delta * (power (1 + 2 * B) h * (1 + of_nat (k - h) * B) - 1).
Definition map_error (d n N k h g : nat) : Q :=
  let sweep := sweep_error n (of_nat (Statement.B d N)) (delta N) k h in
  sweep + of_nat g * (sweep + of_nat n * (2 / delta N)).

(** ** The quantiser and the value map *)
Definition quantise_row (N : nat) (e : Q) (m i0 : nat) : list block :=
  map (fun k => token (unit i0) (unit i0) (tent e (of_nat k * delta N) (delta N))) (seq 0 m).
Definition quantise (d N : nat) (e : Q) (m : nat) : list block := flat_map (quantise_row N e m) (seq 0 d).
Definition value (N : nat) (table : list (Q * (nat -> Q))) : list block :=
  map (fun t => token (Statement.u N) (snd t) (window (fst t) (delta N))) table.

(** ** Keys: of all columns of a context in a list, so that none is computed twice *)
Definition corner (N : nat) (K : cells) : matrix := Construction.corner_Q N K.
Definition keys (d n N : nat) (K : cells) : list Q :=
  Tables.ids_table d n N (Tables.run_table d n (Statement.network d n N) (Tables.table d n (corner N K))).
Definition positional_keys (d n N : nat) (K : cells) : list Q :=
  Tables.ids_table d n N (Tables.run_table d n (Statement3.positional_network d n N) (Tables.table d n (corner N K))).
Definition single_keys (d N : nat) (c : Q) (K : cells) : list Q := [Statement.id d N (corner N K) 0 + c].
Definition add (d N : nat) (key : Q) (target : cells -> matrix) (K : cells) (j i : nat) : Q :=
  target K i j - corner N K i j - (if Nat.eqb i 0 then key - Statement.id d N (corner N K) j else 0).
Definition table (d n N : nat) (Ks : list cells) (keys : cells -> list Q) (target : cells -> matrix) :
  list (Q * (nat -> Q)) :=
  flat_map (fun K => let ks := keys K in map (fun j => (nth j ks 0, add d N (nth j ks 0) target K j)) (seq 0 n)) Ks.

(** ** The networks *)
Definition network (d N m : nat) (e F : Q) (cmap : list block) (t : list (Q * (nat -> Q))) : list block :=
  quantise d N e m ++ cmap ++ value N t ++ entrywise d (clamp F).
Definition limit (top F : Q) : Q := top + F + 1.
Definition sentinel (n : nat) (top F : Q) : Q := 2 * of_nat n * limit top F + 2.
Definition reject (N : nat) (T : Q) : block := token (Statement.u N) (fun _ => -4) (ramp T).
Definition whole_network (d n N : nat) (e F top : Q) (cmap : list block) (t : list (Q * (nat -> Q))) : list block :=
  entrywise d (border e (sentinel n top F)) ++ quantise d N e N ++ cmap ++ [reject N (limit top F)] ++ value N t ++
  entrywise d (finish F).

Definition single_map (a : Q) : list block :=
  [token (fun _ => 0) (unit 0) (Phi a (fun _ => 0) (fun _ => 0) (fun _ => 0))].
Definition cube_map (d n N : nat) (a lambda : Q) : list block :=
  if Nat.eqb n 1 then single_map a else
  contextual_map d N (seq 0 (Statement.B d N)) (Construction.global_factor d n N) lambda.
Definition cube_keys (d n N : nat) (a : Q) : cells -> list Q :=
  if Nat.eqb n 1 then single_keys d N a else keys d n N.
Definition positional_map (d n N : nat) (a lambda : Q) : list block :=
  if Nat.eqb n 1 then single_map a else
  contextual_map d N (Statement3.levels d n N) (Statement3.positional_factor d n N) lambda.
Definition positional_map_keys (d n N : nat) (a : Q) : cells -> list Q :=
  if Nat.eqb n 1 then single_keys d N a else positional_keys d n N.
Definition cube_error (d n N : nat) : Q :=
  map_error d n N (Statement.B d N) (Construction.hits (Statement.B d N) n 1) (Construction.global_factor d n N).
Definition positional_error (d n N : nat) : Q := let k := length (Statement3.levels d n N) in
  map_error d n N k (Construction.hits k n (2 * n - 1)) (Statement3.positional_factor d n N).

Definition offset (d N : nat) (F : Q) : Q := F * of_nat d * of_nat (Statement.B d N) + delta N.
Definition top_key (d n N : nat) (a : Q) : Q :=
  if Nat.eqb n 1 then of_nat d * of_nat (Statement.B d N) + a else Statement.t_r d n N.
Definition cube_table (d n N : nat) (a : Q) (v : cells -> matrix) : list (Q * (nat -> Q)) :=
  table d n N (Construction.contexts d n N) (cube_keys d n N a) v.
Definition cube_network_at (d n N : nat) (e lambda F : Q) (v : cells -> matrix) : list block :=
  let a := offset d N F in network d N N e F (cube_map d n N a lambda) (cube_table d n N a v).
Definition supported_network_at (d n N : nat) (e lambda F : Q) (v : cells -> matrix) : list block :=
  let a := offset d N F in
  whole_network d n N e F (top_key d n N a) (cube_map d n N a lambda) (cube_table d n N a v).
Definition positional_table (d n N : nat) (a : Q) (v : cells -> matrix) : list (Q * (nat -> Q)) :=
  table d n N (Construction.positional_contexts d n N) (positional_map_keys d n N a)
    (fun K => v (Construction.drop N K)).
Definition positional_network_at (d n N : nat) (e lambda F : Q) (v : cells -> matrix) : list block :=
  let a := offset d N F in
  network d N (n * N) e F (positional_map d n N a lambda) (positional_table d n N a v).
Definition theorem2_network_at (d n : nat) (K : Q) (N : nat) (e lambda F : Q) (v : cells -> matrix) : list block :=
  entrywise d (affine (/ (2 * K)) (1 / 2)) ++ supported_network_at d n N e lambda F v.
Definition theorem3_network_at (d n : nat) (K : Q) (N : nat) (e lambda F : Q) (v : cells -> matrix) : list block :=
  entrywise d (affine (/ (2 * K)) 0) ++ positional_network_at d n N e lambda F v.

(** ** The published network *)
Definition outside (e S : Q) : phi := Phi 0
  (fun a => match a with O => (S + e) / e | 1%nat => - (S / e) | 2%nat => (S - 1) / e | _ => -1 - (S - 1) / e end)
  (fun a => match a with 0%nat | 1%nat => -1 | _ => 1 end)
  (fun a => match a with O => 0 | 1%nat => - e | 2%nat => e - 1 | _ => -1 end).
Definition reject_outside (e l r : Q) : phi := Phi 1
  (fun a => match a with O => - / e | 1%nat => / e | 2%nat => / e | _ => - / e end)
  (fun _ => 1)
  (fun a => match a with O => e - l | 1%nat => - l | 2%nat => e - r | _ => - r end).
Definition clear : phi := Phi 0 (fun a => match a with O => 1 | _ => 0 end) (fun _ => -1) (fun _ => 0).
Definition around (e k w : Q) : phi := Phi 0
  (fun a => match a with O => / e | 1%nat => - / e | 2%nat => - / e | _ => / e end)
  (fun _ => 1)
  (fun a => match a with O => e - k + w / 2 | 1%nat => - k + w / 2 | 2%nat => e - k - w / 2 | _ => - k - w / 2 end).
Definition quantise_row_below (d n N i : nat) : list (Q -> Q -> block) :=
  (fun e _ => token (unit i) (unit i) (outside e (Statement.sentinel d n N))) ::
  map (fun k e _ => token (unit i) (unit i) (tent e (of_nat k * delta N) (delta N))) (seq 0 N).
Definition quantise_below (d n N : nat) : list (Q -> Q -> block) := flat_map (quantise_row_below d n N) (seq 0 d).
Definition map_below (d n N : nat) : list (Q -> Q -> block) :=
  map (fun k _ lambda => selective N lambda (of_nat (Statement.B d N)) (of_nat k * delta N))
    (seq 0 (Statement.B d N)) ++ [fun _ lambda => global N lambda (of_nat (Construction.global_factor d n N))].
Definition value_below (d n N : nat) (M : Q) (table : list (Q * (nat -> Q))) : list (Q -> Q -> block) :=
  (fun e _ => token (Statement.u N) (fun _ => - (M + 1))
    (reject_outside e (Statement.t_l d n N) (Statement.t_r d n N))) ::
  map (fun t _ _ => t) (entrywise d clear) ++
  map (fun t e _ => token (Statement.u N) (snd t) (around e (fst t) (delta N))) table.
Fixpoint chosen (e lambda : nat -> Q) (k : nat) (layers : list (Q -> Q -> block)) : list block :=
  match layers with [] => [] | t :: layers => t (e k) (lambda k) :: chosen e lambda (S k) layers end.
Definition published (d n N : nat) (e lambda : nat -> Q) (M : Q) (table : list (Q * (nat -> Q))) : list block :=
  chosen e lambda 0 (quantise_below d n N ++ map_below d n N ++ value_below d n N M table).

(** ** The statements: weight for weight the networks of [Construction.v] and [Published.v] *)
Definition same_head (d : nat) (h : head) (t : Approximation.head) : Prop := forall i, (i < d)%nat ->
  Q2R (W_O h i) = Approximation.W_O t i 0%nat /\ Q2R (W_V h i) = Approximation.W_V t 0%nat i /\
  Q2R (W_K h i) = Approximation.W_K t 0%nat i /\ Q2R (W_Q h i) = Approximation.W_Q t 0%nat i /\
  Q2R (b_Q h) = Approximation.b_Q t 0%nat.
Definition same_block (d : nat) (b : block) (t : Approximation.block) : Prop :=
  (forall k, (k < 2)%nat -> same_head d (heads b k) (Approximation.heads t k)) /\
  forall a i, (a < 4)%nat -> (i < d)%nat ->
    Q2R (W_1 b a i) = Approximation.W_1 t a i /\ Q2R (W_2 b i a) = Approximation.W_2 t i a /\
    Q2R (b_1 b a) = Approximation.b_1 t a /\ Q2R (b_2 b i) = Approximation.b_2 t i.
Definition same (d : nat) : list block -> list Approximation.block -> Prop := Forall2 (same_block d).

Definition Same_weights : Prop := forall d n N (K e lambda F : Q) (v : cells -> matrix)
  (v' : cells -> Approximation.matrix), (2 <= N)%nat -> 0 < K -> 0 < e ->
  (forall C i j, (i < d)%nat -> (j < n)%nat -> Q2R (v C i j) = v' C i j) ->
  same d (cube_network_at d n N e lambda F v) (Construction.cube_network_at d n N (Q2R e) (Q2R lambda) (Q2R F) v') /\
  same d (supported_network_at d n N e lambda F v)
    (Construction.supported_network_at d n N (Q2R e) (Q2R lambda) (Q2R F) v') /\
  same d (positional_network_at d n N e lambda F v)
    (Construction.positional_network_at d n N (Q2R e) (Q2R lambda) (Q2R F) v') /\
  same d (theorem2_network_at d n K N e lambda F v)
    (Construction.theorem2_network_at d n (Q2R K) N (Q2R e) (Q2R lambda) (Q2R F) v') /\
  same d (theorem3_network_at d n K N e lambda F v)
    (Construction.theorem3_network_at d n (Q2R K) N (Q2R e) (Q2R lambda) (Q2R F) v') /\
  Q2R (cube_error d n N) = Construction.cube_error d n N /\
  Q2R (positional_error d n N) = Construction.positional_error d n N.

Definition Same_published : Prop := forall d n N (e lambda : nat -> Q) (M : Q) (table : list (Q * (nat -> Q))),
  (2 <= N)%nat -> (forall k, 0 < e k) ->
  same d (published d n N e lambda M table)
    (Published.published d n N (fun k => Q2R (e k)) (fun k => Q2R (lambda k)) (Q2R M)
      (map (fun t => (Q2R (fst t), fun i => Q2R (snd t i))) table)).

(** ** To be printed. A number is (numerator, denominator). A block is, in this order: of each of the two heads W_O,
    W_V, W_K, W_Q and b_Q; then the four rows of W_1; b_1; the d rows of W_2; b_2. *)
Definition fraction (x : Q) : Z * Z := let y := Qred x in (Qnum y, Zpos (Qden y)).
Definition row (m : nat) (w : nat -> Q) : list (Z * Z) := map (fun i => fraction (w i)) (seq 0 m).
Definition head_report (d : nat) (h : head) : list (list (Z * Z)) :=
  [row d (W_O h); row d (W_V h); row d (W_K h); row d (W_Q h); [fraction (b_Q h)]].
Definition block_report (d : nat) (b : block) :=
  (head_report d (heads b 0), head_report d (heads b 1), map (fun a => row d (W_1 b a)) (seq 0 4), row 4 (b_1 b),
   map (fun i => row 4 (W_2 b i)) (seq 0 d), row d (b_2 b)).
Definition report (d : nat) (bs : list block) := map (block_report d) bs.

(** A table of values: the cells of a matrix row after row, and its values in the same order. *)
Fixpoint agree (k l : list nat) : bool :=
  match k, l with [], [] => true | a :: k, b :: l => Nat.eqb a b && agree k l | _, _ => false end.
Definition values (d n : nat) (t : list (list nat * list Q)) (K : cells) : matrix := fun i j =>
  match find (fun entry => agree (fst entry) (flat_map (fun i => map (K i) (seq 0 n)) (seq 0 d))) t with
  | Some entry => nth (i * n + j) (snd entry) 0 | None => 0 end.
