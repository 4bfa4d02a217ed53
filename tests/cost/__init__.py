"""Tests of ``cost``."""
