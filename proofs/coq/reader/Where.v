(** Where a relation is made: at which letters, and of which pair of cases. [traced_are]: what is traced are a claim's
    relations, in their order. *)

From Coq Require Import QArith Qabs ZArith List Bool Lia Lqa.
From Contextual.reader Require Import Core Check Sound Tree Fold.
Import ListNotations.
Open Scope Z_scope.

(** ** A relation, and the letters of the blocks around its line, the innermost one first *)
Record made := Made { of_it : relation; at_letters : letters }.
Definition traces := option (list made).
Definition trace_then (a b : traces) : traces := match a, b with Some a, Some b => Some (a ++ b) | _, _ => None end.
Definition trace_block (l : list traces) : traces := fold_right trace_then (Some []) l.
Definition trace_of (l : letters) (rs : lines) : traces := option_map (map (fun r => Made r l)) rs.
Fixpoint trace_neighbours (l : list value) (f : found -> found -> traces) : traces :=
  match l with a :: (b :: _) as r => trace_then (f (Is a) (Is b)) (trace_neighbours r f) | _ => Some [] end.

Section Trace.
Variable at_case : name -> found -> globals.
Fixpoint trace (c : line) (g : globals) (l : letters) : traces :=
  match c with
  | Relate k a r => trace_of l (line_of at_case c g l)
  | ForIn k r c ls => match eval at_case r g l with
    | Is (List _ items) => trace_block (map (fun v => let l := (k, Is v) :: l in
        match truth_of match c with Some c => eval at_case c g l | None => yes end with
        | Some true => trace_block (map (fun c => trace c g l) ls)
        | Some false => Some []
        | None => None
        end) items)
    | _ => None
    end
  | When c ls => match truth_of (eval at_case c g l) with
    | Some true => trace_block (map (fun c => trace c g l) ls)
    | Some false => Some []
    | None => None
    end
  | Within e a b ls => match eval at_case e g l with
    | Is (List _ items) => match kind_of (List 1 items) with
      | Some (AList (ANumber | Anything)) => match items with
        | _ :: _ :: _ =>
            if widens (fun x y => block (map (fun c => line_of at_case c g ((b, y) :: (a, x) :: l)) ls))
            then trace_neighbours (in_order items) (fun x y =>
              trace_block (map (fun c => trace c g ((b, y) :: (a, x) :: l)) ls))
            else None
        | _ => Some []
        end
      | _ => None
      end
    | Is (Number _) => Some []
    | _ => None
    end
  end.
Definition trace_lines (ls : list line) (g : globals) (l : letters) : traces := trace_block (map (fun c => trace c g l)
  ls).

(** The relations alone. *)
Definition relations (t : traces) : lines := option_map (map of_it) t.
(** Of two parts, *)
Lemma relations_then a b : relations (trace_then a b) = and_then (relations a) (relations b).
Proof. destruct a, b; try reflexivity. cbn. rewrite map_app. reflexivity. Qed.
(** of several, *)
Lemma relations_block l : relations (trace_block l) = block (map relations l).
Proof. induction l as [|a l IH]; [reflexivity|]. cbn [map trace_block block fold_right]. rewrite relations_then.
  f_equal. exact IH. Qed.
(** of parts that are traced *)
Lemma relations_parts ls g l : Forall (fun c => forall g l, relations (trace c g l) = line_of at_case c g l) ls ->
  relations (trace_block (map (fun c => trace c g l) ls)) = block (map (fun c => line_of at_case c g l) ls).
Proof.
  intros F. rewrite relations_block, map_map. f_equal. apply map_ext_Forall. eapply Forall_impl; [|exact F]. intros c
    H. apply H.
