"""Members of a project's IAM policy."""

from typing_extensions import override

from rehearsal.providers.gcp.policy_member import PolicyMember
from rehearsal.providers.gcp.rest_mapping import Document
from rehearsal.providers.protocol import Call, Properties


class IamMember(PolicyMember):
    """gcp:projects/iAMMember:IAMMember."""

    pulumi_type = "gcp:projects/iAMMember:IAMMember"
    sdk_module = "pulumi_gcp.projects"
    service = "resource_manager"

    @override
    def owner(self, inputs: Properties) -> str:
        return str(inputs["project"])

    @override
    def owned_by(self, owner: str) -> Properties:
        return {} if "/" in owner else {"project": owner}

    @override
    def policy(self, parts: Properties, call: Call) -> Document:
        options = {"options": {"requestedPolicyVersion": 3}}
        return self.send("POST", f"projects/{parts['project']}:getIamPolicy", call, options)

    @override
    def set_policy(self, parts: Properties, policy: Document, call: Call) -> None:
        body = {"policy": policy, "updateMask": "bindings,etag,auditConfigs"}
        self.send("POST", f"projects/{parts['project']}:setIamPolicy", call, body)
