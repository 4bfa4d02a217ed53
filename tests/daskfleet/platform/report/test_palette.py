"""Unit: every colour is legible on what it is put on, in both themes, by WCAG's formula.

https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
"""

import pytest

from daskfleet.platform.report.palette import DARK, LIGHT, Theme

TEXT_AA = 4.5
GRAPHIC_AA = 3.0
"""Of what carries a meaning and is no text: borders, bars, swatches (1.4.11)."""

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_the_formula_agrees_with_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@THEMES
@pytest.mark.parametrize("ground", ["page", "panel", "sunken", "failed_ground"])
@pytest.mark.parametrize("ink", ["text", "muted", "accent", "ok", "failed", "unmeasured"])
def test_text_is_legible_on_every_ground(theme: Theme, ground: str, ink: str) -> None:
    assert contrast(getattr(theme, ink), getattr(theme, ground)) >= TEXT_AA


@THEMES
def test_the_sign_of_a_failure_is_legible(theme: Theme) -> None:
    assert contrast(theme.panel, theme.failed) >= TEXT_AA


@THEMES
@pytest.mark.parametrize("ground", ["panel", "sunken"])
@pytest.mark.parametrize("part", ["edge", "bar", "critical"])
def test_bars_and_edges_stand_out(theme: Theme, ground: str, part: str) -> None:
    assert contrast(getattr(theme, part), getattr(theme, ground)) >= GRAPHIC_AA


@THEMES
def test_every_team_stands_out_from_its_ground_and_none_looks_like_another(theme: Theme) -> None:
    for colour in theme.teams:
        assert contrast(colour, theme.panel) >= GRAPHIC_AA
        assert contrast(colour, theme.sunken) >= GRAPHIC_AA
    assert len(set(theme.teams)) == len(LIGHT.teams)
