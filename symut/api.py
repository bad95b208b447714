"""The commands as functions: what `python -m symut` does, without printing.

Main definitions: `prove`, `prove_all`, `check`, `emit`, `program`, `bounds`, `search`, `train`,
`entries`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symut.emitter.fit import fit
from symut.emitter.names import emit_command, module_name
from symut.errors import UsageError, shown
from symut.limits import DEFAULT_MAX_MEMORY, parse_bytes
from symut.listing import Entry, entries
from symut.machine import Machine
from symut.prover.argument import Context
from symut.prover.checker import check_artifact, find_artifacts
from symut.prover.driver import prove_theorem
from symut.publish import output_folder, publish_folder
from symut.registry import constructions, find_buildable, find_theorem, machines, theorems
from symut.statement import Outcome
from symut.theorem import Construction, Values, resolve

if TYPE_CHECKING:
    from symut.compiler import Report
    from symut.experiment.record import Record
    from symut.experiment.training import Event
    from symut.kernel.confirm import Kernel
    from symut.searcher.request import Finding
    from symut.tabulator import Sizes, Table

Progress = Callable[[str, int, int], None]


def _silent(label: str, done: int, total: int) -> None:
    return None


def prove(
    theorem: str,
    *,
    out: str | Path = "proofs",
    max_memory: str | int = DEFAULT_MAX_MEMORY,
    progress: Progress = _silent,
    kernel: str | None = None,
    warn: Callable[[str], None] = warnings.warn,
    **parameters: Any,
) -> Outcome:
    """Prove one instance of a theorem and write its artifact under `out`; the same as `symut prove`.

    `parameters` are the theorem's own (H, L, d, k, m, ...); `kernel` "coq" also asks Coq, and `warn` gets a line if it
    is another version than the tested one.  Raises UsageError or TargetError for bad input.
    """
    context = Context(parse_bytes(max_memory), progress)
    found = find_theorem(theorem)
    confirm = None if kernel is None else _ready(kernel, found.id, progress, warn).confirm
    return prove_theorem(found, parameters, output_folder(out), context, confirm)


def _ready(kernel: str, theorem: str, progress: Progress, warn: Callable[[str], None]) -> Kernel:
    from symut.kernel.confirm import ready_kernel

    if kernel != "coq":
        raise UsageError("unknown kernel", expected="coq", got=shown(kernel))
    return ready_kernel(theorem, progress, warn)


def prove_all(
    *, out: str | Path = "proofs", max_memory: str | int = DEFAULT_MAX_MEMORY, progress: Progress = _silent
) -> Iterator[Outcome]:
    """Prove the default set of instances of every theorem, one after the other."""
    context, folder = Context(parse_bytes(max_memory), progress), output_folder(out)
    for theorem in theorems().values():
        for instance in theorem.instances:
            yield prove_theorem(theorem, instance, folder, context)


def check(*paths: str | Path) -> list[dict[str, Any]]:
    """Re-check artifacts with check.py: {artifact, verdict, reason, goal, claims, cited} for each, sorted by path.

    Raises UsageError if a path does not exist or holds no artifact.
    """
    found = [
        (folder, check_artifact(folder)) for folder in find_artifacts([Path(path) for path in paths or ("proofs",)])
    ]
    return [
        {
            "artifact": str(folder),
            "verdict": result.verdict,
            "reason": result.reason,
            "goal": result.goal,
            "claims": list(result.claims),
            "cited": list(result.cited),
        }
        for folder, result in found
    ]


@dataclass(frozen=True)
class Emission:
    """An emitted module: its folder, the shape it serves, its width, and how many coordinates the slots use."""

    path: str
    construction: str
    shape: dict[str, int]
    width: int
    used: int


@dataclass(frozen=True)
class SimulatorEmission:
    """An emitted simulator: folder, sizes, tokens, stream width, attention layers, and the SHA-256 of its encoder."""

    path: str
    simulator: str
    sizes: dict[str, int]
    tokens: int
    width: int
    layers: int
    encoder: str


def emit(
    construction: str,
    *,
    H: int | None = None,
    L: int | None = None,
    d: int | None = None,
    k: int | None = None,
    m: int | None = None,
    out: str | Path = "generated",
    max_memory: str | int = DEFAULT_MAX_MEMORY,
    **options: Any,
) -> Emission | SimulatorEmission:
    """Write `out/<name>/model.py` and `weights.safetensors`; the same as `symut emit`.

    Sizes as in `symut.emitter.fit`; `options` are the construction's own (seed, dtype, shared, d_out, ...), or the
    parameters of a simulator.  Raises UsageError for bad sizes or options, or too much memory.
    """
    parent, found, limit = output_folder(out), find_buildable(construction), parse_bytes(max_memory)
    if isinstance(found, Machine):
        sizes = {name: size for name, size in zip("HLdkm", (H, L, d, k, m), strict=True) if size is not None}
        return _emit_simulator(found, parent, {**sizes, **options}, limit)
    return _emit_backbone(found, parent, (H, L, d, k, m), options, limit)


def _emit_simulator(machine: Machine, parent: Path, given: Values, limit: int) -> SimulatorEmission:
    from symut.emitter.simulators import emit_simulator, simulator_name

    values = resolve(machine, given)
    made = emit_simulator(machine, values, limit)
    folder = parent / simulator_name(machine, values)
    publish_folder(folder, made.files)
    cost, sizes = made.cost, dict(made.sizes)
    return SimulatorEmission(
        str(folder), machine.id, sizes, cost.tokens - 1, cost.stream_width, cost.attention_layers, made.encoder_sha256
    )


def _emit_backbone(
    found: Construction, parent: Path, asked: tuple[int | None, ...], options: Values, limit: int
) -> Emission:
    H, L, d, k, m = asked
    values = resolve(found, options)
    chosen = fit(H, L, d, k, m, form=found.form(values), d_out=values.get("d_out"))
    files = found.emit(chosen, values, emit_command(found, chosen, values, limit), limit)
    folder = parent / module_name(found, chosen, values)
    publish_folder(folder, files)
    sizes = {name: getattr(chosen.shape, name) for name in "HLdk"}
    sizes |= {"d_out": chosen.shape.output_width} if chosen.shape.form.affine else {}
    return Emission(str(folder), found.id, sizes, chosen.m, chosen.shape.N)


def emit_all(
    *, out: str | Path = "generated", max_memory: str | int = DEFAULT_MAX_MEMORY
) -> Iterator[Emission | SimulatorEmission]:
    """Write the default set of modules of every construction and simulator, one after the other."""
    for owner in (*constructions().values(), *machines().values()):
        for request in owner.modules:
            yield emit(owner.id, out=out, max_memory=max_memory, **request)


def program(*arguments: Any, **options: Any) -> Report:
    """Compile a target's weights to the program of an emitted backbone; see `symut.compiler.program`."""
    from symut.compiler import program as compile_target

    return compile_target(*arguments, **options)


