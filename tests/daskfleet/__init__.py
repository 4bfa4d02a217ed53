"""Tests of the package ``daskfleet``."""
