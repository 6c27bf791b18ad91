// Small manners of every page: a form is sent once, and a lost connection or an answer without a page is said in words.
"use strict";

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !form.matches("form[data-once]")) return;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "yes";
  const button = event.submitter;
  if (button) button.setAttribute("aria-disabled", "true");
});

window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) {
    delete form.dataset.sent;
    for (const button of form.querySelectorAll("[aria-disabled]")) button.removeAttribute("aria-disabled");
  }
});

const refused = document.getElementById("refused");
document.addEventListener("htmx:responseError", () => {
  refused.hidden = false;
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful) refused.hidden = true;
});

const offline = document.getElementById("offline");
document.addEventListener("htmx:sendError", () => {
  offline.hidden = false;
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.xhr.status > 0) offline.hidden = true;
});
