"""What each pool's nodes boot from: a type of disk that their machine series takes."""

from daskfleet.catalog.machines import machines
from daskfleet.settings.pools import BOOT_DISK, Pool


def boot_disk(pool: Pool) -> str:
    """The type of disk of a pool's nodes, as GKE's ``diskType`` has it.

    Newer series take Hyperdisk alone, and GKE refuses a pool with another type. Of a machine type
    that the catalog does not know it is what all pools had before.
    """
    machine = machines().get(pool.machine_type)
    return machine.disks[0] if machine else BOOT_DISK
