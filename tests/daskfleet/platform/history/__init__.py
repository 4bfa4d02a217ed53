"""Tests of ``daskfleet history``."""
