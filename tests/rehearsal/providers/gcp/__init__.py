"""Tests of the gcp stand-in."""
