"""Forms: which networks a backbone simulates, in which recursion, and what that makes of its slots and counts.

Main definitions: `Form`, `FORMS`, `Count`, `FormShape`, `form_count`, `form_degree`, `form_slots`.
Main result: every form has a canonical order of slots S(1), built from the read-out backwards (proofs/FORMAT.md,
section 9), and its own N and D.  Sources: Fixed Universal Transformers, sections 3 and 4; the residual, score-matching
and affine forms are symut's own extension of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
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


def _blocks(form: Form, H: int, L: int) -> list[tuple[int, int, int]]:
    """(degree, query and key blocks, read-out blocks) for the paths with one number of nonzero letters and one length."""
    if (max(H, 2).bit_length()) * L > BITS_LIMIT + L:
        raise UsageError("H^L is beyond any machine", got=f"{H}^{L}", remedy="lower --L")
    keys = {HEADS: H, LAYER: 1, OUTPUTS: 0}[form.keys]
    found = []
    for length in range(L + 1):
        reads = 0 if length == L else H + keys
        reads_out = int(length == L or form.goal == SHARED_RESIDUAL.goal)
        skips, paths = (length, 1) if form.letters else (0, H**length)
        for zeros in range(skips + 1):
            letters = length - zeros
            count = paths if not form.letters else comb(length, zeros) * H**letters
            found.append((letters + 1, reads * count, reads_out * count))
    return found


def form_count(form: Form, H: int, L: int) -> Count:
    """N, the number of slots; raises UsageError if H^L is beyond any machine."""
    blocks = _blocks(form, H, L)
    return _collect(form, sum(reads for _, reads, _ in blocks), sum(outputs for _, _, outputs in blocks))


def form_degree(form: Form, H: int, L: int) -> Count:
    """D: the sum over all slots of 1 + the number of letters of the path that are not 0."""
    blocks = _blocks(form, H, L)
    return _collect(form, sum(a * reads for a, reads, _ in blocks), sum(a * outputs for a, _, outputs in blocks))


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
        positive(H=self.H, L=self.L, d=self.d, k=self.k, **({"d_out": self.d_out} if self.d_out is not None else {}))

    @property
    def N(self) -> int:
        """Number of slots."""
        return form_count(self.form, self.H, self.L).at(self.d, self.k, self.d_out)

    @property
    def degree(self) -> int:
        """Degree bound D of an N x N minor of M(R)."""
        return form_degree(self.form, self.H, self.L).at(self.d, self.k, self.d_out)

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
    form, heads = shape.form, range(1, shape.H + 1)
    own = [Slot(QUERY, (), head, column) for head in heads for column in range(shape.read_width)]
    keys = {HEADS: list(heads), LAYER: [0], OUTPUTS: []}[form.keys]
    own += [Slot(KEY, (), head, column) for head in keys for column in range(shape.read_width)]
    outputs = [Slot(OUTPUT, (), 0, column) for column in range(shape.output_width)]
    own += outputs if form.goal == SHARED_RESIDUAL.goal else []
    letters = range(0 if form.letters else 1, shape.H + 1)
    listed: list[Slot] = []
    stack: list[Path] = [()]
    while stack:
        path = stack.pop()
        here = outputs if len(path) == shape.L else own
        listed += [slot._replace(path=path) for slot in here]
        if len(path) < shape.L:
            stack += [(*path, letter) for letter in reversed(letters)]
    return listed
