"""What credentials look like wherever they stand, each shape with where it is written down."""

import re
from dataclasses import dataclass

HIDDEN = "(not shown: may hold a secret)"


@dataclass(frozen=True, kw_only=True)
class Shape:
    """One kind of credential."""

    name: str
    pattern: re.Pattern[str]
    """From its group ``secret`` on it is hidden, where it has one; else all of it."""

    source: str


def _shape(name: str, pattern: str, source: str) -> Shape:
    return Shape(name=name, pattern=re.compile(pattern, re.VERBOSE), source=source)


CREDENTIALS = (
    _shape(
        "PEM block",
        r"-----BEGIN [ ] [A-Z0-9 ]+ ----- (?s: .*? ) (?: -----END [ ] [A-Z0-9 ]+ ----- | \Z )",
        "RFC 7468; of a block that was cut off nobody knows where it ends",
    ),
    _shape("PEM block in Base64", r"LS0tLS1CRUdJTi [A-Za-z0-9+/=_-]*", "RFC 7468, RFC 4648"),
    _shape(
        "JSON web token",
        r"\b eyJ[A-Za-z0-9_-]{6,} \. [A-Za-z0-9_-]{6,} (?: \. [A-Za-z0-9_-]* ){0,3}",
        "RFC 7519; a JSON object in Base64 begins with eyJ",
    ),
    _shape(
        "login in a URL",
        r"""\b [A-Za-z][A-Za-z0-9+.-]* :// (?P<secret> [^\s/?\#@"'<>]* : [^\s/?\#"'<>]+ ) (?=@)""",
        "RFC 3986, 3.2.1",
    ),
    _shape(
        "authorization header",
        r"(?i: \b (?: bearer | basic ) ) [ ]+ (?P<secret> [A-Za-z0-9._~+/-]{12,} =* )",
        "RFC 6750, RFC 7617",
    ),
    _shape(
        "signature in a URL",
        r"""(?i: [?&] (?: X-Goog-Signature | X-Amz-Signature | X-Amz-Security-Token | sig
        | access_token ) = ) (?P<secret> [^\s&"'<>]+ )""",
        "cloud.google.com/storage/docs/authentication/signatures; AWS Signature Version 4",
    ),
    _shape("Google OAuth token", r"\b ya29\. [A-Za-z0-9._-]{8,}", "google-auth, gcloud"),
    _shape("Google refresh token", r"(?<!\w) 1// [A-Za-z0-9_-]{20,}", "google-auth"),
    _shape("Google API key", r"\b AIza [A-Za-z0-9_-]{35}", "cloud.google.com/docs/authentication"),
    _shape("Google client secret", r"\b GOCSPX- [A-Za-z0-9_-]{20,}", "GitHub secret scanning"),
    _shape("Google HMAC key", r"\b GOOG [A-Z0-9]{20,}", "cloud.google.com/storage/docs/hmackeys"),
    _shape(
        "GitHub token",
        r"\b (?: gh[pousr]_ [A-Za-z0-9]{16,} | github_pat_ [A-Za-z0-9_]{20,} )",
        "github.blog/2021-04-05-behind-githubs-new-authentication-token-formats",
    ),
    _shape(
        "GitLab token", r"\b gl(?:pat|dt|rt|cbt|ptt|soat)- [A-Za-z0-9_.-]{16,}", "docs.gitlab.com"
    ),
    _shape(
        "AWS access key",
        r"\b (?: AKIA | ASIA | ABIA | ACCA | A3T[A-Z0-9] ) [A-Z0-9]{16} \b",
        "docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html",
    ),
    _shape(
        "Azure storage key",
        r"(?i: AccountKey= ) (?P<secret> [A-Za-z0-9+/=]{20,} )",
        "learn.microsoft.com",
    ),
    _shape(
        "Slack token",
        r"\b xox[abeoprs]- [A-Za-z0-9-]{10,}",
        "api.slack.com/authentication/token-types",
    ),
    _shape(
        "Slack webhook",
        r"hooks\.slack\.com/ (?P<secret> \S{20,} )",
        "api.slack.com/messaging/webhooks",
    ),
    _shape("NVIDIA NGC key", r"\b nvapi- [A-Za-z0-9_-]{20,}", "docs.nvidia.com/ngc"),
    _shape(
        "Hugging Face token", r"\b hf_ [A-Za-z0-9]{20,}", "huggingface.co/docs/hub/security-tokens"
    ),
    _shape(
        "Pulumi token", r"\b pul- [0-9a-f]{40}", "pulumi.com/docs/pulumi-cloud/access-management"
    ),
    _shape(
        "Docker Hub token",
        r"\b dckr_(?:pat|oat)_ [A-Za-z0-9_-]{20,}",
        "docs.docker.com/security/access-tokens",
    ),
    _shape("PyPI token", r"\b pypi- [A-Za-z0-9_-]{50,}", "warehouse.pypa.io/api-reference"),
    _shape("npm token", r"\b npm_ [A-Za-z0-9]{36}", "GitHub secret scanning"),
    _shape("OpenAI or Anthropic key", r"\b sk- [A-Za-z0-9_-]{20,}", "GitHub secret scanning"),
    _shape("Stripe key", r"\b [rs]k_(?:live|test)_ [A-Za-z0-9]{10,}", "docs.stripe.com/keys"),
)
"""What is hidden inside a text; the rest of it stays."""


def without_credentials(text: str) -> str:
    """The text with everything hidden that looks like a credential."""
    for shape in CREDENTIALS:
        text = shape.pattern.sub(_hide, text)
    return text


def _hide(found: re.Match[str]) -> str:
    if "secret" not in found.re.groupindex:
        return HIDDEN
    before = found.start("secret") - found.start()
    return found[0][:before] + HIDDEN
