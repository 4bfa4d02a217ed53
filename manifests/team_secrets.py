"""Pure: how a team's pods get the team's Secrets.

All of a Secret's keys come together: ``envFrom`` and a volume belong to the template that members'
own clusters have to equal, where single variables are theirs to choose.
"""

from typing import Any

from daskfleet.settings.team import Team
from daskfleet.settings.team_secrets import TeamSecret
from manifests.dask_pod import PodSpec

DIRECTORY = "/var/run/secrets/team"

READABLE = 0o444
"""As for certificates (``dask_tls``): the pods' user is not root, and in no known group."""


def with_secrets(pod: PodSpec, team: Team) -> PodSpec:
    """Return the pod with what its team has: as it is, or with variables and files."""
    if not team.secrets:
        return pod
    (container,) = pod["containers"]
    variables = [each for each in team.secrets if each.kind == "environment"]
    files = [each for each in team.secrets if each.kind == "files"]
    mounts = [*container["volumeMounts"], *map(_mount, files)]
    of_environment = {"envFrom": [_all_of(each) for each in variables]} if variables else {}
    return {
        **pod,
        "containers": [{**container, **of_environment, "volumeMounts": mounts}],
        "volumes": [*pod["volumes"], *map(_volume, files)],
    }


def _all_of(secret: TeamSecret) -> dict[str, Any]:
    return {"secretRef": {"name": secret.name}}


def _volume(secret: TeamSecret) -> dict[str, Any]:
    source = {"secretName": secret.name, "defaultMode": READABLE}
    return {"name": _volume_name(secret), "secret": source}


def _mount(secret: TeamSecret) -> dict[str, Any]:
    path = f"{DIRECTORY}/{secret.name}"
    return {"name": _volume_name(secret), "mountPath": path, "readOnly": True}


def _volume_name(secret: TeamSecret) -> str:
    return f"secret-{secret.name}"
