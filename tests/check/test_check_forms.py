"""Rule R, N and D of the forms against their definitions: dense matrices, slots enumerated one by one."""

import itertools
import json
import random
from typing import Any

import numpy as np
import pytest

from tests.check import build, build_forms, claims_forms, corpus
from tests.check.build import CORPUS
from tests.check.build_forms import form_artifact
from tests.check.claims_forms import GOALS, NAMES

SHAPES = [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1)]
SIZES = [(None, None, None), (1, 1, 1), (3, 1, 2), (1, 2, 2)]
ALL = range(1, 4)


def goal(name: str) -> str:
    return f"{name}_universality"


def statement_of(name: str, p: dict[str, Any]) -> Any:
    return build.rule("sizes").Sizes(goal(name), **p)


def routing_of(files: build.Artifact) -> dict[str, Any]:
    return json.loads(files["certificate.json"])["routing"]


def broken(routing: dict[str, Any], source: random.Random) -> dict[str, Any]:
    """One small change that keeps the file well-formed."""
    w = len(routing["slots"])
    columns = [c for field in ("queries", "keys") for x in routing.get(field, []) for head in x for c in head]
    column = source.choice([*columns, *routing["readout"]])
    moves = source.choice(source.choice(routing["values"]))
    change = source.randrange(5)
    if change == 0:
        corpus.swapped(routing["slots"], source.randrange(w), source.randrange(w))
    elif change == 1 and len(column) < w:
        column.append(source.choice([c for c in range(w) if c not in column]))
    elif change == 2:
        column.pop()
    elif change == 3 and moves:
        moves.pop(source.randrange(len(moves)))
    else:
        for other in moves:
            source.shuffle(moves[0])
            moves[0][2] = other[2]
    return routing


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", NAMES)
def test_rule_agrees_with_the_definition(name: str, shape: tuple[int, int]) -> None:
    source, seen = random.Random(f"{name}{shape}"), set()
    for trial, sizes in itertools.product(range(4), SIZES):
        p = claims_forms.parameters(name, *shape, *sizes)
        files = form_artifact(name, *shape, *sizes, seed=trial)
        routing = routing_of(files)
        if trial:
            routing = broken(routing, source)
        files = build_forms.artifact(goal(name), p, {"routing": routing, **build_forms.carry(name, *shape)})
        result = build.verdict(files)
        units_differ = sizes[0] is None and "size" in (result.reason or "")
        if "leaves" not in (result.reason or "") and "repeats" not in (result.reason or "") and not units_differ:
            accepted = build_forms.accepted_by_definition(goal(name), p, routing)
            assert (result.verdict == "VALID") == accepted, result.reason
            seen.add(accepted)
    assert seen == {True, False}


@pytest.mark.parametrize("name", ["residual", "shared_residual", "looped", "shared_key"])
def test_every_transposition_of_slots_is_rejected(name: str) -> None:
    files = form_artifact(name, 2, 1, 1, 1, seed=1)
    w = len(routing_of(files)["slots"])
    for i, j in itertools.combinations(range(w), 2):
        swapped = corpus.edited(files, lambda _, c, i=i, j=j: corpus.swapped(c["routing"]["slots"], i, j))
        assert build.verdict(swapped).verdict == "INVALID"


@pytest.mark.parametrize("name", NAMES)
def test_counts_are_the_closed_formulas_and_those_of_the_enumeration(name: str) -> None:
    counts, linear = build.rule("sizes").counts, build.rule("sizes").linear
    for H, L, (d, k, d_out) in itertools.product(ALL, ALL, [(1, 1, 1), (3, 2, 5)]):
        p = claims_forms.parameters(name, H, L, d, k, d_out)
        N, D = counts(statement_of(name, p), 10**6)
        table = claims_forms.slots(name, H, L, *claims_forms.units(name, p))
        degree = sum(p[size] * n for size, n in claims_forms.degree(name, H, L).items())
        assert linear(statement_of(name, p), N) == str(claims_forms.width(name, p)) == str(len(table))
        assert degree == sum(1 + sum(letter > 0 for letter in path) for _, path, _, _ in table)
        assert linear(statement_of(name, p), D) == str(degree)


def test_linear_counts_leave_out_a_missing_term() -> None:
    claims = {name: build.verdict(form_artifact(name, 2, 2)).claims for name in NAMES}
    assert "m = 13*d and head width d" in claims["shared_key"][0]
    assert "every m >= 12*k + 4*d_out," in claims["affine"][1]
    assert "D = 24*k + 21*d:" in claims["residual"][2]


