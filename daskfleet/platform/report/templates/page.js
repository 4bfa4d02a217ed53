"use strict";
// Whoever points at work, or focuses it, sees what it waited for.
for (const bar of document.querySelectorAll("[data-causes]")) {
  const causes = bar.dataset.causes.split(" ").filter(Boolean);
  const show = (on) => () => {
    for (const cause of causes) {
      for (const other of document.querySelectorAll(`[data-span="${cause}"]`)) {
        other.classList.toggle("is-cause", on);
      }
    }
  };
  for (const [event, on] of [["mouseenter", true], ["focus", true], ["mouseleave", false], ["blur", false]]) {
    bar.addEventListener(event, show(on));
  }
}
// A link into a folded table unfolds it.
const unfold = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  const fold = target && target.closest("details");
  if (fold) {
    fold.open = true;
    target.scrollIntoView({ block: "center" });
    target.focus({ preventScroll: true });
  }
};
addEventListener("hashchange", unfold);
unfold();
// Paper cannot be unfolded.
addEventListener("beforeprint", () => {
  for (const fold of document.querySelectorAll("details")) fold.open = true;
});
