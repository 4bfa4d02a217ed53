"""One view of a running fleet: all sources beside each other, each of which may fail alone."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from daskfleet.planning.cost_lines import Cost
from daskfleet.planning.plan import FleetPlan
from daskfleet.platform.cost.actual import BILLING_EXPORT, BillOptions, actual_bill
from daskfleet.platform.cost.bill_model import Bill
from daskfleet.platform.doctor.model import Report as DoctorReport
from daskfleet.platform.doctor.stack_settings import read_settings
from daskfleet.platform.drift.look import look as compare
from daskfleet.platform.drift.model import Report as DriftReport
from daskfleet.platform.report.running.certificates import unreadable
from daskfleet.platform.report.running.declared import read_declared
from daskfleet.platform.report.running.doctor import examined, not_looked_at
from daskfleet.platform.report.running.history import Records, told_history, week_of_records
from daskfleet.platform.report.running.in_cluster import read_in_cluster
from daskfleet.platform.report.running.in_google import read_in_google
from daskfleet.platform.report.running.model import FleetView, SourceName
from daskfleet.platform.report.running.reading import Kept, Reading, in_thread, read
from daskfleet.platform.report.running.told import all_told
from daskfleet.platform.report.running.view import Gathered, view_of

DRIFT_AFTER_S = 600.0
"""A comparison asks Google for each resource of the stack, which takes a minute."""

DOCTOR_AFTER_S = 600.0

HISTORY_AFTER_S = 60.0
"""It takes Pulumi's CLI, for seconds; an `up` takes minutes."""

BILL_AFTER_S = 3600.0
"""A query costs money, and Google writes the export some times a day."""


class GatherError(Exception):
    """Nothing of the fleet can be said; the message says why, and what to do."""


class RefusedStackFileError(Exception):
    """The stack file on this machine becomes no fleet, so its nodes have no price."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """Which fleet, and where it is asked for."""

    stack: str
    project_dir: Path
    stacks_dir: Path
    environment: Mapping[str, str]


class Gatherer:
    """Looks at one fleet, once or again and again."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._drift: Kept[DriftReport] = Kept(for_s=DRIFT_AFTER_S)
        self._doctor: Kept[DoctorReport] = Kept(for_s=DOCTOR_AFTER_S)
        self._bill: Kept[Bill] = Kept(for_s=BILL_AFTER_S)
        self._records: Kept[Records] = Kept(for_s=HISTORY_AFTER_S)

    async def view(self) -> FleetView:
        """Look.

        Raises:
            GatherError: Pulumi's state cannot be read, so nothing else is found.

        """
        state = await read(
            SourceName.STATE,
            in_thread(lambda: read_declared(self._place.project_dir, self._place.stack)),
            lacks=lambda declared: unreadable(declared.certificates),
        )
        declared = state.value
        if declared is None:
            raise GatherError(state.source.why_not)
        in_cluster, in_google, (prices, bill), (drift, doctor, records) = await asyncio.gather(
            read_in_cluster(declared.kubeconfig, dict(declared.outputs.teams)),
            read_in_google(declared.google_cluster, self._place.environment),
            self._money(),
            asyncio.gather(
                self._drift.reading(self._read_drift),
                self._doctor.reading(self._read_doctor),
                self._records.reading(self._read_records),
            ),
        )
        return view_of(
            Gathered(
                declared=declared,
                state=state.source,
                teams=in_cluster.teams,
                nodes=in_cluster.nodes,
                google=in_google.cluster,
                operations=in_google.operations,
                prices=prices,
                drift=drift,
                doctor=doctor,
                bill=bill,
                history=told_history(records, declared.stack, in_cluster),
            ),
            now=datetime.now(tz=UTC),
        )

    async def _money(self) -> tuple[Reading[Cost], Reading[Bill] | None]:
        """Plan the stack once, for prices and for what the bill stands beside."""
        plan = await read(SourceName.PRICES, in_thread(self._plan))
        cost = plan.value.cost if plan.value else None
        return Reading(value=cost, source=plan.source), await self.bill(plan)

    def _plan(self) -> FleetPlan:
        place = self._place
        settings = read_settings(place.stacks_dir, place.stack, place.environment)
        if settings.plan is None:
            raise RefusedStackFileError(settings.finding.there)
        return settings.plan

    async def bill(self, plan: Reading[FleetPlan]) -> Reading[Bill] | None:
        """Read what this month has cost so far; None: no export of the bill is named."""
        export = self._place.environment.get(BILLING_EXPORT)
        if not export:
            return None

        async def look() -> Reading[Bill]:
            return await read(SourceName.BILL, in_thread(lambda: self._this_month(plan, export)))

        return await self._bill.reading(look)

    def _this_month(self, plan: Reading[FleetPlan], export: str) -> Bill:
        if plan.value is None:
            raise RefusedStackFileError(plan.source.why_not)
        place = self._place
        bill = actual_bill(
            plan.value,
            BillOptions(month=None, billing_export=export, focus=None, save_focus=None),
            stack=place.stack,
            environment=place.environment,
            now=datetime.now(tz=UTC),
        )
        # The table's name has the billing account's number in it.
        return all_told(bill.model_copy(update={"source": SourceName.BILL.value}))

    async def _read_drift(self) -> Reading[DriftReport]:
        place = self._place
        look = in_thread(lambda: compare(place.project_dir, place.stack, progress=lambda _: None))
        return await read(SourceName.DRIFT, look, lacks=lambda report: report.notices)

    async def _read_records(self) -> Reading[Records]:
        place = self._place
        look = in_thread(lambda: week_of_records(place.project_dir, place.stack))
        return await read(SourceName.HISTORY, look)

    async def _read_doctor(self) -> Reading[DoctorReport]:
        place = self._place
        look = examined(
            place.stack,
            stacks_dir=place.stacks_dir,
            project_dir=place.project_dir,
            environment=place.environment,
        )
        return await read(SourceName.DOCTOR, look, lacks=not_looked_at)
