(** Yun et al., Are Transformers universal approximators of sequence-to-sequence functions? (ICLR 2020)

    At d = 1, n = 2, N = 3. Written by `verify --paper FILE --coq`: the page's own names, each with a ' at its
    end, the words of Core.v, the notation of Words.v. A claim's theorems end in 'holds, 'fails, 'across or
    'once; 'cases says how many cases it is about, 'least_k the least slack of its sign k, 'first which case
    fails first. If the file compiles they are proved; what is 'run is computed by Coq.

    Every claim is covered. *)

From Coq Require Import QArith ZArith List.
From Contextual.reader Require Import Core Check Sound Across Words.
Open Scope page_scope.

Definition N' : found :=
  3.
Definition delta' : found :=
  1 / N'.
Definition n' : found :=
  2.
Definition d' : found :=
  1.
Definition sentinel' : found :=
  - delta' ^ (- (n' * d')).
Definition u' : found :=
  [delta' ^ (- (i' - 1)) for i' in range 1 d'].
Definition Gplus' : inputs :=
  Multisets n' n' (by_key (fun c' => dot u' c') (tuples (dots (sentinel' ;; 0 ;; delta' ;; nil) (1 - delta')) d')).
Definition in_G' (X' : found) : found :=
  all [all [0 <= a' < 1 for a' in X'.[j']] for j' in range 1 n'].
Definition category1' (X' : found) : found :=
  in_G' X' and distinct X' = n'.
Definition id' (c' : found) : found :=
  c' <- c' then dot u' c'.
Definition B' : found :=
  delta' ^ (- d').
Definition rho' : found :=
  delta' ^ (- d').
Definition shift' (v' : found) : layer :=
  layer_with v' (fun v' => becomes 2 (fun x' i' =>
    x'.[i'] + head (column (rho' * unit 1 d')) [u'] [u'] [u'] [delta' / 2 - v'] x' i' + head (column (- (rho' *
      unit 1 d'))) [u'] [u'] [u'] [- (delta' / 2) - v'] x' i')).
Definition sweep' : network :=
  family (dots (0 ;; delta' ;; nil) ((B' - 1) * delta')) (fun v' => use (shift' v')).
Definition Z' (X' : found) : found :=
  run sweep' X'.
Definition t' (X' : found) : found :=
  by_items ((range 1 n', fun t' j' => id' (Z' X').[j']) ;; nil).
Definition lower' : found :=
  delta' ^ (- ((n' - 1) * d')) * delta' * (delta' ^ (- d') - 1).
Definition upper' : found :=
  delta' ^ (- (n' * d')) * delta' * (delta' ^ (- d') - 1) - delta' * (delta' ^ (- d') - 1) ^ 2.
Definition F' : found :=
  delta' ^ (- ((n' + 1) * d')).
Definition global_shift' : layer :=
  becomes 1 (fun x' i' =>
    x'.[i'] + head (column (F' * unit 1 d')) [u'] [u'] [u'] [0] x' i').
Definition last' : network :=
  use global_shift'.
Definition Q' (X' : found) : found :=
  run last' (Z' X').
Definition q' (X' : found) : found :=
  by_items ((range 1 n', fun q' j' => id' (Q' X').[j']) ;; nil).
Definition t_l' : found :=
  delta' ^ (- (2 * n' * d')) * delta' * (delta' ^ (- d') - 1).
Definition t_r' : found :=
  delta' ^ (- ((2 * n' + 1) * d')) * delta' * (delta' ^ (- d') - 1).

Strategy expand [in_G' category1' Z' t' Q' q'].

(** lemma10.lower, statement, Lemma 10, App. B.5.4
    "The largest id after the sweep is not below a bound." *)
Definition lemma10_lower'if (X' : found) : found :=
  category1' X'.
