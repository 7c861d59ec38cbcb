"""Folders of built networks with one byte or one member changed: none is accepted, and none ends with 70.

A lie is told as well as it can be: where a file is changed, the certificate has its digest.
"""

import json
import random
from copy import deepcopy
from hashlib import sha256

import pytest

from build_truth import built
from verifier.build.dtype import BFLOAT16, FLOAT32
from verifier.build.folder import contents
from verifier.build.plan import build_paper
from verifier.checker.__main__ import main

MADE = {
    "float": lambda: built((1, 2, 2), dtype=FLOAT32),
    "positional": lambda: built(
        (2, 2, 2), "f(j) = [sorted(X[m][1] for m in 1..n)[j], X[j][1] - X[2][1]]", FLOAT32, positional=True
    ),
    "paper": lambda: built((1, 2, 2), dtype=FLOAT32, make=build_paper),
    "jumps": lambda: built((1, 2, 2), "f(j) = [1 if X[j][1] > 1/2 else -7]", BFLOAT16),
}
CHANGES = 60  # of each kind, of each network: 720 in all
UNTOLD = {"README.md", "model.py"}  # which aren't certified
OTHERS = [0, 1, -1, 2, 10**30, 10**3999, None, True, "", "0", "1/2", "-1", "1/0", "x", "7" * 4001, "1/" + "3" * 3999]
OTHERS += [[], ["1"], [["1", "0"]], {}, {"": 1}, "float64", "paper", "é", "\n", str(2**18), str(2**100)]


def places(value, path=()):
    for step in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*path, step)
        yield from places(value[step], (*path, step))


def at(value, path):
    for step in path:
        value = value[step]
    return value


@pytest.fixture(scope="module", params=MADE)
def its(request):
    return request.param, contents(MADE[request.param]())


@pytest.fixture
def code_of(tmp_path, capsys):
    def run(files):
        for name, data in files.items():
            (tmp_path / name).write_bytes(data)
        code = main([str(tmp_path / "certificate.json")])
        said = capsys.readouterr().out
        assert said.count("\n") == 1
        return code

    return run


def with_digests(files):
    cert = json.loads(files["certificate.json"])
    cert["files"] = {name: sha256(files[name]).hexdigest() for name in cert["files"]}
    return files | {"certificate.json": json.dumps(cert).encode()}


def possible(lie, right):
    """The codes that a certificate with this content may end with."""
    try:
        return (0,) if json.loads(lie) == right else (1, 2, 4)
    except ValueError:
        return (1, 2, 4)


def test_one_byte(its, code_of):
    """Another byte, one left out, one more; in the certificate too, where it may change nothing but the layout."""
    name, files = its
    assert code_of(files) == 0
    draw = random.Random(f"bytes of {name}")  # noqa: S311
    for _ in range(CHANGES):
        file = draw.choice(sorted(files.keys() - UNTOLD - {"certificate.json"}))
        data = files[file]
        k = draw.randrange(len(data))
        new = draw.choice(
            [bytes([data[k] ^ 1 << draw.randrange(8)]), b"", data[k : k + 1] + bytes([draw.randrange(256)])]
        )
        lie = data[:k] + new + data[k + 1 :]
        assert code_of(with_digests(files | {file: lie})) == 1, (file, k, new)


def test_one_byte_of_a_certificate(its, code_of):
    name, files = its
    draw, right = random.Random(f"certificate of {name}"), json.loads(files["certificate.json"])  # noqa: S311
    for _ in range(CHANGES):
        data = files["certificate.json"]
        k = draw.randrange(len(data))
        lie = data[:k] + bytes([draw.randrange(256)]) + data[k + 1 :]
        assert code_of(files | {"certificate.json": lie}) in possible(lie, right), (k, lie[k])


def test_one_member(its, code_of):
    """Each becomes something else, or is left out, or stands twice."""
    name, files = its
    draw, right = random.Random(f"members of {name}"), json.loads(files["certificate.json"])  # noqa: S311
    every = list(places(right))
    for _ in range(CHANGES):
        path = draw.choice(every)
        lie = deepcopy(right)
        part, last = at(lie, path[:-1]), path[-1]
        how = draw.randrange(6)
        if how == 0:
            del part[last]
        elif how == 1 and isinstance(part, list):
            part.append(part[last])
        else:
            part[last] = draw.choice(OTHERS)
        if lie == right:
            continue
        code = code_of(files | {"certificate.json": json.dumps(lie).encode()})
        assert code in (1, 2, 4), (path, how, part)
