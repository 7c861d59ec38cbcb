(** What no network can do. One f, continuous with compact support, stays 1/4 away from every network with a positional
    encoding (for any h, m, r, p >= 1) over a ball that only the encoding E determines, and over the cube from every
    network without: Theorem 3 needs its compact domain and its E. And Theorem 2 has a converse. *)
From Coq Require Import Reals List Arith Bool Lia Lra Psatz Classical FunctionalExtensionality.
From Contextual Require Import Approximation Sums Boxes Budget Sanity Equivariance Everywhere.
Import ListNotations.
Open Scope R_scope.

Section Bound.
Variables d n : nat.
Hypothesis d1 : (1 <= d)%nat.
Hypothesis n1 : (1 <= n)%nat.

(** The error of one entry is part of the whole. *)
Lemma entry_error p (A : matrix) i j : (i < d)%nat -> (j < n)%nat ->
  power (A i j) p <= sum d (fun i => sum n (fun j => power (A i j) p)).
Proof using.
  intros Hi Hj. eapply Rle_trans; [apply (sum_term n (fun j => power (A i j) p) j);
    [intros; apply power_nonneg|exact Hj]|].
  apply (sum_term d (fun i => sum n (fun j => power (A i j) p)) i); [intros; apply sum_nonneg; intros;
    apply power_nonneg|exact Hi].
Qed.

(** The network has one value for f X i (p j) and f X' i j, X' = (X + E) P - E; they are c or more apart for the X of a
    box. *)
Theorem apart (D : matrix -> Prop) f p E h m r ts s e b c i j : permutes n p -> 1 <= s -> (i < d)%nat -> (j < n)%nat ->
  0 < c -> proper d n b ->
  height b = power (c / 2) s -> 2 * power e s <= height b * volume d n b ->
  (forall X, inside d n b X = true -> D X /\ D (moved p E X) /\ c <= Rabs (f X i (p j) - f (moved p E X) i j)) ->
  ~ distance_below d n s D f (fun X => run d n h m r ts (plus X E)) e.
