"""The command line: one line and an exit code for every answer, JSON with fixed keys, and `check --with`."""

import json

import pytest

from symut.cli import main


def run(capsys, *arguments):
    code = main(["search", "attention_matching", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize(
    ("arguments", "code", "start"),
    [
        (
            ("--H", 2, "--L", 1, "--m", 3),
            0,
            "PROVED attention_matching H=2 L=1 m=3 general strong: width 3 is too small",
        ),
        (("--H", 2, "--L", 1, "--m", 4), 0, "PROVED attention_matching H=2 L=1 m=4 general strong: width 4 suffices"),
        (("--H", 2, "--L", 1, "--m", 3, "--timeout", 0), 11, "UNKNOWN attention_matching H=2 L=1 m=3 general strong"),
        (("--H", 2, "--L", 1, "--m", 3, "--method", "smt"), 12, "TRUSTED attention_matching H=2 L=1 m=3"),
    ],
)
def test_verdict_is_one_line_with_its_exit_code(capsys, tmp_path, arguments, code, start):
    answer, out, err = run(capsys, *arguments, "--out", tmp_path)
    assert answer == code
    assert out.startswith(start)
    assert out.count("\n") == 1
    assert "H = 2, L = 1, d = 1" in " ".join(err.split())


@pytest.mark.parametrize(
    ("sizes", "band"),
    [((2, 1, 3), "is 4"), ((2, 1, 4), "is 4"), ((2, 2, 9), "lies in 9..10"), ((2, 2, 10), "lies in 9..10")],
)
def test_the_minimal_width_is_a_number_where_both_bounds_agree(capsys, tmp_path, sizes, band):
    H, L, m = sizes
    _, out, _ = run(capsys, "--H", H, "--L", L, "--m", m, "--out", tmp_path)
    assert f"; the minimal width {band};" in out


def test_a_width_that_theorems_decide_and_the_search_did_not_is_told_apart(capsys, tmp_path):
    _, out, _ = run(capsys, "--H", 2, "--L", 1, "--m", 3, "--timeout", 0, "--out", tmp_path)
    assert "width 3 is undecided; by theorems the minimal width is 4; tried" in out


@pytest.mark.parametrize(("timeout", "offered"), [(0, True), (30, False)])
def test_a_longer_time_is_offered_only_where_the_time_was_over(capsys, tmp_path, timeout, offered):
    _, _, err = run(capsys, "--H", 2, "--L", 2, "--m", 9, "--timeout", timeout, "--out", tmp_path)
    assert ("To go on:" in err) == offered


def test_json_has_the_documented_keys(capsys, tmp_path):
    _, out, _ = run(capsys, "--H", 1, "--L", 1, "--m", 2, "--json", "--out", tmp_path)
    fields = json.loads(out)
    assert list(fields)[:4] == ["verdict", "solver", "seconds", "artifact"]
    assert (fields["verdict"], fields["known"]) == ("PROVED", {"lower": 3, "upper": 3})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--H", 2, "--L", 1, "--m", 0), "--m out of range"),
        (("--H", 2, "--L", 1), "--m is missing"),
        (("--H", 2, "--L", 1, "--m", 3, "--heads", "wide"), "wide"),
        (("--H", 2, "--L", 1, "--m", 10**6), "too large to write"),
        (("--table", "--out", "/nonexistent"), "nothing to check"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys, arguments, message):
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_check_with_a_second_solver_reports_agreement(capsys, tmp_path):
    pytest.importorskip("cvc5")
    run(capsys, "--H", 2, "--L", 1, "--m", 3, "--method", "smt", "--out", tmp_path)
    assert main(["check", "--with", "cvc5", str(tmp_path)]) == 0
    assert "cvc5 agrees (unsat)" in capsys.readouterr().out
    assert main(["check", "--with", "cvc5", "--json", str(tmp_path)]) == 0
    (result,) = json.loads(capsys.readouterr().out)
    assert result["second"] == {"solver": "cvc5", "answer": "unsat", "agrees": True}


def test_check_reports_a_changed_query_file_and_goes_on(capsys, tmp_path):
    pytest.importorskip("cvc5")
    for seed in (0, 1, 2):
        run(capsys, "--H", 2, "--L", 1, "--m", 3, "--method", "smt", "--seed", seed, "--out", tmp_path)
    changed, missing, good = sorted(tmp_path.rglob("query.smt2"))
    changed.write_text(changed.read_text().replace("(check-sat)", "(assert false)\n(check-sat)"))
    missing.unlink()
    assert main(["check", "--with", "cvc5", str(tmp_path)]) == 13
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["INVALID", "INVALID", "VALID"]
    assert all("is not the query of the statement" in line for line in lines[:2])
    assert "cvc5 agrees (unsat)" in lines[2]
    good.write_text("")
    assert main(["check", "--with", "cvc5", "--json", str(tmp_path)]) == 13
    assert [result["verdict"] for result in json.loads(capsys.readouterr().out)] == ["INVALID"] * 3


@pytest.mark.parametrize("timeout", ["-1", "nan", "1e9", "inf"])
def test_check_refuses_times_out_of_range(capsys, tmp_path, timeout):
    run(capsys, "--H", 2, "--L", 1, "--m", 3, "--out", tmp_path)
    assert main(["check", "--with", "z3", "--timeout", timeout, str(tmp_path)]) == 2
    assert "--timeout out of range" in capsys.readouterr().err


def test_interruption_at_any_time_says_how_to_go_on(capsys, tmp_path, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("symut.cli.search._search", stop)
    limits = ("--timeout", 7, "--max-memory", "1GiB", "--seed", 3, "--out", tmp_path)
    code, out, err = run(capsys, "--H", 2, "--L", 1, "--m", 3, *limits)
    assert (code, out) == (130, "")
    again = "python -m symut search attention_matching --H 2 --L 1 --m 3 --heads general --targets strong --seed 3"
    assert f"to go on: {again} --timeout 7 --max-memory 1024MiB --out {tmp_path}\n" in err


def test_table_lists_the_cells_of_the_artifacts(capsys, tmp_path):
    run(capsys, "--H", 2, "--L", 1, "--m", 3, "--targets", "weak", "--out", tmp_path)
    code, out, _ = run(capsys, "--table", "--json", "--out", tmp_path)
    assert code == 0
    assert [cell["lower"]["width"] for cell in json.loads(out)] == [4, 4, 4, 4]
