"""A change rehearsed: trees, what is seen, what is compared, what is said."""
