(** A tree specialised to a page at its sizes: names that are known become their values, letters their places, and what
    is made of known values alone is computed once. [fold_is]: it means what it meant. *)

From Coq Require Import QArith ZArith List Bool Lia.
From Coq Require String.
From Contextual.reader Require Import Core Tree.
Import ListNotations.
Open Scope Z_scope.

(** ** Trees in trees *)
Section Induction.
Variable P : expr -> Prop.
Definition P_some (a : option expr) : Prop := match a with Some a => P a | None => True end.
Hypotheses (numeral : forall k, P (Numeral k)) (constant : forall b, P (Constant b)) (called : forall x, P (Called x))
  (item_of : forall a b, P a -> P b -> P (ItemOf a b)) (items : forall l, Forall P l -> P (Items l))
  (dotted : forall l a, Forall P l -> P a -> P (WithDots l a))
  (each_of : forall a k r c, P a -> P r -> P_some c -> P (EachOf a k r c))
  (over_all : forall a k on c, P (OverAll a k on c)) (range_of : forall a b, P a -> P b -> P (RangeOf a b))
  (sum_of : forall l, Forall (fun p => P (snd p)) l -> P (Added l))
  (product_of : forall a l, P a -> Forall (fun p => P (snd p)) l -> P (Product a l))
  (power_of : forall a b, P a -> P b -> P (PowerOf a b))
  (comparison_of : forall a l, P a -> Forall (fun p => P (snd p)) l -> P (Comparison a l))
  (and_of : forall l, Forall P l -> P (And l)) (or_of : forall l, Forall P l -> P (Or l))
  (iff_of : forall a b, P a -> P b -> P (IffOf a b)) (not_of : forall a, P a -> P (Not a))
  (if_of : forall c a b, P c -> P a -> P b -> P (IfElse c a b)) (of_list : forall f l, Forall P l -> P (OfList f l))
  (of_name : forall f l, Forall P l -> P (Applied f l)) (states_of : forall g l, Forall P l -> P (StatesOf g l))
  (layers_of : forall g l, Forall P l -> P (LayersOf g l)) (heads_of : forall g l, Forall P l -> P (HeadsOf g l))
  (head_of : forall x i a b c d e, P x -> P i -> P a -> P b -> P c -> P d -> P e -> P (HeadOf x i a b c d e))
  (kept : forall d, P (Kept d)) (letter : forall n, P (Letter n)) (resolved : forall v l, Forall P l -> P (Resolved v
    l)).
Fixpoint expr_induction (e : expr) : P e :=
  let all := fix all l : Forall P l := match l with [] => Forall_nil P | e :: l => Forall_cons e (expr_induction e)
    (all l)
    end in
  let pairs (A : Type) := fix pairs (l : list (A * expr)) : Forall (fun p => P (snd p)) l := match l with
    | [] => Forall_nil _
    | (s, e) :: l => Forall_cons (s, e) (expr_induction e) (pairs l)
    end in
  match e with
  | Numeral k => numeral k | Constant b => constant b | Called x => called x
  | ItemOf a b => item_of a b (expr_induction a) (expr_induction b)
  | Items l => items l (all l)
  | WithDots l a => dotted l a (all l) (expr_induction a)
  | EachOf a k r c => each_of a k r c (expr_induction a) (expr_induction r)
      match c with Some c => expr_induction c | None => I end
  | OverAll a k on c => over_all a k on c
  | RangeOf a b => range_of a b (expr_induction a) (expr_induction b)
  | Added l => sum_of l (pairs _ l)
  | Product a l => product_of a l (expr_induction a) (pairs _ l)
  | PowerOf a b => power_of a b (expr_induction a) (expr_induction b)
  | Comparison a l => comparison_of a l (expr_induction a) (pairs _ l)
  | And l => and_of l (all l) | Or l => or_of l (all l)
  | IffOf a b => iff_of a b (expr_induction a) (expr_induction b)
  | Not a => not_of a (expr_induction a)
  | IfElse c a b => if_of c a b (expr_induction c) (expr_induction a) (expr_induction b)
  | OfList f l => of_list f l (all l) | Applied f l => of_name f l (all l) | StatesOf g l => states_of g l (all l)
  | LayersOf g l => layers_of g l (all l) | HeadsOf g l => heads_of g l (all l)
  | HeadOf x i a b c d e => head_of x i a b c d e (expr_induction x) (expr_induction i) (expr_induction a)
      (expr_induction b) (expr_induction c) (expr_induction d) (expr_induction e)
  | Kept d => kept d | Letter n => letter n | Resolved v l => resolved v l (all l)
  end.
