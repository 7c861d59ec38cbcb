"""Ground truth for verifiers of neural networks: queries whose answers are known exactly."""
