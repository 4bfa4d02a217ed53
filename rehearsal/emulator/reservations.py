"""What a specific reservation is to node pools: found, of the right machines, and with room or not.

Pools without ``SPECIFIC_RESERVATION`` take nothing from reservations here, although Compute Engine
lets them consume one that matches: no client of these APIs sees which it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rehearsal.emulator.document import last_segment
from rehearsal.emulator.errors import InvalidArgumentError, NotFoundError, ResourceExhaustedError
from rehearsal.emulator.machines import machine_type

if TYPE_CHECKING:
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.world import Pool, World

AFFINITY_KEY = "compute.googleapis.com/reservation-name"


class Reservations:
    """The reservations of all projects, and the machines that node pools have of them."""

    def __init__(self, *, world: World) -> None:
        self._world = world

    def check(self, pool: Document, *, project: str) -> None:
        """Raise for a new pool that cannot have its first machines from its reservation.

        NotFoundError in GKE's words of 2025-12 (cluster-toolkit pull request 5043), also where the
        other project does not share it; ResourceExhaustedError in those of 2020-05 (gsutil issue
        1000, where the machines were others than the pool's), and InvalidArgumentError for what
        GKE refuses otherwise (cluster-toolkit pull request 5062), in the emulator's words.
        """
        value = _named(pool["config"])
        if value is None:
            return
        if pool["config"].get("spot") or pool["config"].get("preemptible"):
            raise InvalidArgumentError("Spot machines cannot use a reservation.")
        for zone in pool["locations"]:
            where = f'for node pool "{pool["name"]}" at zone "{zone}"'
            reservation = self._find(value, zone=zone, project=project)
            if reservation is None:
                raise NotFoundError(
                    f'Google Compute Engine: reservation "{value}" not found {where}.'
                )
            required = int(pool["initialNodeCount"])
            left = self._left(reservation, pool["config"], zone=zone)
            if required > left:
                raise ResourceExhaustedError(
                    "Reservation does not have enough resources for the request: specific "
                    f'reservation "{value}" is insufficient {where}: required {required} and short '
                    f"of {required - left} VM count of machine type "
                    f"{pool['config']['machineType']}."
                )

    def missing_for(self, pool: Pool, *, zone: str, count: int) -> str | None:
        """Return why a pool gets no ``count`` more machines, in Compute Engine's words.

        None where nothing is missing. The words are of 2023-08 (skypilot pull request 2352).
        """
        value = _named(pool.document["config"])
        if value is None:
            return None
        reservation = self._find(value, zone=zone, project=pool.cluster.project)
        if reservation and count <= self._left(reservation, pool.document["config"], zone=zone):
            return None
        owner, name = _owner_and_name(value, project=pool.cluster.project)
        number = self._world.project(owner).number
        return (
            f"Specified reservation 'projects/{number}/reservations/{name}' does not have "
            "available resources for the request."
        )

    def shown(self, reservation: Document, *, project: str) -> Document:
        """Return a reservation with the machines that are in use."""
        zone = last_segment(reservation["zone"])
        used = self._used(project, reservation["name"], zone=zone)
        sku = reservation.get("specificReservation", {})
        return reservation | {"specificReservation": sku | {"inUseCount": str(used)}}

    def _find(self, value: str, *, zone: str, project: str) -> Document | None:
        """Return the reservation that a pool of a project may use by this name, if there is one."""
        owner, name = _owner_and_name(value, project=project)
        found = self._world.projects.get(owner)
        reservation = found.compute.get(f"zones/{zone}/reservations/{name}") if found else None
        if reservation is None or owner == project:
            return reservation
        shared = reservation.get("shareSettings", {})
        with_projects = {
            str(each)
            for key, entry in shared.get("projectMap", {}).items()
            for each in (key, entry.get("projectId"))
        }
        names = {project, self._world.project(project).number}
        return reservation if names & with_projects else None

    def _left(self, reservation: Document, config: Document, *, zone: str) -> int:
        """Return how many machines of this kind nobody uses; none where its are others."""
        sku = reservation.get("specificReservation", {})
        if not _matches(sku.get("instanceProperties", {}), config, zone=zone):
            return 0
        owner = reservation["selfLink"].partition("/projects/")[2].partition("/")[0]
        return int(sku.get("count", "0")) - self._used(owner, reservation["name"], zone=zone)

    def _used(self, owner: str, name: str, *, zone: str) -> int:
        return sum(
            len(pool.instances.get(zone, ()))
            for cluster in self._world.clusters()
            for pool in cluster.pools.values()
            if (value := _named(pool.document["config"]))
            and _owner_and_name(value, project=cluster.ref.project) == (owner, name)
        )


def _named(config: Document) -> str | None:
    """Return the specific reservation that a NodeConfig names."""
    affinity = config.get("reservationAffinity", {})
    if affinity.get("consumeReservationType") != "SPECIFIC_RESERVATION":
        return None
    values = affinity.get("values", ())
    if affinity.get("key") != AFFINITY_KEY or len(values) != 1:
        raise InvalidArgumentError(
            f"A SPECIFIC_RESERVATION has the key {AFFINITY_KEY} and one value, the reservation."
        )
    return str(values[0])


def _owner_and_name(value: str, *, project: str) -> tuple[str, str]:
    """Return a reservation's project and name: ``NAME``, ``projects/P/reservations/NAME``."""
    owner = value.removeprefix("projects/").partition("/")[0] if "/" in value else project
    return owner, last_segment(value)


def _matches(properties: Document, config: Document, *, zone: str) -> bool:
    """Tell whether machines are of the reserved kind; local disks are not compared."""
    if properties.get("machineType") != config["machineType"]:
        return False
    if properties.get("minCpuPlatform", "") != config.get("minCpuPlatform", ""):
        return False
    reserved = _gpus(properties.get("guestAccelerators", ()))
    # What a machine type has built in need not be said.
    is_built_in = machine_type(config["machineType"], zone=zone).accelerator
    return reserved == _gpus(config.get("accelerators", ())) or bool(is_built_in and not reserved)


def _gpus(accelerators: object) -> dict[str, int]:
    assert isinstance(accelerators, list | tuple)  # noqa: S101 - proto3 lists
    return {
        last_segment(each["acceleratorType"]): int(each["acceleratorCount"])
        for each in accelerators
    }
