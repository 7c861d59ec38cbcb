(** Networks evaluated with each layer's result in a table, and that this gives the very numbers of [run] and [run_all]:
    as they stand these recompute a layer at each look at an entry. *)

From Coq Require Import QArith List Arith Bool Lia.
From Contextual Require Import Statement Layers.
Import ListNotations.
Open Scope Q_scope.

Definition look (t : list (list Q)) : matrix := fun i j => nth j (nth i t []) 0.

Section Table.
Variables d n : nat.

Definition table (X : matrix) : list (list Q) := map (fun i => map (fun j => X i j) (seq 0 n)) (seq 0 d).
Definition run_table (network : list layer) (t : list (list Q)) : list (list Q) :=
  fold_left (fun t l => table (attention d n l (look t))) network t.

Definition agree (X Y : matrix) : Prop := forall i j, (i < d)%nat -> (j < n)%nat -> X i j = Y i j.

(** The table of a matrix. *)
Lemma look_table X : agree (look (table X)) X.
Proof using.
  intros i j Hi Hj. unfold look, table.
  rewrite (nth_indep _ [] (map (fun j => X O j) (seq 0 n))) by (rewrite map_length, seq_length; exact Hi).
  rewrite (map_nth (fun i => map (fun j => X i j) (seq 0 n)) (seq 0 d) O i), seq_nth by exact Hi. simpl.
  rewrite (nth_indep _ 0 (X i O)) by (rewrite map_length, seq_length; exact Hj).
  rewrite (map_nth (fun j => X i j) (seq 0 n) O j), seq_nth by exact Hj. reflexivity.
Qed.

(** Equal terms. *)
Lemma sum_same m f g : (forall k, (k < m)%nat -> f k = g k) -> sum m f = sum m g.
Proof using.
  induction m as [|m IH]; intros H; [reflexivity|]. simpl. rewrite IH by (intros; apply H; lia).
  rewrite (H m) by lia. reflexivity.
Qed.

(** Equal columns. *)
Lemma row_same w X Y j : agree X Y -> (j < n)%nat -> row d w X j = row d w Y j.
Proof using. intros H Hj. apply sum_same. intros k Hk. rewrite H by assumption. reflexivity. Qed.

(** Equal scores. *)
Lemma is_argmax_same s t i : (forall k, (k < n)%nat -> s k = t k) -> (i < n)%nat -> is_argmax n s i = is_argmax n t i.
Proof using.
  intros H Hi. unfold is_argmax. rewrite (H i Hi).
  assert (forall l, (forall k, In k l -> (k < n)%nat) ->
    forallb (fun k => Qle_bool (s k) (t i)) l = forallb (fun k => Qle_bool (t k) (t i)) l) as G.
  { induction l as [|a l IH]; intros Hl; [reflexivity|]. cbn [forallb].
    rewrite (H a) by (apply Hl; left; reflexivity). rewrite IH by (intros; apply Hl; right; assumption). reflexivity. }
  apply G. intros k Hk. apply in_seq in Hk. lia.
Qed.

(** Their weights. *)
Lemma hardmax_same s t i : (forall k, (k < n)%nat -> s k = t k) -> (i < n)%nat -> hardmax n s i = hardmax n t i.
Proof using.
  intros H Hi. unfold hardmax, argmaxima. rewrite (is_argmax_same s t i H Hi).
  assert (filter (is_argmax n s) (seq 0 n) = filter (is_argmax n t) (seq 0 n)) as ->; [|reflexivity].
  apply filter_ext_in. intros k Hk. apply in_seq in Hk. apply is_argmax_same; [exact H|lia].
Qed.

(** A head. *)
Lemma head_same h X Y j : agree X Y -> (j < n)%nat -> head_value d n h X j = head_value d n h Y j.
Proof using.
  intros H Hj. unfold head_value. apply sum_same. intros k Hk. rewrite (row_same (W_V h) X Y k H Hk). f_equal.
  apply hardmax_same; [|exact Hk]. intros i Hi.
  rewrite (row_same (W_K h) X Y i H Hi), (row_same (W_Q h) X Y j H Hj). reflexivity.
