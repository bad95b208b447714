"""Bad programs and bad inputs: what is said, and at which line and column."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symut.rasp import RaspError, evaluate, load_program, read_program

READ = [
    # text, line, column, words of the message
    ("a = 1\nb = 2;", 2, 1, "expected an operator or .*';'.* got 'b'; end every statement with ';'"),
    ("a = 'x';", 1, 5, "strings stand in double quotes"),
    ('a = "x;\n', 1, 5, "close the string on its line"),
    ("def f(x) {\n  return x;", 2, 12, "ends too early: expected '}'"),
    ("def f(x) { y = x; }", 1, 19, "expected 'return', got '}'; end every function with return"),
    ("for = 3;", 1, 5, "expected a name, got '='"),
    ("y = select(indices, indices);", 1, 28, "expected ',' or 'in', got '\\)'"),
    ("y = select(indices, indices, +);", 1, 30, "expected a comparison"),
    ("y = ;", 1, 5, "expected an expression, got ';'"),
    (";", 1, 1, "expected a statement, got ';'"),
    ("set example\n", 1, 12, "ends too early: expected an expression"),
    ("y = f(x=1, 2);", 1, 5, "a named argument stands before a plain one"),
    ("y = indices +\n  tokns;", 2, 3, "unknown name tokns; did you mean tokens\\?"),
    ("indices = 3;", 1, 1, "indices is reserved"),
    ("out = 3;", 1, 1, "out is reserved"),
    ("def f(x) {\n  return f(x);\n}\ny = f(indices);", 2, 10, "nested too deeply: .*a recursion must end soon"),
    ("def f(a, b) { return a; }\ny = f(1);", 2, 5, "wrong arguments for f: expected f\\(a, b\\), got 1 values"),
    ("y = selector_width(full_s, bos=True);", 1, 5, "wrong arguments for selector_width"),
    ("def f(a, a) { return a; }", 1, 1, "two parameters a"),
    ("a, b = 1, 2, 3;", 1, 1, "expected 2 values, got 3 values"),
    ("a, b = indices;", 1, 1, "expected 2 values, got a sequence"),
    ("s = full_s;\ny = aggregate(s, s);", 2, 5, "second argument of aggregate .* expected a sequence, got a selector"),
    ("y = aggregate(indices, 1);", 1, 5, "first argument of aggregate .* expected a selector, got a sequence"),
    ("y = aggregate(full_s, 1, indices);", 1, 5, "default of aggregate"),
    ("y = aggregate(full_s, [1]);", 1, 5, "expected a sequence or a single value, got a list"),
    ("y = select(full_s, indices, ==);", 1, 5, "keys.* expected a sequence, got a selector"),
    ("y = select(indices, full_s, ==);", 1, 5, "queries.* expected a sequence, got a selector"),
    ("y = selector_width(indices);", 1, 5, "selector_width .* expected a selector, got a sequence"),
    ("y = full_s + 1;", 1, 12, "\\+ is applied to a selector"),
    ("y = full_s == full_s;", 1, 12, "== is applied to a selector"),
    ("y = full_s and indices;", 1, 12, "expected two selectors, or two sequences"),
    ("y = 1 if full_s else 2;", 1, 5, "expected a sequence, got a selector"),
    ("y = -full_s;", 1, 5, "cannot apply -: expected a value, got a selector"),
    ("y = indicator(True);", 1, 5, "indicator of no sequence"),
    ("y = indices in 3;", 1, 13, "in is applied to the wrong types"),
    ("y = indices in [indices];", 1, 13, "expected single values"),
    ("y = indices[0.5];", 1, 5, "indexed by no whole number"),
    ("y = [1, 2][2];", 1, 5, "out of range: expected less than 2, got 2"),
    ('y = {"a": 1}["b"];', 1, 5, "no such key"),
    ("y = 3[0];", 1, 5, "without entries"),
    ("y = {[1]: 1};", 1, 6, "key of the wrong type"),
    ("y = [1] - [2];", 1, 9, "cannot apply -"),
    ('y = 1 + "a";', 1, 7, "cannot add: expected numbers, got number '1' and string 'a'"),
    ('y = 1 < "a";', 1, 7, "expected two numbers or two strings"),
    ("y = 1 / (2 - 2);", 1, 7, "division by zero"),
    ("y = 1 % 0;", 1, 7, "division by zero"),
    ("y = 0 ^ -1;", 1, 7, "division by zero"),
    ("y = 2 ^ 0.5;", 1, 7, "no exact value"),
    ("y = 10 ^ 100000;", 1, 8, "too long: expected at most 16384 bits"),
    ("y = 2;\nfor i in range(99) { y = y * y; }", 2, 28, "too long"),
    (f"y = {'9' * 1001};", 1, 5, "too long: expected at most 1000 digits"),
    ('y = "ab" * 1000000;', 1, 10, "a string is too long"),
    ("y = [0] * 1000000;", 1, 9, "a list is too long"),
    ("y = range(1000000);", 1, 5, "a list is too long"),
    ("y = range(1, 5, 0);", 1, 5, "step 0"),
    ("y = range(0.5);", 1, 5, "one to three integers"),
    ("y = zip([1], [1, 2]);", 1, 5, "lists of one length, got 1 items, 2 items"),
    ("y = len(indices);", 1, 5, "expected one list, got a sequence; a sequence's is length"),
    ("for i in indices { y = i; }", 1, 10, "expected a list or dictionary, got a sequence"),
    ("for i in range(99999) { for j in range(99999) { y = j; } }", 1, 49, "does not end"),
    ("y = 1(2);", 1, 5, "a call of no function"),
    ('y = indices("ab") + 1;', 1, 5, "in a statement of its own"),
    ('indices("");', 1, 1, "expected a string or a list, not empty"),
    ("draw(full_s);", 1, 1, "draw of no sequence: expected a sequence, got a selector"),
    ("set example 3\n", 1, 1, "an input of the wrong type"),
    ('load "nowhere";', 1, 1, "cannot find nowhere.rasp"),
]


@pytest.mark.parametrize(("text", "line", "column", "words"), READ, ids=[row[0][:40] for row in READ])
def test_program_is_refused_at_its_place(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(RaspError, match=words) as caught:
        read_program(text, "p.rasp")
    at = caught.value.at
    assert at is not None
    assert (at.source.name, at.line, at.column) == ("p.rasp", line, column)
    assert str(caught.value).startswith(f"p.rasp:{line}:{column}: ")
    assert "\n" not in str(caught.value)


RUN = [
    ("y = 1 / indices;", "ab", 1, 7, "division by zero at position 0"),
    ("y = 1 / (1 - indices);", "ab", 1, 7, "division by zero at position 1"),
    ("y = tokens + 1;", "ab", 1, 12, "cannot add at position 0: expected numbers, got string 'a' and number '1'"),
    ("y = tokens < 1;", "ab", 1, 12, "cannot compare by <"),
    ("y = select(tokens, indices, <);\ny = selector_width(y);", "ab", 1, 5, "cannot compare by <"),
    ("y = tokens_int + 1;", "1b", 1, 16, "tokens_int of a token that is no integer at position 1: got 'b'"),
    ("y = tokens_float + 1;", ["inf"], 1, 18, "tokens_float of a token that is no number"),
    ("y = [1][indices];", "ab", 1, 5, "out of range at position 1"),
    ('y = {"a": 1}[tokens];', "ab", 1, 5, "no such key at position 1: got b"),
    ("y = aggregate(full_s, tokens);", "ab", 1, 5, "no numbers would be averaged .* average indicator"),
    ('y = aggregate(full_s, tokens == "a");', "ab", 1, 5, "no numbers would be averaged"),
    ("y = aggregate(select(indices, indices, <), tokens);", "ab", 1, 5, "different kinds: .* give aggregate a default"),
    ("y = tokens if indices == 0 else 0;", "ab", 1, 5, "different kinds"),
    ("y = 10 ^ (10 ^ indices);", "abcdefgh", 1, 8, "too long at position 4: expected at most 16384 bits"),
    ("y = tokens;\nfor i in range(20) { y = y + y; }", "ab", 2, 28, "a string is too long"),
]


@pytest.mark.parametrize(("text", "given", "line", "column", "words"), RUN, ids=[row[0][:40] for row in RUN])
def test_run_is_refused_at_its_place(text: str, given: object, line: int, column: int, words: str) -> None:
    answer = read_program(text, "p.rasp").node("y")
    with pytest.raises(RaspError, match=words) as caught:
        evaluate(answer, given)  # type: ignore[arg-type]
    at = caught.value.at
    assert at is not None
    assert (at.line, at.column) == (line, column)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("", "empty"),
        ([], "empty"),
        ([float("nan")], "not finite"),
        ([float("-inf")], "not finite"),
        ([[1]], "token of the wrong type"),
        (3, "input of the wrong type"),
    ],
)
def test_input_is_refused(given: object, words: str) -> None:
    with pytest.raises(RaspError, match=words):
        evaluate(read_program("y = indices;").node("y"), given)  # type: ignore[arg-type]


def test_error_in_the_library_names_the_calls_that_led_there() -> None:
    program = read_program("def mine(x) {\n  return average(x);\n}\ny = mine(tokens);", "p.rasp")
    with pytest.raises(RaspError, match=r"^library\.rasp:.*\(called from p\.rasp:2:10, p\.rasp:4:5\)$"):
        evaluate(program.node("y"), "ab")


def test_excerpt_has_a_caret_under_the_column() -> None:
    with pytest.raises(RaspError) as caught:
        read_program("x = 1;\n\ty = x + tokns;\n")
    line, caret = caught.value.excerpt()
    assert line == "    2 |  y = x + tokns;"
    assert line[caret.index("^") :].startswith("tokns")


def test_excerpt_of_a_long_line_is_cut() -> None:
    with pytest.raises(RaspError) as caught:
        read_program(f"x = {'1 + ' * 500}tokns;")
    line, caret = caught.value.excerpt()
    assert len(line) < 120
    assert line[caret.index("^") :].startswith("tokns")


def test_files_that_load_each_other_are_refused(tmp_path) -> None:
    (tmp_path / "a.rasp").write_text('load "b";')
    (tmp_path / "b.rasp").write_text('load "a";')
    with pytest.raises(RaspError, match=r"b\.rasp:1:1: a loads itself: got a\.rasp -> b\.rasp -> a\.rasp"):
        load_program(tmp_path / "a.rasp")


def test_a_file_that_is_no_text_is_refused(tmp_path) -> None:
    (tmp_path / "a.rasp").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RaspError, match="expected UTF-8 text"):
        load_program(tmp_path / "a.rasp")
    with pytest.raises(RaspError, match="expected a RASP file"):
        load_program(tmp_path)


def test_floats_that_overflow_are_refused() -> None:
    answer = read_program("y = (tokens_float * 0.5) ^ 99;").node("y")
    with pytest.raises(RaspError, match="too large for a float"):
        evaluate(answer, [10**9 + Fraction(1, 3)], floats=True)
