"""A page about a construction that is in no paper: does the sum of base^t over the tokens t tell the tokens?"""

import sys
from importlib.resources import files

from verifier import Page

page = Page((files("verifier") / "pages/sums_of_powers.page").read_text())
refuted = page.run(n=3, N=3, base=2)
refuted.print()
found = page.run(n=3, N=3, base=4)
print(f"With base 4: {found}")
if sys.argv[1:]:
    with open(sys.argv[1], "xb") as file:
        file.write(found.certificate)
