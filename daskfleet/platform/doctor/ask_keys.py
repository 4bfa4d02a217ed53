"""Looking at the keys that a stack names, and at who may use them. Nothing here writes."""

import asyncio

from daskfleet.planning.keys import Key, keys_of
from daskfleet.platform.doctor.answers import Project
from daskfleet.platform.doctor.errors import NotLookedAtError, NotThereError
from daskfleet.platform.doctor.google_api import GoogleApi
from daskfleet.platform.doctor.keys import (
    CryptoKey,
    Wanted,
    grant_command,
    grant_finding,
    grant_subject,
    key_finding,
    missing_key,
    wanted,
)
from daskfleet.platform.doctor.model import Area, Finding, not_looked_at
from daskfleet.platform.doctor.policy_answers import Policy
from daskfleet.settings.stack import Stack


async def keys(google: GoogleApi, stack: Stack) -> list[Finding]:
    """Look at each key, and at the grant to the agent that encrypts with it."""
    own = await google.get("cloudresourcemanager", f"projects/{stack.project}", Project)
    number = own.project_number
    found = await asyncio.gather(*(_key(google, key, number) for key in keys_of(stack)))
    return [finding for findings in found for finding in findings]


async def _key(google: GoogleApi, key: Key, number: str) -> list[Finding]:
    """Look at one key; whoever may not read it still gets the command for its owner."""
    itself, is_missing = await _itself(google, wanted(key))
    return [itself] if is_missing else [itself, await _grant(google, key, number)]


async def key_itself(google: GoogleApi, key: Wanted) -> Finding:
    """Look whether a key is there and of use; nobody is asked who may use it."""
    return (await _itself(google, key))[0]


async def _itself(google: GoogleApi, key: Wanted) -> tuple[Finding, bool]:
    try:
        return key_finding(key, await google.get("cloudkms", key.path, CryptoKey)), False
    except NotThereError:
        return missing_key(key), True
    except NotLookedAtError as error:
        return not_looked_at(key.area, key.subject, error), False


async def _grant(google: GoogleApi, key: Key, number: str) -> Finding:
    try:
        policy = await google.get("cloudkms", f"{key.path}:getIamPolicy", Policy)
    except NotLookedAtError as error:
        why = f"{error}. The owner of the key knows whether {key.agent(number)} has it"
        command = grant_command(key, project_number=number)
        return not_looked_at(Area.PERMISSIONS, grant_subject(key), why, command=command)
    return grant_finding(key, policy, project_number=number)
