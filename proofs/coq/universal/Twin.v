(** The rational networks of [Rational.v] have the very weights of [Construction.v]'s: definition by definition, from
    bottom to top. *)
From Coq Require Import Reals QArith Qreals ZArith List Arith Bool Lia Lra.
From Contextual Require Statement Statement3 Tables.
From Contextual.universal Require Approximation Construction Published.
From Contextual.universal Require Import Tracking Keys Rational.
Import ListNotations.
Open Scope R_scope.
Module C := Construction.

(** ** Numbers *)
Lemma literal z : Q2R (z # 1) = IZR z.
Proof. unfold Q2R. simpl. field. Qed.

(** What is positive isn't 0. *)
Lemma positive_nonzero x : (0 < x)%Q -> ~ (x == 0)%Q.
Proof. intros H E. rewrite E in H. discriminate. Qed.

(** Q2R goes through sums, products and quotients, whose divisors must not be 0. *)
Ltac real := repeat first [rewrite Q2R_plus | rewrite Q2R_minus | rewrite Q2R_opp | rewrite Q2R_mult |
  rewrite literal | rewrite Q2R_nat | rewrite Q2R_div by assumption | rewrite Q2R_inv by assumption].

(** Two isn't. *)
Lemma two_nonzero : ~ (2 == 0)%Q.
Proof. discriminate. Qed.

(** Four isn't. *)
Lemma four_nonzero : ~ (4 == 0)%Q.
Proof. discriminate. Qed.

(** ** Token-wise layers *)
Definition same_phi (f : phi) (g : C.phi) : Prop :=
  Q2R (c0 f) = C.c0 g /\ forall a, Q2R (c f a) = C.c g a /\ Q2R (s f a) = C.s g a /\ Q2R (o f a) = C.o g a.

(** Heads without weights. *)
Lemma same_zero d : same_head d zero_head C.zero_head.
Proof. intros i _. simpl. rewrite literal. auto. Qed.

(** A token-wise layer, if its vectors and its phi are the same. *)
Lemma same_token d w v f w' v' g : (forall i, (i < d)%nat -> Q2R (w i) = w' i) ->
  (forall i, (i < d)%nat -> Q2R (v i) = v' i) -> same_phi f g -> same_block d (token w v f) (C.token w' v' g).
Proof.
  intros Hw Hv [H0 H]. split; [intros k _; apply same_zero|]. intros a i Ha Hi. destruct (H a) as [Hc [Hs Ho]]. simpl.
  rewrite !Q2R_mult, Hw, Hv, Hc, Hs, Ho, H0 by exact Hi. auto.
Qed.

(** The unit vectors. *)
Lemma same_unit i0 i : Q2R (unit i0 i) = C.unit i0 i.
Proof. unfold unit, C.unit. destruct (Nat.eqb i i0); apply literal. Qed.

(** Layers that are the same one by one. *)
Lemma same_map {A} d (f : A -> block) (g : A -> Approximation.block) l : (forall x, In x l ->
  same_block d (f x) (g x)) ->
  same d (map f l) (map g l).
Proof.
  intros H. induction l as [|x l IH]; simpl; constructor; [apply H; left; reflexivity|].
  apply IH. intros y Hy. apply H. right. exact Hy.
Qed.

(** Lists of them. *)
Lemma same_flat_map {A} d (f : A -> list block) (g : A -> list Approximation.block) l :
  (forall x, In x l -> same d (f x) (g x)) -> same d (flat_map f l) (flat_map g l).
Proof.
  intros H. induction l as [|x l IH]; simpl; [constructor|]. apply Forall2_app; [apply H; left; reflexivity|].
  apply IH. intros y Hy. apply H. right. exact Hy.
Qed.

(** One layer for each row. *)
Lemma same_entrywise d f g : same_phi f g -> same d (entrywise d f) (C.entrywise d g).
Proof. intros H. apply same_map. intros i _.
  apply same_token; [intros; apply same_unit|intros; apply same_unit|exact H].
Qed.

(** ** The phis *)
Ltac by_relu := split; [simpl; real; try reflexivity|intros [|[|[|k']]]; simpl; real; repeat split].

(** The phis, one by one: a cell of the quantiser, *)
Lemma same_tent e k w : ~ (e == 0)%Q -> same_phi (tent e k w) (C.tent (Q2R e) (Q2R k) (Q2R w)).
Proof. intros He. by_relu. Qed.

(** a window of the value map, *)
Lemma same_window k w : ~ (w == 0)%Q -> same_phi (window k w) (C.window (Q2R k) (Q2R w)).
Proof. intros Hw. pose proof two_nonzero. pose proof four_nonzero. by_relu. Qed.

(** the clamp, *)
Lemma same_clamp F : same_phi (clamp F) (C.clamp (Q2R F)).
Proof. by_relu. Qed.

(** the affine map, *)
Lemma same_affine c b : same_phi (affine c b) (C.affine (Q2R c) (Q2R b)).
Proof. by_relu. Qed.

(** the border with its sentinel, *)
Lemma same_border e S : ~ (e == 0)%Q -> same_phi (border e S) (C.border (Q2R e) (Q2R S)).
Proof. intros He. by_relu. Qed.

(** the ramp that rejects, *)
Lemma same_ramp T : same_phi (ramp T) (C.ramp (Q2R T)).
Proof. by_relu. Qed.

(** and the last layer. *)
Lemma same_finish F : same_phi (finish F) (C.finish (Q2R F)).
Proof. by_relu. Qed.

(** ** The layers *)
Section Layers.
Variables d n N : nat.
Hypothesis N2 : (2 <= N)%nat.
Variables e lambda F : Q.
Hypothesis e0 : ~ (e == 0)%Q.

(** A cell's width isn't 0. *)
Lemma delta_nonzero : ~ (Statement.delta N == 0)%Q.
Proof using N2.
  intros H. apply Qeq_eqR in H. rewrite (delta_real N N2), literal in H. pose proof (w_pos N N2). lra.
Qed.

(** u. *)
Lemma same_u i : Q2R (Statement.u N i) = C.u N i.
Proof using. unfold Statement.u, C.u. rewrite Q2R_nat. apply pow_INR. Qed.

(** A head. *)
Lemma same_psi factor b : same_head d (psi N lambda factor b) (C.psi N (Q2R lambda) (Q2R factor) (Q2R b)).
Proof using.
  intros i _. simpl. rewrite Q2R_mult, Q2R_opp, !same_u. destruct (Nat.eqb i 0); rewrite ?literal; auto.
Qed.

(** An attention layer of two heads. *)
Lemma same_attention h1 h2 h1' h2' : same_head d h1 h1' -> same_head d h2 h2' ->
  same_block d (attention h1 h2) (C.attention h1' h2').
Proof using.
  intros H1 H2. split; [intros k _; simpl; destruct (Nat.eqb k 0); assumption|]. intros a i _ _. simpl.
  rewrite literal. auto.
Qed.

(** A selective shift. *)
Lemma same_selective k : same_block d (selective N lambda (Statement.of_nat (Statement.B d N))
  (Statement.of_nat k * Statement.delta N))
  (C.selective N (Q2R lambda) (INR (Statement.B d N)) (/ INR N) (INR k * / INR N)).
Proof using N2.
  pose proof two_nonzero. unfold selective, C.selective.
  rewrite <- (delta_real N N2), <- !Q2R_nat, <- !Q2R_mult, <- Q2R_opp.
  assert (Q2R (Statement.delta N) / 2 = Q2R (Statement.delta N / 2)) as -> by (real; reflexivity).
  rewrite <- Q2R_minus, <- Q2R_plus. apply same_attention; apply same_psi.
Qed.

(** The global shift. *)
Lemma same_global factor : same_block d (global N lambda (Statement.of_nat factor))
  (C.global N (Q2R lambda) (INR factor)).
Proof using.
  apply same_attention; [|apply same_zero]. rewrite <- Q2R_nat. replace 0 with (Q2R 0) by apply literal.
  apply same_psi.
Qed.

(** The contextual map. *)
Lemma same_contextual_map levels factor :
  same d (contextual_map d N levels factor lambda) (C.contextual_map d N levels factor (Q2R lambda)).
Proof using N2.
  unfold contextual_map, C.contextual_map. rewrite !map_map. apply Forall2_app; [|constructor; [|constructor]].
  - apply same_map. intros k _. apply same_selective.
  - apply same_global.
Qed.

(** The error that softmax may make. *)
Lemma same_power x h : Q2R (power x h) = Q2R x ^ h.
Proof using. induction h as [|h IH]; [apply literal|]. cbn [power pow]. rewrite Q2R_mult, IH. reflexivity. Qed.

(** The sweep's part of it. *)
Lemma same_sweep_error k h : Q2R (sweep_error n (Statement.of_nat (Statement.B d N)) (Statement.delta N) k h) =
  C.sweep_error n (INR (Statement.B d N)) (/ INR N) k h.
Proof using N2.
  pose proof delta_nonzero. unfold sweep_error, C.sweep_error. rewrite <- (delta_real N N2). real.
  rewrite same_power. real. reflexivity.
Qed.

(** The error. *)
Lemma same_map_error k h g : Q2R (map_error d n N k h g) = C.map_error d n N k h g.
Proof using N2.
  pose proof delta_nonzero. unfold map_error, C.map_error. rewrite <- same_sweep_error, <- (delta_real N N2). real.
  reflexivity.
Qed.

(** The quantiser. *)
Lemma same_quantise m : same d (quantise d N e m) (C.quantise d N (Q2R e) m).
Proof using N2 e0.
  apply same_flat_map. intros i0 _. apply same_map. intros k _.
  apply same_token; [intros; apply same_unit|intros; apply same_unit|].
  rewrite <- (delta_real N N2), <- Q2R_nat, <- Q2R_mult. apply same_tent, e0.
Qed.

(** ** Tables: the same keys, and the same that is added in the rows that there are *)
Definition same_entry (t : Q * (nat -> Q)) (t' : R * (nat -> R)) : Prop :=
  Q2R (fst t) = fst t' /\ forall i, (i < d)%nat -> Q2R (snd t i) = snd t' i.

(** The value map, if its tables are the same. *)
Lemma same_value t t' : Forall2 same_entry t t' -> same d (value N t) (C.value N t').
Proof using N2.
  intros H. induction H as [|x x' t t' [Hk Ha] _ IH]; simpl; [constructor|]. constructor; [|exact IH].
  apply same_token; [intros; apply same_u|exact Ha|]. rewrite <- Hk, <- (delta_real N N2).
  apply same_window, delta_nonzero.
Qed.

(** The corner of a cell. *)
Lemma same_corner K i j : Q2R (corner N K i j) = C.corner N K i j.
Proof using N2. unfold corner, C.corner_Q, C.corner. rewrite Q2R_mult, Q2R_nat, (delta_real N N2). reflexivity. Qed.

(** A table, if keys and values are the same. *)
Lemma same_table Ks keys key v v' :
  (forall K j, In K Ks -> (j < n)%nat -> Q2R (nth j (keys K) 0%Q) = key K j) ->
  (forall K i j, In K Ks -> (i < d)%nat -> (j < n)%nat -> Q2R (v K i j) = v' K i j) ->
  Forall2 same_entry (table d n N Ks keys v) (C.table d n N Ks key v').
Proof using N2.
  intros Hk Hv. unfold table, C.table. induction Ks as [|K Ks IH]; simpl; [constructor|]. apply Forall2_app.
  - assert (forall l, (forall j, In j l -> (j < n)%nat) -> Forall2 same_entry
      (map (fun j => (nth j (keys K) 0%Q, add d N (nth j (keys K) 0%Q) v K j)) l)
      (map (fun j => (key K j, C.add d N key v' K j)) l)) as G; [|apply G; intros j Hj; apply in_seq in Hj; lia].
    induction l as [|j l IHl]; intros Hl; simpl; constructor; [|apply IHl; intros k H; apply Hl; right; exact H].
    assert (j < n)%nat as Hj by (apply Hl; left; reflexivity). split; [apply Hk; [left; reflexivity|exact Hj]|].
    intros i Hi. simpl. unfold add, C.add. rewrite !Q2R_minus, same_corner, (Hv K i j (or_introl eq_refl) Hi Hj).
    f_equal. rewrite (corner_id d N N2), <- (Hk K j (or_introl eq_refl) Hj).
    destruct (Nat.eqb i 0); [apply Q2R_minus|apply literal].
  - apply IH; intros; [apply Hk|apply Hv]; try assumption; right; assumption.
Qed.

(** The keys in the tables are those of Lemma 6, of Theorem 3, and of one column. *)
Lemma same_keys K j : (j < n)%nat -> Q2R (nth j (keys d n N K) 0%Q) = C.key d n N K j.
Proof using.
  intros Hj. unfold keys, C.key, Statement.q. f_equal. apply Tables.ids_table_nth; [|exact Hj].
  apply Tables.run_table_same, Tables.look_table.
Qed.

(** Theorem 3's keys. *)
Lemma same_positional_keys K j : (j < n)%nat -> Q2R (nth j (positional_keys d n N K) 0%Q) = C.positional_key d n N K j.
Proof using.
  intros Hj. unfold positional_keys, C.positional_key, Statement3.positional_q. f_equal.
  apply Tables.ids_table_nth; [|exact Hj]. apply Tables.run_table_same, Tables.look_table.
Qed.

(** One column's key. *)
Lemma same_single a K j : (j < 1)%nat -> Q2R (nth j (single_keys d N a K) 0%Q) = C.single_key d N (Q2R a) K j.
Proof using N2.
  intros Hj. assert (j = O) as -> by lia. simpl. rewrite Q2R_plus. unfold C.single_key.
  rewrite (corner_id d N N2). reflexivity.
Qed.

(** ** The networks *)
Variables v : cells -> matrix.
Variable v' : cells -> Approximation.matrix.
Hypothesis same_v : forall K i j, (i < d)%nat -> (j < n)%nat -> Q2R (v K i j) = v' K i j.

(** One column's map. *)
Lemma same_single_map a : same d (single_map a) (C.single_map (Q2R a)).
Proof using.
  constructor; [|constructor]. apply same_token; [intros; apply literal|intros; apply same_unit|]. by_relu.
Qed.

(** What one column's id has added. *)
Lemma same_offset : Q2R (offset d N F) = C.offset d N (Q2R F).
Proof using N2. unfold offset, C.offset. real. rewrite (delta_real N N2). reflexivity. Qed.

(** The bound of the keys. *)
Lemma same_top a : Q2R (top_key d n N a) = C.top_key d n N (Q2R a).
Proof using. unfold top_key, C.top_key. destruct (Nat.eqb n 1); [real|]; reflexivity. Qed.

(** Theorem 2's contextual map. *)
Lemma same_cube_map a : same d (cube_map d n N a lambda) (C.cube_map d n N (Q2R a) (Q2R lambda)).
Proof using N2.
  unfold cube_map, C.cube_map. destruct (Nat.eqb n 1); [apply same_single_map|apply same_contextual_map].
Qed.

(** Theorem 3's. *)
Lemma same_positional_map a : same d (positional_map d n N a lambda) (C.positional_map d n N (Q2R a) (Q2R lambda)).
Proof using N2.
  unfold positional_map, C.positional_map. destruct (Nat.eqb n 1); [apply same_single_map|apply same_contextual_map].
Qed.

(** Theorem 2's table. *)
Lemma same_cube_table a : Forall2 same_entry (cube_table d n N a v) (C.cube_table d n N (Q2R a) v').
Proof using N2 same_v.
  apply same_table; [|intros; apply same_v; assumption]. intros K j _ Hj. unfold cube_keys, C.cube_key.
  destruct (Nat.eqb_spec n 1) as [E|_]; [apply same_single; lia|apply same_keys, Hj].
Qed.

(** Theorem 3's. *)
Lemma same_positional_table a : Forall2 same_entry (positional_table d n N a v) (C.positional_table d n N (Q2R a) v').
Proof using N2 same_v.
  apply same_table; [|intros; apply same_v; assumption]. intros K j _ Hj.
  unfold positional_map_keys, C.positional_map_key.
  destruct (Nat.eqb_spec n 1) as [E|_]; [apply same_single; lia|apply same_positional_keys, Hj].
Qed.

(** Quantiser, map, values, clamp. *)
Lemma same_network m cmap cmap' t t' : same d cmap cmap' -> Forall2 same_entry t t' ->
  same d (network d N m e F cmap t) (C.network d N m (Q2R e) (Q2R F) cmap' t').
Proof using N2 e0.
  intros HM HT. unfold network, C.network. repeat apply Forall2_app; try assumption.
  - apply same_quantise.
  - apply same_value, HT.
  - apply same_entrywise, same_clamp.
Qed.

(** The limit of ids that pass. *)
Lemma same_limit top : Q2R (limit top F) = C.limit (Q2R top) (Q2R F).
Proof using. unfold limit, C.limit. real. reflexivity. Qed.

(** The network with the sentinel. *)
Lemma same_whole top cmap cmap' t t' : same d cmap cmap' -> Forall2 same_entry t t' ->
  same d (whole_network d n N e F top cmap t) (C.whole_network d n N (Q2R e) (Q2R F) (Q2R top) cmap' t').
Proof using N2 e0.
  intros HM HT. unfold whole_network, C.whole_network. repeat apply Forall2_app; try assumption.
  - apply same_entrywise. assert (C.sentinel n (Q2R top) (Q2R F) = Q2R (sentinel n top F)) as ->.
    { unfold sentinel, C.sentinel. real. rewrite same_limit. reflexivity. }
    apply same_border, e0.
  - apply same_quantise.
  - constructor; [|constructor]. apply same_token; [intros; apply same_u|intros; apply literal|].
    rewrite <- same_limit. apply same_ramp.
  - apply same_value, HT.
  - apply same_entrywise, same_finish.
Qed.

(** Theorem 2's network over the cube, *)
Lemma same_cube : same d (cube_network_at d n N e lambda F v)
  (C.cube_network_at d n N (Q2R e) (Q2R lambda) (Q2R F) v').
Proof using N2 e0 same_v.
  unfold cube_network_at, C.cube_network_at. rewrite <- same_offset.
  apply same_network; [apply same_cube_map|apply same_cube_table].
Qed.

(** the one with the sentinel, *)
Lemma same_supported : same d (supported_network_at d n N e lambda F v)
  (C.supported_network_at d n N (Q2R e) (Q2R lambda) (Q2R F) v').
Proof using N2 e0 same_v.
  unfold supported_network_at, C.supported_network_at. rewrite <- same_offset, <- same_top.
  apply same_whole; [apply same_cube_map|apply same_cube_table].
Qed.

(** and Theorem 3's. *)
Lemma same_positional : same d (positional_network_at d n N e lambda F v)
  (C.positional_network_at d n N (Q2R e) (Q2R lambda) (Q2R F) v').
Proof using N2 e0 same_v.
  unfold positional_network_at, C.positional_network_at. rewrite <- same_offset.
  apply same_network; [apply same_positional_map|apply same_positional_table].
Qed.
End Layers.

(** All of it. *)
Theorem same_weights : Same_weights.
Proof.
  intros d n N K e lambda F v v' N2 K0 He Hv. apply positive_nonzero in K0. apply positive_nonzero in He.
  assert (~ (2 * K == 0)%Q) as KK.
  { intros H. apply Qmult_integral in H. destruct H as [H|H]; [discriminate|contradiction]. }
  pose proof two_nonzero as T. assert (/ (2 * Q2R K) = Q2R (/ (2 * K))) as E by (real; reflexivity).
  assert (1 / 2 = Q2R (1 / 2)) as E2 by (real; reflexivity).
  pose proof (same_cube d n N N2 e lambda F He v v' Hv). pose proof (same_supported d n N N2 e lambda F He v v' Hv).
  pose proof (same_positional d n N N2 e lambda F He v v' Hv).
  repeat (split; [assumption|]). split; [|split; [|split; apply same_map_error, N2]].
  - apply Forall2_app; [|assumption]. rewrite E, E2. apply same_entrywise, same_affine.
  - apply Forall2_app; [|assumption]. rewrite E. replace 0 with (Q2R 0) by apply literal.
    apply same_entrywise, same_affine.
Qed.

(** ** The published network *)
Module P := Published.

(** Its phis: for what is outside, *)
Lemma same_outside e S : ~ (e == 0)%Q -> same_phi (outside e S) (P.outside (Q2R e) (Q2R S)).
Proof. intros He. by_relu; simpl; try lra. Qed.

(** for what is rejected, *)
Lemma same_reject e l r : ~ (e == 0)%Q -> same_phi (reject_outside e l r) (P.reject_outside (Q2R e) (Q2R l) (Q2R r)).
Proof. intros He. by_relu. Qed.

(** for what is cleared, *)
Lemma same_clear : same_phi clear P.clear.
Proof. by_relu. Qed.

(** and a window. *)
Lemma same_around e k w : ~ (e == 0)%Q -> same_phi (around e k w) (P.around (Q2R e) (Q2R k) (Q2R w)).
Proof. intros He. pose proof two_nonzero. by_relu. Qed.

Section Published.
Variables d n N : nat.
Hypothesis N2 : (2 <= N)%nat.

(** Layers that are the same for each strip and each rate. *)
Definition same_made (f : Q -> Q -> block) (g : R -> R -> Approximation.block) : Prop :=
  forall e lambda, ~ (e == 0)%Q -> same_block d (f e lambda) (g (Q2R e) (Q2R lambda)).

(** So are networks of them. *)
Lemma same_chosen e lambda ts us : (forall k, ~ (e k == 0)%Q) -> Forall2 same_made ts us -> forall k,
  same d (chosen e lambda k ts) (P.chosen (fun k => Q2R (e k)) (fun k => Q2R (lambda k)) k us).
Proof using.
  intros He H. induction H as [|t u ts us Htu _ IH]; intros k; simpl; constructor; [apply Htu, He|apply IH].
Qed.

(** Over a list. *)
Lemma same_made_map {A} (f : A -> Q -> Q -> block) (g : A -> R -> R -> Approximation.block) l :
  (forall x, same_made (f x) (g x)) -> Forall2 same_made (map f l) (map g l).
Proof using. intros H. induction l as [|x l IH]; simpl; constructor; [apply H|exact IH]. Qed.

(** The quantiser. *)
Lemma same_quantise_below : Forall2 same_made (quantise_below d n N) (P.quantise_below d n N).
Proof using N2.
  unfold quantise_below, P.quantise_below. induction (seq 0 d) as [|i l IH]; simpl flat_map; [constructor|].
  constructor; [|apply Forall2_app; [|exact IH]].
  - intros e lambda He. apply same_token; [intros; apply same_unit|intros; apply same_unit|apply same_outside, He].
  - apply same_made_map. intros k e lambda He. apply same_token; [intros; apply same_unit|intros; apply same_unit|].
    rewrite <- (delta_real N N2), <- Q2R_nat, <- Q2R_mult. apply same_tent, He.
Qed.

(** The contextual map. *)
Lemma same_map_below : Forall2 same_made (map_below d n N) (P.map_below d n N).
Proof using N2.
  apply Forall2_app; [|constructor; [|constructor]].
  - apply same_made_map. intros k e lambda _. apply (same_selective d N N2 lambda).
  - intros e lambda _. apply (same_global d N lambda).
Qed.

(** The value map. *)
Lemma same_value_below M table : Forall2 same_made (value_below d n N M table)
  (P.value_below d n N (Q2R M) (map (fun t => (Q2R (fst t), fun i => Q2R (snd t i))) table)).
Proof using N2.
  constructor; [|apply Forall2_app].
  - intros e lambda He. apply same_token; [intros; apply same_u|intros; real; reflexivity|apply same_reject, He].
  - unfold entrywise, C.entrywise. rewrite !map_map. apply same_made_map. intros i e lambda _.
    apply same_token; [intros; apply same_unit|intros; apply same_unit|apply same_clear].
  - rewrite map_map. apply same_made_map. intros t e lambda He.
    apply same_token; [intros; apply same_u|reflexivity|]. simpl fst. rewrite <- (delta_real N N2).
    apply same_around, He.
Qed.
End Published.

(** All of it. *)
Theorem same_published : Same_published.
Proof.
  intros d n N e lambda M table N2 He. apply same_chosen; [intros k; apply positive_nonzero, He|].
  apply Forall2_app; [apply same_quantise_below, N2|]. apply Forall2_app; [apply same_map_below, N2|].
  apply same_value_below, N2.
Qed.
