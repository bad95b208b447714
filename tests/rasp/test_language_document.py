"""The description of the language: its programs run, and it names all of the library and of the built-in words."""

from __future__ import annotations

import re
from pathlib import Path

from symut.rasp import core, evaluate, load_program, read_program
from symut.rasp.scope import RESERVED, base_scope

TEXT = Path("docs/rasp-language.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```rasp\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def _values(name: str, given: str) -> list:
    (found,) = [program.nodes[name] for program in map(read_program, BLOCKS) if name in program.nodes]
    return evaluate(found, given)


def test_its_programs_mean_what_it_says() -> None:
    assert _values("reverse", "abc") == ["c", "b", "a"]
    assert _values("trap", "ab") == [False, False]
    assert _values("meant", "ab") == [False, True]
    assert _values("square", "aaa") == [0, 1, 4]
    assert _values("negative", "aaa") == [0, -1, -4]
    assert _values("either", "cac") == [True, True, False]
    assert _values("previous", "abc") == ["-", "a", "b"]
    assert [float(value) for value in _values("share_of_a", "ab")] == [0.5, 0.5]
    assert _values("largest", "bab") == [1, 1, 1]


def test_it_names_every_word_of_the_library_and_the_language() -> None:
    named = set(re.findall(r"`([a-zA-Z_0-9]+)[`(]", TEXT))
    library = {name for name in load_program("library").scope.variables if not name.startswith("_")}
    assert {*library, *RESERVED, *base_scope().variables} - {"get"} <= named


def test_it_gives_the_parameters_of_every_function() -> None:
    for name, value in load_program("library").scope.variables.items():
        if name.startswith("_") or isinstance(value, core.Node) or name == "out":
            continue
        (given,) = set(re.findall(rf"`{name}\(([a-z_, ]+)\)`", TEXT))
        written = {"v": "value", "sel": "sel", "n": "n"}
        assert [written.get(part, part) for part in given.split(", ")] == [p.name for p in value.definition.parameters]
