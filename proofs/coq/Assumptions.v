(** What the theorems rest on. `make` fails unless every answer is "Closed under the global context",
    and unless the theorems have exactly the statements of [Statement.v]. *)

From Contextual Require Import Statement Theorems Sharp.

Definition proved_lemma6 : Statement.Lemma6 := Theorems.lemma6.
Definition proved_lemma10 : Statement.Lemma10 := Theorems.lemma10.
Definition proved_lemma10_sharp : Statement.Lemma10_sharp := Sharp.lemma10_sharp.

Print Assumptions proved_lemma6.
Print Assumptions proved_lemma10.
Print Assumptions proved_lemma10_sharp.
