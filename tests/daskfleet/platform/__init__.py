"""Tests of what a platform engineer runs."""
