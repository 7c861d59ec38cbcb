(** Words of Core.v for a program: what is common is computed by a short way, all else by Core.v's own. Each is equal to
    Core.v's, as its lemma says. *)

From Coq Require Import QArith Qreduction Qround Qabs ZArith List Bool Lia.
From Contextual.reader Require Import Core Sound Tree Fold.
Import ListNotations.
Open Scope Z_scope.

(** ** Numbers *)
Definition quick_lowest (q : Q) : Q :=
  if Pos.eqb (Qden q) 1 then q else
  let g := Z.gcd (Qnum q) (Zpos (Qden q)) in
  if g =? 1 then q else Qnum q / g # Z.to_pos (Zpos (Qden q) / g).
(** In lowest terms, whatever it is computed from. *)
Lemma lowest_red q : lowest q = Qred q.
Proof.
  unfold lowest. destruct q as [a d]. cbn [Qden]. destruct (Pos.eqb_spec d 1) as [->|_]; [|reflexivity]. unfold Qred.
  pose proof (Z.ggcd_gcd a 1) as G. pose proof (Z.ggcd_correct_divisors a 1) as D. rewrite Z.gcd_1_r in G.
  destruct (Z.ggcd a 1) as (g, (aa, bb)). cbn [fst snd] in *. subst g. destruct D as [A B].
  replace aa with a by lia. replace bb with 1 by lia. reflexivity.
Qed.
(** Numbers that are equal have one lowest form. *)
Lemma lowest_same p q : (p == q)%Q -> lowest p = lowest q.
Proof. rewrite !lowest_red. apply Qred_complete. Qed.
(** By one gcd. *)
Lemma quick_lowest_is q : quick_lowest q = lowest q.
Proof.
  unfold quick_lowest. destruct (Pos.eqb (Qden q) 1) eqn:E; [unfold lowest; rewrite E; reflexivity|].
  rewrite lowest_red. destruct q as [a d]. cbn [Qnum Qden]. unfold Qred.
  pose proof (Z.ggcd_gcd a (Zpos d)) as G. pose proof (Z.ggcd_correct_divisors a (Zpos d)) as D.
  destruct (Z.ggcd a (Zpos d)) as (g, (aa, bb)). cbn [fst snd] in *. rewrite <- G. destruct D as [A B].
  destruct (Z.eqb_spec g 1) as [->|_].
  - replace aa with a by lia. replace bb with (Zpos d) by lia. reflexivity.
  - assert (g <> 0) as N by (intros ->; discriminate). rewrite A, B, (Z.mul_comm g aa), (Z.mul_comm g bb), !Z.div_mul by
      exact N. reflexivity.
Qed.
Definition plus_q (x y : Q) : Q :=
  quick_lowest (if Pos.eqb (Qden x) (Qden y) then Qnum x + Qnum y # Qden x else x + y)%Q.
(** A sum, *)
Lemma plus_q_is x y : plus_q x y = lowest (x + y).
Proof.
  unfold plus_q. rewrite quick_lowest_is. apply lowest_same. destruct (Pos.eqb_spec (Qden x) (Qden y)) as [E|_];
    [|reflexivity]. destruct x as [a d], y as [b e]. cbn [Qnum Qden] in *. subst e. unfold Qeq, Qplus. cbn [Qnum Qden].
  rewrite Pos2Z.inj_mul. ring.
Qed.
Definition minus_q (x y : Q) : Q :=
  quick_lowest (if Pos.eqb (Qden x) (Qden y) then Qnum x - Qnum y # Qden x else x + (- y))%Q.
(** a difference, *)
Lemma minus_q_is x y : minus_q x y = lowest (x + lowest (-1 * y)).
Proof.
  unfold minus_q. rewrite quick_lowest_is. apply lowest_same. rewrite (lowest_red (-1 * y)), Qred_correct.
  destruct (Pos.eqb_spec (Qden x) (Qden y)) as [E|_]; [|ring].
  destruct x as [a d], y as [b e]. cbn [Qnum Qden] in *. subst e. unfold Qeq, Qplus, Qmult. cbn [Qnum Qden].
  rewrite !Pos2Z.inj_mul. ring.
Qed.
Definition times_q (x y : Q) : Q := quick_lowest (x * y).
Definition whole (q : Q) : option Z := if Pos.eqb (Qden q) 1 then Some (Qnum q) else whole_of q.
(** The whole number that it is. *)
Lemma whole_is q : whole q = whole_of q.
Proof.
  unfold whole. destruct (Pos.eqb (Qden q) 1) eqn:E; [|reflexivity]. unfold whole_of. rewrite <- lowest_red. unfold
    lowest.
  rewrite E, E. reflexivity.
Qed.

(** ** Lists *)
Fixpoint all_numbers (l : list value) : bool :=
  match l with [] => true | Number _ :: l => all_numbers l | _ => false end.
Fixpoint all_rows (l : list value) : bool :=
  match l with [] => true | List _ r :: l => all_numbers r && all_rows l | _ => false end.
Definition quick_from (first : Z) (l : list value) : found :=
  if all_numbers l then Is (List first l) else if all_rows l then Is (List first l) else list_from first l.
Fixpoint kinds (l : list value) : option kind :=
  match l with
  | [] => Some Anything
  | v :: l => match kind_of v, kinds l with Some a, Some b => one_kind a b | _, _ => None end
  end.
(** The kind of a list, by that of its items: *)
Lemma kind_of_list k l : kind_of (List k l) = option_map AList (kinds l).
Proof. reflexivity. Qed.
(** of numbers, *)
Lemma numbers_kind l : all_numbers l = true -> kinds l = match l with [] => Some Anything | _ => Some ANumber end.
Proof.
  induction l as [|[q| |] l IH]; try discriminate; [reflexivity|]. intros H. cbn [kinds kind_of]. rewrite (IH H).
  destruct l; reflexivity.
Qed.
(** of rows of numbers; *)
Lemma rows_kind l : all_rows l = true -> exists k, kinds l = Some k /\ (k = Anything \/ k = AList Anything \/ k = AList
  ANumber).
Proof.
  induction l as [|[| |z r] l IH]; try discriminate; [exists Anything; auto|]. cbn [all_rows]. intros H.
  apply andb_true_iff in H as [R H]. destruct (IH H) as (k & K & O). cbn [kinds]. rewrite kind_of_list, (numbers_kind r
    R), K.
  destruct r; destruct O as [->|[->| ->]]; cbn; eauto.
Qed.
(** such lists need no other look. *)
Lemma quick_from_is k l : quick_from k l = list_from k l.
Proof.
  unfold quick_from, list_from. destruct (all_numbers l) eqn:N.
  - rewrite kind_of_list, (numbers_kind l N). destruct l; reflexivity.
  - destruct (all_rows l) eqn:R; [|reflexivity]. destruct (rows_kind l R) as (x & K & _). rewrite kind_of_list, K.
    reflexivity.
Qed.
Fixpoint gather_found (l : list found) : option (list value) :=
  match l with
  | [] => Some []
  | Is v :: l => match gather_found l with Some r => Some (v :: r) | None => None end
  | Refused :: _ => None
  end.
(** All of these, if none is refused, *)
Lemma gather_found_is l : gather_found l = all_found l.
Proof. induction l as [|[v|] l IH]; simpl; [reflexivity|rewrite IH; destruct (all_found l); reflexivity|reflexivity].
  Qed.
Definition quick_listed (l : list found) : found :=
  match gather_found l with Some l => quick_from 1 l | None => Refused end.
(** as a list. *)
Lemma quick_listed_is l : quick_listed l = listed l.
Proof. unfold quick_listed, listed, list_of. rewrite gather_found_is. destruct (all_found l); [apply
  quick_from_is|reflexivity]. Qed.
(** [E for k in R], without a condition. *)
Fixpoint each_item (l : list value) (e : found -> found) : option (list value) :=
  match l with
  | [] => Some []
  | v :: l => match e (Is v) with
    | Is w => match each_item l e with Some r => Some (w :: r) | None => None end
    | Refused => None
    end
  end.
Definition quick_each (r : found) (e : found -> found) : found :=
  match r with
  | Is (List _ l) => match each_item l e with Some l => quick_from 1 l | None => Refused end
  | _ => Refused
  end.
(** It is [each]. *)
Lemma quick_each_is r e : quick_each r e = each r (fun _ => yes) e.
Proof.
  unfold quick_each, each, as_list. destruct r as [[| |k l]|]; try reflexivity.
  replace (each_of l (fun _ => yes) e) with (each_item l e); [destruct (each_item l e); [apply
    quick_from_is|reflexivity]|].
  induction l as [|v l IH]; [reflexivity|]. cbn [each_item each_of truth_of yes]. rewrite IH.
  destruct (e (Is v)); [|reflexivity]. destruct (each_of l _ e); reflexivity.
Qed.
Definition quick_index (l k : found) : found :=
  match l, k with
  | Is (List first l), Is (Number q) =>
      if Pos.eqb (Qden q) 1 then item l (Qnum q - first)
      else match whole_of q with Some k => item l (k - first) | None => Refused end
  | _, _ => Refused
  end.
(** It is [index]. *)
Lemma quick_index_is l k : quick_index l k = index l k.
Proof.
  unfold quick_index, index, as_list, as_whole, as_number. destruct l as [[| |first l]|]; try reflexivity.
  destruct k as [[q| |]|]; try reflexivity. rewrite <- whole_is. unfold whole. destruct (Pos.eqb _ _); reflexivity.
Qed.

(** ** Sums and products *)
Fixpoint quick_add (a b : value) : found :=
  match a, b with
  | Number x, Number y => Is (Number (plus_q x y))
  | List _ l, List _ m => match (fix both l m := match l, m with
      | [], [] => Some []
      | x :: l, y :: m => match quick_add x y with
          | Is z => match both l m with Some r => Some (z :: r) | None => None end
          | Refused => None
          end
      | _, _ => None
      end) l m with Some l => Is (List 1 l) | None => Refused end
  | _, _ => Refused
  end.
(** It is [add], *)
Lemma quick_add_is a : forall b, quick_add a b = add a b.
Proof.
  induction a as [x|x|k l IH] using value_induction; intros b; destruct b as [y|y|k' m]; try reflexivity; cbn [quick_add
    add].
  - unfold is_number. rewrite plus_q_is. reflexivity.
  - match goal with |- match ?a with _ => _ end = match ?b with _ => _ end => replace a with b; [reflexivity|] end.
    revert m. induction IH as [|x l X F IH]; intros [|y m]; try reflexivity. cbn. rewrite X. destruct (add x y);
      [|reflexivity].
    rewrite <- IH. match goal with |- option_map _ ?a = _ => destruct a; reflexivity end.
Qed.
Definition quick_plus (a b : found) : found := match a, b with Is a, Is b => quick_add a b | _, _ => Refused end.
(** also of what may be refused. *)
Lemma quick_plus_is a b : quick_plus a b = plus a b.
Proof. destruct a, b; try reflexivity. apply quick_add_is. Qed.
Fixpoint quick_scale (q : Q) (v : value) : found :=
  match v with
  | Number x => Is (Number (times_q q x))
  | Truth _ => Refused
  | List _ l => match (fix all l := match l with
      | [] => Some []
      | x :: l => match quick_scale q x with
          | Is z => match all l with Some r => Some (z :: r) | None => None end
          | Refused => None
          end
      end) l with Some l => Is (List 1 l) | None => Refused end
  end.
(** It is [scale]. *)
Lemma quick_scale_is q v : quick_scale q v = scale q v.
Proof.
  induction v as [x|x|k l IH] using value_induction; try reflexivity; cbn [quick_scale scale].
  - unfold is_number, times_q. rewrite quick_lowest_is. reflexivity.
  - match goal with |- match ?a with _ => _ end = match ?b with _ => _ end => replace a with b; [reflexivity|] end.
    induction IH as [|x l X F IH]; try reflexivity. cbn. rewrite X. destruct (scale q x); [|reflexivity].
    rewrite <- IH. match goal with |- option_map _ ?a = _ => destruct a; reflexivity end.
Qed.
Definition quick_minus (a b : found) : found :=
  match a, b with
  | Is (Number x), Is (Number y) => Is (Number (minus_q x y))
  | Is a, Is b => match quick_scale (-1) b with Is c => quick_add a c | Refused => Refused end
  | _, _ => Refused
  end.
(** It is [minus]. *)
Lemma quick_minus_is a b : quick_minus a b = minus a b.
Proof.
  unfold minus, negative. destruct a as [[x| |]|], b as [[y| |]|]; cbn [quick_minus as_value plus]; rewrite
    ?quick_scale_is; try reflexivity;
    first [solve [cbn [scale add is_number as_value]; unfold is_number; rewrite minus_q_is; reflexivity]
      |match goal with |- context [scale ?q ?b] => destruct (scale q b) as [c|]; cbn [as_value]; [apply
        quick_add_is|reflexivity] end|idtac].
Qed.
Definition quick_negative (a : found) : found := match a with Is v => quick_scale (-1) v | Refused => Refused end.
Definition quick_more (s : found) (b : bool) (v : found) : found := if b then quick_plus s v else quick_minus s v.
Definition quick_add_up (l : list (bool * found)) : found :=
  match l with
  | [] => Refused
  | (b, v) :: l => fold_left (fun s p => quick_more s (fst p) (snd p)) l (if b then v else quick_negative v)
  end.
(** It is [add_up]. *)
Lemma quick_add_up_is l : quick_add_up l = add_up l.
Proof.
  destruct l as [|[b v] l]; [reflexivity|]. cbn [quick_add_up add_up].
  replace (quick_negative v) with (negative v) by (destruct v; [symmetry; apply quick_scale_is|reflexivity]).
  generalize (if b then v else negative v). induction l as [|[c w] l IH]; intros s; [reflexivity|]. cbn [fold_left
    one_more
    fst snd]. unfold quick_more at 2. rewrite quick_plus_is, quick_minus_is. apply IH.
Qed.
Fixpoint quick_dot_of (a b : list value) : option Q :=
  match a, b with
  | [], [] => Some 0%Q
  | [Number x], [Number y] => Some (times_q x y)
  | Number x :: a, Number y :: b => match quick_dot_of a b with Some s => Some (plus_q (x * y) s) | None => None end
  | _, _ => None
  end.
(** It is [dot_of]. *)
Lemma quick_dot_of_is a : forall b, quick_dot_of a b = dot_of a b.
Proof.
  induction a as [|x a IH]; intros [|y b]; try reflexivity; [destruct x, a; reflexivity|].
  destruct x as [x| |]; [|destruct a; reflexivity|destruct a; reflexivity].
  destruct y as [y| |]; [|destruct a; reflexivity|destruct a; reflexivity].
  destruct a as [|x' a], b as [|y' b].
  - cbn [quick_dot_of dot_of option_map]. unfold times_q. rewrite quick_lowest_is. f_equal. apply lowest_same. ring.
  - reflexivity.
  - destruct x', a; reflexivity.
  - specialize (IH (y' :: b)). remember (x' :: a) as a'. remember (y' :: b) as b'.
    transitivity (match quick_dot_of a' b' with Some s => Some (plus_q (x * y) s) | None => None end); [subst;
      reflexivity|].
    rewrite IH. cbn [dot_of]. destruct (dot_of a' b'); [|reflexivity]. cbn [option_map]. rewrite plus_q_is. reflexivity.
Qed.
(** Of whole numbers. *)
Fixpoint whole_dot (a b : list value) (s : Z) : option Z :=
  match a, b with
  | [], [] => Some s
  | Number x :: a, Number y :: b =>
      if Pos.eqb (Qden x) 1 then if Pos.eqb (Qden y) 1 then whole_dot a b (s + Qnum x * Qnum y) else None else None
  | _, _ => None
  end.
(** With s, what came before. *)
Lemma whole_dot_is a : forall b s k, whole_dot a b s = Some k -> dot_of a b = Some (k - s # 1).
Proof.
  induction a as [|x a IH]; intros [|y b] s k E; try discriminate; [inversion E; rewrite Z.sub_diag;
    reflexivity|destruct x;
    discriminate|]. destruct x as [[p c]| |], y as [[q d]| |]; try discriminate. cbn [whole_dot Qden Qnum] in E.
  destruct (Pos.eqb_spec c 1) as [->|]; [|discriminate]. destruct (Pos.eqb_spec d 1) as [->|]; [|discriminate].
  cbn [dot_of]. rewrite (IH _ _ _ E). cbn [option_map]. f_equal. unfold lowest, Qplus, Qmult. cbn [Qden Qnum].
  cbn [Pos.mul Pos.eqb]. f_equal. lia.
Qed.
Definition short_dot (a b : list value) : option Q :=
  match whole_dot a b 0 with Some k => Some (k # 1) | None => quick_dot_of a b end.
(** The short way where all are whole. *)
Lemma short_dot_is a b : short_dot a b = dot_of a b.
Proof.
  unfold short_dot. destruct (whole_dot a b 0) as [k|] eqn:W; [|apply quick_dot_of_is]. rewrite (whole_dot_is a b 0 k
    W),
    Z.sub_0_r. reflexivity.
Qed.
Definition quick_dot (a b : found) : found :=
  match a, b with
  | Is (List _ a), Is (List _ b) => match short_dot a b with Some q => Is (Number q) | None => Refused end
  | _, _ => Refused
  end.
(** What has such a sum is numbers, as many on both sides. *)
Lemma dot_numbers a : forall b q, dot_of a b = Some q -> all_numbers a = true /\ length a = length b /\ lowest q = q.
Proof.
  induction a as [|x a IH]; intros [|y b] q E; try discriminate; [inversion E; auto|destruct x; discriminate|].
  destruct x as [x| |], y as [y| |]; try discriminate. cbn [dot_of] in E. destruct (dot_of a b) as [s|] eqn:D;
    [|discriminate].
  destruct (IH b s D) as (A & L & _). inversion E. repeat split; [exact A|simpl; congruence|]. apply lowest_same,
    lowest_is.
Qed.
(** It is [dot]. *)
Lemma quick_dot_is a b : quick_dot a b = dot a b.
Proof.
  unfold quick_dot, dot, as_list, dot_found. destruct a as [[| |k a]|]; try reflexivity. destruct b as [[| |m b]|]; try
    reflexivity. rewrite short_dot_is. destruct (dot_of a b) as [q|] eqn:E; [|reflexivity]. unfold is_number.
  destruct (dot_numbers a b q E) as (_ & _ & ->). reflexivity.
Qed.
(** The numbers of rows of the same length times a column, if they are such. *)
Fixpoint rows_times (b : list value) (rows : list value) : option (list value) :=
  match rows with
  | [] => Some []
  | List _ a :: rows => match short_dot a b with
    | Some q => match rows_times b rows with Some r => Some (Number q :: r) | None => None end
    | None => None
    end
  | _ => None
  end.
Definition quick_multiply (a b : value) : found :=
  match a, b with
  | Number x, _ => quick_scale x b
  | _, Number y => quick_scale y a
  | List _ ((_ :: _) as rows), List _ ((_ :: _) as l) =>
      match rows_times l rows with Some r => Is (List 1 r) | None => multiply a b end
  | _, _ => multiply a b
  end.
(** They are what each row makes, and a list of such rows is. *)
Lemma rows_times_is y b rows : forall r, rows_times (y :: b) rows = Some r ->
  all_found (map (row_times (y :: b)) rows) = Some r /\ all_numbers r = true /\
  kinds rows = match rows with [] => Some Anything | _ => Some (AList ANumber) end.
Proof.
  induction rows as [|[| |k a] rows IH]; intros r E; try discriminate; [inversion E; auto|]. cbn [rows_times] in E.
  rewrite short_dot_is in E. destruct (dot_of a (y :: b)) as [q|] eqn:D; [|discriminate].
  destruct (rows_times (y :: b) rows) as [r'|]; [|discriminate]. destruct (IH r' eq_refl) as (A & B & C). inversion E;
    subst.
  destruct (dot_numbers _ _ _ D) as (N & L & W). cbn [map row_times all_found]. unfold dot_found. rewrite D. unfold
    is_number.
  rewrite W, A. repeat split; [exact B|]. cbn [kinds]. rewrite kind_of_list, (numbers_kind a N), C.
  destruct a; [discriminate|]. destruct rows; reflexivity.
Qed.
(** It is [multiply], *)
Lemma quick_multiply_is a b : quick_multiply a b = multiply a b.
Proof.
  assert (forall x v, quick_scale x v = scale x v) as S by apply quick_scale_is.
  destruct a as [x|x|k rows], b as [y|y|m l]; try (destruct rows); cbn [quick_multiply]; rewrite ?S; try reflexivity.
  destruct l as [|w l]; [reflexivity|]. destruct (rows_times (w :: l) (v :: rows)) as [r|] eqn:E; [|reflexivity].
  destruct (rows_times_is _ _ _ _ E) as (A & B & C). unfold multiply. rewrite kind_of_list, C. cbn [option_map].
  unfold list_of. rewrite A, <- quick_from_is. unfold quick_from. rewrite B. reflexivity.
Qed.
Definition quick_times (a b : found) : found :=
  match a, b with
  | Is (Number x), Is (Number y) => Is (Number (times_q x y))
  | Is a, Is b => quick_multiply a b
  | _, _ => Refused
  end.
(** and [times]. *)
Lemma quick_times_is a b : quick_times a b = times a b.
Proof.
  destruct a as [a|], b as [b|]; try (destruct a; reflexivity); try reflexivity; cbn [times as_value];
    rewrite <- quick_multiply_is; destruct a; try reflexivity; destruct b; reflexivity.
Qed.
Definition quick_over (a b : found) : found :=
  match a, b with
  | Is (Number x), Is (Number y) => if Qeq_bool y 0 then Refused else Is (Number (times_q x (quick_lowest (/ y))))
  | _, _ => over a b
  end.
(** It is [over]. *)
Lemma quick_over_is a b : quick_over a b = over a b.
Proof.
  destruct a as [[x| |]|], b as [[y| |]|]; try reflexivity. cbn [quick_over over as_value as_number multiply scale].
  destruct (Qeq_bool y 0); [reflexivity|]. unfold is_number, times_q. rewrite !quick_lowest_is. reflexivity.
Qed.
Definition quick_operate (s : found) (o : operation) (v : found) : found :=
  match o with Multiplied => quick_times s v | Divided => quick_over s v | _ => operate s (o, v) end.
(** It is [operate], *)
Lemma quick_operate_is s o v : quick_operate s o v = operate s (o, v).
Proof. destruct o; [apply quick_times_is|apply quick_over_is|reflexivity|reflexivity]. Qed.
(** one after the other. *)
Lemma quick_operate_all l : forall s, fold_left (fun s p => quick_operate s (fst p) (snd p)) l s = fold_left operate l
  s.
Proof. induction l as [|[o v] l IH]; intros s; [reflexivity|]. cbn [fold_left fst snd]. rewrite quick_operate_is. apply
  IH. Qed.

(** ** Relations, and functions of lists *)
Definition quick_related (s : sign) (a b : found) : found :=
  match s, a, b with
  | (Equal | Unequal | Less | AtMost | More | AtLeast), Is (Number x), Is (Number y) =>
      Is (Truth (related s (Number x) (Number y)))
  | _, _, _ => compare a [(s, b)]
  end.
(** It is [compare] with one sign. *)
Lemma quick_related_is s a b : quick_related s a b = compare a [(s, b)].
Proof.
  destruct s, a as [[| |]|], b as [[| |]|]; try reflexivity;
    cbn; unfold holds_of; cbn; rewrite andb_true_r; reflexivity.
Qed.
(** A chain of numbers: true, false, or not of numbers alone. *)
Inductive verdict := Holds | Fails | Unknown.
Definition and_so (b : bool) (v : verdict) : verdict := match v with Holds => if b then Holds else Fails | _ => v end.
Definition of_verdict (v : verdict) (f : found) : found := match v with Holds => yes | Fails => no | Unknown => f end.
Definition compares (s : sign) : bool := match s with Iff => false | _ => true end.
Fixpoint chain_of (a : found) (l : list (sign * found)) : verdict :=
  match a, l with
  | Is (Number _), [] => Holds
  | Is (Number x), (s, b) :: l => match b with
    | Is (Number y) => if compares s then and_so (related s (Number x) (Number y)) (chain_of b l) else Unknown
    | _ => Unknown
    end
  | _, _ => Unknown
  end.
(** It is [compare], where it knows. *)
Lemma chain_of_is a l : of_verdict (chain_of a l) (compare a l) = compare a l.
Proof.
  assert (forall l a k, match chain_of a l with Unknown => True | v => exists r, relate k a l = Some r /\ forallb
    holds_of r =
    match v with Holds => true | _ => false end end) as Main.
  { clear. induction l as [|[s b] l IH]; intros a k; [destruct a as [[| |]|]; try exact I; exists []; auto|].
    destruct a as [[x| |]|]; try exact I. cbn [chain_of]. destruct b as [[y| |]|]; try exact I.
    destruct (compares s) eqn:S; [|exact I]. specialize (IH (Is (Number y)) (k + 1)).
    assert (forall r, relate (k + 1) (Is (Number y)) l = Some r -> relate k (Is (Number x)) ((s, Is (Number y)) :: l) =
      Some (Relation k s (Number x) (Number y) :: r)) as R.
    { intros r E. cbn [relate chained] in *. rewrite E. destruct s; try discriminate; reflexivity. }
    destruct (chain_of (Is (Number y)) l); cbn [and_so]; [| |exact I]; destruct IH as (r & E & F); apply R in E.
    - destruct (related s (Number x) (Number y)) eqn:T; eexists; (split; [exact E|]); cbn [forallb]; unfold holds_of at
      1;
        cbn [its left right]; rewrite T, F; reflexivity.
    - eexists; (split; [exact E|]); cbn [forallb]; rewrite F; apply andb_false_r. }
  specialize (Main l a 0). unfold compare. destruct (chain_of a l); cbn [of_verdict]; try reflexivity;
    destruct Main as (r & -> & ->); reflexivity.
Qed.
(** A line: its relations. *)
Definition plainly (s : sign) (a b : value) : bool :=
  match s, a, b with
  | Iff, _, _ => false
  | _, Number _, Number _ => true
  | (Equal | Unequal), List _ l, List _ m => all_rows l && all_rows m
  | _, _, _ => false
  end.
(** Such sides can be compared. *)
Lemma plainly_is s a b : plainly s a b = true -> comparable s a b = true.
Proof.
  destruct s, a, b; try discriminate; try reflexivity; cbn [plainly]; intros H; apply andb_true_iff in H as [A B];
    destruct (rows_kind _ A) as (x & X & U), (rows_kind _ B) as (y & Y & V); cbn [comparable]; rewrite !kind_of_list,
      X, Y;
    destruct U as [->|[->| ->]], V as [->|[->| ->]]; reflexivity.
Qed.
Definition quick_comparable (s : sign) (a b : value) : bool := if plainly s a b then true else comparable s a b.
Fixpoint quick_chained (k : Z) (a : value) (l : list (sign * found)) : lines :=
  match l with
  | [] => nothing
  | (s, Is b) :: l => if quick_comparable s a b
      then match quick_chained (k + 1) b l with Some r => Some (Relation k s a b :: r) | None => None end else None
  | (_, Refused) :: _ => None
  end.
Definition quick_relate (k : Z) (a : found) (l : list (sign * found)) : lines :=
  match a with Is a => quick_chained k a l | Refused => None end.
(** It is [relate]. *)
Lemma quick_relate_is k a l : quick_relate k a l = relate k a l.
Proof.
  destruct a as [a|]; [|reflexivity]. cbn [quick_relate relate]. revert k a. induction l as [|[s [b|]] l IH]; intros k
    a;
    try reflexivity. cbn [quick_chained chained]. rewrite IH. unfold quick_comparable.
  destruct (plainly s a b) eqn:P; [rewrite (plainly_is s a b P)|]; reflexivity.
Qed.
Definition quick_apply (f : function) (l : list found) : found :=
  match f, l with
  | Dot, [a; b] => quick_dot a b
  | Sum, [Is (List _ (v :: l))] => fold_left (fun s v => quick_plus s (Is v)) l (quick_scale 1 v)
  | _, _ => apply_to f l
  end.
(** It is [apply_to]. *)
Lemma quick_apply_is f l : quick_apply f l = apply_to f l.
Proof.
  destruct f; try reflexivity.
  - destruct l as [|[[| |k [|v l]]|] [|b r]]; try reflexivity. cbn. rewrite quick_scale_is. generalize (scale 1 v).
    induction l as [|w l IH]; intros s; [reflexivity|]. cbn. rewrite quick_plus_is. apply IH.
  - destruct l as [|a [|b [|c r]]]; try reflexivity. apply quick_dot_is.
Qed.
(** ** Layers *)
Definition row_length (v : value) : option nat :=
  match v with List _ ((_ :: _) as l) => if all_numbers l then Some (length l) else token v | _ => None end.
(** It is [token], *)
Lemma row_length_is v : row_length v = token v.
Proof.
  destruct v as [| |k [|v l]]; try reflexivity. unfold row_length. destruct (all_numbers (v :: l)) eqn:N;
    [|reflexivity].
  unfold token. rewrite kind_of_list, (numbers_kind _ N). reflexivity.
Qed.
Fixpoint long (d : nat) (l : list value) : bool :=
  match l with [] => true | v :: l => match row_length v with Some e => if Nat.eqb d e then long d l else false | None
    =>
    false end end.
Definition quick_tokens (l : list value) : bool :=
  match l with [] => true | v :: l => match row_length v with Some d => long d l | None => false end end.
(** and [tokens]. *)
Lemma quick_tokens_is l : quick_tokens l = tokens l.
Proof.
  destruct l as [|v l]; [reflexivity|]. cbn [quick_tokens tokens]. rewrite row_length_is. destruct (token v) as [d|];
    [|reflexivity]. induction l as [|w l IH]; [reflexivity|]. cbn [long forallb]. rewrite row_length_is, IH.
  destruct (token w) as [e|]; [|reflexivity]. destruct (Nat.eqb d e); reflexivity.
Qed.
Definition quick_ran (g : network) (x : found) : option (list value) :=
  match g, x with
  | Some g, Is (List k l) => if quick_tokens l then fold_left step g (Some [List k l]) else None
  | _, _ => None
  end.
(** It is [ran]. *)
Lemma quick_ran_is g x : quick_ran g x = ran g x.
Proof. destruct g as [g|]; [|reflexivity]. destruct x as [[| |k l]|]; try reflexivity. cbn. rewrite quick_tokens_is.
  reflexivity. Qed.
Definition quick_applied (v : option global) (vs : list found) : found :=
  match v with
  | Some (ANetwork f) => let (vs, x) := without_last vs in match quick_ran (f vs) x with Some (v :: _) => Is v | _ =>
    Refused end
  | _ => applied v vs
  end.
(** It is [applied]. *)
Lemma quick_applied_is v vs : quick_applied v vs = applied v vs.
Proof.
  destruct v as [[| | |f|]|]; try reflexivity. cbn [quick_applied applied]. destruct (without_last vs) as [ws x].
  unfold run. rewrite quick_ran_is. reflexivity.
Qed.
Definition quick_states (g : network) (x : found) : found :=
  match quick_ran g x with Some l => Is (List 0 (rev_append l [])) | None => Refused end.
(** It is [states]. *)
Lemma quick_states_is g x : quick_states g x = states g x.
Proof. unfold quick_states, states. rewrite quick_ran_is. destruct (ran g x) as [l|]; [rewrite rev_append_rev,
  app_nil_r|]; reflexivity. Qed.
Fixpoint top (q : Q) (l : list (Z * Q)) : Q :=
  match l with [] => q | (_, r) :: l => top (if Qle_bool r q then q else r) l end.
Fixpoint those_at (q : Q) (l : list (Z * Q)) : list Z :=
  match l with [] => [] | (j, r) :: l => if Qle_bool q r then j :: those_at q l else those_at q l end.
Definition quick_largest (l : list (Z * Q)) : list Z :=
  match l with [] => [] | [(j, _)] => [j] | (_, q) :: r => those_at (top q r) l end.
(** The top is one of them, and none is above it. *)
Lemma top_is l : forall q, (q <= top q l)%Q /\ (forall p, In p l -> snd p <= top q l)%Q /\ (top q l = q \/ exists p, In
  p l /\
  snd p = top q l).
Proof.
  induction l as [|[j r] l IH]; intros q; cbn [top].
  - split; [apply Qle_refl|]. split; [intros p []|auto].
  - destruct (Qle_bool r q) eqn:E.
    + destruct (IH q) as (A & B & C). apply Qle_bool_iff in E. split; [exact A|]. split.
      * intros p [<-|I]; [eapply Qle_trans; [exact E|exact A]|apply B, I].
      * destruct C as [C|(p & I & P)]; [auto|right; exists p; split; [right; exact I|exact P]].
    + destruct (IH r) as (A & B & C). assert (q <= r)%Q as L.
      { destruct (Qlt_le_dec r q) as [H|H]; [|exact H]. apply Qlt_le_weak, Qle_bool_iff in H. congruence. }
      split; [eapply Qle_trans; eassumption|]. split.
      * intros p [<-|I]; [exact A|apply B, I].
      * right. destruct C as [C|(p & I & P)]; [exists (j, r); split; [left; reflexivity|symmetry; exact C]|exists p;
        split;
          [right; exact I|exact P]].
Qed.
(** The largest are those at the top, *)
Lemma largest_is_top l : largest l = match l with [] => [] | (_, q) :: r => those_at (top q r) l end.
Proof.
  symmetry. assert (forall m (l : list (Z * Q)), (forall p : Z * Q, Qle_bool m (snd p) = forallb (fun r : Z * Q =>
    Qle_bool (snd r) (snd p)) l) -> forall k,
    those_at m k = map fst (filter (fun p => forallb (fun r => Qle_bool (snd r) (snd p)) l) k)) as Main.
  { intros m h H k. induction k as [|[j r] k IH]; [reflexivity|]. cbn [those_at filter]. pose proof (H (j, r)) as E.
    cbn [snd] in E |- *. rewrite <- E. destruct (Qle_bool m r); cbn [map fst]; congruence. }
  destruct l as [|[j q] l]; [reflexivity|]. unfold largest. apply Main. intros r. destruct (top_is l q) as (A & B & C).
  apply eq_true_iff_eq. rewrite Qle_bool_iff, forallb_forall. split.
  - intros T s [<-|I]; apply Qle_bool_iff; eapply Qle_trans; try exact T; [exact A|apply B, I].
  - intros H. destruct C as [->|(s & I & <-)]; apply Qle_bool_iff; [apply (H (j, q)); left; reflexivity|apply H; right;
      exact I].
Qed.
(** also if there is one alone. *)
Lemma quick_largest_is l : quick_largest l = largest l.
Proof.
  rewrite largest_is_top. destruct l as [|[j q] [|p l]]; try reflexivity. cbn. replace (Qle_bool q q) with true by
    (symmetry; apply Qle_bool_iff, Qle_refl). reflexivity.
Qed.
Fixpoint plus_all (l : list found) (s : found) : found := match l with [] => s | v :: l => plus_all l (quick_plus s v)
  end.
Definition quick_mean (l : list found) : found :=
  match l with
  | [] => Refused
  | v :: r => quick_times (Is (Number (1 # Pos.of_nat (length l)))) (plus_all r v)
  end.
(** It is [mean]. *)
Lemma quick_mean_is l : quick_mean l = mean l.
Proof.
  destruct l as [|v l]; [reflexivity|]. unfold quick_mean, mean. rewrite quick_times_is. f_equal. generalize v.
  induction l as [|w l IH]; intros s; [reflexivity|]. cbn [plus_all fold_left]. rewrite quick_plus_is. apply IH.
Qed.
Fixpoint quick_scored (js : list Z) (s m : found -> found) : option (list (Z * Q)) :=
  match js with
  | [] => Some []
  | j :: js => let f := Is (Number (j # 1)) in match m f with
    | Is (Truth true) => match s f with
      | Is (Number q) => match quick_scored js s m with Some l => Some ((j, q) :: l) | None => None end
      | _ => None
      end
    | Is (Truth false) => quick_scored js s m
    | _ => None
    end
  end.
(** Without a mask. *)
Fixpoint scored_all (js : list Z) (s : found -> found) : option (list (Z * Q)) :=
  match js with
  | [] => Some []
  | j :: js => match s (Is (Number (j # 1))) with
    | Is (Number q) => match scored_all js s with Some l => Some ((j, q) :: l) | None => None end
    | _ => None
    end
  end.
(** It admits all. *)
Lemma scored_all_is js s : scored_all js s = quick_scored js s everywhere.
Proof.
  induction js as [|j js IH]; [reflexivity|]. cbn [scored_all quick_scored everywhere yes]. rewrite IH. reflexivity.
Qed.
(** It is [scored]. *)
Lemma quick_scored_is js s m : quick_scored js s m = scored js s m.
Proof.
  induction js as [|j js IH]; [reflexivity|]. cbn [quick_scored scored]. change (Is (Number (j # 1))) with (Is
    (of_whole j)).
  rewrite IH. destruct (m _) as [[|[]|]|]; reflexivity.
Qed.
Fixpoint places (first : Z) (l : list value) : list Z :=
  match l with [] => [] | _ :: l => first :: places (first + 1) l end.
Definition places_of (x : found) : list Z := match x with Is (List first l) => places first l | _ => [] end.
(** They are [positions]. *)
Lemma places_of_is x : places_of x = positions x.
Proof.
  destruct x as [[| |first l]|]; try reflexivity. cbn. revert first. induction l as [|v l IH]; intros first;
    [reflexivity|].
  cbn. rewrite IH. reflexivity.
Qed.
Fixpoint at_each (v : found -> found) (js : list Z) : list found :=
  match js with [] => [] | j :: js => v (Is (of_whole j)) :: at_each v js end.
Definition quick_read (t : tie) (v s : found -> found) (m : option (found -> found)) (otherwise : option found) (x :
  found) :
  found :=
  match match m with Some m => quick_scored (places_of x) s m | None => scored_all (places_of x) s end with
  | None => Refused
  | Some l => match quick_largest l with
    | [] => match otherwise, positions x with
      | Some e, _ => e
      | None, j :: _ => nothing_read (v (Is (of_whole j)))
      | None, [] => Refused
      end
    | j :: js => match t with
      | average => quick_mean (at_each v (j :: js))
      | leftmost => v (Is (of_whole j))
      | rightmost => v (Is (of_whole (List.last js j)))
      end
    end
  end.
(** At each of them. *)
Lemma at_each_is v js : at_each v js = map (fun j => v (Is (of_whole j))) js.
Proof. induction js as [|j js IH]; [reflexivity|]. cbn. f_equal. exact IH. Qed.
(** It is [read]. *)
Lemma quick_read_is t v s m o x : quick_read t v s m o x = read t v s match m with Some m => m | None => everywhere end
  o x.
Proof.
  unfold quick_read, read. rewrite places_of_is. replace (match m with Some m => quick_scored (positions x) s m | None
    => scored_all (positions x) s
    end) with (scored (positions x) s match m with Some m => m | None => everywhere end) by (symmetry; destruct m;
      [|rewrite
    scored_all_is]; apply quick_scored_is).
  destruct (scored _ _ _) as [l|]; [|reflexivity].
  rewrite quick_largest_is. destruct (largest l) as [|j js]; [reflexivity|]. destruct t; try reflexivity.
  rewrite quick_mean_is. f_equal. generalize (j :: js). intros k. induction k as [|i k IH]; [reflexivity|]. cbn.
    f_equal.
  exact IH.
Qed.

(** *** A head: its products with all tokens, for all queries *)
Definition products (W x : found) : list found := at_each (fun j => quick_times W (quick_index x j)) (places_of x).
(** The same, not only equal numbers. *)
Fixpoint identical (a b : value) : bool :=
  match a, b with
  | Number x, Number y => (Qnum x =? Qnum y) && Pos.eqb (Qden x) (Qden y)
  | Truth x, Truth y => Bool.eqb x y
  | List k l, List m r => (k =? m) && (fix all l r := match l, r with
      | [], [] => true
      | x :: l, y :: r => identical x y && all l r
      | _, _ => false
      end) l r
  | _, _ => false
  end.
Definition identical_found (a b : found) : bool := match a, b with Is a, Is b => identical a b | _, _ => false end.
(** In OCaml [remember_two] keeps results for its last x, and first values that are the same: program/whole.ml. *)
Definition remember_two {A} (the_same : found -> found -> bool) (f : found -> found -> A) : found -> found -> A := f.
Definition table : found -> found -> list found := remember_two identical_found products.
(** What is the same is one value. *)
Lemma identical_is a : forall b, identical a b = true -> a = b.
Proof.
  induction a as [x|x|k l IH] using value_induction; intros [y|y|m r] H; try discriminate; cbn [identical] in H.
  - apply andb_true_iff in H as [N D]. apply Z.eqb_eq in N. apply Pos.eqb_eq in D. destruct x, y. cbn in *. subst.
    reflexivity.
  - apply eqb_prop in H. congruence.
  - apply andb_true_iff in H as [K H]. apply Z.eqb_eq in K. subst m. f_equal. revert r H.
    induction IH as [|x l X F IH]; intros [|y r] H; try discriminate; [reflexivity|]. apply andb_true_iff in H as [A B].
    rewrite (X y A), (IH r B). reflexivity.
Qed.
Definition row_at (rows : list found) (x i : found) : found :=
  match x, i with
  | Is (List first _), Is (Number q) => match whole q with
    | Some k => if k - first <? 0 then Refused else match nth_error rows (Z.to_nat (k - first)) with
      | Some f => f | None => Refused end
    | None => Refused
    end
  | _, _ => Refused
  end.
(** Scores are compared alone, so that they need no lowest terms. *)
Fixpoint score_of (a b : list value) : option Q :=
  match a, b with
  | [], [] => Some 0%Q
  | [Number x], [Number y] => Some (x * y)%Q
  | Number x :: a, Number y :: b => match score_of a b with Some s => Some (x * y + s)%Q | None => None end
  | _, _ => None
  end.
Fixpoint scores (keys : list found) (query : found) : option (list Q) :=
  match keys with
  | [] => Some []
  | Is (List _ a) :: keys => match query with
    | Is (List _ b) => match score_of a b, scores keys query with Some q, Some l => Some (q :: l) | _, _ => None end
    | _ => None
    end
  | _ => None
  end.
Fixpoint top_of (q : Q) (l : list Q) : Q :=
  match l with [] => q | r :: l => top_of (if Qle_bool r q then q else r) l end.
Fixpoint pick (q : Q) (l : list Q) (vs : list found) : list found :=
  match l, vs with r :: l, v :: vs => if Qle_bool q r then v :: pick q l vs else pick q l vs | _, _ => [] end.
Definition quick_average (keys values : list found) (query : found) : found :=
  match scores keys query with
  | Some (q :: l) => match pick (top_of q l) (q :: l) values with [v] => v | l => quick_mean l end
  | _ => Refused
  end.
Definition quick_head (W_O : found) (values keys queries : list found) (b_Q x i : found) : found :=
  match quick_plus (row_at queries x i) b_Q with
  | Is q => quick_times W_O (quick_average keys values (Is q))
  | Refused => Refused
  end.
(** A row of the table is what was multiplied. *)
Lemma row_at_is W x i : row_at (products W x) x i = times W (index x i).
Proof.
  assert (forall f, times W (index f i) = times W (quick_index f i)) as Q by (intros f; rewrite quick_index_is;
    reflexivity).
  assert (times W Refused = Refused) as R by (destruct W; reflexivity).
  unfold row_at. rewrite Q. unfold quick_index. destruct x as [[| |first l]|]; rewrite ?R; try reflexivity.
  destruct i as [[q| |]|]; rewrite ?R; try reflexivity.
  replace (if Pos.eqb (Qden q) 1 then item l (Qnum q - first) else match whole_of q with Some k => item l (k - first) |
    None =>
    Refused end) with (match whole q with Some k => item l (k - first) | None => Refused end)
    by (rewrite <- whole_is; unfold whole; destruct (Pos.eqb _ _); reflexivity).
  destruct (whole q) as [k|]; rewrite ?R; [|reflexivity].
  unfold item. destruct (Z.ltb_spec (k - first) 0) as [_|P]; rewrite ?R; [reflexivity|].
  unfold products. rewrite places_of_is. cbn [positions].
  assert (forall m a n, nth_error (at_each (fun j => quick_times W (quick_index (Is (List first l)) j)) (from a m)) n =
    if Nat.ltb n m then Some (quick_times W (quick_index (Is (List first l)) (Is (of_whole (a + Z.of_nat n))))) else
      None) as
    Nth.
  { induction m as [|m IH]; intros a n; [destruct n; reflexivity|]. destruct n as [|n]; cbn [from at_each nth_error].
    - rewrite Z.add_0_r. reflexivity.
    - rewrite IH. change (Nat.ltb (S n) (S m)) with (Nat.ltb n m). replace (a + 1 + Z.of_nat n) with (a + Z.of_nat (S
      n)) by
        lia. reflexivity. }
  rewrite Nth. destruct (Nat.ltb_spec (Z.to_nat (k - first)) (length l)) as [L|L].
  - rewrite quick_times_is. f_equal. cbn [quick_index of_whole inject_Z Qden Qnum Pos.eqb]. unfold item.
    replace (first + Z.of_nat (Z.to_nat (k - first)) - first) with (k - first) by lia.
    destruct (Z.ltb_spec (k - first) 0); [lia|reflexivity].
  - rewrite (proj2 (nth_error_None l _) L), R. reflexivity.
Qed.
(** Products are in lowest terms already, and their lists begin at 1. *)
Fixpoint reduced (v : value) : Prop :=
  match v with
  | Number q => lowest q = q
  | Truth _ => False
  | List k l => k = 1 /\ (fix all l := match l with [] => True | v :: l => reduced v /\ all l end) l
  end.
(** A multiple is, *)
Lemma scale_reduced q v : forall w, scale q v = Is w -> reduced w.
Proof.
  induction v as [x|x|k l IH] using value_induction; intros w E; try discriminate; cbn [scale] in E.
  - inversion E. cbn. apply lowest_same, lowest_is.
  - match type of E with match ?a with _ => _ end = _ => destruct a as [r|] eqn:R; inversion E; subst end. clear E.
    split; [reflexivity|]. revert r R. induction IH as [|x l X F IH]; intros r R; cbn in R; [inversion R; exact I|].
    destruct (scale q x) as [z|] eqn:Z; [|discriminate]. match type of R with option_map _ ?a = _ => destruct a as [t|];
      inversion R; subst end. split; [apply X; reflexivity|apply (IH t eq_refl)].
Qed.
(** of which once is itself, *)
Lemma scale_one v : reduced v -> scale 1 v = Is v.
Proof.
  induction v as [x|x|k l IH] using value_induction; intros R; [|destruct R|]; cbn [scale reduced] in *.
  - unfold is_number. rewrite (lowest_same (1 * x) x), R by ring. reflexivity.
  - destruct R as [-> R]. match goal with |- match ?a with _ => _ end = _ => replace a with (Some l); [reflexivity|]
    end. symmetry. induction IH as [|x l X F IH]; [reflexivity|]. destruct R as [A B]. cbn. rewrite (X A).
    match goal with |- option_map _ ?a = _ => replace a with (Some l); [reflexivity|symmetry; apply IH, B] end.
Qed.
(** and a product. *)
Lemma times_reduced a b w : times a b = Is w -> reduced w.
Proof.
  destruct a as [a|]; [|discriminate]. destruct b as [b|]; [|discriminate]. cbn [times as_value]. intros E.
  destruct a as [x|x|k rows]; [apply (scale_reduced x b), E|destruct b as [y|y|m l]; try discriminate; apply
    (scale_reduced y
    (Truth x)), E|]. destruct b as [y|y|m l]; cbn [multiply] in E; [apply (scale_reduced y _ _ E)|discriminate|].
  destruct (kind_of (List k rows)) as [[| | |[| | |[]]]|]; try discriminate. unfold list_of in E.
  destruct (all_found (map (row_times l) rows)) as [r|] eqn:R; [|discriminate]. unfold list_from in E.
  destruct (kind_of (List 1 r)); [|discriminate]. inversion E; subst. clear E. split; [reflexivity|]. revert r R.
  induction rows as [|row rows IH]; intros r R; [inversion R; exact I|]. cbn [map all_found] in R.
  destruct (row_times l row) as [q|] eqn:Q; [|discriminate]. destruct (all_found (map _ rows)) as [t|]; inversion R;
    subst.
  split; [|apply (IH t eq_refl)]. destruct row as [| |z a]; try discriminate. cbn [row_times] in Q. unfold dot_found in
    Q.
  destruct (dot_of a l) as [p|]; [|discriminate]. inversion Q. cbn. apply lowest_same, lowest_is.
Qed.
(** So the mean of one is that one. *)
Lemma mean_one f : (forall w, f = Is w -> reduced w) -> quick_mean [f] = f.
Proof.
  intros R. unfold quick_mean. cbn [length plus_all]. rewrite quick_times_is. destruct f as [[x|x|k l]|]; try
    reflexivity;
    cbn [times as_value]; apply scale_one, R; reflexivity.
Qed.
(** Scores are the numbers that they are compared as. *)
Lemma score_of_is a : forall b, match score_of a b, quick_dot_of a b with
  | Some p, Some q => (p == q)%Q | None, None => True | _, _ => False end.
Proof.
  intros b. rewrite quick_dot_of_is. revert b. induction a as [|x a IH]; intros [|y b]; try exact I;
    [reflexivity|destruct x, a;
    exact I|]. destruct x as [x| |]; [|destruct a; exact I|destruct a; exact I].
  destruct y as [y| |]; [|destruct a; exact I|destruct a; exact I]. destruct a as [|x' a], b as [|y' b].
  - cbn. rewrite lowest_is. ring.
  - exact I.
  - destruct x', a; exact I.
  - specialize (IH (y' :: b)). remember (x' :: a) as a'. remember (y' :: b) as b'.
    assert (score_of (Number x :: a') (Number y :: b') = match score_of a' b' with Some s => Some (x * y + s)%Q | None
      => None
      end) as -> by (subst; reflexivity).
    cbn [dot_of]. destruct (score_of a' b'), (dot_of a' b'); cbn [option_map]; try contradiction; [|exact I].
    rewrite lowest_is, IH. reflexivity.
Qed.
Definition same_q (o : option (list Q)) (l : option (list (Z * Q))) : Prop :=
  match o, l with Some o, Some l => Forall2 (fun p r => p == snd r)%Q o l | None, None => True | _, _ => False end.
(** Scores of all keys. *)
Lemma scores_are K query js : same_q (scores (at_each K js) query) (quick_scored js (fun j => dot (K j) query)
  everywhere).
Proof.
  induction js as [|j js IH]; [constructor|]. cbn [at_each scores quick_scored everywhere yes].
  change (Is (Number (j # 1))) with (Is (of_whole j)). unfold same_q in *.
  destruct (K (Is (of_whole j))) as [[| |k a]|]; try exact I. destruct query as [[| |m b]|]; try exact I. cbn [dot
    as_list].
  pose proof (score_of_is a b) as S. rewrite quick_dot_of_is in S. unfold dot_found, is_number.
  destruct (score_of a b), (dot_of a b); try contradiction; [|exact I].
  destruct (scores _ _), (quick_scored js _ _); try contradiction; [|exact I]. constructor; [cbn [snd]; rewrite
    lowest_is; exact S|assumption].
Qed.
(** Numbers that are equal compare alike. *)
Lemma top_same o l : Forall2 (fun p (r : Z * Q) => p == snd r)%Q o l -> forall p q, (p == q)%Q -> (top_of p o == top q
  l)%Q.
Proof.
  induction 1 as [|p [j r] o l E F IH]; intros a b S; [exact S|]. cbn [top_of top snd] in *. apply IH.
  replace (Qle_bool p a) with (Qle_bool r b); [destruct (Qle_bool r b); assumption|].
  apply eq_true_iff_eq. rewrite !Qle_bool_iff, E, S. reflexivity.
Qed.
(** and so those at the top. *)
Lemma pick_same m m' V js : (m == m')%Q -> forall o l, Forall2 (fun p (r : Z * Q) => p == snd r)%Q o l -> map fst l =
  js ->
  pick m o (at_each V js) = at_each V (those_at m' l).
Proof.
  intros M o l F. revert js. induction F as [|p [j r] o l E F IH]; intros js N; subst js; [reflexivity|].
  cbn [map fst at_each pick those_at snd] in *. rewrite (IH _ eq_refl).
  replace (Qle_bool m p) with (Qle_bool m' r); [destruct (Qle_bool m' r); reflexivity|].
  apply eq_true_iff_eq. rewrite !Qle_bool_iff, E, M. reflexivity.
Qed.
(** What a head reads is [read]. *)
Lemma quick_average_is V K query js first l : (forall j w, V j = Is w -> reduced w) -> js = from first (length l) ->
  quick_average (at_each K js) (at_each V js) query =
  read average V (fun j => dot (K j) query) everywhere None (Is (List first l)).
Proof.
  intros R E. rewrite <- (quick_read_is average V (fun j => dot (K j) query) (Some everywhere) None). unfold
    quick_average, quick_read.
  rewrite places_of_is. cbn [positions]. rewrite <- E. clear E first l.
  pose proof (scores_are K query js) as S.
  assert (forall l, quick_scored js (fun j => dot (K j) query) everywhere = Some l -> map fst l = js) as N.
  { clear S. induction js as [|j js IH]; intros l E; cbn [quick_scored everywhere yes] in E; [inversion E;
    reflexivity|].
    destruct (dot _ query) as [[q| |]|]; try discriminate. destruct (quick_scored js _ _) as [t|]; [|discriminate].
    inversion E. cbn. f_equal. apply IH. reflexivity. }
  unfold same_q in S. destruct (scores _ _) as [o|], (quick_scored js _ _) as [l|]; try contradiction; [|reflexivity].
  specialize (N l eq_refl). rewrite quick_largest_is, largest_is_top. destruct S as [|p [j r] o l E F];
    [cbn in N; subst js; reflexivity|]. cbn [snd] in E. pose proof (top_same o l F p r E) as Top.
  rewrite (pick_same _ (top r l) V js Top (p :: o) ((j, r) :: l)) by (auto; constructor; assumption).
  assert (those_at (top r l) ((j, r) :: l) <> []) as Some_.
  { pose proof (top_is l r) as (A & B & C).
    assert (forall m l, (exists p : Z * Q, In p l /\ snd p = m) -> those_at m l <> []) as Has.
    { clear. intros m l. induction l as [|[k r] l IH]; intros (p & I & P); [destruct I|]. cbn [those_at].
      destruct (Qle_bool m r) eqn:L; [discriminate|]. apply IH. destruct I as [<-|I]; [|exists p; auto]. exfalso. cbn
        in P.
      subst r. assert (Qle_bool m m = true) by (apply Qle_bool_iff, Qle_refl). congruence. }
    apply Has. destruct C as [C|(s & I & P)]; [exists (j, r); split; [left; reflexivity|symmetry; exact C]|exists s;
      split;
      [right; exact I|exact P]]. }
  destruct (those_at _ _) as [|k ks]; [contradiction|]. cbn [at_each]. destruct ks as [|k' ks]; [|reflexivity].
  cbn [at_each]. symmetry. apply mean_one, R.
Qed.
(** It is [head]. *)
Lemma quick_head_is W_O W_V W_K W_Q b_Q x i : quick_head W_O (table W_V x) (table W_K x) (table W_Q x) b_Q x i =
  head W_O W_V W_K W_Q b_Q x i.
Proof.
  unfold quick_head, head, table, remember_two. rewrite row_at_is, quick_plus_is.
  destruct (plus (times W_Q (index x i)) b_Q) as [q|] eqn:P; [|reflexivity]. cbn [given]. rewrite quick_times_is.
    f_equal.
  destruct x as [[| |first l]|];
    try (exfalso; assert (times W_Q Refused = Refused) as R by (destruct W_Q; reflexivity); cbn [index as_list] in P;
         rewrite R in P; discriminate).
  unfold products. rewrite !places_of_is, (quick_average_is _ _ _ _ first l); [|intros j w; rewrite quick_times_is;
    apply
    times_reduced|reflexivity]. apply read_ext; intros j; rewrite ?quick_times_is,
    ?quick_index_is; reflexivity.
Qed.
