"""Type tokens: which Kubernetes kind a Pulumi resource type stands for."""

import re
from dataclasses import dataclass

_TOKEN = re.compile(r"kubernetes:(?P<group>[^:/]+)/(?P<version>v[^:/]+):(?P<kind>[A-Z]\w*)")
_SDK_ONLY_GROUPS = frozenset({"helm.sh", "kustomize", "yaml"})
"""Components and charts of the SDK: their tokens look like kinds but no server knows them."""


@dataclass(frozen=True)
class Kind:
    """A kind of Kubernetes object; `group` is empty for the core group."""

    group: str
    version: str
    name: str

    @property
    def api_version(self) -> str:
        """What an object of this kind carries as `apiVersion`."""
        return f"{self.group}/{self.version}" if self.group else self.version

    def __str__(self) -> str:
        return f"{self.api_version} {self.name}"


def kind_of_token(token: str) -> Kind | None:
    """The kind behind `kubernetes:<group>/<version>:<Kind>`, None when there is none.

    `*List` and `*Patch` of built-in groups are shapes of the SDK, not kinds of objects to
    create; a custom resource may well be called `AllowList`.
    """
    match = _TOKEN.fullmatch(token)
    if match is None or match["group"] in _SDK_ONLY_GROUPS:
        return None
    if _is_built_in(match["group"]) and match["kind"].endswith(("List", "Patch")):
        return None
    return Kind("" if match["group"] == "core" else match["group"], match["version"], match["kind"])


def _is_built_in(group: str) -> bool:
    return "." not in group or group.endswith(".k8s.io")
