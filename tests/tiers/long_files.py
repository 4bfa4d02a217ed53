"""The marks of end-to-end files that take minutes: each comes whole at one commit of three."""

import pytest

LONG = [pytest.mark.rehearsal, pytest.mark.soak(files=3, every=1)]
