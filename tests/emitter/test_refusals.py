"""Damaged weights and wrong arguments get one line: what, expected, got, remedy; self-checks exit with 1."""

import json
import os
import subprocess
import sys

import pytest
import torch
from safetensors.torch import load_file, save_file

from symut.emitter.kinds import KINDS
from tests.emitter.emission import FORMS, TABLES, import_folder
from tests.emitter.targets import form_target, linear, random_target, tokens


def metadata(source):
    return {"symut": json.dumps(source.METADATA, sort_keys=True)}


def swap(tensors, name):
    flat = tensors[name].view(-1)
    first, second = int(flat.argmax()), int((flat != flat.max()).nonzero()[0])
    flat[[first, second]] = flat[[second, first]]


def drop(tensors, name):
    del tensors[name]


def shorten(tensors, name):
    tensors[name] = tensors[name][:-1].contiguous()


def cast(tensors, name):
    tensors[name] = tensors[name].to(torch.int64)


def add(tensors, name):
    tensors["extra"] = torch.zeros(1)


def names(kind):
    """The tensors in the weights of a kind."""
    if kind not in TABLES:
        return ("RQ", "RK", "RV", "U")
    return tuple(name for name in ("route", "read_q", "read_k", "read_u") if (kind, name) != ("readoff_key", "read_k"))


DAMAGES = [(kind, name, damage) for kind in KINDS for name in names(kind) for damage in (swap, drop, shorten, cast)]
DAMAGES += [(kind, names(kind)[0], add) for kind in KINDS]


def one_line(error):
    text = str(error.value)
    assert "\n" not in text
    assert "expected" in text
    assert "got" in text
    return text


@pytest.mark.parametrize(("kind", "name", "damage"), DAMAGES, ids=lambda value: getattr(value, "__name__", value))
def test_tampered_weights_are_refused(folder, kind, name, damage):
    source = import_folder(folder(kind))
    tensors = load_file(source.WEIGHTS)
    damage(tensors, name)
    save_file(tensors, source.WEIGHTS, metadata(source))
    with pytest.raises(ValueError, match="emit it again") as error:
        source.load()
    one_line(error)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("content", ["truncated", "empty", "garbage", "absent", "unlabelled", "of other sizes"])
def test_damaged_files_are_refused(folder, kind, content):
    source = import_folder(folder(kind))
    good, tensors = source.WEIGHTS.read_bytes(), load_file(source.WEIGHTS)
    bytes_of = {"truncated": good[:-7], "empty": b"", "garbage": b"\xff" * 100}
    if content in bytes_of:
        source.WEIGHTS.write_bytes(bytes_of[content])
    elif content == "absent":
        source.WEIGHTS.unlink()
    else:
        labels = None if content == "unlabelled" else {"symut": json.dumps(source.METADATA | {"L": 3})}
        save_file(tensors, source.WEIGHTS, labels)
    with pytest.raises(ValueError, match="emit it again") as error:
        source.load()
    one_line(error)


@pytest.mark.parametrize("kind", TABLES)
def test_state_of_another_layout_is_refused(emitted, kind):
    module = emitted(kind, 2, 2, 3, 3).load()
    state = {name: table.flip(-1) for name, table in module.state_dict().items()}
    with pytest.raises(ValueError, match="weights"):
        module.load_state_dict(state)


def outside(state):
    state["read_u"][0] = 10**6


def negative(state):
    state["read_q"][0, 0, 0] = -1


def dropped(state):
    state["route"][0, 0] = -1


def doubled(state):
    moved = (state["route"][0, 1] >= 0).nonzero()
    state["route"][0, 1, 0] = state["route"][0, 1, moved[0]]


def exchanged(state):
    state["read_q"][0] = state["read_q"][0].flip(0)


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("spoil", [outside, negative, dropped, doubled, exchanged], ids=lambda f: f.__name__)
def test_every_spoiled_table_of_a_state_is_refused_on_one_line(emitted, kind, spoil):
    module = emitted(kind, 2, 2, 3, 3).load()
    state = {name: table.clone() for name, table in module.state_dict().items()}
    spoil(state)
    with pytest.raises(ValueError, match="weights") as error:
        module.load_state_dict(state)
    one_line(error)


@pytest.mark.parametrize("kind", ["sparse", "random"])
def test_targets_of_wrong_shape_are_refused(emitted, kind):
    module, (WQ, WK, WV) = emitted(kind, 2, 2, 3, 2, 36).load(), random_target(2, 2, 3, 2)
    wrong = [(WQ[0], WK, WV), (WQ, WK[:1], WV), (WQ, WK, WV[..., :2]), (WV, WV, WV), (WQ[..., :2, :], WK, WV)]
    wrong += [(WQ, WK, WV.unsqueeze(0)), (WQ[0, 0], WK[0, 0], WV[0, 0])]
    for target in wrong:
        with pytest.raises(ValueError, match="target W") as error:
            module.compile_program(*target)
        one_line(error)


