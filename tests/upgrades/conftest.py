"""What the end-to-end tests of upgrades share with those of the rehearsal."""

from tests.rehearsal.conftest import binaries

__all__ = ["binaries"]
