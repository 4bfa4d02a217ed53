"""Unit: how the runbook is read, and that it has the pages that it must have."""

import re

import pytest

from tests.rehearsal.runbook.pages import RUNBOOK, Command, Edit, Page, pages

TEXT = """
# Book

## First

Words.

```diff
   - name: climate
-    workers: 2
+    workers: 3
```

```console
$ pulumi up
    ~ DaskCluster   climate ... update
$ kubectl get pods \\
>     --output wide
```

## Second

```yaml
not: executed
```
"""


def test_a_page_is_its_edits_and_commands_in_their_order() -> None:
    first, second = pages(TEXT)
    edit, up, get = first.steps
    assert edit == Edit(
        before="  - name: climate\n    workers: 2\n", after="  - name: climate\n    workers: 3\n"
    )
    assert up == Command(text="pulumi up", shows=("    ~ DaskCluster   climate ... update",))
    assert get == Command(text="kubectl get pods \\\n    --output wide", shows=())
    assert second == Page(title="Second", steps=())


def test_an_edit_must_fit_exactly_one_place() -> None:
    edit = Edit(before="b\n", after="c\n")
    assert edit.applied("a\nb\n") == "a\nc\n"
    for text in ("a\n", "b\nb\n"):
        with pytest.raises(LookupError, match="places instead of one"):
            edit.applied(text)


def test_what_a_page_promises_must_be_printed_in_that_order() -> None:
    command = Command(text="x", shows=("a ... b", "c"))
    assert command.missing_from("a 1  b\n c") is None
    assert command.missing_from("c\na b") == "c"
    assert command.missing_from("a c") == "a ... b"


def test_a_command_that_shows_an_error_fails() -> None:
    assert Command(text="x", shows=("error: no",)).fails
    assert not Command(text="x", shows=("no error",)).fails


def test_the_table_at_the_beginning_leads_to_every_page() -> None:
    text = RUNBOOK.read_text("utf-8")
    linked = re.findall(r"\]\(#([a-z0-9-]+)\)", text.partition("\n## ")[0])
    titles = [page.title.lower().replace("`", "").replace(" ", "-") for page in pages(text)]
    assert sorted(linked) == sorted(titles)


def test_every_page_of_the_runbook_says_what_to_type() -> None:
    book = pages(RUNBOOK.read_text("utf-8"))
    assert [page.title for page in book if not page.steps] == []
