"""What --help shows in 80 columns: whole sentences, choices, and where a theorem's own options are."""

import re

import pytest

from symut.cli import COMMANDS, main, train


@pytest.fixture
def shown(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")

    def show(*arguments):
        assert main([*arguments, "--help"]) == 0
        return capsys.readouterr().out

    return show


@pytest.mark.parametrize("group", [(), ("rasp",), ("search",)], ids=str)
def test_every_command_is_described_on_one_line_that_is_not_cut(shown, group):
    listed = shown(*group).partition("Commands:\n")[2].splitlines()
    assert listed
    assert all(re.fullmatch(r"  \w+ +\S.*[.?]", line) and not line.endswith("...") for line in listed)
    assert group or [line.split()[0] for line in listed] == list(COMMANDS)


def test_the_help_names_every_exit_code(shown):
    text = " ".join(shown().split())
    codes = ("0 PROVED", "10 REFUTED", "11 UNKNOWN", "12 TRUSTED", "13 INVALID", "2 bad", "1 a bug", "130 int", "141 s")
    assert all(code in text for code in codes)


def test_the_help_of_prove_says_where_a_theorems_own_options_are(shown):
    assert "symut prove THEOREM --help" in shown("prove")


def test_the_help_of_train_shows_the_choices_that_the_library_takes(shown):
    from symut.experiment import building, configuration, presets, suites

    text = shown("train")
    for option, choices, known in (
        ("backbone", train.BACKBONES, configuration.BACKBONES),
        ("arch", train.ARCHITECTURES, configuration.ARCHITECTURES),
        ("distribution", train.DISTRIBUTIONS, configuration.DISTRIBUTIONS),
        ("preset", train.PRESETS, presets.PRESETS),
        ("suite", train.SUITES, tuple(suites.SUITES)),
        ("device", train.DEVICES, building.DEVICES),
    ):
        assert choices == tuple(known)
        assert f"--{option} [{'|'.join(known)}]" in text
