"""What the rehearsal saw, and whether it is what the program promises."""
