// An editor for a page, and what the checker says of it. The checker runs in a worker (engine.js), which Stop ends.
// Text of a page, and what is said of it, is only ever put on the screen as text.

const by = (id) => document.getElementById(id);
const el = (tag, attributes = {}, ...inside) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick" || name === "ontoggle") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...inside);
  return made;
};
const [text, shown, found, answer, state] = ["text", "shown", "found", "answer", "state"].map(by);
const { given, rules } = JSON.parse(by("given").textContent);
const MOST_TEXT = 200_000, FOLLOWED = 40, LONG = 80;

// --- the checker -----------------------------------------------------------------------------------------------

let engine; // { ready, ask(question), end(why) }
const start = () => {
  const worker = new Worker("engine.js", { type: "module" });
  const waiting = new Map();
  let ready, broken, number = 0;
  const begun = new Promise((yes, no) => { ready = yes; broken = no; });
  begun.catch(() => {});
  const end = (why) => {
    worker.terminate();
    broken(why);
    for (const { no } of waiting.values()) no(why);
    waiting.clear();
  };
  worker.onmessage = ({ data }) => {
    if (data.ready) return ready();
    if (data.missing) return end(new Missing(data.missing));
    const { yes, no } = waiting.get(data.number);
    waiting.delete(data.number);
    if (data.broken === undefined) return yes(JSON.parse(data.answer));
    no(new Broken(data.broken));
    start();
  };
  worker.onerror = (event) => end(new Missing(event.message || "engine.js can't be loaded"));
  const ask = async (question) => {
    await begun;
    return new Promise((yes, no) => {
      waiting.set(++number, { yes, no });
      worker.postMessage({ number, question: JSON.stringify(question) });
    });
  };
  engine?.end(new Ended());
  engine = { begun, ask, end };
};
class Missing extends Error {}
class Broken extends Error {}
class Ended extends Error {}

// --- the text --------------------------------------------------------------------------------------------------

const RULES = new RegExp(rules.map(([rule]) => rule).join("|"), "g"), COLOURS = rules.flatMap(([, colours]) => colours);
const coloured = function* (line) { // [text, its colour]
  let at = 0;
  for (const match of line.matchAll(RULES)) {
    yield [line.slice(at, match.index), ""];
    for (const [k, part] of match.slice(1).entries()) if (part) yield [part, COLOURS[k]];
    at = match.index + match[0].length;
  }
  yield [line.slice(at), ""];
};
let marks = { wrong: null, fails: new Set() };

// The lines in colours, with the place of an error and the lines that fail.
const paint = () => {
  const lines = text.value.split("\n"), plain = text.value.length > 60_000;
  shown.replaceChildren(...lines.map((line, k) => {
    const here = marks.wrong?.line === k + 1 ? [...line].slice(0, marks.wrong.column - 1).join("").length : -1;
    const made = el("span", { class: "line" });
    if (here >= 0) made.classList.add("wrong");
    if (marks.fails.has(k + 1)) made.classList.add("failing");
    let at = 0;
    for (const [part, colour] of plain ? [[line, ""]] : coloured(line)) {
      const kind = `${colour}${at <= here && here < at + part.length ? " here" : ""}`.trim();
      if (part) made.append(kind ? el("span", { class: kind }, part) : part);
      at += part.length;
    }
    if (here >= line.length && here >= 0) made.append(el("span", { class: "here" }, " "));
    made.append("\n");
    return made;
  }));
};

