"""Secrets as they are issued, made up for tests: by shape, and by the key that they stand under."""

import base64
import json
from string import ascii_letters, ascii_uppercase, digits, hexdigits

from hypothesis import strategies as st

ALPHANUMERIC = ascii_letters + digits
URL_SAFE = ALPHANUMERIC + "-_"


def _text(alphabet: str, least: int, most: int | None = None) -> st.SearchStrategy[str]:
    return st.text(alphabet=alphabet, min_size=least, max_size=most or least)


def _after(prefix: str, rest: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return rest.map(prefix.__add__)


def _base64_of(document: object) -> str:
    text = json.dumps(document, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _pem(kind: str) -> st.SearchStrategy[str]:
    lines = st.lists(_text(ALPHANUMERIC + "+/", 64), min_size=1, max_size=4).map("\n".join)
    return lines.map(lambda body: f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----")


_JWT = st.tuples(
    st.dictionaries(_text(ascii_letters, 3), _text(ascii_letters, 8), min_size=1).map(_base64_of),
    _text(URL_SAFE, 20, 60),
).map(lambda rest: f"{_base64_of({'alg': 'RS256'})}.{rest[0]}.{rest[1]}")

BY_SHAPE: dict[str, st.SearchStrategy[str]] = {
    "private key": _pem("RSA PRIVATE KEY"),
    "encrypted private key": _pem("RSA PRIVATE KEY").map(
        lambda pem: pem.replace("-----\n", "-----\nProc-Type: 4,ENCRYPTED\n\n", 1)
    ),
    "private key in Base64": _pem("PRIVATE KEY").map(
        lambda pem: base64.b64encode(pem.encode()).decode()
    ),
    "JSON web token": _JWT,
    "Google OAuth token": _after("ya29.", _text(URL_SAFE, 20, 80)),
    "Google API key": _after("AIza", _text(URL_SAFE, 35)),
    "Google client secret": _after("GOCSPX-", _text(URL_SAFE, 28)),
    "GitHub token": _after("ghp_", _text(ALPHANUMERIC, 36)),
    "GitHub app token": _after("ghs_", _text(ALPHANUMERIC, 36)),
    "GitHub fine-grained token": _after("github_pat_", _text(ALPHANUMERIC + "_", 60)),
    "GitLab token": _after("glpat-", _text(URL_SAFE, 20)),
    "AWS access key": _after("AKIA", _text(ascii_uppercase + digits, 16)),
    "Slack token": _after("xoxb-", _text(ALPHANUMERIC + "-", 24)),
    "NVIDIA NGC key": _after("nvapi-", _text(URL_SAFE, 64)),
    "Pulumi token": _after("pul-", _text("0123456789abcdef", 40)),
    "npm token": _after("npm_", _text(ALPHANUMERIC, 36)),
}
"""None of these may be seen, wherever it stands."""

SECRET_KEYS = st.sampled_from(
    [
        "password",
        "PGPASSWORD",
        "DATABASE_PASSWORD",
        "adminPassword",
        "client_secret",
        "clientSecret",
        "AWS_SECRET_ACCESS_KEY",
        "token",
        "HF_TOKEN",
        "access-token",
        "credentials",
        "kubeconfig",
        "privateKey",
        "private_key",
        "api_key",
        "apiKey",
        "stringData",
    ]
)
"""Whatever stands under one of these may not be seen."""

ANY_SECRET = _text(ALPHANUMERIC + "!$%&*+./:=?_-" + hexdigits, 8, 40)
"""A secret of no known shape."""
