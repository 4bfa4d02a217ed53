"""A rehearsal whose team climate rolls blue-green, and what is to be seen of a roll."""

from typing import Any

from kr8s.objects import Service

from rehearsal.engine.engine import Outcome
from rehearsal.report.address_watch import AddressWatch
from rehearsal.report.fleet_state import Pod
from rehearsal.report.requests import WRITING_VERBS, Mark, lines_since
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, Settings, team
from tests.rehearsal.kr8s_client import connect_blocking

TEAM = "climate"
CLUSTERS = "daskclusters.kubernetes.dask.org"
IMAGES = [
    f"nvcr.io/nvidia/rapidsai/base:{tag}-cuda12-py3.13" for tag in ("26.10", "26.08", "26.06")
]


class RollingFleet:
    """The rehearsal's fleet with room for a second cluster of climate, which rolls blue-green.

    An image that it has rolled to is the team's from then on: to put the first one back would be
    another roll.
    """

    def __init__(self, running: RunningRehearsal) -> None:
        self.running = running
        self._image = IMAGES[0]

    @property
    def other_images(self) -> list[str]:
        """Images that the team does not have now."""
        return [image for image in IMAGES if image != self._image]

    def settings(self, **changes: Any) -> Settings:
        """Return the fleet's settings with some of the team's changed."""
        settings = self.running.settings()
        # A scheduler of each of two teams, and another one beside: a second T4.
        settings["daskfleet:scheduler_pool"]["node_count"] = 2
        team(settings, TEAM).update({"rollout": "blue-green", "image": self._image, **changes})
        return settings

    def up(self, *options: str, **changes: Any) -> Outcome:
        """Run `pulumi up` with some of the team's settings changed."""
        watch = changes.pop("watch", None)
        outcome = self.running.up(self.settings(**changes), *options, watch=watch)
        self._image = changes.get("image", self._image)
        return outcome

    def settle(self) -> None:
        """Bring the fleet to its settings with the team's image, unless it is there."""
        self.running.inject()
        self.running.ensure_as_declared(self.settings())

    @property
    def said(self) -> str:
        """What the last command printed, however its lines were broken."""
        return " ".join(self.running.said.split())

    @property
    def clusters(self) -> set[str]:
        """The team's DaskClusters."""
        return {cluster.name for cluster in self._get(CLUSTERS)}

    @property
    def pods(self) -> dict[str, Pod]:
        """The team's Dask pods by UID."""
        return self.running.dask_pods(TEAM)

    @property
    def selected(self) -> str:
        """The DaskCluster that the team's address leads to."""
        (service,) = self._get("services", "dask")
        return str(service.raw["spec"]["selector"]["dask.org/cluster-name"])

    @property
    def gpus_allowed(self) -> int:
        """GPUs that the team's quota lets its pods have."""
        (quota,) = self._get("resourcequotas", "gpus")
        return int(quota.raw["spec"]["hard"]["requests.nvidia.com/gpu"])

    def address_watch(self) -> AddressWatch:
        """Follow who is behind the teams' addresses."""
        return AddressWatch(self.running.workspace)

    def writes(self, mark: Mark) -> list[tuple[str, str, str]]:
        """What was written in the team's namespace: verb, resource and name, in the order."""
        return [
            (
                event["verb"],
                "/".join(filter(None, (target["resource"], target.get("subresource")))),
                target.get("name", ""),
            )
            for event in lines_since(mark)
            if (target := event.get("objectRef", {})).get("namespace") == TEAM
            and event["verb"] in WRITING_VERBS
            and "dryRun=All" not in event["requestURI"]
        ]

    def scheduler_service(self, cluster: str) -> Service:
        """The operator's own Service of a cluster."""
        (service,) = self._get("services", f"{cluster}-scheduler")
        assert isinstance(service, Service)
        return service

    def _get(self, kind: str, *names: str) -> list[Any]:
        api = connect_blocking(self.running.cluster.kubeconfig)
        found = api.get(kind, *names, namespace=TEAM)
        return [item for item in found if not isinstance(item, dict)]
