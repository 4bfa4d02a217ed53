"""Pure: what the style asks of sentences, and which do not have it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field

from release.prose.sentences import sentences

FILE = Path(__file__).with_name("rules.yaml")
SHOWN_WORDS = 8
"""Of a sentence, so that it is found."""


class Rules(BaseModel):
    """What ``rules.yaml`` says."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    longest_sentence_words: int = Field(gt=0)
    instead: dict[str, str]
    """What is not written, and what is in its place."""


@dataclass(frozen=True, kw_only=True)
class Mistake:
    """What is not as the style has it."""

    line: int
    text: str


def read_rules() -> Rules:
    """Read the rules.

    Raises:
        pydantic.ValidationError: the file has other keys, or a limit below 1.

    """
    return Rules.model_validate(yaml.safe_load(FILE.read_text("utf-8")))


def mistakes(page: str, rules: Rules) -> Iterator[Mistake]:
    """Find the sentences of a page of Markdown that break a rule."""
    avoided = {word: _pattern(word) for word in rules.instead}
    for sentence in sentences(page):
        if sentence.words > rules.longest_sentence_words:
            beginning = " ".join(sentence.text.split()[:SHOWN_WORDS])
            yield Mistake(
                line=sentence.line,
                text=f'{sentence.words} words, at most {rules.longest_sentence_words}: "{beginning}'
                ' ...". Make two sentences of it, or a list.',
            )
        for word, pattern in avoided.items():
            if found := pattern.search(sentence.text):
                better = rules.instead[word]
                yield Mistake(line=sentence.line, text=f'"{found[0]}": write {better}.')


def _pattern(word: str) -> re.Pattern[str]:
    # Lower case is found at the beginning of a sentence, too; a capital is the mistake itself.
    flags = re.IGNORECASE if word.islower() and word != "k8s" else re.NOFLAG
    return re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])", flags)
