"""kernel.json: what the kernel accepted, so that a later check can say whether it still does.

Main definitions: `INSTANCE`, `RECORD`, `record_bytes`, `read_record`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from symut.errors import CertificateError
from symut.kernel.instances import Instance
from symut.kernel.run import Verdict

INSTANCE, RECORD = "instance.v", "kernel.json"
FORMAT = "symut-kernel-1"
LARGEST = 1 << 20


def record_bytes(instance: Instance, verdict: Verdict) -> bytes:
    """The bytes of kernel.json: coqc's version, the library's and the instance's SHA-256, and the assumptions."""
    fields = {
        "format": FORMAT,
        "coqc": verdict.coqc,
        "library": verdict.library,
        "instance": hashlib.sha256(instance.text.encode()).hexdigest(),
        "assumptions": verdict.assumptions,
    }
    return (json.dumps(fields, indent=2, sort_keys=True) + "\n").encode("ascii")


def read_plain(path: Path) -> bytes:
    """The bytes of a plain file of at most LARGEST; raises OSError, or ValueError for anything else."""
    if not path.is_file() or path.stat().st_size > LARGEST:
        raise ValueError("no plain file, or too large")
    return path.read_bytes()


def read_record(folder: Path) -> Mapping[str, Any]:
    """kernel.json of an artifact; raises CertificateError if it is not one."""
    path = folder / RECORD
    try:
        found = json.loads(read_plain(path))
    except (OSError, ValueError, RecursionError) as error:
        raise CertificateError(f"{RECORD} cannot be read", got=str(error)) from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise CertificateError(f"{RECORD} has another format", expected=FORMAT)
    return found
