"""The policy pack ``daskfleet``: serves until the engine ends it."""

import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent

# A directory pack runs with its own directory as the first place for imports.
sys.path[0] = str(PROJECT)

from pulumi_policy import PolicyPack  # noqa: E402

from policies.crossguard import policies_of  # noqa: E402
from policies.location import NAME  # noqa: E402
from policies.rules import RULES  # noqa: E402

PolicyPack(name=NAME, policies=policies_of(RULES))
