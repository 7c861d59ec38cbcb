(** Lemma 6 and Lemma 10 of Yun, Bhojanapalli, Rawat, Reddi, Kumar, "Are Transformers universal
    approximators of sequence-to-sequence functions?" (ICLR 2020), for every d >= 1, n >= 2, N >= 2.

    This file has definitions and statements only; it is what an auditor reads. The construction is the
    paper's own (App. B.5), literally: matrices of rationals, hardmax as the mean over the arg maxima,
    attention heads with weight vectors, one layer for each level in increasing order, and the global
    shift. [Theorems.v] and [Sharp.v] prove the statements; [Assumptions.v] shows that nothing is assumed. *)

From Coq Require Import QArith List Arith Bool.
Import ListNotations.
Open Scope Q_scope.

(** A d x n matrix: the entry in row i, column j, counted from 0. Entries outside i < d, j < n mean nothing. *)
Definition matrix := nat -> nat -> Q.

(** [sum m f] = f 0 + ... + f (m-1). (Qred brings a fraction into lowest terms; it changes no value.) *)
Fixpoint sum (m : nat) (f : nat -> Q) : Q :=
  match m with O => 0 | S m' => Qred (sum m' f + f m') end.

Definition of_nat (k : nat) : Q := inject_Z (Z.of_nat k).

(** ** Attention with hardmax (Section 2, and sigma_H of Section 4) *)

(** One head of size m = 1: W_O is a column; W_V, W_K, W_Q are rows; b_Q is the bias of the query. *)
Record head := Head { W_O : nat -> Q; W_V : nat -> Q; W_K : nat -> Q; W_Q : nat -> Q; b_Q : Q }.

Section Attention.
Variables d n : nat.

(** The row vector w^T X. *)
Definition row (w : nat -> Q) (X : matrix) (j : nat) : Q := sum d (fun i => w i * X i j).

(** sigma_H of one column of n scores: 1/k at each of the k arg maxima, 0 elsewhere. *)
Definition is_argmax (s : nat -> Q) (i : nat) : bool := forallb (fun k => Qle_bool (s k) (s i)) (seq 0 n).
Definition argmaxima (s : nat -> Q) : nat := length (filter (is_argmax s) (seq 0 n)).
Definition hardmax (s : nat -> Q) (i : nat) : Q := if is_argmax s i then 1 / of_nat (argmaxima s) else 0.

(** Entry j of W_V X sigma_H[ (W_K X)^T (W_Q X + b_Q 1^T) ]. *)
Definition head_value (h : head) (X : matrix) (j : nat) : Q :=
  sum n (fun k => row (W_V h) X k * hardmax (fun i => row (W_K h) X i * (row (W_Q h) X j + b_Q h)) k).

(** Attn(X) = X + sum over the heads of W_O . value. *)
Definition layer := list head.
Definition attention (l : layer) (X : matrix) : matrix :=
  fun i j => Qred (X i j + fold_right (fun h s => W_O h i * head_value h X j + s) 0 l).
Definition run (network : list layer) (X : matrix) : matrix := fold_left (fun Y l => attention l Y) network X.
End Attention.

(** ** The construction (App. B.5) *)
Section Construction.
Variables d n N : nat.

Definition B : nat := N ^ d.                                   (* delta^-d *)
Definition delta : Q := 1 / of_nat N.
Definition u (i : nat) : Q := of_nat (N ^ i).                  (* (1, delta^-1, ..., delta^-(d-1)) *)
Definition id (X : matrix) (j : nat) : Q := row d u X j.       (* u^T X_j *)

(** factor . psi(X; b) = factor . e1 . u^T X . sigma_H[ (u^T X)^T (u^T X - b 1^T) ] *)
Definition psi (factor b : Q) : head := Head (fun i => if Nat.eqb i 0 then factor else 0) u u u (- b).

