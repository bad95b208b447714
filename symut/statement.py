"""What is claimed: goals, parameters, and the sentences that they determine.

Main definitions: `Statement`, `Outcome`, `Step`, `EXIT_CODES`.
The text of a statement is a function of its goal and parameters alone (proofs/FORMAT.md, section 2); the independent
checker derives it again and compares byte for byte.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

from symut.backbone.shape import Linear, degree, slot_count

PROVED, REFUTED, UNKNOWN, TRUSTED = "PROVED", "REFUTED", "UNKNOWN", "TRUSTED"
CITED = "CITED"
"""The verdict of a step that rests on a textbook lemma; it does not lower the verdict of the whole."""
EXIT_CODES = {PROVED: 0, REFUTED: 10, UNKNOWN: 11, TRUSTED: 12}
"""The exit code of `prove` for each verdict."""

SPARSE, RANDOM, BACKBONE = "sparse_universality", "random_universality", "backbone_universality"

_UNIVERSAL = (
    "for every target (WQ, WK: d x k and WV: d x d, real, for each layer and head) there is a program E (d x m) "
    "with UT(X, E) = T(X) for all n >= 1, all real X (n x d) and all attention functions"
)


@dataclass(frozen=True)
class Statement:
    """A goal of the checker with its parameters; `d`, `k`, `m` and `weights` (a SHA-256) may be open (None)."""

    goal: str
    H: int
    L: int
    d: int | None = None
    k: int | None = None
    m: int | None = None
    weights: str | None = None

    def count(self, linear: Linear) -> str:
        """A linear count as text: an integer at fixed d and k, else `A*k + B*d`."""
        return str(linear) if self.d is None or self.k is None else str(linear.at(self.d, self.k))

    @property
    def N(self) -> str:
        """The number of slots, as text."""
        return self.count(slot_count(self.H, self.L))

    @property
    def degree(self) -> str:
        """The degree bound D, as text."""
        return self.count(degree(self.H, self.L))

    @property
    def claims(self) -> list[str]:
        """The sentences claimed, in the order of FORMAT.md."""
        start = f"H = {self.H}, L = {self.L}: "
        sizes = "all d, k >= 1" if self.d is None else f"d = {self.d}, k = {self.k}"
        stored = (
            f"{start}for {sizes} and m = {self.m} it holds for the backbone stored in the file with "
            f"SHA-256 {self.weights}: {_UNIVERSAL}."
        )
        if self.goal == BACKBONE:
            return [stored]
        if self.goal == SPARSE:
            width = self.N if self.m is None else self.m
            return [
                f"{start}for {sizes} there is a backbone of width m = {width} with all entries of RQ, RK, RV and U "
                f"in {{0, 1}} such that {_UNIVERSAL}."
            ]
        widths = f"every m >= {self.N}" if self.m is None else f"m = {self.m}"
        almost = (
            f"{start}for {sizes} and {widths}, under every joint law of the entries of RQ, RK (m x k), RV (m x m) and "
            f"U (m x d) over all layers and heads that is absolutely continuous with respect to Lebesgue measure, "
            f"with probability 1: {_UNIVERSAL}."
        )
        discrete = (
            f"{start}for {sizes} and {widths}, if the entries are independent and uniform on s distinct real numbers, "
            f"the following fails with probability at most D/s, D = {self.degree}: {_UNIVERSAL}."
        )
        return [almost, discrete] + ([stored] if self.weights else [])

    def as_bytes(self) -> bytes:
        """The bytes of statement.json."""
        parameters = {name: getattr(self, name) for name in ("H", "L", "d", "k", "m", "weights")}
        fields = {
            "format": "symut-statement-1",
            "goal": self.goal,
            "parameters": parameters,
            "claims": self.claims,
        }
        return (json.dumps(fields, indent=2, sort_keys=True) + "\n").encode("ascii")

    @property
    def sha256(self) -> str:
        """SHA-256 of statement.json, lower-case hexadecimal."""
        return hashlib.sha256(self.as_bytes()).hexdigest()


@dataclass(frozen=True)
class Step:
    """One step of a proof: what is claimed, by which method, and what the prover found."""

    id: str
    claim: str
    method: str
    verdict: str = PROVED


@dataclass(frozen=True)
class Outcome:
    """The answer of `prove`.

    `goal` is what check.py checked; `artifact` is the folder written (None if nothing was); `trusted` lists cited
    lemmas and programs that check.py does not re-check; `reason` says in one line why the verdict is not PROVED;
    `known` has the best bounds.
    """

    theorem: str
    parameters: dict[str, Any]
    verdict: str
    claims: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    goal: str = ""
    trusted: tuple[str, ...] = ()
    width: str = ""
    artifact: str | None = None
    reason: str = ""
    known: dict[str, Any] = field(default_factory=dict)

    @property
    def exit_code(self) -> int:
        """0 PROVED, 10 REFUTED, 11 UNKNOWN, 12 TRUSTED."""
        return EXIT_CODES[self.verdict]
