"""Tests of letting a team go."""
