(** One layer of sums of powers

    At n = 3, N = 3, base = 2. Written by `verify --paper FILE --coq`: the page's own names, each with a ' at
    its end, the words of Core.v, the notation of Words.v. A claim's theorems end in 'holds, 'fails, 'across or
    'once; 'cases says how many cases it is about, 'least_k the least slack of its sign k, 'first which case
    fails first. If the file compiles they are proved; what is 'run is computed by Coq.

    Every claim is covered. *)

From Coq Require Import QArith ZArith List.
From Contextual.reader Require Import Core Check Sound Across Words.
Open Scope page_scope.

Definition N' : found :=
  3.
Definition n' : found :=
  3.
Definition tokens' : inputs :=
  Multisets n' n' (dots (0 ;; 1 ;; nil) (N' - 1)).
Definition base' : found :=
  2.
Definition power' : found :=
  by_items ((range 0 (N' - 1), fun power' t' => base' ^ t') ;; nil).
Definition powers' : layer :=
  becomes 0 (fun x' i' =>
    x'.[i'] + power'.[x'.[i'].[1]] * unit 2 3).
Definition add_up' : layer :=
  becomes 1 (fun x' i' =>
    mean' <- read average (fun j' => x'.[j']) (fun j' => 0) everywhere None x' then
    x'.[i'] + n' * mean'.[2] * unit 3 3).
Definition sums' : network :=
  in_turn (use powers' ;; use add_up' ;; nil).
Definition Y' (X' : found) : found :=
  run sums' [[X'.[j'], 0, 0] for j' in range 1 n'].

Strategy expand [Y'].

(** sums.is-the-sum, own, examples
    "Every token ends with the sum of base^t over the tokens t." *)
Definition sums_is__the__sum'lines (X' : found) : lines :=
  for i' in range 1 n' :
    line 1 : (Y' X').[i'].[3] = sum [base' ^ t' * count [X'.[j'] = t' for j' in range 1 n'] for t' in range 0 (N' -
      1)].
(** Computed. *)
Lemma sums_is__the__sum'run : check 100000 1 tokens' everywhere sums_is__the__sum'lines =
  Some (Report 10 0 ((30%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 tokens' everywhere (fun X' : found =>
    let Y' := run sums' [[X'.[j'], 0, 0] for j' in range 1 n'] in
    for i' in range 1 n' :
    line 1 : Y'.[i'].[3] = sum [base' ^ t' * count [X'.[j'] = t' for j' in range 1 n'] for t' in range 0 (N' -
      1)])).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 10 0 ((30%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem sums_is__the__sum'holds : forall w, a_case tokens' w ->
  hold (sums_is__the__sum'lines (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ sums_is__the__sum'run eq_refl)). Qed.
(** Its cases. *)
Theorem sums_is__the__sum'cases : exactly 10 (admitted tokens' everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ sums_is__the__sum'run eq_refl)). Qed.

(** sums.bounded, own, examples
    "The sum is at most n base^(N-1)." *)
Definition sums_bounded'lines (X' : found) : lines :=
  line 1 : (Y' X').[1].[3] <= n' * base' ^ (N' - 1).
(** Computed. *)
Lemma sums_bounded'run : check 100000 1 tokens' everywhere sums_bounded'lines =
  Some (Report 10 0 ((10%Z, Some (0 # 1)%Q) ;; nil)).
Proof.
  transitivity (check 100000 1 tokens' everywhere (fun X' : found =>
    let Y' := run sums' [[X'.[j'], 0, 0] for j' in range 1 n'] in
    line 1 : Y'.[1].[3] <= n' * base' ^ (N' - 1))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 10 0 ((10%Z, Some (0 # 1)%Q) ;; nil)))).
Qed.
(** It holds. *)
Theorem sums_bounded'holds : forall w, a_case tokens' w ->
  hold (sums_bounded'lines (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ sums_bounded'run eq_refl)). Qed.
(** Its cases. *)
Theorem sums_bounded'cases : exactly 10 (admitted tokens' everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ sums_bounded'run eq_refl)). Qed.
(** The least slack of its sign 1. *)
Theorem sums_bounded'least_1 : least tokens' everywhere sums_bounded'lines 1 (0 # 1)%Q.
Proof. exact (least_is _ _ _ _ _ _ 1 _ _ sums_bounded'run ltac:(split; discriminate) eq_refl). Qed.

(** sums.distinct, own, examples
    "No two inputs have the same sum." *)
Definition sums_distinct'lines (X' : found) : lines :=
  nothing.
(** Computed. *)
Lemma sums_distinct'run : check 100000 1 tokens' everywhere sums_distinct'lines =
  Some (Report 10 0 ((0%Z, None) ;; nil)).
Proof.
  vm_cast_no_check (eq_refl (Some (Report 10 0 ((0%Z, None) ;; nil)))).
Qed.
(** Its cases. *)
Theorem sums_distinct'cases : exactly 10 (admitted tokens' everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ sums_distinct'run eq_refl)). Qed.
Definition sums_distinct'a1'numbers (X' : found) : found :=
  (Y' X').[1].[3].
Definition sums_distinct'a1'pair (a' b' : found) : lines :=
  line 1 : b' > a'.
(** Computed. *)
Lemma sums_distinct'a1'run : check_across 100000 1 tokens' everywhere sums_distinct'a1'numbers
  sums_distinct'a1'pair =
  Some (Pairs false ((9%Z, Some (1 # 1)%Q) ;; nil)).
Proof.
  transitivity (check_across 100000 1 tokens' everywhere (fun X' : found =>
    let Y' := run sums' [[X'.[j'], 0, 0] for j' in range 1 n'] in
    Y'.[1].[3]) sums_distinct'a1'pair).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Pairs false ((9%Z, Some (1 # 1)%Q) ;; nil)))).
Qed.
(** It is false of two cases. *)
Theorem sums_distinct'a1'fails : ~ across tokens' everywhere sums_distinct'a1'numbers sums_distinct'a1'pair.
Proof. exact (across_refuted _ _ _ _ _ _ _ sums_distinct'a1'run). Qed.

Definition proved := (sums_is__the__sum'holds, sums_is__the__sum'cases, sums_bounded'holds, sums_bounded'cases,
    sums_bounded'least_1, sums_distinct'cases, sums_distinct'a1'fails).
Print Assumptions proved.
