"""A page's run that goes on where it was stopped: the same bytes, another page's folder, damage, limits, a cluster."""

import hashlib
import json

import pytest

from cli import main
from verifier.evaluate import run
from verifier.evaluate.certificate import canonical
from verifier.evaluate.quick import shards
from verifier.evaluate.quick.stretches import Stretches, quick_of
from verifier.evaluate.run import Elsewhere, found
from verifier.language.page import read
from verifier.run import checkpoint, cluster
from verifier.run.stop import OtherRun

OWN = """language 1
title "Two inputs, categories, and every kind of line"
sizes n >= 1, N >= 1
inputs w in words: words of 0..n letters a in {0, 1}
inputs X in bags: multisets of 3 numbers a in {1, ..., N}
is_even = X[1] mod 2 = 0
category even of bags if is_even: count(is_even over bags) cases, sum(weight over bags if is_even) inputs
category odd of bags if not is_even: count(not is_even over bags) cases, sum(weight over bags if not is_even) inputs
big = 3^70 as "big"
claim a.sum, own, "-", on bags if X[1] != X[3]:
  "Sums are small, and never the same."
  sum(X) <= 3*N
  sum(X) iff_ones 3
  across sum(X)*big as a, b: b > a
claim a.words, own, "-", on words if len(w) > 0:
  "All but one are words that have an end."
  w != [1, 1, 0]
  all(a < 2 for a in w) iff true
  w[1] = 1 recognises sum(w) > 1
  once: n >= 1
claim a.vain, own, "-", on words:
  "Skipped."
  skipped if n > 2 "there are enough"
  len(w) <= n
claim a.itself, own, "-", once:
  "About no input."
  big > N
""".replace("  sum(X) iff_ones 3\n", "  within X as a, b: b >= a\n")
SIZES = {"n": 5, "N": 7}
IDS = ["a.sum", "a.words", "a.vain", "a.itself"]


def certificate(folder=None, text=OWN, sizes=SIZES, ids=IDS, variant=None, said=None, **how):
    where = Elsewhere(checkpoint=folder, say=(said if said is not None else []).append)
    return canonical(found(read(text), sizes, ids, variant, how=where, **how))


@pytest.fixture
def ran(monkeypatch):
    """The stretches that are really run."""
    stretches, honest = [], run.run
    monkeypatch.setattr(run, "run", lambda q, ids, *ends: (stretches.append(ends[:2]), honest(q, ids, *ends))[1])
    return stretches


def test_a_run_from_a_folder_gives_the_same_bytes_and_runs_nothing_again(tmp_path, ran):
    wanted = certificate()
    ran.clear()
    assert certificate(tmp_path) == wanted
    assert len(ran) == len(list(tmp_path.glob("shard-*.json"))) == run.STRETCHES
    for path in list(tmp_path.glob("shard-*.json"))[::3]:
        path.unlink()
    ran.clear()
    assert certificate(tmp_path) == wanted
    assert len(ran) == -(-run.STRETCHES // 3)
    ran.clear()
    assert certificate(tmp_path) == wanted
    assert ran == []


def test_processes_keep_the_same(tmp_path, monkeypatch):
    wanted = certificate()
    monkeypatch.setattr(run, "WORTH_PROCESSES", 0)
    monkeypatch.setattr(run, "LEAST", 1)
    assert certificate(tmp_path, jobs=2) == wanted
    assert certificate(tmp_path) == wanted
    assert len(list(tmp_path.glob("shard-*.json"))) == run.STRETCHES


def test_comments_and_layout_make_no_other_page(tmp_path, ran):
    certificate(tmp_path)
    ran.clear()
    text = "# mine\n" + OWN.replace("  once: n >= 1", "  once:\n    n>=1")
    assert certificate(tmp_path, text) == certificate(text=text)
    assert len(ran) == 1  # the second run, in one go


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ({"text": OWN.replace("3*N", "4*N")}, "its page has '  sum(X) <= 3*N', and this one '  sum(X) <= 4*N'"),
        ({"text": OWN + "  1 = 1\n"}, "its page has '', and this one '  1 = 1'"),
        ({"sizes": {"n": 5, "N": 8}}, "its instance is {'N': 7, 'n': 5}, and not {'N': 8, 'n': 5}"),
        ({"variant": {"big": run.mpq(1, 3)}}, "its variant is {}, and not {'big': '1/3'}"),
        ({"ids": IDS[1:]}, "its claims are others; only there: a.sum"),
    ],
)
def test_the_folder_of_another_run_is_refused_with_the_difference(tmp_path, how, why):
    certificate(tmp_path)
    with pytest.raises(OtherRun) as caught:
        certificate(tmp_path, **how)
    assert why in str(caught.value)


def test_a_folder_of_other_code_is_refused(tmp_path, monkeypatch):
    certificate(tmp_path)
    monkeypatch.setattr(checkpoint, "code_identity", lambda: "another")
    with pytest.raises(OtherRun, match="its code is"):
        certificate(tmp_path)


def test_a_damaged_file_is_run_again_and_said(tmp_path, ran):
    wanted = certificate(tmp_path)
    path = tmp_path / "shard-00031.json"
    whole = path.read_bytes()
    for damage in (
        b"",
        whole[:-9],
        whole.replace(b'"cases":0', b'"cases":1'),
        whole.replace(b'"a.sum"', b'"a.sun"'),
    ):
        assert damage != whole
        path.write_bytes(damage)
        ran.clear()
        said = []
        assert certificate(tmp_path, said=said) == wanted
        assert len(ran) == 1
        assert said == ["damaged, and run again: shard-00031.json"]


