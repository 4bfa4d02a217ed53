"""The kubeconfig of whoever runs a command, as kubectl finds it, cut to the current context.

Not kr8s' own reading (0.20): it takes the current context from the first file alone, and fails
without a word where that has none.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from daskfleet.access.errors import AccessError
from daskfleet.access.kubeconfig import Kubeconfig

FETCH = (
    "`gcloud container clusters get-credentials CLUSTER --project PROJECT --location LOCATION` "
    "writes one. Your platform engineers know the whole line: it is the stack's output `cluster`"
)
FILES = {
    "cluster": ("certificate-authority",),
    "user": ("client-certificate", "client-key"),
}
"""Paths in a kubeconfig, which are meant from its own folder."""

NOT_TAKEN = ("as", "as-groups", "as-uid", "as-user-extra", "tokenFile")
"""What kr8s passes over: a command would act as somebody else than ``kubectl``."""


def own_kubeconfig(environment: Mapping[str, str] = os.environ) -> Kubeconfig:
    """Return cluster, user and context that ``kubectl`` would use here.

    Raises:
        AccessError: there is no kubeconfig, it names no cluster, or it logs in in a way that is
            not known here.

    """
    files = _files(environment)
    documents = [_document(file) for file in files if _is_there(file)]
    places = os.pathsep.join(map(str, files))
    if not documents:
        raise AccessError(f"There is no kubeconfig at {places}: {FETCH}.")
    current = next((each for one in documents if (each := one.get("current-context"))), None)
    if current is None:
        raise AccessError(
            f"The kubeconfig at {places} has no current context: choose one with `kubectl config "
            f"use-context NAME`, or fetch one: {FETCH}."
        )
    context = _named(documents, "context", current, places=places)
    cluster = _named(documents, "cluster", context.get("cluster"), places=places)
    user = _named(documents, "user", context.get("user"), places=places)
    if not isinstance(cluster.get("server"), str):
        raise AccessError(f"The kubeconfig at {places} does not say where its cluster is: {FETCH}.")
    if unknown := [key for key in NOT_TAKEN if key in user]:
        raise AccessError(
            f"The kubeconfig at {places} logs in with `{unknown[0]}`, which this command cannot "
            f"use: take a kubeconfig without it. {FETCH}."
        )
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": context["cluster"], "cluster": cluster}],
        "users": [{"name": context["user"], "user": user}],
        "contexts": [{"name": current, "context": context}],
        "current-context": current,
    }


def _files(environment: Mapping[str, str]) -> list[Path]:
    named = [part for part in environment.get("KUBECONFIG", "").split(os.pathsep) if part]
    home = Path(environment.get("HOME") or "~")
    return [Path(part) for part in named] or [home.expanduser() / ".kube" / "config"]


def _is_there(file: Path) -> bool:
    try:
        return file.is_file()
    except OSError:
        return True  # reading it says what is wrong


def _document(file: Path) -> dict[str, Any]:
    try:
        document = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise AccessError(f"The kubeconfig {file} cannot be read: {reason}. Correct it.") from error
    if not isinstance(document, dict):
        return {}
    for kind, keys in FILES.items():
        for _, inner in _entries(document, kind):
            inner.update(
                {
                    key: str(file.parent / inner[key])
                    for key in keys
                    if isinstance(inner.get(key), str)
                }
            )
    return document


def _entries(document: Mapping[str, Any], kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each named cluster, user or context; what is none is passed over, as by kubectl."""
    listed = document.get(f"{kind}s")
    for each in listed if isinstance(listed, list) else ():
        if isinstance(each, dict) and isinstance(each.get(kind), dict):
            yield str(each.get("name")), each[kind]


def _named(
    documents: list[dict[str, Any]], kind: str, name: str | None, *, places: str
) -> dict[str, Any]:
    """Return what a name stands for; the first file that has it counts."""
    for document in documents:
        for called, inner in _entries(document, kind):
            if called == name:
                return inner
    raise AccessError(
        f"The kubeconfig at {places} has no {kind} {name!r}, which its current context needs. "
        f"Choose another with `kubectl config use-context NAME`, or fetch one: {FETCH}."
    )
