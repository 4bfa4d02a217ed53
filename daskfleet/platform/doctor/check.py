"""One look-up of an examination."""

from collections.abc import Coroutine
from dataclasses import dataclass

from daskfleet.platform.doctor.model import Area, Finding


@dataclass(frozen=True, kw_only=True)
class Check:
    """A look-up, and what it is called if it comes to nothing."""

    area: Area
    subject: str
    look: Coroutine[None, None, list[Finding]]
