"""Pure: whether Google's agents may use the keys that a stack names."""

import shlex
from dataclasses import dataclass
from typing import Literal

from daskfleet.planning.keys import ROLE, Key
from daskfleet.platform.doctor.answers import Answer
from daskfleet.platform.doctor.grants import binding_command, flags
from daskfleet.platform.doctor.model import Area, Finding, Outcome
from daskfleet.platform.doctor.policy_answers import Policy

WITHOUT_IT: dict[Literal["nodes", "secrets"], str] = {
    "nodes": "no node comes up",
    "secrets": "GKE cannot encrypt the Secrets, and refuses the cluster or the change",
}


class KeyVersion(Answer):
    """What encrypts, of a key."""

    state: str = ""


class CryptoKey(Answer):
    """A key of Cloud KMS."""

    purpose: str = ""
    primary: KeyVersion = KeyVersion()


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A key that has to be there, and how findings speak of it."""

    area: Area
    subject: str
    named_by: str
    """What names it: a setting, or a key of the stack file."""
    path: str
    project: str
    location: str
    ring: str
    name: str


def wanted(key: Key) -> Wanted:
    """A key that the stack's settings name."""
    return Wanted(
        area=Area.PERMISSIONS,
        subject=f"{key.setting}, key {key.name}",
        named_by=key.setting,
        path=key.path,
        project=key.project,
        location=key.location,
        ring=key.ring,
        name=key.name,
    )


def key_finding(key: Wanted, found: CryptoKey) -> Finding:
    """Judge a key that is there: only an enabled one that encrypts is of use."""
    encrypts = found.purpose == "ENCRYPT_DECRYPT"
    is_well = encrypts and found.primary.state == "ENABLED"
    state = found.primary.state or "no primary version"
    return Finding(
        area=key.area,
        subject=key.subject,
        outcome=Outcome.OK if is_well else Outcome.WRONG,
        needed="a symmetric key whose primary version is enabled",
        there=f"{found.purpose or 'no purpose'}, {state}",
        fix=""
        if is_well
        else "Let its owner enable the primary version."
        if encrypts
        else "Make a key of purpose encryption, and name it: a purpose is fixed.",
        command=""
        if is_well
        else _list_versions_command(key)
        if encrypts
        else _create_command(key),
    )


def missing_key(key: Wanted) -> Finding:
    """Say that there is no such key."""
    return Finding(
        area=key.area,
        subject=key.subject,
        outcome=Outcome.WRONG,
        needed=f"a key in {key.location}",
        there="no key of this name, or one that these credentials may not see",
        fix=f"Correct {key.named_by}, or let the owner of {key.project} make the key; its ring "
        f"{key.ring} must be there.",
        command=_create_command(key),
    )


def grant_finding(key: Key, policy: Policy, *, project_number: str) -> Finding:
    """Judge a key by its own policy; what its ring or project grants is not in there."""
    agent = key.agent(project_number)
    may_use = policy.grants(ROLE, agent)
    return Finding(
        area=Area.PERMISSIONS,
        subject=grant_subject(key),
        outcome=Outcome.OK if may_use else Outcome.WRONG,
        needed=f"for {agent}",
        there="granted"
        if may_use
        else "not granted on the key itself; what its key ring or project grants is not seen. "
        f"Without it {WITHOUT_IT[key.use]}",
        fix="" if may_use else "Let the owner of the key grant it.",
        command="" if may_use else grant_command(key, project_number=project_number),
    )


def grant_subject(key: Key) -> str:
    """What findings call the grant."""
    return f"{ROLE} on key {key.name} for {key.use}"


def grant_command(key: Key, *, project_number: str) -> str:
    """The command for the owner of the key."""
    return binding_command(
        "kms keys", key.name, where=_where(key), member=key.agent(project_number), role=ROLE
    )


def _list_versions_command(key: Wanted) -> str:
    return f"gcloud kms keys versions list --key={shlex.quote(key.name)} {flags(_where(key))}"


def _create_command(key: Wanted) -> str:
    name = shlex.quote(key.name)
    return f"gcloud kms keys create {name} {flags(_where(key))} --purpose=encryption"


def _where(key: Key | Wanted) -> dict[str, str]:
    return {"project": key.project, "location": key.location, "keyring": key.ring}
