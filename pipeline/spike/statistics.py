"""Intervals and tests over lines. Variants of one line are not independent, so the line is what is drawn and compared.

numpy and scipy are imported when a figure is asked for: the command line must start fast.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SMALL = 30
"""Fewer lines, items or answers than this are called a small sample."""
_SEED = 20_170_101
_RESAMPLES = 2_000


@dataclass(frozen=True, slots=True)
class Share:
    """Cases that hold among all cases."""

    hits: float
    total: float

    @property
    def value(self) -> float | None:
        """The share; None where there are no cases."""
        return self.hits / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class Paired:
    """One measure on the same lines, twice."""

    lines: int
    first: float
    second: float
    difference: float
    """Second less first, mean over lines."""
    interval: tuple[float, float] | None
    """95 %, bootstrap over lines; None for fewer than two lines."""
    higher: int
    """Lines on which the second is higher."""
    lower: int
    p: float
    """Exact sign test, two-sided, over the lines that differ (for one case a line: McNemar's)."""

    @property
    def small(self) -> bool:
        """Whether it is a small sample."""
        return self.lines < SMALL


def share_interval(by_line: Sequence[Share]) -> tuple[float, float] | None:
    """95 % interval of a share by the percentile bootstrap over lines, seed fixed. None for fewer than two lines."""
    counted = [one for one in by_line if one.total]
    if len(counted) < 2:
        return None
    return _bootstrap([one.hits for one in counted], [one.total for one in counted])


def mean_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """The same for a mean of one value a line."""
    return _bootstrap(values, [1.0] * len(values)) if len(values) >= 2 else None


def _bootstrap(above: Sequence[float], below: Sequence[float]) -> tuple[float, float]:
    """The interval of sum(above) / sum(below), both drawn together."""
    import numpy
    from scipy import stats

    if len({hit / total for hit, total in zip(above, below, strict=True)}) == 1:
        only = above[0] / below[0]  # every draw is the same
        return round(only, 3), round(only, 3)
    found = stats.bootstrap(
        (numpy.asarray(above, dtype=float), numpy.asarray(below, dtype=float)),
        lambda hits, totals, axis=-1: hits.sum(axis=axis) / totals.sum(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=_RESAMPLES,
        method="percentile",
        rng=numpy.random.default_rng(_SEED),
    )
    interval = found.confidence_interval
    return round(float(interval.low), 3), round(float(interval.high), 3)


def most_likely_missed(found: int, seen: int) -> float | None:
    """Upper end of the exact 95 % interval of a rate of which `found` of `seen` cases were met. None for no cases."""
    from scipy import stats

    if not seen:
        return None
    return round(float(stats.binomtest(found, seen).proportion_ci(0.95, method="exact").high), 3)


def paired(first: Mapping[str, float], second: Mapping[str, float]) -> Paired | None:
    """Compares two values of the same lines, by line id. None where no line has both."""
    from scipy import stats

    both = [name for name in first if name in second]
    if not both:
        return None
    differences = [round(second[name] - first[name], 9) for name in both]
    higher, lower = sum(one > 0 for one in differences), sum(one < 0 for one in differences)
    p = float(stats.binomtest(higher, higher + lower).pvalue) if higher + lower else 1.0
    count = len(both)
    return Paired(
        lines=count,
        first=round(sum(first[name] for name in both) / count, 3),
        second=round(sum(second[name] for name in both) / count, 3),
        difference=round(sum(differences) / count, 3),
        interval=mean_interval(differences),
        higher=higher,
        lower=lower,
        p=round(p, 4),
    )
