"""Writing results so that nothing half-written is ever seen: temporary name first, then rename.

Main definitions: `publish_folder`, `publish_file`.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from symut.errors import UsageError


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


def publish_folder(target: Path, files: Mapping[str, bytes]) -> None:
    """Replace the folder `target` by one with exactly these files; an interruption leaves the old one or the new one.

    Raises UsageError if the place cannot be written.
    """
    staged = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        staged = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
        for name, content in files.items():
            (staged / name).write_bytes(content)
        _readable_mode(staged)
        _exchange(staged, target)
    except OSError as error:
        raise _refuse(target, error) from None
    finally:
        if staged is not None:
            shutil.rmtree(staged, ignore_errors=True)


def _exchange(staged: Path, target: Path) -> None:
    """Move `staged` to `target`; a previous `target` is set aside, and put back if the move fails."""
    if not target.exists():
        staged.rename(target)
        return
    if not target.is_dir() or target.is_symlink():
        raise NotADirectoryError(20, "a file is in the way", str(target))
    aside = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
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

    Raises UsageError if the place cannot be written.
    """
    staged = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
        staged = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        _readable_mode(staged)
        staged.replace(target)
    except OSError as error:
        raise _refuse(target, error) from None
    finally:
        if staged is not None:
            staged.unlink(missing_ok=True)
