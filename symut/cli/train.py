"""`symut train TASK` and `symut train --suite NAME`: embedding-only training beside baselines, with table and plots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symut.cli.show import JSON, MAX_MEMORY, QUIET, console, named_folder, print_json, print_line, warn
from symut.cli.train_bar import training_bar
from symut.errors import UsageError
from symut.limits import parse_bytes

if TYPE_CHECKING:
    from symut.experiment.protocol import Cell
    from symut.experiment.record import Record
    from symut.experiment.running import Place
    from symut.experiment.table import Row

FOLDER = "results"
BACKBONES, ARCHITECTURES = ("sparse", "random", "trained"), ("attention", "residual", "mlp")
PRESETS, SUITES = ("cpu", "paper"), ("cpu", "full")
DISTRIBUTIONS, DEVICES = ("gaussian", "orthogonal"), ("cpu", "cuda")
"""What --help shows, written out because the library's own lists would import torch; the library refuses the others."""
_SIZES = {
    "pairs": "most pairs of parentheses (dyck)",
    "hops": "hops (khop)",
    "n": "tokens of a sequence (khop)",
    "H": "heads per layer",
    "L": "layers",
    "d": "outputs of the sparse backbone, its read-out width",
    "k": "head width",
    "m": "width; by default that of the sparse backbone of the same shape",
    "mlp": "hidden width of feed-forward blocks, as a multiple of m",
    "steps": "steps of a run",
    "batch": "sequences of a step",
    "every": "steps between evaluations",
    "patience": "evaluations without a smaller validation loss before a run ends",
    "validation": "sequences of the validation set",
    "test": "sequences of the test set",
}


def _one_of(words: Sequence[str]) -> str:
    return f"[{'|'.join(words)}]"


def _sizes(run: Callable[..., int]) -> Callable[..., int]:
    for name, text in reversed(_SIZES.items()):
        run = click.option(f"--{name}", name, type=click.INT, help=text)(run)
    return run


def _numbers(ctx: click.Context, option: click.Parameter, text: str | None) -> tuple[float, ...]:
    """Numbers separated by commas; none if the option is missing."""
    try:
        return tuple(float(part) for part in text.split(",")) if text is not None else ()
    except ValueError:
        from symut.experiment.refusal import out_of_range

        raise out_of_range(str(option.name), "numbers separated by commas", text) from None


def _asked_cells(ctx: click.Context, options: dict[str, Any]) -> list[Cell]:
    """The cells of the suite, or the one that the options describe; UsageError if there are none."""
    from symut.experiment.suites import cell, suite

    name, only, task = (options.pop(key) for key in ("suite", "only", "task"))
    if name is not None:
        _require_no_sizes(ctx, task)
        found = suite(name)
    elif task is None:
        raise UsageError("symut train needs a task", expected="dyck, khop, or --suite", remedy="see --help")
    else:
        turned: dict[str, Any] = {"causal": False} if options.pop("bidirectional") else {}
        given = {key: value for key, value in options.items() if value is not None and value is not False}
        found = [cell(task=task, **(given | turned))]
    found = [one for one in found if (only or "") in one.template.cell]
    if not found:
        raise UsageError("--only matches no cell", got=str(only)[:60], remedy="see --list")
    return found


def _require_no_sizes(ctx: click.Context, task: str | None) -> None:
    """A suite fixes its cells; options that describe one cell are refused beside it."""
    shared = {"suite", "listed", "only", "out", "device", "threads", "resume", "max_memory", "as_json", "quiet"}
    given = [name for name in ctx.params if ctx.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE]
    own = [name for name in given if name not in shared]
    if own:
        got = task or f"--{own[0].replace('_', '-')}"
        raise UsageError("a suite fixes its cells", expected="--suite alone", got=got, remedy="drop one of them")


def _cell_object(cell: Cell) -> dict[str, Any]:
    """What `--list --json` prints of a cell."""
    about = {"cell": cell.template.cell, "steps": cell.template.steps, "seeds": list(cell.seeds)}
    return about | {"init": list(cell.inits), "lr": list(cell.rates), "trial_steps": cell.trial_steps}


def _print_cells(cells: Sequence[Cell], to_stdout: bool) -> None:
    for cell in cells:
        trials = len(cell.grid) if len(cell.grid) > 1 else 0
        runs = f"{trials} trials of {cell.trial_steps} steps, {len(cell.seeds)} runs of {cell.template.steps}"
        text = f"{cell.template.cell}: {runs}"
        print_line(text) if to_stdout else console(error=True).print(text, markup=False, soft_wrap=True)


def _print_record(record: Record, quiet: bool) -> None:
    about, screen = record.configuration, console(error=True, quiet=quiet)
    found = ", ".join(f"{name} {score['accuracy']:.4f}" for name, score in record.test.items()) or "no test"
    print_line(f"{about.name}: {record.stopped} at step {record.step}: {found}")
    for name, rules in record.baselines.items():
        listed = ", ".join(f"{rule} {accuracy:.3f}" for rule, accuracy in rules.items())
        screen.print(f"  baselines, {name}: {listed}", markup=False, soft_wrap=True)
    seconds = record.measured["cpu_seconds"]
    chosen = f"init {about.init:g}, lr {about.lr:g}; {record.weights['trained']} weights trained, {seconds:.0f} CPU s"
    screen.print(f"  {chosen}", markup=False, soft_wrap=True)


