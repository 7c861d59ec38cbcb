"""A folder of queries in the layout of VNN-COMP, with the answers and a witness or proof of each.

onnx/NAME.onnx             the networks
vnnlib/NAME-001.vnnlib     the queries, in VNN-LIB 1
vnnlib-2/NAME-001.vnnlib   the same queries in VNN-LIB 2.0
instances.csv              a line for each query: network, query, seconds
instances-2.csv            the same, for VNN-LIB 2.0
truth.json                 the answer to each query; the witness, or which proof shows that there is none
proofs/NAME-01.json        the enclosure of a box, layer by layer
README.md                  what all this is
"""

import json
import os
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from verifier.bench import vnnlib
from verifier.bench.enclosure import Form, power_above
from verifier.bench.networks import Subject
from verifier.bench.queries import Place, Query, Ranges, queries
from verifier.build import hard
from verifier.build.dtype import DTYPES
from verifier.core.exact import Matrix, text_of

FORMAT, SECONDS = "verifier.queries/2", 60


def rows(X: Matrix) -> list[list[str]]:
    return [[text_of(x) for x in row] for row in X]


def written(form: Form) -> dict[str, Any]:
    """A form c . x + [low, high] +- 2^error as JSON; a member that is missing is 0."""
    said: dict[str, Any] = {f"X_{k}": text_of(c) for k, c in enumerate(form.c) if c}
    said |= (
        {"low": text_of(form.low), "high": text_of(form.high)} if form.low != form.high else {"is": text_of(form.low)}
    )
    return said | ({} if form.tiny is None else {"error": form.tiny})


def proof(subject: Subject, place: Place) -> dict[str, Any]:
    """The enclosure after each layer that changes it."""
    before: Any = None
    layers = []
    for k, step in enumerate(place.steps):
        if step.forms != before:
            entries = [written(form) for row in step.forms for form in row]
            layers.append({"layer": k, "how": list(step.how), "entries": entries})
        before = step.forms
    return {
        "format": "verifier.enclosure/1",
        "network": f"onnx/{subject.name}.onnx",
        "box": [[text_of(a), text_of(b)] for a, b in place.box.sides],
        "layers": layers,
    }


def dumped(value: Any) -> bytes:
    return (json.dumps(value, indent=1, sort_keys=True) + "\n").encode()


def enclosed(ranges: Ranges, Y_floats: Matrix) -> dict[str, Any]:
    """The exact output, if known; else the output that floats compute, and how far the exact one can be from it."""
    if all(a == b for row in ranges for a, b in row):
        return {"Y": [[text_of(a) for a, _ in row] for row in ranges]}
    far = max(
        max(abs(a - y), abs(b - y))
        for row, ys in zip(ranges, Y_floats, strict=True)
        for (a, b), y in zip(row, ys, strict=True)
    )
    return {"Y": rows(Y_floats), "Y_within": f"2^{power_above(far)}"}


def truth(query: Query, paths: dict[str, str], shown: str) -> dict[str, Any]:
    """The entry of a query in truth.json."""
    right = f"Y_{query.relation.other}" if query.relation.right is None else text_of(query.relation.right)
    said: dict[str, Any] = paths | {
        "answer": query.answer,
        "place": query.place,
        "relation": f"Y_{query.relation.left} {query.relation.sign} {right}",
        "margin": text_of(DTYPES[query.subject.dtype].below(query.margin)),
    }
    if query.witness is None:
        return said | {"proof": shown}
    within = {} if query.witness.within is None else {"within": text_of(query.witness.within)}
    return said | {"witness": {"X": rows(query.witness.X)} | enclosed(query.witness.Y, query.witness.Y_floats) | within}


def model_of(subject: Subject) -> bytes:
    dtype = DTYPES[subject.dtype]
    return hard.onnx(subject.layers, subject.d, subject.wide, subject.n, dtype, 1, soft=subject.soft)


def contents(subjects: Iterable[Subject]) -> Iterator[tuple[str, bytes]]:
    """Names and bytes of all files."""
    instances, said, sizes = [], [], []
    for subject in subjects:
        model = model_of(subject)
        name = f"onnx/{subject.name}.onnx"
        yield name, model
        digest, counts, number = sha256(model).hexdigest(), Counter[str](), 0
        for k, (place, made) in enumerate(queries(subject)):
            shown = f"proofs/{subject.name}-{k:02d}.json"
            if any(query.witness is None for query in made):
                yield shown, dumped(proof(subject, place))
            for query in made:
                number += 1
                file = f"{subject.name}-{number:03d}.vnnlib"
                paths = {"onnx": name, "vnnlib": f"vnnlib/{file}", "vnnlib_2": f"vnnlib-2/{file}"}
                digests = {"onnx_sha256": digest}
                for kind, write_ in (("vnnlib", vnnlib.text), ("vnnlib_2", vnnlib.text_2)):
                    data = write_(query).encode()
                    yield paths[kind], data
                    digests[f"{kind}_sha256"] = sha256(data).hexdigest()
                instances.append((paths["onnx"], paths["vnnlib"], paths["vnnlib_2"]))
                said.append(truth(query, paths | digests, shown))
                counts[query.answer] += 1
        sizes.append((subject, counts))
    for file, which in (("instances.csv", 1), ("instances-2.csv", 2)):
        yield file, "".join(f"{its[0]},{its[which]},{SECONDS}\n" for its in instances).encode()
    yield "truth.json", dumped({"format": FORMAT, "queries": said})
    yield "README.md", readme(sizes).encode()


def readme(sizes: Sequence[tuple[Subject, Counter[str]]]) -> str:
    words = files("verifier.bench").joinpath("folder.md").read_text(encoding="utf-8")
    lines = [
        f"| `{s.name}` | ({s.d}, {s.n}, {s.N}) | {s.dtype} | {len(s.layers)} | {counts['sat']} | {counts['unsat']} |"
        for s, counts in sizes
    ]
    head = "| network | (d, n, N) | format | layers | sat | unsat |\n|---|---|---|---|---|---|\n"
    return words.replace("TABLE\n", head + "\n".join(lines) + "\n")


def write(subjects: Iterable[Subject], folder: Path) -> tuple[int, int]:
    """Writes all files or none (under another name until complete); returns how many queries are sat and unsat."""
    whole = folder.parent / f".verify-{os.urandom(8).hex()}"
    whole.mkdir()
    try:
        for name, data in contents(subjects):
            (whole / name).parent.mkdir(exist_ok=True)
            (whole / name).write_bytes(data)
        answers = Counter(query["answer"] for query in json.loads((whole / "truth.json").read_bytes())["queries"])
        whole.rename(folder)
        return answers["sat"], answers["unsat"]
    finally:
        shutil.rmtree(whole, ignore_errors=True)
