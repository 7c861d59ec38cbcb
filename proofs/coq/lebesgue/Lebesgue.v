(** Theorems 2 and 3 with a library's integral: that of mathcomp-analysis, with Lebesgue's measure, one coordinate after
    the other. Optional: `make lebesgue`, with libcoq-mathcomp-analysis (0.6.0). The library's integral of a function
    that isn't negative is the supremum of the integrals of simple functions below it; what is integrated here is
    continuous, or continuous on a compact set and 0 off it, so that this is the Lebesgue integral. *)
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint interval.
From mathcomp Require Import mathcomp_extra boolp classical_sets functions reals ereal Rstruct signed topology.
From mathcomp Require Import normedtype sequences measure lebesgue_measure numfun lebesgue_integral.
From Coq Require Reals.
From Contextual.universal Require Approximation Sums Sanity Continuous Everywhere Positions.
From Contextual.lebesgue Require Coordinates.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Module A := Approximation.
Module C := Coordinates.
Notation R := Rdefinitions.R.
Notation RR := (Real.sort real_realType).
Notation mu := (@lebesgue_measure real_realType).

(** ** Definitions *)
(** Over the first k coordinates, where the others are those of x; and over all of R^(d x n). *)
Fixpoint iterated (k : nat) (F : (nat -> R) -> \bar R) (x : nat -> R) : \bar R :=
  match k with
  | O => F x
  | S k => \int[mu]_t iterated k F (C.put x k t)
  end.
Definition lebesgue (d n : nat) (F : A.matrix -> R) : \bar R :=
  iterated (d * n)%coq_nat (fun x => (F (C.as_matrix n x))%:E) (fun=> 0%R).
(** F on D, and 0 off D. *)
Definition on (D : A.matrix -> Prop) (F : A.matrix -> R) (X : A.matrix) : R := if pselect (D X) then F X else 0%R.

(** ** The theorems; the distance is ||f - g||_p, to the power p *)
Definition Theorem2_lebesgue : Prop := forall d n, (1 <= d)%coq_nat -> (1 <= n)%coq_nat ->
  forall f, A.continuous_on d n A.everywhere f -> A.compact_support d n f -> A.equivariant d n f ->
  forall p e : R, (1 <= p)%R -> (0 < e)%R -> exists g : list A.block,
    lebesgue d n (A.error d n p f (A.run d n 2 1 4 g)) < (A.power e p)%:E.
Definition Theorem3_lebesgue : Prop := forall d n, (1 <= d)%coq_nat -> (1 <= n)%coq_nat ->
  forall D, A.compact d n D -> exists E : A.matrix, forall f, A.continuous_on d n D f ->
  forall p e : R, (1 <= p)%R -> (0 < e)%R -> exists g : list A.block,
    lebesgue d n (on D (A.error d n p f (fun X => A.run d n 2 1 4 g (A.plus X E)))) < (A.power e p)%:E.
(** A step function's integral is what [Approximation.v] says. *)
Definition Lebesgue_step : Prop := forall d n bs, (1 <= n)%coq_nat -> List.Forall (A.proper d n) bs ->
  lebesgue d n (A.step d n bs) = (A.step_integral d n bs)%:E.

(** ** The integral is monotone, measurable or not *)
(** In one coordinate. *)
Lemma integral_mono (f g : R -> \bar R) : (forall t, 0 <= f t) -> (forall t, f t <= g t) ->
  \int[mu]_t f t <= \int[mu]_t g t.
Proof.
move=> f0 fg; rewrite !ge0_integralTE//; last by move=> t; apply: le_trans (fg t).
by apply: le_ereal_sup => _ [h /= hf <-]; exists h => //= t; apply: le_trans (fg t).
Qed.

(** Integrals of what isn't negative aren't. *)
Lemma iterated_ge0 k F x : (forall x, 0 <= F x) -> 0 <= iterated k F x.
Proof.
by move=> F0; elim: k x => [|k IH] x //=; apply: integral_ge0 => t _; apply: IH.
Qed.

(** In all coordinates. *)
Lemma iterated_mono k F G x : (forall x, 0 <= F x) -> (forall x, F x <= G x) -> iterated k F x <= iterated k G x.
Proof.
move=> F0 FG; elim: k x => [|k IH] x //=.
by apply: integral_mono => t; [apply: iterated_ge0|apply: IH].
Qed.

(** ** One coordinate, over any real numbers *)
Section OneCoordinate.
Variable R : realType.
Implicit Types (a lo hi : R) (l : seq (R * (R * R))).

(** A step function of intervals [lo, hi] with heights a, and its integral. *)
Definition steps l (t : R) : R := foldr (fun b s => b.1 * \1_(`[b.2.1, b.2.2]%classic) t + s)%R 0%R l.
Definition area l : R := foldr (fun b s => b.1 * (b.2.2 - b.2.1) + s)%R 0%R l.
Definition proper (b : R * (R * R)) : Prop := (0 <= b.1)%R /\ (b.2.1 <= b.2.2)%R.

(** All of this is measurable, *)
Lemma interval_measurable lo hi : measurable_fun setT (fun t : R => (\1_(`[lo, hi]%classic) t : R)%:E).
Proof. by apply/EFin_measurable_fun; apply: measurable_fun_indic; apply: measurable_itv. Qed.

