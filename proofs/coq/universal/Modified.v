(** Proposition 4 with distance 0 at every point of R^(d x n). Definitions and statements only.

    [StatementExact.v] writes the network in rational numbers, and there it is run on rational matrices. Here the
      paper's
    modified Transformers (Section 4: hardmax, and activations of at most three linear pieces) act on real matrices; all
    weights up to the value map are the very rationals of [StatementExact.v], and the targets are real. *)
From Coq Require Import Reals QArith Qreals List Arith Bool.
From Contextual Require Statement Layers StatementExact Approximation.
Import ListNotations.
Open Scope R_scope.

Notation matrix := Approximation.matrix.
Notation sum := Approximation.sum.

(** ** The class, over R: as [Statement.v] and [Layers.v] have it over Q *)
Record line := Line { slope : R; intercept : R }.
Definition on (l : line) (t : R) : R := slope l * t + intercept l.
Definition lt (s t : R) : bool := if Rlt_dec s t then true else false.
Definition le (s t : R) : bool := if Rle_dec s t then true else false.

(** The first piece is t < c_1; the second c_1 <= t < c_2, or c_1 <= t <= c_2 if [closed]; the third what is left. *)
Record activation := Activation
  { c_1 : R; c_2 : R; closed : bool; first_piece : line; second_piece : line; third_piece : line }.
Definition activate (phi : activation) (t : R) : R :=
  if lt t (c_1 phi) then on (first_piece phi) t
  else if (if closed phi then le t (c_2 phi) else lt t (c_2 phi)) then on (second_piece phi) t
  else on (third_piece phi) t.
Definition admissible (phi : activation) : Prop :=
  c_1 phi <= c_2 phi /\ (slope (first_piece phi) = 0 \/ slope (second_piece phi) = 0 \/ slope (third_piece phi) = 0).

(** Token-wise layers of one hidden node; heads of size 1, with hardmax: the mean over the arg maxima. *)
Record tokenwise := Tokenwise { W_2 : nat -> R; phi : activation; W_1 : nat -> R; b_1 : R }.
Record head := Head { W_O : nat -> R; W_V : nat -> R; W_K : nat -> R; W_Q : nat -> R; b_Q : R }.
Inductive layer := Attend (l : list head) | Each (t : tokenwise).

Section Layers.
Variables d n : nat.
Definition row (w : nat -> R) (X : matrix) (j : nat) : R := sum d (fun i => w i * X i j).
Definition is_argmax (s : nat -> R) (i : nat) : bool := forallb (fun k => le (s k) (s i)) (seq 0 n).
Definition argmaxima (s : nat -> R) : nat := length (filter (is_argmax s) (seq 0 n)).
Definition hardmax (s : nat -> R) (i : nat) : R := if is_argmax s i then 1 / INR (argmaxima s) else 0.
Definition head_value (h : head) (X : matrix) (j : nat) : R :=
  sum n (fun k => row (W_V h) X k * hardmax (fun i => row (W_K h) X i * (row (W_Q h) X j + b_Q h)) k).
Definition attention (l : list head) (X : matrix) : matrix :=
  fun i j => X i j + fold_right (fun h s => W_O h i * head_value h X j + s) 0 l.
Definition each_token (t : tokenwise) (X : matrix) : matrix :=
  fun i j => X i j + W_2 t i * activate (phi t) (row (W_1 t) X j + b_1 t).
Definition apply (X : matrix) (l : layer) : matrix :=
  match l with Attend l => attention l X | Each t => each_token t X end.
Definition run (network : list layer) (X : matrix) : matrix := fold_left apply network X.
End Layers.

(** ** A rational network, as a real one *)
Definition real_vector (v : nat -> Q) : nat -> R := fun i => Q2R (v i).
Definition real_matrix (X : Statement.matrix) : matrix := fun i j => Q2R (X i j).
Definition real_line (l : Layers.line) : line := Line (Q2R (Layers.slope l)) (Q2R (Layers.intercept l)).
Definition real_activation (f : Layers.activation) : activation :=
  Activation (Q2R (Layers.c_1 f)) (Q2R (Layers.c_2 f)) (Layers.closed f) (real_line (Layers.first_piece f))
    (real_line (Layers.second_piece f)) (real_line (Layers.third_piece f)).
Definition real_head (h : Statement.head) : head :=
  Head (real_vector (Statement.W_O h)) (real_vector (Statement.W_V h)) (real_vector (Statement.W_K h))
    (real_vector (Statement.W_Q h)) (Q2R (Statement.b_Q h)).
Definition real_layer (l : Layers.any_layer) : layer :=
  match l with
  | Layers.Attend l => Attend (map real_head l)
  | Layers.Each t => Each (Tokenwise (real_vector (Layers.W_2 t)) (real_activation (Layers.phi t))
      (real_vector (Layers.W_1 t)) (Q2R (Layers.b_1 t)))
  end.

