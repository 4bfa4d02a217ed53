"""What `pip install daskfleet` gives."""
