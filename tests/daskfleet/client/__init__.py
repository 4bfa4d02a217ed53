"""Unit and integration: a team's cluster in Python."""
