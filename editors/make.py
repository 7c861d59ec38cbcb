"""editors/page.tmLanguage.json, made of verifier/language/colours.py: `python editors/make.py`.

It is what VS Code, Sublime Text, Zed and others read; a test holds it in step with the language.
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from verifier.language.colours import RULES  # noqa: E402


def grammar() -> str:
    """The TextMate grammar of pages."""
    patterns = [
        {
            "match": rule,
            "captures": {str(k): {"name": f"{kind.textmate}.page"} for k, kind in enumerate(kinds, 1) if kind.textmate},
        }
        for rule, kinds in RULES
    ]
    whole = {"name": "verifier page", "scopeName": "source.page", "fileTypes": ["page"], "patterns": patterns}
    return json.dumps(whole, indent=1) + "\n"


if __name__ == "__main__":
    (HERE / "page.tmLanguage.json").write_text(grammar(), encoding="utf-8")
