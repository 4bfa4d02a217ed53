"use strict";
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const title = document.title;
const names = new Set(all("[data-team]").map((each) => each.dataset.team));
for (const link of all(".teams a")) names.add(decodeURIComponent(link.hash.slice("#team=".length)));

// The address says whose view it is, and where in it: #team=fraud, #team=fraud&at=pod-3, #pod-3.
const asked = () => {
  const parts = new URLSearchParams(location.hash.slice(1));
  const team = parts.get("team");
  return { team, at: team === null ? location.hash.slice(1) : parts.get("at") };
};

// One team's view: what is another team's goes, what all share stays.
const show = (team) => {
  const isKnown = team !== null && names.has(team);
  document.body.classList.toggle("of-one-team", isKnown);
  for (const each of all("[data-team]")) each.hidden = isKnown && each.dataset.team !== team;
  // A place on a node stays: that somebody has it is the team's business, too.
  for (const chip of all(".pools .chip")) {
    const pod = document.getElementById(chip.hash.slice(1));
    chip.parentElement.classList.toggle("is-others", pod.hidden);
  }
  for (const node of all(".nodes > li")) node.hidden = isKnown && !node.querySelector("li:not(.is-others) > .chip");
  for (const pool of all(".pool")) pool.hidden = isKnown && !pool.querySelector(".nodes > li:not([hidden])");
  for (const part of all(".unplaced")) part.hidden = !part.querySelector("li:not([hidden])");
  for (const link of all(".teams a")) {
    if (isKnown && link.hash === `#team=${encodeURIComponent(team)}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  document.title = isKnown ? `Team ${team}, ${title}` : title;
  say(team, isKnown);
};

const say = (team, isKnown) => {
  const view = document.getElementById("view");
  view.className = team === null ? "view" : isKnown ? "view on" : "view on unknown";
  if (team === null) return view.replaceChildren();
  const words = document.createElement("p");
  words.textContent = isKnown
    ? `Only team ${team} is shown, and what all teams share. The figures at the top are the whole fleet's. `
    : `There is no team called ${team} on this page, so all teams are shown. `;
  const back = document.createElement("a");
  back.href = "#teams";
  back.dataset.leaves = "";
  back.textContent = isKnown ? "Show all teams" : "See which there are";
  words.append(back);
  view.replaceChildren(words);
};

// A link into a folded part unfolds it, and the keyboard goes on from there.
const go = (id) => {
  const target = id && document.getElementById(id);
  if (!target) return;
  for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  target.scrollIntoView({ block: target.matches("section") ? "start" : "center" });
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
};
const follow = () => {
  const { team, at } = asked();
  show(team);
  go(at);
};
addEventListener("hashchange", follow);
follow();

// Links within the page keep whose view it is.
addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#"]');
  const { team } = asked();
  if (!link || team === null || link.hash.startsWith("#team=") || "leaves" in link.dataset) return;
  event.preventDefault();
  const next = `#team=${encodeURIComponent(team)}&at=${link.hash.slice(1)}`;
  if (next === location.hash) follow();
  else location.hash = next;
});

// The list of teams: searched, filtered, sorted.
const list = document.querySelector(".teams");
if (list) {
  const [search, filter] = [document.getElementById("team-search"), document.getElementById("team-filter")];
  const rows = all("tbody tr", list);
  const told = document.getElementById("teams-shown");
  const sift = () => {
    const words = search.value.trim().toLowerCase();
    for (const row of rows) {
      const isFound = row.cells[0].querySelector("a").textContent.toLowerCase().includes(words);
      row.hidden = !isFound || (filter.value === "troubled" && !row.classList.contains("troubled"));
    }
    const shown = rows.filter((row) => !row.hidden).length;
    told.textContent = `${shown} of ${rows.length} ${rows.length === 1 ? "team" : "teams"}`;
  };
  search.addEventListener("input", sift);
  filter.addEventListener("change", sift);
  search.form.addEventListener("submit", (event) => event.preventDefault());
  search.form.hidden = false;
  sift();

  const heads = all("thead th", list);
  const value = (row, column) => {
    const cell = row.cells[column];
    if (!column) return cell.querySelector("a").textContent;
    const number = Number.parseFloat((cell.dataset.sort ?? cell.textContent).replaceAll(",", ""));
    return Number.isNaN(number) ? -1 : number;
  };
  const compare = (one, other) => (typeof one === "string" ? one.localeCompare(other) : one - other);
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      // Names begin with A, numbers with the largest.
      const now = head.getAttribute("aria-sort");
      const order = now === null ? (column ? "descending" : "ascending") : now === "ascending" ? "descending" : "ascending";
      for (const each of heads) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      rows.sort((a, b) => sign * compare(value(a, column), value(b, column)) || compare(value(a, 0), value(b, 0)));
      list.tBodies[0].append(...rows);
    });
  });
}

// A pod's mark has a whole name and a state in the table of pods.
addEventListener("mouseover", (event) => {
  const chip = event.target.closest(".chip:not([title])");
  const row = chip && document.getElementById(chip.hash.slice(1));
  if (row) chip.title = `${row.querySelector("code").textContent}: ${row.cells[4].innerText.replace("\n", "; ")}`;
});
// Whoever points at work sees what it waited for.
for (const [kind, on] of [["mouseover", true], ["mouseout", false]]) {
  addEventListener(kind, (event) => {
    const work = event.target.closest("[data-causes]");
    for (const cause of work ? work.dataset.causes.split(" ") : []) {
      const other = document.getElementById(`s${cause}`);
      other.classList.toggle("is-cause", on);
      other.closest(".row").classList.toggle("is-cause", on);
    }
  });
}
// Paper cannot be unfolded.
addEventListener("beforeprint", () => {
  for (const fold of all("details")) fold.open = true;
});
