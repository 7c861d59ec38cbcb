"""The benchmark: every way of running the orbits side by side, on this machine, in one run.

    python benchmarks/run.py [--quick] [--json FILE]

Each contender is a process of its own (contender.py says what they are; straightforward.c is compiled on the spot).
Before any number of the kernel is printed, its counts and tightest cases are compared with those of straightforward.c.
"""

import argparse
import importlib.util
import json
import os
import platform
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # a script's path is its own folder

from benchmarks import pages, straightforward
from benchmarks.process import Failed, Run, run
from benchmarks.table import megabytes, rate, seconds, table
from verifier.papers.yun2020.kernel import compiled

SMALL = [(1, 3, 100), (1, 4, 80), (1, 5, 40), (2, 3, 14), (2, 4, 8), (3, 2, 10)]
LARGE = [(1, 3, 300), (1, 3, 1100), (1, 4, 200), (1, 5, 70), (2, 3, 30), (2, 4, 13), (3, 2, 24)]
START_UP = (1, 3, 4)
NETWORKS = [(1, 3, 30), (1, 3, 100), (2, 2, 30)]
WAYS = ("fractions", "rationals", "engine", "engine, numpy", "float64", "torch")

# The rest of the paper, and what waiting is made of: the whole command, and in how many seconds it should be through.
COMMANDS: list[tuple[list[str], float]] = [
    (["--d", "1", "--n", "3", "--N", "8", "--claims", "all"], 0.5),
    (["--d", "2", "--n", "2", "--N", "4", "--claims", "all"], 0.5),
    (["--d", "1", "--n", "2", "--N", "64", "--claims", "all"], 10),
    (["--d", "1", "--n", "3", "--N", "16", "--claims", "all"], 3),
    (["--d", "1", "--n", "3", "--N", "32", "--claims", "all"], 60),
    (["--d", "2", "--n", "2", "--N", "8", "--claims", "all"], 60),
    (["--d", "3", "--n", "2", "--N", "24"], 1),
    (["regress"], 8),
]
QUICK_COMMANDS = 2

PYTHON = ("fractions", "literal", "plain")
COMPARED = (
    *(f"category{k}" for k in (1, 2, 3)),
    *("lower", "upper", "inside_low", "inside_high", "outside_low", "outside_high"),
)

Instance = tuple[int, int, int]


class Disagree(Exception):
    """Two kernels that find different things in the same orbits: neither has a speed worth printing."""


def main() -> int:
    parser = argparse.ArgumentParser(description="How fast, how small, how quick to start.")
    parser.add_argument("--quick", action="store_true", help="small instances alone; a few seconds")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers to FILE as well")
    options = parser.parse_args()
    try:
        numbers = measure(quick=options.quick)
    except (Disagree, Failed) as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 1
    print(report(numbers))
    if options.json:
        options.json.write_text(json.dumps(numbers, indent=1) + "\n")
    return 0


def measure(*, quick: bool) -> dict[str, Any]:
    budget = 0.1 if quick else 1.0
    numbers: dict[str, Any] = {"machine": machine(), "quick": quick, "start_up": start_up(5 if quick else 15)}
    instances = SMALL if quick else sorted(SMALL + LARGE)
    numbers["instances"] = []
    with tempfile.TemporaryDirectory() as folder:
        for instance in instances:
            print(f"measuring {instance} ...", file=sys.stderr, flush=True)
            numbers["instances"].append(measure_instance(instance, budget, Path(folder)))
    numbers["networks"] = [measure_network(i, budget) for i in (NETWORKS[:1] if quick else NETWORKS)]
    numbers["pages"] = pages.measure(quick=quick)
    numbers["commands"] = [measure_command(*each) for each in (COMMANDS[:QUICK_COMMANDS] if quick else COMMANDS)]
    return numbers


def measure_network(instance: Instance, budget: float) -> dict[str, Any]:
    """The layers alone, each way; what isn't installed is left out."""
    print(f"measuring the network of {instance} ...", file=sys.stderr, flush=True)
    taken: dict[str, Any] = {"instance": dict(zip("dnN", instance, strict=True))}
    for way in WAYS:
        if way == "torch" and importlib.util.find_spec("torch") is None:
            continue
        name, _, without = way.partition(", ")
        extra = {"VERIFIER_NO_C": "1"} if without else {}
        call = [sys.executable, "-m", "benchmarks.network", name, *map(str, instance), str(budget)]
        found = json.loads(run(call, extra).output)
        taken[way] = {**found, "per_second": found["done"] / found["seconds"]}
    return taken


def measure_command(words: list[str], goal: float) -> dict[str, Any]:
    print(f"measuring verify {' '.join(words)} ...", file=sys.stderr, flush=True)
    child = run([sys.executable, "-m", "verifier", *words], expected=(0, 1))  # 1: a claim of the paper is refuted
    return {"words": " ".join(words), "seconds": child.seconds, "goal": goal, "megabytes": child.megabytes}


def measure_instance(instance: Instance, budget: float, folder: Path) -> dict[str, Any]:
    taken: dict[str, Any] = {"instance": dict(zip("dnN", instance, strict=True))}
    for name in PYTHON:
        taken[name], _ = contend(name, instance, budget)
    if in_C():
        d, n, N = instance
        program = straightforward.compiled_for(n, folder)
        child = run([str(program), str(d), str(N), str(budget)])
        theirs = json.loads(child.output)
        taken["kernel"], ours = contend("kernel", instance, budget)
        compare(instance, ours, theirs)
        orbits = sum(theirs[f"category{k}"] for k in (1, 2, 3))
        taken["straightforward"] = numbers_of(orbits, theirs["seconds"], child)
        taken["orbits"] = orbits
        taken["found"] = {name: ours[name] for name in COMPARED}
    for jobs in (1, 2):
        child = run([*verify(instance), "--jobs", str(jobs)])
        taken[f"verify{jobs}"] = {"seconds": child.seconds, "megabytes": child.megabytes}
    return taken


