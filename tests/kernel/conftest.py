"""A stand-in for Coq: programs that compile by touching files, and answer for the kernel what a test wants."""

import os
from pathlib import Path

import pytest

from symut.kernel.coq import ALGEBRA, ANALYSIS, ZIFY

COQC = """#!/bin/sh
case "$1" in
--version) echo "The Coq Proof Assistant, version {version}"; exit 0 ;;
-where) echo "{where}"; exit 0 ;;
esac
echo "$@" >> "{log}"
for last; do :; done
if [ -f "{refusal}" ]; then
    echo 'File "./instance.v", line 7, characters 0-3:' >&2
    cat "{refusal}" >&2
    exit 1
fi
touch "${{last%.v}}.vo"
if [ -f "{answer}" ]; then cat "{answer}"; exit 0; fi
grep "^Print Assumptions" "$last" | sed 's/.*/Closed under the global context/'
"""
COQ_MAKEFILE = """#!/bin/sh
printf 'all:\\n' > "$4"
grep '\\.v$' "$2" | sed 's/\\(.*\\)\\.v$/\\techo compiled > \\1.vo/' >> "$4"
"""


class StandIn:
    """`log` has coqc's arguments; a file `refusal` makes it fail, and a file `answer` is what it prints."""

    def __init__(self, folder: Path, version: str) -> None:
        self.bin, self.where, self.cache = folder / "bin", folder / "where", folder / "cache"
        self.log, self.answer, self.refusal = folder / "log", folder / "answer", folder / "refusal"
        for name in (*ALGEBRA, *ANALYSIS, ZIFY[0]):
            path = self.where / "user-contrib" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(name.encode())
        self.bin.mkdir()
        names = {name: getattr(self, name) for name in ("where", "log", "answer", "refusal")}
        self._program("coqc", COQC.format(version=version, **names))
        self._program("coq_makefile", COQ_MAKEFILE)
        self._program("coqchk", f'#!/bin/sh\necho "$@" >> "{self.log}.coqchk"\n')

    def _program(self, name: str, text: str) -> None:
        path = self.bin / name
        path.write_text(text)
        path.chmod(0o755)

    @property
    def compiled(self) -> int:
        """How often coqc compiled an instance."""
        return len(self.log.read_text().splitlines()) if self.log.exists() else 0


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """Makes a stand-in of a version, first on PATH, with a cache of its own."""

    def make(version="8.16.1"):
        (tmp_path / "coq").mkdir()
        made = StandIn(tmp_path / "coq", version)
        monkeypatch.setenv("PATH", f"{made.bin}{os.pathsep}{os.environ['PATH']}")
        monkeypatch.setenv("SYMUT_CACHE", str(made.cache))
        return made

    return make


@pytest.fixture
def no_coq(tmp_path, monkeypatch):
    """PATH without Coq."""
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.setenv("PATH", str(empty))
