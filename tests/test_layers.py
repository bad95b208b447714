"""Files that are shown to users keep to their library: the emitted modules, the checker, and lazy imports."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def imported(path):
    """Top-level names of all imports of a file."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level]
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("path", sorted(ROOT.glob("generated/*/model.py")), ids=lambda path: path.parent.name)
def test_generated_modules_need_torch_and_safetensors_only(path):
    assert imported(path) - set(sys.stdlib_module_names) == {"torch", "safetensors"}


def test_the_checker_needs_the_standard_library_only():
    files = [ROOT / "proofs/check.py", *(ROOT / "proofs/symut_checker").glob("*.py")]
    assert len(files) > 5
    for path in files:
        assert imported(path) - {"symut_checker"} <= set(sys.stdlib_module_names), path


def test_symut_never_names_constructions_statically():
    files = [path for path in (ROOT / "symut").rglob("*.py") if path.name != "registry.py"]
    assert all("constructions" not in imported(path) for path in files)
