"""Marabou's answers to the queries of `verify bench`, as a CSV that `verify bench --score` reads.

    python -m venv /tmp/marabou && /tmp/marabou/bin/pip install maraboupy==2.0.0 onnx
    verify bench net
    /tmp/marabou/bin/python benchmarks/marabou.py net/queries > answers.csv
    verify bench --score answers.csv net/queries

A second word chooses networks by the beginning of their names. A query has SECONDS seconds, by Marabou's own limit.
Beside an answer `sat` stand the input and the output that Marabou gives.
"""

import csv
import re
import sys
from pathlib import Path

from maraboupy import Marabou, MarabouCore, MarabouUtils  # type: ignore[import-not-found]

SECONDS = 10
ASSERTION = re.compile(r"\(assert \((<=|>=) ([XY])_(\d+) (\S+?)\)\)")


def answer(folder: Path, onnx: str, vnnlib: str) -> tuple[str, str]:
    network = Marabou.read_onnx(str(folder / onnx))
    names = {"X": network.inputVars[0].flatten(), "Y": network.outputVars[0].flatten()}
    for sign, letter, k, right in ASSERTION.findall((folder / vnnlib).read_text()):
        variable = int(names[letter][int(k)])
        other = re.fullmatch(r"Y_(\d+)", right)
        if letter == "X":
            (network.setLowerBound if sign == ">=" else network.setUpperBound)(variable, float(right))
            continue
        kind = MarabouCore.Equation.GE if sign == ">=" else MarabouCore.Equation.LE
        relation = MarabouUtils.Equation(kind)
        relation.addAddend(1.0, variable)
        if other:
            relation.addAddend(-1.0, int(names["Y"][int(other[1])]))
        relation.setScalar(0.0 if other else float(right))
        network.addEquation(relation)
    options = Marabou.createOptions(verbosity=0, timeoutInSeconds=SECONDS)
    said, values, _ = network.solve(verbose=False, options=options)
    found = {letter: [values[int(v)] for v in names[letter]] for letter in "XY"} if values else ""
    return said.lower(), str(found)


def main() -> None:
    folder, beginning = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    out = csv.writer(sys.stdout)
    for onnx, vnnlib, _ in csv.reader((folder / "instances.csv").open()):
        if Path(onnx).name.startswith(beginning):
            try:
                said, found = answer(folder, onnx, vnnlib)
            except Exception as error:
                said, found = "error", f"{type(error).__name__}: {error}".replace("\n", " ")
            out.writerow([onnx, vnnlib, said, found])
            sys.stdout.flush()


main()
