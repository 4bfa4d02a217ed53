"""Tests of the operator's process and its surroundings."""
