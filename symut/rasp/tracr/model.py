"""Compiling a Tracr program: the encoder, called on lists of tokens with or without a first token that marks the start.

Main definitions: `CompiledModel`, `compile`, `compile_rasp_to_model`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symut.errors import UsageError, shown
from symut.rasp import core
from symut.rasp.encoder.cost import Cost, cost
from symut.rasp.encoder.model import Encoder
from symut.rasp.encoder.run import run
from symut.rasp.errors import RaspError
from symut.rasp.inputs import tokens_of
from symut.rasp.lowering.issues import Issue
from symut.rasp.lowering.lower import MAX_N, lower, prepare
from symut.rasp.lowering.ranges import place
from symut.rasp.tracr.base import RASPExpr, listed
from symut.rasp.tracr.sequences import SOp

Value = Any
COMPILER_BOS, COMPILER_PAD = "compiler_bos", "compiler_pad"
FILES = ("model.py", "weights.safetensors")


@dataclass(frozen=True)
class Output:
    """What Tracr's `apply` returns: `decoded` has a value per token (the start token for itself)."""

    decoded: list[Value]


@dataclass(frozen=True, eq=False)
class CompiledModel:
    """A compiled program. Calling it runs the encoder's weights exactly; `emit` writes a torch module that does."""

    encoder: Encoder
    root: core.Sequence
    name: str
    bos: Value | None
    lengths: frozenset[int]
    causal: bool = False

    def __call__(self, tokens: Sequence[Value]) -> list[Value]:
        """The values for a list of tokens; with `bos`, the first token is it and stands for itself in the answer."""
        given = listed("an input", tokens)
        if self.bos is None:
            return self._run(given)
        if not given or given[0] != self.bos:
            raise UsageError(
                "the input does not start with the start token", expected=shown(self.bos),
                got=shown(given[0]) if given else "nothing", remedy="put it first, or compile with bos=None",
            )  # fmt: skip
        return [self.bos, *self._run(given[1:])]

    def _run(self, given: list[Value]) -> list[Value]:
        other = self.lengths - {len(given)}
        if other:
            raise RaspError("a constant of another length", expected=f"{min(other)} tokens", got=str(len(given)))
        if len(given) > self.encoder.n:
            expected = f"at most max_seq_len = {self.encoder.n} tokens"
            raise RaspError("the input is too long", expected=expected, got=str(len(given)))
        return run(self.encoder, given)

    def apply(self, tokens: Sequence[Value]) -> Output:
        """As Tracr's models: `apply(tokens).decoded`."""
        return Output(self(tokens))

    @property
    def cost(self) -> Cost:
        """What the encoder costs."""
        return cost(self.encoder)

    def emit(self, out: str | Path = "generated", name: str | None = None) -> Path:
        """Write the torch module (on tokens without the start token) to a folder below `out`, and return the folder."""
        from symut.publish import publish_folder
        from symut.rasp.emission.emit import emit, module_name

        chosen = name or self.name
        title = f"The Tracr program {chosen} as a transformer encoder: n = {self.encoder.n} tokens or fewer."
        command = f"symut.rasp.tracr.compile(...).emit(name={chosen!r})"
        made = emit(
            self.encoder, self.root, name=chosen, title=title, command=command, strict=False, whole=bool(self.lengths)
        )
        target = Path(out) / module_name(chosen, self.encoder.n, self.causal)
        publish_folder(target, made.files, known=FILES)
        return target


def compile(
    program: RASPExpr,
    vocab: Iterable[Value],
    max_seq_len: int,
    bos: Value | None = None,
    causal: bool = False,
) -> CompiledModel:
    """The encoder of a program for 1 to `max_seq_len` tokens (not counting `bos`) from `vocab`.

    With `causal`, queries select no later keys. Raises RaspError, with all reasons, for what has no encoder.
    """
    if not isinstance(program, SOp):
        raise RaspError("only sequences have encoders", expected="a sequence", got=type(program).__name__)
    _require_length(max_seq_len)
    letters = _letters(vocab)
    if bos is not None and bos in letters:
        raise UsageError("the start token is in the vocabulary", got=shown(bos), remedy="choose another bos")
    longer = program.lengths - {max_seq_len}
    if longer:
        raise RaspError("a constant of another length", expected=f"max_seq_len = {min(longer)}", got=str(max_seq_len))
    found = prepare(program.node, n=max_seq_len, alphabet=letters, causal=causal, strict=False)
    if found.issues:
        reasons = " | ".join(map(_said, found.issues[:10]))
        count = f"{len(found.issues)} expressions have no encoder: " if len(found.issues) > 1 else ""
        raise RaspError(count + reasons)
    return CompiledModel(lower(found), found.root, program.name, bos, program.lengths, causal)


def _require_length(max_seq_len: object) -> None:
    if type(max_seq_len) is not int or not 1 <= max_seq_len <= MAX_N:
        expected = f"an integer from 1 to {MAX_N}"
        raise UsageError("max_seq_len is no length that an encoder has", expected=expected, got=shown(max_seq_len))


def _letters(vocab: Iterable[Value]) -> list[Value]:
    """The different tokens in their order; True is another token than 1."""
    given = list(vocab) if isinstance(vocab, Iterable) else []
    if not given:
        got = "none" if isinstance(vocab, Iterable) else shown(vocab)
        raise UsageError("the vocabulary is empty", expected="at least one token", got=got)
    different = {(isinstance(token, bool), token): token for token in tokens_of(given)}
    return sorted(different.values(), key=lambda token: (place(token), isinstance(token, bool)))


def _said(issue: Issue) -> str:
    """An issue in the words of this interface."""
    return str(issue).replace("--numeric", "numbers").replace("--n", "max_seq_len").replace("--alphabet", "vocab")


def compile_rasp_to_model(
    program: RASPExpr,
    vocab: Iterable[Value],
    max_seq_len: int,
    causal: bool = False,
    compiler_bos: Value = COMPILER_BOS,
    compiler_pad: Value = COMPILER_PAD,
    mlp_exactness: int = 100,
) -> CompiledModel:
    """`compile` with Tracr's parameters; the encoder is exact, so that `mlp_exactness` changes nothing.

    Raises UsageError if the start or the padding token is in the vocabulary.
    """
    letters = list(vocab)
    if compiler_pad in letters:
        raise UsageError("the padding token is in the vocabulary", got=shown(compiler_pad), remedy="choose another one")
    return compile(program, letters, max_seq_len, bos=compiler_bos, causal=causal)
