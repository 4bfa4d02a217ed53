"""The floor: a bare Pulumi program with as many resources as the fleet."""
