#!/usr/bin/env python3
"""Audit of the Coq development: python3 audit.py [--sources] [FOLDER]

Claim.  A clean audit means: every source file is built and uses no command that assumes, skips or weakens a check;
each summary consists of theorems, followed by the question what they all assume; and the kernel's answers name only
the axioms listed here: none for the algebra, the three of mathcomp-analysis for the measure-theoretic theorems.
Build first (make measure): the kernel's answers are about the compiled files.  `--sources` reads the sources only and
needs no Coq.  Exit code 0: clean. 1: faults, one a line. 2: Coq is missing, or a summary does not compile.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

AXIOMS_OF_ANALYSIS = {
    "propositional_extensionality": "forall P Q : Prop, P <-> Q -> P = Q",
    "functional_extensionality_dep": "forall (A : Type) (B : A -> Type) (f g : forall x : A, B x), "
    "(forall x : A, f x = g x) -> f = g",
    "constructive_indefinite_description": "forall (A : Type) (P : A -> Prop), (exists x : A, P x) -> {x : A | P x}",
}
ALLOWED: dict[str, dict[str, str]] = {"*Summary.v": {}, "measure/*Summary.v": AXIOMS_OF_ANALYSIS}
PROJECTS = ("_CoqProject", "_CoqProject.measure")
PROJECT_OPTIONS = {"-R . Symut", "-arg -w -arg none"}
QUESTION = "Print Assumptions page"
CLOSED = "Closed under the global context"
PACKAGES = (
    "coq libcoq-mathcomp-ssreflect libcoq-mathcomp-algebra libcoq-mathcomp-zify libcoq-mathcomp-multinomials "
    "libcoq-mathcomp-analysis"
)

FORBIDDEN = re.compile(
    r"\b(Admitted|Admit|admit|give_up|Axioms?|Parameters?|Conjectures?|Primitive|native_compute|native_cast_no_check"
    r"|bypass_check|Unset\s+(Guard|Positivity|Universe)\s+Checking|Type\s+In\s+Type|Declare\s+(ML\s+)?Module"
    r"|Declare\s+Instance|Module\s+Type|(Add|Remove)\s+(Rec\s+)?LoadPath|Load|Cd|Redirect|Drop|Extraction)\b"
)
MODIFIERS = (
    r"((#\[[^]]*\]|Time|Timeout\s+\d+|Succeed|Fail|Local|Global|Private|Polymorphic|Monomorphic|Cumulative"
    r"|NonCumulative|Program)\s*)*"
)
ASSUMES_OUTSIDE = re.compile(MODIFIERS + r"(Variables?|Hypothes[ie]s|Context)\b")
# strings are blanked, so that this is a notation which is no abbreviation: it may change what a statement means
NOTATION_OUTSIDE = re.compile(MODIFIERS + r"((Reserved\s+)?(Notation|Infix)\s*(:=|\(|$)|Reserved\s+Notation\b)")
OPENS, CLOSES = re.compile(r"Section\s+(\w+)$"), re.compile(r"End\s+(\w+)$")

THEOREM = re.compile(r"Theorem\s+([\w']+)")
TACTIC = re.compile(r"[-+*{}\s]*[a-z]")
SUMMARY_COMMAND = re.compile(
    r"From (mathcomp|SsrMultinomials|Symut|Symut\.measure) Require Import [\w\s]+$"
    r"|Set Implicit Arguments$|Unset Strict Implicit$|Unset Printing Implicit Defensive$"
    r"|Import (Order\.TTheory |GRing\.Theory |Num\.Def |Num\.Theory )*(GRing|Num)\.Theory$"
    r"|Local Open Scope (ring|nat|classical_set)_scope$"
)


def strip_comments(text: str) -> str:
    """The text with comments and strings blanked (comments nest), lines kept."""
    out, depth, quoted = [], 0, False
    for token in re.findall(r'\(\*|\*\)|"|\n|.', text):
        if token == '"':
            quoted = not quoted
        elif not quoted and token == "(*":
            depth += 1
        elif not quoted and token == "*)":
            depth -= 1
        elif token == "\n" or (depth == 0 and not quoted):
            out.append(token)
    if depth or quoted:
        raise ValueError("a comment or a string does not end")
    return "".join(out)


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """(line, sentence) for each vernacular sentence of a text without comments, with spaces normalised."""
    start = 0
    for stop in re.finditer(r"\.(?=\s|$)", text):
        body = text[start : stop.start()]
        line = text.count("\n", 0, start + len(body) - len(body.lstrip())) + 1
        yield line, " ".join(body.split())
        start = stop.end()
    if text[start:].strip():
        yield text.count("\n") + 1, " ".join(text[start:].split())


def source_faults(name: str, text: str) -> list[str]:
    """Commands that assume something or weaken a check, and assumptions outside of a section."""
    try:
        bare = strip_comments(text)
    except ValueError as error:
        return [f"{name}: {error}"]
    faults = [
        f"{name}:{bare.count(chr(10), 0, found.start()) + 1}: forbidden: {' '.join(found.group().split())}"
        for found in FORBIDDEN.finditer(bare)
    ]
    depth = 0
    for line, sentence in sentences(bare):
        depth += bool(OPENS.match(sentence)) - bool(CLOSES.match(sentence))
        if depth <= 0 and ASSUMES_OUTSIDE.match(sentence):
            faults.append(f"{name}:{line}: assumption outside of a section: {sentence}")
        if depth <= 0 and NOTATION_OUTSIDE.match(sentence):
            faults.append(f"{name}:{line}: notation outside of a section: {sentence}")
    return faults


def theorems(text: str) -> list[str]:
    """The names of the theorems of a summary, in order."""
    found = [THEOREM.match(sentence) for _, sentence in sentences(strip_comments(text))]
    return [match.group(1) for match in found if match]


def summary_faults(name: str, text: str) -> list[str]:
    """A summary must be a list of theorems with proofs, and then the question what all of them together assume."""
    named = theorems(text)
    closing = [f"Definition page := ({', '.join('@' + theorem for theorem in named)})", QUESTION]
    found = list(sentences(strip_comments(text)))
    faults = [f"{name}: does not end with: {expected[:80]}" for _, expected in _differences(found[-2:], closing)]
    faults += [
        f"{name}: two theorems of the name {one}" for one in sorted({one for one in named if named.count(one) > 1})
    ]
    stated = proving = ""
    for line, sentence in found[:-2]:
        if proving and sentence == "Qed":
            proving = ""
        elif proving and not TACTIC.match(sentence):
            faults.append(f"{name}:{line}: no tactic, in the proof of {proving}: {sentence[:60]}")
        elif stated:
            if sentence != "Proof":
                faults.append(f"{name}:{line}: expected the proof of {stated}, found: {sentence[:60]}")
            stated, proving = "", stated
        elif not proving and (match := THEOREM.match(sentence)):
            stated = match.group(1)
        elif not proving and not SUMMARY_COMMAND.match(sentence):
            faults.append(f"{name}:{line}: not a theorem: {sentence[:60]}")
    return faults + [f"{name}: the proof of {stated or proving} does not end"] * bool(stated or proving)


def _differences(found: list[tuple[int, str]], expected: list[str]) -> list[tuple[str, str]]:
    """The pairs (found, expected) that differ, a missing sentence being empty."""
    texts = [""] * (len(expected) - len(found)) + [sentence for _, sentence in found]
    return [pair for pair in zip(texts, expected, strict=True) if pair[0] != pair[1]]


def project_faults(folder: Path) -> list[str]:
    """Every source is listed in one project file, and no option changes the kernel."""
    faults, listed = [], []
    for project in PROJECTS:
        for line in filter(None, map(str.strip, (folder / project).read_text("utf-8").splitlines())):
            if line.endswith(".v"):
                listed.append(line)
            elif line not in PROJECT_OPTIONS:
                faults.append(f"{project}: unknown option: {line}")
    sources = {path.relative_to(folder).as_posix() for path in folder.rglob("*.v")}
    faults += [f"{name}: not listed in {' or '.join(PROJECTS)}" for name in sorted(sources - set(listed))]
    return faults + [f"{name}: listed, but there is no such file" for name in sorted(set(listed) - sources)]


def assumptions(output: str) -> list[dict[str, str]]:
    """One {axiom: type} for each answer of the kernel to Print Assumptions."""
    answers: list[dict[str, str]] = []
    name = ""
    for line in output.splitlines():
        entry = re.fullmatch(r"([\w.']+)(?:\s*:\s*(.*))?", line)
        if line in (CLOSED, "Axioms:"):
            answers.append({})
            name = ""
        elif not answers or not line.strip():
            raise ValueError(f"not an answer of the kernel: {line!r}")
        elif line[0].isspace() and name:
            answers[-1][name] = f"{answers[-1][name]} {line.strip().removeprefix(': ')}".strip()
        elif entry:
            name = entry.group(1)
            answers[-1][name] = (entry.group(2) or "").strip()
        else:
            answers[-1][line] = ""
            name = ""
    return answers


def assumption_faults(name: str, asked: list[str], output: str, allowed: dict[str, str]) -> list[str]:
    """One answer for each name that is asked for, and only the allowed axioms, with the allowed statements."""
    try:
        answers = assumptions(output)
    except ValueError as error:
        return [f"{name}: {error}"]
    if len(answers) != len(asked):
        return [f"{name}: {len(asked)} questions, but {len(answers)} answers of the kernel"]
    return [
        f"{name}: {theorem} assumes {axiom} : {kind}"
        for theorem, answer in zip(asked, answers, strict=True)
        for axiom, kind in answer.items()
        if allowed.get(axiom) != kind
    ]


def kernel_output(folder: Path, name: str) -> str:
    """What coqc prints for one summary, compiled against the built library; RuntimeError if it does not compile.

    After the question about the page there is one about each theorem by its name, which no notation can change.
    """
    text = (folder / name).read_text("utf-8")
    questions = "".join(f"\nPrint Assumptions {theorem}." for theorem in theorems(text))
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / Path(name).name
        path.write_text(text + questions + "\n", "utf-8")
        command = ["coqc", "-q", "-R", str(folder.resolve()), "Symut", "-w", "none", "-no-glob", str(path)]
        done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        raise RuntimeError(f"{name} does not compile (make measure first): {' '.join(done.stderr.split())[:300]}")
    return done.stdout


def summaries(folder: Path) -> dict[str, dict[str, str]]:
    """The axioms allowed to each summary, by its name relative to the folder."""
    found = {
        path.relative_to(folder).as_posix(): allowed
        for pattern, allowed in ALLOWED.items()
        for path in sorted(folder.glob(pattern))
    }
    if not found:
        raise FileNotFoundError(f"no {' and no '.join(ALLOWED)} in {folder}")
    return found


def source_audit(folder: Path) -> list[str]:
    """All faults that the text shows."""
    faults = project_faults(folder)
    for path in sorted(folder.rglob("*.v")):
        faults += source_faults(path.relative_to(folder).as_posix(), path.read_text("utf-8"))
    for name in summaries(folder):
        faults += summary_faults(name, (folder / name).read_text("utf-8"))
    return faults


def kernel_audit(folder: Path) -> list[str]:
    """All faults that the kernel's answers show."""
    faults = []
    for name, allowed in summaries(folder).items():
        asked = ["page", *theorems((folder / name).read_text("utf-8"))]
        faults += assumption_faults(name, asked, kernel_output(folder, name), allowed)
    return faults


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Audit of the Coq development's sources and assumptions.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).resolve().parent)
    parser.add_argument("--sources", action="store_true", help="read the sources only; needs no Coq")
    options = parser.parse_args(arguments)
    if not options.sources and shutil.which("coqc") is None:
        print(f"coqc not found; on Debian: apt-get install {PACKAGES}", file=sys.stderr)
        return 2
    try:
        faults = source_audit(options.folder) + ([] if options.sources else kernel_audit(options.folder))
    except (OSError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 2
    for name, allowed in summaries(options.folder).items():
        count = len(theorems((options.folder / name).read_text("utf-8")))
        print(f"{name}: {count} theorems, axioms allowed: {', '.join(allowed) or 'none'}")
    print("\n".join(faults) or "clean")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
