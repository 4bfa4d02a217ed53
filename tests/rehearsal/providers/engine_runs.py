"""What the suites under the real engine share: its environment, and what a run changed."""

import os
from pathlib import Path

from pulumi import automation


def search_path(*directories: Path) -> str:
    """Make a PATH on which these directories come first."""
    return os.pathsep.join([*map(str, directories), os.environ["PATH"]])


def engine_environment(directory: Path, *, path: str) -> dict[str, str]:
    """Build an environment whose engine keeps its state in ``directory`` and downloads nothing."""
    state = directory / "state"
    state.mkdir()
    return {
        "PATH": path,
        "PULUMI_BACKEND_URL": f"file://{state}",
        "PULUMI_CONFIG_PASSPHRASE": "",
        "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "1",
        "PULUMI_SKIP_UPDATE_CHECK": "1",
    }


def changes(result: automation.UpResult | automation.RefreshResult) -> dict[str, int]:
    """Count the resources that changed, by operation."""
    counted = result.summary.resource_changes or {}
    return {str(operation): count for operation, count in counted.items() if operation != "same"}
