"""The words that the tables of one shape use, and what they mean.

Main definitions: `demand`, `starred`, `certified_note`, DEMANDS, GENERIC_TARGETS, HEAD_WIDTHS, STATUSES.
"""

from __future__ import annotations

from symut.tabulator.best import Band
from symut.tabulator.problem import ANY, MATCHED, OUTPUTS, SCORE_ONLY, SCORES, Problem
from symut.tabulator.rows import Row
from symut.tabulator.standing import INSTANCE_NOT_RUN, INVALID, NOT_CERTIFIED, NOT_RUN, PROVED

ALONE = "alone"
DEMANDS = {
    ANY: "the answers of the target for every attention function of Q and K",
    SCORE_ONLY: "the same for every attention function of the scores Q K^T",
    MATCHED: "scores and outputs agree with those of the target, path by path",
    ALONE: "attention alone: the scores agree path by path, the outputs need not",
    OUTPUTS: "the outputs agree, the scores need not",
}
"""What a backbone is asked for, by the word in the column `attention`."""
GENERIC_TARGETS = "targets whose value matrices in head 1 are invertible (for d = 1, all q and v nonzero)"
HEAD_WIDTHS = "head width of the backbone; free: any"
STATUSES = {
    PROVED: "check.py accepts an artifact of this size now",
    INSTANCE_NOT_RUN: "check.py accepts an artifact of another size now",
    NOT_RUN: "no artifact is at hand",
    INVALID: "check.py rejects the artifact",
    NOT_CERTIFIED: "check.py has no rule for it",
}
STAR = "*"
"""Marks what is not certified."""


def demand(problem: Problem) -> str:
    """The word for attention and matches together, a key of DEMANDS."""
    return {SCORES: ALONE, OUTPUTS: OUTPUTS}.get(problem.matches, problem.attention)


def starred(row: Row) -> str:
    """The row's id, with a star if no theorem of symut states it."""
    return row.id if row.is_certified else row.id + STAR


def certified_note(band: Band, certified: str) -> str:
    """What can be relied on where the best width is not certified; `certified` is the certified band as text."""
    problem = band.problem
    asked = f"{demand(problem)}, targets {problem.targets}, head {problem.head_width}"
    return f"{STAR} {band.width_id} is not certified. Certified for {asked}: {certified} ({band.certified_id})"
