"""A member of a team at a machine of their own: a login to the cluster, and nothing of Pulumi."""

import sys
from pathlib import Path

import yaml

from rehearsal.control_plane.certificates import CertificateAuthority
from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal


def kubeconfig_of(fleet: RunningRehearsal, user: str, *, directory: Path) -> str:
    """A kubeconfig of somebody who logs in by certificate: kr8s cannot impersonate."""
    document = yaml.safe_load(fleet.cluster.kubeconfig.read_text("utf-8"))
    pki = fleet.cluster.kubeconfig.parent / "pki"
    pair = CertificateAuthority.load_or_create(pki, name="ca").issue(directory, name=user)
    document["users"][0]["user"] = {
        "client-certificate": str(pair.certificate),
        "client-key": str(pair.key),
    }
    return yaml.safe_dump(document)


def environment_of(fleet: RunningRehearsal, user: str, *, home: Path) -> dict[str, str]:
    """All of a member's environment: no ``pulumi`` on PATH, no variable of it, no passphrase."""
    kubeconfig = home / ".kube" / "config"
    kubeconfig.parent.mkdir(exist_ok=True)
    kubeconfig.write_text(kubeconfig_of(fleet, user, directory=home), "utf-8")
    return {
        "HOME": str(home),
        "PATH": str(Path(sys.executable).parent),
        "PYTHONPATH": str(PROJECT_DIR),
    }
