(** The Transformer Cookbook's softmax bounds and networks for words

    At n = 2, N = 2. Written by `verify --paper FILE --coq`: the page's own names, each with a ' at its end,
    the words of Core.v, the notation of Words.v. A claim's theorems end in 'holds, 'fails, 'across or 'once;
    'cases says how many cases it is about, 'least_k the least slack of its sign k, 'first which case fails
    first. If the file compiles they are proved; what is 'run is computed by Coq.

    Every claim is covered. *)

From Coq Require Import QArith ZArith List.
From Contextual.reader Require Import Core Check Sound Across Words.
Open Scope page_scope.

Definition n' : found :=
  2.
Definition integers' : inputs :=
  Words n' n' (fun _ => [0, 1, 2, 3]).
Definition tops' (s' : found) : found :=
  count [t' = max s' for t' in s'].
Definition up' (x' : found) : found :=
  x' <- x' then [x' ^ k' for k' in range 0 3].
Definition W' (s' : found) (x' : found) : found :=
  x' <- x' then sum [(up' x').[s'.[j'] + 1] for j' in range 1 n'].
Definition distance_Z_tops' (s' : found) (x' : found) : found :=
  x' <- x' then sum [abs (tops' s' * (up' x').[s'.[j'] + 1] - (W' s' x' if s'.[j'] = max s' else 0)) for j' in
    range 1 n'].
Definition gap' (s' : found) : found :=
  max s' - max [t' for t' in s' if t' < max s'].
Definition words_' : inputs :=
  Words 1 n' (fun _ => [0, 1]).
Definition block' (x' : found) (b' : found) : found :=
  x' <- x' then b' <- b' then [x'.[2 * b' + 1], x'.[2 * b' + 2]].
Definition into' (v' : found) (b' : found) : found :=
  v' <- v' then b' <- b' then [v'.[c' - 2 * b'] if 2 * b' < c' <= 2 * b' + 2 else 0 for c' in range 1 6].
Definition previous' : layer :=
  becomes 1 (fun x' i' =>
    r' <- read average (fun j' => block' x'.[j'] 0) (fun j' => j') (fun j' => j' < i') None x' then
    x'.[i'] + into' r' 1).
Definition crossed' : layer :=
  becomes 1 (fun x' i' =>
    r' <- read rightmost (fun j' => block' x'.[j'] 0) (fun j' => dot (block' x'.[i'] 0) (block' x'.[j'] 1)) (fun j'
      => j' <= i') None x' then
    x'.[i'] + into' r' 2).
Definition induction' : network :=
  in_turn (use previous' ;; use crossed' ;; nil).
Definition hot' (a' : found) : found :=
  a' <- a' then [1 - a', a'].
Definition m' (w' : found) : found :=
  len w'.
Definition letters' (w' : found) : found :=
  [into' (hot' w'.[i']) 0 for i' in range 1 (m' w')].
Definition seen' (w' : found) : found :=
  by_items ((range 1 (m' w'), fun seen' i' => [j' for j' in range 1 (i' - 1) if w'.[j'] = w'.[i']]) ;; nil).
Definition wanted' (w' : found) : found :=
  by_items ((range 1 (m' w'), fun wanted' i' => hot' (w'.[max (seen' w').[i'] + 1] if len (seen' w').[i'] > 0 else
    w'.[i'])) ;; nil).
Definition printed' : layer :=
  becomes 1 (fun x' i' =>
    r' <- read rightmost (fun j' => block' x'.[j'] 0) (fun j' => dot (block' x'.[i'] 1) (block' x'.[j'] 0)) (fun j'
      => j' <= i') None x' then
    x'.[i'] + into' r' 2).
Definition induction_printed' : network :=
  in_turn (use previous' ;; use printed' ;; nil).
Definition depths' : layer :=
  becomes 1 (fun x' i' =>
    mean' <- read average (fun j' => x'.[j'].[1]) (fun j' => 0) (fun j' => j' <= i') None x' then
    x'.[i'] + mean' * unit 2 4).
Definition below' : layer :=
  becomes 0 (fun x' i' =>
    x'.[i'] + max [- x'.[i'].[2], 0] * unit 3 4).
