"""`python -m tests.experiment.page`: the table of docs/experiments.md, from the records in results/cpu."""

from pathlib import Path

from symut.experiment.record import read_records
from symut.experiment.table import rows
from symut.experiment.texts import markdown

ROOT = Path(__file__).resolve().parents[2]
PAGE, RESULTS = ROOT / "docs" / "experiments.md", ROOT / "results" / "cpu"
START, END = "<!-- results -->\n", "<!-- end of results -->\n"


def page():
    """The text of the page with the table of the records."""
    before, rest = PAGE.read_text().split(START)
    return before + START + markdown(rows(read_records(RESULTS))) + END + rest.split(END)[1]


if __name__ == "__main__":
    PAGE.write_text(page())
