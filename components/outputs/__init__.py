"""The stack's outputs."""
