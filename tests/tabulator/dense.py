"""Dense matrices for small shapes, by listing paths: an independent view of what the rows count."""

import random
from functools import reduce
from itertools import product

import flint

PRIME = 2147483629


def entries(generator, rows, columns):
    return flint.nmod_mat(rows, columns, [generator.randrange(PRIME) for _ in range(rows * columns)], PRIME)


def scalar(value, size):
    return flint.nmod_mat(size, size, [value * (i == j) for i in range(size) for j in range(size)], PRIME)


def side_by_side(parts):
    rows = [[int(x) for part in parts for x in part.tolist()[i]] for i in range(parts[0].nrows())]
    return flint.nmod_mat(len(rows), len(rows[0]), [x for row in rows for x in row], PRIME)


def stacked(parts):
    rows = [[int(x) for x in row] for part in parts for row in part.tolist()]
    return flint.nmod_mat(len(rows), len(rows[0]), [x for row in rows for x in row], PRIME)


class Weights:
    """Random matrices modulo a prime: queries and keys width x k, values width x width, read-out width x d."""

    def __init__(self, H, L, width, k, d, seed):
        generator = random.Random(seed)
        grid = list(product(range(L), range(H)))
        self.H, self.L, self.width = H, L, width
        self.queries = {at: entries(generator, width, k) for at in grid}
        self.keys = {at: entries(generator, width, k) for at in grid}
        self.values = {at: entries(generator, width, width) for at in grid}
        self.readout = scalar(1, width) if width == d else entries(generator, width, d)

    def paths(self, length):
        """The products of values along all paths of this length."""
        for path in product(range(self.H), repeat=length):
            yield reduce(lambda left, at: left * self.values[at], enumerate(path), scalar(1, self.width))

    def reads(self, matrices):
        """R_p M_{l,h} for all paths shorter than L."""
        return [
            inner * matrices[layer, head]
            for layer in range(self.L)
            for inner in self.paths(layer)
            for head in range(self.H)
        ]

    def outputs(self):
        """R_p U for all full paths."""
        return [inner * self.readout for inner in self.paths(self.L)]
