(** What Theorems 2 and 3 rest on. This file states no axiom: it asks which axioms they all use together, and `make`
    fails unless they are some of the five on which the standard library builds its real numbers, and no other. Each
    line says that a theorem proves exactly a statement of [Approximation.v], [Published.v], [Explicit.v],
    [Rational.v], [Averaging.v], [Modified.v] or [SparseAttention.v]. Names are in full, and nothing is imported, so
    that no module or file of the same name can stand for those pages. *)

From Contextual.universal Require Approximation Cube Everywhere Positions Limits Sanity Continuous
  Published Chosen Good Below Explicit Sizes Values Weights Rational Twin
  Averaging OneHead Modified ModifiedExact SparseAttention SparseBlocks SparseTheorem.

Definition proved := (
  (Contextual.universal.Everywhere.theorem2 : Contextual.universal.Approximation.Theorem2),
  (Contextual.universal.Everywhere.theorem2_cube : Contextual.universal.Approximation.Theorem2_cube),
  (Contextual.universal.Positions.theorem3 : Contextual.universal.Approximation.Theorem3),
  (Contextual.universal.Positions.theorem3_encoding : Contextual.universal.Approximation.Theorem3_encoding),
  (Contextual.universal.Limits.network_equivariant : Contextual.universal.Approximation.Network_equivariant),
  (Contextual.universal.Limits.theorem2_iff : Contextual.universal.Approximation.Theorem2_iff),
  (Contextual.universal.Limits.no_encoding_everywhere : Contextual.universal.Approximation.No_encoding_everywhere),
  (Contextual.universal.Limits.theorem3_everywhere_false :
     Contextual.universal.Approximation.Theorem3_everywhere_false),
  (Contextual.universal.Limits.no_network_without_encoding :
     Contextual.universal.Approximation.No_network_without_encoding),
  (Contextual.universal.Limits.one_encoding_only : Contextual.universal.Approximation.One_encoding_only),
  (Contextual.universal.Sanity.integral_unique : Contextual.universal.Approximation.Integral_unique),
  (Contextual.universal.Sanity.integral_lower : Contextual.universal.Approximation.Integral_lower),
  (Contextual.universal.Sanity.equal_functions : Contextual.universal.Approximation.Distance_self),
  (Contextual.universal.Sanity.constant_functions : Contextual.universal.Approximation.Distance_constants),
  (Contextual.universal.Sanity.symmetry : Contextual.universal.Approximation.Distance_symmetric),
  (Contextual.universal.Sanity.triangle_inequality : Contextual.universal.Approximation.Distance_triangle),
  (Contextual.universal.Sanity.equal_far_out : Contextual.universal.Approximation.Distance_everywhere),
  (Contextual.universal.Continuous.distance_integral : Contextual.universal.Approximation.Distance_is_integral),
  (Contextual.universal.Continuous.theorem2_riemann : Contextual.universal.Approximation.Theorem2_riemann),
  (Contextual.universal.Continuous.theorem2_cube_riemann : Contextual.universal.Approximation.Theorem2_cube_riemann),
  (Contextual.universal.Continuous.theorem3_cube_riemann : Contextual.universal.Approximation.Theorem3_cube_riemann),
  (Contextual.universal.Chosen.published_activations : Contextual.universal.Published.Published_activations),
  (Contextual.universal.Good.published_values : Contextual.universal.Published.Published_values),
  (Contextual.universal.Good.published_rejects : Contextual.universal.Published.Published_rejects),
  (Contextual.universal.Below.published_fails : Contextual.universal.Published.Published_fails),
  (Contextual.universal.Sizes.theorem2_numbers : Contextual.universal.Explicit.Theorem2_at),
  (Contextual.universal.Sizes.theorem3_numbers : Contextual.universal.Explicit.Theorem3_at),
  (Contextual.universal.Sizes.all_numbers_fine : Contextual.universal.Explicit.Numbers_fine),
  (Contextual.universal.Sizes.theorem2_sizes : Contextual.universal.Explicit.Theorem2_explicit),
  (Contextual.universal.Sizes.theorem3_sizes : Contextual.universal.Explicit.Theorem3_explicit),
  (Contextual.universal.Sizes.theorem3_rate : Contextual.universal.Explicit.Theorem3_rate),
  (Contextual.universal.Values.cube_values : Contextual.universal.Explicit.Cube_values),
  (Contextual.universal.Values.supported_values : Contextual.universal.Explicit.Supported_values),
  (Contextual.universal.Values.positional_values : Contextual.universal.Explicit.Positional_values),
  (Contextual.universal.Values.keys_above : Contextual.universal.Explicit.Keys_above),
  (Contextual.universal.Weights.theorem2_weights : Contextual.universal.Explicit.Theorem2_weights),
  (Contextual.universal.Weights.theorem3_weights : Contextual.universal.Explicit.Theorem3_weights),
  (Contextual.universal.OneHead.theorem2_one_average : Contextual.universal.Averaging.Theorem2_one_average),
  (Contextual.universal.OneHead.averaging_values : Contextual.universal.Averaging.Averaging_values),
  (Contextual.universal.OneHead.averaging_numbers : Contextual.universal.Averaging.Averaging_at),
  (Contextual.universal.OneHead.averaging_rate : Contextual.universal.Averaging.Averaging_rate),
  (Contextual.universal.OneHead.averaging_weights : Contextual.universal.Averaging.Averaging_weights),
  (Contextual.universal.ModifiedExact.real_network : Contextual.universal.Modified.Real_run),
  (Contextual.universal.ModifiedExact.proposition4_everywhere : Contextual.universal.Modified.Proposition4_everywhere),
  (Contextual.universal.ModifiedExact.proposition4_same_network :
     Contextual.universal.Modified.Proposition4_same_network),
  (Contextual.universal.SparseTheorem.bigbird_theorem1 : Contextual.universal.SparseAttention.BigBird_theorem1),
  (Contextual.universal.SparseBlocks.sparse_complete_run : Contextual.universal.SparseAttention.Sparse_complete_run),
  (Contextual.universal.SparseTheorem.bigbird_theorem1_any_graph :
     Contextual.universal.SparseAttention.BigBird_theorem1_any_graph),
  (Contextual.universal.Twin.same_weights : Contextual.universal.Rational.Same_weights),
  (Contextual.universal.Twin.same_published : Contextual.universal.Rational.Same_published)).

Print Assumptions proved.
