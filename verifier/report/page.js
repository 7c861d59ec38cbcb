"use strict";
// Without this script the frames of a sweep stand side by side; with it a slider shows one at a time.
const slide = (sweep) => {
  const frames = [...sweep.querySelectorAll(".frame")];
  if (frames.length < 2) return;
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
};
document.querySelectorAll(".sweep").forEach(slide);

// Fractions of whole numbers, [above, below], below > 0; and the contextual map of Lemma 6 on the ids of a matrix.
const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return a < 0n ? -a : a; };
const q = (a, b = 1n) => { const g = gcd(a, b) * (b < 0n ? -1n : 1n); return [a / g, b / g]; };
const plus = (x, y) => q(x[0] * y[1] + y[0] * x[1], x[1] * y[1]);
const times = (x, y) => q(x[0] * y[0], x[1] * y[1]);
const minus = (x, y) => plus(x, [-y[0], y[1]]);
const less = (x, y) => x[0] * y[1] < y[0] * x[1];
const same = (x, y) => x[0] === y[0] && x[1] === y[1];
const most = (ids) => ids.reduce((x, y) => less(x, y) ? y : x);
const least = (ids) => ids.reduce((x, y) => less(y, x) ? y : x);
const written = (x) => x[1] === 1n ? `${x[0]}` : `${x[0]}/${x[1]}`;

// What a hardmax head reads in a column with this id: the largest id above the threshold b, the smallest below, else the mean.
const reader = (ids) => {
  const top = most(ids), bottom = least(ids);
  const mean = times(ids.reduce(plus), q(1n, BigInt(ids.length)));
  return (id, b) => less(b, id) ? top : less(id, b) ? bottom : mean;
};

// The steps of a sweep in words and pictures, letter by letter as report/steps.py and report/pictures.py have them.
const divided = (x, y) => q(x[0] * y[1], x[1] * y[0]);
const number = (x) => {
  const text = written(x);
  const cut = (part) => part.length <= 22 ? part : `${part.slice(0, 12)}...(${part.replace("-", "").length} digits)`;
  return text.length <= 44 ? text : text.split("/").map(cut).join("/");
};
const idleWords = (levels) => levels.length === 0 ? "" : levels.length === 1 ? `Level ${written(levels[0])} does nothing. `
  : `The ${levels.length} levels ${written(levels[0])} to ${written(levels.at(-1))} do nothing. `;
const shiftWords = (before, after) => {
  const moved = [...before.keys()].filter((j) => !same(before[j], after[j]));
  const top = most(before), bottom = least(before), [from, to] = [before[moved[0]], after[moved[0]]], by = minus(to, from);
  const columns = moved.length === 1 ? `Column ${moved[0] + 1} goes` : `Columns ${moved.map((j) => j + 1).join(", ")} go together`;
  const words = `${columns} from ${written(from)} to ${written(to)}, by `;
  if (same(top, bottom)) return `${words}${written(by)}.`;
  const factor = written(divided(by, minus(top, bottom)));
  const difference = bottom[0] < 0n ? `${written(top)} + ${written(minus(q(0n), bottom))}` : `${written(top)} − ${written(bottom)}`;
  return `${words}${factor} × (largest id − smallest id) = ${factor} × (${difference}) = ${written(by)}.`;
};
const globalWords = (before, after, low, high) => {
  const by = minus(after[0], before[0]), top = most(before);
  if (!after.every((x, j) => same(minus(x, before[j]), by))) return "The columns are shifted by different amounts.";
  const largest = top[0] < 0n ? `(${written(top)})` : written(top);
  const product = top[0] ? ` = ${written(divided(by, top))} × ${largest} (the largest id)` : "";
  const inside = after.filter((x) => !less(x, low) && less(x, high)).length;
  const where = inside === 0 ? "None of the values is" : inside === after.length ? "All values are" : `${inside} of the values are`;
  return `Every column is raised by ${written(by)}${product}. ${where} in the shaded interval.`;
};

