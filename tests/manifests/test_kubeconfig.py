"""Unit: the kubeconfig is a structure without a credential."""

import json

from manifests.kubeconfig import kubeconfig_for


def test_tokens_come_from_the_gke_plugin_at_the_moment_of_use() -> None:
    config = kubeconfig_for(name="rapids-gpu", host="10.0.0.1", ca_certificate="Q0E=")

    (user,) = config["users"]

    assert user["user"]["exec"]["command"] == "gke-gcloud-auth-plugin"
    assert user["user"]["exec"]["apiVersion"] == "client.authentication.k8s.io/v1beta1"
    assert user["user"]["exec"]["provideClusterInfo"] is True
    assert "token" not in json.dumps(config)


def test_the_ip_endpoint_is_trusted_through_the_clusters_own_authority() -> None:
    config = kubeconfig_for(name="rapids-gpu", host="10.0.0.1", ca_certificate="Q0E=")

    assert config["clusters"][0]["cluster"] == {
        "server": "https://10.0.0.1",
        "certificate-authority-data": "Q0E=",
    }


def test_the_dns_endpoint_is_trusted_through_public_authorities() -> None:
    config = kubeconfig_for(name="rapids-gpu", host="gke-1.example.goog", ca_certificate=None)

    assert config["clusters"][0]["cluster"] == {"server": "https://gke-1.example.goog"}


def test_the_context_in_use_names_cluster_and_user_that_exist() -> None:
    config = kubeconfig_for(name="rapids-gpu", host="10.0.0.1", ca_certificate=None)

    (context,) = config["contexts"]

    assert config["current-context"] == context["name"]
    assert context["context"]["cluster"] == config["clusters"][0]["name"]
    assert context["context"]["user"] == config["users"][0]["name"]
