"""What the end-to-end tests of upgrades share with those of the rehearsal."""

from tests.rehearsal.conftest import binaries
from tests.rehearsal.end_to_end.conftest import fleet, rehearsal

__all__ = ["binaries", "fleet", "rehearsal"]
