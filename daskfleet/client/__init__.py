"""A team's cluster in Python: the client, and the tunnel that lives as long as it does."""
