"""Ctrl-C ends a command with 130, whatever the libraries make of it."""

import signal

import pytest

from symut import cli
from symut.cli.interrupts import noticed_interrupts


def arriving(error):
    """A command in which a library turns an interruption of its import into another error."""

    def run(*arguments, **options):
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise error from None

    return run


@pytest.mark.parametrize(
    "error", [ImportError("cannot load module more than once"), AttributeError("multiply"), KeyboardInterrupt()]
)
def test_an_interruption_that_a_library_turns_into_another_error_ends_with_130(monkeypatch, capsys, error):
    monkeypatch.setattr(cli.cli, "main", arriving(error))
    assert cli.main(["list"]) == 130
    assert capsys.readouterr().err == "symut: interrupted; nothing half-written was left\n"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_same_error_without_an_interruption_is_a_bug(monkeypatch, capsys):
    def run(*arguments, **options):
        raise ImportError("no such module")

    monkeypatch.setattr(cli.cli, "main", run)
    assert cli.main(["list"]) == 1
    assert "a bug in symut: got ImportError: no such module" in capsys.readouterr().err


def test_a_signal_that_is_ignored_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with noticed_interrupts() as seen:
            signal.raise_signal(signal.SIGINT)
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        assert seen == []
    finally:
        signal.signal(signal.SIGINT, before)
