"""With Coq: every template compiles, the kernel agrees with every claim, and a check says so again."""

import shutil

import pytest

from symut.cli import main
from symut.errors import InternalError
from symut.kernel.confirm import installed_kernel
from symut.kernel.instances import Instance, instance_of
from symut.kernel.library import built_library
from symut.kernel.run import compile_instance
from tests.kernel.statements import STATEMENTS

pytestmark = [
    pytest.mark.coq,
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed"),
]


@pytest.fixture(scope="module")
def kernel():
    return installed_kernel(lambda *step: None, lambda line: None)


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_kernel_accepts_every_instance(kernel, name):
    instance = instance_of(STATEMENTS[name])
    verdict = kernel.verdict(instance)
    assert list(verdict.assumptions) == instance.theorems
    assert len(verdict.axioms) <= (3 if instance.counterpart.measure else 0)


@pytest.mark.parametrize(("true", "false"), [("m < 48", "m < 49"), (" = 48)%N", " = 47)%N")])
def test_the_kernel_refuses_a_wrong_number(kernel, true, false):
    instance = instance_of(STATEMENTS["sharp-d3-k3"])
    assert true in instance.text
    forged = Instance(instance.text.replace(true, false), instance.counterpart, (), frozenset())
    with pytest.raises(InternalError, match="coqc refuses"):
        compile_instance(kernel.coq, built_library(kernel.coq, False, kernel.progress), forged)


def test_the_command_of_the_documentation(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["prove", "random_universality", "--H", "2", "--L", "3", "--kernel", "coq"]) == 0
    err = capsys.readouterr().err
    assert "accepts claim_1, claim_2 of instance.v" in err
    assert "Assumptions of claim_2: none" in err
    assert main(["check", "--with", "coq", "proofs"]) == 0
    assert "accepts claim_1, claim_2; axioms: constructive_indefinite_description" in capsys.readouterr().out
