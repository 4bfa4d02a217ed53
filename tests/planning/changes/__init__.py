"""Tests of ``planning.changes``."""
