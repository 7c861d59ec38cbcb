(** Dyck-(k,D) by unique-hard attention (after Yao et al., ACL 2021, as the Transformer Cookbook's draft tells it)

    At k = 2, D = 2, n = 3, bos = 0, last = 0, guard = 0, tie = 0, p = 0, type = 0. Written by `verify --paper
    FILE --coq`: the page's own names, each with a ' at its end, the words of Core.v, the notation of Words.v.
    A claim's theorems end in 'holds, 'fails, 'across or 'once; 'cases says how many cases it is about,
    'least_k the least slack of its sign k, 'first which case fails first. If the file compiles they are
    proved; what is 'run is computed by Coq.

    Every claim is covered. *)

From Coq Require Import QArith ZArith List.
From Contextual.reader Require Import Core Check Sound Across Words.
Open Scope page_scope.

Definition k' : found :=
  2.
Definition bos' : found :=
  0.
Definition fewest' : found :=
  1 if bos' = 0 else 0.
Definition n' : found :=
  3.
Definition words' : inputs :=
  Words fewest' n' (fun _ => [(1 - 2 * mod_ b' 2) * (div b' 2 + 1) for b' in range 0 (2 * k' - 1)]).
Definition lo' : found :=
  1 if bos' = 0 else 0.
Definition tie' : found :=
  0.
Definition last' : found :=
  0.
Definition exception_leftmost' : layer :=
  becomes 1 (fun x' i' =>
    worst' <- read leftmost (fun j' => [x'.[j'].[5], x'.[j'].[4]]) (fun j' => x'.[j'].[5] + 1 - x'.[j'].[4]) (fun
      j' => last' = 0 or bos' = 0 or 1 <= j' <= len x' - 2) None x' then
    worst').
Definition exception_rightmost' : layer :=
  becomes 1 (fun x' i' =>
    worst' <- read rightmost (fun j' => [x'.[j'].[5], x'.[j'].[4]]) (fun j' => x'.[j'].[5] + 1 - x'.[j'].[4]) (fun
      j' => last' = 0 or bos' = 0 or 1 <= j' <= len x' - 2) None x' then
    worst').
Definition exception' : network :=
  in_turn (family (range 1 (1 - min [tie', 1])) (fun t' => use exception_leftmost') ;; family (range 1 (min [tie',
    1])) (fun t' => use exception_rightmost') ;; nil).
Definition accepts' (tokens' : found) : found :=
  tokens' <- tokens' then (run exception' tokens').[lo'] = [0, 1].
Definition D' : found :=
  2.
Definition m' (w' : found) : found :=
  len w'.
Definition hi' (w' : found) : found :=
  m' w' if bos' = 0 else m' w' + 1.
Definition type' : found :=
  0.
Definition outer' : found :=
  1 if type' = 1 else 0.
Definition p' : found :=
  0.
Definition over_' (w' : found) : found :=
  max [m' w' if p' = 0 else hi' w' - lo' + 1, 1].
Definition matched' : found :=
  1 if bos' = 2 else 0.
Definition start' (w' : found) : found :=
  by_items ((range lo' (hi' w'), fun start' i' => [abs w'.[i'] if 1 <= i' <= m' w' else outer', 1 if i' = 0 else 0
    if i' > m' w' else 1 if w'.[i'] > 0 else 0, i' / over_' w', 0 if 1 <= i' <= m' w' else matched', 0, 0, 0, 0, 0,
    0, 0]) ;; nil).
Definition look_leftmost' : layer :=
  becomes 2 (fun x' i' =>
    left' <- read leftmost (fun j' => [x'.[j'].[1], x'.[j'].[2], x'.[j'].[3]]) (fun j' => x'.[j'].[3] -
      x'.[j'].[4]) (fun j' => j' < i') (Some ([0, 0, - 1])) x' then
    right' <- read leftmost (fun j' => [x'.[j'].[1], x'.[j'].[2], x'.[j'].[3]]) (fun j' => 1 - x'.[j'].[3] -
      x'.[j'].[4]) (fun j' => j' > i') (Some ([0, 1, - 1])) x' then
    [x'.[i'].[c'] if c' <= 5 else left'.[c' - 5] if c' <= 8 else right'.[c' - 8] for c' in range 1 11]).
