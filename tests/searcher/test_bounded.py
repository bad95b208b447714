"""Time, memory and sizes bound the whole search: what is too large is refused before it is built."""

import time

import pytest

import symut.searcher.artifact as artifact
import symut.searcher.matching as matching
from symut.errors import UsageError
from symut.limits import MOST_BYTES, MOST_SECONDS
from symut.searcher.matching import search_matching
from symut.searcher.process import Answer
from symut.searcher.request import Request
from symut.searcher.slice import decisive, decisive_count
from symut.searcher.solving import MOST_EQUATIONS, MOST_FREE, MOST_TERMS
from tests.check.build import rule


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (Request(30, 1, 59, method="smt", timeout=3), "31 targets of 30 scores"),
        (Request(20, 1, 20, method="smt", timeout=3), "21 targets of 20 scores"),
        (Request(1, 64, 1, targets="weak", method="smt", timeout=3), "targets of 64 scores"),
        (Request(59, 1, 100, targets="weak", method="identity", timeout=3), "targets of 59 scores"),
        (Request(1, 60, 40, method="identity", timeout=3), "61 targets of 60 scores"),
        (Request(19, 1, 37, "rank-one", method="smt", timeout=3), "123120 terms"),
        (Request(10**6, 1, 10**6, method="smt", timeout=3), "1000000 scores"),
    ],
)
def test_systems_that_are_too_large_are_not_built(tmp_path, request_, why):
    start = time.monotonic()
    found = search_matching(request_, tmp_path)
    assert time.monotonic() - start < 1
    assert (found.verdict, found.go_on) == ("UNKNOWN", "")
    assert "too large with" in found.tried[0]
    assert why in found.tried[0]


@pytest.mark.parametrize("method", ["dimension", "auto"])
@pytest.mark.parametrize("heads", ["general", "rank-one"])
def test_large_theorems_stop_at_the_time_limit(tmp_path, method, heads):
    start = time.monotonic()
    found = search_matching(Request(100, 2, 10200, heads, method=method, timeout=0.2), tmp_path)
    assert time.monotonic() - start < 1.5
    assert found.verdict == "UNKNOWN"
    assert "time was" in found.tried[0]
    assert " --timeout 0.4" in found.go_on
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("H", "L"), [(1, 1), (2, 1), (1, 2), (3, 1), (2, 2), (5, 1), (1, 6)])
@pytest.mark.parametrize("targets", ["strong", "weak"])
def test_number_of_decisive_targets_is_known_before_they_are_made(H, L, targets):
    points = decisive(H, L, H**L, "general", targets).points
    assert len(points) == len(set(points)) == decisive_count(H, L, targets)
    assert decisive(H, L, H**L, "general", targets, most=2).points == points[:2]


def test_limits_of_a_query_are_those_of_the_checker():
    checker = rule("matching_slice")
    own = (MOST_EQUATIONS, MOST_FREE, MOST_TERMS)
    assert own == (checker.MAX_EQUATIONS, checker.MAX_WIDTH, checker.MAX_TERMS)
    for heads in ("general", "rank-one"):
        for targets in ("strong", "weak"):
            chosen = decisive(3, 1, 5, heads, targets)
            theirs = checker.Slice(chosen.n, chosen.r, chosen.kind, heads, chosen.points)
            assert chosen.terms == theirs.terms


@pytest.mark.parametrize("timeout", [-1, float("nan"), float("inf"), 10**7, MOST_SECONDS + 1, True])
def test_times_that_no_clock_can_wait_for_are_refused(timeout):
    with pytest.raises(UsageError, match="--timeout out of range"):
        Request(2, 1, 3, timeout=timeout)


def test_longest_time_and_largest_memory_are_accepted(tmp_path):
    request = Request(2, 1, 3, method="smt", timeout=MOST_SECONDS, max_memory=MOST_BYTES)
    assert search_matching(request, tmp_path).verdict == "TRUSTED"


def test_what_check_refuses_as_too_large_is_not_stored_and_the_search_goes_on(tmp_path, monkeypatch):
    refused = {"verdict": "INVALID", "reason": "identity: too much work, the certificate is too large", "claims": []}
    monkeypatch.setattr(artifact, "_checked", lambda *_: refused)
    found = search_matching(Request(2, 1, 3), tmp_path)
    assert found.verdict == "UNKNOWN"
    assert [line for line in found.tried if "found, but not stored: it is larger than check.py reads" in line]
    assert not list(tmp_path.iterdir())


# ---- to go on


def interrupted(monkeypatch, reason):
    monkeypatch.setattr(matching, "ask", lambda *_, **__: Answer(reason=reason))


def test_more_memory_is_offered_where_the_memory_was_over(tmp_path, monkeypatch):
    interrupted(monkeypatch, "the memory was over")
    found = search_matching(Request(2, 1, 3, method="identity", max_memory=2**30), tmp_path / "a b")
    assert found.go_on.endswith(f"--method identity --timeout 60 --max-memory 2048MiB --out '{tmp_path}/a b'")


@pytest.mark.parametrize("reason", ["it crashed (signal 11)", ""])
def test_nothing_is_offered_where_neither_was_over(tmp_path, monkeypatch, reason):
    interrupted(monkeypatch, reason)
    assert search_matching(Request(2, 1, 3, method="identity"), tmp_path).go_on == ""


def test_no_more_is_offered_than_what_is_accepted(tmp_path, monkeypatch):
    interrupted(monkeypatch, "the memory was over")
    largest = Request(2, 1, 3, method="identity", timeout=MOST_SECONDS, max_memory=MOST_BYTES)
    assert search_matching(largest, tmp_path).go_on == ""
