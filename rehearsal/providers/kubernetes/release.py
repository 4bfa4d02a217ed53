"""`kubernetes:helm.sh/v3:Release`: a Helm release, made by the real Helm."""

import json
import sys
from collections import defaultdict
from typing import Any

import yaml

from rehearsal.providers.kubernetes.charts import content_checksum, is_local, local_version
from rehearsal.providers.kubernetes.connection import Connection
from rehearsal.providers.kubernetes.helm import VALUES, Helm, HelmError
from rehearsal.providers.kubernetes.manifest import parse_id
from rehearsal.providers.kubernetes.naming import AUTONAME_DIGITS
from rehearsal.providers.kubernetes.release_inputs import (
    chart_arguments,
    install_arguments,
    refuse,
    template_arguments,
    timeout_s,
    uninstall_arguments,
    upgrade_arguments,
    with_defaults,
)
from rehearsal.providers.protocol import (
    UNKNOWN,
    Call,
    Checked,
    CheckFailure,
    Diff,
    Naming,
    Properties,
    ProviderError,
    ResourceIncompleteError,
    ResourceType,
    Secret,
    State,
    changed_paths,
    contains_unknown,
    covered_by,
    reveal,
    with_replacements,
)

RELEASE_TYPE = "kubernetes:helm.sh/v3:Release"

_CHECKSUM = "checksum"
_INPUTS = "__inputs"


class HelmRelease(ResourceType):
    """Helm releases on the configured cluster."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._helm = Helm(connection)

    def check(self, *, inputs: Properties, old_inputs: Properties, naming: Naming) -> Checked:
        """Refuse unknown inputs, fill defaults, pin the chart's version."""
        failures = refuse(inputs)
        name = reveal(old_inputs.get("name")) or naming.autoname(digits=AUTONAME_DIGITS)
        namespace = self._connection.settings.namespace or "default"
        checked = with_defaults(inputs, name=name, namespace=namespace)
        plain = reveal(checked)
        if not failures and not contains_unknown(plain):
            try:
                checked["version"] = self._chart_version(plain)
            except ProviderError as error:
                failures.append(CheckFailure("chart", str(error)))
        return Checked(checked, failures)

    def diff(self, *, old: State, inputs: Properties) -> Diff:
        """Compare inputs; another name or namespace is another release."""
        new = reveal(inputs)
        changes = changed_paths(old.inputs, inputs)
        if not changes and not contains_unknown(new):
            _warn_of_unnoticed_content(new, reveal(old.outputs))
        return Diff(changes=with_replacements(changes, replacing=covered_by(("name", "namespace"))))

    def create(self, *, inputs: Properties, call: Call) -> State:
        """`helm install`; a release of that name must not exist."""
        release: Properties = reveal(inputs)
        if call.preview:
            return State(id="", inputs=inputs, outputs=self._preview(inputs, release))
        self._change(install_arguments(release, values_file=VALUES), inputs, call, new=True)
        return self._state(inputs)

    def update(self, *, old: State, inputs: Properties, call: Call) -> State:
        """`helm upgrade`."""
        release: Properties = reveal(inputs)
        if call.preview:
            return State(id=old.id, inputs=inputs, outputs=self._preview(inputs, release))
        self._change(upgrade_arguments(release, values_file=VALUES), inputs, call, new=False)
        return self._state(inputs)

    def read(self, *, stored: State, call: Call) -> State | None:  # noqa: ARG002 - one look
        """The live release; another version or other values show as drift."""
        namespace, name = parse_id(stored.id)
        status = self._status(name, namespace or "default")
        if status is None:
            return None
        inputs = stored.inputs or {"name": name, "namespace": namespace, "chart": status["chart"]}
        inputs = {**inputs, "version": status["version"]}
        live_values = json.loads(self._get("values", name, status["namespace"], "--output=json"))
        if changed_paths({"values": inputs.get("values") or {}}, {"values": live_values or {}}):
            inputs["values"] = live_values
        return State(
            id=stored.id,
            inputs=inputs,
            outputs={
                **inputs,
                **self._computed(status),
                _CHECKSUM: stored.outputs.get(_CHECKSUM),
                _INPUTS: Secret(reveal(inputs)),
            },
        )

    def delete(self, *, old: State, call: Call) -> None:
        """`helm uninstall`; gone already is fine."""
        release: Properties = reveal(old.inputs)
        if self._status(release["name"], release["namespace"]) is None:
            return
        arguments = uninstall_arguments(release)
        self._helm.run(arguments, values={}, timeout_s=timeout_s(release), call=call)

    def _chart_version(self, release: Properties) -> str:
        """The version that Helm would take; a pinned one is not looked up in its repository."""
        if is_local(release["chart"]):
            return local_version(release["chart"])
        if release.get("version"):
            return str(release["version"])
        shown = self._helm.read(["show", "chart", *chart_arguments(release)])
        return str(yaml.safe_load(shown)["version"])

    def _preview(self, inputs: Properties, release: Properties) -> Properties:
        """Outputs as far as they are known; a local chart must at least render."""
        if not contains_unknown(release) and is_local(release["chart"]):
            arguments = template_arguments(release, values_file=VALUES)
            if self._connection.reachable is not None:
                arguments.append(f"--kube-version={self._connection.reachable.version()}")
            self._helm.read_with_values(arguments, release.get("values") or {})
        return {
            **inputs,
            "status": UNKNOWN,
            "resourceNames": UNKNOWN,
            _INPUTS: Secret(reveal(inputs)),
        }

    def _change(self, arguments: list[str], inputs: Properties, call: Call, *, new: bool) -> None:
        """Run Helm; a release that is there but failed stays in the state."""
        release: Properties = reveal(inputs)
        before = self._status(release["name"], release["namespace"])
        if new and before is not None:
            raise ProviderError(
                f"Helm release {release['name']} exists already in namespace "
                f"{release['namespace']}; give this one another name, or `pulumi import` that one"
            )
        try:
            self._helm.run(
                arguments,
                values=release.get("values") or {},
                timeout_s=timeout_s(release),
                call=call,
            )
        except ProviderError as error:
            after = self._status(release["name"], release["namespace"])
            if after is None or after["revision"] == (before or {}).get("revision"):
                raise
            state = self._state(inputs)
            raise ResourceIncompleteError(
                resource_id=state.id, outputs=state.outputs, inputs=inputs, reasons=[str(error)]
            ) from error

    def _state(self, inputs: Properties) -> State:
        release: Properties = reveal(inputs)
        status = self._status(release["name"], release["namespace"])
        if status is None:
            raise ProviderError(f"Helm release {release['name']} is gone right after Helm made it")
        outputs = {**inputs, **self._computed(status), _INPUTS: Secret(reveal(inputs))}
        if is_local(release["chart"]):
            outputs[_CHECKSUM] = content_checksum(release["chart"])
        return State(f"{release['namespace']}/{release['name']}", inputs, outputs)

    def _status(self, name: str, namespace: str) -> Properties | None:
        """`helm get metadata`, None when there is no such release."""
        try:
            text = self._get("metadata", name, namespace, "--output=json")
        except HelmError as error:
            if "not found" in str(error):
                return None
            raise
        status: Properties = json.loads(text)
        return status

    def _computed(self, status: Properties) -> Properties:
        keys = ("appVersion", "chart", "name", "namespace", "revision", "status", "version")
        manifest = self._get("manifest", status["name"], status["namespace"])
        return {
            "status": {key: status.get(key) for key in keys},
            "resourceNames": resource_names(manifest),
        }

    def _get(self, what: str, name: str, namespace: str, *options: str) -> str:
        self._connection.require_reachable()
        return self._helm.read(["get", what, name, f"--namespace={namespace}", *options])


