"""Tests of connect."""
