"""Entry of the plugin: `python -m rehearsal.providers.random [engine address]`."""

from rehearsal.providers.protocol import main
from rehearsal.providers.random.provider import RandomProvider

if __name__ == "__main__":
    main(RandomProvider())
