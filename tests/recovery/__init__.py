"""Tests of the recovery."""
