"""Answers of the verifier Marabou to a folder of queries: python benchmarks/marabou.py QUERIES [SECONDS] > answers.csv

It runs in an environment of its own: pip install maraboupy==2.0.0 onnx onnxruntime. A line is: network, query, answer;
after a `sat`, what the network makes of Marabou's own point by onnxruntime, and whether the relation is true there.
"""

import multiprocessing
import re
import sys
from pathlib import Path

import numpy
import onnxruntime
from maraboupy import Marabou


def read(text):
    """The box, and the relation (left, sign, right), right a number or the number of another output."""
    low = {int(k): float(v) for k, v in re.findall(r"\(>= X_(\d+) (\S+?)\)", text)}
    high = {int(k): float(v) for k, v in re.findall(r"\(<= X_(\d+) (\S+?)\)", text)}
    ((left, sign, right),) = [(b, a, c) for a, b, c in re.findall(r"\(([<>]=) Y_(\d+) (\S+?)\)", text)]
    return low, high, int(left), sign, right


def answer(network, query, seconds):
    net = Marabou.read_onnx(str(network))
    X, Y = net.inputVars[0].flatten(), net.outputVars[0].flatten()
    low, high, left, sign, right = read(query.read_text())
    for k, x in enumerate(X):
        net.setLowerBound(x, low[k])
        net.setUpperBound(x, high[k])
    s = 1.0 if sign == "<=" else -1.0  # s (left - right) <= 0
    if right.startswith("Y_"):
        net.addInequality([Y[left], Y[int(right[2:])]], [s, -s], 0.0)
    else:
        net.addInequality([Y[left]], [s], s * float(right))
    options = Marabou.createOptions(timeoutInSeconds=seconds, verbosity=0)
    code, values, _ = net.solve(verbose=False, options=options)
    if code != "sat":
        return code.lower(), ""
    session = onnxruntime.InferenceSession(str(network))
    shape = [d if isinstance(d, int) else 1 for d in session.get_inputs()[0].shape]
    dtype = numpy.float64 if "double" in session.get_inputs()[0].type else numpy.float32
    point = numpy.array([values[x] for x in X]).astype(dtype).reshape(shape)
    out = session.run(None, {"X": point})[0].flatten()
    bound = out[int(right[2:])] if right.startswith("Y_") else float(right)
    true = out[left] <= bound if sign == "<=" else out[left] >= bound
    return "sat", f"X = {point.flatten().tolist()}, Y = {out.tolist()}: {'true' if true else 'NOT true'} there"


def into(pipe, *arguments):
    try:
        pipe.send(answer(*arguments))
    except Exception as error:  # whatever it says is its answer
        pipe.send(("error", f"{type(error).__name__}: {error}"))


def within(network, query, seconds):
    """The answer of a process of its own, which is ended when Marabou's own limit has passed and 5 seconds more."""
    here, there = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=into, args=(there, network, query, seconds))
    process.start()
    there.close()
    try:
        return here.recv() if here.poll(seconds + 5) else ("timeout", "")
    except EOFError:
        return "error", "the process died"
    finally:
        process.kill()
        process.join()


def main():
    folder, seconds = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20
    for line in (folder / "instances.csv").read_text().split():
        network, query, _ = line.split(",")
        said, more = within(folder / network, folder / query, seconds)
        print(f'{network},{query},{said},"{more}"', flush=True)


if __name__ == "__main__":
    main()
