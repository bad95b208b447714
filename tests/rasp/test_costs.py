"""The costs in docs/rasp.md are those of the encoders that are built today."""

from tests.rasp.costs import ALPHABETS, LENGTHS, PAGE, encoders, page


def test_the_page_has_the_costs_of_today():
    assert PAGE.read_text() == page()


def test_heads_and_layers_do_not_grow_with_the_length():
    small, large = ({name: [len(layer.heads) for layer in e.layers] for name, e in encoders(n)} for n in LENGTHS)
    assert small == large
    assert small.keys() == ALPHABETS.keys()
