(** Finite sums and products. *)
From Coq Require Import Reals List Arith Lia Lra Psatz Permutation.
From Contextual Require Finite.
From Contextual Require Export Permutations.
From Contextual Require Import Approximation.
Import ListNotations.
Open Scope R_scope.

(** [Finite.v]'s sums, of real numbers. *)
Lemma R_sums : Finite.summation eq Rplus 0 sum.
Proof. split; try exact _; intros; ring || reflexivity. Qed.

(** Their order. *)
Lemma R_order : Finite.ordered eq Rplus Rle.
Proof. split; [exact Req_le|exact Rle_trans|intros; apply Rplus_le_compat; assumption]. Qed.

(** Their products. *)
Lemma R_products : Finite.summation eq Rmult 1 prod.
Proof. split; try exact _; intros; ring || reflexivity. Qed.

Definition sum_ext := Finite.ext R_sums.
Definition sum_plus := Finite.plus R_sums.
Definition sum_scale := Finite.scale R_sums Rmult (fun c => f_equal (Rmult c)) Rmult_0_r Rmult_plus_distr_l.
Definition sum_zero := Finite.zero R_sums.
Definition sum_single := Finite.single R_sums.
Definition sum_le := Finite.mono R_sums R_order.
Definition sum_nonneg := Finite.nonneg R_sums R_order.
Definition sum_term := Finite.term R_sums R_order.
Definition sum_perm := Finite.reordered R_sums.
Definition prod_ext := Finite.ext R_products.
Definition prod_one := Finite.zero R_products.
Definition prod_single := Finite.single R_products.
Definition prod_perm := Finite.reordered R_products.

(** The sum of a constant. *)
Lemma sum_const m c : sum m (fun _ => c) = INR m * c.
Proof. induction m as [|m IH]; simpl sum; [simpl; lra|]. rewrite IH, S_INR. lra. Qed.

(** A sum of positive terms. *)
Lemma sum_pos m f : (0 < m)%nat -> (forall k, (k < m)%nat -> 0 < f k) -> 0 < sum m f.
Proof.
  intros Hm H. destruct m as [|m]; [lia|]. simpl.
  pose proof (sum_nonneg m f (fun k Hk => Rlt_le _ _ (H k ltac:(lia)))). specialize (H m ltac:(lia)). lra.
Qed.

(** Terms that aren't negative and whose sum is 0 are 0. *)
Lemma sum_zero_inv m (h : nat -> R) : (forall k, (k < m)%nat -> 0 <= h k) -> sum m h <= 0 -> forall k, (k < m)%nat ->
  h k = 0.
Proof. intros H S k Hk. pose proof (sum_term m h k H Hk). specialize (H k Hk). lra. Qed.

(** A bound of |a|, as two. *)
Lemma between a e : Rabs a <= e -> - e <= a <= e.
Proof. unfold Rabs. destruct (Rcase_abs a); lra. Qed.

(** ** Products *)
(** A product of ones, but for two factors. *)
Lemma prod_two m f k0 k1 : (k0 < m)%nat -> (k1 < m)%nat -> k0 <> k1 -> (forall k, (k < m)%nat -> k <> k0 -> k <> k1 ->
  f k = 1) ->
  prod m f = f k0 * f k1.
Proof.
  induction m as [|m IH]; intros H0 H1 H01 H; [lia|]. simpl.
  destruct (Nat.eq_dec k0 m) as [->|N0]; [|destruct (Nat.eq_dec k1 m) as [->|N1]].
  - rewrite (prod_single m f k1); [ring|lia|]. intros. apply H; lia.
  - rewrite (prod_single m f k0); [ring|lia|]. intros. apply H; lia.
  - rewrite IH, (H m) by (try lia; intros; apply H; lia). ring.
Qed.

(** A product of multiples. *)
Lemma prod_scale m c h : prod m (fun k => c * h k) = c ^ m * prod m h.
Proof. induction m as [|m IH]; simpl; [ring|]. rewrite IH. ring. Qed.

(** A product of equal factors. *)
Lemma prod_const m a : prod m (fun _ => a) = a ^ m.
Proof. induction m as [|m IH]; simpl; [reflexivity|]. rewrite IH. ring. Qed.

(** A product of factors in [0, 1] is there too. *)
Lemma prod_le_one m f : (forall k, (k < m)%nat -> 0 <= f k <= 1) -> 0 <= prod m f <= 1.
Proof. induction m as [|m IH]; intros H; simpl; [lra|]. specialize (IH (fun k Hk => H k (Nat.lt_lt_succ_r _ _ Hk))).
  specialize (H m (Nat.lt_succ_diag_r m)). nra. Qed.

(** A product of positive factors. *)
Lemma prod_pos m f : (forall k, (k < m)%nat -> 0 < f k) -> 0 < prod m f.
Proof. induction m as [|m IH]; intros H; simpl; [lra|]. apply Rmult_lt_0_compat; auto. Qed.

(** A product in two parts. *)
Lemma prod_add a b f : prod (a + b) f = prod a f * prod b (fun k => f (a + k)%nat).
Proof. induction b as [|b IH]; [rewrite Nat.add_0_r; simpl; ring|]. rewrite Nat.add_succ_r. simpl. rewrite IH. ring.
  Qed.

(** A product over all entries, row after row. *)
Lemma prod_flat d n f : (0 < n)%nat -> prod (d * n) (fun k => f (k / n)%nat (k mod n)%nat) = prod d (fun i =>
  prod n (fun j => f i j)).
Proof.
  intros Hn. induction d as [|d IH]; [reflexivity|]. replace (S d * n)%nat with (d * n + n)%nat by lia.
  rewrite prod_add, IH. simpl. f_equal.
  apply prod_ext. intros j Hj. rewrite Nat.div_add_l, Nat.div_small, Nat.add_0_r by lia. f_equal.
  rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small by lia. reflexivity.
Qed.

(** A product with a factor 0. *)
Lemma prod_zero m f k : (k < m)%nat -> f k = 0 -> prod m f = 0.
Proof. induction m as [|m IH]; intros Hk E; [lia|]. simpl. destruct (Nat.eq_dec k m) as [->|];
  [rewrite E; ring|rewrite IH by (try assumption; lia); ring]. Qed.

(** ** Sums over a list *)
Definition total {A} (h : A -> R) (l : list A) : R := fold_right (fun b s => h b + s) 0 l.

(** The same for sums over a list: equal terms. *)
Lemma total_ext {A} (h h' : A -> R) l : (forall b, In b l -> h b = h' b) -> total h l = total h' l.
Proof. induction l as [|a l IH]; intros H; simpl; [reflexivity|]. rewrite (H a), IH; auto using in_eq, in_cons. Qed.

(** Larger terms. *)
Lemma total_le {A} (h h' : A -> R) l : (forall b, In b l -> h b <= h' b) -> total h l <= total h' l.
Proof. induction l as [|a l IH]; intros H; simpl; [lra|]. pose proof (H a (in_eq _ _)).
  specialize (IH (fun b Hb => H b (in_cons _ _ _ Hb))). lra. Qed.

(** Terms that aren't negative. *)
Lemma total_nonneg {A} (h : A -> R) l : (forall b, 0 <= h b) -> 0 <= total h l.
Proof. intros H. induction l as [|a l IH]; simpl; [lra|specialize (H a); lra]. Qed.

(** The sum of sums. *)
Lemma total_plus {A} (h h' : A -> R) l : total (fun b => h b + h' b) l = total h l + total h' l.
Proof. induction l as [|a l IH]; simpl; [ring|]. rewrite IH. ring. Qed.

(** The sum of multiples. *)
Lemma total_scale {A} c (h : A -> R) l : total (fun b => c * h b) l = c * total h l.
Proof. induction l as [|a l IH]; simpl; [ring|]. rewrite IH. ring. Qed.

(** A sum of totals is the total of the sums. *)
Lemma total_sum {A} (h : nat -> A -> R) m l : sum m (fun i => total (h i) l) = total (fun b =>
  sum m (fun i => h i b)) l.
Proof.
  induction l as [|a l IH]; simpl; [rewrite sum_const; ring|]. rewrite <- IH, <- sum_plus. reflexivity.
Qed.

(** One term is at most the total. *)
Lemma total_term {A} (h : A -> R) l a : (forall b, 0 <= h b) -> In a l -> h a <= total h l.
Proof.
  intros H0. induction l as [|b l IH]; intros Hin; [contradiction|]. simpl. destruct Hin as [->|Hin].
  - pose proof (total_nonneg h l H0). lra.
  - specialize (IH Hin). specialize (H0 b). lra.
Qed.

(** Over the images of a list. *)
Lemma total_map {A B} (f : A -> B) h l : total h (map f l) = total (fun a => h (f a)) l.
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.

(** Over two lists. *)
Lemma total_app {A} (h : A -> R) l l' : total h (l ++ l') = total h l + total h l'.
Proof. induction l as [|a l IH]; simpl; [ring|]. rewrite IH. ring. Qed.

(** Over lists of a list. *)
Lemma total_flat {A B} (f : A -> list B) h l : total h (flat_map f l) = total (fun a => total h (f a)) l.
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. rewrite total_app, IH. reflexivity. Qed.

(** Over the first m numbers. *)
Lemma total_seq h m : total h (seq 0 m) = sum m h.
Proof. induction m as [|m IH]; [reflexivity|]. rewrite seq_S, total_app, IH. simpl. ring. Qed.
