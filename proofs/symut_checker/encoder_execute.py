"""The values of an encoder on one sequence of tokens (FORMAT.md, sections 13.2 and 13.3).

A coordinate of a row is computed when it is first read.  Every operation but `reciprocal`, `root` and `table` has a
value whatever it acts on; `defined` computes those three on all rows.
"""

from __future__ import annotations

from typing import NamedTuple

from .encoder_gates import SOURCES
from .encoder_layers import Head, Table
from .encoder_read import Encoder
from .encoder_ring import ONE, Element, Number, Ring
from .encoder_scope import Form
from .encoder_signs import Facts, by_terms
from .encoder_stream import Stream
from .encoder_work import need_bits
from .rasp_signs import Signs
from .strict import need


class Candidate(NamedTuple):
    key: int | None  # a row, None for the guard
    weight: int  # how many tokens it stands for
    score: Number  # without its products


class Run:
    def __init__(self, encoder: Encoder, ring: Ring, facts: Facts, stream: Stream) -> None:
        self.encoder, self.ring, self.facts, self.stream = encoder, ring, facts, stream
        self.values: dict[tuple[int, int], Element] = {}
        self.chosen: dict[tuple[tuple[int, int], int], list[Candidate] | None] = {}

    def defined(self) -> None:
        """No reciprocal is one of 0, no root one of a negative number, and every table has the row looked up."""
        partial, tables = self.encoder.partial, self.encoder.tables
        self.ring.work.spend(self.stream.rows * (1 + len(partial) + len(tables)))
        for row in range(self.stream.rows):
            for c in partial:
                self.value(row, c)
            for table in tables:
                self.found(row, table)

    def answer(self, row: int) -> Element:
        return self.form(row, self.encoder.readout)

    def equal(self, a: Element, b: Element) -> bool:
        return self.signs(self.ring.minus(a, b)) == {0}

    def signs(self, P: Element) -> Signs:
        """The signs that a value can have."""
        signs = by_terms(P)
        return signs if len(signs) == 1 else self.facts(P)

    # ---- rows

    def value(self, row: int, c: int) -> Element:
        if (row, c) not in self.values:
            source = self.encoder.coordinates[c]
            value = SOURCES[source.kind](self, row, c, source.data)
            self.ring.keep(1 + len(value))
            self.values[row, c] = value
        return self.values[row, c]

    def form(self, row: int, form: Form) -> Element:
        if len(form) == 1 and form[0][1] == 1:
            return self.value(row, form[0][0])
        return self.ring.combination([(factor, self.value(row, c)) for c, factor in form])

    def class_of(self, row: int, g: int) -> int:
        source = self.encoder.classes[g]
        if source.kind == "table":
            table, classes = source.data
            return classes[self.found(row, table)]
        return source.data[self.stream.place(row, source.kind)]

    def found(self, row: int, table: Table) -> int:
        """The row of a table."""
        values = [self.form(row, form) for form in table.forms]
        need(all(value.keys() <= {ONE} for value in values), "a table of a value that is no rational number")
        self.ring.work.spend(1 + len(values))
        numbers = tuple(value.get(ONE, 0) for value in values)
        need(numbers in table.rows, f"a table without a row for {', '.join(map(str, numbers)):.60}")
        return table.rows[numbers]

    # ---- heads

    def candidates(self, row: int, head: Head) -> list[Candidate]:
        """The keys that are not hidden, in increasing order, and the guard."""
        self.ring.work.spend((1 + self.stream.rows) * (1 + len(head.classes)))
        found = []
        for key, weight, preferred in self.stream.keys(row, head):
            score: Number = 0 if preferred else -1
            for g, other, weights in head.classes:
                score += weights[self.class_of(row, g)][self.class_of(key, other)]
                need_bits(score.numerator, score.denominator)
            found.append(Candidate(key, weight, score))
        if head.hidden is None or not found:
            found.append(Candidate(None, 1, head.guard))
        return found

    def score(self, row: int, head: Head, candidate: Candidate) -> Element:
        base = self.ring.constant(candidate.score)
        if candidate.key is None:
            return base
        queries = (self.form(row, form) for form, _ in head.bilinear)
        keys = (self.form(candidate.key, form) for _, form in head.bilinear)
        return self.ring.combination([(1, base), (1, self.ring.dot(queries, keys))])

    def best(self, row: int, head: Head) -> list[Candidate] | None:
        """The candidates with the largest score, None if they are not determined."""
        if (head.place, row) not in self.chosen:
            found = self.compared(row, head) if head.bilinear else largest(self.candidates(row, head))
            self.ring.keep(1 + len(found or []))
            self.chosen[head.place, row] = found
        return self.chosen[head.place, row]

    def compared(self, row: int, head: Head) -> list[Candidate] | None:
        first, *others = self.candidates(row, head)
        best, top = [first], self.score(row, head, first)
        for candidate in others:
            score = self.score(row, head, candidate)
            signs = self.signs(self.ring.minus(score, top))
            if len(signs) != 1:
                return None
            if signs == {1}:
                best, top = [], score
            best += [candidate] * (signs != {-1})
        return best

    def at(self, candidate: Candidate, form: Form, default: Number) -> Element:
        """What a candidate counts with."""
        return self.ring.constant(default) if candidate.key is None else self.form(candidate.key, form)


def largest(candidates: list[Candidate]) -> list[Candidate]:
    top = max(candidate.score for candidate in candidates)
    return [candidate for candidate in candidates if candidate.score == top]
