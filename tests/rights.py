"""Rights in Kubernetes, spelled ``get pods/log`` or ``list jobs.batch``."""

from collections.abc import Callable, Iterator
from typing import Any


def attributes_of(right: str, *, namespace: str) -> dict[str, str]:
    """Return a right in a namespace as reviews of access ask for it."""
    verb, _, path = right.partition(" ")
    resource, _, subresource = path.partition("/")
    plural, _, group = resource.partition(".")
    return {
        "namespace": namespace,
        "verb": verb,
        "group": group,
        "resource": plural,
        "subresource": subresource,
    }


def every_right(read: Callable[[str], dict[str, Any]]) -> Iterator[str]:
    """Each verb of each resource that an API server has; ``read`` gives what is at a path of it."""
    versions = [each["preferredVersion"]["groupVersion"] for each in read("/apis")["groups"]]
    for path in ("/api/v1", *(f"/apis/{version}" for version in versions)):
        document = read(path)
        group = document["groupVersion"].rpartition("/")[0]
        for resource in document["resources"]:
            name, slash, subresource = resource["name"].partition("/")
            full = f"{name}.{group}" if group else name
            for verb in resource["verbs"]:
                yield f"{verb} {full}{slash}{subresource}"
