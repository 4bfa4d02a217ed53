"""Pure: how a team's pods mount the team's claims."""

from typing import Any

from daskfleet.settings.team import Team
from daskfleet.settings.team_volumes import TeamVolume
from manifests.dask_pod import PodSpec


def with_volumes(pod: PodSpec, team: Team) -> PodSpec:
    """Return the pod with what its team has: as it is, or with the claims mounted."""
    if not team.volumes:
        return pod
    (container,) = pod["containers"]
    mounts = [*container["volumeMounts"], *map(_mount, team.volumes)]
    return {
        **pod,
        "containers": [{**container, "volumeMounts": mounts}],
        "volumes": [*pod["volumes"], *map(_volume, team.volumes)],
    }


def _volume(volume: TeamVolume) -> dict[str, Any]:
    # Of the volume and not only of the mount: so the disk is attached for reading, and kubelets
    # change no file's owner (kubernetes.io, PersistentVolumeClaimVolumeSource).
    source = {"claimName": volume.claim, **_access(volume)}
    return {"name": _name(volume), "persistentVolumeClaim": source}


def _mount(volume: TeamVolume) -> dict[str, Any]:
    return {"name": _name(volume), "mountPath": volume.mount_path, **_access(volume)}


def _access(volume: TeamVolume) -> dict[str, bool]:
    return {"readOnly": True} if volume.read_only else {}


def _name(volume: TeamVolume) -> str:
    return f"claim-{volume.claim}"
