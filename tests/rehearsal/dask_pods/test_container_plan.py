"""Unit: what one container comes to on this machine."""

import sys
from pathlib import Path
from typing import Any

from rehearsal.dask_pods.cluster_names import SITE
from rehearsal.dask_pods.container_plan import ContainerPlan, plan_container
from rehearsal.dask_pods.model import Mounted
from rehearsal.dask_pods.probe_spec import Exec
from tests.rehearsal.dask_pods.pods import place, pod, team_pod

MOUNTED = Mounted(config_maps={}, secrets={"access": {"TOKEN": b"hush"}})


def plan(tmp_path: Path, document: dict[str, Any]) -> ContainerPlan:
    (container,) = document["spec"]["containers"]
    return plan_container(document, container, place=place(tmp_path), mounted=MOUNTED)


def test_the_environment_is_the_pods_own_and_what_leads_it_through_this_machine(
    tmp_path: Path,
) -> None:
    environment = plan(tmp_path, pod({"env": [{"name": "A", "value": "1"}]})).environment
    assert dict(environment) == {
        "A": "1",
        "HOSTNAME": "alpha-worker-1",
        "KUBERNETES_SERVICE_HOST": "127.0.0.1",
        "KUBERNETES_SERVICE_PORT": "6443",
        "HOME": str(tmp_path / "pod" / "home"),
        "TMPDIR": str(tmp_path / "pod" / "tmp"),
        "PATH": f"{Path(sys.executable).parent}:/bin:/usr/bin",
        "PYTHONPATH": str(SITE),
        "PYTHONUNBUFFERED": "1",
        "DASKFLEET_REHEARSAL_HOSTS": str(tmp_path / "hosts"),
    }


def test_paths_that_the_pod_sets_come_after_the_environments_own(tmp_path: Path) -> None:
    variables = [
        {"name": "PATH", "value": "/opt/conda/bin"},
        {"name": "PYTHONPATH", "value": "/opt/lib"},
        {"name": "HOME", "value": "/home/rapids"},
    ]
    environment = plan(tmp_path, pod({"env": variables})).environment
    assert environment["PATH"] == f"{Path(sys.executable).parent}:/opt/conda/bin"
    assert environment["PYTHONPATH"] == f"{SITE}:/opt/lib"
    assert environment["HOME"] == str(tmp_path / "pod" / "home")


def test_a_home_that_is_a_volume_is_the_pods_home(tmp_path: Path) -> None:
    container = {
        "env": [{"name": "HOME", "value": "/home/team/"}],
        "volumeMounts": [{"name": "disk", "mountPath": "/home/team"}],
    }
    volume = {"name": "disk", "persistentVolumeClaim": {"claimName": "home"}}
    environment = plan(tmp_path, pod(container, volumes=[volume])).environment
    assert environment["HOME"] == f"{tmp_path / 'pod' / 'volumes' / 'disk'}/"


def test_references_are_expanded_before_paths_are_replaced(tmp_path: Path) -> None:
    container = {
        "command": ["tool", "$(DIR)/x", "$$(DIR)"],
        "args": ["--name", "$(NAME)"],
        "env": [{"name": "DIR", "value": "/scratch/d"}, {"name": "NAME", "value": "w"}],
        "volumeMounts": [{"name": "scratch", "mountPath": "/scratch"}],
        "readinessProbe": {"exec": {"command": ["test", "-e", "/scratch/ready"]}},
    }
    found = plan(tmp_path, pod(container, volumes=[{"name": "scratch", "emptyDir": {}}]))
    scratch = tmp_path / "pod" / "volumes" / "scratch"
    assert found.argv == ("tool", f"{scratch}/d/x", "$(DIR)", "--name", "w")
    assert found.environment["DIR"] == f"{scratch}/d"
    (probe,) = found.probes
    assert probe.handler == Exec(argv=("test", "-e", f"{scratch}/ready"))
    assert f"/scratch is {scratch}" in found.departures


def test_what_came_from_secrets_is_not_shown(tmp_path: Path) -> None:
    source = {"secretKeyRef": {"name": "access", "key": "TOKEN"}}
    found = plan(tmp_path, pod({"env": [{"name": "TOKEN", "valueFrom": source}]}))
    assert found.environment["TOKEN"] == "hush"  # noqa: S105
    assert set(found.environment) - set(found.shown_environment) == {"TOKEN"}


def test_dask_finds_the_configuration_that_is_mounted_where_it_looks(tmp_path: Path) -> None:
    mounts = [{"name": "dask", "mountPath": "/etc/dask"}]
    volumes = [{"name": "dask", "emptyDir": {}}]
    found = plan(tmp_path, pod({"volumeMounts": mounts}, volumes=volumes))
    assert found.environment["DASK_ROOT_CONFIG"] == str(tmp_path / "pod" / "volumes" / "dask")


def test_dask_looks_at_itself_less_often_unless_the_pod_says_how_often(tmp_path: Path) -> None:
    tick, profile = (
        "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL",
        "DASK_DISTRIBUTED__WORKER__PROFILE__INTERVAL",
    )
    found = plan(tmp_path, team_pod("worker", **{profile: "50ms"}))
    assert (found.environment[tick], found.environment[profile]) == ("1s", "50ms")
    assert f"{tick}=1s, since this machine runs all" in found.departures
    assert tick not in plan(tmp_path, pod()).environment


def test_a_working_directory_is_kept_where_it_is_a_mount_and_said_where_not(tmp_path: Path) -> None:
    home = tmp_path / "pod" / "home"
    mounted = plan(
        tmp_path,
        pod({"workingDir": "/w/sub", "volumeMounts": [{"name": "w", "mountPath": "/w"}]}),
    )
    assert mounted.directory == tmp_path / "pod" / "volumes" / "w" / "sub"
    of_the_image = plan(tmp_path, pod({"workingDir": "/home/rapids"}))
    assert of_the_image.directory == home
    assert any("/home/rapids" in sentence for sentence in of_the_image.departures)
    assert plan(tmp_path, pod()).directory == home


def test_what_is_not_run_is_said(tmp_path: Path) -> None:
    document = pod({"lifecycle": {"preStop": {"sleep": {"seconds": 5}}}})
    document["spec"]["initContainers"] = [{"name": "fetch", "image": "i"}]
    said = plan(tmp_path, document).departures
    assert "init container fetch is not run" in said
    assert "the preStop hook of main is not run" in said


def test_the_teams_worker_becomes_a_cpu_worker_on_its_own_address(tmp_path: Path) -> None:
    found = plan(tmp_path, team_pod("worker", DASK_WORKER_NAME="alpha-default-worker-1"))
    scratch = str(tmp_path / "pod" / "volumes" / "scratch")
    assert found.argv[:4] == ("dask", "worker", "--name", "alpha-default-worker-1")
    assert found.argv[found.argv.index("--local-directory") + 1] == scratch
    assert found.argv[found.argv.index("--host") + 1] == "127.77.3.4"
    assert found.argv[found.argv.index("--resources") + 1] == "GPU=1"
    assert "--no-nanny" not in found.argv
