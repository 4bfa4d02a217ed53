"""Tests of the stack files."""
