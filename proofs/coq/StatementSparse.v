(** Lemma 3 of Zaheer et al., "Big Bird: Transformers for longer sequences" (NeurIPS 2020, App. A.2), repaired: sparse
    attention layers are a contextual mapping over every graph that contains the star, for all d, n >= 1 and N >= 2.

    The paper's u, x_0, positions, phases and factors; but one layer for each shift, where the paper has one for each
    level, and one last layer, whose keys are the coordinate that is 1 for the global token and 0 for the others.
    Definitions and statements only; [Sparse.v] proves them. *)

From Coq Require Import QArith List Arith Bool.
From Contextual Require Import Statement.
Import ListNotations.
Open Scope Q_scope.

(** ** Graphs on the tokens 0, ..., n; token 0 is the global one *)

(** G i j: token i attends to token j, that is, j is in N(i). *)
Definition graph := nat -> nat -> bool.

(** Token 0 attends to 1, ..., n; each of these attends to token 0 and to itself. Of other edges nothing is asked, nor
    whether token 0 attends to itself. *)
Definition contains_star (n : nat) (G : graph) : Prop := forall i, (1 <= i <= n)%nat ->
  G 0%nat i = true /\ G i 0%nat = true /\ G i i = true.

(** The star itself (Definition 1: N(0) = {1, ..., n}, N(i) = {0, i}), and the star with one edge more. *)
Definition star : graph := fun i j => if Nat.eqb i 0 then negb (Nat.eqb j 0) else Nat.eqb j 0 || Nat.eqb j i.
Definition with_edge (a b : nat) (G : graph) : graph := fun i j => G i j || (Nat.eqb i a && Nat.eqb j b).

(** ** Sparse attention with hardmax: that of [Statement.v], where token i reads the tokens of N(i) alone. Matrices have
    the rows 0, ..., d and the columns 0, ..., n, one for each token. *)
Section Attention.
Variables d n : nat.
Variable G : graph.

(** N(i) *)
Definition heard (i : nat) : list nat := filter (G i) (seq 0 (S n)).

(** sigma_H over N(i): 1/k at each of the k arg maxima, 0 elsewhere. *)
Definition is_best (i : nat) (s : nat -> Q) (j : nat) : bool := forallb (fun k => Qle_bool (s k) (s j)) (heard i).
Definition sparse_hardmax (i : nat) (s : nat -> Q) (j : nat) : Q :=
  if G i j && is_best i s j then 1 / of_nat (length (filter (is_best i s) (heard i))) else 0.

(** Entry i of W_V X sigma_H[ (W_K X)^T (W_Q X + b_Q 1^T) ], with X_N(i) in the place of X for keys and values. *)
Definition sparse_value (h : head) (X : matrix) (i : nat) : Q :=
  sum (S n) (fun j => row (S d) (W_V h) X j *
    sparse_hardmax i (fun k => row (S d) (W_K h) X k * (row (S d) (W_Q h) X i + b_Q h)) j).

(** X + sum over the heads of W_O . value; and one layer after the other. *)
Definition sparse_attention (l : layer) (X : matrix) : matrix :=
  fun r i => Qred (X r i + fold_right (fun h s => W_O h r * sparse_value h X i + s) 0 l).
Definition sparse_run (network : list layer) (X : matrix) : matrix :=
  fold_left (fun Y l => sparse_attention l Y) network X.
End Attention.

(** ** The construction *)
Section Construction.
Variables d n N : nat.
Notation delta := (delta N).
Notation B := (B d N).

(** delta^-kd *)
Definition power (k : nat) : Q := of_nat (N ^ (k * d)).

(** u = (1, delta^-1, ..., delta^-(d-1), delta^-nd) *)
Definition u_all (r : nat) : Q := if Nat.eqb r d then power n else u N r.
(** The last coordinate: 1 for the global token, 0 for the others. *)
Definition flag (r : nat) : Q := if Nat.eqb r d then 1 else 0.

(** The tokens of a context L, a d x n matrix: x_0 = (0, ..., 0, 1); token j + 1 is column j of L with delta^-jd added
    to each entry for j >= 1 (and nothing for j = 0), and a last entry 0. *)
