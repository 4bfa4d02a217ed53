"""What axe-core finds on a page that somebody could not read or use."""

import json

from tests.chromium import Tab

STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
OF_MANY_ALIKE = (".nodes > li", "tbody > tr", ".row", ".group", ".unplaced li")
LOOKED_AT = {
    "include": [["html"]],
    "exclude": [
        [".sign"],
        [".diamond"],
        [".week li [aria-hidden]"],
        *([f"{each}:nth-child(n + 60)"] for each in OF_MANY_ALIKE),
    ],
}
"""Of signs that are no text it cannot tell the contrast; test_palette.py has their colours. Of many
things alike it looks at the first ones: at all, 200 teams would take minutes."""

UNROLL = "document.querySelectorAll('.tall').forEach(region => { region.className = 'scroll' })"
"""What is scrolled out of its region has no contrast that could be told."""

JUDGED_S = 120
FEWEST_PASSED = 20
"""Rules that any page of ours passes: fewer say that axe-core did not look."""


def barriers(tab: Tab, axe: str) -> list[tuple[str, str]]:
    """Return each rule that does not hold, or of which axe-core cannot tell, with its element."""
    tab.run(UNROLL)
    tab.connection.settimeout(JUDGED_S)
    tab.run(axe + "; true")
    rules = {"runOnly": STANDARDS, "resultTypes": ["violations", "incomplete"]}
    found = tab.run(f"axe.run({json.dumps(LOOKED_AT)}, {json.dumps(rules)})")
    assert len(found["passes"]) > FEWEST_PASSED
    return [
        (each["id"], node["html"])
        for kind in ("violations", "incomplete")
        for each in found[kind]
        for node in each["nodes"]
    ]
