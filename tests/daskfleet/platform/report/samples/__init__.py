"""A report that a real rehearsal left, and what rehearsal/README.md shows of it."""
