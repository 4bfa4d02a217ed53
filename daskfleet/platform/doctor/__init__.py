"""What would make the first ``pulumi up`` fail, found before it. Writes nothing."""
