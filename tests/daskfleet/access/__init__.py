"""Tests of how commands reach a fleet."""
