(** What the theorems rest on. `make` fails unless every answer is "Closed under the global context".
    Each definition says that a theorem proves exactly a statement of [Statement.v] or [Statement3.v]. *)

From Contextual Require Import Statement Statement3 Theorems Sharp Theorem3 Bridge.

Definition proved_lemma6 : Statement.Lemma6 := Theorems.lemma6.
Definition proved_lemma10 : Statement.Lemma10 := Theorems.lemma10.
Definition proved_lemma10_sharp : Statement.Lemma10_sharp := Sharp.lemma10_sharp.
Definition proved_theorem3_contextual : Statement3.Theorem3_contextual := Theorem3.theorem3_contextual.
Definition proved_theorem3_order : Statement3.Theorem3_order := Theorem3.theorem3_order.
Definition proved_theorem3_no_order : Statement3.Theorem3_no_order := Theorem3.theorem3_no_order.

Print Assumptions proved_lemma6.
Print Assumptions proved_lemma10.
Print Assumptions proved_lemma10_sharp.
Print Assumptions proved_theorem3_contextual.
Print Assumptions proved_theorem3_order.
Print Assumptions proved_theorem3_no_order.
Print Assumptions Bridge.swept_table_is_swept.
Print Assumptions Bridge.q_table_is_q.
Print Assumptions Bridge.positional_swept_table_is_swept.
Print Assumptions Bridge.positional_q_table_is_q.
