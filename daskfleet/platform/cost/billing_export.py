"""Google's detailed billing export in BigQuery: one month of one project, in FOCUS columns.

Columns of the table: ``gcp_billing_export_resource_v1``, as cloud.google.com/billing/docs/how-to/
export-data-bigquery-tables/detailed-usage has them. The columns of the answer are named and made
as Google's own view of FOCUS 1.0 makes them: what is billed is the cost with all credits.
"""

import re
from collections.abc import Mapping

import httpx

from daskfleet.google_cloud.access import get_access
from daskfleet.google_cloud.big_query import Found, ask_big_query
from daskfleet.platform.cost.bill_month import Month
from daskfleet.visible import in_short

TABLE = re.compile(
    r"[a-z][a-z0-9-]{4,28}[a-z0-9]\.[A-Za-z0-9_]{1,1024}\.[A-Za-z0-9_-]{1,1024}", re.ASCII
)
"""Project, dataset and table; nothing that ends the quotes around it in SQL."""

OTHERS = {
    "gcp_billing_export_v1": "the standard export, which tells nothing of namespaces",
    "gcp_billing_export_focus": "the FOCUS export; the detailed one is read here",
}
"""Tables that people take for it, by how their names begin."""

LONGEST_SHOWN = 100

SQL = """\
WITH lines AS (
  SELECT
    CAST(cost AS NUMERIC)
      + IFNULL((SELECT SUM(CAST(c.amount AS NUMERIC)) FROM UNNEST(credits) AS c), 0)
      AS billed,
    currency AS BillingCurrency,
    CAST(currency_conversion_rate AS NUMERIC) AS x_CurrencyConversionRate,
    PARSE_TIMESTAMP('%Y%m', invoice.month, 'America/Los_Angeles') AS billing_start,
    TIMESTAMP_TRUNC(usage_start_time, DAY, 'America/Los_Angeles') AS charge_start,
    usage_end_time,
    service.description AS ServiceName,
    project.id AS SubAccountId,
    TO_JSON_STRING(JSON_OBJECT(
      'goog-k8s-cluster-name',
      (SELECT value FROM UNNEST(labels) WHERE key = 'goog-k8s-cluster-name' LIMIT 1),
      'goog-k8s-cluster-location',
      (SELECT value FROM UNNEST(labels) WHERE key = 'goog-k8s-cluster-location' LIMIT 1),
      'k8s-namespace',
      (SELECT value FROM UNNEST(labels) WHERE key = 'k8s-namespace' LIMIT 1)
    )) AS Tags
  FROM `{table}`
  WHERE invoice.month = @month AND project.id = @project
)
SELECT
  SUM(billed) AS BilledCost,
  SUM(billed) AS EffectiveCost,
  BillingCurrency,
  FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', billing_start, 'UTC') AS BillingPeriodStart,
  FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', charge_start, 'UTC') AS ChargePeriodStart,
  FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', MAX(usage_end_time), 'UTC') AS ChargePeriodEnd,
  ServiceName,
  SubAccountId,
  Tags,
  x_CurrencyConversionRate
FROM lines
GROUP BY
  BillingCurrency, x_CurrencyConversionRate, billing_start, charge_start, ServiceName,
  SubAccountId, Tags
"""


class TableNameError(Exception):
    """It is not the name of a detailed billing export."""


def query(table: str) -> str:
    """The question, with the table in it: a table cannot be a parameter of a query.

    Raises:
        TableNameError: it is no name of such a table.
    """
    shown = in_short(table, LONGEST_SHOWN)
    if not TABLE.fullmatch(table):
        msg = (
            f"{shown} is no table of BigQuery. Allowed: project.dataset.table, for example "
            "acme-billing.export.gcp_billing_export_resource_v1_012345_6789AB_CDEF01, which the "
            "billing account's page Billing export names"
        )
        raise TableNameError(msg)
    name = table.rpartition(".")[2]
    for beginning, what in OTHERS.items():
        if name.startswith(beginning):
            msg = f"{shown} is {what}. Give gcp_billing_export_resource_v1_..., beside it"
            raise TableNameError(msg)
    return SQL.format(table=table)


def read_export(
    http: httpx.Client,
    table: str,
    *,
    project: str,
    month: Month,
    environment: Mapping[str, str],
) -> Found:
    """Ask for a month, with the user's credentials; the query is billed to the fleet's project.

    Raises:
        TableNameError: it is no name of such a table; nothing was asked.
        NoAccessError: there is no token.
        AnswerError: the answer is missing or not whole.
    """
    sql = query(table)
    return ask_big_query(
        http,
        sql,
        project=project,
        parameters={"month": month.invoice, "project": project},
        access=get_access(environment),
        environment=environment,
    )
