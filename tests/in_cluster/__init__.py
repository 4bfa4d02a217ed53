"""Tests of what runs in pods."""
