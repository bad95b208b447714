"""`symut rasp run FILE`: run a RASP program on an input, exactly.

Main definitions: `command` (the group, also of symut.cli.rasp_check and symut.cli.rasp_emit), `run`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from symut.cli.rasp_check import check
from symut.cli.rasp_emit import emit
from symut.cli.show import JSON, print_json
from symut.errors import UsageError, printable, shown

if TYPE_CHECKING:
    from symut.rasp.core import Node
    from symut.rasp.program import Program


@click.group("rasp", short_help="Run, compare and compile RASP programs.")
def command() -> None:
    """Run RASP programs (Weiss, Goldberg and Yahav 2021), compare them on all inputs, and compile them to encoders."""


command.add_command(check)
command.add_command(emit)


@contextmanager
def excerpts() -> Iterator[None]:
    """Show the line of the program, with a caret, above an error that has a place."""
    from symut.rasp import RaspError

    try:
        yield
    except RaspError as error:
        for line in error.excerpt():
            click.echo(line, err=True)
        raise


@command.command("run", short_help="Run a program on an input, exactly.")
@click.argument("file", type=click.Path(), metavar="FILE")
@click.option("--name", "names", multiple=True, metavar="SEQ", help="What to run: a name or an expression.")
@click.option("--input", "text", metavar="TEXT", help="One token per character.")
@click.option("--input-int", "integers", metavar="N,N,...", help="Tokens that are integers.")
@click.option("--input-float", "decimals", metavar="X,X,...", help="Tokens that are decimal numbers, taken exactly.")
@click.option("--input-json", "listed", metavar="LIST", help="Any tokens, as a JSON list.")
@click.option("--floats", is_flag=True, help="Calculate in floats instead of exact rationals.")
@click.option("--causal", is_flag=True, help="Queries select no later keys.")
@click.option("--trace", is_flag=True, help="Before that show the sequences and selectors from which it is computed.")
@JSON
def run(
    file: str,
    names: tuple[str, ...],
    text: str | None,
    integers: str | None,
    decimals: str | None,
    listed: str | None,
    floats: bool,
    causal: bool,
    trace: bool,
    as_json: bool,
) -> int:
    """Run the program FILE ("library" is the standard library) and print its sequences.

    Without --name, all public sequences of the file are shown, then its expressions that are statements, and what it
    applies to inputs itself. Without an input, the file's `set example` is taken, else "hello". Rationals are printed
    as p/q, in JSON as {"q": [p, q]}.
    """
    from symut.rasp import load_program

    with excerpts():
        program = load_program(file)
        tokens = _tokens(text, integers, decimals, listed)
        given = program.example if tokens is None else tokens
        nodes = {name: program.node(name) for name in names} or dict(program.sequences)
        nodes |= {} if names else _evaluated(program, nodes)
        runs = [(name, node, given) for name, node in nodes.items()]
        runs += [] if names or tokens is not None else program.applications
        if not runs:
            raise UsageError(f"{file} names no sequence", remedy="name one: reverse = ...;")
        results = [(name, node, _values([node], on, floats, causal)[0], on) for name, node, on in runs]
        if trace:
            traced = {text: node for text, node in program.traced(nodes.values()).items() if node not in nodes.values()}
            _print_trace(traced, given, _values(list(traced.values()), given, floats, causal), as_json)
    _print_results(results, as_json)
    return 0


def _evaluated(program: Program, known: dict[str, Node]) -> dict[str, Node]:
    """The sequences and selectors that are statements of their own, but for those that are shown by their names."""
    from symut.rasp.core import Node

    others = {text: value for text, value in program.evaluations if isinstance(value, Node)}
    return {text: node for text, node in others.items() if node not in known.values()}


def _tokens(text: str | None, integers: str | None, decimals: str | None, listed: str | None) -> Any:
    given = [option for option in (text, integers, decimals, listed) if option is not None]
    if len(given) > 1:
        raise UsageError("several inputs", expected="one of --input, --input-int, --input-float, --input-json")
    if integers is not None:
        return _numbers("--input-int", integers, "integers")
    if decimals is not None:
        return _numbers("--input-float", decimals, "decimal numbers")
    return listed_tokens("--input-json", listed) if listed is not None else text


def _numbers(option: str, text: str, what: str) -> list:
    from symut.rasp.inputs import decimal

    found = [decimal(part.strip()) for part in text.split(",")]
    if any(number is None or (what == "integers" and not isinstance(number, int)) for number in found):
        raise UsageError(f"{option} holds something else", expected=f"{what} between commas", got=shown(text))
    return found


def listed_tokens(option: str, text: str) -> list:
    """The tokens of a JSON list; decimal numbers are taken exactly."""
    from symut.rasp.inputs import decimal
    from symut.rasp.trace import from_json

    def refuse(constant: str) -> None:
        raise UsageError(f"{option} holds a number that is not finite", got=constant)

    try:
        found = json.loads(text, parse_float=decimal, parse_constant=refuse, object_hook=from_json)
    except (ValueError, RecursionError):
        raise UsageError(f"{option} is no JSON", expected="a list of tokens", got=shown(text)) from None
    if not isinstance(found, list) or any(token is None for token in found):
        raise UsageError(f"{option} is no list of tokens", expected='for example ["a", 1, 0.5]', got=shown(text))
    return found


def _values(nodes: list[Node], given: Any, floats: bool, causal: bool) -> list[list]:
    from symut.rasp import evaluate_all
    from symut.rasp.lowering.causal import causal_nodes

    return evaluate_all(causal_nodes(nodes) if causal else nodes, given, floats=floats)


def _print_results(results: list[tuple[str, Node, list, Any]], as_json: bool) -> None:
    from symut.rasp.trace import as_json as plain
    from symut.rasp.trace import drawn

    if as_json:
        outputs = {
            name: [[*row] if isinstance(row, list) else plain(row) for row in values] for name, _, values, _ in results
        }
        print_json({"outputs": outputs})
        return
    for name, node, values, given in results:
        _print_lines(drawn(name, node, values, given), to_error=False)


def _print_trace(nodes: dict[str, Node], given: Any, found: list[list], to_error: bool) -> None:
    from symut.rasp.trace import drawn

    for (name, node), values in zip(nodes.items(), found, strict=True):
        _print_lines(drawn(name, node, values, given), to_error)
    if nodes:
        click.echo("", err=to_error)


def _print_lines(text: str, to_error: bool) -> None:
    for line in text.split("\n"):
        click.echo(printable(line), err=to_error)