Definition position (j : nat) : Q := match j with O => 0 | S _ => power j end.
Definition embedded (L : matrix) : matrix := fun r i =>
  match i with
  | O => flag r
  | S j => if Nat.eqb r d then 0 else L r j + position j
  end.

(** c . e_1 *)
Definition first_row (c : Q) (r : nat) : Q := if Nat.eqb r 0 then c else 0.
(** c . psi~(X; b) = c . e_1 . (u^T X_N(i)) . sigma_H[ (u^T X_N(i))^T (u^T X_i - b) ] *)
Definition sparse_psi (c b : Q) : head := Head (first_row c) u_all u_all u_all (- b).

(** Low shift k: X + delta^-d psi(X; -delta/2, delta^-kd - delta/2). Tokens with an id in this window get delta^-d times
    the difference of the largest and the smallest id of N(i). *)
Definition low (k : nat) : layer :=
  [ sparse_psi (of_nat B) (- (delta / 2)) ; sparse_psi (- of_nat B) (power k - delta / 2) ].
(** High shift: delta^-nd times that difference for the global token. The queries are the flag and its negative, so that
    the heads read the largest and the smallest id for the global token, and the same number for all others. *)
Definition high : layer :=
  [ Head (first_row (power n)) u_all u_all flag 0 ;
    Head (first_row (- power n)) u_all u_all (fun r => - flag r) 0 ].
(** Last layer: one head, whose keys are the flag, so that a token that attends to the global one reads its id. *)
Definition last_layer : layer := [ Head (first_row (power ((n + 1) * (n + 1)))) u_all flag (fun _ => 0) 1 ].

(** Phases 1, ..., n-1 are a low and a high shift each, phase n a low shift alone. *)
Definition phases (m : nat) : list layer := flat_map (fun k => [ low (k + 1) ; high ]) (seq 0 m).
Definition sparse_network : list layer := phases (n - 1) ++ [ low n ; last_layer ].

(** q(L)_j = u^T (token j + 1 at the end) *)
Definition sparse_q (G : graph) (L : matrix) (j : nat) : Q :=
  row (S d) u_all (sparse_run d n G sparse_network (embedded L)) (S j).

(** ** The statements *)
Definition same_context (L L' : matrix) : Prop := forall r j, (r < d)%nat -> (j < n)%nat -> L r j == L' r j.

(** Definition 2, a contextual mapping of all contexts with entries 0, delta, ..., 1 - delta: the entries of q(L) are
    distinct, and no entry of q(L) is one of q(L') for another context L'. *)
Definition contextual (q : matrix -> nat -> Q) : Prop :=
  (forall L j j', in_G d n N L -> (j < n)%nat -> (j' < n)%nat -> q L j == q L j' -> j = j') /\
  (forall L L' j j', in_G d n N L -> in_G d n N L' -> ~ same_context L L' -> (j < n)%nat -> (j' < n)%nat ->
    ~ q L j == q L' j').

(** 2n layers, of at most two heads (of size 1, by their type) *)
Definition sparse_size : Prop :=
  length sparse_network = (2 * n)%nat /\ forall l, In l sparse_network -> (length l <= 2)%nat.
End Construction.

Definition BigBird_lemma3 : Prop := forall d n N, (1 <= d)%nat -> (1 <= n)%nat -> (2 <= N)%nat ->
  sparse_size d n N /\ forall G, contains_star n G -> contextual d n N (sparse_q d n N G).

(** The layers don't know the graph: whatever edges there are besides the star, q is the same. *)
Definition BigBird_any_graph : Prop := forall d n N, (1 <= d)%nat -> (1 <= n)%nat -> (2 <= N)%nat ->
  forall G G', contains_star n G -> contains_star n G' -> forall L, in_G d n N L -> forall j, (j < n)%nat ->
  sparse_q d n N G L j == sparse_q d n N G' L j.

(** Where all attend to all this is the attention of [Statement.v], with d + 1 rows and n + 1 columns. *)
Definition Sparse_complete : Prop := forall d n l X r i, (i <= n)%nat ->
  sparse_attention d n (fun _ _ => true) l X r i == attention (S d) (S n) l X r i.
