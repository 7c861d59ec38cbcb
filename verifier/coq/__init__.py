"""A page at sizes as a file of Coq: terms.py writes what it defines, theorems.py what was found, with proofs. The words
are those of proofs/coq/reader/Core.v. Nothing here is trusted: the file states what it proves."""
