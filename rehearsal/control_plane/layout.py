"""Where a control plane keeps its files: everything below one directory, secrets for its owner."""

from dataclasses import dataclass
from pathlib import Path

from daskfleet.files import make_private_directory


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The files of one control plane."""

    directory: Path

    @property
    def pki(self) -> Path:
        """Certificates and keys."""
        return self.directory / "pki"

    @property
    def kubeconfigs(self) -> Path:
        """One kubeconfig per component, as <user>.kubeconfig."""
        return self.directory / "kubeconfigs"

    @property
    def logs(self) -> Path:
        """One log per process, as <name>.log."""
        return self.directory / "logs"

    @property
    def etcd_data(self) -> Path:
        """The database with every object of the cluster."""
        return self.directory / "etcd"

    @property
    def audit_log(self) -> Path:
        """One JSON line per request that the API server answered."""
        return self.directory / "audit.log"

    @property
    def admin_kubeconfig(self) -> Path:
        """For the rehearsal itself and for kubectl by hand."""
        return self.directory / "admin.kubeconfig"

    @property
    def tokens(self) -> Path:
        """The API server's static tokens."""
        return self.pki / "tokens.csv"

    @property
    def processes(self) -> Path:
        """Which processes run, for whoever has to stop them after a crash."""
        return self.directory / "processes.json"

    @property
    def ports(self) -> Path:
        """The ports of the last start, asked for again at the next."""
        return self.directory / "ports.json"

    @property
    def kwok_stages(self) -> Path:
        """What kwok does in place of a kubelet."""
        return self.directory / "kwok-stages.yaml"

    @property
    def exec_programs(self) -> Path:
        """Programs that `kubectl exec` starts in a pod's environment; see ``exec_programs.py``."""
        return self.directory / "exec"

    @property
    def port_forwards(self) -> Path:
        """Where kwok forwards the ports of pods to, while nothing runs in them."""
        return self.directory / "port-forwards.json"

    def log(self, process: str) -> Path:
        """Give the log of one process."""
        return self.logs / f"{process}.log"

    def create(self) -> None:
        """Make the directories, closed to other users: they hold the cluster's keys."""
        for folder in (self.directory, self.pki, self.kubeconfigs, self.logs, self.etcd_data):
            make_private_directory(folder)
