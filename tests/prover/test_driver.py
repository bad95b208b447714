"""Verdicts: PROVED only after the independent checker agreed, UNKNOWN without a proof, TRUSTED beyond its reach."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

import constructions.sparse
import symut
from symut.backbone import Move
from symut.backbone.stored import serialize
from symut.errors import InternalError, TargetError, UsageError
from symut.prover import Argument, Context, fixed_backbone
from symut.prover.driver import prove_theorem
from symut.registry import theorems
from symut.statement import PROVED, RANDOM, SPARSE, TRUSTED, UNKNOWN, Universality
from symut.theorem import SIZES, Theorem, resolve

NAMES = {"statement.json", "certificate.json", "proof.md"}


def files(folder):
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


@pytest.mark.parametrize("theorem", ["sparse_universality", "random_universality"])
def test_open_sizes_are_proved_with_widths_as_formulas(theorem, tmp_path):
    outcome = symut.prove(theorem, H=2, L=3, out=tmp_path)
    assert (outcome.verdict, outcome.width, outcome.exit_code) == (PROVED, "28*k + 8*d", 0)
    assert Path(outcome.artifact) == tmp_path / theorem / "H2-L3"
    assert set(files(outcome.artifact)) == NAMES
    assert symut.check(outcome.artifact)[0]["verdict"] == "VALID"
    assert symut.check(outcome.artifact)[0]["claims"] == list(outcome.claims)


def test_the_same_command_writes_the_same_bytes(tmp_path):
    given = {"H": 2, "L": 2, "d": 2, "k": 1, "seed": 7}
    first, second = (symut.prove("random_universality", out=tmp_path / side, **given) for side in "ab")
    assert files(first.artifact) == files(second.artifact)


def test_artifacts_do_not_name_the_output_folder(tmp_path):
    outcome = symut.prove("random_universality", H=1, L=1, d=1, k=1, out=tmp_path / "elsewhere")
    assert all(b"elsewhere" not in content for content in files(outcome.artifact).values())


def test_a_seed_certifies_the_very_weights(tmp_path):
    outcome = symut.prove("random_universality", H=2, L=2, d=3, k=3, seed=0, out=tmp_path)
    found = files(outcome.artifact)
    digest = hashlib.sha256(found["weights.safetensors"]).hexdigest()
    assert outcome.verdict == PROVED
    assert outcome.claims[2].count(digest) == 1
    assert Path(outcome.artifact).name == "H2-L2-d3-k3-m48-s0"


def test_a_tiny_instance_shows_the_determinant(tmp_path):
    outcome = symut.prove("random_universality", H=1, L=1, d=1, k=1, out=tmp_path)
    found = files(outcome.artifact)
    assert len(json.loads(found["certificate.json"])["determinant"]["terms"]) == 18
    assert rb"\det M(R)" in found["proof.md"]


def test_what_is_open_is_unknown_and_writes_nothing(tmp_path):
    outcome = symut.prove("random_universality", H=2, L=2, d=3, k=3, m=47, scores_only=True, out=tmp_path)
    assert (outcome.verdict, outcome.exit_code, outcome.artifact) == (UNKNOWN, 11, None)
    assert outcome.known == {"best_lower": 30, "best_width": 48}
    assert list(tmp_path.iterdir()) == []


def test_a_broken_construction_is_never_proved(tmp_path, monkeypatch):
    def broken(H, L, d, k, width=None):
        routing = constructions.sparse.merging(H, L, d, k, width)
        return type(routing)(
            list(reversed(routing.slots)), routing.queries, routing.keys, routing.values, routing.readout
        )

    monkeypatch.setitem(constructions.sparse.FORMS, "merging", broken)
    with pytest.raises(InternalError, match="a block changes its size"):
        symut.prove("sparse_universality", H=2, L=2, out=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_prover_that_believes_everything_is_stopped_by_the_checker(tmp_path, monkeypatch):
    def compressed(H, L, d, k, width=None):
        routing = constructions.sparse.merging(H, L, d, k, width)
        values = [[[Move(4, 0, 6)], [Move(10, 0, 6)]], [[Move(4, 0, 1)], [Move(5, 0, 1)]]]
        return type(routing)(routing.slots, routing.queries, routing.keys, values, routing.readout)

    monkeypatch.setitem(constructions.sparse.FORMS, "merging", compressed)
    monkeypatch.setattr("symut.prover.universality.match_paths", lambda *given: 16)
    monkeypatch.setattr("symut.prover.universality.check_block_sizes", lambda *given: None)
    with pytest.raises(InternalError, match=r"check\.py refuses"):
        symut.prove("sparse_universality", H=2, L=2, out=tmp_path)
    assert list(tmp_path.iterdir()) == []


def dishonest(argue):
    return Theorem("false_theorem", "", "", SIZES, lambda values: Universality(RANDOM, 2, 2), argue, ({},))


def test_a_theorem_without_a_certificate_is_never_proved(tmp_path):
    theorem = dishonest(lambda values, context: Argument(Universality(RANDOM, 2, 2, 3, 3, 5), None, (), ()))
    with pytest.raises(InternalError, match="gave no certificate"):
        prove_theorem(theorem, {"d": 3, "k": 3, "m": 5}, tmp_path, Context(2**30))


def test_a_proof_for_other_sizes_is_no_answer(tmp_path):
    def argue(values, context):
        statement = Universality(SPARSE, 2, 2)
        return fixed_backbone(statement, constructions.sparse.merging(2, 2, 1, 1), context)

    assert prove_theorem(dishonest(argue), {}, tmp_path, Context(2**30)).verdict == PROVED
    with pytest.raises(InternalError, match="argues for another L"):
        prove_theorem(dishonest(argue), {"L": 3}, tmp_path, Context(2**30))


def own_backbone(path, m, RV=None, H=2, L=1, d=2, k=1):
    generator = np.random.default_rng(0)
    draw = lambda *size: generator.standard_normal((L, H, *size)).astype(np.float32)  # noqa: E731
    tensors = {"RQ": draw(m, k), "RK": draw(m, k), "RV": draw(m, m) if RV is None else RV, "extra": draw(1, 1)}
    path.write_bytes(serialize({**tensors, "U": draw(m, d)[0, 0]}, {}))
    return path


def test_a_users_own_backbone_is_proved(tmp_path):
    path = own_backbone(tmp_path / "mine.safetensors", m=9)
    outcome = symut.prove("random_universality", H=2, L=1, backbone=str(path), out=tmp_path / "proofs")
    assert outcome.verdict == PROVED
    assert files(outcome.artifact)["weights.safetensors"] == path.read_bytes()
    assert symut.check(tmp_path / "proofs")[0]["verdict"] == "VALID"


def test_a_singular_backbone_without_a_kernel_vector_is_unknown_with_its_rank(tmp_path, monkeypatch):
    monkeypatch.setattr("symut.prover.bounds.kernel.DIGIT_LIMIT", 0)
    path = own_backbone(tmp_path / "mine.safetensors", m=9, RV=np.zeros((1, 2, 9, 9), np.float32))
    outcome = symut.prove("random_universality", H=2, L=1, backbone=str(path), out=tmp_path / "proofs")
    assert (outcome.verdict, outcome.known["best_width"]) == (UNKNOWN, 8)
    assert "rank M(R) = 4 < N = 8" in outcome.reason
    assert "digits" in outcome.reason


def test_two_backbones_of_one_shape_do_not_overwrite_each_other(tmp_path):
    one = own_backbone(tmp_path / "one.safetensors", m=9)
    two = own_backbone(
        tmp_path / "two.safetensors", m=9, RV=np.eye(9, dtype=np.float32)[None, None].repeat(2, 1) * [[[[2]], [[3]]]]
    )
    folders = set()
    for path in (one, two):
        outcome = symut.prove("random_universality", H=2, L=1, backbone=str(path), out=tmp_path / "proofs")
        folders.add(outcome.artifact)
    assert len(folders) == 2


def test_sizes_that_contradict_the_file_are_refused(tmp_path):
    path = own_backbone(tmp_path / "mine.safetensors", m=9)
    with pytest.raises(UsageError, match="--d differs"):
        symut.prove("random_universality", H=2, L=1, d=3, backbone=str(path), out=tmp_path)
    with pytest.raises(TargetError, match="pass --H 2 --L 1"):
        symut.prove("random_universality", H=1, L=1, backbone=str(path), out=tmp_path)


@pytest.mark.slow
def test_beyond_the_checkers_reach_the_stored_backbone_is_trusted_only(tmp_path):
    outcome = symut.prove("random_universality", H=2, L=2, d=33, k=33, seed=0, out=tmp_path)
    assert (outcome.verdict, outcome.exit_code) == (TRUSTED, 12)
    assert outcome.trusted[-1] == "python-flint"
    assert symut.check(outcome.artifact)[0]["verdict"] == "VALID"
    assert len(outcome.claims) == 3
    assert "stored in the file" in outcome.claims[2]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"H": 0}, "--H out of range"),
        ({"L": -3}, "--L out of range"),
        ({"H": True}, "--H out of range"),
        ({"d": 3}, "--d and --k go together"),
        ({"m": 10}, "--m needs --d and --k"),
        ({"seed": 0}, "--seed needs --d and --k"),
        ({"d": 1, "k": 1, "seed": -1}, "--seed out of range"),
        ({"distribution": "cauchy"}, "--distribution out of range"),
        ({"distribution": "uniform"}, "--distribution needs --seed"),
        ({"dtype": "float64", "d": 1, "k": 1}, "--dtype needs --seed"),
        ({"seed": 0, "backbone": "x.safetensors"}, "exclude each other"),
        ({"backbone": "x" * 300}, "cannot read"),
        ({"H": 10**5000}, "--H out of range"),
        ({"H": 1, "L": 130, "d": 1, "k": 3500, "max_memory": "1TiB"}, r"too large for check\.py"),
        ({"width": 3}, "no parameter width"),
        ({"H": 2, "L": 60}, "more memory"),
        ({"H": 10**6, "L": 10**6}, "beyond any machine"),
        ({"d": 2000, "k": 2000, "seed": 0}, "more memory"),
    ],
)
def test_bad_parameters_are_one_line_and_write_nothing(given, message, tmp_path):
    with pytest.raises((UsageError, TargetError), match=message) as caught:
        symut.prove("random_universality", out=tmp_path, **given)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_theorem_is_answered_with_the_nearest():
    with pytest.raises(UsageError, match="did you mean random_universality"):
        symut.prove("random_universaliti")


def test_default_instances_are_distinct_and_start_with_the_default():
    for theorem in theorems().values():
        assert resolve(theorem, theorem.instances[0]) == resolve(theorem, {})
        assert len({tuple(sorted(instance.items())) for instance in theorem.instances}) == len(theorem.instances)