Definition look_rightmost' : layer :=
  becomes 2 (fun x' i' =>
    left' <- read rightmost (fun j' => [x'.[j'].[1], x'.[j'].[2], x'.[j'].[3]]) (fun j' => x'.[j'].[3] -
      x'.[j'].[4]) (fun j' => j' < i') (Some ([0, 0, - 1])) x' then
    right' <- read rightmost (fun j' => [x'.[j'].[1], x'.[j'].[2], x'.[j'].[3]]) (fun j' => 1 - x'.[j'].[3] -
      x'.[j'].[4]) (fun j' => j' > i') (Some ([0, 1, - 1])) x' then
    [x'.[i'].[c'] if c' <= 5 else left'.[c' - 5] if c' <= 8 else right'.[c' - 8] for c' in range 1 11]).
Definition look' : network :=
  in_turn (family (range 1 (1 - min [tie', 1])) (fun t' => use look_leftmost') ;; family (range 1 (min [tie', 1]))
    (fun t' => use look_rightmost') ;; nil).
Definition guard' : found :=
  0.
Definition update' : layer :=
  becomes 0 (fun x' i' =>
    meets' <- (x'.[i'].[10] = 0 if x'.[i'].[2] = 1 else x'.[i'].[7] = 1) and (guard' = 0 or x'.[i'].[4] = 0) then
    same' <- x'.[i'].[1] = (x'.[i'].[9] if x'.[i'].[2] = 1 else x'.[i'].[6]) then
    [1 if c' = 4 and meets' and same' or c' = 5 and meets' and not same' else x'.[i'].[c'] for c' in range 1 11]).
Definition round' : network :=
  in_turn (look' ;; use update' ;; nil).
Definition after' (w' : found) : found :=
  by_items (([0], fun after' _ => start' w') ;;
    (range 1 D', fun after' l' => run round' after'.[l' - 1]) ;; nil).
Definition accepted' (w' : found) : found :=
  accepts' (after' w').[D'].
Definition depth' (w' : found) : found :=
  by_items (([0], fun depth' _ => 0) ;;
    (range 1 (m' w'), fun depth' i' => depth'.[i' - 1] + (1 if w'.[i'] > 0 else - 1)) ;; nil).
