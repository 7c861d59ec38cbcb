"""What the page in the browser asks of the checker (verifier/checker/page): a question in JSON, an answer in JSON."""

import json
import re
from typing import Any

from walk import walk

from verifier.checker.core.comparing import OverLimit
from verifier.checker.page.derive import deep, derive
from verifier.checker.page.rules import Rules
from verifier.checker.page.tree import Page, parse
from verifier.checker.page.words import MOST_BITS, Place, Refused

Answer = dict[str, Any]


def answer(question: str) -> str:
    asked = json.loads(question)
    try:
        with deep():
            found = ASKED[asked["ask"]](asked)
    except (OverLimit, Refused) as error:
        found = {"wrong": wrong(error)}
    except MemoryError:
        found = {"wrong": {"words": "no memory is left in this browser: take smaller sizes"}}
    return json.dumps(found)


def read(asked: Answer) -> Answer:
    """The sizes, each with the least that it may be, and those to try; refused: what is wrong with the text, whatever
    the sizes."""
    page = understood(asked["page"])
    least, to_try = ({name: str(size) for name, size in sizes.items()} for sizes in (page.sizes, page.to_try))
    return {"title": page.title, "sizes": least, "to_try": to_try}


def run(asked: Answer) -> Answer:
    page = understood(asked["page"])
    data = derive(asked["page"], sizes_of(asked, page), {}, [claim.id for claim in page.claims])
    claims = {claim.id: {"says": claim.says, "kind": claim.kind, "on": claim.on} for claim in page.claims}
    return {"certificate": data.decode(), "claims": claims, "sizes": list(page.sizes)}


def follow(asked: Answer) -> Answer:
    """The cases of these ranks, told."""
    sizes = sizes_of(asked, understood(asked["page"]))
    return {"cases": walk(asked["page"], sizes, asked["claim"], asked["ranks"])}


ASKED = {"read": read, "run": run, "follow": follow}


def understood(text: str) -> Page:
    page = parse(text)
    Rules(page)
    if not page.claims:
        raise Refused(None, "the page has no claim, so that there is nothing to run")
    return page


def sizes_of(asked: Answer, page: Page) -> dict[str, int]:
    """As they were typed, of the sizes that the page has."""
    found = {}
    for name in page.sizes:
        typed = asked["sizes"].get(name, "")
        if not re.fullmatch(r"[0-9]+", typed, re.ASCII):
            raise Refused(page.names[name], f"the size {name} must be a whole number, not {typed[:40]!a}")
        if len(typed) > MOST_BITS * 3 // 10:
            raise OverLimit(f"{page.names[name]}: the size {name} has more than {MOST_BITS:,} binary digits")
        found[name] = int(typed)
    return found


def wrong(error: OverLimit | Refused) -> Answer:
    """In words, and where."""
    if isinstance(error, Refused):
        place, words = error.place, error.words
    else:
        found = re.fullmatch(r"line (\d+), column (\d+): (.*)", str(error), re.DOTALL)
        place, words = (Place(int(found[1]), int(found[2])), found[3]) if found else (None, str(error))
    return {"words": words} | ({"line": place.line, "column": place.column} if place else {})
