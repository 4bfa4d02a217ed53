"""How much a stack file may hold: far more than any fleet needs, far less than hurts anybody.

The largest file in use (50 teams, each with everything) has 60 kB, 3,000 nodes and a depth of 8.
"""

MOST_BYTES = 1024 * 1024

MOST_NODES = 50_000
"""Keys and values, with what an alias stands for counted again in each place."""

MOST_DEPTH = 32
"""Mappings and lists in each other. Python's recursion and the C parser's end somewhere above 900
and 20,000."""

LONGEST_KEY = 256
"""Characters; the longest key that anything takes is a Kubernetes label of 253 and a namespace."""

LARGEST_NUMBER = 2**53
"""Pulumi hands numbers over as floats (seen with 3.256): beyond this it changes whole numbers."""

LONGEST_NUMBER = 64
"""Characters of a number; Python refuses to convert more than 4,300 digits."""
