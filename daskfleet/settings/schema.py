"""The JSON schema of stack files, from which editors complete keys and show what they mean.

``python -m daskfleet.settings.schema`` writes ``stacks/schema.json`` and the page that is drawn
from it, ``docs/settings.md``; with ``--check`` it only compares, and fails when a file is not what
the settings say.
"""

import json
import sys
from typing import Any, TypeAlias

from daskfleet.checkout import SOURCE_DIR
from daskfleet.generated import write_or_check
from daskfleet.settings.base import Settings
from daskfleet.settings.descriptions import describe
from daskfleet.settings.page import settings_page
from daskfleet.settings.stack import Stack
from daskfleet.stack_text.project_file import NAMESPACE

Schema: TypeAlias = dict[str, Any]
"""A JSON schema, draft 2020-12."""

FILE = SOURCE_DIR / "stacks" / "schema.json"
PAGE = SOURCE_DIR / "docs" / "settings.md"

PULUMI_KEYS = {
    "encryptionsalt": "Salt of the passphrase that encrypts secrets; Pulumi writes it.",
    "encryptedkey": "Data key of a cloud key service; Pulumi writes it.",
    "secretsprovider": "Where secrets are encrypted, for example a cloud key; Pulumi writes it.",
}
"""What Pulumi itself keeps in a stack file (pulumi sdk/go/common/workspace ``ProjectStack``)."""


def stack_file_schema() -> Schema:
    """The schema of a whole stack file."""
    describe(Settings)
    settings = Stack.model_json_schema()
    definitions = settings.pop("$defs")
    own = {f"{NAMESPACE}:{key}": value for key, value in settings["properties"].items()}
    config: Schema = {
        "type": "object",
        "description": settings["description"],
        "properties": own,
        "required": [f"{NAMESPACE}:{key}" for key in settings["required"]],
        # Keys of providers and of Pulumi, such as gcp:project, have their own rules.
        "patternProperties": {f"^(?!{NAMESPACE}:)[^:]+:.+$": True},
        "additionalProperties": False,
    }
    pulumi: Schema = {
        key: {"type": "string", "description": text} for key, text in PULUMI_KEYS.items()
    }
    pulumi["environment"] = {"description": "Pulumi ESC environments of this stack."}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "daskfleet stack file",
        "type": "object",
        "properties": {"config": config, **pulumi},
        "required": ["config"],
        "additionalProperties": False,
        "$defs": definitions,
    }


def main(arguments: list[str]) -> int:
    """Write schema and page, or check that they are current; the exit status."""
    schema = stack_file_schema()
    texts = {FILE: json.dumps(schema, indent=2) + "\n", PAGE: settings_page(schema)}
    return write_or_check(texts, arguments, module="daskfleet.settings.schema")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
