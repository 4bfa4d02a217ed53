"""Tests of what is set up around the engine."""