Qed.

(** An attention layer. *)
Lemma attention_same l X Y : agree X Y -> agree (attention d n l X) (attention d n l Y).
Proof using.
  intros H i j Hi Hj. unfold attention. rewrite (H i j Hi Hj). f_equal. f_equal.
  induction l as [|h l IH]; [reflexivity|]. simpl. rewrite IH, (head_same h X Y j H Hj). reflexivity.
Qed.

(** A network of them, table by table. *)
Lemma run_table_same network : forall t X, agree (look t) X -> agree (look (run_table network t)) (run d n network X).
Proof using.
  induction network as [|l network IH]; intros t X H; [exact H|]. simpl. apply IH.
  intros i j Hi Hj. rewrite look_table by assumption. apply attention_same; assumption.
Qed.

(** The same for layers of both kinds *)
Definition run_all_table (network : list any_layer) (t : list (list Q)) : list (list Q) :=
  fold_left (fun t l => table (apply d n (look t) l)) network t.

(** Any layer. *)
Lemma apply_same l X Y : agree X Y -> agree (apply d n X l) (apply d n Y l).
Proof using.
  intros H. destruct l as [l|t]; [apply attention_same, H|]. intros i j Hi Hj. simpl. unfold each_token.
  rewrite (H i j Hi Hj), (row_same (W_1 t) X Y j H Hj). reflexivity.
Qed.

(** A network of any layers. *)
Lemma run_all_table_same network : forall t X, agree (look t) X ->
  agree (look (run_all_table network t)) (run_all d n network X).
Proof using.
  induction network as [|l network IH]; intros t X H; [exact H|]. simpl. apply IH.
  intros i j Hi Hj. rewrite look_table by assumption. apply apply_same; assumption.
Qed.

(** A layer with its weights in a table, to be computed once *)
Definition listed (w : nat -> Q) : nat -> Q := let l := map w (seq 0 d) in fun i => nth i l 0.
Definition with_lists (l : any_layer) : any_layer :=
  match l with Attend l => Attend l | Each t => Each (Tokenwise (listed (W_2 t)) (phi t) (listed (W_1 t)) (b_1 t)) end.

(** Weights read from a list. *)
Lemma listed_same w i : (i < d)%nat -> listed w i = w i.
Proof using.
  intros Hi. unfold listed. rewrite (nth_indep _ 0 (w O)) by (rewrite map_length, seq_length; exact Hi).
  rewrite map_nth, seq_nth by exact Hi. reflexivity.
Qed.

(** A layer with such weights. *)
Lemma with_lists_same l X : agree (apply d n X (with_lists l)) (apply d n X l).
Proof using.
  destruct l as [l|t]; intros i j Hi Hj; [reflexivity|]. simpl. unfold each_token. simpl.
  rewrite listed_same by exact Hi.
  assert (row d (listed (W_1 t)) X j = row d (W_1 t) X j) as ->; [|reflexivity].
  apply sum_same. intros k Hk. rewrite listed_same by exact Hk. reflexivity.
Qed.

(** A network of such layers. *)
Lemma run_lists_same network : forall t X, agree (look t) X ->
  agree (look (run_all_table (map with_lists network) t)) (run_all d n network X).
Proof using.
  induction network as [|l network IH]; intros t X H; [exact H|]. simpl. apply IH. intros i j Hi Hj.
  rewrite look_table by assumption. rewrite with_lists_same by assumption. apply apply_same; assumption.
Qed.
End Table.

Definition ids_table (d n N : nat) (t : list (list Q)) : list Q := map (id d N (look t)) (seq 0 n).

(** The ids in a table. *)
Lemma ids_table_nth d n N t X j : agree d n (look t) X -> (j < n)%nat -> nth j (ids_table d n N t) 0 = id d N X j.
Proof.
  intros H Hj. unfold ids_table.
  rewrite (nth_indep _ 0 (id d N (look t) O)) by (rewrite map_length, seq_length; exact Hj).
  rewrite (map_nth (id d N (look t)) (seq 0 n) O j), seq_nth by exact Hj. apply (row_same d n); assumption.
Qed.
