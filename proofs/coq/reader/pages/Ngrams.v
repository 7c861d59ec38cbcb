(** The last g - 1 symbols by hard attention (after Svete and Cotterell, NAACL 2024)

    At g = 3, n = 2. Written by `verify --paper FILE --coq`: the page's own names, each with a ' at its end,
    the words of Core.v, the notation of Words.v. A claim's theorems end in 'holds, 'fails, 'across or 'once;
    'cases says how many cases it is about, 'least_k the least slack of its sign k, 'first which case fails
    first. If the file compiles they are proved; what is 'run is computed by Coq.

    Every claim is covered. *)

From Coq Require Import QArith ZArith List.
From Contextual.reader Require Import Core Check Sound Across Words.
Open Scope page_scope.

Definition n' : found :=
  2.
Definition words' : inputs :=
  Words 0 n' (fun _ => [0, 1]).
Definition g' : found :=
  3.
Definition last' (w' : found) : found :=
  g' - 1 + len w'.
Definition head_at' (h' : found) : layer :=
  layer_with h' (fun h' => becomes 1 (fun x' i' =>
    r' <- read average (fun j' => x'.[j'].[1]) (fun j' => - abs (i' - h' - j')) (fun j' => j' <= i') None x' then
    [x'.[i'].[c'] if c' != h' + 2 else r' for c' in range 1 (g' + 1)])).
Definition all_heads' : network :=
  family (dots (0 ;; 1 ;; nil) (g' - 1)) (fun h' => use (head_at' h')).
Definition y' (w' : found) : found :=
  by_items ((range 1 (last' w'), fun y' j' => w'.[j' - g' + 1] if j' >= g' else 2) ;; nil).
Definition slots' (w' : found) : found :=
  (run all_heads' [[(y' w').[j'] if c' = 1 else 0 for c' in range 1 (g' + 1)] for j' in range 1 (last' w')]).[last'
    w'].
Definition t' (w' : found) : found :=
  last' w' + 1.
Definition copy' (l' : found) : layer :=
  layer_with l' (fun l' => becomes 1 (fun x' i' =>
    r' <- read average (fun j' => x'.[j'].[l']) (fun j' => - abs (i' - 1 - j')) (fun j' => j' <= i') None x' then
    [x'.[i'].[c'] if c' != l' + 1 else r' for c' in range 1 g'])).
Definition layers_up_to' (m' : found) : network :=
  with_argument m' (fun m' => family (range 1 m') (fun l' => use (copy' l'))).
