"""FORMAT-lengths: a claim about words of every length, shown by a few words of which every other is made."""
