"""The directory of one rehearsal, and the environment in which plain ``pulumi`` works on it."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

REHEARSAL_STACK = "rehearsal"
"""The stack whose file is written for the rehearsal and therefore used in place."""

ACCESS_TOKEN = "rehearsal-token-that-opens-nothing"  # noqa: S105 - the emulator takes any
ENDPOINTS = {
    # Read by the Google provider instead of arguments: endpoints given as provider arguments
    # would be stored in the state and show as a diff against the real cloud.
    "GOOGLE_CONTAINER_CUSTOM_ENDPOINT": "container/v1beta1/",
    "GOOGLE_COMPUTE_CUSTOM_ENDPOINT": "compute/beta/",
    "GOOGLE_IAM_BETA_CUSTOM_ENDPOINT": "iam/v1/",
    "GOOGLE_RESOURCE_MANAGER_CUSTOM_ENDPOINT": "crm/v1/",
    "GOOGLE_SERVICE_USAGE_CUSTOM_ENDPOINT": "serviceusage/v1/",
}


@dataclass(frozen=True, kw_only=True)
class Workspace:
    """Paths of one rehearsal. Nothing here touches the disk."""

    project_dir: Path
    """Where ``Pulumi.yaml`` is."""
    directory: Path
    """Everything that the rehearsal writes, but for the charts and the toolchain cache."""
    stack: str = REHEARSAL_STACK
    config_file: Path | None = None
    """Settings to rehearse instead of the stack's own file."""

    @classmethod
    def of_stack(cls, project_dir: Path, stack: str, config_file: Path | None = None) -> "Workspace":
        """Return the workspace that the command line uses for ``stack``."""
        return cls(
            project_dir=project_dir,
            directory=project_dir / ".rehearsal" / stack,
            stack=stack,
            config_file=config_file,
        )

    @property
    def stack_file(self) -> Path:
        """The settings to rehearse."""
        return self.config_file or self.project_dir / "stacks" / f"Pulumi.{self.stack}.yaml"

    @property
    def own_stack_file(self) -> Path | None:
        """Where the rehearsal keeps its copy of the settings; None: they are used in place."""
        if self.config_file is None and self.stack == REHEARSAL_STACK:
            return None
        return self.directory / f"Pulumi.{self.stack}.yaml"

    @property
    def chart(self) -> Path:
        """The operator's chart, shared by all rehearsals of this checkout."""
        return self.project_dir / ".rehearsal" / "charts" / "dask-kubernetes-operator"

    @property
    def bin_dir(self) -> Path:
        """Executables that come first on PATH."""
        return self.directory / "bin"

    @property
    def state_dir(self) -> Path:
        """Pulumi's file backend."""
        return self.directory / "state"

    @property
    def pulumi_home(self) -> Path:
        """Plugins and credentials of this rehearsal's Pulumi, apart from the user's own."""
        return self.directory / "pulumi-home"

    @property
    def logs_dir(self) -> Path:
        """Logs of the supervisor, the operator and the engine."""
        return self.directory / "logs"

    @property
    def clusters_dir(self) -> Path:
        """One directory per control plane."""
        return self.directory / "clusters"

    @property
    def request_log(self) -> Path:
        """Every request to the emulated Google APIs."""
        return self.directory / "requests.jsonl"

    @property
    def supervisor_file(self) -> Path:
        """What the supervisor says about itself."""
        return self.directory / "supervisor.json"

    @property
    def token_file(self) -> Path:
        """The token that the gke-gcloud-auth-plugin shim hands out; mode 0600."""
        return self.directory / "cluster-token"

    @property
    def report_file(self) -> Path:
        """What the last ``up`` measured."""
        return self.directory / "last-up.json"

    @property
    def engine_file(self) -> Path:
        """The engine that is running now, started by ``rehearse up``."""
        return self.directory / "engine.json"


def pulumi_environment(
    workspace: Workspace, *, base_url: str, executables: tuple[Path, ...]
) -> dict[str, str]:
    """Return the variables that point plain ``pulumi`` at the rehearsal.

    ``executables`` are directories to find before the user's own PATH: the toolchain's.
    """
    # The language host takes its Python from PATH, whatever Pulumi.yaml says of a virtualenv.
    python_dir = Path(sys.executable).parent
    first_on_path = (workspace.bin_dir, python_dir, *executables)
    variables = {
        "PATH": os.pathsep.join([*map(str, first_on_path), os.environ.get("PATH", "")]),
        "PULUMI_HOME": str(workspace.pulumi_home),
        "PULUMI_BACKEND_URL": f"file://{workspace.state_dir}",
        "PULUMI_CONFIG_PASSPHRASE": "",
        "PULUMI_STACK": workspace.stack,
        "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "1",
        "PULUMI_SKIP_UPDATE_CHECK": "1",
        "PULUMI_GCP_SKIP_REGION_VALIDATION": "true",
        "GOOGLE_OAUTH_ACCESS_TOKEN": ACCESS_TOKEN,
        **{name: f"{base_url}/{path}" for name, path in ENDPOINTS.items()},
    }
    if workspace.own_stack_file is not None:
        # The engine reads any flag from PULUMI_OPTION_<FLAG>; so plain `pulumi` in the shell
        # uses the copy, and the stack's own file is never written.
        variables["PULUMI_OPTION_CONFIG_FILE"] = str(workspace.own_stack_file)
    return variables


def without_real_credentials(environment: Mapping[str, str]) -> dict[str, str]:
    """Return ``environment`` less everything that could reach a real cloud or cluster."""
    return {
        name: value
        for name, value in environment.items()
        if not name.startswith(("GOOGLE_", "CLOUDSDK_", "GCLOUD_", "PULUMI_", "KUBE"))
    }
