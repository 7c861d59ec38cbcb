(** An induction head: what followed the last letter when it was last seen

    At n = 3, k = 2. Written by `verify --paper FILE --coq`: the page's own names, the words of Core.v, the
    notation of Words.v. A claim's theorems end in _holds, _fails, _across or _once; _cases says how many cases
    it is about, _least_k the least slack of its sign k, _first which case fails first. If the file compiles
    they are proved; what is _run is computed by Coq.

    Every claim is covered. *)

From Coq Require Import QArith ZArith List.
From Contextual.reader Require Import Core Check Sound Across Words.
Open Scope page_scope.

Definition k : found :=
  2.
Definition n : found :=
  3.
Definition words : inputs :=
  Words 2 n (fun _ => (dots (0 ;; 1 ;; nil) (k - 1))).
Definition m (w : found) : found :=
  len w.
Definition seen (w : found) : found :=
  [j for j in range 1 (m w - 1) if w.[j] = w.[m w]].
Definition letter (x : found) : found :=
  x <- x then [x.[c] for c in range 1 k].
Definition into (block_ : found) (v : found) : found :=
  block_ <- block_ then v <- v then [v.[c - (block_ - 1) * k] if (block_ - 1) * k < c <= block_ * k else 0 for c in
    range 1 (3 * k)].
Definition previous : layer :=
  becomes 1 (fun x i =>
    left <- read average (fun j => letter x.[j]) (fun j => j) (fun j => j < i) None x then
    x.[i] + into 2 left).
Definition before (x : found) : found :=
  x <- x then [x.[k + c] for c in range 1 k].
Definition copy : layer :=
  becomes 1 (fun x i =>
    next <- read rightmost (fun j => letter x.[j]) (fun j => dot (before x.[j]) (letter x.[i])) (fun j => j <= i)
      None x then
    x.[i] + into 3 next).
Definition induction : network :=
  in_turn (use previous ;; use copy ;; nil).
Definition hot (a : found) : found :=
  a <- a then [1 if a = c else 0 for c in range 0 (k - 1)].
Definition start (w : found) : found :=
  [[(hot w.[i]).[c] if c <= k else 0 for c in range 1 (3 * k)] for i in range 1 (m w)].
Definition copied (w : found) : found :=
  [(run induction (start w)).[m w].[2 * k + c] for c in range 1 k].

Strategy expand [m seen start copied].

(** induction.copies, own, after Elhage et al. 2021
    "The last token ends with the letter that followed its own letter's last occurrence." *)
Definition induction_copies_if (w : found) : found :=
  len (seen w) > 0.
Definition induction_copies (w : found) : lines :=
  line 1 : copied w = hot w.[max (seen w) + 1].
(** Computed. *)
Lemma induction_copies_run : check 100000 1 words induction_copies_if induction_copies =
  Some (Report 8 0 ((8%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words induction_copies_if (fun w : found =>
    let m := len w in
    let seen := [j for j in range 1 (m - 1) if w.[j] = w.[m]] in
    let start := [[(hot w.[i]).[c] if c <= k else 0 for c in range 1 (3 * k)] for i in range 1 m] in
    let copied := [(run induction start).[m].[2 * k + c] for c in range 1 k] in
    line 1 : copied = hot w.[max seen + 1])).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 8 0 ((8%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem induction_copies_holds : forall w, a_case words w ->
  hold (when (induction_copies_if (Is w)) (induction_copies (Is w))).
Proof. exact (proj1 (reported _ _ _ _ _ _ induction_copies_run eq_refl)). Qed.
(** Its cases. *)
Theorem induction_copies_cases : exactly 8 (admitted words induction_copies_if).
Proof. exact (proj2 (reported _ _ _ _ _ _ induction_copies_run eq_refl)). Qed.

(** induction.else, own, after Elhage et al. 2021
    "If the last letter is new, the head copies the last letter itself." *)
Definition induction_else_if (w : found) : found :=
  len (seen w) = 0.
Definition induction_else (w : found) : lines :=
  line 1 : copied w = hot w.[m w].
(** Computed. *)
Lemma induction_else_run : check 100000 1 words induction_else_if induction_else =
  Some (Report 4 0 ((4%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words induction_else_if (fun w : found =>
    let m := len w in
    let start := [[(hot w.[i]).[c] if c <= k else 0 for c in range 1 (3 * k)] for i in range 1 m] in
    let copied := [(run induction start).[m].[2 * k + c] for c in range 1 k] in
    line 1 : copied = hot w.[m])).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 4 0 ((4%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem induction_else_holds : forall w, a_case words w ->
  hold (when (induction_else_if (Is w)) (induction_else (Is w))).
Proof. exact (proj1 (reported _ _ _ _ _ _ induction_else_run eq_refl)). Qed.
(** Its cases. *)
Theorem induction_else_cases : exactly 4 (admitted words induction_else_if).
Proof. exact (proj2 (reported _ _ _ _ _ _ induction_else_run eq_refl)). Qed.

Definition proved := (induction_copies_holds, induction_copies_cases, induction_else_holds, induction_else_cases).
Print Assumptions proved.
