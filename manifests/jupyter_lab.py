"""Pure: the JupyterLabs of a team, and what the objects of each are called."""

import hashlib
from dataclasses import dataclass

from daskfleet.contract.dask import KUBERNETES_COMPONENT_LABEL, PART_OF, PART_OF_LABEL
from daskfleet.contract.jupyter import JUPYTER, OF_A_PERSON
from daskfleet.settings.jupyter import Person
from daskfleet.settings.team import Team

INSTANCE_LABEL = "app.kubernetes.io/instance"
MEMBER_NOTE = "jupyter.daskfleet/member"


@dataclass(frozen=True, kw_only=True)
class Lab:
    """One JupyterLab: the team's, or a person's."""

    team: Team
    person: Person | None = None

    @property
    def prefix(self) -> str:
        """Begins the names of its resources. No team's name has a dot, so no two are equal."""
        return f"{self.team.name}.{self.person.name}" if self.person else self.team.name

    @property
    def name(self) -> str:
        """Of Deployment and Service, and the beginning of all other names in the namespace."""
        return f"{JUPYTER}-{self.person.name}" if self.person else JUPYTER

    @property
    def home_claim(self) -> str:
        """Claim of the home's disk."""
        return f"{self.name}-home"

    @property
    def token_secret(self) -> str:
        """Secret with the token that it asks for."""
        return f"{self.name}-token"

    @property
    def token_role(self) -> str:
        """Role of those who may read the token."""
        return f"{self.name}-token-reader"

    @property
    def token_readers(self) -> tuple[str, ...]:
        """Who may read the token, as IAM spells them."""
        return (self.person.member,) if self.person else self.team.members

    @property
    def token_kept_for(self) -> dict[str, str] | None:
        """With whom a token ends: a person's holds for no one who takes over the name.

        Members of the team who leave lose the port-forward, too, without which none is of use.
        """
        return {"member": self.person.member} if self.person else None

    @property
    def pod_annotations(self) -> dict[str, str]:
        """Another person is another pod: a server knows the token with which it started."""
        if self.person is None:
            return {}
        return {MEMBER_NOTE: hashlib.sha256(self.person.member.encode()).hexdigest()[:8]}

    @property
    def selector(self) -> dict[str, str]:
        """Labels by which its pod is found."""
        if self.person is None:
            return {PART_OF_LABEL: PART_OF, KUBERNETES_COMPONENT_LABEL: JUPYTER}
        return {
            PART_OF_LABEL: PART_OF,
            KUBERNETES_COMPONENT_LABEL: OF_A_PERSON,
            INSTANCE_LABEL: self.person.name,
        }

    @property
    def labels(self) -> dict[str, str]:
        """Labels of the pod and of what makes it."""
        return {**self.team.labels, **self.selector}


def labs_of(team: Team) -> tuple[Lab, ...]:
    """The team's, and one for each person that its entry names; none for a team without."""
    if team.jupyter is None:
        return ()
    return (Lab(team=team), *(Lab(team=team, person=each) for each in team.jupyter.people))
