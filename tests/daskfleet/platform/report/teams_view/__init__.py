"""The list of teams and one team's view, in a browser."""
