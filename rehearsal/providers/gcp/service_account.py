"""Service accounts."""

from collections.abc import Mapping
from typing import ClassVar, Final

from typing_extensions import override

from rehearsal.providers.gcp.resource import GoogleResource
from rehearsal.providers.gcp.rest_mapping import Document, Form, Rule, Table
from rehearsal.providers.protocol import Call, Properties, ProviderError, State

_ACCOUNT_ID: Final = "projects/{project}/serviceAccounts/{email}"
_DETAILS: Final = ("displayName", "description")


class Account(GoogleResource):
    """gcp:serviceaccount/account:Account."""

    pulumi_type = "gcp:serviceaccount/account:Account"
    sdk_module = "pulumi_gcp.serviceaccount"
    sdk_class = "AccountArgs"
    service = "iam"
    id_pattern = _ACCOUNT_ID
    autonamed = False
    table: ClassVar[Table] = {"accountId": Rule(form=Form.WRITE_ONLY)}
    imported = frozenset({"displayName", "description", "disabled"})
    computed: ClassVar[Mapping[str, str]] = {
        "email": "email",
        "member": "member",
        "name": "name",
        "uniqueId": "uniqueId",
    }

    @override
    def identify(self, inputs: Properties) -> str:
        project = self.cloud.of(inputs, "project")
        account = inputs.get("accountId")
        if not account:
            raise ProviderError("accountId is missing; give the service account a name")
        email = f"{account}@{project}.iam.gserviceaccount.com"
        return _ACCOUNT_ID.format(project=project, email=email)

    @override
    def identity(self, resource_id: str) -> Properties:
        parts = super().identity(resource_id)
        return {"project": parts["project"], "accountId": parts["email"].partition("@")[0]}

    @override
    def fetch(self, resource_id: str, call: Call) -> Document | None:
        live = super().fetch(resource_id, call)
        return live and {**live, "member": f"serviceAccount:{live['email']}"}

    @override
    def insert(self, resource_id: str, inputs: Properties, call: Call) -> None:
        details = {name: inputs[name] for name in _DETAILS if inputs.get(name) is not None}
        body = {"accountId": inputs["accountId"], "serviceAccount": details}
        self.send("POST", resource_id.rpartition("/")[0], call, body)
        if inputs.get("disabled"):
            self.send("POST", f"{resource_id}:disable", call, {})

    @override
    def apply(self, old: State, inputs: Properties, changed: set[str], call: Call) -> None:
        if details := changed.intersection(_DETAILS):
            account = {name: inputs.get(name, "") for name in sorted(details)}
            body = {"serviceAccount": account, "updateMask": ",".join(account)}
            self.send("PATCH", old.id, call, body)
        if "disabled" in changed:
            verb = "disable" if inputs.get("disabled") else "enable"
            self.send("POST", f"{old.id}:{verb}", call, {})

    @override
    def remove(self, old: State, call: Call) -> None:
        self.send("DELETE", old.id, call)
