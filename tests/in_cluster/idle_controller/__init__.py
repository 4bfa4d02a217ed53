"""Tests of ``idle_controller``."""
