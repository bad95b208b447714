"""The corpus: every folder under tests/certificates gets the verdict that it is filed under."""

import re
from pathlib import Path

import pytest

from tests.check import build, corpus
from tests.check.build import CORPUS, check


def folders(kind: str) -> list[Path]:
    return sorted(path for path in (CORPUS / kind).glob("*") if path.is_dir())


@pytest.mark.parametrize("folder", folders("valid"), ids=lambda p: p.name)
def test_valid_artifact_is_accepted_with_its_claims(folder: Path) -> None:
    result = check.check_artifact(folder)
    assert (result.verdict, result.reason) == ("VALID", None)
    assert result.claims
    none = ("head_width_obstruction", "matching_model", "rasp_equality", "simulator")
    needless = result.goal in none or folder.name == "attention-smallest"
    assert bool(result.cited) != needless


@pytest.mark.parametrize("folder", [*folders("invalid"), *folders("malformed")], ids=lambda p: p.name)
def test_bad_artifact_is_rejected_for_its_reason(folder: Path) -> None:
    result = check.check_artifact(folder)
    assert result.verdict == "INVALID"
    assert (result.goal, result.claims, result.cited) == (None, (), ())
    assert re.search((folder / "why.txt").read_text(encoding="utf-8").strip(), result.reason)
    assert "\n" not in result.reason


def test_corpus_on_disk_is_the_one_that_is_built() -> None:
    built = {name: files for name, (files, _) in corpus.everything().items()}
    kinds = ("valid", "invalid", "malformed")
    assert built.keys() == {f"{kind}/{folder.name}" for kind in kinds for folder in folders(kind)}
    for name, files in built.items():
        assert build.read(CORPUS / name) == files, name
