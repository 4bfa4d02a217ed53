"""Medians with their spread."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median
from typing import Self


@dataclass(frozen=True, kw_only=True)
class Spread:
    """The middle of several measurements, and how far they lie apart."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Self:
        """Summarise. Raises statistics.StatisticsError when there are no values."""
        ordered = sorted(values)
        return cls(median=median(ordered), least=ordered[0], most=ordered[-1])

    def text(self, digits: int) -> str:
        """Write as ``median (least-most)``."""
        return f"{self.median:.{digits}f} ({self.least:.{digits}f}-{self.most:.{digits}f})"
