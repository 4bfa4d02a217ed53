"""Tests of the comment."""
