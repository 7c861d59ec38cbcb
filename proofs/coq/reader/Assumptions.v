(** What the checker of pages, and the pages that it was run on here, rest on. `make` fails unless the answer is "Closed
    under the global context". Names are in full, and nothing is imported. *)

From Contextual.reader Require Sound Literal Lemma6Page.
From Contextual.reader.pages Require Cookbook Dyck1 Induction Lemma6 Ngrams Parity SumsOfPowers.

Definition proved := (
  Contextual.reader.Sound.cases_are,
  Contextual.reader.Sound.reported,
  Contextual.reader.Sound.least_is,
  Contextual.reader.Sound.refuted,
  Contextual.reader.Sound.first_is,
  Contextual.reader.Sound.across_sound,
  Contextual.reader.Sound.across_refuted,
  Contextual.reader.Sound.hold_for_each,
  Contextual.reader.Sound.hold_when,
  Contextual.reader.Sound.line_says,
  Contextual.reader.Literal.attention_is_statement,
  Contextual.reader.Literal.network_is_statement,
  Contextual.reader.Lemma6Page.result_is_statement,
  Contextual.reader.pages.Cookbook.proved,
  Contextual.reader.pages.Dyck1.proved,
  Contextual.reader.pages.Induction.proved,
  Contextual.reader.pages.Lemma6.proved,
  Contextual.reader.pages.Ngrams.proved,
  Contextual.reader.pages.Parity.proved,
  Contextual.reader.pages.SumsOfPowers.proved).

Print Assumptions proved.
