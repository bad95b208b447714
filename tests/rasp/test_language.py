"""Every construct of the language, by the shared table of cases."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

import pytest

from symut.rasp import Source, evaluate, read_program, syntax
from symut.rasp.arithmetic import EXACT
from symut.rasp.operations import SYMBOLS
from symut.rasp.parse import parse
from tests.rasp.cases import CASES, Case


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_has_its_values(case: Case) -> None:
    answer = read_program(case.text).node("answer")
    for given, expected in case.runs:
        found = evaluate(answer, given)
        assert found == expected
        assert list(map(type, found)) == list(map(type, expected))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_has_nearly_its_values_in_floats(case: Case) -> None:
    if case.name == "exact decimals":
        pytest.skip("0.1 + 0.2 is not 0.3 in floats, which is why exact is the default")
    answer = read_program(case.text).node("answer")
    for given, expected in case.runs:
        found = evaluate(answer, given, floats=True)
        assert [v if isinstance(v, str) else float(v) for v in found] == pytest.approx(
            [v if isinstance(v, str) else float(v) for v in expected]
        ) or found == expected


def _constructs(part: object, found: set[str]) -> None:
    if isinstance(part, tuple):
        for item in part:
            _constructs(item, found)
    elif is_dataclass(part) and isinstance(part, (syntax.Expression, syntax.Statement, syntax.Parameter)):
        found.add(type(part).__name__)
        found.add(str(getattr(part, "operation", getattr(part, "predicate", ""))))
        for field in fields(part):
            _constructs(getattr(part, field.name), found)


def test_cases_use_every_construct_but_load() -> None:
    found: set[str] = set()
    for case in CASES:
        _constructs(parse(Source(case.name, case.text)), found)
    classes = syntax.Expression.__subclasses__() + syntax.Statement.__subclasses__()
    assert {cls.__name__ for cls in classes} - found == {"Load"}
    assert {*SYMBOLS.values(), "in", "neg", "pos", "not", "round", "indicator"} <= found
    assert set(EXACT) - {"if", "exp", "root"} <= found  # a conditional, and functions that are called by their names


def test_loaded_names_are_set_except_private_ones(tmp_path) -> None:
    (tmp_path / "inner.rasp").write_text("_hidden = indices;\nshown = _hidden + 1;\nset example [7]\n")
    (tmp_path / "outer.rasp").write_text('load "inner";\nanswer = shown * 2;\n')
    from symut.rasp import RaspError, load_program

    program = load_program(tmp_path / "outer.rasp")
    assert evaluate(program.node("answer"), "ab") == [2, 4]
    assert program.example == "hello"
    with pytest.raises(RaspError, match="unknown name _hidden"):
        program.node("_hidden")


def test_a_loaded_file_sees_the_library_only(tmp_path) -> None:
    (tmp_path / "inner.rasp").write_text("shown = mine;\n")
    (tmp_path / "outer.rasp").write_text('mine = indices;\nload "inner";\n')
    from symut.rasp import RaspError, load_program

    with pytest.raises(RaspError, match=r"inner\.rasp:1:9: unknown name mine"):
        load_program(tmp_path / "outer.rasp")


def test_redefining_tokens_does_not_change_the_library() -> None:
    program = read_program("tokens = tokens_int;\nanswer = tokens + 1;")
    assert evaluate(program.node("answer"), [1, 2]) == [2, 3]
    assert evaluate(program.node("reverse"), [1, 2]) == ["2", "1"]


def test_set_example_is_the_programs_example() -> None:
    assert read_program('set example "abc"\nx = indices;').example == "abc"
    assert read_program("set example [1,\n 2]\nx = indices;").example == [1, 2]
    assert read_program("x = indices;").example == "hello"


def test_applications_are_kept_with_their_inputs() -> None:
    ((text, node, given),) = read_program("x = indices + 1;\nx([4, 5]);").applications
    assert (text, given, evaluate(node, given)) == ("x([4, 5])", [4, 5], [1, 2])
