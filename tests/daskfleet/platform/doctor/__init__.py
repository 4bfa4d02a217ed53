"""Tests of what is looked at before the first `up`."""
