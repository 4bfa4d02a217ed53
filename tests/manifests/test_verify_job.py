"""Unit: the Job that asks Dask in a team's namespace; an API server judges it in tests/attacks."""

from typing import Any

from daskfleet.contract.declared import DeclaredTeam
from daskfleet.contract.nodes import GPU_RESOURCE
from manifests.verify_job import CPU_M, MEMORY_MIB, verify_job
from tests.daskfleet.team.verify.samples import team
from tests.manifests.test_placement import admitted, nodes


def pod_of(declared: DeclaredTeam) -> dict[str, Any]:
    return dict(verify_job(declared, arguments=["-c", "1"])["spec"]["template"]["spec"])


def test_it_ends_and_goes_without_whoever_asked() -> None:
    spec = verify_job(team(), arguments=[])["spec"]

    assert spec["backoffLimit"] == 0
    assert 0 < spec["activeDeadlineSeconds"] <= 600
    assert 0 < spec["ttlSecondsAfterFinished"] <= 600
    assert spec["template"]["spec"]["restartPolicy"] == "Never"


def test_several_may_ask_at_once() -> None:
    metadata = verify_job(team(), arguments=[])["metadata"]

    assert "name" not in metadata
    assert metadata["namespace"] == "fraud"


def test_its_pod_is_the_teams_without_a_right_and_without_a_gpu() -> None:
    pod = pod_of(team())
    (container,) = pod["containers"]

    assert pod["serviceAccountName"] == "dask"
    assert pod["automountServiceAccountToken"] is False
    assert container["image"] == team().image
    assert container["args"] == ["python", "-c", "1"]
    assert "command" not in container  # the image's own entrypoint starts it
    assert GPU_RESOURCE not in container["resources"]["limits"]


def test_it_asks_for_no_more_than_planning_leaves_of_a_node() -> None:
    (container,) = pod_of(team())["containers"]

    assert container["resources"]["requests"] == {"cpu": f"{CPU_M}m", "memory": f"{MEMORY_MIB}Mi"}
    assert CPU_M <= 6
    assert MEMORY_MIB <= 8


def test_it_goes_where_the_scheduler_may_be_and_nowhere_else() -> None:
    assert admitted(pod_of(team())) == {"scheduler-pool"}
    both = admitted(pod_of(team(scheduler_fallback="worker-pool")))
    assert both == {"scheduler-pool", "a100"}
    assert both < nodes().keys()


def test_the_certificate_is_there_where_the_team_has_one() -> None:
    with_tls, without = pod_of(team()), pod_of(team(tls_client_secret=None))

    (volume,) = with_tls["volumes"]
    assert volume["secret"]["secretName"] == "dask-tls-client-1-365d"
    assert with_tls["containers"][0]["volumeMounts"][0]["readOnly"] is True
    assert "volumes" not in without
    assert "volumeMounts" not in without["containers"][0]
