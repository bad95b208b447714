"""Section 13 bounds work and memory whatever an encoder says, and refuses the rest in one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.check import build, large_simulator
from tests.check.build import Artifact
from tests.check.build_simulator import Draft, one, stated
from tests.check.large_simulator import plain

LARGE = "too large to check"


def dense() -> Artifact:
    """Powers of the sum of sixty numbers."""
    draft = Draft(60)
    draft.layer()
    total = draft.head(one(draft.token))
    for _ in range(4):
        total = draft.times(total, total)
    return stated("relu", {"n": 60}, draft.encoder(one(total)))


def many_scores() -> Artifact:
    """A reciprocal in each of 4096 rows needs the scores of all pairs."""
    draft = Draft(4096)
    place = draft.held("position", list(range(4096)))
    draft.layer()
    found = draft.head(one(place), bilinear=[[[one(place)], [one(place)]]])
    draft.gate("reciprocal", [[0, 1], [found, 1]])
    return stated("relu", {"n": 64}, draft.encoder(one(draft.token)))


def many_exponents() -> Artifact:
    """Products of sums of exponentials."""
    draft = Draft(40)
    draft.layer()
    power = draft.gate("exp", one(draft.token))
    draft.layer()
    total = draft.head(one(power))
    for _ in range(4):
        total = draft.times(total, total)
    return stated("relu", {"n": 40}, draft.encoder(one(total)))


def tower() -> Artifact:
    """exp(exp(.. exp(x) ..))."""
    draft = Draft(1)
    for _ in range(60):
        draft.gate("exp", one(draft.width - 1))
    return stated("relu", {"n": 1}, draft.encoder(one(draft.width - 1)))


def wide_task() -> Artifact:
    draft = Draft(4096)
    sizes = {"n": 20, "d": 32, "k": 16, "f": 0}
    return stated("attention", sizes, draft.encoder(one(draft.token)))


ARTIFACTS: dict[str, Any] = {
    "many-scores": (many_scores, LARGE),
    "many-exponents": (many_exponents, LARGE),
    "tower": (tower, "token 0: not what the task answers"),
    "wide-task": (wide_task, LARGE),
}


@pytest.mark.parametrize("name", ARTIFACTS)
def test_what_is_too_large_is_refused(name: str) -> None:
    make, why = ARTIFACTS[name]
    result = build.verdict(make())
    assert (result.verdict, result.reason[-len(why) :]) == ("INVALID", why)


SCRIPT = """
import resource, sys
sys.path.insert(0, sys.argv[1])
import check
check.main(["--quiet", sys.argv[2]])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.slow
def test_memory_is_bounded(tmp_path: Path) -> None:
    """In a process of its own: powers of a sum fill all the terms that may be kept."""
    folder = build.write(tmp_path / "dense", dense())
    command = [sys.executable, "-I", "-S", "-O", "-c", SCRIPT, str(build.CHECK.parent), str(folder)]
    verdict, kilobytes = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert verdict.endswith(LARGE)
    assert int(kilobytes) < 900_000


def test_a_budget_is_of_one_certificate() -> None:
    """Checking does not use up what the next check needs."""
    small = Draft(2)
    out = small.gate("relu", [[one(small.token), 1]])
    files = stated("relu", {"n": 2}, small.encoder(one(out)))
    assert build.verdict(many_exponents()).verdict == "INVALID"
    assert build.verdict(files).verdict == "VALID"


def test_an_encoder_of_too_many_characters_is_refused() -> None:
    draft = Draft(1)
    encoder = draft.encoder(one(1)) | {"readout": [[i + 1, 1] for i in range(3_000_000)]}
    result = build.verdict(stated("relu", {"n": 1}, encoder))
    assert (result.verdict, result.reason[-len(LARGE) :]) == ("INVALID", LARGE)


def test_every_number_has_at_most_256_bits_wherever_it_stands() -> None:
    for files, why in large_simulator.numbers().values():
        result = build.verdict(files)
        assert (result.verdict, result.reason) == ("INVALID", f"a number of more than {why}")


class Rows:
    """A stream of five rows."""

    rows = 5


def test_every_run_costs_work_for_its_rows_however_many_coordinates_are_written() -> None:
    written = [[c, [c]] for c in range(2, 1002)]
    encoder = build.rule("encoder_read").read_encoder(plain(width=1002, position=written))
    work = build.rule("encoder_work").Work(1000)
    ring = build.rule("encoder_ring").Ring(work, 0)
    build.rule("encoder_execute").Run(encoder, ring, lambda P: frozenset(), Rows()).defined()
    assert (encoder.partial, work.left) == ([], 995)


def test_a_certificate_of_too_many_bytes_is_refused_before_it_is_read() -> None:
    files = {**stated("relu", {"n": 1}, plain()), "certificate.json": b" " * (2**25 + 1)}
    result = build.verdict(files)
    assert (result.verdict, result.reason[-len(LARGE) :]) == ("INVALID", LARGE)