const goTo = (line, column) => {
  const lines = text.value.split("\n");
  const at = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const into = [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
  text.focus({ preventScroll: true });
  text.setSelectionRange(at + into, at + into);
  shown.children[line - 1]?.scrollIntoView({ block: "nearest", inline: "nearest" });
};
const placeButton = (line, column = 1, words = `line ${line}`) =>
  el("button", { type: "button", class: "goto", onclick: () => goTo(line, column) }, words);

const sayWrong = (wrong) => {
  marks.wrong = wrong?.line ? wrong : null;
  const box = by("wrong");
  box.hidden = !wrong;
  text.setAttribute("aria-invalid", String(Boolean(wrong)));
  box.replaceChildren(...(wrong ? [...(wrong.line ? [placeButton(wrong.line, wrong.column, `line ${wrong.line}, column ${wrong.column}`), ": "] : []), wrong.words] : []));
  paint();
};

// --- sizes, and the address ------------------------------------------------------------------------------------

const sizesNow = () => Object.fromEntries([...by("sizes").querySelectorAll("input")].map((one) => [one.name, one.value]));
const typed = new Map(); // the sizes that were seen, by name
const showSizes = (least, toTry) => {
  for (const [name, size] of Object.entries(sizesNow())) typed.set(name, size);
  const fields = new Map([...by("sizes").querySelectorAll("input")].map((one) => [one.name, one.parentElement]));
  const field = (name) => fields.get(name) ?? el("label", {}, `${name} `, el("input", { type: "number", name, step: 1, required: "" }));
  const wanted = Object.keys(least).map(field);
  if (wanted.some((one, k) => one !== by("sizes").children[k]) || wanted.length !== fields.size) by("sizes").replaceChildren(...wanted);
  for (const one of by("sizes").querySelectorAll("input")) {
    one.min = least[one.name];
    one.title = `${one.name} ≥ ${one.min}`;
    if (!fields.has(one.name)) one.value = typed.get(one.name) ?? toTry[one.name] ?? one.min;
  }
};

const pipe = (bytes, stream) => new Blob([bytes]).stream().pipeThrough(stream);
const encode = async (value) => {
  const bytes = new Uint8Array(await new Response(pipe(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream("deflate-raw"))).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};
const decode = async (code) => {
  const letters = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
  const reader = pipe(Uint8Array.from(letters, (one) => one.charCodeAt(0)), new DecompressionStream("deflate-raw")).getReader();
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  let words = "";
  for (let part; !(part = await reader.read()).done;) {
    words += utf8.decode(part.value, { stream: true });
    if (words.length > 8 * MOST_TEXT) throw new Error("too long");
  }
  const { page, sizes } = JSON.parse(words + utf8.decode());
  if (typeof page !== "string" || typeof sizes !== "object") throw new Error("no page");
  return { page, sizes: Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, String(size)])) };
};
let address = "";
const writeAddress = async () => {
  address = `#${await encode({ page: text.value, sizes: sizesNow() })}`;
  history.replaceState(null, "", address);
};

// --- what is said ----------------------------------------------------------------------------------------------

