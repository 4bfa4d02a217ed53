"""Tests of ``settings``."""
