"""The audit of the Coq development finds what would make its theorems say less than they seem to say."""

import importlib.util
import re
import shutil
import subprocess
from pathlib import Path

import pytest

COQ = Path(__file__).resolve().parents[2] / "proofs" / "coq"
SPEC = importlib.util.spec_from_file_location("coq_audit", COQ / "audit.py")
audit = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(audit)

THEOREM = "Theorem one : 1 = 1.\nProof. exact eq_refl. Qed.\n"
QUESTION = "Definition page := (@one).\nPrint Assumptions page.\n"
PAGE = THEOREM + QUESTION
AXIOMS = """Axioms:
propositional_extensionality : forall P Q : Prop, P <-> Q -> P = Q
functional_extensionality_dep
  : forall (A : Type) (B : A -> Type) (f g : forall x : A, B x),
    (forall x : A, f x = g x) -> f = g
"""


def test_the_sources_of_the_development_are_clean(capsys):
    assert audit.main(["--sources"]) == 0
    assert capsys.readouterr().out.endswith("\nclean\n")


@pytest.mark.parametrize(
    "command",
    [
        "Lemma x : 0 = 1. Admitted.",
        "Lemma x : 0 = 1. Proof. admit. Qed.",
        "Lemma x : 0 = 1. Proof. give_up. Qed.",
        "Axiom x : 0 = 1.",
        "Axioms x y : 0 = 1.",
        "Local Parameter x : 0 = 1.",
        "#[local] Conjecture x : 0 = 1.",
        "Unset Guard Checking.",
        "Unset  Positivity\n  Checking.",
        "Unset Universe Checking.",
        "#[bypass_check(guard)] Fixpoint f (n : nat) : 0 = 1 := f n.",
        "Lemma x : 0 = 0. Proof. native_compute. Qed.",
        'Declare ML Module "x".',
        "Module Type T. End T.",
        "Declare Instance evil : 0 = 1.",
        "Admit Obligations.",
    ],
)
def test_a_command_that_assumes_or_weakens_is_a_fault_with_its_line(command):
    [fault] = audit.source_faults("A.v", f"(* Axiom *)\n\n{command}\n")
    assert fault.startswith("A.v:3: forbidden: ")


@pytest.mark.parametrize(
    "command",
    [
        "Variable x : 0 = 1.",
        "Hypotheses (x : 0 = 1).",
        "Local Context (x : 0 = 1).",
        "Time Variable x : 0 = 1.",
        "Timeout 5 Private Hypothesis x : 0 = 1.",
        "#[local] Succeed Polymorphic Cumulative Variable x : 0 = 1.",
    ],
)
def test_a_hypothesis_is_a_fault_outside_of_a_section_only(command):
    assert not audit.source_faults("A.v", f"Section S.\n{command}\nEnd S.\n")
    [fault] = audit.source_faults("A.v", f"Section S.\nEnd S.\n{command}\n")
    assert fault.startswith("A.v:3: assumption outside of a section")


@pytest.mark.parametrize(
    "command",
    [
        'Notation "( x , y )" := I : evil_scope.',
        'Local Notation "0 = 1" := True (at level 0).',
        'Infix "=" := le.',
        'Reserved Notation "x == y" (at level 70).',
    ],
)
def test_a_notation_with_symbols_is_a_fault_outside_of_a_section_only(command):
    assert not audit.source_faults("A.v", f"Section S.\n{command}\nEnd S.\nNotation short := 0.\n")
    [fault] = audit.source_faults("A.v", command + "\n")
    assert fault.startswith("A.v:1: notation outside of a section")


def test_words_in_comments_and_strings_and_longer_names_are_no_fault():
    text = (
        '(* Admitted. (* Axiom x : 0 = 1. *) admit *)\nDefinition no_Axiom := "Parameter".\nLemma admitted_x : 0 = 0.\n'
    )
    assert not audit.source_faults("A.v", text)


def test_a_comment_that_does_not_end_is_a_fault():
    [fault] = audit.source_faults("A.v", "(* (* *)\nAxiom x : 0 = 1.\n")
    assert "does not end" in fault


