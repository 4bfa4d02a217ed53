"""What a platform engineer runs."""
