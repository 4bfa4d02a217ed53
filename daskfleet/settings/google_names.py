"""The strings of a stack file that Google Cloud has rules for, each named as Google does."""

from typing import Annotated

from daskfleet.settings.rules import rule

ProjectId = Annotated[
    str,
    rule(
        r"^[a-z][a-z0-9-]{4,28}[a-z0-9]$",
        "6 to 30 lower-case letters, digits and hyphens, beginning with a letter",
    ),
]
"""A Google Cloud project ID: 6 to 30 characters (cloud.google.com/resource-manager)."""

Location = Annotated[
    str,
    rule(
        r"^[a-z]+-[a-z]+[0-9]+(-[a-z])?$",
        "a Google Cloud zone such as us-central1-c, or a region such as us-central1",
    ),
]
"""A Google Cloud zone (``us-central1-c``) or region (``us-central1``)."""

Zone = Annotated[
    str, rule(r"^[a-z]+-[a-z]+[0-9]+-[a-z]$", "a Google Cloud zone such as us-central1-c")
]
"""A Google Cloud zone, for example ``us-central1-c``."""

POOL_NAME_MAX_LENGTH = 40
"""Characters of a GKE cluster or node pool name (container.v1 ``NodePool.name``)."""

ClusterName = Annotated[
    str,
    rule(
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
    rule(
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

Member = Annotated[
    str,
    rule(
        r"^(user|group|serviceAccount):[a-z0-9][a-z0-9._+-]*@[a-z0-9-]+(\.[a-z0-9-]+)+$",
        "user:, group: or serviceAccount: and an email address in lower case, as in Google's IAM: "
        "user:alice@example.com",
    ),
]
"""Somebody with a Google identity, as IAM spells it. In lower case, because Kubernetes compares
addresses letter by letter (cloud.google.com/kubernetes-engine, "Configure RBAC")."""

UserMember = Annotated[
    str,
    rule(
        r"^user:[a-z0-9][a-z0-9._+-]*@[a-z0-9-]+(\.[a-z0-9-]+)+$",
        "user: and an email address in lower case, as in Google's IAM: user:alice@example.com",
    ),
]
"""One person, as IAM spells them: no group, whose members are not known here."""

BUCKET_NAME_MAX_LENGTH = 222

BucketName = Annotated[
    str,
    rule(
        rf"^[a-z0-9][a-z0-9_.-]{{1,{BUCKET_NAME_MAX_LENGTH - 2}}}[a-z0-9]$",
        f"3 to {BUCKET_NAME_MAX_LENGTH} lower-case letters, digits, hyphens, underscores and dots, "
        "beginning and ending with a letter or digit, without gs://",
    ),
]
"""A Cloud Storage bucket's name (cloud.google.com/storage/docs/buckets#naming), as far as its
characters go; ``daskfleet.planning.buckets`` knows the rest."""

SecurityGroup = Annotated[
    str,
    rule(
        r"^gke-security-groups@[a-z0-9-]+(\.[a-z0-9-]+)+$",
        "gke-security-groups@ and the organisation's domain: GKE takes no other name",
    ),
]
"""The Google group whose member groups GKE knows
(cloud.google.com/kubernetes-engine/docs/how-to/google-groups-rbac)."""

Recurrence = Annotated[
    str,
    rule(
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

KmsKey = Annotated[
    str,
    rule(
        r"^projects/[a-z][a-z0-9-]{4,28}[a-z0-9]/locations/[a-z0-9-]{1,63}"
        r"/keyRings/[A-Za-z0-9_][A-Za-z0-9_-]{0,62}/cryptoKeys/[A-Za-z0-9_][A-Za-z0-9_-]{0,62}$",
        "a key of Cloud KMS with its whole path and no version: "
        "projects/PROJECT/locations/LOCATION/keyRings/RING/cryptoKeys/KEY. No name begins with a "
        "hyphen, which commands take for an option",
    ),
]
"""A key's resource name (cloudkms.v1 ``CryptoKey.name``; ``keyRingId`` and ``cryptoKeyId`` have the
characters)."""
