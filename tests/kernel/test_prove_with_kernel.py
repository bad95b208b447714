"""`prove --kernel coq` and `check --with coq`, with a stand-in for Coq: what is written, printed and refused."""

import json
import os

import pytest

import symut
from symut.cli import main
from symut.errors import InternalError, UsageError
from symut.kernel.instances import instance_of
from symut.kernel.stated import read_statement

AXIOMS = "Axioms:\nfalse : False\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def run(capsys, *arguments):
    code = main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


SHARP = ("prove", "sharp_width", "--H", "2", "--L", "2", "--d", "3", "--k", "3", "--kernel", "coq")
ARTIFACT = "proofs/sharp_width/H2-L2-d3-k3"


def test_an_artifact_gains_the_instance_and_what_the_kernel_said(stand_in, here, capsys):
    stand_in()
    code, out, err = run(capsys, *SHARP)
    assert (code, out) == (0, f"PROVED sharp_width H=2 L=2 d=3 k=3: m >= 48 is needed; artifact {ARTIFACT}\n")
    assert "Kernel: coqc 8.16.1 accepts claim_1, claim_2 of instance.v" in err
    assert "Assumptions of claim_2: none (closed under the global context)" in err
    assert "Cited, not re-checked" not in err
    record = json.loads((here / ARTIFACT / "kernel.json").read_text())
    assert record["coqc"] == "8.16.1"
    assert record["assumptions"] == {"claim_1": {}, "claim_2": {}}
    assert (here / ARTIFACT / "instance.v").read_text() == instance_of(read_statement(here / ARTIFACT)).text


def test_the_same_command_writes_the_same_bytes(stand_in, here, capsys):
    stand_in()
    run(capsys, *SHARP)
    before = {path.name: path.read_bytes() for path in (here / ARTIFACT).iterdir()}
    run(capsys, *SHARP)
    assert before == {path.name: path.read_bytes() for path in (here / ARTIFACT).iterdir()}


def test_json_has_the_step_and_the_assumptions(stand_in, here, capsys):
    stand_in()
    found = json.loads(run(capsys, *SHARP, "--json")[1])
    assert found["steps"][-1]["id"] == "kernel"
    assert found["steps"][-1]["method"] == "coqc 8.16.1"
    assert found["trusted"] == []
    assert "CITED" not in {step["verdict"] for step in found["steps"]}
    assert "coqc 8.16.1, lemma probes-force-path-matching" in {step["method"] for step in found["steps"]}
    assert found["kernel"]["assumptions"] == {"claim_1": [], "claim_2": []}
    assert found["kernel"]["not_proved"] == []


def test_a_seeded_backbone_says_what_the_kernel_does_not_cover(stand_in, here, capsys):
    made = stand_in()
    made.answer.write_text("Closed under the global context\n" * 3)
    command = "prove random_universality --H 2 --L 2 --d 3 --k 3 --seed 0 --kernel coq"
    code, _, err = run(capsys, *command.split())
    assert code == 0
    assert "Not proved here: the rank of M(R) of the stored backbone" in err
    assert "accepts claim_1, claim_2, rank_suffices" in err


def test_an_answer_of_unknown_proves_nothing_and_asks_no_kernel(stand_in, here, capsys):
    made = stand_in()
    command = "prove random_universality --H 2 --L 2 --d 3 --k 3 --m 40 --scores-only --kernel coq"
    assert run(capsys, *command.split())[0] == 11
    assert made.compiled == 0


@pytest.mark.parametrize("answer", [AXIOMS * 2, "Closed under the global context\n", ""])
def test_an_answer_that_is_no_proof_is_a_bug_and_leaves_nothing(stand_in, here, capsys, answer):
    made = stand_in()
    made.answer.write_text(answer)
    code, out, err = run(capsys, *SHARP)
    assert (code, out) == (1, "")
    assert err.startswith("symut: the kernel's answers are not those of a proof")
    assert not (here / "proofs").exists()


def test_a_refused_instance_is_a_bug_with_the_first_error_and_leaves_nothing(stand_in, here, capsys):
    made = stand_in()
    made.refusal.write_text("Error: the statement is too strong\n")
    code, out, err = run(capsys, *SHARP)
    assert (code, out) == (1, "")
    assert "coqc refuses the instance that symut wrote" in err
    assert "./instance.v line 7: the statement is too strong" in err
    assert not (here / "proofs").exists()


def test_numbers_beyond_coqc_are_the_users_and_leave_nothing(stand_in, here, capsys):
    made = stand_in()
    made.refusal.write_text("Error: Stack overflow.\n")
    code, out, err = run(capsys, *SHARP)
    assert (code, out) == (2, "")
    assert err.startswith("symut: too large for coqc: got ./instance.v line 7: Stack overflow")
    assert not (here / "proofs").exists()


