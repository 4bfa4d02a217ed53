"""The Pulumi program: the fleet of the stack that is run, as the installed daskfleet declares it."""

from daskfleet.program import declare_fleet

declare_fleet()
