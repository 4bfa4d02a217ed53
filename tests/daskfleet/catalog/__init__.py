"""Tests of ``catalog``."""
