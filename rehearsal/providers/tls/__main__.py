"""Entry of the plugin: `python -m rehearsal.providers.tls [engine address]`."""

from rehearsal.providers.protocol import main
from rehearsal.providers.tls.provider import TlsProvider

if __name__ == "__main__":
    main(TlsProvider())
