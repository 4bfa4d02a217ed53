"""docs/sign-on.md names what the program makes, and shuts what a dashboard leaves open; unit tier.

Nothing of Google's is asked: what its load balancer makes of these objects is not tested.
"""

import json
from typing import Any

import pytest
import yaml
from bokeh.server.util import check_allowlist, create_hosts_allowlist
from distributed.http import health, proxy
from distributed.http.scheduler import api

from daskfleet.contract.dask import DASHBOARD_PORT, SERVICE_NAME
from manifests.network_policy import schedulers
from tests.components.fleets import fleet
from tests.guides.test_settings_of_guides import blocks
from tests.guides.typed import commands_of

GUIDE = "docs/sign-on.md"
HOST = "fraud.dask.example.com"
ORIGINS = "DASK_DISTRIBUTED__SCHEDULER__DASHBOARD__BOKEH_APPLICATION__ALLOW_WEBSOCKET_ORIGIN"
FORWARDED = ("127.0.0.1:8787", "127.0.0.1:8888")

Object = dict[str, Any]


def shown() -> list[Object]:
    return [
        document
        for guide, block in blocks(of_others=True)
        if guide == GUIDE
        for document in yaml.safe_load_all(block)
    ]


def the(kind: str) -> Object:
    (found,) = [each["spec"] for each in shown() if each.get("kind") == kind]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("kind", ["GCPBackendPolicy", "HealthCheckPolicy"])
def test_proxy_and_health_check_are_those_of_the_teams_own_service(kind: str) -> None:
    assert the(kind)["targetRef"] == {"group": "", "kind": "Service", "name": SERVICE_NAME}


def test_the_proxy_is_on() -> None:
    assert the("GCPBackendPolicy")["default"]["iap"]["enabled"] is True


def test_the_route_leads_to_the_dashboard() -> None:
    *_, to_dashboard = the("HTTPRoute")["rules"]
    assert to_dashboard["backendRefs"] == [{"name": SERVICE_NAME, "port": DASHBOARD_PORT}]


def test_health_is_asked_where_dask_tells_it() -> None:
    check = the("HealthCheckPolicy")["default"]["config"]["httpHealthCheck"]
    paths = [route for route, *_ in health.routes]
    assert check == {"port": DASHBOARD_PORT, "requestPath": f"/{paths[0].strip('/')}"}


def test_no_request_from_outside_reaches_the_api_or_dasks_own_proxy() -> None:
    shut, open_ = the("HTTPRoute")["rules"]
    prefixes = tuple(match["path"]["value"].lstrip("/") for match in shut["matches"])
    assert "backendRefs" not in shut
    assert [match["path"]["value"] for match in open_["matches"]] == ["/"]
    asked = [route.lstrip("/") for route, *_ in (*api.routes, *proxy.routes)]
    assert [route for route in asked if not route.startswith(prefixes)] == []


def test_the_load_balancer_reaches_one_port_of_the_teams_scheduler() -> None:
    policy = the("NetworkPolicy")
    (fraud,) = fleet(teams=[{"name": "fraud", "workers": 1}]).teams
    assert policy["podSelector"] == schedulers(fraud.team)
    assert policy["ingress"] == [
        {
            "from": [{"ipBlock": {"cidr": cidr}} for cidr in ("35.191.0.0/16", "130.211.0.0/22")],
            "ports": [{"protocol": "TCP", "port": DASHBOARD_PORT}],
        }
    ]


def test_the_gateway_takes_routes_of_the_listed_teams_alone() -> None:
    (listener,) = the("Gateway")["listeners"]
    (listed,) = listener["allowedRoutes"]["namespaces"]["selector"]["matchExpressions"]
    assert (listed["operator"], listed["values"]) == ("In", ["fraud"])
    assert HOST.endswith(listener["hostname"].removeprefix("*"))


def test_who_is_let_in_is_let_in_at_the_teams_own_host_alone() -> None:
    (binding,) = [each.text for each in commands_of(GUIDE) if "add-iam-policy-binding" in each.text]
    assert f'expression=request.host == "{HOST}"' in binding
    assert the("HTTPRoute")["hostnames"] == [HOST]


def test_web_sockets_are_opened_by_the_teams_own_pages_alone() -> None:
    (settings,) = [each for each in shown() if "daskfleet:teams" in each]
    (team,) = settings["daskfleet:teams"]
    origins = json.loads(team["scheduler"]["environment"][ORIGINS])
    allowed = create_hosts_allowlist(origins, DASHBOARD_PORT)
    assert all(check_allowlist(host, allowed) for host in (HOST, *FORWARDED))
    assert not check_allowlist("climate.dask.example.com", allowed)


def test_the_door_is_looked_at_before_the_pod_is_reachable() -> None:
    kinds = [each["kind"] for each in shown() if "kind" in each]
    assert kinds.index("GCPBackendPolicy") < kinds.index("HTTPRoute") < kinds.index("NetworkPolicy")
    assert kinds[-1] == "NetworkPolicy"