def resource_names(manifest: str) -> dict[str, list[str]]:
    """Names in a manifest by `Kind.group/apiVersion`, as the real provider groups them."""
    names: defaultdict[str, set[str]] = defaultdict(set)
    # libyaml: the operator's CRDs are 900 KB, of which the loader in Python reads 600 a second.
    for document in yaml.load_all(manifest, Loader=yaml.CSafeLoader):
        if not document:
            continue
        group, slash, _ = str(document["apiVersion"]).partition("/")
        kind = f"{document['kind']}.{group}" if slash else document["kind"]
        metadata: Any = document["metadata"]
        namespace = metadata.get("namespace")
        name = f"{namespace}/{metadata['name']}" if namespace else metadata["name"]
        names[f"{kind}/{document['apiVersion']}"].add(name)
    return {key: sorted(found) for key, found in sorted(names.items())}


def _warn_of_unnoticed_content(release: Properties, outputs: Properties) -> None:
    """Say when only a chart's files changed: the real provider compares no more than its version.

    Upgrading here what production would leave alone would make the rehearsal a lie.
    """
    known = outputs.get(_CHECKSUM)
    if known is None or not is_local(release["chart"]):
        return
    if content_checksum(release["chart"]) != known:
        sys.stderr.write(
            f"warning: files of chart {release['chart']} changed but its version "
            f"{release.get('version')} did not, so release {release['name']} is not upgraded; "
            "raise `version` in its Chart.yaml\n"
        )
