"""Pure: how long a container waits before it starts again (the kubelet's CrashLoopBackOff)."""

FIRST_S = 10.0
LONGEST_S = 300.0
FORGOTTEN_AFTER_S = 2 * LONGEST_S
"""A container that has run for so long since its last restart begins anew."""


class RestartBackOff:
    """At once, then 10 s after the end, then twice as long each time, up to 5 minutes."""

    def __init__(self) -> None:
        self.delay_s = 0.0
        """How long the container waits after its end."""
        self._restarted_at = 0.0

    def still_s(self, *, ended_at: float, now: float) -> float:
        """Seconds until the container that ended may start; 0 when it may."""
        if ended_at - self._restarted_at > FORGOTTEN_AFTER_S:
            self.delay_s = 0.0
        return max(0.0, ended_at + self.delay_s - now)

    def restarted(self, *, now: float) -> None:
        """Note a restart: the next one waits longer."""
        self.delay_s = min(2 * self.delay_s, LONGEST_S) if self.delay_s else FIRST_S
        self._restarted_at = now


def go_duration(seconds: float) -> str:
    """Spell a duration as the kubelet does: `10s`, `1m20s`, `5m0s`."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}m{rest}s" if minutes else f"{rest}s"
