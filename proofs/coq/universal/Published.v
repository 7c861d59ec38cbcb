(** The network as it was submitted to ICLR, with its sentinel below the grid: Lemmas 5, 6 and 7 of the paper, each
    hardmax replaced by softmax(lambda .) and each activation by its four ReLUs (Lemma 9, with transitions of width e
    to the left of the breaks), where each layer has an e and a lambda of its own. At the good points of the cube it
    is what it should be. It isn't close to any function of compact support over large balls. Definitions and
    statements only. *)

From Coq Require Import Reals Qreals List Arith.
From Contextual Require Statement.
From Contextual Require Import Approximation Construction Explicit.
Import ListNotations.
Open Scope R_scope.

(** ** The activations: as the paper has them, and by four ReLUs *)
(** Lemma 5: phi(t) = -t + S for t < 0 and for t >= 1, else 0. *)
Definition paper_outside (S t : R) : R := if Rlt_dec t 0 then - t + S else if Rlt_dec t 1 then 0 else - t + S.
Definition outside (e S : R) : phi := Phi 0
  (fun a => match a with O => (S + e) / e | 1%nat => - (S / e) | 2%nat => (S - 1) / e | _ => - 1 - (S - 1) / e end)
  (fun a => match a with 0%nat | 1%nat => -1 | _ => 1 end)
  (fun a => match a with O => 0 | 1%nat => - e | 2%nat => e - 1 | _ => -1 end).

