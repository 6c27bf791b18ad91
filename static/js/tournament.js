// The form of a tournament shows the method of as many positions as will be played; random at one is random after it.
"use strict";

const rounds = document.getElementById("id_rounds");
const methods = [...document.querySelectorAll("#methods .field")];

function showPlanned() {
  const planned = Number(rounds.value);
  if (!Number.isInteger(planned) || planned < 1) return;
  methods.forEach((field, index) => {
    field.hidden = index >= planned;
  });
}

document.getElementById("methods").addEventListener("change", (event) => {
  const selects = methods.map((field) => field.querySelector("select"));
  if (event.target.value !== "RANDOM") return;
  for (const select of selects.slice(selects.indexOf(event.target) + 1)) select.value = "RANDOM";
});

rounds.addEventListener("input", showPlanned);
showPlanned();
