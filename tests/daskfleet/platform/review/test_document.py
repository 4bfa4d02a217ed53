"""Unit: a review survives its document, and what is no review says what is wrong."""

import json

import pytest

from daskfleet.platform.review.document import ReviewDocumentError, from_json, to_json
from tests.daskfleet.platform.review.sample_reviews import SAMPLES, safe


@pytest.mark.parametrize("name", SAMPLES)
def test_a_review_comes_back_as_it_went(name: str) -> None:
    review = SAMPLES[name]()

    assert from_json(to_json(review)) == review


def test_a_document_says_its_version_first() -> None:
    assert to_json(safe()).startswith('{\n  "version": 1,')


def test_classes_and_verdicts_are_written_in_words() -> None:
    review = json.loads(to_json(safe()))["review"]

    assert review["verdict"] == "safe"
    assert review["consequences"][0]["change_class"] == "in-place"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Invalid JSON"),
        ('{"version": 2, "review": {}}', "version: Input should be 1"),
        ('{"version": 1}', "review: Field required"),
        ("[]", "document: "),
    ],
)
def test_what_is_no_review_is_refused_with_the_next_step(text: str, words: str) -> None:
    with pytest.raises(ReviewDocumentError) as refused:
        from_json(text)

    assert words in str(refused.value)
    assert "daskfleet review --format json" in str(refused.value)


def test_a_refusal_does_not_repeat_what_is_in_the_document() -> None:
    with pytest.raises(ReviewDocumentError) as refused:
        from_json('{"version": "hunter2", "review": {"stack": {"password": "hunter2"}}}')

    assert "hunter2" not in str(refused.value)
