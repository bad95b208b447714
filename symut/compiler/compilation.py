"""Compiling a target's weights to the program E of an emitted backbone, and checking it on tokens.

Main definition: `program`.
Main result: the report's errors compare the programmed backbone with the target evaluated from its own weights
(`Target.direct`), a computation that shares neither the block matrices nor the attention code.
Source: Fixed Universal Transformers, Theorems 3.1 and 3.2 (E M(R) = B(W)); biases by the affine lift.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from symut.backbone.stored import serialize
from symut.compiler.backbone import MODEL, WEIGHTS, Emitted
from symut.compiler.fitting import require_fit
from symut.compiler.inputs import TOKENS, InputFile, seeded_inputs
from symut.compiler.measure import Run, discrepancy, measured
from symut.compiler.memory import predicted_bytes
from symut.compiler.reader import Located, Request
from symut.compiler.report import DTYPES, Discrepancy, Report
from symut.compiler.schemes import locate_target
from symut.emitter.kinds import KINDS
from symut.errors import TargetError, UsageError
from symut.limits import DEFAULT_MAX_MEMORY, parse_bytes, require_memory
from symut.publish import publish_file

FORMAT = "symut-program-1"


def program(
    backbone: str | Path,
    target: str | Path,
    output: str | Path,
    *,
    scheme: str | None = None,
    layer: int | None = None,
    heads: int | None = None,
    inputs: str | Path | None = None,
    scale: float | None = None,
    causal: bool = False,
    dtype: str = "float32",
    max_memory: str = DEFAULT_MAX_MEMORY,
) -> Report:
    """Write the program E (r x m) of the target's weights for the backbone folder to `output`, and report its error.

    `scheme`: "symut", "mha", "bert" or None (recognised by the names); `layer` counts from 0; `scale` multiplies Q K^T
    (by default the scheme's own); `inputs`: a file with X and perhaps mask and Y, else seeded tokens; `dtype`: of E.
    E is solved in float64 and rounded once.  Its file holds one tensor E, and metadata that say what it belongs to.

    Raises UsageError for an option out of range, too much memory, or an output that cannot be written; TargetError for
    a backbone, target or inputs that cannot be read or do not fit.  Nothing is written unless the errors could be
    measured.
    """
    backbone, target, output = Path(backbone), Path(target), Path(output)
    inputs = None if inputs is None else Path(inputs)
    _check_options(dtype, output, backbone, target, inputs)
    emitted, located = Emitted.describe(backbone), locate_target(target, scheme, Request(layer, heads, scale))
    require_fit(emitted, located)
    given = None if inputs is None else InputFile.locate(inputs, located.shape.d, located.d_out)
    _require_memory(emitted, located, given, max_memory)
    run = measured(emitted.load(), located.read(), given.read() if given else seeded_inputs(located.shape.d), causal)
    error = run.errors[dtype]
    if error is None:
        raise _overflow(dtype, target)
    report = _report(run, located, output, dtype, error)
    publish_file(output, _stored(run, located, dtype))
    return report


def _report(run: Run, located: Located, output: Path, dtype: str, error: Discrepancy) -> Report:
    Y, rows = run.inputs.Y, run.compared & run.inputs.real_rows()
    return Report(
        embedding=output,
        backbone=run.loaded.folder,
        target=located.path,
        max_abs_error=error.max_abs_error,
        max_rel_error=error.max_rel_error,
        where=error.where,
        dtype=dtype,
        scheme=located.scheme,
        layer=located.layer,
        scale=located.scale,
        causal=run.causal,
        lifted=run.target.has_biases,
        shape=_sizes(located),
        rows=run.E.shape[0],
        width=run.E.shape[1],
        inputs=run.inputs.origin,
        rows_compared=int(run.compared.sum()),
        rows_left_out=int((~run.compared).sum()),
        errors=run.errors,
        rounding=run.rounding,
        reference=None if Y is None else {name: discrepancy(run.outputs[name], Y, rows) for name in DTYPES},
        direct_reference=None if Y is None else discrepancy(run.exact, Y, rows),
        condition=run.loaded.condition_number(),
        hypotheses=_hypotheses(run),
    )


def _sizes(located: Located) -> dict[str, int]:
    """H, L, d, k, and d_out if the target has a read-out."""
    readout = {} if located.d_out is None else {"d_out": located.d_out}
    return {name: getattr(located.shape, name) for name in "HLdk"} | readout


def _hypotheses(run: Run) -> tuple[str, ...]:
    order = "causal softmax" if run.causal else "softmax"
    same = f"both networks use {order} of {run.target.scale:.6g} Q K^T with the same mask"
    if not run.target.has_biases:
        return (same,)
    if run.target.residual:
        return (same, "biases are carried by a constant 1 in the residual stream, whatever the attention")
    place = "that the module appends to X" if run.loaded.form.affine else "the last column of X"
    lift = (
        f"biases are carried by a constant 1, {place}: this needs row-stochastic attention, that is, "
        "every query row attends to at least one key"
    )
    left_out = int((~run.compared).sum())
    checked = f"{left_out} rows attend to no key and are left out" if left_out else "every row checked here does"
    return (same, f"{lift}; {checked}")


def _stored(run: Run, located: Located, dtype: str) -> bytes:
    """The bytes of the program's file: tensor E (r x m), and metadata without any path or time."""
    about = KINDS[run.loaded.kind]
    metadata: dict[str, Any] = {
        "format": FORMAT,
        "backbone": run.loaded.sha256,
        "construction": about.construction,
        **({} if run.loaded.kind == about.construction else {"kind": run.loaded.kind}),
        "target": located.sha256(),
        "scheme": located.scheme,
        "layer": located.layer,
        "scale": located.scale,
        "lifted": run.target.has_biases,
        **_sizes(located),
        "m": run.E.shape[1],
    }
    return serialize({"E": run.E.astype(dtype)}, metadata)


def _check_options(dtype: str, output: Path, backbone: Path, target: Path, inputs: Path | None) -> None:
    if dtype not in DTYPES:
        raise UsageError("--dtype out of range", expected=" or ".join(DTYPES), got=dtype)
    sources = [target, backbone / MODEL, backbone / WEIGHTS, *([] if inputs is None else [inputs])]
    if output.resolve() in {source.resolve() for source in sources}:
        raise UsageError(
            "-o would overwrite an input", expected="another file", got=str(output), remedy="choose another -o"
        )


def _require_memory(emitted: Emitted, located: Located, given: InputFile | None, max_memory: str) -> None:
    tokens = given.tokens if given else (TOKENS, located.shape.d)
    rows = located.shape.d + (located.biased or emitted.shape.form.affine)
    needed = predicted_bytes(emitted.kind, emitted.shape, emitted.m, rows, tokens)
    require_memory(needed, parse_bytes(max_memory), "the program")


def _overflow(dtype: str, target: Path) -> TargetError:
    return TargetError(
        f"{target} overflows in {dtype}",
        expected="finite outputs",
        got="NaN or infinity",
        remedy="pass --dtype float64" if dtype == "float32" else "scale its weights down",
    )