def test_a_command_hidden_behind_a_quote_in_a_string_is_found():
    [fault] = audit.source_faults("A.v", 'Check "(*". Axiom x : 0 = 1. Check "*)".\n')
    assert "forbidden: Axiom" in fault


def test_a_summary_of_theorems_with_their_assumptions_is_clean():
    text = (
        "From mathcomp Require Import all_ssreflect.\nSet Implicit Arguments.\nImport GRing.Theory Num.Theory.\n"
        + THEOREM
        + THEOREM.replace("one", "two")
        + QUESTION.replace("(@one)", "(@one,\n   @two)")
    )
    assert not audit.summary_faults("Summary.v", text)
    assert audit.theorems(text) == ["one", "two"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (THEOREM, "does not end with: Print Assumptions page"),
        (THEOREM, "does not end with: Definition page := (@one)"),
        ("", "does not end with: Print Assumptions page"),
        (PAGE.replace("Assumptions page", "Assumptions one"), "does not end with: Print Assumptions page"),
        (PAGE + "Print Assumptions one.\n", "does not end with: Definition page := (@one)"),
        (PAGE.replace("(@one)", "(@two)"), "does not end with: Definition page := (@one)"),
        (THEOREM.replace("one", "two") + PAGE, "does not end with: Definition page := (@two, @one)"),
        (PAGE + THEOREM.replace("one", "two"), "does not end with: Definition page := (@one, @two)"),
        (PAGE.replace("Proof. exact eq_refl. Qed.", "Abort."), "expected the proof of one, found: Abort"),
        (PAGE.replace("Proof. exact eq_refl. Qed.", ". Qed."), "expected the proof of one"),
        (PAGE.replace(" Qed.", ""), "the proof of one does not end"),
        (THEOREM.replace("Proof. exact eq_refl. Qed.\n", "") + QUESTION, "the proof of one does not end"),
        (
            PAGE.replace("exact eq_refl.", 'Notation "( x , y )" := I. exact eq_refl.'),
            "no tactic, in the proof of one: Notation",
        ),
        (PAGE.replace("exact eq_refl. Qed.", "I. Lemma hidden : 0 = 1. Qed."), "no tactic, in the proof of one: I"),
        (PAGE.replace("Proof. exact eq_refl.", "Proof eq_refl. Lemma hidden : 0 = 1."), "expected the proof of one"),
        (PAGE.replace("Qed", "Defined"), "the proof of one does not end"),
        (THEOREM.replace("one", "one'") + PAGE, "does not end with: Definition page := (@one', @one)"),
        (THEOREM + PAGE.replace("(@one)", "(@one, @one)"), "two theorems of the name one"),
        ("Local Open Scope evil_scope.\n" + PAGE, "not a theorem: Local Open Scope evil_scope"),
        ("Definition run := 0.\n" + PAGE, "not a theorem: Definition run := 0"),
        ("Notation run := 0.\n" + PAGE, "not a theorem: Notation run := 0"),
        ("From Evil Require Import run.\n" + PAGE, "not a theorem: From Evil Require Import run"),
        ("Lemma two : 2 = 2. Proof. by []. Qed.\n" + PAGE, "not a theorem: Lemma two"),
    ],
)
def test_a_summary_has_theorems_only_and_asks_for_the_assumptions_of_all(text, reason):
    assert any(reason in fault for fault in audit.summary_faults("Summary.v", text))


def test_an_answer_without_axioms_is_clean_and_the_axioms_of_analysis_only_where_allowed():
    allowed = audit.AXIOMS_OF_ANALYSIS
    assert not audit.assumption_faults("Summary.v", ["page"], "Closed under the global context\n", {})
    assert not audit.assumption_faults("measure/Summary.v", ["page"], AXIOMS, allowed)
    assert len(audit.assumption_faults("Summary.v", ["page"], AXIOMS, {})) == 2


