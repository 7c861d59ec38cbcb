(** What the theorems rest on, all of them at once. `make` fails unless the answer is "Closed under the global context".
    Each line says that a theorem proves exactly a statement of one of the pages Statement*.v. Names are in full, and
    nothing is imported, so that no module or file of the same name can stand for these pages. *)

From Contextual Require Statement Statement3 StatementExact StatementRefuted StatementSparse.
From Contextual Require Theorems Lemma6Use Sharp Theorem3 Exact Refuted SparseLayers Sparse Bridge.

Definition proved := (
  (Contextual.Theorems.lemma6 : Contextual.Statement.Lemma6),
  (Contextual.Lemma6Use.lemma6_layers : Contextual.Statement.Lemma6_layers),
  (Contextual.Lemma6Use.lemma6_keys : Contextual.Statement.Lemma6_keys),
  (Contextual.Lemma6Use.lemma6_two_heads : Contextual.Statement.Lemma6_two_heads),
  (Contextual.Theorems.lemma10 : Contextual.Statement.Lemma10),
  (Contextual.Sharp.lemma10_sharp : Contextual.Statement.Lemma10_sharp),
  (Contextual.Theorem3.appendixc2_contextual : Contextual.Statement3.AppendixC2_contextual),
  (Contextual.Theorem3.appendixc2_keys : Contextual.Statement3.AppendixC2_keys),
  (Contextual.Theorem3.appendixc2_order : Contextual.Statement3.AppendixC2_order),
  (Contextual.Theorem3.appendixc2_no_order : Contextual.Statement3.AppendixC2_no_order),
  (Contextual.Exact.proposition4_contextual : Contextual.StatementExact.Proposition4_contextual),
  (Contextual.Exact.proposition4_exact : Contextual.StatementExact.Proposition4_exact),
  (Contextual.Refuted.lemma7_map_fails : Contextual.StatementRefuted.Lemma7_map_fails),
  (Contextual.Refuted.lemma7_has_cases : Contextual.StatementRefuted.Lemma7_has_cases),
  (Contextual.Refuted.lemma7_smallest : Contextual.StatementRefuted.Lemma7_smallest),
  (Contextual.Refuted.huthreshold_too_large : Contextual.StatementRefuted.HuThreshold_too_large),
  (Contextual.Refuted.huthreshold_smallest : Contextual.StatementRefuted.HuThreshold_smallest),
  (Contextual.Refuted.hulayers_more : Contextual.StatementRefuted.HuLayers_more),
  (Contextual.Refuted.corder_fails : Contextual.StatementRefuted.COrder_fails),
  (Contextual.Refuted.slidessentinel_fails : Contextual.StatementRefuted.SlidesSentinel_fails),
  (Contextual.Sparse.bigbird_lemma3 : Contextual.StatementSparse.BigBird_lemma3),
  (Contextual.Sparse.bigbird_any_graph : Contextual.StatementSparse.BigBird_any_graph),
  (Contextual.SparseLayers.sparse_complete : Contextual.StatementSparse.Sparse_complete),
  Contextual.Bridge.swept_table_is_swept,
  Contextual.Bridge.q_table_is_q,
  Contextual.Bridge.positional_swept_table_is_swept,
  Contextual.Bridge.positional_q_table_is_q,
  Contextual.Bridge.key_table_is_key,
  Contextual.Bridge.lookup_table_is_lookup,
  Contextual.Bridge.sparse_table_is_sparse_q).

Print Assumptions proved.
