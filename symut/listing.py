"""What symut can prove and build, with the verdict that the artifacts at hand support.

Main definitions: `Entry`, `entries`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from symut.prover.checker import check_artifact
from symut.registry import constructions, machines, theorems
from symut.statement import PROVED, Statement
from symut.theorem import SIZES, Construction, Theorem, Values, instance_name, resolve

NOT_RUN = "NOT RUN"


@dataclass(frozen=True)
class Entry:
    """A row of `symut list`; `status` is PROVED if the default instance's artifact passes check.py now.

    `parameters` are the names of the options that `symut prove` or `symut emit` takes, the sizes included.
    """

    id: str
    kind: str
    statement: str
    parameters: list[str]
    source: str
    status: str


def _status(theorem: Theorem, proofs: Path) -> str:
    values = resolve(theorem, theorem.instances[0])
    statement = None if theorem.recorded else theorem.state(values)
    folder = proofs / theorem.id / instance_name(theorem, values, statement)
    try:
        stated = (folder / "statement.json").read_bytes()
        statement = statement or _recorded(theorem, values, folder)
    except (OSError, ValueError):
        return NOT_RUN
    if statement is None or stated != statement.as_bytes():
        return NOT_RUN
    result = check_artifact(folder)
    return PROVED if result.verdict == "VALID" else result.verdict


def _recorded(theorem: Theorem, values: Values, folder: Path) -> Statement | None:
    """The claim about the witness that the artifact holds."""
    certificate = json.loads((folder / "certificate.json").read_bytes())
    return theorem.recorded(values, certificate) if theorem.recorded and isinstance(certificate, dict) else None


def _options(construction: Construction) -> list[str]:
    """Every construction is emitted for sizes; its own parameters come after them."""
    return [parameter.name for parameter in (*SIZES, *construction.parameters)]


def entries(proofs: str | Path) -> list[Entry]:
    """Theorems, constructions, then simulators; artifacts are looked for under the folder `proofs`.

    The theorem of a simulator has the same id.
    """
    folder = Path(proofs)
    found = [
        Entry(t.id, "theorem", t.statement, [p.name for p in t.parameters], t.source, _status(t, folder))
        for t in theorems().values()
    ]
    built = [Entry(c.id, "construction", c.statement, _options(c), c.source, "emits") for c in constructions().values()]
    simulators = [
        Entry(m.id, "simulator", m.statement, [p.name for p in m.parameters], m.source, "emits")
        for m in machines().values()
    ]
    return found + built + simulators
