"""The settings that a rehearsal runs with, without ever writing the stack's own file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from daskfleet.files import write_private_file
from daskfleet.stack_text.mistakes import Mistake
from daskfleet.stack_text.project_file import NAMESPACE, PROJECT_FILE, shared_settings
from daskfleet.stack_text.read import read_file
from daskfleet.visible import visible
from rehearsal.errors import RehearsalError
from rehearsal.workspace import Workspace

StackFile = dict[str, Any]
"""A ``Pulumi.<stack>.yaml``."""

SECRETS_KEYS = ("encryptionsalt", "encryptedkey", "secretsprovider")
"""What the engine writes into a stack file for the stack's secrets; they open the real state."""

LOOPBACK_ENDPOINT = {
    "kind": "ip",
    "authorized_networks": [{"name": "this-machine", "cidr": "127.0.0.1/32"}],
}


def check_stack_file(workspace: Workspace) -> None:
    """Raise RehearsalError when the stack file is missing, no YAML, or holds encrypted values."""
    _read(workspace)


def prepare_stack_file(workspace: Workspace) -> None:
    """Check the settings, and copy them to where the engine may write unless used in place.

    Raises:
        RehearsalError: the stack file is missing, is not YAML, or holds encrypted values.

    """
    original = _read(workspace)
    own = workspace.own_stack_file
    if own is None:
        return
    chart = f"./{workspace.chart.relative_to(workspace.project_dir)}"
    earlier = yaml.safe_load(own.read_text(encoding="utf-8")) if own.exists() else {}
    salt = earlier.get("encryptionsalt")
    shared = shared_settings(workspace.project_dir / PROJECT_FILE).values
    copy = rehearsed(original, shared=shared, chart=chart, salt=salt)
    text = yaml.safe_dump(copy, sort_keys=False)
    write_private_file(own, text)


def rehearsed(
    original: StackFile, *, shared: Mapping[str, object], chart: str, salt: str | None
) -> StackFile:
    """Return the settings as the rehearsal uses them.

    Three things differ: the secrets keys, because the rehearsal's state is another one (``salt``
    is the one that the engine gave it); the operator's chart, which comes from the installed
    package instead of the network; and the cluster's endpoint, because no public authority vouches
    for a control plane on loopback as it does for GKE's DNS endpoint. Where the stack file has no
    such key, the project's default is what they are put into: a stack file's value replaces it.
    """
    config = dict(original.get("config") or {})
    ours: dict[str, dict[str, object]] = {
        "operator": {"chart": chart},
        "cluster": {"endpoint": LOOPBACK_ENDPOINT},
    }
    for name, changed in ours.items():
        key = f"{NAMESPACE}:{name}"
        spelled = name if name in config and key not in config else key
        declared = config.pop(spelled, shared.get(name)) or {}
        # The program refuses anything but a mapping.
        config[key] = {**declared, **changed} if isinstance(declared, dict) else declared
    kept = {key: value for key, value in original.items() if key not in SECRETS_KEYS}
    return {**kept, **({"encryptionsalt": salt} if salt else {}), "config": config}


def _read(workspace: Workspace) -> StackFile:
    file = workspace.stack_file
    if not file.exists():
        stacks = sorted(
            found.name.removeprefix("Pulumi.").removesuffix(".yaml")
            for found in file.parent.glob("Pulumi.*.yaml")
        )
        raise RehearsalError(
            f"{file} does not exist. Stacks here: {', '.join(stacks) or 'none'}; "
            "choose one with --stack."
        )
    text = read_file(file)
    if text.mistakes:
        raise RehearsalError(_refusal(file, text.mistakes[0], len(text.mistakes)))
    content = text.content
    if not isinstance(content, dict) or not isinstance(content.get("config", {}), dict):
        raise RehearsalError(
            f"{file} is not a Pulumi stack file: it must be a mapping with the key `config`, "
            "as in stacks/Pulumi.rehearsal.yaml."
        )
    if _holds_secret(content.get("config")):
        raise RehearsalError(
            f"{file} holds encrypted values (`secure:`), which a rehearsal cannot open. "
            "daskfleet's settings need none: remove them, or rehearse another stack."
        )
    return content


def _refusal(file: Path, first: Mistake, count: int) -> str:
    line = f", line {first.line}" if first.line else ""
    reason = visible(first.misread.reason)
    return (
        f"{file} is not a stack file that can be read{line}: {reason} "
        f"Allowed: {first.misread.allowed}. Next step: {first.misread.next_step}"
        + (f" There are {count - 1} more; `daskfleet cost` lists them." if count > 1 else "")
    )


def _holds_secret(value: object) -> bool:
    if isinstance(value, dict):
        return set(value) == {"secure"} or any(map(_holds_secret, value.values()))
    if isinstance(value, list):
        return any(map(_holds_secret, value))
    return False
