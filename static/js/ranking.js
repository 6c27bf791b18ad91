// Finds a line of a ranking by name or number and tells its rank; goes on after the page has renewed the table.
"use strict";

(() => {
  const finder = document.getElementById("finder");
  const answer = document.getElementById("finder-answer");
  if (!finder) {
    return;
  }
  finder.closest(".finder").hidden = false;
  const fold = (text) =>
    text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replace(/œ/g, "oe").replace(/æ/g, "ae");

  const find = () => {
    const words = fold(finder.value).split(/\s+/).filter(Boolean);
    const rows = document.querySelectorAll(`${finder.dataset.finds} tbody tr`);
    let found = null;
    let count = 0;
    rows.forEach((row) => {
      const text = fold(row.dataset.find);
      const isFound = words.every((word) => text.includes(word));
      row.hidden = !isFound;
      if (isFound) {
        count += 1;
        found = row;
      }
    });
    answer.textContent =
      words.length && count === 1
        ? [".rank", ".name", ".total"].map((part) => found.querySelector(part).textContent.trim()).join(" · ")
        : "";
  };

  finder.addEventListener("input", find);
  document.addEventListener("htmx:afterSettle", find);
})();
