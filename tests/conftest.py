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

# A machine that does something else besides is slower, and no property is about time. Few examples
# in each run add up over the runs; `make soak` tries many at once.
settings.register_profile("each run", deadline=None, max_examples=30)
settings.register_profile("soak", deadline=None, max_examples=1000)
settings.load_profile("each run")

# The width of somebody's terminal, which workers of `-n` are given: no test is about it.
os.environ.pop("COLUMNS", None)

# A shell that starts `make test` in the background has it ignore Ctrl-C, and what tests start and
# interrupt would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
