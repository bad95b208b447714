"""Results appear whole or not at all."""

import pytest

from symut.errors import UsageError
from symut.publish import publish_file, publish_folder


def tree(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_is_replaced_as_a_whole(tmp_path):
    publish_folder(tmp_path / "a/b", {"x": b"1", "y": b"2"})
    publish_folder(tmp_path / "a/b", {"x": b"3"})
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
