(** What pages mean (verifier/language/LANGUAGE.md), in Coq. Definitions only: this file is what an auditor reads.

    A page at given sizes is written in the words of this file: its numbers, lists and truths are of type [found], its
    layers, networks and claims are functions on them. `verify --paper FILE --coq` writes it so, in the page's own
    names, and states each claim. *Definedness comes first*: what the language refuses (an index outside a list, a
    division by 0, max of nothing, a number where a truth is meant) is [Refused], whatever uses it is refused too, and a
    claim holds only if nothing that it looks at is.

    Left out: claims that are `skipped if`, have guards or chains in `across`, or speak of all real numbers (`for all`);
    exp_below and its like; [weight] in definitions; the numbers of cases that a page says of its
    categories; variants. A claim that is left out is named as not covered. Families run by cells are no part of the
    meaning: here every layer is run. Limits on the size of numbers (20,000 binary digits) stand in [power] only. What
    is refused by such a limit, and not by the language, is marked by [over_limit]; elsewhere this file is as strict as
    LANGUAGE.md, or stricter. *)

From Coq Require Import QArith Qround Qabs ZArith List Bool Sorted.
Import ListNotations.
Open Scope Z_scope.

(** ** Values (section 2) *)

(** A number, a truth, or a list with its first index. [Refused]: there is none. *)
Inductive value := Number (q : Q) | Truth (b : bool) | List (first : Z) (items : list value).
Inductive found := Is (v : value) | Refused.
(** What is refused by a limit. *)
Definition over_limit {A} (a : A) : A := a.

(** The number, whole number, truth, or list that is meant; or refused. *)
Definition as_number (f : found) (g : Q -> found) : found := match f with Is (Number q) => g q | _ => Refused end.
Definition whole_of (q : Q) : option Z := let q := Qred q in if Pos.eqb (Qden q) 1 then Some (Qnum q) else None.
Definition as_whole (f : found) (g : Z -> found) : found :=
  as_number f (fun q => match whole_of q with Some k => g k | None => Refused end).
Definition truth_of (f : found) : option bool := match f with Is (Truth b) => Some b | _ => None end.
Definition as_list (f : found) (g : Z -> list value -> found) : found := match f with Is (List k l) => g k l | _ =>
  Refused end.
Definition as_value (f : found) (g : value -> found) : found := match f with Is v => g v | Refused => Refused end.

(** In lowest terms. This changes no number; it keeps them short. *)
Definition lowest (q : Q) : Q := if Pos.eqb (Qden q) 1 then q else Qred q.
Definition is_number (q : Q) : found := Is (Number (lowest q)).
Definition of_whole (k : Z) : value := Number (inject_Z k).