def _require_converged(record: Record, place: Place) -> None:
    from symut.experiment.training import DIVERGED

    if record.stopped == DIVERGED:
        raise UsageError(
            f"the loss of {record.configuration.name} is not a number",
            expected="a finite loss",
            got=f"NaN or infinity at step {record.step} with lr {record.configuration.lr:g}",
            remedy=f"lower --lr; the record is in {place.out}",
        )


@click.command("train", short_help="Train an embedding around a fixed backbone, beside baselines.")
@click.argument("task", required=False)
@click.option(
    "--backbone", "backbone", default="sparse", show_default=True, metavar=_one_of(BACKBONES), help="The matrices."
)
@click.option(
    "--arch", "arch", default="attention", show_default=True, metavar=_one_of(ARCHITECTURES), help="The blocks."
)
@click.option("--preset", "preset", default="cpu", show_default=True, metavar=_one_of(PRESETS), help="Sizes and steps.")
@click.option("--suite", "suite", metavar=_one_of(SUITES), help="Train all cells of a table instead of one.")
@click.option("--list", "listed", is_flag=True, help="List the cells and train nothing.")
@click.option("--only", "only", help="Only the cells whose name contains this.")
@_sizes
@click.option("--distribution", "distribution", metavar=_one_of(DISTRIBUTIONS), help="Of random matrices.")
@click.option("--shared", "shared", is_flag=True, help="One set of random matrices for all layers.")
@click.option("--bidirectional", "bidirectional", is_flag=True, help="Tokens attend to later ones, too.")
@click.option("--init", "init", callback=_numbers, help="Standard deviations of E and P to choose from, as 0.3,1.")
@click.option("--lr", "lr", callback=_numbers, help="Learning rates to choose from.")
@click.option("--seed", "seed", type=click.INT, default=0, show_default=True, help="The first seed.")
@click.option("--seeds", "seeds", type=click.INT, default=3, show_default=True, help="How many seeds.")
@click.option("--device", "device", default="cpu", show_default=True, metavar=_one_of(DEVICES), help="Where to train.")
@click.option("--threads", "threads", type=click.IntRange(1, 256), default=1, show_default=True, help="CPU threads.")
@click.option("--resume", "resume", is_flag=True, help="Go on from the last checkpoint; keep finished runs.")
@click.option("--out", "out", default=FOLDER, show_default=True, callback=named_folder, help="Folder of the results.")
@MAX_MEMORY
@JSON
@QUIET
@click.pass_context
def command(ctx: click.Context, task: str | None, as_json: bool, quiet: bool, **options: Any) -> int:
    """Train E, P and U around a fixed backbone on TASK (dyck or khop), and print the baselines beside the result.

    Initial scale and learning rate are chosen on the validation split by a grid of short runs, unless --init and --lr
    are one number each; then follow --seeds runs. Every run is one JSON file in --out, where table.md, table.tex and
    two plots are made from these files alone.
    """
    from symut.experiment.running import Place

    taken = {name: options.pop(name) for name in ("listed", "out", "device", "threads", "max_memory", "resume")}
    keep = options["suite"] is None
    cells = _asked_cells(ctx, {"task": task, **options})
    if taken["listed"]:
        print_json([_cell_object(cell) for cell in cells]) if as_json else _print_cells(cells, to_stdout=True)
        return 0
    memory = parse_bytes(taken["max_memory"])
    place = Place(Path(taken["out"]), taken["device"], taken["threads"], memory, taken["resume"])
    return _train(cells, place, keep, as_json, quiet)


def _train(cells: Sequence[Cell], place: Place, keep_weights: bool, as_json: bool, quiet: bool) -> int:
    """Run the cells, print the records of each, and the table of the whole folder at the end."""
    from symut.experiment.protocol import run_cell
    from symut.experiment.publication import FILES, publish

    if len(cells) > 1 and not quiet:
        _print_cells(cells, to_stdout=False)
    found: list[Record] = []
    for cell in cells:
        with training_bar(cell, quiet) as progress, _told_how_to_go_on(place):
            records = list(run_cell(cell, place, progress, keep_weights=keep_weights))
        found += records
        for record in records if not as_json else ():
            _print_record(record, quiet)
    rows = publish(place.out)
    if as_json:
        print_json([{"path": str(place.path_of(record.configuration.name)), **record.as_json()} for record in found])
    else:
        _print_table(rows)
        console(error=True, quiet=quiet).print(
            f"written to {place.out}: {', '.join(FILES)}", markup=False, soft_wrap=True
        )
    for record in found:
        _require_converged(record, place)
    return 0


@contextmanager
def _told_how_to_go_on(place: Place) -> Iterator[None]:
    """After Ctrl-C, say where the last checkpoint is."""
    try:
        yield
    except KeyboardInterrupt:
        warn(f"what is done is in {place.out}; to go on: the same command with --resume")
        raise


def _print_table(rows: Sequence[Row]) -> None:
    """The table on standard output, with the baselines under it."""
    from symut.cli.layout import Grid, fitted
    from symut.experiment.table import COLUMNS, RIGHT, baseline_lines, cells

    screen = console(error=False)
    grid = Grid(COLUMNS, [cells(row) for row in rows], folds=("architecture", "best baseline"), right=RIGHT, lead=3)
    screen.print(fitted(grid, screen.width))
    for line in baseline_lines(rows):
        screen.print(line, markup=False, soft_wrap=True)
