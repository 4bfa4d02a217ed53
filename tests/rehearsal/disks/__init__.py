"""Tests of rehearsal.disks."""
