"""Looking at whether the stack's project may use the host project's networks. Writes nothing."""

from daskfleet.platform.doctor.ask_constraints import constraint
from daskfleet.platform.doctor.errors import NotLookedAtError
from daskfleet.platform.doctor.google_api import GoogleApi
from daskfleet.platform.doctor.model import Area, Finding, Outcome, not_looked_at
from daskfleet.platform.doctor.network_answers import XpnHost
from daskfleet.platform.doctor.shared_vpc import (
    attachment_command,
    attachment_finding,
    attachment_subject,
)
from daskfleet.platform.doctor.stack_constraints import attachment_constraint
from daskfleet.settings.stack import Stack


async def attachment(google: GoogleApi, stack: Stack) -> list[Finding]:
    """Look at the project's host project and, while it is not that one, at what would forbid it."""
    try:
        host = await google.get("compute", f"projects/{stack.project}/getXpnHost", XpnHost)
        found = attachment_finding(host.name, stack)
    except NotLookedAtError as error:
        why = f"{error}. The owner of the host project knows whether it is attached"
        found = not_looked_at(
            Area.PERMISSIONS, attachment_subject(stack), why, command=attachment_command(stack)
        )
    if found.outcome is Outcome.OK:
        return [found]
    return [found, await constraint(google, stack, attachment_constraint(stack))]
