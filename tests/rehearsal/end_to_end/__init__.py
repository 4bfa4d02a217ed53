"""Tests that run the whole rehearsal."""
