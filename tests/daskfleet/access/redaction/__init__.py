"""Tests of what hides secrets."""
