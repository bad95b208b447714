"""Answers: what is proved, what is trusted, what is undecided, and that the same command writes the same bytes."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import symut.searcher.solving as solving
from symut.errors import UsageError
from symut.prover.checker import check_artifact
from symut.searcher.instances import instances
from symut.searcher.matching import search_matching
from symut.searcher.process import Answer
from symut.searcher.request import Request
from symut.searcher.second import second_opinion
from symut.searcher.table import minimal_widths

PROOFS = Path(__file__).resolve().parents[2] / "proofs" / "attention_matching_search"


def written(folder):
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


@pytest.mark.parametrize(
    ("H", "L", "m", "heads", "targets", "method"),
    [
        (1, 1, 2, "general", "strong", "identity"),
        (1, 1, 1, "rank-one", "weak", "identity"),
        (2, 1, 3, "general", "strong", "identity"),
        (2, 1, 3, "rank-one", "weak", "identity"),
        (1, 3, 3, "general", "strong", "identity"),
        (3, 1, 5, "general", "weak", "dimension"),
        (2, 2, 8, "general", "weak", "dimension"),
        (2, 2, 3, "general", "strong", "dimension"),
    ],
)
def test_width_below_the_bound_is_excluded_with_a_certificate(tmp_path, H, L, m, heads, targets, method):
    found = search_matching(Request(H, L, m, heads, targets), tmp_path)
    assert (found.verdict, found.method) == ("PROVED", method)
    result = check_artifact(Path(found.artifact))
    assert (result.verdict, result.goal, result.claims) == ("VALID", "matching_infeasible", found.claims)


@pytest.mark.parametrize(("H", "L", "targets", "m"), [(1, 1, "strong", 3), (1, 1, "weak", 2), (2, 2, "strong", 12)])
def test_width_at_or_above_the_upper_bound_needs_no_search(tmp_path, H, L, targets, m):
    found = search_matching(Request(H, L, m, "rank-one", targets, timeout=0), tmp_path)
    assert (found.verdict, found.method, found.solver) == ("PROVED", "theorem", None)
    assert check_artifact(Path(found.artifact)).goal == "matching_backbone"


def test_rank_one_widths_come_from_the_exact_theorem(tmp_path):
    found = search_matching(Request(2, 2, 9, "rank-one", "weak"), tmp_path)
    assert (found.verdict, found.method) == ("PROVED", "attention_matching_lower_bound")
    assert check_artifact(Path(found.artifact)).goal == "attention_output_width"


def test_open_width_is_unknown_with_both_bounds(tmp_path):
    found = search_matching(Request(2, 2, 9), tmp_path)
    assert (found.verdict, found.artifact, found.known) == ("UNKNOWN", None, {"lower": 9, "upper": 10})
    assert found.tried == (
        "dimension: 5 free coordinates may be enough for 4 scores",
        "smt: no slice excludes 5 free coordinates for 4 scores",
    )
    assert found.go_on == ""


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (Request(2, 2, 3, method="smt"), "smt: 4 outputs do not fit; see --method dimension"),
        (Request(2, 2, 9, method="smt"), "smt: no slice excludes 5 free coordinates for 4 scores"),
        (
            Request(65, 1, 129, method="smt"),
            "smt: too large with 64 free coordinates and 65 scores; at most 64 of each",
        ),
    ],
)
def test_why_no_query_was_asked_is_one_reason(tmp_path, request_, reason):
    found = search_matching(request_, tmp_path)
    assert (found.verdict, found.go_on) == ("UNKNOWN", "")
    assert found.tried == (reason,)


def test_more_time_is_offered_only_if_the_time_was_over(tmp_path):
    found = search_matching(Request(3, 1, 5, method="smt", timeout=0.01), tmp_path)
    assert found.verdict == "UNKNOWN"
    assert re.fullmatch(r"4 targets: z3 no answer, (the time was over|no time was left)", *found.tried)
    assert "--method smt --timeout 0.02" in found.go_on


def test_no_time_is_unknown_and_says_that_nothing_was_tried(tmp_path):
    found = search_matching(Request(2, 1, 3, timeout=0), tmp_path)
    assert (found.verdict, found.tried) == ("UNKNOWN", ("nothing: the time limit is 0",))
    assert " --timeout 60" in found.go_on
    assert not list(tmp_path.iterdir())


def test_unsat_is_trusted_conditional_and_confirmed_by_the_second_solver(tmp_path):
    pytest.importorskip("cvc5")
    found = search_matching(Request(2, 1, 3, method="smt"), tmp_path)
    assert (found.verdict, found.solver, found.trusted) == ("TRUSTED", "z3", ("z3",))
    result = check_artifact(Path(found.artifact))
    assert result.verdict == "VALID"
    assert "if the SMT-LIB query with SHA-256" in result.claims[0]
    opinion = second_opinion(Path(found.artifact), "cvc5", 60, 2**32)
    assert (opinion.answer, opinion.agrees) == ("unsat", True)


def test_targets_grow_until_the_query_is_unsat(tmp_path):
    found = search_matching(Request(2, 1, 3, method="smt", start=1), tmp_path)
    assert found.verdict == "TRUSTED"
    assert [line.partition(":")[0] for line in found.tried if "targets: " in line] == ["1 targets", "2 targets"]
    model = next(path for path in tmp_path.rglob("*-model"))
    assert check_artifact(model).goal == "matching_model"


def test_model_without_further_targets_is_unknown_and_stored(tmp_path, monkeypatch):
    monkeypatch.setattr(solving, "_unreached", lambda *arguments: None)
    found = search_matching(Request(2, 1, 3, method="smt", start=1), tmp_path)
    assert found.verdict == "UNKNOWN"
    assert check_artifact(Path(found.artifact)).goal == "matching_model"
    assert found.go_on == ""


@pytest.mark.parametrize(("name", "install"), [("z3", "pip install z3-solver"), ("cvc5", "pip install cvc5")])
def test_missing_solver_is_named_with_its_installation(tmp_path, monkeypatch, name, install):
    monkeypatch.setattr(solving, "ask", lambda job, limits, **_: Answer(reason=f"missing: {job}"))
    with pytest.raises(UsageError, match=f"the solver {name} is not installed; {install}"):
        search_matching(Request(2, 1, 3, method="smt", solver=name), tmp_path)


def test_crashing_solver_is_unknown_with_its_name(tmp_path, monkeypatch):
    monkeypatch.setattr(solving, "ask", lambda job, limits, **_: Answer(reason="it crashed (signal 11)"))
    found = search_matching(Request(2, 1, 3, method="smt"), tmp_path)
    assert found.verdict == "UNKNOWN"
    assert found.tried == ("2 targets: z3 no answer, it crashed (signal 11)",)
    assert found.go_on == ""


def test_disagreeing_solvers_are_unknown(tmp_path, monkeypatch):
    answers = {"z3": {"answer": "sat", "scores": ["1", "0"]}, "cvc5": {"answer": "unsat"}}
    monkeypatch.setattr(solving, "ask", lambda job, limits, **_: Answer(answers[job]))
    assert search_matching(Request(2, 1, 3, method="smt", solver="both"), tmp_path).verdict == "UNKNOWN"


@pytest.mark.parametrize("request_", [Request(2, 1, 3), Request(2, 1, 3, method="smt", seed=5), Request(2, 1, 4)])
def test_same_request_writes_the_same_bytes(tmp_path, request_):
    first, second = (search_matching(request_, tmp_path / name) for name in "ab")
    assert written(first.artifact) == written(second.artifact)


def test_every_way_to_ask_for_a_certificate_writes_the_same_bytes(tmp_path):
    ways = [Request(2, 1, 3), Request(2, 1, 3, method="identity", seed=7), Request(2, 1, 3, solver="both", start=2)]
    found = [search_matching(request, tmp_path / str(i)) for i, request in enumerate(ways)]
    assert [written(f.artifact) for f in found] == [written(found[0].artifact)] * 3


@pytest.mark.slow
def test_committed_artifacts_are_what_the_default_set_writes(tmp_path):
    folders = [Path(search_matching(request, tmp_path).artifact) for request in instances()]
    committed = {path.name for path in PROOFS.iterdir() if not path.name.endswith(("-query", "-model"))}
    assert {folder.name for folder in folders} == committed
    assert all(written(folder) == written(PROOFS / folder.name) for folder in folders)


def test_seed_is_part_of_the_query_only(tmp_path):
    found = [search_matching(Request(2, 1, 3, method="smt", seed=seed), tmp_path) for seed in (0, 5)]
    assert [f.verdict for f in found] == ["TRUSTED", "TRUSTED"]
    texts = [(Path(f.artifact) / "query.smt2").read_text() for f in found]
    assert texts[0].replace("seed 0", "seed 5") == texts[1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"m": 0}, "--m"),
        ({"H": 0}, "--H"),
        ({"timeout": -1}, "--timeout"),
        ({"seed": -1}, "--seed"),
        ({"start": 0}, "--start"),
    ],
)
def test_values_out_of_range_are_usage_errors(change, message):
    with pytest.raises(UsageError, match=message):
        replace(Request(2, 1, 3), **change)


# ---- the table


def test_table_says_what_the_artifacts_say_and_nothing_more(tmp_path):
    search_matching(Request(2, 1, 3, "general", "weak"), tmp_path)
    cells = {(c.heads, c.targets): c for c in minimal_widths(tmp_path)}
    assert {(c.lower.width, c.lower.status, c.upper.status) for c in cells.values()} == {(4, "PROVED", "open")}
    search_matching(Request(2, 1, 4, "rank-one", "strong"), tmp_path)
    assert all(c.settled and c.upper.width == 4 for c in minimal_widths(tmp_path))


def test_bounds_pass_only_to_weaker_questions(tmp_path):
    search_matching(Request(1, 1, 2, "rank-one", "strong"), tmp_path)
    search_matching(Request(1, 1, 2, "general", "weak"), tmp_path)
    found = {(c.heads, c.targets): (c.lower.width, c.upper.width) for c in minimal_widths(tmp_path)}
    expected = {("rank-one", "strong"): (3, None), ("general", "weak"): (None, 2)}
    assert found == {
        (h, t): expected.get((h, t), (None, None)) for h in ("general", "rank-one") for t in ("strong", "weak")
    }


def test_changed_artifact_stops_the_table(tmp_path):
    found = search_matching(Request(2, 1, 3), tmp_path)
    path = Path(found.artifact) / "certificate.json"
    certificate = json.loads(path.read_bytes())
    certificate["identity"]["scale"] = 2
    path.write_text(json.dumps(certificate))
    with pytest.raises(UsageError, match="INVALID"):
        minimal_widths(tmp_path)