Definition ever' : layer :=
  becomes 1 (fun x' i' =>
    t' <- read average (fun j' => x'.[j'].[3]) (fun j' => 0) (fun j' => j' <= i') None x' then
    x'.[i'] + t' * unit 4 4).
Definition dyck1' : network :=
  in_turn (use depths' ;; use below' ;; use ever' ;; nil).
Definition Y' (w' : found) : found :=
  run dyck1' [[1 - 2 * w'.[i'], 0, 0, 0] for i' in range 1 (m' w')].
Definition B' (w' : found) : found :=
  by_items (([0], fun B' _ => 0) ;;
    (range 1 (m' w'), fun B' i' => B'.[i' - 1] + 1 - 2 * w'.[i']) ;; nil).
Definition balanced' (w' : found) : found :=
  all [(B' w').[i'] >= 0 for i' in range 0 (m' w')] and (B' w').[m' w'] = 0.
Definition GT' (e' : found) (t' : found) : found :=
  e' <- e' then t' <- t' then max [t', 0] / e' - max [t' - e', 0] / e'.
Definition EQ' (e' : found) (t' : found) : found :=
  e' <- e' then t' <- t' then max [t' + e', 0] / e' - 2 * max [t', 0] / e' + max [t' - e', 0] / e'.

Strategy expand [tops' W' distance_Z_tops' gap' m' letters' seen' wanted' Y' B' balanced'].

(** cook.rate, statement, hardmax as a limit
    "The sum of the absolute differences from the average of the maxima is at most 2 n x^(-gap), x = 2, 3." *)
Definition cook_rate'if (s' : found) : found :=
  distinct s' > 1.
Definition cook_rate'lines (s' : found) : lines :=
  for x' in [2, 3] :
    line 1 : distance_Z_tops' s' x' * (up' x').[gap' s' + 1] <= 2 * n' * W' s' x' * tops' s'.
