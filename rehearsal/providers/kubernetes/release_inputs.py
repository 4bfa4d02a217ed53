"""Inputs of `kubernetes:helm.sh/v3:Release`: what is served, defaults, and their Helm flags."""

from collections.abc import Mapping, Sequence
from typing import Any

from rehearsal.providers.protocol import UNKNOWN, CheckFailure, Properties, reveal

DEFAULT_TIMEOUT_S = 300
"""Helm's and the real provider's limit for each wait of a release."""

_INSTALL_FLAGS: Mapping[str, str] = {
    "atomic": "--atomic",
    "createNamespace": "--create-namespace",
    "dependencyUpdate": "--dependency-update",
    "devel": "--devel",
    "disableOpenapiValidation": "--disable-openapi-validation",
    "disableWebhooks": "--no-hooks",
    "renderSubchartNotes": "--render-subchart-notes",
    "replace": "--replace",
    "skipCrds": "--skip-crds",
    "takeOwnership": "--take-ownership",
    "verify": "--verify",
}
_UPGRADE_FLAGS: Mapping[str, str] = {
    "atomic": "--atomic",
    "cleanupOnFail": "--cleanup-on-fail",
    "dependencyUpdate": "--dependency-update",
    "devel": "--devel",
    "disableCRDHooks": "--no-hooks",
    "forceUpdate": "--force",
    "renderSubchartNotes": "--render-subchart-notes",
    "resetValues": "--reset-values",
    "reuseValues": "--reuse-values",
    "takeOwnership": "--take-ownership",
    "verify": "--verify",
}
_REPOSITORY_FLAGS: Mapping[str, str] = {
    "caFile": "--ca-file",
    "certFile": "--cert-file",
    "keyFile": "--key-file",
    "repo": "--repo",
}
_TEXTS = frozenset({"chart", "description", "keyring", "name", "namespace", "version"})
_OTHERS = frozenset(
    {"maxHistory", "repositoryOpts", "skipAwait", "timeout", "values", "waitForJobs"}
)
_DROPPED = frozenset({"allowNullValues", "compat", "manifest", "resourceNames"})
"""Accepted for compatibility and without effect, in the real provider too."""

_SERVED = _TEXTS | _OTHERS | _INSTALL_FLAGS.keys() | _UPGRADE_FLAGS.keys()

_REFUSED: Mapping[str, str] = {
    "lint": "is not served; run `helm lint` in the checks",
    "postrender": "is not served by the stand-in",
    "recreatePods": "is not served: Helm 3 deprecated it",
    "valueYamlFiles": "is not served; pass `values`",
}


def refuse(inputs: Properties) -> list[CheckFailure]:
    """Everything in a release's inputs that would not reach Helm."""
    plain = reveal(inputs)
    failures = []
    for key in sorted(plain.keys() - _SERVED - _DROPPED):
        reason = _REFUSED.get(key, "is not an input of a Helm release")
        failures.append(CheckFailure(key, reason))
    if not plain.get("chart"):
        failures.append(CheckFailure("chart", "is required: a directory, or a chart's name"))
    options = plain.get("repositoryOpts")
    if isinstance(options, dict):
        failures += [
            CheckFailure(
                f"repositoryOpts.{key}",
                "is not served: it would stand in Helm's arguments; `helm repo add` the "
                "repository and name the chart as repository/chart",
            )
            for key in sorted(
                {key for key, value in options.items() if value} - _REPOSITORY_FLAGS.keys()
            )
        ]
    return failures


def with_defaults(inputs: Properties, *, name: str, namespace: str) -> Properties:
    """Inputs without what has no effect, with a name, a namespace and a time-out."""
    kept = {
        key: value for key, value in inputs.items() if key not in _DROPPED and value is not None
    }
    defaults: Properties = {"name": name, "namespace": namespace}
    if not kept.get("skipAwait"):
        defaults["timeout"] = DEFAULT_TIMEOUT_S
    return {**defaults, **{key: value for key, value in kept.items() if value != ""}}


def install_arguments(release: Properties, *, values_file: str) -> list[str]:
    """Arguments of `helm install`; values travel in a file, never in an argument."""
    return [
        "install",
        *_common_arguments(release, values_file=values_file),
        *_switches(release, _INSTALL_FLAGS),
    ]


def upgrade_arguments(release: Properties, *, values_file: str) -> list[str]:
    """Arguments of `helm upgrade`."""
    history = release.get("maxHistory", 0)
    return [
        "upgrade",
        *_common_arguments(release, values_file=values_file),
        *_switches(release, _UPGRADE_FLAGS),
        f"--history-max={history}",
    ]


def template_arguments(release: Properties, *, values_file: str) -> list[str]:
    """Arguments of `helm template` for the same release, offline."""
    return [
        "template", release["name"], *chart_arguments(release),
        f"--namespace={release['namespace']}",
        f"--values={values_file}",
        *_switches(release, {"skipCrds": "--skip-crds", "dependencyUpdate": "--dependency-update"}),
    ]  # fmt: skip


def uninstall_arguments(release: Properties) -> list[str]:
    """Arguments of `helm uninstall`; waits unless the program asked never to wait."""
    waits = [] if release.get("skipAwait") and not release.get("atomic") else ["--wait"]
    return [
        "uninstall", release["name"],
        f"--namespace={release['namespace']}",
        *waits,
        f"--timeout={timeout_s(release)}s",
    ]  # fmt: skip


def chart_arguments(release: Properties) -> list[str]:
    """The chart and where to get it from."""
    options: Mapping[str, Any] = release.get("repositoryOpts") or {}
    version = [f"--version={release['version']}"] if release.get("version") else []
    places = [
        f"{flag}={options[key]}" for key, flag in _REPOSITORY_FLAGS.items() if options.get(key)
    ]
    return [release["chart"], *version, *places]


def timeout_s(release: Properties) -> int:
    """Limit of each wait in Helm."""
    return int(release.get("timeout") or DEFAULT_TIMEOUT_S)


def is_on(value: Any) -> bool:
    """Whether a switch is set; an unknown one is not, yet."""
    return value is not UNKNOWN and bool(value)


def _common_arguments(release: Properties, *, values_file: str) -> Sequence[str]:
    waits = [] if is_on(release.get("skipAwait")) else ["--wait"]
    if waits and is_on(release.get("waitForJobs")):
        waits.append("--wait-for-jobs")
    texts = {"description": "--description", "keyring": "--keyring"}
    return [
        release["name"],
        *chart_arguments(release),
        f"--namespace={release['namespace']}",
        f"--values={values_file}",
        f"--timeout={timeout_s(release)}s",
        *waits,
        *(f"{flag}={release[key]}" for key, flag in texts.items() if release.get(key)),
        "--output=json",
    ]


def _switches(release: Properties, flags: Mapping[str, str]) -> list[str]:
    return [flag for key, flag in flags.items() if is_on(release.get(key))]