End Induction.

(** ** Specialised *)
Section Fold.
Variable at_case : name -> found -> globals.
Variables (vals : name -> option (delayed found)) (funs : name -> option global).

(** Values, and what is made of them in one step. *)
Definition is_kept (e : expr) : bool := match e with Kept _ | Numeral _ | Constant _ => true | _ => false end.
Definition one_step (e : expr) : bool :=
  match e with
  | ItemOf a b | RangeOf a b | PowerOf a b | IffOf a b => is_kept a && is_kept b
  | Items l | And l | Or l | OfList _ l | Resolved _ l => forallb is_kept l
  | WithDots l a => is_kept a && forallb is_kept l
  | Added l => forallb (fun p => is_kept (snd p)) l
  | Product a l => is_kept a && forallb (fun p => is_kept (snd p)) l
  | Comparison a l => is_kept a && forallb (fun p => is_kept (snd p)) l
  | Not a => is_kept a
  | IfElse c a b => is_kept c && is_kept a && is_kept b
  | _ => false
  end.
Definition keep (e : expr) : expr := if one_step e then Kept (Delay (fun _ => eval at_case e [] [])) else e.

Fixpoint place (x : name) (ls : list name) : option nat :=
  match ls with [] => None | y :: ls => if String.eqb x y then Some O else option_map S (place x ls) end.
Fixpoint fold (e : expr) (ls : list name) : expr :=
  match e with
  | Called x => match place x ls with
      | Some n => Letter n
      | None => match vals x with Some d => Kept d | None => e end
      end
  | ItemOf a b => keep (ItemOf (fold a ls) (fold b ls))
  | Items l => keep (Items (map (fun e => fold e ls) l))
  | WithDots l a => keep (WithDots (map (fun e => fold e ls) l) (fold a ls))
  | EachOf a k r c => EachOf (fold a (k :: ls)) k (fold r ls) match c with Some c => Some (fold c (k :: ls)) | None
    => None
    end
  | RangeOf a b => keep (RangeOf (fold a ls) (fold b ls))
  | Added l => keep (Added (map (fun p => match p with (s, e) => (s, fold e ls) end) l))
  | Product a l => keep (Product (fold a ls) (map (fun p => match p with (s, e) => (s, fold e ls) end) l))
  | PowerOf a b => keep (PowerOf (fold a ls) (fold b ls))
  | Comparison a l => keep (Comparison (fold a ls) (map (fun p => match p with (s, e) => (s, fold e ls) end) l))
  | And l => keep (And (map (fun e => fold e ls) l))
  | Or l => keep (Or (map (fun e => fold e ls) l))
  | IffOf a b => keep (IffOf (fold a ls) (fold b ls))
  | Not a => keep (Not (fold a ls))
  | IfElse c a b => keep (IfElse (fold c ls) (fold a ls) (fold b ls))
  | OfList f l => keep (OfList f (map (fun e => fold e ls) l))
  | Applied f l => let l := map (fun e => fold e ls) l in
      match funs f with Some v => keep (Resolved v l) | None => Applied f l end
  | StatesOf g l => StatesOf g (map (fun e => fold e ls) l)
  | LayersOf g l => LayersOf g (map (fun e => fold e ls) l)
  | HeadsOf g l => HeadsOf g (map (fun e => fold e ls) l)
  | HeadOf x i a b c d e => HeadOf (fold x ls) (fold i ls) (fold a ls) (fold b ls) (fold c ls) (fold d ls) (fold e ls)
  | Numeral _ | Constant _ | OverAll _ _ _ _ | Kept _ | Letter _ | Resolved _ _ => e
  end.

(** The letters stand at these places; the known names mean what they mean. *)
Definition agree (ls : list name) (g : globals) (l : letters) : Prop :=
  (forall x n, place x ls = Some n -> value_at g l x = match nth_error l n with Some (_, f) => f | None => Refused
    end) /\
  (forall x d, place x ls = None -> vals x = Some d -> value_at g l x = force d) /\
  (forall f v, funs f = Some v -> look f g = Some v).
