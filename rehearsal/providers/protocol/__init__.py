"""The Pulumi resource-provider protocol for the rehearsal's stand-in providers.

A stand-in is a `Provider` (name, version, configuration, type tokens) that hands out one
`ResourceType` per token, and a module that ends in `main(provider)`. Everything else is here:

- `values`: properties as Python values, with `UNKNOWN` and `Secret`; `reveal` before calling an
  API; the servicer re-marks echoed secret inputs by itself (`conceal`).
- `diff`: `changed_paths(old, new)` gives leaf changes, `covered_by(patterns)` and
  `with_replacements` turn a provider's replace table into a detailed `Diff`.
- `provider`: the two abstract classes and the small values they exchange (`State`, `Checked`,
  `CheckFailure`, `Naming`).
- `call`: `Call.until` polls with the resource's time-out and ends at once on Cancel;
  `Call.report` shows progress.
- `state_only`: resources and packages that reach for nothing outside of the state.
- `errors`: what to raise; `ResourceIncompleteError` keeps a half-made resource in the state.
- `servicer`, `serve`, `engine_log`: the gRPC side.
"""

from rehearsal.providers.protocol.call import Call
from rehearsal.providers.protocol.diff import (
    Change,
    Diff,
    Path,
    changed_paths,
    covered_by,
    format_path,
    with_replacements,
)
from rehearsal.providers.protocol.errors import (
    OperationCancelledError,
    OperationTimedOutError,
    ProviderError,
    ResourceIncompleteError,
)
from rehearsal.providers.protocol.provider import (
    Checked,
    CheckFailure,
    Naming,
    Provider,
    ResourceType,
    State,
)
from rehearsal.providers.protocol.serve import main, start_server
from rehearsal.providers.protocol.state_only import StateOnlyProvider, StateOnlyResource
from rehearsal.providers.protocol.values import (
    UNKNOWN,
    Properties,
    Secret,
    contains_unknown,
    reveal,
)

__all__ = [
    "UNKNOWN",
    "Call",
    "Change",
    "CheckFailure",
    "Checked",
    "Diff",
    "Naming",
    "OperationCancelledError",
    "OperationTimedOutError",
    "Path",
    "Properties",
    "Provider",
    "ProviderError",
    "ResourceIncompleteError",
    "ResourceType",
    "Secret",
    "State",
    "StateOnlyProvider",
    "StateOnlyResource",
    "changed_paths",
    "contains_unknown",
    "covered_by",
    "format_path",
    "main",
    "reveal",
    "start_server",
    "with_replacements",
]
