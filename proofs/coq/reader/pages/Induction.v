(** An induction head: what followed the last letter when it was last seen

    At n = 3, k = 2. Written by `verify --paper FILE --coq`: the page's own names, each with a ' at its end,
    the words of Core.v, the notation of Words.v. A claim's theorems end in 'holds, 'fails, 'across or 'once;
    'cases says how many cases it is about, 'least_k the least slack of its sign k, 'first which case fails
    first. If the file compiles they are proved; what is 'run is computed by Coq.

    Every claim is covered. *)

From Coq Require Import QArith ZArith List.
From Contextual.reader Require Import Core Check Sound Across Words.
Open Scope page_scope.

Definition k' : found :=
  2.
Definition n' : found :=
  3.
Definition words' : inputs :=
  Words 2 n' (fun _ => (dots (0 ;; 1 ;; nil) (k' - 1))).
Definition m' (w' : found) : found :=
  len w'.
Definition seen' (w' : found) : found :=
  [j' for j' in range 1 (m' w' - 1) if w'.[j'] = w'.[m' w']].
Definition letter' (x' : found) : found :=
  x' <- x' then [x'.[c'] for c' in range 1 k'].
Definition into' (block' : found) (v' : found) : found :=
  block' <- block' then v' <- v' then [v'.[c' - (block' - 1) * k'] if (block' - 1) * k' < c' <= block' * k' else 0
    for c' in range 1 (3 * k')].
Definition previous' : layer :=
  becomes 1 (fun x' i' =>
    left' <- read average (fun j' => letter' x'.[j']) (fun j' => j') (fun j' => j' < i') None x' then
    x'.[i'] + into' 2 left').
Definition before' (x' : found) : found :=
  x' <- x' then [x'.[k' + c'] for c' in range 1 k'].
Definition copy' : layer :=
  becomes 1 (fun x' i' =>
    next' <- read rightmost (fun j' => letter' x'.[j']) (fun j' => dot (before' x'.[j']) (letter' x'.[i'])) (fun j'
      => j' <= i') None x' then
    x'.[i'] + into' 3 next').
Definition induction' : network :=
  in_turn (use previous' ;; use copy' ;; nil).
Definition hot' (a' : found) : found :=
  a' <- a' then [1 if a' = c' else 0 for c' in range 0 (k' - 1)].
Definition start' (w' : found) : found :=
  [[(hot' w'.[i']).[c'] if c' <= k' else 0 for c' in range 1 (3 * k')] for i' in range 1 (m' w')].
Definition copied' (w' : found) : found :=
  [(run induction' (start' w')).[m' w'].[2 * k' + c'] for c' in range 1 k'].

Strategy expand [m' seen' start' copied'].

(** induction.copies, own, after Elhage et al. 2021
    "The last token ends with the letter that followed its own letter's last occurrence." *)
Definition induction_copies'if (w' : found) : found :=
  len (seen' w') > 0.
Definition induction_copies'lines (w' : found) : lines :=
  line 1 : copied' w' = hot' w'.[max (seen' w') + 1].
(** Computed. *)
Lemma induction_copies'run : check 100000 1 words' induction_copies'if induction_copies'lines =
  Some (Report 8 0 ((8%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words' induction_copies'if (fun w' : found =>
    let m' := len w' in
    let seen' := [j' for j' in range 1 (m' - 1) if w'.[j'] = w'.[m']] in
    let start' := [[(hot' w'.[i']).[c'] if c' <= k' else 0 for c' in range 1 (3 * k')] for i' in range 1 m'] in
    let copied' := [(run induction' start').[m'].[2 * k' + c'] for c' in range 1 k'] in
    line 1 : copied' = hot' w'.[max seen' + 1])).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 8 0 ((8%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem induction_copies'holds : forall w, a_case words' w ->
  hold (when (induction_copies'if (Is w)) (induction_copies'lines (Is w))).
Proof. exact (proj1 (reported _ _ _ _ _ _ induction_copies'run eq_refl)). Qed.
(** Its cases. *)
Theorem induction_copies'cases : exactly 8 (admitted words' induction_copies'if).
Proof. exact (proj2 (reported _ _ _ _ _ _ induction_copies'run eq_refl)). Qed.

(** induction.else, own, after Elhage et al. 2021
    "If the last letter is new, the head copies the last letter itself." *)
Definition induction_else'if (w' : found) : found :=
  len (seen' w') = 0.
Definition induction_else'lines (w' : found) : lines :=
  line 1 : copied' w' = hot' w'.[m' w'].
(** Computed. *)
Lemma induction_else'run : check 100000 1 words' induction_else'if induction_else'lines =
  Some (Report 4 0 ((4%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words' induction_else'if (fun w' : found =>
    let m' := len w' in
    let start' := [[(hot' w'.[i']).[c'] if c' <= k' else 0 for c' in range 1 (3 * k')] for i' in range 1 m'] in
    let copied' := [(run induction' start').[m'].[2 * k' + c'] for c' in range 1 k'] in
    line 1 : copied' = hot' w'.[m'])).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 4 0 ((4%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem induction_else'holds : forall w, a_case words' w ->
  hold (when (induction_else'if (Is w)) (induction_else'lines (Is w))).
Proof. exact (proj1 (reported _ _ _ _ _ _ induction_else'run eq_refl)). Qed.
(** Its cases. *)
Theorem induction_else'cases : exactly 4 (admitted words' induction_else'if).
Proof. exact (proj2 (reported _ _ _ _ _ _ induction_else'run eq_refl)). Qed.

Definition proved := (induction_copies'holds, induction_copies'cases, induction_else'holds, induction_else'cases).
Print Assumptions proved.
