"""Pure: whether the state's backend knows the stack, and its secrets provider can be had."""

import re
from collections.abc import Collection, Mapping
from urllib.parse import urlsplit

from daskfleet.access.state_lock import Holder
from daskfleet.platform.doctor.model import Area, Finding, Outcome
from daskfleet.platform.doctor.pulumi_cli import Backend, StackSummary

PASSPHRASE, PASSPHRASE_FILE = "PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE"
OWN_BACKENDS = ("file", "gs", "s3", "azblob")
"""Schemes of backends that are a place to store files; any other is Pulumi Cloud."""

KEYS = {
    "gcpkms": re.compile(r"projects/[^/]+/locations/[^/]+/keyRings/[^/]+/cryptoKeys/[^/]+"),
    "awskms": re.compile(r".+"),
    "azurekeyvault": re.compile(r"[^/]+/keys/.+"),
    "hashivault": re.compile(r".+"),
}
"""What follows ``<scheme>://`` in the name of a key (pulumi.com, "Secrets providers")."""

LOGIN = "pulumi login gs://YOUR-BUCKET"


def is_own(backend: Backend) -> bool:
    """Whether the state is in files, so that locks and secrets are the stack's own business."""
    return urlsplit(backend.url).scheme in OWN_BACKENDS


def backend_finding(backend: Backend | str) -> Finding:
    """Judge the login; a text says why there is none."""
    if isinstance(backend, Backend):
        return Finding(
            area=Area.STATE,
            subject="backend",
            outcome=Outcome.OK,
            needed="reachable",
            there=f"{_shown(backend.url)}, as {backend.user}",
        )
    return Finding(
        area=Area.STATE,
        subject="backend",
        outcome=Outcome.WRONG,
        needed="reachable",
        there=backend,
        fix="Log in to the bucket or service that keeps the state.",
        command=LOGIN,
    )


def stack_finding(
    stack: str, stacks: Collection[StackSummary], *, secrets_provider: str
) -> Finding:
    """Judge whether the stack exists in the backend."""
    found = find_stack(stack, stacks)
    option = f" --secrets-provider '{secrets_provider}'" if secrets_provider else ""
    names = ", ".join(each.name for each in stacks)
    return Finding(
        area=Area.STATE,
        subject=f"stack {stack}",
        outcome=Outcome.OK if found else Outcome.WRONG,
        needed="exists in the backend",
        there="exists" if found else f"the backend has {names or 'no stack of this project'}",
        fix="" if found else "Make it; its settings stay as they are.",
        command="" if found else f"pulumi stack init {stack}{option}",
    )


def find_stack(stack: str, stacks: Collection[StackSummary]) -> StackSummary | None:
    """Return a stack by its name, of which Pulumi Cloud puts the organisation in front."""
    short = stack.rpartition("/")[2]
    return next((each for each in stacks if each.name.rpartition("/")[2] == short), None)


def lock_finding(stack: str, holders: Collection[Holder]) -> Finding:
    """Judge who holds the lock of a stack whose state is in files."""
    subject, recover = f"lock of {stack}", f"daskfleet recover --stack {stack}"
    who = ", ".join(map(str, holders))
    if not holders:
        return Finding(
            area=Area.STATE, subject=subject, outcome=Outcome.OK, needed="free", there="free"
        )
    if all(holder.is_gone for holder in holders):
        there = f"held by {who}, which no longer runs"
        fix = "Release it, and record in the state what that run has made."
    else:
        there = f"held by {who}"
        fix = "Wait for it. If it has certainly ended, add --break-lock to this."
    return Finding(
        area=Area.STATE,
        subject=subject,
        outcome=Outcome.WRONG,
        needed="free",
        there=there,
        fix=fix,
        command=recover,
    )


def cloud_lock_finding(stack: str, *, is_locked: bool) -> Finding:
    """Judge what Pulumi Cloud says of a stack."""
    return Finding(
        area=Area.STATE,
        subject=f"lock of {stack}",
        outcome=Outcome.WRONG if is_locked else Outcome.OK,
        needed="free",
        there="an update is in progress" if is_locked else "free",
        fix="Wait for it. If it has certainly ended, release it." if is_locked else "",
        command=f"pulumi cancel --stack {stack}" if is_locked else "",
    )


def needs_passphrase_or_backend(provider: str) -> bool:
    """Whether a stack file names no key: then a passphrase or the backend encrypts."""
    return provider in ("", "default", "passphrase")


def secrets_finding(
    provider: str, *, own_backend: bool, environment: Mapping[str, str], readable_file: bool
) -> Finding:
    """Judge what encrypts the stack's secrets. No secret is read, and none is shown.

    Args:
        provider: ``secretsprovider`` of the stack file, empty where it names none.
        own_backend: whether the state is in files; Pulumi Cloud encrypts by itself.
        environment: variables of this process.
        readable_file: whether the file in PULUMI_CONFIG_PASSPHRASE_FILE can be read.
    """
    scheme, _, rest = provider.partition("://")
    if not needs_passphrase_or_backend(provider):
        return _key_finding(provider, scheme=scheme, rest=rest)
    if not own_backend and provider != "passphrase":
        return _secrets(Outcome.OK, needed="an encryption key", there="kept by the backend")
    if PASSPHRASE in environment:
        return _secrets(Outcome.OK, needed="the passphrase", there=f"{PASSPHRASE} is set")
    if PASSPHRASE_FILE in environment:
        can = "can" if readable_file else "cannot"
        return _secrets(
            Outcome.OK if readable_file else Outcome.WRONG,
            needed="the passphrase",
            there=f"the file that {PASSPHRASE_FILE} names {can} be read",
            fix="" if readable_file else f"Correct {PASSPHRASE_FILE}, or the file's mode.",
        )
    return _secrets(
        Outcome.WRONG,
        needed="the passphrase",
        there=f"neither {PASSPHRASE} nor {PASSPHRASE_FILE} is set",
        fix="Put it into a file that only you can read, and set the variable to that file.",
        command=f"export {PASSPHRASE_FILE}=$HOME/.config/pulumi-passphrase",
    )


def _key_finding(provider: str, *, scheme: str, rest: str) -> Finding:
    known = KEYS.get(scheme)
    fits = known is not None and known.fullmatch(rest.partition("?")[0]) is not None
    example = "gcpkms://projects/P/locations/L/keyRings/R/cryptoKeys/K"
    return _secrets(
        Outcome.OK if fits else Outcome.WRONG,
        needed="a key that Pulumi can use",
        there=provider if fits else f"secretsprovider is {provider}",
        fix="" if fits else f"Correct it; Pulumi knows {', '.join(KEYS)}, for example {example}.",
        command="" if fits else f"pulumi stack change-secrets-provider '{example}'",
    )


def _secrets(
    outcome: Outcome, *, needed: str, there: str, fix: str = "", command: str = ""
) -> Finding:
    return Finding(
        area=Area.STATE,
        subject="secrets provider",
        outcome=outcome,
        needed=needed,
        there=there,
        fix=fix,
        command=command,
    )


def _shown(url: str) -> str:
    """A backend's URL without what may be secret in it: user information and parameters."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()
