"""For all tests."""

from hypothesis import settings

# A machine that does something else besides is slower, and no property is about time.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")
