"""An exported state, reduced to what waits for what."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class StateResource(BaseModel):
    """A resource as ``pulumi stack export`` has it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    urn: str
    type: str
    parent: str = ""
    provider: str = ""
    """``URN::ID`` of its provider; empty for a component and for a provider."""
    dependencies: tuple[str, ...] = ()
    property_dependencies: Mapping[str, tuple[str, ...] | None] = Field(
        default_factory=dict, alias="propertyDependencies"
    )
    inputs: Mapping[str, Any] = Field(default_factory=dict)
    is_leaving: bool = Field(default=False, alias="delete")
    """Whether it is a replaced one that the engine has still to delete."""

    @property
    def name(self) -> str:
        """The name that the program gave it."""
        return self.urn.rpartition("::")[2]

    @property
    def needs(self) -> Iterator[str]:
        """URNs that the engine dealt with before it."""
        yield from self.dependencies
        for urns in self.property_dependencies.values():
            yield from urns or ()
        if self.parent:
            yield self.parent
        if self.provider:
            yield self.provider.rpartition("::")[0]


class _Deployment(BaseModel):
    model_config = ConfigDict(extra="ignore")

    resources: tuple[StateResource, ...] = ()


class _Export(BaseModel):
    model_config = ConfigDict(extra="ignore")

    deployment: _Deployment


def read_state(text: str) -> dict[str, StateResource]:
    """Read what ``pulumi stack export`` prints, by URN."""
    resources = _Export.model_validate_json(text).deployment.resources
    return {resource.urn: resource for resource in resources if not resource.is_leaving}
