"""Small encoders for every task of section 13, built by hand."""

from __future__ import annotations

from typing import Any

from tests.check.build import Artifact
from tests.check.build_rasp import split
from tests.check.build_simulator import Draft, one, stated
from tests.check.encoders_of_functions import hoelder, hoelder_square, lipschitz

HALF = {"q": [1, 2]}
MINUS_HALF = {"q": [-1, 2]}


def transpose() -> Artifact:
    draft = Draft(4)
    draft.layer()
    moved = draft.head(one(draft.token), mask=[[0], [2], [1], [3]])
    return stated("transpose", {"r": 2, "c": 2}, draft.encoder(one(moved)))


def matmul() -> Artifact:
    """(1 x 2) times (2 x 1), with a token to spare."""
    draft = Draft(5)
    draft.layer()
    a, b, c, d = (draft.copy(i) for i in range(4))
    first, second = draft.gate("product", one(a), one(c)), draft.gate("product", one(b), one(d), beside=True)
    return stated("matmul", {"r": 1, "k": 2, "c": 1}, draft.encoder([[first, 1], [second, 1]]))


def determinant() -> Artifact:
    draft = Draft(4)
    draft.layer()
    a, b, c, d = (draft.copy(i) for i in range(4))
    first, second = draft.times(a, d), draft.times(b, c)
    whole = draft.gate("linear", [[first, 1], [second, -1]])
    return stated("determinant", {"order": 2}, draft.encoder(one(whole)))


def inverse() -> Artifact:
    """1 / x, and a flag: the mean of one number 1, or of 1 and 0."""
    draft = Draft(2)
    first, last = draft.held("position", [1, 0]), draft.held("position", [0, 1])
    draft.layer()
    x = draft.copy(0)
    square = draft.times(x, x, first)
    draft.layer()
    flag = draft.head(one(first), bilinear=[[[one(0)], [one(square)]]], hidden=[[], []])
    quotient = draft.times(first, draft.gate("reciprocal", [[0, 2], [x, 1], [flag, -2]]))
    shown = draft.gate("product", one(last), [[0, -1], [flag, 2]])
    return stated("inverse", {"order": 1}, draft.encoder([[quotient, 1], [shown, 1]]))


def relu() -> Artifact:
    """From two units, without attention."""
    draft = Draft(2)
    out = draft.gate("relu", [[[[draft.token, 4]], HALF], [one(draft.token), -1]])
    return stated("relu", {"n": 2}, draft.encoder(one(out)))


def softmax(largest: bool = True) -> Artifact:
    """One row of two; with `largest`, the maximum (whatever it is) is subtracted first."""
    draft = Draft(3)
    draft.layer()
    x = draft.token
    heads = [draft.copy(0), draft.copy(1), draft.head(one(x), bilinear=[[[one(0)], [one(x)]]], hidden=[[2]] * 3)]
    shift = [[heads[2], -1]] if largest else []
    powers = [draft.gate("exp", sorted([[c, 1], *shift]), beside=i > 0) for i, c in enumerate([x, *heads[:2]])]
    total = draft.gate("reciprocal", [[powers[1], 1], [powers[2], 1]])
    return stated("softmax", {"r": 1, "c": 2}, draft.encoder(one(draft.times(powers[0], total))))


def attended(draft: Draft, b: int, q: int, k: int, x: int, keys: list[int], counted: list[int]) -> int:
    """sum_j w_j x_j for the softmax w of b x q k x_j; `counted` coordinates are factors of the weights, or 0 for 1."""
    scores = [draft.times(b, q, k, x, key) for key in keys]
    powers = [draft.times(draft.gate("exp", one(s)), *filter(None, [c])) for s, c in zip(scores, counted, strict=True)]
    whole = draft.gate("reciprocal", [[power, 1] for power in powers])
    parts = [draft.times(power, key) for power, key in zip(powers, keys, strict=True)]
    return draft.times(draft.gate("linear", [[part, 1] for part in parts]), whole)


def attention(f: int = 0) -> Artifact:
    """Two numbers attend; with f = 1 a feed-forward layer of one unit follows."""
    draft = Draft(6 + 4 * f)
    draft.layer()
    q, k, v, b, x0, x1, *rest = (draft.copy(i) for i in range(draft.tokens))
    own = draft.head(one(draft.token), mask=[[4], [5]] + [[]] * (draft.tokens - 2))
    out = draft.times(attended(draft, b, q, k, own, [x0, x1], [0, 0]), v)
    if f:
        inner = draft.gate("relu", [[sorted([[draft.times(out, rest[0]), 1], [rest[1], 1]]), 1]])
        out = draft.gate("linear", sorted([[draft.times(inner, rest[2]), 1], [rest[3], 1]]))
    return stated("attention", {"n": 2, "d": 1, "k": 1, "f": f}, draft.encoder(one(out)))


def multihead() -> Artifact:
    """Two heads on two numbers."""
    draft = Draft(11)
    draft.layer()
    tokens = [draft.copy(i) for i in range(11)]
    b, x0, x1 = tokens[8:]
    own = draft.head(one(draft.token), mask=[[9], [10]] + [[]] * 9)
    parts = []
    for h in range(2):
        q, k, v = tokens[3 * h : 3 * h + 3]
        parts.append(draft.times(attended(draft, b, q, k, own, [x0, x1], [0, 0]), v, tokens[6 + h]))
    return stated("multihead", {"n": 2, "d": 1, "k": 1, "H": 2}, draft.encoder([[part, 1] for part in parts]))


