"""What a goal is: how to read its parameters, which sentences they determine, and which rules must accept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

Table = dict[str, Any]  # a JSON object
Weights = Callable[[], bytes | None]  # the bytes of weights.safetensors, read when a rule asks for them


class Goal(NamedTuple):
    read: Callable[[Table], Any]  # the parameters of statement.json -> the statement; raises Invalid
    parts: Callable[[Any], tuple[list[str], list[str]]]  # the certificate's fields: needed, optional
    claims: Callable[[Any, Table], list[str]]  # (statement, certificate) -> the sentences that are determined
    rules: Callable[[Any, Table, Weights], None]  # (statement, certificate, weights): raises Invalid
    cited: Callable[[Any], tuple[str, ...]]  # the statement -> the lemmas that are not checked
    most_bytes: int = 2**28  # of certificate.json


def always(*lemmas: str) -> Callable[[Any], tuple[str, ...]]:
    """The same lemmas for every statement of a goal."""
    return lambda _: lemmas
