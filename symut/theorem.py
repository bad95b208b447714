"""What a construction registers: theorems with their parameters, and how its modules are emitted.

Main definitions: `Parameter`, `Theorem`, `Construction`, `resolve`, `instance_name`.
A theorem's functions import their heavy libraries when called, so that listing theorems loads none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symut.backbone.forms import LAYERED, Form, FormShape, form_count
from symut.backbone.shape import SIZE_LIMIT, Shape, slot_count
from symut.errors import UsageError, shown
from symut.suggest import nearest

if TYPE_CHECKING:
    from symut.emitter.fit import Fit
    from symut.machine import Machine
    from symut.prover.argument import Argument, Context, Undecided
    from symut.statement import Statement

SIZE, SEED, CHOICE, FILE, FLAG, RATIONAL = "size", "seed", "choice", "file", "flag", "rational"
LONGEST_RATIONAL = 20

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Parameter:
    """An option `--name` of a theorem: a size (>= 1), a seed (>= 0), one of `choices`, a file's path, a rational number
    above 0 (as text, in lowest terms), or a flag, which is off (False) by default; an underscore in the name is a
    hyphen in the option.

    `stated` says whether it changes what is proved or how; if not, no artifact's name or command has it.
    """

    name: str
    help: str
    kind: str = SIZE
    default: Any = None
    choices: tuple[str, ...] = ()
    stated: bool = True

    def read(self, value: Any) -> Any:
        """The checked value; None stays None.

        Raises UsageError if it is out of range or not among the choices.
        """
        if value is None:
            return None
        if self.kind in (SIZE, SEED):
            least, most = (1, SIZE_LIMIT) if self.kind == SIZE else (0, 2**63 - 1)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                self._refuse(f"an integer from {least} to {most}", value)
        elif self.kind == CHOICE and value not in self.choices:
            self._refuse(" or ".join(self.choices), value)
        elif self.kind == FLAG and not isinstance(value, bool):
            self._refuse("True or False", value)
        return self._rational(str(value)) if self.kind == RATIONAL else value

    def _rational(self, text: str) -> str:
        """The number in lowest terms."""
        try:
            number = Fraction(text) if len(text) <= LONGEST_RATIONAL and "e" not in text.lower() else Fraction(0)
        except (ValueError, ZeroDivisionError):
            number = Fraction(0)
        if number <= 0:
            self._refuse("a number above 0, such as 2, 1/4 or 0.25", text)
        return str(number)

    @property
    def option(self) -> str:
        """The name on the command line, e.g. `--scores-only`."""
        return "--" + self.name.replace("_", "-")

    def _refuse(self, expected: str, value: Any) -> None:
        raise UsageError(
            f"{self.option} out of range", expected=expected, got=shown(value), remedy=f"change {self.option}"
        )


SIZES = (
    Parameter("H", "heads per layer", default=2),
    Parameter("L", "layers", default=2),
    Parameter("d", "token width; with --k the scalar instance, without both the proof is for all d and k"),
    Parameter("k", "head width; goes together with --d"),
    Parameter("m", "width of the backbone; needs --d and --k, because N depends on them"),
)
"""The sizes that every universality theorem takes."""


def _has_widths(values: Values, count: object) -> bool:
    """Whether d and k are given; `count` is N as text, to compare m with.

    Raises UsageError if only one of d and k is given, or m or d_out without them.
    """
    d, k = values["d"], values["k"]
    if (d is None) != (k is None):
        got = "--k alone" if d is None else "--d alone"
        raise UsageError("--d and --k go together", got=got, remedy="give both, or neither for all d and k")
    if d is None and values.get("d_out") is not None:
        raise UsageError("--d-out needs --d and --k", got="no d, k", remedy="give all three, or none for all widths")
    if d is None and values["m"] is not None:
        raise UsageError("--m needs --d and --k", expected=f"N = {count} to compare with", got="no d, k")
    return d is not None


GRID: tuple[dict[str, int], ...] = tuple(
    {"H": H, "L": L} for H, L in [(2, 2), *((H, L) for H in (1, 2, 3) for L in (1, 2, 3) if (H, L) != (2, 2))]
)
"""The shapes of the README's table of bounds, the default one first: its theorems have an artifact at each."""


