"""Entry of the plugin: `python -m rehearsal.providers.gcp [engine address]`."""

from rehearsal.providers.gcp.provider import GcpProvider
from rehearsal.providers.protocol import main

if __name__ == "__main__":
    main(GcpProvider())
