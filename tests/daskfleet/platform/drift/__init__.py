"""Tests of the drift command."""
