(** Permutations of 0, ..., n-1, and of lists. *)
From Coq Require Import List Arith Lia Permutation FinFun.
Import ListNotations.

Definition permutes (n : nat) (p : nat -> nat) : Prop :=
  (forall j, (j < n)%nat -> (p j < n)%nat) /\ (forall j k, (j < n)%nat -> (k < n)%nat -> p j = p k -> j = k).

(** Each number is the image of one. *)
Lemma permutes_onto n p k : permutes n p -> (k < n)%nat -> exists j, (j < n)%nat /\ p j = k.
Proof. intros [H1 H2] Hk. apply (proj1 (bInjective_bSurjective H1) H2 k Hk). Qed.

(** A permutation has an inverse. *)
Lemma inverse n p : permutes n p -> exists q, permutes n q /\ forall j, (j < n)%nat -> p (q j) = j /\ q (p j) = j.
Proof.
  intros [H1 H2]. destruct (bSurjective_bBijective H1 (proj1 (bInjective_bSurjective H1) H2)) as [q [Q1 Q]].
  exists q. split; [split; [exact Q1|]|intros j Hj; split; apply Q, Hj].
  intros j k Hj Hk E. rewrite <- (proj2 (Q j Hj)), <- (proj2 (Q k Hk)), E. reflexivity.
Qed.

(** A permutation of 0, ..., n-1 permutes their list. *)
Lemma permutes_list n p : permutes n p -> Permutation (map p (seq 0 n)) (seq 0 n).
Proof.
  intros H. apply Permutation_sym, (Permutation_nth _ _ (p O)). cbn zeta. rewrite map_length, seq_length.
  split; [reflexivity|]. exists p. split; [exact (proj1 H)|split; [exact (proj2 H)|]]. intros j Hj.
  rewrite map_nth, !seq_nth by (try apply (proj1 H); exact Hj). reflexivity.
Qed.

(** A permutation of two lists, as one of their indices that sends a given index to any with the same element. *)
Lemma permutation_at (l l' : list nat) n j j' : Permutation l l' -> length l = n -> (j < n)%nat -> (j' < n)%nat ->
  nth j l O = nth j' l' O ->
  exists p, (forall k, (k < n)%nat -> (p k < n)%nat) /\
    (forall k k', (k < n)%nat -> (k' < n)%nat -> p k = p k' -> k = k') /\ p j' = j /\
    forall k, (k < n)%nat -> nth k l' O = nth (p k) l O.
Proof.
  intros P L Hj Hj' E. apply (Permutation_nth _ _ O) in P. cbn zeta in P. rewrite L in P.
  destruct P as [_ [p [Hb [Hi Ep]]]]. pose proof (Ep j' Hj') as E'.
  exists (fun k => if Nat.eq_dec (p k) j then p j' else if Nat.eq_dec (p k) (p j') then j else p k).
  repeat split; intros; repeat destruct (Nat.eq_dec _ _); try contradiction; try congruence; auto;
    try (apply Hi; congruence); rewrite Ep by assumption; congruence.
Qed.
