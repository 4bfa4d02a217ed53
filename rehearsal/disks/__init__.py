"""Persistent disks: what GKE's driver for them does with claims, as directories here."""

from rehearsal.disks.provisioner import DiskProvisioner

__all__ = ["DiskProvisioner"]
