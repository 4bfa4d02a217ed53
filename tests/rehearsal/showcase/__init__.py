"""End to end: every optional feature at once, on the stack that shows them."""
