"""Tests of ``rehearsal.snapshots``."""
