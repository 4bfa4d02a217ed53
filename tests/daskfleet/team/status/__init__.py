"""Tests of daskfleet/team/status."""
