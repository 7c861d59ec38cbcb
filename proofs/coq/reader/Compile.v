(** A tree as a program: its kinds are looked at once, letters are places, and what doesn't look at the innermost
  letters
    is computed once for all of their values. [comp_is]: it finds what the tree means. *)

From Coq Require Import QArith ZArith List Bool Lia.
From Coq Require String.
From Contextual.reader Require Import Core Tree Fold Quick.
Import ListNotations.
Open Scope Z_scope.

(** ** Programs: of what names mean, and of the letters' values, the innermost one first *)
Definition program (A : Type) := globals -> list found -> A.
Definition code := program found.

(** A program that doesn't look at the first n values. In OCaml [remember] keeps its last result, and gives it again
  where
    names and the other values are the same objects: program/whole.ml. *)
Fixpoint blank (n : list Datatypes.unit) (v : list found) : list found :=
  match n, v with _ :: n, _ :: v => Refused :: blank n v | _, _ => v end.
Definition remember {A} (n : nat) (c : program A) : program A := c.
Definition blanking {A} (n : list Datatypes.unit) (c : program A) : program A := fun g v => c g (blank n v).
Definition recall {A} (n : nat) (c : program A) : program A := remember n (blanking (repeat tt n) c).
Definition cached {A} (b : bool) (n : nat) (c : program A) : program A := if b then recall n c else c.
(** It looks at the first value, and not at the n next ones. In OCaml [remember_at] keeps results for several first
  values
    that are whole numbers. *)
Definition whole_key (f : found) : option Z :=
  match f with Is (Number q) => if Pos.eqb (Qden q) 1 then Some (Qnum q) else None | _ => None end.
Definition remember_at {A} (key : found -> option Z) (n : nat) (c : program A) : program A := c.
Definition blanking_at {A} (n : list Datatypes.unit) (c : program A) : program A :=
  fun g v => match v with a :: v => c g (a :: blank n v) | [] => c g [] end.
Definition recall_at {A} (n : nat) (c : program A) : program A := remember_at whole_key n (blanking_at (repeat tt n) c).

Definition same_always (f : found) : code := fun _ _ => f.
Definition forced (d : delayed found) : code := fun _ _ => force d.
Definition no_letters (f : globals -> found) : code := fun g _ => f g.
Definition innermost : code := fun _ v => match v with a :: _ => a | [] => Refused end.
Definition next_one : code := fun _ v => match v with _ :: a :: _ => a | _ => Refused end.
Definition third : code := fun _ v => match v with _ :: _ :: a :: _ => a | _ => Refused end.
Definition nth_letter (n : nat) : code := fun _ v => nth n v Refused.
Definition letter_at (n : nat) : code :=
  match n with O => innermost | S O => next_one | S (S O) => third | _ => nth_letter n end.
Definition named (x : name) : code := fun g _ => value_at g [] x.
Definition of_one {A} (f : found -> A) (a : code) : program A := fun g v => f (a g v).
Definition of_two {A} (f : found -> found -> A) (a b : code) : program A := fun g v => f (a g v) (b g v).
Fixpoint run_all (cs : list code) (g : globals) (v : list found) : list found :=
  match cs with [] => [] | c :: cs => c g v :: run_all cs g v end.
Definition of_all {A} (f : list found -> A) (cs : list code) : program A := fun g v => f (run_all cs g v).
Fixpoint run_pairs {A} (cs : list (A * code)) (g : globals) (v : list found) : list (A * found) :=
  match cs with [] => [] | (s, c) :: cs => (s, c g v) :: run_pairs cs g v end.
(** One after the other, from s on. *)
Fixpoint go_on {A} (f : found -> A -> found -> found) (cs : list (A * code)) (s : found) (g : globals) (v : list found)
  :
  found := match cs with [] => s | (o, c) :: cs => go_on f cs (f s o (c g v)) g v end.
Definition fold_code {A} (f : found -> A -> found -> found) (a : code) (cs : list (A * code)) : code :=
  fun g v => go_on f cs (a g v) g v.
Definition sum_code (cs : list (bool * code)) : code :=
  match cs with
  | [] => same_always Refused
  | (b, a) :: cs => fold_code quick_more (if b then a else of_one quick_negative a) cs
  end.
Definition of_first {A B} (f : found -> list (A * found) -> B) (a : code) (cs : list (A * code)) : program B :=
  fun g v => f (a g v) (run_pairs cs g v).
Definition of_last (f : list found -> found -> found) (cs : list code) (a : code) : code :=
  fun g v => f (run_all cs g v) (a g v).
Definition of_looked (f : option global -> list found -> found) (x : name) (cs : list code) : code :=
  fun g v => f (look x g) (run_all cs g v).
Definition each_code (r : code) (c : option code) (e : code) : code :=
  match c with
  | Some c => fun g v => each (r g v) (fun x => c g (x :: v)) (fun x => e g (x :: v))
  | None => fun g v => quick_each (r g v) (fun x => e g (x :: v))
  end.
Fixpoint chain_run (a : found) (cs : list (sign * code)) (g : globals) (v : list found) : verdict :=
  match a, cs with
  | Is (Number _), [] => Holds
  | Is (Number x), (s, c) :: cs => match c g v with
    | Is (Number y) as b => if compares s then and_so (related s (Number x) (Number y)) (chain_run b cs g v) else
      Unknown
    | _ => Unknown
    end
  | _, _ => Unknown
  end.
Definition chain_code (a : code) (cs : list (sign * code)) : code := fun g v =>
  let f := a g v in
  match chain_run f cs g v with Holds => yes | Fails => no | Unknown => compare f (run_pairs cs g v) end.
Definition compare_code (a : code) (r : list (sign * code)) : code :=
  match r with [(s, b)] => of_two (quick_related s) a b | _ => chain_code a r end.
Fixpoint and_code (cs : list code) (g : globals) (v : list found) : found :=
  match cs with [] => yes | c :: cs => and_ (c g v) (and_code cs g v) end.
Fixpoint or_code (cs : list code) (g : globals) (v : list found) : found :=
  match cs with [] => no | c :: cs => or_ (c g v) (or_code cs g v) end.
Definition apply_code (f : function) (cs : list code) : code :=
  match cs with
  | [a] => of_one (fun a => quick_apply f [a]) a
  | [a; b] => match f with Dot => of_two quick_dot a b | _ => of_all (quick_apply f) cs end
  | _ => of_all (quick_apply f) cs
  end.
Definition if_code (c a b : code) : code := fun g v =>
  match c g v with Is (Truth t) => if t then a g v else b g v | _ => Refused end.
Definition head_code (x i W_O : code) (values keys queries : program (list found)) (b_Q : code) : code :=
  fun g v => quick_head (W_O g v) (values g v) (keys g v) (queries g v) (b_Q g v) (x g v) (i g v).
Definition as_network (v : option global) (vs : list found) : network :=
  match v with Some (ANetwork f) => f vs | _ => None end.
Definition states_at (v : option global) (vs : list found) : found :=
  let (vs, x) := without_last vs in quick_states (as_network v vs) x.

(** ** The letters that an expression looks at, the innermost one first *)
Fixpoint either (a b : list bool) : list bool :=
  match a, b with x :: a, y :: b => (x || y) :: either a b | [], b => b | a, [] => a end.
Definition any_of (l : list (list bool)) : list bool := fold_right either [] l.
Definition just (n : nat) : list bool := repeat false n ++ [true].
Fixpoint uses (ls : list name) (e : expr) : list bool :=
  match e with
  | Numeral _ | Constant _ | Kept _ | OverAll _ _ _ _ => []
  | Called x => match place x ls with Some n => just n | None => [] end
  | Letter n => just n
  | ItemOf a b | RangeOf a b | PowerOf a b | IffOf a b => either (uses ls a) (uses ls b)
  | Items l | And l | Or l | OfList _ l | Applied _ l | StatesOf _ l | LayersOf _ l | HeadsOf _ l | Resolved _ l =>
      any_of (map (uses ls) l)
  | WithDots l a => either (any_of (map (uses ls) l)) (uses ls a)
  | EachOf a k r c => either (uses ls r) (tl (either (uses (k :: ls) a)
      match c with Some c => uses (k :: ls) c | None => [] end))
  | Added l => any_of (map (fun p => match p with (_, b) => uses ls b end) l)
  | Product a l => either (uses ls a) (any_of (map (fun p => match p with (_, b) => uses ls b end) l))
  | Comparison a l => either (uses ls a) (any_of (map (fun p => match p with (_, b) => uses ls b end) l))
  | Not a => uses ls a
  | IfElse c a b => either (uses ls c) (either (uses ls a) (uses ls b))
  | HeadOf x i a b c d e => either (uses ls x) (either (uses ls i) (either (uses ls a) (either (uses ls b) (either
      (uses ls c) (either (uses ls d) (uses ls e))))))
  end.
(** How many of the innermost ones it doesn't look at. *)
Fixpoint unused (u : list bool) (ls : list name) : nat :=
  match ls, u with [], _ | _, true :: _ => O | _ :: ls, _ => S (unused (tl u) ls) end.

(** Letters of the same names, and of the same values where they are looked at. *)
Definition alike (u : list bool) (l l' : letters) : Prop :=
  map fst l = map fst l' /\ forall n, nth n u false = true -> nth_error l n = nth_error l' n.
(** One of two, *)
Lemma nth_either a : forall b n, nth n (either a b) false = nth n a false || nth n b false.
Proof. induction a as [|x a IH]; intros [|y b] [|n]; simpl; rewrite ?orb_false_r; auto. Qed.
(** of the parts of an expression, *)
Lemma alike_either a b l l' : alike (either a b) l l' -> alike a l l' /\ alike b l l'.
Proof.
  intros [N A]. split; (split; [exact N|]); intros n H; apply A; rewrite nth_either, H; rewrite ?orb_true_r;
    reflexivity.
Qed.
(** and of its letters. *)
Lemma alike_just n l l' : alike (just n) l l' -> nth_error l n = nth_error l' n.
Proof.
  intros [_ A]. apply A. unfold just. rewrite app_nth2; rewrite repeat_length; [rewrite Nat.sub_diag; reflexivity|lia].
Qed.
(** One letter more. *)
Lemma alike_cons u k v l l' : alike (tl u) l l' -> alike u ((k, v) :: l) ((k, v) :: l').
Proof.
  intros [N A]. split; [simpl; f_equal; exact N|]. intros [|n] H; [reflexivity|]. simpl. apply A. destruct u; [destruct
    n;
    discriminate|exact H].
Qed.
(** A name among letters stands at its place. *)
Lemma look_place x (l : letters) : look x l = match place x (map fst l) with
  | Some n => option_map snd (nth_error l n) | None => None end.
Proof.
  induction l as [|[y v] l IH]; [reflexivity|]. simpl. destruct (String.eqb x y); [reflexivity|]. rewrite IH.
  destruct (place x (map fst l)); reflexivity.
Qed.
(** Those looked at are blanked nowhere. *)
Lemma blanked u l : exists l', map fst l' = map fst l /\ map snd l' = blank (repeat tt (unused u (map fst l))) (map snd
  l) /\ alike u
  l l'.
Proof.
  revert u. induction l as [|[k v] l IH]; intros u.
  - exists []. repeat split; reflexivity.
  - cbn [map fst snd unused]. destruct u as [|[] u].
    + destruct (IH []) as (l' & N & V & _ & A). exists ((k, Refused) :: l'). cbn [map fst snd tl blank repeat]. rewrite
      N, V.
      repeat split; try (simpl; congruence). intros [|n] H; discriminate.
    + exists ((k, v) :: l). repeat split; reflexivity.
    + destruct (IH u) as (l' & N & V & _ & A). exists ((k, Refused) :: l'). cbn [map fst snd tl blank repeat]. rewrite
      N, V.
      repeat split; try (simpl; congruence). intros [|n] H; [discriminate|]. apply A, H.
Qed.

Section Compile.
Variable at_case : name -> found -> globals.

(** An expression looks at no other letters. *)
Lemma uses_all es g l l' : alike (any_of (map (uses (map fst l)) es)) l l' ->
  Forall (fun e => forall g l l', alike (uses (map fst l) e) l l' -> eval at_case e g l = eval at_case e g l') es ->
  map (fun e => eval at_case e g l) es = map (fun e => eval at_case e g l') es.
Proof.
  intros A F. induction F as [|e es E F IH]; [reflexivity|]. cbn [map any_of fold_right] in A |- *.
  apply alike_either in A as [A B]. rewrite (E g l l' A), (IH B). reflexivity.
Qed.
(** (those with a sign) *)
Lemma uses_pairs {A} (es : list (A * expr)) g l l' :
  alike (any_of (map (fun p => match p with (_, b) => uses (map fst l) b end) es)) l l' ->
  Forall (fun p => forall g l l', alike (uses (map fst l) (snd p)) l l' -> eval at_case (snd p) g l = eval at_case (snd
    p)
    g l') es ->
  map (fun p => match p with (s, e) => (s, eval at_case e g l) end) es =
  map (fun p => match p with (s, e) => (s, eval at_case e g l') end) es.
Proof.
  intros H F. induction F as [|[s e] es E F IH]; [reflexivity|]. cbn [map any_of fold_right] in H |- *.
  apply alike_either in H as [C D]. cbn [snd] in E. rewrite (E g l l' C), (IH D). reflexivity.
Qed.
(** An expression looks at no other letters. *)
Theorem uses_is e : forall g l l', alike (uses (map fst l) e) l l' -> eval at_case e g l = eval at_case e g l'.
Proof.
  induction e using expr_induction; intros g' s s' A; cbn [uses] in A; repeat match goal with
    | H : alike (either _ _) _ _ |- _ => apply alike_either in H as [? ?] end; try reflexivity.
  - cbn [eval]. unfold value_at. rewrite !look_place. pose proof (proj1 A) as N. rewrite <- N.
    destruct (place x (map fst s)) as [n|]; [|reflexivity]. rewrite (alike_just n _ _ A). reflexivity.
  - cbn [eval]. erewrite IHe1, IHe2 by eassumption. reflexivity.
  - destruct (alone l) eqn:E.
    + destruct l as [|e [|]]; try discriminate; [|destruct e; discriminate]. cbn [map any_of fold_right] in A.
      apply alike_either in A as [A _]. inversion H; subst. destruct e; try discriminate; specialize (H2 g' s s' A);
        exact H2.
    + rewrite !items_are by exact E. erewrite uses_all by eassumption. reflexivity.
  - cbn [eval]. erewrite IHe, uses_all by eassumption. reflexivity.
  - cbn [eval]. erewrite IHe2 by eassumption. apply each_ext; intros v.
    + destruct c as [c|]; [|reflexivity]. apply (H g' ((k, Is v) :: s) ((k, Is v) :: s')). apply (proj2 (alike_either
        (uses (k :: map fst s) e1) _ _ _ (alike_cons _ k (Is v) _ _ H1))).
    + apply IHe1. apply (proj1 (alike_either _ _ _ _ (alike_cons _ k (Is v) _ _ H1))).
  - cbn [eval]. erewrite IHe1, IHe2 by eassumption. reflexivity.
  - cbn [eval]. erewrite uses_pairs by eassumption. reflexivity.
  - cbn [eval]. erewrite IHe, uses_pairs by eassumption. reflexivity.
  - cbn [eval]. erewrite IHe1, IHe2 by eassumption. reflexivity.
  - cbn [eval]. erewrite IHe, uses_pairs by eassumption. reflexivity.
  - rewrite !and_is. induction H as [|e l H F IH]; [reflexivity|]. cbn [map any_of fold_right] in A |- *.
    apply alike_either in A as [B C]. rewrite (H g' s s' B), (IH C). reflexivity.
  - rewrite !or_is. induction H as [|e l H F IH]; [reflexivity|]. cbn [map any_of fold_right] in A |- *.
    apply alike_either in A as [B C]. rewrite (H g' s s' B), (IH C). reflexivity.
  - cbn [eval]. erewrite IHe1, IHe2 by eassumption. reflexivity.
  - cbn [eval]. erewrite IHe by eassumption. reflexivity.
  - cbn [eval]. erewrite IHe1, IHe2, IHe3 by eassumption. reflexivity.
  - cbn [eval]. erewrite uses_all by eassumption. reflexivity.
  - cbn [eval]. erewrite uses_all by eassumption. reflexivity.
  - cbn [eval]. erewrite uses_all by eassumption. reflexivity.
  - cbn [eval]. erewrite uses_all by eassumption. reflexivity.
  - cbn [eval]. erewrite uses_all by eassumption. reflexivity.
  - cbn [eval]. erewrite IHe1, IHe2, IHe3, IHe4, IHe5, IHe6, IHe7 by eassumption. reflexivity.
  - cbn [eval]. rewrite (alike_just n _ _ A). reflexivity.
  - cbn [eval]. erewrite uses_all by eassumption. reflexivity.
Qed.

(** ** Expressions. What costs little is computed each time. *)
Fixpoint worth (e : expr) : bool :=
  match e with
  | Numeral _ | Constant _ | Letter _ | Kept _ => false
  | ItemOf a b => worth a || worth b
  | _ => true
  end.
(** What it is part of is remembered for all values of the m innermost letters; or for the innermost one's, and all
    values of the p next ones. *)
Definition second (u : list bool) (ls : list name) : nat :=
  match u, ls with true :: u, _ :: ls => unused u ls | _, _ => O end.
(** The letters of a function, the f outermost ones, are new ones each time: what they hide isn't met again. *)
Definition apart (f k : nat) (ls : list name) : bool := Nat.ltb (S f) (length ls) || Nat.eqb (S k) (length ls).
Definition wrap (w : bool) (f m p : nat) (ls : list name) (u : list bool) (c : code) : code :=
  if w then
    if Nat.ltb m (unused u ls) then recall (unused u ls) c
    else if Nat.ltb p (second u ls) && apart f (second u ls) ls then recall_at (second u ls) c else c
  else c.
Definition uses_of (ls : list name) (e : expr) : list bool := if worth e then uses ls e else [].
Definition max_of (w : bool) (m n : nat) : nat := if w then Nat.max m n else m.
Fixpoint comp (f m p : nat) (ls : list name) (e : expr) : code :=
  let u := uses_of ls e in
  let o := max_of (worth e) m (unused u ls) in
  let p' := max_of (worth e) p (second u ls) in
  wrap (worth e) f m p ls u
  match e with
  | Numeral k => same_always (Is (of_whole k))
  | Constant b => same_always (Is (Truth b))
  | Called x => match place x ls with Some n => letter_at n | None => named x end
  | Letter n => letter_at n
  | Kept d => forced d
  | ItemOf a k => of_two quick_index (comp f o p' ls a) (comp f o p' ls k)
  | Items [EachOf _ _ _ _ as e] | Items [OverAll _ _ _ _ as e] => comp f o p' ls e
  | Items es => of_all quick_listed (map (comp f o p' ls) es)
  | WithDots es z => of_last dots (map (comp f o p' ls) es) (comp f o p' ls z)
  | EachOf e k r c => each_code (comp f o p' ls r) match c with Some c => Some (comp f O O (k :: ls) c) | None => None
    end
      (comp f O O (k :: ls) e)
  | OverAll _ _ _ _ => no_letters (fun g => eval at_case e g [])
  | RangeOf a b => of_two range (comp f o p' ls a) (comp f o p' ls b)
  | Added r => sum_code (map (fun p => match p with (s, b) => (s, comp f o p' ls b) end) r)
  | Product a r => fold_code quick_operate (comp f o p' ls a)
      (map (fun p => match p with (s, b) => (s, comp f o p' ls b) end) r)
  | PowerOf a k => of_two power (comp f o p' ls a) (comp f o p' ls k)
  | Comparison a r => compare_code (comp f o p' ls a) (map (fun p => match p with (s, b) => (s, comp f o p' ls b) end)
    r)
  | And es => and_code (map (comp f o p' ls) es)
  | Or es => or_code (map (comp f o p' ls) es)
  | IffOf a b => of_two (fun a b => compare a [(Iff, b)]) (comp f o p' ls a) (comp f o p' ls b)
  | Not a => of_one not_ (comp f o p' ls a)
  | IfElse c a b => if_code (comp f o p' ls c) (comp f o p' ls a) (comp f o p' ls b)
  | OfList h es => apply_code h (map (comp f o p' ls) es)
  | Applied x es => of_looked quick_applied x (map (comp f o p' ls) es)
  | StatesOf n es => of_looked states_at n (map (comp f o p' ls) es)
  | LayersOf n es => of_looked (fun v vs => layers (as_network v vs)) n (map (comp f o p' ls) es)
  | HeadsOf n es => of_looked (fun v vs => heads (as_network v vs)) n (map (comp f o p' ls) es)
  | HeadOf x i a b c d e =>
      let rows W := let n := unused (either (uses ls W) (uses ls x)) ls in
        cached (Nat.ltb O n) n (of_two table (comp f n O ls W) (comp f n O ls x)) in
      head_code (comp f o p' ls x) (comp f o p' ls i) (comp f o p' ls a) (rows b) (rows c) (rows d) (comp f o p' ls e)
  | Resolved v es => of_all (quick_applied (Some v)) (map (comp f o p' ls) es)
  end.

(** A chain, side by side. *)
Lemma chain_run_is cs g v f : forall a, match chain_run a cs g v with Holds => yes | Fails => no | Unknown => f end =
  of_verdict (chain_of a (run_pairs cs g v)) f.
Proof.
  intros a. unfold of_verdict. replace (chain_run a cs g v) with (chain_of a (run_pairs cs g v)); [reflexivity|].
    revert a.
  induction cs as [|[s c] cs IH]; intros a; [reflexivity|]. cbn [run_pairs chain_of chain_run].
  destruct a as [[x| |]|]; try reflexivity. destruct (c g v) as [[y| |]|]; try reflexivity. rewrite IH. reflexivity.
Qed.
(** Parts, *)
Lemma run_all_is f o p ls es g l : Forall (fun e => forall f m p ls g (l : letters), map fst l = ls -> comp f m p ls e
  g (map snd l) = eval
  at_case e g l) es -> map fst l = ls ->
  run_all (map (comp f o p ls) es) g (map snd l) = map (fun e => eval at_case e g l) es.
Proof. intros F N. induction F as [|e es E F IH]; [reflexivity|]. simpl. rewrite (E f o p ls g l N), IH. reflexivity.
  Qed.
(** and those with a sign. *)
Lemma run_pairs_is {A} f o p ls (es : list (A * expr)) g l : Forall (fun p => forall f m q ls g (l : letters), map fst
  l = ls ->
    comp f m q ls (snd p) g (map snd l) = eval at_case (snd p) g l) es -> map fst l = ls ->
  run_pairs (map (fun a => match a with (s, b) => (s, comp f o p ls b) end) es) g (map snd l) =
  map (fun p => match p with (s, b) => (s, eval at_case b g l) end) es.
Proof.
  intros F N. induction F as [|[s e] es E F IH]; [reflexivity|]. cbn [snd] in E. simpl. rewrite (E f o p ls g l N), IH.
  reflexivity.
Qed.
(** A letter by its place. *)
Lemma letter_at_is n g (l : letters) : letter_at n g (map snd l) = match nth_error l n with Some (_, f) => f | None =>
  Refused end.
Proof.
  assert (letter_at n g (map snd l) = nth n (map snd l) Refused) as -> by (destruct n as [|[|[|n]]]; [| | |reflexivity];
    destruct l as [|? [|? [|? l]]]; reflexivity). revert l. induction n as [|n IH]; intros [|[k v] l]; try reflexivity.
      simpl. apply IH.
Qed.
(** What is remembered is what was computed. *)
Lemma cached_is {A} (F : globals -> letters -> A) u ls (c : program A) :
  (forall g (l : letters), map fst l = ls -> c g (map snd l) = F g l) ->
  (forall g (l l' : letters), map fst l = ls -> alike u l l' -> F g l = F g l') ->
  forall b g (l : letters), map fst l = ls -> cached b (unused u ls) c g (map snd l) = F g l.
Proof.
  intros H U b g l N. destruct b; [|apply H, N]. unfold cached, recall, remember, blanking.
  destruct (blanked u l) as (l' & N' & V & B). rewrite N in V. rewrite <- V, (H g l') by congruence. symmetry.
  apply U; assumption.
Qed.
(** An expression that is remembered. *)
Lemma wrap_is e (c : code) ls : (forall g (l : letters), map fst l = ls -> c g (map snd l) = eval at_case e g l) ->
  forall f m p g (l : letters), map fst l = ls -> wrap (worth e) f m p ls (uses_of ls e) c g (map snd l) = eval at_case
    e g l.
Proof.
  intros H f m p g l N. unfold wrap, uses_of. destruct (worth e); [|apply H, N].
  destruct (Nat.ltb m _).
  { apply (cached_is (eval at_case e) (uses ls e) ls c H) with (b := true); [|exact N]. intros g' s s' <- A. apply
    uses_is, A. }
  destruct (Nat.ltb p _ && _); [|apply H, N]. unfold recall_at, remember_at, blanking_at. subst ls.
  destruct l as [|[k v] l]; [apply (H g []); reflexivity|]. cbn [map fst snd second].
  destruct (uses (k :: map fst l) e) as [|[] u] eqn:U; try (cbn [second blank repeat]; exact (H g ((k, v) :: l)
    eq_refl)).
  cbn [second]. destruct (blanked u l) as (l' & N' & V & A). rewrite <- V. change (v :: map snd l') with (map snd ((k,
    v) ::
    l')). rewrite H by (cbn [map fst]; congruence). symmetry. apply uses_is. cbn [map fst]. rewrite U. apply
      alike_cons, A.
Qed.
(** Sums and products, *)
Lemma go_on_is {A} h f o p ls (es : list (A * expr)) g l : Forall (fun p => forall f m q ls g (l : letters), map fst l
  = ls ->
    comp f m q ls (snd p) g (map snd l) = eval at_case (snd p) g l) es -> map fst l = ls ->
  forall s, go_on h (map (fun a => match a with (s, b) => (s, comp f o p ls b) end) es) s g (map snd l) =
  fold_left (fun s p => h s (fst p) (snd p)) (map (fun p => match p with (s, b) => (s, eval at_case b g l) end) es) s.
Proof.
  intros F N. induction F as [|[k e] es E F IH]; intros s; [reflexivity|]. cbn [map go_on fold_left fst snd] in E |- *.
  rewrite (E f o p ls g l N). apply IH.
Qed.
(** and the tables of a head. *)
Lemma table_is f ls x W : (forall f m p ls g (l : letters), map fst l = ls -> comp f m p ls x g (map snd l) = eval
  at_case x g l) ->
  (forall f m p ls g (l : letters), map fst l = ls -> comp f m p ls W g (map snd l) = eval at_case W g l) ->
  forall g (l : letters), map fst l = ls -> (let n := unused (either (uses ls W) (uses ls x)) ls in
    cached (Nat.ltb O n) n (of_two table (comp f n O ls W) (comp f n O ls x))) g (map snd l) =
  table (eval at_case W g l) (eval at_case x g l).
Proof.
  intros X V g l N. cbv zeta. apply (cached_is (fun g l => table (eval at_case W g l) (eval at_case x g l))); [| |exact
    N].
  - intros g' l' N'. unfold of_two. rewrite X, V by exact N'. reflexivity.
  - intros g' s s' <- A. apply alike_either in A as [A B]. rewrite (uses_is W g' s s' A), (uses_is x g' s s' B).
    reflexivity.
Qed.
(** A program finds what the tree means. *)
Theorem comp_is e : forall f m p ls g (l : letters), map fst l = ls -> comp f m p ls e g (map snd l) = eval at_case e g
  l.
Proof.
  induction e using expr_induction; intros y m p ls; cbn [comp];
    match goal with |- context [wrap (worth ?e) y m p ls (uses_of ls ?e) ?c] => apply (fun h => wrap_is e c ls h y m p);
      generalize (max_of (worth e) p (second (uses_of ls e) ls)); generalize (max_of (worth e) m (unused (uses_of ls e)
        ls)) end;
    intros o p' g' s N; try reflexivity.
  - cbn [eval]. unfold value_at. rewrite look_place, N. destruct (place x ls) as [n|] eqn:P; [|reflexivity].
    rewrite letter_at_is. destruct (nth_error s n) as [[z f]|] eqn:E; [reflexivity|]. exfalso.
    apply nth_error_None in E. assert (n < length ls)%nat as Q; [|rewrite <- N, map_length in Q; lia]. clear - P.
    revert n P. induction ls as [|z ls IH]; intros n P; [discriminate|]. simpl in P |- *. destruct (String.eqb x z);
      [inversion P; lia|]. destruct (place x ls) as [q|]; inversion P; subst. specialize (IH q eq_refl). lia.
  - cbn [eval]. unfold of_two. rewrite IHe1, IHe2, quick_index_is by exact N. reflexivity.
  - destruct (alone l) eqn:E.
    + destruct l as [|e [|]]; try discriminate; [|destruct e; discriminate]. inversion H; subst.
      destruct e; try discriminate; apply H2; reflexivity.
    + rewrite items_are by exact E. rewrite <- (run_all_is y o p' ls), <- quick_listed_is by assumption. destruct l as
      [|[] [|]];
        try discriminate; reflexivity.
  - cbn [eval]. unfold of_last. rewrite IHe, run_all_is by assumption. reflexivity.
  - cbn [eval]. rewrite <- (IHe2 y o p' ls g' s N). destruct c as [c|]; cbn [each_code]; rewrite ?quick_each_is; apply
    each_ext;
      intros v; try reflexivity; try (apply (IHe1 y O O (k :: ls) g' ((k, Is v) :: s)); simpl; congruence).
    apply (H y O O (k :: ls) g' ((k, Is v) :: s)). simpl. congruence.
  - cbn [eval]. unfold of_two. rewrite IHe1, IHe2 by exact N. reflexivity.
  - cbn [eval]. rewrite <- quick_add_up_is. destruct l as [|[b e] l]; [reflexivity|]. inversion H; subst. cbn [map
    sum_code
      quick_add_up]. unfold fold_code. rewrite (go_on_is quick_more y o p' (map fst s)) by auto. f_equal.
    destruct b; [|unfold of_one; f_equal]; apply H2; reflexivity.
  - cbn [eval]. unfold fold_code. rewrite (go_on_is quick_operate y o p' ls), IHe by assumption. apply
    quick_operate_all.
  - cbn [eval]. unfold of_two. rewrite IHe1, IHe2 by exact N. reflexivity.
  - cbn [eval]. rewrite <- (IHe y o p' ls g' s N), <- (run_pairs_is y o p' ls l g' s H N). destruct l as [|[k b] [|q
    l]];
      cbn [map compare_code]; unfold of_two, chain_code; rewrite ?quick_related_is, ?chain_run_is, ?chain_of_is;
        reflexivity.
  - rewrite and_is. induction H as [|e l H F IH]; [reflexivity|]. cbn [map and_code fold_right].
    rewrite (H y o p' ls g' s N), IH. reflexivity.
  - rewrite or_is. induction H as [|e l H F IH]; [reflexivity|]. cbn [map or_code fold_right].
    rewrite (H y o p' ls g' s N), IH. reflexivity.
  - cbn [eval]. unfold of_two. rewrite IHe1, IHe2 by exact N. reflexivity.
  - cbn [eval]. unfold of_one. rewrite IHe by exact N. reflexivity.
  - cbn [eval]. unfold if_code. rewrite IHe1, IHe2, IHe3 by exact N. destruct (eval at_case e1 g' s) as [[| |]|];
    reflexivity.
  - cbn [eval]. rewrite <- quick_apply_is, <- (run_all_is y o p' ls l g' s H N). destruct l as [|a [|b [|d l]]]; try
      reflexivity. cbn [map apply_code]. destruct f; reflexivity.
  - cbn [eval]. unfold of_looked. rewrite run_all_is, quick_applied_is by assumption. reflexivity.
  - cbn [eval]. unfold of_looked, states_at. rewrite run_all_is by assumption. destruct (without_last _). apply
      quick_states_is.
  - cbn [eval]. unfold of_looked. rewrite run_all_is by assumption. reflexivity.
  - cbn [eval]. unfold of_looked. rewrite run_all_is by assumption. reflexivity.
  - cbn [eval]. unfold head_code. rewrite !table_is, IHe1, IHe2, IHe3, IHe7 by assumption. apply quick_head_is.
  - cbn [eval]. apply letter_at_is.
  - cbn [eval]. unfold of_all. rewrite run_all_is, quick_applied_is by assumption. reflexivity.
Qed.

(** ** Lines of layers, of claims, and of lists by items *)
Definition given_code (a c : code) : code := fun g v => match a g v with Is x => c g (Is x :: v) | Refused => Refused
  end.
Definition read_code (t : tie) (value score : code) (mask otherwise : option code) (x : code) : code := fun g v =>
  quick_read t (fun w => value g (w :: v)) (fun w => score g (w :: v))
    match mask with Some c => Some (fun w => c g (w :: v)) | None => None end
    match otherwise with Some c => Some (c g v) | None => None end (x g v).
(** The letters that [read] looks at, in x or elsewhere. *)
Definition read_uses (ls : list name) (v score : expr) (m otherwise : option expr) (x : name) : list bool :=
  let under := Names.j :: ls in
  let some ls a := match a with Some a => uses ls a | None => [] end in
  either (tl (either (uses under v) (either (uses under score) (some under m)))) (either (some ls otherwise) (uses ls
    (Called x))).
Definition all_yes : code := same_always yes.
Fixpoint comp_steps (x : name) (s : list step_of) (e : expr) (ls : list name) : code :=
  match s with
  | [] => comp O O O ls e
  | LetBe k b :: s => given_code (comp O O O ls b) (comp_steps x s e (k :: ls))
  | ReadOf k v t score m otherwise :: s =>
      let n := unused (read_uses ls v score m otherwise x) ls in
      let under := comp O O O (Names.j :: ls) in
      given_code (cached (Nat.ltb O n) n (read_code t (comp O O O (Names.j :: ls) v) (comp O O O (Names.j :: ls) score)
          match m with Some m => Some (comp O O O (Names.j :: ls) m) | None => None end
          match otherwise with Some a => Some (comp O O O ls a) | None => None end (comp O O O ls (Called x))))
        (comp_steps x s e (k :: ls))
  end.
(** What is read is looked at where it was looked at. *)
Lemma read_alike t v score m o x g l l' : alike (read_uses (map fst l) v score m o x) l l' ->
  let of l := read t (fun w => eval at_case v g ((Names.j, w) :: l)) (fun w => eval at_case score g ((Names.j, w) :: l))
    (fun w => match m with Some m => eval at_case m g ((Names.j, w) :: l) | None => yes end)
    match o with Some a => Some (eval at_case a g l) | None => None end (value_at g l x) in of l = of l'.
Proof.
  intros A. unfold read_uses in A. apply alike_either in A as [A B]. apply alike_either in B as [B C]. cbv beta zeta.
  rewrite (uses_is (Called x) g l l' C : value_at g l x = value_at g l' x).
  replace (match o with Some a => Some (eval at_case a g l') | None => None end) with
    (match o with Some a => Some (eval at_case a g l) | None => None end)
    by (destruct o as [a|]; [f_equal; apply (uses_is a g l l' B)|reflexivity]).
  apply read_ext; intros j; pose proof (alike_cons _ Names.j (Is j) _ _ A) as D; apply alike_either in D as [D E];
    apply alike_either in E as [E F].
  - apply uses_is, D.
  - apply uses_is, E.
  - destruct m as [m|]; [apply uses_is, F|reflexivity].
Qed.
(** A layer's lines. *)
Lemma comp_steps_is x e s : forall ls g (l : letters), map fst l = ls ->
  comp_steps x s e ls g (map snd l) = steps at_case s e g x l.
Proof.
  induction s as [|[k b|k v t score m o] s IH]; intros ls g l N; cbn [comp_steps steps].
  - apply comp_is, N.
  - unfold given_code. rewrite comp_is by exact N. destruct (eval at_case b g l) as [w|]; [|reflexivity].
    apply (IH (k :: ls) g ((k, Is w) :: l)). simpl. congruence.
  - unfold given_code. match goal with |- context [cached ?b ?n ?c g (map snd l)] => replace (cached b n c g (map snd
    l))
      with (read t (fun w => eval at_case v g ((Names.j, w) :: l)) (fun w => eval at_case score g ((Names.j, w) :: l))
        (fun w => match m with Some m => eval at_case m g ((Names.j, w) :: l) | None => yes end)
        match o with Some a => Some (eval at_case a g l) | None => None end (value_at g l x)) end.
    + replace (match m with Some m => fun w => eval at_case m g ((Names.j, w) :: l) | None => everywhere end) with
        (fun w => match m with Some m => eval at_case m g ((Names.j, w) :: l) | None => yes end)
        by (destruct m; reflexivity).
      destruct (read _ _ _ _ _ _) as [w|]; [|reflexivity]. apply (IH (k :: ls) g ((k, Is w) :: l)). simpl. congruence.
    + assert (forall l : letters, map fst l = ls -> read_code t (comp O O O (Names.j :: ls) v) (comp O O O (Names.j ::
      ls) score)
          match m with Some m => Some (comp O O O (Names.j :: ls) m) | None => None end
          match o with Some a => Some (comp O O O ls a) | None => None end (comp O O O ls (Called x)) g (map snd l) =
        read t (fun w => eval at_case v g ((Names.j, w) :: l)) (fun w => eval at_case score g ((Names.j, w) :: l))
          (fun w => match m with Some m => eval at_case m g ((Names.j, w) :: l) | None => yes end)
          match o with Some a => Some (eval at_case a g l) | None => None end (value_at g l x)) as Same.
      { clear l N. intros l N. unfold read_code. rewrite quick_read_is, (comp_is (Called x)) by exact N. cbn [eval].
        replace (match match o with Some a => Some (comp O O O ls a) | None => None end with Some c => Some (c g (map
          snd l))
          | None => None end) with (match o with Some a => Some (eval at_case a g l) | None => None end)
          by (destruct o; [rewrite comp_is by exact N|]; reflexivity).
        assert (forall j, map fst ((Names.j, Is j) :: l) = Names.j :: ls) as M by (intros j; simpl; congruence).
        apply read_ext; intros j.
        - apply (comp_is v O O O _ g ((Names.j, Is j) :: l)), M.
        - apply (comp_is score O O O _ g ((Names.j, Is j) :: l)), M.
        - destruct m as [m|]; [apply (comp_is m O O O _ g ((Names.j, Is j) :: l)), M|reflexivity]. }
      destruct (Nat.ltb _ _); cbn [cached]; [|symmetry; apply Same, N].
      destruct (blanked (read_uses ls v score m o x) l) as (l' & N' & V & A). rewrite N in V.
      unfold recall, remember, blanking. rewrite <- V, Same by congruence. apply read_alike. rewrite N. exact A.
Qed.

Fixpoint block_code (cs : list (program lines)) (g : globals) (v : list found) : lines :=
  match cs with [] => nothing | c :: cs => and_then (c g v) (block_code cs g v) end.
Definition when_code (c : code) (b : program lines) : program lines := fun g v =>
  match c g v with Is (Truth t) => if t then b g v else nothing | _ => None end.
Definition for_code (r : code) (b : program lines) : program lines := fun g v => for_each (r g v) (fun x => b g (x ::
  v)).
Definition within_code (e : code) (b : program lines) : program lines :=
  fun g v => within (e g v) (fun x y => b g (y :: x :: v)).
Fixpoint comp_line (ls : list name) (c : line) : program lines :=
  match c with
  | Relate k a r => of_first (quick_relate k) (comp O O O ls a) (map (fun p => match p with (s, b) => (s, comp O O O ls
    b) end) r)
  | ForIn k r c l => for_code (comp O O O ls r) (when_code match c with Some c => comp O O O (k :: ls) c | None =>
    all_yes end
      (block_code (map (comp_line (k :: ls)) l)))
  | When c l => when_code (comp O O O ls c) (block_code (map (comp_line ls) l))
  | Within e a b l => within_code (comp O O O ls e) (block_code (map (comp_line (b :: a :: ls)) l))
  end.
(** Lines of a claim, *)
Lemma block_code_is ls cs g (l : letters) : Forall (fun c => forall ls g (l : letters), map fst l = ls ->
    comp_line ls c g (map snd l) = line_of at_case c g l) cs -> map fst l = ls ->
  block_code (map (comp_line ls) cs) g (map snd l) = block (map (fun c => line_of at_case c g l) cs).
Proof.
  intros F N. induction F as [|c cs C F IH]; [reflexivity|]. cbn [map block_code]. rewrite (C ls g l N), IH.
    reflexivity.
Qed.
(** each, *)
Lemma comp_line_is c : forall ls g (l : letters), map fst l = ls -> comp_line ls c g (map snd l) = line_of at_case c g
  l.
Proof.
  induction c as [k a r|k r b cs F|b cs F|e a b cs F] using line_induction; intros ls g l N; cbn [comp_line line_of].
  - unfold of_first. rewrite quick_relate_is, comp_is, (run_pairs_is O O O ls); auto. apply Forall_forall. intros p _.
    apply comp_is.
  - unfold for_code. rewrite comp_is by exact N. unfold for_each. destruct (eval at_case r g l) as [[| |z vs]|]; try
      reflexivity. f_equal. apply map_ext. intros v. unfold when_code.
    assert (map fst ((k, Is v) :: l) = k :: ls) as M by (simpl; congruence).
    change (Is v :: map snd l) with (map snd ((k, Is v) :: l)). rewrite (block_code_is _ cs g _ F M).
    destruct b as [b|]; [rewrite comp_is by exact M|reflexivity]. destruct (eval at_case b g _) as [[| |]|];
      reflexivity.
  - unfold when_code. rewrite comp_is, block_code_is by assumption. destruct (eval at_case b g l) as [[| |]|];
    reflexivity.
  - unfold within_code. rewrite comp_is by exact N. apply within_ext. intros x y.
    apply (block_code_is (b :: a :: ls) cs g ((b, Is y) :: (a, Is x) :: l) F). simpl. congruence.
Qed.
(** and all. *)
Lemma comp_lines_is cs ls g (l : letters) : map fst l = ls ->
  block_code (map (comp_line ls) cs) g (map snd l) = lines_of at_case cs g l.
Proof. intros N. apply block_code_is; [|exact N]. apply Forall_forall. intros c _. apply comp_line_is. Qed.

Inductive item_code := ForCode (r e : code) | EachCode (r i e : code) | AtCode (i e : code).
Definition item_of_code (n : name) (it : item_of) : item_code :=
  match it with
  | ItemsFor k r e => ForCode (comp O O O [] r) (comp O O O [k; n] e)
  | ItemsAt k r i e => EachCode (comp O O O [] r) (comp O O O [k] i) (comp O O O [k; n] e)
  | ItemAt i e => AtCode (comp O O O [] i) (comp O O O [n] e)
  end.
Definition put_code (g : globals) (it : item_code) : list (found * (found -> found -> found)) :=
  match it with
  | ForCode r e => [(r g [], fun own v => e g [v; own])]
  | EachCode r i e => one_by_one (r g []) (fun v => i g [v]) (fun own v => e g [v; own])
  | AtCode i e => [(listed [i g []], fun own v => e g [own])]
  end.
(** Items of a list. *)
Lemma put_code_is n l g : by_items (flat_map (put_code g) (map (item_of_code n) l)) = items_by at_case n l g.
Proof.
  unfold items_by, by_items. apply put_lines_ext.
  induction l as [|[k r e|k r i e|i e] l IH]; [constructor| | |]; cbn [map item_of_code put_code flat_map];
    apply Forall2_app; try exact IH.
  - constructor; [|constructor]. cbn [fst snd]. rewrite (comp_is r O O O [] g [] eq_refl : comp O O O [] r g [] = _).
    split; [reflexivity|]. intros t q. apply (comp_is e O O O [k; n] g [(k, Is (Number q)); (n, as_found t)]).
    reflexivity.
  - rewrite (comp_is r O O O [] g [] eq_refl : comp O O O [] r g [] = _). apply one_by_one_ext.
    + intros v. apply (comp_is i O O O [k] g [(k, Is v)]). reflexivity.
    + intros t v. apply (comp_is e O O O [k; n] g [(k, Is v); (n, as_found t)]). reflexivity.
  - constructor; [|constructor]. cbn [fst snd]. rewrite (comp_is i O O O [] g [] eq_refl : comp O O O [] i g [] = _).
    split; [reflexivity|]. intros t q. apply (comp_is e O O O [n] g [(n, as_found t)]). reflexivity.
Qed.
End Compile.

(** ** A page: each declaration once for all cases, a layer once for its arguments *)
Definition is_value (f : found) : bool := match f with Is _ => true | Refused => false end.
Definition fits (n : nat) (vs : list found) : bool := Nat.eqb n (length vs) && forallb is_value vs.
(** [bound], without names. *)
Lemma bound_is ks : forall vs, match bound ks vs with
  | Some l => fits (length ks) vs = true /\ map fst l = ks /\ map snd l = vs | None => fits (length ks) vs = false end.
Proof.
  unfold fits. induction ks as [|k ks IH]; intros [|[v|] vs]; cbn [bound length forallb is_value Nat.eqb andb]; auto.
  - specialize (IH vs). destruct (bound ks vs) as [l|]; [|exact IH]. destruct IH as (A & B & C). simpl. rewrite B, C.
    auto.
  - apply andb_false_r.
Qed.
Definition of_token (c : code) (g : globals) (v : list found) : found -> found := fun i => c g (i :: v).
Definition new_tokens (f : found -> found) (x : found) : found :=
  as_list x (fun first l =>
    match gather_found (at_each f (places_of x)) with
    | Some new => if quick_tokens new then Is (List first new) else Refused
    | None => Refused
    end).
Definition layer_code (heads : Z) (c : code) (g : globals) (v : list found) : layer :=
  Layer heads (fun x => new_tokens (of_token c g (x :: v)) x).
Definition no_layer (heads : Z) : layer := Layer heads (fun _ => Refused).
Definition or_letter (l : letters) (vals : name -> option (delayed found)) (x : name) : option (delayed found) :=
  match look x l with Some f => Some (Delay (fun _ => f)) | None => vals x end.
Definition layer_at (at_case : name -> found -> globals) (ks : list name) (x i : name) (s : list step_of) (e : expr)
  (g : globals) (vs : list found) : layer :=
  match bound ks vs with
  | Some l =>
      let p := fold_steps at_case (or_letter l (known_value g)) (fun f => look f g) s e [i; x] in
      layer_code (total (map heads_of s) + heads_in e) (comp_steps at_case x (fst p) (snd p) (i :: x :: ks)) g vs
  | None => no_layer (total (map heads_of s) + heads_in e)
  end.
(** In OCaml [remember_args] keeps what it was for the last few arguments. *)
Fixpoint identical_all (l r : list found) : bool :=
  match l, r with [], [] => true | a :: l, b :: r => if identical_found a b then identical_all l r else false | _, _ =>
    false end.
Fixpoint digest_items (most : list Datatypes.unit) (l : list value) : Z :=
  match most, l with
  | _ :: most, v :: l => match v with
      | Number q => Qnum q | List _ (Number q :: _) => Qnum q + 1 | List _ _ => 2 | Truth b => if b then 1 else 0
      end + 7 * digest_items most l
  | _, _ => 0
  end.
Fixpoint digest (l : list found) : Z :=
  match l with
  | Is (Number q) :: l => Qnum q + 5 * digest l
  | Is (List _ items) :: l => digest_items [tt; tt; tt; tt; tt; tt; tt; tt] items + 5 * digest l
  | _ => 0
  end.
Definition remember_args {A} (place : list found -> Z) (the_same : list found -> list found -> bool) (f : list found ->
  A) :
  list found -> A := f.
Definition layer_code_of (f : globals -> list found -> layer) : globals -> global :=
  fun g => ALayer (f g).
Definition layer_kept (f : globals -> list found -> layer) : globals -> global :=
  fun g => ALayer (remember_args digest identical_all (f g)).
Definition network_code (f : globals -> list found -> network) : globals -> global :=
  fun g => let alone := Delay (fun _ => f g []) in let with_args := remember_args digest identical_all (f g) in
    ANetwork (fun vs => match vs with [] => force alone | _ => with_args vs end).
Definition value_code (c : code) : globals -> global := fun g => AValue (Delay (fun _ => c g [])).
Definition items_code (l : list item_code) : globals -> global :=
  fun g => AValue (Delay (fun _ => by_items (flat_map (put_code g) l))).
Definition function_code (n : nat) (c : code) : globals -> global :=
  fun g => AFunction (fun vs => if fits n vs then c g vs else Refused).
Definition function_kept (n : nat) (c : code) : globals -> global :=
  fun g => AFunction (remember_args digest identical_all (fun vs => if fits n vs then c g vs else Refused)).
Definition long_loop (e : expr) : bool := match e with Items [EachOf _ _ _ _] | OfList _ [EachOf _ _ _ _] => true | _ =>
  false end.
(** What is kept for its arguments is the same at every case, or it is kept for one case alone. *)
Definition prepared (at_case : name -> found -> globals) (known : bool) (n : name) (b : meant) : globals -> global :=
  match b with
  | Value e => value_code (comp at_case O O O [] e)
  | ByItems l => items_code (map (item_of_code at_case n) l)
  | Function ks e => (if known && long_loop e then function_kept else function_code) (length ks) (comp at_case (length
    ks)
      (pred (length ks)) O ks e)
  | LayerOf ks x i s e => (if known then layer_kept else layer_code_of) (layer_at at_case ks x i s e)
  | NetworkOf ks ps => if known then network_code (network_of at_case ks ps) else meaning at_case n b
  | _ => meaning at_case n b
  end.
Definition before (n : name) (p : globals -> global) (at_ : globals -> globals) : globals -> globals :=
  fun s => let g := at_ s in (n, p g) :: g.
Definition added (n : name) (v : global) (at_ : globals -> globals) : globals -> globals := fun s => (n, v) :: at_ s.
Fixpoint compiled (ds : list declaration) : globals * (globals -> globals) :=
  match ds with
  | [] => ([], fun s => s)
  | d :: ds =>
      let (g, at_) := compiled ds in
      let at_case := case_at g at_ in
      let n := its_name d in
      let p := prepared at_case (known d) n (fold_meant at_case g n (body d)) in
      if known d then let v := p g in ((n, v) :: g, added n v at_) else (g, before n p at_)
  end.

(** It means what it meant: functions that agree everywhere are taken as equal here, which is a hypothesis, no axiom. *)
Section Same.
Hypothesis extensional : forall (A B : Type) (f h : A -> B), (forall x, f x = h x) -> f = h.
(** A layer, *)
Lemma layer_is at_case ks x i s e g vs : layer_at at_case ks x i s e g vs = layer_of at_case ks x i s e g vs.
Proof.
  unfold layer_at, layer_of. pose proof (bound_is ks vs) as B. destruct (bound ks vs) as [l|]; [|reflexivity].
  destruct B as (_ & K & V). unfold layer_code, becomes, new_tokens, of_token. f_equal. apply extensional. intros X.
  unfold as_list. destruct X as [[| |first items]|]; try reflexivity.
  match goal with |- match gather_found (at_each ?f ?k) with _ => _ end = match all_found (map ?h ?j) with _ => _ end =>
    replace (gather_found (at_each f k)) with (all_found (map h j)) end.
  { destruct (all_found _) as [new|]; [|reflexivity]. rewrite quick_tokens_is. reflexivity. }
  symmetry. etransitivity; [apply gather_found_is|]. rewrite places_of_is, at_each_is. f_equal. apply map_ext. intros
    I. subst ks vs.
  rewrite (comp_steps_is at_case x _ _ (i :: x :: map fst l) g ((i, Is (of_whole I)) :: (x, Is (List first items)) :: l)
    eq_refl).
  apply steps_are.
  apply (agree_cons _ _ [x]), (agree_cons _ _ []). split; [discriminate|]. split; [|auto].
  intros y d _ V. unfold or_letter, known_value in V. unfold value_at. destruct (look y l); [inversion V; reflexivity|].
  destruct (look y g) as [[]|]; try discriminate. inversion V. reflexivity.
Qed.
(** a declaration *)
Lemma prepared_is at_case k n b g : prepared at_case k n b g = meaning at_case n b g.
Proof.
  destruct b as [e|l|ks e| | | |]; cbn [prepared meaning]; try reflexivity.
  - unfold value_code. do 2 f_equal. apply extensional. intros _. apply (comp_is at_case e O O O [] g [] eq_refl).
  - unfold items_code. do 2 f_equal. apply extensional. intros _. apply put_code_is.
  - transitivity (function_code (length ks) (comp at_case (length ks) (pred (length ks)) O ks e) g);
      [destruct (k && _); reflexivity|]. unfold function_code. f_equal. apply extensional. intros vs. pose proof
        (bound_is ks vs) as B.
    destruct (bound ks vs) as [l|]; [|rewrite B; reflexivity]. destruct B as (F & K & V). rewrite F. subst vs.
    apply comp_is, K.
  - transitivity (layer_code_of (layer_at at_case letters x i l e) g); [destruct k; reflexivity|]. unfold layer_code_of.
    f_equal. apply extensional. intros vs. apply layer_is.
  - destruct k; reflexivity.
Qed.
(** and a page whose names are different. *)
Theorem compiled_is ds : NoDup (map its_name ds) -> compiled ds = declared ds.
Proof.
  induction ds as [|d ds IH]; intros N; [reflexivity|]. inversion N as [|? ? A B]; subst. cbn [compiled declared].
  rewrite (IH B). pose proof (fun s => known_at ds s B) as E. destruct (declared ds) as [g at_]. cbn [fst snd] in E.
  destruct (known d).
  - rewrite prepared_is, (meant_is extensional) by (intros x v L; exact L). reflexivity.
  - f_equal. apply extensional. intros s. unfold before. rewrite prepared_is, (meant_is extensional) by apply E.
    reflexivity.
Qed.
End Same.
