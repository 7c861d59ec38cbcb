(** The rest of the paper's layers, literally: token-wise layers of one hidden node whose activation has at most three
    linear pieces (Section 4), the quantiser (App. B.4) and the value map (App. B.6). Definitions only. *)

From Coq Require Import QArith List Arith Bool.
From Contextual Require Import Statement.
Import ListNotations.
Open Scope Q_scope.

(** ** Activations: t -> slope t + intercept on each of three pieces *)
Record line := Line { slope : Q; intercept : Q }.
Definition on (l : line) (t : Q) : Q := slope l * t + intercept l.

(** The first piece is t < c_1; the second c_1 <= t < c_2, or c_1 <= t <= c_2 if [closed]; the third what is left.
    With c_1 = c_2, not closed, the second is empty. *)
Record activation := Activation
  { c_1 : Q; c_2 : Q; closed : bool; first_piece : line; second_piece : line; third_piece : line }.
Definition less (s t : Q) : bool := negb (Qle_bool t s).
Definition activate (phi : activation) (t : Q) : Q :=
  if less t (c_1 phi) then on (first_piece phi) t
  else if (if closed phi then Qle_bool t (c_2 phi) else less t (c_2 phi)) then on (second_piece phi) t
  else on (third_piece phi) t.

(** The paper's class: the breaks are in order and at least one piece is constant. *)
Definition admissible (phi : activation) : Prop :=
  c_1 phi <= c_2 phi /\ (slope (first_piece phi) == 0 \/ slope (second_piece phi) == 0 \/ slope (third_piece phi) == 0).

(** ** Layers Z -> Z + W_2 phi(W_1 Z + b_1 1^T): W_1 is a row, W_2 a column *)
Record tokenwise := Tokenwise { W_2 : nat -> Q; phi : activation; W_1 : nat -> Q; b_1 : Q }.
Definition each_token (d : nat) (t : tokenwise) (Z : matrix) : matrix :=
  fun i j => Qred (Z i j + W_2 t i * activate (phi t) (row d (W_1 t) Z j + b_1 t)).

(** A network of layers of both kinds *)
Inductive any_layer := Attend (l : layer) | Each (t : tokenwise).
Definition apply (d n : nat) (Z : matrix) (l : any_layer) : matrix :=
  match l with Attend l => attention d n l Z | Each t => each_token d t Z end.
Definition run_all (d n : nat) (network : list any_layer) (X : matrix) : matrix := fold_left (apply d n) network X.

Section Layers.
Variables d N : nat.

Definition nothing : line := Line 0 0.
Definition one : line := Line 0 1.
Definition minus : line := Line (-1) 0.                                  (* -t *)

(** Z -> Z + e_i phi(e_i^T Z + b 1^T) *)
Definition unit_vector (i : nat) : nat -> Q := fun k => if Nat.eqb k i then 1 else 0.
Definition row_layer (i : nat) (b : Q) (phi : activation) : tokenwise :=
  Tokenwise (unit_vector i) phi (unit_vector i) b.

(** ** The quantiser (App. B.4), for any sentinel S: what is outside [0, 1) goes to S, [k delta, k delta + delta) to k
    delta *)
Definition outside (S : Q) : activation := Activation 0 1 false (Line (-1) S) nothing (Line (-1) S).
Definition step : activation := Activation 0 (delta N) false nothing minus nothing.
Definition quantise_row (S : Q) (i : nat) : list tokenwise :=
  row_layer i 0 (outside S) :: map (fun k => row_layer i (- (of_nat k * delta N)) step) (seq 0 N).
Definition quantiser (S : Q) : list tokenwise := flat_map (quantise_row S) (seq 0 d).

(** ** The value map (App. B.6) *)

(** Z -> Z - (M+1) 1 phi(u^T Z), with 1 for the vector of ones *)
Definition take_away (M : Q) (phi : activation) : tokenwise := Tokenwise (fun _ => - (M + 1)) phi (u N) 0.

(** phi(t) = 0 for t_l <= t <= t_r, else 1 *)
Definition not_between (t_l t_r : Q) : activation := Activation t_l t_r true one nothing one.

(** Z -> Z + e_i phi(e_i^T Z) for each row, phi(t) = -t for t < 0, else 0 *)
Definition negative : activation := Activation 0 0 false minus nothing nothing.
Definition clear : list tokenwise := map (fun i => row_layer i 0 negative) (seq 0 d).

(** Z -> Z + change phi(u^T Z - key 1^T), phi(t) = 1 for -delta/2 <= t < delta/2, else 0 *)
Definition window : activation := Activation (- (delta N / 2)) (delta N / 2) false nothing one nothing.
Definition write (key : Q) (change : nat -> Q) : tokenwise := Tokenwise change window (u N) (- key).
End Layers.
