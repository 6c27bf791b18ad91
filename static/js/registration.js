// The door: letters, arrows, Enter. The field is emptied as soon as Enter is pressed, so that the next name can be
// typed while the answer is on its way; what was not understood is put back if nothing else was typed meanwhile.
"use strict";

const form = document.getElementById("check-in");
const field = document.getElementById("person-search");
const answer = document.getElementById("answer");

function matches() {
  return document.getElementById("matches");
}

function options() {
  return [...matches().querySelectorAll("[role=option]")];
}

function active() {
  return matches().querySelector(".is-active");
}

function activate(option) {
  for (const other of options()) {
    other.classList.toggle("is-active", other === option);
    other.setAttribute("aria-selected", String(other === option));
  }
  if (option) field.setAttribute("aria-activedescendant", option.id);
  else field.removeAttribute("aria-activedescendant");
}

function step(by) {
  const all = options();
  if (!all.length) return;
  const at = all.indexOf(active());
  const option = all[(at + by + all.length) % all.length];
  activate(option);
  option.scrollIntoView({ block: "nearest" });
  matches().dataset.moved = "yes";
}

function closeMatches() {
  matches().replaceChildren();
  matches().hidden = true;
  matches().dataset.q = "";
  delete matches().dataset.moved;
  field.setAttribute("aria-expanded", "false");
  field.removeAttribute("aria-activedescendant");
}

function send(person, chosen) {
  const typed = field.value.trim();
  if (!typed) return;
  htmx.ajax("POST", form.action, {
    source: form,
    target: "#answer",
    swap: "innerHTML",
    values: { q: typed, person, chosen: chosen ? "1" : "" },
  });
  field.value = "";
  closeMatches();
}

function sendTyped() {
  const fresh = matches().dataset.q === field.value.trim();
  const option = fresh ? active() : null;
  send(option ? option.dataset.person : "", Boolean(option) && matches().dataset.moved === "yes");
}

if (form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sendTyped();
    field.focus();
  });

  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") step(1);
    else if (event.key === "ArrowUp") step(-1);
    else if (event.key === "Escape") {
      field.value = "";
      closeMatches();
    } else if (event.key === "z" && event.ctrlKey && !field.value) {
      document.getElementById("undo-last")?.click();
    } else return;
    event.preventDefault();
  });

  form.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (!option) return;
    send(option.dataset.person, true);
    field.focus();
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    const late = event.detail.target.id === "matches" && !field.value.trim();
    if (late) event.detail.shouldSwap = false;
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target.id === "matches") {
      field.setAttribute("aria-expanded", String(!matches().hidden));
      const option = active();
      if (option) field.setAttribute("aria-activedescendant", option.id);
      else field.removeAttribute("aria-activedescendant");
    }
    if (event.detail.target.id === "answer") afterAnswer();
  });

  for (const lost of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(lost, (event) => putBack(event.detail));
  }

  answer.addEventListener("click", (event) => {
    if (!event.target.closest("[data-cancel]")) return;
    answer.replaceChildren();
    field.focus();
  });

  answer.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    answer.replaceChildren();
    field.focus();
  });
}

function putBack({ requestConfig, target }) {
  const typed = requestConfig?.parameters.q;
  if (target !== answer || !typed || field.value) return;
  field.value = typed;
  field.focus();
}

function afterAnswer() {
  const said = answer.firstElementChild;
  if (!said || said.hasAttribute("data-done")) {
    field.focus();
    return;
  }
  if (field.value) return;
  if (said.dataset.focus) {
    const first = document.getElementById(said.dataset.focus.trim().split(" ")[0]);
    first?.focus();
    first?.select();
  } else if (said.hasAttribute("data-namesakes")) {
    said.querySelector("button").focus();
  } else if (said.dataset.q) {
    field.value = said.dataset.q;
    field.focus();
  }
}
