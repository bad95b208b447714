"""One statement of every goal with a counterpart, open and at numbers."""

from symut.statement import (
    ALONE,
    BACKBONE,
    RANDOM,
    SPARSE,
    WITH_OUTPUTS,
    AttentionWidth,
    FormStatement,
    OutputBound,
    ScoreMatchingBound,
    SharpWidth,
    SingularBackbone,
    Universality,
)
from symut.statement.simulator import Simulator

FILE = "ab" * 32
FORM_GOALS = (
    "looped_universality",
    "residual_universality",
    "shared_residual_universality",
    "shared_key_universality",
    "readoff_key_universality",
)
ENCODER = {"layers": [], "tokens": 7, "letters": None, "width": 3, "groups": [2], "heads": [], "table": []}

STATEMENTS = {
    "sparse": Universality(SPARSE, 2, 3),
    "sparse-d3-k3": Universality(SPARSE, 2, 2, 3, 3),
    "sparse-m50": Universality(SPARSE, 2, 2, 3, 3, 50),
    "random": Universality(RANDOM, 2, 3),
    "random-m48-stored": Universality(RANDOM, 2, 2, 3, 3, 48, FILE),
    "stored": Universality(BACKBONE, 2, 2, 3, 3, 48, FILE),
    **{goal: FormStatement(goal, 2, 3) for goal in FORM_GOALS},
    **{f"{goal}-m90": FormStatement(goal, 2, 2, 3, 3, 90) for goal in FORM_GOALS},
    "affine": FormStatement("affine_universality", 2, 3),
    "affine-m60": FormStatement("affine_universality", 2, 2, 3, 3, 60, d_out=4),
    "looped-large": FormStatement("looped_universality", 2, 11, 2, 2),
    "sharp": SharpWidth(2, 3),
    "sharp-d3-k3": SharpWidth(2, 2, 3, 3),
    "sharp-m47": SharpWidth(2, 2, 3, 3, 47),
    "singular": SingularBackbone(2, 2, 3, 3, 48, FILE),
    "outputs": OutputBound(2, 3),
    "outputs-m11": OutputBound(2, 2, 3, 11),
    "attention-outputs": AttentionWidth(WITH_OUTPUTS, 2, 3),
    "attention-alone": AttentionWidth(ALONE, 2, 3),
    "attention-alone-H1-L1": AttentionWidth(ALONE, 1, 1),
    "scores-full": ScoreMatchingBound(2, 2, 3, 3),
    "scores-rounded": ScoreMatchingBound(2, 2, 3, 2),
    "transpose": Simulator(task="transpose", sizes={"r": 2, "c": 3}, encoder=ENCODER),
    "matmul": Simulator(task="matmul", sizes={"r": 2, "k": 2, "c": 3}, encoder=ENCODER),
    "softmax": Simulator(task="softmax", sizes={"r": 2, "c": 3}, encoder=ENCODER),
    "attention": Simulator(task="attention", sizes={"n": 2, "d": 3, "k": 2, "f": 0}, encoder=ENCODER),
}
