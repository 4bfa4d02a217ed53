"""The gcp stand-in: the Google resource types that the program uses, as REST calls on the emulator.

Inputs are checked against the installed `pulumi_gcp` SDK; replacement rules, names that differ
between Pulumi and Google's REST, and in-place updates are tables beside each resource type.
Whatever has no row in a table is refused by name, never silently accepted.
"""
