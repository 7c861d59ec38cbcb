(** What the theorems of [Lebesgue.v] rest on: the five axioms of the standard library's reals, and those of
    mathcomp-analysis. *)
From Contextual.lebesgue Require Lebesgue.

Definition proved := (
  (Contextual.lebesgue.Lebesgue.theorem2_lebesgue : Contextual.lebesgue.Lebesgue.Theorem2_lebesgue),
  (Contextual.lebesgue.Lebesgue.theorem3_lebesgue : Contextual.lebesgue.Lebesgue.Theorem3_lebesgue),
  (Contextual.lebesgue.Lebesgue.lebesgue_step : Contextual.lebesgue.Lebesgue.Lebesgue_step)).

Print Assumptions proved.
