"""The provider's kubeconfig: which cluster it points at, and how to authenticate there."""

import base64
import copy
import ssl
from collections.abc import Generator
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from shutil import which
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import httpx
import yaml
from kubernetes.client import Configuration
from kubernetes.config import ConfigException, load_kube_config_from_dict

from rehearsal.providers.kubernetes.manifest import lookup
from rehearsal.providers.protocol import ProviderError

KubeconfigDocument: TypeAlias = dict[str, Any]
"""A kubeconfig (`kind: Config`) as a document."""


@dataclass(frozen=True, kw_only=True)
class Kubeconfig:
    """A parsed kubeconfig with the provider's `context` and `cluster` arguments applied."""

    document: KubeconfigDocument = field(repr=False)
    context_name: str

    @property
    def active_cluster(self) -> KubeconfigDocument | None:
        """The cluster entry (server, CA) in use, None when the names lead nowhere."""
        context = _named(self.document, "contexts", self.context_name, "context")
        entry = _named(self.document, "clusters", lookup(context, "cluster"), "cluster")
        return entry if isinstance(entry, dict) else None

    @property
    def active_user(self) -> KubeconfigDocument:
        """The user entry in use, empty when the context names none."""
        context = _named(self.document, "contexts", self.context_name, "context")
        entry = _named(self.document, "users", lookup(context, "user"), "user")
        return entry if isinstance(entry, dict) else {}


def parse_kubeconfig(
    text: str, *, context: str | None = None, cluster: str | None = None
) -> Kubeconfig:
    """Parse a kubeconfig given as text or as the path of a file.

    Raises:
        ProviderError: not YAML, not a kubeconfig, or no context to use.

    """
    document = copy.deepcopy(_load(text))
    name = context or document.get("current-context")
    entry = _named(document, "contexts", name, "context")
    if not isinstance(name, str) or entry is None:
        known = [item.get("name") for item in document.get("contexts") or []]
        raise ProviderError(
            f"kubeconfig: context {name!r} does not exist; it has {known}. "
            "Set the provider's `context` or the kubeconfig's `current-context`."
        )
    if cluster is not None:
        entry["cluster"] = cluster
    return Kubeconfig(document=document, context_name=name)


def http_client(kubeconfig: Kubeconfig, *, timeout_s: float) -> httpx.Client:
    """A client of the active cluster's API server, credentials included.

    Raises:
        ProviderError: the cluster entry is missing, is not on this machine, or the user's
            credentials cannot be had.

    """
    cluster = kubeconfig.active_cluster
    server = lookup(cluster, "server")
    if not isinstance(server, str):
        raise ProviderError(
            f"kubeconfig: context {kubeconfig.context_name!r} leads to no cluster with a server"
        )
    _refuse_other_machines(server)
    configuration = Configuration()
    try:
        load_kube_config_from_dict(
            _without_authorities(kubeconfig.document),
            context=kubeconfig.context_name,
            client_configuration=configuration,
            persist_config=False,
        )
    except ConfigException as error:
        raise ProviderError(f"kubeconfig: {error}") from error
    _require_credentials(kubeconfig.active_user, configuration)
    return httpx.Client(
        base_url=configuration.host,
        verify=_tls(configuration, authority=lookup(cluster, "certificate-authority-data")),
        auth=_Token(configuration),
        timeout=timeout_s,
        trust_env=False,
    )


class _Token(httpx.Auth):
    """Bearer token of a kubeconfig user; an exec plugin runs again when its token expires."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        token = self._configuration.get_api_key_with_prefix("BearerToken")
        if token:
            request.headers["Authorization"] = token
        yield request


def _refuse_other_machines(server: str) -> None:
    """A stand-in must never change a real cluster, whatever a kubeconfig says."""
    host = urlsplit(server).hostname or ""
    try:
        local = ip_address(host).is_loopback
    except ValueError:
        local = host == "localhost"
    if not local:
        raise ProviderError(
            f"kubeconfig: server {server} is not on this machine. The kubernetes stand-in serves "
            "rehearsals only; use the real plugin (`pulumi plugin install resource kubernetes`)."
        )


def _require_credentials(user: KubeconfigDocument, configuration: Configuration) -> None:
    """An exec plugin that fails is only logged by the client library; say it here."""
    command = lookup(user, "exec", "command")
    if command is None or configuration.api_key or configuration.cert_file:
        return
    reason = "gave no credentials" if which(str(command)) else "is not on PATH"
    raise ProviderError(
        f"kubeconfig: the credential plugin {command!r} {reason}; run it by hand to see why"
    )


def _without_authorities(document: KubeconfigDocument) -> KubeconfigDocument:
    """The client library would write them to files, which stay when the engine kills a plugin."""
    document = copy.deepcopy(document)
    for item in document.get("clusters") or []:
        (item.get("cluster") or {}).pop("certificate-authority-data", None)
    return document


def _tls(configuration: Configuration, *, authority: str | None) -> ssl.SSLContext | bool:
    if not configuration.host.startswith("https://"):
        return False
    try:
        pem = base64.b64decode(authority).decode("ascii") if authority else None
        context = ssl.create_default_context(cafile=configuration.ssl_ca_cert, cadata=pem)
    except (ValueError, ssl.SSLError) as error:
        raise ProviderError(f"kubeconfig: certificate-authority-data: {error}") from error
    if not configuration.verify_ssl:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if configuration.cert_file:
        context.load_cert_chain(configuration.cert_file, configuration.key_file)
    return context


def _load(text: str) -> KubeconfigDocument:
    if "\n" not in text and not text.lstrip().startswith("{"):
        path = Path(text).expanduser()
        if not path.is_file():
            raise ProviderError(
                "kubeconfig: is neither a kubeconfig's text nor the path of an existing file"
            )
        text = path.read_text()
    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        # The error quotes the text around the fault, which may hold a token.
        raise ProviderError("kubeconfig: is not YAML") from error.with_traceback(None)
    if not isinstance(document, dict) or "clusters" not in document:
        raise ProviderError("kubeconfig: has no `clusters`; is this a kubeconfig?")
    return document


def _named(document: KubeconfigDocument, section: str, name: Any, key: str) -> Any:
    for item in document.get(section) or []:
        if item.get("name") == name:
            return item.get(key)
    return None
