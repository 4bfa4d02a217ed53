"""A resource as the engine has it, with marks where a preview does not know the value yet."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final


class _Unknown:
    """Stands for a value that only an update will tell."""

    def __repr__(self) -> str:
        return "(known after up)"


UNKNOWN: Final = _Unknown()
"""Neither missing nor anything else: no rule may conclude anything from it."""

PROVIDERS = ("gcp", "kubernetes", "random")
STACK_TYPE = "pulumi:pulumi:Stack"


@dataclass(frozen=True, kw_only=True)
class Declared:
    """One resource of the stack."""

    urn: str
    type: str
    """The engine's type token."""

    properties: Mapping[str, Any]
    """Its inputs; of the stack itself, its outputs."""

    is_protected: bool = False
    parent: str = ""
    """URN of the component that it belongs to."""

    @property
    def name(self) -> str:
        """The logical name."""
        return name_in(self.urn)

    @property
    def kind(self) -> str:
        """The type without its package: ``NodePool``, ``DaskCluster``; empty for components.

        Components are called as what they hold, and hold no inputs that a rule is about.
        """
        package, _, rest = self.type.partition(":")
        return rest.rpartition(":")[2] if package in PROVIDERS else ""

    @property
    def is_in_kubernetes(self) -> bool:
        """Whether it is an object in the cluster, or a Helm release."""
        return self.type.startswith("kubernetes:")

    @property
    def object_name(self) -> str:
        """Its name in Kubernetes, or else the logical one; empty while that is not known."""
        name = self.at("metadata", "name")
        return "" if name is UNKNOWN else str(name or self.name)

    @property
    def namespace(self) -> str:
        """Its namespace in Kubernetes; empty while that is not known."""
        namespace = self.at("metadata", "namespace")
        return "" if namespace is UNKNOWN else str(namespace or "default")

    def at(self, *path: str) -> Any:
        """The value at a path of its properties; see ``at``."""
        return at(self.properties, *path)


def at(value: Any, *path: str) -> Any:
    """The value at a path: None where there is nothing, ``UNKNOWN`` where it is not known yet."""
    for step in path:
        if value is UNKNOWN:
            return UNKNOWN
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def items_of(value: Any) -> Iterator[Any]:
    """The elements of a list that are known; none of anything else."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        yield from (each for each in value if each is not UNKNOWN)


def may_be(value: Any, expected: Any) -> bool:
    """Whether a value is, or may turn out to be, what is expected."""
    return value is UNKNOWN or bool(value == expected)


def may_have(elements: Any, is_meant: Callable[[Any], bool]) -> bool:
    """Whether a list has, or may turn out to have, an element that is meant."""
    if elements is UNKNOWN:
        return True
    is_list = isinstance(elements, Sequence) and not isinstance(elements, str)
    return is_list and any(each is UNKNOWN or is_meant(each) for each in elements)


def name_in(urn: str) -> str:
    """The logical name in a URN."""
    return urn.split("::", 3)[-1]


def stack_in(urn: str) -> str:
    """The stack's name in a URN."""
    return urn.removeprefix("urn:pulumi:").split("::", 1)[0]


def of_kind(fleet: Sequence[Declared], kind: str) -> list[Declared]:
    """The resources of one kind."""
    return [each for each in fleet if each.kind == kind]


def gke_clusters(fleet: Sequence[Declared]) -> list[Declared]:
    """The GKE clusters."""
    return [each for each in of_kind(fleet, "Cluster") if not each.is_in_kubernetes]


def dask_clusters(fleet: Sequence[Declared]) -> list[Declared]:
    """The Dask clusters whose namespace, and with it whose team, is known."""
    return [each for each in of_kind(fleet, "DaskCluster") if each.namespace]


def outputs_of(fleet: Sequence[Declared]) -> Mapping[str, Any]:
    """The stack's outputs; empty where the stack as a whole is not judged."""
    return next((each.properties for each in fleet if each.type == STACK_TYPE), {})
