"""Random backbones: independent Gaussian, uniform or integer entries, universal with probability one for m >= N.

Main definitions: `random_backbone`, `DISTRIBUTIONS`.
Main result: any absolutely continuous law gives a universal backbone almost surely, and each stored one can be
certified exactly, because its entries are dyadic rationals.
Source: Fixed Universal Transformers, Theorem 3.2 (random universality).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from constructions.sparse import merging, moved
from symut.backbone import Routing, Shape
from symut.backbone.forms import LAYERED, LOOPED, FormShape
from symut.errors import UsageError
from symut.statement import BACKBONE, RANDOM, FormStatement, Statement, Universality
from symut.theorem import CHOICE, FILE, FLAG, SEED, SIZES, Construction, Parameter, Theorem, Values, fixed_shape

if TYPE_CHECKING:
    import numpy as np

    from symut.emitter import Fit
    from symut.prover import Argument, Context, Undecided

DISTRIBUTIONS = ("gaussian", "uniform", "integer")
DTYPES = ("float32", "float64")
INTEGER_BOUND = 1000
"""Integer entries are uniform on -1000..1000, up to a power of two."""


def random_backbone(
    shape: Shape | FormShape,
    m: int,
    *,
    seed: int = 0,
    distribution: str = "gaussian",
    dtype: str = "float32",
    shared: bool = False,
) -> dict[str, np.ndarray]:
    """Tensors RQ, RK (L x H x m x k), RV (L x H x m x m), U (m x d), drawn in this order from numpy's PCG64.

    With `shared` one layer is drawn, 1 in place of L, for use in every layer.

    "gaussian": variance 1/m; "uniform": on [-sqrt(3/m), sqrt(3/m)], the same variance; both keep activations of order
    one and are rounded to `dtype`.  "integer": uniform on the integers -1000..1000, divided by the
    power of two that brings the variance nearest to 1/m, exactly.
    """
    import numpy as np

    generator = np.random.Generator(np.random.PCG64(seed))

    def draw(*size: int) -> np.ndarray:
        if distribution == "integer":
            integers = generator.integers(-INTEGER_BOUND, INTEGER_BOUND, size, dtype=np.int16, endpoint=True)
            return np.ldexp(integers.astype(dtype), -round(np.log2(INTEGER_BOUND * np.sqrt(m / 3))))
        if distribution == "uniform":
            return (generator.uniform(-1, 1, size) * np.sqrt(3 / m)).astype(dtype)
        return (generator.standard_normal(size) / np.sqrt(m)).astype(dtype)

    H, L, d, k = shape.H, 1 if shared else shape.L, shape.d, shape.k
    return {"RQ": draw(L, H, m, k), "RK": draw(L, H, m, k), "RV": draw(L, H, m, m), "U": draw(m, d)}


def weights_file(
    shape: Shape | FormShape, m: int, seed: int, distribution: str, dtype: str, shared: bool = False
) -> tuple[dict[str, np.ndarray], bytes]:
    """The tensors of a random backbone and the bytes of the weights.safetensors that `emit random` writes."""
    from symut.backbone.stored import serialize

    tensors = random_backbone(shape, m, seed=seed, distribution=distribution, dtype=dtype, shared=shared)
    sizes = {"H": shape.H, "L": shape.L, "d": shape.d, "k": shape.k, "m": m}
    about = {
        "construction": "random",
        "format": "symut-weights-1",
        "seed": seed,
        "distribution": distribution,
        **sizes,
        **({"kind": "shared_random"} if shared else {}),
    }
    return tensors, serialize(tensors, about)


def _state(values: Values, weights: bytes | None = None) -> Universality:
    digest = None if weights is None else hashlib.sha256(weights).hexdigest()
    return Universality(RANDOM, values["H"], values["L"], values["d"], values["k"], values["m"], digest)


def _argue(values: Values, context: Context) -> Argument | Undecided:
    from symut.prover import almost_every_backbone, require_proof_memory

    _require_meaning(values)
    if values["backbone"] is not None:
        return _argue_for_file(values, context)
    shape = fixed_shape(values)
    if shape and values["m"] is not None and values["m"] < shape.N:
        return _argue_below(values, shape, context)
    d, k = (shape.d, shape.k) if shape else (1, 1)
    require_proof_memory(_state(values), moved("merging", values["H"], values["L"], d, k), context)
    witness = merging(values["H"], values["L"], d, k)
    if values["seed"] is None:
        return almost_every_backbone(_state(values), witness, context)
    if shape is None:
        raise UsageError("--seed needs --d and --k", expected="the shape of one backbone", got="no d, k")
    return _argue_for_seed({**values, "m": values["m"] or shape.N}, shape, witness, context)


def _argue_below(values: Values, shape: Shape, context: Context) -> Argument | Undecided:
    """A width below N: refuted, or for attention functions of the scores open from d H^L on."""
    from symut.prover import below_threshold, below_threshold_for_scores

    if values["scores_only"]:
        return below_threshold_for_scores(shape, values["m"], context)
    return below_threshold(shape, values["m"], context)


def _require_meaning(values: Values) -> None:
    """One stored backbone at a time, and none where almost every one is asked about; raises UsageError."""
    require_seeded(values)
    if values["seed"] is not None and values["backbone"] is not None:
        raise UsageError("--seed and --backbone exclude each other", remedy="certify one backbone at a time")
    stored = [name for name in ("seed", "backbone") if values[name] is not None]
    if values["scores_only"] and stored:
        raise UsageError(f"--scores-only and --{stored[0]} exclude each other", remedy=f"drop --{stored[0]}")


def require_seeded(values: Values) -> None:
    """The options of a seeded backbone say nothing without --seed; raises UsageError."""
    chosen = [p.name for p in (LAW, STORED) if values[p.name] != p.default]
    if values["seed"] is None and chosen:
        raise UsageError(f"--{chosen[0]} needs --seed", expected="a seeded backbone", remedy=f"drop --{chosen[0]}")


def _argue_for_seed(values: Values, shape: Shape, witness: Routing, context: Context) -> Argument | Undecided:
    from symut.prover import add_stored_backbone, almost_every_backbone, require_rank_memory

    require_rank_memory(shape, values["m"], context)
    tensors, content = weights_file(shape, values["m"], values["seed"], values["distribution"], values["dtype"])
    general = almost_every_backbone(_state(values, content), witness, context)
    return add_stored_backbone(general, shape, tensors, content, context)


def _argue_for_file(values: Values, context: Context) -> Argument | Undecided:
    """The user's own matrices: sizes come from the file and must agree with any that are given."""
    from symut.backbone.stored import backbone_sizes, read_backbone, require_same
    from symut.prover import below_threshold, require_rank_memory, stored_backbone

    path = Path(values["backbone"])
    d, k, m = backbone_sizes(path, values["H"], values["L"])
    for name, found in (("d", d), ("k", k), ("m", m)):
        if values[name] not in (None, found):
            raise UsageError(
                f"--{name} differs from {path}", expected=str(found), got=str(values[name]), remedy="drop it"
            )
    shape = Shape(values["H"], values["L"], d, k)
    require_rank_memory(shape, m, context, path.stat().st_size)
    tensors = read_backbone(path, shape.H, shape.L)[0]
    content = path.read_bytes()
    require_same(path, content, tensors)
    if m < shape.N:
        return below_threshold(shape, m, context)
    statement = Universality(BACKBONE, shape.H, shape.L, d, k, m, hashlib.sha256(content).hexdigest())
    return stored_backbone(statement, shape, tensors, content, context)


