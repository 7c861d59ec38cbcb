"""What every paper's certificates have in common: strict reading, comparison, ledgers, shards, promises."""
