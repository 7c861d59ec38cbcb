"""README's Python does what is said, and its map is the house. (Its commands: test_docs.py.)"""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def test_the_python_api_does_what_is_said(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "")  # as wide as the README
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(block, "README.md", "exec"), {})  # noqa: S102 - our own README
    verdict, tightest, refuted, *table = capsys.readouterr().out.splitlines()
    assert verdict == "holds"
    assert tightest == "l~_n = 55/2 >= lemma10.lower = 12, at [0, 1/4, 1/2] 31/2"
    assert "b5.shift" in refuted
    assert any("lemma6.3 is refuted" in line for line in table)
    assert any("construction: sweep_factor = 5 (the paper: 4), t_l = 100 (the paper: 3072)" in line for line in table)


def test_every_room_of_the_map_is_there_and_every_module_has_a_room():
    rooms = set(re.findall(r"`((?:verifier|proofs|tests)/[^`]*)`", README))
    for room in rooms:
        assert (ROOT / room).exists(), room
    named = README[README.index("## The map of the house") :]
    for path in [*(ROOT / "verifier").glob("[!_]*.py"), *(ROOT / "verifier").glob("[!_.]*/")]:
        assert path.name in named, f"{path.name} is not on the map"
