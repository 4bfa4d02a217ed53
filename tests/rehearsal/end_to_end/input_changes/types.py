"""The types of the resources that the program makes."""

VPC = "gcp:compute/network:Network"
SUBNET = "gcp:compute/subnetwork:Subnetwork"
ROUTER = "gcp:compute/router:Router"
NAT = "gcp:compute/routerNat:RouterNat"
GRANT = "gcp:projects/iAMMember:IAMMember"
ACCOUNT = "gcp:serviceaccount/account:Account"
CLUSTER = "gcp:container/cluster:Cluster"
POOL = "gcp:container/nodePool:NodePool"
GOOGLE = "pulumi:providers:gcp"
KUBERNETES = "pulumi:providers:kubernetes"
NAMESPACE = "kubernetes:core/v1:Namespace"
IDENTITY = "kubernetes:core/v1:ServiceAccount"
QUOTA = "kubernetes:core/v1:ResourceQuota"
DEFAULTS = "kubernetes:core/v1:LimitRange"
POLICY = "kubernetes:networking.k8s.io/v1:NetworkPolicy"
ROLE = "kubernetes:rbac.authorization.k8s.io/v1:Role"
BINDING = "kubernetes:rbac.authorization.k8s.io/v1:RoleBinding"
ADDRESS = "kubernetes:core/v1:Service"
INSTALLER = "kubernetes:apps/v1:DaemonSet"
RELEASE = "kubernetes:helm.sh/v3:Release"
TLS_FILES = "kubernetes:core/v1:Secret"
TLS_KEY = "tls:index/privateKey:PrivateKey"
TLS_REQUEST = "tls:index/certRequest:CertRequest"
TLS_AUTHORITY = "tls:index/selfSignedCert:SelfSignedCert"
TLS_CERTIFICATE = "tls:index/locallySignedCert:LocallySignedCert"
DASK = "kubernetes:kubernetes.dask.org/v1:DaskCluster"

OTHERS_HANG_ON = {
    *(VPC, SUBNET, ROUTER, ACCOUNT, CLUSTER, KUBERNETES, GOOGLE),
    *(TLS_KEY, TLS_REQUEST, TLS_AUTHORITY, TLS_CERTIFICATE),
}
"""What is replaced together with the resources that refer to it, or were made through it."""
