(** What the theorems rest on. `make` fails unless every answer is "Closed under the global context".
    Each definition says that a theorem proves exactly a statement of [Statement.v] or [Statement3.v]. Names are in
    full, and nothing is imported, so that no module or file of the same name can stand for these pages. *)

From Contextual Require Statement Statement3 Theorems Sharp Theorem3 Bridge.

Definition proved_lemma6 : Contextual.Statement.Lemma6 := Contextual.Theorems.lemma6.
Definition proved_lemma10 : Contextual.Statement.Lemma10 := Contextual.Theorems.lemma10.
Definition proved_lemma10_sharp : Contextual.Statement.Lemma10_sharp := Contextual.Sharp.lemma10_sharp.
Definition proved_theorem3_contextual : Contextual.Statement3.Theorem3_contextual := Contextual.Theorem3.theorem3_contextual.
Definition proved_theorem3_order : Contextual.Statement3.Theorem3_order := Contextual.Theorem3.theorem3_order.
Definition proved_theorem3_no_order : Contextual.Statement3.Theorem3_no_order := Contextual.Theorem3.theorem3_no_order.

Print Assumptions proved_lemma6.
Print Assumptions proved_lemma10.
Print Assumptions proved_lemma10_sharp.
Print Assumptions proved_theorem3_contextual.
Print Assumptions proved_theorem3_order.
Print Assumptions proved_theorem3_no_order.
Print Assumptions Contextual.Bridge.swept_table_is_swept.
Print Assumptions Contextual.Bridge.q_table_is_q.
Print Assumptions Contextual.Bridge.positional_swept_table_is_swept.
Print Assumptions Contextual.Bridge.positional_q_table_is_q.
