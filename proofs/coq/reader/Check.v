(** The checker: every case in its order, every relation, what a report says of them. Definitions only;
  [Sound.v] proves
    that what it reports holds. *)

From Coq Require Import QArith Qabs ZArith List Bool Orders Mergesort Lia.
From Contextual.reader Require Import Core.
Import ListNotations.
Open Scope Z_scope.

(** ** What is seen at the cases that the guard admits *)
Fixpoint seen (guard : found -> found) (l : found -> lines) (ws : list value) : option (list (value * list relation))
  :=
  match ws with
  | [] => Some []
  | w :: ws => match truth_of (guard (Is w)) with
    | Some true => match l (Is w) with
      | Some rs => option_map (cons (w, rs)) (seen guard l ws)
      | None => None
      end
    | Some false => seen guard l ws
    | None => None
    end
  end.
Definition good (rs : list relation) : bool := forallb holds_of rs.
Definition of_sign (k : Z) (rs : list relation) : list relation := filter (fun r => number r =? k) rs.
Definition smaller (a : option Q) (r : relation) : option Q :=
  if counts r then match a with
    | None => Some (slack_of r)
    | Some q => Some (if Qle_bool q (slack_of r) then q else slack_of r)
    end else a.
(** Of each sign: how many relations it makes, and their least slack. *)
Definition row (rs : list relation) (k : Z) : Z * option Q :=
  let rs := of_sign k rs in (Z.of_nat (length rs), option_map Qred (fold_left smaller rs None)).

(** How many cases, how many of them fail, and the rows of the signs 1, ..., [signs]. *)
Record report := Report { its_cases : Z; failing : Z; rows : list (Z * option Q) }.
Definition told (signs : Z) (s : list (value * list relation)) : report :=
  Report (Z.of_nat (length s)) (Z.of_nat (length (filter (fun p => negb (good (snd p))) s)))
    (map (row (flat_map snd s)) (from 1 (Z.to_nat signs))).
Definition check (most signs : Z) (i : inputs) (guard : found -> found) (l : found -> lines) : option report :=
  match cases most i with
  | Some ws => option_map (told signs) (seen guard l ws)
  | None => None
  end.

(** A case that the claim admits and where a relation fails, the first in the order of cases: its rank. *)
Fixpoint first_failing (guard : found -> found) (l : found -> lines) (ws : list value) (rank : Z) : option (Z *
  value) :=
  match ws with
  | [] => None
  | w :: ws => match when (guard (Is w)) (l (Is w)) with
    | Some rs => if good rs then first_failing guard l ws (rank + 1) else Some (rank, w)
    | None => None
    end
  end.
Definition first (most : Z) (i : inputs) (guard : found -> found) (l : found -> lines) : option (Z * value) :=
  match cases most i with Some ws => first_failing guard l ws 0 | None => None end.

(** ** across: the numbers of all cases, sorted; neighbours of different cases *)
Module ByValue <: TotalLeBool.
  Definition t := (Q * Z)%type.
  (** Those of one value by rank. *)
  Definition leb (a b : t) : bool := if Qeq_bool (fst a) (fst b) then snd a <=? snd b else Qle_bool (fst a) (fst b).
  (** Of two numbers one is at most the other. *)
  Theorem leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof.
    intros [a i] [b j]. unfold leb. cbn [fst snd]. destruct (Qeq_bool a b) eqn:E.
    - apply Qeq_bool_iff, Qeq_sym, Qeq_bool_iff in E. rewrite E, !Z.leb_le. lia.
    - assert (Qeq_bool b a = false) as ->.
      { destruct (Qeq_bool b a) eqn:F; [|reflexivity]. apply Qeq_bool_iff, Qeq_sym, Qeq_bool_iff in F. congruence. }
      rewrite !Qle_bool_iff. destruct (Qlt_le_dec a b); [left; apply Qlt_le_weak|right]; assumption.
  Qed.
  (** Who stands before has no larger number. *)
  Lemma leb_le a b : leb a b = true -> (fst a <= fst b)%Q.
  Proof.
    unfold leb. destruct (Qeq_bool (fst a) (fst b)) eqn:E; [|apply Qle_bool_iff].
    intros _. apply Qeq_bool_iff in E. rewrite E. apply Qle_refl.
  Qed.
  (** Who stands before one that stands before another stands before that. *)
  Lemma leb_trans a b c : leb a b = true -> leb b c = true -> leb a c = true.
  Proof.
    intros A B. pose proof (leb_le _ _ A) as AB. pose proof (leb_le _ _ B) as BC. unfold leb in *.
    destruct (Qeq_bool (fst a) (fst c)) eqn:E; [|apply Qle_bool_iff; eapply Qle_trans; eassumption].
    apply Qeq_bool_iff in E. rewrite <- E in BC. pose proof (Qle_antisym _ _ AB BC) as Same.
    assert (Qeq_bool (fst b) (fst c) = true) as Next by (apply Qeq_bool_iff; rewrite <- Same; exact E).
    apply Qeq_bool_iff in Same. rewrite Same in A. rewrite Next in B. rewrite Z.leb_le in *. lia.
  Qed.
End ByValue.
Module Import Sorting := Sort ByValue.

Fixpoint collected (guard : found -> found) (L : found -> found) (ws : list value) (rank : Z) : option (list (Q * Z))
  :=
  match ws with
  | [] => Some []
  | w :: ws => match truth_of (guard (Is w)) with
    | Some true => match numbers (L (Is w)), collected guard L ws (rank + 1) with
      | Some l, Some r => Some (flat_map (fun v => match v with Number q => [(q, rank)] | _ => [] end) l ++ r)
      | _, _ => None
      end
    | Some false => collected guard L ws (rank + 1)
    | None => None
    end
  end.
Fixpoint side_by_side (f : found -> found -> lines) (a : Q * Z) (l : list (Q * Z)) : lines :=
  match l with
  | [] => nothing
  | b :: l => if snd a =? snd b then side_by_side f b l
      else and_then (f (Is (Number (fst a))) (Is (Number (fst b)))) (side_by_side f b l)
  end.
Definition all_sorted (f : found -> found -> lines) (l : list (Q * Z)) : lines :=
  match sort l with [] => nothing | a :: l => side_by_side f a l end.
Record pairs_report := Pairs { kept : bool; their_rows : list (Z * option Q) }.
Definition check_across (most signs : Z) (i : inputs) (guard : found -> found) (L : found -> found) (f : found ->
  found -> lines)
  : option pairs_report :=
  match cases most i with
  | Some ws => match collected guard L ws 0 with
    | Some l => match all_sorted f l with
      | Some rs => Some (Pairs (good rs) (map (row rs) (from 1 (Z.to_nat signs))))
      | None => None
      end
    | None => None
    end
  | None => None
  end.
