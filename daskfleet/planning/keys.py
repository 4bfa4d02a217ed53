"""Keys of Cloud KMS: which a stack uses, for what, and where they have to be."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from daskfleet.settings.problems import Problem, shown
from daskfleet.settings.stack import Stack

SERVICE = "cloudkms.googleapis.com"
ROLE = "roles/cloudkms.cryptoKeyEncrypterDecrypter"

_PATH = re.compile(r"projects/(.+)/locations/(.+)/keyRings/(.+)/cryptoKeys/(.+)")

_AGENTS = {"nodes": "compute-system", "secrets": "container-engine-robot"}
"""Who encrypts, by what (cloud.google.com/kubernetes-engine/docs/how-to/using-cmek and
/encrypting-secrets)."""


@dataclass(frozen=True, kw_only=True)
class Key:
    """One key, and what a stack uses it for."""

    use: Literal["nodes", "secrets"]
    path: str
    project: str
    location: str
    ring: str
    name: str

    @property
    def setting(self) -> str:
        """The key of the stack file that names it."""
        return f"keys.{self.use}"

    def agent(self, project_number: str) -> str:
        """Google's agent that encrypts with it, as IAM writes it."""
        domain = f"{_AGENTS[self.use]}.iam.gserviceaccount.com"
        return f"serviceAccount:service-{project_number}@{domain}"


def secrets_key(stack: Stack) -> str | None:
    """The key that encrypts Secrets; None where it is Google's, or nothing is said."""
    return None if stack.keys.secrets == "google" else stack.keys.secrets


def keys_of(stack: Stack) -> tuple[Key, ...]:
    """The keys that a stack names."""
    named = (_key("nodes", stack.keys.nodes), _key("secrets", secrets_key(stack)))
    return tuple(key for key in named if key)


def _key(use: Literal["nodes", "secrets"], path: str | None) -> Key | None:
    found = _PATH.fullmatch(path or "")
    if path is None or found is None:
        return None
    project, location, ring, name = found.groups()
    return Key(use=use, path=path, project=project, location=location, ring=ring, name=name)


def key_problems(stack: Stack) -> Iterator[Problem]:
    """Keys that are elsewhere than what they encrypt."""
    for key in keys_of(stack):
        if key.location != stack.region:
            yield Problem(
                key=key.setting,
                value=shown(key.path),
                reason=f"The key is in {key.location} and the cluster in {stack.region}: nodes "
                "and Secrets would need both places to work.",
                allowed=f"a key in {stack.region}",
                next_step=f"make a key ring in {stack.region} and a key in it; a key cannot move.",
            )
