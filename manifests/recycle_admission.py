"""Pure: which pods the idle controller deletes, where it recycles: schedulers, and no others.

RBAC lets it delete any pod of such a team's namespace: a role knows no labels.
"""

from typing import Any

from daskfleet.contract.dask import COMPONENT_LABEL, PART_OF, PART_OF_LABEL

RECYCLE_POLICY = "daskfleet-recycle"


def recycle_policy(*, namespace: str, account: str) -> dict[str, Any]:
    """Return the ``spec`` of a ValidatingAdmissionPolicy for one service account."""
    return {
        "failurePolicy": "Fail",
        "matchConstraints": {
            "namespaceSelector": {"matchLabels": {PART_OF_LABEL: PART_OF}},
            "resourceRules": [
                {
                    "apiGroups": [""],
                    "apiVersions": ["*"],
                    "operations": ["DELETE"],
                    "resources": ["pods"],
                }
            ],
        },
        "matchConditions": [
            {
                "name": "is-the-idle-controller",
                "expression": "request.userInfo.username == "
                f"'system:serviceaccount:{namespace}:{account}'",
            }
        ],
        "validations": [
            {
                "expression": "oldObject.metadata.?labels[?"
                f"'{COMPONENT_LABEL}'].orValue('') == 'scheduler'",
                "message": "The idle controller may delete pods of schedulers and no others. Dask "
                "retires workers, which start again in their place.",
            }
        ],
    }
