"""A run that ends without a verdict, and of which kind that is; the command's exit codes follow the kind."""


class Stopped(Exception):
    kind = "incomplete"  # or "malformed", "missing", "limit", "defect"


class TooLarge(Stopped):
    """Over a limit on orbits, before anything was run; with the size that it would have taken."""

    kind = "limit"


class TimeIsUp(Stopped):
    """The time limit was reached."""

    kind = "limit"

    def __init__(self, during: str = "") -> None:
        super().__init__(f"the time limit is reached{during}")


class UnknownEngine(Stopped):
    """No engine of this name, or none that can run this construction."""

    kind = "malformed"


class OtherRun(Stopped):
    """A checkpoint that belongs to another run."""

    kind = "malformed"


class Unwritable(Stopped):
    """A checkpoint that can't be written to: what is finished can't be kept."""

    kind = "missing"


class Missing(Stopped):
    """Something outside that is needed, and isn't there: a scheduler, workers, a package."""

    kind = "missing"


class WorkersDie(Stopped):
    """Workers died again and again."""


class Irregular(Stopped):
    """The kernel met an orbit that isn't as the paper claims: for the literal network to look at."""


class Disagreement(Stopped):
    """The kernel and the literal network say different things of one orbit: no verdict can stand on them."""


class Miscounted(Stopped):
    """The cases that were enumerated are not as many as the formulas say: no verdict can stand on them."""