def head_step() -> Artifact:
    draft = Draft(9)
    draft.layer()
    q, k, v, o, b, x0, x1 = (draft.copy(i) for i in range(7))
    own, y = (draft.head(one(draft.token), mask=[[i], [i + 1]] + [[]] * 7) for i in (5, 7))
    out = draft.times(attended(draft, b, q, k, own, [x0, x1], [0, 0]), v, o)
    return stated("head_step", {"n": 2, "d": 1, "k": 1}, draft.encoder(sorted([[y, 1], [out, 1]])))


def hierarchy() -> Artifact:
    """One or two numbers: the second one counts n - 1 times."""
    draft = Draft(7)
    draft.layer()
    q, k, v, b, n, x0, x1 = (draft.copy(i) for i in range(7))
    own = draft.head(one(draft.token), mask=[[5], [6]] + [[]] * 5)
    second = draft.gate("linear", [[0, -1], [n, 1]])
    out = draft.times(attended(draft, b, q, k, own, [x0, x1], [0, second]), v)
    return stated("hierarchy", {"N": 2, "d": 1, "k": 1}, draft.encoder(one(out)))


PAIRS = [
    split([1, -1, 0, 0, 0], {"-": [], "0": [], "+": []}),
    split([0, 0, 2, -2, 0], {"-": [], "0": [], "+": []}),
]


def maxmin(trees: Any = None) -> Artifact:
    """Two groups of two: the query ranks by x or by -x."""
    draft = Draft(4)
    direction = draft.held("position", [1, -1, 1, -1])
    draft.layer()
    hidden = [[2, 3], [2, 3], [0, 1], [0, 1]]
    out = draft.head(one(draft.token), bilinear=[[[one(direction)], [one(draft.token)]]], hidden=hidden)
    encoder = draft.encoder(one(out))
    return stated("maxmin", {"groups": 2, "size": 2}, encoder, cases=PAIRS if trees is None else trees)


def parity() -> Artifact:
    """The share of letter 3 among two tokens, looked up."""
    draft = Draft(3, [0, 1, 2, 3])
    three = draft.held("token", [0, 0, 0, 1])
    draft.layer()
    share = draft.head(one(three))
    c = draft.new()
    draft.level().append(["table", [one(share)], [[0], [HALF], [1]], [[c, [0, 1, 0]]], []])
    return stated("parity", {"k": 1, "n": 2}, draft.encoder(one(c)))


def grouped_parity() -> Artifact:
    """The same by classes: a table writes the class of a token, a head adds the weights of both classes."""
    draft = Draft(2, [3, 2, 1, 0])
    kind = draft.group("token_class", 2, [1, 0, 0, 0])
    three = draft.held("token", [1, 0, 0, 0])
    draft.groups.append(3)
    draft.level().append(["table", [one(three)], [[0], [1]], [], [[1, [0, 2]]]])
    draft.layer()
    seen = {"query": 1, "key": kind, "weights": [[0, 1], [0, 0], [0, 1]]}
    out = draft.head([], 1, classes=[seen], guard=HALF)
    return stated("parity", {"k": 1, "n": 2}, draft.encoder([[0, 1], [out, -1]]))


def match2(self: int = 0) -> Artifact:
    """Three letters by classes; without `self` the query itself scores 1 less."""
    draft = Draft(4, [0, 1, 2])
    letter = draft.group("token_class", 3, [0, 1, 2])
    draft.layer()
    weights = [[int((a + b) % 3 == 0) for b in range(3)] for a in range(3)]
    mask = None if self else [[k for k in range(4) if k != q] for q in range(4)]
    found = draft.head(one(0), mask=mask, guard=HALF, classes=[{"query": letter, "key": letter, "weights": weights}])
    return stated("match2", {"p": 3, "n": 3, "self": self}, draft.encoder(one(found)))


def matches_by_numbers() -> Artifact:
    """p = 1: whether there is another token, by products and a head that prefers the query itself."""
    draft = Draft(2, [0])
    one_each = draft.held("token", [1])
    draft.layer()
    score = [[[one(one_each), [[0, 3]]], [one(one_each), one(0)]]]
    mine = draft.head(one(0), mask=[[0], [1]], bilinear=score, guard=HALF)
    out = draft.gate("relu", [[[[0, -1], [mine, 2]], 1]])
    return stated("match2", {"p": 1, "n": 2, "self": 0}, draft.encoder(one(out)))


VALID = {
    "transpose": transpose(),
    "matmul": matmul(),
    "determinant": determinant(),
    "inverse": inverse(),
    "relu": relu(),
    "softmax": softmax(False),
    "softmax-largest": softmax(),
    "attention": attention(),
    "attention-feed-forward": attention(1),
    "multihead": multihead(),
    "head-step": head_step(),
    "hierarchy": hierarchy(),
    "maxmin": maxmin(),
    "parity": parity(),
    "parity-groups": grouped_parity(),
    "match2": match2(),
    "match2-self": match2(1),
    "match2-numbers": matches_by_numbers(),
    "lipschitz": lipschitz(),
    "hoelder": hoelder(),
    "hoelder-square": hoelder_square(),
}
