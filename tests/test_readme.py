"""Every command that the README shows is run, in order, in a copy of the checkout; so is its Python example."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "README.md").read_text()
NEEDS_PACKAGES = re.compile(r"^pip install [^&]*&& ")
SHOWN_ONLY = ("python -m symut program", "python -m pytest", "python examples/")
"""Needs a checkpoint (tests/compiler has them), the test suite itself, and the examples that other tests run."""


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, flags=re.MULTILINE | re.DOTALL)


def commands():
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    return [NEEDS_PACKAGES.sub("", line) for line in lines]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """proofs and generated are written by the commands, so they run beside copies."""
    here = tmp_path_factory.mktemp("checkout")
    for name in ("symut", "constructions", "proofs", "generated"):
        shutil.copytree(
            ROOT / name, here / name, ignore=shutil.ignore_patterns("__pycache__", "*.vo", "*.vok", "*.vos", "*.glob")
        )
    return here


def run(command, here):
    python = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{python}:{os.environ['PATH']}", "NO_COLOR": "1"}
    return subprocess.run(command, shell=True, cwd=here, env=environment, capture_output=True, text=True)


def test_the_readme_shows_the_main_commands():
    shown = "\n".join(commands())
    assert "python -m symut prove random_universality --H 2 --L 3" in shown
    assert "python -m symut emit sparse --m 48" in shown
    assert "python -I -S proofs/check.py proofs" in shown


@pytest.mark.parametrize("command", [c for c in commands() if not c.startswith(SHOWN_ONLY)])
def test_every_command_of_the_readme_works(command, checkout):
    done = run(command, checkout)
    assert done.returncode == 0, done.stderr


def test_the_shown_answer_is_the_answer(checkout):
    done = run("python -m symut prove random_universality --H 2 --L 3", checkout)
    assert done.stdout in blocks("text")[0] + "\n"


def test_the_python_example_works(checkout):
    setup = (
        "import sys, torch\nsys.path.insert(0, 'generated/sparse-H2-L2-d3-k3-m48')\nfrom model import load\n"
        "H, L, d, k = 2, 2, 3, 3\nWQ, WK = torch.randn(2, L, H, d, k, dtype=torch.float64)\n"
        "WV = torch.randn(L, H, d, d, dtype=torch.float64)\nX = torch.randn(5, d, dtype=torch.float64)\n"
    )
    script = checkout / "example.py"
    script.write_text(setup + blocks("python")[0] + "assert Y.shape == X.shape and RV.shape == (L, H, 48, 48)\n")
    done = run("python example.py", checkout)
    assert done.returncode == 0, done.stderr


def test_the_example_of_a_simulator_works(checkout):
    done = run("python -m symut emit attention_simulator --n 16 --d 8 --k 8", checkout)
    setup = (
        f"import sys, torch\nsys.path.insert(0, {done.stdout.strip()!r})\nfrom model import load\n"
        "WQ, WK, WV = torch.randn(3, 8, 8) / 8**0.5\nX = torch.randn(2, 16, 8)\n"
    )
    check = (
        "expected = torch.nn.functional.scaled_dot_product_attention(X @ WQ, X @ WK, X @ WV)\n"
        "torch.testing.assert_close(Y, expected, rtol=1e-5, atol=1e-5)\n"
    )
    (checkout / "simulator.py").write_text(setup + blocks("python")[1] + check)
    done = run("python simulator.py", checkout)
    assert done.returncode == 0, done.stderr


def test_the_tree_in_the_readme_is_the_tree():
    shown = [line.split()[0] for line in blocks("text")[-1].splitlines()]
    assert all((ROOT / name).is_dir() for name in shown)
    packages = {f"symut/{path.name}" for path in (ROOT / "symut").iterdir() if (path / "__init__.py").is_file()}
    assert packages <= set(shown)