def test_slot_that_names_an_exponential_number_is_refused_before_it_is_formed() -> None:
    statement = json.loads(form_artifact("looped", 2, 2)["statement.json"])
    for name, H, L in itertools.product(NAMES, (1, 2, 10**4000), (10**6, 10**4000)):
        for size in (None, 1, 10**4000):
            p = claims_forms.parameters(name, H, L, size, size, size)
            certificate = json.loads(form_artifact(name, 1, 1)["certificate.json"])
            changed = statement | {"goal": goal(name), "parameters": p, "claims": []}
            result = build.verdict(build.signed(changed, certificate))
            listed = len(certificate["routing"]["slots"])
            assert result.reason == f"certificate: lists only {listed} slots, fewer than N"


@pytest.mark.parametrize("name", NAMES)
def test_names_of_all_slots_follow_the_enumeration(name: str) -> None:
    slot_name = build.rule("sizes").slot_name
    for H, L, d, k in ((1, 1, 1, 1), (2, 3, 2, 3), (3, 2, 1, 2)):
        p = claims_forms.parameters(name, H, L, d, k, 3)
        for number, (kind, path, h, j) in enumerate(claims_forms.slots(name, H, L, *claims_forms.units(name, p))):
            head = f", head {h}" if h > 0 else ""
            text = f"({kind}, path ({','.join(map(str, path))}){head}, column {j + 1})"
            assert slot_name(statement_of(name, p), number) == text


def test_routing_of_a_form_can_be_checked_without_a_statement() -> None:
    rule, invalid = build.rule("forms").rule_form_routing, build.rule("strict").Invalid
    routing = routing_of(form_artifact("readoff_key", 3, 2, 1, 1, seed=2))
    for k in (None, 1, 5):
        rule("readoff_key_universality", 3, 2, 1, k, None, routing)
    with pytest.raises(invalid, match="fewer than N"):
        rule("readoff_key_universality", 3, 3, 1, None, None, routing)
    with pytest.raises(invalid, match="sizes"):
        rule("residual_universality", 3, 2, 1, None, None, routing)
    corpus.swapped(routing["slots"], 0, 1)
    with pytest.raises(invalid, match="hold slots"):
        rule("readoff_key_universality", 3, 2, 1, None, None, routing)
    with pytest.raises(invalid, match="expected an object"):
        rule("readoff_key_universality", 3, 2, 1, None, None, [])


def test_stored_matrix_of_a_looped_backbone_has_the_columns_of_the_definition() -> None:
    for H, L, d, k in ((2, 2, 2, 1), (3, 1, 1, 2), (1, 4, 2, 2)):
        p = claims_forms.parameters("looped", H, L, d, k, m=5)
        R = build.random_backbone(p | {"L": 1}, 1)
        expected = build_forms.dense_block_matrix("looped", H, L, k, d, build.map_backbone(R, lambda x: int(32 * x)))
        scale = [32 ** (1 + len(path)) for _, path, _, _ in claims_forms.slots("looped", H, L, k, d)]
        data = build.safetensors(R, {})
        found = build.rule("inverse").stored_block_matrix(statement_of("looped", p), 5, data, 2**31 - 1)
        assert (np.array(found) * scale % (2**31 - 1) == expected % (2**31 - 1)).all()


def test_looped_backbone_without_full_rank_has_no_inverse() -> None:
    """The weights of a routing without the move of one head: two columns of M(R) vanish."""
    files = build.read(CORPUS / "valid" / "looped-weights")
    R = corpus_backbone()
    R["RV"][0][1] = [[0.0] * 17 for _ in range(17)]
    changed = build.safetensors(R, {})
    assert build.verdict(restated_weights(files, build.safetensors(corpus_backbone(), {}))).verdict == "VALID"
    assert "of the identity modulo" in build.verdict(restated_weights(files, changed)).reason


def corpus_backbone() -> dict[str, Any]:
    return build.random_backbone(claims_forms.parameters("looped", 2, 1, 1, 1, m=17), 0)


def restated_weights(files: build.Artifact, data: bytes) -> build.Artifact:
    p = json.loads(files["statement.json"])["parameters"]
    certificate = json.loads(files["certificate.json"])
    return build_forms.artifact("looped_universality", p, certificate, data)


