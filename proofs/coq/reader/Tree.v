(** A page as a tree, LANGUAGE.md's grammar rule by rule, and what it means: each kind of expression is a word of
    [Core.v]. This is what the extracted program (program/) runs; an auditor reads it after Core.v. *)

From Coq Require Import QArith ZArith List Bool.
From Coq Require String.
From Contextual.reader Require Import Core.
Import ListNotations.
Open Scope Z_scope.

(** A computation that is put off until its value is wanted, and then kept: in Coq a function, in OCaml [Lazy.t]. *)
Inductive delayed (A : Type) := Delay (f : Datatypes.unit -> A).
Arguments Delay {A} f.
Definition force {A} (d : delayed A) : A := match d with Delay f => f tt end.

(** ** Trees *)
Definition name := String.string.
Module Names.
Import String.
(** The letter of the token that is read, and the name of a case's weight. *)
Definition j : name := "j"%string.
Definition weight : name := "weight"%string.
End Names.
Inductive function := Sum | Max | Min | Count | All | Any | Len | Distinct | Sorted | Abs | Fact | Comb | Unit | Column
  | Dot.
Inductive operation := Multiplied | Divided | Modulo | Floored.
(** What a name means. *)
Inductive global :=
| AValue (v : delayed found) | AFunction (f : list found -> found)
| ALayer (f : list found -> layer) | ANetwork (f : list found -> network)
| AnInputs (x : name) (i : inputs).
Inductive expr :=
| Numeral (k : Z) | Constant (b : bool) | Called (x : name)
| ItemOf (l k : expr)
| Items (l : list expr) | WithDots (l : list expr) (last : expr)
| EachOf (e : expr) (k : name) (r : expr) (c : option expr)          (* E for k in R if C *)
| OverAll (e : expr) (k : option (name * expr)) (on : name) (c : option expr) (* E for k in R over inputs if C *)
| RangeOf (a b : expr)
| Added (l : list (bool * expr))                                     (* false: subtracted *)
| Product (a : expr) (l : list (operation * expr))
| PowerOf (a k : expr)
| Comparison (a : expr) (l : list (sign * expr))
| And (l : list expr) | Or (l : list expr) | IffOf (a b : expr) | Not (a : expr) | IfElse (c a b : expr)
| OfList (f : function) (l : list expr)                              (* sum(a, b), sum(E for ...), abs(a) *)
| Applied (f : name) (l : list expr)                                 (* a function; or a network, at tokens *)
| StatesOf (g : name) (l : list expr) | LayersOf (g : name) (l : list expr) | HeadsOf (g : name) (l : list expr)
| HeadOf (x i W_O W_V W_K W_Q b_Q : expr)                            (* in a layer with these letters *)
(* In no text, but made of others ([Fold.v]): a value; the n-th letter, from the innermost one; what a name means. *)
| Kept (d : delayed found) | Letter (n : nat) | Resolved (v : global) (l : list expr).
(** Lines of a layer before its last one, of a network, of a claim; k: the number of a relation's first sign. *)
Inductive step_of := LetBe (k : name) (e : expr)
| ReadOf (k : name) (v : expr) (t : tie) (s : expr) (m : option expr) (otherwise : option expr).
Inductive part := ForEach (k : name) (r : expr) (l : list part) | Use (g : name) (l : list expr).
Inductive line :=
| Relate (k : Z) (a : expr) (l : list (sign * expr))
| ForIn (k : name) (r : expr) (c : option expr) (l : list line)
| When (c : expr) (l : list line)
| Within (e : expr) (a b : name) (l : list line).
Inductive kind_of_inputs := OfWords | OfMultisets | OfSets.
(** l[k] = E for k in R; l[i] = E for k in R, i of k; or l[i] = E. *)
Inductive item_of := ItemsFor (k : name) (r e : expr) | ItemsAt (k : name) (r i e : expr) | ItemAt (i e : expr).
Inductive meant :=
| Value (e : expr) | ByItems (l : list item_of) | Function (letters : list name) (e : expr)
| LayerOf (letters : list name) (x i : name) (l : list step_of) (e : expr)
| NetworkOf (letters : list name) (l : list part)
| InputsOf (x : name) (k : kind_of_inputs) (low high items : expr) (d : option expr) (by_ : option (name * expr)) (at_ :
  option name)
| ListedAs (x : name) (l : expr).
(** A declaration; [known]: it speaks of no case. *)
Record declaration := Declare { its_name : name; known : bool; body : meant }.

(** How many heads a layer has: [read] and [head] in its text. *)
Definition total (l : list Z) : Z := fold_right Z.add 0 l.
Definition of_some {A} (f : A -> Z) (a : option A) : Z := match a with Some a => f a | None => 0 end.
Fixpoint heads_in (e : expr) : Z :=
  match e with
  | Numeral _ | Constant _ | Called _ | Kept _ | Letter _ => 0
  | ItemOf a b | RangeOf a b | PowerOf a b | IffOf a b => heads_in a + heads_in b
  | Items l | And l | Or l | OfList _ l | Applied _ l | StatesOf _ l | LayersOf _ l | HeadsOf _ l | Resolved _ l =>
      total (map heads_in l)
  | WithDots l a => total (map heads_in l) + heads_in a
  | EachOf a _ r c => heads_in a + heads_in r + of_some heads_in c
  | OverAll a k _ c => heads_in a + of_some (fun p => match p with (_, r) => heads_in r end) k + of_some heads_in c
  | Added l => total (map (fun p => match p with (_, b) => heads_in b end) l)
  | Not a => heads_in a
  | Product a l => heads_in a + total (map (fun p => match p with (_, b) => heads_in b end) l)
  | Comparison a l => heads_in a + total (map (fun p => match p with (_, b) => heads_in b end) l)
  | IfElse c a b => heads_in c + heads_in a + heads_in b
  | HeadOf _ _ a b c d e => 1 + heads_in a + heads_in b + heads_in c + heads_in d + heads_in e
  end.
Definition heads_of (s : step_of) : Z := match s with LetBe _ e => heads_in e | ReadOf _ _ _ _ _ _ => 1 end.

(** ** Names: letters first, then what is declared *)
Definition globals := list (name * global).
Definition letters := list (name * found).
Fixpoint look {A} (x : name) (l : list (name * A)) : option A :=
  match l with [] => None | (y, a) :: l => if String.eqb x y then Some a else look x l end.
Definition value_at (g : globals) (l : letters) (x : name) : found :=
  match look x l with
  | Some f => f
  | None => match look x g with Some (AValue d) => force d | _ => Refused end
  end.
(** Arguments are computed first, used or not; as many as there are letters. *)
Fixpoint bound (ks : list name) (vs : list found) : option letters :=
  match ks, vs with
  | [], [] => Some []
  | k :: ks, Is v :: vs => option_map (cons (k, Is v)) (bound ks vs)
  | _, _ => None
  end.
(** All but the last one, and the last one. *)
Definition without_last (l : list found) : list found * found := (removelast l, List.last l Refused).
Definition network_at (g : globals) (n : name) (vs : list found) : network :=
  match look n g with Some (ANetwork f) => f vs | _ => None end.
(** A function of these; or what a network makes of the last one. *)
Definition applied (v : option global) (vs : list found) : found :=
  match v with
  | Some (AFunction f) => f vs
  | Some (ANetwork f) => let (vs, x) := without_last vs in run (f vs) x
  | _ => Refused
  end.
Definition one_of (l : list found) (f : found -> found) : found := match l with [a] => f a | _ => Refused end.
Definition two_of (l : list found) (f : found -> found -> found) : found := match l with [a; b] => f a b | _ => Refused
  end.
Definition apply (f : function) (l : list found) : found :=
  match f with
  | Sum => one_of l sum | Max => one_of l max | Min => one_of l min | Count => one_of l count | All => one_of l all
  | Any => one_of l any | Len => one_of l len | Distinct => one_of l distinct | Sorted => one_of l sorted
  | Abs => one_of l abs | Fact => one_of l fact | Comb => two_of l comb | Unit => two_of l unit
  | Column => one_of l column | Dot => two_of l dot
  end.
(** sum(a, b) is sum([a, b]). *)
Definition of_list (f : function) : bool :=
  match f with Abs | Fact | Comb | Unit | Column | Dot => false | _ => true end.
Definition apply_to (f : function) (l : list found) : found :=
  match l with _ :: _ :: _ => if of_list f then apply f [listed l] else apply f l | _ => apply f l end.
Definition operate (s : found) (p : operation * found) : found :=
  match p with
  | (Multiplied, v) => times s v | (Divided, v) => over s v | (Modulo, v) => mod_ s v | (Floored, v) => div s v
  end.
Definition one_more (s : found) (p : bool * found) : found := let (b, v) := p in if b then plus s v else minus s v.
Definition add_up (l : list (bool * found)) : found :=
  match l with [] => Refused | (b, v) :: l => fold_left one_more l (if b then v else negative v) end.

(** ** Expressions. [at_case on w]: what names mean at the case w of these inputs. *)
Section Meaning.
Variable at_case : name -> found -> globals.
Definition given_inputs (g : globals) (on : name) (f : found -> found) : found :=
  match look on g with Some (AnInputs _ i) => gather i f | _ => Refused end.

Fixpoint eval (e : expr) (g : globals) (l : letters) : found :=
  match e with
  | Numeral k => Is (of_whole k)
  | Constant b => Is (Truth b)
  | Called x => value_at g l x
  | ItemOf a k => index (eval a g l) (eval k g l)
  | Items [EachOf _ _ _ _ as e] | Items [OverAll _ _ _ _ as e] => eval e g l
  | Items es => listed (map (fun e => eval e g l) es)
  | WithDots es z => dots (map (fun e => eval e g l) es) (eval z g l)
  | EachOf e k r c => each (eval r g l) (fun v => match c with Some c => eval c g ((k, v) :: l) | None => yes end)
      (fun v => eval e g ((k, v) :: l))
  | OverAll e k on c => given_inputs g on (fun w => let g := at_case on w in match k with
      | Some (k, r) => each (eval r g []) (fun v => match c with Some c => eval c g [(k, v)] | None => yes end)
          (fun v => eval e g [(k, v)])
      | None => match c with
          | Some c => choose (eval c g []) (listed [eval e g []]) (listed [])
          | None => listed [eval e g []]
          end
      end)
  | RangeOf a b => range (eval a g l) (eval b g l)
  | Added r => add_up (map (fun p => match p with (s, b) => (s, eval b g l) end) r)
  | Product a r => fold_left operate (map (fun p => match p with (s, b) => (s, eval b g l) end) r) (eval a g l)
  | PowerOf a k => power (eval a g l) (eval k g l)
  | Comparison a r => compare (eval a g l) (map (fun p => match p with (s, b) => (s, eval b g l) end) r)
  | And es => (fix all es := match es with [] => yes | e :: es => and_ (eval e g l) (all es) end) es
  | Or es => (fix any es := match es with [] => no | e :: es => or_ (eval e g l) (any es) end) es
  | IffOf a b => compare (eval a g l) [(Iff, eval b g l)]
  | Not a => not_ (eval a g l)
  | IfElse c a b => choose (eval c g l) (eval a g l) (eval b g l)
  | OfList f es => apply_to f (map (fun e => eval e g l) es)
  | Applied f es => applied (look f g) (map (fun e => eval e g l) es)
  | StatesOf n es => let (vs, x) := without_last (map (fun e => eval e g l) es) in states (network_at g n vs) x
  | LayersOf n es => layers (network_at g n (map (fun e => eval e g l) es))
  | HeadsOf n es => heads (network_at g n (map (fun e => eval e g l) es))
  | HeadOf x i a b c d e =>
      head (eval a g l) (eval b g l) (eval c g l) (eval d g l) (eval e g l) (eval x g l) (eval i g l)
  | Kept d => force d
  | Letter n => match nth_error l n with Some (_, f) => f | None => Refused end
  | Resolved v es => applied (Some v) (map (fun e => eval e g l) es)
  end.

(** ** Layers, networks, lines *)
Fixpoint steps (s : list step_of) (e : expr) (g : globals) (x : name) (l : letters) : found :=
  match s with
  | [] => eval e g l
  | LetBe k b :: s => given (eval b g l) (fun v => steps s e g x ((k, v) :: l))
  | ReadOf k v t score m otherwise :: s =>
      let j := Names.j in
      let mask := match m with Some m => fun w => eval m g ((j, w) :: l) | None => everywhere end in
      given (read t (fun w => eval v g ((j, w) :: l)) (fun w => eval score g ((j, w) :: l)) mask
          match otherwise with Some e => Some (eval e g l) | None => None end (value_at g l x))
        (fun v => steps s e g x ((k, v) :: l))
  end.
Definition layer_of (ks : list name) (x i : name) (s : list step_of) (e : expr) (g : globals) (vs : list found) : layer
  :=
  let heads := total (map heads_of s) + heads_in e in
  match bound ks vs with
  | Some l => becomes heads (fun X I => steps s e g x ((i, I) :: (x, X) :: l))
  | None => Layer heads (fun _ => Refused)
  end.
Fixpoint part_of (p : part) (g : globals) (l : letters) : network :=
  match p with
  | ForEach k r ps => family (eval r g l) (fun v => in_turn (map (fun p => part_of p g ((k, v) :: l)) ps))
  | Use n es => let vs := map (fun e => eval e g l) es in
      match look n g with
      | Some (ALayer f) => use (f vs)
      | Some (ANetwork f) => f vs
      | _ => None
      end
  end.
Definition network_of (ks : list name) (ps : list part) (g : globals) (vs : list found) : network :=
  match bound ks vs with Some l => in_turn (map (fun p => part_of p g l) ps) | None => None end.
(** A guard that is false hides what it guards. *)
Notation if_so c l := (match truth_of c with Some true => l | Some false => nothing | None => None end).
Fixpoint line_of (c : line) (g : globals) (l : letters) : lines :=
  match c with
  | Relate k a r => relate k (eval a g l) (map (fun p => match p with (s, b) => (s, eval b g l) end) r)
  | ForIn k r c ls => for_each (eval r g l) (fun v => let l := (k, v) :: l in
      if_so match c with Some c => eval c g l | None => yes end (block (map (fun c => line_of c g l) ls)))
  | When c ls => if_so (eval c g l) (block (map (fun c => line_of c g l) ls))
  | Within e a b ls => within (eval e g l) (fun x y => block (map (fun c => line_of c g ((b, y) :: (a, x) :: l)) ls))
  end.
Definition lines_of (ls : list line) (g : globals) (l : letters) : lines := block (map (fun c => line_of c g l) ls).

(** ** Declarations *)
(** Of each v of r the item at i(v). *)
Definition one_by_one (r : found) (i : found -> found) (e : found -> found -> found)
  : list (found * (found -> found -> found)) :=
  match r with
  | Is (List _ l) => map (fun v => (listed [i (Is v)], fun own _ => e own (Is v))) l
  | _ => [(Refused, fun own _ => own)]
  end.
Definition items_by (n : name) (l : list item_of) (g : globals) : found :=
  by_items (flat_map (fun it => match it with
    | ItemsFor k r e => [(eval r g [], fun own v => eval e g [(k, v); (n, own)])]
    | ItemsAt k r i e =>
        one_by_one (eval r g []) (fun v => eval i g [(k, v)]) (fun own v => eval e g [(k, v); (n, own)])
    | ItemAt i e => [(listed [eval i g []], fun own v => eval e g [(n, own)])]
    end) l).
Definition set_at (items : expr) (d : option expr) (by_ : option (name * expr)) (g : globals) (l : letters) : found :=
  let s := eval items g l in
  let s := match d with Some d => tuples s (eval d g l) | None => s end in
  match by_ with Some (c, e) => by_key (fun v => eval e g ((c, v) :: l)) s | None => s end.
Definition inputs_of (k : kind_of_inputs) (low high items : expr) (d : option expr) (by_ : option (name * expr)) (at_ :
  option name) (g : globals) : inputs :=
  let low := eval low g [] in let high := eval high g [] in
  match k with
  | OfWords => match at_ with
      | Some j => Words low high (fun v => set_at items d by_ g [(j, v)])
      | None => let s := set_at items d by_ g [] in Words low high (fun _ => s)
      end
  | OfMultisets => Multisets low high (set_at items d by_ g [])
  | OfSets => Sets low high (set_at items d by_ g [])
  end.
Definition meaning (n : name) (b : meant) (g : globals) : global :=
  match b with
  | Value e => AValue (Delay (fun _ => eval e g []))
  | ByItems l => AValue (Delay (fun _ => items_by n l g))
  | Function ks e => AFunction (fun vs => match bound ks vs with Some l => eval e g l | None => Refused end)
  | LayerOf ks x i s e => ALayer (layer_of ks x i s e g)
  | NetworkOf ks ps => let alone := Delay (fun _ => network_of ks ps g []) in
      ANetwork (fun vs => match vs with [] => force alone | _ => network_of ks ps g vs end)
  | InputsOf x k low high items d by_ at_ => AnInputs x (inputs_of k low high items d by_ at_ g)
  | ListedAs x l => AnInputs x (Listed (eval l g []))
  end.
End Meaning.

(** A page: its declarations, the last one first, each after all that it speaks of. What is known means the same at
    every case and is computed once; a definition that speaks of a case has no meaning where none is at hand. *)
Definition at_hand (x : name) (i : inputs) (w : found) : globals :=
  [(x, AValue (Delay (fun _ => w))); (Names.weight, AValue (Delay (fun _ => weight i w)))].
Definition case_at (g : globals) (at_ : globals -> globals) (on : name) (w : found) : globals :=
  match look on g with Some (AnInputs x i) => at_ (at_hand x i w) | _ => [] end.
Fixpoint declared (ds : list declaration) : globals * (globals -> globals) :=
  match ds with
  | [] => ([], fun s => s)
  | d :: ds =>
      let (g, at_) := declared ds in
      let at_case := case_at g at_ in
      let n := its_name d in
      if known d then
        let v := meaning at_case n (body d) g in
        ((n, v) :: g, fun s => (n, v) :: at_ s)
      else (g, fun s => let g := at_ s in (n, meaning at_case n (body d) g) :: g)
  end.
