"""Keeping a rehearsal that is up, and bringing it back."""
