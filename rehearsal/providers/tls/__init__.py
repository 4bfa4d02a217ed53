"""Stand-in for the tls provider: real keys and certificates, by `cryptography`.

Serves of package `tls` what this project uses, as pulumi-tls 5.6 (terraform-provider-tls behind a
bridge) does: ECDSA keys, certificate requests, self-signed and locally signed certificates.
Everything is in the state and nowhere else; every change but `earlyRenewalHours` is a replacement,
and so is a certificate's end. What is not served is refused by name (`StateOnlyResource.check`).
"""
