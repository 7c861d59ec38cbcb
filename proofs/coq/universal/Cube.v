(** Theorem 2 over the cube: Lemma 6's keys fill in the interface, since equivariance makes repeated keys agree. *)
From Coq Require Import Reals QArith Qreals List Arith Bool Lia Lra Psatz.
From Contextual Require Statement.
From Contextual Require Import Approximation Sums Construction Relu Blocks Tracking Interface Keys Boxes Uniform Budget
  Sentinel.
Import ListNotations.
Open Scope R_scope.

(** ** Corners *)
Lemma corner_cube d n N K : (2 <= N)%nat -> in_range d n N K -> cube d n (corner N K).
Proof.
  intros N2 H i j Hi Hj. unfold corner. pose proof (pos_INR (K i j)). specialize (H i j Hi Hj). pose proof (w_N N N2).
  pose proof (w_pos N N2).
  assert (INR (K i j) + 1 <= INR N) by (rewrite <- S_INR; apply le_INR; lia). split; nra.
Qed.

(** A corner lies in its cell. *)
Lemma corner_in_cell d n N K : (2 <= N)%nat -> in_cell d n N K (corner N K).
Proof. intros N2 i j _ _. unfold corner. pose proof (w_pos N N2). lra. Qed.

(** Its ids, and what one column has added, are not negative. *)
Lemma corner_id_nonneg d N K j : (2 <= N)%nat -> 0 <= along d (u N) (corner N K) j.
Proof.
  intros N2. pose proof (w_pos N N2). apply (along_nonneg d N ltac:(lia)). intros i _. unfold corner.
  apply Rmult_le_pos; [apply pos_INR|lra].
Qed.

(** What is added to one column's id isn't negative. *)
Lemma offset_nonneg d N F : (2 <= N)%nat -> 0 < F -> 0 <= offset d N F.
Proof.
  intros N2 F0. unfold offset. pose proof (w_pos N N2). apply Rplus_le_le_0_compat; [|lra].
  apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply pos_INR]|apply pos_INR].
Qed.

(** ** The map, for a table of values that is equivariant *)
Section Map.
Variables d n N : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Hypothesis N2 : (2 <= N)%nat.
Variable F : R.
Hypothesis F0 : 0 < F.
Notation w := (/ INR N).
Notation a := (offset d N F).
Notation rid := (along d (u N)).

Section Table.
Variable v : cells -> matrix.
Hypothesis v_equivariant : equivariant_table d n N v.
Hypothesis v_bound : forall K i j, In K (contexts d n N) -> (i < d)%nat -> (j < n)%nat -> Rabs (v K i j) <= F.
Hypothesis above : cube_keys_above d n N F.

(** Lemma 6 fills in the interface, and so does a constant if there is one column. *)
Theorem cube_interface tol lambda : 0 < lambda -> 0 <= tol -> tol <= w / 4 -> cube_error d n N / lambda <= tol ->
  interface d n N N F tol (contexts d n N) (cube_key d n N a) (cube_map d n N a lambda) v.
