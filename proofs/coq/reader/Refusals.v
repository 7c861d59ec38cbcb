(** What the language refuses has no value, and what is near it has one: LANGUAGE.md 2 and 4, an example each. *)

From Coq Require Import QArith ZArith List.
From Contextual.reader Require Import Core Check Words.
Open Scope page_scope.

Definition some (f : found) : Prop := exists v, (f = Is v)%type.
Ltac is := eexists; vm_compute; reflexivity.
Definition zeros : found := by_items (([0], fun L k => 0) ;; (range 1 2, fun L k => L.[k - 1]) ;; nil).

(** An index outside a list, before it or behind it; whole numbers only; the first index counts. *)
Example before : [1, 2].[0] = Refused. Proof. reflexivity. Qed.
Example behind : [1, 2].[3] = Refused. Proof. reflexivity. Qed.
Example halves : [1, 2].[3 / 2] = Refused. Proof. reflexivity. Qed.
Example inside : [1, 2].[4 / 2] = 2. Proof. reflexivity. Qed.
Example from_0 : zeros.[0] = 0 /\ zeros.[3] = Refused. Proof. split; reflexivity. Qed.
(** Division by 0, and 0 to a negative power. *)
Example over_0 : 1 / 0 = Refused /\ div 1 0 = Refused /\ mod_ 1 0 = Refused. Proof. repeat split. Qed.
Example power_0 : 0 ^ (- 1) = Refused /\ 0 ^ 0 = 1 /\ 2 ^ (1 / 2) = Refused. Proof. repeat split. Qed.
(** A budget: powers with too many digits. *)
Example too_long : 2 ^ (10 ^ 9) = Refused. Proof. reflexivity. Qed.
Example ones : (- 1) ^ (10 ^ 9) = 1. Proof. reflexivity. Qed.
(** max of nothing; the sum of nothing is 0. *)
Example of_nothing : max [] = Refused /\ min [] = Refused /\ sum [] = 0. Proof. repeat split. Qed.
(** Lists of different lengths, a list and a number, two columns. *)
Example lengths : [1, 2] + [1] = Refused /\ [1] + 1 = Refused /\ dot [1] [1, 2] = Refused. Proof. repeat split. Qed.
Example columns : [1, 2] * [1, 2] = Refused /\ some ([[1, 2]] * [1, 2]). Proof. split; [reflexivity|is]. Qed.
(** A number where a truth is meant, and the other way round; items of two kinds. *)
Example kinds : [1, yes] = Refused /\ 1 + yes = Refused /\ (1 if 1 else 2) = Refused. Proof. repeat split. Qed.
Example truths_of : (1 and yes) = Refused /\ all [1] = Refused /\ (1 < yes) = Refused. Proof. repeat split. Qed.
Example equal_kinds : (1 = yes) = Refused /\ ([] = [1]) = no /\ ([1] = [1, 2]) = no. Proof. repeat split. Qed.
(** if, and, or look at no more than they need; a chain looks at all its sides, a list at all its items. *)
Example lazily : (1 if yes else 1 / 0) = 1 /\ (no and 1 / 0 = 1) = no /\ (yes or 1 / 0 = 1) = yes.
Proof. repeat split. Qed.
Example wholly : (1 <= 0 <= 1 / 0) = Refused /\ [1, 1 / 0].[1] = Refused. Proof. repeat split. Qed.
Example all_items : all [k > 1 for k in [1, yes]] = Refused /\ any [1 / k = 1 for k in range 0 1] = Refused.
Proof. split; reflexivity. Qed.
(** [x, y, ..., z] hits its end, or has nothing. *)
Example misses : dots (0 ;; 2 ;; nil) 5 = Refused /\ dots (1 ;; 1 ;; nil) 1 = Refused. Proof. split; reflexivity. Qed.
Example hits : dots (5 ;; 0 ;; 2 ;; nil) 4 = [5, 0, 2, 4] /\ dots (1 ;; nil) 0 = []. Proof. split; reflexivity. Qed.
(** A list by items has consecutive indices, each once. *)
Example holes : by_items (([0], fun _ _ => 0) ;; ([2], fun _ _ => 0) ;; nil) = Refused. Proof. reflexivity. Qed.
Example twice : by_items (([0], fun _ _ => 0) ;; ([0], fun _ _ => 0) ;; nil) = Refused. Proof. reflexivity. Qed.
Example too_early : by_items ((range 1 2, fun L k => L.[k + 1]) ;; nil) = Refused. Proof. reflexivity. Qed.
(** unit has its place; comb and fact are of natural numbers. *)
Example places : unit 3 2 = Refused /\ unit 0 2 = Refused /\ fact (- 1) = Refused /\ comb 2 3 = 0.
Proof. repeat split. Qed.
(** A network that isn't run has its layers and heads, whatever their arguments are. *)
Example counted : let g := use (layer_with (1 / 0) (fun v => becomes 2 (fun x i => x.[i]))) in
  layers g = 1 /\ heads g = 2 /\ run g [[1]] = Refused. Proof. repeat split. Qed.
(** Tokens have one length, which isn't 0; a layer makes such. *)
Definition longer : layer := becomes 0 (fun x i => [k for k in range 1 i]).
Example ragged : run (use longer) [[1], [2]] = Refused /\ run (use longer) [[1]] = [[1]].
Proof. split; reflexivity. Qed.
Example no_tokens : run (in_turn nil) [[1], [1, 2]] = Refused /\ run (in_turn nil) [[]] = Refused.
Proof. split; reflexivity. Qed.
(** Nothing is read: the value of `else`, or 0, or zeros. *)
Definition nothing_left (v : found -> found) (e : option found) : found :=
  read average v (fun _ => 0) (fun _ => no) e [[1, 2]].
Example no_else : nothing_left (fun j => j) None = 0 /\ nothing_left (fun _ => [1, 2]) None = [0, 0].
Proof. split; reflexivity. Qed.
Example with_else : nothing_left (fun j => j) (Some (- 1)) = - 1. Proof. reflexivity. Qed.
(** Ties: the mean, the first, the last. *)
Definition tied (t : tie) : found := read t (fun j => j) (fun _ => 0) everywhere None [[1], [1], [1], [1]].
Example ties : tied average = 5 / 2 /\ tied leftmost = 1 /\ tied rightmost = 4. Proof. repeat split. Qed.
(** Signs: the floor, and what remains; a minus binds weaker than ^. *)
Example floors : div (- 5) 3 = - 2 /\ mod_ (- 5) 3 = 1 /\ mod_ 5 (- 3) = - 1 /\ - 2 ^ 2 = - 4.
Proof. repeat split. Qed.
(** A set has no item twice; the budget of cases is kept. *)
Example set_twice : cases 100 (Words 1 1 (fun _ => [0, 0])) = None. Proof. reflexivity. Qed.
Example too_many : cases 100 (Words 1 7 (fun _ => [0, 1])) = None. Proof. reflexivity. Qed.
(** Multisets in their order, and what each stands for. *)
Example in_their_order : gather (Multisets 2 2 [0, 1]) (fun X => [X]) = [[0, 0], [0, 1], [1, 1]].
Proof. reflexivity. Qed.
Example weights : gather (Multisets 2 2 [0, 1]) (fun X => [weight (Multisets 2 2 [0, 1]) X]) = [1, 2, 1].
Proof. reflexivity. Qed.
(** sorted by the first difference; distinct by value. *)
Example sorts : sorted [[1, 2], [1], [0, 5]] = [[0, 5], [1], [1, 2]] /\ sorted [yes] = Refused.
Proof. split; reflexivity. Qed.
Example differ : distinct [1 / 2, 2 / 4, 1] = 2 /\ len [] = 0. Proof. split; reflexivity. Qed.
(** A list that is made begins at 1, inner ones too; a name, a branch, a read's leftmost value is the list for which it
    stands. *)
Example sums_begin : (zeros + zeros).[3] = 0 /\ (zeros + zeros).[0] = Refused /\ (zeros - zeros).[0] = Refused.
Proof. repeat split. Qed.
Example inner_sums_begin : ([zeros] + [zeros]).[1].[0] = Refused /\ (2 * [zeros]).[1].[0] = Refused.
Proof. split; reflexivity. Qed.
Example multiples_begin : (2 * zeros).[3] = 0 /\ (2 * zeros).[0] = Refused /\ (- zeros).[0] = Refused /\
  (zeros / 2).[0] = Refused. Proof. repeat split. Qed.
Example one_begins : (sum [zeros]).[3] = 0 /\ (sum [zeros]).[0] = Refused /\ (sum [[zeros]]).[1].[0] = Refused.
Proof. repeat split. Qed.
Example same_list : (zeros if yes else 1).[0] = 0 /\ [zeros].[1].[0] = 0 /\ (sorted [zeros]).[1].[0] = 0.
Proof. repeat split. Qed.
Definition of_zeros (t : tie) : found := read t (fun _ => zeros) (fun _ => 0) everywhere None [[1]].
Example means_begin : (of_zeros average).[3] = 0 /\ (of_zeros average).[0] = Refused /\ (of_zeros leftmost).[0] = 0.
Proof. repeat split. Qed.
(** sum is of numbers or of lists of them, also of one; where nothing is read V is a number or a list. *)
Example sums_of_truths : sum [yes] = Refused /\ sum [[yes]] = Refused /\ sum 5 = Refused. Proof. repeat split. Qed.
Example truth_unread : nothing_left (fun _ => yes) None = Refused /\ nothing_left (fun _ => 1 / 0) (Some 0) = 0.
Proof. split; reflexivity. Qed.
(** within: where two are compared the relations must widen; where there are none nothing is looked at. *)
Example narrower : within [1, 2] (fun a b => line 1 : a - b > - 9) = None /\
  within [1, 2] (fun a b => line 1 : b + a > 0) = None /\ within [1, 2] (fun a b => line 1 : 0 - b - a > - 9) = None /\
  within [1, 2] (fun a b => line 1 : b - a = 1) = None /\ within [1] (fun a b => line 1 : a > 1 / 0) = nothing.
Proof. repeat split. Qed.
Example wider : within [3, 1, 2] (fun a b => line 1 : b - a > 0) = block (line 1 : 2 - 1 > 0 ;; line 1 : 3 - 2 > 0 ;;
  nil). Proof. reflexivity. Qed.
(** A list of cases: lists, none twice. *)
Example no_cases : cases 9 (Listed [1, 2]) = None /\ cases 9 (Listed [[1], [1]]) = None. Proof. split; reflexivity. Qed.