(** X -> X + delta^-d Psi(X; l - delta/2, l + delta/2) for the level l = k delta *)
Definition selective_shift (k : nat) : layer :=
  [ psi (of_nat B) (of_nat k * delta - delta / 2) ; psi (- of_nat B) (of_nat k * delta + delta / 2) ].
Definition sweep : list layer := map selective_shift (seq 0 B).            (* levels 0, delta, ..., (B-1) delta *)
Definition global_shift : layer := [ psi (of_nat (N ^ ((n + 1) * d))) 0 ]. (* X + delta^-((n+1)d) psi(X; 0) *)
Definition network : list layer := sweep ++ [ global_shift ].

Definition swept (L : matrix) (j : nat) : Q := id (run d n sweep L) j.     (* the id of column j after the sweep *)
Definition q (L : matrix) (j : nat) : Q := id (run d n network L) j.       (* u^T g_c(L) *)

(** ** The grids (Section 5.2) *)
Definition on_grid (x : Q) : Prop := exists k : nat, (k < N)%nat /\ x == of_nat k * delta.
Definition sentinel : Q := - of_nat (N ^ (n * d)).                         (* -delta^-(nd) *)
Definition in_G (L : matrix) : Prop := forall i j, (i < d)%nat -> (j < n)%nat -> on_grid (L i j).
Definition in_Gplus (L : matrix) : Prop :=
  forall i j, (i < d)%nat -> (j < n)%nat -> L i j == sentinel \/ on_grid (L i j).
Definition same_column (L : matrix) (j : nat) (L' : matrix) (j' : nat) : Prop :=
  forall i, (i < d)%nat -> L i j == L' i j'.
Definition in_Gtilde (L : matrix) : Prop :=
  in_G L /\ forall j j', (j < n)%nat -> (j' < n)%nat -> same_column L j L j' -> j = j'.

(** L' is L with its columns in another order. *)
Definition permuted (L L' : matrix) : Prop :=
  exists p : nat -> nat,
    (forall j, (j < n)%nat -> (p j < n)%nat) /\
    (forall j j', (j < n)%nat -> (j' < n)%nat -> p j = p j' -> j = j') /\
    (forall j, (j < n)%nat -> same_column L' j L (p j)).

Definition t_l : Q := of_nat (N ^ (2 * n * d)) * delta * (of_nat B - 1).
Definition t_r : Q := of_nat (N ^ ((2 * n + 1) * d)) * delta * (of_nat B - 1).

(** ** Lemma 6 *)
Definition lemma6_property1 : Prop := forall L, in_Gtilde L ->
  forall j j', (j < n)%nat -> (j' < n)%nat -> q L j == q L j' -> j = j'.
Definition lemma6_property2 : Prop := forall L L', in_Gtilde L -> in_Gtilde L' -> ~ permuted L L' ->
  forall j j', (j < n)%nat -> (j' < n)%nat -> ~ q L j == q L' j'.
Definition lemma6_property3 : Prop := forall L, in_Gtilde L ->
  forall j, (j < n)%nat -> t_l <= q L j /\ q L j < t_r.
Definition lemma6_property4 : Prop := forall L, in_Gplus L -> ~ in_Gtilde L ->
  forall j, (j < n)%nat -> q L j < t_l \/ t_r <= q L j.
(** Heads have size 1 by their type; with the padding of [padded], below, every layer has exactly two of them. *)
Definition lemma6_size : Prop :=
  length network = (B + 1)%nat /\ forall l, In l network -> (length l <= 2)%nat.
Definition lemma6_interval : Prop := 0 < t_l /\ t_l < t_r.

(** ** Lemma 10: the largest id of L in G~, after the sweep *)
Definition is_last (L : matrix) (j : nat) : Prop :=
  (j < n)%nat /\ forall k, (k < n)%nat -> id L k <= id L j.
Definition lemma10_lower : Prop := forall L j, in_Gtilde L -> is_last L j ->
  of_nat (N ^ ((n - 1) * d)) * delta * (of_nat B - 1) <= swept L j.
