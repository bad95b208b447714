"""Results appear whole or not at all."""

import fcntl
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from symut.errors import UsageError
from symut.publish import publish_file, publish_folder


def tree(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_is_replaced_as_a_whole(tmp_path):
    publish_folder(tmp_path / "a/b", {"x": b"1", "y": b"2"})
    publish_folder(tmp_path / "a/b", {"x": b"3"}, known={"y"})
    assert tree(tmp_path) == {"a/b/x": b"3"}
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b"]


@pytest.mark.parametrize("failure", [KeyboardInterrupt, MemoryError, OSError("no space left")])
def test_a_failure_leaves_the_old_folder_and_no_debris(tmp_path, monkeypatch, failure):
    publish_folder(tmp_path / "a", {"x": b"1"})
    calls = []

    def rename(self, target):
        calls.append(target)
        if len(calls) == 2:
            raise failure
        return original(self, target)

    original = type(tmp_path).rename
    monkeypatch.setattr(type(tmp_path), "rename", rename)
    with pytest.raises((KeyboardInterrupt, MemoryError, UsageError)):
        publish_folder(tmp_path / "a", {"x": b"2"})
    assert tree(tmp_path) == {"a/x": b"1"}
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_files_of_the_user_are_not_deleted(tmp_path):
    publish_folder(tmp_path / "a", {"x": b"1"})
    (tmp_path / "a/notes").write_bytes(b"mine")
    with pytest.raises(UsageError, match="would be lost: got notes"):
        publish_folder(tmp_path / "a", {"x": b"2"})
    assert tree(tmp_path) == {"a/x": b"1", "a/notes": b"mine"}


def test_folders_with_known_names_are_the_users_too(tmp_path):
    publish_folder(tmp_path / "a", {"x": b"1"})
    (tmp_path / "a/y").mkdir()
    (tmp_path / "a/y/notes").write_bytes(b"mine")
    with pytest.raises(UsageError, match="would be lost: got y"):
        publish_folder(tmp_path / "a", {"x": b"2"}, known={"y"})
    assert (tmp_path / "a/y/notes").read_bytes() == b"mine"


def test_only_bytecode_may_lie_in_pycache(tmp_path):
    publish_folder(tmp_path / "a", {"x": b"1"})
    (tmp_path / "a/__pycache__").mkdir()
    (tmp_path / "a/__pycache__/model.pyc").write_bytes(b"")
    publish_folder(tmp_path / "a", {"x": b"2"})
    (tmp_path / "a/__pycache__").mkdir()
    (tmp_path / "a/__pycache__/mine.py").write_bytes(b"mine")
    with pytest.raises(UsageError, match="would be lost: got __pycache__"):
        publish_folder(tmp_path / "a", {"x": b"3"})


def test_an_ignored_interruption_stays_ignored(tmp_path, monkeypatch):
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        original = Path.write_bytes

        def interrupting(self, content):
            os.kill(os.getpid(), signal.SIGINT)
            return original(self, content)

        monkeypatch.setattr(Path, "write_bytes", interrupting)
        publish_folder(tmp_path / "a", {"x": b"1"})
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, previous)
    assert tree(tmp_path) == {"a/x": b"1"}


def test_waiting_for_another_writer_can_be_interrupted(tmp_path):
    script = (
        "import sys\nfrom pathlib import Path\nfrom symut.publish import publish_folder\nprint('go', flush=True)\n"
        "publish_folder(Path(sys.argv[1]) / 'a', {'x': b'1'})\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parent.parent)}
    holder = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    try:
        waiter = subprocess.Popen(
            [sys.executable, "-c", script, str(tmp_path)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert waiter.stdout.readline() == b"go\n"
        time.sleep(0.3)
        waiter.send_signal(signal.SIGINT)
        _, errors = waiter.communicate(timeout=20)
    finally:
        os.close(holder)
    assert b"KeyboardInterrupt" in errors
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", range(1, 8))
def test_an_interruption_waits_until_the_result_is_in_place(tmp_path, monkeypatch, number):
    """SIGINT at each system call that publishing makes: the new folder is there, and nothing else."""
    publish_folder(tmp_path / "a", {"x": b"1"})
    calls = []

    def interrupting(name, original):
        def call(*arguments, **options):
            calls.append(name)
            if len(calls) == number:
                os.kill(os.getpid(), signal.SIGINT)
            return original(*arguments, **options)

        return call

    for name in ("mkdir", "rename", "write_bytes", "chmod", "exists", "iterdir"):
        monkeypatch.setattr(Path, name, interrupting(name, getattr(Path, name)))
    with pytest.raises(KeyboardInterrupt):
        publish_folder(tmp_path / "a", {"x": b"2"})
    monkeypatch.undo()
    assert tree(tmp_path) in ({"a/x": b"1"}, {"a/x": b"2"})
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_writers_of_one_folder_wait_for_each_other(tmp_path):
    script = (
        "import sys\nfrom pathlib import Path\nfrom symut.publish import publish_folder\n"
        "for i in range(100):\n    publish_folder(Path(sys.argv[1]) / 'a', {'x': str(i).encode()})\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parent.parent)}
    writers = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], env=environment) for _ in range(3)]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert tree(tmp_path) == {"a/x": b"99"}
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_links_and_devices_are_not_replaced_by_files(tmp_path):
    (tmp_path / "real").write_bytes(b"1")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    os.mkfifo(tmp_path / "fifo")
    for name in ("link", "fifo"):
        with pytest.raises(UsageError, match="cannot write"):
            publish_file(tmp_path / name, b"2")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "fifo").is_fifo()
    assert (tmp_path / "real").read_bytes() == b"1"


def test_a_file_is_replaced_as_a_whole(tmp_path, monkeypatch):
    publish_file(tmp_path / "e", b"1")
    publish_file(tmp_path / "e", b"2")
    assert tree(tmp_path) == {"e": b"2"}

    def replace(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(tmp_path), "replace", replace)
    with pytest.raises(UsageError, match="No space left"):
        publish_file(tmp_path / "e", b"3")
    assert tree(tmp_path) == {"e": b"2"}


def test_results_are_as_readable_as_other_files(tmp_path):
    (tmp_path / "plain").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    publish_file(tmp_path / "file", b"")
    publish_folder(tmp_path / "made", {"x": b""})
    assert (tmp_path / "file").stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert (tmp_path / "made").stat().st_mode == (tmp_path / "folder").stat().st_mode


@pytest.mark.parametrize("write", [lambda path: publish_file(path, b""), lambda path: publish_folder(path, {"x": b""})])
def test_an_unwritable_place_is_one_line(tmp_path, write):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UsageError, match=r"cannot write .*choose another --out") as caught:
        write(tmp_path / "file" / "below")
    assert "\n" not in str(caught.value)