Definition lemma10_lower'lines (X' : found) : lines :=
  line 1 : (t' X').[n'] >= lower'.
(** Computed. *)
Lemma lemma10_lower'run : check 100000 1 Gplus' lemma10_lower'if lemma10_lower'lines =
  Some (Report 3 0 ((3%Z, Some (1 # 3)%Q) ;; nil)).
Proof.
  transitivity (check 100000 1 Gplus' lemma10_lower'if (fun X' : found =>
    let Z' := run sweep' X' in
    let t' := by_items ((range 1 n', fun t' j' => id' Z'.[j']) ;; nil) in
    line 1 : t'.[n'] >= lower')).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 3 0 ((3%Z, Some (1 # 3)%Q) ;; nil)))).
Qed.
(** It holds. *)
Theorem lemma10_lower'holds : forall w, a_case Gplus' w ->
  hold (when (lemma10_lower'if (Is w)) (lemma10_lower'lines (Is w))).
Proof. exact (proj1 (reported _ _ _ _ _ _ lemma10_lower'run eq_refl)). Qed.
(** Its cases. *)
Theorem lemma10_lower'cases : exactly 3 (admitted Gplus' lemma10_lower'if).
Proof. exact (proj2 (reported _ _ _ _ _ _ lemma10_lower'run eq_refl)). Qed.
(** The least slack of its sign 1. *)
Theorem lemma10_lower'least_1 : least Gplus' lemma10_lower'if lemma10_lower'lines 1 (1 # 3)%Q.
Proof. exact (least_is _ _ _ _ _ _ 1 _ _ lemma10_lower'run ltac:(split; discriminate) eq_refl). Qed.

(** lemma10.upper, statement, Lemma 10, App. B.5.4
    "The largest id after the sweep is not above a bound." *)
Definition lemma10_upper'if (X' : found) : found :=
  category1' X'.
Definition lemma10_upper'lines (X' : found) : lines :=
  line 1 : (t' X').[n'] <= upper'.
(** Computed. *)
Lemma lemma10_upper'run : check 100000 1 Gplus' lemma10_upper'if lemma10_upper'lines =
  Some (Report 3 0 ((3%Z, Some (0 # 1)%Q) ;; nil)).
Proof.
  transitivity (check 100000 1 Gplus' lemma10_upper'if (fun X' : found =>
    let Z' := run sweep' X' in
    let t' := by_items ((range 1 n', fun t' j' => id' Z'.[j']) ;; nil) in
    line 1 : t'.[n'] <= upper')).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 3 0 ((3%Z, Some (0 # 1)%Q) ;; nil)))).
Qed.
(** It holds. *)
Theorem lemma10_upper'holds : forall w, a_case Gplus' w ->
  hold (when (lemma10_upper'if (Is w)) (lemma10_upper'lines (Is w))).
Proof. exact (proj1 (reported _ _ _ _ _ _ lemma10_upper'run eq_refl)). Qed.
(** Its cases. *)
Theorem lemma10_upper'cases : exactly 3 (admitted Gplus' lemma10_upper'if).
Proof. exact (proj2 (reported _ _ _ _ _ _ lemma10_upper'run eq_refl)). Qed.
(** The least slack of its sign 1. *)
Theorem lemma10_upper'least_1 : least Gplus' lemma10_upper'if lemma10_upper'lines 1 (0 # 1)%Q.
Proof. exact (least_is _ _ _ _ _ _ 1 _ _ lemma10_upper'run ltac:(split; discriminate) eq_refl). Qed.

(** lemma10.injective, statement, Lemma 10, App. B.5.4
    "The sorted ids are determined by the largest id after the sweep." *)
Definition lemma10_injective'if (X' : found) : found :=
  category1' X'.
Definition lemma10_injective'lines (X' : found) : lines :=
  nothing.
(** Computed. *)
Lemma lemma10_injective'run : check 100000 1 Gplus' lemma10_injective'if lemma10_injective'lines =
  Some (Report 3 0 ((0%Z, None) ;; nil)).
Proof.
  vm_cast_no_check (eq_refl (Some (Report 3 0 ((0%Z, None) ;; nil)))).
Qed.
(** Its cases. *)
Theorem lemma10_injective'cases : exactly 3 (admitted Gplus' lemma10_injective'if).
Proof. exact (proj2 (reported _ _ _ _ _ _ lemma10_injective'run eq_refl)). Qed.
Definition lemma10_injective'a1'numbers (X' : found) : found :=
  (t' X').[n'].
Definition lemma10_injective'a1'pair (a' b' : found) : lines :=
  line 1 : b' - a' > 0.
(** Computed. *)
Lemma lemma10_injective'a1'run : check_across 100000 1 Gplus' lemma10_injective'if lemma10_injective'a1'numbers
  lemma10_injective'a1'pair =
  Some (Pairs true ((2%Z, Some (1 # 3)%Q) ;; nil)).
Proof.
  transitivity (check_across 100000 1 Gplus' lemma10_injective'if (fun X' : found =>
    let Z' := run sweep' X' in
    let t' := by_items ((range 1 n', fun t' j' => id' Z'.[j']) ;; nil) in
    t'.[n']) lemma10_injective'a1'pair).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Pairs true ((2%Z, Some (1 # 3)%Q) ;; nil)))).
Qed.
(** It holds of every two cases. *)
Theorem lemma10_injective'a1'across : across Gplus' lemma10_injective'if lemma10_injective'a1'numbers
  lemma10_injective'a1'pair.
Proof. eapply across_sound; [unfold widening, lemma10_injective'a1'pair; widen|exact lemma10_injective'a1'run]. Qed.
(** The least slack of its sign 1, of every two cases. *)
Theorem lemma10_injective'a1'least_1 : least_across Gplus' lemma10_injective'if lemma10_injective'a1'numbers
  lemma10_injective'a1'pair 1 (1 # 3)%Q.
Proof. eapply across_least; [unfold lemma10_injective'a1'pair; narrow|exact lemma10_injective'a1'run|split;
  discriminate|reflexivity]. Qed.

(** lemma6.1, statement, Lemma 6, Property 1
    "The n values of a context of G~ are distinct." *)
Definition lemma6_1'if (X' : found) : found :=
  category1' X'.
Definition lemma6_1'lines (X' : found) : lines :=
  within (q' X') (fun a' b' => line 1 : b' - a' > 0).
(** Computed. *)
Lemma lemma6_1'run : check 100000 1 Gplus' lemma6_1'if lemma6_1'lines =
  Some (Report 3 0 ((3%Z, Some (4 # 3)%Q) ;; nil)).
Proof.
  transitivity (check 100000 1 Gplus' lemma6_1'if (fun X' : found =>
    let Z' := run sweep' X' in
    let Q' := run last' Z' in
    let q' := by_items ((range 1 n', fun q' j' => id' Q'.[j']) ;; nil) in
    within q' (fun a' b' => line 1 : b' - a' > 0))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 3 0 ((3%Z, Some (4 # 3)%Q) ;; nil)))).
Qed.
(** It holds. *)
Theorem lemma6_1'holds : forall w, a_case Gplus' w ->
  hold (when (lemma6_1'if (Is w)) (lemma6_1'lines (Is w))).
Proof. exact (proj1 (reported _ _ _ _ _ _ lemma6_1'run eq_refl)). Qed.
(** Its cases. *)
Theorem lemma6_1'cases : exactly 3 (admitted Gplus' lemma6_1'if).
Proof. exact (proj2 (reported _ _ _ _ _ _ lemma6_1'run eq_refl)). Qed.
(** The least slack of its sign 1. *)
Theorem lemma6_1'least_1 : least Gplus' lemma6_1'if lemma6_1'lines 1 (4 # 3)%Q.
Proof. exact (least_is _ _ _ _ _ _ 1 _ _ lemma6_1'run ltac:(split; discriminate) eq_refl). Qed.

(** lemma6.2, statement, Lemma 6, Property 2
    "Contexts of G~ that are not permutations of each other have no value in common." *)
Definition lemma6_2'if (X' : found) : found :=
  category1' X'.
Definition lemma6_2'lines (X' : found) : lines :=
  nothing.
(** Computed. *)
Lemma lemma6_2'run : check 100000 1 Gplus' lemma6_2'if lemma6_2'lines =
  Some (Report 3 0 ((0%Z, None) ;; nil)).
Proof.
  vm_cast_no_check (eq_refl (Some (Report 3 0 ((0%Z, None) ;; nil)))).
Qed.
(** Its cases. *)
Theorem lemma6_2'cases : exactly 3 (admitted Gplus' lemma6_2'if).
Proof. exact (proj2 (reported _ _ _ _ _ _ lemma6_2'run eq_refl)). Qed.
Definition lemma6_2'a1'numbers (X' : found) : found :=
  q' X'.
Definition lemma6_2'a1'pair (a' b' : found) : lines :=
  line 1 : b' - a' > 0.
(** Computed. *)
Lemma lemma6_2'a1'run : check_across 100000 1 Gplus' lemma6_2'if lemma6_2'a1'numbers lemma6_2'a1'pair =
  Some (Pairs true ((2%Z, Some (8 # 1)%Q) ;; nil)).
Proof.
  transitivity (check_across 100000 1 Gplus' lemma6_2'if (fun X' : found =>
    let Z' := run sweep' X' in
    let Q' := run last' Z' in
    let q' := by_items ((range 1 n', fun q' j' => id' Q'.[j']) ;; nil) in
    q') lemma6_2'a1'pair).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Pairs true ((2%Z, Some (8 # 1)%Q) ;; nil)))).
Qed.
(** It holds of every two cases. *)
Theorem lemma6_2'a1'across : across Gplus' lemma6_2'if lemma6_2'a1'numbers lemma6_2'a1'pair.
Proof. eapply across_sound; [unfold widening, lemma6_2'a1'pair; widen|exact lemma6_2'a1'run]. Qed.
(** The least slack of its sign 1, of every two cases. *)
Theorem lemma6_2'a1'least_1 : least_across Gplus' lemma6_2'if lemma6_2'a1'numbers lemma6_2'a1'pair 1 (8 # 1)%Q.
Proof. eapply across_least; [unfold lemma6_2'a1'pair; narrow|exact lemma6_2'a1'run|split;
  discriminate|reflexivity]. Qed.

(** lemma6.3, statement, Lemma 6, Property 3
    "Every value of a context of G~ lies in [t_l, t_r)." *)
Definition lemma6_3'if (X' : found) : found :=
  category1' X'.
Definition lemma6_3'lines (X' : found) : lines :=
  for j' in range 1 n' :
    block (line 1 : (q' X').[j'] >= t_l' ;;
    line 2 : (q' X').[j'] < t_r' ;;
    nil).
(** Computed. *)
Lemma lemma6_3'run : check 100000 2 Gplus' lemma6_3'if lemma6_3'lines =
  Some (Report 3 0 ((6%Z, Some (10 # 1)%Q) ;; (6%Z, Some (94 # 3)%Q) ;; nil)).
Proof.
  transitivity (check 100000 2 Gplus' lemma6_3'if (fun X' : found =>
    let Z' := run sweep' X' in
    let Q' := run last' Z' in
    let q' := by_items ((range 1 n', fun q' j' => id' Q'.[j']) ;; nil) in
    for j' in range 1 n' :
    block (line 1 : q'.[j'] >= t_l' ;;
    line 2 : q'.[j'] < t_r' ;;
    nil))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 3 0 ((6%Z, Some (10 # 1)%Q) ;; (6%Z, Some (94 # 3)%Q) ;; nil)))).
Qed.
(** It holds. *)
Theorem lemma6_3'holds : forall w, a_case Gplus' w ->
  hold (when (lemma6_3'if (Is w)) (lemma6_3'lines (Is w))).
Proof. exact (proj1 (reported _ _ _ _ _ _ lemma6_3'run eq_refl)). Qed.
(** Its cases. *)
Theorem lemma6_3'cases : exactly 3 (admitted Gplus' lemma6_3'if).
Proof. exact (proj2 (reported _ _ _ _ _ _ lemma6_3'run eq_refl)). Qed.
(** The least slack of its sign 1. *)
Theorem lemma6_3'least_1 : least Gplus' lemma6_3'if lemma6_3'lines 1 (10 # 1)%Q.
Proof. exact (least_is _ _ _ _ _ _ 1 _ _ lemma6_3'run ltac:(split; discriminate) eq_refl). Qed.
(** The least slack of its sign 2. *)
Theorem lemma6_3'least_2 : least Gplus' lemma6_3'if lemma6_3'lines 2 (94 # 3)%Q.
Proof. exact (least_is _ _ _ _ _ _ 2 _ _ lemma6_3'run ltac:(split; discriminate) eq_refl). Qed.

(** lemma6.4, statement, Lemma 6, Property 4
    "Every value of every other matrix of G+ lies outside [t_l, t_r)." *)
Definition lemma6_4'if (X' : found) : found :=
  not category1' X'.
Definition lemma6_4'lines (X' : found) : lines :=
  for j' in range 1 n' :
    block (when ((q' X').[j'] - t_l' < t_r' - (q' X').[j']) (line 1 : (q' X').[j'] < t_l') ;;
    when ((q' X').[j'] - t_l' >= t_r' - (q' X').[j']) (line 2 : (q' X').[j'] >= t_r') ;;
    nil).
(** Computed. *)
Lemma lemma6_4'run : check 100000 2 Gplus' lemma6_4'if lemma6_4'lines =
  Some (Report 7 0 ((11%Z, Some (106 # 3)%Q) ;; (3%Z, Some (594 # 1)%Q) ;; nil)).
Proof.
  transitivity (check 100000 2 Gplus' lemma6_4'if (fun X' : found =>
    let Z' := run sweep' X' in
    let Q' := run last' Z' in
    let q' := by_items ((range 1 n', fun q' j' => id' Q'.[j']) ;; nil) in
    for j' in range 1 n' :
    block (when (q'.[j'] - t_l' < t_r' - q'.[j']) (line 1 : q'.[j'] < t_l') ;;
    when (q'.[j'] - t_l' >= t_r' - q'.[j']) (line 2 : q'.[j'] >= t_r') ;;
    nil))).
  - reflexivity.
  - vm_cast_no_check (eq_refl (Some (Report 7 0 ((11%Z, Some (106 # 3)%Q) ;; (3%Z, Some (594 # 1)%Q) ;; nil)))).
Qed.
(** It holds. *)
Theorem lemma6_4'holds : forall w, a_case Gplus' w ->
  hold (when (lemma6_4'if (Is w)) (lemma6_4'lines (Is w))).
Proof. exact (proj1 (reported _ _ _ _ _ _ lemma6_4'run eq_refl)). Qed.
(** Its cases. *)
Theorem lemma6_4'cases : exactly 7 (admitted Gplus' lemma6_4'if).
Proof. exact (proj2 (reported _ _ _ _ _ _ lemma6_4'run eq_refl)). Qed.
(** The least slack of its sign 1. *)
Theorem lemma6_4'least_1 : least Gplus' lemma6_4'if lemma6_4'lines 1 (106 # 3)%Q.
Proof. exact (least_is _ _ _ _ _ _ 1 _ _ lemma6_4'run ltac:(split; discriminate) eq_refl). Qed.
(** The least slack of its sign 2. *)
Theorem lemma6_4'least_2 : least Gplus' lemma6_4'if lemma6_4'lines 2 (594 # 1)%Q.
Proof. exact (least_is _ _ _ _ _ _ 2 _ _ lemma6_4'run ltac:(split; discriminate) eq_refl). Qed.

Definition proved := (lemma10_lower'holds, lemma10_lower'cases, lemma10_lower'least_1, lemma10_upper'holds,
  lemma10_upper'cases,
    lemma10_upper'least_1, lemma10_injective'cases, lemma10_injective'a1'across, lemma10_injective'a1'least_1,
    lemma6_1'holds, lemma6_1'cases, lemma6_1'least_1, lemma6_2'cases, lemma6_2'a1'across, lemma6_2'a1'least_1,
    lemma6_3'holds, lemma6_3'cases, lemma6_3'least_1, lemma6_3'least_2, lemma6_4'holds, lemma6_4'cases,
    lemma6_4'least_1, lemma6_4'least_2).
Print Assumptions proved.
