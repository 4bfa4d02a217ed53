"""Write the golden samples anew: ``make samples``."""

from pathlib import Path

from daskfleet.platform.review.markdown.comment import comment
from tests.daskfleet.platform.review.sample_reviews import SAMPLES

for name, review in SAMPLES.items():
    Path(__file__).with_name(f"{name}.md").write_text(comment(review()), encoding="utf-8")
