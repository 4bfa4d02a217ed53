"""Tests of ``verify.probe``."""
