"""Tests of the checks of a running cluster."""
