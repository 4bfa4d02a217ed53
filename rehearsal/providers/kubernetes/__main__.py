"""Entry of the plugin: `python -m rehearsal.providers.kubernetes [engine address]`."""

from rehearsal.providers.kubernetes.provider import KubernetesProvider
from rehearsal.providers.protocol import main

if __name__ == "__main__":
    main(KubernetesProvider())
