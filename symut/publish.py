"""Writing results so that nothing half-written is ever seen: temporary name first, then rename.

Main definitions: `output_folder`, `publish_folder`, `publish_file`.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from symut.errors import UsageError


def output_folder(out: str | Path) -> Path:
    """The folder that the user named; raises UsageError for an empty name, which would mean the current folder."""
    if not str(out):
        raise UsageError("--out is empty", expected="the name of a folder", remedy="write . for the current folder")
    return Path(out)


def _refuse(target: Path, error: OSError) -> UsageError:
    return UsageError(
        f"cannot write {target}",
        expected="a writable place",
        got=error.strerror or str(error),
        remedy="choose another --out",
    )


def _readable_mode(path: Path) -> None:
    """mkdtemp and mkstemp make private files; results are as readable as the user's umask allows."""
    mask = os.umask(0)
    os.umask(mask)
    path.chmod((0o777 if path.is_dir() else 0o666) & ~mask)


@contextmanager
def _locked(parent: Path) -> Iterator[None]:
    """Hold the folder against other writers; waiting for one of them can be interrupted."""
    descriptor = os.open(parent, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Keep an interruption back until the results are in place; one that the process ignores stays ignored."""
    previous = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(previous):
        yield
        return
    waiting: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: waiting.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
    if waiting:
        raise KeyboardInterrupt


def publish_folder(target: Path, files: Mapping[str, bytes], known: Collection[str] = ()) -> None:
    """Replace the folder `target` by one with exactly these files; an interruption leaves the old one or the new one.

    An existing folder is replaced only if it holds plain files with names in `files` or `known`, and Python's
    bytecode, only: what a user put there is not deleted.  Raises UsageError if it would be, or if the place cannot be
    written.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with _locked(target.parent), _uninterrupted():
            _require_own(target, {*files, *known})
            _stage_folder(target, files)
    except OSError as error:
        raise _refuse(target, error) from None


def _require_own(target: Path, names: Collection[str]) -> None:
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise NotADirectoryError(20, "a file or link is in the way", str(target))
    others = sorted(path.name for path in target.iterdir() if not _is_own(path, names)) if target.exists() else []
    if others:
        raise UsageError(
            f"{target} holds files that would be lost", got=", ".join(others[:5]), remedy="move them elsewhere"
        )


def _is_own(path: Path, names: Collection[str]) -> bool:
    """A plain file with a known name, or the bytecode that Python leaves when a module there is imported."""
    if path.name == "__pycache__" and path.is_dir() and not path.is_symlink():
        return all(inner.suffix == ".pyc" for inner in path.iterdir())
    return path.name in names and path.is_file()


def _stage_folder(target: Path, files: Mapping[str, bytes]) -> None:
    staged = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        for name, content in files.items():
            (staged / name).write_bytes(content)
        _readable_mode(staged)
        _exchange(staged, target)
    finally:
        shutil.rmtree(staged, ignore_errors=True)


def _exchange(staged: Path, target: Path) -> None:
    """Move `staged` to `target`; a previous `target` is set aside, and put back if the move fails."""
    if not target.exists():
        staged.rename(target)
        return
    aside = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        target.rename(aside / target.name)
        try:
            staged.rename(target)
        except BaseException:
            (aside / target.name).rename(target)
            raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def publish_file(target: Path, content: bytes) -> None:
    """Write one file under a temporary name beside `target`, then rename it.

    Raises UsageError if the place cannot be written, or if something that is no plain file stands there.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_symlink() or (target.exists() and not target.is_file()):
            raise FileExistsError(17, "a link, folder or device is in the way", str(target))
        with _locked(target.parent), _uninterrupted():
            _stage_file(target, content)
    except OSError as error:
        raise _refuse(target, error) from None


def _stage_file(target: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
    staged = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        _readable_mode(staged)
        staged.replace(target)
    finally:
        staged.unlink(missing_ok=True)
