"""The command line: one file per command; each parses, calls one library function, and prints.

Main definitions: `main`, `cli`.  Exit codes: 0 success, PROVED or VALID; 10 REFUTED; 11 UNKNOWN; 12 TRUSTED;
13 INVALID; 2 bad input; 1 a bug in symut; 130 interrupted; 141 standard output closed by its reader.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

import click

from symut.cli.interrupts import noticed_interrupts
from symut.errors import InternalError, SymutError, UsageError, printable
from symut.suggest import nearest
from symut.version import __version__

CLOSED_OUTPUT = 141
"""The exit code when the reader of standard output went away, as of a program ended by SIGPIPE."""
COMMANDS = {
    "list": "symut.cli.catalog",
    "prove": "symut.cli.prove",
    "check": "symut.cli.check",
    "emit": "symut.cli.emit",
    "program": "symut.cli.program",
    "search": "symut.cli.search",
    "rasp": "symut.cli.rasp",
    "bounds": "symut.cli.bounds",
    "train": "symut.cli.train",
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
    10 REFUTED, 11 UNKNOWN, 12 TRUSTED, 13 INVALID, 2 bad input, 1 a bug in symut, 130 interrupted,
    141 standard output closed by its reader.
    """


def _report(error: SymutError, as_json: bool) -> int:
    if as_json:
        click.echo(json.dumps(error.as_json()))
    click.echo(printable(f"symut: {error}"), err=True)
    return error.exit_code


def _as_symut_error(error: Exception) -> SymutError:
    """Anything else that stops a command, as one line; what nobody foresaw is a bug in symut."""
    if isinstance(error, click.ClickException):
        return UsageError(error.format_message().rstrip("."), remedy="see symut COMMAND --help")
    if isinstance(error, OSError):
        return UsageError("the system refuses", got=f"{error.strerror or error}: {error.filename or 'output'}")
    if isinstance(error, MemoryError):
        return UsageError("out of memory", remedy="take a smaller size")
    return InternalError("a bug in symut", got=f"{type(error).__name__}: {error}"[:300], remedy="please report it")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; every error is one line."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    with noticed_interrupts() as interrupts:
        try:
            code = cli.main(arguments, prog_name="symut", standalone_mode=False) or 0
            sys.stdout.flush()
            return code
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message(), err=True)
            return 2
        except (click.Abort, KeyboardInterrupt):
            return _interrupted()
        except (BrokenPipeError, SystemExit):  # click turns a closed pipe into SystemExit
            _forget_output()
            return CLOSED_OUTPUT
        except Exception as error:
            return _interrupted() if interrupts else _answer(error, "--json" in arguments)


def _interrupted() -> int:
    click.echo("symut: interrupted; nothing half-written was left", err=True)
    return 130


def _answer(error: Exception, as_json: bool) -> int:
    found = error if isinstance(error, SymutError) else _as_symut_error(error)
    try:
        return _report(found, as_json)
    except OSError:
        _forget_output()
        return found.exit_code


def _forget_output() -> None:
    """Nobody reads any more; what is still buffered must not raise when the interpreter closes."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