(** One letter more. *)
Lemma agree_cons ls g l k v : agree ls g l -> agree (k :: ls) g ((k, v) :: l).
Proof.
  intros (A & B & C). split; [|split; [|exact C]].
  - intros x n E. simpl in E. unfold value_at in *. simpl. destruct (String.eqb x k); [inversion E; reflexivity|].
    destruct (place x ls) as [m|] eqn:M; [|discriminate]. inversion E; subst. simpl. apply (A x m M).
  - intros x d E V. simpl in E. unfold value_at in *. simpl. destruct (String.eqb x k); [discriminate|].
    destruct (place x ls) eqn:M; [discriminate|]. apply (B x d M V).
Qed.

(** A value is the same everywhere, *)
Lemma is_kept_is e g l : is_kept e = true -> eval at_case e g l = eval at_case e [] [].
Proof. destruct e; try discriminate; reflexivity. Qed.
(** several are, *)
Lemma all_kept es g l : forallb is_kept es = true ->
  map (fun e => eval at_case e g l) es = map (fun e => eval at_case e [] []) es.
Proof.
  induction es as [|e es IH]; [reflexivity|]. simpl. intros H. apply andb_true_iff in H as [A B].
  rewrite (is_kept_is e g l A), (IH B). reflexivity.
Qed.
(** and those of sums, products and chains. *)
Lemma all_pairs {A} (es : list (A * expr)) g l : forallb (fun p => is_kept (snd p)) es = true ->
  map (fun p => match p with (s, e) => (s, eval at_case e g l) end) es =
  map (fun p => match p with (s, e) => (s, eval at_case e [] []) end) es.
Proof.
  induction es as [|[s e] es IH]; [reflexivity|]. simpl. intros H. apply andb_true_iff in H as [B C].
  rewrite (is_kept_is e g l B), (IH C). reflexivity.
Qed.
(** Items of a list are listed, but for [E for k in R]. *)
Definition alone (l : list expr) : bool := match l with [EachOf _ _ _ _] | [OverAll _ _ _ _] => true | _ => false end.
(** What other items are. *)
Lemma items_are l g s : alone l = false -> eval at_case (Items l) g s = listed (map (fun e => eval at_case e g s) l).
Proof. destruct l as [|[] [|b l]]; try discriminate; reflexivity. Qed.
(** [and] by its parts. *)
Lemma and_is l g s : eval at_case (And l) g s =
  fold_right (fun e r => and_ (eval at_case e g s) r) yes l.
Proof. simpl. induction l as [|e l IH]; [reflexivity|]. simpl. rewrite IH. reflexivity. Qed.
(** [or] by its parts. *)
Lemma or_is l g s : eval at_case (Or l) g s = fold_right (fun e r => or_ (eval at_case e g s) r) no l.
Proof. simpl. induction l as [|e l IH]; [reflexivity|]. simpl. rewrite IH. reflexivity. Qed.

(** What is kept means what it meant. *)
Lemma keep_is e g l : eval at_case (keep e) g l = eval at_case e g l.
Proof.
  unfold keep. destruct (one_step e) eqn:H; [|reflexivity]. change (eval at_case e [] [] = eval at_case e g l).
    symmetry.
  destruct e as [| | |a b|es|es a| | |a b|es|a es|a b|a es|es|es|a b|a|c a b|f es| | | | | | | |v es]; try discriminate;
    cbn [one_step] in H; rewrite ?andb_true_iff in H.
  - destruct H. cbn [eval]. f_equal; apply is_kept_is; assumption.
  - assert (alone es = false) as N by (destruct es as [|[] [|]]; try reflexivity; discriminate).
    rewrite !items_are, all_kept by assumption. reflexivity.
  - destruct H. cbn [eval]. rewrite (is_kept_is a), all_kept by assumption. reflexivity.
  - destruct H. cbn [eval]. f_equal; apply is_kept_is; assumption.
  - cbn [eval]. rewrite all_pairs by assumption. reflexivity.
  - destruct H. cbn [eval]. rewrite (is_kept_is a), all_pairs by assumption. reflexivity.
  - destruct H. cbn [eval]. f_equal; apply is_kept_is; assumption.
  - destruct H. cbn [eval]. rewrite (is_kept_is a), all_pairs by assumption. reflexivity.
  - rewrite !and_is. clear - H. induction es as [|e es IH]; [reflexivity|]. simpl in H |- *.
    apply andb_true_iff in H as [A B]. rewrite (is_kept_is e g l A), (IH B). reflexivity.
  - rewrite !or_is. clear - H. induction es as [|e es IH]; [reflexivity|]. simpl in H |- *.
    apply andb_true_iff in H as [A B]. rewrite (is_kept_is e g l A), (IH B). reflexivity.
  - destruct H. cbn [eval]. rewrite (is_kept_is a), (is_kept_is b) by assumption. reflexivity.
  - cbn [eval]. rewrite (is_kept_is a) by assumption. reflexivity.
  - destruct H as [[A B] C]. cbn [eval]. rewrite (is_kept_is c), (is_kept_is a), (is_kept_is b) by assumption.
    reflexivity.
  - cbn [eval]. rewrite all_kept by assumption. reflexivity.
  - cbn [eval]. rewrite all_kept by assumption. reflexivity.
