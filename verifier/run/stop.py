"""Why a run ends without a verdict: an exception of one of five kinds, from which the command's exit code follows."""


class Stopped(Exception):
    kind = "incomplete"  # or "malformed", "missing", "limit", "defect"


class TooLarge(Stopped):
    """The run would be over a limit; said before anything was run, with the size that it would have."""

    kind = "limit"


class TimeIsUp(Stopped):
    """The time limit was reached."""

    kind = "limit"

    def __init__(self, during: str = "") -> None:
        super().__init__(f"the time limit is reached{during}")


class OtherRun(Stopped):
    """A checkpoint that belongs to another run."""

    kind = "malformed"


class Unwritable(Stopped):
    """A checkpoint that can't be written to, so that finished shards would be lost."""

    kind = "missing"


class Missing(Stopped):
    """Something outside that is needed, and isn't there: a scheduler, workers, a package."""

    kind = "missing"


class WorkersDie(Stopped):
    """Workers died again and again."""