def test_another_version_is_said_and_tried(stand_in, here, capsys):
    made = stand_in("8.20.0")
    code, out, err = run(capsys, *SHARP, "--quiet")
    assert (code, err) == (0, "symut: Coq 8.20.0 is not the tested 8.16.1; trying it\n")
    assert out.startswith("PROVED sharp_width")
    made.refusal.write_text("Error: the statement is too strong\n")
    code, out, err = run(capsys, *SHARP, "--quiet")
    assert (code, out) == (2, "")
    assert err.splitlines()[1].startswith("symut: Coq 8.20.0 refuses the instance")


def test_without_coq_one_line_names_the_packages_and_the_rest_goes_on(no_coq, here, capsys):
    code, out, err = run(capsys, *SHARP)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "coqc is missing; on Debian and Ubuntu: apt-get install coq libcoq-mathcomp-ssreflect" in err
    assert not (here / "proofs").exists()
    assert run(capsys, *SHARP[:-2])[0] == 0


@pytest.mark.parametrize("theorem", ["head_width_obstruction", "lipschitz", "parity"])
def test_a_theorem_without_counterpart_is_refused_before_anything_else(no_coq, here, capsys, theorem):
    code, out, err = run(capsys, "prove", theorem, "--kernel", "coq")
    assert (code, out) == (2, "")
    assert err.startswith(f"symut: {theorem} has no Coq counterpart: expected one of sparse_universality, ")


def test_help_offers_the_kernel_where_there_is_a_counterpart(capsys):
    for theorem, offered in (("sharp_width", True), ("affine_universality", True), ("parity", False)):
        assert run(capsys, "prove", theorem, "--help")[0] == 0
        assert ("--kernel" in run(capsys, "prove", theorem, "--help")[1]) == offered


def test_a_goal_without_counterpart_is_refused_and_leaves_nothing(stand_in, here, capsys):
    stand_in()
    code, _, err = run(capsys, "prove", "output_lower_bound", "--H", "2", "--L", "1", "--softmax", "--kernel", "coq")
    assert code == 2
    assert "softmax_output_lower_bound has no Coq counterpart" in err
    assert not (here / "proofs").exists()


@pytest.mark.parametrize("size", [("--H", "0"), ("--d", "0", "--k", "1")])
def test_empty_sizes_are_refused(stand_in, here, capsys, size):
    stand_in()
    code, _, err = run(capsys, "prove", "sharp_width", *size, "--kernel", "coq")
    assert code == 2
    assert "out of range" in err


def test_proving_without_the_kernel_again_drops_its_files(stand_in, here, capsys):
    stand_in()
    run(capsys, *SHARP)
    run(capsys, *SHARP[:-2])
    assert not {"instance.v", "kernel.json"} & {path.name for path in (here / ARTIFACT).iterdir()}


def test_a_check_compiles_the_instance_again(stand_in, here, capsys):
    made = stand_in()
    run(capsys, *SHARP)
    code, out, _ = run(capsys, "check", "--with", "coq", "proofs")
    assert (code, out) == (0, f"VALID {ARTIFACT}: coqc 8.16.1 accepts claim_1, claim_2; axioms: none\n")
    assert made.compiled == 2
    found = json.loads(run(capsys, "check", "--with", "coq", "--json", "proofs")[1])
    assert found[0]["kernel"] == {"coqc": "8.16.1", "full": False, "assumptions": {"claim_1": [], "claim_2": []}}


def test_a_check_counts_artifacts_without_instance_instead_of_naming_them(stand_in, here, capsys):
    stand_in()
    run(capsys, *SHARP)
    run(capsys, "prove", "head_width_obstruction")
    code, out, err = run(capsys, "check", "--with", "coq", "proofs")
    assert (code, out) == (0, f"VALID {ARTIFACT}: coqc 8.16.1 accepts claim_1, claim_2; axioms: none\n")
    assert err == "2 checked: 2 VALID, 0 INVALID; 1 confirmed by Coq, 1 without an instance.v for it\n"
    found = json.loads(run(capsys, "check", "--with", "coq", "--json", "proofs")[1])
    assert [row["instance"] for row in found] == [False, True]


def test_an_invalid_artifact_without_instance_keeps_its_line(stand_in, here, capsys):
    stand_in()
    run(capsys, *SHARP)
    run(capsys, "prove", "head_width_obstruction")
    (here / "proofs/head_width_obstruction/m2/certificate.json").write_text("{}")
    code, out, err = run(capsys, "check", "--with", "coq", "proofs")
    assert (code, out.count("\n"), out.count("INVALID")) == (13, 2, 1)
    assert err.startswith("2 checked: 1 VALID, 1 INVALID; 1 confirmed by Coq")


