"""The real Pulumi engine: running it, showing what it does, and what a killed one leaves behind."""
