"""Artifacts of the search: checked, rendered and published under one folder.

Main definitions: `publish`, `folder_name`, `RefusedError`, `ID`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from symut.certificate import Certificate
from symut.errors import CertificateError, InternalError
from symut.prover.checker import check_bytes
from symut.publish import publish_folder
from symut.searcher.exposition import backbone_tables, identity_equations
from symut.searcher.process import Limits, ask
from symut.statement.search import BACKBONE_EXISTS, INFEASIBLE, Width

ID = "attention_matching_search"
"""The folder of the artifacts under proofs/."""
QUERY = "query.smt2"
TOO_LARGE = "too large"
"""How the reasons of check.py end where a certificate exceeds its limits."""
TAGS = {INFEASIBLE: ("identity", "dimension"), BACKBONE_EXISTS: ("backbone",)}
"""By goal: how the folders of unconditional artifacts end."""
NAMES = frozenset(("statement.json", "certificate.json", "proof.md", QUERY))


class RefusedError(CertificateError):
    """What was found is not written: it is larger than check.py reads, or its check ran out of time or memory."""


def folder_name(statement: Width, tag: str) -> str:
    """The folder of the statement's artifact with this tag, under `ID`."""
    sizes = f"H{statement.H}-L{statement.L}-m{statement.m}-{statement.heads}-{statement.targets}"
    return f"{sizes}-{tag}"


def publish(
    out: Path,
    statement: Width,
    tag: str,
    parts: Mapping[str, Any],
    command: str,
    facts: Mapping[str, Any],
    limits: Limits | None = None,
) -> Path:
    """Write `out/attention_matching_search/<sizes>-<tag>/` if check.py accepts it, within `limits` if there are any.

    `parts` are the certificate's fields; `facts` are the names that proof.md shows.  Raises RefusedError for what is
    too large, InternalError if check.py refuses anything else.
    """
    certificate = Certificate(statement.sha256, parts=parts)
    files = {"statement.json": statement.as_bytes(), "certificate.json": certificate.as_bytes()}
    result = _checked(files["statement.json"], files["certificate.json"], limits)
    if result["verdict"] != "VALID" or list(result["claims"]) != statement.claims:
        if (result["reason"] or "").endswith(TOO_LARGE):
            raise RefusedError(f"it is larger than check.py reads ({result['reason']})")
        raise InternalError("check.py refuses what the search found", got=result["reason"] or str(result["claims"]))
    files["proof.md"] = _markdown(statement, tag, parts, command, list(result["cited"]), facts).encode()
    if "query" in parts:
        files[QUERY] = parts["query"].encode()
    folder = out / ID / folder_name(statement, tag)
    publish_folder(folder, files, known=NAMES)
    return folder


def _checked(statement: bytes, certificate: bytes, limits: Limits | None) -> dict[str, Any]:
    if limits is None:
        return check_bytes(statement, certificate, None)._asdict()
    answer = ask("check", limits, statement=statement.decode(), certificate=certificate.decode())
    if answer.value is None:
        raise RefusedError(f"check.py did not finish ({answer.reason})")
    return answer.value


def _markdown(
    statement: Width, tag: str, parts: Mapping[str, Any], command: str, cited: list[str], facts: Mapping[str, Any]
) -> str:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("symut.prover"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    names = {"statement": statement, "command": command, "cited": cited, "tag": tag, "parts": parts, "facts": facts}
    return environment.get_template(statement.template).render(**names, shown=_shown(parts, facts))


def _shown(parts: Mapping[str, Any], facts: Mapping[str, Any]) -> dict[str, Any]:
    """The witness for people, as far as there is room for it."""
    if "backbone" in parts:
        return backbone_tables(parts["backbone"])
    return identity_equations(parts["identity"], facts["slice"]) if "identity" in parts else {}
