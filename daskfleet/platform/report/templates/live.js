// The page as `daskfleet serve` shows it asks whether there is a newer one, and comes again as it
// is looked at: where, what is unfolded, typed, chosen and sorted.
{
  const line = document.getElementById("live");
  const kept = "daskfleet-looked-at";
  const every = (selector) => [...document.querySelectorAll(selector)];
  const text = (part) => part.textContent.trim();
  const typed = () => every("main input, main select");
  const inFocus = () => every("a, button, input, select, summary, [tabindex]");
  const places = () => every("section.part[id]");
  let answered = Date.now();

  const keep = () => {
    const top = places().filter((part) => part.getBoundingClientRect().top <= 80).at(-1);
    sessionStorage.setItem(kept, JSON.stringify({
      hash: location.hash,
      place: top ? [top.id, top.getBoundingClientRect().top] : null,
      y: scrollY,
      folds: every("details").map((fold) => [text(fold.querySelector("summary")), fold.open]),
      typed: typed().map((field) => [field.id || field.name, field.value, field.checked]),
      sorted: every("th[aria-sort]").map((head) => [text(head), head.getAttribute("aria-sort")]),
      focus: inFocus().indexOf(document.activeElement),
    }));
  };

  const putBack = () => {
    const was = JSON.parse(sessionStorage.getItem(kept) || "null");
    sessionStorage.removeItem(kept);
    if (was === null || was.hash !== location.hash) return;
    const folds = new Map(was.folds);
    for (const fold of every("details")) {
      const name = text(fold.querySelector("summary"));
      if (folds.has(name)) fold.open = folds.get(name);
    }
    for (const field of typed()) {
      const old = was.typed.find(([name]) => name !== "" && name === (field.id || field.name));
      if (!old || (old[1] === field.value && old[2] === field.checked)) continue;
      [, field.value] = old;
      if ("checked" in field) [, , field.checked] = old;
      for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
    }
    for (const [name, order] of was.sorted) {
      const head = every("thead th").find((each) => text(each) === name);
      const button = head && head.querySelector("button");
      for (let tries = 0; button && tries < 2 && head.getAttribute("aria-sort") !== order; tries += 1) button.click();
    }
    inFocus()[was.focus]?.focus({ preventScroll: true });
    const place = was.place && document.getElementById(was.place[0]);
    const by = place ? place.getBoundingClientRect().top - was.place[1] : was.y - scrollY;
    scrollBy({ top: by, behavior: "instant" });
  };

  const ask = async () => {
    try {
      const answer = await fetch("state", { cache: "no-store" });
      if (!answer.ok) throw new Error(`it answered ${answer.status}`);
      const state = await answer.json();
      answered = Date.now();
      if (state.made !== line.dataset.made) {
        // A server that goes just now shall leave this page, and no error of the browser's.
        await (await fetch(".", { cache: "no-store" })).text();
        keep();
        location.reload();
        return;
      }
      line.textContent = state.stale || "This page keeps itself up to date.";
    } catch (error) {
      const minutes = Math.floor((Date.now() - answered) / 60000);
      line.textContent = `daskfleet serve has not answered for ${minutes < 1 ? "less than a minute" : `${minutes} min`} (${error.message}): this is the last page that it gave.`;
    }
    setTimeout(ask, line.dataset.every * 1000);
  };

  history.scrollRestoration = "manual";
  if (document.readyState === "complete") putBack();
  else addEventListener("load", putBack);
  setTimeout(ask, line.dataset.every * 1000);
}