@pytest.mark.parametrize(
    "output",
    [
        "Axioms:\nbad : 0 = 1\n",
        "Axioms:\nbad\n  : 0 = 1\n",
        AXIOMS.replace("P = Q", "False"),
        AXIOMS + "f is assumed to be guarded.\n",
        "",
        "Closed under the global context\n" * 2,
        "Warning\nClosed under the global context\n",
    ],
    ids=["new", "new on two lines", "another statement", "unguarded", "no answer", "two answers", "other text"],
)
def test_any_other_answer_of_the_kernel_is_a_fault(output):
    assert audit.assumption_faults("Summary.v", ["page"], output, audit.AXIOMS_OF_ANALYSIS)


@pytest.fixture
def development(tmp_path):
    """A small development with one theorem in each summary."""
    (tmp_path / "measure").mkdir()
    for project, name in zip(audit.PROJECTS, ("Summary.v", "measure/Summary.v"), strict=True):
        (tmp_path / project).write_text(f"-R . Symut\n-arg -w -arg none\n{name}\n")
        (tmp_path / name).write_text(PAGE)
    return tmp_path


def test_a_source_that_is_not_built_or_missing_is_a_fault(development, capsys):
    assert audit.main(["--sources", str(development)]) == 0
    (development / "Hidden.v").write_text("")
    (development / "_CoqProject").write_text("-R . Symut\n-arg -type-in-type\nSummary.v\nGone.v\n")
    assert audit.main(["--sources", str(development)]) == 1
    out = capsys.readouterr().out
    for fault in ("Hidden.v: not listed", "Gone.v: listed, but", "_CoqProject: unknown option: -arg -type-in-type"):
        assert fault in out


def test_without_coq_one_line_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert audit.main([str(COQ)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "apt-get install coq " in error


@pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")
class TestWithCoq:
    def test_a_clean_development_passes(self, development, capsys):
        assert audit.main([str(development)]) == 0
        assert capsys.readouterr().out.endswith("\nclean\n")

    def test_an_axiom_of_an_imported_file_is_found_by_the_kernel(self, development, capsys):
        (development / "Base.v").write_text("Axiom bad : 1 = 2.\n")
        subprocess.run(["coqc", "-R", ".", "Symut", "Base.v"], cwd=development, check=True)
        bad = "From Symut Require Import Base.\nTheorem two : 1 = 2.\nProof. exact bad. Qed.\n"
        page = QUESTION.replace("(@one)", "(@two, @one)")
        (development / "Summary.v").write_text(bad + THEOREM + page)
        assert audit.main([str(development)]) == 1
        assert "Summary.v: two assumes bad : 1 = 2" in capsys.readouterr().out

    def test_a_notation_cannot_hide_a_theorem_from_the_kernel(self, development, capsys):
        base = "Class Bad := bad : False.\nSection S.\nLet x := 0.\nEnd S.\nNotation page := I (only parsing).\n"
        (development / "Base.v").write_text(base + 'Axiom evil : False.\nNotation "( x , y )" := I.\n')
        subprocess.run(["coqc", "-R", ".", "Symut", "Base.v"], cwd=development, check=True)
        bad = "From Symut Require Import Base.\nTheorem two : 0 = 1.\nProof. destruct evil. Qed.\n"
        (development / "Summary.v").write_text(bad + THEOREM + QUESTION.replace("(@one)", "(@two, @one)"))
        assert audit.main([str(development)]) == 1
        out = capsys.readouterr().out
        assert "Summary.v: two assumes evil : False" in out
        assert "Base.v:7: notation outside of a section" in out

    def test_a_summary_that_does_not_compile_is_reported_in_one_line(self, development, capsys):
        (development / "Summary.v").write_text(PAGE.replace("1 = 1", "1 = 2"))
        assert audit.main([str(development)]) == 2
        assert re.fullmatch(r"Summary\.v does not compile .*\n", capsys.readouterr().err)


def test_the_documented_chapters_are_those_of_the_project_in_order_with_their_titles():
    listed = re.findall(r"^(?!.*Summary)(.*\.v)$", (COQ / "_CoqProject").read_text(), re.MULTILINE)
    titles = [re.match(r"\(\* (.*?)\.\n", (COQ / name).read_text())[1] for name in listed]
    rows = re.findall(r"^\| `(\w+\.v)` \| (.*) \|$", (COQ.parents[1] / "docs/coq.md").read_text(), re.MULTILINE)
    assert rows == list(zip(listed, titles, strict=True))
