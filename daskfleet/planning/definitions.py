"""The operator and the custom resource definitions that are vendored for it are of one release."""

from functools import cache

import yaml

from daskfleet.checkout import SOURCE_DIR
from daskfleet.settings.problems import Problem
from daskfleet.settings.stack import Stack

CHART = SOURCE_DIR / "manifests" / "dask-crds" / "Chart.yaml"


@cache
def vendored_version() -> str:
    """The release of dask-kubernetes that ``manifests/dask-crds`` comes from."""
    return str(yaml.safe_load(CHART.read_text("utf-8"))["version"])


def definition_problems(stack: Stack) -> list[Problem]:
    """An operator that would find definitions of another release than its own."""
    vendored = vendored_version()
    if stack.operator.version == vendored:
        return []
    return [
        Problem(
            key="operator.version",
            value=stack.operator.version,
            reason=f"The definitions in manifests/dask-crds are those of {vendored}; an operator "
            "of another release may write fields that they do not have.",
            allowed=vendored,
            next_step=f"write {vendored}, or bring the definitions along as manifests/SOURCES.md "
            "says.",
        )
    ]
