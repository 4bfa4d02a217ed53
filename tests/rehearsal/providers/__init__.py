"""Tests of the provider plugins."""
