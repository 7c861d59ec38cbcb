(** Theorem 3: positional encodings put column j into [j, j + 1)^d, so that the context is the matrix itself, and
    nothing is asked of f but continuity. First any compact part of the cube, then any compact domain. *)
From Coq Require Import Reals QArith Qreals List Arith Bool Lia Lra Psatz Classical ClassicalEpsilon
  FunctionalExtensionality.
From Contextual Require Statement Statement3.
From Contextual Require Import Approximation Sums Construction Relu Blocks Tracking Interface Keys Boxes Uniform Budget
  Sentinel Cube Rescale Explicit.
Import ListNotations.
Open Scope R_scope.

Section Positions.
Variables d n : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Variable F : R.
Hypothesis F0 : 0 < F.
Variable v : cells -> matrix.
Hypothesis v_bound : forall K i j, (i < d)%nat -> (j < n)%nat -> Rabs (v K i j) <= F.

Section Map.
Variable N : nat.
Hypothesis N2 : (2 <= N)%nat.
Notation w := (/ INR N).
Notation a := (offset d N F).
Notation rid := (along d (u N)).
Notation factor := (Statement3.positional_factor d n N).
Notation levels := (Statement3.levels d n N).

(** Keys are above the ids of values, if there are F d + 1 cells to a unit. *)
Lemma positional_above_spec : F * INR d + 1 <= INR N -> positional_keys_above d n N F.
Proof using N2 d1 n1.
  intros FN K j HK Hj. unfold positional_map_key. destruct (Nat.eqb_spec n 1) as [E|NE].
  - unfold single_key, offset. pose proof (corner_id_nonneg d N K j N2). lra.
  - apply (positional_key_above d n N d1 ltac:(lia) N2 F K j FN (positional_range d n N d1 n1 N2 K HK) Hj).
Qed.

