"""The exact evaluator: an encoder's own weights on one input, over the rationals.

Main definition: `run`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from symut.errors import InternalError, shown
from symut.rasp.arithmetic import EXACT, Value, division_by_zero, kind, normal
from symut.rasp.encoder.model import GUARD, ONE, Border, Check, Encoder, Form, Gate, Head, Number, Table
from symut.rasp.errors import RaspError
from symut.rasp.inputs import READERS, tokens_of

Row = dict[int, Number]


class Stream:
    """The token rows of one input: numbers per coordinate, and the index of the one in each group."""

    def __init__(self, encoder: Encoder, tokens: list[Value]) -> None:
        self.rows: list[Row] = []
        self.groups: list[dict[int, int]] = []
        letters = checked_letters(encoder, tokens)
        for position, letter in enumerate(letters):
            row: Row = {ONE: 1}
            row.update((c, column[position]) for c, column in encoder.position_columns.items())
            groups = {g: column[position] for g, column in encoder.position_classes.items()}
            if encoder.alphabet is not None:
                row.update((c, column[letter]) for c, column in encoder.token_columns.items())
                groups.update((g, column[letter]) for g, column in encoder.token_classes.items())
            elif encoder.number is not None:
                row[encoder.number] = checked_number(encoder, tokens[position], position)
            self.rows.append(row)
            self.groups.append(groups)


def checked_letters(encoder: Encoder, tokens: list[Value]) -> list[int]:
    """The index of every token in the alphabet (0 for numbers); raises RaspError for inputs that do not fit."""
    if len(tokens) > encoder.n:
        raise RaspError(
            "the input is too long", expected=f"at most {encoder.n} tokens", got=str(len(tokens)),
            remedy="compile for a larger --n",
        )  # fmt: skip
    if encoder.alphabet is None:
        return [0] * len(tokens)
    places = {(kind(letter) == "boolean", letter): index for index, letter in enumerate(encoder.alphabet)}
    found = [places.get((kind(token) == "boolean", token)) for token in tokens]
    if None in found:
        rounded = _as_floats(encoder.alphabet)
        found = [rounded.get(token) if place is None else place for token, place in zip(tokens, found, strict=True)]
    for position, (token, letter) in enumerate(zip(tokens, found, strict=True)):
        if letter is None:
            raise RaspError(
                f"the token at position {position} is not in the alphabet",
                expected=", ".join(shown(letter) for letter in encoder.alphabet[:12]),
                got=shown(token),
                remedy="compile for an alphabet that has it",
            )
        if letter in encoder.refused_letters:
            error = encoder.refused_letters[letter]
            raise RaspError(
                f"{error.what} at position {position}", at=error.at, got=shown(token),
                remedy=error.remedy or "compile for an alphabet without it",
            )  # fmt: skip
    return found  # type: ignore[return-value]  # None has been refused


def _as_floats(alphabet: Sequence[Value]) -> dict[Value, int]:
    """The letter that a float stands for, such as 1/10 for the float nearest to it."""
    letters = {index: letter for index, letter in enumerate(alphabet) if isinstance(letter, Fraction)}
    return {Fraction(float(letter)): index for index, letter in letters.items() if abs(letter) < 2**1000}


def checked_number(encoder: Encoder, token: Value, position: int) -> Number:
    """A token as the number that all token sequences of the program read in it; raises RaspError if there is none."""
    if token is None or (isinstance(token, str) and "asis" in encoder.readers):
        raise _unread(f"the token at position {position} is no number", "a number", token)
    number = READERS["int" if isinstance(token, str) and "int" in encoder.readers else "float"](token)
    if "int" in encoder.readers and not isinstance(number, int):
        raise _unread(f"the token at position {position} is no integer", "an integer", token)
    return number


def _unread(what: str, expected: str, token: Value) -> RaspError:
    remedy = "give numbers that the program reads, or compile for an alphabet that has the token"
    return RaspError(what, expected=expected, got=shown(token), remedy=remedy)


def run(encoder: Encoder, given: str | list) -> list[Value]:
    """The encoder's answer on an input, a value per token.

    Raises RaspError for inputs that it does not take, and where a table, a reciprocal, a root or a value is undefined.
    """
    stream = Stream(encoder, tokens_of(given))
    for layer in encoder.layers:
        outputs = [_attend(head, stream) for head in layer.heads]
        for columns in outputs:
            _write(stream, columns)
        for level in layer.levels:
            for gate in level:
                _apply(gate, stream, encoder)
    for check in encoder.checks:
        _check(check, stream)
    found = [value_of(encoder.readout, row) for row in stream.rows]
    return [found_value(encoder, number) for number in found]


def found_value(encoder: Encoder, number: Number) -> Value:
    """The value that a number in the read-out stands for."""
    if encoder.codes is None:
        return normal(number)
    if number not in encoder.codes:
        raise InternalError("an encoder left the range of its answer", got=shown(number))
    return encoder.codes[number]


def value_of(form: Form, row: Row) -> Number:
    """A linear form of one row."""
    return normal(sum(weight * row[c] for c, weight in form.items() if c in row))


def _write(stream: Stream, columns: dict[int, list[Number]]) -> None:
    for coordinate, values in columns.items():
        for row, value in zip(stream.rows, values, strict=True):
            row[coordinate] = value


def _attend(head: Head, stream: Stream) -> dict[int, list[Number]]:
    """The means of the values of the best keys, per output coordinate and query."""
    guard: Row = {GUARD: 1}
    values = {out: ([value_of(form, row) for row in stream.rows], form.get(GUARD, 0)) for form, out in head.values}
    assert all(value_of(form, guard) == form.get(GUARD, 0) for form, _ in head.values)
    if head.sources is not None:
        keys = [key if key < len(stream.rows) else -1 for key in head.sources[: len(stream.rows)].tolist()]
        return {out: [column[k] if k >= 0 else default for k in keys] for out, (column, default) in values.items()}
    found: dict[int, list[Number]] = {out: [] for out in values}
    for query, scores in enumerate(_scores(head, stream)):
        best, with_guard = _best(head, query, scores)
        count = len(best) + with_guard
        for out, border in head.moves.items():
            if count > 1 and any(values[out][0][key] >= border.others for key in best):
                raise _several(border, query)
        for out, (column, default) in values.items():
            total = sum(column[key] for key in best) + (default if with_guard else 0)
            found[out].append(normal(Fraction(total) / count))
    return found


def _best(head: Head, query: int, scores: list[Number]) -> tuple[list[int], bool]:
    """The keys that a query averages, and whether the guard is one of them."""
    if head.hidden is None:
        candidates, guard = list(range(len(scores))), True
    else:
        candidates = [key for key, hidden in enumerate(head.hidden[query, : len(scores)].tolist()) if not hidden]
        guard = not candidates
    top = max([scores[key] for key in candidates] + [head.guard] * guard)
    return [key for key in candidates if scores[key] == top], guard and head.guard == top


def _several(border: Border, query: int) -> RaspError:
    return RaspError(
        f"several values that are no numbers would be averaged at position {query}",
        at=border.at,
        expected="numbers, or a selector that selects one key per query",
        remedy="average indicator(...) instead",
    )


def _scores(head: Head, stream: Stream) -> list[list[Number]]:
    """Queries x keys, without the guard."""
    m = len(stream.rows)
    scores: list[list[Number]] = [[0] * m for _ in range(m)]
    if head.mask is not None:
        scores = [[-int(not on) for on in line[:m]] for line in head.mask[:m].tolist()]
    for term in head.bilinear:
        queries = [[value_of(form, row) for form in term.queries] for row in stream.rows]
        keys = [[value_of(form, row) for form in term.keys] for row in stream.rows]
        for line, query in zip(scores, queries, strict=True):
            for k, key in enumerate(keys):
                line[k] += sum(a * b for a, b in zip(query, key, strict=True))
    for term in head.classes:
        weights = term.weights.tolist()
        joint = term.mask is not None
        for q, line in enumerate(scores):
            place, query = (
                divmod(stream.groups[q][term.query], len(weights)) if joint else (0, stream.groups[q][term.query])
            )
            for k in range(m):
                at, key = (
                    divmod(stream.groups[k][term.key], len(weights[0])) if joint else (0, stream.groups[k][term.key])
                )
                if term.refused is not None and term.refused[query, key]:
                    raise RaspError(
                        f"the comparison is not defined at position {q}",
                        at=head.at,
                        expected="two numbers or two strings",
                        remedy="read all tokens as one kind, for example by tokens_str",
                    )
                line[k] += weights[query][key] * (1 if term.mask is None else int(term.mask[place, at]))
    return scores


def _apply(gate: Gate | Table, stream: Stream, encoder: Encoder) -> None:
    for position, (row, groups) in enumerate(zip(stream.rows, stream.groups, strict=True)):
        values = [value_of(form, row) for form in gate.inputs]
        if isinstance(gate, Gate):
            try:
                row[gate.output] = _KINDS[gate.kind](values, gate.weights)
            except (ZeroDivisionError, RaspError) as problem:
                error = problem if isinstance(problem, RaspError) else division_by_zero()
                error.what += f" at position {position}"
                raise error.placed(gate.at) from None
            continue
        at = gate.index.get(tuple(values))
        if at is None:
            raise RaspError(f"{gate.refused} at position {position}", at=gate.at)
        row.update((coordinate, column[at]) for coordinate, column in gate.columns.items())
        for group, classes in gate.classes.items():
            sizes = encoder.groups[group]
            groups[group] = classes[at] + (position * sizes.classes if sizes.positions > 1 else 0)


def _power(weights: tuple[Number, ...], exponent: Number) -> Number:
    return EXACT["pow"](weights[0], exponent) if weights else EXACT["exp"](exponent)


_KINDS = {
    "relu": lambda values, weights: normal(sum(w * max(v, 0) for v, w in zip(values, weights, strict=True))),
    "product": lambda values, weights: normal(values[0] * values[1]),
    "reciprocal": lambda values, weights: normal(1 / Fraction(values[0])),
    "exp": lambda values, weights: normal(_power(weights, values[0])),
    "root": lambda values, weights: normal(EXACT["root"](values[0], weights[0])),
    "linear": lambda values, weights: values[0],
}


def _check(check: Check, stream: Stream) -> None:
    kinds = {value_of(check.form, row) in check.strings for row in stream.rows}
    if len(kinds) > 1:
        raise RaspError(
            "a sequence holds values of different kinds", at=check.at, expected="only strings or only numbers",
            remedy="give aggregate a default of the right kind (it is 0 if none is given)",
        )  # fmt: skip