const many = (count, one, more = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : more}`;
const short = (value) => value.length > LONG ? `${value.slice(0, LONG - 20)}… (${value.length} characters)` : value;
const valueText = (value) => Array.isArray(value) ? `[${value.map(valueText).join(", ")}]` : short(String(value));
const caseText = (value, kind) => kind === "words" && value.length && value.every((item) => /^[0-9]$/.test(item)) ? value.join("") : valueText(value);
const fraction = (value) => { const [a, b = "1"] = value.split("/"); return [BigInt(a), BigInt(b)]; };
const less = (x, y) => { const [a, b] = fraction(x), [c, d] = fraction(y); return a * d < c * b; };
const tightest = (claim) => (claim.lines ?? []).filter((line) => line.least).reduce((best, line) =>
  !best || less(line.least.slack, best.least.slack) ? line : best, null);
const CASES = { words: ["word"], multisets: ["orbit"], sets: ["orbit"], list: ["input"] };

// A token: of a new one what differs from the old one stands out.
const token = (value, old) => {
  const entries = value.flatMap((entry, k) => [k ? ", " : "", old && entry !== old[k] ? el("b", {}, valueText(entry)) : valueText(entry)]);
  return el("code", {}, "[", ...entries, "]");
};
const traceOf = (run) => {
  const rows = (tokens) => el("table", { class: "trace" }, el("tbody", {}, ...tokens));
  const row = (k, ...cells) => el("tr", {}, el("th", { scope: "row" }, `token ${k}`), el("td", {}, ...cells));
  const step = ({ layer, line, changed }) => [
    el("p", { class: "layer" }, el("code", {}, layer), " (", placeButton(line), ")"),
    rows(changed.map((one) => row(one.token, token(one.from), " → ", token(one.to, one.from)))),
  ];
  const more = run.steps.length - FOLLOWED;
  return [
    el("h3", {}, el("code", {}, run.network), ", run on"), rows(run.tokens.map((one, k) => row(run.first + k, token(one)))),
    ...(run.steps.length ? run.steps.slice(0, FOLLOWED).flatMap(step) : [el("p", { class: "small" }, "No layer changes them.")]),
    ...(more > 0 ? [el("p", { class: "small" }, `${many(more, "more layer")} ${more === 1 ? "acts" : "act"}.`)] : []),
  ];
};
const tracesOf = (runs) => {
  const more = runs.length - FOLLOWED;
  return [
    ...runs.slice(0, FOLLOWED).flatMap(traceOf),
    ...(more > 0 ? [el("p", { class: "small" }, `A network is run ${many(more, "more time")}.`)] : []),
  ];
};
// The trace of the cases of these ranks, fetched when it is first seen.
const follow = (asked, claim, seen, open) => {
  const inside = el("div", {}, el("p", { class: "small" }, "…"));
  let begun = false;
  const fetchIt = async () => {
    if (begun) return;
    begun = true;
    try {
      const told = await engine.ask({ ask: "follow", ...asked, claim: claim.id, ranks: seen.ranks });
      if (told.wrong) return inside.replaceChildren(el("p", {}, told.wrong.words));
      const parts = told.cases.flatMap((runs, k) => [...(k ? [el("p", {}, "and")] : []), ...tracesOf(runs)]);
      inside.replaceChildren(...(parts.length ? parts : [el("p", { class: "small" }, "There is no run of a network to follow.")]));
    } catch (error) {
      inside.replaceChildren(el("p", {}, inWords(error)));
    }
  };
  const box = el("details", { ontoggle: () => box.open && fetchIt() }, el("summary", {}, "Layer by layer, only what changed"), inside);
  box.open = open;
  return box;
};

const fact = (name, ...value) => [el("dt", {}, name), el("dd", {}, ...value)];
const evidence = (asked, claim, kind, open) => {
  const refuted = claim.verdict === "refuted";
  const line = refuted ? claim.lines.find((one) => one.line === claim.first.line && one.column === claim.first.column) : tightest(claim);
  const seen = refuted ? claim.first : line.least;
  const what = seen.cases.length === 1 ? ["case"] : seen.cases.length ? ["pair of cases", "pairs of cases"] : ["relation"];
  const cases = seen.cases.map((one) => caseText(one, kind)).join(" and ");
  const letters = Object.entries(seen.letters ?? {}).map(([name, value]) => `${name} = ${valueText(value)}`).join(", ");
  return [
    el("dl", { class: "facts" },
      ...(cases || letters ? fact("at", el("code", { class: "at" }, cases), cases && letters ? ", " : "", el("code", {}, letters)) : []),
      ...fact("claimed", el("code", {}, line.relation), " (", placeButton(line.line, line.column), ")"),
      ...fact("found", el("code", {}, valueText(seen.value)), " against ", el("code", {}, valueText(seen.bound))),
      ...(refuted ? fact("fails at", many(claim.failing, ...what)) : fact("slack", el("code", {}, short(seen.slack))))),
    follow(asked, claim, seen, open),
  ];
};

const conclusion = (content, claims) => {
  const aside = (claim) => claim.verdict === "refuted" && claims[claim.id].kind === "excluded";
  const ids = (verdict) => content.claims.filter((claim) => claim.verdict === verdict && !aside(claim)).map((claim) => claim.id);
  const said = [], idle = content.claims.filter((claim) => claim.verdict === "holds").flatMap((claim) => claim.lines).filter((line) => !line.made).length;
  if (ids("refuted").length) said.push(`Refuted: ${ids("refuted").join(", ")}`);
  const unused = idle ? ` (${idle} of ${ids("holds").length === 1 ? "its" : "their"} lines never compared anything)` : "";
  if (ids("holds").length) said.push(`${ids("holds").length === 1 ? "1 claim holds" : `${ids("holds").length} claims hold`}${unused}`);
  if (ids("vacuous").length) said.push(`vacuous (nothing was compared): ${ids("vacuous").join(", ")}`);
  if (ids("skipped").length) said.push(`skipped: ${ids("skipped").join(", ")}`);
  if (content.claims.some(aside)) said.push(`fails only in a reading that the page excludes: ${content.claims.filter(aside).map((claim) => claim.id).join(", ")}`);
  return `${said.join("; ")}.`;
};

const report = (asked, { certificate, claims, sizes }) => {
  const content = JSON.parse(certificate);
  const kindOf = (claim) => content.inputs[claims[claim.id].on]?.kind;
  const at = sizes.map((name) => `${name} = ${asked.sizes[name]}`).join(", ");
  const ran = Object.entries(content.inputs).map(([name, { kind, cases, inputs }]) => `${name}: all ${many(cases, ...CASES[kind])}` +
    (kind === "multisets" || kind === "sets" ? ` (each stands for its arrangements, ${inputs.toLocaleString("en")} in all, and was run in one of them)` : ""));
  const forms = Object.entries(content.layers).map(([name, { form, heads }]) => `${name}: ${form}${heads ? ` with ${many(heads, "head")}` : ""}`);
  const row = (claim) => {
    const edge = claim.verdict === "holds" ? tightest(claim) : null;
    const aside = claim.verdict === "refuted" && claims[claim.id].kind === "excluded";
    return el("tr", {}, el("th", { scope: "row" }, el("code", {}, claim.id)), el("td", { class: "says" }, claims[claim.id].says, ...(claim.why ? [el("br"), el("span", { class: "small" }, `Skipped: ${claim.why}.`)] : [])),
      el("td", {}, el("span", { class: `badge ${aside ? "fails" : claim.verdict}` }, claim.verdict)),
      el("td", { class: "number", "data-what": "cases" }, claim.cases.toLocaleString("en")),
      el("td", { class: "number", ...(edge ? { "data-what": "slack" } : {}) }, edge ? short(edge.least.slack) : ""));
  };
  const refuted = content.claims.filter((claim) => claim.verdict === "refuted");
  const close = content.claims.filter((claim) => claim.verdict === "holds" && tightest(claim));
  const file = el("a", { download: `${(JSON.parse(certificate).page.match(/^title "(.*)"/m)?.[1] ?? "page").replace(/[^A-Za-z0-9]+/g, "-").slice(0, 40)}.json`, href: URL.createObjectURL(new Blob([certificate], { type: "application/json" })) }, "Download the certificate");
  marks.fails = new Set(refuted.map((claim) => claim.first.line));
  paint();
  const concluded = conclusion(content, claims);
  answer.replaceChildren(
    el("p", { class: `verdict ${content.verdict === "vacuous" ? "incomplete" : content.verdict}` }, concluded, el("br"),
      el("span", { class: "small" }, [at, ...ran].filter(Boolean).join("; ") + `. ${sizes.length ? `This says nothing about other ${sizes.join(", ")}.` : ""}`)),
    ...refuted.slice(0, 3).flatMap((claim, k) => [el("h2", {}, "Counterexample to ", el("code", {}, claim.id)), el("p", { class: "small" }, claims[claim.id].says), ...evidence(asked, claim, kindOf(claim), k === 0)]),
    ...(refuted.length > 3 ? [el("details", {}, el("summary", {}, many(refuted.length - 3, "more counterexample")),
      ...refuted.slice(3).flatMap((claim) => [el("h3", {}, el("code", {}, claim.id)), ...evidence(asked, claim, kindOf(claim), false)]))] : []),
    el("h2", {}, "Claims"),
    el("div", { class: "wide" }, el("table", { class: "claims" }, el("thead", {}, el("tr", {}, ...["claim", "what it says", "verdict", "cases", "slack"].map((word) => el("th", { scope: "col" }, word)))), el("tbody", {}, ...content.claims.map(row)))),
    el("p", { class: "small" }, "Slack is how far the tightest case is from failing."),
    ...(close.length ? [el("h2", {}, "Where claims are tightest"), ...close.map((claim) => el("details", {}, el("summary", {}, el("code", {}, claim.id), ` at slack ${short(tightest(claim).least.slack)}`), ...evidence(asked, claim, kindOf(claim), false)))] : []),
    ...(forms.length ? [el("h2", {}, "Layers"), el("p", { class: "small" }, forms.join("; "))] : []),
    el("h2", {}, "Take it with you"),
    el("p", {}, file, " (the text is in it): ", el("code", {}, "verify check FILE"), " derives it again on your own machine."),
  );
  return concluded;
};

// --- reading and running ---------------------------------------------------------------------------------------

const inWords = (error) =>
  error instanceof Missing ? `Python for browsers can't be loaded, so that nothing was run. (${error.message})`
  : error instanceof Broken ? "This is too deep or too large for Python in a browser. That is no verdict: run it with verify on your own machine."
  : error instanceof Ended ? "Stopped. That is no verdict."
  : `A defect of this page: ${error.message}`;
