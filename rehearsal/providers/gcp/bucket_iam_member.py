"""Members of a Cloud Storage bucket's IAM policy."""

from typing_extensions import override

from rehearsal.providers.gcp.policy_member import PolicyMember
from rehearsal.providers.gcp.rest_mapping import Document
from rehearsal.providers.protocol import Call, Properties

PREFIX = "b/"
"""Begins the id, and may begin the input (``StorageBucketIamUpdater`` of the real provider)."""


class BucketIamMember(PolicyMember):
    """gcp:storage/bucketIAMMember:BucketIAMMember."""

    pulumi_type = "gcp:storage/bucketIAMMember:BucketIAMMember"
    sdk_module = "pulumi_gcp.storage"
    sdk_class = "BucketIAMMemberArgs"
    service = "storage"

    @override
    def owner(self, inputs: Properties) -> str:
        return PREFIX + str(inputs["bucket"]).removeprefix(PREFIX)

    @override
    def owned_by(self, owner: str) -> Properties:
        prefix, slash, bucket = owner.partition("/")
        is_one = prefix + slash == PREFIX and bucket and "/" not in bucket
        return {"bucket": bucket} if is_one else {}

    @override
    def policy(self, parts: Properties, call: Call) -> Document:
        path = f"{self.owner(parts)}/iam?optionsRequestedPolicyVersion=3"
        return self.send("GET", path, call)

    @override
    def set_policy(self, parts: Properties, policy: Document, call: Call) -> None:
        self.send("PUT", f"{self.owner(parts)}/iam", call, policy)
