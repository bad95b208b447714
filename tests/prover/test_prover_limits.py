"""What a proof would cost is predicted: refused in one line before it is built, or answered without the slow part."""

import json
import os
import struct
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import symut
from symut.backbone import Shape
from symut.backbone.forms import FORMS, LOOPED, FormShape
from symut.backbone.stored import serialize
from symut.cli import main
from symut.errors import UsageError
from symut.prover import require_rank_memory
from symut.prover.argument import Context
from symut.prover.bounds import kernel
from symut.prover.rank import certify, is_rechecked
from symut.prover.sizes import require_checkable
from symut.statement import PROVED, TRUSTED
from tests.check import build

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("theorem", "L", "fits"),
    [("looped_universality", 4500, 1825), ("looped_universality", 7000, 1824), ("sparse_universality", 3500, 2235)],
)
def test_a_depth_beyond_check_is_refused_with_one_that_fits(theorem, L, fits, tmp_path, capsys):
    assert main(["prove", theorem, "--H", "1", "--L", str(L), "--out", str(tmp_path)]) == 2
    message = capsys.readouterr().err
    assert "too large for check.py" in message
    assert f"--L {fits} fits" in message
    assert message.count("\n") == 1


@pytest.mark.parametrize("form", FORMS.values(), ids=lambda form: form.goal)
@pytest.mark.parametrize(("H", "L"), [(1, 3), (2, 2), (3, 1)])
def test_prover_and_checker_agree_on_the_size_of_every_routing(form, H, L, monkeypatch):
    from constructions import layouts

    shape = FormShape(form, H, L, 2, 3, 2 if form.affine else None)
    routing = (layouts.shifting if form.shared else layouts.merging)(shape)
    tables = {name: getattr(routing, name) for name in ("slots", "queries", "keys", "values", "readout")}
    if not routing.keys:
        del tables["keys"]
    moves, sizes = layouts.moved(shape), build.rule("sizes").Sizes(form.goal, H, L, 2, 3, None, None, shape.d_out)
    tables = json.loads(json.dumps(tables))

    def accepted(attempt):
        try:
            attempt()
        except (UsageError, build.rule("strict").Invalid) as error:
            return "too large" not in str(error)
        return True

    found = []
    for limit in range(1, 4 * L * shape.N):
        monkeypatch.setattr(build.rule("routing"), "MAX_MOVES", limit)
        monkeypatch.setattr("symut.prover.sizes.largest_routing", lambda limit=limit: (limit, 10**6))
        checker = accepted(lambda: build.rule("routing").rule_routing(sizes, shape.N, tables))
        assert accepted(lambda: require_checkable(shape, moves, shape.N)) == checker
        found.append(checker)
    assert found == sorted(found)
    assert set(found) == {False, True}


@pytest.mark.parametrize("prime", [65521, 2147483629])
@pytest.mark.parametrize("shared", [False, True])
def test_prover_and_checker_agree_on_which_ranks_are_rechecked(prime, shared):
    checker, answers = build.rule("inverse"), set()
    for H, L, d, k in [(1, 255, 1, 1), (1, 150, 1, 1), (1, 197, 1, 1), (1, 198, 1, 1), (2, 2, 32, 32), (2, 5, 4, 3)]:
        shape = FormShape(LOOPED, H, L, d, k) if shared else Shape(H, L, d, k)
        for m in (shape.N, shape.N + 100, 2000, 9000):
            goal = "looped_universality" if shared else "backbone_universality"
            statement = build.rule("sizes").Sizes(goal, H, L, d, k, m, None)
            expected = checker.work(statement, shape.N, m, prime) <= checker.MAX_WORK
            assert is_rechecked(shape, m, prime) == expected
            answers.add(expected)
    assert answers == {False, True}
    assert not is_rechecked(Shape(1, 1, 511, 1), 513, prime)


def test_a_rank_that_check_cannot_repeat_is_trusted_and_says_why(tmp_path, monkeypatch):
    monkeypatch.setattr("symut.prover.rank.RECHECK_WORK", 10**5)
    outcome = symut.prove("random_universality", H=2, L=1, d=1, k=1, seed=0, out=tmp_path)
    assert outcome.verdict == TRUSTED
    assert "too much work for check.py at N = 6" in outcome.reason


