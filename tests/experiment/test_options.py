"""Options of a run have their types and ranges, whoever gives them, and sets without answers measure nothing."""

import math

import pytest

import symut
from symut.errors import UsageError
from symut.experiment.configuration import Configuration
from symut.experiment.record import read_records
from symut.experiment.running import Place, run
from symut.experiment.training import STEPS

SMALL = Configuration(task="khop", backbone="sparse", arch="attention", n=8, d=3, k=2, validation=30, test=40)


def quiet(event):
    return None


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("causal", "no", "True or False"),
        ("shared", 1, "True or False"),
        ("hops", True, "an integer"),
        ("n", "8", "an integer"),
        ("mlp", 0, "an integer from 1"),
        ("m", 3.0, "an integer or None"),
        ("seed", 0.5, "an integer from 0"),
        ("seeds", "1", "an integer from 1"),
        ("seeds", True, "an integer from 1"),
        ("threads", 0, "an integer from 1 to 256"),
        ("threads", 257, "an integer from 1 to 256"),
        ("threads", 1.5, "an integer from 1 to 256"),
        ("warmup", "a", "a number"),
        ("warmup", math.nan, "a share from 0"),
        ("weight_decay", "x", "a number"),
        ("weight_decay", math.nan, "a number from 0"),
        ("lr", 1e300, "a number above 0, at most 1e"),
        ("init", 1e300, "a number above 0, at most 1e"),
        ("clip", 10**400, "a number above 0, at most 1e"),
        ("arch", 3, "attention or residual or mlp"),
    ],
)
def test_an_option_of_another_type_or_out_of_range_is_refused_in_one_line(tmp_path, name, value, expected):
    option = name.replace("_", "-")
    with pytest.raises(UsageError, match=f"^--{option} out of range: expected {expected}.*, got ") as refused:
        symut.train("khop", **{name: value}, out=tmp_path / "none")
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "none").exists()


def test_an_unknown_option_is_refused_with_the_nearest_known_one(tmp_path):
    with pytest.raises(UsageError, match=r"unknown option.*got step; did you mean steps\?"):
        symut.train("khop", step=5, out=tmp_path / "none")


def test_an_option_of_another_type_is_refused_in_a_record_too():
    with pytest.raises(UsageError, match="--seed out of range: expected an integer, got True"):
        Configuration.from_json(SMALL.as_json() | {"seed": True})


def test_the_largest_rate_and_weight_decay_diverge_and_are_no_bug(tmp_path):
    run(SMALL.with_(lr=1e37, weight_decay=1.0, init=1e37, warmup=0.0), Place(tmp_path), quiet)
    with pytest.raises(UsageError, match="--weight-decay out of range"):
        SMALL.with_(lr=1e37, weight_decay=2.0)


def test_batches_without_answers_have_loss_0_and_the_run_goes_on(tmp_path):
    about = SMALL.with_(n=4, batch=1, steps=20, every=1, H=1, d=4)
    record = run(about, Place(tmp_path), quiet)
    losses = [point["loss"] for point in record.curve]
    assert (record.stopped, record.step) == (STEPS, 20)
    assert 0.0 in losses
    assert max(losses) > 0.1


@pytest.mark.parametrize(
    ("sizes", "name"),
    [({"hops": 14, "n": 16, "batch": 4}, "validation"), ({"hops": 1, "n": 3, "validation": 1000}, "validation")],
)
def test_a_set_without_any_answer_is_refused(tmp_path, sizes, name):
    with pytest.raises(UsageError, match=f"the {name} set has no answer.*; raise --n, --validation or --test"):
        run(SMALL.with_(**sizes), Place(tmp_path), quiet)


def test_a_test_set_without_any_answer_is_refused_before_training(tmp_path):
    def unexpected(event):
        raise AssertionError

    with pytest.raises(UsageError, match="the test set has no answer"):
        run(SMALL.with_(hops=6, n=8, validation=20000, test=1), Place(tmp_path), unexpected)
    with pytest.raises(UsageError, match="no records"):
        read_records(tmp_path)
