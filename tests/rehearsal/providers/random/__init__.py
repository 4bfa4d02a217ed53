"""Tests of rehearsal.providers.random."""