// Logarithmic axes in whole numbers (report/scale.py): lengths are 1024 log2(1 + |x| N), places hundredths of a percent.
const wholeOver = (a, b) => a / b - (a % b < 0n ? 1n : 0n);
const log2 = (k) => {
  const bits = (x) => BigInt(x.toString(2).length), whole = bits(k) - 1n;
  let leading = (k << 63n) >> whole, digits = 0n;
  for (let j = 0; j < 10; j++) {
    const square = (leading * leading) >> 63n, carry = bits(square) - 64n;
    digits = digits * 2n + carry;
    leading = square >> carry;
  }
  return whole * 1024n + digits;
};
const axisOver = (values, big) => {
  const signed = (x) => {
    const [above, below] = plus(q(1n), times(q(x[0] < 0n ? -x[0] : x[0], x[1]), q(big)));
    const found = log2(above) - log2(below), length = x[0] && found < 1n ? 1n : found;
    return x[0] < 0n ? -length : length;
  };
  const lengths = values.map(signed);
  const low = lengths.reduce((x, y) => y < x ? y : x), high = lengths.reduce((x, y) => y > x ? y : x);
  const at = (x) => high === low ? 5000n : 900n + wholeOver(8200n * (signed(x) - low), high - low);
  const ticks = low <= 0n && 0n <= high ? [[q(0n), "0"]] : [];
  for (const [sign, end] of [[1n, high], [-1n, -low]]) {
    const room = end - log2(big), top = Number((room > 0n ? room : 0n) / 3401n) + 1, step = Math.max(1, Math.floor(top / 6));
    for (let e = top - top % step; e >= 0; e -= step) {
      const raised = `${e}`.replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);
      ticks.push([q(sign * 10n ** BigInt(e)), (sign < 0n ? "−" : "") + (e === 0 ? "1" : e === 1 ? "10" : `10${raised}`)]);
    }
  }
  const taken = [];
  const shown = ticks.map(([x, text]) => [at(x), text]).filter(([place]) => {
    const free = 450n <= place && place <= 9550n && taken.every((t) => place - t >= 2200n || t - place >= 2200n);
    if (free) taken.push(place);
    return free;
  });
  return { at, shown };
};

