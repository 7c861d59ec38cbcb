(** What is asked of a page's inputs, and the program that answers: one run through the cases, in which all claims see
    what was computed of a case. [answers_are]: each answer is [Check.v]'s, so that [Sound.v] says what it means. *)

From Coq Require Import QArith ZArith List Bool Lia Lqa.
From Contextual.reader Require Import Core Check Sound Tree Fold Compile Where.
Import ListNotations.
Open Scope Z_scope.

(** ** What is asked about each case, or about the numbers of all *)
Inductive asked :=
| AskCase (signs : Z) (guard : globals -> found) (l : globals -> lines)
| AskPairs (signs : Z) (guard : globals -> found) (L : globals -> found) (f : found -> found -> lines).
Record tally := Tally { so_many : Z; so_bad : Z; so_first : option (Z * value); so_rows : list (Z * best) }.
Inductive so_far := OfCases (t : tally) | OfPairs (many : Z) (l : list (Q * Z)) | Stopped.

Definition add_row (rank : Z) (w : value) (rs : list relation) (k : Z) (p : Z * best) : Z * best :=
  let own := of_sign k rs in (fst p + Z.of_nat (length own), improved rank w (snd p) (fold_left smaller own None)).
Fixpoint add_rows (rank : Z) (w : value) (rs : list relation) (k : Z) (ps : list (Z * best)) : list (Z * best) :=
  match ps with [] => [] | p :: ps => add_row rank w rs k p :: add_rows rank w rs (k + 1) ps end.
Definition tallied (rank : Z) (w : value) (rs : list relation) (t : tally) : tally :=
  let fine := good rs in
  Tally (so_many t + 1) (if fine then so_bad t else so_bad t + 1)
    match so_first t with None => if fine then None else Some (rank, w) | f => f end (add_rows rank w rs 1 (so_rows t)).
Definition number_of (rank : Z) (v : value) : list (Q * Z) := match v with Number q => [(q, rank)] | _ => [] end.
(** One case more. *)
Definition next (g : globals) (rank : Z) (w : value) (a : asked) (s : so_far) : so_far :=
  match a, s with
  | AskCase _ guard l, OfCases t => match truth_of (guard g) with
      | Some true => match l g with Some rs => OfCases (tallied rank w rs t) | None => Stopped end
      | Some false => s
      | None => Stopped
      end
  | AskPairs _ guard L _, OfPairs many c => match truth_of (guard g) with
      | Some true => match numbers (L g) with
        | Some l => OfPairs (many + 1) (rev_append (flat_map (number_of rank) l) c)
        | None => Stopped
        end
      | Some false => s
      | None => Stopped
      end
  | _, _ => Stopped
  end.
Definition begin (a : asked) : so_far :=
  match a with
  | AskCase signs _ _ => OfCases (Tally 0 0 None (repeat (0, None) (Z.to_nat signs)))
  | AskPairs _ _ _ _ => OfPairs 0 []
  end.
Fixpoint each_asked (g : globals) (rank : Z) (w : value) (l : list asked) (ss : list so_far) : list so_far :=
  match l, ss with a :: l, s :: ss => next g rank w a s :: each_asked g rank w l ss | _, _ => [] end.
Fixpoint through (at_ : found -> globals) (l : list asked) (ws : list value) (rank : Z) (ss : list so_far) : list
  so_far :=
  match ws with
  | [] => ss
  | w :: ws => let g := at_ (Is w) in through at_ l ws (rank + 1) (each_asked g rank w l ss)
  end.

(** The answer: a report, with the first failure, and of each sign the case that has the least slack; of pairs whether
  the
    block holds of all neighbours, which of them has the least slack of each sign, which fail, and the first of these.
      *)
Inductive answer :=
| Cases (r : report) (first : option (Z * value)) (where_ : list (option (Z * value)))
| AllPairs (cases : Z) (r : pairs_report) (where_ : list (option (Q * neighbour))) (fail : list (Z * Z)) (first :
  option neighbour)
| Undefined.
Definition in_lowest_terms (p : Z * best) : Z * option Q := (fst p, option_map (fun x => Qred (fst x)) (snd p)).
Definition ended (a : asked) (s : so_far) : answer :=
  match a, s with
  | AskCase _ _ _, OfCases t => Cases (Report (so_many t) (so_bad t) (map in_lowest_terms (so_rows t))) (so_first t)
      (map (fun p => option_map snd (snd p)) (so_rows t))
  | AskPairs signs _ _ f, OfPairs many c => match all_listed f (rev_append c []) with
      | Some l => let rs := flat_map snd l in let ks := from 1 (Z.to_nat signs) in
          if match l with [] => false | _ => negb (widens f) end then Undefined
          else AllPairs many (Pairs (good rs) (map (row rs) ks)) (map (best_pair l) ks) (failing_pairs l) (first_pair l)
      | None => Undefined
      end
  | _, _ => Undefined
  end.
Definition answered (most : Z) (i : inputs) (at_ : found -> globals) (l : list asked) : option (list answer) :=
  match cases most i with
  | Some ws => Some (map (fun p => ended (fst p) (snd p)) (combine l (through at_ l ws 0 (map begin l))))
  | None => None
  end.

(** ** The answers are those of [Check.v] *)
Definition at_case (at_ : found -> globals) {A} (f : globals -> A) (w : found) : A := f (at_ w).
Definition right (most : Z) (i : inputs) (at_ : found -> globals) (a : asked) (r : answer) : Prop :=
  match a, r with
  | AskCase signs guard l, Cases r f _ =>
      check most signs i (at_case at_ guard) (at_case at_ l) = Some r /\ first most i (at_case at_ guard) (at_case
        at_ l) =
      f
  | AskPairs signs guard L f, AllPairs _ r _ _ _ =>
      check_across most signs i (at_case at_ guard) (at_case at_ L) f = Some r /\
      (widens f = true \/ r = Pairs true (map (row []) (from 1 (Z.to_nat signs))))
  | _, Undefined => True
  | _, _ => False
  end.

Section Proof.
Variable at_ : found -> globals.
(** One question alone. *)
Fixpoint alone (a : asked) (ws : list value) (rank : Z) (s : so_far) : so_far :=
  match ws with [] => s | w :: ws => alone a ws (rank + 1) (next (at_ (Is w)) rank w a s) end.
(** Together they are what each is alone. *)
Lemma through_is ws : forall l rank ss, length ss = length l ->
  through at_ l ws rank ss = map (fun p => alone (fst p) ws rank (snd p)) (combine l ss).
Proof.
  induction ws as [|w ws IH]; intros l rank ss L; simpl.
  - revert ss L. induction l as [|a l IH]; intros [|s ss] L; simpl in *; try discriminate; [reflexivity|].
    f_equal. apply IH. congruence.
  - rewrite IH.
    + clear IH. revert ss L. induction l as [|a l IH]; intros [|s ss] L; simpl in *; try discriminate; [reflexivity|].
      f_equal. apply IH. congruence.
    + clear IH. revert ss L. induction l as [|a l IH]; intros [|s ss] L; simpl in *; try discriminate; [reflexivity|].
      f_equal. apply IH. congruence.
Qed.
(** Once stopped, always. *)
Lemma stopped a ws : forall rank, alone a ws rank Stopped = Stopped.
Proof. induction ws as [|w ws IH]; intros rank; simpl; [reflexivity|]. destruct a; apply IH. Qed.

(** The numbers of a row, without the case. *)
Definition plain (p : Z * best) : Z * option Q := (fst p, option_map fst (snd p)).
Definition more_row (rs : list relation) (k : Z) (p : Z * option Q) : Z * option Q :=
  let rs := of_sign k rs in (fst p + Z.of_nat (length rs), fold_left smaller rs (snd p)).
Fixpoint more_rows (rs : list relation) (k : Z) (ps : list (Z * option Q)) : list (Z * option Q) :=
  match ps with [] => [] | p :: ps => more_row rs k p :: more_rows rs (k + 1) ps end.
(** They grow as rows do. *)
Lemma plain_rows rank w rs ps : forall k, map plain (add_rows rank w rs k ps) = more_rows rs k (map plain ps).
Proof.
  induction ps as [|p ps IH]; intros k; [reflexivity|]. cbn [add_rows map more_rows]. rewrite IH. f_equal. unfold plain,
    add_row, more_row. cbn [fst snd]. f_equal. apply improved_is.
Qed.
(** Rows of what came before, and of what comes now. *)
Lemma more_row_app rs rs' k p : more_row rs' k (more_row rs k p) = more_row (rs ++ rs') k p.
Proof.
  unfold more_row, of_sign. rewrite filter_app, fold_left_app, app_length. simpl. f_equal. lia.
Qed.
(** and rows, so *)
Lemma more_rows_app rs rs' ps : forall k, more_rows rs' k (more_rows rs k ps) = more_rows (rs ++ rs') k ps.
Proof. induction ps as [|p ps IH]; intros k; simpl; [reflexivity|]. rewrite more_row_app, IH. reflexivity. Qed.
(** (nothing came) *)
Lemma more_rows_nil ps : forall k, more_rows [] k ps = ps.
Proof.
  induction ps as [|[m o] ps IH]; intros k; simpl; [reflexivity|]. rewrite IH. unfold more_row. simpl. rewrite
    Z.add_0_r.
  reflexivity.
Qed.
(** They are the rows of a report. *)
Lemma rows_are rs m ps : map plain ps = more_rows rs 1 (repeat (0, None) m) -> map in_lowest_terms ps = map (row rs)
  (from 1 m).
Proof.
  intros E. replace (map in_lowest_terms ps) with (map (fun p => (fst p, option_map Qred (snd p))) (map plain ps)).
  - rewrite E. generalize 1. clear E ps. induction m as [|m IH]; intros k; [reflexivity|]. simpl. rewrite IH.
    reflexivity.
  - rewrite map_map. apply map_ext. intros [n [[q x]|]]; reflexivity.
Qed.

(** A tally is what is told of the cases seen. *)
Lemma alone_case signs guard l ws : forall rank t u, alone (AskCase signs guard l) ws rank (OfCases t) = OfCases u ->
  exists s, seen (at_case at_ guard) (at_case at_ l) ws = Some s /\
  so_many u = so_many t + Z.of_nat (length s) /\
  so_bad u = so_bad t + Z.of_nat (length (filter (fun p => negb (good (snd p))) s)) /\
  map plain (so_rows u) = more_rows (flat_map snd s) 1 (map plain (so_rows t)) /\
  so_first u = match so_first t with Some f => Some f | None => first_failing (at_case at_ guard) (at_case at_ l) ws
    rank
    end.
Proof.
  induction ws as [|w ws IH]; intros rank t u E; simpl in E.
  - inversion E; subst. exists []. simpl. rewrite more_rows_nil, !Z.add_0_r. repeat split. destruct (so_first u);
    reflexivity.
  - simpl. unfold when. unfold at_case at 1 3 4. unfold at_case in IH |- *.
    destruct (truth_of (guard (at_ (Is w)))) as [[]|] eqn:G; [| |rewrite stopped in E; discriminate].
    + destruct (l (at_ (Is w))) as [rs|] eqn:R; [|rewrite stopped in E; discriminate].
      destruct (IH _ _ _ E) as (s & S & A & B & C & D). rewrite S. exists ((w, rs) :: s). split; [reflexivity|].
      simpl in *. rewrite plain_rows, more_rows_app in C. split; [lia|]. split; [|split; [exact C|]].
      * rewrite B. destruct (good rs); simpl; lia.
      * rewrite D. destruct (so_first t) as [f|]; [reflexivity|]. destruct (good rs); reflexivity.
    + destruct (IH _ _ _ E) as (s & S & A & B & C & D). exists s. rewrite S. repeat split; auto.
Qed.
(** The case that a row keeps: what was kept before, or the first of these with the least slack. *)
Lemma nth_add_rows rank w rs ps n : forall k, nth_error (add_rows rank w rs k ps) n =
  option_map (add_row rank w rs (k + Z.of_nat n)) (nth_error ps n).
Proof.
  revert n. induction ps as [|p ps IH]; intros [|n] k; try reflexivity; cbn [add_rows nth_error].
  - rewrite Z.add_0_r. reflexivity.
  - rewrite IH. replace (k + 1 + Z.of_nat n) with (k + Z.of_nat (S n)) by lia. reflexivity.
Qed.
(** (of one question) *)
Lemma alone_where signs guard l ws n : forall rank t u m p, 0 <= rank ->
  alone (AskCase signs guard l) ws rank (OfCases t) = OfCases u ->
  nth_error (so_rows t) n = Some (m, p) -> exists m' p', nth_error (so_rows u) n = Some (m', p') /\
  forall q r w, p' = Some (q, (r, w)) -> p = Some (q, (r, w)) \/
    (rank <= r /\ nth_error ws (Z.to_nat (r - rank)) = Some w /\
     has_it (at_case at_ guard) (at_case at_ l) (1 + Z.of_nat n) q w /\ (forall q' x, p = Some (q', x) -> (q < q')%Q) /\
     forall j v, (j < Z.to_nat (r - rank))%nat -> nth_error ws j = Some v ->
       larger_alone (at_case at_ guard) (at_case at_ l) (1 + Z.of_nat n) q v).
Proof.
  induction ws as [|v ws IH]; intros rank t u m p P E N; simpl in E.
  - inversion E; subst. exists m, p. split; [exact N|]. intros q r w H. left. exact H.
  - assert (forall t', so_rows t' = so_rows t -> (forall q, larger_alone (at_case at_ guard) (at_case at_ l) (1 +
    Z.of_nat n) q
        v) -> alone (AskCase signs guard l) ws (rank + 1) (OfCases t') = OfCases u -> exists m' p', nth_error (so_rows
          u) n =
        Some (m', p') /\ forall q r w, p' = Some (q, (r, w)) -> p = Some (q, (r, w)) \/
      (rank <= r /\ nth_error (v :: ws) (Z.to_nat (r - rank)) = Some w /\
       has_it (at_case at_ guard) (at_case at_ l) (1 + Z.of_nat n) q w /\ (forall q' x, p = Some (q', x) -> (q < q')%Q)
         /\
       forall j v', (j < Z.to_nat (r - rank))%nat -> nth_error (v :: ws) j = Some v' ->
         larger_alone (at_case at_ guard) (at_case at_ l) (1 + Z.of_nat n) q v')) as Skip.
    { intros t' R None_ E'. rewrite <- R in N. destruct (IH (rank + 1) _ _ m p ltac:(lia) E' N) as (m' & p' & N' & H).
      exists m', p'. split; [exact N'|]. intros q r w Q. destruct (H q r w Q) as [L|(A & B & C & D & F)]; [left; exact
        L|].
      right. replace (Z.to_nat (r - rank)) with (S (Z.to_nat (r - (rank + 1)))) by lia. split; [lia|]. split; [exact
        B|].
      split; [exact C|]. split; [exact D|]. intros [|j] y J Y; [inversion Y; subst; apply None_|apply (F j y);
        [lia|exact Y]]. }
    destruct (truth_of (guard (at_ (Is v)))) as [[]|] eqn:G; [| |rewrite stopped in E; discriminate].
    + clear Skip. destruct (l (at_ (Is v))) as [rs|] eqn:R; [|rewrite stopped in E; discriminate].
      assert (nth_error (so_rows (tallied rank v rs t)) n = Some (add_row rank v rs (1 + Z.of_nat n) (m, p))) as N'
        by (cbn [tallied so_rows]; rewrite nth_add_rows, N; reflexivity).
      unfold add_row in N'. cbn [fst snd] in N'.
      destruct (IH (rank + 1) _ _ _ _ ltac:(lia) E N') as (m' & p' & M & H). clear IH E N N'. exists m', p'. split;
        [exact M|].
      fold (least_in (1 + Z.of_nat n) rs) in H.
      destruct (improved_cases rank v p (least_in (1 + Z.of_nat n) rs)) as [Cases_ At_most].
      specialize (At_most _ eq_refl). destruct At_most as [Own Before].
      assert (forall r, In r rs -> number r = 1 + Z.of_nat n -> counts r = true -> exists q, least_in (1 + Z.of_nat n)
        rs =
        Some q /\ (q <= slack_of r)%Q) as Least.
      { intros r I K C. assert (In r (of_sign (1 + Z.of_nat n) rs)) as J by (apply filter_In; split; [exact I|apply
        Z.eqb_eq,
          K]). pose proof (fold_some _ r J C None) as F. unfold least_in. destruct (fold_left smaller _ None) as [q|]
          eqn:L;
          [|contradiction F; reflexivity]. exists q. split; [reflexivity|]. apply smallest in L as (_ & L & _). apply L;
          assumption. }
      intros q r w Q. destruct (H q r w Q) as [Kept|(A & B & C & D & F)].
      * destruct Cases_ as [Same|(q' & New & L & Less)].
        { left. congruence. }
        rewrite New in Kept. inversion Kept; subst. right. rewrite Z.sub_diag. split; [lia|]. split; [reflexivity|].
        split; [|split; [exact Less|intros j y J; simpl in J; lia]]. split; [apply truth_yes, G|].
        unfold least_in in L. apply smallest in L as (_ & _ & [L|(x & I & C & S)]); [discriminate|].
        apply filter_In in I as (I & K). exists rs, x. repeat split; auto. apply Z.eqb_eq, K.
      * right. replace (Z.to_nat (r - rank)) with (S (Z.to_nat (r - (rank + 1)))) by lia. split; [lia|]. split; [exact
        B|].
        split; [exact C|]. split.
        { intros y x Y. destruct (Before y x Y) as (p1 & x1 & P1 & Le). specialize (D p1 x1 P1). lra. }
        intros [|j] y J Y; [|apply (F j y); [lia|exact Y]]. inversion Y; subst. intros rs' x _ R' I K C'.
        unfold at_case in R'. rewrite R in R'. inversion R'; subst. destruct (Least x I K C') as (q0 & L0 & Le).
        destruct (Own q0 L0) as (p1 & x1 & P1 & Le1). specialize (D p1 x1 P1). lra.
    + apply (Skip t eq_refl); [|exact E]. intros q rs x Y. apply truth_no in G. unfold at_case in Y. rewrite G in Y.
      discriminate.
Qed.
(** What is collected is what [Check.v] collects. *)
Lemma alone_pairs signs guard L f ws : forall rank m c n d, alone (AskPairs signs guard L f) ws rank (OfPairs m c) =
    OfPairs n d -> exists r, collected (at_case at_ guard) (at_case at_ L) ws rank = Some r /\ rev d = rev c ++ r.
Proof.
  induction ws as [|w ws IH]; intros rank m c n d E; simpl in E.
  - inversion E; subst. exists []. rewrite app_nil_r. split; reflexivity.
  - simpl. unfold at_case at 1 2. destruct (truth_of (guard (at_ (Is w)))) as [[]|] eqn:G;
      [| |rewrite stopped in E; discriminate].
    + destruct (numbers (L (at_ (Is w)))) as [x|] eqn:X; [|rewrite stopped in E; discriminate].
      destruct (IH _ _ _ _ _ E) as (r & R & D). rewrite R. eexists. split; [reflexivity|].
      rewrite D, rev_append_rev, rev_app_distr, rev_involutive, <- app_assoc. reflexivity.
    + destruct (IH _ _ _ _ _ E) as (r & R & D). exists r. split; [exact R|exact D].
Qed.
(** One answer. *)
Lemma alone_right most i ws a : cases most i = Some ws -> right most i at_ a (ended a (alone a ws 0 (begin a))).
Proof.
  intros E. destruct a as [signs guard l|signs guard L f]; cbn [begin].
  - destruct (alone _ ws 0 _) as [t|m c|] eqn:R; [| |exact I].
    + destruct (alone_case _ _ _ _ _ _ _ R) as (s & S & A & B & C & D). cbn [ended right]. unfold check, first.
      rewrite E, S. cbn [option_map so_first so_rows so_many so_bad] in *. split; [|symmetry; exact D].
      f_equal. unfold told. rewrite (rows_are (flat_map snd s) (Z.to_nat signs)).
      * f_equal; lia.
      * rewrite C. f_equal. cbn [so_rows]. clear. induction (Z.to_nat signs) as [|m IH]; [reflexivity|]. cbn [repeat
        map].
        f_equal. exact IH.
    + exact I.
  - destruct (alone _ ws 0 _) as [t|m c|] eqn:R; [exact I| |exact I]. apply alone_pairs in R as (r & R & D).
    cbn [ended]. simpl in D. rewrite rev_append_rev, app_nil_r, D. destruct (all_listed f r) as [l|] eqn:S; [|exact I].
    destruct (match l with [] => false | _ => _ end) eqn:W; [exact I|]. cbn [right]. split.
    + unfold check_across. rewrite E, R, <- all_listed_is, S. reflexivity.
    + destruct l as [|p l]; [right; reflexivity|left; apply negb_false_iff, W].
Qed.
End Proof.
(** Every answer, to every question. *)
Theorem answers_are most i at_ l rs : answered most i at_ l = Some rs -> Forall2 (right most i at_) l rs.
Proof.
  unfold answered. destruct (cases most i) as [ws|] eqn:E; [|discriminate]. intros H. inversion H; subst. clear H.
  rewrite through_is by apply map_length. induction l as [|a l IH]; simpl; constructor; [|exact IH].
  apply (alone_right at_ most i ws a E).
Qed.

(** ** A page's questions *)
(** Of each case that the guard admits: lines. Of any two: a block about two of their numbers. *)
Inductive question :=
| OfEach (signs : Z) (guard : option expr) (l : list line)
| OfTwo (signs : Z) (guard : option expr) (e : expr) (a b : name) (l : list line).
Definition names := (globals * (globals -> globals))%type.
Definition case_of (ns : names) (on : name) (w : found) : globals := case_at (fst ns) (snd ns) on w.
Definition guard_of (ns : names) (c : option expr) (g : globals) : found :=
  match c with Some c => eval (case_of ns) c g [] | None => yes end.
Definition asked_of (ns : names) (q : question) : asked :=
  match q with
  | OfEach signs c l => AskCase signs (guard_of ns c) (fun g => lines_of (case_of ns) l g [])
  | OfTwo signs c e a b l => AskPairs signs (guard_of ns c) (fun g => eval (case_of ns) e g [])
      (fun x y => lines_of (case_of ns) l (fst ns) [(b, y); (a, x)])
  end.
Definition answers (most : Z) (ns : names) (on : name) (qs : list question) : option (list answer) :=
  match look on (fst ns) with
  | Some (AnInputs _ i) => answered most i (case_of ns on) (map (asked_of ns) qs)
  | _ => None
  end.
(** About no case: lines, and expressions. *)
Definition about_none (ns : names) (l : list line) : lines := lines_of (case_of ns) l (fst ns) [].
Definition constant (ns : names) (e : expr) : found := eval (case_of ns) e (fst ns) [].
Definition rows_of (signs : Z) (rs : list relation) : bool * list (Z * option Q) :=
  (good rs, map (row rs) (from 1 (Z.to_nat signs))).

(** What a page's lines are at a case of its inputs: functions as [Core.v]'s [holds], [least] and [across] take them. *)
Definition guard_at (ns : names) (on : name) (c : option expr) (w : found) : found := guard_of ns c (case_of ns on w).
Definition lines_at (ns : names) (on : name) (l : list line) (w : found) : lines :=
  lines_of (case_of ns) l (case_of ns on w) [].
(** A claim that is answered without failures holds, and has so many cases; one with failures is false. *)
Theorem page_says most (ns : names) on qs x i rs n signs c l r f at_ :
  look on (fst ns) = Some (AnInputs x i) -> answers most ns on qs = Some rs ->
  nth_error qs n = Some (OfEach signs c l) -> nth_error rs n = Some (Cases r f at_) ->
  (failing r = 0 -> holds i (guard_at ns on c) (lines_at ns on l) /\
    exactly (its_cases r) (admitted i (guard_at ns on c))) /\
  (failing r <> 0 -> ~ holds i (guard_at ns on c) (lines_at ns on l)) /\
  (forall rank w, f = Some (rank, w) -> first_failure most i (guard_at ns on c) (lines_at ns on l) rank w) /\
  (forall k made q, 1 <= k <= signs -> nth_error (rows r) (Z.to_nat (k - 1)) = Some (made, Some q) ->
    least i (guard_at ns on c) (lines_at ns on l) k q).
Proof.
  unfold answers. intros Look A Q R. rewrite Look in A. apply answers_are in A.
  destruct (forall2_nth _ _ _ A n (asked_of ns (OfEach signs c l))) as (r' & R' & X).
  { apply map_nth_error, Q. }
  rewrite R in R'. inversion R'; subst. destruct X as (X & F).
  change (check most signs i (guard_at ns on c) (lines_at ns on l) = Some r) in X.
  change (first most i (guard_at ns on c) (lines_at ns on l) = f) in F. split; [|split; [|split]].
  - apply (reported _ _ _ _ _ _ X).
  - apply (refuted _ _ _ _ _ _ X).
  - intros rank w E. rewrite E in F. apply (first_is _ _ _ _ _ _ F).
  - intros k made q. apply (least_is _ _ _ _ _ _ k made q X).
Qed.
(** The same of any two cases: for blocks whose relations are kept when the two numbers move apart; where any are
    compared, the block is tried for that. *)
Theorem page_says_across most (ns : names) on qs x i rs n signs c e a b l many r at_ fail first :
  look on (fst ns) = Some (AnInputs x i) -> answers most ns on qs = Some rs ->
  nth_error qs n = Some (OfTwo signs c e a b l) -> nth_error rs n = Some (AllPairs many r at_ fail first) ->
  let block x y := lines_of (case_of ns) l (fst ns) [(b, y); (a, x)] in
  let L w := eval (case_of ns) e (case_of ns on w) [] in
  (kept r = true -> widening block -> across i (guard_at ns on c) L block) /\
  (kept r = false -> ~ across i (guard_at ns on c) L block) /\
  (widens block = true \/ r = Pairs true (map (row []) (from 1 (Z.to_nat signs)))).
Proof.
  intros Look A Q R block L. unfold answers in A. rewrite Look in A. apply answers_are in A.
  destruct (forall2_nth _ _ _ A n (asked_of ns (OfTwo signs c e a b l))) as (r' & R' & X).
  { apply map_nth_error, Q. }
  rewrite R in R'. inversion R'; subst. destruct X as [X W].
  split; [|split; [|exact W]]; clear W; destruct r as [k rows];
  change (check_across most signs i (guard_at ns on c) L block = Some (Pairs k rows)) in X; cbn [kept];
  intros ->; [intros W; apply (across_sound _ _ _ _ _ _ _ W X)|apply (across_refuted _ _ _ _ _ _ _ X)].
Qed.

(** The case that is told of a sign is the first one with its least slack. *)
Theorem page_says_where most (ns : names) on qs x i rs n signs c l r f places k made q rank w :
  look on (fst ns) = Some (AnInputs x i) -> answers most ns on qs = Some rs ->
  nth_error qs n = Some (OfEach signs c l) -> nth_error rs n = Some (Cases r f places) ->
  nth_error (rows r) k = Some (made, Some q) -> nth_error places k = Some (Some (rank, w)) ->
  exists p, (p == q)%Q /\ least_first most i (guard_at ns on c) (lines_at ns on l) (1 + Z.of_nat k) p rank w.
Proof.
  unfold answers. intros Look A N R K W. rewrite Look in A. unfold answered in A. destruct (cases most i) as [ws|]
    eqn:E;
    [|discriminate]. inversion A as [A']. clear A. rewrite through_is in A' by apply map_length.
  set (asks_ := map (asked_of ns) qs) in *. assert (nth_error asks_ n = Some (asked_of ns (OfEach signs c l))) as N' by
    (apply
    map_nth_error, N). rewrite <- A' in R. clear A'.
  assert (forall a, nth_error asks_ n = Some a -> nth_error (map (fun p => ended (fst p) (snd p)) (combine asks_ (map
    (fun p =>
    alone (case_of ns on) (fst p) ws 0 (snd p)) (combine asks_ (map begin asks_))))) n = Some (ended a (alone (case_of
      ns on) a
    ws 0 (begin a)))) as Nth.
  { clear. generalize asks_. induction n as [|n IH]; intros [|b l] a H; try discriminate; [inversion H; subst;
    reflexivity|].
    cbn [map combine nth_error] in *. apply IH, H. }
  rewrite (Nth _ N') in R. clear Nth N'. cbn [asked_of begin] in R.
  destruct (alone (case_of ns on) _ ws 0 _) as [u|? ?|] eqn:U; cbn [ended] in R; try discriminate.
  inversion R as [[Rep F P]]. clear R. subst r places. cbn [rows] in K.
  assert (exists m, nth_error (so_rows u) k = Some (m, Some (match nth_error (so_rows u) k with Some (_, Some (p, _))
    => p | _ =>
    q end, (rank, w)))) as (m & Row).
  { destruct (nth_error (so_rows u) k) as [[m [[p y]|]]|] eqn:Row.
    - rewrite (map_nth_error _ _ _ Row) in W. cbn in W. inversion W; subst. eauto.
    - rewrite (map_nth_error _ _ _ Row) in W. discriminate.
    - exfalso. apply nth_error_None in Row. assert (forall A (l : list A) k a, nth_error l k = Some a -> (k < length
      l)%nat)
        as Inside by (intros; apply nth_error_Some; congruence). apply Inside in W. rewrite map_length in W. unfold
          best in *. lia. }
  set (p := match nth_error (so_rows u) k with Some (_, Some (p, _)) => p | _ => q end) in *. clearbody p.
  assert (p == q)%Q as Same.
  { rewrite (map_nth_error _ _ _ Row) in K. cbn in K. inversion K. symmetry. apply Qred_correct. }
  exists p. split; [exact Same|]. exists ws. split; [exact E|].
  destruct (nth_error (repeat (0, @None (Q * (Z * value))) (Z.to_nat signs)) k) as [[m0 p0]|] eqn:Start.
  - assert (p0 = None) as -> by (apply nth_error_In, repeat_spec in Start; inversion Start; reflexivity).
    destruct (alone_where (case_of ns on) signs (guard_of ns c) (fun g => lines_of (case_of ns) l g []) ws k 0 _ u m0
      None ltac:(lia) U Start) as (m' & p' &
      Row' & H). rewrite Row in Row'. inversion Row'; subst. destruct (H p rank w eq_refl) as [H'|(_ & B & C & _ & D)];
      [discriminate|]. rewrite Z.sub_0_r in *. split; [exact B|]. split; [exact C|exact D].
  - exfalso. apply nth_error_None in Start. rewrite repeat_length in Start.
    destruct (alone_case _ _ _ _ _ _ _ _ U) as (s & _ & _ & _ & Rows & _). apply (f_equal (@length _)) in Rows.
    assert (forall rs k ps, length (more_rows rs k ps) = length ps) as Len.
    { clear. intros rs k ps. revert k. induction ps as [|y ps IH]; intros k; [reflexivity|]. simpl. rewrite IH.
      reflexivity. }
    rewrite Len, !map_length in Rows. cbn [so_rows] in Rows. rewrite repeat_length in Rows.
    assert (nth_error (so_rows u) k = None) by (apply nth_error_None; lia). congruence.
Qed.
(** What is traced at a case, or at two numbers, are the relations there. *)
Definition told_at (ns : names) (on : name) (l : list line) (w : found) : traces :=
  trace_lines (case_of ns) l (case_of ns on w) [].
Definition told_of_two (ns : names) (a b : name) (l : list line) (x y : found) : traces :=
  trace_lines (case_of ns) l (fst ns) [(b, y); (a, x)].
Definition told_of_none (ns : names) (l : list line) : traces := trace_lines (case_of ns) l (fst ns) [].
(** At a case. *)
Theorem told_is ns on l w : relations (told_at ns on l w) = lines_at ns on l w.
Proof. apply traced_are. Qed.

(** A question specialised, *)
Definition specialise (ns : names) (q : question) : question :=
  let of := fold (case_of ns) (known_value (fst ns)) (fun f => look f (fst ns)) in
  let line := fold_line (case_of ns) (known_value (fst ns)) (fun f => look f (fst ns)) in
  let guard c := match c with Some c => Some (of c []) | None => None end in
  match q with
  | OfEach signs c l => OfEach signs (guard c) (map (fun c => line c []) l)
  | OfTwo signs c e a b l => OfTwo signs (guard c) (of e []) a b (map (fun c => line c [b; a]) l)
  end.
Definition no_values {A} (c : Compile.program A) (g : globals) : A := c g [].
Definition two_values {A} (c : Compile.program A) (g : globals) (x y : found) : A := c g [y; x].
Definition guard_code (ns : names) (c : option expr) : code :=
  match c with Some c => comp (case_of ns) O O O [] c | None => all_yes end.
Definition block_of (ns : names) (ls : list name) (l : list line) : Compile.program lines :=
  block_code (map (comp_line (case_of ns) ls) l).
(** and made a program. *)
Definition asks (ns : names) (q : question) : asked :=
  match specialise ns q with
  | OfEach signs c l => AskCase signs (no_values (guard_code ns c)) (no_values (block_of ns [] l))
  | OfTwo signs c e a b l => AskPairs signs (no_values (guard_code ns c)) (no_values (comp (case_of ns) O O O [] e))
      (two_values (block_of ns [b; a] l) (fst ns))
  end.
Definition quick_answers (most : Z) (ns : names) (on : name) (qs : list question) : option (list answer) :=
  match look on (fst ns) with
  | Some (AnInputs _ i) => answered most i (case_of ns on) (map (asks ns) qs)
  | _ => None
  end.
(** The same is asked at these cases, and of all pairs. *)
Definition asks_alike (P : globals -> Prop) (a b : asked) : Prop :=
  match a, b with
  | AskCase s c l, AskCase s' c' l' => s = s' /\ forall g, P g -> c g = c' g /\ l g = l' g
  | AskPairs s c e f, AskPairs s' c' e' f' => s = s' /\ (forall g, P g -> c g = c' g /\ e g = e' g) /\
      forall x y, f (Is x) (Is y) = f' (Is x) (Is y)
  | _, _ => False
  end.
(** What a question asks is asked. *)
Lemma asks_are ns q : asks_alike (extends (fst ns)) (asks ns q) (asked_of ns q).
Proof.
  assert (forall l ls g s, agree (known_value (fst ns)) (fun f => look f (fst ns)) ls g s -> map fst s = ls ->
    block_of ns ls (map (fun c => fold_line (case_of ns) (known_value (fst ns)) (fun f => look f (fst ns)) c ls) l) g
      (map snd s) = lines_of (case_of ns) l g s) as Lines.
  { intros l ls g s B N. unfold block_of. rewrite comp_lines_is by exact N. unfold lines_of. rewrite map_map. f_equal.
    apply map_ext. intros c. apply line_is, B. }
  assert (forall e g, agree (known_value (fst ns)) (fun f => look f (fst ns)) [] g [] ->
    comp (case_of ns) O O O [] (fold (case_of ns) (known_value (fst ns)) (fun f => look f (fst ns)) e []) g [] =
    eval (case_of ns) e g []) as One.
  { intros e g A. rewrite <- (fold_is (case_of ns) _ _ e [] g [] A). apply (comp_is (case_of ns) _ O O O [] g []
    eq_refl). }
  assert (forall c g, agree (known_value (fst ns)) (fun f => look f (fst ns)) [] g [] ->
    guard_code ns match c with Some c => Some (fold (case_of ns) (known_value (fst ns)) (fun f => look f (fst ns)) c [])
      | None => None end g [] = guard_of ns c g) as Guard.
  { intros [c|] g A; [apply One, A|reflexivity]. }
  unfold asks. destruct q as [signs c l|signs c e a b l]; cbn [specialise asked_of asks_alike].
  - split; [reflexivity|]. intros g E. pose proof (agree_none _ _ E) as A.
    split; [apply Guard, A|apply (Lines l [] g []); [exact A|reflexivity]].
  - split; [reflexivity|]. split.
    + intros g E. pose proof (agree_none _ _ E) as A. split; [apply Guard, A|apply One, A].
    + intros x y. apply (Lines l [b; a] (fst ns) [(b, Is y); (a, Is x)]); [|reflexivity].
      apply agree_cons, agree_cons, agree_none. intros z v L. exact L.
Qed.
(** What is asked alike has one answer: at each case, *)
Lemma next_alike P g rank w a b s : asks_alike P a b -> P g -> next g rank w a s = next g rank w b s.
Proof.
  intros A H. destruct a as [m c l|m c e f], b as [m' c' l'|m' c' e' f']; try contradiction; destruct s; try
    reflexivity;
    cbn [next].
  - destruct A as [_ A]. destruct (A g H) as [-> ->]. reflexivity.
  - destruct A as (_ & A & _). destruct (A g H) as [-> ->]. reflexivity.
Qed.
(** in all *)
Lemma through_alike P at_ l l' ws : Forall2 (asks_alike P) l l' -> (forall w, P (at_ w)) -> forall rank ss,
  through at_ l ws rank ss = through at_ l' ws rank ss.
Proof.
  intros F H. induction ws as [|w ws IH]; intros rank ss; [reflexivity|]. cbn [through]. rewrite IH. f_equal. clear IH.
  revert ss. induction F as [|a b l l' A F IH]; intros [|s ss]; try reflexivity. cbn [each_asked].
  rewrite (next_alike P _ _ _ a b s A (H _)), IH. reflexivity.
Qed.
(** and in the end. *)
Lemma ended_alike P a b s : asks_alike P a b -> ended a s = ended b s.
Proof.
  intros A. destruct a as [m c l|m c e f], b as [m' c' l'|m' c' e' f']; try contradiction; destruct s; try reflexivity.
  destruct A as (-> & _ & F). cbn [ended].
  replace (widens f') with (widens f) by (unfold widens; rewrite !F; reflexivity).
  replace (all_listed f' (rev_append l [])) with (all_listed f (rev_append l
    []));
    [reflexivity|]. unfold all_listed. destruct (Sorting.sort (rev_append l [])) as [|x r]; [reflexivity|]. clear - F.
      revert x.
  induction r as [|y r IH]; intros x; [reflexivity|]. cbn [side_list]. rewrite IH, F. reflexivity.
Qed.
(** The program's answers are the page's. *)
Theorem quick_answers_are most ns on qs : (forall w, extends (fst ns) (case_of ns on w)) ->
  quick_answers most ns on qs = answers most ns on qs.
Proof.
  intros E. unfold quick_answers, answers. destruct (look on (fst ns)) as [[| | | |x i]|]; try reflexivity.
  assert (forall qs, Forall2 (asks_alike (extends (fst ns))) (map (asks ns) qs) (map (asked_of ns) qs)) as F.
  { clear. intros qs. induction qs; constructor; [apply asks_are|assumption]. }
  unfold answered. destruct (cases most i) as [ws|]; [|reflexivity]. f_equal.
  rewrite (through_alike _ _ _ _ ws (F qs) E).
  replace (map begin (map (asks ns) qs)) with (map begin (map (asked_of ns) qs)).
  - generalize (through (case_of ns on) (map (asked_of ns) qs) ws 0 (map begin (map (asked_of ns) qs))). specialize (F
    qs).
    intros ss. revert ss. induction F as [|a b l l' A F IH]; intros [|s ss]; try reflexivity. cbn [combine map fst snd].
    rewrite (ended_alike _ a b s A), IH. reflexivity.
  - specialize (F qs). induction F as [|a b l l' A F IH]; [reflexivity|]. cbn [map]. rewrite IH. f_equal.
    destruct a, b; try contradiction; destruct A as [-> _]; reflexivity.
Qed.
(** So of a page: the cases of its inputs know what is known. *)
Theorem page_answers most ds on qs : NoDup (map its_name ds) ->
  quick_answers most (declared ds) on qs = answers most (declared ds) on qs.
Proof.
  intros N. destruct (look on (fst (declared ds))) as [[| | | |x i]|] eqn:L;
    try (unfold quick_answers, answers; rewrite L; reflexivity).
  apply quick_answers_are. intros w. unfold case_of, case_at. rewrite L. apply known_at, N.
Qed.
