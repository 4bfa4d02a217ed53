"""Documents that are refused, by subject."""
