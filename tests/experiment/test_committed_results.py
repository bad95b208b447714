"""The committed table, page and plots come from the committed records, which are those of the CPU suite."""

import shutil

from symut.experiment.publication import FILES, publish
from symut.experiment.record import read_records
from symut.experiment.suites import suite
from tests.experiment.page import PAGE, RESULTS, page


def test_the_committed_tables_are_those_of_the_records(tmp_path):
    for path in RESULTS.glob("*.json"):
        shutil.copy(path, tmp_path)
    publish(tmp_path)
    for name in FILES:
        assert (RESULTS / name).is_file()
        if not name.endswith(".svg"):  # whose bytes depend on the version of matplotlib
            assert (tmp_path / name).read_text() == (RESULTS / name).read_text()


def test_the_page_has_the_table_of_the_records():
    assert PAGE.read_text() == page()


def test_the_records_are_the_runs_of_the_cpu_suite():
    found = {record.configuration.name: record for record in read_records(RESULTS)}
    expected = {cell.template.with_(seed=seed).name: cell for cell in suite("cpu") for seed in cell.seeds}
    assert found.keys() == expected.keys()
    for name, cell in expected.items():
        about = found[name].configuration
        assert about == cell.template.with_(init=about.init, lr=about.lr, seed=about.seed, m=about.width)
        trials = found[name].selection
        assert {(trial["init"], trial["lr"]) for trial in trials} == set(cell.grid)
        assert (about.init, about.lr) == (trials[0]["init"], trials[0]["lr"])
        assert trials[0]["validation_loss"] == min(trial["validation_loss"] for trial in trials)


def test_no_run_of_the_cpu_suite_took_two_minutes():
    assert max(record.measured["cpu_seconds"] for record in read_records(RESULTS)) < 120