(** On a rational matrix it does what the rational network does. *)
Definition Real_run : Prop := forall d n network X,
  run d n (map real_layer network) (real_matrix X) = real_matrix (Layers.run_all d n network X).

(** ** The network of [StatementExact.v], for a real target A of each matrix of G *)
Section Exact.
Variables d n N : nat.
Definition first (x : R) : nat -> R := fun i => if Nat.eqb i 0 then x else 0.
(** Quantiser, codes, average, rejection: the rational layers. *)
Definition rational_part : list Layers.any_layer :=
  map Layers.Each (Layers.quantiser d N (StatementExact.sentinel_above d n N)) ++ StatementExact.contextual_map d n N ++
  map Layers.Each (StatementExact.rejection d n N).

Section Values.
Variable A : matrix -> matrix.
Definition target (p : list nat * nat) : nat -> R :=
  fun i => A (real_matrix (StatementExact.context N (fst p))) i (StatementExact.position (snd p) (fst p)).
Definition target_id (p : list nat * nat) : R := sum d (fun i => Q2R (Statement.u N i) * target p i).
Definition down : R := 1 + fold_right Rmax 0 (map target_id (StatementExact.places d n N)).
Definition change (p : list nat * nat) : nat -> R :=
  fun i => target p i - first down i - Q2R (StatementExact.image d n N (fst p) (snd p) i).
Definition write (p : list nat * nat) : tokenwise :=
  Tokenwise (change p) (real_activation (Layers.window N)) (real_vector (Statement.u N))
    (- Q2R (StatementExact.key d n N (fst p) (snd p))).
Definition last : tokenwise :=
  Tokenwise (first down) (real_activation (StatementExact.less_than (-1 # 2))) (real_vector (Statement.u N)) 0.
Definition exact_network : list layer :=
  map real_layer rational_part ++ map (fun p => Each (write p)) (StatementExact.places d n N) ++ [Each last].
End Values.

(** ** Every point *)
Definition on_grid (x : R) : Prop := exists k : nat, (k < N)%nat /\ x = INR k * / INR N.
Definition in_G (L : matrix) : Prop := forall i j, (i < d)%nat -> (j < n)%nat -> on_grid (L i j).
(** A target: its columns follow those of L, and it depends on nothing but the entries of L. *)
Definition equivariant_on_G (A : matrix -> matrix) : Prop := forall L L' p, in_G L -> in_G L' ->
  (forall j, (j < n)%nat -> (p j < n)%nat) -> (forall j j', (j < n)%nat -> (j' < n)%nat -> p j = p j' -> j = j') ->
  (forall i j, (i < d)%nat -> (j < n)%nat -> L' i j = L i (p j)) ->
  forall i j, (i < d)%nat -> (j < n)%nat -> A L' i j = A L i (p j).

Definition in_cubes (X : matrix) : Prop := forall i j, (i < d)%nat -> (j < n)%nat -> 0 <= X i j < 1.
Definition corner (X : matrix) : matrix := fun i j => INR (Z.to_nat (Int_part (X i j * INR N))) * / INR N.

(** One head of size 1, or one hidden node with an admissible activation. *)
Definition of_class (l : layer) : Prop := match l with Attend l => length l = 1%nat | Each t => admissible (phi t) end.
End Exact.

Definition Proposition4_everywhere : Prop := forall d n N, (1 <= d)%nat -> (1 <= n)%nat -> (2 <= N)%nat ->
  forall A, equivariant_on_G d n N A ->
  (forall X, in_cubes d n X -> forall i j, (i < d)%nat -> (j < n)%nat ->
    run d n (exact_network d n N A) X i j = A (corner N X) i j) /\
  (forall X, ~ in_cubes d n X -> forall i j, (i < d)%nat -> (j < n)%nat ->
    run d n (exact_network d n N A) X i j = 0) /\
  Forall of_class (exact_network d n N A).

(** For rational targets: the network of [StatementExact.v] itself, at every real point. *)
Definition rational_corner (N : nat) (X : matrix) : Statement.matrix :=
  fun i j => (Statement.of_nat (Z.to_nat (Int_part (X i j * INR N))) * Statement.delta N)%Q.
Definition Proposition4_same_network : Prop := forall d n N, (1 <= d)%nat -> (1 <= n)%nat -> (2 <= N)%nat ->
  forall A, StatementExact.equivariant_on_G d n N A -> let network := map real_layer (StatementExact.exact_network d
    n N A) in
  (forall X, in_cubes d n X -> forall i j, (i < d)%nat -> (j < n)%nat ->
    run d n network X i j = Q2R (A (rational_corner N X) i j)) /\
  (forall X, ~ in_cubes d n X -> forall i j, (i < d)%nat -> (j < n)%nat -> run d n network X i j = 0).
