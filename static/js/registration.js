// The door: letters, arrows, Enter. The cursor stays in the field, which is emptied as soon as Enter is pressed. Names go
// to the server one after another; what an answer does not settle stands below the field as a card, until it is settled.
// This script is not deferred: a field on the screen is a field that listens.
"use strict";

const BOUNCE = 300; // milliseconds; an Enter sooner than that after the cursor came to a card is a finger that bounced
const SLOW = 1000; // milliseconds; a name whose answer takes longer is shown
const KEPT = `door:${location.pathname}`;
const CARDS = "#to-settle > li:not([data-waiting])";

const byId = (id) => document.getElementById(id);
const field = () => byId("person-search");

// What was asked and is not settled, by the id of its card; kept so that a page loaded again does not forget a name.
const unsettled = new Map(stored().map((job) => [job.id, job]));
let last = ""; // the card of what was sent last
let queue = new Promise((resolve) => {
  document.addEventListener("DOMContentLoaded", resolve);
}).then(() => {
  for (const job of [...unsettled.values()].filter((kept) => kept.isOld)) byId("to-settle").append(unsentCard(job));
  showHeading();
});

function stored() {
  try {
    return (JSON.parse(sessionStorage.getItem(KEPT)) ?? []).map((job) => ({ ...job, isOld: true }));
  } catch {
    return [];
  }
}

function store() {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify([...unsettled.values()]));
  } catch {
    /* private browsing: the page still works */
  }
}

// Sending

function job(url, label, values, card) {
  return { id: card?.id || `ask-${Date.now()}-${Math.random().toString(36).slice(2, 8)}`, url, label, values };
}

function jobOf(form, button) {
  const { csrfmiddlewaretoken, ...values } = Object.fromEntries(new FormData(form)); // the page's header has a fresh one
  return job(form.action, button?.textContent.replace(/\s+/g, " ").trim() ?? "", values, form.closest(CARDS));
}

function send(asked) {
  if (!unsettled.has(asked.id)) unsettled.set(asked.id, asked);
  store();
  last = asked.id;
  if (byId(asked.id)) byId(asked.id).setAttribute("aria-busy", "true");
  else if (byId("to-settle")) waitingPlace(asked); // the page may not be all there yet
  queue = queue.then(() => post(asked));
}

// The answer takes the place of the card: another question, or nothing when all is done.
async function post(asked) {
  const place = byId(asked.id) ?? waitingPlace(asked);
  try {
    const values = { ...asked.values, card: asked.id };
    await htmx.ajax("POST", asked.url, { source: byId("to-settle"), target: place, swap: "outerHTML", values });
  } catch {
    /* said by the page's own notices; the place still stands */
  }
  if (!place.isConnected) {
    if (!byId(asked.id)) settle(asked.id);
  } else if ("waiting" in place.dataset) {
    place.replaceWith(unsentCard(asked));
  } else {
    place.removeAttribute("aria-busy");
  }
  showHeading();
}

function settle(id) {
  unsettled.delete(id);
  store();
}

function undoLast() {
  const id = last;
  last = "";
  queue = queue.then(async () => {
    const card = byId(id);
    const form = document.querySelector(`#answer form[data-of="${id}"]`);
    if (form) await post(jobOf(form, form.querySelector("button")));
    else if (card && !("unsent" in card.dataset)) dismiss(card); // nobody knows what became of an unsent one
  });
}

// Cards

function waitingPlace({ id, label }) {
  const place = document.createElement("li");
  Object.assign(place, { id, className: "quiet", textContent: `${label} …`, hidden: true });
  place.dataset.waiting = "";
  byId("to-settle").append(place);
  setTimeout(() => {
    place.hidden = false;
  }, SLOW);
  return place;
}

