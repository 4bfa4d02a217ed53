"""Tests of ``rehearsal.report``."""
