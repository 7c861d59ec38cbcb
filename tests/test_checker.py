"""The independent checker: what it accepts, what it rejects and where, what it can't read; it never crashes."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from processes import PATIENCE, started
from tampered.corpus import GENUINE, corpus, genuine, named
from test_checker_accepts import HOLDS, PARTIAL, REJECTED, of
from verifier.certificate import canonical
from verifier.checker.__main__ import main
from verifier.checker.core.reading import Unreadable, decoded, parse
from verifier.core.exact import Q

ROOT = Path(__file__).parent.parent
UNREADABLE, OVER_LIMIT = 2, 4


# What it rejects, and what it can't read


def verdict_on(tampered, check):
    """None where the checker does what it must, else what it did instead."""
    code, said = check(tampered.bytes())
    wanted = {"rejected": [1], "unreadable": [2], "never-crash": [1, 2, 4]}[tampered.folder]
    if code not in wanted:
        return f"{tampered}: exit {code} instead of {wanted}: {said}"
    if tampered.says not in said:
        return f"{tampered}: {tampered.says!r} isn't said in {said!r}"
    return None if said.count("\n") >= 1 and "Traceback" not in said else f"{tampered}: {said}"


@pytest.mark.parametrize("tampered", corpus(), ids=str)
def test_a_certificate_that_lies_is_caught_where_it_lies(tampered, judge):
    assert verdict_on(tampered, judge) is None


def test_the_corpus_is_large_and_each_of_it_differs_from_the_genuine(tmp_path):
    """Counted aloud, so that a list cut short, or a change that changes nothing, can't pass."""
    of = [tampered.folder for tampered in corpus()]
    assert {folder: of.count(folder) for folder in of} == {"rejected": 43, "unreadable": 34, "never-crash": 23}
    assert len({tampered.bytes() for tampered in corpus()} | {genuine(name) for name in GENUINE}) == len(of) + len(
        GENUINE
    )
    path = corpus()[0].written(tmp_path)
    assert path.read_bytes() == corpus()[0].bytes()
    assert corpus()[0].buys in path.with_suffix(".reason").read_text()


def only_parses(data):
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return 2, "unreadable\n"
    return 0, "checked\n"


@pytest.mark.parametrize(
    "dummy",
    [lambda _: (0, "checked\n"), lambda _: (1, "REJECTED\n"), only_parses],
    ids=["accepts", "rejects", "parses"],
)
def test_dummy_checkers_fail_this_suite(dummy):
    wrong = [tampered for tampered in corpus() if verdict_on(tampered, dummy)]
    accepts_the_genuine = all(dummy(genuine(name))[0] == 0 for name in ("holds", "shards", "vacuous", "same-B"))
    assert len(wrong) > 20
    assert wrong or not accepts_the_genuine


TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|-?[0-9]+|true|false|null|[{}\[\]:,]')


def other_tokens(token):
    """A few tokens that could stand in place of one."""
    if token[:1] == b'"':
        yield token[:-1] + b'0"'
        yield b'""'
        if number := re.search(rb"[0-9]+", token):
            yield token[: number.start()] + str(int(number[0]) + 1).encode() + token[number.end() :]
    elif token[:1].isdigit() or token[:1] == b"-":
        yield str(int(token) + 1).encode()
        yield b"0" if token != b"0" else b"null"
    yield b"" if token in b"{}[]:," else b"[]"


@pytest.mark.thorough
@pytest.mark.parametrize(
    "data", [of(1, 2, 2, claims="lemma6"), of(1, 2, 2, claims="lemma6.3,b5.order", sweep_factor=Q(1))]
)
def test_no_change_of_a_single_token_is_accepted(data, judge):
    tokens = list(TOKEN.finditer(data))
    assert len(tokens) > 300
    for token in tokens:
        for other in other_tokens(token[0]):
            changed = data[: token.start()] + other + data[token.end() :]
            code, said = judge(changed)
            accepted = code == HOLDS or "as it says" in said
            assert not accepted, (token[0], other, data[token.start() - 60 : token.end() + 20])
            assert code in (REJECTED, UNREADABLE, OVER_LIMIT)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["same-B", "refuted"])
