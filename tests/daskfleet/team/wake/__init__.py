"""Tests of ``wake``."""
