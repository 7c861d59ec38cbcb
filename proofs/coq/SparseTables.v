(** The layers of [StatementSparse.v] evaluated with each one's result in a table, and that this gives the very
    numbers. *)

From Coq Require Import QArith List Arith Bool Lia.
From Contextual Require Import Statement StatementSparse Tables SparseLayers.
Import ListNotations.
Open Scope Q_scope.

Section Table.
Variables d n : nat.
Variable G : graph.

Definition sparse_table (network : list layer) (t : list (list Q)) : list (list Q) :=
  fold_left (fun t l => table (S d) (S n) (sparse_attention d n G l (look t))) network t.

(** A layer reads the entries of its matrix, and no more. *)
Lemma sparse_same l X Y : agree (S d) (S n) X Y ->
  agree (S d) (S n) (sparse_attention d n G l X) (sparse_attention d n G l Y).
Proof using.
  intros H r i Hr Hi. unfold sparse_attention. rewrite (H r i Hr Hi). f_equal. f_equal.
  assert (forall h, sparse_value d n G h X i = sparse_value d n G h Y i) as V.
  { intros h. unfold sparse_value. apply sum_same. intros j Hj. rewrite (row_same _ (S n) (W_V h) X Y j H Hj). f_equal.
    apply sparse_hardmax_ext; [|lia]. intros k Hk.
    rewrite (row_same _ (S n) (W_K h) X Y k H), (row_same _ (S n) (W_Q h) X Y i H Hi) by lia. reflexivity. }
  induction l as [|h l IH]; [reflexivity|]. simpl. rewrite IH, V. reflexivity.
Qed.

(** A network, table by table. *)
Lemma sparse_table_same network : forall t X, agree (S d) (S n) (look t) X ->
  agree (S d) (S n) (look (sparse_table network t)) (sparse_run d n G network X).
Proof using.
  induction network as [|l network IH]; intros t X H; [exact H|]. simpl. apply IH. intros i j Hi Hj.
  rewrite look_table by assumption. apply sparse_same; assumption.
Qed.
End Table.

(** q(L) in a table. *)
Definition sparse_q_table (d n N : nat) (G : graph) (t : list (list Q)) : list Q :=
  let after := sparse_table d n G (sparse_network d n N) (table (S d) (S n) (embedded d N (look t))) in
  map (fun j => row (S d) (u_all d n N) (look after) (S j)) (seq 0 n).

(** It is q(L). *)
Lemma sparse_q_table_nth d n N G t j : (j < n)%nat ->
  nth j (sparse_q_table d n N G t) 0 = sparse_q d n N G (look t) j.
Proof.
  intros Hj. unfold sparse_q_table. set (after := sparse_table _ _ _ _ _). cbv zeta.
  rewrite (nth_indep _ 0 (row (S d) (u_all d n N) (look after) 1)) by (rewrite map_length, seq_length; exact Hj).
  rewrite (map_nth (fun j => row (S d) (u_all d n N) (look after) (S j)) (seq 0 n) O j), seq_nth by exact Hj.
  apply (row_same (S d) (S n)); [|simpl; lia]. apply sparse_table_same. apply look_table.
Qed.