Proof using n1.
  intros perm Hs Hi Hj Hc Pb Hb He HX [bs [P [H HI]]]. destruct (inverse n p perm) as [q [perm' inv]].
  assert (height b * volume d n b <= step_integral d n (bs ++ map (pull q E) bs)) as L.
  { apply step_lower; [exact n1|apply Forall_app; split; [exact P|exact (pull_proper d n q perm' E bs P)]|exact Pb|].
    intros X I. destruct (HX X I) as [DX [DX' C]].
    rewrite step_app, (pull_step d n p q perm perm' inv E). pose proof (H X DX) as S. pose proof (H _ DX') as S'.
    cbv beta in S, S'.
    rewrite (moved_run d n p perm E) in S'. set (G := run d n h m r ts (plus X E)) in *. set (X' := moved p E X) in *.
    pose proof (entry_error s (fun i j => f X i j - G i j) i (p j) Hi (proj1 perm j Hj)) as T.
    pose proof (entry_error s (fun i j => f X' i j - permute p G i j) i j Hi Hj) as T'. cbv beta in T, T'.
    unfold permute in T' at 1.
    pose proof (step_nonneg d n bs X P). pose proof (step_nonneg d n bs X' P). rewrite Hb.
    destruct (Rle_lt_dec (c / 2) (Rabs (f X i (p j) - G i (p j)))) as [Q|Q].
    - pose proof (power_mono (c / 2) (f X i (p j) - G i (p j)) s Hs ltac:(rewrite (Rabs_right (c / 2)) by lra;
        exact Q)). lra.
    - assert (c / 2 <= Rabs (f X' i j - G i (p j))) as Q'.
      { replace (f X i (p j) - f X' i j) with ((f X i (p j) - G i (p j)) - (f X' i j - G i (p j))) in C by ring.
        pose proof (Rabs_triang (f X i (p j) - G i (p j)) (- (f X' i j - G i (p j)))) as R. rewrite Rabs_Ropp in R.
        unfold Rminus at 1 in C. lra. }
      pose proof (power_mono (c / 2) (f X' i j - G i (p j)) s Hs ltac:(rewrite (Rabs_right (c / 2)) by lra; exact Q')).
      lra. }
  rewrite step_integral_app, (pull_integral d n q perm' E bs) in L. lra.
Qed.

(** f is 1 or more in entry (0, 0) on the cube, and 0 in entry (0, 1). *)
Corollary quarter (D : matrix -> Prop) f E h m r ts s e : (2 <= n)%nat -> 1 <= s -> 0 < e <= 1 / 4 ->
  (forall X, cube d n X -> D X /\ D (moved swap E X)) ->
  (forall X, cube d n X -> 1 <= f X 0%nat 0%nat) -> (forall X, D X -> f X 0%nat 1%nat = 0) ->
  ~ distance_below d n s D f (fun X => run d n h m r ts (plus X E)) e.
Proof using d1 n1.
  intros n2 Hs He HD H0 H1. apply (apart D f swap E h m r ts s e (whole (power (1 / 2) s)) 1 0 1); try lia; try lra.
  - apply swap_permutes, n2.
  - split; [apply power_nonneg|]. intros. simpl. lra.
  - reflexivity.
  - rewrite whole_volume. simpl height. assert (power e s <= power (1 / 4) s) as M by (apply power_mono;
      [exact Hs|rewrite !Rabs_right; lra]).
    rewrite (power_pos_eq (1 / 4)) in M by lra. rewrite (power_pos_eq (1 / 2)) by lra.
    pose proof (power_shrink (1 / 2) (1 / 2) s ltac:(lra) ltac:(lra) Hs) as S.
    replace (1 / 2 * (1 / 2)) with (1 / 4) in S by field. lra.
  - intros X HX. assert (cube d n X) as CX by (intros i j Hi Hj; rewrite inside_spec in HX; exact (HX i j Hi Hj)).
    destruct (HD X CX) as [DX DX'].
    split; [exact DX|split; [exact DX'|]]. rewrite (H1 _ DX'). simpl swap. specialize (H0 X CX).
    rewrite Rabs_right; lra.
Qed.

(** ** What one encoding can reach over every ball: f equivariant up to the encoding, no more. *)
Lemma moved_close p E c X Y : permutes n p -> close d n c X Y -> close d n c (moved p E X) (moved p E Y).
Proof using.
  intros perm H i j Hi Hj. unfold moved.
  replace (X i (p j) + E i (p j) - E i j - (Y i (p j) + E i (p j) - E i j)) with (X i (p j) - Y i (p j)) by ring.
  apply H; [exact Hi|apply perm, Hj].
Qed.

Definition size (X : matrix) : R := sum d (fun i => sum n (fun j => Rabs (X i j))).

(** No entry exceeds the sum of all. *)
Lemma size_entry X i j : (i < d)%nat -> (j < n)%nat -> Rabs (X i j) <= size X.
Proof using.
  intros Hi Hj. pose proof (sum_term n (fun j => Rabs (X i j)) j (fun _ _ => Rabs_pos _) Hj) as T1.
  pose proof (sum_term d (fun i => sum n (fun j => Rabs (X i j))) i (fun _ _ => sum_nonneg _ _ (fun _ _ => Rabs_pos _))
    Hi) as T2.
  unfold size. cbv beta in T1, T2. lra.
Qed.

(** The size of a matrix is not negative. *)
Lemma size_nonneg X : 0 <= size X.
Proof using. apply sum_nonneg. intros. apply sum_nonneg. intros. apply Rabs_pos. Qed.

(** What is close to a matrix lies in a ball. *)
Lemma in_ball X0 X c K : close d n c X0 X -> size X0 + c <= K -> ball d n K X.
Proof using.
  intros H HK i j Hi Hj. specialize (H i j Hi Hj). pose proof (size_entry X0 i j Hi Hj). rewrite Rminus_0_r.
  replace (X i j) with (X0 i j + - (X0 i j - X i j)) by ring. eapply Rle_lt_trans; [apply Rabs_triang|].
  rewrite Rabs_Ropp. lra.
Qed.

(** By continuity, near any point where f does not commute. *)
Theorem encoded_only f E s : continuous_on d n everywhere f -> 1 <= s ->
  (forall K e, 0 < e -> exists h m r ts,
    distance_below d n s (ball d n K) f (fun X => run d n h m r ts (plus X E)) e) ->
  forall p, permutes n p -> forall X i j, (i < d)%nat -> (j < n)%nat -> f (moved p E X) i j = f X i (p j).
Proof using n1.
  intros Hf Hs H p perm X0 i j Hi Hj. apply NNPP. intros NE.
  set (c := Rabs (f X0 i (p j) - f (moved p E X0) i j) / 3).
  assert (0 < c) as Hc by (apply Rdiv_lt_0_compat; [apply Rabs_pos_lt; lra|lra]).
  destruct (Hf X0 I c Hc) as [a1 [A1 F1]]. destruct (Hf (moved p E X0) I c Hc) as [a2 [A2 F2]].
  set (a := Rmin a1 a2). assert (0 < a) as A0 by (apply Rmin_pos; assumption). pose proof (Rmin_l a1 a2) as L1.
  pose proof (Rmin_r a1 a2) as L2. fold a in L1, L2.
  set (b := Box (fun i j => X0 i j - a / 2) (fun i j => X0 i j + a / 2) (power (c / 2) s)).
  set (V := power (c / 2) s * volume d n b / 2). assert (0 < V) as V0.
  { unfold V. rewrite power_pos_eq by lra. assert (0 < volume d n b); [|pose proof (Rpower_pos (c / 2) s); nra].
    apply prod_pos. intros. apply prod_pos. intros. simpl. lra. }
  set (K := size X0 + size (moved p E X0) + a). pose proof (size_nonneg X0). pose proof (size_nonneg (moved p E X0)).
  destruct (H K (Rpower V (/ s)) (Rpower_pos _ _)) as [h [m [r [ts D]]]]. revert D.
  apply (apart (ball d n K) f p E h m r ts s (Rpower V (/ s)) b c i j perm Hs Hi Hj Hc);
    [split; [apply power_nonneg|intros; simpl; lra]|reflexivity| |].
  - rewrite power_pos_eq by apply Rpower_pos. rewrite Rpower_mult, Rinv_l, Rpower_1 by lra. unfold V. simpl height. lra.
  - intros X HX. rewrite inside_spec in HX.
    assert (close d n a X0 X) as CX by (intros k l Hk Hl; specialize (HX k l Hk Hl); simpl in HX; apply Rabs_def1; lra).
    split; [apply (in_ball X0 X a K CX); unfold K; lra|split;
      [apply (in_ball (moved p E X0) _ a K (moved_close p E a X0 X perm CX)); unfold K; lra|]].
    assert (close d n a1 X0 X) as C1 by (intros k l Hk Hl; specialize (CX k l Hk Hl); lra).
    assert (close d n a2 (moved p E X0) (moved p E X)) as C2 by (apply moved_close; [exact perm|]; intros k l Hk Hl;
      specialize (CX k l Hk Hl); lra).
    specialize (F1 X I C1 i (p j) Hi (proj1 perm j Hj)). specialize (F2 _ I C2 i j Hi Hj).
    assert (Rabs (f X0 i (p j) - f (moved p E X0) i j) = 3 * c) as EC by (unfold c; field).
    apply Rabs_def2 in F1. apply Rabs_def2 in F2. revert EC. unfold Rabs. destruct (Rcase_abs _), (Rcase_abs _); lra.
Qed.

(** What is approximated over every ball, without an encoding, is equivariant. *)
Corollary equivariance_needed f s : continuous_on d n everywhere f -> 1 <= s ->
  (forall K e, 0 < e -> exists h m r ts, distance_below d n s (ball d n K) f (run d n h m r ts) e) -> equivariant d n f.
Proof using n1.
  intros Hf Hs H p H1 H2 X i j Hi Hj. rewrite <- (encoded_only f (fun _ _ => 0) s Hf Hs) with (p := p) (X := X);
    [|intros K e He|split; assumption|exact Hi|exact Hj].
  - f_equal. extensionality a. extensionality b. unfold moved. ring.
  - destruct (H K e He) as [h [m [r [ts D]]]]. exists h, m, r, ts. eapply distance_ext; [|exact D].
    intros Y _ a b _ _. cbv beta. f_equal. extensionality k. extensionality l. unfold plus. ring.
Qed.

(** ** One f for all networks *)
Definition bump (X : matrix) : matrix := fun i j => if Nat.eqb i 0 && Nat.eqb j 0 then Rmax 0 (1 + INR d * INR n - size
  X) else 0.

(** The bump: continuous, of compact support, at least 1 on the cube. *)
Lemma size_close X Y c : 0 < c -> close d n c X Y -> Rabs (size X - size Y) <= INR d * INR n * c.
Proof using.
  intros Hc H. assert (forall m (a b : nat -> R) c, (forall k, (k < m)%nat -> Rabs (a k - b k) <= c) ->
    Rabs (sum m a - sum m b) <= INR m * c) as G.
  { intros k a b c' Hk. rewrite <- sum_const. induction k as [|k IH]; simpl; [rewrite Rminus_eq_0, Rabs_R0; lra|].
    replace (sum k a + a k - (sum k b + b k)) with ((sum k a - sum k b) + (a k - b k)) by ring.
    eapply Rle_trans; [apply Rabs_triang|].
    specialize (IH (fun l Hl => Hk l (Nat.lt_lt_succ_r _ _ Hl))). specialize (Hk k (Nat.lt_succ_diag_r k)). lra. }
  rewrite Rmult_assoc. apply G. intros i Hi. apply G. intros j Hj. eapply Rle_trans; [apply Rabs_triang_inv2|].
  apply Rlt_le, H; assumption.
Qed.

(** The bump is continuous. *)
Lemma bump_continuous : continuous_on d n everywhere bump.
Proof using d1 n1.
  intros X _ e He. assert (1 <= INR d) as D1 by (apply (le_INR 1), d1).
  assert (1 <= INR n) as N1 by (apply (le_INR 1), n1). assert (0 < INR d * INR n) as DN by nra.
  exists (e / (2 * (INR d * INR n))). assert (0 < e / (2 * (INR d * INR n))) as C by (apply Rdiv_lt_0_compat; lra).
  split; [exact C|]. intros Y _ H i j _ _.
  apply size_close in H; [|exact C]. replace (INR d * INR n * (e / (2 * (INR d * INR n)))) with (e / 2) in H by (field;
    lra).
  unfold bump. destruct (_ && _); [|rewrite Rminus_eq_0, Rabs_R0; exact He]. apply between in H.
  unfold Rmax. destruct (Rle_dec 0 (1 + INR d * INR n - size X)), (Rle_dec 0 (1 + INR d * INR n - size Y));
    apply Rabs_def1; lra.
Qed.

(** It has compact support. *)
Lemma bump_support : compact_support d n bump.
Proof using.
  exists (1 + INR d * INR n). intros X H i j _ _. unfold bump. destruct (_ && _); [|reflexivity]. apply Rmax_left.
  assert (exists i j, (i < d)%nat /\ (j < n)%nat /\ 1 + INR d * INR n <= Rabs (X i j)) as [a [b [Ha [Hb L]]]].
  { apply NNPP. intros N. apply H. intros a b Ha Hb. rewrite Rminus_0_r. apply Rnot_le_lt. intros L. apply N.
    exists a, b. auto. }
  pose proof (size_entry X a b Ha Hb). lra.
Qed.

(** It is 1 or more on the cube. *)
Lemma bump_cube X : cube d n X -> 1 <= bump X 0%nat 0%nat.
Proof using.
  intros H. unfold bump. simpl. eapply Rle_trans; [|apply Rmax_r]. assert (size X <= INR d * INR n); [|lra].
  unfold size. rewrite <- (Rmult_1_r (INR d * INR n)), Rmult_assoc, <- sum_const. apply sum_le. intros i Hi.
  rewrite <- sum_const. apply sum_le. intros j Hj.
  specialize (H i j Hi Hj). rewrite Rabs_right; lra.
Qed.

(** Over the cube and its image for E together, hence over all of R^(d x n): one f for every E. *)
Definition two_cubes (E X : matrix) : Prop := cube d n X \/ exists Y, cube d n Y /\ X = moved swap E Y.

(** The bump is 1 or more in entry (0, 0), and 0 in entry (0, 1), which a permutation exchanges. *)
Theorem no_positional : (2 <= n)%nat -> exists f, continuous_on d n everywhere f /\ compact_support d n f /\
  forall h m r ts E p e, 1 <= p -> 0 < e <= 1 / 4 -> ~ distance_below d n p (two_cubes E) f (fun X =>
    run d n h m r ts (plus X E)) e.
Proof using d1 n1.
  intros n2. exists bump. split; [exact bump_continuous|split; [exact bump_support|]]. intros h m r ts E p e Hp He.
  apply quarter; try assumption; [|exact bump_cube|reflexivity]. intros X HX.
  split; [left; exact HX|right; exists X; split; [exact HX|reflexivity]].
Qed.

(** Both cubes lie in a ball, which E determines. *)
Lemma two_cubes_ball E : (2 <= n)%nat -> exists K, forall X, two_cubes E X -> ball d n K X.
Proof using.
  intros n2. exists (2 + 2 * size E). intros X HX i j Hi Hj. rewrite Rminus_0_r. pose proof (size_nonneg E) as S.
  destruct HX as [H|[Y [H ->]]]; [specialize (H i j Hi Hj); rewrite Rabs_right; lra|]. unfold moved.
  pose proof (proj1 (swap_permutes n n2) j Hj) as Hs. specialize (H i (swap j) Hi Hs).
  pose proof (size_entry E i j Hi Hj) as S1. pose proof (size_entry E i (swap j) Hi Hs) as S2.
  apply Rabs_def1; revert S1 S2; unfold Rabs; destruct (Rcase_abs _), (Rcase_abs _); lra.
Qed.

(** For each encoding there is a ball over which no network is within 1/4 of the bump. *)
Corollary no_positional_ball : (2 <= n)%nat -> exists f, continuous_on d n everywhere f /\
  compact_support d n f /\
  forall E, exists K, forall h m r ts p e, 1 <= p -> 0 < e <= 1 / 4 -> ~ distance_below d n p (ball d n K) f (fun X =>
    run d n h m r ts (plus X E)) e.
Proof using d1 n1.
  intros n2. destruct (no_positional n2) as [f [Hf [Hs N]]]. exists f. split; [exact Hf|split; [exact Hs|]].
  intros E. destruct (two_cubes_ball E n2) as [K HK]. exists K. intros h m r ts p e Hp He H.
  apply (N h m r ts E p e Hp He). apply (distance_mono d n p (ball d n K) _ f _ e e Hp); [lra|exact HK|exact H].
Qed.

(** Over the cube, with no E. *)
Theorem no_unencoded : (2 <= n)%nat -> exists f, continuous_on d n everywhere f /\ compact_support d n f /\
  forall h m r ts p e, 1 <= p -> 0 < e <= 1 / 4 -> ~ distance_below d n p (cube d n) f (run d n h m r ts) e.
Proof using d1 n1.
  intros n2. exists bump. split; [exact bump_continuous|split; [exact bump_support|]]. intros h m r ts p e Hp He H.
  apply (quarter (cube d n) bump (fun _ _ => 0) h m r ts p e n2 Hp He); [|exact bump_cube|reflexivity|].
  - intros X HX. split; [exact HX|]. intros i j Hi Hj. unfold moved.
    specialize (HX i (swap j) Hi (proj1 (swap_permutes n n2) j Hj)). lra.
  - eapply distance_ext; [|exact H]. intros X _ i j _ _. cbv beta. f_equal. f_equal. extensionality a. extensionality b.
    unfold plus. ring.
Qed.
End Bound.

(** ** The statements *)
Theorem network_equivariant : Network_equivariant.
Proof. intros d n h m r ts. apply run_equivariant. Qed.

(** This, as it is stated. *)
Theorem no_encoding_everywhere : No_encoding_everywhere.
Proof. intros d n d1 n2. apply no_positional_ball; [exact d1|lia|exact n2]. Qed.

(** Without an encoding, over the cube. *)
Theorem no_network_without_encoding : No_network_without_encoding.
Proof. intros d n d1 n2. apply no_unencoded; [exact d1|lia|exact n2]. Qed.

(** With one encoding for all balls. *)
Theorem one_encoding_only : One_encoding_only.
Proof. intros d n d1 n1 f E s Hf Hs H p P1 P2 X i j Hi Hj.
  apply (encoded_only d n n1 f E s Hf Hs H p (conj P1 P2) X i j Hi Hj). Qed.

(** Theorem 2 and its converse. *)
Theorem theorem2_iff : Theorem2_iff.
Proof.
  intros d n d1 n1 f Hf Hs p Hp. split; [intros He e H; apply theorem2; assumption|]. intros NE. apply NNPP. intros N.
  apply NE, (equivariance_needed d n n1 f p Hf Hp). intros K e He. apply NNPP. intros A. apply N. exists K, e.
  split; [exact He|]. intros h m r g D. apply A. exists h, m, r, g. exact D.
Qed.

(** Theorem 3 with one encoding for all balls is false, even for f of compact support. *)
Theorem theorem3_everywhere_false : Theorem3_everywhere_false.
Proof.
  intros T. destruct (no_encoding_everywhere 1%nat 2%nat (le_n _) (le_n _)) as [f [Hf [Hs N]]].
  destruct (T 1%nat 2%nat (le_n _) ltac:(lia) f Hf Hs 1 (1 / 4) ltac:(lra) ltac:(lra)) as [E H].
  destruct (N E) as [K NK]. destruct (H K) as [h [m [r [g D]]]]. apply (NK h m r g 1 (1 / 4) ltac:(lra) ltac:(lra) D).
Qed.
