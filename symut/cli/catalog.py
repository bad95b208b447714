"""`symut list`: theorems and constructions, with their status in proofs/."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from symut.cli.columns import table
from symut.cli.show import JSON, console, print_json

if TYPE_CHECKING:
    from symut.listing import Entry


@click.command("list", short_help="Theorems and constructions, with their status in proofs/.")
@click.option(
    "--proofs",
    "proofs",
    default="proofs",
    show_default=True,
    help="Folder of the artifacts behind the status.",
)
@JSON
def command(proofs: str, as_json: bool) -> None:
    """Theorems and constructions: id, statement, parameters, source, status.

    The status of a theorem is PROVED if the artifact of its default instance passes check.py now, else NOT RUN.
    """
    from symut.listing import entries

    found = entries(Path(proofs))
    if as_json:
        print_json([asdict(entry) for entry in found])
        return
    from rich.text import Text

    screen = console(error=False)
    rows = [(e.id, e.status, Text.assemble(e.statement, "\n", (_origin(e), "dim"))) for e in found]
    screen.print(table(("id", "status", "statement"), rows, wide="statement", width=screen.width))


def _origin(entry: Entry) -> str:
    """The source, and the parameters if there are any."""
    return f"{entry.source}; parameters {' '.join(entry.parameters)}" if entry.parameters else entry.source
