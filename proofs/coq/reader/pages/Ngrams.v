(** The last g - 1 symbols by hard attention (after Svete and Cotterell, NAACL 2024)

    At g = 3, n = 2. Written by `verify --paper FILE --coq`: the page's own names, the words of Core.v, the
    notation of Words.v. A claim's theorems end in _holds, _fails, _across or _once; _cases says how many cases
    it is about, _least_k the least slack of its sign k, _first which case fails first. If the file compiles
    they are proved; what is _run is computed by Coq.

    Every claim is covered. *)

From Coq Require Import QArith ZArith List.
From Contextual.reader Require Import Core Check Sound Words.
Open Scope page_scope.

Definition g : found :=
  3.
Definition bits : inputs :=
  Words g g (fun _ => [0, 1]).
Definition n : found :=
  2.
Definition words : inputs :=
  Words 0 n (fun _ => [0, 1]).
Definition last (w : found) : found :=
  g - 1 + len w.
Definition head_at (h : found) : layer :=
  layer_with h (fun h => becomes 1 (fun x i =>
    r <- read average (fun j => x.[j].[1]) (fun j => - abs (i - h - j)) (fun j => j <= i) None x then
    [x.[i].[c] if c != h + 2 else r for c in range 1 (g + 1)])).
Definition all_heads : network :=
  family (dots (0 ;; 1 ;; nil) (g - 1)) (fun h => use (head_at h)).
Definition y (w : found) : found :=
  by_items ((range 1 (last w), fun y j => w.[j - g + 1] if j >= g else 2) ;; nil).
Definition slots (w : found) : found :=
  (run all_heads [[(y w).[j] if c = 1 else 0 for c in range 1 (g + 1)] for j in range 1 (last w)]).[last w].
Definition t (w : found) : found :=
  last w + 1.
Definition copy (l : found) : layer :=
  layer_with l (fun l => becomes 1 (fun x i =>
    r <- read average (fun j => x.[j].[l]) (fun j => - abs (i - 1 - j)) (fun j => j <= i) None x then
    [x.[i].[c] if c != l + 1 else r for c in range 1 g])).
Definition layers_up_to (m : found) : network :=
  with_argument m (fun m => family (range 1 m) (fun l => use (copy l))).
Definition copied (w : found) (m : found) : found :=
  m <- m then (run (layers_up_to m) [[(y w).[j] if c = 1 else 0 for c in range 1 g] for j in range 1 (last
    w)]).[last w].
Definition window : layer :=
  becomes 1 (fun x i =>
    r <- read average (fun j => [10 ^ (- j) * x.[j].[1], 10 ^ (- j) * x.[j].[2], 10 ^ (- j) * x.[j].[3]]) (fun j =>
      - max [i - (g - 2) - j, 0]) (fun j => j <= i) None x then
    r).
Definition one_head : network :=
  use window.
Definition hot (a : found) (c : found) : found :=
  a <- a then c <- c then 1 if a = c else 0.
Definition symbols (w : found) : found :=
  [[hot (y w).[j] c for c in range 0 2] for j in range 1 (last w)].
Definition a (w : found) : found :=
  (run one_head (symbols w)).[last w].
Definition sum_of (w : found) (c : found) : found :=
  c <- c then sum [10 ^ (- j) * hot (y w).[j] c for j in range (t w - g + 1) (t w - 1)].
Definition exchanged : layer :=
  becomes 1 (fun x i =>
    r <- read average (fun j => [10 ^ (- j) * x.[j].[1], 10 ^ (- j) * x.[j].[2], 10 ^ (- j) * x.[j].[3]]) (fun j =>
      - max [(1 - (g - 2)) * j - i, 0]) (fun j => j <= i) None x then
    r).
Definition one_head_exchanged : network :=
  use exchanged.
Definition z (x : found) (d : found) (i : found) : found :=
  x <- x then d <- d then i <- i then 10 ^ i * x - sum [10 ^ (i - j) * d.[j] for j in range 1 (i - 1)] - 1 + 10 ^
    (- g).
Definition scale (w : found) : found :=
  10 ^ len w * (g - 1).
Definition history (w : found) : found :=
  [(y w).[t w - g + i] for i in range 1 (g - 1)].
Definition relus (u : found) : found :=
  u <- u then 10 ^ g * (max [u, 0] - max [u - 10 ^ (- g), 0]).
Definition x (b : found) : found :=
  sum [10 ^ (- i) * b.[i] for i in range 1 (g - 1)].
Definition example : found :=
  [0, 1, 0, 0].

Strategy expand [last y slots t copied symbols a sum_of scale history x].

(** ngram.and, statement, Lemma B.1
    "ReLU(v.x - (m-1)) is AND." *)
Definition ngram_and (b : found) : lines :=
  for r in range 0 (2 ^ g - 1) :
    when (r > 0) (line 1 : max [sum [b.[k] for k in range 1 g if mod_ (div r (2 ^ (k - 1))) 2 = 1] - count [mod_
      (div r (2 ^ (k - 1))) 2 = 1 for k in range 1 g] + 1, 0] = (1 if all [mod_ (div r (2 ^ (k - 1))) 2 = 0 or
      b.[k] = 1 for k in range 1 g] else 0)).