Definition lemma10_upper : Prop := forall L j, in_Gtilde L -> is_last L j ->
  swept L j <= of_nat (N ^ (n * d)) * delta * (of_nat B - 1) - delta * ((of_nat B - 1) * (of_nat B - 1)).
Definition lemma10_injective : Prop := forall L j L' j', in_Gtilde L -> in_Gtilde L' ->
  is_last L j -> is_last L' j' -> swept L j == swept L' j' -> permuted L L'.

(** Its bounds made sharp: what the largest id is at least and at most, and that both are attained. *)
Definition powers : Q := sum (n - 1) (fun k => of_nat (N ^ ((k + 1) * d))).                  (* B + ... + B^(n-1) *)
Definition least_last : Q := delta * (of_nat (n - 1) * (of_nat (N ^ (n * d)) + 1) - powers).
Definition greatest_last : Q :=
  delta * ((of_nat B - 1) * (of_nat (N ^ (n * d)) + 1) - powers - of_nat B * (of_nat B - of_nat n)).
Definition lemma10_sharp_bounds : Prop := forall L j, in_Gtilde L -> is_last L j ->
  least_last <= swept L j /\ swept L j <= greatest_last.
Definition lemma10_attained : Prop := (n <= B)%nat ->
  (exists L j, in_Gtilde L /\ is_last L j /\ swept L j == least_last) /\
  (exists L j, in_Gtilde L /\ is_last L j /\ swept L j == greatest_last).
End Construction.

(** ** What a user of Lemma 6 needs besides: the layers, seen through the ids *)
Section Interface.
Variables d n N : nat.
Notation id := (id d N).
Notation delta := (delta N).

Definition on_lattice (x : Q) : Prop := exists z : Z, x == inject_Z z * delta.        (* a whole multiple of delta *)
Definition is_least (X : matrix) (j : nat) : Prop := (j < n)%nat /\ forall k, (k < n)%nat -> id X j <= id X k.

(** With ids on the lattice, the layer of level k delta lifts the ids that are at it, and no others. *)
Definition shift_lifts : Prop := forall X k last least j, (forall i, (i < n)%nat -> on_lattice (id X i)) ->
  is_last d n N X last -> is_least X least -> (j < n)%nat ->
  (id X j == of_nat k * delta ->
     id (attention d n (selective_shift d N k) X) j == id X j + of_nat (B d N) * (id X last - id X least)) /\
  (~ id X j == of_nat k * delta -> id (attention d n (selective_shift d N k) X) j == id X j).
(** The global shift adds delta^-((n+1)d) times the largest id to an id above 0, times the smallest to one below 0. *)
Definition global_lifts : Prop := forall X last least j,
  is_last d n N X last -> is_least X least -> (j < n)%nat ->
  (0 < id X j -> id (attention d n (global_shift d n N) X) j == id X j + of_nat (N ^ ((n + 1) * d)) * id X last) /\
  (id X j < 0 -> id (attention d n (global_shift d n N) X) j == id X j + of_nat (N ^ ((n + 1) * d)) * id X least).
(** Two columns of G with the same id are the same column. *)
Definition ids_tell : Prop := forall L L' j j', in_G d n N L -> in_G d n N L' -> (j < n)%nat -> (j' < n)%nat ->
  id L j == id L' j' -> same_column d L j L' j'.
(** All rows but the first are left as they are. *)
Definition rows_stay : Prop := forall X i j, (0 < i)%nat -> run d n (network d n N) X i j == X i j.
(** On G+ every id is a whole multiple of delta, before and after every layer. *)
Definition ids_on_lattice : Prop := forall L m j, in_Gplus d n N L -> (j < n)%nat ->
  on_lattice (id (run d n (firstn m (network d n N)) L) j).

