"""The record of a run: one JSON file with its configuration, curve, test scores, and the baselines beside them.

Main definitions: `Record`, `read_records`, `FORMAT`.
Everything but `measured` is a function of the configuration and `selection` on one machine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symut.errors import UsageError
from symut.experiment.configuration import Configuration
from symut.publish import publish_file

FORMAT = "symut-run-1"
SUFFIX = ".json"
_LIMIT = 2**26


@dataclass(frozen=True)
class Record:
    """What one run found.

    `stopped`: why it ended, `step`: where; `curve`, `best`: as in `Trainer`; `test`: {set: {accuracy, loss, answers}},
    empty for trials, and if the run diverged before its first evaluation; `baselines`: {set: {name: accuracy}};
    `uniform_loss`: ln(classes); `weights`: how many are trained and frozen; `selection`: {init, lr,
    validation_accuracy, validation_loss} of the grid that chose init and lr, if any; `measured`: {cpu_seconds, device,
    threads, torch}.
    """

    configuration: Configuration
    stopped: str
    step: int
    curve: Sequence[Mapping[str, Any]]
    best: Mapping[str, Any] | None
    test: Mapping[str, Mapping[str, Any]]
    baselines: Mapping[str, Mapping[str, float]]
    uniform_loss: float
    weights: Mapping[str, int]
    selection: Sequence[Mapping[str, Any]]
    measured: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """The object of the file."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {"format": FORMAT} | fields | {"configuration": self.configuration.as_json()}

    def write(self, path: Path) -> None:
        """Replace the file; UsageError if it cannot be written."""
        publish_file(path, (json.dumps(self.as_json(), indent=1) + "\n").encode())

    @classmethod
    def read(cls, path: Path) -> Record:
        """The record in a file; UsageError if it is none."""
        try:
            with path.open("rb") as file:
                found = json.loads(file.read(_LIMIT))
        except (OSError, ValueError, RecursionError) as error:
            raise _unreadable(path, str(error) or type(error).__name__) from None
        if not isinstance(found, dict) or found.pop("format", None) != FORMAT:
            raise _unreadable(path, "another format")
        if set(found) != set(cls.__dataclass_fields__):
            raise _unreadable(path, "missing or unknown fields")
        found["configuration"] = Configuration.from_json(found["configuration"])
        return cls(**found)


def _unreadable(path: Path, got: str) -> UsageError:
    return UsageError(f"cannot read {path}", expected="the record of a run", got=got[:200], remedy="run it again")


def read_records(folder: Path) -> list[Record]:
    """All records that lie directly in the folder, by name; UsageError if there are none."""
    found = [Record.read(path) for path in sorted(folder.glob(f"*{SUFFIX}"))]
    if not found:
        raise UsageError(f"no records in {folder}", expected="files that symut train wrote", remedy="check --out")
    return found
