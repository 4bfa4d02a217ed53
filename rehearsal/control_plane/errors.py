"""What can go wrong with a local control plane."""


class ControlPlaneError(RuntimeError):
    """The control plane cannot be used; the message has the last words of what failed."""


class PortTakenError(ControlPlaneError):
    """Another program took a port between its choice and its use; a new choice helps."""


class StartRaceError(ControlPlaneError):
    """A program lost a race of its own at its start; a new start helps."""
