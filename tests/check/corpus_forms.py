"""The corpus of section 9: valid, invalid and malformed artifacts about looped, residual, affine and other forms."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.check import build, claims_forms, corpus
from tests.check import build_forms as forms
from tests.check import corpus_form_statements as others
from tests.check.build import Artifact
from tests.check.build_forms import form_artifact
from tests.check.corpus_form_statements import looped_weights, routing

Case = tuple[Artifact, str]
Edit = Callable[[Any, Any], None]  # of the statement and the certificate, in place
N = None  # a size that is left free


def valid() -> dict[str, Artifact]:
    """H, L, then d, k, d_out, m."""
    return {
        "looped-block": form_artifact("looped", 2, 2),
        "looped-block-one-head-one-layer": form_artifact("looped", 1, 1),
        "looped-block-three-heads-permuted": form_artifact("looped", 3, 2, seed=1),
        "looped-scalar-one-head-permuted": form_artifact("looped", 1, 3, 2, 1, seed=2),
        "looped-weights": looped_weights(2, 2, 1, 1, 17),
        "residual-block-one-head-one-layer": form_artifact("residual", 1, 1),
        "residual-block-permuted": form_artifact("residual", 2, 2, seed=3),
        "residual-scalar-wider": form_artifact("residual", 2, 1, 1, 2, N, 50),
        "residual-scalar-one-head": form_artifact("residual", 1, 2, 2, 1, seed=4),
        "shared-residual-block": form_artifact("shared_residual", 2, 2),
        "shared-residual-block-one-head": form_artifact("shared_residual", 1, 3, seed=5),
        "shared-residual-block-three-heads": form_artifact("shared_residual", 3, 1),
        "shared-residual-scalar-permuted": form_artifact("shared_residual", 2, 2, 2, 1, seed=6),
        "shared-key-block-permuted": form_artifact("shared_key", 2, 2, seed=7),
        "shared-key-block-one-head-one-layer": form_artifact("shared_key", 1, 1),
        "shared-key-block-units-of-one-size": form_artifact("shared_key", 3, 2, front=True),
        "shared-key-scalar": form_artifact("shared_key", 2, 2, 2, 3, base=2),
        "readoff-key-block": form_artifact("readoff_key", 2, 2),
        "readoff-key-block-one-head": form_artifact("readoff_key", 1, 4, front=True, seed=8),
        "readoff-key-block-three-heads": form_artifact("readoff_key", 3, 1, base=3),
        "readoff-key-scalar-permuted": form_artifact("readoff_key", 2, 3, 1, 1, seed=9),
        "affine-block": form_artifact("affine", 2, 2, carry=[[2, -1], [0, 1]], base=2),
        "affine-block-one-head-one-layer": form_artifact("affine", 1, 1),
        "affine-scalar-permuted": form_artifact("affine", 2, 1, 2, 1, 3, seed=10),
        "affine-residual-block": form_artifact("affine_residual", 2, 2),
        "affine-residual-scalar-permuted": form_artifact("affine_residual", 1, 2, 1, 2, 2, 40, seed=11),
    }


def swap(field: str, *where: int) -> Edit:
    """Exchanges the first two entries of a list of the routing."""

    def edit(_: Any, certificate: Any) -> None:
        found = certificate["routing"][field]
        for index in where:
            found = found[index]
        corpus.swapped(found, 0, 1)

    return edit


def add_read(field: str, layer: int, head: int, of: tuple[str, int, int]) -> Edit:
    """A query or key also reads what another one reads."""
    source, i, h = of
    return routing(lambda r: r[field][layer][head][0].extend(r[source][i][h][0]))


def no_move(layer: int, head: int) -> Edit:
    return routing(lambda r: r["values"][layer][head].pop())


def invalid_routings() -> dict[str, Case]:
    looped, residual = form_artifact("looped", 2, 2), form_artifact("residual", 2, 2)
    both = form_artifact("shared_residual", 2, 2)
    key, readoff, affine = (form_artifact(name, 2, 2) for name in ("shared_key", "readoff_key", "affine"))
    lifted = form_artifact("affine_residual", 2, 2)
    edits: dict[str, tuple[Artifact, Edit, str]] = {
        "looped-swapped-slots": (looped, swap("slots"), r"slot 0 \(Q, path \(\), head 1\): .* hold slots \[1\]"),
        "looped-swapped-heads": (looped, swap("values", 0), r"slot \d+ \(Q, path \(1\), head 1\)"),
        "looped-missing-move": (looped, no_move(0, 1), r"slot \d+ \(., path \(2"),
        "looped-read-out-of-other-path": (
            looped,
            routing(lambda r: r["readout"][0].__setitem__(0, 9)),
            r"slot 8 \(U, path \(1,1",
        ),
        "looped-entry-per-layer": (looped, routing(doubled), "routing.queries: has 2 entries, expected 1"),
        "looped-merged-like-unshared": (merged_once("looped", 2, 2), no_edit, "slot"),
        "residual-swapped-slots": (residual, swap("slots"), r"slot 0 \(Q, path \(\), head 1\)"),
        "residual-swapped-layers": (residual, swap("values"), "routing: "),
        "residual-missing-move": (residual, no_move(1, 0), r"path \(0,1\)"),
        "residual-moves-the-letter-0": (zero_moved(), no_edit, r"slot \d+ \(Q, path \(1\), head 1\)"),
        "residual-base-letter-1": (zero_as_first_head(), no_edit, "routing: slot"),
        "residual-projector": (residual, routing(projected), "filled coordinates on|slot"),
        "shared-residual-swapped-keys": (both, swap("keys", 0), r"slot 2 \(K, path \(\), head 1\)"),
        "shared-residual-missing-move": (both, no_move(0, 0), r"path \(1"),
        "shared-residual-read-out-crowded": (
            both,
            routing(lambda r: r["readout"][0].append(9)),
            r"hold slots \[4, 9\]",
        ),
        "shared-residual-entry-per-layer": (both, routing(doubled), "has 2 entries, expected 1"),
        "shared-key-swapped-queries": (key, swap("queries", 0), r"slot 0 \(Q, path \(\), head 1\)"),
        "shared-key-reads-the-next-key": (key, add_read("keys", 0, 0, ("keys", 1, 0)), r"\(K, path \(\)\): .* \[2, "),
        "shared-key-missing-move": (key, no_move(0, 1), r"path \(2"),
        "shared-key-per-head": (
            key,
            routing(lambda r: [x.append(x[0]) for x in r["keys"]]),
            r"routing.keys\[0\]: has 2 entries, expected 1",
        ),
        "readoff-key-with-keys": (readoff, routing(lambda r: r.update(keys=[[], []])), "unknown field 'keys'"),
        "readoff-key-swapped-queries": (readoff, swap("queries"), "routing: "),
        "readoff-key-missing-move": (readoff, no_move(0, 1), r"path \(2"),
        "readoff-key-query-of-the-read-out": (
            readoff,
            routing(lambda r: r["queries"][1][0].__setitem__(0, r["readout"][0])),
            "routing: slot",
        ),
        "affine-swapped-slots": (affine, swap("slots"), "slot 0"),
        "affine-read-out-of-a-query": (affine, routing(lambda r: r.update(readout=[[0]])), "whose size is not d_out"),
        "affine-query-of-a-read-out": (
            affine,
            routing(lambda r: r["queries"][0].__setitem__(0, r["readout"])),
            "whose size is not k",
        ),
        "affine-residual-missing-move": (lifted, no_move(1, 1), r"path \(0,2\)"),
        "affine-residual-crowded": (
            form_artifact("affine_residual", 2, 2, 1, 1, 1),
            routing(lambda r: r["queries"][1][0].__setitem__(0, list(range(25)))),
            "filled coordinates on 3 paths",
        ),
    }
    cases = {f"forms-{name}": (corpus.edited(files, edit), why) for name, (files, edit, why) in edits.items()}
    return cases | {f"forms-{name}": case for name, case in other_forms().items()}


def no_edit(_: Any, __: Any) -> None:
    return None


def doubled(table: Any) -> None:
    for field in ("queries", "keys", "values"):
        table[field] = table[field] * 2


def merged_once(name: str, H: int, L: int) -> Artifact:
    """A shared form with the first layer of an unshared routing of the same slots."""
    plain = build.packed(build.merging(H, L, 1, 1))
    first = {field: plain[field][:1] for field in ("queries", "keys", "values")}
    return forms.artifact(f"{name}_universality", claims_forms.parameters(name, H, L), {"routing": plain | first})


def zero_moved() -> Artifact:
    """Head 1 moves the slots of the letter 0 as well: two words would arrive at one coordinate."""
    plain = forms.routing("residual", 2, 2, 1, 1)
    table = claims_forms.slots("residual", 2, 2, 1, 1)
    stay = [(c, c) for c, (_, path, _, _) in enumerate(table) if path[:1] == (0,)]
    plain["values"][0][0] = stay
    certificate = {"routing": build.packed(plain)}
    return forms.artifact("residual_universality", claims_forms.parameters("residual", 2, 2), certificate)


def zero_as_first_head() -> Artifact:
    """Merged onto the slots of the letter 1, as if a skip could be moved there."""
    certificate = {"routing": build.packed(forms.routing("residual", 2, 2, 1, 1, base=1))}
    return forms.artifact("residual_universality", claims_forms.parameters("residual", 2, 2), certificate)


def projected(table: Any) -> None:
    """Heads keep their slots in place and reads take all of a kind: the letter 0 then keeps the others too."""
    named = claims_forms.slots("residual", 2, 2, 1, 1)

    def where(kind: str, layer: int, h: int) -> list[int]:
        return [c for c, (K, path, g, _) in enumerate(named) if (K, len(path), g) == (kind, layer, h)]

    for kind, field in (("Q", "queries"), ("K", "keys")):
        table[field] = [[[where(kind, layer, h)] for h in (1, 2)] for layer in (0, 1)]
    kept = [[[c for c, s in enumerate(named) if s[1][i : i + 1] == (h,)] for h in (1, 2)] for i in (0, 1)]
    table["values"] = [[build.runs([(c, c) for c in head]) for head in layer] for layer in kept]
    table["readout"] = [where("U", 2, -1)]


def other_forms() -> dict[str, Case]:
    """A routing of one form in a statement of another, with the claims of the latter."""

    def claimed(name: str, source: str, *sizes: Any) -> Artifact:
        certificate = json.loads(form_artifact(source, *sizes)["certificate.json"])
        certificate = {"routing": certificate["routing"], **forms.carry(name, *sizes[:2])}
        return forms.artifact(f"{name}_universality", claims_forms.parameters(name, *sizes), certificate)

    return {
        "residual-routing-of-affine": (claimed("residual", "affine", 2, 2), "fewer than N"),
        "looped-routing-of-affine": (claimed("looped", "affine", 2, 2), "routing.queries: has 2 entries, expected 1"),
        "affine-routing-of-looped": (claimed("affine", "looped", 2, 2), "routing.queries: has 1 entries, expected 2"),
        "affine-routing-of-residual": (claimed("affine", "residual", 2, 2), "outside|not every slot|has"),
        "shared-residual-routing-of-looped": (claimed("shared_residual", "looped", 2, 2), "fewer than N"),
        "looped-routing-of-shared-residual": (
            claimed("looped", "shared_residual", 2, 2),
            "has 19 entries, expected 16",
        ),
        "shared-key-routing-of-readoff-key": (claimed("shared_key", "readoff_key", 2, 2), "fewer than N"),
        "readoff-key-routing-of-shared-key": (claimed("readoff_key", "shared_key", 2, 2), "unknown field 'keys'"),
        "looped-with-the-routing-of-shared-residual-of-one-layer": (
            claimed("looped", "shared_residual", 1, 1),
            "expected 3",
        ),
    }


def cases() -> dict[str, Case]:
    invalid = {**invalid_routings(), **others.invalid_statements(), **others.invalid_weights()}
    return corpus.filed(valid(), invalid, others.malformed())
