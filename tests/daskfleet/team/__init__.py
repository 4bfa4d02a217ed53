"""Tests of what a member of a team runs."""
