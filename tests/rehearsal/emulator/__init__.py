"""Tests of the Google API emulator."""
