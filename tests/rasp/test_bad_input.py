"""Every kind of bad input, at its place and with a way out, by whoever meets it: reader, interpreter, encoder, module.

Places are lines and columns of the program, or positions of the input.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from symut.cli import main
from symut.rasp import RaspError, evaluate
from symut.rasp.encoder.run import run
from symut.rasp.lowering.lower import encode
from tests.rasp.compiled import encoder_of, module_of, node_of

PROGRAMS = {
    "syntax": ("y = tokens +;", (1, 13), "expected an expression"),
    "unknown name": ("y = indices;\nz = tokns;", (2, 5), "did you mean tokens"),
    "recursion": ("def f(x) { return f(x); }\ny = f(indices);", (1, 19), "use a for loop"),
    "aggregate of a selector": ("y = aggregate(full_s, full_s);", (1, 5), "make sequences of a selector"),
    "aggregate by a sequence": ("y = aggregate(indices, indices);", (1, 5), "select.* makes one"),
    "select of a selector": ("y = select(full_s, indices, ==);", (1, 5), "make sequences of a selector"),
    "width of a sequence": ("y = selector_width(indices);", (1, 5), "select.* makes one"),
}


@pytest.mark.parametrize("kind", PROGRAMS)
def test_bad_program_in_the_command(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, (line, column), words = PROGRAMS[kind]
    path = tmp_path / "p.rasp"
    path.write_text(text)
    for command in (["run"], ["emit", "--n", "4", "--alphabet", "ab", "--out", str(tmp_path / "out")]):
        assert main(["rasp", command[0], str(path), *command[1:]]) == 2
        out, error = capsys.readouterr()
        shown, caret, message = error.splitlines()
        assert out == ""
        assert message.startswith(f"symut: {path}:{line}:{column}: ")
        assert shown[caret.index("^") - column + 1 :].startswith(text.splitlines()[line - 1])
        with pytest.raises(RaspError, match=words):
            node_of(text)
    assert not (tmp_path / "out").exists()


INPUTS: dict[str, tuple[str, Any, Any, str, tuple[int, int] | None]] = {
    # program, alphabet, input, what is said (with the position), the place in the program
    "division by zero in a number": ("y = 1 / tokens_int;", None, [2, 0], "division by zero at position 1", (1, 7)),
    "division by zero in a letter": ("y = 1 / tokens_int;", [2, 0], [2, 0], "division by zero at position 1", (1, 7)),
    "a token that is no integer": ("y = tokens_int + 1;", ["1", "a"], ["1", "a"], "no integer at position 1", (1, 16)),
    "several strings": ("y = aggregate(full_s, tokens);", "ab", "ab", "would be averaged at position 0", (1, 5)),
    "not a number": ("y = tokens_int + 1;", None, [1, float("nan")], "position 1 is not finite", None),
    "infinite": ("y = tokens_int + 1;", None, [float("inf")], "position 0 is not finite", None),
    "empty": ("y = tokens;", "ab", "", "empty.*give a token", None),
}


@pytest.mark.parametrize("kind", INPUTS)
def test_bad_input_of_the_interpreter_and_of_the_encoder(kind: str) -> None:
    text, alphabet, tokens, words, place = INPUTS[kind]
    node = node_of(text)
    encoder = encode(node, n=4, alphabet=alphabet)
    for evaluated in (lambda: evaluate(node, tokens), lambda: run(encoder, tokens)):
        with pytest.raises(RaspError, match=words) as caught:
            evaluated()
        assert caught.value.remedy
        assert place is None or (caught.value.at and (caught.value.at.line, caught.value.at.column) == place)


ENCODED: dict[str, tuple[str, Any, Any, str]] = {
    "outside the alphabet": ("y = tokens;", "ab", "abx", "position 2 .* not in the alphabet.*a, b.* got x; compile"),
    "too long": ("y = tokens;", "ab", "ababa", "at most 4 tokens, got 5; compile for a larger --n"),
    "no integer": ("y = tokens_int + 1;", None, [1, 0.5], "position 1 is no integer.* got 1/2; give numbers"),
    "no number": ("y = tokens_asis * 2;", None, [1, "x"], "position 1 is no number.* got x; give numbers"),
    "nothing": ("y = tokens_int + 1;", None, [1, None], "position 1 is no number.* got None; give numbers"),
}


@pytest.mark.parametrize("kind", ENCODED)
def test_bad_input_of_an_encoder(kind: str) -> None:
    text, alphabet, tokens, words = ENCODED[kind]
    with pytest.raises(RaspError, match=words):
        run(encode(node_of(text), n=4, alphabet=alphabet), tokens)


def _module(text: str, alphabet: Any, folder: Path) -> Callable[[Any], Any]:
    return module_of(*encoder_of(text, 4, alphabet), folder).load()


@pytest.mark.parametrize("kind", [*INPUTS, *ENCODED])
def test_bad_input_of_a_module(kind: str, tmp_path: Path) -> None:
    text, alphabet, tokens, *_ = (INPUTS | ENCODED)[kind]
    module = _module(text, alphabet, tmp_path)
    with pytest.raises(ValueError, match=r"expected .*, got .*; ") as caught:
        module(tokens)
    told = ("empty", "too long")
    assert kind in told or "position" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_nothing_is_no_number_for_the_interpreter() -> None:
    for kind in ("int", "float"):
        with pytest.raises(RaspError, match="at position 1: got 'None'; use tokens_str"):
            evaluate(node_of(f"y = tokens_{kind} + 1;"), [1, None])
