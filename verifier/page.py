"""Pages from Python: `Page(text)` reads one, `page.run(n=4)` runs it; what comes out prints as on a terminal.

from verifier import Page
found = Page.file("mine.page").run(n=4)
print(found.verdict, found["mine.claim"]["verdict"])
found.certificate      # the bytes that `verify check` reads
"""

from pathlib import Path
from typing import Any

from verifier.catalogue import in_full, pages
from verifier.evaluate.certificate import canonical
from verifier.evaluate.run import found as content_of
from verifier.language.library import packaged, text_of
from verifier.language.page import read
from verifier.language.tree import Claim
from verifier.language.write import write
from verifier.lines import many


class Page:
    """A page: its text, read and understood; Refused, with line and column, if it can't be."""

    def __init__(self, text: str) -> None:
        self.understood = read(packaged(text))
        self.tree = self.understood.page

    @classmethod
    def file(cls, path: str | Path) -> "Page":
        """The page in this file."""
        return cls(text_of(Path(path)))

    @classmethod
    def named(cls, name: str) -> "Page":
        """The page of this package with this name (`verify papers`), or the only one whose name begins so."""
        return cls.file(pages()[in_full(name)])

    @property
    def title(self) -> str:
        """What it is about, in a few words."""
        return self.tree.title

    @property
    def sizes(self) -> dict[str, int]:
        """Each size and its least value."""
        return dict(self.tree.sizes)

    @property
    def to_try(self) -> dict[str, int]:
        """The sizes that a run has where none is given, of those that say so."""
        return dict(self.tree.to_try)

    @property
    def claims(self) -> dict[str, Claim]:
        """Each claim by its id."""
        return dict(self.tree.claims)

    @property
    def canonical(self) -> str:
        """The page in its one form, from its tree: equal for pages that say the same in the same words."""
        return write(self.tree)

    def __str__(self) -> str:
        return self.tree.text

    def __repr__(self) -> str:
        return f"<Page {self.title!r}, {many(len(self.claims), 'claim')}>"

    def run(
        self,
        claims: str | list[str] = "all",
        variant: dict[str, Any] | None = None,
        jobs: int | None = None,
        most: int | None = None,
        steps: float | None = None,
        **sizes: int,
    ) -> "Found":
        """Every claim (or those named, by id or family) on every input at these sizes, or where none is given at that
        to try: at most `most` cases, and `steps` of about a microsecond (usually fifteen million, and 500 for each
        case)."""
        from verifier.core.exact import exact

        for name, value in [*sizes.items(), *(() if jobs is None else [("jobs", jobs)])]:
            if type(value) is not int or (name == "jobs" and value < 1):
                raise TypeError(f"{name} = {value!r}: it must be a whole number{', at least 1' * (name == 'jobs')}")
        named = [claims] if isinstance(claims, str) else claims
        if not named:
            raise ValueError('no claim is named; all are "all"')
        ids = [id_ for id_ in self.claims if any(n in ("all", id_) or id_.startswith(f"{n}.") for n in named)]
        if unknown := [n for n in named if n != "all" and not any(i == n or i.startswith(f"{n}.") for i in ids)]:
            raise KeyError(f"the page has no claim {unknown[0]}; it has {', '.join(self.claims)}")
        numbers = {name: exact(value) for name, value in (variant or {}).items()}
        return Found(self, content_of(self.understood, sizes, ids, numbers, jobs=jobs, most=most, steps=steps))


class Found:
    """What a run found: a certificate's content."""

    def __init__(self, page: Page, content: dict[str, Any]) -> None:
        self.page, self.content = page, content

    @property
    def verdict(self) -> str:
        """`holds`, `refuted`, `incomplete` or `vacuous`."""
        return str(self.content["verdict"])

    @property
    def certificate(self) -> bytes:
        """The bytes of the file that `verify check` reads."""
        return canonical(self.content)

    def __getitem__(self, claim: str) -> dict[str, Any]:
        """A claim's entry in the certificate."""
        for entry in self.content["claims"]:
            if entry["id"] == claim:
                return dict(entry)
        raise KeyError(f"{claim} wasn't run; {', '.join(entry['id'] for entry in self.content['claims'])} were")

    def __str__(self) -> str:
        from verifier.report.found import conclusion

        return conclusion(self.content, self.page.tree)

    def __repr__(self) -> str:
        return f"<Found {self.verdict}: {self}>"

    def _repr_html_(self) -> str:
        from verifier.report.cell import html
        from verifier.report.witness import witnesses

        return html(self.content, self.page.tree, witnesses(self.content)[1])

    def print(self, checked: str = "") -> None:
        """Prints the table of all claims, and the counterexamples."""
        from verifier.report.found import print_found

        print_found(self.content, self.page.tree, checked, every=True)
