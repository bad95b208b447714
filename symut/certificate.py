"""Certificates: the witnesses that the independent checker re-checks, and their canonical JSON.

Main definitions: `Certificate`, `Polynomial`, `Inverse`.  Specification: proofs/FORMAT.md, sections 3 to 6.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from symut.backbone.routing import Routing


@dataclass(frozen=True)
class Polynomial:
    """An integer polynomial: `terms` are (coefficient, non-decreasing variable numbers), in lexicographic order."""

    variables: int
    terms: Sequence[tuple[int, tuple[int, ...]]]


@dataclass(frozen=True)
class Inverse:
    """`rows` (N x m) with rows . M(R) = identity modulo the odd number `modulus`."""

    modulus: int
    rows: Sequence[Sequence[int]]


@dataclass(frozen=True)
class Certificate:
    """The witnesses for one statement; absent ones are None, `parts` has those of other rules as JSON values."""

    statement: str
    routing: Routing | None = None
    determinant: Polynomial | None = None
    inverse: Inverse | None = None
    parts: Mapping[str, Any] = field(default_factory=dict)

    def as_bytes(self) -> bytes:
        """The bytes of certificate.json: sorted keys, no spaces, one line; without `keys` if a routing has none."""
        fields: dict[str, Any] = {"format": "symut-certificate-1", "statement": self.statement}
        for name in ("routing", "determinant", "inverse"):
            part = getattr(self, name)
            if part is not None:
                fields[name] = {key: value for key, value in vars(part).items() if key != "keys" or value}
        fields |= self.parts
        return (json.dumps(fields, sort_keys=True, separators=(",", ":")) + "\n").encode("ascii")
