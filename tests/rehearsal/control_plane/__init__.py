"""Tests of the local control plane."""
