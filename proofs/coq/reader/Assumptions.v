(** What the checker of pages, and the pages that it was run on here, rest on. `make` fails unless the answer is "Closed
    under the global context". Names are in full, and nothing is imported. *)

From Contextual.reader Require Sound Across Literal Lemma6Page Lemma6AllSizes Fold Quick Compile Where Program.
From Contextual.reader.pages Require BigBird Cookbook Dyck Dyck1 Induction Lemma6 Ngrams Parity SumsOfPowers.

Definition proved := (
  Contextual.reader.Sound.cases_are,
  Contextual.reader.Sound.reported,
  Contextual.reader.Sound.least_is,
  Contextual.reader.Sound.refuted,
  Contextual.reader.Sound.first_is,
  Contextual.reader.Sound.across_sound,
  Contextual.reader.Sound.across_refuted,
  Contextual.reader.Across.across_least,
  Contextual.reader.Sound.hold_for_each,
  Contextual.reader.Sound.hold_when,
  Contextual.reader.Sound.line_says,
  Contextual.reader.Program.answers_are,
  Contextual.reader.Program.page_says,
  Contextual.reader.Program.page_says_across,
  Contextual.reader.Program.quick_answers_are,
  Contextual.reader.Program.page_answers,
  Contextual.reader.Program.page_says_where,
  Contextual.reader.Program.told_is,
  Contextual.reader.Where.best_pair_is,
  Contextual.reader.Where.best_pair_least,
  Contextual.reader.Quick.identical_is,
  Contextual.reader.Fold.fold_is,
  Contextual.reader.Compile.comp_is,
  Contextual.reader.Compile.comp_lines_is,
  Contextual.reader.Compile.compiled_is,
  Contextual.reader.Literal.attention_is_statement,
  Contextual.reader.Literal.network_is_statement,
  Contextual.reader.Lemma6Page.result_is_statement,
  Contextual.reader.Lemma6AllSizes.lemma6_all_sizes,
  Contextual.reader.Lemma6AllSizes.lemma6_all_matrices,
  Contextual.reader.Lemma6AllSizes.lemma10_all_sizes,
  Contextual.reader.Lemma6AllSizes.cases_are_matrices,
  Contextual.reader.Lemma6AllSizes.page_at_1_2_3,
  Contextual.reader.pages.BigBird.proved,
  Contextual.reader.pages.Cookbook.proved,
  Contextual.reader.pages.Dyck.proved,
  Contextual.reader.pages.Dyck1.proved,
  Contextual.reader.pages.Induction.proved,
  Contextual.reader.pages.Lemma6.proved,
  Contextual.reader.pages.Ngrams.proved,
  Contextual.reader.pages.Parity.proved,
  Contextual.reader.pages.SumsOfPowers.proved).

Print Assumptions proved.
