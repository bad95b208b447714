"""Exact programs: algebraic numbers that satisfy their equations."""

from fractions import Fraction

from symut.searcher.programs import exact_programs

SQUARES = [["1", "0", "-1"], ["0", "2", "0"]]  # x^2 - y^2 and 2 x y


def evaluated(program, coordinate):
    """A rational approximation of a coordinate, by bisection of the interval."""
    low, high = (Fraction(*end) for end in program["interval"])

    def at(coefficients, point):
        return sum(c * point**i for i, c in enumerate(coefficients))

    modulus = [Fraction(c) for c in program["polynomial"]]
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if at(modulus, low) * at(modulus, middle) <= 0 else (middle, high)
    return float(at([Fraction(*c) for c in program["coordinates"][coordinate]], low))


def test_complex_square_roots_are_found_for_every_sign():
    points = [[1, 1], [-1, 2], [3, -1], [-2, -2], [0, 1], [-1, 0], [4, 0]]
    found = exact_programs(SQUARES, 2, "zero", points)
    assert found is not None
    for point, program in zip(points, found, strict=True):
        x, y = evaluated(program, 0), evaluated(program, 1)
        assert abs(x * x - y * y - point[0]) < 1e-9
        assert abs(2 * x * y - point[1]) < 1e-9


def test_unreachable_point_has_no_program():
    assert exact_programs([["1"]], 1, "zero", [[-1]]) is None


def test_free_coordinate_is_fixed():
    (program,) = exact_programs([["0", "1", "0"]], 2, "zero", [[3]])
    x, y = evaluated(program, 0), evaluated(program, 1)
    assert abs(x * y - 3) < 1e-9
