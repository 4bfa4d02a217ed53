"""What hostile people try, against the real machinery."""
