"""Golden samples of the comment, and how to renew them."""
