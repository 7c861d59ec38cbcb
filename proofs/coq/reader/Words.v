(** The page's own notation, for the statements of generated files: everything in [page_scope] is [Core]. *)

From Coq Require Import QArith ZArith List.
From Contextual.reader Require Import Core.

Definition of_numeral (z : Z) : found := Is (Number (inject_Z z)).
Definition to_numeral (f : found) : option Z := match f with Is (Number (Qmake z 1)) => Some z | _ => None end.
Declare Scope page_scope.
Delimit Scope page_scope with page.
Bind Scope page_scope with found.
Number Notation found of_numeral to_numeral : page_scope.

Notation "x .[ k ]" := (index x k) (at level 2, left associativity, format "x .[ k ]") : page_scope.
Infix "^" := power : page_scope.
Notation "- a" := (negative a) : page_scope.
Infix "*" := times : page_scope.
Infix "/" := over : page_scope.
Infix "+" := plus : page_scope.
Infix "-" := minus : page_scope.
Notation "a = b" := (compare a (cons (Equal, b) nil)) : page_scope.
Notation "a != b" := (compare a (cons (Unequal, b) nil)) (at level 70) : page_scope.
Notation "a < b" := (compare a (cons (Less, b) nil)) : page_scope.
Notation "a <= b" := (compare a (cons (AtMost, b) nil)) : page_scope.
Notation "a > b" := (compare a (cons (More, b) nil)) : page_scope.
Notation "a >= b" := (compare a (cons (AtLeast, b) nil)) : page_scope.
Notation "a <= b <= c" := (compare a (cons (AtMost, b) (cons (AtMost, c) nil))) : page_scope.
Notation "a <= b < c" := (compare a (cons (AtMost, b) (cons (Less, c) nil))) : page_scope.
Notation "a < b <= c" := (compare a (cons (Less, b) (cons (AtMost, c) nil))) : page_scope.
Notation "a < b < c" := (compare a (cons (Less, b) (cons (Less, c) nil))) : page_scope.
Notation "'not' a" := (not_ a) (at level 75, right associativity) : page_scope.
Notation "a 'and' b" := (and_ a b) (at level 80, right associativity) : page_scope.
Notation "a 'or' b" := (or_ a b) (at level 85, right associativity) : page_scope.
Notation "a 'iff' b" := (compare a (cons (Iff, b) nil)) (at level 95, no associativity) : page_scope.
Notation "a 'if' c 'else' b" := (choose c a b) (at level 98, c at level 97, right associativity) : page_scope.

Notation "[ ]" := (listed nil) : page_scope.
Notation "[ a ]" := (listed (cons a nil)) : page_scope.
Notation "[ a , b , .. , c ]" := (listed (cons a (cons b .. (cons c nil) ..))) : page_scope.
Notation "[ e 'for' k 'in' r ]" := (each r (fun _ => yes) (fun k => e)) (k name, r at level 97) : page_scope.
Notation "[ e 'for' k 'in' r 'if' c ]" := (each r (fun k => c) (fun k => e)) (k name, r at level 97) : page_scope.
Notation "a ';;' b" := (cons a b) (at level 99, right associativity) : page_scope.
Notation "k '<-' e 'then' b" := (given e (fun k => b)) (at level 199, e at level 98, b at level 200, right
  associativity) : page_scope.

(** Lines of claims: k numbers the signs of the claim. *)
Notation "'line' k ':' a '=' b" := (relate k a (cons (Equal, b) nil)) (at level 90, k at level 0, a at level 69, b at
  level 69) : page_scope.
Notation "'line' k ':' a '!=' b" := (relate k a (cons (Unequal, b) nil)) (at level 90, k at level 0, a at level 69, b
  at level 69) : page_scope.
Notation "'line' k ':' a '<' b" := (relate k a (cons (Less, b) nil)) (at level 90, k at level 0, a at level 69, b at
  level 69) : page_scope.
Notation "'line' k ':' a '<=' b" := (relate k a (cons (AtMost, b) nil)) (at level 90, k at level 0, a at level 69, b
  at level 69) : page_scope.
Notation "'line' k ':' a '>' b" := (relate k a (cons (More, b) nil)) (at level 90, k at level 0, a at level 69, b at
  level 69) : page_scope.
Notation "'line' k ':' a '>=' b" := (relate k a (cons (AtLeast, b) nil)) (at level 90, k at level 0, a at level 69, b
  at level 69) : page_scope.
Notation "'line' k ':' a 'iff' b" := (relate k a (cons (Iff, b) nil)) (at level 90, k at level 0, a at level 69, b at
  level 69) : page_scope.
Notation "'for' k 'in' r ':' l" := (for_each r (fun k => l)) (at level 200, k name, r at level 97, l at level 200) :
  page_scope.

(** What Coq doesn't look into when it compares a definition with the same definition by `let`.
  It changes no theorem. *)
Strategy opaque [plus minus times negative over power div mod_ index listed each range compare not_ truth truth_of
  given sum max min count all any len distinct sorted abs fact comb unit column dot dots by_items becomes layer_with
  read head run states layers heads act use in_turn family with_argument relate for_each when within block gather
  weight].