def test_no_beginning_of_a_certificate_is_accepted(name, judge):
    """Each is unreadable before anything is checked; the command says so of every hundredth."""
    data = genuine(name)
    for length in range(len(data) - 1):  # the last byte is the newline at the end
        with pytest.raises(Unreadable):
            parse(decoded(data[:length]))
    for length in range(0, len(data) - 1, 100):
        assert judge(data[:length])[0] == UNREADABLE


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@pytest.mark.thorough
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_value_anywhere_is_an_answer_and_never_a_crash(judge, data):
    document = json.loads(genuine("same-B"))
    place, key = None, None
    here = document
    while isinstance(here, dict | list) and here and (place is None or data.draw(st.integers(0, 3))):
        place, key = here, data.draw(st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here))))
        here = here[key]
    value = data.draw(json_values)
    unchanged = json.dumps(place[key]) == json.dumps(value)
    place[key] = value
    code, said = judge(json.dumps(document).encode())
    assert code in ((HOLDS,) if unchanged else (REJECTED, UNREADABLE, OVER_LIMIT)), said


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200))
def test_any_bytes_are_an_answer_and_never_a_crash(judge, data):
    assert judge(data)[0] == UNREADABLE


# Files that are none


def test_only_regular_files_of_a_sane_size_are_read(tmp_path, capsys):
    real = tmp_path / "real.json"
    real.write_bytes(genuine("same-B"))
    link, fifo, large, empty = (tmp_path / name for name in ("link", "fifo", "large", "empty"))
    link.symlink_to(real)
    os.mkfifo(fifo)
    large.write_bytes(b" " * (16 * 2**20 + 1))
    empty.touch()
    for path in (link, fifo, large, empty, tmp_path, tmp_path / "nowhere", Path("/dev/null"), Path("/dev/zero")):
        assert main([str(path)]) == UNREADABLE, path
        assert str(path) in "".join(capsys.readouterr())
    assert main([str(real)]) == HOLDS


def test_no_files_is_a_malformed_call(capsys):
    assert main([]) == 2
    assert main(["--wrong"]) == 2
    assert main(["--shard", "x", "c.json"]) == 2
    assert "Traceback" not in "".join(capsys.readouterr())


def test_the_worst_of_several_files_decides(tmp_path, capsys):
    paths = {}
    for name, data in {"good": genuine("same-B"), "bad": b"{}", "open": genuine("skipped")}.items():
        paths[name] = tmp_path / f"{name}.json"
        paths[name].write_bytes(data)
    lie = tmp_path / "lie.json"
    lie.write_bytes(next(t for t in corpus() if t.folder == "rejected").bytes())
    assert main([str(paths["good"]), str(paths["good"])]) == HOLDS
    assert main([str(paths["good"]), str(paths["open"])]) == PARTIAL
    assert main([str(paths["open"]), str(paths["bad"])]) == UNREADABLE
    assert main([str(paths["bad"]), str(lie), str(paths["good"])]) == REJECTED
    capsys.readouterr()


# Promises


def test_the_reader_says_what_must_have_been_proved(judge, tmp_path):
    data = of(1, 3, 4, claims="lemma6")
    assert judge(data, "--promise", "1 3 4 lemma6")[0] == HOLDS
    assert judge(data, "--promise", "1 3 4 lemma6.1,lemma6.2 holds")[0] == HOLDS
    for promise in ("1 3 5 lemma6", "1 3 4 lemma10", "1 3 4 all", "1 3 4 lemma6 refuted", "1 3 4 lemma6 holds t_l=1"):
        code, said = judge(data, "--promise", promise)
        assert code == REJECTED, (promise, said)
    assert judge(data, "--promise", "1 3 4 lemma6", "--promise", "1 3 5 lemma6")[0] == REJECTED
    for malformed in ("", "1 3 4", "1 3 x lemma6", "1 3 4 lemma99", "1 3 4 lemma6 perhaps", "1 3 4 lemma6 holds f=1"):
        assert judge(data, "--promise", malformed)[0] == UNREADABLE, malformed

    file = tmp_path / "promises"
    file.write_text("# what we rely on\n1 3 4  lemma6.3,lemma6.4\n")
    assert judge(data, "--claims", str(file))[0] == HOLDS
    file.write_text("# nothing\n")
    assert judge(data, "--claims", str(file))[0] == UNREADABLE


