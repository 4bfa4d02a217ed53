"""The provider's configuration: where resources go that do not say so themselves."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from rehearsal.providers.gcp.google_api import GoogleApi
from rehearsal.providers.protocol import Properties, ProviderError, Secret

_ATTRIBUTION_LABEL: Final = "goog-pulumi-provisioned"
"""Label that pulumi-gcp adds to whatever has labels unless `addPulumiAttributionLabel` is false."""


@dataclass(frozen=True, kw_only=True)
class Cloud:
    """A configured provider."""

    api: GoogleApi
    project: str | None = None
    region: str | None = None
    zone: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def places(self) -> Mapping[str, str | None]:
        """Where a resource goes by default, by the names of its inputs."""
        return {
            "project": self.project,
            "region": self.region,
            "location": self.zone or self.region,
        }

    def of(self, inputs: Mapping[str, Any], name: str) -> str:
        """Take `project`, `region` or `location` from the inputs, else from the provider.

        Raises ProviderError when neither has it.
        """
        value = inputs.get(name) or self.places[name]
        if not value:
            raise ProviderError(
                f"{name} is set neither on the resource nor on its provider; set it on the "
                "resource, on the explicit gcp.Provider, or in the stack's gcp configuration"
            )
        return str(value)

    def client_config(self) -> Properties:
        """Tell whose login it uses, and where resources go; as the real provider does."""
        here = {"project": self.project or "", "region": self.region or "", "zone": self.zone or ""}
        return {
            "id": "projects/{project}/regions/{region}/zones/{zone}".format(**here),
            "accessToken": Secret(self.api.token),
            "defaultLabels": dict(self.labels),
            **here,
        }


def configured_cloud(config: Mapping[str, Any]) -> Cloud:
    """Read the provider's inputs, in which the SDK writes all but strings as JSON.

    Raises ProviderError when the environment does not point at the emulator.
    """
    labels = dict(json.loads(config.get("defaultLabels", "{}")))
    if json.loads(config.get("addPulumiAttributionLabel", "true")):
        labels[_ATTRIBUTION_LABEL] = "true"
    return Cloud(
        api=GoogleApi.from_environment(),
        project=config.get("project"),
        region=config.get("region"),
        zone=config.get("zone"),
        labels=labels,
    )
