"""Unit and integration: `daskfleet environment`."""
