"""The strings of a stack file that have rules, each named after what imposes the rule."""

from typing import Annotated

from pydantic import StringConstraints

RULES: dict[str, str] = {}
"""Each pattern below in words, for errors."""


def _rule(pattern: str, words: str) -> StringConstraints:
    RULES[pattern] = words
    return StringConstraints(pattern=pattern)


ProjectId = Annotated[
    str,
    _rule(
        r"^[a-z][a-z0-9-]{4,28}[a-z0-9]$",
        "6 to 30 lower-case letters, digits and hyphens, beginning with a letter",
    ),
]
"""A Google Cloud project ID: 6 to 30 characters (cloud.google.com/resource-manager)."""

Location = Annotated[
    str,
    _rule(
        r"^[a-z]+-[a-z]+[0-9]+(-[a-z])?$",
        "a Google Cloud zone such as us-central1-c, or a region such as us-central1",
    ),
]
"""A Google Cloud zone (``us-central1-c``) or region (``us-central1``)."""

Zone = Annotated[
    str, _rule(r"^[a-z]+-[a-z]+[0-9]+-[a-z]$", "a Google Cloud zone such as us-central1-c")
]
"""A Google Cloud zone, for example ``us-central1-c``."""

POOL_NAME_MAX_LENGTH = 40
"""Characters of a GKE cluster or node pool name (container.v1 ``NodePool.name``)."""

ClusterName = Annotated[
    str,
    _rule(
        rf"^[a-z]([a-z0-9-]{{0,{POOL_NAME_MAX_LENGTH - 2}}}[a-z0-9])?$",
        f"at most {POOL_NAME_MAX_LENGTH} lower-case letters, digits and hyphens, beginning with a "
        "letter and not ending with a hyphen (GKE's rule for cluster and node pool names)",
    ),
]
"""A GKE cluster name: at most 40 characters (container.v1 ``Cluster.name``)."""

PoolName = ClusterName
"""A GKE node pool name: the same rule (container.v1 ``NodePool.name``)."""

ComputeName = Annotated[
    str,
    _rule(
        r"^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$",
        "at most 63 lower-case letters, digits and hyphens, beginning with a letter and not ending "
        "with a hyphen: the name alone, without its project and where it is",
    ),
]
"""A name in Compute Engine (compute.v1 ``Reservation.name``, ``Network.name``,
``SubnetworkSecondaryRange.rangeName``: RFC 1035)."""

NetworkName = ComputeName
"""The name of a network, a subnetwork or a secondary range."""

ReservationName = ComputeName
"""A reservation's name."""

StorageClassName = Annotated[
    str,
    _rule(
        r"^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$",
        "the name of a Kubernetes StorageClass such as standard-rwo: lower-case letters, digits, "
        "hyphens and dots",
    ),
]
"""A StorageClass's name: a DNS subdomain (kubernetes.io, "Object Names and IDs")."""

TEAM_NAME_MAX_LENGTH = 63 - len("-scheduler")
"""A team's name is its DaskCluster's name. The operator appends ``-scheduler`` for the Service,
whose name is a DNS label of at most 63 characters; it refuses longer cluster names itself, but only
after the object exists (dask-kubernetes 2026.3.0, ``constants.py``). Pod names derived from it may
be longer than a label: Kubernetes truncates them itself."""

TeamName = Annotated[
    str,
    _rule(
        rf"^[a-z]([a-z0-9-]{{0,{TEAM_NAME_MAX_LENGTH - 2}}}[a-z0-9])?$",
        f"at most {TEAM_NAME_MAX_LENGTH} lower-case letters, digits and hyphens, beginning with a "
        "letter and not ending with a hyphen (the operator appends -scheduler, and a Service's "
        "name has at most 63 characters)",
    ),
]
"""A team's name; also its namespace and its DaskCluster, hence DNS-1035."""

WorkerGroupName = Annotated[
    str,
    _rule(
        r"^[a-z]([a-z0-9-]{0,18}[a-z0-9])?$",
        "at most 20 lower-case letters, digits and hyphens, beginning with a letter and not ending "
        "with a hyphen",
    ),
]
"""A worker group's name. Its DaskWorkerGroup is called after the Dask cluster and this, and that is
a label's value, of at most 63 characters (daskfleet.planning.worker_groups)."""

PersonName = WorkerGroupName
"""A person's name in names of Kubernetes' objects: the same rule, and as short."""

