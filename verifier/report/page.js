"use strict";
// Without this script the frames of a sweep stand side by side; with it a slider shows one at a time.
for (const sweep of document.querySelectorAll(".sweep")) {
  const frames = [...sweep.querySelectorAll(".frame")];
  if (frames.length < 2) continue;
  const slider = document.createElement("input");
  slider.type = "range";
  slider.min = 0;
  slider.max = frames.length - 1;
  slider.value = 0;
  slider.setAttribute("aria-label", "step of the sweep");
  const say = document.createElement("output");
  const box = document.createElement("div");
  box.className = "slider";
  const step = (by, sign, name) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = sign;
    button.setAttribute("aria-label", name);
    button.addEventListener("click", () => { slider.value = Number(slider.value) + by; show(); });
    return button;
  };
  box.append(step(-1, "‹", "one step back"), slider, step(1, "›", "one step on"), say);
  sweep.prepend(box);
  sweep.classList.add("stepped");
  const show = () => {
    const now = Number(slider.value);
    frames.forEach((frame, k) => frame.classList.toggle("now", k === now));
    const title = frames[now].querySelector(".step").textContent;
    say.textContent = `${now + 1} of ${frames.length}: ${title}`;
    slider.setAttribute("aria-valuetext", say.textContent);
  };
  slider.addEventListener("input", show);
  show();
}
