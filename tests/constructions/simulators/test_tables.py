"""The tables of docs/simulators.md are those of the encoders that are built today."""

from tests.constructions.simulators.tables import PAGE, page


def test_the_page_has_the_costs_of_today():
    assert PAGE.read_text() == page()
