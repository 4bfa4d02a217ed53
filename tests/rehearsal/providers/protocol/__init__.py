"""Tests of the provider protocol base."""
