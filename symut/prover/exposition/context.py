"""What a proof's template needs beside its steps, by the class of its statement.

Main definitions: `context_of`.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from symut.prover.argument import Argument
from symut.prover.exposition.bounds import bound_context
from symut.prover.exposition.routed import form_context, routed_context
from symut.prover.exposition.simulators import simulator_context
from symut.statement import Bound, FormStatement, Statement, Universality
from symut.statement.simulator import Simulator


@singledispatch
def context_of(statement: Statement, argument: Argument) -> dict[str, Any]:
    """The names that `statement.template` uses; by default the certificate's parts."""
    return dict(argument.certificate.parts) if argument.certificate else {}


@context_of.register
def _(statement: Universality, argument: Argument) -> dict[str, Any]:
    return routed_context(statement, argument)


@context_of.register
def _(statement: FormStatement, argument: Argument) -> dict[str, Any]:
    return form_context(statement, argument)


@context_of.register
def _(statement: Bound, argument: Argument) -> dict[str, Any]:
    return bound_context(statement, argument)


@context_of.register
def _(statement: Simulator, argument: Argument) -> dict[str, Any]:
    return simulator_context(statement, argument)
