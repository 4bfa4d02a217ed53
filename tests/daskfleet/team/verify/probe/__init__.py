"""Tests of ``daskfleet.team.verify.probe``."""
