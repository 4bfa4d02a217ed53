"""Tests of the kubernetes stand-in."""
