"""The compiled library is found by what it was compiled from, whole, or built again."""

import pytest

from symut.errors import InternalError, UsageError
from symut.kernel.coq import find_coq
from symut.kernel.library import built_library, cache_folder, digest_of, is_whole, read_sources, sources_folder
from symut.kernel.process import run_program


@pytest.fixture
def sources(tmp_path):
    """Two algebraic files and one measure-theoretic one."""
    folder = tmp_path / "sources"
    (folder / "measure").mkdir(parents=True)
    (folder / "_CoqProject").write_text("-R . Symut\nA.v\nB.v\n")
    (folder / "_CoqProject.measure").write_text("-R . Symut\nmeasure/C.v\n")
    for name in ("A.v", "B.v", "measure/C.v"):
        (folder / name).write_text(f"(* {name} *)\n")
    return folder


def build(sources, measure=False, seen=None):
    steps = [] if seen is None else seen
    return built_library(find_coq(), measure, lambda *step: steps.append(step), sources)


def test_the_sources_of_the_checkout_are_all_there():
    assert {"Summary.v", "measure/Summary.v"} <= set(read_sources(True, sources_folder()))
    assert "measure/Summary.v" not in read_sources(False, sources_folder())


def test_a_library_is_built_once_and_then_found(stand_in, sources):
    stand_in()
    library = build(sources)
    before = (library.folder / "A.vo").stat().st_mtime_ns
    assert build(sources) == library
    assert (library.folder / "A.vo").stat().st_mtime_ns == before
    assert library.folder.name == f"algebra-{library.sha256[:32]}"
    assert sorted(path.name for path in library.folder.rglob("*.vo")) == ["A.vo", "B.vo"]


def test_both_parts_are_separate(stand_in, sources):
    stand_in()
    measure = build(sources, measure=True)
    algebra = build(sources)
    assert algebra.folder != measure.folder
    assert sorted(path.name for path in algebra.folder.parent.iterdir()) == [algebra.folder.name, measure.folder.name]
    assert (measure.folder / "measure/C.vo").is_file()
    assert (measure.folder / "A.vo").is_file()


def test_a_changed_source_has_another_library(stand_in, sources):
    stand_in()
    before = build(sources)
    (sources / "A.v").write_text("(* changed *)\n")
    after = build(sources)
    assert after.folder != before.folder
    assert (after.folder / "A.v").read_text() == "(* changed *)\n"


def test_another_coq_or_mathcomp_has_another_library(stand_in, sources):
    made = stand_in()
    before = build(sources)
    (made.where / "user-contrib/mathcomp/algebra/all_algebra.vo").write_bytes(b"newer")
    assert build(sources).folder != before.folder


@pytest.mark.parametrize("damage", ["A.vo", "A.v", "symut-library.json"])
def test_a_damaged_library_is_built_again(stand_in, sources, damage):
    stand_in()
    library = build(sources)
    (library.folder / damage).write_bytes(b"cut short")
    assert not is_whole(library.folder, library.sha256)
    assert build(sources) == library
    assert is_whole(library.folder, library.sha256)


def test_a_file_that_does_not_compile_leaves_nothing(stand_in, sources):
    made = stand_in()
    (made.bin / "coq_makefile").write_text('#!/bin/sh\nprintf "all:\\n\\tfalse\\n" > "$4"\n')
    with pytest.raises(UsageError, match="proofs/coq does not compile with Coq"):
        build(sources)
    assert list((made.cache / "coq").iterdir()) == []


def test_a_missing_source_is_named(stand_in, sources):
    stand_in()
    (sources / "B.v").unlink()
    with pytest.raises(InternalError, match="a Coq source is missing"):
        build(sources)


def test_a_missing_mathcomp_is_one_line_with_the_packages(stand_in, sources):
    made = stand_in()
    (made.where / "user-contrib/mathcomp/analysis/lebesgue_integral.vo").unlink()
    build(sources)
    with pytest.raises(UsageError, match=r"lebesgue_integral is missing; .*libcoq-mathcomp-analysis") as refused:
        build(sources, measure=True)
    assert "\n" not in str(refused.value)


def test_the_cache_is_where_the_environment_says(monkeypatch, tmp_path):
    monkeypatch.setenv("SYMUT_CACHE", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine"
    monkeypatch.delenv("SYMUT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert cache_folder() == tmp_path / "caches" / "symut"


def test_names_and_contents_are_told_apart():
    assert digest_of({"A": b"B"}) != digest_of({"AB": b""}) != digest_of({"A": b"", "B": b""})


def test_flags_of_the_environment_do_not_change_the_build(stand_in, sources, monkeypatch):
    stand_in()
    monkeypatch.setenv("MAKEFLAGS", "-n")
    monkeypatch.setenv("GNUMAKEFLAGS", "-t")
    library = build(sources)
    assert (library.folder / "A.vo").read_text() == "compiled\n"


def test_a_make_that_builds_nothing_leaves_no_library(stand_in, sources):
    made = stand_in()
    (made.bin / "make").write_text("#!/bin/sh\nexit 0\n")
    (made.bin / "make").chmod(0o755)
    with pytest.raises(UsageError, match=r"make built nothing: expected A\.vo"):
        build(sources)
    assert list((made.cache / "coq").iterdir()) == []


def test_a_relative_cache_is_taken_from_the_working_folder(stand_in, sources, tmp_path, monkeypatch):
    stand_in()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SYMUT_CACHE", "here")
    assert build(sources).folder.parent == tmp_path / "here" / "coq"


def test_what_a_killed_build_left_is_removed(stand_in, sources):
    stand_in()
    folder = build(sources).folder
    left = folder.with_name(f".{folder.name}-xyz")
    left.mkdir()
    (folder / "A.vo").write_text("changed")
    build(sources)
    assert not left.exists()


def test_output_in_another_encoding_is_read(tmp_path):
    done = run_program(["sh", "-c", "printf 'a\\377b'"], tmp_path, 60)
    assert (done.code, done.output) == (0, "a\ufffdb")
