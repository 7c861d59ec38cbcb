(** The page of Lemma 6 at (1, 2, 3), as `verify --paper FILE --coq` writes it, has Statement.v's network: what is
    proved of that one for all sizes, and what was run here, are about the same layers. *)

From Coq Require Import QArith Qreduction ZArith List Lia.
From Contextual Require Statement Lemma6Use.
From Contextual.reader Require Import Core Sound Literal.
From Contextual.reader.pages Require Lemma6.
Import ListNotations.
Open Scope Z_scope.

(** Heads with their b_Q in lowest terms, as the page's numbers are. *)
Definition in_terms (l : Statement.layer) : list (Statement.head * Q) := map (fun h => (h, Qred (Statement.b_Q h))) l.
(** Nothing else is changed. *)
Lemma in_terms_is d n g l : (1 <= d)%nat -> (1 <= n)%nat -> g = page_attention d (in_terms l) -> layer_is d n g l.
Proof.
  intros D N -> X. destruct (attention_is_statement d n (in_terms l) X D N) as (Y & E & A).
  - apply Forall_map, Forall_forall. intros h _. apply Qred_correct.
  - exists Y. split; [exact E|]. unfold in_terms in A. rewrite map_map, map_id in A. exact A.
Qed.

(** The sweep and the global shift, one after the other. *)
Theorem sweep_is_statement X : exists Y, run Lemma6.sweep' (Is (a_matrix 1 2 X)) = Is (a_matrix 1 2 Y) /\
  forall i j, (i < 1)%nat -> (j < 2)%nat -> (Y i j == Statement.run 1 2 (Statement.sweep 1 3) X i j)%Q.
Proof.
  assert (exists g, Lemma6.sweep' = Some g /\ Forall2 (layer_is 1 2) g (Statement.sweep 1 3)) as (g & -> & G).
  { exists (map Lemma6.shift' [Is (Number 0); Is (Number (1 # 3)); Is (Number (2 # 3))]). split.
    - unfold Lemma6.sweep'. replace (dots _ _) with (Is (List 1 [Number 0; Number (1 # 3); Number (2 # 3)]))
        by (vm_compute; reflexivity). reflexivity.
    - repeat constructor; apply in_terms_is; try lia; reflexivity. }
  apply network_is_statement; [lia|exact G].
Qed.
(** The last layer. *)
Theorem last_is_statement X : exists Y, run Lemma6.last' (Is (a_matrix 1 2 X)) = Is (a_matrix 1 2 Y) /\
  forall i j, (i < 1)%nat -> (j < 2)%nat -> (Y i j == Statement.attention 1 2 (Statement.global_shift 1 2 3) X i j)%Q.
Proof.
  assert (layer_is 1 2 Lemma6.global_shift' (Statement.global_shift 1 2 3)) as G.
  { apply in_terms_is; try lia. reflexivity. }
  apply (network_is_statement 1 2 [Lemma6.global_shift'] [Statement.global_shift 1 2 3]); [lia|].
  constructor; [exact G|constructor].
Qed.
(** Q, the page's name for the result, is Statement.v's, for every matrix X of one row and two columns. *)
Theorem result_is_statement X : exists Y, Lemma6.Q' (Is (a_matrix 1 2 X)) = Is (a_matrix 1 2 Y) /\
  forall i j, (i < 1)%nat -> (j < 2)%nat -> (Y i j == Statement.run 1 2 (Statement.network 1 2 3) X i j)%Q.
Proof.
  destruct (sweep_is_statement X) as (Y & E & A), (last_is_statement Y) as (W & F & B). exists W.
  unfold Lemma6.Q', Lemma6.Z'. rewrite E, F. split; [reflexivity|]. intros i j I J. rewrite B by assumption.
  unfold Statement.network, Statement.run. rewrite fold_left_app. cbn [fold_left].
  apply (Lemma6Use.run_ext 1 2 [Statement.global_shift 1 2 3]); [|exact J|exact I].
  intros k K m M. apply A; assumption.
Qed.
