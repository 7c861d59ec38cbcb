(** The network as it was published, with its sentinel below the grid: Lemmas 5, 6 and 7 of the paper, each hardmax
    replaced by softmax(lambda .) and each activation by its four ReLUs (Lemma 9, with transitions of width e to the
    left of the breaks). It isn't close to any function of compact support over all of R^(d x n). Definitions and the
    statement only. *)

From Coq Require Import Reals Qreals List Arith.
From Contextual Require Statement.
From Contextual Require Import Approximation Construction.
Import ListNotations.
Open Scope R_scope.

(** ** The activations *)
(** Lemma 5: phi(t) = -t + S for t < 0 and for t >= 1, else 0. *)
Definition outside (e S : R) : phi := Phi 0
  (fun a => match a with O => (S + e) / e | 1%nat => - (S / e) | 2%nat => (S - 1) / e | _ => - 1 - (S - 1) / e end)
  (fun a => match a with 0%nat | 1%nat => -1 | _ => 1 end)
  (fun a => match a with O => 0 | 1%nat => - e | 2%nat => e - 1 | _ => -1 end).

(** Lemma 7: phi(t) = 0 for l <= t <= r, else 1. *)
Definition reject_outside (e l r : R) : phi := Phi 1
  (fun a => match a with O => - / e | 1%nat => / e | 2%nat => / e | _ => - / e end)
  (fun _ => 1)
  (fun a => match a with O => e - l | 1%nat => - l | 2%nat => e - r | _ => - r end).

(** Lemma 7: phi(t) = -t for t < 0, else 0. *)
Definition clear : phi := Phi 0 (fun a => match a with O => 1 | _ => 0 end) (fun _ => -1) (fun _ => 0).

(** Lemma 7: phi(t) = 1 for k - w/2 <= t < k + w/2, else 0. *)
Definition around (e k w : R) : phi := Phi 0
  (fun a => match a with O => / e | 1%nat => - / e | 2%nat => - / e | _ => / e end)
  (fun _ => 1)
  (fun a => match a with O => e - k + w / 2 | 1%nat => - k + w / 2 | 2%nat => e - k - w / 2 | _ => - k - w / 2 end).

(** ** The network. [M] is the constant of the layer that rejects; the table has, for each key of a context, what is
    added to the columns with that key. *)
Definition sentinel_below (d n N : nat) : R := Q2R (Statement.sentinel d n N).           (* -delta^-(nd) *)
Definition quantise_below (d n N : nat) (e : R) : list block :=
  flat_map (fun i => token (unit i) (unit i) (outside e (sentinel_below d n N)) :: quantise_row N e N i) (seq 0 d).
Definition value_below (d n N : nat) (e M : R) (table : list (R * (nat -> R))) : list block :=
  token (u N) (fun _ => - (M + 1)) (reject_outside e (Q2R (Statement.t_l d n N)) (Q2R (Statement.t_r d n N))) ::
  entrywise d clear ++ map (fun t => token (u N) (snd t) (around e (fst t) (/ INR N))) table.
Definition published (d n N : nat) (e lambda M : R) (table : list (R * (nat -> R))) : list block :=
  quantise_below d n N e ++ contextual_map d N (seq 0 (Statement.B d N)) (global_factor d n N) lambda ++
  value_below d n N e M table.

(** Only the keys matter for what follows: they are those of contexts, q(L)_j. *)
Definition keyed (d n N : nat) (table : list (R * (nat -> R))) : Prop := forall t, In t table ->
  exists L j, Statement.in_Gtilde d n N L /\ (j < n)%nat /\ fst t = Q2R (Statement.q d n N L j).

(** Whatever lambda >= 4 n N, strips of e <= delta/4, M and targets are: entry (1, 1) of the network is t_l or more, far
    above 0, on boxes as large as one likes; and the network isn't within any eps, over all of R^(d x n), of any
    function of compact support. *)
Definition Published_fails : Prop := forall d n N e lambda M table, (1 <= d)%nat -> (2 <= n)%nat -> (2 <= N)%nat ->
  0 < e <= / INR N / 4 -> 4 * INR n * INR N <= lambda -> keyed d n N table ->
  let g := run d n 2 1 4 (published d n N e lambda M table) in
  0 < Q2R (Statement.t_l d n N) /\
  (forall V, exists b, proper d n b /\ V <= volume d n b /\
    forall X, inside d n b X = true -> Q2R (Statement.t_l d n N) <= g X 0%nat 0%nat) /\
  forall f p eps, compact_support d n f -> 1 <= p -> 0 < eps -> ~ distance_below d n p everywhere f g eps.
