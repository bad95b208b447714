"""How expressions group, where constructs stand, and what deep or long programs cost."""

from __future__ import annotations

import pytest

from symut.rasp import RaspError, Source, syntax
from symut.rasp.parse import parse, parse_expression
from symut.rasp.tree import MAX_NESTING


def _grouped(node: syntax.Expression) -> str:
    if isinstance(node, syntax.Binary):
        return f"({_grouped(node.left)} {node.operation} {_grouped(node.right)})"
    if isinstance(node, syntax.Unary):
        return f"({node.operation} {_grouped(node.operand)})"
    if isinstance(node, syntax.Conditional):
        return f"({_grouped(node.then)} if {_grouped(node.condition)} else {_grouped(node.otherwise)})"
    if isinstance(node, syntax.Index):
        return f"{_grouped(node.container)}[{_grouped(node.index)}]"
    return node.text if isinstance(node, syntax.Name) else str(getattr(node, "value", "?"))


@pytest.mark.parametrize(
    ("text", "grouped"),
    [
        ("a + b * c", "(a add (b mul c))"),
        ("a * b % c", "((a mul b) mod c)"),
        ("a % b * c", "(a mod (b mul c))"),
        ("a - b - c", "((a sub b) sub c)"),
        ("a ^ b ^ c", "((a pow b) pow c)"),
        ("-a ^ b", "((neg a) pow b)"),
        ("- -a[b]", "(neg (neg a[b]))"),
        ("not a == b", "((not a) eq b)"),
        ("not a in b", "((not a) in b)"),
        ("a or b and c", "((a or b) and c)"),
        ("a < b == c", "((a lt b) eq c)"),
        ("a + b in c", "((a add b) in c)"),
        ("a if b else c in d", "((a if b else c) in d)"),
        ("a if b else c if d else e", "((a if b else c) if d else e)"),
        ("a and b if c or d else e", "((a and b) if (c or d) else e)"),
        ("a if b in c else d", "(a if (b in c) else d)"),
        ("(a + b) * c", "((a add b) mul c)"),
    ],
)
def test_expression_groups_as_in_the_reference(text: str, grouped: str) -> None:
    assert _grouped(parse_expression(Source("text", text))) == grouped


def test_words_of_the_grammar_may_begin_names() -> None:
    text = "sets = 1; exit_code = 2; in_token = 3; notes = 4; selector_x = 5; select = 6; example0 = 7; format = 8;"
    names = [statement.names[0] for statement in parse(Source("text", text)) if isinstance(statement, syntax.Assign)]
    assert names == ["sets", "exit_code", "in_token", "notes", "selector_x", "select", "example0", "format"]


def test_constructs_know_their_line_and_column() -> None:
    first, second = parse(Source("text", "a = 1;\n  b = a +\n    select(a, a, ==);\n"))
    assert isinstance(second, syntax.Assign)
    (total,) = second.values
    assert isinstance(total, syntax.Binary)
    places = [(at.line, at.column) for at in (first.at, second.at, total.at, total.right.at)]
    assert places == [(1, 1), (2, 3), (2, 9), (3, 5)]


@pytest.mark.parametrize("around", ["({})", "-{}", "[{}]", "round({})", "f({})", "select({}, 1, ==)", "{{1: {}}}"])
def test_deep_nesting_is_refused_without_overflow(around: str) -> None:
    opening, closing = around.format("@").split("@")
    text = f"x = {opening * 3_000}1{closing * 3_000};"
    if around == "({})":
        assert len(parse(Source("text", text))) == 1
        return
    with pytest.raises(RaspError, match=f"nested too deeply: expected at most {MAX_NESTING} levels"):
        parse(Source("text", text))


def test_deeply_nested_blocks_are_refused() -> None:
    with pytest.raises(RaspError, match="nested too deeply"):
        parse(Source("text", "for i in [1] {" * 1500 + "}" * 1500))


def test_a_program_of_too_many_characters_is_refused() -> None:
    with pytest.raises(RaspError, match="too long"):
        parse(Source("text", "#" * 300_001))


def test_nothing_is_read_behind_exit() -> None:
    assert len(parse(Source("text", "x = 1;\nquit\n ' this is ) not RASP"))) == 2
