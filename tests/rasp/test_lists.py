"""Lists in lists are compared item by item, each pair once."""

import pytest

from symut.rasp import evaluate, read_program


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ("[1, [2, 3]]", "[1, [2, 3]]", True),
        ("[1, [2, 3]]", "[1, [2, 4]]", False),
        ("[1, [2, 3]]", "[1, [2, 3, 4]]", False),
        ("[[], []]", "[[]]", False),
        ('["1"]', "[1]", False),
        ("[True]", "[1]", True),
        ("[[1]]", "[1]", False),
    ],
)
def test_lists_are_equal_if_their_items_are(left, right, equal):
    for operator, expected in (("==", equal), ("!=", not equal)):
        root = read_program(f"y = indices if {left} {operator} {right} else indices + 7;").node("y")
        assert evaluate(root, ["a", "b"]) == ([0, 1] if expected else [7, 8])


def test_lists_that_share_their_parts_are_compared_at_once():
    """2^200 items, in two lists of 200 pairs."""
    doubled = "x = double(x); y = double(y);" * 200
    text = f"def double(a) {{ return [a, a]; }} x = []; y = []; {doubled} z = indices if x == y else indices + 7;"
    assert evaluate(read_program(text).node("z"), ["a", "b"]) == [0, 1]


def test_strings_are_read_as_integers_without_the_spaces_that_python_strips():
    root = read_program("y = tokens_int;").node("y")
    assert evaluate(root, ["\u001f12", " -3\u2003", "\u001c+4\u001d"]) == [12, -3, 4]
