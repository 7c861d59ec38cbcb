(** What trees mean: of each kind an example, at names and letters of its own. *)

From Coq Require Import QArith ZArith List.
From Coq Require String.
From Contextual.reader Require Import Core Words Tree.
Import ListNotations.
Module Written.
Import String.
Definition a : name := "a"%string. Definition b : name := "b"%string. Definition f : name := "f"%string.
Definition g : name := "g"%string. Definition i : name := "i"%string. Definition j : name := "j"%string.
Definition k : name := "k"%string. Definition v : name := "v"%string. Definition w : name := "w"%string.
Definition x : name := "x"%string. Definition words : name := "words"%string. Definition half : name := "half"%string.
End Written.
Import Written.
Open Scope Z_scope.

(** half = 1/2; f(a, b) = a - b; layer with a head; network; words of 2 letters 0, 1; k[i] = 2 k[i-1]; w's own b. *)
Definition n (z : Z) : expr := Numeral z.
Definition item (l : expr) (z : Z) : expr := ItemOf l (Numeral z).
Definition minus_ (p q : expr) : expr := Added [(true, p); (false, q)].
Definition page : list declaration :=
  [Declare b false (Value (ItemOf (Called w) (n 1)));
   Declare k true (ByItems [ItemAt (n 0) (n 1);
     ItemsFor i (RangeOf (n 1) (n 3)) (Product (n 2) [(Multiplied, ItemOf (Called k) (minus_ (Called i) (n 1)))])]);
   Declare words true (InputsOf w OfWords (n 2) (n 2) (Items [n 0; n 1]) None None None);
   Declare g true (NetworkOf [] [ForEach v (Items [n 1; n 2]) [Use a [Called v]]]);
   Declare a true (LayerOf [v] x i
     [ReadOf b (ItemOf (ItemOf (Called x) (Called j)) (n 1)) rightmost (n 0)
       (Some (Comparison (Called j) [(Less, Called i)])) (Some (n 5))]
     (Added [(true, ItemOf (Called x) (Called i)); (true, Items [Product (Called v) [(Multiplied, Called b)]])]));
   Declare f true (Function [a; b] (minus_ (Called a) (Called b)));
   Declare half true (Value (Product (n 1) [(Divided, n 2)]))].
Definition names := declared page.
Definition at_words (on : name) (c : found) : globals := case_at (fst names) (snd names) on c.
Definition of (e : expr) : found := eval at_words e (fst names) [].
Definition at_case (e : expr) : found := eval at_words e (at_words words [1, 0]%page) [].

Open Scope page_scope.
(** Numbers, names, items, lists. *)
Example values : of (Called half) = 1 / 2 /\ of (Called x) = Refused /\ of (item (Items [n 7; n 8]) 2) = 8.
Proof. repeat split. Qed.
Example dotted : of (WithDots [n 0; Called half] (n 1)) = [0, 1 / 2, 1]. Proof. reflexivity. Qed.
Example ranges : of (RangeOf (n 2) (n 4)) = [2, 3, 4] /\ of (Called k) = by_items (([0], fun _ _ => 1) ;; ([1], fun _
  _ =>
  2) ;; ([2], fun _ _ => 4) ;; ([3], fun _ _ => 8) ;; nil). Proof. split; reflexivity. Qed.
Example anywhere : items_by at_words k [ItemsAt i (Items [n 0; n 1; n 2]) (Added [(false, Called i)]) (Called i)]
  (fst names) = by_items (([- 2], fun _ _ => 2) ;; ([- 1], fun _ _ => 1) ;; ([0], fun _ _ => 0) ;; nil).
Proof. reflexivity. Qed.
Example each : of (Items [EachOf (minus_ (Called i) (n 1)) i (RangeOf (n 1) (n 3)) (Some (Comparison (Called i)
  [(Unequal, n
  2)]))]) = [0, 2]. Proof. reflexivity. Qed.
(** Sums and products from left to right, signs, powers. *)
Example sums : of (Added [(false, n 1); (true, n 4); (false, n 5)]) = - 2. Proof. reflexivity. Qed.
Example products : of (Product (n 7) [(Floored, n 2); (Multiplied, n 5); (Modulo, n 6); (Divided, n 2)]) = 3 / 2.
Proof. reflexivity. Qed.
Example powers : of (PowerOf (n 2) (Added [(false, n 3)])) = 1 / 8. Proof. reflexivity. Qed.
(** Truths, which are looked at from left to right. *)
Example chains : of (Comparison (n 1) [(AtMost, n 1); (Less, n 2)]) = yes /\ of (Comparison (n 1) [(More, n 1)]) = no.
Proof. split; reflexivity. Qed.
Example conjunctions : of (And [Constant false; Called x]) = no /\ of (And [Constant true; Called x]) = Refused /\
  of (And [Constant true; Constant true]) = yes. Proof. repeat split. Qed.
Example disjunctions : of (Or [Constant true; Called x]) = yes /\ of (Or [Constant false; n 1]) = Refused /\
  of (Or [Constant false; Constant false]) = no. Proof. repeat split. Qed.
Example alike : of (IffOf (Constant true) (Not (Constant false))) = yes /\ of (IffOf (n 1) (n 1)) = Refused.
Proof. split; reflexivity. Qed.
Example branches : of (IfElse (Constant true) (n 1) (Called x)) = 1 /\ of (IfElse (Constant false) (Called x) (n 2))
  = 2.
Proof. split; reflexivity. Qed.
(** Functions: of several values, of a list; a page's own, whose arguments are computed first. *)
Example several : of (OfList Max [n 1; n 3; n 2]) = 3 /\ of (OfList Min [Items [n 2; n 1]]) = 1 /\
  of (OfList Sum [n 1; n 1]) = 2 /\ of (OfList Comb [n 4; n 2]) = 6. Proof. repeat split. Qed.
Example own : of (Applied f [n 7; n 2]) = 5 /\ of (Applied f [n 7]) = Refused /\ of (Applied f [n 7; Called x]) =
  Refused.
Proof. repeat split. Qed.
(** Networks: layers in turn, their arguments; the last token on the left, or 5. *)
Definition tokens_ : expr := Items [Items [n 1]; Items [n 2]; Items [n 7]].
Example networks : of (Applied g [tokens_]) = [[16], [15], [15]]. Proof. reflexivity. Qed.
Example states_of : of (OfList Len [StatesOf g [tokens_]]) = 3 /\ of (LayersOf g []) = 2 /\ of (HeadsOf g []) = 1.
Proof. repeat split. Qed.
(** A case's own definitions, and its weight; none where no case is at hand. All cases in turn. *)
Example cased : at_case (Called b) = 1 /\ at_case (Called Names.weight) = 1 /\ of (Called b) = Refused.
Proof. repeat split. Qed.
Example gathered : of (OverAll (Called w) None words (Some (Comparison (Called b) [(Equal, n 1)]))) = [[1, 0], [1, 1]].
Proof. reflexivity. Qed.
Example gathered_each : of (OverAll (Called i) (Some (i, Called w)) words None) = [0, 0, 0, 1, 1, 0, 1, 1].
Proof. reflexivity. Qed.
(** Letters hide names, the innermost first. *)
Example hidden : eval at_words (Called half) (fst names) [(half, 1); (half, 2)] = 1. Proof. reflexivity. Qed.
(** Lines: the relations that they make, in their order. *)
Definition made (l : list Tree.line) : option nat := option_map (@length _) (lines_of at_words l (fst names) nil).
Example lines_made : made [ForIn i (RangeOf (n 1) (n 4)) (Some (Comparison (Called i) [(More, n 1)]))
  [Relate 1 (Called i) [(Less, n 9); (Unequal, n 3)]]] = Some 6%nat. Proof. reflexivity. Qed.
Example guarded : made [When (Constant false) [Relate 1 (Called x) [(Less, n 9)]]] = Some 0%nat /\
  made [Relate 1 (Called x) [(Less, n 9)]] = None. Proof. split; reflexivity. Qed.
Example neighbours_made : lines_of at_words [Within (Items [n 3; n 1; n 2]) a b [Relate 1 (Called a) [(Less, Called
  b)]]]
  (fst names) nil = block (relate 1 1 ((Less, 2) :: nil) ;; relate 1 2 ((Less, 3) :: nil) ;; nil). Proof.
    reflexivity. Qed.
