"""The provider's ID of a resource, worked out from its inputs: what a creation would have had.

IDs of Google's resources are the `id` of each page of the provider's reference (registry
terraform-provider-google, "Attributes Reference"), those of Kubernetes objects `namespace/name`
(pulumi-kubernetes, `provider.go`, `fqObjName`).
"""

import re
from collections.abc import Mapping
from typing import Any

Inputs = Mapping[str, Any]

_GOOGLE: Mapping[str, str] = {
    "gcp:compute/network:Network": "projects/{project}/global/networks/{name}",
    "gcp:compute/subnetwork:Subnetwork": "projects/{project}/regions/{region}/subnetworks/{name}",
    "gcp:compute/router:Router": "projects/{project}/regions/{region}/routers/{name}",
    "gcp:compute/routerNat:RouterNat": "{project}/{region}/{router}/{name}",
    "gcp:serviceaccount/account:Account": (
        "projects/{project}/serviceAccounts/{accountId}@{project}.iam.gserviceaccount.com"
    ),
    "gcp:projects/iAMMember:IAMMember": "{project}/{role}/{member}",
    "gcp:storage/bucketIAMMember:BucketIAMMember": "b/{bucket}/{role}/{member}",
    "gcp:container/cluster:Cluster": "projects/{project}/locations/{location}/clusters/{name}",
    "gcp:container/nodePool:NodePool": (
        "projects/{project}/locations/{location}/clusters/{cluster}/nodePools/{name}"
    ),
}
_HELM_RELEASE = "kubernetes:helm.sh/v3:Release"
_UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
"""Stands for a value that is known after apply (pulumi/pulumi sdk/go/common/resource/plugin)."""


def resource_id(kind: str, inputs: Inputs, *, project: str | None) -> str | None:
    """Return the ID, None for a type or for inputs that do not tell it.

    ``project`` is the Google provider's, for resources that do not name their own.
    """
    if kind in _GOOGLE:
        named = inputs if inputs.get("project") else {**inputs, "project": project}
        return _filled(_GOOGLE[kind], named)
    if kind == _HELM_RELEASE:
        return _joined(inputs.get("namespace"), inputs.get("name"))
    if kind.startswith("kubernetes:"):
        metadata = inputs.get("metadata")
        if isinstance(metadata, Mapping):
            return _joined(metadata.get("namespace"), metadata.get("name"))
    return None


def _filled(pattern: str, inputs: Inputs) -> str | None:
    values = {name: inputs.get(name) for name in re.findall(r"\{(\w+)\}", pattern)}
    if not all(_is_known(value) for value in values.values()):
        return None
    return pattern.format(**values)


def _joined(namespace: object, name: object) -> str | None:
    if not _is_known(name) or namespace == _UNKNOWN:
        return None
    return f"{namespace}/{name}" if namespace else str(name)


def _is_known(value: object) -> bool:
    return isinstance(value, str) and bool(value) and value != _UNKNOWN