ResourceName = Annotated[
    str,
    _rule(
        r"^[A-Za-z][A-Za-z0-9_.-]{0,62}$",
        "at most 63 letters, digits, underscores, dots and hyphens, beginning with a letter",
    ),
]
"""A Dask resource. ``--resources`` is parted at commas, spaces and ``=`` (distributed,
``cli/utils.py``)."""

EnvironmentName = Annotated[
    str,
    _rule(
        r"^[A-Za-z_][A-Za-z0-9_]*$",
        "letters, digits and underscores, not beginning with a digit",
    ),
]
"""An environment variable that every shell can set."""

Member = Annotated[
    str,
    _rule(
        r"^(user|group|serviceAccount):[a-z0-9][a-z0-9._+-]*@[a-z0-9-]+(\.[a-z0-9-]+)+$",
        "user:, group: or serviceAccount: and an email address in lower case, as in Google's IAM: "
        "user:alice@example.com",
    ),
]
"""Somebody with a Google identity, as IAM spells it. In lower case, because Kubernetes compares
addresses letter by letter (cloud.google.com/kubernetes-engine, "Configure RBAC")."""

UserMember = Annotated[
    str,
    _rule(
        r"^user:[a-z0-9][a-z0-9._+-]*@[a-z0-9-]+(\.[a-z0-9-]+)+$",
        "user: and an email address in lower case, as in Google's IAM: user:alice@example.com",
    ),
]
"""One person, as IAM spells them: no group, whose members are not known here."""

BUCKET_NAME_MAX_LENGTH = 222

BucketName = Annotated[
    str,
    _rule(
        rf"^[a-z0-9][a-z0-9_.-]{{1,{BUCKET_NAME_MAX_LENGTH - 2}}}[a-z0-9]$",
        f"3 to {BUCKET_NAME_MAX_LENGTH} lower-case letters, digits, hyphens, underscores and dots, "
        "beginning and ending with a letter or digit, without gs://",
    ),
]
"""A Cloud Storage bucket's name (cloud.google.com/storage/docs/buckets#naming), as far as its
characters go; ``daskfleet.planning.buckets`` knows the rest."""

SecurityGroup = Annotated[
    str,
    _rule(
        r"^gke-security-groups@[a-z0-9-]+(\.[a-z0-9-]+)+$",
        "gke-security-groups@ and the organisation's domain: GKE takes no other name",
    ),
]
"""The Google group whose member groups GKE knows
(cloud.google.com/kubernetes-engine/docs/how-to/google-groups-rbac)."""

Recurrence = Annotated[
    str,
    _rule(
        r"^FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)"
        r"(;((INTERVAL|COUNT)=[1-9][0-9]*"
        r"|UNTIL=[0-9]{8}(T[0-9]{6}Z?)?"
        r"|BYDAY=([+-]?[1-9][0-9]?)?(MO|TU|WE|TH|FR|SA|SU)"
        r"(,([+-]?[1-9][0-9]?)?(MO|TU|WE|TH|FR|SA|SU))*"
        r"|BY(MONTHDAY|YEARDAY|WEEKNO|MONTH|SETPOS)=[+-]?[1-9][0-9]{0,2}"
        r"(,[+-]?[1-9][0-9]{0,2})*"
        r"|WKST=(MO|TU|WE|TH|FR|SA|SU)))*$",
        "an RFC 5545 recurrence rule by days such as FREQ=DAILY, FREQ=WEEKLY;BYDAY=SA,SU or "
        "FREQ=MONTHLY;BYSETPOS=1;BYDAY=SA,SU",
    ),
]
"""How a maintenance window recurs: RFC 5545, section 3.3.10, without what GKE does not support,
HOURLY, MINUTELY and SECONDLY (container.v1 ``RecurringTimeWindow.recurrence``)."""

PriceSource = Annotated[
    str,
    _rule(
        r"^[^\s\x00-\x1f\x7f]([^\x00-\x1f\x7f]{0,198}[^\s\x00-\x1f\x7f])?$",
        'up to 200 characters in one line that say where the price is from, such as "quote 123"',
    ),
]
"""Where a price comes from, for whoever reads the estimate."""

NamespaceName = Annotated[
    str,
    _rule(
        r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$",
        "a Kubernetes namespace: at most 63 lower-case letters, digits and hyphens",
    ),
]
"""A Kubernetes namespace: a DNS-1123 label."""

