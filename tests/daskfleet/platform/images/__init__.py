"""Tests of ``images``."""
