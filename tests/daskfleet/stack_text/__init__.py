"""Tests of ``daskfleet.stack_text``."""
