"""What a release has beside its packages: notes, list of parts (SBOM), pages and their site."""