SEED_OPTION = Parameter("seed", "of numpy's PCG64 generator", SEED, 0)
LAW = Parameter("distribution", "law of the stored backbone's entries", CHOICE, "gaussian", DISTRIBUTIONS)
SHARED = Parameter("shared", "one set of matrices, used in every layer", FLAG, False)
STORED = Parameter("dtype", "stored type of its entries", CHOICE, "float32", DTYPES)

UNIVERSALITY = Theorem(
    id="random_universality",
    statement="almost every backbone of width m >= N simulates every target when only its embedding E changes",
    source="Fixed Universal Transformers, Theorem 3.2",
    parameters=(
        *SIZES,
        Parameter("seed", "also certify the very backbone that `emit random --seed` writes", SEED),
        LAW,
        STORED,
        Parameter("backbone", "certify the matrices RQ, RK, RV, U of a safetensors file instead", FILE),
        Parameter("scores_only", "only attention functions of the scores Q K^T, such as softmax", FLAG, False),
    ),
    state=_state,
    argue=_argue,
    instances=(
        {"H": 2, "L": 2},
        {"H": 2, "L": 3},
        {"H": 1, "L": 3},
        {"H": 3, "L": 2},
        {"H": 1, "L": 1, "d": 1, "k": 1},
        {"H": 2, "L": 2, "d": 3, "k": 3},
        {"H": 2, "L": 2, "d": 3, "k": 3, "m": 48, "seed": 0},
        {"H": 2, "L": 3, "d": 1, "k": 1, "m": 40, "seed": 1, "distribution": "integer"},
    ),
)


def _emit(chosen: Fit, values: Values, command: str, max_memory: int) -> Mapping[str, bytes]:
    from symut.emitter import emit, predicted_bytes
    from symut.limits import require_memory

    shape, m, dtype, shared = chosen.shape, chosen.m, values["dtype"], values["shared"]
    kind = "shared_random" if shared else "random"
    require_memory(predicted_bytes(kind, shape, m, dtype), max_memory, f"a random backbone of width {m}")
    _, content = weights_file(shape, m, values["seed"], values["distribution"], dtype, shared=shared)
    statement = _emitted_statement(chosen, content)
    return emit(
        kind,
        shape,
        m,
        weights=lambda: content,
        command=command,
        theorems=(statement.goal,),
        statement_hash=statement.sha256,
        dtype=dtype,
        max_memory=max_memory,
    )


def _emitted_statement(chosen: Fit, content: bytes) -> Statement:
    """What `prove --seed` proves about this file: of `looped_universality` if the layers share their matrices."""
    shape, m, digest = chosen.shape, chosen.m, hashlib.sha256(content).hexdigest()
    if shape.form == LOOPED:
        return FormStatement(LOOPED.goal, shape.H, shape.L, shape.d, shape.k, m, digest)
    return Universality(RANDOM, shape.H, shape.L, shape.d, shape.k, m, digest)


CONSTRUCTION = Construction(
    id="random",
    statement="independent Gaussian, uniform or integer entries; every program is one linear solve",
    source="Fixed Universal Transformers, Theorem 3.2",
    parameters=(SEED_OPTION, LAW, STORED, SHARED),
    emit=_emit,
    theorems=(UNIVERSALITY,),
    modules=({"m": 48}, {"m": 48, "shared": True}),
    form=lambda values: LOOPED if values["shared"] else LAYERED,
)