Definition stack' (w' : found) : found :=
  by_items (([0], fun stack' _ => 0) ;;
    (range 1 (m' w'), fun stack' i' => stack'.[i' - 1] * (k' + 1) + w'.[i'] if w'.[i'] > 0 else div (stack'.[i' -
      1]) (k' + 1)) ;; nil).
Definition member' (w' : found) : found :=
  all [t' <= D' for t' in depth' w'] and all [w'.[i'] > 0 or mod_ ((stack' w').[i' - 1]) (k' + 1) = - w'.[i'] for
    i' in range 1 (m' w')] and (stack' w').[m' w'] = 0.
Definition opened' (w' : found) (i' : found) : found :=
  i' <- i' then max [j' if j' > 0 and w'.[j'] > 0 and (depth' w').[j' - 1] = (depth' w').[i'] else 0 for j' in
    range 0 (i' - 1)].
Definition closed' (w' : found) (i' : found) : found :=
  i' <- i' then min [j' for j' in range (i' + 1) (m' w') if (depth' w').[j'] = (depth' w').[i' - 1]].
Definition partner' (w' : found) : found :=
  by_items ((range 1 (m' w'), fun partner' i' => opened' w' i' if w'.[i'] < 0 else closed' w' i') ;; nil).
Definition height' (w' : found) (a' : found) (b' : found) : found :=
  a' <- a' then b' <- b' then max [(depth' w').[r'] for r' in range (min [a', b']) (max [a', b'])] - (depth'
    w').[min [a', b'] - 1].
Definition lengths' : found :=
  (gather words' (fun w' => [m' w'] if member' w' else [])).
Definition fibonacci' : found :=
  by_items (([1], fun fibonacci' _ => 1) ;;
    ([2], fun fibonacci' _ => 1) ;;
    (range 3 n', fun fibonacci' r' => fibonacci'.[r' - 1] + fibonacci'.[r' - 2]) ;; nil).

Strategy expand [m' hi' over_' start' after' accepted' depth' stack' member' opened' closed' partner' height'].

(** dyck.recognises, step, Construction D
    "A word is accepted iff it is in Dyck-(k,D)." *)
Definition dyck_recognises'lines (w' : found) : lines :=
  line 1 : accepted' w' iff member' w'.
(** Computed. *)
Lemma dyck_recognises'run : check 100000 1 words' everywhere dyck_recognises'lines =
  Some (Report 84 0 ((84%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words' everywhere (fun w' : found =>
    let m' := len w' in
    let hi' := m' if bos' = 0 else m' + 1 in
    let over_' := max [m' if p' = 0 else hi' - lo' + 1, 1] in
    let start' := by_items ((range lo' hi', fun start' i' => [abs w'.[i'] if 1 <= i' <= m' else outer', 1 if i' = 0
      else 0 if i' > m' else 1 if w'.[i'] > 0 else 0, i' / over_', 0 if 1 <= i' <= m' else matched', 0, 0, 0, 0, 0,
      0, 0]) ;; nil) in
    let after' := by_items (([0], fun after' _ => start') ;;
    (range 1 D', fun after' l' => run round' after'.[l' - 1]) ;; nil) in
    let accepted' := accepts' after'.[D'] in
    let depth' := by_items (([0], fun depth' _ => 0) ;;
    (range 1 m', fun depth' i' => depth'.[i' - 1] + (1 if w'.[i'] > 0 else - 1)) ;; nil) in
    let stack' := by_items (([0], fun stack' _ => 0) ;;
    (range 1 m', fun stack' i' => stack'.[i' - 1] * (k' + 1) + w'.[i'] if w'.[i'] > 0 else div (stack'.[i' - 1])
      (k' + 1)) ;; nil) in
    let member' := all [t' <= D' for t' in depth'] and all [w'.[i'] > 0 or mod_ (stack'.[i' - 1]) (k' + 1) = -
      w'.[i'] for i' in range 1 m'] and stack'.[m'] = 0 in
    line 1 : accepted' iff member')).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 84 0 ((84%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem dyck_recognises'holds : forall w, a_case words' w ->
  hold (dyck_recognises'lines (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ dyck_recognises'run eq_refl)). Qed.
(** Its cases. *)
Theorem dyck_recognises'cases : exactly 84 (admitted words' everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ dyck_recognises'run eq_refl)). Qed.

(** dyck.complete, step, Construction D
    "Every member is accepted." *)
Definition dyck_complete'if (w' : found) : found :=
  member' w'.
Definition dyck_complete'lines (w' : found) : lines :=
  line 1 : accepted' w' = yes.
(** Computed. *)
Lemma dyck_complete'run : check 100000 1 words' dyck_complete'if dyck_complete'lines =
  Some (Report 2 0 ((2%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words' dyck_complete'if (fun w' : found =>
    let m' := len w' in
    let hi' := m' if bos' = 0 else m' + 1 in
    let over_' := max [m' if p' = 0 else hi' - lo' + 1, 1] in
    let start' := by_items ((range lo' hi', fun start' i' => [abs w'.[i'] if 1 <= i' <= m' else outer', 1 if i' = 0
      else 0 if i' > m' else 1 if w'.[i'] > 0 else 0, i' / over_', 0 if 1 <= i' <= m' else matched', 0, 0, 0, 0, 0,
      0, 0]) ;; nil) in
    let after' := by_items (([0], fun after' _ => start') ;;
    (range 1 D', fun after' l' => run round' after'.[l' - 1]) ;; nil) in
    let accepted' := accepts' after'.[D'] in
    line 1 : accepted' = yes)).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 2 0 ((2%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem dyck_complete'holds : forall w, a_case words' w ->
  hold (when (dyck_complete'if (Is w)) (dyck_complete'lines (Is w))).
Proof. exact (proj1 (reported _ _ _ _ _ _ dyck_complete'run eq_refl)). Qed.
(** Its cases. *)
Theorem dyck_complete'cases : exactly 2 (admitted words' dyck_complete'if).
Proof. exact (proj2 (reported _ _ _ _ _ _ dyck_complete'run eq_refl)). Qed.

(** dyck.sound, step, Construction D
    "Nothing else is." *)
Definition dyck_sound'if (w' : found) : found :=
  not member' w'.
Definition dyck_sound'lines (w' : found) : lines :=
  line 1 : accepted' w' = no.
(** Computed. *)
Lemma dyck_sound'run : check 100000 1 words' dyck_sound'if dyck_sound'lines =
  Some (Report 82 0 ((82%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words' dyck_sound'if (fun w' : found =>
    let m' := len w' in
    let hi' := m' if bos' = 0 else m' + 1 in
    let over_' := max [m' if p' = 0 else hi' - lo' + 1, 1] in
    let start' := by_items ((range lo' hi', fun start' i' => [abs w'.[i'] if 1 <= i' <= m' else outer', 1 if i' = 0
      else 0 if i' > m' else 1 if w'.[i'] > 0 else 0, i' / over_', 0 if 1 <= i' <= m' else matched', 0, 0, 0, 0, 0,
      0, 0]) ;; nil) in
    let after' := by_items (([0], fun after' _ => start') ;;
    (range 1 D', fun after' l' => run round' after'.[l' - 1]) ;; nil) in
    let accepted' := accepts' after'.[D'] in
    line 1 : accepted' = no)).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 82 0 ((82%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem dyck_sound'holds : forall w, a_case words' w ->
  hold (when (dyck_sound'if (Is w)) (dyck_sound'lines (Is w))).
Proof. exact (proj1 (reported _ _ _ _ _ _ dyck_sound'run eq_refl)). Qed.
(** Its cases. *)
Theorem dyck_sound'cases : exactly 82 (admitted words' dyck_sound'if).
Proof. exact (proj2 (reported _ _ _ _ _ _ dyck_sound'run eq_refl)). Qed.

(** dyck.empty, own, Construction D
    "The empty word is accepted." *)
Definition dyck_empty'if (w' : found) : found :=
  m' w' = 0.
Definition dyck_empty'lines (w' : found) : lines :=
  line 1 : accepted' w' = yes.
(** Computed. *)
Lemma dyck_empty'run : check 100000 1 words' dyck_empty'if dyck_empty'lines =
  Some (Report 0 0 ((0%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words' dyck_empty'if (fun w' : found =>
    let m' := len w' in
    let hi' := m' if bos' = 0 else m' + 1 in
    let over_' := max [m' if p' = 0 else hi' - lo' + 1, 1] in
    let start' := by_items ((range lo' hi', fun start' i' => [abs w'.[i'] if 1 <= i' <= m' else outer', 1 if i' = 0
      else 0 if i' > m' else 1 if w'.[i'] > 0 else 0, i' / over_', 0 if 1 <= i' <= m' else matched', 0, 0, 0, 0, 0,
      0, 0]) ;; nil) in
    let after' := by_items (([0], fun after' _ => start') ;;
    (range 1 D', fun after' l' => run round' after'.[l' - 1]) ;; nil) in
    let accepted' := accepts' after'.[D'] in
    line 1 : accepted' = yes)).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 0 0 ((0%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem dyck_empty'holds : forall w, a_case words' w ->
  hold (when (dyck_empty'if (Is w)) (dyck_empty'lines (Is w))).
Proof. exact (proj1 (reported _ _ _ _ _ _ dyck_empty'run eq_refl)). Qed.
(** Its cases. *)
Theorem dyck_empty'cases : exactly 0 (admitted words' dyck_empty'if).
Proof. exact (proj2 (reported _ _ _ _ _ _ dyck_empty'run eq_refl)). Qed.

(** dyck.nearest, step, Construction D, the heads
    "A head reads the nearest unmatched token of its side, if there is one." *)
Definition dyck_nearest'lines (w' : found) : lines :=
  for l' in range 1 D' :
    for i' in range lo' (hi' w') :
    block (when (any [(after' w').[l' - 1].[j'].[4] = 0 for j' in range lo' (i' - 1)]) (line 1 : (run look' (after'
      w').[l' - 1]).[i'].[8] = max [j' for j' in range lo' (i' - 1) if (after' w').[l' - 1].[j'].[4] = 0] / over_'
      w') ;;
    when (any [(after' w').[l' - 1].[j'].[4] = 0 for j' in range (i' + 1) (hi' w')]) (line 2 : (run look' (after'
      w').[l' - 1]).[i'].[11] = min [j' for j' in range (i' + 1) (hi' w') if (after' w').[l' - 1].[j'].[4] = 0] /
      over_' w') ;;
    nil).
(** Computed. *)
Lemma dyck_nearest'run : check 100000 2 words' everywhere dyck_nearest'lines =
  Some (Report 84 0 ((270%Z, None) ;; (270%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 2 words' everywhere (fun w' : found =>
    let m' := len w' in
    let hi' := m' if bos' = 0 else m' + 1 in
    let over_' := max [m' if p' = 0 else hi' - lo' + 1, 1] in
    let start' := by_items ((range lo' hi', fun start' i' => [abs w'.[i'] if 1 <= i' <= m' else outer', 1 if i' = 0
      else 0 if i' > m' else 1 if w'.[i'] > 0 else 0, i' / over_', 0 if 1 <= i' <= m' else matched', 0, 0, 0, 0, 0,
      0, 0]) ;; nil) in
    let after' := by_items (([0], fun after' _ => start') ;;
    (range 1 D', fun after' l' => run round' after'.[l' - 1]) ;; nil) in
    for l' in range 1 D' :
    for i' in range lo' hi' :
    block (when (any [after'.[l' - 1].[j'].[4] = 0 for j' in range lo' (i' - 1)]) (line 1 : (run look' after'.[l' -
      1]).[i'].[8] = max [j' for j' in range lo' (i' - 1) if after'.[l' - 1].[j'].[4] = 0] / over_') ;;
    when (any [after'.[l' - 1].[j'].[4] = 0 for j' in range (i' + 1) hi']) (line 2 : (run look' after'.[l' -
      1]).[i'].[11] = min [j' for j' in range (i' + 1) hi' if after'.[l' - 1].[j'].[4] = 0] / over_') ;;
    nil))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 84 0 ((270%Z, None) ;; (270%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem dyck_nearest'holds : forall w, a_case words' w ->
  hold (dyck_nearest'lines (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ dyck_nearest'run eq_refl)). Qed.
(** Its cases. *)
Theorem dyck_nearest'cases : exactly 84 (admitted words' everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ dyck_nearest'run eq_refl)). Qed.

(** dyck.true-partner, step, Construction D
    "Where a match is set, the token read is the partner." *)
Definition dyck_true__partner'if (w' : found) : found :=
  member' w'.
Definition dyck_true__partner'lines (w' : found) : lines :=
  for l' in range 1 D' :
    for i' in range 1 (m' w') :
    when ((after' w').[l' - 1].[i'].[4] = 0 and (after' w').[l'].[i'].[4] = 1) (line 1 : (after' w').[l'].[i'].[11
      if w'.[i'] > 0 else 8] = (partner' w').[i'] / over_' w').
(** Computed. *)
Lemma dyck_true__partner'run : check 100000 1 words' dyck_true__partner'if dyck_true__partner'lines =
  Some (Report 2 0 ((4%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words' dyck_true__partner'if (fun w' : found =>
    let m' := len w' in
    let hi' := m' if bos' = 0 else m' + 1 in
    let over_' := max [m' if p' = 0 else hi' - lo' + 1, 1] in
    let start' := by_items ((range lo' hi', fun start' i' => [abs w'.[i'] if 1 <= i' <= m' else outer', 1 if i' = 0
      else 0 if i' > m' else 1 if w'.[i'] > 0 else 0, i' / over_', 0 if 1 <= i' <= m' else matched', 0, 0, 0, 0, 0,
      0, 0]) ;; nil) in
    let after' := by_items (([0], fun after' _ => start') ;;
    (range 1 D', fun after' l' => run round' after'.[l' - 1]) ;; nil) in
    let depth' := by_items (([0], fun depth' _ => 0) ;;
    (range 1 m', fun depth' i' => depth'.[i' - 1] + (1 if w'.[i'] > 0 else - 1)) ;; nil) in
    let opened' := fun (i' : found) => i' <- i' then max [j' if j' > 0 and w'.[j'] > 0 and depth'.[j' - 1] =
      depth'.[i'] else 0 for j' in range 0 (i' - 1)] in
    let closed' := fun (i' : found) => i' <- i' then min [j' for j' in range (i' + 1) m' if depth'.[j'] =
      depth'.[i' - 1]] in
    let partner' := by_items ((range 1 m', fun partner' i' => opened' i' if w'.[i'] < 0 else closed' i') ;; nil) in
    for l' in range 1 D' :
    for i' in range 1 m' :
    when (after'.[l' - 1].[i'].[4] = 0 and after'.[l'].[i'].[4] = 1) (line 1 : after'.[l'].[i'].[11 if w'.[i'] > 0
      else 8] = partner'.[i'] / over_'))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 2 0 ((4%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem dyck_true__partner'holds : forall w, a_case words' w ->
  hold (when (dyck_true__partner'if (Is w)) (dyck_true__partner'lines (Is w))).
