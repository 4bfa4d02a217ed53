"""Tests of what the operator asks schedulers."""
