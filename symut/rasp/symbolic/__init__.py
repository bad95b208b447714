"""Symbolic execution of RASP programs: are two programs equal on all inputs of length n?

`compare` answers.  Tokens are symbols, numbers are exact rational functions (`ratio`), conditions open cases (`path`,
`cases`), finite alphabets are run through (`exhaustive`), and what has too many cases goes to z3 (`smt`, `solver`).
An input that separates two programs is confirmed by the reference interpreter (`separate`).
"""

from symut.rasp.symbolic.compare import Comparison, Limits, compare
from symut.rasp.symbolic.domain import Domain, Letters, Numbers
from symut.rasp.symbolic.separate import Separation

__all__ = ["Comparison", "Domain", "Letters", "Limits", "Numbers", "Separation", "compare"]
