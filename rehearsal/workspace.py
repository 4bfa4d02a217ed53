"""The directory of one rehearsal, and the environment in which plain ``pulumi`` works on it."""

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from rehearsal.toolchain import Binaries

REHEARSAL_STACK = "rehearsal"
"""The stack whose file is written for the rehearsal and therefore used in place."""

STACK_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
"""Names that Pulumi takes (pulumi/pulumi sdk/go/common/tokens), less those of hidden files."""

ACCESS_TOKEN = "rehearsal-token-that-opens-nothing"  # noqa: S105 - the emulator takes any
ENDPOINTS = {
    # Read by the Google provider instead of arguments: endpoints given as provider arguments
    # would be stored in the state and show as a diff against the real cloud.
    "GOOGLE_CONTAINER_CUSTOM_ENDPOINT": "container/v1beta1/",
    "GOOGLE_ARTIFACT_REGISTRY_CUSTOM_ENDPOINT": "artifactregistry/v1/",
    "GOOGLE_COMPUTE_CUSTOM_ENDPOINT": "compute/beta/",
    "GOOGLE_IAM_BETA_CUSTOM_ENDPOINT": "iam/v1/",
    "GOOGLE_KMS_CUSTOM_ENDPOINT": "cloudkms/v1/",
    "GOOGLE_RESOURCE_MANAGER_CUSTOM_ENDPOINT": "crm/v1/",
    "GOOGLE_SERVICE_USAGE_CUSTOM_ENDPOINT": "serviceusage/v1/",
    "GOOGLE_STORAGE_CUSTOM_ENDPOINT": "storage/v1/",
}

NOT_EMULATED = (
    *("BIG_QUERY", "CLOUD_BILLING", "IAM_CREDENTIALS", "LOGGING", "MONITORING"),
    "RESOURCE_MANAGER_V3",
)
"""Services that the provider may dial for what a program looks up, or daskfleet for a bill: the
emulator says that it has none of them, where Google's own hosts would be asked else."""

LEADS_ELSEWHERE = ("GOOGLE_", "GCLOUD_", "CLOUDSDK_", "PULUMI_", "KUBECONFIG")
"""Beginnings of variables with which a user's shell could send a rehearsal to a real cloud."""


def is_stack_name(name: str) -> bool:
    """Whether it names a stack, and leads nowhere else as a part of a path."""
    return STACK_NAME.fullmatch(name) is not None


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
    def of_stack(
        cls, project_dir: Path, stack: str, config_file: Path | None = None
    ) -> "Workspace":
        """Return the workspace that the command line uses for ``stack``."""
        return cls(
            project_dir=project_dir,
            directory=project_dir / ".rehearsal" / stack,
            stack=stack,
            config_file=config_file,
        )

    def command(self, verb: str) -> str:
        """Return the command that the user types for ``verb`` on this stack."""
        option = "" if self.stack == REHEARSAL_STACK else f" --stack {self.stack}"
        return f"daskfleet rehearse {verb}{option}"

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
    def dask_pods_dir(self) -> Path:
        """One directory per control plane for the processes of its Dask pods."""
        return self.directory / "dask-pods"

    @property
    def disks_dir(self) -> Path:
        """One directory per control plane for what its volumes hold."""
        return self.directory / "disks"

    @property
    def request_log(self) -> Path:
        """Every request to the emulated Google APIs."""
        return self.directory / "requests.jsonl"

    @property
    def supervisor_file(self) -> Path:
        """What the supervisor says about itself."""
        return self.directory / "supervisor.json"

    @property
    def rest_file(self) -> Path:
        """What a supervisor that came to rest goes on with; its presence says that it has."""
        return self.directory / "at-rest.json"

    @property
    def saved_dir(self) -> Path:
        """The stages that were saved, by name; outside of what is deleted, and no stack's name."""
        return self.directory.parent / ".saved" / self.directory.name

    @property
    def token_file(self) -> Path:
        """The token that the gke-gcloud-auth-plugin shim hands out; mode 0600."""
        return self.directory / "cluster-token"

    @property
    def report_file(self) -> Path:
        """What the last ``up`` measured."""
        return self.directory / "last-up.json"

    @property
    def saved_report(self) -> Path:
        """The last whole report, as ``--json`` prints it."""
        return self.directory / "report.json"

    @property
    def lock_file(self) -> Path:
        """Held by whoever brings the rehearsal up or ends it; outside of what is deleted."""
        return self.directory.with_name(f"{self.directory.name}.lock")

    @property
    def engine_file(self) -> Path:
        """The engine that is running now, started by ``rehearse up``."""
        return self.directory / "engine.json"


def pulumi_environment(
    workspace: Workspace, *, base_url: str, binaries: Binaries
) -> dict[str, str]:
    """Return the whole environment in which plain ``pulumi`` works on the rehearsal.

    Nothing in it reaches a real cloud or cluster.
    """
    kept = {k: v for k, v in os.environ.items() if not k.startswith(LEADS_ELSEWHERE)}
    return kept | rehearsal_variables(workspace, base_url=base_url, binaries=binaries)


def rehearsal_variables(
    workspace: Workspace, *, base_url: str, binaries: Binaries
) -> dict[str, str]:
    """Return the variables that point plain ``pulumi`` at the rehearsal."""
    # The language host takes its Python from PATH, whatever Pulumi.yaml says of a virtualenv.
    first_on_path = dict.fromkeys(
        (
            workspace.bin_dir,
            Path(sys.executable).parent,
            *(tool.parent for tool in (binaries.pulumi, binaries.pulumi_language_python)),
            binaries.helm.parent,
            # Of the API server's own version: a client supports one minor version of skew.
            binaries.kubectl.parent,
        )
    )
    users_own = os.environ.get("PATH", os.defpath).split(os.pathsep)
    path = dict.fromkeys([*map(str, first_on_path), *users_own])
    variables = {
        "PATH": os.pathsep.join(path),
        "PULUMI_HOME": str(workspace.pulumi_home),
        "PULUMI_BACKEND_URL": f"file://{workspace.state_dir}",
        "PULUMI_CONFIG_PASSPHRASE": "",
        "PULUMI_STACK": workspace.stack,
        "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "1",
        "PULUMI_SKIP_UPDATE_CHECK": "1",
        "PULUMI_GCP_SKIP_REGION_VALIDATION": "true",
        "GOOGLE_OAUTH_ACCESS_TOKEN": ACCESS_TOKEN,
        # kubectl keeps what it discovers per address, and every rehearsal has new ones.
        "KUBECACHEDIR": str(workspace.directory / "kubectl-cache"),
        **{name: f"{base_url}/{path}" for name, path in ENDPOINTS.items()},
        **{
            f"GOOGLE_{name}_CUSTOM_ENDPOINT": f"{base_url}/{name.lower()}/" for name in NOT_EMULATED
        },
    }
    if workspace.own_stack_file is not None:
        # The engine takes any flag from PULUMI_OPTION_<FLAG>; so plain `pulumi` in the shell
        # uses the copy, and the stack's own file is never written.
        variables["PULUMI_OPTION_CONFIG_FILE"] = str(workspace.own_stack_file)
    return variables


def users_pulumi_home(workspace: Workspace) -> Path:
    """Return where the user's own Pulumi keeps its plugins, also from within a rehearsal shell."""
    named = os.environ.get("PULUMI_HOME")
    if named and Path(named) != workspace.pulumi_home:
        return Path(named)
    return Path.home() / ".pulumi"
