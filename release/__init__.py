"""What a release consists of beside its packages: its notes, and the list of its parts (SBOM)."""
