"""How the block-symbolic sparse proof and its check grow with depth at H = 2: 5 * 2^L - 4 blocks."""

from collections.abc import Iterator

from constructions.sparse import merging
from symut.backbone import block_count
from symut.certificate import Certificate
from symut.prover.checker import check_bytes
from symut.prover.identity import check_block_sizes, match_paths
from symut.statement import SPARSE, Universality
from tests.benchmarks.row import Row, at_least, at_most, cpu_seconds, report

DEPTHS = range(8, 15)


def path_letters(H: int, L: int) -> int:
    """Letters of all words that a block statement matches: l in a query or key word of layer l, L in an output word."""
    return sum(2 * H**layer * layer for layer in range(1, L + 1)) + L * H**L


def prove(L: int) -> tuple[bytes, bytes]:
    """What the prover does for (2, L): build the routing, match every path, write statement and certificate."""
    statement, routing = Universality(SPARSE, 2, L), merging(2, L, 1, 1)
    check_block_sizes(routing, statement.units)
    match_paths(routing, statement.units)
    return statement.as_bytes(), Certificate(statement.sha256, routing).as_bytes()


def measure() -> Iterator[Row]:
    per_letter, throughput, ratios = [], [], []
    for L in DEPTHS:
        files = prove(L)
        proving = cpu_seconds(lambda L=L: prove(L))
        checking = cpu_seconds(lambda files=files: check_bytes(*files, None))
        per_letter.append(proving / path_letters(2, L))
        throughput.append(block_count(2, L) / proving)
        ratios.append(checking / proving)
        yield report(f"sparse proof, L = {L}: time per path letter", per_letter[-1] * 1e9, "ns")
        if L == 12:
            yield at_most("sparse certificate, L = 12", len(files[1]) / 2**20, "MiB", 2.0)
    yield at_most("time per path letter, L = 8..14, deepest over shallowest", per_letter[-1] / per_letter[0], "x", 1.5)
    yield at_least("blocks proved per second, slowest depth", min(throughput), "/s", 1e5)
    yield at_most("check.py over prover, worst depth", max(ratios), "x", 3.0)
