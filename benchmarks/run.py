"""The benchmark: what runs cases side by side, on this machine, in one run.

    python benchmarks/run.py [--quick] [--json FILE]

Each contender is a process of its own (contender.py and pages.py say what they are; straightforward.c is compiled on
the spot). Where the quick reading runs all cases, its counts and least slacks are compared with those of
straightforward.c before a number is printed.
"""

import argparse
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

SMALL = [(1, 3, 60), (1, 4, 30), (2, 2, 10)]
LARGE = [(1, 3, 300), (1, 4, 100), (1, 5, 40), (2, 3, 14), (3, 2, 10)]
START_UP = (1, 3, 4)

# What waiting is made of: the whole command, and in how many seconds it should be through.
DYCK = {"paper": "dyck", "k": 2, "D": 2, "n": 6, "bos": 1, "last": 0, "guard": 0, "tie": 0, "p": 0, "type": 0}
COMMANDS: list[tuple[list[str], float]] = [
    (["--d", "2", "--n", "2", "--N", "4"], 0.5),
    (["--d", "1", "--n", "3", "--N", "8"], 0.5),
    (["--d", "1", "--n", "2", "--N", "70"], 5),
    (["--d", "2", "--n", "2", "--N", "10"], 5),
    (["--d", "1", "--n", "3", "--N", "60", "--claims", "lemma10,lemma6.1,lemma6.2,lemma6.3,lemma6.4"], 20),
    ([f"--{name}={value}" for name, value in DYCK.items()], 1),
    (["--paper", "parity", "--n", "12"], 5),
]
QUICK_COMMANDS = 2

COMPARED = (
    *(f"category{k}" for k in (1, 2, 3)),
    *("lower", "upper", "inside_low", "inside_high", "outside_low", "outside_high"),
)

Instance = tuple[int, int, int]


class Disagree(Exception):
    """Two that find different things in the same cases: neither has a speed worth printing."""


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
    numbers["pages"] = pages.measure(quick=quick)
    numbers["commands"] = [measure_command(*each) for each in (COMMANDS[:QUICK_COMMANDS] if quick else COMMANDS)]
    return numbers


def measure_command(words: list[str], goal: float) -> dict[str, Any]:
    print(f"measuring verify {' '.join(words)} ...", file=sys.stderr, flush=True)
    child = run([sys.executable, "-m", "verifier", *words], expected=(0, 1))  # 1: a claim of the paper is refuted
    its = {"seconds": child.seconds, "processor": child.processor, "megabytes": child.megabytes}
    return {"words": " ".join(words), "goal": goal, **its}


def measure_instance(instance: Instance, budget: float, folder: Path) -> dict[str, Any]:
    taken: dict[str, Any] = {"instance": dict(zip("dnN", instance, strict=True))}
    child = run([sys.executable, "-m", "benchmarks.contender", *map(str, instance)])
    ours = json.loads(child.output)
    taken["quick"] = numbers_of(ours["done"], ours["seconds"], child)
    taken["cases"] = ours["cases"]
    if straightforward.compiler() is not None:
        d, n, N = instance
        program = straightforward.compiled_for(n, folder)
        child = run([str(program), str(d), str(N), str(budget)])
        theirs = json.loads(child.output)
        if ours["done"] == ours["cases"]:
            compare(instance, ours["found"], theirs)
        taken["straightforward"] = numbers_of(ours["cases"], theirs["seconds"], child)
        taken["found"] = {name: theirs[name] for name in COMPARED}
    return taken


def numbers_of(done: int, taken: float, child: Run) -> dict[str, float]:
    return {"per_second": done / taken, "done": done, "seconds": taken, "megabytes": child.megabytes}


def compare(instance: Instance, ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    different = [f"{name}: {ours[name]} and {theirs[name]}" for name in COMPARED if ours[name] != theirs[name]]
    if theirs["failures"]:
        different.append(f"{theirs['failures']} relations fail in straightforward.c")
    if different:
        raise Disagree(f"{instance}: the quick reading and straightforward.c disagree: {'; '.join(different)}")


def verify(instance: Instance) -> list[str]:
    d, n, N = map(str, instance)
    return [sys.executable, "-m", "verifier", "--d", d, "--n", n, "--N", N]


def start_up(times: int) -> dict[str, float]:
    """The whole command on the smallest instance, the median of several."""
    runs = [run(verify(START_UP)) for _ in range(times)]
    return {
        "seconds": statistics.median(one.seconds for one in runs),
        "processor": statistics.median(one.processor for one in runs),
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
    if straightforward.compiler() is None:
        lines.append("straightforward.c is left out: there is no C compiler.")
    d, n, N = START_UP
    lines += [
        f"Start-up: verify --d {d} --n {n} --N {N} in {start['seconds']:.2f} s ({start['processor']:.2f} s"
        f" of the processor), {megabytes(start['megabytes'])}",
        "",
        throughput(numbers["instances"]),
        "",
        pages.report(numbers["pages"]),
        "",
        rest(numbers["commands"]),
    ]
    return "\n".join(lines)


def name_of(taken: dict[str, Any]) -> str:
    return f"({', '.join(str(value) for value in taken['instance'].values())})"


def throughput(instances: list[dict[str, Any]]) -> str:
    head = ["(d, n, N)", "cases", "quick reading", "straightforward C"]
    rows = []
    for taken in instances:
        speeds = [rate(taken.get(name, {}).get("per_second")) for name in ("quick", "straightforward")]
        rows.append([name_of(taken), f"{taken['cases']:,}", *speeds])
    title = "Lemma 10 and 6.1, 6.3, 6.4, cases per second on one core"
    return table(title, head, rows)


def rest(found: list[dict[str, Any]]) -> str:
    times = ("seconds", "processor", "goal")
    rows = [[f"verify {t['words']}", *(seconds(t[name]) for name in times)] for t in found]
    return table("Whole commands, the independent check included", ["command", "taken", "processor", "goal"], rows)


if __name__ == "__main__":
    sys.exit(main())
