"""The forms of networks as their slots: S(l) lists those before layer l (FORMAT.md, sections 1 and 9).

    S(L+1) = [U]
    S(l)   = [Q of heads 1..H] + [K, per head, one per layer, or none] + [U, if `anywhere`]
             + [g followed by s for every letter g, s in S(l+1)]

The letters are 1..H, or 0..H if `skip`; the letter 0 moves nothing.  The table is all that tells the forms apart; every
count and every rule follows from it by one recursion.
"""

from __future__ import annotations

from typing import NamedTuple


class Form(NamedTuple):
    skip: bool = False  # paths have the letter 0 as well
    shared: bool = False  # the matrices do not depend on the layer, and the certificate lists them once
    keys: str = "heads"  # key slots per path: one for each of the "heads", one for the "layer", or "none"
    anywhere: bool = False  # read-out slots after paths of any length 0..L, not of length L only
    read: str = "k"  # the size of a query or key slot
    out: str = "d"  # the size of a read-out slot

    def letters(self, H: int) -> int:
        return H + self.skip

    def key_slots(self, H: int) -> int:
        return {"heads": H, "layer": 1, "none": 0}[self.keys]

    @property
    def sizes(self) -> tuple[str, ...]:
        """The parameters that give sizes; all are integers or all are null."""
        return ("d", "k", "d_out") if self.out == "d_out" else ("d", "k")


FORMS = {
    "sparse_universality": Form(),
    "random_universality": Form(),
    "backbone_universality": Form(),
    "looped_universality": Form(shared=True),
    "residual_universality": Form(skip=True),
    "shared_residual_universality": Form(shared=True, anywhere=True),
    "shared_key_universality": Form(keys="layer", read="d"),
    "readoff_key_universality": Form(keys="none", read="d"),
    "affine_universality": Form(out="d_out"),
    "affine_residual_universality": Form(skip=True, out="d_out"),
}
