"""Forms: which networks a backbone simulates, in which recursion, and what that makes of its slots and counts.

Main definitions: `Form`, `FORMS`, `Count`, `FormShape`, `form_count`, `form_degree`, `form_slots`.
Main result: every form has a canonical order of slots S(1), built from the read-out backwards (proofs/FORMAT.md,
section 9), and its own N and D.  Sources: Fixed Universal Transformers, sections 3 and 4; the residual, score-matching
and affine forms are symut's own extension of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from symut.backbone.paths import KEY, OUTPUT, QUERY, Path, Slot
from symut.backbone.shape import BITS_LIMIT, positive
from symut.errors import UsageError

HEADS, LAYER, OUTPUTS = "heads", "layer", "outputs"
"""Where keys come from: every head has its own, all heads of a layer share one, or they are read off the outputs."""


@dataclass(frozen=True)
class Form:
    """A family of networks.

    `goal`: the checker's name; `shared`: one set of matrices for all layers, in backbone (and, with `residual`, in the
    target); `residual`: both networks have residual connections, so paths have letters 0..H with 0 for a skip; `keys`:
    HEADS, LAYER or OUTPUTS; `affine`: targets have biases, d_out and embeddings, and programs have d + 1 rows.
    """

    goal: str
    shared: bool = False
    residual: bool = False
    keys: str = HEADS
    affine: bool = False

    @property
    def scores_only(self) -> bool:
        """Whether only the scores Q K^T are matched, so that queries and keys of the backbone have d columns."""
        return self.keys != HEADS

    @property
    def letters(self) -> bool:
        """Whether paths have the letter 0: residual networks whose layers differ."""
        return self.residual and not self.shared

    @property
    def outputs_everywhere(self) -> bool:
        """Whether paths of every length 0..L have read-out slots: residual networks whose layers are equal."""
        return self.residual and self.shared

    def alphabet(self, H: int) -> range:
        """The letters of a path: 1..H, or 0..H with 0 for a skip."""
        return range(0 if self.letters else 1, H + 1)

    def key_heads(self, H: int) -> Sequence[int]:
        """The heads that have key slots of their own: 1..H, 0 for one key that all heads share, or none."""
        return {HEADS: range(1, H + 1), LAYER: (0,), OUTPUTS: ()}[self.keys]


LAYERED = Form("sparse_universality")
LOOPED = Form("looped_universality", shared=True)
RESIDUAL = Form("residual_universality", residual=True)
SHARED_RESIDUAL = Form("shared_residual_universality", shared=True, residual=True)
SHARED_KEY = Form("shared_key_universality", keys=LAYER)
READOFF_KEY = Form("readoff_key_universality", keys=OUTPUTS)
AFFINE = Form("affine_universality", affine=True)
AFFINE_RESIDUAL = Form("affine_residual_universality", residual=True, affine=True)
FORMS = {
    form.goal: form
    for form in (LAYERED, LOOPED, RESIDUAL, SHARED_RESIDUAL, SHARED_KEY, READOFF_KEY, AFFINE, AFFINE_RESIDUAL)
}


class Count(NamedTuple):
    """A count `per_k k + per_d d + per_out d_out`."""

    per_k: int = 0
    per_d: int = 0
    per_out: int = 0

    def at(self, d: int, k: int, d_out: int | None = None) -> int:
        """The integer at these widths; d_out counts as d if it is None."""
        return self.per_k * k + self.per_d * d + self.per_out * (d if d_out is None else d_out)

    def __str__(self) -> str:
        terms = zip(self, ("k", "d", "d_out"), strict=True)
        return " + ".join(f"{number}*{name}" for number, name in terms if number) or "0"


def _collect(form: Form, reads: int, outputs: int) -> Count:
    """`reads` query and key blocks and `outputs` read-out blocks, with the widths that the form gives them."""
    if form.scores_only:
        return Count(per_d=reads + outputs)
    return Count(per_k=reads, per_out=outputs) if form.affine else Count(per_k=reads, per_d=outputs)


def _require_countable(form: Form, H: int, L: int) -> None:
    base = len(form.alphabet(H))
    if (base.bit_length() - 1) * L > BITS_LIMIT:
        expected = f"at most {BITS_LIMIT} bits"
        raise UsageError(
            "the number of paths is beyond any machine", expected=expected, got=f"{base}^{L}", remedy="lower --L"
        )


class _Paths(NamedTuple):
    """The numbers of paths shorter than L and of length L, each also weighted by 1 + (nonzero letters)."""

    shorter: int
    full: int
    shorter_degrees: int
    full_degrees: int


@lru_cache(maxsize=256)
def _paths(form: Form, H: int, L: int) -> _Paths:
    _require_countable(form, H, L)
    base = len(form.alphabet(H))
    paths, nonzero, shorter, degrees = 1, 0, 0, 0
    for _ in range(L):
        shorter, degrees = shorter + paths, degrees + paths + nonzero
        paths, nonzero = base * paths, base * nonzero + H * paths
    return _Paths(shorter, paths, degrees, paths + nonzero)


def _total(form: Form, H: int, shorter: int, full: int) -> Count:
    """The blocks of all paths: queries and keys of the shorter ones, read-outs of the full ones or of all."""
    outputs = full + (shorter if form.outputs_everywhere else 0)
    return _collect(form, (H + len(form.key_heads(H))) * shorter, outputs)


def form_count(form: Form, H: int, L: int) -> Count:
    """N, the number of slots; raises UsageError if the number of paths is beyond any machine."""
    paths = _paths(form, H, L)
    return _total(form, H, paths.shorter, paths.full)


def form_degree(form: Form, H: int, L: int) -> Count:
    """D: the sum over all slots of 1 + the number of letters of the path that are not 0."""
    paths = _paths(form, H, L)
    return _total(form, H, paths.shorter_degrees, paths.full_degrees)


@dataclass(frozen=True)
class FormShape:
    """A form with its sizes; `d_out` is d for forms that are not affine.

    Raises UsageError for any size below 1.
    """

    form: Form
    H: int
    L: int
    d: int
    k: int
    d_out: int | None = None

    def __post_init__(self) -> None:
        positive(H=self.H, L=self.L, d=self.d, k=self.k, **({"d-out": self.d_out} if self.d_out is not None else {}))

    @property
    def N(self) -> int:
        """Number of slots."""
        return form_count(self.form, self.H, self.L).at(self.d, self.k, self.d_out)

    @property
    def degree(self) -> int:
        """Degree bound D of an N x N minor of M(R)."""
        return form_degree(self.form, self.H, self.L).at(self.d, self.k, self.d_out)

    @property
    def stored_layers(self) -> int:
        """How many sets of matrices a backbone has: one for all layers, or one for each."""
        return 1 if self.form.shared else self.L

    def state_width(self, layer: int) -> int:
        """Number of slots in S(layer), those that remain before layer 1..L+1."""
        return form_count(self.form, self.H, self.L - layer + 1).at(self.d, self.k, self.d_out)

    @property
    def own_width(self) -> int:
        """Columns of all query and key slots of one path."""
        return self.read_width * (self.H + len(self.form.key_heads(self.H)))

    @property
    def read_width(self) -> int:
        """Columns of a query or key slot: the backbone's head width."""
        return self.d if self.form.scores_only else self.k

    @property
    def output_width(self) -> int:
        """Columns of a read-out slot."""
        return self.d if self.d_out is None else self.d_out


def form_slots(shape: FormShape) -> list[Slot]:
    """The N slots in the form's canonical order; letters of a path are 0..H, and `head` is 0 for a key of a layer."""
    form, H = shape.form, shape.H
    own = [(QUERY, head, column) for head in range(1, H + 1) for column in range(shape.read_width)]
    own += [(KEY, head, column) for head in form.key_heads(H) for column in range(shape.read_width)]
    outputs = [(OUTPUT, 0, column) for column in range(shape.output_width)]
    own += outputs if form.outputs_everywhere else []
    listed: list[Slot] = []
    stack: list[Path] = [()]
    while stack:
        path = stack.pop()
        here = outputs if len(path) == shape.L else own
        listed += [Slot(role, path, head, column) for role, head, column in here]
        if len(path) < shape.L:
            stack += [(*path, letter) for letter in reversed(form.alphabet(H))]
    return listed