const none = (...words) => answer.replaceChildren(el("p", { class: "verdict unchecked" }, ...words));
let running = false, edits = 0, later = 0;

const look = async () => {
  const mine = ++edits;
  try {
    const said = await engine.ask({ ask: "read", page: text.value });
    if (mine !== edits) return;
    sayWrong(said.wrong);
    if (said.sizes) showSizes(said.sizes, said.to_try);
    if (!running) await writeAddress();
  } catch (error) {
    if (!(error instanceof Ended) && mine === edits) none(inWords(error));
  }
};
const run = async () => {
  if (running) return;
  running = true;
  clearTimeout(later);
  edits += 1;
  let began = 0; // once the engine is there
  const most = Number(by("most").value), seconds = () => Math.round((performance.now() - began) / 1000);
  const asked = { page: text.value, sizes: sizesNow() }, mine = edits;
  by("run").disabled = true;
  by("stop").hidden = false;
  answer.replaceChildren();
  answer.className = "";
  marks.fails = new Set();
  sayWrong(null);
  const tick = () => { state.textContent = !began ? "Loading Python for browsers …" : seconds() ? `Running, ${seconds()} s …` : "Running …"; };
  state.className = "";
  tick();
  const clock = setInterval(() => {
    if (!began) return;
    if (seconds() >= most) stop(`Stopped after ${most} s. That is no verdict: take smaller sizes, or allow more time.`);
    else if (seconds() % 5 === 0) tick();
  }, 250);
  try {
    const here = engine;
    await here.begun;
    began = performance.now();
    tick();
    const said = await here.ask({ ask: "run", ...asked });
    state.textContent = "";
    if (said.wrong) {
      if (mine === edits) sayWrong(said.wrong);
      const sheet = text.closest(".editor"), line = shown.querySelector(".wrong");
      if (line) sheet.scrollTop = line.offsetTop - shown.offsetTop - sheet.clientHeight / 2;
      none("Not run: ", said.wrong.words, said.wrong.line ? ` (line ${said.wrong.line}, column ${said.wrong.column})` : "");
    } else {
      state.className = "skip"; // what is on the screen, for those who hear it
      state.textContent = report(asked, said);
      if (mine !== edits) changed();
    }
  } catch (error) {
    state.textContent = "";
    none(error instanceof Ended && error.message ? error.message : inWords(error));
  } finally {
    clearInterval(clock);
    running = false;
    by("run").disabled = false;
    by("stop").hidden = true;
    await writeAddress();
  }
};
const stop = (words = "Stopped. That is no verdict.") => {
  engine.end(new Ended(words));
  start();
};
const changed = () => {
  if (!answer.children.length) return;
  answer.className = "old";
  state.className = "";
  state.textContent = "The page has changed since this was found.";
};
const edited = () => {
  edits += 1;
  marks = { wrong: null, fails: new Set() };
  paint();
  changed();
  clearTimeout(later);
  later = setTimeout(look, 400);
};
const load = async ({ page, sizes }) => {
  text.value = page;
  answer.replaceChildren();
  marks = { wrong: null, fails: new Set() };
  by("sizes").replaceChildren();
  typed.clear();
  for (const [name, size] of Object.entries(sizes)) typed.set(name, size);
  paint();
  text.closest(".editor").scrollTo(0, 0);
  await look();
  await run();
};
const fromAddress = async () => {
  try {
    const linked = await decode(location.hash.slice(1));
    by("examples").value = by("hint").textContent = "";
    await load(linked);
  } catch {
    none("The text of this link can't be read: it was cut off, perhaps.");
  }
};

