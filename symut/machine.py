"""What a simulator registers: a RASP program with sizes, the task that its encoder performs, and the layout of inputs.

Main definitions: `Machine`, `Block`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from symut.errors import UsageError, shown
from symut.theorem import Parameter, Values

if TYPE_CHECKING:
    from symut.rasp.core import Sequence
    from symut.statement.simulator import Simulator

Sizes = Mapping[str, int]
MOST_SIZE, MOST_RATIO = 64, 10**6
"""The largest sizes of a statement (proofs/FORMAT.md, section 13.5)."""


class Block(NamedTuple):
    """A matrix (rows x columns), one scalar per token, by rows; with one axis a vector, with none a number."""

    name: str
    rows: int
    columns: int
    axes: int = 2


def _no_evidence(sizes: Sizes) -> dict[str, Any]:
    return {}


def _proved_at_all(sizes: Sizes) -> None:
    return None


@dataclass(frozen=True)
class Machine:
    """A family of encoders, one for each choice of sizes.

    `sizes(values)` are the sizes of the task `task`, or `task(sizes)` (proofs/FORMAT.md, section 13.5), for checked
    parameters, and raise UsageError; `program(sizes)` is the RASP sequence; `tokens(sizes)` the length of the input;
    `letters(sizes)` how many letters there are, None if tokens are real numbers; `evidence(sizes)` what a certificate
    has beside the encoder; `inputs(sizes)` and `output(sizes)` the layout, blanks left out; `work(sizes)` the number
    that bounds the heads and gates of a layer (2 work + 2 and 4 work); `require_provable(sizes)` raises UsageError at
    sizes at which there is an encoder but no proof; `modules` is the default set of emitted modules.
    """

    id: str
    statement: str
    source: str
    task: str | Callable[[Sizes], str]
    parameters: tuple[Parameter, ...]
    sizes: Callable[[Values], dict[str, int]]
    program: Callable[[Sizes], Sequence]
    tokens: Callable[[Sizes], int]
    inputs: Callable[[Sizes], tuple[Block, ...]]
    output: Callable[[Sizes], Block]
    work: Callable[[Sizes], int]
    instances: tuple[Values, ...]
    letters: Callable[[Sizes], int | None] = lambda sizes: None
    evidence: Callable[[Sizes], dict[str, Any]] = _no_evidence
    require_provable: Callable[[Sizes], None] = _proved_at_all
    modules: tuple[Values, ...] = ()

    def require_proof(self, sizes: Sizes) -> None:
        """Raise UsageError for sizes beyond the format of artifacts, or that a proof has too many cases for."""
        for name, size in sizes.items():
            most = MOST_RATIO if name in ("top", "bottom") else MOST_SIZE
            if size > most:
                raise UsageError(
                    f"{name} out of range for a proof",
                    expected=f"at most {most}",
                    got=shown(size),
                    remedy=f"symut emit {self.id} takes larger sizes",
                )
        self.require_provable(sizes)

    def stated(self, sizes: Sizes, encoder: Mapping[str, Any]) -> Simulator:
        """The statement about a described encoder."""
        from symut.statement.simulator import Simulator

        task = self.task if isinstance(self.task, str) else self.task(sizes)
        return Simulator(task=task, sizes=sizes, encoder=encoder)
