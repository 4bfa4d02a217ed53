"""What a resource type asks of its service, and how its ids are made."""

import re
from typing import ClassVar

from rehearsal.providers.gcp.cloud import Cloud
from rehearsal.providers.gcp.operations import run_operation
from rehearsal.providers.gcp.resource_id import parse_id
from rehearsal.providers.gcp.rest_mapping import Document
from rehearsal.providers.protocol import Call, Properties


class GoogleCalls:
    """The calls of one type; where nothing else is said, its id is the path of its REST API."""

    service: ClassVar[str]
    id_pattern: ClassVar[str]
    """Parts in braces are inputs, or places that the provider's configuration may name."""
    default_timeout_s: ClassVar[float] = 20 * 60

    def __init__(self, cloud: Cloud) -> None:
        self.cloud = cloud
        self.api = cloud.api

    def identify(self, inputs: Properties) -> str:
        """Build the provider's id from inputs."""
        parts = re.findall(r"{(\w+)}", self.id_pattern)
        places = {name: self.cloud.of(inputs, name) for name in self.cloud.places if name in parts}
        return self.id_pattern.format(**{**inputs, **places})

    def identity(self, resource_id: str) -> Properties:
        """Read the inputs that an id holds; ProviderError when it is not of the right form."""
        return dict(parse_id(self.id_pattern, resource_id))

    def fetch(self, resource_id: str, call: Call) -> Document | None:
        """Read the live resource, None when it is gone."""
        return self.api.get(self.service, resource_id, call=call)

    def send(self, method: str, path: str, call: Call, body: Document | None = None) -> Document:
        """Send a request that is answered at once."""
        timeout_s = self.default_timeout_s
        return self.api.send(
            method, self.service, path, body=body, call=call, default_timeout_s=timeout_s
        )

    def run(
        self, method: str, path: str, call: Call, doing: str, body: Document | None = None
    ) -> None:
        """Send a request and wait for the operation that it starts."""
        run_operation(
            self.api,
            self.service,
            method,
            path,
            doing=doing,
            call=call,
            body=body,
            default_timeout_s=self.default_timeout_s,
        )
