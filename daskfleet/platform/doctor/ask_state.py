"""Looking at the backend of the state: reachable, the stack in it, its lock, its secrets."""

from collections.abc import Awaitable, Mapping

from daskfleet.platform.doctor.ask_keys import key_itself
from daskfleet.platform.doctor.commands import is_readable
from daskfleet.platform.doctor.errors import NotLookedAtError
from daskfleet.platform.doctor.google_api import GoogleApi
from daskfleet.platform.doctor.keys import Wanted
from daskfleet.platform.doctor.locks import holders
from daskfleet.platform.doctor.model import Finding, not_looked_at
from daskfleet.platform.doctor.pulumi_cli import Backend, PulumiRefusedError, StackSummary
from daskfleet.platform.doctor.state import (
    PASSPHRASE_FILE,
    backend_finding,
    cloud_lock_finding,
    is_own,
    lock_finding,
    needs_passphrase_or_backend,
    secrets_finding,
    stack_finding,
)
from daskfleet.platform.doctor.state_key import state_key
from daskfleet.stack_text.project_file import NAMESPACE


async def backend(found: Awaitable[Backend]) -> list[Finding]:
    """Look at the login."""
    try:
        return [backend_finding(await found)]
    except PulumiRefusedError as error:
        return [backend_finding(str(error))]


async def stack(
    found: Awaitable[tuple[StackSummary, ...]], name: str, *, secrets_provider: str
) -> list[Finding]:
    """Look for the stack."""
    return [stack_finding(name, await found, secrets_provider=secrets_provider)]


async def lock(
    backend: Awaitable[Backend],
    summary: Awaitable[StackSummary | None],
    google: Awaitable[GoogleApi],
    name: str,
) -> list[Finding]:
    """Look at who works on the stack."""
    where, found = await backend, await summary
    if found is None:
        raise NotLookedAtError("there is no such stack yet")
    if not is_own(where):
        return [cloud_lock_finding(name, is_locked=found.updateInProgress)]
    held_by = await holders(where.url, project=NAMESPACE, stack=name, google=google)
    return [lock_finding(name, held_by)]


async def secrets(
    backend: Awaitable[Backend],
    google: Awaitable[GoogleApi],
    provider: str,
    environment: Mapping[str, str],
) -> list[Finding]:
    """Look at what encrypts the stack's secrets; a key is asked for where it is in Cloud KMS."""
    own = True
    if needs_passphrase_or_backend(provider):
        own = is_own(await backend)
    can_be_read = is_readable(environment.get(PASSPHRASE_FILE, ""))
    form = secrets_finding(
        provider, own_backend=own, environment=environment, readable_file=can_be_read
    )
    key = state_key(provider)
    return [form] if key is None else [form, await _key(google, key)]


async def _key(google: Awaitable[GoogleApi], key: Wanted) -> Finding:
    try:
        return await key_itself(await google, key)
    except NotLookedAtError as error:
        return not_looked_at(key.area, key.subject, error)
