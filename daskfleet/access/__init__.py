"""How commands that only look at a fleet reach it: Pulumi's state, and through it the cluster."""
