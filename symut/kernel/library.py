"""The compiled library of general theorems: proofs/coq, built once for each state of the sources and of Coq.

Main definitions: `Library`, `sources_folder`, `cache_folder`, `built_library`.
A library's folder is named by the SHA-256 of its sources, the version of coqc and the installed mathcomp, so a stale
one is never found; a list of the digests of all its files, written last, shows one that was changed or cut short.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from symut.errors import InternalError, UsageError
from symut.kernel.coq import Coq
from symut.kernel.process import run_program

_INSTALLED = Path(__file__).with_name("coq")
_CHECKOUT = Path(__file__).resolve().parents[2] / "proofs" / "coq"
PROJECTS = {False: ("_CoqProject",), True: ("_CoqProject", "_CoqProject.measure")}
"""The projects of the algebraic files, and of these with the measure-theoretic ones."""
MANIFEST = "symut-library.json"
BUILD_SECONDS = 3600.0

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Library:
    """A compiled library: its folder, and the SHA-256 that names it."""

    folder: Path
    sha256: str


def sources_folder() -> Path:
    """The folder with the .v files: beside this one in a wheel, proofs/coq in a checkout.

    Raises InternalError if it is in neither place.
    """
    for folder in (_INSTALLED, _CHECKOUT):
        if (folder / "_CoqProject").is_file():
            return folder
    raise InternalError("the Coq sources are missing", expected=str(_INSTALLED), remedy="install symut again")


def cache_folder() -> Path:
    """$SYMUT_CACHE, or the platform's cache folder for symut."""
    named = os.environ.get("SYMUT_CACHE")
    if named:
        return Path(named).absolute()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base).absolute() if base else Path.home() / ".cache") / "symut"


def read_sources(measure: bool, folder: Path) -> dict[str, bytes]:
    """The project files and the .v files that they list, by name; raises InternalError if one is missing."""
    found = {}
    try:
        for project in PROJECTS[measure]:
            found[project] = (folder / project).read_bytes()
            listed = [line for line in found[project].decode().splitlines() if line.endswith(".v")]
            found |= {name: (folder / name).read_bytes() for name in listed}
    except OSError as error:
        raise InternalError("a Coq source is missing", got=str(error.filename), remedy="install symut again") from None
    return found


def digest_of(files: Mapping[str, bytes], *extra: bytes) -> str:
    """SHA-256 of files with their names, and of whatever else the library depends on."""
    digest = hashlib.sha256()
    for part in (*extra, *(part for name in sorted(files) for part in (name.encode(), files[name]))):
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def built_library(coq: Coq, measure: bool, progress: Progress, sources: Path | None = None) -> Library:
    """The library for this state of the sources, built if there is none; `measure` adds the measure-theoretic files.

    Raises UsageError if Coq's libraries are missing, the cache cannot be written or a file does not compile.
    """
    cache = cache_folder() / "coq"
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with _locked(cache):
            return _ensured(coq, measure, progress, sources or sources_folder(), cache)
    except OSError as error:
        got = f"{error.strerror}: {error.filename}"
        raise UsageError("the cache cannot be used", got=got, remedy="set SYMUT_CACHE to a writable folder") from None


def _ensured(coq: Coq, measure: bool, progress: Progress, sources: Path, cache: Path) -> Library:
    """The library in a locked cache; the measure-theoretic one starts from a copy of the algebraic one."""
    files = read_sources(measure, sources)
    sha256 = digest_of(files, coq.version.encode(), coq.libraries(measure))
    folder = cache / f"{'measure' if measure else 'algebra'}-{sha256[:32]}"
    if not is_whole(folder, sha256):
        start = _ensured(coq, False, progress, sources, cache).folder if measure else None
        _build(coq, files, folder, sha256, start, progress)
    return Library(folder, sha256)


def is_whole(folder: Path, sha256: str) -> bool:
    """Whether this is the library with that SHA-256, with every file as it was built."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        return manifest["library"] == sha256 and manifest["files"] == _digests(folder)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _digests(folder: Path) -> dict[str, str]:
    """SHA-256 of every source and compiled file, by name."""
    paths = sorted(path for path in folder.rglob("*") if path.suffix in (".v", ".vo"))
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


@contextmanager
def _locked(cache: Path) -> Iterator[None]:
    """One build at a time; waiting for another one can be interrupted."""
    descriptor = os.open(cache, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _build(
    coq: Coq, files: Mapping[str, bytes], folder: Path, sha256: str, start: Path | None, progress: Progress
) -> None:
    """Compile under a temporary name and rename; what stood there before was not whole."""
    for left in folder.parent.glob(f".{folder.name}-*"):  # of a build that was killed, since the cache is locked
        shutil.rmtree(left, ignore_errors=True)
    staged = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        if start is not None:
            shutil.copytree(start, staged, dirs_exist_ok=True)
        for name, content in files.items():
            if not (staged / name).is_file():
                (staged / name).parent.mkdir(exist_ok=True)
                (staged / name).write_bytes(content)
        _make(coq, staged, files, progress)
        manifest = {"library": sha256, "coqc": coq.version, "files": _digests(staged)}
        (staged / MANIFEST).write_text(json.dumps(manifest, indent=1, sort_keys=True) + "\n")
        shutil.rmtree(folder, ignore_errors=True)
        staged.rename(folder)
    finally:
        shutil.rmtree(staged, ignore_errors=True)


def _make(coq: Coq, staged: Path, files: Mapping[str, bytes], progress: Progress) -> None:
    """coq_makefile and make for one project after the other; raises UsageError with the first error of coqc."""
    total = sum(name.endswith(".v") for name in files)
    label = f"Coq {coq.version} library"

    def show() -> None:
        progress(label, sum(1 for _ in staged.rglob("*.vo")), total)

    for project in [name for name in files if name.startswith("_CoqProject")]:
        makefile = project.replace("_CoqProject", "Makefile.coq")
        run_program([coq.program("coq_makefile"), "-f", project, "-o", makefile], staged, BUILD_SECONDS, show)
        jobs = f"-j{os.cpu_count() or 1}"
        done = run_program(["make", "-f", makefile, jobs], staged, BUILD_SECONDS, show)
        if done.code != 0:
            raise UsageError(
                f"proofs/coq does not compile with Coq {coq.version}",
                got=done.first_error,
                remedy="install the tested versions",
            )
    missing = [name for name in files if name.endswith(".v") and not (staged / name).with_suffix(".vo").is_file()]
    if missing:
        raise UsageError("make built nothing", expected=f"{missing[0]}o", remedy="see whether `make` is GNU make")
    for name in ("*.glob", "*.vok", "*.vos", ".*.aux"):
        for path in staged.rglob(name):
            path.unlink()
