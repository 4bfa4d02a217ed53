"""Unit: what the pages of several stacks are called."""

import re

from hypothesis import given
from hypothesis import strategies as st

from daskfleet.platform.report.running.page_files import page_files

INDEX = "report-all.html"
NAMES = st.lists(
    st.one_of(st.text(max_size=120), st.sampled_from(["all", "ALL", "prod", "Prod", "a/b", "a-b"])),
    unique=True,
)


def test_a_stack_has_the_page_that_it_has_alone() -> None:
    assert page_files(["prod", "dev.2", "Über"], index=INDEX)["prod"] == "report-prod.html"
    assert page_files(["Prod"], index=INDEX) == {"Prod": "report-Prod.html"}


def test_a_stack_called_all_leaves_the_index_alone() -> None:
    (file,) = page_files(["all"], index=INDEX).values()
    assert re.fullmatch(r"report-all~[0-9a-f]{16}\.html", file)


def test_names_that_differ_by_capitals_alone_differ_on_every_file_system() -> None:
    files = page_files(["prod", "Prod"], index=INDEX).values()
    assert len({file.casefold() for file in files}) == 2


def test_a_name_leaves_no_folder() -> None:
    files = page_files(["org/prod", "org-prod", "../../etc/x", "a\x00b", "\ud800"], index=INDEX)
    assert all(re.fullmatch(r"report-[A-Za-z0-9._~-]+\.html", each) for each in files.values())
    assert files["org/prod"].startswith("report-org-prod~")
    assert files["org-prod"] == "report-org-prod.html"


@given(NAMES)
def test_every_stack_has_a_file_of_its_own_that_any_system_and_any_address_takes(
    stacks: list[str],
) -> None:
    files = page_files(stacks, index=INDEX)
    assert list(files) == stacks
    assert len({file.casefold() for file in files.values()} | {INDEX}) == len(stacks) + 1
    for file in files.values():
        assert re.fullmatch(r"report-[A-Za-z0-9._~-]*\.html", file)
        assert len(file) < 120
