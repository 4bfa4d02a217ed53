"""Read a stack file without the Pulumi engine, as the cost estimate and the review do."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from daskfleet.settings.loading import Draft, parse
from daskfleet.settings.problems import NAMESPACE, Problem, shown


class _PulumiYaml(yaml.CSafeLoader):
    """YAML as Pulumi reads it: times become Go's text, and a key that stands twice is a mistake."""

    def go_time(self, node: Any) -> str:
        """A timestamp as ``daskfleet.settings.times`` says that Pulumi hands it over."""
        value = self.construct_yaml_timestamp(node)
        if isinstance(value, datetime) and value.tzinfo:
            value = value.astimezone(UTC)
        return f"{value:%Y-%m-%d %H:%M:%S} +0000 UTC"

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key.value} stands twice", key.start_mark
                )
            seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


_PulumiYaml.add_constructor("tag:yaml.org,2002:timestamp", _PulumiYaml.go_time)


def load_yaml(text: str) -> Any:
    """The content of a YAML text as Pulumi reads it.

    Raises:
        yaml.YAMLError: the text is not YAML, or has a key twice.
    """
    return yaml.load(text, Loader=_PulumiYaml)  # noqa: S506 - a subclass of the safe loader


def read_stack_file(path: Path) -> Draft:
    """The settings in a stack file such as ``stacks/Pulumi.dev.yaml``.

    A file that cannot be read as settings at all yields a draft with that one problem.
    """
    file = str(path)
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return _unreadable(file, f"The file cannot be read: {error}.", "a text file in UTF-8")
    try:
        content = load_yaml(text)
    except yaml.YAMLError as error:
        reason = "The file is not YAML: " + " ".join(str(error).split()) + "."
        return _unreadable(file, reason, "YAML, each key once")
    config = content.get("config") if isinstance(content, dict) else content
    if not isinstance(config, dict):
        reason = f"The file has no mapping below config: it holds {shown(content)}."
        return _unreadable(file, reason, f"config: with keys that begin with {NAMESPACE}:")
    return parse(_own_keys(config), file=file)


def _own_keys(config: dict[str, object]) -> dict[str, object]:
    """This program's settings; Pulumi takes a key without a namespace as the project's."""
    keys = {str(key).removeprefix(f"{NAMESPACE}:"): value for key, value in config.items()}
    return {key: value for key, value in keys.items() if ":" not in key}


def _unreadable(file: str, reason: str, allowed: str) -> Draft:
    problem = Problem(
        key="",
        value="",
        reason=reason,
        allowed=allowed,
        next_step="compare with stacks/Pulumi.dev.yaml, or check the path.",
    )
    return Draft(file=file, stack=None, problems=(problem,))
