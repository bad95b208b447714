"""Constructions of other packages: found by entry point, refused in one line when they are broken or take a name."""

from dataclasses import replace
from importlib.metadata import EntryPoint

import pytest

import symut
from symut import registry
from symut.errors import UsageError

OWN = registry.constructions()


@pytest.fixture
def plugin(monkeypatch):
    """Make `construction` (or what raises) the only foreign entry."""

    def install(construction, value="mine:CONSTRUCTION"):
        point = EntryPoint("mine", value, registry.GROUP)
        monkeypatch.setattr(registry, "entry_points", lambda group: [point])
        if not isinstance(construction, BaseException):
            monkeypatch.setattr(EntryPoint, "load", lambda self: construction)
        else:

            def fail(self):
                raise construction

            monkeypatch.setattr(EntryPoint, "load", fail)
        registry.constructions.cache_clear()

    yield install
    registry.constructions.cache_clear()


def renamed(construction_id, theorem_id):
    sparse = OWN["sparse"]
    return replace(sparse, id=construction_id, theorems=(replace(sparse.theorems[0], id=theorem_id),))


def test_another_packages_construction_is_listed_proved_and_emitted(plugin, tmp_path):
    plugin(renamed("mine", "mine_universality"))
    assert {"mine", *OWN} == set(registry.constructions())
    outcome = symut.prove("mine_universality", out=tmp_path)
    assert (outcome.verdict, outcome.goal) == ("PROVED", "sparse_universality")
    assert symut.emit("mine", m=48, out=tmp_path).path.endswith("mine-H2-L2-d3-k3-m48")


@pytest.mark.parametrize(
    ("construction_id", "theorem_id"),
    [
        ("sparse", "mine"),
        ("mine", "random_universality"),
        ("mine", "mine"),
        ("mine", "sharp_width"),
        ("sharp_width", "mine_t"),
        ("../../escape", "mine_t"),
        ("mine", "a/b"),
        ("", "t"),
    ],
)
def test_ids_that_are_taken_or_no_plain_names_are_refused(plugin, construction_id, theorem_id):
    plugin(renamed(construction_id, theorem_id))
    with pytest.raises(UsageError, match="is refused: expected ids"):
        registry.constructions()


@pytest.mark.parametrize("failure", [ImportError("no such module"), SystemExit(3), ValueError("two\nlines")])
def test_a_package_that_fails_to_load_is_named_in_one_line(plugin, failure):
    plugin(failure)
    with pytest.raises(UsageError, match="mine:CONSTRUCTION cannot be loaded") as caught:
        registry.constructions()
    assert "\n" not in str(caught.value)


def test_an_entry_that_is_no_construction_is_refused(plugin):
    plugin(object())
    with pytest.raises(UsageError, match=r"expected a symut\.Construction, got object"):
        registry.constructions()


def test_theorems_that_belong_to_no_construction_are_found():
    owned = {theorem.id for construction in OWN.values() for theorem in construction.theorems}
    free = set(registry.theorems()) - owned
    assert {"sharp_width", "output_lower_bound", "attention_matching_lower_bound", "head_width_obstruction"} <= free


def test_the_declarations_are_public():
    assert {"Construction", "Theorem", "Parameter", "prove", "emit"} <= set(dir(symut))
    assert isinstance(OWN["sparse"], symut.Construction)
