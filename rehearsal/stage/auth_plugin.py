"""A stand-in for gke-gcloud-auth-plugin: the kubeconfig of production works unchanged.

The real plugin exchanges Google credentials for a token. This one prints the token of the local
control plane, which it reads from a file that only its owner can read; so the token never
appears in an argument list or in an environment.
"""

import shlex
from pathlib import Path

from daskfleet.files import make_private_directory, write_private_file

NAME = "gke-gcloud-auth-plugin"

_SCRIPT = """\
#!/bin/sh
# Answers like gke-gcloud-auth-plugin, with the token of the rehearsal's control plane.
printf '{{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1",'
printf '"spec":{{}},"status":{{"token":"%s"}}}}\\n' "$(cat {token_file})"
"""


def install_auth_plugin(bin_dir: Path, token_file: Path) -> Path:
    """Write the executable into ``bin_dir``; it will read ``token_file`` whenever it is called."""
    make_private_directory(bin_dir)
    plugin = bin_dir / NAME
    write_private_file(plugin, _SCRIPT.format(token_file=shlex.quote(str(token_file))))
    plugin.chmod(0o700)
    return plugin
