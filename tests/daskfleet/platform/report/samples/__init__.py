"""A report that a real rehearsal left, and what the README shows of it."""
