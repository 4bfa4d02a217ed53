"""Tests of what an `up` waits for."""
