"""The provider's own arguments: what the stand-in honours, and what it refuses."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from rehearsal.providers.kubernetes.kubeconfig import parse_kubeconfig
from rehearsal.providers.kubernetes.replacement import Mutability
from rehearsal.providers.protocol import (
    UNKNOWN,
    Change,
    CheckFailure,
    Diff,
    Path,
    Properties,
    ProviderError,
    changed_paths,
    reveal,
    with_replacements,
)

_FLAGS = frozenset(
    {
        "deleteUnreachable", "enableConfigMapMutable", "enablePatchForce", "enableSecretMutable",
        "skipUpdateUnreachable", "upsertExistingObjects",
    }
)  # fmt: skip
_TEXTS = frozenset({"cluster", "clusterIdentifier", "context", "kubeconfig", "namespace"})
_WITHOUT_EFFECT = frozenset({"suppressDeprecationWarnings", "suppressHelmHookWarnings", "version"})
"""The stand-in never prints what these silence; `version` selects the plugin in the engine."""

_HELM_ENVIRONMENT: Mapping[str, str] = {
    "driver": "HELM_DRIVER",
    "pluginsPath": "HELM_PLUGINS",
    "registryConfigPath": "HELM_REGISTRY_CONFIG",
    "repositoryCache": "HELM_REPOSITORY_CACHE",
    "repositoryConfigPath": "HELM_REPOSITORY_CONFIG",
}
_SERVED_PARTS: Mapping[str, Collection[str]] = {
    "kubeClientSettings": {"timeout"},  # nothing is throttled here, so no qps and burst
    "helmReleaseSettings": {*_HELM_ENVIRONMENT, "suppressBetaWarning"},
}
_RENDERING = frozenset({"alwaysRender", "renderYamlToDirectory"})

_DEFAULT_CLIENT_TIMEOUT_S = 32.0
"""client-go's default time-out of a single request, which the real provider uses."""

_ACTIVE_CLUSTER_KEYS = ("kubeconfig", "context", "cluster")


@dataclass(frozen=True, kw_only=True)
class ProviderSettings:
    """What a configured provider works with; `client_timeout_s` bounds one API request."""

    kubeconfig: str = field(repr=False)
    context: str | None = None
    cluster: str | None = None
    namespace: str | None = None
    client_timeout_s: float = _DEFAULT_CLIENT_TIMEOUT_S
    delete_unreachable: bool = False
    force_conflicts: bool = False
    mutability: Mutability = field(default_factory=Mutability)
    skip_update_unreachable: bool = False
    upsert_existing: bool = False
    helm_environment: Mapping[str, str] = field(default_factory=dict)


def check_settings(inputs: Properties) -> list[CheckFailure]:
    """Everything in the provider's arguments that the stand-in cannot honour."""
    plain = reveal(inputs)
    failures = []
    for key in sorted(plain):
        value = plain[key]
        reason = None if value is None or value is UNKNOWN else _refusal(key, _structured(value))
        if reason is not None:
            failures.append(CheckFailure(key, reason))
    if not plain.get("kubeconfig"):
        failures.append(
            CheckFailure(
                "kubeconfig",
                "is required: the kubernetes stand-in never uses an ambient kubeconfig, which "
                "could be a real cluster's",
            )
        )
    return failures


def parse_settings(inputs: Properties) -> ProviderSettings:
    """Typed settings of checked arguments."""
    plain = {key: _structured(value) for key, value in reveal(inputs).items() if value is not None}
    client = plain.get("kubeClientSettings", {})
    helm = plain.get("helmReleaseSettings", {})
    return ProviderSettings(
        kubeconfig=_text(plain["kubeconfig"]),
        context=plain.get("context"),
        cluster=plain.get("cluster"),
        namespace=plain.get("namespace"),
        client_timeout_s=client.get("timeout", _DEFAULT_CLIENT_TIMEOUT_S),
        delete_unreachable=plain.get("deleteUnreachable", False),
        force_conflicts=plain.get("enablePatchForce", False),
        mutability=Mutability(
            config_maps=plain.get("enableConfigMapMutable", False),
            secrets=plain.get("enableSecretMutable", False),
        ),
        skip_update_unreachable=plain.get("skipUpdateUnreachable", False),
        upsert_existing=plain.get("upsertExistingObjects", False),
        helm_environment={
            variable: helm[key] for key, variable in _HELM_ENVIRONMENT.items() if key in helm
        },
    )


def diff_settings(*, old: Properties, new: Properties) -> Diff:
    """Whether changed arguments mean another cluster, and so the replacement of every object.

    The real provider's rule (pulumi-kubernetes 94977969 `provider.go` DiffConfig): a changed
    `clusterIdentifier` replaces; an unchanged one never does, whatever else changed or is not
    known yet; without one, an unknown kubeconfig, context or cluster replaces, and else a
    different server or CA in the active cluster entry does. Adding or removing the identifier
    replaces nothing by itself.
    """
    old, new = reveal(old), reveal(new)
    changes = changed_paths(old, new)
    before, after = old.get("clusterIdentifier"), new.get("clusterIdentifier")
    if before is not None and before == after:
        return Diff(changes=changes)
    replacing = {"clusterIdentifier"} if before is not None and after is not None else set()
    unknown = {key for key in _ACTIVE_CLUSTER_KEYS if new.get(key) is UNKNOWN}
    if unknown or _other_cluster(old, new):
        replacing |= unknown or set(_ACTIVE_CLUSTER_KEYS)
    return Diff(changes=_replacing_top_level(changes, replacing))


def _replacing_top_level(changes: Mapping[Path, Change], keys: set[str]) -> Mapping[Path, Change]:
    return with_replacements(changes, replacing=lambda path: path[0] in keys)


def _other_cluster(old: Properties, new: Properties) -> bool:
    try:
        entries = [
            parse_kubeconfig(
                _text(side["kubeconfig"]), context=side.get("context"), cluster=side.get("cluster")
            ).active_cluster
            for side in (old, new)
        ]
    except (KeyError, ProviderError):
        return False  # nothing to compare; Configure says what is wrong with the new one
    return None not in entries and entries[0] != entries[1]


def _refusal(key: str, value: Any) -> str | None:
    """Why an argument is not accepted, None when it is."""
    if key in _FLAGS:
        return None if isinstance(value, bool) else f"is {value!r}; allowed are true and false"
    if key == "enableServerSideApply":
        return None if value is True else "must be true: the stand-in applies server-side only"
    if key in _SERVED_PARTS:
        extra = sorted(set(value) - set(_SERVED_PARTS[key]))
        return f"has {extra}; served are {sorted(_SERVED_PARTS[key])}" if extra else None
    if key in _RENDERING:
        return "is not served: the stand-in works on an API server; use the real plugin to render"
    return None if key in _TEXTS | _WITHOUT_EFFECT else "is no argument of this provider"


def _structured(value: Any) -> Any:
    """A non-text argument, which the SDK sends as JSON text."""
    if not isinstance(value, str):
        return value
    try:
        decoded = json.loads(value)
    except ValueError:
        return value
    return decoded if isinstance(decoded, bool | dict) else value


def _text(kubeconfig: Any) -> str:
    return kubeconfig if isinstance(kubeconfig, str) else json.dumps(kubeconfig)