@pytest.mark.parametrize("kind", ["sparse", "random"])
def test_tokens_and_programs_of_wrong_shape_are_refused(emitted, kind):
    module, X, E = emitted(kind, 2, 2, 3, 2, 36).load(dtype=torch.float64), tokens(5, 3), tokens(3, 36)
    for wrong in ((X[0], E), (X, E[0]), (X, E[:, :-1]), (X[:, :2], E)):
        with pytest.raises(ValueError, match="tokens and program") as error:
            module(*wrong)
        one_line(error)


@pytest.mark.parametrize("kind", FORMS)
def test_targets_of_other_layers_heads_or_widths_are_refused(emitted, kind):
    module, (WQ, WK, WV, *rest) = emitted(kind, 2, 2, 3, 2).load(), form_target(kind, 2, 2, 3, 2)
    wrong = [(WQ[..., :1, :, :], WK, WV), (WQ, WK[..., 0, :, :, :], WV), (WQ, WK, WV[..., :2]), (WQ[0, 0], WK, WV)]
    wrong += [(WQ, WK[..., :1], WV), (WQ.repeat(2, 1, 1, 1), WK.repeat(2, 1, 1, 1), WV.repeat(2, 1, 1, 1))]
    for target in wrong:
        with pytest.raises(ValueError, match="target ") as error:
            module.compile_program(*target, *rest)
        one_line(error)


@pytest.mark.parametrize("kind", ["sparse", "random"])
@pytest.mark.parametrize(
    "options", [{"causal": True}, {"scale": 0.5}, {"mask": torch.ones(5, 5, dtype=torch.bool)}], ids=str
)
def test_attention_functions_exclude_the_softmax_options(emitted, kind, options):
    module, X, E = emitted(kind, 2, 2, 3, 2, 36).load(dtype=torch.float64), tokens(5, 3), tokens(3, 36)
    with pytest.raises(ValueError, match="attention") as error:
        module(X, E, attention=linear, **options)
    one_line(error)


def test_integer_masks_are_refused(emitted):
    module, X, E = emitted("sparse", 2, 2, 3, 2, 36).load(), tokens(5, 3), tokens(3, 36)
    with pytest.raises(ValueError, match="mask: expected a bool"):
        module(X, E, mask=torch.ones(5, 5, dtype=torch.int64))


NUMBERS = {  # of the literal matrices at H = L = 2, d = 3, k = 2
    "sparse": lambda m: 2 * 4 * m * 2 + 4 * m * m + m * 3,
    "random": lambda m: 2 * 4 * m * 2 + 4 * m * m + m * 3,
    "looped": lambda m: 2 * 2 * m * 2 + 2 * m * m + m * 3,
    "shared_random": lambda m: 2 * 2 * m * 2 + 2 * m * m + m * 3,
    "readoff_key": lambda m: (4 + 2) * m * 3 + 4 * m * m + m * 3,
}


@pytest.mark.parametrize("kind", NUMBERS)
def test_dense_weights_beyond_the_memory_limit_are_refused(emitted, kind):
    module = emitted(kind, 2, 2, 3, 2).load()
    needed = 4 * NUMBERS[kind](module.m)
    module.dense_weights(max_memory=needed)
    with pytest.raises(ValueError, match=f"got {needed}; pass a larger max_memory"):
        module.dense_weights(max_memory=needed - 1)


def self_check(path, cwd):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-W", "error", str(path / "model.py")]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("kind", "options"), [("sparse", {}), ("random", {"m": 50}), ("affine", {"d_out": 2})])
def test_self_check_passes_from_any_folder(folder, tmp_path, kind, options):
    done = self_check(folder(kind, **options), tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "within bounds" in done.stdout


@pytest.mark.parametrize("sizes", [(2, 1, 1, 1), (1, 4, 2, 3), (3, 2, 2, 1)], ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_self_check_passes_for_any_shape(emitted, capsys, kind, sizes):
    assert emitted(kind, *sizes).main() == 0
    assert "cpu      torch.float64  causal" in capsys.readouterr().out


def test_self_check_passes_for_integer_weights(emitted, capsys):
    assert emitted("random", 2, 2, 3, 3, 48, distribution="integer").main() == 0


@pytest.mark.parametrize("kind", ["sparse", "random"])
def test_self_check_fails_on_tampered_weights(folder, tmp_path, kind):
    path = folder(kind)
    content = bytearray((path / "weights.safetensors").read_bytes())
    content[-10] ^= 1
    (path / "weights.safetensors").write_bytes(content)
    done = self_check(path, tmp_path)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("kind", ["sparse", "residual", "affine"])
def test_self_check_detects_a_wrong_forward(folder, tmp_path, kind):
    path = folder(kind)
    text = (path / "model.py").read_text()
    wrong = text.replace(".split(H, dim=-3)", ".split(H, dim=-3)[::-1]")
    assert wrong != text
    (path / "model.py").write_text(wrong)
    done = self_check(path, tmp_path)
    assert done.returncode == 1
    assert "OUT OF BOUNDS" in done.stdout
