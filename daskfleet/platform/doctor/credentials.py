"""What the doctor says of the credentials that the Google provider would use."""

from daskfleet.google_cloud.access import LOGIN, NoAccessError
from daskfleet.google_cloud.bearer import Access
from daskfleet.platform.doctor.model import Area, Finding, Outcome


def access_finding(access: Access | NoAccessError) -> Finding:
    """Say whose token there is, or why there is none."""
    if isinstance(access, Access):
        who = access.member.partition(":")[2]
        return Finding(
            area=Area.CREDENTIALS,
            subject="Google Cloud",
            outcome=Outcome.OK,
            needed="a token",
            there=f"{access.kind}, {who}" if who and who not in access.kind else access.kind,
        )
    return Finding(
        area=Area.CREDENTIALS,
        subject="Google Cloud",
        outcome=Outcome.WRONG,
        needed="a token",
        there=f"{access.kind}: {access}" if access.kind else str(access),
        fix="Log in, or point GOOGLE_APPLICATION_CREDENTIALS at a key or a federation file.",
        command=LOGIN,
    )
