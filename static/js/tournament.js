// The form of a tournament shows the method of as many positions as will be played.
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

rounds.addEventListener("input", showPlanned);
showPlanned();
