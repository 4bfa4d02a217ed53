"""The Pulumi program: the fleet of the stack that is run."""

from daskfleet.program import declare_fleet

declare_fleet()
