"""``python -m bench.config_connector CHECKOUT``: facts of config-connector's recordings.

Google's project k8s-config-connector keeps what its controller asked and was answered
(``_http.log``; the ``_http_mock.log`` beside it is of a mock and is not read). This writes the
fields of those in ``SUBJECTS`` into ``bench/recordings/``. Who answered is told from the log: many
an ``_http.log`` has the mock's answers, too.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Literal

from bench.fidelity import RECORDINGS
from rehearsal.emulator.document import Document
from rehearsal.recordings.fields import ANY_TEXT, Fields, Leaf, fields_of, name_of
from rehearsal.recordings.model import Exchange, Recording, Source

REPOSITORY = "https://github.com/GoogleCloudPlatform/k8s-config-connector"
FOLDER = "pkg/test/resourcefixture/testdata/basic"
SUBJECTS = (
    "compute/v1beta1/computenetwork/computenetworkbasic",
    "compute/v1beta1/computerouter",
    "compute/v1beta1/computerouternat/computerouternatbasic",
    "compute/v1beta1/computesubnetwork/computesubnetwork",
    "container/v1beta1/containercluster/containercluster",
    "container/v1beta1/containercluster/containercluster-addon",
    "container/v1beta1/containercluster/containercluster-autoscaling-basic",
    "container/v1beta1/containercluster/containercluster-containerdconfigupdateignored",
    "container/v1beta1/containercluster/containercluster-dataplanev2",
    "container/v1beta1/containercluster/containercluster-dnsendpoint-ipendpoint",
    "container/v1beta1/containercluster/containercluster-intransitencryption",
    "container/v1beta1/containercluster/containercluster-kubeletconfigupdateignored",
    "container/v1beta1/containercluster/containercluster-maintenancepolicy",
    "container/v1beta1/containercluster/containercluster-minimal",
    "container/v1beta1/containercluster/containercluster-private-masteripv4cidr",
    "container/v1beta1/containercluster/containercluster-swap",
    "container/v1beta1/containercluster/containercluster-swap-dedicated-ssd",
    "container/v1beta1/containercluster/containercluster-swap-ephemeral-ssd",
    "container/v1beta1/containercluster/containercluster-swap-ephemeral-ssd-gib",
    "container/v1beta1/containercluster/containercluster-swap-gib",
    "container/v1beta1/containernodepool/containernodepool",
    "container/v1beta1/containernodepool/containernodepool-advanced-machine-features",
    "container/v1beta1/containernodepool/containernodepool-containerdconfig",
    "container/v1beta1/containernodepool/containernodepool-enableconfidentialnodes",
    "container/v1beta1/containernodepool/containernodepool-kubeletconfig",
    "container/v1beta1/containernodepool/containernodepool-queuedprovisioning",
    "container/v1beta1/containernodepool/containernodepool-subnetworkref",
    "container/v1beta1/containernodepool/containernodepool-swap",
    "container/v1beta1/containernodepool/containernodepool-swap-dedicated-ssd",
    "container/v1beta1/containernodepool/containernodepool-swap-ephemeral-ssd",
    "container/v1beta1/containernodepool/containernodepool-swap-ephemeral-ssd-gib",
    "container/v1beta1/containernodepool/containernodepool-swap-gib",
    "container/v1beta1/containernodepool/containernodepoolremovetaint",
    "iam/v1beta1/iamserviceaccount/iamserviceaccount-full",
)
"""What a fleet has, without variants of the same, and every cluster and pool that Google itself has
answered for (of commit cdb85ecf: 15). None was dropped for how it compares."""

_MOCKS_VERSION = '"currentMasterVersion": "1.30.5-gke.1014001"'
"""Of each cluster of config-connector's mock, and of none of Google's by then
(``mockgcp/mockcontainer/cluster.go`` of the same commit)."""

_HOSTS = {
    "https://cloudkms.googleapis.com/": "/cloudkms/",
    "https://container.googleapis.com/": "/container/",
    "https://compute.googleapis.com/compute/": "/compute/",
    "https://iam.googleapis.com/": "/iam/",
}
_NAMES = {
    "${projectId}": "acme",
    "${uniqueId}": "x1",
    "${networkID}": "network-x1",
    "${subnetworkID}": "subnetwork-x1",
    "${routerID}": "router-x1",
    "${addressID}": "address-x1",
}
"""In place of what the recorder has replaced: an answer can be compared with its request."""
_IDENTITIES = {
    "clusterCaCertificate",
    "etag",
    "fingerprint",
    "id",
    "labelFingerprint",
    "oauth2ClientId",
    "resourceVersion",
    "targetId",
    "uniqueId",
    "user",
}
"""Fields of which nobody can foretell the value."""
_POLL = re.compile(r"/operations/[^/?]+$")
_REQUEST = re.compile(r"(GET|POST|PUT|PATCH|DELETE) (https://\S+)\n")
_VARIES = re.compile(
    r"\$\{"  # what else the recorder has replaced
    r"|abcdef|12345|000000|abcd1234"  # its other replacements
    r"|^\d{4}-\d\d-\d\dT"  # times
    r"|^\d+\.\d+\.\d+|^gke-\d+-gke\d+-"  # versions, their images, and addresses
    r"|[-0-9a-f]{32}|-[0-9a-f]{8}$|-grp$|^\.\.\.$"  # names that Google gives
    r"|^https://www\.googleapis\.com/(?!auth/)|^https://\w+\.googleapis\.com/"  # links, not scopes
)


def recording_of(log: str, source: Source) -> Recording:
    """Return the facts of one ``_http.log``.

    Without the polls of operations, and without a GET that is answered as the same GET was before:
    both say how often somebody asked.
    """
    exchanges: list[Exchange] = []
    answered: dict[str, Fields] = {}
    links: dict[str, str] = {}
    sent: set[Leaf] = set()
    for part in _named(log).split("\n---\n"):
        found = _REQUEST.search(part)
        if found is None:
            continue
        method, url = found.groups()
        request, status, answer = _bodies(part[found.end() :])
        path, _, query = url.partition("?")
        for host, prefix in _HOSTS.items():
            path = path.replace(host, prefix)
        if _POLL.search(path):
            continue
        last = path.rpartition("/")[2]
        if last in links:
            path = path.removesuffix(last) + "{" + links[last] + "}"
        asked = None if request is None else fields_of(json.loads(request))
        sent.update(value for value in (asked or {}).values() if isinstance(value, str))
        recorded = fields_of(answer)
        links |= {
            str(value).rpartition("/")[2]: pointer
            for pointer, value in recorded.items()
            if "/instanceGroupUrls/" in pointer
        }
        fields = {
            pointer: ANY_TEXT if _varies(pointer, value, sent) else value
            for pointer, value in recorded.items()
        }
        if method == "GET" and answered.get(path) == fields:
            continue
        answered[path] = fields
        exchanges.append(
            Exchange(
                method=method,
                path=path.replace("https://", "/"),
                query=query,
                request=asked,
                status=status,
                answer=fields,
            )
        )
    return Recording(source=source, exchanges=tuple(exchanges))


def answered_by(log: str) -> Literal["google", "nobody"]:
    """Return who answered: what the mock says is nobody's word."""
    return "nobody" if _MOCKS_VERSION in log else "google"