def test_a_full_check_runs_coqchk_on_the_library_and_the_instance(stand_in, here, capsys):
    made = stand_in()
    run(capsys, *SHARP)
    code, out, _ = run(capsys, "check", "--with", "coq", "--full", "proofs")
    assert (code, out) == (0, f"VALID {ARTIFACT}: coqc 8.16.1 and coqchk accept claim_1, claim_2; axioms: none\n")
    checked = made.log.with_name("log.coqchk").read_text()
    assert "-norec Symut.Summary" in checked
    assert "-norec Instance.instance" in checked


def forge_instance(folder):
    path = folder / "instance.v"
    path.write_text(path.read_text().replace("48", "47"))


def forge_record(folder):
    path = folder / "kernel.json"
    record = json.loads(path.read_text())
    record["assumptions"]["claim_1"] = {"false": "False"}
    path.write_text(json.dumps(record))


def forge_digest(folder):
    path = folder / "kernel.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"instance": "0" * 64}))


def make_pipe(path):
    """A file that nobody ever writes to."""
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    ("forge", "reason"),
    [
        (forge_instance, "instance.v is not the instance of the statement"),
        (lambda folder: (folder / "instance.v").unlink(), "instance.v cannot be read"),
        (forge_record, "kernel.json has other assumptions than the kernel"),
        (forge_digest, "kernel.json is about another instance"),
        (lambda folder: (folder / "kernel.json").unlink(), "kernel.json cannot be read"),
        (lambda folder: (folder / "kernel.json").write_text("[]"), "kernel.json has another format"),
        (lambda folder: (folder / "kernel.json").write_text("{"), "kernel.json cannot be read"),
        (lambda folder: (folder / "kernel.json").write_text("[" * 200_000), "kernel.json cannot be read"),
        (lambda folder: make_pipe(folder / "kernel.json"), "kernel.json cannot be read"),
        (lambda folder: make_pipe(folder / "instance.v"), "instance.v cannot be read"),
    ],
)
def test_a_forged_artifact_is_invalid(stand_in, here, capsys, forge, reason):
    stand_in()
    run(capsys, *SHARP)
    forge(here / ARTIFACT)
    code, out, _ = run(capsys, "check", "--with", "coq", "proofs")
    assert code == 13
    assert out.startswith(f"INVALID {ARTIFACT}: {reason}")


def test_an_instance_beside_a_goal_without_counterpart_is_invalid(stand_in, here, capsys):
    stand_in()
    run(capsys, "prove", "head_width_obstruction")
    (here / "proofs/head_width_obstruction/m2/instance.v").write_text("")
    code, out, _ = run(capsys, "check", "--with", "coq", "proofs")
    assert (code, out.count("INVALID")) == (13, 1)
    assert "instance.v has no theorem to apply" in out


def test_a_forged_instance_is_never_compiled(stand_in, here, capsys):
    made = stand_in()
    run(capsys, *SHARP)
    forge_instance(here / ARTIFACT)
    run(capsys, "check", "--with", "coq", "proofs")
    assert made.compiled == 1


def test_a_check_of_artifacts_without_instance_says_so(stand_in, here, capsys):
    stand_in()
    run(capsys, *SHARP[:-2])
    code, out, err = run(capsys, "check", "--with", "coq", "proofs")
    assert (code, out) == (2, "")
    assert err.startswith("symut: no artifact has an instance.v; make one with symut prove")


def test_full_needs_coq(here, capsys):
    run(capsys, *SHARP[:-2])
    assert run(capsys, "check", "--full", "proofs")[2] == "symut: --full needs --with coq; add it\n"


def test_the_function_warns_about_another_version(stand_in, here):
    stand_in("8.20.0")
    with pytest.warns(UserWarning, match=r"Coq 8\.20\.0 is not the tested"):
        symut.prove("sharp_width", H=1, L=1, d=1, k=1, kernel="coq")


def test_the_function_raises_what_the_kernel_refuses(stand_in, here):
    made = stand_in()
    made.refusal.write_text("Error: the statement is too strong\n")
    with pytest.raises(InternalError, match="coqc refuses"):
        symut.prove("sharp_width", H=1, L=1, d=1, k=1, kernel="coq")


def test_another_kernel_is_refused(here):
    with pytest.raises(UsageError, match="unknown kernel: expected coq, got lean"):
        symut.prove("sharp_width", kernel="lean")
