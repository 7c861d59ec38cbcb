(** What Theorems 2 and 3 rest on. This file states no axiom: it asks which axioms each theorem uses, and `make` fails
    unless they are some of the five on which the standard library builds its real numbers, and no other. Each
    definition says that a theorem proves exactly a statement of [Approximation.v], [Published.v], [Explicit.v],
    [Rational.v] or [SparseAttention.v]. Names are in full, and nothing is imported, so that no module or file of the
    same name can stand for those pages. *)

From Contextual.universal Require Approximation Cube Everywhere Positions Limits Sanity Continuous
  Published Below Explicit Sizes Values Weights Rational Twin SparseAttention SparseBlocks SparseTheorem.

Definition proved_theorem2 : Contextual.universal.Approximation.Theorem2 := Contextual.universal.Everywhere.theorem2.
Definition proved_theorem2_cube : Contextual.universal.Approximation.Theorem2_cube :=
  Contextual.universal.Everywhere.theorem2_cube.
Definition proved_theorem3 : Contextual.universal.Approximation.Theorem3 := Contextual.universal.Positions.theorem3.
Definition proved_theorem3_encoding : Contextual.universal.Approximation.Theorem3_encoding :=
  Contextual.universal.Positions.theorem3_encoding.
Definition proved_network_equivariant : Contextual.universal.Approximation.Network_equivariant :=
  Contextual.universal.Limits.network_equivariant.
Definition proved_theorem2_iff : Contextual.universal.Approximation.Theorem2_iff :=
  Contextual.universal.Limits.theorem2_iff.
Definition proved_no_encoding_everywhere : Contextual.universal.Approximation.No_encoding_everywhere :=
  Contextual.universal.Limits.no_encoding_everywhere.
Definition proved_theorem3_everywhere_false : Contextual.universal.Approximation.Theorem3_everywhere_false :=
  Contextual.universal.Limits.theorem3_everywhere_false.
Definition proved_no_network_without_encoding : Contextual.universal.Approximation.No_network_without_encoding :=
  Contextual.universal.Limits.no_network_without_encoding.
Definition proved_one_encoding_only : Contextual.universal.Approximation.One_encoding_only :=
  Contextual.universal.Limits.one_encoding_only.
Definition proved_integral_unique : Contextual.universal.Approximation.Integral_unique :=
  Contextual.universal.Sanity.integral_unique.
Definition proved_integral_lower : Contextual.universal.Approximation.Integral_lower :=
  Contextual.universal.Sanity.integral_lower.
Definition proved_distance_self : Contextual.universal.Approximation.Distance_self :=
  Contextual.universal.Sanity.equal_functions.
Definition proved_distance_constants : Contextual.universal.Approximation.Distance_constants :=
  Contextual.universal.Sanity.constant_functions.
Definition proved_distance_symmetric : Contextual.universal.Approximation.Distance_symmetric :=
  Contextual.universal.Sanity.symmetry.
Definition proved_distance_triangle : Contextual.universal.Approximation.Distance_triangle :=
  Contextual.universal.Sanity.triangle_inequality.
Definition proved_distance_everywhere : Contextual.universal.Approximation.Distance_everywhere :=
  Contextual.universal.Sanity.equal_far_out.
Definition proved_distance_is_integral : Contextual.universal.Approximation.Distance_is_integral :=
  Contextual.universal.Continuous.distance_integral.
Definition proved_theorem2_riemann : Contextual.universal.Approximation.Theorem2_riemann :=
  Contextual.universal.Continuous.theorem2_riemann.
Definition proved_theorem2_cube_riemann : Contextual.universal.Approximation.Theorem2_cube_riemann :=
  Contextual.universal.Continuous.theorem2_cube_riemann.
Definition proved_theorem3_cube_riemann : Contextual.universal.Approximation.Theorem3_cube_riemann :=
  Contextual.universal.Continuous.theorem3_cube_riemann.
Definition proved_published_fails : Contextual.universal.Published.Published_fails :=
  Contextual.universal.Below.published_fails.
Definition proved_theorem2_at : Contextual.universal.Explicit.Theorem2_at :=
  Contextual.universal.Sizes.theorem2_numbers.