Qed.

(** What runs through a list makes the same of the same. *)
Lemma each_ext r c c' e e' : (forall v, c (Is v) = c' (Is v)) -> (forall v, e (Is v) = e' (Is v)) -> each r c e =
  each r c' e'.
Proof.
  intros C E. unfold each, as_list. destruct r as [[| |k l]|]; try reflexivity.
  replace (each_of l c' e') with (each_of l c e); [reflexivity|]. induction l as [|v l IH]; [reflexivity|]. simpl.
  rewrite C, E, IH. reflexivity.
Qed.
(** Parts that are specialised, *)
Lemma map_fold es ls g l : Forall (fun e => forall ls g l, agree ls g l -> eval at_case (fold e ls) g l = eval
  at_case e g l)
  es -> agree ls g l ->
  map (fun e => eval at_case e g l) (map (fun e => fold e ls) es) = map (fun e => eval at_case e g l) es.
Proof. intros F A. rewrite map_map. apply map_ext_Forall. eapply Forall_impl; [|exact F]. intros e H. apply H, A. Qed.
(** and those with a sign. *)
Lemma map_pairs {A} (es : list (A * expr)) ls g l : Forall (fun p => forall ls g l, agree ls g l ->
    eval at_case (fold (snd p) ls) g l = eval at_case (snd p) g l) es -> agree ls g l ->
  map (fun p => match p with (s, e) => (s, eval at_case e g l) end)
    (map (fun p => match p with (s, e) => (s, fold e ls) end) es) =
  map (fun p => match p with (s, e) => (s, eval at_case e g l) end) es.
