"""Mutants: small mistakes that are made on purpose, to see whether the tests of the room notice."""