DriverVersion = Annotated[
    str,
    _rule(r"^\d{3}\.\d{1,3}(\.\d{1,3})?$", 'an NVIDIA driver version such as "580.126.20"'),
]
"""An NVIDIA driver version as ``cos-gpu-installer --version`` takes it."""

CalendarVersion = Annotated[
    str, _rule(r"^\d{4}\.\d{1,2}\.\d+$", 'a dask-kubernetes version such as "2026.3.0"')
]
"""A version as the dask projects number theirs."""

ImageDigest = Annotated[
    str, _rule(r"^sha256:[0-9a-f]{64}$", 'a digest, "sha256:" and 64 hexadecimal digits')
]
"""The digest of a container image, as ``crane digest`` prints it."""

ImageReference = Annotated[
    str,
    _rule(
        r"^[A-Za-z0-9\[][A-Za-z0-9._:/\[\]-]*(@sha256:[0-9a-f]{64})?$",
        "an image such as registry.example/team:1 in letters, digits and . _ : / -, with or "
        "without @sha256: and 64 hexadecimal digits",
    ),
]
"""What a container names, in the characters that references have (distribution/reference,
``regexp.go``; brackets are of IPv6 addresses): parts of it stand in commands that `doctor` prints
for a shell. A digest that is cut short would be noticed by the kubelet only."""

ImagePath = Annotated[
    str,
    _rule(
        r"^[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]+)?(/[a-z0-9]+([._-]+[a-z0-9]+)*)*$",
        "a registry's host and what follows it, such as europe-docker.pkg.dev/acme/mirror: no "
        "https://, no slash at the end, no tag",
    ),
]
"""What an image's reference begins with (distribution/reference, ``regexp.go``), in lower case."""

SecretName = Annotated[
    str,
    _rule(
        r"^[a-z0-9]([a-z0-9-]{0,54}[a-z0-9])?$",
        "the name of a Kubernetes Secret: at most 56 lower-case letters, digits and hyphens",
    ),
]
"""A Secret's name, shorter than it might be: a volume is called after it, by a DNS label."""

ClaimName = Annotated[
    str,
    _rule(
        r"^[a-z0-9]([a-z0-9-]{0,55}[a-z0-9])?$",
        "the name of a PersistentVolumeClaim: at most 57 lower-case letters, digits and hyphens",
    ),
]
"""A claim's name, shorter than it might be: a volume is called after it, by a DNS label."""

MountPath = Annotated[
    str,
    _rule(
        r"^(/[A-Za-z0-9_][A-Za-z0-9._-]{0,30}){1,4}$",
        "an absolute path such as /data/reference, of at most four parts with up to 31 letters, "
        "digits and . _ - each; none begins with a dot, and no slash is at the end",
    ),
]
"""A directory of a container. Kubernetes takes any path; these are ones that mean one place."""


KmsKey = Annotated[
    str,
    _rule(
        r"^projects/[a-z][a-z0-9-]{4,28}[a-z0-9]/locations/[a-z0-9-]{1,63}"
        r"/keyRings/[A-Za-z0-9_][A-Za-z0-9_-]{0,62}/cryptoKeys/[A-Za-z0-9_][A-Za-z0-9_-]{0,62}$",
        "a key of Cloud KMS with its whole path and no version: "
        "projects/PROJECT/locations/LOCATION/keyRings/RING/cryptoKeys/KEY. No name begins with a "
        "hyphen, which commands take for an option",
    ),
]
"""A key's resource name (cloudkms.v1 ``CryptoKey.name``; ``keyRingId`` and ``cryptoKeyId`` have the
characters)."""

RapidsVersion = Annotated[str, _rule(r"^\d{2}\.\d{2}$", 'a RAPIDS release such as "26.10"')]
"""A RAPIDS release, for example ``26.10``."""

LabelKey = Annotated[
    str,
    _rule(
        r"^[a-z][a-z0-9_-]{0,62}$",
        "at most 63 lower-case letters, digits, hyphens and underscores, beginning with a letter "
        "(legal in Google Cloud and in Kubernetes)",
    ),
]
"""A label key that is legal both on Google Cloud resources and in Kubernetes."""

LabelValue = Annotated[
    str,
    _rule(
        r"^([a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?)?$",
        "at most 63 lower-case letters, digits, hyphens and underscores, beginning and ending "
        "with a letter or digit (legal in Google Cloud and in Kubernetes)",
    ),
]
"""A label value that is legal both on Google Cloud resources and in Kubernetes."""

Labels = dict[LabelKey, LabelValue]
