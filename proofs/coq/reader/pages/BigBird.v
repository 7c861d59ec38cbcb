(** Zaheer et al., Big Bird (NeurIPS 2020), Lemma 3 of App. A.2: a contextual mapping by attention over a star

    At d = 1, n = 2, N = 2. Written by `verify --paper FILE --coq`: the page's own names, each with a ' at its
    end, the words of Core.v, the notation of Words.v. A claim's theorems end in 'holds, 'fails, 'across or
    'once; 'cases says how many cases it is about, 'least_k the least slack of its sign k, 'first which case
    fails first. If the file compiles they are proved; what is 'run is computed by Coq.

    Every claim is covered. *)

From Coq Require Import QArith ZArith List.
From Contextual.reader Require Import Core Check Sound Across Words.
Open Scope page_scope.

Definition N' : found :=
  2.
Definition delta' : found :=
  1 / N'.
Definition d' : found :=
  1.
Definition n' : found :=
  2.
Definition contexts' : inputs :=
  Words n' n' (fun _ => (tuples (dots (0 ;; delta' ;; nil) (1 - delta')) d')).
Definition u' : found :=
  [delta' ^ (- (r' - 1)) if r' <= d' else delta' ^ (- (n' * d')) for r' in range 1 (d' + 1)].
Definition id' (c' : found) : found :=
  c' <- c' then dot u' c'.
Definition E' : found :=
  by_items ((range 1 n', fun E' i' => 0 if i' = 1 else delta' ^ (- ((i' - 1) * d'))) ;; nil).
Definition x' (C' : found) : found :=
  by_items (([0], fun x' _ => unit (d' + 1) (d' + 1)) ;;
    (range 1 n', fun x' i' => [C'.[i'].[min [r', d']] + E'.[i'] if r' <= d' else 0 for r' in range 1 (d' + 1)]) ;;
      nil).
Definition l' (C' : found) : found :=
  by_items ((range 0 n', fun l' i' => id' (x' C').[i']) ;; nil).
Definition added' (C' : found) (Y' : found) : found :=
  Y' <- Y' then [id' Y'.[i'] - (l' C').[i'] for i' in range 0 n'].
Definition star' (i' : found) (j' : found) : found :=
  i' <- i' then j' <- j' then j' > 0 if i' = 0 else j' = 0 or j' = i'.
Definition selective' (v' : found) (rho' : found) : layer :=
  layer_with v' (fun v' => layer_with rho' (fun rho' => becomes 2 (fun x' i' =>
    low' <- read average (fun j' => id' x'.[j']) (fun j' => id' x'.[j'] * (id' x'.[i'] - (v' - delta' / 2))) (fun
      j' => star' i' j') None x' then
    high' <- read average (fun j' => id' x'.[j']) (fun j' => id' x'.[j'] * (id' x'.[i'] - (v' + delta' / 2))) (fun
      j' => star' i' j') None x' then
    x'.[i'] + rho' * (low' - high') * unit 1 (d' + 1)))).
Definition shift' (v' : found) : network :=
  with_argument v' (fun v' => use (selective' v' 1)).
Definition spread' (C' : found) : found :=
  by_items ((range 0 n', fun spread' i' => max [(l' C').[j'] for j' in range 0 n' if star' i' j'] - min [(l'
    C').[j'] for j' in range 0 n' if star' i' j']) ;; nil).
