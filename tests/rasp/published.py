"""What the two example files of RASP's reference implementation define, and what their programs give.

`python -m tests.rasp.published FOLDER` runs the files rasplib.rasp and paper_examples.rasp of a checkout of
https://github.com/tech-srl/RASP (its RASP_support folder and its root), which are not part of this repository, and
compares every program with plain Python. A test does the same with programs of the same names written for it.

Main definitions: `LIBRARY`, `PAPER`, `differences`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from symut.rasp import evaluate, load_program
from symut.rasp.program import Program
from tests.rasp import references
from tests.rasp.references import dyck

Reference = Callable[[str], list]
MARK = "§"
PLAIN = ("hello", "a", "abba", "mississippi")
MARKED = tuple(MARK + word for word in PLAIN)
ONE = ("(()())", "())(", ")", "((()))()")
TWO = (*ONE, "(){}", "({)}", "{(){}}", "{}}{")
THREE = (*TWO, "([)]", "{[()]}()", "[]{}([", "((])")


def _matrix(chosen: Callable[[str, int, int], bool]) -> Reference:
    return lambda w: [[chosen(w, k, q) for k in range(len(w))] for q in range(len(w))]


def _next(w: str, k: int, q: int) -> bool:
    return k == w.find(w[q], q + 1)


LIBRARY: dict[str, Reference] = {
    "selector_width(select(tokens, tokens, ==))": references.hist,
    "selector_width(select(indices, indices, <))": lambda w: list(range(len(w))),
    "selector_width(full_s)": references.length,
    "has_focus(select(indices, indices, <))": lambda w: [i > 0 for i in range(len(w))],
    'count(tokens, "l")': lambda w: [w.count("l")] * len(w),
    'contains(tokens, "l")': lambda w: ["l" in w] * len(w),
    "max(indices, 2)": lambda w: [max(i, 2) for i in range(len(w))],
    "min(indices, 2)": lambda w: [min(i, 2) for i in range(len(w))],
    "load_from_location(tokens, 0 * indices)": lambda w: [w[0]] * len(w),
    'shift(tokens, 1, "-")': lambda w: ["-", *w[:-1]],
    'mark_last_instance(tokens, "a")': lambda w: [i == w.rfind("a") for i in range(len(w))],
    'select_from_last(tokens, "a")': _matrix(lambda w, k, q: k == w.rfind("a")),
    "sort(tokens, tokens)": sorted,
    "sort(tokens, -indices)": lambda w: list(w[::-1]),
    "select_next_identical(tokens)": _matrix(_next),
}
"""By expression, on PLAIN. (`mark_first_instance` there marks the last instance, and `average` reads no argument.)"""


def _marked(reference: Reference, first: object = None) -> Reference:
    """On inputs that begin with a mark, whose own value is `first` (None: whatever it is)."""
    return lambda w: [first, *reference(w[1:])]


PAPER: dict[str, tuple[tuple[str, ...], Reference]] = {
    "hist_nobos": (PLAIN, references.hist),
    "reverse": (PLAIN, references.reverse),
    "hist_bos": (MARKED, _marked(references.hist)),
    "sort_bos": (MARKED, _marked(sorted, MARK)),
    "hist2_bos": (MARKED, _marked(references.hist2)),
    "sort_by_most_freq": (MARKED, _marked(references.most_freq, MARK)),
    "dyck1_ptf": (ONE, lambda w: dyck(w, ["()"])),
    "dyck2_ptf": (TWO, lambda w: dyck(w, ["()", "{}"])),
    "dyck3_ptf": (THREE, lambda w: dyck(w, ["()", "{}", "[]"])),
}
"""By name: inputs, and the values on them. (The Dyck programs there are about their own brackets only.)"""


def differences(library: Path, paper: Path) -> Iterator[str]:
    """One line per program and input whose values are not the published ones."""
    program = load_program(library)
    for text, reference in LIBRARY.items():
        yield from _compared(program, text, PLAIN, reference)
    program = load_program(paper)
    for name, (words, reference) in PAPER.items():
        yield from _compared(program, name, words, reference)


def _compared(program: Program, text: str, words: tuple[str, ...], reference: Reference) -> Iterator[str]:
    node = program.node(text)
    for word in words:
        found, wanted = evaluate(node, word), reference(word)
        if any(value not in (None, own) for own, value in zip(found, wanted, strict=True)):
            yield f"{text} on {word}: {found}, published {wanted}"


def main(folder: str) -> int:
    """Exit code 0 if every program of a checkout gives the published values."""
    root = Path(folder)
    found = list(differences(root / "RASP_support" / "rasplib.rasp", root / "paper_examples.rasp"))
    print("\n".join(found) or f"{len(LIBRARY) + len(PAPER)} programs give the published values")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
