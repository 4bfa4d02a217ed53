"""Tests of ``rehearsal.supervisor``."""
