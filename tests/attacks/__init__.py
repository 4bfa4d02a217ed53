"""What a hostile member, stranger or scheduler tries, a file for each boundary.

docs/threat-model.md says which boundaries there are. Each attack has its positive control: it
works where nothing defends. What needs a whole fleet is in tests/rehearsal, beside that fleet.
"""
