"""What a member of a team runs."""
