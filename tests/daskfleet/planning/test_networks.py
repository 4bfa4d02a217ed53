"""Unit: whose network a fleet is in, and what is said of it beforehand."""

from daskfleet.planning import networks
from tests.daskfleet.planning.documents import EXISTING, RANGES, minimal, planned, refused

ELSEWHERE = "us-central1-docker.pkg.dev/example-project/dask/rapids:26.10-cuda12-py3.13"


def test_all_ranges_that_are_not_said_are_told_at_once() -> None:
    said = refused(minimal(network={"existing": EXISTING}))
    keys = [problem.key for problem in said.problems]
    assert keys == ["network.nodes_cidr", "network.pods_cidr", "network.services_cidr"]


def test_a_network_is_the_own_project_s_unless_another_one_is_named() -> None:
    own = planned(minimal(network={**RANGES, "existing": EXISTING})).stack
    assert not networks.is_shared(own)
    shared = planned(
        minimal(network={**RANGES, "existing": {**EXISTING, "project": "acme-host"}})
    ).stack
    assert networks.is_shared(shared)
    assert networks.host_project(shared) == "acme-host"
    named = planned(
        minimal(network={**RANGES, "existing": {**EXISTING, "project": "example-project"}})
    ).stack
    assert not networks.is_shared(named)


def test_a_network_without_a_way_out_says_which_images_do_not_come() -> None:
    (said,) = networks.network_warnings(planned(minimal(network={"nat": "none"})).stack)
    assert "nvcr.io/nvidia/rapidsai/base" in said
    stack = planned(minimal(network={"nat": "none"}, image=ELSEWHERE)).stack
    assert list(networks.network_warnings(stack)) == []


def test_a_control_plane_without_a_way_in_is_told() -> None:
    private = planned(minimal(cluster={"endpoint": {"kind": "private"}}))
    assert any("a runner or a bastion" in warning for warning in private.warnings)


def test_an_own_network_has_nothing_to_say() -> None:
    assert list(networks.network_warnings(planned(minimal()).stack)) == []
