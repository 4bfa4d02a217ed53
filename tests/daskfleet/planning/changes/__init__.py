"""Tests of ``daskfleet.planning.changes``."""
