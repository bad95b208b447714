"""Stored floats as what they are: dyadic rationals, reduced modulo a prime, never rounded.

Main definitions: `residues`, `fraction_bits`, `scaled_integers`.
"""

from __future__ import annotations

import numpy as np


def _mantissa_exponent(tensor: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Integers (a, e) with entry = a * 2^e exactly, elementwise."""
    if tensor.dtype.kind in "iu":
        return tensor.astype(np.int64), np.zeros(tensor.shape, np.int64)
    fraction, exponent = np.frexp(tensor.astype(np.float64))
    return np.ldexp(fraction, 53).astype(np.int64), exponent.astype(np.int64) - 53


def residues(tensor: np.ndarray, prime: int) -> np.ndarray:
    """Every entry a / 2^b as a * (2^b)^-1 modulo an odd prime below 2^31; int64, same shape."""
    mantissa, exponent = _mantissa_exponent(tensor)
    distinct, place = np.unique(exponent, return_inverse=True)
    powers = np.array([pow(2, int(e), prime) for e in distinct], dtype=np.int64)
    return (mantissa % prime) * powers[place].reshape(tensor.shape) % prime


def fraction_bits(tensor: np.ndarray) -> int:
    """The least b >= 0 for which every entry times 2^b is an integer."""
    mantissa, exponent = _mantissa_exponent(tensor)
    lowest = np.frexp((mantissa & -mantissa).astype(np.float64))[1] - 1
    places = (lowest + exponent)[mantissa != 0]
    return max(0, -int(places.min(initial=0)))


def scaled_integers(tensor: np.ndarray, bits: int) -> list[list[int]]:
    """The matrix times 2^bits as integers, exactly; `bits` is at least `fraction_bits(tensor)`."""
    mantissa, exponent = _mantissa_exponent(tensor)
    shift = exponent + bits
    pairs = zip(mantissa.tolist(), shift.tolist(), strict=True)
    return [[a << e if e >= 0 else a >> -e for a, e in zip(*row, strict=True)] for row in pairs]
