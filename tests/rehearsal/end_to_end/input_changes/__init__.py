"""One input changed at a time, on a running fleet: what was foretold, and what happened."""
