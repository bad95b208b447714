"""The command line: one file per command; each parses, calls one library function, and prints.

Main definitions: `main`, `cli`.  Exit codes: 0 success, PROVED or VALID; 10 REFUTED; 11 UNKNOWN; 12 TRUSTED;
13 INVALID; 2 bad input; 1 a bug in symut; 130 interrupted.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Sequence

import click

from symut.errors import SymutError, UsageError
from symut.suggest import nearest
from symut.version import __version__

COMMANDS = {
    "list": "symut.cli.catalog",
    "prove": "symut.cli.prove",
    "check": "symut.cli.check",
    "emit": "symut.cli.emit",
    "program": "symut.cli.program",
}


class _LazyGroup(click.Group):
    """A command's module is imported only when it is called (or when all are listed in --help)."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        if cmd_name not in COMMANDS:
            raise UsageError(f"unknown command {cmd_name}", remedy=nearest(cmd_name, COMMANDS))
        return importlib.import_module(COMMANDS[cmd_name]).command


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="symut")
def cli() -> None:
    """Prove, build and emit fixed universal transformers.

    A verdict goes to standard output, everything else to standard error. Exit codes: 0 PROVED, VALID or done,
    10 REFUTED, 11 UNKNOWN, 12 TRUSTED, 13 INVALID, 2 bad input, 1 a bug in symut, 130 interrupted.
    """


def _report(error: SymutError, as_json: bool) -> int:
    if as_json:
        click.echo(json.dumps(error.as_json()))
    click.echo(f"symut: {error}", err=True)
    return error.exit_code


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; every error is one line."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    as_json = "--json" in arguments
    try:
        return cli.main(arguments, prog_name="symut", standalone_mode=False) or 0
    except SymutError as error:
        return _report(error, as_json)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.ClickException as error:
        return _report(UsageError(error.format_message(), remedy="see symut COMMAND --help"), as_json)
    except (click.Abort, KeyboardInterrupt):
        click.echo("symut: interrupted; nothing half-written was left", err=True)
        return 130
    except BrokenPipeError:
        sys.stdout = None  # the reader went away; nothing more can be printed
        return 0
    except MemoryError:
        return _report(UsageError("out of memory", remedy="take a smaller size"), as_json)
