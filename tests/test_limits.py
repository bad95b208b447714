"""Memory limits are read strictly and compared before anything is allocated."""

import pytest

from symut.errors import UsageError
from symut.limits import MOST_BYTES, MOST_SECONDS, parse_bytes, require_memory, require_seconds, show_bytes


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("1", 1),
        ("512", 512),
        ("1K", 1024),
        ("1KiB", 1024),
        ("2MB", 2**21),
        ("4GiB", 2**32),
        ("1.5 GiB", 3 * 2**29),
        ("1t", 2**40),
    ],
)
def test_sizes_with_units_are_read(text, count):
    assert parse_bytes(text) == count


@pytest.mark.parametrize("text", ["99999999999999999999GiB", "9" * 400 + "T", 10**400])
def test_sizes_beyond_every_system_are_the_largest_one(text):
    assert parse_bytes(text) == MOST_BYTES < 2**63


@pytest.mark.parametrize("seconds", [0, 0.5, MOST_SECONDS])
def test_times_in_range_are_accepted(seconds):
    require_seconds(seconds)


@pytest.mark.parametrize("text", ["", "GiB", "-1GiB", "1e9", "nan", "1PiB", "4 GiB of it", "٣GiB"])
def test_anything_else_is_refused(text):
    with pytest.raises(UsageError, match="--max-memory is no size"):
        parse_bytes(text)


def test_the_limit_itself_is_allowed():
    require_memory(100, 100, "this")
    with pytest.raises(UsageError, match="this would need more memory than allowed: expected at most 100 B, got 101 B"):
        require_memory(101, 100, "this")


def test_astronomic_predictions_are_shown():
    with pytest.raises(UsageError, match="yobibyte"):
        require_memory(10**300, 2**32, "this")
    assert show_bytes(3 * 2**30) == "3.0 GiB"