def in_C() -> bool:
    return straightforward.compiler() is not None and compiled.library() is not None


def contend(name: str, instance: Instance, budget: float) -> tuple[dict[str, float], dict[str, Any]]:
    child = run([sys.executable, "-m", "benchmarks.contender", name, *map(str, instance), str(budget)])
    found = json.loads(child.output)
    return numbers_of(found["done"], found["seconds"], child), found


def numbers_of(done: int, taken: float, child: Run) -> dict[str, float]:
    return {"per_second": done / taken, "done": done, "seconds": taken, "megabytes": child.megabytes}


def compare(instance: Instance, ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    different = [f"{name}: {ours[name]} and {theirs[name]}" for name in COMPARED if ours[name] != theirs[name]]
    if theirs["failures"]:
        different.append(f"{theirs['failures']} relations fail in straightforward.c")
    if different:
        raise Disagree(f"{instance}: the kernel and straightforward.c disagree: {'; '.join(different)}")


def verify(instance: Instance) -> list[str]:
    d, n, N = map(str, instance)
    return [sys.executable, "-m", "verifier", "--d", d, "--n", n, "--N", N]


def start_up(times: int) -> dict[str, float]:
    """The whole command on the smallest instance, the median of several."""
    runs = [run(verify(START_UP)) for _ in range(times)]
    return {
        "seconds": statistics.median(one.seconds for one in runs),
        "megabytes": statistics.median(one.megabytes for one in runs),
    }


def machine() -> dict[str, Any]:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return {
        "date": time.strftime("%Y-%m-%d"),
        "processor": model or platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "compiler": straightforward.compiler_version(),
    }


def report(numbers: dict[str, Any]) -> str:
    of, start = numbers["machine"], numbers["start_up"]
    lines = [
        f"{of['date']}, {of['processor']}, {of['cores']} cores, {of['system']}; load {of['load']:.1f} at the beginning",
        f"Python {of['python']}; {of['compiler']}",
    ]
    if not in_C():
        why = compiled.found().why or "no C compiler"
        lines.append(f"straightforward.c and the kernel in C are left out: {why}.")
    d, n, N = START_UP
    lines += [
        f"Start-up: verify --d {d} --n {n} --N {N} in {start['seconds']:.2f} s, {megabytes(start['megabytes'])}",
        "",
        throughput(numbers["instances"]),
        "",
        commands(numbers["instances"]),
        "",
        memory(numbers["instances"]),
        "",
        networks(numbers["networks"]),
        "",
        pages.report(numbers["pages"]),
        "",
        rest(numbers["commands"]),
    ]
    return "\n".join(lines)


def name_of(taken: dict[str, Any]) -> str:
    return f"({', '.join(str(value) for value in taken['instance'].values())})"


def throughput(instances: list[dict[str, Any]]) -> str:
    head = [
        "(d, n, N)",
        "orbits",
        "Fractions*",
        "literal",
        "plain",
        "straightforward C",
        "kernel",
        "kernel / C",
    ]
    rows = []
    for taken in instances:
        speeds = [taken.get(name, {}).get("per_second") for name in (*PYTHON, "straightforward", "kernel")]
        *_, theirs, ours = speeds
        share = f"{ours / theirs:.2f}" if theirs else "-"
        rows.append([name_of(taken), f"{taken['orbits']:,}" if theirs else "-", *map(rate, speeds), share])
    title = "Orbits per second on one core (* ordered matrices per second; C weighs Lemma 10 and 6.1 to 6.4, ours all)"
    return table(title, head, rows)


def commands(instances: list[dict[str, Any]]) -> str:
    rows = []
    for taken in instances:
        one, two = taken["verify1"], taken["verify2"]
        times = [seconds(one["seconds"]), seconds(two["seconds"])]
        speeds = [rate(taken["orbits"] / way["seconds"] if "orbits" in taken else None) for way in (one, two)]
        rows.append([name_of(taken), *times, *speeds])
    head = ["(d, n, N)", "--jobs 1", "--jobs 2", "orbits/s, 1", "orbits/s, 2"]
    return table("The whole command `verify --d .. --n .. --N ..`, start-up and report included", head, rows)


def memory(instances: list[dict[str, Any]]) -> str:
    ways = (*PYTHON, "straightforward", "kernel", "verify1", "verify2")
    rows = [[name_of(t), *(megabytes(t.get(way, {}).get("megabytes")) for way in ways)] for t in instances]
    head = [
        "(d, n, N)",
        "Fractions",
        "literal",
        "plain",
        "straightforward C",
        "kernel",
        "--jobs 1",
        "--jobs 2",
    ]
    return table("Peak memory of the largest process", head, rows)


def networks(found: list[dict[str, Any]]) -> str:
    rows = []
    for taken in found:
        speeds = [rate(taken.get(way, {}).get("per_second")) for way in WAYS]
        wrong = f"{100 * taken['float64']['wrong'] / taken['float64']['done']:.0f}%"
        rows.append([name_of(taken), *speeds, wrong])
    head = ["(d, n, N)", "Fractions", "rationals", "engine", "without C", "numpy float64", "PyTorch float64", "wrong"]
    title = "Every layer of the network: orbits per second on one core; and how many of numpy's have a wrong value"
    return table(title, head, rows)


def rest(found: list[dict[str, Any]]) -> str:
    rows = [[f"verify {t['words']}", seconds(t["seconds"]), seconds(t["goal"])] for t in found]
    return table("Whole commands, the independent check included", ["command", "taken", "goal"], rows)


if __name__ == "__main__":
    sys.exit(main())
