"""`symut list`: theorems and constructions, with their status in proofs/."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from symut.cli.show import JSON, console, print_json, table


@click.command("list")
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
    rows = [
        (e.id, e.status, f"{e.statement}\n[dim]{e.source}; parameters {' '.join(e.parameters)}[/dim]") for e in found
    ]
    console(error=False).print(table(("id", "status", "statement"), rows, wide="statement"))
