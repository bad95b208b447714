"""Artifacts of Hölder functions that are refused: other exponents, roots of what may be negative, too large a bound."""

from __future__ import annotations

from typing import Any

from tests.check import encoders as good
from tests.check.build_simulator import one
from tests.check.corpus_simulator import Case
from tests.check.invalid_simulator import Edit, changed, gate, head, misread, nothing, put

NOT_BOUNDS, NEGATIVE, CLAIMS = "are not v_i", "is the root of a value that may be negative", "statement.claims"
TOKEN, X, DISTANCE, REACH = 1, 3, 4, 5


def valued(*terms: list[Any]) -> Edit:
    """What is ranked, with scores that fit."""
    value = [list(term) for term in terms]

    def edit(parts: Any) -> None:
        head(2, 0, "values", [[value, REACH + 1, 0]])(parts)
        head(2, 0, "bilinear", [[[[[0, -3]]], [value]]])(parts)

    return edit


def edits() -> dict[str, tuple[Edit, str]]:
    """Of the encoder on a line."""
    return {
        "of-another-exponent": (gate(1, 1, 2, [1, 3]), NOT_BOUNDS),
        "of-a-larger-exponent": (gate(1, 1, 2, [2, 3]), NOT_BOUNDS),
        "without-a-root": (valued([TOKEN, 1], [DISTANCE, 1]), NOT_BOUNDS),
        "of-a-smaller-constant": (valued([TOKEN, 2], [REACH, 1]), NOT_BOUNDS),
        "of-twice-the-distance": (gate(1, 1, 1, [[DISTANCE, 2]]), NOT_BOUNDS),
        "of-a-shifted-distance": (gate(1, 1, 1, [[0, 1], [DISTANCE, 1]]), NEGATIVE),
        "root-of-x": (gate(1, 1, 1, one(X)), NEGATIVE),
        "root-of-a-token": (gate(1, 1, 1, one(TOKEN)), NEGATIVE),
        "root-of-minus-the-distance": (gate(1, 1, 1, [[DISTANCE, -1]]), NEGATIVE),
        "ranked-by-the-distance": (head(2, 0, "bilinear", [[[[[0, -3]]], [[[1, 1], [4, 1]]]]]), "do not rank"),
        "no-combination": (put("leaves", 0, [0, []]), "does not bound the distance"),
        "one-leaf": (lambda c: c.update(cases=[[]], leaves=[[0, []]]), "on which side"),
    }


def square() -> dict[str, tuple[Edit, str]]:
    """Of the encoder on a square, whose distance is a sum of two."""
    return {
        "square-weighted": (put("encoder", "layers", 1, "levels", 0, 0, 1, 0, 1, 2), NEGATIVE),
        "square-of-a-difference": (put("encoder", "layers", 1, "levels", 0, 0, 1, 0, 1, -1), NEGATIVE),
        "square-of-one-side": (lambda c: c["encoder"]["layers"][1]["levels"][0][0][1].pop(), NOT_BOUNDS),
        "square-bounded-on-one-side": (put("leaves", 0, [0, [[2, 3, 1]]]), "does not bound the distance"),
    }


def bounds() -> dict[str, Case]:
    line, plane, linear = (good.VALID[name] for name in ("hoelder", "hoelder-square", "lipschitz"))
    root = put("encoder", "layers", 0, "levels", 0, 0, ["root", one(1), [1, 2], 2])
    found = {f"hoelder-{name}": (changed(line, edit), why) for name, (edit, why) in edits().items()}
    found |= {f"hoelder-{name}": (changed(plane, edit), why) for name, (edit, why) in square().items()}
    return found | {
        "hoelder-claimed-with-another-exponent": (changed(line, nothing, down=3), NOT_BOUNDS),
        "hoelder-claimed-as-lipschitz": (changed(line, nothing, down=1), NOT_BOUNDS),
        "lipschitz-claimed-as-hoelder": (changed(linear, nothing, down=2), NOT_BOUNDS),
        "encoder-relu-by-a-root": (changed(good.VALID["relu"], root), NEGATIVE),
        "hoelder-claim-of-a-smaller-error": (said("2 (1/4)^(1/2)", "1 (1/4)^(1/2)"), CLAIMS),
        "hoelder-claim-of-the-error-of-a-lipschitz-function": (said("2 (1/4)^(1/2)", "1/2"), CLAIMS),
        "hoelder-claim-without-its-exponent": (said("|x - y|^(1/2)", "|x - y|"), CLAIMS),
    }


def said(old: str, new: str) -> Any:
    def edit(statement: Any, _: Any) -> None:
        (claim,) = statement["claims"]
        assert old in claim
        statement["claims"] = [claim.replace(old, new)]

    return misread(good.VALID["hoelder"], edit)


def malformed() -> dict[str, Case]:
    """Exponents of the task and of a gate that cannot be read."""
    sizes: dict[str, tuple[Any, str]] = {
        "exponent-above-1": (lambda s: s.update(up=3), "larger than 1"),
        "exponent-not-reduced": (lambda s: s.update(up=2, down=4), "lowest terms"),
        "exponent-zero": (lambda s: s.update(up=0), "outside 1..64"),
        "exponent-65": (lambda s: s.update(down=65), "outside 1..64"),
        "exponent-boolean": (lambda s: s.update(up=True), "expected integers"),
        "exponent-missing": (lambda s: s.pop("down"), "missing field down"),
    }
    gates: dict[str, tuple[Any, str]] = {
        "root-not-reduced": (gate(1, 1, 2, [2, 4]), "lowest terms"),
        "root-of-exponent-1": (gate(1, 1, 2, [1, 1]), "not below 1"),
        "root-of-exponent-0": (gate(1, 1, 2, [0, 1]), "outside 1..64"),
        "root-of-exponent-2": (gate(1, 1, 2, [2, 1]), "not below 1"),
        "root-of-order-65": (gate(1, 1, 2, [1, 65]), "outside 1..64"),
        "root-of-a-negative-exponent": (gate(1, 1, 2, [-1, 2]), "outside 1..64"),
        "root-exponent-boolean": (gate(1, 1, 2, [True, 2]), "expected integers"),
        "root-exponent-fraction": (gate(1, 1, 2, {"q": [1, 2]}), "expected a list"),
        "root-exponent-short": (gate(1, 1, 2, [1]), "1 entries, expected 2"),
        "root-without-an-exponent": (gate_of(["root", one(DISTANCE), REACH]), "3 entries, expected 4"),
        "root-form": (gate(1, 1, 1, [[REACH, 1]]), "is read before it is written"),
    }
    base = good.VALID["hoelder"]
    of_sizes = {
        name: (misread(base, lambda s, _, e=edit: e(s["parameters"]["sizes"])), why)
        for name, (edit, why) in sizes.items()
    }
    return of_sizes | {name: (misread(base, lambda _, c, e=edit: e(c)), why) for name, (edit, why) in gates.items()}


def gate_of(new: Any) -> Edit:
    return put("encoder", "layers", 1, "levels", 1, 0, new)
