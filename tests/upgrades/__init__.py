"""Tests of upgrades of daskfleet itself; those of what it runs on share the rehearsal's fleet."""
