"""What an `up` did when: what ran side by side, what waited, and what had to."""
