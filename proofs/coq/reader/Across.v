(** The least slack of `across`: of neighbours, and so of any two cases. *)

From Coq Require Import QArith Qabs Qreduction ZArith List Bool Sorted Permutation Lia Lqa Mergesort.
From Contextual.reader Require Import Core Check Sound.
Import ListNotations.
Open Scope Z_scope.

(** The relations that a block makes of two different cases, of any two of their numbers a <= b. *)
Definition made_across (i : inputs) (guard L : found -> found) (f : found -> found -> lines) (r : relation) : Prop :=
  exists w w' l l' a b rs, admitted i guard w /\ admitted i guard w' /\ w <> w' /\
    numbers (L (Is w)) = Some l /\ numbers (L (Is w')) = Some l' /\ In (Number a) l /\ In (Number b) l' /\ (a <= b)%Q /\
    f (Is (Number a)) (Is (Number b)) = Some rs /\ In r rs.
(** Of those that sign k makes and that hold, [slack] is the least slack, which one of them has. *)
Definition least_across (i : inputs) (guard L : found -> found) (f : found -> found -> lines) (k : Z) (slack : Q) :
  Prop :=
  (forall r, made_across i guard L f r -> number r = k -> counts r = true -> slack <= slack_of r)%Q /\
  exists r, made_across i guard L f r /\ number r = k /\ counts r = true /\ (slack_of r == slack)%Q.
(** Where two numbers stand further apart, slacks are no smaller. *)
Definition narrowing (f : found -> found -> lines) (k : Z) : Prop := forall a b a' b', (a <= b)%Q -> (a' <= a)%Q ->
  (b <= b')%Q -> forall rs rs', f (Is (Number a)) (Is (Number b)) = Some rs -> good rs = true ->
  f (Is (Number a')) (Is (Number b')) = Some rs' -> forall r', In r' rs' -> number r' = k -> counts r' = true ->
  exists r, In r rs /\ number r = k /\ counts r = true /\ (slack_of r <= slack_of r')%Q.

Section Across.
Variables (f : found -> found -> lines) (k : Z) (q : Q).
Notation sorted_list := (StronglySorted (fun x y => is_true (ByValue.leb x y))).
(** What neighbours make is made of two different cases. *)
Lemma made_by_neighbours r : forall l a, sorted_list (a :: l) -> forall rs, side_by_side f a l = Some rs -> In r rs ->
  exists x y rs', In x (a :: l) /\ In y (a :: l) /\ snd x <> snd y /\ (fst x <= fst y)%Q /\
    f (Is (Number (fst x))) (Is (Number (fst y))) = Some rs' /\ In r rs'.
Proof.
  induction l as [|b l IH]; intros a S rs E I; cbn [side_by_side] in E; [inversion E; subst; destruct I|].
  inversion S as [|? ? S' F]; subst. destruct (Z.eqb_spec (snd a) (snd b)) as [_|D].
  - destruct (IH b S' rs E I) as (x & y & r' & X & Y & R). exists x, y, r'. split; [right; exact X|split; [right;
      exact Y|exact R]].
  - unfold and_then in E. destruct (f (Is (Number (fst a))) (Is (Number (fst b)))) as [s|] eqn:R; [|discriminate].
    destruct (side_by_side f b l) as [t|] eqn:T; [|discriminate]. inversion E; subst. apply in_app_or in I as [I|I].
    + exists a, b, s. split; [left; reflexivity|]. split; [right; left; reflexivity|]. split; [exact D|]. split;
      [|auto].
      inversion F; subst. apply ByValue.leb_le. assumption.
    + destruct (IH b S' t T I) as (x & y & r' & X & Y & Z). exists x, y, r'. split; [right; exact X|split; [right;
        exact Y|exact Z]].
Qed.
(** A block that only asks whether it holds, and none of its slacks is smaller than q. *)
Definition wide_enough (r : relation) : bool := holds_of r && implb ((number r =? k) && counts r) (Qle_bool q
  (slack_of r)).
Definition asks (a b : found) : lines :=
  match f a b with Some rs => if forallb wide_enough rs then nothing else None | None => None end.
(** If no neighbours' slack is smaller, it holds. *)
Lemma neighbours_ask : forall l a rs, side_by_side f a l = Some rs -> forallb wide_enough rs = true ->
  hold (side_by_side asks a l).
Proof.
  induction l as [|b l IH]; intros a rs E G; cbn [side_by_side] in *; [apply hold_nothing|].
  destruct (snd a =? snd b); [apply (IH b rs E G)|].
  unfold and_then in E. destruct (f (Is (Number (fst a))) (Is (Number (fst b)))) as [s|] eqn:R; [|discriminate].
  destruct (side_by_side f b l) as [t|] eqn:T; [|discriminate]. inversion E; subst. rewrite forallb_app in G.
  apply andb_true_iff in G as [G H]. apply hold_then. split; [|apply (IH b t T H)]. unfold asks. rewrite R, G.
  apply hold_nothing.
Qed.
End Across.

(** If all neighbours hold, the least of their slacks is the least of all pairs of different cases. *)
Theorem across_least most signs i guard L f rows k made q : narrowing f k ->
  check_across most signs i guard L f = Some (Pairs true rows) -> 1 <= k <= signs ->
  nth_error rows (Z.to_nat (k - 1)) = Some (made, Some q) -> least_across i guard L f k q.
Proof.
  unfold check_across. intros W. destruct (cases most i) as [ws|] eqn:E; [|discriminate].
  destruct (collected guard L ws 0) as [c|] eqn:C; [|discriminate].
  destruct (all_sorted f c) as [rs|] eqn:A; [|discriminate]. intros R K N. inversion R as [[G R']]. subst rows. clear R.
  pose proof (cases_are most i ws E) as [Once Are].
  erewrite map_nth_error in N by (apply from_nth; lia). replace (1 + Z.of_nat (Z.to_nat (k - 1))) with k in N by lia.
  unfold row in N. inversion N as [[M F']]. destruct (fold_left smaller _ None) as [q'|] eqn:F; [|discriminate].
  inversion F' as [Q']. clear F' N M. apply smallest in F as (_ & Bound & Has). pose proof (Qred_correct q') as Same.
  assert (StronglySorted (fun x y => is_true (ByValue.leb x y)) (Sorting.sort c)) as S.
  { apply Sorting.StronglySorted_sort. exact ByValue.leb_trans. }
  split.
  - intros r (w & w' & l & l' & a & b & rs' & (I & Y) & (I' & Y') & D & H & H' & X & X' & Le & Made & In_r) Kr Counts.
    apply collected_is in C as (_ & Known). apply Are in I, I'.
    apply In_nth_error in I as (j & J), I' as (j' & J').
    pose proof (Known j w l a J Y H X) as P. pose proof (Known j' w' l' b J' Y' H' X') as P'.
    apply (Permutation_in _ (Sorting.Permuted_sort c)) in P, P'.
    assert (hold (match Sorting.sort c with [] => nothing | a :: l => side_by_side (asks f k q') a l end)) as Asked.
    { unfold all_sorted in A. destruct (Sorting.sort c) as [|z s]; [apply hold_nothing|].
      apply (neighbours_ask f k q' s z rs A). apply forallb_forall. intros x In_x. unfold wide_enough.
      apply good_is in G. rewrite Forall_forall in G. rewrite (G x In_x). simpl.
      destruct (number x =? k) eqn:Kx; [|reflexivity]. destruct (counts x) eqn:Cx; [|reflexivity]. simpl.
      apply Qle_bool_iff, Bound; [|exact Cx]. apply filter_In. auto. }
    destruct (pairs_wide _ (Sorting.sort c) S Asked (a, 0 + Z.of_nat j) (b, 0 + Z.of_nat j') P P') as (u & v & A1 &
      A2 & A3 &
      A4); [simpl; intros Z; apply D; assert (j = j') by lia; congruence|exact Le|].
    destruct A4 as (r0 & A4 & _). unfold asks in A4. destruct (f (Is (Number u)) (Is (Number v))) as [ru|] eqn:Fu;
      [|discriminate]. destruct (forallb (wide_enough k q') ru) eqn:Wide; [|discriminate]. rewrite forallb_forall in
        Wide.
    assert (good ru = true) as Gu.
    { apply good_is, Forall_forall. intros x In_x. specialize (Wide x In_x). unfold wide_enough in Wide.
      apply andb_true_iff in Wide as [Wide _]. exact Wide. }
    destruct (W u v a b A2 A1 A3 ru rs' Fu Gu Made r In_r Kr Counts) as (x & In_x & Kx & Cx & Less).
    specialize (Wide x In_x). unfold wide_enough in Wide. apply andb_true_iff in Wide as [_ Wide]. rewrite Cx in Wide.
    apply Z.eqb_eq in Kx. rewrite Kx in Wide. simpl in Wide. apply Qle_bool_iff in Wide. rewrite Same.
    eapply Qle_trans; eassumption.
  - destruct Has as [Has|(rel & I & H & Eq)]; [discriminate|]. apply filter_In in I as (I & X). exists rel.
    split; [|split; [apply Z.eqb_eq, X|split; [exact H|rewrite Eq; symmetry; exact Same]]].
    assert (forall x, In x (Sorting.sort c) -> In x c) as Back.
    { intros x. apply Permutation_in, Permutation_sym, Sorting.Permuted_sort. }
    unfold all_sorted in A. destruct (Sorting.sort c) as [|z s]; [inversion A; subst; destruct I|].
    destruct (made_by_neighbours f rel s z S rs A I) as ([p m] & [p' m'] & r0 & Xp & Yp & D & Le & Made & In_r).
    cbn [fst snd] in *. apply Back in Xp, Yp.
    destruct (collected_only _ _ _ _ _ C _ _ Xp) as (j & w & l & Rk & Wk & Gw & Nl & Il).
    destruct (collected_only _ _ _ _ _ C _ _ Yp) as (j' & w' & l' & Rk' & Wk' & Gw' & Nl' & Il').
    exists w, w', l, l', p, p', r0. repeat split; auto; try (apply Are; eapply nth_error_In; eassumption).
    intros Same_w. subst w'. rewrite NoDup_nth_error in Once. assert (j = j'); [|lia]. apply Once; [apply
      nth_error_Some;
      congruence|congruence].
Qed.

(** ** What generated files use *)
(** Lines one after the other, *)
Lemma narrowing_nothing k : narrowing (fun _ _ => nothing) k.
Proof. intros a b a' b' _ _ _ rs rs' _ _ E r' I. inversion E; subst. destruct I. Qed.
(** two of them, *)
Lemma narrowing_then f g k : narrowing f k -> narrowing g k -> narrowing (fun x y => and_then (f x y) (g x y)) k.
Proof.
  intros F G a b a' b' L A B rs rs' E Good E' r' I N C. unfold and_then in E, E'.
  destruct (f (Is (Number a)) _) as [u|] eqn:U; [|discriminate]. destruct (g (Is (Number a)) _) as [v|] eqn:V;
    [|discriminate].
  destruct (f (Is (Number a')) _) as [u'|] eqn:U'; [|discriminate]. destruct (g (Is (Number a')) _) as [v'|] eqn:V';
    [|discriminate]. inversion E; inversion E'; subst. unfold good in Good. rewrite forallb_app in Good.
  apply andb_true_iff in Good as [Gu Gv]. apply in_app_or in I as [I|I].
  - destruct (F a b a' b' L A B u u' U Gu U' r' I eq_refl C) as (r & R & Z). exists r. split; [apply in_or_app;
    auto|exact Z].
  - destruct (G a b a' b' L A B v v' V Gv V' r' I eq_refl C) as (r & R & Z). exists r. split; [apply in_or_app;
    auto|exact Z].
Qed.
(** The distance of two numbers is the larger less the smaller one. *)
Lemma distance_below x y : (x <= y -> Qabs (x - y) == y - x)%Q.
Proof. intros H. rewrite Qabs_neg by lra. ring. Qed.
(** The other way round. *)
Lemma distance_above x y : (y <= x -> Qabs (x - y) == x - y)%Q.
Proof. intros H. rewrite Qabs_pos by lra. ring. Qed.
(** and a line: the larger side less the smaller one doesn't fall. *)
Lemma narrowing_line m s e1 e2 k : (forall a b a' b', (a <= b)%Q -> (a' <= a)%Q -> (b <= b')%Q -> exists p q p' q',
    reads (e1 (Is (Number a)) (Is (Number b))) p /\ reads (e2 (Is (Number a)) (Is (Number b))) q /\
    reads (e1 (Is (Number a')) (Is (Number b'))) p' /\ reads (e2 (Is (Number a')) (Is (Number b'))) q' /\
    match s with Less | AtMost => q - p <= q' - p' | More | AtLeast => p - q <= p' - q' | _ => False end%Q) ->
  narrowing (fun x y => relate m (e1 x y) [(s, e2 x y)]) k.
Proof.
  intros H a b a' b' L A B rs rs' E G E' r' I N C.
  destruct (H a b a' b' L A B) as (p & q & p' & q' & (x & X & P) & (y & Y & Q) & (x' & X' & P') & (y' & Y' & Q') & D).
  rewrite X, Y in E. rewrite X', Y' in E'. destruct s; try contradiction; inversion E; inversion E'; subst rs rs';
    destruct I as [<-|[]]; cbn [number] in N; subst m; eexists; (split; [left; reflexivity|]); (split; [reflexivity|]);
    unfold good in G; cbn [forallb] in G; rewrite andb_true_r in G; unfold counts in *; rewrite G; (split;
      [reflexivity|]);
    cbn [its left right slack_of] in *; apply andb_true_iff in C as [C _]; unfold holds_of in G, C;
    cbn [its left right related] in G, C; rewrite ?negb_true_iff in G, C;
    rewrite <- ?not_true_iff_false, ?Qle_bool_iff in G, C;
    try apply Qnot_le_lt in G; try apply Qnot_le_lt in C;
    first [rewrite (distance_below x y), (distance_below x' y') by lra|
           rewrite (distance_above x y), (distance_above x' y') by lra]; lra.
Qed.
Ltac narrow :=
  cbn [block fold_right]; repeat (apply narrowing_then || apply narrowing_nothing);
  apply narrowing_line; intros a b a' b' L A B; do 4 eexists; (split; [find_reads|]); (split; [find_reads|]);
  (split; [find_reads|]); (split; [find_reads|]); Lqa.lra.
