"""The strings of a stack file that Kubernetes, Dask and registries have rules for."""

from typing import Annotated

from daskfleet.settings.rules import rule

StorageClassName = Annotated[
    str,
    rule(
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
    rule(
        rf"^[a-z]([a-z0-9-]{{0,{TEAM_NAME_MAX_LENGTH - 2}}}[a-z0-9])?$",
        f"at most {TEAM_NAME_MAX_LENGTH} lower-case letters, digits and hyphens, beginning with a "
        "letter and not ending with a hyphen (the operator appends -scheduler, and a Service's "
        "name has at most 63 characters)",
    ),
]
"""A team's name; also its namespace and its DaskCluster, hence DNS-1035."""

WorkerGroupName = Annotated[
    str,
    rule(
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
    rule(
        r"^[A-Za-z][A-Za-z0-9_.-]{0,62}$",
        "at most 63 letters, digits, underscores, dots and hyphens, beginning with a letter",
    ),
]
"""A Dask resource. ``--resources`` is parted at commas, spaces and ``=`` (distributed,
``cli/utils.py``)."""

EnvironmentName = Annotated[
    str,
    rule(
        r"^[A-Za-z_][A-Za-z0-9_]*$",
        "letters, digits and underscores, not beginning with a digit",
    ),
]
"""An environment variable that every shell can set."""

PriceSource = Annotated[
    str,
    rule(
        r"^[^\s\x00-\x1f\x7f]([^\x00-\x1f\x7f]{0,198}[^\s\x00-\x1f\x7f])?$",
        'up to 200 characters in one line that say where the price is from, such as "quote 123"',
    ),
]
"""Where a price comes from, for whoever reads the estimate."""

NamespaceName = Annotated[
    str,
    rule(
        r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$",
        "a Kubernetes namespace: at most 63 lower-case letters, digits and hyphens",
    ),
]
"""A Kubernetes namespace: a DNS-1123 label."""

DriverVersion = Annotated[
    str,
    rule(r"^\d{3}\.\d{1,3}(\.\d{1,3})?$", 'an NVIDIA driver version such as "580.126.20"'),
]
"""An NVIDIA driver version as ``cos-gpu-installer --version`` takes it."""

CalendarVersion = Annotated[
    str, rule(r"^\d{4}\.\d{1,2}\.\d+$", 'a dask-kubernetes version such as "2026.3.0"')
]
"""A version as the dask projects number theirs."""

ImageDigest = Annotated[
    str, rule(r"^sha256:[0-9a-f]{64}$", 'a digest, "sha256:" and 64 hexadecimal digits')
]
"""The digest of a container image, as ``crane digest`` prints it."""

ImageReference = Annotated[
    str,
    rule(
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
    rule(
        r"^[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]+)?(/[a-z0-9]+([._-]+[a-z0-9]+)*)*$",
        "a registry's host and what follows it, such as europe-docker.pkg.dev/acme/mirror: no "
        "https://, no slash at the end, no tag",
    ),
]
"""What an image's reference begins with (distribution/reference, ``regexp.go``), in lower case."""

SecretName = Annotated[
    str,
    rule(
        r"^[a-z0-9]([a-z0-9-]{0,54}[a-z0-9])?$",
        "the name of a Kubernetes Secret: at most 56 lower-case letters, digits and hyphens",
    ),
]
"""A Secret's name, shorter than it might be: a volume is called after it, by a DNS label."""

ClaimName = Annotated[
    str,
    rule(
        r"^[a-z0-9]([a-z0-9-]{0,55}[a-z0-9])?$",
        "the name of a PersistentVolumeClaim: at most 57 lower-case letters, digits and hyphens",
    ),
]
"""A claim's name, shorter than it might be: a volume is called after it, by a DNS label."""

MountPath = Annotated[
    str,
    rule(
        r"^(/[A-Za-z0-9_][A-Za-z0-9._-]{0,30}){1,4}$",
        "an absolute path such as /data/reference, of at most four parts with up to 31 letters, "
        "digits and . _ - each; none begins with a dot, and no slash is at the end",
    ),
]
"""A directory of a container. Kubernetes takes any path; these are ones that mean one place."""

RapidsVersion = Annotated[str, rule(r"^\d{2}\.\d{2}$", 'a RAPIDS release such as "26.10"')]
"""A RAPIDS release, for example ``26.10``."""

LabelKey = Annotated[
    str,
    rule(
        r"^[a-z][a-z0-9_-]{0,62}$",
        "at most 63 lower-case letters, digits, hyphens and underscores, beginning with a letter "
        "(legal in Google Cloud and in Kubernetes)",
    ),
]
"""A label key that is legal both on Google Cloud resources and in Kubernetes."""

LabelValue = Annotated[
    str,
    rule(
        r"^([a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?)?$",
        "at most 63 lower-case letters, digits, hyphens and underscores, beginning and ending "
        "with a letter or digit (legal in Google Cloud and in Kubernetes)",
    ),
]
"""A label value that is legal both on Google Cloud resources and in Kubernetes."""

Labels = dict[LabelKey, LabelValue]
