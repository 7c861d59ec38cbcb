"""Pages: a page's text, read into a tree (LANGUAGE.md beside this file). Nothing here computes."""
