"""Tests of daskfleet/team/logs."""
