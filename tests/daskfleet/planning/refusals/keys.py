"""Keys that Google would not encrypt with."""

from tests.daskfleet.planning.documents import Refusal, minimal

IN_EUROPE = "projects/acme-keys/locations/europe-west4/keyRings/fleet/cryptoKeys/disks"
EVERYWHERE = "projects/acme-keys/locations/global/keyRings/fleet/cryptoKeys/secrets"
A_VERSION = f"{IN_EUROPE}/cryptoKeyVersions/1"

REFUSALS: dict[str, Refusal] = {
    "a key of disks in another region": (
        minimal(keys={"nodes": IN_EUROPE}),
        "keys.nodes",
        IN_EUROPE,
        "a key in us-central1",
        "make a key ring in us-central1",
    ),
    "a key of Secrets that is nowhere in particular": (
        minimal(keys={"secrets": EVERYWHERE}),
        "keys.secrets",
        EVERYWHERE,
        "a key in us-central1",
        "make a key ring in us-central1",
    ),
    "a version in place of a key": (
        minimal(keys={"nodes": A_VERSION}),
        "keys.nodes",
        A_VERSION,
        "projects/PROJECT/locations/LOCATION/keyRings/RING/cryptoKeys/KEY",
        "",
    ),
}