def bounds(
    *, H: Sizes = 2, L: Sizes = 2, d: Sizes = 3, k: Sizes | None = None, proofs: str | Path = "proofs"
) -> list[Table]:
    """Every known lower bound and construction width of each shape; the same as `symut bounds`.

    Sizes are integers, lists of them, or text such as "1..3"; k is d if it is None.  Raises UsageError for bad sizes.
    """
    from symut.tabulator import shapes, table

    found = shapes(H, L, d, k)
    return [table(shape, Path(proofs), instances=len(found) == 1) for shape in found]


def search(
    *, H: int, L: int, m: int, out: str | Path = "proofs", max_memory: str | int = DEFAULT_MAX_MEMORY, **options: Any
) -> Finding:
    """Does width m match every target at d = 1?  The same as `symut search attention_matching`.

    `options` are heads, targets, solver, method, timeout, seed and start.  Raises UsageError for a value out of range
    or a missing solver.
    """
    from symut.searcher.matching import search_matching
    from symut.searcher.request import Request

    return search_matching(Request(H=H, L=L, m=m, max_memory=parse_bytes(max_memory), **options), output_folder(out))


def train(
    task: str,
    *,
    backbone: str = "sparse",
    arch: str = "attention",
    preset: str = "cpu",
    out: str | Path = "results",
    device: str = "cpu",
    threads: int = 1,
    resume: bool = False,
    max_memory: str | int = DEFAULT_MAX_MEMORY,
    progress: Callable[[Event], None] = lambda event: None,
    **options: Any,
) -> list[Record]:
    """Train E, P and U around a fixed backbone, one record per seed; the same as `symut train TASK`.

    `options` are sizes (pairs, hops, n, H, L, d, k, m, steps, ...), `init` and `lr` (a number, or several to choose
    from), `seed` and `seeds`.  Records, weights, table and plots are written to `out`.

    Raises UsageError for an option out of range.
    """
    from symut.experiment.protocol import run_cell
    from symut.experiment.publication import publish
    from symut.experiment.running import Place
    from symut.experiment.suites import cell

    asked = cell(backbone, preset, task, arch, **options)
    place = Place(output_folder(out), device, threads, parse_bytes(max_memory), resume)
    records = list(run_cell(asked, place, progress, keep_weights=True))
    publish(place.out)
    return records


__all__ = [
    "Emission",
    "Entry",
    "Outcome",
    "SimulatorEmission",
    "bounds",
    "check",
    "emit",
    "emit_all",
    "entries",
    "program",
    "prove",
    "prove_all",
    "search",
    "train",
]
