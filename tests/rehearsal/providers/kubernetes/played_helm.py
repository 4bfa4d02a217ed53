"""A Helm of a few lines of shell, which keeps one release in a directory."""

import json
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from rehearsal.providers.kubernetes.connection import Connection
from rehearsal.providers.kubernetes.settings import ProviderSettings
from tests.rehearsal.providers.kubernetes.played_api import PlayedApi

SCRIPT = """\
#!/bin/sh
cd {directory}
echo "$@" >> calls
for argument; do case "$argument" in --values=*) cp "${{argument#--values=}}" given ;; esac; done
stat -c %a "$KUBECONFIG" > mode; cp "$KUBECONFIG" kubeconfig; env > environment
case "$1 $2" in
  "get metadata") [ -e release ] || {{ echo 'Error: release: not found' >&2; exit 1; }}
    cat release; exit ;;
  "get values") cat values; exit ;;
  "get manifest") cat manifest; exit ;;
  "show chart") [ -e chart ] || {{ echo 'Error: no such chart' >&2; exit 1; }}
    cat chart; exit ;;
  install*|upgrade*) [ -e next ] && mv next release ;;
  uninstall*) rm -f release ;;
esac
[ -e hang ] && exec sleep 600
[ ! -e fails ] || {{ cat fails >&2; exit 1; }}
echo done
"""
METADATA = {
    "appVersion": "9",
    "chart": "paint",
    "name": "paint",
    "namespace": "n",
    "revision": 1,
    "status": "deployed",
    "version": "1.0.0",
}
MANIFEST = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: paint-settings, namespace: n}
"""


@dataclass
class PlayedHelm:
    """What it is told to do, and what it was asked."""

    directory: Path

    @property
    def executable(self) -> Path:
        """The script."""
        return self.directory / "helm"

    def write(self) -> None:
        """Write the script, and an empty release's values and manifest."""
        self.executable.write_text(SCRIPT.format(directory=self.directory))
        self.executable.chmod(0o755)
        self.tell(values={})
        (self.directory / "manifest").write_text(MANIFEST)

    def tell(self, **documents: Any) -> None:
        """Write documents: `release` is there, `next` will be once something is installed."""
        for name, document in documents.items():
            text = document if isinstance(document, str) else json.dumps(document)
            (self.directory / name).write_text(text)

    def read(self, name: str) -> str:
        """What it has written."""
        return (self.directory / name).read_text()

    @property
    def calls(self) -> list[str]:
        """Each call's first words, `get` left out."""
        lines = self.read("calls").splitlines()
        return [line.split(" --")[0] for line in lines if not line.startswith("get ")]


def connection(**settings: Any) -> Connection:
    """A connection with a kubeconfig for it."""
    document = {"apiVersion": "v1", "kind": "Config", "current-context": "other"}
    kubeconfig: Any = SimpleNamespace(document=document, context_name="mine")
    api: Any = PlayedApi()
    return Connection(
        settings=ProviderSettings(kubeconfig="", **settings), kubeconfig=kubeconfig, reachable=api
    )
