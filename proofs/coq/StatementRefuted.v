(** What of the printed constructions doesn't hold, each a closed statement about the literal definitions, for all sizes
    where it holds for all, and at the smallest instance in numbers. Definitions and statements only; [Refuted.v] proves
    them. No numbered statement of Yun et al. is refuted here: what fails is the network of a proof, or a printed
    constant. *)

From Coq Require Import QArith List Arith Bool.
From Contextual Require Import Statement Statement3 Layers.
Import ListNotations.
Open Scope Q_scope.

(** ** Lemma 7: the value map of App. B.6, for targets of any size *)
Section ValueMap.
Variables d n N : nat.
Notation image L := (run d n (network d n N) L).                                   (* g_c(L) *)

(** The tokens (L, j) that have a layer each: all those of G~, one L at least for each set of columns, in any order *)
Definition enumerates (tokens : list (matrix * nat)) : Prop :=
  (forall L j, In (L, j) tokens -> in_Gtilde d n N L /\ (j < n)%nat) /\
  forall L j, in_Gtilde d n N L -> (j < n)%nat ->
    exists L' j', In (L', j') tokens /\ permuted d n L L' /\ same_column d L j L' j'.

(** g_v: Z - (M+1) 1 phi(u^T Z); then row by row; then for each token Z + (A_L - g_c(L))_j phi(u^T Z - q(L)_j 1^T) *)
Definition value_map (M : Q) (tokens : list (matrix * nat)) (A : matrix -> matrix) : list tokenwise :=
  take_away N M (not_between (t_l d n N) (t_r d n N)) :: clear d ++
  map (fun w => write N (q d n N (fst w) (snd w)) (fun i => A (fst w) i (snd w) - image (fst w) i (snd w))) tokens.
Definition value_network (M : Q) (tokens : list (matrix * nat)) (A : matrix -> matrix) : list any_layer :=
  map Attend (network d n N) ++ map Each (value_map M tokens A).

(** Targets: the columns of A_L follow those of L. *)
Definition equivariant_on_Gtilde (A : matrix -> matrix) : Prop := forall L L' p, in_Gtilde d n N L ->
  in_Gtilde d n N L' ->
  (forall j, (j < n)%nat -> (p j < n)%nat) -> (forall j j', (j < n)%nat -> (j' < n)%nat -> p j = p j' -> j = j') ->
  (forall j, (j < n)%nat -> same_column d L' j L (p j)) ->
  forall j, (j < n)%nat -> same_column d (A L') j (A L) (p j).
End ValueMap.

(** At every context, whatever the order of the layers and whatever M, there are targets that the network misses. *)
Definition Lemma7_map_fails : Prop := forall d n N, (1 <= d)%nat -> (2 <= n)%nat -> (2 <= N)%nat ->
  forall tokens, enumerates d n N tokens -> forall L, in_Gtilde d n N L ->
  exists A, equivariant_on_Gtilde d n N A /\
    forall M, exists i j, (i < d)%nat /\ (j < n)%nat /\
      ~ run_all d n (value_network d n N M tokens A) L i j == A L i j.

(** There are contexts, and the tokens can be enumerated: the statement above isn't empty. *)
Definition Lemma7_has_cases : Prop := forall d n N, (1 <= d)%nat -> (2 <= n)%nat -> (2 <= N)%nat ->
  (exists tokens, enumerates d n N tokens) /\ ((n <= B d N)%nat -> exists L, in_Gtilde d n N L).

(** (d, n, N) = (1, 2, 2): the context (0, 1/2), the target (27/2, 0), M = 171/2, the largest entry of any g_c(L). *)
Definition smallest : matrix := fun _ j => if Nat.eqb j 0 then 0 else 1 # 2.
Definition smallest_target : matrix := fun _ j => if Nat.eqb j 0 then 27 # 2 else 0.
Definition smallest_network : list any_layer :=
  value_network 1 2 2 (171 # 2) [(smallest, 0%nat); (smallest, 1%nat)] (fun _ => smallest_target).
Definition Lemma7_smallest : Prop :=
  q 1 2 2 smallest 0 == 13 /\ q 1 2 2 smallest 1 == 27 # 2 /\
  run_all 1 2 smallest_network smallest 0%nat 0%nat == 0 /\ run_all 1 2 smallest_network smallest 0%nat 1%nat == 0.

(** ** Hu et al. (NeurIPS 2024), App. E: t_l as printed, n delta^-(2(n+1)d) (delta^-d - 1) *)
Definition hu_t_l (d n N : nat) : Q := of_nat n * of_nat (N ^ (2 * (n + 1) * d)) * (of_nat (B d N) - 1).

(** Where n <= N^d - N^(d-1), so for every d and n from some N on, every value of every context is below it. *)
Definition HuThreshold_too_large : Prop := forall d n N, (1 <= d)%nat -> (2 <= n)%nat -> (2 <= N)%nat ->
  (n + N ^ (d - 1) <= N ^ d)%nat ->
  forall L j, context d n N L -> (j < n)%nat -> positional_q d n N L j < hu_t_l d n N.
(** (d, n, N) = (1, 2, 2): the context (0, 1), with the values 98 and 99 *)
Definition zero_one : matrix := fun _ j => of_nat j.
Definition HuThreshold_smallest : Prop := context 1 2 2 zero_one /\ hu_t_l 1 2 2 == 128 /\
  positional_q 1 2 2 zero_one 0 == 98 /\ positional_q 1 2 2 zero_one 1 == 99.
(** Its contextual mapping is said to have delta^-d + 1 layers; the proof stacks n delta^-d + 1. *)
Definition HuLayers_more : Prop := forall d n N, (1 <= d)%nat -> (2 <= n)%nat -> (2 <= N)%nat ->
  length (positional_network d n N) = (n * B d N + 1)%nat /\ (B d N + 1 < n * B d N + 1)%nat.

(** ** App. C.2: the order of ids, which fails for every N at (d, n) = (1, 2) and nowhere else ([AppendixC2_order]) *)
Definition COrder_fails : Prop := AppendixC2_no_order.

(** ** The slides' sentinel, -delta^(nd): at (1, 2, 2) the matrix (-1/4, 0), with a sentinel, has a key of (0, 1/2). *)
Definition slides_matrix : matrix := fun _ j => if Nat.eqb j 0 then - (1 # 4) else 0.
Definition SlidesSentinel_fails : Prop :=
  - (delta 2 * delta 2) == slides_matrix 0%nat 0%nat /\ q 1 2 2 slides_matrix 1 == q 1 2 2 smallest 1 /\
  t_l 1 2 2 <= q 1 2 2 slides_matrix 1 /\ q 1 2 2 slides_matrix 1 < t_r 1 2 2.
