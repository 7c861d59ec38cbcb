(** Yun et al., Are Transformers universal approximators of sequence-to-sequence functions? (ICLR 2020)

    At d = 1, n = 2, N = 3. Written by `verify --paper FILE --coq`: the page's own names, the words of Core.v,
    the notation of Words.v. A claim's theorems end in _holds, _fails, _across or _once; _cases says how many
    cases it is about, _least_k the least slack of its sign k, _first which case fails first. If the file
    compiles they are proved; what is _run is computed by Coq.

    Every claim is covered. *)

From Coq Require Import QArith ZArith List.
From Contextual.reader Require Import Core Check Sound Across Words.
Open Scope page_scope.

Definition N : found :=
  3.
Definition delta : found :=
  1 / N.
Definition n : found :=
  2.
Definition d : found :=
  1.
Definition sentinel : found :=
  - delta ^ (- (n * d)).
Definition u : found :=
  [delta ^ (- (i - 1)) for i in range 1 d].
Definition Gplus : inputs :=
  Multisets n n (by_key (fun c => dot u c) (tuples (dots (sentinel ;; 0 ;; delta ;; nil) (1 - delta)) d)).
Definition in_G (X : found) : found :=
  all [all [0 <= a < 1 for a in X.[j]] for j in range 1 n].
Definition category1 (X : found) : found :=
  in_G X and distinct X = n.
Definition id (c : found) : found :=
  c <- c then dot u c.
Definition B : found :=
  delta ^ (- d).
Definition rho : found :=
  delta ^ (- d).
Definition shift (v : found) : layer :=
  layer_with v (fun v => becomes 2 (fun x i =>
    x.[i] + head (column (rho * unit 1 d)) [u] [u] [u] [delta / 2 - v] x i + head (column (- (rho * unit 1 d))) [u]
      [u] [u] [- (delta / 2) - v] x i)).
Definition sweep : network :=
  family (dots (0 ;; delta ;; nil) ((B - 1) * delta)) (fun v => use (shift v)).
Definition Z (X : found) : found :=
  run sweep X.
Definition t (X : found) : found :=
  by_items ((range 1 n, fun t j => id (Z X).[j]) ;; nil).
Definition lower : found :=
  delta ^ (- ((n - 1) * d)) * delta * (delta ^ (- d) - 1).
Definition upper : found :=
  delta ^ (- (n * d)) * delta * (delta ^ (- d) - 1) - delta * (delta ^ (- d) - 1) ^ 2.
Definition F : found :=
  delta ^ (- ((n + 1) * d)).
Definition global_shift : layer :=
  becomes 1 (fun x i =>
    x.[i] + head (column (F * unit 1 d)) [u] [u] [u] [0] x i).
Definition last : network :=
  use global_shift.
Definition Q (X : found) : found :=
  run last (Z X).
Definition q (X : found) : found :=
  by_items ((range 1 n, fun q j => id (Q X).[j]) ;; nil).
Definition t_l : found :=
  delta ^ (- (2 * n * d)) * delta * (delta ^ (- d) - 1).
Definition t_r : found :=
  delta ^ (- ((2 * n + 1) * d)) * delta * (delta ^ (- d) - 1).

Strategy expand [in_G category1 Z t Q q].

(** lemma10.lower, statement, Lemma 10, App. B.5.4
    "The largest id after the sweep is not below a bound." *)
Definition lemma10_lower_if (X : found) : found :=
  category1 X.
Definition lemma10_lower (X : found) : lines :=
  line 1 : (t X).[n] >= lower.
