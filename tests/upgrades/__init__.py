"""Tests of upgrades: of daskfleet itself, of the operator, of GKE, of the providers."""
