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

// Fractions of whole numbers, [above, below], below > 0; and the contextual map of Lemma 6 on the ids of a matrix.
const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return a < 0n ? -a : a; };
const q = (a, b = 1n) => { const g = gcd(a, b) * (b < 0n ? -1n : 1n); return [a / g, b / g]; };
const plus = (x, y) => q(x[0] * y[1] + y[0] * x[1], x[1] * y[1]);
const times = (x, y) => q(x[0] * y[0], x[1] * y[1]);
const minus = (x, y) => plus(x, [-y[0], y[1]]);
const less = (x, y) => x[0] * y[1] < y[0] * x[1];
const written = (x) => x[1] === 1n ? `${x[0]}` : `${x[0]}/${x[1]}`;

// What a hardmax head reads in a column with this id: the largest id above the threshold b, the smallest below, else the mean.
const reader = (ids) => {
  const top = ids.reduce((x, y) => less(x, y) ? y : x), bottom = ids.reduce((x, y) => less(y, x) ? y : x);
  const mean = times(ids.reduce(plus), q(1n, BigInt(ids.length)));
  return (id, b) => less(b, id) ? top : less(id, b) ? bottom : mean;
};

function valuesOf(text, d, n, N) {
  const big = BigInt(N), sentinel = q(-(big ** BigInt(n * d)));
  const entry = (cell) => {
    const found = /^(-?)(?:(\d{1,40})(?:\/([1-9]\d{0,39}))?|(\d{1,20})\.(\d{1,20}))$/.exec(cell);
    if (cell === "s") return sentinel;
    if (!found) throw new Error(`${cell || "an empty entry"} is no entry such as 1/4, 0.25 or s`);
    const sign = found[1] ? -1n : 1n;
    return found[4] === undefined ? q(sign * BigInt(found[2]), BigInt(found[3] ?? 1)) : q(sign * BigInt(found[4] + found[5]), 10n ** BigInt(found[5].length));
  };
  const rows = text.split(";").map((row) => row.split(",").map((cell) => entry(cell.trim())));
  if (rows.length !== d || rows.some((row) => row.length !== n)) throw new Error(`${d} x ${n} entries are needed`);
  let ids = rows[0].map((_, j) => rows.reduce((sum, row, i) => plus(sum, times(q(big ** BigInt(i)), row[j])), q(0n)));
  const start = ids, B = big ** BigInt(d);
  for (let k = 0n; k < B; k++) {
    const read = reader(ids), low = q(2n * k - 1n, 2n * big), high = q(2n * k + 1n, 2n * big);
    ids = ids.map((id) => plus(id, times(q(B), minus(read(id, low), read(id, high)))));
  }
  const read = reader(ids), factor = q(big ** BigInt((n + 1) * d)), swept = ids;
  const values = ids.map((id) => plus(id, times(factor, read(id, q(0n)))));
  const edge = (power) => times(q(big ** BigInt(power) * (B - 1n)), q(1n, big));
  const low = edge(2 * n * d), high = edge((2 * n + 1) * d);
  const where = values.map((x) => less(x, low) ? "below t_l" : less(x, high) ? "inside" : "t_r or above");
  return { ids: start.map(written), swept: swept.map(written), values: values.map(written), where };
}

for (const typed of document.querySelectorAll(".typed")) {
  const [input, output] = [typed.querySelector("input"), typed.querySelector("output")];
  const { d, n, steps } = typed.dataset;
  const show = () => {
    try {
      const found = valuesOf(input.value, Number(d), Number(n), Number(steps));
      const rows = found.values.map((x, j) => [j + 1, found.ids[j], found.swept[j], x, found.where[j]]);
      const line = (tag, cells) => {
        const row = document.createElement("tr");
        row.append(...cells.map((cell) => Object.assign(document.createElement(tag), { textContent: cell })));
        return row;
      };
      const shown = document.createElement("table");
      shown.append(line("th", ["column", "id", "after the sweep", "value", "in [t_l, t_r)?"]), ...rows.map((row) => line("td", row)));
      output.replaceChildren(shown);
    } catch (error) {
      output.textContent = error.message;
    }
  };
  input.addEventListener("input", show);
  show();
}

// A link into a part that is folded opens it.
const unfold = () => {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
  if (target) target.scrollIntoView();
};
if (document.querySelector("details")) { addEventListener("hashchange", unfold); unfold(); }