(** Computed. *)
Lemma cook_rate'run : check 100000 1 integers' cook_rate'if cook_rate'lines =
  Some (Report 12 0 ((24%Z, Some (8 # 1)%Q) ;; nil)).
Proof.
  transitivity (check 100000 1 integers' cook_rate'if (fun s' : found =>
    let tops' := count [t' = max s' for t' in s'] in
    let W' := fun (x' : found) => x' <- x' then sum [(up' x').[s'.[j'] + 1] for j' in range 1 n'] in
    let distance_Z_tops' := fun (x' : found) => x' <- x' then sum [abs (tops' * (up' x').[s'.[j'] + 1] - (W' x' if
      s'.[j'] = max s' else 0)) for j' in range 1 n'] in
    let gap' := max s' - max [t' for t' in s' if t' < max s'] in
    for x' in [2, 3] :
    line 1 : distance_Z_tops' x' * (up' x').[gap' + 1] <= 2 * n' * W' x' * tops')).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 12 0 ((24%Z, Some (8 # 1)%Q) ;; nil)))).
Qed.
(** It holds. *)
Theorem cook_rate'holds : forall w, a_case integers' w ->
  hold (when (cook_rate'if (Is w)) (cook_rate'lines (Is w))).
Proof. exact (proj1 (reported _ _ _ _ _ _ cook_rate'run eq_refl)). Qed.
(** Its cases. *)
Theorem cook_rate'cases : exactly 12 (admitted integers' cook_rate'if).
Proof. exact (proj2 (reported _ _ _ _ _ _ cook_rate'run eq_refl)). Qed.
(** The least slack of its sign 1. *)
Theorem cook_rate'least_1 : least integers' cook_rate'if cook_rate'lines 1 (8 # 1)%Q.
Proof. exact (least_is _ _ _ _ _ _ 1 _ _ cook_rate'run ltac:(split; discriminate) eq_refl). Qed.

(** cook.induction.crossed, statement, A11, the indices crossed
    "Token i reads the letter after the last earlier occurrence of its own, itself if there is none." *)
Definition cook_induction_crossed'lines (w' : found) : lines :=
  for i' in range 1 (m' w') :
    line 1 : block' (run induction' (letters' w')).[i'] 2 = (wanted' w').[i'].
(** Computed. *)
Lemma cook_induction_crossed'run : check 100000 1 words_' everywhere cook_induction_crossed'lines =
  Some (Report 6 0 ((10%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words_' everywhere (fun w' : found =>
    let m' := len w' in
    let letters' := [into' (hot' w'.[i']) 0 for i' in range 1 m'] in
    let seen' := by_items ((range 1 m', fun seen' i' => [j' for j' in range 1 (i' - 1) if w'.[j'] = w'.[i']]) ;;
      nil) in
    let wanted' := by_items ((range 1 m', fun wanted' i' => hot' (w'.[max seen'.[i'] + 1] if len seen'.[i'] > 0
      else w'.[i'])) ;; nil) in
    for i' in range 1 m' :
    line 1 : block' (run induction' letters').[i'] 2 = wanted'.[i'])).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 6 0 ((10%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem cook_induction_crossed'holds : forall w, a_case words_' w ->
  hold (cook_induction_crossed'lines (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ cook_induction_crossed'run eq_refl)). Qed.
(** Its cases. *)
Theorem cook_induction_crossed'cases : exactly 6 (admitted words_' everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ cook_induction_crossed'run eq_refl)). Qed.

(** cook.induction.printed, statement, A11, as V prints it
    "Token i reads the letter after the last earlier occurrence of its own, itself if there is none." *)
Definition cook_induction_printed'lines (w' : found) : lines :=
  for i' in range 1 (m' w') :
    line 1 : block' (run induction_printed' (letters' w')).[i'] 2 = (wanted' w').[i'].
(** Computed. *)
Lemma cook_induction_printed'run : check 100000 1 words_' everywhere cook_induction_printed'lines =
  Some (Report 6 2 ((10%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words_' everywhere (fun w' : found =>
    let m' := len w' in
    let letters' := [into' (hot' w'.[i']) 0 for i' in range 1 m'] in
    let seen' := by_items ((range 1 m', fun seen' i' => [j' for j' in range 1 (i' - 1) if w'.[j'] = w'.[i']]) ;;
      nil) in
    let wanted' := by_items ((range 1 m', fun wanted' i' => hot' (w'.[max seen'.[i'] + 1] if len seen'.[i'] > 0
      else w'.[i'])) ;; nil) in
    for i' in range 1 m' :
    line 1 : block' (run induction_printed' letters').[i'] 2 = wanted'.[i'])).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 6 2 ((10%Z, None) ;; nil)))).
Qed.
(** It is false. *)
Theorem cook_induction_printed'fails : ~ (forall w, a_case words_' w ->
  hold (cook_induction_printed'lines (Is w))).
Proof. exact (refuted _ _ _ _ _ _ cook_induction_printed'run ltac:(discriminate)). Qed.
(** Computed. *)
Lemma cook_induction_printed'first_run : first 100000 words_' everywhere cook_induction_printed'lines =
  match ([0, 1])%page with Is w => Some (3%Z, w) | Refused => None end.
Proof.
  transitivity (first 100000 words_' everywhere (fun w' : found =>
    let m' := len w' in
    let letters' := [into' (hot' w'.[i']) 0 for i' in range 1 m'] in
    let seen' := by_items ((range 1 m', fun seen' i' => [j' for j' in range 1 (i' - 1) if w'.[j'] = w'.[i']]) ;;
      nil) in
    let wanted' := by_items ((range 1 m', fun wanted' i' => hot' (w'.[max seen'.[i'] + 1] if len seen'.[i'] > 0
      else w'.[i'])) ;; nil) in
    for i' in range 1 m' :
    line 1 : block' (run induction_printed' letters').[i'] 2 = wanted'.[i'])).
  - reflexivity.
  - vm_cast_no_check (eq_refl (match ([0, 1])%page with Is w => Some (3%Z, w) | Refused => None end)).
Qed.
(** The first case where it fails, and its rank. *)
Theorem cook_induction_printed'first : exists w, Is w = ([0, 1])%page /\ first_failure 100000 words_' everywhere
  cook_induction_printed'lines 3 w.
Proof. eexists. split; [vm_compute; reflexivity|]. exact (first_is _ _ _ _ _ _ cook_induction_printed'first_run).
  Qed.

(** cook.dyck1, statement, S2
    "The last token accepts exactly the words of Dyck-1." *)
Definition cook_dyck1'lines (w' : found) : lines :=
  line 1 : ((Y' w').[m' w'].[4] = 0 and (Y' w').[m' w'].[2] = 0) iff balanced' w'.
(** Computed. *)
Lemma cook_dyck1'run : check 100000 1 words_' everywhere cook_dyck1'lines =
  Some (Report 6 0 ((6%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words_' everywhere (fun w' : found =>
    let m' := len w' in
    let Y' := run dyck1' [[1 - 2 * w'.[i'], 0, 0, 0] for i' in range 1 m'] in
    let B' := by_items (([0], fun B' _ => 0) ;;
    (range 1 m', fun B' i' => B'.[i' - 1] + 1 - 2 * w'.[i']) ;; nil) in
    let balanced' := all [B'.[i'] >= 0 for i' in range 0 m'] and B'.[m'] = 0 in
    line 1 : (Y'.[m'].[4] = 0 and Y'.[m'].[2] = 0) iff balanced')).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 6 0 ((6%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem cook_dyck1'holds : forall w, a_case words_' w ->
  hold (cook_dyck1'lines (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ cook_dyck1'run eq_refl)). Qed.
(** Its cases. *)
Theorem cook_dyck1'cases : exactly 6 (admitted words_' everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ cook_dyck1'run eq_refl)). Qed.

(** cook.dyck1.bounded, statement, S2, bounded
    "The comparators with 1/n^2 and 1/n accept exactly the words of Dyck-1, and are 0 or 1." *)
Definition cook_dyck1_bounded'lines (w' : found) : lines :=
  block (line 1 : (GT' (1 / m' w' ^ 2) (Y' w').[m' w'].[4] = 0 and EQ' (1 / m' w') (Y' w').[m' w'].[2] = 1) iff
    balanced' w' ;;
    line 2 : GT' (1 / m' w' ^ 2) (Y' w').[m' w'].[4] * (1 - GT' (1 / m' w' ^ 2) (Y' w').[m' w'].[4]) = 0 ;;
    line 3 : EQ' (1 / m' w') (Y' w').[m' w'].[2] * (1 - EQ' (1 / m' w') (Y' w').[m' w'].[2]) = 0 ;;
    nil).
(** Computed. *)
Lemma cook_dyck1_bounded'run : check 100000 3 words_' everywhere cook_dyck1_bounded'lines =
  Some (Report 6 0 ((6%Z, None) ;; (6%Z, None) ;; (6%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 3 words_' everywhere (fun w' : found =>
    let m' := len w' in
    let Y' := run dyck1' [[1 - 2 * w'.[i'], 0, 0, 0] for i' in range 1 m'] in
    let B' := by_items (([0], fun B' _ => 0) ;;
    (range 1 m', fun B' i' => B'.[i' - 1] + 1 - 2 * w'.[i']) ;; nil) in
    let balanced' := all [B'.[i'] >= 0 for i' in range 0 m'] and B'.[m'] = 0 in
    block (line 1 : (GT' (1 / m' ^ 2) Y'.[m'].[4] = 0 and EQ' (1 / m') Y'.[m'].[2] = 1) iff balanced' ;;
    line 2 : GT' (1 / m' ^ 2) Y'.[m'].[4] * (1 - GT' (1 / m' ^ 2) Y'.[m'].[4]) = 0 ;;
    line 3 : EQ' (1 / m') Y'.[m'].[2] * (1 - EQ' (1 / m') Y'.[m'].[2]) = 0 ;;
    nil))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 6 0 ((6%Z, None) ;; (6%Z, None) ;; (6%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem cook_dyck1_bounded'holds : forall w, a_case words_' w ->
  hold (cook_dyck1_bounded'lines (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ cook_dyck1_bounded'run eq_refl)). Qed.
(** Its cases. *)
Theorem cook_dyck1_bounded'cases : exactly 6 (admitted words_' everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ cook_dyck1_bounded'run eq_refl)). Qed.

Definition proved := (cook_rate'holds, cook_rate'cases, cook_rate'least_1, cook_induction_crossed'holds,
    cook_induction_crossed'cases, cook_induction_printed'fails, cook_induction_printed'first, cook_dyck1'holds,
    cook_dyck1'cases, cook_dyck1_bounded'holds, cook_dyck1_bounded'cases).
Print Assumptions proved.
