(** Dyck-1 to bounded depth by causal attention

    At n = 4, D = 2. Written by `verify --paper FILE --coq`: the page's own names, each with a ' at its end,
    the words of Core.v, the notation of Words.v. A claim's theorems end in 'holds, 'fails, 'across or 'once;
    'cases says how many cases it is about, 'least_k the least slack of its sign k, 'first which case fails
    first. If the file compiles they are proved; what is 'run is computed by Coq.

    Every claim is covered. *)

From Coq Require Import QArith ZArith List.
From Contextual.reader Require Import Core Check Sound Across Words.
Open Scope page_scope.

Definition n' : found :=
  4.
Definition words' : inputs :=
  Words 1 n' (fun _ => [1, - 1]).
Definition depths' : layer :=
  becomes 1 (fun x' i' =>
    mean' <- read average (fun j' => x'.[j'].[1]) (fun j' => 0) (fun j' => j' <= i') None x' then
    x'.[i'] + mean' * unit 2 4).
Definition D' : found :=
  2.
Definition too_far' : layer :=
  becomes 0 (fun x' i' =>
    x'.[i'] + (1 if x'.[i'].[2] < 0 or x'.[i'].[2] > D' * x'.[i'].[3] else 0) * unit 4 4).
Definition ever' : layer :=
  becomes 1 (fun x' i' =>
    worst' <- read average (fun j' => x'.[j'].[4]) (fun j' => x'.[j'].[4]) (fun j' => j' <= i') None x' then
    x'.[i'] + (worst' - x'.[i'].[4]) * unit 4 4).
Definition dyck' : network :=
  in_turn (use depths' ;; use too_far' ;; use ever' ;; nil).
Definition m' (w' : found) : found :=
  len w'.
Definition start' (w' : found) : found :=
  [[w'.[i'], 0, 1 / i', 0] for i' in range 1 (m' w')].
Definition depth' (w' : found) : found :=
  by_items (([0], fun depth' _ => 0) ;;
    (range 1 (m' w'), fun depth' i' => depth'.[i' - 1] + w'.[i']) ;; nil).
Definition Y' (w' : found) : found :=
  run dyck' (start' w').

Strategy expand [m' start' depth' Y'].

(** dyck.depths, own, -
    "After the first layer token i holds depth/i." *)
Definition dyck_depths'lines (w' : found) : lines :=
  for i' in range 1 (m' w') :
    line 1 : (states dyck' (start' w')).[1].[i'].[2] = (depth' w').[i'] / i'.
(** Computed. *)
Lemma dyck_depths'run : check 100000 1 words' everywhere dyck_depths'lines =
  Some (Report 30 0 ((98%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words' everywhere (fun w' : found =>
    let m' := len w' in
    let start' := [[w'.[i'], 0, 1 / i', 0] for i' in range 1 m'] in
    let depth' := by_items (([0], fun depth' _ => 0) ;;
    (range 1 m', fun depth' i' => depth'.[i' - 1] + w'.[i']) ;; nil) in
    for i' in range 1 m' :
    line 1 : (states dyck' start').[1].[i'].[2] = depth'.[i'] / i')).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 30 0 ((98%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem dyck_depths'holds : forall w, a_case words' w ->
  hold (dyck_depths'lines (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ dyck_depths'run eq_refl)). Qed.
(** Its cases. *)
Theorem dyck_depths'cases : exactly 30 (admitted words' everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ dyck_depths'run eq_refl)). Qed.

(** dyck.accepts, own, -
    "The last token accepts exactly the words of Dyck-1 of depth at most D." *)
Definition dyck_accepts'lines (w' : found) : lines :=
  line 1 : ((Y' w').[m' w'].[4] = 0 and (Y' w').[m' w'].[2] = 0) iff (all [0 <= (depth' w').[i'] <= D' for i' in
    range 1 (m' w')] and (depth' w').[m' w'] = 0).
(** Computed. *)
Lemma dyck_accepts'run : check 100000 1 words' everywhere dyck_accepts'lines =
  Some (Report 30 0 ((30%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words' everywhere (fun w' : found =>
    let m' := len w' in
    let start' := [[w'.[i'], 0, 1 / i', 0] for i' in range 1 m'] in
    let depth' := by_items (([0], fun depth' _ => 0) ;;
    (range 1 m', fun depth' i' => depth'.[i' - 1] + w'.[i']) ;; nil) in
    let Y' := run dyck' start' in
    line 1 : (Y'.[m'].[4] = 0 and Y'.[m'].[2] = 0) iff (all [0 <= depth'.[i'] <= D' for i' in range 1 m'] and
      depth'.[m'] = 0))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 30 0 ((30%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem dyck_accepts'holds : forall w, a_case words' w ->
  hold (dyck_accepts'lines (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ dyck_accepts'run eq_refl)). Qed.
(** Its cases. *)
Theorem dyck_accepts'cases : exactly 30 (admitted words' everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ dyck_accepts'run eq_refl)). Qed.

Definition proved := (dyck_depths'holds, dyck_depths'cases, dyck_accepts'holds, dyck_accepts'cases).
Print Assumptions proved.
