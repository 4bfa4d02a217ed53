"""Tests of the policies; the engine asks them in tests/rehearsal/end_to_end/test_policies.py."""
