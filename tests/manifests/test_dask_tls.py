"""Unit: what TLS adds to a team's pods, and that a team without it has nothing of it."""

from pathlib import Path
from typing import Any

import dask.config
import pytest
from distributed import Security

from daskfleet.settings.tls import Tls
from manifests.dask_manifest import dask_cluster_manifest
from manifests.dask_tls import client_parts, environment, secret_name
from tests.components.fleets import alpha


def pod(component: str, **changes: Any) -> dict[str, Any]:
    spec: dict[str, Any] = dask_cluster_manifest(alpha(**changes), name="alpha-1a2b3c4d")["spec"]
    document: dict[str, Any] = spec[component]["spec"]
    return document


def container(component: str, **changes: Any) -> dict[str, Any]:
    (only,) = pod(component, **changes)["containers"]
    document: dict[str, Any] = only
    return document


def variables(component: str) -> dict[str, str]:
    return {each["name"]: each["value"] for each in container(component, tls=True)["env"]}


def test_without_tls_nothing_of_a_pod_is_another() -> None:
    for component in ("scheduler", "worker"):
        assert pod(component, tls=False) == pod(component)
        assert "tls" not in str(pod(component)).lower()


def test_with_tls_a_pod_has_its_own_certificate_and_nothing_else_is_another() -> None:
    for component in ("scheduler", "worker"):
        plain, ours = pod(component), pod(component, tls=True)
        (volume,) = (each for each in ours["volumes"] if each not in plain["volumes"])

        assert volume["secret"]["secretName"] == f"dask-tls-{component}-1-365d"
        assert {key for key in plain if plain[key] != ours[key]} == {"containers", "volumes"}


@pytest.mark.parametrize("component", ["scheduler", "worker"])
def test_the_pods_user_can_read_the_files_without_a_group_of_its_own(component: str) -> None:
    spec = pod(component, tls=True)
    (mode,) = (each["secret"]["defaultMode"] for each in spec["volumes"] if "secret" in each)

    assert mode == 0o444
    assert "fsGroup" not in spec["securityContext"]


@pytest.mark.parametrize("role", ["scheduler", "worker", "client"])
def test_dask_reads_from_the_variables_what_is_meant(role: str) -> None:
    names = {each["name"]: each["value"] for each in environment(role)}  # type: ignore[arg-type]
    settings = dask.config.merge(dask.config.config, dask.config.collect(paths=[], env=names))
    with dask.config.set(settings):
        security: Any = Security()  # its attributes are made from a list of names
        scheme = dask.config.get("distributed.comm.default-scheme")

    assert scheme == "tls"
    assert security.require_encryption is True
    assert security.tls_ca_file == "/etc/dask-tls/ca.crt"
    assert getattr(security, f"tls_{role}_cert") == "/etc/dask-tls/tls.crt"
    assert getattr(security, f"tls_{role}_key") == "/etc/dask-tls/tls.key"
    # What a task needs that is a client itself.
    assert security.tls_client_cert == "/etc/dask-tls/tls.crt"


def test_workers_get_the_address_that_the_operator_would_give_them_as_tcp() -> None:
    address = variables("worker")["DASK_SCHEDULER_ADDRESS"]

    assert address == "tls://alpha-1a2b3c4d-scheduler.alpha.svc.cluster.local:8786"
    assert "DASK_SCHEDULER_ADDRESS" not in variables("scheduler")
    assert container("scheduler", tls=True)["args"][-2:] == ["--protocol", "tls"]


def test_other_certificates_are_other_secrets_and_another_manifest() -> None:
    every = [Tls(), Tls(rotation=2), Tls(validity_days=730)]

    assert len({secret_name(tls, "worker") for tls in every}) == len(every)
    assert pod("worker", tls=True) != pod("worker", tls={"rotation": 2})


def test_a_client_in_the_namespace_gets_what_it_needs_and_no_more() -> None:
    plain, ours = (client_parts(alpha(tls=tls).team) for tls in (False, True))

    assert plain.address == "tcp://dask.alpha.svc.cluster.local:8786"
    assert (plain.env, plain.volumes, plain.mounts) == ((), (), ())
    assert ours.address == "tls://dask.alpha.svc.cluster.local:8786"
    (volume,), (mount,) = ours.volumes, ours.mounts
    assert volume["name"] == mount["name"]
    assert volume["secret"]["secretName"] == "dask-tls-client-1-365d"
    assert {Path(each["value"]).parent for each in ours.env if "FILE" in each["name"]} == {
        Path(mount["mountPath"])
    }
