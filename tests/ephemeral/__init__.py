"""Tests of ephemeral/."""
