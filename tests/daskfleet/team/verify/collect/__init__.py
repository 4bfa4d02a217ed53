"""Tests of what collects the facts."""
