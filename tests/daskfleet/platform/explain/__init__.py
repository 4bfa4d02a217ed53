"""Tests of ``daskfleet settings``."""
