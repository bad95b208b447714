"""The lemmas that the checker cites are listed in FORMAT.md, section 7, and proved in README.md or LEMMAS.md."""

import re
from types import SimpleNamespace

from tests.check.build import ROOT, rule

IN_README = {"path-matching-suffices", "zero-set-of-a-nonzero-polynomial-is-null", "schwartz-zippel"}
FAMILIES = ("universality", "forms", "bounds", "matching_goals")  # sections 2, 9, 10 and 11
GOALS = [goal for family in FAMILIES for goal in rule(family).GOALS.values()]
# what a goal cites may depend on H and L, and no goal cites more at (1,1) than at larger sizes
CITED = {lemma for goal in GOALS for lemma in goal.cited(SimpleNamespace(H=2, L=2))}


def text(name: str) -> str:
    return (ROOT / "proofs" / name).read_text(encoding="utf-8")


def test_every_cited_lemma_is_listed() -> None:
    section = text("FORMAT.md").split("## 7. ")[1].split("\n## ")[0]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", section, flags=re.MULTILINE)) >= CITED


def test_every_cited_lemma_is_proved_under_its_own_heading() -> None:
    proved = set(re.findall(r"^## `([a-z-]+)`$", text("LEMMAS.md"), flags=re.MULTILINE))
    assert IN_README | proved == CITED | IN_README
    assert "## `path-matching-suffices`" in text("README.md")


def test_nothing_is_cited_at_the_smallest_size_that_is_not_cited_beyond() -> None:
    for goal in GOALS:
        assert set(goal.cited(SimpleNamespace(H=1, L=1))) <= set(goal.cited(SimpleNamespace(H=2, L=2)))