Definition copied' (w' : found) (m' : found) : found :=
  m' <- m' then (run (layers_up_to' m') [[(y' w').[j'] if c' = 1 else 0 for c' in range 1 g'] for j' in range 1
    (last' w')]).[last' w'].
Definition bits' : inputs :=
  Words g' g' (fun _ => [0, 1]).
Definition z' (x' : found) (d' : found) (i' : found) : found :=
  x' <- x' then d' <- d' then i' <- i' then 10 ^ i' * x' - sum [10 ^ (i' - j') * d'.[j'] for j' in range 1 (i' -
    1)] - 1 + 10 ^ (- g').
Definition x' (b' : found) : found :=
  sum [10 ^ (- i') * b'.[i'] for i' in range 1 (g' - 1)].

Strategy expand [last' y' slots' t' copied' x'].

(** ngram.heads, step, Theorem 3.1, h = 1..g-1
    "The heads at t - 1 read y_(t-1), ..., y_(t-g+1)." *)
Definition ngram_heads'lines (w' : found) : lines :=
  for h' in range 1 (g' - 1) :
    line 1 : (slots' w').[h' + 2] = (y' w').[t' w' - h'].
(** Computed. *)
Lemma ngram_heads'run : check 100000 1 words' everywhere ngram_heads'lines =
  Some (Report 7 6 ((14%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words' everywhere (fun w' : found =>
    let last' := g' - 1 + len w' in
    let y' := by_items ((range 1 last', fun y' j' => w'.[j' - g' + 1] if j' >= g' else 2) ;; nil) in
    let slots' := (run all_heads' [[y'.[j'] if c' = 1 else 0 for c' in range 1 (g' + 1)] for j' in range 1
      last']).[last'] in
    let t' := last' + 1 in
    for h' in range 1 (g' - 1) :
    line 1 : slots'.[h' + 2] = y'.[t' - h'])).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 7 6 ((14%Z, None) ;; nil)))).
Qed.
(** It is false. *)
Theorem ngram_heads'fails : ~ (forall w, a_case words' w ->
  hold (ngram_heads'lines (Is w))).
Proof. exact (refuted _ _ _ _ _ _ ngram_heads'run ltac:(discriminate)). Qed.
(** Computed. *)
Lemma ngram_heads'first_run : first 100000 words' everywhere ngram_heads'lines =
  match ([0])%page with Is w => Some (1%Z, w) | Refused => None end.
Proof.
  transitivity (first 100000 words' everywhere (fun w' : found =>
    let last' := g' - 1 + len w' in
    let y' := by_items ((range 1 last', fun y' j' => w'.[j' - g' + 1] if j' >= g' else 2) ;; nil) in
    let slots' := (run all_heads' [[y'.[j'] if c' = 1 else 0 for c' in range 1 (g' + 1)] for j' in range 1
      last']).[last'] in
    let t' := last' + 1 in
    for h' in range 1 (g' - 1) :
    line 1 : slots'.[h' + 2] = y'.[t' - h'])).
  - reflexivity.
  - vm_cast_no_check (eq_refl (match ([0])%page with Is w => Some (1%Z, w) | Refused => None end)).
Qed.
(** The first case where it fails, and its rank. *)
Theorem ngram_heads'first : exists w, Is w = ([0])%page /\ first_failure 100000 words' everywhere ngram_heads'lines
  1 w.
Proof. eexists. split; [vm_compute; reflexivity|]. exact (first_is _ _ _ _ _ _ ngram_heads'first_run). Qed.

(** ngram.heads.from-0, repair, Theorem 3.1, h = 0..g-2
    "The heads at t - 1 read y_(t-1), ..., y_(t-g+1)." *)
Definition ngram_heads_from__0'lines (w' : found) : lines :=
  for h' in range 0 (g' - 2) :
    line 1 : (slots' w').[h' + 2] = (y' w').[t' w' - 1 - h'].
(** Computed. *)
Lemma ngram_heads_from__0'run : check 100000 1 words' everywhere ngram_heads_from__0'lines =
  Some (Report 7 0 ((14%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words' everywhere (fun w' : found =>
    let last' := g' - 1 + len w' in
    let y' := by_items ((range 1 last', fun y' j' => w'.[j' - g' + 1] if j' >= g' else 2) ;; nil) in
    let slots' := (run all_heads' [[y'.[j'] if c' = 1 else 0 for c' in range 1 (g' + 1)] for j' in range 1
      last']).[last'] in
    let t' := last' + 1 in
    for h' in range 0 (g' - 2) :
    line 1 : slots'.[h' + 2] = y'.[t' - 1 - h'])).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 7 0 ((14%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem ngram_heads_from__0'holds : forall w, a_case words' w ->
  hold (ngram_heads_from__0'lines (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ ngram_heads_from__0'run eq_refl)). Qed.
(** Its cases. *)
Theorem ngram_heads_from__0'cases : exactly 7 (admitted words' everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ ngram_heads_from__0'run eq_refl)). Qed.

(** ngram.layers, statement, Theorem 3.2, with a slot more than it has
    "The history is in the slots after g - 1 layers, and after g - 2." *)
Definition ngram_layers'lines (w' : found) : lines :=
  block ((for s' in range 1 (g' - 1) :
    line 1 : (copied' w' (g' - 1)).[s'] = (y' w').[t' w' - s']) ;;
    (for s' in range 1 (g' - 1) :
    line 2 : (copied' w' (g' - 2)).[s'] = (y' w').[t' w' - s']) ;;
    nil).
(** Computed. *)
Lemma ngram_layers'run : check 100000 2 words' everywhere ngram_layers'lines =
  Some (Report 7 0 ((14%Z, None) ;; (14%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 2 words' everywhere (fun w' : found =>
    let last' := g' - 1 + len w' in
    let y' := by_items ((range 1 last', fun y' j' => w'.[j' - g' + 1] if j' >= g' else 2) ;; nil) in
    let t' := last' + 1 in
    let copied' := fun (m' : found) => m' <- m' then (run (layers_up_to' m') [[y'.[j'] if c' = 1 else 0 for c' in
      range 1 g'] for j' in range 1 last']).[last'] in
    block ((for s' in range 1 (g' - 1) :
    line 1 : (copied' (g' - 1)).[s'] = y'.[t' - s']) ;;
    (for s' in range 1 (g' - 1) :
    line 2 : (copied' (g' - 2)).[s'] = y'.[t' - s']) ;;
    nil))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 7 0 ((14%Z, None) ;; (14%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem ngram_layers'holds : forall w, a_case words' w ->
  hold (ngram_layers'lines (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ ngram_layers'run eq_refl)). Qed.
(** Its cases. *)
Theorem ngram_layers'cases : exactly 7 (admitted words' everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ ngram_layers'run eq_refl)). Qed.

(** ngram.fits, step, Theorem 3.2
    "The block of V lies off the rows of positions, l = 1..g-1." *)
Definition ngram_fits'lines : lines :=
  for l' in range 1 (g' - 1) :
    line 1 : l' + 1 <= g' - 1.
(** It is false. *)
Theorem ngram_fits'fails : ~ hold ngram_fits'lines.
Proof. apply not_held. vm_compute. reflexivity. Qed.

(** ngram.fits.fewer, repair, Theorem 3.2
    "The block of V lies off the rows of positions, l = 1..g-2." *)
Definition ngram_fits_fewer'lines : lines :=
  for l' in range 1 (g' - 2) :
    line 1 : l' + 1 <= g' - 1.
(** It holds. *)
Theorem ngram_fits_fewer'once : hold ngram_fits_fewer'lines.
Proof. apply held. vm_compute. reflexivity. Qed.

(** ngram.interval, statement, (103)
    "z_i <= 0 or z_i >= 10^-(N+1)." *)
Definition ngram_interval'lines (b' : found) : lines :=
  for i' in range 1 (g' - 1) :
    line 1 : (z' (x' b') b' i' <= 0 or z' (x' b') b' i' >= 10 ^ (- g')) = yes.
(** Computed. *)
Lemma ngram_interval'run : check 100000 1 bits' everywhere ngram_interval'lines =
  Some (Report 8 0 ((16%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 bits' everywhere (fun b' : found =>
    let x' := sum [10 ^ (- i') * b'.[i'] for i' in range 1 (g' - 1)] in
    for i' in range 1 (g' - 1) :
    line 1 : (z' x' b' i' <= 0 or z' x' b' i' >= 10 ^ (- g')) = yes)).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 8 0 ((16%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem ngram_interval'holds : forall w, a_case bits' w ->
  hold (ngram_interval'lines (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ ngram_interval'run eq_refl)). Qed.
(** Its cases. *)
Theorem ngram_interval'cases : exactly 8 (admitted bits' everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ ngram_interval'run eq_refl)). Qed.

Definition proved := (ngram_heads'fails, ngram_heads'first, ngram_heads_from__0'holds, ngram_heads_from__0'cases,
    ngram_layers'holds, ngram_layers'cases, ngram_fits'fails, ngram_fits_fewer'once, ngram_interval'holds,
    ngram_interval'cases).
Print Assumptions proved.
