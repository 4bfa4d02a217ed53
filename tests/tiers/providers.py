"""Which provider plugins the stages of a run have: `--providers`."""

import os
from typing import Final

import pytest

from rehearsal.providers.install import Choice

CHOICES: Final[tuple[Choice, ...]] = ("stand-in", "real", "auto")
VARIABLE: Final = "DASKFLEET_TESTS_PROVIDERS"
"""Also for what tests start, and for whoever runs a stage without pytest."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.getgroup("tiers").addoption(
        "--providers",
        choices=CHOICES,
        default=None,
        help="provider plugins of the end-to-end tests, as of `rehearse up`; stand-in by default",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Tell it to every stage of the run."""
    if config.option.providers:
        os.environ[VARIABLE] = config.option.providers


def chosen_providers() -> Choice:
    """Return which plugins a stage gets."""
    said = os.environ.get(VARIABLE, CHOICES[0])
    if said not in CHOICES:
        raise pytest.UsageError(f"{VARIABLE}={said}: {', '.join(CHOICES)}.")
    return said
