"""Integration: a cluster of one's own is made, used, scaled, and gone in the end."""

import operator
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from distributed import LocalCluster
from distributed.versions import get_versions

from daskfleet.client import fitting
from daskfleet.client.own_cluster import Cluster
from daskfleet.errors import (
    AccessError,
    NoDistributedError,
    NoOwnClusterError,
    SchedulerAwayError,
    VersionsDifferError,
)
from manifests.ephemeral_spec import default_name, make_cluster_spec
from tests.components.fleets import fleet
from tests.daskfleet.client.played_fleet import pod, tunnels
from tests.daskfleet.posted_notice import posted_notice
from tests.daskfleet.team.connect.api_server import Namespace
from tests.project import PROJECT_DIR

NAME = "fraud-grace"
FRAUD = {"name": "fraud", "members": ["user:grace@example.com"]}


@pytest.fixture
def there(namespace: Namespace, cluster: LocalCluster) -> Namespace:
    """A team that may have own clusters, whose operator has made the scheduler of one."""
    planned = fleet(teams=[{**FRAUD, "ephemeral": {"max_workers": 2}}])
    (team,) = planned.teams
    namespace.notice = posted_notice(planned, team)
    namespace.template = yaml.safe_dump(make_cluster_spec(team, name=default_name(team)))
    own = pod("own", scheduler=cluster.scheduler_address, cluster=NAME)
    namespace.pods[own.name] = own
    return namespace


def test_it_computes_and_goes_with_its_block(there: Namespace) -> None:
    with Cluster("fraud", name=NAME, workers=1, idle_timeout_s=600) as own:
        made = there.own[NAME]
        assert made["spec"]["worker"]["replicas"] == 1
        assert made["spec"]["idleTimeout"] == 600
        client = own.get_client()
        assert client.submit(operator.add, 40, 2, pure=False).result(timeout=30) == 42
        assert own.dashboard_link.startswith("http://127.0.0.1:")
    assert client.status == "closed"
    assert there.own == {}
    assert tunnels() == []
    own.close()  # a second time


def test_a_client_that_does_not_fit_is_told_the_team_and_no_way_around(
    there: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = {**get_versions()["packages"], "dask": "2025.1.0"}
    monkeypatch.setattr(fitting, "get_versions", lambda: {"packages": packages})
    with (
        Cluster("fraud", name=NAME) as own,
        pytest.raises(VersionsDifferError) as refused,
    ):
        own.get_client()

    assert "`daskfleet environment fraud > requirements.txt`" in str(refused.value)
    assert "connect(" not in str(refused.value)
    assert there.own == {}


def test_a_colleagues_cluster_of_the_same_name_stays(there: Namespace) -> None:
    with Cluster("fraud", name=NAME):
        there.own[NAME] = {"metadata": {"name": NAME, "uid": "a colleague's"}}
    assert there.own[NAME]["metadata"]["uid"] == "a colleague's"


def test_its_workers_follow_a_number_or_the_work(there: Namespace) -> None:
    with Cluster("fraud", name=NAME) as own:
        own.scale(3)
        own.adapt(minimum=1, maximum=4)

    autoscaler = f"daskautoscalers/{NAME}"
    bounds = {"cluster": NAME, "minimum": 1, "maximum": 4}
    assert [(method, path) for method, path, _ in there.asked] == [
        ("POST", "daskclusters"),
        ("DELETE", autoscaler),
        ("PATCH", f"daskworkergroups/{NAME}-default"),
        ("DELETE", autoscaler),
        ("POST", "daskautoscalers"),
        ("DELETE", f"daskclusters/{NAME}"),
    ]
    assert there.asked[2][2] == {"spec": {"worker": {"replicas": 3}}}
    assert there.asked[4][2]["spec"] == bounds


def test_an_exception_in_the_block_leaves_no_cluster(there: Namespace) -> None:
    with pytest.raises(ZeroDivisionError), Cluster("fraud", name=NAME):
        raise ZeroDivisionError
    assert there.own == {}


def test_a_scheduler_that_never_comes_leaves_no_cluster(there: Namespace) -> None:
    there.pods["own"].is_ready = False

    with pytest.raises(SchedulerAwayError, match="no scheduler within"):
        Cluster("fraud", name=NAME, timeout_s=0.5)
    assert there.own == {}
    assert tunnels() == []


def test_what_the_api_server_refuses_is_told_in_its_words(there: Namespace) -> None:
    there.refusal = "exceeded quota: ephemeral-clusters"

    with pytest.raises(AccessError, match=r"refuses this .*exceeded quota: ephemeral-clusters"):
        Cluster("fraud", name=NAME)
    assert tunnels() == []


def test_more_workers_than_the_team_may_have_are_refused_before(there: Namespace) -> None:
    with pytest.raises(NoOwnClusterError, match="max_workers is 2"):
        Cluster("fraud", name=NAME, workers=3)
    assert there.asked == []


def test_a_team_without_own_clusters_is_told_how_to_have_them(there: Namespace) -> None:
    planned = fleet(teams=[{"name": "fraud"}])
    there.notice = posted_notice(planned)

    with pytest.raises(NoOwnClusterError, match="may have no clusters of its own"):
        Cluster("fraud")


def test_a_python_without_dask_makes_none_and_is_told_which_one_to_install(
    there: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("daskfleet.client.way.has_distributed", lambda: False)

    with pytest.raises(NoDistributedError, match="`pip install 'dask=="):
        Cluster("fraud", name=NAME)
    assert there.asked == []


def test_it_goes_with_python(there: Namespace, tmp_path: Path) -> None:
    program = (
        "from daskfleet.client.own_cluster import Cluster\n"
        f"own = Cluster('fraud', name={NAME!r})\n"
        "print(own.get_client().submit(sum, [40, 2]).result(timeout=30))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={
            "KUBECONFIG": str(tmp_path / "kubeconfig"),
            "HOME": str(tmp_path),
            "PYTHONPATH": str(PROJECT_DIR),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (0, "42\n"), done.stderr
    assert [method for method, _, _ in there.asked] == ["POST", "DELETE"]
    assert there.own == {}
