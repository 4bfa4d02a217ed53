"""For all tests."""

import os
import signal

from hypothesis import settings

pytest_plugins = (
    "tests.tiers.selection",
    "tests.tiers.recording",
    "tests.tiers.browser",
    "tests.tiers.providers",
    "tests.warm_python.fixtures",
)

# A machine that does something else besides is slower, and no property is about time.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

# The width of somebody's terminal, which workers of `-n` are given: no test is about it.
os.environ.pop("COLUMNS", None)

# A shell that starts `make test` in the background has it ignore Ctrl-C, and what tests start and
# interrupt would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
