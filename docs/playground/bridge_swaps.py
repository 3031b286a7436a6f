"""The randomisation test of chapter 5.3 without numpy: the same swaps, the same sums, the same p.

A swap of n segments is a whole number of n bits. What the systems differ by, number by number, is
cut into planes, one for each bit; the ones of `plane & swap`, counted, weighted and added, are what
a swap moves from one system to the other.
"""

import math
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from bleu_nb.derivation.bleu import BleuStats
from bleu_nb.dialects.definition import leaves_out, segment_dialect, value_of
from bleu_nb.dialects.table import COUNTINGS, Dialect, sets_only
from bleu_nb.scoring.counts import Counts, check_resamples, width_of

TRIALS, SEED = 10_000, 12345  # As `bleu-nb compare` takes them unless told otherwise
NEAR = 1e-9  # Of the scale: nearer than that to the difference found, a score is taken exactly
FRACTION = 52  # Bits of a fraction, as the package keeps them
WORD, STATE = (1 << 64) - 1, (1 << 128) - 1
FACTOR = 0x2360ED051FC65DA44385DF649FCCF645  # Of the generator PCG64
TOGETHER = 64  # Swaps that are drawn at once
LANES = 512  # Steps of the generator that are taken at once


# -- Swaps: the bits of numpy's PCG64


def scramble(value: int, constant: int, factor: int) -> tuple[int, int]:
    """A word stirred by a constant, and the next constant."""
    following = constant * factor & 0xFFFFFFFF
    value = (value ^ constant) * following & 0xFFFFFFFF
    return value ^ value >> 16, following


def spread(seed: int) -> tuple[int, int]:
    """The two numbers of 128 bits that a seed of less than 128 bits stands for."""
    words = [seed >> shift & 0xFFFFFFFF for shift in range(0, 128, 32)]
    constant, pool = 0x43B0D7E5, []
    for word in words:
        mixed, constant = scramble(word, constant, 0x931E8875)
        pool.append(mixed)
    for source in range(4):
        for target in range(4):
            if source != target:
                mixed, constant = scramble(pool[source], constant, 0x931E8875)
                mixed = 0xCA01F9DD * pool[target] - 0x4973F715 * mixed & 0xFFFFFFFF
                pool[target] = mixed ^ mixed >> 16
    constant, state = 0x8B51F9DD, []
    for place in range(8):
        mixed, constant = scramble(pool[place % 4], constant, 0x58F38DED)
        state.append(mixed)
    a, b, c, d = (state[at] | state[at + 1] << 32 for at in range(0, 8, 2))
    return a << 64 | b, c << 64 | d


def repeated(value: int, lanes: int, width: int) -> int:
    """A number in each of many lanes of some bytes."""
    return int.from_bytes(value.to_bytes(width, "little") * lanes, "little")


def words(state: int, add: int) -> Iterator[bytes]:
    """What PCG64 puts out from a state on, 2 * LANES words at a time.

    The states of LANES steps stand side by side in one whole number, 256 bits each, and one product
    takes them LANES steps on. A word is the two halves of its state, one laid over the other and
    turned by as much as the first six bits say: bit by bit, all words at once.
    """
    states, factor, plus = bytearray(), 1, 0
    for _ in range(LANES):
        state = (state * FACTOR + add) & STATE
        states += state.to_bytes(32, "little")
        factor, plus = factor * FACTOR & STATE, (plus * FACTOR + add) & STATE
    here = int.from_bytes(states, "little")
    plus, low = repeated(plus, LANES, 32), repeated(STATE, LANES, 32)
    ones, word = repeated(1, 2 * LANES, 16), repeated(WORD, 2 * LANES, 16)
    while True:
        there = here * factor + plus & low
        both = here | there << 128
        mixed, turn = (both ^ both >> 64) & word, both >> 122
        mixed |= mixed << 64  # Turned right, a word takes from its copy above
        for bit in range(6):
            chosen = turn >> bit & ones
            mixed ^= (mixed ^ mixed >> (1 << bit)) & ((chosen << 128) - chosen)
        found = memoryview(mixed.to_bytes(32 * LANES, "little")).cast("Q")
        yield found[::4].tobytes() + found[2::4].tobytes()
        here = there * factor + plus & low


