"""The goal `simulator`: an encoder computes a task on all inputs (FORMAT.md, section 13)."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any, NamedTuple

from .encoder_answers import scalars
from .encoder_letters import rule_permutations
from .encoder_lipschitz import rule_lipschitz
from .encoder_read import cost, read_encoder
from .encoder_rules import rule_cases, rule_everywhere
from .encoder_texts import LETTERS, MAY_BE_ZERO, TASKS, Sizes, written
from .encoder_work import MAX_BYTES, MAX_TEXT, Work, need_small_numbers
from .goal import Goal, Table, Weights, always
from .strict import fields, integers, need


class Simulator(NamedTuple):
    task: str
    sizes: Sizes


def read(parameters: Any) -> Simulator:
    p = fields(parameters, "statement.parameters", ("task", "sizes"))
    task = p["task"]
    need(type(task) is str and task in TASKS, "statement.parameters: unknown task")
    largest = TASKS[task].largest
    sizes = fields(p["sizes"], "sizes", largest)
    for name, most in largest.items():
        integers([sizes[name]], f"sizes.{name}", int(name not in MAY_BE_ZERO), most)
    need(task != "parity" or sizes["k"] <= sizes["n"], "sizes: k is larger than n")
    if task == "lipschitz":
        need(math.gcd(sizes["top"], sizes["bottom"]) == 1, "sizes: top / bottom not in lowest terms")
        need(math.gcd(sizes["up"], sizes["down"]) == 1, "sizes: up / down not in lowest terms")
        need(sizes["up"] <= sizes["down"], "sizes: up / down is larger than 1")
    return Simulator(task, sizes)


def parts(st: Simulator) -> tuple[list[str], list[str]]:
    more = {"maxmin": ["cases"], "lipschitz": ["cases", "leaves"]}
    return ["encoder", *more.get(st.task, [])], []


def digest(encoder: Any) -> str:
    """SHA-256 of the encoder as compact JSON."""
    text = json.dumps(encoder, sort_keys=True, separators=(",", ":"))
    need(len(text) <= MAX_TEXT, f"an encoder of more than {MAX_TEXT} characters is too large to check")
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def claims(st: Simulator, table: Table) -> list[str]:
    sha, encoder = digest(table["encoder"]), read_encoder(table["encoder"])
    size, count, layout, answer = written(st.task, st.sizes, encoder.tokens)
    if st.task not in LETTERS and scalars(st.task, st.sizes) < encoder.tokens:
        layout += ", and 0 at the other tokens"
    return [
        f"{size}: the encoder with SHA-256 {sha} has {cost(encoder)} and, on every sequence of "
        f"{count} tokens that holds {layout}, {answer}."
    ]


def rules(st: Simulator, table: Table, weights: Weights) -> None:
    encoder, work = read_encoder(table["encoder"]), Work()
    if st.task in LETTERS:
        rule_permutations(st.task, st.sizes, encoder, work)
    elif st.task == "maxmin":
        rule_cases(st.sizes, encoder, table["cases"], work)
    elif st.task == "lipschitz":
        need_small_numbers(table["leaves"])
        rule_lipschitz(st.sizes, encoder, table, work)
    else:
        rule_everywhere(st.task, st.sizes, encoder, work)


GOALS = {"simulator": Goal(read, parts, claims, rules, always(), MAX_BYTES)}