(** an interval with a height, *)
Lemma term_measurable a lo hi : measurable_fun setT (fun t : R => (a * \1_(`[lo, hi]%classic) t)%:E).
Proof.
apply/EFin_measurable_fun; apply: measurable_funM; first exact: measurable_fun_cst.
by apply: measurable_fun_indic; apply: measurable_itv.
Qed.

(** and a step function. *)
Lemma steps_measurable l : measurable_fun setT (fun t : R => (steps l t)%:E).
Proof.
elim: l => [|b l IH] /=; first exact: measurable_fun_cst.
by under eq_fun do rewrite EFinD; apply: emeasurable_funD => //; apply: term_measurable.
Qed.

(** It isn't negative. *)
Lemma steps_ge0 l t : List.Forall proper l -> (0 <= steps l t)%R.
Proof.
elim: l => [//|b l IH H]; have [[b0 _] H'] := (List.Forall_inv H, List.Forall_inv_tail H).
by rewrite /= addr_ge0 ?IH// mulr_ge0// indicE.
Qed.

(** The measure of an interval is its length. *)
Lemma interval_measure lo hi : (lo <= hi)%R -> lebesgue_measure (`[lo, hi]%classic : set R) = (hi - lo)%:E.
Proof.
move=> lh; rewrite lebesgue_measure_itv hlength_itv /= lte_fin; case: ltP => [_|hl]; first by rewrite -EFinB.
by rewrite (_ : hi = lo) ?subrr//; apply/le_anti/andP.
Qed.

(** The integral over an interval: height times length. *)
Lemma integral_interval a lo hi : (0 <= a)%R -> (lo <= hi)%R ->
  \int[@lebesgue_measure R]_t (a * \1_(`[lo, hi]%classic) t)%:E = (a * (hi - lo))%:E.
Proof.
move=> a0 lh; under eq_integral do rewrite EFinM.
rewrite ge0_integralM_EFin//; last 2 first.
- by move=> t _; rewrite lee_fin indicE.
- exact: interval_measurable.
rewrite integral_indic//; last exact: measurable_itv.
rewrite setIT EFinM; congr (_ * _); exact: interval_measure.
Qed.

(** The integral of a step function. *)
Lemma integral_steps l : List.Forall proper l -> \int[@lebesgue_measure R]_t (steps l t)%:E = (area l)%:E.
Proof.
elim: l => [_|b l IH H]; first exact: integral0.
have [[a0 lh] H'] := (List.Forall_inv H, List.Forall_inv_tail H).
rewrite /= EFinD -IH// -integral_interval//.
under eq_integral do rewrite EFinD.
rewrite ge0_integralD//.
- by move=> t _; rewrite lee_fin mulr_ge0// indicE.
- exact: term_measurable.
- by move=> t _; rewrite lee_fin steps_ge0.
- exact: steps_measurable.
Qed.
End OneCoordinate.

(** ** Coq's real numbers *)
(** Both indicators of an interval. *)
Lemma chi_indic lo hi (t : RR) : Sanity.chi lo hi t = \1_(`[lo, hi]%classic : set RR) t.
Proof.
rewrite indicE /Sanity.chi mem_setE in_itv /=.
case: RIneq.Rle_dec => [/RleP ->|/RleP/negbTE ->] //=.
by case: RIneq.Rle_dec => [/RleP ->|/RleP/negbTE ->].
Qed.

(** The same for a list of boxes, along one coordinate. *)
Lemma integral_total (T : Type) (a lo hi : T -> R) (bs : seq T) :
  (forall b, List.In b bs -> C.interval_step (a b) (lo b) (hi b)) ->
  \int[mu]_t (Sums.total (fun b => Rdefinitions.Rmult (a b) (Sanity.chi (lo b) (hi b) t)) bs)%:E =
  (Sums.total (fun b => Rdefinitions.Rmult (a b) (Rdefinitions.Rminus (hi b) (lo b))) bs)%:E.
Proof.
move=> H; pose l : seq (RR * (RR * RR)) := List.map (fun b => (a b, (lo b, hi b))) bs.
have <- : area l = Sums.total (fun b => Rdefinitions.Rmult (a b) (Rdefinitions.Rminus (hi b) (lo b))) bs.
  by rewrite /l; elim: (bs) => [//|b m IH] /=; rewrite IH.
rewrite -integral_steps; last first.
  apply/List.Forall_forall => _ /List.in_map_iff[b [<- /H[a0 lh]]].
  by split; apply/RleP.
apply: eq_integral => t _; congr (_%:E).
by rewrite /l; elim: (bs) => [//|b m IH] /=; rewrite IH chi_indic.
Qed.

(** ** All coordinates: the integral of a step function is [step_integral] *)
(** The first k coordinates. *)
Lemma iterated_step d n bs k x : (0 < n)%coq_nat -> List.Forall (A.proper d n) bs -> (k <= d * n)%coq_nat ->
  iterated k (fun x => (A.step d n bs (C.as_matrix n x))%:E) x =
  (Sums.total (fun b => C.partial n (d * n)%coq_nat b k x) bs)%:E.
Proof.
move=> n0 H; elim: k x => [|k IH] x Hk /=; first by rewrite C.partial_first.
have Hk' : (k <= d * n)%coq_nat by apply: Le.le_Sn_le_stt.
under eq_integral do rewrite IH//.
under eq_integral do rewrite (Sums.total_ext _ _ _ (fun b _ => C.partial_before n _ b k x _ Hk)).
rewrite (integral_total (a := fun b => C.without n (d * n)%coq_nat b k x) (lo := fun b => C.from n b k)
  (hi := fun b => C.to n b k)).
  by congr (_%:E); apply: Sums.total_ext => b _; rewrite C.partial_after.
by move=> b Hb; apply: C.without_proper => //; move/List.Forall_forall: H; apply.
Qed.

(** All of them. *)
Theorem lebesgue_step : Lebesgue_step.
Proof. by move=> d n bs n0 H; rewrite /lebesgue iterated_step// C.partial_last. Qed.

(** ** So what [integral_below] says bounds the integral *)
Theorem lebesgue_below d n D F c : (0 < n)%coq_nat -> (forall X, 0 <= F X)%R -> A.integral_below d n D F c ->
  lebesgue d n (on D F) < c%:E.
Proof.
move=> n0 F0 [bs [H [FS SC]]].
have step0 X : (0 <= A.step d n bs X)%R by apply/RleP/C.step_nonneg.
apply: (@le_lt_trans _ _ (lebesgue d n (A.step d n bs))); last by rewrite lebesgue_step// lte_fin; apply/RltP.
apply: iterated_mono => x; rewrite lee_fin /on; case: pselect => [DX|//]; first exact: F0.
by apply/RleP/FS.
Qed.

(** Theorem 2. *)
Theorem theorem2_lebesgue : Theorem2_lebesgue.
Proof.
move=> d n d1 n1 f Hf Hs He p e /RleP Hp /RltP He0.
have [g Hg] := Everywhere.theorem2 d n d1 n1 f Hf Hs He p e Hp He0; exists g.
have -> : A.error d n p f (A.run d n 2 1 4 g) = on A.everywhere (A.error d n p f (A.run d n 2 1 4 g)).
  by apply: funext => X; rewrite /on; case: pselect => // - [].
by apply: lebesgue_below => // X; apply/RleP/Continuous.error_nonneg.
Qed.

(** Theorem 3. *)
Theorem theorem3_lebesgue : Theorem3_lebesgue.
Proof.
move=> d n d1 n1 D HD; have [E HE] := Positions.theorem3_encoding d n d1 n1 D HD; exists E.
move=> f Hf p e /RleP Hp /RltP He0; have [g Hg] := HE f Hf p e Hp He0; exists g.
by apply: lebesgue_below => // X; apply/RleP/Continuous.error_nonneg.
Qed.
