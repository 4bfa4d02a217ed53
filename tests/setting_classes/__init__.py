"""What a change of each setting does at worst: found by the program, and listed on a page."""