def test_files_with_the_same_name_are_judged_each_for_itself(tmp_path, monkeypatch, capsys):
    """Three files whose names are shown alike: all of another instance than was promised, and then one of them."""
    monkeypatch.chdir(tmp_path)
    other, promised = of(1, 2, 4, claims="lemma6"), of(1, 3, 5, claims="lemma6")
    for names in (["'\\xe9'", "'\\xe9' (2)", "\xe9"], ["a", "a (2)", "a"], ["a", "a", "a"]):
        for name in names:
            Path(name).write_bytes(other)
        Path("promises").write_text("1 3 5 lemma6\n")
        for option in (["--promise", "1 3 5 lemma6"], ["--claims", "promises"]):
            assert main([*names, *option]) == REJECTED
            said = capsys.readouterr().out
            assert (
                'promise "1 3 5 lemma6" is not kept: no certificate here is about (d, n, N) = (1, 3, 5) as published\n'
                in said
            )
            assert said.count("keeps none of the promises") == len(names)
        Path("kept").write_bytes(promised)
        assert main([*names, "kept", "--promise", "1 3 5 lemma6"]) == REJECTED
        assert capsys.readouterr().out.count("keeps none of the promises") == len(names)


def test_what_a_certificate_has_instead_of_what_was_promised_is_said_in_words(judge):
    data = genuine("vacuous")
    for promise, said in (
        ("1 3 2 lemma6.1", "c.json says that lemma6.1 is vacuous"),
        ("1 3 2 lemma6.4 refuted", "c.json says that lemma6.4 is true"),
        ("1 3 2 lemma7.map refuted", "c.json doesn't have lemma7.map"),
        ("1 3 2 lemma6 t_r=5", "no certificate here is about (d, n, N) = (1, 3, 2), t_r = 5"),
    ):
        code, words = judge(data, "--promise", promise)
        assert (code, f'REJECTED: promise "{promise}" is not kept: ' in words) == (REJECTED, True)
        assert said in words
    assert "keeps none of the promises: it is about d = 1, n = 3, N = 2, the construction as published" in words


def test_a_vacuous_claim_keeps_no_promise_that_it_holds(judge):
    data = genuine("vacuous")
    assert judge(data, "--promise", "1 3 2 lemma6.4")[0] == HOLDS
    assert judge(data, "--promise", "1 3 2 lemma6.1")[0] == REJECTED
    assert judge(data, "--promise", "1 3 2 lemma6.1 vacuous")[0] == HOLDS


def test_strict_asks_for_cases(judge):
    code, said = judge(genuine("vacuous"), "--strict")
    assert code == PARTIAL
    assert "--strict: vacuous: " in said
    assert judge(genuine("same-B"), "--strict")[0] == HOLDS


def test_a_variant_keeps_no_promise_of_the_papers_construction(judge):
    data = of(1, 2, 3, claims="lemma6.4", t_l=Q(60))
    assert judge(data)[0] == HOLDS
    assert judge(data, "--promise", "1 2 3 lemma6.4")[0] == REJECTED
    assert judge(data, "--promise", "1 2 3 lemma6.4 holds t_l=60")[0] == HOLDS


def test_a_refutation_that_was_promised_is_a_promise_kept(judge):
    data = of(1, 2, 3, claims="b5.first-shift", sweep_factor=Q(2))
    assert judge(data)[0] == REJECTED
    assert judge(data, "--promise", "1 2 3 b5.first-shift refuted sweep_factor=2")[0] == HOLDS


# Limits, and the fence


@pytest.mark.parametrize("parts", [(1, 3, 10**30), (10**900, 2, 2), (1, 10**900, 2), (10**6, 10**6, 7), (1, 2, 10**7)])
def test_what_is_too_large_is_refused_at_once(parts, judge):
    document = json.loads(genuine("same-B"))
    document["instance"] = dict(zip("dnN", parts, strict=True))
    code, _ = judge(canonical(document))
    assert code in (REJECTED, OVER_LIMIT)


def test_it_runs_alone_and_without_assertions(tmp_path):
    """Where sympy, gmpy2, click, rich and the rest of verifier can't be imported, and under -O."""
    good, lie = tmp_path / "good.json", tmp_path / "lie.json"
    good.write_bytes(genuine("same-B"))
    lie.write_bytes(named("an-id-altered").bytes())
    script = (
        "import sys, runpy\n"
        "for name in ['sympy', 'gmpy2', 'click', 'rich', 'verifier.core', 'verifier.catalogue', 'verifier.run']:\n"
        "    sys.modules[name] = None\n"
        "sys.argv = ['verifier.checker', *sys.argv[1:]]\n"
        "runpy.run_module('verifier.checker', run_name='__main__')\n"
    )
    for optimise in ([], ["-O"], ["-OO"]):
        for path, code in ((good, HOLDS), (lie, REJECTED)):
            command = [sys.executable, *optimise, "-c", script, str(path)]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            assert (done.returncode, done.stderr) == (code, "")


