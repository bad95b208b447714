"""One table of small programs that together use every construct of the language.

Main definitions: `Case`, `CASES`.  Expected values are worked out by hand from the language's definition. Whatever
evaluates RASP (the interpreter, an encoder, an emitted module) must give them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True)
class Case:
    """A program that defines `answer`, and (input, expected values) pairs.

    `numeric` tells that the tokens are numbers rather than letters of a finite alphabet.
    """

    name: str
    text: str
    runs: tuple[tuple[Any, list], ...]
    numeric: bool = False


def _case(name: str, text: str, *runs: tuple[Any, list], numeric: bool = False) -> Case:
    return Case(name, text, runs, numeric)


HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
T, F = True, False

CASES = (
    # Base sequences.
    _case("tokens", "answer = tokens;", ("hey", ["h", "e", "y"])),
    _case("tokens are strings", 'answer = tokens_str + 1 * "!";', ([1, 2], ["1!", "2!"]), numeric=True),
    _case("integer tokens", "answer = tokens_int + 1;", (["4", 7, -1], [5, 8, 0]), numeric=True),
    _case("float tokens", "answer = tokens_float * 2;", (["0.1", "-2"], [Fraction(1, 5), -4]), numeric=True),
    _case("boolean tokens", "answer = not tokens_bool;", ([0, 2, 1], [T, F, F]), numeric=True),
    _case("tokens as they are", "answer = tokens_asis;", ([3, HALF], [3, HALF]), numeric=True),
    _case("indices", "answer = indices;", ("abc", [0, 1, 2])),
    _case("length", "answer = length - indices;", ("abc", [3, 2, 1])),
    # Elementwise arithmetic.
    _case("sums and differences", "answer = 2 + indices - 1;", ("abc", [1, 2, 3])),
    _case("products and quotients", "answer = 3 * indices / 2;", ("abc", [0, Fraction(3, 2), 3])),
    _case("remainders", "answer = (indices - 2) % 3;", ("abcd", [1, 2, 0, 1])),
    _case("powers", "answer = (indices + 1) ^ 2;", ("abc", [1, 4, 9])),
    _case("negative powers", "answer = (indices + 1) ^ -1;", ("ab", [1, HALF])),
    _case("powers of constants", "answer = 2 ^ indices;", ("abcd", [1, 2, 4, 8])),
    _case("signs", "answer = -indices * +2;", ("abc", [0, -2, -4])),
    _case("rounding halves to even", "answer = round(indices / 2);", ("abcdef", [0, 0, 1, 2, 2, 2])),
    _case("exact decimals", "answer = indicator(0.1 + 0.2 == 0.3 * (indices + 1));", ("ab", [1, 0])),
    _case("joining strings", 'answer = tokens + "-" + tokens;', ("ab", ["a-a", "b-b"])),
    # Comparisons, booleans and conditionals.
    _case("equality", 'answer = tokens == "a";', ("aba", [T, F, T])),
    _case("inequality", 'answer = tokens != "a";', ("aba", [F, T, F])),
    _case("orders of numbers", "answer = indicator(indices < 1) + 2 * indicator(indices <= 1);", ("abc", [3, 2, 0])),
    _case("other orders", "answer = indicator(indices > 1) + 2 * indicator(indices >= 1);", ("abc", [0, 2, 3])),
    _case("orders of strings", 'answer = tokens < "b";', ("abc", [T, F, F])),
    _case("equality across kinds is false", "answer = tokens == 1;", ("1a", [F, F])),
    _case("chained comparisons group to the left", "answer = 0 <= indices < 1;", ("ab", [F, F])),
    _case("and", "answer = indices > 0 and indices < 2;", ("abc", [F, T, F])),
    _case("or", 'answer = indices == 2 or tokens == "a";', ("abc", [T, F, T])),
    _case("not", "answer = not (indices == 1);", ("abc", [T, F, T])),
    _case("numbers as conditions", "answer = indices and not (indices % 2);", ("abc", [F, F, T])),
    _case("choice", 'answer = "x" if indices == 1 else tokens;', ("abc", ["a", "x", "c"])),
    _case("choices group to the left", "answer = 1 if indices == 0 else 2 if indices < 9 else 3;", ("ab", [1, 2])),
    _case("membership of tokens", 'answer = tokens in ["a", "e"];', ("bead", [F, T, T, F])),
    _case("membership in the input", '"b" in tokens;\nanswer = out;', ("abc", [T, T, T]), ("ac", [F, F])),
    # Selectors.
    _case("select equal", "answer = selector_width(select(tokens, tokens, ==));", ("hello", [1, 1, 2, 2, 1])),
    _case("select unequal", "answer = selector_width(select(tokens, tokens, !=));", ("aab", [1, 1, 2])),
    _case("select earlier", "answer = selector_width(select(indices, indices, <));", ("abc", [0, 1, 2])),
    _case("select up to", "answer = selector_width(select(indices, indices, <=));", ("abc", [1, 2, 3])),
    _case("select later", "answer = selector_width(select(indices, indices, >));", ("abc", [2, 1, 0])),
    _case("select from", "answer = selector_width(select(indices, indices, >=));", ("abc", [3, 2, 1])),
    _case("select a constant key", "answer = selector_width(select(indices, 0, ==));", ("abc", [1, 1, 1])),
    _case("select by a constant query", "answer = selector_width(select(0, indices, ==));", ("abc", [3, 0, 0])),
    _case(
        "selector conjunction",
        "answer = selector_width(select(tokens, tokens, ==) and select(indices, indices, <));",
        ("abab", [0, 0, 1, 1]),
    ),
    _case(
        "selector disjunction",
        "answer = selector_width(select(indices, 0, ==) or select(indices, indices, ==));",
        ("abc", [1, 2, 2]),
    ),
    _case("selector negation", "answer = selector_width(not select(tokens, tokens, ==));", ("aab", [1, 1, 2])),
    _case(
        "nested selector combinations",
        'answer = selector_width(not (select(tokens, "a", ==) or select(indices, indices, >)));',
        ("abab", [0, 1, 1, 2]),
    ),
    _case("width without the first", "answer = selector_width(full_s, assume_bos=True);", ("abc", [2, 2, 2])),
    # Aggregates.
    _case("mean", 'answer = aggregate(full_s, indicator(tokens == "e"));', ("hey", [THIRD] * 3)),
    _case(
        "mean of numbers",
        "answer = aggregate(select(indices, indices, <=), tokens_int);",
        ([1, 2, -6], [1, Fraction(3, 2), -1]),
        numeric=True,
    ),
    _case("a single value is moved", "answer = aggregate(select(indices, 1, ==), tokens);", ("abc", ["b"] * 3)),
    _case("a single boolean is moved", 'answer = aggregate(select(indices, 0, ==), tokens == "a");', ("ab", [T, T])),
    _case(
        "nothing selected gives 0",
        "answer = aggregate(select(indices, indices, <), indices + 5);",
        ("abc", [0, 5, Fraction(11, 2)]),
    ),
    _case("default", 'answer = aggregate(select(indices + 1, indices, ==), tokens, "-");', ("abc", ["-", "a", "b"])),
    _case(
        "negative default", "answer = aggregate(select(indices + 1, indices, ==), indices, -1);", ("abc", [-1, 0, 1])
    ),
    _case("constant values", "answer = aggregate(select(indices, indices, <), 1, 0) > 0;", ("ab", [F, T])),
    _case(
        "aggregates of aggregates",
        "first = aggregate(select(indices, 0, ==), indices + 7);\nanswer = aggregate(full_s, first);",
        ("ab", [7, 7]),
    ),
    # Generalised hard attention.
    _case(
        "the largest number",
        "answer = aggregate(best(full_s, tokens_int), tokens_int);",
        ([3, -1, 3, 2], [3, 3, 3, 3]),
        ([-4], [-4]),
        numeric=True,
    ),
    _case(
        "the latest of the best",
        "earlier = select(indices, indices, <);\n"
        'answer = aggregate(best(earlier, [indicator(tokens == "a"), indices], [9, 1]), indices, -1);',
        ("abab", [-1, 0, 0, 2]),
    ),
    _case("ties of the best", "answer = aggregate(best(full_s, 0), indices);", ("abc", [1, 1, 1])),
    _case("position from the front", "answer = tokens[1];", ("abc", ["b"] * 3)),
    _case("position from the end", "answer = tokens[-1];", ("abc", ["c"] * 3)),
    # Values known when the program is read.
    _case("lists", "l = [1, 2 + 3, [4]];\nanswer = indices + l[1] + l[2][0];", ("ab", [9, 10])),
    _case("lists are joined and repeated", "answer = indices + len([0] + [1, 2] * 2);", ("ab", [5, 6])),
    _case("tuples", "l = (3, 4);\nanswer = indices + l[-1];", ("ab", [4, 5])),
    _case("dictionaries", 'd = {"a": 1, 2: "b"};\nanswer = indices + d["a"];', ("ab", [1, 2])),
    _case("dictionaries by tokens", 'answer = {"a": 10, "b": 20}[tokens];', ("bab", [20, 10, 20])),
    _case("lists by positions", "answer = [7, 8, 9][indices];", ("abc", [7, 8, 9])),
    _case("strings by positions", 'answer = "xyz"[2 - indices];', ("abc", ["z", "y", "x"])),
    _case("strings are indexed", 'pair = "()";\nanswer = tokens == pair[1];', ("()", [F, T])),
    _case("list comprehensions", "l = [i * i for i in range(4)];\nanswer = indices + l[3];", ("ab", [9, 10])),
    _case(
        "several names in comprehensions",
        "l = [a + b for a, b in zip([1, 2], [10, 20])];\nanswer = indices + l[1];",
        ("ab", [22, 23]),
    ),
    _case(
        "dictionary comprehensions", 'd = {c: c + c for c in ["a", "b"]};\nanswer = d[tokens];', ("ba", ["bb", "aa"])
    ),
    _case("loops", "answer = 0;\nfor i in range(1, 6, 2) { answer = answer + i * indices; }", ("abc", [0, 9, 18])),
    _case(
        "loops over dictionaries",
        'answer = "";\nfor k in {"x": 1, "y": 2} { answer = answer + k; }\nanswer = answer + tokens;',
        ("a", ["xya"]),
    ),
    _case(
        "loops with several names",
        "answer = indices;\nfor a, b in [[1, 2], [3, 4]] { answer = answer + a * b; }",
        ("ab", [14, 15]),
    ),
    _case("conditionals on values", "answer = indices + (1 if 2 > 1 else 1 / 0);", ("ab", [1, 2])),
    _case("booleans on values", "answer = indices + (0 or 5) + (3 and 2) + (0 if not True else 1);", ("a", [8])),
    _case("membership of values", 'answer = indices + (1 if "a" in ["a"] else 0);', ("a", [1])),
    # Functions.
    _case("functions", "def twice(x) { y = x + x; return y; }\nanswer = twice(indices);", ("abc", [0, 2, 4])),
    _case(
        "functions of selectors",
        "def one(s) { return aggregate(s, 1, 0); }\nanswer = one(select(indices, indices, <));",
        ("ab", [0, 1]),
    ),
    _case(
        "several results",
        "def both(x) { return x + 1, x + 2; }\na, b = both(indices);\nanswer = a * b;",
        ("ab", [2, 6]),
    ),
    _case("default parameters", "def f(x, y=10) { return x + y; }\nanswer = f(indices) + f(0, y=1);", ("ab", [11, 12])),
    _case(
        "functions in functions",
        "def f(x) { def g(y) { return y + x; } return g(1); }\nanswer = f(indices);",
        ("ab", [1, 2]),
    ),
    _case("functions see later names", "def f() { return later; }\nlater = indices;\nanswer = f();", ("ab", [0, 1])),
    _case(
        "local names stay local",
        "x = 1;\ndef f() { x = 5; return x; }\ny = f();\nanswer = indices + x;",
        ("ab", [1, 2]),
    ),
    _case(
        "recursion that ends",
        "def f(n) { return indices if n == 0 else f(n - 1) + n; }\nanswer = f(3);",
        ("ab", [6, 7]),
    ),
    _case("multiple assignment", "a, b = 3, 5;\nanswer = indices + a - b;", ("ab", [-2, -1])),
    # Comments, commands, and statements without effect on names.
    _case("comments", "# a comment; x = 1\nanswer = tokens; # another\n", ("#a", ["#", "a"])),
    _case("number signs in strings", 'answer = tokens == "#";', ("#a", [T, F])),
    _case("drawing", 'answer = indices;\ndraw(answer);\ndraw(answer, "ab");', ("ab", [0, 1])),
    _case(
        "commands",
        'show example\nset s-op example "ab"\nfull seq display on\nexamples on\nanswer = indices;',
        ("ab", [0, 1]),
    ),
    _case("examples end with their line", 'set example "ab"\n-indices;\nanswer = out;', ("abc", [0, -1, -2])),
    _case("leaving", "answer = indices;\nexit()\nthis = is(not, read);", ("ab", [0, 1])),
    _case("evaluations", "indices + 1;\nanswer = out;", ("ab", [1, 2])),
    _case(
        "white space",
        "answer\n=\n\tselect(\n\nindices,indices , <\n) and full_s;answer = selector_width(answer);",
        ("ab", [0, 1]),
    ),
)
