"""`symut check` ends with the numbers of its verdicts on standard error."""

import json

import pytest

from symut.cli import main
from symut.cli.check_report import summary


@pytest.fixture
def artifacts(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for theorem in ("sparse_universality", "head_width_obstruction"):
        assert main(["prove", theorem, "--quiet"]) == 0
    capsys.readouterr()
    return tmp_path / "proofs"


def test_check_counts_its_verdicts_on_standard_error(artifacts, capsys):
    assert main(["check"]) == 0
    shown = capsys.readouterr()
    assert shown.err == "2 checked: 2 VALID, 0 INVALID\n"
    assert shown.out.count("VALID") == 2
    (artifacts / "sparse_universality/H2-L2/certificate.json").write_text("{}")
    assert main(["check"]) == 13
    assert capsys.readouterr().err == "2 checked: 1 VALID, 1 INVALID\n"


def test_check_with_quiet_or_json_counts_nothing(artifacts, capsys):
    assert main(["check", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert main(["check", "--json"]) == 0
    shown = capsys.readouterr()
    assert len(json.loads(shown.out)) == 2
    assert shown.err == ""


def test_check_with_a_solver_says_if_nothing_was_asked_of_it(artifacts, capsys):
    assert main(["check", "--with", "z3"]) == 0
    found = "2 checked: 2 VALID, 0 INVALID; none trusts a solver, so z3 was not asked\n"
    assert capsys.readouterr().err == found


def test_the_summary_counts_the_answers_of_a_solver():
    def result(agrees):
        return {"verdict": "VALID", "second": {"agrees": agrees}}

    results = [result(True), result(True), result(None), {"verdict": "VALID"}]
    assert summary(results, "cvc5") == "4 checked: 4 VALID, 0 INVALID; cvc5 agrees with 2, does not decide 1"
    assert summary([result(False)], "z3") == "1 checked: 1 VALID, 0 INVALID; z3 contradicts 1"
