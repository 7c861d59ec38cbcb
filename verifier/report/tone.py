"""The colour of a verdict, wherever it is shown: green only where the checker's answer is 0."""


def tone(verdict: str, code: int) -> str:
    """`holds` (green), `refuted` (red) or `incomplete` (amber); code: what `verify check` ends with."""
    if verdict == "refuted":
        return "refuted"
    return "holds" if verdict == "holds" and code == 0 else "incomplete"