def fixed_shape(values: Values) -> Shape | None:
    """The shape if d and k are given, None if the statement leaves both open.

    Raises UsageError if only one of d and k is given, or m without them.
    """
    H, L, d, k = (values[name] for name in "HLdk")
    return Shape(H, L, d, k) if _has_widths(values, slot_count(H, L)) else None


def fixed_form(form: Form, values: Values) -> FormShape | None:
    """The same for a form; an affine one has `d_out`, which is d if only d and k are given.

    Raises UsageError if only one of d and k is given, or m or d_out without them.
    """
    H, L, d, k = (values[name] for name in "HLdk")
    if not _has_widths(values, form_count(form, H, L)):
        return None
    return FormShape(form, H, L, d, k, (values["d_out"] or d) if form.affine else None)


@dataclass(frozen=True)
class Theorem:
    """A theorem schema: one statement per choice of its parameters.

    `statement` is one line for tables; `state` gives the exact claim; `argue` builds the proof;
    `instances` is the default set of artifacts, the first being the default instance; `recorded`, if `state` has to
    build the witness, gives the claim about the witness in an artifact's certificate, None if there is none.
    """

    id: str
    statement: str
    source: str
    parameters: tuple[Parameter, ...]
    state: Callable[[Values], Statement]
    argue: Callable[[Values, Context], Argument | Undecided]
    instances: tuple[Values, ...]
    recorded: Callable[[Values, Mapping[str, Any]], Statement | None] | None = None


def layered(values: Values) -> Form:
    """The form of a backbone with its own matrices in every layer and no residual connections, whatever the options."""
    return LAYERED


@dataclass(frozen=True)
class Construction:
    """A family of backbones.

    `emit(chosen, values, command, max_memory)` makes the files of a generated module for the shape and width in
    `chosen`; `parameters` are its options beside the sizes (an affine form has a size `d_out`, which is d if it is
    None); `form(values)` is the form that these options choose, whose N decides which sizes fit a width;
    `modules` is the default set of modules.
    """

    id: str
    statement: str
    source: str
    parameters: tuple[Parameter, ...]
    emit: Callable[[Fit, Values, str, int], Mapping[str, bytes]]
    theorems: tuple[Theorem, ...] = ()
    modules: tuple[Values, ...] = ()
    form: Callable[[Values], Form] = layered


def resolve(owner: Theorem | Construction | Machine, given: Values) -> dict[str, Any]:
    """All parameters of a theorem or construction: the given values, checked, and defaults for the rest.

    Raises UsageError for an unknown name or a bad value.
    """
    known = {parameter.name: parameter for parameter in owner.parameters}
    for name in given:
        if name not in known:
            raise UsageError(
                f"{owner.id} has no parameter {name}",
                expected=", ".join(known),
                got=name,
                remedy=nearest(name, known),
            )
    return {
        name: parameter.read(parameter.default if given.get(name) is None else given[name])
        for name, parameter in known.items()
    }


def stated_value(parameter: Parameter, values: Values, statement: Statement | None) -> Any:
    """A size as the statement has it, if it has that size; else the value asked for."""
    stated = getattr(statement, parameter.name, None) if parameter.kind == SIZE else None
    return values[parameter.name] if stated is None else stated


def instance_name(owner: Theorem | Machine, values: Values, statement: Statement | None) -> str:
    """The folder of an instance, e.g. H2-L3-d4-k4-m200-s0.

    Sizes as the statement has them, then the seed, every choice that is not the default, and for a user's file that
    the statement names the first 8 digits of its SHA-256.
    """
    parts, weights = [], statement.weights if statement else None
    for parameter in owner.parameters:
        value = stated_value(parameter, values, statement)
        unset = value is None or value is False or (parameter.kind == CHOICE and value == parameter.default)
        if unset or not parameter.stated or (parameter.kind == FILE and not weights):
            continue
        tags = {SIZE: f"{parameter.name}{value}", SEED: f"s{value}", CHOICE: str(value), FLAG: parameter.option[2:]}
        tags[RATIONAL] = f"{parameter.name}{str(value).replace('/', '_')}"
        parts.append(tags.get(parameter.kind) or f"b{(weights or '')[:8]}")
    return "-".join(parts)
