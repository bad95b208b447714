"""What a backbone is asked for, and which demand implies which.

Main definitions: `Problem`, `implies`, `serves`.
A bound or width is a fact about one problem and transfers to others along these implications only:

- Universal for *any* attention function implies universal for functions of the scores Q K^T (*score-only*).  Both
  imply that scores and outputs agree path by path (*matched*) for targets with invertible values: with outputs matched
  by constant attention, keep token 1 on path p and token 2 on path p' by diagonal attention, let one head return the
  identity exactly if its scores are the backbone's and all other heads of that layer 0, and continue with head 1; if
  the scores differed, the target would answer 0 and the backbone the rows x W_ph1..1, which are not 0.
  Outputs agree for all targets; scores need not.  At H = L = d = 1 a target with v = 0 answers 0 whatever its score, so
  the program 0 serves it.  So a demand for all targets implies matched scores of generic targets only, and a lower
  bound for the matched scores of all targets says nothing about the other classes.
- In the other direction a matched backbone is universal for functions of the scores (`equal-scores-suffice`).  Every
  construction here matches path by path, so it solves the matched problem for its own targets, too (`serves`).
- *All* targets include the *generic* ones (invertible values of head 1; for d = 1 all q and v nonzero).
- A backbone of head width c has every larger head width, by zero columns, if only scores count.
- Scores and outputs include scores alone and outputs alone.

So lower bounds climb from matched to any, and widths of constructions descend from any to matched.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from symut.backbone.shape import Shape

ANY, SCORE_ONLY, MATCHED = "any", "score-only", "matched"
ALL, GENERIC = "all", "generic"
K, D, FREE = "k", "d", "free"
BOTH, SCORES, OUTPUTS = "scores and outputs", "scores", "outputs"
_STRENGTH = (ANY, SCORE_ONLY, MATCHED)


@dataclass(frozen=True)
class Problem:
    """Find a backbone of small width m that simulates the `targets` (ALL, GENERIC, or a name for other networks).

    `attention`: ANY, SCORE_ONLY or MATCHED; `head_width` of the backbone: K, D or FREE (no condition); `matches`: BOTH,
    or only SCORES (attention alone) or OUTPUTS, which leaves more backbones.
    """

    attention: str
    targets: str
    head_width: str = K
    matches: str = BOTH


def _heads_fit(given: str, wanted: str, shape: Shape) -> bool:
    if wanted == FREE or given == wanted:
        return True
    widths = {K: shape.k, D: shape.d}
    return given != FREE and widths[given] <= widths[wanted]


def _attention_fits(given: Problem, wanted: Problem) -> bool:
    if given.attention != MATCHED and wanted.attention == MATCHED:
        return wanted.targets == GENERIC or wanted.matches == OUTPUTS
    return _STRENGTH.index(given.attention) <= _STRENGTH.index(wanted.attention)


def implies(given: Problem, wanted: Problem, shape: Shape) -> bool:
    """Whether every backbone that solves `given` at this shape also solves `wanted`, as the module's text says."""
    return (
        _attention_fits(given, wanted)
        and (given.targets == wanted.targets or (given.targets, wanted.targets) == (ALL, GENERIC))
        and _heads_fit(given.head_width, wanted.head_width, shape)
        and given.matches in (BOTH, wanted.matches)
    )


def serves(built: Problem, wanted: Problem, shape: Shape) -> bool:
    """Whether a construction for `built` that matches scores and outputs path by path also solves `wanted`."""
    return implies(replace(built, attention=MATCHED) if wanted.attention == MATCHED else built, wanted, shape)
