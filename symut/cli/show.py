"""How commands print: JSON, lines, and progress bars on standard error.

Main definitions: `console`, `print_json`, `print_line`, `warn`, `bars`, the options JSON, QUIET, MAX_MEMORY,
and `named_folder` for --out.
rich honours NO_COLOR and draws no bar when standard error is not a terminal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from symut.errors import printable
from symut.limits import DEFAULT_MAX_MEMORY
from symut.publish import output_folder

if TYPE_CHECKING:
    from rich.console import Console

Progress = Callable[[str, int, int], None]

JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object on standard output.")
QUIET = click.option("--quiet", "quiet", is_flag=True, help="Print the verdict and errors only.")
MAX_MEMORY = click.option(
    "--max-memory",
    "max_memory",
    default=DEFAULT_MAX_MEMORY,
    show_default=True,
    help="Refuse what would need more.",
)


def named_folder(ctx: click.Context, option: click.Parameter, out: str) -> str:
    """The value of --out, refused before any work if it is empty."""
    return str(output_folder(out))


def console(error: bool, quiet: bool = False) -> Console:
    """rich's console on standard error or output."""
    from rich.console import Console

    return Console(stderr=error, quiet=quiet, highlight=False, soft_wrap=False)


def print_json(value: Any) -> None:
    """One object or list on standard output, keys in their documented order."""
    click.echo(json.dumps(value, indent=2))


def print_line(text: str) -> None:
    """One line on standard output, whatever names it contains."""
    click.echo(printable(text))


def warn(text: str) -> None:
    """One line on standard error that does not change the answer."""
    click.echo(printable(f"symut: {text}"), err=True)


@contextmanager
def bars(quiet: bool) -> Iterator[Progress]:
    """A progress callback (label, done, total) that draws one bar per label, on a terminal only."""
    screen = console(error=True, quiet=quiet)
    if quiet or not screen.is_terminal:
        yield lambda label, done, total: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True) as progress:
        tasks: dict[str, Any] = {}

        def update(label: str, done: int, total: int) -> None:
            if label not in tasks:
                tasks[label] = progress.add_task(label, total=total)
            progress.update(tasks[label], completed=done, total=total)

        yield update
