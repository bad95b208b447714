"""Emitted modules against the interpreter: every construct, random programs, the library at all sizes, and refusals."""

from __future__ import annotations

import ast
import random
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symut.rasp import RaspError, evaluate, load_program, read_program
from symut.rasp.emission.emit import emit
from symut.rasp.encoder.run import run
from symut.rasp.lowering.lower import encode, lower, prepare
from tests.rasp.cases import CASES, Case
from tests.rasp.compiled import alphabet_for, encoder_of, inputs_for, letters_of, module_of, node_of
from tests.rasp.generated import ALPHABET, Program, programs
from tests.rasp.references import REFERENCES
from tests.rasp.test_lowering import DEFECTS, SIZES

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
library = load_program("library")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_module_gives_the_expected_values(case: Case, tmp_path: Path) -> None:
    node = read_program(case.text).node("answer")
    module = module_of(encode(node, n=8, alphabet=letters_of(case.runs)), node, tmp_path)
    loaded = module.load()
    for tokens, expected in case.runs:
        found = loaded(tokens)
        assert found == expected
        assert list(map(type, found)) == list(map(type, expected))


@pytest.mark.parametrize("case", [case for case in CASES if case.numeric], ids=lambda case: case.name)
def test_numbers_without_an_alphabet(case: Case, tmp_path: Path) -> None:
    node = read_program(case.text).node("answer")
    found = prepare(node, n=8, alphabet=None)
    if found.issues:
        pytest.skip("it has no encoder without an alphabet")
    module = module_of(lower(found), node, tmp_path).load(dtype=torch.float64)
    for tokens, expected in case.runs:
        assert module(tokens) == pytest.approx([float(value) for value in expected], rel=1e-12)


def test_nested_means_are_rounded(tmp_path: Path) -> None:
    mean = "aggregate(select(tokens, tokens, !=), {}, 0)"
    node = node_of(f"y = {mean.format('(' + mean.format(mean.format('indices')) + ' * indices)')};")
    module = module_of(encode(node, n=6, alphabet=ALPHABET), node, tmp_path)
    assert "float64" in module.ROUNDED
    found = module.load(dtype=torch.float64)("ababba")
    assert found == pytest.approx(list(map(float, evaluate(node, "ababba"))), rel=1e-9)


@settings(deadline=None, max_examples=40, suppress_health_check=SLOW)
@given(program=programs(), inputs=st.lists(st.text(alphabet=ALPHABET, min_size=1, max_size=6), min_size=1, max_size=4))
def test_random_program(program: Program, inputs: list[str], tmp_path: Path) -> None:
    text, function = program
    node = node_of(f"y = {text};")
    module = module_of(encode(node, n=6, alphabet=ALPHABET), node, tmp_path)
    expected = [function(tokens) for tokens in inputs]
    for dtype in module.EXACT:
        assert module.load(dtype=getattr(torch, dtype)).batch(inputs) == expected
    for dtype in module.ROUNDED:
        found = module.load(dtype=getattr(torch, dtype)).batch(inputs)
        for values, wanted in zip(found, expected, strict=True):
            assert list(map(float, values)) == pytest.approx(list(map(float, wanted)), rel=1e-3)
    assert "float64" in (*module.EXACT, *module.ROUNDED)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", REFERENCES)
def test_library_is_exact_at_every_size(name: str, n: int, tmp_path: Path) -> None:
    node = library.node(name)
    module = module_of(encode(node, n=n, alphabet=alphabet_for(name)), node, tmp_path)
    inputs = inputs_for(name, n)
    assert module.EXACT == ("float32", "float64")
    for dtype in (torch.float32, torch.float64):
        assert module.load(dtype=dtype).batch(inputs) == [REFERENCES[name](tokens) for tokens in inputs]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", DEFECTS)
