"""Tests of daskfleet/team/cluster_spec/."""
