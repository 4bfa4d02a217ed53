"""What one run of the tests takes, in which order, and how long each file of them took."""
