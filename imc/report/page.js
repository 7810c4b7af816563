// Pointing at an event shows its waits, and those of others for it.
"use strict";
for (const lanes of document.querySelectorAll(".lanes")) {
  const show = (event, on) => {
    const id = event.parentElement.id;
    const waits = lanes.querySelectorAll(`[data-from="${id}"], [data-to="${id}"]`);
    lanes.classList.toggle("lit", on && waits.length > 0);
    for (const wait of waits) {
      wait.classList.toggle("on", on);
      for (const end of [wait.dataset.from, wait.dataset.to])
        if (end) document.getElementById(end).querySelector(".event").classList.toggle("on", on);
    }
  };
  for (const event of lanes.querySelectorAll(".event")) {
    event.addEventListener("pointerenter", () => show(event, true));
    event.addEventListener("pointerleave", () => show(event, false));
  }
}
