"""The reading of words by states: words that go on alike are run together, however many they are."""
