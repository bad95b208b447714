"""Widths and shapes of the forms: what fits, which sizes follow from others, and how modules are named."""

import re
from pathlib import Path

import pytest

import symut
from symut.backbone.forms import FORMS, READOFF_KEY, RESIDUAL, SHARED_KEY, FormShape
from symut.emitter import fit
from symut.emitter.kinds import KINDS
from symut.errors import UsageError


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("m", [40, 100, 333])
@pytest.mark.parametrize("sizes", [(2, 2), (1, 3), (3, 1)])
def test_the_largest_equal_widths_that_fit_are_taken(form, m, sizes):
    found = fit(*sizes, m=m, form=form)
    d = found.shape.d
    assert found.shape == FormShape(form, *sizes, d, d)
    assert found.shape.N <= m < FormShape(form, *sizes, d + 1, d + 1).N


def test_a_width_that_n_does_not_depend_on_follows_the_other():
    for form in (SHARED_KEY, READOFF_KEY):
        assert fit(d=4, form=form).shape == FormShape(form, 2, 2, 4, 4)
        assert fit(m=60, k=2, form=form).shape.k == 2
    affine = fit(m=60, k=2, d_out=5, form=KINDS["affine"].form)
    assert (affine.shape.d, affine.shape.d_out, affine.shape.N) == (2, 5, 44)
    assert fit(m=60, d_out=5, form=KINDS["affine"].form).shape.k == 3


@pytest.mark.parametrize(
    ("form", "given", "message"),
    [
        (RESIDUAL, {"m": 24}, "pass --m 25"),
        (RESIDUAL, {"m": 74, "d": 3, "k": 3}, "below N: expected at least 75"),
        (KINDS["affine"].form, {"m": 31, "d_out": 5}, "pass --m 32"),
        (KINDS["affine"].form, {"d": 3, "k": 3, "d_out": 0}, "--d-out out of range"),
        (SHARED_KEY, {}, "no width and no full shape"),
    ],
)
def test_widths_that_hold_nothing_name_the_smallest_that_does(form, given, message):
    with pytest.raises(UsageError, match=message):
        fit(form=form, **given)


@pytest.mark.parametrize(
    ("construction", "options", "name"),
    [
        ("looped", {"m": 48}, "looped-H2-L2-d3-k3-m48"),
        ("residual", {"m": 100}, "residual-H2-L2-d4-k4-m100"),
        ("residual", {"m": 100, "shared": True}, "residual-H2-L2-d5-k5-m100-shared"),
        ("residual", {"m": 75, "shared": False}, "residual-H2-L2-d3-k3-m75"),
        ("scores", {"m": 39}, "scores-H2-L2-d3-k3-m39"),
        ("scores", {"m": 39, "keys": "shared"}, "scores-H2-L2-d3-k3-m39"),
        ("scores", {"m": 39, "keys": "outputs"}, "scores-H2-L2-d3-k3-m39-outputs"),
        ("affine", {"m": 48}, "affine-H2-L2-d3-k3-m48"),
        ("affine", {"d": 3, "k": 3, "d_out": 2, "residual": True}, "affine-H2-L2-d3-k3-m66-d_out2-residual"),
        ("random", {"m": 48, "shared": True}, "random-H2-L2-d3-k3-m48-s0-shared"),
    ],
    ids=str,
)
def test_names_and_commands_tell_options_apart(tmp_path, construction, options, name):
    folder = Path(symut.emit(construction, out=tmp_path, **options).path)
    assert folder.name == name
    source = (folder / "model.py").read_text()
    command = " ".join(source.split("    command     ")[1].split("    parameters")[0].split())
    arguments = command.removeprefix(f"python -m symut emit {construction} ")
    assert ("--shared" in arguments) is options.get("shared", False)
    assert ("--residual" in arguments) is options.get("residual", False)
    assert ("--d-out 2" in arguments) is ("d_out" in options)


def test_every_kind_is_the_default_module_of_some_construction(tmp_path):
    written = {Path(emission.path).name for emission in symut.emit_all(out=tmp_path)}
    sources = [(tmp_path / name / "model.py").read_text() for name in written]
    for about in KINDS.values():
        assert any(f"class {about.class_name}(" in source for source in sources), about.label


def test_a_recorded_command_writes_the_same_bytes(tmp_path):
    from symut.cli import main

    for emission in symut.emit_all(out=tmp_path / "a"):
        source = (Path(emission.path) / "model.py").read_text()
        command = re.search(r"\n    command +(.*?)\n    [a-z]", source, re.DOTALL)[1].split()
        assert main([*command[3:], "--out", str(tmp_path / "b"), "--quiet"]) == 0
        for name in ("model.py", "weights.safetensors"):
            again = tmp_path / "b" / Path(emission.path).name / name
            assert again.read_bytes() == (Path(emission.path) / name).read_bytes()
