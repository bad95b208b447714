"""`symut check [PATH ...]`: re-check artifacts with the independent checker."""

from __future__ import annotations

import click

from symut.cli.show import JSON, QUIET, print_json, print_line
from symut.errors import CertificateError


@click.command("check")
@click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATH ...]")
@JSON
@QUIET
def command(paths: tuple[str, ...], as_json: bool, quiet: bool) -> int:
    """Re-check artifacts (default: everything under proofs/) with check.py, which shares no code with the prover.

    Exit code 0 if all are VALID, 13 if any is INVALID, 2 if there is none.
    """
    from symut.api import check

    results = check(*paths)
    if as_json:
        print_json(results)
    for result in [] if as_json else results:
        if result["reason"] or not quiet:
            print_line(
                f"{result['verdict']} {result['artifact']}" + (f": {result['reason']}" if result["reason"] else "")
            )
    return max(0 if result["verdict"] == "VALID" else CertificateError.exit_code for result in results)
