"""Spellings of the classes that somebody may allow."""

from daskfleet.catalog.changes import ChangeClass
from daskfleet.platform.review.gate import DESTRUCTIVE


def _imperative(change_class: ChangeClass) -> str:
    """``replace-pool`` for ``replaces-pool``."""
    verb, _, rest = change_class.value.partition("-")
    return f"{verb.removesuffix('s')}-{rest}"


SPELLINGS = {spelling: each for each in DESTRUCTIVE for spelling in (each.value, _imperative(each))}
"""Classes by how people write them: as a command, or as the class."""


def parse_allowances(text: str) -> frozenset[ChangeClass]:
    """Read ``replace-pool,destroy-data``.

    Raises:
        ValueError: one of them is no class that needs an allowance; the message lists those.
    """
    names = [name.strip().lower() for name in text.split(",")]
    unknown = [name for name in names if name and name not in SPELLINGS]
    if unknown:
        known = ", ".join(map(_imperative, DESTRUCTIVE))
        raise ValueError(f"{', '.join(unknown)}: this cannot be allowed. Allowed: {known}.")
    return frozenset(SPELLINGS[name] for name in names if name)