Proof. exact (proj1 (reported _ _ _ _ _ _ dyck_true__partner'run eq_refl)). Qed.
(** Its cases. *)
Theorem dyck_true__partner'cases : exactly 2 (admitted words' dyck_true__partner'if).
Proof. exact (proj2 (reported _ _ _ _ _ _ dyck_true__partner'run eq_refl)). Qed.

(** dyck.rounds, step, Construction D
    "After l layers exactly the pairs of height at most l are matched." *)
Definition dyck_rounds'if (w' : found) : found :=
  member' w'.
Definition dyck_rounds'lines (w' : found) : lines :=
  for l' in range 1 D' :
    for i' in range 1 (m' w') :
    line 1 : ((after' w').[l'].[i'].[4] = 1) iff (height' w' i' (partner' w').[i'] <= l').
(** Computed. *)
Lemma dyck_rounds'run : check 100000 1 words' dyck_rounds'if dyck_rounds'lines =
  Some (Report 2 0 ((8%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words' dyck_rounds'if (fun w' : found =>
    let m' := len w' in
    let hi' := m' if bos' = 0 else m' + 1 in
    let over_' := max [m' if p' = 0 else hi' - lo' + 1, 1] in
    let start' := by_items ((range lo' hi', fun start' i' => [abs w'.[i'] if 1 <= i' <= m' else outer', 1 if i' = 0
      else 0 if i' > m' else 1 if w'.[i'] > 0 else 0, i' / over_', 0 if 1 <= i' <= m' else matched', 0, 0, 0, 0, 0,
      0, 0]) ;; nil) in
    let after' := by_items (([0], fun after' _ => start') ;;
    (range 1 D', fun after' l' => run round' after'.[l' - 1]) ;; nil) in
    let depth' := by_items (([0], fun depth' _ => 0) ;;
    (range 1 m', fun depth' i' => depth'.[i' - 1] + (1 if w'.[i'] > 0 else - 1)) ;; nil) in
    let opened' := fun (i' : found) => i' <- i' then max [j' if j' > 0 and w'.[j'] > 0 and depth'.[j' - 1] =
      depth'.[i'] else 0 for j' in range 0 (i' - 1)] in
    let closed' := fun (i' : found) => i' <- i' then min [j' for j' in range (i' + 1) m' if depth'.[j'] =
      depth'.[i' - 1]] in
    let partner' := by_items ((range 1 m', fun partner' i' => opened' i' if w'.[i'] < 0 else closed' i') ;; nil) in
    let height' := fun (a' : found) (b' : found) => a' <- a' then b' <- b' then max [depth'.[r'] for r' in range
      (min [a', b']) (max [a', b'])] - depth'.[min [a', b'] - 1] in
    for l' in range 1 D' :
    for i' in range 1 m' :
    line 1 : (after'.[l'].[i'].[4] = 1) iff (height' i' partner'.[i'] <= l'))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 2 0 ((8%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem dyck_rounds'holds : forall w, a_case words' w ->
  hold (when (dyck_rounds'if (Is w)) (dyck_rounds'lines (Is w))).
Proof. exact (proj1 (reported _ _ _ _ _ _ dyck_rounds'run eq_refl)). Qed.
(** Its cases. *)
Theorem dyck_rounds'cases : exactly 2 (admitted words' dyck_rounds'if).
Proof. exact (proj2 (reported _ _ _ _ _ _ dyck_rounds'run eq_refl)). Qed.

(** dyck.no-error, step, Construction D
    "Members never get an error bit." *)
Definition dyck_no__error'if (w' : found) : found :=
  member' w'.
Definition dyck_no__error'lines (w' : found) : lines :=
  for l' in range 1 D' :
    for i' in range 1 (m' w') :
    line 1 : (after' w').[l'].[i'].[5] = 0.
(** Computed. *)
Lemma dyck_no__error'run : check 100000 1 words' dyck_no__error'if dyck_no__error'lines =
  Some (Report 2 0 ((8%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 words' dyck_no__error'if (fun w' : found =>
    let m' := len w' in
    let hi' := m' if bos' = 0 else m' + 1 in
    let over_' := max [m' if p' = 0 else hi' - lo' + 1, 1] in
    let start' := by_items ((range lo' hi', fun start' i' => [abs w'.[i'] if 1 <= i' <= m' else outer', 1 if i' = 0
      else 0 if i' > m' else 1 if w'.[i'] > 0 else 0, i' / over_', 0 if 1 <= i' <= m' else matched', 0, 0, 0, 0, 0,
      0, 0]) ;; nil) in
    let after' := by_items (([0], fun after' _ => start') ;;
    (range 1 D', fun after' l' => run round' after'.[l' - 1]) ;; nil) in
    for l' in range 1 D' :
    for i' in range 1 m' :
    line 1 : after'.[l'].[i'].[5] = 0)).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 2 0 ((8%Z, None) ;; nil)))).
Qed.
(** It holds. *)
Theorem dyck_no__error'holds : forall w, a_case words' w ->
  hold (when (dyck_no__error'if (Is w)) (dyck_no__error'lines (Is w))).
Proof. exact (proj1 (reported _ _ _ _ _ _ dyck_no__error'run eq_refl)). Qed.
(** Its cases. *)
Theorem dyck_no__error'cases : exactly 2 (admitted words' dyck_no__error'if).
Proof. exact (proj2 (reported _ _ _ _ _ _ dyck_no__error'run eq_refl)). Qed.

(** dyck.depth, own, Construction D
    "With D - 1 matching layers some member is rejected." *)
Definition dyck_depth'lines : lines :=
  line 1 : any (gather words' (fun w' => [not accepts' (after' w').[D' - 1]] if member' w' else [])) = yes.
(** It is false. *)
Theorem dyck_depth'fails : ~ hold dyck_depth'lines.
Proof. apply not_held. vm_compute. reflexivity. Qed.

(** dyck.gap, step, Construction D, the last layer
    "Its score is 0 at a token in order, and at least 1 at any other." *)
Definition dyck_gap'lines (w' : found) : lines :=
  for i' in range lo' (hi' w') :
    block (line 1 : ((after' w').[D'].[i'].[5] + 1 - (after' w').[D'].[i'].[4] = 0) iff ((after' w').[D'].[i'].[5]
      = 0 and (after' w').[D'].[i'].[4] = 1) ;;
    when (not ((after' w').[D'].[i'].[5] = 0 and (after' w').[D'].[i'].[4] = 1)) (line 2 : (after'
      w').[D'].[i'].[5] + 1 - (after' w').[D'].[i'].[4] >= 1) ;;
    nil).
(** Computed. *)
Lemma dyck_gap'run : check 100000 2 words' everywhere dyck_gap'lines =
  Some (Report 84 0 ((228%Z, None) ;; (196%Z, Some (0 # 1)%Q) ;; nil)).
Proof.
  transitivity (check 100000 2 words' everywhere (fun w' : found =>
    let m' := len w' in
    let hi' := m' if bos' = 0 else m' + 1 in
    let over_' := max [m' if p' = 0 else hi' - lo' + 1, 1] in
    let start' := by_items ((range lo' hi', fun start' i' => [abs w'.[i'] if 1 <= i' <= m' else outer', 1 if i' = 0
      else 0 if i' > m' else 1 if w'.[i'] > 0 else 0, i' / over_', 0 if 1 <= i' <= m' else matched', 0, 0, 0, 0, 0,
      0, 0]) ;; nil) in
    let after' := by_items (([0], fun after' _ => start') ;;
    (range 1 D', fun after' l' => run round' after'.[l' - 1]) ;; nil) in
    for i' in range lo' hi' :
    block (line 1 : (after'.[D'].[i'].[5] + 1 - after'.[D'].[i'].[4] = 0) iff (after'.[D'].[i'].[5] = 0 and
      after'.[D'].[i'].[4] = 1) ;;
    when (not (after'.[D'].[i'].[5] = 0 and after'.[D'].[i'].[4] = 1)) (line 2 : after'.[D'].[i'].[5] + 1 -
      after'.[D'].[i'].[4] >= 1) ;;
    nil))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 84 0 ((228%Z, None) ;; (196%Z, Some (0 # 1)%Q) ;; nil)))).
Qed.
(** It holds. *)
Theorem dyck_gap'holds : forall w, a_case words' w ->
  hold (dyck_gap'lines (Is w)).
Proof. exact (proj1 (reported _ _ _ _ _ _ dyck_gap'run eq_refl)). Qed.
(** Its cases. *)
Theorem dyck_gap'cases : exactly 84 (admitted words' everywhere).
Proof. exact (proj2 (reported _ _ _ _ _ _ dyck_gap'run eq_refl)). Qed.
(** The least slack of its sign 2. *)
Theorem dyck_gap'least_2 : least words' everywhere dyck_gap'lines 2 (0 # 1)%Q.
Proof. exact (least_is _ _ _ _ _ _ 2 _ _ dyck_gap'run ltac:(split; discriminate) eq_refl). Qed.

(** dyck.counts, own, the language
    "So many members of each length, k^r times 1 (D = 1), 2^(r-1) (D = 2), Fibonacci(2r-1) (D = 3)." *)
Definition dyck_counts'lines : lines :=
  for r' in range 1 (div n' 2) :
    line 1 : count [t' = 2 * r' for t' in lengths'] = k' ^ r' * (1 if D' = 1 else 2 ^ (r' - 1) if D' = 2 else
      fibonacci'.[2 * r' - 1]).
(** It holds. *)
Theorem dyck_counts'once : hold dyck_counts'lines.
Proof. apply held. vm_compute. reflexivity. Qed.

(** dyck.type, statement, Construction D
    "The code of the type, ceil(log2 k) bits, has room for BOS and EOS." *)
Definition dyck_type'lines : lines :=
  line 1 : 2 ^ min [c' for c' in range 0 k' if 2 ^ c' >= k'] >= k' + 1.
(** It is false. *)
Theorem dyck_type'fails : ~ hold dyck_type'lines.
Proof. apply not_held. vm_compute. reflexivity. Qed.

Definition proved := (dyck_recognises'holds, dyck_recognises'cases, dyck_complete'holds, dyck_complete'cases,
  dyck_sound'holds,
    dyck_sound'cases, dyck_empty'holds, dyck_empty'cases, dyck_nearest'holds, dyck_nearest'cases,
    dyck_true__partner'holds, dyck_true__partner'cases, dyck_rounds'holds, dyck_rounds'cases,
    dyck_no__error'holds, dyck_no__error'cases, dyck_depth'fails, dyck_gap'holds, dyck_gap'cases,
    dyck_gap'least_2, dyck_counts'once, dyck_type'fails).
Print Assumptions proved.