def test_what_other_compilers_get_wrong(name: str, n: int, tmp_path: Path) -> None:
    text, letters = DEFECTS[name]
    node, pick = node_of(f"y = {text};"), random.Random(n)
    module = module_of(encode(node, n=n, alphabet=letters), node, tmp_path).load()
    half = "a" * (n // 2) + "b" * (n - n // 2)
    inputs = ["a" * n, half, half[::-1], *("".join(pick.choices(letters, k=m)) for m in (1, n - 1, n, n))]
    assert module.batch(inputs) == [evaluate(node, tokens) for tokens in inputs]


def test_padding_changes_nothing(tmp_path: Path) -> None:
    encoder, root = encoder_of("y = aggregate(full_s, indices) + hist;", 9, "ab")
    module = module_of(encoder, root, tmp_path).load()
    inputs = ["a", "abab", "bbbbbbbbb"]
    assert module.batch(inputs) == [module(tokens) for tokens in inputs]
    ids = torch.tensor([[0, -1, -1], [0, 1, 1]])
    assert module(ids).tolist()[0][0] == module(torch.tensor([[0]])).tolist()[0][0]


def test_rationals_are_exact(tmp_path: Path) -> None:
    encoder, root = encoder_of('y = aggregate(full_s, indicator(tokens == "a"));', 7, "ab")
    module = module_of(encoder, root, tmp_path).load()
    assert module("abb") == [Fraction(1, 3)] * 3
    assert module(["a", "a", "b", "b", "b", "b", "b"]) == [Fraction(2, 7)] * 7


def test_module_imports_torch_and_safetensors_only(tmp_path: Path) -> None:
    encoder, root = encoder_of("y = hist;", 4, "ab")
    text = emit(encoder, root, name="y", title="A test.", command="none").files["model.py"].decode()
    found = {
        (node.module if isinstance(node, ast.ImportFrom) else node.names[0].name).split(".")[0]  # type: ignore[union-attr]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.Import, ast.ImportFrom))
    }
    assert found - sys.stdlib_module_names == {"torch", "safetensors"}


def test_equal_programs_give_equal_bytes() -> None:
    made = [emit(*encoder_of("y = dyck1;", 9, "()"), name="y", title="A test.", command="none") for _ in range(2)]
    assert made[0].files == made[1].files


@pytest.mark.parametrize("name", ["reverse", "hist", "dyck1"])
def test_weights_are_stored_by_their_entries(name: str) -> None:
    sizes = {}
    for n in (32, 64):
        node = library.node(name)
        made = emit(encode(node, n=n, alphabet=alphabet_for(name)), node, name=name, title="A test.", command="none")
        sizes[n] = len(made.files["weights.safetensors"])
        assert made.cost.nonzero < 50
        assert made.cost.nonzero < made.cost.weights / 4
    assert sizes[64] < 2.2 * sizes[32] < 2.2 * 2**14


def test_self_check_of_the_script(tmp_path: Path) -> None:
    encoder, root = encoder_of("y = reverse;", 6, "abc")
    path = Path(str(module_of(encoder, root, tmp_path).__file__))
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "equal")
    path.with_name("weights.safetensors").write_bytes(b"damaged")
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert "expected" in done.stderr


@pytest.mark.parametrize(
    ("tokens", "match"),
    [
        ("abx", "position 2.*'x'"),
        ("ababa", "1 to 4 tokens.*5"),
        ("", "empty"),
        ([], "empty"),
        (["ab"], "'ab'"),
        ([1], "1"),
    ],
)
def test_inputs_that_a_module_does_not_take(tokens: object, match: str, tmp_path: Path) -> None:
    encoder, root = encoder_of("y = tokens;", 4, "ab")
    with pytest.raises(ValueError, match=match) as caught:
        module_of(encoder, root, tmp_path).load()(tokens)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("token", [float("nan"), float("inf"), "x", None, 0.5])
def test_tokens_that_are_no_integers(token: object, tmp_path: Path) -> None:
    encoder, root = encoder_of("y = tokens_int + 1;", 4, None)
    with pytest.raises(ValueError, match="finite number"):
        module_of(encoder, root, tmp_path).load(exact=False)([1, token])


UNDEFINED = (
    ("y = 1 / (indices - 2);", "abc"),
    ("y = 0 * (1 / (hist - 2));", "aab"),
    ('y = {"a": 1}[tokens];', "ab"),
    ("y = aggregate(full_s, tokens);", "aa"),
    ('y = aggregate(select(tokens, "a", ==) and select(indices, indices, <), tokens);', "bab"),
    ("y = tokens_int + 1;", "1a"),
)


@pytest.mark.parametrize(("text", "tokens"), UNDEFINED)
def test_undefined_values_are_errors_and_never_answers(text: str, tokens: str, tmp_path: Path) -> None:
    encoder, root = encoder_of(text, 4, sorted({*tokens, "a", "b", "1"}))
    with pytest.raises(RaspError):
        run(encoder, tokens)
    with pytest.raises(ValueError, match="expected a"):
        module_of(encoder, root, tmp_path).load()(tokens)


def test_float32_is_refused_where_it_is_not_exact(tmp_path: Path) -> None:
    encoder, root = encoder_of("y = reversed(tokens_int);", 3, [16777217, 16777216, 2])
    module = module_of(encoder, root, tmp_path)
    assert module.EXACT == ("float64",)
    with pytest.raises(ValueError, match=r"float32.* not "):
        module.load(dtype=torch.float32)
    assert module.load()([2, 16777216, 16777217]) == [16777217, 16777216, 2]


def test_reduced_matrix_precision_is_refused(tmp_path: Path) -> None:
    encoder, root = encoder_of("y = hist;", 3, "ab")
    module = module_of(encoder, root, tmp_path).load()
    torch.set_float32_matmul_precision("medium")
    try:
        with pytest.raises(ValueError, match="full precision"):
            module("ab")
    finally:
        torch.set_float32_matmul_precision("highest")


@pytest.mark.parametrize(("name", "bound"), [("reverse", 0.020), ("dyck1", 0.067)])
def test_forward_is_fast(name: str, bound: float, tmp_path: Path) -> None:
    letters = "()" if name == "dyck1" else "abcdefgh"
    node, pick = library.node(name), random.Random(1)
    module = module_of(encode(node, n=32, alphabet=letters), node, tmp_path)
    loaded, inputs = module.load(), ["".join(pick.choices(letters, k=32)) for _ in range(64)]
    ids, _ = module.encode(inputs)
    times = []
    for _ in range(10):
        start = time.perf_counter()
        loaded(ids)
        times.append(time.perf_counter() - start)
    assert min(times) < bound