(** Lemma 5: phi(t - k), with phi(t) = -t for 0 <= t < w, else 0; its four ReLUs are Construction.v's [tent]. *)
Definition paper_cell (k w t : R) : R := if Rlt_dec (t - k) 0 then 0 else if Rlt_dec (t - k) w then - (t - k) else 0.

(** Lemma 7: phi(t) = 0 for l <= t <= r, else 1. *)
Definition paper_reject (l r t : R) : R := if Rlt_dec t l then 1 else if Rle_dec t r then 0 else 1.
Definition reject_outside (e l r : R) : phi := Phi 1
  (fun a => match a with O => - / e | 1%nat => / e | 2%nat => / e | _ => - / e end)
  (fun _ => 1)
  (fun a => match a with O => e - l | 1%nat => - l | 2%nat => e - r | _ => - r end).

(** Lemma 7: phi(t) = -t for t < 0, else 0. *)
Definition paper_clear (t : R) : R := if Rlt_dec t 0 then - t else 0.
Definition clear : phi := Phi 0 (fun a => match a with O => 1 | _ => 0 end) (fun _ => -1) (fun _ => 0).

(** Lemma 7: phi(t - k), with phi(t) = 1 for - w/2 <= t < w/2, else 0. *)
Definition paper_around (k w t : R) : R :=
  if Rlt_dec (t - k) (- (w / 2)) then 0 else if Rlt_dec (t - k) (w / 2) then 1 else 0.
Definition around (e k w : R) : phi := Phi 0
  (fun a => match a with O => / e | 1%nat => - / e | 2%nat => - / e | _ => / e end)
  (fun _ => 1)
  (fun a => match a with O => e - k + w / 2 | 1%nat => - k + w / 2 | 2%nat => e - k - w / 2 | _ => - k - w / 2 end).

(** The four ReLUs are the paper's phi but on strips of width e to the left of its breaks; the last layer's everywhere.
    (Where the paper's phi has its value at r still, and not right of it, the strip has its end r.) *)
Definition left_of (e b t : R) : Prop := b - e < t < b.
Definition Published_activations : Prop := forall e, 0 < e ->
  (forall S t, e < 1 -> ~ left_of e 0 t -> ~ left_of e 1 t -> apply_phi (outside e S) t = paper_outside S t) /\
  (forall k w t, e < w -> ~ left_of e (k + w) t -> apply_phi (tent e k w) t = paper_cell k w t) /\
  (forall l r t, l + e < r -> ~ left_of e l t -> ~ left_of e r t -> t <> r ->
    apply_phi (reject_outside e l r) t = paper_reject l r t) /\
  (forall t, apply_phi clear t = paper_clear t) /\
  (forall k w t, e < w -> ~ left_of e (k - w / 2) t -> ~ left_of e (k + w / 2) t ->
    apply_phi (around e k w) t = paper_around k w t).

(** ** The network. Its layers, given their width e of strips and their rate lambda; [M] is the constant of the layer
    that rejects; the table has, for each key of a context, what is added to the columns with that key. *)
Definition sentinel_below (d n N : nat) : R := Q2R (Statement.sentinel d n N).           (* -delta^-(nd) *)
Definition quantise_row_below (d n N i : nat) : list (R -> R -> block) :=
  (fun e _ => token (unit i) (unit i) (outside e (sentinel_below d n N))) ::
  map (fun k e _ => token (unit i) (unit i) (tent e (INR k * / INR N) (/ INR N))) (seq 0 N).
Definition quantise_below (d n N : nat) : list (R -> R -> block) := flat_map (quantise_row_below d n N) (seq 0 d).
Definition shift_below (d N k : nat) (_ lambda : R) : block :=
  selective N lambda (INR (Statement.B d N)) (/ INR N) (INR k * / INR N).
Definition map_below (d n N : nat) : list (R -> R -> block) :=
  map (shift_below d N) (seq 0 (Statement.B d N)) ++ [fun _ lambda => global N lambda (INR (global_factor d n N))].
Definition value_below (d n N : nat) (M : R) (table : list (R * (nat -> R))) : list (R -> R -> block) :=
  (fun e _ => token (u N) (fun _ => - (M + 1))
    (reject_outside e (Q2R (Statement.t_l d n N)) (Q2R (Statement.t_r d n N)))) ::
  map (fun t _ _ => t) (entrywise d clear) ++
  map (fun t e _ => token (u N) (snd t) (around e (fst t) (/ INR N))) table.

(** Layer k has the parameters e k and lambda k. *)
Fixpoint chosen (e lambda : nat -> R) (k : nat) (layers : list (R -> R -> block)) : list block :=
  match layers with [] => [] | t :: layers => t (e k) (lambda k) :: chosen e lambda (S k) layers end.
Definition published (d n N : nat) (e lambda : nat -> R) (M : R) (table : list (R * (nat -> R))) : list block :=
  chosen e lambda 0 (quantise_below d n N ++ map_below d n N ++ value_below d n N M table).

(** ** It is right at good points: with the table that App. B.6 describes, where a point lies in a cell without equal
    columns, off the strips, it is within the error over lambda of this cell's values (whatever M is). *)
Definition Published_values : Prop := forall d n N e lambda width rate M F v,
  (1 <= d)%nat -> (2 <= n)%nat -> (2 <= N)%nat ->
  (forall k, 0 < e k <= width) -> width <= / INR N / 4 ->
  0 < rate -> (forall k, rate <= lambda k) -> cube_error d n N / rate <= / INR N / 4 ->
  equivariant_table d n N v -> cube_keys_above d n N F ->
  (forall K i j, In K (contexts d n N) -> (i < d)%nat -> (j < n)%nat -> Rabs (v K i j) <= F) ->
  let g := run d n 2 1 4 (published d n N e lambda M (table d n N (contexts d n N) (key d n N) v)) in
  forall K X, In K (contexts d n N) -> off_strips d n N width K X -> within d n (cube_error d n N / rate) (g X) (v K).

(** And its value map makes 0 of a column that is to be rejected: one whose id is outside [t_l, t_r], off the strips, if
    no entry is above M. *)
Definition keyed (d n N : nat) (table : list (R * (nat -> R))) : Prop := forall t, In t table ->
  exists L j, Statement.in_Gtilde d n N L /\ (j < n)%nat /\ fst t = Q2R (Statement.q d n N L j).
Definition Published_rejects : Prop := forall d n N e lambda M table k Z j,
  (1 <= d)%nat -> (2 <= n)%nat -> (2 <= N)%nat -> (forall k, 0 < e k <= / INR N / 4) -> keyed d n N table ->
  (forall i, (i < d)%nat -> Z i j <= M) -> (along d (u N) Z j <= Q2R (Statement.t_l d n N) - e k \/
    Q2R (Statement.t_r d n N) <= along d (u N) Z j) ->
  forall i, (i < d)%nat -> run d n 2 1 4 (chosen e lambda k (value_below d n N M table)) Z i j = 0.

(** ** It fails over large balls. Only the keys of the table matter for that: they are those of contexts, q(L)_j.
    Whatever each layer's lambda >= 4 n N and strips of e <= delta/4, M and targets are: entry (1, 1) of the network is
    t_l or more, far above 0, on boxes as large as one likes, as far out as one likes; and for every function of
    compact support and every eps there is a ball over which the network isn't within eps of it. *)
Definition Published_fails : Prop := forall d n N e lambda M table, (1 <= d)%nat -> (2 <= n)%nat -> (2 <= N)%nat ->
  (forall k, 0 < e k <= / INR N / 4) -> (forall k, 4 * INR n * INR N <= lambda k) -> keyed d n N table ->
  let g := run d n 2 1 4 (published d n N e lambda M table) in
  0 < Q2R (Statement.t_l d n N) /\
  (forall V K, exists b, proper d n b /\ V <= volume d n b /\
    forall X, inside d n b X = true -> ~ ball d n K X /\ Q2R (Statement.t_l d n N) <= g X 0%nat 0%nat) /\
  forall f p eps, compact_support d n f -> 1 <= p -> 0 < eps ->
    exists K, ~ distance_below d n p (ball d n K) f g eps.
