"""Emitted backbones: a folder with model.py and weights.safetensors, read as data.

Main definitions: `Emitted`.  Which targets it takes, and what to emit for others, says `symut.compiler.fitting`.
Main result: no code of the folder is ever run.  The module is rendered again from the weights' metadata; only
if model.py has exactly those bytes is the rendering executed, under a private name, with the folder as its place.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symut.backbone.forms import FormShape
from symut.backbone.stored import read_metadata
from symut.compiler.fitting import emit_command
from symut.compiler.loaded import Loaded, execute
from symut.compiler.rendering import first_difference, rendered_again
from symut.emitter.kinds import KINDS
from symut.errors import TargetError, UsageError

WEIGHTS, MODEL = "weights.safetensors", "model.py"
MODEL_LIMIT = 2**20
"""No emitted module is longer."""
_SIZES = ("H", "L", "d", "k", "m")
_OPTIONS = ("m", "d_out", "seed", "distribution", "dtype")
"""What the metadata may hold that are options of `symut emit` beside the shape."""


@dataclass(frozen=True)
class Emitted:
    """A folder whose weights say that symut emitted them; `metadata` is what they say, `kind` one of KINDS."""

    folder: Path
    kind: str
    shape: FormShape
    m: int
    metadata: Mapping[str, Any]

    @classmethod
    def describe(cls, folder: Path) -> Emitted:
        """Read the metadata of the folder's weights; nothing is executed and no tensor is read.

        Raises TargetError if there is no such folder, or if its metadata are not those of an emitted backbone.
        """
        found = _metadata(folder)
        H, L, d, k, m = sizes = [found.get(name, 0) for name in _SIZES]
        if not all(type(size) is int and size >= 1 for size in sizes) or not _is_plain(found):
            raise _no_module(
                folder,
                f"{WEIGHTS} with the metadata {str(found)[:200]}" if found else f"{WEIGHTS} without symut's metadata",
            )
        kind = found.get("kind", found["construction"])
        form = KINDS[kind].form
        return cls(folder, kind, FormShape(form, H, L, d, k, found["d_out"] if form.affine else None), m, found)

    @property
    def _again(self) -> str:
        """The remedy for a damaged folder: the command that emits this backbone again."""
        given = [name for name in _OPTIONS if name in self.metadata]
        extra = "".join(f" --{name.replace('_', '-')} {self.metadata[name]}" for name in given)
        return f"emit it again: {emit_command(self.kind, self.shape, extra)}"

    def load(self) -> Loaded:
        """The backbone, from symut's own rendering of its module, executed once.

        Raises TargetError if model.py is missing or is not what this version of symut emits for these weights, or if
        the module refuses the weights.
        """
        weights, found = (self.folder / WEIGHTS).read_bytes(), self._model_text()
        try:
            expected = rendered_again(found, self.kind, self.shape, self.m, weights)
        except (UsageError, KeyError) as error:
            raise TargetError(f"{self.folder} is damaged", got=str(error), remedy=self._again) from None
        if found != expected:
            raise TargetError(
                f"{self.folder / MODEL} does not belong to its weights",
                expected="the module that this version of symut emits",
                got=first_difference(expected, found),
                remedy=self._again,
            )
        module = execute(expected, self.folder / MODEL)
        return Loaded(self.folder, self.kind, hashlib.sha256(weights).hexdigest(), module)

    def _model_text(self) -> str:
        path = self.folder / MODEL
        try:
            with path.open("rb") as file:
                return file.read(MODEL_LIMIT).decode()
        except (OSError, UnicodeDecodeError) as error:
            got = (error.strerror if isinstance(error, OSError) else "") or "no UTF-8 text"
            raise TargetError(f"cannot read {path}", got=got, remedy=self._again) from None


def _metadata(folder: Path) -> dict[str, Any]:
    """What symut wrote about the folder's weights; TargetError if they are missing or damaged."""
    if not folder.is_dir():
        raise _no_module(folder, "a file" if folder.exists() else "no such folder")
    if not (folder / WEIGHTS).is_file():
        raise _no_module(folder, f"a folder without {WEIGHTS}")
    try:
        return read_metadata(folder / WEIGHTS)
    except TargetError as error:
        raise _no_module(folder, f"{WEIGHTS} that cannot be read: {error.got}") from None


def _no_module(folder: Path, got: str) -> TargetError:
    return TargetError(
        f"no emitted module is at {folder}",
        expected=f"a folder with {MODEL} and {WEIGHTS} that symut emitted",
        got=got,
        remedy="emit one with python -m symut emit sparse --H 2 --L 2 --d 3 --k 3, or any other construction",
    )


def _is_plain(metadata: Mapping[str, Any]) -> bool:
    """Whether metadata name a known construction and hold only words and numbers: they are rendered into source."""
    words = all(name.isidentifier() and type(value) in (int, str) for name, value in metadata.items())
    kind = KINDS.get(metadata.get("kind", metadata.get("construction", "")))
    if not words or kind is None or kind.construction != metadata.get("construction"):
        return False
    outputs = metadata.get("d_out")
    return not kind.form.affine or (type(outputs) is int and outputs >= 1)