(** Attention layers, any in any number, are permutation equivariant. *)
Definition equivariant (f : matrix -> matrix) : Prop := forall p X X',
  (forall j, (j < n)%nat -> (p j < n)%nat) -> (forall j j', (j < n)%nat -> (j' < n)%nat -> p j = p j' -> j = j') ->
  (forall j, (j < n)%nat -> same_column d X' j X (p j)) ->
  forall j, (j < n)%nat -> same_column d (f X') j (f X) (p j).
Definition run_equivariant : Prop := forall layers, equivariant (run d n layers).

(** Equal keys mean equal columns of the same context; different keys are delta apart. *)
Definition keys_tell : Prop := forall L L' j j',
  in_Gtilde d n N L -> in_Gtilde d n N L' -> (j < n)%nat -> (j' < n)%nat ->
  (q d n N L j == q d n N L' j' -> same_column d L j L' j' /\ permuted d n L L').
Definition keys_apart : Prop := forall L L' j j',
  in_Gtilde d n N L -> in_Gtilde d n N L' -> (j < n)%nat -> (j' < n)%nat ->
  q d n N L j == q d n N L' j' \/ q d n N L j + delta <= q d n N L' j' \/ q d n N L' j' + delta <= q d n N L j.
(** After the sweep every id of a matrix of G~ is delta^-d delta or more. *)
Definition swept_positive : Prop := forall L j, in_Gtilde d n N L -> (j < n)%nat ->
  of_nat (B d N) * delta <= swept d n N L j.
(** These ids are whole multiples y_j of delta, and the keys are delta (y_j + delta^-((n+1)d) max y). *)
Definition keys_from_sweep : Prop := forall L, in_Gtilde d n N L -> exists y : nat -> nat,
  (forall j, (j < n)%nat -> (0 < y j)%nat /\ swept d n N L j == of_nat (y j) * delta) /\
  forall j last, (j < n)%nat -> (last < n)%nat -> (forall k, (k < n)%nat -> (y k <= y last)%nat) ->
    q d n N L j == of_nat (y j + N ^ ((n + 1) * d) * y last) * delta.

(** A head whose W_O is 0 changes nothing: with one more the global shift has two heads, as the other layers do. *)
Definition no_head : head := Head (fun _ => 0) (fun _ => 0) (fun _ => 0) (fun _ => 0) 0.
Definition two_heads (l : layer) : layer := l ++ repeat no_head (2 - length l).
Definition padded_network : list layer := map two_heads (network d n N).
Definition padded : Prop := length padded_network = (B d N + 1)%nat /\
  (forall l, In l padded_network -> length l = 2%nat) /\
  forall X i j, (i < d)%nat -> (j < n)%nat -> run d n padded_network X i j == run d n (network d n N) X i j.
End Interface.

(** What is proved: *)
Definition Lemma6_layers : Prop := forall d n N, (1 <= d)%nat -> (1 <= n)%nat -> (2 <= N)%nat ->
  shift_lifts d n N /\ global_lifts d n N /\ ids_tell d n N /\ rows_stay d n N /\ ids_on_lattice d n N /\
  run_equivariant d n.
Definition Lemma6_keys : Prop := forall d n N, (1 <= d)%nat -> (2 <= n)%nat -> (2 <= N)%nat ->
  keys_tell d n N /\ keys_apart d n N /\ swept_positive d n N /\ keys_from_sweep d n N.
Definition Lemma6_two_heads : Prop := forall d n N, padded d n N.
Definition Lemma6 : Prop := forall d n N, (1 <= d)%nat -> (2 <= n)%nat -> (2 <= N)%nat ->
  lemma6_property1 d n N /\ lemma6_property2 d n N /\ lemma6_property3 d n N /\ lemma6_property4 d n N /\
  lemma6_size d n N /\ lemma6_interval d n N.
Definition Lemma10 : Prop := forall d n N, (1 <= d)%nat -> (2 <= n)%nat -> (2 <= N)%nat ->
  lemma10_lower d n N /\ lemma10_upper d n N /\ lemma10_injective d n N.
Definition Lemma10_sharp : Prop := forall d n N, (1 <= d)%nat -> (2 <= n)%nat -> (2 <= N)%nat ->
  lemma10_sharp_bounds d n N /\ lemma10_attained d n N.