Proof.
  intros F A'. rewrite map_map. apply map_ext_Forall. eapply Forall_impl; [|exact F]. intros [s e] H. simpl in *.
  rewrite (H ls g l A'). reflexivity.
Qed.

(** [E for k in R] stays what it is, and nothing else becomes it. *)
Definition loops (e : expr) : bool := match e with EachOf _ _ _ _ | OverAll _ _ _ _ => true | _ => false end.
(** (of one tree) *)
Lemma fold_loops e ls : loops (fold e ls) = loops e.
Proof.
  assert (forall e, loops (keep e) = if one_step e then false else loops e) as K by (intros x; unfold keep; destruct
    (one_step x); reflexivity).
  destruct e; cbn [fold]; rewrite ?K; try reflexivity; try (destruct (one_step _); reflexivity).
  - destruct (place _ _); [reflexivity|]. destruct (vals _); reflexivity.
  - destruct (funs _); [|reflexivity]. rewrite K. destruct (one_step _); reflexivity.
Qed.
(** (of a list) *)
Lemma alone_fold l ls : alone (map (fun e => fold e ls) l) = alone l.
Proof.
  assert (forall l, alone l = match l with [e] => loops e | _ => false end) as A by (intros [|[] [|]]; reflexivity).
  rewrite !A. destruct l as [|e [|b l]]; try reflexivity. apply fold_loops.
Qed.

(** A specialised expression means what it meant. *)
Theorem fold_is e : forall ls g l, agree ls g l -> eval at_case (fold e ls) g l = eval at_case e g l.
Proof.
  induction e using expr_induction; intros ls g' s A; cbn [fold]; rewrite ?keep_is; try reflexivity.
  - destruct (place x ls) as [n|] eqn:E.
    + symmetry. apply (proj1 A x n E).
    + destruct (vals x) as [d|] eqn:V; [|reflexivity]. symmetry. apply (proj1 (proj2 A) x d E V).
  - cbn [eval]. rewrite IHe1, IHe2 by exact A. reflexivity.
  - destruct (alone l) eqn:E.
    + destruct l as [|e [|]]; try discriminate; [|destruct e; discriminate]. inversion H; subst.
      destruct e; try discriminate; specialize (H2 ls g' s A); exact H2.
    + rewrite (items_are l) by exact E. rewrite items_are, map_fold by (try rewrite alone_fold; assumption).
      reflexivity.
  - cbn [eval]. rewrite IHe, map_fold by assumption. reflexivity.
  - cbn [eval]. rewrite IHe2 by exact A. apply each_ext; intros v.
    + destruct c as [c|]; [|reflexivity]. apply (H (k :: ls) g' ((k, Is v) :: s)), agree_cons, A.
    + apply IHe1, agree_cons, A.
  - cbn [eval]. rewrite IHe1, IHe2 by exact A. reflexivity.
  - cbn [eval]. rewrite map_pairs by assumption. reflexivity.
  - cbn [eval]. rewrite IHe, map_pairs by assumption. reflexivity.
  - cbn [eval]. rewrite IHe1, IHe2 by exact A. reflexivity.
  - cbn [eval]. rewrite IHe, map_pairs by assumption. reflexivity.
  - rewrite !and_is. induction H as [|e l H F IH]; [reflexivity|]. simpl. rewrite (H ls g' s A), IH. reflexivity.
  - rewrite !or_is. induction H as [|e l H F IH]; [reflexivity|]. simpl. rewrite (H ls g' s A), IH. reflexivity.
  - cbn [eval]. rewrite IHe1, IHe2 by exact A. reflexivity.
  - cbn [eval]. rewrite IHe by exact A. reflexivity.
  - cbn [eval]. rewrite IHe1, IHe2, IHe3 by exact A. reflexivity.
  - cbn [eval]. rewrite map_fold by assumption. reflexivity.
  - destruct (funs f) as [v|] eqn:V; rewrite ?keep_is; cbn [eval]; rewrite map_fold by assumption; [|reflexivity].
    rewrite (proj2 (proj2 A) f v V). reflexivity.
  - cbn [eval]. rewrite map_fold by assumption. reflexivity.
  - cbn [eval]. rewrite map_fold by assumption. reflexivity.
  - cbn [eval]. rewrite map_fold by assumption. reflexivity.
  - cbn [eval]. rewrite IHe1, IHe2, IHe3, IHe4, IHe5, IHe6, IHe7 by exact A. reflexivity.
Qed.

(** ** Lines of layers, of claims, and of lists by items *)
Fixpoint fold_steps (s : list step_of) (e : expr) (ls : list name) : list step_of * expr :=
  match s with
  | [] => ([], fold e ls)
  | LetBe k b :: s => let (s, e) := fold_steps s e (k :: ls) in (LetBe k (fold b ls) :: s, e)
  | ReadOf k v t score m otherwise :: s =>
      let (s, e) := fold_steps s e (k :: ls) in
      let of a := fold a (Names.j :: ls) in
      (ReadOf k (of v) t (of score) match m with Some m => Some (of m) | None => None end
        match otherwise with Some a => Some (fold a ls) | None => None end :: s, e)
  end.
(** What is computed first. *)
Lemma given_ext f h h' : (forall v, h (Is v) = h' (Is v)) -> given f h = given f h'.
Proof. intros H. destruct f; [apply H|reflexivity]. Qed.
(** What is read, if value, score and mask are the same. *)
Lemma read_ext t v v' s s' m m' o x : (forall j, v (Is j) = v' (Is j)) -> (forall j, s (Is j) = s' (Is j)) ->
  (forall j, m (Is j) = m' (Is j)) -> read t v s m o x = read t v' s' m' o x.
Proof.
  intros V S M. unfold read. replace (scored (positions x) s' m') with (scored (positions x) s m).
  - destruct (scored (positions x) s m) as [l|]; [|reflexivity]. destruct (largest l) as [|j js].
    + destruct o; [reflexivity|]. destruct (positions x); [reflexivity|]. rewrite V. reflexivity.
    + destruct t; rewrite ?V; try reflexivity. f_equal. apply map_ext. intros i. apply V.
  - induction (positions x) as [|j js IH]; [reflexivity|]. simpl. rewrite M, S, IH. reflexivity.
Qed.
(** A layer's lines mean what they meant. *)
Lemma steps_are s e x : forall ls g l, agree ls g l ->
  steps at_case (fst (fold_steps s e ls)) (snd (fold_steps s e ls)) g x l = steps at_case s e g x l.
Proof.
  induction s as [|[k b|k v t score m o] s IH]; intros ls g l A; cbn [fold_steps].
  - cbn [fst snd steps]. apply fold_is, A.
  - destruct (fold_steps s e (k :: ls)) as [s' e'] eqn:F. cbn [fst snd steps]. rewrite fold_is by exact A.
    apply given_ext. intros w. specialize (IH (k :: ls) g ((k, Is w) :: l)). rewrite F in IH. apply IH, agree_cons, A.
  - destruct (fold_steps s e (k :: ls)) as [s' e'] eqn:F. cbn [fst snd steps].
    match goal with |- given ?a _ = given ?b _ => replace a with b end.
    + apply given_ext. intros w. specialize (IH (k :: ls) g ((k, Is w) :: l)). rewrite F in IH. apply IH, agree_cons, A.
    + symmetry. replace (match match o with Some a => Some (fold a ls) | None => None end with
          Some e => Some (eval at_case e g l) | None => None end)
        with (match o with Some e => Some (eval at_case e g l) | None => None end)
        by (destruct o; [rewrite fold_is by exact A|]; reflexivity).
      apply read_ext; intros j; [apply fold_is, agree_cons, A|apply fold_is, agree_cons, A|].
      destruct m; [apply fold_is, agree_cons, A|reflexivity].
Qed.

(** Neighbours make the same of the same. *)
Lemma within_ext r f f' : (forall x y, f (Is x) (Is y) = f' (Is x) (Is y)) -> within r f = within r f'.
Proof.
  intros H. unfold within. destruct r as [[| |k l]|]; try reflexivity.
  assert (forall l, neighbours l f = neighbours l f') as N.
  { clear l. induction l as [|a l IH]; [reflexivity|]. destruct l as [|b l]; [reflexivity|]. cbn [neighbours] in *.
    rewrite H, IH. reflexivity. }
  replace (widens f') with (widens f) by (unfold widens; rewrite !H; reflexivity). rewrite N. reflexivity.
Qed.

Fixpoint fold_line (c : line) (ls : list name) : line :=
  match c with
  | Relate k a r => Relate k (fold a ls) (map (fun p => match p with (s, e) => (s, fold e ls) end) r)
  | ForIn k r c l => ForIn k (fold r ls) match c with Some c => Some (fold c (k :: ls)) | None => None end
      (map (fun c => fold_line c (k :: ls)) l)
  | When c l => When (fold c ls) (map (fun c => fold_line c ls) l)
  | Within e a b l => Within (fold e ls) a b (map (fun c => fold_line c (b :: a :: ls)) l)
  end.
Section Lines.
Variable P : line -> Prop.
Hypotheses (R : forall k a r, P (Relate k a r)) (F : forall k r c l, Forall P l -> P (ForIn k r c l))
  (W : forall c l, Forall P l -> P (When c l)) (N : forall e a b l, Forall P l -> P (Within e a b l)).
Fixpoint line_induction (c : line) : P c :=
  let all := fix all l : Forall P l := match l with [] => Forall_nil P | c :: l => Forall_cons c (line_induction c)
    (all l)
    end in
  match c with
  | Relate k a r => R k a r | ForIn k r c l => F k r c l (all l) | When c l => W c l (all l)
  | Within e a b l => N e a b l (all l)
  end.
End Lines.
(** Sides of a relation. *)
Lemma all_pairs_fold {A} (es : list (A * expr)) ls g l : agree ls g l ->
  map (fun p => match p with (s, e) => (s, eval at_case e g l) end)
    (map (fun p => match p with (s, e) => (s, fold e ls) end) es) =
  map (fun p => match p with (s, e) => (s, eval at_case e g l) end) es.
Proof. intros H. rewrite map_map. apply map_ext. intros [s e]. rewrite fold_is by exact H. reflexivity. Qed.
(** A claim's line means what it meant. *)
Lemma line_is c : forall ls g l, agree ls g l -> line_of at_case (fold_line c ls) g l = line_of at_case c g l.
Proof.
  assert (forall ls g l cs, agree ls g l -> Forall (fun c => forall ls g l, agree ls g l ->
      line_of at_case (fold_line c ls) g l = line_of at_case c g l) cs ->
    map (fun c => line_of at_case c g l) (map (fun c => fold_line c ls) cs) = map (fun c => line_of at_case c g l) cs)
    as All.
  { intros ls g l cs A F. rewrite map_map. apply map_ext_Forall. eapply Forall_impl; [|exact F]. intros d H. apply H,
    A. }
  induction c as [k a r|k r b cs F|b cs F|e a b cs F] using line_induction; intros ls g l A; cbn [fold_line line_of].
  - rewrite fold_is, all_pairs_fold by exact A. reflexivity.
  - rewrite fold_is by exact A. unfold for_each. destruct (eval at_case r g l) as [[| |z vs]|]; try reflexivity.
    f_equal.
    apply map_ext. intros v. pose proof (agree_cons ls g l k (Is v) A) as B. rewrite (All _ _ _ cs B F).
    destruct b as [b|]; [rewrite fold_is by exact B|]; reflexivity.
  - rewrite fold_is, All by assumption. reflexivity.
  - rewrite fold_is by exact A. apply within_ext. intros x y.
    rewrite (All (b :: a :: ls)) by (try exact F; apply agree_cons, agree_cons, A). reflexivity.
Qed.

Definition fold_item (n : name) (it : item_of) : item_of :=
  match it with
  | ItemsFor k r e => ItemsFor k (fold r []) (fold e [k; n])
  | ItemsAt k r i e => ItemsAt k (fold r []) (fold i [k]) (fold e [k; n])
  | ItemAt i e => ItemAt (fold i []) (fold e [n])
  end.
(** Items that are put one after the other, *)
Lemma put_all_ext e e' ks : (forall s q, e (as_found s) (Is (Number q)) = e' (as_found s) (Is (Number q))) ->
  forall s, put_all e ks s = put_all e' ks s.
Proof.
  intros H. induction ks as [|[q| |] ks IH]; intros s; try reflexivity. simpl. rewrite H.
  destruct (whole_of q); [|reflexivity]. destruct (e' _ _); [|reflexivity]. destruct (put _ _ _); [apply
    IH|reflexivity].
Qed.
(** and lines, *)
Lemma put_lines_ext l l' : Forall2 (fun a b => fst a = fst b /\
    forall s q, snd a (as_found s) (Is (Number q)) = snd b (as_found s) (Is (Number q))) l l' ->
  forall s, put_lines l s = put_lines l' s.
Proof.
  induction 1 as [|[r e] [r' e'] l l' [R E] F IH]; intros s; [reflexivity|]. cbn [fst snd] in *. subst r'.
  cbn [put_lines]. destruct r as [[| |k ks]|]; try reflexivity. rewrite (put_all_ext e e' ks E).
  destruct (put_all _ _ _); [apply IH|reflexivity].
Qed.
(** (also one by one) *)
Lemma one_by_one_ext r i i' e e' : (forall v, i (Is v) = i' (Is v)) ->
  (forall s v, e (as_found s) (Is v) = e' (as_found s) (Is v)) ->
  Forall2 (fun a b => fst a = fst b /\ forall s q, snd a (as_found s) (Is (Number q)) = snd b (as_found s) (Is (Number
    q))) (one_by_one r i e) (one_by_one r i' e').
Proof.
  intros I E. unfold one_by_one. destruct r as [[| |k l]|]; try (constructor; [split; reflexivity|constructor]).
  induction l as [|v l IH]; constructor; [|exact IH]. cbn [fst snd]. rewrite I. auto.
Qed.
(** so a list by items means what it meant. *)
Lemma items_are_by n l g : agree [] g [] -> items_by at_case n (map (fold_item n) l) g = items_by at_case n l g.
Proof.
  intros A. unfold items_by, by_items. apply put_lines_ext.
  induction l as [|[k r e|k r i e|i e] l IH]; [constructor| | |]; cbn [map fold_item flat_map]; apply Forall2_app;
    try exact IH; try (constructor; [|constructor]; cbn [fst snd]; rewrite fold_is by exact A; split; [reflexivity|]);
    try (intros [[f m]|] q; apply fold_is; repeat apply agree_cons; exact A).
  rewrite fold_is by exact A. apply one_by_one_ext; [intros v; apply fold_is, agree_cons, A|].
  intros [[f m]|] v; apply fold_is, agree_cons, agree_cons, A.
Qed.
End Fold.

(** ** A declaration specialised, once for all cases *)
Definition known_value (g : globals) (x : name) : option (delayed found) :=
  match look x g with Some (AValue d) => Some d | _ => None end.
Definition fold_meant (at_case : name -> found -> globals) (g : globals) (n : name) (b : meant) : meant :=
  let of := fold at_case (known_value g) (fun f => look f g) in
  match b with
  | Value e => Value (of e [])
  | ByItems l => ByItems (map (fold_item at_case (known_value g) (fun f => look f g) n) l)
  | Function ks e => Function ks (of e ks)
  | _ => b
  end.
(** It means what it meant: functions that agree everywhere are taken as equal here, which is a hypothesis, no axiom. *)
Section Same.
Hypothesis extensional : forall (A B : Type) (f h : A -> B), (forall x, f x = h x) -> f = h.
Definition extends (g g' : globals) : Prop := forall x v, look x g = Some v -> look x g' = Some v.
(** Without letters, *)
Lemma agree_none g g' : extends g g' -> agree (known_value g) (fun f => look f g) [] g' [].
Proof.
  intros E. split; [discriminate|]. split; [|exact E]. intros x d _ V. unfold known_value in V. unfold value_at. simpl.
  destruct (look x g) as [[]|] eqn:L; try discriminate. inversion V; subst. rewrite (E x _ L). reflexivity.
Qed.
(** (letters that are bound are those named) *)
Lemma bound_names ks : forall vs l, bound ks vs = Some l -> map fst l = ks.
Proof.
  induction ks as [|k ks IH]; intros [|[v|] vs] l E; simpl in E; try discriminate; [inversion E; reflexivity|].
  destruct (bound ks vs) eqn:B; inversion E; subst. simpl. f_equal. eapply IH, B.
Qed.
(** and with the letters of a function. *)
Lemma agree_letters g g' l : extends g g' -> agree (known_value g) (fun f => look f g) (map fst l) g' l.
Proof. intros E. induction l as [|[k v] l IH]; [apply agree_none, E|apply agree_cons, IH]. Qed.
(** A declaration means what it meant, *)
Lemma meant_is at_case g g' n b : extends g g' -> meaning at_case n (fold_meant at_case g n b) g' = meaning at_case n
  b g'.
Proof.
  intros E. destruct b as [e|l|ks e| | | |]; cbn [fold_meant meaning]; try reflexivity.
  - do 2 f_equal. apply extensional. intros _. apply fold_is, agree_none, E.
  - do 2 f_equal. apply extensional. intros _. apply items_are_by, agree_none, E.
  - f_equal. apply extensional. intros vs. destruct (bound ks vs) as [l|] eqn:B; [|reflexivity].
    rewrite <- (bound_names _ _ _ B). apply fold_is, agree_letters, E.
Qed.
(** Names that are known are declared. *)
Lemma names_of ds : forall x v, look x (fst (declared ds)) = Some v -> In x (map its_name ds).
Proof.
  induction ds as [|d ds IH]; intros x v L; [discriminate|]. simpl in L |- *. destruct (declared ds) as [g at_].
  destruct (known d); [|right; apply (IH x v L)]. simpl in L. destruct (String.eqb_spec x (its_name d)) as [->|_];
    [left;
    reflexivity|right; apply (IH x v L)].
Qed.
(** What is known is so at every case. *)
Lemma known_at ds s : NoDup (map its_name ds) -> extends (fst (declared ds)) (snd (declared ds) s).
Proof.
  induction ds as [|d ds IH]; intros N x v L; [discriminate|]. inversion N as [|? ? A B]; subst. specialize (IH B).
  pose proof (names_of ds x) as Known. simpl in L |- *. destruct (declared ds) as [g at_]. destruct (known d); simpl
    in L |- *.
  - destruct (String.eqb x (its_name d)); [exact L|apply IH, L].
  - destruct (String.eqb_spec x (its_name d)) as [->|_]; [exfalso; apply A, (Known v L)|apply IH, L].
Qed.
End Same.
