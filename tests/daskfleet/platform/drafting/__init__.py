"""Tests of ``daskfleet draft``."""
