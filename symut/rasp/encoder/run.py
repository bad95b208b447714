"""The exact evaluator: an encoder's own weights on one input, over the rationals.

Main definition: `run`.
"""

from __future__ import annotations

from fractions import Fraction

from symut.errors import InternalError, shown
from symut.rasp.arithmetic import EXACT, Value, division_by_zero, kind, normal
from symut.rasp.encoder.model import GUARD, ONE, Check, Encoder, Form, Gate, Head, Number, Table
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
                row[encoder.number] = checked_number(encoder, tokens[position])
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
    for position, token in enumerate(tokens):
        letter = places.get((kind(token) == "boolean", token))
        if letter is None:
            raise RaspError(
                f"the token at position {position} is not in the alphabet",
                expected=", ".join(shown(letter) for letter in encoder.alphabet[:12]),
                got=shown(token),
                remedy="compile for an alphabet that has it",
            )
        if letter in encoder.refused_letters:
            raise RaspError(f"{encoder.refused_letters[letter]} at position {position}", got=shown(token))
    return [places[kind(token) == "boolean", token] for token in tokens]


def checked_number(encoder: Encoder, token: Value) -> Number:
    """A token as the number that all token sequences of the program read in it; raises RaspError if there is none."""
    if isinstance(token, str) and "asis" in encoder.readers:
        raise RaspError("a token is no number", expected="a number", got=shown(token))
    number = READERS["float"](token)
    if "int" in encoder.readers and not isinstance(number, int):
        raise RaspError("a token is no integer", expected="an integer", got=shown(token))
    return number


def run(encoder: Encoder, given: str | list) -> list[Value]:
    """The encoder's answer on an input, a value per token.

    Raises RaspError for inputs that it does not take, and where a table, a reciprocal or a single value is not defined.
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
    found: dict[int, list[Number]] = {out: [] for out in values}
    for query, scores in enumerate(_scores(head, stream)):
        top = max(*scores, head.guard)
        best = [key for key, score in enumerate(scores) if score == top]
        count = len(best) + (head.guard == top)
        if count > 1 and head.moves:
            raise _several(head, query)
        for out, (column, default) in values.items():
            total = sum(column[key] for key in best) + (default if head.guard == top else 0)
            found[out].append(normal(Fraction(total) / count))
    return found


def _several(head: Head, query: int) -> RaspError:
    return RaspError(
        f"several values that are no numbers would be averaged at position {query}",
        at=head.at,
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
                    raise RaspError(f"the comparison is not defined at position {q}", at=head.at)
                line[k] += weights[query][key] * (1 if term.mask is None else int(term.mask[place, at]))
    return scores


def _apply(gate: Gate | Table, stream: Stream, encoder: Encoder) -> None:
    for position, (row, groups) in enumerate(zip(stream.rows, stream.groups, strict=True)):
        values = [value_of(form, row) for form in gate.inputs]
        if isinstance(gate, Gate):
            try:
                row[gate.output] = _KINDS[gate.kind](values, gate.weights)
            except ZeroDivisionError:
                error = division_by_zero()
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


def _power(base: Number, exponent: Number) -> Number:
    return EXACT["pow"](base, exponent)


_KINDS = {
    "relu": lambda values, weights: normal(sum(w * max(v, 0) for v, w in zip(values, weights, strict=True))),
    "product": lambda values, weights: normal(values[0] * values[1]),
    "reciprocal": lambda values, weights: normal(1 / Fraction(values[0])),
    "exp": lambda values, weights: normal(_power(weights[0], values[0])),
    "linear": lambda values, weights: values[0],
}


def _check(check: Check, stream: Stream) -> None:
    kinds = {value_of(check.form, row) in check.strings for row in stream.rows}
    if len(kinds) > 1:
        raise RaspError(
            "a sequence holds values of different kinds", at=check.at, expected="only strings or only numbers",
            remedy="give aggregate a default of the right kind (it is 0 if none is given)",
        )  # fmt: skip
