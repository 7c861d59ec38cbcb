(** PARITY and FIRST with averaging hardmax (after Chiang and Cholak, ACL 2022, Section 3)

    At n = 4. Written by `verify --paper FILE --coq`: the page's own names, each with a ' at its end, the words
    of Core.v, the notation of Words.v. A claim's theorems end in 'holds, 'fails, 'across or 'once; 'cases says
    how many cases it is about, 'least_k the least slack of its sign k, 'first which case fails first. If the
    file compiles they are proved; what is 'run is computed by Coq.

    Every claim is covered. *)

From Coq Require Import QArith ZArith List.
From Contextual.reader Require Import Core Check Sound Across Words.
Open Scope page_scope.

Definition n' : found :=
  4.
Definition words' : inputs :=
  Words 1 n' (fun _ => [0, 1]).
Definition count_ones' : layer :=
  becomes 1 (fun x' i' =>
    mean' <- read average (fun j' => x'.[j']) (fun j' => 0) everywhere None x' then
    x'.[i'] + mean'.[1] * unit 5 7 + mean'.[2] * unit 6 7).
Definition relu' (t' : found) : found :=
  t' <- t' then t' if t' > 0 else 0.
Definition mark' (m' : found) : layer :=
  layer_with m' (fun m' => becomes 0 (fun x' i' =>
    far' <- x'.[i'].[5] - m' / (m' + 1) * x'.[i'].[3] then
    x'.[i'] + (relu' (far' - x'.[i'].[6]) - 2 * relu' far' + relu' (far' + x'.[i'].[6])) * unit 7 7)).
Definition compare' : layer :=
  becomes 2 (fun x' i' =>
    even' <- read average (fun j' => x'.[j'].[7]) (fun j' => x'.[j'].[4]) everywhere None x' then
    odd' <- read average (fun j' => x'.[j'].[7]) (fun j' => - x'.[j'].[4]) everywhere None x' then
    x'.[i'] + (odd' - even') * unit 1 7).
Definition parity' (m' : found) : network :=
  with_argument m' (fun m' => in_turn (use count_ones' ;; use (mark' m') ;; use compare' ;; nil)).
Definition m' (w' : found) : found :=
  len w'.
