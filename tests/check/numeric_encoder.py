"""Encoders of section 13 with numbers: the rows of the stream, as FORMAT.md defines them.

Numbers are fractions, exponentials and roots are the fractions nearest to floats, so equal scores are equal.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any


def value(x: Any) -> Fraction:
    return Fraction(*x["q"]) if isinstance(x, dict) else Fraction(x)


def power(x: Fraction) -> Fraction:
    return Fraction(math.exp(x))


def root(x: Fraction, exponent: Fraction) -> Fraction:
    """x to a power up to 1."""
    return x if exponent == 1 else Fraction(float(x) ** float(exponent))


class Stream:
    """The rows of one input: coordinates and classes by number."""

    def __init__(self, encoder: dict[str, Any], tokens: list[Any]) -> None:
        self.encoder, self.n = encoder, len(tokens)
        self.rows: list[dict[int, Fraction]] = [{0: Fraction(1)} for _ in tokens]
        self.classes: list[dict[int, int]] = [{} for _ in tokens]
        for i, token in enumerate(tokens):
            self.start(i, token)

    def start(self, i: int, token: Any) -> None:
        encoder, row = self.encoder, self.rows[i]
        letter = encoder["letters"].index(token) if encoder["letters"] is not None else None
        if encoder["number"] is not None:
            row[encoder["number"]] = Fraction(token)
        row |= {c: value(values[i]) for c, values in encoder["position"]}
        self.classes[i] |= {g: values[i] for g, values in encoder["position_class"]}
        if letter is not None:
            row |= {c: value(values[letter]) for c, values in encoder["token"]}
            self.classes[i] |= {g: values[letter] for g, values in encoder["token_class"]}

    def form(self, i: int, form: Any) -> Fraction:
        return sum((value(factor) * self.rows[i][c] for c, factor in form), Fraction(0))

    def score(self, q: int, k: int, head: Any) -> Fraction:
        total = Fraction(0 if head["mask"] is None or k in head["mask"][q] else -1)
        for queries, keys in head["bilinear"]:
            total += sum(self.form(q, a) * self.form(k, b) for a, b in zip(queries, keys, strict=True))
        for entry in head["classes"]:
            total += value(entry["weights"][self.classes[q][entry["query"]]][self.classes[k][entry["key"]]])
        return total

    def attend(self, head: Any) -> list[dict[int, Fraction]]:
        written: list[dict[int, Fraction]] = []
        for q in range(self.n):
            scores: dict[int | None, Fraction] = {
                k: self.score(q, k, head) for k in range(self.n) if head["hidden"] is None or k not in head["hidden"][q]
            }
            if head["hidden"] is None or not scores:
                scores[None] = value(head["guard"])
            best = [k for k, score in scores.items() if score == max(scores.values())]
            found = {}
            for form, c, default in head["values"]:
                found[c] = sum(value(default) if k is None else self.form(k, form) for k in best) / Fraction(len(best))
            written.append(found)
        return written

    def gate(self, i: int, gate: Any) -> tuple[dict[int, Fraction], dict[int, int]]:
        kind, *parts = gate
        if kind == "table":
            forms, rows, columns, classes = parts
            at = [[value(x) for x in row] for row in rows].index([self.form(i, form) for form in forms])
            return {c: value(v[at]) for c, v in columns}, {g: v[at] for g, v in classes}
        if kind == "relu":
            found = sum(
                (value(weight) * max(self.form(i, form), Fraction(0)) for form, weight in parts[0]), Fraction(0)
            )
        elif kind == "product":
            found = self.form(i, parts[0]) * self.form(i, parts[1])
        else:
            x = self.form(i, parts[0])
            found = {
                "linear": lambda: x,
                "reciprocal": lambda: 1 / x,
                "exp": lambda: power(x),
                "root": lambda: root(x, Fraction(*parts[1])),
            }[kind]()
        return {parts[-1]: found}, {}

    def run(self) -> list[Fraction]:
        for layer in self.encoder["layers"]:
            heads = [self.attend(head) for head in layer["heads"]]
            for written in heads:
                for row, found in zip(self.rows, written, strict=True):
                    row |= found
            for level in layer["levels"]:
                done = [[self.gate(i, gate) for gate in level] for i in range(self.n)]
                for i, results in enumerate(done):
                    for coordinates, classes in results:
                        self.rows[i] |= coordinates
                        self.classes[i] |= classes
        return [self.form(i, self.encoder["readout"]) for i in range(self.n)]


def answers(encoder: dict[str, Any], tokens: list[Any]) -> list[Fraction]:
    return Stream(encoder, tokens).run()