def swaps(seed: int, units: int) -> Iterator[int]:
    """Fair coins, one for each unit: the bits that `draw_swaps` draws (chapter 5.1)."""
    start, sequence = spread(seed)
    add = (sequence << 1 | 1) & STATE
    drawn = words(((add + start) * FACTOR + add) & STATE, add)
    left, bits, every = 0, 0, (1 << units) - 1
    while True:
        some = b"".join(islice(drawn, -(-(TOGETHER * units - bits) // (128 * LANES))))
        left |= int.from_bytes(some, "little") << bits
        bits += 8 * len(some)
        block = left.to_bytes(-(-bits // 8), "little")
        for place in range(0, TOGETHER * units, units):
            part = block[place >> 3 : (place + units + 7) >> 3]
            yield int.from_bytes(part, "little") >> (place & 7) & every
        left >>= TOGETHER * units
        bits -= TOGETHER * units


# -- What a swap moves


def whole(value: float) -> int:
    """A number of 0 or more as a whole number, whose sums are exact in any order."""
    down = math.floor(value)
    part = (value - down) * 2.0**26
    first = math.floor(part)
    return (down << FRACTION) + (first << 26) + round((part - first) * 2.0**26)


def part_of(value: int) -> float:
    """The number again."""
    return (value >> FRACTION) + (value & (1 << FRACTION) - 1) / 2.0**FRACTION


@dataclass(frozen=True)
class Columns:
    """What each segment adds to a sum: matches, totals, lengths; or its score alone."""

    dialect: Dialect
    numbers: list[list[int]]
    segments: int

    @property
    def sums(self) -> list[int]:
        """The whole corpus."""
        return [*map(sum, self.numbers)]


def columns_of(counts: Counts) -> Columns:
    """What the package's test adds up, number by number."""
    dialect = counts.dialect
    check_resamples(dialect)
    if dialect.average == "segments":
        row = segment_dialect(dialect, leaves_out(dialect, sentence=False))
        values = replace(counts, dialect=row).values()
        return Columns(dialect, [[*map(whole, values)]], len(counts))
    width = width_of(dialect)
    found = [*(counts.matches[place::width].tolist() for place in range(width)),
             *(counts.totals[place::width].tolist() for place in range(width)),
             counts.candidate_lengths.tolist(), counts.reference_lengths.tolist()]
    return Columns(dialect, found, len(counts))


class Planes(NamedTuple):
    """Differences of two systems, cut into bits."""

    bits: list[int]  # Different planes, a bit for each segment
    weights: list[list[tuple[int, int]]]  # For each column: places in `bits`, what each is worth


def planes_of(one: Columns, other: Columns) -> Planes:
    """Other less one, segment by segment; the last plane of a column is worth less than nothing."""
    known: dict[int, int] = {}
    weights = []
    for mine, theirs in zip(one.numbers, other.numbers, strict=True):
        moved = [b - a for a, b in zip(mine, theirs, strict=True)]
        width = max((each.bit_length() for each in moved), default=0)
        column = []
        for bit in range(width + 1):
            text = "".join("1" if each >> bit & 1 else "0" for each in reversed(moved))
            if plane := int(text, 2):
                place = known.setdefault(plane, len(known))
                column.append((place, -(1 << bit) if bit == width else 1 << bit))
        weights.append(column)
    return Planes([*known], weights)


def moved_by(planes: Planes, swap: int) -> list[int]:
    """How much each sum of the first system grows by a swap; the second's falls by as much."""
    ones = [(plane & swap).bit_count() for plane in planes.bits]
    return [sum([ones[place] * weight for place, weight in column]) for column in planes.weights]


# -- Scores


def exact(columns: Columns, sums: Sequence[int]) -> float:
    """The score of sums, not rounded."""
    dialect = replace(columns.dialect, digits=None)
    if dialect.average == "segments":
        return part_of(sums[0]) * dialect.scale / columns.segments
    width = width_of(dialect)
    row = BleuStats(tuple(sums[:width]), tuple(sums[width:-2]), *sums[-2:])
    return value_of(dialect, row, row, leaves_out(dialect, sentence=False))[0]


def is_usual(dialect: Dialect) -> bool:
    """Whether a score without zeros is the geometric mean with the usual penalty."""
    own = frozenset({"max_order", "smoothing", "smoothing_value", "effective_order", "scale"})
    return (dialect.average == "pooled" and dialect.smoothing in ("none", "exp", "floor")
            and COUNTINGS[dialect.counting].clipped and sets_only(dialect, own, "score"))


def quick(dialect: Dialect, width: int, sums: Sequence[int]) -> float | None:
    """The score to some 13 digits, where that is easy."""
    product = 1.0
    for matches, total in zip(sums[:width], sums[width:-2], strict=True):
        if not matches:
            return None
        product *= matches / total
    short = min(0.0, 1 - sums[-1] / sums[-2])
    return dialect.scale * math.exp(short + math.log(product) / width) if product else None


class Test(NamedTuple):
    """What the test found."""

    difference: float  # Of the scores, the second's less the first's
    reached: int  # Swaps with a difference as large, in either direction
    p_value: float
    drawn: list[float]  # The differences of all swaps


def check_units(segments: int) -> None:
    """Refuse what has nothing to swap."""
    if segments < 2:
        raise ValueError(
            f"resampling needs at least two segments or documents, not {segments}: pass more "
            "segments, or segments of at least two documents"
        )


def randomize(
    one: Counts, other: Counts, drawn: Iterator[int] | None = None, trials: int = TRIALS
) -> Generator[tuple[int, int], None, Test]:
    """Swap outputs at random, score both sides, and count how often they are so far apart."""
    check_units(len(one))
    first, second = columns_of(one), columns_of(other)
    planes, dialect = planes_of(first, second), first.dialect
    mine, theirs = first.sums, second.sums
    found = exact(second, theirs) - exact(first, mine)
    easy, width, near = is_usual(dialect), width_of(dialect), NEAR * dialect.scale
    coins, differences = drawn or swaps(SEED, len(one)), list[float]()
    for trial in range(trials):
        moved = moved_by(planes, next(coins))
        mixed = [a + b for a, b in zip(mine, moved, strict=True)]
        rest = [a - b for a, b in zip(theirs, moved, strict=True)]
        low = quick(dialect, width, mixed) if easy else None
        high = quick(dialect, width, rest) if easy else None
        difference = None if low is None or high is None else high - low
        if difference is None or abs(abs(difference) - abs(found)) < near:
            difference = exact(second, rest) - exact(first, mixed)
        differences.append(difference)
        if trial % 64 == 0:
            yield trial, trials
    reached = sum(abs(each) >= abs(found) for each in differences)
    return Test(found, reached, (reached + 1) / (trials + 1), differences)
