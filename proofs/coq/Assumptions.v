(** What the theorems rest on. `make` fails unless every answer is "Closed under the global context".
    Each definition says that a theorem proves exactly a statement of one of the pages Statement*.v. Names are in
    full, and nothing is imported, so that no module or file of the same name can stand for these pages. *)

From Contextual Require Statement Statement3 StatementExact StatementRefuted StatementSparse.
From Contextual Require Theorems Lemma6Use Sharp Theorem3 Exact Refuted SparseLayers Sparse Bridge.

Definition proved_lemma6 : Contextual.Statement.Lemma6 := Contextual.Theorems.lemma6.
Definition proved_lemma6_layers : Contextual.Statement.Lemma6_layers := Contextual.Lemma6Use.lemma6_layers.
Definition proved_lemma6_keys : Contextual.Statement.Lemma6_keys := Contextual.Lemma6Use.lemma6_keys.
Definition proved_lemma6_two_heads : Contextual.Statement.Lemma6_two_heads := Contextual.Lemma6Use.lemma6_two_heads.
Definition proved_lemma10 : Contextual.Statement.Lemma10 := Contextual.Theorems.lemma10.
Definition proved_lemma10_sharp : Contextual.Statement.Lemma10_sharp := Contextual.Sharp.lemma10_sharp.
Definition proved_appendixc2_contextual : Contextual.Statement3.AppendixC2_contextual :=
  Contextual.Theorem3.appendixc2_contextual.
Definition proved_appendixc2_keys : Contextual.Statement3.AppendixC2_keys := Contextual.Theorem3.appendixc2_keys.
Definition proved_appendixc2_order : Contextual.Statement3.AppendixC2_order := Contextual.Theorem3.appendixc2_order.
Definition proved_appendixc2_no_order : Contextual.Statement3.AppendixC2_no_order :=
  Contextual.Theorem3.appendixc2_no_order.
Definition proved_proposition4_contextual : Contextual.StatementExact.Proposition4_contextual :=
  Contextual.Exact.proposition4_contextual.
Definition proved_proposition4_exact : Contextual.StatementExact.Proposition4_exact :=
  Contextual.Exact.proposition4_exact.
Definition proved_lemma7_map_fails : Contextual.StatementRefuted.Lemma7_map_fails :=
  Contextual.Refuted.lemma7_map_fails.
Definition proved_lemma7_has_cases : Contextual.StatementRefuted.Lemma7_has_cases :=
  Contextual.Refuted.lemma7_has_cases.
Definition proved_lemma7_smallest : Contextual.StatementRefuted.Lemma7_smallest := Contextual.Refuted.lemma7_smallest.
Definition proved_huthreshold_too_large : Contextual.StatementRefuted.HuThreshold_too_large :=
  Contextual.Refuted.huthreshold_too_large.
Definition proved_huthreshold_smallest : Contextual.StatementRefuted.HuThreshold_smallest :=
  Contextual.Refuted.huthreshold_smallest.
Definition proved_hulayers_more : Contextual.StatementRefuted.HuLayers_more := Contextual.Refuted.hulayers_more.
Definition proved_corder_fails : Contextual.StatementRefuted.COrder_fails := Contextual.Refuted.corder_fails.
Definition proved_slidessentinel_fails : Contextual.StatementRefuted.SlidesSentinel_fails :=
  Contextual.Refuted.slidessentinel_fails.
Definition proved_bigbird_lemma3 : Contextual.StatementSparse.BigBird_lemma3 := Contextual.Sparse.bigbird_lemma3.
Definition proved_bigbird_any_graph : Contextual.StatementSparse.BigBird_any_graph :=
  Contextual.Sparse.bigbird_any_graph.
Definition proved_sparse_complete : Contextual.StatementSparse.Sparse_complete :=
  Contextual.SparseLayers.sparse_complete.

Print Assumptions proved_lemma6.
Print Assumptions proved_lemma6_layers.
Print Assumptions proved_lemma6_keys.
Print Assumptions proved_lemma6_two_heads.
Print Assumptions proved_lemma10.
Print Assumptions proved_lemma10_sharp.
Print Assumptions proved_appendixc2_contextual.
Print Assumptions proved_appendixc2_keys.
Print Assumptions proved_appendixc2_order.
Print Assumptions proved_appendixc2_no_order.
Print Assumptions proved_proposition4_contextual.
Print Assumptions proved_proposition4_exact.
Print Assumptions proved_lemma7_map_fails.
Print Assumptions proved_lemma7_has_cases.
Print Assumptions proved_lemma7_smallest.
Print Assumptions proved_huthreshold_too_large.
Print Assumptions proved_huthreshold_smallest.
Print Assumptions proved_hulayers_more.
Print Assumptions proved_corder_fails.
Print Assumptions proved_slidessentinel_fails.
Print Assumptions proved_bigbird_lemma3.
Print Assumptions proved_bigbird_any_graph.
Print Assumptions proved_sparse_complete.
Print Assumptions Contextual.Bridge.swept_table_is_swept.
Print Assumptions Contextual.Bridge.q_table_is_q.
Print Assumptions Contextual.Bridge.positional_swept_table_is_swept.
Print Assumptions Contextual.Bridge.positional_q_table_is_q.
Print Assumptions Contextual.Bridge.key_table_is_key.
Print Assumptions Contextual.Bridge.lookup_table_is_lookup.
Print Assumptions Contextual.Bridge.sparse_table_is_sparse_q.
