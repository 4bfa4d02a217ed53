"""Tests of the checks, on facts that nobody had to collect."""