Definition proved_theorem3_at : Contextual.universal.Explicit.Theorem3_at :=
  Contextual.universal.Sizes.theorem3_numbers.
Definition proved_numbers_fine : Contextual.universal.Explicit.Numbers_fine :=
  Contextual.universal.Sizes.all_numbers_fine.
Definition proved_theorem2_explicit : Contextual.universal.Explicit.Theorem2_explicit :=
  Contextual.universal.Sizes.theorem2_sizes.
Definition proved_theorem3_explicit : Contextual.universal.Explicit.Theorem3_explicit :=
  Contextual.universal.Sizes.theorem3_sizes.
Definition proved_rate_explicit : Contextual.universal.Explicit.Rate_explicit :=
  Contextual.universal.Sizes.rate_explicit.
Definition proved_cube_values : Contextual.universal.Explicit.Cube_values :=
  Contextual.universal.Values.cube_values.
Definition proved_supported_values : Contextual.universal.Explicit.Supported_values :=
  Contextual.universal.Values.supported_values.
Definition proved_positional_values : Contextual.universal.Explicit.Positional_values :=
  Contextual.universal.Values.positional_values.
Definition proved_keys_above : Contextual.universal.Explicit.Keys_above :=
  Contextual.universal.Values.keys_above.
Definition proved_theorem2_weights : Contextual.universal.Explicit.Theorem2_weights :=
  Contextual.universal.Weights.theorem2_weights.
Definition proved_theorem3_weights : Contextual.universal.Explicit.Theorem3_weights :=
  Contextual.universal.Weights.theorem3_weights.
Definition proved_same_weights : Contextual.universal.Rational.Same_weights :=
  Contextual.universal.Twin.same_weights.
Definition proved_bigbird_theorem1 : Contextual.universal.SparseAttention.BigBird_theorem1 :=
  Contextual.universal.SparseTheorem.bigbird_theorem1.
Definition proved_bigbird_theorem1_any_graph :
  Contextual.universal.SparseAttention.BigBird_theorem1_any_graph :=
  Contextual.universal.SparseTheorem.bigbird_theorem1_any_graph.
Definition proved_sparse_complete_run : Contextual.universal.SparseAttention.Sparse_complete_run :=
  Contextual.universal.SparseBlocks.sparse_complete_run.

Print Assumptions proved_theorem2.
Print Assumptions proved_theorem2_cube.
Print Assumptions proved_theorem3.
Print Assumptions proved_theorem3_encoding.
Print Assumptions proved_network_equivariant.
Print Assumptions proved_theorem2_iff.
Print Assumptions proved_no_encoding_everywhere.
Print Assumptions proved_theorem3_everywhere_false.
Print Assumptions proved_no_network_without_encoding.
Print Assumptions proved_one_encoding_only.
Print Assumptions proved_integral_unique.
Print Assumptions proved_integral_lower.
Print Assumptions proved_distance_self.
Print Assumptions proved_distance_constants.
Print Assumptions proved_distance_symmetric.
Print Assumptions proved_distance_triangle.
Print Assumptions proved_distance_everywhere.
Print Assumptions proved_distance_is_integral.
Print Assumptions proved_theorem2_riemann.
Print Assumptions proved_theorem2_cube_riemann.
Print Assumptions proved_theorem3_cube_riemann.
Print Assumptions proved_published_fails.
Print Assumptions proved_theorem2_at.
Print Assumptions proved_theorem3_at.
Print Assumptions proved_numbers_fine.
Print Assumptions proved_theorem2_explicit.
Print Assumptions proved_theorem3_explicit.
Print Assumptions proved_rate_explicit.
Print Assumptions proved_cube_values.
Print Assumptions proved_supported_values.
Print Assumptions proved_positional_values.
Print Assumptions proved_keys_above.
Print Assumptions proved_theorem2_weights.
Print Assumptions proved_theorem3_weights.
Print Assumptions proved_same_weights.
Print Assumptions proved_bigbird_theorem1.
Print Assumptions proved_bigbird_theorem1_any_graph.
Print Assumptions proved_sparse_complete_run.