Proof using N2 above d1 n1 v_bound v_equivariant.
  intros L0 T0 Tw CL. assert (1 <= N)%nat as N1 by lia. unfold cube_key, cube_map. split.
  - intros K HK. apply (in_contexts d n N K N1 HK).
  - intros K Y HK EY j Hj. destruct (in_contexts d n N K N1 HK) as [HR HD]. destruct (Nat.eqb_spec n 1) as [E|NE].
    + rewrite E in *. rewrite (single_id d N d1 N2). unfold single_key. replace (rid Y j) with (rid (corner N K) j).
      * rewrite Rminus_eq_0, Rabs_R0. exact T0.
      * symmetry. apply along_ext. intros i Hi. apply EY; assumption.
    + eapply Rle_trans; [|exact CL]. apply (lemma6_tracking d n N d1 ltac:(lia) N2); try assumption.
      eapply Rle_trans; [exact CL|exact Tw].
  - intros Y i j Hi. destruct (Nat.eqb_spec n 1) as [E|NE]; [|apply map_rest, Hi].
    rewrite E, single_row. unfold unit. destruct (Nat.eqb_spec i 0); [lia|ring].
  - intros K K' j j' HK HK' Hj Hj'. destruct (in_contexts d n N K N1 HK) as [HR HD].
    destruct (in_contexts d n N K' N1 HK') as [HR' HD'].
    destruct (Nat.eqb_spec n 1) as [E|NE].
    + rewrite E in HR, HR', Hj, Hj'. destruct (single_separation d N d1 N2 a K K' j j' HR HR' Hj Hj') as [[Ek S]|far];
        [left|right; exact far].
      split; [exact Ek|]. assert (j = O) as -> by lia. assert (j' = O) as -> by lia. intros i Hi.
      split; [apply S; lia|].
      apply (v_equivariant (fun k => k)); auto; try lia. intros x y Hx Hy. apply S; lia.
    + destruct (lemma6_separation d n N d1 ltac:(lia) N2 K K' j j' HR HD HR' HD' Hj Hj') as
        [[Ek [p [p1 [p2 [<- EK]]]]]|far]; [left|right; exact far].
      split; [exact Ek|]. intros i Hi. split; [apply EK; assumption|apply v_equivariant; assumption].
  - exact above.
  - intros K HK i j Hi Hj. apply v_bound; assumption.
Qed.
End Table.

(** Keys are above the ids of values, if there are F d + 1 cells to a unit. *)
Lemma above_spec : F * INR d + 1 <= INR N -> cube_keys_above d n N F.
Proof using N2 d1 n1.
  intros FN K j HK Hj. destruct (in_contexts d n N K ltac:(lia) HK) as [HR HD]. unfold cube_key.
  destruct (Nat.eqb_spec n 1) as [E|NE].
  - unfold single_key, offset. pose proof (corner_id_nonneg d N K j N2). lra.
  - apply (lemma6_key_above d n N d1 ltac:(lia) N2); assumption.
Qed.

(** All keys are at most [top_key]; and both maps lift. *)
Lemma top_spec : 0 <= top_key d n N a /\ forall K j, In K (contexts d n N) -> (j < n)%nat ->
  cube_key d n N a K j <= top_key d n N a.
Proof using F0 N2 d1 n1.
  pose proof (offset_nonneg d N F N2 F0) as A. unfold top_key, cube_key. destruct (Nat.eqb_spec n 1) as [E|NE].
  - split; [pose proof (Rmult_le_pos _ _ (pos_INR d) (pos_INR (Statement.B d N))); lra|].
    intros K j HK Hj. unfold single_key. apply Rplus_le_compat_r. unfold along. rewrite <- sum_const. apply sum_le.
    intros i Hi.
    destruct (corner_cube d n N K N2 (proj1 (in_contexts d n N K ltac:(lia) HK)) i j Hi Hj) as [C1 C2].
    assert (u N i <= INR (Statement.B d N)) by (unfold u, Statement.B; rewrite <- pow_INR;
      apply le_INR, Nat.pow_le_mono_r; lia).
    pose proof (u_one N ltac:(lia) i). nra.
  - split; [apply (t_r_nonneg d n N d1 ltac:(lia) N2)|]. intros K j HK Hj.
    destruct (in_contexts d n N K ltac:(lia) HK) as [HR HD].
    apply (lemma6_key_below d n N d1 ltac:(lia) N2); assumption.
Qed.

(** Both maps lift. *)
Lemma cube_lifts lambda : 0 < lambda -> lifting d n N (cube_map d n N a lambda).
Proof using F0 N2 d1 n1.
  intros L0. unfold cube_map. destruct (Nat.eqb_spec n 1) as [E|NE].
  - rewrite E. intros Y HY i0 j0 j Hi0 Hj0 Hj. rewrite (single_id d N d1 N2). pose proof (offset_nonneg d N F N2 F0).
    assert (j = j0) as -> by lia.
    simpl (INR 1). unfold Rdiv. rewrite Rinv_1, Rmult_1_r. split; [lra|].
    pose proof (along_term d N ltac:(lia) Y i0 j0 (fun i Hi => HY i j0 Hi Hj0) Hi0). lra.
  - apply attention_lifts; try assumption; try lia. unfold global_factor.
    pose proof (Nat.pow_nonzero N ((n + 1) * d) ltac:(lia)). lia.
Qed.

(** A good point's cells are a context; and at its corner f is what the network is right about. *)
Lemma good_context e X : good d n N e X (cell N X) -> exists K, In K (contexts d n N) /\ same d n K (cell N X) /\
  forall i j, (i < d)%nat -> (j < n)%nat -> INR (K i j) * w <= X i j <= INR (K i j) * w + w - e /\ e <= X i j.
Proof using n1.
  intros [HG [HD HE]]. destruct (contexts_complete d n N (cell N X) n1) as [K [HK E]]; [intros i j Hi Hj; apply HG;
    assumption|exact HD|].
  exists K. split; [exact HK|split; [exact E|]]. intros i j Hi Hj. rewrite E by assumption.
  split; [apply HG; assumption|apply HE; assumption].
Qed.

End Map.

Section Cube.
Variables d n : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.
Variable f : matrix -> matrix.
Hypothesis f_continuous : continuous_on d n (cube d n) f.
Hypothesis f_equivariant : equivariant d n f.
Variable F : R.
Hypothesis F0 : 0 < F.
Hypothesis F_bound : forall X, cube d n X -> forall i j, (i < d)%nat -> (j < n)%nat -> Rabs (f X i j) <= F.

Section Corners.
Variable N : nat.
Hypothesis N2 : (2 <= N)%nat.

(** Columns in another order: f's columns are, too. *)
Lemma same_target : equivariant_table d n N (at_corners N f).
Proof using N2 d1 f_continuous f_equivariant n1.
  intros p p1 p2 K K' HI HI' E i k Hi Hk. destruct (in_contexts d n N K ltac:(lia) HI) as [HK _].
  destruct (in_contexts d n N K' ltac:(lia) HI') as [HK' _].
  unfold at_corners. rewrite <- (f_equivariant p p1 p2 (corner N K) i k Hi Hk).
  apply (continuous_ext d n (cube d n)); [exact f_continuous|apply corner_cube;
    [exact N2|exact HK']| | |exact Hi|exact Hk].
  - intros x y Hx Hy. apply (corner_cube d n N K N2 HK); [exact Hx|apply p1, Hy].
  - intros x y Hx Hy. unfold corner. rewrite E by assumption. reflexivity.
Qed.

(** At the corners f is within [-F, F]. *)
Lemma corner_bound K i j : In K (contexts d n N) -> (i < d)%nat -> (j < n)%nat -> Rabs (at_corners N f K i j) <= F.
Proof using F_bound N2 d1 n1.
  intros HK Hi Hj. destruct (in_contexts d n N K ltac:(lia) HK) as [HR _].
  apply F_bound; [apply corner_cube; [exact N2|exact HR]|exact Hi|exact Hj].
Qed.

(** From a corner to a point of the cell, as [approximates] asks. *)
Lemma corner_value K X (g : matrix) tol : In K (contexts d n N) -> same d n K (cell N X) ->
  (forall i j, (i < d)%nat -> (j < n)%nat -> Rabs (g i j - at_corners N f K i j) <= tol) ->
  exists Y, cube d n Y /\ in_cell d n N (cell N X) Y /\ forall i j, (i < d)%nat -> (j < n)%nat ->
    Rabs (g i j - f Y i j) <= tol.
Proof using N2 d1 n1.
  intros HK E P. exists (corner N K). split; [apply (corner_cube d n N K N2), (in_contexts d n N K ltac:(lia) HK)|split;
    [|exact P]].
  apply (in_cell_same d n N K); [exact E|apply corner_in_cell, N2].
Qed.
End Corners.

(** ** The numbers put in *)
Variables c p eps : R.
Hypothesis p1 : 1 <= p.
Hypothesis eps0 : 0 < eps.
Hypothesis f_modulus : forall X Y, cube d n X -> cube d n Y -> close d n c X Y ->
  close d n (step_error d n eps) (f X) (f Y).
Variable N : nat.
Variables e lambda : R.
Hypothesis numbers : fine d n F c p eps N e.
Notation a := (offset d N F).
Notation tol := (tolerance d n N eps).
Hypothesis lambda0 : 0 < lambda.
Hypothesis lambda_large : cube_error d n N / lambda <= tol.
Notation net := (run d n 2 1 4).

(** The numbers fit the interface. *)
Lemma fitting : (2 <= N)%nat /\ 0 < e /\ e < / INR N /\ tol <= / INR N / 4 /\
  interface d n N N F tol (contexts d n N) (cube_key d n N a) (cube_map d n N a lambda) (at_corners N f).
Proof using F0 F_bound d1 eps0 f_continuous f_equivariant lambda0 lambda_large n1 numbers.
  destruct numbers as [_ [FN [N2 [_ [[e0 ew] _]]]]].
  destruct (tolerance_spec d n d1 n1 F p eps eps0 N N2) as [T0 [Tw _]].
  split; [exact N2|split; [exact e0|split; [exact ew|split; [exact Tw|]]]].
  apply cube_interface; try assumption; [apply same_target, N2|apply corner_bound, N2|apply above_spec; assumption|lra].
Qed.

(** Theorem 2 over the cube, with all numbers given. *)
Theorem cube_approximate :
  distance_below d n p (cube d n) f (net (cube_network_at d n N e lambda F (at_corners N f))) eps.
Proof using F0 F_bound d1 eps0 f_continuous f_equivariant f_modulus lambda0 lambda_large n1 numbers p1.
  destruct fitting as [N2 [e0 [ew [Tw face]]]].
  apply (approximates_distinct d n d1 n1 F c p eps F0 p1 eps0 N e (proj2 (proj2 numbers))); try assumption; [| |apply
    numbers|].
  - intros X H. exact H.
  - intros X i j Hi Hj. apply bounded_point; assumption.
  - intros X HX HG. destruct (good_context d n N n1 e X HG) as [K [HK [E HC]]].
    apply (corner_value N N2 K X _ tol HK E). intros i j Hi Hj.
    apply (good_point d n N N F tol (contexts d n N) _ _ _ face d1 N2 Tw e e0 ew X K HK); [|exact Hi|exact Hj].
    intros k l Hk Hl. apply HC; assumption.
Qed.

(** With the sentinel: also exactly 0 where an entry is not inside (0, 1). *)
Definition off (X : matrix) : Prop := exists i j, (i < d)%nat /\ (j < n)%nat /\ (X i j <= 0 \/ 1 <= X i j).

(** The network with the sentinel: 0 off the cube, and within eps on it. *)
Theorem supported_approximate : (forall X, off X -> forall i j, (i < d)%nat -> (j < n)%nat ->
  net (supported_network_at d n N e lambda F (at_corners N f)) X i j = 0) /\
  distance_below d n p (cube d n) f (net (supported_network_at d n N e lambda F (at_corners N f))) eps.
Proof using F0 F_bound d1 eps0 f_continuous f_equivariant f_modulus lambda0 lambda_large n1 numbers p1.
  destruct fitting as [N2 [e0 [ew [Tw face]]]]. destruct (top_spec d n N d1 n1 N2 F F0) as [top0 key_top].
  pose proof (cube_lifts d n N d1 n1 N2 F F0 lambda lambda0) as lifts. split.
  - intros X [i0 [j0 [Hi0 [Hj0 HX]]]] i j Hi Hj.
    apply (outside_point d n N d1 n1 N2 F tol e _ F0 e0 ew _ _ _ _ face lifts top0 X i0 j0); assumption.
  - apply (approximates_distinct d n d1 n1 F c p eps F0 p1 eps0 N e (proj2 (proj2 numbers))); try assumption; [|
    |apply numbers|].
    + intros X H. exact H.
    + intros X i j Hi Hj. apply bounded_whole; assumption.
    + intros X HX HG. destruct (good_context d n N n1 e X HG) as [K [HK [E HC]]].
      apply (corner_value N N2 K X _ tol HK E). intros i j Hi Hj.
      apply (inside_point d n N d1 n1 N2 F tol e _ F0 Tw e0 ew _ _ _ _ face top0 key_top X K HK); assumption.
Qed.
End Cube.
