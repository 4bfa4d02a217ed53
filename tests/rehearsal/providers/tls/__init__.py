"""Tests of the tls stand-in."""
