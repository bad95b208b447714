#!/usr/bin/env python3
"""Independent checker of symut's artifacts: python -I -S -O check.py [--json] [--quiet] [PATH ...]

Claim.  VALID is printed only if the sentences printed below it follow from what the folder `symut_checker` beside
this file computed and from the cited lemmas.  FORMAT.md is the specification and says why each rule suffices.  This
file finds artifacts, prints verdicts and sets the exit code; the folder has one file per rule.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib.util
import json
import os
import sys
from pathlib import Path
from typing import Any, NoReturn


def load_checker() -> None:
    """Import the folder `symut_checker` beside this file, whatever else the path may offer under that name."""
    folder = Path(__file__).resolve().with_name("symut_checker")
    loaded = sys.modules.get("symut_checker")
    if loaded is not None and list(loaded.__path__) == [str(folder)]:
        return
    start, places = folder / "__init__.py", [str(folder)]
    spec = importlib.util.spec_from_file_location("symut_checker", start, submodule_search_locations=places)
    if spec is None or spec.loader is None or not start.is_file():
        raise ImportError(f"no checker at {folder}")
    sys.modules[spec.name] = package = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(package)


load_checker()

from symut_checker.moves import MAX_FILLED, MAX_MOVES  # noqa: E402 - the package exists only now
from symut_checker.strict import printable  # noqa: E402
from symut_checker.verdict import CERTIFICATE, STATEMENT, Result, check_artifact, check_bytes  # noqa: E402

__all__ = ["MAX_FILLED", "MAX_MOVES", "artifacts", "check_artifact", "check_bytes", "main"]


def artifacts(root: Path) -> list[Path]:
    """Every folder at or under root that has one of the two JSON files; links to folders are not followed."""

    def stop(error: OSError) -> NoReturn:
        raise error  # a folder that cannot be listed must not pass for one without artifacts

    found = []
    for folder, folders, files in os.walk(root, onerror=stop):
        folders.sort()
        found += [Path(folder)] * bool({STATEMENT, CERTIFICATE} & {*folders, *files})
    if not found:
        raise FileNotFoundError(f"no artifact (a folder with {STATEMENT} and {CERTIFICATE}) under {root}")
    return found


def report(folder: Path, result: Result) -> str:
    if result.verdict != "VALID":
        return f"INVALID {printable(str(folder))}: {result.reason}"
    lines = [*result.claims, f"cited, not checked here: {', '.join(result.cited) or 'nothing'}"]
    return "\n    ".join([f"VALID  {printable(str(folder))}", *lines])


def run(options: argparse.Namespace) -> int:
    paths = options.path or [Path(__file__).resolve().parent]
    folders = list(dict.fromkeys(folder for path in paths for folder in artifacts(path)))
    results: list[dict[str, Any]] = []
    for folder in folders:
        result = check_artifact(folder)
        results.append({"artifact": str(folder), **result._asdict()})
        if not options.json and (result.verdict != "VALID" or not options.quiet):
            print(report(folder, result), flush=True)
    invalid = sum(result["verdict"] != "VALID" for result in results)
    if options.json:
        print(json.dumps(results, indent=2))
    elif not options.quiet:
        print(f"{len(results)} checked: {len(results) - invalid} VALID, {invalid} INVALID")
    return 13 if invalid else 0


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Check artifacts. Exit 0: all VALID, 13: not all, 2: usage.")
    parser.add_argument("path", nargs="*", type=Path, help="artifact or tree of them (default: this folder)")
    parser.add_argument("--json", action="store_true", help="print one JSON list")
    parser.add_argument("--quiet", action="store_true", help="print only what is not VALID")
    for stream in (sys.stdout, sys.stderr):
        getattr(stream, "reconfigure", lambda **_: None)(errors="backslashreplace")
    try:
        code = run(parser.parse_args(argv))
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        forget_output()
        return 141
    except (OSError, ValueError, RecursionError) as error:
        forget_output()
        print(f"check.py: {printable(str(error))}", file=sys.stderr)
        return 2


def forget_output() -> None:
    """What is still buffered must not raise again when the interpreter closes."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    gc.disable()  # no cycles are built, and scanning millions of small lists would double the time
    sys.exit(main())