def test_verify_check_is_the_checker(tmp_path):
    path = tmp_path / "c.json"
    path.write_bytes(genuine("same-B"))
    for arguments, code in (
        ([str(path)], HOLDS),
        ([str(path), "--promise", "1 2 4 lemma10"], REJECTED),
        ([], UNREADABLE),
    ):
        command = [sys.executable, str(ROOT / "cli.py"), "check", *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == code
        assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("streams", [">/dev/full 2>&1", ">/dev/full 2>&-", ">&- 2>&-", ">/dev/full"])
def test_streams_that_are_closed_or_full_never_look_like_a_rejection(streams, tmp_path):
    (tmp_path / "c.json").write_bytes(genuine("same-B"))
    for command in (f"{ROOT / 'cli.py'} check", "-m verifier.checker"):
        line = f"{sys.executable} {command} {tmp_path / 'c.json'} {streams}"
        done = subprocess.run(line, shell=True, cwd=ROOT, check=False)  # noqa: S602
        assert done.returncode == 3, line


def test_an_interrupted_check_says_so_in_one_line(tmp_path):
    """The interrupt of a terminal reaches the whole group: one voice answers."""
    path = tmp_path / "c.json"
    path.write_bytes(genuine("shards"))
    command = [sys.executable, str(ROOT / "cli.py"), "check", *[str(path)] * 40]
    with started(command) as run:
        run.stdout.readline()  # the first verdict: it is well under way
        os.killpg(run.pid, signal.SIGINT)
        _, err = run.communicate(timeout=PATIENCE)
    assert (run.returncode, err) == (130, "verify: interrupted; nothing was established\n")


def test_an_interrupted_check_ends_its_processes(tmp_path):
    path = tmp_path / "c.json"
    path.write_bytes(genuine("shards"))
    command = [sys.executable, "-m", "verifier.checker", "--jobs", "2", *[str(path)] * 40]
    with started(command, cwd=ROOT) as run:
        run.stdout.readline()
        os.killpg(run.pid, signal.SIGINT)
        _, err = run.communicate(timeout=PATIENCE)
    assert (run.returncode, err) == (130, "interrupted\n")
    with pytest.raises(ProcessLookupError):  # nobody is left in its group
        os.killpg(run.pid, 0)


def test_a_folder_called_verifier_does_not_shadow_the_checker(tmp_path):
    (tmp_path / "verifier").mkdir()
    (tmp_path / "verifier/__init__.py").write_text("raise SystemExit(0)")
    (tmp_path / "c.json").write_bytes(b"{}")
    command = [sys.executable, str(ROOT / "cli.py"), "check", "c.json"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == UNREADABLE


def test_its_first_page_names_every_module_in_reading_order():
    import verifier.checker

    room = ROOT / "verifier/checker"
    core = re.search(r"read in this order: core/ \(([^)]*)\)", verifier.checker.__doc__)[1]
    assert set(core.split(", ")) == {path.stem for path in (room / "core").glob("*.py")} - {"__init__"}
    there = {path.stem for path in room.glob("*.py")} - {"__init__"}
    there |= {f"{path.parent.name}/" for path in room.glob("*/__init__.py")}
    assert {name for name in there if name not in verifier.checker.__doc__.partition("in this order")[2]} == set()


def test_the_genuine_certificates_of_the_corpus_are_what_they_should_be(judge):
    codes = {name: judge(genuine(name))[0] for name in GENUINE}
    assert codes == {"holds": 0, "refuted": 1, "shards": 0, "vacuous": 0, "skipped": 5, "same-B": 0}


@pytest.mark.parametrize(
    ("words", "left"),
    [
        (["--shard", "0"], "the other shards' counts, and pairs (lemma10.injective, b5.interval, lemma6.2): "),
        (["--shard", "0", "--shard", "1"], "pairs (lemma10.injective, b5.interval, lemma6.2): "),
    ],
)
def test_a_part_says_what_of_this_certificate_it_leaves_out(words, left):
    path = ROOT / "proofs/certificates/d1-n2-N70.json"
    done = subprocess.run(
        [sys.executable, "-m", "verifier.checker", *words, str(path)],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 5
    assert f"; NOT checked: {left}" in done.stdout
