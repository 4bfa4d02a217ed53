"""compute: projects, regions, zones, machine types and accelerator types, all read-only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rehearsal.emulator import machines
from rehearsal.emulator.errors import InvalidArgumentError
from rehearsal.emulator.network_spec import not_found
from rehearsal.emulator.not_emulated import refuse_filter
from rehearsal.emulator.quota_usage import project_usage, quota_table, region_usage

if TYPE_CHECKING:
    from collections import Counter

    from rehearsal.emulator.calls import Call, Handlers
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.restrictions import RestrictionBook
    from rehearsal.emulator.world import World


class Locations:
    """Where machines can be, which there are, and how many a project may have."""

    def __init__(self, *, world: World, restrictions: RestrictionBook) -> None:
        self._world = world
        self._restrictions = restrictions

    def handlers(self) -> Handlers:
        """Return the handlers by Google's method ids."""
        return {
            "compute.projects.get": self.get_project,
            "compute.regions.get": self.get_region,
            "compute.zones.get": self.get_zone,
            "compute.machineTypes.get": self.get_machine_type,
            "compute.acceleratorTypes.list": self.list_accelerator_types,
        }

    async def get_project(self, call: Call) -> Document:
        """Return the project with the quotas that hold in all regions together."""
        project = self._world.project(call["project"])
        return {
            "kind": "compute#project",
            "name": project.name,
            "id": project.number,
            "quotas": self._quotas("project", project_usage(project)),
        }

    async def get_region(self, call: Call) -> Document:
        """Return a region with its zones and quotas."""
        zones = machines.zones_in(call["region"])
        if not zones:
            raise not_found(call["project"], f"regions/{call['region']}")
        used = region_usage(self._world.project(call["project"]), call["region"])
        return {
            "kind": "compute#region",
            "name": call["region"],
            "status": "UP",
            "zones": [f"{call.service_url}/projects/{call['project']}/zones/{z}" for z in zones],
            "quotas": self._quotas("regional", used),
        }

    async def get_zone(self, call: Call) -> Document:
        """Return a zone."""
        self._check_zone(call)
        region = machines.region_of(call["zone"])
        return {
            "kind": "compute#zone",
            "name": call["zone"],
            "region": f"{call.service_url}/projects/{call['project']}/regions/{region}",
            "status": "UP",
        }

    async def get_machine_type(self, call: Call) -> Document:
        """Return a machine type of a zone."""
        self._check_zone(call)
        name = call["machineType"]
        try:
            machine = machines.machine_type(name, zone=call["zone"])
        except InvalidArgumentError as error:
            path = f"zones/{call['zone']}/machineTypes/{name}"
            raise not_found(call["project"], path) from error
        built_in = {
            "guestAcceleratorType": machine.accelerator,
            "guestAcceleratorCount": machine.accelerator_count,
        }
        return {
            "kind": "compute#machineType",
            "name": name,
            "zone": call["zone"],
            "guestCpus": machine.vcpus,
            "memoryMb": int(machine.memory_gb * 1024),
            **({"accelerators": [built_in]} if machine.accelerator else {}),
        }

    async def list_accelerator_types(self, call: Call) -> Document:
        """Return the accelerators of a zone, all on one page."""
        self._check_zone(call)
        refuse_filter(call.query, what="accelerator types")
        return {
            "kind": "compute#acceleratorTypeList",
            "items": [
                {
                    "kind": "compute#acceleratorType",
                    "name": name,
                    "zone": call["zone"],
                    "maximumCardsPerInstance": machines.most_cards(name),
                }
                for name in machines.accelerators_in(call["zone"])
            ],
        }

    def _quotas(self, scope: str, used: Counter[str]) -> list[Document]:
        limit_of = self._restrictions.current.limit_of
        return [
            {
                "metric": metric,
                "limit": float(limit_of(metric, otherwise=limit)),
                "usage": float(used[metric]),
            }
            for metric, limit in quota_table()[scope].items()
        ]

    @staticmethod
    def _check_zone(call: Call) -> None:
        zone = call["zone"]
        if zone not in machines.zones_in(machines.region_of(zone)):
            raise not_found(call["project"], f"zones/{zone}")
