"""The Coq text of one instance: the general theorems of proofs/coq at the numbers of a statement.

Main definitions: `Instance`, `instance_of`.
Main result: instance.v is a function of statement.json alone, so that a check writes it again and compares every byte.
Widths and degrees are those of the claims; in instance.v the kernel computes them once more.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from symut.kernel.counterparts import Counterpart, key_of, require_counterpart
from symut.kernel.numbers import numbers_of
from symut.statement import Statement

FOLD = 96
QUESTION = re.compile(r"^Print Assumptions (\w+)\.$", re.MULTILINE)


@dataclass(frozen=True)
class Instance:
    """The text of instance.v, the counterpart that it applies, and what of the claims is `missing` from it, in words.

    `lemmas` are those that check.py cites and the kernel proves or does without.
    """

    text: str
    counterpart: Counterpart
    missing: tuple[str, ...]
    lemmas: frozenset[str]

    @property
    def theorems(self) -> list[str]:
        """The theorems whose assumptions the kernel prints, in that order."""
        return QUESTION.findall(self.text)


def instance_of(statement: Statement) -> Instance:
    """instance.v of a statement; raises UsageError if its goal has no counterpart or a size is out of range."""
    found = require_counterpart(statement)
    missing = tuple(found.missing(statement))
    text = (
        _environment()
        .get_template(f"{key_of(statement)}.v.j2")
        .render(
            title=f"{key_of(statement)} at the sizes of one statement.",
            sha256=statement.sha256,
            claims=_listed([f"{number}. {claim}" for number, claim in enumerate(statement.claims, 1)]),
            applied=lambda body: _listed([", ".join(_applied(found.theorems, body)) + "."]),
            missing=_listed(missing),
            measure=found.measure,
            **numbers_of(statement),
        )
    )
    return Instance(text, found, missing, found.lemmas - found.cited(statement))


def _applied(theorems: Sequence[str], body: str) -> list[str]:
    """Those of the theorems, FILE.NAME, whose name stands in the body of an instance."""
    return [name for name in theorems if re.search(rf"\b{name.partition('.')[2]}\b", body)]


def _listed(sentences: Sequence[str]) -> str:
    """Sentences for a comment, folded; none of them may end it or open a string."""
    safe = [sentence.replace("*)", "* )").replace("(*", "( *").replace('"', "'") for sentence in sentences]
    wrapper = textwrap.TextWrapper(FOLD, break_long_words=False, break_on_hyphens=False)
    wrapper.initial_indent = wrapper.subsequent_indent = "     "
    return "\n".join(wrapper.fill(sentence) for sentence in safe)


def _environment() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("symut.kernel"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
