"""The wheel's copy of proofs/coq: its sources without what was compiled beside them."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCES = ("_CoqProject*", "*.v", "measure/*.v", "audit.py")


class CoqSources(BuildHookInterface):
    """Puts proofs/coq into symut/kernel/coq of a wheel; an editable install finds it in the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        folder = Path(self.root, "proofs", "coq")
        if version == "editable":
            return
        for path in sorted(path for pattern in SOURCES for path in folder.glob(pattern)):
            build_data["force_include"][str(path)] = f"symut/kernel/coq/{path.relative_to(folder).as_posix()}"
