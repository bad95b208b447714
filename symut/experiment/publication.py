"""The table and plots of a folder of records, written beside them.

Main definition: `publish`, `FILES`.
"""

from __future__ import annotations

from pathlib import Path

from symut.experiment.plots import accuracy_plot, curves_plot
from symut.experiment.record import read_records
from symut.experiment.table import Row, rows
from symut.experiment.texts import latex, markdown
from symut.publish import publish_file

FILES = ("table.md", "table.tex", "accuracy.svg", "curves.svg")


def publish(folder: Path) -> list[Row]:
    """Write FILES from the records in the folder; the rows of the table.

    Raises UsageError if there are no records, one cannot be read, or a file cannot be written.
    """
    records = read_records(folder)
    found = rows(records)
    contents = (markdown(found).encode(), latex(found).encode(), accuracy_plot(records), curves_plot(records))
    for name, content in zip(FILES, contents, strict=True):
        publish_file(folder / name, content)
    return found
