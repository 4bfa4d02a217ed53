"""Which Cloud Storage buckets the pods of one team may use."""

from collections.abc import Sequence

import pulumi
import pulumi_gcp as gcp
from pulumi import ResourceOptions

from daskfleet.contract.dask import SERVICE_ACCOUNT
from daskfleet.planning.buckets import ROLES, principal
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team


class TeamBuckets(pulumi.ComponentResource):
    """Grants of a team's scheduler and workers on buckets.

    Owns one member of one role in the policy of each bucket; owns no bucket, and nothing that
    others wrote into the policies. There is no Google service account and no key: Workload
    Identity makes the team's Kubernetes service account an identity of its own.
    """

    TYPE = "daskfleet:gke:TeamBuckets"

    def __init__(
        self,
        name: str,
        *,
        team: Team,
        stack: Stack,
        needs: Sequence[pulumi.Resource],
        opts: ResourceOptions | None = None,
    ) -> None:
        """Declare the grants.

        Args:
            name: the team's name.
            team: whose pods, and which buckets.
            stack: the fleet, whose project Google names the pods by.
            needs: what must be there first. IAM refuses an identity of a pool that no cluster of
                the project has made yet.
            opts: where the Google provider comes from.
        """
        super().__init__(self.TYPE, name, None, opts)
        member = principal(stack, namespace=team.name, service_account=SERVICE_ACCOUNT)
        for bucket in team.buckets:
            gcp.storage.BucketIAMMember(
                f"{name}-bucket-{bucket.name}",
                bucket=bucket.name,
                role=ROLES[bucket.access],
                member=member,
                opts=ResourceOptions(parent=self, depends_on=needs),
            )
        self.register_outputs({"principal": member})
