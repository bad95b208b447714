"""`python -m tests.rasp.costs`: the table of docs/rasp.md, what the encoder of each library program costs."""

import time
from pathlib import Path

from symut.rasp import load_program
from symut.rasp.encoder.cost import cost
from symut.rasp.lowering.lower import encode

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rasp.md"
START, END = "<!-- costs -->\n", "<!-- end of costs -->\n"
ALPHABETS = {
    "length": "abcdefgh", "reverse": "abcdefgh", "hist": "abcdefgh", "hist2": "abcdefgh", "sorted": "abcdefgh",
    "most_freq": "abcd", "dyck1": "()", "dyck2": "(){}", "dyck3": "(){}[]", "shuffle_dyck2": "(){}",
}  # fmt: skip
LENGTHS = (16, 64)


def encoders(n):
    """(name, encoder) of every library program for inputs of up to n tokens."""
    library = load_program("library")
    for name, alphabet in ALPHABETS.items():
        yield name, encode(library.node(name), n=n, alphabet=alphabet)


def table():
    """Markdown: layers, heads, gates and width at both lengths; counted on the encoders that are built."""
    heads = [
        "program",
        "alphabet",
        "n",
        "attention layers",
        "heads per layer",
        "gates (depth)",
        "stream width",
        "weights not 0",
    ]
    lines = ["| " + " | ".join(heads) + " |", "| --- | --- | ---: | ---: | --- | --- | ---: | ---: |"]
    for n in LENGTHS:
        for name, encoder in encoders(n):
            found = cost(encoder)
            gates = ", ".join(f"{count} {kind}" for kind, count in sorted(found.gates.items())) or "none"
            cells = [
                f"`{name}`",
                f"`{ALPHABETS[name]}`",
                n,
                found.attention_layers,
                ", ".join(map(str, found.heads)) or "none",
            ]
            cells += [f"{gates} ({found.gate_depth})", found.stream_width, f"{found.nonzero} of {found.weights}"]
            lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines) + "\n"


def page():
    """The text of docs/rasp.md with the table of today."""
    text = PAGE.read_text()
    before, rest = text.split(START)
    return before + START + table() + END + rest.split(END)[1]


if __name__ == "__main__":
    began = time.perf_counter()
    PAGE.write_text(page())
    print(f"{PAGE}: {len(ALPHABETS) * len(LENGTHS)} encoders in {time.perf_counter() - began:.1f} s")