def leaves(value, at=()):
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[key], (*at, key))
    else:
        yield at


def put(value, at, new):
    if not at:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[at[0]] = put(value[at[0]], at[1:], new)
    return copy


def test_numbers_that_no_run_can_count_are_not_believed(tmp_path):
    """Each leaf of a shard, signed anew, with a value that is out of the question there."""
    certificate(tmp_path)
    tried = 0
    for path in (tmp_path / "shard-00004.json", tmp_path / "shard-00031.json"):
        content = json.loads(path.read_bytes())["content"]
        quick = quick_of(Stretches(OWN, tuple(SIZES.items()), ()))
        wide = shards.total(quick, IDS)
        its = run.ends(wide, 1)[content["index"]]
        good = {key: content[key] for key in ("claims", "categories", "collected")}
        assert isinstance(run.state_of(quick, IDS, *its, good), shards.State)
        for at in leaves(good):
            for new in (None, -1, "x", 10**9, [], {}):
                if at[-2:-1] == ("order",) and new == 10**9:
                    continue  # the order of relations has no bound that is known here
                if at[2:3] == ("lines",) and at[4:] == ("made",) and new == 10**9:
                    continue  # how often a relation was made, neither
                if at[-1] in ("a", "b") and new == []:
                    continue  # a letter may stand for a list
                with pytest.raises((ValueError, LookupError, TypeError, AttributeError, ArithmeticError)):
                    run.state_of(quick, IDS, *its, put(good, at, new))
                tried += 1
    assert tried > 200


def test_a_signed_lie_that_is_possible_is_for_the_checker(tmp_path, capsys):
    """A kept count that is wrong by one: nothing is established."""
    page = tmp_path / "mine.page"
    page.write_text(OWN)
    call = ["--paper", str(page), "--n", "5", "--N", "7", "--checkpoint", str(tmp_path / "kept"), "-q"]
    assert main(call) == 1
    assert capsys.readouterr().out == "refuted\n"
    path = tmp_path / "kept/shard-00004.json"
    content = json.loads(path.read_bytes())["content"]
    content["claims"]["a.words"]["lines"][0]["made"] += 1
    digest = hashlib.sha256(checkpoint._bytes(content)).hexdigest()
    path.write_bytes(checkpoint._bytes({"content": content, "sha256": digest}))
    assert main(call) == 70
    assert "the independent checker does not accept its certificate" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (["--n", "1", "--slow", "--checkpoint", "kept"], 2, "--slow runs case by case"),
        (["--n", "1", "--checkpoint", ""], 2, "it is empty; a folder is needed"),
        (["--n", "1", "--checkpoint", "/proc/nowhere"], 3, "the checkpoint can't be kept: /proc/nowhere"),
        (["--n", "1", "--memory-limit", "1"], 4, "a memory limit of 1 MB"),
        (["--n", "1", "--scheduler", "nonsense"], 3, "no scheduler answers at 'nonsense'"),
        (["--n", "1", "--scheduler", "tcp://127.0.0.1:9"], 3, "no scheduler answers at tcp://127.0.0.1:9"),
    ],
)
def test_what_can_not_be_is_one_line(words, code, why, tmp_path, capsys):
    page = tmp_path / "mine.page"
    page.write_text(OWN)
    assert main(["--paper", str(page), "--N", "2", *words]) == code
    err = capsys.readouterr().err
    assert why in err
    assert err.count("\n") == 1


def test_a_size_is_not_called_as_an_option(tmp_path, capsys):
    page = tmp_path / "mine.page"
    for name in ("checkpoint", "slow", "help"):
        page.write_text(f'language 1\nsizes {name} >= 1\nclaim a.b, own, "-", once:\n  "x"\n  1 = 1\n')
        assert main(["--paper", str(page), f"--{name}", "1"]) == 2
        assert f"a size can't be called {name}" in capsys.readouterr().err


def test_a_worker_of_a_cluster_sends_what_is_counted_as_plain_data():
    stretches = Stretches(OWN, tuple(SIZES.items()), (("big", "7"),))
    ours, ids = checkpoint.code_identity(), tuple(IDS)
    answer = cluster.run_stretch(stretches, ids, 40, 90, ours)
    state = cluster._read(answer, 40, 90, stretches, ids, ours)
    assert stretches.written(state) == stretches.written(shards.run(quick_of(stretches), IDS, 40, 90))
    with pytest.raises(cluster.Missing, match="no shard of ranks 40 to 88"):
        cluster._read(answer, 40, 89, stretches, ids, ours)


def test_an_error_of_the_page_in_a_process_is_said_as_here(monkeypatch):
    text = OWN.replace("len(w) <= n", "w[len(w)+0] <= n").replace("n > 2", "n > 9")
    monkeypatch.setattr(run, "WORTH_PROCESSES", 0)
    monkeypatch.setattr(run, "LEAST", 1)
    told = []
    for jobs in (1, 2):
        with pytest.raises(run.Refused) as caught:
            certificate(text=text, jobs=jobs)
        told.append(str(caught.value))
    assert told[0] == told[1]