Hypothesis above : positional_keys_above d n N F.
(** Theorem 3's mapping fills in the interface, and so does a constant if there is one column. *)
Theorem positional_interface tol lambda : 0 < lambda -> 0 <= tol -> tol <= w / 4 ->
  positional_error d n N / lambda <= tol ->
  interface d n N (n * N) F tol (positional_contexts d n N) (positional_map_key d n N a) (positional_map d n N a lambda)
    (fun K => v (drop N K)).
Proof using N2 above d1 n1 v_bound.
  intros L0 T0 Tw CL. unfold positional_error in CL. cbv zeta in CL. unfold positional_map_key, positional_map.
  pose proof (positional_range d n N d1 n1 N2) as range. pose proof (positional_equal d n N d1 n1 N2) as equal. split.
  - intros K HK i j Hi Hj. specialize (range K HK i j Hi Hj). nia.
  - intros K Y HK EY j Hj. destruct (Nat.eqb_spec n 1) as [E|NE].
    + rewrite E in *. rewrite (single_id d N d1 N2). unfold single_key. replace (rid Y j) with (rid (corner N K) j).
      * rewrite Rminus_eq_0, Rabs_R0. exact T0.
      * symmetry. apply along_ext. intros i Hi. apply EY; assumption.
    + eapply Rle_trans; [|exact CL]. apply (positional_tracking d n N d1 ltac:(lia) N2); try assumption;
        [lra|apply range, HK].
  - intros Y i j Hi. destruct (Nat.eqb_spec n 1) as [E|NE]; [|apply map_rest, Hi].
    rewrite E, single_row. unfold unit. destruct (Nat.eqb_spec i 0); [lia|ring].
  - intros K K' j j' HK HK' Hj Hj'. destruct (Nat.eqb_spec n 1) as [E|NE].
    + assert (j = O) as -> by lia. assert (j' = O) as -> by lia.
      assert (forall K, In K (positional_contexts d n N) -> in_range d 1 N K) as R.
      { intros K1 H1 i k Hi Hk. specialize (range K1 H1 i k Hi ltac:(lia)). assert (k = O) as -> by lia. lia. }
      destruct (single_separation d N d1 N2 a K K' 0 0 (R K HK) (R K' HK') ltac:(lia) ltac:(lia)) as [[Ek S]|far];
        [left|right; exact far].
      split; [exact Ek|]. rewrite (equal K' K HK' HK) by (rewrite E; exact S). auto.
    + destruct (positional_separation d n N d1 ltac:(lia) N2 K K' j j' HK HK' Hj Hj') as [[Ek [-> ->]]|far];
        [left|right; exact far].
      split; [exact Ek|auto].
  - exact above.
  - intros K _ i j Hi Hj. apply v_bound; assumption.
Qed.
End Map.

(** ** The numbers put in. D is within the cube, and v is f at some point of D in each cell that D meets. *)
Variable D : matrix -> Prop.
Variable f : matrix -> matrix.
Hypothesis D_cube : forall X, D X -> cube d n X.
Hypothesis f_bound : forall X, D X -> forall i j, (i < d)%nat -> (j < n)%nat -> Rabs (f X i j) <= F.
Variables c p eps : R.
Hypothesis p1 : 1 <= p.
Hypothesis eps0 : 0 < eps.
Hypothesis f_modulus : forall X Y, D X -> D Y -> close d n c X Y -> close d n (step_error d n eps) (f X) (f Y).
Variable N : nat.
Variables e lambda : R.
Hypothesis numbers : fine_positions d n F c p eps N e.
Notation tol := (tolerance d n N eps).
Hypothesis lambda0 : 0 < lambda.
Hypothesis lambda_large : positional_error d n N / lambda <= tol.
Hypothesis v_sample : forall K, In K (all_cells d n N) -> (exists X, D X /\ in_cell d n N K X) ->
  exists Y, D Y /\ in_cell d n N K Y /\ forall i j, (i < d)%nat -> (j < n)%nat -> v K i j = f Y i j.
Notation net := (run d n 2 1 4).

(** The encoding, added and taken away. *)
Lemma drop_lift K : drop N (lift N K) = K.
Proof using d1 n1. extensionality i. extensionality j. unfold drop, lift. lia. Qed.

(** Theorem 3 within the cube, with all numbers given. *)
Theorem positional_approximate : distance_below d n p D f (fun X =>
  net (positional_network_at d n N e lambda F v) (plus X positions)) eps.
Proof using D_cube F0 d1 eps0 f_bound f_modulus lambda0 lambda_large n1 numbers p1 v_bound v_sample.
  destruct numbers as [FN [N2 [_ [[e0 ew] _]]]].
  destruct (tolerance_spec d n d1 n1 F p eps eps0 N N2) as [T0 [Tw _]].
  assert (INR N * / INR N = 1) as NW by (apply Rinv_r, not_0_INR; lia).
  pose proof (positional_interface N N2 (positional_above_spec N N2 FN) tol _ lambda0 (Rlt_le _ _ T0) Tw lambda_large)
    as face.
  apply (approximates d n d1 n1 F c p eps F0 p1 eps0 N e (proj2 numbers)); try assumption.
  - intros X i j Hi Hj. apply bounded_point; assumption.
  - intros X HX [HG _]. destruct (cell_spec d n N X ltac:(lia) (D_cube X HX)) as [R C].
    destruct (cells_complete d n N (cell N X) n1 R) as [K [HK E]].
    destruct (v_sample K HK) as [Y [HY [CY EV]]].
    { exists X. split; [exact HX|]. apply (in_cell_same d n N (cell N X)); [intros i j Hi Hj; symmetry; apply E;
        assumption|exact C]. }
    exists Y. split; [exact HY|split; [apply (in_cell_same d n N K); assumption|]]. intros i j Hi Hj.
    rewrite <- EV, <- (drop_lift K) by assumption.
    apply (good_point d n N (n * N) F tol (positional_contexts d n N) _ _ (fun K => v (drop N K)) face d1 N2 Tw e e0
      ew); [apply in_map, HK| |exact Hi|exact Hj].
    intros k l Hk Hl. destruct (HG k l Hk Hl) as [_ H]. unfold plus, positions, lift.
    rewrite plus_INR, mult_INR, E by assumption.
    replace ((INR l * INR N + INR (cell N X k l)) * / INR N) with (INR l * (INR N * / INR N) + INR (cell N X k l) * /
      INR N) by ring.
    rewrite NW. lra.
Qed.
End Positions.

(** ** Any compact domain within [-K, K], with all numbers given *)
Section Given.
Variables d n : nat.
Variable D : matrix -> Prop.
Variable f : matrix -> matrix.
Variables K F c p eps : R.
Variable v : cells -> matrix.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Hypothesis D_box : forall X, D X -> close d n K X (fun _ _ => 0).
Hypothesis f_bound : forall X, D X -> forall i j, (i < d)%nat -> (j < n)%nat -> Rabs (f X i j) <= F.
Hypothesis K0 : 0 < K.
Hypothesis F0 : 0 < F.
Hypothesis c0 : 0 < c.
Hypothesis p1 : 1 <= p.
Hypothesis eps0 : 0 < eps.
Notation eps' := (shrunk d n (2 * K) p eps).
Hypothesis f_modulus : forall X Y, D X -> D Y -> close d n c X Y -> close d n (step_error d n eps') (f X) (f Y).
Hypothesis v_bound : forall C i j, (i < d)%nat -> (j < n)%nat -> Rabs (v C i j) <= F.

(** Any numbers that are fine, and any rate that is large enough. *)
Theorem theorem3_at N e lambda : fine_positions d n F (c / (2 * K)) p eps' N e -> 0 < lambda ->
  positional_error d n N / lambda <= tolerance d n N eps' -> sampled d n N K D f v ->
  distance_below d n p D f (fun X =>
    run d n 2 1 4 (theorem3_network_at d n K N e lambda F v) (plus X (encoding K))) eps.
Proof using All.
  intros numbers L0 LT HS. set (a := - K) in *. set (s := 2 * K) in *. assert (0 < s) as s0 by (unfold s; lra).
  set (g := positional_network_at d n N e lambda F v).
  apply (distance_ext d n p D f (fun X => run d n 2 1 4 g (plus (shrink a s X) positions))).
  - intros X _ i j Hi Hj. unfold theorem3_network_at. fold s g. rewrite run_app.
    apply (run_ext d n); [|exact Hi|exact Hj].
    intros k l Hk Hl. rewrite entrywise_spec, affine_spec by exact Hk. unfold plus, shrink, positions, encoding, a, s.
    field. lra.
  - apply (stretch_distance d n a s s0 D f (fun Y => run d n 2 1 4 g (plus Y positions))); try assumption.
    apply (positional_approximate d n d1 n1 F F0 v v_bound) with (c := c / s); try assumption.
    + intros Y HY i j Hi Hj. specialize (D_box _ HY i j Hi Hj). rewrite Rminus_0_r in D_box. apply Rabs_def2 in D_box.
      unfold stretch, a, s in D_box. split; nra.
    + intros Y HY i j Hi Hj. apply (f_bound _ HY); assumption.
    + apply shrunk_pos, eps0.
    + intros X Y. apply (stretch_modulus d n a s s0 D f). exact f_modulus.
Qed.

(** The numbers of [Construction]. *)
Theorem theorem3_explicit : sampled d n (side_positions d F (c / (2 * K))) K D f v ->
  distance_below d n p D f (fun X => run d n 2 1 4 (theorem3_network d n K F c p eps v) (plus X (encoding K))) eps.
Proof using All.
  intros HS. assert (0 < eps') as E by (apply shrunk_pos, eps0).
  assert (0 < c / (2 * K)) as C by (apply Rdiv_lt_0_compat; lra).
  pose proof (positions_fine d n d1 n1 F (c / (2 * K)) p eps' F0 C E) as numbers.
  assert (2 <= side_positions d F (c / (2 * K)))%nat as N2 by apply numbers.
  destruct (rate_spec d n d1 n1 F p eps' E _ (positional_error d n _) N2 (constant_nonneg d n _ N2 _ _ _)) as [L0 LT].
  exact (theorem3_at _ _ _ numbers L0 LT HS).
Qed.
End Given.

(** Such a v: f at a sample of the cell, where D meets it. *)
Lemma values_exist d n (D : matrix -> Prop) (f : matrix -> matrix) F N : 0 < F -> (forall X, D X -> forall i j,
  (i < d)%nat -> (j < n)%nat -> Rabs (f X i j) <= F) ->
  exists v : cells -> matrix, (forall C i j, (i < d)%nat -> (j < n)%nat -> Rabs (v C i j) <= F) /\
    forall C, (exists Y, D Y /\ in_cell d n N C Y) ->
    exists Y, D Y /\ in_cell d n N C Y /\ forall i j, (i < d)%nat -> (j < n)%nat -> v C i j = f Y i j.
Proof.
  intros F0 HF.
  exists (fun C => if excluded_middle_informative (exists Y, D Y /\
    in_cell d n N C Y) then f (sample d n D N C) else fun _ _ => 0).
  split; intros C.
  - intros i j Hi Hj. destruct (excluded_middle_informative _) as [H|H]; [|rewrite Rabs_R0; lra].
    apply HF; [apply sample_spec, H|exact Hi|exact Hj].
  - intros H. destruct (excluded_middle_informative _) as [_|NH]; [|contradiction].
    exists (sample d n D N C). destruct (sample_spec d n D N C H) as [S1 S2].
    split; [exact S1|split; [exact S2|reflexivity]].
Qed.

(** Theorem 3 with one encoding for the domain, and Theorem 3. *)
Theorem theorem3_encoding : Theorem3_encoding.
Proof.
  intros d n d1 n1 D [[K0 HK0] closed]. set (K := Rmax 1 K0). pose proof (Rmax_l 1 K0) as K1.
  pose proof (Rmax_r 1 K0) as K2. fold K in K1, K2.
  assert (forall X, D X -> close d n K X (fun _ _ => 0)) as HK by (intros X HX i j Hi Hj;
    specialize (HK0 X HX i j Hi Hj); lra).
  exists (encoding K). intros f Hf p eps p1 eps0.
  set (a := - K). set (s := 2 * K). assert (0 < s) as s0 by (unfold s; lra).
  destruct (stretch_compact d n a s s0 D (conj (ex_intro _ K0 HK0) closed)) as [compact' cube'].
  { intros X HX i j Hi Hj. specialize (HK X HX i j Hi Hj). rewrite Rminus_0_r in HK. apply Rabs_def2 in HK. unfold a, s.
    lra. }
  destruct (bounded d n _ _ n1 compact' cube' (stretch_continuous d n a s s0 D f Hf)) as [F [F0 HF']].
  assert (forall X, D X -> forall i j, (i < d)%nat -> (j < n)%nat -> Rabs (f X i j) <= F) as HF.
  { intros X HX i j Hi Hj. rewrite <- (stretch_shrink a s s0 X) at 1. apply HF'; [|exact Hi|exact Hj].
    rewrite (stretch_shrink a s s0). exact HX. }
  assert (0 < shrunk d n s p eps) as E by (apply shrunk_pos, eps0).
  destruct (uniform d n D f (conj (ex_intro _ K0 HK0) closed) Hf (step_error d n (shrunk d n s p eps))) as [c [c0 Hc]].
  { apply Rdiv_lt_0_compat; [exact E|]. pose proof (lt_0_INR d d1). pose proof (lt_0_INR n n1). nra. }
  destruct (values_exist d n (fun Y => D (stretch a s Y)) (fun Y =>
    f (stretch a s Y)) F (side_positions d F (c / s)) F0 HF') as [v [Hv HS]].
  exists (theorem3_network d n K F c p eps v). apply theorem3_explicit; try assumption; [lra|].
  intros C _. apply HS.
Qed.

(** Theorem 3, from one encoding for each domain. *)
Theorem theorem3 : Theorem3.
Proof.
  intros d n d1 n1 D f HD Hf p e Hp He. destruct (theorem3_encoding d n d1 n1 D HD) as [E H].
  destruct (H f Hf p e Hp He) as [g Hg].
  exists g, E. exact Hg.
Qed.
