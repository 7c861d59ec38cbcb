"""Pages, read plainly: what verifier/language/LANGUAGE.md says, case by case, in exact numbers."""
