"""The Pulumi program: the fleet of the stack that is run, by the installed daskfleet."""

from daskfleet.program import declare_fleet

declare_fleet()