Definition psi' (C' : found) (v' : found) : found :=
  v' <- v' then [(spread' C').[i'] if v' - delta' / 2 <= (l' C').[i'] <= v' + delta' / 2 else 0 for i' in range 0
    n'].
Definition power' : found :=
  by_items ((range 0 (n' + 1), fun power' t' => delta' ^ (- (t' * d'))) ;; nil).
Definition least' : found :=
  by_items ((range 1 n', fun least' i' => E'.[i'] * sum [delta' ^ (- (r' - 1)) for r' in range 1 d']) ;; nil).
Definition B' : found :=
  delta' ^ (- d').
Definition most' : found :=
  by_items ((range 1 n', fun most' i' => least'.[i'] + (B' - 1) * delta') ;; nil).
Definition possible' (t' : found) : found :=
  t' <- t' then [power'.[n']] if t' = 0 else dots (least'.[t'] ;; least'.[t'] + delta' ;; nil) (most'.[t']).
Definition P' : found :=
  delta' ^ (- ((n' + 1) * d')) + 1.
Definition a' : found :=
  2 * delta' ^ (- (n' * d' + d')) + delta' ^ (- (n' * d')) + 1.
Definition b' : found :=
  delta' ^ (- (n' * d' + d')) + delta' ^ (- (n' * d')).
Definition printed' (k' : found) (l' : found) : found :=
  k' <- k' then l' <- l' then P' ^ k' * delta' ^ (- (n' * d')) - sum [P' ^ (k' - t') * a' * l'.[t'] for t' in range
    2 k'] - P' ^ (k' - 1) * b' * l'.[1] - l'.[k' + 1].
Definition S' : found :=
  by_items (([0], fun S' _ => power'.[n' + 1]) ;;
    (range 1 n', fun S' k' => printed' k' [power'.[t' - 1] for t' in range 1 (n' + 1)]) ;; nil).
Definition T' : found :=
  by_items (([0], fun T' _ => S'.[0] + delta') ;;
    (range 1 n', fun T' k' => printed' k' [power'.[t'] for t' in range 1 (n' + 1)]) ;; nil).
Definition G' (C' : found) : found :=
  by_items (([0], fun G' _ => delta' ^ (- (n' * d'))) ;;
    (range 1 n', fun G' k' => delta' ^ (- (n' * d')) * (delta' ^ (- d') * (G'.[k' - 1] - (l' C').[k']) + (l'
      C').[k'] - ((l' C').[k' + 1] if k' < n' else delta' ^ (- d') * (G'.[0] - (l' C').[1]) + (l' C').[1])) +
      G'.[k' - 1]) ;; nil).
Definition F' (C' : found) : found :=
  by_items ((range 1 n', fun F' k' => delta' ^ (- d') * ((G' C').[k' - 1] - (l' C').[k']) + (l' C').[k']) ;; nil).

Strategy expand [x' l' added' spread' psi' G' F'].

(** bigbird.lemma2-edges, statement, Lemma 2, App. A.2.2
    "The same on the edges too, as the statement's b_1 <= u^T Z_j <= b_2 has it." *)
Definition bigbird_lemma2__edges'lines (C' : found) : lines :=
  for t' in range 0 n' :
    for w' in possible' t' :
    when (w' = (l' C').[t']) (for v' in [w' + delta' / 2, w' - delta' / 2] :
    line 1 : added' C' (run (shift' v') (x' C')) = psi' C' v').
(** Computed. *)
Lemma bigbird_lemma2__edges'run : check 100000 1 contexts' everywhere bigbird_lemma2__edges'lines =
  Some (Report 4 4 ((24%Z, None) ;; nil)).
Proof.
  transitivity (check 100000 1 contexts' everywhere (fun C' : found =>
    let x' := by_items (([0], fun x' _ => unit (d' + 1) (d' + 1)) ;;
    (range 1 n', fun x' i' => [C'.[i'].[min [r', d']] + E'.[i'] if r' <= d' else 0 for r' in range 1 (d' + 1)]) ;;
      nil) in
    let l' := by_items ((range 0 n', fun l' i' => id' x'.[i']) ;; nil) in
    let added' := fun (Y' : found) => Y' <- Y' then [id' Y'.[i'] - l'.[i'] for i' in range 0 n'] in
    let spread' := by_items ((range 0 n', fun spread' i' => max [l'.[j'] for j' in range 0 n' if star' i' j'] - min
      [l'.[j'] for j' in range 0 n' if star' i' j']) ;; nil) in
    let psi' := fun (v' : found) => v' <- v' then [spread'.[i'] if v' - delta' / 2 <= l'.[i'] <= v' + delta' / 2
      else 0 for i' in range 0 n'] in
    for t' in range 0 n' :
    for w' in possible' t' :
    when (w' = l'.[t']) (for v' in [w' + delta' / 2, w' - delta' / 2] :
    line 1 : added' (run (shift' v') x') = psi' v'))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 4 4 ((24%Z, None) ;; nil)))).
Qed.
(** It is false. *)
Theorem bigbird_lemma2__edges'fails : ~ (forall w, a_case contexts' w ->
  hold (bigbird_lemma2__edges'lines (Is w))).
Proof. exact (refuted _ _ _ _ _ _ bigbird_lemma2__edges'run ltac:(discriminate)). Qed.
(** Computed. *)
Lemma bigbird_lemma2__edges'first_run : first 100000 contexts' everywhere bigbird_lemma2__edges'lines =
  match ([[0], [0]])%page with Is w => Some (0%Z, w) | Refused => None end.
Proof.
  transitivity (first 100000 contexts' everywhere (fun C' : found =>
    let x' := by_items (([0], fun x' _ => unit (d' + 1) (d' + 1)) ;;
    (range 1 n', fun x' i' => [C'.[i'].[min [r', d']] + E'.[i'] if r' <= d' else 0 for r' in range 1 (d' + 1)]) ;;
      nil) in
    let l' := by_items ((range 0 n', fun l' i' => id' x'.[i']) ;; nil) in
    let added' := fun (Y' : found) => Y' <- Y' then [id' Y'.[i'] - l'.[i'] for i' in range 0 n'] in
    let spread' := by_items ((range 0 n', fun spread' i' => max [l'.[j'] for j' in range 0 n' if star' i' j'] - min
      [l'.[j'] for j' in range 0 n' if star' i' j']) ;; nil) in
    let psi' := fun (v' : found) => v' <- v' then [spread'.[i'] if v' - delta' / 2 <= l'.[i'] <= v' + delta' / 2
      else 0 for i' in range 0 n'] in
    for t' in range 0 n' :
    for w' in possible' t' :
    when (w' = l'.[t']) (for v' in [w' + delta' / 2, w' - delta' / 2] :
    line 1 : added' (run (shift' v') x') = psi' v'))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (match ([[0], [0]])%page with Is w => Some (0%Z, w) | Refused => None end)).
Qed.
(** The first case where it fails, and its rank. *)
Theorem bigbird_lemma2__edges'first : exists w, Is w = ([[0], [0]])%page /\ first_failure 100000 contexts'
  everywhere bigbird_lemma2__edges'lines 0 w.
Proof. eexists. split; [vm_compute; reflexivity|]. exact (first_is _ _ _ _ _ _ bigbird_lemma2__edges'first_run).
  Qed.

(** bigbird.ids, step, Lemma 3, App. A.2.2
    "At the start token i's id is in its own bucket, and the ids increase from token 1 to n to the global
    token." *)
Definition bigbird_ids'lines (C' : found) : lines :=
  block ((for i' in range 1 n' :
    block (line 1 : (l' C').[i'] >= delta' ^ (- ((i' - 1) * d')) ;;
    line 2 : (l' C').[i'] <= delta' ^ (- (i' * d')) - delta' ;;
    nil)) ;;
    (for i' in range 1 (n' - 1) :
    line 3 : (l' C').[i'] < (l' C').[i' + 1]) ;;
    line 4 : (l' C').[n'] < (l' C').[0] ;;
    nil).
(** Computed. *)
Lemma bigbird_ids'run : check 100000 4 contexts' everywhere bigbird_ids'lines =
  Some (Report 4 4 ((8%Z, Some (0 # 1)%Q) ;; (8%Z, Some (1 # 1)%Q) ;; (4%Z, Some (3 # 2)%Q) ;; (4%Z, Some (3 #
    2)%Q) ;; nil)).
Proof.
  transitivity (check 100000 4 contexts' everywhere (fun C' : found =>
    let x' := by_items (([0], fun x' _ => unit (d' + 1) (d' + 1)) ;;
    (range 1 n', fun x' i' => [C'.[i'].[min [r', d']] + E'.[i'] if r' <= d' else 0 for r' in range 1 (d' + 1)]) ;;
      nil) in
    let l' := by_items ((range 0 n', fun l' i' => id' x'.[i']) ;; nil) in
    block ((for i' in range 1 n' :
    block (line 1 : l'.[i'] >= delta' ^ (- ((i' - 1) * d')) ;;
    line 2 : l'.[i'] <= delta' ^ (- (i' * d')) - delta' ;;
    nil)) ;;
    (for i' in range 1 (n' - 1) :
    line 3 : l'.[i'] < l'.[i' + 1]) ;;
    line 4 : l'.[n'] < l'.[0] ;;
    nil))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 4 4 ((8%Z, Some (0 # 1)%Q) ;; (8%Z, Some (1 # 1)%Q) ;; (4%Z, Some (3 #
    2)%Q) ;; (4%Z, Some (3 # 2)%Q) ;; nil)))).
Qed.
(** It is false. *)
Theorem bigbird_ids'fails : ~ (forall w, a_case contexts' w ->
  hold (bigbird_ids'lines (Is w))).
Proof. exact (refuted _ _ _ _ _ _ bigbird_ids'run ltac:(discriminate)). Qed.
(** Computed. *)
Lemma bigbird_ids'first_run : first 100000 contexts' everywhere bigbird_ids'lines =
  match ([[0], [0]])%page with Is w => Some (0%Z, w) | Refused => None end.
Proof.
  transitivity (first 100000 contexts' everywhere (fun C' : found =>
    let x' := by_items (([0], fun x' _ => unit (d' + 1) (d' + 1)) ;;
    (range 1 n', fun x' i' => [C'.[i'].[min [r', d']] + E'.[i'] if r' <= d' else 0 for r' in range 1 (d' + 1)]) ;;
      nil) in
    let l' := by_items ((range 0 n', fun l' i' => id' x'.[i']) ;; nil) in
    block ((for i' in range 1 n' :
    block (line 1 : l'.[i'] >= delta' ^ (- ((i' - 1) * d')) ;;
    line 2 : l'.[i'] <= delta' ^ (- (i' * d')) - delta' ;;
    nil)) ;;
    (for i' in range 1 (n' - 1) :
    line 3 : l'.[i'] < l'.[i' + 1]) ;;
    line 4 : l'.[n'] < l'.[0] ;;
    nil))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (match ([[0], [0]])%page with Is w => Some (0%Z, w) | Refused => None end)).
Qed.
(** The first case where it fails, and its rank. *)
Theorem bigbird_ids'first : exists w, Is w = ([[0], [0]])%page /\ first_failure 100000 contexts' everywhere
  bigbird_ids'lines 0 w.
Proof. eexists. split; [vm_compute; reflexivity|]. exact (first_is _ _ _ _ _ _ bigbird_ids'first_run). Qed.

(** bigbird.start, step, Lemma 3, App. A.2.2
    "u^T x_0 is delta^-nd, which is used, and delta^-(n+1)d, which is stated." *)
Definition bigbird_start'lines : lines :=
  block (line 1 : id' (unit (d' + 1) (d' + 1)) = delta' ^ (- (n' * d')) ;;
    line 2 : id' (unit (d' + 1) (d' + 1)) = delta' ^ (- ((n' + 1) * d')) ;;
    nil).
(** It is false. *)
Theorem bigbird_start'fails : ~ hold bigbird_start'lines.
Proof. apply not_held. vm_compute. reflexivity. Qed.

(** bigbird.bounds, own, Lemma 3, App. A.2.2, (UP) and (LP)
    "The interval of the global token isn't empty." *)
Definition bigbird_bounds'lines : lines :=
  for k' in range 0 n' :
    line 1 : S'.[k'] < T'.[k'].
(** It is false. *)
Theorem bigbird_bounds'fails : ~ hold bigbird_bounds'lines.
Proof. apply not_held. vm_compute. reflexivity. Qed.

(** recursion.invariant1, step, Lemma 3, App. A.2.2, invariant 1
    "Invariant 1, if every shift did what the proof says of it." *)
Definition recursion_invariant1'lines (C' : found) : lines :=
  for k' in range 0 n' :
    block (line 1 : (G' C').[k'] > S'.[k'] ;;
    line 2 : (G' C').[k'] < T'.[k'] ;;
    nil).
(** Computed. *)
Lemma recursion_invariant1'run : check 100000 2 contexts' everywhere recursion_invariant1'lines =
  Some (Report 4 4 ((12%Z, Some (2 # 1)%Q) ;; (12%Z, Some (9 # 2)%Q) ;; nil)).
Proof.
  transitivity (check 100000 2 contexts' everywhere (fun C' : found =>
    let x' := by_items (([0], fun x' _ => unit (d' + 1) (d' + 1)) ;;
    (range 1 n', fun x' i' => [C'.[i'].[min [r', d']] + E'.[i'] if r' <= d' else 0 for r' in range 1 (d' + 1)]) ;;
      nil) in
    let l' := by_items ((range 0 n', fun l' i' => id' x'.[i']) ;; nil) in
    let G' := by_items (([0], fun G' _ => delta' ^ (- (n' * d'))) ;;
    (range 1 n', fun G' k' => delta' ^ (- (n' * d')) * (delta' ^ (- d') * (G'.[k' - 1] - l'.[k']) + l'.[k'] -
      (l'.[k' + 1] if k' < n' else delta' ^ (- d') * (G'.[0] - l'.[1]) + l'.[1])) + G'.[k' - 1]) ;; nil) in
    for k' in range 0 n' :
    block (line 1 : G'.[k'] > S'.[k'] ;;
    line 2 : G'.[k'] < T'.[k'] ;;
    nil))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 4 4 ((12%Z, Some (2 # 1)%Q) ;; (12%Z, Some (9 # 2)%Q) ;; nil)))).
Qed.
(** It is false. *)
Theorem recursion_invariant1'fails : ~ (forall w, a_case contexts' w ->
  hold (recursion_invariant1'lines (Is w))).
Proof. exact (refuted _ _ _ _ _ _ recursion_invariant1'run ltac:(discriminate)). Qed.
(** Computed. *)
Lemma recursion_invariant1'first_run : first 100000 contexts' everywhere recursion_invariant1'lines =
  match ([[0], [0]])%page with Is w => Some (0%Z, w) | Refused => None end.
Proof.
  transitivity (first 100000 contexts' everywhere (fun C' : found =>
    let x' := by_items (([0], fun x' _ => unit (d' + 1) (d' + 1)) ;;
    (range 1 n', fun x' i' => [C'.[i'].[min [r', d']] + E'.[i'] if r' <= d' else 0 for r' in range 1 (d' + 1)]) ;;
      nil) in
    let l' := by_items ((range 0 n', fun l' i' => id' x'.[i']) ;; nil) in
    let G' := by_items (([0], fun G' _ => delta' ^ (- (n' * d'))) ;;
    (range 1 n', fun G' k' => delta' ^ (- (n' * d')) * (delta' ^ (- d') * (G'.[k' - 1] - l'.[k']) + l'.[k'] -
      (l'.[k' + 1] if k' < n' else delta' ^ (- d') * (G'.[0] - l'.[1]) + l'.[1])) + G'.[k' - 1]) ;; nil) in
    for k' in range 0 n' :
    block (line 1 : G'.[k'] > S'.[k'] ;;
    line 2 : G'.[k'] < T'.[k'] ;;
    nil))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (match ([[0], [0]])%page with Is w => Some (0%Z, w) | Refused => None end)).
Qed.
(** The first case where it fails, and its rank. *)
Theorem recursion_invariant1'first : exists w, Is w = ([[0], [0]])%page /\ first_failure 100000 contexts'
  everywhere recursion_invariant1'lines 0 w.
Proof. eexists. split; [vm_compute; reflexivity|]. exact (first_is _ _ _ _ _ _ recursion_invariant1'first_run). Qed.

(** recursion.invariant2, step, Lemma 3, App. A.2.2, invariant 2
    "Invariant 2, if every shift did what the proof says of it." *)
Definition recursion_invariant2'lines (C' : found) : lines :=
  for k' in range 1 n' :
    block (line 1 : (F' C').[k'] >= T'.[k' - 1] ;;
    line 2 : (F' C').[k'] < S'.[k'] ;;
    nil).
(** Computed. *)
Lemma recursion_invariant2'run : check 100000 2 contexts' everywhere recursion_invariant2'lines =
  Some (Report 4 4 ((8%Z, Some (75 # 2)%Q) ;; (8%Z, Some (14 # 1)%Q) ;; nil)).
Proof.
  transitivity (check 100000 2 contexts' everywhere (fun C' : found =>
    let x' := by_items (([0], fun x' _ => unit (d' + 1) (d' + 1)) ;;
    (range 1 n', fun x' i' => [C'.[i'].[min [r', d']] + E'.[i'] if r' <= d' else 0 for r' in range 1 (d' + 1)]) ;;
      nil) in
    let l' := by_items ((range 0 n', fun l' i' => id' x'.[i']) ;; nil) in
    let G' := by_items (([0], fun G' _ => delta' ^ (- (n' * d'))) ;;
    (range 1 n', fun G' k' => delta' ^ (- (n' * d')) * (delta' ^ (- d') * (G'.[k' - 1] - l'.[k']) + l'.[k'] -
      (l'.[k' + 1] if k' < n' else delta' ^ (- d') * (G'.[0] - l'.[1]) + l'.[1])) + G'.[k' - 1]) ;; nil) in
    let F' := by_items ((range 1 n', fun F' k' => delta' ^ (- d') * (G'.[k' - 1] - l'.[k']) + l'.[k']) ;; nil) in
    for k' in range 1 n' :
    block (line 1 : F'.[k'] >= T'.[k' - 1] ;;
    line 2 : F'.[k'] < S'.[k'] ;;
    nil))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 4 4 ((8%Z, Some (75 # 2)%Q) ;; (8%Z, Some (14 # 1)%Q) ;; nil)))).
Qed.
(** It is false. *)
Theorem recursion_invariant2'fails : ~ (forall w, a_case contexts' w ->
  hold (recursion_invariant2'lines (Is w))).
Proof. exact (refuted _ _ _ _ _ _ recursion_invariant2'run ltac:(discriminate)). Qed.
(** Computed. *)
Lemma recursion_invariant2'first_run : first 100000 contexts' everywhere recursion_invariant2'lines =
  match ([[0], [0]])%page with Is w => Some (0%Z, w) | Refused => None end.
Proof.
  transitivity (first 100000 contexts' everywhere (fun C' : found =>
    let x' := by_items (([0], fun x' _ => unit (d' + 1) (d' + 1)) ;;
    (range 1 n', fun x' i' => [C'.[i'].[min [r', d']] + E'.[i'] if r' <= d' else 0 for r' in range 1 (d' + 1)]) ;;
      nil) in
    let l' := by_items ((range 0 n', fun l' i' => id' x'.[i']) ;; nil) in
    let G' := by_items (([0], fun G' _ => delta' ^ (- (n' * d'))) ;;
    (range 1 n', fun G' k' => delta' ^ (- (n' * d')) * (delta' ^ (- d') * (G'.[k' - 1] - l'.[k']) + l'.[k'] -
      (l'.[k' + 1] if k' < n' else delta' ^ (- d') * (G'.[0] - l'.[1]) + l'.[1])) + G'.[k' - 1]) ;; nil) in
    let F' := by_items ((range 1 n', fun F' k' => delta' ^ (- d') * (G'.[k' - 1] - l'.[k']) + l'.[k']) ;; nil) in
    for k' in range 1 n' :
    block (line 1 : F'.[k'] >= T'.[k' - 1] ;;
    line 2 : F'.[k'] < S'.[k'] ;;
    nil))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (match ([[0], [0]])%page with Is w => Some (0%Z, w) | Refused => None end)).
Qed.
(** The first case where it fails, and its rank. *)
Theorem recursion_invariant2'first : exists w, Is w = ([[0], [0]])%page /\ first_failure 100000 contexts'
  everywhere recursion_invariant2'lines 0 w.
Proof. eexists. split; [vm_compute; reflexivity|]. exact (first_is _ _ _ _ _ _ recursion_invariant2'first_run). Qed.

Definition proved := (bigbird_lemma2__edges'fails, bigbird_lemma2__edges'first, bigbird_ids'fails,
  bigbird_ids'first,
    bigbird_start'fails, bigbird_bounds'fails, recursion_invariant1'fails, recursion_invariant1'first,
    recursion_invariant2'fails, recursion_invariant2'first).
Print Assumptions proved.