Qed.
(** of a line, *)
Lemma trace_is c : forall g l, relations (trace c g l) = line_of at_case c g l.
Proof.
  induction c as [k a r|k r c ls F|c ls F|e a b ls F] using line_induction; intros g l.
  - cbn [trace]. unfold trace_of, relations. destruct (line_of at_case (Relate k a r) g l) as [rs|]; [|reflexivity].
    cbn [option_map]. rewrite map_map, map_id. reflexivity.
  - cbn [trace line_of]. unfold for_each. destruct (eval at_case r g l) as [[| |z items]|]; try reflexivity.
    rewrite relations_block, map_map. f_equal. apply map_ext. intros v. rewrite <- (relations_parts ls _ _ F).
    destruct (truth_of _) as [[]|]; reflexivity.
  - cbn [trace line_of]. rewrite <- (relations_parts ls _ _ F). destruct (truth_of _) as [[]|]; reflexivity.
  - cbn [trace line_of]. unfold within. destruct (eval at_case e g l) as [[q|t|z items]|]; try reflexivity.
    assert (forall vs, relations (trace_neighbours vs (fun x y => trace_block (map (fun c => trace c g ((b, y) :: (a,
      x) ::
        l)) ls))) = neighbours vs (fun x y => block (map (fun c => line_of at_case c g ((b, y) :: (a, x) :: l)) ls)))
          as N.
    { induction vs as [|v vs IH]; [reflexivity|]. destruct vs as [|w vs]; [reflexivity|].
      cbn [trace_neighbours neighbours] in *. rewrite relations_then, IH, (relations_parts ls _ _ F). reflexivity. }
    destruct (kind_of _) as [[| | |[| | |]]|]; try reflexivity;
      (destruct items as [|i [|i' items]]; try reflexivity; destruct (widens _); [apply N|reflexivity]).
Qed.
(** and of all lines. *)
Theorem traced_are ls g l : relations (trace_lines ls g l) = lines_of at_case ls g l.
Proof. apply relations_parts, Forall_forall. intros c _. apply trace_is. Qed.
End Trace.

(** The first relation of sign k with this slack; the first that fails. *)
Definition has_slack (k : Z) (q : Q) (r : relation) : bool := (number r =? k) && (counts r && Qeq_bool (slack_of r) q).
Definition with_slack (k : Z) (q : Q) (l : list made) : option made := find (fun m => has_slack k q (of_it m)) l.
Definition that_fails (l : list made) : option made := find (fun m => negb (holds_of (of_it m))) l.

(** ** The least slack of a sign, and the case that has it first *)
Definition best := option (Q * (Z * value)).
Definition improved (rank : Z) (w : value) (a : best) (q : option Q) : best :=
  match a, q with
  | Some (p, x), Some q => if Qle_bool p q then a else Some (q, (rank, w))
  | None, Some q => Some (q, (rank, w))
  | _, None => a
  end.
Definition least_in (k : Z) (rs : list relation) : option Q := fold_left smaller (of_sign k rs) None.
(** The smaller one, the first of equal ones. *)
Definition lesser (a b : option Q) : option Q :=
  match a, b with Some p, Some q => Some (if Qle_bool p q then p else q) | None, b => b | a, None => a end.
(** The least of all is the lesser of the first one and that of the rest. *)
Lemma smaller_lesser rs : forall a, fold_left smaller rs a = lesser a (fold_left smaller rs None).
Proof.
  assert (forall a b c, lesser a (lesser b c) = lesser (lesser a b) c) as Assoc.
  { intros [a|] [b|] [c|]; try reflexivity. cbn [lesser]. f_equal. destruct (Qle_bool b c) eqn:BC, (Qle_bool a b)
    eqn:AB;
      rewrite ?AB, ?BC; try reflexivity.
    - replace (Qle_bool a c) with true; [reflexivity|]. symmetry. apply Qle_bool_iff in AB, BC. apply Qle_bool_iff. lra.
    - destruct (Qle_bool a c) eqn:AC; [|reflexivity]. exfalso. apply Qle_bool_iff in AC.
      assert (~ (b <= c)%Q) by (intros H; apply Qle_bool_iff in H; congruence).
      assert (~ (a <= b)%Q) by (intros H'; apply Qle_bool_iff in H'; congruence). lra. }
  assert (forall a r, smaller a r = lesser a (smaller None r)) as One.
  { intros a r. unfold smaller. destruct (counts r); destruct a; reflexivity. }
  induction rs as [|r rs IH]; intros a; [destruct a; reflexivity|]. cbn [fold_left]. rewrite IH, (IH (smaller None r)),
    (One
    a r), Assoc. reflexivity.
Qed.
(** The least slack that is kept is the least of all. *)
Lemma improved_is rank w a rs k : option_map fst (improved rank w a (least_in k rs)) =
  fold_left smaller (of_sign k rs) (option_map fst a).
Proof.
  rewrite smaller_lesser. fold (least_in k rs). destruct a as [[p x]|], (least_in k rs) as [q|]; try reflexivity. cbn.
  destruct (Qle_bool p q); reflexivity.
Qed.

(** What is kept: the same as before, or this case's, which is smaller; and it is at most both. *)
Lemma improved_cases rank w a b : (improved rank w a b = a \/ exists q, improved rank w a b = Some (q, (rank, w)) /\ b
  = Some q /\
    forall p x, a = Some (p, x) -> (q < p)%Q) /\
  forall c, improved rank w a b = c ->
    (forall q, b = Some q -> exists p x, c = Some (p, x) /\ (p <= q)%Q) /\
    (forall q x, a = Some (q, x) -> exists p y, c = Some (p, y) /\ (p <= q)%Q).
Proof.
  unfold improved. destruct a as [[p x]|], b as [q|].
  - destruct (Qle_bool p q) eqn:E.
    + apply Qle_bool_iff in E. split; [left; reflexivity|]. intros c <-. split.
      * intros r R. inversion R; subst. exists p, x. split; [reflexivity|exact E].
      * intros r y R. inversion R; subst. exists r, y. split; [reflexivity|apply Qle_refl].
    + assert (q < p)%Q as L by (apply Qnot_le_lt; intros H; apply Qle_bool_iff in H; congruence). split.
      * right. exists q. repeat split. intros r y R. inversion R; subst. exact L.
      * intros c <-. split; intros r; intros; eexists q, _; (split; [reflexivity|]);
          match goal with R : _ = _ |- _ => inversion R; subst end; lra.
  - split; [left; reflexivity|]. intros c <-. split; [discriminate|]. intros r y R. inversion R; subst. exists r, y.
    split;
      [reflexivity|apply Qle_refl].
  - split; [right; exists q; repeat split; discriminate|]. intros c <-. split; [|discriminate]. intros r R. inversion
    R; subst.
    exists r, (rank, w). split; [reflexivity|apply Qle_refl].
  - split; [left; reflexivity|]. intros c <-. split; discriminate.
Qed.
(** Of all cases in their order, the first one with the least slack of sign k: it has rank [rank], and each earlier one
  has
    larger slacks alone. *)
Definition has_it (guard : found -> found) (l : found -> lines) (k : Z) (q : Q) (w : value) : Prop :=
  guard (Is w) = yes /\ exists rs r, l (Is w) = Some rs /\ In r rs /\ number r = k /\ counts r = true /\ slack_of r = q.
Definition larger_alone (guard : found -> found) (l : found -> lines) (k : Z) (q : Q) (v : value) : Prop :=
  forall rs r, guard (Is v) = yes -> l (Is v) = Some rs -> In r rs -> number r = k -> counts r = true -> (q < slack_of
    r)%Q.
Definition least_first (most : Z) (i : inputs) (guard : found -> found) (l : found -> lines) (k : Z) (q : Q) (rank : Z)
  (w : value) : Prop :=
  exists ws, cases most i = Some ws /\ nth_error ws (Z.to_nat rank) = Some w /\ has_it guard l k q w /\
    forall j v, (j < Z.to_nat rank)%nat -> nth_error ws j = Some v -> larger_alone guard l k q v.

(** ** Neighbours of different cases, with what they make *)
Definition neighbour := ((Q * Z) * (Q * Z))%type.
Fixpoint side_list (f : found -> found -> lines) (a : Q * Z) (l : list (Q * Z)) : option (list (neighbour * list
  relation)) :=
  match l with
  | [] => Some []
  | b :: l => if snd a =? snd b then side_list f b l
      else match f (Is (Number (fst a))) (Is (Number (fst b))), side_list f b l with
        | Some rs, Some r => Some (((a, b), rs) :: r)
        | _, _ => None
        end
  end.
Definition all_listed (f : found -> found -> lines) (l : list (Q * Z)) : option (list (neighbour * list relation)) :=
  match Sorting.sort l with [] => Some [] | a :: l => side_list f a l end.
(** They make [Check.v]'s relations. *)
Lemma all_listed_is f l : option_map (flat_map snd) (all_listed f l) = all_sorted f l.
Proof.
  unfold all_listed, all_sorted. destruct (Sorting.sort l) as [|a r]; [reflexivity|]. revert a.
  induction r as [|b r IH]; intros a; [reflexivity|]. cbn [side_list side_by_side]. rewrite <- !IH.
  destruct (snd a =? snd b); [reflexivity|]. unfold and_then. destruct (f _ _); [|reflexivity].
  destruct (side_list f b r); reflexivity.
Qed.
(** Of pairs the one with the smaller ranks comes first. *)
Definition ranks_of (n : neighbour) : Z * Z := (Z.min (snd (fst n)) (snd (snd n)), Z.max (snd (fst n)) (snd (snd n))).
Definition before_pair (a b : neighbour) : bool :=
  let (i, j) := ranks_of a in let (i', j') := ranks_of b in (i <? i') || ((i =? i') && (j <? j')).
Definition better_pair (k : Z) (a : option (Q * neighbour)) (p : neighbour * list relation) : option (Q * neighbour) :=
  match least_in k (snd p), a with
  | None, _ => a
  | Some q, None => Some (q, fst p)
  | Some q, Some (r, n) => if negb (Qle_bool r q) || (Qle_bool q r && before_pair (fst p) n) then Some (q, fst p) else a
  end.
Definition best_pair (l : list (neighbour * list relation)) (k : Z) : option (Q * neighbour) := fold_left (better_pair
  k) l None.
Definition failing_pair (a : option neighbour) (p : neighbour * list relation) : option neighbour :=
  if good (snd p) then a else match a with
    | None => Some (fst p) | Some n => if before_pair (fst p) n then Some (fst p) else a end.
Definition first_pair (l : list (neighbour * list relation)) : option neighbour := fold_left failing_pair l None.
Definition failing_pairs (l : list (neighbour * list relation)) : list (Z * Z) :=
  map (fun p => ranks_of (fst p)) (filter (fun p => negb (good (snd p))) l).
(** Some slack is the least one, if there is any. *)
Lemma fold_some rs r : In r rs -> counts r = true -> forall a, fold_left smaller rs a <> None.
Proof.
  intros I H. induction rs as [|s rs IH]; intros a; [destruct I|]. cbn [fold_left]. destruct I as [->|I]; [|apply (IH
    I)].
  assert (exists y, smaller a r = Some y) as [y ->] by (unfold smaller; rewrite H; destruct a; eauto). clear. revert y.
  induction rs as [|s rs IH]; intros y; [discriminate|]. cbn [fold_left]. unfold smaller at 2. destruct (counts s);
    [apply
    IH|apply IH].
Qed.
(** A pair that is told is one of those listed, and has that slack. *)
Theorem best_pair_is l k q n : best_pair l k = Some (q, n) ->
  exists rs r, In (n, rs) l /\ In r rs /\ number r = k /\ counts r = true /\ slack_of r = q.
Proof.
  assert (forall l a, fold_left (better_pair k) l a = Some (q, n) -> a = Some (q, n) \/
    exists rs r, In (n, rs) l /\ In r rs /\ number r = k /\ counts r = true /\ slack_of r = q) as Main.
  { clear. induction l as [|[m rs] l IH]; intros a E; [left; exact E|]. cbn [fold_left] in E.
    destruct (IH _ E) as [H|(x & r & I & R)]; [|right; exists x, r; split; [right; exact I|exact R]].
    assert (a = Some (q, n) \/ least_in k rs = Some q /\ m = n) as [->|[L ->]]; [|left; reflexivity|].
    - unfold better_pair in H. cbn [fst snd] in H. destruct (least_in k rs) as [p|]; [|left; exact H].
      destruct a as [[r o]|]; [destruct (_ || _)|]; try (left; exact H); right; inversion H; auto.
    - right. unfold least_in in L. apply smallest in L as (_ & _ & [L|(r & I & C & S)]); [discriminate|].
      apply filter_In in I as (I & N). exists rs, r. split; [left; reflexivity|]. repeat split; auto. apply Z.eqb_eq,
        N. }
  intros E. destruct (Main l None E) as [H|H]; [discriminate|exact H].
Qed.
(** None of its sign has a smaller slack; of those with the same slack none comes before it. *)
Definition no_better (q : Q) (n : neighbour) (p : Q) (m : neighbour) : Prop := (q <= p)%Q /\ ((p == q)%Q -> before_pair
  m n =
  false).
(** What is no better than one is no better than those below it. *)
Lemma no_better_then q n p m r o : no_better q n p m -> no_better p m r o -> no_better q n r o.
Proof.
  intros [A B] [C D]. split; [eapply Qle_trans; eassumption|]. intros E. assert (p == q)%Q as P by lra.
  specialize (B P). assert (r == p)%Q as R by lra. specialize (D R). unfold before_pair in *.
  destruct (ranks_of n) as [i j], (ranks_of m) as [i' j'], (ranks_of o) as [x y].
  rewrite orb_false_iff, andb_false_iff, ?Z.ltb_ge, ?Z.eqb_neq in *. lia.
Qed.
(** Of one pair more. *)
Lemma better_pair_is k a p : forall q n, better_pair k a p = Some (q, n) ->
  (forall r o, a = Some (r, o) -> no_better q n r o) /\ (forall r, least_in k (snd p) = Some r -> no_better q n r (fst
    p)).
Proof.
  assert (forall q n, no_better q n q n) as Same.
  { intros q n. split; [apply Qle_refl|]. intros _. unfold before_pair. destruct (ranks_of n). rewrite !Z.ltb_irrefl,
      andb_false_r. reflexivity. }
  intros q n. unfold better_pair. destruct (least_in k (snd p)) as [x|] eqn:L.
  - destruct a as [[y m]|].
    + destruct (Qle_bool y x) eqn:YX; cbn [negb orb].
      * destruct (Qle_bool x y && before_pair (fst p) m) eqn:T; intros E; inversion E; subst.
        -- apply andb_true_iff in T as [XY T]. apply Qle_bool_iff in XY, YX. split; intros r.
           ++ intros o O. inversion O; subst. split; [exact XY|]. intros _. unfold before_pair in *.
              destruct (ranks_of (fst p)) as [i j], (ranks_of o) as [i' j'].
              rewrite ?orb_true_iff, ?orb_false_iff, ?andb_true_iff, ?andb_false_iff, ?Z.ltb_lt, ?Z.ltb_ge, ?Z.eqb_neq,
                ?Z.eqb_eq in *. lia.
           ++ intros R. inversion R; subst. apply Same.
        -- apply Qle_bool_iff in YX. split; intros r.
           ++ intros o O. inversion O; subst. apply Same.
           ++ intros R. inversion R; subst. split; [exact YX|]. intros H. apply andb_false_iff in T as [T|T]; [|exact
           T].
              exfalso. assert (Qle_bool r q = true); [|congruence]. apply Qle_bool_iff. lra.
      * intros E. inversion E; subst. assert (~ (y <= q)%Q) as N by (intros H; apply Qle_bool_iff in H; congruence).
        split; intros r.
        -- intros o O. inversion O; subst. split; [lra|]. intros H. exfalso. lra.
        -- intros R. inversion R; subst. apply Same.
    + intros E. inversion E; subst. split; intros r; [discriminate|]. intros R. inversion R; subst. apply Same.
  - intros ->. split; intros r; [|discriminate]. intros o O. inversion O; subst. apply Same.
Qed.
(** So it is of all that are listed. *)
Theorem best_pair_least l k q n : best_pair l k = Some (q, n) -> forall m rs r, In (m, rs) l -> In r rs -> number r = k
  ->
  counts r = true -> no_better q n (slack_of r) m.
Proof.
  assert (forall l a, fold_left (better_pair k) l a = Some (q, n) -> (forall r o, a = Some (r, o) -> no_better q n r o)
    /\
    forall m rs r, In (m, rs) l -> In r rs -> number r = k -> counts r = true -> no_better q n (slack_of r) m) as Main.
  { clear. induction l as [|p l IH]; intros a E.
    - cbn in E. subst a. split; [|intros m rs r []]. intros r o O. inversion O; subst. split; [apply Qle_refl|]. intros
      _.
      unfold before_pair. destruct (ranks_of o). rewrite !Z.ltb_irrefl, andb_false_r. reflexivity.
    - cbn [fold_left] in E. destruct (IH _ E) as [A B]. destruct (better_pair k a p) as [[x o]|] eqn:P.
      + destruct (better_pair_is k a p x o P) as [C D]. specialize (A x o eq_refl). split.
        * intros r y Y. eapply no_better_then; [exact A|apply C, Y].
        * intros m rs r [->|I] R K H; [|apply (B m rs r I R K H)]. cbn [fst snd] in D.
          destruct (least_in k rs) as [z|] eqn:L.
          -- eapply no_better_then; [exact A|]. eapply no_better_then; [apply (D z eq_refl)|]. unfold least_in in L.
             apply smallest in L as (_ & L & _). split; [apply L; [apply filter_In; split; [exact R|apply Z.eqb_eq,
             K]|exact
               H]|]. intros _. unfold before_pair. destruct (ranks_of m). rewrite !Z.ltb_irrefl, andb_false_r.
               reflexivity.
          -- exfalso. assert (In r (of_sign k rs)) as J by (apply filter_In; split; [exact R|apply Z.eqb_eq, K]).
             unfold least_in in L. apply (fold_some _ r J H None L).
      + split.
        * intros r y ->. exfalso. unfold better_pair in P. destruct (least_in k (snd p)); [destruct (_ || _)|];
          discriminate.
        * intros m rs r [->|I] R K H; [|apply (B m rs r I R K H)]. exfalso. unfold better_pair in P. cbn [snd] in P.
          destruct (least_in k rs) as [z|] eqn:L; [destruct a as [[]|]; [destruct (_ || _)|]; discriminate|].
          assert (In r (of_sign k rs)) as J by (apply filter_In; split; [exact R|apply Z.eqb_eq, K]).
          unfold least_in in L. apply (fold_some _ r J H None L). }
  intros E. apply (Main l None E).
Qed.

(** Letters, the innermost first: for j in 1..2: for k in j..2: j <= k. *)
Module Written.
Import String.
Definition j : name := "j"%string.
Definition k : name := "k"%string.
End Written.
Example letters_are : option_map (map (fun m => map snd (at_letters m))) (trace (fun _ _ => [])
  (ForIn Written.j (RangeOf (Numeral 1) (Numeral 2)) None [ForIn Written.k (RangeOf (Called Written.j) (Numeral 2)) None
    [Relate 1 (Called Written.j) [(AtMost, Called Written.k)]]]) [] []) =
  let number n := Is (of_whole n) in Some [[number 1; number 1]; [number 2; number 1]; [number 2; number 2]].
Proof. reflexivity. Qed.
