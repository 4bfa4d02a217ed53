"""kopf loads this file before the operator's controller: ``kopf run THIS_FILE -m CONTROLLER``."""

from in_cluster.operator_http.guard import guard

guard()
