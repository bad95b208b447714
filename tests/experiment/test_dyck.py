"""The Dyck task has the published distribution, its baselines the published accuracy, its splits nothing in common."""

import itertools
from collections import Counter

import numpy as np
import pytest

from symut.errors import UsageError
from symut.experiment.tasks import IGNORED, Dyck
from symut.experiment.tasks import dyck as dyck_module
from symut.experiment.tasks.dyck import ASK, CLOSE, OPEN, PAD, SHORT, balanced_strings, is_balanced, lengths, sample
from symut.experiment.tasks.mutation import flipped, swapped
from symut.experiment.tasks.splits import Split, split_of

TEXT = {OPEN: "(", CLOSE: ")", PAD: "", ASK: "?"}


def texts(strings):
    return ["".join(TEXT[token] for token in row) for row in strings.tolist()]


def balanced_by_definition(text):
    while "()" in text:
        text = text.replace("()", "")
    return text == ""


def test_balance_is_what_removing_adjacent_pairs_says_for_all_short_strings():
    rows = [
        (*word, *[PAD] * (8 - len(word))) for n in range(1, 9) for word in itertools.product((OPEN, CLOSE), repeat=n)
    ]
    strings = np.array(rows, dtype=np.int8)
    assert is_balanced(strings).tolist() == [balanced_by_definition(text) for text in texts(strings)]


def test_balanced_strings_are_balanced_and_have_their_pairs():
    rng = np.random.default_rng(0)
    pairs = rng.integers(1, 31, 500)
    strings = balanced_strings(rng, pairs, 60)
    assert is_balanced(strings).all()
    assert (lengths(strings) == 2 * pairs).all()


def chances(pairs):
    """Text -> probability by the recursion of the published generator."""
    if pairs == 1:
        return Counter({"()": 1.0})
    found = Counter({f"({inner})": p / 2 for inner, p in chances(pairs - 1).items()})
    for u in range(1, pairs):
        for (left, p), (right, q) in itertools.product(chances(u).items(), chances(pairs - u).items()):
            found[left + right] += p * q / 2 / (pairs - 1)
    return found


def test_balanced_strings_have_the_published_distribution():
    count, expected = 40000, chances(4)
    seen = Counter(texts(balanced_strings(np.random.default_rng(1), np.full(count, 4), 8)))
    assert seen.keys() == expected.keys()
    for text, p in expected.items():
        assert abs(seen[text] / count - p) < 5 * (p / count) ** 0.5, text


def test_swaps_keep_the_counts_and_flips_the_length():
    rng = np.random.default_rng(2)
    strings = sample(rng, 10, 300)
    swaps, flips, rows = strings.copy(), strings.copy(), np.arange(0, 300, 2)
    swapped(rng, swaps, rows)
    flipped(rng, flips, rows)
    assert ((swaps == OPEN).sum(axis=1) == (strings == OPEN).sum(axis=1)).all()
    assert (lengths(flips) == lengths(strings)).all()
    for mutated in (swaps, flips):
        assert (mutated[1::2] == strings[1::2]).all()
        assert (mutated[::2] != strings[::2]).any(axis=1).mean() > 0.2


def test_the_published_rates_come_out_at_thirty_pairs():
    block = Dyck(30).block(Split.TRAIN, 0, 0, 40000)
    strings = dyck_module._strings(block)
    balanced, equal = is_balanced(strings), dyck_module.equal_counts(strings)
    assert lengths(strings).mean() == pytest.approx(31, abs=0.5)
    assert lengths(strings).max() == 60
    assert balanced.mean() == pytest.approx(0.52, abs=0.015)
    rules = Dyck(30).baselines(block)
    assert rules["equal counts"] == pytest.approx(0.93, abs=0.01)
    assert rules["equal counts, ( first, ) last"] == pytest.approx(0.98, abs=0.01)
    assert balanced[equal].mean() == pytest.approx(0.88, abs=0.015)


def test_the_answer_stands_at_the_question_mark_after_the_string():
    block = Dyck(8).block(Split.VALIDATION, 0, 0, 200)
    assert ((block.answers != IGNORED) == (block.tokens == ASK)).all()
    for tokens, answers in zip(block.tokens, block.answers, strict=True):
        string, _, rest = "".join(TEXT[token] for token in tokens.tolist()).partition("?")
        assert rest == ""
        assert answers.max() == balanced_by_definition(string)


def test_long_strings_of_two_splits_have_nothing_in_common():
    found = {split: texts(Dyck(8).block(split, 0, 0, 3000).tokens) for split in Split}
    long = {split: {text for text in words if len(text) > SHORT + 1} for split, words in found.items()}
    for one, other in itertools.combinations(Split, 2):
        assert not long[one] & long[other]
    assert all(len(words) > 400 for words in long.values())


def test_every_split_has_the_same_share_of_long_strings():
    shares = [Dyck(10).block(split, 0, 0, 8000).groups["unseen"].mean() for split in Split]
    assert max(shares) - min(shares) < 0.03
    assert min(shares) > 0.4


def test_the_stress_set_defeats_the_rules_and_is_kept_from_training():
    block = Dyck(10).extra_test("stress", 400)
    rules = Dyck(10).baselines(block)
    assert len(block) == 400
    assert set(rules.values()) == {0.5}
    strings = dyck_module._strings(block)
    assert is_balanced(strings).mean() == 0.5
    assert (lengths(strings) > SHORT).all()
    assert all(split_of(row.tobytes()) == Split.TEST for row in strings)


def test_a_block_is_a_function_of_split_seed_and_index():
    task = Dyck(10)
    one = task.block(Split.TRAIN, 3, 4, 100)
    assert (one.tokens == task.block(Split.TRAIN, 3, 4, 100).tokens).all()
    for other in (task.block(Split.TRAIN, 3, 5, 100), task.block(Split.TRAIN, 2, 4, 100)):
        assert (one.tokens != other.tokens).any()


@pytest.mark.parametrize("pairs", [7, -1, 501])
def test_pairs_out_of_range_are_refused(pairs):
    with pytest.raises(UsageError, match="--pairs"):
        Dyck(pairs)
