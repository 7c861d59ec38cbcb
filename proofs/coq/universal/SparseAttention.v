(** Theorem 1 of Zaheer et al., "Big Bird: Transformers for longer sequences" (NeurIPS 2020): Transformers with sparse
    attention are universal approximators, over every graph that contains the star. Definitions and statements only;
    [SparseTheorem.v] proves them, not by the paper's construction. Heads, blocks, ReLU, functions and the distance are
    those of [Approximation.v]; graphs those of the rational [StatementSparse.v]. *)

From Coq Require Import Reals List Bool.
From Contextual Require StatementSparse.
From Contextual Require Import Approximation.
Import ListNotations.
Open Scope R_scope.

Notation graph := StatementSparse.graph.
Notation contains_star := StatementSparse.contains_star.

(** ** Transformer blocks of h heads of size m and r hidden nodes on d x n matrices; token j reads the tokens i of N(j)
    alone, those with G j i = true *)
Section Sparse.
Variables d n h m r : nat.
Variable G : graph.

(** Column j is the softmax of the scores A i j with i in N(j), and 0 elsewhere. *)
Definition sparse_softmax (A : matrix) : matrix := fun i j =>
  if G j i then exp (A i j) / sum n (fun k => if G j k then exp (A k j) else 0) else 0.

(** [attend], [Attn] and [run] of [Approximation.v], with this softmax. *)
Definition sparse_attend (w : head) (X : matrix) : matrix :=
  times m (W_O w) (times n (times d (W_V w) X)
    (sparse_softmax (times m (transpose (times d (W_K w) X)) (plus (times d (W_Q w) X) (columns (b_Q w)))))).
Definition sparse_Attn (t : block) (X : matrix) : matrix :=
  fun i j => X i j + sum h (fun k => sparse_attend (heads t k) X i j).
Definition sparse_run (ts : list block) (X : matrix) : matrix :=
  fold_left (fun Y t => FF d r t (sparse_Attn t Y)) ts X.
End Sparse.

(** ** From n tokens to n + 1 and back: a special token, number 0, comes before the others, and is dropped at the end.
    It is 0 until E is added: column 0 of E is the special vector x_0, its other columns are the positions. No
    coordinate is added to the d of a token. *)
Definition extended (X : matrix) : matrix := fun i j => match j with O => 0 | S k => X i k end.
Definition dropped (Y : matrix) : matrix := fun i j => Y i (S j).

(** The function that the blocks ts and the embedding E compute over the graph G. *)
Definition sparse_transformer (d n h m r : nat) (G : graph) (ts : list block) (E X : matrix) : matrix :=
  dropped (sparse_run d (S n) h m r G ts (plus (extended X) E)).

(** Theorem 1, with one head of size 1 and four hidden nodes: f is continuous on the cube, and need not be equivariant.
    The paper has 1 < p. *)
Definition BigBird_theorem1 : Prop := forall d n, (1 <= d)%nat -> (1 <= n)%nat ->
  forall G, contains_star n G -> forall f, continuous_on d n (cube d n) f ->
  forall p e, 1 <= p -> 0 < e -> exists (ts : list block) (E : matrix),
    distance_below d n p (cube d n) f (sparse_transformer d n 1 1 4 G ts E) e.

(** The same with one embedding for all, with one list of blocks that serves every such graph, with two blocks that
    attend (the others' head writes nothing), and with queries that have no bias, as in App. A.1. *)
Definition silent (t : block) : Prop := forall i k, W_O (heads t O) i k = 0.
Definition no_bias (t : block) : Prop := forall k, b_Q (heads t O) k = 0.
Definition BigBird_theorem1_any_graph : Prop := exists E : matrix,
  forall d n, (1 <= d)%nat -> (1 <= n)%nat -> forall f, continuous_on d n (cube d n) f ->
  forall p e, 1 <= p -> 0 < e -> exists (before : list block) (t t' : block) (after : list block),
    (forall s, In s (before ++ after) -> silent s) /\ (forall s, In s (before ++ [t; t'] ++ after) -> no_bias s) /\
    forall G, contains_star n G ->
    distance_below d n p (cube d n) f (sparse_transformer d n 1 1 4 G (before ++ [t; t'] ++ after) E) e.

(** Where all attend to all it is the attention of [Approximation.v]. *)
Definition Sparse_complete_run : Prop := forall d n h m r ts X,
  sparse_run d n h m r (fun _ _ => true) ts X = run d n h m r ts X.