function unsentCard({ id, url, label, values }) {
  const card = byId("unsent").content.firstElementChild.cloneNode(true);
  card.id = id;
  card.querySelector("h3").textContent = label;
  const form = card.querySelector("form");
  form.action = url;
  for (const [name, value] of Object.entries({ ...values, ask: "1" })) {
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  return card;
}

function dismiss(card) {
  settle(card.id);
  card.remove();
  showHeading();
}

function showHeading() {
  const isNeeded = document.querySelector(CARDS) !== null;
  for (const part of document.querySelectorAll("[data-heading]")) part.hidden = !isNeeded;
}

let arrivedAt = -Infinity;

function goToCards({ timeStamp }) {
  document.querySelector(`${CARDS}:not([aria-busy]) :is(button, a)`)?.focus();
  arrivedAt = timeStamp;
}

function move(from, by) {
  const all = [...document.querySelectorAll("#to-settle :is(button, a, input:not([type=hidden]))")];
  const to = all.indexOf(from) + by;
  (to < 0 ? field() : all[to])?.focus();
}

// The list under the field

let choice = ""; // the option the arrows chose
let chosenFor = ""; // the letters it was chosen for
let isHeld = false; // chosen since the last letter: a list still on its way may not take its place
let early = 0; // arrows pressed before there was a list

const options = () => [...byId("matches").querySelectorAll("[role=option]")];
const active = () => byId("matches").querySelector(".is-active");

function activate(option) {
  for (const other of options()) {
    other.classList.toggle("is-active", other === option);
    other.setAttribute("aria-selected", String(other === option));
  }
  if (option) field().setAttribute("aria-activedescendant", option.id);
  else field().removeAttribute("aria-activedescendant");
}

function step(by) {
  const all = options();
  if (!all.length) {
    early += by;
    return;
  }
  const from = Math.max(all.indexOf(active()), by > 0 ? -1 : 0);
  const option = all.at((from + by) % all.length);
  activate(option);
  option.scrollIntoView({ block: "nearest" });
  choice = option.id;
  chosenFor = field().value.trim();
  isHeld = true;
}

function closeMatches() {
  const list = byId("matches");
  list.replaceChildren();
  list.hidden = true;
  list.dataset.q = "";
  choice = "";
  isHeld = false;
  early = 0;
  field().setAttribute("aria-expanded", "false");
  field().removeAttribute("aria-activedescendant");
}

// Sends whom the arrows or the pointer chose; else whom Enter takes in a list that is up to date; else the letters.
function sendTyped(clicked) {
  const typed = field().value.trim();
  if (!typed) return;
  const chosen = clicked ?? (choice ? active() : null);
  const option = chosen ?? (byId("matches").dataset.q === typed ? active() : null);
  const values = {
    q: typed,
    person: option?.dataset.person ?? "",
    chosen: chosen ? "1" : "",
    ask: early ? "1" : "", // somebody else than the first was meant, and nobody saw who
  };
  send(job(byId("check-in").action, chosen?.firstElementChild.textContent ?? typed, values));
  field().value = "";
  closeMatches();
}

// Keys

function fieldKey(event) {
  const isEmpty = !field().value.trim();
  if (event.key === "Enter" && isEmpty) goToCards(event);
  else if (event.key === "Enter") sendTyped();
  else if (event.key === "ArrowDown" && isEmpty) goToCards(event);
  else if (event.key === "ArrowDown") step(1);
  else if (event.key === "ArrowUp") step(-1);
  else if (event.key === "Escape") {
    field().value = "";
    closeMatches();
  } else if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !field().value) undoLast();
  else return;
  event.preventDefault();
}

function cardKey(event) {
  if (event.key === "Enter" && event.timeStamp - arrivedAt < BOUNCE) event.preventDefault();
  else if (event.key === "Escape") field()?.focus();
  else if (event.key === "ArrowDown") move(event.target, 1);
  else if (event.key === "ArrowUp") move(event.target, -1);
  else return;
  event.preventDefault();
}

document.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key === "Enter" && event.repeat) event.preventDefault();
  else if (event.target === field()) fieldKey(event);
  else if (event.target.closest("#to-settle")) cardKey(event);
  // A name typed while the cursor is on a button is meant for the field.
  const isLetter = (event.key.length === 1 && event.key !== " ") || event.key === "Dead";
  if (!isLetter || event.ctrlKey || event.altKey || event.metaKey) return;
  if (!event.target.closest("input, select, textarea")) field()?.focus();
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.id === "check-in") sendTyped();
  else if (!form.closest("#answer, #to-settle, #present")) return;
  else if (!form.closest("li[aria-busy]")) send(jobOf(form, event.submitter));
  event.preventDefault();
  field()?.focus();
});

document.addEventListener("input", (event) => {
  if (event.target !== field()) return;
  isHeld = false;
  early = 0;
  const typed = field().value.trim();
  if (!typed) closeMatches();
  else if (choice && !typed.startsWith(chosenFor)) {
    choice = ""; // other letters mean somebody else
    activate(null);
  }
});

// Pointer

// Nobody waiting for an answer is left out of the seating unsaid: the first click leads to them, the second goes on.
let isWarned = false;

document.addEventListener("click", (event) => {
  const leaves = event.target.closest("a[href*='/mise-en-place/']");
  const isOut = (id) => !byId(id)?.hasAttribute("data-known"); // who is present already will be seated
  if (leaves && !isWarned && [...unsettled.keys()].some(isOut)) {
    event.preventDefault();
    isWarned = true;
    byId("left-out").hidden = false;
    goToCards(event);
  }
  if (!event.target.closest("#check-in, #answer, #to-settle, #present")) return;
  const option = event.target.closest("[role=option]");
  const dismissed = event.target.closest("[data-dismiss]")?.closest(`${CARDS}:not([aria-busy])`);
  if (event.detail > 1) {
    event.preventDefault(); // a double click is one click; something else may have come under the pointer meanwhile
  } else if (option) {
    sendTyped(option);
    field().focus();
  } else if (dismissed) {
    event.preventDefault();
    dismiss(dismissed);
    field()?.focus();
  }
});

// Lists that come

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target.id !== "matches") return;
  const typed = field().value.trim();
  const isLate = !typed || !typed.startsWith(detail.requestConfig.parameters.q.trim());
  if (isLate || isHeld) detail.shouldSwap = false;
});

document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target.id !== "matches") return;
  field().setAttribute("aria-expanded", String(!byId("matches").hidden));
  const kept = choice ? byId(choice) : null;
  if (!kept) choice = "";
  activate(kept ?? active());
  if (early) step(early);
  early = 0;
});
