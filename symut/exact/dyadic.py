"""Stored floats as what they are: dyadic rationals, reduced modulo a prime, never rounded.

Main definitions: `residues`.
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
