"""Equal RASP programs as an artifact: the graph, the cases with their Farkas combinations, and both programs' texts.

Main definition: `certify`.
Main result: a folder is written only if check.py, which has its own interpreter, accepts the certificate.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from symut.certificate import Certificate
from symut.errors import InternalError
from symut.prover.checker import check_bytes
from symut.publish import publish_folder
from symut.rasp.core import Node
from symut.rasp.symbolic import Comparison, Domain, Letters, Numbers
from symut.rasp.symbolic.domain import UnsupportedError
from symut.rasp.symbolic.graph import graph_of, plain
from symut.rasp.symbolic.tree import case_tree
from symut.statement.rasp import INTEGER, LETTERS, RASP_EQUALITY, RATIONAL, Equality

MOST_CASES = 1000
MOST_WORK = 10**7
FIRST, SECOND = "program.rasp", "other.rasp"
NAMES = frozenset(("statement.json", "certificate.json", "proof.md", FIRST, SECOND))


def certify(
    first: Node, second: Node, found: Sequence[Comparison], domain: Domain, defined: bool, texts: tuple[str, str]
) -> tuple[Equality, Certificate] | None:
    """The statement and a certificate that check.py accepts, None if these comparisons have none.

    There is none for exponentials and Python functions, for conditions that are not linear, where a solver was asked,
    and where the checker would have too much to do.
    """
    try:
        nodes, one, other = graph_of(first, second)
    except UnsupportedError:
        return None
    evidence = {} if one == other else _evidence(found, domain, len(nodes))
    if evidence is None or max(one_found.n for one_found in found) > 64:
        return None
    statement = Equality(
        least=found[0].n,
        most=found[-1].n,
        tokens=LETTERS if isinstance(domain, Letters) else INTEGER if domain == Numbers(True) else RATIONAL,
        letters=[plain(letter) for letter in domain.letters] if isinstance(domain, Letters) else [],
        nodes=nodes,
        first=one,
        second=other,
        defined=defined,
        programs=(_digest(texts[0]), _digest(texts[1])),
    )
    certificate = Certificate(statement.sha256, parts=evidence)
    result = check_bytes(statement.as_bytes(), certificate.as_bytes(), None)
    if result.verdict == "VALID" and list(result.claims) != statement.claims:
        raise InternalError("check.py reads another statement", got=str(result.claims))
    return (statement, certificate) if result.verdict == "VALID" else None


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _evidence(found: Sequence[Comparison], domain: Domain, nodes: int) -> dict[str, Any] | None:
    """The certificate's fields: nothing for a finite alphabet, a tree of cases per length otherwise."""
    if isinstance(domain, Letters):
        work = sum(len(domain.letters) ** one.n * one.n**2 * nodes for one in found)
        return {} if work <= MOST_WORK and all(one.method == "exhaustive" for one in found) else None
    trees = [_tree(one) for one in found]
    return None if None in trees else {"cases": trees}


def _tree(found: Comparison) -> Any | None:
    if found.method == "identical":
        return []
    if found.method != "cases" or not found.paths or len(found.paths) > MOST_CASES or len(found.trusted) > 1:
        return None
    return case_tree(found.paths)


def publish(
    out: Path,
    statement: Equality,
    certificate: Certificate,
    names: tuple[str, str],
    texts: tuple[str, str],
) -> Path:
    """Write `out/rasp_equality/<names>-n<lengths>-<start of the statement's SHA-256>/`."""
    lengths = f"n{statement.least}" if statement.least == statement.most else f"n{statement.least}-{statement.most}"
    shorts = ["".join(c for c in name if c.isascii() and (c.isalnum() or c == "_"))[:24] or "x" for name in names]
    folder = out / RASP_EQUALITY / f"{shorts[0]}-{shorts[1]}-{lengths}-{statement.sha256[:8]}"
    files = {
        "statement.json": statement.as_bytes(),
        "certificate.json": certificate.as_bytes(),
        "proof.md": _markdown(statement, names).encode(),
        FIRST: texts[0].encode(),
        SECOND: texts[1].encode(),
    }
    publish_folder(folder, files, known=NAMES)
    return folder


def _markdown(statement: Equality, names: tuple[str, str]) -> str:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("symut.prover"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(statement.template).render(statement=statement, names=names)
