"""`python -m tests.benchmarks [NAME ...]`: measure, and print one table; exit 1 if a bound is missed."""

import importlib
import sys

from rich.console import Console
from rich.table import Table

NAMES = ("commands", "scaling", "rank", "forward", "forms", "programs", "rasp", "simulators", "training")


def main(names: list[str]) -> int:
    table = Table("what", "measured", "wanted", "")
    missed = 0
    for name in names or NAMES:
        for row in importlib.import_module(f"tests.benchmarks.{name}").measure():
            missed += not row.reached
            mark = "" if not row.wanted else "ok" if row.reached else "MISSED"
            table.add_row(row.what, f"{row.measured:.4g} {row.unit}", row.wanted, mark)
    Console(width=120).print(table)
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
