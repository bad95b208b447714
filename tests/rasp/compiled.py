"""Programs compiled for tests: the encoder, the emitted module, and inputs that show errors.

Main definitions: `encoder_of`, `module_of`, `inputs_for`, `alphabet_for`.
"""

from __future__ import annotations

import importlib.util
import itertools
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from symut.rasp import core, read_program
from symut.rasp.emission.emit import emit
from symut.rasp.encoder.model import Encoder
from symut.rasp.lowering.lower import lower, prepare
from tests.rasp.test_library import balanced

_COUNT = itertools.count()


def node_of(text: str) -> core.Sequence:
    """The sequence `y` of a program, or of the library by its expression."""
    node = read_program(text if "=" in text else f"y = {text};").node("y")
    assert isinstance(node, core.Sequence)
    return node


def encoder_of(text: str, n: int, alphabet: Any, causal: bool = False) -> tuple[Encoder, core.Sequence]:
    """The encoder, and the program that the interpreter runs for it."""
    found = prepare(node_of(text), n=n, alphabet=alphabet, causal=causal)
    return lower(found), found.root


def module_of(encoder: Encoder, root: core.Sequence, folder: Path) -> ModuleType:
    """The emitted module, written to a folder of its own and imported."""
    made = emit(encoder, root, name="y", title="A test.", command="none", given=[])
    target = folder / f"module{next(_COUNT)}"
    target.mkdir()
    for name, content in made.files.items():
        (target / name).write_bytes(content)
    return imported(target / "model.py")


def imported(path: Path) -> ModuleType:
    """A module from its file, under a name that no other one has."""
    spec = importlib.util.spec_from_file_location(f"emitted_{next(_COUNT)}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def alphabet_for(name: str) -> str:
    """Letters for a program of the library, fewer than its inputs have in other tests but of each kind."""
    return {"dyck1": "()", "dyck3": "(){}[]"}.get(name, "(){}a" if "dyck" in name else "abcdz")


def inputs_for(name: str, n: int) -> list[str]:
    """Inputs of n tokens and of fewer; balanced and nearly balanced strings for the Dyck programs."""
    letters, pick = alphabet_for(name), random.Random(n)
    found = ["".join(pick.choices(letters, k=m)) for m in sorted({1, 2, n // 2, n - 1, n} - {0})]
    found += ["".join(pick.choices(letters[:2], k=n)), letters[0] * n]
    if "dyck" in name:
        pairs = letters.replace("a", "")
        whole = balanced(n - n % 2, pairs, seed=n) + pairs[0] * (n % 2)
        found += [whole, whole[:-2] + whole[-1] + whole[-2], "(" * (n // 2) + ")" * (n // 2)]
    return [tokens for tokens in found if tokens]


def letters_of(runs: Sequence[tuple[Any, list]]) -> list:
    """The alphabet of a case: the tokens of its inputs."""
    return list(dict.fromkeys(token for given, _ in runs for token in given))