Definition start' (w' : found) : found :=
  by_items ((range 0 (m' w'), fun start' i' => [w'.[i'] if i' > 0 else 0, 1 if i' = 0 else 0, i' / m' w', (- 1) ^
    i', 0, 0, 0]) ;; nil).
Definition ones' (w' : found) : found :=
  count [a' = 1 for a' in w'].
Definition answer' (w' : found) : found :=
  (run (parity' (m' w')) (start' w')).[0].[1] - (start' w').[0].[1].
Definition look_first' : layer :=
  becomes 1 (fun x' i' =>
    first' <- read average (fun j' => x'.[j'].[1]) (fun j' => - x'.[j'].[3] - 2 * x'.[j'].[2]) everywhere None x'
      then
    x'.[i'] + first' * unit 5 7).
Definition first' : network :=
  use look_first'.

Strategy expand [m' start' ones' answer'].

(** parity.mark, own, after Section 3.1
    "After the second layer exactly the token whose place is the number of ones is marked." *)
Definition parity_mark'lines (w' : found) : lines :=
  for i' in range 0 (m' w') :
    line 1 : (states (parity' (m' w')) (start' w')).[2].[i'].[7] = (1 / (m' w' + 1) if i' = ones' w' else 0).
(** Computed. *)
Lemma parity_mark'run : check 100000 1 words' everywhere parity_mark'lines =
  Some (Report 30 0 ((128%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words' everywhere (fun w' : found =>
    let m' := len w' in
    let start' := by_items ((range 0 m', fun start' i' => [w'.[i'] if i' > 0 else 0, 1 if i' = 0 else 0, i' / m',
      (- 1) ^ i', 0, 0, 0]) ;; nil) in
    let ones' := count [a' = 1 for a' in w'] in
    for i' in range 0 m' :
    line 1 : (states (parity' m') start').[2].[i'].[7] = (1 / (m' + 1) if i' = ones' else 0))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 30 0 ((128%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem parity_mark'holds : forall w, a_case words' w ->
  hold (parity_mark'lines (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ parity_mark'run eq_refl)). Qed.
(** Its cases. *)
Theorem parity_mark'cases : exactly 30 (admitted words' everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ parity_mark'run eq_refl)). Qed.

(** parity.decides, own, after Section 3.1
    "The sign at CLS tells whether the number of ones is odd." *)
Definition parity_decides'lines (w' : found) : lines :=
  block (when (mod_ (ones' w') 2 = 1) (line 1 : answer' w' > 0) ;;
    when (mod_ (ones' w') 2 = 0) (line 2 : answer' w' < 0) ;;
    nil).
(** Computed. *)
Lemma parity_decides'run : check 100000 2 words' everywhere parity_decides'lines =
  Some (Report 30 0 ((15%Z, Some (1 # 10)%Q) ;; (15%Z, Some (1 # 15)%Q) ;; nil)).
Proof.
  transitivity (check 100000 2 words' everywhere (fun w' : found =>
    let m' := len w' in
    let start' := by_items ((range 0 m', fun start' i' => [w'.[i'] if i' > 0 else 0, 1 if i' = 0 else 0, i' / m',
      (- 1) ^ i', 0, 0, 0]) ;; nil) in
    let ones' := count [a' = 1 for a' in w'] in
    let answer' := (run (parity' m') start').[0].[1] - start'.[0].[1] in
    block (when (mod_ (ones') 2 = 1) (line 1 : answer' > 0) ;;
    when (mod_ (ones') 2 = 0) (line 2 : answer' < 0) ;;
    nil))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 30 0 ((15%Z, Some (1 # 10)%Q) ;; (15%Z, Some (1 # 15)%Q) ;; nil)))).
Qed.
(** It holds. *)
Theorem parity_decides'holds : forall w, a_case words' w ->
  hold (parity_decides'lines (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ parity_decides'run eq_refl)). Qed.
(** Its cases. *)
Theorem parity_decides'cases : exactly 30 (admitted words' everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ parity_decides'run eq_refl)). Qed.
(** The least slack of its sign 1. *)
Theorem parity_decides'least_1 : least words' everywhere parity_decides'lines 1 (1 # 10)%Q.
Proof. exact (least_is _ _ _ _ _ _ 1 _ _ parity_decides'run ltac:(split; discriminate) eq_refl). Qed.
(** The least slack of its sign 2. *)
Theorem parity_decides'least_2 : least words' everywhere parity_decides'lines 2 (1 # 15)%Q.
Proof. exact (least_is _ _ _ _ _ _ 2 _ _ parity_decides'run ltac:(split; discriminate) eq_refl). Qed.

(** parity.margin, own, after Hahn 2020
    "The margin is at least 2/((m+1)(m+2))." *)
Definition parity_margin'lines (w' : found) : lines :=
  line 1 : abs (answer' w') >= 2 / ((m' w' + 1) * (m' w' + 2)).
(** Computed. *)
Lemma parity_margin'run : check 100000 1 words' everywhere parity_margin'lines =
  Some (Report 30 0 ((30%Z, Some (0 # 1)%Q) ;; nil)).
Proof.
  transitivity (check 100000 1 words' everywhere (fun w' : found =>
    let m' := len w' in
    let start' := by_items ((range 0 m', fun start' i' => [w'.[i'] if i' > 0 else 0, 1 if i' = 0 else 0, i' / m',
      (- 1) ^ i', 0, 0, 0]) ;; nil) in
    let answer' := (run (parity' m') start').[0].[1] - start'.[0].[1] in
    line 1 : abs answer' >= 2 / ((m' + 1) * (m' + 2)))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 30 0 ((30%Z, Some (0 # 1)%Q) ;; nil)))).
Qed.
(** It holds. *)
Theorem parity_margin'holds : forall w, a_case words' w ->
  hold (parity_margin'lines (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ parity_margin'run eq_refl)). Qed.
(** Its cases. *)
Theorem parity_margin'cases : exactly 30 (admitted words' everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ parity_margin'run eq_refl)). Qed.
(** The least slack of its sign 1. *)
Theorem parity_margin'least_1 : least words' everywhere parity_margin'lines 1 (0 # 1)%Q.
Proof. exact (least_is _ _ _ _ _ _ 1 _ _ parity_margin'run ltac:(split; discriminate) eq_refl). Qed.

(** first.decides, own, after Section 3.2
    "CLS reads the first bit." *)
Definition first_decides'lines (w' : found) : lines :=
  line 1 : (run first' (start' w')).[0].[5] = w'.[1].
(** Computed. *)
Lemma first_decides'run : check 100000 1 words' everywhere first_decides'lines =
  Some (Report 30 0 ((30%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words' everywhere (fun w' : found =>
    let m' := len w' in
    let start' := by_items ((range 0 m', fun start' i' => [w'.[i'] if i' > 0 else 0, 1 if i' = 0 else 0, i' / m',
      (- 1) ^ i', 0, 0, 0]) ;; nil) in
    line 1 : (run first' start').[0].[5] = w'.[1])).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 30 0 ((30%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem first_decides'holds : forall w, a_case words' w ->
  hold (first_decides'lines (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ first_decides'run eq_refl)). Qed.
(** Its cases. *)
Theorem first_decides'cases : exactly 30 (admitted words' everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ first_decides'run eq_refl)). Qed.

Definition proved := (parity_mark'holds, parity_mark'cases, parity_decides'holds, parity_decides'cases,
  parity_decides'least_1,
    parity_decides'least_2, parity_margin'holds, parity_margin'cases, parity_margin'least_1,
    first_decides'holds, first_decides'cases).
Print Assumptions proved.
