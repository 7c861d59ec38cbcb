(** Codes of polynomial size whose sum over n columns tells how often each column occurs: the power sums of degrees 1 to
    n, as digits. n numbers are known from them, up to order (Newton's identities). *)
From Coq Require Import ZArith List Arith Lia Permutation.
From Contextual Require Import Grid.
Import ListNotations.
Open Scope Z_scope.

(** ** Newton's identities, for lists of whole numbers *)
(** x_1^i + ... + x_n^i *)
Definition power_sum (i : nat) (l : list Z) : Z := fold_right (fun x s => x ^ Z.of_nat i + s) 0 l.

(** e_k: the sum of the products of k of the numbers *)
Fixpoint elementary (k : nat) (l : list Z) : Z :=
  match k, l with O, _ => 1 | S _, [] => 0 | S k', x :: l' => elementary k l' + x * elementary k' l' end.

(** The sum over j of x_j^i e_k, where e_k leaves x_j out *)
Fixpoint hook (i k : nat) (l : list Z) : Z :=
  match l with
  | [] => 0
  | x :: l' => x ^ Z.of_nat i * elementary k l' + hook i k l' + x * match k with O => 0 | S k' => hook i k' l' end
  end.

(** The empty product. *)
Lemma elementary_O l : elementary 0 l = 1.
Proof. destruct l; reflexivity. Qed.

(** No product of more numbers than there are. *)
Lemma elementary_long l : forall k, (length l < k)%nat -> elementary k l = 0.
Proof.
  induction l as [|x l IH]; intros k H; destruct k as [|k]; simpl in H; try lia; [reflexivity|]. simpl.
  rewrite !IH by lia. ring.
Qed.

(** e_0 with a power is the power sum. *)
Lemma hook_O i l : hook i 0 l = power_sum i l.
Proof. induction l as [|x l IH]; [reflexivity|]. simpl. rewrite IH, elementary_O. ring. Qed.

(** What leaves x_j out and what doesn't make up the product of e_{k+1} and a power sum. *)
Lemma hook_product i l : forall k, hook i (S k) l + hook (S i) k l = elementary (S k) l * power_sum i l.
Proof.
  induction l as [|x l IH]; intros k; [simpl; ring|].
  assert (x ^ Z.of_nat (S i) = x * x ^ Z.of_nat i) as P by (rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia; reflexivity).
  cbn [hook]. rewrite P. change (power_sum i (x :: l)) with (x ^ Z.of_nat i + power_sum i l).
  change (elementary (S k) (x :: l)) with (elementary (S k) l + x * elementary k l).
  specialize (IH k) as IHk. destruct k as [|k].
  - rewrite hook_O, elementary_O in *. transitivity (x ^ Z.of_nat i * elementary 1 l + (hook i 1 l + hook (S i) 0 l) +
      x * (power_sum i l + x ^ Z.of_nat i)); [rewrite hook_O; ring|]. rewrite hook_O. rewrite IHk. ring.
  - transitivity (x ^ Z.of_nat i * (elementary (S (S k)) l + x * elementary (S k) l) +
      (hook i (S (S k)) l + hook (S i) (S k) l) + x * (hook i (S k) l + hook (S i) k l)); [ring|].
    rewrite IHk, IH. ring.
Qed.

(** Each product of k+1 numbers is met k+1 times. *)
Lemma hook_one l : forall k, hook 1 k l = Z.of_nat (S k) * elementary (S k) l.
Proof.
  induction l as [|x l IH]; intros k; [simpl; ring|]. cbn [hook]. rewrite IH.
  change (elementary (S k) (x :: l)) with (elementary (S k) l + x * elementary k l). change (x ^ Z.of_nat 1) with (x
    ^ 1).
  rewrite Z.pow_1_r. destruct k as [|k].
  - rewrite elementary_O. change (Z.of_nat 1) with 1. ring.
  - rewrite IH. rewrite (Nat2Z.inj_succ (S k)). ring.
Qed.

(** Newton: equal power sums, equal e_k. *)
Lemma newton n l l' : (forall i, (1 <= i <= n)%nat -> power_sum i l = power_sum i l') ->
  forall k, (k <= n)%nat -> elementary k l = elementary k l'.
Proof.
  intros H. assert (forall k i, (1 <= i)%nat -> (i + k <= n)%nat -> hook i k l = hook i k l') as G.
  { induction k as [|k IH]; intros i Hi Hk.
    - rewrite !hook_O. apply H. lia.
    - pose proof (hook_product i l k) as P. pose proof (hook_product i l' k) as P'.
      rewrite (IH (S i)) in P by lia. rewrite (H i) in P by lia.
      assert (elementary (S k) l = elementary (S k) l') as E; [|rewrite E in P; lia].
      pose proof (IH 1%nat ltac:(lia) ltac:(lia)) as O. rewrite !hook_one in O. nia. }
  intros k Hk. destruct k as [|k]; [rewrite !elementary_O; reflexivity|].
  pose proof (G k 1%nat ltac:(lia) ltac:(lia)) as O. rewrite !hook_one in O. nia.
Qed.

(** ** The polynomial with these roots, from its coefficients *)
Definition roots (l : list Z) (t : Z) : Z := fold_right (fun x s => (t - x) * s) 1 l.
Fixpoint horner (m : nat) (l : list Z) (t : Z) : Z :=
  match m with O => 1 | S m' => t * horner m' l t + (-1) ^ Z.of_nat m * elementary m l end.

(** One more root. *)
Lemma horner_cons x l t m : horner (S m) (x :: l) t = horner (S m) l t - x * horner m l t.
Proof.
  induction m as [|m IH].
  - cbn [horner]. change (elementary 1 (x :: l)) with (elementary 1 l + x * elementary 0 l). rewrite elementary_O.
    change ((-1) ^ Z.of_nat 1) with (-1). ring.
  - cbn [horner] in *. rewrite IH.
    change (elementary (S (S m)) (x :: l)) with (elementary (S (S m)) l + x * elementary (S m) l).
    assert ((-1) ^ Z.of_nat (S (S m)) = - (-1) ^ Z.of_nat (S m)) as ->
      by (rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia; ring).
    ring.
Qed.

(** The product of the factors is the polynomial. *)
Lemma horner_roots l t : horner (length l) l t = roots l t.
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn [length roots fold_right]. rewrite horner_cons. cbn [horner].
  rewrite (elementary_long l (S (length l))) by lia. rewrite IH. unfold roots. ring.
Qed.

(** It is 0 at the roots only. *)
Lemma roots_zero l t : roots l t = 0 <-> In t l.
Proof.
  induction l as [|x l IH]; simpl; [lia|]. rewrite Z.mul_eq_0, IH. split; (intros [H|H]; [left; lia|right; exact H]).
Qed.

(** n numbers are known from their power sums of degrees 1 to n, but for their order. *)
Theorem power_sums_tell l : forall l', length l' = length l ->
  (forall i, (1 <= i <= length l)%nat -> power_sum i l = power_sum i l') -> Permutation l l'.
Proof.
  induction l as [|x l IH]; intros l' L H.
  - destruct l'; [constructor|discriminate].
  - assert (In x l') as I.
    { apply roots_zero. rewrite <- horner_roots, L.
      assert (forall m, (m <= length (x :: l))%nat -> horner m l' x = horner m (x :: l) x) as E.
      { induction m as [|m IHm]; intros Hm; [reflexivity|]. cbn [horner].
        rewrite IHm, (newton _ _ _ H) by lia. reflexivity. }
      rewrite E, horner_roots by lia. apply roots_zero. left. reflexivity. }
    apply in_split in I. destruct I as [a [b ->]]. apply Permutation_cons_app, IH.
    + rewrite app_length in *. simpl in L. lia.
    + intros i Hi. specialize (H i ltac:(simpl; lia)).
      assert (forall a b, power_sum i (a ++ b) = power_sum i a + power_sum i b) as A.
      { intros a0 b0. induction a0 as [|y a0 IHa]; simpl; [ring|]. rewrite IHa. ring. }
      rewrite A in *. simpl in H. lia.
Qed.

(** ** The codes: of the number k, the digits k, k^2, ..., k^n in a base that is above each sum of n of them. *)
Definition digit_base (n B : nat) : nat := (n * B ^ n + 1)%nat.
Fixpoint code_to (m b k : nat) : nat := match m with O => O | S m' => (code_to m' b k + b ^ m' * k ^ m)%nat end.
Definition column_code (n B k : nat) : nat := code_to n (digit_base n B) k.

Section Codes.
Variables n B : nat.
Notation b := (digit_base n B).

(** Codes are below base^n. *)
Lemma code_to_below m k : (m <= n)%nat -> (1 <= n)%nat -> (k < B)%nat -> (code_to m b k < b ^ m)%nat.
Proof using.
  intros Hm Hn Hk. induction m as [|m IH]; [simpl; lia|]. specialize (IH ltac:(lia)). cbn [code_to].
  rewrite (Nat.pow_succ_r' b m). assert (k ^ S m + 1 <= b)%nat as D; [|nia].
  unfold digit_base. assert (k ^ S m <= B ^ n)%nat; [|nia].
  apply Nat.le_trans with (B ^ S m)%nat; [apply Nat.pow_le_mono_l; lia|apply Nat.pow_le_mono_r; lia].
Qed.

(** All of a code. *)
Lemma code_below k : (1 <= n)%nat -> (k < B)%nat -> (column_code n B k < b ^ n)%nat.
Proof using. intros Hn Hk. apply code_to_below; [apply le_n|exact Hn|exact Hk]. Qed.

(** The sum of codes has the power sums for digits. *)
Lemma code_sum ks : Z.of_nat (list_sum (map (column_code n B) ks)) =
  expand (Z.of_nat b) n (fun i => power_sum (S i) (map Z.of_nat ks)).
Proof using.
  assert (forall m, Z.of_nat (list_sum (map (code_to m b) ks)) =
    expand (Z.of_nat b) m (fun i => power_sum (S i) (map Z.of_nat ks))) as G; [|apply G].
  induction m as [|m IH].
  - change (Z.of_nat (list_sum (map (fun _ => O) ks)) = 0). induction ks as [|k l IH]; [reflexivity|exact IH].
  - rewrite expand_S, <- IH. clear IH. induction ks as [|k l IH]; [simpl; ring|].
    cbn [map]. change (power_sum (S m) (Z.of_nat k :: map Z.of_nat l)) with
      (Z.of_nat k ^ Z.of_nat (S m) + power_sum (S m) (map Z.of_nat l)).
    change (list_sum (?x :: ?l)) with (x + list_sum l)%nat. rewrite !Nat2Z.inj_add, IH.
    cbn [code_to]. rewrite Nat2Z.inj_add, Nat2Z.inj_mul, !Nat2Z.inj_pow. ring.
Qed.

(** Power sums of n numbers below B are digits. *)
Lemma power_sum_range m ks : (forall k, In k ks -> (k < B)%nat) -> length ks = n -> (1 <= m <= n)%nat ->
  0 <= power_sum m (map Z.of_nat ks) < Z.of_nat b.
Proof using.
  intros H L Hm. assert (0 <= power_sum m (map Z.of_nat ks) <= Z.of_nat (length ks * B ^ n)) as G.
  { clear L. induction ks as [|k l IH]; [simpl; lia|]. specialize (IH ltac:(intros; apply H; right; assumption)).
    specialize (H k ltac:(left; reflexivity)). cbn [map length].
    change (power_sum m (Z.of_nat k :: map Z.of_nat l)) with (Z.of_nat k ^ Z.of_nat m + power_sum m (map Z.of_nat l)).
    rewrite <- Nat2Z.inj_pow. assert (k ^ m <= B ^ n)%nat; [|nia].
    apply Nat.le_trans with (B ^ m)%nat; [apply Nat.pow_le_mono_l; lia|apply Nat.pow_le_mono_r; lia]. }
  rewrite L in G. unfold digit_base. lia.
Qed.

(** Equal sums of codes: the same numbers, in any order. *)
Theorem codes_tell ks ks' : (1 <= n)%nat -> (1 <= B)%nat -> (forall k, In k ks -> (k < B)%nat) -> (forall k, In k ks'
  -> (k < B)%nat) ->
  length ks = n -> length ks' = n -> list_sum (map (column_code n B) ks) = list_sum (map (column_code n B) ks') ->
  Permutation ks ks'.
Proof using.
  intros n1 B1 H H' L L' E.
  assert (2 <= b)%nat as b2 by (unfold digit_base; pose proof (Nat.pow_nonzero B n ltac:(lia)); nia).
  apply (f_equal Z.of_nat) in E. rewrite !code_sum in E.
  assert (Permutation (map Z.of_nat ks) (map Z.of_nat ks')) as P.
  { apply power_sums_tell; rewrite !map_length; [congruence|]. intros i Hi. rewrite L in Hi.
    replace i with (S (i - 1)) by lia.
    apply (expand_inj (Z.of_nat b) ltac:(lia) n (fun i => power_sum (S i) (map Z.of_nat ks))
      (fun i => power_sum (S i) (map Z.of_nat ks'))); [| |exact E|lia]; intros j Hj; apply power_sum_range;
      try assumption; lia. }
  apply (Permutation_map Z.to_nat) in P. rewrite !map_map in P.
  rewrite !(map_ext (fun x => Z.to_nat (Z.of_nat x)) (fun x => x)), !map_id in P by (intros; apply Nat2Z.id). exact P.
Qed.

(** One code tells its column. *)
Lemma code_tells k k' : (1 <= n)%nat -> (k < B)%nat -> (k' < B)%nat -> column_code n B k = column_code n B k' -> k = k'.
Proof using.
  intros n1 Hk Hk' E. assert (Permutation (repeat k n) (repeat k' n)) as P.
  { apply codes_tell; try apply repeat_length; try lia; try (intros x Hx; apply repeat_spec in Hx; subst x; assumption).
    assert (forall k m, list_sum (map (column_code n B) (repeat k m)) = (m * column_code n B k)%nat) as S.
    { intros x m. induction m as [|m IH]; [reflexivity|]. simpl. rewrite IH. reflexivity. }
    rewrite !S, E. reflexivity. }
  apply (repeat_spec n). apply (Permutation_in k P). destruct n; [lia|left; reflexivity].
Qed.
End Codes.
