"""`symut rasp emit FILE --n N`: compile a RASP sequence to a transformer encoder and write it as a torch module.

Main definition: `emit`.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symut.cli.show import JSON, MAX_MEMORY, QUIET, console, named_folder, print_json, print_line
from symut.errors import UsageError, printable

if TYPE_CHECKING:
    from symut.rasp.emission.emit import Emission
    from symut.rasp.lowering.issues import Issue
    from symut.rasp.program import Program


_NO_EXAMPLE = "warning: the program has a value on none of the inputs tried, so that the module cannot check itself"


@click.command("emit", short_help="Compile a sequence to an encoder, a torch module.")
@click.argument("file", type=click.Path(), metavar="FILE")
@click.option("--name", "name", metavar="SEQ", help="What to compile: a name or an expression.")
@click.option("--n", "n", type=int, required=True, metavar="N", help="The longest input.")
@click.option("--alphabet", "alphabet", metavar="TEXT", help="Tokens are the characters of TEXT.")
@click.option("--alphabet-json", "listed", metavar="LIST", help="Tokens are the items of a JSON list.")
@click.option(
    "--numeric", is_flag=True, help="Tokens are any numbers; gates on them compute + - * /, exp, max and min only."
)
@click.option("--causal", is_flag=True, help="Queries select no later keys.")
@click.option("--picture", is_flag=True, help="Also write encoder.svg, a picture of the layers.")
@click.option(
    "--out",
    "out",
    default="generated",
    show_default=True,
    callback=named_folder,
    help="The folder that receives the module.",
)
@MAX_MEMORY
@JSON
@QUIET
def emit(
    file: str,
    name: str | None,
    n: int,
    alphabet: str | None,
    listed: str | None,
    numeric: bool,
    causal: bool,
    picture: bool,
    out: str,
    max_memory: str,
    as_json: bool,
    quiet: bool,
) -> int:
    """Compile a sequence of the program FILE ("library" is the standard library) for inputs of 1 to N tokens.

    Writes OUT/rasp-SEQ-nN/model.py, which imports torch and safetensors only, and weights.safetensors. The encoder's
    attention is average-hard; answers are exact in the dtypes that the module names, and numbers without a finite list
    of values are rounded. If parts of the program have no encoder, all of them are listed, with their places.
    """
    from symut.cli.rasp import excerpts
    from symut.publish import publish_folder
    from symut.rasp import load_program
    from symut.rasp.emission.earlier import replaced
    from symut.rasp.emission.emit import module_name

    letters = _letters(alphabet, listed, numeric)
    with excerpts():
        program = load_program(file)
        chosen = _chosen(program, name, file)
        words = [
            Path(file).name,
            "--name",
            chosen,
            "--n",
            str(n),
            *_options(alphabet, listed, numeric, causal, picture),
        ]
        _require_memory(program, chosen, n, letters, max_memory)
        emission = _emission(
            program, chosen, n, letters, causal, f"python -m symut rasp emit {shlex.join(words)}", quiet
        )
    target = Path(out) / module_name(chosen, n, causal)
    files = {**emission.files, **({"encoder.svg": emission.picture()} if picture else {})}
    before = replaced(target, files["model.py"])
    publish_folder(target, files, known=("model.py", "weights.safetensors", "encoder.svg"))
    _answer(emission, str(target), chosen, n, before, as_json, quiet)
    return 0


def _letters(alphabet: str | None, listed: str | None, numeric: bool) -> Any:
    from symut.cli.rasp import listed_tokens

    if sum([alphabet is not None, listed is not None, numeric]) > 1:
        raise UsageError("several kinds of tokens", expected="one of --alphabet, --alphabet-json, --numeric")
    return listed_tokens("--alphabet-json", listed) if listed is not None else alphabet


def _options(alphabet: str | None, listed: str | None, numeric: bool, causal: bool, picture: bool) -> list[str]:
    words = ["--alphabet", alphabet] if alphabet is not None else []
    words += ["--alphabet-json", listed] if listed is not None else []
    flags = {"--numeric": numeric, "--causal": causal, "--picture": picture}
    return words + [flag for flag, given in flags.items() if given]


def _chosen(program: Program, name: str | None, file: str) -> str:
    """The sequence to compile: the named one, or the only public one of the file."""
    if name is not None:
        return name
    names = list(program.sequences)
    if len(names) != 1:
        raise UsageError(
            f"{file} names {len(names) or 'no'} sequences",
            expected="--name SEQ",
            got=", ".join(names[:8]),
            remedy=f"for example --name {names[-1]}" if names else "name one: reverse = ...;",
        )
    return names[0]


def _require_memory(program: Program, name: str, n: int, letters: Any, max_memory: str) -> None:
    """Refuse what would need more memory, before anything is analysed."""
    from symut.limits import parse_bytes, require_memory
    from symut.rasp.lowering.lower import MAX_N
    from symut.rasp.lowering.predicted import predicted_bytes

    limit, node = parse_bytes(max_memory), program.node(name)
    if 1 <= n <= MAX_N:
        predicted = predicted_bytes(node, n, None if letters is None else len(letters))
        require_memory(predicted, limit, f"compiling {name} for n = {n}")


def _emission(program: Program, name: str, n: int, letters: Any, causal: bool, command: str, quiet: bool) -> Emission:
    from symut.rasp.emission.emit import emit as emitted
    from symut.rasp.lowering.lower import lower, prepare

    node = program.node(name)
    found = prepare(node, n=n, alphabet=letters, causal=causal)
    _list(found.issues, quiet)
    encoder = lower(found)
    where = Path(program.source.name).name
    title = f"The RASP sequence {name} of {where} as a transformer encoder: n = {n} tokens or fewer."
    example = program.example if isinstance(program.example, (str, list)) else ""
    return emitted(
        encoder, found.root, name=name, title=title, command=command, program=program.source.text, given=[list(example)]
    )


def _list(issues: list[Issue], quiet: bool) -> None:
    """All issues but the first, which is the error itself."""
    for issue in issues[1:]:
        if not quiet:
            click.echo(printable(str(issue)), err=True)


def _answer(emission: Emission, path: str, name: str, n: int, before: str | None, as_json: bool, quiet: bool) -> None:
    cost = emission.cost
    if as_json:
        inexact = {dtype: list(problems) for dtype, problems in emission.inexact.items()}
        print_json(
            {
                "path": path,
                "name": name,
                "n": n,
                "cost": cost.as_json(),
                "exact": list(emission.exact),
                "rounded": list(emission.rounded),
                "inexact": inexact,
                "examples": emission.examples,
                "replaced": before,
            }
        )
        return
    print_line(path)
    lines = [f"{'replaced':17} the module of {printable(before)}"] if before else []
    lines += [f"{label:17} {text}" for label, text in cost.lines()]
    lines += _dtypes(emission)
    lines.append(f"Self-check: python {path}/model.py" if emission.examples else _NO_EXAMPLE)
    console(error=True, quiet=quiet).print(*lines, sep="\n", soft_wrap=True, markup=False)


def _dtypes(emission: Emission) -> list[str]:
    """The dtypes in which answers are exact, or carry rounding errors only, and what is wrong in the others."""
    lines = [f"{'exact in':17} {', '.join(emission.exact) or 'no dtype'}"] if not emission.rounded else []
    lines += [f"{'rounded in':17} {', '.join(emission.rounded)}"] if emission.rounded else []
    return lines + [f"{'not exact':17} {text}" for problems in emission.inexact.values() for text in problems[:3]]