def test_what_check_finds_too_large_is_the_users_size_and_no_bug(tmp_path, monkeypatch):
    answer = SimpleNamespace(verdict="INVALID", reason="kernel: too large to check", claims=())
    monkeypatch.setattr("symut.prover.driver.check_bytes", lambda *files: answer)
    with pytest.raises(UsageError, match=r"too large for check.py: got kernel"):
        symut.prove("sparse_universality", out=tmp_path)


def backbone(H, L, d, k, m, dtype):
    generator = np.random.default_rng(0)
    draw = lambda *size: generator.standard_normal(size).astype(dtype)  # noqa: E731
    return {"RQ": draw(L, H, m, k), "RK": draw(L, H, m, k), "RV": draw(L, H, m, m), "U": draw(m, d)}


def test_a_deep_kernel_is_given_up_before_it_is_computed(monkeypatch):
    """How many digits the exact vector could have follows from logarithms of the columns."""
    monkeypatch.setattr(kernel, "exact_columns", lambda *given: pytest.fail("computed exactly"))
    shape = Shape(1, 30, 1, 1)
    tensors = backbone(1, 30, 1, 1, shape.N, "float64")
    for name in ("RQ", "RK", "RV"):
        tensors[name][:, :, 1] = tensors[name][:, :, 0]
    tensors["U"][1] = tensors["U"][0]
    answer = kernel.exact_kernel(tensors, shape, certify(tensors, shape).prime)
    assert "more than 4000" in answer


def sparse_file(path, m):
    """A backbone of zeros for H = L = d = k = 1 that takes no room on the disk."""
    end, header = 0, {}
    for name, shape in {"RQ": (1, 1, m, 1), "RK": (1, 1, m, 1), "RV": (1, 1, m, m), "U": (m, 1)}.items():
        begin, end = end, end + 4 * int(np.prod(shape))
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text)
    os.truncate(path, 8 + len(text) + end)
    return path


def peak_bytes(folder, *arguments):
    """Exit code and peak memory of a command in a fresh interpreter (resource.getrusage would count its parent's)."""
    script = (
        "import re, sys\nfrom symut.cli import main\ncode = main(sys.argv[1:])\n"
        "peak = re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1]\n"
        "print(code, int(peak) * 1024, file=sys.stderr)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script, *arguments, "--quiet"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    code, peak = done.stderr.splitlines()[-1].split()
    return int(code), int(peak)


def test_a_file_beyond_the_limit_is_refused_from_its_header(tmp_path):
    path = sparse_file(tmp_path / "large.safetensors", 10_000)
    assert path.stat().st_size > 4e8
    given = ["prove", "random_universality", "--H", "1", "--L", "1", "--backbone", str(path)]
    code, peak = peak_bytes(tmp_path, *given, "--max-memory", "1GiB")
    assert (code, peak < 2e8) == (2, True)


@pytest.mark.parametrize(("sizes", "dtype"), [((1, 1, 1, 1, 1200), "float64"), ((2, 2, 10, 8, 300), "float32")])
def test_a_stored_backbone_stays_within_the_memory_that_was_predicted(sizes, dtype, tmp_path):
    path = tmp_path / "mine.safetensors"
    path.write_bytes(serialize(backbone(*sizes, dtype), {}))
    H, L, d, k, m = sizes
    given = ["prove", "random_universality", "--H", str(H), "--L", str(L), "--backbone", str(path)]
    code, peak = peak_bytes(tmp_path, *given)
    assert code == 0
    interpreter = peak_bytes(tmp_path, "prove", "random_universality", "--d", "1", "--k", "1", "--seed", "0")[1]
    limit = peak - interpreter
    with pytest.raises(UsageError, match="more memory"):
        require_rank_memory(Shape(H, L, d, k), m, Context(limit), path.stat().st_size)


def test_a_narrow_file_of_many_paths_is_not_charged_for_all_of_them(tmp_path):
    path = tmp_path / "mine.safetensors"
    path.write_bytes(serialize(backbone(2, 12, 1, 1, 3, "float32"), {}))
    outcome = symut.prove("random_universality", H=2, L=12, backbone=str(path), max_memory="50MiB", out=tmp_path)
    assert outcome.goal == "sharp_width"
    assert outcome.verdict != PROVED