(** Computed. *)
Lemma lemma10_lower_run : check 100000 1 Gplus lemma10_lower_if lemma10_lower =
  Some (Report 3 0 ((3%Z, Some (1 # 3)%Q) ;; nil)).
Proof.
  transitivity (check 100000 1 Gplus lemma10_lower_if (fun X : found =>
    let Z := run sweep X in
    let t := by_items ((range 1 n, fun t j => id Z.[j]) ;; nil) in
    line 1 : t.[n] >= lower)).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 3 0 ((3%Z, Some (1 # 3)%Q) ;; nil)))).
Qed.
(** It holds. *)
Theorem lemma10_lower_holds : forall w, a_case Gplus w ->
  hold (when (lemma10_lower_if (Is w)) (lemma10_lower (Is w))).
Proof. exact (proj1 (reported _ _ _ _ _ _ lemma10_lower_run eq_refl)). Qed.
(** Its cases. *)
Theorem lemma10_lower_cases : exactly 3 (admitted Gplus lemma10_lower_if).
Proof. exact (proj2 (reported _ _ _ _ _ _ lemma10_lower_run eq_refl)). Qed.
(** The least slack of its sign 1. *)
Theorem lemma10_lower_least_1 : least Gplus lemma10_lower_if lemma10_lower 1 (1 # 3)%Q.
Proof. exact (least_is _ _ _ _ _ _ 1 _ _ lemma10_lower_run ltac:(split; discriminate) eq_refl). Qed.

(** lemma10.upper, statement, Lemma 10, App. B.5.4
    "The largest id after the sweep is not above a bound." *)
Definition lemma10_upper_if (X : found) : found :=
  category1 X.
Definition lemma10_upper (X : found) : lines :=
  line 1 : (t X).[n] <= upper.
(** Computed. *)
Lemma lemma10_upper_run : check 100000 1 Gplus lemma10_upper_if lemma10_upper =
  Some (Report 3 0 ((3%Z, Some (0 # 1)%Q) ;; nil)).
Proof.
  transitivity (check 100000 1 Gplus lemma10_upper_if (fun X : found =>
    let Z := run sweep X in
    let t := by_items ((range 1 n, fun t j => id Z.[j]) ;; nil) in
    line 1 : t.[n] <= upper)).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 3 0 ((3%Z, Some (0 # 1)%Q) ;; nil)))).
Qed.
(** It holds. *)
Theorem lemma10_upper_holds : forall w, a_case Gplus w ->
  hold (when (lemma10_upper_if (Is w)) (lemma10_upper (Is w))).
Proof. exact (proj1 (reported _ _ _ _ _ _ lemma10_upper_run eq_refl)). Qed.
(** Its cases. *)
Theorem lemma10_upper_cases : exactly 3 (admitted Gplus lemma10_upper_if).
Proof. exact (proj2 (reported _ _ _ _ _ _ lemma10_upper_run eq_refl)). Qed.
(** The least slack of its sign 1. *)
Theorem lemma10_upper_least_1 : least Gplus lemma10_upper_if lemma10_upper 1 (0 # 1)%Q.
Proof. exact (least_is _ _ _ _ _ _ 1 _ _ lemma10_upper_run ltac:(split; discriminate) eq_refl). Qed.

(** lemma10.injective, statement, Lemma 10, App. B.5.4
    "The sorted ids are determined by the largest id after the sweep." *)
Definition lemma10_injective_if (X : found) : found :=
  category1 X.
Definition lemma10_injective (X : found) : lines :=
  nothing.
(** Computed. *)
Lemma lemma10_injective_run : check 100000 1 Gplus lemma10_injective_if lemma10_injective =
  Some (Report 3 0 ((0%Z, None) ;; nil)).
Proof.
  vm_cast_no_check (eq_refl (Some (Report 3 0 ((0%Z, None) ;; nil)))).
Qed.
(** Its cases. *)
Theorem lemma10_injective_cases : exactly 3 (admitted Gplus lemma10_injective_if).
Proof. exact (proj2 (reported _ _ _ _ _ _ lemma10_injective_run eq_refl)). Qed.
Definition lemma10_injective_a1_numbers (X : found) : found :=
  (t X).[n].
Definition lemma10_injective_a1_pair (a b : found) : lines :=
  line 1 : b - a > 0.
(** Computed. *)
Lemma lemma10_injective_a1_run : check_across 100000 1 Gplus lemma10_injective_if lemma10_injective_a1_numbers
  lemma10_injective_a1_pair =
  Some (Pairs true ((2%Z, Some (1 # 3)%Q) ;; nil)).
Proof.
  transitivity (check_across 100000 1 Gplus lemma10_injective_if (fun X : found =>
    let Z := run sweep X in
    let t := by_items ((range 1 n, fun t j => id Z.[j]) ;; nil) in
    t.[n]) lemma10_injective_a1_pair).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Pairs true ((2%Z, Some (1 # 3)%Q) ;; nil)))).
Qed.
(** It holds of every two cases. *)
Theorem lemma10_injective_a1_across : across Gplus lemma10_injective_if lemma10_injective_a1_numbers
  lemma10_injective_a1_pair.
Proof. eapply across_sound; [unfold widening, lemma10_injective_a1_pair; widen|exact lemma10_injective_a1_run]. Qed.
(** The least slack of its sign 1, of every two cases. *)
Theorem lemma10_injective_a1_least_1 : least_across Gplus lemma10_injective_if lemma10_injective_a1_numbers
  lemma10_injective_a1_pair 1 (1 # 3)%Q.
Proof. eapply across_least; [unfold lemma10_injective_a1_pair; narrow|exact lemma10_injective_a1_run|split;
  discriminate|reflexivity]. Qed.

(** lemma6.1, statement, Lemma 6, Property 1
    "The n values of a context of G~ are distinct." *)
Definition lemma6_1_if (X : found) : found :=
  category1 X.
Definition lemma6_1 (X : found) : lines :=
  within (q X) (fun a b => line 1 : b - a > 0).
(** Computed. *)
Lemma lemma6_1_run : check 100000 1 Gplus lemma6_1_if lemma6_1 =
  Some (Report 3 0 ((3%Z, Some (4 # 3)%Q) ;; nil)).
Proof.
  transitivity (check 100000 1 Gplus lemma6_1_if (fun X : found =>
    let Z := run sweep X in
    let Q := run last Z in
    let q := by_items ((range 1 n, fun q j => id Q.[j]) ;; nil) in
    within q (fun a b => line 1 : b - a > 0))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 3 0 ((3%Z, Some (4 # 3)%Q) ;; nil)))).
Qed.
(** It holds. *)
Theorem lemma6_1_holds : forall w, a_case Gplus w ->
  hold (when (lemma6_1_if (Is w)) (lemma6_1 (Is w))).
Proof. exact (proj1 (reported _ _ _ _ _ _ lemma6_1_run eq_refl)). Qed.
(** Its cases. *)
Theorem lemma6_1_cases : exactly 3 (admitted Gplus lemma6_1_if).
Proof. exact (proj2 (reported _ _ _ _ _ _ lemma6_1_run eq_refl)). Qed.
(** The least slack of its sign 1. *)
Theorem lemma6_1_least_1 : least Gplus lemma6_1_if lemma6_1 1 (4 # 3)%Q.
Proof. exact (least_is _ _ _ _ _ _ 1 _ _ lemma6_1_run ltac:(split; discriminate) eq_refl). Qed.

(** lemma6.2, statement, Lemma 6, Property 2
    "Contexts of G~ that are not permutations of each other have no value in common." *)
Definition lemma6_2_if (X : found) : found :=
  category1 X.
Definition lemma6_2 (X : found) : lines :=
  nothing.
(** Computed. *)
Lemma lemma6_2_run : check 100000 1 Gplus lemma6_2_if lemma6_2 =
  Some (Report 3 0 ((0%Z, None) ;; nil)).
Proof.
  vm_cast_no_check (eq_refl (Some (Report 3 0 ((0%Z, None) ;; nil)))).
Qed.
(** Its cases. *)
Theorem lemma6_2_cases : exactly 3 (admitted Gplus lemma6_2_if).
Proof. exact (proj2 (reported _ _ _ _ _ _ lemma6_2_run eq_refl)). Qed.
Definition lemma6_2_a1_numbers (X : found) : found :=
  q X.
Definition lemma6_2_a1_pair (a b : found) : lines :=
  line 1 : b - a > 0.
(** Computed. *)
Lemma lemma6_2_a1_run : check_across 100000 1 Gplus lemma6_2_if lemma6_2_a1_numbers lemma6_2_a1_pair =
  Some (Pairs true ((2%Z, Some (8 # 1)%Q) ;; nil)).
Proof.
  transitivity (check_across 100000 1 Gplus lemma6_2_if (fun X : found =>
    let Z := run sweep X in
    let Q := run last Z in
    let q := by_items ((range 1 n, fun q j => id Q.[j]) ;; nil) in
    q) lemma6_2_a1_pair).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Pairs true ((2%Z, Some (8 # 1)%Q) ;; nil)))).
Qed.
(** It holds of every two cases. *)
Theorem lemma6_2_a1_across : across Gplus lemma6_2_if lemma6_2_a1_numbers lemma6_2_a1_pair.
Proof. eapply across_sound; [unfold widening, lemma6_2_a1_pair; widen|exact lemma6_2_a1_run]. Qed.
(** The least slack of its sign 1, of every two cases. *)
Theorem lemma6_2_a1_least_1 : least_across Gplus lemma6_2_if lemma6_2_a1_numbers lemma6_2_a1_pair 1 (8 # 1)%Q.
Proof. eapply across_least; [unfold lemma6_2_a1_pair; narrow|exact lemma6_2_a1_run|split;
  discriminate|reflexivity]. Qed.

(** lemma6.3, statement, Lemma 6, Property 3
    "Every value of a context of G~ lies in [t_l, t_r)." *)
Definition lemma6_3_if (X : found) : found :=
  category1 X.
Definition lemma6_3 (X : found) : lines :=
  for j in range 1 n :
    block (line 1 : (q X).[j] >= t_l ;;
    line 2 : (q X).[j] < t_r ;;
    nil).
(** Computed. *)
Lemma lemma6_3_run : check 100000 2 Gplus lemma6_3_if lemma6_3 =
  Some (Report 3 0 ((6%Z, Some (10 # 1)%Q) ;; (6%Z, Some (94 # 3)%Q) ;; nil)).
Proof.
  transitivity (check 100000 2 Gplus lemma6_3_if (fun X : found =>
    let Z := run sweep X in
    let Q := run last Z in
    let q := by_items ((range 1 n, fun q j => id Q.[j]) ;; nil) in
    for j in range 1 n :
    block (line 1 : q.[j] >= t_l ;;
    line 2 : q.[j] < t_r ;;
    nil))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 3 0 ((6%Z, Some (10 # 1)%Q) ;; (6%Z, Some (94 # 3)%Q) ;; nil)))).
Qed.
(** It holds. *)
Theorem lemma6_3_holds : forall w, a_case Gplus w ->
  hold (when (lemma6_3_if (Is w)) (lemma6_3 (Is w))).
Proof. exact (proj1 (reported _ _ _ _ _ _ lemma6_3_run eq_refl)). Qed.
(** Its cases. *)
Theorem lemma6_3_cases : exactly 3 (admitted Gplus lemma6_3_if).
Proof. exact (proj2 (reported _ _ _ _ _ _ lemma6_3_run eq_refl)). Qed.
(** The least slack of its sign 1. *)
Theorem lemma6_3_least_1 : least Gplus lemma6_3_if lemma6_3 1 (10 # 1)%Q.
Proof. exact (least_is _ _ _ _ _ _ 1 _ _ lemma6_3_run ltac:(split; discriminate) eq_refl). Qed.
(** The least slack of its sign 2. *)
Theorem lemma6_3_least_2 : least Gplus lemma6_3_if lemma6_3 2 (94 # 3)%Q.
Proof. exact (least_is _ _ _ _ _ _ 2 _ _ lemma6_3_run ltac:(split; discriminate) eq_refl). Qed.

(** lemma6.4, statement, Lemma 6, Property 4
    "Every value of every other matrix of G+ lies outside [t_l, t_r)." *)
Definition lemma6_4_if (X : found) : found :=
  not category1 X.
Definition lemma6_4 (X : found) : lines :=
  for j in range 1 n :
    block (when ((q X).[j] - t_l < t_r - (q X).[j]) (line 1 : (q X).[j] < t_l) ;;
    when ((q X).[j] - t_l >= t_r - (q X).[j]) (line 2 : (q X).[j] >= t_r) ;;
    nil).
(** Computed. *)
Lemma lemma6_4_run : check 100000 2 Gplus lemma6_4_if lemma6_4 =
  Some (Report 7 0 ((11%Z, Some (106 # 3)%Q) ;; (3%Z, Some (594 # 1)%Q) ;; nil)).
Proof.
  transitivity (check 100000 2 Gplus lemma6_4_if (fun X : found =>
    let Z := run sweep X in
    let Q := run last Z in
    let q := by_items ((range 1 n, fun q j => id Q.[j]) ;; nil) in
    for j in range 1 n :
    block (when (q.[j] - t_l < t_r - q.[j]) (line 1 : q.[j] < t_l) ;;
    when (q.[j] - t_l >= t_r - q.[j]) (line 2 : q.[j] >= t_r) ;;
    nil))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 7 0 ((11%Z, Some (106 # 3)%Q) ;; (3%Z, Some (594 # 1)%Q) ;; nil)))).
Qed.
(** It holds. *)
Theorem lemma6_4_holds : forall w, a_case Gplus w ->
  hold (when (lemma6_4_if (Is w)) (lemma6_4 (Is w))).
Proof. exact (proj1 (reported _ _ _ _ _ _ lemma6_4_run eq_refl)). Qed.
(** Its cases. *)
Theorem lemma6_4_cases : exactly 7 (admitted Gplus lemma6_4_if).
Proof. exact (proj2 (reported _ _ _ _ _ _ lemma6_4_run eq_refl)). Qed.
(** The least slack of its sign 1. *)
Theorem lemma6_4_least_1 : least Gplus lemma6_4_if lemma6_4 1 (106 # 3)%Q.
Proof. exact (least_is _ _ _ _ _ _ 1 _ _ lemma6_4_run ltac:(split; discriminate) eq_refl). Qed.
(** The least slack of its sign 2. *)
Theorem lemma6_4_least_2 : least Gplus lemma6_4_if lemma6_4 2 (594 # 1)%Q.
Proof. exact (least_is _ _ _ _ _ _ 2 _ _ lemma6_4_run ltac:(split; discriminate) eq_refl). Qed.

Definition proved := (lemma10_lower_holds, lemma10_lower_cases, lemma10_lower_least_1, lemma10_upper_holds,
  lemma10_upper_cases,
    lemma10_upper_least_1, lemma10_injective_cases, lemma10_injective_a1_across, lemma10_injective_a1_least_1,
    lemma6_1_holds, lemma6_1_cases, lemma6_1_least_1, lemma6_2_cases, lemma6_2_a1_across, lemma6_2_a1_least_1,
    lemma6_3_holds, lemma6_3_cases, lemma6_3_least_1, lemma6_3_least_2, lemma6_4_holds, lemma6_4_cases,
    lemma6_4_least_1, lemma6_4_least_2).
Print Assumptions proved.