FORMS_VALID = [folder for folder in sorted((CORPUS / "valid").glob("*")) if (folder / "statement.json").is_file()]
FORMS_VALID = [f for f in FORMS_VALID if json.loads((f / "statement.json").read_bytes())["goal"] in GOALS]


@pytest.mark.parametrize("folder", FORMS_VALID, ids=lambda p: p.name)
def test_changed_parameter_with_claims_that_fit_is_valid_only_if_the_definition_still_accepts(folder: Any) -> None:
    """The head width of a target whose scores are matched, and d of an affine one, change the claims but not M(R)."""
    files = build.read(folder)
    statement = json.loads(files["statement.json"])
    p, name = statement["parameters"], GOALS[statement["goal"]]
    w = len(routing_of(files)["slots"])
    for size in p.keys() - {"weights"} if p["d"] else {"H", "L"}:
        for new in [w, w + 1, w - 1] if p[size] is None else [p[size] + 1, p[size] - 1, p[size] + 1000]:
            if new < 1 or (size in "HL" and new > 5):
                continue
            changed = p | {size: new}
            wide = (changed["m"] or w) >= claims_forms.width(name, changed)
            same = not p["weights"] and wide and claims_forms.width(name, changed) == w
            expected = same and build_forms.accepted_by_definition(goal(name), changed, routing_of(files))
            result = build.verdict(corpus.restated(files, claims_forms.claims, **{size: new}))
            assert (result.verdict == "VALID") == expected, (size, new, result.reason)


def test_long_looped_file_with_few_moves_is_rejected_at_once() -> None:
    """One move in 2000 layers: each layer would carry all the slots that remain."""
    L = 2000
    table = {"slots": list(range(2 * L + 1)), "queries": [[[[0]]]], "keys": [[[[0]]]], "values": [[[[0, 0, 1]]]]}
    p = claims_forms.parameters("looped", 1, L)
    result = build.verdict(build_forms.artifact(goal("looped"), p, {"routing": table | {"readout": [[2 * L]]}}))
    assert result.verdict == "INVALID"
    assert "fewer than the" in result.reason


TOO_LARGE = "routing: more than 10000000 moves and columns or 50000000 coordinates, too large to check"


def test_small_looped_file_whose_moves_are_used_in_many_layers_is_refused() -> None:
    L = 2500
    table = {
        "slots": list(range(2 * L + 1)),
        "queries": [[[[0]]]],
        "keys": [[[[0]]]],
        "values": [[[[0, 0, 2 * L + 1]]]],
    }
    p = claims_forms.parameters("looped", 1, L)
    result = build.verdict(build_forms.artifact(goal("looped"), p, {"routing": table | {"readout": [[0]]}}))
    assert result.reason == TOO_LARGE
    everything = list(range(2 * L))
    reads = table | {"queries": [[[everything]]], "values": [[[[0, 0, 1]]]], "readout": [[2 * L]]}
    result = build.verdict(build_forms.artifact(goal("looped"), p, {"routing": reads}))
    assert result.reason == "routing: reads more than 10000000 coordinates in all layers, too large to check"


@pytest.mark.parametrize(("name", "L"), [("residual", 8), ("shared_residual", 12), ("looped", 12), ("readoff_key", 12)])
def test_crowded_routing_is_rejected_without_exponential_work(name: str, L: int) -> None:
    """Identity moves everywhere: every path would carry all coordinates."""
    table = routing_of(form_artifact(name, 2, L, 1, 1))
    N = len(table["slots"])
    for field in ("queries", "keys"):
        table[field] = [[[list(range(0, N, 3))] for _ in layer] for layer in table.get(field, [])]
    table["values"] = [[[[0, 0, N]] for _ in layer] for layer in table["values"]]
    table["readout"] = [list(range(N))]
    if name == "readoff_key":
        del table["keys"]
    p = claims_forms.parameters(name, 2, L, 1, 1)
    result = build.verdict(build_forms.artifact(goal(name), p, {"routing": table}))
    assert "filled coordinates on" in result.reason


@pytest.mark.parametrize(("name", "H", "L"), [("residual", 2, 7), ("shared_residual", 2, 11), ("looped", 1, 300)])
def test_form_with_many_slots_is_accepted(name: str, H: int, L: int) -> None:
    result = build.verdict(form_artifact(name, H, L, seed=1))
    assert (result.verdict, result.reason) == ("VALID", None)
