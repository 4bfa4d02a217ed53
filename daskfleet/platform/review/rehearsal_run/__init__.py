"""A change carried out in the rehearsal: what really happened, beside what was foretold."""