// The figures of a sweep; nothing but numbers computed above stands in them.
const figuresOf = ({ frames, low, high, big }) => {
  const percent = (p) => `${p < 0n ? "-" : ""}${(p < 0n ? -p : p) / 100n}.${`${(p < 0n ? -p : p) % 100n}`.padStart(2, "0")}%`;
  const axis = axisOver([q(0n), low, high, ...frames.flatMap((frame) => [...frame.before, ...frame.after])], big);
  const line = (x1, y1, x2, y2, kind) => `<line x1="${percent(x1)}" y1="${y1}" x2="${percent(x2)}" y2="${y2}" class="${kind}"></line>`;
  const mark = (x, y, kind) => `<circle cx="${percent(x)}" cy="${y}" r="4" class="${kind}"></circle>`;
  const edge = (x, letter, anchor) => `<text x="${percent(x)}" y="16" text-anchor="${anchor}"><tspan class="it">t</tspan><tspan dy="3" class="sub">${letter}</tspan></text>`;
  const [left, right] = [axis.at(low), axis.at(high)];
  return frames.map(({ title, words, before, after }) => {
    const bottom = 30 + 24 * after.length;
    const says = `${title === "global shift" ? "values" : "ids"}`, ids = after.map(number).join(", ");
    const band = `<rect x="${percent(left)}" y="22" width="${percent(right - left)}" height="${bottom - 22}" class="band"></rect>`
      + line(left, 22, left, bottom, "edge closed") + line(right, 22, right, bottom, "edge open") + edge(left, "l", "end") + edge(right, "r", "start");
    const lanes = after.map((x, j) => {
      const y = 38 + 24 * j, [was, is] = [axis.at(before[j]), axis.at(x)], moved = !same(before[j], x);
      return line(450n, y, 9550n, y, "rail") + (moved ? line(was, y, is, y, "went") + mark(was, y, "was") : "")
        + mark(is, y, moved ? "is moved" : "is") + `<text x="0.00%" y="${y + 4}" class="tick" text-anchor="start">${j + 1}</text>`;
    });
    const ruler = line(450n, bottom, 9550n, bottom, "axis") + axis.shown.map(([x, text]) => line(x, bottom - 3, x, bottom + 3, "axis")
      + `<text x="${percent(x)}" y="${bottom + 18}" class="tick" text-anchor="middle">${text}</text>`).join("");
    return `<figure class="frame"><figcaption><strong class="step">${title}</strong> ${words}</figcaption>`
      + `<svg class="plot" height="${bottom + 28}" role="img"><title>${title}: ${says} ${ids}</title>${band}${lanes.join("")}${ruler}</svg>`
      + `<p class="number">${says}: ${ids}</p></figure>`;
  }).join("");
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
  const frames = [{ title: "before", words: "The ids of the columns, as the matrix has them.", before: ids, after: ids }];
  let idle = [];
  for (let k = 0n; k < B; k++) {
    const before = ids, level = q(k, big);
    const read = reader(ids), low = q(2n * k - 1n, 2n * big), high = q(2n * k + 1n, 2n * big);
    ids = ids.map((id) => plus(id, times(q(B), minus(read(id, low), read(id, high)))));
    if (ids.every((id, j) => same(id, before[j]))) { idle.push(level); continue; }
    frames.push({ title: `level ${written(level)}`, words: idleWords(idle) + shiftWords(before, ids), before, after: ids });
    idle = [];
  }
  const read = reader(ids), factor = q(big ** BigInt((n + 1) * d)), swept = ids;
  const values = ids.map((id) => plus(id, times(factor, read(id, q(0n)))));
  const edge = (power) => times(q(big ** BigInt(power) * (B - 1n)), q(1n, big));
  const low = edge(2 * n * d), high = edge((2 * n + 1) * d);
  const where = values.map((x) => less(x, low) ? "below" : less(x, high) ? "inside" : "above");
  frames.push({ title: "global shift", words: idleWords(idle) + globalWords(swept, values, low, high), before: swept, after: values });
  const matrix = rows.map((row) => row.map(written).join(", ")).join("; ");
  return { frames, low, high, big, matrix, ids: start.map(written), swept: swept.map(written), values: values.map(written), where };
}

// A matrix that is typed in takes the place of the one on the page: in its steps, its slider and where it lands.
for (const typed of document.querySelectorAll(".typed")) {
  const [input, wrong] = [typed.querySelector("input"), typed.querySelector("output")];
  const [which, sweep, landing] = [".which", ".sweep", ".landing tbody"].map((name) => document.querySelector(name));
  const { d, n, steps } = typed.dataset;
  const show = () => {
    let found;
    try {
      found = valuesOf(input.value, Number(d), Number(n), Number(steps));
      wrong.textContent = "";
    } catch (error) {
      wrong.textContent = `${error.message}. Below is still the matrix before.`;
      return;
    }
    which.textContent = `The ids of the columns of [${found.matrix}], level by level.`;
    sweep.innerHTML = figuresOf(found);
    slide(sweep);
    landing.replaceChildren(...found.values.map((x, j) => {
      const row = document.createElement("tr"), heading = document.createElement("th");
      heading.scope = "row";
      heading.textContent = j + 1;
      row.append(heading, ...[found.ids[j], found.swept[j], x, found.where[j]].map((cell) => Object.assign(document.createElement("td"), { textContent: cell })));
      return row;
    }));
  };
  input.addEventListener("input", show);
  if (input.value !== input.defaultValue) show(); // a browser that goes back fills in what was typed
}

// A link into a part that is folded opens it.
const unfold = () => {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
  if (target) target.scrollIntoView();
};
if (document.querySelector("details")) { addEventListener("hashchange", unfold); unfold(); }