(** The items of a list are of one kind; of an empty list's items the kind is [Anything]. *)
Inductive kind := ANumber | ATruth | Anything | AList (of : kind).
Fixpoint one_kind (a b : kind) : option kind :=
  match a, b with
  | Anything, k | k, Anything => Some k
  | ANumber, ANumber => Some ANumber
  | ATruth, ATruth => Some ATruth
  | AList a, AList b => option_map AList (one_kind a b)
  | _, _ => None
  end.
Fixpoint kind_of (v : value) : option kind :=
  match v with
  | Number _ => Some ANumber
  | Truth _ => Some ATruth
  | List _ l => option_map AList ((fix all l := match l with
      | [] => Some Anything
      | v :: l => match kind_of v, all l with Some a, Some b => one_kind a b | _, _ => None end
      end) l)
  end.
Definition list_from (first : Z) (l : list value) : found :=
  match kind_of (List first l) with Some _ => Is (List first l) | None => Refused end.

(** All of these, or nothing if one of them is refused. *)
Fixpoint all_found (l : list found) : option (list value) :=
  match l with
  | [] => Some []
  | Is v :: l => option_map (cons v) (all_found l)
  | Refused :: _ => None
  end.
Definition list_of (first : Z) (l : list found) : found :=
  match all_found l with Some l => list_from first l | None => Refused end.
(** [a, b, c] *)
Definition listed (l : list found) : found := list_of 1 l.

(** a..b; and what `for` runs through. *)
Fixpoint from (a : Z) (m : nat) : list Z := match m with O => [] | S m => a :: from (a + 1) m end.
Definition many : Z := 1000000.
Definition range (a b : found) : found :=
  as_whole a (fun a => as_whole b (fun b =>
    if many <? b - a then over_limit Refused else Is (List 1 (map of_whole (from a (Z.to_nat (b - a + 1))))))).
Definition yes : found := Is (Truth true).
Definition no : found := Is (Truth false).
(** [E for k in R if C] *)
Fixpoint each_of (l : list value) (c e : found -> found) : option (list value) :=
  match l with
  | [] => Some []
  | v :: l => match truth_of (c (Is v)) with
    | Some true => match e (Is v) with Is w => option_map (cons w) (each_of l c e) | Refused => None end
    | Some false => each_of l c e
    | None => None
    end
  end.
Definition each (r : found) (c e : found -> found) : found :=
  as_list r (fun _ l => match each_of l c e with Some l => list_from 1 l | None => Refused end).

(** L[k] *)
Definition item (l : list value) (k : Z) : found :=
  if k <? 0 then Refused else match nth_error l (Z.to_nat k) with Some v => Is v | None => Refused end.
Definition index (l k : found) : found := as_list l (fun first l => as_whole k (fun k => item l (k - first))).

(** Equal numbers, truths, lists item by item; the first index doesn't count. *)
Fixpoint same (a b : value) : bool :=
  match a, b with
  | Number x, Number y => Qeq_bool x y
  | Truth x, Truth y => Bool.eqb x y
  | List _ l, List _ m => (fix all l m := match l, m with
      | [], [] => true
      | x :: l, y :: m => same x y && all l m
      | _, _ => false
      end) l m
  | _, _ => false
  end.
(** The order of numbers, of truths (false first), and of lists by their first difference. *)
Fixpoint order (a b : value) : comparison :=
  match a, b with
  | Number x, Number y => (x ?= y)%Q
  | Truth false, Truth true => Lt
  | Truth true, Truth false => Gt
  | List _ l, List _ m => (fix all l m := match l, m with
      | [], [] => Eq
      | [], _ => Lt
      | _, [] => Gt
      | x :: l, y :: m => match order x y with Eq => all l m | c => c end
      end) l m
  | _, _ => Eq
  end.
Fixpoint insert (a : value) (l : list value) : list value :=
  match l with [] => [a] | b :: l => match order a b with Gt => b :: insert a l | _ => a :: b :: l end end.
Definition in_order (l : list value) : list value := fold_right insert [] l.

(** ** Arithmetic *)

(** Lists of the same length add item by item. Here and below: a list that is made begins at 1, inner ones too. *)
Fixpoint add (a b : value) : found :=
  match a, b with
  | Number x, Number y => is_number (x + y)
  | List _ l, List _ m => match (fix both l m := match l, m with
      | [], [] => Some []
      | x :: l, y :: m => match add x y with Is z => option_map (cons z) (both l m) | Refused => None end
      | _, _ => None
      end) l m with Some l => Is (List 1 l) | None => Refused end
  | _, _ => Refused
  end.
Definition plus (a b : found) : found := as_value a (fun a => as_value b (add a)).
(** A number times a list. *)
Fixpoint scale (q : Q) (v : value) : found :=
  match v with
  | Number x => is_number (q * x)
  | Truth _ => Refused
  | List _ l => match (fix all l := match l with
      | [] => Some []
      | x :: l => match scale q x with Is z => option_map (cons z) (all l) | Refused => None end
      end) l with Some l => Is (List 1 l) | None => Refused end
  end.
(** a_1 b_1 + a_2 b_2 + ..., of columns of the same length. *)
Fixpoint dot_of (a b : list value) : option Q :=
  match a, b with
  | [], [] => Some 0%Q
  | Number x :: a, Number y :: b => option_map (fun s => lowest (x * y + s)) (dot_of a b)
  | _, _ => None
  end.
Definition dot_found (a b : list value) : found := match dot_of a b with Some q => is_number q | None => Refused end.
Definition dot (a b : found) : found := as_list a (fun _ a => as_list b (fun _ b => dot_found a b)).
Definition row_times (b : list value) (row : value) : found := match row with List _ a => dot_found a b | _ =>
  Refused end.
(** Numbers; a number and a list; a list of rows and a column. *)
Definition multiply (a b : value) : found :=
  match a, b with
  | Number x, _ => scale x b
  | _, Number y => scale y a
  | List _ rows, List _ b => match kind_of a with
    | Some (AList (AList ANumber)) => list_of 1 (map (row_times b) rows)
    | _ => Refused
    end
  | _, _ => Refused
  end.
Definition times (a b : found) : found := as_value a (fun a => as_value b (multiply a)).
Definition negative (a : found) : found := as_value a (scale (-1)).
Definition minus (a b : found) : found := plus a (negative b).
Definition over (a b : found) : found :=
  as_value a (fun a => as_number b (fun q => if Qeq_bool q 0 then Refused else multiply a (Number (lowest (/ q))))).
(** The floor of a/b, and a - b * (a div b). *)
Definition div (a b : found) : found :=
  as_number a (fun x => as_number b (fun y => if Qeq_bool y 0 then Refused else Is (of_whole (Qfloor (x / y))))).
Definition mod_ (a b : found) : found :=
  as_number a (fun x => as_number b (fun y => if Qeq_bool y 0 then Refused else is_number (x - y * inject_Z (Qfloor
    (x / y))))).
(** a^k; refused if it would have more than about 40,000 binary digits. *)
Definition digits (z : Z) : Z := if z =? 0 then 0 else Z.log2 (Z.abs z) + 1.
Definition power (a k : found) : found :=
  as_number a (fun q => as_whole k (fun k =>
    if Qeq_bool q 0 && (k <? 0) then Refused
    else if (40000 <? Z.abs k * Z.max (digits (Qnum q)) (digits (Zpos (Qden q)))) && negb (Qeq_bool (Qabs q) 1) then
      over_limit Refused
    else is_number (Qpower q k))).

(** ** Functions of lists, and of numbers *)
Definition sum (l : found) : found :=
  as_list l (fun _ l => match l with
    | [] => Is (of_whole 0)
    | v :: l => fold_left (fun s v => plus s (Is v)) l (scale 1 v)
    end).
Definition best_of (better : Q -> Q -> bool) (l : found) : found :=
  as_list l (fun _ l => match l with
    | [] => Refused
    | v :: l =>
        let next s v := as_number s (fun s => as_number (Is v) (fun v => Is (Number (if better v s then v else s)))) in
        fold_left next l (as_number (Is v) (fun q => Is (Number q)))
    end).
Definition max : found -> found := best_of (fun a b => negb (Qle_bool a b)).
Definition min : found -> found := best_of (fun a b => negb (Qle_bool b a)).
Definition truths (l : found) (g : list bool -> found) : found :=
  as_list l (fun _ l => match fold_right (fun v r => match v, r with Truth b, Some r => Some (b :: r) | _, _ => None
    end) (Some []) l with
    | Some l => g l | None => Refused end).
Definition count (l : found) : found := truths l (fun l => Is (of_whole (Z.of_nat (length (filter id l))))).
Definition all (l : found) : found := truths l (fun l => Is (Truth (forallb id l))).
Definition any (l : found) : found := truths l (fun l => Is (Truth (existsb id l))).
Definition len (l : found) : found := as_list l (fun _ l => Is (of_whole (Z.of_nat (length l)))).
Fixpoint different (l : list value) : list value :=
  match l with [] => [] | v :: l => if existsb (same v) l then different l else v :: different l end.
Definition distinct (l : found) : found := as_list l (fun _ l => Is (of_whole (Z.of_nat (length (different l))))).
Fixpoint of_numbers (k : kind) : bool := match k with ATruth => false | AList k => of_numbers k | _ => true end.
Definition sorted (l : found) : found :=
  as_list l (fun k l => match kind_of (List k l) with
    | Some k => if of_numbers k then Is (List 1 (in_order l)) else Refused | None => Refused end).
Definition abs (a : found) : found := as_number a (fun q => Is (Number (Qabs q))).
Fixpoint factorial (n : nat) : Z := match n with O => 1 | S m => Z.of_nat n * factorial m end.
Definition natural (f : found) (g : Z -> found) : found :=
  as_whole f (fun k => if (0 <=? k) && (k <=? 10000) then g k else Refused).
Definition fact (a : found) : found := natural a (fun k => Is (of_whole (factorial (Z.to_nat k)))).
Definition choices (n k : Z) : Z :=
  if (0 <=? k) && (k <=? n) then factorial (Z.to_nat n) / (factorial (Z.to_nat k) * factorial (Z.to_nat (n - k)))
    else 0.
Definition comb (a b : found) : found := natural a (fun n => natural b (fun k => Is (of_whole (choices n k)))).
Definition unit (k d : found) : found :=
  natural k (fun k => natural d (fun d => if (1 <=? k) && (k <=? d)
    then Is (List 1 (map (fun i => of_whole (if i =? k then 1 else 0)) (from 1 (Z.to_nat d)))) else Refused)).
Definition column (l : found) : found :=
  as_list l (fun _ l => list_of 1 (map (fun v => as_number (Is v) (fun q => listed [Is (Number q)])) l)).
(** [x, y, ..., z]: [items] stand before the dots. *)
Definition only_number (f : found) : found := as_number f (fun q => Is (Number q)).
Definition dots (items : list found) (last : found) : found :=
  let go before first step :=
    as_number last (fun z => if Qeq_bool step 0 then Refused else
      match whole_of ((z - first) / step) with
      | Some k => if many <? k then over_limit Refused
          else list_of 1 (map only_number (rev before) ++
            map (fun i => is_number (first + step * inject_Z i)) (from 0 (Z.to_nat (k + 1))))
      | None => Refused
      end) in
  match rev items with
  | [] => Refused
  | [x] => as_number x (fun x => go [] x 1%Q)
  | y :: x :: before => as_number y (fun y => as_number x (fun x => go before x (y - x)%Q))
  end.

(** ** Truths *)
Inductive sign := Equal | Unequal | Less | AtMost | More | AtLeast | Iff.
(** Inequalities compare numbers, iff compares truths, = and != two of one kind. *)
Definition comparable (s : sign) (a b : value) : bool :=
  match s, a, b with
  | (Less | AtMost | More | AtLeast), Number _, Number _ => true
  | (Less | AtMost | More | AtLeast), _, _ => false
  | Iff, Truth _, Truth _ => true
  | Iff, _, _ => false
  | _, _, _ => match kind_of a, kind_of b with
    | Some a, Some b => match one_kind a b with Some _ => true | None => false end | _, _ => false end
  end.
Definition related (s : sign) (a b : value) : bool :=
  match s, a, b with
  | (Equal | Iff), a, b => same a b
  | Unequal, a, b => negb (same a b)
  | AtMost, Number x, Number y => Qle_bool x y
  | Less, Number x, Number y => negb (Qle_bool y x)
  | AtLeast, Number x, Number y => Qle_bool y x
  | More, Number x, Number y => negb (Qle_bool x y)
  | _, _, _ => false
  end.

(** ** What a claim's lines make: relations, each with the number of its sign in the claim *)
Record relation := Relation { number : Z; its : sign; left : value; right : value }.
Definition lines := option (list relation).
Definition holds_of (r : relation) : bool := related (its r) (left r) (right r).
Definition nothing : lines := Some [].
Definition and_then (a b : lines) : lines :=
  match a, b with Some a, Some b => Some (a ++ b) | _, _ => None end.
Definition block (l : list lines) : lines := fold_right and_then nothing l.
(** A chain a <= b < c: all its sides are computed. *)
Fixpoint chained (k : Z) (a : value) (l : list (sign * found)) : lines :=
  match l with
  | [] => nothing
  | (s, Is b) :: l => if comparable s a b then option_map (cons (Relation k s a b)) (chained (k + 1) b l) else None
  | (_, Refused) :: _ => None
  end.
Definition relate (k : Z) (a : found) (l : list (sign * found)) : lines :=
  match a with Is a => chained k a l | Refused => None end.
Definition for_each (r : found) (f : found -> lines) : lines :=
  match r with Is (List _ l) => block (map (fun v => f (Is v)) l) | _ => None end.
Definition when (c : found) (l : lines) : lines :=
  match truth_of c with Some true => l | Some false => nothing | None => None end.
(** within L as a, b: L's numbers sorted, the relations of each two neighbours. Where there are two, the larger sides
    less the smaller ones must fall neither when b grows nor when a falls (they are affine in a and b), so that what
    holds of neighbours holds of all pairs. *)
Definition difference (r : relation) : option Q :=
  match its r, left r, right r with
  | (Less | AtMost), Number x, Number y => Some (y - x)%Q
  | (More | AtLeast), Number x, Number y => Some (x - y)%Q
  | _, _, _ => None
  end.
Fixpoint none_falls (l m : list relation) : bool :=
  match l, m with
  | [], [] => true
  | r :: l, s :: m => match difference r, difference s with
    | Some p, Some q => Qle_bool p q && none_falls l m | _, _ => false end
  | _, _ => false
  end.
Definition widens (f : found -> found -> lines) : bool :=
  let at_ a b := f (Is (of_whole a)) (Is (of_whole b)) in
  match at_ 0 0, at_ 0 1, at_ 1 0 with
  | Some r, Some s, Some t => none_falls r s && none_falls t r | _, _, _ => false end.
Fixpoint neighbours (l : list value) (f : found -> found -> lines) : lines :=
  match l with a :: (b :: _) as r => and_then (f (Is a) (Is b)) (neighbours r f) | _ => nothing end.
Definition within (l : found) (f : found -> found -> lines) : lines :=
  match l with
  | Is (List _ l) => match kind_of (List 1 l) with
    | Some (AList (ANumber | Anything)) => match l with
      | _ :: _ :: _ => if widens f then neighbours (in_order l) f else None
      | _ => nothing
      end
    | _ => None end
  | Is (Number q) => nothing
  | _ => None
  end.
(** The lines hold: nothing is refused, and each relation is true. *)
Definition hold (l : lines) : Prop := exists r, l = Some r /\ Forall (fun r => holds_of r = true) r.

(** The same as an expression: a truth. *)
Definition compare (a : found) (l : list (sign * found)) : found :=
  match relate 0 a l with Some r => Is (Truth (forallb holds_of r)) | None => Refused end.
Definition not_ (a : found) : found := match truth_of a with Some b => Is (Truth (negb b)) | None => Refused end.
Definition truth (a : found) : found := match truth_of a with Some b => Is (Truth b) | None => Refused end.
(** if, and, or look at no more than they need; [given]: what is computed first, used or not. *)
Notation choose c a b := (match truth_of c with Some true => a | Some false => b | None => Refused end).
Notation and_ a b := (choose a (truth b) no).
Notation or_ a b := (choose a yes (truth b)).
Definition given (f : found) (g : found -> found) : found := match f with Is v => g (Is v) | Refused => Refused end.

(** A list that is defined by lines l[j] = E for j in R, in the order written; E may use the items so far. *)
Definition put (so_far : option (Z * list value)) (k : Z) (v : value) : option (Z * list value) :=
  match so_far with
  | None => Some (k, [v])
  | Some (first, l) =>
      if k =? first + Z.of_nat (length l) then Some (first, l ++ [v])
      else if k =? first - 1 then Some (k, v :: l) else None
  end.
Definition as_found (so_far : option (Z * list value)) : found :=
  match so_far with Some (first, l) => Is (List first l) | None => Is (List 1 []) end.
Fixpoint put_all (e : found -> found -> found) (ks : list value) (so_far : option (Z * list value))
  : option (option (Z * list value)) :=
  match ks with
  | [] => Some so_far
  | Number q :: ks => match whole_of q, e (as_found so_far) (Is (Number q)) with
    | Some k, Is v => match put so_far k v with Some s => put_all e ks (Some s) | None => None end
    | _, _ => None
    end
  | _ => None
  end.
Fixpoint put_lines (parts : list (found * (found -> found -> found))) (so_far : option (Z * list value)) : found :=
  match parts with
  | [] => as_list (as_found so_far) list_from
  | (r, e) :: parts => match r with
    | Is (List _ ks) => match put_all e ks so_far with Some s => put_lines parts s | None => Refused end
    | _ => Refused
    end
  end.
Definition by_items (parts : list (found * (found -> found -> found))) : found := put_lines parts None.

(** ** Layers and networks (section 4) *)

(** Tokens: lists of numbers, all of one length, which isn't 0. *)
Definition token (v : value) : option nat :=
  match v, kind_of v with List _ l, Some (AList ANumber) => Some (length l) | _, _ => None end.
Definition tokens (l : list value) : bool :=
  match l with
  | [] => true
  | v :: l => match token v with
    | Some d => forallb (fun w => match token w with Some e => Nat.eqb d e | None => false end) l
    | None => false
    end
  end.
(** A layer, with the number of its heads: of `read` and `head` in its text. *)
Record layer := Layer { its_heads : Z; act : found -> found }.
Definition layer_with (f : found) (g : found -> layer) : layer :=
  match f with Is v => g (Is v) | Refused => Layer (its_heads (g f)) (fun _ => Refused) end.
Definition positions (x : found) : list Z :=
  match x with Is (List first l) => from first (length l) | _ => [] end.
(** It makes new tokens of the old ones: token i becomes [f x i]. *)
Definition becomes (heads : Z) (f : found -> found -> found) : layer := Layer heads (fun x =>
  as_list x (fun first l =>
    match all_found (map (fun i => f x (Is (of_whole i))) (positions x)) with
    | Some new => if tokens new then Is (List first new) else Refused
    | None => Refused
    end)).
(** read V at max of S over M else E: of the j with M those of largest S; the mean of V over them, or V at the first or
    the last of them; E if there is none. *)
Inductive tie := average | leftmost | rightmost.
Fixpoint scored (js : list Z) (s m : found -> found) : option (list (Z * Q)) :=
  match js with
  | [] => Some []
  | j :: js => match truth_of (m (Is (of_whole j))) with
    | Some true => match s (Is (of_whole j)) with
      | Is (Number q) => option_map (cons (j, q)) (scored js s m)
      | _ => None
      end
    | Some false => scored js s m
    | None => None
    end
  end.
Definition largest (l : list (Z * Q)) : list Z :=
  map fst (filter (fun p => forallb (fun r => Qle_bool (snd r) (snd p)) l) l).
Definition mean (l : list found) : found :=
  match l with
  | [] => Refused
  | v :: l' => times (Is (Number (1 # Pos.of_nat (length l)))) (fold_left plus l' v)
  end.
(** Where nothing is read and no `else` stands: 0, or zeros. *)
Definition nothing_read (v : found) : found :=
  match v with
  | Is (Number _) => Is (of_whole 0)
  | Is (List _ l) => Is (List 1 (map (fun _ => of_whole 0) l))
  | _ => Refused
  end.
Definition read (t : tie) (v s m : found -> found) (otherwise : option found) (x : found) : found :=
  match scored (positions x) s m with
  | None => Refused
  | Some l => match largest l with
    | [] => match otherwise, positions x with
      | Some e, _ => e
      | None, j :: _ => nothing_read (v (Is (of_whole j)))
      | None, [] => Refused
      end
    | j :: js => match t with
      | average => mean (map (fun j => v (Is (of_whole j))) (j :: js))
      | leftmost => v (Is (of_whole j))
      | rightmost => v (Is (of_whole (List.last js j)))
      end
    end
  end.
Definition everywhere : found -> found := fun _ => yes.
(** head(W_O, W_V, W_K, W_Q, b_Q): W_O times the mean of W_V x[j] where dot(W_K x[j], W_Q x[i] + b_Q) is largest. *)
Definition head (W_O W_V W_K W_Q b_Q : found) (x i : found) : found :=
  given (plus (times W_Q (index x i)) b_Q) (fun query =>
  let score j := dot (times W_K (index x j)) query in
  times W_O (read average (fun j => times W_V (index x j)) score everywhere None x)).

(** A network: layers, one after the other. A range that is refused leaves none. *)
Definition network := option (list layer).
Definition use (g : layer) : network := Some [g].
Definition in_turn (l : list network) : network :=
  fold_right (fun g r => match g, r with Some g, Some r => Some (g ++ r) | _, _ => None end) (Some []) l.
Definition family (r : found) (g : found -> network) : network :=
  match r with Is (List _ l) => in_turn (map (fun v => g (Is v)) l) | _ => None end.
Definition with_argument (f : found) (g : found -> network) : network :=
  match f with Is v => g (Is v) | Refused => None end.
Definition layers (g : network) : found :=
  match g with Some l => Is (of_whole (Z.of_nat (length l))) | None => Refused end.
Definition heads (g : network) : found :=
  match g with Some l => Is (of_whole (fold_right Z.max 0 (map its_heads l))) | None => Refused end.
(** The tokens, the last ones first; a layer that changes nothing adds none. *)
Definition step (states : option (list value)) (g : layer) : option (list value) :=
  match states with
  | Some (v :: before) => match act g (Is v) with
    | Is w => Some (if same v w then v :: before else w :: v :: before)
    | Refused => None
    end
  | _ => None
  end.
Definition ran (g : network) (x : found) : option (list value) :=
  match g, x with
  | Some g, Is (List k l) => if tokens l then fold_left step g (Some [List k l]) else None
  | _, _ => None
  end.
Definition states (g : network) (x : found) : found :=
  match ran g x with Some l => Is (List 0 (rev l)) | None => Refused end.
Definition run (g : network) (x : found) : found := match ran g x with Some (v :: _) => Is v | _ => Refused end.

(** ** Inputs (section 3): a case is a list of items of a set; of words position j may have a set of its own *)
Inductive inputs :=
| Words (low high : found) (set : found -> found)
| Multisets (low high set : found)
| Sets (low high set : found)
| Listed (l : found).
(** S^d in the order of places; S sorted by E, then by the items. *)
Fixpoint product (sets : list (list value)) : list (list value) :=
  match sets with [] => [[]] | s :: sets => flat_map (fun a => map (cons a) (product sets)) s end.
Definition tuples (s d : found) : found :=
  as_list s (fun _ s => natural d (fun d =>
    if many <? Z.of_nat (length s) ^ d then over_limit Refused
    else Is (List 1 (map (List 1) (product (repeat s (Z.to_nat d))))))).
Definition by_key (e : found -> found) (s : found) : found :=
  let key v := as_number (e (Is v)) (fun q => Is (List 1 [Number q; v])) in
  as_list s (fun _ l => match all_found (map key l) with
    | Some l => Is (List 1 (map (fun p => match p with List _ [_; v] => v | p => p end) (in_order l)))
    | None => Refused
    end).
(** A set of items: none twice. *)
Definition set_of (f : found) : option (list value) :=
  match f with Is (List _ l) => if Nat.eqb (length (different l)) (length l) then Some l else None | _ => None end.
(** A set of lists. *)
Definition lists_of (f : found) : option (list value) :=
  match set_of f with
  | Some l => if forallb (fun v => match v with List _ _ => true | _ => false end) l then Some l else None
  | None => None
  end.

(** The number of items of a case: in low..high. *)
Definition between (low high : found) (n : nat) : Prop :=
  exists a b, low = Is (Number a) /\ high = Is (Number b) /\ (a <= inject_Z (Z.of_nat n) <= b)%Q.
(** The items of a case are those at these places of a set. *)
Definition at_places (s : found) (places : list nat) (items : list value) : Prop :=
  exists l, set_of s = Some l /\ Forall2 (fun p a => nth_error l p = Some a) places items.
(** A word: item j is in the set of position j. A multiset: the places never fall. A set: they rise. *)
Definition a_case (i : inputs) (w : value) : Prop :=
  match i with
  | Listed f => exists l, lists_of f = Some l /\ In w l
  | Words low high s => exists items, w = List 1 items /\ between low high (length items) /\
      forall j a, nth_error items j = Some a ->
        exists l, set_of (s (Is (of_whole (Z.of_nat j + 1)))) = Some l /\ In a l
  | Multisets low high s => exists items places, w = List 1 items /\ between low high (length items) /\
      at_places s places items /\ StronglySorted le places
  | Sets low high s => exists items places, w = List 1 items /\ between low high (length items) /\
      at_places s places items /\ StronglySorted lt places
  end.

(** *** The same cases in their order: shorter ones first, then by the places of their items. [Sound.cases_are]: each
    case of [a_case] once. *)
Fixpoint rising (strict : bool) (n : nat) (s : list value) : list (list value) :=
  match n with
  | O => [[]]
  | S n => (fix starting l := match l with
      | [] => []
      | a :: r => map (cons a) (rising strict n (if strict then r else l)) ++ starting r
      end) s
  end.
Fixpoint all_sets (l : list found) : option (list (list value)) :=
  match l with
  | [] => Some []
  | f :: l => match set_of f, all_sets l with Some s, Some r => Some (s :: r) | _, _ => None end
  end.

(** How many there are, before they are listed: a budget, [most], is kept. *)
Definition how_many (i : inputs) (n : nat) (ss : list (list value)) (s : list value) : Z :=
  match i with
  | Words _ _ _ => fold_right (fun s p => Z.of_nat (length s) * p) 1 ss
  | Multisets _ _ _ => fold_right (fun k p => p * (Z.of_nat (length s) + k) / (k + 1)) 1 (rev (from 0 n))
  | _ => fold_right (fun k p => p * (Z.of_nat (length s) - k) / (k + 1)) 1 (rev (from 0 n))
  end.
Definition of_length (most : Z) (i : inputs) (n : nat) : option (list value) :=
  match i with
  | Words _ _ f => match all_sets (map (fun j => f (Is (of_whole j))) (from 1 n)) with
    | Some ss => if how_many i n ss [] <=? most then Some (map (List 1) (product ss)) else over_limit None
    | None => None
    end
  | Multisets _ _ f => match set_of f with
    | Some s => if how_many i n [] s <=? most then Some (map (List 1) (rising false n s)) else over_limit None
    | None => None
    end
  | Sets _ _ f => match set_of f with
    | Some s => if how_many i n [] s <=? most then Some (map (List 1) (rising true n s)) else over_limit None
    | None => None
    end
  | Listed _ => None
  end.
Fixpoint of_lengths (most : Z) (i : inputs) (ns : list Z) : option (list value) :=
  match ns with
  | [] => Some []
  | n :: ns => match of_length most i (Z.to_nat n), of_lengths most i ns with
    | Some a, Some b => Some (a ++ b)
    | _, _ => None
    end
  end.
Definition whole_found (f : found) : option Z := match f with Is (Number q) => whole_of q | _ => None end.
Definition cases (most : Z) (i : inputs) : option (list value) :=
  match i with
  | Listed f => lists_of f
  | Words low high _ | Multisets low high _ | Sets low high _ =>
      match whole_found low, whole_found high with
      | Some a, Some b => if a <? 0 then None else if 10000 <? b then over_limit None
          else of_lengths most i (from a (Z.to_nat (b - a + 1)))
      | _, _ => None
      end
  end.

(** [E for k in R over I if C]: of all cases, one after the other. *)
Fixpoint gathered (f : found -> found) (ws : list value) : option (list value) :=
  match ws with
  | [] => Some []
  | w :: ws => match f (Is w) with Is (List _ l) => option_map (app l) (gathered f ws) | _ => None end
  end.
Definition gather (i : inputs) (f : found -> found) : found :=
  match cases many i with
  | Some ws => match gathered f ws with Some l => list_from 1 l | None => Refused end
  | None => Refused
  end.
(** How many tuples a case stands for under permutation. *)
Definition weight (i : inputs) (w : found) : found :=
  as_list w (fun _ l => match i with
    | Multisets _ _ _ | Sets _ _ _ =>
        let times_each v := factorial (length (filter (same v) l)) in
        Is (of_whole (factorial (length l) / fold_right Z.mul 1 (map times_each (different l))))
    | _ => Is (of_whole 1)
    end).

(** ** Claims (section 5) *)

(** A claim about each case that the guard admits: its lines hold there. The guard is defined everywhere. *)
Definition holds (i : inputs) (guard : found -> found) (l : found -> lines) : Prop :=
  forall w, a_case i w -> hold (when (guard (Is w)) (l (Is w))).
(** The cases of the claim, and that these are so many. *)
Definition admitted (i : inputs) (guard : found -> found) (w : value) : Prop := a_case i w /\ guard (Is w) = yes.
Definition exactly (cases : Z) (P : value -> Prop) : Prop :=
  exists l, NoDup l /\ (forall w, In w l <-> P w) /\ Z.of_nat (length l) = cases.
(** Of the inequalities that sign k makes and that hold: [slack] is the least slack, which one of them has. *)
Definition counts (r : relation) : bool :=
  holds_of r && match its r with Less | AtMost | More | AtLeast => true | _ => false end.
Definition slack_of (r : relation) : Q :=
  match left r, right r with Number x, Number y => Qabs (x - y) | _, _ => 0 end.
Definition makes (i : inputs) (guard : found -> found) (l : found -> lines) (w : value) (r : relation) : Prop :=
  admitted i guard w /\ exists rs, l (Is w) = Some rs /\ In r rs.
Definition least (i : inputs) (guard : found -> found) (l : found -> lines) (k : Z) (slack : Q) : Prop :=
  (forall w r, makes i guard l w r -> number r = k -> counts r = true -> slack <= slack_of r)%Q /\
  exists w r, makes i guard l w r /\ number r = k /\ counts r = true /\ (slack_of r == slack)%Q.
(** across L as a, b: of every two different cases, for every two of their numbers a <= b, the block holds. *)
Definition numbers (f : found) : option (list value) :=
  match f with
  | Is (Number q) => Some [Number q]
  | Is (List k l) => match kind_of (List k l) with Some (AList (ANumber | Anything)) => Some l | _ => None end
  | _ => None
  end.
Definition across (i : inputs) (guard : found -> found) (L : found -> found) (f : found -> found -> lines) : Prop :=
  (forall w, a_case i w -> guard (Is w) = no \/ guard (Is w) = yes /\ exists l, numbers (L (Is w)) = Some l) /\
  forall w w' l l' a b, admitted i guard w -> admitted i guard w' -> w <> w' ->
    numbers (L (Is w)) = Some l -> numbers (L (Is w')) = Some l' ->
    In (Number a) l -> In (Number b) l' -> (a <= b)%Q -> hold (f (Is (Number a)) (Is (Number b))).
