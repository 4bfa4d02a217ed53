"""Which credentials the Google provider would use, whose they are, and a token of them.

The order is the provider's (terraform-provider-google, ``GetCredentials``): an access token, then
a key or its file in a variable, then application default credentials, which google-auth finds.
"""

import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import google.auth
import google.auth.credentials
import google.auth.exceptions
import google.auth.impersonated_credentials
import google.auth.transport.requests

from daskfleet.google_cloud.bearer import Access

SCOPES = ("https://www.googleapis.com/auth/cloud-platform",)
TOKEN = "GOOGLE_OAUTH_ACCESS_TOKEN"  # noqa: S105 - the name of a variable
KEYS = ("GOOGLE_CREDENTIALS", "GOOGLE_CLOUD_KEYFILE_JSON", "GCLOUD_KEYFILE_JSON")
IMPERSONATED = "GOOGLE_IMPERSONATE_SERVICE_ACCOUNT"
LOGIN = "gcloud auth application-default login"
"""What whoever has no credentials runs."""


class NoAccessError(Exception):
    """There are no credentials, or they yield no token."""

    def __init__(self, text: str, *, kind: str = "") -> None:
        super().__init__(text)
        self.kind = kind


def get_access(environment: Mapping[str, str]) -> Access:
    """Return a token of the credentials that the provider would use. Blocks for seconds.

    Raises:
        NoAccessError: there is none.

    """
    if token := environment.get(TOKEN):
        return Access(token=token, kind=f"the access token in {TOKEN}")
    credentials, kind = _found(environment)
    if target := environment.get(IMPERSONATED):
        credentials = google.auth.impersonated_credentials.Credentials(  # type: ignore[no-untyped-call]
            source_credentials=credentials, target_principal=target, target_scopes=list(SCOPES)
        )
        kind = f"service account {target}, impersonated by {kind}"
    try:
        credentials.refresh(google.auth.transport.requests.Request())  # type: ignore[no-untyped-call]
    except google.auth.exceptions.GoogleAuthError as error:
        raise NoAccessError(f"no token can be had: {_one_line(error)}", kind=kind) from error
    return Access(
        token=str(credentials.token),
        kind=kind,
        member=_member(credentials),
        billed_to=getattr(credentials, "quota_project_id", None) or "",
    )


def _found(
    environment: Mapping[str, str],
) -> tuple[google.auth.credentials.Credentials, str]:
    try:
        for variable in KEYS:
            if given := environment.get(variable):
                credentials = _of_key(given)
                return credentials, f"{_kind(credentials)} in {variable}"
        credentials, _ = google.auth.default(scopes=list(SCOPES))
    except (google.auth.exceptions.GoogleAuthError, OSError, ValueError) as error:
        raise NoAccessError(_one_line(error)) from error
    return credentials, _kind(credentials)


def _of_key(given: str) -> google.auth.credentials.Credentials:
    with warnings.catch_warnings():
        # It warns of keys that others hand in. This one is the user's own, of any kind.
        warnings.simplefilter("ignore", DeprecationWarning)
        credentials, _ = google.auth.load_credentials_from_dict(  # type: ignore[no-untyped-call]
            _key(given), scopes=list(SCOPES)
        )
    found: google.auth.credentials.Credentials = credentials
    return found


def _key(given: str) -> dict[str, Any]:
    """The provider takes the content of a key, or the path of one."""
    text = given if given.lstrip().startswith("{") else Path(given).expanduser().read_text("utf-8")
    key: dict[str, Any] = json.loads(text)
    return key


def _kind(credentials: google.auth.credentials.Credentials) -> str:
    module = type(credentials).__module__
    if module.startswith("google.oauth2.service_account"):
        return "the key of a service account"
    if module.startswith("google.oauth2.credentials"):
        return "application default credentials of a user"
    if module.startswith("google.auth.compute_engine"):
        return "the service account of this machine"
    return "a workload identity federation"


def _member(credentials: google.auth.credentials.Credentials) -> str:
    account = getattr(credentials, "service_account_email", None)
    if account and "@" in account:
        return f"serviceAccount:{account}"
    user = getattr(credentials, "account", None)
    return f"user:{user}" if user else ""


def _one_line(error: Exception) -> str:
    """The words of an error; google-auth keeps an answer of the server as a second part."""
    words = error.args[0] if isinstance(error, google.auth.exceptions.GoogleAuthError) else error
    return " ".join(str(words).split())
