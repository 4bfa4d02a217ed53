"""Unit: which directory of this machine a volume is."""

from pathlib import Path

from rehearsal.disks.shares import directory_of

SHARES = Path("/shares")


def nfs(server: str, path: str) -> dict[str, object]:
    return {"spec": {"nfs": {"server": server, "path": path}}}


def test_volumes_of_one_share_are_one_directory_and_others_are_not() -> None:
    here = directory_of(nfs("10.9.0.2", "/datasets"), shares=SHARES)

    assert here is not None
    assert here.parent == SHARES
    assert here == directory_of(nfs("10.9.0.2", "/datasets"), shares=SHARES)
    assert here != directory_of(nfs("10.9.0.2", "/datasets/.."), shares=SHARES)
    assert here != directory_of(nfs("10.9.0.3", "/datasets"), shares=SHARES)


def test_a_disk_is_where_it_says_and_a_driver_is_not_played() -> None:
    disk = {"spec": {"hostPath": {"path": "/disks/one"}}}
    driver = {"spec": {"csi": {"driver": "filestore.csi.storage.gke.io", "volumeHandle": "x"}}}

    assert directory_of(disk, shares=SHARES) == Path("/disks/one")
    assert directory_of(driver, shares=SHARES) is None
