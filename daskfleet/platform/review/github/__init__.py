"""The trusted part of a review: what it reads from GitHub, and what it writes there."""
