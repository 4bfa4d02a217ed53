"""How much a stack file may hold: more than any fleet needs, less than hurts anybody.

A stack of 300 teams, each with all that the fullest team of ``stacks/`` has, takes 145 kB, 16,000
keys and values, and a depth of 8.
"""

MOST_BYTES = 1024 * 1024

MOST_NODES = 50_000
"""Keys and values, with what an alias stands for counted again in each place."""

MOST_DEPTH = 32
"""Mappings and lists in each other. Python's own recursion ends at about 900 of them, and the C
composer's, with the process, below 30,000."""

LONGEST_KEY = 256
"""Characters; no setting's key, label or variable has more than 63."""

LARGEST_NUMBER = 2**53
"""Pulumi hands numbers over as floats (seen with 3.256): beyond this it changes whole numbers."""

LONGEST_NUMBER = 64
"""Characters of a number; Python refuses to convert more than 4,300 digits."""
