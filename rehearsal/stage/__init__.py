"""The stage: everything that plain ``pulumi up`` needs on this machine, set and cleared away."""
