"""The file that is written."""

from pathlib import Path

import yaml
from hypothesis import given
from hypothesis import strategies as st

from daskfleet.platform.drafting.draft import StackDraft, draft_stack
from daskfleet.platform.drafting.stack_text import stack_text
from daskfleet.settings.stack_file import read_stack_file
from tests.daskfleet.platform.drafting.found_clusters import dask, dask_cluster, found


def test_it_is_read_again_as_it_was_drafted(tmp_path: Path) -> None:
    draft = draft_stack(found(of_dask=dask(dask_cluster())))
    file = tmp_path / "Pulumi.prod.yaml"

    file.write_text(stack_text(draft, source="cluster rapids"), encoding="utf-8")

    read = read_stack_file(file)
    assert read.problems == ()
    assert read.document == draft.settings


@given(words=st.text(max_size=300))
def test_whatever_others_have_written_ends_no_comment(words: str) -> None:
    draft = StackDraft(settings={"project": words}, remarks={"teams": (words,)}, pool_names={})

    text = stack_text(draft, source=words)

    assert yaml.safe_load(text) == {"config": {"daskfleet:project": words}}
    assert all(line.isprintable() for line in text.split("\n"))
