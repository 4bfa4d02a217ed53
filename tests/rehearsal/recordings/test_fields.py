"""Unit tests: a document is its fields, and the fields are the document."""

from hypothesis import given
from hypothesis import strategies as st

from rehearsal.recordings.fields import document_of, fields_of, name_of, readable

KEYS = st.text("abz/~. 09", min_size=1, max_size=4)
DOCUMENTS = st.dictionaries(
    KEYS,
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=3),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
        max_leaves=8,
    ),
    max_size=4,
)


@given(DOCUMENTS)
def test_fields_make_the_document_again(document: dict[str, object]) -> None:
    assert document_of(fields_of(document)) == document


def test_a_field_is_named_as_people_write_it() -> None:
    (pointer,) = fields_of({"nodePools": [{"labels": {"a/b": "c"}}]})
    assert pointer == "/nodePools/[0]/labels/a~1b"
    assert readable(pointer) == "nodePools[].labels.a/b"
    assert name_of(pointer) == "a/b"
    assert name_of("/tags/[0]") == "tags"