(** Computed. *)
Lemma ngram_and_run : check 100000 1 bits everywhere ngram_and =
  Some (Report 8 0 ((56%Z, None) ;; nil)).
Proof.
  vm_cast_no_check (eq_refl (Some (Report 8 0 ((56%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem ngram_and_holds : forall w, a_case bits w ->
  hold (ngram_and (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ ngram_and_run eq_refl)). Qed.
(** Its cases. *)
Theorem ngram_and_cases : exactly 8 (admitted bits everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ ngram_and_run eq_refl)). Qed.

(** ngram.head, statement, Lemma B.3, the query at t - 1
    "Head h reads y at t - 1 - h, where it exists." *)
Definition ngram_head (w : found) : lines :=
  for h in range 0 (g - 1) :
    when (t w - 1 - h >= 1) (line 1 : (slots w).[h + 2] = (y w).[t w - 1 - h]).
(** Computed. *)
Lemma ngram_head_run : check 100000 1 words everywhere ngram_head =
  Some (Report 7 0 ((20%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words everywhere (fun w : found =>
    let last := g - 1 + len w in
    let y := by_items ((range 1 last, fun y j => w.[j - g + 1] if j >= g else 2) ;; nil) in
    let slots := (run all_heads [[y.[j] if c = 1 else 0 for c in range 1 (g + 1)] for j in range 1 last]).[last] in
    let t := last + 1 in
    for h in range 0 (g - 1) :
    when (t - 1 - h >= 1) (line 1 : slots.[h + 2] = y.[t - 1 - h]))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 7 0 ((20%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem ngram_head_holds : forall w, a_case words w ->
  hold (ngram_head (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ ngram_head_run eq_refl)). Qed.
(** Its cases. *)
Theorem ngram_head_cases : exactly 7 (admitted words everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ ngram_head_run eq_refl)). Qed.

(** ngram.heads, statement, Theorem 3.1, h = 1..g-1
    "The heads at t - 1 read y_(t-1), ..., y_(t-g+1)." *)
Definition ngram_heads (w : found) : lines :=
  for h in range 1 (g - 1) :
    line 1 : (slots w).[h + 2] = (y w).[t w - h].
(** Computed. *)
Lemma ngram_heads_run : check 100000 1 words everywhere ngram_heads =
  Some (Report 7 6 ((14%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words everywhere (fun w : found =>
    let last := g - 1 + len w in
    let y := by_items ((range 1 last, fun y j => w.[j - g + 1] if j >= g else 2) ;; nil) in
    let slots := (run all_heads [[y.[j] if c = 1 else 0 for c in range 1 (g + 1)] for j in range 1 last]).[last] in
    let t := last + 1 in
    for h in range 1 (g - 1) :
    line 1 : slots.[h + 2] = y.[t - h])).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 7 6 ((14%Z, None) ;; nil)))).
Qed.
(** It is false. *)
Theorem ngram_heads_fails : ~ (forall w, a_case words w ->
  hold (ngram_heads (Is w))).
Proof. exact (refuted _ _ _ _ _ _ ngram_heads_run ltac:(discriminate)). Qed.
(** Computed. *)
Lemma ngram_heads_first_run : first 100000 words everywhere ngram_heads =
  match ([0])%page with Is w => Some (1%Z, w) | Refused => None end.
Proof.
  transitivity (first 100000 words everywhere (fun w : found =>
    let last := g - 1 + len w in
    let y := by_items ((range 1 last, fun y j => w.[j - g + 1] if j >= g else 2) ;; nil) in
    let slots := (run all_heads [[y.[j] if c = 1 else 0 for c in range 1 (g + 1)] for j in range 1 last]).[last] in
    let t := last + 1 in
    for h in range 1 (g - 1) :
    line 1 : slots.[h + 2] = y.[t - h])).
  - reflexivity.
  - vm_cast_no_check (eq_refl (match ([0])%page with Is w => Some (1%Z, w) | Refused => None end)).
Qed.
(** The first case where it fails, and its rank. *)
Theorem ngram_heads_first : exists w, Is w = ([0])%page /\ first_failure 100000 words everywhere ngram_heads 1 w.
Proof. eexists. split; [vm_compute; reflexivity|]. exact (first_is _ _ _ _ _ _ ngram_heads_first_run). Qed.

(** ngram.heads.from-0, repair, Theorem 3.1, h = 0..g-2
    "The heads at t - 1 read y_(t-1), ..., y_(t-g+1)." *)
Definition ngram_heads_from_0 (w : found) : lines :=
  for h in range 0 (g - 2) :
    line 1 : (slots w).[h + 2] = (y w).[t w - 1 - h].
(** Computed. *)
Lemma ngram_heads_from_0_run : check 100000 1 words everywhere ngram_heads_from_0 =
  Some (Report 7 0 ((14%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words everywhere (fun w : found =>
    let last := g - 1 + len w in
    let y := by_items ((range 1 last, fun y j => w.[j - g + 1] if j >= g else 2) ;; nil) in
    let slots := (run all_heads [[y.[j] if c = 1 else 0 for c in range 1 (g + 1)] for j in range 1 last]).[last] in
    let t := last + 1 in
    for h in range 0 (g - 2) :
    line 1 : slots.[h + 2] = y.[t - 1 - h])).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 7 0 ((14%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem ngram_heads_from_0_holds : forall w, a_case words w ->
  hold (ngram_heads_from_0 (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ ngram_heads_from_0_run eq_refl)). Qed.
(** Its cases. *)
Theorem ngram_heads_from_0_cases : exactly 7 (admitted words everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ ngram_heads_from_0_run eq_refl)). Qed.

(** ngram.layers-step, step, Theorem 3.2
    "After l layers slots 1..l+1 hold y_(t-1), ..., y_(t-1-l)." *)
Definition ngram_layers_step (w : found) : lines :=
  for l in range 0 (g - 2) :
    for s in range 1 (l + 1) :
    line 1 : (copied w l).[s] = (y w).[t w - s].
(** Computed. *)
Lemma ngram_layers_step_run : check 100000 1 words everywhere ngram_layers_step =
  Some (Report 7 0 ((21%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words everywhere (fun w : found =>
    let last := g - 1 + len w in
    let y := by_items ((range 1 last, fun y j => w.[j - g + 1] if j >= g else 2) ;; nil) in
    let t := last + 1 in
    let copied := fun (m : found) => m <- m then (run (layers_up_to m) [[y.[j] if c = 1 else 0 for c in range 1 g]
      for j in range 1 last]).[last] in
    for l in range 0 (g - 2) :
    for s in range 1 (l + 1) :
    line 1 : (copied l).[s] = y.[t - s])).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 7 0 ((21%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem ngram_layers_step_holds : forall w, a_case words w ->
  hold (ngram_layers_step (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ ngram_layers_step_run eq_refl)). Qed.
(** Its cases. *)
Theorem ngram_layers_step_cases : exactly 7 (admitted words everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ ngram_layers_step_run eq_refl)). Qed.

(** ngram.layers, statement, Theorem 3.2, with a slot more than it has
    "The history is in the slots after g - 1 layers, and after g - 2." *)
Definition ngram_layers (w : found) : lines :=
  block ((for s in range 1 (g - 1) :
    line 1 : (copied w (g - 1)).[s] = (y w).[t w - s]) ;;
    (for s in range 1 (g - 1) :
    line 2 : (copied w (g - 2)).[s] = (y w).[t w - s]) ;;
    nil).
(** Computed. *)
Lemma ngram_layers_run : check 100000 2 words everywhere ngram_layers =
  Some (Report 7 0 ((14%Z, None) ;; (14%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 2 words everywhere (fun w : found =>
    let last := g - 1 + len w in
    let y := by_items ((range 1 last, fun y j => w.[j - g + 1] if j >= g else 2) ;; nil) in
    let t := last + 1 in
    let copied := fun (m : found) => m <- m then (run (layers_up_to m) [[y.[j] if c = 1 else 0 for c in range 1 g]
      for j in range 1 last]).[last] in
    block ((for s in range 1 (g - 1) :
    line 1 : (copied (g - 1)).[s] = y.[t - s]) ;;
    (for s in range 1 (g - 1) :
    line 2 : (copied (g - 2)).[s] = y.[t - s]) ;;
    nil))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 7 0 ((14%Z, None) ;; (14%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem ngram_layers_holds : forall w, a_case words w ->
  hold (ngram_layers (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ ngram_layers_run eq_refl)). Qed.
(** Its cases. *)
Theorem ngram_layers_cases : exactly 7 (admitted words everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ ngram_layers_run eq_refl)). Qed.

(** ngram.fits, statement, Theorem 3.2
    "The block of V lies off the rows of positions, l = 1..g-1." *)
Definition ngram_fits_lines : lines :=
  for l in range 1 (g - 1) :
    line 1 : l + 1 <= g - 1.
(** It is false. *)
Theorem ngram_fits_fails : ~ hold ngram_fits_lines.
Proof. apply not_held. vm_compute. reflexivity. Qed.

(** ngram.fits.fewer, repair, Theorem 3.2
    "The block of V lies off the rows of positions, l = 1..g-2." *)
Definition ngram_fits_fewer_lines : lines :=
  for l in range 1 (g - 2) :
    line 1 : l + 1 <= g - 1.
(** It holds. *)
Theorem ngram_fits_fewer_once : hold ngram_fits_fewer_lines.
Proof. apply held. vm_compute. reflexivity. Qed.

(** ngram.window, statement, Lemma B.6, (1; j)
    "The weight is 1/(g-1) on t-g+1..t-1." *)
Definition ngram_window (w : found) : lines :=
  for c in range 0 2 :
    line 1 : (g - 1) * (a w).[c + 1] = sum_of w c.
(** Computed. *)
Lemma ngram_window_run : check 100000 1 words everywhere ngram_window =
  Some (Report 7 0 ((21%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words everywhere (fun w : found =>
    let last := g - 1 + len w in
    let y := by_items ((range 1 last, fun y j => w.[j - g + 1] if j >= g else 2) ;; nil) in
    let t := last + 1 in
    let symbols := [[hot y.[j] c for c in range 0 2] for j in range 1 last] in
    let a := (run one_head symbols).[last] in
    let sum_of := fun (c : found) => c <- c then sum [10 ^ (- j) * hot y.[j] c for j in range (t - g + 1) (t - 1)]
      in
    for c in range 0 2 :
    line 1 : (g - 1) * a.[c + 1] = sum_of c)).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 7 0 ((21%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem ngram_window_holds : forall w, a_case words w ->
  hold (ngram_window (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ ngram_window_run eq_refl)). Qed.
(** Its cases. *)
Theorem ngram_window_cases : exactly 7 (admitted words everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ ngram_window_run eq_refl)). Qed.

(** ngram.window.exchanged, own, Lemma B.6, (j; 1)
    "The weight is 1/(g-1) on t-g+1..t-1." *)
Definition ngram_window_exchanged (w : found) : lines :=
  for c in range 0 2 :
    line 1 : (g - 1) * (run one_head_exchanged (symbols w)).[last w].[c + 1] = sum_of w c.
(** Computed. *)
Lemma ngram_window_exchanged_run : check 100000 1 words everywhere ngram_window_exchanged =
  Some (Report 7 6 ((21%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words everywhere (fun w : found =>
    let last := g - 1 + len w in
    let y := by_items ((range 1 last, fun y j => w.[j - g + 1] if j >= g else 2) ;; nil) in
    let t := last + 1 in
    let symbols := [[hot y.[j] c for c in range 0 2] for j in range 1 last] in
    let sum_of := fun (c : found) => c <- c then sum [10 ^ (- j) * hot y.[j] c for j in range (t - g + 1) (t - 1)]
      in
    for c in range 0 2 :
    line 1 : (g - 1) * (run one_head_exchanged symbols).[last].[c + 1] = sum_of c)).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 7 6 ((21%Z, None) ;; nil)))).
Qed.
(** It is false. *)
Theorem ngram_window_exchanged_fails : ~ (forall w, a_case words w ->
  hold (ngram_window_exchanged (Is w))).
Proof. exact (refuted _ _ _ _ _ _ ngram_window_exchanged_run ltac:(discriminate)). Qed.
(** Computed. *)
Lemma ngram_window_exchanged_first_run : first 100000 words everywhere ngram_window_exchanged =
  match ([0])%page with Is w => Some (1%Z, w) | Refused => None end.
Proof.
  transitivity (first 100000 words everywhere (fun w : found =>
    let last := g - 1 + len w in
    let y := by_items ((range 1 last, fun y j => w.[j - g + 1] if j >= g else 2) ;; nil) in
    let t := last + 1 in
    let symbols := [[hot y.[j] c for c in range 0 2] for j in range 1 last] in
    let sum_of := fun (c : found) => c <- c then sum [10 ^ (- j) * hot y.[j] c for j in range (t - g + 1) (t - 1)]
      in
    for c in range 0 2 :
    line 1 : (g - 1) * (run one_head_exchanged symbols).[last].[c + 1] = sum_of c)).
  - reflexivity.
  - vm_cast_no_check (eq_refl (match ([0])%page with Is w => Some (1%Z, w) | Refused => None end)).
Qed.
(** The first case where it fails, and its rank. *)
Theorem ngram_window_exchanged_first : exists w, Is w = ([0])%page /\ first_failure 100000 words everywhere
  ngram_window_exchanged 1 w.
Proof. eexists. split; [vm_compute; reflexivity|]. exact (first_is _ _ _ _ _ _ ngram_window_exchanged_first_run).
  Qed.

(** ngram.digits, statement, B.7, B.8
    "Digit i of a'_y is 1 iff y_(t-g+i) = y." *)
Definition ngram_digits (w : found) : lines :=
  for c in range 0 2 :
    for i in range 1 (g - 1) :
    line 1 : (z (scale w * (a w).[c + 1]) [hot s c for s in history w] i > 0) iff ((history w).[i] = c).
(** Computed. *)
Lemma ngram_digits_run : check 100000 1 words everywhere ngram_digits =
  Some (Report 7 0 ((42%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words everywhere (fun w : found =>
    let last := g - 1 + len w in
    let y := by_items ((range 1 last, fun y j => w.[j - g + 1] if j >= g else 2) ;; nil) in
    let t := last + 1 in
    let symbols := [[hot y.[j] c for c in range 0 2] for j in range 1 last] in
    let a := (run one_head symbols).[last] in
    let scale := 10 ^ len w * (g - 1) in
    let history := [y.[t - g + i] for i in range 1 (g - 1)] in
    for c in range 0 2 :
    for i in range 1 (g - 1) :
    line 1 : (z (scale * a.[c + 1]) [hot s c for s in history] i > 0) iff (history.[i] = c))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 7 0 ((42%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem ngram_digits_holds : forall w, a_case words w ->
  hold (ngram_digits (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ ngram_digits_run eq_refl)). Qed.
(** Its cases. *)
Theorem ngram_digits_cases : exactly 7 (admitted words everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ ngram_digits_run eq_refl)). Qed.

(** ngram.digit-layer, statement, B.9, B.10, with the minus signs of (102b), (104b)
    "The layers give the digits." *)
Definition ngram_digit_layer (b : found) : lines :=
  for i in range 1 (g - 1) :
    line 1 : relus (z (x b) b i) = b.[i].
(** Computed. *)
Lemma ngram_digit_layer_run : check 100000 1 bits everywhere ngram_digit_layer =
  Some (Report 8 0 ((16%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 bits everywhere (fun b : found =>
    let x := sum [10 ^ (- i) * b.[i] for i in range 1 (g - 1)] in
    for i in range 1 (g - 1) :
    line 1 : relus (z x b i) = b.[i])).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 8 0 ((16%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem ngram_digit_layer_holds : forall w, a_case bits w ->
  hold (ngram_digit_layer (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ ngram_digit_layer_run eq_refl)). Qed.
(** Its cases. *)
Theorem ngram_digit_layer_cases : exactly 8 (admitted bits everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ ngram_digit_layer_run eq_refl)). Qed.

(** ngram.digit-layer.plus-pair, statement, B.10, (111) as it is printed: + between the pair
    "The layers give the digits." *)
Definition ngram_digit_layer_plus_pair (b : found) : lines :=
  for i in range 1 (g - 1) :
    line 1 : 10 ^ g * (max [z (x b) b i, 0] + max [z (x b) b i - 10 ^ (- g), 0]) = b.[i].
(** Computed. *)
Lemma ngram_digit_layer_plus_pair_run : check 100000 1 bits everywhere ngram_digit_layer_plus_pair =
  Some (Report 8 2 ((16%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 bits everywhere (fun b : found =>
    let x := sum [10 ^ (- i) * b.[i] for i in range 1 (g - 1)] in
    for i in range 1 (g - 1) :
    line 1 : 10 ^ g * (max [z x b i, 0] + max [z x b i - 10 ^ (- g), 0]) = b.[i])).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 8 2 ((16%Z, None) ;; nil)))).
Qed.
(** It is false. *)
Theorem ngram_digit_layer_plus_pair_fails : ~ (forall w, a_case bits w ->
  hold (ngram_digit_layer_plus_pair (Is w))).
Proof. exact (refuted _ _ _ _ _ _ ngram_digit_layer_plus_pair_run ltac:(discriminate)). Qed.
(** Computed. *)
Lemma ngram_digit_layer_plus_pair_first_run : first 100000 bits everywhere ngram_digit_layer_plus_pair =
  match ([1, 1, 0])%page with Is w => Some (6%Z, w) | Refused => None end.
Proof.
  transitivity (first 100000 bits everywhere (fun b : found =>
    let x := sum [10 ^ (- i) * b.[i] for i in range 1 (g - 1)] in
    for i in range 1 (g - 1) :
    line 1 : 10 ^ g * (max [z x b i, 0] + max [z x b i - 10 ^ (- g), 0]) = b.[i])).
  - reflexivity.
  - vm_cast_no_check (eq_refl (match ([1, 1, 0])%page with Is w => Some (6%Z, w) | Refused => None end)).
Qed.
(** The first case where it fails, and its rank. *)
Theorem ngram_digit_layer_plus_pair_first : exists w, Is w = ([1, 1, 0])%page /\ first_failure 100000 bits
  everywhere ngram_digit_layer_plus_pair 6 w.
Proof. eexists. split; [vm_compute; reflexivity|]. exact (first_is _ _ _ _ _ _
  ngram_digit_layer_plus_pair_first_run). Qed.

(** ngram.digit-layer.plus-row, statement, B.9, (110a) as it is printed: + before the digits
    "The layers give the digits." *)
Definition ngram_digit_layer_plus_row (b : found) : lines :=
  for i in range 1 (g - 1) :
    line 1 : relus (10 ^ i * x b + sum [10 ^ (i - j) * b.[j] for j in range 1 (i - 1)] - 1 + 10 ^ (- g)) = b.[i].
(** Computed. *)
Lemma ngram_digit_layer_plus_row_run : check 100000 1 bits everywhere ngram_digit_layer_plus_row =
  Some (Report 8 2 ((16%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 bits everywhere (fun b : found =>
    let x := sum [10 ^ (- i) * b.[i] for i in range 1 (g - 1)] in
    for i in range 1 (g - 1) :
    line 1 : relus (10 ^ i * x + sum [10 ^ (i - j) * b.[j] for j in range 1 (i - 1)] - 1 + 10 ^ (- g)) = b.[i])).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 8 2 ((16%Z, None) ;; nil)))).
Qed.
(** It is false. *)
Theorem ngram_digit_layer_plus_row_fails : ~ (forall w, a_case bits w ->
  hold (ngram_digit_layer_plus_row (Is w))).
Proof. exact (refuted _ _ _ _ _ _ ngram_digit_layer_plus_row_run ltac:(discriminate)). Qed.
(** Computed. *)
Lemma ngram_digit_layer_plus_row_first_run : first 100000 bits everywhere ngram_digit_layer_plus_row =
  match ([1, 0, 0])%page with Is w => Some (4%Z, w) | Refused => None end.
Proof.
  transitivity (first 100000 bits everywhere (fun b : found =>
    let x := sum [10 ^ (- i) * b.[i] for i in range 1 (g - 1)] in
    for i in range 1 (g - 1) :
    line 1 : relus (10 ^ i * x + sum [10 ^ (i - j) * b.[j] for j in range 1 (i - 1)] - 1 + 10 ^ (- g)) = b.[i])).
  - reflexivity.
  - vm_cast_no_check (eq_refl (match ([1, 0, 0])%page with Is w => Some (4%Z, w) | Refused => None end)).
Qed.
(** The first case where it fails, and its rank. *)
Theorem ngram_digit_layer_plus_row_first : exists w, Is w = ([1, 0, 0])%page /\ first_failure 100000 bits
  everywhere ngram_digit_layer_plus_row 4 w.
Proof. eexists. split; [vm_compute; reflexivity|]. exact (first_is _ _ _ _ _ _
  ngram_digit_layer_plus_row_first_run). Qed.

(** ngram.interval, statement, (103)
    "z_i <= 0 or z_i >= 10^-(N+1)." *)
Definition ngram_interval (b : found) : lines :=
  for i in range 1 (g - 1) :
    line 1 : (z (x b) b i <= 0 or z (x b) b i >= 10 ^ (- g)) = yes.
(** Computed. *)
Lemma ngram_interval_run : check 100000 1 bits everywhere ngram_interval =
  Some (Report 8 0 ((16%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 bits everywhere (fun b : found =>
    let x := sum [10 ^ (- i) * b.[i] for i in range 1 (g - 1)] in
    for i in range 1 (g - 1) :
    line 1 : (z x b i <= 0 or z x b i >= 10 ^ (- g)) = yes)).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 8 0 ((16%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem ngram_interval_holds : forall w, a_case bits w ->
  hold (ngram_interval (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ ngram_interval_run eq_refl)). Qed.
(** Its cases. *)
Theorem ngram_interval_cases : exactly 8 (admitted bits everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ ngram_interval_run eq_refl)). Qed.

(** ngram.domain, statement, App. B.2.6
    "These x lie in (10^-(N+1), 1/10]." *)
Definition ngram_domain (b : found) : lines :=
  block (line 1 : 10 ^ (- g) < x b ;;
    line 2 : x b <= 1 / 10 ;;
    nil).
(** Computed. *)
Lemma ngram_domain_run : check 100000 2 bits everywhere ngram_domain =
  Some (Report 8 4 ((8%Z, Some (9 # 1000)%Q) ;; (8%Z, Some (0 # 1)%Q) ;; nil)).
Proof.
  transitivity (check 100000 2 bits everywhere (fun b : found =>
    let x := sum [10 ^ (- i) * b.[i] for i in range 1 (g - 1)] in
    block (line 1 : 10 ^ (- g) < x ;;
    line 2 : x <= 1 / 10 ;;
    nil))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 8 4 ((8%Z, Some (9 # 1000)%Q) ;; (8%Z, Some (0 # 1)%Q) ;; nil)))).
Qed.
(** It is false. *)
Theorem ngram_domain_fails : ~ (forall w, a_case bits w ->
  hold (ngram_domain (Is w))).
Proof. exact (refuted _ _ _ _ _ _ ngram_domain_run ltac:(discriminate)). Qed.
(** Computed. *)
Lemma ngram_domain_first_run : first 100000 bits everywhere ngram_domain =
  match ([0, 0, 0])%page with Is w => Some (0%Z, w) | Refused => None end.
Proof.
  transitivity (first 100000 bits everywhere (fun b : found =>
    let x := sum [10 ^ (- i) * b.[i] for i in range 1 (g - 1)] in
    block (line 1 : 10 ^ (- g) < x ;;
    line 2 : x <= 1 / 10 ;;
    nil))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (match ([0, 0, 0])%page with Is w => Some (0%Z, w) | Refused => None end)).
Qed.
(** The first case where it fails, and its rank. *)
Theorem ngram_domain_first : exists w, Is w = ([0, 0, 0])%page /\ first_failure 100000 bits everywhere ngram_domain
  0 w.
Proof. eexists. split; [vm_compute; reflexivity|]. exact (first_is _ _ _ _ _ _ ngram_domain_first_run). Qed.

(** ngram.norm, statement, Lemma B.11, BOS a coordinate
    "The sum of a is 10^(g-1-t)/(g-1) (1 - 10^-(g-1))/(1 - 1/10)." *)
Definition ngram_norm (w : found) : lines :=
  line 1 : scale w * 10 * sum (a w) = (1 - 10 ^ (- (g - 1))) / (1 - 1 / 10).
(** Computed. *)
Lemma ngram_norm_run : check 100000 1 words everywhere ngram_norm =
  Some (Report 7 0 ((7%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words everywhere (fun w : found =>
    let last := g - 1 + len w in
    let y := by_items ((range 1 last, fun y j => w.[j - g + 1] if j >= g else 2) ;; nil) in
    let symbols := [[hot y.[j] c for c in range 0 2] for j in range 1 last] in
    let a := (run one_head symbols).[last] in
    let scale := 10 ^ len w * (g - 1) in
    line 1 : scale * 10 * sum a = (1 - 10 ^ (- (g - 1))) / (1 - 1 / 10))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 7 0 ((7%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem ngram_norm_holds : forall w, a_case words w ->
  hold (ngram_norm (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ ngram_norm_run eq_refl)). Qed.
(** Its cases. *)
Theorem ngram_norm_cases : exactly 7 (admitted words everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ ngram_norm_run eq_refl)). Qed.

(** ngram.norm.no-BOS, own, Lemma B.11, BOS no coordinate
    "The sum of a is 10^(g-1-t)/(g-1) (1 - 10^-(g-1))/(1 - 1/10)." *)
Definition ngram_norm_no_BOS (w : found) : lines :=
  line 1 : scale w * 10 * ((a w).[1] + (a w).[2]) = (1 - 10 ^ (- (g - 1))) / (1 - 1 / 10).
(** Computed. *)
Lemma ngram_norm_no_BOS_run : check 100000 1 words everywhere ngram_norm_no_BOS =
  Some (Report 7 3 ((7%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words everywhere (fun w : found =>
    let last := g - 1 + len w in
    let y := by_items ((range 1 last, fun y j => w.[j - g + 1] if j >= g else 2) ;; nil) in
    let symbols := [[hot y.[j] c for c in range 0 2] for j in range 1 last] in
    let a := (run one_head symbols).[last] in
    let scale := 10 ^ len w * (g - 1) in
    line 1 : scale * 10 * (a.[1] + a.[2]) = (1 - 10 ^ (- (g - 1))) / (1 - 1 / 10))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 7 3 ((7%Z, None) ;; nil)))).
Qed.
(** It is false. *)
Theorem ngram_norm_no_BOS_fails : ~ (forall w, a_case words w ->
  hold (ngram_norm_no_BOS (Is w))).
Proof. exact (refuted _ _ _ _ _ _ ngram_norm_no_BOS_run ltac:(discriminate)). Qed.
(** Computed. *)
Lemma ngram_norm_no_BOS_first_run : first 100000 words everywhere ngram_norm_no_BOS =
  match ([])%page with Is w => Some (0%Z, w) | Refused => None end.
Proof.
  transitivity (first 100000 words everywhere (fun w : found =>
    let last := g - 1 + len w in
    let y := by_items ((range 1 last, fun y j => w.[j - g + 1] if j >= g else 2) ;; nil) in
    let symbols := [[hot y.[j] c for c in range 0 2] for j in range 1 last] in
    let a := (run one_head symbols).[last] in
    let scale := 10 ^ len w * (g - 1) in
    line 1 : scale * 10 * (a.[1] + a.[2]) = (1 - 10 ^ (- (g - 1))) / (1 - 1 / 10))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (match ([])%page with Is w => Some (0%Z, w) | Refused => None end)).
Qed.
(** The first case where it fails, and its rank. *)
Theorem ngram_norm_no_BOS_first : exists w, Is w = ([])%page /\ first_failure 100000 words everywhere
  ngram_norm_no_BOS 0 w.
Proof. eexists. split; [vm_compute; reflexivity|]. exact (first_is _ _ _ _ _ _ ngram_norm_no_BOS_first_run). Qed.

(** ngram.scale, statement, Corollary B.1, BOS a coordinate
    "a/(sum of a) 1/10 (1 - 10^-(g-1))/(1 - 1/10) = a'." *)
Definition ngram_scale (w : found) : lines :=
  for c in range 1 3 :
    line 1 : (a w).[c] / 10 * (1 - 10 ^ (- (g - 1))) / (1 - 1 / 10) = scale w * (a w).[c] * sum (a w).
(** Computed. *)
Lemma ngram_scale_run : check 100000 1 words everywhere ngram_scale =
  Some (Report 7 0 ((21%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words everywhere (fun w : found =>
    let last := g - 1 + len w in
    let y := by_items ((range 1 last, fun y j => w.[j - g + 1] if j >= g else 2) ;; nil) in
    let symbols := [[hot y.[j] c for c in range 0 2] for j in range 1 last] in
    let a := (run one_head symbols).[last] in
    let scale := 10 ^ len w * (g - 1) in
    for c in range 1 3 :
    line 1 : a.[c] / 10 * (1 - 10 ^ (- (g - 1))) / (1 - 1 / 10) = scale * a.[c] * sum a)).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 7 0 ((21%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem ngram_scale_holds : forall w, a_case words w ->
  hold (ngram_scale (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ ngram_scale_run eq_refl)). Qed.
(** Its cases. *)
Theorem ngram_scale_cases : exactly 7 (admitted words everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ ngram_scale_run eq_refl)). Qed.

(** ngram.scale.no-factor, own, Corollary B.1 without the factor 1/10
    "a/(sum of a) (1 - 10^-(g-1))/(1 - 1/10) = a'." *)
Definition ngram_scale_no_factor (w : found) : lines :=
  for c in range 1 3 :
    line 1 : (a w).[c] * (1 - 10 ^ (- (g - 1))) / (1 - 1 / 10) = scale w * (a w).[c] * sum (a w).
(** Computed. *)
Lemma ngram_scale_no_factor_run : check 100000 1 words everywhere ngram_scale_no_factor =
  Some (Report 7 7 ((21%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words everywhere (fun w : found =>
    let last := g - 1 + len w in
    let y := by_items ((range 1 last, fun y j => w.[j - g + 1] if j >= g else 2) ;; nil) in
    let symbols := [[hot y.[j] c for c in range 0 2] for j in range 1 last] in
    let a := (run one_head symbols).[last] in
    let scale := 10 ^ len w * (g - 1) in
    for c in range 1 3 :
    line 1 : a.[c] * (1 - 10 ^ (- (g - 1))) / (1 - 1 / 10) = scale * a.[c] * sum a)).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 7 7 ((21%Z, None) ;; nil)))).
Qed.
(** It is false. *)
Theorem ngram_scale_no_factor_fails : ~ (forall w, a_case words w ->
  hold (ngram_scale_no_factor (Is w))).
Proof. exact (refuted _ _ _ _ _ _ ngram_scale_no_factor_run ltac:(discriminate)). Qed.
(** Computed. *)
Lemma ngram_scale_no_factor_first_run : first 100000 words everywhere ngram_scale_no_factor =
  match ([])%page with Is w => Some (0%Z, w) | Refused => None end.
Proof.
  transitivity (first 100000 words everywhere (fun w : found =>
    let last := g - 1 + len w in
    let y := by_items ((range 1 last, fun y j => w.[j - g + 1] if j >= g else 2) ;; nil) in
    let symbols := [[hot y.[j] c for c in range 0 2] for j in range 1 last] in
    let a := (run one_head symbols).[last] in
    let scale := 10 ^ len w * (g - 1) in
    for c in range 1 3 :
    line 1 : a.[c] * (1 - 10 ^ (- (g - 1))) / (1 - 1 / 10) = scale * a.[c] * sum a)).
  - reflexivity.
  - vm_cast_no_check (eq_refl (match ([])%page with Is w => Some (0%Z, w) | Refused => None end)).
Qed.
(** The first case where it fails, and its rank. *)
Theorem ngram_scale_no_factor_first : exists w, Is w = ([])%page /\ first_failure 100000 words everywhere
  ngram_scale_no_factor 0 w.
Proof. eexists. split; [vm_compute; reflexivity|]. exact (first_is _ _ _ _ _ _ ngram_scale_no_factor_first_run).
  Qed.

(** ngram.example, statement, the text's example, in order of time
    "abaa gives a'_a = 0.1011 and a'_b = 0.0100." *)
Definition ngram_example_lines : lines :=
  block (line 1 : sum [10 ^ (- i) * hot example.[i] 0 for i in range 1 4] = 1011 / 10000 ;;
    line 2 : sum [10 ^ (- i) * hot example.[i] 1 for i in range 1 4] = 100 / 10000 ;;
    nil).
(** It holds. *)
Theorem ngram_example_once : hold ngram_example_lines.
Proof. apply held. vm_compute. reflexivity. Qed.

(** ngram.example.newest-first, own, the text's example, newest first
    "abaa gives a'_a = 0.1011 and a'_b = 0.0100." *)
Definition ngram_example_newest_first_lines : lines :=
  line 1 : sum [10 ^ (- i) * hot example.[5 - i] 0 for i in range 1 4] = 1011 / 10000.
(** It is false. *)
Theorem ngram_example_newest_first_fails : ~ hold ngram_example_newest_first_lines.
Proof. apply not_held. vm_compute. reflexivity. Qed.

Definition proved := (ngram_and_holds, ngram_and_cases, ngram_head_holds, ngram_head_cases, ngram_heads_fails,
  ngram_heads_first,
    ngram_heads_from_0_holds, ngram_heads_from_0_cases, ngram_layers_step_holds, ngram_layers_step_cases,
    ngram_layers_holds, ngram_layers_cases, ngram_fits_fails, ngram_fits_fewer_once, ngram_window_holds,
    ngram_window_cases, ngram_window_exchanged_fails, ngram_window_exchanged_first, ngram_digits_holds,
    ngram_digits_cases, ngram_digit_layer_holds, ngram_digit_layer_cases, ngram_digit_layer_plus_pair_fails,
    ngram_digit_layer_plus_pair_first, ngram_digit_layer_plus_row_fails, ngram_digit_layer_plus_row_first,
    ngram_interval_holds, ngram_interval_cases, ngram_domain_fails, ngram_domain_first, ngram_norm_holds,
    ngram_norm_cases, ngram_norm_no_BOS_fails, ngram_norm_no_BOS_first, ngram_scale_holds, ngram_scale_cases,
    ngram_scale_no_factor_fails, ngram_scale_no_factor_first, ngram_example_once,
    ngram_example_newest_first_fails).
Print Assumptions proved.
