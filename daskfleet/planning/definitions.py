"""The operator and the custom resource definitions that are vendored for it are of one release."""

from daskfleet.settings.problems import Problem
from daskfleet.settings.software import Operator
from daskfleet.settings.stack import Stack

VENDORED = Operator().version
"""The release of dask-kubernetes that ``manifests/dask-crds`` comes from: a default that comes
without its definitions is none. A test compares; the chart is no part of what pip installs."""


def definition_problems(stack: Stack) -> list[Problem]:
    """An operator that would find definitions of another release than its own."""
    if stack.operator.version == VENDORED:
        return []
    return [
        Problem(
            key="operator.version",
            value=stack.operator.version,
            reason=f"The definitions in manifests/dask-crds are those of {VENDORED}; an operator "
            "of another release may write fields that they do not have.",
            allowed=VENDORED,
            next_step=f"write {VENDORED}, or bring the definitions along as manifests/SOURCES.md "
            "says.",
        )
    ]
