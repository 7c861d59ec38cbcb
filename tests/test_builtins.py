"""The table of the language's functions: whatever has a list of them has these, and every reading reads each alike."""

import re
from pathlib import Path

import pytest

from test_page_checker import certificate
from test_pages import of
from verifier.evaluate.builtins import COMPUTE
from verifier.language.builtins import BUILTINS, MOST, arguments
from verifier.language.colours import GIVEN, RULES
from verifier.language.page import read
from verifier.language.words import Refused

ROOT = Path(__file__).parent.parent
PAGE = """language 1
sizes n >= 1
inputs X in cases: words of 2..n+2 letters t in {1, 5/2}
claim c, own, "-", on cases:
  "words"
"""
VALUES = {"number": "X[1]", "truth": "X[2] > X[1]", "list": "X", "any": "X[1]"}


def test_each_function_is_computed_said_and_coloured():
    said = (ROOT / "verifier/language/LANGUAGE.md").read_text().partition("\n## 2.")[2].partition("\n## 3.")[0]
    assert set(COMPUTE) == set(BUILTINS)
    assert [name for name in BUILTINS if not re.search(rf"`[^`]*\b{name}\b[^`]*`", said)] == []
    (rule,) = [rule for rule, kinds in RULES if kinds == (GIVEN,)]
    assert [name for name in BUILTINS if not re.fullmatch(rule, name)] == []


def called(row, *, known="2"):
    """A call at what a case has; of what it makes, a number."""
    values = [known if row.is_known(k) else VALUES[kind] for k, kind in enumerate(row.takes)]
    if row.folds:
        values = [f"{VALUES[row.takes[0]].replace('[1]', '[j]').replace('[2]', '[j]')} for j in 1..len(X)"]
        values = [values[0].replace("X[j] > X[j]", "X[j] > 1")]
    text = f"{row.name}({', '.join(values)})"
    of_kind = {"number": "{}", "truth": "(1 if {} else 0)", "list": "{}[2]", "matrix": "{}[2][1]"}
    return of_kind[row.makes].format(text)


@pytest.mark.parametrize("row", BUILTINS.values(), ids=BUILTINS)
def test_every_reading_reads_a_function_alike(row):
    """A case of each length, so that lists of several lengths meet; the least slack of each relation is its value's."""
    text = PAGE + f"  {called(row)} >= -10\n  {called(row)} != 1/3\n  for j in 1..n: {called(row)} + X[j] < 10^6\n"
    asked = {"sizes": {"n": 2}}
    found = certificate(text, asked)
    page = read(text)
    assert of(page, asked, slow=True) == of(page, asked) == found
    assert b'"least"' in found


@pytest.mark.parametrize("row", [row for row in BUILTINS.values() if row.known], ids=lambda row: row.name)
def test_what_must_be_known_is_a_whole_number_up_to_its_limit(row):
    for known in ("-1", str(MOST + 1)):
        with pytest.raises(Refused, match=re.escape(f"{row.told} is from 0 to {MOST:,}, not {known}")):
            of(read(PAGE + f"  {called(row, known=known)} >= 0\n"), {"sizes": {"n": 1}})
    with pytest.raises(Refused, match=f"{row.told} must follow from the sizes"):
        read(PAGE + f"  {called(row, known='X[1]')} >= 0\n")


def test_a_call_with_another_number_of_arguments_is_refused():
    for name in BUILTINS:
        if (many := arguments(name)) is not None:
            with pytest.raises(Refused, match=f"{name} takes {many} argument"):
                read(PAGE + f"  {name}({', '.join('1' * (many + 1))}) = 0\n")
        else:
            with pytest.raises(Refused, match=f"{name} of what"):
                read(PAGE + f"  {name}() = 0\n")
