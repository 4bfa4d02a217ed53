"""Unit: the sentences of a page, with their lines and words."""

from release.prose.sentences import sentences

PAGE = """# A title

One sentence with `code in it`, and [a link](page.md). Another
one on two lines! "A third." 1.81 is a number.

- An item: what follows a colon counts anew.
- dask 2023.4.0 is a version, e.g. of a package.

| head | other |
|---|---|
| a cell. `up` fails | second cell |

> Quoted is what others wrote.

```console
$ not a sentence. Nor this
```
"""


def test_sentences_are_what_a_reader_meets() -> None:
    assert [(each.line, each.text, each.words) for each in sentences(PAGE)] == [
        (1, "A title", 2),
        (3, "One sentence with `code`, and a link.", 7),
        (3, "Another one on two lines!", 5),
        (3, '"A third.', 2),
        (3, "1.81 is a number.", 4),
        (6, "An item:", 2),
        (6, "what follows a colon counts anew.", 6),
        (7, "dask 2023.4.0 is a version, e.g. of a package.", 9),
        (9, "head", 1),
        (9, "other", 1),
        (11, "a cell.", 2),
        (11, "`code` fails", 2),
        (11, "second cell", 2),
    ]