// --- the start -------------------------------------------------------------------------------------------------

by("examples").append(el("option", { value: "" }, "a page of your own"), ...given.map((one, k) => el("option", { value: String(k) }, one.title)));
const chosen = () => {
  if (!by("examples").value) return;
  if (running) stop();
  const one = given[Number(by("examples").value)];
  by("hint").textContent = one.hint;
  load(one);
};
by("examples").addEventListener("change", chosen);
text.addEventListener("input", edited);
text.addEventListener("beforeinput", (event) => { // a new line begins where the old one did
  const indent = text.value.slice(0, text.selectionStart).match(/(?:^|\n)( *)[^\n]*$/)?.[1];
  if (event.inputType !== "insertLineBreak" || !indent) return;
  event.preventDefault();
  document.execCommand("insertText", false, `\n${indent}`);
});
by("sizes").addEventListener("input", () => { changed(); writeAddress(); });
by("write").addEventListener("submit", (event) => { event.preventDefault(); run(); });
by("stop").addEventListener("click", () => stop());
by("write").addEventListener("keydown", (event) => { if ((event.ctrlKey || event.metaKey) && event.key === "Enter") { event.preventDefault(); run(); } });
by("link").addEventListener("click", async () => {
  await writeAddress();
  try {
    await navigator.clipboard.writeText(location.href);
    by("copied").textContent = "Copied.";
  } catch {
    by("copied").textContent = "It is in the address bar.";
  }
});
addEventListener("hashchange", () => { if (location.hash !== address) { if (running) stop(); fromAddress(); } });

paint();
if (document.body.dataset.engine !== "here") {
  by("run").disabled = true;
  none("This site was built without Python for browsers, so that nothing can be run here: `make docs` with npm on the PATH puts it in.");
} else {
  start();
  if (location.hash.length > 1) fromAddress();
  else { by("examples").value = "0"; chosen(); }
}
