"""Letting a team go: all that it has runs on, and the stack's state no longer knows it."""
