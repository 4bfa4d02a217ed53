"""Pure: how a team's pods speak TLS, and where a client of the team finds its scheduler.

Dask's TLS is mutual: every end shows a certificate of the team's own authority and wants one. Names
in certificates are not looked at (distributed 2026.8.0, ``security.py``, ``check_hostname``), and
certificates are loaded when a process starts, so that another set of them is other pods.
"""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal

from daskfleet.contract.dask import COMM_PORT, SERVICE_NAME
from daskfleet.settings.team import Team
from daskfleet.settings.tls import Tls

Role = Literal["scheduler", "worker", "client"]
ROLES: tuple[Role, ...] = ("scheduler", "worker", "client")

Part = Mapping[str, Any]
"""An EnvVar, a Volume or a VolumeMount of a pod."""

VOLUME = "dask-tls"
DIRECTORY = "/etc/dask-tls"
CA_FILE = "ca.crt"
CERT_FILE = "tls.crt"
KEY_FILE = "tls.key"
"""The keys of a Secret of type ``kubernetes.io/tls``, and the authority's certificate."""

READABLE = 0o444
"""The kubelet gives the files of a Secret to root. Without an ``fsGroup``, which would change the
group that RAPIDS' images need, the pods' user reads them as everybody else in its container."""


@dataclass(frozen=True, kw_only=True)
class ClientParts:
    """What a pod in the team's namespace needs to be a client of the team's Dask cluster.

    Add the parts to its container and its spec, and connect to ``address``: Dask finds the
    certificate by the variables. A team without TLS has the address alone.
    """

    address: str
    env: tuple[Part, ...] = ()
    volumes: tuple[Part, ...] = ()
    mounts: tuple[Part, ...] = ()


def client_parts(team: Team) -> ClientParts:
    """Return the parts of a client of the team's."""
    host = f"{SERVICE_NAME}.{team.name}.svc.cluster.local"
    if team.tls is None:
        return ClientParts(address=f"tcp://{host}:{COMM_PORT}")
    return ClientParts(
        address=f"tls://{host}:{COMM_PORT}",
        env=environment("client"),
        volumes=(_volume(team.tls, "client"),),
        mounts=(_MOUNT,),
    )


def scheme(team: Team) -> str:
    """Return the protocol of the team's addresses."""
    return "tcp" if team.tls is None else "tls"


def generation_of(tls: Tls) -> str:
    """Name a set of certificates, by all that makes it another one.

    Secrets carry it in their names. So other certificates are another DaskCluster, and no pod runs
    on with those that were replaced.
    """
    return f"{tls.rotation}-{tls.validity_days}d"


def secret_name(tls: Tls, role: Role) -> str:
    """Name the Secret of a role."""
    return f"dask-tls-{role}-{generation_of(tls)}"


def environment(role: Role) -> tuple[Part, ...]:
    """Return the variables that make Dask speak TLS and nothing else.

    Tasks that are clients themselves (``worker_client``) show their pod's certificate.
    """
    return tuple(
        {"name": f"DASK_DISTRIBUTED__COMM__{name}", "value": value}
        for name, value in (
            ("DEFAULT_SCHEME", "tls"),
            ("REQUIRE_ENCRYPTION", "True"),
            ("TLS__CA_FILE", f"{DIRECTORY}/{CA_FILE}"),
            *(
                (f"TLS__{of.upper()}__{what}", f"{DIRECTORY}/{file}")
                for of in dict.fromkeys((role, "client"))
                for what, file in (("CERT", CERT_FILE), ("KEY", KEY_FILE))
            ),
        )
    )


def scheduler_with_tls(pod: dict[str, Any], team: Team) -> dict[str, Any]:
    """Return the scheduler's pod as the team wants it: as it is, or speaking TLS."""
    if team.tls is None:
        return pod
    return _with_certificate(pod, team.tls, "scheduler", args=("--protocol", "tls"))


def worker_with_tls(pod: dict[str, Any], team: Team, *, cluster_name: str) -> dict[str, Any]:
    """Return a worker's pod as the team wants it: as it is, or speaking TLS.

    The operator gives workers a ``tcp://`` address of the scheduler, unless they have one
    (dask-kubernetes 2026.3.0, ``build_worker_deployment_spec``; #836).
    """
    if team.tls is None:
        return pod
    address = f"tls://{cluster_name}-scheduler.{team.name}.svc.cluster.local:{COMM_PORT}"
    return _with_certificate(
        pod, team.tls, "worker", env=({"name": "DASK_SCHEDULER_ADDRESS", "value": address},)
    )


_MOUNT: Part = {"name": VOLUME, "mountPath": DIRECTORY, "readOnly": True}


def _volume(tls: Tls, role: Role) -> Part:
    secret = {"secretName": secret_name(tls, role), "defaultMode": READABLE}
    return {"name": VOLUME, "secret": secret}


def _with_certificate(
    pod: dict[str, Any],
    tls: Tls,
    role: Role,
    *,
    args: tuple[str, ...] = (),
    env: tuple[Part, ...] = (),
) -> dict[str, Any]:
    with_tls = deepcopy(pod)
    (container,) = with_tls["containers"]
    container["args"] = [*container["args"], *args]
    container["env"] = [*container["env"], *environment(role), *env]
    container["volumeMounts"] = [*container["volumeMounts"], _MOUNT]
    with_tls["volumes"] = [*with_tls["volumes"], _volume(tls, role)]
    return with_tls
