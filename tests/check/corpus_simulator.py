"""The corpus of the goal of section 13: valid, invalid and malformed artifacts (see corpus.py)."""

from __future__ import annotations

from tests.check.build import Artifact
from tests.check.corpus import filed
from tests.check.encoders import VALID

Case = tuple[Artifact, str]


def cases() -> dict[str, Case]:
    """kind/name -> files and the reason's pattern (empty for valid)."""
    from tests.check import invalid_hoelder, large_simulator
    from tests.check.invalid_simulator import invalid
    from tests.check.malformed_simulator import malformed

    valid = {f"simulator-{name}": files for name, files in VALID.items()}
    refused = invalid() | {f"simulator-{name}": case for name, case in invalid_hoelder.bounds().items()}
    broken = malformed() | {f"simulator-{name}": case for name, case in invalid_hoelder.malformed().items()}
    broken |= {f"simulator-large-{name}": case for name, case in large_simulator.numbers().items()}
    return filed(valid, refused, broken)