def _bodies(text: str) -> tuple[str | None, int, Document]:
    """Return the request's body, the status and the answer's body of one exchange."""
    asked, status, answered = re.split(r"^(\d{3}) .*\n", text, maxsplit=1, flags=re.MULTILINE)
    return _body(asked), int(status), json.loads(_body(answered) or "{}")


def _body(text: str) -> str | None:
    _, _, body = text.partition("\n\n")
    return body.strip() or None


def _named(text: str) -> str:
    for placeholder, name in _NAMES.items():
        text = text.replace(placeholder, name)
    return text


def _varies(pointer: str, value: Leaf, sent: set[Leaf]) -> bool:
    if not isinstance(value, str):
        return False
    if name_of(pointer) in _IDENTITIES:
        return True
    return _VARIES.search(value) is not None and value not in sent


def main(checkout: str) -> None:
    """Write the recordings of the checkout's commit."""

    def git(*arguments: str) -> str:
        return subprocess.run(
            ["git", "-C", checkout, *arguments],  # noqa: S607 - git is what the user has
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    commit = git("rev-parse", "HEAD").strip()
    for subject in SUBJECTS:
        path = f"{FOLDER}/{subject}/_http.log"
        log = git("show", f"HEAD:{path}")
        by = answered_by(log)
        where = "Google Cloud" if by == "google" else "a mock of Google Cloud"
        source = Source(
            recorded=f"config-connector on {where}: {Path(subject).name}",
            repository=REPOSITORY,
            commit=commit,
            path=path,
            licence="Apache-2.0",
            answered_by=by,
        )
        recording = recording_of(log, source)
        file = RECORDINGS / f"{Path(subject).name}.jsonl"
        file.write_text(recording.lines(), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
